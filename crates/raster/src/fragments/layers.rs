//! Fragments of blended triangles of a tile, sorted by pixel: found over lanes, with the same
//! result as [`collect_blended`](crate::fragments::scalar::Fragments::collect_blended), which finds
//! one sample at a time.
//!
//! Input: the blended triangles of a tile in submission order, and its depth buffer, which they do
//! not change. Output: the layers of each pixel, approximately farthest first, and the pixels that
//! have any.

use crate::coverage::depth::DepthPlane;
use crate::coverage::lanes::{Lattice, Solid, cover_lanes};
use crate::coverage::samples::Samples;
use crate::fragments::fragment::{BlendedFragment, Fragment, number_of};
use crate::geometry::context::GeometryContext;
use crate::geometry::edge::{SamplePattern, UNIT, UNIT_BITS};
use crate::geometry::grid::Rect;
use crate::geometry::morton::Morton;
use crate::geometry::triangle::SetupTriangle;
use tintype_model::simd::Simd;
use tintype_model::simd::prelude::*;
use tintype_model::{AlphaMode, Stacking};

/// Number of pixels in a word of [`Layers::layered`].
const PIXELS_PER_WORD: usize = u64::BITS as usize;

/// Blended fragments of a tile, sorted by pixel.
#[derive(Default)]
pub(crate) struct Layers {
    /// All of them, by pixel and then approximately farthest first.
    fragments: Vec<BlendedFragment>,
    /// For each Morton code, the index of the first fragment of its pixel, and the end of the last;
    /// empty if there are none.
    starts: Vec<u32>,
    /// Pixels with fragments, one bit per Morton code; empty if there are none.
    layered: Vec<u64>,
    /// Depth and mode of each blended triangle, in submission order.
    triangles: Vec<(DepthPlane, AlphaMode)>,
    /// The rank of each among blended surfaces; empty if none is set.
    stackings: Vec<Stacking>,
    /// Submission orders of the triangles, sorted by depth: roughly farthest first.
    orders: Vec<u32>,
    /// Fragments in the order of discovery.
    found: Vec<BlendedFragment>,
    covered: Covered,
}

/// Samples of a tile that show one triangle.
#[derive(Default)]
struct Covered {
    /// Per Morton code, one bit a sample.
    samples: Vec<u16>,
    /// The pixels with a sample.
    pixels: Vec<Morton>,
}

impl Covered {
    /// Adds samples of a pixel.
    #[inline(always)]
    fn add(&mut self, pixel: usize, samples: u16) {
        let known = &mut self.samples[pixel];
        if *known == 0 {
            self.pixels.push(Morton::of(pixel));
        }
        *known |= samples;
    }
}

/// Records the samples of a triangle in front of the opaque surface, without taking ownership.
struct Note<'a> {
    covered: &'a mut Covered,
    rect: &'a Rect,
    pattern: SamplePattern,
}

impl<S: Simd> Solid<S> for Note<'_> {
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "at most 16 samples")]
    fn solid(&mut self, slot: usize, at: [S::i32s; 2], wanted: S::mask32s) -> S::mask32s {
        // A pixel with more samples than lanes comes in parts; a vector of several pixels is split.
        let count = self.pattern.len();
        let (first, part) = (slot / count, slot % count);
        let all = u64::MAX >> (u64::BITS as usize - count);
        let mut left = wanted.to_bitmask();
        while left != 0 {
            let pixel = left.trailing_zeros() as usize / count;
            let samples = left >> (pixel * count) & all;
            self.covered.add(first + pixel, (samples << part) as u16);
            left &= !(all << (pixel * count));
        }
        S::mask32s::splat(at[0].token(), false)
    }

    #[expect(clippy::cast_sign_loss, reason = "a sample of the tile")]
    fn is_solid_at(&mut self, x: i32, y: i32) -> bool {
        let within = [x & (UNIT - 1), y & (UNIT - 1)];
        let sample = self.pattern.iter().position(|&own| own == within);
        let (column, row) = ((x >> UNIT_BITS) as u32, (y >> UNIT_BITS) as u32);
        let morton = Morton::new(column - self.rect.x, row - self.rect.y);
        self.covered.add(usize::from(morton.0), 1 << sample.unwrap_or(0));
        false
    }
}

impl Layers {
    /// Removes all fragments.
    fn clear(&mut self) {
        self.fragments.clear();
        self.starts.clear();
        self.layered.clear();
        self.triangles.clear();
        self.stackings.clear();
    }

    /// The rank of each blended triangle among others, by its submission order; empty if none is
    /// set.
    #[inline(always)]
    pub(crate) fn stackings(&self) -> &[Stacking] {
        &self.stackings
    }

    /// All fragments, by pixel and then roughly farthest first.
    pub(crate) fn fragments(&self) -> &[BlendedFragment] {
        &self.fragments
    }

