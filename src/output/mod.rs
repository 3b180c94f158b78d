//! A [`Frame`](crate::frame::Frame) -> PNG bytes with their provenance -> a file that is whole or absent.
//!
//! [`png`] encodes and decodes pictures; [`apng`], [`mod@gif`], [`raw`] and [`sheet`] make one file or stream of many; [`obj`] writes posed meshes, [`provenance`] says what a frame was made from, [`mod@write`] puts bytes under a name in one step;
//! [`png_check`] and [`frame_status`] tell what is there already, [`temp_files`] what a killed process left.
//! This module does not number frames, build names from patterns, or decide whether a frame is worth writing.

pub mod apng;
pub mod gif;
pub mod temp_files;
pub mod obj;
pub mod png;
pub mod provenance;
pub mod rate;
pub mod raw;
pub mod sheet;
pub mod frame_status;
pub mod png_check;
pub mod write;

pub use apng::ApngWriter;
pub use frame_status::{
    CheckLevel, ExpectedFile, FrameStatus, matches_provenance, read_provenance, text_lines,
};
pub use gif::{GifFrame, GifWriter};
pub use obj::encode_obj;
pub use png::{PngEffort, PngError, decode_png, encode_png, write_png_to};
pub use png_check::{PngHead, check_png};
pub use provenance::Provenance;
pub use rate::Rate;
pub use raw::{y4m_frame, y4m_header};
pub use sheet::Sheet;
pub use temp_files::disk_now;
pub use write::{Operation, OutputError, PARTIAL_SUFFIX, PendingFile, write_atomic};
