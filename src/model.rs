//! Model files: joints, clips, and posed meshes.

use super::{Error, ErrorKind, LoadOptions};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tintype_base::path::ShowPath;
use tintype_formats::MemoryFiles;
use tintype_framing::{ClipsBeside, with_file_scene};
use tintype_model::math::Affine3;
use tintype_model::pose::{bind_clip, bind_pose, part_of, play_clip};
use tintype_model::skin::{SkinMatrices, skin_mesh};
use tintype_model::{Pose, PosedMesh as Posed};
use tintype_output::encode_obj;
use tintype_render::asset::{self, HeldFiles, LoadedModel, set_morphs};
use tintype_scene::builder::ModelBuilder;
use tintype_scene::{ClipWord, ClipWordError, SceneBuilder, decide_said_clip, read_clip_word};

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
    /// The model with clips from files beside it, by the words that requested them.
    beside: Arc<Mutex<BTreeMap<String, Model>>>,
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

/// A model at one time.
#[derive(Clone, Debug)]
pub struct PosedModel {
    model: Arc<LoadedModel>,
    pose: Pose,
    meshes: Vec<Posed>,
    warnings: Vec<String>,
}

/// A mesh of a [`PosedModel`]. Positions and normals are in model space: right-handed, +Y up, in
/// the units of the file.
#[derive(Clone, Copy, Debug)]
pub struct PosedMesh<'p> {
    posed: &'p Posed,
    is_shown: bool,
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

    /// Opens a model file with clips of other files, which replace the clips of the model, and with
    /// limits, a deadline, or files in memory.
    ///
    /// # Errors
    /// As [`Model::open`].
    pub fn open_with<P: AsRef<Path>>(
        path: impl AsRef<Path>,
        clips: &[P],
        options: &LoadOptions,
    ) -> Result<Self, Error> {
        let path = path.as_ref().to_owned();
        let clip_paths: Vec<PathBuf> = clips.iter().map(|clip| clip.as_ref().to_owned()).collect();
        let model = ModelBuilder::new(path.shown());
        let model = with_file_scene(model, options.file_scene.as_ref());
        let model = clip_paths.iter().fold(model, |model, clip| model.clip(clip.shown().as_str()));
        let scene = SceneBuilder::new().model(model).build(&path.shown());
        let scene = scene.map_err(|errors| Error::of_scene(&errors))?;
        let mut opened = asset::open(&scene, Path::new(""), options, None)
            .map_err(|error| Error::of_asset(&error.without_key()))?;
        let loaded = Arc::new(opened.models.swap_remove(0));
        let (options, held) = (options.clone(), opened.held);
        Ok(Self { path, clip_paths, options, loaded, held, beside: Arc::default() })
    }

    /// The file of the model.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Clip files that replace the clips of the model.
    pub(crate) fn clip_paths(&self) -> &[PathBuf] {
        &self.clip_paths
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

    /// Poses the model at a time of a clip, in seconds from the clip's start, or in its bind pose
    /// without a clip. Beyond its ends the clip continues as its file states. Clips are named as on
    /// the command line: `walk`, `0`, `walk:6-18`; for an MD5 model this includes clips in files
    /// beside it.
    ///
    /// # Errors
    /// [`ErrorKind::Name`](crate::ErrorKind::Name) if there is no clip of that name,
    /// [`ErrorKind::Draw`](crate::ErrorKind::Draw) if the clip moves no joint of the model.
    pub fn pose(&self, clip: Option<&str>, time_s: f64) -> Result<PosedModel, Error> {
        self.pose_with(clip, time_s, &[])
    }

    /// As [`Model::pose`], with weights of morph targets that replace those of the clip. A target
    /// is selected by name, by `JOINT/NAME`, by a pattern with `*`, or by number. A name overrides
    /// a pattern, and a later entry overrides an earlier one.
    ///
    /// ```
    /// let model = tintype::Model::open("scenes/assets/ranger.glb")?;
    /// let first = model.morphs().next().expect("it has targets");
    /// let posed = model.pose_with(Some("walk"), 0.5, &[(first.name().into(), 1.0), (1.into(), 0.5)])?;
    /// assert_eq!(posed.morph_weights()[0], 1.0);
    /// # Ok::<(), tintype::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Model::pose`], and [`ErrorKind::Name`](crate::ErrorKind::Name) if there is no target of
    /// that name, or a weight is not from -1000 to 1000.
    pub fn pose_with(
        &self,
        clip: Option<&str>,
        time_s: f64,
        morphs: &[(MorphName, f32)],
    ) -> Result<PosedModel, Error> {
        let model = &self.loaded.model;
        let wish = clip.map(|clip| self.found_clip(clip)).transpose()?;
        let mut pose = match decide_said_clip(wish, None) {
            Some(clip) => self.sampled(&clip, time_s)?,
            None => bind_pose(&model.skeleton),
        };
        let warnings = set_morphs(&model.skeleton, morphs, &mut pose)
            .map_err(|error| Error::of_morph(&self.path.shown(), &error))?;
        let matrices = SkinMatrices::new(&pose);
        let meshes = model.meshes.iter().map(|mesh| skin_mesh(mesh, &matrices)).collect();
        Ok(PosedModel { model: Arc::clone(&self.loaded), pose, meshes, warnings })
    }

    /// Finds the clip, or part of a clip, that a word names. None for the bind pose.
    fn found_clip(&self, wanted: &str) -> Result<Option<Arc<tintype_model::Clip>>, Error> {
        let names: Vec<&str> = self.clips().map(|clip| clip.name).collect();
        let named =
            |error: String| Error::new(ErrorKind::Name, format!("{}: {error}", self.path.shown()));
        let (index, part) = match read_clip_word(wanted, &names) {
            Ok(ClipWord::Bind) => return Ok(None),
            Ok(ClipWord::Clip { index, part }) => (index, part),
            Err(ClipWordError::Unknown { .. })
                if names.is_empty() && self.clip_paths.is_empty() =>
            {
                return self.with_clip_beside(wanted)?.found_clip(wanted);
            }
            Err(ClipWordError::Unknown { .. }) => {
                return Err(Error::of_unknown_clip(&self.path, wanted, &names));
            }
            Err(error) => return Err(named(error.to_string())),
        };
        let found = &self.loaded.clips[index];
        let Some(range) = part else { return Ok(Some(Arc::clone(&found.clip))) };
        let part = part_of(&found.clip, &range, found.ticks.map(|ticks| ticks.per_second));
        part.map(|part| Some(Arc::new(part))).map_err(|error| named(error.to_string()))
    }

    /// Opens the model with the clip beside its file that a word names.
    fn with_clip_beside(&self, wanted: &str) -> Result<Self, Error> {
        let mut known = self.beside.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = known.get(wanted) {
            return Ok(model.clone());
        }
        let beside = ClipsBeside::find(&self.path, Some(wanted), &self.options)
            .map_err(|error| Error::of_io(&self.path, &error))?
            .map_err(|late| Error::of(ErrorKind::File, &late))?;
        let Some(index) = beside.asked else {
            let names = beside.names();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            return Err(Error::of_unknown_clip(&self.path, wanted, &names));
        };
        let model = Self::open_with(&self.path, &beside.files[index..=index], &self.options)?;
        known.insert(wanted.to_owned(), model.clone());
        Ok(model)
    }

    fn sampled(&self, clip: &tintype_model::Clip, time_s: f64) -> Result<Pose, Error> {
        let model = &self.loaded.model;
        let (binding, _) = bind_clip(&model.skeleton, &model.meshes, clip)
            .map_err(|error| Error::of_bind(&error))?;
        Ok(play_clip(&model.skeleton, clip, &binding, time_s, clip.wrap))
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

impl PosedModel {
    /// Rows of each matrix from joint space to model space, in the order of [`Model::joints`].
    pub fn matrices(&self) -> impl ExactSizeIterator<Item = [[f32; 4]; 3]> {
        self.pose.matrices.iter().map(rows)
    }

    /// Messages about parts of the request that the pose does not show: expression presets that the
    /// character lacks.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Weights of the morph targets, in the order of [`Model::morphs`].
    #[must_use]
    pub fn morph_weights(&self) -> &[f32] {
        &self.pose.morphs
    }

    /// Meshes, in the order of [`Model::meshes`].
    pub fn meshes(&self) -> impl ExactSizeIterator<Item = PosedMesh<'_>> {
        let shown = |mesh: &tintype_model::Mesh| mesh.is_shown(&self.pose.morphs);
        let meshes = self.meshes.iter().zip(&self.model.model.meshes);
        meshes.map(move |(posed, mesh)| PosedMesh { posed, is_shown: shown(mesh) })
    }

    /// The visible meshes as Wavefront OBJ.
    #[must_use]
    pub fn to_obj(&self) -> String {
        encode_obj(&self.model.model.meshes, &self.meshes, &self.pose.morphs)
    }

    /// Writes [`PosedModel::to_obj`] to a file, which is complete or absent.
    ///
    /// # Errors
    /// [`ErrorKind::Write`](crate::ErrorKind::Write) if the file cannot be written, or its
    /// extension is that of another format.
    #[cfg(feature = "host")]
    pub fn save_obj(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let extension = path.as_ref().extension().unwrap_or_default();
        if !extension.is_empty() && !extension.eq_ignore_ascii_case("obj") {
            let (path, right) = (path.as_ref(), path.as_ref().with_extension("obj"));
            let message = format!("{}: only OBJ is written; use {}", path.shown(), right.shown());
            return Err(Error::new(ErrorKind::Write, message));
        }
        tintype_host::write_atomic(path.as_ref(), self.to_obj().as_bytes())
            .map_err(|error| Error::of_output(&error))
    }
}

impl PosedMesh<'_> {
    /// Position of each vertex, in model space.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = [f32; 3]> {
        points(&self.posed.position)
    }

    /// Normal of each vertex, of unit length.
    pub fn normals(&self) -> impl ExactSizeIterator<Item = [f32; 3]> {
        points(&self.posed.normal)
    }

    /// True if it is drawn: a glTF file or its clip may hide a mesh.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.is_shown
    }
}

/// Zips three arrays of coordinates into points.
fn points([x, y, z]: &[Vec<f32>; 3]) -> impl ExactSizeIterator<Item = [f32; 3]> {
    x.iter().zip(y).zip(z).map(|((&x, &y), &z)| [x, y, z])
}

/// Rows of a matrix, each with the translation last.
fn rows(matrix: &Affine3) -> [[f32; 4]; 3] {
    let Affine3 { matrix3, translation } = matrix;
    core::array::from_fn(|axis| {
        let row = matrix3.row(axis);
        [row.x, row.y, row.z, translation[axis]]
    })
}
