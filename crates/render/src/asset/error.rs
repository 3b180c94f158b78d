//! Errors of the files that a scene names.

use std::io;
use std::path::PathBuf;
use thiserror::Error;
use tintype_base::amount::bytes_text;
use tintype_base::deadline::TimedOut;
use tintype_base::disk::is_temporary;
use tintype_base::extension::models_text;
use tintype_base::path::ShowPath;
use tintype_base::printable::one_line;
use tintype_base::suggest::{hint, nearest_words, nearest_words_text};
use tintype_formats::gltf::GltfError;
use tintype_formats::image::ImageError;
use tintype_formats::md5::Md5Error;
use tintype_formats::mtr::MtrError;
use tintype_formats::x::XError;
use tintype_formats::{LimitName, ModelFormatError};
use tintype_model::pose::PartError;

/// Error of loading the files of a scene. Every message starts with the path and names the scene's
/// key.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AssetError {
    /// The file does not exist.
    #[error("{}: no such {what}{}{}", path.shown(), named(", but ", key, " names it"), hint(nearest.as_deref()))]
    Missing {
        /// The path that was tried, or its first folder that does not exist.
        path: PathBuf,
        /// `file` or `folder`.
        what: &'static str,
        /// The key of the scene, such as `model[0].file`.
        key: String,
        /// The most similar name in its folder.
        nearest: Option<String>,
    },
    /// The file exists, but its bytes cannot be read.
    #[error("{}: cannot be read{}", path.shown(), named(" for ", key, ""))]
    Read {
        /// The path.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// Error of the system.
        source: io::Error,
    },
    /// The file is larger than allowed.
    #[error("{}: {found} bytes{}, but the limit is {allowed}", path.shown(), named(" for ", key, ""))]
    TooLarge {
        /// The path.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// Its length in bytes.
        found: u64,
        /// The maximum length in bytes.
        allowed: u64,
    },
    /// All triangles of a model are lost to its faults.
    #[error("{}: no triangles remain{}: {}", path.shown(), named(" for ", key, ""), one_line(cause))]
    NothingLeft {
        /// The path.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// The first fault, with its line.
        cause: String,
    },
    /// All textures together exceed the memory limit when decoded. The path is that of the largest.
    #[error(
        "{}: decoded textures take {} here and {} in total, but the limit is {}",
        path.shown(), bytes_text(*largest), bytes_text(*found), bytes_text(*allowed)
    )]
    Textures {
        /// The path of the largest texture.
        path: PathBuf,
        /// Bytes that it takes.
        largest: u64,
        /// Bytes that all take.
        found: u64,
        /// The maximum bytes.
        allowed: u64,
    },
    /// The file is of an unsupported kind.
    #[error("{}: {found} is not supported{}; supported model files: {}", path.shown(), named(", but ", key, " names it"), models_text("and"))]
    UnsupportedModel {
        /// The path.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// The kind of file.
        found: String,
    },
    /// An MD5 file is refused.
    #[error("{}: refused{}", path.shown(), named(" as ", key, ""))]
    Md5 {
        /// The path.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// Error of the reader, with its position.
        source: Box<Md5Error>,
    },
    /// A `.x` file is refused.
    #[error("{}: refused{}", path.shown(), named(" as ", key, ""))]
    X {
        /// The path.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// Error of the reader, with its position.
        source: Box<XError>,
    },
    /// A glTF file is refused.
    #[error("{}: refused{}", path.shown(), named(" as ", key, ""))]
    Gltf {
        /// The path.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// Error of the reader, with its byte or JSON path.
        source: Box<GltfError>,
    },
    /// A file of another format is refused.
    #[error("{}: refused{}", path.shown(), named(" as ", key, ""))]
    Model {
        /// The path.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// Error of the reader, with its line or byte.
        source: Box<ModelFormatError>,
    },
    /// A Doom 3 material file is refused.
    #[error("{}: refused{}", path.shown(), named(" as ", key, ""))]
    Mtr {
        /// The path.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// Error of the reader, with its position.
        source: Box<MtrError>,
    },
    /// A folder or a pattern matches no Doom 3 material file.
    #[error("{}: no .mtr file here, but {key} names {what}", path.shown())]
    NoMtr {
        /// The folder that was listed.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// The text of the scene: a folder, or a pattern in quotes.
        what: String,
    },
    /// The scene names a clip that is missing from the file.
    #[error("{}: unknown clip {found}{}; {}{}", path.shown(), named(" for ", key, ""), has_clips(found, has), hint(nearest.as_deref()))]
    UnknownClip {
        /// The path of the file.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// The name in quotes, or the index.
        found: String,
        /// The names that it has.
        has: Vec<String>,
        /// The most similar name among them.
        nearest: Option<String>,
    },
    /// An instance names a joint, a mesh or a shader missing from the file of its model.
    #[error("{}: unknown {what} {found:?}{}; {}{}", path.shown(), named(" for ", key, ""), has_names(what, has), hint(nearest.as_deref()))]
    UnknownName {
        /// The path of the file.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// `joint`, `mesh` or `shader`.
        what: &'static str,
        /// The name.
        found: Box<str>,
        /// The names that it has.
        has: Box<[String]>,
        /// The most similar name among them.
        nearest: Option<Box<str>>,
    },
    /// A part of a clip is not in it.
    #[error("{}: refused{}", path.shown(), named(" as ", key, ""))]
    Part {
        /// The path of the file.
        path: PathBuf,
        /// The key of the scene, such as `model[0].clips[2].keys`.
        key: String,
        /// The mistake.
        source: PartError,
    },
    /// A picture that the scene names is refused.
    #[error("{}: refused{}", path.shown(), named(" as ", key, ""))]
    Image {
        /// The path.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// Error of the image reader.
        source: Box<ImageError>,
    },
    /// The deadline was over before the file was loaded.
    #[error("{}: {key} takes too long", path.shown())]
    TimedOut {
        /// The path.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// The stage that was cut short.
        source: TimedOut,
    },
    /// A model's up and front would lie on one line.
    #[error("{}: {key} is {found:?}, but that is {taken} for this type of file; set both model.up and model.front", path.shown())]
    Axes {
        /// The path.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// The axis.
        found: &'static str,
        /// The use of the axis: `the front` or `up`, or its opposite.
        taken: &'static str,
    },
}

