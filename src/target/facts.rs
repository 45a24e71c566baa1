//! What is the machine litmus itself runs on?

use std::{
    env,
    fs::{self, File},
    io::Read,
    thread,
};

use crate::report::TargetInfo;

/// The facts about this machine, as a report keeps them. Takes well under 2 ms; what cannot be read is none.
pub fn local_facts() -> TargetInfo {
    let processors = read_start("/proc/cpuinfo").unwrap_or_default();
    let soc = field(&processors, "model name").or_else(|| field(&processors, "Hardware"));
    let board = read_start("/proc/device-tree/model").map(|text| text.trim_end_matches('\0').trim().to_owned());
    let product = read_start("/sys/devices/virtual/dmi/id/product_name").map(|text| text.trim().to_owned());
    let product = product.filter(|name| !name.is_empty());
    TargetInfo {
        id: "local".to_owned(),
        kind: "local".to_owned(),
        device: board.or(product),
        soc,
        os: operating_system(),
        abi: Some(env::consts::ARCH.to_owned()),
        cores: thread::available_parallelism()
            .ok()
            .and_then(|cores| u32::try_from(cores.get()).ok()),
        memory_kb: read_start("/proc/meminfo").and_then(|text| memory_total_kb(&text)),
    }
}

/// `Debian GNU/Linux 12 (bookworm), Linux 6.1.0`
fn operating_system() -> Option<String> {
    let release = read_start("/etc/os-release").or_else(|| read_start("/usr/lib/os-release"));
    let name = release.and_then(|text| pretty_name(&text));
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease")
        .ok()
        .map(|version| format!("Linux {}", version.trim()));
    match (name, kernel) {
        (Some(name), Some(kernel)) => Some(format!("{name}, {kernel}")),
        (name, kernel) => name.or(kernel),
    }
}

/// The first 16 KiB: /proc/cpuinfo repeats itself for every processor, and takes the kernel longer for each.
fn read_start(path: &str) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(16 << 10).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The value of the first `name : value` line.
fn field(text: &str, name: &str) -> Option<String> {
    text.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(key, value)| key.trim() == name && !value.trim().is_empty())
        .map(|(_, value)| value.trim().to_owned())
}

/// `PRETTY_NAME` of an os-release file; its values may be quoted (os-release(5)).
fn pretty_name(text: &str) -> Option<String> {
    let value = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    let name = value.trim().trim_matches(['"', '\'']);
    (!name.is_empty()).then(|| name.to_owned())
}

/// `MemTotal` of /proc/meminfo, which says kB and means 1024 bytes (proc(5)).
fn memory_total_kb(text: &str) -> Option<u64> {
    field(text, "MemTotal")?.strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_the_first_processors_on_x86_and_the_hardware_line_elsewhere() {
        let x86 = "processor\t: 0\nmodel\t\t: 17\nmodel name\t: AMD EPYC 9R14\nflags\t: a b\n\nprocessor\t: 1\nmodel name\t: other\n";
        assert_eq!(field(x86, "model name").as_deref(), Some("AMD EPYC 9R14"));
        let arm = "processor\t: 0\nCPU part\t: 0xd0c\n\nHardware\t: Qualcomm SM8650\n";
        assert_eq!(field(arm, "model name"), None);
        assert_eq!(field(arm, "Hardware").as_deref(), Some("Qualcomm SM8650"));
    }

    #[test]
    fn quotes_around_the_systems_name_are_no_part_of_it() {
        assert_eq!(
            pretty_name("ID=debian\nPRETTY_NAME=\"Debian 12\"\n").as_deref(),
            Some("Debian 12")
        );
        assert_eq!(pretty_name("PRETTY_NAME=Alpine\n").as_deref(), Some("Alpine"));
        assert_eq!(pretty_name("PRETTY_NAME=\"\"\n"), None);
    }

    #[test]
    fn memory_in_an_unknown_unit_is_unknown() {
        assert_eq!(
            memory_total_kb("MemTotal:       24584912 kB\nMemFree: 1 kB\n"),
            Some(24_584_912)
        );
        assert_eq!(memory_total_kb("MemTotal:       24584912 MB\n"), None);
        assert_eq!(memory_total_kb(""), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_has_cores_memory_and_a_system() {
        let facts = local_facts();
        assert!(facts.cores.unwrap() >= 1 && facts.memory_kb.unwrap() > 100_000);
        assert!(facts.os.unwrap().contains("Linux "));
    }
}
