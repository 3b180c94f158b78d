//! glTF models: every vertex of every clip against three.js, and vertices of more than four
//! influences against an `f64` reader.

use crate::cloud::{Point, diagonal, distance};
use crate::held::Held;
use crate::support::{cannot_run, outside, trial, trials, with_models};
use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tintype_formats::LoadOptions;
use tintype_formats::gltf::{GltfError, GltfModel};
use tintype_model::Pose;
use tintype_model::{pose, skin};
use tintype_render::asset::load_gltf;

/// Maximum distance between a vertex of three.js and ours, as a fraction of the diagonal.
const SHARE: f64 = 1.0e-5;
/// Weights that all morph targets get at once.
const EXTREMES: [f64; 4] = [0.0, 1.0, -0.5, 2.5];
/// Models that three.js poses otherwise, and why the difference is its own.
const READ_OTHERWISE: [(&str, &str); 0] = [];

fn load(path: &Path) -> Result<GltfModel, GltfError> {
    let bytes =
        std::fs::read(path).map_err(|error| GltfError::NotGltf { found: error.to_string() })?;
    Ok(load_gltf(&bytes, path, "", &LoadOptions::default())?.loaded.value)
}

/// Vertices of all meshes as the file has them, in a pose.
fn posed(file: &GltfModel, pose: &Pose) -> Vec<Point> {
    let matrices = skin::SkinMatrices::new(pose);
    let mut points = Vec::new();
    for mesh in &file.model.meshes {
        let posed = skin::skin_mesh(mesh, &matrices);
        points.extend(
            (0..mesh.file_vertex_count())
                .map(|vertex| posed.position_at(vertex).to_array().map(f64::from)),
        );
    }
    points
}

/// Poses that are compared, each with the request for it.
fn poses(file: &GltfModel) -> Result<Vec<(Value, Pose)>, Failed> {
    let skeleton = &file.model.skeleton;
    let mut poses = Vec::new();
    for (index, named) in file.clips.iter().enumerate() {
        let clip = &named.clip;
        if clip.key_count() == 0 {
            continue;
        }
        let (binding, _) = pose::bind_clip(skeleton, &file.model.meshes, clip)?;
        for step in 0..5 {
            let time_s = clip.end_s * (f64::from(step) / 4.37).at_most(1.0);
            let pose = pose::sample_clip(skeleton, clip, &binding, time_s);
            poses.push((json!({"clip": index, "time": time_s}), pose));
        }
    }
    if !skeleton.morphs().is_empty() {
        for weight in EXTREMES {
            let mut pose = pose::bind_pose(skeleton);
            pose.morphs.fill(weight as f32);
            poses.push((json!({"weights": weight}), pose));
        }
    }
    Ok(poses)
}

