//! Models of the engines of Quake: `.mdl`, `.md2` and `.md3`, whose vertices have a place in every frame.
//!
//! `md2`, `md3` and `mdl` mirror the files, `surface` makes meshes whose frames are morph targets, `motion` makes clips of runs of frames, and
//! this file puts them together. Nothing here reads a disk: what lies beside a model comes from the caller.
//!
//! # Conventions
//! - **Axes**: right-handed, +X ahead, +Y to the left, +Z up: `(x, y, z)` becomes `(x, z, -y)`, by the one joint on which all hangs.
//! - **Winding**: front faces are clockwise in the file; the order is turned over here.
//! - **Texture coordinates** have their origin in the upper left corner.
//!
//! # Source
//! id Software, `modelgen.h` and `gl_mesh.c` of Quake, `qfiles.h` of Quake II and Quake III Arena, `tr_surface.c` of the last.

mod md2;
mod md3;
mod mdl;
mod motion;
mod normals;
mod player;
mod skin;
mod surface;

#[cfg(test)]
mod tests;

pub use skin::PALETTE;

use crate::iqm::joint::ours_from_file;
use crate::names::Names;
use crate::records::{range, whole};
use crate::{FilePlace, LoadOptions, Loaded, ModelFormatError, decide_plain_rate};
use core::fmt::Display;
use motion::{Motion, USUAL_RATE_HZ};
use surface::{Surface, check_frames};
use tintype_base::amount::counted_as;
use tintype_base::precedence::{Decided, Guesses};
use tintype_model::clip::{MorphTrack, Track};
use tintype_model::math::{Affine3, Vec3};
use tintype_model::{
    AxisRule, ClipOptions, FileMaterial, FileParts, FileRepair, Joint, JointIndex, Model,
    MorphWeight, NamedClip, Skeleton, Tracks, Warning,
};

/// First bytes of files that are read or refused by name.
const MARKS: [(&[u8; 4], &str); 11] = [
    (b"IDPO", "a Quake model"),
    (b"IDP2", "a Quake 2 model"),
    (b"IDP3", "a Quake 3 model"),
    (b"IDST", "a Half-Life model"),
    (b"IDSQ", "a sequence file of a Half-Life model"),
    (b"RAPO", "a Hexen 2 model"),
    (b"MD16", "a Quake model of 16 bits"),
    (b"MDL3", "a 3D GameStudio model"),
    (b"MDL4", "a 3D GameStudio model"),
    (b"MDL5", "a 3D GameStudio model"),
    (b"MDL7", "a 3D GameStudio model"),
];
/// Name of the joint on which all hangs.
const ROOT: &str = "root";
/// Name of the one surface of formats that give it none.
const NAMELESS: &str = "surface";
/// Most frames of a file: engines read 1024.
const MAX_FRAMES: usize = 1 << 16;

/// Contents of a file.
#[derive(Clone, Debug)]
pub struct QuakeModel {
    /// The model.
    pub model: Model,
    /// Its runs of frames, in file order.
    pub clips: Vec<NamedClip>,
    /// Frames a second where the file states none.
    pub rate_hz: Decided<f64>,
}

/// Reads a file into its model and its clips. `fetch` gives the bytes of a file of the game, such as [`PALETTE`], or says why it cannot; `rate_hz`
/// goes before the rate of the engines.
///
/// # Errors
/// [`ModelFormatError`] with the byte of the first mistake, and for files of other engines.
pub fn parse_model(
    bytes: &[u8],
    fetch: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    rate_hz: Option<f64>,
    options: &LoadOptions,
) -> Result<Loaded<QuakeModel>, ModelFormatError> {
    let rate_hz = decide_frame_rate(rate_hz)?;
    let mut input = Input::new(bytes);
    let mut pictures = Vec::new();
    let (part, motions) = match (bytes.first_chunk(), whole(bytes, 1)) {
        (Some(b"IDP2"), md2::VERSION) => with_runs(md2::read(&mut input)?, rate_hz.value),
        (Some(b"IDP3"), md3::VERSION) => with_runs(md3::read(&mut input, options)?, rate_hz.value),
        (Some(b"IDPO"), mdl::VERSION) => {
            let file = mdl::read(&mut input, rate_hz.value, &|| fetch(PALETTE))?;
            pictures = file.pictures;
            (file.part, file.motions)
        }
        (mark, version) => return Err(refused(mark, version)),
    };
    let mut warnings = input.warnings;
    let (model, clips) =
        assemble((&[part], &[None]), &motions, bytes.len(), options, &mut warnings)?;
    let model = Model { pictures, ..model };
    Ok(Loaded { value: QuakeModel { model, clips, rate_hz }, warnings })
}

