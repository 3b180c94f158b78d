//! Texture coordinates of a texture that does not use the first of its mesh as they are.

use crate::math::Vec2;

/// Texture coordinates of one texture of a material: a set of the mesh, and an affine transform of it.
///
/// A material has them only where its textures differ: those of one transform are applied to the mesh when it is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureCoordinates {
    /// Whether they are those of [`Mesh::second_texcoords`](super::Mesh::second_texcoords).
    pub is_second: bool,
    /// Steps in the texture for a unit of the first coordinate and for one of the second.
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

    /// The position in the texture of coordinates of the set.
    #[inline]
    #[must_use]
    pub fn point(&self, at: Vec2) -> Vec2 {
        self.direction(at) + self.offset
    }

    /// These coordinates of those that others give, in place of the set.
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
