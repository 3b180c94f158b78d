//! Input files of jobs: tasks that find files other than those of the submitting machine draw
//! nothing, and bundles contain everything that a worker needs. The commands are those of the job
//! files themselves.

use super::{SCENE, folder};
use crate::support::command::{BOX, command, tintype, wanted};
use crate::support::{only_if, trial};
use libtest_mimic::Failed;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use tempfile::TempDir;

/// A picture of one colour.
fn picture(level: u8) -> Vec<u8> {
    let rgba = vec![[level, 0, 0, 255]; 16];
    let frame = tintype_model::frame::Frame { width: 4, height: 4, rgba };
    tintype_output::encode_png(&frame, true, tintype_output::PngEffort::Fast, &[])
}

const TRIANGLE: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"buffers":[{"uri":"tri.bin","byteLength":36}],"bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[8,8,0]}]}"#;
const MATERIAL: &str = "crate\n{\n\tdiffusemap\tpics/crate.tga\n}\n";

/// A box with a material file and a texture, and a triangle with a separate buffer.
fn scene_with_files() -> TempDir {
    let here = folder();
    let put = |name: &str, bytes: &[u8]| {
        let path = here.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    let corners: [f32; 9] = [0.0, 0.0, 0.0, 8.0, 0.0, 0.0, 0.0, 8.0, 0.0];
    put("tri.gltf", TRIANGLE.as_bytes());
    put("tri.bin", &corners.map(f32::to_le_bytes).concat());
    put("crate.mtr", MATERIAL.as_bytes());
    put("unused.mtr", MATERIAL.replace("crate", "other").as_bytes());
    put("second/pics/crate.png", &picture(200));
    let scene = SCENE.replace("[[material]]\nname = \"crate\"\n", "").replace("0-11", "0-3");
    let more = "[[model]]\nfile = \"tri.gltf\"\n[textures]\nmtr = [\"crate.mtr\", \"unused.mtr\"]\nsearch = [\"first\", \"second\"]\n";
    put("scene.toml", (scene + more).as_bytes());
    here
}

/// The value of a line of YAML, in JSON.
fn value<'t>(line: &'t str, key: &str) -> Option<&'t str> {
    line.trim().strip_prefix(key)
}

/// The commands of a template of Open Job Description, as run by an engine with one task, with
/// `values` instead of defaults. Relative paths count from the folder of the template.
fn openjd(template: &str, values: &BTreeMap<String, String>, here: &Path) -> Vec<Vec<String>> {
    let mut parameters = BTreeMap::from([
        ("Task.Param.Frame".to_owned(), "{{Param.Frames}}".to_owned()),
        ("Task.Param.Shard".to_owned(), "1".to_owned()),
    ]);
    let (mut name, mut kind, mut data) = (String::new(), String::new(), None::<String>);
    let mut commands = Vec::new();
    let text = |json: &str| {
        serde_json::from_str::<serde_json::Value>(json).map_or_else(
            |_| json.to_owned(),
            |value| value.as_str().map_or_else(|| value.to_string(), str::to_owned),
        )
    };
    for line in template.lines() {
        if let Some(line) = line.strip_prefix("            ").filter(|_| data.is_some()) {
            data.as_mut().unwrap().push_str(&format!("{line}\n"));
            continue;
        }
        if let Some(data) = data.take() {
            let file = here.join("embedded");
            fs::write(&file, data).unwrap();
            let file = file.display().to_string();
            parameters.insert("Task.File.Inputs".to_owned(), file);
        }
        if let Some(found) = value(line, "- name: ") {
            name = found.to_owned();
        } else if let Some(found) = value(line, "type: ") {
            kind = found.to_owned();
        } else if let Some(found) = value(line, "default: ") {
            let path = |text: String| here.join(text).display().to_string();
            let found = if kind == "PATH" { path(text(found)) } else { text(found) };
            parameters.insert(format!("Param.{name}"), found);
        } else if value(line, "data: |").is_some() {
            data = Some(String::new());
        } else if let Some(found) = value(line, "args: ") {
            commands.push(serde_json::from_str::<Vec<String>>(found).unwrap());
        }
    }
    parameters.insert("Param.Shards".to_owned(), "1".to_owned());
    let given = values.iter().map(|(name, value)| (format!("Param.{name}"), value.clone()));
    parameters.extend(given);
    let filled = |word: &String| {
        let mut word = word.clone();
        for _ in 0..2 {
            for (name, value) in &parameters {
                word = word.replace(&format!("{{{{{name}}}}}"), value);
            }
        }
        assert!(!word.contains("{{"), "{word}: no such parameter");
        word
    };
    commands.iter().map(|words| words.iter().map(filled).collect()).collect()
}

