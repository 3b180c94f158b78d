//! Materials that move, as frames of a sequence and as goldens.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::goldens::{Outcome, run, write};
use crate::support::command::BOX;
use crate::support::trial;
use libtest_mimic::Failed;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tintype_model::frame::Frame;
use tintype_output::{PngEffort, encode_png};

const SCENE: &str = "[output]\nsize = [48, 36]\nframes = \"0-3\"\nfps = 4\n[camera]\nazimuth_deg = 30\n\
    [[model]]\nfile = \"box.md5mesh\"\n[golden]\nframes = \"0,3\"\nsize = [48, 36]\n";

const MATERIAL: &str = "crate {\n{ blend diffusemap map crate.png scroll time * 0.5, 0 rotate time / 8 }\n\
    { blend add map glow.png rgb steps[ time ] }\n{ if ( time < 0.5 ) videoMap film.roq }\n}\n";

const TABLE: &str = "table steps { snap { 1, 0, 0.5, 1 } }\n";

/// A picture of four columns from dark to bright.
fn columns(folder: &Path, name: &str, color: [u8; 3]) -> Outcome {
    let column = |at: u8| {
        let [r, g, b] = color.map(|code| code / 4 * (at % 4 + 1));
        [r, g, b, 255]
    };
    let frame = Frame { width: 4, height: 4, rgba: (0..16).map(column).collect() };
    fs::write(folder.join(name), encode_png(&frame, false, PngEffort::Fast, &[]))?;
    Ok(())
}

fn folder() -> Result<TempDir, Failed> {
    let folder = TempDir::new()?;
    let path = folder.path();
    write(path, "scenes/box.md5mesh", BOX);
    write(path, "scenes/box.toml", SCENE);
    write(path, "scenes/materials/crate.mtr", MATERIAL);
    write(path, "scenes/materials/tables.mtr", TABLE);
    columns(&path.join("scenes"), "crate.png", [200, 120, 40])?;
    columns(&path.join("scenes"), "glow.png", [60, 80, 200])?;
    Ok(folder)
}

#[trial]
fn materials_move_with_the_time_of_their_frame_alone() -> Outcome {
    let folder = folder()?;
    let path = folder.path();
    let said = run(path, &["render", "scenes/box.toml", "-o", "all"], 0, "")?;
    assert_eq!(said.matches("stage left out: it shows a film").count(), 1, "{said}");
    run(path, &["render", "scenes/box.toml", "-f", "3", "-o", "alone"], 0, "")?;
    let read = |name: &str| fs::read(path.join(name));
    assert_eq!(read("all/0003.png")?, read("alone/0003.png")?);
    let pixels = |name: &str| Ok::<_, Failed>(tintype_output::decode_png(&read(name)?)?.0.rgba);
    for later in ["all/0001.png", "all/0003.png"] {
        assert!(pixels("all/0000.png")? != pixels(later)?, "{later} is the first one");
    }
    let still = MATERIAL.replace("time", "0.75");
    write(path, "scenes/materials/crate.mtr", &still);
    run(path, &["render", "scenes/box.toml", "-f", "0", "-o", "still"], 0, "")?;
    assert!(pixels("still/0000.png")? == pixels("all/0003.png")?, "the value at 0.75 s");
    Ok(())
}

#[trial]
fn edits_of_expressions_are_causes() -> Outcome {
    let folder = folder()?;
    let path = folder.path();
    run(path, &["bless", "--all"], 0, "2 goldens written")?;
    run(path, &["test"], 0, "")?;
    for (name, text, from, to, says) in [
        (
            "crate",
            MATERIAL,
            "time * 0.5, 0",
            "time * 0.4, 0",
            "surface \"crate\" stage 1 translate",
        ),
        ("crate", MATERIAL, "time / 8", "time / -8", "surface \"crate\" stage 1 rotate"),
        (
            "crate",
            MATERIAL,
            "steps[ time ]",
            "steps[ time * 3 ]",
            "surface \"crate\" stage 2 color",
        ),
        ("tables", TABLE, "0.5, 1 }", "0.5, 0.5 }", "surface \"crate\" stage 2 color"),
    ] {
        let file = format!("scenes/materials/{name}.mtr");
        write(path, &file, &text.replace(from, to));
        let said = run(path, &["test"], 1, says)?;
        let first = said.lines().find(|line| line.starts_with("error: ")).unwrap_or_default();
        assert!(first.contains(says), "{from} {to}: {said}");
        write(path, &file, text);
    }
    Ok(())
}
