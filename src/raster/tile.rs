//! One tile: which triangle each sample sees, then every visible point once, then the resolve.
//!
//! Depth and triangle ids live in a thread's scratch memory that stays in its cache; nothing per sample is kept for the
//! whole picture.

use super::bin::Rect;
use super::edge::{Against, UNIT, triangle_edges};
use super::encode_pixel;
use super::packet::{self, Kind, Packet};
use super::setup::{SetupTriangle, TriangleId};
use super::shade::{Scene, Surface};
use super::{LitPoint, SeenPoint};
use crate::math::{Vec3, Vec4, clamp, max, min};
use crate::model::{AlphaMode, Background};
use crate::simd::prelude::*;
use crate::simd::{Kernel, Level, Simd};

/// The most samples a pixel can have.
const MAX_SAMPLES: usize = 16;

/// The finished pixels of a tile, row by row.
pub(super) struct Tile {
    pub rgba: Vec<[u8; 4]>,
    pub covered_pixels: u64,
    pub shaded_points: u64,
    /// What ran.
    pub level: Level,
}

/// Memory that a thread keeps from tile to tile.
#[derive(Default)]
pub(super) struct Scratch {
    /// 1/w of the nearest opaque surface per sample, sample by sample within a pixel.
    depth: Vec<f32>,
    /// Whose it is: a place in `triangles`, or [`NOBODY`].
    owner: Vec<u32>,
    /// What was binned to the tile, in submission order.
    triangles: Vec<TriangleId>,
    /// The blended ones of them, as places in `triangles`.
    blended: Vec<u32>,
    points: Vec<Point>,
    colors: Vec<Vec4>,
    fragments: Vec<Fragment>,
    layers: Vec<(f32, Vec4)>,
    sorted: Sorted,
}

/// No triangle of a tile.
const NOBODY: u32 = u32::MAX;

/// The points of a tile by triangle, and the triangles by what they look like.
#[derive(Default)]
struct Sorted {
    /// Per triangle of the tile: how many points show it; then where the next of them goes.
    next: Vec<u32>,
    /// Triangles that are seen, those of one kind together, each kind's in submission order.
    seen: Vec<(KindKey, u32)>,
    /// Points, as places among the points and behind them the fragments.
    points: Vec<u32>,
}

/// What points need in common to be shaded together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct KindKey {
    material: u32,
    has_color: bool,
    /// Pieces of clipped triangles are shaded one point at a time.
    is_piece: bool,
}

/// One point to shade: the part of a pixel that shows one triangle.
#[derive(Clone, Copy, Debug)]
struct Point {
    /// A place among the triangles of the tile.
    triangle: u32,
    /// The pixel within the tile.
    pixel: u32,
    /// The samples that show the triangle, one bit each.
    samples: u32,
}

/// Part of a pixel that a blended triangle covers before the opaque surface.
#[derive(Clone, Copy, Debug)]
struct Fragment {
    point: Point,
    /// Place in submission order within the tile.
    order: u32,
}

/// Finds what each pixel of `rect` shows of the triangles binned to tile `index`: points and fragments, without light.
fn find_visible(scene: &Scene, rect: &Rect, index: usize, scratch: &mut Scratch) {
    let pixels = rect.width as usize * rect.height as usize;
    let samples = scene.pattern.len();
    scratch.depth.clear();
    scratch.depth.resize(pixels * samples, 1.0 / scene.view.camera.far);
    scratch.owner.clear();
    scratch.owner.resize(pixels * samples, NOBODY);
    scratch.triangles.clear();
    scratch.blended.clear();

    // 1. Nearest opaque surface of every sample.
    for (number, chunk) in scene.chunks.iter().enumerate() {
        for local in chunk.bins.of_tile(index) {
            let id = TriangleId::new(number, local);
            let triangle = &chunk.triangles[usize::from(local)];
            let place = u32::try_from(scratch.triangles.len()).expect("fewer than 2^32 triangles");
            scratch.triangles.push(id);
            match scene.material(id).alpha {
                AlphaMode::Blend => scratch.blended.push(place),
                AlphaMode::Opaque => {
                    cover_opaque(scene, rect, place, triangle, scratch, |_, _| true);
                }
                AlphaMode::Mask { cutoff } => {
                    let surface = Surface::new(*scene, id);
                    cover_opaque(scene, rect, place, triangle, scratch, |x, y| {
                        surface.alpha(x, y) >= cutoff
                    });
                }
            }
        }
    }

    // 2. One point a pixel and triangle.
    collect_points(scene, scratch, pixels);
    collect_fragments(scene, rect, scratch);
}

