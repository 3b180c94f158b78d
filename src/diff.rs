//! Differences between models, pictures and folders, with their causes.
//!
//! [`diff`] compares two models, [`diff_frames`] two pictures, and [`diff_paths`] two files or
//! folders of either. Each difference names the stage where it arises and its amount.

use super::{ContactSheet, Error, ErrorKind, Frame, LoadOptions, Model};
use serde::{Serialize, Serializer};
use tintype_base::path::ShowPath;
use tintype_compare::Surface;
use tintype_compare::character::{ExportOptions, ModelPair, Part, compare_characters};
use tintype_compare::finding::{Finding, Stage};
use tintype_compare::model_diff::{self, Side};
use tintype_framing::Characters;

pub use tintype_compare::character::PairState as ModelState;
pub use tintype_model::Rule;

#[cfg(feature = "host")]
pub use files::{FileDiff, FileState, PictureDiff, PictureState, diff_frames, diff_paths};

/// Options of a comparison.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiffOptions {
    /// Distance below which vertices count as equal, as a fraction of the diagonal of the first
    /// model; 0 for exact equality.
    pub tolerance: f32,
    /// Rule by which pictures count as the same; by default all pixels must be equal.
    pub rule: Rule,
    /// True to draw pictures of the differences.
    pub pictures: bool,
}

/// One difference: the stage where it arises, its data, and its amount in words.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Cause {
    /// The picture, model or file that differs.
    pub subject: String,
    /// The clip of the model. None for the model itself and for pictures.
    pub clip: Option<String>,
    /// First stage that differs.
    pub stage: CauseStage,
    /// The difference as data: its kind, subjects and amounts. None for differences of the whole,
    /// such as pixels or a missing file.
    pub finding: Option<Finding>,
    /// The difference as a sentence, with its amount.
    pub text: String,
    /// Further sentences.
    pub evidence: Vec<String>,
}

/// First stage that differs, or the kind of a difference without stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CauseStage {
    /// A stage of a model, or of a picture with a record.
    Stage(Stage),
    /// Pixels of a picture without a record.
    Pixels,
    /// Sizes of two pictures.
    Size,
    /// Missing on one side.
    Missing,
    /// One side cannot be read.
    Unreadable,
    /// Content of other files.
    Content,
}

impl CauseStage {
    /// The word in messages.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Stage(stage) => stage.word(),
            Self::Pixels => "pixels",
            Self::Size => "size",
            Self::Missing => "missing",
            Self::Unreadable => "unreadable",
            Self::Content => "content",
        }
    }
}

impl std::fmt::Display for CauseStage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { subject, clip, stage, text, .. } = self;
        match clip {
            Some(clip) => write!(f, "{subject}: clip {clip}: {stage}: {text}"),
            None => write!(f, "{subject}: {stage}: {text}"),
        }
    }
}

/// A joint that moved relative to its parent.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct JointDiff {
    /// Its name.
    pub name: String,
    /// Rotation relative to its parent at the time of the largest difference, in degrees.
    pub turned_deg: f32,
    /// Distance in model space at that time.
    pub moved: f32,
    /// The time, in seconds from the start of the clip.
    pub at_s: f64,
    /// Number of descendants that only follow.
    pub followers: usize,
}

/// Difference of a model in its bind pose, or of one of its clips.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PartDiff {
    /// Name of the clip. None for the model in its bind pose.
    pub clip: Option<String>,
    /// The result. [`ModelState::Unreadable`] is for whole models only.
    pub state: ModelState,
    /// Differences, ordered by stage.
    pub causes: Vec<Cause>,
    /// Number of compared times.
    pub moments: usize,
    /// The largest distance that a joint or vertex moved, as a fraction of the diagonal of the
    /// first model.
    pub farthest: f32,
    /// Joints that moved relative to their parents, farthest first.
    pub joints: Vec<JointDiff>,
    /// Both models at the time of the largest difference, seen by one camera. None unless
    /// [`DiffOptions::pictures`] is set and something differs.
    pub pictures: Option<[Frame; 2]>,
}

