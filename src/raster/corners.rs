//! What a packet of points knows of the corners of its triangles: a triangle's numbers, and those of a triangle in every lane.
//!
//! A triangle of a tile gets its [`Record`] when its first point is lit. A packet whose points lie on one triangle spreads
//! the record over all lanes; else each lane gathers its own.

use super::edge::{UNIT, doubled_area};
use super::packet::{Kind, Packet};
use super::setup::SetupTriangle;
use super::shade::Scene;
use super::texel::Footprints;
use crate::math::lanes::{Vec3s, max, splat};
use crate::simd::prelude::*;
use crate::simd::{MAX_LANES, Simd, gather_words};

/// Below this doubled area, edge functions at points of a triangle fit 32 bits.
const AREA_OF_32_BITS: i64 = 1 << 30;

/// Places of numbers in [`Corners::plain`]: what [`super::project::Attributes`] holds of three corners, then the rest.
const TEXCOORD: usize = 0;
pub(super) const POSITION: usize = 2;
pub(super) const NORMAL: usize = 5;
/// From corner to corner.
pub(super) const STEP: usize = 8;
const DEPTH: usize = 3 * STEP;
pub(super) const PLAIN: usize = DEPTH + 3;
/// Three tangents and the sign of the bitangent.
const TANGENT: usize = 10;
/// Three colours with alpha.
const COLOR: usize = 12;

/// Four numbers of a triangle, as their bits.
type Block = [u32; 4];
/// Blocks of a [`Record`]: the attributes of the corners, two each, then [`Record::ACROSS`] and its followers.
const BLOCKS: usize = 9;
/// Blocks of what only some materials read: three with tangents, three with colours.
const EXTRA_BLOCKS: usize = 6;

/// One triangle as packets read it.
pub(super) struct Record {
    plain: [Block; BLOCKS],
    extra: [Block; EXTRA_BLOCKS],
}

impl Record {
    /// Places of the blocks after the attributes: x of the corners and 1 or -1 for a front or a back; y of the corners and whether
    /// the triangle is large; 1/w of the corners.
    const ACROSS: usize = 6;
    const DOWN: usize = 7;
    const DEPTHS: usize = 8;
    /// Where colours begin among the extra blocks.
    const COLORS: usize = 3;

    /// The numbers of a triangle that is no piece of a clipped one.
    #[inline]
    pub fn new(scene: &Scene, kind: &Kind, triangle: &SetupTriangle) -> Self {
        let draw = &scene.view.draws[triangle.draw as usize];
        let source = draw.mesh.triangles[triangle.source as usize];
        let vertices = triangle.order.map(|k| source[usize::from(k)] as usize);
        let attributes = &scene.attributes[triangle.draw as usize];
        let mut plain = [[0; 4]; BLOCKS];
        for (blocks, &vertex) in plain.chunks_exact_mut(2).zip(&vertices) {
            let [a, b, c, d, e, f, g, h] = attributes[vertex].map(f32::to_bits);
            (blocks[0], blocks[1]) = ([a, b, c, d], [e, f, g, h]);
        }
        let [xa, xb, xc] = triangle.x.map(i32::cast_unsigned);
        let [ya, yb, yc] = triangle.y.map(i32::cast_unsigned);
        let [da, db, dc] = triangle.depth.map(f32::to_bits);
        let front = if triangle.is_front { 1.0_f32 } else { -1.0 };
        let is_large = doubled_area(triangle.x, triangle.y) >= AREA_OF_32_BITS;
        plain[Self::ACROSS] = [xa, xb, xc, front.to_bits()];
        plain[Self::DOWN] = [ya, yb, yc, u32::from(is_large)];
        plain[Self::DEPTHS] = [da, db, dc, 0];

        let mut extra = [[0; 4]; EXTRA_BLOCKS];
        let words = extra.as_flattened_mut();
        if kind.material.normal.is_some() {
            for (k, &vertex) in vertices.iter().enumerate() {
                for axis in 0..3 {
                    words[3 * k + axis] = draw.posed.tangent[axis][vertex].to_bits();
                }
            }
            words[TANGENT - 1] = draw.mesh.bitangent_sign[vertices[0]].to_bits();
        }
        if kind.has_color {
            for (color, &vertex) in extra[Self::COLORS..].iter_mut().zip(&vertices) {
                *color = draw.mesh.colors[vertex].to_array().map(f32::to_bits);
            }
        }
        Self { plain, extra }
    }
}

