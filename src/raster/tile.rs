//! One tile: which triangle each sample sees, then every visible point once, then the resolve.
//!
//! Depth and triangle ids live in a thread's scratch memory that stays in its cache; nothing per sample is kept for the
//! whole picture.

use super::SeenPoint;
use super::bin::Rect;
use super::edge::{Against, UNIT, triangle_edges};
use super::encode_pixel;
use super::setup::{SetupTriangle, TriangleId};
use super::shade::{Scene, Surface};
use crate::math::{Vec3, Vec4, clamp, max, min};
use crate::model::{AlphaMode, Background};

/// The most samples a pixel can have.
const MAX_SAMPLES: usize = 16;

/// The finished pixels of a tile, row by row.
pub(super) struct Tile {
    pub rgba: Vec<[u8; 4]>,
    pub covered_pixels: u64,
    pub shaded_points: u64,
}

/// Memory that a thread keeps from tile to tile.
#[derive(Default)]
pub(super) struct Scratch {
    /// 1/w of the nearest opaque surface per sample, sample by sample within a pixel.
    depth: Vec<f32>,
    /// Whose it is.
    id: Vec<TriangleId>,
    blended: Vec<TriangleId>,
    points: Vec<Point>,
    colors: Vec<Vec4>,
    fragments: Vec<Fragment>,
    layers: Vec<(f32, Vec4)>,
}

/// One point to shade: the part of a pixel that shows one triangle.
#[derive(Clone, Copy, Debug)]
struct Point {
    id: TriangleId,
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
    scratch.id.clear();
    scratch.id.resize(pixels * samples, TriangleId::NONE);
    scratch.blended.clear();

    // 1. Nearest opaque surface of every sample.
    for (number, chunk) in scene.chunks.iter().enumerate() {
        for local in chunk.bins.of_tile(index) {
            let id = TriangleId::new(number, local);
            let triangle = &chunk.triangles[usize::from(local)];
            match scene.material(id).alpha {
                AlphaMode::Blend => scratch.blended.push(id),
                AlphaMode::Opaque => cover_opaque(scene, rect, id, triangle, scratch, |_, _| true),
                AlphaMode::Mask { cutoff } => {
                    let surface = Surface::new(*scene, id);
                    cover_opaque(scene, rect, id, triangle, scratch, |x, y| {
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

/// What the pixels of `rect` show, pixel by pixel: opaque triangles in the order of their samples, then blended ones.
pub(super) fn see_tile(
    scene: &Scene,
    rect: &Rect,
    index: usize,
    scratch: &mut Scratch,
) -> Vec<SeenPoint> {
    find_visible(scene, rect, index, scratch);
    let seen = |point: &Point| {
        let (_, triangle) = point.id.of(scene.chunks);
        let pixel = [rect.x + point.pixel % rect.width, rect.y + point.pixel / rect.width];
        SeenPoint {
            pixel,
            draw: triangle.draw,
            triangle: triangle.source,
            samples: point.samples,
            is_front: triangle.is_front,
        }
    };
    let fragments = scratch.fragments.iter().map(|fragment| &fragment.point);
    scratch.points.iter().chain(fragments).map(seen).collect()
}

/// Draws the pixels of `rect` from the triangles binned to tile `index`.
pub(super) fn draw_tile(scene: &Scene, rect: &Rect, index: usize, scratch: &mut Scratch) -> Tile {
    find_visible(scene, rect, index, scratch);
    let opaque_points = scratch.points.len();

    // 3. Light.
    scratch.colors.clear();
    let mut surface: Option<(TriangleId, Surface)> = None;
    for point in scratch.points.iter().chain(scratch.fragments.iter().map(|f| &f.point)) {
        let current = match &mut surface {
            Some((id, current)) if *id == point.id => current,
            stale => &mut stale.insert((point.id, Surface::new(*scene, point.id))).1,
        };
        let (x, y) = place_of(scene, rect, point);
        scratch.colors.push(current.shade(x, y));
    }

    // 4. Samples to pixels.
    resolve(scene, rect, scratch, opaque_points)
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
    id: TriangleId,
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
            scratch.id[slot] = id;
        }
    });
}

/// Lists what each pixel shows, pixel by pixel, in the order of its samples.
fn collect_points(scene: &Scene, scratch: &mut Scratch, pixels: usize) {
    scratch.points.clear();
    let samples = scene.pattern.len();
    for (pixel, ids) in (0_u32..).zip(scratch.id.chunks_exact(samples).take(pixels)) {
        let first = scratch.points.len();
        for (sample, &id) in ids.iter().enumerate() {
            if id == TriangleId::NONE {
                continue;
            }
            match scratch.points[first..].iter_mut().find(|point| point.id == id) {
                Some(point) => point.samples |= 1 << sample,
                None => scratch.points.push(Point { id, pixel, samples: 1 << sample }),
            }
        }
    }
}

/// Lists the parts of pixels that blended triangles cover before the opaque surface, pixel by pixel.
fn collect_fragments(scene: &Scene, rect: &Rect, scratch: &mut Scratch) {
    scratch.fragments.clear();
    let samples = scene.pattern.len();
    for (order, &id) in (0_u32..).zip(&scratch.blended) {
        let (_, triangle) = id.of(scene.chunks);
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
                        let point = Point { id, pixel, samples: 1 << sample };
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
fn resolve(scene: &Scene, rect: &Rect, scratch: &mut Scratch, opaque_points: usize) -> Tile {
    let Scratch { points, colors, fragments, layers, .. } = scratch;
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
                    let (_, triangle) = fragment.point.id.of(scene.chunks);
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
    Tile { rgba: encoded.rgba, covered_pixels, shaded_points }
}
