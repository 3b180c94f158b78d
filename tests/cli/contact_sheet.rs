//! `--contact-sheet`: the legend matches the sheet.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "tests make numbers of known size"
)]

use crate::json_schema::{errors, with_python};
use crate::support::command::tintype;
use crate::support::trial;
use libtest_mimic::Failed;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use tintype::{Frame, Model};

type Outcome = Result<(), Failed>;

const SCHEMA: &str =
    include_str!("../../crates/framing/src/contact_sheet/contact-sheet.schema.json");

fn wanted(is_so: bool, says: impl Into<Failed>) -> Outcome {
    if is_so { Ok(()) } else { Err(says.into()) }
}

fn asset(name: &str) -> String {
    Path::new(env!("WORKSPACE_ROOT")).join("scenes/assets").join(name).display().to_string()
}

/// Draws a sheet of a shipped model, and reads it.
fn sheet(folder: &Path, model: &str, more: &[&str]) -> Result<(Frame, Value, String), Failed> {
    let model = asset(model);
    let output = tintype(
        folder,
        &[&["turntable", "--strict", &model, "--contact-sheet", "s.png"], more].concat(),
    );
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    wanted(output.status.success(), said)?;
    let text = fs::read_to_string(folder.join("s.json"))?;
    Ok((Frame::open(folder.join("s.png"))?, serde_json::from_str(&text)?, text))
}

fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    core::array::from_fn(|k| value[k].as_f64().unwrap())
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    core::array::from_fn(|k| a[k] - b[k])
}

/// Left, top, right and bottom of a rectangle.
fn frame_of(value: &Value, key: &str) -> [f64; 4] {
    let [x, y, width, height] = numbers(&value[key]);
    [x, y, x + width, y + height]
}

/// The pixel of a point by the camera of a cell, from the words of the page alone.
fn pixel_of(cell: &Value, point: [f64; 3]) -> [f64; 2] {
    let camera = &cell["camera"];
    let [eye, target, up] = ["eye", "target", "up"].map(|key| numbers::<3>(&camera[key]));
    let ahead = minus(target, eye);
    let ahead = ahead.map(|value| value / dot(ahead, ahead).sqrt());
    let right = core::array::from_fn(|k| {
        ahead[(k + 1) % 3] * up[(k + 2) % 3] - ahead[(k + 2) % 3] * up[(k + 1) % 3]
    });
    let from_eye = minus(point, eye);
    let [x, y, width, height] = numbers(&cell["picture"]);
    let per_unit = match camera["height"].as_f64() {
        Some(of_view) => height / of_view,
        None => {
            let half =
                libm::tan(camera["fov_deg"].as_f64().unwrap() * core::f64::consts::PI / 360.0);
            height / 2.0 / half / dot(from_eye, ahead)
        }
    };
    [
        x + width / 2.0 + dot(from_eye, right) * per_unit,
        y + height / 2.0 - dot(from_eye, up) * per_unit,
    ]
}

