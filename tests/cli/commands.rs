//! Runs the program as a user or a script does: exit codes, messages, and what is on the disk
//! afterwards.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::command::{BOX, tintype};
use crate::support::disk::on_a_disk;
use crate::support::{trial, trials, with_models};
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;
use tintype_model::frame::Frame;
use tintype_output::{PngEffort, Provenance, decode_png, encode_png};

/// A scene of that box, white because the scene defines "crate".
const SCENE: &str = r#"
[output]
size = [32, 24]
frames = "0-3"
[[material]]
name = "crate"
[[model]]
file = "box.md5mesh"
"#;

/// A folder with the box and its scene, and whatever a case adds.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in [("box.md5mesh", BOX), ("scene.toml", SCENE)].iter().chain(files) {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// A fault in a part of a model costs that part and a warning, and is a failure for who asks for
/// that.
#[trial]
fn faults_of_a_model_are_told_and_fail_strictly() -> Result<(), Failed> {
    for ((_, text), says) in [
        (broken_box("numweights 8", "numweights 4000000000"), ["box.md5mesh:32", "4000000000"]),
        (broken_box("numverts 8", "numverts -8"), ["box.md5mesh:10", "-8"]),
        (broken_box("tri 0 0 1 2", "tri 0 0 1 99"), ["box.md5mesh:20", "99"]),
        (broken_box("weight 3 0 1", "weight 3 7 1"), ["box.md5mesh:36", "7"]),
        (broken_box("( -1 -1 0 )", "( nan -1 0 )"), ["box.md5mesh:33", "nan"]),
        (broken_box("( -1 -1 0 )", "( 1e99 -1 0 )"), ["box.md5mesh:33", "1e99"]),
        (broken_box("\"root\" -1", "\"root\" 0"), ["box.md5mesh:6", "itself"]),
    ] {
        for (more, code) in [(None, 0), (Some("--strict"), 3)] {
            let here = folder(&[("box.md5mesh", &text)]);
            let words: Vec<&str> = RENDER.iter().copied().chain(more).collect();
            let output = tintype(here.path(), &words);
            let said = stderr(&output);
            let is_told = says.iter().all(|part| said.contains(part));
            if output.status.code() != Some(code) || !is_told {
                return Err(format!("{says:?} {more:?}: {:?}, {said}", output.status.code()).into());
            }
        }
    }
    Ok(())
}

/// A path instead of a command runs the command for its kind, which is reported.
#[trial]
fn path_alone_stands_for_its_command() -> Result<(), Failed> {
    let here = folder(&[("notes.txt", "x"), ("test", "")]);
    fs::create_dir(here.path().join("models"))?;
    fs::copy(here.path().join("box.md5mesh"), here.path().join("models/box.md5mesh"))?;
    fs::create_dir(here.path().join("gold"))?;
    fs::copy(here.path().join("box.md5mesh"), here.path().join("gold/box.md5mesh"))?;
    fs::write(here.path().join("gold/0000.png"), "")?;
    fs::write(here.path().join("gold/0000.toml"), "")?;
    for (line, code, told, written) in [
        (
            "models/box.md5mesh --size 16x16 -n 2",
            0,
            "tintype turntable models/box.md5mesh --gif models/box.md5mesh.gif --size 16x16 -n 2\n",
            "models/box.md5mesh.gif",
        ),
        (
            "box.md5mesh --size 16x16 -n 1 -o turn",
            0,
            "tintype turntable box.md5mesh --size 16x16 -n 1 -o turn\n",
            "turn/0000.png",
        ),
        (
            "gold/box.md5mesh --size 16x16 -n 2",
            0,
            "--gif box.md5mesh.gif --size 16x16 -n 2\n",
            "box.md5mesh.gif",
        ),
        (
            "models/box.md5mesh",
            0,
            "--gif models/box.md5mesh.gif --size 320 --fps 12\n",
            "models/box.md5mesh.gif",
        ),
        ("box.md5mesh -s16 --fps=6", 0, "--gif box.md5mesh.gif -s16 --fps=6\n", "box.md5mesh.gif"),
        ("box.md5mesh -n 2", 0, "--gif box.md5mesh.gif --size 320 -n 2\n", "box.md5mesh.gif"),
        (
            "./models --size 16",
            0,
            "tintype thumbnail ./models --gallery --size 16\n",
            "out/thumbnails/index.html",
        ),
        (
            "-j 1 scene.toml -f 0 -o one.png",
            0,
            "tintype render scene.toml -j 1 -f 0 -o one.png\n",
            "one.png",
        ),
        ("gone.glb", 2, "gone.glb: no such file or folder", ""),
        ("nothing", 2, "nothing: no such command, file or folder", ""),
        ("modles", 2, "modles: no such command, file or folder; did you mean models?", ""),
        (
            "notes.txt",
            2,
            "notes.txt: expected a command, a model, a folder of models or a scene",
            "",
        ),
        // The command has its name first.
        ("test", 2, "scenes", ""),
        ("./test", 2, "./test: expected a command", ""),
    ] {
        let output = tintype(here.path(), &line.split(' ').collect::<Vec<_>>());
        let said = stderr(&output);
        let is_right = output.status.code() == Some(code) && said.contains(told);
        if !is_right || !here.path().join(written).exists() {
            return Err(format!("{line}: {:?}, {said}", output.status.code()).into());
        }
    }
    Ok(())
}

