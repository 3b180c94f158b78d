//! `tintype farm export`: job files of engines other than Slurm.

use super::measure::{of_models, of_scene, refuse_pictures};
use crate::cli::args::farm::Export;
use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::cli::stdout::write_stdout;
use crate::submit::{kubernetes, openjd};

pub(super) fn export(options: &Export, console: &mut Console) -> Result<(), Failure> {
    let Export { scene, models, pictures, tasks, image, claim, .. } = options;
    let tasks = tasks.to_submit(None);
    let plan = match (scene, models) {
        (_, Some(models)) => {
            refuse_pictures(pictures, models)?;
            of_models(models, &tasks, console)?
        }
        (Some(scene), None) => of_scene(scene, &pictures.to_submit(), &tasks, console)?,
        (None, None) => return Err(Failure::bad_input("name a scene")),
    };
    let text = match (options.openjd, options.kubernetes) {
        (true, false) => openjd::template(&plan)?,
        (false, true) => kubernetes::job(&plan, image, claim)?,
        _ => return Err(Failure::bad_input("name an engine: --openjd or --kubernetes")),
    };
    plan.write_list()?;
    console.info(&plan.described());
    if !plan.names.is_empty() {
        console.info(&format!("tasks read the list of models {}", plan.part));
    }
    write_stdout(text.as_bytes())
}