/// Difference of two models with all their clips.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ModelDiff {
    /// Path relative to the folder, or the name of the second file.
    pub name: String,
    /// The result.
    pub state: ModelState,
    /// True if nothing differs beyond the tolerance.
    pub is_same: bool,
    /// The name in the first folder, if the model was renamed.
    pub renamed_from: Option<String>,
    /// The reason, if the models could not be compared.
    pub error: Option<String>,
    /// Remarks, such as clips that fit no joint, and reordered vertices.
    pub notes: Vec<Finding>,
    /// The model in its bind pose, then its clips by name.
    pub parts: Vec<PartDiff>,
    /// The differences, before and after, as one picture with a legend. None unless
    /// [`DiffOptions::pictures`] is set and a difference is visible.
    pub contact_sheet: Option<ContactSheet>,
}

impl ModelDiff {
    /// The difference of the model as a whole: removed, added, renamed or unreadable.
    #[must_use]
    pub fn cause(&self) -> Option<Cause> {
        let (stage, text) = match (&self.error, &self.renamed_from, self.state) {
            (Some(error), ..) => (CauseStage::Unreadable, error.clone()),
            (_, Some(from), _) => {
                (CauseStage::Stage(Stage::Structure), format!("renamed from {from}"))
            }
            (.., ModelState::OnlyA) => (CauseStage::Missing, "the model is missing".to_owned()),
            (.., ModelState::OnlyB) => (CauseStage::Missing, "the model is new".to_owned()),
            _ => return None,
        };
        let subject = self.name.clone();
        let finding = self.notes.first().filter(|_| self.renamed_from.is_some()).cloned();
        Some(Cause { subject, clip: None, stage, finding, text, evidence: Vec::new() })
    }

    /// All differences: of the model as a whole, then of its parts.
    pub fn causes(&self) -> impl Iterator<Item = Cause> + '_ {
        self.cause()
            .into_iter()
            .chain(self.parts.iter().flat_map(|part| part.causes.iter().cloned()))
    }

    pub(crate) fn of(pair: ModelPair) -> Self {
        let old = pair.renamed_from.as_ref().unwrap_or(&pair.name);
        let contact_sheet = pair.contact_sheet([old, &pair.name]).map(ContactSheet::from);
        let ModelPair { name, state, renamed_from, error, notes, parts, .. } = pair;
        let parts = parts.into_iter().map(|part| part_diff(&name, part)).collect();
        let is_same = state.passes();
        Self { parts, name, state, is_same, renamed_from, error, notes, contact_sheet }
    }
}

fn part_diff(subject: &str, part: Part) -> PartDiff {
    let causes = part.findings.iter().map(|finding| Cause {
        subject: subject.to_owned(),
        clip: part.clip.clone(),
        stage: CauseStage::Stage(finding.stage),
        text: finding.sentence(),
        finding: Some(finding.clone()),
        evidence: Vec::new(),
    });
    let joints = part.diff.iter().flat_map(|diff| &diff.joints).map(|joint| JointDiff {
        name: joint.name.clone(),
        turned_deg: joint.turned_deg,
        moved: joint.moved,
        at_s: joint.at_s,
        followers: joint.followers,
    });
    PartDiff {
        causes: causes.collect(),
        joints: joints.collect(),
        state: part.state,
        moments: part.diff.as_ref().map_or(0, |diff| diff.moments),
        farthest: part.diff.as_ref().map_or(0.0, |diff| diff.farthest()),
        pictures: part.pictures.map(|pair| pair.map(Frame::plain)),
        clip: part.clip,
    }
}

/// Difference of two models moved by one clip each, or in their bind poses.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClipDiff {
    /// True if nothing differs beyond the tolerance.
    pub is_same: bool,
    /// Number of compared times.
    pub moments: usize,
    /// The largest distance that a joint or vertex moved, as a fraction of the diagonal of the
    /// first model.
    pub farthest: f32,
    /// Number of joints that moved relative to their parents.
    pub joints: usize,
    diff: model_diff::ModelDiff,
}

impl ClipDiff {
    /// Differences, ordered by stage. At most `most_joints` joints are listed.
    #[must_use]
    pub fn findings(&self, most_joints: usize) -> Vec<Finding> {
        self.diff.findings(most_joints)
    }
}

/// All facts, as in `tintype diff --json`.
impl Serialize for ClipDiff {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.diff.serialize(serializer)
    }
}

