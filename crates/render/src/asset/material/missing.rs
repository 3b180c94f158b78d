//! Textures that no file has the name of: guesses, `.skin` files, and warnings.

use super::missing_texture::MissingTexture;
use super::{MOST_NAMES, MaterialOrigin, MaterialResolver, grouped};
use crate::asset::error::AssetError;
use crate::asset::file::Source;
use crate::asset::guess::{Guess, guess, guess_unnamed};
use crate::asset::helper_surface::{HelperSurface, helper_surface};
use crate::asset::lookup::DIFFUSE_SUFFIXES;
use crate::asset::skin_file::{skin_names, texture_of};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tintype_model::Model;
use tintype_model::diagnostic::{Diagnostic, Kind, Place, one_line};
use tintype_model::disk::ShowPath;
use tintype_scene::{Shade, nearest_word};

/// Note of the warning for a missing texture.
pub const DRAWN_AS_CHECKER: &str = "drawn as a magenta checker";
/// Missing textures of a model that have a warning each.
const MOST_LINES: usize = 3;
/// A warning names this many of the shaders that miss a texture.
const MOST_SHADERS: usize = 3;

impl MaterialResolver<'_> {
    /// Notes a missing texture of a shader; for a shader that is itself the name, both are the same.
    pub(super) fn note_missing(
        &mut self,
        texture: &str,
        shader: &str,
        source: &Source,
        tried: &[String],
        searched: &[PathBuf],
    ) {
        let known = self.missing.iter_mut().find(|known| {
            known.texture.eq_ignore_ascii_case(texture) && known.model == source.path
        });
        match known {
            Some(known) if known.shaders.iter().any(|one| one == shader) => {}
            Some(known) => known.shaders.push(shader.to_owned()),
            None => self.missing.push(MissingTexture {
                texture: texture.to_owned(),
                shaders: vec![shader.to_owned()],
                model: source.path.clone(),
                tried: tried.to_vec(),
                searched: searched.to_vec(),
            }),
        }
    }

    /// Warns of the textures noted so far, each once.
    pub(super) fn warn_missing(&mut self) {
        let missing = std::mem::take(&mut self.missing);
        if self.scene.output.shade == Shade::Clay {
            return;
        }
        for missing in missing {
            let MissingTexture { texture, shaders, model, tried, searched } = &missing;
            // The same names with each suffix follow those without one.
            let plain = tried.len() / DIFFUSE_SUFFIXES.len();
            let names = grouped(tried.get(..plain).unwrap_or(tried));
            let more = match names.len().saturating_sub(MOST_NAMES) {
                0 => String::new(),
                more => format!(" and {more} more names"),
            };
            let names = match names.get(..MOST_NAMES).unwrap_or(&names) {
                [] => "no name".to_owned(),
                names => names.join(", "),
            };
            let shown = |folder: &PathBuf| match folder.as_os_str().is_empty() {
                true => ".".to_owned(),
                false => folder.shown().to_string(),
            };
            let folders: Vec<String> = searched.iter().map(shown).collect();
            let what = match shaders.as_slice() {
                [shader] if shader == texture => format!("no texture for shader {shader:?}"),
                shaders => format!("no texture {texture:?} for {}", shaders_text(shaders)),
            };
            let suffixes = DIFFUSE_SUFFIXES.get(1..).unwrap_or_default().join(", ");
            let tried = format!(
                "tried {}{more}, also with {suffixes}, in {}",
                one_line(&names),
                folders.join(", ")
            );
            let shader = shaders.first().map_or("", String::as_str);
            self.warnings.push(
                Diagnostic::warning(Kind::Material, Place::file(model, 0), what)
                    .with_note(DRAWN_AS_CHECKER)
                    .with_note(tried)
                    .with_help(Some(self.advice(shader)))
                    .as_stand_in(),
            );
        }
    }

    /// A way to give a shader its surface.
    fn advice(&self, shader: &str) -> String {
        let entries = self.scene.materials.iter().map(|entry| entry.name.as_str());
        match nearest_word(shader, entries) {
            Some(name) => format!("there is a [[material]] {name:?}"),
            None => match nearest_word(shader, self.library.names()) {
                Some(name) if name != shader => format!("a .mtr file has a material {name:?}"),
                _ => format!("a [[material]] with name = {shader:?} gives it a look"),
            },
        }
    }

    /// Guesses the texture of a name that is not found.
    ///
    /// # Errors
    /// [`AssetError::Read`] if a folder is there but cannot be listed.
    pub(super) fn guess(
        &mut self,
        name: &str,
        model: &Model,
        source: &Source,
    ) -> Result<Option<Guess>, AssetError> {
        let is_alone = self.count_missing(model, source)? == 1;
        guess(&mut self.folders, &source.path, name, is_alone).map_err(|source_error| {
            AssetError::Read {
                path: source.path.parent().unwrap_or(Path::new("")).to_path_buf(),
                key: format!("the textures of {name:?}"),
                source: source_error,
            }
        })
    }

    /// Guesses the texture of meshes without a shader name; `is_bare` says that all meshes of the model are such.
    pub(super) fn guess_unnamed(
        &mut self,
        is_bare: bool,
        model: &Model,
        source: &Source,
    ) -> Result<Option<Guess>, AssetError> {
        if self.count_missing(model, source)? > 0 {
            return Ok(None);
        }
        guess_unnamed(&mut self.folders, &source.path, is_bare).map_err(|source_error| {
            AssetError::Read {
                path: source.path.parent().unwrap_or(Path::new("")).to_path_buf(),
                key: "the texture of a mesh without a shader name".to_owned(),
                source: source_error,
            }
        })
    }

    /// The number of textures of a model that no file has the name of.
    fn count_missing(&mut self, model: &Model, source: &Source) -> Result<usize, AssetError> {
        let mut names = BTreeSet::new();
        for mesh in &model.meshes {
            let shader = mesh.shader.as_str();
            let is_plain = mesh.triangles.is_empty() || shader.trim().is_empty();
            if is_plain || self.entry_of(shader).is_some() {
                continue;
            }
            let name = match model.materials.iter().find(|own| own.name == shader) {
                Some(own) => match &own.diffuse {
                    Some(texture) => texture,
                    None => continue,
                },
                None if helper_surface(shader).is_some() => continue,
                None => shader,
            };
            names.insert(name.to_lowercase());
        }
        let mut count = 0;
        for name in names {
            count += usize::from(self.search(&name, source)?.0.diffuse.is_none());
        }
        Ok(count)
    }

    /// The texture that a `.skin` file beside the model gives a mesh, and a note that says so; the mesh is its name, and its number behind a line
    /// end.
    ///
    /// # Errors
    /// [`AssetError::Read`] if a folder or the file is there but cannot be read.
    pub(super) fn of_skin_file(
        &mut self,
        mesh: &str,
        source: &Source,
    ) -> Result<Option<(String, String)>, AssetError> {
        if mesh.is_empty() {
            return Ok(None);
        }
        let shown = mesh.split('\n').find(|part| !part.is_empty()).unwrap_or_default();
        let file = source.path.file_name().map(|name| name.to_string_lossy().into_owned());
        let stem = source.path.file_stem().map(|name| name.to_string_lossy().into_owned());
        let (file, stem) = (file.unwrap_or_default(), stem.unwrap_or_default());
        let folder = source.path.parent().unwrap_or(Path::new(""));
        for name in skin_names(&file, &stem) {
            let found = self.folders.file(folder, &[&name]).map_err(|error| AssetError::Read {
                path: folder.to_path_buf(),
                key: format!("the textures of mesh {shown:?}"),
                source: error,
            })?;
            let Some(path) = found else { continue };
            let key = format!("the textures of mesh {shown:?}");
            let (bytes, record) = Source { name, path, key }.read(self.options)?;
            let text = String::from_utf8_lossy(&bytes);
            let by_number = || texture_of(&text, mesh.rsplit_once('\n')?.1);
            let by_name = texture_of(&text, mesh.split('\n').next().unwrap_or_default());
            if let Some(texture) = by_name.or_else(by_number) {
                let note = format!("{texture:?} by mesh {shown:?} of {}", record.name);
                if !self.skins.iter().any(|known| known.path == record.path) {
                    self.skins.push(record);
                }
                return Ok(Some((texture.to_owned(), note)));
            }
        }
        Ok(None)
    }

    /// The material of a surface that engines do not draw.
    pub(super) fn of_helper(
        &mut self,
        shader: &str,
        helper: HelperSurface,
        source: &Source,
    ) -> usize {
        let key = super::look_up_key(shader, source);
        let purpose = helper.purpose;
        let message = format!("shader {shader:?} is not drawn: its name is that of {purpose}");
        self.warnings.push(
            Diagnostic::warning(Kind::Material, Place::file(&source.path, 0), message)
                .with_help(Some(format!("a [[material]] with name = {shader:?} draws it"))),
        );
        let index = self.undrawn(key, shader, MaterialOrigin::Helper);
        if let Some(draft) = self.drafts.get_mut(index) {
            draft.report.notes.push(format!("its name is that of {purpose}"));
        }
        index
    }
}

