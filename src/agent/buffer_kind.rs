//! Whose memory is a tensor buffer?

use std::fmt;

use super::{Accelerator, Placement};

/// The memory a buffer type stands for. Types are numbered in ranges by the runtime's `LiteRtTensorBufferType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BufferKind {
    Host,
    OpenCl,
    WebGpu,
    Metal,
    Vulkan,
    /// Of a dispatch library, as NPUs have them.
    Dispatch,
    /// A type this version does not know, by its number.
    Other(i32),
}

impl From<i32> for BufferKind {
    fn from(buffer_type: i32) -> Self {
        match buffer_type {
            1 => BufferKind::Host,
            10..=16 => BufferKind::OpenCl,
            20..=26 => BufferKind::WebGpu,
            30..=34 => BufferKind::Metal,
            40..=46 => BufferKind::Vulkan,
            100..=199 => BufferKind::Dispatch,
            other => BufferKind::Other(other),
        }
    }
}

impl BufferKind {
    /// Whether an accelerator that runs a graph can have asked for it. An unknown kind may be anybody's.
    pub fn may_serve(self, accelerator: Accelerator) -> bool {
        match self {
            BufferKind::Host => accelerator == Accelerator::Cpu,
            BufferKind::OpenCl | BufferKind::WebGpu | BufferKind::Metal | BufferKind::Vulkan => {
                accelerator == Accelerator::Gpu
            }
            BufferKind::Dispatch => accelerator == Accelerator::Npu,
            BufferKind::Other(_) => true,
        }
    }
}

impl fmt::Display for BufferKind {
    /// `host`, `webgpu`, `dispatch`, ..., else the runtime's number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BufferKind::Host => f.pad("host"),
            BufferKind::OpenCl => f.pad("opencl"),
            BufferKind::WebGpu => f.pad("webgpu"),
            BufferKind::Metal => f.pad("metal"),
            BufferKind::Vulkan => f.pad("vulkan"),
            BufferKind::Dispatch => f.pad("dispatch"),
            BufferKind::Other(number) => write!(f, "{number}"),
        }
    }
}

impl Placement {
    /// The kinds of all input and output buffers.
    pub fn buffer_kinds(&self) -> impl Iterator<Item = BufferKind> {
        self.buffer_types.iter().copied().map(BufferKind::from)
    }
}
