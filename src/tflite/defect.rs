//! What is wrong with a file, and where?

use std::{fmt, io, path::PathBuf};

/// Why a file is no graph that a runtime may see.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    #[error("cannot read {}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("the file is a Git LFS pointer, not the graph; fetch the graph itself")]
    LfsPointer,
    #[error(
        "the file is no .tflite graph ({len} bytes, no TFL3 identifier); check the path, or fetch it again if it should be one"
    )]
    NotTflite { len: usize },
    #[error(transparent)]
    Defect(#[from] Box<Defect>),
}

/// One thing that is wrong, with its place. Shown as
/// `Model.subgraphs[0].tensors[7].shape: vector of 80 bytes runs past the end of the file, at byte 1234; the file is ...`.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}, at byte {offset}; {}", self.place(), fault.advice())]
pub struct Defect {
    pub fault: Fault,
    /// Where in the file the reading stood.
    pub offset: usize,
    /// Innermost first, collected on the way out.
    steps: Vec<Step>,
}

/// One step of the way from the root to the place of a defect.
#[derive(Debug)]
enum Step {
    Field(&'static str),
    Item(usize),
}

/// What can be wrong.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("{what} of {bytes} bytes runs past the end of the file ({len} bytes)")]
    PastEnd { what: &'static str, bytes: u64, len: usize },
    #[error("{what} is not aligned to {align} bytes")]
    Misaligned { what: &'static str, align: usize },
    #[error("the table's list of fields is malformed")]
    BadVtable,
    #[error("the field lies outside its table")]
    OutsideTable,
    #[error("the string has no end mark")]
    Unterminated,
    #[error("parts are used so often that reading them would never end")]
    TooShared,
    #[error("there is none, and a graph needs it")]
    Missing,
    #[error("{what} {index} does not exist, there are {count}")]
    NoSuch {
        what: &'static str,
        index: i64,
        count: usize,
    },
    #[error("the union's type is given without its value")]
    NoUnionValue,
    #[error("the data has {have} bytes, type and shape want {want}")]
    DataLength { have: u64, want: u64 },
    #[error("dimension {0} is negative")]
    NegativeDimension(i32),
    #[error("the shape has more elements than can be addressed")]
    ShapeTooLarge,
    #[error("the signature of the shape has {signature} dimensions, the shape has {shape}")]
    SignatureRank { signature: usize, shape: usize },
    #[error("element type {0} is unknown")]
    UnknownType(i8),
    #[error("an operator writes to constant tensor {0}")]
    WritesConstant(usize),
    #[error("the operator lacks an input it cannot do without")]
    MissingInput,
    #[error("the operator has {have} {what}, it needs {want}")]
    TooFew {
        what: &'static str,
        have: usize,
        want: usize,
    },
    #[error("a quantised tensor the operator computes with has no usable scale")]
    NoScale,
    #[error("subgraph {0} calls itself")]
    Recursion(usize),
    #[error("{0}")]
    Malformed(&'static str),
}

impl Fault {
    fn advice(&self) -> &'static str {
        match self {
            Fault::PastEnd { .. }
            | Fault::Misaligned { .. }
            | Fault::BadVtable
            | Fault::OutsideTable
            | Fault::Unterminated
            | Fault::NoUnionValue
            | Fault::TooShared => "the file is truncated or damaged; fetch it again",
            Fault::UnknownType(_) => "the file is damaged, or newer than this harness; fetch it again or update",
            Fault::Missing
            | Fault::NoSuch { .. }
            | Fault::DataLength { .. }
            | Fault::NegativeDimension(_)
            | Fault::ShapeTooLarge
            | Fault::SignatureRank { .. }
            | Fault::WritesConstant(_)
            | Fault::MissingInput
            | Fault::TooFew { .. }
            | Fault::NoScale
            | Fault::Recursion(_)
            | Fault::Malformed(_) => "the file is damaged or was written wrongly; fetch it again or convert it anew",
        }
    }

    /// The defect of this kind at `offset`, its path still to be told by the callers.
    pub(super) fn at(self, offset: usize) -> Box<Defect> {
        Box::new(Defect {
            fault: self,
            offset,
            steps: Vec::new(),
        })
    }
}

impl Defect {
    /// The path of the place from the root.
    pub fn place(&self) -> impl fmt::Display {
        let mut text = String::from("Model");
        for step in self.steps.iter().rev() {
            match step {
                Step::Field(name) => {
                    text.push('.');
                    text.push_str(name);
                }
                Step::Item(index) => text.push_str(&format!("[{index}]")),
            }
        }
        text
    }
}

/// Tells a failed step where it was.
pub(super) trait Within: Sized {
    fn within(self, field: &'static str) -> Self;
    /// In item `index` of a vector.
    fn item(self, index: usize) -> Self;
}

impl<T> Within for Result<T, Box<Defect>> {
    fn within(self, field: &'static str) -> Self {
        self.map_err(|mut defect| {
            defect.steps.push(Step::Field(field));
            defect
        })
    }

    fn item(self, index: usize) -> Self {
        self.map_err(|mut defect| {
            defect.steps.push(Step::Item(index));
            defect
        })
    }
}
