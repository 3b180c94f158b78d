//! Shading of the fragments of a tile, one at a time: the definition of [`crate::raster::tile::shade::lanes`].

use crate::raster::context::FrameContext;
use crate::raster::fragments::centroid::shading_position;
use crate::raster::geometry::grid::Rect;
use crate::raster::shading::scalar::Surface;
use crate::raster::tile::scratch::Scratch;
/// Shades every fragment alone.
pub(crate) fn shade_fragments(frame: &FrameContext, rect: &Rect, scratch: &mut Scratch) {
    let Scratch { triangles, fragments, colors, .. } = scratch;
    colors.clear();
    let mut surface: Option<(u32, Surface)> = None;
    for fragment in fragments.all() {
        let current = match &mut surface {
            Some((triangle, current)) if *triangle == fragment.triangle => current,
            stale => {
                let id = triangles[fragment.triangle as usize];
                &mut stale
                    .insert((fragment.triangle, Surface::new(frame.geometry, frame.light, id)))
                    .1
            }
        };
        let (x, y) = shading_position(frame.geometry.pattern, rect, fragment);
        colors.push(current.shade(x, y).to_array());
    }
}
