//! One tile: what each sample sees ([`crate::raster::tile::visibility`]), then every visible point once, then the resolve.

pub(crate) mod scheduler;
pub(crate) mod visibility;

use crate::math::srgb::LaneEncoder;
use crate::raster::coverage::lanes::{Lattice, NOBODY, Samples};
use crate::raster::fragments::{KindKey, Point, Queues, place_of};
use crate::raster::geometry::bin::Rect;
use crate::raster::geometry::edge::UNIT;
use crate::raster::geometry::setup::{SetupTriangle, TriangleId};
use crate::raster::ground::lanes::{Behind, lay_ground, list_ground};
use crate::raster::interpolate::lanes::Bank;
use crate::raster::morton::{Runs, Spot};
use crate::raster::resolve::{Encoding, Lit, Pixels, background_of_pixel, resolve, resolve_mixed};
use crate::raster::shading::lanes::{self, BATCH, Bench, Kind, Packet, WaitingPoint};
use crate::raster::shading::scalar::{Scene, Surface};
use crate::raster::stats::Lap;
use crate::raster::tile::visibility::{Scratch, TileWork, find_visible, find_visible_lanes};
use crate::raster::{Clock, Fault, LitPoint, SeenPoint};
use crate::simd::prelude::*;
use crate::simd::{Kernel, Level, MAX_LANES, Simd, mingle};

/// What is told of a finished tile.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TileCounts {
    pub covered_pixels: u64,
    pub shaded_points: u64,
    /// Triangles that may touch it.
    pub triangles: u64,
    /// Seconds of coverage, and of light and what follows; 0 without a clock.
    pub cover_s: f64,
    pub shade_s: f64,
    /// What ran.
    pub level: Level,
    /// Threads of the pool in which it ran.
    pub threads: usize,
    /// The longer side in pixels.
    pub side: u32,
}

impl TileCounts {
    /// Nothing but what runs.
    fn of(level: Level, rect: &Rect) -> Self {
        let (threads, side) = (rayon::current_num_threads(), rect.width.max(rect.height));
        Self { level, threads, side, ..Self::default() }
    }
}

/// Lights every point alone: the definition of [`shade_listed`].
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

/// Lights the points of a list, as many at a time as a vector has lanes, and hands each packet's light on.
#[inline(always)]
fn light_waiting<S: Simd>(
    simd: S,
    tile: &TileTriangles,
    key: KindKey,
    points: &[WaitingPoint],
    bench: &mut Bench<S>,
    out: &mut impl Light<S>,
) {
    for batch in points.chunks(BATCH * S::f32s::LEN) {
        let mut packets = [Packet::none(simd); BATCH];
        let mut targets = [S::u32s::simd_from(simd, 0); BATCH];
        let mut filled = 0;
        for points in batch.chunks(S::f32s::LEN) {
            (packets[filled], targets[filled]) = Packet::of_waiting(simd, points);
            filled += 1;
        }
        light_packets(simd, tile, key, &packets[..filled], bench);
        out.light(simd, &packets[..filled], &bench.light[..filled], &targets);
    }
}

/// Lights packets of one kind.
#[inline(always)]
fn light_packets<S: Simd>(
    simd: S,
    tile: &TileTriangles,
    key: KindKey,
    packets: &[Packet<S>],
    bench: &mut Bench<S>,
) {
    if key.is_piece {
        for (packet, light) in packets.iter().zip(&mut bench.light) {
            *light = shade_alone(simd, tile, packet);
        }
    } else {
        let material = &tile.scene.view.materials[key.material as usize];
        let has_places = tile.scene.has_places;
        let kind = Kind { material, has_color: key.has_color, has_places };
        let power = &tile.scene.powers[key.material as usize];
        // Each apart: plain filtering has all registers to itself, and what calls it shares one copy of the code.
        if tile.scene.view.anisotropy > 1 {
            simd.vectorize(
                #[inline(always)]
                || {
                    lanes::shade::<S, true>(
                        simd, tile.scene, tile.bank, &kind, power, packets, bench,
                    )
                },
            );
        } else {
            simd.vectorize(
                #[inline(always)]
                || {
                    lanes::shade::<S, false>(
                        simd, tile.scene, tile.bank, &kind, power, packets, bench,
                    )
                },
            );
        }
    }
}

/// The triangles of a tile.
#[derive(Clone, Copy)]
struct TileTriangles<'a> {
    scene: &'a Scene<'a>,
    ids: &'a [TriangleId],
    bank: Bank<'a>,
}

