//! How hot is the machine?

use std::{fs, path::Path};

use super::ThermalReading;

/// Where Linux keeps its thermal zones.
const SYSFS: &str = "/sys/class/thermal";
/// Readings outside are sensors that are off, not temperatures.
const PLAUSIBLE_C: std::ops::RangeInclusive<f32> = -40.0..=150.0;
/// Degrees below the throttling point at which the headroom is 0.
const HEADROOM_SPAN_C: f32 = 30.0;

impl ThermalReading {
    /// The hottest processor zone now; all none where there is none to read.
    pub fn now() -> ThermalReading {
        read(Path::new(SYSFS))
    }
}

fn read(root: &Path) -> ThermalReading {
    let Ok(entries) = fs::read_dir(root) else {
        return ThermalReading::default();
    };
    let hottest = entries
        .filter_map(|entry| Zone::read(&entry.ok()?.path()))
        .max_by(|a, b| a.temperature_c.total_cmp(&b.temperature_c));
    match hottest {
        None => ThermalReading::default(),
        Some(zone) => ThermalReading {
            status: None,
            headroom: zone.throttling_c.map(|limit| headroom(zone.temperature_c, limit)),
            temperature_c: Some(zone.temperature_c),
            source: Some("sysfs".to_owned()),
        },
    }
}

/// 1 at the throttling point, 0 from 30 degrees below it on, linear between: the scale of Android's thermal headroom.
fn headroom(temperature_c: f32, throttling_c: f32) -> f32 {
    ((temperature_c - (throttling_c - HEADROOM_SPAN_C)) / HEADROOM_SPAN_C).max(0.0)
}

/// A thermal zone of a processor.
struct Zone {
    temperature_c: f32,
    /// Lowest trip point of type hot or critical.
    throttling_c: Option<f32>,
}

impl Zone {
    fn read(folder: &Path) -> Option<Zone> {
        let kind = text(&folder.join("type"))?;
        if !is_processor(&kind) {
            return None;
        }
        Some(Zone {
            temperature_c: celsius(&folder.join("temp"))?,
            throttling_c: throttling_c(folder),
        })
    }
}

fn is_processor(kind: &str) -> bool {
    let kind = kind.to_ascii_lowercase();
    kind.starts_with("cpu") || kind == "coretemp" || kind == "x86_pkg_temp"
}

fn throttling_c(zone: &Path) -> Option<f32> {
    (0..)
        .map(|index| (index, zone.join(format!("trip_point_{index}_type"))))
        .map_while(|(index, path)| Some((index, text(&path)?)))
        .filter(|(_, kind)| kind == "hot" || kind == "critical")
        .filter_map(|(index, _)| celsius(&zone.join(format!("trip_point_{index}_temp"))))
        .min_by(f32::total_cmp)
}

/// A file of millidegrees, as degrees; none where the sensor is off.
fn celsius(path: &Path) -> Option<f32> {
    let millidegrees: i32 = text(path)?.parse().ok()?;
    let degrees = millidegrees as f32 / 1000.0;
    (millidegrees != 0 && PLAUSIBLE_C.contains(&degrees)).then_some(degrees)
}

fn text(path: &Path) -> Option<String> {
    Some(fs::read_to_string(path).ok()?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(root: &Path, name: &str, files: &[(&str, &str)]) {
        let folder = root.join(name);
        fs::create_dir(&folder).unwrap();
        for (file, content) in files {
            fs::write(folder.join(file), format!("{content}\n")).unwrap();
        }
    }

    #[test]
    fn the_hottest_processor_zone_is_taken_and_others_are_not() {
        let root = tempfile::tempdir().unwrap();
        zone(root.path(), "thermal_zone0", &[("type", "acpitz"), ("temp", "99000")]);
        zone(
            root.path(),
            "thermal_zone1",
            &[("type", "x86_pkg_temp"), ("temp", "61000")],
        );
        zone(root.path(), "thermal_zone2", &[("type", "cpu-1-3"), ("temp", "62500")]);
        zone(root.path(), "thermal_zone3", &[("type", "CPU-0"), ("temp", "-274000")]);
        let reading = read(root.path());
        assert_eq!(reading.temperature_c, Some(62.5));
        assert_eq!(reading.headroom, None);
        assert_eq!(reading.source.as_deref(), Some("sysfs"));
    }

    #[test]
    fn headroom_counts_from_thirty_degrees_below_the_lowest_hot_trip() {
        let root = tempfile::tempdir().unwrap();
        zone(
            root.path(),
            "thermal_zone0",
            &[
                ("type", "x86_pkg_temp"),
                ("temp", "80000"),
                ("trip_point_0_type", "passive"),
                ("trip_point_0_temp", "60000"),
                ("trip_point_1_type", "critical"),
                ("trip_point_1_temp", "105000"),
                ("trip_point_2_type", "hot"),
                ("trip_point_2_temp", "95000"),
            ],
        );
        assert_eq!(read(root.path()).headroom, Some(0.5));
        assert_eq!(headroom(40.0, 95.0), 0.0);
        assert_eq!(headroom(95.0, 95.0), 1.0);
    }

    #[test]
    fn nothing_to_read_is_unknown_and_not_cool() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(read(root.path()), ThermalReading::default());
        assert_eq!(read(&root.path().join("absent")), ThermalReading::default());
        zone(root.path(), "thermal_zone0", &[("type", "cpu"), ("temp", "0")]);
        assert_eq!(read(root.path()), ThermalReading::default());
    }
}
