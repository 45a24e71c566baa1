//! What is a tensor here: an element type, a shape, and raw little-endian row-major bytes.

mod dtype;
mod quantisation;
mod spec;

pub use dtype::{DType, UnknownDType};
pub use quantisation::Quantisation;
pub use spec::{SizeError, TensorSpec};
