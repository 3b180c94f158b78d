//! The scarab: a six-legged beetle with a horn, feelers and a segmented tail, 1.5 units long.
//!
//! Output: `scarab.md5mesh`, its textures, and two clips. The scarab stands on z = 0 and faces +X.
//! Its surface is one soft hull; each of its vertices follows up to six joints.

mod body;
mod clips;
mod paint;

use crate::bake::Textures;
use crate::bind::{Bone, weigh};
use crate::figure::{Detail, Dress, assemble, shape};
use crate::md5_text::Mesh;
use crate::rig::Rig;
use glam::DVec3;

pub(crate) use clips::clips;

const SIDES: [(&str, f64); 2] = [("_l", 1.0), ("_r", -1.0)];

/// The positions of one left leg: hip, second hip joint, knee, ankle, tip.
const LEGS: [[[f64; 3]; 5]; 3] = [
    [
        [0.25, 0.10, 0.28],
        [0.27, 0.175, 0.275],
        [0.37, 0.345, 0.430],
        [0.500, 0.495, 0.095],
        [0.570, 0.550, 0.016],
    ],
    [
        [0.06, 0.12, 0.28],
        [0.06, 0.205, 0.275],
        [0.05, 0.400, 0.455],
        [0.040, 0.590, 0.095],
        [0.045, 0.680, 0.016],
    ],
    [
        [-0.13, 0.11, 0.28],
        [-0.15, 0.200, 0.275],
        [-0.27, 0.380, 0.455],
        [-0.43, 0.545, 0.095],
        [-0.505, 0.610, 0.016],
    ],
];
const LEG_JOINTS: [&str; 4] = ["coxa", "femur", "tibia", "tarsus"];

/// The left feeler, from its root to its tip.
const FEELER: [[f64; 3]; 5] = [
    [0.495, 0.050, 0.385],
    [0.580, 0.130, 0.490],
    [0.690, 0.205, 0.560],
    [0.800, 0.275, 0.560],
    [0.890, 0.330, 0.510],
];

/// The tail, from its root to its tip.
const TAIL: [[f64; 3]; 7] = [
    [-0.46, 0.0, 0.345],
    [-0.59, 0.0, 0.350],
    [-0.71, 0.0, 0.390],
    [-0.81, 0.0, 0.465],
    [-0.875, 0.0, 0.565],
    [-0.885, 0.0, 0.675],
    [-0.800, 0.0, 0.775],
];

fn on_side([x, y, z]: [f64; 3], side: f64) -> DVec3 {
    DVec3::new(x, y * side, z)
}

/// The skeleton: 45 joints.
pub(crate) fn rig() -> Rig {
    let mut rig = Rig::default();
    let (ahead, back) = (DVec3::X, DVec3::new(-1.0, 0.0, 0.15));
    rig.add("thorax", "", DVec3::new(0.12, 0.0, 0.34), ahead);
    rig.add("abdomen", "thorax", DVec3::new(-0.02, 0.0, 0.36), DVec3::new(0.3, 0.0, 1.0));
    rig.add("wing_l", "abdomen", DVec3::new(-0.02, 0.06, 0.52), DVec3::new(0.3, 0.3, 1.0));
    rig.add("wing_r", "abdomen", DVec3::new(-0.02, -0.06, 0.52), DVec3::new(0.3, -0.3, 1.0));
    rig.add("head", "thorax", DVec3::new(0.36, 0.0, 0.33), ahead);
    let mut parent = String::from("abdomen");
    for (index, pair) in TAIL.windows(2).enumerate() {
        let (from, to) = (DVec3::from(pair[0]), DVec3::from(pair[1]));
        let name = format!("tail{}", index + 1);
        // The first bone lies nearly against the abdomen's axes; its frame leans up, so that w
        // stays clear of 0.
        let aim = if index == 0 { DVec3::new(-0.7, 0.0, 1.0) } else { to - from };
        rig.add(&name, &parent, from, if aim.z < 0.3 { back + DVec3::Z * 0.5 } else { aim });
        parent = name;
    }
    for (suffix, side) in SIDES {
        let jaw = on_side([0.475, 0.06, 0.275], side);
        rig.add(&format!("mandible{suffix}"), "head", jaw, ahead);
        let mut parent = String::from("head");
        for (index, pair) in FEELER.windows(2).enumerate() {
            let (from, to) = (on_side(pair[0], side), on_side(pair[1], side));
            let name = format!("feeler{}{suffix}", index + 1);
            rig.add(&name, &parent, from, to - from);
            parent = name;
        }
        for (number, leg) in (1..).zip(&LEGS) {
            let mut parent = String::from(if number < 3 { "thorax" } else { "abdomen" });
            for (name, pair) in LEG_JOINTS.iter().zip(leg.windows(2)) {
                let (from, to) = (on_side(pair[0], side), on_side(pair[1], side));
                let name = format!("{name}{number}{suffix}");
                rig.add(&name, &parent, from, to - from);
                parent = name;
            }
        }
    }
    rig
}

