//! `litmus sweep`

use std::{path::PathBuf, process::ExitCode};

use clap::Args;

use super::{
    Failure,
    launch::{LaunchArgs, install, install_companions, launch, require},
    output,
};
use crate::{
    attempt::{Plan, Run, Selection},
    store::HashCache,
    sweep::{Shard, SweepFile, schema},
    target::Target,
};

/// Run the cells of a sweep file and report them
///
/// Every graph x case x accelerator x runtime is a cell. Each is measured in processes of its own, scored against its
/// references and journalled, so that a run that is interrupted or killed goes on with --resume where it stopped.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  litmus sweep sweeps/tiny-klein.toml
  litmus sweep sweeps/tiny-klein.toml --filter kv_vae --runtime litert-2.1.4
  litmus sweep sweeps/tiny-klein.toml --dry-run
  litmus sweep --resume reports/tiny-klein-20261130T140506Z")]
pub struct SweepArgs {
    /// The sweep file (format: docs/sweep-file.md)
    #[arg(value_name = "FILE", required_unless_present_any = ["resume", "schema"])]
    file: Option<PathBuf>,

    /// Only cells whose key holds this text, or matches this glob
    #[arg(long, value_name = "GLOB")]
    filter: Option<String>,

    /// Only the i-th of n parts of the cells, like 2/4
    #[arg(long, value_name = "i/n")]
    shard: Option<Shard>,

    /// List the cells and run nothing
    #[arg(long)]
    dry_run: bool,

    /// Go on with a run that was interrupted or killed
    #[arg(long, value_name = "RUN", conflicts_with_all = ["file", "filter", "shard", "dry_run", "schema", "runtime"])]
    resume: Option<PathBuf>,

    /// Print the JSON Schema of a sweep file
    #[arg(long, conflicts_with_all = ["file", "filter", "shard", "dry_run", "runtime"])]
    schema: bool,

    #[command(flatten)]
    launch: LaunchArgs,

    /// Folder that run folders are made in
    #[arg(long, value_name = "DIR", default_value = "reports")]
    out: PathBuf,
}

/// Runs the subcommand.
pub fn run(args: SweepArgs) -> Result<ExitCode, Failure> {
    if args.schema {
        return output::print(&schema());
    }
    let target = args.launch.target()?;
    let hashes = HashCache::of_user();
    if let Some(path) = &args.resume {
        return launch(&Run::resume(path, &hashes)?, &target, &hashes);
    }
    let sweep = SweepFile::read(&args.file.unwrap_or_default()).map_err(|error| Failure::usage(&error))?;
    let runtimes = args.launch.runtimes(&sweep.spec.runtimes)?;
    let ids: Vec<String> = runtimes.iter().map(|runtime| runtime.id().to_owned()).collect();
    let selection = Selection {
        filter: args.filter,
        shard: args.shard,
    };
    let plan = Plan::new(sweep, selection, &target.info().id, &ids)?;
    if args.dry_run {
        return output::print(
            &plan
                .cells
                .iter()
                .map(|cell| format!("{}\n", cell.planned.key))
                .collect::<String>(),
        );
    }
    // Only now, when the plan is known to make sense, is anything downloaded.
    let runtimes = install(runtimes)?;
    install_companions(plan.cells.iter().map(|cell| cell.planned.accelerator), &runtimes);
    require(&plan, &target, &runtimes)?;
    launch(
        &Run::create(plan, &args.out, &runtimes, &target, &hashes)?,
        &target,
        &hashes,
    )
}
