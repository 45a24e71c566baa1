//! How similar are two pictures in structure?
//!
//! SSIM of Wang, Bovik, Sheikh and Simoncelli, "Image quality assessment: from error visibility to structural
//! similarity", IEEE Transactions on Image Processing 13(4), 2004: Gaussian window of 11x11 with sigma 1.5,
//! K1 = 0.01, K2 = 0.03, population covariance, mean over the pixels whose window lies inside the picture.

use super::lanes;

/// Side of the window, and so the smallest side of a picture that has an SSIM.
pub(super) const WINDOW: usize = 11;
const RADIUS: usize = WINDOW / 2;
const SIGMA: f64 = 1.5;
const K1: f64 = 0.01;
const K2: f64 = 0.03;

/// Columns taken at a time: their averages stay in registers or the first-level cache.
const COLUMNS: usize = 32;

type Columns = [f64; COLUMNS];

/// What is averaged over a window. x² and y² are needed only as their sum.
const AVERAGED: usize = 4;

/// Pixels of a channel whose window lies inside it.
pub(super) fn pixels(width: usize, height: usize) -> usize {
    (width + 1).saturating_sub(WINDOW) * (height + 1).saturating_sub(WINDOW)
}

/// SSIM of one channel, fed row by row from the top. Memory: a window of rows.
pub(super) struct Ssim {
    window: HalfWindow,
    c1: f64,
    c2: f64,
    /// x, y, x² + y² and xy of the newest row.
    row: [Vec<f64>; AVERAGED],
    /// The last [`WINDOW`] rows, averaged along the row. Row `y` of the picture is at `y % WINDOW`.
    averaged: [[Vec<Columns>; WINDOW]; AVERAGED],
    /// Columns whose window lies inside the row. All rows are longer, by zeros, to whole [`COLUMNS`].
    valid: usize,
    rows: usize,
    /// Sum of the index over all pixels so far.
    sum: f64,
}

/// The weights from the edge of the window to its middle; the other half mirrors them.
type HalfWindow = [f64; RADIUS + 1];

impl Ssim {
    /// For a channel of this width whose values span `peak` (255 for bytes).
    pub fn new(width: usize, peak: f64) -> Ssim {
        let valid = (width + 1).saturating_sub(WINDOW);
        let chunks = valid.div_ceil(COLUMNS);
        Ssim {
            window: gaussian(),
            c1: (K1 * peak).powi(2),
            c2: (K2 * peak).powi(2),
            row: std::array::from_fn(|_| vec![0.0; width.max(chunks * COLUMNS + WINDOW - 1)]),
            averaged: std::array::from_fn(|_| std::array::from_fn(|_| vec![[0.0; COLUMNS]; chunks])),
            valid,
            rows: 0,
            sum: 0.0,
        }
    }

    /// Takes the next row of both pictures, each as long as the channel is wide.
    #[inline(always)]
    pub fn push(&mut self, reference: &[f64], actual: &[f64]) {
        let [xs, ys, squares, products] = &mut self.row;
        xs[..reference.len()].copy_from_slice(reference);
        ys[..actual.len()].copy_from_slice(actual);
        for (square, (x, y)) in squares.iter_mut().zip(reference.iter().zip(actual)) {
            *square = x * x + y * y;
        }
        for (product, (x, y)) in products.iter_mut().zip(reference.iter().zip(actual)) {
            *product = x * y;
        }
        let slot = self.rows % WINDOW;
        for (row, averaged) in self.row.iter().zip(&mut self.averaged) {
            average_along(&self.window, row, &mut averaged[slot]);
        }
        self.rows += 1;
        if self.rows >= WINDOW {
            self.sum += self.newest_row();
        }
    }

    /// Sum over every pixel whose window lay inside the rows so far.
    pub fn sum(&self) -> f64 {
        self.sum
    }

    /// Sum of the index over the pixels whose windows end in the newest row.
    #[inline(always)]
    fn newest_row(&self) -> f64 {
        let mut sum = 0.0;
        for chunk in 0..self.valid.div_ceil(COLUMNS) {
            // Four calls and no std::array::from_fn, which is not inlined and so not compiled for wide registers.
            let xs = self.average_across(0, chunk);
            let ys = self.average_across(1, chunk);
            let squares = self.average_across(2, chunk);
            let products = self.average_across(3, chunk);
            let mut indices = [0.0; COLUMNS];
            for column in 0..COLUMNS {
                indices[column] = self.index(xs[column], ys[column], squares[column], products[column]);
            }
            sum += lanes::sum(&indices[..COLUMNS.min(self.valid - chunk * COLUMNS)]);
        }
        sum
    }

