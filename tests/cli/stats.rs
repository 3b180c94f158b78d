//! `render --stats`: the numbers add up, and match the drawn frames.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::command::{BOX, tintype};
use crate::support::trial;
use serde_json::Value;
use std::fs;
use tempfile::TempDir;
use tintype_model::simd::Level;

const SCENE: &str = r#"
[output]
size = [64, 48]
samples = 4
look = "classic"
background = [0, 0, 0]
frames = "0-3"
[[material]]
name = "crate"
[[model]]
file = "box.md5mesh"
"#;

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("box.md5mesh"), BOX).unwrap();
    fs::write(folder.path().join("scene.toml"), SCENE).unwrap();
    folder
}

/// The document of a run, and where its frames are.
fn document(arguments: &[&str]) -> (Value, TempDir) {
    let folder = folder();
    let all = [&["render", "scene.toml", "-o", "####.png", "--stats=json"], arguments].concat();
    let output = tintype(folder.path(), &all);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    (serde_json::from_slice(&output.stdout).unwrap(), folder)
}

fn number(value: &Value, path: &str) -> u64 {
    value.pointer(path).and_then(Value::as_u64).unwrap_or_else(|| panic!("{path} in {value}"))
}

#[trial]
fn stats_of_triangles_add_up() {
    let (document, _folder) = document(&[]);
    let dropped = ["outside", "facing_away", "without_area", "between_samples"];
    for frame in document["frames"].as_array().unwrap() {
        let of = |name: &str| number(frame, &format!("/triangles/{name}"));
        assert_eq!(of("given"), 12, "a box has 12 triangles");
        assert_eq!(of("clipped"), 0, "a fitted camera cuts nothing");
        assert!(of("facing_away") >= 6, "half of a box is turned away, or more: {frame}");
        let dropped: u64 = dropped.iter().map(|&name| of(name)).sum();
        assert_eq!(of("given"), dropped + of("drawn"), "{frame}");
        assert!(of("in_tiles") >= of("drawn"), "{frame}");
    }
}

#[trial]
fn stats_of_clipped_triangles_are_told() {
    let folder = folder();
    let inside = format!(
        "{SCENE}\n[camera]\nkind = \"look-at\"\neye = [0, 0, 0]\ntarget = [0, 0, 1]\nnear = 0.1\nfar = 100\n"
    );
    fs::write(
        folder.path().join("scene.toml"),
        inside.replace("\"crate\"", "\"crate\"\ncull = \"none\""),
    )
    .unwrap();
    let arguments = ["render", "scene.toml", "-f", "0", "-o", "####.png", "--stats=json"];
    let output = tintype(folder.path(), &arguments);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let of = |name: &str| number(&document, &format!("/sum/triangles/{name}"));
    assert!(of("clipped") > 0, "the camera stands in the box: {document}");
    let dropped = of("outside") + of("facing_away") + of("without_area") + of("between_samples");
    let (whole, drawn) = (of("given") - dropped - of("clipped"), of("drawn"));
    assert!(drawn >= whole && drawn <= whole + 6 * of("clipped"), "six pieces at most: {document}");
}

#[trial]
fn stats_of_pixels_and_bytes_are_those_of_the_files() {
    let (document, folder) = document(&["-f", "0,2"]);
    let frames = document["frames"].as_array().unwrap();
    let numbers: Vec<u64> = frames.iter().map(|frame| number(frame, "/frame")).collect();
    assert_eq!(numbers, [0, 2]);
    for frame in frames {
        let path = folder.path().join(format!("{:04}.png", number(frame, "/frame")));
        let bytes = fs::read(path).unwrap();
        assert_eq!(number(frame, "/png_bytes"), bytes.len() as u64);
        let (picture, _) = tintype_output::decode_png(&bytes).unwrap();
        let rows = picture.rgba.chunks_exact(64);
        let shown: usize =
            rows.map(|row| row.iter().filter(|&&pixel| pixel != row[0]).count()).sum();
        let covered = number(frame, "/pixels/covered");
        assert!(
            covered > 100 && covered >= shown as u64,
            "{covered} covered, {shown} unlike what is behind"
        );
        assert!(number(frame, "/pixels/points_lit") > covered, "edges show several things");
        assert!(number(frame, "/tiles/samples") <= 64 * 48 * 4);
    }
    for path in ["/tiles/all", "/pixels/covered", "/png_bytes", "/triangles/drawn"] {
        let sum: u64 = frames.iter().map(|frame| number(frame, path)).sum();
        assert_eq!(number(&document, &format!("/sum{path}")), sum, "{path}");
    }
}

