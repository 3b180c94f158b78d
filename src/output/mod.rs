//! A [`Frame`](crate::frame::Frame) -> PNG bytes with their provenance -> a file that is whole or absent.
//!
//! [`png`] encodes and decodes pictures, [`obj`] writes posed meshes, [`provenance`] says what a frame was made from, [`mod@write`] puts bytes under a name in one step.
//! This module does not number frames, build names from patterns, or decide whether a frame is worth writing.

pub mod obj;
pub mod png;
pub mod provenance;
pub mod write;

pub use obj::encode_obj;
pub use png::{PngEffort, PngError, decode_png, encode_png, write_png_to};
pub use provenance::Provenance;
pub use write::{Operation, OutputError, write_atomic};
