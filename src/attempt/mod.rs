//! What happened when one cell was tried?
//!
//! Everything that runs a cell runs it through [`Executor`]: spawn on a target, deadlines, outcome, score, journal.

mod attempt_folder;
mod cause;
mod draft;
mod equipment;
mod evidence;
mod executor;
mod gate;
mod host;
mod journal;
mod keep;
mod observe;
mod outcome;
mod pipes;
mod prepare;
mod record;
mod rescore;
mod resume;
mod run;
mod run_folder;
mod scoring;
mod signal;
mod trial;
mod twin;

pub use attempt_folder::stderr_file;
pub use draft::DraftRun;
pub use equipment::{Equipment, keeps_shaders};
pub use executor::{ExecuteError, Executor, Observer, Progress, RunEnd};
pub use host::read_host_state;
pub use journal::{Entry, Journal, JournalError, JournalState, fold as fold_journal, read as read_journal};
pub use record::{AttemptRecord, AttemptStatus, Exit, HostState, Measured, OpCounts, Outcome, OutputFile, ThermalGate};
pub use rescore::{RescoreError, Rescored, rescore};
pub use resume::is_settled;
pub use run::{Plan, Run, RunError, Selection};
pub use run_folder::{RUN_SCHEMA, RunFile, RunFolder, RunFolderError, RunLock, RuntimeUsed, timestamp};
pub use scoring::ScoringError;
pub use signal::signal_name;
pub use twin::{TwinError, TwinRunner};
