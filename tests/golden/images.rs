//! The golden images of the shipped scenes, compared exactly: the same bytes on this machine as on
//! the one that made them.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::command::{tintype, wanted};
use crate::support::{trial, trials};
use libtest_mimic::{Failed, Trial};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use tintype_golden::{GoldenScene, dangling, unused_parts};
use tintype_output::{Provenance, decode_png};

fn root() -> &'static Path {
    Path::new(env!("WORKSPACE_ROOT"))
}

/// All goldens of one scene.
fn check(scene: &GoldenScene) -> Result<(), Failed> {
    let checked = scene.check(|_| true)?.goldens;
    // A note means that the record beside a picture is missing or old.
    let failed: Vec<String> = checked
        .iter()
        .filter(|one| !one.verdict.passes() || !one.notes.is_empty())
        .map(|one| format!("{}: {} {}", one.path.display(), one.verdict, one.notes.join("; ")))
        .collect();
    if failed.is_empty() && !checked.is_empty() { Ok(()) } else { Err(failed.join("\n").into()) }
}

/// Digests of each golden by revision of the code: one line a golden, lines are added and never
/// changed.
const LEDGER: &str = include_str!("../reference/pixel_ledger.txt");

/// Code that draws other pixels from the same scene and the same files must have another
/// `PIXEL_REVISION`.
#[trial]
fn pixels_change_with_their_revision_only() -> Result<(), Failed> {
    let scenes = golden_scenes();
    let goldens: Vec<PathBuf> = scenes
        .iter()
        .flat_map(|scene| scene.frames().into_iter().map(|frame| scene.file(frame)))
        .collect();
    let known: BTreeMap<&str, &str> = LEDGER
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.rsplit_once(' '))
        .collect();
    let mut complaints = String::new();
    for path in &goldens {
        let (frame, text) = decode_png(&fs::read(path)?)?;
        let made = Provenance::from_text(&text)?;
        let name = path.strip_prefix(root())?.display().to_string();
        // Half of each digest, which is enough to distinguish any two pictures of one file.
        let key = format!("{name} revision {} scene {}", made.pixel_revision, &made.digest[..16]);
        let pixels = blake3::hash(bytemuck::cast_slice(&frame.rgba)).to_hex()[..16].to_owned();
        match known.get(key.as_str()) {
            Some(&old) if old == pixels => {}
            Some(_) => {
                complaints += &format!(
                    "{name}: other pixels from the same scene: raise PIXEL_REVISION (crates/model/src/frame.rs) and bless\n"
                )
            }
            None => {
                complaints += &format!("add to tests/reference/pixel_ledger.txt: {key} {pixels}\n")
            }
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.into()) }
}

/// The records of the stages are the same on this machine as on the one that made them: accepting
/// all again changes no byte.
#[trial]
fn shipped_records_are_what_bless_writes() -> Result<(), Failed> {
    let folder = TempDir::new()?;
    crate::support::link(root().join("scenes"), folder.path().join("scenes"))?;
    let (from, to) = (root().join("golden"), folder.path().join("golden"));
    let files = crate::support::files(&from, &["png", "toml"])?;
    for file in &files {
        let copy = to.join(file.strip_prefix(&from)?);
        fs::create_dir_all(copy.parent().ok_or("no folder")?)?;
        fs::copy(file, copy)?;
    }
    let output = tintype(folder.path(), &["bless", "--all"]);
    wanted(&output, 0, "0 goldens written")?;
    let after = crate::support::files(&to, &["png", "toml"])?;
    assert_eq!(after.len(), files.len());
    let changed: Vec<&PathBuf> = files
        .iter()
        .zip(&after)
        .filter(|(before, after)| fs::read(before).ok() != fs::read(after).ok())
        .map(|(before, _)| before)
        .collect();
    if changed.is_empty() { Ok(()) } else { Err(format!("other bytes: {changed:?}").into()) }
}

