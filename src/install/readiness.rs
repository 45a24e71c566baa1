//! Can this machine run graphs on an accelerator, and if not, what is missing?

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

use serde::Serialize;

use super::{
    Runtime, Surroundings,
    libraries::{find_library, library_dirs},
    openvino, software_gpu, vulkan,
};
use crate::agent::{Accelerator, EnvironmentPaths};

/// What a look at the files says. Only a run proves that a driver works.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Readiness {
    Ready {
        /// What it would run on, as far as files tell.
        with: String,
        /// What the process that opens the runtime needs.
        #[serde(flatten)]
        needs: Surroundings,
    },
    Missing {
        what: String,
        /// What to do: a command where there is one.
        next: String,
    },
}

impl Readiness {
    /// What to do; none when nothing is missing.
    pub fn next(&self) -> Option<&str> {
        match self {
            Readiness::Ready { .. } => None,
            Readiness::Missing { next, .. } => Some(next),
        }
    }
}

/// What is wanted of a machine.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wanted {
    pub accelerator: Accelerator,
    /// Manifest of the Vulkan driver to use; none takes the system's.
    pub vulkan_icd: Option<PathBuf>,
}

impl Wanted {
    /// The accelerator with whatever driver the machine has.
    pub fn any(accelerator: Accelerator) -> Wanted {
        Wanted {
            accelerator,
            vulkan_icd: None,
        }
    }
}

/// Whether `runtime` has what it needs on this machine. Looks at files, opens none of the libraries.
pub fn readiness(runtime: &Runtime, wanted: &Wanted) -> Readiness {
    match wanted.accelerator {
        Accelerator::Cpu => ready("xnnpack".to_owned(), Surroundings::default()),
        Accelerator::Gpu => gpu(runtime, wanted.vulkan_icd.as_deref()),
        Accelerator::Npu => npu(runtime),
    }
}

fn gpu(runtime: &Runtime, icd: Option<&Path>) -> Readiness {
    if runtime.web_gpu().is_none() {
        return missing(
            format!("{} has no libLiteRtWebGpuAccelerator.so", runtime.id),
            "choose a runtime that has it: litmus runtime list",
        );
    }
    let dirs = library_dirs();
    let variable = |name: &str| env::var_os(name);
    match (icd, system_drivers(&variable, &dirs)) {
        (Some(icd), _) => named_driver(icd, &dirs),
        (None, ready @ Readiness::Ready { .. }) => ready,
        (None, missing) if vulkan::is_chosen(&variable) => missing,
        (None, missing) => software_gpu::installed().map_or(missing, |icd| named_driver(&icd, &dirs)),
    }
}

/// What the loader finds by itself.
fn system_drivers(variable: &dyn Fn(&str) -> Option<OsString>, dirs: &[PathBuf]) -> Readiness {
    let drivers = vulkan::drivers(variable, dirs);
    if drivers.is_empty() {
        return missing(
            "a Vulkan driver: no ICD manifest with a library for this machine".to_owned(),
            &format!(
                "install the Vulkan driver of your GPU (Debian, Ubuntu: apt install libvulkan1 mesa-vulkan-drivers), name its \
                 ICD manifest in VK_DRIVER_FILES, or fetch a software GPU: {}",
                software_gpu::SCRIPT
            ),
        );
    }
    if find_library(vulkan::LOADER, dirs).is_none() {
        return missing(
            format!("the Vulkan loader, {}", vulkan::LOADER),
            "install the Vulkan loader (Debian, Ubuntu: apt install libvulkan1)",
        );
    }
    let names: Vec<_> = drivers
        .iter()
        .filter_map(|path| path.file_stem())
        .map(|name| name.to_string_lossy())
        .collect();
    ready(format!("vulkan driver {}", names.join(", ")), Surroundings::default())
}

/// One driver alone. Its libraries, and the loader where the system has none, may stand beside its manifest.
fn named_driver(icd: &Path, dirs: &[PathBuf]) -> Readiness {
    let folder = icd.parent().unwrap_or(icd).to_owned();
    let with_folder: Vec<PathBuf> = dirs.iter().cloned().chain([folder.clone()]).collect();
    let get_software = || {
        format!(
            "name one that is whole, or fetch a software GPU: {}",
            software_gpu::SCRIPT
        )
    };
    if let Err(what) = vulkan::check(icd, &with_folder) {
        return missing(format!("the Vulkan driver {} {what}", icd.display()), &get_software());
    }
    if find_library(vulkan::LOADER, &with_folder).is_none() {
        return missing(
            format!(
                "the Vulkan loader, {}, in the system and beside {}",
                vulkan::LOADER,
                icd.display()
            ),
            "install the Vulkan loader (Debian, Ubuntu: apt install libvulkan1)",
        );
    }
    // The second name is the one that loaders before 1.3.207 know.
    let variables = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].map(|name| (name.to_owned(), icd.to_owned()));
    ready(
        format!("vulkan driver {}", icd.display()),
        Surroundings {
            library_path: vec![folder],
            variables: variables.into(),
            ..Surroundings::default()
        },
    )
}

