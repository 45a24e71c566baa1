//! What really ran? Read from evidence, never from what was asked for.

use super::Measured;
use crate::agent::Accelerator;

/// The provider of an attempt, none when the evidence does not tell.
///
/// On the CPU the runtime says on standard error that it made the XNNPACK delegate; every buffer must then be host
/// memory (type 1).
pub fn provider(accelerator: Accelerator, measured: &Measured, stderr: &[u8]) -> Option<String> {
    let placement = measured.placement.as_ref()?;
    let in_host_memory = placement.buffer_types.iter().all(|&kind| kind == 1);
    let says = |text: &str| String::from_utf8_lossy(stderr).contains(text);
    match accelerator {
        Accelerator::Cpu if in_host_memory && says("XNNPACK delegate") => Some("xnnpack".to_owned()),
        _ => None,
    }
}
