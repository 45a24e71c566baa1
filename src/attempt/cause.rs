//! What does a runtime's log say about why it failed?
//!
//! Until a graph is compiled the runtime returns a bare status; the op and the reason only reach standard error.

use super::{AttemptStatus, Outcome};
use crate::agent::{Accelerator, Stage};

/// Most reasons that are quoted.
const REASONS: usize = 3;
/// Most characters of one reason.
const REASON_CHARS: usize = 300;

/// Warnings that come with every attempt, good or bad.
const NOISE: [&str; 3] = [
    "Logging before InitGoogle",
    "artificially reduced",
    "unknown SDK version",
];

/// Adds to a bad outcome what the runtime's log says about it. A GPU without a driver is an environment that lacks one.
pub fn explained(mut outcome: Outcome, accelerator: Accelerator, stderr: &[u8]) -> Outcome {
    if outcome.status == AttemptStatus::Unscored {
        return outcome;
    }
    if let Some(cause) = cause(stderr) {
        let what = outcome.message.take().unwrap_or_default();
        // A bare status says less than its cause; a crash or a hang says more than the errors before it.
        outcome.message = Some(match outcome.code {
            Some(_) => format!("{cause}; {what}"),
            None => format!("{what}: {cause}"),
        });
    }
    let refused = outcome.status == AttemptStatus::Failed && outcome.stage == Some(Stage::Compile);
    if refused && accelerator == Accelerator::Gpu && found_no_driver(stderr) {
        outcome.status = AttemptStatus::Unavailable;
    }
    outcome
}

/// The errors in a log, and the warnings that speak of a failure, in order and without repetition; none when there are
/// none.
fn cause(stderr: &[u8]) -> Option<String> {
    let log = String::from_utf8_lossy(stderr);
    let mut reasons: Vec<String> = Vec::new();
    let mut lines = log.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(mut reason) = reason(line).map(str::to_owned) else {
            continue;
        };
        // LiteRT's own errors go on below, like a branch of a tree.
        if let Some(detail) = lines.peek().and_then(|next| next.trim_start().strip_prefix('└')) {
            reason = format!("{}: {}", without_place(&reason), detail.trim());
            lines.next();
        }
        // A list of ops: what announces it ends with a colon, and a count of ops ends it.
        let is_list = reason.ends_with(':');
        while let Some(item) =
            lines.next_if(|next| is_list && !is_log_line(next) && !next.contains("operations will run"))
        {
            reason.push(' ');
            reason.push_str(item.trim());
        }
        let reason: String = reason.trim_end_matches('.').chars().take(REASON_CHARS).collect();
        if !reasons.iter().any(|known| known.contains(&reason)) {
            reasons.push(reason);
        }
    }
    reasons.truncate(REASONS);
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

/// True when the GPU's library found no driver that it can use.
fn found_no_driver(stderr: &[u8]) -> bool {
    String::from_utf8_lossy(stderr).contains("No adapters found")
}

/// The text of a line that is an error, or a warning about a failure.
fn reason(line: &str) -> Option<&str> {
    let (is_error, text) = match line.split_once(": ") {
        Some(("ERROR", text)) => (true, text),
        Some(("WARNING" | "Warning", text)) => (false, text),
        // glog: severity, date, time, thread, place, text.
        _ if is_glog(line, b'E') || is_glog(line, b'F') => (true, line.split_once("] ")?.1),
        _ if is_glog(line, b'W') => (false, line.split_once("] ")?.1),
        _ => return None,
    };
    let text = match text.split_once("] ") {
        // `[delegate_webgpu.cc:359] text`
        Some((place, rest)) if place.starts_with('[') => rest,
        _ => text,
    };
    let lower = text.to_ascii_lowercase();
    let speaks_of_failure = ["fail", "could not", "couldn't", "cannot", "no driver", "unable"]
        .iter()
        .any(|word| lower.contains(word));
    let is_noise = NOISE.iter().any(|noise| text.contains(noise));
    ((is_error || speaks_of_failure) && !is_noise).then_some(text.trim())
}

