//! Warns of clips that are held at their ends because their files play them once.

use crate::asset::{Assets, LoadedClip};
use tintype_base::diagnostic::{Diagnostic, Kind, Place};
use tintype_model::Wrap;
use tintype_scene::Scene;

/// One warning for each clip that its file clamps and that the scene plays beyond its ends.
pub(super) fn warnings(scene: &Scene, assets: &Assets) -> Vec<Diagnostic> {
    let frames = &scene.output.frames;
    let times: Vec<f64> = frames.iter().map(|frame| scene.output.time_s(frame)).collect();
    let (mut reported, mut warnings) = (Vec::new(), Vec::new());
    for instance in scene.instances.iter().filter(|instance| instance.wrap.is_none()) {
        let Some(index) = assets.clip_of(instance.model, instance.clip) else { continue };
        let LoadedClip { name, clip, .. } = &assets.models[instance.model].clips[index];
        let length_s = clip.end_s - clip.start_s;
        let is_beyond = |time_s: &f64| !(0.0..=length_s).contains(&instance.clip_time_s(*time_s));
        // Fades are not considered. A clip of several instances is reported once.
        if clip.wrap != Wrap::Clamp
            || length_s <= 0.0
            || reported.contains(&(instance.model, index))
            || !times.iter().any(is_beyond)
        {
            continue;
        }
        reported.push((instance.model, index));
        let place = Place::Model { name: scene.models[instance.model].name.clone(), clip: None };
        let message = format!(
            "clip {name:?} lasts {length_s:.3} s and holds its last pose, as its file specifies"
        );
        let help = "to repeat it, set wrap = \"loop\" in the [[instance]]".to_owned();
        warnings.push(Diagnostic::warning(Kind::Clip, place, message).with_help(Some(help)));
    }
    warnings
}