/// A folder with one small scene and the model that it shows.
pub(crate) fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("scenes")).unwrap();
    let model = root().join("scenes/assets/globe.md5mesh");
    let text = format!(
        "[output]\nlook = \"classic\"\nframes = \"0-3\"\n[camera]\ntarget = [0, 0.5, 0]\ndistance = 2.2\nazimuth_deg = {{ from = 0, to = 90 }}\n\
         [[material]]\nname = \"orb\"\n[[model]]\nfile = \"{}\"\n\
         [golden]\nframes = \"0,2\"\nsize = [40, 30]\n",
        model.display()
    );
    fs::write(folder.path().join("scenes/ball.toml"), text).unwrap();
    folder
}

#[trial]
fn missing_golden_fails_and_is_not_made() -> Result<(), Failed> {
    let folder = folder();
    wanted(&tintype(folder.path(), &["test"]), 1, "missing")?;
    if folder.path().join("golden").exists() { Err("written by a test".into()) } else { Ok(()) }
}

#[trial]
fn blessed_goldens_pass_until_something_moves() -> Result<(), Failed> {
    let folder = folder();
    wanted(&tintype(folder.path(), &["bless", "--all"]), 0, "2 goldens written")?;
    wanted(&tintype(folder.path(), &["test"]), 0, "2 goldens the same, 0 failed")?;
    wanted(&tintype(folder.path(), &["bless", "ball"]), 0, "0 goldens written")?;
    let scene = folder.path().join("scenes/ball.toml");
    let text = fs::read_to_string(&scene)?;
    fs::write(&scene, text.replace("to = 90", "to = 91"))?;
    let output = tintype(folder.path(), &["test", "--pictures", "failed"]);
    wanted(&output, 1, "tintype bless scenes/ball.toml")?;
    wanted(&output, 1, "0002.png: camera azimuth_deg 0.0..90.0 -> 0.0..91.0")?;
    wanted(&output, 1, "0002.png: ")?;
    wanted(&output, 1, "1 golden the same, 1 failed")?;
    for kind in ["golden", "new", "diff"] {
        if !folder.path().join(format!("failed/ball/0002.{kind}.png")).is_file() {
            return Err(format!("no {kind} picture").into());
        }
    }
    let (golden, new) = ("failed/ball/0002.golden.png", "failed/ball/0002.new.png");
    wanted(&tintype(folder.path(), &["diff", golden, new]), 1, "pixels differ")?;
    wanted(&tintype(folder.path(), &["diff", golden, golden]), 0, "the same")
}

/// Sets the rule of the scene.
fn rule(folder: &Path, rule: &str) -> Result<(), Failed> {
    let scene = folder.join("scenes/ball.toml");
    let text = fs::read_to_string(&scene)?;
    let kept = text.split("metric =").next().unwrap_or_default();
    fs::write(&scene, format!("{kept}{rule}\n"))?;
    Ok(())
}

