//! Opaque fragments of a tile, queued by shader, so that all fragments of a vector have one
//! material.
//!
//! Input: the depth buffer of a tile and its blended layers. Output: for each shader a queue of
//! fragments that fill their pixel and can be encoded at once, and a queue of fragments of mixed
//! pixels: those with several triangles, and those with layers.

use crate::coverage::samples::{MAX_SAMPLES, NO_TRIANGLE, Samples};
use crate::fragments::centroid::Centroids;
use crate::fragments::fragment::{Fragment, LayeredPixel, MixedFragments, number_of};
use crate::fragments::layers::Layers;
use crate::geometry::context::GeometryContext;
use crate::geometry::edge::UNIT;
use crate::geometry::grid::Rect;
use crate::geometry::morton::{Morton, Runs};
use crate::geometry::triangle::SetupTriangle;
use crate::interpolate::packet::WaitingFragment;
use tintype_model::simd::prelude::*;
use tintype_model::simd::{LANE, MAX_LANES, Simd, deinterleave4, interleave4};

/// All that is visible in a tile.
pub(crate) struct Visible<'a> {
    pub rect: &'a Rect,
    pub samples: &'a Samples,
    pub layers: &'a Layers,
    /// Shading positions of partly covered pixels.
    pub centroids: &'a Centroids,
}

/// Queues of opaque fragments, one pair per shader.
#[derive(Default)]
pub(crate) struct ShaderQueues {
    /// Shaders of the triangles of the tile.
    pub shaders: Vec<ShaderKey>,
    /// Per triangle of the tile: index of its shader.
    pub shader_of: Vec<u16>,
    /// Per shader: fragments that fill their pixel, numbered by its [`Morton`] code.
    pub full: Vec<Vec<WaitingFragment>>,
    /// Per shader: fragments of mixed pixels, numbered through the tile.
    pub mixed: Vec<Vec<WaitingFragment>>,
    /// Pixels with fragments.
    pub covered_pixels: u64,
    /// Draw of the last triangle, true if it is a piece of a clipped one; and its shader.
    last: Option<(u32, bool)>,
    last_shader: u16,
}

impl ShaderQueues {
    /// Empties all queues.
    pub(crate) fn clear(&mut self) {
        self.shaders.clear();
        self.shader_of.clear();
        self.last = None;
        for queue in self.full.iter_mut().chain(&mut self.mixed) {
            queue.clear();
        }
        self.covered_pixels = 0;
    }

    /// Records the common shader of the next triangles of the tile.
    #[inline]
    pub(crate) fn note_shaders(
        &mut self,
        geometry: &GeometryContext,
        triangle: &SetupTriangle,
        count: usize,
    ) {
        self.note_shader(geometry, triangle);
        self.shader_of.resize(self.shader_of.len() + count - 1, self.last_shader);
    }

    /// Records the shader of the next triangle of the tile.
    #[inline]
    pub(crate) fn note_shader(&mut self, geometry: &GeometryContext, triangle: &SetupTriangle) {
        // In most cases equal to the last one.
        let source = (triangle.draw, triangle.piece().is_some());
        if self.last != Some(source) {
            self.last = Some(source);
            self.last_shader = self.shader(ShaderKey::of(geometry, triangle));
        }
        self.shader_of.push(self.last_shader);
    }

    /// The index of a shader.
    fn shader(&mut self, key: ShaderKey) -> u16 {
        let known = self.shaders.iter().rposition(|&known| known == key);
        let shader = known.unwrap_or_else(|| {
            self.shaders.push(key);
            if self.full.len() < self.shaders.len() {
                self.full.push(Vec::new());
                self.mixed.push(Vec::new());
            }
            self.shaders.len() - 1
        });
        u16::try_from(shader).expect("fewer than 2^16 shaders in a tile")
    }

