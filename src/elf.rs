//! For which machine is a shared library built?

use std::{
    fmt,
    fs::File,
    io::{self, Read},
    path::Path,
};

/// A processor architecture as the `e_machine` field of an ELF header names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    X86,
    Arm,
    X86_64,
    Aarch64,
    Riscv64,
    /// Any other; the number from the ELF specification's `EM_` list.
    Other(u16),
}

/// Why a file is not a library for this machine.
#[derive(Debug, thiserror::Error)]
pub enum ElfError {
    #[error("cannot be read")]
    Read(#[source] io::Error),
    #[error("is not an ELF file")]
    NotElf,
    #[error("is for {found}, this machine is {here}")]
    OtherMachine { found: Machine, here: Machine },
}

impl Machine {
    /// The machine litmus is built for.
    pub const HERE: Machine = if cfg!(target_arch = "x86_64") {
        Machine::X86_64
    } else if cfg!(target_arch = "aarch64") {
        Machine::Aarch64
    } else if cfg!(target_arch = "riscv64") {
        Machine::Riscv64
    } else if cfg!(target_arch = "x86") {
        Machine::X86
    } else if cfg!(target_arch = "arm") {
        Machine::Arm
    } else {
        Machine::Other(0)
    };
}

impl fmt::Display for Machine {
    /// As `uname -m` and wheel names say it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Machine::X86 => f.pad("x86"),
            Machine::Arm => f.pad("arm"),
            Machine::X86_64 => f.pad("x86_64"),
            Machine::Aarch64 => f.pad("aarch64"),
            Machine::Riscv64 => f.pad("riscv64"),
            Machine::Other(number) => write!(f, "ELF machine {number}"),
        }
    }
}

/// Reads the machine from the first 20 bytes of an ELF file.
pub fn machine_of(path: &Path) -> Result<Machine, ElfError> {
    let mut header = [0; 20];
    File::open(path)
        .and_then(|mut file| file.read_exact(&mut header))
        .map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => ElfError::NotElf,
            _ => ElfError::Read(error),
        })?;
    parse(&header).ok_or(ElfError::NotElf)
}

/// Says in advance what opening the library would fail with.
pub fn check_machine(path: &Path) -> Result<(), ElfError> {
    match machine_of(path)? {
        found if found == Machine::HERE => Ok(()),
        found => Err(ElfError::OtherMachine {
            found,
            here: Machine::HERE,
        }),
    }
}

/// Layout: `e_ident` (magic, class at 4, byte order at 5), `e_type` at 16, `e_machine` at 18;
/// System V ABI, chapter 4, "ELF Header".
fn parse(header: &[u8; 20]) -> Option<Machine> {
    if header[..4] != *b"\x7fELF" || !matches!(header[4], 1 | 2) {
        return None;
    }
    let field = [header[18], header[19]];
    let number = match header[5] {
        1 => u16::from_le_bytes(field),
        2 => u16::from_be_bytes(field),
        _ => return None,
    };
    Some(match number {
        3 => Machine::X86,
        40 => Machine::Arm,
        62 => Machine::X86_64,
        183 => Machine::Aarch64,
        243 if header[4] == 2 => Machine::Riscv64,
        other => Machine::Other(other),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn this_very_program_is_for_this_machine() {
        check_machine(&std::env::current_exe().unwrap()).unwrap();
    }

    #[test]
    fn a_library_for_another_machine_is_refused_by_name() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut bytes = fs::read(std::env::current_exe().unwrap()).unwrap();
        bytes.truncate(64);
        bytes[18..20].copy_from_slice(&22u16.to_le_bytes());
        fs::write(file.path(), bytes).unwrap();
        let message = check_machine(file.path()).unwrap_err().to_string();
        assert_eq!(
            message,
            format!("is for ELF machine 22, this machine is {}", Machine::HERE)
        );
    }

    #[test]
    fn text_and_short_files_are_not_elf_and_a_missing_one_cannot_be_read() {
        let dir = tempfile::tempdir().unwrap();
        for (name, bytes) in [
            ("text", &b"INPUT() and more than twenty bytes"[..]),
            ("short", b"\x7fELF"),
        ] {
            fs::write(dir.path().join(name), bytes).unwrap();
            assert!(matches!(machine_of(&dir.path().join(name)), Err(ElfError::NotElf)));
        }
        assert!(matches!(machine_of(&dir.path().join("absent")), Err(ElfError::Read(_))));
    }

    proptest! {
        #[test]
        fn any_header_is_answered(header: [u8; 20]) {
            let known = parse(&header).is_some();
            prop_assert_eq!(known, header.starts_with(b"\x7fELF") && matches!(header[4], 1 | 2) && matches!(header[5], 1 | 2));
        }
    }
}
