//! Planted faults.

use crate::simd::MAX_LANES;
use crate::simd::Simd;
use crate::simd::prelude::*;

/// 1 in the second lane, else 0: one unit in the last place, for a planted fault.
#[cold]
pub(crate) fn one_lane<S: Simd>(simd: S) -> S::i32s {
    let mut lanes = [0; MAX_LANES];
    lanes[1] = 1;
    S::i32s::from_slice(simd, &lanes[..S::i32s::LEN])
}

/// What a planted fault spoils.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The depth of every second triangle; were it every triangle, their order would not change.
    Depth,
    /// The first barycentric coordinate of points.
    Share,
    /// A weight in the windows through which points see a light with a shadow.
    Shadow,
    /// Where rays meet the ground.
    Ground,
}
