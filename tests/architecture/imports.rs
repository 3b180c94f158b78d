//! The shape of the house: imports point down, the disk is touched in few rooms, every room says what it is for.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::plain;
use libtest_mimic::Trial;
use std::fs;
use std::path::{Path, PathBuf};

/// Every top-level module with its layer. A module may import only from strictly lower layers.
const LAYERS: &[(&str, u8)] = &[
    ("simd", 0),
    ("disk", 1),
    ("diagnostic", 1),
    ("deadline", 1),
    ("math", 1),
    ("model", 2),
    ("frame", 2),
    ("formats", 3),
    ("scene", 3),
    ("pose", 3),
    ("skin", 3),
    ("raster", 3),
    ("output", 3),
    ("compare", 3),
    ("asset", 4),
    ("inspect", 5),
    ("model_diff", 4),
    ("picture_diff", 5),
    ("report", 4),
    ("render", 5),
    ("framing", 6),
    ("aov", 6),
    ("fingerprint", 6),
    ("workers", 6),
    ("job", 7),
    ("golden", 7),
    ("submit", 8),
    ("cli", 9),
];

/// Modules that may touch the disk; all others work on bytes and values.
const DISK: &[&str] =
    &["asset", "output", "inspect", "picture_diff", "job", "golden", "submit", "cli"];

/// Modules that may print and read the environment.
const TALK: &[&str] = &["cli"];

/// Modules that may ask a clock; all others are given a deadline, or a clock by whoever measures.
const CLOCK: &[&str] = &["deadline", "cli"];

/// Modules that see bytes of unknown origin: nothing may panic on them.
const GUARDED: &[&str] = &["formats", "scene", "asset"];

/// Operations of lanes that differ from level to level: the lint knows them as methods of vectors, and here as methods of the level,
/// which end in the type, such as `simd.mul_add_f32x4(a, b, c)`.
const UNEQUAL: &[&str] = &[
    "mul_add",
    "mul_sub",
    "mul_add_precise",
    "mul_sub_precise",
    "approximate_recip",
    "to_radians",
    "to_degrees",
    "min",
    "max",
    "min_precise",
    "max_precise",
    "clamp",
    "reduce_min",
    "reduce_max",
    "reduce_min_precise",
    "reduce_max_precise",
    "reduce_sum",
    "reduce_product",
];

/// Parts of the names of instructions that estimate, fuse, choose between NaN and numbers, or sum across.
const UNEQUAL_INSTRUCTIONS: &[&str] = &[
    "_rcp",
    "_rsqrt",
    "fmadd",
    "fmsub",
    "fnmadd",
    "fnmsub",
    "_min_p",
    "_min_s",
    "_max_p",
    "_max_s",
    "_dp_p",
    "_hadd_p",
    "_reduce_",
    "_range_p",
    "_roundscale_",
    "vrecp",
    "vrsqrt",
    "vfma",
    "vfms",
    "vmin",
    "vmax",
    "vpmin",
    "vpmax",
    "vaddvq",
    "vpadd",
];

/// How far above a conversion to whole numbers it is said what holds the value in range.
const HELD_WITHIN: usize = 8;

fn layer(module: &str) -> Option<u8> {
    LAYERS.iter().find(|(name, _)| *name == module).map(|(_, layer)| *layer)
}

/// All files below `folder` with that extension, sorted.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The source up to its unit tests, which follow other rules.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text)
}

/// What one file does against the rules, as `path:line: message`.
fn violations(path: &Path, text: &str) -> Vec<String> {
    let first = path.components().next().unwrap().as_os_str().to_str().unwrap();
    let module = first.trim_end_matches(".rs");
    if matches!(module, "lib" | "main") || path.file_name().is_some_and(|name| name == "tests.rs") {
        return Vec::new();
    }
    let Some(own) = layer(module) else {
        return vec![format!("{}: module `{module}` has no layer", path.display())];
    };
    let mut found = Vec::new();
    if !text.starts_with("//! ") {
        found.push(format!("{}:1: a file begins with what it is for", path.display()));
    }
    for (index, line) in without_tests(text).lines().enumerate() {
        let code = line.trim_start();
        if code.starts_with("//") {
            continue; // prose may name anything
        }
        let mut complain = |message: String| {
            found.push(format!("{}:{}: {message}", path.display(), index + 1));
        };
        if line.contains("super::super") || line.contains("crate::{") {
            complain("write one `use crate::module::...` per module".into());
        }
        for rest in line.split("crate::").skip(1) {
            let name: String =
                rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if name != module && layer(&name).is_some_and(|other| other >= own) {
                complain(format!("`{module}` must not use `{name}`"));
            }
        }
        if line.contains("std::fs") && !DISK.contains(&module) {
            complain(format!("`{module}` works on bytes; the disk belongs to {DISK:?}"));
        }
        if (line.contains("std::env") || line.contains("std::process")) && !TALK.contains(&module) {
            complain(format!("`{module}` takes values; the environment belongs to {TALK:?}"));
        }
        if ["Instant", "SystemTime::now"].iter().any(|word| line.contains(word))
            && !CLOCK.contains(&module)
        {
            complain(format!("`{module}` asks no clock; that belongs to {CLOCK:?}"));
        }
        if GUARDED.contains(&module) {
            for refused in [".unwrap()", "panic!(", "unreachable!("] {
                if line.contains(refused) {
                    complain(format!("`{refused}` on data of unknown origin"));
                }
            }
        }
    }
    found
}

