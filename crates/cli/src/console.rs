//! Messages for people, on standard error: colour, progress, and the count of warnings.

use super::args::{Global, Progress, When};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tintype::{Diagnostic, FileScene, LoadOptions};
use tintype_base::amount::{rate_per_s, rest_text};
use tintype_base::printable::{one_line, printable};
use tintype_formats::LimitSetting;
use tintype_host::job::memory::available_memory;

/// Seconds between two plain lines of progress.
const PLAIN_EVERY: Duration = Duration::from_secs(5);
/// Seconds between two lines for machines.
const JSON_EVERY: Duration = Duration::from_millis(500);

/// True if messages are coloured: as set by an option or the settings, otherwise by `NO_COLOR`,
/// `CLICOLOR_FORCE` and `CLICOLOR`, otherwise if standard error is a terminal that supports colour.
pub(super) fn wants_color(when: When) -> bool {
    wants_color_on(when, std::io::stderr().is_terminal())
}

/// As [`wants_color`], for texts that may be written to both streams: help and mistakes in the
/// command line.
pub(super) fn wants_color_anywhere(when: When) -> bool {
    wants_color_on(when, std::io::stderr().is_terminal() && std::io::stdout().is_terminal())
}

fn wants_color_on(when: When, is_terminal: bool) -> bool {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let is = |name: &str, value: &str| variable(name).is_some_and(|own| own == value);
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto if variable("NO_COLOR").is_some() => false,
        When::Auto if variable("CLICOLOR_FORCE").is_some() && !is("CLICOLOR_FORCE", "0") => true,
        When::Auto => is_terminal && !is("CLICOLOR", "0") && !is("TERM", "dumb"),
    }
}

/// Prints an error before there is a console.
pub(super) fn print_error(message: &str, color: bool) {
    print_line(color, "1;31", "error", message);
}

/// Prints a line from a thread without a console.
pub(super) fn print_info(message: &str) {
    print_line(false, "", "", message);
}

/// True if messages are lines of JSON, like progress: standard error belongs to the process, and so
/// does its form.
static SPEAKS_JSON: AtomicBool = AtomicBool::new(false);

fn print_line(color: bool, style: &str, label: &str, message: &str) {
    if SPEAKS_JSON.load(Ordering::Relaxed) {
        let event = if label.is_empty() { "info" } else { label };
        let line = serde_json::json!({"event": event, "message": printable(message)});
        // As below.
        let _ = writeln!(std::io::stderr(), "{line}");
        return;
    }
    let message = if color { printable_with_styles(message).into() } else { printable(message) };
    let mut stderr = std::io::stderr().lock();
    // Standard error is closed: the command continues without messages.
    let _ = if label.is_empty() {
        writeln!(stderr, "{message}")
    } else if color {
        writeln!(stderr, "\x1b[{style}m{label}\x1b[0m: {message}")
    } else {
        writeln!(stderr, "{label}: {message}")
    };
}

/// As [`printable`], but keeps the styles of coloured messages: `ESC [ digits m`.
fn printable_with_styles(message: &str) -> String {
    let mut parts = message.split('\u{1b}');
    let mut shown = printable(parts.next().unwrap_or_default()).into_owned();
    for part in parts {
        let is_style = part.strip_prefix('[').is_some_and(|rest| {
            let digits =
                rest.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ';');
            digits.starts_with('m')
        });
        shown.push_str(if is_style { "\u{1b}" } else { r"\u{1b}" });
        shown.push_str(&printable(part));
    }
    shown
}

/// Messages of a command, their verbosity and colours, and the limits of the files that it reads.
pub(super) struct Console {
    load_options: LoadOptions,
    /// The options `--limit`, to pass on to tasks.
    settings: Vec<LimitSetting>,
    color: bool,
    quiet: bool,
    verbose: bool,
    /// True if a warning about a file takes one short line, as in a run over many files.
    is_brief: bool,
    warnings: Vec<String>,
    speaks_openjd: bool,
    is_silent: bool,
    /// True if warnings are failures, as passed on to tasks.
    is_strict: bool,
    /// True if substitutes for missing files are refused, as passed on to tasks.
    strict_assets: bool,
}

