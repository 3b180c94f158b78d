//! Skeletons and poses of the generator, and the two-bone solver that puts feet where they belong.
//!
//! A pose is authored as rotations about the model's axes (+X ahead, +Y left, +Z up), each on top
//! of its parent's. The joints' axes, along their bones, only appear when a file is written.

use crate::scalar::{hold, max, radians};
use glam::{DMat3, DQuat, DVec3};

/// A joint in the bind pose.
pub(crate) struct Joint {
    /// Its name in the files.
    pub name: String,
    /// The parent's number, smaller than the joint's.
    pub parent: Option<usize>,
    /// Position in model space.
    pub place: DVec3,
    /// Model space from joint space: x along the bone. As a reader restores it from the file.
    pub turn: DQuat,
}

/// A skeleton.
#[derive(Default)]
pub(crate) struct Rig {
    /// Parents before children.
    pub joints: Vec<Joint>,
}

/// `turn` as an MD5 file keeps it: `w` dropped after the sign is chosen so that it is not positive.
pub(crate) fn stored(turn: DQuat) -> DVec3 {
    let sign = if turn.w > 0.0 { -1.0 } else { 1.0 };
    let round = |value: f64| (value * sign * 1e8).round() / 1e8;
    DVec3::new(round(turn.x), round(turn.y), round(turn.z))
}

/// The rotation that a reader restores from the three numbers.
pub(crate) fn restored(stored: DVec3) -> DQuat {
    let rest = max(1.0 - stored.length_squared(), 0.0);
    DQuat::from_xyzw(stored.x, stored.y, stored.z, -rest.sqrt())
}

/// The frame with x axis `along` and y axis as near to `side` as possible.
fn frame(along: DVec3, side: DVec3) -> DMat3 {
    let x = along.normalize();
    let y = (side - x * x.dot(side)).normalize();
    DMat3::from_cols(x, y, x.cross(y))
}

impl Rig {
    /// Adds a joint whose bone points along `aim`; `parent` is empty for the root.
    pub(crate) fn add(&mut self, name: &str, parent: &str, place: DVec3, aim: DVec3) -> usize {
        // Sideways bones need another reference; the sign keeps the frame less than half a turn
        // from the model's.
        let sideways = aim.normalize().y;
        let side = if sideways.abs() > 0.6 { DVec3::X * -sideways.signum() } else { DVec3::Y };
        let turn = DQuat::from_mat3(&frame(aim, side)).normalize();
        let parent = (!parent.is_empty()).then(|| self.find(parent));
        let place = (place * 1e6).round() / 1e6;
        self.joints.push(Joint { name: name.into(), parent, place, turn: restored(stored(turn)) });
        self.joints.len() - 1
    }

    /// The number of a joint.
    pub(crate) fn find(&self, name: &str) -> usize {
        self.joints.iter().position(|joint| joint.name == name).expect("a joint of this rig")
    }

    /// The position of a joint in the bind pose.
    pub(crate) fn place(&self, name: &str) -> DVec3 {
        self.joints[self.find(name)].place
    }
}

/// A joint of a posed figure: its position, and its turn from the bind pose.
#[derive(Clone, Copy)]
pub(crate) struct Posed {
    /// In model space.
    pub place: DVec3,
    /// About the model's axes.
    pub turn: DQuat,
}

/// One pose.
#[derive(Clone)]
pub(crate) struct Pose {
    /// Offset of the root.
    pub shift: DVec3,
    /// Per joint, the turn on top of the parent's, about the model's axes.
    pub turns: Vec<DQuat>,
}

/// A two-bone limb and its end joint.
#[derive(Clone, Copy)]
pub(crate) struct Limb {
    /// Thigh, shin, foot.
    pub joints: [usize; 3],
    /// The direction in which the middle joint bends, in the bind pose.
    pub pole: DVec3,
}

impl Pose {
    /// The bind pose.
    pub(crate) fn bind(rig: &Rig) -> Self {
        Self { shift: DVec3::ZERO, turns: vec![DQuat::IDENTITY; rig.joints.len()] }
    }

    /// Turns a joint, on top of what it has, by degrees about the model's x, then y, then z axis.
    pub(crate) fn turn(&mut self, rig: &Rig, name: &str, degrees: [f64; 3]) {
        let [x, y, z] = degrees.map(radians);
        let turn =
            DQuat::from_rotation_z(z) * DQuat::from_rotation_y(y) * DQuat::from_rotation_x(x);
        let slot = &mut self.turns[rig.find(name)];
        *slot = turn * *slot;
    }

