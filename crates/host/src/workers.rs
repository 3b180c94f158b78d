//! Worker threads: runs a list of tasks with a bounded number in flight, and returns results by
//! index.
//!
//! Ten thousand frames take the memory of a few. Results are passed to the caller's thread, which
//! shows progress and collects failures.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError, mpsc};

/// Runs `work(0)`, `work(1)`, … `work(count - 1)`, at most `in_flight` at a time, and passes each
/// result to `done`.
///
/// Tasks start in order and end in any order. When `done` breaks, no further task starts; running
/// ones are finished and their results are also passed to `done`.
///
/// # Panics
/// If a task panics.
pub fn run<R: Send>(
    count: usize,
    in_flight: usize,
    work: impl Fn(usize) -> R + Sync,
    mut done: impl FnMut(usize, R) -> ControlFlow<()>,
) {
    let next = AtomicUsize::new(0);
    let stopped = AtomicBool::new(false);
    // A rendezvous channel: a worker with a waiting result counts as in flight.
    let (sender, results) = mpsc::sync_channel::<(usize, R)>(0);
    std::thread::scope(|scope| {
        let mut started = 0;
        for _ in 0..in_flight.clamp(1, count.max(1)) {
            let sender = sender.clone();
            let worker = || {
                let sender = sender;
                while !stopped.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count || sender.send((index, work(index))).is_err() {
                        break;
                    }
                }
            };
            // If the system has no memory for another thread, fewer do all the work.
            if std::thread::Builder::new().spawn_scoped(scope, worker).is_err() {
                break;
            }
            started += 1;
        }
        drop(sender);
        if started == 0 {
            let _ = (0..count).try_for_each(|index| done(index, work(index)));
        }
        for (index, result) in results {
            if done(index, result).is_break() {
                stopped.store(true, Ordering::Relaxed);
            }
        }
    });
}

/// As [`run`], with the results passed to `done` in the order of their tasks.
///
/// A task starts only while it is less than twice `in_flight` ahead of the first missing result, so
/// waiting results take bounded memory.
///
/// # Panics
/// If a task panics.
pub fn run_in_order<R: Send>(
    count: usize,
    in_flight: usize,
    work: impl Fn(usize) -> R + Sync,
    mut done: impl FnMut(usize, R) -> ControlFlow<()>,
) {
    let ahead = 2 * in_flight.max(1);
    // Number of results passed to `done`; the maximum once it breaks, so that no task waits.
    let given = Mutex::new(0_usize);
    let has_moved = Condvar::new();
    let raise = |to: usize| {
        let mut given = given.lock().unwrap_or_else(PoisonError::into_inner);
        *given = to.max(*given);
        has_moved.notify_all();
    };
    let gated = |index: usize| {
        let is_far = |given: &mut usize| index >= given.saturating_add(ahead);
        let lock = given.lock().unwrap_or_else(PoisonError::into_inner);
        drop(has_moved.wait_while(lock, is_far).unwrap_or_else(PoisonError::into_inner));
        // A panic in a task ends all: other tasks do not wait for its result.
        let guard = OnPanic(|| raise(usize::MAX));
        let result = work(index);
        drop(guard);
        result
    };
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    let mut is_broken = false;
    run(count, in_flight, gated, |index, result| {
        waiting.insert(index, result);
        while !is_broken && let Some(result) = waiting.remove(&next) {
            is_broken = done(next, result).is_break();
            next += 1;
        }
        raise(if is_broken { usize::MAX } else { next });
        if is_broken { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
}

/// Calls a function when its thread panics.
struct OnPanic<F: Fn()>(F);

impl<F: Fn()> Drop for OnPanic<F> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            (self.0)();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn workers_give_results_in_order_and_hold_few() {
        let held = AtomicUsize::new(0);
        let most = AtomicUsize::new(0);
        let mut given = Vec::new();
        let work = |index: usize| {
            most.fetch_max(held.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            if index == 0 {
                std::thread::sleep(std::time::Duration::from_millis(30));
            }
            index
        };
        run_in_order(200, 3, work, |index, result| {
            held.fetch_sub(1, Ordering::SeqCst);
            assert_eq!(index, result);
            given.push(index);
            ControlFlow::Continue(())
        });
        assert_eq!(given, (0..200).collect::<Vec<_>>());
        assert!(most.load(Ordering::SeqCst) <= 6, "{most:?}");
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn workers_in_order_end_when_a_task_panics() {
        let work = |index: usize| assert!(index != 0, "the first task is a bad one");
        run_in_order(1000, 2, work, |_, ()| ControlFlow::Continue(()));
    }

    #[test]
    fn workers_in_order_stop_on_a_break() {
        let mut given = Vec::new();
        run_in_order(
            10_000,
            4,
            |index| index,
            |index, _| {
                given.push(index);
                if index == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        assert_eq!(given, [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn workers_run_every_task_once() {
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
    fn workers_hold_no_more_tasks_than_asked() {
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
    fn workers_start_nothing_after_a_break() {
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
    fn workers_without_tasks_end() {
        run(0, 4, |_| (), |_, ()| ControlFlow::Continue(()));
    }
}