impl AssetError {
    /// True if the same call may succeed later with the same scene and files: an I/O error, a
    /// network share that went away, too many open files.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        matches!(self, Self::Read { source, .. } if is_temporary(source))
    }

    /// The limit that a user may raise, if one was exceeded.
    #[must_use]
    pub fn limit(&self) -> Option<LimitName> {
        match self {
            Self::TooLarge { .. } => Some(LimitName::Bytes),
            Self::Textures { .. } => Some(LimitName::Textures),
            Self::Md5 { source, .. } => source.limit(),
            Self::X { source, .. } => source.limit(),
            Self::Gltf { source, .. } => source.limit(),
            Self::Model { source, .. } => source.limit(),
            Self::Mtr { source, .. } => source.limit(),
            Self::Image { source, .. } => source.limit(),
            _ => None,
        }
    }

    /// The error of the system if a file could not be read.
    #[must_use]
    pub fn io_kind(&self) -> Option<io::ErrorKind> {
        match self {
            Self::Missing { .. } => Some(io::ErrorKind::NotFound),
            Self::Read { source, .. } => Some(source.kind()),
            _ => None,
        }
    }

    /// The same error for a scene not written by the user: its message leaves out the key where it
    /// reads well without.
    #[must_use]
    pub fn without_key(mut self) -> Self {
        match &mut self {
            Self::Missing { key, .. }
            | Self::Read { key, .. }
            | Self::TooLarge { key, .. }
            | Self::UnsupportedModel { key, .. }
            | Self::NothingLeft { key, .. }
            | Self::Md5 { key, .. }
            | Self::X { key, .. }
            | Self::Gltf { key, .. }
            | Self::Model { key, .. }
            | Self::Mtr { key, .. }
            | Self::UnknownClip { key, .. }
            | Self::UnknownName { key, .. }
            | Self::Part { key, .. }
            | Self::Image { key, .. } => key.clear(),
            Self::NoMtr { .. }
            | Self::TimedOut { .. }
            | Self::Axes { .. }
            | Self::Textures { .. } => {}
        }
        self
    }

    /// The stage during which the deadline passed, if that is the error.
    #[must_use]
    pub fn timed_out(&self) -> Option<TimedOut> {
        match self {
            Self::TimedOut { source, .. } => Some(*source),
            Self::Md5 { source, .. } => match **source {
                Md5Error::TimedOut(late) => Some(late),
                _ => None,
            },
            Self::X { source, .. } => match **source {
                XError::TimedOut(late) => Some(late),
                _ => None,
            },
            Self::Gltf { source, .. } => match **source {
                GltfError::TimedOut(late) => Some(late),
                _ => None,
            },
            Self::Model { source, .. } => match **source {
                ModelFormatError::TimedOut(late) => Some(late),
                _ => None,
            },
            Self::Image { source, .. } => match **source {
                ImageError::TimedOut(late) => Some(late),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A key between the words around it; empty without a key.
fn named(before: &str, key: &str, after: &str) -> String {
    if key.is_empty() { String::new() } else { format!("{before}{key}{after}") }
}

/// The clips of a file, or the most similar ones if there are many.
fn has_clips(found: &str, has: &[String]) -> String {
    let (found, names) =
        (found.trim_matches('"'), has.iter().map(String::as_str).collect::<Vec<_>>());
    match names.as_slice() {
        [] => "the file has no clip".to_owned(),
        names if nearest_words(found, names).len() < names.len() => {
            nearest_words_text(found, names)
        }
        names => format!("the file has: {}", names.join(", ")),
    }
}

/// The names in a file; the first of many.
fn has_names(what: &str, has: &[String]) -> String {
    const MOST: usize = 24;
    match (has, has.len().checked_sub(MOST)) {
        ([], _) => format!("the file has no {what}"),
        (names, None | Some(0)) => format!("the file has: {}", names.join(", ")),
        (names, Some(more)) => {
            let first = names.get(..MOST).unwrap_or(names).join(", ");
            format!("the file has: {first}, and {more} more")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::ErrorKind;

    #[test]
    fn asset_errors_leave_out_keys_that_the_user_did_not_write() {
        let key = || "model[0].clips[1].file".to_owned();
        let nearest = Some("b.x".to_owned());
        let missing = AssetError::Missing { path: "a.x".into(), what: "file", key: key(), nearest };
        let source = io::ErrorKind::PermissionDenied.into();
        let unread = AssetError::Read { path: "a.x".into(), key: key(), source };
        let large = AssetError::TooLarge { path: "a.x".into(), key: key(), found: 9, allowed: 3 };
        for (error, text, plain) in [
            (
                missing,
                "a.x: no such file, but model[0].clips[1].file names it; did you mean \"b.x\"?",
                "a.x: no such file; did you mean \"b.x\"?",
            ),
            (unread, "a.x: cannot be read for model[0].clips[1].file", "a.x: cannot be read"),
            (
                large,
                "a.x: 9 bytes for model[0].clips[1].file, but the limit is 3",
                "a.x: 9 bytes, but the limit is 3",
            ),
        ] {
            assert_eq!(error.to_string(), text);
            assert_eq!(error.without_key().to_string(), plain);
        }
    }

    #[test]
    fn asset_errors_are_sorted_into_temporary_and_permanent() {
        let read = |source: io::Error| {
            AssetError::Read { path: "a".into(), key: "model[0].file".into(), source }
                .is_temporary()
        };
        let missing =
            AssetError::Missing { path: "a".into(), what: "file", key: "b".into(), nearest: None };
        assert!(!missing.is_temporary());
        assert!(!read(ErrorKind::PermissionDenied.into()));
        assert!(!read(ErrorKind::IsADirectory.into()));
        assert!(read(ErrorKind::StaleNetworkFileHandle.into()));
        #[cfg(unix)]
        for code in [5, 23, 24] {
            assert!(read(io::Error::from_raw_os_error(code)), "{code}");
        }
    }
}
