//! Out of memory: the program ends in words, and a batch goes on without the model that took all.
//!
//! Big allocations are estimated and refused before they are made ([`tintype_host::job::memory`]). For what no estimate foresees, the
//! allocator of the program notes an allocation that fails. The process then says how much was missing and ends with
//! [`exit::TRY_AGAIN`], where Rust would abort with a backtrace. A batch over models starts itself again in the same process number:
//! pictures that are done are kept, models that were in work are drawn after the others and alone, and one that was alone is
//! refused.
//!
//! The system fails an allocation only where a limit is set. Else it ends the process without a word when the memory is used, so
//! [`hold_to_machine`] sets the limit to what the machine and its control group have.

use super::{exit, invocation};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use tintype_base::amount::bytes_text;
use tintype_host::job::InWork;

/// The allocator of the system, which ends the program in words where memory is missing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Allocator;

#[expect(
    unsafe_code,
    reason = "the trait is unsafe; every call goes to the allocator of the system with the caller's arguments"
)]
// SAFETY: all blocks come from `System` and return to it with the same layouts.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is that of `System`.
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

/// The block, if there is one; else the program ends.
#[inline]
fn found(block: *mut u8, size: usize) -> *mut u8 {
    if block.is_null() && IS_ARMED.load(Ordering::Relaxed) {
        exhausted(size);
    }
    block
}

/// Whether this process belongs to the program, which may end it.
static IS_ARMED: AtomicBool = AtomicBool::new(false);
/// Whether some thread ends the program.
static IS_ENDING: AtomicBool = AtomicBool::new(false);
/// Memory that is given back first, so that the last words can be put together.
static RESERVE: Mutex<Option<Vec<u8>>> = Mutex::new(None);
const RESERVE_BYTES: usize = 4 << 20;
/// The batch of this process.
static BATCH: Mutex<Option<Batch>> = Mutex::new(None);

thread_local! {
    static ENDS_HERE: Cell<bool> = const { Cell::new(false) };
}

/// Models of a batch in work, and what earlier runs of it met.
#[derive(Clone, Debug)]
struct Batch {
    in_work: InWork,
    earlier: Earlier,
}

/// Models that were in work when memory was missing, by digests of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Earlier {
    /// To be drawn after the others, one at a time.
    alone: BTreeSet<String>,
    /// Too large even alone.
    refused: BTreeSet<String>,
}

/// Name of the variable that carries [`Earlier`] to the next run in this process.
const VARIABLE: &str = "TINTYPE_OUT_OF_MEMORY";

/// The message of a model that takes more memory than there is.
pub(super) const REFUSED: &str = "it takes more memory than this process may use, even drawn alone";

impl Earlier {
    /// Whether a model is to be drawn alone.
    pub(super) fn is_alone(&self, name: &str) -> bool {
        self.alone.contains(&key(name))
    }

    /// Whether a model took all memory when it was alone.
    pub(super) fn is_refused(&self, name: &str) -> bool {
        self.refused.contains(&key(name))
    }

    /// With the models that were in work now: one alone is refused, several are drawn alone.
    fn with(mut self, in_work: &[String]) -> Self {
        match in_work {
            [one] => {
                self.alone.remove(&key(one));
                self.refused.insert(key(one));
            }
            several => self.alone.extend(several.iter().map(|name| key(name))),
        }
        self
    }

    fn parse(text: &str) -> Self {
        let (alone, refused) = text.split_once(';').unwrap_or((text, ""));
        let set =
            |list: &str| list.split(',').filter(|one| !one.is_empty()).map(str::to_owned).collect();
        Self { alone: set(alone), refused: set(refused) }
    }

    /// Only where a process can be replaced by another run of it, and in tests.
    #[cfg(any(unix, test))]
    fn text(&self) -> String {
        let list =
            |set: &BTreeSet<String>| set.iter().map(String::as_str).collect::<Vec<_>>().join(",");
        format!("{};{}", list(&self.alone), list(&self.refused))
    }
}

