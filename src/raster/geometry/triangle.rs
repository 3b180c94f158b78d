//! Triangles on the screen, ready for coverage.

use bytemuck::{Pod, Zeroable};

/// A triangle on the screen, ready for coverage: its doubled area is positive.
///
/// Four blocks of four words, which lanes gather: see [`crate::raster::interpolate::lanes`].
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct SetupTriangle {
    /// LaneInterpolants in 1/256 pixel.
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

    /// LaneInterpolants in the order in which they enclose their area clockwise.
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
    /// LaneIndices in the [`VertexTable`].
    pub vertices: [u32; 3],
    pub draw: u32,
    pub source: u32,
}
