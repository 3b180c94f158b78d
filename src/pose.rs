//! A model at a time of one of its clips, or in its bind pose.

use super::error::PoseFault;
use super::model::rows;
use super::{Error, ErrorKind, Model, MorphName};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tintype_base::diagnostic::{Diagnostic, Kind};
use tintype_base::path::ShowPath;
use tintype_model::math::Vec3;
use tintype_model::pose::{
    bind_clip, bind_pose, bound_pose, hold_joint, part_of, play_clip, root_joint, sample_clip,
    swing, wrap_time,
};
use tintype_model::skin::{SkinMatrices, skin_mesh};
use tintype_model::{Mesh, Pose, PosedMesh as Posed, Wrap, mesh_names};
use tintype_output::encode_obj;
use tintype_render::asset::{LoadedModel, set_morphs};
use tintype_scene::{
    ClipWord, ClipWordError, RootMotion, Springs, decide_said_clip, read_clip_word,
};

/// A requested pose of a model; by default its bind pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoseOptions {
    /// The clip, named as on the command line: `walk`, `0`, `walk:6-18`, or `bind` for none. By
    /// default the first one if there is a time, which for an MD5 model may be in a file beside it.
    pub clip: Option<String>,
    /// The time of the clip. Without a clip, the springs of a VRM file swing for so many seconds.
    pub time: Option<PoseTime>,
    /// The motion of the clip that carries the model.
    pub root: RootMotion,
    /// Springs of hair and cloth in VRM files.
    pub springs: Springs,
    /// Weights of morph targets that replace those of the clip, as in [`Model::pose_with`].
    pub morphs: Vec<(MorphName, f32)>,
}

/// A time of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PoseTime {
    /// Seconds from its start. Beyond its ends it continues as its file states.
    Seconds(f64),
    /// Ticks of a file that counts in ticks, from the zero of the file.
    Tick(f64),
    /// A key, from 0.
    Key(usize),
}

/// A model at one time.
#[derive(Clone, Debug)]
pub struct PosedModel {
    model: Arc<LoadedModel>,
    pose: Pose,
    meshes: Vec<Posed>,
    warnings: Vec<Diagnostic>,
    clip_file: Option<PathBuf>,
}

/// A mesh of a [`PosedModel`]. Positions and normals are in model space: right-handed, +Y up, in
/// the units of the file.
#[derive(Clone, Copy, Debug)]
pub struct PosedMesh<'p> {
    posed: &'p Posed,
    is_shown: bool,
}

/// A clip, or a part of one, that is played.
struct PlayedClip {
    clip: Arc<tintype_model::Clip>,
    file: PathBuf,
    ticks_per_second: Option<f64>,
}