#[trial]
fn golden_from_elsewhere_passes_within_a_bound_that_is_said() -> Result<(), Failed> {
    let folder = folder();
    let test = || tintype(folder.path(), &["test"]);
    wanted(&tintype(folder.path(), &["bless", "--all"]), 0, "2 goldens written")?;
    // Another program's picture: no provenance, no record, and three codes more of red on the model
    // only.
    let golden = folder.path().join("golden/ball/0002.png");
    fs::remove_file(golden.with_extension("toml"))?;
    let (mut frame, _) = decode_png(&fs::read(&golden)?)?;
    let corner = frame.rgba[0];
    let is_model = |pixel: &[u8; 4]| pixel[0] > 100;
    for pixel in frame.rgba.iter_mut().filter(|pixel| is_model(pixel)) {
        pixel[0] = pixel[0].saturating_add(3);
    }
    let covered = frame.rgba.iter().filter(|pixel| is_model(pixel)).count();
    if is_model(&corner) || !(50..=800).contains(&covered) {
        return Err(format!("{covered} pixels of 1200 are the model's").into());
    }
    let png = tintype_output::encode_png(&frame, true, tintype_output::PngEffort::Fast, &[]);
    fs::write(&golden, &png)?;

    wanted(&test(), 1, "without a pixel revision")?;
    rule(folder.path(), "metric = \"max\"\nbound = 3")?;
    let output = test();
    wanted(&output, 0, "1 golden the same, 1 within their bounds, 0 failed")?;
    wanted(&output, 0, "2 goldens held by max at most 3; farthest 3.0000, golden/ball/0002.png")?;
    rule(folder.path(), "metric = \"max\"\nbound = 2")?;
    wanted(&test(), 1, "0002.png: max at most 2, broken: ")?;

    // FLIP over the model is not diluted by the background, and both numbers are reported.
    rule(folder.path(), "metric = \"flip\"\nbound = 0.5")?;
    let output = tintype(folder.path(), &["test", "-v"]);
    wanted(&output, 0, "0002.png: flip at most 0.5, kept: ")?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let before =
        |words: &str| -> Option<f64> { text.split(words).next()?.rsplit(' ').next()?.parse().ok() };
    let (model, all) = (before(" over the model"), before(" over the picture"));
    let (Some(model), Some(all)) = (model, all) else { return Err(text.into()) };
    if !(model > 1.2 * all && all > 0.0) {
        return Err(format!("{model} over the model, {all} over the picture").into());
    }
    let between = (model + all) / 2.0;
    rule(folder.path(), &format!("metric = \"flip\"\nbound = {between}"))?;
    wanted(&test(), 1, &format!("flip at most {between}, broken: "))?;
    rule(folder.path(), "metric = \"ssim\"\nbound = 0.9")?;
    wanted(&test(), 0, "held by ssim at least 0.9")?;
    rule(folder.path(), "metric = \"ssim\"\nbound = 1.0")?;
    wanted(&test(), 1, "ssim at least 1, broken: ")?;

    // Frames within the bound are not overwritten.
    rule(folder.path(), "metric = \"max\"\nbound = 3")?;
    tintype(folder.path(), &["bless", "--all"]);
    if fs::read(&golden)? != png {
        return Err("bless wrote over a golden that passes".into());
    }
    Ok(())
}

#[trial]
fn dangling_golden_fails_and_can_be_pruned() -> Result<(), Failed> {
    let folder = folder();
    wanted(&tintype(folder.path(), &["bless", "--all"]), 0, "")?;
    fs::create_dir(folder.path().join("golden/gone"))?;
    let old = folder.path().join("golden/gone/0000.png");
    fs::copy(folder.path().join("golden/ball/0000.png"), &old)?;
    wanted(&tintype(folder.path(), &["test"]), 1, "no scene uses this golden")?;
    wanted(&tintype(folder.path(), &["bless", "--prune"]), 0, "1 golden removed")?;
    wanted(&tintype(folder.path(), &["test"]), 0, "2 goldens the same")?;
    if old.exists() { Err("still there".into()) } else { Ok(()) }
}

#[trial]
fn broken_goldens_each_say_what_they_are() -> Result<(), Failed> {
    let folder = folder();
    wanted(&tintype(folder.path(), &["bless", "--all"]), 0, "")?;
    let golden = folder.path().join("golden/ball/0000.png");
    let whole = fs::read(&golden)?;
    fs::write(&golden, &whole[..whole.len() / 2])?;
    wanted(&tintype(folder.path(), &["test"]), 2, "unreadable")?;
    let (frame, text) = decode_png(&whole)?;
    let small = tintype_model::frame::Frame::new(4, 4);
    let encode = |frame, text: &[(String, String)]| {
        tintype_output::encode_png(frame, true, tintype_output::PngEffort::Fast, text)
    };
    fs::write(&golden, encode(&small, &text))?;
    wanted(&tintype(folder.path(), &["test"]), 1, "40x30 pixels; expected 4x4")?;
    fs::write(&golden, encode(&frame, &[]))?;
    wanted(&tintype(folder.path(), &["test"]), 0, "2 goldens the same")?;
    // If pixels differ, the record gives the revision; without it none is known.
    let mut other = frame.clone();
    other.rgba[0][0] ^= 64;
    fs::write(&golden, encode(&other, &[]))?;
    let test = || tintype(folder.path(), &["test"]);
    wanted(&test(), 1, "only shading differs: 1 pixel")?;
    fs::remove_file(golden.with_extension("toml"))?;
    wanted(&test(), 1, "1 golden without a pixel revision with different pixels")
}