#[trial]
fn legend_puts_joints_where_its_camera_sees_them() -> Outcome {
    for more in [&["--clip", "walk"][..], &["--clip", "walk", "--projection", "perspective"]] {
        let folder = TempDir::new()?;
        let (frame, legend, _) = sheet(folder.path(), "ranger.x", more)?;
        let cells = legend["cells"].as_array().unwrap();
        assert_eq!(cells.len(), 12);
        assert_eq!(numbers(&legend["size"]), [frame.width(), frame.height()].map(f64::from));
        let views: Vec<_> = cells.iter().map(|cell| cell["view"].as_str().unwrap()).collect();
        assert_eq!(views[..4], ["front", "right", "back", "left"]);
        let model = Model::open(asset("ranger.x"))?;
        let mut visible = 0;
        for (number, cell) in (1..).zip(cells) {
            assert_eq!(cell["number"], number);
            let posed = model.pose(cell["clip"].as_str(), cell["time_s"].as_f64().unwrap())?;
            let joints = cell["joints"].as_array().unwrap();
            assert_eq!(joints.len(), model.joints().len());
            for ((joint, own), matrix) in joints.iter().zip(model.joints()).zip(posed.matrices()) {
                assert_eq!(joint["name"], own.name());
                let wanted = pixel_of(cell, matrix.map(|row| f64::from(row[3])));
                let found: [f64; 2] = numbers(&joint["pixel"]);
                let far = (0..2).any(|k| (found[k] - wanted[k]).abs() > 0.01);
                assert!(!far, "{number} {joint} {wanted:?}");
                visible += usize::from(joint["visible"] == true);
            }
            let picture = frame_of(cell, "picture");
            let pixels = cell["parts"].as_array().unwrap().iter().map(|part| {
                let [left, top, right, bottom] = frame_of(part, "box");
                assert!(left >= picture[0] && right <= picture[2], "{part}");
                assert!(top >= picture[1] && bottom <= picture[3], "{part}");
                let shown = part["visible_pixels"].as_f64().unwrap();
                assert!(shown <= (right - left + 2.0) * (bottom - top + 2.0), "{part}");
                shown
            });
            let all: f64 = pixels.sum();
            assert!(all > 2000.0 && all < 256.0 * 256.0 / 2.0, "{all} pixels show the model");
        }
        assert!(visible < cells.len() * model.joints().len() / 2, "{visible} joints are inside");
    }
    Ok(())
}

/// A box whose root joint is at its centre, with a joint in the middle of its front face, one
/// behind its back face and one beside it.
#[trial]
fn joints_inside_and_behind_are_hidden_and_those_on_the_surface_are_not() -> Outcome {
    let folder = TempDir::new()?;
    fs::write(folder.path().join("cube.gltf"), cube(1.0))?;
    let output = tintype(folder.path(), &["turntable", "cube.gltf", "--contact-sheet", "c.png"]);
    wanted(output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())?;
    let legend: Value = serde_json::from_slice(&fs::read(folder.path().join("c.json"))?)?;
    let cells = legend["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 4, "one moment of a model without clips");
    let seen = |view: &str| {
        let cell = cells.iter().find(|cell| cell["view"] == view).unwrap();
        ["middle", "on_front", "behind", "beside"].map(|name| {
            let joints = cell["joints"].as_array().unwrap();
            let joint = joints.iter().find(|joint| joint["name"] == name).unwrap();
            (joint["visible"] == true, joint["behind"].as_f64().map(|far| (far * 100.0).round()))
        })
    };
    assert_eq!(
        seen("front"),
        [(false, Some(100.0)), (true, Some(0.0)), (false, Some(300.0)), (true, None)]
    );
    assert_eq!(
        seen("back"),
        [(false, Some(100.0)), (false, Some(200.0)), (true, Some(0.0)), (true, None)]
    );
    assert_eq!(seen("left")[2], (false, None), "beside the picture");
    // The bar has the stated length: the box is 2 units wide.
    let bar = &legend["scale_bar"];
    let unit = bar["pixels"].as_f64().unwrap() / bar["length"].as_f64().unwrap();
    let width = cells[0]["parts"][0]["box"][2].as_f64().unwrap();
    assert!((width - 2.0 * unit).abs() < 0.01, "{width} {unit}");
    Ok(())
}

/// A cube of 2 units around a joint, as glTF; its last corner may be moved along x.
fn cube(last: f32) -> String {
    cube_with_clips(last, 0)
}

/// The same with some clips, in which the cube moves as far along x as that corner lies.
fn cube_with_clips(last: f32, clips: usize) -> String {
    let corner = |k: usize| [0, 1, 2].map(|bit| if k >> bit & 1 == 1 { 1.0_f32 } else { -1.0 });
    let mut corners: Vec<f32> = (0..8).flat_map(corner).collect();
    corners[21] = last;
    let mut bytes: Vec<u8> = corners.into_iter().flat_map(f32::to_le_bytes).collect();
    let faces: [u16; 36] = [
        4, 5, 7, 4, 7, 6, 1, 0, 2, 1, 2, 3, 5, 1, 3, 5, 3, 7, 0, 4, 6, 0, 6, 2, 6, 7, 3, 6, 3, 2,
        0, 1, 5, 0, 5, 4,
    ];
    bytes.extend(faces.into_iter().flat_map(u16::to_le_bytes));
    bytes.extend([0_u8; 32]);
    bytes.extend((0..8).flat_map(|_| [1.0_f32, 0.0, 0.0, 0.0]).flat_map(f32::to_le_bytes));
    bytes.extend(
        [0.0, 1.0, 0.0, 0.0, 0.0, last, 0.0, 0.0_f32].into_iter().flat_map(f32::to_le_bytes),
    );
    let data = data_uri(&bytes);
    let clip = |number: usize| {
        serde_json::json!({
            "name": format!("clip {number}"), "samplers": [{"input": 4, "output": 5}],
            "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}],
        })
    };
    let clips: Vec<Value> = (0..clips).map(clip).collect();
    serde_json::json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [
            {"mesh": 0, "skin": 0}, {"name": "middle", "children": [2, 3, 4]},
            {"name": "on_front", "translation": [0, 0, 1]}, {"name": "behind", "translation": [0, 0, -2]},
            {"name": "beside", "translation": [1.04, 0, 0]},
        ],
        "skins": [{"joints": [1, 2, 3, 4]}], "animations": clips,
        "meshes": [{"name": "cube", "primitives": [{
            "attributes": {"POSITION": 0, "JOINTS_0": 2, "WEIGHTS_0": 3}, "indices": 1}]}],
        "buffers": [{"byteLength": bytes.len(), "uri": data}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 96}, {"buffer": 0, "byteOffset": 96, "byteLength": 72},
            {"buffer": 0, "byteOffset": 168, "byteLength": 32}, {"buffer": 0, "byteOffset": 200, "byteLength": 128},
            {"buffer": 0, "byteOffset": 328, "byteLength": 8}, {"buffer": 0, "byteOffset": 336, "byteLength": 24},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3", "min": [-1, -1, -1], "max": [if last > 1.0 { last } else { 1.0 }, 1, 1]},
            {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"},
            {"bufferView": 2, "componentType": 5121, "count": 8, "type": "VEC4"},
            {"bufferView": 3, "componentType": 5126, "count": 8, "type": "VEC4"},
            {"bufferView": 4, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
            {"bufferView": 5, "componentType": 5126, "count": 2, "type": "VEC3"},
        ],
    })
    .to_string()
}

