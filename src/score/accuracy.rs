//! What does a score say about one output?

use serde::{Deserialize, Serialize};

/// The score of one output against its reference. Unknown or undefined is none, never NaN and never infinity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Accuracy {
    /// Role of the output (`hidden`, `image`), else its name.
    pub output: String,
    /// What it was compared with (`framework fp32`, `fp32 twin`, `same graph on cpu`).
    pub reference: String,
    /// Elements compared.
    pub count: u64,
    /// Output elements that are NaN or infinite.
    pub nonfinite: u64,
    /// Index of the first of them, row-major.
    pub first_nonfinite: Option<u64>,
    /// Every element equal; PSNR and SNR are then infinite and null.
    pub identical: bool,
    pub psnr_db: Option<f64>,
    /// The peak L that `psnr_db` was taken with.
    pub range: Option<f64>,
    /// PSNR of the 8-bit picture, L = 255; pictures only.
    pub psnr_u8_db: Option<f64>,
    pub snr_db: Option<f64>,
    /// Pearson correlation; none when either side is constant.
    pub corr: Option<f64>,
    pub max_abs: Option<f64>,
    pub mean_abs: Option<f64>,
    /// Of the 8-bit picture, L = 255; pictures only.
    pub ssim: Option<f64>,
    pub verdict: Verdict,
    /// Which threshold was missed, or why the reference was refused, in words.
    pub reason: Option<String>,
}

/// What a score means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Pass,
    Inaccurate,
    Nonfinite,
    /// The reference cannot judge anything: it is not finite, or it is constant.
    Refused,
}
