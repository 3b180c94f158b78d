//! Kinds of files by their extensions, ignoring case. The content of a file decides what it really
//! is.

use std::path::Path;

/// Models.
pub const MODELS: [&str; 15] = [
    "md5mesh", "x", "gltf", "glb", "vrm", "fbx", "obj", "iqm", "md2", "md3", "mdl", "3ds", "b3d",
    "stl", "ply",
];
/// Files of clips and cameras without a model.
pub const MOTIONS: [&str; 3] = ["md5anim", "md5camera", "vrma"];
/// Files that name materials, buffers, skins, palettes and clips of models.
pub const PARTS: [&str; 6] = ["mtr", "mtl", "bin", "skin", "lmp", "cfg"];
/// Pictures, in the order in which the extensions are tried for a name without one.
pub const TEXTURES: [&str; 8] = ["png", "tga", "jpg", "jpeg", "bmp", "dds", "webp", "ktx2"];
/// Other picture extensions, which are accepted in a name but never tried.
pub const OTHER_TEXTURES: [&str; 6] = ["gif", "pcx", "ppm", "pgm", "pbm", "pam"];
/// Panoramas.
pub const PANORAMAS: [&str; 1] = ["hdr"];
/// The archive of the games that MD5 comes from, searched before others.
pub const GAME_ARCHIVE: &str = "pk4";
/// Archives that are folders.
pub const ARCHIVES: [&str; 2] = [GAME_ARCHIVE, "zip"];
/// Scenes, settings and records.
pub const SCENES: [&str; 1] = ["toml"];

/// True if a file name has one of these extensions.
#[must_use]
pub fn has_extension(path: impl AsRef<Path>, known: &[&str]) -> bool {
    let own = path.as_ref().extension().and_then(|own| own.to_str());
    own.is_some_and(|own| known.iter().any(|known| own.eq_ignore_ascii_case(known)))
}

/// The extensions of models as a list in words, with `last` before the last one.
#[must_use]
pub fn models_text(last: &str) -> String {
    let [first @ .., end] = &MODELS;
    format!(".{} {last} .{end}", first.join(", ."))
}

/// True if a file name is that of a model.
#[must_use]
pub fn is_model(path: impl AsRef<Path>) -> bool {
    has_extension(path, &MODELS)
}

/// True if the name is that of an MD5 model, whose clips are in separate files.
#[must_use]
pub fn is_md5_model(path: impl AsRef<Path>) -> bool {
    has_extension(path, &["md5mesh"])
}

/// True if a file name is that of a picture.
#[must_use]
pub fn is_texture(path: impl AsRef<Path>) -> bool {
    [&TEXTURES[..], &OTHER_TEXTURES].iter().any(|known| has_extension(path.as_ref(), known))
}

/// True if a file name is that of an input of models and scenes.
#[must_use]
pub fn is_input(path: impl AsRef<Path>) -> bool {
    let path = path.as_ref();
    let kinds: [&[&str]; 6] = [&MODELS, &MOTIONS, &PARTS, &PANORAMAS, &ARCHIVES, &SCENES];
    is_texture(path) || kinds.iter().any(|known| has_extension(path, known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_extensions_of_any_case() {
        assert!(is_model("a/Knight.GLB") && is_md5_model("b.md5mesh") && !is_model("glb"));
        assert!(is_texture("skin.TGA") && is_texture("x.ppm") && !is_texture("x.hdr"));
        assert!(is_input("x.hdr") && is_input("a.mtr") && is_input("walk.toml"));
        assert!(!is_input("notes.md") && !is_input("Makefile"));
    }
}
