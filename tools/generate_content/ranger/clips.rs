//! The ranger's clips: a walk in place, an idle stance, a wave.
//!
//! Output: poses at 24 per second. The walk's planted feet move backwards at one speed, so that
//! feet do not slide in a scene that moves him ahead at [`SPEED`].

use super::SIDES;
use crate::rig::{Limb, Pose, Rig};
use crate::scalar::{cos, max, mix, radians, ramp, sin, wave};
use glam::{DQuat, DVec3};
use std::f64::consts::{PI, TAU};

/// Walking speed in units per second.
pub(super) const SPEED: f64 = 1.16;

/// Fraction of the cycle in which a foot is on the ground.
const STANCE: f64 = 0.62;
/// Position of the ankle of a flat foot at the first contact, ahead of the hips.
const CONTACT_X: f64 = 0.275;
const HEEL_UNTIL: f64 = 0.11;
const TOE_FROM: f64 = 0.34;
const HEEL_PITCH: f64 = -17.0;
const TOE_PITCH: f64 = 44.0;

/// The clips by file name.
pub(crate) fn clips(rig: &Rig) -> Vec<(&'static str, Vec<Pose>)> {
    let sampled = |count: u32, pose: &dyn Fn(f64) -> Pose| {
        (0..count).map(|frame| pose(f64::from(frame) / f64::from(count))).collect()
    };
    vec![
        ("ranger_walk.md5anim", sampled(24, &|turn| walk(rig, turn))),
        ("ranger_idle.md5anim", sampled(60, &|turn| idle(rig, turn))),
        ("ranger_wave.md5anim", sampled(48, &|turn| greet(rig, turn))),
    ]
}

/// An ankle relative to the hips, the foot's pitch (toes down is positive) and the toes' pitch.
#[derive(Clone, Copy)]
struct Step {
    x: f64,
    z: f64,
    pitch_deg: f64,
    toe_deg: f64,
}

/// The foot on the ground, `phase` from the heel's contact at 0 to the toes' leaving at [`STANCE`].
fn stance(ankle: DVec3, toe: DVec3, phase: f64) -> Step {
    let flat = DVec3::new(CONTACT_X - SPEED * phase, 0.0, ankle.z);
    let heel_pitch = HEEL_PITCH * (1.0 - ramp(phase, -HEEL_UNTIL * 0.35, HEEL_UNTIL)) / 0.82;
    let lift = max((phase - TOE_FROM) / (STANCE - TOE_FROM), 0.0);
    let toe_pitch = TOE_PITCH * lift * lift * (1.6 - 0.6 * lift);
    // Pitch about the heel's edge first, about the ball of the foot last; both stay in place on the
    // ground.
    let (pivot, pitch_deg) = if phase < TOE_FROM {
        (DVec3::new(-0.055, 0.0, -ankle.z), heel_pitch)
    } else {
        (DVec3::new(toe.x - ankle.x, 0.0, toe.z - ankle.z), toe_pitch)
    };
    let moved = flat + pivot + DQuat::from_rotation_y(radians(pitch_deg)) * -pivot;
    let toe_deg = if phase < TOE_FROM { 0.4 * heel_pitch } else { -pitch_deg };
    // The soles are thick: the ball rises slightly while the toes bend.
    Step { x: moved.x, z: moved.z + 0.022 * lift, pitch_deg, toe_deg }
}

/// A curve from `from` to `to` over 0..=1 with these slopes at its ends.
fn hermite(from: f64, slope_from: f64, to: f64, slope_to: f64, share: f64) -> f64 {
    let (s, r) = (share, 1.0 - share);
    from * r * r * (1.0 + 2.0 * s) + slope_from * s * r * r + to * s * s * (1.0 + 2.0 * r)
        - slope_to * s * s * r
}

/// A foot at any phase of the cycle.
fn step(ankle: DVec3, toe: DVec3, phase: f64) -> Step {
    const SMALL: f64 = 0.001;
    if phase <= STANCE {
        return stance(ankle, toe, phase);
    }
    let length = 1.0 - STANCE;
    let share = (phase - STANCE) / length;
    let (off, on) = (stance(ankle, toe, STANCE), stance(ankle, toe, 0.0));
    let (before, after) = (stance(ankle, toe, STANCE - SMALL), stance(ankle, toe, SMALL));
    let curve = |part: &dyn Fn(&Step) -> f64| {
        let (slope_off, slope_on) = (
            (part(&off) - part(&before)) / SMALL * length,
            (part(&after) - part(&on)) / SMALL * length,
        );
        hermite(part(&off), slope_off, part(&on), slope_on, share)
    };
    let lift = share * share * (1.0 - share) * (1.0 - share) * 16.0;
    Step {
        x: curve(&|step| step.x),
        z: curve(&|step| step.z) + 0.018 * lift,
        pitch_deg: curve(&|step| step.pitch_deg),
        toe_deg: mix(off.toe_deg, on.toe_deg, ramp(share, 0.0, 0.5)),
    }
}

