//! Shadows of directional lights: a depth map from each, drawn by the coverage code of the picture, and how a point of a surface
//! reads it.
//!
//! ```text
//! space    world space -> texels and depth of one map, on a lattice that stands still in the world
//! cast     triangles -> depth map: the surface nearest to the light over each texel's middle
//! filter   depth map, a point and its normal -> how much of the light the point sees
//! grain    the texels of a depth map that lie a power of two apart
//! window   filter over lanes
//! receive  where a point of a faceted surface stands for its shadow, over lanes too
//! ```
//!
//! # Conventions
//! - **Casters** are two-sided. An alpha mask casts its holes; a blended surface casts where it hides at least half
//!   (`cast::SOLID`). A draw may be left out ([`crate::raster::Draw::casts`]).
//! - **Receivers** are all surfaces. What lies beside the map is lit.
//! - **Softness**: a light has a size, so that shadows are sharp where they begin and soften with distance.
//!
//! This module computes no light: [`crate::raster::shading::light`] multiplies the light's colour by what [`ShadowMap::visibility`] tells.
//!
//! # Determinism
//! Depth is kept in whole units and filtered with whole weights, whose sums have no order. Everything else is computed for each point
//! alone, by the same operations on every level.
//!
//! # Source
//! Williams, "Casting Curved Shadows on Curved Surfaces", SIGGRAPH 1978; Reeves, Salesin and Cook, "Rendering Antialiased
//! Shadows with Depth Maps", SIGGRAPH 1987; Fernando, "Percentage-Closer Soft Shadows", SIGGRAPH 2005 Sketches.

pub(crate) mod depth_pass;
pub(crate) mod filter;
pub(crate) mod map;
pub(crate) mod receiver;
pub(crate) mod space;
pub(crate) mod strided;

use crate::model::Light;
use crate::raster::geometry::vertex_table::VertexTable;
use crate::raster::options::RasterOptions;
use crate::raster::shadow::depth_pass::draw_depth_map;
use crate::raster::shadow::space::axes;
use crate::raster::view::View;
pub use map::ShadowMap;
use rayon::prelude::*;
pub use space::Extent;
use space::Space;

/// The map of each light; none for lights without.
pub(crate) fn maps(
    view: &View,
    options: RasterOptions,
    table: &VertexTable,
) -> Vec<Option<ShadowMap>> {
    if view.shadows.is_empty() {
        return Vec::new();
    }
    let of_light = |(index, light): (usize, &Light)| {
        let shadow = view.shadows.iter().find(|shadow| shadow.light == index)?;
        let Light::Directional { to_light, .. } = *light else { return None };
        let axes = axes(to_light);
        let extent = Extent::of(axes, view.draws.iter().filter(|draw| draw.casts).map(|d| d.posed));
        let space = Space::new(axes, shadow.origin, shadow.texel, shadow.depth_step, &extent)?;
        let map = draw_depth_map(view, options.level, table, &space);
        let map = ShadowMap::new(space, &map, shadow.spread, options.level);
        #[cfg(test)]
        let map = ShadowMap { fault: options.planted(), ..map };
        Some(map)
    };
    view.lights.par_iter().enumerate().map(of_light).collect()
}
