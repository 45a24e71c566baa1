//! What number does a quantised integer stand for?

use serde::{Deserialize, Serialize};

/// An integer q stands for `scale * (q - zero_point)`, taken in f64, so that narrow integers cannot wrap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quantisation {
    pub scale: f64,
    #[serde(default)]
    pub zero_point: i64,
}

impl Quantisation {
    /// The number that `q` stands for.
    #[inline(always)]
    pub fn real(self, q: f64) -> f64 {
        self.scale * (q - self.zero_point as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_is_taken_before_a_narrow_integer_could_wrap() {
        let quantisation = Quantisation {
            scale: 0.05,
            zero_point: -128,
        };
        assert!((quantisation.real(127.0) - 12.75).abs() < 1e-12);
        assert_eq!(quantisation.real(-128.0), 0.0);
    }
}
