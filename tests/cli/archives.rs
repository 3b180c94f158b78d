//! Archives as folders: models, textures and materials in `.pk4` and `.zip` files, in an engine's
//! search order.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![allow(clippy::cast_possible_truncation, reason = "files of a few bytes")]

use crate::support::command::{BOX, tintype, wanted};
use crate::support::trial;
use libtest_mimic::Failed;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tintype_model::frame::Frame;
use tintype_output::{PngEffort, encode_png};

type Outcome = Result<(), Failed>;

/// The checksum of ZIP files, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    let bit = |crc: u32, _| if crc & 1 == 0 { crc >> 1 } else { (crc >> 1) ^ 0xedb8_8320 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), bit))
}

/// A ZIP file of stored files.
fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut file, mut list) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let length = (bytes.len() as u32).to_le_bytes();
        let name_length = (name.len() as u16).to_le_bytes();
        let sums =
            [&crc(bytes).to_le_bytes()[..], &length, &length, &name_length, &[0; 2]].concat();
        let head = [&[20, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &sums].concat();
        let offset = (file.len() as u32).to_le_bytes();
        file.extend([b"PK\x03\x04", &head[..], name.as_bytes(), bytes].concat());
        list.extend([b"PK\x01\x02\x14\0", &head[..], &[0; 10], &offset, name.as_bytes()].concat());
    }
    let count = (files.len() as u16).to_le_bytes();
    let [size, start] = [list.len(), file.len()].map(|length| (length as u32).to_le_bytes());
    [file, list, [&b"PK\x05\x06\0\0\0\0"[..], &count, &count, &size, &start, &[0; 2]].concat()]
        .concat()
}

fn picture(color: [u8; 4]) -> Vec<u8> {
    let frame = Frame { width: 4, height: 4, rgba: vec![color; 16] };
    encode_png(&frame, false, PngEffort::Fast, &[])
}

fn run(folder: &Path, arguments: &[&str], code: i32, says: &str) -> Result<String, Failed> {
    let output = tintype(folder, arguments);
    wanted(&output, code, says)
        .map_err(|error| format!("{arguments:?}: {}", error.message().unwrap_or_default()))?;
    Ok([output.stdout, output.stderr]
        .map(|text| String::from_utf8_lossy(&text).into_owned())
        .concat())
}

/// A game: a model with its texture in one archive, another texture of the name in a later one.
fn game() -> Result<TempDir, Failed> {
    let folder = TempDir::new()?;
    let base = folder.path().join("base");
    fs::create_dir_all(&base)?;
    let (red, green) = (picture([200, 0, 0, 255]), picture([0, 200, 0, 255]));
    let first = [("models/box.md5mesh", BOX.as_bytes()), ("textures/crate.png", &red)];
    fs::write(base.join("pak000.pk4"), zip(&first))?;
    fs::write(base.join("pak001.PK4"), zip(&[("textures/Crate.png", &green)]))?;
    Ok(folder)
}

#[trial]
fn archives_are_searched_as_an_engine_does() -> Outcome {
    let folder = game()?;
    let own = folder.path();
    let model = "base/pak000.pk4/models/box.md5mesh";
    let inspect = ["inspect", model, "--json"];
    let said = run(own, &inspect, 0, "")?;
    assert!(said.contains("pak001.PK4/textures/Crate.png"), "the last archive wins: {said}");
    fs::create_dir_all(own.join("base/textures"))?;
    fs::write(own.join("base/textures/crate.png"), picture([0, 0, 200, 255]))?;
    let said = run(own, &inspect, 0, "")?;
    assert!(said.contains("base/textures/crate.png"), "the disk comes first: {said}");
    fs::remove_dir_all(own.join("base/textures"))?;
    // A material file in an archive, with a picture in another.
    let material = b"crate { diffusemap textures/other.png }\n";
    fs::write(own.join("base/pak002.pk4"), zip(&[("materials/a.mtr", material)]))?;
    let blue = picture([0, 0, 200, 255]);
    fs::write(own.join("base/pak003.pk4"), zip(&[("textures/other.png", &blue)]))?;
    let said = run(own, &inspect, 0, "")?;
    assert!(said.contains("pak003.pk4/textures/other.png"), "{said}");
    // Also for a model on the disk.
    fs::create_dir_all(own.join("base/models"))?;
    fs::write(own.join("base/models/own.md5mesh"), BOX)?;
    let said = run(own, &["inspect", "base/models/own.md5mesh", "--json"], 0, "")?;
    assert!(said.contains("pak003.pk4/textures/other.png"), "{said}");
    Ok(())
}

