//! The ranger's body as a distance field: hood, mask, coat, limbs, boots.
//!
//! Output: parts with the paint numbers below. Everything here is one closed surface; the equipment
//! is in `gear`.

use crate::field::Part;
use crate::scalar::radians;
use glam::{DQuat, DVec3};

/// Paint numbers.
pub(super) mod region {
    /// The hood and the short cape over the shoulders.
    pub(crate) const HOOD: u8 = 1;
    /// The inside of the hood.
    pub(crate) const LINING: u8 = 2;
    /// The mask.
    pub(crate) const MASK: u8 = 3;
    /// The coat.
    pub(crate) const COAT: u8 = 4;
    /// Sleeves.
    pub(crate) const SLEEVE: u8 = 5;
    /// Leather around the forearms.
    pub(crate) const BRACER: u8 = 6;
    /// Hands.
    pub(crate) const GLOVE: u8 = 7;
    /// The belt.
    pub(crate) const BELT: u8 = 8;
    /// Trousers.
    pub(crate) const TROUSERS: u8 = 9;
    /// Boots.
    pub(crate) const BOOT: u8 = 10;
    /// Soles.
    pub(crate) const SOLE: u8 = 11;
    /// Brass.
    pub(crate) const BRASS: u8 = 12;
    /// The scarf between cape and mask.
    pub(crate) const SCARF: u8 = 13;
    /// Leather bags.
    pub(crate) const BAG: u8 = 14;
    /// Feathers.
    pub(crate) const FEATHER: u8 = 15;
}
use region::{
    BELT, BOOT, BRACER, BRASS, COAT, GLOVE, HOOD, LINING, MASK, SCARF, SLEEVE, SOLE, TROUSERS,
};

/// The middle of the left eye.
pub(super) const EYE: DVec3 = DVec3::new(0.0835, 0.0365, 1.640);

const fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn tilt(degrees: f64) -> DQuat {
    DQuat::from_rotation_y(radians(degrees))
}

/// All parts, in the order of joining.
pub(super) fn parts() -> Vec<Part> {
    let mut parts = head();
    parts.extend(trunk());
    let mut side = arm();
    side.extend(leg());
    for part in side {
        parts.push(part);
        parts.push(part.mirrored());
    }
    // The ranger stands on z = 0.
    parts.push(Part::block(at(0.0, 0.0, -0.2), at(0.6, 0.6, 0.2), 0.0, SOLE, 0.006).cut());
    parts
}

fn head() -> Vec<Part> {
    let mut parts = vec![
        Part::egg(at(-0.028, 0.0, 1.652), at(0.142, 0.124, 0.148), HOOD, 0.0),
        Part::limb(at(-0.09, 0.0, 1.715), at(-0.215, 0.0, 1.685), 0.075, 0.026, HOOD, 0.06),
        Part::limb(at(-0.03, 0.0, 1.57), at(-0.03, 0.0, 1.46), 0.112, 0.105, HOOD, 0.05),
        Part::egg(at(0.112, 0.0, 1.634), at(0.112, 0.088, 0.128), LINING, 0.010).cut(),
        // The mask: a smooth shell with brow, nose, cheeks and chin.
        Part::egg(at(0.024, 0.0, 1.632), at(0.082, 0.083, 0.112), MASK, 0.012),
        Part::egg(at(0.078, 0.0, 1.556), at(0.034, 0.036, 0.030), MASK, 0.030),
        Part::limb(at(0.106, 0.0, 1.662), at(0.122, 0.0, 1.606), 0.008, 0.014, MASK, 0.016),
        Part::limb(at(0.100, 0.008, 1.668), at(0.078, 0.064, 1.680), 0.011, 0.009, MASK, 0.018),
        Part::limb(at(0.100, -0.008, 1.668), at(0.078, -0.064, 1.680), 0.011, 0.009, MASK, 0.018),
    ];
    for side in [1.0, -1.0] {
        let cheek = Part::egg(at(0.083, 0.042 * side, 1.602), at(0.024, 0.026, 0.022), MASK, 0.024);
        let socket =
            Part::egg(at(0.108, 0.0375 * side, 1.640), at(0.032, 0.0265, 0.0165), LINING, 0.008);
        parts.push(cheek);
        parts.push(socket.turned(DQuat::from_rotation_x(-0.16 * side)).cut());
    }
    parts
}

