//! Which exit code does an error mean?

use std::error::Error;

use crate::{
    attempt::{ExecuteError, RunError, RunFolderError, TwinError},
    chain::chain,
    install::InstallError,
};

/// The environment is not ready: a runtime, a folder or a program is missing.
pub const NOT_READY: u8 = 3;
/// Wrong usage, or a file the user wrote is not valid.
pub const USAGE: u8 = 2;
/// Interrupted; the run can be resumed.
pub const INTERRUPTED: u8 = 130;

/// An error on its way to the user.
#[derive(Debug)]
pub struct Failure {
    pub exit_code: u8,
    pub message: String,
}

impl Failure {
    pub fn usage(error: &dyn Error) -> Self {
        Failure {
            exit_code: USAGE,
            message: chain(error),
        }
    }

    pub fn not_ready(error: &dyn Error) -> Self {
        Failure {
            exit_code: NOT_READY,
            message: chain(error),
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match &error {
            RunError::Sweep(_)
            | RunError::Index(_)
            | RunError::Plan(_)
            | RunError::Select(_)
            | RunError::ReadBaseline { .. }
            | RunError::Baseline(_)
            | RunError::Changed { .. }
            | RunError::RunFolder(
                RunFolderError::NotARun { .. } | RunFolderError::Parse { .. } | RunFolderError::Schema { .. },
            ) => Failure::usage(&error),
            RunError::RunFolder(RunFolderError::Io { .. } | RunFolderError::Busy { .. })
            | RunError::Runtime { .. }
            | RunError::Journal(_)
            | RunError::Execute(
                ExecuteError::Journal(_)
                | ExecuteError::RunFolder(_)
                | ExecuteError::Folder { .. }
                | ExecuteError::Start { .. }
                | ExecuteError::NoNumbersLeft
                | ExecuteError::RuntimeGone { .. }
                | ExecuteError::Environment { .. }
                | ExecuteError::NoRuntime { .. },
            ) => Failure::not_ready(&error),
        }
    }
}

impl From<RunFolderError> for Failure {
    fn from(error: RunFolderError) -> Self {
        RunError::from(error).into()
    }
}

impl From<InstallError> for Failure {
    fn from(error: InstallError) -> Self {
        match error {
            InstallError::UnknownRuntime { .. } => Failure::usage(&error),
            _ => Failure::not_ready(&error),
        }
    }
}

impl From<TwinError> for Failure {
    fn from(error: TwinError) -> Self {
        match error {
            TwinError::Run(error) => error.into(),
            TwinError::Interrupted => Failure {
                exit_code: INTERRUPTED,
                message: "interrupted".to_owned(),
            },
            TwinError::Failed { .. } => Failure::usage(&error),
            TwinError::Journal(_) | TwinError::Write { .. } | TwinError::Text => Failure::not_ready(&error),
        }
    }
}