/// Whether a file is the lower body of a player by its name.
#[must_use]
pub fn is_player(file_name: &str) -> bool {
    file_name.eq_ignore_ascii_case(player::FILES[0].0)
}

/// Whether a file hangs on the lower body of a player by its name.
#[must_use]
pub fn hangs_on_player(file_name: &str) -> bool {
    player::FILES[1..].iter().any(|(name, _)| file_name.eq_ignore_ascii_case(name))
}

/// Reads a player by the file of its lower body; `fetch` gives the others, which lie beside it. Where they are not there, that is told and the
/// lower body is the model.
///
/// # Errors
/// As those of [`parse_model`], of any of the files.
pub fn parse_player(
    lower: &[u8],
    fetch: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    rate_hz: Option<f64>,
    options: &LoadOptions,
) -> Result<Loaded<QuakeModel>, ModelFormatError> {
    let others = player::FILES[1..].iter().map(|(name, _)| fetch(name));
    let others = match others.collect::<Result<Vec<Vec<u8>>, String>>() {
        Ok(others) if looks_like_quake(lower) => others,
        other => {
            let mut loaded = parse_model(lower, fetch, rate_hz, options)?;
            if let Err(why) = other {
                let message = format!("{why}; the lower body of the player is drawn alone");
                loaded.warnings.push(FileRepair::BadReference.told(message));
            }
            return Ok(loaded);
        }
    };
    let rate_hz = decide_frame_rate(rate_hz)?;
    let (mut parts, mut warnings, mut size) = (Vec::<Part>::new(), Vec::new(), 0_usize);
    let files = std::iter::once(lower).chain(others.iter().map(Vec::as_slice));
    for (bytes, (name, tag)) in files.zip(player::FILES) {
        let mut input = Input::new(bytes);
        let mut part = match (bytes.first_chunk(), whole(bytes, 1)) {
            (Some(b"IDP3"), md3::VERSION) => md3::read(&mut input, options)?,
            (mark, version) => return Err(refused(mark, version)),
        };
        let is_known =
            |tag: &str| parts.iter().flat_map(|part| &part.tags).any(|known| known.name == tag);
        if let Some(tag) = tag.filter(|tag| !is_known(tag)) {
            let message =
                format!("{name} hangs on tag {tag:?}, which is not there; it hangs on {ROOT}");
            warnings.push(FileRepair::BadReference.told(message));
        }
        // The tag on which a part hangs is in both files.
        part.tags.retain(|tag| !is_known(&tag.name));
        parts.push(part);
        size = size.saturating_add(bytes.len());
        warnings.extend(input.warnings.into_iter().map(|mut warning| {
            warning.message = format!("{name}: {}", warning.message);
            warning
        }));
    }
    let motions = player::motions(&parts, fetch(player::CLIPS), rate_hz.value, &mut warnings);
    let tags = player::FILES.map(|(_, tag)| tag);
    let (model, clips) = assemble((&parts, &tags), &motions, size, options, &mut warnings)?;
    Ok(Loaded { value: QuakeModel { model, clips, rate_hz }, warnings })
}

/// Frames a second; a wish goes before the rate of the engines.
fn decide_frame_rate(wish: Option<f64>) -> Result<Decided<f64>, ModelFormatError> {
    let rate_hz = decide_plain_rate(wish, None, USUAL_RATE_HZ);
    if rate_hz.value.is_finite() && rate_hz.value > 0.0 {
        return Ok(rate_hz);
    }
    let found = format!("{} a second", rate_hz.value);
    Err(ModelFormatError::value(FilePlace::Byte(0), "the frames", found, "above 0"))
}

/// A part with clips of its runs of frames.
fn with_runs(part: Part, rate_hz: f64) -> (Part, Vec<Motion>) {
    let run = |(name, range): (&str, std::ops::Range<usize>)| {
        Motion::run(name, vec![range.collect()], rate_hz)
    };
    let runs = if part.frames.len() > 1 { motion::runs(&part.frames) } else { Vec::new() };
    let motions = runs.into_iter().map(run).collect();
    (part, motions)
}

/// Whether a file begins as these models do, or as models of their extension that are refused by name.
#[must_use]
pub fn looks_like_quake(bytes: &[u8]) -> bool {
    MARKS.iter().any(|(mark, _)| bytes.starts_with(*mark))
}

/// The error of a file that is none of the three.
fn refused(mark: Option<&[u8; 4]>, version: u32) -> ModelFormatError {
    let known = MARKS.iter().find(|(known, _)| Some(*known) == mark);
    let name = known.map_or("another file", |(_, name)| name);
    let name = match (mark, version) {
        (Some(b"IDST"), 44..=49) => "a model of the Source engine (Half-Life 2)",
        _ => name,
    };
    let found = format!("{name}, version {}", version.cast_signed());
    let expected = "a model of Quake (IDPO, version 6), Quake 2 (IDP2, version 8) or Quake 3 (IDP3, version 15)";
    ModelFormatError::value(FilePlace::Byte(0), "the format", found, expected)
}

