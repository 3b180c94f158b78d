//! The scenes of a model: one for each clip, or one of the bind pose.

use super::find::LibrarySettings;
use crate::scene::GoldenScene;
use std::path::Path;
use std::sync::Arc;
use tintype_framing::{Character, ModelFile};
use tintype_model::math::{larger, smaller};
use tintype_model::{Rule, Wrap};
use tintype_scene::builder::{Clip, InstanceBuilder};
use tintype_scene::{ClipChoice, FrameList, FrameNumber, Golden, Output, PoseRule, SceneBuilder};

/// The name of a model without clips.
pub(super) const BIND: &str = "bind";
/// Minimum and maximum frame rate of a scene.
const RATES: [f64; 2] = [1e-3, 1000.0];

/// The scenes of a model, each with the name of its clip. None for the bind pose.
pub(super) fn scenes_of(
    model: &ModelFile,
    [root, folder]: [&Path; 2],
    character: &Character,
    settings: LibrarySettings,
) -> Vec<(Option<String>, GoldenScene)> {
    let clips: Vec<Option<(String, usize)>> = if character.clips.is_empty() {
        vec![None]
    } else {
        let clips = character.clips.iter();
        clips.map(|clip| Some((clip.name.clone(), clip.index))).collect()
    };
    clips
        .into_iter()
        .map(|clip| {
            let mut scene = character.scene.clone();
            scene.output.size = settings.size;
            let mut moments = 1;
            if let Some((_, index)) = &clip {
                let length_s = character.assets.models[0].clips[*index].clip.length_s();
                if length_s > 0.0 && settings.moments > 1 {
                    moments = settings.moments;
                    let rate = f64::from(moments) / length_s;
                    scene.output.fps = smaller(larger(rate, RATES[0]), RATES[1]);
                }
            }
            scene.output.frames =
                FrameList::first(moments).unwrap_or_else(|| FrameList::single(FrameNumber(0)));
            for instance in &mut scene.instances {
                instance.clip =
                    clip.as_ref().map_or(ClipChoice::Rest, |(_, at)| ClipChoice::Clip(*at));
                instance.wrap = Some(Wrap::Clamp);
            }
            scene.golden = Some(Golden {
                frames: scene.output.frames.clone(),
                size: settings.size,
                rule: Rule::Exact,
                pose: Some(PoseRule::default()),
                pictures: true,
                known: Vec::new(),
            });
            let name = clip.as_ref().map_or(BIND, |(name, _)| name.as_str());
            let golden = GoldenScene {
                path: model.path.clone(),
                folder: folder.join(name),
                root: root.to_path_buf(),
                load_options: tintype_formats::LoadOptions::default(),
                shared: Arc::default(),
                name: Some(format!("{}/{name}", model.name)),
                text: Some(text_of(character, clip.as_ref().map(|(_, at)| *at), &scene.output)),
                today: None,
                assets: Some(Arc::clone(&character.assets)),
                scene,
                view: None,
                left_records: Arc::default(),
            };
            (clip.map(|(name, _)| name), golden)
        })
        .collect()
}

/// A scene as the text of a file beside its model.
fn text_of(character: &Character, clip: Option<usize>, output: &Output) -> String {
    let clip = clip.and_then(|at| u32::try_from(at).ok()).map_or(Clip::Bind, Clip::Index);
    let instance = InstanceBuilder::new("model").clip(clip).wrap(Wrap::Clamp);
    let scene = SceneBuilder::new().size(output.size).frames(&output.frames).fps(output.fps);
    scene.model(character.entry.clone()).instance(instance).to_toml()
}
