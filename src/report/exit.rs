//! With which exit code does a finished run end?

use super::{Expectation, Report, Status};
use crate::agent::Accelerator;

const AS_EXPECTED: u8 = 0;
const FINDINGS: u8 = 1;
const NOT_READY: u8 = 3;

/// 3 when an accelerator of `require` was unavailable to a cell, else 1 when there is a finding, else 0.
///
/// An environment that lacks what the sweep is made for comes first: what was found without it is in the report, but
/// the run has to be made again. An expected failure that passes is said in the report and is no finding.
pub fn exit_code(report: &Report, require: &[Accelerator]) -> u8 {
    let any = |wanted: &dyn Fn(&super::Row) -> bool| report.rows.iter().any(wanted);
    if any(&|row| row.status == Status::Unavailable && require.contains(&row.accelerator)) {
        NOT_READY
    } else if any(&|row| row.expectation == Expectation::Finding) {
        FINDINGS
    } else {
        AS_EXPECTED
    }
}
