//! What does one streaming pass over two tensors tell?
//!
//! Blocks are widened to f64 in a small buffer, summed, and joined pairwise: the error of a sum grows with the
//! logarithm of its length, and the tree depends on the length alone, so the result is always the same, on however
//! many threads.

use super::{
    bins::Bins,
    breakdown::{Axes, AxisSums},
    moments::Moments,
    nonfinite::NonFinite,
    simd::vectorised,
    sparse::{Errors, FEW},
    values::{Values, distances},
};
use crate::sweep::Tolerance;

/// Two tensors of one length, and what is asked about them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'a> {
    pub reference: Values<'a>,
    pub actual: Values<'a>,
    /// Infinities that both sides have are left out.
    pub equal_infinities: bool,
    pub tolerance: Option<Tolerance>,
}

/// What the pass found.
#[derive(Clone, Debug)]
pub(super) struct Elementwise {
    /// Without the infinities that both sides have, where these are left out.
    pub reference_nonfinite: NonFinite,
    pub actual_nonfinite: NonFinite,
    /// Infinities that both sides have and that are left out of the moments.
    pub equal_infinities: u64,
    /// Meaningless but for its count where a side holds a NaN or infinity.
    pub moments: Moments,
    /// Elements outside the tolerance; meaningless without one.
    pub outside: u64,
}

impl Elementwise {
    const EMPTY: Elementwise = Elementwise {
        reference_nonfinite: NonFinite::NONE,
        actual_nonfinite: NonFinite::NONE,
        equal_infinities: 0,
        moments: Moments::EMPTY,
        outside: 0,
    };

    /// Elements on each side.
    pub fn count(&self) -> u64 {
        self.moments.count + self.equal_infinities
    }

    /// No NaN and no infinity on either side, but for those left out.
    pub fn is_finite(&self) -> bool {
        self.reference_nonfinite.count == 0 && self.actual_nonfinite.count == 0
    }

    fn join(self, other: Elementwise) -> Elementwise {
        let length = self.count();
        Elementwise {
            reference_nonfinite: self.reference_nonfinite.followed_by(length, other.reference_nonfinite),
            actual_nonfinite: self.actual_nonfinite.followed_by(length, other.actual_nonfinite),
            equal_infinities: self.equal_infinities + other.equal_infinities,
            moments: self.moments.join(other.moments),
            outside: self.outside + other.outside,
        }
    }
}

/// The same with what the squared errors were put into on the way.
pub(super) struct Survey {
    pub found: Elementwise,
    /// None where there are few enough errors to put in order in memory.
    pub bins: Option<Bins>,
    pub sums: AxisSums,
}

/// Elements of a block: three blocks of f64 stay in a first-level cache.
const BLOCK: usize = 1024;
/// Elements that one thread goes through: enough to be worth bins of their own.
const LEAF: usize = 1 << 22;

/// What the squared errors are wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// For sums alone.
    Metrics,
    /// To know how they are spread.
    Spread,
}

/// Goes once through both tensors. `axes` must be those of their shape.
pub(super) fn survey(pair: &Pair<'_>, axes: &Axes, wanted: Wanted) -> Survey {
    let length = pair.reference.len().min(pair.actual.len());
    let binned = wanted == Wanted::Spread && length as u64 > FEW;
    survey_range(pair, axes, binned, 0, length)
}

fn survey_range(pair: &Pair<'_>, axes: &Axes, binned: bool, start: usize, length: usize) -> Survey {
    if length > LEAF {
        let left = half(length);
        let (left, right) = rayon::join(
            || survey_range(pair, axes, binned, start, left),
            || survey_range(pair, axes, binned, start + left, length - left),
        );
        return Survey {
            found: left.found.join(right.found),
            bins: left.bins.zip(right.bins).map(|(mut bins, more)| {
                bins.merge(&more);
                bins
            }),
            sums: left.sums.join(right.sums),
        };
    }
    let mut visitor = Visitor {
        block: Block::new(),
        bins: binned.then(Bins::over_all),
        sums: axes.sums(),
        axes,
    };
    Survey {
        found: visitor.visit(pair, start, length),
        bins: visitor.bins,
        sums: visitor.sums,
    }
}

/// Elements of the left half, in whole blocks.
fn half(length: usize) -> usize {
    length.div_ceil(BLOCK) / 2 * BLOCK
}

struct Visitor<'a> {
    block: Block,
    bins: Option<Bins>,
    sums: AxisSums,
    axes: &'a Axes,
}

impl Visitor<'_> {
    fn visit(&mut self, pair: &Pair<'_>, start: usize, length: usize) -> Elementwise {
        if length > BLOCK {
            let left = half(length);
            let found = self.visit(pair, start, left);
            return found.join(self.visit(pair, start + left, length - left));
        }
        vectorised(
            #[inline(always)]
            || {
                self.block.read(pair, start, length);
                let squared = self.block.squared(length);
                self.axes.add(&mut self.sums, start, squared);
                if let Some(bins) = &mut self.bins {
                    squared.iter().for_each(|&error| bins.add(error));
                }
                self.block.compare(pair, length)
            },
        )
    }
}