#[trial]
fn alternatives_are_accepted_beside_the_golden() -> Result<(), Failed> {
    let folder = folder();
    wanted(&tintype(folder.path(), &["bless", "--all"]), 0, "golden/ball/0002.png: new\n")?;
    let scene = folder.path().join("scenes/ball.toml");
    let text = fs::read_to_string(&scene)?;
    fs::write(&scene, text.replace("to = 90", "to = 91"))?;
    wanted(
        &tintype(folder.path(), &["bless", "ball/0002", "--beside"]),
        0,
        "0002/1.png: old -> new",
    )?;
    wanted(&tintype(folder.path(), &["test"]), 0, "2 goldens the same, 0 failed")?;
    fs::write(&scene, &text)?;
    wanted(&tintype(folder.path(), &["test"]), 0, "2 goldens the same, 0 failed")?;
    // Of several pictures the nearest is reported; without any of them it is missing.
    fs::write(&scene, text.replace("to = 90", "to = 91.5"))?;
    wanted(&tintype(folder.path(), &["test"]), 1, "0002/1.png: ")?;
    fs::remove_dir_all(folder.path().join("golden/ball"))?;
    wanted(&tintype(folder.path(), &["test"]), 1, "0002.png: the golden is missing")
}

/// A record gives the cause of a failure, is refreshed when files change without changing a pixel,
/// and is never ignored silently.
#[trial]
fn records_of_stages_are_kept_and_read() -> Result<(), Failed> {
    let folder = folder();
    let model = folder.path().join("globe.md5mesh");
    let text = fs::read_to_string(root().join("scenes/assets/globe.md5mesh"))?;
    fs::write(&model, &text)?;
    let scene = folder.path().join("scenes/ball.toml");
    let original = root().join("scenes/assets/globe.md5mesh").display().to_string();
    let plain = fs::read_to_string(&scene)?.replace("name = \"orb\"", "name = \"models/globe\"");
    // Fitted, so that both frames show it.
    let plain = plain.replace("target = [0, 0.5, 0]\ndistance = 2.2\n", "");
    fs::write(&scene, plain.replace(&original, "../globe.md5mesh"))?;
    wanted(&tintype(folder.path(), &["bless", "--all"]), 0, "2 goldens written in 1 scene")?;
    wanted(&tintype(folder.path(), &["test", "--strict"]), 0, "2 goldens the same")?;

    // One weight.
    let line = text.lines().find(|line| line.trim_start().starts_with("weight 200 ")).unwrap();
    let mut words: Vec<&str> = line.split(' ').collect();
    let place = words.iter().position(|word| *word == "(").unwrap() + 1;
    words[place] = "0.9";
    fs::write(&model, text.replace(line, &words.join(" ")))?;
    let output = tintype(folder.path(), &["test"]);
    wanted(&output, 1, "0000.png: skin: mesh models/globe moved, worst vertex ")?;
    wanted(&output, 1, "joints equal: weights changed")?;
    wanted(&output, 1, "changed files: ../globe.md5mesh")?;

    // Other bytes of the file, the same picture.
    fs::write(&model, format!("{text}// exported again\n"))?;
    let says =
        "../globe.md5mesh changed but the picture did not; refresh the record with `tintype bless`";
    wanted(&tintype(folder.path(), &["test"]), 0, says)?;
    wanted(
        &tintype(folder.path(), &["bless", "ball"]),
        0,
        "0 goldens written, 2 records refreshed",
    )?;
    wanted(&tintype(folder.path(), &["test", "--strict"]), 0, "2 goldens the same")?;

    let record = folder.path().join("golden/ball/0002.toml");
    let sound = fs::read_to_string(&record)?;
    fs::write(&record, sound.replacen("version = 2", "version = 1", 1))?;
    wanted(&tintype(folder.path(), &["test"]), 0, "record version 1, but this program writes 2")?;
    fs::write(&record, &sound[..sound.len() / 2])?;
    wanted(&tintype(folder.path(), &["test"]), 2, "the golden's record is unreadable")?;
    fs::remove_file(&record)?;
    wanted(&tintype(folder.path(), &["test"]), 0, "no record of its stages")?;
    wanted(&tintype(folder.path(), &["bless", "ball/0002"]), 0, "1 record refreshed")?;
    fs::write(folder.path().join("golden/ball/0003.toml"), &sound)?;
    wanted(&tintype(folder.path(), &["test"]), 1, "0003.toml: no scene uses this golden")
}

