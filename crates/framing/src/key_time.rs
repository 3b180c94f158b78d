//! Key time of a clip: the time with the most expressive outline, unlike the bind pose.
//!
//! Input: a model, one of its clips, and its front. Output: seconds from the clip's first key.

use super::silhouette::Silhouette;
use super::solid::Solid;
use super::viewpoint::directions;
use tintype_model::math::{Affine3, Vec3, max};
use tintype_model::pose::{Binding, bind_pose, sample_clip};
use tintype_model::simd::Level;
use tintype_model::skin::{SkinMatrices, SkinOptions, skin_mesh_with};
use tintype_model::{Clip, Mesh, Model, Pose, Wrap};

/// Number of compared times.
const MOMENTS: u32 = 8;
/// Mean distance of joints from the bind pose, as a fraction of the model's size, below which a
/// pose counts as the bind pose.
const NEAR_BIND: f32 = 0.02;
/// Penalty for a pose near the bind pose.
const BIND_COST: f32 = 0.3;
/// Fraction of the height in the bind pose below which a figure sits or lies.
const LOW: f32 = 0.75;
/// Penalty for a low pose.
const LOW_COST: f32 = 0.6;
/// Weights of a longer outline and a larger area, relative to a wider spread: limbs apart, wings
/// open, off the ground.
const OUTLINE: f32 = 0.5;
const AREA: f32 = 0.3;

/// Height in the bind pose, as a fraction of length or width, below which a model is flat, such as
/// a bat or a beetle.
const FLAT: f32 = 0.45;
/// Azimuth from the front for judging key times.
const AZIMUTH_DEG: f32 = 35.0;

/// A posed model as a solid; `is_drawn` selects the visible meshes.
#[must_use]
pub fn solid_of(
    model: &Model,
    pose: &Pose,
    world_from_model: &Affine3,
    is_drawn: &dyn Fn(usize) -> bool,
) -> Solid {
    let matrices = SkinMatrices::new(&pose.placed(world_from_model));
    let options = SkinOptions { tangents: false, level: Level::best() };
    let drawn: Vec<&Mesh> =
        (0..).zip(&model.meshes).filter(|(k, _)| is_drawn(*k)).map(|(_, mesh)| mesh).collect();
    let posed: Vec<_> = drawn.iter().map(|mesh| skin_mesh_with(mesh, &matrices, options)).collect();
    Solid::new(drawn.into_iter().zip(&posed))
}

/// The most expressive time of a clip, in seconds from its first key. None if `is_late` becomes
/// true. `front` is the horizontal direction that the model faces. The time is between the first
/// key and the last; for a looping clip, anywhere in its period.
#[must_use]
pub fn find_key_time(
    model: &Model,
    (clip, binding, wrap): (&Clip, &Binding, Option<Wrap>),
    world_from_model: &Affine3,
    is_drawn: &dyn Fn(usize) -> bool,
    front: Vec3,
    is_late: &dyn Fn() -> bool,
) -> Option<f64> {
    let length_s = if wrap == Some(Wrap::Loop) { clip.period_s } else { clip.length_s() };
    let count = if length_s > 0.0 { MOMENTS } else { 1 };
    let bind = bind_pose(&model.skeleton);
    let bound = solid_of(model, &bind, world_from_model, is_drawn);
    let bound_height = extent(&bound, Vec3::Y);
    // A flat model is drawn from higher above, and its bind pose is allowed.
    let is_low = bound_height < FLAT * max(extent(&bound, Vec3::X), extent(&bound, Vec3::Z));
    let (back, up) = directions(front, AZIMUTH_DEG, if is_low { 30.0 } else { 10.0 });
    let mut seen = Vec::new();
    for k in 0..count {
        if is_late() {
            return None;
        }
        let time_s = length_s * f64::from(k) / f64::from(count);
        let pose = sample_clip(&model.skeleton, clip, binding, clip.start_s + time_s);
        let solid = solid_of(model, &pose, world_from_model, is_drawn);
        let silhouette = Silhouette::new(&solid, back, up);
        let (reading, side) = (silhouette.read(), silhouette.side());
        let area = reading.fill * side * side;
        let outline = reading.border * reading.fill * side;
        let mut cost = 0.0;
        if !is_low && distance(&pose, &bind) < NEAR_BIND {
            cost += BIND_COST;
        }
        if !is_low && extent(&solid, Vec3::Y) < LOW * bound_height {
            cost += LOW_COST;
        }
        seen.push(Seen { time_s, side, area, outline, cost });
    }
    let most = |value: fn(&Seen) -> f32| seen.iter().map(value).fold(f32::MIN_POSITIVE, max);
    let (widest, longest, largest) =
        (most(|one| one.side), most(|one| one.outline), most(|one| one.area));
    let mut best: Option<(f32, f64)> = None;
    for Seen { time_s, side, area, outline, cost } in seen {
        let score = side / widest + OUTLINE * (outline / longest) + AREA * (area / largest) - cost;
        // Of nearly equal poses the first.
        if best.is_none_or(|(highest, _)| score > highest + 0.01) {
            best = Some((score, time_s));
        }
    }
    best.map(|(_, time_s)| time_s)
}

