//! Do GPU and NPU really run, and is every way in which they do not said? The real runtime on SwiftShader and on OpenVINO's CPU
//! device, which scripts/test fetches; without them these tests fail.

#[path = "support/tflite_builder.rs"]
#[allow(dead_code)]
mod tflite_builder;
#[path = "support/tflite_graphs.rs"]
#[allow(dead_code)]
mod tflite_graphs;

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use assert_cmd::cargo::cargo_bin;
use litmus::{
    agent::Stage,
    install::{DEFAULT_RUNTIME, find},
    report::{Expectation, Report, Row, Status},
    store::cache_dir,
};
use tempfile::TempDir;

const SWIFTSHADER: &str = "kind = \"gpu\"\noptions.vulkan.icd = \"swiftshader\"";

/// The folder of SwiftShader's manifest, its library and a Vulkan loader.
fn swiftshader() -> PathBuf {
    let folder = cache_dir().unwrap().join("software-gpu/swiftshader");
    assert!(
        folder.join("icd.json").is_file(),
        "no SwiftShader in {}: run scripts/software-gpu.sh",
        folder.display()
    );
    folder
}

/// A sweep, and what came of it.
struct Sweep {
    folder: TempDir,
    text: String,
}

impl Sweep {
    /// Of some graphs of a set in references/, on some accelerators, five timed runs each.
    fn new(set: &str, include: &str, accelerators: &[&str]) -> Sweep {
        let index = std::path::absolute(format!("references/{set}/index.json")).unwrap();
        let mut text = format!(
            "name = \"s\"\nbaseline = \"baseline.toml\"\n[graphs]\nindex = {index:?}\ninclude = [{include}]\n[protocol]\nwarmups = 1\nruns = 5\n"
        );
        for accelerator in accelerators {
            text.push_str(&format!("[[accelerator]]\n{accelerator}\n"));
        }
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("baseline.toml"), "").unwrap();
        Sweep { folder, text }
    }

    fn baseline(self, text: &str) -> Self {
        fs::write(self.folder.path().join("baseline.toml"), text).unwrap();
        self
    }

    fn run(&self, exit_code: i32) -> Report {
        self.run_with(&[], &[], exit_code)
    }

    fn run_with(&self, arguments: &[&str], environment: &[(&str, &Path)], exit_code: i32) -> Report {
        let file = self.folder.path().join("s.toml");
        fs::write(&file, &self.text).unwrap();
        let mut all = vec!["sweep", file.to_str().unwrap()];
        all.extend(arguments);
        let (output, report) = litmus(&all, environment);
        assert_eq!(output.status.code(), Some(exit_code), "{}", shown(&output));
        report.unwrap_or_else(|| panic!("no report: {}", shown(&output)))
    }
}

/// Runs litmus; what it said, and the report of the run it made.
fn litmus(arguments: &[&str], environment: &[(&str, &Path)]) -> (Output, Option<Report>) {
    let out = tempfile::tempdir().unwrap();
    let output = Command::new(cargo_bin("litmus"))
        .args(arguments)
        .args(["--out", out.path().to_str().unwrap()])
        .envs(environment.iter().copied())
        .output()
        .unwrap();
    let run = fs::read_dir(out.path()).unwrap().next();
    let report = run.map(|run| serde_json::from_slice(&fs::read(run.unwrap().path().join("report.json")).unwrap()));
    (output, report.transpose().unwrap())
}

