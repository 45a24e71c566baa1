//! What runs beside the graph: one process per attempt, a job in, events out.

mod event;
mod job;

pub use event::{EVENT_SCHEMA, Event, EventLine, Memory, Placement, Stage, TensorInfo, ThermalPoint, ThermalReading};
pub use job::{
    Accelerator, CompileMode, EnvironmentPaths, InputBinding, JOB_SCHEMA, Job, OptionValue, Precision,
    ProviderOptions, TensorName, Timing,
};
