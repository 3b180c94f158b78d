//! Clips available for a picture of a model, and those requested by name.

use super::clip_file::ClipFile;
use super::model_root::ModelRoot;
use super::options::ThumbnailOptions;
use super::skip_reason::{Skip, SkipReason};
use crate::clip_choice;
use crate::clip_folders::{MAX_TRIED, stem};
use crate::model_entry::names_in;
use std::path::Path;
use tintype_base::path::ShowPath;
use tintype_base::suggest::nearest_words_text;
use tintype_formats::LoadOptions;
use tintype_model::ClipRange;
use tintype_scene::{ClipWord, read_clip_word};

/// Clips of other files that a model may be shown in, in order; none of these for its clips or its
/// bind pose.
pub(super) struct Offers {
    pub clips: Vec<Option<ClipFile>>,
    /// The named clip is missing from the clip files.
    pub lacks_clip: bool,
}

impl Offers {
    /// The clip of a file that the options name.
    pub(super) fn of_file(
        anim: &Path,
        options: &ThumbnailOptions,
        load_options: &LoadOptions,
    ) -> Result<Self, Skip> {
        let mut clip = ClipFile::new(anim.shown());
        let mut lacks_clip = false;
        if let Some(name) = options.settings.clip().as_deref() {
            let sets = names_in(anim, load_options);
            let names = if sets.is_empty() { vec![stem(&clip.file)] } else { sets.clone() };
            match named_clip(name, &names) {
                Some((at, part)) => {
                    (clip.set, clip.part) = ((0..).zip(sets).nth(at), part);
                }
                None if name == "bind" => {}
                None => {
                    go_without(options, name, &names)?;
                    lacks_clip = true;
                }
            }
        }
        Ok(Self { clips: vec![Some(clip)], lacks_clip })
    }

    /// The clips beside a model: the first that binds to it is shown.
    pub(super) fn beside(
        files: &[String],
        is_md5: bool,
        options: &ThumbnailOptions,
        root: &ModelRoot,
    ) -> Result<Self, Skip> {
        let name = options.settings.clip();
        let name = name.as_deref();
        let named = name.and_then(|name| named_clip(name, &stems(files)));
        let mut lacks_clip = false;
        match (named, name) {
            (Some((at, part)), _) => {
                let clip = ClipFile { part, ..ClipFile::new(root.beside(&files[at])) };
                return Ok(Self { clips: vec![Some(clip)], lacks_clip });
            }
            (None, Some("bind")) => return Ok(Self { clips: vec![None], lacks_clip }),
            (None, Some(name)) if is_md5 => {
                go_without(options, name, &stems(files))?;
                lacks_clip = true;
            }
            (None, _) => {}
        }
        let suited = files.iter().filter(|file| clip_choice::is_suited(&stem(file)));
        let suited = suited.take(MAX_TRIED).map(|file| Some(ClipFile::new(root.beside(file))));
        Ok(Self { clips: suited.chain([None]).collect(), lacks_clip })
    }
}

/// Names of files without their extensions.
fn stems(files: &[String]) -> Vec<String> {
    files.iter().map(|file| stem(file)).collect()
}

/// The index of a clip found by [`read_clip_word`], and the part of it.
pub(super) fn named_clip(
    wanted: &str,
    names: &[impl AsRef<str>],
) -> Option<(usize, Option<ClipRange>)> {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match read_clip_word(wanted, &names) {
        Ok(ClipWord::Clip { index, part }) => Some((index, part)),
        Ok(ClipWord::Bind) | Err(_) => None,
    }
}

/// Continues without a requested clip, if allowed.
///
/// # Errors
/// [`SkipReason::Clip`] with the existing names.
pub(super) fn go_without(
    options: &ThumbnailOptions,
    name: &str,
    names: &[impl AsRef<str>],
) -> Result<(), Skip> {
    if options.draws_without_clip {
        return Ok(());
    }
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    let there = match names.as_slice() {
        [] => "the model has none".to_owned(),
        names => nearest_words_text(name, names),
    };
    Err(Skip::new(SkipReason::Clip, format!("no clip {name:?}; {there}")))
}
