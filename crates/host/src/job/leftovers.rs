//! Leftover pictures: frames in the folder of a sequence that are not in the scene, and thumbnails
//! of removed models.

use super::sinks::folder_of;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tintype_base::disk::{if_there, read_regular};
use tintype_base::extension::is_model;
use tintype_base::path::{ShowPath, path_of_text};
use tintype_formats::Files;
use tintype_output::note::read_note;
use tintype_output::{Provenance, check_png};
use tintype_render::asset::FileError;
use tintype_render::asset::input::{Kind, kind};
use tintype_scene::{FrameList, FrameNumber, FramePattern};

/// The files of each frame that the scene does not have, by number: its picture and its views. They
/// are recognized by name alone; a missing folder has none.
///
/// # Errors
/// [`FileError`] if the folder cannot be listed.
pub fn leftovers(
    pattern: &FramePattern,
    frames: &FrameList,
) -> Result<BTreeMap<FrameNumber, Vec<PathBuf>>, FileError> {
    let folder = folder_of(pattern);
    let failed = |error: std::io::Error| FileError::new(&folder, &error);
    let mut found: BTreeMap<FrameNumber, Vec<PathBuf>> = BTreeMap::new();
    let mut names: Vec<String> = Vec::new();
    for entry in if_there(std::fs::read_dir(&folder)).map_err(failed)?.into_iter().flatten() {
        names.push(entry.map_err(failed)?.file_name().shown());
    }
    for name in &names {
        if let Some(frame) = pattern.frame_of(name).filter(|frame| !frames.contains(*frame)) {
            let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
            let extension = &name[stem.len()..];
            // `walk.0007.depth.png`, `walk.0007.npz`, `walk.0007.depth_mm.png` beside
            // `walk.0007.png`.
            let is_of_frame = |other: &&String| {
                let rest = other.strip_prefix(stem).filter(|rest| rest.starts_with('.'));
                *other == name
                    || rest.is_some_and(|rest| {
                        matches!(rest, ".npz" | ".exr")
                            || rest.ends_with("_mm.png")
                            || rest.strip_suffix(extension).is_some_and(|view| view.len() > 1)
                    })
            };
            let files =
                names.iter().filter(is_of_frame).map(|name| folder.join(path_of_text(name)));
            found.insert(frame, files.collect());
        }
    }
    Ok(found)
}

