//! Extensions of written files, which must match their format.

use super::{Error, ErrorKind};
use tintype_output::FileFormat;

/// Refuses a file extension that belongs to none of these formats, because it would contradict the
/// content.
#[cfg(feature = "host")]
pub(crate) fn refuse_other_extension(
    path: &std::path::Path,
    is_known: fn(FileFormat) -> bool,
) -> Result<(), Error> {
    if FileFormat::of_path(path).is_some_and(is_known) {
        return Ok(());
    }
    let wanted = FileFormat::listed(is_known);
    let message = format!(
        "{}: expected a name ending in {wanted}",
        tintype_base::path::ShowPath::shown(path)
    );
    Err(Error::new(ErrorKind::Write, message))
}

/// The format named by a word such as `webp`, if it is one of these.
pub(crate) fn format_of(word: &str, is_known: fn(FileFormat) -> bool) -> Result<FileFormat, Error> {
    FileFormat::of_extension(word).filter(|&format| is_known(format)).ok_or_else(|| {
        let wanted = FileFormat::listed(is_known).replace('.', "");
        Error::new(ErrorKind::Write, format!("format {word:?}: expected {wanted}"))
    })
}
