//! Messages for people, on standard error: colour, progress, and the count of warnings.

use super::args::{Global, Progress, When};
use crate::formats::Limits;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Seconds between two plain lines of progress.
const PLAIN_EVERY: Duration = Duration::from_secs(5);

/// What every command is given: where messages go and how loud they are, and the limits of the files that it reads.
pub(super) struct Console {
    limits: Limits,
    color: bool,
    quiet: bool,
    verbose: bool,
    warnings: Vec<String>,
}

impl Console {
    pub fn new(global: &Global) -> Self {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let color = match global.color {
            When::Always => true,
            When::Never => false,
            When::Auto => std::io::stderr().is_terminal() && !plain,
        };
        let mut limits = Limits::default();
        for setting in &global.limits {
            limits.set(setting.name, setting.value);
        }
        let (quiet, verbose) = (global.quiet, global.verbose);
        Self { limits, color, quiet, verbose, warnings: Vec::new() }
    }

    /// What files may ask for.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The warnings that were given.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    fn line(&self, style: &str, label: &str, message: &str) {
        let mut stderr = std::io::stderr().lock();
        // Nobody reads standard error any more: nothing is lost by going on.
        let _ = if label.is_empty() {
            writeln!(stderr, "{message}")
        } else if self.color {
            writeln!(stderr, "\x1b[{style}m{label}\x1b[0m: {message}")
        } else {
            writeln!(stderr, "{label}: {message}")
        };
    }

    /// Why the command failed.
    pub fn error(&self, message: &str) {
        self.line("1;31", "error", message);
    }

    /// Something that the user should know; counted.
    pub fn warning(&mut self, message: &str) {
        self.warnings.push(message.to_owned());
        self.line("1;33", "warning", message);
    }

    /// What was done.
    pub fn info(&self, message: &str) {
        if !self.quiet {
            self.line("", "", message);
        }
    }

    /// Whether details are asked for.
    pub fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// Details on request.
    pub fn detail(&self, message: &str) {
        if self.verbose {
            self.line("2", "", message);
        }
    }

    /// Progress over that many steps.
    pub fn progress(&self, how: Progress, steps: usize, unit: &'static str) -> Meter {
        let bar_fits = std::io::stderr().is_terminal() && !self.quiet && !self.verbose;
        let show = match how {
            _ if self.quiet => Show::Nothing,
            Progress::None => Show::Nothing,
            Progress::Auto if bar_fits => Show::Bar(bar(steps, unit)),
            Progress::Auto | Progress::Plain => Show::Lines { last: Instant::now() },
        };
        Meter { show, started: Instant::now(), steps, done: 0, unit }
    }
}

fn bar(steps: usize, unit: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::stderr());
    let template = format!("{{wide_bar}} {{pos}}/{{len}} {unit} {{per_sec}} {{eta}} left");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}

/// The most memory that this process has held at one time, in bytes, where the system tells (Linux).
pub(super) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}

enum Show {
    Nothing,
    Lines { last: Instant },
    Bar(ProgressBar),
}

/// Shows how far a command is.
pub(super) struct Meter {
    show: Show,
    started: Instant,
    steps: usize,
    done: usize,
    unit: &'static str,
}

impl Meter {
    /// One step is done.
    pub fn step(&mut self, console: &Console) {
        self.done += 1;
        match &mut self.show {
            Show::Nothing => {}
            Show::Bar(bar) => bar.inc(1),
            Show::Lines { last } => {
                if last.elapsed() >= PLAIN_EVERY && self.done < self.steps {
                    *last = Instant::now();
                    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
                    let (done, left) = (self.done as f64, (self.steps - self.done) as f64);
                    let left_s = self.started.elapsed().as_secs_f64() / done * left;
                    console.info(&format!(
                        "{}/{} {}, {left_s:.0} s left",
                        self.done, self.steps, self.unit
                    ));
                }
            }
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) -> Duration {
        if let Show::Bar(bar) = &self.show {
            bar.finish_and_clear();
        }
        self.started.elapsed()
    }
}
