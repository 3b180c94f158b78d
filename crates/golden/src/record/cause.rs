//! Two records and two pictures -> the first stage whose own output differs, and by how much.
//!
//! The stages are in the order in which a picture is made: scene, pose, skin, visibility, shading. What comes out of one goes
//! into the next, so all stages behind the first that differs usually differ too; they are reported as evidence.

mod edits;
mod morph;
mod pose;
mod scene;
mod skin;
mod words;

use super::align::aligned;
use super::asset_record::{AssetRecord, changed};
use super::frame_record::FrameRecord;
use super::stage::Stage;
use crate::report::{GEOMETRY, without_amounts, without_tail};
pub(in crate::record) use edits::{Edits, unexplained};
pub use scene::golden_camera;
use tintype_base::amount::thousands;
use tintype_base::printable::one_line;
use tintype_compare::Difference;
use words::mesh_name;

/// Cause of a difference between two pictures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The first stage that differs.
    pub stage: Stage,
    /// Difference in that stage, with its amount.
    pub what: String,
    /// Further evidence, a sentence each.
    pub evidence: Vec<String>,
    /// All edits with their values, and nothing that is measured in one frame: equal for the failures of one cause.
    pub key: String,
    /// Whether the first line tells all of them.
    pub is_whole: bool,
}

impl Cause {
    /// A cause, each text of which is one line, whatever names it holds.
    pub(crate) fn new(
        stage: Stage,
        what: &str,
        evidence: &[String],
        key: &str,
        is_whole: bool,
    ) -> Self {
        let evidence = evidence.iter().map(|text| one_line(text)).collect();
        Self { stage, what: one_line(what), evidence, key: one_line(key), is_whole }
    }

    /// A cause that its sentence tells whole.
    pub(crate) fn told(stage: Stage, what: String) -> Self {
        Self::new(stage, &what, &[], &edits::sentence(stage, &what), true)
    }
}

/// The key of a difference that was measured in a frame, whose amounts are others in the next.
fn measured((stage, what): &(Stage, String)) -> String {
    without_amounts(&edits::sentence(*stage, what))
}

impl core::fmt::Display for Cause {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.stage {
            // These name themselves: `light 2 turned 4°`.
            Stage::Scene | Stage::Drawing => f.write_str(&self.what),
            stage => write!(f, "{stage}: {}", self.what),
        }
    }
}

/// The cause of `difference` between the pictures of two records.
///
/// If code of another [pixel revision](tintype_model::frame::PIXEL_REVISION) made the older one, a change of content is still named: a
/// value of the scene, joints or vertices if their files changed, a texture. Any other difference is one of drawing.
#[must_use]
pub fn find_cause(old: &FrameRecord, new: &FrameRecord, difference: &Difference) -> Cause {
    if old.pixel_revision == new.pixel_revision {
        within_a_revision(old, new, difference)
    } else {
        across_revisions(old, new, difference)
    }
}

fn across_revisions(old: &FrameRecord, new: &FrameRecord, difference: &Difference) -> Cause {
    let assets = changed(&old.assets, &new.assets);
    let aligned = aligned(old, new);
    let mut edits = Edits::new(old, &aligned, new);
    // Materials that only files describe are read by code.
    edits.real.retain(|(_, what)| !what.starts_with("surface "));
    let before = &aligned.record;
    let [from, to] = [old.pixel_revision, new.pixel_revision];
    let has_other_models = assets.iter().any(|asset| !asset.is_texture);
    let textures: Vec<String> = assets
        .iter()
        .filter(|asset| asset.is_texture)
        .map(|asset| asset.shown())
        .filter(|name| !edits.spelled.contains(name))
        .collect();
    let keeps_content = !old.contents.is_empty() && !new.contents.is_empty();
    let of_models = || {
        if has_other_models && !keeps_content {
            edits::unexplained(before, new, edits.is_harmless)
        } else {
            None
        }
    };
    let with_key = |key: fn(&(Stage, String)) -> String| {
        move |what: (Stage, String)| {
            let key = key(&what);
            (what, key)
        }
    };
    let told = edits.first().zip(edits.key());
    let content = told.or_else(|| of_models().map(with_key(measured))).or_else(|| {
        let what = (Stage::Texture, format!("{} changed", textures.join(", ")));
        let whole = |(stage, what): &(Stage, String)| edits::sentence(*stage, what);
        (!textures.is_empty()).then_some(what).map(with_key(whole))
    });
    let mut evidence = changed_files(&assets);
    evidence.extend(edits.rest());
    if let Some(((stage, what), key)) = content {
        let mut sentence = format!("drawing changed too, from pixel revision {from} to {to}");
        // Goldens of a newer program are not for this one to accept.
        sentence += if from < to { ": bless in two steps to see them apart" } else { "" };
        evidence.insert(0, sentence);
        return Cause::new(stage, &what, &evidence, &key, edits.is_told());
    }
    let equal = if scene::moved_geometry(before, new) {
        "the scene and its files are equal"
    } else {
        "poses and skins are equal"
    };
    let key = format!("only drawing changed, from pixel revision {from} to {to}");
    let what = format!("{key}: {equal}; {}", amount(difference));
    evidence.extend(scene::camera(before, new));
    Cause::new(Stage::Drawing, &what, &evidence, &key, true)
}

