//! What is a tensor here: an element type, a shape, and raw little-endian row-major bytes.

mod dtype;
mod spec;

pub use dtype::{DType, UnknownDType};
pub use spec::{SizeError, TensorSpec};
