//! Listings of folders, for names whose case differs from that on the disk.
//!
//! Each folder is read once and kept sorted, so that the answer does not depend on the order in which a disk lists its files,
//! nor on whether it tells cases apart. Names of a game's folder are those of its archives, too: behind its own, the last archive first.

use super::archive;
use super::input::{Kind, is_absent, is_folder, kind, names_in};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use tintype_formats::{Files, decode_text};

/// One file or folder in a folder.
#[derive(Clone, Debug)]
struct Entry {
    /// Decoded as names in files are.
    name: String,
    lower: String,
    path: PathBuf,
}

/// Contents of a folder.
#[derive(Debug, Default)]
struct Listing {
    /// Sorted by name.
    own: Vec<Entry>,
    /// In the archives of a game in it, in the order of their search.
    archived: Vec<Entry>,
}

/// The folders listed so far.
#[derive(Debug, Default)]
pub(super) struct Folders {
    listings: BTreeMap<PathBuf, Listing>,
    files: Files,
}

impl Folders {
    /// Folders of the disk or of memory.
    pub(super) fn new(files: &Files) -> Self {
        Self { listings: BTreeMap::new(), files: files.clone() }
    }

    /// Whether there is a file of that path.
    pub(super) fn is_file(&self, path: &Path) -> io::Result<bool> {
        Ok(kind(&self.files, path)? == Kind::File)
    }

    /// Whether there is a folder of that path.
    pub(super) fn has(&self, folder: &Path) -> bool {
        is_folder(&self.files, folder)
    }

    /// Contents of a folder; empty if there is no such folder.
    fn listing(&mut self, folder: &Path) -> io::Result<&Listing> {
        if !self.listings.contains_key(folder) {
            let own = read_names(&self.files, folder)?;
            let mut archived = Vec::new();
            if self.files == Files::Disk {
                let names = own.iter().filter_map(|entry| entry.path.file_name());
                for archive in archive::of_folder(folder, names.map(PathBuf::from)) {
                    archived.extend(read_names(&self.files, &archive)?);
                }
            }
            self.listings.insert(folder.to_path_buf(), Listing { own, archived });
        }
        Ok(self.listings.entry(folder.to_path_buf()).or_default())
    }

    /// The names in a folder without those of its archives, sorted.
    pub(super) fn names(&mut self, folder: &Path) -> io::Result<Vec<String>> {
        Ok(self.listing(folder)?.own.iter().map(|entry| entry.name.clone()).collect())
    }

    /// The paths in a folder that a name may mean: the same letters first, then other cases of them in sorted order.
    fn matches(&mut self, folder: &Path, name: &str) -> io::Result<Vec<PathBuf>> {
        let lower = name.to_lowercase();
        let Listing { own, archived } = self.listing(folder)?;
        let mut found: Vec<&Entry> = own.iter().filter(|entry| entry.lower == lower).collect();
        found.sort_by_key(|entry| entry.name != name);
        // Archives tell no cases apart.
        found.extend(archived.iter().filter(|entry| entry.lower == lower));
        let mut paths: Vec<PathBuf> = found.iter().map(|entry| entry.path.clone()).collect();
        // A file in memory may not be known before it is asked for.
        if paths.is_empty() && matches!(self.files, Files::Memory(_)) {
            paths.push(folder.join(name));
        }
        Ok(paths)
    }

    /// The folder of that name in a folder, in any case of letters.
    pub(super) fn subfolder(&mut self, folder: &Path, name: &str) -> io::Result<Option<PathBuf>> {
        Ok(self.subfolders(folder, name)?.into_iter().next())
    }