/// Several paths run a command each, and a mistake in one does not affect the others.
#[trial]
fn paths_alone_stand_for_a_command_each() -> Result<(), Failed> {
    let here = folder(&[("notes.txt", "x")]);
    let model = here.path().join("box.md5mesh");
    fs::create_dir(here.path().join("models"))?;
    for name in ["models/c.md5mesh", "-dash.md5mesh", "it's.md5mesh", "b.md5mesh"] {
        fs::copy(&model, here.path().join(name))?;
    }
    let small = ["--size", "16x16", "-n", "2"];
    for (paths, code, told, written) in [
        (
            &["b.md5mesh", "it's.md5mesh"][..],
            0,
            "tintype turntable 'it'\\''s.md5mesh' --gif 'it'\\''s.md5mesh.gif' --size 16x16 -n 2",
            &["b.md5mesh.gif", "it's.md5mesh.gif"][..],
        ),
        (&["models/*"], 0, "--gif models/c.md5mesh.gif", &["models/c.md5mesh.gif"]),
        (&["*.fbx"], 2, "*.fbx: no model, scene or folder matches", &[]),
        (
            &["box.md5mesh", "gone.glb", "notes.txt"],
            2,
            "gone.glb: no such file or folder\nerror: notes.txt: expected a",
            &["box.md5mesh.gif"],
        ),
        (&["--", "-dash.md5mesh"], 2, "--size: no such file or folder", &["-dash.md5mesh.gif"]),
    ] {
        let words: Vec<&str> = match paths {
            ["--", ..] => paths.iter().chain(&small).copied().collect(),
            _ => small.iter().chain(paths).copied().collect(),
        };
        let output = tintype(here.path(), &words);
        let said = stderr(&output);
        let is_there = written.iter().all(|name| here.path().join(name).exists());
        if output.status.code() != Some(code) || !said.contains(told) || !is_there {
            return Err(format!("{words:?}: {:?}, {said}", output.status.code()).into());
        }
    }
    let output = tintype(here.path(), &["b.md5mesh", "models", "-o", "both"]);
    let (page, frame) = ("both/index.html", "both/0000.png");
    let is_there = [page, frame].map(|name| here.path().join(name).exists());
    if !output.status.success() || is_there != [true; 2] {
        return Err(format!("{is_there:?}, {}", stderr(&output)).into());
    }
    Ok(())
}

/// A model, a list or a picture through standard streams is as one in a file.
#[cfg(unix)]
#[trial]
fn streams_stand_for_files() -> Result<(), Failed> {
    let here = folder(&[("list.txt", "box.md5mesh\n")]);
    let program = env!("CARGO_BIN_EXE_tintype");
    let run = |line: &str| {
        let line = line.replace("tintype", &format!("'{program}'"));
        Command::new("bash").arg("-c").arg(line).current_dir(here.path()).output()
    };
    run(
        "tintype thumbnail box.md5mesh -s 16 -o want.png; tintype turntable box.md5mesh --size 16x16 -n 2 --gif want.gif",
    )?;
    for (line, wanted) in [
        ("tintype thumbnail - -s 16 -o - < box.md5mesh", "want.png"),
        ("tintype thumbnail box.md5mesh -s 16 -o >(cat)", "want.png"),
        ("tintype thumbnail --list - -s 16 -o made < list.txt; cat made/*.png", "want.png"),
        ("tintype turntable box.md5mesh --size 16x16 -n 2 --gif - | cat", "want.gif"),
        (
            "tintype turntable box.md5mesh --size 16x16 -n 2 --gif /dev/stdout > a; cat a",
            "want.gif",
        ),
        ("tintype - --size 16x16 -n 2 < box.md5mesh; cat stdin.gif", "want.gif"),
    ] {
        let output = run(line)?;
        let wanted = fs::read(here.path().join(wanted))?;
        // The name of a model is part of the provenance, not of the pixels.
        let kind = wanted.len().min(10);
        let is_equal = output.stdout.len() > 100 && output.stdout[..kind] == wanted[..kind];
        if !output.status.success() || !is_equal {
            return Err(format!("{line}: {}", stderr(&output)).into());
        }
    }
    for (line, told) in [
        ("tintype diff - - < box.md5mesh", "-: standard input can be read only once"),
        ("tintype inspect - < /dev/null", "standard input is empty"),
        ("tintype inspect - --limit bytes=10 < box.md5mesh", "standard input has more than"),
    ] {
        let output = run(line)?;
        if output.status.code() != Some(2) || !stderr(&output).contains(told) {
            return Err(format!("{line}: {}", stderr(&output)).into());
        }
    }
    let output = run("tintype thumbnail box.md5mesh -s 16 -o /dev/null --progress json")?;
    let said = stderr(&output);
    let is_json = |line: &str| serde_json::from_str::<serde_json::Value>(line).is_ok();
    if said.lines().count() < 2 || !said.lines().all(is_json) {
        return Err(said.into());
    }
    Ok(())
}

