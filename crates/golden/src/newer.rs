//! Goldens of a newer program, which this one must not overwrite, because that would revert a whole
//! team.

use super::record::{TextError, VERSION};
use tintype_model::frame::PIXEL_REVISION;

/// The advice about them.
pub(super) const UPDATE: &str = "update tintype";

/// The revision of pixels in words, if it is newer.
pub(super) fn newer_revision(found: u32) -> Option<String> {
    let words = || format!("pixel revision {found}, this program has {PIXEL_REVISION}");
    (found > PIXEL_REVISION).then(words)
}

/// The number of a key before all tables of a text, which may be incomplete.
fn number(text: &str, wanted: &str) -> Option<u32> {
    let head = text.lines().take_while(|line| !line.starts_with('['));
    let mut own =
        head.filter_map(|line| line.split_once('=')).filter(|(key, _)| key.trim() == wanted);
    own.find_map(|(_, value)| value.split('#').next()?.trim().parse().ok())
}

/// The version of a text in words, if it is newer than this program's; nothing else in it may be
/// read.
pub(super) fn newer_version(text: &str, own: u32) -> Option<String> {
    let found = number(text, "version").filter(|found| *found > own)?;
    Some(format!("record version {found}, this program has {own}"))
}

/// The version or the revision in the text of a record in words, if it is newer.
pub(super) fn newer_record(text: &str) -> Option<String> {
    newer_version(text, VERSION).or_else(|| newer_revision(number(text, "pixel_revision")?))
}

/// True if a record cannot be read because a newer program wrote it.
pub(super) fn is_newer(error: &TextError) -> bool {
    matches!(error, TextError::Version { found } if *found > i64::from(VERSION))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_records_are_known_by_their_head() {
        let text = |version: u32, revision: u32| {
            format!("# record\nversion = {version}\npixel_revision={revision} # text\n[a]\nb = 1\n")
        };
        assert_eq!(newer_record(&text(VERSION, PIXEL_REVISION)), None);
        assert_eq!(newer_record(&text(VERSION, 0)), None);
        let said = newer_record(&text(VERSION, PIXEL_REVISION + 2)).unwrap();
        assert!(said.starts_with(&format!("pixel revision {}, ", PIXEL_REVISION + 2)), "{said}");
        let said = newer_record(&text(VERSION + 1, 0)).unwrap();
        assert!(said.starts_with(&format!("record version {}, ", VERSION + 1)), "{said}");
        // A key in a table does not belong to the record.
        assert_eq!(newer_record("[a]\npixel_revision = 4000000000\n"), None);
        assert_eq!(newer_record("<<<<<<< ours\n"), None);
    }
}
