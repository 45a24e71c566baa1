//! Which runtimes and companions can be installed, and what exactly must arrive?

use super::{InstallError, elf::Machine};

/// A PyPI project whose wheels carry shared libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Project {
    /// The runtimes.
    LiteRt,
    /// What the runtimes' Intel plugin is linked to.
    OpenVino,
}

/// One published wheel. The shared libraries do not depend on the Python version, so the wheel for CPython 3.11 serves
/// whatever Python is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    pub project: Project,
    pub version: &'static str,
    /// Build number in the wheel's name, where it has one.
    pub build: Option<&'static str>,
    pub machine: Machine,
    pub wheel_bytes: u64,
    /// As published on PyPI, 64 lower-case hexadecimal digits.
    pub wheel_sha256: &'static str,
}

/// Every runtime litmus knows, oldest first.
pub const RELEASES: &[Release] = &[
    Release {
        project: Project::LiteRt,
        build: None,
        version: "2.1.4",
        machine: Machine::X86_64,
        wheel_bytes: 16_591_482,
        wheel_sha256: "1bed8ccd8dfc4f2ec388bc79cb90920c261a244995ce378d396fb8967b7db640",
    },
    Release {
        project: Project::LiteRt,
        build: None,
        version: "2.1.4",
        machine: Machine::Aarch64,
        wheel_bytes: 12_733_481,
        wheel_sha256: "f2f07d27211a6b64ed374733bcbdd78dcf0cdc70de5c5f7d0ce7f198d4890a23",
    },
    Release {
        project: Project::LiteRt,
        build: None,
        version: "2.1.5",
        machine: Machine::X86_64,
        wheel_bytes: 17_566_472,
        wheel_sha256: "7c54e45589831fbaeec1481df530e336d0112002a6193bc28f7aafa5f4898a3a",
    },
    Release {
        project: Project::LiteRt,
        build: None,
        version: "2.1.5",
        machine: Machine::Aarch64,
        wheel_bytes: 12_866_358,
        wheel_sha256: "1edf83d132919b0b95bb5ded64e79bfed018168d3584c28fa30a8eb0d3bfca6b",
    },
    Release {
        project: Project::LiteRt,
        build: None,
        version: "2.1.6",
        machine: Machine::X86_64,
        wheel_bytes: 17_328_951,
        wheel_sha256: "af4f2ba681fa2c688746cbd7ddd71a2bbbdd9e6a51aa609d382bfad77d1c695e",
    },
    Release {
        project: Project::LiteRt,
        build: None,
        version: "2.1.6",
        machine: Machine::Aarch64,
        wheel_bytes: 13_065_484,
        wheel_sha256: "8475d18c73698d9244380ad72f67caf540e5c72d9a80c66d17c4b81ca81a21c8",
    },
    Release {
        project: Project::LiteRt,
        build: None,
        version: "2.2.0",
        machine: Machine::X86_64,
        wheel_bytes: 21_254_940,
        wheel_sha256: "0171f556fffa335281acd7d468de999fd4de32f6bf1a5f14e680676591cef764",
    },
    Release {
        project: Project::LiteRt,
        build: None,
        version: "2.2.0",
        machine: Machine::Aarch64,
        wheel_bytes: 14_051_762,
        wheel_sha256: "808da1d1b3f93f05ce27444bf3d3bed8be928d2779483b5065df226e01c599d5",
    },
    Release {
        project: Project::LiteRt,
        build: None,
        version: "2.3.0",
        machine: Machine::X86_64,
        wheel_bytes: 21_778_233,
        wheel_sha256: "1f15078a6725d2357d9de9221664c29afa0545d807559c5f7199ce5e40b96b23",
    },
    Release {
        project: Project::LiteRt,
        build: None,
        version: "2.3.0",
        machine: Machine::Aarch64,
        wheel_bytes: 14_379_387,
        wheel_sha256: "853fc608f96da87bd5f3458465dfb9abbf18d5ae6b94eceacead407146f175ae",
    },
];

/// Every companion a published runtime needs, oldest first. Only the runtimes for x86-64 have a plugin that needs one.
pub const COMPANIONS: &[Release] = &[
    Release {
        project: Project::OpenVino,
        version: "2026.2.0",
        build: Some("21903"),
        machine: Machine::X86_64,
        wheel_bytes: 58_353_946,
        wheel_sha256: "90adabc9a46aaa5c052e8ac2bd10a017ff361ef5f68647d02f4ab8a5e54610e7",
    },
    Release {
        project: Project::OpenVino,
        version: "2026.3.0",
        build: Some("22451"),
        machine: Machine::X86_64,
        wheel_bytes: 57_472_600,
        wheel_sha256: "93e111164ccfd5c801edcfc3437683210837463bf57a2bd0518b940598664c2c",
    },
    Release {
        project: Project::OpenVino,
        version: "2026.3.1",
        build: Some("22476"),
        machine: Machine::X86_64,
        wheel_bytes: 57_502_334,
        wheel_sha256: "a767aab95940ce78901335f5e89e61087b81ce122a546e3023489303f8488cd3",
    },
];

