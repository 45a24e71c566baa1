//! How much of what attempts leave may stay in a run, and what shows why a picture failed?

use std::{collections::BTreeSet, ffi::OsString, fs, path::Path};

use super::{AttemptRecord, scoring::open};
use crate::{
    chain::chain,
    score::{Verdict, triptych},
    sweep::{Cell, Expected, OutputKind},
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

    /// True where so many bytes are still allowed; they are then taken.
    pub fn take(&mut self, bytes: u64) -> bool {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }

    /// Why something was not kept, in words.
    pub fn refusal(&self, what: &str, bytes: u64) -> String {
        format!(
            "\"{what}\" was not kept: with its {bytes} bytes the run would pass its limit of {} MB (keep_limit_mb)",
            self.limit >> 20
        )
    }
}

/// Draws reference, output and difference of each picture that does not pass, into the folder of the attempt. What could
/// not be drawn is noted: an attempt does not fail for the lack of a picture. Returns the names of the files.
pub(super) fn draw_failing(
    cell: &Cell,
    folder: &Path,
    record: &mut AttemptRecord,
    allowance: &mut Allowance,
) -> BTreeSet<OsString> {
    let mut drawn = BTreeSet::new();
    for (expected, score) in cell.expected.iter().zip(&record.accuracy) {
        if score.verdict == Verdict::Pass || !matches!(expected.kind, OutputKind::Picture { .. }) {
            continue;
        }
        match draw(expected, folder, record, allowance) {
            Ok(name) => drop(drawn.insert(name)),
            Err(why) => record.outcome.add_note(&format!(
                "the difference of \"{}\" was not drawn: {why}",
                expected.label
            )),
        }
    }
    drawn
}

fn draw(
    expected: &Expected,
    folder: &Path,
    record: &AttemptRecord,
    allowance: &mut Allowance,
) -> Result<OsString, String> {
    let output = expected.output(&record.measured.outputs).ok_or("it has no tensor")?;
    let reference = open(Some(&expected.file)).map_err(|error| chain(&error))?;
    let actual = open(output.file.as_ref()).map_err(|error| chain(&error))?;
    let png = triptych(&expected.comparison(&reference, output.spec.dtype, &actual)).map_err(|error| chain(&error))?;
    // Positions, not names, make the file name: tensor names may hold slashes.
    let name = format!("difference{}.png", output.index);
    let bytes = png.len() as u64;
    if !allowance.take(bytes) {
        return Err(allowance.refusal(&name, bytes));
    }
    fs::write(folder.join(&name), png).map_err(|error| chain(&error))?;
    Ok(name.into())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_already_counts_and_nothing_passes_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("0001")).unwrap();
        fs::write(folder.path().join("0001/out0.bin"), [0; 700]).unwrap();
        let mut allowance = Allowance::new(folder.path(), 1000);
        assert!(!allowance.take(301));
        assert!(allowance.take(300));
        assert!(!allowance.take(1));
        assert!(!Allowance::new(folder.path(), 10).take(1));
    }
}