/// A single model, and animated WebP pictures, stay small: the bounds are 1.5 MB, and 1.3 times the
/// size from `cwebp -lossless` for the frames.
#[trial(with_models)]
fn moving_pictures_are_small(models: &Path) -> Result<(), Failed> {
    let here = folder(&[]);
    let ranger = Path::new(env!("WORKSPACE_ROOT")).join("scenes/assets/ranger.glb");
    fs::copy(ranger, here.path().join("ranger.glb"))?;
    let [knight, bat] = ["gltf/kaykit/Knight.glb", "x/ms/bat/bat.x"]
        .map(|name| models.join(name).display().to_string());
    let turn = |model, to| vec!["turntable", model, "-s", "256", "-n", "24", "--webp", to];
    for (words, name, most) in [
        (vec!["ranger.glb"], "ranger.glb.gif", 1_500_000),
        (turn(&knight, "knight.webp"), "knight.webp", 800_000),
        (turn(&bat, "bat.webp"), "bat.webp", 170_000),
    ] {
        let output = tintype(here.path(), &words);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let size = fs::metadata(here.path().join(name))?.len();
        assert!(size > most / 4 && size < most, "{name}: {size} bytes");
    }
    Ok(())
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Everything below a folder, sorted, hidden names too.
fn listing(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(folder).unwrap().to_path_buf());
            }
        }
    }
    found.sort();
    found
}

/// Bad usage or bad input: the code, and the required text of the message.
struct Bad {
    name: &'static str,
    files: Vec<(&'static str, String)>,
    arguments: &'static [&'static str],
    says: &'static [&'static str],
}

/// The box with one piece of its text replaced; the piece must be there.
fn broken_box(from: &str, to: &str) -> (&'static str, String) {
    assert!(BOX.contains(from), "{from}");
    ("box.md5mesh", BOX.replacen(from, to, 1))
}

fn scene_with(extra: &str) -> (&'static str, String) {
    ("scene.toml", format!("{extra}\n{SCENE}"))
}

const RENDER: &[&str] = &["render", "scene.toml"];

fn bad_inputs() -> Vec<Bad> {
    let bad = |name, files: Vec<(&'static str, String)>, says| Bad {
        name,
        files,
        arguments: RENDER,
        says,
    };
    let usage = |name, arguments, says| Bad { name, files: Vec::new(), arguments, says };
    vec![
        // The scene.
        usage("scene_missing", &["render", "nowhere.toml"], &["nowhere.toml", "no such file"]),
        usage("scene_misspelt", &["render", "scnee.toml"], &["scnee.toml", "mean scene.toml?"]),
        bad(
            "scene_unknown_key",
            vec![scene_with("[camera]\nazimut_deg = 3")],
            &["scene.toml:2:1", "azimut_deg", "azimuth_deg"],
        ),
        bad(
            "scene_wrong_type",
            vec![("scene.toml", SCENE.replace("[32, 24]", "\"big\""))],
            &["scene.toml:3:8", "big"],
        ),
        bad(
            "scene_size_zero",
            vec![("scene.toml", SCENE.replace("[32, 24]", "[0, 24]"))],
            &["scene.toml:3:", "16384"],
        ),
        bad(
            "scene_size_absurd",
            vec![("scene.toml", SCENE.replace("[32, 24]", "[100000, 100000]"))],
            &["scene.toml:3:", "100000", "16384"],
        ),
        bad("scene_not_text", vec![("scene.toml", "\u{0}\u{1}".into())], &["scene.toml"]),
        bad(
            "scene_unknown_model",
            vec![("scene.toml", format!("{SCENE}\n[[instance]]\nmodel = \"boxx\"\n"))],
            &["boxx", "did you mean", "box"],
        ),
        // Files named by the scene.
        bad(
            "model_missing",
            vec![("scene.toml", SCENE.replace("box.md5mesh", "bix.md5mesh"))],
            &["bix.md5mesh", "box.md5mesh"],
        ),
        bad(
            "texture_missing",
            vec![(
                "scene.toml",
                SCENE.replace("name = \"crate\"", "name = \"crate\"\ndiffuse = \"no.png\""),
            )],
            &["no.png"],
        ),
        // The model.
        bad(
            "model_version",
            vec![broken_box("MD5Version 10", "MD5Version 6")],
            &["box.md5mesh", "line 1", "6"],
        ),
        bad("model_cut", vec![("box.md5mesh", BOX[..500].into())], &["box.md5mesh", "line"]),
        bad("model_empty", vec![("box.md5mesh", String::new())], &["box.md5mesh", "empty"]),
        bad(
            "model_is_html",
            vec![("box.md5mesh", "<!DOCTYPE html><html></html>".into())],
            &["box.md5mesh", "HTML"],
        ),
        // The command line.
        usage("usage_no_command", &[], &["Usage"]),
        usage("usage_unknown_option", &["render", "scene.toml", "--sampels", "4"], &["--samples"]),
        usage("usage_size", &["render", "scene.toml", "--size", "0x10"], &["--size", "16384"]),
        usage("usage_samples", &["render", "scene.toml", "--samples", "3"], &["3", "16"]),
        usage(
            "usage_anisotropy",
            &["render", "scene.toml", "--anisotropy", "32"],
            &["--anisotropy", "32", "16"],
        ),
        usage("usage_frames", &["render", "scene.toml", "-f", "3-1"], &["3-1"]),
        usage("usage_frame_of_no_scene", &["render", "scene.toml", "-f", "9"], &["9", "0-3"]),
        usage(
            "usage_several_frames_one_file",
            &["render", "scene.toml", "-o", "x.png"],
            &["x.png", "####"],
        ),
        usage("usage_several_frames_to_stdout", &["render", "scene.toml", "-o", "-"], &["4"]),
        usage(
            "usage_folder_is_a_file",
            &["render", "scene.toml", "-o", "box.md5mesh/####.png"],
            &["box.md5mesh"],
        ),
        usage(
            "pose_without_moment",
            &["pose", "box.md5mesh", "-o", "x.obj", "--time", "1"],
            &["--anim"],
        ),
        usage("inspect_missing", &["inspect", "nothing.md5mesh"], &["nothing.md5mesh"]),
    ]
}

