//! Environment: light from all directions, preprocessed for fast look-ups.
//!
//! Input: the radiance of every direction. Output: an [`EnvironmentMap`] with a map of diffuse
//! light (or nine coefficients, which suffice for the soft built-in light) and a chain of
//! reflection maps, blurrier with roughness. `lamps` takes the sun out of a panorama; `octahedral`
//! maps directions to a square; `prefilter` computes the maps, which `blur` blurs; `albedo` is the
//! fraction of light that a rough surface reflects, and `lobe` the directions it comes from;
//! `lookup` reads the maps, one point at a time or over lanes. `baked` reads a map from a file, and
//! `generated` writes the files of this folder.
//!
//! # Conventions
//! World space, +Y up. Radiance is linear and not premultiplied. An [`Environment`] is a map placed
//! in the world: rotated about +Y and scaled.

pub(crate) mod albedo;
mod baked;
mod blur;
mod generated;
pub(crate) mod lamps;
pub(crate) mod lobe;
pub(crate) mod lookup;
pub(crate) mod map;
pub(crate) mod octahedral;
mod prefilter;
mod square;
mod studio;
pub(crate) mod texel;

pub use generated::baked_files;
pub use map::EnvironmentMap;
pub use studio::{neutral, studio};

use lamps::Lamp;
use tintype_model::math::Vec3;

/// An environment in a view.
#[derive(Clone, Copy, Debug)]
pub struct Environment<'a> {
    /// Its light.
    pub map: &'a EnvironmentMap,
    /// Cosine and sine of its rotation about +Y, counter-clockwise seen from above.
    pub turn: [f32; 2],
    /// Factor of its light.
    pub intensity: f32,
    /// True if it is shown behind the models, blurred.
    pub is_shown: bool,
}

impl Environment<'_> {
    /// Roughness used to show a blurred background.
    pub const BACKGROUND_ROUGHNESS: f32 = 0.35;

    /// Its lamps in the world.
    pub(crate) fn lamps(&self) -> Vec<Lamp> {
        let [cosine, sine] = self.turn;
        let placed = |lamp: &Lamp| {
            let Vec3 { x, y, z } = lamp.toward;
            let toward = Vec3::new(x * cosine + z * sine, y, z * cosine - x * sine);
            Lamp { toward, color: lamp.color * self.intensity, ..*lamp }
        };
        self.map.lamps.iter().map(placed).collect()
    }
}
