//! `litmus score`

use std::{fs, path::PathBuf, process::ExitCode};

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::{
    Failure,
    failure::{NOT_READY, USAGE},
    output,
};
use crate::{
    report::{percent, sparse_error, worst_parts},
    score::{
        Accuracy, Comparison, Full, Pairs, TensorPair, Terms, Unmatched, Values, Verdict, full, histogram, pairs,
        score, triptych,
    },
    sweep::{OutputKind, PictureLayout, PictureMapping, Thresholds, Tolerance},
    tensor::{
        DType, Quantisation, TensorSpec,
        file::{Content, RawSpec},
    },
};

/// Score tensors or pictures against references: is it finite, is it accurate, and where does the error sit
///
/// Both are files (.bin and .raw: raw little-endian values; .npy; .safetensors; .png; .jpg) or folders of such files, which are
/// matched by name. docs/scoring.md defines every figure. Exit codes: 0 within the thresholds, 1 outside, 2 nothing that can
/// be compared.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  litmus score reference.png output.png --diff diff.png
  litmus score image_ref.bin image.bin --shape 1,3,64,64 --display klein
  litmus score golden/ outputs/ --thresholds psnr=45 --json
  litmus score ref.npy out.npy --tolerance 1e-3,1e-2 --histogram errors.svg")]
pub struct ScoreArgs {
    /// The reference: the side that is right
    #[arg(value_name = "REFERENCE")]
    reference: PathBuf,

    /// The output under test
    #[arg(value_name = "ACTUAL")]
    actual: PathBuf,

    /// Shape of raw files, like 1,3,64,64; else that of the other side, or one dimension
    #[arg(long, value_name = "D,D,…", value_delimiter = ',')]
    shape: Option<Vec<u32>>,

    /// Element type of raw files
    #[arg(long, value_name = "TYPE", default_value_t = DType::Float32)]
    dtype: DType,

    /// Only the tensor of this name
    #[arg(long, value_name = "NAME")]
    tensor: Option<String>,

    /// Peak of PSNR, in place of the reference's own max - min
    #[arg(long, value_name = "L")]
    range: Option<f64>,

    /// How a tensor is shown: klein is a picture of -1 (black) to 1 (white)
    #[arg(long, value_enum, default_value_t = Display::None)]
    display: Display,

    /// Order of a picture's dimensions, and what the dimensions of a tensor are called
    #[arg(long, value_enum)]
    layout: Option<Layout>,

    /// Element-wise tolerance that no element may exceed: |a - r| <= ABS + REL |r|; SHARE of them may
    #[arg(long, value_name = "ABS,REL[,SHARE]")]
    tolerance: Option<Tolerance>,

    /// Bounds in place of the default ones, like psnr=40,ssim=0.995,corr=0.999,max-abs=0.1
    #[arg(long, value_name = "BOUNDS")]
    thresholds: Option<Thresholds>,

    /// Quantisation of the reference's integers: value = SCALE (q - ZERO)
    #[arg(long, value_name = "SCALE,ZERO", value_parser = quantisation)]
    reference_quant: Option<Quantisation>,

    /// Quantisation of the output's integers
    #[arg(long, value_name = "SCALE,ZERO", value_parser = quantisation)]
    actual_quant: Option<Quantisation>,

    /// Infinities are right where the reference has the same
    #[arg(long)]
    equal_infinities: bool,

    /// Gini coefficient and relative errors too; takes 8 bytes of memory for each element
    #[arg(long)]
    full: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Write reference, output, signed and absolute difference side by side, the worst tiles outlined
    #[arg(long, value_name = "PNG")]
    diff: Option<PathBuf>,

    /// Write the distribution of the absolute error
    #[arg(long, value_name = "SVG")]
    histogram: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Display {
    /// -1 is black, 1 is white
    Klein,
    /// 0 is black, 1 is white
    ZeroToOne,
    /// 0 is black, 255 is white
    Byte,
    /// No picture
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Layout {
    Nchw,
    Nhwc,
}

fn quantisation(text: &str) -> Result<Quantisation, String> {
    let parsed = text.split_once(',').and_then(|(scale, zero_point)| {
        let scale: f64 = scale
            .trim()
            .parse()
            .ok()
            .filter(|scale: &f64| scale.is_finite() && *scale > 0.0)?;
        let zero_point = zero_point.trim().parse().ok()?;
        Some(Quantisation { scale, zero_point })
    });
    parsed.ok_or_else(|| "write a scale above 0 and a whole zero point, like 0.05,-128".to_owned())
}

/// What `--json` prints.
#[derive(Serialize)]
struct Printed<'a> {
    schema: &'static str,
    scores: &'a [Scored],
    unmatched: &'a [Unmatched],
}

#[derive(Serialize)]
struct Scored {
    #[serde(flatten)]
    accuracy: Accuracy,
    full: Option<Full>,
    /// What was compared, for people.
    #[serde(skip)]
    spec: String,
}

/// Runs the subcommand.
pub fn run(args: &ScoreArgs) -> Result<ExitCode, Failure> {
    let raw = RawSpec {
        dtype: Some(args.dtype),
        shape: args.shape.clone(),
    };
    let found =
        pairs(&args.reference, &args.actual, &raw, args.tensor.as_deref()).map_err(|error| Failure::usage(&error))?;
    if found.matched.len() > 1 && (args.diff.is_some() || args.histogram.is_some()) {
        return Err(usage(format!(
            "--diff and --histogram take one pair, but {} match; choose one with --tensor",
            found.matched.len()
        )));
    }
    if let Some(range) = args.range.filter(|range| !(range.is_finite() && *range > 0.0)) {
        return Err(usage(format!(
            "--range {range} is no peak; it must be above 0 and finite"
        )));
    }
    let scores = found
        .matched
        .iter()
        .map(|pair| args.score(pair))
        .collect::<Result<Vec<_>, _>>()?;
    let text = match args.json {
        true => json(&scores, &found)?,
        false => table(&scores, &found),
    };
    output::print(&text)?;
    let all_pass = scores.iter().all(|scored| scored.accuracy.verdict == Verdict::Pass);
    Ok(match all_pass && found.unmatched.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(1),
    })
}

