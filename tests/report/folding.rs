//! Does one cell's story become the right row?

use litmus::{
    agent::{Accelerator, CompileMode, Stage},
    attempt::{AttemptRecord, AttemptStatus},
    report::{Row, Status, fold},
    sweep::{Baseline, PlannedCell},
};

use crate::fixture::{cell, ended, output, passed, signal};

fn fold_one(cell: &PlannedCell, attempts: &[AttemptRecord]) -> Row {
    fold(std::slice::from_ref(cell), attempts, &Baseline::default()).remove(0)
}

fn gpu() -> PlannedCell {
    cell("kc_prep", "t2i", Accelerator::Gpu)
}

#[test]
fn a_cell_without_attempts_is_skipped_and_knows_no_figure() {
    let row = fold_one(&gpu(), &[]);
    assert_eq!(row.status, Status::Skipped);
    assert_eq!((row.attempts, row.exit, row.latency_ms), (0, None, None));
    assert_eq!(row.memory_kb.peak, None);
}

#[test]
fn the_last_try_of_a_repeat_counts_and_an_earlier_crash_makes_it_flaky() {
    let c = gpu();
    let mut crash = ended(&c, 1, 1, AttemptStatus::Crashed);
    crash.outcome.exit = signal(11);
    let mut second = passed(&c, 2, 1);
    second.try_number = 2;
    let row = fold_one(&c, &[crash, second]);
    assert_eq!(row.status, Status::Flaky);
    assert_eq!(
        row.message.as_deref(),
        Some("repeat 1 passed only on try 2; try 1 ended as crashed")
    );
    assert_eq!(
        row.exit.unwrap().signal,
        Some(11),
        "the evidence is that of the try that died"
    );
    assert_eq!(row.stage, Some(Stage::Run));
    assert_eq!(
        row.latency_ms.unwrap().n,
        8,
        "the figures are those of the try that counts"
    );
    assert_eq!(row.attempts, 2);
}

#[test]
fn a_retry_that_fails_differently_replaces_the_first_try() {
    let c = gpu();
    let mut second = ended(&c, 2, 1, AttemptStatus::Failed);
    second.try_number = 2;
    let row = fold_one(&c, &[ended(&c, 1, 1, AttemptStatus::Crashed), second]);
    assert_eq!(row.status, Status::Failed);
}

#[test]
fn an_earlier_lack_of_a_driver_does_not_make_a_pass_flaky() {
    let c = gpu();
    let mut second = passed(&c, 2, 1);
    second.try_number = 2;
    let row = fold_one(&c, &[ended(&c, 1, 1, AttemptStatus::Unavailable), second]);
    assert_eq!(row.status, Status::Pass);
}

#[test]
fn differing_outputs_of_passing_repeats_are_named() {
    let c = gpu();
    let mut other = passed(&c, 2, 2);
    other.measured.outputs = vec![output("bb")];
    let row = fold_one(&c, &[passed(&c, 1, 1), other.clone()]);
    assert_eq!(row.status, Status::Flaky);
    assert_eq!(
        row.message.as_deref(),
        Some("output \"StatefulPartitionedCall:0\" differs between repeat 1 and repeat 2")
    );
    other.outcome.status = AttemptStatus::Inaccurate;
    let row = fold_one(&c, &[passed(&c, 1, 1), other]);
    assert_eq!(
        row.status,
        Status::Inaccurate,
        "the output of a repeat that did not pass says nothing about flakiness"
    );
}

#[test]
fn a_death_at_teardown_keeps_the_row_and_shows_the_signal() {
    let c = gpu();
    let mut died = passed(&c, 2, 2);
    died.outcome.exit = signal(11);
    let row = fold_one(&c, &[passed(&c, 1, 1), died, passed(&c, 3, 3)]);
    assert_eq!(row.status, Status::Pass);
    assert_eq!(row.exit.unwrap().signal, Some(11));
    assert!(row.message.unwrap().contains("died at teardown by signal 11"));
    assert_eq!(row.latency_ms.unwrap().n, 24);
}

