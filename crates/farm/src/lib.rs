//! Submissions to existing engines of farms: Slurm job arrays, Open Job Description templates,
//! Kubernetes indexed jobs.
//!
//! Input: a checked job with measured costs. Output: job files and scripts, and later a progress
//! report from the pictures on disk, the journals of the attempts and the queue. The engine owns
//! queue, retries and nodes. Each task is a plain `tintype render`, `thumbnail` or `turntable` of
//! one shard; files other than pictures are written to `.tintype` beside the pictures.
//!
//! This layer prints nothing, reads neither environment variables nor a clock, and starts no
//! process: the caller provides a [`slurm::Run`] that runs Slurm's programs, so everything here is
//! tested without a cluster.
//!
//! | module | subject |
//! |---|---|
//! | [`job`] | the pictures of a job, and the commands that draw and verify them |
//! | [`plan`] | a job divided into tasks, with processors and memory for each |
//! | [`sources`] | digests of everything that the pictures are made from |
//! | [`submission`] | the file beside the pictures that describes a submitted plan |
//! | [`preflight`] | whether a machine can run a task of a submission |
//! | [`slurm`], [`openjd`], [`kubernetes`] | the engines |
//! | [`progress`], [`history`], [`queue`], [`diagnosis`] | pictures on the disk, journals, tasks in the queue, stuck tasks |
//! | [`status`], [`page`], [`logs`] | the report of these, as data, as a page, and ends of logs |
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

mod argv;
pub mod diagnosis;
mod error;
pub mod folders;
pub mod history;
pub mod job;
pub mod kubernetes;
pub mod logs;
pub mod openjd;
pub mod page;
pub mod plan;
pub mod preflight;
pub mod progress;
pub mod queue;
pub mod slurm;
pub mod sources;
pub mod status;
pub mod submission;
mod text;

pub use error::SubmitError;
