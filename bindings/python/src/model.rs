//! Models, their parts, and their poses; vertices and matrices as numpy arrays.

use crate::arrays::{Array, codes, indices, matrices, numbers, rows};
use crate::diagnostic::{mistyped, raised, refused, warn};
use crate::frame::Frame;
use crate::named::Named;
use crate::options::{CONTACT_SHEET, Paths, RENDER, refuse_others};
use crate::source::{Source, gone};
use crate::threads::detach;
use crate::turntable::moment;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMapping, PyTuple};
use std::path::{Path, PathBuf};
use tintype::builder::{RootMotion, Springs};
use tintype::{
    Files, InspectOptions, Inspection, LoadOptions, MeshArrays, MorphName, PoseOptions, PoseTime,
    Turntable,
};

/// A model file with its joints, meshes and clips. Textures are read when a picture is drawn.
#[pyclass(frozen, module = "tintype")]
pub(crate) struct Model {
    model: tintype::Model,
    clips: Vec<PathBuf>,
    /// The path of a model in memory, whose content is in its options.
    pub(crate) full: Option<PathBuf>,
}

/// A joint in the bind pose.
#[pyclass(frozen, get_all, new = "from_fields", module = "tintype")]
pub(crate) struct Joint {
    /// The name as the file writes it.
    name: String,
    /// Index of the parent joint. None for a root.
    parent: Option<usize>,
    /// `float32[3, 4]`: joint space to model space in the bind pose.
    matrix: Py<PyArray2<f32>>,
}

/// A clip of a model.
#[pyclass(frozen, get_all, new = "from_fields", module = "tintype")]
pub(crate) struct Clip {
    /// The name used by `Model.pose`.
    name: String,
    /// Seconds until it repeats.
    period_s: f64,
}

/// A mesh of a model.
#[pyclass(frozen, get_all, new = "from_fields", module = "tintype")]
pub(crate) struct Mesh {
    /// The name; empty if the file gives none.
    name: String,
    /// The material's name as written in the file.
    material: String,
    /// `uint32[n, 3]`: vertices of each triangle, counter-clockwise from the front.
    triangles: Py<PyArray2<u32>>,
    /// `float32[n, 2]`: texture coordinates, origin upper left.
    texcoords: Py<PyArray2<f32>>,
}

/// A mesh at one time.
///
/// Arrays are C-contiguous and made once per pose: each access returns the same memory.
#[pyclass(frozen, get_all, new = "from_fields", module = "tintype")]
pub(crate) struct PosedMesh {
    /// `float32[n, 3]` in model space: +Y up, right-handed.
    positions: Py<PyArray2<f32>>,
    /// `float32[n, 3]`, of length 1.
    normals: Py<PyArray2<f32>>,
    /// True if it is drawn: a glTF file or its clip may hide a mesh.
    is_shown: bool,
}

/// A morph target of a model.
#[pyclass(frozen, get_all, new = "from_fields", module = "tintype")]
pub(crate) struct Morph {
    /// The name used by `Model.pose`.
    name: String,
    /// The joint of the meshes that it deforms.
    joint: String,
    /// Its number among the targets of that joint.
    number: usize,
    /// Its weight in the file.
    rest: f32,
}

/// A model at one time.
#[pyclass(frozen, module = "tintype")]
pub(crate) struct PosedModel {
    /// `float32[n, 3, 4]`: joint space to model space, in the order of `Model.joints`.
    #[pyo3(get)]
    matrices: Py<PyArray3<f32>>,
    /// One for each of `Model.meshes`.
    #[pyo3(get)]
    meshes: Vec<Py<PosedMesh>>,
    posed: tintype::PosedModel,
}

#[pymethods]
impl Model {
    /// Opens a model: a path, bytes, or a file opened in mode "rb", whose textures are beside the
    /// file of its `name`. The format is recognized by the content. Files in `clips` replace the
    /// clips of a file given by its path.
    #[staticmethod]
    #[pyo3(signature = (path, *, clips=Paths(Vec::new())), text_signature = "(path, *, clips=())")]
    fn open(py: Python<'_>, path: Source, clips: Paths) -> PyResult<Self> {
        path.check_model()?;
        let Paths(clips) = clips;
        if !clips.is_empty() && matches!(path, Source::Memory(..)) {
            return Err(refused("clips: a model from memory can only use the clips in its file"));
        }
        let options = path.load_options();
        let model = detach(py, || tintype::Model::open_with(path.path(), &clips, &options));
        let model = model.map_err(|error| raised(py, &error))?;
        Ok(Self { model, clips, full: path.full() })
    }

