//! Packets: points that are interpolated and shaded together, one per lane.

use crate::geometry::context::GeometryContext;
use crate::geometry::triangle::SetupTriangle;
use crate::geometry::vertex_table::VertexTable;
use tintype_model::math::Vec3;
use tintype_model::simd::prelude::*;
use tintype_model::simd::{MAX_LANES, Simd, deinterleave4};

/// Points to shade together: one per lane, or fewer.
#[derive(Clone, Copy)]
pub(crate) struct Packet<S: Simd> {
    /// Index of each point's triangle in the tile.
    pub triangle: S::u32s,
    /// Shading position in 1/256 pixel; a lane without a point repeats that of a lane with one.
    pub x: S::i32s,
    pub y: S::i32s,
    /// Lanes with a point, one bit each; never empty.
    pub active: u64,
}

/// A fragment that waits to be shaded: index of its triangle in the tile, x and y in 1/256 pixel,
/// and the number of the destination of its light.
pub(crate) type WaitingFragment = [u32; 4];

impl<S: Simd> Packet<S> {
    /// Loads the first fragments of a nonempty list, and their destinations.
    #[inline(always)]
    pub(crate) fn of_waiting(simd: S, points: &[WaitingFragment]) -> (Self, S::u32s) {
        let lanes = S::u32s::LEN;
        let count = points.len().min(lanes);
        let [triangle, x, y, target] = if count == lanes {
            deinterleave4(simd, &points.as_flattened()[..4 * lanes])
        } else {
            let mut padded = [points[0]; MAX_LANES];
            padded[..count].copy_from_slice(&points[..count]);
            deinterleave4(simd, &padded.as_flattened()[..4 * lanes])
        };
        (
            Self { triangle, x: x.bitcast(), y: y.bitcast(), active: u64::MAX >> (64 - count) },
            target,
        )
    }

    /// A packet without points.
    #[inline(always)]
    pub(crate) fn none(simd: S) -> Self {
        let zero = S::i32s::simd_from(simd, 0);
        Self { triangle: S::u32s::simd_from(simd, 0), x: zero, y: zero, active: 0 }
    }
}

/// Attributes to load for the vertices of a packet, besides texture coordinates and normals.
#[derive(Clone, Copy)]
pub(crate) struct Attributes {
    pub has_position: bool,
    pub has_tangent: bool,
    pub has_color: bool,
    pub has_second_texcoord: bool,
    /// True if the growth of normals from pixel to pixel is needed.
    pub has_normal_growth: bool,
    /// True for pieces of clipped triangles: attributes are those of the corners of their sources.
    pub is_piece: bool,
}

/// Barycentric coordinates of a corner of a piece in its source triangle, and a zero that fills the
/// row.
pub(crate) type PieceCorner = [f32; 4];

/// The row of a corner of a piece.
#[inline]
pub(crate) fn piece_corner(barycentric: Vec3) -> PieceCorner {
    [barycentric.x, barycentric.y, barycentric.z, 0.0]
}

/// Triangles of a tile and the vertex table, which packets are loaded from.
#[derive(Clone, Copy)]
pub(crate) struct TriangleStore<'a> {
    pub table: &'a VertexTable,
    pub triangles: &'a [SetupTriangle],
    /// Corners of the pieces among them.
    pub pieces: &'a [[PieceCorner; 3]],
    /// True if the camera is orthographic.
    pub is_orthographic: bool,
    /// A value that a test spoils.
    #[cfg(test)]
    pub fault: Option<crate::fault::PlantedFault>,
}

impl<'a> TriangleStore<'a> {
    #[inline(always)]
    pub(crate) fn new(
        geometry: &GeometryContext<'a>,
        triangles: &'a [SetupTriangle],
        pieces: &'a [[PieceCorner; 3]],
    ) -> Self {
        Self {
            table: geometry.table,
            triangles,
            pieces,
            is_orthographic: geometry.is_orthographic,
            #[cfg(test)]
            fault: geometry.fault,
        }
    }
}

/// Number of packets that are shaded step by step together: the steps of one packet depend on each
/// other, those of several packets do not, so the CPU overlaps them.
pub(crate) const BATCH: usize = 4;
