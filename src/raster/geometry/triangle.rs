//! Triangles on the screen, ready for coverage.

use bytemuck::{Pod, Zeroable};

/// A triangle on the screen, ready for coverage: its doubled area is positive.
///
/// Four blocks of four words, which lanes gather: see [`crate::raster::interpolate::lanes`].
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct SetupTriangle {
    /// Corners in 1/256 pixel.
    pub x: [i32; 3],
    /// 1 where the front is visible, else -1.
    pub front: f32,
    pub y: [i32; 3],
    /// For a piece of a clipped triangle: index of the barycentric coordinates of its corners, in [`Chunk::barycentrics`] or, for
    /// the copies of a tile, in [`Scratch::pieces`]; else [`SetupTriangle::WHOLE`].
    ///
    /// [`Chunk::barycentrics`]: crate::raster::geometry::chunk::Chunk::barycentrics
    /// [`Scratch::pieces`]: crate::raster::tile::scratch::Scratch::pieces
    pub piece: u32,
    /// Depth at the corners: 1/w, or -w without perspective.
    pub depth: [f32; 3],
    /// Index of the draw, and of the triangle in its mesh.
    pub draw: u32,
    /// Indices of the corners in the vertex table; for a piece those of the source triangle, in its order.
    pub vertices: [u32; 3],
    pub source: u32,
}

impl SetupTriangle {
    /// No piece.
    pub(crate) const WHOLE: u32 = u32::MAX;

    /// Corners in the order in which they enclose their area clockwise.
    const TURNED: [usize; 3] = [0, 2, 1];

    /// Orders corners so that their area, which is not 0, is positive: counter-clockwise with y up, which is the front, is
    /// negative with y down.
    #[inline]
    pub(crate) fn whole(
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

    /// Whether the front is visible.
    #[inline]
    pub(crate) fn is_front(&self) -> bool {
        self.front > 0.0
    }

    /// Source corner of each corner.
    #[inline]
    pub(crate) fn order(&self) -> [usize; 3] {
        if self.is_front() { Self::TURNED } else { [0, 1, 2] }
    }

    /// The index of the barycentric coordinates of the corners of a piece.
    #[inline]
    pub(crate) fn piece(&self) -> Option<u32> {
        (self.piece != Self::WHOLE).then_some(self.piece)
    }
}

/// Source of a set-up triangle.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    /// Indices in the vertex table.
    pub vertices: [u32; 3],
    pub draw: u32,
    pub source: u32,
}
