//! Where is the runtime, and how does it get there?

mod catalogue;
mod ensure;
mod error;
mod fetch;
mod libraries;
mod manifest;
mod named;
mod openvino;
mod readiness;
mod runtime;
mod software_gpu;
mod surroundings;
mod unpack;
mod vulkan;

use crate::elf;

pub use catalogue::{COMPANIONS, RELEASES, Release, check_id, runtime_ids};
pub use ensure::{Step, ensure, ensure_companion, ensure_companion_id};
pub use error::InstallError;
pub use fetch::{Pip, find_pip};
pub use named::NamedRuntime;
pub use readiness::{Readiness, Wanted, readiness};
pub use runtime::{LIBRARY, Runtime, find, from_dir, installed};
pub use software_gpu::named as vulkan_icd;
pub use surroundings::Surroundings;

/// The runtime a sweep uses when it names none.
pub const DEFAULT_RUNTIME: &str = "litert-2.3.0";
