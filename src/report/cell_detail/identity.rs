//! Which cell is it, and what became of it?

use super::page::{Page, known};
use crate::report::{
    Expectation, Report, Row, Status,
    numbers::{UNKNOWN, or_unknown},
    variant::options,
    words::what_happened,
};

pub(super) fn outcome(page: &mut Page, row: &Row) {
    page.fact("status", row.status.to_string());
    if row.status != Status::Pass || row.message.is_some() {
        page.fact("", what_happened(row));
    }
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

pub(super) fn identity(page: &mut Page, report: &Report, row: &Row) {
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
