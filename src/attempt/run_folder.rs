//! What is in the folder of a run, and who may write to it?
//!
//! ```text
//! reports/<run>/run.json          what was planned, with what; written once
//!               journal.jsonl     the attempts; appended
//!               attempts/0001/    stderr.txt and the tensors that were kept
//!               report.json ...   made from the two above, any number of times
//! ```

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use serde::{Deserialize, Serialize};

use crate::{
    agent::Accelerator,
    install::Runtime,
    report::TargetInfo,
    store::{read_whole, write_atomic},
    sweep::{PlannedCell, ProtocolSpec, Shard},
};

/// The schema name of run.json.
pub const RUN_SCHEMA: &str = "litmus.run/1";

/// What run.json holds: all that is needed to read a run, and to go on with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunFile {
    pub schema: String,
    pub id: String,
    pub sweep: String,
    /// The sweep file's text as it was.
    pub sweep_text: String,
    pub sweep_sha256: String,
    /// The folder the sweep's paths are relative to; absolute.
    pub sweep_folder: PathBuf,
    pub index_sha256: String,
    /// Text of the baseline file, when the sweep names one.
    pub baseline_text: Option<String>,
    /// RFC 3339, UTC.
    pub started: String,
    pub harness: String,
    pub runtimes: Vec<RuntimeUsed>,
    pub target: TargetInfo,
    pub protocol: ProtocolSpec,
    pub require: Vec<Accelerator>,
    pub filter: Option<String>,
    pub shard: Option<Shard>,
    pub cells: Vec<PlannedCell>,
}

/// A runtime of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuntimeUsed {
    pub id: String,
    pub folder: PathBuf,
    /// SHA-256 of its libLiteRt.so.
    pub sha256: String,
}

impl RuntimeUsed {
    /// The runtime, wherever it is now.
    pub fn runtime(&self) -> Runtime {
        Runtime {
            id: self.id.clone(),
            dir: self.folder.clone(),
            bytes: None,
        }
    }
}

/// Why a run folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RunFolderError {
    #[error("cannot {action} {path}; check that the folder exists, is writable and has space")]
    Io {
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("{path} is no run folder: it has no run.json; runs are the folders under reports/")]
    NotARun { path: PathBuf },
    #[error("{path} is not valid; the run cannot be read")]
    Parse { path: PathBuf, source: serde_json::Error },
    #[error("{path} has schema \"{schema}\"; this litmus reads {RUN_SCHEMA}")]
    Schema { path: PathBuf, schema: String },
    #[error("the run {path} is being written by another litmus; wait for it to end")]
    Busy { path: PathBuf },
}

/// A run folder.
#[derive(Clone, Debug)]
pub struct RunFolder {
    path: PathBuf,
}

/// Held while a process writes to a run; goes with the process, however it ends.
#[derive(Debug)]
pub struct RunLock {
    _file: File,
}

impl RunFolder {
    /// The folder at an absolute path, which exists.
    pub(super) fn at(path: PathBuf) -> Self {
        RunFolder { path }
    }

    /// An existing run. Its run.json is read and checked.
    pub fn open(path: &Path) -> Result<(Self, RunFile), RunFolderError> {
        let file = path.join("run.json");
        let text = match read_whole(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(RunFolderError::NotARun { path: path.to_owned() });
            }
            Err(source) => {
                return Err(RunFolderError::Io {
                    action: "read",
                    path: file,
                    source,
                });
            }
        };
        let run: RunFile = match serde_json::from_slice(&text) {
            Ok(run) => run,
            Err(source) => return Err(RunFolderError::Parse { path: file, source }),
        };
        if run.schema != RUN_SCHEMA {
            return Err(RunFolderError::Schema {
                path: file,
                schema: run.schema,
            });
        }
        let path = fs::canonicalize(path).map_err(|source| RunFolderError::Io {
            action: "find",
            path: path.to_owned(),
            source,
        })?;
        Ok((RunFolder { path }, run))
    }

    /// Keeps other processes from writing to this run.
    pub fn lock(&self) -> Result<RunLock, RunFolderError> {
        let path = self.path.join("lock");
        let io = |source| RunFolderError::Io {
            action: "lock",
            path: path.clone(),
            source,
        };
        let file = File::options().create(true).append(true).open(&path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => Ok(RunLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(RunFolderError::Busy {
                path: self.path.clone(),
            }),
            Err(TryLockError::Error(source)) => Err(io(source)),
        }
    }

    /// Writes a file of the run whole or not at all.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunFolderError> {
        let path = self.path.join(name);
        write_atomic(&path, bytes).map_err(|source| RunFolderError::Io {
            action: "write",
            path,
            source,
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn journal(&self) -> PathBuf {
        self.path.join("journal.jsonl")
    }

    /// Folder of an attempt, relative to the run.
    pub fn attempt_name(attempt: u32) -> PathBuf {
        PathBuf::from(format!("attempts/{attempt:04}"))
    }

    /// Folder of an attempt.
    pub fn attempt(&self, attempt: u32) -> PathBuf {
        self.path.join(Self::attempt_name(attempt))
    }
}

/// `2026-11-30T14:05:06Z`
pub fn timestamp(time: SystemTime) -> String {
    humantime::format_rfc3339_seconds(time).to_string()
}
