//! Models of a command line, discovered by [`crate::job::discover`].

use super::args::Models;
use super::exit;
use super::failure::Failure;
pub(super) use crate::job::ModelFile as Found;
pub(super) use crate::job::discover::Discovered as Gathered;
use crate::job::discover::{ModelSources, discover};

/// Finds all models of the options.
///
/// # Errors
/// A [`Failure`] if there is none, or a source cannot be read.
pub(super) fn gather(options: &Models) -> Result<Gathered, Failure> {
    let Models { paths, list, base, shard: _ } = options.clone();
    discover(&ModelSources { paths, list, base }).map_err(|error| {
        let code = if error.is_temporary() { exit::TRY_AGAIN } else { exit::BAD_INPUT };
        Failure::new(code, error.to_string())
    })
}
