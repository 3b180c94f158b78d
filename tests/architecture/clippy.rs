//! The lint of float functions whose bits differ between CPUs: `.clippy.toml` lists them, and each
//! is planted here and must be found.
//!
//! Clippy reads a crate of one line for each entry, with the project's list and the same libraries
//! that the program is built with. Every line must be reported once and by name; harmless lines
//! beside them must not; and each entry must name something that exists. Ignored if `clippy-driver`
//! is not installed.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::{needs_programs, trial};
use libtest_mimic::Failed;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;
use tintype_model::math::{self, Vec3};

/// Template of a plant: a typical call of an entry.
const FLOAT_UNARY: &[&str] = &[
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sin_cos",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "exp",
    "exp2",
    "exp_m1",
    "ln",
    "ln_1p",
    "log2",
    "log10",
    "cbrt",
    "to_radians",
    "to_degrees",
];
const FLOAT_BINARY: &[&str] = &["atan2", "log", "powf", "hypot", "abs_sub", "min", "max"];
const FLOAT_TERNARY: &[&str] = &["mul_add", "clamp"];
const VECTOR_UNARY: &[&str] = &["exp", "exp2", "ln", "log2", "sin", "cos", "sin_cos"];
const FOUR_UNARY: &[&str] = &["min_element", "max_element", "saturate"];
const LANES_UNARY: &[&str] = &[
    "reduce_min",
    "reduce_max",
    "reduce_min_precise",
    "reduce_max_precise",
    "reduce_sum",
    "reduce_product",
];
const LANES_BINARY: &[&str] = &["min", "max", "min_precise", "max_precise"];
const FUSED: &[&str] = &["mul_add", "mul_sub", "mul_add_precise", "mul_sub_precise"];
const ESTIMATES: &[&str] = &["approximate_recip", "to_radians", "to_degrees"];

/// Lines that must pass: what they compute is the same everywhere.
const HARMLESS: &[&str] = &[
    "pub fn root(x: f32) -> f32 { x.sqrt() + x.abs().floor() + x.round_ties_even() + x.recip() }",
    "pub fn rest(x: f64) -> f64 { x.rem_euclid(3.0) + x.copysign(-1.0) + x % 2.0 + x.midpoint(1.0) }",
    "pub fn whole(x: u32) -> u32 { x.min(3).max(1).clamp(1, 2) + (1.5_f32 as u32).pow(2) }",
    "pub fn dot(x: Vec3) -> f32 { x.dot(x) + x.min(x).max(x).length() + x.normalize().x }",
    "pub fn lanes<S: Simd>(x: S::f32s) -> S::f32s { (x.sqrt() * x + x / x).floor() }",
    "pub fn held<S: Simd>(x: S::f32s) -> S::f32s { x.simd_lt(x).select(x, x) }",
    "pub fn sum(x: &[f32]) -> f32 { x.iter().sum::<f32>() + libm::sinf(x[0]) }",
    "pub fn jobs(x: &[f32]) -> Vec<f32> { x.par_iter().map(|x| x * x).collect() }",
];

/// One line of code for each entry.
fn plants() -> BTreeMap<String, String> {
    let mut plants = BTreeMap::new();
    let mut put = |path: String, argument: &str, code: &str| {
        let line = format!("({argument}) {{ let _ = {code}; }}");
        assert!(plants.insert(path.clone(), line).is_none(), "{path} is planted twice");
    };
    for float in ["f32", "f64"] {
        let argument = format!("x: {float}");
        let mut put = |name: &str, rest: &str| {
            put(format!("{float}::{name}"), &argument, &format!("x.{name}({rest})"));
        };
        FLOAT_UNARY.iter().for_each(|name| put(name, ""));
        FLOAT_BINARY.iter().for_each(|name| put(name, "x"));
        FLOAT_TERNARY.iter().for_each(|name| put(name, "x, x"));
        put("powi", "3");
    }
    for vector in ["Vec2", "Vec3", "Vec4"] {
        let argument = format!("x: {vector}");
        let mut put = |name: &str, rest: &str| {
            put(format!("glam::{vector}::{name}"), &argument, &format!("x.{name}({rest})"));
        };
        VECTOR_UNARY.iter().for_each(|name| put(name, ""));
        put("powf", "2.0");
        put("mul_add", "x, x");
        if vector == "Vec4" {
            FOUR_UNARY.iter().for_each(|name| put(name, ""));
            ["min", "max"].iter().for_each(|name| put(name, "x"));
            put("clamp", "x, x");
        }
    }
    let mut lanes = |owner: &str, name: &str, rest: &str| {
        let path = format!("fearless_simd::{owner}::{name}");
        put(path, "x: S::f32s", &format!("x.{name}({rest})"));
    };
    LANES_UNARY.iter().for_each(|name| lanes("SimdBase", name, ""));
    LANES_BINARY.iter().for_each(|name| lanes("SimdBase", name, "x"));
    lanes("SimdBase", "clamp", "x, x");
    FUSED.iter().for_each(|name| lanes("SimdFloat", name, "x, x"));
    ESTIMATES.iter().for_each(|name| lanes("SimdFloat", name, ""));
    let truncate = "S::i32s::truncate_from(x)";
    put("fearless_simd::SimdCvtTruncate::truncate_from".into(), "x: S::f32s", truncate);
    for (name, rest) in [
        ("sum::<f32>", ""),
        ("product::<f32>", ""),
        ("fold", "|| 0.0, |a, b| a + b).count("),
        ("fold_with", "0.0, |a, b| a + b).count("),
        ("reduce", "|| 0.0, |a, b| a + b"),
        ("reduce_with", "|a, b| a + b"),
        ("try_fold", "|| 0.0, |a, b| Some(a + b)).count("),
        ("try_fold_with", "0.0, |a, b| Some(a + b)).count("),
        ("try_reduce", "|| 0.0, |a, b| Some(a + b)"),
        ("try_reduce_with", "|a, b| Some(a + b)"),
    ] {
        let path = name.split("::").next().unwrap_or(name);
        let items = match name {
            "try_reduce" | "try_reduce_with" => "x.par_iter().map(|&x| Some(x))",
            _ => "x.par_iter().copied()",
        };
        let path = format!("rayon::iter::ParallelIterator::{path}");
        put(path, "x: &[f32]", &format!("{items}.{name}({rest})"));
    }
    plants
}

