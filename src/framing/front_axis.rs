//! Front axis of a posed figure, by the names of its joints: its left side, its toes, its face.
//!
//! Input: joints with names and positions. Output: a level direction; none if the names give no hint, or contradict each other.

use crate::math::{Vec3, unit_or};
use std::collections::BTreeMap;

/// Joints that lie in front of another one: toes of the foot, the nose of the head.
const AHEAD: [(&[&str], &[&str]); 3] = [
    (&["toe", "ball"], &["foot", "ankle", "heel"]),
    (&["nose", "jaw", "snout", "mouth", "beak"], &["head", "skull", "neck"]),
    (&["head", "skull"], &["tail"]),
];
/// Share of the votes that must agree, 0 to 1.
const LEAST_AGREEMENT: f32 = 0.6;

/// The direction that a figure with these joints faces; +Y is up.
///
/// Pairs in front of each other count before left and right: exporters mirror names more often than feet.
#[must_use]
pub fn front_by_joints(joints: &[(&str, Vec3)]) -> Option<Vec3> {
    let level = |v: Vec3| Vec3::new(v.x, 0.0, v.z);
    let by_name: BTreeMap<String, Vec3> =
        joints.iter().map(|(name, place)| (name.to_lowercase(), *place)).collect();
    let middle = |words: &[&str]| {
        let found = by_name.iter().filter(|(name, _)| words.iter().any(|word| name.contains(word)));
        let (count, sum) = found.fold((0.0, Vec3::ZERO), |(n, sum), (_, at)| (n + 1.0, sum + *at));
        (count > 0.0).then(|| sum / count)
    };
    // 1. Pairs in front of each other; each pair of words has one vote.
    let ahead = AHEAD.iter().filter_map(|(front, back)| {
        Some(unit_or(level(middle(front)? - middle(back)?), Vec3::ZERO))
    });
    if let Some(found) = agreed(ahead) {
        return Some(found);
    }
    // 2. The cross product of right-to-left and up points ahead.
    agreed(by_name.iter().filter_map(|(name, &left)| {
        let right = mirrored(name).find_map(|other| by_name.get(&other))?;
        Some(level(left - *right).cross(Vec3::Y))
    }))
}

/// The mean of directions if most of them agree.
fn agreed(directions: impl Iterator<Item = Vec3>) -> Option<Vec3> {
    let (sum, all) =
        directions.fold((Vec3::ZERO, 0.0), |(sum, all), one| (sum + one, all + one.length()));
    let agreed = sum.length();
    (agreed > 0.0 && agreed >= LEAST_AGREEMENT * all).then(|| unit_or(sum, Vec3::Z))
}

/// Possible names of the joint on the other side of a left one: `left` or one `l` becomes `right` or `r`.
fn mirrored(name: &str) -> impl Iterator<Item = String> {
    let whole = name.contains("left").then(|| name.replacen("left", "right", 1));
    let letters = name.match_indices('l').map(|(at, _)| {
        let (before, behind) = (&name[..at], &name[at + 1..]);
        format!("{before}r{behind}")
    });
    whole.into_iter().chain(letters.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f32, y: f32, z: f32) -> Vec3 {
        Vec3::new(x, y, z)
    }

    #[test]
    fn facing_has_the_left_side_on_the_left() {
        for [left, right] in [
            ["LeftHand", "RightHand"],
            ["Bip01 L Hand", "Bip01 R Hand"],
            ["Lshoulder", "Rshoulder"],
            ["hand.l", "hand.r"],
        ] {
            let joints =
                [("spine", Vec3::ZERO), (left, at(1.0, 5.0, 0.1)), (right, at(-1.0, 5.0, 0.1))];
            let found = front_by_joints(&joints).unwrap();
            assert!((found - Vec3::Z).length() < 1e-6, "{left}: {found}");
            let turned =
                [("a", Vec3::ZERO), (left, at(0.0, 5.0, 1.0)), (right, at(0.0, 4.0, -1.0))];
            assert!((front_by_joints(&turned).unwrap() - Vec3::NEG_X).length() < 1e-6, "{left}");
        }
    }

    #[test]
    fn facing_is_where_toes_and_noses_point() {
        let joints = [
            ("foot", at(0.0, 0.1, 0.0)),
            ("toe", at(0.3, 0.0, 0.0)),
            ("tail", at(-2.0, 1.0, 0.0)),
            ("head", at(1.0, 1.5, 0.1)),
        ];
        assert!(front_by_joints(&joints).unwrap().x > 0.99);
    }

    #[test]
    fn facing_of_joints_that_say_nothing_is_unknown() {
        assert_eq!(front_by_joints(&[("bone1", Vec3::ZERO), ("bone2", Vec3::X)]), None);
        assert_eq!(front_by_joints(&[]), None);
        let torn = [
            ("arm_l", at(1.0, 0.0, 0.0)),
            ("arm_r", at(-1.0, 0.0, 0.0)),
            ("leg_l", at(-1.0, 0.0, 0.0)),
            ("leg_r", at(1.0, 0.0, 0.0)),
        ];
        assert_eq!(front_by_joints(&torn), None, "it contradicts itself");
    }
}
