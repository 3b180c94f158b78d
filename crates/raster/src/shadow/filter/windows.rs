//! Windows of several points: their positions in the map, and the ones to read.

use tintype_model::simd::Simd;

/// Windows of several points: [`crate::shadow::filter::scalar::Plane`] and radius in every lane.
#[derive(Clone, Copy)]
pub(super) struct Windows<S: Simd> {
    pub x: S::f32s,
    pub y: S::f32s,
    pub depth: S::f32s,
    pub along: [S::f32s; 2],
    pub cone: f32,
    pub radius: S::f32s,
}

/// Lanes whose windows are evaluated, and the first and last row of texels that may hide anything
/// from them.
#[derive(Clone, Copy)]
pub(super) struct Open<S: Simd> {
    pub lanes: S::mask32s,
    pub rows: [S::i32s; 2],
}
