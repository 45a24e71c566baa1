//! What is the runtime told in the end?

use std::ffi::{CString, NulError};

use litert_sys as sys;

use super::options::{GPU, OPENVINO, OptionError, RUNTIME, VULKAN, XNNPACK, check, toml};
use crate::agent::{Accelerator, OptionValue, Precision, ProviderOptions};

/// Errors of ops are kept in the compiled model, where the agent fetches them.
const ERRORS_IN_BUFFER: i64 = 2;
/// Errors of ops go to standard error. An accelerator mostly refuses a graph before there is a compiled model to keep them.
const ERRORS_ON_STDERR: i64 = 0;
/// A GPU run returns when its results are there.
const WAIT_FOR_RESULTS: i64 = 1;
/// OpenVINO's CPU device, which is everywhere.
const OPENVINO_CPU: i64 = 0;
const GPU_FP16: i64 = 1;
const GPU_FP32: i64 = 2;

/// Checked options together with what litmus always sets: the accelerator, its precision, synchronous GPU runs, OpenVINO's
/// CPU device where no other is asked for, and errors where they are not lost.
#[derive(Clone, Debug, PartialEq)]
pub struct EffectiveOptions {
    accelerators: Accelerators,
    options: ProviderOptions,
}

/// What a graph may be compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accelerators {
    main: Accelerator,
    beside_cpu: bool,
}

impl Accelerators {
    /// The set as the runtime takes it.
    pub(super) fn bits(self) -> sys::LiteRtHwAcceleratorSet {
        let bit = |accelerator| match accelerator {
            Accelerator::Cpu => sys::kLiteRtHwAcceleratorCpu,
            Accelerator::Gpu => sys::kLiteRtHwAcceleratorGpu,
            Accelerator::Npu => sys::kLiteRtHwAcceleratorNpu,
        };
        match self.beside_cpu {
            true => bit(self.main) | bit(Accelerator::Cpu),
            false => bit(self.main),
        }
    }
}

impl EffectiveOptions {
    /// Checks `options` and completes them. What is asked for twice, or contradicts itself, is refused.
    pub fn new(
        accelerator: Accelerator,
        precision: Precision,
        threads: Option<u32>,
        options: &ProviderOptions,
    ) -> Result<EffectiveOptions, OptionError> {
        check(options)?;
        let mut options = options.clone();
        if options.remove(VULKAN).is_some() && accelerator != Accelerator::Gpu {
            return Err(OptionError::NotVulkan { accelerator });
        }
        let errors = match accelerator {
            Accelerator::Cpu => ERRORS_IN_BUFFER,
            Accelerator::Gpu | Accelerator::Npu => ERRORS_ON_STDERR,
        };
        default(&mut options, RUNTIME, "error_reporter_mode", errors);
        match accelerator {
            Accelerator::Cpu if precision != Precision::Fp32 => return Err(OptionError::CpuPrecision),
            Accelerator::Gpu => {
                let plain = match precision {
                    Precision::Fp16 => GPU_FP16,
                    Precision::Fp32 => GPU_FP32,
                };
                // The only value of its own that `check` lets through is another kind of fp16.
                let own = !default(&mut options, GPU, "precision", plain);
                if own && precision != Precision::Fp16 {
                    return Err(OptionError::GpuPrecision);
                }
                default(&mut options, GPU, "wait_type", WAIT_FOR_RESULTS);
            }
            // Without it the plugin would take an NPU where there is one and fail where there is none.
            Accelerator::Npu => {
                default(&mut options, OPENVINO, "graph.-1.graph_backend", OPENVINO_CPU);
            }
            Accelerator::Cpu => {}
        }
        if let Some(threads) = threads {
            if !(1..=1024).contains(&threads) {
                return Err(OptionError::Threads { threads });
            }
            if !default(&mut options, XNNPACK, "num_threads", i64::from(threads)) {
                return Err(OptionError::ThreadsTwice { threads });
            }
        }
        Ok(EffectiveOptions {
            accelerators: Accelerators {
                main: accelerator,
                beside_cpu: false,
            },
            options,
        })
    }

    /// The same with the CPU for what the accelerator does not take. Where a graph then runs is anybody's guess, so never to
    /// measure.
    pub fn beside_cpu(mut self) -> Self {
        self.accelerators.beside_cpu = true;
        self
    }

    pub fn accelerators(&self) -> Accelerators {
        self.accelerators
    }

    /// Identifier and TOML text of every group, as the runtime takes them.
    pub(super) fn texts(&self) -> impl Iterator<Item = (CString, CString)> {
        self.options.iter().filter_map(|(identifier, values)| {
            let text: String = values
                .iter()
                .map(|(key, value)| format!("{key} = {}\n", toml(value)))
                .collect();
            // `check` let no NUL through, so no group is lost here.
            let strings = || Ok::<_, NulError>((CString::new(identifier.as_str())?, CString::new(text)?));
            strings().ok()
        })
    }
}