#[trial]
fn archives_are_folders_to_commands() -> Outcome {
    let folder = game()?;
    let own = folder.path();
    fs::remove_file(own.join("base/pak001.PK4"))?;
    fs::rename(own.join("base/pak000.pk4"), own.join("base/all.zip"))?;
    fs::create_dir_all(own.join("plain/models"))?;
    fs::create_dir_all(own.join("plain/textures"))?;
    fs::write(own.join("plain/models/box.md5mesh"), BOX)?;
    fs::write(own.join("plain/textures/crate.png"), picture([200, 0, 0, 255]))?;
    let small = ["-s", "24"];
    run(own, &[&["thumbnail", "base/all.zip", "-o", "a"][..], &small].concat(), 0, "1 thumbnail")?;
    run(own, &[&["thumbnail", "base", "-o", "b"][..], &small].concat(), 0, "1 thumbnail")?;
    run(own, &[&["thumbnail", "plain", "-o", "c"][..], &small].concat(), 0, "1 thumbnail")?;
    let read = |path: &str| fs::read(own.join(path));
    let drawn = read("a/models/box.md5mesh.png")?;
    assert_eq!(drawn, read("b/all.zip/models/box.md5mesh.png")?);
    assert_eq!(drawn, read("c/models/box.md5mesh.png")?, "the same bytes as of the unpacked files");
    run(
        own,
        &[&["thumbnail", "base/all.zip", "-o", "a", "--verify"][..], &small].concat(),
        0,
        "up to date",
    )?;
    let scene = "[output]\nsize = [24, 24]\nframes = \"0\"\n[[model]]\nfile = \"base/all.zip/models/box.md5mesh\"\n";
    fs::write(own.join("a.toml"), scene)?;
    run(own, &["render", "a.toml", "-o", "zipped"], 0, "")?;
    fs::write(own.join("a.toml"), scene.replace("base/all.zip", "plain"))?;
    run(own, &["render", "a.toml", "-o", "unpacked"], 0, "")?;
    let pixels = |path: &str| Ok::<_, Failed>(tintype_output::decode_png(&read(path)?)?.0);
    assert_eq!(pixels("zipped/0000.png")?, pixels("unpacked/0000.png")?);
    let model = "base/all.zip/models/box.md5mesh";
    run(own, &["turntable", model, "--size", "16x16", "-n", "2", "-o", "t"], 0, "2 frames")?;
    run(own, &["pose", model, "-o", "box.obj"], 0, "")?;
    run(
        own,
        &["base/all.zip", "-s", "24", "-o", "d"],
        0,
        "tintype thumbnail base/all.zip --gallery",
    )?;
    run(own, &["inspect", "base/all.zip/models/bx.md5mesh"], 2, "box.md5mesh")?;
    let listed = run(own, &["inspect", "base/all.zip"], 0, "")?;
    for file in ["base/all.zip/models/box.md5mesh", "base/all.zip/textures/crate.png"] {
        assert!(listed.contains(file), "{listed}");
    }
    let listed = run(own, &["inspect", "base/all.zip/models", "--json"], 0, "")?;
    assert!(listed.contains("\"warnings\": []"), "{listed}");
    assert!(listed.contains("\"path\": \"base/all.zip/models/box.md5mesh\""), "{listed}");
    let scene = b"[[model]]\nfile = \"models/box.md5mesh\"\n";
    fs::write(
        own.join("s.zip"),
        zip(&[("models/box.md5mesh", BOX.as_bytes()), ("a.toml", scene)]),
    )?;
    let said = run(own, &["inspect", "s.zip/a.toml"], 0, "")?;
    assert!(said.contains("model box"), "{said}");
    // Clips by paths into the archive and out of it, and beside a model in it.
    let clip = crate::wishes::lift("root");
    fs::write(own.join("raise.md5anim"), &clip)?;
    let files = [("models/box.md5mesh", BOX.as_bytes()), ("anims/lift.md5anim", clip.as_bytes())];
    fs::write(own.join("c.zip"), zip(&files))?;
    let [model, plain] = ["c.zip/models/box.md5mesh", "plain/models/box.md5mesh"];
    let inside = "c.zip/anims/lift.md5anim";
    for (model, clip) in [(model, inside), (model, "raise.md5anim"), (plain, inside)] {
        let turn = ["turntable", model, "-a", clip, "--size", "16x16", "-n", "2", "--overwrite"];
        run(own, &[&turn[..], &["-o", "t"]].concat(), 0, "the clip")?;
        let still = ["thumbnail", model, "-a", clip, "-s", "16", "-o", "o.png", "--overwrite"];
        run(own, &still, 0, "")?;
        run(own, &["pose", model, "-a", clip, "--frame", "1", "-o", "o.obj"], 0, "")?;
    }
    run(own, &["pose", model, "--clip", "lift", "--frame", "1", "-o", "o.obj"], 0, "")?;
    Ok(())
}

#[trial]
fn archives_that_lead_elsewhere_are_refused_by_name() -> Outcome {
    let folder = TempDir::new()?;
    let own = folder.path();
    fs::write(own.join("evil.zip"), zip(&[("a.md5mesh", BOX.as_bytes()), ("../../b", b"1")]))?;
    let said = run(own, &["thumbnail", "evil.zip", "-s", "8"], 2, "\"../../b\"")?;
    assert!(said.contains("evil.zip"), "{said}");
    run(own, &["inspect", "evil.zip/a.md5mesh"], 2, "\"../../b\"")?;
    fs::write(own.join("torn.pk4"), b"PK\x03\x04 and nothing else")?;
    run(own, &["thumbnail", "torn.pk4", "-s", "8"], 2, "not a ZIP archive")?;
    assert!(!own.join("out").exists() && !own.join("../../b").exists());
    Ok(())
}
