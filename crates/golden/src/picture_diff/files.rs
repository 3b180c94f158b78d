//! Files of two folders that are not pictures, paired by name. Models and clips are compared by
//! content, others by their bytes; files of unknown kinds are listed as not compared.

use super::error::{PictureDiffError, RAISE_BYTES};
use super::pairs::below;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tintype_base::diagnostic::chain;
use tintype_base::disk::read_bounded;
use tintype_base::extension::{has_extension, is_input};
use tintype_base::git::{LFS_POINTER, is_lfs_pointer};
use tintype_base::path::ShowPath;
use tintype_compare::Surface;
use tintype_compare::character::misfit;
use tintype_compare::finding::{Element, Finding, Kind, Stage, Subject, told_of_clips};
use tintype_compare::model_diff::{ModelDiff, Side, compare};
use tintype_formats::{LoadOptions, md5};
use tintype_model::pose::BindError;
use tintype_model::{Clip, Model, NamedClip};
use tintype_render::asset::{ModelFile, read_model_file};

/// Joints that are listed of a pair.
const MAX_JOINTS: usize = 4;

/// Result of a pair of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileState {
    /// Equal to the byte.
    Same,
    /// Other bytes with the same content.
    SameContent,
    /// Different.
    Different,
    /// Missing on the second side.
    OnlyA,
    /// Missing on the first side.
    OnlyB,
    /// One of them cannot be read.
    Unreadable,
    /// Of a kind that is not compared.
    NotCompared,
}

impl FileState {
    /// The word in JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::SameContent => "same-content",
            Self::Different => "different",
            Self::OnlyA => "only-a",
            Self::OnlyB => "only-b",
            Self::Unreadable => "unreadable",
            Self::NotCompared => "not-compared",
        }
    }
}

impl std::fmt::Display for FileState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}

/// Two files of the same name with their result.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedFile {
    /// The path below both folders.
    pub name: String,
    /// The result.
    pub state: FileState,
    /// The differences of two models or clips, each with its clip of the model.
    #[serde(serialize_with = "told_of_clips")]
    pub findings: Vec<(Option<String>, Finding)>,
    /// The reason why it is not compared, or cannot be read.
    pub why: Option<String>,
}

impl ComparedFile {
    /// The reasons why it differs, a sentence each.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let sentence = |(clip, finding): &(Option<String>, Finding)| match clip {
            Some(clip) => format!("clip {clip}: {}", finding.sentence()),
            None => finding.sentence(),
        };
        self.why.iter().cloned().chain(self.findings.iter().map(sentence)).collect()
    }

    /// True if the files are the same, or of a kind that is not compared.
    #[must_use]
    pub fn passes(&self) -> bool {
        matches!(self.state, FileState::Same | FileState::SameContent | FileState::NotCompared)
    }
}

/// Contents of a file.
enum Content {
    Model(Box<Model>, Vec<NamedClip>),
    Clip(Box<Clip>),
    /// A scene, a material file, a picture of another format: compared by its bytes.
    Bytes,
    /// The record of a golden, which is compared with its picture.
    Record,
    Unknown,
}

/// A file of one side.
struct Loaded {
    bytes: Vec<u8>,
    content: Result<Content, String>,
}

/// Compares the files of two folders that are `wanted`, except PNG files, by their relative paths.
///
/// # Errors
/// [`PictureDiffError`] if a folder cannot be read.
pub fn compare_files(
    a: &Path,
    b: &Path,
    wanted: &dyn Fn(&Path) -> bool,
    options: &LoadOptions,
) -> Result<Vec<ComparedFile>, PictureDiffError> {
    let is_other = |path: &Path| !has_extension(path, &["png"]) && wanted(path);
    let [a, b] = [below(a, &is_other)?, below(b, &is_other)?];
    let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    let mut found = Vec::new();
    for name in names {
        let sides = [&a, &b].map(|side| side.get(name).map(|path| load(path, options)));
        found.extend(compared(name, sides, &a, &b, options));
    }
    Ok(found)
}

