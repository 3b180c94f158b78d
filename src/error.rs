//! The only error type of the public interface.

use std::fmt;
use std::io;
use std::path::Path;
#[cfg(feature = "host")]
use tintype_base::amount::counted;
use tintype_base::diagnostic::{Diagnostic, Kind, Place, chain};
use tintype_base::disk::is_temporary;
use tintype_base::path::ShowPath;
use tintype_base::printable::{one_line, printable};
use tintype_base::suggest::nearest_words_text;
use tintype_formats::LimitName;
#[cfg(feature = "host")]
use tintype_framing::ClipWish;
use tintype_framing::{CharacterError, TurntableError};
use tintype_render::RenderError;
use tintype_render::asset::{AssetError, FileError};
use tintype_scene::{SceneErrors, SettingError};

/// The subject of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file cannot be read, or its content is invalid.
    File,
    /// A scene or an option has mistakes.
    Scene,
    /// A clip, morph target or frame of that name does not exist.
    Name,
    /// Nothing can be drawn: a clip does not fit, a model has no triangles, or the picture would be
    /// empty.
    Draw,
    /// A file cannot be written.
    Write,
    /// The caller stopped the work.
    Stopped,
}

const NO_CLIP: &str = "the file has no clip";

/// Fault of a request for a pose that another request mends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PoseFault {
    /// The file has clips and nothing that they move.
    ClipsAlone,
    /// The file has no clip.
    NoClip,
    /// The only clip of the file has no name, and none is needed.
    NamelessClip,
    /// A clip is played and no time is given.
    NoTime,
    /// The bind pose is requested with a time.
    TimeOfBindPose,
    /// A time in ticks of a clip whose file does not count in ticks.
    NoTicks,
    /// All meshes are hidden by these weights, as `JOINT/NAME`.
    Hidden(Vec<String>),
}

/// Error of opening, drawing, comparing or writing. Its text is one line that names the file, the
/// line or the value, and the cause.
///
/// ```
/// let error = tintype::Model::open("nowhere/ranger.x").unwrap_err();
/// assert_eq!(error.kind(), tintype::ErrorKind::File);
/// assert!(error.to_string().contains("nowhere"));
/// ```
#[derive(Debug)]
pub struct Error(Box<Content>);

#[derive(Debug)]
struct Content {
    kind: ErrorKind,
    message: String,
    diagnostics: Vec<Diagnostic>,
    is_temporary: bool,
    io_kind: Option<io::ErrorKind>,
    limit: Option<LimitName>,
    colored: Option<String>,
    pose_fault: Option<PoseFault>,
}

