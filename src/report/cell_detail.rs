//! What is known about one cell?

use std::fmt::Write as _;

use super::{
    Expectation, LatencyMs, Report, Row, Status,
    accuracy::{psnr, verdict},
    numbers::{UNKNOWN, mb, ms, or_unknown, ssim, three_digits},
    sparkline::sparkline,
    text::{counted, elide, many_lines, one_line, width},
    variant::options,
    words::{exit_words, what_happened},
};
use crate::attempt::AttemptRecord;

const SPARKLINE_COLUMNS: usize = 60;
const LABEL_COLUMNS: usize = 12;

/// What an attempt's process wrote to its standard error, as far as it was kept.
#[derive(Clone, Copy, Debug)]
pub struct CapturedStderr<'a> {
    /// Number of the attempt.
    pub attempt: u32,
    /// Where the text is kept, as the user would type it.
    pub path: &'a str,
    pub text: &'a str,
}

/// Everything known about the cell of `row`: the text of `litmus show RUN CELL`. Of `attempts` and `stderr` only what
/// belongs to the cell is told.
pub fn cell_detail(report: &Report, row: &Row, attempts: &[AttemptRecord], stderr: &[CapturedStderr<'_>]) -> String {
    let mut page = Page::default();
    page.line(row.key.as_str());
    page.line("");
    outcome(&mut page, row);
    page.line("");
    identity(&mut page, report, row);
    page.line("");
    figures(&mut page, row);
    scores(&mut page, row);
    let mut own: Vec<&AttemptRecord> = attempts.iter().filter(|a| a.key == row.key).collect();
    own.sort_by_key(|a| a.attempt);
    for attempt in own {
        page.line("");
        attempt_part(&mut page, attempt, stderr.iter().find(|s| s.attempt == attempt.attempt));
    }
    page.text
}

/// Lines of text. Whatever is put on one stays on it.
#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn line(&mut self, text: &str) {
        self.text.push_str(one_line(text).trim_end());
        self.text.push('\n');
    }

    fn fact(&mut self, label: &str, value: impl AsRef<str>) {
        self.line(&format!("{label:LABEL_COLUMNS$}  {}", value.as_ref()));
    }
}

fn known<T: ToString>(value: Option<T>) -> String {
    or_unknown(value.map(|v| v.to_string()))
}

fn outcome(page: &mut Page, row: &Row) {
    page.fact("status", row.status.to_string());
    page.fact("", what_happened(row));
    let expectation = match row.expectation {
        Expectation::Fine => "needs no entry in the baseline",
        Expectation::ExpectedFailure => "expected by the baseline",
        Expectation::UnexpectedPass => "the baseline expects a failure",
        Expectation::Finding => "not expected by the baseline",
    };
    let reason = row
        .expectation_reason
        .as_ref()
        .map(|r| format!(": {r}"))
        .unwrap_or_default();
    page.fact("expectation", format!("{expectation}{reason}"));
}

fn identity(page: &mut Page, report: &Report, row: &Row) {
    page.fact(
        "graph",
        format!(
            "{}, case {}, signature {}",
            row.graph,
            row.case,
            known(row.signature.as_ref())
        ),
    );
    let bytes = row.bytes.map(|n| format!("{n} bytes"));
    page.fact(
        "file",
        format!(
            "{}, {}, SHA-256 {}",
            row.file.display(),
            or_unknown(bytes),
            known(row.sha256.as_ref())
        ),
    );
    let target = report.targets.iter().find(|target| target.id == row.target);
    let device = target.map(|t| {
        format!(
            " ({}, SoC {}, OS {})",
            known(t.device.as_ref()),
            known(t.soc.as_ref()),
            known(t.os.as_ref())
        )
    });
    page.fact("target", format!("{}{}", row.target, device.unwrap_or_default()));
    page.fact(
        "ran on",
        format!(
            "{} {}, {}, provider {}",
            row.accelerator,
            row.precision,
            row.compile,
            known(row.provider.as_ref())
        ),
    );
    page.fact(
        "runtime",
        format!(
            "{}, threads {}",
            row.runtime,
            row.threads.map_or("default".to_owned(), |n| n.to_string())
        ),
    );
    let options = options(&row.options);
    page.fact(
        "options",
        if options.is_empty() {
            "none".to_owned()
        } else {
            options.join(", ")
        },
    );
    if let Some(placement) = &row.placement {
        let ops = match (placement.ops_accelerated, placement.ops_total) {
            (None, None) => UNKNOWN.to_owned(),
            (accelerated, total) => format!("{} of {}", known(accelerated), known(total)),
        };
        page.fact(
            "placement",
            format!(
                "fully accelerated {}, ops accelerated {ops}, buffers {}",
                known(placement.fully_accelerated),
                known(placement.buffer.as_ref())
            ),
        );
    }
}