fn load(path: &Path, options: &LoadOptions) -> Result<Loaded, String> {
    let most = u64::try_from(options.limits.max_bytes).unwrap_or(u64::MAX);
    let bytes = match read_bounded(path, most) {
        // Files of unknown kinds are not compared, whatever their length.
        Err(error) if error.kind() == ErrorKind::FileTooLarge && !is_input(path) => {
            return Ok(Loaded { bytes: Vec::new(), content: Ok(Content::Unknown) });
        }
        read => read.map_err(|error| unreadable(path, &error))?,
    };
    if is_lfs_pointer(&bytes) {
        return Err(format!("{}: it is {LFS_POINTER}", path.shown()));
    }
    let content = content(path, &bytes, options)
        .map_err(|error| format!("{}: {}", path.shown(), chain(error.as_ref())));
    Ok(Loaded { bytes, content })
}

/// The message of a file that cannot be read.
fn unreadable(path: &Path, error: &std::io::Error) -> String {
    let hint = match error.kind() {
        ErrorKind::FileTooLarge => RAISE_BYTES,
        _ => "",
    };
    format!("{}: {error}{hint}", path.shown())
}

/// Extensions of files that are meaningless if their content cannot be decoded.
const DECODED: [&str; 4] = ["png", "gltf", "glb", "vrm"];

fn content(
    path: &Path,
    bytes: &[u8],
    options: &LoadOptions,
) -> Result<Content, Box<dyn std::error::Error>> {
    let extension = path.extension().map(|own| own.to_string_lossy().to_lowercase());
    if let Some(file) = read_model_file(bytes, path, "", options)? {
        let ModelFile { model, clips, .. } = file.value;
        return Ok(Content::Model(Box::new(model), clips));
    }
    if md5::looks_like_md5(bytes) {
        return Ok(match extension.as_deref() {
            Some("md5anim") => Content::Clip(Box::new(md5::parse_anim(bytes, options)?.value)),
            Some("md5camera") => Content::Bytes,
            _ => Content::Model(Box::new(md5::parse_mesh(bytes, options)?.value), Vec::new()),
        });
    }
    let says =
        |word: &str| String::from_utf8_lossy(bytes).lines().any(|line| line.starts_with(word));
    Ok(match extension.as_deref() {
        Some("toml") if says("pixel_revision =") && says("image =") => Content::Record,
        // The name implies a format, which the content does not have.
        _ if is_input(path) && !has_extension(path, &DECODED) => Content::Bytes,
        _ => Content::Unknown,
    })
}

type Folder = BTreeMap<String, PathBuf>;

/// Compares the files of one name. None for records.
fn compared(
    name: &str,
    sides: [Option<Result<Loaded, String>>; 2],
    a: &Folder,
    b: &Folder,
    options: &LoadOptions,
) -> Option<ComparedFile> {
    let of = |state, findings, why: Option<String>| {
        Some(ComparedFile { name: name.to_owned(), state, findings, why })
    };
    let result = |state| of(state, Vec::new(), None);
    let unreadable = |error: &String| of(FileState::Unreadable, Vec::new(), Some(error.clone()));
    let kind = |side: &Loaded| match &side.content {
        Ok(Content::Record) => Some(false),
        Ok(Content::Unknown) => None,
        _ => Some(true),
    };
    let (old, new) = match &sides {
        [Some(Err(error)), _] | [_, Some(Err(error))] => return unreadable(error),
        [Some(Ok(one)), None] | [None, Some(Ok(one))] => {
            let state = if sides[0].is_some() { FileState::OnlyA } else { FileState::OnlyB };
            return match kind(one) {
                Some(false) => None,
                Some(true) => result(state),
                None => result(FileState::NotCompared),
            };
        }
        [Some(Ok(old)), Some(Ok(new))] => (old, new),
        [None, None] => return None,
    };
    match (kind(old), kind(new)) {
        (Some(false), _) | (_, Some(false)) => return None,
        (None, _) | (_, None) => return result(FileState::NotCompared),
        _ if old.bytes == new.bytes => return result(FileState::Same),
        _ => {}
    }
    let (before, now) = match (&old.content, &new.content) {
        (Err(error), _) | (_, Err(error)) => return unreadable(error),
        (Ok(before), Ok(now)) => (before, now),
    };
    let diffs = match (before, now) {
        (Content::Model(old, old_clips), Content::Model(new, new_clips)) => {
            models([old, new], [old_clips, new_clips])
        }
        (Content::Clip(old), Content::Clip(new)) => clips([old, new], name, a, b, options),
        _ => Err("different bytes; the content of this type of file is not compared".to_owned()),
    };
    match diffs {
        Err(why) => of(FileState::Different, Vec::new(), Some(why)),
        Ok(found) if found.is_empty() => {
            let why = "different bytes, same content".to_owned();
            of(FileState::SameContent, Vec::new(), Some(why))
        }
        Ok(found) => of(FileState::Different, found, None),
    }
}

