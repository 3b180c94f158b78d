//! Where the frames of a scene go: to files with a number, or one of them to standard output.

use super::args::Render;
use super::{Failure, pattern, write_stdout};
use crate::cli::sequence::view_for_stdout;
use crate::output::write_atomic;
use crate::scene::{Aov, FramePattern, Scene};
use std::path::Path;

/// Where frames go.
pub(super) enum Target {
    Files(FramePattern),
    /// The picture, or the only view that is asked for.
    Stdout {
        has_picture: bool,
    },
}

impl Target {
    pub fn new(options: &Render, scene: &Scene, frames: &[(usize, i64)]) -> Result<Self, Failure> {
        let several = frames.len() > 1;
        let one_only = |name: &str| {
            Failure::bad_input(format!(
                "{name} holds one frame and {} are asked for; pick one with --frames, or name them with ####",
                frames.len()
            ))
        };
        let pattern = match options.output.as_deref() {
            Some("-") if several => return Err(one_only("standard output")),
            Some("-") => {
                let view = view_for_stdout(&scene.output.aov, "picture")?;
                return Ok(Self::Stdout { has_picture: view.is_none() });
            }
            given => pattern(given, scene, &options.scene)?,
        };
        if several && !pattern.has_number() {
            return Err(one_only(&pattern.path(0)));
        }
        Ok(Self::Files(pattern))
    }

    pub fn write(&self, number: i64, png: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Files(pattern) => write_atomic(Path::new(&pattern.path(number)), png)
                .map_err(|error| Failure::output(&error)),
            Self::Stdout { .. } => write_stdout(png),
        }
    }

    /// The names of the files; none where standard output takes the frame.
    pub fn pattern(&self) -> Option<&FramePattern> {
        match self {
            Self::Files(pattern) => Some(pattern),
            Self::Stdout { .. } => None,
        }
    }

    /// Whether the picture itself is asked for; standard output has room for one.
    pub fn has_picture(&self) -> bool {
        !matches!(self, Self::Stdout { has_picture: false })
    }

    /// Writes a view of a frame beside its picture.
    pub fn write_view(&self, number: i64, view: &Aov, png: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Files(pattern) => {
                Self::Files(pattern.beside(&view.file_word())).write(number, png)
            }
            Self::Stdout { .. } => self.write(number, png),
        }
    }

    pub fn described(&self, frames: &[(usize, i64)]) -> String {
        match (self, frames) {
            (Self::Files(pattern), [(_, first), .., (_, last)]) => {
                format!(", {} to {}", pattern.path(*first), pattern.file_name(*last))
            }
            (Self::Files(pattern), [(_, only)]) => format!(", {}", pattern.path(*only)),
            _ => String::new(),
        }
    }
}
