//! What does one streaming pass over two tensors tell?
//!
//! Blocks are widened to f64 in a small buffer, summed, and joined pairwise: the error of a sum grows with the
//! logarithm of its length, and the tree depends on the length alone, so the result is always the same.

use super::{
    element::{Element, ForElement, with_element},
    moments::Moments,
    nonfinite::NonFinite,
};
use crate::tensor::DType;

/// What the pass found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elementwise {
    pub reference_nonfinite: NonFinite,
    pub actual_nonfinite: NonFinite,
    /// Meaningless but for its count where a side holds a NaN or infinity.
    pub moments: Moments,
}

impl Elementwise {
    /// No NaN and no infinity on either side.
    pub fn is_finite(&self) -> bool {
        self.reference_nonfinite.count == 0 && self.actual_nonfinite.count == 0
    }

    fn join(self, other: Elementwise) -> Elementwise {
        let length = self.moments.count;
        Elementwise {
            reference_nonfinite: self.reference_nonfinite.followed_by(length, other.reference_nonfinite),
            actual_nonfinite: self.actual_nonfinite.followed_by(length, other.actual_nonfinite),
            moments: self.moments.join(other.moments),
        }
    }
}

/// Compares two tensors of one element type and one length; bytes after the last whole element are not looked at.
pub(super) fn compare(dtype: DType, reference: &[u8], actual: &[u8]) -> Elementwise {
    with_element(dtype, Compare { reference, actual })
}

struct Compare<'a> {
    reference: &'a [u8],
    actual: &'a [u8],
}

impl ForElement for Compare<'_> {
    type Output = Elementwise;

    fn run<T: Element>(self) -> Elementwise {
        compare_pairwise::<T>(self.reference, self.actual, &mut Block::new())
    }
}

/// Elements of a block: three blocks of f64 stay in a first-level cache.
const BLOCK: usize = 1024;

fn compare_pairwise<T: Element>(reference: &[u8], actual: &[u8], block: &mut Block) -> Elementwise {
    let blocks = reference.len().div_ceil(T::BYTES * BLOCK);
    if blocks <= 1 {
        return block.compare::<T>(reference, actual);
    }
    let middle = blocks / 2 * BLOCK * T::BYTES;
    let left = compare_pairwise::<T>(&reference[..middle], &actual[..middle], block);
    let right = compare_pairwise::<T>(&reference[middle..], &actual[middle..], block);
    left.join(right)
}

struct Block {
    reference: [f64; BLOCK],
    actual: [f64; BLOCK],
    distance: [f64; BLOCK],
}

impl Block {
    fn new() -> Block {
        Block {
            reference: [0.0; BLOCK],
            actual: [0.0; BLOCK],
            distance: [0.0; BLOCK],
        }
    }

    fn compare<T: Element>(&mut self, reference: &[u8], actual: &[u8]) -> Elementwise {
        let count = self.widen::<T>(reference, actual);
        let (reference, actual) = (&self.reference[..count], &self.actual[..count]);
        let moments = Moments::of_block(reference, actual, &self.distance[..count]);
        // A NaN or infinity makes its side's mean NaN or infinite, so only blocks with such a mean are looked through.
        let nonfinite = |mean: f64, values| match mean.is_finite() {
            true => NonFinite::default(),
            false => NonFinite::of(values),
        };
        Elementwise {
            reference_nonfinite: nonfinite(moments.reference.mean, reference),
            actual_nonfinite: nonfinite(moments.actual.mean, actual),
            moments,
        }
    }

    fn widen<T: Element>(&mut self, reference: &[u8], actual: &[u8]) -> usize {
        let elements = reference.chunks_exact(T::BYTES).zip(actual.chunks_exact(T::BYTES));
        let count = elements.len();
        let slots = self.reference.iter_mut().zip(&mut self.actual).zip(&mut self.distance);
        for (((r, a), d), (reference, actual)) in slots.zip(elements) {
            let (reference, actual) = (T::read(reference), T::read(actual));
            *r = reference.widen();
            *a = actual.widen();
            *d = reference.distance(actual);
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-12 * a.abs().max(1.0)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn the_result_does_not_depend_on_where_the_tensors_are_cut(
            pairs in prop::collection::vec((-100f32..100.0, -100f32..100.0), 1..5000),
            cut: prop::sample::Index,
        ) {
            let (reference, actual): (Vec<[u8; 4]>, Vec<[u8; 4]>) =
                pairs.iter().map(|(r, a)| (r.to_le_bytes(), a.to_le_bytes())).unzip();
            let (reference, actual) = (reference.concat(), actual.concat());
            let whole = compare(DType::Float32, &reference, &actual).moments;
            let cut = 4 * cut.index(pairs.len());
            let left = compare(DType::Float32, &reference[..cut], &actual[..cut]);
            let right = compare(DType::Float32, &reference[cut..], &actual[cut..]);
            let parts = left.join(right).moments;
            prop_assert_eq!(parts.count, whole.count);
            prop_assert_eq!(parts.max_distance, whole.max_distance);
            prop_assert_eq!(parts.reference.range(), whole.reference.range());
            prop_assert!(close(parts.distance, whole.distance));
            prop_assert!(close(parts.squared_distance, whole.squared_distance));
            prop_assert!(close(parts.reference.mean, whole.reference.mean));
            prop_assert!(close(parts.actual.second_moment, whole.actual.second_moment));
            prop_assert!((parts.co_moment - whole.co_moment).abs() <= 1e-12 * whole.actual.second_moment.max(1.0));
        }

        #[test]
        fn every_nonfinite_value_is_counted_once_wherever_blocks_end(
            at in prop::collection::btree_set(0usize..4000, 0..20),
        ) {
            let mut values = vec![0.5f32; 4000];
            for &index in &at {
                values[index] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY][index % 3];
            }
            let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
            let finite = [0; 16_000];
            let expected = NonFinite { count: at.len() as u64, first: at.first().map(|&i| i as u64) };
            let found = compare(DType::Float32, &finite, &bytes);
            prop_assert_eq!((found.reference_nonfinite, found.actual_nonfinite), (NonFinite::default(), expected));
            let found = compare(DType::Float32, &bytes, &finite);
            prop_assert_eq!((found.reference_nonfinite, found.actual_nonfinite), (expected, NonFinite::default()));
        }
    }
}