/// The paths that `.clippy.toml` refuses, in its order.
fn refused() -> Vec<String> {
    let text = fs::read_to_string(root().join(".clippy.toml")).unwrap();
    let table: toml::Table = toml::from_str(&text).unwrap();
    let entries = table["disallowed-methods"].as_array().unwrap();
    entries.iter().map(|entry| entry["path"].as_str().unwrap().to_owned()).collect()
}

fn root() -> &'static Path {
    Path::new(env!("WORKSPACE_ROOT"))
}

/// A line for each of them, harmless ones first.
fn source(plants: &BTreeMap<String, String>) -> String {
    let mut source = String::from(
        "#![allow(deprecated, unused)] use fearless_simd::{Simd, prelude::*}; use glam::{Vec2, Vec3, Vec4}; use rayon::prelude::*;\n",
    );
    for line in HARMLESS {
        let _ = writeln!(source, "{line}");
    }
    for (index, (path, line)) in plants.iter().enumerate() {
        let generic = if path.starts_with("fearless_simd") { "<S: Simd>" } else { "" };
        let _ = writeln!(source, "pub fn plant_{index}{generic}{line}");
    }
    source
}

/// The libraries that the program is built with, and a line that only the right version of each
/// compiles.
const LIBRARIES: &[(&str, &str)] = &[
    ("fearless_simd", "pub use fearless_simd::prelude::SimdFloat;"),
    // There is an older glam too, a dependency of a texture decoder.
    ("glam", "pub fn saturate(x: glam::Vec4) -> glam::Vec4 { x.saturate() }"),
    ("libm", "pub use libm::sinf;"),
    ("rayon", "pub use rayon::iter::ParallelIterator;"),
];

/// Those libraries as options for the compiler: they lie beside this program, the newest first that
/// can be read.
fn libraries() -> Result<Vec<String>, Failed> {
    let program = std::env::current_exe()?;
    let folder = program.parent().unwrap();
    let mut all = vec!["-L".to_owned(), format!("dependency={}", folder.display())];
    for (name, line) in LIBRARIES {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let file = entry.file_name().to_string_lossy().into_owned();
            if file.starts_with(&format!("lib{name}-")) && file.ends_with(".rlib") {
                found.push((entry.metadata()?.modified()?, entry.path()));
            }
        }
        found.sort();
        let options =
            |path: &Path| vec!["--extern".to_owned(), format!("{name}={}", path.display())];
        let is_right = |options: &Vec<String>| {
            let scratch = TempDir::new().unwrap();
            let file = scratch.path().join("one.rs");
            fs::write(&file, line).unwrap();
            let options = [&all[..2], options].concat();
            let output = compiler(&options, &file, scratch.path()).output().unwrap();
            output.status.success()
        };
        let right = found.iter().rev().map(|(_, path)| options(path)).find(is_right);
        all.extend(right.ok_or_else(|| format!("no {name} in {}", folder.display()))?);
    }
    Ok(all)
}

/// The compiler with Clippy, set up to read a library of one file.
fn compiler(options: &[String], file: &Path, out: &Path) -> Command {
    let mut clippy = Command::new("clippy-driver");
    clippy.args(["--edition=2024", "--crate-type=lib", "--emit=metadata", "--error-format=json"]);
    clippy.args(["-A", "clippy::all", "-W", "clippy::disallowed_methods"]);
    clippy.args(options).arg("--out-dir").arg(out).arg(file);
    clippy
}

/// Messages of Clippy: of the source, by line, and of the list.
struct Said {
    lines: BTreeMap<u64, Vec<String>>,
    of_list: Vec<String>,
}

