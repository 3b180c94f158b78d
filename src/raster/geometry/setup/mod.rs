//! Triangles: reject, clip, snap to 1/256 pixel, cull.
//!
//! The triangles of all draws are numbered through and cut into chunks; chunks run in parallel and keep their order.

pub(crate) mod lanes;

use crate::model::CullMode;
use crate::raster::geometry::bin::{self, Grid};
use crate::raster::geometry::clip::{Corner, clip_triangle};
use crate::raster::geometry::edge::{UNIT, doubled_area};
use crate::raster::geometry::project::{Projection, ScreenVertex, outside, snap};
use crate::raster::geometry::setup::lanes::SetUpRun;
use crate::raster::geometry::vertex_table::VertexTable;
use crate::raster::{Culled, Draw, View};
use crate::simd::{self, Level};
use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;

/// Source triangles in a chunk. A clipped triangle makes at most six pieces, so a chunk holds under 2^15.
const TRIANGLES_PER_CHUNK: usize = 4096;
/// Binary digits of a triangle's place in its chunk within a [`TriangleId`].
const LOCAL_BITS: u32 = 15;

/// Names one set-up triangle of a picture: the chunk and the place in it. Order is submission order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TriangleId(u32);

impl TriangleId {
    pub fn new(chunk: usize, local: u16) -> Self {
        let chunk = u32::try_from(chunk).expect("fewer than 2^17 chunks of triangles");
        Self(chunk << LOCAL_BITS | u32::from(local))
    }

    pub fn of(self, chunks: &[Chunk]) -> (&Chunk, &SetupTriangle) {
        let chunk = &chunks[(self.0 >> LOCAL_BITS) as usize];
        (chunk, &chunk.triangles[(self.0 & ((1 << LOCAL_BITS) - 1)) as usize])
    }
}

/// A triangle on the screen, ready for coverage: its doubled area is positive.
///
/// Four blocks of four words, which lanes gather: see [`crate::raster::interpolate::lanes`].
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct SetupTriangle {
    /// Corners in 1/256 pixel.
    pub x: [i32; 3],
    /// 1 where its front is seen, else -1.
    pub front: f32,
    pub y: [i32; 3],
    /// For a piece of a clipped triangle: index into [`Chunk::shares`]; else [`SetupTriangle::WHOLE`].
    pub piece: u32,
    /// 1/w at the corners.
    pub depth: [f32; 3],
    /// Which draw, and which of its triangles.
    pub draw: u32,
    /// The corners' places in the [`VertexTable`]; unused for a piece.
    pub vertices: [u32; 3],
    pub source: u32,
}

impl SetupTriangle {
    /// No piece.
    pub const WHOLE: u32 = u32::MAX;

    /// Corners in the order in which they enclose their area clockwise.
    const TURNED: [usize; 3] = [0, 2, 1];

    /// Orders corners so that their area, which is not 0, is positive: counter-clockwise with y up, which is the front, is
    /// negative with y down.
    #[inline]
    pub fn whole(
        x: [i32; 3],
        y: [i32; 3],
        depth: [f32; 3],
        source: Source,
        is_front: bool,
    ) -> Self {
        let Source { vertices, draw, source } = source;
        if is_front {
            let turned = |[a, b, c]: [i32; 3]| [a, c, b];
            Self {
                x: turned(x),
                front: 1.0,
                y: turned(y),
                piece: Self::WHOLE,
                depth: [depth[0], depth[2], depth[1]],
                draw,
                vertices: [vertices[0], vertices[2], vertices[1]],
                source,
            }
        } else {
            Self { x, front: -1.0, y, piece: Self::WHOLE, depth, draw, vertices, source }
        }
    }

    /// Whether its front is seen.
    #[inline]
    pub fn is_front(&self) -> bool {
        self.front > 0.0
    }

    /// Corner k is this corner of the source.
    #[inline]
    pub fn order(&self) -> [usize; 3] {
        if self.is_front() { Self::TURNED } else { [0, 1, 2] }
    }

    /// The index into [`Chunk::shares`].
    #[inline]
    pub fn piece(&self) -> Option<u32> {
        (self.piece != Self::WHOLE).then_some(self.piece)
    }
}

