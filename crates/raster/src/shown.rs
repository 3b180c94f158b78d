//! Fragments as listed by the public entry points.

/// Part of a pixel that shows one triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VisibleFragment {
    /// Column and row.
    pub pixel: [u32; 2],
    /// Index in [`View::draws`](crate::View::draws).
    pub draw: u32,
    /// Index of the triangle in its mesh.
    pub triangle: u32,
    /// The samples that show it, one bit each.
    pub samples: u32,
    /// True if the front is visible.
    pub is_front: bool,
}

/// Fragment with its light toward the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShadedFragment {
    /// The fragment.
    pub seen: VisibleFragment,
    /// Premultiplied linear RGBA, each 0..=1.
    pub color: [f32; 4],
}