/// Compares two models at every key of one clip, named as for [`PoseOptions`](crate::PoseOptions);
/// without a name, of their first clips, or in their bind poses if they have none. Textures are not
/// read.
///
/// ```
/// use tintype::{DiffOptions, Model, diff_clip};
///
/// let model = Model::open("scenes/assets/ranger.glb")?;
/// assert!(diff_clip(&model, &model, Some("walk"), DiffOptions::default())?.is_same);
/// # Ok::<(), tintype::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Name`] if a model lacks the clip, or only one of them has a clip;
/// [`ErrorKind::Draw`] if it does not fit its model.
pub fn diff_clip(
    a: &Model,
    b: &Model,
    clip: Option<&str>,
    options: DiffOptions,
) -> Result<ClipDiff, Error> {
    let models = [a, b];
    let clips = [a.compared_clip(clip)?, b.compared_clip(clip)?];
    let [old, new] = models.map(|model| model.path().shown());
    match &clips {
        [Some(_), None] => return Err(Error::of_lone_clip(&old, &new)),
        [None, Some(_)] => return Err(Error::of_lone_clip(&new, &old)),
        _ => {}
    }
    let surfaces = models.map(|model| {
        model.loaded().model.materials.iter().map(Surface::of_file).collect::<Vec<_>>()
    });
    let [old, new] = [0, 1].map(|k| Side {
        model: &models[k].loaded().model,
        clip: clips[k].as_deref(),
        surfaces: &surfaces[k],
    });
    let diff = model_diff::compare(old, new).map_err(|(side, error)| {
        let file = models[side].path().shown();
        Error::new(ErrorKind::Draw, format!("{file}: the clip does not fit: {error}"))
    })?;
    Ok(ClipDiff {
        is_same: diff.is_within(options.tolerance),
        moments: diff.moments,
        farthest: diff.farthest(),
        joints: diff.joints.len(),
        diff,
    })
}

/// Compares two models with the clips that they were opened with: their bind poses, and every clip
/// at every key. The only files read are textures.
///
/// ```
/// use tintype::{DiffOptions, Model, diff};
///
/// let model = Model::open("scenes/assets/ranger.glb")?;
/// assert!(diff(&model, &model, DiffOptions::default())?.is_same);
/// # Ok::<(), tintype::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::File`] if a model has no triangles.
pub fn diff(a: &Model, b: &Model, options: DiffOptions) -> Result<ModelDiff, Error> {
    let load = |model: &Model| {
        Characters::over(model.held(), model.load_options().clone())
            .load_with(model.path(), Some(model.clip_paths()))
            .map_err(|error| Error::of_character(&error))
    };
    let (old, new) = (load(a)?, load(b)?);
    let name = b.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
    let options = options.of_exports(b.load_options().clone());
    Ok(ModelDiff::of(compare_characters(name, [&old, &new], &options)))
}

impl DiffOptions {
    fn of_exports(self, load_options: LoadOptions) -> ExportOptions {
        ExportOptions {
            load_options,
            tolerance: self.tolerance,
            draws: self.pictures,
            most_joints: usize::MAX,
        }
    }

    /// Sets the rule from a metric, `max`, `flip` or `ssim`, and its bound.
    ///
    /// # Errors
    /// [`ErrorKind::Scene`] for an unknown metric, or a bound that is missing or out of range.
    pub fn with_metric(mut self, metric: &str, bound: Option<f64>) -> Result<Self, Error> {
        self.rule =
            Rule::new(metric, bound).map_err(|error| Error::of(ErrorKind::Scene, &error))?;
        Ok(self)
    }
}

#[cfg(feature = "host")]
mod files {
    //! Pictures, and files and folders on disk.

    use super::{Cause, CauseStage, DiffOptions, Finding, ModelDiff};
    use crate::{Error, ErrorKind, Frame, LoadOptions};
    use std::io::Read as _;
    use std::path::{Path, PathBuf};
    use tintype_base::disk::open_regular;
    use tintype_base::extension::is_model;
    use tintype_compare::{Difference, Heat, PixelDifference, flip, heat_picture};
    use tintype_formats::md5::looks_like_md5;
    use tintype_golden::cause_between;
    use tintype_golden::exports::{ExportDiff, compare_exports};
    use tintype_golden::picture_diff::{
        Compared, ComparedFile, Pair, Pairs, PictureDiffError, PictureLimits, compare_files,
    };
    use tintype_render::asset::is_model_file;

    pub use tintype_golden::picture_diff::{FileState, State as PictureState};

