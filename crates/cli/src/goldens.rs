//! Scenes with goldens, for `test` and `bless`.

use super::console::Console;
use super::exit;
use super::failure::{Failure, raised};
use super::load::is_model_or_clip;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tintype::{Diagnostic, LoadOptions};
use tintype_base::diagnostic::chain;
use tintype_base::path::ShowPath;
use tintype_base::printable::one_line;
use tintype_base::shell::path_word;
use tintype_golden::record::{Cause, TextError};
use tintype_golden::{Checked, Discovery, GoldenError, Refusal, Verdict, clash, discover};
use tintype_scene::Day;

/// Advice if there are no goldens yet.
const HOW_TO_BEGIN: &str = "run `tintype init` to write a scene with goldens for each model here, or add [golden] with frames = \"0\" to a scene and run `tintype bless --all`; to test models without scenes, use --models DIR";

/// Reason for leaving a golden out of a patch.
pub(super) const CHANGED_SINCE: &str =
    "it or a file of its scene changed since the test; run the test again";

/// The failure that an error of a golden ends with.
pub(super) fn failure(error: &GoldenError) -> Failure {
    let anyway = if matches!(error, GoldenError::Newer { .. }) { OVERWRITE_NEWER } else { "" };
    Failure::new(exit::of(error.ending()), chain(error) + anyway + &raised(error.limit()))
}

/// The option that overwrites goldens of a newer program.
const OVERWRITE_NEWER: &str = ", or overwrite it with --overwrite-newer";

/// The option that accepts a refused picture, as the end of the sentence about it.
pub(super) fn anyway(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::StandIn(_) => "; accept it anyway with --allow-warnings",
        Refusal::Newer(_) => OVERWRITE_NEWER,
        Refusal::Empty(_) | Refusal::File(_) => "",
    }
}

/// Scenes with goldens below `paths`, and unreadable ones; at least one in total.
pub(super) fn read_scenes(
    paths: &[PathBuf],
    root: Option<&Path>,
    options: &LoadOptions,
) -> Result<Discovery, Failure> {
    if let Some(path) = paths.iter().find(|path| path.is_file() && is_model_or_clip(path)) {
        return Err(Failure::bad_input(format!(
            "{}: expected a scene (.toml), found a model or a clip; test models with --models {}",
            path.shown(),
            path_word(path)
        )));
    }
    if let (Some(path), false) = (paths.first(), paths.iter().any(|path| path.exists())) {
        let scenes = paths.iter().all(|path| path.extension().is_none());
        if scenes {
            return Err(Failure::bad_input(format!(
                "{}: no such folder: {HOW_TO_BEGIN}",
                path.shown()
            )));
        }
    }
    let found = discover::read_scenes(paths, root, options).map_err(|error| failure(&error))?;
    if found.scenes.is_empty() && found.bad.is_empty() {
        return Err(Failure::new(
            exit::DIFFERENT,
            format!("no scene with a [golden] table was found; {HOW_TO_BEGIN}"),
        ));
    }
    match clash(&found.scenes) {
        Some(clash) => Err(Failure::bad_input(clash.to_string())),
        None => Ok(found),
    }
}

/// Message of a failure: the cause first, if it is known.
pub(super) fn message(one: &Checked) -> String {
    let path = one.path.shown();
    let verdict = match &one.verdict {
        verdict @ Verdict::BadRecord(TextError::Conflict { .. }) => {
            format!("{verdict}; or settle it with `tintype bless --conflicts`")
        }
        verdict => verdict.to_string(),
    };
    let mut text = match &one.cause {
        Some(cause) => format!("{path}: {}\n  {verdict}", one_line(&cause.to_string())),
        None => format!("{path}: {verdict}"),
    };
    for line in one.cause.iter().flat_map(Cause::evidence).chain(one.notes.iter().cloned()) {
        text += &format!("\n  {}", one_line(&line));
    }
    if let Some(cause) = &one.cause {
        text += &format!("\n  cause {}", cause.id);
    }
    text
}

/// The date against which the end of known changes is checked: from an option, otherwise today in
/// UTC.
pub(super) fn today(given: Option<&str>) -> Result<Day, Failure> {
    match given {
        Some(text) => Day::parse(text).ok_or_else(|| {
            Failure::bad_input(format!("--today {text}: expected a date such as 2026-12-31"))
        }),
        None => {
            // With a wrong clock no known change would ever end.
            let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            let since = since.map_err(|_| {
                Failure::bad_input(
                    "this machine's clock is before 1970: set it, or give the date with --today",
                )
            })?;
            let days = u32::try_from(since.as_secs() / 86_400).unwrap_or(u32::MAX / 2);
            Ok(Day::from_days_since_1970(days))
        }
    }
}

/// Prints the warnings of scenes, each once: a scene and its views load the same files.
#[derive(Default)]
pub(super) struct SceneWarnings {
    told: BTreeSet<String>,
}

impl SceneWarnings {
    pub(super) fn say(&mut self, scene: &Path, warnings: &[Diagnostic], console: &mut Console) {
        for warning in warnings {
            let text = format!("{}: {warning}", scene.shown());
            if self.told.insert(text.clone()) {
                console.warning(&text);
            }
        }
    }
}
