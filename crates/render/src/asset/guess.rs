//! Guesses for a texture that no file has the name of.
//!
//! Input: the name, the path of the model, and the folders listed so far. Output: one file and the rule that found it. No picture is
//! opened here.
//!
//! # Order
//! 1. The file whose name has the same letters and digits, punctuation and case aside: `Bat_Albedo.jpg` is `batalbedo.dds`.
//! 2. The model's name, also with one of [`DIFFUSE_SUFFIXES`]; only if no other texture of the model is missing.
//! 3. The only picture in the model's folder, else in its folder `textures`, maps of relief and highlights aside; only if no other
//!    texture of the model is missing and no other model is in its folder.
//!
//! Of two files that fit one rule, neither is taken.

use super::folder::Folders;
use super::lookup::{DIFFUSE_SUFFIXES, NORMAL_SUFFIXES, SPECULAR_SUFFIXES};
use std::io;
use std::path::{Path, PathBuf};
use tintype_base::extension::{TEXTURES, has_extension, is_model};

/// Suffixes of maps that are no colour, beside those of relief and highlights.
const OTHER_SUFFIXES: [&str; 7] = ["_h", "_height", "_bump", "_glow", "_g", "_ao", "_gloss"];

/// A texture that was guessed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Guess {
    pub(super) path: PathBuf,
    /// Reason, as the end of a clause: `which is the only picture in its folder`.
    pub(super) rule: &'static str,
}

/// The folder of a model, and its folder of textures if it has one.
fn places(folders: &mut Folders, model: &Path) -> io::Result<Vec<PathBuf>> {
    let folder = model.parent().unwrap_or(Path::new(""));
    let below = folders.subfolder(folder, "textures")?;
    Ok(std::iter::once(folder.to_path_buf()).chain(below).collect())
}

/// Guesses the texture of a name; `is_alone` says whether no other texture of the model is missing.
pub(super) fn guess(
    folders: &mut Folders,
    model: &Path,
    name: &str,
    is_alone: bool,
) -> io::Result<Option<Guess>> {
    let places = places(folders, model)?;
    let wanted = letters(stem_of(name));
    if !wanted.is_empty() {
        for place in &places {
            let pictures = pictures(folders, place)?;
            let fits = |stem: &str| letters(stem) == wanted;
            if let Some(path) = only(folders, place, &pictures, fits)? {
                let rule = "whose name has the same letters";
                return Ok(Some(Guess { path, rule }));
            }
        }
    }
    if is_alone { by_place(folders, model, &places, true) } else { Ok(None) }
}

/// The texture of meshes without a shader name, by the second and third rule; `is_bare` says that all meshes of the model are such.
pub(super) fn guess_unnamed(
    folders: &mut Folders,
    model: &Path,
    is_bare: bool,
) -> io::Result<Option<Guess>> {
    let places = places(folders, model)?;
    by_place(folders, model, &places, is_bare)
}

/// The picture of the model's name; with `takes_any`, else the only picture.
fn by_place(
    folders: &mut Folders,
    model: &Path,
    places: &[PathBuf],
    takes_any: bool,
) -> io::Result<Option<Guess>> {
    let folder = model.parent().unwrap_or(Path::new(""));
    let own = model.file_stem().map(|stem| stem.to_string_lossy().to_lowercase());
    let own = own.unwrap_or_default();
    for place in places {
        let pictures = pictures(folders, place)?;
        for suffix in DIFFUSE_SUFFIXES {
            let fits = |stem: &str| stem == format!("{own}{suffix}");
            if let Some(path) = only(folders, place, &pictures, fits)? {
                return Ok(Some(Guess { path, rule: "which has the model's name" }));
            }
        }
    }
    let others = folders.names(folder)?.into_iter().filter(|name| is_model(name));
    if others.count() > 1 || !takes_any {
        return Ok(None);
    }
    for place in places {
        let pictures = pictures(folders, place)?;
        if pictures.is_empty() {
            continue;
        }
        let path = only(folders, place, &pictures, |stem| !is_other_map(stem))?;
        return Ok(path.map(|path| Guess { path, rule: "which is the only picture in its folder" }));
    }
    Ok(None)
}

/// The stems of the pictures in a folder, in small letters, each once.
fn pictures(folders: &mut Folders, folder: &Path) -> io::Result<Vec<String>> {
    let names = folders.names(folder)?.into_iter().filter(|name| has_extension(name, &TEXTURES));
    let mut stems: Vec<String> = names.map(|name| stem_of(&name).to_lowercase()).collect();
    stems.sort();
    stems.dedup();
    Ok(stems)
}

/// The file of the one stem that fits.
fn only(
    folders: &mut Folders,
    folder: &Path,
    stems: &[String],
    fits: impl Fn(&str) -> bool,
) -> io::Result<Option<PathBuf>> {
    let mut found = stems.iter().filter(|stem| fits(stem));
    let (Some(stem), None) = (found.next(), found.next()) else { return Ok(None) };
    for extension in TEXTURES {
        let path = folders.file(folder, &[&format!("{stem}.{extension}")])?;
        if path.is_some() {
            return Ok(path);
        }
    }
    Ok(None)
}

/// The file name of a path as a model writes it, without its extension.
fn stem_of(name: &str) -> &str {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Letters and digits of a name, in small letters.
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
        let model = tree.path().join("imp.x");
        let found = guess(&mut Folders::default(), &model, name, is_alone).unwrap()?;
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
    fn guess_takes_the_only_picture_of_the_only_model() {
        let files = ["imp.x", "skin.jpg", "skin_n.jpg", "skin_s.jpg", "notes.txt"];
        assert_eq!(path(&files, "default", true), "skin.jpg");
        assert_eq!(path(&files, "default", false), "none", "several are missing");
        assert_eq!(path(&["imp.x", "fox.md5mesh", "skin.jpg"], "default", true), "none");
        assert_eq!(path(&["imp.x", "skin.jpg", "wall.jpg"], "default", true), "none");
        assert_eq!(path(&["imp.x", "textures/skin.jpg"], "default", true), "textures/skin.jpg");
        assert_eq!(path(&["imp.x"], "default", true), "none");
    }
}
