//! Does the executor survive whatever an agent does? Real processes, scripted agents (tests/support/mock_agent.rs).

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    thread,
    time::{Duration, Instant, SystemTime},
};

use litmus::{
    agent::Stage,
    attempt::{AttemptRecord, AttemptStatus, DraftRun, Observer, Plan, Progress, Run, RunEnd, Selection, read_journal},
    graphset::{GraphEntry, INDEX_FORMAT, Index, IndexCase, Tensor},
    install::Runtime,
    report::{Report, Row, Status, read_run},
    store::{HashCache, sha256_bytes},
    sweep::SweepFile,
    target::LocalTarget,
    tensor::{DType, TensorSpec},
};

/// A graph set whose graphs behave as they are called, and the folder it is in.
struct Suite {
    folder: tempfile::TempDir,
    protocol: &'static str,
}

impl Suite {
    fn new(behaviours: &[&str]) -> Self {
        Self::with_reference(behaviours, &[0.0, 1.0, 2.0, 3.0])
    }

    fn with_reference(behaviours: &[&str], reference: &[f32]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let reference: Vec<u8> = reference.iter().flat_map(|v| v.to_le_bytes()).collect();
        fs::write(folder.path().join("y.bin"), &reference).unwrap();
        let mut graphs = BTreeMap::new();
        for behaviour in behaviours {
            let file = PathBuf::from(format!("{behaviour}.tflite"));
            fs::write(folder.path().join(&file), behaviour).unwrap();
            let output = Tensor {
                index: 0,
                name: None,
                role: Some("y".to_owned()),
                spec: TensorSpec {
                    dtype: DType::Float32,
                    shape: vec![4],
                },
                file: "y.bin".into(),
                sha256: sha256_bytes(&reference),
                equal_infinities: false,
                quantisation: None,
            };
            let case = IndexCase {
                signature: None,
                inputs: vec![],
                outputs: vec![output],
            };
            let entry = GraphEntry {
                file,
                bytes: behaviour.len() as u64,
                sha256: sha256_bytes(behaviour.as_bytes()),
                cases: BTreeMap::from([("only".to_owned(), case)]),
            };
            graphs.insert((*behaviour).to_owned(), entry);
        }
        let index = Index {
            format: INDEX_FORMAT,
            root: ".".into(),
            reference: None,
            graphs,
        };
        fs::write(folder.path().join("index.json"), serde_json::to_vec(&index).unwrap()).unwrap();
        Suite {
            folder,
            protocol: "runs = 4",
        }
    }

