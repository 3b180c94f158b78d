//! Slurm: `sbatch`, `squeue`, `scancel`, `scontrol` and `sinfo`, run by the caller, and the scripts
//! of a submission.
//!
//! Accounting (`sacct`) is never used, because many sites do not have it.

mod batch;
pub(super) mod client;
pub(super) mod queue;
mod scripts;
mod task_script;

pub(crate) use task_script::LEFT_OUT;

pub use batch::Batch;
pub use client::{Output, Run, Slurm};
pub use queue::{NodeState, QueuedTask};

/// Options of Slurm that a plan does not decide.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SlurmOptions {
    /// The partition, or several with commas; by default that of the cluster.
    pub partition: Option<String>,
    /// Minutes per task; by default estimated from the plan.
    pub time: Option<u64>,
    /// Maximum number of requeues of a task.
    pub restarts: u32,
    /// Maximum number of tasks that run at once; unlimited without it.
    pub parallel: Option<u64>,
    /// Further options of `sbatch`.
    pub extra: Vec<String>,
}