/// Puts the warnings for missing textures of a model into one where there are more than [`MOST_LINES`]: the first, with the names of
/// others.
pub(super) fn one_line_a_model(mut warnings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let is_missing = |one: &Diagnostic| one.is_stand_in && one.message.starts_with("no texture");
    let mut at = 0;
    while let Some(first) = warnings.get(at) {
        let place = first.place.clone();
        let is_own = |one: &Diagnostic| is_missing(one) && one.place == place;
        let names: Vec<String> = (warnings.iter().filter(|one| is_own(one)))
            .filter_map(|one| one.message.split('"').nth(1).map(|name| format!("{name:?}")))
            .collect();
        if is_own(first) && names.len() > MOST_LINES {
            let others: Vec<&str> = names.iter().skip(1).map(String::as_str).collect();
            let listed = others.get(..MOST_SHADERS).unwrap_or(&others);
            let more = match others.len() - listed.len() {
                0 => String::new(),
                more => format!(" and {more} others"),
            };
            let told = format!("; {} more are missing: {}{more}", others.len(), listed.join(", "));
            let mut index = 0;
            warnings.retain(|one| {
                index += 1;
                index <= at + 1 || !is_own(one)
            });
            if let Some(first) = warnings.get_mut(at) {
                first.message.push_str(&told);
            }
        }
        at += 1;
    }
    warnings
}

