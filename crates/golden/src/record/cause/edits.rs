//! All edits between two records in order: of the scene, of the content of models and clips, of
//! textures; then names and order, which move nothing.

use super::evidence::Evidence;
use super::subjects::files;
use super::{pose, scene, skin};
use crate::record::align::Aligned;
use crate::record::asset_record::{AssetRecord, changed};
use crate::record::content::{Rank, findings};
use crate::record::frame_record::FrameRecord;
use crate::record::stages::Subject;
use tintype_compare::Surface;
use tintype_compare::finding::{Element, Finding, Kind, Stage, Value};

/// Maximum number of edits of a kind listed one by one in the first line.
const MOST: usize = 3;
/// Further sentences at most.
const MAX_EVIDENCE: usize = 24;

/// The edits between two records.
pub(in crate::record) struct Edits {
    /// Edits that change joints, vertices or light, the earliest first.
    pub real: Vec<Finding>,
    /// Changes below the digits that anything shows.
    pub rounding: Vec<Finding>,
    /// Names and orders.
    pub words: Vec<Finding>,
    /// Files that differ only in spelling.
    pub spelled: Vec<String>,
    /// True if the content of the models is kept and changed only by rounding or order, so that
    /// digests of poses and meshes differ without meaning.
    pub is_harmless: bool,
}

impl Edits {
    /// Compares `aligned`, made from `old`, with `new`.
    pub(in crate::record) fn new(old: &FrameRecord, aligned: &Aligned, new: &FrameRecord) -> Self {
        let before = &aligned.record;
        let mut edits = Self {
            real: Vec::new(),
            rounding: Vec::new(),
            words: Vec::new(),
            spelled: Vec::new(),
            is_harmless: false,
        };
        // Surfaces are added and removed with meshes, so meshes are reported first.
        let comes_or_goes = |finding: &Finding| {
            finding.of.element == Element::Surface
                && matches!(finding.kind, Kind::Added | Kind::Removed)
        };
        let values = scene::values(before, new, |_| true).into_iter();
        let (surfaces, values): (Vec<Finding>, Vec<Finding>) = values.partition(comes_or_goes);
        edits.real.extend(values);
        let content = findings(&old.contents, &new.contents, &|shader| {
            [&old.scene, &new.scene].iter().any(|scene| has_textures(scene, shader))
        });
        edits.is_harmless = content.as_ref().is_some_and(|content| {
            !content.is_empty() && content.iter().all(|finding| Rank::of(finding) > Rank::Edit)
        });
        for finding in content.iter().flatten().cloned() {
            match Rank::of(&finding) {
                Rank::Name if has_other_surface(&finding, &surfaces, new) => {
                    edits.real.push(finding)
                }
                Rank::Form | Rank::Time | Rank::Edit => edits.real.push(finding),
                Rank::Rounding => edits.rounding.push(finding),
                Rank::Name | Rank::Order => edits.words.push(finding),
            }
        }
        edits.real.extend(surfaces);
        let textures = textures(old, new);
        let names = |is_real: bool| -> Vec<String> {
            let of_kind = textures.iter().filter(|(_, real)| *real == is_real);
            of_kind.map(|(asset, _)| asset.shown()).collect()
        };
        let real = names(true);
        if !real.is_empty() {
            edits.real.push(files(Stage::Texture, &real));
        }
        edits.spelled = names(false);
        let is_same = content.is_some_and(|content| content.is_empty() || edits.is_harmless);
        if is_same && edits.real.is_empty() && !scene::moved_geometry(before, new) {
            let geometry = changed(&old.assets, &new.assets).into_iter();
            let models = geometry.filter(|asset| !asset.is_texture);
            edits.spelled.extend(models.map(AssetRecord::shown));
        }
        for note in &aligned.notes {
            if !edits.words.contains(note) {
                edits.words.push(note.clone());
            }
        }
        edits
    }