/// The records of a tile.
#[derive(Default)]
pub(super) struct Records {
    plain: Vec<[Block; BLOCKS]>,
    /// As many, if any material reads them; else none.
    extra: Vec<[Block; EXTRA_BLOCKS]>,
    /// Per triangle of the tile: which record is its own, or [`Records::NONE`].
    number_of: Vec<u32>,
}

impl Records {
    const NONE: u32 = u32::MAX;

    /// Forgets all records, for a tile with that many triangles.
    pub fn clear(&mut self, triangles: usize) {
        self.plain.clear();
        self.extra.clear();
        self.number_of.clear();
        self.number_of.resize(triangles, Self::NONE);
    }
}

/// The triangles of a tile, as they were set up and as packets read them.
pub(super) struct Bank<'a> {
    pub scene: &'a Scene<'a>,
    pub triangles: &'a [SetupTriangle],
    pub records: &'a mut Records,
}

impl Bank<'_> {
    /// The number of a triangle's record, which is made if there is none.
    #[inline(always)]
    fn number(&mut self, kind: &Kind, place: u32) -> u32 {
        match self.records.number_of[place as usize] {
            Records::NONE => self.add(kind, place),
            number => number,
        }
    }

    #[inline(never)]
    fn add(&mut self, kind: &Kind, place: u32) -> u32 {
        let Self { scene, triangles, records } = self;
        let record = Record::new(scene, kind, &triangles[place as usize]);
        let number = u32::try_from(records.plain.len()).expect("fewer than 2^32 triangles");
        records.plain.push(record.plain);
        if kind.has_extra() {
            records.extra.resize(records.plain.len() - 1, [[0; 4]; EXTRA_BLOCKS]);
            records.extra.push(record.extra);
        }
        records.number_of[place as usize] = number;
        number
    }
}

/// What a packet knows of the corners of its triangles.
pub(super) struct Corners<S: Simd> {
    /// x of the three corners, then y, in 1/256 pixel.
    place: [S::i32s; 6],
    pub plain: [S::f32s; PLAIN],
    /// 1 where the front is seen, else -1.
    pub front: S::f32s,
    pub tangent: [S::f32s; TANGENT],
    pub color: [S::f32s; COLOR],
    /// Whether all edge functions fit 32 bits.
    is_small: bool,
}

/// Where blocks come from.
#[derive(Clone, Copy)]
enum Source<'a, S: Simd> {
    /// One record for all lanes.
    One(&'a [Block], &'a [Block]),
    /// The records of all triangles, and the numbers of those in the lanes.
    Many(&'a [Block], &'a [Block], S::i32s),
}

impl<S: Simd> Source<'_, S> {
    #[inline(always)]
    fn plain(self, simd: S, block: usize) -> [S::u32s; 4] {
        match self {
            Self::One(plain, _) => spread(simd, plain[block]),
            #[expect(clippy::cast_possible_truncation, reason = "a few blocks")]
            #[expect(clippy::cast_possible_wrap, reason = "a few blocks")]
            Self::Many(plain, _, numbers) => {
                gather_words(simd, plain, numbers * BLOCKS as i32 + block as i32)
            }
        }
    }

    #[inline(always)]
    fn extra(self, simd: S, block: usize) -> [S::u32s; 4] {
        match self {
            Self::One(_, extra) => spread(simd, extra[block]),
            #[expect(clippy::cast_possible_truncation, reason = "a few blocks")]
            #[expect(clippy::cast_possible_wrap, reason = "a few blocks")]
            Self::Many(_, extra, numbers) => {
                gather_words(simd, extra, numbers * EXTRA_BLOCKS as i32 + block as i32)
            }
        }
    }
}

#[inline(always)]
fn spread<S: Simd>(simd: S, [a, b, c, d]: Block) -> [S::u32s; 4] {
    [
        S::u32s::simd_from(simd, a),
        S::u32s::simd_from(simd, b),
        S::u32s::simd_from(simd, c),
        S::u32s::simd_from(simd, d),
    ]
}

