//! Evidence beside the first line of a cause.

use tintype_compare::Difference;
use tintype_compare::finding::Finding;

/// A piece of evidence; its text is one line.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// One more edit.
    Also(Finding),
    /// Number of further edits.
    More(usize),
    /// A change without effect, or files.
    Note(Finding),
    /// An edit after its stage.
    Told(Finding),
    /// An edit that equal pixels do not show.
    Unseen(Finding),
    /// The effect of edits in this frame.
    InFrame(Vec<Finding>),
    /// A consequence of the cause in a later stage.
    After(Vec<Finding>),
    /// Drawing also changed, from one pixel revision to another.
    Redrawn([u32; 2]),
    /// The camera, which is fitted to all frames, and the first line of the reason why it moved.
    Fitted(Finding, String),
    /// The rest of the difference through the camera of the golden.
    ThroughCamera(Option<Difference>),
}

impl Evidence {
    /// The findings that it reports.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Also(one) | Self::Note(one) | Self::Told(one) | Self::Unseen(one) => {
                core::slice::from_ref(one)
            }
            Self::Fitted(one, _) => core::slice::from_ref(one),
            Self::InFrame(all) | Self::After(all) => all,
            Self::More(_) | Self::Redrawn(_) | Self::ThroughCamera(_) => &[],
        }
    }
}

impl core::fmt::Display for Evidence {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let joined = |all: &[Finding]| -> String {
            all.iter().map(Finding::sentence).collect::<Vec<_>>().join("; ")
        };
        match self {
            Self::Also(one) => write!(f, "also {one}"),
            Self::More(count) => write!(f, "and {count} more changes"),
            Self::Note(one) => f.write_str(&one.sentence()),
            Self::Told(one) => write!(f, "{one}"),
            Self::Unseen(one) => write!(f, "{one} (not visible in this frame)"),
            Self::InFrame(all) => write!(f, "in this frame: {}", joined(all)),
            Self::After(all) => {
                let stage = all.first().map_or("", |first| first.stage.word());
                write!(f, "in the later stage {stage}: {}", joined(all))
            }
            Self::Redrawn([from, to]) => {
                write!(f, "drawing changed too, from pixel revision {from} to {to}")?;
                // Goldens of a newer program must not be accepted by this one.
                f.write_str(if from < to {
                    ": bless in two steps to see them separately"
                } else {
                    ""
                })
            }
            Self::Fitted(camera, edit) => {
                let moved = camera.sentence();
                write!(f, "{moved}: it is fitted to all frames, and moved because of this: {edit}")
            }
            Self::ThroughCamera(Some(rest)) => write!(f, "through the golden's camera: {rest}"),
            Self::ThroughCamera(None) => {
                f.write_str("through the golden's camera: no pixels differ")
            }
        }
    }
}