/// Where a triangle comes from.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    /// Places in the [`VertexTable`].
    pub vertices: [u32; 3],
    pub draw: u32,
    pub source: u32,
}

/// The set-up triangles of one run of source triangles, and the tiles that they touch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chunk {
    pub triangles: Vec<SetupTriangle>,
    /// The tile of each, where that is known already, or [`bin::MANY_TILES`]; may be shorter.
    pub tiles: Vec<u32>,
    /// For clipped pieces: the corners' barycentric coordinates in the source triangle.
    pub shares: Vec<[[f32; 3]; 3]>,
    /// Filled by [`bin`].
    pub bins: bin::Bins,
    /// What was dropped.
    pub culled: Culled,
    /// Source triangles that were clipped.
    pub clipped: u64,
}

/// Sets up and bins all triangles of a view.
pub(crate) fn set_up(
    view: &View,
    level: Level,
    projection: &Projection,
    projected: &[Vec<ScreenVertex>],
    table: &VertexTable,
    grid: &Grid,
) -> Vec<Chunk> {
    // The number of the first triangle of each draw, and the total.
    let mut first = vec![0];
    for draw in view.draws {
        first.push(first[first.len() - 1] + draw.mesh.triangles.len());
    }
    let total = first[first.len() - 1];
    let gaps = Gaps::new(view.samples);
    let tile_of = bin::TileOf::new(grid);
    (0..total.div_ceil(TRIANGLES_PER_CHUNK))
        .into_par_iter()
        .map(|index| {
            let range = index * TRIANGLES_PER_CHUNK..((index + 1) * TRIANGLES_PER_CHUNK).min(total);
            // Pages that no triangle comes to are never touched.
            let (triangles, tiles) =
                (Vec::with_capacity(range.len() / 2), Vec::with_capacity(range.len() / 2));
            let mut chunk = Chunk { triangles, tiles, ..Chunk::default() };
            let mut draw = first.partition_point(|&start| start <= range.start) - 1;
            let mut at = range.start;
            while at < range.end {
                let end = first[draw + 1].min(range.end);
                let source = at - first[draw]..end - first[draw];
                let (vertices, first) = (&projected[draw], table.first[draw]);
                let run = &Run { view, projection, vertices, first, draw, gaps, tile_of };
                simd::run(level, SetUpRun { run, source, chunk: &mut chunk });
                at = end;
                draw += 1;
            }
            chunk.bins = bin::bin_triangles(grid, &chunk.triangles, &chunk.tiles);
            chunk
        })
        .collect()
}

/// Which sides of a draw are dropped: back, front.
pub(crate) fn dropped_sides(view: &View, draw: &Draw) -> (bool, bool) {
    match view.materials[draw.material].cull {
        CullMode::Auto => (draw.mesh.closed_outward, false),
        CullMode::Back => (true, false),
        CullMode::Front => (false, true),
        CullMode::None => (false, false),
    }
}

/// Where no sample lies: samples stand on columns and rows that are a whole number of units apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gaps {
    /// Binary logarithm of the distance between columns of samples.
    pub bits: u32,
    /// The first of them.
    pub first: i32,
}

impl Gaps {
    #[expect(clippy::cast_possible_wrap, reason = "at most 16")]
    fn new(samples: u32) -> Self {
        let spacing = UNIT / samples as i32;
        let first = if samples == 16 { 0 } else { spacing / 2 };
        Self { bits: spacing.trailing_zeros(), first }
    }

    /// Whether a closed range of coordinates holds no column of samples.
    #[inline]
    fn hold(&self, [a, b, c]: [i32; 3]) -> bool {
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        (low - self.first - 1) >> self.bits == (high - self.first) >> self.bits
    }
}

/// The source triangles of one draw.
pub(crate) struct Run<'a> {
    pub view: &'a View<'a>,
    projection: &'a Projection,
    pub vertices: &'a [ScreenVertex],
    /// The place of the first of them in the [`VertexTable`].
    pub first: u32,
    pub draw: usize,
    pub gaps: Gaps,
    pub tile_of: Option<bin::TileOf>,
}

