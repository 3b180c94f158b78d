//! Pictures that an earlier status found done, kept beside them: the status of a million pictures opens only the others.
//!
//! A folder that has not changed since has the files that it had; in one that has changed, a file of the same length and time is the same
//! file. Neither needs a picture to be opened, which takes a message to the server for each on a shared disk. A file that is overwritten in
//! place, in a folder that stays as it is, is not noticed here: `verify` reads every byte, and small jobs look at every file.
//!
//! The file is a shortcut: with another key, or not exactly right, it is made anew, and an error of reading or writing it fails nothing.

use super::progress::{ItemStatus, Items, Recorded};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tintype_host::job::journal::{HIDDEN, seconds, tasks_in};
use tintype_host::{disk_now, write_kept};
use tintype_model::disk::text_of_path;
use tintype_model::frame::PIXEL_REVISION;
use tintype_render::asset::regular::read_bounded;
use tintype_scene::FrameList;

/// Items from which on they are kept; the files of fewer are opened in a moment.
const LEAST_ITEMS: usize = 2000;
/// Longest file that is read: ten million items have half of it.
const MOST_BYTES: u64 = 1 << 28;
/// Newly found items for which the file is written again.
const WORTH_WRITING: usize = 64;
/// A folder may change again within the same tick of a clock; the coarsest file system counts in so many seconds.
const SETTLED_AFTER_S: f64 = 3.0;

/// Status of each item; `kept` is the folder of the pictures where those that an earlier status found done may be passed over.
pub(super) fn check(
    items: &Items,
    results: &BTreeMap<usize, Recorded>,
    build: Option<&str>,
    kept: Option<&Path>,
) -> Vec<ItemStatus> {
    let look = |index: usize| items.look(index, results.get(&index), build);
    match kept.filter(|_| items.count() >= LEAST_ITEMS) {
        None => (0..items.count()).into_par_iter().map(look).collect(),
        Some(folder) => {
            let now_s = disk_now(&tasks_in(folder)).map_or(0.0, seconds);
            check_kept(items, results, build, (folder, now_s))
        }
    }
}

/// As [`check`], by the pictures that are kept in a folder, at a time by the clock of its disk.
fn check_kept(
    items: &Items,
    results: &BTreeMap<usize, Recorded>,
    build: Option<&str>,
    (folder, now_s): (&Path, f64),
) -> Vec<ItemStatus> {
    let look = |index: usize| items.look(index, results.get(&index), build);
    let path = folder.join(HIDDEN).join("status.json");
    let key = key_of(items, build);
    let known = Seen::read(&path).filter(|seen| seen.key == key).unwrap_or_default();
    let mut by_folder: BTreeMap<PathBuf, Vec<usize>> = BTreeMap::new();
    for index in 0..items.count() {
        let folder = items.picture(index).and_then(|path| Some(path.parent()?.to_owned()));
        by_folder.entry(folder.unwrap_or_default()).or_default().push(index);
    }
    let checked: Vec<Checked> = by_folder
        .par_iter()
        .map(|(place, indices)| {
            let name = text_of_path(place.strip_prefix(folder).unwrap_or(place));
            let before = known.folders.get(&name);
            let of_folder = FolderCheck { items, results, place, indices, now_s };
            of_folder.run(name, before, &look)
        })
        .collect();

    let mut statuses = vec![ItemStatus::Missing; items.count()];
    let (mut now, mut found) = (Seen { key, folders: BTreeMap::new() }, 0);
    for Checked { name, statuses: own, folder, found: new } in checked {
        own.into_iter().for_each(|(index, status)| statuses[index] = status);
        now.folders.insert(name, folder);
        found += new;
    }
    let is_settled = now.folders.values().all(|folder| folder.changed.is_some());
    if found >= WORTH_WRITING || (is_settled && now != known) {
        now.write(&path);
    }
    statuses
}

