//! Models of a command line, discovered by [`tintype_host::job::discover`].

use super::args::Models;
use super::console::Console;
use super::exit;
use super::failure::Failure;
use super::render::read_shard;
use tintype_base::amount::counted;
use tintype_base::suggest::nearest_words_text;
use tintype_framing::ClipWish;
pub(super) use tintype_framing::ModelFile as Found;
pub(super) use tintype_host::job::discover::Discovered as Gathered;
use tintype_host::job::discover::{DiscoverError, ModelSources, discover};

/// The models of the requested shard, and the names of all.
///
/// # Errors
/// A [`Failure`] if there are none, or a source cannot be read.
pub(super) fn gather_share(options: &Models) -> Result<(Gathered, Vec<String>), Failure> {
    let shard = read_shard(options.shard.as_deref())?;
    let mut found = gather(options)?;
    let all = found.models.iter().map(|one| one.name.clone()).collect();
    if let Some(shard) = shard {
        found.models = shard.of(&found.models).to_vec();
    }
    Ok((found, all))
}

/// Finds all models of the options.
///
/// # Errors
/// A [`Failure`] if there are none, or a source cannot be read.
pub(super) fn gather(options: &Models) -> Result<Gathered, Failure> {
    let Models { paths, list, base, shard: _ } = options.clone();
    discover(&ModelSources { paths, list, base }).map_err(|error| failure(&error))
}

/// Reports the number of models without the clip named by `--clip`.
///
/// # Errors
/// A [`Failure`] if no model has it, unless the models are one shard of a run.
pub(super) fn conclude_clip(
    wish: &ClipWish,
    name: &str,
    is_share: bool,
    console: &mut Console,
) -> Result<(), Failure> {
    let ClipWish { models, lacking, names } = wish;
    let of = counted(*models, "model");
    if *lacking == 0 {
        return Ok(());
    }
    if is_share || !wish.is_of_no_model() {
        let [has, is] = if *lacking == 1 { ["has", "is"] } else { ["have", "are"] };
        console.warning(&format!(
            "--clip: {lacking} of {of} {has} no clip {name:?} and {is} drawn as if --clip were not given"
        ));
        return Ok(());
    }
    let there = match names.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => "no model has a clip".to_owned(),
        names => nearest_words_text(name, names),
    };
    Err(Failure::bad_input(format!("--clip: none of the {of} has a clip {name:?}; {there}")))
}

fn failure(error: &DiscoverError) -> Failure {
    let code = if error.is_temporary() { exit::TRY_AGAIN } else { exit::BAD_INPUT };
    Failure::new(code, error.to_string())
}
