//! `tintype farm export`: job files of engines other than Slurm.

use super::measure::{of_models, of_scene, refuse_pictures};
use crate::args::farm::Export;
use crate::console::Console;
use crate::failure::Failure;
use crate::stdout::write_stdout;
use tintype_base::path::byte_of;
use tintype_base::shell::path_word;
use tintype_farm::plan::Plan;
use tintype_farm::{kubernetes, openjd};
use tintype_host::write_atomic;

pub(super) fn export(options: &Export, console: &mut Console) -> Result<(), Failure> {
    let Export { scene, models, pictures, tasks, image, claim, .. } = options;
    // The program of our container image.
    let tasks = tasks.to_submit(options.kubernetes.then(|| "/tintype".to_owned()));
    let plan = match (scene, models) {
        (_, Some(models)) => {
            refuse_pictures(pictures, models)?;
            of_models(models, &tasks, options.bundle.is_some(), console)?
        }
        (Some(scene), None) => of_scene(scene, &pictures.to_submit(), &tasks, console)?,
        (None, None) => return Err(Failure::bad_input("name a scene")),
    };
    refuse_names_of_bytes(&plan)?;
    let text = match (options.openjd, options.kubernetes) {
        (true, false) => openjd::template(&plan, false)?,
        (false, true) => kubernetes::job(&plan, image, claim)?,
        _ => return Err(Failure::bad_input("name an engine: --openjd or --kubernetes")),
    };
    // The template of a scene contains the record of its inputs.
    if options.kubernetes || !plan.names.is_empty() {
        plan.write_for_tasks()?;
    }
    console.info(&plan.described());
    if let Some(folder) = &options.bundle {
        for name in plan.record.absolute_names() {
            console.warning(&format!(
                "{name:?} is an absolute path in the scene, so workers may not find it; make it relative to the scene"
            ));
        }
        for (name, text) in openjd::bundle(&plan)? {
            write_atomic(&folder.join(name), text.as_bytes())
                .map_err(|error| Failure::output(&error))?;
        }
        console.info(&format!(
            "wrote a job bundle; submit it with: deadline bundle submit {0}",
            path_word(folder)
        ));
        return Ok(());
    }
    if !plan.names.is_empty() {
        console.info(&format!("tasks read the model list {}", plan.part));
    }
    write_stdout(text.as_bytes())
}

/// Refuses a path that is not UTF-8: job files in YAML are text, which can contain control
/// characters. Names of models may contain anything, because lists can.
fn refuse_names_of_bytes(plan: &Plan) -> Result<(), Failure> {
    let words = [plan.task("1/1"), plan.verify(None)].concat();
    let is_no_text = |letter: char| byte_of(letter).is_some_and(|byte| !byte.is_ascii());
    match words.iter().find(|word| word.chars().any(is_no_text)) {
        None => Ok(()),
        Some(word) => Err(Failure::bad_input(format!(
            "{word}: the name is not UTF-8, which job files require; rename it or use a link"
        ))),
    }
}
