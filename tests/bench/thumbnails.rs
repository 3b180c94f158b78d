//! A thousand thumbnails: copies of the models in `TINTYPE_MODELS`, each with one vertex altered,
//! in a separate folder.
//!
//! Prints wall time, CPU time and memory of a first run, which draws everything, and of a second
//! one, which finds everything up to date. Files are warm, because they were just written.
//! `TINTYPE_COPIES` sets another number of copies.
#![allow(clippy::print_stdout, reason = "what a benchmark is for")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops at the first surprise")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Copies, unless set in the environment.
const COPIES: usize = 1000;

fn main() {
    // `cargo test` starts benchmarks too, to see that they start.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let Some(models) = std::env::var_os("TINTYPE_MODELS").map(PathBuf::from) else {
        println!("TINTYPE_MODELS is not set");
        return;
    };
    let copies = std::env::var("TINTYPE_COPIES").map_or(COPIES, |text| text.parse().unwrap());
    let root = tempfile::tempdir().unwrap();
    let sources = sources(&models);
    for k in 0..copies {
        let (path, text) = &sources[k % sources.len()];
        copy(&root.path().join("models"), k, k / sources.len(), path, text);
    }
    println!("{copies} copies of {} models", sources.len());
    for name in ["all drawn", "all there"] {
        run(root.path(), name);
    }
}

/// The readable models with text vertices.
fn sources(models: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![models.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let text = path.to_string_lossy().to_lowercase();
            if path.is_dir() && !text.ends_with("invalid") {
                folders.push(path);
            } else if text.ends_with(".md5mesh") || text.ends_with(".x") {
                let Ok(text) = fs::read_to_string(&path) else { continue };
                if altered(&text, 0).is_some() && !path.ends_with("malformed_skinweights_oob.x") {
                    found.push((path, text));
                }
            }
        }
    }
    found.sort();
    found
}

/// A copy of a model with an individual number in one coordinate, beside links to everything in its
/// folder.
fn copy(root: &Path, number: usize, round: usize, model: &Path, text: &str) {
    let folder = root.join(format!("{number:04}"));
    fs::create_dir_all(&folder).unwrap();
    for entry in fs::read_dir(model.parent().unwrap()).unwrap() {
        let path = entry.unwrap().path();
        let other = path.to_string_lossy().to_lowercase();
        let is_model = other.ends_with(".md5mesh") || other.ends_with(".x");
        if path.is_file() && !is_model {
            #[cfg(unix)]
            std::os::unix::fs::symlink(&path, folder.join(path.file_name().unwrap())).unwrap();
            #[cfg(not(unix))]
            fs::copy(&path, folder.join(path.file_name().unwrap())).map(drop).unwrap();
        }
    }
    let text = altered(text, round).unwrap();
    fs::write(folder.join(model.file_name().unwrap()), text).unwrap();
}

/// The text with different last digits in a coordinate of one of its first vertices.
fn altered(text: &str, round: usize) -> Option<String> {
    let start = match text.find("numweights") {
        Some(start) => start,
        None => text.match_indices("Mesh ").find(|(at, _)| !text[..*at].ends_with("template "))?.0,
    };
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    // A number with four digits after its point.
    let points = (start..bytes.len()).filter(|&at| bytes[at] == b'.');
    let at = points.filter(|&at| (1..=4).all(|k| is_digit(at + k))).nth(round / 100)?;
    let mut bytes = bytes.to_vec();
    bytes[at + 3] = b'0' + u8::try_from(round / 10 % 10).unwrap();
    bytes[at + 4] = b'0' + u8::try_from(round % 10).unwrap();
    String::from_utf8(bytes).ok()
}

/// Processor time of all children so far, in seconds (Linux).
fn children_s() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> =
        stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |place: usize| fields.get(place).and_then(|field| field.parse::<f64>().ok());
    (ticks(13).unwrap_or(0.0) + ticks(14).unwrap_or(0.0)) / 100.0
}

fn run(root: &Path, name: &str) {
    let (started, before) = (Instant::now(), children_s());
    let output = Command::new(env!("CARGO_BIN_EXE_tintype"))
        .args(["thumbnail", "models", "-v", "-o", "thumbnails", "--gallery", "--progress", "none"])
        .current_dir(root)
        .output()
        .unwrap();
    let (wall_s, processor_s) = (started.elapsed().as_secs_f64(), children_s() - before);
    let said = String::from_utf8_lossy(&output.stderr);
    let memory = said.lines().find(|line| line.starts_with("peak memory")).unwrap_or("");
    let last = said.lines().last().unwrap_or("");
    println!("{name}: {wall_s:.2} s, {processor_s:.2} s of processors; {memory}\n    {last}");
}
