//! The clip: keys of nodes by the frames of the file.

use super::file::{B3dFile, Node};
use crate::node_model::node_clip;
use crate::stated::decide_frame_rate;
use crate::told::Told;
use crate::{FilePlace, LoadOptions, ModelFormatError};
use std::collections::BTreeMap;
use std::sync::Arc;
use tintype_base::precedence::Decided;
use tintype_model::{FileRepair, Interpolation, NamedClip, Track, Tracks};

/// Frames per second if a file states 0.
const USUAL_RATE_HZ: f64 = 60.0;

/// Frames per second; a requested rate overrides the file's.
pub(super) fn rate(file: &B3dFile, wish: Option<f64>) -> Result<Decided<f64>, ModelFormatError> {
    let stated = file.animation.map(|(_, rate)| f64::from(rate));
    let stated = stated.filter(|rate| *rate > 0.0 && rate.is_finite());
    decide_frame_rate(wish, stated, USUAL_RATE_HZ)
}

/// The clip of a file of this size in bytes, if nodes have keys.
///
/// # Errors
/// [`ModelFormatError::Limit`] for too many keys.
pub(super) fn build(
    file: &B3dFile,
    names: &[String],
    (rate_hz, size, options): (f64, usize, &LoadOptions),
    told: &mut Told,
) -> Result<Vec<NamedClip>, ModelFormatError> {
    options.deadline.check("building clips")?;
    let frames_of = |node: &Node| {
        let all = node.translations.keys().chain(node.scales.keys()).chain(node.rotations.keys());
        all.copied().max()
    };
    let Some(last) = file.nodes.iter().filter_map(frames_of).max() else { return Ok(Vec::new()) };
    let keys = |node: &Node| node.translations.len() + node.scales.len() + node.rotations.len();
    let count: usize = file.nodes.iter().map(keys).sum();
    let limit = options.limits.max_keys(size);
    if count > limit {
        return Err(ModelFormatError::too_many_keys(FilePlace::Byte(0), count, limit));
    }
    let stated = file.animation.map(|(frames, _)| frames);
    let known = stated.filter(|frames| usize::try_from(*frames).is_ok_and(|frames| frames < limit));
    if stated != known {
        let what = "too many frames are declared; the clip ends at its last key";
        told.note(FileRepair::OutOfRange, FilePlace::Byte(0), what);
    }
    let last = known.unwrap_or_else(|| u32::try_from(last.max(0)).unwrap_or(0));
    // A last key beyond the limit has no displayable frames before it.
    let last = if usize::try_from(last).is_ok_and(|last| last < limit) { last } else { 0 };
    let joints: Vec<Tracks> = file
        .nodes
        .iter()
        .zip(names)
        .filter(|(node, _)| keys(node) > 0)
        .map(|(node, name)| Tracks {
            name: name.clone(),
            parent: None,
            translation: track(&node.translations, rate_hz),
            rotation: track(&node.rotations, rate_hz),
            scale: track(&node.scales, rate_hz),
        })
        .collect();
    let times: Arc<[f64]> = (0..=last).map(|frame| f64::from(frame) / rate_hz).collect();
    // The engine repeats a clip at its last frame.
    Ok(vec![node_clip(joints, (times, rate_hz), true)])
}

fn track<T: Copy>(keys: &BTreeMap<i32, T>, rate_hz: f64) -> Track<T> {
    Track {
        times_s: keys.keys().map(|frame| f64::from(*frame) / rate_hz).collect(),
        values: keys.values().copied().collect(),
        interpolation: Interpolation::Linear,
    }
}
