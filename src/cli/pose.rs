//! `tintype pose`: a posed mesh as OBJ.

use super::args::Pose;
use super::console::Console;
use super::{Failure, load, write_stdout};
use crate::model::{Clip, PosedMesh, Wrap};
use crate::output::{encode_obj, write_atomic};
use crate::pose::{bind_clip, bind_pose, sample_clip, wrap_time};
use crate::skin::{SkinMatrices, skin_mesh};

pub(super) fn run(options: &Pose, console: &mut Console) -> Result<(), Failure> {
    let model = load::model(&options.model, console)?;
    let pose = match &options.clip {
        None => bind_pose(&model.skeleton),
        Some(path) => {
            let clip = load::clip(path, console)?;
            let (binding, warnings) = bind_clip(&model.skeleton, &model.meshes, &clip)
                .map_err(|error| Failure::bad_input(format!("{}: {error}", path.display())))?;
            for warning in warnings {
                console.warning(&format!("{}: {}", path.display(), warning.message));
            }
            let (time_s, wrap) = moment(options, &clip)?;
            sample_clip(&model.skeleton, &clip, &binding, wrap_time(&clip, time_s, wrap))
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

/// Seconds from the start of the clip. A time runs on into the next turn of the clip; a key is that key, the last one too.
fn moment(options: &Pose, clip: &Clip) -> Result<(f64, Wrap), Failure> {
    match (options.time, options.frame) {
        (Some(time_s), _) if time_s.is_finite() => Ok((time_s, Wrap::Loop)),
        (Some(time_s), _) => Err(Failure::bad_input(format!("--time: {time_s} is no moment"))),
        (None, Some(key)) if key >= clip.key_count => Err(Failure::bad_input(format!(
            "--frame: {key}; the clip has keys 0 to {}",
            clip.key_count - 1
        ))),
        #[expect(clippy::cast_precision_loss, reason = "a count of keys")]
        (None, Some(key)) => match clip.key_rate_hz {
            Some(rate_hz) => Ok((key as f64 / rate_hz, Wrap::Clamp)),
            None => Err(Failure::bad_input("--frame: the clip's keys are uneven; use --time")),
        },
        (None, None) => {
            Err(Failure::bad_input("which moment of the clip? Say --time SECONDS or --frame KEY"))
        }
    }
}
