//! Why is there no runtime?

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    catalogue::runtime_ids,
    elf::{ElfError, Machine},
    runtime::LIBRARY,
};
use crate::store::NoCacheDir;

/// Why a runtime could not be found or installed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    #[error("unknown runtime {id:?}; accepted: {}", runtime_ids().join(", "))]
    UnknownRuntime { id: String },

    #[error("{id} is not published for {machine}; build LiteRT for it and name its folder with --runtime DIR")]
    NotPublished { id: String, machine: Machine },

    #[error("runtime {id} is not installed; run: litmus runtime install {id}")]
    NotInstalled { id: String },

    #[error("runtime {id} in {} is damaged: {what}; run: litmus runtime install {id}", dir.display())]
    Damaged { id: String, dir: PathBuf, what: String },

    #[error("no {LIBRARY} in {}; name the folder that holds it", dir.display())]
    NoLibrary { dir: PathBuf },

    #[error("{} {reason}", path.display())]
    WrongLibrary { path: PathBuf, reason: ElfError },

    #[error(transparent)]
    NoCache(#[from] NoCacheDir),

    #[error(
        "pip is needed to download a runtime, and neither python3 -m pip nor pip3 nor pip works; install it \
         (Debian: apt install python3-pip) or name a folder that holds {LIBRARY} with --runtime DIR"
    )]
    NoPip,

    #[error("pip could not download {id}: {output}")]
    Pip { id: String, output: String },

    #[error("the download of {id} made no progress for {} s and was stopped; check the network and try again", after.as_secs())]
    Stalled { id: String, after: Duration },

    #[error("pip downloaded {found:?} instead of {wanted}; check the package index that pip is set up with")]
    WrongFile { wanted: String, found: Vec<String> },

    #[error(
        "{wheel} is not the published file: {what}; nothing was installed, check the package index that pip is set up with"
    )]
    WrongContent { wheel: String, what: String },

    #[error("{wheel} cannot be unpacked: {what}; nothing was installed")]
    BadArchive { wheel: String, what: String },

    #[error("cannot {action} {}", path.display())]
    Io {
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
}

impl InstallError {
    /// The process exit code it stands for: 2 for wrong usage, 3 for an environment that is not ready.
    pub fn exit_code(&self) -> u8 {
        match self {
            InstallError::UnknownRuntime { .. } => 2,
            _ => 3,
        }
    }

    /// For `map_err`: what was being done, to what.
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> InstallError {
        let path = path.to_owned();
        move |source| InstallError::Io { action, path, source }
    }
}