    /// Bends a joint before its other turns, so that its bone moves towards a direction of the bind
    /// pose.
    pub(crate) fn bend(&mut self, rig: &Rig, name: &str, toward: DVec3, degrees: f64) {
        let joint = rig.find(name);
        let axis = (rig.joints[joint].turn * DVec3::X).cross(toward).normalize();
        self.turns[joint] *= DQuat::from_axis_angle(axis, radians(degrees));
    }

    /// Rotates a joint about its bone, before its other rotations.
    pub(crate) fn twist(&mut self, rig: &Rig, name: &str, degrees: f64) {
        let joint = rig.find(name);
        let axis = (rig.joints[joint].turn * DVec3::X).normalize();
        self.turns[joint] *= DQuat::from_axis_angle(axis, radians(degrees));
    }

    /// All joints in model space.
    pub(crate) fn posed(&self, rig: &Rig) -> Vec<Posed> {
        let mut posed: Vec<Posed> = Vec::with_capacity(rig.joints.len());
        for (joint, &turn) in rig.joints.iter().zip(&self.turns) {
            posed.push(match joint.parent {
                None => Posed { place: joint.place + self.shift, turn },
                Some(parent) => {
                    let (above, bind) = (posed[parent], rig.joints[parent].place);
                    Posed {
                        place: above.place + above.turn * (joint.place - bind),
                        turn: (above.turn * turn).normalize(),
                    }
                }
            });
        }
        posed
    }

    /// Bends a limb so that its end joint is at `target`, the middle joint towards `pole`, and its
    /// end joint is turned by `end_turn` about the model's axes. Returns the distance by which the
    /// target is out of reach.
    pub(crate) fn reach(
        &mut self,
        rig: &Rig,
        limb: Limb,
        target: DVec3,
        pole: DVec3,
        end_turn: DQuat,
    ) -> f64 {
        let [upper, lower, end] = limb.joints;
        let bind = limb.joints.map(|joint| rig.joints[joint].place);
        let posed = self.posed(rig);
        let start = posed[upper].place;
        let above = rig.joints[upper].parent.map_or(DQuat::IDENTITY, |parent| posed[parent].turn);
        let (long, short) = ((bind[1] - bind[0]).length(), (bind[2] - bind[1]).length());
        let wanted = (target - start).length();
        let distance = hold(wanted, (long - short).abs() * 1.01, (long + short) * 0.999_5);
        let along = (target - start).normalize();
        let hinge = pole.cross(along).normalize();
        let ahead = along.cross(hinge);
        let near = (long * long - short * short + distance * distance) / (2.0 * distance);
        let middle = start + along * near + ahead * max(long * long - near * near, 0.0).sqrt();
        let tip = start + along * distance;
        let aim = |from: DVec3, to: DVec3, was: DVec3| {
            let new = frame(to - from, hinge);
            let old = frame(was, limb.pole.cross(was));
            DQuat::from_mat3(&(new * old.transpose())).normalize()
        };
        let upper_turn = aim(start, middle, bind[1] - bind[0]);
        let lower_turn = aim(middle, tip, bind[2] - bind[1]);
        self.turns[upper] = above.inverse() * upper_turn;
        self.turns[lower] = upper_turn.inverse() * lower_turn;
        self.turns[end] = lower_turn.inverse() * end_turn;
        (wanted - distance).abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reach_puts_the_end_joint_on_its_target_with_the_knee_ahead() {
        let mut rig = Rig::default();
        rig.add("root", "", DVec3::Z, DVec3::X);
        rig.add("thigh", "root", DVec3::new(0.0, 0.1, 0.9), -DVec3::Z);
        rig.add("shin", "thigh", DVec3::new(0.02, 0.1, 0.5), -DVec3::Z);
        rig.add("foot", "shin", DVec3::new(0.0, 0.1, 0.1), DVec3::X);
        let limb = Limb { joints: [1, 2, 3], pole: DVec3::X };
        for step in 0..20 {
            let target = DVec3::new(f64::from(step) * 0.03 - 0.3, 0.12, 0.25);
            let mut pose = Pose::bind(&rig);
            pose.turn(&rig, "root", [3.0, 5.0, -8.0]);
            assert!(pose.reach(&rig, limb, target, DVec3::X, DQuat::IDENTITY) < 1e-9);
            let posed = pose.posed(&rig);
            assert!((posed[3].place - target).length() < 1e-9);
            let straight = (posed[1].place + posed[3].place) * 0.5;
            assert!(posed[2].place.x > straight.x, "the knee bends ahead");
        }
    }

    #[test]
    fn stored_turns_come_back_with_w_below_zero() {
        let turn = DQuat::from_rotation_y(1.0) * DQuat::from_rotation_x(-0.4);
        let back = restored(stored(turn));
        assert!(back.w <= 0.0 && back.dot(turn).abs() > 1.0 - 1e-7);
    }
}
