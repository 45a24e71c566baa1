//! What is the SHA-256 of a file, in one pass and without holding it in memory?

use std::{
    io::{self, Read},
    path::Path,
};

use sha2::{Digest, Sha256};

use crate::os::open_regular;

/// Large enough that system calls do not show, small enough to stay in the second-level cache while it is hashed.
const CHUNK: usize = 256 << 10;

/// SHA-256 of `bytes`, 64 lower-case hexadecimal digits.
pub fn sha256_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// SHA-256 of a file's content, 64 lower-case hexadecimal digits.
/// Reads, rather than maps, so that a file shortened meanwhile is a short read and not the end of the process.
pub fn sha256_file(path: &Path) -> io::Result<String> {
    sha256_reader(&mut open_regular(path)?)
}

/// SHA-256 of everything `reader` still has to give, 64 lower-case hexadecimal digits.
pub fn sha256_reader(reader: &mut impl Read) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut chunk = vec![0; CHUNK];
    loop {
        match reader.read(&mut chunk) {
            Ok(0) => return Ok(hex(&hasher.finalize())),
            Ok(count) => hasher.update(&chunk[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn hex(digest: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    digest
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|nibble| char::from(DIGITS[usize::from(nibble)]))
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// FIPS 180-4 example values, as published in NIST's "SHA256.pdf" of the Cryptographic Standards examples.
    #[test]
    fn agrees_with_the_published_examples() {
        assert_eq!(
            sha256_bytes(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(
            sha256_bytes(b""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
        assert_eq!(
            sha256_bytes(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn a_file_hashes_like_its_bytes_around_chunk_borders(extra in 0usize..3, chunks in 0usize..3, seed: u8) {
            let bytes: Vec<u8> = (0..(chunks * CHUNK + extra)).map(|i| (i as u8).wrapping_mul(seed)).collect();
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), &bytes).unwrap();
            prop_assert_eq!(sha256_file(file.path()).unwrap(), sha256_bytes(&bytes));
        }
    }
}
