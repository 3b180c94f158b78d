//! Checks of a view and of options, once per frame. Afterwards every index and size used by the
//! stages is in range.

use crate::geometry::chunk::{MAX_CHUNKS, TRIANGLES_PER_CHUNK};
use crate::options::RasterOptions;
use crate::texture::anisotropic::scalar::is_allowed;
use crate::view::View;
use thiserror::Error;
use tintype_model::TextureRole;
use tintype_model::frame::Frame;
use tintype_model::simd::Level;

/// A view or an option that cannot be drawn: a mistake of the caller.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ViewError {
    /// A frame without pixels, or with more than fixed-point coverage can address.
    #[error("size: {}x{} is out of range; expected 1 to {max} per side", size[0], size[1], max = Frame::MAX_SIDE)]
    Size {
        /// Width and height.
        size: [u32; 2],
    },
    /// A sample count without a pattern.
    #[error("samples: {samples}; expected 1, 2, 4, 8 or 16")]
    Samples {
        /// Samples per pixel.
        samples: u32,
    },
    /// The number of probes is not a power of two, or too large.
    #[error("anisotropy: {anisotropy}; expected 1, 2, 4, 8 or 16")]
    Anisotropy {
        /// Most probes per texture and point.
        anisotropy: u32,
    },
    /// A tile side out of range.
    #[error(
        "options.tile: {tile} is out of range; expected {min} to {max} pixels, or {auto} for automatic",
        min = RasterOptions::MIN_TILE, max = RasterOptions::MAX_TILE, auto = RasterOptions::AUTO
    )]
    Tile {
        /// Pixels.
        tile: u32,
    },
    /// Instructions that this machine does not have.
    #[error("options.level: this machine does not have {}", level.name())]
    Level {
        /// The level.
        level: Level,
    },
    /// A draw with the index of a missing material.
    #[error("draws[{draw}].material: {material} is out of range; there are {count} materials")]
    Material {
        /// Index of the draw.
        draw: usize,
        /// Index of the material.
        material: usize,
        /// Number of materials.
        count: usize,
    },
    /// A material with the index of a missing texture.
    #[error("materials[{material}].{field}: {texture} is out of range; there are {count} textures")]
    Texture {
        /// Index of the material.
        material: usize,
        /// Its field.
        field: &'static str,
        /// Index of the texture.
        texture: usize,
        /// Number of textures.
        count: usize,
    },
    /// A draw whose vertex streams differ in length.
    #[error("draws[{draw}].{field}: has {found} entries; its mesh has {expected} vertices")]
    Vertices {
        /// Index of the draw.
        draw: usize,
        /// The stream.
        field: &'static str,
        /// Its entries.
        found: usize,
        /// Vertices of the mesh.
        expected: usize,
    },
    /// More vertices than 31 bits can number.
    #[error("draws: {found} vertices; the limit is {max}", max = MAX_VERTICES)]
    TooManyVertices {
        /// Vertices of all draws.
        found: usize,
    },
    /// More triangles than an identifier can name.
    #[error("draws: {found} triangles; the limit is about {max}", max = MAX_TRIANGLES)]
    TooManyTriangles {
        /// Triangles of all draws.
        found: usize,
    },
}

/// Maximum number of rows of the vertex table, whose halves are numbered in 32 bits.
const MAX_VERTICES: usize = (1 << 31) - 1;
/// Triangles in chunks that are all full.
const MAX_TRIANGLES: usize = MAX_CHUNKS * TRIANGLES_PER_CHUNK;

/// Checks everything that the stages rely on, in a time proportional to the numbers of draws and
/// materials.
pub(crate) fn check(view: &View, options: RasterOptions) -> Result<(), ViewError> {
    let View { size, samples, anisotropy, materials, textures, draws, .. } = *view;
    if size.iter().any(|side| !(1..=Frame::MAX_SIDE).contains(side)) {
        return Err(ViewError::Size { size });
    }
    if !matches!(samples, 1 | 2 | 4 | 8 | 16) {
        return Err(ViewError::Samples { samples });
    }
    if !is_allowed(anisotropy) {
        return Err(ViewError::Anisotropy { anisotropy });
    }
    let tile = options.tile_for(size, samples);
    if !(RasterOptions::MIN_TILE..=RasterOptions::MAX_TILE).contains(&tile) {
        return Err(ViewError::Tile { tile });
    }
    if !options.level.is_available() {
        return Err(ViewError::Level { level: options.level });
    }
    for (number, material) in materials.iter().enumerate() {
        for role in TextureRole::ALL {
            let (field, count) = (role.name(), textures.len());
            if let Some(texture) = material.texture(role).filter(|&texture| texture >= count) {
                return Err(ViewError::Texture { material: number, field, texture, count });
            }
        }
    }
    let (mut vertices, mut triangles) = (0, 0);
    for (number, draw) in draws.iter().enumerate() {
        let Some(material) = materials.get(draw.material) else {
            let (material, count) = (draw.material, materials.len());
            return Err(ViewError::Material { draw: number, material, count });
        };
        let expected = draw.mesh.texcoords.len();
        let is_wrong = |found: usize| found != expected;
        let lengths = |streams: &[Vec<f32>; 3]| streams.each_ref().map(Vec::len);
        let mut found = vec![("mesh.bitangent_sign", draw.mesh.bitangent_sign.len())];
        found.extend(lengths(&draw.posed.position).map(|length| ("posed.position", length)));
        found.extend(lengths(&draw.posed.normal).map(|length| ("posed.normal", length)));
        if material.needs_tangents() {
            found.extend(lengths(&draw.posed.tangent).map(|length| ("posed.tangent", length)));
        }
        if !draw.mesh.colors.is_empty() {
            found.push(("mesh.colors", draw.mesh.colors.len()));
        }
        if !draw.mesh.second_texcoords.is_empty() {
            found.push(("mesh.second_texcoords", draw.mesh.second_texcoords.len()));
        }
        if let Some(&(field, found)) = found.iter().find(|&&(_, found)| is_wrong(found)) {
            return Err(ViewError::Vertices { draw: number, field, found, expected });
        }
        vertices += expected;
        triangles += draw.triangles.len();
    }
    if vertices > MAX_VERTICES {
        return Err(ViewError::TooManyVertices { found: vertices });
    }
    // A shadow map begins a chunk with each draw.
    if triangles.div_ceil(TRIANGLES_PER_CHUNK) + draws.len() > MAX_CHUNKS {
        return Err(ViewError::TooManyTriangles { found: triangles });
    }
    Ok(())
}