impl Project {
    /// Its name on PyPI.
    pub fn pypi(self) -> &'static str {
        match self {
            Project::LiteRt => "ai-edge-litert",
            Project::OpenVino => "openvino",
        }
    }

    fn short(self) -> &'static str {
        match self {
            Project::LiteRt => "litert",
            Project::OpenVino => "openvino",
        }
    }

    /// The oldest glibc its wheels run on.
    fn glibc(self) -> &'static str {
        match self {
            Project::LiteRt => "2_27",
            Project::OpenVino => "2_28",
        }
    }
}

impl Release {
    /// `litert-2.3.0`, `openvino-2026.3.1`
    pub fn id(&self) -> String {
        format!("{}-{}", self.project.short(), self.version)
    }

    /// `manylinux_2_27_x86_64`
    pub fn platform(&self) -> String {
        format!("manylinux_{}_{}", self.project.glibc(), self.machine)
    }

    /// Its file name: `ai_edge_litert-2.3.0-cp311-cp311-manylinux_2_27_x86_64.whl`
    pub fn wheel(&self) -> String {
        let project = self.project.pypi().replace('-', "_");
        let build = self.build.map(|build| format!("-{build}")).unwrap_or_default();
        format!("{project}-{}{build}-cp311-cp311-{}.whl", self.version, self.platform())
    }
}

/// The ids that can be installed, oldest first.
pub fn runtime_ids() -> Vec<String> {
    let mut ids: Vec<_> = RELEASES.iter().map(Release::id).collect();
    ids.dedup();
    ids
}

/// The release called `id` for `machine`.
pub fn lookup(id: &str, machine: Machine) -> Result<&'static Release, InstallError> {
    let mut same_id = RELEASES.iter().filter(|release| release.id() == id).peekable();
    if same_id.peek().is_none() {
        return Err(InstallError::UnknownRuntime { id: id.to_owned() });
    }
    same_id
        .find(|release| release.machine == machine)
        .ok_or(InstallError::NotPublished {
            id: id.to_owned(),
            machine,
        })
}

/// The companion called `id`.
pub fn lookup_companion(id: &str) -> Option<&'static Release> {
    COMPANIONS
        .iter()
        .find(|release| release.id() == id && release.machine == Machine::HERE)
}

/// Refuses an id that names no release for this machine. Looks nothing up.
pub fn check_id(id: &str) -> Result<(), InstallError> {
    lookup(id, Machine::HERE).map(|_| ())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::install::DEFAULT_RUNTIME;

    #[test]
    fn every_release_has_a_well_formed_hash_of_its_own_and_a_plausible_size() {
        let all = || RELEASES.iter().chain(COMPANIONS);
        let hashes: BTreeSet<_> = all().map(|release| release.wheel_sha256).collect();
        assert_eq!(hashes.len(), all().count());
        for release in all() {
            assert_eq!(release.wheel_sha256.len(), 64);
            assert!(
                release
                    .wheel_sha256
                    .bytes()
                    .all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
            );
            assert!((10_000_000..100_000_000).contains(&release.wheel_bytes));
        }
    }

    #[test]
    fn every_id_is_there_for_both_machines() {
        for id in runtime_ids() {
            for machine in [Machine::X86_64, Machine::Aarch64] {
                assert_eq!(lookup(&id, machine).unwrap().id(), id);
            }
        }
        assert!(runtime_ids().iter().any(|id| id == DEFAULT_RUNTIME));
    }

    #[test]
    fn a_wheel_is_named_as_it_is_published() {
        let names: Vec<String> = COMPANIONS.iter().map(Release::wheel).collect();
        assert_eq!(
            names[2],
            "openvino-2026.3.1-22476-cp311-cp311-manylinux_2_28_x86_64.whl"
        );
        let runtime = lookup(DEFAULT_RUNTIME, Machine::X86_64).unwrap();
        assert_eq!(
            runtime.wheel(),
            "ai_edge_litert-2.3.0-cp311-cp311-manylinux_2_27_x86_64.whl"
        );
    }

    #[test]
    fn an_unknown_id_is_answered_with_the_accepted_ones() {
        let error = lookup("litert-9", Machine::X86_64).unwrap_err().to_string();
        assert!(error.contains("\"litert-9\"") && error.contains("litert-2.1.4") && error.contains("litert-2.3.0"));
    }

    #[test]
    fn a_machine_without_wheels_is_named() {
        let error = lookup("litert-2.3.0", Machine::Riscv64).unwrap_err().to_string();
        assert!(error.contains("riscv64"), "{error}");
    }
}
