//! The program version pinned by a project's settings: golden commands check it, CI servers install
//! it, and an upgrade changes it.

use super::console::Console;
use super::failure::Failure;
use super::load;
use std::path::Path;
use tintype::PIXEL_REVISION;
use tintype_base::amount::counted;
use tintype_base::disk::{if_there, read_regular_text};
use tintype_base::path::ShowPath;
use tintype_compare::Difference;
use tintype_golden::{Checked, TestRun, TestedScene};
use tintype_host::write_atomic;
use tintype_scene::{PROJECT_FILE, Preferences};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit of this program's sources. None for a release, which its version identifies, and for
/// a build that knows none.
fn own_revision() -> Option<&'static str> {
    Some(env!("TINTYPE_REVISION")).filter(|revision| !revision.is_empty())
}

/// The lines that pin this program.
fn lines() -> String {
    let of_source = match own_revision() {
        Some(revision) => format!("revision = \"{revision}\""),
        None => format!("version = \"{VERSION}\""),
    };
    format!("{of_source}\npixel_revision = {PIXEL_REVISION}\n")
}

/// The text of a settings file that pins this program.
pub(super) fn text() -> String {
    format!(
        "# Version that draws the goldens; change it with tintype bless --upgrade.\n{}",
        lines()
    )
}

/// Describes the difference between the pinned program and this one. None if they are the same.
pub(super) fn other_program(settings: &Preferences) -> Option<String> {
    let Preferences { version, revision, pixel_revision, .. } = settings;
    let differs = |key: &str, pinned: &str, own: &str| {
        Some(format!("{PROJECT_FILE} pins {key} {pinned}, but this program has {own}"))
    };
    if let Some(version) = version.as_deref().filter(|version| *version != VERSION) {
        return differs("version", version, VERSION);
    }
    if let Some(pinned) = revision.as_deref() {
        match own_revision() {
            Some(own) if own.starts_with(pinned) => {}
            own => return differs("revision", pinned, own.unwrap_or("an unknown one")),
        }
    }
    let pinned = pixel_revision.filter(|revision| *revision != PIXEL_REVISION)?;
    differs("pixel_revision", &pinned.to_string(), &PIXEL_REVISION.to_string())
}

/// Reports the differences of this program from the pinned one, and returns the failure of the
/// test.
pub(super) fn told(run: &TestRun, what: &str, console: &Console) -> Failure {
    let all = run.tested.iter().flat_map(TestedScene::goldens);
    let differ: Vec<(&Checked, &Difference)> =
        all.clone().filter_map(|one| Some((one, one.verdict.difference()?))).collect();
    let of = counted(all.count(), "golden");
    let worst = differ.iter().max_by_key(|(_, difference)| match difference {
        Difference::Pixels(pixels) => (pixels.largest, pixels.count),
        Difference::Size { .. } => (u8::MAX, usize::MAX),
    });
    console.info(&match worst {
        None => format!("this program draws all {of} identically"),
        Some((one, difference)) => format!(
            "this program draws {} of {of} differently; the worst is {}: {difference}",
            differ.len(),
            one.path.shown()
        ),
    });
    refused(what)
}

/// The failure of a command that must be run by the pinned program.
pub(super) fn refused(what: &str) -> Failure {
    Failure::bad_input(format!(
        "{what}: install that version, or switch to this one with `tintype bless --upgrade` (`tintype test` shows what it draws differently)"
    ))
}

/// Pins this program in the settings of the project, leaving all other settings unchanged.
pub(super) fn write(project: &Path, console: &Console) -> Result<(), Failure> {
    let read = if_there(read_regular_text(project));
    let before = read.map_err(|error| load::unreadable(project, &error))?;
    let is_pin = |line: &&str| {
        let key = line.split_once('=').map(|(key, _)| key.trim());
        key.is_some_and(|key| ["version", "revision", "pixel_revision"].contains(&key))
    };
    let new = match before.as_deref() {
        None => text(),
        Some(before) => {
            let first = before.lines().position(|line| is_pin(&line)).unwrap_or(0);
            let mut others: Vec<&str> = before.lines().filter(|line| !is_pin(line)).collect();
            let own = lines();
            others.insert(first, own.trim_end());
            others.join("\n") + "\n"
        }
    };
    if before.as_deref() != Some(&new) {
        write_atomic(project, new.as_bytes()).map_err(|error| Failure::output(&error))?;
        console.info(&format!("{}: this program is now pinned", project.shown()));
    }
    Ok(())
}
