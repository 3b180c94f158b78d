//! Coverage of surfaces with holes over lanes: [`crate::coverage::lanes`] with an alpha test for
//! every sample.

use crate::alpha_test::scalar::PointTest;
use crate::coverage::lanes::{Lattice, Solid, cover_lanes};
use crate::coverage::samples::Samples;
use crate::geometry::context::GeometryContext;
use crate::geometry::grid::Rect;
use crate::geometry::triangle::SetupTriangle;
use crate::interpolate::lanes::{EXTRA_STEP, LaneBarycentrics, LaneInterpolants, mix};
use crate::interpolate::packet::{Attributes, TriangleStore, piece_corner};
use crate::texture::anisotropic::lanes::LaneRows;
use crate::texture::trilinear::lanes::{Footprints, LaneTaps};
use core::slice;
use tintype_model::math::lanes::splat;
use tintype_model::simd::Simd;
use tintype_model::simd::prelude::*;
use tintype_model::{Material, TexcoordMotion, Texture, TextureCoordinates, TextureRole};

/// Writes depth and owner of a masked triangle wherever it is nearest and its alpha reaches the
/// cutoff. `seen` is the triangle with the depths that its texture is interpolated by; `test`
/// answers for one sample and is the definition.
///
/// Not `#[inline(always)]`, unlike most functions over lanes: it is compiled once for each level,
/// and not again in every kernel that calls it.
pub(crate) fn cover_mask<S: Simd>(
    lattice: &Lattice<S>,
    geometry: &GeometryContext,
    rect: &Rect,
    [triangle, seen]: [&SetupTriangle; 2],
    index: u32,
    test: &PointTest,
    samples: &mut Samples,
) {
    let simd = lattice.simd;
    if geometry.anisotropy > 1 {
        simd.vectorize(
            #[inline(always)]
            || {
                let solid = &mut MaskProbe::<S, true>::new(simd, geometry, seen, test);
                cover_lanes(lattice, rect, triangle, index, samples, solid);
            },
        );
    } else {
        simd.vectorize(
            #[inline(always)]
            || {
                let solid = &mut MaskProbe::<S, false>::new(simd, geometry, seen, test);
                cover_lanes(lattice, rect, triangle, index, samples, solid);
            },
        );
    }
}

/// Alpha test of one triangle. With `ROWS` its texture is filtered by rows of probes.
struct MaskProbe<'a, S: Simd, const ROWS: bool> {
    simd: S,
    material: &'a Material,
    texture: Option<&'a Texture>,
    has_color: bool,
    interpolants: LaneInterpolants<S>,
    /// The test of one sample.
    test: &'a PointTest<'a>,
    /// A motion scaled by a mask, and the coordinates of that mask.
    motion: Option<(&'a TexcoordMotion, &'a Texture, Option<&'a TextureCoordinates>)>,
    /// Most probes per texture and sample.
    most: u32,
}

impl<'a, S: Simd, const ROWS: bool> MaskProbe<'a, S, ROWS> {
    #[inline(always)]
    fn new(
        simd: S,
        geometry: &GeometryContext<'a>,
        triangle: &SetupTriangle,
        test: &'a PointTest<'a>,
    ) -> Self {
        let draw = &geometry.draws[triangle.draw as usize];
        let material = &geometry.materials[draw.material];
        let has_color = !draw.mesh.colors.is_empty();
        let piece = test.surface.piece;
        let corners = piece.unwrap_or_default().map(piece_corner);
        let triangle = SetupTriangle { piece: 0, ..*triangle };
        let store =
            TriangleStore::new(geometry, slice::from_ref(&triangle), slice::from_ref(&corners));
        let has_second_texcoord = material.has_second_texcoords();
        let attributes = Attributes {
            has_position: false,
            has_tangent: false,
            has_color,
            has_second_texcoord,
            has_normal_growth: false,
            is_piece: piece.is_some(),
        };
        let mut interpolants = LaneInterpolants::none(simd);
        interpolants.take_one(simd, store, attributes, 0);
        let texture = material.diffuse.map(|index| &geometry.textures[index]);
        let most = geometry.anisotropy;
        let motion = material.masked_motion().map(|(motion, mask)| {
            let of_mask = material.coordinates_of(TextureRole::MotionMask);
            (motion, &geometry.textures[mask], of_mask)
        });
        Self { simd, material, texture, has_color, interpolants, test, motion, most }
    }

    /// Footprints in the set of texture coordinates that a texture has.
    #[inline(always)]
    fn footprints(
        &self,
        own: Option<&TextureCoordinates>,
        barycentrics: &LaneBarycentrics<S>,
    ) -> Footprints<S> {
        match own {
            Some(own) if own.is_second => self.interpolants.second_footprints(barycentrics),
            _ => self.interpolants.footprints(barycentrics),
        }
    }
}

impl<S: Simd, const ROWS: bool> Solid<S> for MaskProbe<'_, S, ROWS> {
    #[inline(always)]
    fn solid(&mut self, _: usize, [x, y]: [S::i32s; 2], wanted: S::mask32s) -> S::mask32s {
        let simd = self.simd;
        let mut opacity = splat(simd, self.material.opacity);
        if self.texture.is_some() || self.has_color {
            let barycentrics = self.interpolants.barycentrics(simd, x, y);
            let texel = match self.texture {
                Some(texture) => {
                    let own = self.material.coordinates_of(TextureRole::Diffuse);
                    let mut at = self.footprints(own, &barycentrics);
                    if let Some((motion, mask, of_mask)) = &self.motion {
                        let on_mask = self.footprints(*of_mask, &barycentrics);
                        let on_mask = of_mask.map_or(on_mask, |of_mask| on_mask.on(of_mask));
                        let [_, _, share, _] =
                            LaneTaps::new(simd, mask, &on_mask).sample::<4>(simd, mask);
                        at = at.moved(motion, share);
                    }
                    let footprints = own.map_or(at, |own| at.on(own));
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
        wanted & opacity.simd_ge(self.test.cutoff)
    }

    fn is_solid_at(&mut self, x: i32, y: i32) -> bool {
        self.test.is_solid(x, y)
    }
}
