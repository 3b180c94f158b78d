//! False successes: pictures without content, pictures of the wrong files, invalid files, and
//! scenes that hide.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::images::folder;
use crate::support::command::{tintype, wanted};
use crate::support::trial;
use libtest_mimic::Failed;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tintype_output::{PngEffort, decode_png, encode_png};

/// Replaces a text in the scene.
fn edit(folder: &Path, from: &str, to: &str) {
    let path = folder.join("scenes/ball.toml");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replace(from, to)).unwrap();
}

fn says(output: &Output, text: &str) -> bool {
    String::from_utf8_lossy(&output.stderr).contains(text)
}

/// Fails if the command printed anything.
fn silent(output: &Output, text: &str) -> Result<(), Failed> {
    match says(output, text) {
        true => Err(String::from_utf8_lossy(&output.stderr).into_owned().into()),
        false => Ok(()),
    }
}

#[trial]
fn warnings_of_a_scene_are_told_and_count() -> Result<(), Failed> {
    let folder = folder();
    let warned = "warning: scenes/ball.toml: material[0].name: no mesh has the shader \"orb\"";
    wanted(&tintype(folder.path(), &["bless", "--all"]), 0, warned)?;
    wanted(&tintype(folder.path(), &["test"]), 0, warned)?;
    wanted(&tintype(folder.path(), &["test", "--strict"]), 3, warned)?;
    wanted(&tintype(folder.path(), &["bless", "--all", "--strict"]), 3, warned)
}

/// A picture with a replacement for something missing: a texture, or joints of the names in the
/// clip.
#[trial]
fn stand_ins_are_blessed_with_a_word_only() -> Result<(), Failed> {
    let root = Path::new(env!("WORKSPACE_ROOT"));
    let texture = folder();
    let model = root.join("scenes/assets/globe.md5mesh");
    fs::copy(&model, texture.path().join("scenes/globe.md5mesh"))?;
    edit(texture.path(), &model.display().to_string(), "globe.md5mesh");

    let clip = folder();
    for file in ["ranger.md5mesh", "ranger_walk.md5anim"] {
        fs::copy(root.join("scenes/assets").join(file), clip.path().join("scenes").join(file))?;
    }
    let path = clip.path().join("scenes/ranger_walk.md5anim");
    fs::write(&path, fs::read_to_string(&path)?.replace("\"head\"", "\"Head\""))?;
    let materials: String = ["models/ranger", "models/gear/ranger", "models/ranger_eyes"]
        .map(|name| format!("[[material]]\nname = \"{name}\"\n"))
        .concat();
    edit(clip.path(), "[[material]]\nname = \"orb\"\n", &materials);
    edit(
        clip.path(),
        &format!("file = \"{}\"", model.display()),
        "file = \"ranger.md5mesh\"\nclips = [{ file = \"ranger_walk.md5anim\" }]",
    );

    for (folder, what) in [(&texture, "a magenta checker"), (&clip, "matched by index")] {
        let bless = |more: &[&str]| tintype(folder.path(), &[&["bless", "--all"], more].concat());
        wanted(&bless(&[]), 3, what)?;
        wanted(&bless(&[]), 3, "0000.png: not accepted: ")?;
        assert!(!folder.path().join("golden").exists());
        wanted(&bless(&["--allow-warnings"]), 0, "2 goldens written")?;
        wanted(&tintype(folder.path(), &["test"]), 0, what)?;
        wanted(&tintype(folder.path(), &["test", "--strict"]), 3, what)?;
        // Nothing is written, so nothing is refused.
        wanted(&bless(&[]), 0, "0 goldens written")?;
    }
    Ok(())
}