#[trial]
fn bad_scene_hides_no_other_failure() -> Result<(), Failed> {
    let folder = folder();
    wanted(&tintype(folder.path(), &["bless", "--all"]), 0, "")?;
    fs::write(folder.path().join("scenes/a.toml"), "[output]\nsise = [1, 1]\n")?;
    fs::remove_file(folder.path().join("golden/ball/0000.png"))?;
    let output = tintype(folder.path(), &["test"]);
    wanted(&output, 2, "did you mean")?;
    wanted(&output, 2, "0000.png: the golden is missing")?;
    wanted(&output, 2, "1 golden the same, 1 failed")?;
    wanted(&tintype(folder.path(), &["test", "--filter", "0002"]), 0, "1 golden the same")?;
    wanted(&tintype(folder.path(), &["bless", "ball"]), 0, "1 golden written in 1 scene")?;
    wanted(&tintype(folder.path(), &["bless", "bell"]), 2, "no scene or golden has \"bell\"")
}

#[trial]
fn scenes_with_one_golden_folder_are_refused() -> Result<(), Failed> {
    let folder = folder();
    fs::create_dir(folder.path().join("other"))?;
    fs::copy(folder.path().join("scenes/ball.toml"), folder.path().join("other/ball.toml"))?;
    let arguments = ["test", "scenes/ball.toml", "other/ball.toml", "--golden", "golden"];
    wanted(&tintype(folder.path(), &arguments), 2, "keeps its goldens in golden/ball too")
}

#[trial]
fn fail_fast_says_what_it_left_out() -> Result<(), Failed> {
    let folder = folder();
    let output = tintype(folder.path(), &["-j1", "test", "--fail-fast"]);
    wanted(&output, 1, "missing")?;
    fs::copy(folder.path().join("scenes/ball.toml"), folder.path().join("scenes/second.toml"))?;
    wanted(&tintype(folder.path(), &["-j1", "test", "--fail-fast"]), 1, "2 not compared")
}

#[trial]
fn goldens_that_may_not_be_read_or_written_say_so() -> Result<(), Failed> {
    let folder = folder();
    wanted(&tintype(folder.path(), &["bless", "--all"]), 0, "")?;
    // A folder in place of the file cannot be read, not even by root.
    let golden = folder.path().join("golden/ball/0000.png");
    fs::remove_file(&golden)?;
    fs::create_dir(&golden)?;
    wanted(&tintype(folder.path(), &["test"]), 2, "0000.png: the golden cannot be read")?;
    wanted(&tintype(folder.path(), &["bless", "ball"]), 2, "0000.png")
}

#[trial]
fn nothing_to_compare_is_no_success() -> Result<(), Failed> {
    let folder = folder();
    wanted(
        &tintype(folder.path(), &["test", "--filter", "nothing"]),
        1,
        "no scene or golden has \"nothing\"",
    )
}

#[trial]
fn bless_is_refused_where_ci_is_set() -> Result<(), Failed> {
    let folder = folder();
    let output = Command::new(env!("CARGO_BIN_EXE_tintype"))
        .args(["bless", "--all"])
        .current_dir(folder.path())
        .env("CI", "true")
        .output()?;
    wanted(&output, 2, "only people accept goldens")?;
    if folder.path().join("golden").exists() { Err("written".into()) } else { Ok(()) }
}

