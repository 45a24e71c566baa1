//! How is the LiteRT runtime called, safely, from a library that is opened by path?
//!
//! Everything the runtime hands out is an owned handle whose lifetime is tied to what it was made from, so that
//! teardown order is the compiler's business: buffers, compiled model, options, model, environment.

mod buffer;
mod compiled;
mod effective;
mod element;
mod environment;
mod error;
mod handle;
mod library;
mod model;
mod opaque;
pub mod options;
mod session;
mod status;

pub use buffer::{Buffer, ReadLock, WriteLock};
pub use compiled::CompiledModel;
pub use effective::{Accelerators, EffectiveOptions};
pub use environment::Environment;
pub use error::Error;
pub use library::{LIBRARY_FILE, Library};
pub use model::{Model, Signature, Tensor};
pub use session::Session;
pub use status::Status;
