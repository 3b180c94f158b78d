//! Lit points -> the pixels of a tile: samples averaged in premultiplied linear light, then encoded.

pub(crate) mod background;
pub(crate) mod blend;
pub(crate) mod encode;
pub(crate) mod lanes;
pub(crate) mod pixels;
pub(crate) mod scalar;
