//! All edits between two records, first the first: of the scene, of the content of models and clips, of textures; then names and
//! orders, which move nothing.

use super::{pose, scene, skin};
use crate::record::align::Aligned;
use crate::record::asset_record::{AssetRecord, changed};
use crate::record::content::{Finding, Rank, findings};
use crate::record::frame_record::FrameRecord;
use crate::record::stage::Stage;
use crate::record::stages::Subject;
use crate::report::bounded;
use tintype_base::printable::one_line;
use tintype_compare::Surface;

/// Edits of a kind that the first line lists one by one.
const MOST: usize = 3;
/// Further sentences at most.
const MAX_EVIDENCE: usize = 24;

/// The edits between two records.
pub(in crate::record) struct Edits {
    /// Those that change joints, vertices or light, first the first.
    pub real: Vec<(Stage, String)>,
    /// Changes below the digits that anything shows.
    pub rounding: Vec<(Stage, String)>,
    /// Names and orders.
    pub words: Vec<(Stage, String)>,
    /// Files that are spelled otherwise and hold the same.
    pub spelled: Vec<String>,
    /// Whether the content of the models is kept and changed by rounding or order alone: digests of poses and meshes differ then, and
    /// say nothing.
    pub is_harmless: bool,
}

impl Edits {
    /// Compares `aligned`, which was made of `old`, with `new`.
    pub(in crate::record) fn new(old: &FrameRecord, aligned: &Aligned, new: &FrameRecord) -> Self {
        let before = &aligned.record;
        let mut edits = Self {
            real: Vec::new(),
            rounding: Vec::new(),
            words: Vec::new(),
            spelled: Vec::new(),
            is_harmless: false,
        };
        // Surfaces come and go with meshes, so that these are told first.
        let comes_or_goes = |what: &String| {
            what.starts_with("surface ")
                && (what.ends_with(" is gone") || what.ends_with(" is new"))
        };
        let values = scene::values(before, new, |_| true).into_iter();
        let (surfaces, values): (Vec<String>, Vec<String>) = values.partition(comes_or_goes);
        edits.real.extend(values.into_iter().map(|what| (Stage::Scene, what)));
        let content = findings(&old.contents, &new.contents, &|shader| {
            [&old.scene, &new.scene].iter().any(|scene| has_textures(scene, shader))
        });
        edits.is_harmless = content.as_ref().is_some_and(|content| {
            !content.is_empty() && content.iter().all(|finding| finding.rank > Rank::Edit)
        });
        for Finding { stage, rank, what } in content.iter().flatten().cloned() {
            match rank {
                Rank::Form | Rank::Time | Rank::Edit => edits.real.push((stage, what)),
                Rank::Rounding => edits.rounding.push((stage, what)),
                Rank::Name | Rank::Order => edits.words.push((stage, what)),
            }
        }
        edits.real.extend(surfaces.into_iter().map(|what| (Stage::Scene, what)));
        let textures = textures(old, new);
        let names = |is_real: bool| -> Vec<String> {
            let of_kind = textures.iter().filter(|(_, real)| *real == is_real);
            of_kind.map(|(asset, _)| asset.shown()).collect()
        };
        let real = names(true);
        if !real.is_empty() {
            edits.real.push((Stage::Texture, format!("{} changed", real.join(", "))));
        }
        edits.spelled = names(false);
        let is_same = content.is_some_and(|content| content.is_empty() || edits.is_harmless);
        if is_same && edits.real.is_empty() && !scene::moved_geometry(before, new) {
            let geometry = changed(&old.assets, &new.assets).into_iter();
            let models = geometry.filter(|asset| !asset.is_texture);
            edits.spelled.extend(models.map(AssetRecord::shown));
        }
        for note in &aligned.notes {
            if edits.words.iter().all(|(_, known)| known != note) {
                edits.words.push((Stage::Scene, note.clone()));
            }
        }
        edits
    }

    /// The first stage with all that changed in it; none if nothing real did.
    pub(in crate::record) fn first(&self) -> Option<(Stage, String)> {
        let (stage, _) = *self.real.first()?;
        let own: Vec<&str> = self
            .real
            .iter()
            .filter(|(of, _)| *of == stage)
            .map(|(_, what)| what.as_str())
            .collect();
        let what = match own.len() {
            0..=MOST => own.join("; "),
            more => {
                format!("{}; and {} more changes", own[..MOST - 1].join("; "), more - (MOST - 1))
            }
        };
        Some((stage, what))
    }