fn run_bad(case: Bad) -> Trial {
    Trial::test(format!("bad_{}", case.name), move || {
        let files: Vec<(&str, &str)> =
            case.files.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let folder = folder(&files);
        let before = listing(folder.path());
        let output = tintype(folder.path(), case.arguments);
        let text = stderr(&output);
        if output.status.code() != Some(2) {
            return Err(format!("exit {:?}, not 2:\n{text}", output.status).into());
        }
        for wanted in case.says {
            if !text.contains(wanted) {
                return Err(format!("{wanted:?} is not in:\n{text}").into());
            }
        }
        if text.contains("panicked")
            || listing(folder.path()) != before
            || !output.stdout.is_empty()
        {
            return Err(format!("left something behind:\n{text}").into());
        }
        Ok(())
    })
}

fn wanted(condition: bool, output: &Output) -> Result<(), Failed> {
    if condition { Ok(()) } else { Err(format!("{:?}\n{}", output.status, stderr(output)).into()) }
}

#[trial]
fn render_writes_every_frame() -> Result<(), Failed> {
    let folder = folder(&[]);
    let output = tintype(folder.path(), &["render", "scene.toml", "-o", "f/a.##.png"]);
    wanted(output.status.code() == Some(0), &output)?;
    let names: Vec<String> =
        listing(&folder.path().join("f")).iter().map(|path| path.display().to_string()).collect();
    wanted(names == ["a.00.png", "a.01.png", "a.02.png", "a.03.png"], &output)
}

#[trial]
fn render_to_stdout_is_the_same_file() -> Result<(), Failed> {
    let folder = folder(&[]);
    let output = tintype(folder.path(), &["render", "scene.toml", "-f", "2", "-o", "-"]);
    wanted(output.status.success(), &output)?;
    let file = tintype(folder.path(), &["render", "scene.toml", "-f", "2", "-o", "2.png"]);
    wanted(fs::read(folder.path().join("2.png"))? == output.stdout, &file)
}

/// Two runs, other threads, another tile, other requested frames, another folder: the same files.
#[trial]
fn render_gives_the_same_bytes() -> Result<(), Failed> {
    let (here, there) = (folder(&[]), folder(&[]));
    let output = tintype(here.path(), &["render", "scene.toml", "-o", "####.png", "-j", "1"]);
    wanted(output.status.success(), &output)?;
    let options = ["render", "scene.toml", "-o", "####.png", "-j", "3", "--tile", "8", "-f", "1,3"];
    let output = tintype(there.path(), &options);
    wanted(output.status.success(), &output)?;
    for name in ["0001.png", "0003.png"] {
        let same = fs::read(here.path().join(name))? == fs::read(there.path().join(name))?;
        wanted(same, &output)?;
    }
    wanted(!there.path().join("0000.png").exists(), &output)
}

/// Forced instruction levels are those that the kernel reports, and change nothing; unknown ones
/// are refused with the available ones.
#[trial]
fn render_by_level_gives_the_same_bytes() -> Result<(), Failed> {
    let plain = folder(&[]);
    let render = ["render", "scene.toml", "-o", "####.png", "-f", "1", "-v", "--simd"];
    let output = tintype(plain.path(), &[&render[..], &["scalar"]].concat());
    wanted(output.status.success() && stderr(&output).contains("by scalar"), &output)?;
    for level in tintype_model::simd::Level::available() {
        let here = folder(&[]);
        let output = tintype(here.path(), &[&render[..], &[level.name()]].concat());
        let told = format!("by {}", level.name());
        wanted(output.status.success() && stderr(&output).contains(&told), &output)?;
        let name = "0001.png";
        wanted(fs::read(plain.path().join(name))? == fs::read(here.path().join(name))?, &output)?;
    }
    let output = tintype(plain.path(), &[&render[..], &["mmx"]].concat());
    let text = stderr(&output);
    let is_told = text.contains("--simd: \"mmx\"") && text.contains("this machine supports scalar");
    wanted(output.status.code() == Some(2) && is_told, &output)
}

