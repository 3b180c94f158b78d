//! `tintype pose`: a posed mesh as OBJ.

use super::args::Pose;
use super::console::Console;
use super::failure::Failure;
use super::load;
use super::stdout::write_stdout;
use crate::model::{Clip, NamedClip, PosedMesh, Wrap};
use crate::output::{encode_obj, write_atomic};
use crate::pose::{bind_clip, bind_pose, sample_clip, wrap_time};
use crate::scene::nearest_word;
use crate::skin::{SkinMatrices, skin_mesh};
use std::path::Path;

pub(super) fn run(options: &Pose, console: &mut Console) -> Result<(), Failure> {
    let (model, own) = load::model(&options.model, options.ticks_per_second, console)?;
    let asked = options.clip.is_some()
        || options.time.is_some()
        || options.tick.is_some()
        || options.frame.is_some();
    let source = match &options.anim {
        Some(path) => Some((path, load::clips(path, options.ticks_per_second, console)?)),
        None if asked => Some((&options.model, own)),
        None => None,
    };
    let pose = match source {
        None => bind_pose(&model.skeleton),
        Some((path, contents)) => {
            let clip = chosen_clip(options.clip.as_deref(), path, &contents.clips)?;
            let (binding, warnings) = bind_clip(&model.skeleton, &model.meshes, clip)
                .map_err(|error| Failure::bad_input(format!("{}: {error}", path.display())))?;
            for warning in warnings {
                console.warning(&format!("{}: {}", path.display(), warning.message));
            }
            let ticks = contents.ticks.map(|ticks| ticks.per_second);
            if ticks.is_none() && options.ticks_per_second.is_some() {
                return Err(Failure::bad_input(format!(
                    "{}: --ticks-per-second: the file does not count in ticks",
                    path.display()
                )));
            }
            let (time_s, wrap) = moment(options, clip, ticks)?;
            sample_clip(&model.skeleton, clip, &binding, wrap_time(clip, time_s, wrap))
        }
    };
    let matrices = SkinMatrices::new(&pose);
    let posed: Vec<PosedMesh> =
        model.meshes.iter().map(|mesh| skin_mesh(mesh, &matrices)).collect();
    let text = encode_obj(model.meshes.iter().zip(&posed));
    if options.output.as_os_str() == "-" {
        return write_stdout(text.as_bytes());
    }
    write_atomic(&options.output, text.as_bytes()).map_err(|error| Failure::output(&error))?;
    let vertices: usize = model.meshes.iter().map(crate::model::Mesh::file_vertex_count).sum();
    console.info(&format!(
        "{vertices} vertices of {} to {}",
        options.model.display(),
        options.output.display()
    ));
    Ok(())
}

/// The clip that `--clip` names, or the first.
pub(super) fn chosen_clip<'a>(
    wanted: Option<&str>,
    path: &Path,
    clips: &'a [NamedClip],
) -> Result<&'a Clip, Failure> {
    let found = match wanted {
        None => clips.first(),
        Some(name) => clips.iter().find(|clip| clip.name == name).or_else(|| {
            let index = name.parse::<usize>().ok()?;
            clips.get(index)
        }),
    };
    found.map(|found| &found.clip).ok_or_else(|| {
        let names: Vec<&str> = clips.iter().map(|clip| clip.name.as_str()).collect();
        let has = match names[..] {
            [] => "the file has no clip; --anim names a file of clips".to_owned(),
            [""] => "the file has one clip, without a name: leave --clip out".to_owned(),
            _ => format!("the file has: {}", names.join(", ")),
        };
        let near = wanted.and_then(|wanted| nearest_word(wanted, names));
        let near = near.map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
        let what = match wanted {
            Some(name) => format!("--clip: unknown clip {name:?}"),
            None => "which clip".to_owned(),
        };
        Failure::bad_input(format!("{}: {what}; {has}{near}", path.display()))
    })
}

/// Seconds from the start of the clip. A time runs on into the next turn of the clip; a key is that key, the last one too.
fn moment(
    options: &Pose,
    clip: &Clip,
    ticks_per_second: Option<f64>,
) -> Result<(f64, Wrap), Failure> {
    if let Some(tick) = options.tick {
        return match ticks_per_second {
            _ if !tick.is_finite() => {
                Err(Failure::bad_input(format!("--tick: {tick} is no moment")))
            }
            None => Err(Failure::bad_input("--tick: the clip does not count in ticks; use --time")),
            // Ticks count from the file's own zero, not from the first key.
            Some(per_second) => Ok((tick / per_second - clip.start_s, Wrap::Clamp)),
        };
    }
    match (options.time, options.frame) {
        (Some(time_s), _) if time_s.is_finite() => Ok((time_s, clip.wrap)),
        (Some(time_s), _) => Err(Failure::bad_input(format!("--time: {time_s} is no moment"))),
        (None, Some(key)) if key >= clip.key_count => Err(Failure::bad_input(format!(
            "--frame: {key}; the clip has keys 0 to {}",
            clip.key_count.saturating_sub(1)
        ))),
        #[expect(clippy::cast_precision_loss, reason = "a count of keys")]
        (None, Some(key)) => match clip.key_rate_hz {
            Some(rate_hz) => Ok((key as f64 / rate_hz, Wrap::Clamp)),
            None => Err(Failure::bad_input("--frame: the clip's keys are uneven; use --time")),
        },
        (None, None) => Err(Failure::bad_input(
            "which moment of the clip? Say --time SECONDS, --tick TICKS or --frame KEY",
        )),
    }
}
