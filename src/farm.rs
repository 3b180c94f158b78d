//! A list of jobs -> worker threads -> results by index.
//!
//! The farm knows nothing of what a job does. It holds a fixed number of jobs in flight, so that ten thousand frames take the
//! memory of a few, and hands every result to the caller's thread, where progress is shown and failures are collected.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// Runs `work(0)`, `work(1)`, … `work(count - 1)`, at most `in_flight` of them at a time, and gives each result to `done`.
///
/// Jobs start in order and end in any order. When `done` breaks, no further job starts; those that run are finished and
/// their results are given to `done` too.
///
/// # Panics
/// If a job panics.
pub fn run<R: Send>(
    count: usize,
    in_flight: usize,
    work: impl Fn(usize) -> R + Sync,
    mut done: impl FnMut(usize, R) -> ControlFlow<()>,
) {
    let next = AtomicUsize::new(0);
    let stopped = AtomicBool::new(false);
    // A rendezvous: a worker whose result waits holds its place in flight.
    let (sender, results) = mpsc::sync_channel::<(usize, R)>(0);
    std::thread::scope(|scope| {
        for _ in 0..in_flight.clamp(1, count.max(1)) {
            let sender = sender.clone();
            scope.spawn(|| {
                let sender = sender;
                while !stopped.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count || sender.send((index, work(index))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (index, result) in results {
            if done(index, result).is_break() {
                stopped.store(true, Ordering::Relaxed);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn farm_runs_every_job_once() {
        let mut seen = vec![0; 1000];
        run(
            1000,
            7,
            |index| index * 2,
            |index, result| {
                assert_eq!(result, index * 2);
                seen[index] += 1;
                ControlFlow::Continue(())
            },
        );
        assert_eq!(seen, vec![1; 1000]);
    }

    #[test]
    fn farm_holds_no_more_jobs_than_asked() {
        let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        run(
            200,
            3,
            |_| {
                let now = running.fetch_add(1, Ordering::SeqCst) + 1;
                most.fetch_max(now, Ordering::SeqCst);
                std::thread::yield_now();
                running.fetch_sub(1, Ordering::SeqCst);
            },
            |_, ()| ControlFlow::Continue(()),
        );
        assert!((1..=3).contains(&most.load(Ordering::SeqCst)));
    }

    #[test]
    fn farm_starts_nothing_after_a_break() {
        let started = Mutex::new(Vec::new());
        let mut finished = Vec::new();
        run(
            1000,
            2,
            |index| started.lock().unwrap().push(index),
            |index, ()| {
                finished.push(index);
                if index >= 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        let mut started = started.into_inner().unwrap();
        started.sort_unstable();
        finished.sort_unstable();
        assert!(started.len() < 20, "{started:?}");
        assert_eq!(started, finished, "what was started is reported");
    }

    #[test]
    fn farm_of_no_jobs_ends() {
        run(0, 4, |_| (), |_, ()| ControlFlow::Continue(()));
    }
}
