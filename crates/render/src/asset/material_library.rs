//! The Doom 3 material files of a scene, their definitions, and the choice of the material for a
//! shader name.
//!
//! Input: the entries of `textures.mtr` and the paths of models. Output: materials with their
//! positions. No picture is searched here.
//!
//! # Order
//! 1. Files named by the scene, in its order; files of a folder or a pattern are sorted by name.
//! 2. Files in an unlisted folder `materials`: in the search folders, in the model's folder and
//!    those above it up to the folder of its game, and in the scene's folder. The upper limit
//!    depends on the model's path as written in the scene: the folder that contains `models`, or
//!    the scene's folder; never further, so that the surroundings of a scene do not change it.
//!
//! If several materials have the same name, the first counts. A file named by the scene must be
//! valid; an invalid one that was found is left out with a warning.

use super::archive;
use super::error::AssetError;
use super::file::{FileRecord, Source};
use super::folder::Folders;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use tintype_base::diagnostic::{Diagnostic, Kind, Place};
use tintype_base::path::ShowPath;
use tintype_formats::LoadOptions;
use tintype_formats::mtr::{MtrError, MtrFile, MtrLook, MtrMaterial, parse_materials};
use tintype_model::Warning;

/// The folder where Doom 3 keeps its material files.
const MATERIALS: &str = "materials";
const EXTENSION: &str = ".mtr";

/// A file that was read.
pub(super) struct LibraryFile {
    pub(super) source: Source,
    pub(super) record: FileRecord,
    /// The folder that its paths are relative to.
    pub(super) base: PathBuf,
    /// True if the scene names it.
    pub(super) is_named: bool,
    content: MtrFile,
}

/// A material by its file and its index in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    file: usize,
    material: usize,
}

/// Files searched as one; all entries of a name are kept, in order.
#[derive(Default)]
struct Index {
    entries: BTreeMap<String, Vec<Entry>>,
}

/// A found material, and the others of its name.
pub(super) struct Hit<'s> {
    pub(super) file: usize,
    pub(super) material: &'s MtrMaterial,
    /// Its surface, or the error of its block.
    pub(super) look: Result<MtrLook, MtrError>,
    /// Files of the tables that it looks up: for each name, the material's file comes first, then
    /// the others in reading order.
    pub(super) tables: Vec<usize>,
    /// Further definitions of the name: paths and lines.
    pub(super) again: Vec<(PathBuf, u32)>,
}

/// All material files read so far.
#[derive(Default)]
pub(super) struct MaterialLibrary {
    files: Vec<LibraryFile>,
    named: Index,
    /// By the folder that contains `materials`.
    found: BTreeMap<PathBuf, Index>,
}

impl MaterialLibrary {
    /// Reads the files that a scene names.
    ///
    /// # Errors
    /// The first entry that matches no file, or a file that cannot be read or is invalid.
    pub(super) fn read_named(
        &mut self,
        entries: &[String],
        scene_folder: &Path,
        folders: &mut Folders,
        options: &LoadOptions,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<(), AssetError> {
        let mut index = Index::default();
        for (n, entry) in entries.iter().enumerate() {
            let whole = Source::new(scene_folder, entry, format!("textures.mtr[{n}]"));
            for source in expand(whole, folders)? {
                if self.files.iter().any(|file| file.source.path == source.path) {
                    continue;
                }
                self.read(source, true, options, &mut index, warnings)?;
            }
        }
        self.named = index;
        Ok(())
    }

    /// The names of all materials read so far.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.files
            .iter()
            .flat_map(|file| &file.content.materials)
            .map(|material| material.name.as_str())
    }

    /// The keys of the scene whose files are all missing from `used`, each once.
    pub(super) fn unused_keys(&self, used: &[usize]) -> Vec<&str> {
        let mut keys: Vec<&str> = Vec::new();
        let is_used = |key: &str| {
            used.iter().filter_map(|&file| self.files.get(file)).any(|file| file.source.key == key)
        };
        for file in self.files.iter().filter(|file| file.is_named) {
            let key = file.source.key.as_str();
            if !keys.contains(&key) && !is_used(key) {
                keys.push(key);
            }
        }
        keys
    }

    /// The files named by the scene that are not in `used`.
    pub(super) fn unused_files(&self, used: &[usize]) -> impl Iterator<Item = &FileRecord> {
        let files = self.files.iter().enumerate();
        let unused = files.filter(|(index, file)| file.is_named && !used.contains(index));
        unused.map(|(_, file)| &file.record)
    }

    pub(super) fn file(&self, file: usize) -> Option<&LibraryFile> {
        self.files.get(file)
    }