/// A file that is read, and what is to be told of it.
struct Input<'b> {
    bytes: &'b [u8],
    warnings: Vec<Warning>,
    /// The first byte and the count of numbers that are no numbers.
    bad_numbers: Option<(usize, usize)>,
}

impl<'b> Input<'b> {
    fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, warnings: Vec::new(), bad_numbers: None }
    }

    /// A word of the file as a count, an offset or a size.
    fn word(&self, what: &str, byte: usize) -> Result<usize, ModelFormatError> {
        let at = FilePlace::Byte(byte);
        let word = range(self.bytes, what, [byte, 1, 4], at).map(|four| whole(four, 0))?;
        usize::try_from(word.cast_signed()).map_err(|_| {
            ModelFormatError::value(at, what, word.cast_signed(), "a number from 0 on")
        })
    }

    /// A count of frames, with which lists are made.
    fn frame_count(&self, byte: usize) -> Result<usize, ModelFormatError> {
        let count = self.word("the number of frames", byte)?;
        let at = FilePlace::Byte(byte);
        if (1..=MAX_FRAMES).contains(&count) {
            return Ok(count);
        }
        let expected = format!("1 to {MAX_FRAMES}");
        Err(ModelFormatError::value(at, "the number of frames", count, expected))
    }

    /// Numbers from a byte of the file on, of which those that are not finite, or of no sound size, are 0; they are told together.
    fn reals<const N: usize>(&mut self, byte: usize) -> [f32; N] {
        const LARGEST: f32 = 1.0e18;
        let record = self.bytes.get(byte..).unwrap_or_default();
        std::array::from_fn(|place| {
            let number = f32::from_bits(whole(record, place));
            let is_sound = number.abs() <= LARGEST;
            if !is_sound {
                self.bad_numbers.get_or_insert((byte + 4 * place, 0)).1 += 1;
            }
            if is_sound { number } else { 0.0 }
        })
    }

    fn tell(&mut self, fault: FileRepair, byte: usize, message: impl Display) {
        self.warnings.push(fault.told(format!("byte {byte}: {message}")));
    }

    /// All warnings, with that of the bytes behind the end of the model.
    fn finish(&mut self, end: usize) {
        if let Some((byte, count)) = self.bad_numbers {
            let numbers = counted_as(count, "number is", "numbers are");
            let message = format!("{numbers} not finite, or too large, and 0 here");
            self.tell(FileRepair::NotFinite, byte, message);
        }
        let more = self.bytes.len().saturating_sub(end);
        if more > 0 {
            let bytes = counted_as(more, "byte", "bytes");
            let message = format!("{bytes} behind the end of the model are left out");
            self.tell(FileRepair::Leftover, end, message);
        }
    }

    /// Triangles whose corners are vertices of the surface; others are left out and told.
    fn known_corners<C: Copy>(
        &mut self,
        triangles: impl Iterator<Item = [(usize, C); 3]>,
        vertices: usize,
        byte: usize,
    ) -> Vec<[(u32, C); 3]> {
        let (mut kept, mut lost) = (Vec::new(), 0_usize);
        for triangle in triangles {
            let is_known = triangle.iter().all(|(vertex, _)| *vertex < vertices);
            lost += usize::from(!is_known);
            let own = |(vertex, corner)| (u32::try_from(vertex).unwrap_or(u32::MAX), corner);
            kept.extend(is_known.then(|| triangle.map(own)));
        }
        if lost > 0 {
            let triangles = counted_as(lost, "triangle has", "triangles have");
            let message =
                format!("{triangles} a corner that is none of the {vertices} vertices; left out");
            self.tell(FileRepair::BadReference, byte, message);
        }
        kept
    }
}

/// The contents of one file.
#[derive(Default)]
struct Part<'b> {
    surfaces: Vec<Surface<'b>>,
    /// Names of the frames.
    frames: Vec<String>,
    tags: Vec<Tag>,
    materials: Vec<FileMaterial>,
    /// Names of materials of which a scene may pick one for all surfaces.
    skins: Vec<String>,
}

/// A place that hangs on a part, in each frame; a joint of the model.
struct Tag {
    name: String,
    poses: Vec<Affine3>,
}

