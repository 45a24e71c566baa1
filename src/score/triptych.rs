//! What does the difference look like?
//!
//! Four panels side by side: the reference, the output, the signed difference (red where the output is greater, blue
//! where it is less, white where it is equal) and the absolute difference (black, red, yellow, white). The worst tiles
//! of a grid of eight by eight are outlined. A tensor that is no picture is shown with its innermost axis from left to
//! right, black being the least value of its reference and white the greatest.

use image::{ImageError, ImageFormat, Rgb, RgbImage};

use super::{
    Comparison, ScoreError,
    breakdown::worst_parts,
    check_lengths,
    picture::{GRID, PictureForm},
    picture_form,
    values::Values,
};

/// Why there is no picture of a difference.
#[derive(Debug, thiserror::Error)]
pub enum TriptychError {
    #[error(transparent)]
    Score(#[from] ScoreError),
    #[error("\"{0}\" has no elements to show")]
    Empty(String),
    #[error("the picture cannot be written as PNG")]
    Encode(#[from] ImageError),
}

/// A panel is made at least and at most about so large, by whole factors.
const LEAST_SIDE: usize = 256;
const MOST_SIDE: usize = 1024;
const GAP: u32 = 8;
const PANELS: u32 = 4;
const OUTLINE: Rgb<u8> = Rgb([255, 0, 255]);
const BACKGROUND: Rgb<u8> = Rgb([64, 64, 64]);

/// The panels as PNG.
pub fn triptych(comparison: &Comparison<'_>) -> Result<Vec<u8>, TriptychError> {
    check_lengths(comparison)?;
    let view = View::of(comparison)?;
    if view.width == 0 || view.height == 0 {
        return Err(TriptychError::Empty(comparison.output.to_owned()));
    }
    let mut png = std::io::Cursor::new(Vec::new());
    Panels::of(&view).draw().write_to(&mut png, ImageFormat::Png)?;
    Ok(png.into_inner())
}

/// How both sides are shown: as colours of 0 to 255, in rows and columns.
struct View<'a> {
    sides: [Values<'a>; 2],
    height: usize,
    width: usize,
    form: Option<PictureForm>,
    /// What black and white are where there is no form.
    black: f64,
    white: f64,
}

type Colour = [f64; 3];

impl<'a> View<'a> {
    fn of(comparison: &Comparison<'a>) -> Result<View<'a>, TriptychError> {
        let sides = [comparison.reference, comparison.actual];
        if let Some(form) = picture_form(comparison)? {
            return Ok(View {
                sides,
                height: form.height,
                width: form.width,
                form: Some(form),
                black: 0.0,
                white: 255.0,
            });
        }
        let count = comparison.reference.len();
        let innermost = comparison.shape.last().map_or(1, |&d| d as usize);
        // A long row is folded into a square.
        let width = if innermost.saturating_mul(innermost) > count.saturating_mul(64) {
            (count as f64).sqrt().ceil() as usize
        } else {
            innermost
        };
        let (black, white) = finite_extremes(&comparison.reference);
        Ok(View {
            sides,
            height: count.checked_div(width).map_or(0, |_| count.div_ceil(width)),
            width,
            form: None,
            black,
            white,
        })
    }

    fn row(&self, side: usize, row: usize) -> Vec<Colour> {
        let values = &self.sides[side];
        let mut levels = vec![0.0; self.width];
        let Some(form) = &self.form else {
            let count = values.read(row * self.width, 1, &mut levels);
            let scale = 255.0 / (self.white - self.black).max(f64::MIN_POSITIVE);
            let grey = |(i, level): (usize, f64)| [if i < count { (level - self.black) * scale } else { 0.0 }; 3];
            return levels.into_iter().enumerate().map(grey).collect();
        };
        let mut colours = vec![[0.0; 3]; self.width];
        for channel in 0..form.channels {
            form.read_row(values, channel, row, &mut levels);
            for (colour, &level) in colours.iter_mut().zip(&levels) {
                match form.channels {
                    1 => *colour = [level; 3],
                    _ => colour[channel] = level,
                }
            }
        }
        colours
    }
}

fn finite_extremes(values: &Values<'_>) -> (f64, f64) {
    let mut block = [0.0; 1024];
    let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
    for start in (0..values.len()).step_by(block.len()) {
        let count = values.read(start, 1, &mut block);
        for &value in block[..count].iter().filter(|value| value.is_finite()) {
            min = min.min(value);
            max = max.max(value);
        }
    }
    (min, max)
}

/// What is drawn: one cell for each pixel, or for the worst of several where there are more than fit.
struct Panels {
    height: usize,
    width: usize,
    /// Pixels a side that one cell is drawn with.
    zoom: usize,
    cells: Vec<Cell>,
    tiles: Vec<f64>,
    greatest: f64,
}

#[derive(Clone, Copy)]
struct Cell {
    sides: [Colour; 2],
    /// Mean over the channels, output less reference.
    signed: f64,
    /// Greatest over the channels. NaN and infinity are as bad as it gets.
    absolute: f64,
}

impl Panels {
    fn of(view: &View<'_>) -> Panels {
        let longest = view.height.max(view.width);
        let shrink = longest.div_ceil(MOST_SIDE);
        let (height, width) = (view.height.div_ceil(shrink), view.width.div_ceil(shrink));
        let mut cells: Vec<Option<Cell>> = vec![None; height * width];
        let mut tiles = vec![0.0; GRID * GRID];
        let mut greatest = 0.0f64;
        for y in 0..view.height {
            let [reference, actual] = [0, 1].map(|side| view.row(side, y));
            for (x, sides) in reference.into_iter().zip(actual).enumerate() {
                let cell = Cell::new([sides.0, sides.1]);
                if cell.absolute.is_finite() {
                    greatest = greatest.max(cell.absolute);
                    tiles[y * GRID / view.height * GRID + x * GRID / view.width] += cell.absolute * cell.absolute;
                }
                let slot = &mut cells[y / shrink * width + x / shrink];
                if slot.is_none_or(|worst| cell.absolute > worst.absolute) {
                    *slot = Some(cell);
                }
            }
        }
        Panels {
            height,
            width,
            zoom: (LEAST_SIDE / height.max(width)).max(1),
            cells: cells.into_iter().flatten().collect(),
            tiles,
            greatest,
        }
    }

    fn draw(&self) -> RgbImage {
        let [width, height] = [self.width, self.height].map(|side| (side * self.zoom) as u32);
        let mut image = RgbImage::from_pixel(PANELS * width + (PANELS + 1) * GAP, height + 2 * GAP, BACKGROUND);
        for panel in 0..PANELS {
            let left = GAP + panel * (width + GAP);
            for y in 0..height {
                for x in 0..width {
                    let cell = self.cells[y as usize / self.zoom * self.width + x as usize / self.zoom];
                    image.put_pixel(left + x, GAP + y, self.colour(panel, cell));
                }
            }
            if panel > 0 {
                self.outline_worst_tiles(&mut image, left, width, height);
            }
        }
        image
    }

    fn colour(&self, panel: u32, cell: Cell) -> Rgb<u8> {
        // Half of the greatest error is seen as most of it: small errors matter too.
        let scaled = |error: f64| match self.greatest > 0.0 && error.is_finite() {
            true => (error.abs() / self.greatest).min(1.0).sqrt(),
            false => f64::from(u8::from(!error.is_finite())),
        };
        let level = |share: f64| (share.clamp(0.0, 1.0) * 255.0) as u8;
        match panel {
            0 | 1 => Rgb(cell.sides[panel as usize].map(|value| value.clamp(0.0, 255.0) as u8)),
            2 => {
                let pale = level(1.0 - scaled(cell.signed));
                match cell.signed >= 0.0 {
                    true => Rgb([255, pale, pale]),
                    false => Rgb([pale, pale, 255]),
                }
            }
            _ => {
                let heat = 3.0 * scaled(cell.absolute);
                Rgb([level(heat), level(heat - 1.0), level(heat - 2.0)])
            }
        }
    }

    fn outline_worst_tiles(&self, image: &mut RgbImage, left: u32, width: u32, height: u32) {
        let worst = worst_parts("tile", &self.tiles)
            .map(|tiles| tiles.worst)
            .unwrap_or_default();
        // The rest of the worst are only worth a look where they weigh something.
        for part in worst
            .iter()
            .enumerate()
            .filter(|(i, part)| *i == 0 || part.share >= 0.05)
            .map(|(_, part)| part)
        {
            let grid = GRID as u32;
            let (row, column) = (part.index as u32 / grid, part.index as u32 % grid);
            // Of a side of fewer pixels than tiles, some tiles are empty; these have no error.
            let edges = |tile: u32, length: u32| (tile * length / grid, ((tile + 1) * length / grid).max(1) - 1);
            let ((top, bottom), (start, end)) = (edges(row, height), edges(column, width));
            for x in start..=end {
                for y in [top, bottom] {
                    image.put_pixel(left + x, GAP + y, OUTLINE);
                }
            }
            for y in top..=bottom {
                for x in [start, end] {
                    image.put_pixel(left + x, GAP + y, OUTLINE);
                }
            }
        }
    }
}

impl Cell {
    fn new(sides: [Colour; 2]) -> Cell {
        let difference: Colour = std::array::from_fn(|channel| sides[1][channel] - sides[0][channel]);
        let worst = difference.iter().fold(0.0f64, |worst, d| worst.max(d.abs()));
        let is_finite = difference.iter().all(|d| d.is_finite());
        Cell {
            sides,
            signed: difference.iter().sum::<f64>() / 3.0,
            absolute: if is_finite { worst } else { f64::INFINITY },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        score::Terms,
        sweep::{OutputKind, PictureLayout, PictureMapping, Thresholds},
        tensor::DType,
    };

    fn drawn(shape: &[u32], kind: OutputKind, reference: &[u8], actual: &[u8]) -> RgbImage {
        let comparison = Comparison {
            output: "image",
            reference_kind: "test",
            shape,
            reference: Values::plain(DType::Uint8, reference),
            actual: Values::plain(DType::Uint8, actual),
            kind,
            thresholds: Thresholds::default(),
            terms: Terms::default(),
        };
        image::load_from_memory(&triptych(&comparison).unwrap())
            .unwrap()
            .into_rgb8()
    }

    const PICTURE: OutputKind = OutputKind::Picture {
        layout: PictureLayout::Nhwc,
        mapping: PictureMapping::Byte,
    };

    #[test]
    fn each_panel_shows_what_it_should_and_the_worst_tile_is_outlined() {
        let reference = vec![100; 64 * 64 * 3];
        let mut actual = reference.clone();
        // Pixel (20, 10): brighter, in tile (row 1, column 2).
        actual[(10 * 64 + 20) * 3..(10 * 64 + 20) * 3 + 3].fill(180);
        let image = drawn(&[64, 64, 3], PICTURE, &reference, &actual);
        assert_eq!(image.dimensions(), (4 * 256 + 5 * 8, 256 + 16));
        let at = |panel: u32, x: u32, y: u32| image.get_pixel(8 + panel * 264 + x * 4 + 1, 8 + y * 4 + 1).0;
        assert_eq!(at(0, 20, 10), [100; 3]);
        assert_eq!(at(1, 20, 10), [180; 3]);
        assert_eq!(at(2, 20, 10), [255, 0, 0]);
        assert_eq!(at(3, 20, 10), [255; 3]);
        assert_eq!((at(2, 40, 40), at(3, 40, 40)), ([255; 3], [0; 3]));
        let corner = |panel: u32| image.get_pixel(8 + panel * 264 + 2 * 32, 8 + 32).0;
        assert_eq!((corner(0), corner(1), corner(3)), ([100; 3], OUTLINE.0, OUTLINE.0));
    }

    #[test]
    fn any_shape_is_drawn_and_a_large_one_is_shrunk_to_its_worst_pixels() {
        for shape in [&[1][..], &[7], &[3, 1], &[1, 5, 300], &[5000]] {
            let count: u32 = shape.iter().product();
            let values: Vec<u8> = (0..count).map(|i| (i % 251) as u8).collect();
            assert!(drawn(shape, OutputKind::Tensor, &values, &values).width() > 0);
        }
        let reference = vec![10; 3000 * 40];
        let mut actual = reference.clone();
        actual[1501] = 200;
        let image = drawn(&[40, 3000, 1], PICTURE, &reference, &actual);
        assert_eq!(image.dimensions(), (4 * 1000 + 40, 14 + 16));
        assert_eq!(image.get_pixel(8 + 1008 + 500, 8).0, OUTLINE.0);
        assert_eq!(image.get_pixel(8 + 3 * 1008 + 501, 9).0, [0; 3]);
    }
}
