//! Search for the textures of a shader name without a `[[material]]`.
//!
//! Input: the shader name as written in a model, and the folders to search. Output: the files of
//! its diffuse, normal and specular textures, or the tried names. No picture is opened here.
//!
//! # Order
//! 1. The name itself: as written if it has the extension of a picture, then with each known
//!    extension. First with all of its folders, then with fewer and fewer of them, down to the bare
//!    file name; for each, the folders in order.
//! 2. The same with each of [`DIFFUSE_SUFFIXES`], such as `_d` of Doom 3.
//!
//! A file that is empty, a pointer of Git LFS or not a picture is only taken if there is no other
//! of the name.
//!
//! Beside the found file, the first of [`NORMAL_SUFFIXES`] and of [`SPECULAR_SUFFIXES`] are the
//! normal map and the specular texture.

use super::archive;
use super::folder::Folders;
use super::folder::{direct, listed};
use super::input::{is_folder, names_in};
use std::io;
use std::path::{Path, PathBuf};
use tintype_base::extension::{TEXTURES, is_texture};
use tintype_formats::Files;
use tintype_model::{LayerTextures, TextureRole};

/// Suffixes of diffuse textures, in search order.
pub(super) const DIFFUSE_SUFFIXES: [&str; 5] = ["", "_d", "_diffuse", "_albedo", "_basecolor"];
/// Suffixes of normal maps.
pub(super) const NORMAL_SUFFIXES: [&str; 4] = ["_local", "_normal", "_normals", "_n"];
/// Suffixes of specular textures.
pub(super) const SPECULAR_SUFFIXES: [&str; 2] = ["_s", "_specular"];
/// Maximum number of folders taken from a shader name.
const MAX_FOLDERS: usize = 16;

/// The textures of a shader name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) diffuse: Option<PathBuf>,
    pub(super) normal: Option<PathBuf>,
    pub(super) specular: Option<PathBuf>,
    /// Never by the shader name alone.
    pub(super) emissive_map: Option<PathBuf>,
    /// Only if named by a material.
    pub(super) metallic_roughness: Option<PathBuf>,
    /// Only if named by a material.
    pub(super) occlusion: Option<PathBuf>,
    /// Only if named by a material.
    pub(super) layers: LayerTextures<PathBuf>,
    /// The names tried for the diffuse texture, in order, until one was found.
    pub(super) tried: Vec<String>,
    /// True if the diffuse texture is not a valid picture.
    pub(super) is_broken: bool,
}

/// The searched folders, in order: each followed by its folder `textures`.
pub(super) fn search_folders<'p>(
    folders: &mut Folders,
    given: impl IntoIterator<Item = &'p Path>,
) -> io::Result<Vec<PathBuf>> {
    let mut all: Vec<PathBuf> = Vec::new();
    for folder in given {
        let below = folders.subfolders(folder, "textures")?;
        for folder in std::iter::once(folder.to_path_buf()).chain(below) {
            if !all.contains(&folder) {
                all.push(folder);
            }
        }
    }
    Ok(all)
}

/// The folder and the rest of a relative path that goes up from a folder and down again. None for
/// an absolute path, and for one that goes up further than [`MAX_UP`].
pub(super) fn from_folder<'w>(folder: &Path, written: &'w str) -> Option<(PathBuf, Vec<&'w str>)> {
    if written.starts_with(['/', '\\']) || written.contains(':') {
        return None;
    }
    let mut up = 0;
    let mut way: Vec<&str> = Vec::new();
    for part in written.trim().split(['/', '\\']).map(str::trim) {
        match part {
            "" | "." => {}
            ".." if way.pop().is_none() => up += 1,
            ".." => {}
            part => way.push(part),
        }
    }
    if up > MAX_UP || way.is_empty() {
        return None;
    }
    let above =
        direct(std::iter::repeat_n("..", up).fold(folder.to_path_buf(), |at, up| at.join(up)));
    Some((above, way))
}

/// Maximum number of folders above the model's that a path of the model may lead to.
const MAX_UP: usize = 4;

