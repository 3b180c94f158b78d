//! Packets of points that are interpolated and shaded together.

use crate::raster::geometry::context::GeometryContext;
use crate::raster::geometry::triangle::SetupTriangle;
use crate::raster::geometry::vertex_table::VertexTable;
use crate::simd::prelude::*;
use crate::simd::{MAX_LANES, Simd, deinterleave4};

/// Points to shade together: as many as a vector has lanes, or fewer.
#[derive(Clone, Copy)]
pub(crate) struct Packet<S: Simd> {
    /// The triangle of each, as a place among the triangles of the tile.
    pub place: S::u32s,
    /// Where each is shaded, in 1/256 pixel; lanes without a point stand where some lane with one stands.
    pub x: S::i32s,
    pub y: S::i32s,
    /// The lanes that hold a point, one bit each; never none.
    pub active: u64,
}

/// A point that waits to be shaded: the place of its triangle among those of the tile, x and y in 1/256 pixel, and a number
/// that tells its owner where its light goes.
pub(crate) type WaitingFragment = [u32; 4];

impl<S: Simd> Packet<S> {
    /// The first points of a list that is not empty, and the numbers of their owners.
    #[inline(always)]
    pub fn of_waiting(simd: S, points: &[WaitingFragment]) -> (Self, S::u32s) {
        let lanes = S::u32s::LEN;
        let count = points.len().min(lanes);
        let [place, x, y, target] = if count == lanes {
            deinterleave4(simd, &points.as_flattened()[..4 * lanes])
        } else {
            let mut padded = [points[0]; MAX_LANES];
            padded[..count].copy_from_slice(&points[..count]);
            deinterleave4(simd, &padded.as_flattened()[..4 * lanes])
        };
        (Self { place, x: x.bitcast(), y: y.bitcast(), active: u64::MAX >> (64 - count) }, target)
    }

    /// Nothing yet.
    #[inline(always)]
    pub fn none(simd: S) -> Self {
        let zero = S::i32s::simd_from(simd, 0);
        Self { place: S::u32s::simd_from(simd, 0), x: zero, y: zero, active: 0 }
    }
}

/// Attributes that are read of the vertices of a packet, besides texture coordinates and normals.
#[derive(Clone, Copy)]
pub(crate) struct Attributes {
    pub has_position: bool,
    pub has_tangent: bool,
    pub has_color: bool,
}

/// The triangles of a tile and their vertices, as packets read them.
#[derive(Clone, Copy)]
pub(crate) struct TriangleStore<'a> {
    pub table: &'a VertexTable,
    pub triangles: &'a [SetupTriangle],
    /// A value that a test spoils.
    #[cfg(test)]
    pub fault: Option<crate::raster::fault::Fault>,
}

impl<'a> TriangleStore<'a> {
    #[inline(always)]
    pub fn new(geometry: &GeometryContext<'a>, triangles: &'a [SetupTriangle]) -> Self {
        Self {
            table: geometry.table,
            triangles,
            #[cfg(test)]
            fault: geometry.fault,
        }
    }
}

/// Packets that are shaded step by step together: each step of one has to wait for its step before, those of several do not
/// wait for each other.
pub(crate) const BATCH: usize = 4;
