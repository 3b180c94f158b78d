//! Chunks of set-up triangles, and the identifiers of triangles in a frame.

use crate::geometry::bin::bins::Bins;
use crate::geometry::screen_vertex::ScreenVertex;
use crate::geometry::triangle::{ChunkTriangle, SetupTriangle};
use crate::stats::Culled;
use tintype_model::simd::prelude::*;
use tintype_model::simd::{Simd, prefetch_one, u32x4};
/// Source triangles in a chunk. A clipped triangle makes at most six pieces, so a chunk contains
/// fewer than 2^15.
pub(crate) const TRIANGLES_PER_CHUNK: usize = 4096;
/// Chunks that a [`TriangleId`] can name.
pub(crate) const MAX_CHUNKS: usize = 1 << (u32::BITS - LOCAL_BITS);
/// Bits of the index in the chunk within a [`TriangleId`].
const LOCAL_BITS: u32 = 15;

/// Identifies one set-up triangle of a picture by its chunk and its index there. Order is
/// submission order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TriangleId(u32);

impl TriangleId {
    pub(crate) fn new(chunk: usize, local: u16) -> Self {
        let chunk = u32::try_from(chunk).expect("fewer than 2^17 chunks of triangles");
        Self(chunk << LOCAL_BITS | u32::from(local))
    }

    /// The chunk and the index there.
    #[inline(always)]
    pub(crate) fn place(self) -> (usize, usize) {
        ((self.0 >> LOCAL_BITS) as usize, (self.0 & ((1 << LOCAL_BITS) - 1)) as usize)
    }
}

/// Lists the triangles that may touch a tile, in submission order, and loads them ahead of time.
pub(crate) fn list_triangles(chunks: &[Chunk], tile: usize, listed: &mut Vec<TriangleId>) {
    listed.clear();
    for (number, chunk) in chunks.iter().enumerate() {
        listed.extend(chunk.bins.of_tile(tile).iter().map(|&local| {
            prefetch_one(&chunk.triangles, usize::from(local));
            TriangleId::new(number, local)
        }));
    }
}

/// A piece of a clipped triangle, with separate corners.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// Index of its triangle in the chunk.
    pub triangle: usize,
    /// Corners in 1/256 pixel, and their depths, in the order of a positive area.
    pub x: [i32; 3],
    pub y: [i32; 3],
    pub depth: [f32; 3],
    /// Barycentric coordinates of the corners in the source triangle.
    pub barycentrics: [[f32; 3]; 3],
}

/// Set-up triangles of one range of source triangles, and the tiles that they touch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chunk {
    pub triangles: Vec<ChunkTriangle>,
    /// Draws of the triangles, each with the index of its first triangle here; ascending, the last
    /// of equal indices counts.
    pub draws: Vec<(usize, u32)>,
    /// Per triangle its tile, if it is already known, or
    /// [`MANY_TILES`](crate::geometry::grid::MANY_TILES); may be shorter.
    pub tiles: Vec<u32>,
    /// Pieces of clipped triangles, ascending by triangle.
    pub pieces: Vec<Piece>,
    /// Filled by [`crate::geometry::bin`].
    pub bins: Bins,
    /// Counts of dropped triangles, by reason.
    pub culled: Culled,
    /// Source triangles that were clipped.
    pub clipped: u64,
}

impl Chunk {
    /// A triangle with its corners from the screen vertices.
    #[inline(always)]
    pub(crate) fn triangle(&self, index: usize, screen: &[ScreenVertex]) -> SetupTriangle {
        let triangle = self.triangles[index];
        let draw = self.draw_of(index);
        if triangle.is_piece() {
            return self.piece(index, draw);
        }
        let [a, b, c] = triangle.vertices.map(|vertex| screen[vertex as usize]);
        SetupTriangle {
            x: [a.x, b.x, c.x],
            front: if triangle.is_front() { 1.0 } else { -1.0 },
            y: [a.y, b.y, c.y],
            piece: SetupTriangle::WHOLE,
            depth: [a.depth, b.depth, c.depth],
            draw,
            vertices: triangle.vertices,
            source: triangle.source(),
        }
    }

    /// [`Chunk::triangle`], with the vertices of the screen as words: its first three blocks are a
    /// transposition of its corners.
    #[inline(always)]
    pub(crate) fn triangle_lanes<S: Simd>(
        &self,
        simd: S,
        index: usize,
        screen: &[[u32; 4]],
    ) -> SetupTriangle {
        let triangle = self.triangles[index];
        let draw = self.draw_of(index);
        if triangle.is_piece() {
            return self.piece(index, draw);
        }
        let front: f32 = if triangle.is_front() { 1.0 } else { -1.0 };
        let [a, b, c] =
            triangle.vertices.map(|vertex| u32x4::from_slice(simd, &screen[vertex as usize]));
        let rest = u32x4::from_slice(simd, &[front.to_bits(), SetupTriangle::WHOLE, draw, 0]);
        let ((ac, ac_high), (b_rest, b_rest_high)) = (a.interleave(c), b.interleave(rest));
        let ((x, y), (depth, _)) = (ac.interleave(b_rest), ac_high.interleave(b_rest_high));
        let mut words = [[0; 4]; 4];
        x.store_slice(&mut words[0]);
        y.store_slice(&mut words[1]);
        depth.store_slice(&mut words[2]);
        let [a, b, c] = triangle.vertices;
        words[3] = [a, b, c, triangle.source()];
        bytemuck::cast(words)
    }

    #[inline(always)]
    fn draw_of(&self, index: usize) -> u32 {
        match self.draws.as_slice() {
            [(_, draw)] => *draw,
            draws => draws[draws.partition_point(|&(first, _)| first <= index) - 1].1,
        }
    }

    #[cold]
    fn piece(&self, index: usize, draw: u32) -> SetupTriangle {
        let triangle = self.triangles[index];
        let piece = self.pieces.partition_point(|piece| piece.triangle < index);
        let Piece { x, y, depth, .. } = self.pieces[piece];
        SetupTriangle {
            x,
            front: if triangle.is_front() { 1.0 } else { -1.0 },
            y,
            piece: u32::try_from(piece).expect("a chunk is small"),
            depth,
            draw,
            vertices: triangle.vertices,
            source: triangle.source(),
        }
    }
}
