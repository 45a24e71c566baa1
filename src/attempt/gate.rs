//! Is the target cool enough to measure?

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use super::{Observer, Progress, ThermalGate};
use crate::{sweep::ThermalSpec, target::Target};

/// How long a gate waits when the sweep file does not say.
const DEFAULT_WAIT: Duration = Duration::from_secs(300);
/// Android's thermal service answers once a second at most.
const POLL: Duration = Duration::from_secs(1);

/// Waits until the target is cool enough, says so, and gives up in time. None when the sweep has no gate.
pub(super) fn wait(
    target: &dyn Target,
    spec: &ThermalSpec,
    interrupted: &AtomicBool,
    observer: &mut dyn Observer,
) -> Option<ThermalGate> {
    let limit = spec.max_headroom?;
    let patience = spec.max_wait_s.map_or(DEFAULT_WAIT, |s| Duration::from_secs(s.into()));
    let since = Instant::now();
    loop {
        let waited_ms = u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX);
        let Some(headroom) = target.thermal().headroom else {
            return Some(ThermalGate::Unknown);
        };
        if headroom <= limit {
            return Some(ThermalGate::Opened { waited_ms });
        }
        if since.elapsed() >= patience || interrupted.load(Ordering::Relaxed) {
            return Some(ThermalGate::GaveUp { waited_ms });
        }
        observer.progress(&Progress::Cooling { headroom, limit });
        thread::sleep(POLL);
    }
}
