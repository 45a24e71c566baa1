//! Which picture does a tensor show, and how far is it from the reference's?

use super::{
    element::{Element, ForElement, with_element},
    psnr::psnr_db,
    ssim::{self, Ssim},
};
use crate::{
    sweep::{PictureLayout, PictureMapping},
    tensor::{DType, TensorSpec},
};

/// What a picture's shape must be, in words.
pub(super) const SHAPE_RULE: &str =
    "a picture is [1,C,H,W] or [C,H,W] in layout nchw and [1,H,W,C] or [H,W,C] in layout nhwc, with 1 or 3 channels";

/// Peak of the 8-bit picture.
const PEAK_U8: f64 = 255.0;

/// How to see a tensor as a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PictureForm {
    dtype: DType,
    channels: usize,
    height: usize,
    width: usize,
    layout: PictureLayout,
    mapping: PictureMapping,
}

/// The score of one 8-bit picture against another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PictureScore {
    /// Every level equal; the tensors may still differ.
    pub equal: bool,
    /// With L = 255; none where the pictures are equal.
    pub psnr_db: Option<f64>,
    /// Mean of the channels; none where the smaller side is below the window.
    pub ssim: Option<f64>,
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
    pub fn of(spec: &TensorSpec, layout: PictureLayout, mapping: PictureMapping) -> Option<PictureForm> {
        let (&[1, a, b, c] | &[a, b, c]) = spec.shape.as_slice() else {
            return None;
        };
        let (channels, height, width) = match layout {
            PictureLayout::Nchw => (a, b, c),
            PictureLayout::Nhwc => (c, a, b),
        };
        matches!(channels, 1 | 3).then_some(PictureForm {
            dtype: spec.dtype,
            channels: channels as usize,
            height: height as usize,
            width: width as usize,
            layout,
            mapping,
        })
    }

    /// Compares two tensors of this form, row by row. All values must be finite.
    pub fn compare(&self, reference: &[u8], actual: &[u8]) -> PictureScore {
        let mut x = vec![0.0; self.width];
        let mut y = vec![0.0; self.width];
        let mut squared_error = 0.0;
        let mut ssims = Vec::with_capacity(self.channels);
        let smallest_side = self.height.min(self.width);
        for channel in 0..self.channels {
            let mut ssim = (smallest_side >= ssim::WINDOW).then(|| Ssim::new(self.width, PEAK_U8));
            for row in 0..self.height {
                self.read_row(reference, channel, row, &mut x);
                self.read_row(actual, channel, row, &mut y);
                // Whole numbers: the sum is exact up to 2^53.
                squared_error += x.iter().zip(&y).map(|(x, y)| (x - y) * (x - y)).sum::<f64>();
                if let Some(ssim) = &mut ssim {
                    ssim.push(&x, &y);
                }
            }
            ssims.push(ssim.and_then(|ssim| ssim.mean()));
        }
        let count = self.channels as f64 * self.height as f64 * self.width as f64;
        let ssim: Option<f64> = ssims.into_iter().sum();
        PictureScore {
            equal: squared_error == 0.0,
            psnr_db: psnr_db(PEAK_U8, squared_error / count),
            ssim: ssim.map(|sum| sum / self.channels as f64),
            smallest_side,
        }
    }

    /// Reads one row of one channel as 8-bit levels.
    fn read_row(&self, tensor: &[u8], channel: usize, row: usize, levels: &mut [f64]) {
        let (start, step) = match self.layout {
            PictureLayout::Nchw => ((channel * self.height + row) * self.width, 1),
            PictureLayout::Nhwc => (row * self.width * self.channels + channel, self.channels),
        };
        with_element(
            self.dtype,
            ReadRow {
                tensor: &tensor[start * self.dtype.bytes()..],
                step,
                levels,
            },
        );
        match self.mapping {
            PictureMapping::MinusOneToOne => to_levels(levels, |x| (x / 2.0 + 0.5) * PEAK_U8),
            PictureMapping::ZeroToOne => to_levels(levels, |x| x * PEAK_U8),
            PictureMapping::Byte => to_levels(levels, |x| x),
        }
    }
}

struct ReadRow<'a> {
    tensor: &'a [u8],
    step: usize,
    levels: &'a mut [f64],
}

impl ForElement for ReadRow<'_> {
    type Output = ();

    fn run<T: Element>(self) {
        // The last pixel of a picture has no whole step behind it, hence chunks and not chunks_exact.
        let pixels = self.tensor.chunks(T::BYTES * self.step);
        for (level, pixel) in self.levels.iter_mut().zip(pixels) {
            *level = T::read(&pixel[..T::BYTES]).widen();
        }
    }
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

    fn spec(shape: &[u32]) -> TensorSpec {
        TensorSpec {
            dtype: DType::Float32,
            shape: shape.to_vec(),
        }
    }

    fn bytes(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|v| v.to_le_bytes()).collect()
    }

    fn levels(mapping: PictureMapping, values: &[f32]) -> Vec<f64> {
        let spec = spec(&[1, 1, 1, values.len() as u32]);
        let form = PictureForm::of(&spec, PictureLayout::Nchw, mapping).unwrap();
        let mut levels = vec![0.0; values.len()];
        form.read_row(&bytes(values), 0, 0, &mut levels);
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
        let is_picture = |shape: &[u32], layout| PictureForm::of(&spec(shape), layout, PictureMapping::Byte).is_some();
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
        let planar = PictureForm::of(&spec(&[1, 3, 12, 13]), PictureLayout::Nchw, PictureMapping::Byte).unwrap();
        let packed = PictureForm::of(&spec(&[1, 12, 13, 3]), PictureLayout::Nhwc, PictureMapping::Byte).unwrap();
        let score = planar.compare(&nchw(0), &nchw(5));
        assert_eq!(packed.compare(&nhwc(0), &nhwc(5)), score);
        assert!(score.ssim.is_some_and(|ssim| ssim < 1.0));
    }
}
