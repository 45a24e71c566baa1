//! Can this process load that library at all?
//!
//! `dlopen` answers a library for another machine with a message that names neither machine, so the header is read first.

use std::{fs::File, io::Read, path::Path};

use super::Error;

/// Bytes up to and including `e_machine`, which stands at the same place in 32- and 64-bit files.
const HEADER_BYTES: usize = 20;
const CLASS_32: u8 = 1;
const CLASS_64: u8 = 2;
const BIG_ENDIAN: u8 = 2;

/// `e_machine` and name of the architectures a LiteRT runtime is published for.
const MACHINES: [(u16, &str); 5] = [
    (3, "x86"),
    (40, "arm"),
    (62, "x86_64"),
    (183, "aarch64"),
    (243, "riscv64"),
];

/// Reads the header of `path` and refuses what this build cannot load.
pub(super) fn check(path: &Path) -> Result<(), Error> {
    let unreadable = |source| Error::LibraryUnreadable {
        path: path.to_owned(),
        source,
    };
    let file = File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Error::LibraryMissing(path.to_owned()),
        _ => unreadable(error),
    })?;
    let mut header = Vec::with_capacity(HEADER_BYTES);
    file.take(HEADER_BYTES as u64)
        .read_to_end(&mut header)
        .map_err(unreadable)?;
    let machine = machine(&header).ok_or_else(|| Error::NotElf(path.to_owned()))?;
    if machine == std::env::consts::ARCH {
        return Ok(());
    }
    Err(Error::WrongMachine {
        path: path.to_owned(),
        library: machine,
        litmus: std::env::consts::ARCH,
    })
}

/// The architecture an ELF header is for, in Rust's words; none when it is no ELF header.
fn machine(header: &[u8]) -> Option<String> {
    let header: &[u8; HEADER_BYTES] = header.try_into().ok()?;
    if !header.starts_with(b"\x7fELF") {
        return None;
    }
    let bytes = [header[18], header[19]];
    let number = match header[5] {
        BIG_ENDIAN => return Some(format!("a big-endian machine ({})", u16::from_be_bytes(bytes))),
        _ => u16::from_le_bytes(bytes),
    };
    let name = MACHINES
        .iter()
        .find(|(known, _)| *known == number)
        .map(|(_, name)| *name);
    Some(match (name, header[4]) {
        (Some(name @ ("x86" | "arm")), CLASS_32) | (Some(name @ ("x86_64" | "aarch64" | "riscv64")), CLASS_64) => {
            name.to_owned()
        }
        (Some(name), _) => format!("{name} in another word size"),
        (None, _) => format!("machine {number}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(class: u8, machine: u16) -> Vec<u8> {
        let mut header = vec![0; HEADER_BYTES];
        header[..7].copy_from_slice(&[0x7f, b'E', b'L', b'F', class, 1, 1]);
        header[18..].copy_from_slice(&machine.to_le_bytes());
        header
    }

    #[test]
    fn the_machine_of_a_header_is_named() {
        assert_eq!(machine(&header(CLASS_64, 62)).unwrap(), "x86_64");
        assert_eq!(machine(&header(CLASS_64, 183)).unwrap(), "aarch64");
        assert_eq!(machine(&header(CLASS_32, 40)).unwrap(), "arm");
        assert_eq!(machine(&header(CLASS_64, 4711)).unwrap(), "machine 4711");
        assert_eq!(machine(&header(CLASS_32, 62)).unwrap(), "x86_64 in another word size");
    }

    #[test]
    fn what_is_short_or_has_no_magic_is_not_elf() {
        assert_eq!(machine(&header(CLASS_64, 62)[..19]), None);
        assert_eq!(machine(b"#!/bin/sh\necho hello\n"), None);
        assert_eq!(machine(b""), None);
    }

    #[test]
    fn this_very_program_is_loadable_by_itself() {
        check(&std::env::current_exe().unwrap()).unwrap();
    }

    #[test]
    fn a_missing_library_says_how_to_get_one() {
        let error = check(Path::new("/nowhere/libLiteRt.so")).unwrap_err();
        assert!(error.to_string().contains("litmus runtime install"), "{error}");
    }
}