fn data_uri(bytes: &[u8]) -> String {
    use base64::Engine as _;
    let text = base64::engine::general_purpose::STANDARD.encode(bytes);
    format!("data:application/octet-stream;base64,{text}")
}

#[trial]
fn sheets_have_the_same_bytes_on_every_number_of_threads() -> Outcome {
    let more = ["--clip", "idle", "--clip", "walk", "--views", "3", "--moments", "2", "-s", "128"];
    let drawn = ["1", "4"].map(|threads| {
        let folder = TempDir::new().unwrap();
        let (_, legend, text) =
            sheet(folder.path(), "ranger.x", &[&more[..], &["-j", threads]].concat()).unwrap();
        (fs::read(folder.path().join("s.png")).unwrap(), text, legend)
    });
    wanted(drawn[0].0 == drawn[1].0 && drawn[0].1 == drawn[1].1, "other bytes")?;
    let cells = drawn[0].2["cells"].as_array().unwrap();
    let clips: Vec<_> = cells.iter().map(|cell| cell["clip"].as_str().unwrap()).collect();
    assert_eq!(clips, [["idle"; 6], ["walk"; 6]].concat());
    let folder = TempDir::new()?;
    let (_, all, _) = sheet(folder.path(), "ranger.x", &["--clip", "all", "-n", "1", "-s", "128"])?;
    let clips = Model::open(asset("ranger.x"))?.clips().count();
    assert_eq!(all["cells"].as_array().unwrap().len(), 4 * clips);
    Ok(())
}

