//! Posed MD5 models against a second implementation in `f64`, and against Assimp.
//!
//! Nothing in `reference` comes from the program: it reads the files, combines the joints and skins
//! the vertices independently.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![allow(clippy::cast_precision_loss, reason = "frame counts are small")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "frame numbers are small"
)]

use crate::held::Held;
use crate::reference::md5::{self as exact, Vector, diagonal, dot, length, subtract};
use crate::reference::surface::Groups;
use crate::support::{cannot_run, outside, trials};
use libtest_mimic::{Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::Command;
use tintype_formats::{LoadOptions, md5};
use tintype_model::{Clip, Model, Pose, PosedMesh, Wrap};
use tintype_model::{pose, skin};

/// Maximum distance of a vertex from its expected position, as a fraction of the diagonal.
const POSITION_SHARE: f64 = 1.0e-4;
/// Maximum angle of a normal from the right direction.
const NORMAL_DEG: f64 = 0.1;
/// Maximum distance between Assimp's vertices and ours, as a fraction of the diagonal.
const ASSIMP_SHARE: f64 = 0.003;

/// A model read twice: by the program and by the reference.
struct Twice {
    model: Model,
    exact: exact::Model,
    groups: Vec<Groups>,
    bind_diagonal: f64,
}

fn read_twice(path: &Path) -> Result<Twice, Failed> {
    let bytes = crate::support::read(path)?;
    let model = md5::parse_mesh(&bytes, &LoadOptions::default())?.value;
    let exact = exact::Model::read(&bytes);
    let bind = exact.bind_pose();
    let mut all = Vec::new();
    let mut groups = Vec::new();
    for mesh in &exact.meshes {
        let positions = mesh.positions(&bind);
        // Fronts are clockwise in the file.
        let triangles: Vec<_> = mesh.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        groups.push(Groups::new(&triangles, &positions));
        all.extend(positions);
    }
    Ok(Twice { model, exact, groups, bind_diagonal: diagonal(&all) })
}

/// The largest differences of one pose, and the number of compared normals.
#[derive(Default)]
struct Worst {
    position_share: f64,
    normal_deg: f64,
    normals: usize,
}

impl Worst {
    fn merge(&mut self, other: &Self) {
        self.position_share = self.position_share.at_least(other.position_share);
        self.normal_deg = self.normal_deg.at_least(other.normal_deg);
        self.normals += other.normals;
    }

    fn check(&self, pose: &str) -> Result<(), Failed> {
        if self.position_share > POSITION_SHARE {
            let share = self.position_share;
            return Err(format!("{pose}: a vertex is {share:e} of the diagonal off").into());
        }
        if self.normal_deg > NORMAL_DEG {
            return Err(format!("{pose}: a normal is {} degrees off", self.normal_deg).into());
        }
        Ok(())
    }
}

fn wide(v: tintype_model::math::Vec3) -> Vector {
    v.to_array().map(f64::from)
}

fn angle_deg(a: Vector, b: Vector) -> f64 {
    let sine = length(exact::cross(a, b));
    libm::atan2(sine, dot(a, b)) * 180.0 / core::f64::consts::PI
}

/// Skins the model in `pose` and compares every vertex with the reference in `exact_pose`.
///
/// In the bind pose all normals count; in any other, those whose faces are bound to a single joint,
/// because only there does the normal of the posed triangles equal the one that a rigid joint
/// transforms.
fn compare(
    twice: &Twice,
    ours: &Pose,
    exact: &[exact::Placed],
    is_bind: bool,
) -> Result<Worst, Failed> {
    let matrices = skin::SkinMatrices::new(ours);
    let mut worst = Worst::default();
    for (index, mesh) in twice.model.meshes.iter().enumerate() {
        let (reference, groups) = (&twice.exact.meshes[index], &twice.groups[index]);
        let posed = skin::skin_mesh(mesh, &matrices);
        let positions = reference.positions(exact);
        if mesh.file_vertex_count() != positions.len() {
            return Err(
                format!("{} vertices, not {}", mesh.file_vertex_count(), positions.len()).into()
            );
        }
        for vertex in 0..posed.len() {
            let source = mesh.file_vertex(u32::try_from(vertex).unwrap()) as usize;
            let off = length(subtract(wide(posed.position_at(vertex)), positions[source]));
            worst.position_share = worst.position_share.at_least(off / twice.bind_diagonal);
            let size = length(wide(posed.normal_at(vertex)));
            if (size - 1.0).abs() > 1e-5 {
                return Err(format!("the normal of vertex {vertex} has length {size}").into());
            }
        }
        for group in &groups.groups {
            if !is_bind && !hangs_on_one_joint(reference, &groups.neighbours(group)) {
                continue;
            }
            let Some(normal) = groups.normal(group, &positions) else { continue };
            for &vertex in &group.vertices {
                let off = angle_deg(wide(posed.normal_at(vertex)), normal);
                worst.normal_deg = worst.normal_deg.at_least(off);
                worst.normals += 1;
            }
        }
    }
    Ok(worst)
}

fn hangs_on_one_joint(mesh: &exact::Mesh, vertices: &[usize]) -> bool {
    let first = vertices.first().and_then(|&vertex| mesh.only_joint(vertex));
    first.is_some() && vertices.iter().all(|&vertex| mesh.only_joint(vertex) == first)
}

/// Triangles, texture coordinates, and vertices and normals of the bind pose.
fn bind_pose_is_exact(path: &Path) -> Result<(), Failed> {
    let twice = read_twice(path)?;
    if twice.model.meshes.len() != twice.exact.meshes.len() {
        return Err("another number of meshes".into());
    }
    for (mesh, reference) in twice.model.meshes.iter().zip(&twice.exact.meshes) {
        let in_file: Vec<[usize; 3]> = mesh
            .triangles
            .iter()
            .map(|triangle| triangle.map(|vertex| mesh.file_vertex(vertex) as usize))
            .collect();
        let expected: Vec<_> = reference.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        if in_file != expected {
            return Err("the triangles are not those of the file, turned once".into());
        }
        for (ours, expected) in mesh.texcoords.iter().zip(&reference.texcoords) {
            let ours = ours.to_array().map(f64::from);
            if (ours[0] - expected[0]).abs() + (ours[1] - expected[1]).abs() > 1e-6 {
                return Err(format!("texture coordinate {ours:?}, not {expected:?}").into());
            }
        }
    }
    let worst =
        compare(&twice, &pose::bind_pose(&twice.model.skeleton), &twice.exact.bind_pose(), true)?;
    if worst.normals == 0 {
        return Err("no normal was compared".into());
    }
    worst.check("bind pose")
}

/// Five times between keys; the fourth lies in the last step of the loop, the fifth two rounds
/// later.
fn times_s(clip: &exact::Clip) -> [f64; 5] {
    let period_s = clip.period_s();
    if period_s == 0.0 {
        return [0.0, 0.1, 1.0, -2.5, 7.3];
    }
    let steps = (period_s * clip.rate_hz).round();
    let at = |share: f64, part: f64| ((steps * share).floor() + part) / clip.rate_hz;
    let last = (steps - 1.0 + 0.6) / clip.rate_hz;
    [at(0.0, 0.5), at(0.3, 0.25), at(0.55, 0.81), last, at(0.8, 0.4) + 2.0 * period_s]
}

fn clip_is_exact(twice: &Twice, clip: &Clip, exact: &exact::Clip) -> Result<Worst, Failed> {
    if (clip.period_s - exact.period_s()).abs() > 1e-12 {
        return Err(format!("period {} s, not {} s", clip.period_s, exact.period_s()).into());
    }
    let (skeleton, meshes) = (&twice.model.skeleton, &twice.model.meshes);
    let (binding, _) = pose::bind_clip(skeleton, meshes, clip)?;
    let mut worst = Worst::default();
    for time_s in times_s(exact) {
        let moment_s = pose::wrap_time(clip, time_s, Wrap::Loop);
        let ours = pose::sample_clip(skeleton, clip, &binding, moment_s);
        let expected = twice.exact.pose(exact, time_s).ok_or("the clip does not fit")?;
        let found = compare(twice, &ours, &expected, false)?;
        found.check(&format!("{time_s} s"))?;
        worst.merge(&found);
    }
    Ok(worst)
}

/// Every clip that names all joints of the model.
fn clips_are_exact(path: &Path, clips: &[PathBuf]) -> Result<(), Failed> {
    let twice = read_twice(path)?;
    let mut fitting = 0;
    for clip_path in clips {
        let bytes = crate::support::read(clip_path)?;
        let exact = exact::Clip::read(&bytes);
        if exact.frame_count() == 0 || twice.exact.pose(&exact, 0.0).is_none() {
            continue;
        }
        fitting += 1;
        let clip = md5::parse_anim(&bytes, &LoadOptions::default())?.value;
        let worst = clip_is_exact(&twice, &clip, &exact).map_err(|error| {
            format!("{}: {}", clip_path.display(), error.message().unwrap_or(""))
        })?;
        if worst.normals == 0 {
            return Err(format!("{}: no normal was compared", clip_path.display()).into());
        }
    }
    if fitting == 0 && clips.iter().any(|clip| clip.parent() == path.parent()) {
        return Err("none of the clips in the model's folder fits".into());
    }
    Ok(())
}

/// The vertices of all triangles of the model in its bind pose.
fn drawn_vertices(path: &Path) -> Result<Vec<Vector>, Failed> {
    let model = md5::parse_mesh(&crate::support::read(path)?, &LoadOptions::default())?.value;
    let matrices = skin::SkinMatrices::new(&pose::bind_pose(&model.skeleton));
    let mut drawn = Vec::new();
    for mesh in &model.meshes {
        let posed: PosedMesh = skin::skin_mesh(mesh, &matrices);
        let mut used: Vec<u32> = mesh.triangles.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        drawn.extend(used.iter().map(|&vertex| wide(posed.position_at(vertex as usize))));
    }
    Ok(drawn)
}

/// The vertices that Assimp's command-line tool writes for a file.
fn assimp_vertices(assimp: &Path, path: &Path) -> Result<Vec<Vector>, Failed> {
    let folder = tempfile::tempdir()?;
    let out = folder.path().join("out.obj");
    let run = Command::new(assimp).arg("export").arg(path).arg(&out).output()?;
    if !run.status.success() {
        let text = String::from_utf8_lossy(&run.stdout).into_owned();
        return Err(format!("assimp: {}: {text}", run.status).into());
    }
    let text = String::from_utf8(crate::support::read(&out)?)?;
    text.lines()
        .filter_map(|line| line.strip_prefix("v "))
        .map(|line| {
            let mut numbers = line.split_whitespace().map(str::parse::<f64>);
            let mut next = || numbers.next().ok_or("three coordinates");
            Ok([next()??, next()??, next()??])
        })
        .collect()
}

/// The maximum distance from a vertex of `from` to the nearest of `to`.
fn farthest(from: &[Vector], to: &[Vector]) -> f64 {
    from.iter()
        .map(|&a| to.iter().map(|&b| length(subtract(a, b))).fold(f64::MAX, Held::at_most))
        .fold(0.0, Held::at_least)
}

fn agrees_with_assimp(assimp: &Path, path: &Path) -> Result<(), Failed> {
    let (ours, theirs) = (drawn_vertices(path)?, assimp_vertices(assimp, path)?);
    let limit = diagonal(&ours) * ASSIMP_SHARE;
    for (name, from, to) in [("ours", &ours, &theirs), ("theirs", &theirs, &ours)] {
        let off = farthest(from, to);
        if from.is_empty() || off.is_nan() || off > limit {
            return Err(format!(
                "of {} vertices of {name}, one is {off} from the nearest; the limit is {limit}",
                from.len()
            )
            .into());
        }
    }
    Ok(())
}

#[trials]
fn of_each_file() -> Result<Vec<Trial>, String> {
    let Some(folder) = crate::support::models_dir() else {
        let names = ["md5_poses_are_exact", "md5_bind_pose_agrees_with_assimp"];
        let cannot_run = |name| cannot_run(name, "TINTYPE_MODELS is not set");
        return Ok(names.map(|name| outside(cannot_run(name))).into());
    };
    let folder = folder.join("md5");
    let is_valid = |path: &PathBuf| !path.starts_with(folder.join("invalid"));
    let list = |extension: &str| -> Result<Vec<PathBuf>, String> {
        Ok(crate::support::files(&folder, &[extension])?.into_iter().filter(is_valid).collect())
    };
    let (meshes, clips) = (list("md5mesh")?, list("md5anim")?);
    if meshes.is_empty() || clips.is_empty() {
        return Err(format!("{} holds no mesh or no clip", folder.display()));
    }
    let assimp = crate::support::program("assimp");
    let mut trials = Vec::new();
    for path in meshes {
        let name = path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
        let (bind, moving, clips) = (path.clone(), path.clone(), clips.clone());
        trials.push(Trial::test(format!("{name} bind_pose_is_exact"), move || {
            bind_pose_is_exact(&bind)
        }));
        trials.push(Trial::test(format!("{name} clips_are_exact"), move || {
            clips_are_exact(&moving, &clips)
        }));
        let title = format!("{name} bind_pose_agrees_with_assimp");
        trials.push(match assimp.clone() {
            Some(assimp) => Trial::test(title, move || agrees_with_assimp(&assimp, &path)),
            None => cannot_run(title, "there is no `assimp` on the PATH"),
        });
    }
    Ok(trials.into_iter().map(outside).collect())
}
