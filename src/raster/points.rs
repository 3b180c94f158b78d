//! The points of a tile that are to be lit: one for each pixel and each triangle that it shows.

use super::bin::Rect;
use super::cover::{DepthPlane, NOBODY, Samples, for_each_covered, sample_place};
use super::edge::UNIT;
use super::setup::TriangleId;
use super::shade::Scene;

/// A pixel within a tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot(pub u16);

impl Spot {
    /// The columns of the widest tile.
    pub const COLUMNS: u32 = super::Cut::MAX_TILE;

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a tile has at most 64 pixels a side")]
    pub fn new(column: u32, row: u32) -> Self {
        Self((row * Self::COLUMNS + column) as u16)
    }

    #[inline]
    pub fn column(self) -> u32 {
        u32::from(self.0) % Self::COLUMNS
    }

    #[inline]
    pub fn row(self) -> u32 {
        u32::from(self.0) / Self::COLUMNS
    }
}

/// One point to shade: the part of a pixel that shows one triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    /// A place among the triangles of the tile.
    pub triangle: u32,
    /// The pixel.
    pub spot: Spot,
    /// The samples that show the triangle, one bit each.
    pub samples: u16,
}

/// Part of a pixel that a blended triangle covers before the opaque surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fragment {
    pub point: Point,
    /// Place in submission order within the tile.
    pub order: u32,
}

/// A pixel that shows something in some of its samples, or several things.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mixed {
    pub spot: Spot,
    /// Its points, as places among the points of the tile.
    pub first: u32,
    pub end: u32,
}

/// All points of a tile.
#[derive(Default)]
pub(super) struct Points {
    /// Pixel by pixel, in the order of the samples that show them.
    pub opaque: Vec<Point>,
    /// Pixel by pixel, in submission order.
    pub fragments: Vec<Fragment>,
    /// Pixels whose opaque points are several, or leave samples free.
    pub mixed: Vec<Mixed>,
    /// Pixels with opaque points.
    pub opaque_pixels: u64,
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
        self.mixed.clear();
        self.opaque_pixels = 0;
        match scene.pattern.len() {
            1 => self.collect_rows::<1>(rect, samples),
            2 => self.collect_rows::<2>(rect, samples),
            4 => self.collect_rows::<4>(rect, samples),
            8 => self.collect_rows::<8>(rect, samples),
            _ => self.collect_rows::<16>(rect, samples),
        }
    }

    fn collect_rows<const SAMPLES: usize>(&mut self, rect: &Rect, samples: &Samples) {
        let full = u16::MAX >> (16 - SAMPLES);
        for row in 0..rect.height {
            let (pixels, _) = samples.owners_of_row(row, rect.width).as_chunks::<SAMPLES>();
            for (column, owners) in (0..).zip(pixels) {
                // 1. Mostly all samples show one triangle, or none.
                let triangle = owners[0];
                if owners.iter().all(|&owner| owner == triangle) {
                    if triangle != NOBODY {
                        let spot = Spot::new(column, row);
                        self.opaque.push(Point { triangle, spot, samples: full });
                        self.opaque_pixels += 1;
                    }
                    continue;
                }

                // 2. Else one point each.
                let spot = Spot::new(column, row);
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
                self.opaque_pixels += 1;
                let place = |count: usize| u32::try_from(count).expect("at most 2^16 points");
                let (first, end) = (place(first), place(self.opaque.len()));
                self.mixed.push(Mixed { spot, first, end });
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

/// Where a point is shaded within its pixel: at the centre if it fills the pixel, else at the centroid of its samples.
#[expect(clippy::cast_possible_wrap, reason = "at most 16 samples")]
pub(super) fn place_in_pixel(scene: &Scene, samples: u16) -> [i32; 2] {
    let count = samples.count_ones() as i32;
    if count.cast_unsigned() == scene.view.samples {
        return [UNIT / 2, UNIT / 2];
    }
    let sum = |axis: usize| {
        (0..scene.pattern.len())
            .filter(|sample| samples & (1 << sample) != 0)
            .map(|sample| scene.pattern[sample][axis])
            .sum::<i32>()
    };
    [(sum(0) + count / 2) / count, (sum(1) + count / 2) / count]
}

/// Where a point is shaded.
#[expect(clippy::cast_possible_wrap, reason = "a picture has at most 2^14 pixels a side")]
pub(super) fn place_of(scene: &Scene, rect: &Rect, point: &Point) -> (i32, i32) {
    let [x, y] = place_in_pixel(scene, point.samples);
    let (column, row) = (rect.x + point.spot.column(), rect.y + point.spot.row());
    (column as i32 * UNIT + x, row as i32 * UNIT + y)
}

/// The points of a tile by triangle, and the triangles by what they look like.
#[derive(Default)]
pub(super) struct Sorted {
    /// Per triangle of the tile: how many points show it; then where the next of them goes; at last where they end.
    pub end: Vec<u32>,
    /// Triangles that are seen, those of one kind together, each kind's in submission order.
    pub seen: Vec<(KindKey, u32)>,
    /// The points, each with its place in the list that was sorted.
    pub points: Vec<SortedPoint>,
}

/// A point that knows its place.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SortedPoint {
    pub place: u32,
    pub spot: Spot,
    pub samples: u16,
}

/// What points need in common to be shaded together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct KindKey {
    pub material: u32,
    pub has_color: bool,
    /// Pieces of clipped triangles are shaded one point at a time.
    pub is_piece: bool,
}

impl Sorted {
    /// Sorts points by triangle, and triangles by kind.
    pub fn sort(&mut self, scene: &Scene, triangles: &[TriangleId], list: &Points) {
        let Self { end, seen, points } = self;
        // 1. How many points show each triangle.
        end.clear();
        end.resize(triangles.len(), 0);
        for point in list.all() {
            end[point.triangle as usize] += 1;
        }

        // 2. The kinds of those that are seen; mostly there is one, or they come in runs.
        seen.clear();
        let mut is_rising = true;
        for (place, (&id, &count)) in (0_u32..).zip(triangles.iter().zip(end.iter())) {
            if count == 0 {
                continue;
            }
            let (_, triangle) = id.of(scene.chunks);
            let draw = &scene.view.draws[triangle.draw as usize];
            let key = KindKey {
                material: u32::try_from(draw.material).expect("fewer than 2^32 materials"),
                has_color: !draw.mesh.colors.is_empty(),
                is_piece: triangle.piece.is_some(),
            };
            is_rising &= seen.last().is_none_or(|&(last, _)| last <= key);
            seen.push((key, place));
        }
        if !is_rising {
            seen.sort_unstable();
        }

        // 3. Every point to its place.
        let mut start = 0;
        for &(_, place) in seen.iter() {
            let next = &mut end[place as usize];
            (start, *next) = (start + *next, start);
        }
        points.clear();
        points.resize(start as usize, SortedPoint::default());
        for (place, point) in (0_u32..).zip(list.all()) {
            let next = &mut end[point.triangle as usize];
            points[*next as usize] =
                SortedPoint { place, spot: point.spot, samples: point.samples };
            *next += 1;
        }
    }
}
