//! Goldens of a scene with a camera fitted to all frames keep the fit of their acceptance, so each
//! represents only its frame.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::command::{BOX, tintype, wanted};
use crate::support::trial;
use libtest_mimic::Failed;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A clip of the box's only joint: nine keys along z, one of which is set.
fn clip(key: usize, height: f64) -> String {
    let mut text = "MD5Version 10\nnumFrames 9\nnumJoints 1\nframeRate 8\nnumAnimatedComponents 1\nhierarchy {\n\"root\" -1 4 0\n}\nbounds {\n"
        .to_owned();
    text += &"( -1 -1 0 ) ( 1 1 2 )\n".repeat(9);
    text += "}\nbaseframe {\n( 0 0 0 ) ( 0 0 0 )\n}\n";
    for frame in 0_u8..9 {
        let z = if usize::from(frame) == key { height } else { f64::from(frame) * 0.1 };
        text += &format!("frame {frame} {{\n{z}\n}}\n");
    }
    text
}

/// The clip as it was accepted.
fn whole() -> String {
    clip(9, 0.0)
}

const SCENE: &str = "[output]\nframes = \"0-8\"\nfps = 8\n[[material]]\nname = \"crate\"\ncolor = \"#ffffff\"\n[[model]]\nfile = \"box.md5mesh\"\n\
    clips = [{ file = \"up.md5anim\" }]\n[[instance]]\nmodel = \"box\"\nclip = \"up\"\nwrap = \"clamp\"\n[golden]\nframes = \"0,2,4,6,8\"\nsize = [64, 48]\n";

struct Project(TempDir);

