//! Which cells does a sweep file mean?

mod key;
mod spec;

pub use key::CellKey;
pub use spec::{
    AcceleratorSpec, AccuracySpec, GraphsSpec, KeepOutputs, OutputKind, OutputRule, PictureLayout, PictureMapping,
    ProtocolSpec, SweepSpec, ThermalSpec, Thresholds,
};
