//! Which picture does a tensor show, and how far is it from the reference's?

use super::{
    accuracy::Breakdown,
    breakdown::worst_parts,
    lanes,
    psnr::psnr_db,
    simd::vectorised,
    sparse::{Spread, spread_of_counts},
    ssim::{self, Ssim},
    values::Values,
};
use crate::sweep::{PictureLayout, PictureMapping};

/// What a picture's shape must be, in words.
pub(super) const SHAPE_RULE: &str =
    "a picture is [1,C,H,W] or [C,H,W] in layout nchw and [1,H,W,C] or [H,W,C] in layout nhwc, with 1 or 3 channels";

/// Peak of the 8-bit picture.
const PEAK_U8: f64 = 255.0;
/// Rows that one thread goes through.
const STRIP: usize = 256;
/// A picture is broken down into a grid of so many tiles a side.
pub(super) const GRID: usize = 8;
const MOST_CHANNELS: usize = 3;
const MOST_PIXEL_ERROR: usize = MOST_CHANNELS * 255 * 255;

/// How to see a tensor as a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PictureForm {
    pub channels: usize,
    pub height: usize,
    pub width: usize,
    layout: PictureLayout,
    mapping: PictureMapping,
}

/// The score of one 8-bit picture against another.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PictureScore {
    /// Every level equal; the tensors may still differ.
    pub equal: bool,
    /// With L = 255; none where the pictures are equal.
    pub psnr_db: Option<f64>,
    /// Mean of the channels; none where the smaller side is below the window.
    pub ssim: Option<f64>,
    /// Of the squared error of whole pixels, summed over channels.
    pub spread: Option<Spread>,
    pub psnr_without_worst: Option<f64>,
    pub breakdown: Option<Vec<Breakdown>>,
    smallest_side: usize,
}

impl PictureScore {
    /// Why `ssim` is none.
    pub fn why_no_ssim(&self) -> String {
        format!(
            "the smallest side of the picture is {}, below {}",
            self.smallest_side,
            ssim::WINDOW
        )
    }

    /// What a reader of a passing score must know; `identical` is of the tensors.
    pub fn note(&self, identical: bool) -> Option<String> {
        let same = (self.equal && !identical).then(|| "the 8-bit pictures are equal".to_owned());
        let small = self.ssim.is_none().then(|| format!("no ssim: {}", self.why_no_ssim()));
        let notes: Vec<String> = same.into_iter().chain(small).collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }
}

impl PictureForm {
    /// None where the shape breaks [`SHAPE_RULE`].
    pub fn of(shape: &[u32], layout: PictureLayout, mapping: PictureMapping) -> Option<PictureForm> {
        let (&[1, a, b, c] | &[a, b, c]) = shape else {
            return None;
        };
        let (channels, height, width) = match layout {
            PictureLayout::Nchw => (a, b, c),
            PictureLayout::Nhwc => (c, a, b),
        };
        matches!(channels, 1 | 3).then_some(PictureForm {
            channels: channels as usize,
            height: height as usize,
            width: width as usize,
            layout,
            mapping,
        })
    }

    /// Compares two tensors of this form. All values must be finite.
    pub fn compare(&self, reference: &Values<'_>, actual: &Values<'_>) -> PictureScore {
        let sums = self.sums(reference, actual, 0, self.height);
        let squared_error: f64 = sums.channels.iter().sum();
        let levels = self.channels as f64 * self.height as f64 * self.width as f64;
        let pixels = ssim::pixels(self.width, self.height);
        let spread = spread_of_counts(&sums.pixel_errors);
        let rest = spread.and_then(|spread| spread.mean_without_worst);
        let channels = worst_parts("channel", &sums.channels[..self.channels]);
        let tiles = worst_parts("tile", &sums.tiles);
        let breakdown: Vec<Breakdown> = [channels, tiles].into_iter().flatten().collect();
        PictureScore {
            equal: squared_error == 0.0,
            psnr_db: psnr_db(PEAK_U8, squared_error / levels),
            ssim: (pixels > 0).then(|| {
                let channels = sums.ssim[..self.channels].iter();
                channels.map(|sum| sum / pixels as f64).sum::<f64>() / self.channels as f64
            }),
            spread,
            psnr_without_worst: rest.and_then(|mean| psnr_db(PEAK_U8, mean / self.channels as f64)),
            breakdown: (!breakdown.is_empty()).then_some(breakdown),
            smallest_side: self.height.min(self.width),
        }
    }