fn leg(rig: &Rig, suffix: &str) -> Limb {
    let joints = ["thigh", "shin", "foot"].map(|name| rig.find(&format!("{name}{suffix}")));
    Limb { joints, pole: DVec3::X }
}

/// Puts a foot at a step; `y` is its position to the left, `out_deg` the angle of the toes
/// outwards.
fn place_foot(pose: &mut Pose, rig: &Rig, suffix: &str, y: f64, step: Step, out_deg: f64) {
    let out = DQuat::from_rotation_z(radians(out_deg));
    let turn = out * DQuat::from_rotation_y(radians(step.pitch_deg));
    let target = DVec3::new(step.x, y, step.z);
    let missing = pose.reach(rig, leg(rig, suffix), target, out * DVec3::X, turn);
    assert!(missing < 1e-3, "foot{suffix}: {missing} out of reach at {target}");
    pose.turn(rig, &format!("toe{suffix}"), [0.0, step.toe_deg, 0.0]);
}

/// Hands hang half closed.
fn relax_hands(pose: &mut Pose, rig: &Rig, amount: f64) {
    for (suffix, side) in SIDES {
        let palm = DVec3::new(0.0, -0.72 * side, -0.69);
        for (name, degrees) in [
            ("index1", 14.0),
            ("index2", 20.0),
            ("fingers1", 22.0),
            ("fingers2", 28.0),
            ("thumb2", 12.0),
        ] {
            pose.bend(rig, &format!("{name}{suffix}"), palm, degrees * amount);
        }
    }
}

/// One arm: how far it hangs in from the A-pose, its swing (ahead is positive) and the elbow's
/// bend.
fn hang_arm(
    pose: &mut Pose,
    rig: &Rig,
    (suffix, side): (&str, f64),
    inward: f64,
    swing: f64,
    elbow: f64,
) {
    pose.turn(rig, &format!("upper_arm{suffix}"), [-inward * side, -swing, 0.0]);
    pose.bend(rig, &format!("forearm{suffix}"), DVec3::X, elbow);
}

fn walk(rig: &Rig, turn: f64) -> Pose {
    let mut pose = Pose::bind(rig);
    let beat = |early: f64| cos((turn - early) * TAU);
    let double = |early: f64| cos((turn - early) * 2.0 * TAU);
    pose.shift = DVec3::new(0.0, 0.024 * beat(0.33), -0.036 - 0.023 * double(0.07));
    let yaw = -9.5 * beat(0.0);
    let roll = 4.2 * beat(0.28);
    pose.turn(rig, "hips", [roll, 3.5, yaw]);
    for (name, share) in [("spine1", 0.30), ("spine2", 0.38), ("chest", 0.42)] {
        let bob = 1.3 * double(0.15);
        pose.turn(rig, name, [-roll * share * 1.15, bob, -yaw * share * 1.75]);
    }
    pose.turn(rig, "neck", [0.0, -1.0 - 1.2 * double(0.17), 3.0 * yaw / 7.0]);
    pose.turn(rig, "head", [-1.6 * beat(0.30), -3.0 - 1.4 * double(0.20), 2.4 * yaw / 7.0]);
    pose.turn(rig, "hood", [0.0, 7.0 * double(0.28), 8.0 * beat(0.22)]);
    pose.turn(rig, "quiver", [2.6 * beat(0.12), 2.2 * double(0.22), 0.0]);
    for (suffix, side) in SIDES {
        let own = if side > 0.0 { turn } else { turn + 0.5 };
        let ahead = -cos((own - 0.02) * TAU);
        pose.turn(rig, &format!("clavicle{suffix}"), [0.0, 0.0, 6.0 * ahead * -side]);
        let elbow = 21.0 + 11.0 * -cos((own - 0.07) * TAU);
        hang_arm(&mut pose, rig, (suffix, side), 26.0, 1.0 + 29.0 * ahead, elbow);
        pose.bend(rig, &format!("hand{suffix}"), DVec3::X, -8.0 * cos((own - 0.12) * TAU));
        let bind = |name: &str| rig.place(&format!("{name}{suffix}"));
        let step = step(bind("foot"), bind("toe"), own.fract());
        place_foot(&mut pose, rig, suffix, 0.088 * side, step, 5.0 * side);
    }
    relax_hands(&mut pose, rig, 1.2);
    pose
}

