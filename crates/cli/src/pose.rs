//! `tintype pose`: a posed mesh as OBJ.

use super::args::Pose;
use super::console::Console;
use super::failure::Failure;
use super::load::{self, Contents};
use super::output_name::refuse_all_but_obj;
use super::standard_input::STREAM;
use super::stdout::write_stdout;
use std::path::Path;
use tintype::builder::{RootMotion, Springs, Wrap};
use tintype_base::path::ShowPath;
use tintype_base::suggest::{hint, nearest_words_text};
use tintype_host::write_atomic;
use tintype_model::math::Vec3;
use tintype_model::pose::{
    bind_clip, bind_pose, bound_pose, hold_joint, part_of, play_clip, root_joint, sample_clip,
    swing, wrap_time,
};
use tintype_model::skin::{SkinMatrices, skin_mesh};
use tintype_model::{Clip, Mesh, Model, NamedClip, PosedMesh, mesh_names};
use tintype_output::encode_obj;
use tintype_render::asset::set_morphs;
use tintype_scene::{ClipWord, ClipWordError, decide_said_clip, read_clip_word};

pub(super) fn run(options: &Pose, console: &mut Console) -> Result<(), Failure> {
    load::refuse_what_is_no_model(&options.model)?;
    refuse_all_but_obj(&options.output.to_string_lossy())?;
    console.set_file_scene(options.file_scene.clone());
    let (model, own) = load::model(&options.model, options.ticks_per_second, console)?;
    if model.meshes.iter().all(|mesh| mesh.vertex_count() == 0) {
        let file = options.model.shown();
        let hint =
            if own.clips.is_empty() { "" } else { "; to play its clips on a model, use --anim" };
        return Err(Failure::bad_input(format!("{file}: no mesh to pose{hint}")));
    }
    let mut pose = posed(options, &model, own, console)?;
    let lacking = set_morphs(&model.skeleton, &options.morphs, &mut pose).map_err(|error| {
        Failure::bad_input(format!("{}: --morph: {error}", options.model.shown()))
    })?;
    for message in lacking {
        console.warning(&format!("{}: --morph: {message}", options.model.shown()));
    }
    let hidden = hidden_meshes(options, &model, &pose)?;
    let matrices = SkinMatrices::new(&pose);
    let posed: Vec<PosedMesh> =
        model.meshes.iter().map(|mesh| skin_mesh(mesh, &matrices)).collect();
    let text = encode_obj(&model.meshes, &posed, &pose.morphs);
    if !hidden.is_empty() {
        console.info(&format!("omitted because hidden at that time: {}", hidden.join(", ")));
    }
    if options.output.as_os_str() == STREAM {
        return write_stdout(text.as_bytes());
    }
    write_atomic(&options.output, text.as_bytes()).map_err(|error| Failure::output(&error))?;
    let shown = model.meshes.iter().filter(|mesh| mesh.is_shown(&pose.morphs));
    let vertices: usize = shown.map(Mesh::file_vertex_count).sum();
    console.info(&format!(
        "wrote {vertices} vertices of {} to {}",
        options.model.shown(),
        options.output.shown()
    ));
    let slots =
        model.skeleton.morphs().iter().zip(&pose.morphs).filter(|(_, weight)| **weight != 0.0);
    let morphs: Vec<String> =
        slots.map(|(slot, weight)| format!("{} {weight}", slot.name)).collect();
    if !morphs.is_empty() {
        console.info(&format!("morph targets: {}", morphs.join(", ")));
    }
    Ok(())
}

/// Names of the meshes hidden by the file or the clip in a pose; an error if it hides all of them.
fn hidden_meshes(
    options: &Pose,
    model: &Model,
    pose: &tintype_model::Pose,
) -> Result<Vec<String>, Failure> {
    let names = mesh_names(&model.meshes).into_iter().zip(&model.meshes);
    let (names, hidden): (Vec<String>, Vec<&Mesh>) =
        names.filter(|(_, mesh)| !mesh.is_shown(&pose.morphs)).unzip();
    if hidden.is_empty() || hidden.len() < model.meshes.len() {
        return Ok(names);
    }
    let mut switches: Vec<String> = Vec::new();
    for &slot in hidden.iter().flat_map(|mesh| &mesh.shown_by) {
        let Some(own) = model.skeleton.morphs().get(slot) else { continue };
        let joint = &model.skeleton.joints()[own.joint.index()].name;
        let switch = format!("--morph '{joint}/{}=1'", own.name);
        if pose.morphs[slot] < Mesh::SHOWN_FROM && !switches.contains(&switch) {
            switches.push(switch);
        }
    }
    Err(Failure::bad_input(format!(
        "{}: all meshes are hidden at that time: {}; show them with {}",
        options.model.shown(),
        names.join(", "),
        switches.join(" ")
    )))
}

