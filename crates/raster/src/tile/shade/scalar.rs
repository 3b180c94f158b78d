//! Shading of the fragments of a tile, one at a time: the definition of
//! [`crate::tile::shade::lanes`].

use crate::context::FrameContext;
use crate::fragments::centroid::shading_position;
use crate::geometry::grid::Rect;
use crate::shading::scalar::Surface;
use crate::tile::scratch::Scratch;
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
