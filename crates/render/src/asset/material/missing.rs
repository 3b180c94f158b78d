//! Textures without a file of their name: guesses, `.skin` files, and warnings.

use super::missing_texture::MissingTexture;
use super::{MAX_NAMES, MaterialOrigin, MaterialResolver, grouped};
use crate::asset::error::AssetError;
use crate::asset::file::Source;
use crate::asset::guess::{Guess, Rules, guess};
use crate::asset::helper_surface::{HelperSurface, helper_surface};
use crate::asset::lookup::DIFFUSE_SUFFIXES;
use crate::asset::skin_file::{skin_names, texture_of};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tintype_base::diagnostic::{Diagnostic, Kind, Place};
use tintype_base::path::ShowPath;
use tintype_base::printable::one_line;
use tintype_base::suggest::nearest_word;
use tintype_model::Model;
use tintype_scene::{MissingLook, Shade};

/// Maximum number of shaders with a missing texture, or of missing textures of a model, named in a
/// warning.
const MAX_SHADERS: usize = 3;

/// Note of the warning for a missing texture.
fn note_of(look: MissingLook) -> &'static str {
    match look {
        MissingLook::Grey => "drawn plain grey",
        MissingLook::Checker => "drawn as a magenta checker",
    }
}

impl MaterialResolver<'_> {
    /// Notes a missing texture of a shader; for a shader that is itself the name, both are the
    /// same.
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

    /// Warns about the textures noted so far, each once; many of one model in one warning.
    pub(super) fn warn_missing(&mut self) {
        let missing = std::mem::take(&mut self.missing);
        if self.scene.output.shade == Shade::Clay {
            return;
        }
        let of_models = missing.chunk_by(|one, next| one.model == next.model);
        let in_groups = of_models.flat_map(|all| {
            if all.len() > MAX_SHADERS { vec![all] } else { all.chunks(1).collect() }
        });
        for group in in_groups {
            let [MissingTexture { texture, shaders, model, tried, searched }, ..] = group else {
                continue;
            };
            // The same names with each suffix follow those without one.
            let plain = tried.len() / DIFFUSE_SUFFIXES.len();
            let names = grouped(tried.get(..plain).unwrap_or(tried));
            let more = match names.len().saturating_sub(MAX_NAMES) {
                0 => String::new(),
                more => format!(" and {more} more names"),
            };
            let names = match names.get(..MAX_NAMES).unwrap_or(&names) {
                [] => "no name".to_owned(),
                names => names.join(", "),
            };
            let shown = |folder: &PathBuf| {
                if folder.as_os_str().is_empty() { ".".to_owned() } else { folder.shown() }
            };
            let folders: Vec<String> = searched.iter().map(shown).collect();
            let what = match shaders.as_slice() {
                _ if group.len() > 1 => {
                    let all: Vec<String> = group.iter().map(|one| one.texture.clone()).collect();
                    format!("no texture for {} names: {}", all.len(), some_of(&all))
                }
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
            let warning = Diagnostic::warning(Kind::Material, Place::file(model, 0), what)
                .with_note(note_of(self.scene.missing_look()))
                .with_note(tried)
                .as_stand_in();
            let warning = self.advised(warning, shader);
            self.warnings.push(warning);
        }
    }

    /// The warning with advice for defining the surface of a shader.
    fn advised(&self, warning: Diagnostic, shader: &str) -> Diagnostic {
        let entries = self.scene.materials.iter().map(|entry| entry.name.as_str());
        if let Some(name) = nearest_word(shader, entries) {
            return warning.with_scene_help(format!("did you mean the [[material]] {name:?}?"));
        }
        match nearest_word(shader, self.library.names()) {
            Some(name) if name != shader => warning
                .with_help(Some(format!("did you mean the material {name:?} of a .mtr file?"))),
            _ => warning
                .with_scene_help(format!("add a [[material]] with name = {shader:?} to set it")),
        }
    }

    /// Guesses the texture of a name that was not found or, without a name, that of meshes without
    /// a shader name; `is_bare` means that all meshes of the model are unnamed.
    ///
    /// # Errors
    /// [`AssetError::Read`] if a folder exists and cannot be listed.
    pub(super) fn guess(
        &mut self,
        name: &str,
        is_bare: bool,
        model: &Model,
        source: &Source,
    ) -> Result<Option<Guess>, AssetError> {
        let [missing, all] = self.count_missing(model, source)?;
        if name.is_empty() && missing > 0 {
            return Ok(None);
        }
        let of_model = name.is_empty() || missing == 1;
        let only = if name.is_empty() { is_bare } else { missing == 1 || missing == all };
        let (given, rules) = (self.given_folders(), Rules { of_model, only });
        guess(&mut self.folders, &source.path, &given, name, rules).map_err(|source_error| {
            AssetError::Read {
                path: source.path.parent().unwrap_or(Path::new("")).to_path_buf(),
                key: format!("the textures of {name:?}"),
                source: source_error,
            }
        })
    }

    /// The number of missing textures of a model, and of all.
    fn count_missing(&mut self, model: &Model, source: &Source) -> Result<[usize; 2], AssetError> {
        let mut names = BTreeSet::new();
        for mesh in &model.meshes {
            let shader = mesh.material_name.as_str();
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
        for name in &names {
            count += usize::from(self.search(name, source)?.0.diffuse.is_none());
        }
        Ok([count, names.len()])
    }

    /// The texture of a mesh in a `.skin` file beside the model, with a note about it; the mesh is
    /// given by its name, followed by a line end and its number.
    ///
    /// # Errors
    /// [`AssetError::Read`] if a folder or the file exists and cannot be read.
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
                let note = format!("{texture:?}, from mesh {shown:?} in {}", record.name);
                if !self.skins.iter().any(|known| known.path == record.path) {
                    self.skins.push(record);
                }
                return Ok(Some((texture.to_owned(), note)));
            }
        }
        Ok(None)
    }

    /// The material of a surface not drawn by engines.
    pub(super) fn of_helper(
        &mut self,
        shader: &str,
        helper: HelperSurface,
        source: &Source,
    ) -> usize {
        let key = super::look_up_key(shader, source);
        let purpose = helper.purpose;
        let message = format!("shader {shader:?} is not drawn: its name marks {purpose}");
        self.warnings.push(
            source
                .warning(Kind::Material, message)
                .with_scene_help(format!("to draw it, add a [[material]] with name = {shader:?}")),
        );
        let index = self.undrawn(key, shader, MaterialOrigin::Helper);
        if let Some(draft) = self.drafts.get_mut(index) {
            draft.report.notes.push(format!("its name marks {purpose}"));
        }
        index
    }
}

/// `shader "a"`, `shaders "a", "b" and 3 more`.
fn shaders_text(shaders: &[String]) -> String {
    let noun = if shaders.len() == 1 { "shader" } else { "shaders" };
    format!("{noun} {}", some_of(shaders))
}

/// `"a", "b" and 3 more`.
fn some_of(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(MAX_SHADERS).map(|one| format!("{one:?}")).collect();
    match names.len().saturating_sub(MAX_SHADERS) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
