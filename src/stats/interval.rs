//! How sure is a median?
//!
//! Percentile bootstrap (Efron 1979): 2,000 resamples of the same size, drawn with replacement; the interval spans
//! the medians that remain when the 50 lowest and the 50 highest are left out.
//!
//! Which sorted positions a resample's median falls on depends on the number of samples alone, the generator's seed
//! being fixed. They are drawn once for each number and kept, so that a report of many rows pays once, and the same
//! samples always have the same interval.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

const RESAMPLES: usize = 2_000;
/// Left out at each end: 2.5 %.
const TAIL: usize = RESAMPLES / 40;
/// Fewer samples have no interval.
const LEAST: usize = 3;
/// More samples have none either: drawing them would take longer than it is worth.
const MOST: usize = 100_000;
/// Numbers of samples whose draws are kept at a time.
const KEPT: usize = 64;

/// 95 % interval of the median. None below 3 and above 100,000 samples, and where a sample is NaN or infinite.
pub fn median_interval95(samples: &[f64]) -> Option<[f64; 2]> {
    if !(LEAST..=MOST).contains(&samples.len()) || samples.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mut medians: Vec<(f64, usize)> = drawn(sorted.len())
        .iter()
        .map(|(middle, times)| (middle.median(&sorted), *times))
        .collect();
    medians.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    Some([
        after_tail(medians.iter().copied())?,
        after_tail(medians.iter().rev().copied())?,
    ])
}

/// The first value behind the [`TAIL`] outermost.
fn after_tail(medians: impl Iterator<Item = (f64, usize)>) -> Option<f64> {
    let mut passed = 0;
    for (median, times) in medians {
        passed += times;
        if passed > TAIL {
            return Some(median);
        }
    }
    None
}

/// Where the median of a resample lies: positions among the sorted samples, equal where their number is odd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Middle {
    lower: usize,
    upper: usize,
}

impl Middle {
    fn median(self, sorted: &[f64]) -> f64 {
        // Half of each, since a sum can leave the range of f64.
        sorted[self.lower] / 2.0 + sorted[self.upper] / 2.0
    }
}

/// The middles of all resamples of `n` samples, each with how often it came up.
type Draws = Rc<[(Middle, usize)]>;

thread_local! {
    static DRAWN: RefCell<BTreeMap<usize, Draws>> = const { RefCell::new(BTreeMap::new()) };
}

fn drawn(n: usize) -> Draws {
    DRAWN.with_borrow_mut(|drawn| {
        if !drawn.contains_key(&n) && drawn.len() >= KEPT {
            drawn.clear();
        }
        drawn.entry(n).or_insert_with(|| draw(n)).clone()
    })
}

fn draw(n: usize) -> Draws {
    let mut random = SplitMix64 { state: 0 };
    let mut times_drawn = vec![0u32; n];
    let mut middles: BTreeMap<Middle, usize> = BTreeMap::new();
    for _ in 0..RESAMPLES {
        times_drawn.fill(0);
        for _ in 0..n {
            times_drawn[random.below(n)] += 1;
        }
        *middles.entry(middle(&times_drawn)).or_default() += 1;
    }
    middles.into_iter().collect()
}

/// The middle of a resample that holds position `i` so many times as `times_drawn[i]` says.
fn middle(times_drawn: &[u32]) -> Middle {
    let n = times_drawn.len();
    let at = |rank: usize| {
        let mut seen = 0;
        times_drawn
            .iter()
            .position(|&times| {
                seen += times as usize;
                seen > rank
            })
            .unwrap_or(n - 1)
    };
    Middle {
        lower: at((n - 1) / 2),
        upper: at(n / 2),
    }
}

/// The generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A position below `n`, which is at most [`MOST`]: the bias of the product is below 2^-47.
    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_yields_its_published_sequence() {
        let mut random = SplitMix64 { state: 1_234_567 };
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn the_middle_of_a_resample_is_the_middle_of_its_sorted_draws() {
        let middle_of = |times: &[u32]| {
            let Middle { lower, upper } = middle(times);
            (lower, upper)
        };
        assert_eq!(middle_of(&[1, 1, 1]), (1, 1));
        assert_eq!(middle_of(&[2, 0, 1]), (0, 0));
        assert_eq!(middle_of(&[1, 1, 1, 1]), (1, 2));
        assert_eq!(middle_of(&[2, 0, 0, 2]), (0, 3));
        assert_eq!(middle_of(&[0, 0, 0, 4]), (3, 3));
    }

    #[test]
    fn too_few_samples_have_no_interval() {
        assert_eq!(median_interval95(&[]), None);
        assert_eq!(median_interval95(&[1.0, 2.0]), None);
        assert_eq!(median_interval95(&[1.0, f64::NAN, 2.0]), None);
        assert!(median_interval95(&[1.0, 2.0, 3.0]).is_some());
    }

    #[test]
    fn the_kept_draws_are_those_of_a_fresh_thread() {
        let samples: Vec<f64> = (0..201).map(|i| f64::from(i * i % 137)).collect();
        let first = median_interval95(&samples);
        for n in LEAST..LEAST + 2 * KEPT {
            median_interval95(&samples[..n]);
        }
        assert_eq!(median_interval95(&samples), first);
        assert_eq!(
            std::thread::spawn(move || median_interval95(&samples)).join().unwrap(),
            first
        );
    }
}
