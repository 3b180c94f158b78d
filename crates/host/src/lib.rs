//! Files, threads and processes: all of the program that a browser lacks.
//!
//! [`mod@write`] writes files that are complete or absent, [`temp_files`] clears what a killed process left, [`frame_status`] says whether a
//! picture is there and whole, [`workers`] runs tasks on threads, and [`job`] draws sequences, turntables and thumbnails into folders.
//!
//! One of the crates behind `tintype`. Its interface may change in any version: depend on `tintype`, which hands on what is stable.

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
