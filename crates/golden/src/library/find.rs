//! The models of a library, its golden folder and its settings.

use super::limits::LibraryLimits;
use crate::bless::{BlessOptions, PlannedFile, put};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use tintype_base::data::plain_message;
use tintype_base::disk::{if_there, read_regular_text};
use tintype_base::git::{MERGE_CONFLICT, merge_conflict_line};
use tintype_base::path::ShowPath;
use tintype_formats::{Files, LoadOptions};
use tintype_framing::ModelFile;
use tintype_host::OutputError;
use tintype_host::job::discover::{DiscoverError, ModelSources, discover};
use tintype_render::asset::input::{Kind, kind};

/// The file of the settings in the golden folder.
pub(super) const FILE: &str = "library.toml";
const HEAD: &str = "# Settings of the goldens in this folder; written by tintype bless.\n";
/// Maximum number of times of a clip.
const MAX_MOMENTS: u32 = 1000;

/// Settings of a library. Goldens are only compared with pictures of the same settings, so the
/// settings are stored beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LibrarySettings {
    /// Number of times of a clip.
    pub moments: u32,
    /// Width and height of the pictures.
    pub size: [u32; 2],
    /// Limits set there by the user.
    #[serde(default, skip_serializing_if = "LibraryLimits::is_none")]
    pub limits: LibraryLimits,
}

impl Default for LibrarySettings {
    fn default() -> Self {
        Self { moments: 4, size: [128, 128], limits: LibraryLimits::default() }
    }
}

/// Models that are tested together.
#[derive(Debug)]
pub struct Library {
    /// The models, by name.
    pub models: Vec<ModelFile>,
    /// True if they are a shard of a larger library.
    pub is_share: bool,
    /// Folders that could not be read, each with the reason.
    pub unread: Vec<String>,
    /// The folder that names are relative to.
    pub base: PathBuf,
    /// The golden folder.
    pub folder: PathBuf,
    /// Number of times and size.
    pub settings: LibrarySettings,
    /// True if the golden folder has settings.
    pub has_settings: bool,
    /// Limits of the files.
    pub load_options: LoadOptions,
}

/// Error of finding a library.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// No model matches, or a source cannot be read.
    #[error(transparent)]
    Discover(DiscoverError),
    /// The settings in the golden folder cannot be read.
    #[error("{}: {message}", path.shown())]
    Settings {
        /// The file.
        path: PathBuf,
        /// The mistake.
        message: String,
    },
    /// A number is out of range.
    #[error("{0}")]
    Range(String),
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl LibraryError {
    /// True if another attempt can succeed.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Discover(error) => error.is_temporary(),
            Self::Output(error) => error.is_temporary(),
            Self::Settings { .. } | Self::Range(_) => false,
        }
    }
}

impl Library {
    /// Finds the models of files, folders and patterns. Without `golden`, the golden folder is
    /// beside the folder of the models and has its name with `-golden`. Unset settings come from
    /// the golden folder, or are the defaults.
    ///
    /// # Errors
    /// [`LibraryError`] if no model is found, or a source or the settings cannot be read.
    pub fn find(
        patterns: &[PathBuf],
        golden: Option<&Path>,
        (moments, size): (Option<u32>, Option<[u32; 2]>),
        load_options: &LoadOptions,
    ) -> Result<Self, LibraryError> {
        let sources = ModelSources { paths: patterns.to_vec(), list: None, base: None };
        let found = discover(&sources).map_err(LibraryError::Discover)?;
        let folder = golden.map_or_else(|| golden_folder(&found.base), Path::to_path_buf);
        let kept = read_settings(&folder)?;
        let known = kept.unwrap_or_default();
        let settings = LibrarySettings {
            moments: moments.unwrap_or(known.moments),
            size: size.unwrap_or(known.size),
            limits: known.limits,
        };
        if !(1..=MAX_MOMENTS).contains(&settings.moments) {
            let message = format!("moments: {}; expected 1 to {MAX_MOMENTS}", settings.moments);
            return Err(LibraryError::Range(message));
        }
        Ok(Self {
            models: found.models,
            is_share: false,
            unread: found.unread,
            base: found.base,
            folder,
            settings,
            has_settings: kept.is_some(),
            load_options: load_options.clone(),
        })
    }

    /// True if the settings are those of the existing goldens.
    ///
    /// # Errors
    /// [`LibraryError::Settings`] if they cannot be read.
    pub fn keeps_settings(&self) -> Result<bool, LibraryError> {
        Ok(read_settings(&self.folder)?.is_none_or(|kept| kept == self.settings))
    }

    /// Writes the settings into the golden folder, if they differ.
    pub(super) fn write_settings(
        &self,
        options: BlessOptions,
        planned: &mut Vec<PlannedFile>,
    ) -> Result<(), LibraryError> {
        if read_settings(&self.folder)? == Some(self.settings) {
            return Ok(());
        }
        let text = toml::to_string(&self.settings).expect("plain data");
        let text = HEAD.to_owned() + &text;
        Ok(put(&self.folder.join(FILE), text.as_bytes(), options, planned)?)
    }

    /// True if there is certainly no model of that name: a path that cannot be accessed may lead to
    /// one.
    pub(super) fn is_gone(&self, name: &str) -> bool {
        matches!(kind(&Files::Disk, &self.base.join(name)), Ok(Kind::Folder | Kind::Other))
    }

    /// The golden folder of a model.
    pub(crate) fn folder_of(&self, model: &ModelFile) -> PathBuf {
        self.folder.join(&model.name)
    }
}

/// `chars-golden` beside `chars`.
fn golden_folder(base: &Path) -> PathBuf {
    match base.file_name() {
        Some(name) if base != Path::new(".") => {
            let mut name = name.to_owned();
            name.push("-golden");
            base.with_file_name(name)
        }
        _ => base.join("models-golden"),
    }
}

fn read_settings(folder: &Path) -> Result<Option<LibrarySettings>, LibraryError> {
    let path = folder.join(FILE);
    let failed = |message: String| LibraryError::Settings { path: path.clone(), message };
    let text = if_there(read_regular_text(&path)).map_err(|error| failed(error.to_string()))?;
    let Some(text) = text else { return Ok(None) };
    if merge_conflict_line(&text).is_some() {
        return Err(failed(MERGE_CONFLICT.to_owned()));
    }
    let settings: LibrarySettings =
        toml::from_str(&text).map_err(|error| failed(plain_message(error.message())))?;
    Ok(Some(settings))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_gone_only_where_the_disk_says_so() {
        let base = tempfile::tempdir().unwrap();
        std::fs::write(base.path().join("orc.md5mesh"), "").unwrap();
        let library = Library {
            models: Vec::new(),
            is_share: false,
            unread: Vec::new(),
            base: base.path().to_path_buf(),
            folder: base.path().join("golden"),
            settings: LibrarySettings::default(),
            has_settings: false,
            load_options: LoadOptions::default(),
        };
        assert!(!library.is_gone("orc.md5mesh"));
        assert!(library.is_gone("elf.md5mesh") && library.is_gone("orc.md5mesh/elf.md5mesh"));
        // No disk accepts such a long name, which does not prove that the file is gone.
        #[cfg(target_os = "linux")]
        assert!(!library.is_gone(&"a".repeat(300)));
    }
}