/// Digest of everything by which a picture is judged, but for the results of attempts: a picture that they replace is another file.
fn key_of(items: &Items, build: Option<&str>) -> String {
    let mut hasher = blake3::Hasher::new();
    let program = concat!("tintype ", env!("CARGO_PKG_VERSION"));
    let (build, identity) = (build.unwrap_or_default(), items.identity());
    let head = format!("{program}\n{PIXEL_REVISION}\n{build}\n{identity}\n");
    hasher.update(head.as_bytes());
    for index in 0..items.count() {
        hasher.update(items.label(index).as_bytes());
        hasher.update(b"\n");
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

/// Pictures that were found done.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Seen {
    /// See [`key_of`].
    key: String,
    /// Folders by their paths below that of all pictures.
    folders: BTreeMap<String, SeenFolder>,
}

/// Pictures of a folder that were found done.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct SeenFolder {
    /// Nanoseconds since 1970 of the last change of the folder; none if it may have changed within the tick in which it was read.
    changed: Option<u64>,
    /// Indices of the items, as a list.
    done: String,
    /// Digests of length and time of the files of each.
    stamps: Vec<u32>,
}

impl Seen {
    fn read(path: &Path) -> Option<Self> {
        serde_json::from_slice(&read_bounded(path, MOST_BYTES).ok()?).ok()
    }

    fn write(&self, path: &Path) {
        if let Ok(text) = serde_json::to_string(self) {
            write_kept(path, text.as_bytes());
        }
    }
}

impl SeenFolder {
    fn new(changed: Option<u64>, done: &[(usize, u32)]) -> Self {
        let indices = done.iter().filter_map(|&(index, _)| i64::try_from(index).ok());
        let list = FrameList::from_rising(indices);
        let list = list.map(|list| list.to_string()).unwrap_or_default();
        Self { changed, done: list, stamps: done.iter().map(|&(_, stamp)| stamp).collect() }
    }

    /// Stamps by index; none if they do not fit.
    fn known(&self) -> HashMap<usize, u32> {
        let Ok(list) = FrameList::parse(&self.done) else { return HashMap::new() };
        if list.len() != self.stamps.len() {
            return HashMap::new();
        }
        let indices = list.iter().filter_map(|frame| usize::try_from(i64::from(frame)).ok());
        indices.zip(self.stamps.iter().copied()).collect()
    }
}

/// The items of a folder, to be checked.
struct FolderCheck<'a> {
    items: &'a Items,
    results: &'a BTreeMap<usize, Recorded>,
    place: &'a Path,
    indices: &'a [usize],
    /// Time by the clock of the disk.
    now_s: f64,
}

/// Result of [`FolderCheck::run`].
struct Checked {
    name: String,
    statuses: Vec<(usize, ItemStatus)>,
    folder: SeenFolder,
    /// Number of items that were found done by their files.
    found: usize,
}

impl FolderCheck<'_> {
    fn run(
        &self,
        name: String,
        before: Option<&SeenFolder>,
        look: &(impl Fn(usize) -> ItemStatus + Sync),
    ) -> Checked {
        // Read before the files, so that a later change is seen as one.
        let changed = std::fs::metadata(self.place).ok().and_then(|data| last_change(&data));
        let known = before.map(SeenFolder::known).unwrap_or_default();
        let is_same = changed.is_some() && before.is_some_and(|before| before.changed == changed);
        let has_no_mesh =
            |index: &usize| self.results.get(index).is_some_and(|result| result.has_no_mesh);
        let is_known = |index: &usize| is_same && !has_no_mesh(index) && known.contains_key(index);
        let listed = (!is_same).then(|| listed(self.place));

        let check = |&index: &usize| {
            if is_known(&index) {
                return (index, ItemStatus::Done, known.get(&index).copied(), false);
            }
            let result = self.results.get(&index);
            let names = self.items.files(index, result).unwrap_or_default();
            let stamp = stamp_of(&names, listed.as_ref());
            match (known.get(&index), stamp) {
                (Some(before), Some(now)) if *before == now && !has_no_mesh(&index) => {
                    (index, ItemStatus::Done, stamp, false)
                }
                // The name of a file in the list may be spelt otherwise than it was written, so absence is decided by opening it.
                _ => {
                    let status = look(index);
                    (index, status, stamp, status == ItemStatus::Done)
                }
            }
        };
        let checked: Vec<_> = self.indices.par_iter().map(check).collect();
        let done: Vec<(usize, u32)> = checked
            .iter()
            .filter(|(_, status, ..)| *status == ItemStatus::Done)
            .filter_map(|&(index, _, stamp, _)| Some((index, stamp?)))
            .collect();
        #[expect(clippy::cast_precision_loss, reason = "a comparison of seconds")]
        let is_settled = |changed: &u64| self.now_s - *changed as f64 * 1e-9 > SETTLED_AFTER_S;
        Checked {
            name,
            folder: SeenFolder::new(changed.filter(is_settled), &done),
            found: checked.iter().filter(|(.., found)| *found).count(),
            statuses: checked.into_iter().map(|(index, status, ..)| (index, status)).collect(),
        }
    }
}

