//! One tile: which triangle each sample sees, then every visible point once, then the resolve.
//!
//! Depth and triangle ids live in a thread's scratch memory that stays in its cache; nothing per sample is kept for the
//! whole picture.

use super::bin::Rect;
use super::cover::{Everywhere, Lattice, Samples, cover_lanes, cover_scalar};
use super::packet::{self, BATCH, Bench, Kind, MaskProbe, Packet, PlainProbe};
use super::points::{Point, Points, Sorted, SortedPoint, place_in_pixel, place_of};
use super::resolve::{Lit, Pixels, emit, resolve, resolve_mixed};
use super::setup::TriangleId;
use super::shade::{Scene, Surface};
use super::{LitPoint, SeenPoint};
use crate::math::Vec4;
use crate::math::srgb::LaneEncoder;
use crate::model::AlphaMode;
use crate::simd::prelude::*;
use crate::simd::{Kernel, Level, Simd};

/// What is told of a finished tile.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TileCounts {
    pub covered_pixels: u64,
    pub shaded_points: u64,
    /// What ran.
    pub level: Level,
}

/// Memory that a thread keeps from tile to tile.
#[derive(Default)]
pub(super) struct Scratch {
    samples: Samples,
    /// What was binned to the tile, in submission order.
    triangles: Vec<TriangleId>,
    /// The blended ones of them, as places in `triangles`.
    blended: Vec<u32>,
    points: Points,
    sorted: Sorted,
    /// The light of each point, premultiplied linear RGBA.
    colors: Vec<[f32; 4]>,
    layers: Vec<(f32, Vec4)>,
    pixels: Pixels,
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

impl Scratch {
    /// Lists the triangles binned to a tile; false if there is none.
    fn start(&mut self, scene: &Scene, index: usize) -> bool {
        self.triangles.clear();
        self.blended.clear();
        for (number, chunk) in scene.chunks.iter().enumerate() {
            for &local in chunk.bins.of_tile(index) {
                self.triangles.push(TriangleId::new(number, local));
            }
        }
        !self.triangles.is_empty()
    }

    fn collect(&mut self, scene: &Scene, rect: &Rect) {
        self.points.collect_opaque(scene, rect, &self.samples);
        let Self { points, triangles, blended, samples, .. } = self;
        points.collect_fragments(scene, rect, triangles, blended, samples);
    }

