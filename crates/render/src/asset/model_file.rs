//! Files with a model and clips: one reader for all such formats, which are recognized by their
//! bytes.
//!
//! MD5 files contain only one of these and have separate readers.

use super::axes::FileAxes;
use super::file::FileRecord;
use super::gltf::{LoadedGltf, load_gltf};
use super::loaded_model_file::{LoadedModelFile, load_model_file, looks_like_model_file};
use std::path::Path;
use std::sync::Arc;
use thiserror::Error;
use tintype_base::extension::has_extension;
use tintype_formats::gltf::{self, GltfError, GltfModel};
use tintype_formats::x::{self, TickRate, XError, XModel};
use tintype_formats::{LimitName, LoadOptions, Loaded, ModelFormatError};
use tintype_model::{Model, NamedClip};

/// Contents of a file.
#[derive(Debug)]
pub struct ModelFile {
    /// The model; without meshes in a file of clips alone.
    pub model: Model,
    /// The clips, in file order.
    pub clips: Vec<NamedClip>,
    /// Tick rate, if the file counts in ticks.
    pub ticks: Option<TickRate>,
    /// Axes of the file.
    pub axes: FileAxes,
    /// Further read files, in their order: buffers, material files.
    pub others: Vec<FileRecord>,
}

/// Error of such a file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelFileError {
    /// Of a `.x` file.
    #[error(transparent)]
    X(#[from] Box<XError>),
    /// Of a glTF file.
    #[error(transparent)]
    Gltf(#[from] Box<GltfError>),
    /// Of a file of another format.
    #[error(transparent)]
    Format(#[from] Box<ModelFormatError>),
}

impl ModelFileError {
    /// The limit that a user may raise, if one was exceeded.
    #[must_use]
    pub fn limit(&self) -> Option<LimitName> {
        match self {
            Self::X(error) => error.limit(),
            Self::Gltf(error) => error.limit(),
            Self::Format(error) => error.limit(),
        }
    }
}

/// Formats of such files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    X,
    Gltf,
    /// OBJ, FBX, IQM, MDL, MD2, MD3, 3DS, B3D, STL or PLY.
    Simple,
}

/// The format of a file that begins with these bytes. JSON is glTF if the name of the file or an
/// `asset` indicates it.
fn format_of(start: &[u8], path: &Path) -> Option<Format> {
    if x::looks_like_x(start) {
        return Some(Format::X);
    }
    let says_asset = || start.windows(7).take(1 << 16).any(|word| word == b"\"asset\"");
    let is_gltf = gltf::looks_like_gltf(start)
        && (start.starts_with(b"glTF")
            || has_extension(path, &["gltf", "glb", "vrm"])
            || says_asset());
    if is_gltf {
        return Some(Format::Gltf);
    }
    looks_like_model_file(start, path).then_some(Format::Simple)
}

/// True if a file that begins with these bytes contains a model and clips.
#[must_use]
pub fn is_model_file(start: &[u8], path: &Path) -> bool {
    format_of(start, path).is_some()
}

/// Reads the bytes of a file at `path`, with the files that it names. None if it is of no such
/// format.
///
/// `name` is the file's name in records.
///
/// # Errors
/// [`ModelFileError`], also for an unreadable file beside it.
pub fn read_model_file(
    bytes: &[u8],
    path: &Path,
    name: &str,
    options: &LoadOptions,
) -> Result<Option<Loaded<ModelFile>>, ModelFileError> {
    let Some(format) = format_of(bytes, path) else { return Ok(None) };
    let mut loaded = match format {
        Format::X => {
            let Loaded { value, warnings } =
                x::parse_model(bytes, options.ticks_per_second, options).map_err(Box::new)?;
            let XModel { model, clips, ticks } = value;
            let (ticks, axes, others) = (Some(ticks), FileAxes::X, Vec::new());
            Loaded { value: ModelFile { model, clips, ticks, axes, others }, warnings }
        }
        Format::Gltf => {
            let LoadedGltf { loaded, buffers: others } =
                load_gltf(bytes, path, name, options).map_err(Box::new)?;
            let Loaded { value: GltfModel { model, clips }, warnings } = loaded;
            let (ticks, axes) = (None, FileAxes::Gltf);
            Loaded { value: ModelFile { model, clips, ticks, axes, others }, warnings }
        }
        Format::Simple => {
            let LoadedModelFile { model, files: others, axes, ticks } =
                load_model_file(bytes, path, name, options).map_err(Box::new)?;
            let Loaded { value: (model, clips), warnings } = model;
            Loaded { value: ModelFile { model, clips, ticks, axes, others }, warnings }
        }
    };
    let ModelFile { model, clips, .. } = &mut loaded.value;
    let rest = Arc::new(model.skeleton.clone());
    clips.iter_mut().for_each(|one| one.clip.rest = Some(Arc::clone(&rest)));
    Ok(Some(loaded))
}

/// Names of the clips of such a file. None for any other file, or for one that cannot be read,
/// which loading reports.
#[must_use]
pub fn clip_names(bytes: &[u8], path: &Path, options: &LoadOptions) -> Vec<String> {
    match format_of(bytes, path) {
        // The names are in the document; no other file has to be read.
        Some(Format::Gltf) => gltf::clip_names(bytes).unwrap_or_default(),
        _ => {
            let file = read_model_file(bytes, path, "", options).ok().flatten();
            let clips = file.map(|file| file.value.clips).unwrap_or_default();
            clips.into_iter().map(|clip| clip.name).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_bytes_whatever_their_names() {
        for (start, name, expected) in [
            (&b"glTF\x02\0\0\0"[..], "knight.bin", Some(Format::Gltf)),
            (b" { \"asset\" : {\"version\": \"2.0\"} }", "knight.txt", Some(Format::Gltf)),
            (b"{ \"nodes\": [] }", "knight.GLTF", Some(Format::Gltf)),
            (b"{ \"nodes\": [] }", "package.json", None),
            (b"xof 0303txt 0032\n", "imp.glb", Some(Format::X)),
            (b"MD5Version 10\n", "imp.gltf", None),
            (b"INTERQUAKEMODEL\0", "imp", Some(Format::Simple)),
            (b"IDP2\x08\0\0\0", "imp", Some(Format::Simple)),
            (b"BB3D\x10\0\0\0", "imp", Some(Format::Simple)),
            (b"MM\x10\0\0\0\x02\0\x0a\0\0\0", "imp", Some(Format::Simple)),
            (b"ply\nformat ascii 1.0\n", "imp", Some(Format::Simple)),
            (b"solid imp\nfacet normal 0 0 1\n", "imp", Some(Format::Simple)),
            (b"a header of any text", "imp.STL", Some(Format::Simple)),
            (b"a header of any text", "imp", None),
            (b"# made by hand\nv 0 0 0\n", "box.txt", Some(Format::Simple)),
            (b"Kaydara FBX Binary  \0\x1a\0", "imp.bin", Some(Format::Simple)),
            (b"; FBX 7.4.0 project file\n", "imp.txt", Some(Format::Simple)),
            (b"", "imp.x", None),
        ] {
            assert_eq!(format_of(start, Path::new(name)), expected, "{name}");
        }
    }

    #[test]
    fn clips_know_the_skeleton_of_their_file() {
        let bytes = include_bytes!("../../../../tests/fuzz/seeds/strip.fbx");
        let read = read_model_file(bytes, Path::new("a.fbx"), "", &LoadOptions::default());
        let file = read.unwrap().unwrap().value;
        assert_eq!(file.clips[0].clip.rest.as_deref(), Some(&file.model.skeleton));
    }
}
