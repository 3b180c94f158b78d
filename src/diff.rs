//! Differences between models, pictures and folders, with their causes.
//!
//! [`diff`] compares two models, [`diff_frames`] two pictures, and [`diff_paths`] two files or
//! folders of either. Each difference names the stage where it arises and its amount.

use super::{ContactSheet, Error, ErrorKind, Frame, LoadOptions, Model};
use std::path::PathBuf;
use tintype_base::path::ShowPath;
use tintype_compare::Surface;
use tintype_compare::character::{ExportOptions, ModelPair, Part, compare_characters};
use tintype_compare::finding::{Finding, Stage};
use tintype_compare::model_diff::{self, Side};
use tintype_framing::Characters;

pub use tintype_compare::character::PairState as ModelState;
pub use tintype_model::Rule;

#[cfg(feature = "host")]
mod files;
#[cfg(feature = "host")]
mod kind;
#[cfg(feature = "host")]
mod picture;
#[cfg(feature = "host")]
mod summary;

#[cfg(feature = "host")]
pub use files::{Diff, DifferencePictures, FileDiff, FileState, diff_paths};
#[cfg(feature = "host")]
pub use kind::DiffKind;
#[cfg(feature = "host")]
pub use picture::{PictureDiff, PictureState, diff_frames};
#[cfg(feature = "host")]
pub use summary::{DiffSummary, DiffVerdict};

/// Options of a comparison.
#[derive(Clone, Debug, Default)]
pub struct DiffOptions {
    /// Distance below which vertices count as equal, as a fraction of the diagonal of the first
    /// model; 0 for exact equality.
    pub tolerance: f32,
    /// Rule by which pictures count as the same; by default all pixels must be equal.
    pub rule: Rule,
    /// True to draw models where they differ, and to return these pictures.
    pub pictures: bool,
    /// True to draw models where they differ for the page of a report.
    pub report: bool,
    /// Maximum number of joints listed for a model or clip. None lists all.
    pub max_joints: Option<usize>,
    /// Limits, for files and folders. Open models keep their own.
    pub load: LoadOptions,
    /// File for a picture of the difference of two pictures; for sequences and folders a folder or a
    /// pattern. All are on one scale.
    pub output: Option<PathBuf>,
    /// True to write each channel's difference times 16 in place of FLIP.
    pub x16: bool,
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
        Self::seen(&pair, [old, &pair.name], true)
    }

    /// The difference, with pictures if they are wanted; `sides` are the names in the contact
    /// sheet.
    fn seen(pair: &ModelPair, sides: [&str; 2], pictures: bool) -> Self {
        let sheet = pictures.then(|| pair.contact_sheet(sides)).flatten();
        Self {
            name: pair.name.clone(),
            state: pair.state,
            is_same: pair.state.passes(),
            renamed_from: pair.renamed_from.clone(),
            error: pair.error.clone(),
            notes: pair.notes.clone(),
            parts: pair.parts.iter().map(|part| part_diff(&pair.name, part, pictures)).collect(),
            contact_sheet: sheet.map(ContactSheet::from),
        }
    }
}

fn part_diff(subject: &str, part: &Part, pictures: bool) -> PartDiff {
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
        pictures: part.pictures.clone().filter(|_| pictures).map(|pair| pair.map(Frame::plain)),
        clip: part.clip.clone(),
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
    #[cfg(feature = "host")]
    sides: [PathBuf; 2],
    #[cfg(feature = "host")]
    tolerance: f32,
    diff: model_diff::ModelDiff,
}

impl ClipDiff {
    /// Differences, ordered by stage. At most `most_joints` joints are listed.
    #[must_use]
    pub fn findings(&self, most_joints: usize) -> Vec<Finding> {
        self.diff.findings(most_joints)
    }

    /// The facts as JSON, as written by `tintype diff --json`.
    #[cfg(feature = "host")]
    #[must_use]
    pub fn to_json(&self) -> String {
        let [expected, found] = &self.sides;
        let sides = tintype_golden::picture_diff::Sides { expected, found };
        let model = Some(&self.diff);
        tintype_golden::exports::encode_json(sides, self.is_same, self.tolerance, model, None)
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
        #[cfg(feature = "host")]
        sides: models.map(|model| model.path().to_owned()),
        #[cfg(feature = "host")]
        tolerance: options.tolerance,
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
            .load_opened(model.path(), &model.loaded().clips)
            .map_err(|error| Error::of_character(&error))
    };
    let (old, new) = (load(a)?, load(b)?);
    let name = b.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
    let options = options.of_exports(b.load_options().clone());
    Ok(ModelDiff::of(compare_characters(name, [&old, &new], &options)))
}

impl DiffOptions {
    fn of_exports(&self, load_options: LoadOptions) -> ExportOptions {
        ExportOptions {
            load_options,
            tolerance: self.tolerance,
            draws: self.pictures || self.report,
            most_joints: self.max_joints.unwrap_or(usize::MAX),
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
        // Every clip of a clip file counts.
        let file = "scenes/assets/ranger.glb";
        let all = Model::open_with("scenes/assets/ranger.x", &[file], &LoadOptions::default());
        let all = all.unwrap();
        let count = Model::open(file).unwrap().clips().len();
        assert!(count > 1 && parts(&all, &all).len() == 1 + count, "{:?}", parts(&all, &all));
        let inspected = all.inspect().unwrap().to_json().unwrap();
        assert!(all.clips().all(|clip| inspected.contains(clip.name())), "{inspected}");
        let idle = Some("ranger_idle".to_owned());
        assert_eq!(parts(&walks, &idles), [(None, "same"), (idle, "only-b"), (walk, "only-a")]);
    }
}