/// Runs Clippy on a source with the list in `conf`.
fn complaints(source: &str, conf: &Path) -> Result<Said, Failed> {
    let folder = TempDir::new()?;
    let file = folder.path().join("planted.rs");
    fs::write(&file, source)?;
    let mut clippy = compiler(&libraries()?, &file, folder.path());
    let output = clippy.env("CLIPPY_CONF_DIR", conf).output()?;
    let said = String::from_utf8(output.stderr)?;
    if !output.status.success() {
        return Err(said.into());
    }
    let (mut lines, mut of_list) = (BTreeMap::<u64, Vec<String>>::new(), Vec::new());
    for line in said.lines() {
        let message: Value = serde_json::from_str(line)?;
        let text = message["message"].as_str().unwrap_or_default().to_owned();
        match message["spans"].as_array().and_then(|spans| spans.first()) {
            Some(span)
                if span["file_name"].as_str().is_some_and(|name| file == Path::new(name)) =>
            {
                let line = span["line_start"].as_u64().unwrap_or_default();
                lines.entry(line).or_default().push(text);
            }
            Some(_) => of_list.push(text),
            None => {} // how many there were
        }
    }
    Ok(Said { lines, of_list })
}

#[trial]
fn entries_are_all_planted() -> Result<(), Failed> {
    let mut refused = refused();
    refused.sort();
    let planted: Vec<String> = plants().into_keys().collect();
    let missing: Vec<_> = refused.iter().filter(|path| !planted.contains(path)).collect();
    let unknown: Vec<_> = planted.iter().filter(|path| !refused.contains(path)).collect();
    if !missing.is_empty() || !unknown.is_empty() || refused.len() != planted.len() {
        let text = format!("refused, not planted: {missing:?}; planted, not refused: {unknown:?}");
        return Err(text.into());
    }
    // The same functions of both widths.
    for path in refused.iter().filter_map(|path| path.strip_prefix("f32::")) {
        if !refused.contains(&format!("f64::{path}")) {
            return Err(format!("f64::{path} is as uncertain as that of f32").into());
        }
    }
    Ok(())
}

#[trial(needs_programs(&["clippy-driver"]))]
fn plants_are_all_seen() -> Result<(), Failed> {
    let plants = plants();
    let Said { lines, of_list } = complaints(&source(&plants), root())?;
    if !of_list.is_empty() {
        return Err(format!("of .clippy.toml: {of_list:?}").into());
    }
    let first = HARMLESS.len() as u64 + 2;
    if let Some((line, said)) = lines.iter().find(|&(&line, _)| line < first) {
        return Err(format!("line {line} of what is harmless: {said:?}").into());
    }
    for (line, (path, code)) in (first..).zip(&plants) {
        let said = lines.get(&line).cloned().unwrap_or_default();
        if said != [format!("use of a disallowed method `{path}`")] {
            return Err(format!("{path}: {code}: {said:?}").into());
        }
    }
    Ok(())
}

/// A list with a typo must not pass silently. Clippy does not report unknown names of `f32` and
/// `f64`: only a planted use reveals them.
#[trial(needs_programs(&["clippy-driver"]))]
fn entry_that_names_nothing_is_noticed() -> Result<(), Failed> {
    let conf = TempDir::new()?;
    let names = ["glam::Vec3::mul_adds", "fearless_simd::SimdFloat::mul", "rayon::ParallelSum"];
    let list: Vec<_> = names.iter().map(|name| format!("{{ path = {name:?} }}")).collect();
    let list = format!("disallowed-methods = [{}]", list.join(", "));
    fs::write(conf.path().join(".clippy.toml"), list)?;
    let Said { lines, of_list } = complaints(&source(&BTreeMap::new()), conf.path())?;
    let is_told = |name: &&str| of_list.iter().any(|text| text.contains(*name));
    if !lines.is_empty() || !names.iter().all(is_told) {
        return Err(format!("{lines:?}, {of_list:?}").into());
    }
    Ok(())
}

/// Features that make glam's rotations and wide vectors the same everywhere; Cargo adds features
/// up, so they cannot be lost.
#[trial]
fn vectors_are_built_for_the_same_bits() -> Result<(), Failed> {
    let table: toml::Table = toml::from_str(&fs::read_to_string(root().join("Cargo.toml"))?)?;
    let features = table["workspace"]["dependencies"]["glam"]["features"].as_array().unwrap();
    for wanted in ["scalar-math", "libm"] {
        if !features.iter().any(|feature| feature.as_str() == Some(wanted)) {
            return Err(format!("glam without {wanted} differs between CPUs").into());
        }
    }
    // Not refused, because they compare.
    let odd = [0.0, -0.0, 1.0, -1.0, f32::NAN, f32::INFINITY, 1e-45];
    for a in odd {
        for b in odd {
            let (least, most) =
                (Vec3::splat(a).min(Vec3::splat(b)), Vec3::splat(a).max(Vec3::splat(b)));
            let same = |x: f32, y: f32| x.to_bits() == y.to_bits();
            if !same(least.x, math::min(a, b)) || !same(most.z, math::max(a, b)) {
                return Err(format!("{a} and {b}: {least} and {most}").into());
            }
        }
    }
    Ok(())
}
