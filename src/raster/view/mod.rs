//! The input of the rasterizer.

pub(crate) mod floor;
pub(crate) mod shadow;

pub use floor::Floor;
pub use shadow::Shadow;

use crate::model::{Background, Camera, Light, LinearRgb, Material, Mesh, PosedMesh, Texture};

/// One mesh of one instance, posed in world space.
#[derive(Clone, Copy, Debug)]
pub struct Draw<'a> {
    /// Triangles and texture coordinates.
    pub mesh: &'a Mesh,
    /// Its vertices in world space; tangents only if its material has a normal map.
    pub posed: &'a PosedMesh,
    /// Index into [`View::materials`].
    pub material: usize,
    /// Whether it casts shadows.
    pub casts: bool,
}

/// Everything that a picture depends on.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The camera.
    pub camera: Camera,
    /// Width and height in pixels, each 1..=[`Frame::MAX_SIDE`].
    pub size: [u32; 2],
    /// Samples a pixel: 1, 2, 4, 8 or 16.
    pub samples: u32,
    /// Probes a texture and point at most: 1, which is trilinear filtering, 2, 4, 8 or 16.
    pub anisotropy: u32,
    /// What is behind everything.
    pub background: Background,
    /// Light from everywhere, in linear colour.
    pub ambient: LinearRgb,
    /// The lights.
    pub lights: &'a [Light],
    /// Which of them cast shadows; at most one entry each.
    pub shadows: &'a [Shadow],
    /// What catches shadows behind everything.
    pub ground: Option<Floor>,
    /// The materials that draws name.
    pub materials: &'a [Material],
    /// The textures that materials name.
    pub textures: &'a [Texture],
    /// What to draw; ties in depth go to the earlier one.
    pub draws: &'a [Draw<'a>],
}
