//! The folder of a report: page, pictures, and files of an earlier report.
//!
//! The folder may contain other files. Files of a report are listed in [`MANIFEST`]; only files of
//! an earlier report that the new one does not have are removed.

use super::carried::{Scripts, bytes_of, engine};
use super::error::ReportError;
use super::golden_report::GoldenReport;
use super::source::PictureSource;
use crate::report::Report;
use crate::report::gallery::Gallery;
use crate::report::{Pictures, encode_gallery_pages, encode_page, encode_pixels, page, page_name};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use tintype_base::disk::{if_there, read_regular, read_regular_text};
use tintype_compare::{difference_picture, heat_picture};
use tintype_host::{write_atomic, write_unsynced};
use tintype_model::frame::Frame;
use tintype_output::{PngEffort, encode_png};
use tintype_render::asset::FileError;

/// File with the list of files of a report.
const MANIFEST: &str = ".tintype-report";

/// The page.
pub const INDEX: &str = "index.html";

/// Checks that `index.html` in a folder is a page of this program, or absent.
///
/// # Errors
/// [`ReportError::ForeignPage`], or an error of reading it.
pub fn refuse_foreign_page(folder: &Path) -> Result<(), ReportError> {
    let index = folder.join(INDEX);
    match read_regular(&index) {
        Ok(bytes) if !String::from_utf8_lossy(&bytes).contains(page::MARK) => {
            Err(ReportError::ForeignPage { path: index })
        }
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(FileError::new(&index, &error).into())
        }
        _ => Ok(()),
    }
}

/// Writes page, pictures and scripts, and removes files of an earlier report that this one does not
/// have.
///
/// # Errors
/// [`ReportError`] if a file cannot be read or written.
pub fn write_report(
    folder: &Path,
    report: &Report,
    sources: &[PictureSource],
    scripts: &[&Scripts],
) -> Result<(), ReportError> {
    let scripts = || scripts.iter().copied().flatten();
    let names = scripts().map(|(name, _)| name.clone());
    write_page(folder, report, sources.iter().map(|source| &source.pictures), names, || {
        sources.par_iter().try_for_each(|source| write_pictures(folder, source))?;
        scripts().try_for_each(|(name, text)| write_picture(&folder.join(name), text.as_bytes()))
    })
}

/// Writes the page of joined shards: the pictures of each scene are copied from the folder of the
/// report of its shard.
///
/// # Errors
/// [`ReportError`] if a file cannot be read or written.
pub fn write_joined(
    folder: &Path,
    report: &Report,
    folders: &[(String, PathBuf)],
) -> Result<(), ReportError> {
    let of_scene = |name: &str| folders.iter().find(|(own, _)| own == name).map(|(_, from)| from);
    let entries = || report.scenes.iter().flat_map(|scene| &scene.frames);
    let pictures = entries().map(|entry| &entry.pictures);
    write_page(folder, report, pictures, std::iter::empty(), || {
        report.scenes.par_iter().try_for_each(|scene| {
            let Some(from) = of_scene(&scene.name) else { return Ok(()) };
            for name in scene.frames.iter().flat_map(|entry| names(&entry.pictures)) {
                if !is_ours(&name) {
                    continue;
                }
                let path = from.join(&name);
                let bytes = read_regular(&path).map_err(|error| FileError::new(&path, &error))?;
                write_picture(&folder.join(&name), &bytes)?;
            }
            Ok(())
        })
    })
}

/// The files of the pictures of an entry.
fn names(pictures: &Pictures) -> impl Iterator<Item = String> + use<> {
    let Pictures { golden, new, diff, heat, camera, pixels } = pictures.clone();
    [golden, new, diff, heat, camera, pixels].into_iter().flatten()
}

/// Writes the page and the files of `write`, and removes files of an earlier report that are not in
/// this one.
fn write_page<'a>(
    folder: &Path,
    report: &Report,
    pictures: impl Iterator<Item = &'a Pictures>,
    further: impl Iterator<Item = String>,
    write: impl FnOnce() -> Result<(), ReportError>,
) -> Result<(), ReportError> {
    let new: BTreeSet<String> = pictures.flat_map(names).chain(further).collect();
    // First writes all names that may be ours, so that none of our files stays permanently if this
    // is interrupted.
    write_list(folder, &listed(folder)?.union(&new).cloned().collect())?;
    write()?;
    write_file(&folder.join(INDEX), encode_page(report).as_bytes())?;
    remove_others(folder, &new)
}

/// The files listed by the manifest of a folder. None if it has no manifest.
///
/// # Errors
/// [`ReportError::File`] if it cannot be read: the files of the earlier report would stay
/// permanently.
pub(super) fn listed(folder: &Path) -> Result<BTreeSet<String>, ReportError> {
    let path = folder.join(MANIFEST);
    let text = if_there(read_regular_text(&path)).map_err(|error| FileError::new(&path, &error))?;
    let names = text.iter().flat_map(|text| text.lines());
    Ok(names.filter(|name| is_ours(name)).map(str::to_owned).collect())
}

/// Writes the list of a folder.
pub(super) fn write_list(folder: &Path, names: &BTreeSet<String>) -> Result<(), ReportError> {
    let text: String = names.iter().map(|name| format!("{name}\n")).collect();
    write_file(&folder.join(MANIFEST), text.as_bytes())
}

/// Removes the files listed in a folder except `new`, and lists only these afterwards; an empty
/// list is removed.
pub(super) fn remove_others(folder: &Path, new: &BTreeSet<String>) -> Result<(), ReportError> {
    let old = listed(folder)?;
    old.difference(new).try_for_each(|name| remove(folder, name))?;
    if new.is_empty() && old.is_empty() { Ok(()) } else { write_list(folder, new) }
}