fn shown(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// Measures a generated graph on an accelerator; the GPU is SwiftShader.
fn bench(graph: &str, accelerator: &str) -> Row {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(format!("{graph}.tflite"));
    fs::write(&file, tflite_graphs::by_name(graph).unwrap().build()).unwrap();
    let gpu = swiftshader();
    let icd = gpu.join("icd.json");
    let arguments = [
        "bench",
        file.to_str().unwrap(),
        "--accelerator",
        accelerator,
        "--runs",
        "5",
    ];
    let environment: [(&str, &Path); 2] = [("VK_DRIVER_FILES", &icd), ("LD_LIBRARY_PATH", &gpu)];
    let (output, report) = litmus(&arguments, &environment);
    let mut report = report.unwrap_or_else(|| panic!("no report: {}", shown(&output)));
    report.rows.remove(0)
}

fn message(row: &Row) -> &str {
    row.message.as_deref().unwrap_or_default()
}

#[test]
fn every_accelerator_runs_the_graph_and_its_provider_is_proven() {
    swiftshader();
    let accelerators = ["kind = \"cpu\"", SWIFTSHADER, "kind = \"npu\""];
    let report = Sweep::new("tiny-klein", "\"kc_prep\", \"ke_enc0\"", &accelerators).run(0);
    assert_eq!(report.rows.len(), 9);
    for row in &report.rows {
        assert_eq!(row.status, Status::Pass, "{}: {}", row.key, message(row));
        let placement = row.placement.as_ref().unwrap();
        let ran = (row.provider.as_deref().unwrap(), placement.buffer.as_deref().unwrap());
        let proven = [
            ("xnnpack", "host"),
            ("webgpu/swiftshader", "webgpu"),
            ("openvino/cpu", "dispatch"),
        ];
        assert_eq!(ran, proven[row.accelerator as usize], "{}", row.key);
        assert_eq!(placement.fully_accelerated, Some(true), "{}", row.key);
        assert!(row.latency_ms.unwrap().median > 0.0 && row.load_ms.first_compile.unwrap() > 0.0);
    }
    // The NPU's plugin counts ops; ke_enc0 has 158 (references/tiny-klein/README.md).
    let npu = report
        .rows
        .iter()
        .find(|row| row.graph == "ke_enc0" && row.provider.as_deref() == Some("openvino/cpu"));
    let placement = npu.unwrap().placement.as_ref().unwrap();
    assert_eq!((placement.ops_accelerated, placement.ops_total), (Some(158), Some(158)));
}

#[test]
fn a_graph_the_gpu_cannot_compile_quotes_the_cause_and_is_expected_by_provider() {
    swiftshader();
    let expected = |provider: &str| {
        let baseline = format!(
            "[[expect]]\ncell = \"kv_vae_enc/*/gpu/*\"\nprovider = \"{provider}\"\nstatus = [\"failed\"]\nreason = \"known\"\n"
        );
        Sweep::new("tiny-klein", "\"kv_vae_enc\"", &[SWIFTSHADER]).baseline(&baseline)
    };
    let report = expected("webgpu/swiftshader").run(0);
    let row = &report.rows[0];
    assert_eq!((row.status, row.stage), (Status::Failed, Some(Stage::Compile)));
    assert_eq!(row.expectation, Expectation::ExpectedFailure);
    assert_eq!(row.provider.as_deref(), Some("webgpu/swiftshader"));
    assert!(
        message(row).contains("Unable to parse bc coord for BATCH axis"),
        "{}",
        message(row)
    );
    assert!(row.latency_ms.is_none());
    // What is expected of one driver is not expected of another.
    assert_eq!(
        expected("webgpu/lavapipe").run(1).rows[0].expectation,
        Expectation::Finding
    );
}

#[test]
fn the_broadcast_fault_shows_on_the_runtime_that_has_it_and_not_on_the_one_that_has_not() {
    swiftshader();
    let graphs = "\"maskadd_direct_*\", \"enclayer_*_int8\"";
    let sweep = Sweep::new("probes", graphs, &[SWIFTSHADER]);
    let runtimes = ["--runtime", "litert-2.1.5", "--runtime", DEFAULT_RUNTIME];
    let report = sweep.run_with(&runtimes, &[], 1);
    assert_eq!(report.rows.len(), 8);
    for row in &report.rows {
        let is_faulty = row.runtime == "litert-2.1.5" && row.graph.contains("_bcast");
        let status = if is_faulty { Status::Inaccurate } else { Status::Pass };
        assert_eq!(row.status, status, "{}: {}", row.key, message(row));
        assert_eq!(row.provider.as_deref(), Some("webgpu/swiftshader"), "{}", row.key);
        assert_eq!(row.accuracy[0].nonfinite, 0, "{}", row.key);
    }
}

#[test]
fn half_precision_that_overflows_is_nonfinite_and_within_range_it_passes() {
    swiftshader();
    let fp16 = format!("{SWIFTSHADER}\nprecision = \"fp16\"");
    let graphs = "\"adaln_gated_*_fp32\"";
    let report = Sweep::new("probes", graphs, &[SWIFTSHADER, &fp16]).run(1);
    let statuses: Vec<_> = report
        .rows
        .iter()
        .map(|row| (row.graph.as_str(), row.precision.to_string(), row.status))
        .collect();
    let row = |graph, precision: &str, status| (graph, precision.to_owned(), status);
    assert_eq!(
        statuses,
        [
            row("adaln_gated_overflow_fp32", "fp32", Status::Pass),
            row("adaln_gated_overflow_fp32", "fp16", Status::Nonfinite),
            row("adaln_gated_safe_fp32", "fp32", Status::Pass),
            row("adaln_gated_safe_fp32", "fp16", Status::Pass),
        ]
    );
}

#[test]
fn an_op_the_accelerator_cannot_take_is_named_and_the_split_beside_the_cpu_is_told() {
    let row = bench("add-zeros-mul", "gpu");
    assert_eq!((row.status, row.code), (Status::Failed, Some(504)), "{}", message(&row));
    assert!(
        message(&row).contains("ZEROS_LIKE: Operation is not supported"),
        "{}",
        message(&row)
    );
    assert_eq!(row.provider.as_deref(), Some("webgpu/swiftshader"));
    let placement = row.placement.as_ref().unwrap();
    assert_eq!((placement.split_accelerated, placement.split_total), (Some(1), Some(3)));
    assert!(row.latency_ms.is_none(), "nothing of the CPU is timed as the GPU's");

    let row = bench("add-zeros-mul", "npu");
    assert_eq!((row.status, row.code), (Status::Failed, Some(504)), "{}", message(&row));
    assert_eq!(row.provider.as_deref(), Some("openvino/cpu"));
    let placement = row.placement.as_ref().unwrap();
    assert_eq!((placement.split_accelerated, placement.split_total), (Some(2), Some(3)));
}

#[test]
fn quantised_inputs_stay_in_host_memory_and_the_gpu_still_counts_as_what_ran() {
    let row = bench("reshape-int8", "gpu");
    assert_eq!(row.status, Status::Unscored, "{}", message(&row));
    assert_eq!(row.provider.as_deref(), Some("webgpu/swiftshader"));
    assert_eq!(row.placement.unwrap().buffer.as_deref(), Some("host"));
}

#[test]
fn a_driver_whose_library_is_gone_is_unavailable_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let icd = folder.path().join("icd.json");
    fs::write(&icd, r#"{"ICD": {"library_path": "./libgone.so"}}"#).unwrap();
    let accelerator = format!("kind = \"gpu\"\noptions.vulkan.icd = {icd:?}");
    let report = Sweep::new("tiny-klein", "\"kc_prep\"", &["kind = \"cpu\"", &accelerator]).run(0);
    assert_eq!(report.rows[0].status, Status::Pass);
    let row = &report.rows[1];
    assert_eq!((row.status, &row.provider), (Status::Unavailable, &None));
    assert!(message(row).contains("libgone.so"), "{}", message(row));
}

#[test]
fn a_runtime_without_its_gpu_library_is_unavailable_for_the_gpu_alone() {
    swiftshader();
    let bare = tempfile::tempdir().unwrap();
    let runtime = find(DEFAULT_RUNTIME).unwrap();
    symlink(runtime.library(), bare.path().join("libLiteRt.so")).unwrap();
    let sweep = Sweep::new("tiny-klein", "\"kc_prep\"", &["kind = \"cpu\"", SWIFTSHADER]);
    let report = sweep.run_with(&["--runtime", bare.path().to_str().unwrap()], &[], 0);
    assert_eq!(report.rows[0].status, Status::Pass, "{}", message(&report.rows[0]));
    let row = &report.rows[1];
    assert_eq!((row.status, &row.provider), (Status::Unavailable, &None));
    assert!(
        message(row).contains("libLiteRtWebGpuAccelerator.so"),
        "{}",
        message(row)
    );
}

#[test]
fn an_openvino_of_another_version_does_not_serve_and_the_right_one_is_named() {
    // A cache without companions that cannot fetch any, and an OpenVINO of another release where the loader looks.
    let runtime = find(DEFAULT_RUNTIME).unwrap();
    let (empty, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    symlink(runtime.library(), other.path().join("libopenvino.so.2630")).unwrap();
    let sweep = Sweep::new("tiny-klein", "\"kc_prep\"", &["kind = \"cpu\"", "kind = \"npu\""]);
    let environment: [(&str, &Path); 4] = [
        ("LITMUS_CACHE", empty.path()),
        ("LD_LIBRARY_PATH", other.path()),
        ("PIP_NO_INDEX", Path::new("1")),
        ("PIP_FIND_LINKS", empty.path()),
    ];
    let report = sweep.run_with(&["--runtime", runtime.dir.to_str().unwrap()], &environment, 0);
    assert_eq!(report.rows[0].status, Status::Pass, "{}", message(&report.rows[0]));
    let row = &report.rows[1];
    assert_eq!((row.status, &row.provider), (Status::Unavailable, &None));
    assert!(message(row).contains("libopenvino.so.2631"), "{}", message(row));
    assert!(
        message(row).contains("litmus runtime install openvino-2026.3.1"),
        "{}",
        message(row)
    );
}
