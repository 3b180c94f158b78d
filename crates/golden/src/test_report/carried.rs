//! Scripts beside a page that is opened as a file, which let it rotate models: the JavaScript
//! package, and the files of the models.
//!
//! The page runs the package of this program in a worker. The WebAssembly module is not part of the
//! program, so the package is found by its folder. Files are compressed and base64-encoded inside
//! scripts, because a page that is opened as a file may read nothing else.

use super::error::ReportError;
use crate::report::page::script_text;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use tintype_base::disk::read_regular;
use tintype_base::path::{slashed, without_detours};
use tintype_formats::Files;
use tintype_render::asset::input::read_input;
use tintype_render::asset::{FileError, Inputs};

/// The script with the package.
const ENGINE: &str = "pictures/engine.js";

/// Effort of compression: models are small, and the module of the package takes a second.
const EFFORT: u8 = 6;

/// Scripts by their names below the folder of the report.
pub(super) type Scripts = BTreeMap<String, String>;

/// The script with the package.
///
/// # Errors
/// [`ReportError`] if a file of it is missing or cannot be read.
pub(super) fn engine(package: &Path) -> Result<Scripts, ReportError> {
    let text = |name| {
        let bytes = read_of_package(package, name)?;
        Ok::<_, ReportError>(script_text(&String::from_utf8_lossy(&bytes)))
    };
    let [index, worker, viewer] = [text("index.js")?, text("worker.js")?, text("viewer.js")?];
    let wasm = compressed(&read_of_package(package, MODULE)?);
    let engine =
        format!("{{ index: {index}, worker: {worker}, viewer: {viewer}, wasm: \"{wasm}\" }}");
    Ok(Scripts::from([(ENGINE.to_owned(), format!("takeEngine({engine});\n"))]))
}

/// The module of the package.
const MODULE: &str = "tintype.wasm";

fn read_of_package(package: &Path, name: &str) -> Result<Vec<u8>, ReportError> {
    let path = package.join(name);
    read_regular(&path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => ReportError::NoPackage { path },
        _ => FileError::new(&path, &error).into(),
    })
}

/// Checks that the package exists, before anything is drawn.
///
/// # Errors
/// [`ReportError`] if it is not.
pub fn check_package(package: &Path) -> Result<(), ReportError> {
    ["viewer.js", MODULE].iter().try_for_each(|name| read_of_package(package, name).map(drop))
}

fn compressed(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(miniz_oxide::deflate::compress_to_vec_zlib(bytes, EFFORT))
}

/// The files of a scene or a model: their scripts, and the name of each by its path relative to
/// `folder`, whether they are named by absolute paths or not.
///
/// # Errors
/// [`FileError`] if a file that was read before cannot be read: the rotating model would differ
/// from the drawn one.
pub(super) fn carried(
    inputs: &Inputs,
    folder: &Path,
) -> Result<(Scripts, serde_json::Map<String, serde_json::Value>), FileError> {
    let mut files = Scripts::new();
    let mut listed = serde_json::Map::new();
    let whole = std::path::absolute(folder.join("")).unwrap_or_else(|_| folder.to_path_buf());
    for input in &inputs.0 {
        let path = input.path();
        // A picture that could not be read is missing in the page as it is in the render.
        if input.digest.is_none() {
            continue;
        }
        let bytes = read_input(&Files::Disk, &path, u64::MAX)
            .map_err(|error| FileError::new(&path, &error))?;
        let digest = blake3::hash(&bytes).to_hex();
        let name = format!("pictures/files/{}.js", &digest[..32]);
        let script = || format!("takeFile(\"{name}\", \"{}\");\n", compressed(&bytes));
        files.entry(name.clone()).or_insert_with(script);
        let folder = if path.is_absolute() { &whole } else { folder };
        listed.insert(slashed(&from_folder(&path, folder)), name.into());
    }
    Ok((files, listed))
}

/// The path of a file relative to a folder; the unchanged path if the folder is above the current
/// one.
fn from_folder(file: &Path, folder: &Path) -> PathBuf {
    let (file, folder) = (without_detours(file), without_detours(folder));
    let shared = file.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(shared);
    if up.clone().any(|part| !matches!(part, Component::Normal(_))) {
        return file;
    }
    let down = file.components().skip(shared);
    up.map(|_| Component::ParentDir).chain(down).collect()
}

/// The relative URL of a folder from a file, given two absolute paths. None if no URL leads there.
#[must_use]
pub fn address_from(file: &Path, folder: &Path) -> Option<String> {
    let path = from_folder(folder, file.parent()?);
    let text = if path.as_os_str().is_empty() { ".".to_owned() } else { slashed(&path) };
    // Special characters of URLs, because `encode_summary` expects a URL.
    let escaped = text.replace('%', "%25").replace('#', "%23").replace('?', "%3F");
    path.is_relative().then_some(escaped)
}

/// Bytes of scripts.
pub(super) fn bytes_of(scripts: &Scripts) -> u64 {
    scripts.values().map(|script| u64::try_from(script.len()).unwrap_or(u64::MAX)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_the_paths_by_which_their_scene_asks() {
        for (file, folder, wanted) in [
            ("scenes/models/a.glb", "scenes", "models/a.glb"),
            ("assets/a.glb", "scenes/walk", "../../assets/a.glb"),
            ("scenes/../assets/a.glb", "scenes", "../assets/a.glb"),
            ("a.glb", "", "a.glb"),
            ("/tmp/old/scenes/a.glb", "/tmp/old/scenes", "a.glb"),
            ("../before/assets/a.glb", "../before/scenes", "../assets/a.glb"),
            ("assets/a.glb", "../other", "assets/a.glb"),
        ] {
            let found = from_folder(Path::new(file), Path::new(folder));
            assert_eq!(slashed(&found), wanted, "{file} from {folder}");
        }
    }

    #[test]
    fn files_that_were_read_are_carried_or_told() {
        let told = |digest: &str| {
            let text = format!(r#"[{{"name":"a","path":"none/a.png","digest":{digest}}}]"#);
            let inputs: Inputs = serde_json::from_str(&text).expect("inputs");
            carried(&inputs, Path::new("")).map(|(files, _)| files.len())
        };
        assert!(matches!(told("null"), Ok(0)));
        let error = told("\"01\"").expect_err("no such file").to_string();
        assert!(error.contains("a.png") || error.contains("none"), "{error}");
    }

    #[test]
    fn files_come_back_from_their_scripts() {
        let bytes = b"glTF</script>".repeat(9);
        let text = BASE64_STANDARD.decode(compressed(&bytes)).expect("base64");
        let back = miniz_oxide::inflate::decompress_to_vec_zlib(&text).expect("zlib");
        assert_eq!(back, bytes);
    }
}
