//! Visibility of a tile, one sample at a time: the definition.

use crate::model::AlphaMode;
use crate::raster::coverage::scalar::cover_scalar;
use crate::raster::fault::Fault;
use crate::raster::shading::scalar::Surface;
use crate::raster::tile::scratch::{Scratch, TileWork};

/// Finds what each pixel shows: points and fragments, without light. False if the tile is empty.
pub(crate) fn find_visible(work: &mut TileWork) -> bool {
    let TileWork { scene, rect, index, scratch } = work;
    scratch.samples.clear(rect, scene.pattern.len(), 1.0 / scene.view.camera.far);
    let is_empty = !scratch.start(scene, *index);
    let Scratch { triangles, blended, samples, .. } = &mut **scratch;
    let (pattern, is_faulty) = (scene.pattern, scene.fault == Some(Fault::Depth));
    for (place, &id) in (0_u32..).zip(triangles.iter()) {
        let (_, triangle) = id.of(scene.chunks);
        match scene.material(id).alpha {
            AlphaMode::Blend | AlphaMode::Add | AlphaMode::Multiply => blended.push(place),
            AlphaMode::Opaque => {
                cover_scalar(pattern, rect, triangle, place, is_faulty, samples, |_, _| true);
            }
            AlphaMode::Mask { cutoff } => {
                let surface = Surface::new(**scene, id);
                cover_scalar(pattern, rect, triangle, place, is_faulty, samples, |x, y| {
                    surface.alpha(x, y) >= cutoff
                });
            }
        }
    }
    scratch.collect(scene, rect);
    !is_empty
}
