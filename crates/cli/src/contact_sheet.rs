//! The files of `--contact-sheet`: a picture, and its legend beside it.

use super::failure::Failure;
use super::output_name::format_of_picture;
use std::path::Path;
use tintype_base::path::ShowPath;
use tintype_framing::ContactSheet;
use tintype_host::write_atomic;
use tintype_output::{FileFormat, PngEffort, encode_still};

/// The option.
pub(super) const OPTION: &str = "--contact-sheet";

/// The format of a sheet, by the extension of its file.
pub(super) fn format_of_sheet(path: &Path) -> Result<FileFormat, Failure> {
    format_of_picture(path).ok_or_else(|| {
        let formats = FileFormat::listed(FileFormat::holds_one);
        Failure::bad_input(format!(
            "{OPTION} {}: expected a name ending in {formats}",
            path.shown()
        ))
    })
}

/// Writes a sheet, and its legend as a `.json` file beside it.
pub(super) fn write_sheet(
    path: &Path,
    sheet: &ContactSheet,
    effort: PngEffort,
) -> Result<(), Failure> {
    let bytes = encode_still(&sheet.frame, format_of_sheet(path)?, true, effort, &[]);
    write_atomic(path, &bytes)
        .and_then(|()| write_atomic(&path.with_extension("json"), sheet.legend.as_bytes()))
        .map_err(|error| Failure::output(&error))
}
