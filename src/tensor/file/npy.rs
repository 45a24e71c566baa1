//! What does a NumPy `.npy` file hold?
//!
//! The format is NumPy's own description, "numpy.lib.format", versions 1 to 3: a magic string, the length of a header, a
//! Python dictionary as text (element type, order, shape), then the values. Only the literals that NumPy writes are
//! understood; nothing is ever evaluated, and pickled objects are refused.

use crate::tensor::{DType, SizeError, TensorSpec};

/// Where the values stand and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Npy {
    pub spec: TensorSpec,
    /// First byte of the values; they go to the end of the file.
    pub start: usize,
    big_endian: bool,
    /// Column-major.
    fortran_order: bool,
}

/// Why a file is no such array.
#[derive(Debug, thiserror::Error)]
pub enum NpyError {
    #[error("it does not begin with the six bytes of a .npy file")]
    Magic,
    #[error("it is of format version {0}; known are 1, 2 and 3")]
    Version(u8),
    #[error("it ends within its header")]
    Truncated,
    #[error("its header is not a dictionary of descr, fortran_order and shape: {0}")]
    Header(&'static str),
    #[error("it holds pickled Python objects, which are not read; save it with allow_pickle=False")]
    Pickled,
    #[error("its elements are of type '{0}'; known are b1, i1 to i8, u1 to u8, f2, f4 and f8")]
    DType(String),
    #[error("its header declares {spec}, which takes {expected} bytes, but {actual} follow")]
    Length {
        spec: TensorSpec,
        expected: usize,
        actual: usize,
    },
    #[error(transparent)]
    Size(#[from] SizeError),
}

const MAGIC: &[u8] = b"\x93NUMPY";
/// NumPy itself refuses headers beyond 10,000 characters.
const MOST_HEADER: usize = 1 << 16;

/// Reads the header of a whole file and checks it against the file's length.
pub fn parse(file: &[u8]) -> Result<Npy, NpyError> {
    let rest = file.strip_prefix(MAGIC).ok_or(NpyError::Magic)?;
    let (&[major, _minor], rest) = rest.split_first_chunk().ok_or(NpyError::Truncated)?;
    let (length, text) = match major {
        1 => {
            let (length, text) = rest.split_first_chunk().ok_or(NpyError::Truncated)?;
            (usize::from(u16::from_le_bytes(*length)), text)
        }
        2 | 3 => {
            let (length, text) = rest.split_first_chunk().ok_or(NpyError::Truncated)?;
            (u32::from_le_bytes(*length) as usize, text)
        }
        other => return Err(NpyError::Version(other)),
    };
    if length > MOST_HEADER {
        return Err(NpyError::Header("it is longer than 65,536 bytes"));
    }
    let (header, values) = text.split_at_checked(length).ok_or(NpyError::Truncated)?;
    let header = std::str::from_utf8(header).map_err(|_| NpyError::Header("it is no text"))?;
    let header = Header::parse(header)?;
    let expected = header.spec.bytes()?;
    if expected != values.len() {
        return Err(NpyError::Length {
            spec: header.spec,
            expected,
            actual: values.len(),
        });
    }
    Ok(Npy {
        spec: header.spec,
        start: file.len() - values.len(),
        big_endian: header.big_endian,
        fortran_order: header.fortran_order,
    })
}

impl Npy {
    /// The values of the file little-endian and row-major; none where they are so already.
    pub fn rearranged(&self, file: &[u8]) -> Option<Vec<u8>> {
        let width = self.spec.dtype.bytes();
        let swapped = self.big_endian && width > 1;
        let transposed = self.fortran_order && self.spec.shape.len() > 1;
        if !swapped && !transposed {
            return None;
        }
        let values = &file[self.start..];
        let mut out = Vec::with_capacity(values.len());
        let mut push = |element: &[u8]| match swapped {
            true => out.extend(element.iter().rev()),
            false => out.extend_from_slice(element),
        };
        if !transposed {
            values.chunks_exact(width).for_each(&mut push);
            return Some(out);
        }
        // Row-major over the shape, while the file's first dimension varies fastest.
        let mut strides = Vec::with_capacity(self.spec.shape.len());
        let mut stride = 1usize;
        for &d in &self.spec.shape {
            strides.push(stride);
            stride = stride.saturating_mul(d as usize);
        }
        let mut at = vec![0u32; self.spec.shape.len()];
        let mut index = 0usize;
        for _ in 0..values.len() / width {
            push(&values[index * width..(index + 1) * width]);
            for axis in (0..at.len()).rev() {
                at[axis] += 1;
                index += strides[axis];
                if at[axis] < self.spec.shape[axis] {
                    break;
                }
                index -= strides[axis] * at[axis] as usize;
                at[axis] = 0;
            }
        }
        Some(out)
    }
}

struct Header {
    spec: TensorSpec,
    big_endian: bool,
    fortran_order: bool,
}

impl Header {
    fn parse(text: &str) -> Result<Header, NpyError> {
        let mut reader = Literals { rest: text };
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        reader.expect("{")?;
        while !reader.take("}") {
            let key = reader.string()?;
            reader.expect(":")?;
            match key {
                "descr" => descr = Some(reader.descr()?),
                "fortran_order" => fortran_order = Some(reader.truth()?),
                "shape" => shape = Some(reader.shape()?),
                _ => return Err(NpyError::Header("it has another key")),
            }
            if !reader.take(",") {
                reader.expect("}")?;
                break;
            }
        }
        if !reader.rest.trim().is_empty() {
            return Err(NpyError::Header("something follows the dictionary"));
        }
        let (big_endian, dtype) = element_type(descr.ok_or(NpyError::Header("descr is missing"))?)?;
        let shape = shape.ok_or(NpyError::Header("shape is missing"))?;
        Ok(Header {
            spec: TensorSpec { dtype, shape },
            big_endian,
            fortran_order: fortran_order.ok_or(NpyError::Header("fortran_order is missing"))?,
        })
    }
}

fn element_type(descr: &str) -> Result<(bool, DType), NpyError> {
    let unknown = || NpyError::DType(descr.chars().take(40).collect());
    let (big_endian, name) = match descr.split_at_checked(1) {
        Some(("<" | "|", name)) => (false, name),
        Some((">", name)) => (true, name),
        _ => (false, descr),
    };
    let dtype = match name {
        "b1" => DType::Bool,
        "i1" => DType::Int8,
        "i2" => DType::Int16,
        "i4" => DType::Int32,
        "i8" => DType::Int64,
        "u1" => DType::Uint8,
        "u2" => DType::Uint16,
        "u4" => DType::Uint32,
        "u8" => DType::Uint64,
        "f2" => DType::Float16,
        "f4" => DType::Float32,
        "f8" => DType::Float64,
        _ if name.starts_with('O') => return Err(NpyError::Pickled),
        _ => return Err(unknown()),
    };
    Ok((big_endian, dtype))
}

/// Reads the few Python literals that a header is made of.
struct Literals<'a> {
    rest: &'a str,
}

impl<'a> Literals<'a> {
    fn take(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &'static str) -> Result<(), NpyError> {
        if self.take(token) {
            return Ok(());
        }
        Err(NpyError::Header("it is not written as NumPy writes it"))
    }

