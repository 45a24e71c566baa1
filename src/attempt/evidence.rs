//! What really ran? Read from evidence, never from what was asked for.

use super::OpCounts;
use crate::agent::{Accelerator, BufferKind, Placement};

/// What an attempt's log and placement tell about where the graph ran, or would have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// `xnnpack`, `webgpu/swiftshader`, `openvino/cpu`; none when nothing tells. Also of an attempt that failed, once
    /// the runtime had said what it would run on.
    pub provider: Option<String>,
    /// Ops the accelerator took, where the log counts them and the graph was compiled.
    pub ops: Option<OpCounts>,
    /// What shows that the graph did not run on the accelerator alone, in words.
    pub contradiction: Option<String>,
}

/// Weighs the evidence of an attempt that asked for `accelerator`. Without a placement the graph was not compiled.
pub fn evidence(accelerator: Accelerator, placement: Option<&Placement>, stderr: &[u8]) -> Evidence {
    let log = String::from_utf8_lossy(stderr);
    let ops = op_counts(&log);
    let named = match accelerator {
        Accelerator::Cpu => log.contains("XNNPACK delegate").then(|| "xnnpack".to_owned()),
        Accelerator::Gpu => adapter(&log).map(|name| format!("webgpu/{name}")),
        Accelerator::Npu => openvino_device(&log).map(|device| format!("openvino/{device}")),
    };
    let contradiction = placement.and_then(|placement| contradiction(accelerator, placement, ops, named.is_some()));
    Evidence {
        // Who only said that he would run it did not, where the buffers say otherwise.
        provider: named.filter(|_| contradiction.is_none()),
        ops: ops.filter(|_| placement.is_some()),
        contradiction,
    }
}

fn contradiction(
    accelerator: Accelerator,
    placement: &Placement,
    ops: Option<OpCounts>,
    selected: bool,
) -> Option<String> {
    let mut kinds = placement.buffer_kinds();
    let fits = |kind: BufferKind| kind.may_serve(accelerator);
    let placed = match accelerator {
        Accelerator::Cpu => kinds.all(fits),
        // Inputs and outputs that an accelerator cannot take as they are, such as quantised ones on a GPU, stay in host
        // memory. All of them may be such; then at least the log must say that the accelerator was selected. A runtime
        // that falls back to the CPU without a word does not.
        Accelerator::Gpu | Accelerator::Npu => kinds.all(|kind| kind == BufferKind::Host || fits(kind)),
    };
    let on_device = placement.buffer_kinds().any(fits);
    if !placed || !(on_device || selected || placement.buffer_types.is_empty()) {
        let mut kinds: Vec<BufferKind> = placement.buffer_kinds().collect();
        kinds.sort_unstable();
        kinds.dedup();
        let kinds: Vec<String> = kinds.iter().map(BufferKind::to_string).collect();
        return Some(format!(
            "its input and output buffers are {} memory",
            kinds.join(" and ")
        ));
    }
    if accelerator == Accelerator::Cpu {
        return None;
    }
    if let Some(ops) = ops.filter(|ops| ops.accelerated < ops.total) {
        return Some(format!("it took only {} of {} ops", ops.accelerated, ops.total));
    }
    let claims = [placement.fully_accelerated, placement.non_cpu_fully_accelerated];
    claims
        .contains(&Some(false))
        .then(|| "the runtime says that it did not take every op".to_owned())
}

/// `SwiftShader Device (Subzero)` is `swiftshader`; `llvmpipe (LLVM 15.0.6, 256 bits)` is `lavapipe`, as Mesa calls the
/// Vulkan driver of llvmpipe; any other device is its own name.
fn adapter(log: &str) -> Option<String> {
    let (_, rest) = log.rsplit_once("Selected adapter: ")?;
    let name = rest.lines().next()?.split(", arch=").next()?;
    Some(match name {
        _ if name.starts_with("SwiftShader") => "swiftshader".to_owned(),
        _ if name.starts_with("llvmpipe") => "lavapipe".to_owned(),
        _ => slug(name),
    })
}

fn openvino_device(log: &str) -> Option<String> {
    let (_, rest) = log.rsplit_once("Using Intel OpenVINO device: ")?;
    Some(slug(rest.lines().next()?))
}

/// `NVIDIA H200 (x)` as `nvidia-h200-x`.
fn slug(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words.join("-")
}

/// Summed over subgraphs. The GPU's delegate counts only where it does not take all, plugins count always:
/// "100 operations will run on the GPU, and the remaining 38 operations will run on the CPU",
/// "Partitioned subgraph<0>, selected 4 ops, from a total of 4 ops".
pub fn op_counts(log: &str) -> Option<OpCounts> {
    let counts = log
        .lines()
        .filter_map(|line| gpu_counts(line).or_else(|| plugin_counts(line)));
    counts.reduce(|sum, one| OpCounts {
        accelerated: sum.accelerated.saturating_add(one.accelerated),
        total: sum.total.saturating_add(one.total),
    })
}

fn gpu_counts(line: &str) -> Option<OpCounts> {
    let (before, after) = line.split_once(" operations will run on the GPU, and the remaining ")?;
    let accelerated: u32 = before.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
    let rest: u32 = after.split(' ').next()?.parse().ok()?;
    Some(OpCounts {
        accelerated,
        total: accelerated.checked_add(rest)?,
    })
}

