//! `.x` models against counts by an independent reader; posed ones against an `f64` reader without
//! common code, and against Assimp, skinned here from its export.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "indices and cells are small"
)]

use crate::cloud::{Point, diagonal, distance};
use crate::held::Held;
use crate::reference::assimp;
use crate::reference::x::Reading;
use crate::support::{cannot_run, outside, trials};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use tintype_formats::{LoadOptions, x};
use tintype_model::{Pose, Wrap};
use tintype_model::{pose, skin};

/// Maximum distance between a vertex of the reference and ours, as a fraction of the diagonal.
const REFERENCE_SHARE: f64 = 1.0e-6;
/// Maximum distance between the vertices of Assimp's export and ours, as a fraction of the
/// diagonal.
const ASSIMP_SHARE: f64 = 1.0e-4;

/// Files that Assimp reads differently; if the reference reads them in that way too, they agree.
const READ_OTHERWISE: [(&str, Reading); 5] = [
    // It leaves out the weights of two bones without a frame.
    ("anim_test.x", Reading { keeps_lost_bones: false, ..Reading::OURS }),
    // It takes keys of a length other than 1 through a matrix.
    ("character.x", Reading { normalizes_turns: false, ..Reading::OURS }),
    ("mobs_oerkki.x", Reading { normalizes_turns: false, ..Reading::OURS }),
    ("mobs_sand_monster.x", Reading { normalizes_turns: false, ..Reading::OURS }),
    // It drops the matrix of an unnamed frame within an animated one.
    ("tiny_4anim.x", Reading { keeps_unnamed: false, ..Reading::OURS }),
];
fn load(path: &Path) -> Result<x::XModel, Failed> {
    Ok(x::parse_model(&crate::support::read(path)?, None, &LoadOptions::default())?.value)
}

/// Positions of all vertices of triangles, and the maximum distance that counts as equal.
fn posed(file: &x::XModel, pose: &Pose) -> Vec<Point> {
    let matrices = skin::SkinMatrices::new(pose);
    let mut points = Vec::new();
    for mesh in &file.model.meshes {
        let posed = skin::skin_mesh(mesh, &matrices);
        let used: HashSet<u32> = mesh.triangles.iter().flatten().copied().collect();
        let mut used: Vec<u32> = used.into_iter().collect();
        used.sort_unstable();
        points
            .extend(used.iter().map(|&v| posed.position_at(v as usize).to_array().map(f64::from)));
    }
    points
}

fn counts_agree(path: &Path, line: &str) -> Result<(), Failed> {
    let mut numbers = line.split_whitespace().skip(1).map(str::parse::<usize>);
    let mut next = || numbers.next().unwrap().unwrap();
    let [frames, meshes, vertices, _faces, triangles] = [0; 5].map(|_: i32| next());
    let [_bones, influences, sets, animations] = [0; 4].map(|_: i32| next());
    let file = load(path)?;
    let model = &file.model;
    let sum = |count: fn(&tintype_model::Mesh) -> usize| -> usize {
        model.meshes.iter().map(count).sum()
    };
    let outside = usize::from(model.skeleton.len() > frames);
    let mut pairs = vec![
        ("joints", model.skeleton.len() - outside, frames),
        ("triangles", sum(|mesh| mesh.triangles.len()), triangles),
        ("sets", file.clips.len(), sets),
        ("animations", file.clips.iter().map(|c| c.clip.joints.len()).sum(), animations),
    ];
    if model.meshes.len() == meshes {
        // Meshes of one material keep all vertices of the file, in order.
        pairs.push(("vertices", sum(tintype_model::Mesh::file_vertex_count), vertices));
        pairs.push((
            "influences",
            sum(|mesh| (0..mesh.file_vertex_count()).map(|v| mesh.influences_of(v).len()).sum()),
            influences,
        ));
    } else if model.meshes.len() < meshes {
        return Err(format!("{} meshes, not {meshes} or more", model.meshes.len()).into());
    }
    for (what, ours, theirs) in pairs {
        if ours != theirs {
            return Err(format!("{ours} {what}, not {theirs}").into());
        }
    }
    Ok(())
}

