//! Shading of the fragments of a tile over lanes; [`crate::tile::shade::scalar`] is the definition.
//!
//! Input: queues of fragments by shader. Output: their light, stored for the resolve, or encoded at
//! once if a fragment fills its pixel.

use crate::context::FrameContext;
use crate::coverage::lanes::Lattice;
use crate::coverage::samples::{NO_TRIANGLE, Samples};
use crate::fragments::centroid::shading_position;
use crate::fragments::lanes::{ShaderKey, ShaderQueues, Visible};
use crate::geometry::edge::{UNIT, UNIT_BITS};
use crate::geometry::grid::Rect;
use crate::geometry::morton::{Morton, Runs};
use crate::geometry::triangle::SetupTriangle;
use crate::interpolate::packet::{
    Attributes, BATCH, Packet, PieceCorner, TriangleStore, WaitingFragment,
};
use crate::resolve::background::keep_backgrounds;
use crate::resolve::dither::{dithered, thresholds};
use crate::resolve::encode::Encoding;
use crate::resolve::lanes::{MixedParts, resolve_layered, resolve_plain};
use crate::resolve::pixels::PixelWriter;
use crate::shading::lanes::{ShadeScratch, Shader, shade};
use crate::tile::scratch::Scratch;
use tintype_model::TextureRole;
use tintype_model::math::lanes::splat;
use tintype_model::math::number::Lanes;
use tintype_model::math::srgb::LaneEncoder;
use tintype_model::simd::prelude::*;
use tintype_model::simd::{Simd, interleave4};

/// Shades the fragments of a queue, one vector after the other, and passes on the light of each
/// batch.
#[inline(always)]
fn shade_waiting<S: Simd>(
    simd: S,
    tile: &TileTriangles,
    key: ShaderKey,
    fragments: &[WaitingFragment],
    shade_scratch: &mut ShadeScratch<S>,
    out: &mut impl Light<S>,
) {
    for batch in fragments.chunks(BATCH * S::f32s::LEN) {
        let mut packets = [Packet::none(simd); BATCH];
        let mut targets = [S::u32s::simd_from(simd, 0); BATCH];
        let mut filled = 0;
        for fragments in batch.chunks(S::f32s::LEN) {
            (packets[filled], targets[filled]) = Packet::of_waiting(simd, fragments);
            filled += 1;
        }
        shade_packets(simd, tile, key, &packets[..filled], shade_scratch);
        out.light(simd, &packets[..filled], &shade_scratch.light[..filled], &targets);
    }
}

/// Shades packets with one shader.
#[inline(always)]
fn shade_packets<S: Simd>(
    simd: S,
    tile: &TileTriangles,
    key: ShaderKey,
    packets: &[Packet<S>],
    shade_scratch: &mut ShadeScratch<S>,
) {
    let material = &tile.frame.geometry.materials[key.material as usize];
    let attributes = Attributes {
        has_position: tile.frame.light.needs_positions,
        has_tangent: material.needs_tangents(),
        has_color: key.has_color,
        has_second_texcoord: material.has_second_texcoords(),
        has_normal_growth: material.texture(TextureRole::Matcap).is_some(),
        is_piece: key.is_piece,
    };
    let half_shininess = &tile.frame.light.powers[key.material as usize];
    let shader = &Shader { material, half_shininess, attributes };
    let shade = match (material.response.is_some(), tile.frame.geometry.anisotropy > 1) {
        (false, true) => shade_shared::<S, true, false>,
        (false, false) => shade_shared::<S, false, false>,
        (true, true) => shade_shared::<S, true, true>,
        (true, false) => shade_shared::<S, false, true>,
    };
    shade(simd, tile, shader, packets, shade_scratch);
}

/// Calls [`shade`].
///
/// Not `#[inline(always)]`, unlike most functions over lanes: it is compiled once for each level,
/// filter and kind of light model, and not again in every kernel that calls it. Trilinear filtering
/// needs all registers.
fn shade_shared<S: Simd, const ROWS: bool, const IS_PHYSICAL: bool>(
    simd: S,
    tile: &TileTriangles,
    shader: &Shader,
    packets: &[Packet<S>],
    shade_scratch: &mut ShadeScratch<S>,
) {
    let TileTriangles { frame, store, .. } = *tile;
    simd.vectorize(
        #[inline(always)]
        || shade::<S, ROWS, IS_PHYSICAL>(simd, frame, store, shader, packets, shade_scratch),
    );
}

/// Triangles of a tile.
#[derive(Clone, Copy)]
struct TileTriangles<'a> {
    frame: &'a FrameContext<'a>,
    rect: &'a Rect,
    store: TriangleStore<'a>,
}