fn usage(message: String) -> Failure {
    Failure {
        exit_code: USAGE,
        message,
    }
}

impl ScoreArgs {
    fn score(&self, pair: &TensorPair) -> Result<Scored, Failure> {
        let name = if pair.name.is_empty() {
            self.actual.display().to_string()
        } else {
            pair.name.clone()
        };
        self.check_specs(&name, pair)?;
        let kind = self.kind(pair);
        let thresholds = Thresholds {
            tolerance: self.tolerance.or(self.thresholds.and_then(|bounds| bounds.tolerance)),
            ..self.thresholds.unwrap_or(match kind {
                OutputKind::Tensor => Thresholds::TENSOR,
                OutputKind::Picture { .. } => Thresholds::PICTURE,
            })
        };
        let comparison = Comparison {
            output: &name,
            reference_kind: &self.reference.display().to_string(),
            shape: &pair.reference.spec.shape,
            reference: Values {
                quantisation: self.reference_quant,
                ..Values::plain(pair.reference.spec.dtype, pair.reference.bytes())
            },
            actual: Values {
                quantisation: self.actual_quant,
                ..Values::plain(pair.actual.spec.dtype, pair.actual.bytes())
            },
            kind,
            thresholds,
            terms: Terms {
                peak: self.range,
                equal_infinities: self.equal_infinities,
                layout: self.layout.map(Layout::picture_layout),
            },
        };
        let accuracy = score(&comparison).map_err(|error| Failure::usage(&error))?;
        let full = match self.full {
            true => full(&comparison).map_err(|error| Failure::usage(&error))?,
            false => None,
        };
        if let Some(path) = &self.diff {
            let png = triptych(&comparison).map_err(|error| Failure::usage(&error))?;
            write(path, &png)?;
        }
        if let Some(path) = &self.histogram {
            let svg = histogram(&comparison).map_err(|error| Failure::usage(&error))?;
            write(path, svg.as_bytes())?;
        }
        Ok(Scored {
            accuracy,
            full,
            spec: pair.actual.spec.to_string(),
        })
    }

    /// Both must be of one shape, and of one type unless quantisation makes both real numbers.
    fn check_specs(&self, name: &str, pair: &TensorPair) -> Result<(), Failure> {
        let sides = [
            ("the reference", &pair.reference.spec, self.reference_quant),
            ("the output", &pair.actual.spec, self.actual_quant),
        ];
        for (side, spec, quantisation) in sides {
            if quantisation.is_some() && (is_float(spec) || spec.dtype == DType::Bool) {
                return Err(usage(format!(
                    "{side} of \"{name}\" is {spec}, which has no quantisation"
                )));
            }
        }
        let [reference, actual] = sides.map(|(_, spec, _)| spec);
        let both_real = sides
            .iter()
            .all(|(_, spec, quantisation)| is_float(spec) || quantisation.is_some());
        let is_dequantised = self.reference_quant.is_some() || self.actual_quant.is_some();
        if reference.shape == actual.shape && (reference.dtype == actual.dtype || (both_real && is_dequantised)) {
            return Ok(());
        }
        Err(usage(format!(
            "\"{name}\" is {reference} in the reference but {actual} in the output; both must be the same"
        )))
    }

    fn kind(&self, pair: &TensorPair) -> OutputKind {
        let are_pictures = [&pair.reference, &pair.actual]
            .iter()
            .all(|tensor| tensor.content == Content::Picture);
        let mapping = match self.display {
            Display::Klein => PictureMapping::MinusOneToOne,
            Display::ZeroToOne => PictureMapping::ZeroToOne,
            Display::Byte => PictureMapping::Byte,
            Display::None if !are_pictures => return OutputKind::Tensor,
            Display::None => {
                return OutputKind::Picture {
                    layout: PictureLayout::Nhwc,
                    mapping: PictureMapping::Byte,
                };
            }
        };
        OutputKind::Picture {
            layout: self.layout.map_or(PictureLayout::Nchw, Layout::picture_layout),
            mapping,
        }
    }
}