    /// Averages, over the newest rows, of some columns of one of the four.
    #[inline(always)]
    fn average_across(&self, which: usize, chunk: usize) -> Columns {
        // The oldest row stands right after the newest.
        weigh(&self.window, |y| &self.averaged[which][(self.rows + y) % WINDOW][chunk])
    }

    /// The index at one pixel, from the averages of x, y, x² + y² and xy over its window (Wang et al., equation 13).
    #[inline(always)]
    fn index(&self, x: f64, y: f64, squares: f64, product: f64) -> f64 {
        let means_product = x * y;
        let means_squares = x * x + y * y;
        let covariance = product - means_product;
        let variances = squares - means_squares;
        (2.0 * means_product + self.c1) * (2.0 * covariance + self.c2)
            / ((means_squares + self.c1) * (variances + self.c2))
    }
}

/// Half of the one-dimensional window, of unit sum in full. The picture's window is its product with itself.
fn gaussian() -> HalfWindow {
    let weight = |i: usize| (-0.5 * ((RADIUS - i) as f64 / SIGMA).powi(2)).exp();
    let sum: f64 = 2.0 * (0..RADIUS).map(weight).sum::<f64>() + weight(RADIUS);
    std::array::from_fn(|i| weight(i) / sum)
}

/// Weighted sums of the window's values, pairs of one weight first, for so many columns at once.
#[inline(always)]
fn weigh<'a>(window: &HalfWindow, values: impl Fn(usize) -> &'a Columns) -> Columns {
    let middle = values(RADIUS);
    let mut sums = [0.0; COLUMNS];
    for column in 0..COLUMNS {
        sums[column] = window[RADIUS] * middle[column];
    }
    for (i, weight) in window[..RADIUS].iter().enumerate() {
        let (before, after) = (values(i), values(WINDOW - 1 - i));
        for column in 0..COLUMNS {
            sums[column] += weight * (before[column] + after[column]);
        }
    }
    sums
}

/// `row` must be longer by a window, less one, than `averaged`.
#[inline(always)]
fn average_along(window: &HalfWindow, row: &[f64], averaged: &mut [Columns]) {
    const NOTHING: Columns = [0.0; COLUMNS];
    for (chunk, average) in averaged.iter_mut().enumerate() {
        let values = &row[chunk * COLUMNS..];
        *average = weigh(window, |i| {
            values.get(i..).and_then(|from| from.first_chunk()).unwrap_or(&NOTHING)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_constants(side: usize, x: f64, y: f64, peak: f64) -> Option<f64> {
        let mut ssim = Ssim::new(side, peak);
        for _ in 0..side {
            ssim.push(&vec![x; side], &vec![y; side]);
        }
        let pixels = pixels(side, side);
        (pixels > 0).then(|| ssim.sum() / pixels as f64)
    }

    #[test]
    fn constant_pictures_have_the_index_of_their_means_alone() {
        for (x, y, peak, expected, tolerance) in [
            (100.0, 100.0, 255.0, 1.0, 1e-12),
            (100.0, 120.0, 255.0, 0.983611, 5e-7),
            (0.0, 255.0, 255.0, 9.999e-5, 5e-9),
            (0.0, 0.0, 255.0, 1.0, 0.0),
            (-0.5, 0.5, 2.0, -0.9984, 5e-5),
            (0.25, 0.75, 1.0, 0.6001, 5e-5),
        ] {
            let ssim = of_constants(16, x, y, peak).unwrap();
            assert!((ssim - expected).abs() <= tolerance, "{x} v. {y}: {ssim}");
        }
    }

    #[test]
    fn a_picture_smaller_than_the_window_has_no_ssim() {
        assert!(of_constants(11, 1.0, 1.0, 255.0).is_some());
        assert_eq!(of_constants(10, 1.0, 1.0, 255.0), None);
        assert_eq!(pixels(64, 10), 0);
        assert_eq!(pixels(64, 11), 54);
    }

    #[test]
    fn a_picture_is_exactly_one_with_itself() {
        let mut ssim = Ssim::new(40, 255.0);
        for y in 0..30 {
            let row: Vec<f64> = (0..40).map(|x| f64::from((x * 37 + y * 91) % 256)).collect();
            ssim.push(&row, &row);
        }
        assert_eq!(ssim.sum(), pixels(40, 30) as f64);
    }

    #[test]
    fn the_window_has_unit_sum_and_falls_from_its_middle() {
        let window = gaussian();
        let sums = weigh(&window, |_| &[1.0; COLUMNS]);
        assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-15));
        assert!(window.is_sorted());
    }
}