/// The sentence that lists files that changed.
fn changed_files(assets: &[&AssetRecord]) -> Vec<String> {
    let names: Vec<String> = assets.iter().map(|asset| asset.shown()).collect();
    if names.is_empty() { Vec::new() } else { vec![format!("changed files: {}", names.join(", "))] }
}

fn within_a_revision(old: &FrameRecord, new: &FrameRecord, difference: &Difference) -> Cause {
    let aligned = aligned(old, new);
    let edits = Edits::new(old, &aligned, new);
    let before = &aligned.record;
    let told = edits.first();
    let is_told = told.is_some();
    // What moved by less than anything shows comes behind all else.
    let mut little: Vec<(Stage, String)> = Vec::new();
    let mut moved: Vec<(Stage, String)> = Vec::new();
    let mut add = |stage, what, is_little| {
        if is_little { little.push((stage, what)) } else { moved.push((stage, what)) }
    };
    if !is_told && !scene::moved_geometry(before, new) {
        let camera = scene::camera(before, new);
        camera.into_iter().for_each(|what| {
            add(Stage::Scene, what, scene::moved_little(before, new));
        });
    }
    let pose = pose::differences(before, new, edits.is_harmless);
    pose.into_iter().for_each(|(what, is_little)| add(Stage::Pose, what, is_little));
    let skin = skin::differences(before, new, edits.is_harmless);
    skin.into_iter().for_each(|what| add(Stage::Skin, what, false));
    // Another order of lights, instances, meshes or vertices, and last digits, may round otherwise.
    let words = || edits.words.iter().chain(&edits.rounding).filter(|_| !is_told);
    // A camera that moved carries what moves behind it along.
    let is_last = |(stage, _): &(Stage, String)| *stage > Stage::Scene;
    let last = moved.iter().position(is_last).map_or(moved.len(), |last| last + 1);
    let mut keys: Vec<String> = moved[..last].iter().map(measured).collect();
    if keys.is_empty() {
        keys.extend(words().map(|(stage, what)| edits::sentence(*stage, what)));
    }
    let mut found: Vec<(Stage, String)> = told.into_iter().chain(moved).collect();
    found.extend(words().cloned());
    let assets = changed(&old.assets, &new.assets);
    if before.visibility.digest != new.visibility.digest {
        let what = visibility(before, new);
        found.push(match only_textures(&assets) {
            // Holes in a texture decide what is seen.
            Some(textures) if found.is_empty() => {
                (Stage::Texture, format!("{textures} changed{GEOMETRY}"))
            }
            _ => (Stage::Visibility, what),
        });
    }
    if found.is_empty() {
        found.push(shading(&assets, difference));
    }
    let (stage, mut what) = found.remove(0);
    let key = match (edits.key(), stage) {
        (Some(key), _) => key,
        (None, Stage::Texture) => without_tail(&edits::sentence(stage, &what)).to_owned(),
        (None, _) if keys.is_empty() => measured(&(stage, what.clone())),
        (None, _) => keys.join("; also "),
    };
    let is_whole = if is_told { edits.is_told() } else { keys.len() < 2 };
    if stage == Stage::Texture && is_told {
        let is_alone = !edits.real.iter().any(|(stage, _)| *stage < Stage::Texture);
        let seen = if is_alone { GEOMETRY } else { "" };
        what += &format!("{seen}; {}", amount(difference));
    }
    let mut evidence = changed_files(&assets);
    evidence.extend(edits.rest().into_iter().filter(|sentence| *sentence != what));
    if is_told {
        evidence.extend(scene::fitted_camera(before, new, &what));
    }
    evidence.extend(found.into_iter().chain(little).map(|(own, text)| {
        if is_told && own <= stage {
            format!("in this frame: {text}")
        } else {
            format!("{own}, which comes after it: {text}")
        }
    }));
    Cause::new(stage, &what, &evidence, &key, is_whole)
}

