//! Two records and two pictures -> the first stage whose own output differs, and by how much.
//!
//! The stages are in the order in which a picture is made: scene, pose, skin, visibility, shading. What comes out of one goes
//! into the next, so all stages behind the first that differs usually differ too; they are reported as evidence.

mod morph;
mod pose;
mod scene;
mod skin;
mod words;

use super::asset_record::{AssetRecord, changed};
use super::frame_record::FrameRecord;
use crate::compare::Difference;
use crate::report::thousands;
pub(super) use pose::{differences as pose_differences, turn_deg};
pub(super) use skin::differences as skin_differences;
use words::mesh_name;

/// A stage of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The scene file, or the camera and the materials that it leaves to other files.
    Scene,
    /// The joints.
    Pose,
    /// The vertices.
    Skin,
    /// Visible triangle of each sample.
    Visibility,
    /// A texture, where nothing before it differs.
    Texture,
    /// The light on what is seen.
    Shading,
    /// The code that draws, where the scene and its files are equal.
    Drawing,
}

impl core::fmt::Display for Stage {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Scene => "scene",
            Self::Pose => "pose",
            Self::Skin => "skin",
            Self::Visibility => "visibility",
            Self::Texture => "texture",
            Self::Shading => "shading",
            Self::Drawing => "drawing",
        })
    }
}

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
/// If code of another [pixel revision](crate::frame::PIXEL_REVISION) made the older one, a change of content is still named: a
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
    let [from, to] = [old.pixel_revision, new.pixel_revision];
    let has_other_models = assets.iter().any(|asset| !asset.is_texture);
    let textures: Vec<&str> =
        assets.iter().filter(|asset| asset.is_texture).map(|asset| asset.name.as_str()).collect();
    let of_models = || {
        let pose = pose::differences(old, new).map(|what| (Stage::Pose, what));
        pose.or_else(|| skin::differences(old, new).map(|what| (Stage::Skin, what)))
    };
    let content = scene::of_values(old, new)
        .map(|what| (Stage::Scene, what))
        .or_else(|| if has_other_models { of_models() } else { None })
        .or_else(|| {
            (!textures.is_empty())
                .then(|| (Stage::Texture, format!("{} changed", textures.join(", "))))
        });
    let mut evidence = Vec::new();
    if !assets.is_empty() {
        let names: Vec<&str> = assets.iter().map(|asset| asset.name.as_str()).collect();
        evidence.push(format!("changed files: {}", names.join(", ")));
    }
    if let Some((stage, what)) = content {
        evidence.push(format!(
            "drawing changed too, from pixel revision {from} to {to}: bless in two steps to see them apart"
        ));
        return Cause { stage, what, evidence };
    }
    let equal = match scene::moved_geometry(old, new) {
        false => "poses and skins are equal",
        true => "the scene and its files are equal",
    };
    let what = format!(
        "only drawing changed, from pixel revision {from} to {to}: {equal}; {}",
        amount(difference)
    );
    evidence.extend(scene::camera(old, new));
    Cause { stage: Stage::Drawing, what, evidence }
}

fn within_a_revision(old: &FrameRecord, new: &FrameRecord, difference: &Difference) -> Cause {
    let assets = changed(&old.assets, &new.assets);
    let visibility = (old.visibility.digest != new.visibility.digest)
        .then(|| visibility(old, new))
        .map(|what| match only_textures(&assets) {
            // Holes in a texture decide what is seen.
            Some(textures) => (Stage::Texture, format!("{textures} changed, geometry identical")),
            None => (Stage::Visibility, what),
        });
    let found: Vec<(Stage, String)> = [
        scene::differences(old, new).map(|what| (Stage::Scene, what)),
        pose::differences(old, new).map(|what| (Stage::Pose, what)),
        skin::differences(old, new).map(|what| (Stage::Skin, what)),
        visibility,
    ]
    .into_iter()
    .flatten()
    .collect();
    let mut rest = found.into_iter();
    let (stage, what) = rest.next().unwrap_or_else(|| shading(&assets, difference));
    let mut evidence = Vec::new();
    if !assets.is_empty() {
        let names: Vec<&str> = assets.iter().map(|asset| asset.name.as_str()).collect();
        evidence.push(format!("changed files: {}", names.join(", ")));
    }
    evidence.extend(rest.map(|(stage, what)| format!("{stage}, which comes after it: {what}")));
    Cause { stage, what, evidence }
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
