//! `tintype dataset`: pictures with labels, by a recipe.

use super::args::{Dataset as Options, Progress};
use super::build_digest::build_digest;
use super::console::Console;
use super::exit;
use super::failure::Failure;
use super::load;
use super::output_name::refuse_as_folder;
use super::render::read_shard;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use tintype_base::amount::{counted, rate_text};
use tintype_base::diagnostic::chain;
use tintype_base::path::{ShowPath, path_of_text};
use tintype_framing::TurntableError;
use tintype_host::job::{Dataset, DatasetError, DatasetReport};
use tintype_scene::parse_recipe;

pub(super) fn run(options: &Options, console: &mut Console) -> Result<(), Failure> {
    let shard = read_shard(options.shard.as_deref())?;
    refuse_as_folder(&options.output)?;
    let (text, name) = load::text(&options.recipe)?;
    let recipe = parse_recipe(&text, &name).map_err(|errors| load::mistakes(&errors))?;
    let count = recipe.count as usize;
    let part = shard.map_or(count, |shard| shard.range(count).len());
    let folder = path_of_text(&options.output);
    let dataset = Dataset {
        recipe,
        base: options.recipe.parent().unwrap_or(Path::new("")).to_owned(),
        folder: folder.clone(),
        shard,
        overwrite: options.overwrite,
        refuses_stand_ins: console.strict_assets(),
        load_options: console.load_options().clone(),
        build: build_digest().map(str::to_owned),
    };
    let meter = Mutex::new(console.progress(Progress::Auto, part, "samples"));
    let shared: &Console = console;
    let done = |_: bool| meter.lock().unwrap_or_else(PoisonError::into_inner).step(shared);
    let report = dataset.run(&done);
    let seconds = meter.into_inner().unwrap_or_else(PoisonError::into_inner).finish();
    let report = report.map_err(|error| failed(&error))?;
    report.warnings.iter().for_each(|warning| console.warning(warning));
    let DatasetReport { drawn, present, missing, .. } = report;
    let there = if drawn == 0 {
        format!("all {} up to date", counted(present, "sample"))
    } else {
        let more = if present == 0 { String::new() } else { format!(", {present} up to date") };
        format!("{}{more}", rate_text(drawn, "sample", seconds.as_secs_f64()))
    };
    let whole = match missing {
        None => format!("{} is whole", folder.shown()),
        Some(missing) => format!(
            "{} lacks {} of {count}: {missing}",
            folder.shown(),
            counted(missing.len(), "sample")
        ),
    };
    console.info(&format!("{there}; {whole}; {}", counted(console.warnings().len(), "warning")));
    Ok(())
}

fn failed(error: &DatasetError) -> Failure {
    match error {
        DatasetError::Scene(errors) => load::mistakes(errors),
        DatasetError::Asset(error) => Failure::asset(error),
        DatasetError::Model(TurntableError::Asset(error)) => Failure::asset(error),
        DatasetError::StandIn { warning } => {
            Failure::new(exit::INCOMPLETE, format!("--no-stand-ins: {warning}"))
        }
        _ => {
            let code = match error {
                _ if error.is_temporary() => exit::TRY_AGAIN,
                DatasetError::Empty { .. } => exit::INCOMPLETE,
                _ => exit::BAD_INPUT,
            };
            Failure::new(code, chain(error))
        }
    }
}