impl<'a> TileTriangles<'a> {
    fn new(
        frame: &'a FrameContext<'a>,
        rect: &'a Rect,
        triangles: &'a [SetupTriangle],
        pieces: &'a [[PieceCorner; 3]],
    ) -> Self {
        Self { frame, rect, store: TriangleStore::new(frame.geometry, triangles, pieces) }
    }
}

/// Destination of the light of fragments.
trait Light<S: Simd> {
    /// Takes the light of packets, and the destinations of their fragments.
    fn light(&mut self, simd: S, packets: &[Packet<S>], light: &[[S::f32s; 4]], to: &[S::u32s]);
}

/// Stores light by index, to be mixed with other light in the resolve.
struct Keep<'a>(&'a mut [[f32; 4]]);

impl<S: Simd> Light<S> for Keep<'_> {
    #[inline(always)]
    fn light(&mut self, simd: S, packets: &[Packet<S>], light: &[[S::f32s; 4]], to: &[S::u32s]) {
        for ((packet, &light), to) in packets.iter().zip(light).zip(to) {
            let [r, g, b, a] = light;
            let colors = interleave4(simd, [r.bitcast(), g.bitcast(), b.bitcast(), a.bitcast()]);
            let count = packet.active.count_ones() as usize;
            for (&to, color) in to.as_slice().iter().zip(colors).take(count) {
                self.0[to as usize] = bytemuck::cast(color);
            }
        }
    }
}

/// Encodes light of opaque fragments that fill their pixel, by Morton code.
struct Show<'a, S: Simd> {
    writer: PixelWriter<'a, S>,
    /// True if the light is dithered.
    dithers: bool,
}

impl<S: Simd> Light<S> for Show<'_, S> {
    #[inline(always)]
    fn light(&mut self, simd: S, packets: &[Packet<S>], light: &[[S::f32s; 4]], to: &[S::u32s]) {
        let mut changed = [[splat(simd, 0.0); 4]; BATCH];
        let mut light = light;
        if self.dithers {
            changed[..light.len()].copy_from_slice(light);
            dither_packets(simd, packets, &mut changed);
            light = &changed[..light.len()];
        }
        let PixelWriter { encoder, encoding, pixels } = &mut self.writer;
        encoding.encode::<true>(simd, *encoder, light);
        for ((packet, &codes), &to) in packets.iter().zip(&encoding.codes).zip(to) {
            pixels.scatter::<S>(codes, to, packet.active.count_ones() as usize);
        }
    }
}

/// Dithers the light of packets, each at the pixel of its fragment.
#[inline(always)]
fn dither_packets<S: Simd>(simd: S, packets: &[Packet<S>], light: &mut [[S::f32s; 4]]) {
    for (packet, light) in packets.iter().zip(light) {
        let pixel = |at: S::i32s| -> S::u32s { (at >> UNIT_BITS).bitcast() };
        let threshold = Lanes::<S>(thresholds(simd, pixel(packet.x), pixel(packet.y)));
        *light = dithered(light.map(Lanes), threshold).map(|channel| channel.0);
    }
}

/// Buffers in lanes, reused by a worker for every tile.
pub(crate) struct Tools<S: Simd> {
    pub lattice: Lattice<S>,
    pub shade_scratch: ShadeScratch<S>,
    pub encoding: Encoding<S>,
}

impl<S: Simd> Tools<S> {
    #[inline(always)]
    pub(crate) fn new(simd: S, frame: &FrameContext) -> Self {
        let lattice = Lattice::new(simd, frame.geometry.pattern);
        Self { lattice, shade_scratch: ShadeScratch::new(simd), encoding: Encoding::new(simd) }
    }
}

/// Shades all listed fragments of a tile; [`crate::tile::shade::scalar`] is the definition.
#[inline(always)]
pub(crate) fn shade_listed<S: Simd>(
    simd: S,
    shade_scratch: &mut ShadeScratch<S>,
    frame: &FrameContext,
    rect: &Rect,
    scratch: &mut Scratch,
) {
    let Scratch { setups, pieces, fragments, queues, colors, .. } = scratch;
    for (number, fragment) in (0_u32..).zip(fragments.all()) {
        let (x, y) = shading_position(frame.geometry.pattern, rect, fragment);
        let shader = usize::from(queues.shader_of[fragment.triangle as usize]);
        let waiting = [fragment.triangle, x.cast_unsigned(), y.cast_unsigned(), number];
        queues.mixed[shader].push(waiting);
    }
    colors.clear();
    colors.resize(fragments.len(), [0.0; 4]);
    let tile = &TileTriangles::new(frame, rect, setups, pieces);
    for (&key, waiting) in queues.shaders.iter().zip(&queues.mixed) {
        shade_waiting(simd, tile, key, waiting, shade_scratch, &mut Keep(colors));
    }
}

