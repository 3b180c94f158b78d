//! Listings of folders, for names that differ in case from those on the disk.
//!
//! Each folder is read once and kept sorted, so that the result depends neither on the listing
//! order of the disk nor on its case sensitivity. A game's folder also contains the names in its
//! archives, after the folder's files, the last archive first.

use super::archive;
use super::input::{Kind, is_absent, is_folder, kind, length_of, names_in, read_head, read_input};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use tintype_base::disk::is_temporary;
use tintype_base::extension::has_extension;
use tintype_base::git::{LFS_POINTER, is_lfs_pointer};
use tintype_base::path::{ShowPath, without_detours};
use tintype_formats::image::{ImageError, decode, decoded_bytes, sniff};
use tintype_formats::{Files, LoadOptions, decode_text};
use tintype_model::Image;

/// Aspect ratio from which a picture is a strip of several.
const STRIP: u32 = 4;

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
    options: LoadOptions,
    /// Pictures that were left out for others of their names: each with its fault, and the other.
    passed: Vec<(PathBuf, String, PathBuf)>,
}

impl Folders {
    /// Folders of the disk or of memory.
    pub(super) fn new(files: &Files) -> Self {
        Self { files: files.clone(), ..Self::default() }
    }

    /// Folders for picture search, readable within these limits.
    pub(super) fn of(options: &LoadOptions) -> Self {
        Self { options: options.clone(), ..Self::new(&options.files) }
    }

    /// The pictures left out since the last call, each with its fault and its replacement.
    pub(super) fn take_passed(&mut self) -> Vec<(PathBuf, String, PathBuf)> {
        std::mem::take(&mut self.passed)
    }

    /// Among files with one of some names, or the extensions of one stem, at the end of a path
    /// below a folder: the first that is a picture, or the first if none is; and whether it is one,
    /// as far as checked. For a single file, only its start is checked.
    pub(super) fn picture(
        &mut self,
        folder: &Path,
        way: &[&str],
        names: &[String],
    ) -> io::Result<Option<(PathBuf, bool)>> {
        let mut found: Vec<PathBuf> = Vec::new();
        for name in names {
            let way: Vec<&str> = way.iter().copied().chain([name.as_str()]).collect();
            let Some(path) = self.file(folder, &way)? else { continue };
            // In memory no further file is requested.
            let ends = matches!(self.files, Files::Memory(_)) && self.decoded(&path).is_ok();
            found.push(path);
            if ends {
                break;
            }
        }
        let Some(first) = found.first().cloned() else { return Ok(None) };
        if found.len() == 1 {
            let is_picture = self.looks_sound(&first);
            return Ok(Some((first, is_picture)));
        }
        let mut faults = Vec::new();
        for path in found {
            match self.decoded(&path) {
                Ok(_) => {
                    let noted = faults.into_iter().map(|(bad, why)| (bad, why, path.clone()));
                    self.passed.extend(noted);
                    return Ok(Some((path, true)));
                }
                Err(why) => faults.push((path, why)),
            }
        }
        Ok(Some((first, false)))
    }

    /// Notes that a file is left out, as another of its name is a picture.
    pub(super) fn pass_over(&mut self, bad: Option<&Path>, taken: &Path) {
        if let Some((bad, fault)) = bad.and_then(|bad| Some((bad, self.decoded(bad).err()?))) {
            self.passed.push((bad.to_path_buf(), fault, taken.to_path_buf()));
        }
    }

    /// True if a file begins like a picture; any non-empty file in an archive is accepted.
    fn looks_sound(&self, path: &Path) -> bool {
        /// A pointer of Git LFS is shorter.
        const START: usize = 1024;
        if archive::archive_of(path).is_some() {
            return length_of(&self.files, path).is_ok_and(|length| length > 0);
        }
        // A read error is reported where the file is read.
        let Ok(start) = read_head(&self.files, path, START) else { return true };
        !is_lfs_pointer(&start) && sniff(&start, &path.to_string_lossy()).is_ok()
    }