impl Run<'_> {
    /// Sets triangles up one at a time: the definition of what [`SetUpRun`] does.
    pub fn set_up(&self, source: core::ops::Range<usize>, chunk: &mut Chunk) {
        let draw = &self.view.draws[self.draw];
        let (drop_back, drop_front) = dropped_sides(self.view, draw);
        let number = u32::try_from(self.draw).expect("fewer than 2^32 draws");
        let first = u32::try_from(source.start).expect("fewer than 2^32 triangles");
        for (index, &triangle) in (first..).zip(&draw.mesh.triangles[source]) {
            let [a, b, c] = triangle.map(|vertex| self.vertices[vertex as usize]);

            // 1. All corners beyond one edge of the picture, or before the near plane: nothing is seen.
            if a.outside & b.outside & c.outside & outside::PICTURE != 0 {
                chunk.culled.outside += 1;
                continue;
            }

            // 2. If all corners are in range they are on the screen already; else cut first and snap the pieces.
            let vertices = triangle.map(|vertex| self.first + vertex);
            let source = Source { vertices, draw: number, source: index };
            let place = Place { source, drop_back, drop_front };
            if (a.outside | b.outside | c.outside) & outside::RANGE != 0 {
                self.set_up_pieces(&place, triangle, chunk);
            } else {
                let (x, y) = ([a.x, b.x, c.x], [a.y, b.y, c.y]);
                let depth = [a.depth, b.depth, c.depth];
                match place.finish(x, y, depth, &mut chunk.culled) {
                    Some(_) if self.gaps.hold(x) || self.gaps.hold(y) => {
                        chunk.culled.between_samples += 1;
                    }
                    triangle => chunk.triangles.extend(triangle),
                }
            }
        }
    }

    /// Clips a triangle and sets up what is left.
    #[cold]
    fn set_up_pieces(&self, place: &Place, triangle: [u32; 3], chunk: &mut Chunk) {
        chunk.clipped += 1;
        // The pieces have no say in what became of whole triangles.
        let mut culled = Culled::default();
        let [x, y, z] = &self.view.draws[self.draw].posed.position;
        let polygon = clip_triangle(
            self.projection,
            [0, 1, 2].map(|k| {
                let vertex = triangle[k] as usize;
                let position = [x[vertex], y[vertex], z[vertex]];
                let [x, y, w] = self.projection.clip_coordinates(position);
                let mut share = [0.0; 3];
                share[k] = 1.0;
                Corner { x, y, w, share }
            }),
        );
        let corners = polygon.corners();
        for next in 2..corners.len() {
            let piece = [corners[0], corners[next - 1], corners[next]];
            let snapped =
                piece.map(|corner| snap(self.projection.half, corner.x, corner.y, corner.w));
            let [x, y] = [snapped.map(|c| c.0), snapped.map(|c| c.1)];
            let number = u32::try_from(chunk.shares.len()).expect("a chunk is small");
            if let Some(triangle) = place.finish(x, y, snapped.map(|c| c.2), &mut culled) {
                chunk.shares.push(triangle.order().map(|k| piece[k].share));
                chunk.triangles.push(SetupTriangle { piece: number, ..triangle });
            }
        }
    }
}

/// Where a triangle comes from, and which of its sides are dropped.
#[derive(Clone, Copy)]
struct Place {
    source: Source,
    drop_back: bool,
    drop_front: bool,
}

impl Place {
    /// Orders the corners so that the area is positive; none if there is no area or the side is dropped.
    #[inline]
    fn finish(
        &self,
        x: [i32; 3],
        y: [i32; 3],
        depth: [f32; 3],
        culled: &mut Culled,
    ) -> Option<SetupTriangle> {
        let area = doubled_area(x, y);
        let is_front = area < 0;
        if area == 0 {
            culled.without_area += 1;
            return None;
        }
        if (is_front && self.drop_front) || (!is_front && self.drop_back) {
            culled.facing_away += 1;
            return None;
        }
        Some(SetupTriangle::whole(x, y, depth, self.source, is_front))
    }
}
