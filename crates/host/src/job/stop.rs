//! A request to end a job early: frames in flight are finished, and no more are started.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that requests the end of a job, common to all its clones.
///
/// A job reads it after each frame and during pauses between retries. It cannot be withdrawn.
#[derive(Clone, Debug, Default)]
pub struct StopToken(Arc<AtomicBool>);

impl StopToken {
    /// A token without a request.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Requests the end of the job.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True if the end of the job was requested.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
