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

const LANES: usize = 8;

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
        let (r, a) = sums_and_extremes(reference, actual);
        let count = reference.len() as f64;
        let (r_mean, a_mean) = (r.sum / count, a.sum / count);
        let about = sums_about(reference, actual, distance, r_mean, a_mean);
        Moments {
            count: reference.len() as u64,
            reference: Side::new(&r, r_mean, about.r_squared),
            actual: Side::new(&a, a_mean, about.a_squared),
            co_moment: about.product,
            distance: about.distance,
            squared_distance: about.squared_distance,
            max_distance: about.max_distance,
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
    fn new(values: &SumAndExtremes, mean: f64, second_moment: f64) -> Side {
        Side {
            mean,
            second_moment,
            min: values.min,
            max: values.max,
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

struct SumAndExtremes {
    sum: f64,
    min: f64,
    max: f64,
}

struct SumsAbout {
    r_squared: f64,
    a_squared: f64,
    product: f64,
    distance: f64,
    squared_distance: f64,
    max_distance: f64,
}

// Each loop carries several sums, each in LANES independent parts: the compiler can keep them in vector registers, and
// an addition need not wait for the one before. The rest of a block that fills no lanes goes to the first.

/// Comparisons, not f64::min and max: their rules for NaN cost an instruction per value. A NaN is passed over.
#[inline(always)]
fn least(value: f64, so_far: f64) -> f64 {
    if value < so_far { value } else { so_far }
}

#[inline(always)]
fn greatest(value: f64, so_far: f64) -> f64 {
    if value > so_far { value } else { so_far }
}

#[inline(always)]
fn sums_and_extremes(reference: &[f64], actual: &[f64]) -> (SumAndExtremes, SumAndExtremes) {
    let (mut r_sum, mut r_min, mut r_max) = ([0.0; LANES], [f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES]);
    let (mut a_sum, mut a_min, mut a_max) = (r_sum, r_min, r_max);
    let mut take = |lane: usize, r: f64, a: f64| {
        r_sum[lane] += r;
        r_min[lane] = least(r, r_min[lane]);
        r_max[lane] = greatest(r, r_max[lane]);
        a_sum[lane] += a;
        a_min[lane] = least(a, a_min[lane]);
        a_max[lane] = greatest(a, a_max[lane]);
    };
    let ((r_lanes, r_rest), (a_lanes, a_rest)) = (reference.as_chunks::<LANES>(), actual.as_chunks::<LANES>());
    for (r, a) in r_lanes.iter().zip(a_lanes) {
        for lane in 0..LANES {
            take(lane, r[lane], a[lane]);
        }
    }
    for (&r, &a) in r_rest.iter().zip(a_rest) {
        take(0, r, a);
    }
    let whole = |sum: [f64; LANES], min: [f64; LANES], max: [f64; LANES]| SumAndExtremes {
        sum: sum.iter().sum(),
        min: min
            .into_iter()
            .fold(f64::INFINITY, |so_far, value| least(value, so_far)),
        max: max
            .into_iter()
            .fold(f64::NEG_INFINITY, |so_far, value| greatest(value, so_far)),
    };
    (whole(r_sum, r_min, r_max), whole(a_sum, a_min, a_max))
}

#[inline(always)]
fn sums_about(reference: &[f64], actual: &[f64], distance: &[f64], r_mean: f64, a_mean: f64) -> SumsAbout {
    let zero = [0.0; LANES];
    let (mut r_squared, mut a_squared, mut product) = (zero, zero, zero);
    let (mut distances, mut squared_distances, mut max_distance) = (zero, zero, zero);
    let mut take = |lane: usize, r: f64, a: f64, d: f64| {
        let (r, a) = (r - r_mean, a - a_mean);
        r_squared[lane] += r * r;
        a_squared[lane] += a * a;
        product[lane] += r * a;
        distances[lane] += d;
        squared_distances[lane] += d * d;
        max_distance[lane] = greatest(d, max_distance[lane]);
    };
    let ((r_lanes, r_rest), (a_lanes, a_rest)) = (reference.as_chunks::<LANES>(), actual.as_chunks::<LANES>());
    let (d_lanes, d_rest) = distance.as_chunks::<LANES>();
    for ((r, a), d) in r_lanes.iter().zip(a_lanes).zip(d_lanes) {
        for lane in 0..LANES {
            take(lane, r[lane], a[lane], d[lane]);
        }
    }
    for ((&r, &a), &d) in r_rest.iter().zip(a_rest).zip(d_rest) {
        take(0, r, a, d);
    }
    SumsAbout {
        r_squared: r_squared.iter().sum(),
        a_squared: a_squared.iter().sum(),
        product: product.iter().sum(),
        distance: distances.iter().sum(),
        squared_distance: squared_distances.iter().sum(),
        max_distance: max_distance
            .into_iter()
            .fold(0.0, |so_far, value| greatest(value, so_far)),
    }
}
