//! How is a report written for a page that people read?

use std::collections::BTreeSet;

use super::{
    Expectation, Report, Row, Status,
    accuracy::{worst_psnr, worst_ssim},
    conditions::{conditions, method},
    contrast::contrasts,
    numbers::{UNKNOWN, mb, ms, range, three_digits},
    text,
    variant::{Property, varying},
    words::{counts, judged_status, rows_that_are, title, what_happened},
};

/// The report as GitHub's Markdown: what was found, the table, the conditions, the method.
pub fn markdown(report: &Report) -> String {
    let parts = [
        head(report),
        findings(report),
        table(report),
        remarks(report),
        files(report),
        conditions_part(report),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

fn head(report: &Report) -> Option<String> {
    let run = &report.run;
    let finished = match (run.complete, &run.finished) {
        (true, Some(finished)) => format!("finished {}", text::markdown(finished)),
        _ => "**not complete**".to_owned(),
    };
    Some(format!(
        "# {}\n\nRun {}, started {}, {finished}{} · {} · sweep file SHA-256 {}\n\n{}.\n",
        text::markdown(&run.sweep),
        text::markdown(&run.id),
        text::markdown(&run.started),
        text::markdown(&selection(report)),
        text::markdown(&run.harness),
        text::markdown(&run.sweep_sha256),
        counts(report),
    ))
}

/// Which part of the sweep this is, where it is not the whole.
fn selection(report: &Report) -> String {
    let filter = report
        .run
        .filter
        .iter()
        .map(|filter| format!(", only cells that match {filter}"));
    let shard = report.run.shard.iter().map(|shard| format!(", shard {shard}"));
    filter.chain(shard).collect()
}

fn findings(report: &Report) -> Option<String> {
    let varying = varying(report);
    let finding = |row: &Row| finding(row, &varying);
    let judged = |row: &Row, judgement: &str| judged(row, judgement, &varying);
    let found = bullets(rows_that_are(report, Expectation::Finding).map(finding));
    let expected = bullets(rows_that_are(report, Expectation::ExpectedFailure).map(|row| judged(row, "expected")));
    let unexpected =
        bullets(rows_that_are(report, Expectation::UnexpectedPass).map(|row| judged(row, "a failure was expected")));
    let stale = bullets(report.stale_expectations.iter().map(|entry| {
        let provider = entry
            .provider
            .as_ref()
            .map(|p| format!(" on {}", text::markdown(p)))
            .unwrap_or_default();
        let (cell, reason) = (text::markdown(&entry.cell), text::markdown(&entry.reason));
        format!("{cell}{provider} matches no cell; remove the entry or correct it ({reason})")
    }));
    let unavailable = bullets(
        report
            .rows
            .iter()
            .filter(|row| row.status == Status::Unavailable)
            .map(finding),
    );
    let sections = [
        ("Findings", found),
        ("Passes although a failure was expected", unexpected),
        ("Expected failures", expected),
        ("Unavailable", unavailable),
        ("Baseline entries without a cell", stale),
    ];
    let told: Vec<String> = sections
        .into_iter()
        .filter_map(|(heading, list)| list.map(|list| format!("## {heading}\n\n{list}")))
        .collect();
    (!told.is_empty()).then(|| told.join("\n"))
}

fn bullets(items: impl Iterator<Item = String>) -> Option<String> {
    let list: String = items.map(|item| format!("- {item}\n")).collect();
    (!list.is_empty()).then_some(list)
}

fn finding(row: &Row, varying: &[Property]) -> String {
    let provider = row
        .provider
        .as_ref()
        .map(|p| format!(" ({})", text::markdown(p)))
        .unwrap_or_default();
    format!(
        "**{}**{provider} {}",
        text::markdown(&title(row, varying)),
        text::markdown(&what_happened(row))
    )
}

fn judged(row: &Row, judgement: &str, varying: &[Property]) -> String {
    let reason = row
        .expectation_reason
        .as_ref()
        .map(|r| format!(": {}", text::markdown(r)))
        .unwrap_or_default();
    format!("{} — {judgement}{reason}", finding(row, varying))
}

enum Align {
    Left,
    Right,
}

struct Column {
    title: &'static str,
    align: Align,
    /// The field, already fit for a table cell.
    field: Box<dyn Fn(&Row) -> String>,
}

fn column(title: &'static str, align: Align, field: impl Fn(&Row) -> String + 'static) -> Column {
    Column {
        title,
        align,
        field: Box::new(field),
    }
}

fn columns(report: &Report) -> Vec<Column> {
    use Align::{Left, Right};
    let mut columns = vec![
        column("graph", Left, |r| text::markdown(&r.graph)),
        column("case", Left, |r| text::markdown(&r.case)),
        column("accelerator", Left, |r| r.accelerator.to_string()),
        column("provider", Left, |r| {
            text::markdown(r.provider.as_deref().unwrap_or(UNKNOWN))
        }),
        column("precision", Left, |r| r.precision.to_string()),
    ];
    columns.extend(
        varying(report)
            .into_iter()
            .map(|property| column(property.name, Left, move |r| text::markdown(&(property.of)(r)))),
    );
    columns.extend([
        column("status", Left, |r| match r.expectation {
            Expectation::Finding => format!("**{}**", text::markdown(&judged_status(r))),
            _ => text::markdown(&judged_status(r)),
        }),
        column("median ms", Right, |r| ms(r.latency_ms.map(|l| l.median))),
        column("min–max", Right, |r| match r.latency_ms {
            Some(latency) => range(three_digits(latency.min), three_digits(latency.max), "–"),
            None => UNKNOWN.to_owned(),
        }),
        column("n", Right, |r| {
            r.latency_ms.map_or_else(|| UNKNOWN.to_owned(), |l| l.n.to_string())
        }),
        column("load ms", Right, load),
        column("peak MB", Right, |r| mb(r.memory_kb.peak)),
        column("PSNR dB", Right, worst_psnr),
    ]);
    if report
        .rows
        .iter()
        .any(|row| row.accuracy.iter().any(|score| score.ssim.is_some()))
    {
        columns.push(column("SSIM", Right, worst_ssim));
    }
    columns
}

/// A first compile stands alone; what loads faster than one is marked.
fn load(row: &Row) -> String {
    let load = row.load_ms;
    let marked = |value: Option<f64>, mark: &str| value.map(|v| format!("{} {mark}", three_digits(v)));
    let known: Vec<String> = [
        load.first_compile.map(three_digits),
        marked(load.cached, "cached"),
        marked(load.aot, "aot"),
    ]
    .into_iter()
    .flatten()
    .collect();
    match known.is_empty() {
        true => UNKNOWN.to_owned(),
        false => known.join(", "),
    }
}

fn table(report: &Report) -> Option<String> {
    let columns = columns(report);
    let mut out = String::from("## Results\n\n");
    line(&mut out, columns.iter().map(|c| c.title.to_owned()));
    line(
        &mut out,
        columns.iter().map(|c| match c.align {
            Align::Left => "---".to_owned(),
            Align::Right => "---:".to_owned(),
        }),
    );
    for row in &report.rows {
        line(&mut out, columns.iter().map(|c| (c.field)(row)));
    }
    Some(out)
}

fn line(out: &mut String, fields: impl Iterator<Item = String>) {
    for field in fields {
        out.push_str("| ");
        out.push_str(&field);
        out.push(' ');
    }
    out.push_str("|\n");
}

fn remarks(report: &Report) -> Option<String> {
    bullets(
        contrasts(report)
            .iter()
            .map(|remark| text::markdown(&text::sentence(remark))),
    )
}

/// The files behind the graphs, each once.
fn files(report: &Report) -> Option<String> {
    let files: BTreeSet<_> = report
        .rows
        .iter()
        .map(|row| (&row.file, row.bytes, &row.sha256))
        .collect();
    let mut out = String::from("## Files\n\n| file | MB | SHA-256 |\n| --- | ---: | --- |\n");
    for (file, bytes, sha256) in &files {
        out.push_str(&format!(
            "| {} | {} | {} |\n",
            text::markdown(&file.to_string_lossy()),
            mb(bytes.map(|n| n.div_ceil(1024))),
            text::markdown(sha256.as_deref().unwrap_or(UNKNOWN))
        ));
    }
    (!files.is_empty()).then_some(out)
}

fn conditions_part(report: &Report) -> Option<String> {
    let sentences: Vec<String> = conditions(report).iter().map(|s| text::markdown(s)).collect();
    Some(format!(
        "## Conditions\n\n{}\n\n## Method\n\n{}\n",
        sentences.join(" "),
        text::markdown(&method(report))
    ))
}
