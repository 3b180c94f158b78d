//! Reading the records beside goldens, which share the content of their models.

use super::paths::record_of;
use crate::record::{Contents, FrameRecord, TextError};
use std::path::Path;
use std::sync::{Arc, Mutex};
use tintype_base::disk::{if_there, read_regular_text};

/// Error of reading the record of stages.
pub(super) enum RecordError {
    Missing,
    Unread(std::io::Error),
    Text(TextError),
}

/// Reads records. Frames of a scene leave their content to the first one: its text is parsed once as long as it is the same.
#[derive(Default)]
pub(super) struct RecordReader {
    last: Mutex<Option<(String, Arc<Contents>)>>,
}

impl RecordReader {
    /// The record beside a golden, with its content, which may be in the record of another frame.
    pub(super) fn read(&self, golden: &Path) -> Result<FrameRecord, RecordError> {
        let mut record = FrameRecord::parse(&text_of(golden)?).map_err(RecordError::Text)?;
        if let Some([file, _]) = &record.contents_in {
            let is_name = Path::new(file).file_name() == Some(file.as_ref());
            let other = golden.with_file_name(file);
            if let Some(contents) = is_name.then(|| self.contents(&other)).flatten() {
                record.take_contents(&contents);
            }
        }
        Ok(record)
    }

    /// The content in the record beside a golden; none if there is no such record, or an unreadable one.
    pub(super) fn contents(&self, golden: &Path) -> Option<Arc<Contents>> {
        self.contents_of(&text_of(golden).ok()?)
    }

    /// The content in the text of a record.
    pub(super) fn contents_of(&self, text: &str) -> Option<Arc<Contents>> {
        let mut last = self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((known, contents)) = &*last
            && known == text
        {
            return Some(Arc::clone(contents));
        }
        let contents = FrameRecord::parse(text).ok()?.contents;
        *last = Some((text.to_owned(), Arc::clone(&contents)));
        Some(contents)
    }
}

/// The text of the record beside a golden.
fn text_of(golden: &Path) -> Result<String, RecordError> {
    let text = if_there(read_regular_text(&record_of(golden))).map_err(RecordError::Unread)?;
    text.ok_or(RecordError::Missing)
}
