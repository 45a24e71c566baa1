//! What happened to a cell, in words that every renderer shares?

use super::{Expectation, Report, Row, Status, accuracy::complaint, text::counted, variant::Property};
use crate::attempt::{Exit, signal_name};

/// The cell as people call it, with what tells it apart in its report: `kv_vae t2i on gpu fp32, threads 2`.
pub(super) fn title(row: &Row, varying: &[Property]) -> String {
    let mut title = format!("{} {} on {} {}", row.graph, row.case, row.accelerator, row.precision);
    for property in varying {
        title.push_str(&format!(", {} {}", property.name, (property.of)(row)));
    }
    title
}

/// `failed at compile (status 504): ...`
pub(super) fn what_happened(row: &Row) -> String {
    let verb = match row.status {
        Status::Pass => "passes",
        Status::Unscored => "ran, without a reference to score it against",
        Status::Inaccurate => "is inaccurate",
        Status::Nonfinite => "gives non-finite values",
        Status::Failed => "failed",
        Status::Crashed => "crashed",
        Status::Timeout => "timed out",
        Status::NoResult => "ended without a result",
        Status::Flaky => "is flaky",
        Status::Unavailable => "is unavailable",
        Status::Skipped => "was not attempted",
    };
    let stage = row.stage.map(|stage| format!(" at {stage}")).unwrap_or_default();
    let evidence: Vec<String> = row
        .code
        .map(|code| format!("status {code}"))
        .into_iter()
        .chain(row.exit.and_then(exit_words))
        .collect();
    let evidence = match evidence.is_empty() {
        true => String::new(),
        false => format!(" ({})", evidence.join(", ")),
    };
    let why = row.message.clone().or_else(|| complaint(row));
    let why = why.map(|why| format!(": {why}")).unwrap_or_default();
    format!("{verb}{stage}{evidence}{why}")
}

/// How a process ended, unless it ended well.
pub(super) fn exit_words(exit: Exit) -> Option<String> {
    match (exit.code, exit.signal) {
        (_, Some(signal)) => Some(match signal_name(signal) {
            Some(name) => format!("signal {signal}, {name}"),
            None => format!("signal {signal}"),
        }),
        (Some(0) | None, None) => None,
        (Some(code), None) => Some(format!("exit code {code}")),
    }
}

/// The status with what the baseline makes of it, and with a death that came after good results:
/// `failed (expected)`, `pass (signal 11 at teardown)`.
pub(super) fn judged_status(row: &Row) -> String {
    let judgement = match row.expectation {
        Expectation::Fine | Expectation::Finding => None,
        Expectation::ExpectedFailure => Some("expected".to_owned()),
        Expectation::UnexpectedPass => Some("unexpected".to_owned()),
    };
    let death = death_at_teardown(row).map(|signal| format!("signal {signal} at teardown"));
    let remarks: Vec<String> = judgement.into_iter().chain(death).collect();
    match remarks.is_empty() {
        true => row.status.to_string(),
        false => format!("{} ({})", row.status, remarks.join(", ")),
    }
}

/// The signal that ended a process whose results were complete and good.
pub(super) fn death_at_teardown(row: &Row) -> Option<i32> {
    row.exit?.signal.filter(|_| row.status.ran_well())
}

/// `25 cells: 24 pass, 1 failed (expected)`
pub(super) fn counts(report: &Report) -> String {
    let by_status = report.count_by_status();
    let parts: Vec<String> = Status::ALL
        .into_iter()
        .filter_map(|status| Some((status, *by_status.get(&status)?)))
        .map(|(status, n)| format!("{n} {status}{}", judged_share(report, status, n)))
        .collect();
    let cells = counted(report.rows.len(), "cell");
    match parts.is_empty() {
        true => cells,
        false => format!("{cells}: {}", parts.join(", ")),
    }
}

/// How many of the `n` rows of a status the baseline has something to say about.
fn judged_share(report: &Report, status: Status, n: usize) -> String {
    let count = |expectation| {
        let rows = report.rows.iter();
        rows.filter(|row| row.status == status && row.expectation == expectation)
            .count()
    };
    match (count(Expectation::ExpectedFailure), count(Expectation::UnexpectedPass)) {
        (0, 0) => String::new(),
        (0, unexpected) if unexpected == n => " (unexpected)".to_owned(),
        (0, unexpected) => format!(" ({unexpected} unexpected)"),
        (expected, _) if expected == n => " (expected)".to_owned(),
        (expected, _) => format!(" ({expected} expected)"),
    }
}

/// Rows with this expectation, in order.
pub(super) fn rows_that_are(report: &Report, expectation: Expectation) -> impl Iterator<Item = &Row> {
    report.rows.iter().filter(move |row| row.expectation == expectation)
}
