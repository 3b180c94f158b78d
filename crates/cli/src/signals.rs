//! Signals that end a command, such as Ctrl-C: the command finishes the frames in flight and starts
//! no more.
//!
//! The first signal prints a line and stops the job by its token. The second ends the program at
//! once. A signal that the caller has switched off (`nohup`, a job in the background of a script)
//! stays off. Other signals end the program at once, without unfinished files; see
//! [`end_at_signals`].

use super::console::print_info;
use super::{exit, invocation, journal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Duration;
use tintype::builder::FrameList;
use tintype_base::path::ShowPath;
use tintype_base::shell::quoted;
use tintype_host::job::StopToken;
use tintype_host::job::journal::Journal;
use tintype_host::temp_files;

/// The signals that request the end of the command.
#[derive(Clone, Debug, Default)]
pub(super) struct Signals {
    /// The first signal; 0 if there was none.
    signal: Arc<AtomicI32>,
    /// True once a thread listens; it also serves the scenes that follow.
    is_listening: Arc<AtomicBool>,
    stop: StopToken,
}

impl Signals {
    /// Starts to listen; `what` is the work to finish first, such as `the frames in flight`.
    ///
    /// If the system has no such signals, or cannot start a thread to wait for them, none arrives.
    pub(super) fn listen(&self, what: &'static str) {
        if self.is_listening.swap(true, Ordering::Relaxed) {
            return;
        }
        #[cfg(unix)]
        unix::listen(self.clone(), what);
        #[cfg(windows)]
        windows::listen(self.clone(), what);
        #[cfg(not(any(unix, windows)))]
        let _ = what;
    }

    /// Signals that are listened to from now on; see [`Self::listen`].
    pub(super) fn listening(what: &'static str) -> Self {
        let signals = Self::default();
        signals.listen(what);
        signals
    }

    /// The token of the job that a signal stops.
    pub(super) fn token(&self) -> &StopToken {
        &self.stop
    }

    /// True if the command should end.
    pub(super) fn is_asked(&self) -> bool {
        self.stop.is_requested()
    }

    /// Ends the program a second after SIGTERM, without its unfinished files and with a last line
    /// in the journal, however long the frames in flight would take: job managers kill soon after
    /// SIGTERM.
    pub(super) fn leave_soon_when_terminated(&self, journal: &Journal) {
        const EVERY: Duration = Duration::from_millis(100);
        const GRACE: Duration = Duration::from_secs(1);
        let (signal, journal) = (Arc::clone(&self.signal), journal.clone());
        let wait = move || {
            while signal.load(Ordering::Relaxed) != TERMINATE {
                std::thread::sleep(EVERY);
            }
            std::thread::sleep(GRACE);
            temp_files::remove_unfinished();
            journal::terminated(&journal);
            std::process::exit(i32::from(exit::TRY_AGAIN));
        };
        // Without a thread the frames in flight are finished first.
        let _ = std::thread::Builder::new().name("leave".to_owned()).spawn(wait);
    }

    /// Exit code of a command ended by a signal: that of shells for Ctrl-C, otherwise
    /// [`exit::TRY_AGAIN`].
    pub(super) fn code(&self) -> u8 {
        code_of(self.signal.load(Ordering::Relaxed))
    }
}

/// The signal received during work that must not be interrupted; 0 if there was none.
static HEARD: AtomicI32 = AtomicI32::new(0);
/// True while such work is in progress.
static HOLDS: AtomicBool = AtomicBool::new(false);

/// Ends the program at the first signal from now on, for commands that can restart at any time
/// because each of their files is complete or absent.
pub(super) fn end_at_signals() {
    #[cfg(unix)]
    unix::hear(|signal| {
        if HOLDS.load(Ordering::Relaxed) && HEARD.swap(signal, Ordering::Relaxed) == 0 {
            return;
        }
        temp_files::remove_unfinished();
        print_info("stopped: written files are complete; run the same command again to continue");
        std::process::exit(i32::from(code_of(signal)));
    });
}

/// From now on the first signal does not end the program: work visible to others checks
/// [`end_is_asked`] where it can be undone.
pub(super) fn hold_signals() {
    HOLDS.store(true, Ordering::Relaxed);
}

/// The exit code of a command ended by a deferred signal. None if there was none.
pub(super) fn end_is_asked() -> Option<u8> {
    Some(HEARD.load(Ordering::Relaxed)).filter(|signal| *signal != 0).map(code_of)
}

/// SIGINT is 2 on every system that has it.
const INTERRUPT: i32 = 2;
/// SIGTERM, likewise.
const TERMINATE: i32 = 15;

fn code_of(signal: i32) -> u8 {
    if signal == INTERRUPT { exit::INTERRUPTED } else { exit::TRY_AGAIN }
}

#[cfg(unix)]
mod unix {
    use super::{Ordering, Signals, code_of, tell};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1};
    use signal_hook::iterator::Signals as SignalStream;

    /// Waits for signals on a thread, so that the message is printed at once.
    pub(super) fn listen(heard: Signals, what: &'static str) {
        hear(move |signal| {
            if heard.signal.swap(signal, Ordering::Relaxed) != 0 {
                std::process::exit(i32::from(code_of(signal)));
            }
            heard.stop.request();
            tell(signal, what);
        });
    }

    /// Calls `act` on a thread for each signal that requests the end and that the parent process
    /// has not switched off.
    pub(super) fn hear(mut act: impl FnMut(i32) + Send + 'static) {
        let ignored = ignored();
        let wanted = [SIGINT, SIGTERM, SIGHUP, SIGUSR1];
        let wanted = wanted.into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
        let Ok(mut signals) = SignalStream::new(wanted) else { return };
        let wait = move || signals.forever().for_each(&mut act);
        // Without a thread signals have their default effect.
        let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
    }

    /// Signals that the parent process ignores, one bit each from 1 on (Linux; unknown elsewhere).
    fn ignored() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }
}

