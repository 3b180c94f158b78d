//! Pictures, folders, limits and messages.

use crate::held::Held;
use crate::json_schema;
use crate::json_schema::with_python;
#[cfg(unix)]
use crate::support::command::command;
use crate::support::command::{BOX, tintype, wanted};
use crate::support::{self, trial, with_models};
use libtest_mimic::Failed;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
#[cfg(unix)]
use std::process::Stdio;
use tempfile::TempDir;
#[cfg(unix)]
use tintype_host::PARTIAL_SUFFIX;
use tintype_model::frame::Frame;
use tintype_output::decode_png;

pub(super) type Outcome = Result<(), Failed>;

/// A cube of side 2, with the text around it in a `.x` file.
pub(super) const CUBE_X: &str = "xof 0303txt 0032\nMesh cube { 8;\n\
    -1.0;-1.0;-1.0;, 1.0;-1.0;-1.0;, 1.0;1.0;-1.0;, -1.0;1.0;-1.0;,\n\
    -1.0;-1.0;1.0;, 1.0;-1.0;1.0;, 1.0;1.0;1.0;, -1.0;1.0;1.0;;\n\
    6; 4;0,3,2,1;, 4;4,5,6,7;, 4;0,1,5,4;, 4;2,3,7,6;, 4;0,4,7,3;, 4;1,2,6,5;;\n\
    MeshMaterialList { 1; 6; 0, 0, 0, 0, 0, 0;; Material tin { 0.7; 0.6; 0.4; 1.0;; 9.0; 0.2; 0.2; 0.2;; 0.0; 0.0; 0.0;; } }\n}\n";

fn asset(name: &str) -> PathBuf {
    Path::new(env!("WORKSPACE_ROOT")).join("scenes/assets").join(name)
}

/// A folder of models: one of each format with one name, and one further down, with the texture of
/// the boxes.
pub(super) fn library() -> TempDir {
    let folder = TempDir::new().unwrap();
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.path().join("models").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    let texture = tintype_output::encode_png(
        &Frame { width: 2, height: 2, rgba: vec![[200, 120, 40, 255]; 4] },
        true,
        tintype_output::PngEffort::Fast,
        &[],
    );
    put("crate.md5mesh", BOX.as_bytes());
    put("crate.X", CUBE_X.as_bytes());
    put("crate.png", &texture);
    put("far/away/crate.md5mesh", BOX.as_bytes());
    put("far/away/crate.png", &texture);
    put("notes.txt", b"");
    folder
}

fn listing(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).into_iter().flatten() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push(path.strip_prefix(folder).unwrap().display().to_string()),
            }
        }
    }
    found.sort();
    found
}

fn thumbnail(folder: &Path, arguments: &[&str]) -> Output {
    tintype(folder, &[&["thumbnail"], arguments].concat())
}