impl Project {
    /// A folder with a scene and its goldens.
    fn blessed(scene: &str) -> Result<Self, Failed> {
        let own = Self(TempDir::new()?);
        fs::create_dir(own.path().join("scenes"))?;
        own.write("scenes/box.md5mesh", BOX)?;
        own.write("scenes/up.md5anim", &whole())?;
        own.write("scenes/box.toml", scene)?;
        own.run(&["bless", "--all"], 0, "written")?;
        own.run(&["test", "--strict"], 0, "0 failed")?;
        Ok(own)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Failed> {
        Ok(fs::write(self.path().join(name), text)?)
    }

    fn read(&self, name: &str) -> Result<String, Failed> {
        Ok(fs::read_to_string(self.path().join(name))?)
    }

    fn run(&self, arguments: &[&str], code: i32, says: &str) -> Result<String, Failed> {
        let output = tintype(self.path(), arguments);
        wanted(&output, code, says)
            .map_err(|error| format!("{arguments:?}: {}", error.message().unwrap_or_default()))?;
        Ok(String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// The failing goldens, and the number of scenes whose fit moved.
    fn failures(&self) -> Result<(Vec<String>, usize), Failed> {
        let output = tintype(self.path(), &["test", "--json", "-"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout)?;
        let scenes = report["scenes"].as_array().ok_or("no scenes")?;
        let entries = scenes.iter().flat_map(|scene| scene["frames"].as_array().unwrap());
        let failing = entries.filter(|one| one["status"] != "same");
        let (of_frames, of_scenes): (Vec<_>, Vec<_>) =
            failing.partition(|one| one["frame"].is_number());
        let name = |one: &serde_json::Value| {
            let path = one["golden"].as_str().unwrap();
            path.rsplit('/').next().unwrap().to_owned()
        };
        Ok((of_frames.into_iter().map(name).collect(), of_scenes.len()))
    }

    fn fails(&self, goldens: &[&str], moved: usize) -> Result<(), Failed> {
        let found = self.failures()?;
        if found == (goldens.iter().map(|&name| name.to_owned()).collect(), moved) {
            return Ok(());
        }
        Err(format!("{found:?} and not {goldens:?}, {moved}").into())
    }

    /// The line of the fit in the record of a golden.
    fn fit(&self, golden: &str) -> Result<String, Failed> {
        let text = self.read(&format!("golden/box/{golden}.toml"))?;
        let line = text.lines().find(|line| line.starts_with("fit = "));
        Ok(line.ok_or("the record has no fit")?.to_owned())
    }
}

#[trial]
fn edit_of_one_key_fails_alone() -> Result<(), Failed> {
    for scene in [
        SCENE.to_owned(),
        format!(
            "{SCENE}[camera]\ntarget = \"fit\"\nprojection = \"orthographic\"\nazimuth_deg = {{ from = 0, to = 90 }}\n"
        ),
    ] {
        let project = Project::blessed(&scene)?;
        for (key, height, moved) in [(4, 3.0, 1), (2, -1.5, 1), (8, 0.801, 0), (6, 0.3, 0)] {
            project.write("scenes/up.md5anim", &clip(key, height))?;
            project.fails(&[&format!("000{key}.png")], moved)?;
        }
    }
    Ok(())
}

#[trial]
fn views_and_libraries_keep_the_fit() -> Result<(), Failed> {
    let views = SCENE.replace("[output]\n", "[output]\naov = [\"depth\", \"normal\"]\n");
    let project = Project::blessed(&views)?;
    project.write("scenes/up.md5anim", &clip(4, 3.0))?;
    project.fails(&["0004.png", "0004.depth.png", "0004.normal.png"], 1)?;

    let models = ["--models", "scenes/box.md5mesh", "--golden", "kept"];
    let with = |words: &[&'static str]| [words, &models[..]].concat();
    project.write("scenes/up.md5anim", &whole())?;
    // The box has no texture.
    let bless = with(&["bless", "--allow-warnings"]);
    project.run(&bless, 0, "4 goldens written")?;
    project.write("scenes/up.md5anim", &clip(4, 1.2))?;
    let says = "kept/box.md5mesh/up: the camera fit moved by ";
    project.run(&with(&["test"]), 1, says)?;
    // All records fail, because they contain all keys; the pictures of other times do not.
    project.run(&bless, 0, "1 golden written, 3 records refreshed")?;
    project.run(&with(&["test"]), 1, "4 goldens the same, 1 failed")?;
    project.run(&with(&["bless", "--refit", "--allow-warnings"]), 0, "4 goldens written")?;
    project.run(&with(&["test"]), 0, "4 goldens the same, 0 failed")?;
    Ok(())
}

#[trial]
fn frames_and_rate_leave_other_moments() -> Result<(), Failed> {
    for (was, is, moved) in [
        ("frames = \"0-8\"", "frames = \"0-30\"", 0),
        ("frames = \"0-8\"", "frames = \"0-2\"", 1),
        ("fps = 8", "fps = 30", 1),
    ] {
        let project = Project::blessed(&SCENE.replace("0,2,4,6,8", "0"))?;
        project.write("scenes/box.toml", &SCENE.replace("0,2,4,6,8", "0").replace(was, is))?;
        project.fails(&[], moved)?;
    }
    // A golden that is new has the fit of the others.
    let project = Project::blessed(&SCENE.replace("0,2,4,6,8", "0"))?;
    project.write("scenes/up.md5anim", &clip(4, 3.0))?;
    project.write("scenes/box.toml", SCENE)?;
    project.run(&["bless", "box"], 0, "4 goldens written, 1 record refreshed")?;
    assert_eq!(project.fit("0008")?, project.fit("0000")?);
    project.fails(&[], 1)
}

#[trial]
fn fit_that_moved_is_taken_by_refit_alone() -> Result<(), Failed> {
    let project = Project::blessed(SCENE)?;
    project.write("scenes/calm.toml", SCENE)?;
    project.run(&["bless", "calm"], 0, "5 goldens written")?;
    let kept = project.fit("0004")?;
    let picture = |frame: &str| fs::read(project.path().join(format!("golden/box/{frame}.png")));
    let first = picture("0000")?;
    project.write("scenes/leap.md5anim", &clip(4, 3.0))?;
    project.write(
        "scenes/box.toml",
        &SCENE.replace("up.md5anim", "leap.md5anim").replace("\"up\"", "\"leap\""),
    )?;
    let told = project.run(&["test"], 1, "scenes/box.toml: the camera fit moved by ")?;
    wanted_words(&told, &["tintype bless scenes/box.toml; tintype bless --refit"])?;
    // The patch contains only the frame, with the kept fit.
    project.run(&["test", "--patch", "accept.patch"], 1, "patch of")?;
    let patch = project.read("accept.patch")?;
    assert!(patch.contains("golden/box/0004.png") && !patch.contains("golden/box/0000.png"));

    // A plain bless keeps the fit, and reports that it moved.
    project.run(&["bless", "--all"], 0, "1 golden written, 4 records refreshed in 2 scenes")?;
    assert_eq!((project.fit("0004")?, picture("0000")?), (kept.clone(), first.clone()));
    project.fails(&[], 1)?;
    project.run(
        &["test", "--report", "out"],
        1,
        "to accept the new pictures: tintype bless --refit",
    )?;
    let report = project.read("out/index.html")?;
    wanted_words(&report, &["the camera fit moved by "])?;

    // Alone, --refit selects the scenes where the fit moved.
    let dry = project.run(&["bless", "--refit", "--dry-run"], 0, "5 goldens would be written")?;
    assert!(!dry.contains("golden/calm"), "{dry}");
    project.run(&["bless", "--refit"], 0, "5 goldens written")?;
    assert_ne!(project.fit("0004")?, kept);
    assert_ne!(picture("0000")?, first);
    project.run(&["test", "--strict"], 0, "10 goldens the same, 0 failed")?;

    // The picture drawn by render equals the accepted one.
    project.run(
        &["render", "scenes/box.toml", "--size", "64x48", "-f", "0", "-o", "out/####.png"],
        0,
        "",
    )?;
    let drawn = tintype_output::decode_png(&fs::read(project.path().join("out/0000.png"))?)?.0;
    let golden = tintype_output::decode_png(&picture("0000")?)?.0;
    assert_eq!(drawn, golden);
    // All goldens of a named scene are drawn with the current fit.
    project.write("scenes/leap.md5anim", &whole())?;
    project.run(&["bless", "golden/box/0002.png", "--refit"], 0, "5 goldens written")?;
    project.fails(&[], 0)
}

fn wanted_words(text: &str, words: &[&str]) -> Result<(), Failed> {
    match words.iter().find(|word| !text.contains(**word)) {
        Some(word) => Err(format!("not said: {word:?}\n{text}").into()),
        None => Ok(()),
    }
}

#[trial]
fn camera_of_the_scene_makes_the_kept_fit_stale() -> Result<(), Failed> {
    let project = Project::blessed(SCENE)?;
    let kept = project.fit("0000")?;
    project.write("scenes/up.md5anim", &clip(4, 1.2))?;
    for camera in ["azimuth_deg = 40", "margin = 0.2", "fov_deg = 20", "elevation_deg = 50"] {
        project.write("scenes/box.toml", &format!("{SCENE}[camera]\n{camera}\n"))?;
        project.fails(&["0000.png", "0002.png", "0004.png", "0006.png", "0008.png"], 0)?;
    }
    project.run(&["bless", "--all"], 0, "5 goldens written")?;
    assert_ne!(project.fit("0000")?, kept);
    project.fails(&[], 0)?;
    // A placed camera has no fit.
    let placed =
        format!("{SCENE}[camera]\nkind = \"look-at\"\neye = [4, 2, 4]\ntarget = [0, 1, 0]\n");
    project.write("scenes/box.toml", &placed)?;
    project.run(&["bless", "--all"], 0, "5 goldens written")?;
    assert!(project.fit("0000").is_err());
    project.fails(&[], 0)
}

#[trial]
fn records_without_a_fit_are_judged_by_that_of_today() -> Result<(), Failed> {
    let project = Project::blessed(SCENE)?;
    for frame in ["0000", "0002", "0004", "0006", "0008"] {
        let name = format!("golden/box/{frame}.toml");
        let text = project.read(&name)?.replace(&(project.fit(frame)? + "\n"), "");
        project.write(&name, &text)?;
    }
    project.fails(&[], 0)?;
    project.write("scenes/up.md5anim", &clip(4, 3.0))?;
    project.fails(&["0000.png", "0002.png", "0004.png", "0006.png", "0008.png"], 0)?;
    project.write("scenes/up.md5anim", &whole())?;
    project.run(&["bless", "--all"], 0, "0 goldens written, 5 records refreshed")?;
    project.write("scenes/up.md5anim", &clip(4, 3.0))?;
    project.fails(&["0004.png"], 1)?;
    // An invalid fit fails with its key.
    let text = project.read("golden/box/0002.toml")?;
    for bad in ["[1.0]", "[nan, 0.0, 0.0, 1.0, 0.0]", "\"no\""] {
        let broken = text.replace(&project.fit("0000")?, &format!("fit = {bad}"));
        project.write("golden/box/0002.toml", &broken)?;
        project.run(&["test"], 2, "fit: expected ")?;
    }
    Ok(())
}

#[trial]
fn scenes_that_move_take_their_fit_along() -> Result<(), Failed> {
    let project = Project::blessed(SCENE)?;
    project.write("scenes/up.md5anim", &clip(8, 0.802))?;
    project.run(&["bless", "--all"], 0, "1 golden written")?;
    fs::rename(project.path().join("scenes/box.toml"), project.path().join("scenes/crate.toml"))?;
    project.run(&["test"], 1, "scene box is now crate: 5 goldens equal")?;
    project.run(&["bless", "--move"], 0, "10 files moved")?;
    project.run(&["test", "--strict"], 0, "5 goldens the same")?;
    Ok(())
}
