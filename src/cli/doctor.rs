//! `litmus doctor`: what can this machine run, what is missing, and what to do about it?

use std::{
    collections::BTreeMap,
    env,
    fmt::{self, Display, Formatter},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;
use indicatif::DecimalBytes;
use serde::Serialize;
use sysinfo::{DiskRefreshKind, Disks};

use super::output::say;
use crate::{
    agent::Accelerator,
    attempt::{HostState, read_host_state},
    install::{self, DEFAULT_RUNTIME, InstallError, Readiness, Runtime, Wanted},
    report::TargetInfo,
    store::cache_dir,
    target::local_facts,
};

/// Say what this machine can run and what is missing.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Runtime to check for: an id or a folder that holds libLiteRt.so
    #[arg(long, default_value = DEFAULT_RUNTIME, value_name = "ID|DIR")]
    runtime: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Everything `doctor` says. Unknown is null.
#[derive(Debug, Serialize)]
struct Diagnosis {
    harness: String,
    machine: TargetInfo,
    host: HostState,
    cache: Cache,
    pip: Option<String>,
    adb: Option<PathBuf>,
    /// Ids of the runtimes that are installed and whole.
    runtimes: Vec<String>,
    checked_runtime: String,
    accelerators: BTreeMap<Accelerator, Readiness>,
}

#[derive(Debug, Serialize)]
struct Cache {
    dir: Option<PathBuf>,
    free_bytes: Option<u64>,
}

/// Prints the diagnosis: exit code 0 when graphs can run on the CPU at least, else 3.
///
/// # Errors
/// An unknown runtime id, or a folder that holds no runtime for this machine.
pub fn run(args: &DoctorArgs) -> Result<ExitCode, InstallError> {
    let diagnosis = diagnose(&args.runtime)?;
    say(&if args.json {
        serde_json::to_value(&diagnosis).map_or_else(|error| error.to_string(), |json| format!("{json:#}"))
    } else {
        diagnosis.to_string().trim_end().to_owned()
    });
    let is_ready = matches!(
        diagnosis.accelerators.get(&Accelerator::Cpu),
        Some(Readiness::Ready { .. })
    );
    Ok(if is_ready { ExitCode::SUCCESS } else { ExitCode::from(3) })
}

fn diagnose(runtime: &str) -> Result<Diagnosis, InstallError> {
    let pip = install::find_pip();
    let found = match install::NamedRuntime::parse(runtime).and_then(|named| named.find()) {
        Err(error @ (InstallError::NotInstalled { .. } | InstallError::Damaged { .. } | InstallError::NoCache(_))) => {
            Err(Readiness::Missing {
                what: match &error {
                    InstallError::NotInstalled { id } => format!("runtime {id}"),
                    other => other.to_string(),
                },
                next: match (&error, &pip) {
                    (InstallError::NoCache(_), _) => "export LITMUS_CACHE=DIR".to_owned(),
                    (_, Some(_)) => format!("litmus runtime install {runtime}"),
                    (_, None) => InstallError::NoPip.to_string(),
                },
            })
        }
        found => Ok(found?),
    };
    let state = |accelerator| match &found {
        Ok(runtime) => install::readiness(runtime, &Wanted::any(accelerator)),
        Err(missing) => missing.clone(),
    };
    let dir = cache_dir().ok();
    Ok(Diagnosis {
        harness: concat!("litmus ", env!("CARGO_PKG_VERSION")).to_owned(),
        machine: local_facts(),
        host: read_host_state(),
        cache: Cache {
            free_bytes: dir.as_deref().and_then(free_bytes),
            dir,
        },
        pip: pip.map(|pip| format!("{} {}", pip.command_line(), pip.version)),
        adb: find_program("adb"),
        runtimes: install::installed()
            .into_iter()
            .map(|runtime: Runtime| runtime.id)
            .collect(),
        checked_runtime: found
            .as_ref()
            .map_or_else(|_| runtime.to_owned(), |runtime| runtime.id.clone()),
        accelerators: [Accelerator::Cpu, Accelerator::Gpu, Accelerator::Npu]
            .into_iter()
            .map(|accelerator| (accelerator, state(accelerator)))
            .collect(),
    })
}

/// Free bytes of the disk that holds `dir`, or that will when it is made.
fn free_bytes(dir: &Path) -> Option<u64> {
    let existing = dir.ancestors().find_map(|ancestor| ancestor.canonicalize().ok())?;
    let disks = Disks::new_with_refreshed_list_specifics(DiskRefreshKind::nothing().with_storage()).ok()?;
    disks
        .iter()
        .filter(|disk| existing.starts_with(disk.mount_point()))
        .max_by_key(|disk| disk.mount_point().components().count())
        .map(sysinfo::Disk::available_space)
}

/// The first file called `name` in the folders of `PATH`.
fn find_program(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?)
        .map(|dir| dir.join(name))
        .find(|path| path.is_file())
}