/// Length and time of each file of a folder.
fn listed(folder: &Path) -> HashMap<OsString, (u64, u64)> {
    let entries: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().collect();
    let stamp = |entry: std::fs::DirEntry| {
        // Of a symbolic link the file that it leads to.
        let is_link = entry.file_type().ok()?.is_symlink();
        let data = if is_link { std::fs::metadata(entry.path()) } else { entry.metadata() };
        Some((entry.file_name(), length_and_time(&data.ok()?)?))
    };
    entries.into_par_iter().filter_map(stamp).collect()
}

/// Digest of length and time of files, taken from a list of their folder if there is one; none if one of them is not there, or if there
/// are none.
fn stamp_of(files: &[PathBuf], listed: Option<&HashMap<OsString, (u64, u64)>>) -> Option<u32> {
    let mut hasher = blake3::Hasher::new();
    for file in files {
        let (length, time) = match listed {
            Some(listed) => *listed.get(file.file_name()?)?,
            None => length_and_time(&std::fs::metadata(file).ok()?)?,
        };
        hasher.update(&length.to_le_bytes());
        hasher.update(&time.to_le_bytes());
    }
    let [a, b, c, d, ..] = *hasher.finalize().as_bytes();
    (!files.is_empty()).then_some(u32::from_le_bytes([a, b, c, d]))
}

fn length_and_time(data: &Metadata) -> Option<(u64, u64)> {
    Some((data.len(), nanoseconds(data)?))
}

/// Time of the last change of a folder, which a program cannot set back where the system keeps one.
fn last_change(data: &Metadata) -> Option<u64> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let [seconds, rest] = [data.ctime(), data.ctime_nsec()].map(u64::try_from);
        seconds.ok()?.checked_mul(1_000_000_000)?.checked_add(rest.ok()?)
    }
    #[cfg(not(unix))]
    nanoseconds(data)
}

