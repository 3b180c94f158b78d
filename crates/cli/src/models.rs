//! Models of a command line, discovered by [`tintype_host::job::discover`].

use super::args::Models;
use super::console::Console;
use super::exit;
use super::failure::Failure;
use super::render::read_shard;
use std::collections::BTreeSet;
use tintype_base::amount::counted;
use tintype_base::suggest::nearest_words_text;
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

/// Models without the clip named by `--clip`.
#[derive(Default)]
pub(super) struct ClipWish {
    /// Models that are drawn.
    models: usize,
    /// Number of models without such a clip, which are drawn as without `--clip`.
    lacking: usize,
    /// Names of the existing clips.
    names: BTreeSet<String>,
}

impl ClipWish {
    /// Counts a model that is drawn.
    pub(super) fn add(&mut self, lacks_clip: bool, names: impl IntoIterator<Item = String>) {
        self.models += 1;
        self.lacking += usize::from(lacks_clip);
        self.names.extend(names);
    }

    /// Reports the number of models without the clip of that name.
    ///
    /// # Errors
    /// A [`Failure`] if no model has it, unless the models are one shard of a run.
    pub(super) fn conclude(
        &self,
        name: &str,
        is_share: bool,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let Self { models, lacking, names } = self;
        let of = counted(*models, "model");
        if *lacking == 0 {
            return Ok(());
        }
        if lacking < models || is_share {
            let [has, is] = if *lacking == 1 { ["has", "is"] } else { ["have", "are"] };
            console.warning(&format!(
                "--clip: {lacking} of {of} {has} no clip {name:?} and {is} drawn as if --clip were not given"
            ));
            return Ok(());
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let there = match names.as_slice() {
            [] => "no model has a clip".to_owned(),
            names => nearest_words_text(name, names),
        };
        Err(Failure::bad_input(format!("--clip: none of the {of} has a clip {name:?}; {there}")))
    }
}

fn failure(error: &DiscoverError) -> Failure {
    let code = if error.is_temporary() { exit::TRY_AGAIN } else { exit::BAD_INPUT };
    Failure::new(code, error.to_string())
}
