//! `tintype diff` of two models: movements of joints and meshes.

use super::args::Diff;
use super::console::Console;
use super::failure::Failure;
use super::stdout::write_json;
use super::{exit, load};
use std::path::{Path, PathBuf};
use tintype::{ClipDiff, DiffOptions, Model, diff_clip};
use tintype_base::amount::counted;

/// Number of joints that are listed without `-v`.
pub(super) const MAX_JOINTS: usize = 12;

/// Runs the command. The first `--anim` animates the first model; the second one, or else the first
/// again, animates the second model.
pub(super) fn run(options: &Diff, console: &mut Console) -> Result<(), Failure> {
    let tolerance = tolerance(options)?;
    if options.clips.len() > 2 {
        let count = options.clips.len();
        let message = format!("--anim: {count} files for two models");
        return Err(Failure::bad_input(message));
    }
    let old = read(&options.expected, options.clips.first(), options, console)?;
    let new = read(&options.found, options.clips.last(), options, console)?;
    let of_diff = DiffOptions { tolerance, ..DiffOptions::default() };
    let diff = diff_clip(&old, &new, options.clip.as_deref(), of_diff)
        .map_err(|error| load::pose_failure(&error))?;
    if options.json {
        write_json(&diff.to_json())?;
    } else {
        describe(&diff, console);
    }
    let looked = counted(diff.moments, "moment");
    match (diff.is_same, tolerance > 0.0) {
        (true, false) => {
            console.info(&format!("the same at {looked}"));
            Ok(())
        }
        (true, true) => {
            let farthest = diff.farthest;
            console.info(&format!(
                "within {tolerance} of the diagonal at {looked}; farthest {farthest:.2e}"
            ));
            Ok(())
        }
        (false, _) => Err(Failure::new(exit::DIFFERENT, format!("different at {looked}"))),
    }
}

/// Reads a model with the clips of a file, or with the clip beside it that is asked for.
fn read(
    path: &Path,
    anim: Option<&PathBuf>,
    options: &Diff,
    console: &mut Console,
) -> Result<Model, Failure> {
    let load_options = console.load_options().clone();
    let model = load::model(path, anim.map_or(&[], std::slice::from_ref), &load_options, console)?;
    match options.clip.as_deref() {
        Some(word) => load::with_clip_beside(model, Some(word), console),
        None => Ok(model),
    }
}

/// The worst first; joints before the meshes that they carry.
fn describe(diff: &ClipDiff, console: &Console) {
    let shown = if console.is_verbose() { usize::MAX } else { MAX_JOINTS };
    diff.findings(shown).iter().for_each(|finding| console.info(&finding.to_string()));
    if diff.joints > shown {
        console.info("use -v to list all joints");
    }
}

/// The tolerance of the options.
pub(super) fn tolerance(options: &Diff) -> Result<f32, Failure> {
    let tolerance = options.tolerance.unwrap_or(0.0);
    if tolerance.is_finite() && tolerance >= 0.0 {
        return Ok(tolerance);
    }
    let message =
        format!("--tolerance: {tolerance}; expected a fraction of the diagonal, 0 or more");
    Err(Failure::bad_input(message))
}