    fn protocol(mut self, protocol: &'static str) -> Self {
        self.protocol = protocol;
        self
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn plan(&self) -> Plan {
        let text = format!(
            "name = \"mock\"\ngraphs.index = \"index.json\"\n[[accelerator]]\nkind = \"cpu\"\n[protocol]\n{}\n",
            self.protocol
        );
        let sweep = SweepFile::parse(Path::new("mock.toml"), text, self.path().to_owned()).unwrap();
        Plan::new(sweep, Selection::default(), "local", &["litert-mock".to_owned()]).unwrap()
    }

    fn create(&self) -> Run {
        self.create_from(self.plan())
    }

    fn create_from(&self, plan: Plan) -> Run {
        fs::write(self.path().join("libLiteRt.so"), "").unwrap();
        let runtime = Runtime {
            id: "litert-mock".to_owned(),
            dir: self.path().to_owned(),
            bytes: None,
        };
        Run::create(
            plan,
            &self.path().join("reports"),
            &[runtime],
            &target(),
            &HashCache::in_memory(),
        )
        .unwrap()
    }

    /// Runs everything; the report and the attempts.
    fn run(&self) -> (Report, Vec<AttemptRecord>) {
        let run = self.create();
        assert_eq!(execute(&run, &mut Quiet, &AtomicBool::new(false)), RunEnd::Complete);
        let attempts = read_journal(&run.folder.journal()).unwrap().attempts;
        (read_run(run.folder.path()).unwrap(), attempts)
    }

    /// Runs a suite of one graph; its row and the attempts.
    fn run_one(&self) -> (Row, Vec<AttemptRecord>) {
        let (mut report, attempts) = self.run();
        assert_eq!(report.rows.len(), 1);
        (report.rows.remove(0), attempts)
    }
}

struct Quiet;

impl Observer for Quiet {
    fn progress(&mut self, _: &Progress<'_>) {}
}

fn target() -> LocalTarget {
    LocalTarget::with_agent(mock_agent(), vec![])
}

fn mock_agent() -> PathBuf {
    // Examples lie beside the folder of the test executables.
    let tests = std::env::current_exe().unwrap();
    let mock = tests.parent().unwrap().parent().unwrap().join("examples/mock-agent");
    assert!(mock.exists(), "{} is missing; `cargo test` builds it", mock.display());
    mock
}

fn execute(run: &Run, observer: &mut dyn Observer, interrupted: &AtomicBool) -> RunEnd {
    run.execute(&target(), &HashCache::in_memory(), observer, interrupted)
        .unwrap()
}

fn statuses(attempts: &[AttemptRecord]) -> Vec<AttemptStatus> {
    attempts.iter().map(|attempt| attempt.outcome.status).collect()
}

#[test]
fn a_passing_agent_gives_a_passing_row_with_all_its_figures() {
    let (row, attempts) = Suite::new(&["pass"]).run_one();
    assert_eq!(row.status, Status::Pass);
    assert_eq!(row.attempts, 1);
    assert_eq!(row.latency_ms.unwrap().n, 4);
    assert_eq!(row.load_ms.first_compile, Some(4.0));
    assert_eq!(row.memory_kb.baseline, Some(1000));
    assert_eq!(row.memory_kb.peak, Some(4000));
    assert_eq!(row.provider.as_deref(), Some("xnnpack"));
    assert!(row.accuracy[0].identical);
    assert_eq!(attempts[0].outcome.message, None);
    assert!(attempts[0].wall_ms.unwrap() > 0.0);
}

#[test]
fn a_crash_is_retried_once_and_its_signal_is_kept() {
    let (row, attempts) = Suite::new(&["crash"]).run_one();
    assert_eq!(row.status, Status::Crashed);
    assert_eq!(statuses(&attempts), [AttemptStatus::Crashed, AttemptStatus::Crashed]);
    assert_eq!(row.exit.unwrap().signal, Some(libc::SIGABRT));
    assert_eq!(row.stage, Some(Stage::Compile));
    assert!(row.message.unwrap().contains("SIGABRT"));
    assert!(row.latency_ms.is_none(), "a crashed process has no latency");
}

#[test]
fn a_pass_after_a_crash_is_flaky() {
    let (row, attempts) = Suite::new(&["crash-1"]).run_one();
    assert_eq!(statuses(&attempts), [AttemptStatus::Crashed, AttemptStatus::Pass]);
    assert_eq!(row.status, Status::Flaky);
    assert!(row.latency_ms.is_some());
}

#[test]
fn a_hang_is_killed_at_its_deadline_and_named_by_stage() {
    let suite = Suite::new(&["hang_at_compile"]).protocol("runs = 4\nretries = 0\ncompile_timeout_s = 1");
    let since = Instant::now();
    let (row, _) = suite.run_one();
    assert!(since.elapsed() < Duration::from_secs(10));
    assert_eq!(row.status, Status::Timeout);
    assert_eq!(row.stage, Some(Stage::Compile));
}

#[test]
fn a_silent_agent_is_killed_at_the_load_deadline() {
    let suite = Suite::new(&["silent_hang"]).protocol("runs = 4\nretries = 0\nload_timeout_s = 1");
    assert_eq!(suite.run_one().0.status, Status::Timeout);
}

#[test]
fn babbling_is_no_progress() {
    let suite = Suite::new(&["babble_forever"]).protocol("runs = 4\nretries = 0\nload_timeout_s = 1");
    let (row, _) = suite.run_one();
    assert_eq!(row.status, Status::Timeout);
    assert!(row.message.unwrap().contains("still here"));
}

#[test]
fn an_attempt_as_a_whole_has_a_deadline() {
    let suite = Suite::new(&["slow"]).protocol("runs = 4\nretries = 0\nattempt_timeout_s = 1");
    assert_eq!(suite.run_one().0.status, Status::Timeout);
}

#[test]
fn the_children_of_a_hung_agent_are_killed_with_it() {
    let suite = Suite::new(&["hang_with_child"]).protocol("runs = 4\nretries = 0\ncompile_timeout_s = 1");
    let since = Instant::now();
    suite.run();
    // The child holds the agent's standard output: were it alive, its end would be waited for.
    assert!(since.elapsed() < Duration::from_secs(20));
}

#[test]
fn an_agent_that_ends_early_gives_no_result() {
    for behaviour in ["no_result", "exit_at_once", "few_samples"] {
        let (row, attempts) = Suite::new(&[behaviour]).run_one();
        assert_eq!(row.status, Status::NoResult, "{behaviour}");
        assert_eq!(attempts.len(), 2, "{behaviour} is worth one more try");
        assert!(row.latency_ms.is_none(), "{behaviour}");
    }
}

#[test]
fn an_error_event_is_a_failure_with_its_code_and_is_not_retried() {
    let (row, attempts) = Suite::new(&["error"]).run_one();
    assert_eq!(row.status, Status::Failed);
    assert_eq!((row.stage, row.code), (Some(Stage::Compile), Some(504)));
    assert_eq!(attempts.len(), 1);
}

#[test]
fn garbage_on_standard_output_is_noted_and_does_no_harm() {
    let (row, attempts) = Suite::new(&["garbage"]).run_one();
    assert_eq!(row.status, Status::Pass);
    assert!(attempts[0].outcome.message.as_ref().unwrap().contains("wrong stream"));
}

#[test]
fn death_after_complete_results_keeps_the_row_and_shows_the_signal() {
    let (row, attempts) = Suite::new(&["die_after_done"]).run_one();
    assert_eq!(row.status, Status::Pass);
    assert_eq!(attempts.len(), 1);
    assert_eq!(row.exit.unwrap().signal, Some(libc::SIGABRT));
    assert!(attempts[0].outcome.message.as_ref().unwrap().contains("teardown"));
}

#[test]
fn nan_outputs_are_nonfinite_and_their_tensor_is_kept() {
    let suite = Suite::new(&["nan"]);
    let (row, attempts) = suite.run_one();
    assert_eq!(row.status, Status::Nonfinite);
    assert_eq!(row.accuracy[0].nonfinite, 1);
    assert_eq!(row.accuracy[0].psnr_db, None);
    let kept = attempts[0].measured.outputs[0].file.clone().unwrap();
    let run = fs::read_dir(suite.path().join("reports"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    assert_eq!(fs::read(run.join(kept)).unwrap().len(), 16);
}

#[test]
fn nan_without_a_reference_is_nonfinite_too() {
    let suite = Suite::new(&["nan", "pass"]);
    let path = suite.path().join("index.json");
    let mut index: Index = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    for case in index.graphs.values_mut().flat_map(|graph| graph.cases.values_mut()) {
        case.outputs.clear();
    }
    fs::write(&path, serde_json::to_vec(&index).unwrap()).unwrap();
    let (report, _) = suite.run();
    let statuses: Vec<_> = report.rows.iter().map(|row| row.status).collect();
    assert_eq!(statuses, [Status::Nonfinite, Status::Unscored]);
}

#[test]
fn inaccurate_outputs_are_inaccurate() {
    let (row, _) = Suite::new(&["inaccurate"]).run_one();
    assert_eq!(row.status, Status::Inaccurate);
    assert!(row.message.unwrap().contains("psnr"));
}

#[test]
fn outputs_that_differ_between_repeats_are_flaky() {
    let (row, attempts) = Suite::new(&["varies"]).protocol("runs = 4\nprocesses = 3").run_one();
    assert_eq!(attempts.len(), 3);
    assert_eq!(row.status, Status::Flaky);
    assert_eq!(row.processes.len(), 3);
}

#[test]
fn an_output_file_of_the_wrong_length_fails_the_score() {
    let (row, _) = Suite::new(&["short_output"]).run_one();
    assert_eq!((row.status, row.stage), (Status::Failed, Some(Stage::Score)));
}

#[test]
fn unusable_references_fail_the_score_in_words() {
    for (reference, word) in [([0.0; 4], "constant"), ([0.0, f32::NAN, 2.0, 3.0], "finite")] {
        let (row, _) = Suite::with_reference(&["pass"], &reference).run_one();
        assert_eq!((row.status, row.stage), (Status::Failed, Some(Stage::Score)));
        let message = row.message.unwrap();
        assert!(message.contains(word), "{message}");
    }
}

#[test]
fn a_file_that_is_not_what_the_index_says_fails_before_anything_runs() {
    let suite = Suite::new(&["pass"]);
    fs::write(suite.path().join("pass.tflite"), "pass, but longer").unwrap();
    let (row, attempts) = suite.run_one();
    assert_eq!((row.status, row.stage), (Status::Failed, Some(Stage::Prepare)));
    assert!(row.message.unwrap().contains("SHA-256"));
    assert_eq!(attempts[0].wall_ms, None);

    let suite = Suite::new(&["pass"]);
    fs::remove_file(suite.path().join("pass.tflite")).unwrap();
    let (row, _) = suite.run_one();
    assert_eq!((row.status, row.stage), (Status::Failed, Some(Stage::Prepare)));
}

#[test]
fn one_bad_graph_leaves_the_others_alone() {
    let (report, _) = Suite::new(&["crash", "error", "nan", "no_result", "pass"]).run();
    let statuses: Vec<_> = report.rows.iter().map(|row| row.status).collect();
    assert_eq!(
        statuses,
        [
            Status::Crashed,
            Status::Failed,
            Status::Nonfinite,
            Status::NoResult,
            Status::Pass
        ]
    );
}

/// Interrupts a run when so many attempts have ended.
struct InterruptAfter<'a>(usize, &'a AtomicBool);

impl Observer for InterruptAfter<'_> {
    fn progress(&mut self, progress: &Progress<'_>) {
        if let Progress::Attempted { .. } = progress {
            self.0 -= 1;
            if self.0 == 0 {
                self.1.store(true, std::sync::atomic::Ordering::Relaxed);
            }
        }
    }
}

#[test]
fn a_resumed_run_repeats_nothing_and_leaves_nothing_out() {
    let suite = Suite::new(&["pass", "inaccurate", "nan", "crash"]).protocol("runs = 4\nprocesses = 2");
    let (whole, _) = suite.run();
    for stop_after in 1..8 {
        let run = suite.create();
        let interrupted = AtomicBool::new(false);
        let end = execute(&run, &mut InterruptAfter(stop_after, &interrupted), &interrupted);
        assert_eq!(end, RunEnd::Interrupted);
        let path = run.folder.path().to_owned();
        drop(run);
        let resumed = Run::resume(&path, &HashCache::in_memory()).unwrap();
        assert_eq!(execute(&resumed, &mut Quiet, &AtomicBool::new(false)), RunEnd::Complete);
        let report = read_run(&path).unwrap();
        let summary = |report: &Report| -> Vec<_> {
            report
                .rows
                .iter()
                .map(|row| (row.key.clone(), row.status, row.attempts))
                .collect()
        };
        assert_eq!(summary(&report), summary(&whole), "stopped after {stop_after}");
    }
}

#[test]
fn an_interrupt_ends_the_attempt_in_flight_and_drops_it() {
    let suite = Suite::new(&["silent_hang"]);
    let run = suite.create();
    let interrupted = AtomicBool::new(false);
    let end = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(300));
            interrupted.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        execute(&run, &mut Quiet, &interrupted)
    });
    assert_eq!(end, RunEnd::Interrupted);
    assert!(read_journal(&run.folder.journal()).unwrap().attempts.is_empty());
    assert!(
        fs::read_dir(run.folder.path().join("attempts"))
            .unwrap()
            .next()
            .is_none()
    );
}

