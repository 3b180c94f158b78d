//! Threads, clock and stop token of a job.

use super::stop::StopToken;
use tintype_raster::Clock;

/// Threads, clock and stop token of a job.
#[derive(Clone)]
pub struct JobContext<'a> {
    /// Threads that draw: the number of frames in flight equals theirs.
    pub pool: &'a rayon::ThreadPool,
    /// Seconds since an arbitrary time; without it all times are 0.
    pub clock: Option<Clock<'a>>,
    /// Ends the job between two frames.
    pub stop: StopToken,
}

impl<'a> JobContext<'a> {
    /// A context without a clock, with a new stop token.
    #[must_use]
    pub fn new(pool: &'a rayon::ThreadPool) -> Self {
        Self { pool, clock: None, stop: StopToken::new() }
    }

    /// The clock's time in seconds; 0 without a clock.
    pub(super) fn seconds(&self) -> f64 {
        self.clock.map_or(0.0, |clock| clock())
    }
}

impl core::fmt::Debug for JobContext<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("JobContext").field("stop", &self.stop).finish_non_exhaustive()
    }
}
