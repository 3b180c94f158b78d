//! A scene with goldens: its golden frames, their files, and the rule of comparison.

use super::error::GoldenError;
use super::paths::{folder_of, record_of, rename, root_of};
use super::read_record::RecordReader;
use super::record::FrameRecord;
use super::record_file::is_record;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tintype_base::disk::read_regular_text;
use tintype_base::git::{LFS_POINTER, is_lfs_pointer};
use tintype_base::path::ShowPath;
use tintype_formats::LoadOptions;
use tintype_model::Rule;
use tintype_render::asset::{self, Assets, SharedFiles};
use tintype_scene::{
    Aov, Day, FrameNumber, FramePattern, MissingLook, PoseRule, Scene, parse_scene,
};

/// A scene with goldens: its pictures, or one of its views.
#[derive(Clone, Debug)]
pub struct GoldenScene {
    /// Its path.
    pub path: PathBuf,
    /// The folder of its goldens.
    pub folder: PathBuf,
    /// The golden folder above it, with the common parts of records.
    pub root: PathBuf,
    /// Limits and deadline of its files.
    pub load_options: LoadOptions,
    /// The name of a library clip, which has no scene file. None for a scene file.
    pub name: Option<String>,
    /// The scene of that clip as the text of a file beside the model.
    pub(super) text: Option<String>,
    /// The date of the test, against which the end of known changes is checked; without it none
    /// applies.
    pub today: Option<Day>,
    /// Files decoded for earlier scenes.
    pub(super) shared: Arc<SharedFiles>,
    /// Assets that are loaded already.
    pub(super) assets: Option<Arc<Assets>>,
    pub(super) scene: Scene,
    /// The view of the scene; `None` for its pictures.
    pub(super) view: Option<Aov>,
    /// A record of each folder of goldens without a scene: if the scene moved, one of them keeps
    /// its fit.
    pub(super) left_records: Arc<Vec<FrameRecord>>,
}

impl GoldenScene {
    /// The scene, with the size of its goldens.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Reads a scene; `root` is the golden folder if it differs from the rule of this module.
    ///
    /// # Errors
    /// [`GoldenError`] if it is not a scene, or lists no golden frame.
    pub fn read(path: &Path, root: Option<&Path>) -> Result<Self, GoldenError> {
        let failed = |source| GoldenError::Read { path: path.into(), source };
        let text = read_regular_text(path).map_err(failed)?;
        if is_lfs_pointer(text.as_bytes()) {
            return Err(failed(std::io::Error::other(LFS_POINTER)));
        }
        if is_record(path) {
            return Err(GoldenError::Record { path: path.into() });
        }
        let mut scene = parse_scene(&text, &path.shown())
            .map_err(|source| GoldenError::Scene { path: path.into(), source })?;
        let Some(golden) = &scene.golden else {
            return Err(GoldenError::NoGolden { path: path.into() });
        };
        scene.output.size = golden.size;
        scene.missing = Some(MissingLook::Checker);
        let folder = folder_of(path, root);
        Ok(Self {
            path: path.into(),
            folder,
            root: root_of(path, root),
            scene,
            load_options: LoadOptions::default(),
            name: None,
            text: None,
            today: None,
            shared: Arc::default(),
            assets: None,
            view: None,
            left_records: Arc::default(),
        })
    }

    /// Makes the goldens of a scene in memory from its list `golden`, with loaded assets. `path` is
    /// used in messages, `folder` contains the goldens and the parts of their records.
    #[must_use]
    pub fn of_scene(
        mut scene: Scene,
        assets: Arc<Assets>,
        [path, folder]: [PathBuf; 2],
        name: Option<String>,
    ) -> Self {
        if let Some(golden) = &scene.golden {
            scene.output.size = golden.size;
        }
        Self {
            path,
            root: folder.clone(),
            folder,
            load_options: LoadOptions::default(),
            name,
            text: None,
            today: None,
            shared: Arc::default(),
            assets: Some(assets),
            scene,
            view: None,
            left_records: Arc::default(),
        }
    }

