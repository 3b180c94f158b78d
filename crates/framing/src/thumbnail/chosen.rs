//! Choices of a picture as recorded by its file, and pictures that are up to date.

use super::facts::ThumbView;
use super::options::ThumbnailOptions;
use super::skip_reason::{Skip, SkipReason};
use crate::Viewpoint;
use serde::{Deserialize, Serialize};
use std::path::Path;
use tintype_output::note::read_note;
use tintype_output::{FileFormat, Provenance, decode_png};

/// The chosen time and viewpoint.
pub(super) struct Choice {
    /// The clip and the seconds in it.
    pub clip: Option<(usize, f64)>,
    pub viewpoint: Viewpoint,
}

/// Keyword of the PNG text chunk with the choices.
const CHOSEN: &str = "tintype:thumbnail";
/// Choices for a picture, recorded in its file.
#[derive(Serialize, Deserialize)]
pub(super) struct Chosen {
    pub view: ThumbView,
    /// The number of warnings when it was drawn.
    pub warnings: usize,
}

impl Chosen {
    /// The texts of the file of its picture.
    pub(super) fn texts(&self, provenance: &Provenance) -> Result<Vec<(String, String)>, Skip> {
        let mut texts = provenance.to_text();
        let json = serde_json::to_string(self)
            .map_err(|error| Skip::new(SkipReason::Input, error.to_string()))?;
        texts.push((CHOSEN.to_owned(), json));
        Ok(texts)
    }
}

/// True if the turntable exists and is up to date, according to the note at the end of its file.
pub(super) fn is_spin_current(path: &Path, wanted: &Provenance) -> bool {
    let bytes = tintype_base::disk::read_regular(path).unwrap_or_default();
    let note = read_note(&bytes).filter(|_| FileFormat::WebP.is_format_of(&bytes));
    note.is_some_and(|note| Provenance::from_text(&note.text).is_ok_and(|own| own == *wanted))
}

/// Choices recorded in a file, if it is complete and the requested picture.
pub(super) fn chosen_before(
    path: &Path,
    wanted: &Provenance,
    options: &ThumbnailOptions,
) -> Option<Chosen> {
    let bytes = tintype_base::disk::read_regular(path).ok()?;
    let (size, text) = match options.format? {
        FileFormat::Png => {
            let (frame, text) = decode_png(&bytes).ok()?;
            ([frame.width, frame.height], text)
        }
        format => {
            let note = read_note(&bytes).filter(|note| note.is_sealed)?;
            format.is_format_of(&bytes).then_some((note.size, note.text))?
        }
    };
    let is_same = Provenance::from_text(&text).ok()? == *wanted && size == options.size;
    let (_, chosen) = text.iter().find(|(keyword, _)| keyword == CHOSEN)?;
    serde_json::from_str(chosen).ok().filter(|_| is_same)
}