fn figures(page: &mut Page, row: &Row) {
    match &row.latency_ms {
        Some(latency) => latency_lines(page, latency),
        None => page.fact("latency", UNKNOWN),
    }
    for process in &row.processes {
        page.fact(
            "",
            format!(
                "attempt {}: median {} ms  {}",
                process.attempt,
                three_digits(process.median_ms),
                sparkline(&process.samples_ms, SPARKLINE_COLUMNS)
            ),
        );
    }
    let load = row.load_ms;
    page.fact(
        "load ms",
        format!(
            "first compile {}, cached {}, aot {}",
            ms(load.first_compile),
            ms(load.cached),
            ms(load.aot)
        ),
    );
    let memory = row.memory_kb;
    page.fact(
        "memory MB",
        format!(
            "baseline {}, loaded {}, compiled {}, peak {} (anonymous {}, file {})",
            mb(memory.baseline),
            mb(memory.loaded),
            mb(memory.compiled),
            mb(memory.peak),
            mb(memory.peak_anon),
            mb(memory.peak_file)
        ),
    );
    let thermal = &row.thermal;
    let two_digits = |value: Option<f32>| or_unknown(value.map(|v| format!("{v:.2}")));
    let degrees = |value: Option<f32>| or_unknown(value.map(|v| format!("{v:.1}")));
    page.fact(
        "thermal",
        format!(
            "status {} to {}, headroom {} to {}, {} to {} °C, read from {}",
            known(thermal.status_start.as_ref()),
            known(thermal.status_end.as_ref()),
            two_digits(thermal.headroom_start),
            two_digits(thermal.headroom_end),
            degrees(thermal.temperature_c_start),
            degrees(thermal.temperature_c_end),
            known(thermal.source.as_ref())
        ),
    );
    let host = &row.host;
    let quiet = host.quiet.map(|quiet| if quiet { "quiet" } else { "not quiet" });
    let load = host.load.map(|load| format!("{load:.2}"));
    page.fact(
        "host",
        format!(
            "{}, load {}, governor {}",
            known(quiet),
            or_unknown(load),
            known(host.governor.as_ref())
        ),
    );
}

fn latency_lines(page: &mut Page, latency: &LatencyMs) {
    page.fact(
        "latency ms",
        format!(
            "median {}, min {}, max {}, mean {}, p90 {}, MAD {}, n {}",
            three_digits(latency.median),
            three_digits(latency.min),
            three_digits(latency.max),
            three_digits(latency.mean),
            three_digits(latency.p90),
            three_digits(latency.mad),
            latency.n
        ),
    );
    let interval = latency
        .ci95
        .map(|[low, high]| format!("{} to {}", three_digits(low), three_digits(high)));
    let drift = latency.drift.map(|drift| format!("{drift:.3}"));
    page.fact(
        "",
        format!(
            "95 % interval of the median {}, drift {}, {}",
            or_unknown(interval),
            or_unknown(drift),
            counted(latency.outliers as usize, "outlier")
        ),
    );
}