    /// As `Model.open`.
    #[new]
    #[pyo3(signature = (path, *, clips=Paths(Vec::new())), text_signature = "(path, *, clips=())")]
    fn new(py: Python<'_>, path: Source, clips: Paths) -> PyResult<Self> {
        Self::open(py, path, clips)
    }

    /// Makes a model from arrays of any numeric type, strided or read-only, which are copied.
    ///
    /// - `positions` `[n, 3]`: +Y up, right-handed; or an object with `vertices` and `faces`, such as a mesh of `trimesh`
    /// - `triangles` `[m, 3]`: vertices, counter-clockwise from the front; both sides are drawn
    /// - `normals` `[n, 3]`: by default averages of the triangles around each vertex
    /// - `uv` `[n, 2]`: origin upper left, v down
    /// - `colors` `[n, 3]` or `[n, 4]`, `color` of 3 or 4: linear from 0 to 1, or uint8 codes of sRGB
    /// - `texture`: `uint8[height, width, 3]` or 4, or a `Frame`
    /// - `joints` and `weights` `[n, k]`, or `weights` `[n, joints]` alone: the skin
    /// - `bind` `[joints, 4, 4]`: joint space to model space in the pose of `positions`; without
    ///   it, poses of `Scene.frame` transform the positions directly
    #[staticmethod]
    #[pyo3(
        signature = (positions, triangles=None, *, normals=None, uv=None, colors=None, color=None, texture=None, joints=None, weights=None, bind=None),
    )]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn from_arrays(
        py: Python<'_>,
        positions: &Bound<'_, PyAny>,
        triangles: Option<&Bound<'_, PyAny>>,
        normals: Option<&Bound<'_, PyAny>>,
        uv: Option<&Bound<'_, PyAny>>,
        colors: Option<&Bound<'_, PyAny>>,
        color: Option<&Bound<'_, PyAny>>,
        texture: Option<&Bound<'_, PyAny>>,
        joints: Option<&Bound<'_, PyAny>>,
        weights: Option<&Bound<'_, PyAny>>,
        bind: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let Some(triangles) = triangles else {
            let fields = py.import("tintype._meshes")?.getattr("fields")?.call1((positions,))?;
            let made = py.get_type::<Self>().getattr("from_arrays")?;
            let made = made.call((), Some(fields.cast::<PyDict>()?))?;
            let made = made.cast::<Self>()?.get();
            return Ok(Self {
                model: made.model.clone(),
                clips: Vec::new(),
                full: made.full.clone(),
            });
        };
        let triangles = indices::<u32>("triangles", triangles, &[0, 3])?.values;
        let positions = rows("positions", positions)?;
        let mut made = MeshArrays::new(positions, triangles.as_chunks().0.to_vec());
        if let Some(normals) = normals {
            made = made.normals(rows("normals", normals)?);
        }
        if let Some(uv) = uv {
            made = made.texcoords(rows("uv", uv)?);
        }
        if let Some(colors) = colors {
            made = made.colors(linear_colors("colors", colors)?);
        }
        if let Some(color) = color {
            let one = py.import("numpy")?.call_method1("atleast_2d", (color,))?;
            let [color] = *linear_colors("color", &one)?.as_slice() else {
                return Err(refused("color: expected one"));
            };
            made = made.color(color);
        }
        if let Some(texture) = texture {
            made = made.texture(texture_of(texture)?);
        }
        if let Some(weights) = weights {
            made = skinned(made, joints, weights, bind)?;
        } else if joints.or(bind).is_some() {
            return Err(refused("joints and bind need weights"));
        }
        let model = detach(py, || made.model()).map_err(|error| raised(py, &error))?;
        let full = Some(model.path().to_owned());
        Ok(Self { model, clips: Vec::new(), full })
    }

    /// An error for a missing attribute, with the one that may be meant.
    fn __getattr__(&self, name: &str) -> PyResult<Py<PyAny>> {
        let hint = match name {
            "turntable" | "thumbnail" | "inspect" | "diff" => {
                format!("use the module function tintype.{name}(model)")
            }
            "draw" | "image" | "show" => "use model.render() to draw a picture".to_owned(),
            "animations" | "actions" => "its clips are in model.clips".to_owned(),
            "bones" | "skeleton" | "armature" => "its joints are in model.joints".to_owned(),
            "vertices" | "save" | "export" | "save_obj" => {
                "model.pose() has vertices, and save_obj".to_owned()
            }
            _ => "it has path, joints, meshes, clips, morphs, pose and render".to_owned(),
        };
        Err(PyAttributeError::new_err(format!("'Model' has no attribute '{name}'; {hint}")))
    }

    /// The file.
    #[getter]
    fn path(&self) -> PathBuf {
        self.model.path().to_owned()
    }

    /// Joints in the bind pose, parents before children.
    #[getter]
    fn joints(&self, py: Python<'_>) -> PyResult<Named> {
        let joint = |joint: tintype::Joint<'_>| {
            let rows = PyArray1::from_vec(py, joint.model_from_joint().concat());
            Ok(Joint {
                name: joint.name().to_owned(),
                parent: joint.parent(),
                matrix: rows.reshape([3, 4])?.unbind(),
            })
        };
        let joints = self.model.joints().map(joint).collect::<PyResult<Vec<_>>>()?;
        Named::new(py, "joint", joints.into_iter().map(|joint| (joint.name.clone(), joint)))
    }

    /// Meshes with their triangles.
    #[getter]
    fn meshes(&self, py: Python<'_>) -> PyResult<Named> {
        let mesh = |mesh: tintype::Mesh<'_>| {
            let corners = PyArray1::from_vec(py, mesh.triangles().concat());
            let vertices = mesh.texcoords().len();
            let texcoords = PyArray1::from_vec(py, mesh.texcoords().flatten().collect());
            Ok(Mesh {
                name: mesh.name().to_owned(),
                material: mesh.material().to_owned(),
                triangles: corners.reshape([mesh.triangles().len(), 3])?.unbind(),
                texcoords: texcoords.reshape([vertices, 2])?.unbind(),
            })
        };
        let meshes = self.model.meshes().map(mesh).collect::<PyResult<Vec<_>>>()?;
        Named::new(py, "mesh", meshes.into_iter().map(|mesh| (mesh.name.clone(), mesh)))
    }

    /// Clips, in the order of their files.
    #[getter]
    fn clips(&self, py: Python<'_>) -> PyResult<Named> {
        let clips = self.model.clips();
        let clips =
            clips.map(|clip| Clip { name: clip.name().to_owned(), period_s: clip.period_s() });
        Named::new(py, "clip", clips.map(|clip| (clip.name.clone(), clip)))
    }

    /// Morph targets, in the order of the file.
    #[getter]
    fn morphs(&self, py: Python<'_>) -> PyResult<Named> {
        let morph = |morph: tintype::Morph<'_>| Morph {
            name: morph.name().to_owned(),
            joint: morph.joint().to_owned(),
            number: morph.number(),
            rest: morph.rest(),
        };
        let morphs = self.model.morphs().map(morph);
        Named::new(py, "morph target", morphs.map(|morph| (morph.name.clone(), morph)))
    }

    /// Poses the model at a time of a clip, in seconds from the clip's start, or in its bind pose
    /// without a clip.
    ///
    /// - `tick`, `key`: the time in ticks of the file, or as a key of the clip, from 0; without a
    ///   name the first clip is played
    /// - `root`: motion that carries the model: "keep", "hold" in place, or "hold-xz" on the ground
    /// - `springs`: hair and cloth of VRM files: "swing" or "rest"
    ///
    /// `morphs` sets weights of morph targets, overriding those of the clip:
    /// `{"smile": 0.5, "Head/blink": 1, 3: 0.2}`. A target is selected by its name, by joint and
    /// name, by its number, or by a pattern with `*`; names override patterns.
    #[pyo3(
        signature = (clip=None, time_s=0.0, *, tick=None, key=None, root="keep", springs="swing", morphs=None, **others),
        text_signature = "($self, clip=None, time_s=0.0, *, tick=None, key=None, root='keep', springs='swing', morphs=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn pose(
        &self,
        py: Python<'_>,
        clip: Option<&str>,
        time_s: f64,
        tick: Option<f64>,
        key: Option<usize>,
        root: &str,
        springs: &str,
        morphs: Option<&Bound<'_, PyMapping>>,
        others: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PosedModel> {
        let known = ["clip", "time_s", "tick", "key", "root", "springs", "morphs"];
        refuse_others("Model.pose", others, &known)?;
        let seconds = clip.map(|_| PoseTime::Seconds(time_s));
        let time = match (moment(time_s)?, tick, key) {
            (_, None, None) => seconds,
            (0.0, Some(tick), None) => Some(PoseTime::Tick(tick)),
            (0.0, None, Some(key)) => Some(PoseTime::Key(key)),
            _ => return Err(refused("time_s, tick, key: expected one of them")),
        };
        let options = PoseOptions {
            clip: clip.map(str::to_owned),
            time,
            root: word("root", root, RootMotion::WORDS)?,
            springs: word("springs", springs, Springs::WORDS)?,
            morphs: morphs.map_or_else(|| Ok(Vec::new()), weights)?,
        };
        let posed = detach(py, || self.model.pose_at(&options));
        let posed = posed.map_err(|error| raised(py, &error))?;
        warn(py, posed.warnings())?;
        PosedModel::new(py, posed)
    }

    /// Draws one picture of the model at a time of a clip, with a camera that shows the whole
    /// model.
    ///
    /// - `textures`: folders searched first
    ///
    #[doc = include_str!("doc/render.md")]
    #[pyo3(signature = (clip=None, time_s=0.0, **options))]
    fn render(
        &self,
        py: Python<'_>,
        clip: Option<String>,
        time_s: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Frame> {
        let options = RENDER.read(options)?;
        let clip = clip.unwrap_or_else(|| "bind".to_owned());
        let time_s = moment(time_s)?;
        let made = self.turntable().settings(&options.settings);
        let made = options.textures.into_iter().fold(made, Turntable::textures);
        let still = made.clip(clip).time_s(time_s).still();
        let drawn = detach(py, || -> Result<_, tintype::Error> {
            let renderer = still.renderer()?;
            Ok((renderer.draw(0)?, renderer.warnings().to_vec()))
        });
        let (frame, warnings) = drawn.map_err(|error| raised(py, &error))?;
        warn(py, &warnings)?;
        Frame::new(py, frame)
    }

    /// Draws one picture of numbered cells: views side by side, times of clips below each other.
    /// Its `legend` has the box, camera, clip, time, joints and meshes in pixels for each cell.
    ///
    /// - `clips`: names of clips, or "all"; by default the clip that suits the model best
    /// - `directions`: the views, by default 4; `turn_deg`: the angle around, by default -360:
    ///   front, right, back, left
    /// - `frames`: the times of each clip, by default 3
    /// - `size`: width and height of a cell, by default 256x256; `elevation_deg`: by default 0
    /// - `textures`: folders searched first
    ///
    #[doc = include_str!("doc/contact_sheet.md")]
    #[pyo3(signature = (*clips, **options))]
    fn contact_sheet(
        &self,
        py: Python<'_>,
        clips: Vec<String>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Frame> {
        let options = CONTACT_SHEET.read(options)?;
        let made = self.turntable().settings(&options.settings);
        let made = options.textures.into_iter().fold(made, Turntable::textures);
        let made = options.frames.into_iter().fold(made, Turntable::frames);
        let clips: Vec<&str> = clips.iter().map(String::as_str).collect();
        let sheet = detach(py, || made.contact_sheet(&clips));
        let sheet = sheet.map_err(|error| raised(py, &error))?;
        warn(py, &sheet.warnings)?;
        Frame::of_sheet(py, sheet)
    }

    /// For `pickle`: its file is opened again, or its bytes are read again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let made = |name: &str| py.import("tintype._pickled")?.getattr(name);
        if let Files::Memory(files) = &self.load_options().files {
            let content = files.get(self.path_of()).ok_or_else(|| gone(self.path_of()))?;
            let fields = (self.full.as_deref(), PyBytes::new(py, &content));
            return (made("model_of_bytes")?, fields).into_pyobject(py);
        }
        let absolute = |path: &Path| std::path::absolute(path);
        let clips = self.clips.iter().map(|clip| absolute(clip)).collect::<Result<Vec<_>, _>>()?;
        (made("model_of_file")?, (absolute(self.model.path())?, clips)).into_pyobject(py)
    }

    fn __copy__(own: Py<Self>) -> Py<Self> {
        own
    }

    /// It never changes, so a copy is the object itself.
    fn __deepcopy__(own: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        own
    }

    fn __repr__(&self) -> String {
        let Self { model, .. } = self;
        format!(
            "<tintype.Model {}: {} joints, {} meshes, {} clips>",
            model.path().display(),
            model.joints().len(),
            model.meshes().len(),
            model.clips().count()
        )
    }
}

