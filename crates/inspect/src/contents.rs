//! The report about a file, from its loaded content.

use super::lint::{Problem, check_clip, check_model};
use super::print_page;
use super::record::{
    FileSummary, InspectReport, MaterialSummary, NamedClip, NamedModel, SceneSummary,
    ThumbnailRecord,
};
use super::summary::{CameraSummary, ClipSummary, ModelSummary};
use std::convert::Infallible;
use std::io;
use std::path::{Path, PathBuf};
use tintype_base::diagnostic::Kind;
use tintype_base::precedence::Decided;
use tintype_base::printable::{printable, printable_json};
use tintype_formats::{Files, LoadOptions};
use tintype_framing::{ClipsBeside, ModelAxes, clip_choice};
use tintype_model::{CameraClip, Clip, ClipOptions};
use tintype_render::asset::{Assets, LoadedModel, MaterialOrigin};
use tintype_scene::{Scene, decide_clip};

impl InspectReport {
    /// An empty report about a file.
    fn new(file: String) -> Self {
        Self {
            version: 1,
            file,
            files: None,
            scene: None,
            models: Vec::new(),
            clip: None,
            clips: Vec::new(),
            camera: None,
            materials: Vec::new(),
            problems: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The report about an archive, or about a folder of one, with the files in it.
    #[must_use]
    pub fn of_archive(file: String, files: Vec<FileSummary>) -> Self {
        Self { files: Some(files), ..Self::new(file) }
    }

    /// The report about a file with one clip of that name.
    #[must_use]
    pub fn of_clip(file: String, name: &str, clip: &Clip) -> Self {
        let problems = check_clip(name, clip, &ClipOptions::default(), None);
        Self { problems, clip: Some(ClipSummary::of(clip, None)), ..Self::new(file) }
    }

    /// The report about a file with a camera.
    #[must_use]
    pub fn of_camera(file: String, camera: &CameraClip) -> Self {
        Self { camera: Some(CameraSummary::of(camera)), ..Self::new(file) }
    }

    /// The report about a model file, the only one of `scene`. If it contains clips and nothing that
    /// they could animate, and no other clips are given, the report is about these, and the warning
    /// about the missing mesh is removed.
    #[must_use]
    pub fn of_model_file(
        file: String,
        scene: &Scene,
        assets: &mut Assets,
        files: &Files,
        has_other_clips: bool,
    ) -> Self {
        let has_only_clips =
            |model: &LoadedModel| model.model.meshes.is_empty() && !model.clips.is_empty();
        if has_other_clips || !assets.models.iter().all(has_only_clips) {
            return Self::of_models(file, scene, assets, files, false);
        }
        assets.warnings.retain(|warning| warning.kind != Kind::NoMesh);
        Self::of_clips(file, assets)
    }

    /// Reports which of the clips beside an MD5 model its pictures show; returns their files.
    ///
    /// # Errors
    /// The error of the system if they cannot be listed or read.
    pub fn tell_clips_beside(
        &mut self,
        path: &Path,
        options: &LoadOptions,
    ) -> io::Result<Vec<PathBuf>> {
        // After the deadline, the report is without them.
        let beside = ClipsBeside::find(path, None, options)?.unwrap_or_default();
        if beside.files.is_empty() {
            return Ok(Vec::new());
        }
        let shown = beside.suited().next().and_then(Path::file_stem);
        let clip = shown.map(|stem| stem.to_string_lossy().into_owned());
        for model in &mut self.models {
            let reason = clip_choice::reason(clip.as_deref());
            model.thumbnail = Some(ThumbnailRecord { reason, clip: clip.clone() });
        }
        Ok(beside.files)
    }

    /// The report about a file with only clips.
    fn of_clips(file: String, assets: &Assets) -> Self {
        let mut page = Self::new(file);
        for loaded in &assets.models {
            page.clips.extend(loaded.clips.iter().map(|clip| NamedClip::of(clip, loaded)));
            for clip in &loaded.clips {
                page.problems.extend(check_clip(&clip.name, &clip.clip, &clip.options, None));
            }
        }
        page.problems.sort_by_key(|problem| problem.kind);
        page
    }

    /// The report about the models of a scene, read from `files`; `is_scene` if its file is that
    /// scene, not a model.
    #[must_use]
    pub fn of_models(
        file: String,
        scene: &Scene,
        assets: &Assets,
        files: &Files,
        is_scene: bool,
    ) -> Self {
        let models = scene.models.iter().zip(&assets.models).map(|(entry, loaded)| {
            let (clip, thumbnail) = shown_clip(loaded);
            let axes = ModelAxes::of(loaded, clip);
            NamedModel {
                name: entry.name.clone(),
                file: entry.file.clone(),
                hint: axes.as_ref().and_then(lying_down),
                orientation: axes.as_ref().map(ModelAxes::record),
                thumbnail,
                ticks_per_second: loaded.ticks.map(|ticks| ticks.per_second),
                ticks: loaded.ticks.map(|ticks| ticks.to_string()),
                clips: loaded.clips.iter().map(|clip| NamedClip::of(clip, loaded)).collect(),
                problems: problems(loaded, assets),
                facts: ModelSummary::of(&loaded.model),
            }
        });
        Self {
            models: models.collect(),
            camera: assets.camera.as_ref().map(CameraSummary::of),
            materials: MaterialSummary::all(assets, files),
            scene: is_scene.then(|| SceneSummary::of(scene, assets)),
            ..Self::new(file)
        }
    }

    /// All problems: of its models, then of clips without one.
    pub fn all_problems(&self) -> impl Iterator<Item = &Problem> {
        self.models.iter().flat_map(|model| &model.problems).chain(&self.problems)
    }

    /// The report as JSON.
    ///
    /// # Errors
    /// The message of the encoder.
    pub fn to_json(&self) -> Result<String, String> {
        let json = serde_json::to_string_pretty(self).map_err(|error| error.to_string())?;
        Ok(printable_json(&json) + "\n")
    }

    /// The report as a page of text; names of files, joints and materials may contain anything, and
    /// are escaped.
    #[must_use]
    pub fn to_text(&self, with_tree: bool) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = print_page(&mut text, self, with_tree);
        printable(&text).into_owned()
    }
}

/// Hint for a model that seems to lie with the axes of its format.
fn lying_down(axes: &ModelAxes) -> Option<String> {
    let (up, front) = (axes.up.word(), axes.front.word());
    (!axes.is_upright()).then(|| {
        format!("if the model lies on its back, set up = {up:?} and front = {front:?} in a scene")
    })
}

/// The index of the clip shown in a picture of a model with clips.
fn shown_clip(loaded: &LoadedModel) -> (Option<usize>, Option<ThumbnailRecord>) {
    if loaded.clips.is_empty() {
        return (None, None);
    }
    let guess = || {
        let found = clip_choice::best_clip(loaded, || Ok::<(), Infallible>(()))?;
        Ok::<_, Infallible>(found.map(|(index, _)| Some(index)))
    };
    let Ok(Decided { value: index, .. }) = decide_clip(None, None, None, guess);
    let clip = index.map(|index| loaded.clips[index].name.clone());
    (index, Some(ThumbnailRecord { reason: clip_choice::reason(clip.as_deref()), clip }))
}

/// Problems of a model and of each of its clips, by kind.
fn problems(loaded: &LoadedModel, assets: &Assets) -> Vec<Problem> {
    let is_textured: Vec<bool> = loaded
        .mesh_materials
        .iter()
        .map(|&index| {
            let origin = assets.material_reports.get(index).map(|report| report.origin);
            !origin.is_some_and(MaterialOrigin::is_missing)
                && assets.materials.get(index).is_some_and(|one| one.diffuse.is_some())
        })
        .collect();
    // Only MD5 files, which do not count in ticks, store a position for each weight.
    let mut problems = check_model(&loaded.model, &is_textured, loaded.ticks.is_none());
    for clip in &loaded.clips {
        problems.extend(check_clip(&clip.name, &clip.clip, &clip.options, Some(&loaded.model)));
    }
    problems.sort_by_key(|problem| problem.kind);
    problems
}
