//! Operations on floats that differ between CPUs, and that no path in `.clippy.toml` can name.

use crate::source::{File, Source};
use crate::support::trial;
use std::collections::BTreeMap;

/// Lane operations that differ between levels: the lint knows them as methods of vectors, this list
/// as methods of the level, which end in the type, such as `simd.mul_add_f32x4(a, b, c)`.
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

/// Parts of the names of instructions that estimate, fuse, choose between NaN and numbers, or sum
/// across.
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

/// The only function that calls `.to_int()`, with its file: its callers clamp the value to the
/// range.
const CONVERSION: (&str, &str) = ("model/math/lanes.rs", "to_int_in_range");

/// The operations of one file that differ between CPUs, as `path:line: message`.
fn unequal(file: &File) -> Vec<String> {
    let mut found = Vec::new();
    let mut complain = |line: usize, message: String| {
        found.push(format!("{}:{line}: {message}", file.path()));
    };
    for mention in &file.external {
        let first = mention.path.first().map_or("", String::as_str);
        if first == "glam" && !file.is_in(&["model/math"]) {
            complain(
                mention.line,
                "vectors come from `math`, built for the same bits everywhere".into(),
            );
        }
        let is_arch = mention.path.get(1).is_some_and(|second| second == "arch");
        if matches!(first, "core" | "std") && is_arch && !file.is_in(&["model/simd"]) {
            complain(mention.line, "instructions belong to `simd`".into());
        }
    }
    for (line, word, _) in &file.words {
        let is_instruction = word.starts_with("_mm")
            || (word.starts_with('v') && (word.ends_with("_f32") || word.ends_with("_f64")));
        if is_instruction && UNEQUAL_INSTRUCTIONS.iter().any(|part| word.contains(part)) {
            complain(*line, format!("`{word}` differs between CPUs"));
        }
        let of_level = word.rsplit_once("_f32x").or_else(|| word.rsplit_once("_f64x"));
        if of_level.is_some_and(|(name, _)| UNEQUAL.contains(&name)) {
            complain(*line, format!("`{word}` differs between levels"));
        }
        let is_conversion = ["cvt_i", "cvt_u"].iter().any(|start| word.starts_with(start));
        if word == "to_int_unchecked" || (is_conversion && !word.contains("_precise_")) {
            complain(
                *line,
                format!("`{word}` differs out of range; hold the value and use `to_int`"),
            );
        }
    }
    for (line, name, function) in &file.calls {
        if name == "to_int" && (file.name.as_str(), function.as_str()) != CONVERSION {
            complain(*line, format!("`to_int` differs out of range; use `{}`", CONVERSION.1));
        }
    }
    found
}

#[trial]
fn source_computes_the_same_on_every_cpu() {
    let source = crate::source();
    let found: Vec<String> = source.files.values().flat_map(unequal).collect();
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
    let conversions =
        source.files.values().flat_map(|file| &file.calls).filter(|(_, name, _)| name == "to_int");
    assert!(
        conversions.count() > 0,
        "the kernels convert somewhere, or this looks for the wrong word"
    );
}

#[trial]
fn unequal_operations_are_each_seen() {
    let sees = |path: &str, text: &str| {
        let text =
            if text.starts_with("let") { format!("fn a() {{ {text} }}") } else { text.to_owned() };
        let source = Source::parse(BTreeMap::from([(path.to_owned(), text)]));
        !unequal(&source.files[path]).is_empty()
    };
    for name in UNEQUAL {
        for lanes in ["f32x4", "f32x8", "f32x16", "f64x2", "f64x4", "f64x8"] {
            let line = format!("let a = simd.{name}_{lanes}(b);");
            assert!(sees("raster/shade.rs", &line), "{line}");
        }
    }
    for name in ["cvt_i32_f32x4", "cvt_u32_f32x16", "cvt_i64_f64x2", "to_int_unchecked"] {
        assert!(sees("model/simd/mod.rs", &format!("let a = simd.{name}(b);")), "{name}");
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
        assert!(sees("model/simd/gather.rs", &format!("let a = {name}(b, c);")), "{name}");
    }
    assert!(sees("raster/texel.rs", "use core::arch::x86_64::_mm_prefetch;"), "instructions");
    assert!(sees("model/skin/mod.rs", "use glam::Vec3A;"), "vectors");
    assert!(sees("raster/texel.rs", "let a = b.to_int::<S::i32s>();"), "a bare conversion");
    assert!(sees("raster/texel.rs", "let a = vec![b.to_int()];"), "a conversion in a macro");
    assert!(sees("raster/texel.rs", "let a = b![simd.min_f32x4(c)];"), "in a macro");

    assert!(!sees("model/simd/gather.rs", "use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};"));
    assert!(!sees("model/simd/gather.rs", "let a = _mm256_i32gather_epi32::<4>(base, at);"));
    assert!(!sees("model/math/lanes.rs", "let a = simd.cvt_i32_precise_f32x4(b);"));
    assert!(!sees("model/math/mod.rs", "pub use glam::{Quat, Vec3};"));
    assert!(!sees(
        "model/math/lanes.rs",
        "let a = simd.splat_f32x4(b); /* not simd.mul_add_f32x4 */"
    ));
}
