//! Which process repeats does a journal already hold, and which try comes next?

use std::collections::BTreeMap;

use super::AttemptRecord;
use crate::sweep::{CellKey, PlannedCell, ProtocolSpec};

/// Which repeats a journal already holds.
pub(super) struct Done(BTreeMap<(CellKey, u32), Option<u32>>);

impl Done {
    pub(super) fn new(attempts: &[AttemptRecord], retries: u32) -> Self {
        let mut last: BTreeMap<_, &AttemptRecord> = BTreeMap::new();
        for record in attempts {
            last.insert((record.key.clone(), record.repeat), record);
        }
        Done(
            last.into_iter()
                .map(|(repeat, record)| (repeat, next_try(record, retries)))
                .collect(),
        )
    }

    /// Number of the next try of a repeat; none when it needs no more.
    pub(super) fn next(&self, key: &CellKey, repeat: u32) -> Option<u32> {
        self.0.get(&(key.clone(), repeat)).copied().unwrap_or(Some(1))
    }

    /// Repeats that need no more tries.
    pub(super) fn settled(&self) -> usize {
        self.0.values().filter(|next| next.is_none()).count()
    }
}

/// The try that follows an attempt, if its end is worth one.
pub(super) fn next_try(record: &AttemptRecord, retries: u32) -> Option<u32> {
    (record.outcome.status.is_worth_retrying() && record.try_number <= retries).then_some(record.try_number + 1)
}

/// True when every process repeat of every cell needs no more tries.
pub fn is_settled(cells: &[PlannedCell], attempts: &[AttemptRecord], protocol: &ProtocolSpec) -> bool {
    let done = Done::new(attempts, protocol.retries);
    cells
        .iter()
        .all(|cell| (1..=protocol.processes).all(|repeat| done.next(&cell.key, repeat).is_none()))
}
