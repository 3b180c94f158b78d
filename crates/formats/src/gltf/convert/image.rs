//! Images: external files by their path, and embedded pictures.

use super::parts::extension;
use super::source::Source;
use crate::gltf::buffer::missing;
use crate::gltf::document::Texture;
use crate::gltf::error::GltfError;
use crate::gltf::number::JsonInteger;
use crate::gltf::object::objects;
use crate::gltf::path::JsonPath;
use crate::gltf::uri::{Resolved, resolve_picture};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use tintype_model::{EmbeddedPicture, FileRepair};

/// The images used by materials.
#[derive(Default)]
pub(super) struct Images {
    names: BTreeMap<usize, String>,
    /// Pictures embedded in the file, in the order of their first use.
    pub(super) pictures: Vec<EmbeddedPicture>,
}

impl Images {
    /// The name of a texture's picture: a path, or the name of an embedded picture. None if the
    /// texture has no readable image.
    ///
    /// # Errors
    /// [`GltfError`] for indices out of range, URIs that cannot be resolved, and views beyond their
    /// buffers.
    pub(super) fn name_of(
        &mut self,
        source: &Source,
        texture: JsonInteger,
        at: &JsonPath,
    ) -> Result<Option<String>, GltfError> {
        let textures = &source.document.textures;
        let Some(found) = textures.get(texture.0) else {
            return Err(missing(&at.key("index"), "the texture", texture, textures.len()));
        };
        let list = JsonPath::root("textures");
        let path = list.index(texture.0);
        let Some(image) = image_of(source, found, &path) else {
            let other = found.extensions.keys().next();
            let why = other.map_or_else(
                || "it has no image".to_owned(),
                |name| format!("its only image is {name}, which is not supported"),
            );
            source.faults.tell(FileRepair::NoPicture, format!("{path}: {why}; drawn without it"));
            return Ok(None);
        };
        if let Some(known) = self.names.get(&image.0) {
            return Ok(Some(known.clone()));
        }
        let images = &source.document.images;
        let Some(found) = images.get(image.0) else {
            return Err(missing(&path.key("source"), "the image", image, images.len()));
        };
        let list = JsonPath::root("images");
        let path = list.index(image.0);
        let bytes: Arc<[u8]> = match (&found.uri, found.buffer_view) {
            (Some(uri), _) => match resolve_picture(uri, &path.key("uri"))? {
                Resolved::Data(bytes) => Arc::from(bytes),
                Resolved::File(file) => {
                    self.names.insert(image.0, file.clone());
                    return Ok(Some(file));
                }
            },
            (None, Some(view)) => {
                let (bytes, _) = source.buffers.view(view, &path.key("bufferView"))?;
                Arc::from(bytes)
            }
            (None, None) => {
                let expected = "a uri, or a bufferView";
                return Err(GltfError::value(&path, "the image", "neither", expected));
            }
        };
        let name = match found.name.as_deref().map(str::trim) {
            Some(name) if !name.is_empty() => format!("image {} ({name})", image.0),
            _ => format!("image {}", image.0),
        };
        self.pictures.push(EmbeddedPicture { name: name.clone(), bytes });
        self.names.insert(image.0, name.clone());
        Ok(Some(name))
    }
}

/// `EXT_texture_webp` and `KHR_texture_basisu`.
#[derive(Deserialize)]
#[serde(remote = "Self")]
struct OtherImage {
    source: Option<JsonInteger>,
}

objects!(OtherImage);

/// The image of a texture: from an extension with a supported picture format, otherwise from the
/// texture itself.
fn image_of(source: &Source, texture: &Texture, path: &JsonPath) -> Option<JsonInteger> {
    let (at, faults) = (path.key("extensions"), source.faults);
    let of_extension = ["EXT_texture_webp", "KHR_texture_basisu"]
        .iter()
        .find_map(|name| extension::<OtherImage>(&texture.extensions, name, &at, faults)?.source);
    of_extension.or(texture.source)
}
