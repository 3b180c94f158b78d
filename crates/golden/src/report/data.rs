//! The data of a report, which its forms are written from.

use super::cause_id::CauseId;
use serde::{Deserialize, Deserializer, Serialize};
use tintype_compare::Difference;
use tintype_compare::PixelDifference;
use tintype_compare::finding::{Finding, told};

/// Version of the JSON; increased when a field changes its meaning or is removed.
pub const REPORT_VERSION: u32 = 1;

/// One run of `tintype test`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The version of the program.
    pub program_version: String,
    /// The revision of the code that draws pixels.
    pub pixel_revision: u32,
    /// The folder of the page and its pictures, relative to the working folder; `None` without a
    /// page.
    pub folder: Option<String>,
    /// The scenes, in display order. Names are unique.
    pub scenes: Vec<SceneReport>,
    /// The failures by their cause, the largest group first.
    pub groups: Vec<Group>,
}

/// A scene and its golden frames.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneReport {
    /// A short and unique name, such as `raster/edge`.
    pub name: String,
    /// Its file. None for goldens without a scene.
    pub path: Option<String>,
    /// The line of the file that a message refers to, from 1.
    pub line: Option<u32>,
    /// Frames per second.
    pub fps: f64,
    /// The command that accepts all current pictures that differ. None if no command can.
    pub accept: Option<String>,
    /// Seconds to draw and compare. Only the JUnit text has it.
    #[serde(skip)]
    pub seconds: Option<f64>,
    /// Its goldens, by frame number.
    pub frames: Vec<Entry>,
}

impl SceneReport {
    /// Entries below a name, without a file.
    #[must_use]
    pub fn of(name: impl Into<String>, frames: Vec<Entry>) -> Self {
        let name = name.into();
        Self { name, path: None, line: None, fps: 24.0, accept: None, seconds: None, frames }
    }
}

/// Status of one golden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The pixels differ.
    Different,
    /// The golden does not exist.
    Missing,
    /// The golden cannot be read, or is not a whole picture.
    Unreadable,
    /// The golden was made by code with another pixel revision.
    OtherRevision,
    /// The frame could not be drawn.
    NotDrawn,
    /// The new picture is empty.
    Empty,
    /// A golden that belongs to no scene.
    Dangling,
    /// Nothing was compared, because the run ended before.
    Skipped,
    /// The pixels differ within the bound of the scene.
    Within,
    /// Equal, to the byte.
    Same,
}

impl Status {
    /// All of them, the worst first.
    pub const ALL: [Self; 10] = [
        Self::Different,
        Self::Missing,
        Self::Unreadable,
        Self::OtherRevision,
        Self::NotDrawn,
        Self::Empty,
        Self::Dangling,
        Self::Skipped,
        Self::Within,
        Self::Same,
    ];

    /// The word in JSON and XML.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Different => "different",
            Self::Missing => "missing",
            Self::Unreadable => "unreadable",
            Self::OtherRevision => "other-revision",
            Self::NotDrawn => "not-drawn",
            Self::Empty => "empty",
            Self::Dangling => "dangling",
            Self::Skipped => "skipped",
            Self::Within => "within",
            Self::Same => "same",
        }
    }

    /// True if the golden was compared and passes.
    #[must_use]
    pub fn passes(self) -> bool {
        matches!(self, Self::Same | Self::Within)
    }

    /// True if this makes the run fail.
    #[must_use]
    pub fn fails(self) -> bool {
        !self.passes() && self != Self::Skipped
    }

    /// True if nothing could be compared because something is broken.
    #[must_use]
    pub fn is_error(self) -> bool {
        matches!(self, Self::Unreadable | Self::NotDrawn)
    }
}

/// The act that accepts a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Act {
    /// The current picture becomes the golden.
    Bless,
    /// The golden moves with its scene, which moved.
    Move,
    /// The current fit becomes that of the scene's goldens.
    Refit,
}