/// The work on one tile, on any level.
pub(super) struct TileWork<'a> {
    pub scene: &'a Scene<'a>,
    /// The pixels.
    pub rect: Rect,
    /// The number of the tile.
    pub index: usize,
    pub scratch: &'a mut Scratch,
}

/// What the pixels of the tile show, pixel by pixel: opaque triangles in the order of their samples, then blended ones.
pub(super) struct SeeTile<'a>(pub TileWork<'a>);

impl Kernel for SeeTile<'_> {
    type Output = Vec<SeenPoint>;

    fn scalar(self) -> Vec<SeenPoint> {
        let TileWork { scene, rect, index, scratch } = self.0;
        find_visible(scene, &rect, index, scratch);
        scratch.all_points().map(|point| seen_point(scene, &rect, scratch, point)).collect()
    }

    #[inline(always)]
    fn lanes<S: Simd>(self, _: S) -> Vec<SeenPoint> {
        self.scalar()
    }
}

/// The same with the light that leaves each point.
pub(super) struct LightTile<'a>(pub TileWork<'a>);

impl LightTile<'_> {
    fn list(scene: &Scene, rect: &Rect, scratch: &Scratch) -> Vec<LitPoint> {
        let lit = |(point, color): (&Point, &Vec4)| LitPoint {
            seen: seen_point(scene, rect, scratch, point),
            color: color.to_array(),
        };
        scratch.all_points().zip(&scratch.colors).map(lit).collect()
    }
}

impl Kernel for LightTile<'_> {
    type Output = Vec<LitPoint>;

    fn scalar(self) -> Vec<LitPoint> {
        let TileWork { scene, rect, index, scratch } = self.0;
        find_visible(scene, &rect, index, scratch);
        shade_points(scene, &rect, scratch);
        Self::list(scene, &rect, scratch)
    }

    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) -> Vec<LitPoint> {
        let TileWork { scene, rect, index, scratch } = self.0;
        find_visible(scene, &rect, index, scratch);
        simd.vectorize(
            #[inline(always)]
            || shade_packets(simd, scene, &rect, scratch),
        );
        Self::list(scene, &rect, scratch)
    }
}

/// Draws the pixels of the tile.
pub(super) struct DrawTile<'a>(pub TileWork<'a>);

impl Kernel for DrawTile<'_> {
    type Output = Tile;

    fn scalar(self) -> Tile {
        let TileWork { scene, rect, index, scratch } = self.0;
        find_visible(scene, &rect, index, scratch);
        shade_points(scene, &rect, scratch);
        resolve(scene, &rect, scratch, Level::Scalar)
    }

    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) -> Tile {
        let TileWork { scene, rect, index, scratch } = self.0;
        find_visible(scene, &rect, index, scratch);
        simd.vectorize(
            #[inline(always)]
            || shade_packets(simd, scene, &rect, scratch),
        );
        resolve(scene, &rect, scratch, Level::of(simd))
    }
}

impl Scratch {
    /// Opaque points pixel by pixel, then blended ones pixel by pixel.
    fn all_points(&self) -> impl Iterator<Item = &Point> {
        self.points.iter().chain(self.fragments.iter().map(|fragment| &fragment.point))
    }

    /// The point at a place among them.
    #[inline]
    fn point(&self, place: u32) -> &Point {
        let place = place as usize;
        match place.checked_sub(self.points.len()) {
            None => &self.points[place],
            Some(place) => &self.fragments[place].point,
        }
    }
}

fn seen_point(scene: &Scene, rect: &Rect, scratch: &Scratch, point: &Point) -> SeenPoint {
    let (_, triangle) = scratch.triangles[point.triangle as usize].of(scene.chunks);
    let pixel = [rect.x + point.pixel % rect.width, rect.y + point.pixel / rect.width];
    SeenPoint {
        pixel,
        draw: triangle.draw,
        triangle: triangle.source,
        samples: point.samples,
        is_front: triangle.is_front,
    }
}