    fn seen_point(&self, scene: &Scene, rect: &Rect, point: &Point) -> SeenPoint {
        let (_, triangle) = self.triangles[point.triangle as usize].of(scene.chunks);
        SeenPoint {
            pixel: [rect.x + point.spot.column(), rect.y + point.spot.row()],
            draw: triangle.draw,
            triangle: triangle.source,
            samples: u32::from(point.samples),
            is_front: triangle.is_front,
        }
    }
}

/// Finds what each pixel shows: points and fragments, without light. False if the tile is empty.
fn find_visible(work: &mut TileWork) -> bool {
    let TileWork { scene, rect, index, scratch } = work;
    scratch.samples.clear(rect, scene.pattern.len(), 1.0 / scene.view.camera.far);
    let is_empty = !scratch.start(scene, *index);
    let Scratch { triangles, blended, samples, .. } = &mut **scratch;
    for (place, &id) in (0_u32..).zip(triangles.iter()) {
        let (_, triangle) = id.of(scene.chunks);
        match scene.material(id).alpha {
            AlphaMode::Blend => blended.push(place),
            AlphaMode::Opaque => {
                cover_scalar(scene.pattern, rect, triangle, place, samples, |_, _| true);
            }
            AlphaMode::Mask { cutoff } => {
                let surface = Surface::new(**scene, id);
                cover_scalar(scene.pattern, rect, triangle, place, samples, |x, y| {
                    surface.alpha(x, y) >= cutoff
                });
            }
        }
    }
    scratch.collect(scene, rect);
    !is_empty
}

/// The same over lanes.
#[inline(always)]
fn find_visible_lanes<S: Simd>(simd: S, work: &mut TileWork) -> bool {
    let TileWork { scene, rect, index, scratch } = work;
    scratch.samples.clear(rect, scene.pattern.len(), 1.0 / scene.view.camera.far);
    let is_empty = !scratch.start(scene, *index);
    let lattice = Lattice::new(simd, scene.pattern);
    let Scratch { triangles, blended, samples, .. } = &mut **scratch;
    for (place, &id) in (0_u32..).zip(triangles.iter()) {
        let (_, triangle) = id.of(scene.chunks);
        let draw = &scene.view.draws[triangle.draw as usize];
        let material = &scene.view.materials[draw.material];
        match material.alpha {
            AlphaMode::Blend => blended.push(place),
            AlphaMode::Opaque => {
                let solid = &mut Everywhere;
                cover_lanes(&lattice, rect, triangle, place, samples, solid, |_, _| true);
            }
            AlphaMode::Mask { cutoff } => {
                let surface = Surface::new(**scene, id);
                let plain = |x: i32, y: i32| surface.alpha(x, y) >= cutoff;
                if triangle.piece.is_some() {
                    let solid = &mut PlainProbe(&plain);
                    cover_lanes(&lattice, rect, triangle, place, samples, solid, plain);
                } else {
                    let kind = Kind { material, has_color: !draw.mesh.colors.is_empty() };
                    let solid = &mut MaskProbe::new(simd, scene, &kind, id, cutoff);
                    cover_lanes(&lattice, rect, triangle, place, samples, solid, plain);
                }
            }
        }
    }
    scratch.collect(scene, rect);
    !is_empty
}

/// Lights every point alone: the definition of [`shade_packets`].
fn shade_points(scene: &Scene, rect: &Rect, scratch: &mut Scratch) {
    let Scratch { triangles, points, colors, .. } = scratch;
    colors.clear();
    let mut surface: Option<(u32, Surface)> = None;
    for point in points.all() {
        let current = match &mut surface {
            Some((triangle, current)) if *triangle == point.triangle => current,
            stale => {
                let id = triangles[point.triangle as usize];
                &mut stale.insert((point.triangle, Surface::new(*scene, id))).1
            }
        };
        let (x, y) = place_of(scene, rect, point);
        colors.push(current.shade(x, y).to_array());
    }
}

/// Lights the points of a tile, as many at a time as a vector has lanes; with an encoder, also encodes those that fill their
/// pixel, so that only mixed pixels are left to be resolved.
#[inline(always)]
fn shade_packets<S: Simd>(
    simd: S,
    scene: &Scene,
    rect: &Rect,
    scratch: &mut Scratch,
    encoder: Option<LaneEncoder>,
) {
    let Scratch { triangles, points, sorted, colors, pixels, .. } = scratch;
    sorted.sort(scene, triangles, points);
    colors.clear();
    colors.resize(sorted.points.len(), [0.0; 4]);

    let mut bench = Bench::new(simd);
    let mut packets = [Packet::EMPTY; BATCH];
    let mut first = 0;
    for of_kind in sorted.seen.chunk_by(|left, right| left.0 == right.0) {
        let key = of_kind[0].0;
        let material = &scene.view.materials[key.material as usize];
        let kind = Kind { material, has_color: key.has_color };
        let end = sorted.end[of_kind[of_kind.len() - 1].1 as usize] as usize;
        let of_kind_points = &sorted.points[first..end];
        let mut runs = of_kind.iter();
        let mut run = (TriangleId::NONE, first);
        for batch in of_kind_points.chunks(BATCH * S::f32s::LEN) {
            // 1. Points into packets.
            let mut filled = 0;
            let mut is_full = [true; BATCH];
            for (number, points) in batch.chunks(S::f32s::LEN).enumerate() {
                let packet = &mut packets[number];
                packet.count = points.len();
                for (lane, point) in points.iter().enumerate() {
                    if first + lane == run.1 {
                        let place = runs.next().expect("a run for every point").1 as usize;
                        run = (triangles[place], sorted.end[place] as usize);
                    }
                    packet.id[lane] = run.0;
                    is_full[number] &= u32::from(point.samples).count_ones() == scene.view.samples;
                }
                first += points.len();
                put_places(scene, rect, points, is_full[number], packet);
                filled += 1;
            }

            // 2. Light.
            if key.is_piece {
                for (packet, light) in packets[..filled].iter().zip(&mut bench.light) {
                    *light = shade_alone(simd, scene, packet);
                }
            } else {
                packet::shade(simd, scene, &kind, &packets[..filled], &mut bench);
            }

            // 3. Where it goes.
            for (number, points) in batch.chunks(S::f32s::LEN).enumerate() {
                let light = bench.light[number];
                if encoder.is_none() || !is_full[number] {
                    for (lane, point) in points.iter().enumerate() {
                        colors[point.place as usize] = [
                            light[0].as_slice()[lane],
                            light[1].as_slice()[lane],
                            light[2].as_slice()[lane],
                            light[3].as_slice()[lane],
                        ];
                    }
                }
                if let Some(encoder) = encoder {
                    emit(simd, encoder, light, points.iter().map(|point| point.spot), pixels);
                }
            }
        }
    }
}

/// Where the points of a packet are shaded.
#[inline(always)]
#[expect(clippy::cast_possible_wrap, reason = "a picture has at most 2^14 pixels a side")]
fn put_places(
    scene: &Scene,
    rect: &Rect,
    batch: &[SortedPoint],
    is_full: bool,
    packet: &mut Packet,
) {
    use super::edge::UNIT;
    for (lane, point) in batch.iter().enumerate() {
        let [x, y] = if is_full { [UNIT / 2; 2] } else { place_in_pixel(scene, point.samples) };
        packet.x[lane] = (rect.x + point.spot.column()) as i32 * UNIT + x;
        packet.y[lane] = (rect.y + point.spot.row()) as i32 * UNIT + y;
    }
    let (x, y) = (packet.x[0], packet.y[0]);
    packet.x[batch.len()..].fill(x);
    packet.y[batch.len()..].fill(y);
}

/// The light of a packet, computed one point at a time.
#[inline(always)]
fn shade_alone<S: Simd>(simd: S, scene: &Scene, packet: &Packet) -> [S::f32s; 4] {
    let mut light = [[0.0; crate::simd::MAX_LANES]; 4];
    for lane in 0..packet.count {
        let surface = Surface::new(*scene, packet.id[lane]);
        let color = surface.shade(packet.x[lane], packet.y[lane]).to_array();
        for (channel, value) in light.iter_mut().zip(color) {
            channel[lane] = value;
        }
    }
    let lanes = S::f32s::LEN;
    [
        S::f32s::from_slice(simd, &light[0][..lanes]),
        S::f32s::from_slice(simd, &light[1][..lanes]),
        S::f32s::from_slice(simd, &light[2][..lanes]),
        S::f32s::from_slice(simd, &light[3][..lanes]),
    ]
}

/// What the pixels of the tile show, pixel by pixel: opaque triangles in the order of their samples, then blended ones.
pub(super) struct SeeTile<'a>(pub TileWork<'a>);

