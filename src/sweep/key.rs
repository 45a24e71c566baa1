//! How is a cell named, the same way everywhere?

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::agent::{Accelerator, CompileMode, Precision, ProviderOptions};

/// The canonical text of a cell, ten parts joined by `/`:
/// graph, signature, case, target, accelerator, precision, compile mode, runtime, threads, options.
///
/// Parts are percent-encoded outside `[A-Za-z0-9._-]`, so equal cells have equal text and a part never holds a `/`.
/// A signature that is not named is `default`, threads that are not set are `threads-default`, and options are
/// `plain` when there are none, else the first eight hex digits of the SHA-256 of their canonical JSON.
///
/// ```
/// # use litmus::sweep::CellKey;
/// let key: CellKey = serde_json::from_str("\"kv_vae/default/t2i/local/cpu/fp32/jit/litert-2.3.0/threads-2/plain\"").unwrap();
/// assert_eq!(key.graph(), "kv_vae");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CellKey(String);

/// What a key is made of.
#[derive(Clone, Copy, Debug)]
pub struct KeyParts<'a> {
    pub graph: &'a str,
    pub signature: Option<&'a str>,
    pub case: &'a str,
    pub target: &'a str,
    pub accelerator: Accelerator,
    pub precision: Precision,
    pub compile: CompileMode,
    pub runtime: &'a str,
    pub threads: Option<u32>,
    pub options: &'a ProviderOptions,
}

impl CellKey {
    pub fn new(parts: &KeyParts<'_>) -> Self {
        let threads = match parts.threads {
            Some(n) => format!("threads-{n}"),
            None => "threads-default".to_owned(),
        };
        CellKey(
            [
                encode(parts.graph),
                encode(parts.signature.unwrap_or("default")),
                encode(parts.case),
                encode(parts.target),
                parts.accelerator.to_string(),
                parts.precision.to_string(),
                parts.compile.to_string(),
                encode(parts.runtime),
                threads,
                options_part(parts.options),
            ]
            .join("/"),
        )
    }

    /// The key's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The graph part, still encoded.
    pub fn graph(&self) -> &str {
        self.0.split('/').next().unwrap_or_default()
    }
}

impl fmt::Display for CellKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Percent-encodes everything that could be mistaken for structure. An empty part becomes `%`, which no other text gives.
fn encode(part: &str) -> String {
    if part.is_empty() {
        return "%".to_owned();
    }
    let mut out = String::with_capacity(part.len());
    for byte in part.bytes() {
        if byte.is_ascii_alphanumeric() || b"._-".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

fn options_part(options: &ProviderOptions) -> String {
    if options.values().all(|keys| keys.is_empty()) {
        return "plain".to_owned();
    }
    // Maps are ordered, so equal options give equal bytes; serialising strings and numbers to memory cannot fail.
    let canonical = serde_json::to_vec(options).unwrap_or_default();
    Sha256::digest(canonical)
        .iter()
        .take(4)
        .map(|b| format!("{b:02x}"))
        .collect()
}
