//! Which element type does a tensor of a graph have, and how much room does it take?

use std::fmt;

use serde::{Serialize, Serializer};

use super::schema::TENSOR_TYPES;
use crate::tensor::DType;

/// The element type a graph declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ElementType(u8);

const STRING: u8 = 5;
const COMPLEX64: u8 = 8;
const COMPLEX128: u8 = 11;
const RESOURCE: u8 = 13;
const VARIANT: u8 = 14;
const INT4: u8 = 17;
const INT2: u8 = 19;
const UINT4: u8 = 20;

impl ElementType {
    pub(super) const FLOAT32: Self = ElementType(0);

    /// The type with this number in the schema; None for types newer than the schema known here.
    pub fn from_code(code: i8) -> Option<Self> {
        let code = u8::try_from(code).ok()?;
        TENSOR_TYPES.get(usize::from(code)).map(|_| ElementType(code))
    }

    /// The name in the schema: `FLOAT32`, `STRING`, `INT4`.
    pub fn schema_name(self) -> &'static str {
        TENSOR_TYPES[usize::from(self.0)]
    }

    /// The type to feed and to compare with; None where the harness cannot (strings, packed and complex numbers, 8-bit
    /// floats).
    pub fn dtype(self) -> Option<DType> {
        Some(match self.schema_name() {
            "FLOAT32" => DType::Float32,
            "FLOAT16" => DType::Float16,
            "BFLOAT16" => DType::Bfloat16,
            "FLOAT64" => DType::Float64,
            "INT8" => DType::Int8,
            "UINT8" => DType::Uint8,
            "INT16" => DType::Int16,
            "UINT16" => DType::Uint16,
            "INT32" => DType::Int32,
            "UINT32" => DType::Uint32,
            "INT64" => DType::Int64,
            "UINT64" => DType::Uint64,
            "BOOL" => DType::Bool,
            _ => return None,
        })
    }

    /// Bits of one element as it stands in a file; None where that depends on the content.
    fn bits(self) -> Option<u64> {
        if let Some(dtype) = self.dtype() {
            return Some(8 * dtype.bytes() as u64);
        }
        match self.0 {
            STRING | RESOURCE | VARIANT => None,
            INT2 => Some(2),
            INT4 | UINT4 => Some(4),
            COMPLEX64 => Some(64),
            COMPLEX128 => Some(128),
            _ => Some(8),
        }
    }

    /// Bytes of `elements` elements, packed without gaps: two of four bits share a byte, the last may stand alone.
    /// `Ok(None)` where the content decides, `Err` where the number is too large.
    pub(super) fn packed_bytes(self, elements: u64) -> Result<Option<u64>, TooLarge> {
        let Some(bits) = self.bits() else {
            return Ok(None);
        };
        elements
            .checked_mul(bits)
            .map(|bits| Some(bits.div_ceil(8)))
            .ok_or(TooLarge)
    }
}

/// More bytes than 64 bits can count.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

impl fmt::Display for ElementType {
    /// As in index files where the harness can handle the type (`float32`), else as in the schema (`STRING`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.dtype() {
            Some(dtype) => dtype.fmt(f),
            None => f.write_str(self.schema_name()),
        }
    }
}

impl Serialize for ElementType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> ElementType {
        let code = TENSOR_TYPES.iter().position(|n| *n == name).unwrap();
        ElementType::from_code(code as i8).unwrap()
    }

    #[test]
    fn packed_types_share_bytes_and_the_rest_take_their_width() {
        assert_eq!(named("INT4").packed_bytes(5), Ok(Some(3)));
        assert_eq!(named("UINT4").packed_bytes(4), Ok(Some(2)));
        assert_eq!(named("INT2").packed_bytes(5), Ok(Some(2)));
        assert_eq!(named("FLOAT8_E5M2").packed_bytes(5), Ok(Some(5)));
        assert_eq!(named("COMPLEX128").packed_bytes(2), Ok(Some(32)));
        assert_eq!(named("STRING").packed_bytes(2), Ok(None));
        assert_eq!(named("FLOAT64").packed_bytes(u64::MAX), Err(TooLarge));
    }

    #[test]
    fn every_dtype_has_a_type_in_the_schema() {
        let known: Vec<_> = (0..TENSOR_TYPES.len() as i8)
            .filter_map(|c| ElementType::from_code(c)?.dtype())
            .collect();
        assert_eq!(known.len(), DType::ALL.len());
        assert!(DType::ALL.iter().all(|d| known.contains(d)));
        assert!(ElementType::from_code(-1).is_none() && ElementType::from_code(i8::MAX).is_none());
    }
}