    /// The material of a shader name, for a model with the search folders `bases`.
    ///
    /// # Errors
    /// [`AssetError::Read`] if a folder exists and cannot be listed.
    pub(super) fn find(
        &mut self,
        shader: &str,
        bases: &[PathBuf],
        folders: &mut Folders,
        options: &LoadOptions,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<Option<Hit<'_>>, AssetError> {
        for base in bases {
            if !self.found.contains_key(base) {
                let index = self.read_found(base, folders, options, warnings)?;
                self.found.insert(base.clone(), index);
            }
        }
        let found = bases.iter().filter_map(|base| self.found.get(base));
        let mut entries: Vec<Entry> = Vec::new();
        // For models with names ending in `.tga` and the like, the material has no extension.
        let whole = canonical(shader);
        let stem = whole.rsplit_once('.').map_or(whole.as_str(), |(stem, _)| stem);
        for index in std::iter::once(&self.named).chain(found) {
            for name in [whole.as_str(), stem] {
                entries.extend(index.entries.get(name).into_iter().flatten());
            }
        }
        let Some(&first) = entries.first() else { return Ok(None) };
        let material =
            |entry: Entry| self.files.get(entry.file)?.content.materials.get(entry.material);
        let Some(found) = material(first) else { return Ok(None) };
        let is_named = |entry: &Entry| self.files.get(entry.file).is_some_and(|file| file.is_named);
        let again = (entries.iter().filter(|&&entry| entry != first))
            // Files named by the scene may replace found ones.
            .filter(|entry| is_named(entry) == is_named(&first))
            .filter_map(|&entry| {
                let path = self.files.get(entry.file)?.source.path.clone();
                let again = material(entry)?;
                (canonical(&again.name) == canonical(&found.name))
                    .then_some((path, again.position.line))
            });
        let own = self.files.get(first.file);
        let of_bases = |file: &&LibraryFile| file.is_named || bases.contains(&file.base);
        let mut tables = Vec::new();
        let look = found.look(&mut |name| {
            let all = own.into_iter().chain(self.files.iter().filter(of_bases));
            let (file, table) =
                all.filter_map(|file| Some((file, file.content.table(name)?))).next()?;
            tables.extend(self.files.iter().position(|one| core::ptr::eq(one, file)));
            Some(table)
        });
        Ok(Some(Hit { file: first.file, material: found, look, tables, again: again.collect() }))
    }

    /// Reads the files in the folder `materials` of a folder; their faults are warnings.
    fn read_found(
        &mut self,
        base: &Path,
        folders: &mut Folders,
        options: &LoadOptions,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<Index, AssetError> {
        let mut index = Index::default();
        let failed = |error| unlisted(base, error);
        let mut paths = Vec::new();
        for folder in folders.subfolders(base, MATERIALS).map_err(failed)? {
            let names = folders.names(&folder).map_err(failed)?;
            paths.extend(names.into_iter().map(|name| (folder.join(&name), name)));
        }
        for (path, name) in paths {
            let is_known = self.files.iter().any(|file| file.source.path == path);
            if !is_mtr(&name) || is_known || !folders.is_file(&path).map_err(failed)? {
                continue;
            }
            let key = format!("the materials beside {}", base.shown());
            let source = Source { name: format!("{MATERIALS}/{name}"), path: path.clone(), key };
            if let Err(error) = self.read(source, false, options, &mut index, warnings) {
                if error.is_temporary() {
                    return Err(error);
                }
                let cause = std::error::Error::source(&error)
                    .map_or_else(|| error.to_string(), ToString::to_string);
                warnings.push(Diagnostic::warning(
                    Kind::Material,
                    Place::file(path, 0),
                    format!("found by its folder but skipped: {cause}"),
                ));
            }
        }
        Ok(index)
    }

    fn read(
        &mut self,
        source: Source,
        is_named: bool,
        options: &LoadOptions,
        index: &mut Index,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<(), AssetError> {
        let (bytes, record) = source.read(options)?;
        let loaded = parse_materials(&bytes, options).map_err(|error| AssetError::Mtr {
            path: source.path.clone(),
            key: source.key.clone(),
            source: Box::new(error),
        })?;
        let file = self.files.len();
        for (material, found) in loaded.value.materials.iter().enumerate() {
            let name = canonical(&found.name);
            index.entries.entry(name).or_default().push(Entry { file, material });
        }
        if is_named {
            let told = |warning: Warning| warning.in_file(Kind::Material, &source.path);
            warnings.extend(loaded.warnings.into_iter().map(told));
        }
        let folder = source.path.parent().unwrap_or(Path::new(""));
        let is_materials = ends_in(folder, MATERIALS);
        let base = if is_materials { folder.parent().unwrap_or(folder) } else { folder };
        // Its pictures may be in any archive of the game.
        let base = archive::game_folder(base).to_path_buf();
        self.files.push(LibraryFile { source, record, base, is_named, content: loaded.value });
        Ok(())
    }
}

/// The folders whose `materials` apply to a model, in order.
pub(super) fn bases<'p>(
    searched: impl IntoIterator<Item = PathBuf>,
    model: &'p Path,
    scene_folder: &'p Path,
) -> Vec<PathBuf> {
    let own = model.parent().unwrap_or(Path::new(""));
    let above: Vec<&Path> = own.ancestors().collect();
    let last = above.iter().position(|&folder| folder == scene_folder || ends_in(folder, "models"));
    let last = last.map_or(0, |at| {
        let is_scene = above.get(at).is_some_and(|&folder| folder == scene_folder);
        if is_scene { at } else { at + 1 }
    });
    let mut all: Vec<PathBuf> = Vec::new();
    let above = above.into_iter().take(last + 1).map(Path::to_path_buf);
    for folder in searched.into_iter().chain(above).chain([scene_folder.to_path_buf()]) {
        if !all.contains(&folder) {
            all.push(folder);
        }
    }
    all
}

/// The files of one entry of a scene.
fn expand(whole: Source, folders: &mut Folders) -> Result<Vec<Source>, AssetError> {
    let failed = |error| unlisted(&whole.path, error);
    let name = whole.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_pattern = name.contains('*');
    let (folder, pattern, what) = if is_pattern {
        let folder = whole.path.parent().unwrap_or(Path::new("")).to_path_buf();
        (folder, name.to_lowercase(), format!("the pattern {name:?}"))
    } else if folders.has(&whole.path) {
        // In a game folder they are one level further down.
        let below = folders.subfolder(&whole.path, MATERIALS).map_err(failed)?;
        let own = folders.names(&whole.path).map_err(failed)?.iter().any(|name| is_mtr(name));
        let folder = below.filter(|_| !own).unwrap_or_else(|| whole.path.clone());
        (folder, format!("*{EXTENSION}"), "the folder".to_owned())
    } else {
        return Ok(vec![whole]);
    };
    let mut sources = Vec::new();
    for name in folders.names(&folder).map_err(failed)? {
        let path = folder.join(&name);
        if fits(&pattern, &name.to_lowercase()) && folders.is_file(&path).map_err(failed)? {
            let written = written_name(&whole, &folder, &name, is_pattern);
            sources.push(Source { name: written, path, key: whole.key.clone() });
        }
    }
    if sources.is_empty() {
        return Err(AssetError::NoMtr { path: folder, key: whole.key, what });
    }
    Ok(sources)
}

/// The name of a file of a folder or a pattern as the scene could have written it.
fn written_name(whole: &Source, folder: &Path, name: &str, is_pattern: bool) -> String {
    let written = whole.name.replace('\\', "/");
    let written = written.trim_end_matches('/');
    if is_pattern {
        return match written.rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/{name}"),
            None => name.to_owned(),
        };
    }
    if folder == whole.path {
        format!("{written}/{name}")
    } else {
        format!("{written}/{MATERIALS}/{name}")
    }
}