#[test]
fn a_run_has_one_writer() {
    let suite = Suite::new(&["pass"]);
    let run = suite.create();
    let error = Run::resume(run.folder.path(), &HashCache::in_memory())
        .unwrap_err()
        .to_string();
    assert!(error.contains("another litmus"), "{error}");
}

#[test]
fn a_run_whose_index_changed_is_not_resumed() {
    let suite = Suite::new(&["pass"]);
    let path = suite.create().folder.path().to_owned();
    let index = suite.path().join("index.json");
    let text = fs::read_to_string(&index).unwrap();
    fs::write(&index, format!("{text} ")).unwrap();
    let error = Run::resume(&path, &HashCache::in_memory()).unwrap_err().to_string();
    assert!(error.contains("index changed"), "{error}");
}

#[test]
fn a_run_whose_runtime_changed_is_not_resumed() {
    let suite = Suite::new(&["pass"]);
    let path = suite.create().folder.path().to_owned();
    fs::write(suite.path().join("libLiteRt.so"), "another build").unwrap();
    let error = Run::resume(&path, &HashCache::in_memory()).unwrap_err().to_string();
    assert!(error.contains("runtime changed"), "{error}");
}

#[test]
fn a_folder_that_never_became_a_run_is_removed() {
    let reports = tempfile::tempdir().unwrap();
    let draft = DraftRun::create(reports.path(), "s", SystemTime::now()).unwrap();
    assert!(draft.folder().path().exists());
    drop(draft);
    assert!(fs::read_dir(reports.path()).unwrap().next().is_none());
}

