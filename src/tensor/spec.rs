//! How many elements and bytes does a tensor have?

use std::fmt;

use serde::{Deserialize, Serialize};

use super::DType;

/// Element type and shape. Dimensions are known and not negative; a scalar has no dimensions.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TensorSpec {
    pub dtype: DType,
    /// Row-major, outermost first.
    pub shape: Vec<u32>,
}

/// A shape whose size does not fit the machine.
#[derive(Debug, thiserror::Error)]
#[error("a tensor of shape {0:?} is larger than this machine can address")]
pub struct SizeError(pub Vec<u32>);

impl TensorSpec {
    /// Number of elements; 1 for a scalar.
    pub fn elements(&self) -> Result<usize, SizeError> {
        self.shape
            .iter()
            .try_fold(1usize, |n, &d| n.checked_mul(d as usize))
            .ok_or_else(|| SizeError(self.shape.clone()))
    }

    /// Bytes of the packed row-major tensor.
    pub fn bytes(&self) -> Result<usize, SizeError> {
        self.elements()?
            .checked_mul(self.dtype.bytes())
            .ok_or_else(|| SizeError(self.shape.clone()))
    }
}

impl fmt::Display for TensorSpec {
    /// `float32[1,64,48]`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[", self.dtype)?;
        for (i, d) in self.shape.iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            write!(f, "{d}")?;
        }
        f.write_str("]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_arithmetic_is_checked() {
        let spec = |shape: &[u32]| TensorSpec {
            dtype: DType::Float32,
            shape: shape.to_vec(),
        };
        assert_eq!(spec(&[1, 64, 48]).bytes().unwrap(), 12_288);
        assert_eq!(spec(&[]).bytes().unwrap(), 4);
        assert_eq!(spec(&[0, 7]).bytes().unwrap(), 0);
        assert!(spec(&[u32::MAX, u32::MAX, 2]).elements().is_err());
        assert_eq!(spec(&[1, 3]).to_string(), "float32[1,3]");
    }
}
