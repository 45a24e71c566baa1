//! How are files hashed and written so that nothing is ever half there?

mod atomic;
mod hash;

pub use atomic::write_atomic;