/// Each vertex of the file at the same position in the program and the reference: at rest, and five
/// times in each set.
fn agrees_with_reference(path: &Path) -> Result<(), Failed> {
    let theirs = crate::reference::x::File::read(&crate::support::read(path)?);
    let ours = load(path)?;
    if ours.clips.len() != theirs.sets.len() {
        return Err(format!("{} sets, not {}", ours.clips.len(), theirs.sets.len()).into());
    }
    let mut moments = vec![(bind(&ours), None)];
    for (index, (set, named)) in theirs.sets.iter().zip(&ours.clips).enumerate() {
        if named.clip.key_count() == 0 {
            continue;
        }
        for step in 0..5 {
            let share = f64::from(step) / 4.37;
            let tick = set.first_tick + (set.last_tick - set.first_tick) * share;
            moments.push((sampled(&ours, &named.clip, share)?, Some((index, tick))));
        }
    }
    let mut worst = 0.0_f64;
    for (pose, motion) in moments {
        let expected = theirs.posed(motion, Reading::OURS);
        let used = used(&theirs, &expected);
        let size = diagonal(&used);
        let matrices = skin::SkinMatrices::new(&pose);
        if ours.model.meshes.len() == expected.len() {
            // Vertex by vertex: meshes of one material keep the file's vertices, in order.
            for (mesh, expected) in ours.model.meshes.iter().zip(&expected) {
                let posed = skin::skin_mesh(mesh, &matrices);
                if mesh.file_vertex_count() != expected.len() {
                    return Err("a mesh has other vertices".into());
                }
                for (vertex, &expected) in expected.iter().enumerate() {
                    let found = posed.position_at(vertex).to_array().map(f64::from);
                    worst = worst.at_least(distance(found, expected) / size);
                }
            }
        } else {
            let found = posed(&ours, &pose);
            for (whose, from, to) in [("ours", &found, &used), ("theirs", &used, &found)] {
                if let Some(point) = lonely(from, to, size * REFERENCE_SHARE) {
                    return Err(format!("{motion:?}: {point:?} of {whose} is alone").into());
                }
            }
        }
        if worst > REFERENCE_SHARE {
            return Err(format!("{motion:?}: a vertex is {worst:e} of the diagonal off").into());
        }
    }
    Ok(())
}

fn bind(file: &x::XModel) -> Pose {
    pose::bind_pose(&file.model.skeleton)
}

/// Every vertex and key of the files is the same: texts may be rounded otherwise than binary
/// floats.
fn same_model(first: &Path, other: &Path) -> Result<(), Failed> {
    let (a, b) = (load(first)?, load(other)?);
    let poses = |file: &x::XModel| -> Result<Vec<Vec<Point>>, Failed> {
        let mut all = vec![posed(file, &pose::bind_pose(&file.model.skeleton))];
        for named in &file.clips {
            for step in 0..5 {
                all.push(posed(file, &sampled(file, &named.clip, f64::from(step) / 4.37)?));
            }
        }
        Ok(all)
    };
    let (a, b) = (poses(&a)?, poses(&b)?);
    if a.len() != b.len() || a.first().is_none_or(Vec::is_empty) {
        return Err("the files have other clips, or no vertex".into());
    }
    for (a, b) in a.iter().zip(&b) {
        let limit = diagonal(a) * 1e-5;
        if a.len() != b.len() || a.iter().zip(b).any(|(a, b)| distance(*a, *b) > limit) {
            return Err("a vertex is elsewhere".into());
        }
    }
    Ok(())
}

fn sampled(file: &x::XModel, clip: &tintype_model::Clip, share: f64) -> Result<Pose, Failed> {
    let (binding, _) = pose::bind_clip(&file.model.skeleton, &file.model.meshes, clip)?;
    let moment = pose::wrap_time(clip, (clip.end_s - clip.start_s) * share, Wrap::Clamp);
    Ok(pose::sample_clip(&file.model.skeleton, clip, &binding, moment))
}

