//! How is an attempt kept so that no crash of ours loses it?
//!
//! One JSON line per attempt, appended and synced before the next one starts. The last line of a file may be torn by a
//! crash in the middle of a write; everything before it is whole.

use std::{
    collections::BTreeMap,
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::AttemptRecord;

/// The schema name of a journal line.
pub const JOURNAL_SCHEMA: &str = "litmus.journal/1";

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Line {
    schema: String,
    #[serde(flatten)]
    entry: Entry,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "snake_case")]
pub enum Entry {
    /// An attempt has ended.
    Attempt(Box<AttemptRecord>),
    /// An attempt counts no longer, and why. It is measured again on resume.
    Annul { attempt: u32, reason: String },
}

/// Why a journal cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("cannot {action} the journal {path}")]
    Io {
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("{path} line {line} is not a journal line; restore the file from a copy, or remove that line")]
    Line {
        path: PathBuf,
        line: usize,
        source: serde_json::Error,
    },
    #[error("{path} line {line} has schema \"{schema}\"; this litmus reads {JOURNAL_SCHEMA}")]
    Schema { path: PathBuf, line: usize, schema: String },
    #[error(
        "{path} line {line}: attempt {attempt} stands there a second time; restore the file from a copy, or remove that line"
    )]
    Twice { path: PathBuf, line: usize, attempt: u32 },
    #[error("{path} line {line}: attempt {attempt} is annulled but was never made; remove that line")]
    AnnulledUnknown { path: PathBuf, line: usize, attempt: u32 },
}

/// A journal open for appending.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// Opens the journal at `path`, made when it is not there. A torn last line is cut off.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let at = |action| {
            move |source| JournalError::Io {
                action,
                path: path.to_owned(),
                source,
            }
        };
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(at("open"))?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(at("read"))?;
        let whole = text.iter().rposition(|&b| b == b'\n').map_or(0, |newline| newline + 1);
        if whole < text.len() {
            file.set_len(whole as u64)
                .and_then(|()| file.sync_data())
                .map_err(at("repair"))?;
        }
        if text.is_empty() {
            // A file is only there for good when its folder says so; this covers the run.json beside it too.
            let folder = path.parent().unwrap_or(Path::new("."));
            File::open(folder)
                .and_then(|folder| folder.sync_all())
                .map_err(at("open"))?;
        }
        file.seek(SeekFrom::End(0)).map_err(at("open"))?;
        Ok(Journal {
            file,
            path: path.to_owned(),
        })
    }

    /// Appends a line; when this returns, it is on disk. After an error nothing of it counts: the line is torn.
    pub fn append(&mut self, entry: Entry) -> Result<(), JournalError> {
        let line = Line {
            schema: JOURNAL_SCHEMA.to_owned(),
            entry,
        };
        serde_json::to_vec(&line)
            .map_err(io::Error::from)
            .and_then(|mut text| {
                text.push(b'\n');
                self.file.write_all(&text)?;
                self.file.sync_data()
            })
            .map_err(|source| JournalError::Io {
                action: "write",
                path: self.path.clone(),
                source,
            })
    }
}

/// What a journal says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JournalState {
    /// The attempts that count, by number.
    pub attempts: Vec<AttemptRecord>,
    /// The highest number ever given, annulled attempts included: numbers are never used twice.
    pub last_attempt: u32,
}

/// Reads a journal. A torn last line is passed over; no file is an empty journal.
pub fn read(path: &Path) -> Result<JournalState, JournalError> {
    match std::fs::read(path) {
        Ok(text) => fold(path, &text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(JournalState::default()),
        Err(source) => Err(JournalError::Io {
            action: "read",
            path: path.to_owned(),
            source,
        }),
    }
}

/// The fold over the lines of a journal; `path` is for messages.
pub fn fold(path: &Path, text: &[u8]) -> Result<JournalState, JournalError> {
    let whole = text
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(&[][..], |newline| &text[..newline]);
    let mut attempts: BTreeMap<u32, Option<AttemptRecord>> = BTreeMap::new();
    for (i, bytes) in whole
        .split(|&b| b == b'\n')
        .enumerate()
        .filter(|(_, bytes)| !bytes.is_empty())
    {
        let (path, line) = (path.to_owned(), i + 1);
        let parsed: Line = match serde_json::from_slice(bytes) {
            Ok(parsed) => parsed,
            Err(source) => return Err(JournalError::Line { path, line, source }),
        };
        if parsed.schema != JOURNAL_SCHEMA {
            return Err(JournalError::Schema {
                path,
                line,
                schema: parsed.schema,
            });
        }
        match parsed.entry {
            Entry::Attempt(record) => {
                let attempt = record.attempt;
                if attempts.insert(attempt, Some(*record)).is_some() {
                    return Err(JournalError::Twice { path, line, attempt });
                }
            }
            Entry::Annul { attempt, .. } => match attempts.get_mut(&attempt) {
                Some(record) => *record = None,
                None => return Err(JournalError::AnnulledUnknown { path, line, attempt }),
            },
        }
    }
    let last_attempt = attempts.last_key_value().map_or(0, |(&attempt, _)| attempt);
    Ok(JournalState {
        attempts: attempts.into_values().flatten().collect(),
        last_attempt,
    })
}