    fn string(&mut self) -> Result<&'a str, NpyError> {
        let quote = match (self.take("'"), self.rest) {
            (true, _) => '\'',
            (false, _) => {
                self.expect("\"")?;
                '"'
            }
        };
        let (text, rest) = self
            .rest
            .split_once(quote)
            .ok_or(NpyError::Header("a text in it does not end"))?;
        self.rest = rest;
        Ok(text)
    }

    fn descr(&mut self) -> Result<&'a str, NpyError> {
        if self.take("[") {
            return Err(NpyError::DType("a structure of several".to_owned()));
        }
        self.string()
    }

    fn truth(&mut self) -> Result<bool, NpyError> {
        if self.take("True") {
            return Ok(true);
        }
        self.expect("False")?;
        Ok(false)
    }

    fn shape(&mut self) -> Result<Vec<u32>, NpyError> {
        /// NumPy has no more dimensions.
        const MOST_DIMENSIONS: usize = 64;
        self.expect("(")?;
        let mut shape = Vec::new();
        while !self.take(")") {
            self.rest = self.rest.trim_start();
            let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
            let (number, rest) = self.rest.split_at(digits);
            let dimension = number
                .parse()
                .map_err(|_| NpyError::Header("a dimension is no number from 0 to 4,294,967,295"))?;
            if shape.len() == MOST_DIMENSIONS {
                return Err(NpyError::Header("it has more than 64 dimensions"));
            }
            shape.push(dimension);
            self.rest = rest;
            if !self.take(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(shape)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn file(header: &str, values: &[u8]) -> Vec<u8> {
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend((header.len() as u16).to_le_bytes());
        file.extend(header.as_bytes());
        file.extend(values);
        file
    }

    fn header(descr: &str, fortran: &str, shape: &str) -> String {
        format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}   \n")
    }

    fn refusal(file: &[u8]) -> String {
        parse(file).unwrap_err().to_string()
    }

    #[test]
    fn what_numpy_writes_is_read() {
        let file = file(&header("<f4", "False", "(2, 3)"), &[0; 24]);
        let npy = parse(&file).unwrap();
        assert_eq!(npy.spec.to_string(), "float32[2,3]");
        assert_eq!(npy.start, file.len() - 24);
        assert_eq!(npy.rearranged(&file), None);
    }

    #[test]
    fn one_dimension_none_and_an_empty_one_are_shapes() {
        for (shape, bytes, expected) in [("(3,)", 3, "int8[3]"), ("()", 1, "int8[]"), ("(0, 7)", 0, "int8[0,7]")] {
            let npy = parse(&file(&header("|i1", "False", shape), &vec![0; bytes])).unwrap();
            assert_eq!(npy.spec.to_string(), expected);
        }
    }

    #[test]
    fn big_endian_values_are_turned() {
        let file = file(&header(">i2", "False", "(2,)"), &[1, 2, 3, 4]);
        assert_eq!(parse(&file).unwrap().rearranged(&file), Some(vec![2, 1, 4, 3]));
    }

    #[test]
    fn column_major_values_become_row_major() {
        // Columns of [[0, 1, 2], [3, 4, 5]].
        let matrix = file(&header("|u1", "True", "(2, 3)"), &[0, 3, 1, 4, 2, 5]);
        assert_eq!(
            parse(&matrix).unwrap().rearranged(&matrix),
            Some(vec![0, 1, 2, 3, 4, 5])
        );
        let cube: Vec<u8> = (0..8).collect();
        let cube = file(&header("|u1", "True", "(2, 2, 2)"), &cube);
        assert_eq!(
            parse(&cube).unwrap().rearranged(&cube),
            Some(vec![0, 4, 2, 6, 1, 5, 3, 7])
        );
    }

    #[test]
    fn a_header_that_lies_about_the_length_is_refused_with_both_numbers() {
        let text = refusal(&file(&header("<f4", "False", "(2, 3)"), &[0; 20]));
        assert!(
            text.contains("float32[2,3], which takes 24 bytes, but 20 follow"),
            "{text}"
        );
        let text = refusal(&file(
            &header("<f8", "False", "(4294967295, 4294967295, 4294967295)"),
            &[],
        ));
        assert!(text.contains("larger than this machine can address"), "{text}");
    }

    #[test]
    fn objects_structures_and_unknown_types_are_refused_in_words() {
        assert!(refusal(&file(&header("|O", "False", "(1,)"), &[0; 8])).contains("pickled"));
        let structure = "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }";
        assert!(refusal(&file(structure, &[0; 4])).contains("a structure of several"));
        assert!(refusal(&file(&header("<c8", "False", "(1,)"), &[0; 8])).contains("'<c8'"));
        assert!(refusal(&file(&header("<U4", "False", "(1,)"), &[0; 16])).contains("'<U4'"));
    }

    #[test]
    fn a_torn_or_foreign_file_is_refused() {
        let whole = file(&header("<f4", "False", "(1,)"), &[0; 4]);
        for length in 0..whole.len() {
            assert!(parse(&whole[..length]).is_err(), "{length}");
        }
        assert!(refusal(b"\x93NUMPY\x09\x00\x00\x00").contains("version 9"));
        assert!(refusal(&file("{'descr': '<f4', 'shape': (1,), }", &[0; 4])).contains("fortran_order is missing"));
        assert!(
            refusal(&file(
                "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
                &[0; 4]
            ))
            .contains("dimension")
        );
        assert!(refusal(&file("__import__('os').system('true')", &[])).contains("as NumPy writes it"));
    }

    proptest! {
        #[test]
        fn no_bytes_are_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut file = b"\x93NUMPY\x01\x00".to_vec();
            file.extend(bytes);
            if let Ok(npy) = parse(&file) {
                npy.rearranged(&file);
            }
        }
    }
}
