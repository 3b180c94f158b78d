//! Clips that stand still because their files ask to be played once.

use crate::asset::{Assets, LoadedClip};
use crate::model::Wrap;
use crate::scene::Scene;

/// Tells of clips that are held at their ends because their files ask for it, where the scene runs beyond the ends.
pub(super) fn held_clips(scene: &Scene, assets: &Assets) -> Vec<String> {
    let frames = &scene.output.frames;
    let times: Vec<f64> = frames.iter().map(|frame| scene.output.time_s(frame)).collect();
    let (mut told, mut warnings) = (Vec::new(), Vec::new());
    for instance in scene.instances.iter().filter(|instance| instance.wrap.is_none()) {
        let Some(index) = assets.clip_of(instance.model, instance.clip) else { continue };
        let LoadedClip { name, clip, .. } = &assets.models[instance.model].clips[index];
        let length_s = clip.end_s - clip.start_s;
        let is_beyond = |time_s: &f64| !(0.0..=length_s).contains(&instance.clip_time_s(*time_s));
        // What a fade hides is not looked for; and a scene of many instances tells once.
        if clip.wrap != Wrap::Clamp
            || length_s <= 0.0
            || told.contains(&(instance.model, index))
            || !times.iter().any(is_beyond)
        {
            continue;
        }
        told.push((instance.model, index));
        warnings.push(format!(
            "{}: clip {name:?} lasts {length_s:.3} s and is held at its ends, as its file asks; \
             wrap = \"loop\" in an [[instance]] repeats it",
            scene.models[instance.model].name
        ));
    }
    warnings
}