/// Whether files changed in their last digits or their order alone, so that a difference of few codes is that of rounding.
#[must_use]
pub fn is_rounding_alone(old: &FrameRecord, new: &FrameRecord) -> bool {
    let aligned = aligned(old, new);
    let edits = Edits::new(old, &aligned, new);
    let before = &aligned.record;
    old.pixel_revision == new.pixel_revision
        && edits.is_harmless
        && edits.real.is_empty()
        && scene::moved_little(before, new)
        && edits::unexplained(before, new, true).is_none()
}

/// Edits that are real, and names and orders that changed, a sentence each; equal pixels do not show the former.
#[must_use]
pub fn unseen_edits(old: &FrameRecord, new: &FrameRecord) -> Vec<String> {
    let edits = Edits::new(old, &aligned(old, new), new);
    let seen = if old.image == new.image { ", which this frame does not show" } else { "" };
    let real = edits.real.iter().map(|(stage, what)| edits::sentence(*stage, what) + seen);
    real.chain(edits.words.iter().map(|(_, what)| what.clone())).map(|own| one_line(&own)).collect()
}

/// The names of the changed files, if there are any and all of them are textures.
fn only_textures(assets: &[&AssetRecord]) -> Option<String> {
    let names: Vec<String> = assets.iter().map(|asset| asset.shown()).collect();
    (!assets.is_empty() && assets.iter().all(|asset| asset.is_texture)).then(|| names.join(", "))
}

/// All stages before shading are equal.
fn shading(assets: &[&AssetRecord], difference: &Difference) -> (Stage, String) {
    let amount = amount(difference);
    match only_textures(assets) {
        Some(names) => (Stage::Texture, format!("{names} changed{GEOMETRY}; {amount}")),
        None => (Stage::Shading, format!("only: {amount}")),
    }
}

fn amount(difference: &Difference) -> String {
    match difference {
        Difference::Pixels(pixels) => {
            format!("{} pixels, largest difference {}", thousands(pixels.count), pixels.largest)
        }
        Difference::Size { .. } => difference.to_string(),
    }
}

/// The mesh of which the number of pixels changed most.
fn visibility(old: &FrameRecord, new: &FrameRecord) -> String {
    let mut worst: Option<(u64, String)> = None;
    let pairs = old.visibility.pixels.iter().zip(&new.visibility.pixels).enumerate();
    for (n, (before, now)) in pairs {
        for (m, (&before, &now)) in before.iter().zip(now).enumerate() {
            let change = before.abs_diff(now);
            if change > worst.as_ref().map_or(0, |(most, _)| *most) {
                let name = mesh_name(new, n, m);
                worst = Some((
                    change,
                    format!("{name} covers {} pixels, was {}", thousands(now), thousands(before)),
                ));
            }
        }
    }
    let [before, now] = [old, new].map(|print| print.visibility.covered);
    let all = if before == now {
        format!("{} pixels covered as before", thousands(now))
    } else {
        format!("{} pixels covered, was {}", thousands(now), thousands(before))
    };
    match worst {
        Some((_, what)) => format!("{what}; {all}"),
        None => {
            format!("other triangles are seen, by their order or the side that they show; {all}")
        }
    }
}
