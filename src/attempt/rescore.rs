//! What would a run say under other thresholds? Its kept tensors are scored again; nothing is run.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
};

use super::{
    AttemptRecord, AttemptStatus, JournalError, Plan, RunError, RunFile, RunFolder, ScoringError, journal,
    outcome::with_scores, scoring::score_outputs,
};
use crate::{
    store::HashCache,
    sweep::{Cell, CellKey, Thresholds},
};

/// A run's attempts with new verdicts. The journal is as it was.
#[derive(Debug)]
pub struct Rescored {
    pub folder: RunFolder,
    pub file: RunFile,
    /// All attempts; those without tensors as the journal has them.
    pub attempts: Vec<AttemptRecord>,
    /// Process repeats that have new scores.
    pub rescored: usize,
    /// Cells that ran and were scored but whose tensors were not kept, so that their verdicts are the old ones.
    pub without_tensors: BTreeSet<CellKey>,
}

/// Why a run cannot be scored again.
#[derive(Debug, thiserror::Error)]
pub enum RescoreError {
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("attempt {attempt} of {key} cannot be scored")]
    Score {
        attempt: u32,
        key: CellKey,
        #[source]
        source: ScoringError,
    },
    #[error("cannot read {path}")]
    Read { path: PathBuf, source: io::Error },
    #[error("{path} is not what it was when the run was made; put the file back, or make a new run")]
    Changed { path: PathBuf },
}

/// Scores a run again under `thresholds`, or under those of its sweep when none are given.
pub fn rescore(path: &Path, thresholds: Option<Thresholds>, hashes: &HashCache) -> Result<Rescored, RescoreError> {
    let (folder, file) = RunFolder::open(path).map_err(RunError::from)?;
    let plan = Plan::of_run(&folder, &file)?;
    let cells: BTreeMap<CellKey, Cell> = (plan.cells.into_iter())
        .map(|mut cell| {
            for expected in &mut cell.expected {
                expected.thresholds = thresholds.unwrap_or(expected.thresholds);
            }
            (cell.planned.key.clone(), cell)
        })
        .collect();
    let mut attempts = journal::read(&folder.journal())?.attempts;
    let (mut rescored, mut without_tensors) = (0, BTreeSet::new());
    for record in &mut attempts {
        let Some(cell) = cells.get(&record.key).filter(|cell| is_scored(record, cell)) else {
            continue;
        };
        match score_again(&folder, cell, record, hashes)? {
            true => rescored += 1,
            false => {
                without_tensors.insert(record.key.clone());
            }
        }
    }
    Ok(Rescored {
        folder,
        file,
        attempts,
        rescored,
        without_tensors,
    })
}

/// The attempt ran to its end, and the cell has references.
fn is_scored(record: &AttemptRecord, cell: &Cell) -> bool {
    !cell.expected.is_empty() && (record.outcome.status == AttemptStatus::Pass || !record.accuracy.is_empty())
}

/// False where a tensor is missing; the record is then as it was.
fn score_again(
    folder: &RunFolder,
    cell: &Cell,
    record: &mut AttemptRecord,
    hashes: &HashCache,
) -> Result<bool, RescoreError> {
    let mut outputs = record.measured.outputs.clone();
    for output in &mut outputs {
        output.file = output
            .file
            .take()
            .map(|file| folder.path().join(file))
            .filter(|file| file.is_file());
    }
    for expected in &cell.expected {
        let output = expected.output(&outputs);
        let Some((output, file)) = output.and_then(|output| Some((output, output.file.as_ref()?))) else {
            return Ok(false);
        };
        check(file, &output.sha256, hashes)?;
        check(&expected.file, &expected.sha256, hashes)?;
    }
    let accuracy = score_outputs(cell, &outputs).map_err(|source| RescoreError::Score {
        attempt: record.attempt,
        key: record.key.clone(),
        source,
    })?;
    let mut outcome = record.outcome.clone();
    // What the old scores said; how the process ended stays.
    (outcome.status, outcome.stage, outcome.message) = (AttemptStatus::Unscored, None, None);
    record.outcome = with_scores(outcome, &accuracy);
    record.accuracy = accuracy;
    Ok(true)
}

fn check(path: &Path, sha256: &str, hashes: &HashCache) -> Result<(), RescoreError> {
    let found = hashes.sha256(path).map_err(|source| RescoreError::Read {
        path: path.to_owned(),
        source,
    })?;
    match found == sha256 {
        true => Ok(()),
        false => Err(RescoreError::Changed { path: path.to_owned() }),
    }
}