/// The first point of `from` without a point of `to` within `limit`.
fn lonely(from: &[Point], to: &[Point], limit: f64) -> Option<Point> {
    let cell = |point: Point| point.map(|at| (at / limit).floor() as i64);
    let mut cells: HashMap<[i64; 3], Vec<Point>> = HashMap::new();
    for &point in to {
        cells.entry(cell(point)).or_default().push(point);
    }
    from.iter().copied().find(|&point| {
        let [x, y, z] = cell(point);
        !(0..27).any(|n| {
            let near = [x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1];
            let near = cells.get(&near).map_or(&[][..], Vec::as_slice);
            near.iter().any(|&other| distance(point, other) <= limit)
        })
    })
}

fn agrees_with_assimp(program: &Path, path: &Path) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let out = folder.path().join("out.json");
    let run = Command::new(program).arg("export").arg(path).arg(&out).arg("-fassjson").output()?;
    if !run.status.success() || !out.is_file() {
        return Err(format!("assimp: {}", String::from_utf8_lossy(&run.stdout)).into());
    }
    let scene: Value = serde_json::from_slice(&crate::support::read(&out)?)?;
    let bytes = crate::support::read(path)?;
    let file = load(path)?;
    let name = path.file_name().and_then(|name| name.to_str()).unwrap();
    let reading = READ_OTHERWISE.iter().find(|known| known.0 == name).map(|known| known.1);
    let read_otherwise = reading.map(|reading| (crate::reference::x::File::read(&bytes), reading));
    // Ours, or the reference's where Assimp reads otherwise; that ours are the reference's is
    // another trial.
    let points = |pose: &Pose, motion: Option<(usize, f64)>| match &read_otherwise {
        None => posed(&file, pose),
        Some((file, reading)) => used(file, &file.posed(motion, *reading)),
    };
    let compare = |what: String, ours: &[Point], theirs: &[Point]| -> Result<(), Failed> {
        if ours.is_empty() {
            return Err(format!("{what}: no vertices").into());
        }
        let limit = diagonal(theirs) * ASSIMP_SHARE;
        for (whose, from, to) in [("ours", ours, theirs), ("theirs", theirs, ours)] {
            if let Some(point) = lonely(from, to, limit) {
                return Err(format!("{what}: {point:?} of {whose} is farther than {limit}").into());
            }
        }
        Ok(())
    };
    compare("rest".into(), &points(&bind(&file), None), &assimp::points(&scene, None))?;
    let animations = assimp::list(&scene, "animations");
    if animations.len() != file.clips.len() {
        return Err(format!("{} sets, not {}", file.clips.len(), animations.len()).into());
    }
    for (index, (animation, named)) in animations.iter().zip(&file.clips).enumerate() {
        for step in 0..5 {
            let moment = f64::from(step) / 4.37;
            let clip = &named.clip;
            let ticks = file.ticks.per_second;
            let tick = (clip.start_s + (clip.end_s - clip.start_s) * moment) * ticks;
            let ours = points(&sampled(&file, clip, moment)?, Some((index, tick)));
            let theirs = assimp::points(&scene, Some((animation, tick)));
            compare(format!("{} at tick {tick}", named.name), &ours, &theirs)?;
        }
    }
    Ok(())
}

/// The vertices that faces have.
fn used(file: &crate::reference::x::File, points: &[Vec<Point>]) -> Vec<Point> {
    let meshes = points.iter().zip(&file.meshes);
    meshes
        .flat_map(|(points, mesh)| points.iter().zip(&mesh.is_used))
        .filter_map(|(point, used)| used.then_some(*point))
        .collect()
}

fn weight_is_told_with_its_line(path: &Path) -> Result<(), Failed> {
    let bytes = crate::support::read(path)?;
    let warnings = x::parse_model(&bytes, None, &LoadOptions::default())?.warnings;
    let is_told = |one: &tintype_model::Warning| one.line == 244 && one.message.contains("1000000");
    if warnings.iter().any(is_told) { Ok(()) } else { Err(format!("{warnings:?}").into()) }
}

/// True if a file is a sound `.x` file with vertices.
fn is_sound(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    !["empty.x", "malformed_skinweights_oob.x", "scene.x"].contains(&name)
}

/// True if Assimp reads a file correctly: it mixes up weights when it splits a mesh of more than
/// 65,535 vertices.
fn is_for_assimp(path: &Path) -> bool {
    path.file_name().is_none_or(|name| name != "bat.x")
}

