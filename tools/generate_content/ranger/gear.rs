//! Gear of the ranger: quiver, arrows, pouches, a shoulder plate. Each item is a closed surface,
//! fixed to its joints.

use super::body::region::{BAG, BRASS, FEATHER};
use crate::field::Part;
use glam::{DQuat, DVec3};

/// Something that is carried.
pub(super) struct Item {
    /// Its parts.
    pub parts: Vec<Part>,
    /// Triangles that it gets.
    pub triangles: usize,
    /// Joints that it is fast to.
    pub hold: Vec<(&'static str, f64)>,
}

/// All items.
pub(super) fn items() -> Vec<Item> {
    let at = DVec3::new;
    let (low, high) = (at(-0.168, 0.085, 1.07), at(-0.178, -0.085, 1.42));
    let up = (high - low).normalize();
    let mut quiver = vec![
        Part::limb(low, high, 0.044, 0.056, BAG, 0.0),
        Part::limb(high - up * 0.01, high + up * 0.01, 0.060, 0.060, BRASS, 0.003),
        Part::limb(low - up * 0.02, low, 0.047, 0.047, BRASS, 0.003),
    ];
    // A flat mouth, with four feathered shafts.
    let turn = DQuat::from_rotation_arc(DVec3::Z, up);
    let mouth = high + up * 0.14;
    quiver.push(Part::block(mouth, at(0.12, 0.12, 0.11), 0.0, BAG, 0.004).turned(turn).cut());
    for (x, y, length) in [(0.022, 0.02, 0.16), (-0.022, 0.018, 0.19), (0.002, -0.026, 0.145)] {
        let foot = high + turn * at(x, y, 0.0);
        let tip = foot + up * length;
        quiver.push(Part::limb(foot - up * 0.02, tip, 0.0085, 0.0085, BAG, 0.003));
        let feather = Part::egg(tip - up * 0.03, at(0.010, 0.026, 0.048), FEATHER, 0.004);
        quiver.push(feather.turned(turn * DQuat::from_rotation_z(x * 60.0)));
    }
    let pouch = |center: DVec3, half: DVec3, turn: f64| {
        let turn = DQuat::from_rotation_z(turn);
        vec![
            Part::block(center, half, 0.018, BAG, 0.0).turned(turn),
            Part::block(
                center + at(0.0, 0.0, half.z * 0.55),
                half * at(1.08, 1.08, 0.55),
                0.014,
                BAG,
                0.002,
            )
            .turned(turn),
            Part::egg(
                center + turn * at(half.x * 1.06, 0.0, half.z * 0.12),
                at(0.010, 0.011, 0.011),
                BRASS,
                0.001,
            ),
        ]
    };
    let plate_turn = DQuat::from_rotation_x(-0.55);
    let plate_at = at(-0.015, 0.222, 1.412);
    let plate = vec![
        Part::egg(plate_at, at(0.098, 0.094, 0.078), BRASS, 0.0).turned(plate_turn),
        Part::egg(
            plate_at + plate_turn * at(0.0, 0.012, -0.034),
            at(0.106, 0.104, 0.052),
            BRASS,
            0.004,
        )
        .turned(plate_turn),
        Part::block(
            plate_at + plate_turn * at(0.0, 0.0, -0.14),
            at(0.2, 0.2, 0.10),
            0.0,
            BRASS,
            0.006,
        )
        .turned(plate_turn)
        .cut(),
    ];
    vec![
        Item { parts: quiver, triangles: 560, hold: vec![("quiver", 1.0)] },
        Item {
            parts: pouch(at(0.082, 0.128, 0.945), at(0.032, 0.040, 0.046), 0.95),
            triangles: 150,
            hold: vec![("hips", 1.0)],
        },
        Item {
            parts: pouch(at(0.070, -0.130, 0.950), at(0.028, 0.034, 0.038), -1.05),
            triangles: 140,
            hold: vec![("hips", 1.0)],
        },
        Item {
            parts: plate,
            triangles: 240,
            hold: vec![("upper_arm_l", 0.55), ("clavicle_l", 0.45)],
        },
    ]
}