/// One golden.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The number of the frame. None if unknown.
    pub frame: Option<i64>,
    /// The golden's file. None if unknown.
    pub golden: Option<String>,
    /// Its status.
    pub status: Status,
    /// The message of the command.
    pub message: String,
    /// The rule of the comparison: `exact`, or a metric with its bound.
    pub rule: String,
    /// Measured values, if the rule has any.
    pub metrics: Vec<Metric>,
    /// The difference, if the pictures were compared and differ.
    pub change: Option<Change>,
    /// Identity of the reason: equal for failures of one cause.
    pub cause_id: CauseId,
    /// The first stage that moved, if it is known.
    pub cause: Option<Cause>,
    /// Notes.
    pub notes: Vec<String>,
    /// The action that accepts the current picture. None if nothing does.
    pub act: Option<Act>,
    /// The command for it. None if no command can.
    pub accept: Option<String>,
    /// Width and height of the current frame, in pixels.
    pub size: Option<[u32; 2]>,
    /// The pictures.
    pub pictures: Pictures,
    /// The FLIP shown as light yellow in the heat picture. None without one.
    pub heat_top: Option<f32>,
    /// The models that the page rotates. None if the report was made without them.
    pub turn: Option<Turn>,
}

impl Entry {
    /// An entry with only a status and a message.
    #[must_use]
    pub fn new(frame: Option<i64>, status: Status, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            frame,
            golden: None,
            status,
            cause_id: CauseId::of(&(status, &message)),
            message,
            rule: "exact".to_owned(),
            metrics: Vec::new(),
            change: None,
            cause: None,
            notes: Vec::new(),
            act: None,
            accept: None,
            size: None,
            pictures: Pictures::default(),
            heat_top: None,
            turn: None,
        }
    }

    /// Its name among the entries of its scene: `frame 12`, the golden's file, or `scene`.
    #[must_use]
    pub fn name(&self) -> String {
        match (self.frame, &self.golden) {
            (Some(frame), _) => format!("frame {frame}"),
            (None, Some(golden)) => golden.clone(),
            (None, None) => "scene".to_owned(),
        }
    }

    /// The reason in one line: the cause if it is known, otherwise the message.
    #[must_use]
    pub fn headline(&self) -> &str {
        self.cause.as_ref().map_or(&self.message, |cause| &cause.text)
    }

    /// The headline, or the whole cause if the headline leaves something out.
    #[must_use]
    pub fn title(&self) -> &str {
        let whole = self.cause.as_ref().and_then(|cause| cause.whole.as_deref());
        whole.unwrap_or_else(|| self.headline())
    }
}

/// A measured value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metric {
    /// Name of the value, such as `flip`.
    pub name: String,
    /// The value; null in JSON if it is not a number.
    #[serde(deserialize_with = "number")]
    pub value: f64,
    /// The bound set by the scene. None if the value is only shown.
    pub bound: Option<f64>,
}

/// A number that may be null.
fn number<'de, D: Deserializer<'de>>(source: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(source)?.unwrap_or(f64::NAN))
}

/// Failures with one cause.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// The id of the cause, in the form of `bless --cause`.
    pub id: CauseId,
    /// The complete cause of the first of them.
    pub text: String,
    /// Number of failures.
    pub count: usize,
    /// Number of scenes that have one.
    pub scenes: usize,
    /// The command that accepts all of them. None if no command can.
    pub accept: Option<String>,
    /// The failures: the indices of the scene and of the entry in it.
    pub entries: Vec<[usize; 2]>,
}

/// Difference between a golden and the new frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Change {
    /// The sizes, in pixels; nothing else was compared.
    Size {
        /// Width and height of the golden.
        golden: [u32; 2],
        /// Width and height of the current frame.
        new: [u32; 2],
    },
    /// The pixels.
    Pixels {
        /// Number of pixels that differ in any channel.
        count: usize,
        /// The largest difference of a channel, 1..=255.
        largest: u8,
        /// The mean difference of all channels of all pixels, 0..=255.
        mean: f64,
        /// Column and row of the first pixel that differs, row by row.
        first: [u32; 2],
        /// Column and row of the first pixel with the largest difference.
        worst: [u32; 2],
        /// The smallest column and row of the change.
        low: [u32; 2],
        /// The largest column and row of the change.
        high: [u32; 2],
    },
}

impl From<&Difference> for Change {
    fn from(difference: &Difference) -> Self {
        match *difference {
            Difference::Size { expected, found } => Self::Size { golden: expected, new: found },
            Difference::Pixels(PixelDifference {
                count,
                largest,
                mean,
                first,
                worst,
                low,
                high,
            }) => Self::Pixels { count, largest, mean, first, worst, low, high },
        }
    }
}