impl Display for Diagnosis {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let or_unknown = |text: &Option<String>| text.clone().unwrap_or_else(|| "unknown".to_owned());
        let number = |number: Option<u64>, unit: &str| {
            number.map_or_else(|| format!("unknown {unit}"), |number| format!("{number} {unit}"))
        };
        let bytes = |bytes: Option<u64>| bytes.map_or_else(|| "unknown".to_owned(), |b| DecimalBytes(b).to_string());
        let machine = &self.machine;
        writeln!(f, "{}", self.harness)?;
        writeln!(
            f,
            "machine    {}, {}, {} memory, {}",
            or_unknown(&machine.device),
            number(machine.cores.map(u64::from), "cores"),
            bytes(machine.memory_kb.and_then(|kb| kb.checked_mul(1024))),
            or_unknown(&machine.abi),
        )?;
        writeln!(f, "system     {}", or_unknown(&machine.os))?;
        writeln!(
            f,
            "timing     governor {}, load {}, {}",
            or_unknown(&self.host.governor),
            or_unknown(&self.host.load.map(|load| format!("{load:.2}"))),
            match self.host.quiet {
                Some(true) => "quiet",
                Some(false) => "not quiet: other programs are running, timings will spread",
                None => "quiet or not is unknown",
            },
        )?;
        let cache = self.cache.dir.as_ref().map(|dir| dir.display().to_string());
        writeln!(
            f,
            "cache      {}, {} free",
            or_unknown(&cache),
            bytes(self.cache.free_bytes)
        )?;
        writeln!(
            f,
            "pip        {}",
            self.pip.as_deref().unwrap_or("not found; needed to install runtimes")
        )?;
        let adb = self.adb.as_ref().map(|path| path.display().to_string());
        writeln!(
            f,
            "adb        {}",
            adb.as_deref()
                .unwrap_or("not found; not needed yet: this version reaches no Android devices")
        )?;
        let runtimes = if self.runtimes.is_empty() {
            "none".to_owned()
        } else {
            self.runtimes.join(", ")
        };
        writeln!(f, "runtimes   {runtimes}")?;
        writeln!(f, "\nwith {}:", self.checked_runtime)?;
        for (accelerator, readiness) in &self.accelerators {
            match readiness {
                Readiness::Ready { with, .. } => writeln!(f, "{accelerator:<10} ready: {with}")?,
                Readiness::Missing { what, .. } => writeln!(f, "{accelerator:<10} missing: {what}")?,
            }
        }
        let mut steps: Vec<&str> = self.accelerators.values().filter_map(Readiness::next).collect();
        steps.dedup();
        steps.iter().try_for_each(|step| writeln!(f, "next       {step}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnosis(accelerators: impl IntoIterator<Item = (Accelerator, Readiness)>) -> Diagnosis {
        Diagnosis {
            harness: "litmus 0.1.0".to_owned(),
            machine: TargetInfo::default(),
            host: HostState::default(),
            cache: Cache {
                dir: None,
                free_bytes: None,
            },
            pip: None,
            adb: None,
            runtimes: vec![],
            checked_runtime: "litert-2.3.0".to_owned(),
            accelerators: accelerators.into_iter().collect(),
        }
    }

    #[test]
    fn what_cannot_be_read_is_unknown_and_never_a_number() {
        let text = diagnosis([]).to_string();
        assert!(
            text.contains("machine    unknown, unknown cores, unknown memory, unknown"),
            "{text}"
        );
        assert!(
            text.contains("governor unknown, load unknown, quiet or not is unknown"),
            "{text}"
        );
    }

    #[test]
    fn one_thing_that_all_accelerators_miss_is_one_next_step() {
        let missing = Readiness::Missing {
            what: "runtime litert-2.3.0".to_owned(),
            next: "litmus runtime install litert-2.3.0".to_owned(),
        };
        let text =
            diagnosis([Accelerator::Cpu, Accelerator::Gpu, Accelerator::Npu].map(|a| (a, missing.clone()))).to_string();
        assert_eq!(text.matches("missing: runtime litert-2.3.0\n").count(), 3, "{text}");
        assert_eq!(
            text.matches("next       litmus runtime install litert-2.3.0\n").count(),
            1,
            "{text}"
        );
    }

    #[test]
    fn an_unknown_runtime_is_an_error_and_no_diagnosis() {
        assert!(matches!(diagnose("litert-9"), Err(InstallError::UnknownRuntime { .. })));
    }
}
