//! Which tensors does a `.safetensors` file hold?

use safetensors::{Dtype, SafeTensorError, SafeTensors};

use crate::tensor::{DType, TensorSpec};

/// A tensor's place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    pub name: String,
    pub spec: TensorSpec,
    pub start: usize,
    pub length: usize,
}

/// Why a file gives no tensors.
#[derive(Debug, thiserror::Error)]
pub enum SafeError {
    #[error("its header is not valid")]
    Format(#[from] SafeTensorError),
    #[error("its tensor \"{name}\" is of type {dtype:?}, which is not known")]
    DType { name: String, dtype: Dtype },
    #[error("its tensor \"{name}\" has a dimension of {dimension}, above 4,294,967,295")]
    Dimension { name: String, dimension: usize },
}

/// The tensors in order of their names. Offsets that overlap, leave gaps or leave the file are refused.
pub fn parse(file: &[u8]) -> Result<Vec<View>, SafeError> {
    let tensors = SafeTensors::deserialize(file)?;
    let mut views: Vec<View> = tensors
        .iter()
        .map(|(name, tensor)| {
            let dtype = dtype(tensor.dtype()).ok_or_else(|| SafeError::DType {
                name: name.to_owned(),
                dtype: tensor.dtype(),
            })?;
            let dimension = |&d: &usize| {
                u32::try_from(d).map_err(|_| SafeError::Dimension {
                    name: name.to_owned(),
                    dimension: d,
                })
            };
            Ok(View {
                name: name.to_owned(),
                spec: TensorSpec {
                    dtype,
                    shape: tensor.shape().iter().map(dimension).collect::<Result<_, _>>()?,
                },
                // The view borrows from the file, so this is its offset.
                start: tensor.data().as_ptr().addr() - file.as_ptr().addr(),
                length: tensor.data().len(),
            })
        })
        .collect::<Result<_, SafeError>>()?;
    views.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(views)
}

fn dtype(dtype: Dtype) -> Option<DType> {
    Some(match dtype {
        Dtype::BOOL => DType::Bool,
        Dtype::U8 => DType::Uint8,
        Dtype::I8 => DType::Int8,
        Dtype::I16 => DType::Int16,
        Dtype::U16 => DType::Uint16,
        Dtype::F16 => DType::Float16,
        Dtype::BF16 => DType::Bfloat16,
        Dtype::I32 => DType::Int32,
        Dtype::U32 => DType::Uint32,
        Dtype::F32 => DType::Float32,
        Dtype::F64 => DType::Float64,
        Dtype::I64 => DType::Int64,
        Dtype::U64 => DType::Uint64,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, values: &[u8]) -> Vec<u8> {
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend(header.as_bytes());
        file.extend(values);
        file
    }

    #[test]
    fn tensors_are_found_by_name_where_they_stand() {
        let header = r#"{"b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]},"a":{"dtype":"BF16","shape":[],"data_offsets":[0,2]}}"#;
        let bytes = file(header, &[1, 2, 3, 4, 5, 6]);
        let views = parse(&bytes).unwrap();
        let found: Vec<(&str, String, &[u8])> = views
            .iter()
            .map(|view| {
                let values = &bytes[view.start..view.start + view.length];
                (view.name.as_str(), view.spec.to_string(), values)
            })
            .collect();
        assert_eq!(found[0], ("a", "bfloat16[]".to_owned(), &[1, 2][..]));
        assert_eq!(found[1], ("b", "float32[1]".to_owned(), &[3, 4, 5, 6][..]));
    }

    #[test]
    fn overlapping_offsets_lies_and_torn_files_are_refused() {
        let overlapping = r#"{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}}"#;
        assert!(parse(&file(overlapping, &[0; 6])).is_err());
        let too_long = r#"{"a":{"dtype":"F64","shape":[9223372036854775807,9],"data_offsets":[0,8]}}"#;
        assert!(parse(&file(too_long, &[0; 8])).is_err());
        assert!(parse(&u64::MAX.to_le_bytes()).is_err());
        let whole = file(r#"{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}"#, &[7]);
        for length in 0..whole.len() {
            assert!(parse(&whole[..length]).is_err(), "{length}");
        }
    }

    #[test]
    fn a_type_without_numbers_of_ours_is_refused_by_name() {
        let header = r#"{"a":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1]}}"#;
        assert!(
            parse(&file(header, &[7]))
                .unwrap_err()
                .to_string()
                .contains("\"a\" is of type F8_E4M3")
        );
    }
}
