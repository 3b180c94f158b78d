//! OBJ files with the material files that they name, Quake models, and formats with single-file
//! models.

use super::axes::FileAxes;
use super::file::{FileRecord, Source};
use super::folder::Folders;
use super::lookup;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use tintype_base::diagnostic::chain;
use tintype_base::extension::has_extension;
use tintype_base::precedence::Decided;
use tintype_formats::x::TickRate;
use tintype_formats::{
    FilePlace, Files, LoadOptions, Loaded, ModelFormatError, b3d, decide_plain_rate, fbx, iqm, obj,
    ply, quake, stl, three_ds,
};
use tintype_model::{Model, NamedClip};

/// Contents of such a file.
pub(super) struct LoadedModelFile {
    /// The model, and its clips.
    pub(super) model: Loaded<(Model, Vec<NamedClip>)>,
    /// The material files, sorted by name; each name is that of the model followed by the name of
    /// the file.
    pub(super) files: Vec<FileRecord>,
    /// Axes of its format.
    pub(super) axes: FileAxes,
    /// Frames or numbered files per second, if the file does not state them.
    pub(super) ticks: Option<TickRate>,
}

/// Formats of these files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Iqm,
    Quake,
    Fbx,
    B3d,
    ThreeDs,
    Ply,
    Stl,
    Obj,
}

/// The format of a file by its content. Binary STL has no signature: if the size of a file does not
/// match its count, its extension decides.
fn kind_of(bytes: &[u8], path: &Path) -> Option<Kind> {
    type Looks = fn(&[u8]) -> bool;
    const BY_CONTENT: [(Kind, Looks); 8] = [
        (Kind::Iqm, iqm::looks_like_iqm),
        (Kind::Quake, quake::looks_like_quake),
        (Kind::Fbx, fbx::looks_like_fbx),
        (Kind::B3d, b3d::looks_like_b3d),
        (Kind::ThreeDs, three_ds::looks_like_3ds),
        (Kind::Ply, ply::looks_like_ply),
        (Kind::Stl, stl::looks_like_stl),
        (Kind::Obj, obj::looks_like_obj),
    ];
    let known = BY_CONTENT.iter().find(|(_, looks)| looks(bytes)).map(|(kind, _)| *kind);
    known.or_else(|| has_extension(path, &["stl"]).then_some(Kind::Stl))
}

/// True for files of these formats.
#[must_use]
pub(super) fn looks_like_model_file(bytes: &[u8], path: &Path) -> bool {
    kind_of(bytes, path).is_some()
}