/// Compares two models in their bind poses and with each of their clips.
fn models(models: [&Model; 2], clips: [&[NamedClip]; 2]) -> Result<Found, String> {
    let surfaces =
        models.map(|model| model.materials.iter().map(Surface::of_file).collect::<Vec<_>>());
    let [old, new] = [0, 1].map(|k| Side { model: models[k], clip: None, surfaces: &surfaces[k] });
    let of_clip = |kind, clip: &NamedClip| {
        let clip = Subject::named(Element::Clip, clip.name.as_str());
        (None, Finding::new(Stage::Structure, kind, clip))
    };
    let of_model = findings(compare(old, new));
    let mut found: Found = of_model.iter().map(|one| (None, one.clone())).collect();
    for clip in clips[0] {
        let Some(other) = clips[1].iter().find(|other| other.name == clip.name) else {
            found.push(of_clip(Kind::Removed, clip));
            continue;
        };
        let [old, new] = [(models[0], clip), (models[1], other)].map(|(model, clip)| Side {
            model,
            clip: Some(&clip.clip),
            surfaces: &[],
        });
        let own = findings(compare(old, new)).into_iter().filter(|one| !of_model.contains(one));
        found.extend(own.map(|one| (Some(clip.name.clone()), one)));
    }
    let is_new = |clip: &&NamedClip| clips[0].iter().all(|known| known.name != clip.name);
    found.extend(clips[1].iter().filter(is_new).map(|clip| of_clip(Kind::Added, clip)));
    Ok(found)
}

/// Differences, each with its clip.
type Found = Vec<(Option<String>, Finding)>;

fn findings(diff: Result<ModelDiff, (usize, BindError)>) -> Vec<Finding> {
    match diff {
        // Offsets alone do not count as a difference.
        Ok(diff) if diff.is_within(0.0) => Vec::new(),
        Ok(diff) => diff.findings(MAX_JOINTS),
        Err((_, error)) => vec![misfit(Subject::all(Element::Clip), &error)],
    }
}

