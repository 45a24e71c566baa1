//! Which values are NaN or infinite?

/// The NaNs and infinities of a run of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NonFinite {
    pub count: u64,
    /// How many of them are NaN.
    pub nans: u64,
    /// Index of the first, from the start of the run.
    pub first: Option<u64>,
}

impl NonFinite {
    pub(super) const NONE: NonFinite = NonFinite {
        count: 0,
        nans: 0,
        first: None,
    };

    pub(super) fn of(values: impl Iterator<Item = f64>) -> NonFinite {
        let mut found = NonFinite::NONE;
        for (index, value) in values.enumerate().filter(|(_, value)| !value.is_finite()) {
            found.count += 1;
            found.nans += u64::from(value.is_nan());
            found.first = found.first.or(Some(index as u64));
        }
        found
    }

    /// The run of `self`, `length` values long, followed by `next`.
    pub(super) fn followed_by(self, length: u64, next: NonFinite) -> NonFinite {
        NonFinite {
            count: self.count + next.count,
            nans: self.nans + next.nans,
            first: self.first.or(next.first.map(|i| i + length)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> NonFinite {
        NonFinite::of(values.iter().copied())
    }

    #[test]
    fn nan_and_both_infinities_count_and_the_first_is_named() {
        let values = [1.0, f64::MAX, f64::NEG_INFINITY, 0.0, f64::NAN, f64::INFINITY, -0.0];
        assert_eq!(
            of(&values),
            NonFinite {
                count: 3,
                nans: 1,
                first: Some(2)
            }
        );
        assert_eq!(of(&values[..2]), NonFinite::NONE);
    }

    #[test]
    fn joining_two_runs_counts_as_one_run_does() {
        let values = [0.0, 1.0, f64::NAN, 2.0, f64::INFINITY];
        for middle in 0..=values.len() {
            let (left, right) = values.split_at(middle);
            let joined = of(left).followed_by(middle as u64, of(right));
            assert_eq!(joined, of(&values));
        }
    }
}
