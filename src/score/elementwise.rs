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
