//! The cause of the difference between two golden pictures, from the records of their stages;
//! nothing is drawn.

use super::read_record::{RecordError, RecordReader};
use crate::record::{Cause, Evidence, changed, find_cause, find_hidden, unseen_edits};
use std::path::Path;
use tintype_base::disk::read_regular;
use tintype_base::path::ShowPath;
use tintype_compare::{Difference, compare};
use tintype_model::frame::Frame;
use tintype_output::decode_any_png;
use tintype_scene::PoseRule;

/// The cause of `difference` between two pictures, if there is a whole record beside each.
#[must_use]
pub fn cause_between(old: &Path, new: &Path, difference: &Difference) -> Option<Cause> {
    let reader = RecordReader::default();
    let [old, new] = [reader.read(old).ok()?, reader.read(new).ok()?];
    Some(find_cause(&old, &new, difference))
}

/// The differences of two records, one per line, the cause first in the words of a test. None if
/// both have the same stages. Pictures beside them count if they exist.
///
/// # Errors
/// A sentence that names the unreadable record.
pub fn record_differences(old: &Path, new: &Path) -> Result<Vec<String>, String> {
    let reader = RecordReader::default();
    let read = |path: &Path| {
        reader.read(path).map_err(|error| match error {
            RecordError::Missing => format!("{}: no such file", path.shown()),
            RecordError::Unread(error) => format!("{}: {error}", path.shown()),
            RecordError::Text(error) => format!("{}: {error}", path.shown()),
        })
    };
    let [before, now] = [read(old)?, read(new)?];
    let picture = |record: &Path| -> Option<Frame> {
        let bytes = read_regular(&record.with_extension("png")).ok()?;
        Some(decode_any_png(&bytes).ok()?.0)
    };
    let pictures = picture(old).zip(picture(new));
    let difference = pictures.as_ref().and_then(|(old, new)| compare(old, new));
    let cause = match &difference {
        Some(difference) => Some(find_cause(&before, &now, difference)),
        None => find_hidden(&before, &now, PoseRule::default()),
    };
    let mut lines: Vec<String> = Vec::new();
    if let Some(cause) = &cause {
        lines.push(cause.to_string());
        lines.extend(cause.evidence());
    }
    if let Some(difference) = difference {
        lines.push(difference.to_string());
    } else if before.image != now.image {
        lines.push("the pictures have different pixels".to_owned());
    }
    if difference.is_none() {
        let is_told = |one: &Evidence| {
            let names = |finding| cause.as_ref().is_some_and(|cause| cause.names(finding));
            one.findings().iter().all(names)
        };
        let unseen = unseen_edits(&before, &now).into_iter().filter(|one| !is_told(one));
        lines.extend(unseen.map(|one| one.to_string()));
        let files = changed(&before.assets, &now.assets);
        lines.extend(files.iter().map(|asset| format!("{} changed", asset.name)));
    }
    if before.pixel_revision != now.pixel_revision {
        let [from, to] = [before.pixel_revision, now.pixel_revision];
        lines.push(format!("pixel revision {from} is now {to}"));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_output::decode_png;

    #[test]
    fn records_name_the_cause_between_two_pictures() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/walk");
        let paths = ["0000.png", "0009.png"].map(|name| folder.join(name));
        let [a, b] = [0, 1].map(|k| decode_png(&read_regular(&paths[k]).unwrap()).unwrap().0);
        let difference = compare(&a, &b).unwrap();
        let cause = cause_between(&paths[0], &paths[1], &difference).unwrap();
        assert!(!cause.what().is_empty() && !cause.evidence.is_empty(), "{cause}");
        assert_eq!(cause_between(&paths[0], Path::new("none.png"), &difference), None);
    }
}
