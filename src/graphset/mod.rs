//! Which graphs belong together, with which inputs and references? The index.json of a set.

mod index;

pub use index::{GraphEntry, Index, IndexCase, InputTensor, OutputTensor, Tensor};
