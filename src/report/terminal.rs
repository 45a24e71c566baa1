//! How is a report written for somebody who waits at a terminal?

use std::time::Duration;

use super::{
    Expectation, Report, Row, Status, Style, Tone,
    accuracy::worst_psnr,
    numbers::{UNKNOWN, mb, ms, span},
    text::{counted, elide, one_line, shell_word, width},
    variant::{Property, varying},
    words::{counts, death_at_teardown, rows_that_are, title, what_happened},
};

/// Tables longer than this leave out the rows that are fine.
const TABLE_ROWS: usize = 120;
/// Findings said in words; more of them are in the written report.
const FINDINGS: usize = 20;
/// A column that may shrink keeps this many characters.
const LEAST_WIDTH: usize = 6;
const GAP: usize = 2;

/// What only the caller knows, for the last line.
#[derive(Clone, Copy, Debug)]
pub struct Closing<'a> {
    /// From the start of the run to its end.
    pub wall: Duration,
    /// The run folder as the user would type it.
    pub folder: &'a str,
    /// Width of the terminal; none where nothing has to fit.
    pub columns: Option<usize>,
}

/// A table that fits the terminal, one line per finding with what to do next, and a summary.
pub fn terminal(report: &Report, style: &dyn Style, closing: &Closing<'_>) -> String {
    let columns = closing.columns.unwrap_or(usize::MAX);
    let mut out = table(report, style, columns);
    out.push_str(&findings(report, style, closing.folder, columns));
    out.push_str(&notes(report, style, closing.folder, columns));
    let summary = format!("{} · {} · ", counts(report), span(closing.wall.as_secs_f64() * 1e3));
    let worst = match rows_that_are(report, Expectation::Finding).next() {
        Some(_) => Tone::Bad,
        None => Tone::Good,
    };
    out.push_str(&style.dress(worst, &summary));
    out.push_str(&one_line(closing.folder));
    out.push('\n');
    out
}

/// A column of the table: its fields, and whether they may be cut.
struct Column {
    title: &'static str,
    fields: Vec<String>,
    cuttable: bool,
    right: bool,
    width: usize,
}

impl Column {
    fn new(title: &'static str, rows: &[&Row], field: impl Fn(&Row) -> String) -> Self {
        let fields: Vec<String> = rows.iter().map(|row| field(row)).collect();
        let width = fields.iter().map(|f| width(f)).chain([width(title)]).max().unwrap_or(0);
        Column {
            title,
            fields,
            cuttable: false,
            right: false,
            width,
        }
    }

    fn name(title: &'static str, rows: &[&Row], field: impl Fn(&Row) -> String) -> Self {
        Column {
            cuttable: true,
            ..Column::new(title, rows, |row| one_line(&field(row)).into_owned())
        }
    }

    fn figure(title: &'static str, rows: &[&Row], field: impl Fn(&Row) -> String) -> Self {
        Column {
            right: true,
            ..Column::new(title, rows, field)
        }
    }

    fn fit(&self, field: &str) -> String {
        let text = elide(field, self.width);
        let padding = " ".repeat(self.width - width(&text));
        if self.right { padding + &text } else { text + &padding }
    }
}

