//! How can a call into the runtime fail?

use std::{io, path::PathBuf};

use super::Status;
use crate::{
    elf::ElfError,
    tensor::{SizeError, TensorSpec},
};

/// A failure of the runtime or of what stands around it. Messages are lower-case fragments.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(
        "no runtime library at {}: run `litmus runtime install litert-2.3.0`, or name a folder that holds libLiteRt.so",
        .0.display()
    )]
    LibraryMissing(PathBuf),
    #[error("cannot read the runtime library {}", .path.display())]
    LibraryUnreadable {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("the runtime library {} {reason}; name a folder with a libLiteRt.so for this machine", .path.display())]
    NotLoadable { path: PathBuf, reason: ElfError },
    #[error("cannot load the runtime library {}", .path.display())]
    Dlopen {
        path: PathBuf,
        #[source]
        source: libloading::Error,
    },
    #[error("{} has no symbol {symbol}: it is no LiteRT runtime, or a version that litmus does not know", .path.display())]
    MissingSymbol { path: PathBuf, symbol: &'static str },
    #[error("{call} failed with status {status}")]
    Status { call: &'static str, status: Status },
    #[error("{call} failed with status {status}: {text}")]
    StatusWithText {
        call: &'static str,
        status: Status,
        /// What the compiled model's error reporter holds.
        text: String,
    },
    #[error("{call} reported success but handed out nothing")]
    NullHandle { call: &'static str },
    #[error("the path {} holds a NUL byte", .0.display())]
    NulInPath(PathBuf),
    #[error("the graph has no signature \"{wanted}\"; it has: {}", known.join(", "))]
    UnknownSignature { wanted: String, known: Vec<String> },
    #[error("the graph has no signature at all")]
    NoSignature,
    #[error("tensor \"{tensor}\" is of type {element}, which litmus can neither feed nor read")]
    UnsupportedElement { tensor: String, element: String },
    #[error("tensor \"{tensor}\" has no known rank")]
    Unranked { tensor: String },
    #[error("the shape of output \"{tensor}\" is only known after a run: such outputs are not supported")]
    OutputShapeUnknown { tensor: String },
    #[error("input \"{tensor}\" cannot take the shape of {spec}")]
    Unshapeable { tensor: String, spec: TensorSpec },
    #[error("the runtime's buffer for \"{tensor}\" holds {actual} bytes, but {spec} needs {wanted}")]
    BufferSize {
        tensor: String,
        spec: TensorSpec,
        wanted: usize,
        actual: usize,
    },
    #[error(transparent)]
    Size(#[from] SizeError),
}

impl Error {
    /// The runtime's status, when it was the runtime that refused.
    pub fn status(&self) -> Option<Status> {
        match self {
            Error::Status { status, .. } | Error::StatusWithText { status, .. } => Some(*status),
            _ => None,
        }
    }
}
