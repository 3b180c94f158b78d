//! Models of a command line, discovered by [`tintype_host::job::discover`].

use super::args::Models;
use super::exit;
use super::failure::Failure;
use super::render::read_shard;
pub(super) use tintype_framing::ModelFile as Found;
pub(super) use tintype_host::job::discover::Discovered as Gathered;
use tintype_host::job::discover::{DiscoverError, ModelSources, discover, discover_share};

/// The models of the share that the options ask for, and the names of all; a share that is read by the index of a list knows no others.
///
/// # Errors
/// A [`Failure`] if there is none, or a source cannot be read.
pub(super) fn gather_share(options: &Models) -> Result<(Gathered, Vec<String>), Failure> {
    let shard = read_shard(options.shard.as_deref())?;
    if let (Some(shard), Some(list), Some(base)) = (shard, &options.list, &options.base)
        && options.paths.is_empty()
        && let Some(found) = discover_share(list, base, shard).map_err(|error| failure(&error))?
    {
        return Ok((found, Vec::new()));
    }
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
/// A [`Failure`] if there is none, or a source cannot be read.
pub(super) fn gather(options: &Models) -> Result<Gathered, Failure> {
    let Models { paths, list, base, shard: _ } = options.clone();
    discover(&ModelSources { paths, list, base }).map_err(|error| failure(&error))
}

fn failure(error: &DiscoverError) -> Failure {
    let code = if error.is_temporary() { exit::TRY_AGAIN } else { exit::BAD_INPUT };
    Failure::new(code, error.to_string())
}
