//! Surfaces that engines of the Quake family do not draw, known by their shader names.
//!
//! Input: the shader name of a mesh. Output: the purpose of the surface, and true if a texture of
//! that name changes it.

/// A surface that is not drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HelperSurface {
    /// Purpose, for people.
    pub(super) purpose: &'static str,
    /// True if it is not drawn even if a texture of that name exists, because editors show one.
    pub(super) is_certain: bool,
}

/// File names of surfaces for tools.
const TOOLS: [(&str, &str); 21] = [
    ("caulk", "caulk"),
    ("nodraw", "a surface that is not drawn"),
    ("nodrawnonsolid", "a surface that is not drawn"),
    ("invisible", "a surface that is not drawn"),
    ("clip", "a collision hull"),
    ("full_clip", "a collision hull"),
    ("weapclip", "a collision hull"),
    ("playerclip", "a collision hull"),
    ("player_clip", "a collision hull"),
    ("monsterclip", "a collision hull"),
    ("monster_clip", "a collision hull"),
    ("botclip", "a collision hull"),
    ("aasclip", "a collision hull"),
    ("collision", "a collision hull"),
    ("trigger", "a trigger"),
    ("hint", "a surface for the compiler of maps"),
    ("skip", "a surface for the compiler of maps"),
    ("areaportal", "a surface for the compiler of maps"),
    ("visportal", "a surface for the compiler of maps"),
    ("shadowcaulk", "a shadow caster"),
    ("origin", "a marker"),
];
/// Names of `textures/common` that are seen.
const SEEN: [&str; 6] = ["black", "white", "glass", "mirror", "grey", "gray"];

/// The purpose of a shader name for an invisible surface.
pub(super) fn helper_surface(shader: &str) -> Option<HelperSurface> {
    let plain = shader.trim().replace('\\', "/").to_lowercase();
    let (folder, file) = plain.rsplit_once('/').unwrap_or(("", &plain));
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let is_common = folder == "common" || folder.ends_with("textures/common");
    let certain = |purpose| Some(HelperSurface { purpose, is_certain: true });
    let if_missing = |purpose| Some(HelperSurface { purpose, is_certain: false });
    let is_word = |word: &str| {
        stem.split(|letter: char| !letter.is_ascii_alphabetic()).any(|part| part == word)
    };
    if stem == "caulk" || stem == "nodraw" || stem == "nodrawnonsolid" || is_common {
        return match TOOLS.iter().find(|(name, _)| *name == stem) {
            Some((_, purpose)) => certain(purpose),
            None if SEEN.contains(&stem) => None,
            None if stem.contains("shadow") => certain("a shadow caster"),
            None => if_missing("a surface for tools"),
        };
    }
    let is_prefix = |word: &str| {
        stem.split(|letter: char| !letter.is_ascii_alphabetic()).any(|part| part.starts_with(word))
    };
    let is_flash = ["muzzleflash", "muzzle_flash", "muzflash", "gunflash"];
    if is_flash.iter().any(|word| stem.contains(word)) || is_prefix("mflash") || is_word("muzzle") {
        return if_missing("a muzzle flash");
    }
    if is_word("fx") || is_word("sfx") || is_word("vfx") {
        return if_missing("an effect");
    }
    if is_word("shadow") || stem.ends_with("shadow") || is_word("shadowcaster") {
        return if_missing("a shadow caster");
    }
    match stem {
        "collision" | "playerclip" | "weapclip" | "monsterclip" => if_missing("a collision hull"),
        _ if is_word("collision") || is_word("ucx") => if_missing("a collision hull"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helper_surfaces_are_known_by_their_names() {
        let certain = |shader| helper_surface(shader).map(|found| found.is_certain);
        for shader in [
            "textures/common/caulk",
            r"textures\common\NoDraw.tga",
            "caulk",
            "models/weapons/nodraw",
            "textures/common/shadow2",
            "common/clip",
        ] {
            assert_eq!(certain(shader), Some(true), "{shader}");
        }
        for shader in [
            "models/weapons/shotgun/muzzleflash",
            "models/monsters/imp/imp_shadow",
            "shadow",
            "pistol_mflash2",
            "models/weapons/mflashb",
            "rocket_fx",
            "fx_glow2",
            "UCX_box",
            "collision",
            "textures/common/unheard_of",
        ] {
            assert_eq!(certain(shader), Some(false), "{shader}");
        }
        for shader in [
            "models/shadowknight/skin",
            "shadows_of_rome",
            "textures/common/black",
            "models/imp/skin",
            "clipboard",
            "fxhash",
            "trigger_happy",
            "paperclip",
            "",
        ] {
            assert_eq!(certain(shader), None, "{shader}");
        }
    }
}
