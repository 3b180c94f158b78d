//! Invalid files of Khronos' validator: each is refused or reported, or its errors are in objects
//! that are not drawn.

use crate::support::{trial, with_models};
use libtest_mimic::Failed;
use serde_json::Value;
use std::path::Path;
use tintype_formats::LoadOptions;
use tintype_render::asset::load_gltf;

/// Files that are read in silence, with the reason.
const SILENT: [(&str, &str); 2] = [
    (
        "base/animation/sampler_input_no_bounds.gltf",
        "min and max of key times are hints; the keys themselves are read and checked",
    ),
    (
        "base/animation/channel_node_no_morphs.gltf",
        "a file of clips alone may move the targets of another file's node of that name",
    ),
];
/// Minimum number of files that are refused or reported.
const MIN_TOLD: usize = 43;

/// Codes of the errors of a report.
fn errors(report: &Value) -> Vec<String> {
    let messages = report["issues"]["messages"].as_array().into_iter().flatten();
    let errors = messages.filter(|message| message["severity"] == 0);
    errors.filter_map(|message| message["code"].as_str().map(str::to_owned)).collect()
}

fn errors_are_told(folder: &Path) -> Result<(), Failed> {
    let (mut told, mut undrawn, mut silent) = (0, 0, Vec::new());
    for report in crate::support::files(folder, &["json"])? {
        let Some(name) = report.to_str().and_then(|name| name.strip_suffix(".report.json")) else {
            continue;
        };
        let codes = errors(&serde_json::from_slice(&std::fs::read(&report)?)?);
        let path = Path::new(name);
        if codes.is_empty() || !path.exists() {
            continue;
        }
        let bytes = std::fs::read(path)?;
        match load_gltf(&bytes, path, "", &LoadOptions::default()) {
            Err(error) => {
                told += 1;
                let text = error.to_string();
                let is_placed = text.starts_with("line ")
                    || text.starts_with("byte ")
                    || text.contains(": ")
                    || bytes.is_empty();
                if !is_placed && !text.contains("JSON") {
                    return Err(format!("{name}: no position in {text:?}").into());
                }
            }
            Ok(own) if !own.loaded.warnings.is_empty() => told += 1,
            Ok(own)
                if own.loaded.value.model.meshes.is_empty()
                    && own.loaded.value.clips.is_empty() =>
            {
                undrawn += 1
            }
            Ok(_) => silent.push((name.to_owned(), codes)),
        }
    }
    let is_known = |name: &str| SILENT.iter().any(|(known, _)| name.ends_with(known));
    silent.retain(|(name, _)| !is_known(name));
    if told < MIN_TOLD || !silent.is_empty() {
        let told = format!(
            "{told} refused or told, {undrawn} of objects that nothing draws; silent: {silent:#?}"
        );
        return Err(told.into());
    }
    Ok(())
}

#[trial(with_models)]
fn gltf_errors_of_the_validator_are_told(models: &Path) -> Result<(), Failed> {
    errors_are_told(&models.join("gltf/khronos-validator"))
}
