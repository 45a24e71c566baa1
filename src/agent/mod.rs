//! What runs beside the graph: one process per attempt, a job in, events out.

mod bind;
mod buffer_kind;
mod entry;
mod error;
mod event;
mod events;
mod job;
mod measure;
mod memory;
mod outputs;
mod run;
mod thermal;
mod watch;

pub use buffer_kind::BufferKind;
pub use entry::{EXIT_DEADLINE, EXIT_FAILED, EXIT_ORPHANED, EXIT_USAGE, main};
pub use event::{EVENT_SCHEMA, Event, EventLine, Memory, Placement, Stage, TensorInfo, ThermalPoint, ThermalReading};
pub use job::{
    Accelerator, CompileMode, EnvironmentPaths, InputBinding, JOB_SCHEMA, Job, OptionValue, Precision, ProviderOptions,
    Task, TensorName, Timing,
};
