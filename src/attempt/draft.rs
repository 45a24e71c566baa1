//! How does a run folder begin, so that none is left that is no run?

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use super::{RunFile, RunFolder, RunFolderError, timestamp};

/// Runs of one sweep that may start within one second.
const NAMES_PER_SECOND: u32 = 1000;

/// A folder that becomes a run when its run.json is written, and goes away otherwise.
#[derive(Debug)]
pub struct DraftRun {
    folder: RunFolder,
    is_run: bool,
}

impl DraftRun {
    /// Makes a new folder `<sweep>-<UTC time>` under `reports`.
    pub fn create(reports: &Path, sweep: &str, started: SystemTime) -> Result<Self, RunFolderError> {
        fs::create_dir_all(reports).map_err(failed("make", reports))?;
        let path = make_unique(reports, sweep, started)?;
        // Agents are told where to write, and they run in a folder of their own.
        let absolute = fs::canonicalize(&path).map_err(failed("find", &path))?;
        let draft = DraftRun {
            folder: RunFolder::at(absolute),
            is_run: false,
        };
        let attempts = draft.folder.path().join("attempts");
        fs::create_dir(&attempts).map_err(failed("make", &attempts))?;
        Ok(draft)
    }

    /// The folder, for files that a run keeps of its sweep.
    pub fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// Name of the folder, and so of the run.
    pub fn id(&self) -> String {
        let name = self.folder.path().file_name();
        name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Writes run.json: from here on the folder is a run.
    pub fn publish(mut self, run: &RunFile) -> Result<RunFolder, RunFolderError> {
        let text = serde_json::to_vec_pretty(run).map_err(|source| RunFolderError::Parse {
            path: self.folder.path().join("run.json"),
            source,
        })?;
        self.folder.write("run.json", &text)?;
        self.is_run = true;
        Ok(self.folder.clone())
    }
}

impl Drop for DraftRun {
    fn drop(&mut self) {
        if !self.is_run {
            // The error that led here is being told; a folder that cannot be removed adds nothing to it.
            let _ = fs::remove_dir_all(self.folder.path());
        }
    }
}

fn make_unique(reports: &Path, sweep: &str, started: SystemTime) -> Result<PathBuf, RunFolderError> {
    let time: String = timestamp(started).chars().filter(char::is_ascii_alphanumeric).collect();
    let mut number = 1;
    loop {
        let suffix = match number {
            1 => String::new(),
            _ => format!("-{number}"),
        };
        let path = reports.join(format!("{sweep}-{time}{suffix}"));
        match fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < NAMES_PER_SECOND => number += 1,
            Err(source) => return Err(failed("make", &path)(source)),
        }
    }
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> RunFolderError {
    let path = path.to_owned();
    move |source| RunFolderError::Io { action, path, source }
}
