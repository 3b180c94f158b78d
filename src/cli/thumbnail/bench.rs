//! Threads for the models in work, and how long is waited for what they make.

use crate::cli::{Failure, exit};
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::time::Duration;

/// Pools of threads, one for each model in work, so that no thread that waits for one model begins another.
pub(super) struct Benches {
    free: Mutex<Vec<Arc<rayon::ThreadPool>>>,
    is_free: Condvar,
}

impl Benches {
    pub fn new(count: usize, threads: usize) -> Result<Self, Failure> {
        let pool =
            |_| rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build().map(Arc::new);
        let free: Result<Vec<_>, _> = (0..count).map(pool).collect();
        let free = free.map_err(|error| {
            Failure::new(exit::TRY_AGAIN, format!("cannot start {count} threads: {error}"))
        })?;
        Ok(Self { free: Mutex::new(free), is_free: Condvar::new() })
    }
}

/// A bench in use.
pub(super) struct Bench {
    pool: Arc<rayon::ThreadPool>,
    home: Arc<Benches>,
}

impl Bench {
    /// The next one that is free.
    pub fn wait_for(home: &Arc<Benches>) -> Self {
        let free = home.free.lock().unwrap_or_else(PoisonError::into_inner);
        let none = |free: &mut Vec<_>| free.is_empty();
        let mut free = home.is_free.wait_while(free, none).unwrap_or_else(PoisonError::into_inner);
        let pool = free.pop().expect("waited for");
        Self { pool, home: Arc::clone(home) }
    }

    /// What comes of some work, if that is known in time; for as long as it takes where there is none. The bench is free when the
    /// work is through, be it waited for or not.
    pub fn work<R: Send + 'static>(
        self,
        wait: Option<Duration>,
        work: impl FnOnce() -> R + Send + 'static,
    ) -> Option<R> {
        let (sender, result) = mpsc::sync_channel(1);
        let pool = Arc::clone(&self.pool);
        pool.spawn(move || {
            let done = work();
            // Free before that is known; nobody may wait any more.
            drop(self);
            let _ = sender.send(done);
        });
        match wait {
            Some(time) => result.recv_timeout(time).ok(),
            None => result.recv().ok(),
        }
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let mut free = self.home.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(Arc::clone(&self.pool));
        self.home.is_free.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bench_is_not_waited_for_and_is_free_when_its_work_is_through() {
        let benches = Arc::new(Benches::new(1, 1).unwrap());
        let (release, released) = mpsc::channel::<()>();
        let endless = Bench::wait_for(&benches);
        let none = endless.work(Some(Duration::ZERO), move || released.recv().is_ok());
        assert_eq!(none, None, "nobody waits for what does not end");
        assert!(benches.free.lock().unwrap().is_empty(), "and nobody else gets its threads");
        release.send(()).unwrap();
        assert_eq!(Bench::wait_for(&benches).work(None, || 7), Some(7));
        drop(Bench::wait_for(&benches));
        assert_eq!(benches.free.lock().unwrap().len(), 1);
    }
}
