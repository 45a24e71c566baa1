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

#[cfg(test)]
mod tests {
    use std::{cell::Cell, io, path::Path};

    use super::*;
    use crate::{
        agent::{Job, ThermalReading},
        install::{Readiness, Runtime, Surroundings, Wanted},
        report::TargetInfo,
        target::Running,
    };

    /// A machine that is as hot as these readings say, one after the other, and then stays at the last.
    struct Oven {
        info: TargetInfo,
        readings: Vec<Option<f32>>,
        next: Cell<usize>,
    }

    impl Oven {
        fn new(readings: &[Option<f32>]) -> Self {
            Oven {
                info: TargetInfo::default(),
                readings: readings.to_vec(),
                next: Cell::new(0),
            }
        }
    }

    impl Target for Oven {
        fn info(&self) -> &TargetInfo {
            &self.info
        }

        fn start(&self, _: &Job, _: &Surroundings, _: &Path) -> io::Result<Running> {
            Err(io::ErrorKind::Unsupported.into())
        }

        fn readiness(&self, _: &Wanted, _: &Runtime) -> Readiness {
            Readiness::Ready {
                with: "heat".to_owned(),
                needs: Surroundings::default(),
            }
        }

        fn thermal(&self) -> ThermalReading {
            let now = self.next.get();
            self.next.set((now + 1).min(self.readings.len() - 1));
            ThermalReading {
                headroom: self.readings[now],
                ..ThermalReading::default()
            }
        }
    }

    /// Counts what is said.
    struct Told(usize);

    impl Observer for Told {
        fn progress(&mut self, _: &Progress<'_>) {
            self.0 += 1;
        }
    }

    fn gate(max_headroom: Option<f32>, max_wait_s: u32, readings: &[Option<f32>]) -> (Option<ThermalGate>, usize) {
        let spec = ThermalSpec {
            max_headroom,
            max_wait_s: Some(max_wait_s),
        };
        let mut told = Told(0);
        let gate = wait(&Oven::new(readings), &spec, &AtomicBool::new(false), &mut told);
        (gate, told.0)
    }

    #[test]
    fn a_sweep_without_a_gate_never_waits() {
        assert_eq!(gate(None, 9, &[Some(3.0)]), (None, 0));
    }

    #[test]
    fn a_cool_machine_is_measured_at_once() {
        let (opened, told) = gate(Some(0.8), 9, &[Some(0.8)]);
        assert!(
            matches!(opened, Some(ThermalGate::Opened { waited_ms: 0..500 })),
            "{opened:?}"
        );
        assert_eq!(told, 0);
    }

    #[test]
    fn a_hot_machine_is_waited_for_and_the_wait_is_said() {
        let (opened, told) = gate(Some(0.8), 9, &[Some(0.9), Some(0.7)]);
        assert!(
            matches!(opened, Some(ThermalGate::Opened { waited_ms: 900.. })),
            "{opened:?}"
        );
        assert_eq!(told, 1);
    }

    #[test]
    fn a_machine_that_stays_hot_is_measured_in_the_end_and_the_row_says_so() {
        let (gave_up, _) = gate(Some(0.8), 1, &[Some(0.9)]);
        assert!(
            matches!(gave_up, Some(ThermalGate::GaveUp { waited_ms: 900.. })),
            "{gave_up:?}"
        );
    }

    #[test]
    fn a_machine_that_does_not_tell_is_unknown_and_not_cool() {
        assert_eq!(gate(Some(0.8), 9, &[None]), (Some(ThermalGate::Unknown), 0));
    }
}
