//! Which runtime does a user mean by a word?

use std::path::Path;

use super::{InstallError, Runtime, Step, check_id, ensure, find, from_dir};

/// A runtime that is wanted, there or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedRuntime {
    /// One of the published ones, by id.
    Published(String),
    /// A folder of the user's own.
    Folder(Runtime),
}

impl NamedRuntime {
    /// A word with a slash, or the name of an existing folder, is a folder; anything else is an id. Nothing is installed.
    pub fn parse(word: &str) -> Result<Self, InstallError> {
        let path = Path::new(word);
        if word.contains('/') || path.is_dir() {
            return from_dir(path).map(NamedRuntime::Folder);
        }
        check_id(word)?;
        Ok(NamedRuntime::Published(word.to_owned()))
    }

    pub fn id(&self) -> &str {
        match self {
            NamedRuntime::Published(id) => id,
            NamedRuntime::Folder(runtime) => &runtime.id,
        }
    }

    /// The runtime, if it is there.
    pub fn find(self) -> Result<Runtime, InstallError> {
        match self {
            NamedRuntime::Published(id) => find(&id),
            NamedRuntime::Folder(runtime) => Ok(runtime),
        }
    }

    /// The runtime; installed when it is missing.
    pub fn ensure(self, show: &mut dyn FnMut(Step<'_>)) -> Result<Runtime, InstallError> {
        match self {
            NamedRuntime::Published(id) => ensure(&id, show),
            NamedRuntime::Folder(runtime) => Ok(runtime),
        }
    }
}
