//! Names of output files: an extension of another format is refused, and the option that writes that format is named.
//!
//! A PNG under the name `walk.jpg` would be read as broken by many programs, and a folder under the name `turn.gif` by all.

use super::failure::Failure;
use std::path::Path;

/// Extensions of formats that pictures or models are often asked for in.
const FOREIGN: [&str; 35] = [
    "3ds", "apng", "avi", "blend", "bmp", "dae", "dds", "exr", "fbx", "gif", "glb", "gltf", "hdr",
    "ico", "jpeg", "jpg", "md5anim", "md5mesh", "mkv", "mov", "mp4", "obj", "pdf", "ply", "png",
    "psd", "stl", "svg", "tga", "tif", "tiff", "toml", "webm", "webp", "x",
];

/// Refuses the name of an output whose extension is that of another format than `format`. `hint` names the option for an extension.
pub(super) fn refuse_other_format(
    name: &str,
    format: &str,
    hint: impl Fn(&str) -> Option<String>,
) -> Result<(), Failure> {
    let Some(extension) = Path::new(name).extension().and_then(std::ffi::OsStr::to_str) else {
        return Ok(());
    };
    let extension = extension.to_lowercase();
    if extension == format || !FOREIGN.contains(&extension.as_str()) {
        return Ok(());
    }
    let advice = hint(&extension).unwrap_or_else(|| {
        let stem = &name[..name.len() - extension.len()];
        format!("write {stem}{format}")
    });
    let format = format.to_uppercase();
    Err(Failure::bad_input(format!("--output: {name}: files are written as {format}; {advice}")))
}

/// No hint but the right name.
pub(super) fn no_hint(_: &str) -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_formats_are_refused_with_the_right_one() {
        let said = |name: &str, format: &str| {
            let hint = |extension: &str| (extension == "gif").then(|| "say --gif".to_owned());
            refuse_other_format(name, format, hint).map_err(|failure| failure.message)
        };
        for name in ["a.png", "a.PNG", "a", "a.b/####", "v1.2", "out.d", "####.png"] {
            assert_eq!(said(name, "png"), Ok(()), "{name}");
        }
        let message = "--output: a.####.JPG: files are written as PNG; write a.####.png";
        assert_eq!(said("a.####.JPG", "png"), Err(message.to_owned()));
        assert_eq!(
            said("out/a.gif", "png"),
            Err("--output: out/a.gif: files are written as PNG; say --gif".to_owned())
        );
        assert_eq!(
            said("a.fbx", "obj"),
            Err("--output: a.fbx: files are written as OBJ; write a.obj".to_owned())
        );
        assert!(FOREIGN.is_sorted());
    }
}
