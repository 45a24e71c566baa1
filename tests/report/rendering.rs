//! Do the renderings of a run with everything in it look right, and always the same?

use std::time::Duration;

use litmus::{
    agent::Accelerator,
    report::{
        Ansi, CapturedStderr, Closing, Plain, RenderError, Report, Status, assemble, cell_detail, csv, exit_code, json,
        markdown, terminal,
    },
    sweep::Baseline,
};

use crate::fixture::{baseline, cell, everything, passed, run_info, targets};

const CLOSING: Closing<'_> = Closing {
    wall: Duration::from_millis(3_140),
    folder: "reports/nightly-20261103-020000",
    columns: Some(100),
};

#[test]
fn the_fixture_has_every_status() {
    let counts = everything().report().count_by_status();
    assert_eq!(counts.len(), Status::ALL.len(), "{counts:?}");
}

#[test]
fn the_page() {
    insta::assert_snapshot!(markdown(&everything().report()));
}

#[test]
fn the_spreadsheet() {
    insta::assert_snapshot!(csv(&everything().report()).unwrap());
}

#[test]
fn the_terminal() {
    insta::assert_snapshot!(terminal(&everything().report(), &Plain, &CLOSING));
}

#[test]
fn the_machine_contract() {
    let run = everything();
    let report = assemble(
        run_info(true),
        targets(),
        &run.cells[..1],
        &run.attempts,
        &Baseline::default(),
    );
    insta::assert_snapshot!(json(&report).unwrap());
}

