//! What numbers do the raw bytes of a tensor stand for?
//!
//! Values are widened to f64 before any arithmetic, so that narrow types cannot wrap.

use half::{bf16, f16};

use crate::tensor::{DType, Quantisation};

/// One side of a comparison: raw little-endian row-major elements, and what they stand for.
#[derive(Clone, Copy, Debug)]
pub struct Values<'a> {
    pub dtype: DType,
    pub bytes: &'a [u8],
    /// Set where the elements are integers that stand for real numbers.
    pub quantisation: Option<Quantisation>,
}

impl<'a> Values<'a> {
    /// Elements that stand for themselves.
    pub fn plain(dtype: DType, bytes: &'a [u8]) -> Values<'a> {
        Values {
            dtype,
            bytes,
            quantisation: None,
        }
    }

    /// Whole elements.
    pub(super) fn len(&self) -> usize {
        self.bytes.len() / self.dtype.bytes()
    }

    /// Reads the elements from `start` on, every `step`-th, as many as `out` has room for and there are.
    #[inline(always)]
    pub(super) fn read(&self, start: usize, step: usize, out: &mut [f64]) -> usize {
        let bytes = self.bytes.get(start * self.dtype.bytes()..).unwrap_or_default();
        let count = match self.dtype {
            DType::Float32 => widen(bytes, step, out, |raw| f64::from(f32::from_le_bytes(raw))),
            DType::Float16 => widen(bytes, step, out, |raw| f64::from(f16::from_le_bytes(raw))),
            DType::Bfloat16 => widen(bytes, step, out, |raw| f64::from(bf16::from_le_bytes(raw))),
            DType::Float64 => widen(bytes, step, out, f64::from_le_bytes),
            DType::Int8 => widen(bytes, step, out, |raw| f64::from(i8::from_le_bytes(raw))),
            DType::Uint8 => widen(bytes, step, out, |raw| f64::from(u8::from_le_bytes(raw))),
            DType::Int16 => widen(bytes, step, out, |raw| f64::from(i16::from_le_bytes(raw))),
            DType::Uint16 => widen(bytes, step, out, |raw| f64::from(u16::from_le_bytes(raw))),
            DType::Int32 => widen(bytes, step, out, |raw| f64::from(i32::from_le_bytes(raw))),
            DType::Uint32 => widen(bytes, step, out, |raw| f64::from(u32::from_le_bytes(raw))),
            DType::Int64 => widen(bytes, step, out, |raw| i64::from_le_bytes(raw) as f64),
            DType::Uint64 => widen(bytes, step, out, |raw| u64::from_le_bytes(raw) as f64),
            // Every byte but 0 is true.
            DType::Bool => widen(bytes, step, out, |[byte]| f64::from(u8::from(byte != 0))),
        };
        if let Some(quantisation) = self.quantisation {
            for value in &mut out[..count] {
                *value = quantisation.real(*value);
            }
        }
        count
    }
}

/// |a - r| of the elements from `start` on, which `reference` and `actual` hold widened. Zero exactly where both are
/// equal: 64-bit integers, which f64 cannot hold beyond 2^53, are subtracted as integers.
#[inline(always)]
pub(super) fn distances(sides: [&Values<'_>; 2], start: usize, reference: &[f64], actual: &[f64], out: &mut [f64]) {
    let [r, a] = sides;
    let exact = r.quantisation.is_none() && a.quantisation.is_none();
    match (r.dtype, a.dtype) {
        (DType::Int64, DType::Int64) if exact => between(sides, start, out, |r, a| {
            i64::from_le_bytes(r).abs_diff(i64::from_le_bytes(a)) as f64
        }),
        (DType::Uint64, DType::Uint64) if exact => between(sides, start, out, |r, a| {
            u64::from_le_bytes(r).abs_diff(u64::from_le_bytes(a)) as f64
        }),
        _ => {
            for (distance, (r, a)) in out.iter_mut().zip(reference.iter().zip(actual)) {
                *distance = (r - a).abs();
            }
        }
    }
}

/// The step of a picture with channels last, known to the compiler.
const RGB: usize = 3;

#[inline(always)]
fn widen<const BYTES: usize>(bytes: &[u8], step: usize, out: &mut [f64], value: impl Fn([u8; BYTES]) -> f64) -> usize {
    let (elements, _) = bytes.as_chunks::<BYTES>();
    if step == 1 {
        let count = elements.len().min(out.len());
        for (out, &raw) in out.iter_mut().zip(elements) {
            *out = value(raw);
        }
        return count;
    }
    if step == RGB {
        let (pixels, rest) = elements.as_chunks::<RGB>();
        let last = rest.first().map(|&raw| value(raw));
        for (out, pixel) in out.iter_mut().zip(pixels) {
            *out = value(pixel[0]);
        }
        // The last pixel has no whole step behind it.
        if let (Some(last), Some(out)) = (last, out.get_mut(pixels.len())) {
            *out = last;
        }
        return out.len().min(pixels.len() + rest.len().min(1));
    }
    let mut count = 0;
    for (out, &raw) in out.iter_mut().zip(elements.iter().step_by(step)) {
        *out = value(raw);
        count += 1;
    }
    count
}

#[inline(always)]
fn between(sides: [&Values<'_>; 2], start: usize, out: &mut [f64], distance: impl Fn([u8; 8], [u8; 8]) -> f64) {
    let [reference, actual] = sides.map(|side| side.bytes.as_chunks::<8>().0.get(start..).unwrap_or_default());
    for (out, (&r, &a)) in out.iter_mut().zip(reference.iter().zip(actual)) {
        *out = distance(r, a);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(dtype: DType, bytes: &[u8]) -> Vec<f64> {
        let values = Values::plain(dtype, bytes);
        let mut out = vec![0.0; values.len()];
        assert_eq!(values.read(0, 1, &mut out), out.len());
        out
    }

    fn distance(dtype: DType, r: &[u8], a: &[u8]) -> f64 {
        let sides = [Values::plain(dtype, r), Values::plain(dtype, a)];
        let mut out = [0.0];
        distances([&sides[0], &sides[1]], 0, &read(dtype, r), &read(dtype, a), &mut out);
        out[0]
    }

    #[test]
    fn narrow_integers_are_widened_before_they_are_subtracted() {
        assert_eq!(distance(DType::Int8, &[127], &[128]), 255.0);
        assert_eq!(distance(DType::Uint16, &[0, 0], &[255, 255]), 65_535.0);
        assert_eq!(
            distance(DType::Int32, &i32::MIN.to_le_bytes(), &i32::MAX.to_le_bytes()),
            4_294_967_295.0
        );
    }

    #[test]
    fn neighbouring_64_bit_integers_differ_by_one_even_beyond_the_integers_of_f64() {
        let signed = |v: i64| v.to_le_bytes();
        let unsigned = |v: u64| v.to_le_bytes();
        assert_eq!(distance(DType::Int64, &signed(i64::MAX), &signed(i64::MAX - 1)), 1.0);
        assert_eq!(
            distance(DType::Uint64, &unsigned(u64::MAX), &unsigned(u64::MAX - 1)),
            1.0
        );
        assert_eq!(
            distance(DType::Int64, &signed(i64::MIN), &signed(i64::MAX)),
            u64::MAX as f64
        );
    }

    #[test]
    fn floats_are_read_little_endian_and_any_byte_but_zero_is_true() {
        assert_eq!(read(DType::Float16, &[0x00, 0x3c, 0x00, 0xc0]), [1.0, -2.0]);
        assert_eq!(read(DType::Bfloat16, &[0x80, 0x3f, 0x49, 0x40]), [1.0, 3.140625]);
        assert_eq!(read(DType::Float32, &1.5f32.to_le_bytes()), [1.5]);
        assert_eq!(read(DType::Bool, &[0, 1, 2, 255]), [0.0, 1.0, 1.0, 1.0]);
    }

    #[test]
    fn a_stride_takes_every_so_manieth_and_the_end_is_never_passed() {
        let values = Values::plain(DType::Uint8, &[1, 2, 3, 4, 5]);
        let mut out = [0.0; 4];
        assert_eq!(values.read(1, 3, &mut out), 2);
        assert_eq!(out[..2], [2.0, 5.0]);
        assert_eq!(values.read(9, 1, &mut out), 0);
        assert_eq!(values.read(0, 2, &mut out), 3);
        assert_eq!(out[..3], [1.0, 3.0, 5.0]);
        assert_eq!(values.read(0, 3, &mut out[..1]), 1);
        assert_eq!(values.read(2, 3, &mut out), 1);
    }

    #[test]
    fn quantised_integers_stand_for_real_numbers() {
        let values = Values {
            quantisation: Some(Quantisation {
                scale: 0.05,
                zero_point: -128,
            }),
            ..Values::plain(DType::Int8, &[127])
        };
        let mut out = [0.0];
        values.read(0, 1, &mut out);
        assert!((out[0] - 12.75).abs() < 1e-12);
    }
}
