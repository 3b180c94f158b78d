//! The scarab's body as a distance field: wing cases, plates, legs, tail, horn.

use super::{FEELER, LEGS, TAIL, on_side};
use crate::field::Part;
use crate::scalar::radians;
use glam::{DQuat, DVec3};

/// Paint numbers.
pub(super) mod region {
    /// The wing cases.
    pub(crate) const WING: u8 = 1;
    /// The plate over the thorax.
    pub(crate) const PLATE: u8 = 2;
    /// The head.
    pub(crate) const HEAD: u8 = 3;
    /// The soft underside and the joints.
    pub(crate) const BELLY: u8 = 4;
    /// Legs.
    pub(crate) const LEG: u8 = 5;
    /// Rings of the tail.
    pub(crate) const TAIL: u8 = 6;
    /// Horn, jaws, spikes and claws.
    pub(crate) const HORN: u8 = 7;
    /// Feelers.
    pub(crate) const FEELER: u8 = 8;
    /// Eyes.
    pub(crate) const EYE: u8 = 9;
}
use region::{BELLY, EYE, HEAD, HORN, LEG, PLATE, WING};

const fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

/// All parts, in the order of joining.
pub(super) fn parts() -> Vec<Part> {
    let lean = |degrees: f64| DQuat::from_rotation_y(radians(degrees));
    let mut parts = vec![
        Part::egg(at(-0.19, 0.0, 0.335), at(0.315, 0.225, 0.125), BELLY, 0.0),
        Part::egg(at(0.14, 0.0, 0.315), at(0.24, 0.175, 0.105), BELLY, 0.05),
    ];
    // Two wing cases that meet in a furrow.
    let wing = Part::egg(at(-0.185, 0.070, 0.385), at(0.335, 0.205, 0.185), WING, 0.006)
        .turned(DQuat::from_rotation_z(-0.10) * DQuat::from_rotation_x(-0.12));
    let mut sided = vec![wing];
    parts.push(
        Part::egg(at(0.145, 0.0, 0.385), at(0.195, 0.205, 0.130), PLATE, 0.006).turned(lean(9.0)),
    );
    parts.push(
        Part::egg(at(0.335, 0.0, 0.345), at(0.115, 0.135, 0.095), PLATE, 0.02).turned(lean(14.0)),
    );
    parts.push(
        Part::egg(at(0.435, 0.0, 0.315), at(0.105, 0.110, 0.078), HEAD, 0.012).turned(lean(18.0)),
    );
    parts.push(Part::egg(at(0.515, 0.0, 0.290), at(0.060, 0.068, 0.040), HEAD, 0.03));
    // The horn bends up and forks.
    parts.push(Part::limb(at(0.47, 0.0, 0.365), at(0.590, 0.0, 0.415), 0.044, 0.033, HORN, 0.03));
    parts.push(Part::limb(at(0.590, 0.0, 0.415), at(0.672, 0.0, 0.505), 0.033, 0.024, HORN, 0.01));
    sided.push(Part::limb(
        at(0.668, 0.0, 0.495),
        at(0.725, 0.050, 0.575),
        0.023,
        0.012,
        HORN,
        0.012,
    ));
    sided.push(Part::egg(at(0.462, 0.092, 0.335), at(0.036, 0.034, 0.036), EYE, 0.003));
    sided.push(Part::limb(
        at(0.50, 0.066, 0.272),
        at(0.575, 0.082, 0.262),
        0.030,
        0.025,
        HORN,
        0.012,
    ));
    sided.push(Part::limb(
        at(0.575, 0.082, 0.262),
        at(0.650, 0.026, 0.262),
        0.024,
        0.011,
        HORN,
        0.006,
    ));
    // Spikes along the rim of the thorax plate.
    for (x, y) in [(0.24, 0.185), (0.13, 0.205)] {
        sided.push(Part::limb(
            at(x, y - 0.03, 0.365),
            at(x + 0.035, y + 0.040, 0.372),
            0.026,
            0.010,
            HORN,
            0.01,
        ));
    }
    sided.extend(feeler());
    for leg in LEGS {
        sided.extend(limb(leg.map(|place| on_side(place, 1.0))));
    }
    parts.extend(tail());
    for part in sided {
        parts.push(part);
        parts.push(part.mirrored());
    }
    parts
}

fn feeler() -> Vec<Part> {
    let places = FEELER.map(|place| on_side(place, 1.0));
    let mut parts = Vec::new();
    for (index, pair) in places.windows(2).enumerate() {
        let thick = 0.0175 - 0.0012 * index as f64;
        parts.push(Part::limb(pair[0], pair[1], thick, thick * 0.92, region::FEELER, 0.006));
        parts.push(Part::egg(pair[0], DVec3::splat(thick * 1.32), region::FEELER, 0.004));
    }
    // A fan of three leaves at the tip.
    let tip = places[4];
    for lift in [-0.030, 0.0, 0.030] {
        let end = tip + at(0.065, 0.020 + lift * 0.6, lift * 1.3 - 0.01);
        parts.push(Part::limb(tip, end, 0.0135, 0.0165, region::FEELER, 0.006));
    }
    parts
}

fn limb([hip, second, knee, ankle, tip]: [DVec3; 5]) -> Vec<Part> {
    let spike = |share: f64, length: f64| {
        let from = knee.lerp(ankle, share);
        let out = (ankle - knee).cross(at(1.0, 0.0, 0.0)).cross(ankle - knee).normalize();
        let out = if out.z.abs() > 2.0 {
            out
        } else {
            (knee - second).normalize() * 0.5 + at(0.0, 0.25, -0.3)
        };
        Part::limb(from, from + out.normalize() * length, 0.017, 0.0095, HORN, 0.008)
    };
    vec![
        Part::limb(hip, second, 0.058, 0.050, BELLY, 0.03),
        Part::egg(second, DVec3::splat(0.052), LEG, 0.006),
        Part::limb(second, knee, 0.034, 0.030, LEG, 0.004),
        Part::limb(second.lerp(knee, 0.30), second.lerp(knee, 0.68), 0.042, 0.040, LEG, 0.02),
        Part::egg(knee, DVec3::splat(0.040), LEG, 0.004),
        Part::limb(knee, ankle, 0.031, 0.022, LEG, 0.004),
        spike(0.32, 0.062),
        spike(0.60, 0.054),
        Part::egg(ankle, DVec3::splat(0.026), LEG, 0.003),
        Part::limb(ankle, tip + at(0.0, 0.0, 0.006), 0.019, 0.0155, HORN, 0.004),
    ]
}

fn tail() -> Vec<Part> {
    let places = TAIL.map(DVec3::from);
    let mut parts = Vec::new();
    for (index, pair) in places.windows(2).take(5).enumerate() {
        let thick = 0.086 - 0.010 * index as f64;
        let aim = (pair[1] - pair[0]).normalize();
        let turn = DQuat::from_rotation_arc(DVec3::X, aim);
        let middle = pair[0].lerp(pair[1], 0.52);
        let long = (pair[1] - pair[0]).length() * 0.62;
        parts.push(Part::limb(pair[0], pair[1], thick * 0.62, thick * 0.56, BELLY, 0.01));
        parts.push(
            Part::egg(middle, at(long, thick, thick * 0.92), region::TAIL, 0.004).turned(turn),
        );
    }
    let (bulb, tip) = (places[5], places[6]);
    parts.push(Part::egg(bulb.lerp(tip, 0.22), at(0.058, 0.056, 0.062), region::TAIL, 0.006));
    parts.push(Part::limb(bulb.lerp(tip, 0.35), tip, 0.034, 0.011, HORN, 0.02));
    parts
}