/// Lights every point alone: the definition of [`shade_packets`].
fn shade_points(scene: &Scene, rect: &Rect, scratch: &mut Scratch) {
    let mut colors = core::mem::take(&mut scratch.colors);
    colors.clear();
    let mut surface: Option<(u32, Surface)> = None;
    for point in scratch.all_points() {
        let current = match &mut surface {
            Some((triangle, current)) if *triangle == point.triangle => current,
            stale => {
                let id = scratch.triangles[point.triangle as usize];
                &mut stale.insert((point.triangle, Surface::new(*scene, id))).1
            }
        };
        let (x, y) = place_of(scene, rect, point);
        colors.push(current.shade(x, y));
    }
    scratch.colors = colors;
}

/// Sorts the points of a tile by triangle, and the triangles by kind.
fn sort_points(scene: &Scene, scratch: &Scratch, sorted: &mut Sorted) {
    let Sorted { next, seen, points } = sorted;
    // 1. How many points show each triangle.
    next.clear();
    next.resize(scratch.triangles.len(), 0);
    for point in scratch.all_points() {
        next[point.triangle as usize] += 1;
    }

    // 2. The kinds of those that are seen; mostly there is one, or they come in runs.
    seen.clear();
    let mut is_rising = true;
    for (place, (&id, &count)) in (0_u32..).zip(scratch.triangles.iter().zip(next.iter())) {
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
        let next = &mut next[place as usize];
        (start, *next) = (start + *next, start);
    }
    points.clear();
    points.resize(start as usize, 0);
    for (place, point) in (0_u32..).zip(scratch.all_points()) {
        let next = &mut next[point.triangle as usize];
        points[*next as usize] = place;
        *next += 1;
    }
}

/// Lights the points of a tile, as many at a time as a vector has lanes.
#[inline(always)]
fn shade_packets<S: Simd>(simd: S, scene: &Scene, rect: &Rect, scratch: &mut Scratch) {
    let mut sorted = core::mem::take(&mut scratch.sorted);
    let mut colors = core::mem::take(&mut scratch.colors);
    sort_points(scene, scratch, &mut sorted);
    colors.clear();
    colors.resize(sorted.points.len(), Vec4::ZERO);

    let mut first = 0;
    for of_kind in sorted.seen.chunk_by(|left, right| left.0 == right.0) {
        let (key, last) = (of_kind[0].0, of_kind[of_kind.len() - 1].1);
        // `next` now tells where the points of a triangle end.
        let end = sorted.next[last as usize] as usize;
        let places = &sorted.points[first..end];
        first = end;
        if key.is_piece {
            for &place in places {
                let point = scratch.point(place);
                let (x, y) = place_of(scene, rect, point);
                let id = scratch.triangles[point.triangle as usize];
                colors[place as usize] = Surface::new(*scene, id).shade(x, y);
            }
            continue;
        }
        let material = &scene.view.materials[key.material as usize];
        let kind = Kind { material, has_color: key.has_color };
        for places in places.chunks(S::f32s::LEN) {
            let mut packet = Packet::EMPTY;
            packet.count = places.len();
            for (lane, &place) in places.iter().enumerate() {
                let point = scratch.point(place);
                (packet.x[lane], packet.y[lane]) = place_of(scene, rect, point);
                packet.id[lane] = scratch.triangles[point.triangle as usize];
            }
            for lane in packet.count..S::f32s::LEN {
                (packet.x[lane], packet.y[lane]) = (packet.x[0], packet.y[0]);
            }
            let light = packet::shade(simd, scene, &kind, &packet);
            for (lane, &place) in places.iter().enumerate() {
                let [r, g, b, a] = light.each_ref().map(|channel| channel.as_slice()[lane]);
                colors[place as usize] = Vec4::new(r, g, b, a);
            }
        }
    }
    (scratch.sorted, scratch.colors) = (sorted, colors);
}

