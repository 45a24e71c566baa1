//! What is a graph fed when nobody has inputs for it? Seeded values, the same on every machine.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use super::Tensor;
use crate::{
    store::sha256_file,
    tensor::{DType, TensorSpec},
    tflite::{SignatureInfo, TensorDecl},
};

/// Largest input that is made up: larger ones are slips of `--dynamic`, or hostile graphs.
const INPUT_LIMIT_BYTES: u64 = 4 << 30;

/// Why inputs could not be made.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    #[error("input \"{input}\" is of type {dtype}, which LiteRT cannot be fed; measure this graph with another tool")]
    Unsupported { input: String, dtype: String },
    #[error("input \"{input}\": {source}")]
    Size {
        input: String,
        source: crate::tensor::SizeError,
    },
    #[error("input \"{input}\" would be {spec}, more than 4 GiB; choose a smaller --dynamic")]
    TooLarge { input: String, spec: TensorSpec },
    #[error("cannot write {path}; check space and permissions")]
    Write { path: PathBuf, source: io::Error },
}

/// Writes one file per input of a signature into `folder` and returns them as index entries, with files relative to `root`.
///
/// Dimensions that are open in the graph become `dynamic`. Values depend on the seed, the input's name and its type alone.
pub fn write_inputs(
    signature: &SignatureInfo,
    dynamic: u32,
    seed: u64,
    root: &Path,
    folder: &Path,
) -> Result<Vec<Tensor>, GenerateError> {
    let at = root.join(folder);
    fs::create_dir_all(&at).map_err(|source| GenerateError::Write {
        path: at.clone(),
        source,
    })?;
    signature
        .inputs
        .iter()
        .enumerate()
        .map(|(index, decl)| {
            let spec = concrete(decl, dynamic)?;
            let count = spec.elements().map_err(|source| GenerateError::Size {
                input: decl.name.clone(),
                source,
            })?;
            let bytes = count.saturating_mul(spec.dtype.bytes()) as u64;
            if bytes > INPUT_LIMIT_BYTES {
                return Err(GenerateError::TooLarge {
                    input: decl.name.clone(),
                    spec,
                });
            }
            // Positions, not names, make the file name: tensor names may hold slashes.
            let file = folder.join(format!("in{index}.bin"));
            let path = root.join(&file);
            let sha256 = write_values(spec.dtype, count, name_seed(seed, &decl.name), &path)
                .map_err(|source| GenerateError::Write { path, source })?;
            Ok(Tensor {
                index,
                name: Some(decl.name.clone()),
                role: None,
                spec,
                file,
                sha256,
            })
        })
        .collect()
}

fn concrete(decl: &TensorDecl, dynamic: u32) -> Result<TensorSpec, GenerateError> {
    let dtype = decl.dtype.dtype().ok_or_else(|| GenerateError::Unsupported {
        input: decl.name.clone(),
        dtype: decl.dtype.schema_name().to_owned(),
    })?;
    Ok(TensorSpec {
        dtype,
        shape: decl.shape.iter().map(|d| d.unwrap_or(dynamic)).collect(),
    })
}

/// Writes seeded values to a file, in pieces, and returns its SHA-256.
fn write_values(dtype: DType, count: usize, seed: u64, path: &Path) -> io::Result<String> {
    let mut file = BufWriter::with_capacity(1 << 16, File::create(path)?);
    for value in SeededValues::new(dtype, seed).take(count) {
        file.write_all(value.bytes())?;
    }
    file.into_inner()?.sync_all()?;
    sha256_file(path)
}

/// Values of one element type from a seed: floats uniform in [-1, 1), 8- and 16-bit integers over their whole range,
/// wider integers 0 to 3 (they are indices more often than not), bools 0 or 1.
struct SeededValues {
    dtype: DType,
    random: SplitMix64,
}

/// One raw little-endian value.
struct Value {
    bytes: [u8; 8],
    width: usize,
}

impl Value {
    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.width]
    }
}

impl SeededValues {
    fn new(dtype: DType, seed: u64) -> Self {
        SeededValues {
            dtype,
            random: SplitMix64(seed),
        }
    }
}

impl Iterator for SeededValues {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        let random = self.random.next();
        // The upper 24 bits as a fraction of 2^23, less one: exact in f32.
        let unit = (random >> 40) as f32 / (1u32 << 23) as f32 - 1.0;
        let little_endian = match self.dtype {
            DType::Float32 => u64::from(unit.to_bits()),
            DType::Float64 => f64::from(unit).to_bits(),
            DType::Float16 => u64::from(half::f16::from_f32(unit).to_bits()),
            DType::Bfloat16 => u64::from(half::bf16::from_f32(unit).to_bits()),
            DType::Int8 | DType::Uint8 => random >> 56,
            DType::Int16 | DType::Uint16 => random >> 48,
            DType::Int32 | DType::Uint32 | DType::Int64 | DType::Uint64 => random >> 62,
            DType::Bool => random >> 63,
        };
        Some(Value {
            bytes: little_endian.to_le_bytes(),
            width: self.dtype.bytes(),
        })
    }
}

/// Gives inputs of one graph different values under one seed (FNV-1a of the name).
fn name_seed(seed: u64, name: &str) -> u64 {
    name.bytes().fold(seed ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Steele, Lea and Flood 2014: the generator java.util.SplittableRandom uses; every seed is a good one.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First outputs for seed 1234567, from the Rosetta Code task "Pseudo-random numbers/Splitmix64".
    #[test]
    fn generator_gives_the_published_sequence() {
        let mut random = SplitMix64(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
        assert_eq!(random.next(), 9_817_491_932_198_370_423);
    }

    fn values(dtype: DType, count: usize) -> Vec<u8> {
        let values = SeededValues::new(dtype, 7).take(count);
        values.flat_map(|value| value.bytes().to_vec()).collect()
    }

    #[test]
    fn values_fill_the_tensor_and_stay_in_their_range() {
        for dtype in DType::ALL {
            assert_eq!(values(dtype, 15).len(), 15 * dtype.bytes());
        }
        let floats = values(DType::Float32, 1000);
        let floats = floats
            .chunks_exact(4)
            .map(|c| f32::from_le_bytes(c.try_into().unwrap()));
        assert!(floats.clone().all(|v| (-1.0..1.0).contains(&v)));
        assert!(floats.clone().any(|v| v < -0.9) && floats.clone().any(|v| v > 0.9));
        let indices = values(DType::Int32, 100);
        assert!(
            indices
                .chunks_exact(4)
                .all(|c| u32::from_le_bytes(c.try_into().unwrap()) < 4)
        );
        assert!(values(DType::Bool, 100).iter().all(|&b| b < 2));
    }

    #[test]
    fn the_hash_returned_is_that_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in0.bin");
        let sha256 = write_values(DType::Int16, 100_000, 3, &path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().len(), 200_000);
        assert_eq!(sha256, sha256_file(&path).unwrap());
    }
}
