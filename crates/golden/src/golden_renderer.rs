//! Frames for comparison with goldens, and their records.

use super::error::GoldenError;
use super::read_record::RecordReader;
use super::scene::GoldenScene;
use crate::record::{
    AssetRecord, Extents, FrameRecord, SceneRecord, Subject, asset_records, golden_camera,
    scene_values,
};
use blake3::{Hash, Hasher};
use std::sync::{Arc, OnceLock};
use tintype_base::deadline::Deadline;
use tintype_base::diagnostic::Diagnostic;
use tintype_model::frame::Frame;
use tintype_raster::RasterOptions;
use tintype_render::aov::{Shown, Viewer};
use tintype_render::asset::Assets;
use tintype_render::{Drawn, RenderError, Renderer, Staged, why_nothing_is_seen};
use tintype_scene::{Fit, FrameNumber};

/// Scene, assets and options for drawing frames.
pub(super) struct GoldenRenderer<'a> {
    pub renderer: Renderer,
    /// The files behind it.
    pub records: Vec<AssetRecord>,
    /// Draws the view, if the compared picture is a view.
    pub viewer: Viewer<'a>,
    /// Parts of the records of its frames, made when the first of them is needed.
    shared: OnceLock<SceneRecord>,
    /// Reads the records beside its goldens.
    pub reader: RecordReader,
    /// Digest of the scene and its files.
    pub inputs: Hash,
    /// Parameters of the scene, without textures.
    pub values: OnceLock<Vec<Subject>>,
    /// The extents stored in goldens of the scene; read once needed for a golden without a record.
    pub kept: OnceLock<Extents>,
    /// True to draw goldens with the current extents instead of those that they keep.
    pub refits: bool,
}

/// The current frame.
pub(super) struct RenderedFrame {
    pub staged: Staged,
    /// The picture, or the view of it.
    pub frame: Frame,
    /// Legend of a view.
    pub legend: Option<String>,
    /// The reason why the picture is empty. None if it is not.
    pub nothing_seen: Option<String>,
    /// The scale of a view of depth.
    pub depth: Option<[f64; 2]>,
}

impl<'a> GoldenRenderer<'a> {
    pub(super) fn new(golden: &'a GoldenScene, assets: Arc<Assets>) -> Result<Self, GoldenError> {
        let records = asset_records(&golden.scene, &assets);
        let renderer = Renderer::new(golden.scene.clone(), assets, &Deadline::NEVER)?;
        let viewer = Viewer::new(&renderer, golden.view.as_slice())?;
        let mut hasher = Hasher::new();
        hasher.update(renderer.digest().as_bytes());
        records.iter().for_each(|one| {
            hasher.update(one.name.as_bytes()).update(one.digest.as_bytes());
        });
        let inputs = hasher.finalize();
        Ok(Self {
            inputs,
            renderer,
            records,
            viewer,
            shared: OnceLock::new(),
            reader: RecordReader::default(),
            values: OnceLock::new(),
            kept: OnceLock::new(),
            refits: false,
        })
    }

    pub(super) fn values(&self) -> &[Subject] {
        self.values.get_or_init(|| scene_values(&self.renderer))
    }

    /// Poses and skins a frame, using a kept fit or the current one.
    pub(super) fn stage(
        &self,
        frame: FrameNumber,
        fit: Option<Fit>,
    ) -> Result<Staged, RenderError> {
        let staged = self.renderer.stage(frame)?;
        fit.into_iter().try_fold(staged, |staged, fit| self.renderer.refit(staged, fit))
    }

    /// The parts of a record common to all frames of the scene.
    pub(super) fn shared(&self) -> &SceneRecord {
        self.shared.get_or_init(|| SceneRecord::new(&self.renderer))
    }

    /// Draws a frame of the scene, using kept extents or the current ones.
    pub(super) fn draw(
        &self,
        frame: FrameNumber,
        Extents { fit, depth }: Extents,
    ) -> Result<RenderedFrame, GoldenError> {
        let staged = self.stage(frame, fit)?;
        let viewer = depth.map(|depth| self.viewer.with_depth_range(depth));
        let viewer = viewer.as_ref().unwrap_or(&self.viewer);
        let depth = viewer.depth_range();
        let Drawn { frame, counts, .. } =
            self.renderer.draw_staged(&staged, RasterOptions::default())?;
        let uncovered = why_nothing_is_seen(&staged, &counts);
        let views = viewer.draw(&self.renderer, &staged, &frame, RasterOptions::default())?;
        Ok(match views.into_iter().next() {
            Some(Shown { frame, legend, .. }) => RenderedFrame {
                staged,
                frame,
                legend: Some(legend),
                nothing_seen: uncovered,
                depth,
            },
            None => {
                // A model may cover pixels without changing them: if it is transparent, or has the
                // colour of the background.
                let nothing_seen = match uncovered {
                    None if frame == self.renderer.draw_without_models(&staged)? => {
                        Some("only the background is visible".to_owned())
                    }
                    known => known,
                };
                RenderedFrame { staged, frame, legend: None, nothing_seen, depth }
            }
        })
    }

    /// The current frame through the golden's camera, if a fitted camera moved. None for a view.
    pub(super) fn through_golden_camera(
        &self,
        old: &FrameRecord,
        new: &FrameRecord,
        live: &RenderedFrame,
    ) -> Result<Option<Frame>, RenderError> {
        let camera = golden_camera(old, new, &live.staged.camera);
        let Some(camera) = camera.filter(|_| live.legend.is_none()) else { return Ok(None) };
        let staged = self.renderer.seen_by(live.staged.clone(), camera)?;
        Ok(Some(self.renderer.draw_staged(&staged, RasterOptions::default())?.frame))
    }

    /// Warnings about the files and clips of the scene.
    pub(super) fn warnings(&self) -> Vec<Diagnostic> {
        self.renderer.assets().warnings.iter().chain(self.renderer.warnings()).cloned().collect()
    }
}

impl GoldenScene {
    /// The record of the frame as drawn now.
    pub(super) fn frame_record(
        &self,
        drawing: &GoldenRenderer,
        live: &RenderedFrame,
    ) -> Result<FrameRecord, RenderError> {
        let RenderedFrame { staged, frame, .. } = live;
        let mut record = FrameRecord::new(drawing.shared(), &drawing.renderer, staged, frame)?;
        record.extents.depth = live.depth;
        if self.name.is_some() {
            leave_out_clips(&mut record, drawing);
        }
        Ok(record)
    }
}

/// Removes the list of clips from the record of one clip of a library, so that adding or removing
/// another clip does not change it, and the frame rate, which belongs to the clip.
fn leave_out_clips(record: &mut FrameRecord, drawing: &GoldenRenderer) {
    record.scene.retain(|subject| !subject.is_clip_of_model());
    for subject in record.scene.iter_mut().filter(|subject| subject.name == "output") {
        subject.values.retain(|(key, _)| key != "fps");
    }
    let instances = record.scene.iter_mut().filter(|own| own.numbered("instance").is_some());
    for subject in instances {
        subject.values.retain(|(key, _)| key != "clip");
    }
    let clips: Vec<&str> = drawing
        .renderer
        .assets()
        .models
        .iter()
        .flat_map(|model| &model.clips)
        .map(|clip| clip.file.as_str())
        .collect();
    let models: Vec<&str> =
        drawing.renderer.scene().models.iter().map(|model| model.file.as_str()).collect();
    record.assets.retain(|asset| {
        models.contains(&asset.name.as_str()) || !clips.contains(&asset.name.as_str())
    });
}
