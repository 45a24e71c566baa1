//! What does somebody at a shell get? The real program on the real runtime, with good input and with bad.

#[path = "support/tflite_builder.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod tflite_builder;
#[path = "support/tflite_graphs.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod tflite_graphs;

use std::{
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use assert_cmd::cargo::cargo_bin;
use litmus::{
    graphset::{GraphEntry, GraphSet, Index},
    report::{Report, Status},
    store::sha256_bytes,
};

/// A folder with a sweep of one small graph, ready to be spoilt.
struct Bench {
    folder: tempfile::TempDir,
}

const GRAPH: &str = "kc_final";

impl Bench {
    fn new() -> Self {
        let bench = Bench {
            folder: tempfile::tempdir().unwrap(),
        };
        let klein = Path::new("references/tiny-klein");
        let mut index: Index = serde_json::from_slice(&fs::read(klein.join("index.json")).unwrap()).unwrap();
        index.graphs.retain(|name, _| name == GRAPH);
        let entry = index.graphs.get_mut(GRAPH).unwrap();
        let flatten = |file: &mut PathBuf| {
            let name = PathBuf::from(file.file_name().unwrap());
            fs::copy(klein.join(&file), bench.path(&name)).unwrap();
            *file = name;
        };
        flatten(&mut entry.file);
        for case in entry.cases.values_mut() {
            for tensor in case.inputs.iter_mut().chain(&mut case.outputs) {
                flatten(&mut tensor.file);
            }
        }
        bench.write_index(&index);
        bench.write_sweep("");
        bench
    }

    fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    fn index(&self) -> Index {
        serde_json::from_slice(&fs::read(self.path("index.json")).unwrap()).unwrap()
    }

    fn write_index(&self, index: &Index) {
        fs::write(self.path("index.json"), serde_json::to_vec(index).unwrap()).unwrap();
    }

    fn change_entry(&self, change: impl FnOnce(&mut GraphEntry)) {
        let mut index = self.index();
        change(index.graphs.get_mut(GRAPH).unwrap());
        self.write_index(&index);
    }

    /// Replaces the reference of the only output.
    fn write_reference(&self, values: impl Iterator<Item = f32>) {
        let bytes: Vec<u8> = values.flat_map(|value| value.to_le_bytes()).collect();
        self.change_entry(|entry| {
            let output = &mut entry.cases.get_mut("t2i").unwrap().outputs[0];
            output.sha256 = sha256_bytes(&bytes);
            fs::write(self.folder.path().join(&output.file), &bytes).unwrap();
        });
    }

    fn reference_len(&self) -> usize {
        self.index().graphs[GRAPH].cases["t2i"].outputs[0]
            .spec
            .elements()
            .unwrap()
    }

    fn write_sweep(&self, more: &str) {
        let text = format!(
            "name = \"one\"\n[graphs]\nindex = \"index.json\"\n[[accelerator]]\nkind = \"cpu\"\n[protocol]\nruns = 3\n{more}"
        );
        fs::write(self.path("one.toml"), text).unwrap();
    }

    fn sweep(&self) -> Outcome {
        self.sweep_with(&[])
    }

    fn sweep_with(&self, more: &[&str]) -> Outcome {
        let (file, out) = (self.path("one.toml"), self.path("reports"));
        let mut arguments = vec!["sweep", file.to_str().unwrap(), "--out", out.to_str().unwrap()];
        arguments.extend(more);
        litmus(&arguments)
    }

    /// The report of the only run.
    fn report(&self) -> Report {
        let run = only_run(self.path("reports"));
        serde_json::from_slice(&fs::read(run.join("report.json")).unwrap()).unwrap()
    }
}

/// The only run folder below a folder of reports.
fn only_run(reports: impl AsRef<Path>) -> PathBuf {
    let runs: Vec<_> = fs::read_dir(reports)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(runs.len(), 1, "{runs:?}");
    runs[0].clone()
}

struct Outcome {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Outcome {
    /// Exit code and a message that says all of this.
    #[track_caller]
    fn is(&self, code: i32, words: &[&str]) {
        let all = format!("stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        assert_eq!(self.code, code, "{all}");
        for word in words {
            assert!(all.contains(word), "{word:?} is not in\n{all}");
        }
        assert!(!self.stderr.contains("panicked"), "{all}");
    }
}

fn litmus<A: AsRef<OsStr>>(arguments: &[A]) -> Outcome {
    let output: Output = Command::new(cargo_bin("litmus"))
        .args(arguments)
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    Outcome {
        code: output.status.code().expect("no signal"),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

#[test]
fn a_good_sweep_passes_and_leaves_its_reports() {
    let bench = Bench::new();
    bench.sweep().is(0, &["kc_final", "pass"]);
    let report = bench.report();
    assert!(report.run.complete);
    let row = &report.rows[0];
    assert_eq!(row.status, Status::Pass);
    assert_eq!(row.provider.as_deref(), Some("xnnpack"));
    let psnr_db = row.accuracy[0].psnr_db.unwrap();
    assert!((psnr_db - 57.7).abs() < 0.5, "{psnr_db}");
    assert!(row.memory_kb.baseline.unwrap() < row.memory_kb.peak.unwrap());
}

#[test]
fn the_slim_agent_measures_the_same_rows() {
    let bench = Bench::new();
    let agent = cargo_bin("litmus-agent");
    bench.sweep_with(&["--agent", agent.to_str().unwrap()]).is(0, &["pass"]);
    assert_eq!(bench.report().rows[0].status, Status::Pass);
}

#[test]
fn a_dry_run_lists_cells_and_writes_nothing() {
    let bench = Bench::new();
    let outcome = bench.sweep_with(&["--dry-run"]);
    outcome.is(0, &[]);
    assert_eq!(
        outcome.stdout,
        "kc_final/default/t2i/local/cpu/fp32/jit/litert-2.3.0/threads-default/plain\n"
    );
    assert!(!bench.path("reports").exists());
}

#[test]
fn show_prints_one_cell_with_what_the_runtime_said() {
    let bench = Bench::new();
    bench.sweep().is(0, &[]);
    let run = only_run(bench.path("reports"));
    let run = run.to_str().unwrap();
    litmus(&["show", run, "kc_final"]).is(0, &["XNNPACK", "PSNR", "kc_final/default/t2i"]);
    litmus(&["show", run]).is(0, &["kc_final", "1 cell: 1 pass"]);
    litmus(&["show", run, "nothing"]).is(2, &["no cell"]);
    litmus(&["show", bench.path("").to_str().unwrap(), "kc_final"]).is(2, &["no run folder"]);
}

#[test]
fn an_annulled_attempt_is_made_again_and_the_journal_keeps_both() {
    let bench = Bench::new();
    bench.sweep().is(0, &[]);
    let run = only_run(bench.path("reports"));
    let path = run.to_str().unwrap();
    litmus(&["annul", path, "7", "--reason", "r"]).is(2, &["attempt 7"]);
    litmus(&["annul", path, "1", "--reason", "somebody used the machine"]).is(0, &["1 annulled", "--resume"]);
    assert_eq!(bench.report().rows[0].status, Status::Skipped);
    litmus(&["annul", path, "1", "--reason", "twice"]).is(2, &["attempt 1"]);
    litmus(&["sweep", "--resume", path]).is(0, &["1 pass"]);
    assert_eq!(
        fs::read_to_string(run.join("journal.jsonl")).unwrap().lines().count(),
        3
    );
}

#[test]
fn a_missing_or_broken_index_is_wrong_usage() {
    let bench = Bench::new();
    fs::remove_file(bench.path("index.json")).unwrap();
    bench.sweep().is(2, &["index.json", "litmus index init"]);
    fs::write(bench.path("index.json"), "{ not json").unwrap();
    bench.sweep().is(2, &["index.json", "line 1"]);
    fs::write(bench.path("index.json"), "{\"format\": 2, \"graphs\": {}}").unwrap();
    bench.sweep().is(2, &["format 2"]);
    assert!(
        !bench.path("reports").exists(),
        "nothing is written before the sweep makes sense"
    );
}

#[test]
fn a_wrong_hash_is_a_failed_row() {
    let bench = Bench::new();
    bench.change_entry(|entry| entry.sha256 = "0".repeat(64));
    bench.sweep().is(1, &["SHA-256", "prepare", "litmus show"]);
    assert_eq!(bench.report().rows[0].status, Status::Failed);
}

#[test]
fn a_wrong_shape_is_a_failed_row_that_shows_both() {
    let bench = Bench::new();
    bench.change_entry(|entry| entry.cases.get_mut("t2i").unwrap().inputs[0].spec.shape = vec![1, 107, 48]);
    bench.sweep().is(1, &["bind"]);
    let message = bench.report().rows[0].message.clone().unwrap();
    assert!(
        message.contains("[1,107,48]") && message.contains("[1,108,48]"),
        "{message}"
    );

    let bench = Bench::new();
    bench.change_entry(|entry| entry.cases.get_mut("t2i").unwrap().outputs[0].spec.shape = vec![1, 64, 31]);
    bench.sweep().is(1, &["score"]);
    let message = bench.report().rows[0].message.clone().unwrap();
    assert!(
        message.contains("[1,64,31]") && message.contains("[1,64,32]"),
        "{message}"
    );
}

#[test]
fn a_missing_input_is_a_failed_row_that_names_it() {
    let bench = Bench::new();
    bench.change_entry(|entry| {
        entry.cases.get_mut("t2i").unwrap().inputs.pop();
    });
    bench.sweep().is(1, &["args_1"]);
}

#[test]
fn an_unknown_accelerator_is_wrong_usage() {
    let bench = Bench::new();
    let text = fs::read_to_string(bench.path("one.toml"))
        .unwrap()
        .replace("cpu", "tpu");
    fs::write(bench.path("one.toml"), text).unwrap();
    bench.sweep().is(2, &["tpu", "cpu", "gpu", "npu", "line 5"]);
    litmus(&[
        "bench",
        "references/tiny-klein/graphs/kc_final.tflite",
        "--accelerator",
        "tpu",
    ])
    .is(2, &["tpu", "npu"]);
}

#[test]
fn an_accelerator_that_is_not_there_is_unavailable_and_fatal_only_when_required() {
    let gone = "[[accelerator]]\nkind = \"gpu\"\noptions.vulkan.icd = \"gone.json\"\n";
    let bench = Bench::new();
    bench.write_sweep(gone);
    bench.sweep().is(0, &["unavailable"]);
    let row = &bench.report().rows[1];
    assert_eq!((row.status, &row.provider), (Status::Unavailable, &None));
    let message = row.message.as_ref().unwrap();
    assert!(
        message.contains("gone.json is not there") && message.contains("scripts/software-gpu.sh"),
        "{message}"
    );

    let bench = Bench::new();
    bench.write_sweep(gone);
    let text = fs::read_to_string(bench.path("one.toml")).unwrap();
    fs::write(bench.path("one.toml"), format!("require = [\"gpu\"]\n{text}")).unwrap();
    bench.sweep().is(3, &["requires the gpu", "gone.json"]);
    assert!(!bench.path("reports").exists());
}

#[test]
fn a_missing_sweep_file_is_wrong_usage() {
    litmus(&["sweep", "nowhere.toml"]).is(2, &["nowhere.toml", "No such file"]);
}

#[test]
fn a_graph_that_cannot_be_read_is_a_failed_row() {
    let bench = Bench::new();
    fs::remove_file(bench.path("kc_final.tflite")).unwrap();
    fs::create_dir(bench.path("kc_final.tflite")).unwrap();
    bench.sweep().is(1, &["kc_final.tflite", "prepare"]);
}

#[test]
fn an_empty_sweep_is_wrong_usage() {
    let bench = Bench::new();
    let mut index = bench.index();
    index.graphs.clear();
    bench.write_index(&index);
    bench.sweep().is(2, &["no cells", "no graphs"]);
}

#[test]
fn two_cells_with_one_key_are_wrong_usage() {
    let bench = Bench::new();
    bench.write_sweep("[[accelerator]]\nkind = \"cpu\"\n");
    bench.sweep().is(2, &["two cells", "kc_final/default/t2i"]);
}

#[test]
fn references_that_cannot_judge_are_failed_rows() {
    let bench = Bench::new();
    let count = bench.reference_len();
    bench.write_reference((0..count).map(|i| if i == 7 { f32::NAN } else { i as f32 }));
    bench.sweep().is(1, &["score"]);
    let message = bench.report().rows[0].message.clone().unwrap();
    assert!(message.contains("finite") && message.contains('7'), "{message}");

    let bench = Bench::new();
    bench.write_reference((0..count).map(|_| 0.0));
    bench.sweep().is(1, &["score"]);
    let message = bench.report().rows[0].message.clone().unwrap();
    assert!(message.contains("constant"), "{message}");
}

#[test]
fn a_wrong_reference_is_inaccurate_and_its_output_is_kept() {
    let bench = Bench::new();
    let count = bench.reference_len();
    bench.write_reference((0..count).map(|i| (i % 17) as f32));
    bench.sweep().is(1, &["inaccurate", "psnr"]);
    let run = only_run(bench.path("reports"));
    assert_eq!(fs::read(run.join("attempts/0001/out0.bin")).unwrap().len(), 4 * count);
}

#[test]
fn an_output_folder_that_cannot_be_made_is_an_environment_fault() {
    let bench = Bench::new();
    fs::write(bench.path("reports"), "a file").unwrap();
    bench.sweep().is(3, &["reports"]);
}

#[test]
fn a_runtime_of_another_machine_or_none_is_an_environment_fault() {
    let bench = Bench::new();
    let folder = bench.path("runtime");
    fs::create_dir(&folder).unwrap();
    let runtime = folder.to_str().unwrap();
    bench.sweep_with(&["--runtime", runtime]).is(3, &["libLiteRt.so"]);
    fs::write(folder.join("libLiteRt.so"), foreign_elf()).unwrap();
    bench
        .sweep_with(&["--runtime", runtime])
        .is(3, &["is for", "this machine is"]);
    fs::write(folder.join("libLiteRt.so"), "no library").unwrap();
    bench.sweep_with(&["--runtime", runtime]).is(3, &["ELF"]);
    bench
        .sweep_with(&["--runtime", "litert-0.0.1"])
        .is(2, &["litert-0.0.1", "litert-2.3.0"]);
    assert!(!bench.path("reports").exists());
}

/// The head of a 64-bit little-endian shared library for the other of the two machines runtimes are published for.
fn foreign_elf() -> Vec<u8> {
    let machine: u16 = if cfg!(target_arch = "x86_64") { 183 } else { 62 };
    let mut elf = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0];
    elf.extend(machine.to_le_bytes());
    elf.resize(64, 0);
    elf
}

#[test]
fn every_graph_cut_anywhere_is_refused_before_the_runtime_sees_it() {
    const CUTS: usize = 10;
    let folder = tempfile::tempdir().unwrap();
    let mut models = Vec::new();
    for set in ["tiny-klein", "tiny-klein-fp32"] {
        for entry in fs::read_dir(format!("references/{set}/graphs")).unwrap() {
            let path = entry.unwrap().path();
            let bytes = fs::read(&path).unwrap();
            let stem = path.file_stem().unwrap().to_str().unwrap();
            for cut in 0..CUTS {
                let file = folder.path().join(format!("{set}-{stem}-{cut}.tflite"));
                fs::write(&file, &bytes[..bytes.len() * cut / CUTS]).unwrap();
                models.push(file);
            }
        }
    }
    assert_eq!(models.len(), 420);
    let out = folder.path().join("reports");
    let mut arguments = vec![PathBuf::from("bench"), "--out".into(), out.clone()];
    arguments.extend(models);
    litmus(&arguments).is(1, &["verify"]);
    let run = only_run(&out);
    let report: Report = serde_json::from_slice(&fs::read(run.join("report.json")).unwrap()).unwrap();
    assert_eq!(report.rows.len(), 420);
    for row in &report.rows {
        assert_eq!(row.status, Status::Failed, "{}", row.key);
        assert_eq!(row.exit.unwrap().signal, None, "{}", row.key);
        assert_eq!(row.attempts, 1);
    }
}

#[test]
fn the_shipped_sweep_scores_as_an_independent_scorer_did() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let cpu = ["sweep", "sweeps/tiny-klein.toml", "--filter", "*/cpu/*", "--out", out];
    litmus(&cpu).is(0, &["25 cells: 25 pass"]);
    let run = only_run(folder.path());
    let report: Report = serde_json::from_slice(&fs::read(run.join("report.json")).unwrap()).unwrap();
    // Measured in Python with numpy; see references/tiny-klein/README.md.
    let scores = fs::read_to_string("references/tiny-klein/litert_cpu_scores.json").unwrap();
    let scores: serde_json::Value = serde_json::from_str(&scores).unwrap();
    let mut outputs = 0;
    for row in &report.rows {
        for accuracy in &row.accuracy {
            let theirs = &scores["int8"]["graphs"][&row.graph]["cases"][&row.case][&accuracy.output];
            let what = format!("{} {}", row.key, accuracy.output);
            assert!(
                (accuracy.psnr_db.unwrap() - theirs["psnr"].as_f64().unwrap()).abs() < 0.5,
                "{what}"
            );
            assert!(
                (accuracy.corr.unwrap() - theirs["corr"].as_f64().unwrap()).abs() < 1e-4,
                "{what}"
            );
            outputs += 1;
        }
    }
    assert_eq!((report.rows.len(), outputs), (25, 37));
}

#[test]
fn every_element_type_signature_and_shape_that_litert_takes_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let names = [
        "add-f32",
        "add-int8",
        "reshape-int8",
        "add-int16",
        "add-int32",
        "logical-and",
        "two-signatures",
        "dynamic",
    ];
    let mut arguments = vec![
        "bench".to_owned(),
        "--runs".to_owned(),
        "2".to_owned(),
        "--dynamic".to_owned(),
        "3".to_owned(),
    ];
    arguments.extend([
        "--out".to_owned(),
        folder.path().join("reports").to_str().unwrap().to_owned(),
    ]);
    for name in names {
        let file = folder.path().join(format!("{name}.tflite"));
        fs::write(&file, tflite_graphs::by_name(name).unwrap().build()).unwrap();
        arguments.push(file.to_str().unwrap().to_owned());
    }
    litmus(&arguments).is(0, &["9 cells: 9 unscored"]);
    let run = only_run(folder.path().join("reports"));
    let report: Report = serde_json::from_slice(&fs::read(run.join("report.json")).unwrap()).unwrap();
    let signatures: Vec<_> = report
        .rows
        .iter()
        .filter(|row| row.graph == "two-signatures")
        .map(|row| &row.case)
        .collect();
    assert_eq!(signatures.len(), 2);
}

#[test]
fn a_string_input_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("string-input.tflite");
    fs::write(&file, tflite_graphs::by_name("string-input").unwrap().build()).unwrap();
    let out = folder.path().join("reports");
    litmus(&["bench", "--out", out.to_str().unwrap(), file.to_str().unwrap()]).is(1, &["failed", "of type string"]);
}

#[test]
fn bench_measures_a_single_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    litmus(&[
        "bench",
        "references/tiny-klein/graphs/kc_final.tflite",
        "--runs",
        "3",
        "--out",
        out,
    ])
    .is(0, &["unscored"]);
    litmus(&["bench", "nowhere.tflite", "--out", out]).is(2, &["nowhere.tflite"]);
}