impl Console {
    pub(super) fn new(global: &Global) -> Self {
        let color = wants_color(global.color);
        let mut load_options = LoadOptions::default();
        if let Some(memory) = available_memory() {
            load_options.limits.max_texture_bytes = memory / 2;
        }
        for setting in &global.limits {
            load_options.limits.set(setting.name, setting.value);
        }
        let (quiet, verbose) = (global.quiet, global.verbose);
        Self {
            load_options,
            settings: global.limits.clone(),
            color,
            quiet,
            verbose,
            is_brief: false,
            warnings: Vec::new(),
            speaks_openjd: false,
            is_silent: false,
            is_strict: global.strict,
            strict_assets: global.no_stand_ins,
        }
    }

    /// A silent console with the same limits, for checks.
    pub(super) fn silent(&self) -> Self {
        let load_options = self.load_options.clone();
        let (quiet, verbose, is_silent) = (true, false, true);
        let (settings, warnings) = (self.settings.clone(), Vec::new());
        Self {
            load_options,
            settings,
            color: false,
            quiet,
            verbose,
            is_brief: self.is_brief,
            warnings,
            speaks_openjd: false,
            is_silent,
            is_strict: self.is_strict,
            strict_assets: self.strict_assets,
        }
    }

    /// The limits of the files that commands read.
    pub(super) fn load_options(&self) -> &LoadOptions {
        &self.load_options
    }

    /// Sets the scene of files that have several.
    pub(super) fn set_file_scene(&mut self, scene: Option<FileScene>) {
        self.load_options.file_scene = scene;
    }

    /// The options that are also passed to each task of a submission, as arguments: `--limit`,
    /// `--strict` and `--no-stand-ins`.
    pub(super) fn limit_words(&self) -> Vec<String> {
        let word = |setting: &LimitSetting| format!("--limit={}={}", setting.name, setting.value);
        let strict = self.is_strict.then(|| "--strict".to_owned());
        let stand_ins = self.strict_assets.then(|| "--no-stand-ins".to_owned());
        self.settings.iter().map(word).chain(strict).chain(stand_ins).collect()
    }

    /// Allows these arguments; unknown ones are ignored.
    pub(super) fn allow(&mut self, words: &[String]) {
        for word in words {
            self.is_strict |= word == "--strict";
            self.strict_assets |= word == "--no-stand-ins";
            let setting = word.strip_prefix("--limit=").and_then(|text| text.parse().ok());
            let Some(setting) = setting else { continue };
            let LimitSetting { name, value } = setting;
            self.load_options.limits.set(name, value);
            self.settings.push(setting);
        }
    }

    /// True if substitutes for missing files are refused.
    pub(super) fn strict_assets(&self) -> bool {
        self.strict_assets
    }

    /// The warnings so far.
    pub(super) fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The exit code for a command with warnings but without an error.
    pub(super) fn code_of_warnings(&self) -> u8 {
        if self.is_strict && !self.warnings.is_empty() {
            super::exit::INCOMPLETE
        } else {
            super::exit::DONE
        }
    }

    /// True if messages have colours.
    pub(super) fn has_color(&self) -> bool {
        self.color
    }

    fn line(&self, style: &str, label: &str, message: &str) {
        if self.is_silent {
            return;
        }
        print_line(self.color, style, label, message);
    }

    /// A warning that the command has shown already.
    pub(super) fn count_warning(&mut self, message: &str) {
        self.warnings.push(message.to_owned());
    }

    /// Switches messages to the form of progress: with JSON each is a line of it, and Open Job
    /// Description is notified of failures.
    pub(super) fn speak(&mut self, progress: Option<Progress>) {
        SPEAKS_JSON.store(progress == Some(Progress::Json), Ordering::Relaxed);
        self.speaks_openjd = progress == Some(Progress::Openjd);
    }

    /// An error. Its line feeds are those of the message itself: inserted texts are kept on one
    /// line.
    pub(super) fn error(&self, message: &str) {
        if self.speaks_openjd {
            let words: Vec<&str> = message.split_whitespace().collect();
            openjd(&format!("openjd_fail: {}", one_line(&words.join(" "))));
        }
        self.line("1;31", "error", message);
    }

    /// Prints a warning as one line, whatever names it contains, and counts it.
    pub(super) fn warning(&mut self, message: &str) {
        self.warnings.push(message.to_owned());
        self.line("1;33", "warning", &one_line(message));
    }

    /// From now on warnings of files are short, unless details are asked for.
    pub(super) fn shorten_diagnostics(&mut self) {
        self.is_brief = !self.verbose;
    }