    /// A picture, or the reason why a file is not one; in memory only its header is checked.
    fn decoded(&self, path: &Path) -> Result<Option<Image>, String> {
        let most = u64::try_from(self.options.limits.max_bytes).unwrap_or(u64::MAX);
        let name = path.to_string_lossy();
        let bytes = read_input(&self.files, path, most).map_err(|error| error.to_string())?;
        if is_lfs_pointer(&bytes) {
            return Err(format!("it is {LFS_POINTER}"));
        }
        let read = match self.files {
            Files::Memory(_) => decoded_bytes(&bytes, &name, &self.options.limits).map(|_| None),
            Files::Disk => decode(&bytes, &name, &self.options).map(Some),
        };
        match read {
            Err(ImageError::TimedOut(_)) => Ok(None),
            read => read.map_err(|error| error.to_string()),
        }
    }

    /// True if a picture was rendered by this program, according to the text chunks before its
    /// pixels.
    pub(super) fn is_drawn(&self, path: &Path) -> bool {
        const START: usize = 1024;
        const MARK: &[u8] = b"tintype:";
        let start = read_head(&self.files, path, START);
        start.is_ok_and(|start| start.windows(MARK.len()).any(|bytes| bytes == MARK))
    }

    /// True if a picture is a strip of several, as for sprites.
    pub(super) fn is_strip(&self, path: &Path) -> bool {
        let image = self.decoded(path).ok().flatten();
        image.is_some_and(|Image { width, height, .. }| {
            width.max(height) >= width.min(height).saturating_mul(STRIP)
        })
    }

    /// True if a file exists at the path.
    pub(super) fn is_file(&self, path: &Path) -> io::Result<bool> {
        Ok(kind(&self.files, path)? == Kind::File)
    }

    /// True if a folder exists at the path.
    pub(super) fn has(&self, folder: &Path) -> bool {
        is_folder(&self.files, folder)
    }

    /// Contents of a folder; empty if it does not exist.
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

    /// The sorted names in a folder, without those in its archives.
    pub(super) fn names(&mut self, folder: &Path) -> io::Result<Vec<String>> {
        Ok(self.listing(folder)?.own.iter().map(|entry| entry.name.clone()).collect())
    }

    /// The paths in a folder that a name may mean: the same letters first, then other cases of them
    /// in sorted order.
    fn matches(&mut self, folder: &Path, name: &str) -> io::Result<Vec<PathBuf>> {
        let lower = name.to_lowercase();
        let Listing { own, archived } = self.listing(folder)?;
        let mut found: Vec<&Entry> = own.iter().filter(|entry| entry.lower == lower).collect();
        found.sort_by_key(|entry| entry.name != name);
        // Names in archives are case-insensitive.
        found.extend(archived.iter().filter(|entry| entry.lower == lower));
        let mut paths: Vec<PathBuf> = found.iter().map(|entry| entry.path.clone()).collect();
        // A file in memory may not be known before it is requested.
        if paths.is_empty() && matches!(self.files, Files::Memory(_)) {
            paths.push(folder.join(name));
        }
        Ok(paths)
    }

    /// The folder of that name in a folder, in any case of letters.
    pub(super) fn subfolder(&mut self, folder: &Path, name: &str) -> io::Result<Option<PathBuf>> {
        Ok(self.subfolders(folder, name)?.into_iter().next())
    }