/// Runs commands of a job one after the other until one fails.
fn run(here: &Path, commands: &[Vec<String>]) -> Output {
    let mut last = None;
    for words in commands {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut command = command(here, &words);
        let output = command.env("JOB_COMPLETION_INDEX", "0").output().unwrap();
        let is_good = output.status.success();
        last = Some(output);
        if !is_good {
            break;
        }
    }
    last.expect("a job has commands")
}

/// The commands of a job file that an engine is given.
fn exported(here: &Path, engine: &str, job: &[&str]) -> Result<Vec<Vec<String>>, Failed> {
    let output = tintype(here, &[&["farm", "export", engine, "--chunk", "99"], job].concat());
    wanted(&output, 0, "")?;
    let file = String::from_utf8(output.stdout)?;
    if engine == "--openjd" {
        return Ok(openjd(&file, &BTreeMap::new(), here));
    }
    let commands = file.lines().filter_map(|line| value(line, "command: "));
    let words = |json: &str| -> Vec<String> {
        serde_json::from_str::<Vec<String>>(json).unwrap().split_off(1)
    };
    Ok(commands.map(words).collect())
}

#[trial]
fn inputs_that_differ_end_a_task_before_it_draws() -> Result<(), Failed> {
    type Change = fn(&Path) -> std::io::Result<()>;
    let changes: [(&str, Change); 6] = [
        ("second/pics/crate.png) is not found here", |at| {
            fs::remove_file(at.join("second/pics/crate.png"))
        }),
        ("second/pics/crate.png) is not the file", |at| {
            fs::write(at.join("second/pics/crate.png"), picture(201))
        }),
        ("second/pics/crate.png) is not the file", |at| {
            fs::create_dir_all(at.join("first/pics"))?;
            fs::write(at.join("first/pics/crate.png"), picture(9))
        }),
        ("crate.mtr\" is not the file", |at| {
            fs::write(at.join("crate.mtr"), MATERIAL.replace('\t', " "))
        }),
        ("tri.bin\" is not the file", |at| {
            let mut bytes = fs::read(at.join("tri.bin"))?;
            bytes[15] ^= 1;
            fs::write(at.join("tri.bin"), bytes)
        }),
        ("scene.toml is not the scene", |at| {
            let text = fs::read_to_string(at.join("scene.toml"))?;
            fs::write(at.join("scene.toml"), text.replace("360", "90"))
        }),
    ];
    for engine in ["--openjd", "--kubernetes"] {
        for (says, change) in changes {
            let here = scene_with_files();
            let here = here.path();
            let commands = exported(here, engine, &["scene.toml", "-o", "f/####.png"])?;
            change(here)?;
            let output = run(here, &commands);
            wanted(&output, 2, says)?;
            assert_eq!(frames(here, "f"), 0, "{engine}: {says}");
            // The last step alone judges by what was submitted, too: by frames that were drawn from
            // other files it is not satisfied.
            let draw = ["render", "scene.toml", "-f", "0-3", "-o", "f/####.png"];
            wanted(&tintype(here, &draw), 0, "")?;
            wanted(&run(here, &commands[1..]), 2, says)?;
        }
        // Nothing changed, and another program.
        let here = scene_with_files();
        let here = here.path();
        let commands = exported(here, engine, &["scene.toml", "-o", "f/####.png"])?;
        wanted(&run(here, &commands), 0, "4 frames up to date")?;
        let record = commands[0].iter().position(|word| word == "--inputs").unwrap() + 1;
        let record = here.join(&commands[0][record]);
        let version = concat!("tintype ", env!("CARGO_PKG_VERSION"));
        fs::write(&record, fs::read_to_string(&record)?.replace(version, "tintype 0.0.1"))?;
        wanted(&run(here, &commands), 2, "the job was submitted by tintype 0.0.1")?;
        fs::remove_file(&record)?;
        wanted(&run(here, &commands), 2, "all nodes must see the job's record")?;
    }

    // Of many models the differing ones are skipped.
    for command_words in
        [&["thumbnail", "-s", "24"][..], &["turntable", "-n", "2", "--size", "24x18"]]
    {
        for engine in ["--openjd", "--kubernetes"] {
            let here = library();
            let here = here.path();
            let job = [command_words, &["game/models", "-o", "f", "--textures=skins"]].concat();
            let commands = exported(here, engine, &job)?;
            fs::remove_file(here.join("skins/other.png"))?;
            let output = run(here, &commands);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(!output.status.success() && said.contains("other.png"), "{said}");
            let drawn = tree(&here.join("f"));
            assert!(drawn.keys().any(|name| name.contains("imp")), "{:?}", drawn.keys());
            assert!(!drawn.keys().any(|name| name.contains("other")), "{:?}", drawn.keys());
        }
    }
    Ok(())
}

