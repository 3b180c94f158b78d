//! The JSON report of picture differences. The shape is stable: keys may be added while `version`
//! stays.
//!
//! `kind` is `"pictures"`; `same` is true if all pairs are byte-identical, and `passes` if all
//! satisfy the `rule`. A single pair has one entry in `frames`. `flip` and `ssim` have the mean
//! over `all` pixels, and over the `model` where alpha reveals it. Numbers that could not be
//! measured are `null`.

use super::compared::{Compared, Origin, State};
use super::files::ComparedFile;
use super::pairs::Pairs;
use serde::Serialize;
use std::path::Path;
use tintype_base::path::ShowPath;
use tintype_compare::Difference;
use tintype_compare::{Heat, Measured, PixelDifference};
use tintype_model::Rule;

#[derive(Serialize)]
struct Report<'a, M> {
    version: u32,
    kind: &'static str,
    expected: String,
    found: String,
    same: bool,
    passes: bool,
    rule: RuleOf,
    /// The FLIP at the bright end of the difference pictures' scale.
    heat_top: Option<f32>,
    frames: Vec<Entry<'a>>,
    /// Files of two folders that are not pictures.
    files: &'a [ComparedFile],
    /// Models of two folders, in the form of their comparison.
    models: &'a [M],
}

#[derive(Serialize)]
struct RuleOf {
    metric: &'static str,
    bound: Option<f64>,
}

#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    frame: Option<i64>,
    expected: Option<String>,
    found: Option<String>,
    state: State,
    message: &'a str,
    pixels: Option<Pixels>,
    flip: Option<Mean>,
    ssim: Option<Mean>,
    provenance: From<'a>,
    picture: Option<&'a str>,
}

#[derive(Serialize)]
struct Pixels {
    count: usize,
    largest: u8,
    mean: f64,
    first: [u32; 2],
    worst: [u32; 2],
    low: [u32; 2],
    high: [u32; 2],
}

#[derive(Serialize)]
struct Mean {
    all: f64,
    model: Option<f64>,
}

/// Difference of provenance.
#[derive(Serialize)]
struct From<'a> {
    /// Parts that differ.
    differs: &'a [&'static str],
    /// The only side with provenance: `"expected"` or `"found"`.
    only: Option<&'static str>,
}

/// The paths of both sides, as named by the caller.
#[derive(Clone, Copy, Debug)]
pub struct Sides<'a> {
    /// The first side.
    pub expected: &'a Path,
    /// The second side.
    pub found: &'a Path,
}

/// Everything that was compared in two folders.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a, M> {
    /// The pairs of pictures.
    pub pairs: &'a Pairs,
    /// The result of each pair.
    pub pictures: &'a [Compared],
    /// Other files.
    pub files: &'a [ComparedFile],
    /// Models.
    pub models: &'a [M],
    /// True if the models pass.
    pub models_pass: bool,
}

/// Encodes the report; `heat` is the scale of the difference pictures, if there are any.
#[must_use]
pub fn encode_json(
    sides: Sides,
    rule: Rule,
    heat: Option<Heat>,
    results: &Results<'_, impl Serialize>,
) -> String {
    let Results { pairs, pictures: all, files, models, models_pass } = *results;
    let frames = pairs.list.iter().zip(all).map(|(pair, one)| {
        let path = |path: &Option<std::path::PathBuf>| path.as_deref().map(ShowPath::shown);
        let provenance = match &one.provenance {
            None => From { differs: &[], only: None },
            Some(Origin::Differs(things)) => From { differs: things, only: None },
            Some(Origin::OnlyA(_)) => From { differs: &[], only: Some("expected") },
            Some(Origin::OnlyB(_)) => From { differs: &[], only: Some("found") },
        };
        Entry {
            name: &one.name,
            frame: pair.frame,
            expected: path(&pair.a),
            found: path(&pair.b),
            state: one.state,
            message: if one.state == State::Same { "the same" } else { &one.message },
            pixels: pixels(one.difference),
            flip: one.flip.map(mean),
            ssim: one.ssim.map(mean),
            provenance,
            picture: one.picture.as_deref(),
        }
    });
    let report = Report {
        version: 1,
        kind: "pictures",
        expected: sides.expected.shown(),
        found: sides.found.shown(),
        same: all.iter().all(|one| one.state == State::Same)
            && files.iter().all(ComparedFile::passes)
            && models_pass,
        passes: all.iter().all(Compared::passes)
            && files.iter().all(ComparedFile::passes)
            && models_pass,
        rule: RuleOf { metric: rule.metric(), bound: rule.bound() },
        heat_top: heat.map(|heat| heat.top),
        frames: frames.collect(),
        files,
        models,
    };
    let mut text = serde_json::to_string_pretty(&report).expect("plain data");
    text.push('\n');
    text
}

fn pixels(difference: Option<Difference>) -> Option<Pixels> {
    let Some(Difference::Pixels(found)) = difference else { return None };
    let PixelDifference { count, largest, mean, first, worst, low, high } = found;
    Some(Pixels { count, largest, mean, first, worst, low, high })
}

fn mean(measured: Measured) -> Mean {
    Mean { all: measured.all, model: measured.model }
}