/// The squared errors of a pair, read again.
impl Errors for Pair<'_> {
    fn count(&self) -> u64 {
        self.reference.len().min(self.actual.len()) as u64
    }

    fn each_block(&self, visit: &mut dyn FnMut(&[f64])) {
        let mut block = Block::new();
        let count = Errors::count(self) as usize;
        for start in (0..count).step_by(BLOCK) {
            let length = BLOCK.min(count - start);
            let squared = vectorised(
                #[inline(always)]
                || {
                    block.read(self, start, length);
                    block.squared(length)
                },
            );
            visit(squared);
        }
    }
}

struct Block {
    reference: [f64; BLOCK],
    actual: [f64; BLOCK],
    distance: [f64; BLOCK],
    squared: [f64; BLOCK],
}

impl Block {
    fn new() -> Block {
        Block {
            reference: [0.0; BLOCK],
            actual: [0.0; BLOCK],
            distance: [0.0; BLOCK],
            squared: [0.0; BLOCK],
        }
    }

    #[inline(always)]
    fn read(&mut self, pair: &Pair<'_>, start: usize, length: usize) {
        let (reference, actual) = (&mut self.reference[..length], &mut self.actual[..length]);
        pair.reference.read(start, 1, reference);
        pair.actual.read(start, 1, actual);
        let distance = &mut self.distance[..length];
        distances([&pair.reference, &pair.actual], start, reference, actual, distance);
        if pair.equal_infinities {
            for (distance, (r, a)) in distance.iter_mut().zip(reference.iter().zip(actual)) {
                // Infinity less infinity is NaN.
                if r.is_infinite() && r == a {
                    *distance = 0.0;
                }
            }
        }
    }

    #[inline(always)]
    fn squared(&mut self, length: usize) -> &[f64] {
        let squared = &mut self.squared[..length];
        for (squared, distance) in squared.iter_mut().zip(&self.distance) {
            *squared = distance * distance;
        }
        squared
    }

    #[inline(always)]
    fn compare(&mut self, pair: &Pair<'_>, length: usize) -> Elementwise {
        let moments = self.moments(length);
        let outside = match pair.tolerance {
            Some(tolerance) => self.outside(tolerance, length),
            None => 0,
        };
        // A NaN or infinity makes its side's mean NaN or infinite, so only blocks with such a mean are looked through.
        if moments.reference.mean.is_finite() && moments.actual.mean.is_finite() {
            return Elementwise {
                moments,
                outside,
                ..Elementwise::EMPTY
            };
        }
        self.compare_nonfinite(pair.equal_infinities, moments, outside, length)
    }

    #[inline(never)]
    fn compare_nonfinite(&mut self, leave_out: bool, moments: Moments, outside: u64, length: usize) -> Elementwise {
        let left_out = |r: f64, a: f64| leave_out && r.is_infinite() && r == a;
        let nonfinite = |of_side: fn((f64, f64)) -> f64| {
            let pairs = self.reference[..length].iter().zip(&self.actual[..length]);
            NonFinite::of(pairs.map(|(&r, &a)| if left_out(r, a) { 0.0 } else { of_side((r, a)) }))
        };
        let (reference_nonfinite, actual_nonfinite) = (nonfinite(|(r, _)| r), nonfinite(|(_, a)| a));
        let mut kept = 0;
        for i in 0..length {
            if !left_out(self.reference[i], self.actual[i]) {
                self.reference[kept] = self.reference[i];
                self.actual[kept] = self.actual[i];
                self.distance[kept] = self.distance[i];
                kept += 1;
            }
        }
        Elementwise {
            reference_nonfinite,
            actual_nonfinite,
            equal_infinities: (length - kept) as u64,
            moments: if kept == length { moments } else { self.moments(kept) },
            outside,
        }
    }

    #[inline(always)]
    fn moments(&self, length: usize) -> Moments {
        Moments::of_block(
            &self.reference[..length],
            &self.actual[..length],
            &self.distance[..length],
        )
    }