impl<S: Simd> Corners<S> {
    /// The corners of the triangles that the points of a packet lie on.
    #[inline(always)]
    #[expect(clippy::cast_possible_wrap, reason = "a tile has fewer than 2^31 triangles")]
    pub fn new(simd: S, bank: &mut Bank, kind: &Kind, packet: &Packet<S>) -> Self {
        let places = packet.place.as_slice();
        let first = places[packet.active.trailing_zeros() as usize];
        let others = !packet.place.simd_eq(first).to_bitmask() & packet.active;
        let number = bank.number(kind, first);
        if others == 0 {
            let Records { plain, extra, .. } = &*bank.records;
            let extra = extra.get(number as usize).map_or(&[][..], |extra| extra);
            return Self::read(simd, kind, Source::One(&plain[number as usize], extra));
        }
        // Lanes that hold no point get the first one's numbers.
        let mut numbers = [number as i32; MAX_LANES];
        let mut left = others;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            numbers[lane] = bank.number(kind, places[lane]) as i32;
        }
        let numbers = S::i32s::from_slice(simd, &numbers[..S::i32s::LEN]);
        let Records { plain, extra, .. } = &*bank.records;
        let (plain, extra) = (plain.as_flattened(), extra.as_flattened());
        Self::read(simd, kind, Source::Many(plain, extra, numbers))
    }

    /// The corners of one triangle in all lanes.
    #[inline(always)]
    pub fn of_one(simd: S, kind: &Kind, record: &Record) -> Self {
        Self::read(simd, kind, Source::One(&record.plain, &record.extra))
    }

    #[inline(always)]
    fn read(simd: S, kind: &Kind, source: Source<S>) -> Self {
        let zero = splat(simd, 0.0);
        let mut plain = [zero; PLAIN];
        for (block, plain) in plain[..DEPTH].chunks_exact_mut(4).enumerate() {
            for (plain, words) in plain.iter_mut().zip(source.plain(simd, block)) {
                *plain = words.bitcast();
            }
        }
        let [xa, xb, xc, front] = source.plain(simd, Record::ACROSS);
        let [ya, yb, yc, is_large] = source.plain(simd, Record::DOWN);
        for (plain, words) in plain[DEPTH..].iter_mut().zip(source.plain(simd, Record::DEPTHS)) {
            *plain = words.bitcast();
        }
        let mut tangent = [zero; TANGENT];
        if kind.material.normal.is_some() {
            for (block, tangent) in tangent.chunks_mut(4).enumerate() {
                for (tangent, words) in tangent.iter_mut().zip(source.extra(simd, block)) {
                    *tangent = words.bitcast();
                }
            }
        }
        let mut color = [zero; COLOR];
        if kind.has_color {
            for (block, color) in color.chunks_exact_mut(4).enumerate() {
                let words = source.extra(simd, Record::COLORS + block);
                for (color, words) in color.iter_mut().zip(words) {
                    *color = words.bitcast();
                }
            }
        }
        Self {
            place: [
                xa.bitcast(),
                xb.bitcast(),
                xc.bitcast(),
                ya.bitcast(),
                yb.bitcast(),
                yc.bitcast(),
            ],
            plain,
            front: front.bitcast(),
            tangent,
            color,
            is_small: is_large.simd_eq(0).all_true(),
        }
    }
}

/// Barycentric coordinates and their slopes over a pixel to the right and a pixel down.
pub(super) struct Shares<S: Simd> {
    pub at: Vec3s<S>,
    across: Vec3s<S>,
    down: Vec3s<S>,
}

/// The values at three corners, `step` apart from `first` on, mixed.
#[inline(always)]
pub(super) fn mix<S: Simd>(
    values: &[S::f32s],
    first: usize,
    step: usize,
    share: Vec3s<S>,
) -> S::f32s {
    values[first] * share.x + values[first + step] * share.y + values[first + 2 * step] * share.z
}

/// Three components of the values at three corners, mixed.
#[inline(always)]
pub(super) fn mix3<S: Simd>(
    values: &[S::f32s],
    first: usize,
    step: usize,
    share: Vec3s<S>,
) -> Vec3s<S> {
    Vec3s::new(
        mix(values, first, step, share),
        mix(values, first + 1, step, share),
        mix(values, first + 2, step, share),
    )
}

