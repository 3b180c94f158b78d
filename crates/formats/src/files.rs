//! Sources of the files named by a model or a scene: the disk, or memory.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tintype_base::path::without_detours;

/// Returns the bytes of a file that a model names by a relative path, with `/` between its parts.
/// None if the file does not exist.
pub type Resolver = dyn Fn(&str) -> Option<Vec<u8>> + Send + Sync;

/// Files in memory by path, and a function that provides all others.
///
/// Paths are relative, with `/` between their parts. Each path is requested once.
///
/// ```
/// # use tintype_formats::MemoryFiles;
/// let files = MemoryFiles::new().with("textures/skin.png", vec![1, 2, 3]);
/// assert_eq!(files.get("./textures/a/../skin.png".as_ref()).unwrap()[..], [1, 2, 3]);
/// assert!(files.get("skin.png".as_ref()).is_none());
/// ```
#[derive(Default)]
pub struct MemoryFiles {
    files: Mutex<BTreeMap<PathBuf, Option<Arc<[u8]>>>>,
    /// Files that the resolver has.
    listed: BTreeSet<PathBuf>,
    resolver: Option<Box<Resolver>>,
    /// True if the disk has the files that are missing here.
    is_over_disk: bool,
}

impl MemoryFiles {
    /// No files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file, replacing one with the same path.
    #[must_use]
    pub fn with(self, path: impl AsRef<Path>, bytes: impl Into<Arc<[u8]>>) -> Self {
        self.known().insert(plain(path.as_ref()), Some(bytes.into()));
        self
    }

    /// Adds a picture as a file: a texture made by a program.
    ///
    /// ```
    /// # use tintype_formats::MemoryFiles;
    /// let red = image::DynamicImage::from(image::RgbImage::from_pixel(4, 4, [255, 0, 0].into()));
    /// let files = MemoryFiles::new().with_picture("skin.png", &red);
    /// assert!(files.get("skin.png".as_ref()).unwrap().starts_with(b"\x89PNG"));
    /// ```
    #[must_use]
    pub fn with_picture(self, path: impl AsRef<Path>, picture: &image::DynamicImage) -> Self {
        let mut bytes = std::io::Cursor::new(Vec::new());
        // An 8-bit picture fits memory; a file without bytes is reported when it is read.
        let written = picture.to_rgba8().write_to(&mut bytes, image::ImageFormat::Png);
        self.with(path, written.map_or_else(|_| Vec::new(), |()| bytes.into_inner()))
    }

    /// Sets the function that provides other files.
    #[must_use]
    pub fn with_resolver(
        mut self,
        resolver: impl Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'static,
    ) -> Self {
        self.resolver = Some(Box::new(resolver));
        self
    }

    /// Lays them over the disk, which provides all other files: models made by a program, in a
    /// scene beside models from files.
    #[must_use]
    pub fn over_disk(mut self) -> Self {
        self.is_over_disk = true;
        self
    }

    /// True if they lie over the disk.
    #[must_use]
    pub fn is_over_disk(&self) -> bool {
        self.is_over_disk
    }

    /// Lists the paths of the function's files, so that folders can be searched; the bytes are
    /// requested when they are read.
    ///
    /// ```
    /// # use tintype_formats::MemoryFiles;
    /// let files = MemoryFiles::new().with_resolver(|_| Some(vec![1])).with_listed(["textures/skin.png"]);
    /// assert_eq!(files.names("textures".as_ref()), ["skin.png"]);
    /// ```
    #[must_use]
    pub fn with_listed<P: AsRef<Path>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.listed.extend(paths.into_iter().map(|path| plain(path.as_ref())));
        self
    }

    fn known(&self) -> std::sync::MutexGuard<'_, BTreeMap<PathBuf, Option<Arc<[u8]>>>> {
        // A panicking thread left complete entries.
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bytes of a file.
    #[must_use]
    pub fn get(&self, path: &Path) -> Option<Arc<[u8]>> {
        let path = plain(path);
        if let Some(known) = self.known().get(&path) {
            return known.clone();
        }
        let text = path.to_str()?.replace('\\', "/");
        let found: Option<Arc<[u8]>> = self.resolver.as_ref()?(&text).map(Arc::from);
        self.known().entry(path).or_insert(found).clone()
    }

    /// Paths of all known files, sorted; each once.
    fn paths(&self) -> BTreeSet<PathBuf> {
        let known = self.known();
        let own = known.iter().filter(|(_, bytes)| bytes.is_some()).map(|(path, _)| path);
        own.chain(&self.listed).cloned().collect()
    }

    /// True if a path is a folder, which means that a file lies below it.
    #[must_use]
    pub fn is_folder(&self, folder: &Path) -> bool {
        let folder = plain(folder);
        self.paths().iter().any(|path| *path != folder && path.starts_with(&folder))
    }

    /// Sorted names of the files and folders in a folder; the resolver is not called.
    #[must_use]
    pub fn names(&self, folder: &Path) -> Vec<String> {
        let folder = plain(folder);
        let first = |path: &PathBuf| {
            let first = path.strip_prefix(&folder).ok()?.components().next()?;
            Some(first.as_os_str().to_str()?.to_owned())
        };
        let mut names: Vec<String> = self.paths().iter().filter_map(first).collect();
        names.dedup();
        names
    }
}

impl fmt::Debug for MemoryFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.known();
        let names: Vec<&PathBuf> = known.keys().collect();
        f.debug_struct("MemoryFiles").field("names", &names).finish_non_exhaustive()
    }
}

/// Removes `.`, and `..` after a folder, from the path.
fn plain(path: &Path) -> PathBuf {
    without_detours(path.strip_prefix(".").unwrap_or(path))
}

/// A source of files.
#[derive(Clone, Debug, Default)]
pub enum Files {
    /// The disk.
    #[default]
    Disk,
    /// Memory.
    Memory(Arc<MemoryFiles>),
}

/// Two sources are equal if they are one.
impl PartialEq for Files {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Disk, Self::Disk) => true,
            (Self::Memory(own), Self::Memory(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }
}

impl Eq for Files {}

impl From<MemoryFiles> for Files {
    fn from(files: MemoryFiles) -> Self {
        Self::Memory(Arc::new(files))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn files_of_memory_are_listed_by_folder_and_resolved_once() {
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let files = MemoryFiles::new().with("a/b.png", *b"1").with("a/c/d.png", *b"2");
        let files = files.with_resolver(move |name| {
            count.fetch_add(1, Ordering::Relaxed);
            (name == "a/e.png").then(|| vec![3])
        });
        assert_eq!(files.names(Path::new("a")), ["b.png", "c"]);
        assert_eq!(files.names(Path::new("")), ["a"]);
        assert!(files.is_folder(Path::new("a/c")) && !files.is_folder(Path::new("a/b.png")));
        for _ in 0..2 {
            assert_eq!(files.get(Path::new("a/x/../e.png")).unwrap()[..], [3]);
            assert!(files.get(Path::new("a/f.png")).is_none());
        }
        assert_eq!(asked.load(Ordering::Relaxed), 2);
        assert!(files.names(Path::new("a")).contains(&"e.png".to_owned()));
    }
}
