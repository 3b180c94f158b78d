//! Pictures that are not accepted as goldens, and the reasons.

use super::checked::Checked;
use super::newer::UPDATE;
use super::paths::record_of;
use super::report::Act;
use super::verdict::{Verdict, write_empty};
use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tintype_base::amount::counted;
use tintype_base::diagnostic::Diagnostic;
use tintype_base::disk::open_regular;
use tintype_output::PngError;

/// A picture that was not accepted.
#[derive(Debug)]
pub struct Refused {
    /// The golden's file.
    pub path: PathBuf,
    /// The reason.
    pub refusal: Refusal,
}

/// Reason not to accept a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is empty; the reason.
    Empty(String),
    /// It shows substitutes for missing files; the warnings about them.
    StandIn(Vec<String>),
    /// A newer program made the golden; its revision in words.
    Newer(String),
    /// Its file exists but cannot be replaced: it is not a regular file, or is in Git LFS and not
    /// on this disk.
    File(String),
}

impl Refusal {
    /// The reason not to overwrite a golden in its current state, or with the drawn picture.
    pub(super) fn of(before: &Checked, nothing_seen: Option<String>) -> Option<Self> {
        if let Some(why) = nothing_seen {
            return Some(Self::Empty(why));
        }
        match &before.verdict {
            verdict @ (Verdict::Unread(_) | Verdict::Unreadable(PngError::LfsPointer)) => {
                Some(Self::File(verdict.to_string()))
            }
            _ => None,
        }
    }

    /// The reason not to overwrite a golden of a newer program.
    pub(super) fn of_newer(before: &Checked) -> Option<Self> {
        before.newer.clone().map(Self::Newer)
    }

    /// The reason not to overwrite a record that is not a regular file.
    pub(super) fn of_file(record: &Path) -> Option<Self> {
        let error = open_regular(record).err()?;
        let is_none = matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::IsADirectory);
        is_none.then(|| Self::File(format!("its record cannot be replaced: {error}")))
    }

    /// The reason derived from warnings of a scene.
    pub(super) fn of_warnings(warnings: &[Diagnostic]) -> Option<Self> {
        let stand_ins = warnings.iter().filter(|warning| warning.is_stand_in);
        let stand_ins: Vec<String> = stand_ins.map(ToString::to_string).collect();
        (!stand_ins.is_empty()).then_some(Self::StandIn(stand_ins))
    }
}

impl Checked {
    /// The action that accepts it. None if it passes, or nothing accepts it.
    pub(super) fn act(&self) -> Option<Act> {
        match &self.verdict {
            Verdict::Elsewhere { .. } => Some(Act::Move),
            Verdict::FitMoved(_) => Some(Act::Refit),
            _ => self.can_be_accepted().then_some(Act::Bless),
        }
    }

    /// True if it fails and bless would write it.
    #[must_use]
    pub fn can_be_accepted(&self) -> bool {
        let is_refused = || {
            let record = record_of(&self.path);
            Refusal::of(self, None).is_some() || Refusal::of_file(&record).is_some()
        };
        let is_nothing = matches!(
            self.verdict,
            Verdict::Empty(_) | Verdict::Dangling | Verdict::AboveLimit | Verdict::FitMoved(_)
        );
        !self.verdict.passes() && !is_nothing && self.newer.is_none() && !is_refused()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty(why) => write_empty(why, f),
            Self::StandIn(warnings) => write!(
                f,
                "the picture has stand-ins for missing assets ({} above)",
                counted(warnings.len(), "warning")
            ),
            Self::Newer(revision) => {
                write!(f, "the golden is from a newer version ({revision}): {UPDATE}")
            }
            Self::File(why) => f.write_str(why),
        }
    }
}
