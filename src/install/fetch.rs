//! How does a wheel come from the package index the user's pip is set up with?

use std::{
    ffi::OsStr,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use super::{InstallError, catalogue::Release};
use crate::store::sha256_file;

/// pip gives up a connection after 15 s and tries again five times; past this it hangs on something else.
const STALL_LIMIT: Duration = Duration::from_secs(300);
const POLL: Duration = Duration::from_millis(100);
/// What a person needs of pip's output; the last lines say what failed.
const OUTPUT_LINES: usize = 8;

/// A way to call pip that works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pip {
    command: &'static [&'static str],
    /// As pip says it: `23.2.1`.
    pub version: String,
}

impl Pip {
    /// `python3 -m pip`
    pub fn command_line(&self) -> String {
        self.command.join(" ")
    }
}

/// The first of `python3 -m pip`, `pip3`, `pip` that answers.
pub fn find_pip() -> Option<Pip> {
    const CANDIDATES: [&[&str]; 3] = [&["python3", "-m", "pip"], &["pip3"], &["pip"]];
    CANDIDATES.into_iter().find_map(|command| {
        let output = start(command).arg("--version").stderr(Stdio::null()).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        let version = text.strip_prefix("pip ")?.split_whitespace().next()?.to_owned();
        output.status.success().then_some(Pip { command, version })
    })
}

/// Downloads the wheel of `release` into the existing, empty folder `scratch`, and returns its path; see [`verify`].
/// `on_bytes` is called with the bytes that have arrived so far.
pub fn download(release: &Release, scratch: &Path, on_bytes: &mut dyn FnMut(u64)) -> Result<PathBuf, InstallError> {
    download_with(&find_pip().ok_or(InstallError::NoPip)?, release, scratch, on_bytes)
}

fn download_with(
    pip: &Pip,
    release: &Release,
    scratch: &Path,
    on_bytes: &mut dyn FnMut(u64),
) -> Result<PathBuf, InstallError> {
    let (arrived, temporary, log) = (scratch.join("wheel"), scratch.join("tmp"), scratch.join("pip.log"));
    for dir in [&arrived, &temporary] {
        fs::create_dir(dir).map_err(InstallError::io("create", dir))?;
    }
    let output = File::create(&log).map_err(InstallError::io("create", &log))?;
    let errors = output.try_clone().map_err(InstallError::io("create", &log))?;
    let child = start(pip.command)
        .args([
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-input",
            "--progress-bar",
            "off",
        ])
        .args(["--no-deps", "--only-binary=:all:", "--python-version", "3.11"])
        .args([
            "--implementation",
            "cp",
            "--abi",
            "cp311",
            "--platform",
            &release.platform(),
        ])
        .arg("--dest")
        .arg(&arrived)
        .arg(format!("{}=={}", release.project.pypi(), release.version))
        // pip collects the bytes here, so that they can be counted; `python3 -m` looks for modules in the current
        // folder, so that must not be one that holds somebody's pip.py.
        .env("TMPDIR", &temporary)
        .current_dir(&temporary)
        // Nothing is installed, so a rule about where to install does not apply.
        .env("PIP_REQUIRE_VIRTUALENV", "0")
        .stdout(output)
        .stderr(errors)
        .spawn()
        .map_err(InstallError::io("start", Path::new(pip.command[0])))?;
    let id = release.id();
    if !wait(child, &id, STALL_LIMIT, &|| bytes_below(scratch), on_bytes)? {
        let output = last_lines(&log);
        return Err(InstallError::Pip { id, output });
    }
    the_one_file(&arrived, &release.wheel())
}

/// Size and SHA-256 must be those that the catalogue pins.
pub fn verify(wheel: &Path, release: &Release) -> Result<(), InstallError> {
    let wrong = |what| InstallError::WrongContent {
        wheel: release.wheel(),
        what,
    };
    let bytes = fs::metadata(wheel).map_err(InstallError::io("read", wheel))?.len();
    if bytes != release.wheel_bytes {
        return Err(wrong(format!("{bytes} bytes instead of {}", release.wheel_bytes)));
    }
    let sha256 = sha256_file(wheel).map_err(InstallError::io("read", wheel))?;
    if sha256 != release.wheel_sha256 {
        return Err(wrong(format!("SHA-256 {sha256} instead of {}", release.wheel_sha256)));
    }
    Ok(())
}

fn start(command: &[&str]) -> Command {
    let mut process = Command::new(command[0]);
    process.args(&command[1..]).stdin(Stdio::null());
    process
}