fn json(output: &Output) -> Result<Value, Failed> {
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[trial]
fn folders_are_mirrored_and_no_name_meets_another() -> Outcome {
    let folder = library();
    let output = thumbnail(folder.path(), &["models", "-s", "64", "-v"]);
    wanted(&output, 0, "3 files that are not models")?;
    let three = ["crate.X.png", "crate.md5mesh.png", "far/away/crate.md5mesh.png"];
    assert_eq!(listing(&folder.path().join("out/thumbnails")), three);
    for name in three {
        let (frame, text) =
            decode_png(&fs::read(folder.path().join("out/thumbnails").join(name))?)?;
        assert_eq!([frame.width, frame.height], [64, 64]);
        let all = format!("{text:?}");
        let path = folder.path().display().to_string();
        assert!(!all.contains(&path) && all.contains("tintype:digest"), "{all}");
    }
    // Folders with the same name in different places, and a pattern that no shell has expanded.
    let args = ["models/far/away", "models/crate.X", "-o", "both"];
    wanted(&thumbnail(folder.path(), &args), 0, "2 thumbnails")?;
    let both = ["crate.X.png", "far/away/crate.md5mesh.png"];
    assert_eq!(listing(&folder.path().join("both")), both);
    wanted(&thumbnail(folder.path(), &["models/*.X", "models/c*.md5*", "-o", "some"]), 0, "")?;
    assert_eq!(listing(&folder.path().join("some")), ["crate.X.png", "crate.md5mesh.png"]);
    Ok(())
}

#[trial]
fn one_model_goes_to_one_file_or_stream() -> Outcome {
    let folder = library();
    let to_file = thumbnail(folder.path(), &["models/crate.X", "-o", "a/b.PNG", "-s", "40"]);
    wanted(&to_file, 0, "1 thumbnail in")?;
    let streamed = thumbnail(folder.path(), &["models/crate.X", "-o", "-", "-s", "40", "-q"]);
    wanted(&streamed, 0, "")?;
    assert_eq!(streamed.stdout, fs::read(folder.path().join("a/b.PNG"))?);
    let two = thumbnail(folder.path(), &["models", "-o", "-"]);
    wanted(&two, 2, "--output - is one picture for 3 models; name a folder")?;
    wanted(&thumbnail(folder.path(), &["models", "-o", "a.png"]), 2, "a.png is one picture")?;
    let nowhere = thumbnail(folder.path(), &["models/crat.X"]);
    wanted(&nowhere, 2, "did you mean models/crate.X?")?;
    wanted(&thumbnail(folder.path(), &["models/*.fbx"]), 2, "no file matches this pattern")?;
    fs::create_dir(folder.path().join("bare"))?;
    wanted(
        &thumbnail(folder.path(), &["bare"]),
        2,
        "no .md5mesh, .x, .gltf, .glb, .vrm, .fbx, .obj, .iqm, .md2, .md3, .mdl, .3ds, .b3d, .stl or .ply file in bare",
    )
}

#[trial]
fn unchanged_models_are_left_and_changed_ones_are_not() -> Outcome {
    let folder = library();
    let run = |more: &[&str]| -> Result<[u64; 2], Failed> {
        let output = thumbnail(folder.path(), &[&["models", "--json"], more].concat());
        wanted(&output, 0, "")?;
        let json = json(&output)?;
        let count = |key: &str| json["totals"][key].as_u64().unwrap();
        Ok([count("drawn"), count("unchanged")])
    };
    assert_eq!(run(&[])?, [3, 0]);
    let picture = folder.path().join("out/thumbnails/crate.md5mesh.png");
    let first = fs::read(&picture)?;
    let time = fs::metadata(&picture)?.modified()?;
    assert_eq!(run(&[])?, [0, 3]);
    assert_eq!(fs::metadata(&picture)?.modified()?, time, "it is not written again");
    assert_eq!(run(&["--overwrite"])?, [3, 0]);
    assert_eq!(fs::read(&picture)?, first, "and drawn the same");
    assert_eq!(run(&["--anisotropy", "1"])?, [0, 3], "what is usual");
    assert_eq!(run(&["--anisotropy", "4"])?, [3, 0], "another filter");
    assert_eq!(run(&[])?, [3, 0], "and back");
    // The time of a file has no effect; a changed texel, vertex, option, clip or picture does.
    let model = folder.path().join("models/crate.md5mesh");
    fs::write(&model, BOX)?;
    assert_eq!(run(&[])?, [0, 3]);
    fs::write(&model, BOX.replace("( 0 0 ) 0 1", "( 0.25 0 ) 0 1"))?;
    assert_eq!(run(&[])?, [1, 2], "vertex");
    let other = tintype_output::encode_png(
        &Frame { width: 2, height: 2, rgba: vec![[20, 120, 240, 255]; 4] },
        true,
        tintype_output::PngEffort::Fast,
        &[],
    );
    fs::write(folder.path().join("models/crate.png"), other)?;
    assert_eq!(run(&[])?, [1, 2], "texel");
    assert_eq!(run(&["--size", "100"])?, [3, 0], "size");
    assert_eq!(run(&["--size", "100", "--background", "#102030"])?, [3, 0], "background");
    assert_eq!(run(&["--look", "classic"])?, [3, 0], "look");
    assert_eq!(run(&[])?, [3, 0]);
    let whole = fs::read(&picture)?;
    fs::write(&picture, &whole[..whole.len() / 2])?;
    assert_eq!(run(&[])?, [1, 2], "a torn picture");
    assert_eq!(fs::read(&picture)?, whole);
    Ok(())
}

#[trial]
fn bad_file_is_one_line_and_the_others_are_done() -> Outcome {
    let folder = library();
    fs::write(folder.path().join("models/torn.md5mesh"), &BOX[..200])?;
    let moves = "xof 0303txt 0032\nFrame bone { }\nAnimationSet a { Animation { { bone } AnimationKey { 2; 1; 0; 3; 1.0, 2.0, 3.0;;; } } }\n";
    fs::write(folder.path().join("models/moves.x"), moves)?;
    let output = thumbnail(folder.path(), &["models", "--json"]);
    let said_last = "error: 1 of 5 models have no thumbnail; 3 drawn, 0 up to date, 1 file without a mesh skipped, 0 warnings";
    wanted(&output, 3, said_last)?;
    let lines = said(&output);
    let about: Vec<&str> = lines.lines().filter(|line| line.contains("torn")).collect();
    assert_eq!(about.len(), 1, "{lines}");
    assert!(
        about[0].starts_with("error: models/torn.md5mesh: no triangles remain: line "),
        "{}",
        about[0]
    );
    let json = json(&output)?;
    let of = |name: &str| {
        let models = json["models"].as_array().unwrap();
        models.iter().find(|model| model["model"] == name).unwrap().clone()
    };
    let torn = of("torn.md5mesh");
    assert_eq!((&torn["status"], &torn["reason"]), (&"failed".into(), &"input".into()));
    assert_eq!(of("moves.x")["status"], "no-mesh", "a file of clips is no failure");
    assert_eq!(of("crate.X")["picture"], "crate.X.png");
    // If named explicitly, it is the only work.
    wanted(
        &thumbnail(folder.path(), &["models/torn.md5mesh"]),
        2,
        "torn.md5mesh: no triangles remain: line ",
    )?;
    wanted(
        &thumbnail(folder.path(), &["models/moves.x"]),
        2,
        "moves.x: it has clips but no triangles",
    )?;
    Ok(())
}

#[trial(with_python)]
fn json_is_as_its_schema_says(python: &PathBuf) -> Outcome {
    let folder = library();
    fs::write(folder.path().join("models/torn.x"), &CUBE_X[..180])?;
    fs::write(folder.path().join("models/empty.x"), "xof 0303txt 0032\nFrame a { }\n")?;
    let text = |more: &[&str]| {
        let output = thumbnail(folder.path(), &[&["models", "--json"], more].concat());
        String::from_utf8(output.stdout).unwrap()
    };
    let texts = [text(&[]), text(&[]), text(&["--max-size", "10"])];
    let schema = include_str!("../../../crates/golden/src/report/thumbnails.schema.json");
    let errors = json_schema::errors(python, schema, &texts)?;
    assert_eq!(errors.concat(), "");
    Ok(())
}

#[trial]
fn limits_are_kept_and_told() -> Outcome {
    let folder = library();
    // A picture with a large size in its header: 4096 x 4096, in a file of 54 bytes.
    let mut bmp = vec![0_u8; 54];
    bmp[..2].copy_from_slice(b"BM");
    for (at, value) in [(10, 54_u32), (14, 40), (18, 4096), (22, 4096), (26, 1 | 24 << 16)] {
        bmp[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    fs::remove_file(folder.path().join("models/far/away/crate.png"))?;
    fs::write(folder.path().join("models/far/away/crate.bmp"), bmp)?;
    let cases: [(&[&str], &str, &str, u64); 4] = [
        (&["--max-size", "600"], "size", "raise it with --max-size", 1),
        (&["--max-memory", "150M"], "memory", "raise it with --max-memory", 2),
        (&["--max-memory", "1K"], "memory", "reading it may take", 0),
        (&["--timeout", "1e-9"], "timeout", "raise the limit with --timeout", 0),
    ];
    for (more, reason, says, drawn) in cases {
        let arguments = [&["models", "--overwrite", "--json"], more].concat();
        let output = thumbnail(folder.path(), &arguments);
        wanted(&output, 3, says)?;
        let json = json(&output)?;
        assert_eq!(json["totals"]["drawn"], drawn, "{more:?}: {}", said(&output));
        let failed =
            json["models"].as_array().unwrap().iter().filter(|one| one["status"] == "failed");
        assert!(failed.clone().count() > 0);
        assert!(failed.into_iter().all(|one| one["reason"] == reason), "{more:?}: {json}");
    }
    wanted(
        &thumbnail(folder.path(), &["models", "--timeout", "0"]),
        2,
        "expected seconds above 0",
    )?;
    wanted(&thumbnail(folder.path(), &["models", "--max-size", "x"]), 2, "such as 500K, 64M or 2G")
}

#[trial]
fn missing_texture_is_a_warning_and_strict_fails() -> Outcome {
    let folder = library();
    fs::remove_file(folder.path().join("models/crate.png"))?;
    let output = thumbnail(folder.path(), &["models"]);
    wanted(&output, 0, "warning: models/crate.md5mesh: no texture for shader \"crate\"")?;
    wanted(&output, 0, "; 1 warning\n")?;
    let again = thumbnail(folder.path(), &["models", "--strict"]);
    wanted(&again, 3, "models/crate.md5mesh: 1 warning when it was drawn; redraw it for details")?;
    // A folder with the texture makes another picture.
    let found = thumbnail(folder.path(), &["models", "--strict", "--textures", "models/far/away"]);
    wanted(&found, 0, "1 thumbnail in")
}

#[trial]
fn textures_of_a_game_are_found_from_its_folder() -> Outcome {
    let folder = library();
    let base = folder.path().join("base");
    fs::create_dir_all(base.join("models/md5/crate"))?;
    fs::create_dir_all(base.join("textures/props"))?;
    let model = BOX.replace("\"crate\"", "\"textures/props/crate\"");
    fs::write(base.join("models/md5/crate/crate.md5mesh"), model)?;
    fs::copy(folder.path().join("models/crate.png"), base.join("textures/props/crate.png"))?;
    // Any path to the model gives the same picture.
    let [a, b] =
        [("base", "a"), ("base/models/md5/crate/crate.md5mesh", "b")].map(|(path, output)| {
            let done = thumbnail(folder.path(), &[path, "-o", output, "--strict", "-s", "64"]);
            wanted(&done, 0, "").unwrap();
            let files = support::files(&folder.path().join(output), &["png"]).unwrap();
            fs::read(&files[0]).unwrap()
        });
    assert!(a == b);
    Ok(())
}

#[trial]
fn empty_picture_is_a_failure() -> Outcome {
    let folder = TempDir::new()?;
    fs::write(folder.path().join("flat.md5mesh"), BOX.replace(") 0 1", ") 0 0"))?;
    let point: String = BOX
        .lines()
        .map(|line| match line.trim_start().starts_with("weight ") {
            true => format!("{} ( 0 0 0 )\n", line.split('(').next().unwrap()),
            false => format!("{line}\n"),
        })
        .collect();
    fs::write(folder.path().join("point.md5mesh"), point)?;
    let output = thumbnail(folder.path(), &["point.md5mesh"]);
    let said = "point.md5mesh: the picture would be empty: all 12 triangles have zero area";
    wanted(&output, 3, said)?;
    assert!(!folder.path().join("out/thumbnails").exists(), "and no file is left");
    Ok(())
}

#[trial]
fn clip_is_chosen_beside_the_model() -> Outcome {
    let folder = TempDir::new()?;
    let view = |more: &[&str]| -> Result<Value, Failed> {
        let model = asset("ranger.md5mesh").display().to_string();
        let output = thumbnail(
            folder.path(),
            &[&[&model, "--json", "-s", "64", "--overwrite"], more].concat(),
        );
        wanted(&output, 0, "")?;
        Ok(json(&output)?["models"][0].clone())
    };
    let usual = view(&[])?;
    assert_eq!(usual["view"]["clip"], "ranger_idle");
    assert_eq!(usual["view"]["shape"], "figure");
    let clips: Vec<&str> =
        usual["facts"]["clips"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(
        clips,
        ["ranger_idle", "ranger_walk", "ranger_wave"],
        "those of the scarab do not fit"
    );
    assert_eq!(view(&["--clip", "ranger_wave"])?["view"]["clip"], "ranger_wave");
    assert_eq!(view(&["--clip", "bind"])?["view"]["clip"], Value::Null);
    let walk = asset("ranger_walk.md5anim").display().to_string();
    assert_eq!(view(&["-a", &walk])?["view"]["clip"], "ranger_walk");
    let model = asset("ranger.md5mesh").display().to_string();
    wanted(&thumbnail(folder.path(), &[&model, "--clip", "dance"]), 2, "no clip \"dance\"")?;
    let scarab = asset("scarab_walk.md5anim").display().to_string();
    wanted(&thumbnail(folder.path(), &[&model, "-a", &scarab]), 2, "the clip does not fit")
}

/// The free fraction of a picture around the visible part: left, top, right, bottom.
fn margins(frame: &Frame) -> [f64; 4] {
    let width = frame.width as usize;
    let seen: Vec<[usize; 2]> = (0..frame.rgba.len())
        .filter(|&k| frame.rgba[k][3] > 0)
        .map(|k| [k % width, k / width])
        .collect();
    let low = |axis: usize| seen.iter().map(|at| at[axis]).min().unwrap() as f64;
    let high = |axis: usize| seen.iter().map(|at| at[axis]).max().unwrap() as f64 + 1.0;
    let all = width as f64;
    [low(0) / all, low(1) / all, 1.0 - high(0) / all, 1.0 - high(1) / all]
}

/// Every picture below a folder has its model in the middle, and the margin around its widest side
/// is 4 to 12 %.
fn all_are_framed(folder: &Path) -> Result<usize, Failed> {
    let pictures = support::files(folder, &["png"])?;
    for path in &pictures {
        let (frame, _) = decode_png(&fs::read(path)?)?;
        let [left, top, right, bottom] = margins(&frame);
        let least = left.at_most(top).at_most(right).at_most(bottom);
        let found = format!("{}: {left:.3} {top:.3} {right:.3} {bottom:.3}", path.display());
        assert!((0.04..=0.12).contains(&least), "{found}");
        assert!((left - right).abs() < 0.05 && (top - bottom).abs() < 0.05, "{found}");
        // The picture shows a surface, not a line; for light that fades, only a part of it.
        let share = frame.rgba.iter().filter(|pixel| pixel[3] > 50).count() as f64;
        assert!(share / frame.rgba.len() as f64 > 0.03, "{found}: {share} pixels");
    }
    Ok(pictures.len())
}

#[trial]
fn shipped_models_are_framed() -> Outcome {
    let folder = TempDir::new()?;
    let assets = asset("").display().to_string();
    let output = thumbnail(
        folder.path(),
        &[&assets, "-o", "out", "--gallery", "--background", "transparent"],
    );
    wanted(&output, 0, "out/index.html")?;
    assert_eq!(all_are_framed(&folder.path().join("out"))?, 16);
    Ok(())
}

#[trial(with_models)]
fn foreign_models_are_framed_and_seen(models: &Path) -> Outcome {
    let folder = TempDir::new()?;
    let [gltf, md5, x] = ["gltf", "md5", "x"].map(|name| models.join(name).display().to_string());
    let output = thumbnail(
        folder.path(),
        &[&gltf, &md5, &x, "-o", "out", "-s", "128", "--json", "--background", "transparent"],
    );
    wanted(
        &output,
        3,
        "41 of 500 models have no thumbnail; 268 drawn, 0 up to date, 191 files without",
    )?;
    wanted(&output, 3, "statemanager/scene.x: no triangles to draw")?;
    assert_eq!(all_are_framed(&folder.path().join("out"))?, 268);
    let json = json(&output)?;
    let view = |name: &str| {
        let models = json["models"].as_array().unwrap();
        let found = models.iter().find(|model| model["model"] == name).unwrap();
        let angle = |key: &str| found["view"][key].as_f64().unwrap();
        (angle("azimuth_deg"), angle("elevation_deg"), found["view"]["shape"].clone())
    };
    // A figure from its front; one whose root turns it around; a thing; a flat model from above.
    let (azimuth, elevation, shape) = view("x/ms/tiny/tiny.x");
    assert!(azimuth.abs() <= 45.0 && elevation <= 18.0 && shape == "figure");
    assert!(view("x/minetest/character.x").0.abs() <= 45.0);
    assert_eq!(view("x/assimp/test_cube_text.x").2, "thing");
    assert!(view("x/ms/prt/cube_on_plane.x").1 >= 40.0);
    Ok(())
}

#[trial]
fn same_picture_wherever_and_however_many_threads() -> Outcome {
    let folder = TempDir::new()?;
    let assets = asset("").display().to_string();
    let mut all: Vec<Vec<Vec<u8>>> = Vec::new();
    for threads in ["1", "3", "8"] {
        let output = thumbnail(folder.path(), &[&assets, "-o", threads, "-j", threads, "-s", "96"]);
        wanted(&output, 0, "")?;
        let files = support::files(&folder.path().join(threads), &["png"])?;
        all.push(files.iter().map(|file| fs::read(file).unwrap()).collect());
    }
    assert!(all[0] == all[1] && all[1] == all[2] && !all[0].is_empty());
    // From another folder, by another path.
    let moved = TempDir::new()?;
    for name in ["scarab.md5mesh", "scarab_idle.md5anim", "scarab_walk.md5anim"] {
        fs::copy(asset(name), moved.path().join(name))?;
    }
    fs::create_dir(moved.path().join("textures"))?;
    for file in support::files(&asset("textures"), &["png", "tga", "jpg", "bmp", "dds"])? {
        fs::copy(&file, moved.path().join("textures").join(file.file_name().unwrap()))?;
    }
    let output = thumbnail(moved.path(), &["scarab.md5mesh", "-o", "a.png", "-s", "96"]);
    wanted(&output, 0, "")?;
    let there = folder.path().join("1/scarab.md5mesh.png");
    let [(here, _), (there, _)] = [moved.path().join("a.png"), there]
        .map(|path| decode_png(&fs::read(path).unwrap()).unwrap());
    assert!(here == there, "the same pixels");
    Ok(())
}

#[cfg(unix)]
#[trial]
fn stop_leaves_whole_pictures() -> Outcome {
    use std::io::{BufRead, BufReader, Read};
    let folder = TempDir::new()?;
    let models = folder.path().join("models");
    fs::create_dir(&models)?;
    for k in 0..600 {
        fs::write(models.join(format!("{k:03}.x")), CUBE_X)?;
    }
    let arguments = ["thumbnail", "models", "-s", "512", "-j", "2", "--progress", "json"];
    let mut child = command(folder.path(), &arguments).stderr(Stdio::piped()).spawn()?;
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("progress") {
        line.clear();
        assert!(said.read_line(&mut line)? > 0, "it ended before");
    }
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-s", "INT", &id]).status()?.success());
    let mut rest = String::new();
    said.read_to_string(&mut rest)?;
    assert_eq!(child.wait()?.code(), Some(130), "{rest}");
    assert!(rest.contains("done and complete; run the same command to continue"), "{rest}");
    let written = listing(&folder.path().join("out/thumbnails"));
    assert!(!written.is_empty() && written.len() < 600, "{}", written.len());
    for name in &written {
        assert!(!name.ends_with(PARTIAL_SUFFIX), "{name}");
        decode_png(&fs::read(folder.path().join("out/thumbnails").join(name))?)?;
    }
    let again = thumbnail(folder.path(), &["models", "-s", "512"]);
    wanted(&again, 0, &format!("{} up to date", written.len()))?;
    assert_eq!(listing(&folder.path().join("out/thumbnails")).len(), 600);
    Ok(())
}

/// The edges of a cube keep their pixels in an orthographic picture, and the margin is right.
#[trial]
fn view_and_projection_are_as_asked() -> Outcome {
    let folder = library();
    for (options, angles) in [
        (&["--view", "dimetric"][..], Some((45.0, 30.0))),
        (&["--view", "top", "--projection", "perspective"], Some((0.0, 90.0))),
        (&["--view", "front"], Some((0.0, 0.0))),
        (&["--projection", "orthographic"], None),
    ] {
        let own = ["models/crate.X", "-o", "one.png", "-s", "100", "--json"];
        let clear = ["--background", "transparent"];
        let output = thumbnail(folder.path(), &[&own[..], &clear, options].concat());
        let view = &json(&output)?["models"][0]["view"];
        if let Some((azimuth, elevation)) = angles {
            assert_eq!(view["azimuth_deg"].as_f64(), Some(azimuth), "{options:?} {view}");
            assert_eq!(view["elevation_deg"].as_f64(), Some(elevation), "{options:?} {view}");
        }
        let (frame, _) = decode_png(&fs::read(folder.path().join("one.png"))?)?;
        let seen: Vec<[u32; 2]> = (0..100)
            .flat_map(|y| (0..100).map(move |x| [x, y]))
            .filter(|&[x, y]| frame.pixel(x, y)[3] > 0)
            .collect();
        let low = [0, 1].map(|k| seen.iter().map(|at| at[k]).min().unwrap());
        let high = [0, 1].map(|k| 99 - seen.iter().map(|at| at[k]).max().unwrap());
        let tight = low[0].min(low[1]).min(high[0]).min(high[1]);
        assert!((4..=8).contains(&tight), "{options:?}: {low:?} {high:?}");
        assert!((0..2).all(|k| low[k].abs_diff(high[k]) <= 2), "{options:?}: {low:?} {high:?}");
        if options == ["--view", "front"] {
            // A square: no side of the cube but the front is seen.
            assert_eq!(low[0].abs_diff(low[1]), 0, "{low:?}");
        }
    }
    Ok(())
}
