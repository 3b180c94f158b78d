//! The clips of a model: from other files, from the model file, and parts of them.

use super::content::{Content, SharedClip};
use super::error::AssetError;
use super::file::Source;
use super::folder::{ClipPlace, clip_places};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tintype_base::extension::is_md5_model;
use tintype_base::path::{ShowPath, path_of_text, slashed};
use tintype_base::suggest::nearest_word;
use tintype_formats::LoadOptions;
use tintype_formats::x::TickRate;
use tintype_model::pose::part_of;
use tintype_model::{Clip, ClipOptions, ClipRange};
use tintype_scene::{
    ClipChoice, ClipEntry, ClipSource, ClipWord, ModelEntry, SetChoice, read_clip_word,
};

/// A clip of a model.
#[derive(Clone, Debug)]
pub struct LoadedClip {
    /// Its name in the scene, otherwise in its file.
    pub name: String,
    /// Its file as written in the scene.
    pub file: String,
    /// The clip; shared where several name one file.
    pub clip: Arc<Clip>,
    /// Playback options of its file.
    pub options: ClipOptions,
    /// The time of its file, if that counts in ticks.
    pub ticks: Option<TickRate>,
}

/// The file of a clip that names one, and its contents.
pub(super) type ClipFile<'c> = Option<(Source, Option<&'c Content>)>;

