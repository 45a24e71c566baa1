//! How many squared errors lie where, and what do they sum to, in memory that does not grow with their number?
//!
//! The bits of a positive f64 rise with its value. A bin holds the errors whose leading bits agree; what is left of
//! their bits is summed as an integer, so a bin's sum is exact and does not depend on the order of arrival.

/// Bits of an f64 below its sign, which is 0 for a squared error.
const BITS: u32 = 63;
/// Bits below the first bins: these tell the exponent and 7 bits of the fraction.
const FIRST_SHIFT: u32 = 45;
/// Bits by which the next bins are finer.
const FINER: u32 = 15;

/// A count and a sum of remainders in one integer: the sum takes the low bits, and cannot reach the count before 2^43
/// errors of 2^45 each.
type Bin = u128;
const COUNT_SHIFT: u32 = 88;

/// Errors of one range of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Group {
    /// Their leading bits.
    pub prefix: u64,
    pub count: u64,
    pub sum: f64,
}

/// Bins over all errors, or over those with the same leading bits.
#[derive(Clone, Debug)]
pub(super) struct Bins {
    /// Bits below a bin's own.
    shift: u32,
    /// Leading bits of all errors here, above those that number the bins.
    prefix: u64,
    bins: Vec<Bin>,
}

impl Bins {
    /// Empty bins for errors of any value.
    pub fn over_all() -> Bins {
        Bins {
            shift: FIRST_SHIFT,
            prefix: 0,
            bins: vec![0; 1 << (BITS - FIRST_SHIFT)],
        }
    }

    /// Empty bins that part one bin of these; none where its errors are equal already.
    pub fn within(&self, prefix: u64) -> Option<Bins> {
        let shift = self.shift.checked_sub(FINER)?;
        Some(Bins {
            shift,
            prefix,
            bins: vec![0; 1 << FINER],
        })
    }

    /// Takes a squared error in; one that lies elsewhere must not come here.
    #[inline(always)]
    pub fn add(&mut self, error: f64) {
        let bits = error.to_bits();
        let bin = (bits >> self.shift) as usize & (self.bins.len() - 1);
        let remainder = bits & ((1 << self.shift) - 1);
        self.bins[bin] += (1 << COUNT_SHIFT) | Bin::from(remainder);
    }

    /// Takes in as many equal squared errors.
    pub fn add_many(&mut self, error: f64, count: u64) {
        let bits = error.to_bits();
        let bin = (bits >> self.shift) as usize & (self.bins.len() - 1);
        let remainder = bits & ((1 << self.shift) - 1);
        self.bins[bin] += ((1 << COUNT_SHIFT) | Bin::from(remainder)) * Bin::from(count);
    }

    /// Takes in all that `other`, of the same range, has.
    pub fn merge(&mut self, other: &Bins) {
        for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
            *bin += more;
        }
    }

    /// The leading bits that an error shares with its bin.
    #[inline(always)]
    pub fn prefix_of(&self, error: f64) -> u64 {
        error.to_bits() >> self.shift
    }

    /// The bins that hold something, greatest errors first.
    pub fn descending(&self) -> impl Iterator<Item = Group> {
        let first = self.prefix << self.bins.len().trailing_zeros();
        let filled = self.bins.iter().enumerate().rev().filter(|(_, bin)| **bin != 0);
        filled.map(move |(index, &bin)| {
            let prefix = first + index as u64;
            let least = f64::from_bits(prefix << self.shift);
            // All errors of a bin have one exponent, so they are whole numbers of one unit.
            let unit = f64::from_bits((prefix << self.shift) + 1) - least;
            let count = (bin >> COUNT_SHIFT) as u64;
            let remainders = (bin & ((1 << COUNT_SHIFT) - 1)) as f64;
            Group {
                prefix,
                count,
                sum: count as f64 * least + remainders * unit,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bins_hold_every_error_once_in_order_with_its_sum(errors in prop::collection::vec(0f64..1e6, 0..200)) {
            let mut bins = Bins::over_all();
            errors.iter().for_each(|&error| bins.add(error));
            let groups: Vec<Group> = bins.descending().collect();
            prop_assert!(groups.is_sorted_by(|a, b| a.prefix > b.prefix));
            prop_assert_eq!(groups.iter().map(|group| group.count).sum::<u64>(), errors.len() as u64);
            for group in groups {
                let here: Vec<f64> =
                    errors.iter().copied().filter(|&error| bins.prefix_of(error) == group.prefix).collect();
                prop_assert_eq!(here.len() as u64, group.count);
                prop_assert!((here.iter().sum::<f64>() - group.sum).abs() <= 1e-14 * group.sum);
            }
        }

        #[test]
        fn merging_is_adding(left in prop::collection::vec(0f64..1.0, 0..50), right in prop::collection::vec(0f64..1.0, 0..50)) {
            let (mut parts, mut other, mut whole) = (Bins::over_all(), Bins::over_all(), Bins::over_all());
            left.iter().for_each(|&error| parts.add(error));
            right.iter().for_each(|&error| other.add(error));
            right.iter().chain(&left).for_each(|&error| whole.add(error));
            parts.merge(&other);
            prop_assert!(parts.descending().eq(whole.descending()));
        }
    }

    #[test]
    fn finer_bins_end_where_all_errors_are_equal() {
        let error = 0.1;
        let mut bins = Bins::over_all();
        let mut levels = 0;
        while let Some(finer) = bins.within(bins.prefix_of(error)) {
            bins = finer;
            bins.add(error);
            bins.add(error);
            let group = bins.descending().next().unwrap();
            assert_eq!((group.prefix, group.count, group.sum), (bins.prefix_of(error), 2, 0.2));
            levels += 1;
        }
        assert_eq!(levels, 3);
        assert_eq!(f64::from_bits(bins.prefix_of(error)), error);
    }

    #[test]
    fn the_smallest_numbers_and_zero_have_their_sum_too() {
        let mut bins = Bins::over_all();
        for error in [0.0, 5e-324, 5e-324] {
            bins.add(error);
        }
        let groups: Vec<Group> = bins.descending().collect();
        assert_eq!(groups.len(), 1);
        assert_eq!((groups[0].count, groups[0].sum), (3, 1e-323));
    }
}