    /// Depth and mode of a blended triangle by its submission order.
    #[inline(always)]
    pub(crate) fn triangle(&self, order: u32) -> (&DepthPlane, AlphaMode) {
        let (plane, mode) = &self.triangles[order as usize];
        (plane, *mode)
    }

    /// Indices of the fragments of a pixel.
    #[inline(always)]
    pub(crate) fn of_pixel(&self, morton: Morton) -> core::ops::Range<usize> {
        let first = usize::from(morton.0);
        match self.starts.get(first..first + 2) {
            Some(&[start, end]) => start as usize..end as usize,
            _ => 0..0,
        }
    }

    /// Pixels with fragments among a vector of them, one bit each; `first` is the Morton code of
    /// the first.
    #[inline(always)]
    pub(crate) fn of_run(&self, first: usize) -> u64 {
        let word = self.layered.get(first / PIXELS_PER_WORD).copied().unwrap_or(0);
        word >> (first % PIXELS_PER_WORD)
    }

    /// Finds the fragments of the triangles with these indices in front of the opaque surface.
    ///
    /// Not `#[inline(always)]`, unlike most functions over lanes: it is compiled once for each
    /// level, and not again in every kernel that calls it.
    pub(crate) fn collect<S: Simd>(
        &mut self,
        lattice: &Lattice<S>,
        geometry: &GeometryContext,
        rect: &Rect,
        setups: &[SetupTriangle],
        blended: &[u32],
        samples: &mut Samples,
    ) {
        self.clear();
        if blended.is_empty() {
            return;
        }
        self.triangles.extend(blended.iter().map(|&index| {
            let triangle = &setups[index as usize];
            (DepthPlane::new(triangle), geometry.alpha(triangle))
        }));
        if geometry.is_stacked {
            let of = |&index: &u32| geometry.stacking(&setups[index as usize]);
            self.stackings.extend(blended.iter().map(of));
            if self.stackings.iter().all(|one| *one == Stacking::default()) {
                self.stackings.clear();
            }
        }
        // Layers are found farthest first, the order of blending; where triangles cross or overlap
        // along the view, pixels have other orders.
        let Self { triangles, orders, .. } = self;
        orders.clear();
        orders.extend(0..number_of(blended.len()));
        let middle = |order: u32| {
            let DepthPlane { low, high, .. } = triangles[order as usize].0;
            low + high
        };
        orders.sort_by(|&left, &right| middle(left).total_cmp(&middle(right)));
        lattice.simd.vectorize(
            #[inline(always)]
            || self.find(lattice, rect, setups, blended, samples),
        );
        self.sort(Morton::end(rect));
    }

    #[inline(always)]
    fn find<S: Simd>(
        &mut self,
        lattice: &Lattice<S>,
        rect: &Rect,
        setups: &[SetupTriangle],
        blended: &[u32],
        samples: &mut Samples,
    ) {
        let Self { found, covered, orders, .. } = self;
        let end = Morton::end(rect);
        covered.samples.resize(end, 0);
        found.clear();
        // Vectors reach beyond a tile that is not a whole square.
        let is_whole = end == (rect.width * rect.height) as usize;
        for &order in &*orders {
            let index = blended[order as usize];
            let triangle = &setups[index as usize];
            let note = &mut Note { covered, rect, pattern: lattice.pattern };
            cover_lanes(lattice, rect, triangle, index, samples, note);
            let Covered { samples, pixels } = &mut *covered;
            for morton in pixels.drain(..) {
                let samples = core::mem::take(&mut samples[usize::from(morton.0)]);
                if is_whole || morton.column() < rect.width && morton.row() < rect.height {
                    let fragment = Fragment { triangle: index, morton, samples };
                    found.push(BlendedFragment { fragment, order });
                }
            }
        }
    }

    /// Sorts the found fragments by pixel; those of one pixel stay in the order of discovery.
    fn sort(&mut self, end: usize) {
        let Self { fragments, starts, layered, found, .. } = self;
        if found.is_empty() {
            return;
        }
        // 1. Number of fragments of each pixel, at the position of the next one.
        starts.resize(end + 1, 0);
        layered.resize(end.div_ceil(PIXELS_PER_WORD), 0);
        for part in &*found {
            let pixel = usize::from(part.fragment.morton.0);
            starts[pixel + 1] += 1;
            layered[pixel / PIXELS_PER_WORD] |= 1 << (pixel % PIXELS_PER_WORD);
        }
        // 2. Start of each pixel.
        let mut total = 0;
        for start in &mut *starts {
            total += *start;
            *start = total;
        }
        // 3. Each fragment to its position; starts advance to those of the next pixel and are moved
        //    back.
        fragments.extend_from_slice(found);
        for part in &*found {
            let next = &mut starts[usize::from(part.fragment.morton.0)];
            fragments[*next as usize] = *part;
            *next += 1;
        }
        starts.copy_within(..end, 1);
        starts[0] = 0;
        debug_assert_eq!(starts[end], number_of(fragments.len()), "each has a place");
    }
}
