//! Draws one model: choices for the view, resume by digest, picture.
//!
//! The picture is drawn from a scene composed by [`crate`]. Its paths are relative to the
//! [`ModelRoot`].

use super::job::{ModelJob, open};
use super::limits::ModelDeadline;
use super::model_root::ModelRoot;
use super::offers::{Offers, named_clip};
use super::options::{Thumbnail, ThumbnailOptions};
use super::skip_reason::{Skip, SkipReason};
use crate::ModelFile;
use crate::clip_choice;
use crate::clip_folders::{ClipFolders, MAX_CLIPS};
use std::convert::Infallible;
use std::io::ErrorKind;
use std::path::Path;
use tintype_base::extension::is_md5_model;
use tintype_formats::LoadOptions;
use tintype_model::pose::bind_clip;
use tintype_render::asset::input::length_of;
use tintype_render::asset::{LoadedClip, Opened, SharedFiles};

/// Draws the picture of a model before its deadline, unless the `present` one is the same.
pub fn draw_model(
    model_file: &ModelFile,
    present: Option<&Path>,
    options: &ThumbnailOptions,
    clip_folders: &ClipFolders,
    model_deadline: &ModelDeadline,
) -> Result<Thumbnail, Skip> {
    let said = &options.settings;
    if let Err(error) = said.check() {
        return Err(Skip::new(SkipReason::Input, error.to_string()));
    }
    let load_options = LoadOptions::from(options.limits.limits.clone())
        .with_deadline(model_deadline.deadline().clone())
        .with_files(options.files.clone());
    if !options.held.has(&model_file.path) {
        let length = length_of(&options.files, &model_file.path);
        options.limits.check_file(length.map_err(|error| unreadable(&error))?)?;
    }
    let root = ModelRoot::of(&model_file.path, &options.files)?;
    let beside = match (is_md5_model(&model_file.path), &options.anim) {
        (true, None) => {
            model_deadline.enter("looking for clips")?;
            let joints = options.held.joint_names(&model_file.path);
            let clips = clip_folders.clips_of(&model_file.path, joints, MAX_CLIPS, &load_options);
            clips.map_err(|error| unreadable(&error))?.map_err(|late| model_deadline.skip(late))?
        }
        _ => Vec::new(),
    };
    let offers = match &options.anim {
        Some(anim) => Offers::of_file(anim, options, &load_options)?,
        None => Offers::beside(&beside, is_md5_model(&model_file.path), options, &root)?,
    };
    // The model itself is the same in each tried scene.
    let shared = SharedFiles::over(&options.held);
    let mut last = None;
    for clip in &offers.clips {
        model_deadline.enter("reading it")?;
        let is_last = clip == offers.clips.last().unwrap_or(&None);
        let (up, front) = (said.up(), said.front());
        let builder = root.scene(options, clip.as_ref(), up.as_deref(), front.as_deref());
        let scene = root.build(builder.clone(), options)?;
        match open(&scene, &root, &load_options, &shared) {
            Ok(opened) if is_last || options.anim.is_some() || is_shown(&opened, options) => {
                let job = ModelJob {
                    options,
                    name: &model_file.name,
                    root: &root,
                    load_options: &load_options,
                    shared: &shared,
                    model_deadline,
                    clip: clip.as_ref(),
                    beside: &beside,
                    lacks_clip: offers.lacks_clip,
                };
                return job.go_on(opened, &scene, builder, present);
            }
            Ok(_) => {}
            Err(error) if is_last || error.is_temporary() || error.timed_out().is_some() => {
                return Err(Skip::of(error, model_deadline));
            }
            Err(error) => last = Some(error),
        }
    }
    // Not reached: the last offer returns.
    let skip = |error| Skip::of(error, model_deadline);
    Err(last.map_or_else(|| Skip::new(SkipReason::Input, "no clip"), skip))
}

fn unreadable(error: &std::io::Error) -> Skip {
    let is_temporary = tintype_base::disk::is_temporary(error);
    let reason = if is_temporary { SkipReason::Temporary } else { SkipReason::Input };
    let message = match error.kind() {
        ErrorKind::NotFound => "no such file".to_owned(),
        _ => format!("cannot be read: {error}"),
    };
    Skip { io_kind: Some(error.kind()), ..Skip::new(reason, message) }
}

/// True if the clip beside a model may be shown: it fits, and is named by the user or passes the
/// rule of [`clip_choice`].
fn is_shown(opened: &Opened, options: &ThumbnailOptions) -> bool {
    let asked = options.settings.clip();
    let asked = asked.as_deref();
    opened.models.iter().all(|loaded| {
        let names: Vec<&str> = loaded.clips.iter().map(|clip| clip.name.as_str()).collect();
        let is_asked = asked.is_some_and(|wanted| named_clip(wanted, &names).is_some());
        let model = &loaded.model;
        let binds =
            |clip: &LoadedClip| bind_clip(&model.skeleton, &model.meshes, &clip.clip).is_ok();
        if is_asked {
            loaded.clips.iter().all(binds)
        } else {
            let found = clip_choice::best_clip(loaded, || Ok::<(), Infallible>(()));
            loaded.clips.is_empty() || matches!(found, Ok(Some(_)))
        }
    })
}
