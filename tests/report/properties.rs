//! What holds for any attempts at all?

use litmus::{
    agent::Accelerator,
    attempt::{AttemptRecord, AttemptStatus},
    report::{Status, csv, fold, json, markdown},
    sweep::{Baseline, PlannedCell},
};
use proptest::prelude::*;

use crate::fixture::{baseline, cell, ended, output, passed, run_info, targets};

const STATUSES: [AttemptStatus; 9] = [
    AttemptStatus::Pass,
    AttemptStatus::Unscored,
    AttemptStatus::Inaccurate,
    AttemptStatus::Nonfinite,
    AttemptStatus::Failed,
    AttemptStatus::Crashed,
    AttemptStatus::Timeout,
    AttemptStatus::NoResult,
    AttemptStatus::Unavailable,
];

fn cells() -> Vec<PlannedCell> {
    vec![
        cell("kc_prep", "t2i", Accelerator::Cpu),
        cell("kc_prep", "t2i", Accelerator::Gpu),
        cell("kv_vae", "t2i", Accelerator::Gpu),
    ]
}

/// Attempts of the cells above and of one that is not planned, numbered in order.
fn attempts() -> impl Strategy<Value = Vec<AttemptRecord>> {
    let one = (
        0usize..4,
        1u32..4,
        prop::sample::select(&STATUSES[..]),
        any::<bool>(),
        any::<Option<bool>>(),
    );
    prop::collection::vec(one, 0..16).prop_map(|told| {
        let mut cells = cells();
        cells.push(cell("not_planned", "t2i", Accelerator::Cpu));
        let mut attempts: Vec<AttemptRecord> = Vec::new();
        for (number, (which, repeat, status, differs, quiet)) in (1..).zip(told) {
            let cell = &cells[which];
            let mut attempt = match status {
                AttemptStatus::Crashed | AttemptStatus::Timeout | AttemptStatus::NoResult => {
                    ended(cell, number, repeat, status)
                }
                _ => passed(cell, number, repeat),
            };
            attempt.outcome.status = status;
            attempt.try_number = 1 + attempts
                .iter()
                .filter(|a| a.key == cell.key && a.repeat == repeat)
                .count() as u32;
            attempt.measured.outputs = vec![output(if differs { "aa" } else { "bb" })];
            attempt.host.quiet = quiet;
            attempts.push(attempt);
        }
        attempts
    })
}

fn shuffled() -> impl Strategy<Value = (Vec<AttemptRecord>, Vec<AttemptRecord>)> {
    attempts().prop_flat_map(|attempts| (Just(attempts.clone()), Just(attempts).prop_shuffle()))
}

proptest! {
    #[test]
    fn the_order_in_which_attempts_arrive_changes_nothing((attempts, other) in shuffled()) {
        prop_assert_eq!(fold(&cells(), &attempts, &baseline()), fold(&cells(), &other, &baseline()));
    }

    #[test]
    fn every_planned_cell_gives_exactly_one_row_in_the_order_of_the_plan(attempts in attempts()) {
        let rows = fold(&cells(), &attempts, &Baseline::default());
        let keys: Vec<_> = rows.into_iter().map(|row| row.key).collect();
        let planned: Vec<_> = cells().into_iter().map(|cell| cell.key).collect();
        prop_assert_eq!(keys, planned);
    }

    #[test]
    fn no_attempt_of_a_planned_cell_is_lost(attempts in attempts()) {
        let rows = fold(&cells(), &attempts, &Baseline::default());
        for row in rows {
            let tried = attempts.iter().filter(|a| a.key == row.key).count();
            prop_assert_eq!(row.attempts as usize, tried);
            prop_assert_eq!(row.status == Status::Skipped, tried == 0);
        }
    }

    #[test]
    fn another_bad_repeat_never_makes_a_cell_look_better(
        attempts in attempts(),
        status in prop::sample::select(&STATUSES[2..8]),
    ) {
        let cells = cells();
        let before = fold(&cells, &attempts, &Baseline::default());
        let mut more = attempts;
        more.push(ended(&cells[0], 1_000, 9, status));
        let after = fold(&cells, &more, &Baseline::default());
        prop_assert!(after[0].status.severity() >= before[0].status.severity());
        prop_assert!(after[0].status.severity() >= Status::from(status).severity());
        prop_assert_eq!(&after[1..], &before[1..]);
    }

    #[test]
    fn a_pass_means_that_every_repeat_passed_at_its_last_try(attempts in attempts()) {
        for row in fold(&cells(), &attempts, &Baseline::default()) {
            if row.status == Status::Pass {
                for a in attempts.iter().filter(|a| a.key == row.key) {
                    let is_last = !attempts.iter().any(|b| b.key == a.key && b.repeat == a.repeat && b.attempt > a.attempt);
                    prop_assert!(!is_last || a.outcome.status == AttemptStatus::Pass);
                    prop_assert!(!a.outcome.status.is_worth_retrying());
                }
            }
        }
    }

    #[test]
    fn no_graph_name_breaks_a_rendering(name in "\\PC*|.*", case in "[|`\\\\\n\r,\";]*") {
        let c = cell(&name, &case, Accelerator::Cpu);
        let attempts = [ended(&c, 1, 1, AttemptStatus::Failed)];
        let report = litmus::report::assemble(run_info(true), targets(), &[c], &attempts, &Baseline::default());

        let table = markdown(&report);
        let lines: Vec<&str> = table.lines().filter(|line| line.starts_with("| ")).collect();
        prop_assert_eq!(lines.len(), 6, "two tables of title, rule and row");
        for (i, line) in lines.into_iter().enumerate() {
            prop_assert_eq!(unescaped_pipes(line), if i < 3 { 13 } else { 4 });
        }

        let text = csv(&report).unwrap();
        let mut reader = ::csv::Reader::from_reader(text.as_bytes());
        let records: Vec<_> = reader.records().map(Result::unwrap).collect();
        prop_assert_eq!(records.len(), 1);
        prop_assert_eq!(&records[0][1], name.as_str());

        let read: litmus::report::Report = serde_json::from_str(&json(&report).unwrap()).unwrap();
        prop_assert_eq!(read, report);
    }
}

fn unescaped_pipes(line: &str) -> usize {
    let mut escaped = false;
    line.chars()
        .filter(|&c| {
            let counts = c == '|' && !escaped;
            escaped = c == '\\' && !escaped;
            counts
        })
        .count()
}