fn trunk() -> Vec<Part> {
    let oval = at(0.80, 1.0, 1.0);
    vec![
        Part::egg(at(-0.012, 0.0, 1.285), at(0.118, 0.168, 0.170), COAT, 0.03),
        Part::egg(at(0.0, 0.0, 1.10), at(0.104, 0.134, 0.170), COAT, 0.07),
        Part::egg(at(-0.006, 0.0, 0.95), at(0.118, 0.148, 0.11), COAT, 0.06),
        Part::drum(at(0.0, 0.0, 0.845), 0.125, 0.212, 0.150, COAT, 0.03).stretched(oval),
        // The cape lies over the shoulders, the scarf over the cape.
        Part::egg(at(-0.022, 0.0, 1.395), at(0.150, 0.238, 0.105), HOOD, 0.028),
        Part::drum(at(-0.022, 0.0, 1.335), 0.055, 0.205, 0.175, HOOD, 0.02)
            .stretched(at(0.70, 1.05, 1.0)),
        Part::egg(at(0.008, 0.0, 1.487), at(0.108, 0.118, 0.048), SCARF, 0.012).turned(tilt(14.0)),
        Part::egg(at(0.016, 0.0, 1.522), at(0.086, 0.096, 0.034), SCARF, 0.008).turned(tilt(10.0)),
        Part::drum(at(0.0, 0.0, 0.995), 0.030, 0.150, 0.146, BELT, 0.004)
            .stretched(at(0.82, 1.0, 1.0)),
        Part::block(at(0.122, 0.0, 0.995), at(0.014, 0.036, 0.034), 0.010, BRASS, 0.002),
    ]
}

fn arm() -> Vec<Part> {
    let (shoulder, elbow, wrist) =
        (at(-0.015, 0.18, 1.40), at(-0.02, 0.362, 1.222), at(0.012, 0.528, 1.043));
    let along = |share: f64| elbow.lerp(wrist, share);
    let finger = |from: DVec3, middle: DVec3, to: DVec3, thick: f64| {
        [
            Part::limb(from, middle, thick, thick * 0.97, GLOVE, 0.010),
            Part::limb(middle, to, thick * 0.97, thick * 0.82, GLOVE, 0.004),
        ]
    };
    let mut parts = vec![
        Part::limb(shoulder, elbow, 0.070, 0.052, SLEEVE, 0.03),
        Part::limb(elbow, along(0.45), 0.053, 0.060, SLEEVE, 0.02),
        Part::limb(along(0.44), along(0.93), 0.056, 0.042, BRACER, 0.003),
        Part::limb(along(0.40), along(0.46), 0.061, 0.060, BRACER, 0.003),
        Part::limb(along(0.92), at(0.016, 0.545, 1.02), 0.037, 0.034, GLOVE, 0.004),
        Part::limb(at(0.030, 0.556, 1.012), at(0.026, 0.586, 0.972), 0.027, 0.024, GLOVE, 0.012),
        Part::limb(at(-0.008, 0.552, 1.010), at(-0.010, 0.586, 0.968), 0.028, 0.024, GLOVE, 0.020),
    ];
    let at_hand = |offset: f64, drop: f64| {
        [at(offset, 0.588, 0.966), at(offset, 0.616, 0.922 + drop), at(offset, 0.637, 0.884 + drop)]
    };
    for (offset, drop) in [(0.034, 0.004), (0.008, -0.004), (-0.017, 0.003)] {
        let [from, middle, to] = at_hand(offset, drop);
        parts.extend(finger(from, middle, to, 0.0148));
    }
    parts.extend(finger(
        at(0.040, 0.552, 1.012),
        at(0.068, 0.572, 0.985),
        at(0.084, 0.588, 0.952),
        0.0155,
    ));
    parts
}

fn leg() -> Vec<Part> {
    let (hip, knee, ankle) =
        (at(0.0, 0.088, 0.90), at(0.014, 0.108, 0.500), at(-0.018, 0.114, 0.105));
    let along = |share: f64| knee.lerp(ankle, share);
    vec![
        Part::limb(hip.lerp(knee, 0.2), knee, 0.080, 0.064, TROUSERS, 0.02),
        Part::limb(at(0.02, 0.108, 0.500), along(0.5), 0.062, 0.062, TROUSERS, 0.02),
        Part::limb(along(0.36), along(0.98), 0.068, 0.054, BOOT, 0.004),
        Part::limb(along(0.27), along(0.36), 0.077, 0.072, BOOT, 0.003),
        Part::limb(at(-0.040, 0.114, 0.062), at(0.005, 0.115, 0.085), 0.056, 0.058, BOOT, 0.03),
        Part::limb(at(0.0, 0.115, 0.080), at(0.115, 0.124, 0.050), 0.056, 0.047, BOOT, 0.03),
        Part::egg(at(0.135, 0.125, 0.046), at(0.066, 0.054, 0.044), BOOT, 0.02),
        Part::block(at(0.062, 0.120, 0.010), at(0.145, 0.056, 0.022), 0.020, SOLE, 0.004)
            .turned(DQuat::from_rotation_z(0.05)),
    ]
}
