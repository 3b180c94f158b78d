//! Environments that need no file.
//!
//! The studio is a light room with soft boxes: a large one above and to the left of the viewer, a
//! weaker one to the right, and two narrow ones behind the model that outline its edges. Its
//! exposure makes half of a diffuse sphere brighter than its colour, and half darker. Azimuth 0
//! looks along -Z, so +Z is behind the viewer.

use super::EnvironmentMap;
use super::baked::decoded;
use tintype_model::math::{Vec3, clamp, unit_or};

/// Both as files of [`super::generated`].
pub(super) const BAKED: &[u8] = include_bytes!("studio.map");
pub(super) const BAKED_NEUTRAL: &[u8] = include_bytes!("neutral.map");

/// Texels per side of their sharp maps.
const SIDE: u32 = 128;
const NEUTRAL_SIDE: u32 = 64;

/// A window of light: a rectangle on a distant wall with soft edges.
struct SoftBox {
    /// Axes as seen from the centre of the room: right, up, and toward the centre of the window.
    axes: [Vec3; 3],
    /// Half its width and half its height at distance 1.
    half: [f32; 2],
    radiance: Vec3,
}

impl SoftBox {
    /// A box in a direction, upright.
    fn new(toward: Vec3, half: [f32; 2], radiance: Vec3) -> Self {
        let forward = unit_or(toward, Vec3::Y);
        let right = unit_or(Vec3::Y.cross(forward), Vec3::X);
        Self { axes: [right, forward.cross(right), forward], half, radiance }
    }
}

/// Width of the edge of a soft box, as a fraction of half its size.
const EDGE: f32 = 0.35;

/// White from everywhere.
#[must_use]
pub fn neutral() -> EnvironmentMap {
    decoded(BAKED_NEUTRAL, NEUTRAL_SIDE)
}

/// White from everywhere, from its definition: the content of [`BAKED_NEUTRAL`].
pub(super) fn computed_neutral() -> EnvironmentMap {
    EnvironmentMap::new(NEUTRAL_SIDE, |_| Vec3::ONE)
}

/// The studio.
#[must_use]
pub fn studio() -> EnvironmentMap {
    decoded(BAKED, SIDE)
}

/// The studio from its definition: the content of [`BAKED`].
pub(super) fn computed() -> EnvironmentMap {
    let boxes = [
        SoftBox::new(Vec3::new(-0.6, 0.6, 0.9), [0.65, 0.55], Vec3::new(1.47, 1.43, 1.36)),
        SoftBox::new(Vec3::new(0.9, 0.3, 0.9), [0.45, 0.7], Vec3::new(0.98, 1.02, 1.08)),
        SoftBox::new(Vec3::new(0.75, 0.4, -1.0), [0.25, 0.6], Vec3::new(2.1, 2.15, 2.25)),
        SoftBox::new(Vec3::new(-0.75, 0.4, -1.0), [0.25, 0.6], Vec3::new(1.8, 1.85, 1.95)),
    ];
    EnvironmentMap::new(SIDE, move |direction| {
        let mut light = room(direction);
        for one in &boxes {
            light += one.radiance * share(one, direction);
        }
        light
    })
}

/// Walls and floor: bright above, darker below, without an edge.
fn room(direction: Vec3) -> Vec3 {
    let part = clamp(0.5 + 0.75 * direction.y, 0.0, 1.0);
    let part = part * part * (3.0 - 2.0 * part);
    let (floor, sky) = (Vec3::new(0.284, 0.279, 0.274), Vec3::new(0.274, 0.274, 0.284));
    floor + (sky - floor) * part
}

/// Visibility of a soft box in a direction, 0..=1.
fn share(one: &SoftBox, direction: Vec3) -> f32 {
    let [right, up, forward] = one.axes;
    let along = direction.dot(forward);
    if along <= 0.0 {
        return 0.0;
    }
    let at = [direction.dot(right) / along, direction.dot(up) / along];
    let mut share = 1.0;
    for (at, half) in at.into_iter().zip(one.half) {
        let part = clamp((1.0 + EDGE - at.abs() / half) / (2.0 * EDGE), 0.0, 1.0);
        share *= part * part * (3.0 - 2.0 * part);
    }
    share
}
