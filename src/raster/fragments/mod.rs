//! The points of a tile that are to be lit: one for each pixel and each triangle that it shows.

use crate::raster::coverage::lanes::{DepthPlane, NOBODY, Samples, for_each_covered, sample_place};
use crate::raster::geometry::bin::Rect;
use crate::raster::geometry::edge::{SamplePattern, UNIT};
use crate::raster::geometry::setup::{SetupTriangle, TriangleId};
use crate::raster::morton::{Runs, Spot};
use crate::raster::shading::lanes::WaitingPoint;
use crate::raster::shading::scalar::Scene;
use crate::simd::prelude::*;
use crate::simd::{MAX_LANES, Simd, mingle, unmingle};

/// One point to shade: the part of a pixel that shows one triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    /// A place among the triangles of the tile.
    pub triangle: u32,
    /// The pixel.
    pub spot: Spot,
    /// The samples that show the triangle, one bit each.
    pub samples: u16,
}

/// Part of a pixel that a blended triangle covers before the opaque surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fragment {
    pub point: Point,
    /// Place in submission order within the tile.
    pub order: u32,
}

/// A pixel that shows something in some of its samples, or several things.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mixed {
    pub spot: Spot,
    /// Its points, as places among the mixed points of the tile.
    pub first: u32,
    pub end: u32,
}

/// All points of a tile.
#[derive(Default)]
pub(crate) struct Points {
    /// Pixel by pixel, in the order of the samples that show them.
    pub opaque: Vec<Point>,
    /// Pixel by pixel, in submission order.
    pub fragments: Vec<Fragment>,
}

/// The pixels of a tile that show several opaque things, and their points, which wait to be averaged.
#[derive(Default)]
pub(crate) struct MixedPoints {
    pub pixels: Vec<Mixed>,
    /// The samples that show each point, one bit each.
    pub samples: Vec<u16>,
    /// The light of each, premultiplied linear RGBA.
    pub colors: Vec<[f32; 4]>,
}

impl Points {
    /// Opaque points, then blended ones.
    pub fn all(&self) -> impl Iterator<Item = &Point> {
        self.opaque.iter().chain(self.fragments.iter().map(|fragment| &fragment.point))
    }

    pub fn len(&self) -> usize {
        self.opaque.len() + self.fragments.len()
    }

    /// Lists what each pixel shows of opaque triangles.
    pub fn collect_opaque(&mut self, scene: &Scene, rect: &Rect, samples: &Samples) {
        self.opaque.clear();
        match scene.pattern.len() {
            1 => self.collect_spots::<1>(rect, samples),
            2 => self.collect_spots::<2>(rect, samples),
            4 => self.collect_spots::<4>(rect, samples),
            8 => self.collect_spots::<8>(rect, samples),
            _ => self.collect_spots::<16>(rect, samples),
        }
    }

    fn collect_spots<const SAMPLES: usize>(&mut self, rect: &Rect, samples: &Samples) {
        let full = u16::MAX >> (16 - SAMPLES);
        let (pixels, _) = samples.owners().as_chunks::<SAMPLES>();
        for (spot, owners) in (0..).map(Spot::of).zip(pixels) {
            if spot.column() >= rect.width || spot.row() >= rect.height {
                continue;
            }

            // 1. Mostly all samples show one triangle, or none.
            let triangle = owners[0];
            if owners.iter().all(|&owner| owner == triangle) {
                if triangle != NOBODY {
                    self.opaque.push(Point { triangle, spot, samples: full });
                }
                continue;
            }

            // 2. Else one point each.
            let first = self.opaque.len();
            for (sample, &triangle) in owners.iter().enumerate() {
                if triangle == NOBODY {
                    continue;
                }
                match self.opaque[first..].iter_mut().find(|point| point.triangle == triangle) {
                    Some(point) => point.samples |= 1 << sample,
                    None => self.opaque.push(Point { triangle, spot, samples: 1 << sample }),
                }
            }
        }
    }

