//! Is a journal's truth a fold over its lines, whatever happened to the file's end?

use std::{fs, path::Path};

use litmus::attempt::{
    AttemptRecord, AttemptStatus, Entry, HostState, Journal, JournalError, Measured, Outcome, fold_journal,
    read_journal,
};
use proptest::prelude::*;

fn record(attempt: u32) -> AttemptRecord {
    AttemptRecord {
        key: serde_json::from_value(serde_json::json!(format!(
            "graph-{}/default/c/local/cpu/fp32/jit/r/t/plain",
            attempt % 3
        )))
        .unwrap(),
        attempt,
        repeat: 1,
        try_number: 1,
        started: "2026-11-30T00:00:00Z".to_owned(),
        wall_ms: Some(1.5),
        outcome: Outcome {
            status: AttemptStatus::Pass,
            stage: None,
            code: None,
            message: Some("with a \"quote\",\na newline and ü".to_owned()),
            exit: None,
        },
        measured: Measured::default(),
        accuracy: vec![],
        provider: None,
        host: HostState::default(),
        thermal_gate: None,
    }
}

fn write(path: &Path, attempts: impl IntoIterator<Item = u32>) {
    let mut journal = Journal::open(path).unwrap();
    for attempt in attempts {
        journal.append(Entry::Attempt(Box::new(record(attempt)))).unwrap();
    }
}

fn numbers(path: &Path) -> Vec<u32> {
    read_journal(path)
        .unwrap()
        .attempts
        .iter()
        .map(|record| record.attempt)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A crash can leave the file at any length. What was appended before stays, and what comes after is whole.
    #[test]
    fn a_journal_cut_anywhere_keeps_its_whole_lines_and_goes_on(count in 1u32..6, cut in 0.0f64..1.0) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        write(&path, 1..=count);
        let text = fs::read(&path).unwrap();
        let length = (text.len() as f64 * cut) as usize;
        fs::write(&path, &text[..length]).unwrap();
        let whole = text[..length].iter().filter(|&&b| b == b'\n').count() as u32;
        prop_assert_eq!(numbers(&path), (1..=whole).collect::<Vec<_>>());

        write(&path, [count + 1]);
        let expected: Vec<u32> = (1..=whole).chain([count + 1]).collect();
        prop_assert_eq!(numbers(&path), expected);
    }

    /// No text makes the fold panic, and none that is damaged in the middle is passed over in silence.
    #[test]
    fn a_damaged_line_in_the_middle_is_an_error(byte in 0usize..500, value in any::<u8>()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        write(&path, 1..=3);
        let mut text = fs::read(&path).unwrap();
        let first_line = text.iter().position(|&b| b == b'\n').unwrap();
        let at = byte % first_line;
        prop_assume!(text[at] != value);
        text[at] = value;
        match fold_journal(&path, &text) {
            // The damage may have hit a value and left the line valid; then all three are still there.
            Ok(state) => prop_assert_eq!(state.attempts.len(), 3),
            Err(error) => prop_assert!(error.to_string().contains("line")),
        }
    }
}

#[test]
fn an_annulled_attempt_counts_no_longer_but_its_number_stays_used() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    write(&path, 1..=2);
    Journal::open(&path)
        .unwrap()
        .append(Entry::Annul {
            attempt: 2,
            reason: "hand on the device".to_owned(),
        })
        .unwrap();
    let state = read_journal(&path).unwrap();
    assert_eq!(state.attempts.len(), 1);
    assert_eq!(state.last_attempt, 2);
}

#[test]
fn an_attempt_that_stands_twice_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    write(&path, [1, 1]);
    assert!(matches!(
        read_journal(&path),
        Err(JournalError::Twice {
            line: 2,
            attempt: 1,
            ..
        })
    ));
}

#[test]
fn a_record_survives_the_journal_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    write(&path, [7]);
    assert_eq!(read_journal(&path).unwrap().attempts, [record(7)]);
}