    /// Queues the fragments of every pixel.
    #[inline(always)]
    pub(crate) fn fill<S: Simd>(&mut self, simd: S, visible: &Visible, mixed: &mut MixedFragments) {
        mixed.clear();
        match visible.samples.count() {
            1 => self.fill_pixels::<S, 1>(simd, visible, mixed),
            2 => self.fill_pixels::<S, 2>(simd, visible, mixed),
            4 => self.fill_pixels::<S, 4>(simd, visible, mixed),
            8 => self.fill_pixels::<S, 8>(simd, visible, mixed),
            _ => self.fill_pixels::<S, 16>(simd, visible, mixed),
        }
        let Visible { rect, layers, centroids, .. } = *visible;
        self.queue_layers(centroids, rect, layers, mixed.samples.len());
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "at most 2^12 mortons")]
    fn fill_pixels<S: Simd, const SAMPLES: usize>(
        &mut self,
        simd: S,
        visible: &Visible,
        mixed: &mut MixedFragments,
    ) {
        let Visible { rect, samples, layers, centroids } = *visible;
        let lanes = S::u32s::LEN;
        let steps = S::u32s::from_slice(simd, &LANE[..lanes]);
        let middle = UNIT.cast_unsigned() / 2;
        let (pixels, _) = samples.owners().as_chunks::<SAMPLES>();
        let mut runs = Runs::new(simd, rect);
        while let Some(run) = runs.next() {
            // 1. First owner of each pixel, and true if another sample has another owner.
            let owners = &pixels[run.first..run.first + lanes];
            let (first, difference) = compare(simd, owners);
            let is_one = difference.simd_eq(0).to_bitmask();
            let layered = layers.of_run(run.first);
            let one = is_one & !first.simd_eq(NO_TRIANGLE).to_bitmask() & run.within & !layered;

            // 2. In most pixels all samples show the same triangle.
            if one != 0 {
                self.covered_pixels += u64::from(one.count_ones());
                let x = (run.columns + rect.x) * UNIT.cast_unsigned() + middle;
                let y = (run.rows + rect.y) * UNIT.cast_unsigned() + middle;
                let mortons = steps + run.first as u32;
                let waiting = interleave4(simd, [first, x, y, mortons]);
                for shader in 0..self.shaders.len() {
                    let here = self.of_shader(shader, first.as_slice(), one);
                    append(&mut self.full[shader], &waiting, lanes, here);
                }
            }

            // 3. Otherwise one fragment per triangle.
            let mut left = (!is_one | layered) & run.within;
            while left != 0 {
                let lane = left.trailing_zeros() as usize;
                left &= left - 1;
                let morton = Morton::of(run.first + lane);
                let has_layers = layered >> lane & 1 != 0;
                self.queue_mixed(centroids, rect, (morton, has_layers), &owners[lane], mixed);
            }
        }
    }

    /// Lanes of `wanted` whose triangles have a shader.
    #[inline]
    pub(crate) fn of_shader(&self, shader: usize, indices: &[u32], wanted: u64) -> u64 {
        if self.shaders.len() == 1 {
            return wanted;
        }
        let (mut left, mut found) = (wanted, 0);
        while left != 0 {
            let lane = left.trailing_zeros();
            left &= left - 1;
            let is_shader = usize::from(self.shader_of[indices[lane as usize] as usize]) == shader;
            found |= u64::from(is_shader) << lane;
        }
        found
    }

    /// Queues a fragment for each visible triangle of a pixel, in the order of their first samples;
    /// its background is not shaded.
    fn queue_mixed<const SAMPLES: usize>(
        &mut self,
        centroids: &Centroids,
        rect: &Rect,
        (morton, has_layers): (Morton, bool),
        owners: &[u32; SAMPLES],
        mixed: &mut MixedFragments,
    ) {
        let first = mixed.samples.len();
        let mut shown = [number_of(first); SAMPLES];
        let mut left = u16::MAX >> (MAX_SAMPLES - SAMPLES);
        if owners.iter().all(|&owner| owner == owners[0]) {
            // Most pixels below layers: one fragment.
            self.queue_owner(centroids, rect, (owners[0], morton), left, mixed);
            left = 0;
        }
        while left != 0 {
            let triangle = owners[left.trailing_zeros() as usize];
            let number = number_of(mixed.samples.len());
            let mut own = 0;
            for (sample, (&owner, shown)) in owners.iter().zip(&mut shown).enumerate() {
                let is_own = owner == triangle;
                own |= u16::from(is_own) << sample;
                *shown = if is_own { number } else { *shown };
            }
            left &= !own;
            self.queue_owner(centroids, rect, (triangle, morton), own, mixed);
        }
        if has_layers {
            let (first, end) = (number_of(first), number_of(mixed.samples.len()));
            mixed.layered.push(LayeredPixel { morton, first, end });
        } else {
            mixed.plain.push(u32::from(morton.0));
            mixed.shown.extend_from_slice(&shown);
        }
        self.covered_pixels += 1;
    }

    /// Queues the part of a pixel with one visible triangle, or notes that it is background.
    #[inline(always)]
    fn queue_owner(
        &mut self,
        centroids: &Centroids,
        rect: &Rect,
        (triangle, morton): (u32, Morton),
        samples: u16,
        mixed: &mut MixedFragments,
    ) {
        let number = mixed.samples.len();
        if triangle == NO_TRIANGLE {
            mixed.backgrounds.push((number_of(number), morton));
        } else {
            let fragment = Fragment { triangle, morton, samples };
            self.queue_part(centroids, rect, fragment, number);
        }
        mixed.samples.push(samples);
    }

    /// Queues the fragments of layers, numbered from `first`.
    fn queue_layers(&mut self, centroids: &Centroids, rect: &Rect, layers: &Layers, first: usize) {
        for (number, part) in (first..).zip(layers.fragments()) {
            self.queue_part(centroids, rect, part.fragment, number);
        }
    }

    /// Queues a fragment of a mixed pixel, to be shaded at the centroid of its samples.
    #[inline(always)]
    fn queue_part(&mut self, centroids: &Centroids, rect: &Rect, part: Fragment, number: usize) {
        let Fragment { triangle, morton, samples } = part;
        let [in_x, in_y] = centroids.of(samples).map(i32::cast_unsigned);
        let x = (rect.x + morton.column()) * UNIT.cast_unsigned() + in_x;
        let y = (rect.y + morton.row()) * UNIT.cast_unsigned() + in_y;
        let queue = &mut self.mixed[usize::from(self.shader_of[triangle as usize])];
        queue.push([triangle, x, y, number_of(number)]);
    }
}