fn npu(runtime: &Runtime) -> Readiness {
    let vendor = openvino::VENDOR;
    let (Some(plugins), Some(dispatch)) = (runtime.compiler_plugin_dir(vendor), runtime.dispatch_dir(vendor)) else {
        return missing(
            format!("{} has no {vendor} plugin and dispatch library", runtime.id),
            "choose a runtime that has them (x86_64: litert-2.1.5 or later): litmus runtime install",
        );
    };
    let Some(release) = openvino::Release::needed_by(runtime) else {
        return missing(
            format!(
                "the OpenVINO release that the {vendor} plugin of {} needs cannot be told",
                runtime.id
            ),
            "choose a runtime of the catalogue: litmus runtime list",
        );
    };
    match release.find() {
        Some(dir) => ready(
            format!("openvino {}", release.version()),
            Surroundings {
                library_path: vec![dir],
                folders: EnvironmentPaths {
                    compiler_plugins: Some(plugins),
                    dispatch: Some(dispatch),
                    compiler_cache: None,
                },
                ..Surroundings::default()
            },
        ),
        None => missing(release.library(), &release.install_command()),
    }
}

fn ready(with: String, needs: Surroundings) -> Readiness {
    Readiness::Ready { with, needs }
}

fn missing(what: String, next: &str) -> Readiness {
    Readiness::Missing {
        what,
        next: next.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn bare_runtime(dir: &std::path::Path) -> Runtime {
        Runtime {
            id: "custom-00000000".to_owned(),
            dir: dir.to_owned(),
            bytes: None,
        }
    }

    fn what(readiness: Readiness) -> String {
        match readiness {
            Readiness::Missing { what, next } => {
                assert!(!next.is_empty());
                what
            }
            Readiness::Ready { with, .. } => panic!("ready with {with}"),
        }
    }

    #[test]
    fn a_runtime_without_accelerator_libraries_is_ready_for_the_cpu_alone() {
        let dir = tempfile::tempdir().unwrap();
        let runtime = bare_runtime(dir.path());
        assert!(matches!(
            readiness(&runtime, &Wanted::any(Accelerator::Cpu)),
            Readiness::Ready { .. }
        ));
        assert!(what(readiness(&runtime, &Wanted::any(Accelerator::Gpu))).contains("libLiteRtWebGpuAccelerator.so"));
        assert!(what(readiness(&runtime, &Wanted::any(Accelerator::Npu))).contains("intel_openvino"));
    }

    #[test]
    fn a_driver_that_was_named_and_is_not_there_is_missing_and_no_other_takes_its_place() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("libLiteRtWebGpuAccelerator.so"), "").unwrap();
        let wanted = Wanted {
            accelerator: Accelerator::Gpu,
            vulkan_icd: Some(dir.path().join("gone.json")),
        };
        let what = what(readiness(&bare_runtime(dir.path()), &wanted));
        assert!(what.contains("gone.json is not there"), "{what}");
    }

    #[test]
    fn a_driver_with_everything_beside_it_needs_that_folder_and_is_the_only_one() {
        let dir = tempfile::tempdir().unwrap();
        let icd = dir.path().join("icd.json");
        fs::write(&icd, r#"{"ICD": {"library_path": "./libdriver.so"}}"#).unwrap();
        for library in ["libdriver.so", vulkan::LOADER] {
            fs::write(dir.path().join(library), crate::install::unpack::fixtures::elf(64)).unwrap();
        }
        let Readiness::Ready { needs, .. } = named_driver(&icd, &[]) else {
            panic!("not ready");
        };
        assert_eq!(needs.library_path, [dir.path()]);
        assert_eq!(needs.variables["VK_DRIVER_FILES"], icd);
        assert_eq!(needs.variables["VK_ICD_FILENAMES"], icd);
    }

    #[test]
    fn the_missing_openvino_is_named_exactly() {
        let dir = tempfile::tempdir().unwrap();
        let plugins = dir.path().join("vendors/intel_openvino");
        for folder in ["compiler", "dispatch"] {
            fs::create_dir_all(plugins.join(folder)).unwrap();
        }
        // A release that is never on any machine.
        fs::write(plugins.join("compiler/plugin.so"), b"\0libopenvino.so.9999\0").unwrap();
        assert_eq!(
            what(readiness(&bare_runtime(dir.path()), &Wanted::any(Accelerator::Npu))),
            "libopenvino.so.9999"
        );
    }
}
