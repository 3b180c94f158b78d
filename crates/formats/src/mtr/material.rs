//! The surface of a material of a `.mtr` file.

use super::program::ImageProgram;
use crate::text::SourcePosition;
use std::sync::Arc;
use tintype_model::{CullMode, LinearRgb, StageMotion, Table};

/// A search for a table by its name.
pub(super) type FindTable<'f> = dyn FnMut(&str) -> Option<Arc<Table>> + 'f;

/// Surface of a material.
#[derive(Clone, Debug, PartialEq)]
pub struct MtrLook {
    /// The colour of the surface.
    pub diffuse: Option<MtrLayer>,
    /// The normal map.
    pub normal: Option<MtrLayer>,
    /// The colour of highlights.
    pub specular: Option<MtrLayer>,
    /// The colour of its emission.
    pub emissive_map: Option<MtrLayer>,
    /// True if it is visible only by its emission.
    pub is_unlit: bool,
    /// Multiplies the colour of the surface.
    pub color: LinearRgb,
    /// Multiplies its alpha, 0 to 1.
    pub opacity: f32,
    /// Meaning of the alpha of the diffuse picture.
    pub cover: MtrCover,
    /// Culling, where the file sets it.
    pub cull: Option<CullMode>,
    /// The picture for level editors, used if there is no other.
    pub editor_image: Option<ImageProgram>,
    /// True if it has no active stage that draws anything, such as the shadow hull of a figure.
    pub is_undrawn: bool,
    /// Stages that move, or whose texture coordinates are not those of the mesh.
    pub stages: Vec<StageMotion>,
    /// Parts that were left out or assumed.
    pub notes: Vec<Note>,
}

/// A picture of a material.
#[derive(Clone, Debug, PartialEq)]
pub struct MtrLayer {
    /// Position of its stage.
    pub position: SourcePosition,
    /// Image program of the picture.
    pub image: ImageProgram,
    /// True if it ends at its edges instead of repeating.
    pub is_clamped: bool,
}

/// Meaning of alpha.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MtrCover {
    /// Hides everything: the surface is solid.
    Opaque,
    /// Texels up to this alpha are holes.
    Mask(f32),
    /// Coverage.
    Blend,
    /// Factor of the light added to the colour behind it.
    Add,
    /// Factor of the colour that multiplies the colour behind it.
    Multiply,
}

/// A remark for the author of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Its position.
    pub position: SourcePosition,
    /// The finding, and its consequence.
    pub message: String,
    /// True if the picture loses something; otherwise a fixed value replaced one that only a game
    /// knows.
    pub is_warning: bool,
}
