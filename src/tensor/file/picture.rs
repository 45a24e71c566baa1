//! Which levels does a picture file show?

use std::io::Cursor;

use image::{DynamicImage, GenericImageView, ImageError, ImageReader, Limits};

use crate::tensor::{DType, TensorSpec};

/// A decoded picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// `[height, width, channels]` with one channel or three: uint8, or float32 where the file has 16 bits a level.
    pub spec: TensorSpec,
    /// Levels from 0 to 255; of 16 bits, in steps of 1/257.
    pub levels: Vec<u8>,
}

/// Why a file shows nothing.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    #[error("it cannot be decoded")]
    Decode(#[from] ImageError),
    #[error("it cannot be recognised as PNG or JPEG")]
    Unrecognised(#[from] std::io::Error),
    #[error("pixel ({x}, {y}) is not opaque, and what shows through it is not known; flatten the picture first")]
    Transparent { x: u32, y: u32 },
}

/// A file may declare any size: more than this is refused before it is allocated.
const MOST_SIDE: u32 = 1 << 15;
const MOST_BYTES: u64 = 512 << 20;

/// Decodes a PNG or JPEG: grey or colour, of a palette, 8 or 16 bits; an alpha channel must be opaque throughout.
pub fn decode(file: &[u8]) -> Result<Picture, PictureError> {
    let mut reader = ImageReader::new(Cursor::new(file)).with_guessed_format()?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MOST_SIDE);
    limits.max_image_height = Some(MOST_SIDE);
    limits.max_alloc = Some(MOST_BYTES);
    reader.limits(limits);
    let image = reader.decode()?;
    check_opaque(&image)?;
    let (width, height) = image.dimensions();
    let color = image.color();
    let channels = if color.has_color() { 3 } else { 1 };
    let is_wide = color.bytes_per_pixel() / color.channel_count() > 1;
    let (dtype, levels) = match (is_wide, channels) {
        (false, 1) => (DType::Uint8, image.into_luma8().into_raw()),
        (false, _) => (DType::Uint8, image.into_rgb8().into_raw()),
        (true, 1) => (DType::Float32, of_16_bits(&image.into_luma16().into_raw())),
        (true, _) => (DType::Float32, of_16_bits(&image.into_rgb16().into_raw())),
    };
    Ok(Picture {
        spec: TensorSpec {
            dtype,
            shape: vec![height, width, channels],
        },
        levels,
    })
}

/// 65,535 is 255.
fn of_16_bits(levels: &[u16]) -> Vec<u8> {
    levels
        .iter()
        .flat_map(|&level| (f32::from(level) / 257.0).to_le_bytes())
        .collect()
}

fn check_opaque(image: &DynamicImage) -> Result<(), PictureError> {
    let width = image.width().max(1) as usize;
    let clear = match image {
        DynamicImage::ImageLumaA8(image) => image.pixels().position(|pixel| pixel.0[1] != u8::MAX),
        DynamicImage::ImageRgba8(image) => image.pixels().position(|pixel| pixel.0[3] != u8::MAX),
        DynamicImage::ImageLumaA16(image) => image.pixels().position(|pixel| pixel.0[1] != u16::MAX),
        DynamicImage::ImageRgba16(image) => image.pixels().position(|pixel| pixel.0[3] != u16::MAX),
        _ => None,
    };
    match clear {
        None => Ok(()),
        Some(index) => Err(PictureError::Transparent {
            x: (index % width) as u32,
            y: (index / width) as u32,
        }),
    }
}

#[cfg(test)]
mod tests {
    use image::{ExtendedColorType, ImageEncoder, codecs::png::PngEncoder};

    use super::*;

    fn png(levels: &[u8], width: u32, height: u32, color: ExtendedColorType) -> Vec<u8> {
        let mut file = Vec::new();
        PngEncoder::new(&mut file)
            .write_image(levels, width, height, color)
            .unwrap();
        file
    }

    #[test]
    fn grey_colour_and_opaque_alpha_are_read_as_they_are() {
        let grey = decode(&png(&[0, 7, 255, 9], 2, 2, ExtendedColorType::L8)).unwrap();
        assert_eq!(
            (grey.spec.to_string().as_str(), grey.levels.as_slice()),
            ("uint8[2,2,1]", &[0, 7, 255, 9][..])
        );
        let colour = decode(&png(&[1, 2, 3, 4, 5, 6], 2, 1, ExtendedColorType::Rgb8)).unwrap();
        assert_eq!(
            (colour.spec.to_string().as_str(), colour.levels.len()),
            ("uint8[1,2,3]", 6)
        );
        let opaque = decode(&png(&[1, 2, 3, 255], 1, 1, ExtendedColorType::Rgba8)).unwrap();
        assert_eq!(opaque.levels, [1, 2, 3]);
    }

    #[test]
    fn a_pixel_that_is_not_opaque_is_named() {
        let clear = png(&[1, 2, 3, 255, 1, 2, 3, 254], 1, 2, ExtendedColorType::Rgba8);
        assert!(
            decode(&clear)
                .unwrap_err()
                .to_string()
                .starts_with("pixel (0, 1) is not opaque")
        );
    }

    #[test]
    fn sixteen_bits_keep_their_steps() {
        let levels: Vec<u8> = [0u16, 257, 258, 65_535].iter().flat_map(|v| v.to_ne_bytes()).collect();
        let wide = decode(&png(&levels, 4, 1, ExtendedColorType::L16)).unwrap();
        assert_eq!(wide.spec.to_string(), "float32[1,4,1]");
        let values: Vec<f32> = wide
            .levels
            .as_chunks::<4>()
            .0
            .iter()
            .map(|&raw| f32::from_le_bytes(raw))
            .collect();
        assert_eq!(values, [0.0, 1.0, 258.0 / 257.0, 255.0]);
    }

    #[test]
    fn a_torn_file_is_refused_at_every_length() {
        let levels: Vec<u8> = (0..48).collect();
        let whole = png(&levels, 4, 4, ExtendedColorType::Rgb8);
        // The last chunk only says that the file ends.
        for length in 0..whole.len() - 12 {
            assert!(decode(&whole[..length]).is_err(), "{length} of {}", whole.len());
        }
    }

    #[test]
    fn a_declared_size_beyond_reason_is_refused_before_it_is_allocated() {
        let mut file = png(&[0], 1, 1, ExtendedColorType::L8);
        let side = 60_000u32.to_be_bytes();
        file[16..20].copy_from_slice(&side);
        file[20..24].copy_from_slice(&side);
        let crc = crc_of(&file[12..29]);
        file[29..33].copy_from_slice(&crc.to_be_bytes());
        assert!(matches!(
            decode(&file),
            Err(PictureError::Decode(ImageError::Limits(_)))
        ));
    }

    /// The checksum of a PNG chunk (ISO 3309).
    fn crc_of(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0, |crc, &byte| {
            (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1)))
        })
    }
}
