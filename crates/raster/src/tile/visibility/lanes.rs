//! Visibility of a tile over lanes; [`crate::tile::visibility::scalar`] is the definition.

use crate::alpha_test::lanes::cover_mask;
use crate::alpha_test::scalar::PointTest;
use crate::context::FrameContext;
use crate::coverage::lanes::Lattice;
use crate::coverage::triangle_lanes::Group;
use crate::fragments::fragment::number_of;
use crate::interpolate::packet::piece_corner;
use crate::interpolate::scalar::Interpolants;
use crate::tile::scratch::{Scratch, TileWork};
use tintype_model::AlphaMode;
use tintype_model::math::Vec3;
use tintype_model::simd::Simd;
use tintype_model::simd::prelude::*;

impl Scratch {
    /// Copies the triangles of the tile with their corners, and the corners of pieces, to
    /// contiguous memory.
    #[inline(always)]
    fn copy_setups<S: Simd>(&mut self, simd: S, frame: &FrameContext) {
        let geometry = frame.geometry;
        self.setups.clear();
        self.pieces.clear();
        geometry.bring(simd, &self.triangles, &mut self.setups);
        if geometry.chunks.iter().all(|chunk| chunk.pieces.is_empty()) {
            return;
        }
        for (&id, setup) in self.triangles.iter().zip(&mut self.setups) {
            if let Some(corners) = geometry.barycentrics(id, setup) {
                setup.piece = number_of(self.pieces.len());
                self.pieces.push(corners.map(|corner| piece_corner(Vec3::from_array(corner))));
            }
        }
    }
}

/// Finds the nearest opaque triangle of every sample, and the shaders of the triangles. Returns
/// false if the tile is empty.
///
/// Not `#[inline(always)]`, unlike most functions over lanes: it is compiled once for each level,
/// and not again in every kernel that calls it.
pub(crate) fn find_visible_lanes<S: Simd>(lattice: &Lattice<S>, work: &mut TileWork) -> bool {
    lattice.simd.vectorize(
        #[inline(always)]
        || find_visible_inlined(lattice, work),
    )
}

#[inline(always)]
fn find_visible_inlined<S: Simd>(lattice: &Lattice<S>, work: &mut TileWork) -> bool {
    let simd = lattice.simd;
    let TileWork { frame, rect, index, scratch } = work;
    scratch.samples.clear(rect, frame.geometry.pattern.len(), frame.far_depth);
    let is_empty = !scratch.start(frame, *index);
    scratch.copy_setups(simd, frame);
    let Scratch { triangles, setups, blended, samples, queues, .. } = &mut **scratch;
    queues.clear();
    #[cfg(test)]
    {
        samples.fault = frame.geometry.fault;
    }
    let mut first = 0;
    for together in setups.chunks(S::u32s::LEN) {
        let group = Group::new(lattice, rect, together);
        if group.is_alike() && matches!(frame.geometry.alpha(&together[0]), AlphaMode::Opaque) {
            // The common case.
            queues.note_shaders(frame.geometry, &together[0], together.len());
            let mut left = group.alone();
            while left != 0 {
                let lane = left.trailing_zeros();
                left &= left - 1;
                let triangle = &together[lane as usize];
                group.cover_alone::<true>(lattice, rect, lane, triangle, first + lane, samples);
            }
            group.cover_small::<true>(lattice, rect, group.small(), first, samples);
            first += number_of(together.len());
            continue;
        }
        let mut small = 0;
        for (lane, (index, triangle)) in (0..).zip((first..).zip(together)) {
            queues.note_shader(frame.geometry, triangle);
            match frame.geometry.alpha(triangle) {
                AlphaMode::Blend | AlphaMode::Add | AlphaMode::Multiply => blended.push(index),
                AlphaMode::Opaque if group.small() >> lane & 1 != 0 => small |= 1 << lane,
                AlphaMode::Opaque => simd.vectorize(
                    #[inline(always)]
                    || group.cover_alone::<true>(lattice, rect, lane, triangle, index, samples),
                ),
                AlphaMode::Mask { cutoff } => {
                    let surface = Interpolants::new(frame.geometry, triangles[index as usize]);
                    let (test, both) = (&PointTest { surface, cutoff }, [triangle; 2]);
                    cover_mask(lattice, frame.geometry, rect, both, index, test, samples);
                }
            }
        }
        group.cover_small::<true>(lattice, rect, small, first, samples);
        first += number_of(together.len());
    }
    !is_empty
}
