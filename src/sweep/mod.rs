//! Which cells does a sweep file mean?

mod baseline;
mod cell;
mod key;
mod spec;

pub use baseline::{Baseline, BaselineError, Judgement};
pub use cell::PlannedCell;
pub use key::{CellKey, KeyParts};
pub use spec::{
    AcceleratorSpec, AccuracySpec, GraphsSpec, KeepOutputs, OutputKind, OutputRule, PictureLayout, PictureMapping,
    ProtocolSpec, SweepSpec, ThermalSpec, Thresholds,
};
