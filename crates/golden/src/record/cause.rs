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
use crate::report::thousands;
pub(in crate::record) use edits::{Edits, unexplained};
pub use scene::golden_camera;
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
    match old.pixel_revision == new.pixel_revision {
        true => within_a_revision(old, new, difference),
        false => across_revisions(old, new, difference),
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
    let textures: Vec<&str> = assets
        .iter()
        .filter(|asset| asset.is_texture && !edits.spelled.contains(&asset.name))
        .map(|asset| asset.name.as_str())
        .collect();
    let keeps_content = !old.contents.is_empty() && !new.contents.is_empty();
    let of_models = || match has_other_models && !keeps_content {
        true => edits::unexplained(before, new, edits.is_harmless),
        false => None,
    };
    let content = edits.first().or_else(of_models).or_else(|| {
        let is_texture = !textures.is_empty();
        is_texture.then(|| (Stage::Texture, format!("{} changed", textures.join(", "))))
    });
    let mut evidence = changed_files(&assets);
    evidence.extend(edits.rest());
    if let Some((stage, what)) = content {
        evidence.insert(0, format!(
            "drawing changed too, from pixel revision {from} to {to}: bless in two steps to see them apart"
        ));
        return Cause { stage, what, evidence };
    }
    let equal = match scene::moved_geometry(before, new) {
        false => "poses and skins are equal",
        true => "the scene and its files are equal",
    };
    let what = format!(
        "only drawing changed, from pixel revision {from} to {to}: {equal}; {}",
        amount(difference)
    );
    evidence.extend(scene::camera(before, new));
    Cause { stage: Stage::Drawing, what, evidence }
}

/// The sentence that lists files that changed.
fn changed_files(assets: &[&AssetRecord]) -> Vec<String> {
    let names: Vec<&str> = assets.iter().map(|asset| asset.name.as_str()).collect();
    if names.is_empty() { Vec::new() } else { vec![format!("changed files: {}", names.join(", "))] }
}

fn within_a_revision(old: &FrameRecord, new: &FrameRecord, difference: &Difference) -> Cause {
    let aligned = aligned(old, new);
    let edits = Edits::new(old, &aligned, new);
    let before = &aligned.record;
    let mut found: Vec<(Stage, String)> = edits.first().into_iter().collect();
    let is_told = !found.is_empty();
    // What moved by less than anything shows comes behind all else.
    let mut little: Vec<(Stage, String)> = Vec::new();
    let mut add = |stage, what, is_little| match is_little {
        true => little.push((stage, what)),
        false => found.push((stage, what)),
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
    for (stage, what) in edits.words.iter().chain(&edits.rounding).filter(|_| !is_told) {
        add(*stage, what.clone(), false);
    }
    let assets = changed(&old.assets, &new.assets);
    if before.visibility.digest != new.visibility.digest {
        let what = visibility(before, new);
        found.push(match only_textures(&assets).filter(|_| found.is_empty()) {
            // Holes in a texture decide what is seen.
            Some(textures) => (Stage::Texture, format!("{textures} changed, geometry identical")),
            None => (Stage::Visibility, what),
        });
    }
    let mut rest = found.into_iter();
    let (stage, mut what) = rest.next().unwrap_or_else(|| shading(&assets, difference));
    if stage == Stage::Texture && is_told {
        let is_alone = !edits.real.iter().any(|(stage, _)| *stage < Stage::Texture);
        let seen = if is_alone { ", geometry identical; " } else { "; " };
        what += &format!("{seen}{}", amount(difference));
    }
    let mut evidence = changed_files(&assets);
    evidence.extend(edits.rest().into_iter().filter(|sentence| *sentence != what));
    if is_told {
        evidence.extend(scene::fitted_camera(before, new, &what));
    }
    evidence.extend(rest.chain(little).map(|(own, text)| match is_told && own <= stage {
        true => format!("in this frame: {text}"),
        false => format!("{own}, which comes after it: {text}"),
    }));
    Cause { stage, what, evidence }
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
    real.chain(edits.words.iter().map(|(_, what)| what.clone())).collect()
}

/// The names of the changed files, if there are any and all of them are textures.
fn only_textures(assets: &[&AssetRecord]) -> Option<String> {
    let names: Vec<&str> = assets.iter().map(|asset| asset.name.as_str()).collect();
    (!assets.is_empty() && assets.iter().all(|asset| asset.is_texture)).then(|| names.join(", "))
}

/// All stages before shading are equal.
fn shading(assets: &[&AssetRecord], difference: &Difference) -> (Stage, String) {
    let amount = amount(difference);
    match only_textures(assets) {
        Some(names) => (Stage::Texture, format!("{names} changed, geometry identical; {amount}")),
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
    let all = match before == now {
        true => format!("{} pixels covered as before", thousands(now)),
        false => format!("{} pixels covered, was {}", thousands(now), thousands(before)),
    };
    match worst {
        Some((_, what)) => format!("{what}; {all}"),
        None => {
            format!("other triangles are seen, by their order or the side that they show; {all}")
        }
    }
}