/// Start of the digest of a name.
fn key(name: &str) -> String {
    blake3::hash(name.as_bytes()).to_hex().chars().take(16).collect()
}

/// Ends this process in words where memory is missing; for the program alone.
pub(super) fn arm() {
    IS_ARMED.store(true, Ordering::Relaxed);
    *RESERVE.lock().unwrap_or_else(std::sync::PoisonError::into_inner) =
        Some(Vec::with_capacity(RESERVE_BYTES));
}

/// Starts a batch whose models in work are listed by `in_work`; the models that earlier runs in this process met.
pub(super) fn watch(in_work: &InWork) -> Earlier {
    let earlier = std::env::var(VARIABLE).map(|text| Earlier::parse(&text)).unwrap_or_default();
    let batch = Batch { in_work: in_work.clone(), earlier: earlier.clone() };
    *BATCH.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(batch);
    earlier
}

/// Whether this process has run before, and memory was missing.
pub(super) fn is_again() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

/// Limits this process to the memory of the machine and of its control group, so that too much is an error and not its sudden end.
/// `threads` are about to start, whose stacks count though they are hardly used.
#[cfg(target_os = "linux")]
pub(super) fn hold_to_machine(threads: usize) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    /// Stack of a thread, and what the allocator maps for it.
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

/// Limits nothing where the system tells no amounts.
#[cfg(not(target_os = "linux"))]
pub(super) fn hold_to_machine(_: usize) {}

/// Ends the program, or starts its batch again.
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
    let batch = BATCH.try_lock().ok().and_then(|batch| batch.clone());
    let in_work = batch.as_ref().map(|batch| batch.in_work.names()).unwrap_or_default();
    if let (Some(batch), false) = (batch, in_work.is_empty()) {
        let names = tintype_base::printable::one_line(&in_work.join(", "));
        let next = match in_work.as_slice() {
            [_] => "it is left out, and the others are drawn",
            _ => "these are drawn again one at a time, after the others",
        };
        say(&format!(
            "warning: out of memory ({missing} more are not to be had) with {names} in work: {next}\n"
        ));
        start_again(&batch.earlier.with(&in_work));
    }
    say(&format!(
        "error: out of memory: {missing} more are not to be had; files that are written are complete, and the same command goes on; \
         fewer threads (-j) or smaller pictures need less\n"
    ));
    std::process::exit(i32::from(exit::TRY_AGAIN));
}

/// Runs the same command in place of this process; returns if that cannot be done.
#[cfg(unix)]
fn start_again(earlier: &Earlier) {
    use std::os::unix::process::CommandExt;
    let invocation = invocation::current();
    let Some(program) = &invocation.program else { return };
    // Pictures that were drawn again just now are current.
    let words = invocation.words.iter().skip(1).filter(|word| *word != "--overwrite");
    let mut command = std::process::Command::new(program);
    if let Some(name) = invocation.words.first() {
        command.arg0(name);
    }
    // glibc keeps addresses in reserve for each thread, most of what a limit of addresses leaves; with one arena it does not.
    command.env("MALLOC_ARENA_MAX", "1");
    let error = command.args(words).env(VARIABLE, earlier.text()).exec();
    say(&format!("error: cannot start again: {error}\n"));
}

#[cfg(not(unix))]
fn start_again(_: &Earlier) {
    let _ = invocation::current();
}

/// Writes to standard error without its lock, which a thread may hold that ends no more.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_in_work_are_drawn_alone_and_then_refused() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let first = Earlier::default().with(&names(&["a.x", "b\n.x"]));
        assert!(first.is_alone("a.x") && first.is_alone("b\n.x") && !first.is_refused("a.x"));
        let second = Earlier::parse(&first.text()).with(&names(&["a.x"]));
        assert!(second.is_refused("a.x") && !second.is_alone("a.x") && second.is_alone("b\n.x"));
        assert_eq!(Earlier::parse(&second.text()), second);
        assert_eq!(Earlier::parse(""), Earlier::default());
    }
}