#[trial(with_python)]
fn legends_are_as_the_schema_says(python: &PathBuf) -> Outcome {
    let folder = TempDir::new()?;
    let mut texts = Vec::new();
    for (model, more) in [
        ("ranger.x", &["-n", "1"][..]),
        ("globe.md5mesh", &["--projection", "perspective"]),
        ("scarab.md5mesh", &["--clip", "all", "-n", "1", "-s", "128", "--view", "dimetric"]),
    ] {
        texts.push(sheet(folder.path(), model, more)?.2);
    }
    texts.push(texts[0].replacen("\"visible\"", "\"visibel\"", 1));
    let said = errors(python, SCHEMA, &texts)?;
    wanted(said[..3].iter().all(String::is_empty), said[..3].concat())?;
    wanted(!said[3].is_empty(), "a wrong legend passes")
}

#[trial]
fn sheets_that_cannot_be_are_refused() -> Outcome {
    let folder = TempDir::new()?;
    let (ranger, globe) = (asset("ranger.x"), asset("globe.md5mesh"));
    for (arguments, says) in [
        (
            &[ranger.as_str(), "--contact-sheet", "s.gif"][..],
            "--contact-sheet s.gif: expected a name ending in .png",
        ),
        (
            &[&ranger, "--contact-sheet", "s.png", "-s", "64"],
            "too narrow for a caption; the minimum is 128",
        ),
        (&[&ranger, "--contact-sheet", "s.png", "--views", "17"], "limit of 4096 pixels per side"),
        (&[&ranger, "--contact-sheet", "s.png", "-n", "40"], "ask for fewer views, times or clips"),
        (&[&ranger, "--contact-sheet", "s.png", "--clip", "wlak"], "did you mean \"walk\"?"),
        (&[&ranger, "--contact-sheet", "s.png", "-o", "out"], "cannot be used with"),
        (&[&ranger, "--contact-sheet", "s.png", "--aov", "depth"], "cannot be used with"),
        (&[&ranger, "--contact-sheet", "s.png", "--channels", "depth"], "cannot be used with"),
        (&[&ranger, &globe, "--contact-sheet", "s.png"], "--contact-sheet works with one model"),
        (
            &[&ranger, "--clip", "idle", "--clip", "walk"],
            "only one clip plays; use --contact-sheet to show several",
        ),
    ] {
        let output = tintype(folder.path(), &[&["turntable"], arguments].concat());
        let text = String::from_utf8_lossy(&output.stderr);
        let is_refused = output.status.code() == Some(2) && text.contains(says);
        wanted(is_refused, format!("{arguments:?}: not {says:?}\n{text}"))?;
    }
    wanted(fs::read_dir(folder.path())?.next().is_none(), "a file of what was refused")
}

const DIFF_SCHEMA: &str = include_str!("../../crates/compare/src/character/diff-sheet.schema.json");

