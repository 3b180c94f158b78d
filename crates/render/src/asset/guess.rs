//! Guesses for a texture whose name has no file.
//!
//! Input: the name, the path of the model, and the folders listed so far. Output: one file and the
//! rule that found it. No picture is opened here.
//!
//! # Order
//! 1. The file whose name has the same letters and digits, ignoring punctuation and case:
//!    `Bat_Albedo.jpg` is `batalbedo.dds`.
//! 2. The model's name, also with one of [`DIFFUSE_SUFFIXES`] or `0`; only if no other texture of
//!    the model is missing.
//! 3. The only picture in the model's folder, or otherwise in a folder of textures in it or
//!    beside it, ignoring normal and specular maps; only if no texture of the model is found, there
//!    is no other model, and the picture is not a strip of several pictures.
//!
//! The searched folders are those named by the scene, the model's folder, and texture folders in it
//! and beside it; for the first two rules also folders in these named after the model. If two files
//! fit the same rule, neither is used.

use super::archive::canonical;
use super::folder::Folders;
use super::folder::direct;
use super::lookup::{DIFFUSE_SUFFIXES, NORMAL_SUFFIXES, SPECULAR_SUFFIXES};
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use tintype_base::extension::{TEXTURES, has_extension, is_model};
use tintype_base::path::path_of_text;

/// Suffixes of maps other than colour, beside those of normal and specular maps.
const OTHER_SUFFIXES: [&str; 7] = ["_h", "_height", "_bump", "_glow", "_g", "_ao", "_gloss"];

/// A texture that was guessed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Guess {
    pub(super) path: PathBuf,
    /// Reason, as the end of a clause: `the only picture in its folder`.
    pub(super) rule: &'static str,
}

/// The rules that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rules {
    /// The second.
    pub(super) of_model: bool,
    /// The third.
    pub(super) only: bool,
}

/// The folders where the pictures of a model are guessed.
struct Places {
    /// The folder of the model, then texture folders in it and beside it.
    own: Vec<PathBuf>,
    /// The given folders, then these, each with its subfolder of the model's name.
    all: Vec<PathBuf>,
}

impl Places {
    fn new(folders: &mut Folders, model: &Path, given: &[PathBuf]) -> io::Result<Self> {
        let folder = model.parent().unwrap_or(Path::new(""));
        let mut own = vec![folder.to_path_buf()];
        own.extend(folders.texture_folders(folder)?);
        let name = stem_of_path(model);
        let mut all = Vec::new();
        for place in given.iter().chain(&own) {
            let below = folders.subfolder(place, &name)?;
            all.extend(std::iter::once(place.clone()).chain(below));
        }
        Ok(Self { own, all })
    }
}

/// Guesses the texture of a name, which is empty for meshes without one; `given` are folders named
/// by the scene.
pub(super) fn guess(
    folders: &mut Folders,
    model: &Path,
    given: &[PathBuf],
    name: &str,
    rules: Rules,
) -> io::Result<Option<Guess>> {
    let places = Places::new(folders, model, given)?;
    let wanted = letters(stem_of(name));
    if !wanted.is_empty() {
        for place in &places.all {
            let pictures = pictures(folders, place)?;
            let fits = |stem: &str| letters(stem) == wanted;
            if let Some(path) = only(folders, place, &pictures, fits)? {
                let rule = "which has a similar name";
                return Ok(Some(Guess { path, rule }));
            }
        }
    }
    let of_model = if rules.of_model { of_model(folders, model, &places)? } else { None };
    match of_model {
        None if rules.only => only_picture(folders, model, &places),
        found => Ok(found),
    }
}

/// The picture of the model's name.
fn of_model(folders: &mut Folders, model: &Path, places: &Places) -> io::Result<Option<Guess>> {
    let own = stem_of_path(model).to_lowercase();
    for place in &places.all {
        let pictures = pictures(folders, place)?;
        // The first of the numbered skins of games is the default.
        for suffix in DIFFUSE_SUFFIXES.into_iter().chain(["0"]) {
            let fits = |stem: &str| stem == format!("{own}{suffix}");
            if let Some(path) = only(folders, place, &pictures, fits)? {
                return Ok(Some(Guess { path, rule: "named like the model" }));
            }
        }
    }
    Ok(None)
}