/// The three components of the value at the first corner.
#[inline(always)]
pub(super) fn corner3<S: Simd>(values: &[S::f32s], first: usize) -> Vec3s<S> {
    Vec3s::new(values[first], values[first + 1], values[first + 2])
}

/// Growth over a pixel of a function that grows by `to - from` over a unit.
#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "256")]
fn slope<S: Simd>(from: S::i32s, to: S::i32s) -> S::f32s {
    (to - from).to_float::<S::f32s>() * UNIT as f32
}

#[inline(always)]
fn sum<S: Simd>(values: Vec3s<S>) -> S::f32s {
    values.x + values.y + values.z
}

impl<S: Simd> Corners<S> {
    /// The edge functions at the points, as the nearest floats.
    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "the nearest f32 of an exact edge value")]
    fn edge_values(&self, simd: S, at_x: S::i32s, at_y: S::i32s) -> [S::f32s; 3] {
        let lanes = S::i32s::LEN;
        let (x, y) = self.place.split_at(3);
        let mut values = [splat(simd, 0.0); 3];
        if self.is_small {
            for (k, value) in values.iter_mut().enumerate() {
                let (from, to) = ((k + 1) % 3, (k + 2) % 3);
                let exact =
                    (x[to] - x[from]) * (at_y - y[from]) - (y[to] - y[from]) * (at_x - x[from]);
                *value = exact.to_float::<S::f32s>();
            }
        } else {
            for (k, value) in values.iter_mut().enumerate() {
                let (from, to) = ((k + 1) % 3, (k + 2) % 3);
                let mut nearest = [0.0; MAX_LANES];
                for (lane, nearest) in nearest.iter_mut().enumerate().take(lanes) {
                    let (from_x, from_y) =
                        (i64::from(x[from].as_slice()[lane]), i64::from(y[from].as_slice()[lane]));
                    let (to_x, to_y) =
                        (i64::from(x[to].as_slice()[lane]), i64::from(y[to].as_slice()[lane]));
                    let exact = (to_x - from_x) * (i64::from(at_y.as_slice()[lane]) - from_y)
                        - (to_y - from_y) * (i64::from(at_x.as_slice()[lane]) - from_x);
                    *nearest = exact as f32;
                }
                *value = S::f32s::from_slice(simd, &nearest[..lanes]);
            }
        }
        values
    }

    /// See [`super::shade::Surface::shade`].
    #[inline(always)]
    pub fn shares(&self, simd: S, at_x: S::i32s, at_y: S::i32s) -> Shares<S> {
        let zero = splat(simd, 0.0);
        let depth =
            Vec3s::<S>::new(self.plain[DEPTH], self.plain[DEPTH + 1], self.plain[DEPTH + 2]);
        let (x, y) = self.place.split_at(3);
        let [a, b, c] = self.edge_values(simd, at_x, at_y);
        let values =
            Vec3s::new(max::<S>(a, zero), max::<S>(b, zero), max::<S>(c, zero)).times(depth);
        // Along x an edge function falls by how far its edge goes down.
        let slope_x =
            Vec3s::new(slope::<S>(y[2], y[1]), slope::<S>(y[0], y[2]), slope::<S>(y[1], y[0]))
                .times(depth);
        let slope_y =
            Vec3s::new(slope::<S>(x[1], x[2]), slope::<S>(x[2], x[0]), slope::<S>(x[0], x[1]))
                .times(depth);
        let scale = splat(simd, 1.0) / sum(values);
        let at = values.scaled(scale);
        Shares {
            at,
            across: slope_x.minus(at.scaled(sum(slope_x))).scaled(scale),
            down: slope_y.minus(at.scaled(sum(slope_y))).scaled(scale),
        }
    }

    #[inline(always)]
    pub fn footprints(&self, share: &Shares<S>) -> Footprints<S> {
        Footprints {
            at: self.texcoord(share.at),
            across: self.texcoord(share.across),
            down: self.texcoord(share.down),
        }
    }

    #[inline(always)]
    fn texcoord(&self, share: Vec3s<S>) -> [S::f32s; 2] {
        [mix(&self.plain, TEXCOORD, STEP, share), mix(&self.plain, TEXCOORD + 1, STEP, share)]
    }
}
