//! How can an attempt fail inside the agent, and at which stage?

use std::{io, path::PathBuf};

use super::{Stage, TensorName};
use crate::{
    litert::{self, options::OptionError},
    tensor::{SizeError, TensorSpec},
    tflite::VerifyError,
};

/// What went wrong. Messages are lower-case fragments.
#[derive(Debug, thiserror::Error)]
pub(super) enum AgentError {
    #[error("cannot read the job")]
    ReadJob(#[source] io::Error),
    #[error("the job is longer than {limit} bytes")]
    JobTooLong { limit: u64 },
    #[error("the job is not a job document of this version")]
    ParseJob(#[source] serde_json::Error),
    #[error(
        "the job's schema is \"{found}\", this agent takes \"{wanted}\": use the litmus and litmus-agent of one version"
    )]
    JobSchema { found: String, wanted: &'static str },
    #[error("the job asks for {runs} runs; at most {limit} are taken")]
    TooManyRuns { runs: u32, limit: u32 },
    #[error(transparent)]
    Options(#[from] OptionError),
    #[error("{} is no graph that can be run", .graph.display())]
    Verify {
        graph: PathBuf,
        #[source]
        source: VerifyError,
    },
    #[error(transparent)]
    Runtime(#[from] litert::Error),
    #[error("the signature \"{signature}\" has no {side} {tensor}; it has: {}", known.join(", "))]
    UnknownTensor {
        signature: String,
        side: &'static str,
        tensor: TensorName,
        known: Vec<String>,
    },
    #[error("{side} \"{tensor}\" is bound twice")]
    BoundTwice { side: &'static str, tensor: String },
    #[error("nothing is bound to: {}", .0.join(", "))]
    Unbound(Vec<String>),
    #[error("input \"{tensor}\" is {declared}, but {given} was bound to it")]
    Mismatch {
        tensor: String,
        declared: String,
        given: TensorSpec,
    },
    #[error("{} holds {actual} bytes, but {spec} is {wanted} bytes", .file.display())]
    FileLength {
        file: PathBuf,
        spec: TensorSpec,
        wanted: usize,
        actual: u64,
    },
    #[error("cannot read {}", .file.display())]
    ReadInput {
        file: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("cannot write {}", .file.display())]
    WriteOutput {
        file: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("cannot start the thread that watches host and deadline")]
    Watch(#[source] io::Error),
    #[error("cannot report to standard output")]
    Report(#[source] io::Error),
    #[error(transparent)]
    Size(#[from] SizeError),
}

/// What went wrong, and where.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) stage: Stage,
    pub(super) error: AgentError,
}

impl Failure {
    /// The runtime's status number, when it was the runtime that refused.
    pub(super) fn code(&self) -> Option<i32> {
        match &self.error {
            AgentError::Runtime(error) => error.status().map(litert::Status::code),
            _ => None,
        }
    }

    /// True when the machine is at fault and the same job may succeed on it later.
    pub(super) fn is_of_environment(&self) -> bool {
        match &self.error {
            AgentError::Watch(_) => true,
            AgentError::WriteOutput { source, .. } => {
                matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
            }
            _ => false,
        }
    }

    /// The error and its causes, chained.
    pub(super) fn message(&self) -> String {
        let mut message = self.error.to_string();
        let mut cause = std::error::Error::source(&self.error);
        while let Some(error) = cause {
            let text = error.to_string();
            // A transparent error and some libraries repeat their cause in their own text.
            if !message.ends_with(&text) {
                message.push_str(": ");
                message.push_str(&text);
            }
            cause = error.source();
        }
        message
    }
}

/// Says at which stage an error happened.
pub(super) trait At<T> {
    fn at(self, stage: Stage) -> Result<T, Failure>;
}

impl<T, E: Into<AgentError>> At<T> for Result<T, E> {
    fn at(self, stage: Stage) -> Result<T, Failure> {
        self.map_err(|error| Failure {
            stage,
            error: error.into(),
        })
    }
}
