//! Shadows of directional lights: a depth map for each, drawn with the coverage code of the frame,
//! and a soft filter that reads it.
//!
//! ```text
//! space        world space -> texels and depth of one map, on a lattice that is fixed in the world
//! project      vertices -> 1/256 texel and depth
//! depth_pass   triangles -> depths of tiles: the surface nearest to the light over the middle of each texel
//! tile         texels of a tile row by row, kept in a depth map or in tables
//! tables       what the filter reads of a map, filled tile by tile:
//!   strided      every texel, every second, fourth ... as contiguous rows
//!   bounds       planes above and below the depths of each block of texels
//! map          tables with all that turns them into a visible part of the light
//! filter       shadow map, point and normal -> visible part of the light
//! pixel        size of a pixel on a surface, the least width of an edge
//! receiver     position of a point of a faceted surface as a shadow receiver
//! ```
//!
//! # Conventions
//! - **Casters** are two-sided, except for closed meshes without holes, because the light cannot
//!   meet their inner side first. An alpha mask casts its holes; a blended surface casts where it
//!   hides at least half (`depth_pass::SOLID`). A draw may be excluded ([`crate::Draw::casts`]).
//! - **Receivers** are all surfaces. Points outside the map are lit.
//! - **Softness**: lights have a size, so shadows are sharp at contact and soften with distance.
//!
//! This module computes no light: shading multiplies the colour of a light by
//! [`ShadowMap::visibility`].
//!
//! # Determinism
//! Depth is stored in integers and filtered with integer weights, so the order of sums does not
//! matter. Everything else is computed independently for each point, by the same operations on
//! every level.
//!
//! # Source
//! Williams, "Casting Curved Shadows on Curved Surfaces", SIGGRAPH 1978; Reeves, Salesin and Cook,
//! "Rendering Antialiased Shadows with Depth Maps", SIGGRAPH 1987; Fernando, "Percentage-Closer
//! Soft Shadows", SIGGRAPH 2005 Sketches.

pub(crate) mod bounds;
pub(crate) mod depth_pass;
pub(crate) mod filter;
pub(crate) mod map;
pub(crate) mod pixel;
mod project;
pub(crate) mod receiver;
pub(crate) mod space;
pub(crate) mod strided;
pub(crate) mod tables;
mod tile;

use crate::geometry::vertex_table::VertexTable;
use crate::memory::Memory;
use crate::options::RasterOptions;
use crate::shadow::depth_pass::draw_depth_tiles;
use crate::shadow::pixel::PixelSize;
use crate::shadow::space::axes;
use crate::shadow::tables::Tables;
use crate::still::{Still, StillMap};
use crate::view::View;
pub use map::ShadowMap;
use rayon::prelude::*;
pub use space::Extent;
use space::Space;
use std::sync::Arc;
use tintype_model::Light;

/// Upper bound of the bytes of a map with at most this number of texels per side.
#[must_use]
pub fn bytes_of_map(side: u32) -> usize {
    Tables::most_bytes([side; 2])
}

/// Draws the shadow map of each light. None for lights without a shadow.
pub(crate) fn maps(
    view: &View,
    options: RasterOptions,
    table: &VertexTable,
    (memory, still): (&Memory, &Still),
) -> Vec<Option<ShadowMap>> {
    if view.shadows.is_empty() {
        return Vec::new();
    }
    let of_light = |(index, light): (usize, &Light)| {
        let shadow = view.shadows.iter().find(|shadow| shadow.light == index)?;
        let Light::Directional { to_light, .. } = *light else { return None };
        let pixel = |space: &Space| PixelSize::new(&view.camera, view.size, space.texel);
        if let Some(StillMap { space, tables, .. }) = still.map(to_light, shadow) {
            let tables = Arc::clone(tables);
            return Some(ShadowMap::new(
                *space,
                tables,
                shadow.spread,
                pixel(space),
                options.level,
            ));
        }
        let axes = axes(to_light);
        let extent = Extent::of(axes, view.draws.iter().filter(|draw| draw.casts).map(|d| d.posed));
        let [texel, depth_step] = shadow.grain(extent.size());
        let space = Space::new(axes, shadow.origin, texel, depth_step, &extent)?;
        let tables = Tables::filled(memory.tables(space.size), space.size, |bands| {
            draw_depth_tiles(view, options.level, table, &space, bands);
        });
        let (pixel, tables) = (pixel(&space), Arc::new(tables));
        let map = ShadowMap::new(space, tables, shadow.spread, pixel, options.level);
        #[cfg(test)]
        let map = ShadowMap { fault: options.planted(), ..map };
        Some(map)
    };
    view.lights.par_iter().enumerate().map(of_light).collect()
}