/// Out of the picture, transparent, or of the colour behind: their goldens could never fail.
#[trial]
fn empty_pictures_neither_pass_nor_are_blessed() -> Result<(), Failed> {
    let away = "[camera]\nkind = \"look-at\"\neye = [50, 0, 0]\ntarget = [100, 0, 0]\n";
    let seen =
        "[camera]\ntarget = [0, 0.5, 0]\ndistance = 2.2\nazimuth_deg = { from = 0, to = 90 }\n";
    let name = "name = \"orb\"\n";
    let clear = "name = \"models/globe\"\nopacity = 0\nalpha = \"blend\"\nspecular_strength = 0\n";
    let black = "name = \"models/globe\"\ncolor = \"#000000\"\nspecular_strength = 0\n";
    for (from, to) in [(seen, away), (name, clear), (name, black)] {
        let folder = folder();
        edit(folder.path(), "frames = \"0-3\"\n", "frames = \"0-3\"\nbackground = \"#000000\"\n");
        wanted(&tintype(folder.path(), &["bless", "--all"]), 0, "2 goldens written")?;
        edit(folder.path(), from, to);
        // The golden was not empty, so the cause is worth more.
        wanted(&tintype(folder.path(), &["test"]), 1, "nothing is visible in the new picture")?;
        wanted(
            &tintype(folder.path(), &["bless", "--all"]),
            3,
            "0002.png: not accepted: nothing is visible",
        )?;
        fs::remove_dir_all(folder.path().join("golden"))?;
        wanted(&tintype(folder.path(), &["bless", "--all"]), 3, "0 goldens written")?;
        assert!(!folder.path().join("golden").exists());
        let test = tintype(folder.path(), &["test", "--json", "-"]);
        wanted(&test, 3, "0000.png: nothing is visible in the picture")?;
        silent(&test, "tintype bless")?;
        let json: serde_json::Value = serde_json::from_slice(&test.stdout)?;
        assert_eq!(json["scenes"][0]["frames"][0]["status"], "empty");
    }
    Ok(())
}

/// Moves the scene into a folder of another name.
fn renamed(name: &str) -> tempfile::TempDir {
    let folder = folder();
    fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
    fs::rename(folder.path().join("scenes"), folder.path().join(name)).unwrap();
    folder
}

#[trial]
fn scene_folders_may_have_any_name() -> Result<(), Failed> {
    for name in ["mine", "a/b", "golden", "scenes/golden"] {
        let folder = match name {
            "scenes/golden" => {
                let folder = folder();
                let path = |name: &str| folder.path().join(name);
                fs::create_dir(path("scenes/golden"))?;
                fs::rename(path("scenes/ball.toml"), path("scenes/golden/ball.toml"))?;
                folder
            }
            name => renamed(name),
        };
        let test = |path: &str| tintype(folder.path(), &["test", path]);
        let bless =
            |more: &[&str]| tintype(folder.path(), &[&["bless", "--scenes", name], more].concat());
        wanted(&bless(&["--all"]), 0, "2 goldens written in 1 scene")?;
        wanted(&test(name), 0, "2 goldens the same, 0 failed")?;
        wanted(&bless(&["--all"]), 0, "0 goldens written")?;
        wanted(&test("."), 0, "2 goldens the same, 0 failed")?;

        // A golden without a scene is found, reported with a working command, and pruned.
        let golden = match name {
            "scenes/golden" => "golden/golden",
            "mine" => "mine/golden",
            "a/b" => "a/b/golden",
            _ => "golden/golden",
        };
        let (ball, gone) =
            (folder.path().join(golden).join("ball"), folder.path().join(golden).join("gone"));
        fs::create_dir(&gone)?;
        for file in ["0000.png", "0000.toml"] {
            fs::copy(ball.join(file), gone.join(file))?;
        }
        let output = test(name);
        wanted(&output, 1, "gone/0000.png: no scene uses this golden")?;
        let advice = format!("tintype bless --prune --scenes {name}");
        wanted(&output, 1, &advice)?;
        wanted(&bless(&["--prune"]), 0, "1 golden removed")?;
        wanted(&test(name), 0, "2 goldens the same, 0 failed")?;
    }
    Ok(())
}