/// The clips of a model: those named by the scene, in order, otherwise all of the model file.
pub(super) fn clips_of(
    entry: &ModelEntry,
    (source, content): (&Source, &Content),
    files: &[ClipFile<'_>],
) -> Result<Vec<LoadedClip>, AssetError> {
    let own = match content {
        Content::ModelAndClips { clips, ticks, .. } => Own { clips, ticks: *ticks },
        _ => Own { clips: &[], ticks: None },
    };
    if entry.has_own_clips {
        let clips = own.clips.iter().map(|clip| loaded(clip, clip.name.clone(), entry, own.ticks));
        return Ok(clips.collect());
    }
    let mut clips = Vec::new();
    for (index, (clip, file)) in entry.clips.iter().zip(files).enumerate() {
        let found = match (&clip.source, file) {
            (ClipSource::File { .. }, Some((source, Some(content)))) => {
                of_file(clip, source, content)?
            }
            (ClipSource::Own(choice), _) => {
                let source = source.beside_file(&format!("clips[{index}].of"));
                let chosen = chosen(own.clips, choice.as_ref(), &source, "")?;
                loaded(chosen, clip.name.clone(), entry, own.ticks)
            }
            (ClipSource::Entry(other), _) => {
                let whole = entry.clips.get(*other).zip(files.get(*other));
                let Some((whole, Some((source, Some(content))))) = whole else { continue };
                LoadedClip { name: clip.name.clone(), ..of_file(whole, source, content)? }
            }
            _ => continue,
        };
        clips.push(match &clip.part {
            Some(range) => {
                let key = format!("clips[{index}].{}", range.unit.name());
                cut(found, range, &source.beside_file(&key))?
            }
            None => found,
        });
    }
    Ok(clips)
}

/// The file beside an MD5 model whose clip a scene names, if the scene gives the model no clips.
///
/// # Errors
/// [`AssetError::Read`] if a folder exists and cannot be listed.
pub(super) fn clip_beside(
    choice: &SetChoice,
    source: &Source,
    options: &LoadOptions,
) -> Result<Option<Source>, AssetError> {
    let SetChoice::Name(word) = choice else { return Ok(None) };
    if !is_md5_model(&source.path) {
        return Ok(None);
    }
    let folder = source.path.parent().unwrap_or(Path::new(""));
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let failed = |error| {
        let (path, key) = (folder.to_path_buf(), source.key.clone());
        AssetError::Read { path, key, source: error }
    };
    let places = clip_places(folder, &[stem(&source.path)], &options.files).map_err(failed)?;
    let of_place = |place: ClipPlace| {
        place.clips.into_iter().map(move |name| place.path.join(path_of_text(&name)))
    };
    let files: Vec<PathBuf> = places.into_iter().flat_map(of_place).collect();
    let names: Vec<String> = files.iter().map(|file| stem(file)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let Ok(ClipWord::Clip { index, .. }) = read_clip_word(word, &names) else { return Ok(None) };
    Ok(files.get(index).map(|file| Source {
        name: slashed(file),
        path: folder.join(file),
        key: source.key.clone(),
    }))
}

/// The clip of the file found by [`clip_beside`].
pub(super) fn loaded_beside(source: &Source, content: &Content) -> Option<LoadedClip> {
    let Content::Clip(clip) = content else { return None };
    let name = source.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let (file, options) = (source.name.clone(), ClipOptions::default());
    Some(LoadedClip { name, file, clip: Arc::clone(clip), options, ticks: None })
}

/// The clip of a model that an instance names; a part of one is added as another clip of the model.
/// `source` has the key that names it.
///
/// # Errors
/// [`AssetError::UnknownClip`], [`AssetError::Part`].
pub(super) fn wanted_clip(
    loaded: &mut Vec<LoadedClip>,
    choice: &SetChoice,
    source: &Source,
) -> Result<ClipChoice, AssetError> {
    let names: Vec<&str> = loaded.iter().map(|clip| clip.name.as_str()).collect();
    let unknown = || unknown_clip(source, "", Some(choice), &names);
    let SetChoice::Name(word) = choice else {
        return place_of(&names, Some(choice)).map(ClipChoice::Clip).ok_or_else(unknown);
    };
    match read_clip_word(word, &names).map_err(|_| unknown())? {
        ClipWord::Bind => Ok(ClipChoice::Bind),
        ClipWord::Clip { index, part: None } => Ok(ClipChoice::Clip(index)),
        ClipWord::Clip { index, part: Some(range) } => {
            let whole = loaded.get(index).cloned().ok_or_else(unknown)?;
            let part = cut(LoadedClip { name: word.clone(), ..whole }, &range, source)?;
            loaded.push(part);
            Ok(ClipChoice::Clip(loaded.len() - 1))
        }
    }
}

/// Clips of the model's own file.
struct Own<'c> {
    clips: &'c [SharedClip],
    ticks: Option<TickRate>,
}

fn loaded(
    clip: &SharedClip,
    name: String,
    entry: &ModelEntry,
    ticks: Option<TickRate>,
) -> LoadedClip {
    let (file, options) = (entry.file.clone(), clip.options);
    LoadedClip { name, file, clip: Arc::clone(&clip.clip), options, ticks }
}

/// All clips of a file, named as in it; the clip of an MD5 file is named after the file.
pub(super) fn clips_in(content: &Content, file: &str) -> Vec<LoadedClip> {
    let (clips, ticks) = match content {
        Content::Clip(clip) => {
            let name = path_of_text(file).file_stem().unwrap_or_default().shown();
            let options = ClipOptions::default();
            (vec![SharedClip { name, clip: Arc::clone(clip), options }], None)
        }
        Content::ModelAndClips { clips, ticks, .. } => (clips.clone(), *ticks),
        Content::Model(_) | Content::Camera(_) => (Vec::new(), None),
    };
    let clips = clips.into_iter().map(|SharedClip { name, clip, options }| LoadedClip {
        name,
        file: file.to_owned(),
        clip,
        options,
        ticks,
    });
    clips.collect()
}

/// The whole clip of another file.
fn of_file(
    entry: &ClipEntry,
    source: &Source,
    content: &Content,
) -> Result<LoadedClip, AssetError> {
    let ClipSource::File { file, set } = &entry.source else {
        return Err(unknown_clip(source, "", None, &[]));
    };
    let (clip, options, ticks): (Arc<Clip>, _, _) = match content {
        Content::Clip(clip) if set.is_none() => (Arc::clone(clip), ClipOptions::default(), None),
        Content::ModelAndClips { clips, ticks, .. } => {
            let chosen = chosen(clips, set.as_ref(), source, "set")?;
            (Arc::clone(&chosen.clip), chosen.options, *ticks)
        }
        _ => return Err(unknown_clip(source, ".set", set.as_ref(), &[])),
    };
    Ok(LoadedClip { name: entry.name.clone(), file: file.clone(), clip, options, ticks })
}

/// A part of a clip; `source` has the key that requests it.
fn cut(whole: LoadedClip, range: &ClipRange, source: &Source) -> Result<LoadedClip, AssetError> {
    let ticks = whole.ticks.map(|ticks| ticks.per_second);
    let part = part_of(&whole.clip, range, ticks).map_err(|error| {
        let (path, key) = (source.path.clone(), source.key.clone());
        AssetError::Part { path, key, source: error }
    })?;
    Ok(LoadedClip { clip: Arc::new(part), ..whole })
}

/// The index of a clip among names; 0 by default.
fn place_of(names: &[&str], choice: Option<&SetChoice>) -> Option<usize> {
    let place = match choice {
        None => 0,
        Some(SetChoice::Index(index)) => *index,
        Some(SetChoice::Name(name)) => match read_clip_word(name, names) {
            Ok(ClipWord::Clip { index, part: None }) => index,
            _ => return None,
        },
    };
    (place < names.len()).then_some(place)
}

/// The clip of a file requested by the scene; `key` replaces `file` at the end of the key of the
/// source.
fn chosen<'a>(
    clips: &'a [SharedClip],
    choice: Option<&SetChoice>,
    source: &Source,
    key: &str,
) -> Result<&'a SharedClip, AssetError> {
    let names: Vec<&str> = clips.iter().map(|clip| clip.name.as_str()).collect();
    let found = place_of(&names, choice).and_then(|place| clips.get(place));
    found.ok_or_else(|| unknown_clip(source, key, choice, &names))
}

/// The error that a clip is missing from a file; `key` replaces `file` at the end of the key of the
/// source.
fn unknown_clip(
    source: &Source,
    key: &str,
    choice: Option<&SetChoice>,
    names: &[&str],
) -> AssetError {
    let (found, nearest) = match choice {
        None => ("0".to_owned(), None),
        Some(SetChoice::Index(index)) => (index.to_string(), None),
        Some(SetChoice::Name(name)) => {
            (format!("{name:?}"), nearest_word(name, names.iter().copied()))
        }
    };
    let key = match source.key.strip_suffix("file") {
        Some(start) if !key.is_empty() => format!("{start}{}", key.trim_start_matches('.')),
        _ => source.key.clone(),
    };
    let has = names.iter().map(|&name| name.to_owned()).collect();
    AssetError::UnknownClip { path: source.path.clone(), key, found, has, nearest }
}
