//! Model files: joints, meshes, and clips.

use super::{Diagnostic, Error, ErrorKind, LoadOptions};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tintype_base::path::ShowPath;
use tintype_base::suggest::nearest_word;
use tintype_formats::MemoryFiles;
use tintype_framing::{ClipsBeside, with_load_options};
use tintype_model::math::Affine3;
use tintype_render::asset::{self, AssetError, HeldFiles, LoadedModel, SharedFiles};
use tintype_scene::SceneBuilder;
use tintype_scene::builder::ModelBuilder;

pub use tintype_render::asset::MorphName;

/// A model file with its skeleton, meshes and clips. Clones are cheap: they use the same data.
///
/// ```
/// use tintype::Model;
///
/// let model = Model::open("scenes/assets/ranger.x")?;
/// let clip = model.clips().next().expect("the file has a clip");
/// let posed = model.pose(Some(clip.name()), 0.5)?;
/// assert_eq!(posed.meshes().count(), model.meshes().count());
///
/// // From memory: textures and other files are asked for by their paths.
/// let bytes = std::fs::read("scenes/assets/ranger.glb").unwrap();
/// let model = Model::from_bytes("ranger.glb", bytes, |_| None)?;
/// assert_eq!(model.thumbnail(64)?.width(), 64);
/// # Ok::<(), tintype::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    path: PathBuf,
    clip_paths: Vec<PathBuf>,
    options: LoadOptions,
    loaded: Arc<LoadedModel>,
    held: HeldFiles,
    warnings: Vec<Diagnostic>,
    /// The model with clips from files beside it, by the words that requested them.
    beside: Arc<Mutex<BTreeMap<Option<String>, Model>>>,
}

/// A clip of a [`Model`].
#[derive(Clone, Copy, Debug)]
pub struct Clip<'m> {
    name: &'m str,
    period_s: f64,
}

/// A joint of a [`Model`] in its bind pose.
#[derive(Clone, Copy, Debug)]
pub struct Joint<'m>(&'m tintype_model::Joint);

/// A mesh of a [`Model`].
#[derive(Clone, Copy, Debug)]
pub struct Mesh<'m>(&'m tintype_model::Mesh);

/// A morph target of a [`Model`].
#[derive(Clone, Copy, Debug)]
pub struct Morph<'m> {
    slot: &'m tintype_model::MorphWeight,
    joint: &'m str,
}

impl Model {
    /// Opens a model file; the format is recognized by its content. Textures are read when a
    /// picture is drawn.
    ///
    /// # Errors
    /// [`ErrorKind::File`](crate::ErrorKind::File) if the file cannot be read or is not a model.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(path, &[] as &[&Path], &LoadOptions::default())
    }

    /// Reads a model from memory. `name` is used in messages; `resolver` returns the bytes of
    /// referenced files, such as textures and buffers, by their paths relative to the model, with
    /// `/` between the parts. Nothing is read from the disk.
    ///
    /// # Errors
    /// As [`Model::open`].
    pub fn from_bytes(
        name: &str,
        bytes: impl Into<Arc<[u8]>>,
        resolver: impl Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        let files = MemoryFiles::new().with(name, bytes).with_resolver(resolver);
        let options = LoadOptions::default().with_files(files);
        Self::open_with(name, &[] as &[&Path], &options)
    }

    /// Opens a model file with all clips of other files, which replace the clips of the model, and
    /// with limits, a deadline, ticks per second, or files in memory.
    ///
    /// # Errors
    /// As [`Model::open`].
    pub fn open_with<P: AsRef<Path>>(
        path: impl AsRef<Path>,
        clips: &[P],
        options: &LoadOptions,
    ) -> Result<Self, Error> {
        let clip_paths = clips.iter().map(|clip| clip.as_ref().to_owned()).collect();
        Self::opened(path.as_ref(), clip_paths, options, None)
    }

    fn opened(
        path: &Path,
        clip_paths: Vec<PathBuf>,
        options: &LoadOptions,
        held: Option<&HeldFiles>,
    ) -> Result<Self, Error> {
        let model = with_load_options(ModelBuilder::new(path.shown()), options);
        let model = (0..).zip(&clip_paths).fold(model, |model, (index, clip): (usize, _)| {
            model.named_clip(clip.shown(), index.to_string())
        });
        let scene = SceneBuilder::new().model(model).build(&path.shown());
        let scene = scene.map_err(|errors| Error::of_scene(&errors))?;
        let shared = held.map(SharedFiles::over);
        let opened = asset::open(&scene, Path::new(""), options, shared.as_ref());
        let mut opened = opened.map_err(|error| match error {
            AssetError::UnknownClip { path, has, .. } if has.is_empty() => Error::of_no_clip(&path),
            error => Error::of_asset(&error.without_key()),
        })?;
        let mut loaded = opened.models.swap_remove(0);
        let held = opened.held;
        if !clip_paths.is_empty() {
            let clips = clip_paths.iter().flat_map(|file| held.clips_in(&file.shown()));
            loaded.clips = clips.collect();
        }
        Ok(Self {
            path: path.to_owned(),
            clip_paths,
            options: options.clone(),
            loaded: Arc::new(loaded),
            held,
            warnings: opened.warnings,
            beside: Arc::default(),
        })
    }

    /// The file of the model.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Warnings of the readers of its files.
    #[must_use]
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Clip files that replace the clips of the model.
    #[must_use]
    pub fn clip_paths(&self) -> &[PathBuf] {
        &self.clip_paths
    }

    /// The model and its clips as they were read.
    pub(crate) fn loaded(&self) -> &Arc<LoadedModel> {
        &self.loaded
    }

    /// Its files in memory, which need not be read again.
    pub(crate) fn held(&self) -> &HeldFiles {
        &self.held
    }

    /// The options that it was opened with.
    #[must_use]
    pub fn load_options(&self) -> &LoadOptions {
        &self.options
    }

    /// Joints in the bind pose, parents before children.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = Joint<'_>> {
        self.loaded.model.skeleton.joints().iter().map(Joint)
    }

    /// Meshes, in the order of the file.
    pub fn meshes(&self) -> impl ExactSizeIterator<Item = Mesh<'_>> {
        self.loaded.model.meshes.iter().map(Mesh)
    }

    /// Clips, in the order of their files.
    pub fn clips(&self) -> impl ExactSizeIterator<Item = Clip<'_>> {
        self.loaded.clips.iter().map(|one| Clip { name: &one.name, period_s: one.clip.period_s })
    }

    /// Morph targets: their names and their weights in the file. [`Model::pose_with`] sets other
    /// weights.
    pub fn morphs(&self) -> impl ExactSizeIterator<Item = Morph<'_>> {
        let skeleton = &self.loaded.model.skeleton;
        let joints = skeleton.joints();
        skeleton
            .morphs()
            .iter()
            .map(move |slot| Morph { slot, joint: &joints[slot.joint.index()].name })
    }

    /// The model with a clip of a file beside it, which a pose plays: the one that a word names, or
    /// else the first that suits the model. Its warnings are those of the clip.
    ///
    /// None if the model has clips, or no file beside it fits; only MD5 models have such files.
    ///
    /// # Errors
    /// [`ErrorKind::Name`](crate::ErrorKind::Name) if no file beside the model has that name,
    /// [`ErrorKind::File`](crate::ErrorKind::File) if a file or folder cannot be read.
    pub fn with_clip_beside(&self, word: Option<&str>) -> Result<Option<Self>, Error> {
        if !self.clip_paths.is_empty() || !self.loaded.clips.is_empty() {
            return Ok(None);
        }
        let key = word.map(str::to_owned);
        let mut known = self.beside.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = known.get(&key) {
            return Ok(Some(model.clone()));
        }
        let beside = ClipsBeside::find(&self.path, word, &self.options)
            .map_err(|error| Error::of_io(&self.path, &error))?
            .map_err(|late| {
                Error::new(ErrorKind::File, format!("{}: {late}", self.path.shown()))
            })?;
        let file = match (beside.asked, word) {
            (Some(index), _) => beside.files[index].as_path(),
            (None, Some(word)) if word != "bind" && !beside.files.is_empty() => {
                let names = beside.names();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                return Err(Error::of_unknown_clip(
                    &self.path,
                    word,
                    &names,
                    nearest_word(word, names.iter().copied()),
                ));
            }
            (None, Some(_)) => return Ok(None),
            (None, None) => match beside.suited().next() {
                Some(file) => file,
                None => return Ok(None),
            },
        };
        let clips = vec![file.to_owned()];
        let mut model = Self::opened(&self.path, clips, &self.options, Some(&self.held))?;
        model.warnings.retain(|warning| !self.warnings.contains(warning));
        known.insert(key, model.clone());
        Ok(Some(model))
    }
}

