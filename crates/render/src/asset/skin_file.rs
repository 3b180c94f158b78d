//! `.skin` files of models of the Quake family: a texture for each mesh, by the name of the mesh.
//!
//! Input: the text of a file and a mesh. Output: the texture as written. Lines are `mesh,texture`,
//! or `replace mesh texture` with optional quotes around the names; other lines, such as those of
//! tags, are ignored.
//!
//! # Source
//! Quake III Arena, `R_RegisterSkin` of `tr_image.c`; DarkPlaces, `Mod_LoadSkinFiles` of
//! `model_shared.c`.

/// File names tried beside a model, in order; the model is `file`, `stem` without its extension. A
/// player of Quake 3 has one of each part.
pub(super) fn skin_names(file: &str, stem: &str) -> Vec<String> {
    let mut names = vec![
        format!("{file}_0.skin"),
        format!("{stem}_0.skin"),
        format!("{stem}.skin"),
        format!("{stem}_default.skin"),
        "default.skin".to_owned(),
    ];
    if stem.eq_ignore_ascii_case("lower") {
        names.extend(["upper_default.skin", "head_default.skin"].map(str::to_owned));
    }
    names
}

/// The texture of a mesh; names are case-insensitive, and the first line counts.
pub(super) fn texture_of<'t>(text: &'t str, mesh: &str) -> Option<&'t str> {
    text.lines().find_map(|line| {
        let (name, texture) = pair(line)?;
        (name.eq_ignore_ascii_case(mesh) && !texture.is_empty()).then_some(texture)
    })
}

/// Mesh and texture of a line.
fn pair(line: &str) -> Option<(&str, &str)> {
    let line = line.split("//").next().unwrap_or_default().trim();
    if let Some(rest) =
        line.strip_prefix("replace").filter(|rest| rest.starts_with([' ', '\t', '"']))
    {
        let (name, rest) = word(rest)?;
        return Some((name, word(rest)?.0));
    }
    let (name, texture) = line.split_once(',')?;
    Some((name.trim().trim_matches('"'), texture.trim().trim_matches('"')))
}

/// The first word of a text, in quotes or up to a space, and the rest.
fn word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    match text.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"'),
        None if text.is_empty() => None,
        None => Some(text.split_once(char::is_whitespace).unwrap_or((text, ""))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skin_file_gives_the_texture_of_a_mesh() {
        let text = "tag_head,\r\nu_torso,models/players/imp/skin.tga // of the body\r\n\
                    \"l_legs\" , \"models/imp/legs\"\nreplace \"head mesh\" \"models/imp/head\"\nreplace hat models/hat\n\
                    U_Torso,second\nreplaced,x\n";
        assert_eq!(texture_of(text, "U_TORSO"), Some("models/players/imp/skin.tga"));
        assert_eq!(texture_of(text, "l_legs"), Some("models/imp/legs"));
        assert_eq!(texture_of(text, "head mesh"), Some("models/imp/head"));
        assert_eq!(texture_of(text, "hat"), Some("models/hat"));
        assert_eq!(texture_of(text, "replaced"), Some("x"));
        assert_eq!(texture_of(text, "tag_head"), None);
        assert_eq!(texture_of(text, "tail"), None);
        assert_eq!(texture_of("replace \"a", "a"), None);
    }
}