/// Reads the bytes of such a file at `path`, called `name`.
///
/// A material file is read by its path from the folder of the model; if it is missing, a file of its
/// name in the folder is used.
///
/// # Errors
/// [`ModelFormatError`] with the line or the byte of the first mistake.
pub(super) fn load_model_file(
    bytes: &[u8],
    path: &Path,
    name: &str,
    options: &LoadOptions,
) -> Result<LoadedModelFile, ModelFormatError> {
    let ticks = options.ticks_per_second;
    let kind = kind_of(bytes, path).unwrap_or(Kind::Obj);
    if let Some(own) = load_single_file(kind, bytes, ticks, options)? {
        return Ok(own);
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let records: RefCell<Vec<FileRecord>> = RefCell::default();
    let read = |written: &str, found: Option<PathBuf>| {
        let mut source = Source::new(folder, &below(written), String::new());
        source.path = found.unwrap_or(source.path);
        source.name = format!("{name} {written}");
        let (bytes, record) = source.read(options).map_err(|error| chain(&error.without_key()))?;
        records.borrow_mut().push(record);
        Ok(bytes)
    };
    if kind == Kind::Quake {
        let own = options.palette.clone().map(|file| read(quake::PALETTE, Some(file))).transpose();
        let own = own.map_err(|why| {
            ModelFormatError::value(FilePlace::Byte(0), "the palette", why, "a readable file")
        })?;
        let fetch = |written: &str| match (&own, find_above(folder, written, options)) {
            (Some(own), _) if written == quake::PALETTE => Ok(own.clone()),
            (_, Some(found)) => read(written, Some(found)),
            (_, None) => Err(format!("{written} was not found")),
        };
        let file = path.file_name().and_then(|file| file.to_str()).unwrap_or_default();
        let parse = if quake::is_player(file) { quake::parse_player } else { quake::parse_model };
        let Loaded { value, warnings } = parse(bytes, &fetch, ticks, options)?;
        let model = Loaded { value: (value.model, value.clips), warnings };
        let (files, ticks) = (records.into_inner(), Some(tick_rate(value.rate_hz)));
        return Ok(LoadedModelFile { model, files, axes: FileAxes::Md5, ticks });
    }
    let fetch = |written: &str| {
        let own = path.with_extension("mtl");
        let own = own.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let written = if written == obj::OWN_LIBRARY { own } else { written };
        let found = find_library(folder, &written.replace('\\', "/"), options);
        read(written, found)
    };
    let rate = decide_plain_rate(ticks, None, obj::FILES_PER_SECOND);
    let is_joined = obj::is_joined(bytes);
    let model = if is_joined {
        let Loaded { value: (model, clip), warnings } =
            obj::parse_files(bytes, &fetch, rate.value, options)?;
        Loaded { value: (model, vec![clip]), warnings }
    } else {
        let Loaded { value, warnings } = obj::parse_model(bytes, &fetch, options)?;
        Loaded { value: (value, Vec::new()), warnings }
    };
    // Numbered files are ticks of their clip.
    let ticks = is_joined.then(|| tick_rate(rate));
    Ok(LoadedModelFile { model, files: records.into_inner(), axes: FileAxes::Gltf, ticks })
}

/// Reads a format whose models are single files. None for other formats.
fn load_single_file(
    kind: Kind,
    bytes: &[u8],
    ticks: Option<f64>,
    options: &LoadOptions,
) -> Result<Option<LoadedModelFile>, ModelFormatError> {
    let whole = |model, axes, ticks| LoadedModelFile { model, files: Vec::new(), axes, ticks };
    let still = |Loaded { value, warnings }| Loaded { value: (value, Vec::new()), warnings };
    Ok(Some(match kind {
        Kind::Iqm => {
            let Loaded { value, warnings } = iqm::parse_model(bytes, options)?;
            let value = (value.model, value.clips);
            whole(Loaded { value, warnings }, FileAxes::Md5, None)
        }
        Kind::Fbx => {
            let Loaded { value, warnings } = fbx::parse_model(bytes, options)?;
            let value = (value.model, value.clips);
            whole(Loaded { value, warnings }, FileAxes::Gltf, None)
        }
        Kind::B3d => {
            let Loaded { value, warnings } = b3d::parse_model(bytes, ticks, options)?;
            let (value, rate) = ((value.model, value.clips), value.rate_hz);
            whole(Loaded { value, warnings }, FileAxes::X, Some(tick_rate(rate)))
        }
        Kind::ThreeDs => {
            let Loaded { value, warnings } = three_ds::parse_model(bytes, ticks, options)?;
            let (value, rate) = ((value.model, value.clips), value.rate_hz);
            whole(Loaded { value, warnings }, FileAxes::Md5, Some(tick_rate(rate)))
        }
        Kind::Ply => whole(still(ply::parse_model(bytes, options)?), FileAxes::Gltf, None),
        Kind::Stl => whole(still(stl::parse_model(bytes, options)?), FileAxes::Md5, None),
        Kind::Quake | Kind::Obj => return Ok(None),
    }))
}

/// Frames per second as the ticks of a file.
fn tick_rate(Decided { value: per_second, by }: Decided<f64>) -> TickRate {
    TickRate { per_second, by, median_gap: None }
}

/// The file of a game at a path, in any case of letters: for the path of a folder, from the folder
/// of the model or the first of its parents that has it; otherwise beside the model.
fn find_above(folder: &Path, written: &str, options: &LoadOptions) -> Option<PathBuf> {
    let mut folders = Folders::new(&options.files);
    let way: Vec<&str> = written.split('/').collect();
    let whole = match options.files {
        Files::Disk if folder.as_os_str().is_empty() => std::path::absolute(".").ok()?,
        Files::Disk => std::path::absolute(folder).ok()?,
        Files::Memory(_) => folder.to_path_buf(),
    };
    let above = if way.len() > 1 { usize::MAX } else { 1 };
    whole.ancestors().take(above).find_map(|above| folders.file(above, &way).ok().flatten())
}

/// The material file at a written path, in any case of letters, from the folder of the model or its
/// parent.
fn find_library(folder: &Path, written: &str, options: &LoadOptions) -> Option<PathBuf> {
    let mut folders = Folders::new(&options.files);
    let (base, way) = lookup::from_folder(folder, written)?;
    folders.file(&base, &way).ok().flatten()
}

/// A written path below the folder of the model.
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
