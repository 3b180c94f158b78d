//! The files that pictures are made from, compared with the record of a job of a farm.

use super::build_digest::build_digest;
use super::console::Console;
use super::failure::Failure;
use std::path::Path;
use std::sync::Arc;
use tintype_base::path::ShowPath;
use tintype_farm::sources::{Record, Sources};
use tintype_framing::thumbnail::InputCheck;
use tintype_host::write_new;
use tintype_render::asset::Inputs;
use tintype_scene::Scene;

/// The sources of a scene with its options, as read on this machine.
pub(super) fn scene_sources(
    scene: &Scene,
    path: &Path,
    console: &Console,
) -> Result<Sources, Failure> {
    Sources::of_scene(scene, path, console.load_options(), build_digest())
        .map_err(|error| Failure::asset(&error))
}

/// Refuses a scene if one of its files differs from the one seen by the machine that submitted the
/// job.
pub(super) fn check_scene(
    record: &Path,
    scene: &Scene,
    path: &Path,
    console: &Console,
) -> Result<(), Failure> {
    let record = Record::read(record, build_digest())?;
    let here = scene_sources(scene, path, console)?;
    record.scene_difference(&here, path).map_or(Ok(()), |what| Err(Failure::bad_input(what)))
}

/// As [`check_scene`], for shards without a submission: the first one writes the record to
/// `folder`, and the others must match it. An edited scene has a separate record.
pub(super) fn check_shard(
    folder: &Path,
    scene: &Scene,
    path: &Path,
    console: &Console,
) -> Result<(), Failure> {
    let here = scene_sources(scene, path, console)?;
    let record = folder.join(format!("{}.inputs", &here.scene()[..16]));
    let text = Record::of_scene(&here).text();
    if write_new(&record, text.as_bytes()).map_err(|error| Failure::output(&error))? {
        return Ok(());
    }
    let first = Record::read(&record, build_digest())?;
    first.scene_difference(&here, path).map_or(Ok(()), |what| {
        Err(Failure::bad_input(format!(
            "{what} ({} records the files of the first shard; remove it to redraw everything from the new files)",
            record.shown()
        )))
    })
}

/// The check of many models by a record.
pub(super) fn check_of_models(record: Option<&Path>) -> Result<Option<InputCheck>, Failure> {
    let Some(record) = record else { return Ok(None) };
    let record = Record::read(record, build_digest())?;
    Ok(Some(InputCheck(Arc::new(move |name: &str, here: &Inputs| {
        record.model_difference(name, here).map_or(Ok(()), Err)
    }))))
}