impl Model {
    pub(crate) fn path_of(&self) -> &Path {
        self.model.path()
    }

    pub(crate) fn load_options(&self) -> &LoadOptions {
        self.model.load_options()
    }

    pub(crate) fn turntable(&self) -> Turntable {
        Turntable::new(&self.model)
    }
}

#[pymethods]
impl Joint {
    fn __repr__(&self) -> String {
        format!("<tintype.Joint {:?}>", self.name)
    }
}

#[pymethods]
impl Clip {
    fn __repr__(&self) -> String {
        format!("<tintype.Clip {:?}: {} s>", self.name, self.period_s)
    }
}

#[pymethods]
impl Morph {
    fn __repr__(&self) -> String {
        format!("<tintype.Morph {:?} of {:?}, number {}>", self.name, self.joint, self.number)
    }
}

#[pymethods]
impl Mesh {
    fn __repr__(&self) -> String {
        format!("<tintype.Mesh {:?} of {:?}>", self.name, self.material)
    }
}

#[pymethods]
impl PosedModel {
    /// Writes the visible meshes as Wavefront OBJ; the file is complete or absent.
    fn save_obj(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        detach(py, || self.posed.save_obj(path)).map_err(|error| raised(py, &error))
    }

    fn __repr__(&self) -> String {
        format!("<tintype.PosedModel of {} meshes>", self.meshes.len())
    }
}

