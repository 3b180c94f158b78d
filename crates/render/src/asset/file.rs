//! Files named by a scene: from a name to bytes and their digest, or to the reason of a failure.

use super::error::AssetError;
use super::folder::{Folders, direct};
use super::input::{is_absent, is_folder, length_of, open_input};
use std::io::Read;
use std::path::{Path, PathBuf};
use tintype_base::diagnostic::{Diagnostic, Kind, Place};
use tintype_base::git::{LFS_POINTER, is_lfs_pointer};
use tintype_base::path::path_of_text;
use tintype_base::suggest::nearest_file_name;
use tintype_formats::{Files, LoadOptions};

/// A read file, for the digest of the inputs of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRecord {
    /// The name as written in the scene or the model, so that it does not depend on the folder of
    /// the scene.
    pub name: String,
    /// Path where it was found.
    pub path: PathBuf,
    /// The BLAKE3 digest of its bytes.
    pub digest: blake3::Hash,
    /// Its length in bytes.
    pub length: u64,
    /// Indices of the textures made from it.
    pub textures: Vec<usize>,
    /// True for a picture embedded in a model file: the path is that of the model followed by the
    /// picture's name.
    pub is_embedded: bool,
}

impl FileRecord {
    /// The record of a file with these bytes.
    fn new(source: &Source, bytes: &[u8]) -> Self {
        Self {
            name: source.name.clone(),
            path: source.path.clone(),
            digest: blake3::hash(bytes),
            length: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
            textures: Vec::new(),
            is_embedded: false,
        }
    }

    /// The record of a picture within the file of a model.
    pub(super) fn embedded(source: &Source, bytes: &[u8]) -> Self {
        Self { is_embedded: true, ..Self::new(source, bytes) }
    }
}

/// Bytes between two checks of the deadline.
const AT_ONCE: u64 = 4 << 20;

/// A file that the scene names.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// The name as written.
    pub(super) name: String,
    /// The path on the disk.
    pub(super) path: PathBuf,
    /// The key of the scene that names it.
    pub(super) key: String,
}

impl Source {
    /// A file relative to the scene; `\` separates folders as `/` does.
    pub(super) fn new(scene_folder: &Path, name: &str, key: String) -> Self {
        let path = direct(scene_folder.join(path_of_text(&name.replace('\\', "/"))));
        Self { name: name.to_owned(), path, key }
    }

    /// A warning about the file as a whole.
    pub(super) fn warning(&self, kind: Kind, message: impl Into<String>) -> Diagnostic {
        Diagnostic::warning(kind, Place::file(&self.path, 0), message)
    }

    /// The same file, named by another key of its table in the scene, such as `clips[1].of`.
    pub(super) fn beside_file(&self, key: &str) -> Self {
        let start = self.key.strip_suffix("file").unwrap_or_default();
        Self { key: format!("{start}{key}"), ..self.clone() }
    }

    /// Its bytes, and the data stored for the digest.
    ///
    /// # Errors
    /// [`AssetError::Missing`], [`AssetError::Read`], [`AssetError::TooLarge`],
    /// [`AssetError::TimedOut`].
    pub(super) fn read(&self, options: &LoadOptions) -> Result<(Vec<u8>, FileRecord), AssetError> {
        let Self { path, key, .. } = self;
        let deadline = &options.deadline;
        let most_bytes = u64::try_from(options.limits.max_bytes).unwrap_or(u64::MAX);
        let look = || {
            let late =
                |source| AssetError::TimedOut { path: path.clone(), key: key.clone(), source };
            deadline.check("reading bytes").map_err(late)
        };
        let failed = |source| AssetError::Read { path: path.clone(), key: key.clone(), source };
        let too_large = |found| {
            let (path, key) = (path.clone(), key.clone());
            AssetError::TooLarge { path, key, found, allowed: most_bytes }
        };
        let absent =
            |error| if is_absent(&error) { self.missing(&options.files) } else { failed(error) };
        let (file, length) = match open_input(&options.files, path, most_bytes) {
            // Contents of an archive are refused before memory is allocated for them.
            Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
                return Err(too_large(length_of(&options.files, path).unwrap_or(u64::MAX)));
            }
            opened => opened.map_err(absent)?,
        };
        if length > most_bytes {
            return Err(too_large(length));
        }
        // A file may grow: no more is read than allowed.
        let mut bytes = Vec::new();
        let mut file = file.take(most_bytes.saturating_add(1));
        if deadline.has_end() {
            while file.by_ref().take(AT_ONCE).read_to_end(&mut bytes).map_err(failed)? > 0 {
                look()?;
            }
        } else {
            file.read_to_end(&mut bytes).map_err(failed)?;
        }
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if length > most_bytes {
            return Err(too_large(length));
        }
        if is_lfs_pointer(&bytes) {
            let kind = std::io::ErrorKind::InvalidData;
            return Err(failed(std::io::Error::new(kind, format!("it is {LFS_POINTER}"))));
        }
        let record = FileRecord::new(self, &bytes);
        Ok((bytes, record))
    }

    /// The error that states which part of the path is missing, and what exists instead.
    pub(super) fn missing(&self, files: &Files) -> AssetError {
        let mut wanted = self.path.as_path();
        let mut what = "file";
        while let Some(folder) = wanted.parent()
            && !folder.as_os_str().is_empty()
            && !is_folder(files, folder)
        {
            (wanted, what) = (folder, "folder");
        }
        let name = wanted.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let folder = wanted.parent().unwrap_or(Path::new(""));
        // The folder's content is only a hint; if it cannot be listed, there is none.
        let names = Folders::new(files).names(folder).unwrap_or_default();
        // A name of another format is not a variant spelling of a material file.
        let is_alike = |other: &&str| {
            !name.to_ascii_lowercase().ends_with(".mtl")
                || other.to_ascii_lowercase().ends_with(".mtl")
        };
        let nearest = nearest_file_name(name, names.iter().map(String::as_str).filter(is_alike));
        AssetError::Missing { path: wanted.to_path_buf(), what, key: self.key.clone(), nearest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_up_and_down_again_are_left_out_where_they_lead_to_the_same_file() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        std::fs::write(root.join("c.x"), "").unwrap();
        assert_eq!(direct(root.join("a/b/../../c.x")), root.join("c.x"));
        assert_eq!(direct(PathBuf::from("../nowhere/../d.x")), Path::new("../nowhere/../d.x"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(root.join("a/b"), root.join("link")).unwrap();
            std::fs::write(root.join("a/c.x"), "").unwrap();
            assert_eq!(direct(root.join("link/../c.x")), root.join("link/../c.x"));
        }
    }
}
