//! Files with random but reproducible mistakes: each is read or refused, and none takes more memory
//! than its size and the limits justify.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[path = "campaign.rs"]
mod campaign;
#[path = "../fuzz/harness.rs"]
mod harness;
#[path = "../support/mod.rs"]
mod support;

use harness::{Dice, mistaken};
use std::path::{Path, PathBuf};
use tintype_formats::{
    LimitName, LoadOptions, b3d, fbx, gltf, image, iqm, md5, mtr, obj, ply, quake, stl, three_ds, x,
};

/// Mistaken files that are read.
const ROUNDS: usize = 60_000;
/// Set in the process that one test runs alone in.
const ALONE: &str = "TINTYPE_ALONE";
/// Larger files make rounds slow and no mistake likelier.
const LONGEST: u64 = 200 << 10;
/// The most resident memory of the process in KiB, some twice what it takes: a count that is
/// believed takes gigabytes.
const MAX_KIB: u64 = 32 << 10;

/// The same with pictures; a single one may be decoded to 2048 x 2048 texels.
const MAX_KIB_OF_PICTURES: u64 = 256 << 10;

/// Limits that a mistaken file of this size may reach, so that they are tested too.
fn tight() -> LoadOptions {
    let mut options = LoadOptions::default();
    for (name, value) in [
        (LimitName::Inflated, 4 << 20),
        (LimitName::Values, 1 << 20),
        (LimitName::Objects, 1 << 16),
        (LimitName::Influences, 1 << 18),
        (LimitName::Keys, 1 << 18),
    ] {
        options.limits.set(name, value);
    }
    options
}

/// Replacements: tokens of text, and bytes and tokens of binary.
const PIECES: [&[u8]; 22] = [
    b"{",
    b"}",
    b";",
    b"\"",
    b"-1",
    b"4294967295",
    b"1e308",
    b"1.#IND",
    b"{ a }",
    b"<00000000-0000-0000-0000-000000000001>",
    b"Frame x {",
    b"template T { T t; }",
    b"\0\0\0\0",
    b"\xff\xff\xff\xff",
    b"\xff",
    b"\x0a\0",
    b"\x0b\0",
    b"\x06\0\xff\xff\xff\xff",
    b"\x07\0\xff\xff\xff\x7f",
    b"\x01\0\x05\0\0\0Frame\x0a\0",
    b"\x80\x7f",
    b"(",
];

/// Makes one mistake: a bit, a piece inserted or overwritten, a run removed, repeated or moved, or
/// a cut.
fn mistake(bytes: &mut Vec<u8>, dice: &mut Dice) {
    if bytes.is_empty() {
        return;
    }
    let at = dice.below(bytes.len());
    let longest = 1 << dice.below(9);
    let run = (1 + dice.below(longest)).min(bytes.len() - at);
    let piece = PIECES[dice.below(PIECES.len())];
    match dice.below(8) {
        0 => bytes[at] ^= 0x80_u8 >> dice.below(8),
        1 => bytes[at] = dice.next().to_le_bytes()[0],
        2 => drop(bytes.splice(at..at, piece.iter().copied())),
        3 => drop(bytes.splice(at..at + run, piece.iter().copied())),
        4 => drop(bytes.drain(at..at + run)),
        5 => {
            let copy = bytes[at..at + run].to_vec();
            let to = dice.below(bytes.len());
            drop(bytes.splice(to..to, copy));
        }
        6 => {
            // From one blank or separator to the next: a token.
            let is_end = |byte: &u8| b" \n\r\t;,{}".contains(byte);
            let end = bytes[at..].iter().position(is_end).map_or(bytes.len(), |end| at + end + 1);
            bytes.drain(at..end);
        }
        _ => {
            if dice.below(4) == 0 {
                bytes.truncate(at);
            }
        }
    }
}

/// Files of the corpus and small real ones.
fn seeds() -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new(env!("WORKSPACE_ROOT"));
    let mut folders = vec![root.join("tests/corpus"), root.join("scenes/assets")];
    folders.extend(support::models_dir());
    let mut seeds = Vec::new();
    for folder in folders {
        for path in
            support::files(&folder, &["x", "md5mesh", "md5anim", "md5camera", "mtr"]).unwrap()
        {
            if path.metadata().unwrap().len() <= LONGEST {
                let bytes = support::read(&path).unwrap();
                seeds.push((path, bytes));
            }
        }
    }
    seeds
}

/// The peak memory of this process so far, in KiB. None if the system does not report it.
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// A compressed file whose blocks contain `plain` bytes after the header of `kind`.
fn packed(kind: &[u8; 4], plain: &[u8]) -> Vec<u8> {
    let mut file = [b"xof 0303", &kind[..], b"0032"].concat();
    file.extend(u32::try_from(plain.len() + 16).unwrap().to_le_bytes());
    for block in plain.chunks(32 << 10) {
        let deflated = miniz_oxide::deflate::compress_to_vec(block, 1);
        file.extend(u16::try_from(block.len()).unwrap().to_le_bytes());
        file.extend(u16::try_from(deflated.len() + 2).unwrap().to_le_bytes());
        file.extend(b"CK");
        file.extend(deflated);
    }
    file
}