impl SeeTile<'_> {
    fn list(TileWork { scene, rect, scratch, .. }: &TileWork) -> Vec<SeenPoint> {
        scratch.points.all().map(|point| scratch.seen_point(scene, rect, point)).collect()
    }
}

impl Kernel for SeeTile<'_> {
    type Output = Vec<SeenPoint>;

    fn scalar(mut self) -> Vec<SeenPoint> {
        find_visible(&mut self.0);
        Self::list(&self.0)
    }

    #[inline(always)]
    fn lanes<S: Simd>(mut self, simd: S) -> Vec<SeenPoint> {
        find_visible_lanes(simd, &mut self.0);
        Self::list(&self.0)
    }
}

/// The same with the light that leaves each point.
pub(super) struct LightTile<'a>(pub TileWork<'a>);

impl LightTile<'_> {
    fn list(TileWork { scene, rect, scratch, .. }: &TileWork) -> Vec<LitPoint> {
        let points = scratch.points.all().zip(&scratch.colors);
        let lit = |(point, &color): (&Point, &[f32; 4])| LitPoint {
            seen: scratch.seen_point(scene, rect, point),
            color,
        };
        points.map(lit).collect()
    }
}

impl Kernel for LightTile<'_> {
    type Output = Vec<LitPoint>;

    fn scalar(mut self) -> Vec<LitPoint> {
        find_visible(&mut self.0);
        shade_points(self.0.scene, &self.0.rect, self.0.scratch);
        Self::list(&self.0)
    }

    #[inline(always)]
    fn lanes<S: Simd>(mut self, simd: S) -> Vec<LitPoint> {
        find_visible_lanes(simd, &mut self.0);
        shade_packets(simd, self.0.scene, &self.0.rect, self.0.scratch, None);
        Self::list(&self.0)
    }
}

/// Draws the pixels of the tile into its rows of the picture.
pub(super) struct DrawTile<'a, 'f> {
    pub work: TileWork<'a>,
    pub rows: &'a mut [&'f mut [[u8; 4]]],
}

impl Kernel for DrawTile<'_, '_> {
    type Output = TileCounts;

    fn scalar(self) -> TileCounts {
        let Self { mut work, rows } = self;
        find_visible(&mut work);
        let TileWork { scene, rect, scratch, .. } = work;
        shade_points(scene, &rect, scratch);
        let Scratch { triangles, points, colors, layers, pixels, .. } = scratch;
        pixels.clear(scene, &rect);
        let lit = Lit { triangles, points, colors };
        let covered_pixels = resolve(scene, &rect, &lit, layers, pixels);
        pixels.copy_to(rows);
        let shaded_points = points.len() as u64;
        TileCounts { covered_pixels, shaded_points, level: Level::Scalar }
    }

    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) -> TileCounts {
        let Self { mut work, rows } = self;
        let level = Level::of(simd);
        let has_any = find_visible_lanes(simd, &mut work);
        let TileWork { scene, rect, scratch, .. } = work;
        scratch.pixels.clear(scene, &rect);
        if !has_any {
            scratch.pixels.copy_to(rows);
            return TileCounts { level, ..TileCounts::default() };
        }
        let encoder = LaneEncoder::new();
        // Where blended surfaces lie over opaque ones, no pixel is done before it is resolved.
        let is_opaque = scratch.points.fragments.is_empty();
        shade_packets(simd, scene, &rect, scratch, is_opaque.then_some(encoder));
        let Scratch { triangles, points, colors, layers, pixels, .. } = scratch;
        let lit = Lit { triangles, points, colors };
        let covered_pixels = if is_opaque {
            resolve_mixed(simd, encoder, scene, &rect, &lit, pixels);
            points.opaque_pixels
        } else {
            resolve(scene, &rect, &lit, layers, pixels)
        };
        pixels.copy_to(rows);
        TileCounts { covered_pixels, shaded_points: points.len() as u64, level }
    }
}