/// Draws the fragments of a tile: fragments that fill their pixel are encoded as soon as they are
/// shaded. Returns the number of covered pixels and of shaded fragments.
#[inline(always)]
pub(crate) fn draw_fragments<S: Simd>(
    simd: S,
    tools: &mut Tools<S>,
    frame: &FrameContext,
    rect: &Rect,
    scratch: &mut Scratch,
) -> (u64, u64) {
    let Tools { shade_scratch, encoding, .. } = tools;
    let Scratch { setups, pieces, samples, queues, mixed, layers, .. } = scratch;
    let Scratch { tile_background, pixels, .. } = scratch;
    let tile = &TileTriangles::new(frame, rect, setups, pieces);
    let writer = PixelWriter { encoder: LaneEncoder::new(), encoding, pixels };
    let mut show = Show { writer, dithers: frame.dithers_models };
    if frame.geometry.pattern.len() == 1 && layers.fragments().is_empty() {
        let shown = draw_runs(simd, tile, samples, queues, shade_scratch, show);
        return (shown, shown);
    }
    let visible = &Visible { rect, samples, layers, centroids: frame.centroids };
    queues.fill(simd, visible, mixed);
    mixed.colors.resize(mixed.samples.len() + layers.fragments().len(), [0.0; 4]);
    keep_backgrounds(frame, rect, tile_background, mixed);
    let mut lit = (mixed.colors.len() - mixed.backgrounds.len()) as u64;
    for (shader, &key) in queues.shaders.iter().enumerate() {
        shade_waiting(simd, tile, key, &queues.full[shader], shade_scratch, &mut show);
        let keep = &mut Keep(&mut mixed.colors);
        shade_waiting(simd, tile, key, &queues.mixed[shader], shade_scratch, keep);
        lit += queues.full[shader].len() as u64;
    }
    let writer = &mut show.writer;
    resolve_plain(simd, frame, rect, mixed, writer);
    resolve_layered(simd, frame, rect, &MixedParts { fragments: mixed, layers }, writer);
    (queues.covered_pixels, lit)
}

/// With one sample per pixel, runs of pixels are already packets. Returns the number of covered
/// pixels.
#[inline(always)]
#[expect(clippy::cast_possible_wrap, reason = "at most 2^14 pixels a side")]
fn draw_runs<S: Simd>(
    simd: S,
    tile: &TileTriangles,
    samples: &Samples,
    queues: &ShaderQueues,
    shade_scratch: &mut ShadeScratch<S>,
    show: Show<S>,
) -> u64 {
    let Show { writer: PixelWriter { encoder, encoding, pixels }, dithers } = show;
    let rect = tile.rect;
    let lanes = S::i32s::LEN;
    let mut covered = 0;
    let owners = samples.owners();
    for (shader, &key) in queues.shaders.iter().enumerate() {
        let mut packets = [Packet::none(simd); BATCH];
        let mut firsts = [0; BATCH];
        let mut filled = 0;
        let mut runs = Runs::new(simd, rect);
        loop {
            // 1. Pixels of this run that show the shader.
            let run = runs.next();
            if let Some(run) = &run {
                let triangle = S::u32s::from_slice(simd, &owners[run.first..run.first + lanes]);
                let mut active = run.within & !triangle.simd_eq(NO_TRIANGLE).to_bitmask();
                if active != 0 {
                    active = queues.of_shader(shader, triangle.as_slice(), active);
                }
                if active != 0 {
                    covered += u64::from(active.count_ones());
                    let (mut columns, mut rows) = (run.columns, run.rows);
                    if active != Runs::<S>::ALL {
                        let some = Morton::of(run.first + active.trailing_zeros() as usize);
                        let shown = S::mask32s::from_bitmask(simd, active);
                        columns = shown.select(columns, S::u32s::simd_from(simd, some.column()));
                        rows = shown.select(rows, S::u32s::simd_from(simd, some.row()));
                    }
                    let (x, y): (S::i32s, S::i32s) = (columns.bitcast(), rows.bitcast());
                    packets[filled] = Packet {
                        triangle,
                        x: (x + rect.x as i32) * UNIT + UNIT / 2,
                        y: (y + rect.y as i32) * UNIT + UNIT / 2,
                        active,
                    };
                    firsts[filled] = run.first;
                    filled += 1;
                }
            }

            // 2. Shade a full batch, or the last one.
            if filled == BATCH || (run.is_none() && filled > 0) {
                shade_packets(simd, tile, key, &packets[..filled], shade_scratch);
                if dithers {
                    dither_packets(simd, &packets[..filled], &mut shade_scratch.light);
                }
                encoding.encode::<true>(simd, encoder, &shade_scratch.light[..filled]);
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