/// Sets a value that is not there yet, and says whether it was not.
fn default(options: &mut ProviderOptions, identifier: &str, key: &str, value: i64) -> bool {
    let group = options.entry(identifier.to_owned()).or_default();
    let absent = !group.contains_key(key);
    if absent {
        group.insert(key.to_owned(), OptionValue::Integer(value));
    }
    absent
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(identifier: &str, key: &str, value: i64) -> ProviderOptions {
        let values = [(key.to_owned(), OptionValue::Integer(value))];
        [(identifier.to_owned(), values.into())].into()
    }

    fn text_of(effective: &EffectiveOptions, identifier: &str) -> String {
        effective
            .texts()
            .find(|(name, _)| name.to_str() == Ok(identifier))
            .map(|(_, text)| text.into_string().unwrap())
            .unwrap_or_default()
    }

    #[test]
    fn gpu_runs_are_always_synchronous_and_of_a_stated_precision() {
        let none = ProviderOptions::new();
        let fp16 = EffectiveOptions::new(Accelerator::Gpu, Precision::Fp16, None, &none).unwrap();
        assert_eq!(text_of(&fp16, GPU), "precision = 1\nwait_type = 1\n");
        let fp32 = EffectiveOptions::new(Accelerator::Gpu, Precision::Fp32, None, &none).unwrap();
        assert_eq!(text_of(&fp32, GPU), "precision = 2\nwait_type = 1\n");
        let mixed = options(GPU, "precision", 3);
        let accumulating = EffectiveOptions::new(Accelerator::Gpu, Precision::Fp16, None, &mixed).unwrap();
        assert_eq!(text_of(&accumulating, GPU), "precision = 3\nwait_type = 1\n");
        assert_eq!(
            EffectiveOptions::new(Accelerator::Gpu, Precision::Fp32, None, &mixed),
            Err(OptionError::GpuPrecision)
        );
    }

    #[test]
    fn threads_reach_xnnpack_and_are_said_once() {
        let none = ProviderOptions::new();
        let four = EffectiveOptions::new(Accelerator::Cpu, Precision::Fp32, Some(4), &none).unwrap();
        assert_eq!(text_of(&four, XNNPACK), "num_threads = 4\n");
        assert_eq!(text_of(&four, RUNTIME), "error_reporter_mode = 2\n");
        let both = options(XNNPACK, "num_threads", 4);
        let twice = EffectiveOptions::new(Accelerator::Cpu, Precision::Fp32, Some(4), &both);
        assert_eq!(twice, Err(OptionError::ThreadsTwice { threads: 4 }));
        let zero = EffectiveOptions::new(Accelerator::Cpu, Precision::Fp32, Some(0), &none);
        assert_eq!(zero, Err(OptionError::Threads { threads: 0 }));
    }

    #[test]
    fn openvino_runs_on_its_cpu_device_unless_another_is_asked_for() {
        let plain = EffectiveOptions::new(Accelerator::Npu, Precision::Fp32, None, &ProviderOptions::new()).unwrap();
        assert_eq!(text_of(&plain, OPENVINO), "graph.-1.graph_backend = 0\n");
        let npu = options(OPENVINO, "graph.-1.graph_backend", 2);
        let npu = EffectiveOptions::new(Accelerator::Npu, Precision::Fp32, None, &npu).unwrap();
        assert_eq!(text_of(&npu, OPENVINO), "graph.-1.graph_backend = 2\n");
    }

    #[test]
    fn what_is_meant_for_litmus_never_reaches_the_runtime_and_fits_the_gpu_alone() {
        let icd = [("icd".to_owned(), OptionValue::Text("swiftshader".to_owned()))];
        let vulkan: ProviderOptions = [(VULKAN.to_owned(), icd.into())].into();
        let gpu = EffectiveOptions::new(Accelerator::Gpu, Precision::Fp32, None, &vulkan).unwrap();
        assert!(gpu.texts().all(|(identifier, _)| identifier.to_str() != Ok(VULKAN)));
        let npu = EffectiveOptions::new(Accelerator::Npu, Precision::Fp32, None, &vulkan);
        assert_eq!(
            npu,
            Err(OptionError::NotVulkan {
                accelerator: Accelerator::Npu
            })
        );
    }

    #[test]
    fn the_cpu_refuses_fp16() {
        let fp16 = EffectiveOptions::new(Accelerator::Cpu, Precision::Fp16, None, &ProviderOptions::new());
        assert_eq!(fp16, Err(OptionError::CpuPrecision));
    }
}