#[trial]
fn verify_lists_what_render_has_to_repair() -> Result<(), Failed> {
    let folder = folder();
    let scene = folder.path().join("scenes/ball.toml");
    let text = fs::read_to_string(&scene)?.replacen("[output]", "[output]\nsize = [40, 30]", 1);
    fs::write(&scene, &text)?;
    let verify = |more: &[&str]| {
        tintype(folder.path(), &[&["verify", "scenes/ball.toml", "-o", "f/##.png"], more].concat())
    };
    let missing = || String::from_utf8(verify(&["--missing"]).stdout);
    wanted(&verify(&[]), 1, "4 frames of 4 need rendering: 0-3")?;
    let render = ["render", "scenes/ball.toml", "-o", "f/##.png"];
    wanted(&tintype(folder.path(), &render), 0, "")?;
    wanted(&verify(&[]), 0, "4 frames up to date")?;
    let file = |name: &str| folder.path().join("f").join(name);
    let whole = fs::read(file("01.png"))?;
    fs::write(file("01.png"), &whole[..whole.len() - 1])?;
    fs::remove_file(file("02.png"))?;
    fs::copy(file("00.png"), file("03.png"))?;
    let output = verify(&[]);
    wanted(&output, 1, "01.png: the file ends early")?;
    wanted(&output, 1, "02.png: missing")?;
    wanted(&output, 1, "03.png: it is frame 0, not 3")?;
    wanted(&verify(&["-f", "0"]), 0, "1 frame up to date")?;
    let json: serde_json::Value = serde_json::from_slice(&verify(&["--json"]).stdout)?;
    let states: Vec<_> = (0..4).map(|k| json["frames"][k]["state"].as_str().unwrap()).collect();
    if states != ["current", "broken", "missing", "stale"] || json["missing"] != "1-3" {
        return Err(json.to_string().into());
    }
    let list = missing()?;
    if list != "1-3\n" {
        return Err(format!("{list:?}").into());
    }
    let repair = [&render[..], &["-f", list.trim()]].concat();
    wanted(&tintype(folder.path(), &repair), 0, "")?;
    wanted(&verify(&[]), 0, "4 frames up to date")?;
    fs::write(&scene, text.replace("to = 90", "to = 91"))?;
    wanted(&verify(&[]), 1, "00.png: out of date: the scene")?;
    fs::write(&scene, text.replace("[40, 30]", "[20, 15]"))?;
    wanted(&verify(&[]), 1, "40x30 pixels; the scene sets 20x15")
}

/// The shipped scenes and their views.
fn golden_scenes() -> Vec<GoldenScene> {
    let scenes: Vec<GoldenScene> = crate::support::files(&root().join("scenes"), &["toml"])
        .unwrap()
        .iter()
        .flat_map(|path| {
            GoldenScene::read(path, Some(&root().join("golden"))).unwrap().with_views()
        })
        .collect();
    assert!(scenes.len() >= 5, "only {} scenes have goldens", scenes.len());
    scenes
}

#[trial]
fn goldens_all_belong_to_a_scene() -> Result<(), Failed> {
    let scenes = golden_scenes();
    let dangling = dangling(&root().join("golden"), &scenes).unwrap();
    let unused = unused_parts(&scenes, &[]).unwrap();
    let mut paths = dangling.iter().map(|one| &one.path).chain(&unused);
    paths.next().map_or(Ok(()), |path| Err(path.display().to_string().into()))
}

#[trials]
fn goldens_of_each_scene() -> Result<Vec<Trial>, String> {
    let of_scene = |scene: GoldenScene| {
        let mut name = scene.path.file_stem().unwrap().to_string_lossy().into_owned();
        name += &scene.view().map_or_else(String::new, |view| format!("_{}", view.file_word()));
        Trial::test(format!("goldens_of_{name}_are_the_same"), move || check(&scene))
    };
    Ok(golden_scenes().into_iter().map(of_scene).collect())
}
