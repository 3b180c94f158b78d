//! Visibility of a tile, one sample at a time: the definition of
//! [`crate::tile::visibility::lanes`].

use crate::alpha_test::scalar::PointTest;
use crate::coverage::scalar::cover_scalar;
use crate::interpolate::scalar::Interpolants;
use crate::tile::scratch::{Scratch, TileWork};
use tintype_model::AlphaMode;

/// Finds the fragments of every pixel, without light. Returns false if the tile is empty.
pub(crate) fn find_visible_scalar(work: &mut TileWork) -> bool {
    let TileWork { frame, rect, index, scratch } = work;
    scratch.samples.clear(rect, frame.geometry.pattern.len(), frame.far_depth);
    let is_empty = !scratch.start(frame, *index);
    let Scratch { triangles, blended, samples, .. } = &mut **scratch;
    let pattern = frame.geometry.pattern;
    #[cfg(test)]
    {
        samples.fault = frame.geometry.fault;
    }
    for (index, &id) in (0_u32..).zip(triangles.iter()) {
        let triangle = &frame.geometry.triangle(id);
        match frame.geometry.alpha(triangle) {
            AlphaMode::Blend | AlphaMode::Add | AlphaMode::Multiply => blended.push(index),
            AlphaMode::Opaque => {
                cover_scalar(pattern, rect, triangle, index, samples, |_, _| true);
            }
            AlphaMode::Mask { cutoff } => {
                let surface = Interpolants::new(frame.geometry, id);
                let test = PointTest { surface, cutoff };
                let solid = |x: i32, y: i32| test.is_solid(x, y);
                cover_scalar(pattern, rect, triangle, index, samples, solid);
            }
        }
    }
    scratch.collect(frame, rect);
    !is_empty
}