/// The only picture, if it can only belong to this model.
fn only_picture(folders: &mut Folders, model: &Path, places: &Places) -> io::Result<Option<Guess>> {
    let folder = model.parent().unwrap_or(Path::new(""));
    if models(folders, folder)?.len() > 1 {
        return Ok(None);
    }
    for place in &places.own {
        let pictures = pictures(folders, place)?;
        if pictures.is_empty() {
            continue;
        }
        if !place.starts_with(folder) && has_other_models(folders, folder)? {
            return Ok(None);
        }
        let path = only(folders, place, &pictures, |stem| !is_other_map(stem))?;
        let path = path.filter(|path| !folders.is_strip(path));
        return Ok(path.map(|path| Guess { path, rule: "the only picture in its folder" }));
    }
    Ok(None)
}

/// The names of the models in a folder, in lower case, without their extensions: one may exist in
/// several formats.
fn models(folders: &mut Folders, folder: &Path) -> io::Result<BTreeSet<String>> {
    let names = folders.names(folder)?.into_iter().filter(|name| is_model(name));
    Ok(names.map(|name| stem_of(&name).to_lowercase()).collect())
}

/// True if there are models beside the folder of a model, which may use the same texture folder.
fn has_other_models(folders: &mut Folders, folder: &Path) -> io::Result<bool> {
    let above = direct(folder.join(".."));
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let own = canonical(here).unwrap_or_else(|_| folder.to_path_buf());
    if !models(folders, &above)?.is_empty() {
        return Ok(true);
    }
    for name in folders.names(&above)? {
        let beside = above.join(path_of_text(&name));
        let is_own = own.file_name().is_some_and(|own| own.to_string_lossy() == name);
        if !is_own && folders.has(&beside) && !models(folders, &beside)?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The unique lower-case stems of the pictures in a folder, without pictures that were rendered
/// from a model into its folder.
fn pictures(folders: &mut Folders, folder: &Path) -> io::Result<Vec<String>> {
    let names = folders.names(folder)?.into_iter().filter(|name| has_extension(name, &TEXTURES));
    let names = names.filter(|name| !folders.is_drawn(&folder.join(path_of_text(name))));
    let mut stems: Vec<String> = names.map(|name| stem_of(&name).to_lowercase()).collect();
    stems.sort();
    stems.dedup();
    Ok(stems)
}

/// The file of the only matching stem.
fn only(
    folders: &mut Folders,
    folder: &Path,
    stems: &[String],
    fits: impl Fn(&str) -> bool,
) -> io::Result<Option<PathBuf>> {
    let mut found = stems.iter().filter(|stem| fits(stem));
    let (Some(stem), None) = (found.next(), found.next()) else { return Ok(None) };
    let names = TEXTURES.map(|extension| format!("{stem}.{extension}"));
    Ok(folders.picture(folder, &[], &names)?.map(|(path, _)| path))
}

/// The file name of a model without its extension.
fn stem_of_path(model: &Path) -> String {
    model.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The file name of a path in a model, without its extension.
fn stem_of(name: &str) -> &str {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Letters and digits of a name, in lower case.
fn letters(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn is_other_map(stem: &str) -> bool {
    let all = NORMAL_SUFFIXES.iter().chain(&SPECULAR_SUFFIXES).chain(&OTHER_SUFFIXES);
    all.into_iter().any(|suffix| stem.ends_with(suffix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn guessed(files: &[&str], name: &str, is_alone: bool) -> Option<(String, &'static str)> {
        let tree = tempfile::tempdir().unwrap();
        for file in files {
            let path = tree.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, b"").unwrap();
        }
        let rules = Rules { of_model: is_alone, only: is_alone || name == "all" };
        guessed_in(&tree, "imp.x", &[], name, rules)
    }

    fn guessed_in(
        tree: &tempfile::TempDir,
        model: &str,
        given: &[&str],
        name: &str,
        rules: Rules,
    ) -> Option<(String, &'static str)> {
        let model = tree.path().join(model);
        let given: Vec<PathBuf> = given.iter().map(|folder| tree.path().join(folder)).collect();
        let found = guess(&mut Folders::default(), &model, &given, name, rules).unwrap()?;
        let path = found.path.strip_prefix(tree.path()).unwrap().to_str().unwrap().to_owned();
        Some((path, found.rule))
    }

    fn path(files: &[&str], name: &str, is_alone: bool) -> String {
        guessed(files, name, is_alone).map_or("none".to_owned(), |(path, _)| path)
    }

    #[test]
    fn guess_takes_the_same_letters_first() {
        let files = ["imp.x", "batalbedo.dds", "imp.png"];
        assert_eq!(path(&files, r"c:\art\Bat_Albedo.jpg", true), "batalbedo.dds");
        assert_eq!(path(&files, "Bat-Albedo", false), "batalbedo.dds");
        assert_eq!(path(&["imp.x", "bat_1.png", "bat-1.png"], "bat1", false), "none", "two fit");
        assert_eq!(path(&["imp.x", "bat_1.png", "bat_1.tga"], "bat1", false), "bat_1.png");
        assert_eq!(path(&["imp.x", "textures/bat_1.png"], "BAT 1", false), "textures/bat_1.png");
        assert_eq!(path(&["imp.x", "_.png", "-.png"], "...", false), "none");
    }

    #[test]
    fn guess_takes_the_name_of_the_model_for_one_texture() {
        let files = ["imp.x", "other.x", "imp_n.png", "IMP_Diffuse.TGA", "wall.png"];
        assert_eq!(path(&files, "default", true), "IMP_Diffuse.TGA");
        assert_eq!(path(&files, "default", false), "none", "several are missing");
        assert_eq!(path(&["imp.x", "o.x", "imp.png", "imp_d.png"], "default", true), "imp.png");
    }

    #[test]
    fn guess_takes_no_picture_that_was_drawn_of_the_model() {
        for name in ["imp.png", "want.png"] {
            let tree = tempfile::tempdir().unwrap();
            fs::write(tree.path().join("imp.x"), b"").unwrap();
            fs::write(tree.path().join(name), b"\x89PNG tEXttintype:frame\x000").unwrap();
            let rules = Rules { of_model: true, only: true };
            assert_eq!(guessed_in(&tree, "imp.x", &[], "default", rules), None);
        }
    }

    #[test]
    fn guess_takes_the_only_picture_of_the_only_model() {
        let files = ["imp.x", "skin.jpg", "skin_n.jpg", "skin_s.jpg", "notes.txt"];
        assert_eq!(path(&files, "default", true), "skin.jpg");
        assert_eq!(path(&files, "default", false), "none", "several are missing");
        assert_eq!(path(&["imp.x", "fox.md5mesh", "skin.jpg"], "default", true), "none");
        assert_eq!(path(&["imp.x", "skin.jpg", "wall.jpg"], "default", true), "none");
        assert_eq!(path(&["imp.x", "textures/skin.jpg"], "default", true), "textures/skin.jpg");
        assert_eq!(path(&["imp.x"], "default", true), "none");
        // All textures of the model are missing.
        assert_eq!(path(&["imp.x", "imp.obj", "skin.jpg"], "all", false), "skin.jpg");
        assert_eq!(path(&["imp.x", "dog.obj", "skin.jpg"], "all", false), "none", "it is shared");
        let strip = tempfile::tempdir().unwrap();
        let rules = Rules { of_model: true, only: true };
        for (width, expected) in [(32, Some("skin.png")), (64, None)] {
            let mut bytes = format!("P5 {width} 16 255\n").into_bytes();
            bytes.extend(vec![9; width * 16]);
            fs::write(strip.path().join("skin.png"), &bytes).unwrap();
            let found = guessed_in(&strip, "imp.x", &[], "default", rules);
            assert_eq!(found.as_ref().map(|(path, _)| path.as_str()), expected, "{width}");
        }
    }

    #[test]
    fn guess_looks_in_folders_of_textures_below_and_beside() {
        let rules = Rules { of_model: true, only: true };
        let tree = tempfile::tempdir().unwrap();
        let found = |given: &[&str], file: &str, more: &[&str]| {
            for path in [&[file], more].concat() {
                let path = tree.path().join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, b"").unwrap();
            }
            let found = guessed_in(&tree, "lib/models/imp.x", given, "blinn", rules);
            for path in fs::read_dir(tree.path()).unwrap() {
                fs::remove_dir_all(path.unwrap().path()).unwrap();
            }
            found.is_some_and(|(path, _)| path == file)
        };
        let model = "lib/models/imp.x";
        for file in [
            "lib/textures/imp.png",
            "lib/TGA/Imp.tga",
            "lib/models/texture/imp.jpg",
            "lib/models/skins/imp_d.webp",
            "lib/materials/imp/imp.png",
            "lib/textures/other.png",
        ] {
            assert!(found(&[], file, &[model]), "{file}");
        }
        assert!(!found(&[], "lib/textures/other.png", &[model, "lib/others/dog.x"]), "shared");
        assert!(!found(&[], "lib/sounds/imp.png", &[model]), "no folder of textures");
        assert!(found(&["given"], "given/imp.png", &[model, "lib/textures/imp.png"]));
    }
}
