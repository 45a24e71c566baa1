//! Where does litmus keep what it can fetch or compute again?

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

/// No environment variable says where a cache could be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no cache folder: none of LITMUS_CACHE, XDG_CACHE_HOME and HOME is set; set LITMUS_CACHE to a folder with 100 MB to spare"
)]
pub struct NoCacheDir;

/// The root of the user's cache: `LITMUS_CACHE`, else `XDG_CACHE_HOME/litmus`, else `~/.cache/litmus`.
/// Absolute; the folder need not exist yet.
///
/// The order and the rule that a relative `XDG_CACHE_HOME` is ignored follow the XDG Base Directory Specification 0.8.
pub fn cache_dir() -> Result<PathBuf, NoCacheDir> {
    let dir = resolve(
        env::var_os("LITMUS_CACHE"),
        env::var_os("XDG_CACHE_HOME"),
        env::var_os("HOME"),
    )?;
    // A relative LITMUS_CACHE means the current folder; children of ours may have another one.
    std::path::absolute(dir).map_err(|_| NoCacheDir)
}

fn resolve(litmus: Option<OsString>, xdg: Option<OsString>, home: Option<OsString>) -> Result<PathBuf, NoCacheDir> {
    let given = |value: Option<OsString>| value.filter(|text| !text.is_empty()).map(PathBuf::from);
    let absolute = |value: Option<OsString>| given(value).filter(|path| Path::is_absolute(path));
    given(litmus)
        .or_else(|| absolute(xdg).map(|dir| dir.join("litmus")))
        .or_else(|| absolute(home).map(|dir| dir.join(".cache/litmus")))
        .ok_or(NoCacheDir)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Option<OsString> {
        Some(text.into())
    }

    #[test]
    fn litmus_cache_wins_over_xdg_over_home() {
        assert_eq!(resolve(set("/l"), set("/x"), set("/h")), Ok("/l".into()));
        assert_eq!(resolve(None, set("/x"), set("/h")), Ok("/x/litmus".into()));
        assert_eq!(resolve(None, None, set("/h")), Ok("/h/.cache/litmus".into()));
    }

    #[test]
    fn empty_and_relative_settings_count_as_unset() {
        assert_eq!(resolve(set(""), set("x"), set("/h")), Ok("/h/.cache/litmus".into()));
    }

    #[test]
    fn without_any_setting_the_error_names_the_variable_to_set() {
        let error = resolve(None, None, set("")).unwrap_err();
        assert!(error.to_string().contains("set LITMUS_CACHE"));
    }
}
