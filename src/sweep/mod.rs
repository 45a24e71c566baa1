//! Which cells does a sweep file mean?

mod baseline;
mod bounds;
mod cell;
mod file;
mod key;
mod names;
mod plan;
mod select;
mod spec;

pub use baseline::{Baseline, BaselineError, Judgement};
pub use bounds::BoundsError;
pub use cell::PlannedCell;
pub use file::{SweepError, SweepFile, schema};
pub use key::{CellKey, KeyParts};
pub use plan::{Cell, Expected, PlanError, plan};
pub use select::{Filter, SelectError, Shard};
pub use spec::{
    AcceleratorSpec, AccuracySpec, DEFAULT_KEEP_LIMIT_MB, GraphsSpec, KeepOutputs, OutputKind, OutputRule,
    PictureLayout, PictureMapping, ProtocolSpec, SweepSpec, ThermalSpec, Thresholds, Tolerance,
};
