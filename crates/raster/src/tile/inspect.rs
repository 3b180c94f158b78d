//! Kernels that list the contents of a tile instead of drawing it.

use crate::fragments::fragment::Fragment;
use crate::resolve::background::{TileBackground, background_of_pixel, list_ground, list_pixels};
use crate::resolve::scalar::{Lit, resolve};
use crate::shading::glass::pack_rgb;
use crate::shown::{ShadedFragment, VisibleFragment};
use crate::tile::scratch::{Scratch, TileWork};
use crate::tile::shade::lanes::{Tools, shade_listed};
use crate::tile::shade::scalar::shade_fragments;
use crate::tile::visibility::lanes::find_visible_lanes;
use crate::tile::visibility::scalar::find_visible_scalar;
use tintype_model::simd::{Kernel, Simd};

/// Lists the fragments of a tile, pixel by pixel: opaque ones in the order of their samples, then
/// blended ones.
pub(crate) struct ListVisible<'a>(pub TileWork<'a>);

impl ListVisible<'_> {
    fn list(TileWork { frame, rect, scratch, .. }: &TileWork) -> Vec<VisibleFragment> {
        scratch
            .fragments
            .all()
            .map(|fragment| scratch.visible_fragment(frame, rect, fragment))
            .collect()
    }
}

impl Kernel for ListVisible<'_> {
    type Output = Vec<VisibleFragment>;

    fn scalar(mut self) -> Vec<VisibleFragment> {
        find_visible_scalar(&mut self.0);
        Self::list(&self.0)
    }

    #[inline(always)]
    fn lanes<S: Simd>(mut self, simd: S) -> Vec<VisibleFragment> {
        let tools = Tools::new(simd, self.0.frame);
        find_visible_lanes(&tools.lattice, &mut self.0);
        self.0.scratch.collect(self.0.frame, &self.0.rect);
        Self::list(&self.0)
    }
}

/// Lists the fragments with their light.
pub(crate) struct ListShaded<'a>(pub TileWork<'a>);

impl ListShaded<'_> {
    fn list(TileWork { frame, rect, scratch, .. }: &TileWork) -> Vec<ShadedFragment> {
        let shaded = scratch.fragments.all().zip(&scratch.colors);
        let lit = |(fragment, &color): (&Fragment, &[f32; 4])| ShadedFragment {
            seen: scratch.visible_fragment(frame, rect, fragment),
            color,
        };
        shaded.map(lit).collect()
    }
}

impl Kernel for ListShaded<'_> {
    type Output = Vec<ShadedFragment>;

    fn scalar(mut self) -> Vec<ShadedFragment> {
        find_visible_scalar(&mut self.0);
        shade_fragments(self.0.frame, &self.0.rect, self.0.scratch);
        Self::list(&self.0)
    }

    #[inline(always)]
    fn lanes<S: Simd>(mut self, simd: S) -> Vec<ShadedFragment> {
        let mut tools = Tools::new(simd, self.0.frame);
        find_visible_lanes(&tools.lattice, &mut self.0);
        self.0.scratch.collect(self.0.frame, &self.0.rect);
        shade_listed(simd, &mut tools.shade_scratch, self.0.frame, &self.0.rect, self.0.scratch);
        Self::list(&self.0)
    }
}

/// Lists the background of the pixels with the ground over it, premultiplied.
pub(crate) struct ListGround<'a>(pub TileWork<'a>);

impl Kernel for ListGround<'_> {
    type Output = Vec<([u32; 2], [f32; 4])>;

    fn scalar(self) -> Self::Output {
        let TileWork { frame, rect, .. } = self.0;
        list_pixels(&rect, |x, y| background_of_pixel(frame, x, y).to_array())
    }

    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) -> Self::Output {
        list_ground(simd, self.0.frame, &self.0.rect)
    }
}

/// Lists the pixels of a tile row by row, as packed linear light.
pub(crate) struct ListLinear<'a>(pub TileWork<'a>);

impl ListLinear<'_> {
    /// Puts the shaded fragments over the background.
    fn list(
        TileWork { frame, rect, scratch, .. }: TileWork,
        background: &[([u32; 2], [f32; 4])],
    ) -> Vec<[u16; 4]> {
        let packed = |[r, g, b, _]: [f32; 4]| pack_rgb([r, g, b]);
        let mut found: Vec<_> = background.iter().map(|&(_, color)| packed(color)).collect();
        let Scratch { triangles, fragments, colors, blend, .. } = scratch;
        let lit = Lit {
            triangles,
            fragments,
            colors,
            tile_background: &TileBackground::of(&rect, background),
        };
        resolve(frame, &rect, &lit, blend, |morton, color| {
            found[(morton.row() * rect.width + morton.column()) as usize] = packed(color);
        });
        found
    }
}

impl Kernel for ListLinear<'_> {
    type Output = Vec<[u16; 4]>;

    fn scalar(mut self) -> Self::Output {
        find_visible_scalar(&mut self.0);
        let TileWork { frame, rect, scratch, .. } = &mut self.0;
        shade_fragments(frame, rect, scratch);
        let background = list_pixels(rect, |x, y| background_of_pixel(frame, x, y).to_array());
        Self::list(self.0, &background)
    }

    #[inline(always)]
    fn lanes<S: Simd>(mut self, simd: S) -> Self::Output {
        let mut tools = Tools::new(simd, self.0.frame);
        find_visible_lanes(&tools.lattice, &mut self.0);
        let TileWork { frame, rect, scratch, .. } = &mut self.0;
        scratch.collect(frame, rect);
        shade_listed(simd, &mut tools.shade_scratch, frame, rect, scratch);
        let background = list_ground(simd, frame, rect);
        Self::list(self.0, &background)
    }
}
