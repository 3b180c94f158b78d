//! Reading the records beside goldens, and their common parts.

use super::paths::{is_part_name, record_of};
use crate::record::{CONTENT, FrameRecord, Shared, TextError, parse_parts, short_digest};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use tintype_base::disk::{if_there, read_regular_text};
use tintype_base::git::{LFS_POINTER, is_lfs_pointer};

/// Error of reading the record of stages.
pub(super) enum RecordError {
    Missing,
    Unread(std::io::Error),
    Text(TextError),
}

/// Reads records. Frames of a scene name the same parts, which are parsed once.
#[derive(Default)]
pub(super) struct RecordReader {
    last: Mutex<Option<(Vec<String>, Shared)>>,
}

impl RecordReader {
    /// The record beside a golden, with its parts.
    pub(super) fn read(&self, golden: &Path) -> Result<FrameRecord, RecordError> {
        let path = record_of(golden);
        let text = if_there(read_regular_text(&path)).map_err(RecordError::Unread)?;
        let text = text.ok_or(RecordError::Missing)?;
        FrameRecord::parse_file(&text, |names| self.shared(&path, names)).map_err(RecordError::Text)
    }

    fn shared(&self, record: &Path, names: Vec<String>) -> Result<Shared, TextError> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, shared)) = &*last
            && *known == names
        {
            return Ok(shared.clone());
        }
        let texts = names.iter().map(|name| part_text(record, name));
        let shared = parse_parts(&texts.collect::<Result<String, _>>()?)?;
        *last = Some((names, shared.clone()));
        Ok(shared)
    }
}

/// Names of all parts that a record may name, even if it is incomplete or has conflicts: all quoted
/// words that can be one.
pub(super) fn part_names(record: &Path) -> std::io::Result<Vec<String>> {
    let text = read_regular_text(record)?;
    if is_lfs_pointer(text.as_bytes()) {
        return Err(std::io::Error::other(LFS_POINTER));
    }
    Ok(text.split('"').filter(|word| is_part_name(word)).map(str::to_owned).collect())
}

/// The text of a part of a record: in the folder `content` beside it, or of the nearest parent
/// folder.
pub(super) fn part_text(record: &Path, name: &str) -> Result<String, TextError> {
    let file = Path::new(CONTENT).join(name).with_added_extension("toml");
    let bad = |why: String| {
        let name = format!("{CONTENT}/{name}.toml");
        TextError::Part { name, why }
    };
    let whole = std::path::absolute(record).unwrap_or_else(|_| record.to_path_buf());
    for folder in whole.ancestors().skip(1).filter(|_| is_part_name(name)) {
        match if_there(read_regular_text(&folder.join(&file))) {
            Ok(None) => {}
            Err(error) if error.kind() == ErrorKind::NotADirectory => {}
            Err(error) => return Err(bad(format!("cannot be read: {error}"))),
            Ok(Some(text)) => {
                // Git may have converted its line ends to those of the system.
                let text = text.replace("\r\n", "\n");
                return if short_digest(text.as_bytes()) == name {
                    Ok(text)
                } else if is_lfs_pointer(text.as_bytes()) {
                    Err(bad(format!("is {LFS_POINTER}")))
                } else {
                    Err(bad("is damaged".to_owned()))
                };
            }
        }
    }
    Err(bad("is missing".to_owned()))
}
