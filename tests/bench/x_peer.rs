//! Time of `.x` files beside Assimp, in one run on the same files: `cargo bench --bench x_peer`.
//!
//! Two pairs for each file. Whole processes: `tintype inspect FILE` and `assimp info FILE`; ours
//! also decodes the textures and measures how far each clip moves the model, Assimp's does neither.
//! Loading alone: bytes to model and clips within this process, and the import time that Assimp
//! reports; both weld, and compute normals and tangents. The rounds of both are interleaved, so
//! that other load affects both equally. Medians are printed. Files: those of the repository and,
//! with `TINTYPE_MODELS` set, all larger ones of that folder.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a program")]
#![allow(clippy::cast_precision_loss, reason = "sizes of files")]

#[path = "../support/mod.rs"]
mod support;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use tintype_formats::{LoadOptions, x};

const ROUNDS: usize = 15;
/// Files of the folder of models with at least this length are taken.
const LARGE: u64 = 300_000;
/// Bytes of a megabyte.
const MEGA: f64 = 1e6;

/// Milliseconds of each round.
#[derive(Default)]
struct Times {
    inspect: Vec<f64>,
    assimp: Vec<f64>,
    load: Vec<f64>,
    import: Vec<f64>,
}

fn main() {
    let Some(assimp) = support::program("assimp") else {
        eprintln!("there is no `assimp` on the PATH");
        return;
    };
    println!(
        "{:<22} {:>5} {:>4}   {:>8} {:>8} {:>6}   {:>8} {:>8} {:>6}   {:>6}",
        "medians in ms",
        "kind",
        "MB",
        "inspect",
        "assimp",
        "ratio",
        "load",
        "import",
        "ratio",
        "MB/s"
    );
    for path in files() {
        match measure(&assimp, &path) {
            Ok(line) => println!("{line}"),
            Err(message) => println!("{}: {message}", path.display()),
        }
    }
}

fn files() -> Vec<PathBuf> {
    let shipped = Path::new(env!("WORKSPACE_ROOT")).join("scenes");
    let mut files = support::files(&shipped, &["x"]).expect("scenes are there");
    if let Some(folder) = support::models_dir() {
        let more = support::files(&folder.join("x"), &["x"]).expect("a folder of models");
        let length = |path: &PathBuf| path.metadata().map_or(0, |data| data.len());
        files.extend(more.into_iter().filter(|path| length(path) >= LARGE));
    }
    files
}

fn measure(assimp: &Path, path: &Path) -> Result<String, String> {
    let bytes = support::read(path)?;
    let mut times = Times::default();
    for round in 0..=ROUNDS {
        let (inspect, _) = process(Path::new(env!("CARGO_BIN_EXE_tintype")), "inspect", path)?;
        let (info, told) = process(assimp, "info", path)?;
        let start = Instant::now();
        let model = x::parse_model(black_box(&bytes), None, &LoadOptions::default());
        let load = start.elapsed().as_secs_f64() * 1e3;
        drop(black_box(model.map_err(|error| error.to_string())?));
        if round == 0 {
            continue; // the disk's cache fills
        }
        times.inspect.push(inspect);
        times.assimp.push(info);
        times.load.push(load);
        times.import.push(import_ms(&told).ok_or("assimp told no time")?);
    }
    let [inspect, info, load, import] =
        [times.inspect, times.assimp, times.load, times.import].map(median);
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
    let kind = String::from_utf8_lossy(bytes.get(8..12).unwrap_or_default()).into_owned();
    let size = bytes.len() as f64 / MEGA;
    Ok(format!(
        "{name:<22} {kind:>5} {size:>4.1}   {inspect:>8.1} {info:>8.1} {:>6.2}   {load:>8.1} {import:>8.1} {:>6.2}   {:>6.0}",
        info / inspect,
        import / load,
        size / load * 1e3,
    ))
}

/// Milliseconds of a process, and what it wrote.
fn process(program: &Path, verb: &str, path: &Path) -> Result<(f64, String), String> {
    let start = Instant::now();
    let output = Command::new(program).arg(verb).arg(path).stderr(Stdio::null()).output();
    let elapsed_ms = start.elapsed().as_secs_f64() * 1e3;
    let output = output.map_err(|error| format!("{}: {error}", program.display()))?;
    if !output.status.success() {
        return Err(format!("{} {verb}: {}", program.display(), output.status));
    }
    Ok((elapsed_ms, String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// From the line `import took approx. 0.02 seconds`.
fn import_ms(text: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.contains("import took"))?;
    line.split_whitespace().find_map(|word| word.parse::<f64>().ok()).map(|seconds| seconds * 1e3)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