impl Error {
    /// Makes an error with this message.
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self::shown(kind, one_line(&message.into()))
    }

    fn shown(kind: ErrorKind, message: String) -> Self {
        Self(Box::new(Content {
            kind,
            message,
            diagnostics: Vec::new(),
            is_temporary: false,
            io_kind: None,
            limit: None,
            colored: None,
            pose_fault: None,
        }))
    }

    /// Converts an error of a lower layer, with its causes.
    pub(crate) fn of(kind: ErrorKind, error: &(dyn std::error::Error + 'static)) -> Self {
        Self::shown(kind, printable(&chain(error)).into_owned())
    }

    /// Sets whether the same call may succeed later.
    pub(crate) fn temporary(mut self, is_temporary: bool) -> Self {
        self.0.is_temporary = is_temporary;
        self
    }

    /// Stores the error kind reported by the system.
    pub(crate) fn answered(mut self, io_kind: Option<io::ErrorKind>) -> Self {
        self.0.io_kind = io_kind;
        self
    }

    /// Names the limit that was exceeded.
    pub(crate) fn limited(mut self, limit: Option<LimitName>) -> Self {
        self.0.limit = limit;
        self
    }

    pub(crate) fn of_scene(errors: &SceneErrors) -> Self {
        let mut error = Self::of(ErrorKind::Scene, errors);
        error.0.colored = Some(errors.colored());
        error.0.diagnostics = errors.diagnostics();
        error
    }

    pub(crate) fn of_setting(error: &SettingError) -> Self {
        let mut own = Self::of(ErrorKind::Scene, error);
        own.0.diagnostics = vec![error.diagnostic().clone()];
        own
    }

    pub(crate) fn of_asset(error: &AssetError) -> Self {
        Self::of(ErrorKind::File, error)
            .temporary(error.is_temporary())
            .answered(error.io_kind())
            .limited(error.limit())
    }

    pub(crate) fn of_io(path: &Path, error: &std::io::Error) -> Self {
        Self::of(ErrorKind::File, &FileError::new(path, error))
            .temporary(is_temporary(error))
            .answered(Some(error.kind()))
    }

    /// Converts an error of writing a file.
    #[cfg(feature = "host")]
    pub(crate) fn of_output(error: &tintype_host::OutputError) -> Self {
        Self::of(ErrorKind::Write, error)
            .temporary(error.is_temporary())
            .answered(Some(error.source.kind()))
    }

    pub(crate) fn of_render(error: &RenderError) -> Self {
        Self::of(ErrorKind::Draw, error)
    }

    /// A mistake in a request for a pose.
    pub(crate) fn of_mistake(kind: ErrorKind, mistake: Diagnostic) -> Self {
        let mut own = Self::new(kind, mistake.to_string());
        own.0.diagnostics = vec![mistake];
        own
    }

    /// Names the fault of a request for a pose.
    pub(crate) fn at_fault(mut self, fault: PoseFault) -> Self {
        self.0.pose_fault = Some(fault);
        self
    }

    /// Makes an error about a file without clips, of which one is needed.
    pub(crate) fn of_no_clip(file: &Path) -> Self {
        let message = format!("{}: which clip; {NO_CLIP}", file.shown());
        Self::new(ErrorKind::Name, message).at_fault(PoseFault::NoClip)
    }

    /// Makes an error about a model without a clip beside one with.
    pub(crate) fn of_lone_clip(with: &str, without: &str) -> Self {
        let message = format!("{with} has a clip but {without} has none");
        Self::new(ErrorKind::Name, message).at_fault(PoseFault::NoClip)
    }

    /// Makes an error about an unknown clip, with the available names and the closest match.
    pub(crate) fn of_unknown_clip(
        file: &Path,
        name: &str,
        names: &[&str],
        nearest: Option<String>,
    ) -> Self {
        let (has, fault) = match names {
            [] => (NO_CLIP.to_owned(), Some(PoseFault::NoClip)),
            [""] => {
                let has = "the file has one clip, without a name".to_owned();
                (has, Some(PoseFault::NamelessClip))
            }
            _ => (nearest_words_text(name, names), None),
        };
        let place = Self::place(Some(file), "clip");
        let mistake = Diagnostic::error(Kind::Reference, place, format!("unknown clip {name:?}"))
            .with_note(has)
            .with_help(nearest.map(|word| format!("did you mean {word:?}?")));
        let mut own = Self::of_mistake(ErrorKind::Name, mistake);
        own.0.pose_fault = fault;
        own
    }

    /// A field of a request, for a file.
    pub(crate) fn place(file: Option<&Path>, key: &str) -> Place {
        let name = file.map_or_else(String::new, |file| file.shown());
        Place::Document { name, line: None, column: None, key: key.to_owned() }
    }

    /// Makes an error about a clip that none of the drawn models has.
    #[cfg(feature = "host")]
    pub(crate) fn of_clip_of_no_model(wanted: &str, wish: &ClipWish) -> Self {
        let names: Vec<&str> = wish.names.iter().map(String::as_str).collect();
        let clips = match names.as_slice() {
            [] => "no model has a clip".to_owned(),
            names => nearest_words_text(wanted, names),
        };
        let of = counted(wish.models, "model");
        Self::new(ErrorKind::Name, format!("none of the {of} has a clip {wanted:?}; {clips}"))
    }

    pub(crate) fn of_character(error: &CharacterError) -> Self {
        Self::new(ErrorKind::File, error.message.clone())
            .temporary(error.is_temporary)
            .answered(error.io_kind)
    }

    pub(crate) fn of_turntable(error: &TurntableError) -> Self {
        match error {
            TurntableError::Scene(errors) => Self::of_scene(errors),
            TurntableError::Asset(error) => Self::of_asset(error),
            TurntableError::Folder(inner) => Self::of(ErrorKind::File, error)
                .temporary(inner.is_temporary())
                .answered(Some(inner.io_kind())),
            TurntableError::UnknownClip { .. } | TurntableError::NoClips { .. } => {
                Self::of(ErrorKind::Name, error)
            }
            TurntableError::Setting(error) => Self::of_setting(error),
            TurntableError::Part(_) | TurntableError::NoFrame => Self::of(ErrorKind::Scene, error),
        }
    }

    /// The subject of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The system's error kind if a file could not be read or written: not found, permission denied
    /// and others.
    #[must_use]
    pub fn io_kind(&self) -> Option<io::ErrorKind> {
        self.0.io_kind
    }

    /// The mistakes of a scene or of a request for a pose, each with its position; empty for other
    /// errors.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.0.diagnostics
    }

    /// The text of the error with terminal colours, if it shows lines of a scene.
    #[must_use]
    pub fn colored(&self) -> Option<&str> {
        self.0.colored.as_deref()
    }

    /// The exceeded limit, which [`LoadOptions`](crate::LoadOptions) can raise.
    #[must_use]
    pub fn limit(&self) -> Option<LimitName> {
        self.0.limit
    }

    /// The fault of a request for a pose, if a program can say what helps.
    #[must_use]
    pub fn pose_fault(&self) -> Option<&PoseFault> {
        self.0.pose_fault.as_ref()
    }

    /// True if the same call may succeed later: a full disk, a folder that has disappeared, an I/O
    /// error.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        self.0.is_temporary
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Error {}