/// Small files of the formats that are read since.
fn newer_seeds() -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new(env!("WORKSPACE_ROOT"));
    let mut folders = vec![root.join("scenes/assets"), root.join("tests/fuzz/seeds")];
    folders.extend(support::models_dir().map(|models| models.join("gltf")));
    let kinds = [
        "gltf", "glb", "vrm", "obj", "mtl", "iqm", "mdl", "md2", "md3", "3ds", "b3d", "stl", "ply",
        "fbx", "ktx2", "webp", "dds", "tga", "bmp", "jpg", "png",
    ];
    let mut seeds = Vec::new();
    for folder in folders {
        for path in support::files(&folder, &kinds).unwrap() {
            if path.metadata().unwrap().len() <= LONGEST / 4 {
                let bytes = support::read(&path).unwrap();
                seeds.push((path, bytes));
            }
        }
    }
    seeds
}

/// Draco streams, meshopt views and KTX2 pictures reach their decoders through files that contain
/// them. A panicking decoder is caught at the call; none of its messages may reach the terminal.
#[test]
fn mistaken_files_of_newer_formats_are_read_or_refused() {
    let (seeds, mut options) = (newer_seeds(), tight());
    options.limits.max_image_side_px = 2048;
    let rounds: usize = std::env::var("TINTYPE_ROUNDS").map_or(6_000, |text| text.parse().unwrap());
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..rounds {
        let (path, original) = &seeds[dice.below(seeds.len())];
        // Every second glTF file keeps its structure.
        let structured = match dice.below(2) {
            0 => mistaken(original, &mut dice),
            _ => None,
        };
        let bytes = structured.unwrap_or_else(|| {
            let mut bytes = original.clone();
            for _ in 0..=dice.below(4) {
                mistake(&mut bytes, &mut dice);
            }
            bytes
        });
        let beside = path.parent().unwrap_or(Path::new(""));
        let fetch =
            |name: &str| std::fs::read(beside.join(name)).map_err(|error| error.to_string());
        let is_good = match path.extension().and_then(|own| own.to_str()) {
            Some("gltf" | "glb" | "vrm") => gltf::parse_model(&bytes, &fetch, &options).is_ok(),
            Some("obj") => obj::parse_model(&bytes, &fetch, &options).is_ok(),
            Some("mtl") => {
                let model = b"mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n";
                let own = |_: &str| Ok(bytes.clone());
                obj::parse_model(model, &own, &options).is_ok()
            }
            Some("iqm") => iqm::parse_model(&bytes, &options).is_ok(),
            Some("mdl" | "md2" | "md3") => {
                quake::parse_model(&bytes, &fetch, None, &options).is_ok()
            }
            Some("3ds") => three_ds::parse_model(&bytes, None, &options).is_ok(),
            Some("b3d") => b3d::parse_model(&bytes, None, &options).is_ok(),
            Some("stl") => stl::parse_model(&bytes, &options).is_ok(),
            Some("ply") => ply::parse_model(&bytes, &options).is_ok(),
            Some("fbx") => fbx::parse_model(&bytes, &options).is_ok(),
            _ => image::decode(&bytes, "picture", &options).is_ok(),
        };
        if is_good { read += 1 } else { refused += 1 }
    }
    assert!(read > rounds / 20 && refused > rounds / 20, "{read} read, {refused} refused");
    if let Some(peak) = peak_kib() {
        assert!(
            peak < MAX_KIB_OF_PICTURES,
            "{peak} KiB were taken, more than {MAX_KIB_OF_PICTURES}"
        );
    }
}

#[test]
fn mistaken_files_are_read_or_refused_within_bounded_memory() {
    // In a separate process, because others of this program use memory too.
    if std::env::var_os(ALONE).is_none() {
        let name = "mistaken_files_are_read_or_refused_within_bounded_memory";
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args([name, "--exact"])
            .env(ALONE, "1")
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && told.contains("1 passed"), "{told}");
        return;
    }
    let (seeds, options) = (seeds(), tight());
    assert!(seeds.len() > 80, "only {} files to make mistakes in", seeds.len());
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..ROUNDS {
        let (path, original) = &seeds[dice.below(seeds.len())];
        let mut bytes = original.clone();
        for _ in 0..=dice.below(4) {
            mistake(&mut bytes, &mut dice);
        }
        let is_good = match path.extension().and_then(|own| own.to_str()) {
            Some("md5mesh") => md5::parse_mesh(&bytes, &options).is_ok(),
            Some("md5anim") => md5::parse_anim(&bytes, &options).is_ok(),
            Some("md5camera") => md5::parse_camera(&bytes, &options).is_ok(),
            Some("mtr") => mtr::parse_materials(&bytes, &options).is_ok_and(|file| {
                file.value.materials.iter().all(|own| file.value.look(own).is_ok())
            }),
            _ => {
                // One in four is wrapped in valid compression, so that the mistakes reach the
                // reader of the tree.
                let plain = bytes.get(16..).unwrap_or_default();
                match original.get(8..12) {
                    Some(b"txt ") if dice.below(4) == 0 => bytes = packed(b"tzip", plain),
                    Some(b"bin ") if dice.below(4) == 0 => bytes = packed(b"bzip", plain),
                    _ => {}
                }
                x::parse_model(&bytes, None, &options).is_ok()
            }
        };
        if is_good { read += 1 } else { refused += 1 }
    }
    // Both ends of the readers were reached.
    assert!(read > ROUNDS / 20 && refused > ROUNDS / 20, "{read} read, {refused} refused");
    if let Some(peak) = peak_kib() {
        assert!(peak < MAX_KIB, "{peak} KiB were taken, more than {MAX_KIB}");
    }
}
