//! Thread pools for the models being drawn, with a limit on the time that a caller waits for their
//! results.

use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::time::Duration;

/// Thread pools, one for each model being drawn: a thread that waits for one model never starts
/// another.
pub(super) struct Pools {
    free: Mutex<Vec<Arc<rayon::ThreadPool>>>,
    is_free: Condvar,
}

impl Pools {
    pub(super) fn new(count: usize, threads: usize) -> Result<Self, rayon::ThreadPoolBuildError> {
        let pool =
            |_| rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build().map(Arc::new);
        let free: Result<Vec<_>, _> = (0..count).map(pool).collect();
        let free = free?;
        Ok(Self { free: Mutex::new(free), is_free: Condvar::new() })
    }
}

/// A pool in use; dropping it makes it free again.
pub(super) struct Pool {
    pool: Arc<rayon::ThreadPool>,
    home: Arc<Pools>,
}

impl Pool {
    /// Waits for a free pool.
    pub(super) fn wait_for(home: &Arc<Pools>) -> Self {
        let free = home.free.lock().unwrap_or_else(PoisonError::into_inner);
        let none = |free: &mut Vec<_>| free.is_empty();
        let mut free = home.is_free.wait_while(free, none).unwrap_or_else(PoisonError::into_inner);
        let pool = free.pop().expect("waited for");
        Self { pool, home: Arc::clone(home) }
    }

    /// Runs `work` on the pool and returns its result. None if that takes longer than `wait`.
    ///
    /// Late work continues, and the pool is free again when it ends.
    pub(super) fn work<R: Send + 'static>(
        self,
        wait: Option<Duration>,
        work: impl FnOnce() -> R + Send + 'static,
    ) -> Option<R> {
        let (sender, result) = mpsc::sync_channel(1);
        let pool = Arc::clone(&self.pool);
        pool.spawn(move || {
            let done = work();
            // Free the pool first: the receiver may have given up.
            drop(self);
            let _ = sender.send(done);
        });
        match wait {
            Some(time) => result.recv_timeout(time).ok(),
            None => result.recv().ok(),
        }
    }
}

impl Drop for Pool {
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
    fn late_work_is_not_waited_for_and_frees_its_pool_at_its_end() {
        let pools = Arc::new(Pools::new(1, 1).unwrap());
        let (release, released) = mpsc::channel::<()>();
        let endless = Pool::wait_for(&pools);
        let none = endless.work(Some(Duration::ZERO), move || released.recv().is_ok());
        assert_eq!(none, None, "late work is not waited for");
        assert!(pools.free.lock().unwrap().is_empty(), "and its pool is not free");
        release.send(()).unwrap();
        assert_eq!(Pool::wait_for(&pools).work(None, || 7), Some(7));
        drop(Pool::wait_for(&pools));
        assert_eq!(pools.free.lock().unwrap().len(), 1);
    }
}
