//! Memory of the program: freed frame memory is reused, and when memory runs out the program ends
//! with a message that names the models in progress.
//!
//! Large allocations are estimated and refused before they are made
//! ([`tintype_host::job::memory`]). For anything not estimated, the program's allocator detects a
//! failed allocation. The process then reports how much was missing and ends with
//! [`exit::TRY_AGAIN`], where Rust would abort with a backtrace. Written files are whole, and the
//! same command resumes from there.
//!
//! The system fails an allocation only if a limit is set. Otherwise it kills the process without a
//! message when memory runs out, so [`hold_to_machine`] sets the limit to the memory of the machine
//! and its control group.

use super::exit;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use tintype_base::amount::bytes_text;
use tintype_base::printable::one_line;
use tintype_host::job::InWork;

/// The system allocator, which ends the program with a message when memory runs out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Allocator;

#[expect(
    unsafe_code,
    reason = "the trait is unsafe; every call goes to the allocator of the system with the caller's arguments"
)]
// SAFETY: all blocks come from `System` and return to it with the same layouts.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `System`.
        found(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        found(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        found(unsafe { System.realloc(block, layout, size) }, size)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Returns the block, or ends the program if there is none.
#[inline]
fn found(block: *mut u8, size: usize) -> *mut u8 {
    if block.is_null() && IS_ARMED.load(Ordering::Relaxed) {
        exhausted(size);
    }
    if size >= 2 * HUGE_PAGE {
        ask_for_huge_pages(block, size);
    }
    block
}

/// Bytes of a huge page on x86-64 and on most AArch64 machines; elsewhere the hint has no effect.
const HUGE_PAGE: usize = 2 << 20;

/// Asks the system for huge pages within a large block: a model with textures of 4096 pixels spends
/// a third of its time on page faults without them. Only whole huge pages of the block are named,
/// so neighbours take no more memory.
#[cfg(target_os = "linux")]
#[cold]
#[expect(unsafe_code, reason = "the hint is a function of C")]
fn ask_for_huge_pages(block: *mut u8, size: usize) {
    let before = block.align_offset(HUGE_PAGE);
    let bytes = size.saturating_sub(before) / HUGE_PAGE * HUGE_PAGE;
    if !block.is_null() && bytes > 0 {
        // SAFETY: the range lies within the block. It is a hint that changes no contents, and a
        // refusal changes nothing.
        let _ = unsafe { libc::madvise(block.add(before).cast(), bytes, libc::MADV_HUGEPAGE) };
    }
}

/// Other systems choose the size of pages themselves.
#[cfg(not(target_os = "linux"))]
fn ask_for_huge_pages(_: *mut u8, _: usize) {}

/// True if this process belongs to the program, which may end it.
static IS_ARMED: AtomicBool = AtomicBool::new(false);
/// True while some thread ends the program.
static IS_ENDING: AtomicBool = AtomicBool::new(false);
/// Memory that is released first, so that the last message can be composed.
static RESERVE: Mutex<Option<Vec<u8>>> = Mutex::new(None);
const RESERVE_BYTES: usize = 4 << 20;
/// The models in work of this process, if it draws a batch.
static IN_WORK: Mutex<Option<InWork>> = Mutex::new(None);

thread_local! {
    static ENDS_HERE: Cell<bool> = const { Cell::new(false) };
}

/// Keeps freed memory for later frames if the C library is glibc; has no effect elsewhere.
///
/// Glibc takes blocks above a threshold from the system, page by page as they are written, and
/// returns them when they are freed; a frame of a hundred figures spends a tenth of its time on
/// this. The threshold follows the largest such block that was freed, up to 32 MiB on 64-bit
/// machines, so freeing one block of that size raises it to the maximum. The block is never
/// written, so it uses no memory, and it is not an error if it cannot be allocated.
pub(super) fn keep_freed() {
    /// The maximum threshold of glibc, less its overhead.
    const BYTES: usize = (32 << 20) - (64 << 10);
    let mut block = Vec::<u8>::new();
    let _ = block.try_reserve_exact(BYTES);
    drop(std::hint::black_box(block));
}

/// Makes all threads share one arena of glibc if the address space is limited. Must be called
/// before any thread starts.
///
/// Otherwise each thread reserves 64 MiB for a separate arena, and eight of them reach a limit that
/// the pictures themselves hardly touch.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the library is set by a function of C")]
pub(super) fn share_arena() {
    use rustix::process::{Resource, getrlimit};
    if getrlimit(Resource::As).current.is_some() {
        // SAFETY: no other thread runs, and the option accepts any number. A refusal changes
        // nothing.
        let _ = unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    }
}

/// Other libraries reserve no memory per thread.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) fn share_arena() {}

/// Ends this process with a message if memory runs out; for the program only.
pub(super) fn arm() {
    IS_ARMED.store(true, Ordering::Relaxed);
    *RESERVE.lock().unwrap_or_else(std::sync::PoisonError::into_inner) =
        Some(Vec::with_capacity(RESERVE_BYTES));
}

/// Names the models of `in_work` if memory runs out.
pub(super) fn watch(in_work: &InWork) {
    *IN_WORK.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(in_work.clone());
}

/// Limits this process to the memory of the machine and of its control group, so that exceeding it
/// is an error instead of a sudden kill. `threads` are about to start; their stacks count although
/// they are hardly used.
#[cfg(target_os = "linux")]
pub(super) fn hold_to_machine(threads: usize) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    /// Stack of a thread, and the memory that the allocator maps for it.
    const THREAD_BYTES: u64 = 8 << 20;
    if !IS_ARMED.load(Ordering::Relaxed) {
        return;
    }
    let Some(machine) = tintype_host::job::memory::machine_memory() else { return };
    let threads = u64::try_from(threads).unwrap_or(u64::MAX);
    let most = machine.saturating_add(threads.saturating_mul(THREAD_BYTES));
    let Rlimit { current, maximum } = getrlimit(Resource::Data);
    let lower = [Some(most), current, maximum].into_iter().flatten().min();
    // An error changes nothing.
    let _ = setrlimit(Resource::Data, Rlimit { current: lower, maximum });
}

/// Does nothing where the system does not report amounts of memory.
#[cfg(not(target_os = "linux"))]
pub(super) fn hold_to_machine(_: usize) {}

/// Ends the program.
#[cold]
fn exhausted(size: usize) -> ! {
    if ENDS_HERE.with(|ends| ends.replace(true)) {
        say("error: out of memory\n");
        std::process::exit(i32::from(exit::TRY_AGAIN));
    }
    if IS_ENDING.swap(true, Ordering::SeqCst) {
        // Another thread speaks.
        loop {
            std::thread::sleep(std::time::Duration::from_secs(1));
        }
    }
    if let Ok(mut reserve) = RESERVE.try_lock() {
        drop(reserve.take());
    }
    let missing = bytes_text(size);
    let in_work = IN_WORK.try_lock().ok().and_then(|in_work| in_work.clone());
    let names = in_work.map(|in_work| in_work.names().join(", ")).unwrap_or_default();
    let with =
        if names.is_empty() { names } else { format!(" while drawing {}", one_line(&names)) };
    say(&format!(
        "error: out of memory{with}: cannot allocate {missing}; written files are complete. Run the same command again to continue, with fewer threads (-j) or smaller pictures\n"
    ));
    std::process::exit(i32::from(exit::TRY_AGAIN));
}

/// Writes to standard error without its lock, which may be held by a thread that never finishes.
fn say(text: &str) {
    #[cfg(unix)]
    {
        let _ = rustix::io::write(rustix::stdio::stderr(), text.as_bytes());
    }
    #[cfg(not(unix))]
    {
        use std::io::Write;
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}
