//! What can go wrong with the files that a scene names, and what their author should know.

use crate::deadline::TimedOut;
use crate::disk::is_temporary;
use crate::formats::image::ImageError;
use crate::formats::md5::Md5Error;
use crate::formats::mtr::MtrError;
use crate::formats::x::XError;
use core::fmt;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why the files of a scene could not be loaded. Every message starts with the path and names the scene's key.
#[derive(Debug, Error)]
pub enum AssetError {
    /// There is no file of that name.
    #[error("{}: no such {what}, but {key} names it{}", path.display(), hint(nearest.as_deref()))]
    Missing {
        /// The path that was tried, or the first folder on its way that does not exist.
        path: PathBuf,
        /// `file` or `folder`.
        what: &'static str,
        /// The key of the scene, such as `model[0].file`.
        key: String,
        /// What is there and is spelt most alike.
        nearest: Option<String>,
    },
    /// The file is there, but the system does not give its bytes.
    #[error("{}: cannot be read for {key}", path.display())]
    Read {
        /// The path.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// What the system says.
        source: io::Error,
    },
    /// The file is larger than allowed.
    #[error("{}: {found} bytes are too many for {key}; at most {allowed} are read; --limit bytes=NUMBER raises that", path.display())]
    TooLarge {
        /// The path.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// Its length in bytes.
        found: u64,
        /// The largest length in bytes.
        allowed: u64,
    },
    /// The file is of a kind that this version does not read.
    #[error("{}: {found} is not supported, but {key} names it; models are .md5mesh and .x files", path.display())]
    UnsupportedModel {
        /// The path.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// The kind of file.
        found: String,
    },
    /// An MD5 file is refused.
    #[error("{}: refused as {key}", path.display())]
    Md5 {
        /// The path.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// Where and why.
        source: Box<Md5Error>,
    },
    /// A `.x` file is refused.
    #[error("{}: refused as {key}", path.display())]
    X {
        /// The path.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// Where and why.
        source: Box<XError>,
    },
    /// A Doom 3 material file is refused, or the one material of it that a mesh asks for.
    #[error("{}: refused as {key}{}", path.display(), of_material(material.as_deref()))]
    Mtr {
        /// The path.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// The name of the material, if the rest of the file is sound.
        material: Option<String>,
        /// Where and why.
        source: Box<MtrError>,
    },
    /// A folder or a pattern gives no Doom 3 material file.
    #[error("{}: no .mtr file there, but {key} names {what}", path.display())]
    NoMtr {
        /// The folder that was looked into.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// What the scene names: a folder, or a pattern in quotes.
        what: String,
    },
    /// The scene names a clip that the file does not have.
    #[error("{}: unknown clip {found} for {key}; {}{}", path.display(), has_clips(has), hint(nearest.as_deref()))]
    UnknownClip {
        /// The path of the file.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// The name in quotes, or the index.
        found: String,
        /// The names that it has.
        has: Vec<String>,
        /// The one of them that is spelt most alike.
        nearest: Option<String>,
    },
    /// A picture that the scene names is refused.
    #[error("{}: refused as {key}", path.display())]
    Image {
        /// The path.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// Why.
        source: Box<ImageError>,
    },
    /// A file took longer than somebody would wait.
    #[error("{}: {key} takes too long", path.display())]
    TimedOut {
        /// The path.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// What was going on.
        source: TimedOut,
    },
    /// A model's up and front would lie on one line.
    #[error("{}: {key} is {found:?}, but that is {taken} of this kind of file; say both model.up and model.front", path.display())]
    Axes {
        /// The path.
        path: PathBuf,
        /// The key of the scene.
        key: String,
        /// The axis.
        found: &'static str,
        /// What the axis already is: `the front` or `up`, or its opposite.
        taken: &'static str,
    },
}

impl AssetError {
    /// Whether the same call may succeed later without anybody changing the scene or its files: an I/O error, a share that
    /// went away, too many open files.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        matches!(self, Self::Read { source, .. } if is_temporary(source))
    }

    /// What was going on when the time was over, if that is what is wrong.
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
            Self::Image { source, .. } => match **source {
                ImageError::TimedOut(late) => Some(late),
                _ => None,
            },
            _ => None,
        }
    }
}

fn has_clips(has: &[String]) -> String {
    match has {
        [] => "the file has no clip".to_owned(),
        names => format!("the file has: {}", names.join(", ")),
    }
}

fn of_material(name: Option<&str>) -> String {
    name.map_or_else(String::new, |name| format!(" for material {name:?}"))
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!("; did you mean {name:?}?"))
}

/// Something that can be drawn but that the author of the scene should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetWarning {
    /// The path of the file, or the scene's key.
    pub place: String,
    /// The line of the file, from 1; 0 where no single line is meant.
    pub line: usize,
    /// What was found and what is done about it.
    pub message: String,
}

impl fmt::Display for AssetWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, line, message } = self;
        match line {
            0 => write!(f, "{place}: {message}"),
            line => write!(f, "{place}:{line}: {message}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::ErrorKind;

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