impl Layout {
    fn picture_layout(self) -> PictureLayout {
        match self {
            Layout::Nchw => PictureLayout::Nchw,
            Layout::Nhwc => PictureLayout::Nhwc,
        }
    }
}

fn is_float(spec: &TensorSpec) -> bool {
    matches!(
        spec.dtype,
        DType::Float16 | DType::Bfloat16 | DType::Float32 | DType::Float64
    )
}

fn write(path: &PathBuf, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(path, bytes).map_err(|error| Failure {
        exit_code: NOT_READY,
        message: format!("cannot write {}: {error}", path.display()),
    })
}

fn json(scores: &[Scored], found: &Pairs) -> Result<String, Failure> {
    let printed = Printed {
        schema: "litmus.score/1",
        scores,
        unmatched: &found.unmatched,
    };
    let text = serde_json::to_string_pretty(&printed).map_err(|error| Failure::not_ready(&error))?;
    Ok(text + "\n")
}

/// First whether it is finite, then whether it is accurate, then where the error sits.
fn table(scores: &[Scored], found: &Pairs) -> String {
    let mut text = String::new();
    for scored in scores {
        let score = &scored.accuracy;
        text.push_str(&format!(
            "{} {} against {}\n",
            score.output, scored.spec, score.reference
        ));
        let mut rows = vec![("finite", finite(score)), ("accurate", accurate(score))];
        rows.extend(figures(score).map(|figures| ("", figures)));
        rows.extend(sparse_error(score).map(|sparse| ("where", sparse)));
        rows.extend(worst_parts(score).into_iter().map(|part| ("", part)));
        rows.extend(scored.full.map(|full| ("full", more(&full))));
        for (name, value) in rows {
            text.push_str(&format!("  {name:<9} {value}\n"));
        }
    }
    for one in &found.unmatched {
        text.push_str(&format!("{} is only in the {}\n", one.name, one.only_in));
    }
    text
}

fn finite(score: &Accuracy) -> String {
    let infinities = match score.equal_infinities {
        0 => String::new(),
        count => format!(", {count} of them infinities that both sides have"),
    };
    match score.nonfinite {
        0 => format!("yes, all {} values{infinities}", score.count),
        count => format!("NO: {count} of {} values are NaN or infinite", score.count),
    }
}

fn accurate(score: &Accuracy) -> String {
    let reason = score
        .reason
        .as_ref()
        .map(|reason| format!(": {reason}"))
        .unwrap_or_default();
    match score.verdict {
        Verdict::Pass => format!("yes{reason}"),
        Verdict::Inaccurate => format!("NO{reason}"),
        Verdict::Nonfinite => format!("NO, undefined{reason}"),
        Verdict::Refused => format!("unknown, the reference is refused{reason}"),
    }
}

/// None where nothing was measured.
fn figures(score: &Accuracy) -> Option<String> {
    score.max_abs?;
    if score.identical {
        return Some("identical".to_owned());
    }
    let of_range = score
        .range
        .map(|range| format!(" of range {}", three(range)))
        .unwrap_or_default();
    let known: Vec<String> = [
        score.psnr_u8_db.map(|db| format!("PSNR {db:.2} dB (8-bit)")),
        score.psnr_db.map(|db| format!("PSNR {db:.2} dB{of_range}")),
        score.ssim.map(|ssim| format!("SSIM {ssim:.6}")),
        score.snr_db.map(|db| format!("SNR {db:.2} dB")),
        score.corr.map(|corr| format!("corr {corr:.6}")),
        score.max_abs.map(|error| format!("max abs {}", three(error))),
        score.mean_abs.map(|error| format!("mean abs {}", three(error))),
        score.rms.map(|error| format!("rms {}", three(error))),
        score
            .outside
            .map(|share| format!("{} % outside the tolerance", percent(share))),
    ]
    .into_iter()
    .flatten()
    .collect();
    Some(known.join(", "))
}

fn more(full: &Full) -> String {
    let gini = full
        .gini
        .map_or_else(|| "undefined".to_owned(), |gini| format!("{gini:.4}"));
    let relative = match (full.max_rel, full.mean_rel) {
        (Some(max), Some(mean)) => format!(
            "relative error at most {}, {} on average, of the {} values of at least {}",
            three(max),
            three(mean),
            full.rel_count,
            three(full.rel_floor)
        ),
        _ => "no relative error: the reference is zero".to_owned(),
    };
    format!("Gini of the squared error {gini}; {relative}")
}

fn three(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        1e-3..1e6 => {
            let digits = (2 - value.abs().log10().floor() as i32).max(0) as usize;
            format!("{value:.digits$}")
        }
        _ => format!("{value:.2e}"),
    }
}