/// What one file does with floats that differs between CPUs and that no path in `.clippy.toml` names.
fn unequal(path: &Path, text: &str) -> Vec<String> {
    let module = path.components().next().unwrap().as_os_str().to_str().unwrap();
    let lines: Vec<&str> = without_tests(text).lines().collect();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let code = line.split("//").next().unwrap_or(line);
        let mut complain = |message: String| {
            found.push(format!("{}:{}: {message}", path.display(), index + 1));
        };
        if code.contains("glam::") && module != "math" {
            complain("vectors come from `math`, built for the same bits everywhere".into());
        }
        if (code.contains("core::arch") || code.contains("std::arch")) && module != "simd" {
            complain("instructions belong to `simd`".into());
        }
        for word in code.split(|c: char| !c.is_alphanumeric() && c != '_') {
            let is_instruction = word.starts_with("_mm")
                || (word.starts_with('v') && (word.ends_with("_f32") || word.ends_with("_f64")));
            if is_instruction && UNEQUAL_INSTRUCTIONS.iter().any(|part| word.contains(part)) {
                complain(format!("`{word}` differs between CPUs"));
            }
            let of_level = word.rsplit_once("_f32x").or_else(|| word.rsplit_once("_f64x"));
            if of_level.is_some_and(|(name, _)| UNEQUAL.contains(&name)) {
                complain(format!("`{word}` differs between levels"));
            }
            let is_conversion = ["cvt_i", "cvt_u"].iter().any(|start| word.starts_with(start));
            if word == "to_int_unchecked" || (is_conversion && !word.contains("_precise_")) {
                complain(format!("`{word}` differs out of range; hold the value and use `to_int`"));
            }
        }
        if code.contains(".to_int::<") || code.contains(".to_int()") {
            let above = &lines[index.saturating_sub(HELD_WITHIN)..=index];
            let words = ["held", "clamp", "in range", "in_range"];
            if !above.iter().any(|line| words.iter().any(|word| line.contains(word))) {
                complain("`to_int` differs out of range; nothing is said of what holds it".into());
            }
        }
    }
    found
}

fn source_computes_the_same_on_every_cpu() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut found, mut conversions) = (Vec::new(), 0);
    for file in files(&source, "rs") {
        let text = fs::read_to_string(&file).unwrap();
        conversions += text.matches(".to_int::<").count();
        found.extend(unequal(file.strip_prefix(&source).unwrap(), &text));
    }
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
    assert!(conversions > 0, "the kernels convert somewhere, or this looks for the wrong word");
}

