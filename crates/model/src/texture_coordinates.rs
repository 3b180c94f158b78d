//! Texture coordinates of a texture that does not use the unchanged first ones of its mesh.

use crate::math::func::sin_cos_f64;
use crate::math::{Vec2, clamp};
use core::f64::consts::TAU;

/// Texture coordinates of one texture of a material: a set of the mesh, and an affine transform of
/// it.
///
/// A material has them only if its textures differ: a common transform is applied to the mesh when
/// it is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureCoordinates {
    /// True if they are those of [`Mesh::second_texcoords`](super::Mesh::second_texcoords).
    pub is_second: bool,
    /// Steps in the texture per unit of the first coordinate and of the second.
    pub steps: [Vec2; 2],
    /// Position in the texture of the origin of the coordinates.
    pub offset: Vec2,
}

impl TextureCoordinates {
    /// A set as it is.
    #[must_use]
    pub const fn plain(is_second: bool) -> Self {
        Self { is_second, steps: [Vec2::X, Vec2::Y], offset: Vec2::ZERO }
    }

    /// A set scaled, then rotated counter-clockwise by an angle of this cosine and sine, then
    /// moved.
    ///
    /// # Source
    /// KHR_texture_transform.
    #[must_use]
    pub fn transformed(
        is_second: bool,
        scale: Vec2,
        [cosine, sine]: [f32; 2],
        offset: Vec2,
    ) -> Self {
        let steps = [Vec2::new(cosine, -sine) * scale.x, Vec2::new(sine, cosine) * scale.y];
        Self { is_second, steps, offset }
    }

    /// The position in the texture for coordinates of the set.
    #[inline]
    #[must_use]
    pub fn point(&self, at: Vec2) -> Vec2 {
        self.direction(at) + self.offset
    }

    /// Chains these coordinates after others, in place of the set.
    #[must_use]
    pub fn after(&self, first: &Self) -> Self {
        let steps = first.steps.map(|step| self.direction(step));
        Self { is_second: self.is_second, steps, offset: self.point(first.offset) }
    }

    /// The step in the texture for a step of the coordinates of the set.
    #[inline]
    #[must_use]
    pub fn direction(&self, step: Vec2) -> Vec2 {
        self.steps[0] * step.x + self.steps[1] * step.y
    }
}

/// Change of texture coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoordinateChange {
    /// Adds two lengths.
    Translate,
    /// Multiplies by two factors.
    Scale,
    /// The same around (0.5, 0.5).
    CenterScale,
    /// Adds a multiple of each coordinate to the other, around (0.5, 0.5).
    Shear,
    /// Rotates around (0.5, 0.5); the first number is in turns.
    Rotate,
}

impl CoordinateChange {
    /// The word of it in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Translate => "translate",
            Self::Scale => "scale",
            Self::CenterScale => "centerscale",
            Self::Shear => "shear",
            Self::Rotate => "rotate",
        }
    }

    /// True if it has one number in files, false if it has two.
    #[must_use]
    pub fn has_one(self) -> bool {
        self == Self::Rotate
    }

    /// Applies two numbers to the texture coordinates of the mesh.
    #[must_use]
    pub fn coordinates(self, [a, b]: [f64; 2]) -> TextureCoordinates {
        let (steps, offset) = match self {
            // Textures repeat: whole turns are dropped to keep the digits after the point.
            Self::Translate => ([[1.0, 0.0], [0.0, 1.0]], [a - a.trunc(), b - b.trunc()]),
            Self::Scale => ([[a, 0.0], [0.0, b]], [0.0, 0.0]),
            Self::CenterScale => ([[a, 0.0], [0.0, b]], [0.5 - 0.5 * a, 0.5 - 0.5 * b]),
            Self::Shear => ([[1.0, b], [a, 1.0]], [-0.5 * a, -0.5 * b]),
            Self::Rotate => {
                let (sine, cosine) = sin_cos_f64((a - a.trunc()) * TAU);
                let offset = [0.5 - 0.5 * cosine + 0.5 * sine, 0.5 - 0.5 * sine - 0.5 * cosine];
                ([[cosine, sine], [-sine, cosine]], offset)
            }
        };
        TextureCoordinates {
            is_second: false,
            steps: steps.map(|[u, v]| Vec2::new(narrow(u), narrow(v))),
            offset: Vec2::new(narrow(offset[0]), narrow(offset[1])),
        }
    }
}

/// The nearest 32-bit number, and a large one for those beyond the range of textures.
#[expect(clippy::cast_possible_truncation, reason = "the nearest f32")]
fn narrow(value: f64) -> f32 {
    const MOST: f32 = 1e6;
    clamp(value as f32, -MOST, MOST)
}
