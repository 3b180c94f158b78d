//! OBJ files with the material files that they name, IQM files and FBX files.

use super::axes::FileAxes;
use super::file::{FileRecord, Source};
use super::folder::Folders;
use super::lookup;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use tintype_base::diagnostic::chain;
use tintype_formats::{LoadOptions, Loaded, ModelFormatError, fbx, iqm, obj};
use tintype_model::{Model, NamedClip};

/// Contents of an OBJ, IQM or FBX file.
pub(super) struct LoadedModelFile {
    /// The model, and its clips.
    pub(super) model: Loaded<(Model, Vec<NamedClip>)>,
    /// The material files, in the order of their names; each name is that of the model with the name of the file behind it.
    pub(super) files: Vec<FileRecord>,
    /// Axes of its format.
    pub(super) axes: FileAxes,
}

/// Whether a file is of one of these formats, by its content.
#[must_use]
pub(super) fn looks_like_model_file(bytes: &[u8]) -> bool {
    iqm::looks_like_iqm(bytes) || fbx::looks_like_fbx(bytes) || obj::looks_like_obj(bytes)
}

/// Reads the bytes of an OBJ, IQM or FBX file that lies at `path` and is called `name`.
///
/// A material file is read as its path says from the folder of the model; one that is not there means a file of that name in the folder.
///
/// # Errors
/// [`ModelFormatError`] with the line or the byte of the first mistake.
pub(super) fn load_model_file(
    bytes: &[u8],
    path: &Path,
    name: &str,
    files_per_second: f64,
    options: &LoadOptions,
) -> Result<LoadedModelFile, ModelFormatError> {
    if iqm::looks_like_iqm(bytes) {
        let Loaded { value, warnings } = iqm::parse_model(bytes, options)?;
        let model = Loaded { value: (value.model, value.clips), warnings };
        return Ok(LoadedModelFile { model, files: Vec::new(), axes: FileAxes::Md5 });
    }
    if fbx::looks_like_fbx(bytes) {
        let Loaded { value, warnings } = fbx::parse_model(bytes, options)?;
        let model = Loaded { value: (value.model, value.clips), warnings };
        return Ok(LoadedModelFile { model, files: Vec::new(), axes: FileAxes::Gltf });
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let records: RefCell<Vec<FileRecord>> = RefCell::default();
    let fetch = |written: &str| {
        let own = path.with_extension("mtl");
        let own = own.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let written = if written == obj::OWN_LIBRARY { own } else { written };
        let written_path = written.replace('\\', "/");
        let mut source = Source::new(folder, &below(&written_path), String::new());
        if let Some(found) = find_library(folder, &written_path, options) {
            source.path = found;
        }
        source.name = format!("{name} {written}");
        let (bytes, record) = source.read(options).map_err(|error| chain(&error.without_key()))?;
        records.borrow_mut().push(record);
        Ok(bytes)
    };
    let model = if obj::is_joined(bytes) {
        let Loaded { value: (model, clip), warnings } =
            obj::parse_files(bytes, &fetch, files_per_second, options)?;
        Loaded { value: (model, vec![clip]), warnings }
    } else {
        let Loaded { value, warnings } = obj::parse_model(bytes, &fetch, options)?;
        Loaded { value: (value, Vec::new()), warnings }
    };
    Ok(LoadedModelFile { model, files: records.into_inner(), axes: FileAxes::Gltf })
}

/// The material file that a written path means, in any case of letters, from the folder of the model or the one above it.
fn find_library(folder: &Path, written: &str, options: &LoadOptions) -> Option<PathBuf> {
    let mut folders = Folders::new(&options.files);
    let (base, way) = lookup::from_folder(folder, written)?;
    folders.file(&base, &way).ok().flatten()
}

/// The path below the folder of the model that a written path means.
fn below(written: &str) -> String {
    let path = written.replace('\\', "/");
    let is_outside =
        path.starts_with('/') || path.contains(':') || path.split('/').any(|part| part == "..");
    match path.rsplit_once('/') {
        Some((_, name)) if is_outside => name.to_owned(),
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::below;

    #[test]
    fn material_files_are_read_below_the_folder_of_the_model() {
        for (written, path) in [
            ("a.mtl", "a.mtl"),
            ("./lib\\a b.mtl", "./lib/a b.mtl"),
            ("../a.mtl", "a.mtl"),
            ("C:\\art\\a.mtl", "a.mtl"),
            ("/etc/passwd", "passwd"),
        ] {
            assert_eq!(below(written), path);
        }
    }
}