/// A name in lower case with one kind of slash.
pub(super) fn plain(name: &str) -> String {
    name.replace('\\', "/").to_lowercase()
}

/// True if a name matches a pattern, where each `*` matches any letters.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some((_, behind)) = rest.split_once(part) else { return false };
        rest = behind;
    }
    rest.ends_with(last)
}

fn is_mtr(name: &str) -> bool {
    name.to_lowercase().ends_with(EXTENSION)
}

fn ends_in(folder: &Path, name: &str) -> bool {
    folder
        .file_name()
        .and_then(|own| own.to_str())
        .is_some_and(|own| own.eq_ignore_ascii_case(name))
}

/// A name in the common form of all its spellings.
fn canonical(name: &str) -> String {
    name.trim().replace('\\', "/").to_lowercase()
}

fn unlisted(folder: &Path, source: io::Error) -> AssetError {
    let key = "the search for .mtr files".to_owned();
    AssetError::Read { path: folder.to_path_buf(), key, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pattern_fits_any_letters_at_each_star() {
        for (pattern, name, expected) in [
            ("*.mtr", "a.mtr", true),
            ("*.mtr", ".mtr", true),
            ("*.mtr", "a.mtr.bak", false),
            ("imp*_*.mtr", "imp2_old_x.mtr", true),
            ("imp*_*.mtr", "imp.mtr", false),
            ("a*a", "a", false),
            ("*", "anything", true),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn bases_end_at_the_folder_of_the_game_or_of_the_scene() {
        let of = |model: &str, scene: &str| -> Vec<String> {
            let bases = bases([PathBuf::from("s")], Path::new(model), Path::new(scene));
            bases.iter().map(|base| base.display().to_string()).collect()
        };
        let game =
            ["s", "/d/base/models/md5/imp", "/d/base/models/md5", "/d/base/models", "/d/base"];
        assert_eq!(of("/d/base/models/md5/imp/imp.md5mesh", "x"), [&game[..], &["x"]].concat());
        assert_eq!(of("x/a/b/imp.md5mesh", "x"), ["s", "x/a/b", "x/a", "x"]);
        assert_eq!(of("a/imp.md5mesh", ""), ["s", "a", ""]);
        assert_eq!(
            of("/elsewhere/a/imp.md5mesh", "x"),
            ["s", "/elsewhere/a", "x"],
            "no further up"
        );
        assert_eq!(of("x/../Models/imp.md5mesh", "x"), ["s", "x/../Models", "x/..", "x"]);
    }
}