fn table(report: &Report, style: &dyn Style, available: usize) -> String {
    let all = report.rows.len() <= TABLE_ROWS;
    let rows: Vec<&Row> = report
        .rows
        .iter()
        .filter(|row| all || row.expectation != Expectation::Fine)
        .take(TABLE_ROWS)
        .collect();
    let mut out = String::new();
    if !rows.is_empty() {
        let mut columns = columns(report, &rows);
        shrink(&mut columns, available);
        let titles: Vec<String> = columns.iter().map(|c| c.fit(c.title)).collect();
        out.push_str(&style.dress(Tone::Title, titles.join("  ").trim_end()));
        out.push('\n');
        for (i, row) in rows.iter().enumerate() {
            let fields: Vec<String> = columns.iter().map(|c| c.fit(&c.fields[i])).collect();
            out.push_str(&style.dress(tone(row), fields.join("  ").trim_end()));
            out.push('\n');
        }
    }
    if rows.len() < report.rows.len() {
        let left = counted(report.rows.len() - rows.len(), "row");
        out.push_str(&style.dress(Tone::Quiet, &format!("{left} more in report.md")));
        out.push('\n');
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

fn columns(report: &Report, rows: &[&Row]) -> Vec<Column> {
    let mut columns = vec![
        Column::name("graph", rows, |r| r.graph.clone()),
        Column::name("case", rows, |r| r.case.clone()),
        Column::new("on", rows, |r| format!("{} {}", r.accelerator, r.precision)),
        Column::name("provider", rows, |r| {
            r.provider.clone().unwrap_or_else(|| UNKNOWN.to_owned())
        }),
    ];
    columns.extend(match varying(report).as_slice() {
        [] => None,
        [only] => Some(Column::name(only.name, rows, only.of)),
        several => Some(Column::name("variant", rows, |row| variant(several, row))),
    });
    columns.extend([
        Column::new("status", rows, |r| format!("{} {}", mark(r), r.status)),
        Column::figure("median ms", rows, |r| ms(r.latency_ms.map(|l| l.median))),
        Column::figure("load ms", rows, |r| {
            ms(r.load_ms.first_compile.or(r.load_ms.aot).or(r.load_ms.cached))
        }),
        Column::figure("peak MB", rows, |r| mb(r.memory_kb.peak)),
        Column::figure("PSNR dB", rows, worst_psnr),
    ]);
    columns
}

fn variant(varying: &[Property], row: &Row) -> String {
    let parts: Vec<String> = varying
        .iter()
        .map(|property| match property.name {
            // The only figure among names.
            "threads" => format!("threads {}", (property.of)(row)),
            _ => (property.of)(row),
        })
        .collect();
    parts.join(" ")
}

/// Takes from the widest name until the table fits.
fn shrink(columns: &mut [Column], available: usize) {
    let gaps = GAP * columns.len().saturating_sub(1);
    while columns.iter().map(|c| c.width).sum::<usize>() + gaps > available {
        let widest = columns.iter_mut().filter(|c| c.cuttable).max_by_key(|c| c.width);
        match widest {
            Some(column) if column.width > LEAST_WIDTH => column.width -= 1,
            _ => return,
        }
    }
}

fn tone(row: &Row) -> Tone {
    match row.expectation {
        Expectation::Finding => Tone::Bad,
        Expectation::ExpectedFailure | Expectation::UnexpectedPass => Tone::Notable,
        Expectation::Fine if row.status.ran_well() => Tone::Good,
        Expectation::Fine => Tone::Quiet,
    }
}

/// Tells without colour what the colour tells.
fn mark(row: &Row) -> char {
    match row.expectation {
        Expectation::Finding => '✗',
        Expectation::ExpectedFailure => '~',
        Expectation::UnexpectedPass => '!',
        Expectation::Fine if row.status == Status::Pass => '✓',
        Expectation::Fine => '·',
    }
}

fn findings(report: &Report, style: &dyn Style, folder: &str, columns: usize) -> String {
    let varying = varying(report);
    let run = shell_word(folder);
    let mut out = String::new();
    for row in rows_that_are(report, Expectation::Finding).take(FINDINGS) {
        let said = elide(
            &one_line(&format!("✗ {} {}", title(row, &varying), what_happened(row))),
            columns,
        );
        out.push_str(&style.dress(Tone::Bad, &said));
        // Not cut: it is there to be copied.
        out.push_str(&format!("\n  litmus show {run} {}\n", shell_word(row.key.as_str())));
    }
    let more = rows_that_are(report, Expectation::Finding)
        .count()
        .saturating_sub(FINDINGS);
    if more > 0 {
        out.push_str(&style.dress(Tone::Bad, &format!("✗ {} more in report.md", counted(more, "finding"))));
        out.push('\n');
    }
    spaced(out)
}

/// What is not bad and yet wants a look.
fn notes(report: &Report, style: &dyn Style, folder: &str, columns: usize) -> String {
    let varying = varying(report);
    let mut lines: Vec<String> = Vec::new();
    for row in rows_that_are(report, Expectation::UnexpectedPass).take(FINDINGS) {
        lines.push(format!(
            "! {} passes although the baseline expects a failure; remove the entry",
            title(row, &varying)
        ));
    }
    for row in report
        .rows
        .iter()
        .filter(|row| death_at_teardown(row).is_some())
        .take(FINDINGS)
    {
        lines.push(format!("! {} {}", title(row, &varying), what_happened(row)));
    }
    for entry in report.stale_expectations.iter().take(FINDINGS) {
        lines.push(format!(
            "! the baseline entry {} matches no cell; remove or correct it",
            entry.cell
        ));
    }
    if !report.run.complete {
        let run = shell_word(folder);
        lines.push(format!(
            "! the run is not complete; go on with: litmus sweep --resume {run}"
        ));
    }
    let dressed = |line: &String| style.dress(Tone::Notable, &elide(&one_line(line), columns)) + "\n";
    spaced(lines.iter().map(dressed).collect())
}

/// With an empty line after it, if there is anything.
fn spaced(mut text: String) -> String {
    if !text.is_empty() {
        text.push('\n');
    }
    text
}