    /// The sums over some rows. How they are cut depends on their number alone, and so does the result.
    fn sums(&self, reference: &Values<'_>, actual: &Values<'_>, top: usize, rows: usize) -> PictureSums {
        let strips = rows.div_ceil(STRIP);
        if strips > 1 {
            let upper = strips / 2 * STRIP;
            let (upper, lower) = rayon::join(
                || self.sums(reference, actual, top, upper),
                || self.sums(reference, actual, top + upper, rows - upper),
            );
            return upper.join(lower);
        }
        let mut strip = Strip::new(self, top);
        // The windows of the first rows reach into the strip above.
        let first = top.saturating_sub(ssim::WINDOW - 1);
        for row in first..top + rows {
            vectorised(
                #[inline(always)]
                || strip.push([reference, actual], row),
            );
        }
        strip.finish()
    }

    /// Reads one row of one channel as 8-bit levels.
    #[inline(always)]
    pub fn read_row(&self, values: &Values<'_>, channel: usize, row: usize, levels: &mut [f64]) {
        let (start, step) = match self.layout {
            PictureLayout::Nchw => ((channel * self.height + row) * self.width, 1),
            PictureLayout::Nhwc => (row * self.width * self.channels + channel, self.channels),
        };
        values.read(start, step, levels);
        match self.mapping {
            PictureMapping::MinusOneToOne => to_levels(levels, |x| (x / 2.0 + 0.5) * PEAK_U8),
            PictureMapping::ZeroToOne => to_levels(levels, |x| x * PEAK_U8),
            PictureMapping::Byte => to_levels(levels, |x| x),
        }
    }

    /// First column or row of a tile, for a side of `length`; tile [`GRID`] begins at the end.
    pub fn tile_start(tile: usize, length: usize) -> usize {
        tile * length / GRID
    }
}

/// Sums over some rows of a pair of pictures.
struct PictureSums {
    /// Squared errors by channel: whole numbers, exact up to 2^53.
    channels: [f64; MOST_CHANNELS],
    ssim: [f64; MOST_CHANNELS],
    /// Squared errors by tile, row by row.
    tiles: [f64; GRID * GRID],
    /// How many pixels have which squared error.
    pixel_errors: Vec<u64>,
}

impl PictureSums {
    fn join(mut self, other: PictureSums) -> PictureSums {
        let add = |to: &mut [f64], from: &[f64]| to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        add(&mut self.channels, &other.channels);
        add(&mut self.ssim, &other.ssim);
        add(&mut self.tiles, &other.tiles);
        for (count, more) in self.pixel_errors.iter_mut().zip(other.pixel_errors) {
            *count += more;
        }
        self
    }
}

/// Rows on their way into the sums.
struct Strip<'a> {
    form: &'a PictureForm,
    /// The first row that counts; rows before it are only seen by windows.
    top: usize,
    ssims: Vec<Ssim>,
    reference: Vec<f64>,
    actual: Vec<f64>,
    /// Squared errors of the newest row's pixels.
    pixels: Vec<f64>,
    sums: PictureSums,
}

