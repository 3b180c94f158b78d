//! Compares the goldens of one scene with the current frames.

use super::checked::{Basis, Checked, CheckedScene, standing};
use super::error::GoldenError;
use super::fit::Kept;
use super::golden_renderer::{GoldenRenderer, RenderedFrame};
use super::known::KnownReason;
use super::newer::newer_revision;
use super::paths::alternatives;
use super::read_record::RecordError;
use super::renamed::with_renamed;
use super::scene::GoldenScene;
use super::verdict::Verdict;
use crate::record::{FrameRecord, find_hidden, unseen_edits};
use blake3::hash;
use rayon::prelude::*;
use std::path::Path;
use tintype_base::diagnostic::{Diagnostic, Kind, Place};
use tintype_base::disk::{if_there, read_regular};
use tintype_compare::{Mask, compare, judge};
use tintype_model::Rule;
use tintype_model::frame::{Frame, PIXEL_REVISION};
use tintype_model::math::larger;
use tintype_output::{Provenance, decode_any_png};
use tintype_raster::RasterOptions;
use tintype_render::RenderError;
use tintype_scene::FrameNumber;

impl GoldenScene {
    /// Compares every golden with the current frame; a golden passes if one of the accepted
    /// pictures of its frame does.
    ///
    /// Frames are drawn in parallel, because they are small; `wanted` selects by number and
    /// interrupts nothing. If a picture differs, its record is compared with the current stages.
    ///
    /// # Errors
    /// [`GoldenError`] if a file of the scene is missing or broken, a clip does not fit, or a
    /// folder cannot be read.
    pub fn check(
        &self,
        wanted: impl Fn(FrameNumber) -> bool + Sync,
    ) -> Result<CheckedScene, GoldenError> {
        let assets = self.load().map_err(|error| with_renamed(self, error))?;
        let drawing = GoldenRenderer::new(self, assets)?;
        let frames = self.frames();
        let check = |&frame: &FrameNumber| {
            wanted(frame).then(|| {
                let kept = self.kept(&drawing, frame);
                let moved = drawing.moved(frame, &kept)?;
                let checked = if self.has_pictures() {
                    let live = drawing.draw(frame, kept.extents)?;
                    self.check_frame(&drawing, frame, kept, live)?
                } else {
                    self.check_record(&drawing, frame, kept)?
                };
                Ok((checked, moved))
            })
        };
        let checked =
            frames.par_iter().filter_map(check).collect::<Result<Vec<_>, GoldenError>>()?;
        let (mut goldens, moved): (Vec<Checked>, Vec<f64>) = checked.into_iter().unzip();
        let mut warnings = drawing.warnings();
        warnings.extend(self.of_known(&goldens, frames.len()));
        goldens.extend(self.moved_fit(moved.into_iter().fold(0.0, larger)));
        Ok(CheckedScene { goldens, warnings })
    }

    /// Warnings about known changes: those that have ended, and unneeded ones if all frames were
    /// compared.
    fn of_known(&self, goldens: &[Checked], frames: usize) -> Vec<Diagnostic> {
        let warning = |text: String| Diagnostic::warning(Kind::Value, Place::None, text);
        let all = self.scene.golden.iter().flat_map(|golden| &golden.known);
        let mut found = Vec::new();
        for known in all {
            let reason = KnownReason::Stated(known.clone());
            let is_needed = |one: &Checked| matches!(&one.verdict, Verdict::Known(change) if change.reasons.contains(&reason));
            match (known.until, self.today) {
                (Some(until), Some(today)) if until < today => found.push(warning(format!(
                    "the known change {:?} expired on {until}: fix it, bless the goldens, or extend its date",
                    known.reason
                ))),
                (_, Some(_)) if goldens.len() == frames && goldens.iter().all(|one| one.verdict.passes()) && !goldens.iter().any(is_needed) => {
                    found.push(warning(format!(
                        "no golden needs the known change {reason}: remove it from [golden]"
                    )));
                }
                _ => {}
            }
        }
        found
    }

    /// Compares the joints and vertices of one frame with those of its record, for scenes without
    /// pictures.
    pub(super) fn check_record(
        &self,
        drawing: &GoldenRenderer,
        number: FrameNumber,
        kept: Kept,
    ) -> Result<Checked, GoldenError> {
        let path = self.file(number);
        let (golden, newer) = standing(&path);
        let basis = Some(Basis { inputs: drawing.inputs, golden });
        let staged = drawing.stage(number, kept.extents.fit)?;
        let new = FrameRecord::without_picture(drawing.shared(), &drawing.renderer, &staged);
        let (mut cause, mut notes) = (None, Vec::new());
        let verdict = match kept.record {
            Ok(old) => {
                cause = find_hidden(&old, &new, self.pose_rule().unwrap_or_default());
                if cause.is_none() {
                    notes.extend(unseen_edits(&old, &new).iter().map(ToString::to_string));
                }
                if cause.is_some() { Verdict::Moved } else { Verdict::Same }
            }
            Err(RecordError::Missing) => Verdict::Missing,
            Err(RecordError::Unread(error)) => Verdict::Unread(error),
            Err(RecordError::Text(error)) => Verdict::BadRecord(error),
        };
        let frame = Some(number.0);
        Ok(Checked { frame, cause, notes, basis, newer, ..Checked::new(path, verdict) })
    }