    #[inline(always)]
    fn outside(&self, tolerance: Tolerance, length: usize) -> u64 {
        let pairs = self.distance[..length].iter().zip(&self.reference);
        pairs
            .map(|(distance, reference)| {
                // Written so that NaN is outside; of equal infinities the distance is 0.
                let inside = *distance <= tolerance.abs + tolerance.rel * reference.abs();
                u64::from(!inside)
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{super::breakdown::Naming, *};
    use crate::tensor::DType;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-12 * a.abs().max(1.0)
    }

    fn pair<'a>(reference: &'a [u8], actual: &'a [u8]) -> Pair<'a> {
        Pair {
            reference: Values::plain(DType::Float32, reference),
            actual: Values::plain(DType::Float32, actual),
            equal_infinities: false,
            tolerance: None,
        }
    }

    fn found(pair: &Pair<'_>) -> Elementwise {
        survey(pair, &Axes::of(&[], Naming::Tensor), Wanted::Spread).found
    }

    fn bytes(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|v| v.to_le_bytes()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn the_result_does_not_depend_on_where_the_tensors_are_cut(
            pairs in prop::collection::vec((-100f32..100.0, -100f32..100.0), 1..5000),
            cut: prop::sample::Index,
        ) {
            let (reference, actual): (Vec<f32>, Vec<f32>) = pairs.iter().copied().unzip();
            let (reference, actual) = (bytes(&reference), bytes(&actual));
            let whole = found(&pair(&reference, &actual)).moments;
            let cut = 4 * cut.index(pairs.len());
            let left = found(&pair(&reference[..cut], &actual[..cut]));
            let right = found(&pair(&reference[cut..], &actual[cut..]));
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
            let (values, finite) = (bytes(&values), [0; 16_000]);
            let expected = NonFinite {
                count: at.len() as u64,
                nans: at.iter().filter(|index| *index % 3 == 0).count() as u64,
                first: at.first().map(|&i| i as u64),
            };
            let there = found(&pair(&finite, &values));
            prop_assert_eq!((there.reference_nonfinite, there.actual_nonfinite), (NonFinite::NONE, expected));
            let there = found(&pair(&values, &finite));
            prop_assert_eq!((there.reference_nonfinite, there.actual_nonfinite), (expected, NonFinite::NONE));
        }

        #[test]
        fn equal_infinities_are_left_out_and_leave_the_rest_alone(
            at in prop::collection::btree_set(0usize..3000, 1..20),
        ) {
            let value = |i: usize| i as f32 / 7.0;
            let (mut with, mut without) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
            for i in 0..3000 {
                let is_infinite = at.contains(&i);
                for (side, offset) in [(0, 0.0), (1, 0.25)] {
                    with[side].push(if is_infinite { f32::NEG_INFINITY } else { value(i) + offset });
                    if !is_infinite {
                        without[side].push(value(i) + offset);
                    }
                }
            }
            let [reference, actual] = with.map(|values| bytes(&values));
            let there = found(&Pair { equal_infinities: true, ..pair(&reference, &actual) });
            prop_assert!(there.is_finite());
            prop_assert_eq!((there.count(), there.equal_infinities), (3000, at.len() as u64));
            let [reference, actual] = without.map(|values| bytes(&values));
            let rest = found(&pair(&reference, &actual)).moments;
            prop_assert!(close(rest.squared_distance, there.moments.squared_distance));
            prop_assert!(close(rest.reference.mean, there.moments.reference.mean));
        }
    }

    #[test]
    fn an_infinity_of_the_other_sign_or_of_one_side_alone_is_not_left_out() {
        let reference = bytes(&[f32::INFINITY, f32::INFINITY, 1.0, f32::NAN]);
        let actual = bytes(&[f32::NEG_INFINITY, 1.0, f32::INFINITY, f32::NAN]);
        let there = found(&Pair {
            equal_infinities: true,
            ..pair(&reference, &actual)
        });
        assert_eq!(there.equal_infinities, 0);
        assert_eq!((there.reference_nonfinite.count, there.actual_nonfinite.count), (3, 3));
    }

    #[test]
    fn elements_outside_a_tolerance_are_counted_and_nan_is_outside() {
        let reference = bytes(&[1.0, 1.0, 100.0, 100.0, 1.0]);
        let actual = bytes(&[1.25, 1.5, 101.0, 102.0, f32::NAN]);
        let there = found(&Pair {
            tolerance: Some(Tolerance {
                abs: 0.25,
                rel: 0.0125,
                share: 0.0,
            }),
            ..pair(&reference, &actual)
        });
        assert_eq!(there.outside, 3);
    }

    #[test]
    fn the_result_does_not_depend_on_the_number_of_threads() {
        let count = LEAF + 12_345;
        let values = |seed: u32| -> Vec<u8> {
            let value = |i: u32| (i.wrapping_mul(2_654_435_761).wrapping_add(seed) >> 8) as f32 / 1e6;
            (0..count as u32).flat_map(|i| value(i).to_le_bytes()).collect()
        };
        let (reference, actual) = (values(1), values(99));
        let axes = Axes::of(&[count as u32], Naming::Tensor);
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let survey = pool.install(|| survey(&pair(&reference, &actual), &axes, Wanted::Spread));
            (
                survey.found.moments,
                survey.bins.unwrap().descending().collect::<Vec<_>>(),
            )
        };
        assert_eq!(with(1), with(3));
    }
}