#[cfg(windows)]
mod windows {
    use super::{Arc, Duration, INTERRUPT, Ordering, Signals, TERMINATE, code_of, tell};
    use signal_hook::flag;
    use std::sync::atomic::AtomicBool;

    /// Polling interval of the flags, which the console's Ctrl-C handler sets on a system thread.
    const EVERY: Duration = Duration::from_millis(50);

    /// Waits for Ctrl-C on a thread, so that the message is printed at once. The second Ctrl-C ends
    /// the program immediately.
    pub(super) fn listen(heard: Signals, what: &'static str) {
        let mut asked = Vec::new();
        for signal in [INTERRUPT, TERMINATE] {
            let is_asked = Arc::new(AtomicBool::new(false));
            let code = i32::from(code_of(signal));
            let set = flag::register_conditional_shutdown(signal, code, Arc::clone(&is_asked))
                .and_then(|_| flag::register(signal, Arc::clone(&is_asked)));
            if set.is_ok() {
                asked.push((signal, is_asked));
            }
        }
        let wait = move || {
            loop {
                let first = asked.iter().find(|(_, is_asked)| is_asked.load(Ordering::Relaxed));
                if let Some((signal, _)) = first {
                    heard.signal.store(*signal, Ordering::Relaxed);
                    heard.stop.request();
                    return tell(*signal, what);
                }
                std::thread::sleep(EVERY);
            }
        };
        // Without a thread Ctrl-C must be pressed twice, and ends the program at once.
        let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
    }
}

/// Prints the work that is finished first. The command ends even if standard error is closed.
#[cfg(any(unix, windows))]
fn tell(signal: i32, what: &str) {
    let again = if signal == INTERRUPT { "; press Ctrl-C again to stop at once" } else { "" };
    print_info(&format!("stopping after {what}{again}"));
}

/// Command line of this process with other frames, in shell syntax.
pub(super) fn command_for(frames: &FrameList) -> String {
    let arguments = invocation::current().words.iter().map(|word| word.shown());
    with_frames(arguments, frames)
}

/// Replaces the options for frames and shards by one for these frames.
fn with_frames(arguments: impl Iterator<Item = String>, frames: &FrameList) -> String {
    let mut words = Vec::new();
    let mut has_value = false;
    let mut arguments = arguments.enumerate();
    let mut operands = String::new();
    for (place, word) in arguments.by_ref() {
        // Only operands follow.
        if word == "--" && !has_value {
            operands = " --".to_owned();
            break;
        }
        if std::mem::take(&mut has_value) {
            continue;
        }
        // Flags before the letter in one word stay.
        let flags = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        let found = flags.and_then(|flags| {
            let at = flags.find('f')?;
            let before = &flags[..at];
            before.chars().all(|flag| "vq".contains(flag)).then(|| (before, &flags[at + 1..]))
        });
        match (word.as_str(), found) {
            ("--frames" | "--shard", _) if place > 0 => has_value = true,
            (long, _) if long.starts_with("--frames=") || long.starts_with("--shard=") => {}
            (_, Some((before, value))) if place > 0 => {
                has_value = value.is_empty();
                if !before.is_empty() {
                    words.push(format!("-{before}"));
                }
            }
            _ => words.push(quoted(&word)),
        }
    }
    operands.extend(arguments.map(|(_, word)| format!(" {}", quoted(&word))));
    format!("{} -f {}{operands}", words.join(" "), quoted(&frames.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn continued(line: &str, frames: &str) -> String {
        let words = line.split('|').map(str::to_owned);
        with_frames(words, &FrameList::parse(frames).unwrap())
    }

    #[test]
    fn stop_names_the_command_that_goes_on() {
        for (line, command) in [
            ("tintype|render|a.toml", "tintype render a.toml -f 3-7"),
            ("tintype|render|-f|0-7|a.toml|-v", "tintype render a.toml -v -f 3-7"),
            ("tintype|render|-f0-7|--frames=2|a.toml", "tintype render a.toml -f 3-7"),
            ("tintype|render|-vf|0-7|a.toml", "tintype render -v a.toml -f 3-7"),
            ("tintype|render|a.toml|--shard|1/3", "tintype render a.toml -f 3-7"),
            ("tintype|render|my scene.toml", "tintype render 'my scene.toml' -f 3-7"),
            (
                "tintype|render|a.toml|-o|it's.####.png",
                r"tintype render a.toml -o 'it'\''s.####.png' -f 3-7",
            ),
            ("./-f|render|a.toml", "./-f render a.toml -f 3-7"),
            ("tintype|render|-f|0-9|--|-f.toml", "tintype render -f 3-7 -- -f.toml"),
        ] {
            assert_eq!(continued(line, "3-7"), command);
        }
    }

    #[test]
    fn stop_ends_with_the_code_of_its_signal() {
        assert_eq!((code_of(2), code_of(15), code_of(10)), (130, 75, 75));
    }
}
