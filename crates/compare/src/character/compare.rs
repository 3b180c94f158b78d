//! Pairs the clips of two characters by name and compares each pair at every key.

use super::{ExportOptions, ModelPair, PairState, Part, pictures};
use crate::finding::{Element, Finding, Kind, Stage, Subject, Value};
use crate::model_diff::{ModelDiff, Side, compare};
use crate::surface::Surface;
use std::collections::BTreeMap;
use tintype_framing::{Character, CharacterClip};
use tintype_model::Clip;

/// Compares two characters: the models, then their clips by name. The result has the name of the
/// second.
#[must_use]
pub fn compare_characters(
    name: String,
    sides: [&Character; 2],
    options: &ExportOptions,
) -> ModelPair {
    let mut pair = ModelPair::new(name);
    fill(&mut pair, sides, options);
    pair
}

fn clip(name: &str) -> Subject {
    Subject::named(Element::Clip, name)
}

/// Reports that a clip cannot move its model.
pub fn misfit(clip: Subject, why: &impl core::fmt::Display) -> Finding {
    let told = Finding::new(Stage::Structure, Kind::Misfit, clip);
    told.from_to(None, Value::from(why.to_string()))
}

fn fill(pair: &mut ModelPair, sides: [&Character; 2], options: &ExportOptions) {
    for (side, word) in sides.iter().zip(["A", "B"]) {
        pair.notes
            .extend(side.unbound.iter().map(|(name, why)| misfit(clip(name), why).property(word)));
    }
    let model = part(sides, None, &[], options);
    pair.notes.extend(model.diff.iter().flat_map(|diff| diff.notes.iter().cloned()));
    let of_model = model.findings.clone();
    pair.parts.push(model);
    let mut clips: BTreeMap<&str, [Option<&CharacterClip>; 2]> = BTreeMap::new();
    for (k, side) in sides.iter().enumerate() {
        for clip in &side.clips {
            clips.entry(&clip.name).or_default()[k] = Some(clip);
        }
    }
    for (name, both) in clips {
        pair.parts.push(match both {
            [Some(old), Some(new)] => part(sides, Some([old, new]), &of_model, options),
            [old, _] => {
                let (state, kind) = match old {
                    Some(_) => (PairState::OnlyA, Kind::Removed),
                    None => (PairState::OnlyB, Kind::Added),
                };
                Part {
                    clip: Some(name.to_owned()),
                    state,
                    findings: vec![Finding::new(Stage::Structure, kind, clip(name))],
                    diff: None,
                    at_s: 0.0,
                    pictures: None,
                }
            }
        });
    }
    let has = |wanted: &dyn Fn(PairState) -> bool| pair.parts.iter().any(|part| wanted(part.state));
    pair.state = if has(&|state| !state.passes()) {
        PairState::Different
    } else if has(&|state| state == PairState::Within) {
        PairState::Within
    } else {
        PairState::Same
    };
}

/// Compares the models in their bind poses, or moved by a clip; differences of the model are not
/// repeated.
fn part(
    sides: [&Character; 2],
    clips: Option<[&CharacterClip; 2]>,
    of_model: &[Finding],
    options: &ExportOptions,
) -> Part {
    let clip_of = |k: usize| -> Option<&Clip> {
        let index = clips?[k].index;
        Some(&sides[k].assets.models[0].clips[index].clip)
    };
    let name = clips.map(|clips| clips[1].name.clone());
    // Materials are reported with the model.
    let surfaces = sides.map(|side| match clips {
        None => Surface::of_assets(&side.assets, side.scene.materials.len(), true),
        Some(_) => Vec::new(),
    });
    let [old, new] = [0, 1].map(|k| Side {
        model: &sides[k].assets.models[0].model,
        clip: clip_of(k),
        surfaces: &surfaces[k],
    });
    let diff = match compare(old, new) {
        Ok(diff) => diff,
        // The clips of a character bind to it.
        Err((_, error)) => {
            let findings = vec![misfit(Subject::all(Element::Clip), &error)];
            let state = PairState::Different;
            return Part { clip: name, state, findings, diff: None, at_s: 0.0, pictures: None };
        }
    };
    let findings = findings(&diff, clips.is_some(), of_model, options);
    let is_within = diff.is_within(options.tolerance);
    let state = match (is_within, findings.is_empty()) {
        (false, false) => PairState::Different,
        (true, false) => PairState::Within,
        // The difference is reported with the model.
        (_, true) => PairState::Same,
    };
    let (at_s, turned) = moment(&diff);
    let mut part = Part { clip: name, state, findings, diff: Some(diff), at_s, pictures: None };
    if options.draws && !part.state.passes() {
        let shown = clips.map(|clips| clips.map(|clip| clip.index));
        match pictures::draw(sides, shown, [at_s, turned]) {
            Ok(drawn) => part.pictures = Some(drawn),
            Err(error) => {
                let told =
                    Finding::new(Stage::Drawing, Kind::NotDrawn, Subject::all(Element::Model));
                part.findings.push(told.from_to(None, Value::from(error.to_string())));
            }
        }
    }
    part
}

/// The differences of a part. Meshes and materials are reported with the model, and weights with
/// every clip; a clip adds its time base and its joints.
fn findings(
    diff: &ModelDiff,
    is_clip: bool,
    of_model: &[Finding],
    options: &ExportOptions,
) -> Vec<Finding> {
    let all = diff.findings(options.most_joints);
    if !is_clip {
        return all;
    }
    let is_own = |finding: &Finding| matches!(finding.stage, Stage::Time | Stage::Pose);
    let mut own: Vec<Finding> = all.iter().filter(|one| is_own(one)).cloned().collect();
    // Vertices whose movement neither the model nor a joint explains.
    if own.is_empty() && of_model.is_empty() {
        own = all;
    } else if !own.is_empty() {
        own.extend(all.into_iter().filter(|one| !is_own(one) && !of_model.contains(one)));
    }
    own
}

/// The time of the largest difference in both clips, in seconds from their starts.
fn moment(diff: &ModelDiff) -> (f64, f64) {
    let of_joint = diff.joints.first().map(|joint| joint.at_s);
    let of_mesh = || diff.meshes.first().and_then(|mesh| Some(mesh.worst?.at_s));
    let at_s = of_joint.or_else(of_mesh).unwrap_or(0.0);
    (at_s, at_s * diff.pace)
}
