//! Which failures are expected?
//!
//! The file format is explained in docs/baseline-file.md.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use globset::{Glob, GlobMatcher, GlobSet, GlobSetBuilder};
use serde::Deserialize;
use toml::Spanned;

use super::CellKey;
use crate::report::{Expectation, Row, StaleExpectation, Status};

/// The failures somebody has looked at and accepts for now. The default expects none.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    entries: Vec<Entry>,
    /// The cell globs of all entries, matched in one pass.
    cells: GlobSet,
}

#[derive(Clone, Debug)]
struct Entry {
    cell: String,
    provider: Option<GlobMatcher>,
    statuses: Vec<Status>,
    reason: String,
}

/// What the baseline makes of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement<'a> {
    pub expectation: Expectation,
    /// The reason given by the entry that decided.
    pub reason: Option<&'a str>,
}

/// Why a baseline file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    #[error("the baseline file {} cannot be read", .file.display())]
    Read { file: PathBuf, source: io::Error },
    #[error("the baseline file {} is not valid; see docs/baseline-file.md", .file.display())]
    Format {
        file: PathBuf,
        source: Box<toml::de::Error>,
    },
    #[error("the baseline file {}, line {line}: \"{glob}\" is no glob", .file.display())]
    Glob {
        file: PathBuf,
        line: usize,
        glob: String,
        source: globset::Error,
    },
    #[error("the baseline file {}, line {line}: {what}", .file.display())]
    Entry {
        file: PathBuf,
        line: usize,
        what: &'static str,
    },
    #[error("the globs of the baseline file {} are too large together", .file.display())]
    TooLarge { file: PathBuf, source: globset::Error },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineFile {
    #[serde(default)]
    expect: Vec<ExpectTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectTable {
    cell: Spanned<String>,
    provider: Option<Spanned<String>>,
    status: Spanned<Vec<ExpectedStatus>>,
    reason: Spanned<String>,
}

/// The statuses that need an entry; the others are always fine.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ExpectedStatus {
    Inaccurate,
    Nonfinite,
    Failed,
    Crashed,
    Timeout,
    NoResult,
    Flaky,
}

impl From<ExpectedStatus> for Status {
    fn from(status: ExpectedStatus) -> Self {
        match status {
            ExpectedStatus::Inaccurate => Status::Inaccurate,
            ExpectedStatus::Nonfinite => Status::Nonfinite,
            ExpectedStatus::Failed => Status::Failed,
            ExpectedStatus::Crashed => Status::Crashed,
            ExpectedStatus::Timeout => Status::Timeout,
            ExpectedStatus::NoResult => Status::NoResult,
            ExpectedStatus::Flaky => Status::Flaky,
        }
    }
}

impl Baseline {
    /// Reads a baseline file.
    pub fn read(file: &Path) -> Result<Self, BaselineError> {
        let text = fs::read_to_string(file).map_err(|source| BaselineError::Read {
            file: file.to_owned(),
            source,
        })?;
        Self::parse(&text, file)
    }

    /// Reads the text of a baseline file; `file` is its name in messages.
    pub fn parse(text: &str, file: &Path) -> Result<Self, BaselineError> {
        let parsed: BaselineFile = toml::from_str(text).map_err(|source| BaselineError::Format {
            file: file.to_owned(),
            source: Box::new(source),
        })?;
        let reader = EntryReader { text, file };
        let mut cells = GlobSetBuilder::new();
        let mut entries = Vec::with_capacity(parsed.expect.len());
        for table in parsed.expect {
            cells.add(reader.glob(&table.cell)?);
            entries.push(reader.entry(table)?);
        }
        let cells = cells.build().map_err(|source| BaselineError::TooLarge {
            file: file.to_owned(),
            source,
        })?;
        Ok(Baseline { entries, cells })
    }