fn unequal_operations_are_each_seen() {
    let sees = |path: &str, text: &str| !unequal(Path::new(path), text).is_empty();
    for name in UNEQUAL {
        for lanes in ["f32x4", "f32x8", "f32x16", "f64x2", "f64x4", "f64x8"] {
            let line = format!("let a = simd.{name}_{lanes}(b);");
            assert!(sees("raster/shade.rs", &line), "{line}");
        }
    }
    for name in ["cvt_i32_f32x4", "cvt_u32_f32x16", "cvt_i64_f64x2", "to_int_unchecked"] {
        assert!(sees("simd/mod.rs", &format!("let a = simd.{name}(b);")), "{name}");
    }
    for name in [
        "_mm_rcp_ps",
        "_mm512_rcp14_ps",
        "_mm256_rsqrt_ps",
        "_mm256_fmadd_ps",
        "_mm_fnmsub_ss",
        "_mm_min_ps",
        "_mm_max_sd",
        "_mm_dp_ps",
        "_mm_hadd_ps",
        "_mm512_reduce_add_ps",
        "vrecpeq_f32",
        "vrsqrteq_f32",
        "vfmaq_f32",
        "vfmsq_f32",
        "vminq_f32",
        "vmaxnmq_f32",
        "vpaddq_f32",
        "vaddvq_f32",
    ] {
        assert!(sees("simd/gather.rs", &format!("    let a = {name}(b, c);")), "{name}");
    }
    assert!(sees("raster/texel.rs", "use core::arch::x86_64::_mm_prefetch;"), "instructions");
    assert!(sees("skin/mod.rs", "use glam::Vec3A;"), "vectors");
    assert!(sees("raster/texel.rs", "let a = b.to_int::<S::i32s>();"), "a bare conversion");
    let far = format!("// held\n{}let a = b.to_int();", "\n".repeat(HELD_WITHIN));
    assert!(sees("raster/texel.rs", &far), "held too far above");

    assert!(!sees("raster/texel.rs", "let held = c;\nlet a = held.to_int::<S::i32s>();"));
    assert!(!sees("raster/texel.rs", "let a = b.to_int::<S::i32s>(); // in range: a code"));
    assert!(!sees("simd/gather.rs", "use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};"));
    assert!(!sees("simd/gather.rs", "let a = _mm256_i32gather_epi32::<4>(base, places);"));
    assert!(!sees("math/lanes.rs", "let a = simd.cvt_i32_precise_f32x4(b);"));
    assert!(!sees("math/mod.rs", "pub use glam::{Quat, Vec3};"));
    assert!(!sees("math/lanes.rs", "let a = simd.splat_f32x4(b); // not simd.mul_add_f32x4"));
}

fn source_follows_the_rules_of_the_house() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = files(&source, "rs");
    assert!(files.len() > 20, "only {} files found below {}", files.len(), source.display());
    let found: Vec<String> = files
        .iter()
        .flat_map(|file| {
            violations(file.strip_prefix(&source).unwrap(), &fs::read_to_string(file).unwrap())
        })
        .collect();
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

fn source_modules_are_all_in_the_table() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let text = fs::read_to_string(source.join("lib.rs")).unwrap();
    let declared: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    let table: Vec<&str> = LAYERS.iter().map(|(name, _)| *name).collect();
    assert_eq!(declared, table, "lib.rs lists the modules in reading order, as the table does");
}

fn rules_see_each_kind_of_violation() {
    let sees = |path: &str, text: &str| !violations(Path::new(path), text).is_empty();
    assert!(sees("model/mesh.rs", "//! Doc.\nuse crate::raster::Tile;"), "upward");
    assert!(sees("skin/mod.rs", "//! Doc.\nuse crate::pose::Pose;"), "sideways");
    assert!(sees("helpers.rs", "//! Doc."), "no layer");
    assert!(sees("skin/mod.rs", "use crate::math::Vec3;"), "no doc");
    assert!(sees("raster/mod.rs", "//! Doc.\nuse crate::{math, model};"), "grouped");
    assert!(sees("pose/mod.rs", "//! Doc.\nuse std::fs;"), "disk");
    assert!(sees("render/mod.rs", "//! Doc.\nlet x = std::env::args();"), "environment");
    assert!(sees("model/mesh.rs", "//! Doc.\nlet x = Instant::now();"), "clock");
    assert!(sees("scene/mod.rs", "//! Doc.\nlet x = y.unwrap();"), "panic");
    assert!(!sees("raster/bin.rs", "//! Doc.\nuse crate::model::PosedMesh;"), "downward");
    assert!(!sees("raster/bin.rs", "//! Doc.\nuse crate::raster::edge::Edge;"), "within");
}

fn readme_names_only_what_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("README.md")).unwrap();
    let mut checked = 0;
    for word in text.split(|c: char| c.is_whitespace() || "`()[]\"'<>|".contains(c)) {
        let path = word.trim_end_matches(['.', ',', ':']);
        let ours = ["scenes/", "src/", "tests/", "golden/", "examples/", "docs/"];
        if ours.iter().any(|folder| path.starts_with(folder)) && !path.contains(['*', '#']) {
            assert!(root.join(path).exists(), "README.md names {path}, which is not there");
            checked += 1;
        }
    }
    assert!(checked > 0, "README.md names scenes");
}

pub fn trials() -> Vec<Trial> {
    plain![
        source_computes_the_same_on_every_cpu,
        unequal_operations_are_each_seen,
        source_follows_the_rules_of_the_house,
        source_modules_are_all_in_the_table,
        rules_see_each_kind_of_violation,
        readme_names_only_what_is_there,
    ]
}