fn plugin_counts(line: &str) -> Option<OpCounts> {
    let (_, after) = line.split_once("Partitioned subgraph<")?;
    let (_, after) = after.split_once("selected ")?;
    let (accelerated, after) = after.split_once(" ops, from a total of ")?;
    Some(OpCounts {
        accelerated: accelerated.parse().ok()?,
        total: after.split(' ').next()?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As LiteRT 2.3.0 prints them.
    const SWIFTSHADER: &str = "I0000 00:00:1796053663.571315   11140 environment.cc:532] Selected adapter: SwiftShader Device \
        (Subzero), arch=swiftshader, vendor=google, backend=Vulkan, adapterType=CPU / Software\n";
    const LAVAPIPE: &str = "I0000 00:00:1.3 3 environment.cc:532] Selected adapter: llvmpipe (LLVM 15.0.6, 256 bits), \
        arch=software, vendor=mesa, backend=Vulkan, adapterType=CPU / Software\n";
    const OPENVINO: &str = "INFO: [compiler_plugin.cc:742] Partitioned subgraph<0>, selected 101 ops, from a total of 101 ops. \
        resulted in 1 partitions.\nINFO: [openvino_compile_context.cc:77] Using Intel OpenVINO device: CPU\n";

    fn placed(buffer_types: &[i32]) -> Placement {
        Placement {
            fully_accelerated: Some(true),
            buffer_types: buffer_types.to_vec(),
            ..Placement::default()
        }
    }

    fn of(accelerator: Accelerator, buffer_types: &[i32], log: &str) -> Evidence {
        evidence(accelerator, Some(&placed(buffer_types)), log.as_bytes())
    }

    #[test]
    fn the_provider_is_what_the_runtime_says_it_selected() {
        let provider = |accelerator, types: &[i32], log| of(accelerator, types, log).provider.unwrap();
        assert_eq!(provider(Accelerator::Gpu, &[26, 26], SWIFTSHADER), "webgpu/swiftshader");
        assert_eq!(provider(Accelerator::Gpu, &[26, 1], LAVAPIPE), "webgpu/lavapipe");
        let other = SWIFTSHADER.replace("SwiftShader Device (Subzero)", "NVIDIA GeForce RTX 4090");
        assert_eq!(
            provider(Accelerator::Gpu, &[26], &other),
            "webgpu/nvidia-geforce-rtx-4090"
        );
        assert_eq!(provider(Accelerator::Npu, &[100], OPENVINO), "openvino/cpu");
        let xnnpack = "INFO: Created TensorFlow Lite XNNPACK delegate for CPU.\n";
        assert_eq!(provider(Accelerator::Cpu, &[1, 1], xnnpack), "xnnpack");
        assert_eq!(of(Accelerator::Cpu, &[1], "").provider, None);
    }

    #[test]
    fn an_attempt_that_failed_to_compile_still_tells_its_provider() {
        let failed = evidence(Accelerator::Gpu, None, SWIFTSHADER.as_bytes());
        assert_eq!(failed.provider.as_deref(), Some("webgpu/swiftshader"));
        assert_eq!(failed.contradiction, None);
    }

    #[test]
    fn host_buffers_contradict_an_accelerator_that_was_never_selected_whatever_the_runtime_claims() {
        // As LiteRT reports a graph that fell back to the CPU: fully accelerated, in host memory.
        let xnnpack = "INFO: Created TensorFlow Lite XNNPACK delegate for CPU.\n";
        for accelerator in [Accelerator::Gpu, Accelerator::Npu] {
            let fallen_back = of(accelerator, &[1, 1], xnnpack);
            assert_eq!(fallen_back.provider, None);
            assert!(fallen_back.contradiction.unwrap().contains("host memory"));
        }
        // Quantised inputs and outputs, which the GPU's delegate converts itself.
        assert_eq!(of(Accelerator::Gpu, &[1, 1], SWIFTSHADER).contradiction, None);
        assert!(
            of(Accelerator::Cpu, &[1, 26], "")
                .contradiction
                .unwrap()
                .contains("webgpu")
        );
        assert!(of(Accelerator::Npu, &[26], OPENVINO).contradiction.is_some());
    }

    #[test]
    fn ops_left_to_the_cpu_contradict_the_accelerator() {
        let log = format!(
            "{SWIFTSHADER}INFO: 100 operations will run on the GPU, and the remaining 38 operations will run on the CPU.\n"
        );
        let partly = of(Accelerator::Gpu, &[26], &log);
        assert_eq!(
            partly.ops,
            Some(OpCounts {
                accelerated: 100,
                total: 138
            })
        );
        assert!(partly.contradiction.unwrap().contains("100 of 138 ops"));
        let mut claimed = placed(&[26]);
        claimed.non_cpu_fully_accelerated = Some(false);
        assert!(evidence(Accelerator::Gpu, Some(&claimed), b"").contradiction.is_some());
    }

    #[test]
    fn counts_of_several_subgraphs_add_up_and_a_broken_line_counts_nothing() {
        let log = "Partitioned subgraph<0>, selected 4 ops, from a total of 5 ops. x\n\
            Partitioned subgraph<1>, selected 2 ops, from a total of 2 ops. x\n";
        let counted = op_counts(log).unwrap();
        assert_eq!((counted.accelerated, counted.total), (6, 7));
        assert_eq!(
            op_counts("Partitioned subgraph<0>, selected some ops, from a total of 5 ops"),
            None
        );
        let huge = "99999999999 operations will run on the GPU, and the remaining 1 operations will run on the CPU";
        assert_eq!(op_counts(huge), None);
    }
}
