//! What is known about one cell?

mod attempts;
mod figures;
mod identity;
mod page;

use super::{Report, Row};
use crate::attempt::AttemptRecord;
use page::Page;

/// What an attempt's process wrote to its standard error, as far as it was kept.
#[derive(Clone, Copy, Debug)]
pub struct CapturedStderr<'a> {
    /// Number of the attempt.
    pub attempt: u32,
    /// Where the text is kept, as the user would type it.
    pub path: &'a str,
    pub text: &'a str,
}
/// Everything known about the cell of `row`: the text of `litmus show RUN CELL`. Of `attempts` and `stderr` only what
/// belongs to the cell is told.
pub fn cell_detail(report: &Report, row: &Row, attempts: &[AttemptRecord], stderr: &[CapturedStderr<'_>]) -> String {
    let mut page = Page::default();
    page.line(row.key.as_str());
    page.line("");
    identity::outcome(&mut page, row);
    page.line("");
    identity::identity(&mut page, report, row);
    page.line("");
    figures::figures(&mut page, row);
    figures::scores(&mut page, row);
    let mut own: Vec<&AttemptRecord> = attempts.iter().filter(|a| a.key == row.key).collect();
    own.sort_by_key(|a| a.attempt);
    for attempt in own {
        page.line("");
        attempts::attempt(&mut page, attempt, stderr.iter().find(|s| s.attempt == attempt.attempt));
    }
    page.text()
}