/// Every vertex at five times of each clip, and at extreme weights of its morph targets.
fn agrees_with_three(node: &Path, reference: &Path, path: &Path) -> Result<(), Failed> {
    let file = load(path)?;
    let poses = poses(&file)?;
    let script = Path::new(env!("WORKSPACE_ROOT")).join("tests/reference/gltf_poses.mjs");
    let mut run = Command::new(node)
        .arg(script)
        .args([reference, path])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let requests: String = poses.iter().map(|(request, _)| format!("{request}\n")).collect();
    run.stdin.take().ok_or("no input")?.write_all(requests.as_bytes())?;
    let output = run.wait_with_output()?;
    if !output.status.success() {
        return Err(format!("node: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let answers = String::from_utf8(output.stdout)?;
    let mut answers = answers.lines();
    for (request, pose) in &poses {
        let answer: Vec<f64> = serde_json::from_str(answers.next().ok_or("an answer is missing")?)?;
        let theirs: Vec<Point> = answer.chunks_exact(3).map(|at| [at[0], at[1], at[2]]).collect();
        let ours = posed(&file, pose);
        if ours.is_empty() || ours.len() > theirs.len() {
            return Err(format!("{} vertices, not {}", ours.len(), theirs.len()).into());
        }
        let size = diagonal(&theirs);
        // Of a list used by several meshes, each keeps those that it names, in their order.
        let mut spare = theirs.len() - ours.len();
        let mut theirs = theirs.iter();
        for (vertex, found) in ours.iter().enumerate() {
            loop {
                let expected = theirs.next().ok_or("a vertex too many")?;
                let off = distance(*found, *expected);
                if off <= size * SHARE {
                    break;
                }
                if spare == 0 {
                    return Err(format!(
                        "{request}: vertex {vertex} is {:e} of the diagonal off: {found:?}, not {expected:?}",
                        off / size
                    )
                    .into());
                }
                spare -= 1;
            }
        }
    }
    Ok(())
}

/// A matrix of a file, column by column.
type Matrix = [f64; 16];

fn times(a: Matrix, b: Matrix) -> Matrix {
    std::array::from_fn(|at| (0..4).map(|k| a[4 * k + at % 4] * b[at / 4 * 4 + k]).sum())
}

/// The transform of a node on its parent, from its matrix or its parts.
fn local(node: &Value) -> Matrix {
    let numbers = |key: &str, usual: &[f64]| -> Vec<f64> {
        let given = node[key].as_array();
        given.map_or_else(|| usual.to_vec(), |all| all.iter().filter_map(Value::as_f64).collect())
    };
    if node["matrix"].is_array() {
        return numbers("matrix", &[]).try_into().unwrap_or([0.0; 16]);
    }
    let (t, r, s) = (
        numbers("translation", &[0.0; 3]),
        numbers("rotation", &[0.0, 0.0, 0.0, 1.0]),
        numbers("scale", &[1.0; 3]),
    );
    let (x, y, z, w) = (r[0], r[1], r[2], r[3]);
    let turn = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
        [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
        [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
    ];
    let mut matrix = [0.0; 16];
    for column in 0..3 {
        for row in 0..3 {
            matrix[4 * column + row] = turn[column][row] * s[column];
        }
        matrix[12 + column] = t[column];
    }
    matrix[15] = 1.0;
    matrix
}

/// Numbers of an accessor without stride, sparse elements or normalisation.
fn numbers(document: &Value, buffer: &[u8], accessor: &Value) -> Vec<f64> {
    let accessor = &document["accessors"][accessor.as_u64().unwrap() as usize];
    let view = &document["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let at = |value: &Value| value["byteOffset"].as_u64().unwrap_or(0) as usize;
    let width = match accessor["type"].as_str().unwrap() {
        "VEC3" => 3,
        "VEC4" => 4,
        _ => 16,
    };
    let count = accessor["count"].as_u64().unwrap() as usize * width;
    let from = at(accessor) + at(view);
    (0..count)
        .map(|k| match accessor["componentType"].as_u64().unwrap() {
            5121 => f64::from(buffer[from + k]),
            5123 => f64::from(u16::from_le_bytes([buffer[from + 2 * k], buffer[from + 2 * k + 1]])),
            _ => {
                let four = &buffer[from + 4 * k..from + 4 * k + 4];
                f64::from(f32::from_le_bytes(four.try_into().unwrap()))
            }
        })
        .collect()
}

/// Vertices with up to eight influences, at their `f64` positions.
fn all_influences_count(path: &Path) -> Result<(), Failed> {
    let bytes = crate::support::read(path)?;
    let length = u32::from_le_bytes(bytes[12..16].try_into()?) as usize;
    let document: Value = serde_json::from_slice(&bytes[20..20 + length])?;
    let buffer = &bytes[28 + length..];
    let nodes = document["nodes"].as_array().ok_or("no nodes")?;
    let mut world: Vec<Matrix> = nodes.iter().map(local).collect();
    let parent = |child: usize| {
        nodes.iter().position(|node| {
            node["children"]
                .as_array()
                .is_some_and(|all| all.iter().any(|one| one.as_u64() == Some(child as u64)))
        })
    };
    for (node, world) in world.iter_mut().enumerate() {
        let mut above = parent(node);
        while let Some(index) = above {
            *world = times(local(&nodes[index]), *world);
            above = parent(index);
        }
    }
    let node = nodes.iter().find(|node| node["skin"].is_u64()).ok_or("no skin")?;
    let index = |value: &Value| value.as_u64().unwrap_or(0) as usize;
    let skin = &document["skins"][index(&node["skin"])];
    let inverse = numbers(&document, buffer, &skin["inverseBindMatrices"]);
    let joints = skin["joints"].as_array().ok_or("no joints")?;
    let carried: Vec<Matrix> = joints
        .iter()
        .zip(inverse.chunks_exact(16))
        .map(|(joint, inverse)| times(world[index(joint)], inverse.try_into().unwrap()))
        .collect();
    let mut expected: Vec<Point> = Vec::new();
    let mut most = 0;
    let primitives = document["meshes"][index(&node["mesh"])]["primitives"].as_array();
    for primitive in primitives.ok_or("no primitives")? {
        let attributes = &primitive["attributes"];
        let positions = numbers(&document, buffer, &attributes["POSITION"]);
        let sets: Vec<[Vec<f64>; 2]> = (0..)
            .map_while(|set| {
                let of = |kind: &str| attributes.get(format!("{kind}_{set}"));
                let (joints, weights) = (of("JOINTS")?, of("WEIGHTS")?);
                Some([joints, weights].map(|one| numbers(&document, buffer, one)))
            })
            .collect();
        most = most.max(sets.len() * 4);
        for (vertex, at) in positions.chunks_exact(3).enumerate() {
            let mut sum = [0.0; 3];
            let mut total = 0.0;
            for [joints, weights] in &sets {
                for k in 4 * vertex..4 * vertex + 4 {
                    let m = carried[joints[k] as usize];
                    total += weights[k];
                    for (row, sum) in sum.iter_mut().enumerate() {
                        let place =
                            m[row] * at[0] + m[4 + row] * at[1] + m[8 + row] * at[2] + m[12 + row];
                        *sum += weights[k] * place;
                    }
                }
            }
            expected.push(sum.map(|part| part / total));
        }
    }
    if most <= 4 {
        return Err("the file has no more than four influences a vertex".into());
    }
    let file = load(path)?;
    let found = posed(&file, &pose::bind_pose(&file.model.skeleton));
    let limit = diagonal(&expected) * 1.0e-6;
    let is_same = |(a, b): (&Point, &Point)| distance(*a, *b) <= limit;
    if found.len() != expected.len() || !found.iter().zip(&expected).all(is_same) {
        return Err("a vertex is elsewhere".into());
    }
    Ok(())
}

/// The folder of three.js, and node; or what is missing.
pub(crate) fn three() -> Result<(PathBuf, PathBuf), &'static str> {
    let reference = std::env::var_os("TINTYPE_REFERENCE").map(PathBuf::from);
    let reference = reference.ok_or("TINTYPE_REFERENCE is not set")?;
    if !reference.join("node_modules/three").is_dir() {
        return Err("there is no node_modules/three in TINTYPE_REFERENCE");
    }
    Ok((crate::support::program("node").ok_or("there is no `node` on the PATH")?, reference))
}

#[trial(with_models)]
fn gltf_more_than_four_influences_count(models: &Path) -> Result<(), Failed> {
    all_influences_count(&models.join("gltf/assimp/simple_skin/quad_skin.glb"))
}

#[trials]
fn of_each_file() -> Result<Vec<Trial>, String> {
    let (Some(models), Ok((node, reference))) = (crate::support::models_dir(), three()) else {
        let missing = three().err().unwrap_or("TINTYPE_MODELS is not set");
        return Ok(vec![outside(cannot_run("gltf_poses_agree_with_three", missing))]);
    };
    let folder = models.join("gltf");
    let mut trials = Vec::new();
    for path in crate::support::files(&folder, &["gltf", "glb"])? {
        let name = path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
        let is_damaged = name.contains("invalid/") || name.contains("validator");
        if is_damaged || READ_OTHERWISE.iter().any(|(known, _)| *known == name) {
            continue;
        }
        // Files without clips and targets are compared in their bind pose elsewhere.
        let Ok(file) = load(&path) else { continue };
        let is_moving = !file.clips.is_empty() || !file.model.skeleton.morphs().is_empty();
        if !is_moving || file.model.meshes.is_empty() {
            continue;
        }
        let (node, reference) = (node.clone(), reference.clone());
        trials.push(outside(Trial::test(format!("{name} poses_agree_with_three"), move || {
            agrees_with_three(&node, &reference, &path)
        })));
    }
    Ok(trials)
}
