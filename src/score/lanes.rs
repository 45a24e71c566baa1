//! How is a sum taken in vector registers?

const LANES: usize = 8;

/// A sum in [`LANES`] independent parts: the compiler may not reorder additions, so the code says an order in which they
/// need not wait for each other.
#[inline(always)]
pub(super) fn sum(values: &[f64]) -> f64 {
    let (lanes, rest) = values.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for values in lanes {
        for lane in 0..LANES {
            sums[lane] += values[lane];
        }
    }
    sums.iter().sum::<f64>() + rest.iter().sum::<f64>()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_value_is_summed_once_whatever_their_number() {
        for count in 0..40 {
            let values: Vec<f64> = (1..=count).map(f64::from).collect();
            assert_eq!(super::sum(&values), f64::from(count * (count + 1) / 2));
        }
    }
}