impl Model {
    /// Poses the model at a time of a clip, in seconds from the clip's start, or in its bind pose
    /// without a clip. Beyond its ends the clip continues as its file states. Clips are named as on
    /// the command line: `walk`, `0`, `walk:6-18`; for an MD5 model this includes clips in files
    /// beside it.
    ///
    /// # Errors
    /// [`ErrorKind::Name`](crate::ErrorKind::Name) if there is no clip of that name,
    /// [`ErrorKind::Draw`](crate::ErrorKind::Draw) if the clip moves no joint of the model,
    /// [`ErrorKind::Scene`](crate::ErrorKind::Scene) if the time is not finite.
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
        self.pose_at(&PoseOptions {
            clip: clip.map(str::to_owned),
            time: clip.map(|_| PoseTime::Seconds(time_s)),
            morphs: morphs.to_vec(),
            ..PoseOptions::default()
        })
    }

    /// Poses the model. The bind pose is that of every time.
    ///
    /// ```
    /// use tintype::{Model, PoseOptions, PoseTime};
    ///
    /// let model = Model::open("scenes/assets/ranger.x")?;
    /// let time = Some(PoseTime::Tick(30.0));
    /// let posed = model.pose_at(&PoseOptions { time, ..PoseOptions::default() })?;
    /// assert!(posed.vertex_count() > 0);
    /// # Ok::<(), tintype::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Model::pose_with`], and those of a [`PoseFault`]. Mistakes are
    /// [diagnostics](Error::diagnostics) whose keys are the fields of [`PoseOptions`], with `time_s`,
    /// `tick` and `key` for a time.
    pub fn pose_at(&self, options: &PoseOptions) -> Result<PosedModel, Error> {
        self.posed(options, false)
    }

    fn posed(&self, options: &PoseOptions, is_strict: bool) -> Result<PosedModel, Error> {
        let (model, path) = (self.loaded(), self.path());
        let mut warnings = Vec::new();
        let (mut pose, clip_file) = self.unmorphed(options, is_strict, &mut warnings)?;
        let lacking = set_morphs(&model.model.skeleton, &options.morphs, &mut pose)
            .map_err(|error| mistake(ErrorKind::Name, Some(path), "morphs", error.to_string()))?;
        let place = Error::place(Some(path), "morphs");
        let told = |text| Diagnostic::warning(Kind::Reference, place.clone(), text);
        warnings.extend(lacking.into_iter().map(told));
        let matrices = SkinMatrices::new(&pose);
        let meshes = model.model.meshes.iter().map(|mesh| skin_mesh(mesh, &matrices)).collect();
        Ok(PosedModel { model: Arc::clone(model), pose, meshes, warnings, clip_file })
    }

    /// As [`Model::pose_at`], if that shows anything, and a time and a clip are given together.
    ///
    /// # Errors
    /// As [`Model::pose_at`], and [`ErrorKind::Draw`](crate::ErrorKind::Draw) if the model has no
    /// vertices, or all of its meshes are hidden,
    /// [`ErrorKind::Scene`](crate::ErrorKind::Scene) for a time of the bind
    /// pose, or a model with clip files and no time.
    pub fn pose_shown(&self, options: &PoseOptions) -> Result<PosedModel, Error> {
        if self.loaded().model.meshes.iter().all(|mesh| mesh.vertex_count() == 0) {
            let error =
                Error::new(ErrorKind::Draw, format!("{}: no mesh to pose", self.path().shown()));
            let has_clips = self.clip_paths().is_empty() && self.clips().len() > 0;
            return Err(if has_clips { error.at_fault(PoseFault::ClipsAlone) } else { error });
        }
        let posed = self.posed(options, true)?;
        let hidden = posed.hidden_meshes();
        if hidden.len() == posed.meshes.len() {
            let (path, hidden) = (self.path().shown(), hidden.join(", "));
            let message = format!("{path}: all meshes are hidden at that time: {hidden}");
            let fault = PoseFault::Hidden(posed.hiding_morphs());
            return Err(Error::new(ErrorKind::Draw, message).at_fault(fault));
        }
        Ok(posed)
    }

    /// The pose before the weights of morph targets are set by hand, and the file of its clip.
    /// `is_strict` refuses a time of the bind pose, and clip files without a time.
    fn unmorphed(
        &self,
        options: &PoseOptions,
        is_strict: bool,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<(Pose, Option<PathBuf>), Error> {
        let model = &self.loaded().model;
        let (skeleton, word) = (&model.skeleton, options.clip.as_deref());
        let plays = is_strict && !self.clip_paths().is_empty();
        if word.is_none() && options.time.is_none() && !plays {
            return Ok((bind_pose(skeleton), None));
        }
        let swings = options.springs == Springs::Swing && !skeleton.rig().springs.is_empty();
        let is_still = word == Some("bind") || word.is_none() && self.clips().len() == 0;
        if let (Some(PoseTime::Seconds(time_s)), true) = (options.time, swings && is_still) {
            finite("time_s", time_s)?;
            let mut pose = bind_pose(skeleton);
            let at_rest = pose.clone();
            swing(skeleton, &mut pose, time_s, &mut |_| at_rest.clone());
            return Ok((pose, None));
        }
        let Some(PlayedClip { clip, file, ticks_per_second }) = self.played_clip(word)? else {
            if is_strict && options.time.is_some() {
                let message = "the bind pose has no time".to_owned();
                let error = mistake(ErrorKind::Scene, None, "clip", message);
                return Err(error.at_fault(PoseFault::TimeOfBindPose));
            }
            return Ok((bound_pose(skeleton), None));
        };
        let (binding, found) = bind_clip(skeleton, &model.meshes, &clip)
            .map_err(|error| Error::new(ErrorKind::Draw, format!("{}: {error}", file.shown())))?;
        warnings.extend(found.into_iter().map(|warning| warning.in_file(Kind::Clip, &file)));
        if ticks_per_second.is_none() && self.load_options().ticks_per_second.is_some() {
            let message = "the file does not use ticks".to_owned();
            return Err(mistake(ErrorKind::Scene, Some(&file), "ticks_per_second", message));
        }
        let (time_s, wrap) = time_in(&clip, options.time, ticks_per_second)?;
        let mut pose = match options.springs {
            Springs::Swing => play_clip(skeleton, &clip, &binding, time_s, wrap),
            Springs::Rest => sample_clip(skeleton, &clip, &binding, wrap_time(&clip, time_s, wrap)),
        };
        if options.root != RootMotion::Keep
            && let Some(joint) = root_joint(skeleton, &model.meshes, &clip, &binding)
        {
            let first = sample_clip(skeleton, &clip, &binding, clip.start_s);
            let up = (options.root == RootMotion::HoldLevel).then_some(Vec3::Y);
            hold_joint(skeleton, &mut pose, joint, first.matrices[joint].translation, up);
        }
        Ok((pose, Some(file)))
    }

    /// The clip, or part of a clip, that a word names; the first without a word, none for the bind
    /// pose.
    fn played_clip(&self, word: Option<&str>) -> Result<Option<PlayedClip>, Error> {
        if let Some(beside) = self.with_clip_beside(word)? {
            return beside.played_clip(word);
        }
        let file = match self.clip_paths() {
            [only] => only,
            _ => self.path(),
        };
        let names: Vec<&str> = self.clips().map(|clip| clip.name()).collect();
        if word.is_none() && names.is_empty() {
            return Err(Error::of_no_clip(file));
        }
        let mistake = |message: String| mistake(ErrorKind::Name, Some(file), "clip", message);
        let wish = word.map(|word| read_clip_word(word, &names)).transpose();
        let first = ClipWord::Clip { index: 0, part: None };
        let (index, part) = match wish.map(|wish| decide_said_clip(wish, first)) {
            Ok(ClipWord::Bind) => return Ok(None),
            Ok(ClipWord::Clip { index, part }) => (index, part),
            Err(ClipWordError::Unknown { name, nearest }) => {
                return Err(Error::of_unknown_clip(file, &name, &names, nearest));
            }
            Err(error) => return Err(mistake(error.to_string())),
        };
        let found = &self.loaded().clips[index];
        let ticks_per_second = found.ticks.map(|ticks| ticks.per_second);
        let clip = match part {
            None => Arc::clone(&found.clip),
            Some(range) => {
                let part = part_of(&found.clip, &range, ticks_per_second);
                Arc::new(part.map_err(|error| mistake(error.to_string()))?)
            }
        };
        Ok(Some(PlayedClip { clip, file: file.to_owned(), ticks_per_second }))
    }

    /// The clip to compare models with: as for a pose, but without a word none is looked for beside
    /// the file.
    pub(super) fn compared_clip(
        &self,
        word: Option<&str>,
    ) -> Result<Option<Arc<tintype_model::Clip>>, Error> {
        if word.is_none() {
            return Ok(self.loaded().clips.first().map(|one| Arc::clone(&one.clip)));
        }
        Ok(self.played_clip(word)?.map(|played| played.clip))
    }
}

