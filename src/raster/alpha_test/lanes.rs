//! Coverage of surfaces with holes over lanes: [`crate::raster::coverage::lanes`] with an alpha test for every sample.

use crate::math::lanes::splat;
use crate::model::{Material, Texture};
use crate::raster::coverage::lanes::{Lattice, Solid, cover_lanes};
use crate::raster::coverage::samples::Samples;
use crate::raster::geometry::context::GeometryContext;
use crate::raster::geometry::grid::Rect;
use crate::raster::geometry::triangle::SetupTriangle;
use crate::raster::interpolate::lanes::{EXTRA_STEP, LaneInterpolants, mix};
use crate::raster::interpolate::packet::{Attributes, TriangleStore};
use crate::raster::texture::anisotropic::lanes::LaneRows;
use crate::raster::texture::trilinear::lanes::LaneTaps;
use crate::simd::Simd;
use crate::simd::prelude::*;
use core::slice;

/// Writes depth and owner of a masked triangle wherever it is nearest and its alpha reaches the cutoff. `seen` is the triangle with
/// the depths that its texture is interpolated by; `plain` answers for one sample and is the definition, used for pieces of clipped
/// triangles.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "what covers, what is covered, and what says where")]
pub(crate) fn cover_mask<S: Simd>(
    lattice: &Lattice<S>,
    geometry: &GeometryContext,
    rect: &Rect,
    triangle: &SetupTriangle,
    seen: &SetupTriangle,
    index: u32,
    cutoff: f32,
    samples: &mut Samples,
    plain: impl Fn(i32, i32) -> bool,
) {
    let simd = lattice.simd;
    if triangle.piece().is_some() {
        let solid = &mut PlainProbe(&plain);
        cover_lanes(lattice, rect, triangle, index, samples, solid, &plain);
        return;
    }
    let draw = &geometry.draws[triangle.draw as usize];
    let material = &geometry.materials[draw.material];
    let has_color = !draw.mesh.colors.is_empty();
    if geometry.anisotropy > 1 {
        simd.vectorize(
            #[inline(always)]
            || {
                let solid = &mut MaskProbe::<S, true>::new(
                    simd, geometry, material, has_color, seen, cutoff,
                );
                cover_lanes(lattice, rect, triangle, index, samples, solid, &plain);
            },
        );
    } else {
        let solid =
            &mut MaskProbe::<S, false>::new(simd, geometry, material, has_color, seen, cutoff);
        cover_lanes(lattice, rect, triangle, index, samples, solid, &plain);
    }
}

/// Alpha test of one triangle that is no piece of a clipped one. With `ROWS` its texture is filtered by rows of probes.
struct MaskProbe<'a, S: Simd, const ROWS: bool> {
    simd: S,
    material: &'a Material,
    texture: Option<&'a Texture>,
    has_color: bool,
    interpolants: LaneInterpolants<S>,
    cutoff: f32,
    /// Most probes per texture and sample.
    most: u32,
}

impl<'a, S: Simd, const ROWS: bool> MaskProbe<'a, S, ROWS> {
    #[inline(always)]
    fn new(
        simd: S,
        geometry: &GeometryContext<'a>,
        material: &'a Material,
        has_color: bool,
        triangle: &SetupTriangle,
        cutoff: f32,
    ) -> Self {
        let store = TriangleStore::new(geometry, slice::from_ref(triangle));
        let attributes = Attributes { has_position: false, has_tangent: false, has_color };
        let mut interpolants = LaneInterpolants::none(simd);
        interpolants.take_one(simd, store, attributes, 0);
        let texture = material.diffuse.map(|index| &geometry.textures[index]);
        let most = geometry.anisotropy;
        Self { simd, material, texture, has_color, interpolants, cutoff, most }
    }
}

impl<S: Simd, const ROWS: bool> Solid<S> for MaskProbe<'_, S, ROWS> {
    #[inline(always)]
    fn solid(&mut self, x: S::i32s, y: S::i32s, wanted: S::mask32s) -> S::mask32s {
        let simd = self.simd;
        let mut opacity = splat(simd, self.material.opacity);
        if self.texture.is_some() || self.has_color {
            let barycentrics = self.interpolants.barycentrics(simd, x, y);
            let texel = match self.texture {
                Some(texture) => {
                    let footprints = self.interpolants.footprints(&barycentrics);
                    let texel: [S::f32s; 4] = if ROWS {
                        LaneRows::new(simd, texture, &footprints, self.most).sample(simd, texture)
                    } else {
                        LaneTaps::new(simd, texture, &footprints).sample(simd, texture)
                    };
                    texel[3]
                }
                None => splat(simd, 1.0),
            };
            opacity = texel * opacity;
            if self.has_color {
                opacity *= mix(&self.interpolants.color, 3, EXTRA_STEP, barycentrics.at);
            }
        }
        wanted & opacity.simd_ge(self.cutoff)
    }
}

/// Alpha test one sample at a time.
struct PlainProbe<'a, F: Fn(i32, i32) -> bool>(&'a F);

impl<S: Simd, F: Fn(i32, i32) -> bool> Solid<S> for PlainProbe<'_, F> {
    #[inline(always)]
    fn solid(&mut self, x: S::i32s, y: S::i32s, wanted: S::mask32s) -> S::mask32s {
        let mut left = wanted.to_bitmask();
        let mut solid = 0;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            if (self.0)(x.as_slice()[lane], y.as_slice()[lane]) {
                solid |= 1 << lane;
            }
        }
        S::mask32s::from_bitmask(x.token(), solid)
    }
}
