//! Are the files of a cell there, and are they what the index says?

use std::{
    io,
    path::{Path, PathBuf},
};

use crate::{store::HashCache, sweep::Cell};

/// What is wrong with a cell's files. It fails the cell, at stage `prepare`.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    #[error("cannot read {path}; put the file there or leave the graph out")]
    Read { path: PathBuf, source: io::Error },
    #[error(
        "{path} has SHA-256 {found} but the index says {expected}: the file is damaged or another one; fetch it again or write the index anew"
    )]
    Sha256 {
        path: PathBuf,
        expected: String,
        found: String,
    },
}

/// Checks the SHA-256 of the graph, its inputs and its references.
pub fn check_files(cell: &Cell, hashes: &HashCache) -> Result<(), PrepareError> {
    let graph = cell.planned.sha256.iter().map(|sha256| (cell.model.as_path(), sha256));
    let inputs = cell
        .inputs
        .iter()
        .map(|input| input.file.as_path())
        .zip(&cell.input_sha256);
    let references = cell
        .expected
        .iter()
        .map(|expected| (expected.file.as_path(), &expected.sha256));
    graph
        .chain(inputs)
        .chain(references)
        .try_for_each(|(path, expected)| check(path, expected, hashes))
}

fn check(path: &Path, expected: &str, hashes: &HashCache) -> Result<(), PrepareError> {
    let found = hashes.sha256(path).map_err(|source| PrepareError::Read {
        path: path.to_owned(),
        source,
    })?;
    if found.eq_ignore_ascii_case(expected) {
        return Ok(());
    }
    Err(PrepareError::Sha256 {
        path: path.to_owned(),
        expected: expected.to_owned(),
        found,
    })
}
