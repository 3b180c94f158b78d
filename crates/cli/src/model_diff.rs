//! `tintype diff` of two models: movements of joints and meshes.

use super::args::Diff;
use super::console::Console;
use super::export_diff::{self, MAX_JOINTS};
use super::failure::Failure;
use super::{exit, load};
use std::path::Path;
use tintype_base::amount::counted;
use tintype_base::path::ShowPath;
use tintype_compare::Surface;
use tintype_compare::model_diff::{ModelDiff, Side, compare};
use tintype_model::{Clip, Model};

/// One side of the comparison, as it was read.
struct Loaded {
    model: Model,
    clip: Option<Clip>,
}

/// Runs the command. The first `--anim` animates the first model; the second one, or else the first
/// again, animates the second model.
pub(super) fn run(options: &Diff, console: &mut Console) -> Result<(), Failure> {
    let tolerance = export_diff::tolerance(options)?;
    if options.clips.len() > 2 {
        let count = options.clips.len();
        let message = format!("--anim: {count} files for two models");
        return Err(Failure::bad_input(message));
    }
    let (first, last) = (options.clips.first(), options.clips.last());
    let [old, new] = [(&options.expected, first), (&options.found, last)];
    let old = read(old.0, old.1.map(AsRef::as_ref), options, console)?;
    let new = read(new.0, new.1.map(AsRef::as_ref), options, console)?;
    if old.clip.is_some() != new.clip.is_some() {
        let [with, without] = if old.clip.is_some() {
            [&options.expected, &options.found]
        } else {
            [&options.found, &options.expected]
        };
        let (with, without) = (with.shown(), without.shown());
        let message = format!("{with} has a clip but {without} has none: add --anim CLIP");
        return Err(Failure::bad_input(message));
    }
    let surfaces = [&old, &new]
        .map(|loaded| loaded.model.materials.iter().map(Surface::of_file).collect::<Vec<_>>());
    let [of_old, of_new] = &surfaces;
    let sides = [(&old, of_old), (&new, of_new)].map(|(loaded, surfaces)| Side {
        model: &loaded.model,
        clip: loaded.clip.as_ref(),
        surfaces,
    });
    let diff = compare(sides[0], sides[1]).map_err(|(side, error)| {
        let model = [&options.expected, &options.found][side];
        Failure::bad_input(format!("{}: the clip does not fit: {error}", model.shown()))
    })?;
    let same = diff.is_within(tolerance);
    if options.json {
        export_diff::write_document(options, same, Some(&diff), None)?;
    } else {
        describe(&diff, console);
    }
    let looked = counted(diff.moments, "moment");
    match (same, tolerance > 0.0) {
        (true, false) => {
            console.info(&format!("the same at {looked}"));
            Ok(())
        }
        (true, true) => {
            let farthest = diff.farthest();
            console.info(&format!(
                "within {tolerance} of the diagonal at {looked}; farthest {farthest:.2e}"
            ));
            Ok(())
        }
        (false, _) => Err(Failure::new(exit::DIFFERENT, format!("different at {looked}"))),
    }
}

/// Reads a model, and its clip from a file of clips or from the file of the model.
fn read(
    path: &Path,
    anim: Option<&Path>,
    options: &Diff,
    console: &mut Console,
) -> Result<Loaded, Failure> {
    let (model, own) = load::model(path, None, console)?;
    let wanted = options.clip.as_deref();
    let (source, contents) = match (anim, wanted) {
        (None, None) => (path.to_path_buf(), own),
        _ => load::clips_for(path, own, anim, wanted, None, console)?,
    };
    let ticks = contents.ticks.map(|ticks| ticks.per_second);
    let clip = match (wanted, contents.clips.is_empty()) {
        (None, true) => None,
        _ => super::pose::chosen_clip(wanted, &source, &contents.clips, ticks)?,
    };
    Ok(Loaded { model, clip })
}

/// The worst first; joints before the meshes that they carry.
fn describe(diff: &ModelDiff, console: &Console) {
    let shown = if console.is_verbose() { usize::MAX } else { MAX_JOINTS };
    diff.findings(shown).iter().for_each(|finding| console.info(&finding.to_string()));
    if diff.joints.len() > shown {
        console.info("use -v to list all joints");
    }
}