fn mistake(kind: ErrorKind, file: Option<&Path>, key: &str, message: String) -> Error {
    Error::of_mistake(kind, Diagnostic::error(Kind::Value, Error::place(file, key), message))
}

fn finite(key: &str, number: f64) -> Result<(), Error> {
    if number.is_finite() {
        return Ok(());
    }
    Err(mistake(ErrorKind::Scene, None, key, format!("{number}; expected a finite number")))
}

/// Seconds from the start of the clip. A time beyond the end continues in the next repetition; a
/// key is exactly that key, also the last one.
fn time_in(
    clip: &tintype_model::Clip,
    time: Option<PoseTime>,
    ticks_per_second: Option<f64>,
) -> Result<(f64, Wrap), Error> {
    let fault = |key, message: &str, fault| {
        mistake(ErrorKind::Scene, None, key, message.to_owned()).at_fault(fault)
    };
    match time {
        Some(PoseTime::Seconds(time_s)) => {
            finite("time_s", time_s)?;
            Ok((time_s, clip.wrap))
        }
        Some(PoseTime::Tick(tick)) => {
            finite("tick", tick)?;
            let message = "the clip does not use ticks";
            let per_second =
                ticks_per_second.ok_or_else(|| fault("tick", message, PoseFault::NoTicks))?;
            // Ticks count from the file's zero, not from the first key.
            Ok((tick / per_second - clip.start_s, Wrap::Clamp))
        }
        Some(PoseTime::Key(key)) => match clip.key_time_s(key) {
            Some(time_s) => Ok((time_s - clip.start_s, Wrap::Clamp)),
            None => {
                let last = clip.key_count().saturating_sub(1);
                let message = format!("{key}; the clip has keys 0 to {last}");
                Err(mistake(ErrorKind::Name, None, "key", message))
            }
        },
        None => Err(fault("time", "expected a time of the clip", PoseFault::NoTime)),
    }
}