/// The pose requested by the options; without a clip the bind pose.
fn posed(
    options: &Pose,
    model: &Model,
    own: Contents,
    console: &mut Console,
) -> Result<tintype_model::Pose, Failure> {
    let has_moment = options.time.is_some() || options.tick.is_some() || options.frame.is_some();
    let (anim, word) = (options.anim.as_deref(), options.clip.as_deref());
    if anim.is_none() && word.is_none() && !has_moment {
        return Ok(bind_pose(&model.skeleton));
    }
    let swings = options.springs == Springs::Swing && !model.skeleton.rig().springs.is_empty();
    let is_still = word == Some("bind") || word.is_none() && anim.is_none() && own.clips.is_empty();
    if let (Some(time_s), true) = (options.time, swings && is_still) {
        let mut pose = bind_pose(&model.skeleton);
        let at_rest = pose.clone();
        swing(&model.skeleton, &mut pose, time_s, &mut |_| at_rest.clone());
        return Ok(pose);
    }
    let rate = options.ticks_per_second;
    let (path, contents) = load::clips_for(&options.model, own, anim, word, rate, console)?;
    let ticks = contents.ticks.map(|ticks| ticks.per_second);
    let Some(clip) = chosen_clip(word, &path, &contents.clips, ticks)? else {
        if has_moment {
            let option = "--time, --tick and --frame need a clip";
            return Err(Failure::bad_input(format!(
                "--clip bind: the bind pose has no time; {option}"
            )));
        }
        return Ok(bound_pose(&model.skeleton));
    };
    let (binding, warnings) = bind_clip(&model.skeleton, &model.meshes, &clip)
        .map_err(|error| Failure::bad_input(format!("{}: {error}", path.shown())))?;
    for warning in warnings {
        console.warning(&format!("{}: {}", path.shown(), warning.message));
    }
    if ticks.is_none() && options.ticks_per_second.is_some() {
        return Err(Failure::bad_input(format!(
            "{}: --ticks-per-second: the file does not use ticks",
            path.shown()
        )));
    }
    let (time_s, wrap) = moment(options, &clip, ticks)?;
    let skeleton = &model.skeleton;
    let mut pose = match options.springs {
        Springs::Swing => play_clip(skeleton, &clip, &binding, time_s, wrap),
        Springs::Rest => sample_clip(skeleton, &clip, &binding, wrap_time(&clip, time_s, wrap)),
    };
    if options.root != RootMotion::Keep
        && let Some(joint) = root_joint(skeleton, &model.meshes, &clip, &binding)
    {
        let first = sample_clip(skeleton, &clip, &binding, clip.start_s);
        let up = (options.root == RootMotion::HoldLevel).then_some(Vec3::Y);
        hold_joint(skeleton, &mut pose, joint, first.matrices[joint].translation, up);
    }
    Ok(pose)
}

/// The clip, or part of a clip, named by `--clip`; the first without a name, none for the bind
/// pose.
pub(super) fn chosen_clip(
    wanted: Option<&str>,
    path: &Path,
    clips: &[NamedClip],
    ticks_per_second: Option<f64>,
) -> Result<Option<Clip>, Failure> {
    let names: Vec<&str> = clips.iter().map(|clip| clip.name.as_str()).collect();
    let failure = |message: String| Failure::bad_input(format!("{}: {message}", path.shown()));
    if wanted.is_none() && clips.is_empty() {
        return Err(failure(format!("which clip; {}", has_clips(&names))));
    }
    let wish = wanted.map(|wanted| read_clip_word(wanted, &names)).transpose();
    let first = ClipWord::Clip { index: 0, part: None };
    let (index, part) = match wish.map(|wish| decide_said_clip(wish, first)) {
        Ok(ClipWord::Bind) => return Ok(None),
        Ok(ClipWord::Clip { index, part }) => (index, part),
        Err(ClipWordError::Unknown { name, nearest }) => {
            let near = hint(nearest);
            let has = match names.as_slice() {
                [] | [""] => has_clips(&names),
                _ => nearest_words_text(&name, &names),
            };
            return Err(failure(format!("--clip: unknown clip {name:?}; {has}{near}")));
        }
        Err(error) => return Err(failure(format!("--clip: {error}"))),
    };
    let clip = &clips[index].clip;
    match part {
        None => Ok(Some(clip.clone())),
        Some(range) => {
            let part = part_of(clip, &range, ticks_per_second);
            part.map(Some).map_err(|error| failure(format!("--clip: {error}")))
        }
    }
}

fn has_clips(names: &[&str]) -> String {
    match names {
        [] => "the file has no clip; name a clip file with --anim".to_owned(),
        [""] => "the file has one clip, without a name: omit --clip".to_owned(),
        _ => format!("the file has: {}", names.join(", ")),
    }
}

/// Seconds from the start of the clip. A time beyond the end continues in the next repetition; a
/// key is exactly that key, also the last one.
fn moment(
    options: &Pose,
    clip: &Clip,
    ticks_per_second: Option<f64>,
) -> Result<(f64, Wrap), Failure> {
    if let Some(tick) = options.tick {
        return match ticks_per_second {
            _ if !tick.is_finite() => {
                Err(Failure::bad_input(format!("--tick: {tick}; expected a finite number")))
            }
            None => Err(Failure::bad_input("--tick: the clip does not use ticks; use --time")),
            // Ticks count from the file's zero, not from the first key.
            Some(per_second) => Ok((tick / per_second - clip.start_s, Wrap::Clamp)),
        };
    }
    match (options.time, options.frame) {
        (Some(time_s), _) if time_s.is_finite() => Ok((time_s, clip.wrap)),
        (Some(time_s), _) => {
            Err(Failure::bad_input(format!("--time: {time_s}; expected a finite number")))
        }
        (None, Some(key)) => match clip.key_time_s(key) {
            Some(time_s) => Ok((time_s - clip.start_s, Wrap::Clamp)),
            None => Err(Failure::bad_input(format!(
                "--frame: {key}; the clip has keys 0 to {}",
                clip.key_count().saturating_sub(1)
            ))),
        },
        (None, None) => Err(Failure::bad_input(
            "choose a time of the clip with --time SECONDS, --tick TICKS or --frame KEY",
        )),
    }
}
