//! A square of directions: one texel for each, in the layout of [`super::octahedral`].

use rayon::prelude::*;
use tintype_model::math::Vec3;

/// A square of directions.
pub(super) struct Square {
    pub side: u32,
    pub texels: Vec<Vec3>,
}

impl Square {
    /// Computes every texel by a function of its column and row.
    pub(super) fn of(side: u32, texel: impl Fn(u32, u32) -> Vec3 + Sync) -> Self {
        Self { side, texels: Self::rows(side, texel) }
    }

    /// A value for each texel of a square, row by row.
    pub(super) fn rows<T: Copy + Send>(side: u32, texel: impl Fn(u32, u32) -> T + Sync) -> Vec<T> {
        let rows = (0..side).into_par_iter();
        let rows: Vec<Vec<T>> = rows.map(|y| (0..side).map(|x| texel(x, y)).collect()).collect();
        rows.concat()
    }

    pub(super) fn at(&self, x: u32, y: u32) -> Vec3 {
        self.texels[(y * self.side + x) as usize]
    }
}
