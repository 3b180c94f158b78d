//! A material of a `.mtr` file as far as it means something for a picture.

use super::error::MtrError;
use super::program::ImageProgram;
use crate::formats::text::SourcePosition;
use crate::model::{CullMode, LinearRgb};

/// One material of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct MtrMaterial {
    /// Its name as written.
    pub name: String,
    /// Where its name stands.
    pub position: SourcePosition,
    /// What it looks like, or why its block cannot be read; other materials of the file do not suffer from that.
    pub look: Result<MtrLook, MtrError>,
}

/// What a material looks like.
#[derive(Clone, Debug, PartialEq)]
pub struct MtrLook {
    /// The colour of the surface.
    pub diffuse: Option<MtrLayer>,
    /// The normal map.
    pub normal: Option<MtrLayer>,
    /// The colour of highlights.
    pub specular: Option<MtrLayer>,
    /// The colour of its own light.
    pub glow: Option<MtrLayer>,
    /// Whether it is seen by its own light alone.
    pub is_unlit: bool,
    /// Multiplies the colour of the surface.
    pub color: LinearRgb,
    /// Multiplies its alpha, 0 to 1.
    pub opacity: f32,
    /// What the alpha of the diffuse picture means.
    pub cover: MtrCover,
    /// Which faces are drawn, where it says so.
    pub cull: Option<CullMode>,
    /// The picture that level editors show, for when no other is there.
    pub editor_image: Option<ImageProgram>,
    /// Whether it has no stage that is on and draws anything, such as the hull that throws the shadow of a figure.
    pub is_undrawn: bool,
    /// What was left out or taken for granted.
    pub notes: Vec<Note>,
}

/// A picture of a material.
#[derive(Clone, Debug, PartialEq)]
pub struct MtrLayer {
    /// Where its stage begins.
    pub position: SourcePosition,
    /// How the picture is made.
    pub image: ImageProgram,
    /// Whether it ends at its edges instead of repeating.
    pub is_clamped: bool,
}

/// What alpha means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MtrCover {
    /// Nothing: the surface is solid.
    Opaque,
    /// Texels up to this alpha are holes.
    Mask(f32),
    /// Coverage.
    Blend,
    /// How much of the light is added to what is behind.
    Add,
    /// How much of the colour what is behind is multiplied with.
    Multiply,
}

/// Something that the author of a file may want to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where it stands.
    pub position: SourcePosition,
    /// What was found, and what is done about it.
    pub message: String,
    /// Whether the picture is poorer for it; otherwise a value was taken for what only a game knows.
    pub is_warning: bool,
}