/// The folder of the game or the project of a model: the parent of a folder `models`, if it also
/// has a folder `materials` or `textures`, or archives of a game.
///
/// # Errors
/// The error of the system for a path that cannot be made absolute, or for a folder above that
/// cannot be listed now and may be later.
pub fn project_folder(model_folder: &Path, files: &Files) -> io::Result<Option<PathBuf>> {
    let whole = match files {
        Files::Memory(_) => model_folder.to_path_buf(),
        Files::Disk if model_folder.as_os_str().is_empty() => std::path::absolute(".")?,
        Files::Disk => std::path::absolute(model_folder)?,
    };
    let is_models =
        |folder: &&Path| folder.file_name().is_some_and(|name| name.eq_ignore_ascii_case("models"));
    let above = whole.ancestors().filter(is_models).filter_map(Path::parent);
    for root in above {
        let root = match files {
            Files::Disk => archive::game_folder(root),
            Files::Memory(_) => root,
        };
        if ["materials", "textures"].iter().any(|below| is_folder(files, &root.join(below)))
            || *files == Files::Disk && has_archives(root)?
        {
            return Ok(Some(root.to_path_buf()));
        }
    }
    Ok(None)
}

/// The game folder from which a name leads down to the model's folder: the parent of the folder
/// that is the first part of the path, as in `models/weapons/axe/skin`.
pub(super) fn game_folder(model_folder: &Path, name: &str) -> Option<PathBuf> {
    let (first, _) = name.trim_start_matches(['/', '\\']).split_once(['/', '\\'])?;
    let is_first = |folder: &&Path| {
        folder
            .file_name()
            .and_then(|own| own.to_str())
            .is_some_and(|own| own.eq_ignore_ascii_case(first))
    };
    model_folder.ancestors().find(is_first)?.parent().map(Path::to_path_buf)
}

/// True if a folder contains archives of a game.
fn has_archives(folder: &Path) -> io::Result<bool> {
    let names = listed(names_in(&Files::Disk, folder))?;
    Ok(!archive::of_folder(folder, names.into_iter().map(PathBuf::from)).is_empty())
}

/// Searches the textures of a shader name, first by its path from the folder of the model.
pub(super) fn find_from(
    folders: &mut Folders,
    folder: &Path,
    search: &[PathBuf],
    shader: &str,
) -> io::Result<Found> {
    if shader.contains("..")
        && let Some((base, way)) = from_folder(folder, shader)
    {
        let found = find(folders, &[base], &way.join("/"))?;
        if found.diffuse.is_some() {
            return Ok(found);
        }
    }
    find(folders, search, shader)
}

/// Searches the textures of a shader name.
pub(super) fn find(folders: &mut Folders, search: &[PathBuf], shader: &str) -> io::Result<Found> {
    let (mut found, mut broken) = (Found::default(), None);
    for suffix in DIFFUSE_SUFFIXES {
        match locate(folders, search, shader, suffix, &mut found.tried)? {
            Some((path, true)) => {
                folders.pass_over(broken.as_deref(), &path);
                found.take(folders, path)?;
                return Ok(found);
            }
            Some((path, false)) => broken = broken.or(Some(path)),
            None => {}
        }
    }
    if let Some(path) = broken {
        found.is_broken = true;
        found.take(folders, path)?;
    }
    Ok(found)
}

impl Found {
    /// The file of the texture of a role.
    pub(super) fn texture_mut(&mut self, role: TextureRole) -> &mut Option<PathBuf> {
        match role {
            TextureRole::Diffuse => &mut self.diffuse,
            TextureRole::Normal => &mut self.normal,
            TextureRole::Specular => &mut self.specular,
            TextureRole::Emissive => &mut self.emissive_map,
            TextureRole::MetallicRoughness => &mut self.metallic_roughness,
            TextureRole::Occlusion => &mut self.occlusion,
            layer => self.layers.get_mut(layer),
        }
    }