/// Standing at a fraction of the cycle: one breath, one slow shift of weight.
fn idle(rig: &Rig, turn: f64) -> Pose {
    let mut pose = Pose::bind(rig);
    let (breath, shift) = (wave(turn), wave(turn + 0.1));
    let late = wave(turn - 0.08);
    pose.shift = DVec3::new(-0.004 * shift, 0.016 * shift, -0.016 + 0.003 * breath);
    pose.turn(rig, "hips", [-1.6 * shift, 0.0, 1.4 * shift]);
    pose.turn(rig, "spine1", [0.9 * shift, 0.4 * breath, -0.5 * shift]);
    pose.turn(rig, "spine2", [0.7 * shift, -1.1 * breath, -0.4 * shift]);
    pose.turn(rig, "chest", [0.4 * shift, -1.3 * breath, 0.0]);
    pose.turn(rig, "neck", [0.0, 1.6 * late, 0.0]);
    pose.turn(rig, "head", [0.5 * shift, 0.8 * late, 3.5 * wave(turn + 0.3)]);
    pose.turn(rig, "hood", [0.0, 1.5 * late, 2.0 * shift]);
    for (suffix, side) in SIDES {
        pose.turn(rig, &format!("clavicle{suffix}"), [1.8 * breath * side, 0.0, 0.0]);
        hang_arm(
            &mut pose,
            rig,
            (suffix, side),
            27.0 + 0.8 * breath,
            2.0 + late,
            16.0 + 1.5 * late,
        );
        let ankle = rig.place(&format!("foot{suffix}"));
        let stand = Step { x: ankle.x + 0.01 * side, z: ankle.z, pitch_deg: 0.0, toe_deg: 0.0 };
        place_foot(&mut pose, rig, suffix, ankle.y, stand, 9.0 * side);
    }
    relax_hands(&mut pose, rig, 1.0 + 0.06 * late);
    pose
}

/// Standing while the right arm goes up, waves three times and comes down.
fn greet(rig: &Rig, turn: f64) -> Pose {
    let mut pose = idle(rig, turn);
    let up = ramp(turn, 0.03, 0.26) * ramp(turn, 0.97, 0.74);
    let swing =
        ramp(turn, 0.22, 0.32) * ramp(turn, 0.80, 0.70) * sin((turn - 0.25) * 6.0 * PI / 0.5);
    let rest = pose.clone();
    let mut raised = pose.clone();
    let names =
        ["upper_arm_r", "forearm_r", "hand_r", "index1_r", "index2_r", "fingers1_r", "fingers2_r"];
    for name in names {
        raised.turns[rig.find(name)] = DQuat::IDENTITY;
    }
    raised.turn(rig, "upper_arm_r", [-34.0 - 3.0 * swing, 14.0, 12.0]);
    raised.twist(rig, "upper_arm_r", 22.0);
    raised.turn(rig, "forearm_r", [-84.0 - 19.0 * swing, 0.0, 0.0]);
    raised.twist(rig, "forearm_r", 52.0);
    raised.turn(rig, "hand_r", [-10.0 * swing, 0.0, 0.0]);
    raised.twist(rig, "hand_r", 10.0);
    for name in names {
        let joint = rig.find(name);
        pose.turns[joint] = rest.turns[joint].slerp(raised.turns[joint], up);
    }
    pose.turn(rig, "chest", [-3.0 * up, 0.0, -4.0 * up]);
    pose.turn(rig, "head", [3.0 * up, -2.0 * up, 4.0 * up]);
    pose.turn(rig, "clavicle_r", [-9.0 * up, 0.0, 0.0]);
    pose
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walk_planted_feet_go_back_at_one_speed_and_never_below_the_ground() {
        let rig = super::super::rig();
        let (ankle, toe) = (rig.place("foot_l"), rig.place("toe_l"));
        for frame in 0..1000 {
            let phase = f64::from(frame) / 1000.0;
            let now = step(ankle, toe, phase);
            assert!(now.z > ankle.z - 0.002, "{phase}: {}", now.z);
            if (HEEL_UNTIL..TOE_FROM - 0.001).contains(&phase) {
                let next = step(ankle, toe, phase + 0.001);
                assert!(((now.x - next.x) / 0.001 - SPEED).abs() < 1e-6, "{phase}");
            }
            let next = step(ankle, toe, (phase + 0.001).fract());
            assert!((now.x - next.x).abs() < 0.006 && (now.z - next.z).abs() < 0.006, "{phase}");
        }
    }
}
