//! The cause of the difference between two golden pictures, by the records of their stages; nothing is drawn.

use super::read_record::RecordReader;
use crate::record::{Cause, find_cause};
use std::path::Path;
use tintype_compare::Difference;

/// The cause of `difference` between two pictures, if a whole record lies beside each.
#[must_use]
pub fn cause_between(old: &Path, new: &Path, difference: &Difference) -> Option<Cause> {
    let reader = RecordReader::default();
    let [old, new] = [reader.read(old).ok()?, reader.read(new).ok()?];
    Some(find_cause(&old, &new, difference))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_compare::compare;
    use tintype_output::decode_png;
    use tintype_render::asset::regular::read_regular;

    #[test]
    fn records_name_the_cause_between_two_pictures() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/walk");
        let paths = ["0000.png", "0009.png"].map(|name| folder.join(name));
        let [a, b] = [0, 1].map(|k| decode_png(&read_regular(&paths[k]).unwrap()).unwrap().0);
        let difference = compare(&a, &b).unwrap();
        let cause = cause_between(&paths[0], &paths[1], &difference).unwrap();
        assert!(!cause.what.is_empty() && !cause.evidence.is_empty(), "{cause}");
        assert_eq!(cause_between(&paths[0], Path::new("none.png"), &difference), None);
    }
}