#[test]
fn a_file_name_that_is_not_utf8_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let name = OsStr::from_bytes(b"k\xff.tflite");
    let file = folder.path().join(name);
    fs::copy("references/tiny-klein/graphs/kc_final.tflite", &file).unwrap();
    litmus(&[OsStr::new("bench"), file.as_os_str()]).is(2, &["not UTF-8"]);
    litmus(&[OsStr::new("index"), OsStr::new("init"), folder.path().as_os_str()]).is(2, &["not UTF-8"]);
}

#[test]
fn odd_names_of_graphs_reach_the_report_unharmed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("reports");
    for name in [
        "a b",
        "semi;colon",
        "pipe|pipe",
        "quote\"quote",
        "new\nline",
        "ü",
        "-dash",
        "slash%2F",
    ] {
        let file = folder.path().join(format!("{name}.tflite"));
        fs::copy("references/tiny-klein/graphs/kc_final.tflite", &file).unwrap();
        let file = file.to_str().unwrap();
        litmus(&["bench", "--runs", "1", "--out", out.to_str().unwrap(), "--", file]).is(0, &[]);
    }
    assert_eq!(fs::read_dir(&out).unwrap().count(), 8);
}

#[test]
fn index_init_makes_a_set_that_passes_against_its_twins() {
    let folder = tempfile::tempdir().unwrap();
    for graph in ["kc_final", "kc_prep"] {
        let name = format!("{graph}.tflite");
        fs::copy(
            format!("references/tiny-klein/graphs/{name}"),
            folder.path().join(&name),
        )
        .unwrap();
    }
    let here = folder.path().to_str().unwrap();
    let twins = "references/tiny-klein-fp32/graphs";
    litmus(&["index", "init", here, "--twins", twins]).is(0, &["2 graphs", "twin graph on cpu"]);
    litmus(&["index", "init", here]).is(2, &["--force"]);
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    litmus(&["index", "init", here, "--twins", twins, "--force"]).is(0, &["2 graphs"]);
    assert!(folder.path().join("notes.txt").exists());
    litmus(&["index", "init", here, "--twins", "nowhere", "--force"]).is(2, &["no twin", "kc_final.tflite"]);
    let sweep = folder.path().join("s.toml");
    fs::write(
        &sweep,
        "name = \"s\"\n[graphs]\nindex = \"index.json\"\n[[accelerator]]\nkind = \"cpu\"\n",
    )
    .unwrap();
    let out = folder.path().join("reports");
    litmus(&["sweep", sweep.to_str().unwrap(), "--out", out.to_str().unwrap()]).is(0, &["2 pass"]);
    let made: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with('.'))
        .collect();
    assert!(made.is_empty(), "{made:?} was left");
}