/// A broken scene is reported in every run that might concern it, and its goldens are not reported
/// as lacking a scene.
#[trial]
fn broken_scenes_hide_nothing_and_advise_nothing() -> Result<(), Failed> {
    let folder = folder();
    fs::create_dir(folder.path().join("scenes/sub"))?;
    fs::copy(folder.path().join("scenes/ball.toml"), folder.path().join("scenes/sub/two.toml"))?;
    wanted(&tintype(folder.path(), &["bless", "--all"]), 0, "4 goldens written in 2 scenes")?;
    let sound = fs::read_to_string(folder.path().join("scenes/sub/two.toml"))?;
    fs::write(folder.path().join("scenes/sub/two.toml"), sound.replace("frames", "farmes"))?;
    for arguments in [&["test"][..], &["test", "scenes/sub"], &["test", "--filter", "sub/two"]] {
        let output = tintype(folder.path(), arguments);
        wanted(&output, 2, "did you mean")?;
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(said.matches("two.toml:3:1").count(), 1, "told once: {said}");
        silent(&output, "no scene uses")?;
        silent(&output, "--prune")?;
    }
    // The filter names a golden that the broken scene has.
    wanted(&tintype(folder.path(), &["test", "--filter", "0000.png"]), 2, "did you mean")?;
    let output = tintype(folder.path(), &["test", "--filter", "ball"]);
    wanted(&output, 0, "warning: mistakes in scenes/sub/two.toml; its goldens are not tested")?;
    wanted(&tintype(folder.path(), &["bless", "--prune"]), 2, "did you mean")?;
    assert!(folder.path().join("golden/sub/two/0000.png").is_file());
    fs::write(folder.path().join("scenes/sub/two.toml"), sound)?;

    // Dangling goldens are found with a filter, in a folder below, and for a single scene.
    let ball = folder.path().join("golden/ball/0000.png");
    for name in ["golden/ball/0003.png", "golden/sub/two/0001.png", "golden/sub/gone/0000.png"] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap())?;
        fs::copy(&ball, path)?;
    }
    let lost = |name: &str| format!("{name}: no scene uses this golden");
    let output = tintype(folder.path(), &["test", "scenes/sub"]);
    wanted(&output, 1, &lost("golden/sub/gone/0000.png"))?;
    wanted(&output, 1, &lost("golden/sub/two/0001.png"))?;
    silent(&output, "golden/ball")?;
    let output = tintype(folder.path(), &["test", "--filter", "ball.toml"]);
    wanted(&output, 1, &lost("golden/ball/0003.png"))?;
    silent(&output, "golden/sub")?;
    wanted(
        &tintype(folder.path(), &["test", "--filter", "gone"]),
        1,
        &lost("golden/sub/gone/0000.png"),
    )?;
    wanted(
        &tintype(folder.path(), &["test", "scenes/sub/two.toml"]),
        1,
        &lost("golden/sub/two/0001.png"),
    )
}

/// A scene, and another in a folder of its name: the goldens of one lie below those of the other.
#[trial]
fn scenes_never_share_a_golden() -> Result<(), Failed> {
    let folder = folder();
    fs::create_dir(folder.path().join("scenes/ball"))?;
    let below = |name: &str| folder.path().join("scenes/ball").join(name);
    fs::copy(folder.path().join("scenes/ball.toml"), below("0001.toml"))?;
    // Frame 1 is not a golden frame, so there is no conflict.
    wanted(&tintype(folder.path(), &["bless", "--all"]), 0, "4 goldens written in 2 scenes")?;
    wanted(&tintype(folder.path(), &["test"]), 0, "4 goldens the same")?;
    for scene in ["scenes/ball.toml", "scenes/ball/0001.toml", "scenes/ball"] {
        wanted(&tintype(folder.path(), &["test", scene]), 0, "2 goldens the same, 0 failed")?;
    }
    fs::rename(below("0001.toml"), below("0002.toml"))?;
    let says = "alternatives for its frame 2 and the goldens of scenes/ball/0002.toml are both in golden/ball/0002";
    wanted(&tintype(folder.path(), &["test"]), 2, says)?;
    wanted(&tintype(folder.path(), &["bless", "--all"]), 2, says)?;
    fs::remove_file(below("0002.toml"))?;

    // The same file by two paths is one scene.
    fs::remove_dir_all(folder.path().join("golden"))?;
    wanted(&tintype(folder.path(), &["bless", "--all"]), 0, "")?;
    let twice = ["test", "scenes/ball.toml", "./scenes/ball.toml"];
    wanted(&tintype(folder.path(), &twice), 0, "2 goldens the same")?;
    // Two folders of goldens that are one.
    fs::copy(folder.path().join("scenes/ball.toml"), folder.path().join("scenes/other.toml"))?;
    crate::support::link("ball", folder.path().join("golden/other"))?;
    wanted(&tintype(folder.path(), &["test"]), 2, "keeps its goldens in golden/other too")
}