    /// Difference of two pictures.
    #[derive(Clone, Debug)]
    #[non_exhaustive]
    pub struct PictureDiff {
        /// Name of the frame.
        pub name: String,
        /// The result.
        pub state: PictureState,
        /// True if nothing differs beyond the bound.
        pub is_same: bool,
        /// The comparison in words.
        pub message: String,
        /// Number of pixels that differ in any channel.
        pub pixels: usize,
        /// The largest difference of a colour channel.
        pub largest: u8,
        /// Bounding box of the change: left, top, right, bottom, all inclusive. None if no pixel
        /// differs.
        pub bounds: Option<[u32; 4]>,
        /// The mean FLIP: 0 to 1, 0 for equal pictures. None where it cannot be measured.
        pub flip: Option<f64>,
        /// The mean SSIM: 1 for equal pictures. None where it cannot be measured.
        pub ssim: Option<f64>,
        /// FLIP of each pixel, from black to light yellow. None unless [`DiffOptions::pictures`] is
        /// set and something differs.
        pub heat: Option<Frame>,
        /// The reason for the difference, if there is one.
        pub cause: Option<Cause>,
    }

    /// Difference of two files that are neither pictures nor models.
    #[derive(Clone, Debug)]
    #[non_exhaustive]
    pub struct FileDiff {
        /// Path relative to both folders.
        pub name: String,
        /// The result.
        pub state: FileState,
        /// True if the content is the same.
        pub is_same: bool,
        /// Differences of models and clips, each with its clip.
        pub findings: Vec<(Option<String>, Finding)>,
        /// The findings as sentences, and the reason if the files cannot be compared.
        pub sentences: Vec<String>,
        /// The reason for the difference, if there is one.
        pub cause: Option<Cause>,
    }

    /// Differences of two files or folders.
    #[derive(Clone, Debug, Default)]
    #[non_exhaustive]
    pub struct Diff {
        /// Models of either side.
        pub models: Vec<ModelDiff>,
        /// Pictures of either side.
        pub pictures: Vec<PictureDiff>,
        /// Other files of two folders.
        pub files: Vec<FileDiff>,
    }

    impl Diff {
        /// True if nothing differs beyond the tolerance or the bound.
        #[must_use]
        pub fn is_same(&self) -> bool {
            self.models.iter().all(|one| one.is_same)
                && self.pictures.iter().all(|one| one.is_same)
                && self.files.iter().all(|one| one.is_same)
        }

        /// All differences of models, then pictures, then files, each ordered by stage.
        #[must_use]
        pub fn causes(&self) -> Vec<Cause> {
            let of_models = self.models.iter().flat_map(ModelDiff::causes);
            let of_pictures = self.pictures.iter().filter_map(|one| one.cause.clone());
            let of_files = self.files.iter().filter_map(|one| one.cause.clone());
            of_models.chain(of_pictures).chain(of_files).collect()
        }
    }

    /// Compares two pictures, pixel by pixel.
    ///
    /// ```
    /// use tintype::{DiffOptions, Frame, diff_frames};
    ///
    /// let a = Frame::open("golden/walk/0000.png")?;
    /// let b = Frame::open("golden/walk/0009.png")?;
    /// let found = diff_frames(&a, &b, DiffOptions::default());
    /// assert!(!found.is_same && found.pixels > 0);
    /// # Ok::<(), tintype::Error>(())
    /// ```
    #[must_use]
    pub fn diff_frames(a: &Frame, b: &Frame, options: DiffOptions) -> PictureDiff {
        let compared = Compared::of_frames("frame", [&a.picture, &b.picture], options.rule);
        let heat = heat(&compared, options, || Some([a.clone(), b.clone()]));
        picture_diff(compared, None, heat)
    }