    /// Takes a diffuse texture, with the maps beside it.
    pub(super) fn take(&mut self, folders: &mut Folders, diffuse: PathBuf) -> io::Result<()> {
        self.normal = beside(folders, &diffuse, &NORMAL_SUFFIXES)?;
        self.specular = beside(folders, &diffuse, &SPECULAR_SUFFIXES)?;
        self.diffuse = Some(diffuse);
        Ok(())
    }
}

/// Searches the picture of a path, only by the first rule of the order.
pub(super) fn find_picture(
    folders: &mut Folders,
    search: &[PathBuf],
    path: &str,
) -> io::Result<Option<PathBuf>> {
    Ok(locate(folders, search, path, "", &mut Vec::new())?.map(|(path, _)| path))
}

/// The first picture of a name with a suffix, or the first file of that name if none is a picture,
/// and whether it is one; the names are added to those tried.
fn locate(
    folders: &mut Folders,
    search: &[PathBuf],
    name: &str,
    suffix: &str,
    tried: &mut Vec<String>,
) -> io::Result<Option<(PathBuf, bool)>> {
    let mut broken = None;
    let parts = parts(name);
    for start in 0..parts.len() {
        let Some((name, way)) = parts.get(start..).and_then(<[&str]>::split_last) else {
            continue;
        };
        let names = file_names(name, suffix);
        let path_of = |name: &str| [way, &[name]].concat().join("/");
        tried.extend(names.iter().map(|name| path_of(name)));
        for folder in search {
            match folders.picture(folder, way, &names)? {
                Some((path, true)) => {
                    folders.pass_over(broken.as_deref(), &path);
                    return Ok(Some((path, true)));
                }
                Some((path, false)) => broken = broken.or(Some(path)),
                None => {}
            }
        }
    }
    Ok(broken.map(|path| (path, false)))
}

/// The folders and the file of a shader name: no drive, no network share, nothing before the last
/// `..`.
fn parts(shader: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    for part in shader.trim().split(['/', '\\']).map(str::trim) {
        match part {
            ".." => parts.clear(),
            "" | "." => {}
            drive if drive.ends_with(':') => parts.clear(),
            part => parts.push(part),
        }
    }
    let extra = parts.len().saturating_sub(MAX_FOLDERS);
    parts.split_off(extra)
}

/// A file name up to its extension, and the extension if there is one.
fn split_extension(name: &str) -> (&str, Option<&str>) {
    match name.rsplit_once('.') {
        Some((stem, extension)) if !extension.is_empty() => (stem, Some(extension)),
        _ => (name, None),
    }
}

/// The candidate file names for a name, in search order.
fn file_names(name: &str, suffix: &str) -> Vec<String> {
    let (stem, extension) = split_extension(name);
    let mut names: Vec<String> = Vec::new();
    let mut push = |name: String| {
        if !names.contains(&name) {
            names.push(name);
        }
    };
    match extension {
        Some(extension) if is_texture(name) => push(format!("{stem}{suffix}.{extension}")),
        // An apparent extension may be a part of the name.
        _ => TEXTURES.iter().for_each(|known| push(format!("{name}{suffix}.{known}"))),
    }
    if !stem.is_empty() {
        TEXTURES.iter().for_each(|known| push(format!("{stem}{suffix}.{known}")));
    }
    names
}

/// The texture beside a diffuse texture whose name has another suffix.
fn beside(folders: &mut Folders, diffuse: &Path, suffixes: &[&str]) -> io::Result<Option<PathBuf>> {
    let name = diffuse.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let (stem, _) = split_extension(name);
    let lower = stem.to_ascii_lowercase();
    let suffix = DIFFUSE_SUFFIXES.iter().rev().find(|suffix| lower.ends_with(*suffix));
    let stem = stem.get(..stem.len() - suffix.map_or(0, |suffix| suffix.len())).unwrap_or(stem);
    let folder = diffuse.parent().unwrap_or(Path::new(""));
    for suffix in suffixes {
        let names = TEXTURES.map(|extension| format!("{stem}{suffix}.{extension}"));
        if let Some((path, _)) = folders.picture(folder, &[], &names)? {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests;