impl<'a> TileTriangles<'a> {
    fn new(scene: &'a Scene<'a>, ids: &'a [TriangleId], triangles: &'a [SetupTriangle]) -> Self {
        Self { scene, ids, bank: Bank { table: scene.table, triangles } }
    }
}

/// What becomes of the light of points.
trait Light<S: Simd> {
    /// Takes the light of packets, and the numbers of their points.
    fn light(&mut self, simd: S, packets: &[Packet<S>], light: &[[S::f32s; 4]], to: &[S::u32s]);
}

/// Light that waits to be mixed with other light, by number.
struct Keep<'a>(&'a mut [[f32; 4]]);

impl<S: Simd> Light<S> for Keep<'_> {
    #[inline(always)]
    fn light(&mut self, simd: S, packets: &[Packet<S>], light: &[[S::f32s; 4]], to: &[S::u32s]) {
        for ((packet, &light), to) in packets.iter().zip(light).zip(to) {
            let [r, g, b, a] = light;
            let colors = mingle(simd, [r.bitcast(), g.bitcast(), b.bitcast(), a.bitcast()]);
            let count = packet.active.count_ones() as usize;
            for (&to, color) in to.as_slice().iter().zip(colors).take(count) {
                self.0[to as usize] = bytemuck::cast(color);
            }
        }
    }
}

/// Light of opaque surfaces that fills its pixel, by spot.
struct Show<'a, S: Simd> {
    encoder: LaneEncoder,
    encoding: &'a mut Encoding<S>,
    pixels: &'a mut Pixels,
}

impl<S: Simd> Light<S> for Show<'_, S> {
    #[inline(always)]
    fn light(&mut self, simd: S, packets: &[Packet<S>], light: &[[S::f32s; 4]], to: &[S::u32s]) {
        self.encoding.encode::<true>(simd, self.encoder, light);
        for ((packet, &codes), &to) in packets.iter().zip(&self.encoding.codes).zip(to) {
            self.pixels.scatter::<S>(codes, to, packet.active.count_ones() as usize);
        }
    }
}

/// Lights all listed points of a tile over lanes; [`shade_points`] is the definition.
#[inline(always)]
fn shade_listed<S: Simd>(
    simd: S,
    bench: &mut Bench<S>,
    scene: &Scene,
    rect: &Rect,
    scratch: &mut Scratch,
) {
    let Scratch { triangles, setups, points, queues, colors, .. } = scratch;
    for (number, point) in (0_u32..).zip(points.all()) {
        let (x, y) = place_of(scene, rect, point);
        let kind = usize::from(queues.kind_of[point.triangle as usize]);
        let waiting = [point.triangle, x.cast_unsigned(), y.cast_unsigned(), number];
        queues.mixed[kind].push(waiting);
    }
    colors.clear();
    colors.resize(points.len(), [0.0; 4]);
    let tile = &TileTriangles::new(scene, triangles, setups);
    for (&key, waiting) in queues.kinds.iter().zip(&queues.mixed) {
        light_waiting(simd, tile, key, waiting, bench, &mut Keep(colors));
    }
}

/// Draws a tile that holds only opaque surfaces: points that fill their pixel are encoded as soon as they are lit. Tells how
/// many pixels are covered, and how many points were lit.
#[inline(always)]
fn draw_opaque<S: Simd>(
    simd: S,
    tools: &mut Tools<S>,
    scene: &Scene,
    rect: &Rect,
    scratch: &mut Scratch,
) -> (u64, u64) {
    let Tools { bench, encoding, .. } = tools;
    let encoder = LaneEncoder::new();
    let Scratch { triangles, setups, samples, queues, mixed, behind, pixels, .. } = scratch;
    let tile = &TileTriangles::new(scene, triangles, setups);
    if scene.pattern.len() == 1 {
        let show = Show { encoder, encoding, pixels };
        let shown = draw_runs(simd, tile, rect, samples, queues, bench, show);
        return (shown, shown);
    }
    queues.fill(simd, scene, rect, samples, mixed);
    mixed.colors.clear();
    mixed.colors.resize(mixed.samples.len(), [0.0; 4]);
    let mut lit = mixed.samples.len() as u64;
    for (kind, &key) in queues.kinds.iter().enumerate() {
        let show = &mut Show { encoder, encoding: &mut *encoding, pixels: &mut *pixels };
        light_waiting(simd, tile, key, &queues.full[kind], bench, show);
        let keep = &mut Keep(&mut mixed.colors);
        light_waiting(simd, tile, key, &queues.mixed[kind], bench, keep);
        lit += queues.full[kind].len() as u64;
    }
    resolve_mixed(simd, encoder, scene, rect, mixed, behind, pixels);
    (queues.covered_pixels, lit)
}

