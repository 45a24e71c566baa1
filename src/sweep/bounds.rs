//! How are thresholds written on a command line?

use std::str::FromStr;

use super::{Thresholds, Tolerance};

/// A text that is no list of thresholds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{text}\" {problem}; write bounds like psnr=40,ssim=0.995,corr=0.999,max-abs=0.1,tolerance=0.01:0.001")]
pub struct BoundsError {
    text: String,
    problem: &'static str,
}

impl FromStr for Thresholds {
    type Err = BoundsError;

    /// `psnr=40,ssim=0.995`: what is not named is not checked.
    fn from_str(text: &str) -> Result<Self, BoundsError> {
        let mut thresholds = Thresholds::default();
        for item in text.split(',') {
            let problem = |problem| BoundsError {
                text: item.to_owned(),
                problem,
            };
            let (name, value) = item.split_once('=').ok_or_else(|| problem("is no bound"))?;
            if name == "tolerance" {
                thresholds.tolerance = Some(tolerance(value, ':')?);
                continue;
            }
            let slot = match name {
                "psnr" => &mut thresholds.psnr_db,
                "ssim" => &mut thresholds.ssim,
                "corr" => &mut thresholds.corr,
                "max-abs" => &mut thresholds.max_abs,
                _ => return Err(problem("names no metric that can have a bound")),
            };
            *slot = Some(finite(value).ok_or_else(|| problem("has no finite number"))?);
        }
        Ok(thresholds)
    }
}

impl FromStr for Tolerance {
    type Err = BoundsError;

    /// `abs,rel` or `abs,rel,share`.
    fn from_str(text: &str) -> Result<Self, BoundsError> {
        tolerance(text, ',')
    }
}

fn tolerance(text: &str, separator: char) -> Result<Tolerance, BoundsError> {
    let problem = |problem| BoundsError {
        text: text.to_owned(),
        problem,
    };
    let numbers: Option<Vec<f64>> = text.split(separator).map(finite).collect();
    let tolerance = match numbers.as_deref() {
        Some(&[abs, rel]) => Tolerance { abs, rel, share: 0.0 },
        Some(&[abs, rel, share]) => Tolerance { abs, rel, share },
        _ => return Err(problem("is no absolute and relative tolerance")),
    };
    match tolerance.is_usable() {
        true => Ok(tolerance),
        false => Err(problem("has a tolerance below 0 or a share beyond 0 to 1")),
    }
}

fn finite(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_read_and_what_is_not_named_is_not_checked() {
        let thresholds: Thresholds = "psnr=40,max-abs=1e-3,tolerance=0.5:0:0.01".parse().unwrap();
        assert_eq!(
            thresholds,
            Thresholds {
                psnr_db: Some(40.0),
                max_abs: Some(1e-3),
                tolerance: Some(Tolerance {
                    abs: 0.5,
                    rel: 0.0,
                    share: 0.01
                }),
                ..Thresholds::default()
            }
        );
        assert_eq!("1e-3,0.5".parse::<Tolerance>().unwrap().rel, 0.5);
    }

    #[test]
    fn what_is_no_bound_is_refused_with_its_text() {
        for text in [
            "psnr",
            "psnr=",
            "psnr=nan",
            "psnr=inf",
            "speed=3",
            "",
            "tolerance=1",
            "tolerance=-1:0",
        ] {
            let error = text.parse::<Thresholds>().unwrap_err().to_string();
            assert!(error.contains("write bounds like"), "{text}: {error}");
        }
        assert!("1,2,3".parse::<Tolerance>().is_err());
    }
}
