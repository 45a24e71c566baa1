//! `litmus bench`

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::ExitCode,
    time::SystemTime,
};

use clap::Args;

use super::{
    Failure,
    launch::{self, LaunchArgs, launch},
};
use crate::{
    agent::{Accelerator, CompileMode, Precision},
    attempt::{DraftRun, Plan, Run, Selection},
    graphset::{GraphEntry, INDEX_FORMAT, Index, InputRecipe, describe, undescribed},
    install,
    store::HashCache,
    sweep::{
        AcceleratorSpec, AccuracySpec, DEFAULT_KEEP_LIMIT_MB, GraphsSpec, KeepOutputs, ProtocolSpec, SweepFile,
        SweepSpec, ThermalSpec,
    },
    target::Target,
};

/// Measure single .tflite files at once, with seeded inputs and no references
///
/// The same as a sweep over these files: a run folder, a journal, a report. Outputs are checked for NaN and infinity.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  litmus bench model.tflite
  litmus bench a.tflite b.tflite --threads 4 --runs 100 --processes 5")]
pub struct BenchArgs {
    /// Graphs to measure
    #[arg(value_name = "MODEL", required = true)]
    models: Vec<PathBuf>,

    /// Accelerator: cpu, gpu or npu
    #[arg(long, value_name = "KIND", default_value = "cpu", value_parser = parse_lowercase::<Accelerator>)]
    accelerator: Accelerator,

    /// Precision: fp32 or fp16
    #[arg(long, value_name = "PRECISION", default_value = "fp32", value_parser = parse_lowercase::<Precision>)]
    precision: Precision,

    /// CPU threads; the runtime's default when absent
    #[arg(long, value_name = "N")]
    threads: Option<u32>,

    /// Untimed runs after the first one
    #[arg(long, value_name = "N", default_value_t = 5)]
    warmups: u32,

    /// Timed runs in each process
    #[arg(long, value_name = "N", default_value_t = 50)]
    runs: u32,

    /// Fresh processes per graph and signature
    #[arg(long, value_name = "N", default_value_t = 1)]
    processes: u32,

    /// What a dimension that a graph leaves open becomes
    #[arg(long, value_name = "N", default_value_t = 1)]
    dynamic: u32,

    /// Seed of the inputs
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    launch: LaunchArgs,

    /// Folder that run folders are made in
    #[arg(long, value_name = "DIR", default_value = "reports")]
    out: PathBuf,
}

/// Runs the subcommand.
pub fn run(args: BenchArgs) -> Result<ExitCode, Failure> {
    let target = args.launch.target()?;
    let spec = args.spec();
    let text = toml::to_string(&spec).map_err(|error| Failure::usage(&error))?;
    // Checked before a folder is made.
    let here = Path::new("of these arguments");
    SweepFile::parse(here, text.clone(), PathBuf::new()).map_err(|error| Failure::usage(&error))?;
    let graphs = args.named_models()?;
    let runtimes = args.launch.runtimes(&[install::DEFAULT_RUNTIME.to_owned()])?;
    let runtimes = launch::install(runtimes)?;
    launch::install_companions([args.accelerator].into_iter(), &runtimes);
    let ids: Vec<String> = runtimes.iter().map(|runtime| runtime.id.clone()).collect();

    let started = SystemTime::now();
    let draft = DraftRun::create(&args.out, &spec.name, started)?;
    let folder = draft.folder();
    let index = args.index(&graphs, folder.path())?;
    let index = serde_json::to_vec_pretty(&index).map_err(|error| Failure::usage(&error))?;
    folder.write("index.json", &index)?;
    let sweep = SweepFile::parse(here, text, folder.path().to_owned()).map_err(|error| Failure::usage(&error))?;
    let plan = Plan::new(sweep, Selection::default(), &target.info().id, &ids)?;
    launch::require(&plan, &target, &runtimes)?;
    let hashes = HashCache::of_user();
    launch(
        &Run::create_in(draft, plan, started, &runtimes, &target, &hashes)?,
        &target,
        &hashes,
    )
}

impl BenchArgs {
    fn spec(&self) -> SweepSpec {
        SweepSpec {
            name: "bench".to_owned(),
            graphs: GraphsSpec {
                index: "index.json".into(),
                include: vec![],
                exclude: vec![],
                cases: vec![],
            },
            runtimes: vec![install::DEFAULT_RUNTIME.to_owned()],
            accelerators: vec![AcceleratorSpec {
                kind: self.accelerator,
                precision: self.precision,
                compile: CompileMode::Jit,
                threads: self.threads,
                options: BTreeMap::new(),
            }],
            protocol: ProtocolSpec {
                warmups: self.warmups,
                runs: self.runs,
                processes: self.processes,
                ..ProtocolSpec::default()
            },
            thermal: ThermalSpec::default(),
            accuracy: AccuracySpec::default(),
            // Somebody who names an accelerator wants figures of it, not a row that says it is not there.
            require: vec![self.accelerator],
            baseline: None,
            keep: KeepOutputs::default(),
            keep_limit_mb: DEFAULT_KEEP_LIMIT_MB,
        }
    }

    /// Graphs by name: the file's stem, numbered where two files share it.
    fn named_models(&self) -> Result<BTreeMap<String, PathBuf>, Failure> {
        let mut named = BTreeMap::new();
        for model in &self.models {
            let usage = |problem: &str| Failure {
                exit_code: super::failure::USAGE,
                message: format!("cannot measure {}: {problem}", model.display()),
            };
            if model.is_dir() {
                return Err(usage("it is a folder; `litmus index init` describes one for a sweep"));
            }
            if !model.is_file() {
                return Err(usage("there is no such file"));
            }
            let model = std::path::absolute(model).map_err(|error| Failure::usage(&error))?;
            if model.to_str().is_none() {
                return Err(usage("its path is not UTF-8; rename it"));
            }
            let stem = model
                .file_stem()
                .map(|stem| stem.to_string_lossy().into_owned())
                .unwrap_or_default();
            let mut name = stem.clone();
            for n in 2.. {
                if !named.contains_key(&name) {
                    break;
                }
                name = format!("{stem}-{n}");
            }
            named.insert(name, model);
        }
        Ok(named)
    }

    /// Describes the graphs. One that cannot be read or fed still gets its cell, which then says why.
    fn index(&self, graphs: &BTreeMap<String, PathBuf>, root: &Path) -> Result<Index, Failure> {
        let recipe = InputRecipe {
            seed: self.seed,
            dynamic: self.dynamic,
        };
        let entries: Result<BTreeMap<String, GraphEntry>, Failure> = graphs
            .iter()
            .enumerate()
            .map(|(i, (name, model))| {
                let inputs = Path::new("inputs").join(i.to_string());
                let entry = describe(model, model.clone(), recipe, root, &inputs)
                    .or_else(|_| undescribed(model, model.clone()))
                    .map_err(|error| Failure::not_ready(&error))?;
                Ok((name.clone(), entry))
            })
            .collect();
        Ok(Index {
            format: INDEX_FORMAT,
            root: ".".into(),
            reference: None,
            graphs: entries?,
        })
    }
}

/// Parses a word the way files spell it, so that there is one list of accepted words.
fn parse_lowercase<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_value(serde_json::Value::String(text.to_owned())).map_err(|error| error.to_string())
}