/// The first stage with a different output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cause {
    /// One word: `scene`, `pose`, `skin`, `visibility`, `shading`, `texture`, ...
    pub stage: String,
    /// The difference of that stage.
    pub what: String,
    /// The same after the word of its stage.
    pub text: String,
    /// All edits, if `text` leaves some out.
    pub whole: Option<String>,
    /// Evidence, one line each.
    pub evidence: Vec<String>,
    /// The changes as data, each with its text.
    #[serde(serialize_with = "told")]
    pub findings: Vec<Finding>,
}

/// Files below the report's folder, with `/` between the parts; `None` for a picture that does not
/// exist.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pictures {
    /// The golden picture.
    pub golden: Option<String>,
    /// The new picture.
    pub new: Option<String>,
    /// Difference picture: the difference of each channel times 16.
    pub diff: Option<String>,
    /// Visible difference of each pixel: FLIP, from black to light yellow.
    pub heat: Option<String>,
    /// The new frame through the camera of the golden, if a camera fitted to the model moved.
    pub camera: Option<String>,
    /// A script with the pixels of the golden and the new picture, which lets the page show their
    /// values; see [`encode_pixels`](super::encode_pixels).
    pub pixels: Option<String>,
}

/// The models of a failed golden, which the page rotates. File names are as in [`Pictures`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// The script with the scenes. None if nothing can be rotated, for the reason in the notes.
    pub script: Option<String>,
    /// The scripts with the files of the scenes.
    pub files: Vec<String>,
    /// Total size of these scripts in bytes.
    pub bytes: u64,
    /// The view that the golden shows, such as `depth`. None for the picture.
    pub aov: Option<String>,
    /// Position of the frame in the current scene. None if it has no such frame.
    pub new_index: Option<usize>,
    /// Position of the frame in the golden's scene. None if it has no such frame, or does not
    /// exist.
    pub old_index: Option<usize>,
    /// The camera fit kept in the golden's record. None if it equals the current one.
    #[serde(default)]
    pub fit: Option<[f32; 5]>,
    /// Missing parts, with the reasons.
    pub notes: Vec<String>,
}

/// The script with the scenes of a scene's failed goldens.
#[must_use]
pub fn turn_name(scene: &str) -> String {
    format!("{}/turn.js", folder_of(scene))
}

/// The folder of the pictures of a scene.
///
/// Special parts of the scene's name, such as `..`, cannot lead out of the folder.
fn folder_of(scene: &str) -> String {
    let parts: Vec<String> =
        scene.split(['/', '\\']).filter(|part| !part.is_empty()).map(plain).collect();
    format!("pictures/{}", parts.join("/"))
}

/// The files of all pictures of one frame.
#[must_use]
pub fn picture_names(scene: &str, frame: i64) -> Pictures {
    let stem = format!("{}/{frame:04}", folder_of(scene));
    let file = |end: &str| Some(format!("{stem}.{end}"));
    Pictures {
        golden: file("golden.png"),
        new: file("new.png"),
        diff: file("diff.png"),
        heat: file("heat.png"),
        camera: file("camera.png"),
        pixels: file("pixels.js"),
    }
}

/// A part of a name valid in every file system: special letters and leading dots become `_`.
fn plain(part: &str) -> String {
    let special = |c: char| c.is_control() || "<>:\"|?*".contains(c);
    let mut plain: String = part.chars().map(|c| if special(c) { '_' } else { c }).collect();
    if plain.starts_with('.') {
        plain.replace_range(..1, "_");
    }
    plain
}

/// Number of entries of each status, worst first.
#[must_use]
pub fn totals(report: &Report) -> Vec<(Status, usize)> {
    let count = |status| entries(report).filter(|(_, entry)| entry.status == status).count();
    Status::ALL
        .map(|status| (status, count(status)))
        .into_iter()
        .filter(|total| total.1 > 0)
        .collect()
}

/// All entries with their scenes.
pub(super) fn entries(report: &Report) -> impl Iterator<Item = (&SceneReport, &Entry)> {
    report.scenes.iter().flat_map(|scene| scene.frames.iter().map(move |entry| (scene, entry)))
}
