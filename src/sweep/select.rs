//! Which of the planned cells are meant this time?

use std::{fmt, str::FromStr};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::{Deserialize, Serialize};

use super::{Cell, CellKey, PlanError};

/// Builds a set of globs in which `*` also crosses `/`.
pub(super) fn globs(key: &'static str, patterns: &[String]) -> Result<GlobSet, PlanError> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let glob = GlobBuilder::new(pattern)
            .literal_separator(false)
            .backslash_escape(true)
            .build();
        set.add(glob.map_err(|error| PlanError::Glob {
            key,
            pattern: pattern.clone(),
            problem: error.kind().to_string(),
        })?);
    }
    set.build().map_err(|error| PlanError::Glob {
        key,
        pattern: patterns.join(" "),
        problem: error.to_string(),
    })
}

/// Cells whose key matches a glob, or holds the text where it has no glob characters.
#[derive(Clone, Debug)]
pub struct Filter {
    text: String,
    globs: GlobSet,
}

/// Why a selection on the command line makes no sense.
#[derive(Debug, thiserror::Error)]
pub enum SelectError {
    #[error("\"{text}\" is no shard; write i/n with 1 <= i <= n, like 2/4")]
    Shard { text: String },
    #[error("no cell matches the filter \"{filter}\"; `litmus sweep FILE --dry-run` lists the cells")]
    NothingMatches { filter: String },
    #[error("shard {shard} of {cells} cells is empty")]
    EmptyShard { shard: Shard, cells: usize },
}

impl Filter {
    pub fn new(text: &str) -> Result<Self, PlanError> {
        let pattern = if text.contains(['*', '?', '[', '{']) {
            text.to_owned()
        } else {
            format!("*{text}*")
        };
        Ok(Filter {
            text: text.to_owned(),
            globs: globs("--filter", &[pattern])?,
        })
    }

    pub fn matches(&self, key: &CellKey) -> bool {
        self.globs.is_match(key.as_str())
    }

    /// Keeps the matching cells; none left is an error.
    pub fn select(&self, mut cells: Vec<Cell>) -> Result<Vec<Cell>, SelectError> {
        cells.retain(|cell| self.matches(&cell.planned.key));
        if cells.is_empty() {
            Err(SelectError::NothingMatches {
                filter: self.text.clone(),
            })
        } else {
            Ok(cells)
        }
    }
}

/// Part `index` of `count`: every count-th cell of a plan, so that shards differ by one cell at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// From 1.
    index: u32,
    count: u32,
}

impl Shard {
    /// Keeps this shard's cells; none is an error.
    pub fn select(self, cells: Vec<Cell>) -> Result<Vec<Cell>, SelectError> {
        let total = cells.len();
        let own: Vec<Cell> = cells
            .into_iter()
            .enumerate()
            .filter(|(i, _)| i % self.count as usize == (self.index - 1) as usize)
            .map(|(_, cell)| cell)
            .collect();
        if own.is_empty() {
            Err(SelectError::EmptyShard {
                shard: self,
                cells: total,
            })
        } else {
            Ok(own)
        }
    }
}

impl FromStr for Shard {
    type Err = SelectError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let (index, count) = text.split_once('/')?;
            let (index, count) = (index.parse().ok()?, count.parse().ok()?);
            (1 <= index && index <= count).then_some(Shard { index, count })
        };
        parse().ok_or_else(|| SelectError::Shard { text: text.to_owned() })
    }
}

impl TryFrom<String> for Shard {
    type Error = SelectError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}
