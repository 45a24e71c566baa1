//! How does a whole run become a report?

use super::{REPORT_SCHEMA, Report, RunInfo, TargetInfo, fold};
use crate::{
    attempt::AttemptRecord,
    sweep::{Baseline, PlannedCell},
};

/// Folds a run. Entries of the baseline that match nothing are told only of a complete run of a whole sweep: else their
/// cells may just not have been reached, or not have been meant.
pub fn assemble(
    run: RunInfo,
    targets: Vec<TargetInfo>,
    cells: &[PlannedCell],
    attempts: &[AttemptRecord],
    baseline: &Baseline,
) -> Report {
    let rows = fold(cells, attempts, baseline);
    let stale_expectations = match run.complete && run.is_whole_sweep() {
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