    /// The line of a warning of a file.
    pub(super) fn diagnostic_text(&self, warning: &Diagnostic) -> String {
        if self.is_brief { warning.brief() } else { warning.to_string() }
    }

    /// Last message of an interrupted command.
    pub(super) fn stopped(&self, message: &str) {
        self.line("1;33", "stopped", &one_line(message));
    }

    /// Prints a result as one line, whatever names it contains.
    pub(super) fn info(&self, message: &str) {
        if !self.quiet {
            self.line("", "", &one_line(message));
        }
    }

    /// Lines for other programs, unchanged.
    pub(super) fn plain(&self, text: &str) {
        // As in `line`.
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }

    /// True if details are requested.
    pub(super) fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// Prints details as one line if requested.
    pub(super) fn detail(&self, message: &str) {
        if self.verbose {
            self.line("2", "", &one_line(message));
        }
    }

    /// Progress over that many steps.
    pub(super) fn progress(&self, how: Progress, steps: usize, unit: &'static str) -> Meter {
        let bar_fits = std::io::stderr().is_terminal() && !self.quiet && !self.verbose;
        let show = match how {
            Progress::Json => Show::Json { last: None },
            Progress::Openjd => Show::Openjd { last: None },
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
    bar.set_style(ProgressStyle::with_template(&template).expect("a template that is sound"));
    bar
}

/// Prints a line for Open Job Description, which reads standard output.
fn openjd(line: &str) {
    let mut stdout = std::io::stdout().lock();
    // As in `line`.
    let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
}

enum Show {
    Nothing,
    Lines { last: Instant },
    Json { last: Option<Instant> },
    Openjd { last: Option<Instant> },
    Bar(ProgressBar),
}

/// Display of progress.
pub(super) struct Meter {
    show: Show,
    started: Instant,
    steps: usize,
    done: usize,
    unit: &'static str,
}

/// Progress, rate and estimated remaining time.
#[derive(Serialize)]
struct Reached {
    event: &'static str,
    unit: &'static str,
    done: usize,
    of: usize,
    rate_per_s: f64,
    left_s: f64,
}

impl Meter {
    /// One step is done.
    pub(super) fn step(&mut self, console: &Console) {
        self.done += 1;
        let (started, is_last) = (self.started, self.done >= self.steps);
        match &mut self.show {
            Show::Nothing => {}
            Show::Bar(bar) => bar.inc(1),
            Show::Lines { last } => {
                if last.elapsed() >= PLAIN_EVERY && !is_last {
                    *last = Instant::now();
                    let Reached { unit, done, of, rate_per_s, left_s, .. } = self.reached(started);
                    let rest = rest_text(rate_per_s, left_s);
                    console.info(&format!("{done}/{of} {unit}, {rest}"));
                }
            }
            Show::Openjd { last } => {
                if is_last || last.is_none_or(|last| last.elapsed() >= JSON_EVERY) {
                    *last = Some(Instant::now());
                    self.openjd();
                }
            }
            Show::Json { last } => {
                if is_last || last.is_none_or(|last| last.elapsed() >= JSON_EVERY) {
                    *last = Some(Instant::now());
                    let line = serde_json::to_string(&self.reached(started)).expect("plain data");
                    console.plain(&(line + "\n"));
                }
            }
        }
    }

    /// Progress lines of Open Job Description: a percentage and a text.
    fn openjd(&self) {
        let Reached { unit, done, of, rate_per_s, left_s, .. } = self.reached(self.started);
        #[expect(clippy::cast_precision_loss, reason = "a share for people")]
        let percent = done as f64 * 100.0 / of.max(1) as f64;
        let rest = rest_text(rate_per_s, left_s);
        openjd(&format!("openjd_progress: {percent:.1}"));
        openjd(&format!("openjd_status: {done}/{of} {unit}, {rest}"));
    }

    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    fn reached(&self, started: Instant) -> Reached {
        let (done, of) = (self.done, self.steps);
        let rate_per_s = rate_per_s(done, started.elapsed().as_secs_f64());
        let left_s = of.saturating_sub(done) as f64 / rate_per_s;
        Reached { event: "progress", unit: self.unit, done, of, rate_per_s, left_s }
    }

    /// Removes the bar, and returns the elapsed time.
    pub(super) fn finish(&self) -> Duration {
        if let Show::Bar(bar) = &self.show {
            bar.finish_and_clear();
        }
        self.started.elapsed()
    }
}
