//! Search for the pictures and materials that a model's file only names.

use super::MaterialResolver;
use super::look_up_key;
use super::report::MaterialOrigin;
use crate::asset::error::AssetError;
use crate::asset::file::Source;
use crate::asset::helper_surface::helper_surface;
use crate::asset::lookup::{self, Found};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tintype_base::diagnostic::Kind;
use tintype_base::path::path_of_text;
use tintype_model::{FileMaterial, Material, Model};

impl MaterialResolver<'_> {
    /// A picture of a file's material other than its first one, with the searched folders; without
    /// it, the material is drawn and a warning is reported.
    pub(super) fn further_picture(
        &mut self,
        texture: &str,
        own: &FileMaterial,
        model: &Model,
        source: &Source,
    ) -> Result<(Option<PathBuf>, Vec<PathBuf>), AssetError> {
        let (found, searched) = self.picture_of_file(texture, model, source)?;
        if found.diffuse.is_none() {
            let message =
                format!("no texture {texture:?} for material {:?}; drawn without it", own.name);
            self.warnings.push(source.warning(Kind::Material, message).as_stand_in());
        }
        Ok((found.diffuse, searched))
    }

    /// The picture that a file's material names: an embedded one, or a file to search for.
    pub(super) fn picture_of_file(
        &mut self,
        name: &str,
        model: &Model,
        source: &Source,
    ) -> Result<(Found, Vec<PathBuf>), AssetError> {
        let Some(embedded) = model.pictures.iter().find(|picture| picture.name == name) else {
            return self.search(name, source);
        };
        let path = source.path.join(name);
        self.requests.embed(path.clone(), Arc::clone(&embedded.bytes));
        Ok((Found { diffuse: Some(path), ..Found::default() }, Vec::new()))
    }

    pub(super) fn look_up(
        &mut self,
        shader: &str,
        mesh: &str,
        model: &Model,
        source: &Source,
    ) -> Result<usize, AssetError> {
        let key = look_up_key(shader, source);
        // Guesses apply to one model, and those of `.skin` files to one mesh.
        let of_model = (source.path.join("guess"), shader.to_owned());
        let of_mesh = (source.path.join("skin"), format!("{mesh}\n{shader}"));
        for key in [&key, &of_model, &of_mesh] {
            if let Some(&index) = self.looked_up.get(key) {
                return Ok(index);
            }
        }
        if let Some(index) = self.of_mtr(shader, source)? {
            return Ok(index);
        }
        let helper = helper_surface(shader);
        if let Some(helper) = helper.filter(|helper| helper.is_certain) {
            return Ok(self.of_helper(shader, helper, source));
        }
        let (mut found, mut searched) = self.search(shader, source)?;
        if found.diffuse.is_some() {
            return Ok(self.insert(
                key,
                Material::new(shader),
                MaterialOrigin::Found,
                found,
                searched,
            ));
        }
        if let Some((texture, note)) = self.of_skin_file(mesh, source)? {
            if let Some(helper) = helper_surface(&texture) {
                let index = self.undrawn(of_mesh, shader, MaterialOrigin::Helper);
                self.note(index, format!("{note}: {}", helper.purpose));
                return Ok(index);
            }
            (found, searched) = self.search(&texture, source)?;
            if found.diffuse.is_some() {
                let origin = MaterialOrigin::Guessed;
                let index = self.insert(of_mesh, Material::new(shader), origin, found, searched);
                self.note(index, note);
                return Ok(index);
            }
        }
        if let Some(helper) = helper {
            return Ok(self.of_helper(shader, helper, source));
        }
        if let Some(note) = self.take_guess(shader, model, source, &mut found)? {
            let origin = MaterialOrigin::Guessed;
            let index = self.insert(of_model, Material::new(shader), origin, found, searched);
            self.note(index, note);
            return Ok(index);
        }
        self.note_missing(shader, shader, source, &found.tried, &searched);
        Ok(self.insert(key, Material::new(shader), MaterialOrigin::Missing, found, searched))
    }

    /// Adds a note to the report of a material.
    pub(super) fn note(&mut self, index: usize, note: String) {
        if let Some(draft) = self.drafts.get_mut(index) {
            draft.report.notes.push(note);
        }
    }

    /// Guesses the diffuse texture of a name, with a note.
    pub(super) fn take_guess(
        &mut self,
        name: &str,
        model: &Model,
        source: &Source,
        found: &mut Found,
    ) -> Result<Option<String>, AssetError> {
        let Some(guess) = self.guess(name, false, model, source)? else { return Ok(None) };
        let file = guess.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        found.take(&mut self.folders, guess.path).map_err(|source_error| AssetError::Read {
            path: source.path.clone(),
            key: format!("the textures of {name:?}"),
            source: source_error,
        })?;
        Ok(Some(format!("no texture {name:?}; drawn with {file}, {}", guess.rule)))
    }

    /// The search folders that the scene names.
    pub(super) fn given_folders(&self) -> Vec<PathBuf> {
        let folder =
            |folder: &String| self.scene_folder.join(path_of_text(&folder.replace('\\', "/")));
        self.scene.texture_search.iter().map(folder).collect()
    }

    /// Searches for a texture in the folders of the scene, the model's and the scene's folder, then
    /// in the other texture folders of the model.
    pub(super) fn search(
        &mut self,
        name: &str,
        source: &Source,
    ) -> Result<(Found, Vec<PathBuf>), AssetError> {
        let model_folder = source.path.parent().unwrap_or(Path::new("")).to_path_buf();
        let failed = |source_error| AssetError::Read {
            path: model_folder.clone(),
            key: format!("the textures of {name:?}"),
            source: source_error,
        };
        let project = lookup::project_folder(&model_folder, &self.options.files).map_err(failed)?;
        let given: Vec<PathBuf> = (self.given_folders().into_iter())
            .chain([model_folder.clone(), self.scene_folder.to_path_buf()])
            .chain(project)
            .chain(lookup::game_folder(&model_folder, name))
            .collect();
        let given = given.iter().map(PathBuf::as_path);
        let mut searched = lookup::search_folders(&mut self.folders, given).map_err(failed)?;
        let found = lookup::find_from(&mut self.folders, &model_folder, &searched, name);
        let found = found.map_err(failed)?;
        if found.diffuse.is_some() && !found.is_broken {
            return Ok((found, searched));
        }
        let mut beside = self.folders.texture_folders(&model_folder).map_err(failed)?;
        beside.retain(|folder| !searched.contains(folder));
        let further = lookup::find(&mut self.folders, &beside, name).map_err(failed)?;
        searched.extend(beside);
        let Some(path) = further.diffuse.as_deref().filter(|_| !further.is_broken) else {
            let is_there = found.diffuse.is_some() || further.diffuse.is_none();
            return Ok((if is_there { found } else { further }, searched));
        };
        self.folders.pass_over(found.diffuse.as_deref(), path);
        Ok((further, searched))
    }
}
