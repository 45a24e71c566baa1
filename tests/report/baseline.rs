//! Does the baseline excuse what it names, and nothing else?

use std::{error::Error, path::Path};

use litmus::{
    agent::Accelerator,
    report::{Expectation, Status, fold},
    sweep::{Baseline, Judgement},
};

use crate::fixture::{cell, everything};

fn parse(text: &str) -> Result<Baseline, String> {
    Baseline::parse(text, Path::new("night.toml")).map_err(|error| {
        let mut said = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            said += &format!(": {error}");
            cause = error.source();
        }
        said
    })
}

fn one(provider: &str, status: &str) -> Baseline {
    parse(&format!(
        "[[expect]]\ncell = \"kv_vae/*\"\n{provider}\nstatus = [{status}]\nreason = \"known\"\n"
    ))
    .unwrap()
}

fn judged<'a>(baseline: &'a Baseline, provider: Option<&str>, status: Status) -> Judgement<'a> {
    baseline.judge(&cell("kv_vae", "t2i", Accelerator::Gpu).key, provider, status)
}

#[test]
fn without_a_baseline_every_bad_status_is_a_finding_and_no_other() {
    let none = Baseline::default();
    for status in Status::ALL {
        let fine = matches!(
            status,
            Status::Pass | Status::Unscored | Status::Unavailable | Status::Skipped
        );
        let expectation = judged(&none, None, status).expectation;
        assert_eq!(expectation == Expectation::Fine, fine, "{status}");
        assert_eq!(expectation == Expectation::Finding, !fine, "{status}");
    }
}

#[test]
fn a_listed_status_is_expected_with_its_reason_and_another_one_is_found() {
    let baseline = one("", "\"failed\", \"crashed\"");
    let judgement = judged(&baseline, None, Status::Crashed);
    assert_eq!(
        (judgement.expectation, judgement.reason),
        (Expectation::ExpectedFailure, Some("known"))
    );
    assert_eq!(
        judged(&baseline, None, Status::Timeout).expectation,
        Expectation::Finding
    );
    assert_eq!(
        judged(&baseline, None, Status::Unavailable).expectation,
        Expectation::Fine
    );
    let other = cell("kc_prep", "t2i", Accelerator::Gpu);
    assert_eq!(
        baseline.judge(&other.key, None, Status::Failed).expectation,
        Expectation::Finding
    );
}

#[test]
fn an_entry_for_one_provider_excuses_no_other_and_no_unknown_one() {
    let baseline = one("provider = \"webgpu/*\"", "\"failed\"");
    let expectation = |provider| judged(&baseline, provider, Status::Failed).expectation;
    assert_eq!(expectation(Some("webgpu/swiftshader")), Expectation::ExpectedFailure);
    assert_eq!(expectation(Some("opencl/adreno")), Expectation::Finding);
    assert_eq!(expectation(None), Expectation::Finding);
}

#[test]
fn a_pass_is_told_where_a_failure_was_expected_unless_the_entry_allows_it() {
    assert_eq!(
        judged(&one("", "\"failed\""), None, Status::Pass).expectation,
        Expectation::UnexpectedPass
    );
    assert_eq!(
        judged(&one("", "\"failed\""), None, Status::Unscored).expectation,
        Expectation::UnexpectedPass
    );
    assert_eq!(
        judged(&one("", "\"failed\", \"flaky\""), None, Status::Pass).expectation,
        Expectation::Fine
    );
    assert_eq!(
        judged(&one("", "\"inaccurate\""), None, Status::Unscored).expectation,
        Expectation::Fine
    );
}

#[test]
fn an_entry_is_stale_only_when_no_cell_could_have_been_meant() {
    let run = everything();
    let stale = run.report().stale_expectations;
    assert_eq!(
        stale.iter().map(|s| s.cell.as_str()).collect::<Vec<_>>(),
        ["no_such_graph/*"]
    );
    // A cell that never told its provider may be the one.
    let baseline = one("provider = \"qnn/*\"", "\"failed\"");
    let rows = fold(&[cell("kv_vae", "t2i", Accelerator::Npu)], &[], &Baseline::default());
    assert_eq!(baseline.stale(&rows), []);
}

#[test]
fn stale_entries_are_not_told_of_a_run_that_is_not_complete() {
    let run = everything();
    let report = litmus::report::assemble(
        crate::fixture::run_info(false),
        vec![],
        &run.cells,
        &run.attempts,
        &crate::fixture::baseline(),
    );
    assert_eq!(report.stale_expectations, []);
}

#[test]
fn an_unknown_key_is_an_error_that_names_line_and_accepted_keys() {
    let said = parse("[[expect]]\ncell = \"*\"\nstatus = [\"failed\"]\nwhy = \"x\"\n").unwrap_err();
    for part in [
        "night.toml",
        "line 4",
        "`why`",
        "`cell`",
        "`provider`",
        "`status`",
        "`reason`",
    ] {
        assert!(said.contains(part), "{part} is not in: {said}");
    }
}

#[test]
fn a_status_that_needs_no_entry_is_refused_with_those_that_do() {
    let said = parse("[[expect]]\ncell = \"*\"\nstatus = [\"pass\"]\nreason = \"x\"\n").unwrap_err();
    assert!(
        said.contains("line 3") && said.contains("`pass`") && said.contains("`no_result`"),
        "{said}"
    );
}

#[test]
fn what_types_cannot_check_is_an_error_with_its_line() {
    let said = parse("\n\n[[expect]]\ncell = \"a[\"\nstatus = [\"failed\"]\nreason = \"x\"\n").unwrap_err();
    assert!(said.contains("line 4") && said.contains("\"a[\" is no glob"), "{said}");
    let said = parse("[[expect]]\ncell = \"*\"\nstatus = []\nreason = \"x\"\n").unwrap_err();
    assert!(said.contains("line 3: status is empty"), "{said}");
    let said = parse("[[expect]]\ncell = \"*\"\nstatus = [\"failed\"]\nreason = \" \"\n").unwrap_err();
    assert!(said.contains("line 4: reason is empty"), "{said}");
}

#[test]
fn an_empty_file_expects_nothing() {
    assert_eq!(
        judged(&parse("# none yet\n").unwrap(), None, Status::Failed).expectation,
        Expectation::Finding
    );
}
