//! Which sums over two finite tensors do all element-wise metrics come from?

/// Sums over pairs of values (reference r, actual a), joinable without loss of digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moments {
    pub count: u64,
    pub reference: Side,
    pub actual: Side,
    /// Σ (r - mean r)(a - mean a)
    pub co_moment: f64,
    /// Σ |a - r|
    pub distance: f64,
    /// Σ (a - r)²
    pub squared_distance: f64,
    /// max |a - r|
    pub max_distance: f64,
}

/// Sums over one of the two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Side {
    pub mean: f64,
    /// Σ (x - mean)²
    pub second_moment: f64,
    pub min: f64,
    pub max: f64,
}

const LANES: usize = 32;

impl Moments {
    /// The sums of no elements.
    pub const EMPTY: Moments = Moments {
        count: 0,
        reference: Side::EMPTY,
        actual: Side::EMPTY,
        co_moment: 0.0,
        distance: 0.0,
        squared_distance: 0.0,
        max_distance: 0.0,
    };

    /// The sums of one block: slices of one length, `distance` being |a - r|. Where a value is not finite, so are sums.
    #[inline(always)]
    pub fn of_block(reference: &[f64], actual: &[f64], distance: &[f64]) -> Moments {
        if reference.is_empty() {
            return Moments::EMPTY;
        }
        let r_mean = mean(reference);
        let a_mean = mean(actual);
        let (_, max_distance) = extremes(distance);
        Moments {
            count: reference.len() as u64,
            reference: Side::new(reference, r_mean),
            actual: Side::new(actual, a_mean),
            co_moment: sum(reference, actual, |r, a| (r - r_mean) * (a - a_mean)),
            distance: sum(distance, distance, |d, _| d),
            squared_distance: sum(distance, distance, |d, _| d * d),
            max_distance,
        }
    }

    /// The sums of both parts together (Chan, Golub and LeVeque 1983 for the central moments).
    pub fn join(self, other: Moments) -> Moments {
        if self.count == 0 {
            return other;
        }
        if other.count == 0 {
            return self;
        }
        let (n, m) = (self.count as f64, other.count as f64);
        let weight = n * m / (n + m);
        let r_shift = other.reference.mean - self.reference.mean;
        let a_shift = other.actual.mean - self.actual.mean;
        Moments {
            count: self.count + other.count,
            reference: self.reference.join(other.reference, m / (n + m), weight),
            actual: self.actual.join(other.actual, m / (n + m), weight),
            co_moment: self.co_moment + other.co_moment + r_shift * a_shift * weight,
            distance: self.distance + other.distance,
            squared_distance: self.squared_distance + other.squared_distance,
            max_distance: self.max_distance.max(other.max_distance),
        }
    }

    /// Mean of the squared differences.
    pub fn mse(&self) -> f64 {
        self.squared_distance / self.count as f64
    }

    /// Mean of the absolute differences.
    pub fn mean_abs(&self) -> f64 {
        self.distance / self.count as f64
    }

    /// Root of the mean squared difference.
    pub fn rms(&self) -> f64 {
        self.mse().sqrt()
    }

    /// Every pair equal; -0.0 equals 0.0.
    pub fn identical(&self) -> bool {
        self.max_distance == 0.0
    }

    /// Signal to noise in dB: 10 log10(Σ r² / Σ (a - r)²). None where that is not finite.
    pub fn snr_db(&self) -> Option<f64> {
        let signal = self.reference.sum_of_squares(self.count as f64);
        Some(10.0 * (signal / self.squared_distance).log10()).filter(|db| db.is_finite())
    }

    /// Cosine of the angle between the two: Σ ra / sqrt(Σr² Σa²). None where a side is zero throughout.
    pub fn cosine(&self) -> Option<f64> {
        let n = self.count as f64;
        let product = self.co_moment + n * self.reference.mean * self.actual.mean;
        let cosine = product / self.reference.sum_of_squares(n).sqrt() / self.actual.sum_of_squares(n).sqrt();
        Some(cosine.clamp(-1.0, 1.0)).filter(|cosine| cosine.is_finite())
    }