/// True when the child ended well. It is stopped when nothing arrives for `stall_limit`.
fn wait(
    mut child: Child,
    id: &str,
    stall_limit: Duration,
    count: &dyn Fn() -> u64,
    on_bytes: &mut dyn FnMut(u64),
) -> Result<bool, InstallError> {
    let (mut bytes, mut moved) = (0, Instant::now());
    loop {
        let ended = child
            .try_wait()
            .map_err(InstallError::io("wait for", Path::new("pip")))?;
        let now = count();
        if now != bytes {
            (bytes, moved) = (now, Instant::now());
            on_bytes(now);
        }
        if let Some(status) = ended {
            return Ok(status.success());
        }
        if moved.elapsed() > stall_limit {
            // It may have ended this very moment; either way it is gone after the wait.
            let _ = child.kill();
            let _ = child.wait();
            return Err(InstallError::Stalled {
                id: id.to_owned(),
                after: stall_limit,
            });
        }
        thread::sleep(POLL);
    }
}

/// Bytes of all files below `dir`. What vanishes while it is counted counts as nothing.
fn bytes_below(dir: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(dir) else { return 0 };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(found) if found.is_dir() => bytes_below(&entry.path()),
            Ok(found) => found.len(),
            Err(_) => 0,
        })
        .sum()
}

fn the_one_file(dir: &Path, name: &str) -> Result<PathBuf, InstallError> {
    let found: Vec<_> = fs::read_dir(dir)
        .map_err(InstallError::io("read", dir))?
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    match &found[..] {
        [only] if only == OsStr::new(name) => Ok(dir.join(name)),
        _ => Err(InstallError::WrongFile {
            wanted: name.to_owned(),
            found: found.iter().map(|name| name.to_string_lossy().into_owned()).collect(),
        }),
    }
}

fn last_lines(log: &Path) -> String {
    let text = fs::read(log)
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .unwrap_or_default();
    let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() {
        return "it said nothing".to_owned();
    }
    lines[lines.len().saturating_sub(OUTPUT_LINES)..].join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::install::catalogue::RELEASES;

    /// A pip that is a shell script; `$dest` is where the wheel belongs.
    fn fake_pip(dir: &Path, script: &str) -> Pip {
        let path = dir.join("pip.sh");
        let find_dest = r#"while [ $# -gt 1 ]; do case $1 in --dest) dest=$2 ;; esac; shift; done; spec=$1"#;
        fs::write(&path, format!("{find_dest}\n{script}\n")).unwrap();
        let path: &'static str = path.to_str().unwrap().to_owned().leak();
        Pip {
            command: vec!["sh", path].leak(),
            version: "0".to_owned(),
        }
    }

    fn download_by(script: &str) -> (Result<PathBuf, InstallError>, Vec<u64>) {
        let dir = tempfile::tempdir().unwrap();
        let scratch = dir.path().join("scratch");
        fs::create_dir(&scratch).unwrap();
        let mut seen = Vec::new();
        let pip = fake_pip(dir.path(), script);
        (
            download_with(&pip, &RELEASES[0], &scratch, &mut |bytes| seen.push(bytes)),
            seen,
        )
    }

    #[test]
    fn pip_is_asked_for_the_pinned_version_and_its_file_is_taken() {
        let (wheel, seen) = download_by(&format!(
            r#"test "$spec" = ai-edge-litert==2.1.4 && printf 12345 > "$dest/{}""#,
            RELEASES[0].wheel()
        ));
        assert!(wheel.unwrap().ends_with(RELEASES[0].wheel()));
        assert_eq!(seen.last(), Some(&5));
    }

    #[test]
    fn what_pip_says_when_it_fails_reaches_the_person() {
        let (result, _) = download_by("echo 'ERROR: no route to index' >&2; exit 1");
        assert_eq!(
            result.unwrap_err().to_string(),
            "pip could not download litert-2.1.4: ERROR: no route to index"
        );
        let (result, _) = download_by("exit 1");
        assert!(result.unwrap_err().to_string().ends_with("it said nothing"));
    }

    #[test]
    fn another_file_than_the_pinned_one_is_refused() {
        let (result, _) = download_by(r#"touch "$dest/other.whl""#);
        assert!(matches!(result, Err(InstallError::WrongFile { found, .. }) if found == ["other.whl"]));
        let (result, _) = download_by("true");
        assert!(matches!(result, Err(InstallError::WrongFile { found, .. }) if found.is_empty()));
    }

    #[test]
    fn a_download_that_stands_still_is_stopped() {
        let child = Command::new("sleep").arg("600").spawn().unwrap();
        let pid = child.id();
        let result = wait(child, "litert-2.1.4", Duration::from_millis(10), &|| 7, &mut |_| {});
        assert!(matches!(result, Err(InstallError::Stalled { .. })));
        assert!(!Path::new("/proc").join(pid.to_string()).exists());
    }
}