fn bones(rig: &Rig) -> Vec<Bone> {
    let at = DVec3::new;
    let mut bones = vec![
        Bone::new(rig, "thorax", at(0.05, 0.0, 0.35), at(0.28, 0.0, 0.35), 0.14),
        Bone::new(rig, "abdomen", at(-0.10, 0.0, 0.34), at(-0.36, 0.0, 0.34), 0.20),
        Bone::new(rig, "head", at(0.38, 0.0, 0.32), at(0.50, 0.0, 0.32), 0.09),
        Bone::new(rig, "head", at(0.52, 0.0, 0.38), at(0.72, 0.0, 0.58), 0.03),
    ];
    for (index, pair) in TAIL.windows(2).enumerate() {
        let name = format!("tail{}", index + 1);
        bones.push(Bone::new(rig, &name, pair[0].into(), pair[1].into(), 0.05));
    }
    for (suffix, side) in SIDES {
        let wing = |x: f64, z: f64| on_side([x, 0.13, z], side);
        bones.push(Bone::new(
            rig,
            &format!("wing{suffix}"),
            wing(-0.08, 0.46),
            wing(-0.34, 0.46),
            0.09,
        ));
        let jaw = |at: [f64; 3]| on_side(at, side);
        let (from, to) = (jaw([0.52, 0.07, 0.27]), jaw([0.63, 0.04, 0.26]));
        bones.push(Bone::new(rig, &format!("mandible{suffix}"), from, to, 0.025));
        for (index, pair) in FEELER.windows(2).enumerate() {
            let name = format!("feeler{}{suffix}", index + 1);
            bones.push(Bone::new(
                rig,
                &name,
                on_side(pair[0], side),
                on_side(pair[1], side),
                0.015,
            ));
        }
        for (number, leg) in (1..).zip(&LEGS) {
            for (name, pair) in LEG_JOINTS.iter().zip(leg.windows(2)) {
                let (from, to) = (on_side(pair[0], side), on_side(pair[1], side));
                bones.push(Bone::new(rig, &format!("{name}{number}{suffix}"), from, to, 0.03));
            }
        }
    }
    bones
}

/// Thin limbs keep more triangles than the back.
fn importance(place: DVec3) -> f64 {
    let feeler = place.z > 0.40 && place.x > 0.50;
    let leg = place.y.abs() > 0.28;
    if feeler || place.x > 0.46 {
        12.0
    } else if leg {
        5.0
    } else {
        1.0
    }
}

/// The mesh and its textures.
pub(crate) fn build(rig: &Rig) -> (Vec<Mesh>, Textures) {
    let detail = Detail { cell: 0.009, triangles: 5200, longest: 0.075, importance: &importance };
    let body = shape(body::parts(), &detail);
    let holds = weigh(&body.shell, &bones(rig), 9, 6);
    let dress = Dress { shader: "models/scarab", holds };
    assemble(&[body], vec![dress], 512, &|_| 1.0, &paint::coat)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scarab_has_hundreds_of_corners_with_four_to_six_influences() {
        let rig = rig();
        let (meshes, _) = build(&rig);
        let many = |least: usize| meshes[0].holds.iter().filter(|hold| hold.len() >= least).count();
        assert!(many(4) >= 300 && many(6) >= 10 && many(7) == 0, "{} {}", many(4), many(6));
    }
}
