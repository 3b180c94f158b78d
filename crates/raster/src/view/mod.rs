//! Input of the rasterizer.

pub(crate) mod floor;
pub(crate) mod occlusion;
pub(crate) mod shadow;

pub use floor::Floor;
pub use occlusion::Occlusion;
pub use shadow::{Shadow, octaves};

use crate::Background;
use crate::environment::Environment;
use tintype_model::{Camera, Light, LinearRgb, Material, Mesh, PosedMesh, Texture, Tone};

/// One mesh of one instance, posed in world space.
#[derive(Clone, Copy, Debug)]
pub struct Draw<'a> {
    /// Texture coordinates and other attributes of vertices.
    pub mesh: &'a Mesh,
    /// The drawn triangles of the mesh, each in its position; one that is left out has one vertex
    /// at all corners.
    pub triangles: &'a [[u32; 3]],
    /// Vertices in world space; tangents only if the material has a normal map.
    pub posed: &'a PosedMesh,
    /// Index into [`View::materials`].
    pub material: usize,
    /// True if it casts shadows.
    pub casts: bool,
}

/// Everything that a frame depends on.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The camera.
    pub camera: Camera,
    /// Width and height in pixels, each
    /// 1..=[`Frame::MAX_SIDE`](tintype_model::frame::Frame::MAX_SIDE).
    pub size: [u32; 2],
    /// Samples per pixel: 1, 2, 4, 8 or 16.
    pub samples: u32,
    /// Maximum number of probes per texture and fragment: 1, which is trilinear filtering, 2, 4, 8
    /// or 16.
    pub anisotropy: u32,
    /// Background, behind all models and the ground.
    pub background: Background,
    /// Ambient light in linear colour.
    pub ambient: LinearRgb,
    /// The lights.
    pub lights: &'a [Light],
    /// Light from all directions.
    pub environment: Option<Environment<'a>>,
    /// Light from all around that models block from each other and from themselves.
    pub occlusion: Option<Occlusion>,
    /// From light to the picture.
    pub tone: Tone,
    /// Shadows; at most one entry per light.
    pub shadows: &'a [Shadow],
    /// Ground that catches shadows, in front of the background.
    pub ground: Option<Floor>,
    /// Materials, by index of [`Draw::material`].
    pub materials: &'a [Material],
    /// Textures, by index in materials.
    pub textures: &'a [Texture],
    /// A digest of the draws, their vertices and the materials. None to reuse nothing. Frames of
    /// one [`Memory`](crate::Memory) with equal digests, occlusion and ground reuse everything that
    /// does not depend on the camera.
    pub content: Option<[u8; 16]>,
    /// Meshes to draw; the earlier one wins ties in depth.
    pub draws: &'a [Draw<'a>],
}
