//! Fragments as the public entry points list them.

/// A part of a pixel that shows one triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenPoint {
    /// Column and row.
    pub pixel: [u32; 2],
    /// Which of [`View::draws`].
    pub draw: u32,
    /// Which triangle of its mesh.
    pub triangle: u32,
    /// The samples that show it, one bit each.
    pub samples: u32,
    /// Whether its front is seen.
    pub is_front: bool,
}

/// The light that leaves a part of a pixel toward the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LitPoint {
    /// The part of the pixel.
    pub seen: SeenPoint,
    /// Premultiplied linear RGBA, each 0..=1.
    pub color: [f32; 4],
}