    /// Assigns goldens without a scene to the scenes, including those of scenes that moved.
    pub fn tell_left<'a>(scenes: &mut [Self], left: impl Iterator<Item = &'a Path>) {
        let mut folders: BTreeMap<Option<&Path>, &Path> = BTreeMap::new();
        left.for_each(|one| _ = folders.entry(one.parent()).or_insert(one));
        let reader = RecordReader::default();
        let records = folders.values().filter_map(|path| reader.read(path).ok());
        let records = Arc::new(records.collect());
        scenes.iter_mut().for_each(|scene| scene.left_records = Arc::clone(&records));
    }

    /// The goldens of the scene's pictures, followed by those of each view.
    #[must_use]
    pub fn with_views(self) -> Vec<Self> {
        let of_view = |view: &Aov| Self { view: Some(view.clone()), ..self.clone() };
        let views = self.scene.output.aov.iter().filter(|_| self.has_pictures());
        let views: Vec<Self> = views.map(of_view).collect();
        core::iter::once(self).chain(views).collect()
    }

    /// The view of the scene; `None` for its pictures.
    #[must_use]
    pub fn view(&self) -> Option<&Aov> {
        self.view.as_ref()
    }

    /// The golden frames of the scene.
    #[must_use]
    pub fn frames(&self) -> Vec<FrameNumber> {
        let golden = self.scene.golden.iter().flat_map(|golden| golden.frames.iter());
        golden.filter(|&frame| self.scene.output.frames.contains(frame)).collect()
    }

    /// Rule for comparing frames with their goldens.
    #[must_use]
    pub fn rule(&self) -> Rule {
        self.scene.golden.as_ref().map_or(Rule::Exact, |golden| golden.rule)
    }

    /// Bound of the joints and vertices of the pictures; `None` if only pixels count.
    #[must_use]
    pub fn pose_rule(&self) -> Option<PoseRule> {
        self.scene.golden.as_ref()?.pose
    }

    /// True if its goldens are pictures; otherwise they are records of joints and vertices.
    #[must_use]
    pub fn has_pictures(&self) -> bool {
        self.scene.golden.as_ref().is_none_or(|golden| golden.pictures)
    }

    /// Frames per second, to show them as a sequence.
    #[must_use]
    pub fn fps(&self) -> f64 {
        self.scene.output.fps
    }

    /// The file of a frame's golden: a picture, or a record if the scene has no golden pictures.
    #[must_use]
    pub fn file(&self, frame: FrameNumber) -> PathBuf {
        if !self.has_pictures() {
            return record_of(&self.picture(frame));
        }
        let pattern = FramePattern::parse("####.png").map(|pattern| match &self.view {
            Some(view) => pattern.beside(&view.file_word()),
            None => pattern,
        });
        self.folder.join(pattern.map_or_else(|_| frame.to_string(), |name| name.file_name(frame)))
    }

    /// The file of a frame's golden picture, also for a view.
    pub(super) fn picture(&self, frame: FrameNumber) -> PathBuf {
        let pattern = FramePattern::parse("####.png");
        self.folder.join(pattern.map_or_else(|_| frame.to_string(), |name| name.file_name(frame)))
    }

    /// Names the goldens by the second of two folders, if they are in the first.
    pub fn name_goldens(&mut self, folders: &[PathBuf; 2]) {
        [&mut self.folder, &mut self.root].into_iter().for_each(|path| rename(path, folders));
    }

    /// The folder that its file names are relative to.
    pub(super) fn base(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// Loads the assets of the scene.
    pub(super) fn load(&self) -> Result<Arc<Assets>, GoldenError> {
        if let Some(assets) = &self.assets {
            return Ok(Arc::clone(assets));
        }
        Ok(Arc::new(asset::load_shared(
            &self.scene,
            self.base(),
            &self.load_options,
            &self.shared,
        )?))
    }
}