/// The fit of a long scene is cached beside its frames for other shards: with it, without it, with
/// a damaged one, and in a read-only folder, the pictures are the same.
#[trial]
fn render_keeps_the_fit_of_a_long_scene() -> Result<(), Failed> {
    let scenes = Path::new(env!("WORKSPACE_ROOT")).join("scenes");
    let assets = format!("\"{}/assets/", scenes.display());
    let walk = fs::read_to_string(scenes.join("walk.toml"))?;
    let walk = walk.replace("\"0-47\"", "\"0-6999\"").replace("\"assets/", &assets);
    let folder = folder(&[("walk.toml", &walk)]);
    let render = |output: &str, more: &[&str]| {
        let all = ["render", "walk.toml", "--size", "80x60", "-o", output];
        let output = tintype(folder.path(), &[&all[..], more].concat());
        wanted(output.status.code() == Some(0), &output)
    };
    let read = |name: &str| fs::read(folder.path().join(name));
    render("a/####.png", &["-f", "5"])?;
    let kept = listing(&folder.path().join("a/.tintype/fit"));
    let [kept] = kept.as_slice() else { return Err(format!("{kept:?}").into()) };
    let kept = format!("a/.tintype/fit/{}", kept.display());
    let whole = read(&kept)?;

    render("./a/####.png", &["-f", "5-6", "--shard", "2/2"])?;
    render("b/####.png", &["-f", "6"])?;
    assert_eq!(read(&kept)?, whole, "the other shard has the same");
    assert_eq!(read("a/0006.png")?, read("b/0006.png")?);
    for damaged in [&whole[..whole.len() - 9], b"", &[&whole[..99], b"0", &whole[100..]].concat()] {
        fs::write(folder.path().join(&kept), damaged)?;
        render("a/####.png", &["-f", "6", "--overwrite"])?;
        assert_eq!(read(&kept)?, whole);
        assert_eq!(read("a/0006.png")?, read("b/0006.png")?);
    }
    fs::create_dir(folder.path().join("c"))?;
    fs::write(folder.path().join("c/.tintype"), "no folder")?;
    render("c/####.png", &["-f", "6"])?;
    assert_eq!(read("c/0006.png")?, read("b/0006.png")?);
    Ok(())
}

#[trial]
fn render_of_nothing_is_incomplete() -> Result<(), Failed> {
    let away =
        format!("[camera]\nkind = \"look-at\"\neye = [0, 0, 50]\ntarget = [0, 0, 99]\n{SCENE}");
    let folder = folder(&[("scene.toml", &away)]);
    let output = tintype(folder.path(), &["render", "scene.toml"]);
    wanted(output.status.code() == Some(3) && stderr(&output).contains("empty"), &output)
}

/// A shader without a texture is drawn grey, with a warning; `--strict` makes it a failure.
#[trial]
fn render_missing_texture_never_passes_in_silence() -> Result<(), Failed> {
    let bare = SCENE.replace("[[material]]\nname = \"crate\"\n", "");
    let folder = folder(&[("scene.toml", &bare)]);
    let output = tintype(folder.path(), &["render", "scene.toml"]);
    let text = stderr(&output);
    wanted(output.status.code() == Some(0) && text.contains("\"crate\""), &output)?;
    wanted(text.contains("1 warning"), &output)?;
    let output = tintype(folder.path(), &["render", "scene.toml", "--strict"]);
    wanted(output.status.code() == Some(3), &output)
}

#[trial]
fn render_keeps_biases_as_written_and_says_so() -> Result<(), Failed> {
    let halves = BOX.replace(" 0 1 (", " 0 0.5 (");
    let folder = folder(&[("box.md5mesh", &halves)]);
    let output = tintype(folder.path(), &["pose", "box.md5mesh", "-o", "-"]);
    let text = String::from_utf8_lossy(&output.stdout);
    wanted(stderr(&output).contains("0.5") && text.contains("v 0.5 1 -0.5"), &output)
}

#[trial]
fn inspect_json_can_be_read() -> Result<(), Failed> {
    let folder = folder(&[]);
    let output = tintype(folder.path(), &["inspect", "box.md5mesh", "--json"]);
    wanted(output.status.success(), &output)?;
    let page: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let mesh = &page["models"][0]["meshes"][0];
    wanted(mesh["vertices"] == 8 && mesh["triangles"] == 12 && mesh["closed"] == true, &output)
}

/// Two exports, no pictures: movement is reported by joint and by mesh, for people and as JSON.
#[trial]
fn diff_of_models_tells_who_moved() -> Result<(), Failed> {
    let moved = BOX.replacen("( -1 -1 0 )", "( -1 -1.25 0 )", 1);
    let folder = folder(&[("box.md5mesh", BOX), ("moved.md5mesh", &moved)]);
    let diff = |more: &[&str]| tintype(folder.path(), &[&["diff", "box.md5mesh"], more].concat());
    let output = diff(&["box.md5mesh"]);
    wanted(output.status.code() == Some(0) && stderr(&output).contains("the same"), &output)?;
    let output = diff(&["moved.md5mesh"]);
    let says = "1 of 8 vertices moved, vertex 0 farthest by 0.25 (";
    wanted(output.status.code() == Some(1) && stderr(&output).contains(says), &output)?;
    let output = diff(&["moved.md5mesh", "--json"]);
    let page: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    wanted(page["meshes"][0]["own"]["moved"] == 0.25 && page["same"] == false, &output)?;
    let finding = &page["models"][0]["parts"][0]["findings"][0];
    let vertex = serde_json::json!({ "element": "vertex", "index": 0 });
    let is_data = finding["kind"] == "deformed" && finding["elements"][0] == vertex;
    wanted(is_data && finding["text"].as_str().is_some_and(|text| text.contains(says)), &output)?;
    let output = diff(&["moved.md5mesh", "--tolerance", "0.2"]);
    wanted(output.status.code() == Some(0) && stderr(&output).contains("within 0.2"), &output)?;
    let output = diff(&["moved.md5mesh", "-a", "gone.md5anim"]);
    wanted(output.status.code() == Some(2) && stderr(&output).contains("gone.md5anim"), &output)
}