    /// The folders of this name in a folder and in the archives of a game in it, each followed by
    /// the next ones in the order of search.
    pub(super) fn subfolders(&mut self, folder: &Path, name: &str) -> io::Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        for path in self.matches(folder, name)? {
            let is_folder = match self.files {
                // Its folders follow from the known files; no file is requested.
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

    /// The folders below a folder and beside it with one of these names, in any case of letters, as
    /// paths from the folder: those below first.
    pub(super) fn neighbours(&mut self, folder: &Path, names: &[&str]) -> io::Result<Vec<PathBuf>> {
        let mut found: Vec<PathBuf> = Vec::new();
        for up in ["", ".."] {
            let place = folder.join(up);
            for name in names {
                let below = listed(self.subfolders(&place, name))?.into_iter();
                found.extend(
                    below.filter_map(|path| path.strip_prefix(folder).ok().map(PathBuf::from)),
                );
            }
        }
        Ok(found)
    }

    /// The file of a relative path below a folder, in any case of letters.
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

/// Names of folders that contain clips of models.
const CLIP_FOLDERS: [&str; 10] = [
    "animations",
    "animation",
    "anims",
    "anim",
    "clips",
    "clip",
    "md5anim",
    "md5anims",
    "motions",
    "motion",
];

/// Names of folders that contain pictures of models.
const TEXTURE_FOLDERS: [&str; 14] = [
    "textures",
    "texture",
    "skins",
    "skin",
    "materials",
    "material",
    "images",
    "maps",
    "tex",
    "tga",
    "png",
    "jpg",
    "dds",
    "bitmaps",
];

impl Folders {
    /// The folders of pictures in the folder of a model and beside it.
    pub(super) fn texture_folders(&mut self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let beside = self.neighbours(folder, &TEXTURE_FOLDERS)?.into_iter();
        Ok(beside.map(|place| direct(folder.join(place))).collect())
    }
}

/// The listed names; empty for a folder that may not be listed, as in a sandbox.
///
/// # Errors
/// An error that another attempt may not have.
pub(super) fn listed<T: Default>(found: io::Result<T>) -> io::Result<T> {
    match found {
        Err(error) if is_temporary(&error) => Err(error),
        found => Ok(found.unwrap_or_default()),
    }
}

/// A folder of clips.
#[derive(Clone, Debug, Default)]
pub struct ClipPlace {
    /// The path from the folder of the models.
    pub path: PathBuf,
    /// The only model that its clips are for.
    pub model: Option<String>,
    /// The names of its MD5 clips, sorted.
    pub clips: Vec<String>,
}

/// The folders that may contain clips for the models of a folder: the folder itself, folders with
/// known names in it and beside it, and in these the folders named after `models`, each with its
/// name.
///
/// # Errors
/// The error of the system if a folder exists and cannot be listed.
pub fn clip_places(folder: &Path, models: &[String], files: &Files) -> io::Result<Vec<ClipPlace>> {
    let mut folders = Folders::new(files);
    let mut places = vec![ClipPlace::default()];
    for path in folders.neighbours(folder, &CLIP_FOLDERS)? {
        for name in models {
            if let Some(own) = folders.subfolder(&folder.join(&path), name)?
                && let Ok(own) = own.strip_prefix(folder)
            {
                let (path, model) = (own.to_path_buf(), Some(name.clone()));
                places.push(ClipPlace { path, model, clips: Vec::new() });
            }
        }
        places.push(ClipPlace { path, ..ClipPlace::default() });
    }
    for ClipPlace { path, clips, .. } in &mut places {
        let own = listed(folders.listing(&folder.join(path)).map(|found| found.own.clone()))?;
        let names = own.iter().filter_map(|entry| Some(entry.path.file_name()?.shown()));
        *clips = names.filter(|name| has_extension(name, &["md5anim"])).collect();
    }
    Ok(places)
}

/// The sorted names in a folder; empty if it does not exist.
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

/// The path without `folder/..`, which is hard to read in a message, if it leads to the same file.
pub(super) fn direct(path: PathBuf) -> PathBuf {
    let short = without_detours(&path);
    // A link among the folders may lead elsewhere.
    let is_same = || {
        let found = [&path, &short].map(|path| path.canonicalize().ok());
        found[0].is_some() && found[0] == found[1]
    };
    let is_shorter = short.as_os_str().len() < path.as_os_str().len();
    if is_shorter && (is_same() || archive::leaves(&path)) { short } else { path }
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
