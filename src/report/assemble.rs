//! How does a whole run become a report?

use super::{REPORT_SCHEMA, Report, RunInfo, TargetInfo, fold};
use crate::{
    attempt::AttemptRecord,
    sweep::{Baseline, PlannedCell},
};

/// Folds a run. Entries of the baseline that match nothing are told only of a complete run: before, their cells may
/// just not have been reached.
pub fn assemble(
    run: RunInfo,
    targets: Vec<TargetInfo>,
    cells: &[PlannedCell],
    attempts: &[AttemptRecord],
    baseline: &Baseline,
) -> Report {
    let rows = fold(cells, attempts, baseline);
    let stale_expectations = match run.complete {
        true => baseline.stale(&rows),
        false => Vec::new(),
    };
    Report {
        schema: REPORT_SCHEMA.to_owned(),
        run,
        targets,
        rows,
        stale_expectations,
    }
}
