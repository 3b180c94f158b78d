//! Names of output files: what the extension says is written, and names of other formats are refused.
//!
//! A PNG under the name `walk.exr` would be read as broken by many programs, and a folder under the name `turn.avi` by all.

use super::failure::Failure;
use std::path::Path;
use tintype_host::job::Outputs;
use tintype_output::FileFormat;

/// Extensions of formats that pictures or models are often asked for in, and that no picture is written as.
const FOREIGN: [&str; 29] = [
    "3ds", "avi", "avif", "blend", "bmp", "dae", "dds", "exr", "fbx", "glb", "gltf", "hdr", "heic",
    "ico", "md5anim", "md5mesh", "mkv", "mpg", "obj", "pdf", "ply", "psd", "stl", "svg", "tga",
    "tif", "tiff", "toml", "x",
];

/// The outputs that a name means; none for a folder, and for a pattern without an extension of pictures. `frames` is none for several.
pub(super) fn outputs_named(
    name: &str,
    frames: Option<usize>,
    hint: impl Fn(&str) -> Option<String>,
) -> Result<Option<Outputs<'static>>, Failure> {
    if Path::new(name).is_dir() {
        return Ok(None);
    }
    refuse_foreign(name, hint)?;
    Outputs::named(name, frames).map_err(|error| Failure::bad_input(format!("--output: {error}")))
}

/// The format of a name that means one picture, and no folder.
pub(super) fn format_of_picture(path: &Path) -> Option<FileFormat> {
    FileFormat::of_path(path).filter(|format| format.holds_one() && !path.is_dir())
}

/// Refuses a file of all frames where `why` says that there is none.
pub(super) fn refuse_animation(name: &str, why: &str) -> Result<(), Failure> {
    match FileFormat::of_path(Path::new(name)) {
        Some(format) if !format.holds_one() => Err(Failure::bad_input(format!(
            "--output: {name}: {why}, written as {}",
            FileFormat::listed(FileFormat::holds_one)
        ))),
        _ => Ok(()),
    }
}

/// Refuses a name of a format that no picture is written as. `hint` says for an extension what to do instead.
pub(super) fn refuse_foreign(
    name: &str,
    hint: impl Fn(&str) -> Option<String>,
) -> Result<(), Failure> {
    let Some(extension) = foreign(name) else { return Ok(()) };
    let advice = hint(&extension).unwrap_or_else(|| {
        let is_video = matches!(extension.as_str(), "avi" | "mkv" | "mpg");
        renamed(name, &extension, if is_video { "mp4" } else { "png" })
    });
    let known = FileFormat::listed(|_| true);
    Err(Failure::bad_input(format!("--output: {name}: pictures are written as {known}; {advice}")))
}

/// Refuses a name that is not that of an OBJ file.
pub(super) fn refuse_all_but_obj(name: &str) -> Result<(), Failure> {
    let picture = FileFormat::of_path(Path::new(name)).map(|format| format.extensions()[0].into());
    match foreign(name).filter(|extension| extension != "obj").or(picture) {
        None => Ok(()),
        Some(extension) => Err(Failure::bad_input(format!(
            "--output: {name}: files are written as OBJ; {}",
            renamed(name, &extension, "obj")
        ))),
    }
}

fn foreign(name: &str) -> Option<String> {
    let extension = Path::new(name).extension()?.to_str()?.to_lowercase();
    FOREIGN.contains(&extension.as_str()).then_some(extension)
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
        for name in ["a.####.png", "a", "a.b/####", "v1.2", "out.d", "a.GIF", "####.jpeg"] {
            assert_eq!(said(name), Ok(()), "{name}");
        }
        let formats = "pictures are written as .png, .jpg, .webp, .gif, .apng, .mp4, .webm, .mov";
        for (name, advice) in [
            ("a.####.EXR", "write a.####.png"),
            ("out/a.avi", "write out/a.mp4"),
            ("a.toml", "say --save"),
        ] {
            assert_eq!(said(name), Err(format!("--output: {name}: {formats}; {advice}")));
        }
        let said = |name| refuse_all_but_obj(name).map_err(|failure| failure.message);
        assert_eq!(said("a.obj"), Ok(()));
        for name in ["a.fbx", "a.png"] {
            let wanted = format!("--output: {name}: files are written as OBJ; write a.obj");
            assert_eq!(said(name), Err(wanted));
        }
        assert!(FOREIGN.is_sorted());
        let is_written = |extension: &&str| FileFormat::of_extension(extension).is_some();
        assert!(!FOREIGN.iter().any(is_written));
    }
}