impl<'a> Strip<'a> {
    fn new(form: &'a PictureForm, top: usize) -> Strip<'a> {
        let has_ssim = ssim::pixels(form.width, form.height) > 0;
        let channels = if has_ssim { form.channels } else { 0 };
        Strip {
            form,
            top,
            ssims: (0..channels).map(|_| Ssim::new(form.width, PEAK_U8)).collect(),
            reference: vec![0.0; form.width],
            actual: vec![0.0; form.width],
            pixels: vec![0.0; form.width],
            sums: PictureSums {
                channels: [0.0; MOST_CHANNELS],
                ssim: [0.0; MOST_CHANNELS],
                tiles: [0.0; GRID * GRID],
                pixel_errors: vec![0; MOST_PIXEL_ERROR + 1],
            },
        }
    }

    #[inline(always)]
    fn push(&mut self, [reference, actual]: [&Values<'_>; 2], row: usize) {
        self.pixels.fill(0.0);
        for channel in 0..self.form.channels {
            self.form.read_row(reference, channel, row, &mut self.reference);
            self.form.read_row(actual, channel, row, &mut self.actual);
            if let Some(ssim) = self.ssims.get_mut(channel) {
                ssim.push(&self.reference, &self.actual);
            }
            // Whole numbers: sums of them are exact in any order.
            let before = lanes::sum(&self.pixels);
            for ((pixel, x), y) in self.pixels.iter_mut().zip(&self.reference).zip(&self.actual) {
                *pixel += (x - y) * (x - y);
            }
            if row >= self.top {
                self.sums.channels[channel] += lanes::sum(&self.pixels) - before;
            }
        }
        if row >= self.top {
            self.count_pixels(row);
        }
    }

    #[inline(always)]
    fn count_pixels(&mut self, row: usize) {
        let tile_row = tile_of(row, self.form.height);
        for column in 0..GRID {
            let [start, end] = [column, column + 1].map(|tile| PictureForm::tile_start(tile, self.form.width));
            self.sums.tiles[tile_row * GRID + column] += lanes::sum(&self.pixels[start..end]);
        }
        for &error in &self.pixels {
            self.sums.pixel_errors[error as usize] += 1;
        }
    }

    fn finish(mut self) -> PictureSums {
        for (sum, ssim) in self.sums.ssim.iter_mut().zip(&self.ssims) {
            *sum = ssim.sum();
        }
        self.sums
    }
}

/// The tile that a position lies in, on a side of `length`.
fn tile_of(position: usize, length: usize) -> usize {
    ((position + 1) * GRID).div_ceil(length.max(1)) - 1
}

/// Scales to 0..=255, clamps, and rounds half to even, as numpy does.
#[inline(always)]
fn to_levels(values: &mut [f64], scale: impl Fn(f64) -> f64) {
    // Adding and taking away 2^52 leaves no room for a fraction: the processor's own rounding, without a call.
    const NO_FRACTION: f64 = (1u64 << 52) as f64;
    for value in values {
        let level = scale(*value);
        let level = if level > 0.0 { level } else { 0.0 };
        let level = if level < PEAK_U8 { level } else { PEAK_U8 };
        *value = (level + NO_FRACTION) - NO_FRACTION;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::DType;

    fn bytes(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|v| v.to_le_bytes()).collect()
    }

    fn plain(bytes: &[u8]) -> Values<'_> {
        Values::plain(DType::Float32, bytes)
    }

    fn levels(mapping: PictureMapping, values: &[f32]) -> Vec<f64> {
        let form = PictureForm::of(&[1, 1, 1, values.len() as u32], PictureLayout::Nchw, mapping).unwrap();
        let mut levels = vec![0.0; values.len()];
        form.read_row(&plain(&bytes(values)), 0, 0, &mut levels);
        levels
    }

    #[test]
    fn each_mapping_has_its_black_its_white_and_clamps_beyond() {
        use PictureMapping::*;
        assert_eq!(levels(MinusOneToOne, &[-1.0, 1.0, -7.0, 7.0]), [0.0, 255.0, 0.0, 255.0]);
        assert_eq!(levels(ZeroToOne, &[0.0, 1.0, -7.0, 7.0]), [0.0, 255.0, 0.0, 255.0]);
        assert_eq!(levels(Byte, &[0.0, 255.0, -7.0, 700.0]), [0.0, 255.0, 0.0, 255.0]);
        assert_eq!(levels(Byte, &[f32::MAX, f32::MIN]), [255.0, 0.0]);
    }

    #[test]
    fn a_level_is_rounded_and_half_goes_to_even() {
        assert_eq!(
            levels(PictureMapping::Byte, &[0.5, 1.5, 2.5, 254.5, 3.4, 3.6]),
            [0.0, 2.0, 2.0, 254.0, 3.0, 4.0]
        );
        assert_eq!(levels(PictureMapping::MinusOneToOne, &[0.0]), [128.0]);
    }

    #[test]
    fn a_shape_that_is_no_picture_is_refused() {
        let is_picture = |shape: &[u32], layout| PictureForm::of(shape, layout, PictureMapping::Byte).is_some();
        for shape in [&[1, 3, 8, 9][..], &[3, 8, 9], &[1, 1, 8, 9], &[1, 8, 9]] {
            assert!(is_picture(shape, PictureLayout::Nchw), "{shape:?}");
        }
        for shape in [&[1, 8, 9, 3][..], &[8, 9, 3], &[8, 9, 1]] {
            assert!(is_picture(shape, PictureLayout::Nhwc), "{shape:?}");
            assert!(!is_picture(shape, PictureLayout::Nchw), "{shape:?}");
        }
        for shape in [
            &[][..],
            &[8, 9],
            &[2, 3, 8, 9],
            &[1, 2, 8, 9],
            &[1, 4, 8, 9],
            &[1, 1, 3, 8, 9],
        ] {
            assert!(!is_picture(shape, PictureLayout::Nchw), "{shape:?}");
        }
    }

    #[test]
    fn both_layouts_show_the_same_picture() {
        let (channels, height, width) = (3, 12, 13);
        let value = |c: usize, y: usize, x: usize, seed: usize| ((c * 71 + y * 37 + x * 53 + seed) % 256) as f32;
        let nchw = |seed| {
            let pixels = (0..channels * height * width)
                .map(|i| value(i / (height * width), i / width % height, i % width, seed));
            bytes(&pixels.collect::<Vec<_>>())
        };
        let nhwc = |seed| {
            let pixels = (0..channels * height * width)
                .map(|i| value(i % channels, i / channels / width, i / channels % width, seed));
            bytes(&pixels.collect::<Vec<_>>())
        };
        let planar = PictureForm::of(&[1, 3, 12, 13], PictureLayout::Nchw, PictureMapping::Byte).unwrap();
        let packed = PictureForm::of(&[1, 12, 13, 3], PictureLayout::Nhwc, PictureMapping::Byte).unwrap();
        let score = planar.compare(&plain(&nchw(0)), &plain(&nchw(5)));
        assert_eq!(packed.compare(&plain(&nhwc(0)), &plain(&nhwc(5))), score);
        assert!(score.ssim.is_some_and(|ssim| ssim < 1.0));
    }

    #[test]
    fn every_row_and_column_lies_in_the_tile_that_begins_before_it() {
        for length in [1, 5, 8, 13, 64, 100] {
            for position in 0..length {
                let tile = tile_of(position, length);
                assert!(
                    PictureForm::tile_start(tile, length) <= position,
                    "{position} of {length}"
                );
                assert!(
                    position < PictureForm::tile_start(tile + 1, length),
                    "{position} of {length}"
                );
            }
        }
    }

    #[test]
    fn strips_see_what_one_strip_would() {
        let (height, width) = (STRIP + 40, 24);
        let form = PictureForm::of(&[1, height as u32, width], PictureLayout::Nchw, PictureMapping::Byte).unwrap();
        let level = |i: usize, seed: usize| (i * (37 + seed) % 251) as f32;
        let picture = |seed| bytes(&(0..height * width as usize).map(|i| level(i, seed)).collect::<Vec<_>>());
        let (reference, actual) = (picture(0), picture(1));
        let strips = form.sums(&plain(&reference), &plain(&actual), 0, height);
        let mut whole = Strip::new(&form, 0);
        (0..height).for_each(|row| whole.push([&plain(&reference), &plain(&actual)], row));
        let whole = whole.finish();
        assert_eq!(strips.channels, whole.channels);
        assert_eq!(strips.tiles, whole.tiles);
        assert_eq!(strips.pixel_errors, whole.pixel_errors);
        assert!((strips.ssim[0] - whole.ssim[0]).abs() < 1e-9);
    }

    #[test]
    fn the_worst_tile_and_channel_are_where_the_error_is() {
        let form = PictureForm::of(&[3, 64, 64], PictureLayout::Nchw, PictureMapping::Byte).unwrap();
        let mut pixels: Vec<f32> = (0..3 * 64 * 64).map(|i| (i % 200) as f32).collect();
        let reference = bytes(&pixels);
        // Row 20, column 60 of the second channel: tile row 2, tile column 7.
        pixels[64 * 64 + 20 * 64 + 60] += 50.0;
        let score = form.compare(&plain(&reference), &plain(&bytes(&pixels)));
        let worst: Vec<(String, u64, f64)> = score
            .breakdown
            .unwrap()
            .into_iter()
            .map(|b| (b.by, b.worst[0].index, b.worst[0].share))
            .collect();
        assert_eq!(
            worst,
            [("channel".to_owned(), 1, 1.0), ("tile".to_owned(), 2 * 8 + 7, 1.0)]
        );
        assert_eq!(score.spread.unwrap().worst, [1.0; 4]);
    }
}