/// The command at the end of a failed test, run by a shell in the same folder, makes it pass.
#[trial]
fn advice_works_when_pasted() -> Result<(), Failed> {
    for (name, more) in [
        ("scenes", &[][..]),
        ("my scenes", &[]),
        ("mine", &["--golden", "kept here"]),
        ("scenes", &["--golden", "kept here", "--limit", "bytes=100000000"]),
    ] {
        let folder = if name == "scenes" { folder() } else { renamed(name) };
        // A scene whose path contains that of the other is not accepted with it.
        fs::copy(
            folder.path().join(name).join("ball.toml"),
            folder.path().join(name).join("football.toml"),
        )?;
        for path in [name.to_owned(), format!("{name}/ball.toml")] {
            let arguments = [&["test", path.as_str()], more].concat();
            let output = tintype(folder.path(), &arguments);
            wanted(&output, 1, "to accept the new pictures: ")?;
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            let advice = text.rsplit("to accept the new pictures: ").next().unwrap().trim();
            let advice =
                advice.replace("tintype ", &format!("'{}' ", env!("CARGO_BIN_EXE_tintype")));
            let run = Command::new("sh")
                .args(["-c", &advice])
                .current_dir(folder.path())
                .env_remove("CI")
                .output()?;
            assert!(run.status.success(), "{advice}: {}", String::from_utf8_lossy(&run.stderr));
            let expected = if path == name { "4 goldens written" } else { "2 goldens written" };
            assert!(says(&run, expected), "{advice}: {}", String::from_utf8_lossy(&run.stderr));
            wanted(&tintype(folder.path(), &arguments), 0, "the same, 0 failed")?;
            let golden = if more.is_empty() {
                folder.path().join(if name == "scenes" { "golden" } else { "my scenes/golden" })
            } else {
                folder.path().join("kept here")
            };
            fs::remove_dir_all(golden)?;
        }
    }
    Ok(())
}

/// A pipe would block, and a device may be endless.
#[cfg(unix)]
#[trial]
fn pipes_and_devices_are_named() -> Result<(), Failed> {
    let folder = folder();
    wanted(&tintype(folder.path(), &["bless", "--all"]), 0, "")?;
    let golden = folder.path().join("golden/ball/0000.png");
    let test = || tintype(folder.path(), &["test"]);
    let bless = || tintype(folder.path(), &["bless", "--all"]);
    fs::remove_file(&golden)?;
    assert!(Command::new("mkfifo").arg(&golden).status()?.success());
    wanted(&test(), 2, "0000.png: the golden cannot be read: it is a named pipe, not a file")?;
    wanted(&bless(), 2, "0000.png: not accepted: the golden cannot be read: it is a named pipe")?;
    fs::remove_file(&golden)?;
    std::os::unix::fs::symlink("/dev/zero", &golden)?;
    wanted(&test(), 2, "it is a device, not a file")?;
    fs::remove_file(&golden)?;
    let scene = folder.path().join("scenes/pipe.toml");
    assert!(Command::new("mkfifo").arg(&scene).status()?.success());
    wanted(&test(), 2, "it is a named pipe, not a file")
}

#[trial]
fn files_that_are_none_are_named() -> Result<(), Failed> {
    let folder = folder();
    wanted(&tintype(folder.path(), &["bless", "--all"]), 0, "")?;
    let golden = folder.path().join("golden/ball/0000.png");
    let kept = fs::read(&golden)?;
    let test = || tintype(folder.path(), &["test"]);
    let bless = || tintype(folder.path(), &["bless", "--all"]);

    // The pointer of Git LFS instead of a file.
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n";
    fs::write(&golden, pointer)?;
    let lfs = "a Git LFS pointer, not the file itself: run `git lfs pull`";
    wanted(&test(), 2, lfs)?;
    wanted(&bless(), 2, lfs)?;
    assert_eq!(fs::read_to_string(&golden)?, pointer);
    fs::write(&golden, &kept)?;
    let record = golden.with_extension("toml");
    let sound = fs::read(&record)?;
    fs::write(&record, pointer)?;
    wanted(&test(), 2, lfs)?;
    fs::write(&record, sound)?;
    wanted(&tintype(folder.path(), &["diff", "golden/ball/0000.png", "scenes/ball.toml"]), 2, "")?;
    fs::write(folder.path().join("scenes/globe.md5mesh"), pointer)?;
    let original = Path::new(env!("WORKSPACE_ROOT")).join("scenes/assets/globe.md5mesh");
    edit(folder.path(), &original.display().to_string(), "globe.md5mesh");
    wanted(&test(), 2, lfs)
}