fn scores(page: &mut Page, row: &Row) {
    if row.accuracy.is_empty() {
        page.fact("accuracy", UNKNOWN);
        return;
    }
    page.line("");
    let figure = |value: Option<f64>| or_unknown(value.map(|v| format!("{v:.3e}")));
    let mut table: Vec<Vec<String>> = vec![
        [
            "output",
            "verdict",
            "PSNR dB",
            "SNR dB",
            "SSIM",
            "corr",
            "max abs",
            "mean abs",
            "nonfinite",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    for score in &row.accuracy {
        table.push(vec![
            elide(&one_line(&score.output), 24),
            verdict(score.verdict).to_owned(),
            psnr(score),
            or_unknown(score.snr_db.map(|v| format!("{v:.1}"))),
            or_unknown(score.ssim.map(ssim)),
            or_unknown(score.corr.map(|v| format!("{v:.6}"))),
            figure(score.max_abs),
            figure(score.mean_abs),
            format!("{} of {}", score.nonfinite, score.count),
        ]);
    }
    aligned(page, &table);
    for score in &row.accuracy {
        let reason = score.reason.as_ref().map(|r| format!(": {r}")).unwrap_or_default();
        let first = score
            .first_nonfinite
            .map(|i| format!(", first non-finite element {i}"))
            .unwrap_or_default();
        page.line(&format!(
            "  {} against {}{first}{reason}",
            score.output, score.reference
        ));
    }
}

fn aligned(page: &mut Page, table: &[Vec<String>]) {
    let columns = table.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns)
        .map(|c| table.iter().map(|line| width(&line[c])).max().unwrap_or(0))
        .collect();
    for line in table {
        let fields: Vec<String> = line
            .iter()
            .zip(&widths)
            .map(|(field, columns)| format!("{field}{}", " ".repeat(columns - width(field))))
            .collect();
        page.line(&format!("  {}", fields.join("  ")));
    }
}

fn attempt_part(page: &mut Page, attempt: &AttemptRecord, stderr: Option<&CapturedStderr<'_>>) {
    let outcome = &attempt.outcome;
    let stage = outcome.stage.map(|stage| format!(" at {stage}")).unwrap_or_default();
    page.line(&format!(
        "attempt {} (repeat {}, try {}): {}{stage}",
        attempt.attempt,
        attempt.repeat,
        attempt.try_number,
        Status::from(outcome.status)
    ));
    page.line(&format!("  started {}, {}", attempt.started, ending(attempt)));
    if let Some(code) = outcome.code {
        page.line(&format!("  runtime status {code}"));
    }
    if let Some(message) = &outcome.message {
        page.line(&format!("  {message}"));
    }
    let measured = &attempt.measured;
    page.line(&format!(
        "  load {} ms, compile {} ms, first run {} ms, {}",
        ms(measured.load_ms),
        ms(measured.compile_ms),
        ms(measured.first_run_ms),
        counted(measured.samples_ns.len(), "sample")
    ));
    for output in &measured.outputs {
        let kept = output
            .file
            .as_ref()
            .map(|file| format!(", kept as {}", file.display()))
            .unwrap_or_default();
        page.line(&format!(
            "  output {} {}, SHA-256 {}{kept}",
            output.name, output.spec, output.sha256
        ));
    }
    let Some(stderr) = stderr else { return };
    page.line(&format!("  stderr ({}):", stderr.path));
    for line in many_lines(stderr.text).lines() {
        // A String takes any text.
        let _ = writeln!(page.text, "  │ {}", line.trim_end());
    }
}

fn ending(attempt: &AttemptRecord) -> String {
    let Some(exit) = attempt.outcome.exit else {
        return "no process was started".to_owned();
    };
    let wall = or_unknown(attempt.wall_ms.map(|ms| format!("{} ms", three_digits(ms))));
    let how = exit_words(exit).unwrap_or_else(|| format!("exit code {}", known(exit.code)));
    format!("ended after {wall} by {how}")
}
