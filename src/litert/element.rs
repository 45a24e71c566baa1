//! Which of the runtime's element types does litmus feed and read?

use litert_sys as sys;

use crate::tensor::DType;

/// The element type here, or the name of one that litmus does not handle.
pub(super) fn dtype(element: sys::LiteRtElementType) -> Result<DType, String> {
    Ok(match element {
        sys::kLiteRtElementTypeFloat32 => DType::Float32,
        sys::kLiteRtElementTypeFloat16 => DType::Float16,
        sys::kLiteRtElementTypeBFloat16 => DType::Bfloat16,
        sys::kLiteRtElementTypeFloat64 => DType::Float64,
        sys::kLiteRtElementTypeInt8 => DType::Int8,
        sys::kLiteRtElementTypeUInt8 => DType::Uint8,
        sys::kLiteRtElementTypeInt16 => DType::Int16,
        sys::kLiteRtElementTypeUInt16 => DType::Uint16,
        sys::kLiteRtElementTypeInt32 => DType::Int32,
        sys::kLiteRtElementTypeUInt32 => DType::Uint32,
        sys::kLiteRtElementTypeInt64 => DType::Int64,
        sys::kLiteRtElementTypeUInt64 => DType::Uint64,
        sys::kLiteRtElementTypeBool => DType::Bool,
        sys::kLiteRtElementTypeNone => return Err("none".to_owned()),
        sys::kLiteRtElementTypeInt2 => return Err("int2".to_owned()),
        sys::kLiteRtElementTypeInt4 => return Err("int4".to_owned()),
        sys::kLiteRtElementTypeComplex64 => return Err("complex64".to_owned()),
        sys::kLiteRtElementTypeComplex128 => return Err("complex128".to_owned()),
        sys::kLiteRtElementTypeTfResource => return Err("resource".to_owned()),
        sys::kLiteRtElementTypeTfString => return Err("string".to_owned()),
        sys::kLiteRtElementTypeTfVariant => return Err("variant".to_owned()),
        other => return Err(format!("number {other}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_type_of_litmus_has_one_of_the_runtime() {
        let reachable: Vec<DType> = (0..64).filter_map(|element| dtype(element).ok()).collect();
        for wanted in DType::ALL {
            assert!(reachable.contains(&wanted), "{wanted}");
        }
    }

    #[test]
    fn a_type_that_cannot_be_fed_is_named() {
        assert_eq!(dtype(sys::kLiteRtElementTypeTfString), Err("string".to_owned()));
        assert_eq!(dtype(4711), Err("number 4711".to_owned()));
    }
}
