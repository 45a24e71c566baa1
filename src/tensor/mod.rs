//! What is a tensor here: an element type, a shape, and raw little-endian row-major bytes.

mod dtype;
#[cfg(feature = "host")]
pub mod file;
mod quantisation;
mod spec;

pub use dtype::{DType, UnknownDType};
pub use quantisation::Quantisation;
pub use spec::{SizeError, TensorSpec};