impl PosedModel {
    /// Rows of each matrix from joint space to model space, in the order of [`Model::joints`].
    pub fn matrices(&self) -> impl ExactSizeIterator<Item = [[f32; 4]; 3]> {
        self.pose.matrices.iter().map(rows)
    }

    /// Faults of the clip on this model, and expression presets that the character lacks.
    #[must_use]
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The file of the played clip. None in the bind pose.
    #[must_use]
    pub fn clip_file(&self) -> Option<&Path> {
        self.clip_file.as_deref()
    }

    /// Weights of the morph targets, in the order of [`Model::morphs`].
    #[must_use]
    pub fn morph_weights(&self) -> &[f32] {
        &self.pose.morphs
    }

    /// Meshes, in the order of [`Model::meshes`].
    pub fn meshes(&self) -> impl ExactSizeIterator<Item = PosedMesh<'_>> {
        let meshes = self.meshes.iter().zip(&self.model.model.meshes);
        meshes.map(|(posed, mesh)| PosedMesh { posed, is_shown: self.shows(mesh) })
    }

    /// Names of the meshes that the file or the clip hides at that time; a mesh without a name has
    /// that of its material.
    #[must_use]
    pub fn hidden_meshes(&self) -> Vec<String> {
        let meshes = &self.model.model.meshes;
        let named = mesh_names(meshes).into_iter().zip(meshes);
        named.filter(|(_, mesh)| !self.shows(mesh)).map(|(name, _)| name).collect()
    }

    /// The weights that hide meshes at that time, as `JOINT/NAME`.
    fn hiding_morphs(&self) -> Vec<String> {
        let skeleton = &self.model.model.skeleton;
        let mut names = Vec::new();
        let hidden = self.model.model.meshes.iter().filter(|mesh| !self.shows(mesh));
        for &slot in hidden.flat_map(|mesh| &mesh.shown_by) {
            let Some(own) = skeleton.morphs().get(slot) else { continue };
            let name = format!("{}/{}", skeleton.joints()[own.joint.index()].name, own.name);
            if self.pose.morphs[slot] < Mesh::SHOWN_FROM && !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn shows(&self, mesh: &Mesh) -> bool {
        mesh.is_shown(&self.pose.morphs)
    }

    /// Number of vertices of the visible meshes.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        let shown = self.model.model.meshes.iter().filter(|mesh| self.shows(mesh));
        shown.map(Mesh::file_vertex_count).sum()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LoadOptions;

    fn open(file: &str, clips: &[&str]) -> Model {
        let file = format!("scenes/assets/{file}");
        let clips: Vec<String> = clips.iter().map(|clip| format!("scenes/assets/{clip}")).collect();
        Model::open_with(file, &clips, &LoadOptions::default()).unwrap()
    }

    fn at(clip: Option<&str>, time: Option<PoseTime>) -> PoseOptions {
        PoseOptions { clip: clip.map(str::to_owned), time, ..PoseOptions::default() }
    }

    #[test]
    fn key_second_and_tick_of_one_time_are_one_pose() {
        let model = open("ranger.x", &[]);
        let obj = |clip, time| model.pose_at(&at(clip, Some(time))).unwrap().to_obj();
        let walk = Some("walk");
        let start = obj(walk, PoseTime::Seconds(0.0));
        assert_eq!(obj(walk, PoseTime::Key(0)), start);
        assert_eq!(obj(walk, PoseTime::Tick(0.0)), start);
        assert_eq!(obj(None, PoseTime::Key(0)), obj(Some("0"), PoseTime::Seconds(0.0)));
        assert_eq!(obj(walk, PoseTime::Key(6)), obj(Some("walk:6-18"), PoseTime::Key(0)));
        assert_ne!(obj(walk, PoseTime::Key(6)), start);
        assert_eq!(model.pose(walk, 0.0).unwrap().to_obj(), start);
        let bind = model.pose(None, 0.0).unwrap();
        assert_eq!((bind.clip_file(), bind.warnings().len()), (None, 0));
        assert_eq!(model.pose(Some("bind"), 0.5).unwrap().to_obj(), bind.to_obj());
    }

    #[test]
    fn clips_of_another_file_and_beside_a_model_are_played() {
        let model = open("ranger.md5mesh", &["ranger.x"]);
        let own = open("ranger.x", &[]);
        let names = |model: &Model| -> Vec<String> {
            model.clips().map(|clip| clip.name().to_owned()).collect()
        };
        assert_eq!(names(&model), names(&own));
        let posed = model.pose_at(&at(Some("walk"), Some(PoseTime::Key(3)))).unwrap();
        assert_eq!(posed.clip_file(), Some(Path::new("scenes/assets/ranger.x")));
        let bare = open("ranger.md5mesh", &[]);
        let posed = bare.pose_at(&at(Some("walk"), Some(PoseTime::Key(3)))).unwrap();
        let walk = Path::new("scenes/assets/ranger_walk.md5anim");
        assert_eq!(posed.clip_file(), Some(walk));
        assert!(bare.pose_at(&at(None, Some(PoseTime::Key(0)))).unwrap().clip_file().is_some());
        assert_eq!(bare.with_clip_beside(Some("walk")).unwrap().unwrap().clip_paths(), [walk]);
        assert!(own.with_clip_beside(None).unwrap().is_none());
    }

    #[test]
    fn fault_of_a_request_is_data() {
        let model = open("ranger.glb", &[]);
        let refused = |options: &PoseOptions| {
            let error = model.pose_shown(options).unwrap_err();
            (error.to_string(), error.pose_fault().cloned())
        };
        let seconds = |time_s| Some(PoseTime::Seconds(time_s));
        for (options, text, fault) in [
            (at(Some("walk"), None), "time: ", Some(PoseFault::NoTime)),
            (at(Some("bind"), seconds(0.0)), "clip: ", Some(PoseFault::TimeOfBindPose)),
            (at(None, Some(PoseTime::Tick(3.0))), "tick: ", Some(PoseFault::NoTicks)),
            (at(None, Some(PoseTime::Key(999))), "key: 999; the clip has keys 0 to ", None),
            (at(None, seconds(f64::NAN)), "time_s: NaN; expected a finite number", None),
            (
                at(Some("wlak"), seconds(0.0)),
                "scenes/assets/ranger.glb: clip: unknown clip \"wlak\"; available: ",
                None,
            ),
        ] {
            let found = refused(&options);
            assert!(found.0.starts_with(text), "{}", found.0);
            assert_eq!(found.1, fault, "{}", found.0);
        }
        let morphs = vec![("nowhere".into(), 1.0)];
        let found = refused(&PoseOptions { morphs, ..PoseOptions::default() });
        assert!(found.0.starts_with("scenes/assets/ranger.glb: morphs: unknown"), "{}", found.0);
        let error = open("vitrine.glb", &[]).pose_at(&at(None, seconds(0.0))).unwrap_err();
        assert_eq!(error.pose_fault(), Some(&PoseFault::NoClip), "{error}");
    }

    #[test]
    fn ticks_per_second_are_those_of_the_options() {
        let slow = LoadOptions::default().with_ticks_per_second(Some(1.0));
        let none: [&Path; 0] = [];
        let model = Model::open_with("scenes/assets/ranger.x", &none, &slow).unwrap();
        let usual = open("ranger.x", &[]);
        let period = |model: &Model| model.clips().next().unwrap().period_s();
        assert!(period(&model) > 2.0 * period(&usual));
        let key = at(Some("walk"), Some(PoseTime::Key(5)));
        let pose = |model: &Model| model.pose_at(&key).unwrap().to_obj();
        assert_eq!(pose(&model), pose(&usual));
        let model = Model::open_with("scenes/assets/ranger.glb", &none, &slow).unwrap();
        let error = model.pose_at(&key).unwrap_err().to_string();
        assert!(error.ends_with("ticks_per_second: the file does not use ticks"), "{error}");
    }
}
