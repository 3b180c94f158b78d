//! Kind of a comparison, from its two sides.

use crate::{Error, ErrorKind};
use std::path::Path;
use tintype_base::extension::{SCENES, has_extension, is_model};
use tintype_base::path::ShowPath;
use tintype_formats::Files;
use tintype_formats::md5::looks_like_md5;
use tintype_golden::picture_diff::is_pattern;
use tintype_golden::record_words;
use tintype_render::asset::input::read_head;
use tintype_render::asset::is_model_file;

/// The first bytes of a PNG file.
const PNG: &[u8] = b"\x89PNG";

/// Content of the two sides of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DiffKind {
    /// Two records of golden pictures.
    Records,
    /// Two models, by their names and their first bytes.
    Models,
    /// A model, and a file that is none by its name or its first bytes.
    OneModel,
    /// Two folders, with models, pictures and other files.
    Folders,
    /// Two sequences of pictures, by patterns such as `walk.####.png`.
    Sequences,
    /// Two pictures.
    Pictures,
}

impl DiffKind {
    /// The kind of a comparison of two files, folders or patterns.
    ///
    /// # Errors
    /// [`ErrorKind::File`] for a file that is only compared within a folder, or with one of its
    /// kind: a clip, a scene or a record.
    pub fn of(a: &Path, b: &Path) -> Result<Self, Error> {
        let sides = [a, b];
        if sides.into_iter().all(is_record) {
            return Ok(Self::Records);
        }
        for side in sides {
            let is_scene = side.is_file() && has_extension(side, &SCENES);
            let advice = if has_extension(side, &["md5anim"]) && looks_like_md5(&start(side)) {
                "this is a clip; to compare clips key by key, give two folders that each contain the model and its clip"
            } else if is_scene && is_record(side) {
                "this is a golden's record; compare it with another record"
            } else if is_scene {
                "this is a scene; compare two folders with scenes, or the rendered pictures"
            } else {
                continue;
            };
            return Err(Error::new(ErrorKind::File, format!("{}: {advice}", side.shown())));
        }
        let are_models = sides.map(|side| {
            let start = start(side);
            is_model_file(&start, side) || looks_like_md5(&start)
        });
        // A broken model is refused as a model.
        let is_named =
            |side: &Path| is_model(side) && side.is_file() && !start(side).starts_with(PNG);
        Ok(match are_models {
            [true, true] if sides.into_iter().all(is_model) => Self::Models,
            [false, false] if sides.into_iter().all(Path::is_dir) => Self::Folders,
            [false, false] if sides.into_iter().all(is_pattern) => Self::Sequences,
            [false, false] if !sides.into_iter().any(is_named) => Self::Pictures,
            _ => Self::OneModel,
        })
    }
}

fn is_record(path: &Path) -> bool {
    record_words(path).is_some()
}

/// The first bytes of a file; empty if it cannot be read.
fn start(path: &Path) -> Vec<u8> {
    read_head(&Files::Disk, path, 4096).unwrap_or_default()
}
