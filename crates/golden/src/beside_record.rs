//! A golden picture beside its record: the cause of a difference, edits without visible pixels, and
//! unreadable records.

use super::checked::Checked;
use super::golden_renderer::{GoldenRenderer, RenderedFrame};
use super::known::{Allowed, KnownChange, KnownReason};
use super::newer::is_newer;
use super::read_record::RecordError;
use super::scene::GoldenScene;
use super::verdict::Verdict;
use crate::record::{
    AssetRecord, Evidence, FrameRecord, Subject, TextError, changed, find_cause, find_hidden,
    is_rounding_alone, unseen_edits,
};
use tintype_compare::{Difference, compare};
use tintype_model::Rule;
use tintype_render::RenderError;

impl GoldenScene {
    /// Adds the findings from the record beside a golden to its verdict, and returns the record if
    /// it can be read.
    pub(super) fn explain(
        &self,
        one: &mut Checked,
        record: Result<FrameRecord, RecordError>,
        drawing: &GoldenRenderer,
        live: &RenderedFrame,
    ) -> Result<Option<FrameRecord>, RenderError> {
        let has_cause = matches!(
            one.verdict,
            Verdict::Same
                | Verdict::Different(_)
                | Verdict::Beyond(_)
                | Verdict::OtherRevision { .. }
        );
        match record {
            Ok(old) => {
                match one.verdict.difference().copied() {
                    _ if !has_cause => {}
                    Some(difference) => self.find_cause(one, &old, difference, drawing, live)?,
                    // The files of a library belong to all clips of a model.
                    None if self.name.is_some() => {}
                    None => self.note_unseen(one, &old, drawing, live)?,
                }
                Ok(Some(old))
            }
            Err(error) => {
                if has_cause {
                    self.tell_unread(one, error);
                }
                Ok(None)
            }
        }
    }

    /// The cause of a difference; differences from rounding alone are known.
    fn find_cause(
        &self,
        one: &mut Checked,
        old: &FrameRecord,
        difference: Difference,
        drawing: &GoldenRenderer,
        live: &RenderedFrame,
    ) -> Result<(), RenderError> {
        let new = self.frame_record(drawing, live)?;
        let pixels = live.frame.width as usize * live.frame.height as usize;
        if matches!(one.verdict, Verdict::Different(_))
            && let Some(change) = of_rounding(&difference, pixels)
            && is_rounding_alone(old, &new)
        {
            one.verdict = Verdict::Known(change);
            return Ok(());
        }
        let mut found = find_cause(old, &new, &difference);
        one.through_golden_camera = drawing.through_golden_camera(old, &new, live)?;
        if let (Some(frame), Some(golden)) = (&one.through_golden_camera, &one.golden) {
            found.evidence.push(Evidence::ThroughCamera(compare(golden, frame)));
        }
        one.cause = Some(found);
        Ok(())
    }

    /// Notes changes behind an unchanged picture.
    fn note_unseen(
        &self,
        one: &mut Checked,
        old: &FrameRecord,
        drawing: &GoldenRenderer,
        live: &RenderedFrame,
    ) -> Result<(), RenderError> {
        let files = changed_files(old, &drawing.records);
        if files.is_some() || has_other_values(old, drawing) {
            let new = self.frame_record(drawing, live)?;
            one.notes.extend(unseen_edits(old, &new).iter().map(ToString::to_string));
        }
        one.notes.extend(files);
        Ok(())
    }

    /// Reports why there is no record; an invalid one fails a golden that otherwise passes.
    fn tell_unread(&self, one: &mut Checked, error: RecordError) {
        let note = match error {
            // A golden from elsewhere has none.
            RecordError::Missing if self.rule() != Rule::Exact => return,
            RecordError::Missing => {
                "no record of its stages; write one with `tintype bless`".to_owned()
            }
            RecordError::Text(error) if is_newer(&error) => {
                format!("its record is from a newer version of tintype: {error}")
            }
            RecordError::Text(error @ TextError::Version { .. }) => {
                format!("{error}; write a new record with `tintype bless`")
            }
            // Must not be ignored if nothing else fails.
            RecordError::Unread(error) if one.verdict.passes() => {
                one.verdict = Verdict::Unread(error);
                return;
            }
            RecordError::Text(error) if one.verdict.passes() => {
                one.verdict = Verdict::BadRecord(error);
                return;
            }
            RecordError::Unread(error) => format!("its record cannot be read: {error}"),
            RecordError::Text(error) => format!("its record is unreadable: {error}"),
        };
        one.notes.push(note);
    }

    /// Compares joints and vertices behind a passing picture, if the scene requires them too.
    pub(super) fn check_hidden(
        &self,
        one: &mut Checked,
        old: Option<FrameRecord>,
        allowed: &Allowed,
        drawing: &GoldenRenderer,
        live: &RenderedFrame,
    ) -> Result<(), RenderError> {
        let Some(rule) = self.pose_rule() else { return Ok(()) };
        let Some(mut old) = old else {
            one.verdict = Verdict::NoRecord;
            return Ok(());
        };
        let new = self.frame_record(drawing, live)?;
        let known = allowed.lay_over(&mut old, &new);
        if let Some(found) = find_hidden(&old, &new, rule) {
            one.notes.clear();
            (one.verdict, one.cause) = (Verdict::Hidden, Some(found));
        } else if !known.reasons.is_empty() && matches!(one.verdict, Verdict::Same) {
            one.verdict = Verdict::Known(known);
        }
        Ok(())
    }
}

/// The known change of pixels caused by rounding of last digits. None if the difference is larger.
/// An edge must lie within a millionth of the model beside a sample point, so only a few pixels of
/// a picture differ.
fn of_rounding(difference: &Difference, pixels: usize) -> Option<KnownChange> {
    /// Maximum number of codes of a channel: for an edge that crosses one of the samples of a
    /// pixel.
    const MOST: u8 = 48;
    /// Maximum mean difference in codes over the picture.
    const MAX_MEAN: f64 = 0.01;
    /// Maximum number of pixels that differ by more than a code, in any picture, plus one per this
    /// many.
    const FEW: usize = 12;
    const MORE_IN: usize = 4000;
    match difference {
        Difference::Pixels(own)
            if own.largest <= MOST
                && own.mean <= MAX_MEAN
                && (own.largest == 1 || own.count <= FEW + pixels / MORE_IN) =>
        {
            Some(KnownChange { reasons: vec![KnownReason::Rounding], pixels: own.count })
        }
        _ => None,
    }
}

/// The sentence about files that changed without changing any pixel.
fn changed_files(old: &FrameRecord, now: &[AssetRecord]) -> Option<String> {
    let names: Vec<&str> =
        changed(&old.assets, now).into_iter().map(|asset| asset.name.as_str()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "{} changed but the picture did not; refresh the record with `tintype bless`",
            names.join(", ")
        )
    })
}

/// True if the values of the scene have changed since the golden was accepted.
fn has_other_values(old: &FrameRecord, drawing: &GoldenRenderer) -> bool {
    let sorted = |subjects: &[Subject]| {
        let mut subjects = subjects.to_vec();
        // Textures are files, compared by digest.
        subjects.iter_mut().for_each(|one| one.values.retain(|(key, _)| !key.contains("texture")));
        subjects.iter_mut().for_each(|subject| subject.values.sort_unstable());
        subjects.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        subjects
    };
    sorted(&old.scene) != sorted(drawing.values())
}