#[test]
fn runs_of_one_second_have_names_of_their_own() {
    let reports = tempfile::tempdir().unwrap();
    let drafts: Vec<_> = (0..5)
        .map(|_| DraftRun::create(reports.path(), "s", SystemTime::UNIX_EPOCH).unwrap())
        .collect();
    let names: Vec<_> = drafts.iter().map(|draft| draft.id()).collect();
    assert_eq!(names[..2], ["s-19700101T000000Z", "s-19700101T000000Z-2"]);
    assert_eq!(names.iter().collect::<std::collections::BTreeSet<_>>().len(), 5);
}

#[test]
fn a_child_that_the_agent_leaves_behind_neither_hangs_the_host_nor_costs_the_row() {
    for (behaviour, limit_s) in [("leave_child_with_output", 5), ("leave_session_with_output", 15)] {
        let since = Instant::now();
        let (row, _) = Suite::new(&[behaviour]).run_one();
        assert_eq!(row.status, Status::Pass, "{behaviour}");
        assert!(
            since.elapsed() < Duration::from_secs(limit_s),
            "{behaviour}: {:?}",
            since.elapsed()
        );
    }
}

#[test]
fn an_agent_that_never_reads_its_job_is_a_timeout() {
    let suite = Suite::new(&["pass"]).protocol("runs = 4\nretries = 0\nload_timeout_s = 1");
    // More than a pipe holds.
    let path = suite.path().join("index.json");
    let mut index: Index = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    for case in index.graphs.values_mut().flat_map(|graph| graph.cases.values_mut()) {
        case.signature = Some("s".repeat(200_000));
    }
    fs::write(&path, serde_json::to_vec(&index).unwrap()).unwrap();
    let deaf = LocalTarget::with_agent(mock_agent(), vec!["never-reads".to_owned()]);
    let run = suite.create();
    let end = run
        .execute(&deaf, &HashCache::in_memory(), &mut Quiet, &AtomicBool::new(false))
        .unwrap();
    assert_eq!(end, RunEnd::Complete);
    assert_eq!(read_run(run.folder.path()).unwrap().rows[0].status, Status::Timeout);
}

