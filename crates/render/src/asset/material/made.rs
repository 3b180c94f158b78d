//! Textures combined from several pictures of a model's file: colour and opacity, roughness and
//! metalness, slopes of heights.

use super::MaterialResolver;
use crate::asset::AssetError;
use crate::asset::file::Source;
use crate::asset::texture::{TextureRequest, TextureUse};
use std::path::{Path, PathBuf};
use tintype_formats::mtr::{Change, ImageProgram};
use tintype_model::{AlphaMode, FileMaterial, Model, TextureRole};

/// The engine's built-in white picture, used for a part without one.
const WHITE: &str = "_white";

/// A generated texture: its role, its first file, and its request, which clay may omit.
type Made = (TextureRole, PathBuf, Option<TextureRequest>);

/// Pictures of a texture by their names in the file.
#[derive(Default)]
struct Sources(Vec<(String, Source)>);

impl Sources {
    /// An existing picture, as a part of a program.
    fn take(&mut self, own: &FileMaterial, texture: &str, path: PathBuf) -> ImageProgram {
        let name = format!("{} {texture}", own.name);
        let key = format!("the texture {texture:?} of shader {:?}", own.name);
        self.0.push((texture.to_owned(), Source { name, path, key }));
        ImageProgram::Path(texture.to_owned())
    }
}

impl MaterialResolver<'_> {
    /// The textures of a material of a file that are made of several pictures; a missing picture
    /// leaves its part out. `diffuse` is the file of the diffuse texture.
    ///
    /// # Errors
    /// [`AssetError::Read`] if a folder exists and cannot be listed.
    pub(super) fn made_textures(
        &mut self,
        own: &FileMaterial,
        diffuse: Option<&Path>,
        model: &Model,
        source: &Source,
    ) -> Result<Vec<Made>, AssetError> {
        let mut part = |texture: &Option<String>, sources: &mut Sources| {
            let Some(texture) = texture else { return Ok(None) };
            let (path, _) = self.further_picture(texture, own, model, source)?;
            Ok(path.map(|path| sources.take(own, texture, path)))
        };
        let mut made = Vec::new();
        let mut sources = Sources::default();
        let color = match (&own.diffuse, diffuse) {
            (Some(texture), Some(path)) => Some(sources.take(own, texture, path.to_path_buf())),
            (Some(_), None) => None,
            (None, _) => Some(white()),
        };
        if let Some(color) = color
            && let Some(opacity) = part(&own.opacity_picture, &mut sources)?
        {
            made.push((TextureRole::Diffuse, with_opacity(color, opacity), sources));
        }
        if let (None, Some((heights, slope))) = (&own.normal, &own.heights) {
            let mut sources = Sources::default();
            if let Some(heights) = part(&Some(heights.clone()), &mut sources)? {
                let program = heights.changed(Change::HeightMap(f64::from(*slope)));
                made.push((TextureRole::Normal, program, sources));
            }
        }
        if let Some(pictures) = &own.factors {
            let mut sources = Sources::default();
            let mut roughness = part(&pictures.roughness, &mut sources)?;
            if pictures.is_glossiness {
                roughness = roughness.map(|program| program.changed(Change::InvertColor));
            }
            let metal = part(&pictures.metal, &mut sources)?;
            if roughness.is_some() || metal.is_some() {
                // Green is the roughness, blue the metal.
                let green = Change::Scale([0.0, 1.0, 0.0, 1.0]);
                let blue = Change::Scale([0.0, 0.0, 1.0, 0.0]);
                let [roughness, metal] = [roughness, metal].map(|one| one.unwrap_or_else(white));
                let program = roughness.changed(green).plus(metal.changed(blue));
                made.push((TextureRole::MetallicRoughness, program, sources));
            }
        }
        let made = made.into_iter().filter_map(|(role, program, Sources(sources))| {
            let file = sources.first()?.1.path.clone();
            let kind = self.kind(role, own.alpha.unwrap_or(AlphaMode::Opaque));
            let sampling = own.sampling[role as usize];
            let request = kind.map(|kind| {
                let of = TextureUse { kind, sampling, may_be_cutout: false };
                self.requests.add_program(program, sources, of)
            });
            Some((role, file, request))
        });
        Ok(made.collect())
    }
}

/// A colour with the opacity of another picture: its alpha if it has any.
fn with_opacity(color: ImageProgram, opacity: ImageProgram) -> ImageProgram {
    let opacity = opacity.changed(Change::Weigh).changed(Change::MakeIntensity);
    let color = color.changed(Change::Scale([1.0, 1.0, 1.0, 0.0]));
    color.plus(opacity.changed(Change::Scale([0.0, 0.0, 0.0, 1.0])))
}

fn white() -> ImageProgram {
    ImageProgram::Path(WHITE.to_owned())
}
