//! Triangles on the screen: by reference in the lists of chunks, and whole, ready for coverage.

use bytemuck::{Pod, Zeroable};

/// A triangle of a chunk. All triangles of a picture are written and read once, through main
/// memory, so it refers to its corners instead of copying them.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct ChunkTriangle {
    /// Indices of the corners in the vertex table and among the screen vertices, ordered for
    /// positive area; for a piece of a clipped triangle, those of the source triangle, in its
    /// order.
    pub vertices: [u32; 3],
    /// Index in its mesh, and bits.
    source: u32,
}

impl ChunkTriangle {
    /// Bit of a triangle with a visible front.
    const FRONT: u32 = 1 << 31;
    /// Bit of a piece of a clipped triangle.
    const PIECE: u32 = 1 << 30;

    /// An unclipped triangle, with its corners in the order of its mesh.
    #[inline(always)]
    pub(crate) fn whole(vertices: [u32; 3], source: u32, is_front: bool) -> Self {
        let order = order(is_front);
        Self { vertices: order.map(|k| vertices[k]), source: source | front_bit(is_front) }
    }

    /// A piece.
    pub(crate) fn piece(vertices: [u32; 3], source: u32, is_front: bool) -> Self {
        Self { vertices, source: source | Self::PIECE | front_bit(is_front) }
    }

    /// Index in its mesh.
    #[inline(always)]
    pub(crate) fn source(self) -> u32 {
        self.source & !(Self::FRONT | Self::PIECE)
    }

    #[inline(always)]
    pub(crate) fn is_front(self) -> bool {
        self.source & Self::FRONT != 0
    }

    #[inline(always)]
    pub(crate) fn is_piece(self) -> bool {
        self.source & Self::PIECE != 0
    }
}

#[inline(always)]
fn front_bit(is_front: bool) -> u32 {
    if is_front { ChunkTriangle::FRONT } else { 0 }
}

/// Corners of a triangle in the order that makes their doubled area positive: counter-clockwise
/// with y up, which is the front, is negative with y down.
#[inline(always)]
pub(crate) fn order(is_front: bool) -> [usize; 3] {
    if is_front { [0, 2, 1] } else { [0, 1, 2] }
}

/// A triangle on the screen, ready for coverage: its doubled area is positive.
///
/// Four blocks of four words, for gathering by lanes: see [`crate::interpolate::lanes`].
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct SetupTriangle {
    /// Corners in 1/256 pixel.
    pub x: [i32; 3],
    /// 1 where the front is visible, otherwise -1.
    pub front: f32,
    pub y: [i32; 3],
    /// For a piece of a clipped triangle, its index in [`Chunk::pieces`] or, for the triangles of a
    /// tile, in [`Scratch::pieces`]; otherwise [`SetupTriangle::WHOLE`].
    ///
    /// [`Chunk::pieces`]: crate::geometry::chunk::Chunk::pieces
    /// [`Scratch::pieces`]: crate::tile::scratch::Scratch::pieces
    pub piece: u32,
    /// Depth at the corners: 1/w, or -w without perspective.
    pub depth: [f32; 3],
    /// Index of the draw, and of the triangle in its mesh.
    pub draw: u32,
    /// Indices of the corners in the vertex table; for a piece those of the source triangle, in its
    /// order.
    pub vertices: [u32; 3],
    pub source: u32,
}

impl SetupTriangle {
    /// No piece.
    pub(crate) const WHOLE: u32 = u32::MAX;

    /// True if the front is visible.
    #[inline]
    pub(crate) fn is_front(&self) -> bool {
        self.front > 0.0
    }

    /// Source corner of each corner.
    #[inline]
    pub(crate) fn order(&self) -> [usize; 3] {
        order(self.is_front())
    }

    /// The index of the barycentric coordinates of the corners of a piece.
    #[inline]
    pub(crate) fn piece(&self) -> Option<u32> {
        (self.piece != Self::WHOLE).then_some(self.piece)
    }
}
