//! A model file opened by its path: its joints, its clips, and its posed meshes.

use super::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tintype_formats::LoadOptions;
use tintype_host::write_atomic;
use tintype_model::disk::text_of_path;
use tintype_model::pose::{bind_clip, bind_pose, sample_clip, wrap_time};
use tintype_model::skin::{SkinMatrices, skin_mesh};
use tintype_model::{Joint, Mesh, MorphWeight, Pose, PosedMesh};
use tintype_output::encode_obj;
use tintype_render::asset::{self, LoadedClip, LoadedModel, MorphName, set_morphs};
use tintype_scene::SceneBuilder;
use tintype_scene::builder::ModelBuilder;

/// A model file with its skeleton, meshes and clips. Clones share the data.
///
/// ```
/// let model = tintype::Model::open("scenes/assets/ranger.x")?;
/// let clip = model.clips().next().expect("the file has a clip");
/// let posed = model.pose(clip.name(), 0.5)?;
/// assert_eq!(posed.meshes.len(), model.meshes().len());
/// # Ok::<(), tintype::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    path: PathBuf,
    loaded: Arc<LoadedModel>,
}

/// A clip of a [`Model`].
#[derive(Clone, Copy, Debug)]
pub struct Clip<'a> {
    loaded: &'a LoadedClip,
}

/// A model at one moment.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PosedModel {
    model: Arc<tintype_model::Model>,
    /// Joint matrices, from joint space to model space, in the order of [`Model::joints`].
    pub pose: Pose,
    /// Positions and normals in model space, in the order of [`Model::meshes`].
    pub meshes: Vec<PosedMesh>,
    /// For each mesh, whether it is drawn: a glTF file or its clip may hide some of them.
    pub is_shown: Vec<bool>,
}

impl Model {
    /// Opens a model file; its format is recognized by its content. Textures are not read.
    ///
    /// # Errors
    /// [`Error::Asset`] if the file cannot be read, or is no model.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(path, &[] as &[&Path], &LoadOptions::default())
    }

    /// Opens a model file with clips of other files, which replace those of its own, and with limits and a deadline.
    ///
    /// # Errors
    /// As [`Model::open`].
    pub fn open_with<P: AsRef<Path>>(
        path: impl AsRef<Path>,
        clips: &[P],
        options: &LoadOptions,
    ) -> Result<Self, Error> {
        let path = path.as_ref().to_owned();
        let text = text_of_path;
        let model = clips.iter().fold(ModelBuilder::new(text(&path)), |model, clip| {
            model.clip(text(clip.as_ref()).as_str())
        });
        let scene = SceneBuilder::new().model(model).build(&text(&path))?;
        let mut opened = asset::open(&scene, Path::new(""), options, None)?;
        let loaded = Arc::new(opened.models.swap_remove(0));
        Ok(Self { path, loaded })
    }

    /// The file of the model.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Joints in the bind pose, parents before children.
    #[must_use]
    pub fn joints(&self) -> &[Joint] {
        self.loaded.model.skeleton.joints()
    }

    /// Meshes with their triangles and texture coordinates.
    #[must_use]
    pub fn meshes(&self) -> &[Mesh] {
        &self.loaded.model.meshes
    }

    /// Clips, in the order of their files.
    pub fn clips(&self) -> impl Iterator<Item = Clip<'_>> {
        self.loaded.clips.iter().map(|loaded| Clip { loaded })
    }

    /// Morph targets: their names, and the weights that the file gives them. [`Model::pose_with`] sets others.
    #[must_use]
    pub fn morphs(&self) -> &[MorphWeight] {
        self.loaded.model.skeleton.morphs()
    }

    /// The model in its bind pose.
    #[must_use]
    pub fn bind_pose(&self) -> PosedModel {
        self.skinned(bind_pose(&self.loaded.model.skeleton))
    }

    /// The model at a moment of a clip, in seconds from the clip's start. Beyond the ends the clip goes on as its file says.
    ///
    /// # Errors
    /// [`Error::NoSuchClip`] if no clip has the name, [`Error::Bind`] if the clip moves no joint of the model.
    pub fn pose(&self, clip: &str, time_s: f64) -> Result<PosedModel, Error> {
        Ok(self.skinned(self.sampled(clip, time_s)?))
    }

    /// As [`Model::pose`], with weights of morph targets in place of those of the clip; without a clip the bind pose. A target is meant
    /// by its name, by `JOINT/NAME`, by a pattern with `*`, or by its number; a name overrules a pattern, and the later of two names
    /// the earlier.
    ///
    /// ```
    /// let model = tintype::Model::open("scenes/assets/ranger.glb")?;
    /// let names: Vec<&str> = model.morphs().iter().map(|morph| morph.name.as_str()).collect();
    /// let posed = model.pose_with(Some("walk"), 0.5, &[(names[0].into(), 1.0), (1.into(), 0.5)])?;
    /// assert_eq!(posed.pose.morphs[0], 1.0);
    /// # Ok::<(), tintype::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Model::pose`], and [`Error::Morph`] if no target has a name, or a weight is not from -1000 to 1000.
    pub fn pose_with(
        &self,
        clip: Option<&str>,
        time_s: f64,
        morphs: &[(MorphName, f32)],
    ) -> Result<PosedModel, Error> {
        let skeleton = &self.loaded.model.skeleton;
        let mut pose = match clip {
            Some(clip) => self.sampled(clip, time_s)?,
            None => bind_pose(skeleton),
        };
        let set = set_morphs(skeleton, morphs, &mut pose.morphs);
        set.map_err(|source| Error::Morph { path: self.path.clone(), source })?;
        Ok(self.skinned(pose))
    }

    fn sampled(&self, clip: &str, time_s: f64) -> Result<Pose, Error> {
        let model = &self.loaded.model;
        let found = self.loaded.clips.iter().find(|loaded| loaded.name == clip);
        let found = &found.ok_or_else(|| Error::NoSuchClip {
            path: self.path.clone(),
            wanted: clip.to_owned(),
            clips: self.loaded.clips.iter().map(|loaded| loaded.name.clone()).collect(),
        })?;
        let (binding, _) = bind_clip(&model.skeleton, &model.meshes, &found.clip)?;
        let moment_s = wrap_time(&found.clip, time_s, found.clip.wrap);
        Ok(sample_clip(&model.skeleton, &found.clip, &binding, moment_s))
    }

    fn skinned(&self, pose: Pose) -> PosedModel {
        let matrices = SkinMatrices::new(&pose);
        let meshes = self.meshes().iter().map(|mesh| skin_mesh(mesh, &matrices)).collect();
        let is_shown = self.meshes().iter().map(|mesh| mesh.is_shown(&pose.morphs)).collect();
        PosedModel { model: Arc::clone(&self.loaded.model), pose, meshes, is_shown }
    }
}

impl<'a> Clip<'a> {
    /// The name that the scene or the file gives it.
    #[must_use]
    pub fn name(&self) -> &'a str {
        &self.loaded.name
    }

    /// Seconds until it repeats.
    #[must_use]
    pub fn period_s(&self) -> f64 {
        self.loaded.clip.period_s
    }
}

impl PosedModel {
    /// Writes the meshes that are shown as Wavefront OBJ, complete or not at all.
    ///
    /// # Errors
    /// [`Error::Output`] if the file cannot be written.
    pub fn save_obj(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let text = encode_obj(&self.model.meshes, &self.meshes, &self.pose.morphs);
        Ok(write_atomic(path.as_ref(), text.as_bytes())?)
    }
}
