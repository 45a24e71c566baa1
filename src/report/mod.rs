//! What do the rows of a run say, to machines and to people?
//!
//! planned cells and attempts → [`fold()`] → [`Report`] → one renderer each for machines ([`json`], [`csv`]) and for
//! people ([`markdown`], [`terminal`], [`cell_detail`]). All of it is pure: the same run gives the same bytes.

mod accuracy;
mod assemble;
mod cell_detail;
mod conditions;
mod contrast;
mod csv;
mod decide;
mod exit;
mod finite;
mod fold;
mod json;
mod markdown;
mod model;
mod numbers;
mod read;
mod sparkline;
mod status;
mod style;
mod terminal;
mod text;
mod variant;
mod words;

pub use self::csv::csv;
pub use accuracy::{percent, psnr, sparse_error, verdict, worst_parts};
pub use assemble::assemble;
pub use cell_detail::{CapturedStderr, cell_detail};
pub use exit::exit_code;
pub use finite::NotFinite;
pub use fold::fold;
pub use json::json;
pub use markdown::markdown;
pub use model::*;
pub use read::{ReadRunError, read_run, report_of, write_files};
pub use style::{Ansi, Plain, Style, Tone};
pub use terminal::{Closing, terminal};
pub use words::counts;

/// Why a report could not be written down.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    #[error("a report holds no number that is NaN or infinite, but {0}; this is a fault of litmus, please report it")]
    NotFinite(#[from] NotFinite),
    #[error("the report cannot be written as JSON")]
    Json(#[from] serde_json::Error),
    #[error("the report cannot be written as CSV")]
    Csv(#[from] ::csv::Error),
}
