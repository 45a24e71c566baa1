//! Which tensor of one file or folder is compared with which of another?

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use crate::tensor::file::{self, RawSpec, Tensor, TensorFileError};

/// Tensors of the same name on both sides.
#[derive(Debug, Default)]
pub struct Pairs {
    pub matched: Vec<TensorPair>,
    /// Names that only one side has.
    pub unmatched: Vec<Unmatched>,
}

/// One name's tensors.
#[derive(Clone, Debug)]
pub struct TensorPair {
    pub name: String,
    pub reference: Tensor,
    pub actual: Tensor,
}

/// A name without a partner.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Unmatched {
    pub name: String,
    /// `reference` or `actual`: the side that has it.
    pub only_in: &'static str,
}

/// Why nothing can be compared.
#[derive(Debug, thiserror::Error)]
pub enum PairError {
    #[error(transparent)]
    File(#[from] TensorFileError),
    #[error("cannot list {path}")]
    List { path: PathBuf, source: io::Error },
    #[error("{reference} is a {one} and {actual} a {other}; compare files with files and folders with folders")]
    Kinds {
        reference: PathBuf,
        one: &'static str,
        actual: PathBuf,
        other: &'static str,
    },
    #[error("no tensor of {reference} has a name that {actual} has too; {reference} has {have}")]
    Nothing {
        reference: PathBuf,
        actual: PathBuf,
        have: String,
    },
}

/// Matches two files or two folders. Files that hold one tensor each are matched whatever they are called; others by
/// tensor name; folders by relative path, then tensor name. `only` keeps one name.
pub fn pairs(reference: &Path, actual: &Path, raw: &RawSpec, only: Option<&str>) -> Result<Pairs, PairError> {
    let kind = |path: &Path| if path.is_dir() { "folder" } else { "file" };
    let (one, other) = (kind(reference), kind(actual));
    if one != other {
        return Err(PairError::Kinds {
            reference: reference.to_owned(),
            one,
            actual: actual.to_owned(),
            other,
        });
    }
    let sides = [read(reference, raw)?, read(actual, raw)?];
    let has = |side: &BTreeMap<String, Tensor>| {
        let names: Vec<&str> = side.keys().map(String::as_str).take(8).collect();
        if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        }
    };
    let have = has(&sides[0]);
    let mut pairs = matched(sides);
    if let Some(only) = only {
        pairs.matched.retain(|pair| pair.name == only);
        pairs.unmatched.retain(|one| one.name == only);
    }
    if pairs.matched.is_empty() {
        return Err(PairError::Nothing {
            reference: reference.to_owned(),
            actual: actual.to_owned(),
            have,
        });
    }
    Ok(pairs)
}

fn matched([reference, mut actual]: [BTreeMap<String, Tensor>; 2]) -> Pairs {
    let mut pairs = Pairs::default();
    if let (1, 1, Some((name, tensor)), Some(other)) = (
        reference.len(),
        actual.len(),
        reference.first_key_value(),
        actual.values().next(),
    ) && name.is_empty()
    {
        pairs
            .matched
            .push(TensorPair::new(name.clone(), tensor.clone(), other.clone()));
        return pairs;
    }
    for (name, tensor) in reference {
        match actual.remove(&name) {
            Some(other) => pairs.matched.push(TensorPair::new(name, tensor, other)),
            None => pairs.unmatched.push(Unmatched {
                name,
                only_in: "reference",
            }),
        }
    }
    let left = actual.into_keys().map(|name| Unmatched {
        name,
        only_in: "actual",
    });
    pairs.unmatched.extend(left);
    pairs.unmatched.sort();
    pairs
}

impl TensorPair {
    /// A raw file that does not say its shape has that of the other side, where it has as many elements.
    fn new(name: String, reference: Tensor, actual: Tensor) -> TensorPair {
        let shaped = |tensor: &Tensor, like: &Tensor| {
            let guessed = !tensor.shape_is_known && like.shape_is_known;
            let reshaped = guessed.then(|| tensor.clone().reshaped(&like.spec.shape)).flatten();
            reshaped.unwrap_or_else(|| tensor.clone())
        };
        TensorPair {
            reference: shaped(&reference, &actual),
            actual: shaped(&actual, &reference),
            name,
        }
    }
}

/// The tensors of a file or folder by name.
fn read(path: &Path, raw: &RawSpec) -> Result<BTreeMap<String, Tensor>, PairError> {
    let mut tensors = BTreeMap::new();
    if !path.is_dir() {
        for tensor in file::open(path, raw)? {
            tensors.insert(tensor.name.clone(), tensor);
        }
        return Ok(tensors);
    }
    let mut files = Vec::new();
    list(path, &mut files)?;
    for file in files {
        let relative = file.strip_prefix(path).unwrap_or(&file).to_string_lossy().into_owned();
        for tensor in file::open(&file, raw)? {
            let name = match tensor.name.as_str() {
                "" => relative.clone(),
                name => format!("{relative}:{name}"),
            };
            tensors.insert(name, tensor);
        }
    }
    Ok(tensors)
}

/// The tensor files below a folder. Folders that are links are not entered, so the walk ends.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), PairError> {
    let error = |source| PairError::List {
        path: folder.to_owned(),
        source,
    };
    for entry in fs::read_dir(folder).map_err(error)? {
        let entry = entry.map_err(error)?;
        let path = entry.path();
        if entry.file_type().map_err(error)?.is_dir() {
            list(&path, files)?;
        } else if file::is_tensor_file(&path) && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}