impl PosedModel {
    fn new(py: Python<'_>, posed: tintype::PosedModel) -> PyResult<Self> {
        let matrices: Vec<f32> = posed.matrices().flat_map(|rows| rows.concat()).collect();
        let count = posed.matrices().len();
        let matrices = PyArray1::from_vec(py, matrices).reshape([count, 3, 4])?.unbind();
        let mesh = |mesh: tintype::PosedMesh<'_>| {
            let positions = points(py, mesh.positions())?;
            let normals = points(py, mesh.normals())?;
            Py::new(py, PosedMesh { positions, normals, is_shown: mesh.is_shown() })
        };
        let meshes = posed.meshes().map(mesh).collect::<PyResult<_>>()?;
        Ok(Self { matrices, meshes, posed })
    }
}

/// Rows of 3 or 4 numbers, or of codes, as linear colours with alpha.
fn linear_colors(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<[f32; 4]>> {
    let wrong =
        |shape: &[usize]| refused(format!("{name} of shape {shape:?}: expected (n, 3) or (n, 4)"));
    if let Some(Array { values, shape }) = codes(name, value)? {
        return match *shape {
            [_, 3] => Ok(MeshArrays::linear(values.as_chunks().0.iter().map(opaque))),
            [_, 4] => Ok(MeshArrays::linear(values.as_chunks().0.iter().copied())),
            _ => Err(wrong(&shape)),
        };
    }
    match rows::<4>(name, value) {
        Ok(rows) => Ok(rows),
        Err(error) => match rows::<3>(name, value) {
            Ok(rows) => Ok(rows.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect()),
            Err(_) => Err(error),
        },
    }
}

fn opaque(&[r, g, b]: &[u8; 3]) -> [u8; 4] {
    [r, g, b, u8::MAX]
}

/// A picture from a `Frame`, or from an array of codes.
fn texture_of(value: &Bound<'_, PyAny>) -> PyResult<tintype::Frame> {
    if let Ok(frame) = value.cast::<Frame>() {
        return frame.get().picture(value.py());
    }
    let wrong = || mistyped("texture: expected uint8[height, width, 3] or 4, or a Frame");
    let Array { values, shape } = codes("texture", value)?.ok_or_else(wrong)?;
    let (width, height, pixels) = match *shape {
        [height, width, 3] => (width, height, values.as_chunks().0.iter().map(opaque).collect()),
        [height, width, 4] => (width, height, values.as_chunks().0.to_vec()),
        _ => return Err(refused(format!("texture of shape {shape:?}: expected (h, w, 3) or 4"))),
    };
    let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
    tintype::Frame::from_pixels(side(width), side(height), pixels).ok_or_else(wrong)
}

/// A mesh with a skin; without joint numbers, each column of weights is a joint.
fn skinned(
    made: MeshArrays,
    joints: Option<&Bound<'_, PyAny>>,
    weights: &Bound<'_, PyAny>,
    bind: Option<&Bound<'_, PyAny>>,
) -> PyResult<MeshArrays> {
    let Array { values: weights, shape } = numbers("weights", weights, &[0, 0])?;
    let width = shape[1];
    let joints = match joints {
        Some(joints) => indices::<u16>("joints", joints, &shape)?.values,
        None => {
            let column = |at: usize| u16::try_from(at % width);
            let columns: Result<Vec<u16>, _> = (0..weights.len()).map(column).collect();
            columns.map_err(|_| refused("weights: at most 65536 joints"))?
        }
    };
    let count = joints.iter().max().map_or(0, |&most| usize::from(most) + 1);
    let bind = match bind {
        Some(bind) => matrices("bind", bind)?,
        None => vec![IDENTITY; count],
    };
    // Weights of 0 are left out, so that rows of all joints are short.
    let (mut rows_of_joints, mut rows_of_weights) = (Vec::new(), Vec::new());
    for (joints, weights) in joints.chunks(width.max(1)).zip(weights.chunks(width.max(1))) {
        let pulls = joints.iter().zip(weights).filter(|(_, weight)| **weight != 0.0);
        let (joints, weights): (Vec<u16>, Vec<f32>) = pulls.unzip();
        rows_of_joints.push(joints);
        rows_of_weights.push(weights);
    }
    Ok(made.skin(rows_of_joints, rows_of_weights, bind))
}

const IDENTITY: [[f32; 4]; 4] =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// The value of a keyword that is one of a few words.
fn word<T: Copy>(keyword: &str, text: &str, words: &[(&str, T)]) -> PyResult<T> {
    let found = words.iter().find(|(word, _)| *word == text);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        refused(format!("{keyword}={text:?}: expected one of {}", names.join(", ")))
    })
}

