//! Goldens as a team keeps them: groups of failures, libraries without scenes, known changes,
//! exports, and what a build server reads.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::command::{BOX, command, tintype, wanted};
use crate::support::trial;
use libtest_mimic::Failed;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

pub(crate) type Outcome = Result<(), Failed>;

/// A box with a camera orbiting it, with eight goldens.
pub(crate) const SCENE: &str = "[output]\nframes = \"0-7\"\n[camera]\nazimuth_deg = { from = 0, to = 70 }\n\
    [[material]]\nname = \"crate\"\ncolor = \"#ffffff\"\n[[model]]\nfile = \"box.md5mesh\"\n\
    [golden]\nframes = \"0-7\"\nsize = [32, 24]\n";

/// A clip of the box's one joint: nine keys along z.
fn clip(last: f64, rate: u32) -> String {
    let mut text = format!(
        "MD5Version 10\nnumFrames 9\nnumJoints 1\nframeRate {rate}\nnumAnimatedComponents 1\nhierarchy {{\n\"root\" -1 4 0\n}}\nbounds {{\n"
    );
    text += &"( -1 -1 0 ) ( 1 1 2 )\n".repeat(9);
    text += "}\nbaseframe {\n( 0 0 0 ) ( 0 0 0 )\n}\n";
    for frame in 0..9 {
        let z = if frame == 8 { last } else { f64::from(frame) * 0.1 };
        text += &format!("frame {frame} {{\n{z}\n}}\n");
    }
    text
}

pub(crate) fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A folder with the scene and its goldens.
pub(crate) fn blessed() -> Result<TempDir, Failed> {
    let folder = TempDir::new()?;
    write(folder.path(), "scenes/box.md5mesh", BOX);
    write(folder.path(), "scenes/box.toml", SCENE);
    run(folder.path(), &["bless", "--all"], 0, "8 goldens written")?;
    Ok(folder)
}

pub(crate) fn run(
    folder: &Path,
    arguments: &[&str],
    code: i32,
    says: &str,
) -> Result<String, Failed> {
    let output = tintype(folder, arguments);
    wanted(&output, code, says)
        .map_err(|error| format!("{arguments:?}: {}", error.message().unwrap_or_default()))?;
    Ok(String::from_utf8_lossy(&output.stderr).into_owned()
        + &String::from_utf8_lossy(&output.stdout))
}

fn same<T: PartialEq + std::fmt::Debug>(found: T, expected: T) -> Outcome {
    if found == expected { Ok(()) } else { Err(format!("{found:?}, not {expected:?}").into()) }
}

#[trial]
fn failures_of_one_cause_are_one_group() -> Outcome {
    let folder = blessed()?;
    let path = folder.path();
    write(path, "scenes/box.toml", &SCENE.replace("#ffffff", "#ff8040"));
    let text =
        run(path, &["test", "--junit", "j.xml", "--json", "t.json", "--summary", "s.md"], 1, "")?;
    same(text.matches("error: golden/box/").count(), 1)?;
    assert!(text.contains("7 more goldens fail for this cause: golden/box/0001.png"), "{text}");
    let all = run(path, &["test", "-v"], 1, "")?;
    same(all.matches("error: golden/box/").count(), 8)?;
    let junit = fs::read_to_string(path.join("j.xml"))?;
    same(junit.matches("one of 8 goldens with the cause of box, frame 0").count(), 7)?;
    let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(path.join("t.json"))?)?;
    same(json["groups"].as_array().map(Vec::len), Some(1))?;
    same(json["groups"][0]["count"].as_u64(), Some(8))?;
    let summary = fs::read_to_string(path.join("s.md"))?;
    assert!(summary.contains("8 goldens in 1 scene"), "{summary}");

    // The cause of the first applies to all; another one is not among them.
    run(path, &["bless", "--cause", "light 9"], 2, "no golden fails for light 9")?;
    run(path, &["bless", "--cause", "0123456789"], 2, "no golden fails for 0123456789")?;
    let cause = json["groups"][0]["id"].as_str().unwrap();
    assert!(text.contains(&format!("  cause {cause}\n")), "{text}");
    let finding = &json["scenes"][0]["frames"][0]["cause"]["findings"][0];
    same(finding["kind"].as_str(), Some("value-changed"))?;
    same(finding["of"]["element"].as_str(), Some("setting"))?;
    // Its first line identifies it.
    let line = json["scenes"][0]["frames"][0]["cause"]["text"].as_str().unwrap();
    run(path, &["bless", "--cause", line, "--frames", "0-2", "--dry-run"], 0, "3 goldens")?;
    run(path, &["bless", "--cause", cause, "--frames", "0-2"], 0, "3 goldens written")?;
    run(path, &["test"], 1, "3 goldens the same, 5 failed")?;
    write(path, "accept.txt", "# ticked\n\ngolden/box/0003.png\n./golden/box/0004.png\n");
    run(path, &["bless", "--from", "accept.txt"], 0, "2 goldens written")?;
    run(path, &["bless", "golden/*/9*.png"], 2, "no scene or golden")?;
    run(path, &["bless", "golden/*/0005.pn?"], 0, "1 golden written")?;
    run(path, &["test"], 1, "6 goldens the same, 2 failed")?;
    write(path, "accept.txt", "golden/box/0099.png\n");
    run(path, &["bless", "--from", "accept.txt"], 2, "accept.txt:1: golden/box/0099.png")?;
    run(path, &["bless", "--cause", cause], 0, "2 goldens written")?;
    run(path, &["test"], 0, "8 goldens the same")?;
    Ok(())
}

