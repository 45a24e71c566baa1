//! What do the samples say?
//!
//! docs/statistics.md holds every definition with its formula and source.

mod interval;
mod latency;
mod summary;

pub use interval::median_interval95;
pub use latency::latency;
pub use summary::{Summary, median};
