//! What happened when one cell was tried?

mod host;
mod record;

pub use host::read_host_state;
pub use record::{AttemptRecord, AttemptStatus, Exit, HostState, Measured, Outcome, OutputFile};
