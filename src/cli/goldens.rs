//! Scenes with goldens, for `test` and `bless`.

use super::exit;
use super::failure::{Failure, chain};
use crate::formats::LoadOptions;
use crate::golden::GoldenError;
use crate::golden::GoldenScene;
use crate::golden::clash;
use crate::golden::discover::{self, BadScene};
use std::path::{Path, PathBuf};

/// The failure that an error of a golden ends with.
pub(super) fn failure(error: &GoldenError) -> Failure {
    let code = if error.is_temporary() { exit::TRY_AGAIN } else { exit::BAD_INPUT };
    Failure::new(code, chain(error))
}

/// Scenes with goldens below `paths`, and those that cannot be read; at least one of either.
pub(super) fn read_scenes(
    paths: &[PathBuf],
    root: Option<&Path>,
    options: &LoadOptions,
) -> Result<(Vec<GoldenScene>, Vec<BadScene>), Failure> {
    let (scenes, bad) =
        discover::read_scenes(paths, root, options).map_err(|error| failure(&error))?;
    if scenes.is_empty() && bad.is_empty() {
        return Err(Failure::new(exit::DIFFERENT, "no scene with a [golden] table was found"));
    }
    match clash(&scenes) {
        Some(clash) => Err(Failure::bad_input(clash.to_string())),
        None => Ok((scenes, bad)),
    }
}
