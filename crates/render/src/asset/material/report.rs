//! Reports of materials, for people: origin, files, and tried names.

use crate::asset::lookup::Found;
use std::path::PathBuf;
use tintype_base::precedence::DecidedBy;
use tintype_model::{LayerTextures, TextureRole};

/// Origin of a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaterialOrigin {
    /// The `[[material]]` table of this index.
    Scene(usize),
    /// The model's file describes it, and all its textures were found.
    File,
    /// The model's file describes it, but its diffuse texture was not found.
    FileMissing,
    /// A texture was found by the shader name.
    Found,
    /// A texture was found by another rule than its name; the notes name the rule.
    Guessed,
    /// No texture was found.
    Missing,
    /// Engines do not draw a surface with this shader name; the notes contain the reason.
    Helper,
    /// A Doom 3 material file defines it.
    Mtr,
    /// A Doom 3 material file defines it, but no picture for its surface was found.
    MtrMissing,
    /// A Doom 3 material file defines it without any active stage: it is not drawn.
    MtrUndrawn,
    /// The mesh has an empty shader name: plain grey.
    Unnamed,
    /// The mesh has no triangles, so nothing was searched.
    EmptyMesh,
}

impl MaterialOrigin {
    /// The origin if the texture of the surface cannot be used. None if the material needs none;
    /// `is_asked` if it has a request for one.
    pub(super) fn without_surface(self, is_asked: bool) -> Option<Self> {
        match self {
            Self::Found | Self::Guessed | Self::Missing => Some(Self::Missing),
            Self::MtrMissing => Some(Self::MtrMissing),
            Self::Mtr if is_asked => Some(Self::MtrMissing),
            Self::FileMissing => Some(Self::FileMissing),
            Self::File if is_asked => Some(Self::FileMissing),
            _ => None,
        }
    }

    /// The side that decided it.
    #[must_use]
    pub fn decided_by(self) -> DecidedBy {
        match self {
            Self::Scene(_) => DecidedBy::Wish,
            Self::File | Self::FileMissing => DecidedBy::Statement,
            Self::Guessed => DecidedBy::Guess,
            Self::Found
            | Self::Missing
            | Self::Helper
            | Self::Mtr
            | Self::MtrMissing
            | Self::MtrUndrawn
            | Self::Unnamed
            | Self::EmptyMesh => DecidedBy::Convention,
        }
    }

    /// True if plain grey or the magenta checkerboard replaces a texture that was not found.
    #[must_use]
    pub fn is_missing(self) -> bool {
        matches!(self, Self::Missing | Self::FileMissing | Self::MtrMissing)
    }
}

impl core::fmt::Display for MaterialOrigin {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Scene(index) => write!(f, "material[{index}] of the scene"),
            Self::File => f.write_str("of the model's file"),
            Self::FileMissing => f.write_str("of the model's file, texture not found"),
            Self::Found => f.write_str("found by the shader name"),
            Self::Guessed => f.write_str("guessed"),
            Self::Helper => f.write_str("not drawn"),
            Self::Missing => f.write_str("no texture found"),
            Self::Mtr => f.write_str("of a .mtr file"),
            Self::MtrMissing => f.write_str("of a .mtr file, no texture found"),
            Self::MtrUndrawn => f.write_str("of a .mtr file, without a stage: not drawn"),
            Self::Unnamed => f.write_str("no shader name: plain grey"),
            Self::EmptyMesh => f.write_str("a mesh without triangles: no texture needed"),
        }
    }
}

/// A material and its origin, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaterialReport {
    /// The shader name.
    pub shader: String,
    /// Origin of the material.
    pub origin: MaterialOrigin,
    /// The file of the diffuse texture.
    pub diffuse: Option<PathBuf>,
    /// The file of the normal map.
    pub normal: Option<PathBuf>,
    /// The file of the specular texture.
    pub specular: Option<PathBuf>,
    /// The file of the emission texture.
    pub emissive_map: Option<PathBuf>,
    /// The file of the texture of roughness and metalness.
    pub metallic_roughness: Option<PathBuf>,
    /// The file of the texture of occlusion.
    pub occlusion: Option<PathBuf>,
    /// The files of the textures of its layers.
    pub layers: LayerTextures<PathBuf>,
    /// The searched names, in order; the last may be the found one.
    pub tried: Vec<String>,
    /// The searched folders.
    pub searched: Vec<PathBuf>,
    /// Its Doom 3 material file.
    pub mtr: Option<MtrReport>,
    /// Choices not stated in files: guesses, and values that are drawn differently.
    pub notes: Vec<String>,
}

impl MaterialReport {
    pub(super) fn new(shader: String, origin: MaterialOrigin, found: Found) -> Self {
        let Found {
            diffuse,
            normal,
            specular,
            emissive_map,
            metallic_roughness,
            occlusion,
            layers,
            tried,
            is_broken: _,
        } = found;
        Self {
            shader,
            origin,
            diffuse,
            normal,
            specular,
            emissive_map,
            metallic_roughness,
            occlusion,
            layers,
            tried,
            searched: Vec::new(),
            mtr: None,
            notes: Vec::new(),
        }
    }

    /// The file of the texture of a role.
    #[must_use]
    pub fn texture(&self, role: TextureRole) -> Option<&PathBuf> {
        match role {
            TextureRole::Diffuse => self.diffuse.as_ref(),
            TextureRole::Normal => self.normal.as_ref(),
            TextureRole::Specular => self.specular.as_ref(),
            TextureRole::Emissive => self.emissive_map.as_ref(),
            TextureRole::MetallicRoughness => self.metallic_roughness.as_ref(),
            TextureRole::Occlusion => self.occlusion.as_ref(),
            layer => self.layers.get(layer),
        }
    }

    pub(super) fn texture_mut(&mut self, role: TextureRole) -> &mut Option<PathBuf> {
        match role {
            TextureRole::Diffuse => &mut self.diffuse,
            TextureRole::Normal => &mut self.normal,
            TextureRole::Specular => &mut self.specular,
            TextureRole::Emissive => &mut self.emissive_map,
            TextureRole::MetallicRoughness => &mut self.metallic_roughness,
            TextureRole::Occlusion => &mut self.occlusion,
            layer => self.layers.get_mut(layer),
        }
    }
}

/// The Doom 3 material file of a material.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MtrReport {
    /// The file.
    pub path: PathBuf,
    /// The line of the material's name.
    pub line: u32,
    /// The image programs of its pictures that are more than a path, each with the role of the
    /// picture.
    pub programs: Vec<(&'static str, String)>,
    /// Omitted parts, and assumed values of a game: line and message.
    pub notes: Vec<(u32, String)>,
}
