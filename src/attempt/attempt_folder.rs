//! What does an attempt leave on disk?
//!
//! An agent writes into a folder of its own, and what it says about that folder is checked before a file is read or removed.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use super::{ExecuteError, OutputFile};

/// What the process said on standard error.
const STDERR: &str = "stderr.txt";

/// Makes the folder. An attempt that was cut short by a crash of ours leaves one behind; its number is used again, its files
/// are not.
pub(super) fn make(folder: &Path) -> Result<(), ExecuteError> {
    remove(folder)?;
    fs::create_dir_all(folder).map_err(|source| ExecuteError::Folder {
        action: "make",
        path: folder.to_owned(),
        source,
    })
}

/// Removes the folder, or whatever stands in its place.
pub(super) fn remove(folder: &Path) -> Result<(), ExecuteError> {
    let removed = match fs::symlink_metadata(folder) {
        Ok(there) if there.is_dir() => fs::remove_dir_all(folder),
        Ok(_) => fs::remove_file(folder),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(ExecuteError::Folder {
            action: "remove",
            path: folder.to_owned(),
            source: error,
        }),
        _ => Ok(()),
    }
}

/// Says what is wrong with the outputs an agent reports: each must be a plain file of its own, directly in its folder.
pub(super) fn check_outputs(folder: &Path, outputs: &[OutputFile]) -> Result<(), String> {
    let (mut indices, mut files) = (BTreeSet::new(), BTreeSet::new());
    for output in outputs {
        let file = output.file.clone().unwrap_or_default();
        let wrong = |what: &str| {
            Err(format!(
                "the agent reports output \"{}\" as {}, {what}",
                output.name,
                file.display()
            ))
        };
        if file.parent() != Some(folder) || file.file_name().is_some_and(|name| name == STDERR) {
            return wrong("which is not in its folder");
        }
        match fs::symlink_metadata(&file) {
            Ok(there) if there.is_file() => {}
            Ok(_) => return wrong("which is no plain file"),
            Err(error) => return wrong(&format!("which cannot be read: {error}")),
        }
        if !indices.insert(output.index) || !files.insert(file.clone()) {
            return wrong("which it has reported before");
        }
    }
    Ok(())
}

/// Keeps standard error and, if they are `wanted`, the outputs; everything else in the folder is removed. Outputs that stay
/// get paths relative to the `run`, the others none. What could not be done is returned in words: it is no reason to stop.
pub(super) fn tidy(
    run: &Path,
    folder: &Path,
    stderr: &[u8],
    outputs: &mut [OutputFile],
    wanted: bool,
) -> Option<String> {
    let mut failures = Vec::new();
    let mut kept: BTreeSet<OsString> = BTreeSet::new();
    if !stderr.is_empty() {
        match fs::write(folder.join(STDERR), stderr) {
            Ok(()) => drop(kept.insert(STDERR.into())),
            Err(error) => failures.push(format!("its standard error could not be kept: {error}")),
        }
    }
    for output in outputs {
        let Some(file) = output.file.take().filter(|_| wanted) else {
            continue;
        };
        if file.parent() == Some(folder) && file.is_file() {
            kept.extend(file.file_name().map(OsString::from));
            output.file = file.strip_prefix(run).ok().map(Path::to_owned);
        }
    }
    if let Err(error) = remove_others(folder, &kept) {
        failures.push(format!("its folder could not be tidied: {error}"));
    }
    (!failures.is_empty()).then(|| failures.join("; "))
}

fn remove_others(folder: &Path, kept: &BTreeSet<OsString>) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if kept.contains(&entry.file_name()) {
            continue;
        }
        match entry.file_type()?.is_dir() {
            true => fs::remove_dir_all(entry.path())?,
            false => fs::remove_file(entry.path())?,
        }
    }
    Ok(())
}

/// Where an attempt's standard error is kept.
pub fn stderr_file(folder: &Path) -> PathBuf {
    folder.join(STDERR)
}
