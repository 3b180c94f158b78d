//! Result of comparing one golden with the current frame, and its words.

use super::known::KnownChange;
use super::newer::{UPDATE, is_newer};
use crate::record::TextError;
use crate::report::CauseId;
use std::path::PathBuf;
use tintype_base::path::ShowPath;
use tintype_base::printable::one_line;
use tintype_compare::{Difference, Judgement};
use tintype_model::frame::PIXEL_REVISION;
use tintype_output::PngError;

/// Result of comparing one golden with the newly drawn frame.
#[derive(Debug)]
pub enum Verdict {
    /// Equal, to the byte.
    Same,
    /// Different, but within the bound of the scene.
    Within(Judgement),
    /// Different, and all differences are known.
    Known(KnownChange),
    /// The golden does not exist.
    Missing,
    /// The golden exists but the system does not allow reading it.
    Unread(std::io::Error),
    /// The file is not a whole frame.
    Unreadable(PngError),
    /// The record of its stages exists but is invalid.
    BadRecord(TextError),
    /// The pixels differ, and the golden was made by code with another pixel revision.
    OtherRevision {
        /// Its revision. None if neither it nor its record states one.
        found: Option<u32>,
        /// The difference of the pixels.
        difference: Difference,
    },
    /// The pixels differ.
    Different(Difference),
    /// The pixels differ by more than the bound of the scene.
    Beyond(Judgement),
    /// The new picture is empty, so its golden could not fail.
    Empty(String),
    /// The pixels match, but joints or vertices behind them changed, and the scene also requires
    /// those.
    Hidden,
    /// Joints or vertices differ from the record, in a scene without pictures.
    Moved,
    /// The pixels match, but the record of joints and vertices that the scene requires is missing.
    NoRecord,
    /// The golden is missing, and exists under another name of the scene.
    Elsewhere {
        /// The file.
        path: PathBuf,
        /// True if its pixels equal the current ones.
        is_equal: bool,
    },
    /// A golden that belongs to no scene.
    Dangling,
    /// A model or a clip of a library without goldens, in words.
    New(String),
    /// A removed model or clip of a library, in words.
    Gone(String),
    /// The sampled times of a library clip pass, but its record shows another time base or other
    /// poses between them.
    Clip,
    /// A model of a library exceeds its limits.
    AboveLimit,
    /// The fit kept by the goldens of a scene differs from the current one, by this fraction of the
    /// picture.
    FitMoved(f64),
}

impl Verdict {
    /// True if this is not a failure.
    #[must_use]
    pub fn passes(&self) -> bool {
        matches!(self, Self::Same | Self::Within(_) | Self::Known(_))
    }

    /// True if the golden could not be compared because its file is invalid.
    #[must_use]
    pub fn is_bad_input(&self) -> bool {
        matches!(self, Self::Unread(_) | Self::Unreadable(_) | Self::BadRecord(_))
    }

    /// The difference of the pixels, if the pictures were compared.
    #[must_use]
    pub fn difference(&self) -> Option<&Difference> {
        match self {
            Self::Different(difference) | Self::OtherRevision { difference, .. } => {
                Some(difference)
            }
            Self::Within(judgement) | Self::Beyond(judgement) => judgement.difference.as_ref(),
            _ => None,
        }
    }

    /// True if the pixels are right, and only their record is not.
    pub(super) fn is_of_record(&self) -> bool {
        matches!(self, Self::BadRecord(_) | Self::Hidden | Self::Moved | Self::NoRecord)
    }

    /// The id of a failure without a known cause: its kind and subjects, without amounts.
    pub(super) fn id(&self) -> CauseId {
        match self {
            Self::Same | Self::Within(_) | Self::Known(_) => CauseId::of(&"same"),
            Self::Missing => CauseId::of(&"missing"),
            Self::Unread(error) => CauseId::of(&("unread", error.to_string())),
            Self::Unreadable(error) => CauseId::of(&("unreadable", error.to_string())),
            Self::BadRecord(error) => CauseId::of(&("bad record", error.to_string())),
            Self::OtherRevision { found, .. } => CauseId::of(&("other revision", found)),
            Self::Different(Difference::Size { .. }) => CauseId::of(&"size"),
            Self::Different(_) => CauseId::of(&"different"),
            Self::Beyond(judgement) => CauseId::of(&("beyond", judgement.rule.to_string())),
            Self::Empty(why) => CauseId::of(&("empty", why)),
            Self::Hidden => CauseId::of(&"hidden"),
            Self::Moved => CauseId::of(&"moved"),
            Self::NoRecord => CauseId::of(&"no record"),
            Self::Elsewhere { .. } => CauseId::of(&"elsewhere"),
            Self::Dangling => CauseId::of(&"dangling"),
            Self::New(what) => CauseId::of(&("new", what)),
            Self::Gone(what) => CauseId::of(&("gone", what)),
            Self::Clip => CauseId::of(&"clip"),
            Self::AboveLimit => CauseId::of(&"above limit"),
            Self::FitMoved(share) => CauseId::of(&("fit moved", percent_text(*share))),
        }
    }