/// A folder with `a.png`, and with `b.png` where a few pixels are not the same.
fn pictures() -> TempDir {
    let folder = TempDir::new().unwrap();
    let mut frame = Frame::new(40, 30);
    frame.rgba.fill([90, 120, 60, 255]);
    write_picture(&folder.path().join("a.png"), &frame, Some((3, "00ff")));
    for x in 10..20 {
        frame.rgba[12 * 40 + x] = [96, 120, 60, 255];
    }
    frame.rgba[15 * 40 + 15] = [90, 120, 200, 255];
    write_picture(&folder.path().join("b.png"), &frame, Some((3, "11ff")));
    folder
}

/// Writes a picture with what it was made from: frame number and digest.
fn write_picture(path: &Path, frame: &Frame, origin: Option<(i64, &str)>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let text = origin.map(|(number, digest)| Provenance::of_this_build(number, digest).to_text());
    let png = encode_png(frame, true, PngEffort::Fast, &text.unwrap_or_default());
    fs::write(path, png).unwrap();
}

/// Runs `diff` in a folder; the exit code and texts on standard error.
fn diff(folder: &Path, arguments: &[&str], code: i32, says: &[&str]) -> Result<Output, Failed> {
    let output = tintype(folder, &[&["diff"], arguments].concat());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let missing = says.iter().find(|words| !text.contains(*words));
    if output.status.code() != Some(code) || missing.is_some() {
        let status = output.status;
        return Err(
            format!("{arguments:?}: {status}, not {code}; not said: {missing:?}\n{text}").into()
        );
    }
    Ok(output)
}

#[trial]
fn diff_of_pictures_tells_where_and_how_much() -> Result<(), Failed> {
    let folder = pictures();
    let path = folder.path();
    let says = [
        "11 pixels differ: max 140 at (15, 15)",
        "first at (10, 12), bounding box (10, 12) to (19, 15)",
        "; FLIP 0.0",
        " over the picture; SSIM 0.9",
        "these differ in scene digest",
    ];
    diff(path, &["a.png", "b.png"], 1, &says)?;
    diff(path, &["a.png", "a.png"], 0, &["the same"])?;
    diff(path, &["a.png", "c.png"], 2, &["c.png: "])?;
    diff(path, &["a.png", "."], 2, &["a.png is one file and . is a folder"])?;

    // The same pixels, and only one of them has a provenance.
    let (frame, _) = decode_png(&fs::read(path.join("a.png"))?)?;
    write_picture(&path.join("mute.png"), &frame, None);
    let says = ["only A has provenance; B has no text chunk", "the same"];
    diff(path, &["a.png", "mute.png"], 0, &says)?;
    write_picture(&path.join("other.png"), &Frame::new(40, 31), None);
    diff(path, &["a.png", "other.png"], 1, &["A has 40x30 pixels, B has 40x31"])?;
    Ok(())
}

#[trial]
fn diff_passes_only_within_a_bound_that_is_said() -> Result<(), Failed> {
    let folder = pictures();
    let rule = |metric: &str, bound: &str, code: i32, says: &str| {
        let arguments = ["a.png", "b.png", "--metric", metric, "--bound", bound];
        diff(folder.path(), &arguments, code, &[says]).map(drop)
    };
    rule("max", "140", 0, "max at most 140, kept: 11 pixels differ")?;
    rule("max", "139", 1, "max at most 139, broken: 11 pixels differ")?;
    rule("flip", "0.2", 0, "flip at most 0.2, kept: ")?;
    rule("flip", "0.0001", 1, "flip at most 0.0001, broken: ")?;
    rule("ssim", "0.5", 0, "ssim at least 0.5, kept: ")?;
    rule("ssim", "0.9999", 1, "ssim at least 0.9999, broken: ")?;
    rule("flip", "1", 2, "from 0 to below 1")?;
    rule("psnr", "1", 2, "unknown metric \"psnr\"")?;
    diff(folder.path(), &["a.png", "b.png", "--metric", "flip"], 2, &["needs a bound"])?;
    diff(folder.path(), &["a.png", "b.png", "--bound", "3"], 2, &["--bound needs --metric"])?;
    diff(folder.path(), &["a.png", "b.png", "-a", "walk.md5anim"], 2, &["-a works with models"])?;
    Ok(())
}

#[trial]
fn diff_draws_what_differs_on_a_scale_that_it_says() -> Result<(), Failed> {
    let folder = pictures();
    let path = folder.path();
    diff(
        path,
        &["a.png", "b.png", "-o", "heat.png"],
        1,
        &["FLIP 0 (black) to 0.2 (light yellow)"],
    )?;
    let (heat, text) = decode_png(&fs::read(path.join("heat.png"))?)?;
    let brightness = |x, y| heat.pixel(x, y)[..3].iter().map(|&code| u32::from(code)).sum::<u32>();
    let [far, weak, strong] = [(35, 28), (11, 12), (15, 15)].map(|(x, y)| brightness(x, y));
    let is_right = far < 10 && weak > 80 && strong > weak && text[0].1.contains("to 0.2 ");
    if !is_right {
        return Err(format!("{far} {weak} {strong} {text:?}").into());
    }
    let x16 = ["a.png", "b.png", "-o", "x16.png", "--picture", "x16"];
    diff(path, &x16, 1, &["difference times 16"])?;
    let (x16, _) = decode_png(&fs::read(path.join("x16.png"))?)?;
    if (x16.pixel(11, 12), x16.pixel(0, 0)) != ([96, 0, 0, 255], [0, 0, 0, 255]) {
        return Err(format!("{:?}", x16.pixel(11, 12)).into());
    }
    let before = fs::read(path.join("b.png"))?;
    diff(path, &["a.png", "b.png", "-o", "./b.png"], 2, &["would be overwritten"])?;
    if fs::read(path.join("b.png"))? != before {
        Err("would be overwritten".into())
    } else {
        Ok(())
    }
}