impl GoldenReport<'_> {
    /// The script with the package, if anything turns.
    fn engine(&self) -> Result<Scripts, ReportError> {
        match &self.package {
            Some(package) if !self.scripts.is_empty() => engine(package),
            _ => Ok(Scripts::new()),
        }
    }

    /// Number of goldens that turn in the page, and the bytes of their scripts.
    #[must_use]
    pub fn turning(&self) -> (usize, u64) {
        let entries = self.report.scenes.iter().flat_map(|scene| &scene.frames);
        let turns =
            entries.filter(|entry| entry.turn.as_ref().is_some_and(|turn| turn.script.is_some()));
        (turns.count(), bytes_of(&self.scripts))
    }

    /// Writes page and pictures, and removes files of an earlier report that this one does not
    /// have.
    ///
    /// # Errors
    /// [`ReportError`] if a file cannot be read or written.
    pub fn write(&self, folder: &Path) -> Result<(), ReportError> {
        let engine = self.engine()?;
        write_report(folder, &self.report, &self.sources, &[&self.scripts, &engine])
    }
}

impl Gallery {
    /// Writes its pages to the folder of the pictures, and removes those of an earlier, longer
    /// report.
    ///
    /// # Errors
    /// [`ReportError`] if a file cannot be written or removed.
    pub fn write_pages(&self, folder: &Path) -> Result<(), ReportError> {
        let pages = encode_gallery_pages(self);
        for (name, text) in &pages {
            write_atomic(&folder.join(name), text.as_bytes())?;
        }
        let later = (pages.len()..).map(|place| folder.join(page_name(place)));
        for stale in later.take_while(|path| path.is_file()) {
            std::fs::remove_file(&stale).map_err(|error| FileError::new(&stale, &error))?;
        }
        Ok(())
    }
}

/// True if a line of the list names a file that this module could have written.
fn is_ours(name: &str) -> bool {
    let path = Path::new(name);
    path.starts_with("pictures")
        && path.components().all(|part| matches!(part, Component::Normal(_)))
}

/// True if the name is that of a file written by the report in this folder, beside its page.
#[must_use]
pub fn is_of_report(folder: &Path, name: &str) -> bool {
    let list = read_regular_text(&folder.join(MANIFEST)).unwrap_or_default();
    is_ours(name) && list.lines().any(|own| own == name)
}

/// Removes a file and the folders that become empty.
fn remove(folder: &Path, name: &str) -> Result<(), ReportError> {
    let path = folder.join(name);
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(ReportError::Remove { path, message: error.to_string() });
        }
        _ => {}
    }
    let mut parents =
        Path::new(name).ancestors().skip(1).filter(|parent| !parent.as_os_str().is_empty());
    // A folder that contains anything else stays.
    let _ = parents.try_for_each(|parent| std::fs::remove_dir(folder.join(parent)));
    Ok(())
}

fn write_pictures(folder: &Path, source: &PictureSource) -> Result<(), ReportError> {
    let PictureSource { pictures, golden: old, golden_file, new: live, camera, flip } = source;
    let write = |name: &Option<String>, bytes: Option<&[u8]>| match (name, bytes) {
        (Some(name), Some(bytes)) => write_picture(&folder.join(name), bytes),
        _ => Ok(()),
    };
    let encode = |frame: &Frame| encode_png(frame, true, PngEffort::Fast, &[]);
    // A golden that was read is shown as its file is; it is not encoded again.
    let golden = match (old, golden_file) {
        (_, Some(path)) if pictures.golden.is_some() => {
            Some(read_regular(path).map_err(|error| FileError::new(path, &error))?)
        }
        (Some(frame), _) => Some(encode(frame)),
        _ => None,
    };
    let new = live.map(encode);
    write(&pictures.golden, golden.as_deref())?;
    write(&pictures.new, new.as_deref())?;
    if let (Some(golden), Some(live), Some(_)) = (old, live, &pictures.diff) {
        write(&pictures.diff, Some(&encode(&difference_picture(golden, live))))?;
        if let Some((flip, heat)) = flip {
            write(&pictures.heat, Some(&encode(&heat_picture(golden, live, flip, *heat))))?;
        }
    }
    let camera = camera.map(encode);
    write(&pictures.camera, camera.as_deref())?;
    match &pictures.pixels {
        Some(name) => {
            let script = encode_pixels(name, golden.as_deref(), new.as_deref());
            write_picture(&folder.join(name), script.as_bytes())
        }
        None => Ok(()),
    }
}

/// Writes a picture without waiting for the disk: a report has thousands, and is made again after a
/// power failure.
pub(super) fn write_picture(path: &Path, bytes: &[u8]) -> Result<(), ReportError> {
    Ok(write_unsynced(path, bytes)?)
}

pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), ReportError> {
    Ok(write_atomic(path, bytes)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_cannot_be_read_are_no_empty_ones() {
        let folder = tempfile::tempdir().unwrap();
        assert!(listed(folder.path()).unwrap().is_empty());
        let names = BTreeSet::from(["pictures/a.png".to_owned()]);
        write_list(folder.path(), &names).unwrap();
        assert_eq!(listed(folder.path()).unwrap(), names);
        std::fs::write(folder.path().join(MANIFEST), b"\xff").unwrap();
        let told = listed(folder.path()).unwrap_err().to_string();
        assert!(told.contains(MANIFEST), "{told}");
    }

    #[test]
    fn list_of_files_leads_nowhere_else() {
        assert!(is_ours("pictures/walk/0001.new.png"));
        for name in
            ["pictures/../../x", "/pictures/x", "../pictures/x", "index.html", "notes.txt", ""]
        {
            assert!(!is_ours(name), "{name}");
        }
    }
}
