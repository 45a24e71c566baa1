//! `litmus index`

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, Subcommand};

use super::{
    Failure,
    failure::USAGE,
    launch::{self, LaunchArgs, stop_on_signal},
    output, progress,
};
use crate::{
    attempt::TwinRunner,
    graphset::{GraphEntry, INDEX_FORMAT, Index, InputRecipe, describe},
    install,
    store::HashCache,
};

/// Make the index of a graph set
#[derive(Debug, Args)]
pub struct IndexArgs {
    #[command(subcommand)]
    command: IndexCommand,
}

#[derive(Debug, Subcommand)]
enum IndexCommand {
    Init(InitArgs),
}

/// Write DIR/index.json for the .tflite files below DIR, with seeded inputs and, from twins, references
///
/// Inputs go to DIR/litmus-inputs, references to DIR/litmus-references; both are raw little-endian tensors (format: docs/index-file.md).
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  litmus index init graphs/
  litmus index init graphs-int8/ --twins graphs-fp32/")]
struct InitArgs {
    /// Folder with .tflite files
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Folder with a twin of each graph under the same relative path (the fp32 graph of an int8 one, say): its outputs on the
    /// CPU become the references
    #[arg(long, value_name = "DIR")]
    twins: Option<PathBuf>,

    /// What a dimension that a graph leaves open becomes
    #[arg(long, value_name = "N", default_value_t = 1)]
    dynamic: u32,

    /// Seed of the inputs
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Replace an index, inputs and references that are there
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    launch: LaunchArgs,
}

/// Folders that hold nothing but what `init` makes, so that --force can replace them whole.
const INPUTS: &str = "litmus-inputs";
const REFERENCES: &str = "litmus-references";

/// What `init` makes, in the order it is moved into place: the index last, so that it never names what is not there.
const MADE: [&str; 3] = [INPUTS, REFERENCES, "index.json"];

/// Runs the subcommand.
pub fn run(args: IndexArgs) -> Result<ExitCode, Failure> {
    match args.command {
        IndexCommand::Init(args) => init(&args),
    }
}

fn init(args: &InitArgs) -> Result<ExitCode, Failure> {
    let usage = |message: String| Failure {
        exit_code: USAGE,
        message,
    };
    let folder = fs::canonicalize(&args.folder)
        .map_err(|error| usage(format!("cannot read the folder {}: {error}", args.folder.display())))?;
    if let Some(there) = MADE
        .iter()
        .map(|name| folder.join(name))
        .find(|path| path.exists() && !args.force)
    {
        return Err(usage(format!(
            "{} is there already; --force replaces it",
            there.display()
        )));
    }
    if !folder.is_dir() {
        return Err(usage(format!(
            "{} is a file; name the folder it is in",
            args.folder.display()
        )));
    }
    let models = models_below(&folder)?;
    if models.is_empty() {
        return Err(usage(format!("there is no .tflite file below {}", folder.display())));
    }
    // Everything is made beside its place and moved there when it is whole; the folder goes away with this value.
    let work = tempfile::Builder::new()
        .prefix(".litmus-index-")
        .tempdir_in(&folder)
        .map_err(|e| Failure::not_ready(&e))?;
    let recipe = InputRecipe {
        seed: args.seed,
        dynamic: args.dynamic,
    };
    let mut graphs: BTreeMap<String, GraphEntry> = BTreeMap::new();
    for file in &models {
        let name = file
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
            .unwrap_or_default();
        if graphs.contains_key(&name) {
            return Err(usage(format!(
                "two files below {} are called {name}.tflite; rename one",
                folder.display()
            )));
        }
        let inputs = Path::new(INPUTS).join(&name);
        let entry = describe(&folder.join(file), file.clone(), recipe, work.path(), &inputs)
            .map_err(|error| Failure::usage(&error))?;
        graphs.insert(name, entry);
    }
    let mut index = Index {
        format: INDEX_FORMAT,
        root: ".".into(),
        reference: None,
        graphs,
    };
    if let Some(twins) = &args.twins {
        add_references(&mut index, twins, work.path(), &args.launch)?;
        index.reference = Some("twin graph on cpu".to_owned());
    }
    let text = serde_json::to_string_pretty(&index).map_err(|error| Failure::usage(&error))?;
    fs::write(work.path().join("index.json"), text + "\n").map_err(|error| Failure::not_ready(&error))?;
    for name in MADE {
        put_in_place(&work.path().join(name), &folder.join(name)).map_err(|error| Failure::not_ready(&error))?;
    }
    let cases: usize = index.graphs.values().map(|entry| entry.cases.len()).sum();
    output::print(&format!(
        "{}: {} graphs, {cases} cases, {}\n",
        folder.join("index.json").display(),
        index.graphs.len(),
        index
            .reference
            .as_deref()
            .map_or("no references".to_owned(), |kind| format!("references: {kind}")),
    ))
}

/// The .tflite files below a folder, relative to it and sorted; hidden folders are passed over.
fn models_below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut models = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(relative) = folders.pop() {
        let entries = fs::read_dir(folder.join(&relative)).map_err(|error| Failure::not_ready(&error))?;
        for entry in entries {
            let entry = entry.map_err(|error| Failure::not_ready(&error))?;
            let path = relative.join(entry.file_name());
            let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
                if path.extension().is_some_and(|extension| extension == "tflite") {
                    let message = format!("the name of {} is not UTF-8; rename it", path.display());
                    return Err(Failure {
                        exit_code: USAGE,
                        message,
                    });
                }
                continue;
            };
            let is_folder = entry.file_type().map_err(|error| Failure::not_ready(&error))?.is_dir();
            if is_folder && !name.starts_with('.') {
                folders.push(path);
            } else if !is_folder && name.ends_with(".tflite") {
                models.push(path);
            }
        }
    }
    models.sort();
    Ok(models)
}

fn add_references(index: &mut Index, twins: &Path, work: &Path, arguments: &LaunchArgs) -> Result<(), Failure> {
    let mut twin_index = index.clone();
    let twins = std::path::absolute(twins).map_err(|error| Failure::usage(&error))?;
    for entry in twin_index.graphs.values_mut() {
        let file = twins.join(&entry.file);
        let missing = |error: io::Error| Failure {
            exit_code: USAGE,
            message: format!("there is no twin {}: {error}", file.display()),
        };
        entry.sha256 = crate::store::sha256_file(&file).map_err(missing)?;
        entry.bytes = fs::metadata(&file).map_err(missing)?.len();
        entry.file = file;
    }
    let target = arguments.target()?;
    let named = arguments.runtimes(&[install::DEFAULT_RUNTIME.to_owned()])?;
    let Some(runtime) = launch::install(named)?.into_iter().next() else {
        return Ok(());
    };
    let hashes = HashCache::of_user();
    let mut observer = progress::counter("references");
    let mut runner = TwinRunner {
        target: &target,
        runtime,
        hashes: &hashes,
        observer: observer.as_mut(),
        interrupted: &stop_on_signal(),
    };
    let references = runner.references(&twin_index, work, work, REFERENCES)?;
    for ((graph, case), tensors) in references {
        if let Some(case) = index
            .graphs
            .get_mut(&graph)
            .and_then(|entry| entry.cases.get_mut(&case))
        {
            case.outputs = tensors;
        }
    }
    Ok(())
}

fn put_in_place(from: &Path, to: &Path) -> io::Result<()> {
    if !from.exists() {
        return Ok(());
    }
    if to.is_dir() {
        fs::remove_dir_all(to)?;
    }
    fs::rename(from, to)
}