/// Scenes with the same camera and one box each, and their goldens.
fn several(names: &[&str]) -> Result<TempDir, Failed> {
    let folder = TempDir::new()?;
    for name in names {
        write(folder.path(), &format!("scenes/{name}.md5mesh"), BOX);
        write(folder.path(), &format!("scenes/{name}.toml"), &of_box(name));
    }
    run(folder.path(), &["bless", "--all"], 0, "written")?;
    Ok(folder)
}

/// The scene of a box, with goldens of three frames.
fn of_box(name: &str) -> String {
    let scene = SCENE.replace("box.md5mesh", &format!("{name}.md5mesh"));
    scene.replace("[golden]\nframes = \"0-7\"", "[golden]\nframes = \"0,3,6\"")
}

/// The pictures of scenes that are others than before.
fn changed(path: &Path, names: &[&str], before: &[Vec<u8>]) -> Vec<String> {
    let now = pictures(path, names).into_iter().zip(before).zip(names);
    now.filter(|((now, old), _)| now != *old).map(|(_, name)| (*name).to_owned()).collect()
}

fn pictures(path: &Path, names: &[&str]) -> Vec<Vec<u8>> {
    let read = |name: &&str| fs::read(path.join(format!("golden/{name}/0003.png"))).unwrap();
    names.iter().map(read).collect()
}

#[trial]
fn one_cause_hides_no_other() -> Outcome {
    const NAMES: [&str; 5] = ["a", "b", "c", "d", "zed"];
    let turned = |text: &str, to: &str| text.replace("to = 70", &format!("to = {to}"));
    // The last of them has this instead of, or in addition to, a camera that turns to 90; and the
    // words that report it.
    let colour = |text: &str| turned(text, "90").replace("#ffffff", "#ff8040");
    let place = |text: &str| turned(text, "90") + "[[instance]]\nmodel = \"zed\"\nscale = 0.5\n";
    let lens = |text: &str| turned(text, "90").replace("[camera]", "[camera]\nfov_deg = 20");
    let far = |text: &str| turned(text, "290");
    let mesh = |text: &str| turned(text, "90");
    type Edit<'a> = (&'a dyn Fn(&str) -> String, &'a str);
    let edits: [Edit; 5] = [
        (&colour, "material"),
        (&place, "scale 0.5"),
        (&lens, "fov_deg"),
        (&far, "290"),
        // In another stage than that of the first line.
        (&mesh, "vertex 6"),
    ];
    for (edit, words) in edits {
        let folder = several(&NAMES)?;
        let path = folder.path();
        for name in &NAMES[..4] {
            write(path, &format!("scenes/{name}.toml"), &turned(&of_box(name), "90"));
        }
        write(path, "scenes/zed.toml", &edit(&of_box("zed")));
        if words == "vertex 6" {
            let mesh = BOX.replace("weight 6 0 1 ( 1 1 2 )", "weight 6 0 1 ( 1 1 2.5 )");
            write(path, "scenes/zed.md5mesh", &mesh);
        }
        let files = ["--junit", "j.xml", "--json", "t.json", "--summary", "s.md", "--report", "r"];
        let text = run(path, &[&["test"][..], &files].concat(), 1, "")?;
        assert!(text.contains(words), "the terminal: {words}\n{text}");
        for file in ["j.xml", "t.json", "s.md", "r/index.html"] {
            assert!(fs::read_to_string(path.join(file))?.contains(words), "{file}: {words}");
        }
        let json: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(path.join("t.json"))?)?;
        let counts: Vec<_> = json["groups"].as_array().unwrap().iter().collect();
        let mut counts: Vec<_> = counts.iter().map(|one| one["count"].as_u64()).collect();
        counts.sort_unstable();
        same(counts, vec![Some(3), Some(12)])?;
        // The headings distinguish the two.
        let summary = fs::read_to_string(path.join("s.md"))?;
        let mut headings: Vec<&str> = summary.lines().filter(|l| l.starts_with("### ")).collect();
        headings.dedup();
        same(headings.len(), 2)?;
        // The first line of the others, with a dry run, and the whole cause of the last.
        let first = |name: &str| {
            let scenes = json["scenes"].as_array().unwrap();
            let own = scenes.iter().find(|one| one["name"] == *name).unwrap();
            own["frames"][0]["cause_id"].as_str().unwrap().to_owned()
        };
        let before = pictures(path, &NAMES);
        let cause = first("a");
        run(path, &["bless", "--cause", &cause], 0, "12 goldens written")?;
        same(changed(path, &NAMES, &before), NAMES[..4].iter().map(|&n| n.to_owned()).collect())?;
        run(path, &["bless", "--cause", &first("zed")], 0, "3 goldens written")?;
        run(path, &["test"], 0, "15 goldens the same")?;
    }
    Ok(())
}

#[trial]
fn cause_is_a_whole_one() -> Outcome {
    let folder = several(&["one", "two"])?;
    let path = folder.path();
    write(path, "scenes/one.toml", &of_box("one").replace("to = 70", "to = 71"));
    write(path, "scenes/two.toml", &of_box("two").replace("to = 70", "to = 710"));
    let before = pictures(path, &["one", "two"]);
    let said = run(path, &["test", "--json", "t.json"], 1, "azimuth_deg 0.0..70.0 -> 0.0..71.0")?;
    assert!(said.contains("azimuth_deg 0.0..70.0 -> 0.0..710.0"), "{said}");
    let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(path.join("t.json"))?)?;
    let [cause, other] = [0, 1].map(|k| json["scenes"][k]["frames"][1]["cause_id"].as_str());
    assert_ne!(cause, other);
    let cause = cause.unwrap();
    assert!(pictures(path, &["one", "two"]) == before);
    run(path, &["bless", "--cause", cause], 0, "3 goldens written")?;
    same(changed(path, &["one", "two"], &before), vec!["one".to_owned()])?;
    Ok(())
}

