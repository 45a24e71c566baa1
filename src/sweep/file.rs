//! Is this text a sweep file, and does it make sense?

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{AccuracySpec, SweepSpec, Thresholds};
use crate::{
    agent::Accelerator,
    litert::{EffectiveOptions, options::OptionError},
    store::{read_text, sha256_bytes},
};

/// A sweep file that was read and makes sense by itself.
#[derive(Clone, Debug)]
pub struct SweepFile {
    pub spec: SweepSpec,
    pub text: String,
    /// SHA-256 of `text`.
    pub sha256: String,
    /// The folder its paths are relative to.
    pub folder: PathBuf,
}

/// Why a sweep file cannot be used. All of them are exit code 2.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    #[error("cannot read the sweep file {path}")]
    Read { path: PathBuf, source: io::Error },
    /// The problem's text names line, column and what would be accepted.
    #[error("the sweep file {path} is not valid:\n{problem}")]
    Parse {
        path: PathBuf,
        problem: Box<toml::de::Error>,
    },
    #[error("the sweep file {path}: {key} {problem}")]
    Value {
        path: PathBuf,
        key: String,
        problem: String,
    },
    #[error("the sweep file {path}: accelerator entry {entry}")]
    Options {
        path: PathBuf,
        entry: usize,
        source: Box<OptionError>,
    },
}

impl SweepFile {
    /// Reads and checks a sweep file.
    pub fn read(path: &Path) -> Result<Self, SweepError> {
        let text = read_text(path).map_err(|source| SweepError::Read {
            path: path.to_owned(),
            source,
        })?;
        // Absolute, because a run that is resumed elsewhere still means these files.
        let folder = std::path::absolute(path)
            .ok()
            .and_then(|path| path.parent().map(Path::to_owned))
            .unwrap_or_default();
        Self::parse(path, text, folder)
    }

    /// Checks the text of a sweep file. `path` is only for messages; `folder` is what its paths are relative to.
    pub fn parse(path: &Path, text: String, folder: PathBuf) -> Result<Self, SweepError> {
        let spec: SweepSpec = toml::from_str(&text).map_err(|problem| SweepError::Parse {
            path: path.to_owned(),
            problem: Box::new(problem),
        })?;
        check(&spec).map_err(|(key, problem)| SweepError::Value {
            path: path.to_owned(),
            key,
            problem,
        })?;
        for (entry, accelerator) in spec.accelerators.iter().enumerate() {
            EffectiveOptions::new(
                accelerator.kind,
                accelerator.precision,
                accelerator.threads,
                &accelerator.options,
            )
            .map_err(|source| SweepError::Options {
                path: path.to_owned(),
                entry: entry + 1,
                source: Box::new(source),
            })?;
        }
        Ok(SweepFile {
            sha256: sha256_bytes(text.as_bytes()),
            spec,
            text,
            folder,
        })
    }

    /// Where the index of its graph set is.
    pub fn index_path(&self) -> PathBuf {
        self.folder.join(&self.spec.graphs.index)
    }

    /// Where its file of expected failures is, if it names one.
    pub fn baseline_path(&self) -> Option<PathBuf> {
        self.spec.baseline.as_ref().map(|file| self.folder.join(file))
    }
}

/// The JSON Schema of a sweep file, pretty-printed.
pub fn schema() -> String {
    format!("{:#}\n", schemars::schema_for!(SweepSpec).to_value())
}

/// A run folder's name has the time in it too, and file systems end at 255.
const NAME_LIMIT: usize = 100;

type Problem = (String, String);

/// Checks that no type makes. Gives the key and what is wrong with its value.
fn check(spec: &SweepSpec) -> Result<(), Problem> {
    let problem = |key: &str, text: String| Err((key.to_owned(), text));
    if spec.name.is_empty()
        || spec.name.len() > NAME_LIMIT
        || !spec
            .name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
    {
        return problem(
            "name",
            "must be at most 100 letters, digits, \".\", \"_\" and \"-\": run folders start with it".to_owned(),
        );
    }
    if spec.runtimes.is_empty() {
        return problem(
            "runtimes",
            "is empty; leave it out for the default, or name one".to_owned(),
        );
    }
    if spec.accelerators.is_empty() {
        return problem(
            "accelerator",
            "is empty; add [[accelerator]] with kind = \"cpu\"".to_owned(),
        );
    }
    let protocol = &spec.protocol;
    for (key, value, least, most) in [
        ("protocol.warmups", protocol.warmups, 0, 1_000_000),
        ("protocol.runs", protocol.runs, 1, 1_000_000),
        ("protocol.processes", protocol.processes, 1, 1_000),
        ("protocol.retries", protocol.retries, 0, 100),
        ("protocol.load_timeout_s", protocol.load_timeout_s, 1, 86_400),
        ("protocol.compile_timeout_s", protocol.compile_timeout_s, 1, 86_400),
        ("protocol.run_timeout_s", protocol.run_timeout_s, 1, 86_400),
        ("protocol.attempt_timeout_s", protocol.attempt_timeout_s, 1, 864_000),
    ] {
        if !(least..=most).contains(&value) {
            return problem(key, format!("is {value}; accepted: {least} to {most}"));
        }
    }
    let absent = |required: &&Accelerator| spec.accelerators.iter().all(|entry| entry.kind != **required);
    if let Some(required) = spec.require.iter().find(absent) {
        return problem(
            "require",
            format!("names {required}, but no accelerator entry is of that kind"),
        );
    }
    if spec.thermal.max_headroom.is_some_and(|h| !(h.is_finite() && h > 0.0)) {
        return problem(
            "thermal.max_headroom",
            "must be above 0; 1.0 is where severe throttling starts".to_owned(),
        );
    }
    check_accuracy(&spec.accuracy)
}

fn check_accuracy(accuracy: &AccuracySpec) -> Result<(), Problem> {
    let rules = accuracy.output.iter().enumerate();
    let named = [
        ("accuracy.tensor".to_owned(), &accuracy.tensor),
        ("accuracy.picture".to_owned(), &accuracy.picture),
    ]
    .into_iter()
    .chain(rules.map(|(i, rule)| (format!("accuracy.output entry {}", i + 1), &rule.thresholds)));
    for (key, thresholds) in named {
        let Some(Thresholds {
            psnr_db,
            ssim,
            corr,
            max_abs,
        }) = thresholds
        else {
            continue;
        };
        let bounds = [psnr_db, ssim, corr, max_abs];
        if bounds.iter().all(|bound| bound.is_none()) {
            return Err((
                key,
                "has no bound, so everything would pass; set one of psnr_db, ssim, corr, max_abs".to_owned(),
            ));
        }
        if bounds.into_iter().flatten().any(|bound| !bound.is_finite()) {
            return Err((key, "has a bound that is not finite".to_owned()));
        }
        let above_one = |bound: &Option<f64>| bound.is_some_and(|bound| bound > 1.0);
        if above_one(ssim) || above_one(corr) || max_abs.is_some_and(|bound| bound < 0.0) {
            return Err((
                key,
                "has a bound that nothing can keep: ssim and corr end at 1, max_abs begins at 0".to_owned(),
            ));
        }
    }
    if accuracy.tensor.is_some_and(|t| t.ssim.is_some()) {
        return Err(("accuracy.tensor.ssim".to_owned(), "is for pictures only".to_owned()));
    }
    Ok(())
}