/// Calls `visit(column, row, sample)` for every covered sample, columns and rows within the tile.
#[inline(always)]
#[expect(clippy::cast_possible_wrap, reason = "a picture has at most 2^14 pixels a side")]
#[expect(clippy::cast_sign_loss, reason = "held to the tile")]
fn for_each_covered(
    scene: &Scene,
    rect: &Rect,
    triangle: &SetupTriangle,
    mut visit: impl FnMut(u32, u32, usize),
) {
    // 1. The pixels of the tile that the bounding box touches.
    let span = |corners: [i32; 3], first: u32, count: u32| {
        let low = corners[0].min(corners[1]).min(corners[2]).div_euclid(UNIT) - first as i32;
        let high = corners[0].max(corners[1]).max(corners[2]).div_euclid(UNIT) - first as i32;
        (low.max(0), high.min(count as i32 - 1))
    };
    let (left, right) = span(triangle.x, rect.x, rect.width);
    let (top, bottom) = span(triangle.y, rect.y, rect.height);

    // 2. Edge functions on the lattice of each sample. An edge that holds the whole tile inside becomes the constant 0.
    let (origin_x, origin_y) = (rect.x as i32 * UNIT, rect.y as i32 * UNIT);
    let side = rect.width.max(rect.height) as i32 * UNIT;
    let (mut across, mut down) = ([0_i32; 3], [0_i32; 3]);
    let mut start = [[0_i32; 3]; MAX_SAMPLES];
    for (k, edge) in triangle_edges(triangle.x, triangle.y).iter().enumerate() {
        match edge.against_square(origin_x, origin_y, side) {
            Against::Outside => return,
            Against::Inside => {}
            Against::Crosses => {
                (across[k], down[k]) = (edge.along_x, edge.along_y);
                for (start, place) in start.iter_mut().zip(scene.pattern) {
                    start[k] = edge.lattice_start(origin_x + place[0], origin_y + place[1]);
                }
            }
        }
    }

    // 3. Walk.
    for row in top..=bottom {
        for column in left..=right {
            let at: [i32; 3] = core::array::from_fn(|k| across[k] * column + down[k] * row);
            for (sample, &[a, b, c]) in start.iter().enumerate().take(scene.pattern.len()) {
                if ((a + at[0]) | (b + at[1]) | (c + at[2])) >= 0 {
                    visit(column as u32, row as u32, sample);
                }
            }
        }
    }
}

/// The plane of 1/w over the screen, held between its values at the corners.
struct DepthPlane {
    origin: [i32; 2],
    value: f32,
    along: [f32; 2],
    low: f32,
    high: f32,
}

impl DepthPlane {
    #[expect(clippy::cast_precision_loss, reason = "the nearest f32 of exact differences")]
    fn new(triangle: &SetupTriangle) -> Self {
        let SetupTriangle { x, y, depth: [a, b, c], .. } = *triangle;
        let difference = |axis: [i32; 3], k: usize| (axis[k] - axis[0]) as f32;
        let (x1, x2, y1, y2) =
            (difference(x, 1), difference(x, 2), difference(y, 1), difference(y, 2));
        let (rise1, rise2) = (b - a, c - a);
        let scale = 1.0 / super::edge::doubled_area(x, y) as f32;
        Self {
            origin: [x[0], y[0]],
            value: a,
            along: [(rise1 * y2 - rise2 * y1) * scale, (rise2 * x1 - rise1 * x2) * scale],
            low: min(min(a, b), c),
            high: max(max(a, b), c),
        }
    }

    /// 1/w at a covered place. Slivers have steep planes: rounding must not lift them over their own corners.
    #[inline]
    #[expect(clippy::cast_precision_loss, reason = "below 2^24: exact")]
    fn at(&self, x: i32, y: i32) -> f32 {
        let (dx, dy) = ((x - self.origin[0]) as f32, (y - self.origin[1]) as f32);
        clamp(self.value + self.along[0] * dx + self.along[1] * dy, self.low, self.high)
    }
}

/// Absolute place of a sample of a pixel of the tile.
#[inline]
#[expect(clippy::cast_possible_wrap, reason = "a picture has at most 2^14 pixels a side")]
fn sample_place(scene: &Scene, rect: &Rect, column: u32, row: u32, sample: usize) -> (i32, i32) {
    let [x, y] = scene.pattern[sample];
    ((rect.x + column) as i32 * UNIT + x, (rect.y + row) as i32 * UNIT + y)
}