/// Models of a game, with a material file and a texture beside their folder, and a texture in a
/// folder that is named.
fn library() -> TempDir {
    let here = TempDir::new().unwrap();
    let put = |name: &str, bytes: &[u8]| {
        let path = here.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    put("game/models/imp/imp.md5mesh", BOX.as_bytes());
    put("game/models/other/other.md5mesh", BOX.replace("\"crate\"", "\"other\"").as_bytes());
    put(
        "game/materials/a.mtr",
        MATERIAL.replace("pics/crate.tga", "textures/imp_d.tga").as_bytes(),
    );
    put("game/textures/imp_d.png", &picture(200));
    put("skins/other.png", &picture(90));
    put("elsewhere/models/far.md5mesh", BOX.as_bytes());
    put("elsewhere/models/crate.png", &picture(30));
    here
}

/// All pictures below a folder.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == "png") {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}

/// Draws a job from the files named by its bundle; its root contains nothing else.
fn from_its_bundle(
    here: &Path,
    out: &str,
    job: &[&str],
) -> Result<BTreeMap<String, Vec<u8>>, Failed> {
    let export = [&["farm", "export", "--openjd", "--bundle", "b"], job, &["-o", out]].concat();
    wanted(&tintype(here, &export), 0, "deadline bundle submit b")?;
    let here = here.canonicalize()?;
    let read = |name: &str| fs::read_to_string(here.join("b").join(name));
    let references = read("asset_references.yaml")?;
    let (inputs, _) = references.split_once("outputs:").unwrap();
    let root = TempDir::new()?;
    let root = root.path().canonicalize()?;
    let moved = |path: &Path| root.join(path.strip_prefix("/").unwrap());
    let copy = |path: &Path| {
        let to = moved(path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(path, to).unwrap();
    };
    for line in inputs.lines().filter_map(|line| value(line, "- ")) {
        let path = PathBuf::from(serde_json::from_str::<String>(line)?);
        if path.is_dir() {
            fs::create_dir_all(moved(&path))?;
            tree(&path).keys().for_each(|name| copy(&path.join(name)));
        } else {
            copy(&path);
        }
    }
    // Paths are mapped as a farm maps them.
    let (mut values, mut name) = (BTreeMap::new(), String::new());
    for line in read("parameter_values.yaml")?.lines() {
        if let Some(found) = value(line, "- name: ") {
            name = found.to_owned();
        } else if let Some(found) = value(line, "value: ") {
            let path: String = serde_json::from_str(found)?;
            values.insert(name.clone(), moved(Path::new(&path)).display().to_string());
        }
    }
    let commands = openjd(&read("template.yaml")?, &values, &root);
    let words = commands.concat().join(" ");
    let mapped = moved(&here).display().to_string();
    assert!(!words.replace(&mapped, "").contains(here.to_str().unwrap()), "{words}");
    // Nothing else is visible: if the system allows it, the folder is hidden, too.
    fs::rename(&here, here.with_extension("away"))?;
    let output = run(&root, &commands);
    fs::rename(here.with_extension("away"), &here)?;
    wanted(&output, 0, "up to date")?;
    Ok(tree(&PathBuf::from(&values["OutputDir"])))
}

#[trial(only_if(cfg!(unix)))]
fn bundles_draw_every_kind_of_job_in_an_empty_root() -> Result<(), Failed> {
    let here = scene_with_files();
    wanted(&tintype(here.path(), &["render", "scene.toml", "-o", "one/####.png"]), 0, "")?;
    let drawn = from_its_bundle(here.path(), "f/####.png", &["scene.toml"])?;
    assert!(drawn == tree(&here.path().join("one")), "a scene");

    for maker in [&["thumbnail", "-s", "24"][..], &["turntable", "-n", "2", "--size", "24x18"]] {
        for paths in [&["game/models"][..], &["game/models/imp", "elsewhere/models"]] {
            let here = library();
            let textures = format!("--textures={}", here.path().join("skins").display());
            let job = [maker, paths, &[textures.as_str()]].concat();
            wanted(&tintype(here.path(), &[&job[..], &["-o", "one"]].concat()), 0, "")?;
            let drawn = from_its_bundle(here.path(), "f", &job)?;
            assert!(!drawn.is_empty() && drawn == tree(&here.path().join("one")), "{job:?}");
            // Other contents of their common folder are not taken along.
            let references = fs::read_to_string(here.path().join("b/asset_references.yaml"))?;
            let has_other = references.contains("game/models/other");
            assert_eq!(has_other, paths.len() == 1, "{references}");
        }
    }
    Ok(())
}

#[trial]
fn inputs_of_shards_are_those_of_the_first() -> Result<(), Failed> {
    let here = scene_with_files();
    let here = here.path();
    let shard = |share: &str| {
        tintype(here, &["render", "scene.toml", "-o", "f/####.png", "--record", "--shard", share])
    };
    wanted(&shard("1/2"), 0, "2 frames in")?;
    fs::remove_file(here.join("second/pics/crate.png"))?;
    wanted(&shard("2/2"), 2, "second/pics/crate.png) is not found here")?;
    assert_eq!(frames(here, "f"), 2);
    fs::write(here.join("second/pics/crate.png"), picture(200))?;
    wanted(&shard("2/2"), 0, "2 frames in")?;
    // An edited scene is drawn again.
    let text = fs::read_to_string(here.join("scene.toml"))?;
    fs::write(here.join("scene.toml"), text.replace("360", "90"))?;
    wanted(&shard("2/2"), 0, "2 frames in")
}

#[trial]
fn stand_ins_are_refused_and_other_warnings_are_not() -> Result<(), Failed> {
    let here = scene_with_files();
    let here = here.path();
    let render = ["render", "scene.toml", "-o", "f/####.png", "--no-stand-ins"];
    wanted(&tintype(here, &render), 0, "2 warnings")?;
    wanted(&tintype(here, &[&render[..], &["--strict", "--overwrite"]].concat()), 3, "--strict")?;
    fs::remove_file(here.join("second/pics/crate.png"))?;
    fs::remove_dir_all(here.join("f"))?;
    wanted(&tintype(here, &render), 3, "--no-stand-ins: 1 stand-in")?;
    assert_eq!(frames(here, "f"), 0);
    let thumbnail = ["thumbnail", "box.md5mesh", "-o", "t", "--no-stand-ins"];
    wanted(&tintype(here, &thumbnail), 2, "--no-stand-ins: ")?;
    let turntable = ["turntable", "box.md5mesh", "-o", "t", "-n", "2", "--no-stand-ins"];
    wanted(&tintype(here, &turntable), 3, "--no-stand-ins: 1 stand-in")?;
    assert!(tree(&here.join("t")).is_empty());
    fs::write(here.join("crate.png"), picture(200))?;
    wanted(&tintype(here, &thumbnail), 0, "")?;
    wanted(&tintype(here, &turntable), 0, "")
}

#[trial]
fn two_scenes_are_not_drawn_into_one_folder_at_once() -> Result<(), Failed> {
    let here = folder();
    let here = here.path();
    let scene = SCENE.replace("[48, 36]", "[960, 720]").replace("0-11", "0-199");
    fs::write(here.join("scene.toml"), &scene)?;
    fs::create_dir(here.join("other"))?;
    let file = "file = \"../box.md5mesh\"";
    let other = scene.replace("file = \"box.md5mesh\"", file).replace("360", "90");
    fs::write(here.join("other/scene.toml"), other)?;
    let mut first = command(here, &["render", "scene.toml", "--shard", "1/2", "-o", "f/####.png"]);
    let mut first = first.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    crate::machine::until("a frame", || frames(here, "f") > 0)?;
    let second = tintype(here, &["render", "other/scene.toml", "-f", "199", "-o", "f/####.png"]);
    // Another shard of the same job runs beside it, as does a scene with other file names.
    let shared = tintype(here, &["render", "scene.toml", "-f", "199", "-o", "f/####.png"]);
    let beside = tintype(here, &["render", "other/scene.toml", "-f", "0", "-o", "f/b.####.png"]);
    let is_running = first.try_wait()?.is_none();
    first.kill()?;
    first.wait()?;
    assert!(is_running, "the first process was to draw all the while");
    wanted(&second, 2, "f/####.png: another process is writing these pictures")?;
    wanted(&shared, 0, "1 frame in")?;
    wanted(&beside, 0, "1 frame in")?;
    // The lock of a killed process is released.
    wanted(
        &tintype(here, &["render", "other/scene.toml", "-f", "199", "-o", "f/####.png"]),
        0,
        "1 frame in",
    )
}

/// Frames in a folder.
fn frames(here: &Path, folder: &str) -> usize {
    tree(&here.join(folder)).len()
}