#[trial]
fn textures_are_told_by_their_files() -> Outcome {
    let folder = TempDir::new()?;
    let path = folder.path();
    let names = ["hero", "boss"];
    let mesh = BOX.replace("crate", "Material");
    let material = "[[material]]\nname = \"crate\"\ncolor = \"#ffffff\"\n";
    // Any pictures will do.
    for (name, colour) in [("red", "#ff0000"), ("blue", "#0000ff")] {
        write(path, &format!("paint/{name}.md5mesh"), BOX);
        write(path, &format!("paint/{name}.toml"), &of_box(name).replace("#ffffff", colour));
    }
    run(path, &["bless", "--scenes", "paint", "--all"], 0, "6 goldens written")?;
    let picture = |name: &str| path.join(format!("paint/golden/{name}/0000.png"));
    for name in names {
        write(path, &format!("models/{name}/body.md5mesh"), &mesh);
        fs::copy(picture("red"), path.join(format!("models/{name}/Material.png")))?;
        let model = format!("../models/{name}/body.md5mesh");
        let scene = of_box(name).replace(&format!("{name}.md5mesh"), &model);
        write(path, &format!("scenes/{name}.toml"), &scene.replace(material, ""));
    }
    run(path, &["bless", "--all"], 0, "6 goldens written")?;
    for name in names {
        fs::copy(picture("blue"), path.join(format!("models/{name}/Material.png")))?;
    }
    let before = pictures(path, &names);
    let text = run(path, &["test", "--json", "t.json"], 1, "")?;
    for name in names {
        let file = format!("texture: models/{name}/Material.png changed");
        assert!(text.contains(&file), "{file}\n{text}");
    }
    let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(path.join("t.json"))?)?;
    same(json["groups"].as_array().map(Vec::len), Some(2))?;
    // The first line of one frame is the same as that of all frames, and does not occur in other
    // files.
    let scenes = json["scenes"].as_array().unwrap();
    let hero = scenes.iter().find(|one| one["name"] == "hero").unwrap();
    let cause = &hero["frames"][2]["cause"];
    let text = cause["text"].as_str().unwrap();
    assert!(text.contains(" pixels, largest difference "), "{text}");
    same(cause["findings"][0]["kind"].as_str(), Some("file-changed"))?;
    let id = hero["frames"][2]["cause_id"].as_str().unwrap();
    run(path, &["bless", "--cause", id], 0, "2 goldens written in 2 scenes")?;
    same(changed(path, &names, &before), vec!["hero".to_owned()])?;
    Ok(())
}

/// Converts all goldens to those of a program with another revision, with other pixels if they are
/// to differ.
fn of_revision(path: &Path, ahead: u32, differs: bool) {
    for number in 0..8 {
        let golden = path.join(format!("golden/box/000{number}.png"));
        let record = golden.with_extension("toml");
        let text = fs::read_to_string(&record).unwrap();
        let line = text.lines().find(|line| line.starts_with("pixel_revision")).unwrap();
        let own: u32 = line.split_once("= ").unwrap().1.parse().unwrap();
        fs::write(&record, text.replace(line, &format!("pixel_revision = {}", own + ahead)))
            .unwrap();
        if differs {
            let (width, height) = (32_u32, 24_u32);
            let rgba = vec![[200, 100, 50, 255]; (width * height) as usize];
            let picture = tintype_model::frame::Frame { width, height, rgba };
            let png =
                tintype_output::encode_png(&picture, false, tintype_output::PngEffort::Fast, &[]);
            fs::write(&golden, png).unwrap();
        }
    }
}

#[trial]
fn colour_below_alpha_of_0_is_no_difference() -> Outcome {
    let folder = TempDir::new()?;
    let path = folder.path();
    write(path, "scenes/box.md5mesh", BOX);
    let clear = SCENE.replace("[output]", "[output]\nbackground = \"transparent\"");
    write(path, "scenes/box.toml", &clear);
    run(path, &["bless", "--all"], 0, "8 goldens written")?;
    let golden = path.join("golden/box/0003.png");
    let paint = |alpha: u8| -> Outcome {
        let (mut picture, _) = tintype_output::decode_any_png(&fs::read(&golden)?)?;
        let clear = picture.rgba.iter_mut().filter(|pixel| pixel[3] == 0);
        clear
            .enumerate()
            .for_each(|(n, pixel)| *pixel = [u8::try_from(n % 200).unwrap(), 9, 200, alpha]);
        let effort = tintype_output::PngEffort::Fast;
        fs::write(&golden, tintype_output::encode_png(&picture, true, effort, &[]))?;
        Ok(())
    };
    paint(0)?;
    run(path, &["test"], 0, "8 goldens the same")?;
    fs::copy(&golden, path.join("a.png"))?;
    let new = ["render", "scenes/box.toml", "-f", "3", "--size", "32x24", "-o", "b.png"];
    run(path, &new, 0, "")?;
    run(path, &["diff", "a.png", "b.png"], 0, "")?;
    paint(1)?;
    run(path, &["test"], 1, "7 goldens the same, 1 failed")?;
    Ok(())
}