/// The pictures in a thumbnail folder that mirrors the folder `models` whose models no longer
/// exist, sorted, each with the name of its model. Hidden folders and pictures of other programs
/// are skipped; a missing folder has none.
///
/// # Errors
/// [`FileError`] if a folder cannot be listed, or such a picture cannot be read.
pub fn leftover_thumbnails(
    folder: &Path,
    models: &Path,
) -> Result<Vec<(String, PathBuf)>, FileError> {
    let (mut found, mut folders) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(below) = folders.pop() {
        let listed = folder.join(&below);
        let failed = |error: std::io::Error| FileError::new(&listed, &error);
        for entry in if_there(std::fs::read_dir(&listed)).map_err(failed)?.into_iter().flatten() {
            let entry = entry.map_err(failed)?;
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            let name = below.join(entry.file_name());
            // A link to a folder may lead back up.
            if entry.file_type().map_err(failed)?.is_dir() {
                folders.push(name);
                continue;
            }
            let is_picture = name.extension().is_some_and(|own| own == "png" || own == "webp");
            let model = name.with_extension("");
            // Names that are not Unicode are escaped.
            let own = path_of_text(&model.shown());
            let is_gone = || matches!(kind(&Files::Disk, &models.join(own)), Ok(Kind::Other));
            if !is_picture || !is_model(&model) || !is_gone() {
                continue;
            }
            let path = folder.join(&name);
            if is_ours(&path).map_err(|error| FileError::new(&path, &error))? {
                found.push((model.shown(), path));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// True if this program has written a picture, according to its text chunks.
fn is_ours(path: &Path) -> std::io::Result<bool> {
    let bytes = read_regular(path)?;
    let text = match check_png(&bytes) {
        Ok(head) => Some(head.text),
        Err(_) => read_note(&bytes).map(|note| note.text),
    };
    Ok(text.is_some_and(|text| Provenance::from_text(&text).is_ok()))
}

/// Removes the files that this program has written, according to their text; others stay. Returns
/// the number of removed files, and the remaining ones with the reasons, such as
/// `another program wrote it`.
#[must_use]
pub fn remove_leftovers(
    files: impl IntoIterator<Item = PathBuf>,
) -> (usize, Vec<(PathBuf, String)>) {
    let mut kept = Vec::new();
    let mut removed = 0;
    for path in files {
        let result = match is_ours(&path) {
            Ok(true) => std::fs::remove_file(&path)
                .map_err(|error| format!("it cannot be removed: {error}")),
            Ok(false) => Err("another program wrote it".to_owned()),
            Err(error) => Err(format!("it cannot be read: {error}")),
        };
        match result {
            Ok(()) => removed += 1,
            Err(reason) => kept.push((path, reason)),
        }
    }
    (removed, kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_model::frame::Frame;
    use tintype_output::{PngEffort, encode_png};

    #[test]
    fn leftovers_are_frames_that_the_scene_does_not_have() {
        let folder = tempfile::tempdir().unwrap();
        let ours = Provenance::of_this_build(0, "00").to_text();
        let png =
            |text: &[(String, String)]| encode_png(&Frame::new(2, 2), true, PngEffort::Fast, text);
        for name in ["w.01.png", "w.02.png", "w.03.png", "w.03.depth.png", "w.004.png", "v.09.png"]
        {
            std::fs::write(folder.path().join(name), png(&ours)).unwrap();
        }
        // A picture of another program under such a name.
        std::fs::write(folder.path().join("w.07.png"), png(&[])).unwrap();
        let pattern =
            FramePattern::parse(&format!("{}/w.##.png", folder.path().display())).unwrap();
        let found = leftovers(&pattern, &FrameList::parse("1-2").unwrap()).unwrap();
        let numbers: Vec<i64> = found.keys().map(|number| number.0).collect();
        assert_eq!(numbers, [3, 7]);
        assert_eq!(found[&FrameNumber(3)].len(), 2, "{found:?}");
        let (removed, kept) = remove_leftovers(found.into_values().flatten());
        let stays = (folder.path().join("w.07.png"), "another program wrote it".to_owned());
        assert_eq!((removed, kept), (2, vec![stays]));
        assert!(
            folder.path().join("w.01.png").exists() && folder.path().join("w.004.png").exists()
        );
    }

    #[test]
    fn thumbnails_are_left_over_where_their_models_are_gone() {
        let folder = tempfile::tempdir().unwrap();
        let (models, thumbs) = (folder.path().join("m"), folder.path().join("t"));
        let ours = Provenance::of_this_build(0, "00").to_text();
        let write = |name: &str, text: &[(String, String)]| {
            let path = thumbs.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, encode_png(&Frame::new(2, 2), true, PngEffort::Fast, text))
                .unwrap();
        };
        std::fs::create_dir_all(models.join("a")).unwrap();
        std::fs::write(models.join("a/there.glb"), "").unwrap();
        for name in [
            "a/there.glb.png",
            "a/gone.glb.png",
            "z.obj.png",
            "z.obj.webp",
            "logo.png",
            ".t/x.glb.png",
        ] {
            write(name, &ours);
        }
        write("a/other.glb.png", &[]);
        let found = leftover_thumbnails(&thumbs, &models).unwrap();
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a/gone.glb", "z.obj", "z.obj"]);
        let (removed, kept) = remove_leftovers(found.into_iter().map(|(_, path)| path));
        assert!(removed == 3 && kept.is_empty() && thumbs.join("a/there.glb.png").exists());
        assert!(leftover_thumbnails(&thumbs.join("none"), &models).unwrap().is_empty());
    }

    #[test]
    fn folders_that_cannot_be_listed_hold_no_leftovers_for_sure() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let pattern = FramePattern::parse(&format!("{}/w.##.png", file.display())).unwrap();
        let told = leftovers(&pattern, &FrameList::parse("1-2").unwrap()).unwrap_err().to_string();
        assert!(told.contains("file"), "{told}");
        assert!(leftover_thumbnails(&file, folder.path()).is_err());
        // An unreadable file stays, with the reason.
        let (removed, kept) = remove_leftovers([folder.path().join("none.png")]);
        assert_eq!((removed, kept.len()), (0, 1));
        assert!(kept[0].1.starts_with("it cannot be read: "), "{kept:?}");
    }
}
