//! A common factor of all lengths of a model, as from another unit.

use super::model_content::{ClipContent, JointContent, MeshContent, ModelContent};
use super::sums::Sums;
use tintype_compare::finding::{Element, Finding, Kind, Stage, Subject, Unit};
use tintype_model::math::larger;

/// Fraction of a length that rounding changes.
const ROUNDING: f64 = 2e-6;

/// The factor of all lengths, and the old content in the new unit where it is unchanged. None if
/// there is no such factor.
pub(super) fn findings(old: &ModelContent, new: &ModelContent) -> Option<(Finding, ModelContent)> {
    let size = f64::from(new.size);
    let factor = factor(old, new)?;
    let mut scaled = old.clone();
    let mut others = 0;
    for joint in &mut scaled.joints {
        match new.joints.iter().find(|now| now.name == joint.name) {
            Some(now) if is_scaled(joint, now, factor, size) => joint.clone_from(now),
            _ => others += 1,
        }
    }
    for (mesh, now) in scaled.meshes.iter_mut().zip(&new.meshes) {
        scale_mesh(mesh, now, factor, size)?;
    }
    for clip in &mut scaled.clips {
        if let Some(now) = new.clips.iter().find(|now| now.name == clip.name) {
            scale_clip(clip, now, factor, size);
        }
    }
    scaled.size = new.size;
    // A change of unit may come with few other edits; more of them mean that it is not one.
    let is_most = others * 4 <= scaled.joints.len() && old.meshes.len() == new.meshes.len();
    let all = Finding::new(Stage::Pose, Kind::Scaled, Subject::all(Element::Model));
    is_most.then(|| (all.by(factor, Unit::Factor), scaled))
}

/// The factor of the longest distance from a joint to its parent, or of the positions of a mesh, if
/// it is about that of the size.
fn factor(old: &ModelContent, new: &ModelContent) -> Option<f64> {
    let length = |joint: &JointContent| {
        joint.local[..3].iter().map(|&part| f64::from(part) * f64::from(part)).sum::<f64>().sqrt()
    };
    let pair = |joint: &JointContent| {
        let now = new.joints.iter().find(|now| now.name == joint.name)?;
        Some((length(joint), length(now)))
    };
    let of_meshes = |(before, now): (&MeshContent, &MeshContent)| {
        let [from, to] = [before, now].map(|mesh| mesh.lists.positions.total(0));
        from.into_iter().zip(to).map(|(from, to)| (from.abs(), to.abs())).reduce(longest)
    };
    fn longest(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
        if b.0 > a.0 { b } else { a }
    }
    let far = f64::from(old.size) * 1e-3;
    let joints = old.joints.iter().filter_map(pair).reduce(longest).filter(|(from, _)| *from > far);
    let meshes = || old.meshes.iter().zip(&new.meshes).find_map(of_meshes);
    let (from, to) = joints.or_else(meshes)?;
    let (factor, of_size) = (to / from, f64::from(new.size) / f64::from(old.size));
    let is_near = (factor / of_size - 1.0).abs() < 0.01;
    (is_near && factor.is_finite() && (factor - 1.0).abs() > 1e-4).then_some(factor)
}

fn is_scaled(joint: &JointContent, now: &JointContent, factor: f64, size: f64) -> bool {
    let parts = joint.local.iter().zip(&now.local).enumerate();
    let mut gaps = parts.map(|(part, (&before, &now))| {
        let [before, now] = [before, now].map(f64::from);
        if part < 3 { (now - before * factor).abs() / size } else { (now - before).abs() }
    });
    gaps.all(|gap| gap <= ROUNDING)
}

/// The sums of a list in the new unit; some of its components are lengths.
fn scaled(sums: &Sums, factor: f64, is_length: impl Fn(usize) -> bool) -> Sums {
    let mut own = sums.clone();
    let lengths = own.sums.iter_mut().enumerate().filter(|(part, _)| is_length(*part));
    for sum in lengths.flat_map(|(_, sums)| sums) {
        #[expect(clippy::cast_possible_truncation, reason = "saturates, and is none then")]
        #[expect(clippy::cast_precision_loss, reason = "16 digits, of which six count")]
        let scaled = (*sum as f64 * factor).round() as i64;
        *sum = scaled;
    }
    own
}

/// Takes the new sums if the old ones are equal in the new unit; returns true if they are.
fn take(
    old: &mut Sums,
    new: &Sums,
    (factor, size): (f64, f64),
    is_length: impl Fn(usize) -> bool,
) -> bool {
    let is_same = old.count == new.count
        && (old.count == 0 || new.is_rounded(&scaled(old, factor, is_length), size, None));
    if is_same {
        old.clone_from(new);
    }
    is_same
}

/// None if the positions differ.
fn scale_mesh(mesh: &mut MeshContent, now: &MeshContent, factor: f64, size: f64) -> Option<()> {
    let unit = (factor, size);
    let all = |_| true;
    let is_same = take(&mut mesh.lists.positions, &now.lists.positions, unit, all)
        && take(&mut mesh.lists.weighted, &now.lists.weighted, unit, all);
    for (joint, now) in mesh.joints.iter_mut().zip(&now.joints) {
        let is_near = |(part, (before, now)): (usize, (&f32, &f32))| {
            let [before, now] = [*before, *now].map(f64::from);
            let (before, least) = if part < 9 {
                (before, ROUNDING)
            } else {
                (before * factor, ROUNDING * larger(size, now.abs()))
            };
            (now - before).abs() <= 4.0 * least
        };
        if let (Some(before), Some(now)) = (&mut joint.offset, &now.offset)
            && before.iter().zip(now).enumerate().all(is_near)
        {
            *before = *now;
        }
    }
    for ((_, before), (_, now)) in mesh.targets.iter_mut().zip(&now.targets) {
        take(before, now, unit, |part| part < 3);
    }
    mesh.grid = now.grid;
    // Marks depend on positions and are no longer comparable.
    mesh.vertex_marks.clone_from(&now.vertex_marks);
    mesh.surface = None;
    if (MeshContent { surface: now.surface, ..mesh.clone() }) == *now {
        mesh.surface = now.surface;
    }
    is_same.then_some(())
}

fn scale_clip(clip: &mut ClipContent, now: &ClipContent, factor: f64, size: f64) {
    let unit = (factor, size);
    for track in &mut clip.tracks {
        if let Some(now) = now.tracks.iter().find(|now| now.name == track.name) {
            take(&mut track.channels[0], &now.channels[0], unit, |_| true);
            take(&mut track.tangents[0], &now.tangents[0], unit, |_| true);
        }
    }
    for (keys, now) in clip.file_keys.iter_mut().zip(&now.file_keys) {
        if keys.place() == now.place() && keys.channel == 0 {
            take(&mut keys.values, &now.values, unit, |_| true);
            take(&mut keys.tangents, &now.tangents, unit, |part| part % 2 == 1);
        }
    }
}
