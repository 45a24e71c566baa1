//! Which element types exist, and how wide are they?

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// The element type of a tensor. The names are numpy's, as in an index file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DType {
    Float32,
    Float16,
    Bfloat16,
    Float64,
    Int8,
    Uint8,
    Int16,
    Uint16,
    Int32,
    Uint32,
    Int64,
    Uint64,
    Bool,
}

/// A name that is no element type.
#[derive(Debug, thiserror::Error)]
#[error("unknown element type \"{0}\"; accepted: {accepted}", accepted = DType::ALL.map(|d| d.name()).join(", "))]
pub struct UnknownDType(pub String);

impl DType {
    /// Every element type, in the order they are listed to users.
    pub const ALL: [DType; 13] = [
        DType::Float32,
        DType::Float16,
        DType::Bfloat16,
        DType::Float64,
        DType::Int8,
        DType::Uint8,
        DType::Int16,
        DType::Uint16,
        DType::Int32,
        DType::Uint32,
        DType::Int64,
        DType::Uint64,
        DType::Bool,
    ];

    /// Bytes of one element.
    pub const fn bytes(self) -> usize {
        match self {
            DType::Int8 | DType::Uint8 | DType::Bool => 1,
            DType::Float16 | DType::Bfloat16 | DType::Int16 | DType::Uint16 => 2,
            DType::Float32 | DType::Int32 | DType::Uint32 => 4,
            DType::Float64 | DType::Int64 | DType::Uint64 => 8,
        }
    }

    /// The name used in index files, jobs and reports.
    pub const fn name(self) -> &'static str {
        match self {
            DType::Float32 => "float32",
            DType::Float16 => "float16",
            DType::Bfloat16 => "bfloat16",
            DType::Float64 => "float64",
            DType::Int8 => "int8",
            DType::Uint8 => "uint8",
            DType::Int16 => "int16",
            DType::Uint16 => "uint16",
            DType::Int32 => "int32",
            DType::Uint32 => "uint32",
            DType::Int64 => "int64",
            DType::Uint64 => "uint64",
            DType::Bool => "bool",
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for DType {
    type Err = UnknownDType;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        DType::ALL
            .into_iter()
            .find(|d| d.name() == text)
            .ok_or_else(|| UnknownDType(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serde_and_from_str_accept_the_same_names() {
        for dtype in DType::ALL {
            let json = serde_json::to_string(&dtype).unwrap();
            assert_eq!(json, format!("\"{dtype}\""));
            assert_eq!(dtype.name().parse::<DType>().unwrap(), dtype);
        }
    }
}
