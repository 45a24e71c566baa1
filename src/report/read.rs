//! What does a run folder hold, folded into a report, and where are the reports written?

use std::{
    path::Path,
    time::{Duration, SystemTime},
};

use super::{RenderError, Report, RunInfo, RunProtocol, assemble, csv, json, markdown};
use crate::{
    attempt::{AttemptRecord, JournalError, RunFile, RunFolder, RunFolderError, is_settled, read_journal, timestamp},
    sweep::{Baseline, BaselineError},
};

/// Why a run gives no report.
#[derive(Debug, thiserror::Error)]
pub enum ReadRunError {
    #[error(transparent)]
    RunFolder(#[from] RunFolderError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    #[error(transparent)]
    Render(#[from] RenderError),
}

/// Folds the run in a folder, finished or not.
pub fn read_run(path: &Path) -> Result<Report, ReadRunError> {
    let (folder, file) = RunFolder::open(path)?;
    let attempts = read_journal(&folder.journal())?.attempts;
    let baseline = match &file.baseline_text {
        Some(text) => Baseline::parse(text, &path.join("run.json"))?,
        None => Baseline::default(),
    };
    let complete = is_settled(&file.cells, &attempts, &file.protocol);
    Ok(assemble(
        run_info(&file, &attempts, complete),
        vec![file.target],
        &file.cells,
        &attempts,
        &baseline,
    ))
}

fn run_info(file: &RunFile, attempts: &[AttemptRecord], complete: bool) -> RunInfo {
    RunInfo {
        id: file.id.clone(),
        sweep: file.sweep.clone(),
        sweep_sha256: file.sweep_sha256.clone(),
        started: file.started.clone(),
        finished: if complete {
            attempts.iter().filter_map(end).max().map(timestamp)
        } else {
            None
        },
        complete,
        filter: file.filter.clone(),
        shard: file.shard.map(|shard| shard.to_string()),
        harness: file.harness.clone(),
        protocol: RunProtocol {
            warmups: file.protocol.warmups,
            runs: file.protocol.runs,
            processes: file.protocol.processes,
        },
    }
}

fn end(record: &AttemptRecord) -> Option<SystemTime> {
    let lasted = Duration::try_from_secs_f64(record.wall_ms.unwrap_or(0.0) / 1e3).ok()?;
    humantime::parse_rfc3339(&record.started).ok()?.checked_add(lasted)
}

/// Writes report.json, report.csv and report.md into a run folder, each whole or not at all.
pub fn write_files(folder: &RunFolder, report: &Report) -> Result<(), ReadRunError> {
    folder.write("report.json", json(report)?.as_bytes())?;
    folder.write("report.csv", csv(report)?.as_bytes())?;
    folder.write("report.md", markdown(report).as_bytes())?;
    Ok(())
}
