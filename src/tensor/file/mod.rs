//! How is a tensor read from a file that somebody else wrote?
//!
//! Raw values, NumPy's `.npy`, `.safetensors` and pictures. Files are mapped, not read; what has to be converted is
//! copied. Sizes a file declares are checked against the bytes it has before anything is allocated.

mod npy;
mod picture;
mod safe;

use std::{
    fmt,
    fs::File,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use memmap2::Mmap;

pub use npy::{Npy, NpyError, parse as parse_npy};
pub use picture::{Picture, PictureError, decode as decode_picture};
pub use safe::{SafeError, parse as parse_safetensors};

use super::{DType, SizeError, TensorSpec};
use crate::os::map_file;

/// A tensor with its values.
#[derive(Clone)]
pub struct Tensor {
    /// Its name in a file of several; empty where a file is one tensor.
    pub name: String,
    pub spec: TensorSpec,
    pub content: Content,
    /// The file, or who opened it, says the shape; a raw file alone does not.
    pub shape_is_known: bool,
    data: Data,
}

/// What the values are known to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    Numbers,
    /// A picture, rows and columns first, channels last, levels 0 to 255.
    Picture,
}

#[derive(Clone)]
enum Data {
    Mapped {
        map: Arc<Mmap>,
        start: usize,
        length: usize,
    },
    Owned(Arc<[u8]>),
}

/// What a file of raw values holds, since it does not say so itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawSpec {
    /// float32 when none.
    pub dtype: Option<DType>,
    /// One dimension when none.
    pub shape: Option<Vec<u32>>,
}

/// Why a file gives no tensor.
#[derive(Debug, thiserror::Error)]
pub enum TensorFileError {
    #[error("cannot read {path}")]
    Read { path: PathBuf, source: io::Error },
    #[error("{path} is no kind of file that is known by its name; known are {KNOWN}")]
    Unknown { path: PathBuf },
    #[error("{path} has {actual} bytes, but {spec} takes {expected}; say --shape and --dtype as they are")]
    RawLength {
        path: PathBuf,
        spec: TensorSpec,
        expected: usize,
        actual: usize,
    },
    #[error("{path} has {bytes} bytes, which is no whole number of {dtype} values; say --dtype as it is")]
    RawFraction { path: PathBuf, dtype: DType, bytes: usize },
    #[error("{path} cannot be read as raw values")]
    RawSize {
        path: PathBuf,
        #[source]
        source: SizeError,
    },
    #[error("{path} is no .npy file that can be read")]
    Npy {
        path: PathBuf,
        #[source]
        source: NpyError,
    },
    #[error("{path} is no .safetensors file that can be read")]
    Safetensors {
        path: PathBuf,
        #[source]
        source: SafeError,
    },
    #[error("{path} is no picture that can be read")]
    Picture {
        path: PathBuf,
        #[source]
        source: PictureError,
    },
}

/// The kinds of files, by the ends of their names.
const KNOWN: &str = ".bin and .raw (raw values), .npy, .safetensors, .png, .jpg and .jpeg";

/// How a file is read, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Raw,
    Npy,
    Safetensors,
    Picture,
}

impl Kind {
    fn of(path: &Path) -> Option<Kind> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "bin" | "raw" => Some(Kind::Raw),
            "npy" => Some(Kind::Npy),
            "safetensors" => Some(Kind::Safetensors),
            "png" | "jpg" | "jpeg" => Some(Kind::Picture),
            _ => None,
        }
    }
}

/// Is this a file that [`open`] reads?
pub fn is_tensor_file(path: &Path) -> bool {
    Kind::of(path).is_some()
}

/// The tensors of a file, by name. Only `.safetensors` has more or fewer than one.
pub fn open(path: &Path, raw: &RawSpec) -> Result<Vec<Tensor>, TensorFileError> {
    let kind = Kind::of(path).ok_or_else(|| TensorFileError::Unknown { path: path.to_owned() })?;
    let map = File::open(path)
        .and_then(|file| map_file(&file))
        .map_err(|source| TensorFileError::Read {
            path: path.to_owned(),
            source,
        })?;
    let path = path.to_owned();
    match kind {
        Kind::Raw => Ok(vec![of_raw(path, map, raw)?]),
        Kind::Npy => {
            let npy = parse_npy(&map).map_err(|source| TensorFileError::Npy { path, source })?;
            Ok(vec![of_npy(npy, map)])
        }
        Kind::Safetensors => {
            let views = parse_safetensors(&map).map_err(|source| TensorFileError::Safetensors { path, source })?;
            let map = Arc::new(map);
            let tensor = |view: safe::View| Tensor {
                name: view.name,
                spec: view.spec,
                content: Content::Numbers,
                shape_is_known: true,
                data: Data::Mapped {
                    map: Arc::clone(&map),
                    start: view.start,
                    length: view.length,
                },
            };
            Ok(views.into_iter().map(tensor).collect())
        }
        Kind::Picture => {
            let picture = decode_picture(&map).map_err(|source| TensorFileError::Picture { path, source })?;
            Ok(vec![Tensor {
                name: String::new(),
                spec: picture.spec,
                content: Content::Picture,
                shape_is_known: true,
                data: Data::Owned(picture.levels.into()),
            }])
        }
    }
}

fn of_raw(path: PathBuf, map: Mmap, raw: &RawSpec) -> Result<Tensor, TensorFileError> {
    let dtype = raw.dtype.unwrap_or(DType::Float32);
    let bytes = map.len();
    let shape = match &raw.shape {
        Some(shape) => shape.clone(),
        None if !bytes.is_multiple_of(dtype.bytes()) => {
            return Err(TensorFileError::RawFraction { path, dtype, bytes });
        }
        None => match u32::try_from(bytes / dtype.bytes()) {
            Ok(elements) => vec![elements],
            Err(_) => {
                let source = SizeError(vec![u32::MAX]);
                return Err(TensorFileError::RawSize { path, source });
            }
        },
    };
    let spec = TensorSpec { dtype, shape };
    let expected = spec.bytes().map_err(|source| TensorFileError::RawSize {
        path: path.clone(),
        source,
    })?;
    if expected != bytes {
        return Err(TensorFileError::RawLength {
            path,
            spec,
            expected,
            actual: bytes,
        });
    }
    Ok(Tensor {
        name: String::new(),
        spec,
        content: Content::Numbers,
        shape_is_known: raw.shape.is_some(),
        data: Data::Mapped {
            map: Arc::new(map),
            start: 0,
            length: bytes,
        },
    })
}

fn of_npy(npy: Npy, map: Mmap) -> Tensor {
    let data = match npy.rearranged(&map) {
        Some(values) => Data::Owned(values.into()),
        None => Data::Mapped {
            start: npy.start,
            length: map.len() - npy.start,
            map: Arc::new(map),
        },
    };
    Tensor {
        name: String::new(),
        spec: npy.spec,
        content: Content::Numbers,
        shape_is_known: true,
        data,
    }
}

impl Tensor {
    /// Little-endian, row-major.
    pub fn bytes(&self) -> &[u8] {
        match &self.data {
            Data::Mapped { map, start, length } => &map[*start..*start + *length],
            Data::Owned(bytes) => bytes,
        }
    }

    /// The same values in another shape of as many elements; none where it has not.
    pub fn reshaped(self, shape: &[u32]) -> Option<Tensor> {
        let spec = TensorSpec {
            dtype: self.spec.dtype,
            shape: shape.to_vec(),
        };
        (spec.bytes().ok()? == self.bytes().len()).then_some(Tensor { spec, ..self })
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.spec)
    }
}