/// Measures of one time, in units of the model.
struct Seen {
    time_s: f64,
    /// Side of the bounding square.
    side: f32,
    area: f32,
    outline: f32,
    /// Penalty.
    cost: f32,
}

fn extent(solid: &Solid, axis: Vec3) -> f32 {
    let (low, high) = solid.range(axis);
    high - low
}

/// Mean distance between the joints of two poses, as a fraction of the size of the second, ignoring
/// the motion of the whole model.
fn distance(pose: &Pose, other: &Pose) -> f32 {
    let middle = |pose: &Pose| {
        let (mut sum, mut count) = (Vec3::ZERO, 0.0_f32);
        for joint in &pose.matrices {
            sum += joint.translation;
            count += 1.0;
        }
        sum / max(count, 1.0)
    };
    let (own, theirs) = (middle(pose), middle(other));
    let (mut apart, mut size, mut count) = (0.0_f32, f32::MIN_POSITIVE, 0.0_f32);
    for (joint, at) in pose.matrices.iter().zip(&other.matrices) {
        let (joint, at) = (joint.translation - own, at.translation - theirs);
        apart += (joint - at).length();
        size = max(at.length(), size);
        count += 1.0;
    }
    apart / max(count, 1.0) / (2.0 * size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_formats::LoadOptions;
    use tintype_formats::md5::{parse_anim, parse_mesh};
    use tintype_model::pose::bind_clip;

    /// Two bars with one joint each, as an MD5 mesh: one is upright, the other starts along it.
    const MESH: &str = "MD5Version 10 numJoints 2 numMeshes 1
        joints { \"body\" -1 ( 0 0 0 ) ( 0 0 0 ) \"arm\" 0 ( 0 0 0 ) ( 0 0 0 ) }
        mesh { shader \"\" numverts 6
          vert 0 ( 0 0 ) 0 1 vert 1 ( 0 0 ) 1 1 vert 2 ( 0 0 ) 2 1
          vert 3 ( 0 0 ) 3 1 vert 4 ( 0 0 ) 4 1 vert 5 ( 0 0 ) 5 1
          numtris 2 tri 0 0 1 2 tri 1 3 4 5
          numweights 6
          weight 0 0 1 ( 0 -0.2 0 ) weight 1 0 1 ( 0 0.2 0 ) weight 2 0 1 ( 0 0 4 )
          weight 3 1 1 ( 0 -0.2 0 ) weight 4 1 1 ( 0 0.2 0 ) weight 5 1 1 ( 0 0 4 ) }";

    /// The arm goes down to the side and up again over eight frames.
    fn clip() -> String {
        let head = "MD5Version 10 numFrames 8 numJoints 2 frameRate 8 numAnimatedComponents 1
            hierarchy { \"body\" -1 0 0 \"arm\" 0 8 0 }
            bounds { ( 0 0 0 ) ( 1 1 1 ) ( 0 0 0 ) ( 1 1 1 ) ( 0 0 0 ) ( 1 1 1 ) ( 0 0 0 ) ( 1 1 1 )
                     ( 0 0 0 ) ( 1 1 1 ) ( 0 0 0 ) ( 1 1 1 ) ( 0 0 0 ) ( 1 1 1 ) ( 0 0 0 ) ( 1 1 1 ) }
            baseframe { ( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) }";
        let turns = [0.0, 0.1, 0.3, 0.5, 0.7, 0.5, 0.3, 0.1];
        let frames: Vec<String> =
            turns.iter().enumerate().map(|(k, turn)| format!("frame {k} {{ {turn} }}")).collect();
        format!("{head} {}", frames.join(" "))
    }

    #[test]
    fn moment_is_the_one_in_which_the_arm_is_out() {
        let model = parse_mesh(MESH.as_bytes(), &LoadOptions::default()).unwrap().value;
        let clip = parse_anim(clip().as_bytes(), &LoadOptions::default()).unwrap().value;
        let (binding, _) = bind_clip(&model.skeleton, &model.meshes, &clip).unwrap();
        let moment = |is_late: bool| {
            let place = Affine3::IDENTITY;
            find_key_time(&model, (&clip, &binding, None), &place, &|_| true, Vec3::X, &|| is_late)
        };
        let found = moment(false).unwrap();
        assert!((0.3..0.7).contains(&found), "{found}");
        assert_eq!(moment(true), None);
    }

    #[test]
    fn pose_is_as_far_from_itself_as_nothing() {
        let place = |x: f32| Affine3::from_translation(Vec3::new(x, x * x, 1.0));
        let pose = Pose::new((0..4_u8).map(|k| place(f32::from(k))).collect());
        let moved = pose.placed(&Affine3::from_translation(Vec3::new(5.0, -3.0, 2.0)));
        assert!(distance(&pose, &moved) < 1e-6, "the whole model has moved");
        let mut bent = pose.clone();
        bent.matrices[3] = place(1.0);
        assert!(distance(&bent, &pose) > NEAR_BIND);
    }
}