#[trial]
fn diff_of_sequences_says_each_frame_and_what_is_missing() -> Result<(), Failed> {
    let folder = pictures();
    let path = folder.path();
    let copy = |from: &str, to: &str| {
        let to = path.join(to);
        fs::create_dir_all(to.parent().unwrap()).and_then(|()| fs::copy(path.join(from), to))
    };
    for (from, to) in [
        ("a.png", "x/walk.0001.png"),
        ("a.png", "x/walk.0002.png"),
        ("a.png", "x/walk.0003.png"),
        ("a.png", "y/walk.0001.png"),
        ("b.png", "y/walk.0002.png"),
        ("a.png", "y/walk.0004.png"),
    ] {
        copy(from, to)?;
    }
    let says = [
        "walk.0002.png: 11 pixels differ",
        "walk.0003.png: only x/walk.0003.png exists",
        "walk.0004.png: only y/walk.0004.png exists",
        "4 frames: 1 the same, 1 different, 1 only in A, 1 only in B (exact); largest FLIP 0.0059 in walk.0002.png",
    ];
    diff(path, &["x", "y", "-o", "drawn"], 1, &says)?;
    diff(path, &["x/walk.####.png", "y/walk.%04d.png"], 1, &says)?;
    if crate::support::files(&path.join("drawn"), &["png"])? != [path.join("drawn/walk.0002.png")] {
        return Err("other pictures were drawn".into());
    }
    diff(path, &["x", "x"], 0, &["3 frames: 3 the same"])?;
    diff(path, &["x", "y/walk.####.png"], 2, &["x is a folder and y/walk.####.png is a pattern"])?;
    diff(path, &["x", "y", "-o", "one.png"], 2, &["one.png is one file for 4 frames"])?;
    diff(path, &["x/no.##.png", "y/no.##.png"], 2, &["neither x/no.##.png nor "])?;

    // A missing frame fails under any bound; a torn one is bad input, and the others are compared
    // all the same.
    let bound = ["x", "y", "--metric", "flip", "--bound", "0.9"];
    diff(path, &bound, 1, &["1 different within the bound, 1 only in A"])?;
    let whole = fs::read(path.join("a.png"))?;
    fs::write(path.join("y/walk.0001.png"), &whole[..whole.len() - 20])?;
    diff(path, &["x", "y"], 2, &["y/walk.0001.png: the file ends early", "11 pixels differ"])?;
    Ok(())
}

#[trial]
fn diff_json_can_be_read() -> Result<(), Failed> {
    let folder = pictures();
    let path = folder.path();
    let output = diff(path, &["a.png", "b.png", "--json", "-o", "heat.png"], 1, &[])?;
    let json: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let frame = &json["frames"][0];
    let facts = serde_json::json!({
        "version": json["version"], "kind": json["kind"], "passes": json["passes"],
        "same": json["same"], "metric": json["rule"]["metric"], "top": json["heat_top"],
        "state": frame["state"], "count": frame["pixels"]["count"],
        "worst": frame["pixels"]["worst"], "differs": frame["provenance"]["differs"],
        "model": frame["flip"]["model"], "picture": frame["picture"],
    });
    let expected = serde_json::json!({
        "version": 1, "kind": "pictures", "passes": false, "same": false, "metric": "exact",
        "top": 0.2, "state": "different", "count": 11, "worst": [15, 15],
        "differs": ["scene digest"], "model": null, "picture": "heat.png",
    });
    let flip = frame["flip"]["all"].as_f64().unwrap_or_default();
    if facts != expected || !(0.001..0.2).contains(&flip) {
        return Err(format!("{json:#}").into());
    }
    let output = diff(path, &["a.png", "a.png", "--json"], 0, &[])?;
    let json: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    if (&json["same"], &json["frames"][0]["state"]) != (&true.into(), &"same".into()) {
        return Err(format!("{json:#}").into());
    }
    Ok(())
}

#[trial]
fn diff_of_other_layouts_names_them() -> Result<(), Failed> {
    use png::{BitDepth, ColorType};
    let folder = pictures();
    let path = folder.path();
    let cases = [
        (ColorType::Grayscale, BitDepth::Eight, vec![0; 1200], "8-bit Grayscale"),
        (ColorType::Rgba, BitDepth::Sixteen, vec![0; 9600], "16-bit Rgba"),
        (ColorType::Indexed, BitDepth::Eight, vec![0; 1200], "8-bit Indexed"),
    ];
    for (color, depth, data, name) in cases {
        let file = fs::File::create(path.join("odd.png"))?;
        let mut encoder = png::Encoder::new(file, 40, 30);
        encoder.set_color(color);
        encoder.set_depth(depth);
        encoder.set_palette(vec![0; 3]);
        encoder.write_header()?.write_image_data(&data)?;
        let says = format!("odd.png: stored as {name}; expected 8-bit RGB or RGBA");
        diff(path, &["a.png", "odd.png"], 2, &[&says])?;
    }
    fs::write(path.join("odd.png"), "no picture")?;
    diff(path, &["a.png", "odd.png"], 2, &["odd.png: "])?;
    Ok(())
}