    /// All real changes, starting with the first stage, and the number of them written out in the
    /// first line. None if nothing changed.
    pub(super) fn sorted(&self) -> Option<(Vec<Finding>, [usize; 2])> {
        let first = self.real.first()?.stage;
        let (own, others): (Vec<Finding>, Vec<Finding>) =
            self.real.iter().cloned().partition(|finding| finding.stage == first);
        let told =
            if own.len() > MOST { [MOST - 1, own.len() - (MOST - 1)] } else { [own.len(), 0] };
        Some((own.into_iter().chain(others).collect(), told))
    }

    /// Edits, names and files that the first line does not mention.
    pub(in crate::record) fn rest(&self) -> Vec<Evidence> {
        let (all, [told, _]) = self.sorted().unwrap_or_default();
        let left = all.len() - told;
        let mut found: Vec<Evidence> =
            all.into_iter().skip(told).take(MAX_EVIDENCE).map(Evidence::Also).collect();
        if left > MAX_EVIDENCE {
            found.push(Evidence::More(left - MAX_EVIDENCE));
        }
        found.extend(self.words.iter().cloned().map(Evidence::Note));
        found.extend(self.rounding.iter().cloned().map(Evidence::Told));
        if !self.spelled.is_empty() {
            let spelled = files(Stage::Scene, &self.spelled);
            found.push(Evidence::Note(Finding { kind: Kind::Respelled, ..spelled }));
        }
        found
    }
}

/// True if a material has a texture, or the record does not state it.
fn has_textures(scene: &[Subject], shader: &str) -> bool {
    let name = format!("{shader:?}");
    let own = scene.iter().find(|subject| subject.surface() == Some(name.as_str()));
    own.is_none_or(|own| Surface { name, values: own.values.clone() }.has_textures())
}

/// True if a mesh has another material with a different look: an added or removed one, or another
/// of those that stay.
fn has_other_surface(finding: &Finding, surfaces: &[Finding], new: &FrameRecord) -> bool {
    let names = [&finding.was, &finding.is].map(|name| match name {
        Some(Value::Text(name)) => format!("{name:?}"),
        _ => String::new(),
    });
    let values = |name: &String| {
        new.scene.iter().find(|one| one.surface() == Some(name.as_str())).map(|one| &one.values)
    };
    let comes_or_goes = |one: &Finding| names.iter().any(|name| one.of.name.as_ref() == Some(name));
    let [was, is] = names.each_ref().map(values);
    finding.kind == Kind::Replaced
        && (was.is_some() && is.is_some() && was != is || surfaces.iter().any(comes_or_goes))
}

/// The textures whose files changed; true for each whose texels did.
fn textures<'a>(old: &'a FrameRecord, new: &'a FrameRecord) -> Vec<(&'a AssetRecord, bool)> {
    // A removed one is reported with its material.
    let is_there = |asset: &&AssetRecord| new.assets.iter().any(|now| now.name == asset.name);
    let files = changed(&old.assets, &new.assets).into_iter().filter(|asset| asset.is_texture);
    let files = files.filter(is_there);
    files
        .filter_map(|asset| {
            let before = old.assets.iter().find(|before| before.name == asset.name)?;
            // Files without texels are read through their materials.
            let texels = [before, asset].map(|asset| asset.texels.as_deref());
            match texels {
                [Some(before), Some(now)] => Some((asset, before != now)),
                _ => None,
            }
        })
        .collect()
}

/// The first difference of joints or vertices in this frame not explained by an edit, and further
/// ones.
pub(in crate::record) fn unexplained(
    before: &FrameRecord,
    new: &FrameRecord,
    is_harmless: bool,
) -> Option<Vec<Finding>> {
    let pose = pose::differences(before, new, is_harmless).filter(|(_, is_little)| !is_little);
    pose.map(|(all, _)| all).or_else(|| skin::differences(before, new, is_harmless))
}
