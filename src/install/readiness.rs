//! Can this machine run graphs on an accelerator, and if not, what is missing?

use std::{env, path::PathBuf};

use serde::Serialize;

use super::{
    Runtime,
    libraries::{find_library, library_dirs},
    openvino, vulkan,
};
use crate::agent::Accelerator;

/// What a look at the files says. Only a run proves that a driver works.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Readiness {
    Ready {
        /// What it would run on, as far as files tell.
        with: String,
        /// Folders that the process which opens the runtime needs in `LD_LIBRARY_PATH`.
        library_path: Vec<PathBuf>,
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

/// Whether `runtime` has what it needs for `accelerator` on this machine. Looks at files, opens none of the libraries.
pub fn readiness(runtime: &Runtime, accelerator: Accelerator) -> Readiness {
    match accelerator {
        Accelerator::Cpu => ready("xnnpack".to_owned()),
        Accelerator::Gpu => gpu(runtime),
        Accelerator::Npu => npu(runtime),
    }
}

fn gpu(runtime: &Runtime) -> Readiness {
    if runtime.web_gpu().is_none() {
        return missing(
            format!("{} has no libLiteRtWebGpuAccelerator.so", runtime.id),
            "choose a runtime that has it: litmus runtime list",
        );
    }
    let dirs = library_dirs();
    if find_library(vulkan::LOADER, &dirs).is_none() {
        return missing(
            format!("the Vulkan loader, {}", vulkan::LOADER),
            "install the Vulkan loader (Debian, Ubuntu: apt install libvulkan1)",
        );
    }
    match &vulkan::drivers(&|name| env::var_os(name), &dirs)[..] {
        [] => missing(
            "a Vulkan driver: no ICD manifest with a library for this machine".to_owned(),
            "install the Vulkan driver of your GPU (Debian, Ubuntu: apt install mesa-vulkan-drivers), \
             or name its ICD manifest in VK_DRIVER_FILES",
        ),
        drivers => {
            let names = drivers
                .iter()
                .filter_map(|path| path.file_stem())
                .map(|name| name.to_string_lossy());
            ready(format!("vulkan driver {}", names.collect::<Vec<_>>().join(", ")))
        }
    }
}

fn npu(runtime: &Runtime) -> Readiness {
    let vendor = openvino::VENDOR;
    if runtime.compiler_plugin_dir(vendor).is_none() || runtime.dispatch_dir(vendor).is_none() {
        return missing(
            format!("{} has no {vendor} plugin and dispatch library", runtime.id),
            "choose a runtime that has them (x86_64: litert-2.1.5 or later): litmus runtime install",
        );
    }
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
        Some(dir) => Readiness::Ready {
            with: format!("openvino {}", release.version()),
            library_path: vec![dir],
        },
        None => missing(release.library(), &release.install_command()),
    }
}

fn ready(with: String) -> Readiness {
    Readiness::Ready {
        with,
        library_path: Vec::new(),
    }
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
        assert!(matches!(readiness(&runtime, Accelerator::Cpu), Readiness::Ready { .. }));
        assert!(what(readiness(&runtime, Accelerator::Gpu)).contains("libLiteRtWebGpuAccelerator.so"));
        assert!(what(readiness(&runtime, Accelerator::Npu)).contains("intel_openvino"));
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
            what(readiness(&bare_runtime(dir.path()), Accelerator::Npu)),
            "libopenvino.so.9999"
        );
    }
}