#[trial]
fn goldens_of_a_newer_program_stay() -> Outcome {
    let all = |path: &Path| -> Vec<Vec<u8>> {
        let names = (0..8).flat_map(|n| [format!("000{n}.png"), format!("000{n}.toml")]);
        names.map(|name| fs::read(path.join("golden/box").join(name)).unwrap()).collect()
    };
    for ahead in [1, 7] {
        let folder = blessed()?;
        let path = folder.path();
        of_revision(path, ahead, true);
        let before = all(path);
        let text = run(path, &["test", "--patch", "p.patch"], 1, "update tintype")?;
        assert!(!text.contains("tintype bless"), "no advice to write over them: {text}");
        assert!(!path.join("p.patch").exists() || fs::read(path.join("p.patch"))?.is_empty());
        write(path, "list.txt", "golden/box/0001.png\n");
        for words in [
            &["--all"][..],
            &["box"],
            &["golden/box/0003.png"],
            &["--from", "list.txt"],
            &["--all", "--frames", "0-2"],
            &["--all", "--beside"],
            &["--all", "--allow-warnings"],
        ] {
            let words = [&["bless"][..], words].concat();
            run(path, &words, 3, "the golden is from a newer version (pixel revision")?;
            assert!(before == all(path), "{words:?}");
            assert!(!path.join("golden/box/0001").exists(), "{words:?}");
        }
        run(path, &["bless", "--all", "--overwrite-newer"], 0, "8 goldens written")?;
        run(path, &["test"], 0, "8 goldens the same")?;
    }
    // With the same picture the record stays, and nothing fails.
    let folder = blessed()?;
    let path = folder.path();
    of_revision(path, 1, false);
    let before = all(path);
    run(path, &["test", "--strict"], 0, "8 goldens from a newer version")?;
    run(path, &["bless", "--all"], 0, "8 goldens from a newer version with the same picture")?;
    assert!(before == all(path));
    // An older one is not a reason.
    let folder = blessed()?;
    let path = folder.path();
    let record = path.join("golden/box/0001.toml");
    let text = fs::read_to_string(&record)?;
    fs::write(&record, text.replace("pixel_revision = ", "pixel_revision = 0 # "))?;
    run(path, &["bless", "--all"], 0, "1 record refreshed")?;
    // Records alone, under another rule, and records of a form that this program cannot read.
    for (table, edit) in [
        ("pictures = false\npose = true\n", "pixel_revision = 1"),
        ("metric = \"max\"\nbound = 1\n", "pixel_revision = 1"),
        ("pictures = false\npose = true\n", "version = 9"),
        ("", "version = 9"),
    ] {
        let folder = TempDir::new()?;
        let path = folder.path();
        write(path, "scenes/box.md5mesh", BOX);
        write(path, "scenes/box.toml", &(SCENE.to_owned() + table));
        run(path, &["bless", "--all"], 0, "8 goldens written")?;
        let record = path.join("golden/box/0003.toml");
        let (key, digits) = edit.split_once(" = ").unwrap();
        let text = fs::read_to_string(&record)?;
        let line = text.lines().find(|line| line.starts_with(&format!("{key} = "))).unwrap();
        let newer = if digits == "1" { line.to_owned() + "00" } else { edit.to_owned() };
        fs::write(&record, text.replacen(line, &newer, 1))?;
        let before = fs::read(&record)?;
        write(path, "scenes/box.md5mesh", &BOX.replace("( 1 1 2 )", "( 1 1 3 )"));
        run(
            path,
            &["test", "--filter", "0003"],
            if edit.contains("version =") && table.contains("pictures") { 2 } else { 1 },
            "newer version",
        )?;
        run(path, &["bless", "--all"], 3, "the golden is from a newer version")?;
        assert!(before == fs::read(&record)?, "{table}{edit}");
    }
    Ok(())
}

#[trial]
fn libraries_need_no_scene() -> Outcome {
    let folder = TempDir::new()?;
    let path = folder.path();
    write(path, "chars/box/box.md5mesh", BOX);
    write(path, "chars/box/up.md5anim", &clip(0.8, 10));
    write(path, "chars/crate.md5mesh", BOX);
    let models = "chars/**/*";
    run(path, &["test", "--models", models], 1, "the model is new")?;
    run(
        path,
        &["bless", "--models", models, "--size", "32x24", "--allow-warnings"],
        0,
        "5 goldens written of 2 models with 2 clips in chars-golden",
    )?;
    run(path, &["test", "--models", models], 0, "5 goldens the same, 0 failed")?;
    run(
        path,
        &["test", "--models", models, "--size", "40x30"],
        2,
        "have other times or another size",
    )?;
    run(path, &["test", "--models", "chars/*.gltf"], 2, "no file matches this pattern")?;

    // The last key is not between two sampled times, and is reported anyway.
    write(path, "chars/box/up.md5anim", &clip(0.9, 10));
    let text = run(path, &["test", "--models", models, "--junit", "-"], 1, "in key 8 of clip up")?;
    assert!(text.contains("tintype bless --models 'chars/**/*'"), "{text}");
    write(path, "chars/box/up.md5anim", &clip(0.8, 20));
    run(path, &["test", "--models", models], 1, "clip up runs at 20 keys per second, was 10")?;
    run(
        path,
        &["bless", "--models", models, "--allow-warnings"],
        0,
        "clips.toml: record of clips written",
    )?;
    run(path, &["test", "--models", models, "--report", "rep"], 0, "0 failed")?;

    fs::rename(path.join("chars/crate.md5mesh"), path.join("chars/chest.md5mesh"))?;
    run(path, &["test", "--models", models], 1, "model crate.md5mesh was renamed")?;
    run(path, &["bless", "--models", models, "--allow-warnings"], 0, "1 golden written")?;
    run(path, &["test", "--models", models], 1, "model crate.md5mesh no longer exists")?;
    run(path, &["bless", "--models", models, "--prune"], 0, "removed chars-golden/crate.md5mesh")?;
    run(path, &["test", "--models", models], 0, "5 goldens the same")?;
    write(path, "chars/box/box.md5mesh", "MD5Version 10\n");
    run(path, &["test", "--models", models], 2, "box.md5mesh")?;
    Ok(())
}