#[test]
fn outputs_outside_the_attempt_folder_are_refused_and_not_touched() {
    for behaviour in ["foreign_output", "linked_output", "output_twice"] {
        let suite = Suite::new(&[behaviour]);
        let (row, _) = suite.run_one();
        assert_eq!(
            (row.status, row.stage),
            (Status::Failed, Some(Stage::Output)),
            "{behaviour}"
        );
        assert!(suite.path().join("y.bin").exists(), "{behaviour}");
    }
}

#[test]
fn what_an_agent_litters_is_removed_and_a_folder_it_removed_is_no_harm() {
    let suite = Suite::new(&["litter", "no_folder"]);
    let (report, _) = suite.run();
    assert_eq!(report.rows[0].status, Status::Pass);
    assert_eq!(
        (report.rows[1].status, report.rows[1].stage),
        (Status::Failed, Some(Stage::Output))
    );
    let run = fs::read_dir(suite.path().join("reports"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let left: Vec<_> = fs::read_dir(run.join("attempts/0001"))
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(left, ["stderr.txt"]);
}

#[test]
fn floods_of_events_and_words_are_bounded() {
    let (row, attempts) = Suite::new(&["endless_events"]).run_one();
    assert_eq!(row.status, Status::NoResult, "two lists of samples are no result");
    assert!(attempts[0].measured.samples_ns.is_empty());
    let (row, _) = Suite::new(&["long_message"]).run_one();
    assert!(row.message.unwrap().len() < 5000);
}

#[test]
fn a_runtime_that_vanishes_stops_the_run_and_is_not_booked_to_a_graph() {
    let suite = Suite::new(&["pass"]);
    let run = suite.create();
    fs::remove_file(suite.path().join("libLiteRt.so")).unwrap();
    let error = run
        .execute(&target(), &HashCache::in_memory(), &mut Quiet, &AtomicBool::new(false))
        .unwrap_err();
    assert!(error.to_string().contains("is gone"), "{error}");
    assert!(read_journal(&run.folder.journal()).unwrap().attempts.is_empty());
}

#[test]
fn pipes_and_devices_in_place_of_files_are_failed_rows() {
    for device in ["/dev/zero", "/dev/null"] {
        let suite = Suite::new(&["pass"]);
        let graph = suite.path().join("pass.tflite");
        fs::remove_file(&graph).unwrap();
        std::os::unix::fs::symlink(device, &graph).unwrap();
        let (row, _) = suite.run_one();
        assert_eq!(
            (row.status, row.stage),
            (Status::Failed, Some(Stage::Prepare)),
            "{device}"
        );
        assert!(row.message.unwrap().contains("no regular file"), "{device}");
    }
}

#[test]
fn a_baseline_that_is_gone_does_not_keep_a_run_from_going_on() {
    let suite = Suite::new(&["pass"]);
    fs::write(suite.path().join("b.toml"), "").unwrap();
    let text =
        "name = \"mock\"\nbaseline = \"b.toml\"\ngraphs.index = \"index.json\"\n[[accelerator]]\nkind = \"cpu\"\n";
    let sweep = SweepFile::parse(Path::new("m"), text.to_owned(), suite.path().to_owned()).unwrap();
    let plan = Plan::new(sweep, Selection::default(), "local", &["litert-mock".to_owned()]).unwrap();
    let path = suite.create_from(plan).folder.path().to_owned();
    fs::remove_file(suite.path().join("b.toml")).unwrap();
    Run::resume(&path, &HashCache::in_memory()).unwrap();
}

#[test]
fn a_full_disk_stops_the_run_and_is_not_booked_to_the_graph() {
    let suite = Suite::new(&["no_space-1"]);
    let run = suite.create();
    let error = run
        .execute(&target(), &HashCache::in_memory(), &mut Quiet, &AtomicBool::new(false))
        .unwrap_err();
    assert!(error.to_string().contains("no space left"), "{error}");
    assert!(read_journal(&run.folder.journal()).unwrap().attempts.is_empty());
    assert_eq!(execute(&run, &mut Quiet, &AtomicBool::new(false)), RunEnd::Complete);
    assert_eq!(read_run(run.folder.path()).unwrap().rows[0].status, Status::Pass);
}
