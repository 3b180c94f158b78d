//! A [`Frame`](tintype_model::frame::Frame) -> PNG bytes with their provenance -> a file that is
//! complete or absent.
//!
//! ```text
//! file_format   formats by the extensions of names    still          one picture in the format of its name
//! png           pictures to bytes and back            png_check      chunks of a PNG without its pixels
//! jpeg webp     pictures of these formats             note           text in them
//! vp8l          pixels of a WebP                      changed        the part that differs from the frame before
//! apng gif      animations                            animation      one of them as bytes
//! raw           streams: y4m, RGBA                    provenance     text chunks that identify a frame
//! sheet         sprite sheets                         obj            posed meshes
//! rate          frame rates as files store them      npz openexr    arrays of numbers
//! grey          distances as pictures of 16 bits
//! png_chunks    chunks of a PNG                       png_pixels     filters and compression of its pixels
//! ```
//!
//! This module numbers no frames, builds no names from patterns and does not decide which frames
//! are drawn.
//!
//! An internal crate of `tintype`. Its interface may change in any version; depend on `tintype`,
//! which re-exports the stable parts.

#![cfg_attr(
    test,
    allow(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "tests make numbers of known size"
    )
)]

pub mod png;
mod png_chunks;
mod png_pixels;
pub mod png_check;
pub mod apng;
pub mod gif;
mod gif_dither;
pub mod grey;
mod jpeg;
mod vp8l;
mod changed;
pub mod webp;
pub mod note;
pub mod npz;
#[cfg(feature = "exr")]
pub mod openexr;
mod still;
mod animation;
pub mod file_format;
pub mod raw;
pub mod rate;
pub mod sheet;
pub mod obj;
pub mod provenance;

pub use animation::encode_animation;
pub use apng::{ApngFormat, ApngWriter};
pub use file_format::FileFormat;
pub use gif::{GifWriter, reduce_colors};
pub use obj::encode_obj;
pub use png::{PngError, decode_any_png, decode_png, encode_png, write_png_to};
pub use png_check::{PngHead, check_png, png_size};
pub use png_pixels::PngEffort;
pub use provenance::Provenance;
pub use rate::Rate;
pub use raw::{y4m_frame, y4m_header};
pub use sheet::{Sheet, SheetLayout};
pub use still::encode_still;
pub use webp::WebPWriter;
