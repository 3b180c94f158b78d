//! The camera fit stored with goldens, with the range of a depth view, and its motion as a fraction
//! of the picture.

use super::checked::Checked;
use super::golden_renderer::GoldenRenderer;
use super::read_record::RecordError;
use super::scene::GoldenScene;
use super::verdict::Verdict;
use crate::record::{AssetRecord, Extents, FrameRecord};
use std::collections::BTreeSet;
use std::path::Path;
use tintype_render::RenderError;
use tintype_scene::FrameNumber;

/// Movement of a fit above which it fails, as a fraction of the picture.
const MAX_MOVED: f64 = 0.01;
/// The record beside a golden, read before its frame is drawn.
pub(super) struct Kept {
    pub record: Result<FrameRecord, RecordError>,
    /// The extents for drawing the frame; the current ones if none are kept.
    pub extents: Extents,
}

impl GoldenRenderer<'_> {
    /// The movement from a kept fit to the current one, as a fraction of the picture.
    pub(super) fn moved(&self, frame: FrameNumber, kept: &Kept) -> Result<f64, RenderError> {
        kept.extents.fit.map_or(Ok(0.0), |fit| self.renderer.moved_from(frame, fit))
    }
}

impl GoldenScene {
    /// The record beside the golden of a frame, and its extents. A frame without a record uses
    /// those of another frame of the scene.
    pub(super) fn kept(&self, drawing: &GoldenRenderer, frame: FrameNumber) -> Kept {
        let read = |file: &Path| drawing.reader.read(file);
        let record = read(&self.file(frame));
        let has_extents =
            drawing.renderer.fit().is_some() || drawing.viewer.depth_range().is_some();
        if drawing.refits || !has_extents {
            return Kept { record, extents: Extents::default() };
        }
        let of = |record: &FrameRecord| record.kept_extents(drawing.values());
        let of_others = || {
            let files =
                self.frames().into_iter().flat_map(|own| [self.file(own), self.picture(own)]);
            let own = files.filter_map(|file| read(&file).ok()).find_map(|record| of(&record));
            let has_same_files =
                |left: &&FrameRecord| digests_of(&left.assets) == digests_of(&drawing.records);
            let left = || self.left_records.iter().filter(has_same_files).find_map(of);
            own.or_else(left).unwrap_or_default()
        };
        let extents = match &record {
            Ok(record) => of(record).unwrap_or_default(),
            Err(_) => *drawing.kept.get_or_init(of_others),
        };
        Kept { record, extents }
    }

    /// True if the current fit is so far from one that a golden keeps that a test fails.
    pub(super) fn has_moved_fit(&self, drawing: &GoldenRenderer) -> Result<bool, RenderError> {
        let moved = |frame| drawing.moved(frame, &self.kept(drawing, frame));
        let moved = self.frames().into_iter().map(moved).collect::<Result<Vec<f64>, _>>()?;
        Ok(moved.into_iter().any(|share| share > MAX_MOVED))
    }

    /// The failure of a scene whose fit moved by a fraction of the picture; it is reported for no
    /// frame, and for no view beside its scene.
    pub(super) fn moved_fit(&self, share: f64) -> Option<Checked> {
        let path = if self.name.is_some() { &self.folder } else { &self.path };
        let fails = share > MAX_MOVED && self.has_pictures() && self.view.is_none();
        fails.then(|| Checked::new(path.clone(), Verdict::FitMoved(share)))
    }
}

fn digests_of(files: &[AssetRecord]) -> BTreeSet<&str> {
    files.iter().map(|file| file.digest.as_str()).collect()
}