/// Owners of the first sample of each pixel, and bits where owners of other samples differ from
/// them. Pixels beyond the slice have no owner.
#[inline(always)]
fn compare<S: Simd, const SAMPLES: usize>(
    simd: S,
    pixels: &[[u32; SAMPLES]],
) -> (S::u32s, S::u32s) {
    let lanes = S::u32s::LEN;
    if SAMPLES == 4 && pixels.len() == lanes {
        let [a, b, c, d] = deinterleave4(simd, pixels.as_flattened());
        return (a, (a ^ b) | (a ^ c) | (a ^ d));
    }
    let (mut first, mut difference) = ([NO_TRIANGLE; MAX_LANES], [0; MAX_LANES]);
    for ((owners, first), difference) in pixels.iter().zip(&mut first).zip(&mut difference) {
        *first = owners[0];
        for &owner in owners {
            *difference |= owner ^ owners[0];
        }
    }
    (S::u32s::from_slice(simd, &first[..lanes]), S::u32s::from_slice(simd, &difference[..lanes]))
}

/// Appends the fragments of some lanes to a queue.
#[inline(always)]
fn append(
    queue: &mut Vec<WaitingFragment>,
    waiting: &[WaitingFragment; MAX_LANES],
    lanes: usize,
    here: u64,
) {
    // Every lane is written; the next kept lane overwrites an unwanted one. This avoids an
    // unpredictable branch.
    let start = queue.len();
    queue.extend_from_slice(waiting);
    let end = &mut queue[start..start + MAX_LANES];
    let mut count = 0;
    for (lane, &point) in waiting.iter().enumerate().take(lanes) {
        end[count & (MAX_LANES - 1)] = point;
        count += (here >> lane & 1) as usize;
    }
    queue.truncate(start + count);
}

/// Properties that fragments must have in common to be shaded together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ShaderKey {
    pub material: u32,
    pub has_color: bool,
    /// True for pieces of clipped triangles, whose corners lie within their sources.
    pub is_piece: bool,
}

impl ShaderKey {
    /// The shader of a set-up triangle.
    #[inline]
    pub(crate) fn of(geometry: &GeometryContext, triangle: &SetupTriangle) -> Self {
        let draw = &geometry.draws[triangle.draw as usize];
        Self {
            material: u32::try_from(draw.material).expect("fewer than 2^32 materials"),
            has_color: !draw.mesh.colors.is_empty(),
            is_piece: triangle.piece().is_some(),
        }
    }
}
