//! Inputs of both the scalar and the lane form of triangle setup.

use crate::geometry::bin::lanes::TileOf;
use crate::geometry::edge::UNIT;
use crate::geometry::projection::Projection;
use crate::geometry::screen_vertex::ScreenVertex;
use crate::view::{Draw, View};
use tintype_model::{AlphaMode, CullMode};

/// Gaps between samples: samples lie on columns and rows an integer number of units apart, and a
/// triangle between two of them covers none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gaps {
    /// Binary logarithm of the distance between columns of samples.
    pub bits: u32,
    /// The first column.
    pub first: i32,
}

impl Gaps {
    #[expect(clippy::cast_possible_wrap, reason = "at most 16")]
    pub(crate) fn new(samples: u32) -> Self {
        let spacing = UNIT / samples as i32;
        let first = if samples == 16 { 0 } else { spacing / 2 };
        Self { bits: spacing.trailing_zeros(), first }
    }

    /// True if a closed range of coordinates contains no column of samples.
    #[inline]
    pub(crate) fn hold(&self, [a, b, c]: [i32; 3]) -> bool {
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        (low - self.first - 1) >> self.bits == (high - self.first) >> self.bits
    }
}

/// Source triangles of one draw.
pub(crate) struct Run<'a> {
    pub view: &'a View<'a>,
    /// The camera that projects clipped triangles. None if no vertex is out of range.
    pub projection: Option<&'a Projection>,
    pub vertices: &'a [ScreenVertex],
    /// Index of its first vertex in the `VertexTable`.
    pub first: u32,
    pub draw: usize,
    pub gaps: Gaps,
    pub tile_of: Option<TileOf>,
    pub dropped: DroppedSides,
}

/// Sides of a draw that are culled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DroppedSides {
    pub back: bool,
    pub front: bool,
}

impl DroppedSides {
    /// Sides that the material of a draw culls.
    pub(crate) fn of(view: &View, draw: &Draw) -> Self {
        let (back, front) = match view.materials[draw.material].cull {
            CullMode::Auto => (draw.mesh.is_closed_outward() || draw.mesh.is_outline_hull, false),
            CullMode::Back => (true, false),
            CullMode::Front => (false, true),
            CullMode::None => (false, false),
        };
        Self { back, front }
    }

    /// Sides of a caster that light cannot reach first: the inner side of a closed mesh without
    /// holes.
    pub(crate) fn of_caster(view: &View, draw: &Draw, is_upward: bool) -> Self {
        let is_solid = view.materials[draw.material].alpha == AlphaMode::Opaque;
        let is_dropped = draw.mesh.is_closed_outward() && is_solid;
        Self { back: is_dropped && !is_upward, front: is_dropped && is_upward }
    }
}