#[trial]
fn sheets_of_two_models_outline_what_differs_on_both_sides() -> Outcome {
    let folder = TempDir::new()?;
    let path = |name: &str| folder.path().join(name);
    fs::write(path("old.gltf"), cube(1.0))?;
    fs::write(path("new.gltf"), cube(1.3))?;
    let diff = |more: &[&str]| {
        tintype(
            folder.path(),
            &[&["diff", "old.gltf", "new.gltf", "--contact-sheet"], more].concat(),
        )
    };
    for threads in ["1", "4"] {
        let output = diff(&[&format!("{threads}.png"), "-j", threads]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        wanted(output.status.code() == Some(1), said)?;
    }
    for kind in ["png", "json"] {
        let [one, four] = ["1", "4"].map(|name| fs::read(path(&format!("{name}.{kind}"))).unwrap());
        wanted(one == four, "other bytes")?;
    }
    let frame = Frame::open(path("1.png"))?;
    let text = fs::read_to_string(path("1.json"))?;
    let legend: Value = serde_json::from_str(&text)?;
    let [row] = legend["rows"].as_array().unwrap().as_slice() else { return Err("rows".into()) };
    assert_eq!(
        (&legend["before"], &row["findings"][0]["kind"]),
        (&"old.gltf".into(), &"deformed".into())
    );
    let [before, after] = row["cells"].as_array().unwrap().as_slice() else {
        return Err("cells".into());
    };
    assert_eq!([&before["side"], &after["side"]], ["before", "after"]);
    let pictures = [before, after].map(|cell| frame_of(cell, "picture").map(|at| at as u32));
    let regions = [before, after].map(|cell| {
        let all = cell["regions"].as_array().unwrap();
        let own = pictures[usize::from(cell["side"] == "after")];
        let one = |region: &Value| {
            let [left, top, width, height] = numbers(region).map(|at| at as u32);
            [left - own[0], top - own[1], width, height]
        };
        all.iter().map(one).collect::<Vec<_>>()
    });
    wanted(!regions[0].is_empty() && regions[0] == regions[1], format!("{regions:?}"))?;
    // Outside the outlines, both sides show the same.
    let [left, top, right, bottom] = pictures[0];
    let mut same = 0;
    for (x, y) in (0..bottom - top).flat_map(|y| (0..right - left).map(move |x| (x, y))) {
        let is_in = |&[rx, ry, width, height]: &[u32; 4]| {
            (rx..rx + width).contains(&x) && (ry..ry + height).contains(&y)
        };
        if !regions[0].iter().any(is_in) {
            let [a, b] = pictures.map(|own| frame.pixel(own[0] + x, own[1] + y));
            let far = (0..4).any(|k| a[k].abs_diff(b[k]) >= 8);
            wanted(!far, format!("{x} {y}: {a:?} {b:?}"))?;
            same += 1;
        }
    }
    wanted(same > 20_000, format!("{same} pixels are outside"))?;
    let Some(python) = crate::json_schema::python() else { return Ok(()) };
    let said =
        errors(&python, DIFF_SCHEMA, &[text.clone(), text.replacen("\"side\"", "\"sid\"", 1)])?;
    wanted(said[0].is_empty() && !said[1].is_empty(), said.concat())
}

/// Ten rows are drawn, and the findings of the others are in the legend.
#[trial]
fn sheets_of_many_clips_that_differ_hold_those_that_find_room() -> Outcome {
    let folder = TempDir::new()?;
    fs::write(folder.path().join("old.gltf"), cube_with_clips(1.0, 12))?;
    fs::write(folder.path().join("new.gltf"), cube_with_clips(1.3, 12))?;
    let words = ["diff", "old.gltf", "new.gltf", "--contact-sheet", "s.png"];
    let output = tintype(folder.path(), &words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    wanted(output.status.code() == Some(1), said)?;
    let legend: Value = serde_json::from_slice(&fs::read(folder.path().join("s.json"))?)?;
    let rows = legend["rows"].as_array().unwrap();
    let cells = rows.iter().map(|row| row["cells"].as_array().unwrap().len());
    assert_eq!(cells.collect::<Vec<_>>(), [[2; 10].as_slice(), &[0; 3]].concat());
    assert!(rows.iter().all(|row| row["findings"][0]["text"].is_string()));
    assert_eq!(rows[9]["cells"][1]["number"], 20);
    let height = Frame::open(folder.path().join("s.png"))?.height();
    wanted((3200..=4096).contains(&height), format!("{height} pixels high"))
}

#[trial]
fn sheets_of_what_is_the_same_and_of_no_models_are_not_written() -> Outcome {
    let folder = TempDir::new()?;
    fs::write(folder.path().join("old.gltf"), cube(1.0))?;
    for (arguments, code, says) in [
        (
            &["old.gltf", "old.gltf", "--contact-sheet", "s.png"][..],
            0,
            "s.png was not written: no picture differs",
        ),
        (
            &["old.gltf", "old.gltf", "--contact-sheet", "s"],
            2,
            "--contact-sheet s: expected a name ending in .png",
        ),
        (
            &["old.gltf", "old.gltf", "--contact-sheet", "s.png", "--clip", "bind"],
            2,
            "needs two models",
        ),
        (&[".", ".", "--contact-sheet", "s.png"], 2, "needs two models"),
    ] {
        let output = tintype(folder.path(), &[&["diff"], arguments].concat());
        let text = String::from_utf8_lossy(&output.stderr);
        let is_so = output.status.code() == Some(code) && text.contains(says);
        wanted(is_so, format!("{arguments:?}: not {says:?}\n{text}"))?;
    }
    wanted(fs::read_dir(folder.path())?.count() == 1, "a sheet was written")
}