fn cover_opaque(
    scene: &Scene,
    rect: &Rect,
    place: u32,
    triangle: &SetupTriangle,
    scratch: &mut Scratch,
    solid: impl Fn(i32, i32) -> bool,
) {
    let plane = DepthPlane::new(triangle);
    let samples = scene.pattern.len();
    for_each_covered(scene, rect, triangle, |column, row, sample| {
        let (x, y) = sample_place(scene, rect, column, row, sample);
        let slot = (row * rect.width + column) as usize * samples + sample;
        let depth = plane.at(x, y);
        if depth > scratch.depth[slot] && solid(x, y) {
            scratch.depth[slot] = depth;
            scratch.owner[slot] = place;
        }
    });
}

/// Lists what each pixel shows, pixel by pixel, in the order of its samples.
fn collect_points(scene: &Scene, scratch: &mut Scratch, pixels: usize) {
    scratch.points.clear();
    let samples = scene.pattern.len();
    for (pixel, owners) in (0_u32..).zip(scratch.owner.chunks_exact(samples).take(pixels)) {
        let first = scratch.points.len();
        for (sample, &triangle) in owners.iter().enumerate() {
            if triangle == NOBODY {
                continue;
            }
            match scratch.points[first..].iter_mut().find(|point| point.triangle == triangle) {
                Some(point) => point.samples |= 1 << sample,
                None => scratch.points.push(Point { triangle, pixel, samples: 1 << sample }),
            }
        }
    }
}

/// Lists the parts of pixels that blended triangles cover before the opaque surface, pixel by pixel.
fn collect_fragments(scene: &Scene, rect: &Rect, scratch: &mut Scratch) {
    scratch.fragments.clear();
    let samples = scene.pattern.len();
    for (order, &place) in (0_u32..).zip(&scratch.blended) {
        let (_, triangle) = scratch.triangles[place as usize].of(scene.chunks);
        let plane = DepthPlane::new(triangle);
        let (depth, fragments) = (&scratch.depth, &mut scratch.fragments);
        for_each_covered(scene, rect, triangle, |column, row, sample| {
            let pixel = row * rect.width + column;
            let (x, y) = sample_place(scene, rect, column, row, sample);
            if plane.at(x, y) > depth[pixel as usize * samples + sample] {
                match fragments.last_mut() {
                    Some(last) if last.order == order && last.point.pixel == pixel => {
                        last.point.samples |= 1 << sample;
                    }
                    _ => {
                        let point = Point { triangle: place, pixel, samples: 1 << sample };
                        fragments.push(Fragment { point, order });
                    }
                }
            }
        });
    }
    scratch.fragments.sort_unstable_by_key(|fragment| (fragment.point.pixel, fragment.order));
}

/// Where a point is shaded: at the pixel's centre if it fills the pixel, else at the centroid of its samples.
#[expect(clippy::cast_possible_wrap, reason = "at most 16 samples")]
fn place_of(scene: &Scene, rect: &Rect, point: &Point) -> (i32, i32) {
    let (column, row) = (point.pixel % rect.width, point.pixel / rect.width);
    let count = point.samples.count_ones() as i32;
    let (mut x, mut y) = (UNIT / 2, UNIT / 2);
    if count.cast_unsigned() < scene.view.samples {
        let sum = |axis: usize| {
            (0..scene.pattern.len())
                .filter(|sample| point.samples & (1 << sample) != 0)
                .map(|sample| scene.pattern[sample][axis])
                .sum::<i32>()
        };
        (x, y) = ((sum(0) + count / 2) / count, (sum(1) + count / 2) / count);
    }
    ((rect.x + column) as i32 * UNIT + x, (rect.y + row) as i32 * UNIT + y)
}

/// The background of a row of the picture, premultiplied.
#[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
fn background_of_row(scene: &Scene, y: u32) -> Vec4 {
    match scene.view.background {
        Background::Transparent => Vec4::ZERO,
        Background::Gradient { top, bottom } => {
            let part = (y as f32 + 0.5) / scene.view.size[1] as f32;
            let mix = |from: f32, to: f32| from + (to - from) * part;
            let color = Vec3::new(mix(top.r, bottom.r), mix(top.g, bottom.g), mix(top.b, bottom.b));
            color.extend(1.0)
        }
    }
}

