//! What does a status number of the runtime mean?

use std::fmt;

use litert_sys as sys;

/// A status number as the runtime returned it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(pub sys::LiteRtStatus);

impl Status {
    /// The runtime's own name for the number; none for a number newer than the headers this was built with.
    pub fn name(self) -> Option<&'static str> {
        Some(match self.0 {
            sys::kLiteRtStatusOk => "Ok",
            sys::kLiteRtStatusErrorInvalidArgument => "InvalidArgument",
            sys::kLiteRtStatusErrorMemoryAllocationFailure => "MemoryAllocationFailure",
            sys::kLiteRtStatusErrorRuntimeFailure => "RuntimeFailure",
            sys::kLiteRtStatusErrorMissingInputTensor => "MissingInputTensor",
            sys::kLiteRtStatusErrorUnsupported => "Unsupported",
            sys::kLiteRtStatusErrorNotFound => "NotFound",
            sys::kLiteRtStatusErrorTimeoutExpired => "TimeoutExpired",
            sys::kLiteRtStatusErrorWrongVersion => "WrongVersion",
            sys::kLiteRtStatusErrorUnknown => "Unknown",
            sys::kLiteRtStatusErrorAlreadyExists => "AlreadyExists",
            sys::kLiteRtStatusCancelled => "Cancelled",
            sys::kLiteRtStatusErrorFileIO => "FileIO",
            sys::kLiteRtStatusErrorInvalidFlatbuffer => "InvalidFlatbuffer",
            sys::kLiteRtStatusErrorDynamicLoading => "DynamicLoading",
            sys::kLiteRtStatusErrorSerialization => "Serialization",
            sys::kLiteRtStatusErrorCompilation => "Compilation",
            sys::kLiteRtStatusErrorIndexOOB => "IndexOOB",
            sys::kLiteRtStatusErrorInvalidIrType => "InvalidIrType",
            sys::kLiteRtStatusErrorInvalidGraphInvariant => "InvalidGraphInvariant",
            sys::kLiteRtStatusErrorGraphModification => "GraphModification",
            sys::kLiteRtStatusErrorInvalidToolConfig => "InvalidToolConfig",
            sys::kLiteRtStatusLegalizeNoMatch => "LegalizeNoMatch",
            sys::kLiteRtStatusErrorInvalidLegalization => "InvalidLegalization",
            sys::kLiteRtStatusPatternNoMatch => "PatternNoMatch",
            sys::kLiteRtStatusInvalidTransformation => "InvalidTransformation",
            sys::kLiteRtStatusErrorUnsupportedRuntimeVersion => "UnsupportedRuntimeVersion",
            sys::kLiteRtStatusErrorUnsupportedCompilerVersion => "UnsupportedCompilerVersion",
            sys::kLiteRtStatusErrorIncompatibleByteCodeVersion => "IncompatibleByteCodeVersion",
            sys::kLiteRtStatusErrorUnsupportedOpShapeInferer => "UnsupportedOpShapeInferer",
            sys::kLiteRtStatusErrorShapeInferenceFailed => "ShapeInferenceFailed",
            _ => return None,
        })
    }

    /// The number as events and reports carry it.
    pub fn code(self) -> i32 {
        // The runtime's numbers are small and positive; one beyond i32 could only come from a broken library.
        i32::try_from(self.0).unwrap_or(i32::MAX)
    }
}

impl fmt::Display for Status {
    /// `504 (Compilation)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{} ({name})", self.0),
            None => write!(f, "{}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_status_is_named_and_an_unknown_one_keeps_its_number() {
        assert_eq!(Status(504).to_string(), "504 (Compilation)");
        assert_eq!(Status(77_777).to_string(), "77777");
        assert_eq!(Status(77_777).code(), 77_777);
    }
}
