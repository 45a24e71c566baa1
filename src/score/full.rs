//! What more is there to know, where time and memory do not matter?

use serde::{Deserialize, Serialize};

use super::{elementwise::Pair, sparse::Errors, values::Values};

/// Figures that need an order of all errors, or the greatest value of the reference beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Full {
    /// Gini coefficient of the squared error: 0 where all elements carry the same, near 1 where one carries it all.
    pub gini: Option<f64>,
    /// Relative errors count only where |reference| is at least this: a hundredth of its greatest.
    pub rel_floor: f64,
    /// Elements at or above the floor.
    pub rel_count: u64,
    /// Greatest |a - r| / |r| of these.
    pub max_rel: Option<f64>,
    /// Their mean.
    pub mean_rel: Option<f64>,
}

const FLOOR: f64 = 0.01;

/// All of them. Takes 8 bytes of memory for each element. Both sides must be finite.
pub(super) fn full(pair: &Pair<'_>) -> Full {
    let rel_floor = FLOOR * largest(&pair.reference);
    let mut relative = Relative::default();
    let mut errors = Vec::with_capacity(pair.count() as usize);
    let mut reference = Vec::new();
    pair.each_block(&mut |block| {
        reference.resize(block.len(), 0.0);
        pair.reference.read(errors.len(), 1, &mut reference);
        for (squared, r) in block.iter().zip(&reference) {
            if r.abs() >= rel_floor && rel_floor > 0.0 {
                relative.add(squared.sqrt() / r.abs());
            }
        }
        errors.extend_from_slice(block);
    });
    Full {
        gini: gini(errors),
        rel_floor,
        rel_count: relative.count,
        max_rel: (relative.count > 0).then_some(relative.max),
        mean_rel: (relative.count > 0).then(|| relative.sum / relative.count as f64),
    }
}

#[derive(Default)]
struct Relative {
    count: u64,
    sum: f64,
    max: f64,
}

impl Relative {
    fn add(&mut self, error: f64) {
        self.count += 1;
        self.sum += error;
        self.max = self.max.max(error);
    }
}

fn largest(values: &Values<'_>) -> f64 {
    let mut block = [0.0; 1024];
    let mut largest = 0.0f64;
    for start in (0..values.len()).step_by(block.len()) {
        let count = values.read(start, 1, &mut block);
        largest = block[..count]
            .iter()
            .fold(largest, |largest, value| largest.max(value.abs()));
    }
    largest
}

/// (2 Σ i x_i) / (n Σ x) - (n + 1) / n over ascending x, i from 1.
fn gini(mut errors: Vec<f64>) -> Option<f64> {
    errors.sort_unstable_by(f64::total_cmp);
    let n = errors.len() as f64;
    let sum: f64 = errors.iter().sum();
    let weighted: f64 = errors.iter().enumerate().map(|(i, error)| (i + 1) as f64 * error).sum();
    Some(2.0 * weighted / (n * sum) - (n + 1.0) / n).filter(|gini| gini.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::DType;

    #[test]
    fn equal_errors_have_no_gini_and_one_error_has_all_of_it() {
        assert!(gini(vec![2.0; 50]).unwrap().abs() < 1e-12);
        let mut one = vec![0.0; 100];
        one[3] = 5.0;
        assert!((gini(one).unwrap() - 0.99).abs() < 1e-12);
        assert_eq!(gini(vec![0.0; 4]), None);
        assert_eq!(gini(Vec::new()), None);
    }

    #[test]
    fn relative_errors_are_taken_only_above_the_floor() {
        let bytes = |values: &[f32]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>();
        // An error of 476 at a reference of exactly 0, and one below the floor, say nothing.
        let (reference, actual) = (bytes(&[0.0, 100.0, -50.0, 0.5]), bytes(&[476.0, 101.0, -50.5, 5.0]));
        let full = full(&Pair {
            reference: Values::plain(DType::Float32, &reference),
            actual: Values::plain(DType::Float32, &actual),
            equal_infinities: false,
            tolerance: None,
        });
        assert_eq!((full.rel_floor, full.rel_count), (1.0, 2));
        assert!((full.max_rel.unwrap() - 0.01).abs() < 1e-12);
        assert!((full.mean_rel.unwrap() - 0.01).abs() < 1e-12);
    }
}
