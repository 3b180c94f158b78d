//! Slurm: `sbatch`, `squeue`, `scancel`, `scontrol` and `sinfo`, run by the caller, and the scripts of a submission.
//!
//! Accounting (`sacct`) is never used: many sites have none.

mod batch;
pub(super) mod client;
pub(super) mod options;
pub(super) mod queue;
mod scripts;
mod task_script;

pub use batch::Batch;
pub use client::{Output, Run, Slurm};
pub use options::SlurmOptions;
pub use queue::{NodeState, QueuedTask};
