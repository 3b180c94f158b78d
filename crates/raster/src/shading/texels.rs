//! Textures over lanes, for one material at a batch of points.

use crate::geometry::context::GeometryContext;
use crate::interpolate::packet::BATCH;
use crate::texture::anisotropic::lanes::CachedRows;
use crate::texture::trilinear::lanes::{Footprints, LaneTaps};
use tintype_model::math::lanes::splat;
use tintype_model::simd::Simd;
use tintype_model::{Material, Texture, TextureCoordinates, TextureRole, TextureSampling};

/// Points with footprints on textures.
pub(super) trait Sampled<S: Simd> {
    /// Footprints in the set of texture coordinates of a texture.
    fn footprints(&self, coordinates: Option<&TextureCoordinates>) -> &Footprints<S>;
}

/// Reads the textures of a batch of points one after the other; textures of one size share their
/// taps.
pub(super) struct Reader<'r, S: Simd, const ROWS: bool> {
    geometry: &'r GeometryContext<'r>,
    material: &'r Material,
    taps: &'r mut [LaneTaps<S>; BATCH],
    tapped: Option<TapsKey>,
    rows: [CachedRows<S>; BATCH],
}

impl<'r, S: Simd, const ROWS: bool> Reader<'r, S, ROWS> {
    #[inline(always)]
    pub(super) fn new(
        geometry: &'r GeometryContext<'r>,
        material: &'r Material,
        taps: &'r mut [LaneTaps<S>; BATCH],
    ) -> Self {
        let rows = core::array::from_fn(|_| CachedRows::none());
        Self { geometry, material, taps, tapped: None, rows }
    }

    /// Passes the number of each point, the point and its texel to `take`, if the material has a
    /// texture of this role.
    #[inline(always)]
    pub(super) fn read<P: Sampled<S>>(
        &mut self,
        simd: S,
        role: TextureRole,
        points: &mut [P],
        mut take: impl FnMut(usize, &mut P, [S::f32s; 4]),
    ) {
        let Some(index) = self.material.texture(role) else { return };
        let texture = &self.geometry.textures[index];
        let own = self.material.coordinates_of(role);
        if !ROWS {
            find_texels(simd, texture, own, points, self.taps, &mut self.tapped);
        }
        let has_alpha = role == TextureRole::Diffuse && !texture.is_opaque;
        // The mix of four ones, with the rounding of the filter.
        let solid = splat(simd, 65535.0 * (1.0 / 65535.0));
        let parts = points.iter_mut().zip(self.taps.iter()).zip(&mut self.rows);
        for (number, ((points, taps), rows)) in parts.enumerate() {
            let mut texel = [solid; 4];
            if ROWS {
                let (footprints, most) = (points.footprints(own), self.geometry.anisotropy);
                let rows = rows.on(simd, texture, own, footprints, most);
                if has_alpha {
                    texel = rows.sample(simd, texture);
                } else {
                    [texel[0], texel[1], texel[2]] = rows.sample(simd, texture);
                }
            } else if has_alpha {
                texel = taps.sample::<4>(simd, texture);
            } else {
                [texel[0], texel[1], texel[2]] = taps.sample::<3>(simd, texture);
            }
            take(number, points, texel);
        }
    }
}

/// Common properties of textures with the same taps: size, sampling and texture coordinates.
type TapsKey = ([u32; 2], TextureSampling, Option<TextureCoordinates>);

/// Finds the taps of a texture with these coordinates, unless the last ones can be reused.
#[inline(always)]
fn find_texels<S: Simd, P: Sampled<S>>(
    simd: S,
    texture: &Texture,
    coordinates: Option<&TextureCoordinates>,
    points: &[P],
    taps: &mut [LaneTaps<S>; BATCH],
    tapped: &mut Option<TapsKey>,
) {
    let sampling = TextureSampling { filter: texture.filter, wrap: texture.wrap };
    let size = [texture.levels[0].width, texture.levels[0].height];
    let key = (size, sampling, coordinates.copied());
    if *tapped != Some(key) {
        *tapped = Some(key);
        for (points, taps) in points.iter().zip(taps) {
            let mut footprints = *points.footprints(coordinates);
            if let Some(own) = coordinates {
                footprints = footprints.on(own);
            }
            *taps = LaneTaps::new(simd, texture, &footprints);
            taps.prefetch(texture);
        }
    }
}
