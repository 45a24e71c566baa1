//! What number does an element of each type stand for?
//!
//! Values are widened to f64 before any arithmetic, so that narrow types cannot wrap.

use half::{bf16, f16};

use crate::tensor::DType;

/// An element type as it stands in a file: little-endian.
pub(super) trait Element: Copy {
    /// Bytes of one element.
    const BYTES: usize;

    /// Reads one element from exactly [`Self::BYTES`] bytes.
    fn read(bytes: &[u8]) -> Self;

    /// The value as f64: exact, but for 64-bit integers beyond 2^53, which are rounded.
    fn widen(self) -> f64;

    /// |self - other|. Zero exactly when both are equal, for every type.
    #[inline(always)]
    fn distance(self, other: Self) -> f64 {
        (self.widen() - other.widen()).abs()
    }
}

macro_rules! element {
    ($type:ty, $value:ident => $widened:expr $(, ($a:ident, $b:ident) => $distance:expr)?) => {
        impl Element for $type {
            const BYTES: usize = size_of::<$type>();

            #[inline(always)]
            fn read(bytes: &[u8]) -> Self {
                let mut raw = [0; size_of::<$type>()];
                raw.copy_from_slice(bytes);
                <$type>::from_le_bytes(raw)
            }

            #[inline(always)]
            fn widen(self) -> f64 {
                let $value = self;
                $widened
            }

            $(
                #[inline(always)]
                fn distance(self, other: Self) -> f64 {
                    let ($a, $b) = (self, other);
                    $distance
                }
            )?
        }
    };
}

element!(f32, v => f64::from(v));
element!(f64, v => v);
element!(f16, v => f64::from(v));
element!(bf16, v => f64::from(v));
element!(i8, v => f64::from(v));
element!(u8, v => f64::from(v));
element!(i16, v => f64::from(v));
element!(u16, v => f64::from(v));
element!(i32, v => f64::from(v));
element!(u32, v => f64::from(v));
element!(i64, v => v as f64, (a, b) => a.abs_diff(b) as f64);
element!(u64, v => v as f64, (a, b) => a.abs_diff(b) as f64);

/// A truth value: every byte but 0 is true.
#[derive(Clone, Copy)]
pub(super) struct Truth(bool);

impl Element for Truth {
    const BYTES: usize = 1;

    fn read(bytes: &[u8]) -> Self {
        Truth(bytes.iter().any(|&byte| byte != 0))
    }

    fn widen(self) -> f64 {
        f64::from(u8::from(self.0))
    }
}

/// Work that is compiled once per element type.
pub(super) trait ForElement {
    type Output;

    fn run<T: Element>(self) -> Self::Output;
}

/// Does `work` with the type that `dtype` names.
pub(super) fn with_element<W: ForElement>(dtype: DType, work: W) -> W::Output {
    match dtype {
        DType::Float32 => work.run::<f32>(),
        DType::Float16 => work.run::<f16>(),
        DType::Bfloat16 => work.run::<bf16>(),
        DType::Float64 => work.run::<f64>(),
        DType::Int8 => work.run::<i8>(),
        DType::Uint8 => work.run::<u8>(),
        DType::Int16 => work.run::<i16>(),
        DType::Uint16 => work.run::<u16>(),
        DType::Int32 => work.run::<i32>(),
        DType::Uint32 => work.run::<u32>(),
        DType::Int64 => work.run::<i64>(),
        DType::Uint64 => work.run::<u64>(),
        DType::Bool => work.run::<Truth>(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes_of<T: Element>() -> usize {
        T::BYTES
    }

    struct Width;

    impl ForElement for Width {
        type Output = usize;

        fn run<T: Element>(self) -> usize {
            bytes_of::<T>()
        }
    }

    #[test]
    fn every_element_type_is_as_wide_as_its_dtype_says() {
        for dtype in DType::ALL {
            assert_eq!(with_element(dtype, Width), dtype.bytes(), "{dtype}");
        }
    }

    #[test]
    fn narrow_integers_are_widened_before_they_are_subtracted() {
        assert_eq!(127i8.distance(-128), 255.0);
        assert_eq!(0u16.distance(u16::MAX), 65_535.0);
        assert_eq!(i32::MIN.distance(i32::MAX), 4_294_967_295.0);
    }

    #[test]
    fn neighbouring_64_bit_integers_differ_by_one_even_beyond_the_integers_of_f64() {
        assert_eq!(i64::MAX.distance(i64::MAX - 1), 1.0);
        assert_eq!(u64::MAX.distance(u64::MAX - 1), 1.0);
        assert_eq!(i64::MIN.distance(i64::MAX), u64::MAX as f64);
    }

    #[test]
    fn half_floats_are_read_little_endian() {
        assert_eq!(f16::read(&[0x00, 0x3c]).widen(), 1.0);
        assert_eq!(f16::read(&[0x00, 0xc0]).widen(), -2.0);
        assert_eq!(bf16::read(&[0x80, 0x3f]).widen(), 1.0);
        assert_eq!(bf16::read(&[0x49, 0x40]).widen(), 3.140625);
    }

    #[test]
    fn any_byte_but_zero_is_true() {
        assert_eq!(Truth::read(&[2]).distance(Truth::read(&[1])), 0.0);
        assert_eq!(Truth::read(&[0]).distance(Truth::read(&[255])), 1.0);
    }
}