    /// Lists the parts of pixels that blended triangles cover before the opaque surface.
    pub fn collect_fragments(
        &mut self,
        scene: &Scene,
        rect: &Rect,
        triangles: &[TriangleId],
        blended: &[u32],
        samples: &Samples,
    ) {
        let fragments = &mut self.fragments;
        fragments.clear();
        for (order, &place) in (0_u32..).zip(blended) {
            let (_, triangle) = triangles[place as usize].of(scene.chunks);
            let plane = DepthPlane::new(triangle);
            for_each_covered(scene.pattern, rect, triangle, |column, row, sample| {
                let (x, y) = sample_place(scene.pattern, rect, column, row, sample);
                if plane.at(x, y) > samples.depth_at(column, row, sample) {
                    let spot = Spot::new(column, row);
                    match fragments.last_mut() {
                        Some(last) if last.order == order && last.point.spot == spot => {
                            last.point.samples |= 1 << sample;
                        }
                        _ => {
                            let point = Point { triangle: place, spot, samples: 1 << sample };
                            fragments.push(Fragment { point, order });
                        }
                    }
                }
            });
        }
        fragments.sort_unstable_by_key(|fragment| (fragment.point.spot, fragment.order));
    }
}

/// The opaque points of a tile that wait to be lit, kind by kind.
#[derive(Default)]
pub(crate) struct Queues {
    /// The kinds of the tile's triangles.
    pub kinds: Vec<KindKey>,
    /// Per triangle of the tile: which of them.
    pub kind_of: Vec<u16>,
    /// Per kind: points that fill their pixel, numbered by its [`Spot`].
    pub full: Vec<Vec<WaitingPoint>>,
    /// Per kind: points of mixed pixels, numbered through the tile.
    pub mixed: Vec<Vec<WaitingPoint>>,
    /// Pixels with points.
    pub covered_pixels: u64,
    /// The draw of the last triangle, and whether that is a piece of a clipped one; and its kind.
    last: Option<(u32, bool)>,
    last_kind: u16,
}

