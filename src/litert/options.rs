//! Which options does the runtime take?
//!
//! The runtime ignores an identifier or key it does not know without a word, so every option is checked against
//! [`ACCEPTED`] before it gets anywhere near it, on the host as well as in the agent.

use std::fmt;

use crate::agent::{Accelerator, OptionValue, ProviderOptions};

/// Identifier of the CPU's options.
pub const XNNPACK: &str = "xnnpack";
/// Identifier of the GPU's options.
pub const GPU: &str = "gpu_options";
/// Identifier of options of the runtime itself.
pub const RUNTIME: &str = "runtime_options_string";
/// Identifier of the OpenVINO plugin's options.
pub const OPENVINO: &str = "intel_openvino";

/// Identifier of what litmus itself does for a GPU that is reached through Vulkan; the runtime never sees it.
pub const VULKAN: &str = "vulkan";

/// `precision` of [`GPU`]: half precision that is summed up in full precision.
const GPU_FP16_ACCUMULATE_FP32: i64 = 3;

/// The values a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// A whole number from the first to the second.
    Integer(i64, i64),
    /// One of these words.
    Word(&'static [&'static str]),
    Bool,
    /// Any text that TOML writes without an escape: the runtime takes what stands between the quotes as it is.
    Text,
}

/// One accepted option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    pub identifier: &'static str,
    /// The key; one that ends in `.*` stands for every key with that beginning and one more part.
    pub key: &'static str,
    pub values: Values,
}

const fn accepted(identifier: &'static str, key: &'static str, values: Values) -> Accepted {
    Accepted {
        identifier,
        key,
        values,
    }
}

/// Every option that may stand in a sweep file or a job.
///
/// Profiling is missing on purpose: it adds some 70 MB and 40 ms and makes GPU runs fail, so it never belongs into the
/// process that is timed. A GPU's `precision` takes 3 only (fp16 with fp32 accumulation); 1 and 2 follow from the job.
pub const ACCEPTED: &[Accepted] = &[
    accepted(XNNPACK, "num_threads", Values::Integer(1, 1024)),
    accepted(XNNPACK, "kernel_mode", Values::Word(&["builtin", "reference"])),
    accepted(XNNPACK, "weight_cache_file_path", Values::Text),
    accepted(
        GPU,
        "precision",
        Values::Integer(GPU_FP16_ACCUMULATE_FP32, GPU_FP16_ACCUMULATE_FP32),
    ),
    accepted(GPU, "wait_type", Values::Integer(0, 3)),
    accepted(GPU, "benchmark_mode", Values::Bool),
    accepted(GPU, "serialization_dir", Values::Text),
    accepted(GPU, "model_cache_key", Values::Text),
    accepted(GPU, "serialize_program_cache", Values::Bool),
    accepted(RUNTIME, "error_reporter_mode", Values::Integer(0, 2)),
    accepted(OPENVINO, "graph.-1.graph_backend", Values::Integer(0, 2)),
    accepted(OPENVINO, "performance_mode", Values::Integer(0, 2)),
    accepted(OPENVINO, "configs_map.*", Values::Text),
    accepted(VULKAN, "icd", Values::Text),
    accepted(VULKAN, "shader_cache", Values::Word(&["fresh", "kept"])),
];

/// Why options are refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    #[error("unknown option group \"{identifier}\"; accepted: {}", identifiers().join(", "))]
    UnknownIdentifier { identifier: String },
    #[error("unknown option \"{key}\" of {identifier}; accepted: {}", keys(identifier).join(", "))]
    UnknownKey { identifier: String, key: String },
    #[error("{identifier}.{key} cannot be {value}; accepted: {accepted}")]
    Value {
        identifier: String,
        key: String,
        value: String,
        accepted: Values,
    },
    #[error("the cpu runs fp32 only: leave out fp16, or ask for the gpu")]
    CpuPrecision,
    #[error("options of vulkan are for the gpu, not for the {accelerator}")]
    NotVulkan { accelerator: Accelerator },
    #[error("gpu_options.precision = 3 is a kind of fp16, but the precision asked for is fp32")]
    GpuPrecision,
    #[error("threads = {threads} and xnnpack.num_threads are both given: keep one")]
    ThreadsTwice { threads: u32 },
    #[error("threads = {threads} is not from 1 to 1024")]
    Threads { threads: u32 },
}

