//! Helpers of the test programs: folders of inputs, tests with external requirements, comparisons.
#![allow(dead_code, unused_imports, unused_macros, reason = "each test program uses a part")]

pub(crate) mod command;
pub(crate) mod disk;
#[cfg(unix)]
pub(crate) mod markdown;

use libtest_mimic::{Arguments, Failed, Trial};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Tests registered by an attribute: `#[trial]` for one, `#[trials]` for those of a list.
pub(crate) struct Registered {
    pub(crate) module: &'static str,
    pub(crate) line: u32,
    pub(crate) make: fn() -> Result<Vec<Trial>, String>,
}

inventory::collect!(Registered);
pub(crate) use tintype_trial::{trial, trials};

/// The return value of a test: nothing, if it stops at the first panic, or an error.
pub(crate) trait Outcome {
    fn outcome(self) -> Result<(), Failed>;
}

impl Outcome for () {
    fn outcome(self) -> Result<(), Failed> {
        Ok(())
    }
}

impl<E: Into<Failed>> Outcome for Result<(), E> {
    fn outcome(self) -> Result<(), Failed> {
        self.map_err(Into::into)
    }
}

/// A test without requirements.
pub(crate) fn needs_nothing<O: Outcome + 'static>(name: &str, run: fn() -> O) -> Trial {
    Trial::test(name, move || run().outcome())
}

/// A test for some systems only; on others it is ignored, whatever `TINTYPE_REQUIRE_ALL` is.
pub(crate) fn only_if<O: Outcome + 'static>(
    name: &str,
    run: fn() -> O,
    has_meaning: bool,
) -> Trial {
    needs_nothing(name, run).with_ignored_flag(!has_meaning)
}

/// A test that needs something of this machine.
pub(crate) fn needs<O: Outcome + 'static>(
    name: &str,
    run: fn() -> O,
    is_there: bool,
    missing: &str,
) -> Trial {
    if is_there { needs_nothing(name, run) } else { cannot_run(name, missing) }
}

/// A test that needs programs.
pub(crate) fn needs_programs<O: Outcome + 'static>(
    name: &str,
    run: fn() -> O,
    programs: &[&str],
) -> Trial {
    let missing = programs.iter().find(|needed| program(needed).is_none());
    let message = missing.map_or_else(String::new, |missing| no_program(missing));
    needs(name, run, missing.is_none(), &message)
}

/// A test that is given the path of a program.
pub(crate) fn with_program(
    name: &str,
    run: fn(&Path) -> Result<(), Failed>,
    needed: &str,
) -> Trial {
    match program(needed) {
        Some(path) => Trial::test(name, move || run(&path)),
        None => cannot_run(name, &no_program(needed)),
    }
}

fn no_program(name: &str) -> String {
    format!("no program {name} on the PATH")
}

/// Makes a symbolic link; on Windows that needs the developer mode or an administrator.
pub(crate) fn link(target: impl AsRef<Path>, at: impl AsRef<Path>) -> std::io::Result<()> {
    let (target, at) = (target.as_ref(), at.as_ref());
    #[cfg(unix)]
    return std::os::unix::fs::symlink(target, at);
    #[cfg(windows)]
    match at.parent().unwrap_or(Path::new("")).join(target).is_dir() {
        true => std::os::windows::fs::symlink_dir(target, at),
        false => std::os::windows::fs::symlink_file(target, at),
    }
}

/// Lets programs that a test starts hear Ctrl-C and hangups: below nohup, and in the background of
/// a shell, both are switched off and stay so for all that is started. A signal with a handler is
/// as usual again in the programs that are started; the handler ends this one as usual.
#[cfg(unix)]
fn hear_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT};
    use std::sync::{Arc, atomic::AtomicBool};
    for signal in [SIGHUP, SIGINT] {
        let always = Arc::new(AtomicBool::new(true));
        signal_hook::flag::register_conditional_default(signal, always).expect("a handler is set");
    }
}

/// Prepares a test program: it hears signals, and works in the folder of the workspace, whichever
/// package it belongs to.
pub(crate) fn begin() {
    #[cfg(unix)]
    hear_signals();
    std::env::set_current_dir(env!("WORKSPACE_ROOT")).expect("the workspace is there");
}

