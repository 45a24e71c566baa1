//! What do the rows of a run say, to machines and to people?

mod model;

pub use model::*;