/// With one sample a pixel, runs of pixels are packets as they stand. Tells how many pixels are covered.
#[inline(always)]
#[expect(clippy::cast_possible_wrap, reason = "at most 2^14 pixels a side")]
fn draw_runs<S: Simd>(
    simd: S,
    tile: &TileTriangles,
    rect: &Rect,
    samples: &Samples,
    queues: &Queues,
    bench: &mut Bench<S>,
    show: Show<S>,
) -> u64 {
    let Show { encoder, encoding, pixels } = show;
    let lanes = S::i32s::LEN;
    let mut covered = 0;
    let owners = samples.owners();
    for (kind, &key) in queues.kinds.iter().enumerate() {
        let mut packets = [Packet::none(simd); BATCH];
        let mut firsts = [0; BATCH];
        let mut filled = 0;
        let mut runs = Runs::new(simd, rect);
        loop {
            // 1. The pixels of this run that show the kind.
            let run = runs.next();
            if let Some(run) = &run {
                let place = S::u32s::from_slice(simd, &owners[run.first..run.first + lanes]);
                let mut active = run.within & !place.simd_eq(NOBODY).to_bitmask();
                if active != 0 {
                    active = queues.of_kind(kind, place.as_slice(), active);
                }
                if active != 0 {
                    covered += u64::from(active.count_ones());
                    let some = Spot::of(run.first + active.trailing_zeros() as usize);
                    let shown = S::mask32s::from_bitmask(simd, active);
                    let x: S::i32s = shown
                        .select(run.columns, S::u32s::simd_from(simd, some.column()))
                        .bitcast();
                    let y: S::i32s =
                        shown.select(run.rows, S::u32s::simd_from(simd, some.row())).bitcast();
                    packets[filled] = Packet {
                        place,
                        x: (x + rect.x as i32) * UNIT + UNIT / 2,
                        y: (y + rect.y as i32) * UNIT + UNIT / 2,
                        active,
                    };
                    firsts[filled] = run.first;
                    filled += 1;
                }
            }

            // 2. A full batch, or the last one, is lit.
            if filled == BATCH || (run.is_none() && filled > 0) {
                light_packets(simd, tile, key, &packets[..filled], bench);
                encoding.encode::<true>(simd, encoder, &bench.light[..filled]);
                for ((&codes, packet), &first) in
                    encoding.codes.iter().zip(&packets[..filled]).zip(&firsts)
                {
                    pixels.put_run(simd, codes, packet.active, first);
                }
                filled = 0;
            }
            if run.is_none() {
                break;
            }
        }
    }
    covered
}

/// The light of a packet, computed one point at a time.
#[inline(always)]
fn shade_alone<S: Simd>(simd: S, tile: &TileTriangles, packet: &Packet<S>) -> [S::f32s; 4] {
    let mut light = [[0.0; MAX_LANES]; 4];
    let mut left = packet.active;
    while left != 0 {
        let lane = left.trailing_zeros() as usize;
        left &= left - 1;
        let id = tile.ids[packet.place.as_slice()[lane] as usize];
        let surface = Surface::new(*tile.scene, id);
        let color = surface.shade(packet.x.as_slice()[lane], packet.y.as_slice()[lane]).to_array();
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
pub(crate) struct SeeTile<'a>(pub TileWork<'a>);

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
        let tools = Tools::new(simd, self.0.scene);
        find_visible_lanes(&tools.lattice, &mut self.0);
        self.0.scratch.collect(self.0.scene, &self.0.rect);
        Self::list(&self.0)
    }
}

/// The same with the light that leaves each point.
pub(crate) struct LightTile<'a>(pub TileWork<'a>);

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
        let mut tools = Tools::new(simd, self.0.scene);
        find_visible_lanes(&tools.lattice, &mut self.0);
        self.0.scratch.collect(self.0.scene, &self.0.rect);
        shade_listed(simd, &mut tools.bench, self.0.scene, &self.0.rect, self.0.scratch);
        Self::list(&self.0)
    }
}

/// What is behind the models in the pixels of the tile, premultiplied.
pub(crate) struct GroundTile<'a>(pub TileWork<'a>);