impl<'m> Clip<'m> {
    /// The name in the file, or the file name.
    #[must_use]
    pub fn name(&self) -> &'m str {
        self.name
    }

    /// Duration of one repetition, in seconds.
    #[must_use]
    pub fn period_s(&self) -> f64 {
        self.period_s
    }
}

impl<'m> Joint<'m> {
    /// The name, as written in the file.
    #[must_use]
    pub fn name(&self) -> &'m str {
        &self.0.name
    }

    /// Index of the parent joint. None for a root.
    #[must_use]
    pub fn parent(&self) -> Option<usize> {
        self.0.parent.map(|parent| parent.index())
    }

    /// Rows of the matrix from joint space to model space in the bind pose, each with the
    /// translation last.
    #[must_use]
    pub fn model_from_joint(&self) -> [[f32; 4]; 3] {
        rows(&self.0.model_from_joint)
    }
}

impl<'m> Mesh<'m> {
    /// The name; empty if the file gives none.
    #[must_use]
    pub fn name(&self) -> &'m str {
        &self.0.name
    }

    /// The name of its material, as written in the file.
    #[must_use]
    pub fn material(&self) -> &'m str {
        &self.0.material_name
    }

    /// Vertices of each triangle, counter-clockwise from the front.
    #[must_use]
    pub fn triangles(&self) -> &'m [[u32; 3]] {
        &self.0.triangles
    }

    /// Texture coordinates of each vertex: origin upper left, `v` down.
    pub fn texcoords(&self) -> impl ExactSizeIterator<Item = [f32; 2]> {
        self.0.texcoords.iter().map(|place| place.to_array())
    }
}

impl<'m> Morph<'m> {
    /// The name used by [`Model::pose_with`].
    #[must_use]
    pub fn name(&self) -> &'m str {
        &self.slot.name
    }

    /// The joint of the meshes that it deforms.
    #[must_use]
    pub fn joint(&self) -> &'m str {
        self.joint
    }

    /// Its index among the targets of that joint.
    #[must_use]
    pub fn number(&self) -> usize {
        self.slot.target
    }

    /// Its weight in the file.
    #[must_use]
    pub fn rest(&self) -> f32 {
        self.slot.rest
    }
}

/// Rows of a matrix, each with the translation last.
pub(super) fn rows(matrix: &Affine3) -> [[f32; 4]; 3] {
    let Affine3 { matrix3, translation } = matrix;
    core::array::from_fn(|axis| {
        let row = matrix3.row(axis);
        [row.x, row.y, row.z, translation[axis]]
    })
}