fn is_log_line(line: &str) -> bool {
    ["INFO: ", "VERBOSE: ", "WARNING: ", "Warning: ", "ERROR: "]
        .iter()
        .any(|start| line.starts_with(start))
        || b"IWEF".iter().any(|&severity| is_glog(line, severity))
}

fn is_glog(line: &str, severity: u8) -> bool {
    let bytes = line.as_bytes();
    bytes.len() > 5 && bytes[0] == severity && bytes[1..5].iter().all(u8::is_ascii_digit) && bytes[5] == b' '
}

/// Without the ` with error: ERROR: [file:line]` that an error of LiteRT ends with before its detail.
fn without_place(reason: &str) -> &str {
    let end = reason.find(": ERROR: [").unwrap_or(reason.len());
    reason[..end].trim_end_matches(" with error")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_op_level_cause_of_a_refused_graph_is_quoted_and_its_trace_is_not() {
        // LiteRT 2.3.0 on SwiftShader, kv_vae of tiny-klein.
        let log = "INFO: [delegate_webgpu.cc:363] Created a WebGPU environment.\n\
            W0000 00:00:1796053665.470179   11371 gpu_model_builder.cc:3901] Shape mismatch in GpuModelBuilder\n\
            E0000 00:00:1796053665.474170   11371 delegate_webgpu.cc:478] Failed to create X: INVALID_ARGUMENT: Unable to parse bc \
            coord for BATCH axis. Layout is bhwc\n=== Source Location Trace: ===\nthird_party/x.cc:955\n";
        assert_eq!(
            cause(log.as_bytes()).unwrap(),
            "Failed to create X: INVALID_ARGUMENT: Unable to parse bc coord for BATCH axis. Layout is bhwc"
        );
    }

    #[test]
    fn a_missing_library_is_named_although_the_runtime_only_warns() {
        // LiteRT 2.3.0 without the OpenVINO its plugin needs.
        let log = "WARNING: [compiler_plugin.cc:312] Failed to load plugin at: /r/plugin.so with error: ERROR: \
            [litert/compiler/plugin/compiler_plugin.cc:259]\n\u{2514} Could not load shared library /r/plugin.so: \
            libopenvino.so.2631: cannot open shared object file: No such file or directory.\n\
            WARNING: [compiled_model.cc:1393] Failed to apply compiler plugins: No compiler plugin found\n";
        assert_eq!(
            cause(log.as_bytes()).unwrap(),
            "Failed to load plugin at: /r/plugin.so: Could not load shared library /r/plugin.so: libopenvino.so.2631: cannot open \
             shared object file: No such file or directory; Failed to apply compiler plugins: No compiler plugin found"
        );
    }

    #[test]
    fn the_ops_that_a_delegate_refuses_are_listed() {
        // LiteRT 2.3.0, a graph with ZEROS_LIKE on the GPU.
        let log = "ERROR: Following operations are not supported by GPU delegate:\nZEROS_LIKE: Operation is not supported.\n\
            1 operations will run on the GPU, and the remaining 2 operations will run on the CPU.\nINFO: x\n";
        assert_eq!(
            cause(log.as_bytes()).unwrap(),
            "Following operations are not supported by GPU delegate: ZEROS_LIKE: Operation is not supported"
        );
    }

    #[test]
    fn a_log_without_errors_gives_no_cause() {
        let healthy = "INFO: x\nWARNING: Logging before InitGoogle() is written to STDERR\nWarning: maxDynamicUniformBuffers \
            artificially reduced from 1000000 to 16\nE\nEvery word\nE0000\n";
        assert_eq!(cause(healthy.as_bytes()), None);
        assert_eq!(cause(b"\xff\xfe"), None);
    }

    #[test]
    fn a_flood_of_errors_is_cut() {
        let flood: String = (0..100)
            .map(|i| format!("ERROR: number {i} {}\n", "x".repeat(1000)))
            .collect();
        assert!(cause(flood.as_bytes()).unwrap().chars().count() <= REASONS * (REASON_CHARS + 2));
        assert_eq!(cause("ERROR: same\n".repeat(50).as_bytes()).as_deref(), Some("same"));
    }
}