impl Queues {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.kinds.clear();
        self.kind_of.clear();
        self.last = None;
        for queue in self.full.iter_mut().chain(&mut self.mixed) {
            queue.clear();
        }
        self.covered_pixels = 0;
    }

    /// Notes the kind of the next triangles of the tile, which are all of the kind of one.
    #[inline]
    pub fn note_kinds(&mut self, scene: &Scene, triangle: &SetupTriangle, count: usize) {
        self.note_kind(scene, triangle);
        self.kind_of.resize(self.kind_of.len() + count - 1, self.last_kind);
    }

    /// Notes the kind of the next triangle of the tile.
    #[inline]
    pub fn note_kind(&mut self, scene: &Scene, triangle: &SetupTriangle) {
        // Mostly as the last one.
        let source = (triangle.draw, triangle.piece().is_some());
        if self.last != Some(source) {
            self.last = Some(source);
            self.last_kind = self.kind(KindKey::of(scene, triangle));
        }
        self.kind_of.push(self.last_kind);
    }

    /// The number of a kind.
    fn kind(&mut self, key: KindKey) -> u16 {
        let known = self.kinds.iter().rposition(|&known| known == key);
        let kind = known.unwrap_or_else(|| {
            self.kinds.push(key);
            if self.full.len() < self.kinds.len() {
                self.full.push(Vec::new());
                self.mixed.push(Vec::new());
            }
            self.kinds.len() - 1
        });
        u16::try_from(kind).expect("fewer than 2^16 kinds in a tile")
    }

    /// Queues what each pixel shows.
    #[inline(always)]
    pub fn fill<S: Simd>(
        &mut self,
        simd: S,
        scene: &Scene,
        rect: &Rect,
        samples: &Samples,
        mixed: &mut MixedPoints,
    ) {
        mixed.pixels.clear();
        mixed.samples.clear();
        match scene.pattern.len() {
            1 => unreachable!("pixels of one sample are drawn row by row"),
            2 => self.fill_spots::<S, 2>(simd, scene, rect, samples, mixed),
            4 => self.fill_spots::<S, 4>(simd, scene, rect, samples, mixed),
            8 => self.fill_spots::<S, 8>(simd, scene, rect, samples, mixed),
            _ => self.fill_spots::<S, 16>(simd, scene, rect, samples, mixed),
        }
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "at most 2^12 spots")]
    fn fill_spots<S: Simd, const SAMPLES: usize>(
        &mut self,
        simd: S,
        scene: &Scene,
        rect: &Rect,
        samples: &Samples,
        mixed: &mut MixedPoints,
    ) {
        let lanes = S::u32s::LEN;
        let steps = S::u32s::from_slice(simd, &LANE[..lanes]);
        let middle = UNIT.cast_unsigned() / 2;
        let (pixels, _) = samples.owners().as_chunks::<SAMPLES>();
        let mut runs = Runs::new(simd, rect);
        while let Some(run) = runs.next() {
            // 1. The first owner of each pixel, and whether another sample has another.
            let owners = &pixels[run.first..run.first + lanes];
            let (first, difference) = compare(simd, owners);
            let is_one = difference.simd_eq(0).to_bitmask();
            let one = is_one & !first.simd_eq(NOBODY).to_bitmask() & run.within;

            // 2. Mostly all samples show one triangle.
            if one != 0 {
                self.covered_pixels += u64::from(one.count_ones());
                let x = (run.columns + rect.x) * UNIT.cast_unsigned() + middle;
                let y = (run.rows + rect.y) * UNIT.cast_unsigned() + middle;
                let spots = steps + run.first as u32;
                let waiting = mingle(simd, [first, x, y, spots]);
                for kind in 0..self.kinds.len() {
                    let here = self.of_kind(kind, first.as_slice(), one);
                    append(&mut self.full[kind], &waiting, lanes, here);
                }
            }

            // 3. Else one point each.
            let mut left = !is_one & run.within;
            while left != 0 {
                let lane = left.trailing_zeros() as usize;
                left &= left - 1;
                let spot = Spot::of(run.first + lane);
                self.queue_mixed(scene, rect, spot, &owners[lane], mixed);
            }
        }
    }

    /// Of the lanes in `wanted`, those whose triangles are of a kind.
    #[inline]
    pub fn of_kind(&self, kind: usize, places: &[u32], wanted: u64) -> u64 {
        if self.kinds.len() == 1 {
            return wanted;
        }
        let (mut left, mut found) = (wanted, 0);
        while left != 0 {
            let lane = left.trailing_zeros();
            left &= left - 1;
            let is_kind = usize::from(self.kind_of[places[lane as usize] as usize]) == kind;
            found |= u64::from(is_kind) << lane;
        }
        found
    }

    /// Queues a point for each triangle that a pixel shows, in the order of their first samples.
    #[expect(clippy::cast_possible_wrap, reason = "a picture has at most 2^14 pixels a side")]
    fn queue_mixed<const SAMPLES: usize>(
        &mut self,
        scene: &Scene,
        rect: &Rect,
        spot: Spot,
        owners: &[u32; SAMPLES],
        mixed: &mut MixedPoints,
    ) {
        let (column, row) = (rect.x + spot.column(), rect.y + spot.row());
        let (x, y) = (column as i32 * UNIT, row as i32 * UNIT);
        let first = mixed.samples.len();
        let mut seen = [0; SAMPLES];
        for (sample, &triangle) in owners.iter().enumerate() {
            if triangle == NOBODY {
                continue;
            }
            let known = &seen[..mixed.samples.len() - first];
            if let Some(place) = known.iter().position(|&other| other == triangle) {
                mixed.samples[first + place] |= 1 << sample;
            } else {
                seen[known.len()] = triangle;
                mixed.samples.push(1 << sample);
            }
        }
        for (number, &samples) in mixed.samples.iter().enumerate().skip(first) {
            let triangle = seen[number - first];
            let [in_x, in_y] = scene.centroids.of(scene, samples);
            let (x, y) = ((x + in_x).cast_unsigned(), (y + in_y).cast_unsigned());
            let queue = &mut self.mixed[usize::from(self.kind_of[triangle as usize])];
            queue.push([triangle, x, y, number_of(number)]);
        }
        let (first, end) = (number_of(first), number_of(mixed.samples.len()));
        mixed.pixels.push(Mixed { spot, first, end });
        self.covered_pixels += 1;
    }
}