#[trial]
fn help_goes_to_stdout() -> Result<(), Failed> {
    let folder = folder(&[]);
    for arguments in [&["--help"][..], &["--version"], &["render", "--help"]] {
        let output = tintype(folder.path(), arguments);
        wanted(output.status.code() == Some(0) && output.stderr.is_empty(), &output)?;
        wanted(!output.stdout.is_empty(), &output)?;
    }
    Ok(())
}

/// A disk of 64 KiB: the frames that fit are whole, the exit code asks for another run, and no
/// partial file remains.
#[trial(on_a_disk("size=64k"))]
fn disk_full_can_be_tried_again(disk: &Path) -> Result<(), Failed> {
    let folder = folder(&[]);
    let pattern = format!("{}/####.png", disk.display());
    let arguments = ["render", "scene.toml", "--size", "1200x900", "-o", &pattern];
    let output = tintype(folder.path(), &arguments);
    wanted(output.status.code() == Some(75), &output)?;
    wanted(stderr(&output).contains(&disk.display().to_string()), &output)?;
    for name in listing(disk) {
        let decoded = tintype_output::decode_png(&fs::read(disk.join(&name))?);
        wanted(decoded.is_ok(), &output)?;
    }
    Ok(())
}

/// A read-only disk: bad usage, not worth a retry.
#[trial(on_a_disk("size=64k,ro"))]
fn disk_read_only_is_bad_usage(disk: &Path) -> Result<(), Failed> {
    let folder = folder(&[]);
    let pattern = format!("{}/####.png", disk.display());
    let output = tintype(folder.path(), &["render", "scene.toml", "-o", &pattern]);
    wanted(output.status.code() == Some(2) && listing(disk).is_empty(), &output)
}

/// The commands in the help; for each the long options in its help, then those common to all
/// commands.
fn commands() -> Vec<(String, Vec<String>)> {
    let folder = folder(&[]);
    let help =
        |arguments: &[&str]| String::from_utf8(tintype(folder.path(), arguments).stdout).unwrap();
    let all = help(&["--help"]);
    let (_, list) = all.split_once("Commands:\n").unwrap();
    let (list, _) = list.split_once("\n\n").unwrap();
    // Names are indented by two columns, further lines of their descriptions deeper.
    let name = |line: &str| {
        line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')).map(str::to_owned)
    };
    let names =
        list.lines().filter_map(name).filter_map(|line| line.split(' ').next().map(str::to_owned));
    let options = |name: &str| -> Vec<String> {
        let text = help(&[name, "--help"]) + &all;
        let words = text.lines().filter_map(|line| {
            let line = line.trim_start().strip_prefix('-')?;
            let (_, long) =
                format!("-{line}").split_once("--").map(|(a, b)| (a.to_owned(), b.to_owned()))?;
            Some(long.split(|c: char| !(c.is_ascii_lowercase() || c == '-')).next()?.to_owned())
        });
        words.collect()
    };
    names.filter(|name| name != "help").map(|name| (name.clone(), options(&name))).collect()
}

#[trial]
fn completions_know_every_command_and_option() -> Result<(), Failed> {
    let folder = folder(&[]);
    let commands = commands();
    assert!(commands.len() > 9 && commands.iter().all(|(_, options)| options.len() > 5));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = tintype(folder.path(), &["completions", shell]);
        assert_eq!(output.status.code(), Some(0));
        let script = String::from_utf8(output.stdout)?;
        for (command, options) in &commands {
            for word in options.iter().chain([command]) {
                assert!(script.contains(word.as_str()), "{shell}: {command} {word}");
            }
        }
    }
    // Only if bash is installed: it accepts the script.
    let script = tintype(folder.path(), &["completions", "bash"]).stdout;
    fs::write(folder.path().join("script"), script)?;
    let bash = Command::new("bash").arg("-n").arg(folder.path().join("script")).output()?;
    if bash.status.success() { Ok(()) } else { Err(stderr(&bash).into()) }
}

#[trial]
fn manual_has_a_page_for_every_command() -> Result<(), Failed> {
    let folder = folder(&[]);
    assert_eq!(tintype(folder.path(), &["man", "-o", "man1"]).status.code(), Some(0));
    let commands = commands();
    let pages = fs::read_dir(folder.path().join("man1"))?.count();
    assert_eq!(pages, commands.len() + 1);
    for (command, options) in &commands {
        let page = fs::read_to_string(folder.path().join(format!("man1/tintype-{command}.1")))?;
        let page = page.replace("\\-", "-");
        assert!(page.contains(&format!("tintype {command}")), "{page}");
        // An option of the program alone.
        for option in options.iter().filter(|own| *own != "version") {
            assert!(page.contains(&format!("--{option}")), "{command} --{option}");
        }
    }
    let first = tintype(folder.path(), &["man"]).stdout;
    assert_eq!(first, fs::read(folder.path().join("man1/tintype.1"))?);
    Ok(())
}

#[trial]
fn schema_is_that_of_the_reader() -> Result<(), Failed> {
    let output = tintype(Path::new("."), &["schema"]);
    let is_same = output.stdout == tintype_scene::SCHEMA.as_bytes();
    if output.status.success() && is_same { Ok(()) } else { Err("another text".into()) }
}

#[trials]
fn bad_input_is_refused() -> Result<Vec<Trial>, String> {
    Ok(bad_inputs().into_iter().map(run_bad).collect())
}