#[test]
fn index_init_refuses_a_broken_graph_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("broken.tflite"), "TFL3").unwrap();
    litmus(&["index", "init", folder.path().to_str().unwrap()]).is(2, &["broken.tflite"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn the_schema_is_printed_as_json() {
    let outcome = litmus(&["sweep", "--schema"]);
    outcome.is(0, &[]);
    let schema: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(schema["title"], "SweepSpec");
}

#[test]
fn every_shipped_graph_set_and_sweep_is_valid() {
    for set in ["tiny-klein", "tiny-klein-fp32", "probes"] {
        let set = GraphSet::load(&Path::new("references").join(set).join("index.json")).unwrap();
        for entry in set.index.graphs.values() {
            assert_eq!(
                sha256_bytes(&fs::read(set.path(&entry.file)).unwrap()),
                entry.sha256,
                "{}",
                entry.file.display()
            );
        }
    }
    for entry in fs::read_dir("sweeps").unwrap() {
        let path = entry.unwrap().path();
        if !path.to_str().unwrap().ends_with(".baseline.toml") {
            litmus(&["sweep", path.to_str().unwrap(), "--dry-run"]).is(0, &["litert-2.3.0"]);
        }
    }
}

#[test]
fn a_filtered_run_does_not_call_baseline_entries_stale() {
    let bench = Bench::new();
    fs::write(
        bench.path("b.toml"),
        "[[expect]]\ncell = \"gone/*\"\nstatus = [\"failed\"]\nreason = \"r\"\n",
    )
    .unwrap();
    let text = fs::read_to_string(bench.path("one.toml")).unwrap();
    fs::write(bench.path("one.toml"), format!("baseline = \"b.toml\"\n{text}")).unwrap();
    bench.sweep().is(0, &["matches no cell"]);
    let filtered = bench.sweep_with(&["--filter", "kc_final"]);
    filtered.is(0, &[]);
    assert!(!filtered.stdout.contains("matches no cell"), "{}", filtered.stdout);
}

#[test]
fn a_run_is_resumed_from_any_folder() {
    let bench = Bench::new();
    let here = Command::new(cargo_bin("litmus"))
        .args(["sweep", "one.toml", "--out", "reports"])
        .current_dir(bench.folder.path())
        .output()
        .unwrap();
    assert!(here.status.success());
    let run = only_run(bench.path("reports"));
    let elsewhere = Command::new(cargo_bin("litmus"))
        .args(["sweep", "--resume", run.to_str().unwrap()])
        .current_dir("/")
        .output()
        .unwrap();
    assert!(
        elsewhere.status.success(),
        "{}",
        String::from_utf8_lossy(&elsewhere.stderr)
    );
}

#[test]
fn bench_of_an_accelerator_that_is_not_there_measures_nothing_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("reports");
    let graph = "references/tiny-klein/graphs/kc_final.tflite";
    let without_driver = Command::new(cargo_bin("litmus"))
        .args(["bench", graph, "--accelerator", "gpu", "--out", out.to_str().unwrap()])
        .env("VK_DRIVER_FILES", "/nowhere/icd.json")
        .output()
        .unwrap();
    assert_eq!(without_driver.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&without_driver.stderr).contains("Vulkan driver"));
    assert!(
        fs::read_dir(&out).is_ok_and(|mut entries| entries.next().is_none()),
        "no run folder is left"
    );
    litmus(&["bench", "references", "--out", out.to_str().unwrap()]).is(2, &["folder", "litmus index init"]);
    litmus(&["bench", graph, "--agent", "nowhere", "--out", out.to_str().unwrap()]).is(2, &["no program nowhere"]);
}

