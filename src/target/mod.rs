//! Where do agents run?

mod facts;

pub use facts::local_facts;
