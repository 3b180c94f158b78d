//! Commands on `.x` files, as a user runs them: sets by name and index, ticks, options, limits and
//! hints.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::command::tintype;
use crate::support::trial;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Output;
use tempfile::TempDir;

/// A triangle in a frame `arm`, with two sets: `Lift` raises it by 1 in 60 ticks; the unnamed one
/// moves it sideways and is open.
const ARM: &str = "xof 0303txt 0032
Frame arm {
  Mesh m { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;; }
}
AnimationSet Lift {
  Animation { { arm } AnimationKey { 2; 2; 0;3;0,0,0;;, 60;3;0,1,0;;; } }
}
AnimationSet {
  Animation { AnimationKey { 2; 3; 10;3;0,0,0;;, 20;3;5,0,0;;, 30;3;5,0,0;;; } AnimationOptions { 1; 0; } { arm } }
}
";

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in [("arm.x", ARM)].iter().chain(files) {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A text without its layout.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The first vertex of a posed mesh.
fn first_vertex(folder: &Path, arguments: &[&str]) -> Vec<f32> {
    let output = tintype(folder, &[&["pose"], arguments, &["-o", "-"]].concat());
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    let text = stdout(&output);
    let line = text.lines().find_map(|line| line.strip_prefix("v ")).unwrap();
    line.split(' ').map(|number| number.parse().unwrap()).collect()
}

#[trial]
fn inspect_tells_of_every_set() {
    let folder = folder(&[]);
    let text = flat(&stdout(&tintype(folder.path(), &["inspect", "arm.x"])));
    for expected in [
        "time 30 ticks per second, because the file does not set it and its keys are 10 apart, under 80",
        "# keys per second length s repeats joints move name",
        "0 2 0.5 2.000 2.000 1 of 1 Lift",
        "ticks 0 to 60, 0.000 to 2.000 s",
        "1 3 3 0.667 once 1 of 1 set 0",
        "ticks 10 to 30, 0.333 to 1.000 s",
        "options of 1 animation: 1 open (played once), 1 with splines (played linearly from key to key)",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    let output =
        tintype(folder.path(), &["inspect", "arm.x", "--json", "--ticks-per-second", "60"]);
    let page: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let clips = &page["models"][0]["clips"];
    assert_eq!((&clips[0]["name"], &clips[0]["length_s"]), (&"Lift".into(), &1.0.into()));
    assert_eq!(clips[1]["ticks"], serde_json::json!([10.0, 30.0]));
    assert_eq!(
        (&clips[1]["plays_once"], &clips[1]["options"]["spline"]),
        (&true.into(), &1.into())
    );
}

#[trial]
fn inspect_shows_all_sets_of_other_files() {
    let walk = ARM
        .replace("Lift", "Walk")
        .replace("AnimationSet {", "AnimTicksPerSecond { 24; } AnimationSet {");
    let folder = folder(&[("walk.x", &walk)]);
    let text = flat(&stdout(&tintype(folder.path(), &["inspect", "arm.x", "-a", "walk.x"])));
    assert!(text.contains("1 of 1 Walk x 0.000") && text.contains("file walk.x"), "{text}");
    assert!(text.contains("1 of 1 set 0 x 0.000"), "{text}");
    assert!(
        text.contains("ticks 0 to 60, 0.000 to 2.500 s; 24 ticks per second, as set in the file"),
        "{text}"
    );
    // Sets of the same name are distinguished by their files.
    let both = tintype(folder.path(), &["inspect", "arm.x", "-a", "walk.x", "-a", "arm.x"]);
    let text = flat(&stdout(&both));
    assert!(both.status.success(), "{}", stderr(&both));
    assert!(
        text.contains("1 of 1 walk.x: 1 set 0") && text.contains("1 of 1 arm.x: 1 set 0"),
        "{text}"
    );
}

#[trial]
fn pose_takes_a_set_by_name_or_index_and_other_ticks() {
    let folder = folder(&[]);
    let at = |arguments: &[&str]| first_vertex(folder.path(), arguments);
    assert_eq!(at(&["arm.x", "--clip", "Lift", "--tick", "30"]), [0.0, 0.5, 0.0]);
    assert_eq!(at(&["arm.x", "--clip", "0", "--time", "1"]), [0.0, 0.5, 0.0]);
    assert_eq!(at(&["arm.x", "--clip", "1", "--tick", "15"]), [2.5, 0.0, 0.0]);
    assert_eq!(at(&["arm.x", "--time", "0.5", "--ticks-per-second", "60"]), [0.0, 0.5, 0.0]);
    assert_eq!(
        at(&["arm.x", "-a", "arm.x", "--clip", "set 0", "--time", "9"]),
        [5.0, 0.0, 0.0],
        "held"
    );
    let output =
        tintype(folder.path(), &["pose", "arm.x", "--clip", "lifts", "--time", "0", "-o", "-"]);
    assert!(stderr(&output).contains("did you mean \"Lift\"?"), "{output:?}");
    let clip = "xof 0303txt 0032\nFrame root {}\nAnimationSet turn { Animation { {root} AnimationKey { 2; 2; 0;3;0,0,0;;, 9;3;1,0,0;;; } } }\n";
    fs::write(folder.path().join("turn.x"), clip).unwrap();
    let output = tintype(folder.path(), &["pose", "turn.x", "-o", "turn.obj"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let message = "turn.x: no mesh to pose; to play its clips on a model, use --anim";
    assert!(stderr(&output).contains(message), "{output:?}");
    assert!(!folder.path().join("turn.obj").exists());
    for arguments in [
        &["arm.x", "--time", "0", "--ticks-per-second", "0"][..],
        &["arm.x", "--ticks-per-second", "30"],
    ] {
        let output = tintype(folder.path(), &[&["pose"], arguments, &["-o", "-"]].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}

#[trial]
fn open_clip_is_held_with_a_warning_unless_the_scene_says_what_to_do() {
    let scene = |instance: &str| {
        format!(
            "[output]\nsize = [32, 24]\nframes = \"0-3\"\nfps = 4\n[camera]\nkind = \"look-at\"\neye = [0, 0, 12]\n\
             target = [0, 0, 0]\n[[model]]\nfile = \"arm.x\"\n[[instance]]\nmodel = \"arm\"\nclip = 1\n{instance}"
        )
    };
    let folder = folder(&[("held.toml", &scene("")), ("loop.toml", &scene("wrap = \"loop\""))]);
    let held = tintype(folder.path(), &["render", "held.toml", "-o", "held.##.png"]);
    let message = "arm: clip \"set 0\" lasts 0.667 s and holds its last pose, as its file specifies; to repeat it, set wrap = \"loop\"";
    assert!(held.status.success() && stderr(&held).contains(message), "{}", stderr(&held));
    let looped = tintype(folder.path(), &["render", "loop.toml", "-o", "loop.##.png"]);
    assert!(!stderr(&looped).contains("holds its last pose"), "{}", stderr(&looped));
    let pixels = |name: &str| {
        tintype_output::decode_png(&fs::read(folder.path().join(name)).unwrap()).unwrap().0
    };
    assert!(pixels("held.01.png") == pixels("loop.01.png"), "within the clip");
    assert!(pixels("held.02.png") == pixels("held.03.png"), "its last pose");
    assert!(pixels("held.03.png") != pixels("loop.03.png"), "on the way back to the first pose");
}

#[trial]
fn limit_is_raised_by_the_option_that_its_message_names() {
    let scene = "[output]\nsize = [16, 16]\nframes = \"0\"\n[golden]\nframes = \"0\"\nsize = [16, 16]\n[[model]]\nfile = \"arm.x\"\n";
    let folder = folder(&[("arm.toml", scene)]);
    for command in [
        &["inspect", "arm.x"][..],
        &["pose", "arm.x", "-o", "out.obj"],
        &["render", "arm.toml", "-o", "out.##.png"],
        &["verify", "arm.toml", "-o", "out.##.png"],
        &["bless", "--all", "--scenes", "."],
        &["test", "arm.toml"],
    ] {
        let low = tintype(folder.path(), &[command, &["--limit", "objects=9"]].concat());
        let text = stderr(&low);
        assert_eq!(low.status.code(), Some(2), "{command:?}: {text}");
        let message = "found 10; the limit is 9; raise it with --limit objects=NUMBER";
        assert!(text.contains(message), "{command:?}: {text}");
        let raised = ["--limit", "objects=9", "--limit", "objects=1K"];
        let high = tintype(folder.path(), &[command, &raised].concat());
        assert!(high.status.success(), "{command:?}: {}", stderr(&high));
    }
    let output = tintype(folder.path(), &["inspect", "arm.x", "--limit", "object=9"]);
    assert!(stderr(&output).contains("bytes, meshes, influences, keys, inflated"), "{output:?}");
}

/// A figure of ten joints in a row, each with one vertex, from `z = from` of the file in steps of
/// `step`.
fn figure(from: f32, step: f32) -> String {
    let mut text = String::from("xof 0303txt 0032\n");
    for joint in 0_u8..10 {
        let z = from + step * f32::from(joint);
        let _ = writeln!(
            text,
            "Frame j{joint} {{ Mesh {{ 3; -1;-1;{z};, 1;1;{z};, 1;-1;{};; 1; 3;0,1,2;; }} }}",
            z + step
        );
    }
    text
}

#[trial]
fn inspect_hints_at_a_figure_that_stands_on_another_plane() {
    let (z, minus_z) = (figure(0.0, 1.0), figure(0.0, -1.0));
    let (middle, short) = (figure(-5.0, 1.0), figure(0.0, 0.2));
    let folder =
        folder(&[("z.x", &z), ("mz.x", &minus_z), ("middle.x", &middle), ("short.x", &short)]);
    for (file, up) in
        [("z.x", Some("z")), ("mz.x", Some("-z")), ("middle.x", None), ("short.x", None)]
    {
        let text = flat(&stdout(&tintype(folder.path(), &["inspect", file])));
        let expected = up.map(|up| {
            format!("if the model lies on its back, set up = {up:?} and front = \"-y\" in a scene")
        });
        assert_eq!(text.contains("lies on its back"), up.is_some(), "{file}: {text}");
        assert!(expected.is_none_or(|expected| text.contains(&expected)), "{file}: {text}");
    }
}
