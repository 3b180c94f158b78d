//! `tintype pose`: a posed mesh as OBJ.

use super::args::Pose;
use super::console::Console;
use super::failure::Failure;
use super::load;
use super::output_name::refuse_all_but_obj;
use super::standard_input::STREAM;
use super::stdout::write_stdout;
use tintype::{PoseOptions, PoseTime};
use tintype_base::path::ShowPath;

pub(super) fn run(options: &Pose, console: &mut Console) -> Result<(), Failure> {
    load::refuse_what_is_no_model(&options.model)?;
    refuse_all_but_obj(&options.output.to_string_lossy())?;
    console.set_file_scene(options.file_scene.clone());
    let asked = PoseOptions {
        clip: options.clip.clone(),
        time: time(options),
        root: options.root,
        springs: options.springs,
        morphs: options.morphs.clone(),
    };
    let load_options = console.load_options().clone();
    let load_options = load_options.with_ticks_per_second(options.ticks_per_second);
    let model = load::model(&options.model, options.anim.as_slice(), &load_options, console)?;
    let model = if asked.clip.is_some() || asked.time.is_some() {
        load::with_clip_beside(model, asked.clip.as_deref(), console)?
    } else {
        model
    };
    let posed = model.pose_shown(&asked).map_err(|error| load::pose_failure(&error))?;
    for warning in posed.warnings() {
        console.warning(&load::at_pose_option(warning).to_string());
    }
    let hidden = posed.hidden_meshes();
    if !hidden.is_empty() {
        console.info(&format!("omitted because hidden at that time: {}", hidden.join(", ")));
    }
    if options.output.as_os_str() == STREAM {
        return write_stdout(posed.to_obj().as_bytes());
    }
    posed.save_obj(&options.output).map_err(|error| Failure::library(&error))?;
    console.info(&format!(
        "wrote {} vertices of {} to {}",
        posed.vertex_count(),
        options.model.shown(),
        options.output.shown()
    ));
    let weights = model.morphs().zip(posed.morph_weights()).filter(|(_, weight)| **weight != 0.0);
    let morphs: Vec<String> =
        weights.map(|(morph, weight)| format!("{} {weight}", morph.name())).collect();
    if !morphs.is_empty() {
        console.info(&format!("morph targets: {}", morphs.join(", ")));
    }
    Ok(())
}

fn time(options: &Pose) -> Option<PoseTime> {
    let seconds = options.time.map(PoseTime::Seconds);
    let tick = options.tick.map(PoseTime::Tick);
    seconds.or(tick).or(options.frame.map(PoseTime::Key))
}
