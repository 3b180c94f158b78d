//! Decoded files for several scenes, so that a model or a picture named by many is decoded once.
//!
//! Files are read each time, and their keys contain the digest of their bytes and all choices that
//! affect their contents; a file that changes between two scenes is decoded again, and no result
//! depends on the cache.

use super::clips::{LoadedClip, clips_in};
use super::content::{Content, FileKey, FileKind};
use super::cutout::AlphaShares;
use super::file::{FileRecord, Source};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tintype_formats::{LoadOptions, Loaded};
use tintype_model::Texture;

/// Maximum number of bytes kept: the textures of some characters.
const MAX_BYTES: u64 = 256 << 20;

/// Estimated bytes of a model for each byte of its file: text has many digits, and vertices keep
/// their influences.
const MODEL_SHARE: u64 = 4;

/// Decoded files of the last loaded scenes.
#[derive(Debug, Default)]
pub struct SharedFiles {
    kept: Arc<Mutex<Kept>>,
    /// Files that are not read again.
    pub held: HeldFiles,
}

/// Model files held open by a caller. Scenes that name them are made from these contents: neither
/// the files nor pictures of other scenes of the same files are read again.
#[derive(Clone, Debug, Default)]
pub struct HeldFiles {
    pub(super) files: Arc<BTreeMap<FileKey, KeptModel>>,
    kept: Arc<Mutex<Kept>>,
}

/// A texture, with its alpha distribution if that counts.
pub(super) type MadeTexture = (Texture, Option<AlphaShares>);

/// Contents of a model file, and records of their files: among held ones the file itself comes
/// first.
type KeptModel = (Loaded<Content>, Vec<FileRecord>);

#[derive(Debug, Default)]
struct Kept {
    models: BTreeMap<String, KeptModel>,
    textures: BTreeMap<String, MadeTexture>,
    /// Keys and sizes of all of them, the oldest first.
    ages: VecDeque<(String, u64)>,
    bytes: u64,
}

impl Kept {
    /// Notes the last kept entry, and drops the oldest beyond the bound.
    fn age(&mut self, key: String, bytes: u64) {
        self.bytes = self.bytes.saturating_add(bytes);
        self.ages.push_back((key, bytes));
        while self.bytes > MAX_BYTES
            && let Some((key, bytes)) = self.ages.pop_front()
        {
            self.bytes -= bytes;
            self.models.remove(&key);
            self.textures.remove(&key);
        }
    }
}

impl HeldFiles {
    /// Files by the inputs of their contents.
    pub(super) fn new(files: BTreeMap<FileKey, KeptModel>) -> Self {
        Self { files: Arc::new(files), kept: Arc::default() }
    }

    /// Joint names of the model in a file. None if it is not cached.
    #[must_use]
    pub fn joint_names(&self, path: &Path) -> Option<BTreeSet<String>> {
        let path = held_path(path);
        let mut models = self.files.iter().filter(|(key, _)| key.0 == path);
        let model = models.find_map(|(_, (loaded, _))| loaded.value.model())?;
        Some(model.skeleton.joints().iter().map(|joint| joint.name.clone()).collect())
    }

    /// All clips of a clip file of a scene in the working folder, named as in the file.
    #[must_use]
    pub fn clips_in(&self, file: &str) -> Vec<LoadedClip> {
        let path = held_path(&Source::new(Path::new(""), file, String::new()).path);
        let mut files = self.files.iter();
        let found = files.find(|(key, _)| key.0 == path && key.1 == FileKind::Clip);
        found.map_or_else(Vec::new, |(_, (loaded, _))| clips_in(&loaded.value, file))
    }

    /// True if a file is stored.
    #[must_use]
    pub fn has(&self, path: &Path) -> bool {
        let path = held_path(path);
        self.files.keys().any(|key| key.0 == path)
    }
}

/// The path that a file is stored under, whichever folder a scene is relative to.
pub(super) fn held_path(path: &Path) -> PathBuf {
    // In a browser no path is absolute.
    std::path::absolute(path).unwrap_or_else(|_| path.strip_prefix(".").unwrap_or(path).to_owned())
}

impl SharedFiles {
    /// For scenes of held files.
    #[must_use]
    pub fn over(held: &HeldFiles) -> Self {
        Self { held: held.clone(), kept: Arc::clone(&held.kept) }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // A panicking thread leaves whole entries.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The contents of a model file, and the records of the files beside it, if none of these has
    /// changed.
    pub(super) fn model(&self, key: &str, options: &LoadOptions) -> Option<KeptModel> {
        let found = self.kept().models.get(key).cloned()?;
        let is_same = |other: &FileRecord| {
            let FileRecord { name, path, digest, .. } = other;
            let source = Source { name: name.clone(), path: path.clone(), key: String::new() };
            source.read(options).is_ok_and(|(_, record)| record.digest == *digest)
        };
        found.1.iter().all(is_same).then_some(found)
    }

    /// Keeps the contents of a model file of this size.
    pub(super) fn keep_model(
        &self,
        key: String,
        contents: &Loaded<Content>,
        others: &[FileRecord],
        length: u64,
    ) {
        let mut kept = self.kept();
        let length = others.iter().fold(length, |sum, other| sum.saturating_add(other.length));
        let before = kept.models.insert(key.clone(), (contents.clone(), others.to_vec()));
        if before.is_none() {
            kept.age(key, length.saturating_mul(MODEL_SHARE));
        }
    }

    /// A texture.
    pub(super) fn texture(&self, key: &str) -> Option<MadeTexture> {
        self.kept().textures.get(key).cloned()
    }

    /// Keeps a texture.
    pub(super) fn keep_texture(&self, key: String, texture: &MadeTexture) {
        let bytes = u64::try_from(texture.0.byte_size()).unwrap_or(u64::MAX);
        let mut kept = self.kept();
        if kept.textures.insert(key.clone(), texture.clone()).is_none() {
            kept.age(key, bytes);
        }
    }
}