    /// Compares two pictures, two models, two sequences such as `a/####.png`, or two folders of any
    /// of these. For golden pictures with records beside them, the first stage that differs is
    /// named. `go_on` is called between pictures; false stops the comparison.
    ///
    /// # Errors
    /// [`ErrorKind::File`] if a side is missing or cannot be read, [`ErrorKind::Stopped`] if
    /// `go_on` returns false.
    pub fn diff_paths(
        a: &Path,
        b: &Path,
        options: DiffOptions,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Diff, Error> {
        diff_of_paths(a, b, options, go_on).map_err(|error| {
            // A missing side is reported as the reason.
            let refused = |path: &Path| path.metadata().err().map(|error| error.kind());
            error.answered(refused(a).or_else(|| refused(b)))
        })
    }

    fn diff_of_paths(
        a: &Path,
        b: &Path,
        options: DiffOptions,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Diff, Error> {
        let of_pictures = |error: PictureDiffError| {
            Error::of(ErrorKind::File, &error).temporary(error.is_temporary())
        };
        let are_folders = a.is_dir() && b.is_dir();
        let are_models = [a, b].into_iter().any(|path| is_model(path) || starts_as_model(path));
        let mut models = ExportDiff::default();
        if are_folders || are_models {
            let export = options.of_exports(LoadOptions::default());
            models = compare_exports(a, b, &export).map_err(|error| {
                Error::of(ErrorKind::File, &error).temporary(error.is_temporary())
            })?;
        }
        let mut all = Diff::default();
        if are_models && !are_folders {
            if let [one] = models.models.as_slice()
                && let Some(error) = &one.error
            {
                let error = Error::new(ErrorKind::File, error.clone());
                return Err(error.temporary(one.is_temporary));
            }
            all.models = models.models.into_iter().map(ModelDiff::of).collect();
            return Ok(all);
        }
        let pairs = Pairs::find(a, b).map_err(of_pictures)?;
        for pair in &pairs.list {
            let compared = Compared::new(pair, options.rule, &PictureLimits::default());
            if pairs.list.len() == 1
                && !pairs.is_sequence
                && compared.state == PictureState::Unreadable
            {
                let error = Error::new(ErrorKind::File, compared.message);
                return Err(error.temporary(compared.is_temporary));
            }
            all.pictures.push(of_pair(pair, compared, options));
            if !go_on() {
                return Err(Error::new(ErrorKind::Stopped, "the comparison was stopped"));
            }
        }
        if are_folders {
            let is_other = |path: &Path| !models.has_file(path);
            let files = compare_files(a, b, &is_other, &LoadOptions::default());
            all.files = files.map_err(of_pictures)?.into_iter().map(file_diff).collect();
        }
        all.models = models.models.into_iter().map(ModelDiff::of).collect();
        Ok(all)
    }

    /// True if a file without an extension is a model, judging by its first bytes.
    fn starts_as_model(path: &Path) -> bool {
        let mut start = Vec::new();
        let mut read = || open_regular(path)?.take(4096).read_to_end(&mut start);
        let is_read = path.extension().is_none() && path.is_file() && read().is_ok();
        is_read && (is_model_file(&start, path) || looks_like_md5(&start))
    }

    fn of_pair(pair: &Pair, compared: Compared, options: DiffOptions) -> PictureDiff {
        let cause = match (&pair.a, &pair.b, &compared.difference) {
            (Some(a), Some(b), Some(difference)) => cause_between(a, b, difference),
            _ => None,
        };
        let read = |path: &Option<PathBuf>| Frame::open(path.as_deref()?).ok();
        let heat = heat(&compared, options, || Some([read(&pair.a)?, read(&pair.b)?]));
        picture_diff(compared, cause, heat)
    }

    /// FLIP of each pixel as a picture, if requested.
    fn heat(
        compared: &Compared,
        options: DiffOptions,
        frames: impl Fn() -> Option<[Frame; 2]>,
    ) -> Option<Frame> {
        let differs = matches!(compared.difference, Some(Difference::Pixels(_)));
        let [a, b] = (options.pictures && differs).then(frames)??;
        let is_same_size = [a.width(), a.height()] == [b.width(), b.height()];
        let heat = Heat::that_holds(compared.largest_flip);
        is_same_size.then(|| {
            let (a, b) = (&a.picture, &b.picture);
            Frame::plain(heat_picture(a, b, &flip(a, b), heat))
        })
    }

    fn picture_diff(
        compared: Compared,
        cause: Option<tintype_golden::record::Cause>,
        heat: Option<Frame>,
    ) -> PictureDiff {
        let is_same = compared.passes();
        let cause = (!is_same).then(|| cause_of_picture(&compared, cause));
        let pixels = match compared.difference {
            Some(Difference::Pixels(pixels)) => Some(pixels),
            _ => None,
        };
        let bounds =
            |PixelDifference { low, high, .. }: PixelDifference| [low[0], low[1], high[0], high[1]];
        PictureDiff {
            state: compared.state,
            is_same,
            pixels: pixels.map_or(0, |pixels| pixels.count),
            largest: pixels.map_or(0, |pixels| pixels.largest),
            bounds: pixels.map(bounds),
            flip: compared.flip.map(|mean| mean.all),
            ssim: compared.ssim.map(|mean| mean.all),
            name: compared.name,
            message: compared.message,
            heat,
            cause,
        }
    }

    fn cause_of_picture(
        compared: &Compared,
        cause: Option<tintype_golden::record::Cause>,
    ) -> Cause {
        let subject = compared.name.clone();
        if let Some(cause) = cause {
            let (stage, text) = (CauseStage::Stage(cause.stage), cause.what());
            let evidence = cause.evidence();
            let finding = cause.findings.into_iter().next();
            return Cause { subject, clip: None, stage, finding, text, evidence };
        }
        let stage = match compared.state {
            PictureState::Size => CauseStage::Size,
            PictureState::OnlyA | PictureState::OnlyB => CauseStage::Missing,
            PictureState::Unreadable => CauseStage::Unreadable,
            _ => CauseStage::Pixels,
        };
        let evidence = compared.provenance.iter().map(ToString::to_string).collect();
        let text = compared.message.clone();
        Cause { subject, clip: None, stage, finding: None, text, evidence }
    }

    fn file_diff(file: ComparedFile) -> FileDiff {
        let is_same = file.passes();
        let sentences = file.sentences();
        let ComparedFile { name, state, findings, .. } = file;
        let (stage, text) = match state {
            FileState::OnlyA => (CauseStage::Missing, "the file is missing".to_owned()),
            FileState::OnlyB => (CauseStage::Missing, "the file is new".to_owned()),
            FileState::Unreadable => (CauseStage::Unreadable, sentences.join("; ")),
            _ => (CauseStage::Content, sentences.first().cloned().unwrap_or_default()),
        };
        let cause = (!is_same).then(|| Cause {
            subject: name.clone(),
            clip: None,
            stage,
            finding: findings.first().map(|(_, finding)| finding.clone()),
            text,
            evidence: sentences.iter().skip(1).cloned().collect(),
        });
        FileDiff { name, state, is_same, findings, sentences, cause }
    }
}

#[cfg(feature = "host")]
pub use files::Diff;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contact_sheet_is_there_with_pictures() {
        let model = Model::open("scenes/assets/ranger.x").unwrap();
        let text = std::fs::read_to_string("scenes/assets/globe.md5mesh").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("globe.md5mesh");
        let first = text.lines().find(|line| line.trim_start().starts_with("weight 0 ")).unwrap();
        let moved = first.replacen("0.5", "0.1", 1);
        std::fs::write(&path, text.replacen(first, &moved, 1)).unwrap();
        let (old, new) = (Model::open("scenes/assets/globe.md5mesh"), Model::open(&path));
        let (old, new) = (old.unwrap(), new.unwrap());
        let sheet = |pictures: bool| {
            let options = DiffOptions { pictures, ..DiffOptions::default() };
            diff(&old, &new, options).unwrap().contact_sheet
        };
        assert!(sheet(false).is_none());
        let found = sheet(true).unwrap();
        assert!(found.legend.contains("\"side\": \"after\""), "{}", found.legend);
        let options = DiffOptions { pictures: true, ..DiffOptions::default() };
        assert!(diff(&model, &model, options).unwrap().contact_sheet.is_none());
    }

    #[test]
    fn open_models_are_compared_with_the_clips_they_were_opened_with() {
        let folder = tempfile::tempdir().unwrap();
        let open = |clips: &[&str]| {
            let own = |name: &str| {
                let copy = folder.path().join(name);
                std::fs::copy(format!("scenes/assets/{name}"), &copy).unwrap();
                copy
            };
            let clips: Vec<_> = clips.iter().map(|name| own(name)).collect();
            Model::open_with(own("ranger.md5mesh"), &clips, &LoadOptions::default()).unwrap()
        };
        let (walks, idles) = (open(&["ranger_walk.md5anim"]), open(&["ranger_idle.md5anim"]));
        let bare = open(&[]);
        folder.close().unwrap();
        let parts = |a: &Model, b: &Model| -> Vec<(Option<String>, &str)> {
            let found = diff(a, b, DiffOptions::default()).unwrap();
            found.parts.into_iter().map(|part| (part.clip, part.state.word())).collect()
        };
        assert_eq!(parts(&bare, &bare), [(None, "same")]);
        let walk = Some("ranger_walk".to_owned());
        assert_eq!(parts(&walks, &walks), [(None, "same"), (walk.clone(), "same")]);
        let idle = Some("ranger_idle".to_owned());
        assert_eq!(parts(&walks, &idles), [(None, "same"), (idle, "only-b"), (walk, "only-a")]);
    }
}
