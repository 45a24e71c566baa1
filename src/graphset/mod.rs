//! Which graphs belong together, with which inputs and references? The index.json of a set.

mod describe;
mod generate;
mod index;
mod load;

pub use describe::{DescribeError, InputRecipe, describe, undescribed};
pub use generate::{GenerateError, write_inputs};
pub use index::{GraphEntry, INDEX_FORMAT, Index, IndexCase, Tensor};
pub use load::{GraphSet, IndexError};
