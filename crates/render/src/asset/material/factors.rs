//! The texture of roughness and metal that is made of a picture of each, as programs write it that keep them apart.

use super::MaterialResolver;
use crate::asset::AssetError;
use crate::asset::file::Source;
use crate::asset::texture::{TextureRequest, TextureUse};
use std::path::PathBuf;
use tintype_formats::mtr::{Change, ImageProgram};
use tintype_model::{AlphaMode, FactorPictures, FileMaterial, Model, TextureRole};

/// The engine's own picture that is white all over, for a factor that has none.
const WHITE: &str = "_white";
/// Green is the roughness, blue the metal.
const ROUGHNESS: [f64; 4] = [0.0, 1.0, 0.0, 1.0];
const METAL: [f64; 4] = [0.0, 0.0, 1.0, 0.0];

impl MaterialResolver<'_> {
    /// The first file of the texture and its request, which clay has none of; none if neither picture is there.
    ///
    /// # Errors
    /// [`AssetError::Read`] if a folder is there but cannot be listed.
    pub(super) fn factors(
        &mut self,
        pictures: &FactorPictures,
        own: &FileMaterial,
        model: &Model,
        source: &Source,
    ) -> Result<Option<(Option<PathBuf>, Option<TextureRequest>)>, AssetError> {
        let mut sources: Vec<(String, Source)> = Vec::new();
        let mut part = |texture: &Option<String>, word: &str| {
            let Some(texture) = texture else { return Ok(ImageProgram::Path(WHITE.to_owned())) };
            let (path, _) = self.further_picture(texture, own, model, source)?;
            let Some(path) = path else { return Ok(ImageProgram::Path(WHITE.to_owned())) };
            let name = format!("{} {word}", own.name);
            let key = format!("the {word} texture of shader {:?}", own.name);
            sources.push((texture.clone(), Source { name, path, key }));
            Ok(ImageProgram::Path(texture.clone()))
        };
        let mut roughness = part(&pictures.roughness, "roughness")?;
        let metal = part(&pictures.metal, "metal")?;
        if pictures.is_glossiness && roughness.as_path() != Some(WHITE) {
            roughness = roughness.changed(Change::InvertColor);
        }
        let Some((_, first)) = sources.first() else { return Ok(None) };
        let path = Some(first.path.clone());
        let program =
            roughness.changed(Change::Scale(ROUGHNESS)).plus(metal.changed(Change::Scale(METAL)));
        let role = TextureRole::MetallicRoughness;
        let sampling = own.sampling[role as usize];
        let kind = self.kind(role, AlphaMode::Opaque);
        let request = kind.map(|kind| {
            let of = TextureUse { kind, sampling, may_be_cutout: false };
            self.requests.add_program(program, sources, of)
        });
        Ok(Some((path, request)))
    }
}
