//! `tintype farm look`: checks whether this machine can run a task of a submission.

use super::enter::enter;
use crate::args::farm::Look;
use crate::build_digest::build_digest;
use crate::console::Console;
use crate::failure::Failure;
use crate::inputs::scene_sources;
use crate::load;
use std::path::Path;
use std::time::SystemTime;
use tintype_base::path::path_of_text;
use tintype_farm::job::{Frames, Job};
use tintype_farm::preflight::{check_folder, check_program, sources_of_models};
use tintype_farm::sources::Sources;
use tintype_farm::submission::Submission;

pub(super) fn look(options: &Look, console: &mut Console) -> Result<(), Failure> {
    // 1. The submission, and the program that wrote it.
    let path = std::path::absolute(&options.submission)
        .map_err(|error| load::unreadable(&options.submission, &error))?;
    let submission = Submission::read(&path)?;
    check_program(&submission)?;

    // 2. The files that the pictures are made from.
    enter(&submission, console)?;
    let (here, what) = match &submission.job {
        Job::Frames(frames) => (sources_of_frames(frames, console)?, frames.scene.clone()),
        Job::Models(models) => {
            let list = &path_of_text(&submission.part);
            (sources_of_models(models, list, build_digest())?, models.base.clone())
        }
    };
    if let Some(what) = submission.sources.difference(&here, &what) {
        return Err(Failure::bad_input(what));
    }

    // 3. The folder of the pictures: the submission is two folders below it.
    let folder = path.ancestors().nth(3).unwrap_or(Path::new("/"));
    if let Some(ahead_s) = check_folder(folder, SystemTime::now())? {
        let side = if ahead_s > 0 { "ahead of" } else { "behind" };
        console.info(&format!(
            "this machine's clock is {} s {side} the disk's clock, which records use",
            ahead_s.abs()
        ));
    }
    Ok(())
}

fn sources_of_frames(frames: &Frames, console: &Console) -> Result<Sources, Failure> {
    let not_here = |failure: Failure| {
        let hint = "all nodes must see the scene and its assets as the submitting machine does";
        Failure::new(failure.code, format!("{}: {hint}", failure.message))
    };
    let mut scene = load::scene(&frames.scene).map_err(not_here)?;
    load::overrides(&frames.pictures.settings, &mut scene)?;
    scene_sources(&scene, &frames.scene, console).map_err(not_here)
}
