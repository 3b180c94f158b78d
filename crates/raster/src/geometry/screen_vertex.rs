//! Vertices on the screen, and their outcodes.

use bytemuck::{Pod, Zeroable};

/// Bits of [`ScreenVertex::outside`].
pub(crate) mod outside {
    /// Before the near plane.
    pub(crate) const NEAR: u32 = 1;
    /// Beyond one edge of the picture each.
    pub(crate) const RIGHT: u32 = 2;
    pub(crate) const LEFT: u32 = 4;
    pub(crate) const BOTTOM: u32 = 8;
    pub(crate) const TOP: u32 = 16;
    /// Any of these: a triangle whose corners have one in common is invisible.
    pub(crate) const PICTURE: u32 = NEAR | RIGHT | LEFT | BOTTOM | TOP;
    /// Out of the range of the fixed-point arithmetic, so that the triangle must be clipped first.
    pub(crate) const RANGE: u32 = 32;
}

/// One vertex on the screen.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(crate) struct ScreenVertex {
    /// In 1/256 pixel; 0 where out of range.
    pub x: i32,
    pub y: i32,
    /// Larger is nearer: 1/w, or -w without perspective.
    pub depth: f32,
    /// Bits of [`outside`].
    pub outside: u32,
}