/// The trials that compare a file with the reference and, if it can read it, with Assimp.
fn pose_trials(assimp: Option<&PathBuf>, name: &str, path: &Path, trials: &mut Vec<Trial>) {
    let own = path.to_path_buf();
    trials.push(Trial::test(format!("{name} poses_agree_with_reference"), move || {
        agrees_with_reference(&own)
    }));
    if !is_for_assimp(path) {
        return;
    }
    let (title, path) = (format!("{name} poses_agree_with_assimp"), path.to_path_buf());
    trials.push(match assimp.cloned() {
        Some(assimp) => Trial::test(title, move || agrees_with_assimp(&assimp, &path)),
        None => cannot_run(title, "there is no `assimp` on the PATH"),
    });
}

#[trials]
fn of_each_file() -> Result<Vec<Trial>, String> {
    let assimp = crate::support::program("assimp");
    let shipped = Path::new(env!("WORKSPACE_ROOT")).join("scenes/assets");
    let mut trials = Vec::new();
    for name in ["ranger.x", "ranger_bin.x", "ranger_bzip.x", "stand.x"] {
        pose_trials(assimp.as_ref(), name, &shipped.join(name), &mut trials);
    }
    let Some(folder) = crate::support::models_dir() else {
        let missing = "TINTYPE_MODELS is not set";
        for name in ["counts_agree", "poses_agree_with_reference", "poses_agree_with_assimp"] {
            trials.push(outside(cannot_run(format!("x_{name}"), missing)));
        }
        return Ok(trials);
    };
    let own = trials.len();
    let folder = folder.join("x");
    let table = include_str!("../reference/x_counts.txt");
    let lines: Vec<&str> = table.lines().filter(|line| !line.starts_with('#')).collect();
    let named = |line: &str| line.split_whitespace().next().unwrap_or_default().to_owned();
    for line in &lines {
        let (name, line) = (named(line), (*line).to_owned());
        let path = folder.join(&name);
        trials
            .push(Trial::test(format!("{name} counts_agree"), move || counts_agree(&path, &line)));
    }
    for path in crate::support::files(&folder, &["x"])? {
        let name = path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
        if !lines.iter().any(|line| named(line) == name) && is_sound(&path) {
            return Err(format!("{name} is not in the table of counts"));
        }
        if !is_sound(&path) {
            continue;
        }
        pose_trials(assimp.as_ref(), &name, &path, &mut trials);
    }
    for (first, others) in [
        (
            "assimp/test_cube_text.x",
            &["assimp/test_cube_binary.x", "assimp/test_cube_compressed.x"][..],
        ),
        (
            "assimp/test_cube_text.x",
            &[
                "synthetic/testcube_bin32.x",
                "synthetic/testcube_bin64.x",
                "synthetic/testcube_bzip32.x",
                "synthetic/testcube_bzip64.x",
                "synthetic/testcube_tzip.x",
            ],
        ),
        (
            "ms/tiny/tiny.x",
            &[
                "synthetic/tiny_bin32.x",
                "synthetic/tiny_bin64.x",
                "synthetic/tiny_bzip32.x",
                "synthetic/tiny_bzip64.x",
                "synthetic/tiny_tzip.x",
            ],
        ),
        (
            "assimp/Testwuson.X",
            &[
                "synthetic/wuson_bin32.x",
                "synthetic/wuson_bin64.x",
                "synthetic/wuson_bzip32.x",
                "synthetic/wuson_bzip64.x",
                "synthetic/wuson_tzip.x",
            ],
        ),
    ] {
        for other in others {
            let pair: [PathBuf; 2] = [folder.join(first), folder.join(other)];
            trials.push(Trial::test(format!("{other} is_the_same_as {first}"), move || {
                same_model(&pair[0], &pair[1])
            }));
        }
    }
    let path = folder.join("assimp/malformed_skinweights_oob.x");
    trials
        .push(Trial::test("malformed_skinweights_oob.x weight_is_told_with_its_line", move || {
            weight_is_told_with_its_line(&path)
        }));
    let shared = trials.split_off(own);
    trials.extend(shared.into_iter().map(outside));
    Ok(trials)
}