/// Refuses every identifier, key and value that [`ACCEPTED`] does not hold.
pub fn check(options: &ProviderOptions) -> Result<(), OptionError> {
    for (identifier, values) in options {
        if !ACCEPTED.iter().any(|accepted| accepted.identifier == identifier) {
            return Err(OptionError::UnknownIdentifier {
                identifier: identifier.clone(),
            });
        }
        for (key, value) in values {
            let accepted = ACCEPTED
                .iter()
                .find(|accepted| accepted.identifier == identifier && accepted.is_key(key))
                .ok_or_else(|| OptionError::UnknownKey {
                    identifier: identifier.clone(),
                    key: key.clone(),
                })?;
            if !accepted.values.allow(value) {
                return Err(OptionError::Value {
                    identifier: identifier.clone(),
                    key: key.clone(),
                    value: toml(value),
                    accepted: accepted.values,
                });
            }
        }
    }
    Ok(())
}

impl Accepted {
    fn is_key(&self, key: &str) -> bool {
        match self.key.strip_suffix('*') {
            None => key == self.key,
            Some(beginning) => key.strip_prefix(beginning).is_some_and(is_bare_key),
        }
    }
}

/// What TOML takes as one part of a key without quotes.
fn is_bare_key(part: &str) -> bool {
    !part.is_empty()
        && part
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

impl Values {
    fn allow(&self, value: &OptionValue) -> bool {
        match (self, value) {
            (Values::Integer(low, high), OptionValue::Integer(value)) => (low..=high).contains(&value),
            (Values::Word(words), OptionValue::Text(value)) => words.contains(&value.as_str()),
            (Values::Bool, OptionValue::Bool(_)) => true,
            (Values::Text, OptionValue::Text(value)) => {
                !value.contains(|c: char| matches!(c, '"' | '\\') || c.is_control())
            }
            _ => false,
        }
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Values::Integer(low, high) if low == high => write!(f, "{low}"),
            Values::Integer(low, high) => write!(f, "a whole number from {low} to {high}"),
            Values::Word(words) => {
                let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
                f.write_str(&quoted.join(", "))
            }
            Values::Bool => f.write_str("true, false"),
            Values::Text => f.write_str("a text without quotes, backslashes and control characters"),
        }
    }
}

/// One value as TOML writes it.
pub(super) fn toml(value: &OptionValue) -> String {
    match value {
        OptionValue::Bool(value) => value.to_string(),
        OptionValue::Integer(value) => value.to_string(),
        OptionValue::Float(value) => format!("{value:?}"),
        OptionValue::Text(value) => format!("\"{value}\""),
    }
}

fn identifiers() -> Vec<&'static str> {
    let mut names: Vec<_> = ACCEPTED.iter().map(|accepted| accepted.identifier).collect();
    names.dedup();
    names
}

fn keys(identifier: &str) -> Vec<&'static str> {
    ACCEPTED
        .iter()
        .filter(|accepted| accepted.identifier == identifier)
        .map(|accepted| accepted.key)
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn options(identifier: &str, key: &str, value: OptionValue) -> ProviderOptions {
        BTreeMap::from([(identifier.to_owned(), BTreeMap::from([(key.to_owned(), value)]))])
    }

    fn word(text: &str) -> OptionValue {
        OptionValue::Text(text.to_owned())
    }

    #[test]
    fn a_refused_name_or_value_lists_what_is_accepted() {
        let error = check(&options("xnpack", "num_threads", OptionValue::Integer(1))).unwrap_err();
        assert!(error.to_string().contains("xnnpack, gpu_options"), "{error}");
        let error = check(&options(XNNPACK, "threads", OptionValue::Integer(1))).unwrap_err();
        assert!(error.to_string().contains("num_threads, kernel_mode"), "{error}");
        let error = check(&options(XNNPACK, "kernel_mode", word("fast"))).unwrap_err();
        assert!(error.to_string().contains("\"builtin\", \"reference\""), "{error}");
        let error = check(&options(XNNPACK, "num_threads", OptionValue::Float(2.0))).unwrap_err();
        assert!(error.to_string().contains("cannot be 2.0"), "{error}");
    }

    #[test]
    fn a_starred_key_takes_one_bare_part_and_no_more() {
        let configs = |key: &str| check(&options(OPENVINO, key, word("YES")));
        assert_eq!(configs("configs_map.PERF_COUNT"), Ok(()));
        for refused in ["configs_map.", "configs_map", "configs_map.a.b", "configs_map.a = 1\nx"] {
            assert!(configs(refused).is_err(), "{refused:?}");
        }
    }

    #[test]
    fn text_that_the_runtime_would_take_for_another_is_refused() {
        let path = |text: &str| check(&options(XNNPACK, "weight_cache_file_path", word(text)));
        assert_eq!(path("/a b/ü's #1=[x].bin"), Ok(()));
        for refused in ["a\"b", "a\\b", "a\nb", "a\0b", "\u{7f}"] {
            assert!(path(refused).is_err(), "{refused:?}");
        }
    }
}
