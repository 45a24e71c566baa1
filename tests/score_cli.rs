//! What does somebody get who scores two files? Good ones, folders of them, and files made to break a reader.
#![cfg(feature = "host")]

use std::{fs, path::PathBuf, process::Command};

use assert_cmd::cargo::cargo_bin;
use image::{ExtendedColorType, GrayImage, ImageEncoder, RgbImage, codecs::png::PngEncoder};
use serde_json::Value;

struct Folder(tempfile::TempDir);

struct Outcome {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn score(&self, arguments: &[&str]) -> Outcome {
        self.score_on_threads(arguments, "2")
    }

    fn score_on_threads(&self, arguments: &[&str], threads: &str) -> Outcome {
        let output = Command::new(cargo_bin("litmus"))
            .arg("score")
            .args(arguments)
            .current_dir(self.0.path())
            .env("RAYON_NUM_THREADS", threads)
            .output()
            .unwrap();
        Outcome {
            code: output.status.code().expect("no signal"),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Outcome {
    #[track_caller]
    fn is(&self, code: i32, words: &[&str]) -> &Outcome {
        let all = format!("stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        assert_eq!(self.code, code, "{all}");
        for word in words {
            assert!(all.contains(word), "{word:?} is not in\n{all}");
        }
        assert!(!self.stderr.contains("panicked"), "{all}");
        self
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap()
    }
}

fn f32s(values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(f32::to_le_bytes).collect()
}

fn npy(descr: &str, fortran: &str, shape: &str, values: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.as_bytes());
    file.extend(values);
    file
}

fn safetensors(header: &str, values: &[u8]) -> Vec<u8> {
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.as_bytes());
    file.extend(values);
    file
}

fn png(levels: &[u8], width: u32, height: u32, color: ExtendedColorType) -> Vec<u8> {
    let mut file = Vec::new();
    PngEncoder::new(&mut file)
        .write_image(levels, width, height, color)
        .unwrap();
    file
}

fn picture(change: impl Fn(u32, u32) -> u8) -> Vec<u8> {
    let image = RgbImage::from_fn(64, 64, |x, y| {
        let level = ((x * 3 + y) % 150) as u8 + change(x, y);
        image::Rgb([level, level, level])
    });
    png(image.as_raw(), 64, 64, ExtendedColorType::Rgb8)
}

#[test]
fn the_table_says_first_finite_then_accurate_then_where() {
    let folder = Folder::new();
    folder.write("r.png", picture(|_, _| 0));
    folder.write(
        "a.png",
        picture(|x, y| {
            if x / 4 == 10 && y / 4 == 5 {
                100
            } else {
                (x + y) as u8 % 2
            }
        }),
    );
    let outcome = folder.score(&["r.png", "a.png", "--diff", "d.png", "--histogram", "h.svg", "--full"]);
    outcome.is(
        1,
        &["0.5 % of the pixels carry 9", "without them", "tile (2, 5)", "Gini"],
    );
    let [finite, accurate, place] = ["finite    yes, all 12288", "accurate  NO: psnr", "where     "]
        .map(|words| outcome.stdout.find(words).expect(words));
    assert!(finite < accurate && accurate < place);
    let panels = image::open(folder.path("d.png")).unwrap();
    assert_eq!((panels.width(), panels.height()), (4 * 256 + 5 * 8, 256 + 2 * 8));
    assert!(fs::read_to_string(folder.path("h.svg")).unwrap().starts_with("<svg"));
}

#[test]
fn nan_is_said_first_and_never_passes() {
    let folder = Folder::new();
    folder.write("r.bin", f32s([1.0, 2.0, 3.0, 4.0]));
    folder.write("a.bin", f32s([f32::NAN; 4]));
    folder
        .score(&["r.bin", "a.bin"])
        .is(1, &["finite    NO: 4 of 4", "undefined"]);
    let json = folder.score(&["r.bin", "a.bin", "--json"]).json();
    assert_eq!(json["scores"][0]["verdict"], "nonfinite");
    assert_eq!(json["scores"][0]["psnr_db"], Value::Null);
}

#[test]
fn thresholds_tolerance_and_range_decide() {
    let folder = Folder::new();
    folder.write("r.bin", f32s((0..100).map(|i| i as f32 / 99.0)));
    folder.write("a.bin", f32s((0..100).map(|i| i as f32 / 99.0 + 0.02)));
    folder
        .score(&["r.bin", "a.bin"])
        .is(1, &["psnr 34 dB is below 40 dB", "PSNR 33.98 dB of range 1"]);
    folder
        .score(&["r.bin", "a.bin", "--range", "2"])
        .is(0, &["PSNR 40.00 dB of range 2"]);
    folder
        .score(&["r.bin", "a.bin", "--thresholds", "psnr=33"])
        .is(0, &["accurate  yes"]);
    folder
        .score(&["r.bin", "a.bin", "--thresholds", "psnr=33", "--tolerance", "0.01,0"])
        .is(1, &["share outside the tolerance 1 is above 0"]);
    folder
        .score(&["r.bin", "a.bin", "--thresholds", "speed=1"])
        .is(2, &["write bounds like"]);
    folder.score(&["r.bin", "a.bin", "--range", "0"]).is(2, &["no peak"]);
}

#[test]
fn what_disagrees_is_shown_from_both_sides() {
    let folder = Folder::new();
    folder.write("f.npy", npy("<f4", "False", "(2, 3)", &[0; 24]));
    folder.write("t.npy", npy("<f4", "False", "(3, 2)", &[0; 24]));
    folder.write("i.npy", npy("|i1", "False", "(2, 3)", &[0; 6]));
    folder.write("r.bin", [0; 12]);
    folder
        .score(&["f.npy", "t.npy"])
        .is(2, &["float32[2,3]", "float32[3,2]"]);
    folder.score(&["f.npy", "i.npy"]).is(2, &["float32[2,3]", "int8[2,3]"]);
    folder
        .score(&["r.bin", "f.npy", "--shape", "2,3"])
        .is(2, &["has 12 bytes", "takes 24"]);
    folder
        .score(&["r.bin", "f.npy", "--dtype", "float9"])
        .is(2, &["accepted: float32"]);
    folder
        .score(&["r.bin", "nothing.bin"])
        .is(2, &["cannot read", "nothing.bin"]);
    folder.score(&["r.bin", "."]).is(2, &["is a file", "folder"]);
}

#[test]
fn quantised_values_are_compared_as_what_they_stand_for() {
    let folder = Folder::new();
    folder.write("r.npy", npy("<f4", "False", "(3,)", &f32s([12.75, 0.0, 1.0])));
    folder.write("q.npy", npy("|i1", "False", "(3,)", &[127, 128, 148]));
    folder.score(&["r.npy", "q.npy"]).is(2, &["float32[3]", "int8[3]"]);
    folder
        .score(&["r.npy", "q.npy", "--actual-quant", "0.05,-128"])
        .is(0, &["accurate  yes"]);
    folder
        .score(&["r.npy", "q.npy", "--reference-quant", "0.05,-128"])
        .is(2, &["has no quantisation"]);
}

#[test]
fn arrays_of_any_order_are_read_right_and_lies_are_refused() {
    let folder = Folder::new();
    let little: Vec<u8> = (0..6u16).flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = (0..6u16).flat_map(u16::to_be_bytes).collect();
    let columns: Vec<u8> = [0, 3, 1, 4, 2, 5u16].into_iter().flat_map(u16::to_le_bytes).collect();
    folder.write("r.npy", npy("<u2", "False", "(2, 3)", &little));
    folder.write("big.npy", npy(">u2", "False", "(2, 3)", &big));
    folder.write("columns.npy", npy("<u2", "True", "(2, 3)", &columns));
    folder.write("lies.npy", npy("<u2", "False", "(2000, 3000)", &little));
    folder.write("pickled.npy", npy("|O", "False", "(1,)", &little));
    folder.write("empty.npy", npy("<u2", "False", "(0, 3)", &[]));
    folder.write("scalar.npy", npy("<u2", "False", "()", &[1, 0]));
    folder.write("torn.npy", &npy("<u2", "False", "(2, 3)", &little)[..20]);
    for name in ["big.npy", "columns.npy"] {
        folder.score(&["r.npy", name]).is(0, &["identical"]);
    }
    folder
        .score(&["r.npy", "lies.npy"])
        .is(2, &["takes 12000000 bytes, but 12 follow"]);
    folder
        .score(&["r.npy", "pickled.npy"])
        .is(2, &["pickled Python objects"]);
    folder.score(&["r.npy", "torn.npy"]).is(2, &["ends within its header"]);
    folder
        .score(&["empty.npy", "empty.npy"])
        .is(1, &["the reference has no elements"]);
    folder
        .score(&["scalar.npy", "scalar.npy"])
        .is(1, &["the reference is constant"]);
}

/// The file was written by Python's zlib from the palette and the index formula below.
#[test]
fn a_palette_picture_is_read_as_the_colours_of_its_palette() {
    const PALETTE: [[u8; 3]; 4] = [[0, 0, 0], [255, 255, 255], [10, 200, 30], [90, 80, 70]];
    let folder = Folder::new();
    folder.write("palette.png", include_bytes!("golden/palette.png"));
    let colours = RgbImage::from_fn(16, 16, |x, y| image::Rgb(PALETTE[((x * 3 + y) % 4) as usize]));
    folder.write("colours.png", png(colours.as_raw(), 16, 16, ExtendedColorType::Rgb8));
    folder.score(&["colours.png", "palette.png"]).is(0, &["identical"]);
}

#[test]
fn pictures_of_every_kind_are_read_right_or_refused() {
    let folder = Folder::new();
    let image = RgbImage::from_fn(16, 16, |x, y| image::Rgb([(x * y) as u8, x as u8, y as u8]));
    let with_alpha = |alpha: u8| -> Vec<u8> { image.pixels().flat_map(|p| [p.0[0], p.0[1], p.0[2], alpha]).collect() };
    let rgb = png(image.as_raw(), 16, 16, ExtendedColorType::Rgb8);
    folder.write("rgb.png", &rgb);
    folder.write("opaque.png", png(&with_alpha(255), 16, 16, ExtendedColorType::Rgba8));
    folder.write("clear.png", png(&with_alpha(254), 16, 16, ExtendedColorType::Rgba8));
    let grey = GrayImage::from_fn(16, 16, |x, y| image::Luma([(x * y) as u8]));
    folder.write("grey.png", png(grey.as_raw(), 16, 16, ExtendedColorType::L8));
    let wide: Vec<u8> = image
        .as_raw()
        .iter()
        .flat_map(|&level| (u16::from(level) * 257).to_ne_bytes())
        .collect();
    folder.write("wide.png", png(&wide, 16, 16, ExtendedColorType::Rgb16));
    folder.write("torn.png", &rgb[..rgb.len() / 2]);
    let mut huge = rgb.clone();
    huge[16..20].copy_from_slice(&60_000u32.to_be_bytes());
    huge[20..24].copy_from_slice(&60_000u32.to_be_bytes());
    folder.write("huge.png", huge);
    folder.write("text.png", "not a picture");
    folder.score(&["rgb.png", "opaque.png"]).is(0, &["identical"]);
    folder
        .score(&["rgb.png", "clear.png"])
        .is(2, &["pixel (0, 0) is not opaque"]);
    folder
        .score(&["rgb.png", "grey.png"])
        .is(2, &["uint8[16,16,3]", "uint8[16,16,1]"]);
    folder.score(&["grey.png", "grey.png"]).is(0, &["identical"]);
    folder
        .score(&["wide.png", "wide.png"])
        .is(0, &["float32[16,16,3]", "identical"]);
    folder
        .score(&["rgb.png", "wide.png"])
        .is(2, &["uint8[16,16,3]", "float32[16,16,3]"]);
    for name in ["torn.png", "huge.png", "text.png"] {
        folder
            .score(&["rgb.png", name])
            .is(2, &[name, "no picture that can be read"]);
    }
}

#[test]
fn tensors_of_a_file_are_matched_by_name_and_overlaps_are_refused() {
    let folder = Folder::new();
    let two = r#"{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"y":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}}"#;
    let other = r#"{"y":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"z":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}}"#;
    let overlapping = r#"{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"y":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}}"#;
    folder.write("two.safetensors", safetensors(two, &f32s([9.0, 8.0, 1.0, 2.0])));
    folder.write("other.safetensors", safetensors(other, &f32s([1.0, 2.0, 5.0, 5.0])));
    folder.write("overlapping.safetensors", safetensors(overlapping, &[0; 12]));
    let unmatched = [
        "y float32[2]",
        "identical",
        "x is only in the reference",
        "z is only in the actual",
    ];
    folder
        .score(&["two.safetensors", "other.safetensors"])
        .is(1, &unmatched);
    folder
        .score(&["two.safetensors", "other.safetensors", "--tensor", "y"])
        .is(0, &["identical"]);
    folder
        .score(&["two.safetensors", "other.safetensors", "--tensor", "w"])
        .is(2, &["no tensor", "has x, y"]);
    folder
        .score(&["overlapping.safetensors", "two.safetensors"])
        .is(2, &["no .safetensors file that can be read"]);
}

#[test]
fn folders_are_matched_by_name_whatever_else_is_in_them() {
    let folder = Folder::new();
    for side in ["r", "a"] {
        folder.write(&format!("{side}/x.bin"), f32s([1.0, 2.0]));
        folder.write(&format!("{side}/deep/y.bin"), f32s([3.0, 4.0]));
        folder.write(&format!("{side}/notes.txt"), "not a tensor");
    }
    folder.score(&["r", "a"]).is(0, &["x.bin", "deep/y.bin"]);
    folder.score(&["r", "a", "--diff", "d.png"]).is(2, &["2 match"]);
    fs::remove_file(folder.path("a/x.bin")).unwrap();
    let json = folder.score(&["r", "a", "--json"]);
    assert_eq!(json.is(1, &[]).json()["unmatched"][0]["name"], "x.bin");
}

#[test]
fn the_number_of_threads_changes_no_digit() {
    let folder = Folder::new();
    let level = |i: u32, seed: u32| (i.wrapping_mul(2_654_435_761).wrapping_add(seed) >> 16) as u8;
    let tall = |seed: u32| {
        (0..700 * 40 * 3)
            .map(|i| level(i, seed) / 2 + level(i, 7) / 2)
            .collect::<Vec<u8>>()
    };
    folder.write("r.png", png(&tall(0), 40, 700, ExtendedColorType::Rgb8));
    folder.write("a.png", png(&tall(1 << 30), 40, 700, ExtendedColorType::Rgb8));
    let [one, three] = ["1", "3"].map(|threads| folder.score_on_threads(&["r.png", "a.png", "--json"], threads).stdout);
    assert_eq!(one, three);
    assert!(one.contains("\"ssim\"") && !one.contains("\"ssim\": null"), "{one}");
}