    /// Distance from passing, used to choose the nearest of several alternatives.
    pub(super) fn distance(&self) -> usize {
        match (self, self.difference()) {
            (Self::Same | Self::Within(_), _) => 0,
            (_, Some(Difference::Pixels(pixels))) => pixels.count,
            _ => usize::MAX,
        }
    }
}

/// One line, whatever names it contains.
impl core::fmt::Display for Verdict {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&one_line(&core::fmt::from_fn(|f| self.write(f)).to_string()))
    }
}

const REWRITE: &str = "write a new one with `tintype bless`";

impl Verdict {
    fn write(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Same => f.write_str("same"),
            Self::Known(KnownChange { reasons, pixels }) => {
                let what = match pixels {
                    0 => "joints or vertices changed".to_owned(),
                    count => tintype_base::amount::counted(*count, "pixel") + " changed",
                };
                let reasons: Vec<String> = reasons.iter().map(ToString::to_string).collect();
                write!(f, "{what}, a known change: {}", reasons.join("; "))
            }
            Self::Missing => f.write_str("the golden is missing"),
            Self::Unread(error) => write!(f, "the golden cannot be read: {error}"),
            Self::Unreadable(error) => write!(f, "the golden is unreadable: {error}"),
            Self::BadRecord(error) if is_newer(error) => {
                write!(f, "the golden's record is from a newer version: {error}; {UPDATE}")
            }
            Self::BadRecord(error) => {
                write!(f, "the golden's record is unreadable: {error}; {REWRITE}")
            }
            Self::OtherRevision { found: Some(found), difference } if *found > PIXEL_REVISION => {
                write!(
                    f,
                    "the golden is from a newer version, with pixel revision {found}; this program has {PIXEL_REVISION}; {UPDATE}: {difference}"
                )
            }
            Self::OtherRevision { found, difference } => {
                match found {
                    Some(found) => write!(f, "the golden has pixel revision {found}")?,
                    None => f.write_str("neither the golden nor its record has a pixel revision")?,
                }
                write!(f, "; this program has {PIXEL_REVISION}: {difference}")
            }
            Self::Different(difference) => write!(f, "{difference}"),
            Self::Within(judgement) | Self::Beyond(judgement) => write!(f, "{judgement}"),
            Self::Empty(why) => write_empty(why, f),
            Self::Moved => f.write_str("joints or vertices differ from the golden's record"),
            Self::Hidden => f.write_str(
                "no pixel differs, but [golden] pose requires the joints and vertices of the record",
            ),
            Self::NoRecord => f.write_str(
                "[golden] pose needs a record beside the golden; write one with `tintype bless`",
            ),
            Self::Elsewhere { path, is_equal } => {
                let is = if *is_equal { "is equal" } else { "differs" };
                let path = path.shown();
                write!(f, "its scene moved, and {path} {is}")
            }
            Self::Dangling => f.write_str("no scene uses this golden"),
            Self::New(what) => write!(f, "{what}; accept it with `tintype bless`"),
            Self::Gone(what) => f.write_str(what),
            Self::AboveLimit => f.write_str("exceeds [limits] in library.toml; change the model or its limit"),
            Self::Clip => f.write_str("no golden shows it, but the clip's record differs"),
            Self::FitMoved(share) => write!(
                f,
                "the camera fit moved by {} of the picture: goldens keep their accepted fit, render uses the current one",
                percent_text(*share)
            ),
        }
    }
}
fn percent_text(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Writes the message for an empty picture.
pub(super) fn write_empty(why: &str, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
    write!(
        f,
        "nothing is visible in the picture: {why}; fix the scene, or remove the frame from [golden]"
    )
}