    /// The folders of that name in a folder and in the archives of a game in it, each with those behind it in the order of search.
    pub(super) fn subfolders(&mut self, folder: &Path, name: &str) -> io::Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        for path in self.matches(folder, name)? {
            let is_folder = match self.files {
                // Its folders are those of the files that are known; none is asked for.
                Files::Memory(_) => self.has(&path),
                Files::Disk => kind(&self.files, &path)? == Kind::Folder,
            };
            if is_folder {
                found.push(path);
            }
        }
        // Of several spellings on the disk, the first.
        let of_disk = found.iter().take_while(|path| path.parent() == Some(folder)).count();
        found.drain(1.min(of_disk)..of_disk);
        Ok(found)
    }

    /// The folders below a folder and beside it that have one of these names, in any case of letters, as paths from the folder: those below
    /// first.
    pub(super) fn neighbours(
        &mut self,
        folder: &Path,
        names: &[&str],
    ) -> io::Result<Vec<PathBuf>> {
        let mut found: Vec<PathBuf> = Vec::new();
        for up in ["", ".."] {
            let place = folder.join(up);
            for name in names {
                let below = self.subfolders(&place, name)?.into_iter();
                let below = below.filter_map(|path| Some(path.strip_prefix(folder).ok()?.to_path_buf()));
                found.extend(below);
            }
        }
        Ok(found)
    }

    /// The file below a folder that a relative path means, in any case of letters.
    pub(super) fn file(&mut self, folder: &Path, way: &[&str]) -> io::Result<Option<PathBuf>> {
        let Some((name, rest)) = way.split_first() else { return Ok(None) };
        for path in self.matches(folder, name)? {
            let found = match rest {
                [] => (kind(&self.files, &path)? == Kind::File).then_some(path),
                _ => self.file(&path, rest)?,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}

/// Names of folders in which the clips of models lie.
const CLIP_FOLDERS: [&str; 10] = [
    "animations", "animation", "anims", "anim", "clips", "clip", "md5anim", "md5anims", "motions",
    "motion",
];

/// The folders in which clips of the models of a folder may lie, as paths from there: the folder itself, those of known names in it and
/// beside it, and in these those of `names`, of models, each with its name.
///
/// # Errors
/// The error of the system if a folder is there and cannot be listed.
pub fn clip_folders(
    folder: &Path,
    names: &[String],
    files: &Files,
) -> io::Result<Vec<(PathBuf, Option<String>)>> {
    let mut folders = Folders::new(files);
    let mut found = vec![(PathBuf::new(), None)];
    for place in folders.neighbours(folder, &CLIP_FOLDERS)? {
        found.push((place.clone(), None));
        for name in names {
            let own = folders.subfolder(&folder.join(&place), name)?;
            let own = own.and_then(|own| Some(own.strip_prefix(folder).ok()?.to_path_buf()));
            found.extend(own.map(|own| (own, Some(name.clone()))));
        }
    }
    Ok(found)
}

/// The names in a folder, sorted; none if it is not there.
fn read_names(files: &Files, folder: &Path) -> io::Result<Vec<Entry>> {
    let names = match names_in(files, folder) {
        Err(error) if is_absent(&error) => Vec::new(),
        names => names?,
    };
    let entry = |own: OsString| {
        let name = decode_text(own.as_encoded_bytes());
        Entry { lower: name.to_lowercase(), name, path: folder.join(own) }
    };
    let mut entries: Vec<Entry> = names.into_iter().map(entry).collect();
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, b"").unwrap();
        }
        folder
    }

    fn found(root: &Path, way: &[&str]) -> Option<String> {
        let path = Folders::default().file(root, way).unwrap()?;
        Some(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned())
    }

    #[test]
    fn folder_prefers_the_same_letters_then_the_first_by_name() {
        let tree = tree(&["Skin.PNG", "skin.png", "Bone.png", "bOne.png"]);
        assert_eq!(found(tree.path(), &["skin.png"]).as_deref(), Some("skin.png"));
        assert_eq!(found(tree.path(), &["Skin.PNG"]).as_deref(), Some("Skin.PNG"));
        assert_eq!(found(tree.path(), &["bone.png"]).as_deref(), Some("Bone.png"));
        assert_eq!(found(tree.path(), &["hair.png"]), None);
    }

    #[test]
    fn folder_follows_a_way_through_folders_of_any_case() {
        let tree = tree(&["Models/IMP/skin.png", "models/imp/bone.png", "models/skin.png/x"]);
        let path = found(tree.path(), &["models", "imp", "skin.png"]);
        assert_eq!(path.as_deref(), Some("Models/IMP/skin.png"));
        assert_eq!(found(tree.path(), &["models", "skin.png"]), None, "a folder is no file");
        assert_eq!(found(tree.path(), &["nowhere", "skin.png"]), None);
        assert_eq!(found(tree.path(), &[]), None);
    }
}
