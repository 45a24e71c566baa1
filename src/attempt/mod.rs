//! What happened when one cell was tried?

mod record;

pub use record::{AttemptRecord, AttemptStatus, Exit, HostState, Measured, Outcome, OutputFile};