    /// What `status` of the cell `key`, run by `provider`, means.
    pub fn judge(&self, key: &CellKey, provider: Option<&str>, status: Status) -> Judgement<'_> {
        let concerned = || {
            let matches = self.cells.matches(key.as_str());
            matches
                .into_iter()
                .map(|i| &self.entries[i])
                .filter(|e| e.concerns(provider))
        };
        if status.ran_well() {
            return match concerned().find(|e| e.is_refuted_by(status)) {
                Some(entry) => entry.judgement(Expectation::UnexpectedPass),
                None => Judgement::bare(Expectation::Fine),
            };
        }
        if status.needs_no_entry() {
            return Judgement::bare(Expectation::Fine);
        }
        match concerned().find(|e| e.statuses.contains(&status)) {
            Some(entry) => entry.judgement(Expectation::ExpectedFailure),
            None => Judgement::bare(Expectation::Finding),
        }
    }

    /// The entries that concern none of `rows`, which are those of a complete run.
    pub fn stale(&self, rows: &[Row]) -> Vec<StaleExpectation> {
        let mut used = vec![false; self.entries.len()];
        for row in rows {
            for i in self.cells.matches(row.key.as_str()) {
                // A row that never told its provider may be the one that is meant.
                used[i] |= row.provider.is_none() || self.entries[i].concerns(row.provider.as_deref());
            }
        }
        self.entries
            .iter()
            .zip(used)
            .filter(|(_, used)| !used)
            .map(|(entry, _)| StaleExpectation {
                cell: entry.cell.clone(),
                provider: entry.provider.as_ref().map(|p| p.glob().glob().to_owned()),
                reason: entry.reason.clone(),
            })
            .collect()
    }
}

impl Entry {
    fn concerns(&self, provider: Option<&str>) -> bool {
        match (&self.provider, provider) {
            (None, _) => true,
            (Some(glob), Some(provider)) => glob.is_match(provider),
            (Some(_), None) => false,
        }
    }

    /// What sometimes passes may pass, and a run without a reference says nothing about accuracy.
    fn is_refuted_by(&self, good: Status) -> bool {
        !self.statuses.contains(&Status::Flaky)
            && (good == Status::Pass || !self.statuses.contains(&Status::Inaccurate))
    }

    fn judgement(&self, expectation: Expectation) -> Judgement<'_> {
        Judgement {
            expectation,
            reason: Some(&self.reason),
        }
    }
}

impl Judgement<'_> {
    fn bare(expectation: Expectation) -> Self {
        Judgement {
            expectation,
            reason: None,
        }
    }
}

/// Checks what the types alone cannot.
struct EntryReader<'a> {
    text: &'a str,
    file: &'a Path,
}

impl EntryReader<'_> {
    fn entry(&self, table: ExpectTable) -> Result<Entry, BaselineError> {
        if table.status.get_ref().is_empty() {
            return Err(self.error(
                table.status.span().start,
                "status is empty; name the statuses that are expected",
            ));
        }
        if table.reason.get_ref().trim().is_empty() {
            return Err(self.error(
                table.reason.span().start,
                "reason is empty; say why the failure is expected",
            ));
        }
        Ok(Entry {
            provider: table
                .provider
                .map(|p| self.glob(&p))
                .transpose()?
                .map(|g| g.compile_matcher()),
            cell: table.cell.into_inner(),
            statuses: table.status.into_inner().into_iter().map(Status::from).collect(),
            reason: table.reason.into_inner(),
        })
    }

    fn glob(&self, glob: &Spanned<String>) -> Result<Glob, BaselineError> {
        Glob::new(glob.get_ref()).map_err(|source| BaselineError::Glob {
            file: self.file.to_owned(),
            line: self.line(glob.span().start),
            glob: glob.get_ref().clone(),
            source,
        })
    }

    fn error(&self, offset: usize, what: &'static str) -> BaselineError {
        BaselineError::Entry {
            file: self.file.to_owned(),
            line: self.line(offset),
            what,
        }
    }

    fn line(&self, offset: usize) -> usize {
        1 + self.text.bytes().take(offset).filter(|&b| b == b'\n').count()
    }
}
