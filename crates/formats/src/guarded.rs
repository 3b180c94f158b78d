//! Calls of decoders in other crates, which may panic on damaged data.

use std::cell::Cell;
use std::panic::{UnwindSafe, catch_unwind};

thread_local! {
    /// Guarded calls that this thread is in.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// The result of a decoder. None if it panics.
///
/// The panic becomes an error of the file, and its message is useless: programs suppress it by
/// [`is_guarded`].
pub(crate) fn guarded<T>(decode: impl FnOnce() -> T + UnwindSafe) -> Option<T> {
    DEPTH.with(|depth| depth.set(depth.get() + 1));
    let result = catch_unwind(decode);
    DEPTH.with(|depth| depth.set(depth.get() - 1));
    result.ok()
}

/// True if this thread is in a guarded call; used by a program's panic hook.
#[must_use]
pub fn is_guarded() -> bool {
    DEPTH.with(Cell::get) > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_of_decoders_are_results() {
        assert_eq!(guarded(|| (is_guarded(), 7)), Some((true, 7)));
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        assert_eq!(guarded(|| [0_u8][usize::from(is_guarded()) + 3]), None);
        std::panic::set_hook(hook);
        assert!(!is_guarded());
    }
}