    /// Compares the accepted pictures of one frame with the current one.
    pub(super) fn check_frame(
        &self,
        drawing: &GoldenRenderer,
        number: FrameNumber,
        kept: Kept,
        live: RenderedFrame,
    ) -> Result<Checked, GoldenError> {
        let mut one = self.nearest(drawing, number, &live)?;
        let allowed = self.allowed(&drawing.renderer, &live.staged, number)?;
        if let (Verdict::Different(_), Some(golden)) = (&one.verdict, &one.golden)
            && let Some(change) = allowed.explains(golden, &live.frame)
        {
            one.verdict = Verdict::Known(change);
        }
        let is_own = one.path == self.file(number);
        let record = if is_own { kept.record } else { drawing.reader.read(&one.path) };
        let old = self.explain(&mut one, record, drawing, &live)?;
        if one.verdict.passes() {
            self.check_hidden(&mut one, old, &allowed, drawing, &live)?;
        }
        match &live.nothing_seen {
            Some(why)
                if one.verdict.passes()
                    || matches!(one.verdict, Verdict::Missing | Verdict::Hidden) =>
            {
                one.verdict = Verdict::Empty(why.clone());
            }
            Some(why) => one.notes.push(format!("nothing is visible in the new picture: {why}")),
            None => {}
        }
        if matches!(one.verdict, Verdict::Same) {
            one.golden = None;
        } else {
            one.live = Some(live.frame);
        }
        one.own_fit = live.staged.fit.filter(|_| live.staged.fit != drawing.renderer.fit());
        Ok(one)
    }

    /// Finds the accepted picture of a frame that is closest to the current one.
    fn nearest(
        &self,
        drawing: &GoldenRenderer,
        number: FrameNumber,
        live: &RenderedFrame,
    ) -> Result<Checked, GoldenError> {
        let own = self.file(number);
        // Before the comparison: a later change of the file is another golden.
        let (of_own, newer_record) = standing(&own);
        let against = GoldenComparison { rule: self.rule(), drawing, live };
        let (mut verdict, mut golden, newer_picture) = verdict(&own, &against)?;
        let mut path = own.clone();
        if !verdict.passes() {
            for other in alternatives(&own)? {
                let (second, picture, _) = self::verdict(&other, &against)?;
                if second.distance() < verdict.distance() || matches!(verdict, Verdict::Missing) {
                    (verdict, golden, path) = (second, picture, other);
                }
            }
        }
        let newer = newer_record.or(newer_picture);
        // If an alternative is right, its record is written.
        let (files, newer) = if path == own {
            (of_own, newer)
        } else {
            let (of_other, newer_other) = standing(&path);
            (hash(&[of_own, of_other].map(|one| *one.as_bytes()).concat()), newer.or(newer_other))
        };
        let basis = Some(Basis { inputs: drawing.inputs, golden: files });
        let frame = Some(number.0);
        Ok(Checked { frame, golden, basis, newer, ..Checked::new(path, verdict) })
    }
}

/// The new picture and the rule for comparing goldens.
struct GoldenComparison<'a> {
    rule: Rule,
    drawing: &'a GoldenRenderer<'a>,
    live: &'a RenderedFrame,
}

impl GoldenComparison<'_> {
    /// Pixels covered by a model, in the new picture or in the golden.
    fn mask(&self, golden: &Frame) -> Result<Option<Mask>, RenderError> {
        let RenderedFrame { staged, frame, .. } = self.live;
        let renderer = &self.drawing.renderer;
        let size = [frame.width, frame.height];
        let seen = renderer.visible_fragments(staged, RasterOptions::default())?;
        let covered = Mask::of_pixels(size, seen.iter().map(|point| point.pixel));
        let of_golden = Mask::of_picture(golden, Some(&renderer.draw_background(staged)?));
        let is_same_size = size == [golden.width, golden.height];
        Ok(of_golden.filter(|_| is_same_size).map(|of_golden| covered.joined(&of_golden)))
    }
}

/// The verdict on one golden picture, its pixels, and its pixel revision in words if that is newer
/// than this program's.
fn verdict(
    golden: &Path,
    against: &GoldenComparison,
) -> Result<(Verdict, Option<Frame>, Option<String>), RenderError> {
    let bytes = match if_there(read_regular(golden)) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Ok((Verdict::Missing, None, None)),
        Err(error) => return Ok((Verdict::Unread(error), None, None)),
    };
    let (expected, text) = match decode_any_png(&bytes) {
        Ok(decoded) => decoded,
        Err(error) => return Ok((Verdict::Unreadable(error), None, None)),
    };
    let own = Provenance::from_text(&text).ok().map(|provenance| provenance.pixel_revision);
    let newer = own.and_then(newer_revision);
    let live = &against.live.frame;
    let difference = compare(&expected, live);
    // A golden from elsewhere has no pixel revision, and its rule is perceptual.
    if against.rule != Rule::Exact {
        let verdict = match difference {
            None => Verdict::Same,
            Some(_) => {
                let mask = against.mask(&expected)?;
                let judgement = judge(against.rule, &expected, live, mask.as_ref());
                if judgement.passes {
                    Verdict::Within(judgement)
                } else {
                    Verdict::Beyond(judgement)
                }
            }
        };
        return Ok((verdict, Some(expected), newer));
    }
    // PNG optimizers drop the text of a file; its record, which is refreshed beside an unchanged
    // picture, has the revision too.
    let revision = || {
        let record = against.drawing.reader.read(golden).ok().map(|record| record.pixel_revision);
        own.max(record)
    };
    let verdict = match difference {
        None => Verdict::Same,
        Some(difference) => match revision() {
            Some(PIXEL_REVISION) => Verdict::Different(difference),
            found => Verdict::OtherRevision { found, difference },
        },
    };
    Ok((verdict, Some(expected), newer))
}