/// A golden that is a symbolic link stays one, and its target is written.
#[trial]
fn links_are_kept() -> Result<(), Failed> {
    let folder = folder();
    wanted(&tintype(folder.path(), &["bless", "--all"]), 0, "")?;
    fs::create_dir(folder.path().join("store"))?;
    for name in ["0000.png", "0000.toml"] {
        let golden = folder.path().join("golden/ball").join(name);
        fs::rename(&golden, folder.path().join("store").join(name))?;
        crate::support::link(format!("../../store/{name}"), &golden)?;
    }
    let before = fs::read(folder.path().join("store/0000.png"))?;
    wanted(&tintype(folder.path(), &["test"]), 0, "2 goldens the same")?;
    edit(folder.path(), "from = 0", "from = 20");
    wanted(&tintype(folder.path(), &["bless", "--all"]), 0, "2 goldens written")?;
    for name in ["0000.png", "0000.toml"] {
        assert!(folder.path().join("golden/ball").join(name).is_symlink());
    }
    assert_ne!(fs::read(folder.path().join("store/0000.png"))?, before);
    wanted(&tintype(folder.path(), &["test"]), 0, "2 goldens the same")
}

#[trial]
fn ci_may_be_off() -> Result<(), Failed> {
    for (value, code) in [("false", 0), ("0", 0), ("", 0), ("true", 2), ("1", 2)] {
        let folder = folder();
        let output = Command::new(env!("CARGO_BIN_EXE_tintype"))
            .args(["bless", "--all"])
            .current_dir(folder.path())
            .env("CI", value)
            .output()?;
        wanted(
            &output,
            code,
            if code == 0 { "2 goldens written" } else { "only people accept goldens" },
        )?;
    }
    Ok(())
}

/// A picture of another program that kept the text chunks is not the frame that they speak of.
#[trial]
fn copied_text_chunks_are_no_frame() -> Result<(), Failed> {
    let folder = folder();
    let render = ["render", "scenes/ball.toml", "-o", "f/#.png", "--size", "24x20"];
    let verify = ["verify", "scenes/ball.toml", "-o", "f/#.png", "--size", "24x20"];
    wanted(&tintype(folder.path(), &render), 0, "")?;
    wanted(&tintype(folder.path(), &verify), 0, "4 frames up to date")?;
    let path = folder.path().join("f/1.png");
    let (mut frame, text) = decode_png(&fs::read(&path)?)?;
    frame.rgba[200] = [1, 2, 3, 255];
    // As another program writes it: its pixels, and all text as it was. The first chunk of a key
    // counts.
    fs::write(&path, encode_png(&frame, true, PngEffort::Fast, &text))?;
    let says = "1.png: another program changed it: its pixels do not match its digest";
    wanted(&tintype(folder.path(), &verify), 1, says)?;
    wanted(&tintype(folder.path(), &render), 0, "1 frame")?;
    wanted(&tintype(folder.path(), &verify), 0, "4 frames up to date")
}

