//! Does anything else compete for the processors that a graph is about to be timed on?

use std::{fs, thread};

use super::HostState;

/// Up to this share of the processors busy with other things, the machine counts as quiet.
const QUIET_SHARE: f64 = 0.25;

/// The state of this machine now. Reads three small kernel files; what cannot be read is none.
pub fn read_host_state() -> HostState {
    let load = fs::read_to_string("/proc/loadavg")
        .ok()
        .and_then(|text| LoadAverage::parse(&text));
    let governor = fs::read_to_string("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").ok();
    let cores = thread::available_parallelism().ok();
    HostState {
        load: load.map(|load| load.one_minute),
        governor: governor
            .map(|text| text.trim().to_owned())
            .filter(|name| !name.is_empty()),
        quiet: load.zip(cores).and_then(|(load, cores)| load.is_quiet(cores.get())),
    }
}

/// What /proc/loadavg says (proc(5)).
#[derive(Clone, Copy, Debug, PartialEq)]
struct LoadAverage {
    one_minute: f64,
    /// Threads that run or could run now, the reading one among them.
    running: u32,
}

impl LoadAverage {
    fn parse(text: &str) -> Option<LoadAverage> {
        let mut fields = text.split_ascii_whitespace();
        let one_minute: f64 = fields.next()?.parse().ok()?;
        let (running, _) = fields.nth(2)?.split_once('/')?;
        let is_sound = one_minute.is_finite() && one_minute >= 0.0;
        is_sound.then_some(LoadAverage {
            one_minute,
            running: running.parse().ok()?,
        })
    }

    /// False when others run right now. When nobody does but the load of the last minute is high, that load may be
    /// what the sweep itself has just run, so it cannot be told.
    fn is_quiet(self, cores: usize) -> Option<bool> {
        let limit = QUIET_SHARE * cores as f64;
        let others = self.running.saturating_sub(1);
        if f64::from(others) > limit {
            Some(false)
        } else {
            (self.one_minute <= limit).then_some(true)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn others_that_run_now_make_it_loud_and_a_load_of_the_past_makes_it_unknown() {
        let quiet = |text: &str, cores| LoadAverage::parse(text).unwrap().is_quiet(cores);
        assert_eq!(quiet("0.10 0.20 0.30 1/123 4567", 2), Some(true));
        assert_eq!(quiet("0.10 0.20 0.30 2/123 4567", 2), Some(false));
        assert_eq!(quiet("1.90 0.20 0.30 1/123 4567", 2), None);
        // One other thread takes an eighth of eight cores.
        assert_eq!(quiet("0.90 0.20 0.30 2/123 4567", 8), Some(true));
    }

    #[test]
    fn a_load_that_is_no_number_is_unknown() {
        for text in ["", "nan 0 0 1/2 3", "-1 0 0 1/2 3", "0.1 0.1 0.1", "0.1 0.1 0.1 x/2 3"] {
            assert_eq!(LoadAverage::parse(text), None, "{text}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_has_a_load() {
        assert!(read_host_state().load.is_some());
    }

    proptest! {
        #[test]
        fn any_text_is_answered(text in "[0-9./ a-z-]{0,40}") {
            if let Some(load) = LoadAverage::parse(&text) {
                prop_assert!(load.one_minute.is_finite());
            }
        }
    }
}
