//! The scarab's clips: a tripod walk in place, and an idle stance with searching feelers.
//!
//! In the walk, three legs always stand: the outer two of one side and the middle one of the other.
//! They move back at constant speed while the other three swing ahead.

use super::{LEGS, SIDES, on_side};
use crate::rig::{Limb, Pose, Rig};
use crate::scalar::{cos, ramp, sin, wave};
use glam::{DQuat, DVec3};
use std::f64::consts::{PI, TAU};

/// Frames of one cycle of the walk.
const WALK_FRAMES: u32 = 20;
/// Fraction of the cycle in which a leg stands.
const STANCE: f64 = 0.56;
/// Path of a leg on the ground.
const STRIDE: f64 = 0.24;

/// The clips by file name.
pub(crate) fn clips(rig: &Rig) -> Vec<(&'static str, Vec<Pose>)> {
    let sampled = |count: u32, pose: &dyn Fn(f64) -> Pose| {
        (0..count).map(|frame| pose(f64::from(frame) / f64::from(count))).collect()
    };
    vec![
        ("scarab_walk.md5anim", sampled(WALK_FRAMES, &|turn| walk(rig, turn))),
        ("scarab_idle.md5anim", sampled(64, &|turn| idle(rig, turn))),
    ]
}

/// Distance ahead of its bind position and height of a foot, at a phase of its cycle.
fn step(phase: f64) -> (f64, f64) {
    if phase < STANCE {
        return (STRIDE * (0.5 - phase / STANCE), 0.0);
    }
    let share = (phase - STANCE) / (1.0 - STANCE);
    // The swing meets the ground at the speed of the ground.
    let slip = STRIDE / STANCE * (1.0 - STANCE);
    let (s, r) = (share, 1.0 - share);
    let x = -0.5 * STRIDE * r * r * (1.0 + 2.0 * s) - slip * s * r * r
        + 0.5 * STRIDE * s * s * (1.0 + 2.0 * r)
        + slip * s * s * r;
    (x, 0.105 * sin(share * PI) * sin(share * PI))
}

/// Puts all six feet, each moved from its bind position.
fn place_feet(pose: &mut Pose, rig: &Rig, moved: &dyn Fn(usize, f64) -> (f64, f64)) {
    for (suffix, side) in SIDES {
        for (index, leg) in LEGS.iter().enumerate() {
            let number = index + 1;
            let joints = ["femur", "tibia", "tarsus"]
                .map(|name| rig.find(&format!("{name}{number}{suffix}")));
            let (ahead, up) = moved(index, side);
            let target = on_side(leg[3], side) + DVec3::new(ahead, 0.0, up);
            let tilt = DQuat::from_rotation_x(-up * 2.2 * side);
            let limb = Limb { joints, pole: DVec3::Z };
            let missing = pose.reach(rig, limb, target, DVec3::Z, tilt);
            assert!(missing < 1e-3, "leg {number}{suffix}: {missing} out of reach");
        }
    }
}

/// Feelers, tail and jaws; `turn` is a fraction of the cycle, `amount` the size of the motion.
fn search(pose: &mut Pose, rig: &Rig, turn: f64, amount: f64) {
    for (suffix, side) in SIDES {
        let own = if side > 0.0 { turn } else { turn + 0.37 };
        for joint in 1..=4 {
            let late = own - 0.07 * f64::from(joint);
            let name = format!("feeler{joint}{suffix}");
            let (lift, sweep) = (5.0 * wave(late * 2.0), 8.0 * wave(late));
            pose.turn(rig, &name, [0.0, -lift * amount, sweep * side * amount]);
        }
        let bite = 7.0 * ramp(wave(turn * 2.0 + 0.1), 0.2, 1.0);
        pose.turn(rig, &format!("mandible{suffix}"), [0.0, 0.0, bite * side * amount]);
    }
    for joint in 1..=6 {
        let late = turn - 0.06 * f64::from(joint);
        let name = format!("tail{joint}");
        pose.turn(rig, &name, [0.0, 3.5 * amount * wave(late * 2.0), 6.5 * amount * wave(late)]);
    }
}

fn walk(rig: &Rig, turn: f64) -> Pose {
    let mut pose = Pose::bind(rig);
    let double = cos((turn - 0.14) * 2.0 * TAU);
    pose.shift = DVec3::new(0.0, 0.012 * wave(turn), 0.010 - 0.011 * double);
    pose.turn(rig, "thorax", [2.0 * wave(turn + 0.05), 1.0 * double, 2.4 * wave(turn + 0.25)]);
    pose.turn(rig, "abdomen", [-wave(turn), -1.4 * double, -3.2 * wave(turn + 0.20)]);
    pose.turn(rig, "head", [0.0, -1.2 * double, -3.0 * wave(turn + 0.22)]);
    search(&mut pose, rig, turn, 0.8);
    place_feet(&mut pose, rig, &|index, side| {
        let first = (index % 2 == 0) == (side > 0.0);
        step((turn + if first { 0.0 } else { 0.5 }).fract())
    });
    pose
}

fn idle(rig: &Rig, turn: f64) -> Pose {
    let mut pose = Pose::bind(rig);
    pose.shift = DVec3::new(0.006 * wave(turn), 0.0, 0.008 * wave(turn * 2.0));
    pose.turn(rig, "thorax", [0.0, 0.9 * wave(turn * 2.0 + 0.1), 1.2 * wave(turn)]);
    pose.turn(rig, "abdomen", [0.0, 1.2 * wave(turn * 2.0 + 0.3), 0.0]);
    pose.turn(
        rig,
        "head",
        [3.0 * wave(turn + 0.2), 2.5 * wave(turn * 2.0), 6.0 * wave(turn + 0.1)],
    );
    // The wing cases lift once.
    let lift = ramp(turn, 0.55, 0.63) * ramp(turn, 0.80, 0.70);
    for (suffix, side) in SIDES {
        pose.turn(rig, &format!("wing{suffix}"), [7.0 * lift * side, -2.0 * lift, 0.0]);
    }
    search(&mut pose, rig, turn, 1.5);
    place_feet(&mut pose, rig, &|_, _| (0.0, 0.0));
    pose
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scarab_always_stands_on_three_feet_that_go_back_at_one_speed() {
        let rig = super::super::rig();
        for frame in 0..200 {
            let turn = f64::from(frame) / 200.0;
            let standing = |offset: f64| step((turn + offset).fract()).1 == 0.0;
            assert!(standing(0.0) || standing(0.5), "{turn}");
            let posed = walk(&rig, turn).posed(&rig);
            let foot = posed[rig.find("tarsus1_l")].place;
            let wanted = on_side(LEGS[0][3], 1.0) + DVec3::new(step(turn).0, 0.0, step(turn).1);
            assert!((foot - wanted).length() < 1e-6, "{turn}");
        }
    }
}