/// A change without visible pixels fails if the scene counts joints and vertices, exactly or within
/// a bound.
#[trial]
fn hidden_changes_fail_where_poses_count() -> Result<(), Failed> {
    let folder = folder();
    let model = Path::new(env!("WORKSPACE_ROOT")).join("scenes/assets/globe.md5mesh");
    let text = fs::read_to_string(&model)?;
    let copy = folder.path().join("scenes/globe.md5mesh");
    fs::write(&copy, &text)?;
    edit(folder.path(), &model.display().to_string(), "globe.md5mesh");
    edit(folder.path(), "name = \"orb\"", "name = \"models/globe\"");
    edit(folder.path(), "[golden]\n", "[golden]\npose = true\n");
    let test = || tintype(folder.path(), &["test"]);
    let bless = || tintype(folder.path(), &["bless", "--all"]);
    wanted(&bless(), 0, "2 goldens written")?;
    wanted(&test(), 0, "2 goldens the same")?;
    // A ten-thousandth of a unit is less than a pixel.
    let line = text.lines().find(|line| line.trim_start().starts_with("weight 200 ")).unwrap();
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let place = words.iter().position(|word| *word == "(").unwrap() + 1;
    words[place] = (words[place].parse::<f64>().unwrap() + 1e-4).to_string();
    fs::write(&copy, text.replace(line, &words.join(" ")))?;
    let output = test();
    wanted(&output, 1, "0000.png: skin: mesh models/globe moved, worst vertex ")?;
    wanted(&output, 1, "no pixel differs, but [golden] pose requires the joints and vertices")?;
    edit(folder.path(), "pose = true", "pose = { turn_deg = 0.1, distance = 0.001 }");
    wanted(&test(), 0, "2 goldens the same")?;
    edit(folder.path(), "distance = 0.001", "distance = 0.00001");
    wanted(&test(), 1, "no pixel differs")?;
    edit(folder.path(), "pose = { turn_deg = 0.1, distance = 0.00001 }", "pose = false");
    wanted(&test(), 0, "2 goldens the same")?;
    edit(folder.path(), "pose = false", "pose = true");
    // The picture stays, its record is written anew.
    wanted(&bless(), 0, "0 goldens written, 2 records refreshed")?;
    wanted(&test(), 0, "2 goldens the same")?;
    fs::remove_file(folder.path().join("golden/ball/0002.toml"))?;
    wanted(&test(), 1, "0002.png: [golden] pose needs a record beside")?;
    edit(folder.path(), "pose = true", "pose = { turn = 1 }");
    wanted(&test(), 2, "did you mean")
}

/// A scene may keep the records of its joints and vertices alone.
#[trial]
fn scenes_without_pictures_keep_records() -> Result<(), Failed> {
    let folder = folder();
    let model = Path::new(env!("WORKSPACE_ROOT")).join("scenes/assets/globe.md5mesh");
    let text = fs::read_to_string(&model)?;
    let copy = folder.path().join("scenes/globe.md5mesh");
    fs::write(&copy, &text)?;
    edit(folder.path(), &model.display().to_string(), "globe.md5mesh");
    edit(folder.path(), "[golden]\n", "[golden]\npictures = false\n");
    let test = || tintype(folder.path(), &["test", "--report", "report"]);
    wanted(&test(), 1, "0000.toml: the golden is missing")?;
    wanted(&tintype(folder.path(), &["bless", "--all"]), 0, "0000.toml")?;
    assert!(!folder.path().join("golden/ball/0000.png").exists());
    // Both frames name the same files with the content of the model.
    let parts = || fs::read_dir(folder.path().join("golden/content")).unwrap().flatten();
    assert_eq!(parts().count(), 2);
    for name in ["0000.toml", "0002.toml"] {
        let record = fs::read_to_string(folder.path().join("golden/ball").join(name))?;
        let is_named =
            |part: &str| record.contains(&format!("\"{}\"", part.trim_end_matches(".toml")));
        assert!(parts().all(|part| is_named(&part.file_name().to_string_lossy())), "{record}");
    }
    wanted(&test(), 0, "2 goldens the same")?;
    // Another spelling is not a change; another vertex is.
    fs::write(&copy, text.replacen("numJoints", "\nnumJoints", 1))?;
    wanted(&test(), 0, "2 goldens the same")?;
    let line = text.lines().find(|line| line.trim_start().starts_with("tri 7 ")).unwrap();
    let mut words: Vec<&str> = line.split_whitespace().collect();
    words.swap(2, 3);
    fs::write(&copy, text.replace(line, &words.join(" ")))?;
    wanted(&test(), 1, "0000.toml: skin: mesh models/globe: triangle 7 has different corners")?;
    edit(folder.path(), "pictures = false", "pictures = false\npose = false");
    wanted(&test(), 2, "without pictures or poses, nothing is compared")
}