#[trial]
fn known_changes_pass_until_their_day() -> Outcome {
    let folder = blessed()?;
    let path = folder.path();
    let known = |text: &str| {
        let scene = SCENE.replace("#ffffff", "#ff8040");
        write(
            path,
            "scenes/box.toml",
            &format!("{scene}[[golden.known]]\nreason = \"new paint\"\n{text}\n"),
        );
    };
    known("rect = [0, 0, 32, 24]\nuntil = \"2030-06-30\"");
    run(
        path,
        &["test", "--today", "2030-06-30"],
        0,
        "0 goldens the same, 8 with known changes, 0 failed",
    )?;
    run(
        path,
        &["test", "--today", "2030-07-01"],
        1,
        "the known change \"new paint\" expired on 2030-06-30",
    )?;
    run(path, &["test", "--today", "soon"], 2, "--today soon: expected a date")?;
    // One pixel outside fails as before.
    known("rect = [0, 0, 16, 24]");
    run(path, &["test"], 1, "8 failed")?;
    known("instance = \"box\"");
    run(path, &["test"], 0, "a known change: \"new paint\"")?;
    known("instance = \"box\"\nframes = \"0-3\"");
    run(path, &["test"], 1, "4 with known changes, 4 failed")?;
    run(path, &["bless", "--all"], 0, "8 goldens written")?;
    run(path, &["test"], 0, "no golden needs the known change \"new paint\"")?;
    run(path, &["test", "--strict"], 3, "")?;
    Ok(())
}

#[trial]
fn bisect_skips_what_cannot_be_judged() -> Outcome {
    let folder = blessed()?;
    let path = folder.path();
    run(path, &["test", "--bisect"], 0, "")?;
    write(path, "scenes/box.toml", &SCENE.replace("#ffffff", "#ff8040"));
    run(path, &["test", "--bisect"], 1, "")?;
    write(path, "scenes/box.toml", &SCENE.replace("box.md5mesh", "gone.md5mesh"));
    run(path, &["test", "--bisect"], 125, "gone.md5mesh")?;
    write(path, "scenes/box.toml", SCENE);
    fs::remove_dir_all(path.join("golden"))?;
    run(path, &["test", "--bisect"], 125, "missing")?;
    fs::remove_dir_all(path.join("scenes"))?;
    run(path, &["test", "--bisect"], 125, "")?;
    Ok(())
}

#[trial]
fn goldens_of_another_checkout_are_compared() -> Outcome {
    let (before, now) = (blessed()?, blessed()?);
    write(now.path(), "scenes/box.toml", &SCENE.replace("#ffffff", "#ff8040"));
    run(now.path(), &["bless", "--all"], 0, "8 goldens written")?;
    let against = before.path().display().to_string();
    run(now.path(), &["test"], 0, "8 goldens the same")?;
    run(now.path(), &["test", "--against", &against], 1, "8 failed")?;
    run(now.path(), &["test", "--against", "nowhere"], 2, "--against nowhere: ")?;
    Ok(())
}

