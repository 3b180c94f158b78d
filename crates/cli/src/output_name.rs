//! Names of output files: the extension selects the format, and other formats are refused.
//!
//! Many programs would report a PNG named `walk.exr` as broken, and all would fail on a folder
//! named `turn.avi`.

use super::failure::Failure;
use std::path::Path;
use tintype_base::path::ShowPath;
use tintype_host::job::{OutputNameError, Outputs, foreign_extension, is_folder_name};
use tintype_output::FileFormat;

/// The outputs that a name specifies. `frames` is none for several; `hint` suggests an alternative
/// for an extension.
pub(super) fn outputs_named(
    name: &str,
    frames: Option<usize>,
    hint: impl Fn(&str) -> Option<String>,
) -> Result<Outputs<'static>, Failure> {
    Outputs::named(name, frames).map_err(|error| {
        let own = foreign_extension(name).and_then(|extension| hint(&extension));
        match (error, own) {
            (OutputNameError::Foreign { name, .. }, Some(advice)) => {
                refused(&OutputNameError::Foreign { name, advice })
            }
            (error, _) => refused(&error),
        }
    })
}

fn refused(error: &OutputNameError) -> Failure {
    Failure::bad_input(format!("--output: {error}"))
}

/// The format of a name that specifies a single picture, not a folder.
pub(super) fn format_of_picture(path: &Path) -> Option<FileFormat> {
    let is_picture = |format: &FileFormat| format.holds_one();
    FileFormat::of_path(path).filter(is_picture).filter(|_| !is_folder_name(&path.shown()))
}

/// Refuses a file of all frames; `why` is the reason.
pub(super) fn refuse_animation(name: &str, why: &str) -> Result<(), Failure> {
    match FileFormat::of_path(Path::new(name)) {
        Some(format) if !format.holds_one() && !is_folder_name(name) => {
            Err(Failure::bad_input(format!(
                "--output: {name}: {why}, written as {}",
                FileFormat::listed(FileFormat::holds_one)
            )))
        }
        _ => Ok(()),
    }
}

/// Refuses a file name where a folder is expected.
pub(super) fn refuse_as_folder(name: &str) -> Result<(), Failure> {
    if is_folder_name(name) {
        return Ok(());
    }
    let message = format!("--output: {name}: expected a folder, found the name of a file");
    Err(Failure::bad_input(message))
}

/// Refuses a name with the extension of an unsupported format.
pub(super) fn refuse_foreign(name: &str) -> Result<(), Failure> {
    tintype_host::job::refuse_foreign(name).map_err(|error| refused(&error))
}

/// Refuses a file name whose extension is not `.obj`.
pub(super) fn refuse_all_but_obj(name: &str) -> Result<(), Failure> {
    let picture = FileFormat::of_path(Path::new(name)).map(|format| format.extensions()[0].into());
    match foreign_extension(name).filter(|extension| extension != "obj").or(picture) {
        None => Ok(()),
        Some(extension) => Err(Failure::bad_input(format!(
            "--output: {name}: only OBJ files are written; {}",
            renamed(name, &extension, "obj")
        ))),
    }
}

fn renamed(name: &str, extension: &str, wanted: &str) -> String {
    format!("write {}{wanted}", &name[..name.len() - extension.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_formats_are_refused_with_the_right_one() {
        let said = |name: &str| {
            let hint = |extension: &str| (extension == "toml").then(|| "say --save".to_owned());
            outputs_named(name, None, hint).map(|_| ()).map_err(|failure| failure.message)
        };
        let formats = "pictures are written as .png, .jpg, .webp, .gif, .apng, .mp4, .webm, .mov";
        for (name, advice) in [("a.exr", "write a.png"), ("a.toml", "say --save")] {
            assert_eq!(said(name), Err(format!("--output: {name}: {formats}; {advice}")));
        }
        let said = |name| refuse_all_but_obj(name).map_err(|failure| failure.message);
        assert_eq!(said("a.obj"), Ok(()));
        for name in ["a.fbx", "a.png"] {
            let wanted = format!("--output: {name}: only OBJ files are written; write a.obj");
            assert_eq!(said(name), Err(wanted));
        }
    }
}
