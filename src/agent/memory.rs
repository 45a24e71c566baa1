//! How much memory is resident?

use std::fs;

use super::Memory;

impl Memory {
    /// The process as it is now, from one read of `/proc/self/status`, so that the figures belong together.
    pub(super) fn now() -> Memory {
        fs::read_to_string("/proc/self/status").map_or_else(|_| Memory::default(), |status| parse(&status))
    }
}

/// Reads the text of `/proc/<pid>/status`. A field that is absent, cut off or in another unit is none.
fn parse(status: &str) -> Memory {
    // The kernel ends every line; a last line without an end was cut off, perhaps in the middle of its number.
    let whole = status.rfind('\n').map_or("", |end| &status[..end]);
    let field = |name: &str| {
        whole.lines().find_map(|line| {
            let value = line.strip_prefix(name)?.strip_prefix(':')?;
            value.trim().strip_suffix("kB")?.trim_end().parse().ok()
        })
    };
    Memory {
        rss_kb: field("VmRSS"),
        peak_kb: field("VmHWM"),
        anon_kb: field("RssAnon"),
        file_kb: field("RssFile"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATUS: &str =
        "Name:\tlitmus-agent\nVmHWM:\t    2404 kB\nVmRSS:\t    2200 kB\nRssAnon:\t     180 kB\nRssFile:\t    2020 kB\n";

    #[test]
    fn every_field_is_read() {
        let all = Memory {
            rss_kb: Some(2200),
            peak_kb: Some(2404),
            anon_kb: Some(180),
            file_kb: Some(2020),
        };
        assert_eq!(parse(STATUS), all);
    }

    #[test]
    fn a_missing_or_strange_field_is_unknown_and_the_others_stay() {
        let strange = STATUS.replace("2200 kB", "2200 MB").replace("RssAnon", "RssOther");
        let memory = parse(&strange);
        assert_eq!((memory.rss_kb, memory.anon_kb), (None, None));
        assert_eq!((memory.peak_kb, memory.file_kb), (Some(2404), Some(2020)));
        assert_eq!(parse("VmRSS:\t-5 kB\nVmRSSX:\t9 kB\n").rss_kb, None);
    }

    #[test]
    fn a_text_cut_anywhere_never_yields_another_number() {
        let all = parse(STATUS);
        for end in 0..STATUS.len() {
            let cut = parse(&STATUS[..end]);
            for (cut, whole) in [
                (cut.rss_kb, all.rss_kb),
                (cut.peak_kb, all.peak_kb),
                (cut.anon_kb, all.anon_kb),
                (cut.file_kb, all.file_kb),
            ] {
                assert!(cut.is_none() || cut == whole, "cut at {end}: {cut:?}");
            }
        }
    }

    #[test]
    fn this_process_has_memory() {
        let now = Memory::now();
        assert!(now.rss_kb.unwrap() > 100);
        assert!(now.peak_kb >= now.rss_kb);
    }
}