impl Kernel for GroundTile<'_> {
    type Output = Vec<([u32; 2], [f32; 4])>;

    fn scalar(self) -> Self::Output {
        let TileWork { scene, rect, .. } = self.0;
        let rows = rect.y..rect.y + rect.height;
        let places = rows.flat_map(|y| (rect.x..rect.x + rect.width).map(move |x| [x, y]));
        places.map(|[x, y]| ([x, y], background_of_pixel(scene, x, y).to_array())).collect()
    }

    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) -> Self::Output {
        list_ground(simd, self.0.scene, &self.0.rect)
    }
}

/// Draws the pixels of a tile into its rows of the picture: the definition of [`draw_tile`].
pub(crate) fn draw_tile_plainly(
    mut work: TileWork,
    rows: &mut [&mut [[u8; 4]]],
    clock: Option<Clock>,
) -> TileCounts {
    let mut lap = Lap::start(clock);
    find_visible(&mut work);
    let cover_s = lap.lap();
    let TileWork { scene, rect, scratch, .. } = work;
    shade_points(scene, &rect, scratch);
    let Scratch { triangles, points, colors, layers, pixels, .. } = scratch;
    pixels.clear(scene, &rect);
    pixels.lay_ground(scene, &rect);
    let lit = Lit { triangles, points, colors, behind: &Behind::default() };
    let covered_pixels = resolve(scene, &rect, &lit, layers, pixels);
    pixels.copy_to(rows);
    TileCounts {
        covered_pixels,
        shaded_points: points.len() as u64,
        triangles: triangles.len() as u64,
        cover_s,
        shade_s: lap.lap(),
        ..TileCounts::of(Level::Scalar, &rect)
    }
}

/// What a thread keeps in lanes from tile to tile.
pub(crate) struct Tools<S: Simd> {
    lattice: Lattice<S>,
    bench: Bench<S>,
    encoding: Encoding<S>,
}

impl<S: Simd> Tools<S> {
    #[inline(always)]
    pub fn new(simd: S, scene: &Scene) -> Self {
        let lattice = Lattice::new(simd, scene.pattern, scene.fault == Some(Fault::Depth));
        Self { lattice, bench: Bench::new(simd), encoding: Encoding::new(simd) }
    }
}

/// Draws the pixels of a tile into its rows of the picture, over lanes.
#[inline(always)]
pub(crate) fn draw_tile<S: Simd>(
    simd: S,
    tools: &mut Tools<S>,
    mut work: TileWork,
    rows: &mut [&mut [[u8; 4]]],
    clock: Option<Clock>,
) -> TileCounts {
    let ran = TileCounts::of(Level::of(simd), &work.rect);
    let mut lap = Lap::start(clock);
    let has_any = find_visible_lanes(&tools.lattice, &mut work);
    let cover_s = lap.lap();
    let TileWork { scene, rect, scratch, .. } = work;
    if !has_any && scene.ground.is_none() {
        Pixels::leave_empty(scene, &rect, rows);
        return TileCounts { cover_s, shade_s: lap.lap(), ..ran };
    }
    scratch.pixels.clear(scene, &rect);
    let Scratch { samples, pixels, behind, .. } = &mut *scratch;
    let (samples, encoding) = (has_any.then_some(&*samples), &mut tools.encoding);
    simd.vectorize(
        #[inline(always)]
        || lay_ground(simd, scene, &rect, samples, encoding, pixels, behind),
    );
    if !has_any {
        scratch.pixels.copy_to(rows);
        return TileCounts { cover_s, shade_s: lap.lap(), ..ran };
    }
    // Where blended surfaces lie over opaque ones, no pixel is done before all its points are lit.
    let (covered_pixels, shaded_points) = if scratch.blended.is_empty() {
        draw_opaque(simd, tools, scene, &rect, scratch)
    } else {
        scratch.collect(scene, &rect);
        shade_listed(simd, &mut tools.bench, scene, &rect, scratch);
        let Scratch { triangles, points, colors, layers, behind, pixels, .. } = scratch;
        let lit = Lit { triangles, points, colors, behind };
        (resolve(scene, &rect, &lit, layers, pixels), points.len() as u64)
    };
    scratch.pixels.copy_to(rows);
    let triangles = scratch.triangles.len() as u64;
    TileCounts { covered_pixels, shaded_points, triangles, cover_s, shade_s: lap.lap(), ..ran }
}
