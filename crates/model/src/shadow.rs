//! Shadow casting and the ground that receives shadows, as requested by a scene.

use super::LinearRgb;

/// A directional light that casts a shadow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastShadow {
    /// Index of the light; 0 is the key light of the studio.
    pub light: usize,
    /// Texels per side of its map, [`CastShadow::MIN_SIZE`]..=[`CastShadow::MAX_SIZE`]. None to
    /// derive it from the size of the picture.
    pub size: Option<u32>,
    /// Angular diameter of the light seen from the ground, in degrees: 0 is the hardest shadow
    /// possible with the map.
    pub softness_deg: f32,
}

impl CastShadow {
    /// Minimum texels per side.
    pub const MIN_SIZE: u32 = 64;
    /// Maximum texels per side: 32 MiB for each frame in flight.
    pub const MAX_SIZE: u32 = 4096;
    /// Texels per side, unless set by the scene.
    pub const DEFAULT_SIZE: u32 = 1024;
    /// Minimum texels per side of a map that follows the size of the picture.
    const MIN_BY_PICTURE: u32 = 256;
    /// The default: the sun through haze. (The bare sun is half a degree.)
    pub const DEFAULT_SOFTNESS_DEG: f32 = 3.0;
}

impl CastShadow {
    /// Texels per side of its map for a picture of this size. If the scene does not set them, at
    /// least two for each pixel of the longer side up to the default, as a power of two: a small
    /// picture shows no more detail, and its maps take a fraction of the time.
    #[must_use]
    pub fn texels(&self, [width, height]: [u32; 2]) -> u32 {
        let by_picture = || {
            let pixels = width.max(height).min(Self::DEFAULT_SIZE);
            (2 * pixels).next_power_of_two().clamp(Self::MIN_BY_PICTURE, Self::DEFAULT_SIZE)
        };
        self.size.unwrap_or_else(by_picture)
    }
}

/// A horizontal ground that catches shadows and hides nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Its height. None for the height of the lowest vertex of the models at rest.
    pub height: Option<f32>,
    /// Radius around the centre of the models at which it has faded out. None for a radius based on
    /// their size.
    pub radius: Option<f32>,
    /// Its material. None for a ground that shows only the shadow.
    pub color: Option<LinearRgb>,
    /// Darkness of the contact shadow, 0 to 1.
    pub contact: f32,
}

impl Ground {
    /// The default darkness of the contact shadow.
    pub const DEFAULT_CONTACT: f32 = 0.75;
}

impl Default for Ground {
    fn default() -> Self {
        Self { height: None, radius: None, color: None, contact: Self::DEFAULT_CONTACT }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_follow_the_picture_where_the_scene_leaves_them_open() {
        let open = CastShadow { light: 0, size: None, softness_deg: 3.0 };
        for (picture, texels) in [
            ([1, 1], 256),
            ([128, 96], 256),
            ([129, 1], 512),
            ([100, 256], 512),
            ([16384; 2], 1024),
        ] {
            assert_eq!(open.texels(picture), texels, "{picture:?}");
        }
        assert_eq!(CastShadow { size: Some(64), ..open }.texels([1920, 1080]), 64);
    }
}