#[trial]
fn goldens_of_a_revision_are_taken_out_of_git() -> Outcome {
    let folder = blessed()?;
    let path = folder.path();
    let git = |arguments: &[&str]| {
        let words = ["-c", "user.name=n", "-c", "user.email=n@example.org"];
        let status = Command::new("git").args(words).args(arguments).current_dir(path).status();
        assert!(status.is_ok_and(|status| status.success()), "git {arguments:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "one"]);
    git(&["tag", "v1"]);
    write(path, "scenes/box.toml", &SCENE.replace("#ffffff", "#ff8040"));
    run(path, &["bless", "scenes/box.toml"], 0, "8 goldens written")?;
    git(&["commit", "-qam", "two"]);
    run(path, &["test", "--against", "HEAD"], 0, "8 goldens the same")?;
    let text = run(path, &["test", "--against", "v1"], 1, "error: golden/box/0000.png: material")?;
    assert!(text.contains("compared with the goldens of ") && text.contains(", v1\n"), "{text}");
    assert!(!text.contains("to accept"), "a revision stays as it is: {text}");
    run(path, &["test", "--against", "v2"], 2, "v2: neither a folder nor a git revision")?;
    fs::create_dir(path.join("sub"))?;
    run(&path.join("sub"), &["test", "--against", "v1"], 2, "revision v1 has no folder golden")?;
    // The index is that of the last commit.
    git(&["diff", "--cached", "--quiet"]);
    Ok(())
}

/// A repository of git with the scene and its goldens, and its command.
fn repository() -> Result<(TempDir, impl Fn(&[&str])), Failed> {
    let folder = blessed()?;
    let path = folder.path().to_path_buf();
    let git = move |arguments: &[&str]| {
        let words = ["-c", "user.name=n", "-c", "user.email=n@example.org"];
        let status = Command::new("git").args(words).args(arguments).current_dir(&path).status();
        assert!(status.is_ok_and(|status| status.success()), "git {arguments:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "one"]);
    Ok((folder, git))
}

/// The commands that a test proposes for its groups, and on its last line, each once; they end with
/// 0.
fn follow_advice(path: &Path, arguments: &[&str]) -> Result<Vec<String>, Failed> {
    let all = [&["test", "--json", "t.json"], arguments].concat();
    let said = run(path, &all, 1, "")?;
    let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(path.join("t.json"))?)?;
    let groups = json["groups"].as_array().ok_or("no groups")?;
    let scenes = json["scenes"].as_array().ok_or("no scenes")?;
    let of = |list: &[serde_json::Value]| -> Vec<String> {
        list.iter().filter_map(|one| Some(one["accept"].as_str()?.to_owned())).collect()
    };
    let mut proposed = of(groups);
    let last = said.lines().rev().find_map(|line| line.split_once(": tintype "));
    proposed.extend(last.map(|(_, command)| format!("tintype {command}")));
    proposed.extend(of(scenes));
    for scene in scenes {
        proposed.extend(of(scene["frames"].as_array().ok_or("no frames")?));
    }
    let (mut told, mut seen) = (Vec::new(), std::collections::BTreeSet::new());
    for command in proposed.into_iter().filter(|command| seen.insert(command.clone())) {
        // All commands of a group together accept its failures: repeated ones find nothing left.
        if told.is_empty() || !run_again(path, arguments) {
            shell(path, &command)?;
            told.push(command);
        }
    }
    Ok(told)
}

fn run_again(path: &Path, arguments: &[&str]) -> bool {
    tintype(path, &[&["test"], arguments].concat()).status.success()
}

fn shell(path: &Path, command: &str) -> Outcome {
    let program = Path::new(env!("CARGO_BIN_EXE_tintype")).parent().unwrap();
    let search = format!("{}:{}", program.display(), std::env::var("PATH")?);
    let mut own = Command::new("sh");
    own.args(["-c", command]).current_dir(path).env("PATH", search).env_remove("CI");
    let output = own.env("TINTYPE_CONFIG", "").output()?;
    wanted(&output, 0, "")
        .map_err(|error| format!("{command}: {}", error.message().unwrap_or("")).into())
}

#[trial]
fn proposed_commands_do_what_they_say() -> Outcome {
    type Change = fn(&Path) -> std::io::Result<()>;
    let changes: [(&str, Change, &[&str]); 6] = [
        (
            "another colour",
            |path| fs::write(path.join("scenes/box.toml"), SCENE.replace("#ffffff", "#ff8040")),
            &[],
        ),
        (
            "goldens left over",
            |path| {
                fs::write(
                    path.join("scenes/box.toml"),
                    SCENE.replace("\"0-7\"\nsize", "\"0-5\"\nsize"),
                )
            },
            &[],
        ),
        (
            "a scene renamed",
            |path| fs::rename(path.join("scenes/box.toml"), path.join("scenes/it's a box.toml")),
            &[],
        ),
        (
            "a scene renamed and edited",
            |path| {
                fs::remove_file(path.join("scenes/box.toml"))?;
                fs::write(path.join("scenes/new.toml"), SCENE.replace("#ffffff", "#ff8040"))
            },
            &[],
        ),
        (
            "a texture that is missing",
            |path| {
                let material = "[[material]]\nname = \"crate\"\ncolor = \"#ffffff\"\n";
                let mesh = BOX.replace("\"crate\"", "\"none_such\"");
                fs::write(path.join("scenes/box.md5mesh"), mesh)?;
                fs::write(path.join("scenes/box.toml"), SCENE.replace(material, ""))
            },
            &[],
        ),
        (
            "a folder of another name",
            |path| {
                fs::create_dir(path.join("shots"))?;
                fs::copy(path.join("scenes/box.md5mesh"), path.join("shots/box.md5mesh"))?;
                fs::rename(path.join("scenes/box.toml"), path.join("shots/box.toml"))
            },
            &["shots"],
        ),
    ];
    for (name, change, arguments) in changes {
        let folder = blessed()?;
        change(folder.path())?;
        let commands = follow_advice(folder.path(), arguments)
            .map_err(|error| format!("{name}: {}", error.message().unwrap_or_default()))?;
        assert!(!commands.is_empty(), "{name}: nothing is proposed");
        let all = [&["test"], arguments].concat();
        run(folder.path(), &all, 0, "0 failed").map_err(|error| {
            format!("{name}: after {commands:?}: {}", error.message().unwrap_or_default())
        })?;
    }
    Ok(())
}

#[trial]
fn nothing_is_proposed_that_cannot_be_done() -> Outcome {
    let folder = blessed()?;
    let path = folder.path();
    // A pointer of Git LFS is not written over.
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n";
    write(path, "golden/box/0003.png", pointer);
    let text = run(path, &["test", "--json", "t.json"], 2, "git lfs pull")?;
    assert!(!text.contains("tintype bless"), "{text}");
    let json = fs::read_to_string(path.join("t.json"))?;
    assert!(!json.contains("tintype bless"), "{json}");
    Ok(())
}

#[trial]
fn scene_that_moved_takes_its_goldens_along() -> Outcome {
    let (folder, git) = repository()?;
    let path = folder.path();
    fs::create_dir(path.join("scenes/a"))?;
    git(&["mv", "scenes/box.toml", "scenes/a/"]);
    let text = SCENE.replace("box.md5mesh", "../box.md5mesh");
    write(path, "scenes/a/box.toml", &text);
    let said = run(path, &["test"], 1, "scene box is now a/box: 8 goldens equal")?;
    assert!(!said.contains("no scene uses") && said.contains("tintype bless --move"), "{said}");
    run(path, &["bless", "--move"], 0, "16 files moved")?;
    let said = run(path, &["test"], 0, "8 goldens the same")?;
    assert!(!said.contains("changed but the picture did not"), "{said}");
    assert!(!path.join("golden/box").exists());
    run(path, &["bless", "--move"], 0, "0 files moved")?;

    // A renamed model is the same file.
    fs::rename(path.join("scenes/box.md5mesh"), path.join("scenes/crate.md5mesh"))?;
    write(path, "scenes/a/box.toml", &text.replace("box.md5mesh", "crate.md5mesh"));
    let said = run(path, &["test"], 0, "8 goldens the same")?;
    assert!(!said.contains("changed but the picture did not"), "{said}");

    // If it was renamed only on disk, its content identifies it.
    run(path, &["bless", "--all"], 0, "8 records refreshed")?;
    fs::rename(path.join("scenes/crate.md5mesh"), path.join("scenes/hull.md5mesh"))?;
    let says = "the file with the content of scenes/a/../crate.md5mesh is scenes/a/../hull.md5mesh";
    run(path, &["test"], 2, says)?;
    fs::rename(path.join("scenes/hull.md5mesh"), path.join("scenes/crate.md5mesh"))?;

    // Moved with a failing golden: it fails at its new path.
    fs::copy(path.join("golden/a/box/0004.png"), path.join("golden/a/box/0003.png"))?;
    git(&["add", "."]);
    git(&["commit", "-qm", "two"]);
    git(&["mv", "scenes/a/box.toml", "scenes/b.toml"]);
    write(path, "scenes/b.toml", &SCENE.replace("box.md5mesh", "crate.md5mesh"));
    run(path, &["test"], 1, "scene a/box is now b: 7 of 8 goldens equal")?;
    run(path, &["bless", "--move"], 0, "16 files moved")?;
    run(path, &["test"], 1, "7 goldens the same, 1 failed")?;

    // Moved, and every frame changed: the name identifies it.
    git(&["add", "."]);
    git(&["commit", "-qm", "three"]);
    fs::create_dir(path.join("scenes/c"))?;
    git(&["mv", "scenes/b.toml", "scenes/c/b.toml"]);
    let text = SCENE.replace("box.md5mesh", "../crate.md5mesh");
    write(path, "scenes/c/b.toml", &text.replace("#ffffff", "#ff8040"));
    run(path, &["test"], 1, "scene b is now c/b: 0 of 8 goldens equal")?;
    run(path, &["bless", "--move"], 0, "16 files moved")?;
    run(path, &["test"], 1, "0 goldens the same, 8 failed")?;
    Ok(())
}

#[trial]
fn merge_conflicts_are_told() -> Outcome {
    let folder = blessed()?;
    let path = folder.path();
    let conflict = |text: &str| {
        let (first, rest) = text.split_once('\n').unwrap();
        let (second, rest) = rest.split_once('\n').unwrap();
        format!("{first}\n<<<<<<< HEAD\n{second}\n=======\n{second}\n>>>>>>> side\n{rest}")
    };
    let says = "2: unresolved git merge conflict: keep one side";
    write(path, "scenes/box.toml", &conflict(SCENE));
    let text = run(path, &["test"], 2, "unresolved git merge conflict")?;
    same(text.matches("merge conflict").count(), 1)?;
    write(path, "scenes/box.toml", SCENE);
    let record = fs::read_to_string(path.join("golden/box/0000.toml"))?;
    write(path, "golden/box/0000.toml", &conflict(&record));
    run(path, &["test"], 2, says)?;
    run(path, &["bless", "scenes/box.toml"], 0, "1 record refreshed")?;
    run(path, &["test"], 0, "8 goldens the same")?;
    write(path, "accept.txt", &conflict("golden/box/0000.png\ngolden/box/0001.png\n"));
    run(path, &["bless", "--from", "accept.txt"], 2, &format!("accept.txt:{says}"))?;
    write(path, "models.txt", &conflict("scenes/box.md5mesh\nscenes/box.md5mesh\n"));
    run(path, &["thumbnail", "--list", "models.txt", "-o", "o"], 2, &format!("models.txt:{says}"))?;
    Ok(())
}

#[trial]
fn revisions_of_builds_are_found_or_told() -> Outcome {
    let (folder, git) = repository()?;
    let path = folder.path();
    // Git LFS by a path: a filter that reads each file from beside the repository.
    let store = TempDir::new()?;
    let golden = path.join("golden/box");
    let pictures: Vec<_> = fs::read_dir(&golden)?.flatten().map(|one| one.path()).collect();
    let pictures: Vec<_> =
        pictures.iter().filter(|one| one.extension() == Some("png".as_ref())).collect();
    for picture in &pictures {
        fs::copy(picture, store.path().join(picture.file_name().unwrap()))?;
        fs::write(picture, "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")?;
    }
    git(&["commit", "-qam", "pointers"]);
    write(path, ".gitattributes", "golden/**/*.png filter=lfs\n");
    git(&["add", "."]);
    git(&["commit", "-qm", "attributes"]);
    let smudge = format!("cat > {0}/in; cat {0}/$(basename %f)", store.path().display());
    git(&["config", "filter.lfs.smudge", &smudge]);
    for picture in &pictures {
        fs::copy(store.path().join(picture.file_name().unwrap()), picture)?;
    }
    run(path, &["test", "--against", "HEAD"], 0, "8 goldens the same")?;

    // A clone without history.
    let shallow = TempDir::new()?;
    let address = format!("file://{}", path.display());
    git(&[
        "clone",
        "-q",
        "--depth",
        "1",
        &address,
        &shallow.path().join("c").display().to_string(),
    ]);
    let says = "HEAD~1 is not in this shallow clone";
    let text = run(&shallow.path().join("c"), &["test", "--against", "HEAD~1"], 2, says)?;
    assert!(text.contains("git fetch --unshallow") && text.contains("fetch-depth: 0"), "{text}");
    Ok(())
}

#[trial]
fn scene_outside_of_the_folder_is_blessed_by_its_path() -> Outcome {
    let folder = blessed()?;
    let path = folder.path();
    fs::create_dir(path.join("elsewhere"))?;
    for file in ["box.toml", "box.md5mesh", "up.md5anim"] {
        let from = path.join("scenes").join(file);
        if from.is_file() {
            fs::copy(from, path.join("elsewhere").join(file))?;
        }
    }
    run(path, &["bless", "elsewhere/box.toml"], 0, "8 goldens written")?;
    run(path, &["test", "elsewhere/box.toml"], 0, "8 goldens the same")?;
    run(path, &["bless", "elsewhere/nothing.toml"], 2, "no scene or golden has")?;
    Ok(())
}

#[trial]
fn summary_shows_pictures_of_the_report() -> Outcome {
    let folder = blessed()?;
    let path = folder.path();
    write(path, "scenes/box.toml", &SCENE.replace("#ffffff", "#ff8040"));
    write(path, "s.md", "before\n");
    run(path, &["test", "--report", "out", "--summary", "s.md"], 1, "")?;
    let text = fs::read_to_string(path.join("s.md"))?;
    assert!(text.starts_with("before\n## tintype: 8 of 8 goldens failed"), "{text}");
    assert!(text.contains("![is](out/pictures/box/0000.new.png)"), "{text}");
    assert!(path.join("out/pictures/box/0000.new.png").is_file());
    // As linked from the summary, wherever that is; a name may contain characters special in
    // addresses.
    fs::create_dir(path.join("sub"))?;
    for (report, summary, shown) in [
        ("out", "sub/s.md", "(../out/pictures/"),
        ("out", "out/s.md", "(./pictures/"),
        ("out #1", "t.md", "(out%20%231/pictures/"),
    ] {
        run(path, &["test", "--report", report, "--summary", summary], 1, "")?;
        let text = fs::read_to_string(path.join(summary))?;
        assert!(text.contains(&format!("![is]{shown}box/0000.new.png)")), "{summary}: {text}");
    }
    // Without addresses: the page of a job, the place where standard output is shown, and by a
    // setting.
    let none = |mut command: Command, file: &str| -> Outcome {
        let output = command.output()?;
        wanted(&output, 1, "8 failed")?;
        let text = String::from_utf8(output.stdout)?;
        let text = if file == "-" { text } else { fs::read_to_string(path.join(file))? };
        assert!(text.contains("frame 0") && !text.contains("!["), "{file}: {text}");
        Ok(())
    };
    let test =
        |more: &[&str]| command(path, &[&["test", "--report", "out", "--summary"], more].concat());
    let mut of_job = test(&["job.md"]);
    of_job.env("GITHUB_STEP_SUMMARY", path.join("sub/../job.md"));
    none(of_job, "job.md")?;
    none(test(&["-"]), "-")?;
    none(test(&["none.md", "--summary-pictures", ""]), "none.md")?;
    let page = fs::read_to_string(path.join("out/index.html"))?;
    assert!(page.contains("tintype bless --cause"), "the page has the command for the group");
    Ok(())
}

#[trial]
fn exports_are_compared_with_every_clip() -> Outcome {
    let folder = TempDir::new()?;
    let path = folder.path();
    for side in ["a", "b"] {
        write(path, &format!("{side}/box.md5mesh"), BOX);
        write(path, &format!("{side}/up.md5anim"), &clip(0.8, 10));
    }
    run(path, &["diff", "a", "b"], 0, "1 model with 1 clip: 1 the same")?;
    run(path, &["diff", "a/box.md5mesh", "b/box.md5mesh"], 0, "the same at 9 moments")?;
    write(path, "b/up.md5anim", &clip(1.8, 10));
    let text = run(
        path,
        &["diff", "a", "b", "--junit", "-", "--report", "rep"],
        1,
        "1 model with 1 clip: 1 different",
    )?;
    assert!(text.contains("box.md5mesh: clip up: pose: joint root moved 1.00 ("), "{text}");
    assert!(text.contains("<testcase name=\"clip up\""), "{text}");
    assert!(path.join("rep/pictures/box.md5mesh/0001.new.png").is_file());
    let output = tintype(path, &["diff", "a", "b", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    same(json["same"].as_bool(), Some(false))?;
    same(json["models"][0]["parts"][1]["findings"][0]["stage"].as_str(), Some("pose"))?;
    fs::rename(path.join("b/box.md5mesh"), path.join("b/crate.md5mesh"))?;
    run(path, &["diff", "a", "b"], 1, "crate.md5mesh: note: renamed from box.md5mesh")?;
    run(path, &["diff", "a/up.md5anim", "b", "--report", "rep"], 2, "")?;
    Ok(())
}
