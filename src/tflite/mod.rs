//! What is in a .tflite file, and can it be trusted?
//!
//! [`verify`] checks a file from end to end before a runtime sees it; [`GraphInfo`] says what a checked file takes,
//! gives and consists of. Both read through the descriptions in [`schema`].

mod contents;
mod defect;
pub mod descriptor;
mod element;
mod graph;
mod opcode;
mod operands;
mod references;
pub mod schema;
mod structure;
mod verify;
mod view;

pub use defect::{Defect, Fault, VerifyError};
pub use element::ElementType;
pub use graph::{GraphInfo, SignatureInfo, TensorDecl};
pub use opcode::OpCode;
pub use verify::{Verified, verify, verify_file, with_file};
pub use view::View;