#[trial]
fn stats_of_times_stay_within_their_frame() {
    let (document, _folder) = document(&["-j", "1"]);
    for frame in document["frames"].as_array().unwrap() {
        let of = |name: &str| frame["stages"][name].as_f64().unwrap();
        let steps = ["pose_and_skin", "project", "set_up_and_bin", "shadows", "tiles", "views"];
        let sum: f64 = steps.iter().chain(&["encode", "write"]).map(|&name| of(name)).sum();
        let whole = frame["seconds"].as_f64().unwrap();
        assert!(sum > 0.0 && sum <= whole, "{sum} of {whole}");
        let in_tiles = of("coverage_in_threads") + of("light_in_threads");
        assert!(in_tiles > 0.0 && in_tiles <= of("tiles"), "one thread: {frame}");
    }
}

/// Level, threads and tiles are those that ran, on the page, in the document and beside each frame.
#[trial]
fn stats_tell_the_instructions_threads_and_tiles_that_ran() {
    let mut asked = 0;
    for level in Level::available() {
        for (threads, tile) in [(1, 4), (2, 17), (3, 32), (8, 64)] {
            let [threads_asked, tile_asked] = [threads, tile].map(|number| number.to_string());
            let cut = ["--simd", level.name(), "-j", &threads_asked, "--tile", &tile_asked];
            let (document, folder) = document(&[&cut[..], &["-f", "0"]].concat());
            assert_eq!(document["instructions"], level.name());
            assert_eq!(number(&document, "/threads"), threads);
            assert_eq!(number(&document, "/tile"), tile);
            let tiles = 64_u64.div_ceil(tile) * 48_u64.div_ceil(tile);
            assert_eq!(number(&document, "/sum/tiles/all"), tiles);

            let again = ["render", "scene.toml", "-o", "####.png", "-f", "1", "--stats", "-v"];
            let output = tintype(folder.path(), &[&again[..], &cut].concat());
            let page = String::from_utf8_lossy(&output.stderr);
            let plural = if threads == 1 { "" } else { "s" };
            let beside =
                format!("by {} on {threads} thread{plural} in tiles of {tile}", level.name());
            let head = format!("{threads} thread{plural}, {}, tiles of {tile}", level.name());
            assert!(page.contains(&beside) && page.contains(&head), "{beside}, {head}: {page}");
            assert!(
                page.lines().any(|line| line.starts_with("time  ")),
                "lines of a table: {page}"
            );
            asked += 1;
        }
    }
    assert!(asked >= 8, "plain code and another");
}

#[trial]
fn stats_change_no_byte_and_may_be_a_page() {
    let (_, with) = document(&[]);
    let without = folder();
    let output = tintype(without.path(), &["render", "scene.toml", "-o", "####.png"]);
    assert_eq!(output.status.code(), Some(0));
    for name in ["0000.png", "0001.png", "0002.png", "0003.png"] {
        let read = |folder: &TempDir| fs::read(folder.path().join(name)).unwrap();
        assert!(read(&with) == read(&without), "{name}");
    }
    let again = ["render", "scene.toml", "-o", "####.png", "--overwrite", "--stats"];
    let output = tintype(without.path(), &again);
    let page = String::from_utf8_lossy(&output.stderr);
    assert!(page.contains("triangles given") && page.contains("4 frames of 64x48"), "{page}");
    assert!(output.stdout.is_empty());
}

#[trial]
fn stats_of_present_frames_are_an_empty_list() {
    let (_, folder) = document(&[]);
    let arguments = ["render", "scene.toml", "-o", "####.png", "--stats=json"];
    let output = tintype(folder.path(), &arguments);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["frames"].as_array().unwrap().len(), 0);
}

#[trial]
fn stats_share_standard_output_with_nobody() {
    let folder = folder();
    let arguments = ["render", "scene.toml", "-f", "0", "-o", "-", "--stats=json"];
    let output = tintype(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("--stats=json") && message.contains("-o -"), "{message}");
}