/// Weights of morph targets by name or number.
fn weights(morphs: &Bound<'_, PyMapping>) -> PyResult<Vec<(MorphName, f32)>> {
    let entry = |item: Bound<'_, PyAny>| {
        let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        let name = match (key.extract::<usize>(), key.extract::<String>()) {
            (Ok(number), _) => MorphName::from(number),
            (_, Ok(name)) => MorphName::from(name),
            _ => {
                let found = key.repr()?;
                return Err(mistyped(format!(
                    "morphs: {found} is not a target: expected a name or a number from 0"
                )));
            }
        };
        let weight: f32 = value.extract().map_err(|_| {
            let found = value.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
            mistyped(format!("morphs: {name}: {found} is not a weight: expected a number"))
        })?;
        Ok((name, weight))
    };
    morphs.items()?.iter().map(entry).collect()
}

/// `[n, 3]`: one buffer, filled once and passed to numpy, so that accesses need no copy.
fn points(
    py: Python<'_>,
    points: impl ExactSizeIterator<Item = [f32; 3]>,
) -> PyResult<Py<PyArray2<f32>>> {
    let count = points.len();
    Ok(PyArray1::from_vec(py, points.flatten().collect()).reshape([count, 3])?.unbind())
}

/// Contents and problems of a model, a clip, a camera or a scene, as the data of
/// `tintype inspect --json`: dicts, lists, numbers and strings.
#[pyfunction]
#[pyo3(signature = (file, *, clips=Paths(Vec::new())), text_signature = "(file, *, clips=())")]
pub(crate) fn inspect<'py>(
    py: Python<'py>,
    file: Source,
    clips: Paths,
) -> PyResult<Bound<'py, PyAny>> {
    let clips = match &file {
        Source::Model(model) if clips.0.is_empty() => model.get().clips.clone(),
        _ => clips.0,
    };
    let path = file.path();
    let options = InspectOptions { load: file.load_options(), clips, ..InspectOptions::default() };
    let found = detach(py, || Inspection::open_with(path, &options)?.to_json());
    let text = found.map_err(|error| raised(py, &error))?;
    py.import("json")?.call_method1("loads", (text,))
}
