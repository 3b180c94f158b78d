//! The words that started the program, and the files that contain it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The command line and the files of the program that runs it.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// All words, the program first.
    pub words: Vec<OsString>,
    /// The file that starts the program again, on this or another machine.
    pub program: Option<PathBuf>,
    /// The file with the machine code, which identifies a build without a unique version.
    pub code: Option<PathBuf>,
}

impl Invocation {
    /// The command line of this process.
    #[must_use]
    pub fn of_process() -> Self {
        let program = std::env::current_exe().ok();
        Self { words: std::env::args_os().collect(), program: program.clone(), code: program }
    }
}

static INVOCATION: OnceLock<Invocation> = OnceLock::new();

/// Keeps the first invocation of the process; later ones are ignored and returned.
pub(super) fn set(invocation: Invocation) -> Invocation {
    let _ = INVOCATION.set(invocation.clone());
    invocation
}

/// The invocation of this process.
pub(super) fn current() -> &'static Invocation {
    INVOCATION.get_or_init(Invocation::of_process)
}
