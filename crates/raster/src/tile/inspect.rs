//! Kernels that list the contents of a tile instead of drawing it.

use crate::coverage::lanes::Lattice;
use crate::coverage::samples::NO_TRIANGLE;
use crate::fragments::fragment::Fragment;
use crate::geometry::grid::Rect;
use crate::geometry::morton::Morton;
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

/// A tile that knows what each of its pixels shows.
pub struct VisibleTile<'a> {
    rect: Rect,
    index: usize,
    scratch: &'a Scratch,
}

impl core::fmt::Debug for VisibleTile<'_> {
    fn fmt(&self, to: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        to.debug_struct("VisibleTile").field("index", &self.index).finish_non_exhaustive()
    }
}

impl VisibleTile<'_> {
    /// Its place among the tiles, row by row.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Column and row of its upper left pixel.
    #[must_use]
    pub fn corner(&self) -> [u32; 2] {
        [self.rect.x, self.rect.y]
    }

    /// Its columns and rows.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        [self.rect.width, self.rect.height]
    }

    /// True if no triangle touches it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scratch.triangles.is_empty()
    }

    /// True if each pixel has one sample, and no triangle is blended: [`Self::nearest`] is all that a pixel shows.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        is_plain(self.scratch)
    }

    /// The nearest opaque triangle at the first sample of the pixel in a column and row of the tile.
    #[must_use]
    #[inline]
    pub fn nearest(&self, [column, row]: [u32; 2]) -> Option<VisibleFragment> {
        let Scratch { samples, sources, .. } = self.scratch;
        let owner = samples.owners()[samples.slot(column, row, 0)];
        let pixel = [self.rect.x + column, self.rect.y + row];
        let seen = |source: &VisibleFragment| VisibleFragment { pixel, samples: 1, ..*source };
        (owner != NO_TRIANGLE).then(|| seen(&sources[owner as usize]))
    }

    /// Fragments of the pixel in a column and row of the tile: opaque ones in the order of their
    /// samples, then blended ones in submission order.
    #[inline]
    pub fn at(&self, [column, row]: [u32; 2]) -> impl Iterator<Item = VisibleFragment> {
        let Scratch { fragments, starts, .. } = self.scratch;
        let code = usize::from(Morton::new(column, row).0);
        // A plain tile lists no fragments.
        let is_plain = self.is_plain();
        let range = |starts: &[u32]| {
            if is_plain { 0..0 } else { starts[code] as usize..starts[code + 1] as usize }
        };
        let nearest = if is_plain { self.nearest([column, row]) } else { None };
        let opaque = fragments.opaque[range(&starts[0])].iter();
        let blended = fragments.blended[range(&starts[1])].iter().map(|part| &part.fragment);
        let listed = opaque.chain(blended);
        let listed = listed.map(|part| self.scratch.visible_fragment(&self.rect, part));
        nearest.into_iter().chain(listed)
    }
}

/// True if [`VisibleTile::nearest`] is all that a pixel shows.
fn is_plain(scratch: &Scratch) -> bool {
    scratch.samples.count() == 1 && scratch.blended.is_empty()
}

/// Finds the fragments of a tile and hands it out.
pub(crate) struct ListVisible<'a, F>(pub TileWork<'a>, pub F);

impl<R, F: Fn(VisibleTile) -> R> ListVisible<'_, F> {
    fn visit(self) -> R {
        let TileWork { frame, rect, index, scratch } = self.0;
        scratch.list_sources(frame);
        if !is_plain(scratch) {
            scratch.find_starts();
        }
        (self.1)(VisibleTile { rect, index, scratch })
    }
}

impl<R, F: Fn(VisibleTile) -> R> Kernel for ListVisible<'_, F> {
    type Output = R;

    fn scalar(mut self) -> R {
        find_visible_scalar(&mut self.0);
        self.visit()
    }

    #[inline(always)]
    fn lanes<S: Simd>(mut self, simd: S) -> R {
        let pattern = self.0.frame.geometry.pattern;
        find_visible_lanes(&Lattice::new(simd, pattern), &mut self.0);
        if !is_plain(self.0.scratch) {
            self.0.scratch.collect(self.0.frame, &self.0.rect);
        }
        self.visit()
    }
}

/// Lists the fragments with their light.
pub(crate) struct ListShaded<'a>(pub TileWork<'a>);

impl ListShaded<'_> {
    fn list(TileWork { frame, rect, scratch, .. }: TileWork) -> Vec<ShadedFragment> {
        scratch.list_sources(frame);
        let shaded = scratch.fragments.all().zip(&scratch.colors);
        let lit = |(fragment, &color): (&Fragment, &[f32; 4])| ShadedFragment {
            seen: scratch.visible_fragment(&rect, fragment),
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
        Self::list(self.0)
    }

    #[inline(always)]
    fn lanes<S: Simd>(mut self, simd: S) -> Vec<ShadedFragment> {
        let mut tools = Tools::new(simd, self.0.frame);
        find_visible_lanes(&tools.lattice, &mut self.0);
        self.0.scratch.collect(self.0.frame, &self.0.rect);
        shade_listed(simd, &mut tools.shade_scratch, self.0.frame, &self.0.rect, self.0.scratch);
        Self::list(self.0)
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