    /// All that really changed, whatever the first line leaves out: those of the first stage, then the others. None if nothing did.
    pub(in crate::record) fn key(&self) -> Option<String> {
        let (first, _) = *self.real.first()?;
        let (own, others): (Vec<_>, Vec<_>) = self.real.iter().partition(|(of, _)| *of == first);
        let own: Vec<&str> = own.iter().map(|(_, what)| what.as_str()).collect();
        let mut all = vec![sentence(first, &own.join("; "))];
        all.extend(others.iter().map(|(stage, what)| format!("also {}", sentence(*stage, what))));
        Some(bounded(one_line(&all.join("; "))))
    }

    /// Whether the first line tells all that really changed.
    pub(in crate::record) fn is_told(&self) -> bool {
        let first = self.real.first().map(|(stage, _)| *stage);
        self.real.len() <= MOST && self.real.iter().all(|(of, _)| Some(*of) == first)
    }

    /// Sentences about what the first line does not say.
    pub(in crate::record) fn rest(&self) -> Vec<String> {
        let mut found = Vec::new();
        if let Some((first, _)) = self.real.first() {
            let of_first = self.real.iter().filter(|(stage, _)| stage == first).count();
            let told = if of_first > MOST { MOST - 1 } else { of_first };
            let mut left = told;
            for (stage, what) in &self.real {
                let is_told = stage == first && left > 0;
                left -= usize::from(is_told);
                if !is_told {
                    found.push(format!("also {}", sentence(*stage, what)));
                }
            }
        }
        let all = found.len();
        if all > MAX_EVIDENCE {
            found.truncate(MAX_EVIDENCE);
            found.push(format!("and {} more changes", all - MAX_EVIDENCE));
        }
        found.extend(self.words.iter().map(|(_, what)| what.clone()));
        found.extend(self.rounding.iter().map(|(stage, what)| sentence(*stage, what)));
        if !self.spelled.is_empty() {
            found.push(format!(
                "spelled otherwise, with the same content: {}",
                self.spelled.join(", ")
            ));
        }
        found
    }
}

/// Whether a material has a texture, or the record does not say.
fn has_textures(scene: &[Subject], shader: &str) -> bool {
    let name = format!("surface {shader:?}");
    let own = scene.iter().find(|subject| subject.name == name);
    own.is_none_or(|own| Surface { name, values: own.values.clone() }.has_textures())
}

/// A stage and its sentence; the scene names itself.
pub(super) fn sentence(stage: Stage, what: &str) -> String {
    if stage == Stage::Scene { what.to_owned() } else { format!("{stage}: {what}") }
}

/// The textures whose files changed, and whether their texels did.
fn textures<'a>(old: &'a FrameRecord, new: &'a FrameRecord) -> Vec<(&'a AssetRecord, bool)> {
    // One that is gone is told with its material.
    let is_there = |asset: &&AssetRecord| new.assets.iter().any(|now| now.name == asset.name);
    let files = changed(&old.assets, &new.assets).into_iter().filter(|asset| asset.is_texture);
    let files = files.filter(is_there);
    files
        .filter_map(|asset| {
            let before = old.assets.iter().find(|before| before.name == asset.name)?;
            // Files that hold no texels are read by way of their materials.
            let texels = [before, asset].map(|asset| asset.texels.as_deref());
            match texels {
                [Some(before), Some(now)] => Some((asset, before != now)),
                _ => None,
            }
        })
        .collect()
}

/// The first difference of joints or vertices in this frame that no edit explains; the stage and the sentence.
pub(in crate::record) fn unexplained(
    before: &FrameRecord,
    new: &FrameRecord,
    is_harmless: bool,
) -> Option<(Stage, String)> {
    let pose = pose::differences(before, new, is_harmless).filter(|(_, is_little)| !is_little);
    let pose = pose.map(|(what, _)| (Stage::Pose, what));
    pose.or_else(|| skin::differences(before, new, is_harmless).map(|what| (Stage::Skin, what)))
}
