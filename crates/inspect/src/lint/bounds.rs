//! The boxes stated by an MD5 clip for its frames, compared with the posed mesh.

use super::kind::Kind;
use super::problem::{Place, Problem};
use tintype_model::math::{Aabb, max};
use tintype_model::pose::{Binding, sample_clip};
use tintype_model::skin::Extent;
use tintype_model::{Clip, Model};

/// Fraction of a mesh's diagonal by which it may exceed its box, because files round to six digits
/// or fewer.
const ROUNDING_SHARE: f32 = 1.0e-3;
/// Sides of a box in our axes, in the words of an MD5 file: our y is its z, our z its -y.
const SIDES: [[&str; 2]; 3] = [["-x", "+x"], ["-z", "+z"], ["+y", "-y"]];

/// Compares the box of each frame with the posed mesh, and names the frame where the mesh exceeds
/// it most.
pub(super) fn check(name: &str, clip: &Clip, model: &Model, binding: &Binding) -> Option<Problem> {
    let times_s = clip.key_times_s.get(clip.keys.clone())?;
    let boxes = clip.stated_boxes.get(clip.keys.clone())?;
    let extents: Vec<Extent> = model.meshes.iter().map(Extent::new).collect();
    let mut frames = Vec::new();
    let mut worst: Option<(f32, usize, &str, f32)> = None;
    for (index, (&moment_s, stated)) in times_s.iter().zip(boxes).enumerate() {
        let pose = sample_clip(&model.skeleton, clip, binding, moment_s);
        let mut own = Aabb::EMPTY;
        extents.iter().for_each(|extent| extent.grow(&pose, &mut own));
        let (outside, side) = farthest_outside(stated, &own);
        if own.is_empty() || outside <= own.diagonal() * ROUNDING_SHARE {
            continue;
        }
        frames.push(index);
        if worst.is_none_or(|(most, ..)| outside > most) {
            worst = Some((
                outside,
                index,
                side,
                100.0 * outside / max(own.diagonal(), f32::MIN_POSITIVE),
            ));
        }
    }
    let (outside, frame, side, percent) = worst?;
    let place = Place { clip: Some(name.to_owned()), ..Place::default() };
    Some(Problem {
        first: format!(
            "{name}, frame {}; worst in frame {frame}: {outside:.3} outside towards {side} of the file, {percent:.1} % of the model",
            frames[0]
        ),
        places: vec![place],
        ..Problem::new(Kind::ClipBounds, frames.len(), times_s.len(), "")
    })
}

/// The largest distance by which a box exceeds another, and the side.
fn farthest_outside(stated: &Aabb, own: &Aabb) -> (f32, &'static str) {
    let (low, high) = (stated.min - own.min, own.max - stated.max);
    let mut found = (f32::NEG_INFINITY, "");
    for (axis, [below, above]) in SIDES.into_iter().enumerate() {
        for (outside, side) in [(low[axis], below), (high[axis], above)] {
            if outside > found.0 {
                found = (outside, side);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::check_clip;
    use tintype_formats::{LoadOptions, md5};
    use tintype_model::ClipOptions;

    const MESH: &str = "MD5Version 10 commandline \"\" numJoints 1 numMeshes 1 \
        joints { \"root\" -1 ( 0 0 0 ) ( 0 0 0 ) } \
        mesh { shader \"a\" numverts 3 vert 0 ( 0 0 ) 0 1 vert 1 ( 1 0 ) 1 1 vert 2 ( 0 1 ) 2 1 \
        numtris 1 tri 0 0 1 2 numweights 3 \
        weight 0 0 1 ( 0 0 0 ) weight 1 0 1 ( 1 2 0 ) weight 2 0 1 ( 0 0 3 ) }";

    fn found(boxes: &str) -> Vec<String> {
        let options = LoadOptions::default();
        let model = md5::parse_mesh(MESH.as_bytes(), &options).unwrap().value;
        let text = format!(
            "MD5Version 10 commandline \"\" numFrames 2 numJoints 1 frameRate 10 numAnimatedComponents 1 \
             hierarchy {{ \"root\" -1 1 0 }} bounds {{ {boxes} }} baseframe {{ ( 0 0 0 ) ( 0 0 0 ) }} \
             frame 0 {{ 0 }} frame 1 {{ 10 }}"
        );
        let clip = md5::parse_anim(text.as_bytes(), &options).unwrap().value;
        let problems = check_clip("walk", &clip, &ClipOptions::default(), Some(&model));
        let bounds = problems.into_iter().filter(|problem| problem.kind == Kind::ClipBounds);
        bounds.map(|problem| format!("{}: {}", problem.message, problem.first)).collect()
    }

    #[test]
    fn bounds_that_hold_the_mesh_are_no_problem() {
        assert_eq!(found("( 0 0 0 ) ( 1 2 3 ) ( 10 0 0 ) ( 11 2 3 )"), [""; 0]);
        assert_eq!(found("( -9 0 0 ) ( 1 2 3.5 ) ( 10 -7 0 ) ( 11 2.0001 3 )"), [""; 0]);
        // Not one for each frame: the reader warns.
        assert_eq!(found("( 0 0 0 ) ( 1 2 3 )"), [""; 0]);
    }

    #[test]
    fn bounds_that_miss_the_mesh_are_named_with_frame_side_and_amount() {
        for (boxes, text) in [
            (
                "( 0 0 0 ) ( 1 2 3 ) ( 0 0 0 ) ( 1 2 3 )",
                "1 of 2 frames has bounds that do not contain the mesh: walk, frame 1; worst in frame 1: 10.000 outside towards +x",
            ),
            (
                "( 0 0 0 ) ( 1 1.5 3 ) ( 10 0.25 0 ) ( 11 2 2 )",
                "2 of 2 frames have bounds that do not contain the mesh: walk, frame 0; worst in frame 1: 1.000 outside towards +z",
            ),
            (
                "( 0 0.5 0 ) ( 1 2 3 ) ( 10 0 0 ) ( 11 2 3 )",
                "0.500 outside towards -y of the file, 13.4 %",
            ),
            ("( 0 0 0 ) ( 1 1.5 3 ) ( 10 0 0 ) ( 11 2 3 )", "0.500 outside towards +y"),
            // Boxes that no vertex was added to.
            ("( 1e30 1e30 1e30 ) ( -1e30 -1e30 -1e30 ) ( 10 0 0 ) ( 11 2 3 )", "1 of 2 frames has"),
        ] {
            let problems = found(boxes);
            assert!(problems.len() == 1 && problems[0].contains(text), "{problems:?}");
        }
    }
}