/// Compares two clips on the first model of the folders moved by both.
fn clips(
    clips: [&Clip; 2],
    name: &str,
    a: &Folder,
    b: &Folder,
    options: &LoadOptions,
) -> Result<Found, String> {
    let alone = |diff| findings(Ok(diff)).into_iter().map(|one| (None, one)).collect();
    let folder = |name: &str| name.rsplit_once('/').map(|(folder, _)| folder.to_owned());
    let mut candidates: Vec<&String> =
        a.keys().filter(|name| name.to_lowercase().ends_with(".md5mesh")).collect();
    // Those beside the clip first.
    candidates.sort_by_key(|model| folder(model) != folder(name));
    for model in candidates {
        let read = |side: &Folder| match load(side.get(model)?, options).ok()?.content {
            Ok(Content::Model(model, _)) => Some(model),
            _ => None,
        };
        let Some(old) = read(a) else { continue };
        let on_old = clips.map(|clip| Side { model: &old, clip: Some(clip), surfaces: &[] });
        let [before, now] = on_old;
        if let Ok(diff) = compare(before, now) {
            return Ok(alone(diff));
        }
        let Some(new) = read(b) else { continue };
        if let Ok(diff) = compare(before, Side { model: &new, clip: Some(clips[1]), surfaces: &[] })
        {
            return Ok(alone(diff));
        }
    }
    Err("different bytes; no model in the folder fits the clip, so its content is not compared"
        .to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESH: &str = "MD5Version 10\nnumJoints 2\nnumMeshes 1\njoints {\n\"a\" -1 ( 0 0 0 ) ( 0 0 0 )\n\
        \"b\" 0 ( 0 1 0 ) ( 0 0 0 )\n}\nmesh {\nshader \"s\"\nnumverts 3\nvert 0 ( 0 0 ) 0 1\nvert 1 ( 1 0 ) 1 1\n\
        vert 2 ( 1 1 ) 2 1\nnumtris 1\ntri 0 0 1 2\nnumweights 3\nweight 0 0 1 ( 0 -1 0 )\n\
        weight 1 0 1 ( 0 1 0 )\nweight 2 1 1 ( 0 1 2 )\n}\n";
    const CLIP: &str = "MD5Version 10\nnumFrames 2\nnumJoints 2\nframeRate 10\nnumAnimatedComponents 1\n\
        hierarchy {\n\"a\" -1 0 0\n\"b\" 0 1 0\n}\nbounds {\n( 0 0 0 ) ( 1 1 1 )\n( 0 0 0 ) ( 1 1 1 )\n}\n\
        baseframe {\n( 0 0 0 ) ( 0 0 0 )\n( 0 1 0 ) ( 0 0 0 )\n}\nframe 0 {\n0\n}\nframe 1 {\n1\n}\n";

    fn run(old: &[(&str, &str)], new: &[(&str, &str)]) -> Vec<(String, FileState, String)> {
        let folders = [old, new].map(|files| {
            let folder = tempfile::tempdir().unwrap();
            for (name, text) in files {
                let path = folder.path().join(name);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text).unwrap();
            }
            folder
        });
        let [a, b] = &folders;
        let found = compare_files(a.path(), b.path(), &|_| true, &LoadOptions::default()).unwrap();
        let told = |one: ComparedFile| (one.name.clone(), one.state, one.sentences().join("; "));
        found.into_iter().map(told).collect()
    }

    fn state(name: &str, old: &str, new: &str) -> (FileState, String) {
        let mut found =
            run(&[("m.md5mesh", MESH), (name, old)], &[("m.md5mesh", MESH), (name, new)]);
        found.retain(|(own, ..)| own == name);
        let (_, state, text) = found.pop().unwrap();
        (state, text)
    }

    #[test]
    fn models_and_clips_are_compared_by_content() {
        assert_eq!(state("n.md5mesh", MESH, MESH).0, FileState::Same);
        assert_eq!(
            state("n.md5mesh", MESH, &format!("{MESH}// again\n")).0,
            FileState::SameContent
        );
        let (found, text) = state("n.md5mesh", MESH, &MESH.replace("( 0 1 2 )", "( 0 1 3 )"));
        assert!(
            found == FileState::Different && text.contains("vertex 2 farthest by 1.00"),
            "{text}"
        );
        assert_eq!(
            state("w.md5anim", CLIP, &CLIP.replace("( 1 1 1 )", "( 2 2 2 )")).0,
            FileState::SameContent
        );
        let (found, text) = state("w.md5anim", CLIP, &CLIP.replace("{\n1\n}", "{\n1.5\n}"));
        assert!(found == FileState::Different && text.contains("joint b moved 0.5 "), "{text}");
        let (found, text) = state("w.md5anim", CLIP, &CLIP.replace("frameRate 10", "frameRate 20"));
        assert!(
            found == FileState::Different && text.contains("the clip lasts 0.05 s, was 0.1 s"),
            "{text}"
        );
    }

    #[test]
    fn nothing_is_the_same_that_was_not_read() {
        let scene = "[[model]]\nfile = \"m.md5mesh\"\n";
        let (found, text) = state("s.toml", scene, "[[model]]\nfile = \"m.md5mesh\" \n");
        assert!(found == FileState::Different && text.contains("is not compared"), "{text}");
        assert_eq!(state("s.tga", "a", "b").0, FileState::Different);
        assert_eq!(state("notes.txt", "a", "b").0, FileState::NotCompared);
        assert_eq!(
            state("broken.md5mesh", MESH, "MD5Version 10\nnumJoints 3\n").0,
            FileState::Unreadable
        );
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n";
        let (found, text) = state("n.md5mesh", MESH, pointer);
        assert!(found == FileState::Unreadable && text.contains("git lfs pull"), "{text}");
        let found = run(
            &[("sub/m.md5mesh", MESH)],
            &[("w.md5anim", CLIP), ("r.toml", "pixel_revision = 1\nimage = \"\"\n")],
        );
        let states: Vec<_> = found.iter().map(|(name, state, _)| (name.as_str(), *state)).collect();
        assert_eq!(states, [("sub/m.md5mesh", FileState::OnlyA), ("w.md5anim", FileState::OnlyB)]);
    }
}
