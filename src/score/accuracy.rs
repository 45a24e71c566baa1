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
    /// Infinities that both sides have where the case allows them; no metric counts them.
    #[serde(default)]
    pub equal_infinities: u64,
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
    /// Cosine of the angle between both; none when either is zero throughout.
    #[serde(default)]
    pub cosine: Option<f64>,
    pub max_abs: Option<f64>,
    pub mean_abs: Option<f64>,
    /// Root of the mean squared error.
    #[serde(default)]
    pub rms: Option<f64>,
    /// `rms` over the reference's own max - min.
    #[serde(default)]
    pub nrmse: Option<f64>,
    /// Of the 8-bit picture, L = 255; pictures only.
    pub ssim: Option<f64>,
    /// How much of the squared error the worst elements carry: of a picture, the worst pixels of its 8-bit form.
    #[serde(default)]
    pub worst: Option<WorstShares>,
    /// How few elements carry most of the squared error.
    #[serde(default)]
    pub carriers: Option<Carriers>,
    /// PSNR of all but the worst 0.5 %, by the peak of `psnr_db`, of a picture by that of `psnr_u8_db`. None where
    /// nothing is left, or what is left has no error.
    #[serde(default)]
    pub psnr_without_worst_0_5: Option<f64>,
    /// Share of elements outside the tolerance, where one is set.
    #[serde(default)]
    pub outside: Option<f64>,
    /// The worst parts along each axis: of a picture its channels and tiles.
    #[serde(default)]
    pub breakdown: Option<Vec<Breakdown>>,
    pub verdict: Verdict,
    /// Which threshold was missed, or why the reference was refused, in words.
    pub reason: Option<String>,
}

/// Shares of the squared error, 0 to 1, that the worst so many percent of the elements carry.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorstShares {
    #[serde(rename = "0.1")]
    pub worst_0_1: f64,
    #[serde(rename = "0.5")]
    pub worst_0_5: f64,
    #[serde(rename = "1")]
    pub worst_1: f64,
    #[serde(rename = "5")]
    pub worst_5: f64,
}

/// The least share of the elements, 0 to 1, that carries so many percent of the squared error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Carriers {
    #[serde(rename = "50")]
    pub of_50: f64,
    #[serde(rename = "90")]
    pub of_90: f64,
}

/// Where the squared error sits along one axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Breakdown {
    /// `channel`, `token`, `head`, `row`, `column`, `tile`.
    pub by: String,
    /// Parts the axis has.
    pub parts: u64,
    /// The worst of them, worst first.
    pub worst: Vec<Part>,
}

/// One part of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// From 0; tiles are counted row by row.
    pub index: u64,
    /// Its share of the squared error, 0 to 1.
    pub share: f64,
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
