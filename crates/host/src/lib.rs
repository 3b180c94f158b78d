//! Files, threads and processes: everything that a browser does not have.
//!
//! [`mod@write`] writes files that are complete or absent, [`temp_files`] removes the leftovers of
//! a killed process, [`frame_status`] checks whether a picture exists and is whole, [`workers`]
//! runs tasks on threads, and [`job`] draws sequences, turntables and thumbnails into folders.
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

pub mod frame_status;
pub mod job;
pub mod temp_files;
pub mod workers;
pub mod write;

pub use frame_status::{
    CheckLevel, ExpectedFile, FrameStatus, matches_provenance, read_provenance,
};
pub use temp_files::{PARTIAL_SUFFIX, disk_now};
pub use write::{
    Operation, OutputError, PendingFile, is_stream, write_atomic, write_kept, write_new,
    write_unsynced,
};
