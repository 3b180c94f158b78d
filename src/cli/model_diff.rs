//! `tintype diff` of two models: movements of joints and meshes.

use super::args::Diff;
use super::console::Console;
use super::failure::Failure;
use super::stdout::write_stdout;
use super::{exit, load};
use crate::diagnostic::counted;
use crate::model::{Clip, Model};
use crate::model_diff::{MeshDiff, ModelDiff, Side, compare};
use serde::Serialize;
use std::path::Path;

/// Number of joints that are listed without `-v`.
const MOST_JOINTS: usize = 12;

/// The JSON report.
#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    kind: &'static str,
    expected: String,
    found: String,
    same: bool,
    /// In diagonals of the first model.
    tolerance: f32,
    #[serde(flatten)]
    diff: &'a ModelDiff,
}

/// One side of the comparison, as it was read.
struct Loaded {
    model: Model,
    clip: Option<Clip>,
}

/// The first `--anim` moves the first model; the second one, or else the first again, the second.
pub(super) fn run(options: &Diff, console: &mut Console) -> Result<(), Failure> {
    let tolerance = options.tolerance.unwrap_or(0.0);
    if !(tolerance.is_finite() && tolerance >= 0.0) {
        let message = format!("--tolerance: {tolerance}; it is a share of the diagonal, 0 or more");
        return Err(Failure::bad_input(message));
    }
    let (first, last) = (options.clips.first(), options.clips.last());
    let [old, new] = [(&options.expected, first), (&options.found, last)];
    let old = read(old.0, old.1.map(AsRef::as_ref), options, console)?;
    let new = read(new.0, new.1.map(AsRef::as_ref), options, console)?;
    if old.clip.is_some() != new.clip.is_some() {
        let [with, without] = match old.clip.is_some() {
            true => [&options.expected, &options.found],
            false => [&options.found, &options.expected],
        };
        let (with, without) = (with.display(), without.display());
        let message = format!("{with} has a clip and {without} has none: add --anim CLIP");
        return Err(Failure::bad_input(message));
    }
    let sides =
        [&old, &new].map(|loaded| Side { model: &loaded.model, clip: loaded.clip.as_ref() });
    let diff = compare(sides[0], sides[1]).map_err(|(side, error)| {
        let model = [&options.expected, &options.found][side];
        Failure::bad_input(format!("{}: the clip does not fit: {error}", model.display()))
    })?;
    let same = diff.is_within(tolerance);
    if options.json {
        let report = Report {
            version: 1,
            kind: "models",
            expected: options.expected.display().to_string(),
            found: options.found.display().to_string(),
            same,
            tolerance,
            diff: &diff,
        };
        let mut text = serde_json::to_string_pretty(&report)
            .map_err(|error| Failure::bad_input_chain(&error))?;
        text.push('\n');
        write_stdout(text.as_bytes())?;
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
    let (source, contents) = match anim {
        Some(anim) => (anim, load::clips(anim, None, console)?),
        None => (path, own),
    };
    let ticks = contents.ticks.map(|ticks| ticks.per_second);
    let wanted = options.clip.as_deref();
    let clip = match (wanted, contents.clips.is_empty()) {
        (None, true) => None,
        _ => super::pose::chosen_clip(wanted, source, &contents.clips, ticks)?,
    };
    Ok(Loaded { model, clip })
}

/// The worst first; joints before the meshes that they carry.
fn describe(diff: &ModelDiff, console: &Console) {
    for sentence in &diff.structure {
        console.info(sentence);
    }
    if !diff.bind.is_empty() {
        let (count, names) = (counted(diff.bind.len(), "joint"), diff.bind.join(", "));
        console.info(&format!("in the bind pose {count} moved: {names}"));
    }
    let shown = if console.is_verbose() { usize::MAX } else { MOST_JOINTS };
    for joint in diff.joints.iter().take(shown) {
        let follow = match joint.followers {
            0 => String::new(),
            1 => " (1 joint below it follows)".to_owned(),
            count => format!(" ({count} joints below it follow)"),
        };
        console.info(&format!(
            "joint {} turned {} and moved {} at {:.3} s{follow}",
            joint.name,
            degrees(joint.turned_deg),
            distance(joint.moved, diff.diagonal),
            joint.at_s
        ));
    }
    if diff.joints.len() > shown {
        let more = counted(diff.joints.len() - shown, "more joint");
        console.info(&format!("{more}; -v shows all of them"));
    }
    if diff.rounded_joints > 0 {
        console.info(&format!("{} differ only by rounding", counted(diff.rounded_joints, "joint")));
    }
    for mesh in &diff.meshes {
        console.info(&of_mesh(mesh, diff.diagonal));
    }
}

fn of_mesh(mesh: &MeshDiff, diagonal: f32) -> String {
    let MeshDiff { name, worst, vertices_moved, vertices, normal, own } = mesh;
    let turned = normal.map(|normal| {
        let (vertex, at_s) = (normal.vertex, normal.at_s);
        format!(
            "normals turned, that of vertex {vertex} by {} at {at_s:.3} s",
            degrees(normal.moved)
        )
    });
    let Some(worst) = worst else {
        return format!("{name}: no vertex moved; {}", turned.unwrap_or_default());
    };
    let cause = match own {
        None => "with its joints".to_owned(),
        Some(own) if own.vertex == worst.vertex && own.moved >= worst.moved => {
            "the joints are not the cause: its weights or positions changed".to_owned()
        }
        Some(own) => format!(
            "without the joints vertex {} by {}: its weights or positions changed too",
            own.vertex,
            distance(own.moved, diagonal)
        ),
    };
    format!(
        "{name}: {vertices_moved} of {vertices} vertices moved, vertex {} farthest by {} at {:.3} s; {cause}",
        worst.vertex,
        distance(worst.moved, diagonal),
        worst.at_s
    )
}

fn degrees(angle: f32) -> String {
    if angle >= 0.01 { format!("{angle:.2}°") } else { format!("{angle:.1e}°") }
}

/// In units of the model, and as a share of its diagonal.
fn distance(distance: f32, diagonal: f32) -> String {
    let share = 100.0 * distance / diagonal;
    let digits = |value: f32| match value {
        0.0 => "0".to_owned(),
        value if value.abs() < 0.001 => format!("{value:.1e}"),
        value => format!("{value:.3}"),
    };
    format!("{} ({} % of the diagonal)", digits(distance), digits(share))
}
