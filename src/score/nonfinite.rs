//! Which values are NaN or infinite?

/// The NaNs and infinities of a run of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NonFinite {
    pub count: u64,
    /// Index of the first, from the start of the run.
    pub first: Option<u64>,
}

impl NonFinite {
    pub(super) fn of(values: &[f64]) -> NonFinite {
        NonFinite {
            count: values.iter().filter(|v| !v.is_finite()).count() as u64,
            first: values.iter().position(|v| !v.is_finite()).map(|i| i as u64),
        }
    }

    /// The run of `self`, `length` values long, followed by `next`.
    pub(super) fn followed_by(self, length: u64, next: NonFinite) -> NonFinite {
        NonFinite {
            count: self.count + next.count,
            first: self.first.or(next.first.map(|i| i + length)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_and_both_infinities_count_and_the_first_is_named() {
        let values = [1.0, f64::MAX, f64::NEG_INFINITY, 0.0, f64::NAN, f64::INFINITY, -0.0];
        assert_eq!(
            NonFinite::of(&values),
            NonFinite {
                count: 3,
                first: Some(2)
            }
        );
        assert_eq!(NonFinite::of(&values[..2]), NonFinite::default());
    }

    #[test]
    fn joining_two_runs_counts_as_one_run_does() {
        let values = [0.0, 1.0, f64::NAN, 2.0, f64::INFINITY];
        for middle in 0..=values.len() {
            let (left, right) = values.split_at(middle);
            let joined = NonFinite::of(left).followed_by(middle as u64, NonFinite::of(right));
            assert_eq!(joined, NonFinite::of(&values));
        }
    }
}