fn nanoseconds(data: &Metadata) -> Option<u64> {
    let since = data.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    u64::try_from(since.as_nanos()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::File;
    use std::time::Duration;
    use tintype_host::job::resume::provenance;
    use tintype_model::frame::Frame;
    use tintype_output::{PngEffort, encode_png};

    /// Models with a picture each, in two folders.
    struct Library {
        root: tempfile::TempDir,
        items: Items,
    }

    impl Library {
        fn new(count: usize) -> Self {
            let root = tempfile::tempdir().unwrap();
            let names: Vec<String> = (0..count)
                .map(|k| format!("{}/m{k:05}.x", if k < 20 { "a" } else { "b" }))
                .collect();
            for folder in ["a", "b", HIDDEN] {
                std::fs::create_dir_all(root.path().join(folder)).unwrap();
            }
            std::fs::create_dir_all(tasks_in(root.path())).unwrap();
            let picture = picture(0);
            for name in &names {
                std::fs::write(root.path().join(format!("{name}.png")), &picture).unwrap();
            }
            let items =
                Items::Models { names, folder: root.path().to_owned(), file: File::Picture };
            Self { root, items }
        }

        fn picture(&self, index: usize) -> PathBuf {
            self.items.picture(index).unwrap()
        }

        fn missing(&self) -> Vec<usize> {
            let statuses = check(&self.items, &BTreeMap::new(), None, Some(self.root.path()));
            Self::missing_of(&statuses)
        }

        /// The missing ones, seen a minute later.
        fn missing_later(&self) -> Vec<usize> {
            let now_s = seconds(SystemTime::now() + Duration::from_secs(60));
            let kept = (self.root.path(), now_s);
            Self::missing_of(&check_kept(&self.items, &BTreeMap::new(), None, kept))
        }

        fn missing_of(statuses: &[ItemStatus]) -> Vec<usize> {
            let missing = |index: &usize| statuses[*index] == ItemStatus::Missing;
            (0..statuses.len()).filter(missing).collect()
        }

        fn kept(&self) -> PathBuf {
            self.root.path().join(HIDDEN).join("status.json")
        }
    }

    fn picture(frame: i64) -> Vec<u8> {
        let drawn = Frame { width: 2, height: 1, rgba: vec![[1, 2, 3, 255]; 2] };
        encode_png(&drawn, false, PngEffort::Fast, &provenance(frame, "aa", None).to_text())
    }

    #[test]
    fn pictures_that_changed_since_are_looked_at_again() {
        let library = Library::new(LEAST_ITEMS);
        assert!(library.missing().is_empty());
        assert!(library.kept().exists());
        // Removed; another picture of the same length; cut; one that was there all along.
        std::fs::remove_file(library.picture(3)).unwrap();
        std::fs::write(library.picture(900), picture(1)).unwrap();
        std::fs::write(library.picture(30), &picture(0)[..50]).unwrap();
        for _ in 0..2 {
            assert_eq!(library.missing(), [3, 30, 900]);
        }
        for index in [3, 30, 900] {
            std::fs::write(library.picture(index), picture(0)).unwrap();
        }
        assert!(library.missing().is_empty());
        // Whatever is in the file, the status stays right.
        for text in ["", "{", r#"{"key":"x","folders":{}}"#] {
            std::fs::write(library.kept(), text).unwrap();
            assert!(library.missing().is_empty(), "{text}");
        }
    }

    #[test]
    fn pictures_of_a_folder_that_stays_as_it_is_are_not_opened() {
        let library = Library::new(LEAST_ITEMS);
        assert!(library.missing_later().is_empty());
        // Changed in place, which only a look into the file can tell.
        std::fs::write(library.picture(30), b"").unwrap();
        assert!(library.missing_later().is_empty());
        // A change of the folder shows it.
        std::fs::remove_file(library.picture(31)).unwrap();
        assert_eq!(library.missing_later(), [30, 31]);
        // As does a look at every file.
        let statuses = check(&library.items, &BTreeMap::new(), None, None);
        assert_eq!(statuses[30], ItemStatus::Missing);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_times_that_are_set_back_hide_nothing() {
        let library = Library::new(LEAST_ITEMS);
        let target = library.root.path().join("elsewhere.png");
        std::fs::rename(library.picture(40), &target).unwrap();
        std::os::unix::fs::symlink(&target, library.picture(40)).unwrap();
        let folder = std::fs::File::open(library.root.path().join("b")).unwrap();
        let before = folder.metadata().unwrap().modified().unwrap();
        assert!(library.missing_later().is_empty());
        std::fs::remove_file(&target).unwrap();
        std::fs::remove_file(library.picture(41)).unwrap();
        folder.set_modified(before).unwrap();
        assert_eq!(library.missing_later(), [40, 41]);
    }

    #[test]
    fn few_pictures_are_always_opened() {
        let library = Library::new(40);
        assert!(library.missing().is_empty());
        assert!(!library.kept().exists());
    }
}
