//! What of an attempt stays in its folder?
//!
//! Tensors stay while the run's limit is not reached; what is dropped for it is said in the record. Of a failing picture
//! there is also a PNG that shows reference, output and difference side by side.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use super::{AttemptRecord, AttemptStatus};
use crate::{
    chain::chain,
    os::map_file,
    score::{Verdict, triptych},
    sweep::{Cell, Expected, KeepOutputs, OutputKind},
};

/// Bytes that may still be kept in a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    limit: u64,
    left: u64,
}

impl Allowance {
    /// Of a run whose attempts stand in `attempts`; what is there already counts.
    pub fn new(attempts: &Path, limit: u64) -> Allowance {
        let left = limit.saturating_sub(bytes_below(attempts));
        Allowance { limit, left }
    }

    fn take(&mut self, bytes: u64) -> bool {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }
}

/// Drops what need not stay in `run/attempts/<n>`, and draws failing pictures.
pub(super) fn keep(
    cell: &Cell,
    record: &mut AttemptRecord,
    run: &Path,
    wanted: KeepOutputs,
    allowance: &mut Allowance,
) -> io::Result<()> {
    let passed = matches!(record.outcome.status, AttemptStatus::Pass | AttemptStatus::Unscored);
    if !passed {
        draw_failing(cell, record, allowance);
    }
    for output in &mut record.measured.outputs {
        let Some(file) = output.file.take() else { continue };
        let bytes = fs::metadata(&file).map_or(0, |metadata| metadata.len());
        let is_wanted = wanted == KeepOutputs::All || !passed;
        if is_wanted && allowance.take(bytes) {
            output.file = file.strip_prefix(run).ok().map(Path::to_owned);
            continue;
        }
        if is_wanted {
            record.not_kept.push(format!(
                "output \"{}\" was not kept: with its {bytes} bytes the run would pass its limit of {} MB (keep_limit_mb)",
                output.name,
                allowance.limit >> 20
            ));
        }
        fs::remove_file(&file)?;
    }
    Ok(())
}

fn draw_failing(cell: &Cell, record: &mut AttemptRecord, allowance: &mut Allowance) {
    for (expected, score) in cell.expected.iter().zip(&record.accuracy) {
        if score.verdict == Verdict::Pass || !matches!(expected.kind, OutputKind::Picture { .. }) {
            continue;
        }
        // The picture is a help beside the figures: an attempt does not fail for the lack of it.
        if let Err(why) = draw(expected, record, allowance) {
            record
                .not_kept
                .push(format!("no picture of the difference of \"{}\": {why}", expected.label));
        }
    }
}

fn draw(expected: &Expected, record: &AttemptRecord, allowance: &mut Allowance) -> Result<(), String> {
    let output = expected.output(&record.measured.outputs).ok_or("it has no tensor")?;
    let file: &PathBuf = output.file.as_ref().ok_or("it has no tensor")?;
    let map = |path: &Path| {
        File::open(path)
            .and_then(|file| map_file(&file))
            .map_err(|error| chain(&error))
    };
    let (reference, actual) = (map(&expected.file)?, map(file)?);
    let png = triptych(&expected.comparison(&reference, output.spec.dtype, &actual)).map_err(|error| chain(&error))?;
    if !allowance.take(png.len() as u64) {
        return Err("the run's limit (keep_limit_mb) is reached".to_owned());
    }
    // Positions, not names, make the file name: tensor names may hold slashes.
    let picture = file.with_file_name(format!("difference{}.png", output.index));
    fs::write(picture, png).map_err(|error| chain(&error))
}

/// Bytes of all files below a folder; what cannot be read counts as nothing.
fn bytes_below(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries
        .flatten()
        .map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => bytes_below(&entry.path()),
            Ok(_) => entry.metadata().map_or(0, |metadata| metadata.len()),
            Err(_) => 0,
        })
        .sum()
}