#[test]
fn latency_is_taken_from_complete_samples_only() {
    let c = gpu();
    let row = fold_one(
        &c,
        &[
            passed(&c, 1, 1),
            ended(&c, 2, 2, AttemptStatus::Timeout),
            passed(&c, 3, 3),
        ],
    );
    assert_eq!(row.status, Status::Timeout);
    assert_eq!(row.processes.iter().map(|p| p.attempt).collect::<Vec<_>>(), [1, 3]);
    let latency = row.latency_ms.unwrap();
    // Process medians are 12.135 and 12.335 ms: 12 ms + 0.1 ms a repeat + the middle of eight steps of 0.01 ms.
    assert_eq!(latency.n, 16);
    assert!((latency.median - 12.235).abs() < 1e-9, "{}", latency.median);
    assert_eq!((latency.min, latency.max), (12.1, 12.37));
}

#[test]
fn load_is_the_median_over_processes_in_the_column_of_its_compile_mode() {
    let mut c = gpu();
    let attempts = [passed(&c, 1, 1), passed(&c, 2, 2), passed(&c, 3, 3)];
    let load = fold_one(&c, &attempts).load_ms;
    assert_eq!((load.first_compile, load.aot, load.cached), (Some(23.5), None, None));
    c.compile = CompileMode::Aot;
    let load = fold_one(&c, &attempts).load_ms;
    assert_eq!((load.first_compile, load.aot, load.cached), (None, Some(23.5), None));
}

#[test]
fn memory_is_that_of_one_process_the_one_with_the_highest_peak() {
    let c = gpu();
    let mut heavy = passed(&c, 1, 1);
    heavy.measured.memory_first_run.as_mut().unwrap().peak_kb = Some(90_000);
    heavy.measured.memory_loaded.as_mut().unwrap().rss_kb = Some(19_000);
    let memory = fold_one(&c, &[heavy, passed(&c, 2, 2)]).memory_kb;
    assert_eq!(
        (memory.peak, memory.loaded, memory.baseline),
        (Some(90_000), Some(19_000), Some(3_500))
    );
    assert_eq!((memory.peak_anon, memory.peak_file), (Some(25_512), Some(12_756)));
}

#[test]
fn a_process_in_which_the_graph_never_ran_has_no_peak() {
    let c = gpu();
    let mut a = passed(&c, 1, 1);
    a.outcome.status = AttemptStatus::Crashed;
    a.measured.memory_first_run = None;
    a.measured.memory_done = None;
    let memory = fold_one(&c, &[a]).memory_kb;
    assert_eq!((memory.compiled, memory.peak), (Some(40_000), None));
}

#[test]
fn a_fallback_to_another_provider_is_not_hidden() {
    let c = gpu();
    let mut fell_back = passed(&c, 2, 2);
    fell_back.provider = Some("xnnpack".to_owned());
    let row = fold_one(&c, &[passed(&c, 1, 1), fell_back]);
    assert_eq!(row.provider.as_deref(), Some("webgpu/swiftshader + xnnpack"));
}

#[test]
fn the_claim_of_full_acceleration_is_not_believed_where_a_stricter_one_denies_it() {
    let c = gpu();
    let mut a = passed(&c, 1, 1);
    let placement = a.measured.placement.as_mut().unwrap();
    placement.non_cpu_fully_accelerated = Some(false);
    placement.buffer_types = vec![26, 1, 7];
    let placement = fold_one(&c, &[a]).placement.unwrap();
    assert_eq!(placement.fully_accelerated, Some(false));
    assert_eq!(placement.buffer.as_deref(), Some("host+webgpu+7"));
}

#[test]
fn a_host_counts_as_quiet_only_when_it_was_quiet_for_every_process() {
    let c = gpu();
    let with = |attempt, quiet, load| {
        let mut a = passed(&c, attempt, attempt);
        a.host.quiet = quiet;
        a.host.load = load;
        a
    };
    let host = |a: [AttemptRecord; 2]| fold_one(&c, &a).host;
    assert_eq!(
        host([with(1, Some(true), None), with(2, Some(true), None)]).quiet,
        Some(true)
    );
    assert_eq!(host([with(1, Some(true), None), with(2, None, None)]).quiet, None);
    let host = host([with(1, None, Some(0.5)), with(2, Some(false), Some(3.5))]);
    assert_eq!((host.quiet, host.load), (Some(false), Some(3.5)));
}

#[test]
fn the_signature_that_ran_is_told_where_the_plan_names_none() {
    let mut c = gpu();
    assert_eq!(
        fold_one(&c, &[passed(&c, 1, 1)]).signature.as_deref(),
        Some("serving_default")
    );
    c.signature = Some("encode".to_owned());
    assert_eq!(fold_one(&c, &[passed(&c, 1, 1)]).signature.as_deref(), Some("encode"));
}