/// `shader "a"`, `shaders "a", "b" and 3 more`.
fn shaders_text(shaders: &[String]) -> String {
    let names: Vec<String> =
        shaders.iter().take(MOST_SHADERS).map(|one| format!("{one:?}")).collect();
    let noun = if shaders.len() == 1 { "shader" } else { "shaders" };
    match shaders.len().saturating_sub(MOST_SHADERS) {
        0 => format!("{noun} {}", names.join(", ")),
        more => format!("{noun} {} and {more} more", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_missing_textures_of_a_model_are_one_warning() {
        let missing = |model: &str, name: &str| {
            let message = format!("no texture {name:?} for material \"m\"");
            Diagnostic::warning(Kind::Material, Place::file(model, 0), message).as_stand_in()
        };
        let names = ["a", "b", "c", "d", "e", "f"];
        let of = |count: usize| -> Vec<Diagnostic> {
            names[..count].iter().map(|name| missing("x.glb", name)).collect()
        };
        let few = of(3);
        assert_eq!(one_line_a_model(few.clone()), few);
        let told = one_line_a_model([vec![missing("y.glb", "z")], of(6)].concat());
        assert_eq!(told.len(), 2);
        let wanted = "no texture \"a\" for material \"m\"; 5 more are missing: \"b\", \"c\", \"d\" and 2 others";
        assert_eq!(told[1].message, wanted);
    }
}