/// Puts parts together, each on the root or on a tag of a part before it; their files have `size` bytes.
fn assemble(
    (parts, tags): (&[Part], &[Option<&str>]),
    motions: &[Motion],
    size: usize,
    options: &LoadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<(Model, Vec<NamedClip>), ModelFormatError> {
    let joints = Joints::of(parts, tags);
    let wrong =
        |error| ModelFormatError::value(FilePlace::Byte(0), "the tags", error, "a sound skeleton");
    let skeleton = Skeleton::try_with_local(joints.list.clone(), joints.local.clone());
    let skeleton = skeleton.map_err(wrong)?;
    let (mut meshes, mut weights, mut materials, mut skins) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut needed = 0_usize;
    for (part, &joint) in parts.iter().zip(&joints.of_parts) {
        let frames = (part.frames.len(), weights.len());
        for surface in &part.surfaces {
            let mut mesh = surface.mesh(joint, &skeleton, options, warnings)?;
            needed = needed.saturating_add(mesh.vertex_count().saturating_mul(frames.0));
            check_frames(needed, size, options)?;
            mesh.morph = surface.targets(&mesh, joint, frames, options)?;
            mesh.variants = part.skins.iter().cloned().enumerate().collect();
            meshes.push(mesh);
        }
        let names = part.names();
        let own = names.into_iter().skip(1).enumerate();
        weights.extend(own.map(|(target, name)| MorphWeight { name, joint, target, rest: 0.0 }));
        materials.extend(part.materials.iter().cloned());
        skins.extend(part.skins.iter().cloned());
    }
    if meshes.is_empty() {
        warnings.push(FileRepair::Empty.told("it has no surface: nothing is drawn"));
    }
    let mut names = Names::default();
    let clip = |(index, motion): (usize, &Motion)| {
        let (tracks, morphs) = joints.tracks(parts, motion);
        let name = names.unique(Some(&motion.name), "clip", index);
        NamedClip { name, clip: motion.clip(tracks, morphs), options: ClipOptions::default() }
    };
    let clips = motions.iter().enumerate().map(clip).collect();
    let lacks_meshes = meshes.is_empty();
    // The engines set the axes.
    let axis = AxisRule { is_stated: false, guesses: Guesses::Never };
    let model = Model {
        skeleton: skeleton.with_morphs(weights),
        meshes,
        materials,
        pictures: Vec::new(),
        front: Vec3::X,
        parts: FileParts {
            lacks_meshes,
            variants: skins,
            up: axis,
            front: axis,
            ..FileParts::default()
        },
    };
    Ok((model, clips))
}

impl Part<'_> {
    /// Names of its frames, each once.
    fn names(&self) -> Vec<String> {
        let mut names = Names::default();
        let frames = self.frames.iter().enumerate();
        frames.map(|(frame, name)| names.unique(Some(name), "frame", frame)).collect()
    }
}

/// The joints of all parts: the root, and the tags of each part behind it.
struct Joints {
    list: Vec<Joint>,
    /// Transforms on the parents.
    local: Vec<Affine3>,
    /// The joint of each part.
    of_parts: Vec<JointIndex>,
}

impl Joints {
    fn of(parts: &[Part], tags: &[Option<&str>]) -> Self {
        let root =
            Joint { name: ROOT.to_owned(), parent: None, model_from_joint: ours_from_file() };
        let mut joints =
            Self { list: vec![root], local: vec![ours_from_file()], of_parts: Vec::new() };
        for (part, tag) in parts.iter().zip(tags) {
            let named = |joint: &Joint| Some(joint.name.as_str()) == *tag;
            let own = joints.list.iter().position(named).unwrap_or(0);
            let parent = JointIndex(u16::try_from(own).unwrap_or(u16::MAX));
            joints.of_parts.push(parent);
            for tag in &part.tags {
                let local = tag.poses.first().copied().unwrap_or(Affine3::IDENTITY);
                let model_from_joint = joints.list[own].model_from_joint * local;
                let (name, parent) = (tag.name.clone(), Some(parent));
                joints.list.push(Joint { name, parent, model_from_joint });
                joints.local.push(local);
            }
        }
        joints
    }

    /// The tracks of a motion: of tags, and of the weights of frames.
    fn tracks(&self, parts: &[Part], motion: &Motion) -> (Vec<Tracks>, Vec<MorphTrack>) {
        let (translation, rotation, scale) = (Track::unset(), Track::unset(), Track::unset());
        let root = Tracks { name: ROOT.to_owned(), parent: None, translation, rotation, scale };
        let (mut tracks, mut morphs) = (vec![root], Vec::new());
        for (index, part) in parts.iter().enumerate() {
            let own = part.tags.iter().map(|tag| motion.tracks(index, &tag.name, &tag.poses));
            tracks.extend(own);
            let joint = &self.list[self.of_parts[index].index()].name;
            let names = part.names();
            morphs.extend(motion.weights(index).into_iter().map(|(frame, weight)| MorphTrack {
                joint: joint.clone(),
                target: frame - 1,
                name: names[frame].clone(),
                weight,
            }));
        }
        (tracks, morphs)
    }
}
