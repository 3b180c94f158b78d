//! Listings of folders, for names whose case differs from that on the disk.
//!
//! Each folder is read once and kept sorted, so that the answer does not depend on the order in which a disk lists its files,
//! nor on whether it tells cases apart.

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
    /// As the disk has it.
    own: OsString,
}

/// The folders listed so far.
#[derive(Debug, Default)]
pub(super) struct Folders {
    listings: BTreeMap<PathBuf, Vec<Entry>>,
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

    /// The names in a folder, sorted; none if there is no such folder.
    fn listing(&mut self, folder: &Path) -> io::Result<&[Entry]> {
        if !self.listings.contains_key(folder) {
            let entries = read_names(&self.files, folder)?;
            self.listings.insert(folder.to_path_buf(), entries);
        }
        Ok(self.listings.get(folder).map_or(&[], Vec::as_slice))
    }

    /// The names in a folder, sorted.
    pub(super) fn names(&mut self, folder: &Path) -> io::Result<Vec<String>> {
        Ok(self.listing(folder)?.iter().map(|entry| entry.name.clone()).collect())
    }

    /// The paths in a folder that a name may mean: the same letters first, then other cases of them in sorted order.
    fn matches(&mut self, folder: &Path, name: &str) -> io::Result<Vec<PathBuf>> {
        let lower = name.to_lowercase();
        let mut found: Vec<&Entry> =
            self.listing(folder)?.iter().filter(|entry| entry.lower == lower).collect();
        found.sort_by_key(|entry| entry.name != name);
        let mut paths: Vec<PathBuf> = found.iter().map(|entry| folder.join(&entry.own)).collect();
        // A file in memory may not be known before it is asked for.
        if paths.is_empty() && matches!(self.files, Files::Memory(_)) {
            paths.push(folder.join(name));
        }
        Ok(paths)
    }

    /// The folder of that name in a folder, in any case of letters.
    pub(super) fn subfolder(&mut self, folder: &Path, name: &str) -> io::Result<Option<PathBuf>> {
        for path in self.matches(folder, name)? {
            if kind(&self.files, &path)? == Kind::Folder {
                return Ok(Some(path));
            }
        }
        Ok(None)
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

/// The names in a folder, sorted; none if it is not there.
fn read_names(files: &Files, folder: &Path) -> io::Result<Vec<Entry>> {
    let names = match names_in(files, folder) {
        Err(error) if is_absent(&error) => Vec::new(),
        names => names?,
    };
    let entry = |own: OsString| {
        let name = decode_text(own.as_encoded_bytes());
        Entry { lower: name.to_lowercase(), name, own }
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