/// The pixels of a tile in the making; equal neighbours, as in a background, are encoded once.
struct Encoded {
    rgba: Vec<[u8; 4]>,
    last: (Vec4, [u8; 4]),
}

impl Encoded {
    fn push(&mut self, premultiplied: Vec4) {
        if premultiplied != self.last.0 {
            self.last = (premultiplied, encode_pixel(premultiplied.to_array()));
        }
        self.rgba.push(self.last.1);
    }
}

/// Takes the entries of one pixel off the front of a list that is sorted by pixel.
fn take_pixel<'a, T>(
    list: &mut &'a [T],
    colors: &mut &'a [Vec4],
    pixel: impl Fn(&T) -> bool,
) -> (&'a [T], &'a [Vec4]) {
    let count = list.iter().take_while(|entry| pixel(entry)).count();
    let (taken, rest) = list.split_at(count);
    let (taken_colors, rest_colors) = colors.split_at(count);
    (*list, *colors) = (rest, rest_colors);
    (taken, taken_colors)
}

/// Averages samples in premultiplied linear light and encodes.
#[expect(clippy::cast_precision_loss, reason = "at most 16 samples")]
fn resolve(scene: &Scene, rect: &Rect, scratch: &mut Scratch, level: Level) -> Tile {
    let Scratch { triangles, points, colors, fragments, layers, .. } = scratch;
    let opaque_points = points.len();
    let samples = scene.pattern.len();
    let share = 1.0 / samples as f32;
    let shaded_points = colors.len() as u64;
    let (mut opaque_colors, mut blended_colors) = colors.split_at(opaque_points);
    let (mut opaque, mut blended) = (points.as_slice(), fragments.as_slice());
    let pixels = rect.width * rect.height;
    let rgba = Vec::with_capacity(pixels as usize);
    let mut encoded = Encoded { rgba, last: (Vec4::ZERO, encode_pixel([0.0; 4])) };
    let mut covered_pixels = 0;
    for pixel in 0..pixels {
        let background = background_of_row(scene, rect.y + pixel / rect.width);
        let (points, colors) =
            take_pixel(&mut opaque, &mut opaque_colors, |point| point.pixel == pixel);
        let (fragments, fragment_colors) =
            take_pixel(&mut blended, &mut blended_colors, |part| part.point.pixel == pixel);
        covered_pixels += u64::from(!points.is_empty() || !fragments.is_empty());

        // 1. A pixel that shows one thing is that thing: the mean of equal samples would only round it.
        if fragments.is_empty() {
            match (points, colors) {
                ([], _) => {
                    encoded.push(background);
                    continue;
                }
                ([point], [color]) if point.samples.count_ones() == scene.view.samples => {
                    encoded.push(*color);
                    continue;
                }
                _ => {}
            }
        }

        // 2. What each sample sees.
        let mut seen = [background; MAX_SAMPLES];
        for (point, color) in points.iter().zip(colors) {
            for (sample, seen) in seen.iter_mut().enumerate().take(samples) {
                if point.samples & (1 << sample) != 0 {
                    *seen = *color;
                }
            }
        }
        for (sample, seen) in seen.iter_mut().enumerate().take(samples) {
            let (x, y) = sample_place(scene, rect, pixel % rect.width, pixel / rect.width, sample);
            layers.clear();
            for (fragment, &color) in fragments.iter().zip(fragment_colors) {
                if fragment.point.samples & (1 << sample) != 0 {
                    let id = triangles[fragment.point.triangle as usize];
                    let (_, triangle) = id.of(scene.chunks);
                    layers.push((DepthPlane::new(triangle).at(x, y), color));
                }
            }
            // Farthest first; the sort is stable, so ties keep submission order.
            layers.sort_by(|left, right| left.0.total_cmp(&right.0));
            for (_, color) in layers.iter() {
                *seen = *color + *seen * (1.0 - color.w);
            }
        }
        encoded.push(seen[..samples].iter().fold(Vec4::ZERO, |sum, sample| sum + *sample) * share);
    }
    Tile { rgba: encoded.rgba, covered_pixels, shaded_points, level }
}