/// Runs the tests of a program and ends it.
pub(crate) fn run() -> ! {
    begin();
    libtest_mimic::run(&Arguments::from_args(), registered()).exit()
}

/// All tests of the program, named by their file: `cargo test --test cli turntable` runs those of
/// one file.
pub(crate) fn registered() -> Vec<Trial> {
    let mut all: Vec<&Registered> = inventory::iter::<Registered>.into_iter().collect();
    // The linker's order is arbitrary.
    all.sort_by_key(|one| (one.module, one.line));
    all.into_iter()
        .flat_map(|one| {
            let mut folders = one.module.split("::");
            let program = folders.next().unwrap_or(one.module);
            let subject = folders.next().unwrap_or(program);
            let trials = (one.make)().unwrap_or_else(|error| panic!("{}: {error}", one.module));
            trials.into_iter().map(move |trial| match trial.kind() == OUTSIDE {
                true => trial.with_kind(format!("{subject}, {OUTSIDE}")),
                false => trial.with_kind(subject),
            })
        })
        .collect()
}

/// Marks a trial that needs something outside of a clone, named by a variable:
/// `cargo test outside]` runs all of these, and no others.
pub(crate) fn outside(trial: Trial) -> Trial {
    trial.with_kind(OUTSIDE)
}

const OUTSIDE: &str = "outside";

/// The folder of models that are too large for the repository, from `TINTYPE_MODELS`.
pub(crate) fn models_dir() -> Option<PathBuf> {
    std::env::var_os("TINTYPE_MODELS").map(PathBuf::from)
}

/// A program on the `PATH`.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    let path: OsString = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// True if a test that cannot run counts as failed, from `TINTYPE_REQUIRE_ALL`.
pub(crate) fn require_all() -> bool {
    std::env::var_os("TINTYPE_REQUIRE_ALL").is_some()
}

/// A test that represents one that could not run: shown as ignored, or failed under
/// `TINTYPE_REQUIRE_ALL`.
pub(crate) fn cannot_run(name: impl Into<String>, missing: &str) -> Trial {
    let message = format!("{missing}, and TINTYPE_REQUIRE_ALL is set");
    let trial = Trial::test(name, move || Err(Failed::from(message)));
    if require_all() { trial } else { trial.with_ignored_flag(true) }
}

/// A trial that needs the folder of models.
pub(crate) fn with_models(
    name: impl Into<String>,
    run: impl FnOnce(&Path) -> Result<(), Failed> + Send + 'static,
) -> Trial {
    outside(match models_dir() {
        Some(folder) => Trial::test(name, move || run(&folder)),
        None => cannot_run(name, "TINTYPE_MODELS is not set"),
    })
}

/// All files below `folder` whose names end in one of `extensions`, sorted by path; hidden files
/// are left out.
pub(crate) fn files(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for entry in entries {
            let path = entry.map_err(|e| format!("{}: {e}", folder.display()))?.path();
            let hidden =
                path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            let matches = path.extension().is_some_and(|own| {
                extensions.iter().any(|wanted| own.eq_ignore_ascii_case(wanted))
            });
            if path.is_dir() {
                folders.push(path);
            } else if matches && !hidden {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The bytes of a file, or a message with its path.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Compares a text with the one in `partner`.
///
/// With `TINTYPE_WRITE_CORPUS` set, a partner that differs or is missing is rewritten and the trial
/// still fails, so that writing never passes as testing.
pub(crate) fn compare_with_partner(partner: &Path, found: &str) -> Result<(), String> {
    let expected = fs::read_to_string(partner);
    if expected.as_deref().is_ok_and(|expected| expected == found) {
        return Ok(());
    }
    if std::env::var_os("TINTYPE_WRITE_CORPUS").is_some() {
        fs::write(partner, found).map_err(|e| format!("{}: {e}", partner.display()))?;
        return Err(format!("{} was written; read it, then run again", partner.display()));
    }
    match expected {
        Ok(expected) => Err(format!(
            "{} differs\n--- expected\n{expected}--- found\n{found}---",
            partner.display()
        )),
        Err(error) => Err(format!("{}: {error}\n--- found\n{found}---", partner.display())),
    }
}