/// The number of each lane.
pub(crate) const LANE: [u32; MAX_LANES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// The first samples' owners of as many pixels as there are lanes, and bits where owners of other samples differ from them.
/// Pixels that are not there have nobody.
#[inline(always)]
fn compare<S: Simd, const SAMPLES: usize>(
    simd: S,
    pixels: &[[u32; SAMPLES]],
) -> (S::u32s, S::u32s) {
    let lanes = S::u32s::LEN;
    if SAMPLES == 4 && pixels.len() == lanes {
        let [a, b, c, d] = unmingle(simd, pixels.as_flattened());
        return (a, (a ^ b) | (a ^ c) | (a ^ d));
    }
    let (mut first, mut difference) = ([NOBODY; MAX_LANES], [0; MAX_LANES]);
    for ((owners, first), difference) in pixels.iter().zip(&mut first).zip(&mut difference) {
        *first = owners[0];
        for &owner in owners {
            *difference |= owner ^ owners[0];
        }
    }
    (S::u32s::from_slice(simd, &first[..lanes]), S::u32s::from_slice(simd, &difference[..lanes]))
}

/// Adds the points of some lanes to a queue.
#[inline(always)]
fn append(
    queue: &mut Vec<WaitingPoint>,
    waiting: &[WaitingPoint; MAX_LANES],
    lanes: usize,
    here: u64,
) {
    // Each is written, and stays if the next one does not take its place: no branch to foretell.
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

/// The count or number of points of a tile in 32 bits.
#[inline]
pub(crate) fn number_of(count: usize) -> u32 {
    u32::try_from(count).expect("at most 2^16 points in a tile")
}

/// [`place_in_pixel`] of every set of samples, up to [`Centroids::MAX_SAMPLES`].
#[derive(Default)]
pub(crate) struct Centroids(Vec<[i32; 2]>);

impl Centroids {
    const MAX_SAMPLES: usize = 8;

    pub fn new(pattern: SamplePattern) -> Self {
        if pattern.len() > Self::MAX_SAMPLES {
            return Self::default();
        }
        let sets = 0..1_u16 << pattern.len();
        Self(sets.map(|samples| place_in_pixel(pattern, samples)).collect())
    }

    #[inline]
    fn of(&self, scene: &Scene, samples: u16) -> [i32; 2] {
        match self.0.get(usize::from(samples)) {
            Some(&place) => place,
            None => place_in_pixel(scene.pattern, samples),
        }
    }
}

/// Where a point is shaded within its pixel: at the centre if it fills the pixel, else at the centroid of its samples.
#[expect(clippy::cast_possible_wrap, reason = "at most 16 samples")]
pub(crate) fn place_in_pixel(pattern: SamplePattern, samples: u16) -> [i32; 2] {
    let count = samples.count_ones() as i32;
    if samples.count_ones() as usize == pattern.len() || count == 0 {
        return [UNIT / 2, UNIT / 2];
    }
    let sum = |axis: usize| {
        (0..pattern.len())
            .filter(|sample| samples & (1 << sample) != 0)
            .map(|sample| pattern[sample][axis])
            .sum::<i32>()
    };
    [(sum(0) + count / 2) / count, (sum(1) + count / 2) / count]
}

/// Where a point is shaded.
#[expect(clippy::cast_possible_wrap, reason = "a picture has at most 2^14 pixels a side")]
pub(crate) fn place_of(scene: &Scene, rect: &Rect, point: &Point) -> (i32, i32) {
    let [x, y] = place_in_pixel(scene.pattern, point.samples);
    let (column, row) = (rect.x + point.spot.column(), rect.y + point.spot.row());
    (column as i32 * UNIT + x, row as i32 * UNIT + y)
}

/// What points need in common to be shaded together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct KindKey {
    pub material: u32,
    pub has_color: bool,
    /// Pieces of clipped triangles are shaded one point at a time.
    pub is_piece: bool,
}

impl KindKey {
    /// The kind of a set-up triangle.
    #[inline]
    pub fn of(scene: &Scene, triangle: &SetupTriangle) -> Self {
        let draw = &scene.view.draws[triangle.draw as usize];
        Self {
            material: u32::try_from(draw.material).expect("fewer than 2^32 materials"),
            has_color: !draw.mesh.colors.is_empty(),
            is_piece: triangle.piece().is_some(),
        }
    }
}
