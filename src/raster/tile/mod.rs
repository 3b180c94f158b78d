//! One tile: from triangles to pixels; and the loop over tiles.

pub(crate) mod draw;
pub(crate) mod inspect;
pub(crate) mod scheduler;
pub(crate) mod scratch;
pub(crate) mod shade;
pub(crate) mod visibility;
