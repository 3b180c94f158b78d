//! Work without the GIL, on existing threads: a forked process has none of its parent's.

use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;
use std::cell::Cell;
use std::sync::OnceLock;

/// The process that imported the module.
static IMPORTED_BY: OnceLock<u32> = OnceLock::new();

thread_local! {
    /// The forked process, if this thread has separate threads in it.
    static HAS_OWN_IN: Cell<Option<u32>> = const { Cell::new(None) };
}

/// Remembers the process that imports the module.
pub(crate) fn imported() {
    IMPORTED_BY.get_or_init(std::process::id);
}

/// Works without Python's lock.
///
/// In a process forked after the import, the threads of the library belong to the parent, and work
/// given to them would never end. There the calling thread gets separate threads, once.
pub(crate) fn detach<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    let process = Some(std::process::id());
    if IMPORTED_BY.get().copied() == process || HAS_OWN_IN.get() == process {
        return py.detach(work);
    }
    if let Ok(pool) = ThreadPoolBuilder::new().use_current_thread().build() {
        // They exist as long as the thread.
        std::mem::forget(pool);
        HAS_OWN_IN.set(process);
        return py.detach(work);
    }
    // This thread already had separate threads before it was forked again.
    match ThreadPoolBuilder::new().build() {
        Ok(pool) => py.detach(|| pool.install(work)),
        Err(_) => py.detach(work),
    }
}
