//! What is a graph fed when nobody has inputs for it? Seeded values, the same on every machine.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{IndexCase, Tensor};
use crate::{
    store::sha256_bytes,
    tensor::{DType, TensorSpec},
    tflite::{SignatureInfo, TensorDecl},
};

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
            let values = seeded_values(&spec, name_seed(seed, &decl.name)).map_err(|source| GenerateError::Size {
                input: decl.name.clone(),
                source,
            })?;
            // Positions, not names, make the file name: tensor names may hold slashes.
            let file = folder.join(format!("in{index}.bin"));
            let path = root.join(&file);
            fs::write(&path, &values).map_err(|source| GenerateError::Write { path, source })?;
            Ok(Tensor {
                index,
                name: Some(decl.name.clone()),
                role: None,
                spec,
                file,
                sha256: sha256_bytes(&values),
                equal_infinities: false,
                quantisation: None,
            })
        })
        .collect()
}

/// A case of one signature with no references.
pub fn index_case(signature: &SignatureInfo, inputs: Vec<Tensor>) -> IndexCase {
    IndexCase {
        signature: signature.key.clone(),
        inputs,
        outputs: Vec::new(),
    }
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

/// Raw values of a tensor from a seed: floats uniform in [-1, 1), 8- and 16-bit integers over their whole range,
/// wider integers 0 to 3 (they are indices more often than not), bools 0 or 1.
pub fn seeded_values(spec: &TensorSpec, seed: u64) -> Result<Vec<u8>, crate::tensor::SizeError> {
    let count = spec.elements()?;
    let mut random = SplitMix64(seed);
    let mut bytes = Vec::with_capacity(spec.bytes()?);
    for _ in 0..count {
        let bits = random.next();
        // The upper 24 bits as a fraction of 2^23, less one: exact in f32.
        let unit = (bits >> 40) as f32 / (1u32 << 23) as f32 - 1.0;
        match spec.dtype {
            DType::Float32 => bytes.extend(unit.to_le_bytes()),
            DType::Float64 => bytes.extend(f64::from(unit).to_le_bytes()),
            DType::Float16 => bytes.extend(half::f16::from_f32(unit).to_le_bytes()),
            DType::Bfloat16 => bytes.extend(half::bf16::from_f32(unit).to_le_bytes()),
            DType::Int8 | DType::Uint8 => bytes.push((bits >> 56) as u8),
            DType::Int16 | DType::Uint16 => bytes.extend(((bits >> 48) as u16).to_le_bytes()),
            DType::Int32 | DType::Uint32 => bytes.extend(((bits >> 62) as u32).to_le_bytes()),
            DType::Int64 | DType::Uint64 => bytes.extend((bits >> 62).to_le_bytes()),
            DType::Bool => bytes.push((bits >> 63) as u8),
        }
    }
    Ok(bytes)
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

    #[test]
    fn values_fill_the_tensor_and_stay_in_their_range() {
        for dtype in DType::ALL {
            let spec = TensorSpec {
                dtype,
                shape: vec![3, 5],
            };
            assert_eq!(seeded_values(&spec, 1).unwrap().len(), spec.bytes().unwrap());
        }
        let spec = TensorSpec {
            dtype: DType::Float32,
            shape: vec![1000],
        };
        let values = seeded_values(&spec, 7).unwrap();
        let floats = values
            .chunks_exact(4)
            .map(|c| f32::from_le_bytes(c.try_into().unwrap()));
        assert!(floats.clone().all(|v| (-1.0..1.0).contains(&v)));
        assert!(floats.clone().any(|v| v < -0.9) && floats.clone().any(|v| v > 0.9));
        let spec = TensorSpec {
            dtype: DType::Int32,
            shape: vec![100],
        };
        assert!(
            seeded_values(&spec, 7)
                .unwrap()
                .chunks_exact(4)
                .all(|c| u32::from_le_bytes(c.try_into().unwrap()) < 4)
        );
    }
}