fn detail(report: &Report, row: usize, stderr: &[CapturedStderr<'_>]) -> String {
    cell_detail(report, &report.rows[row], &everything().attempts, stderr)
}

#[test]
fn one_cell_that_passed_in_several_processes() {
    insta::assert_snapshot!(detail(&everything().report(), 0, &[]));
}

#[test]
fn one_cell_that_is_flaky_with_what_it_said() {
    let report = everything().report();
    let attempt = report.rows[10].processes[0].attempt - 1;
    let stderr = [CapturedStderr {
        attempt,
        path: "reports/nightly-20261103-020000/attempts/14/stderr.txt",
        text: "INFO: created\tdelegate\r\nERROR: \u{1b}[31mbus error\u{1b}[0m\n\nlast line",
    }];
    insta::assert_snapshot!(detail(&report, 10, &stderr));
}

#[test]
fn one_cell_of_which_nothing_is_known() {
    insta::assert_snapshot!(detail(&everything().report(), 14, &[]));
}

#[test]
fn a_hostile_name_cannot_forge_a_line_of_the_detail() {
    let report = everything().report();
    let text = detail(&report, 12, &[]);
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{text}");
    assert!(
        text.lines()
            .any(|line| line.contains(r"a|b`c`,") && line.contains(r"\n")),
        "{text}"
    );
}

#[test]
fn the_terminal_keeps_to_a_hundred_columns_whatever_the_names() {
    let wide = "漢字の名前".repeat(30);
    let cells = [cell(&wide, &wide, Accelerator::Cpu), cell("a", "b", Accelerator::Gpu)];
    let attempts = [passed(&cells[0], 1, 1), passed(&cells[1], 2, 1)];
    let mut report = assemble(run_info(true), targets(), &cells, &attempts, &Baseline::default());
    report.rows[0].target = wide.clone();
    report.rows[0].memory_kb.peak = Some(u64::MAX);
    report.rows[0].provider = Some(wide);
    for line in terminal(&report, &Plain, &CLOSING).lines() {
        // Every character of the name takes two columns.
        let columns: usize = line
            .chars()
            .map(|c| if ('\u{3000}'..'\u{a000}').contains(&c) { 2 } else { 1 })
            .sum();
        assert!(columns <= 100, "{columns} columns: {line}");
    }
}

#[test]
fn a_death_after_good_results_is_shown_wherever_the_pass_is() {
    let report = everything().report();
    assert!(markdown(&report).contains("| pass (signal 11 at teardown) |"));
    let text = terminal(&report, &Plain, &CLOSING);
    assert!(
        text.contains("! kc_double0 t2i on gpu fp32, threads default passes (signal 11, SIGSEGV)"),
        "{text}"
    );
}

#[test]
fn colours_change_nothing_but_colours() {
    let report = everything().report();
    let coloured = terminal(&report, &Ansi, &CLOSING);
    let mut plain = String::new();
    for (i, part) in coloured.split('\u{1b}').enumerate() {
        plain.push_str(if i == 0 { part } else { part.split_once('m').unwrap().1 });
    }
    assert_ne!(coloured, plain);
    assert_eq!(plain, terminal(&report, &Plain, &CLOSING));
}

#[test]
fn a_run_that_is_not_complete_says_so_and_how_to_go_on() {
    let run = everything();
    let report = assemble(run_info(false), targets(), &run.cells, &run.attempts, &baseline());
    assert!(markdown(&report).contains("**not complete**"));
    assert!(terminal(&report, &Plain, &CLOSING).contains("litmus sweep --resume reports/nightly-20261103-020000"));
}

#[test]
fn a_report_without_cells_is_still_a_report() {
    let report = assemble(run_info(true), vec![], &[], &[], &Baseline::default());
    assert!(markdown(&report).contains("0 cells."));
    assert!(terminal(&report, &Plain, &CLOSING).starts_with("0 cells · 3.14 s · reports/"));
    assert_eq!(csv(&report).unwrap().lines().count(), 1);
    assert_eq!(exit_code(&report, &[Accelerator::Gpu]), 0);
}

#[test]
fn a_report_read_back_renders_to_the_same_bytes() {
    let report = everything().report();
    let text = json(&report).unwrap();
    let read: Report = serde_json::from_str(&text).unwrap();
    assert_eq!(read, report);
    assert_eq!(json(&read).unwrap(), text);
    assert_eq!(markdown(&read), markdown(&report));
    assert_eq!(csv(&read).unwrap(), csv(&report).unwrap());
}

#[test]
fn a_number_that_is_not_finite_is_refused_with_its_place() {
    let mut report = everything().report();
    report.rows[2].thermal.headroom_end = Some(f32::NAN);
    let error = json(&report).unwrap_err();
    assert!(matches!(error, RenderError::NotFinite(_)));
    assert!(error.to_string().contains("rows.2.thermal.headroom_end is;"), "{error}");
}

#[test]
fn only_the_rows_that_matter_are_shown_of_a_long_run() {
    let mut report = everything().report();
    let fine = report.rows[0].clone();
    report.rows.extend(std::iter::repeat_n(fine, 200));
    let text = terminal(&report, &Plain, &CLOSING);
    assert!(text.contains("206 rows more in report.md"), "{text}");
    assert!(
        text.contains("✗ kc_single1 t2i on gpu fp32, threads default crashed"),
        "{text}"
    );
}

#[test]
fn exit_codes_follow_the_contract() {
    let report = |keep: &[usize]| {
        let mut report = everything().report();
        report.rows = keep.iter().map(|&i| report.rows[i].clone()).collect();
        report
    };
    let (passes, unexpected_pass, expected_failure, npu_unavailable, finding) = (0, 1, 3, 4, 6);
    let good = report(&[passes, unexpected_pass, expected_failure, npu_unavailable]);
    assert_eq!(exit_code(&good, &[]), 0);
    assert_eq!(exit_code(&good, &[Accelerator::Cpu, Accelerator::Gpu]), 0);
    assert_eq!(exit_code(&good, &[Accelerator::Npu]), 3);
    assert_eq!(exit_code(&report(&[passes, finding]), &[]), 1);
    assert_eq!(exit_code(&report(&[finding, npu_unavailable]), &[]), 1);
    assert_eq!(exit_code(&report(&[finding, npu_unavailable]), &[Accelerator::Npu]), 3);
}