    /// Pearson's correlation. None where a side is constant.
    pub fn correlation(&self) -> Option<f64> {
        if self.reference.is_constant() || self.actual.is_constant() {
            return None;
        }
        if self.identical() {
            return Some(1.0);
        }
        // Two roots, since the product of the moments can leave the range of f64 where they do not.
        let corr = self.co_moment / self.reference.second_moment.sqrt() / self.actual.second_moment.sqrt();
        Some(corr.clamp(-1.0, 1.0)).filter(|corr| corr.is_finite())
    }
}

impl Side {
    const EMPTY: Side = Side {
        mean: 0.0,
        second_moment: 0.0,
        min: f64::INFINITY,
        max: f64::NEG_INFINITY,
    };

    #[inline(always)]
    fn new(values: &[f64], mean: f64) -> Side {
        let (min, max) = extremes(values);
        Side {
            mean,
            second_moment: sum(values, values, |x, _| (x - mean) * (x - mean)),
            min,
            max,
        }
    }

    fn join(self, other: Side, share: f64, weight: f64) -> Side {
        let shift = other.mean - self.mean;
        Side {
            mean: self.mean + shift * share,
            second_moment: self.second_moment + other.second_moment + shift * shift * weight,
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// Σ x²
    fn sum_of_squares(&self, count: f64) -> f64 {
        self.second_moment + count * self.mean * self.mean
    }

    /// The greatest |x|.
    pub fn largest(&self) -> f64 {
        self.max.max(-self.min)
    }

    /// max - min: the peak of a plain tensor's PSNR.
    pub fn range(&self) -> f64 {
        self.max - self.min
    }

    pub fn is_constant(&self) -> bool {
        self.min >= self.max
    }
}

/// A sum over pairs, in [`LANES`] independent parts: the compiler can use vector registers, and an addition need not
/// wait for the one before. One sum a loop: with several, compilers shuffle values between registers instead.
#[inline(always)]
fn sum(xs: &[f64], ys: &[f64], term: impl Fn(f64, f64) -> f64) -> f64 {
    let mut sums = [0.0; LANES];
    let (x_lanes, x_rest) = xs.as_chunks::<LANES>();
    let (y_lanes, y_rest) = ys.as_chunks::<LANES>();
    for (x, y) in x_lanes.iter().zip(y_lanes) {
        for lane in 0..LANES {
            sums[lane] += term(x[lane], y[lane]);
        }
    }
    for (&x, &y) in x_rest.iter().zip(y_rest) {
        sums[0] += term(x, y);
    }
    sums.iter().sum()
}

#[inline(always)]
fn mean(values: &[f64]) -> f64 {
    sum(values, values, |x, _| x) / values.len() as f64
}

/// Least and greatest value. NaN is passed over.
#[inline(always)]
fn extremes(values: &[f64]) -> (f64, f64) {
    // A comparison, not f64::min: its rules for NaN cost an instruction per value.
    let least = |a: f64, b: f64| if a < b { a } else { b };
    let greatest = |a: f64, b: f64| if a > b { a } else { b };
    let mut min = [f64::INFINITY; LANES];
    let mut max = [f64::NEG_INFINITY; LANES];
    let (lanes, rest) = values.as_chunks::<LANES>();
    for values in lanes {
        for lane in 0..LANES {
            min[lane] = least(values[lane], min[lane]);
        }
    }
    for values in lanes {
        for lane in 0..LANES {
            max[lane] = greatest(values[lane], max[lane]);
        }
    }
    for &value in rest {
        min[0] = least(value, min[0]);
        max[0] = greatest(value, max[0]);
    }
    (
        min.into_iter().fold(f64::INFINITY, least),
        max.into_iter().fold(f64::NEG_INFINITY, greatest),
    )
}