#[test]
fn every_subcommand_has_help_with_what_it_takes() {
    for command in [
        "sweep",
        "bench",
        "show",
        "annul",
        "index",
        "runtime",
        "doctor",
        "completions",
    ] {
        litmus(&[command, "--help"]).is(0, &["Usage: litmus", command]);
    }
}

#[test]
fn a_run_is_scored_again_from_its_tensors_and_its_journal_stays() {
    let bench = Bench::new();
    bench.write_sweep("");
    let text = fs::read_to_string(bench.path("one.toml")).unwrap();
    fs::write(bench.path("one.toml"), format!("keep = \"all\"\n{text}")).unwrap();
    bench.sweep().is(0, &["pass"]);
    let run = only_run(bench.path("reports"));
    let journal = fs::read(run.join("journal.jsonl")).unwrap();
    let report = fs::read(run.join("report.json")).unwrap();
    let run_text = run.to_str().unwrap();
    litmus(&["rescore", run_text, "--thresholds", "psnr=90"]).is(1, &["1 inaccurate", "rescored.md"]);
    let rescored: Report = serde_json::from_slice(&fs::read(run.join("rescored.json")).unwrap()).unwrap();
    assert_eq!(rescored.rows[0].status, Status::Inaccurate);
    assert_eq!(rescored.run.rescored.as_deref(), Some("psnr=90"));
    litmus(&["rescore", run_text]).is(0, &["1 of 1 attempts scored again under the thresholds of the sweep"]);
    assert_eq!(fs::read(run.join("journal.jsonl")).unwrap(), journal);
    assert_eq!(fs::read(run.join("report.json")).unwrap(), report);
    // A tensor that is not the one the attempt wrote judges nothing.
    let tensor = run.join("attempts/0001/out0.bin");
    fs::write(&tensor, "spoilt").unwrap();
    litmus(&["rescore", run_text]).is(2, &["is not what it was"]);
    fs::remove_file(&tensor).unwrap();
    litmus(&["rescore", run_text]).is(2, &["kept no tensors"]);
    litmus(&["rescore", run_text, "--thresholds", "fast"]).is(2, &["write bounds like"]);
}

#[test]
fn what_passes_the_limit_of_a_run_is_not_kept_and_that_is_said() {
    let bench = Bench::new();
    let text = fs::read_to_string(bench.path("one.toml")).unwrap();
    fs::write(
        bench.path("one.toml"),
        format!("keep = \"all\"\nkeep_limit_mb = 0\n{text}"),
    )
    .unwrap();
    bench.sweep().is(0, &["was not kept", "keep_limit_mb"]);
    let run = only_run(bench.path("reports"));
    assert!(
        fs::read_dir(run.join("attempts/0001"))
            .unwrap()
            .all(|entry| entry.unwrap().file_name() == "stderr.txt")
    );
}
