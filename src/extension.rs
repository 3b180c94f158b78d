//! Names of files that are written: their extensions say what they hold.

use super::{Error, ErrorKind};
use std::path::Path;
use tintype_model::disk::ShowPath;

/// Refuses a file whose extension is none of these: its content would not be what its name says.
pub(crate) fn refuse_other_extension(path: &Path, known: &[&str]) -> Result<(), Error> {
    let own = path.extension().unwrap_or_default();
    if known.iter().any(|known| own.eq_ignore_ascii_case(known)) {
        return Ok(());
    }
    let wanted: Vec<String> = known.iter().map(|known| format!(".{known}")).collect();
    let message = format!("{}: expected a name that ends with {}", path.shown(), wanted.join(", "));
    Err(Error::new(ErrorKind::Write, message))
}
