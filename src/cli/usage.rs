//! Hints for words that a command line cannot take: clips among models, and keys of scenes among options.

use super::load::is_clip;
use crate::scene::Output;
use crate::submit::shell::path_word;
use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::path::Path;

/// Commands with `-a`.
const WITH_CLIPS: [&str; 4] = ["turntable", "thumbnail", "pose", "inspect"];
/// Commands of scenes.
const OF_SCENES: [&str; 3] = ["render", "verify", "farm"];

/// The error of a command line, with a hint where a common mistake explains it.
pub(super) fn explained(mut error: Error, command: &str) -> Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else { return error };
    if let Some(hint) = hint(word, command) {
        let hint = ContextValue::StyledStrs(vec![hint.into()]);
        error.insert(ContextKind::Suggested, hint);
    }
    error
}

fn hint(word: &str, command: &str) -> Option<String> {
    if WITH_CLIPS.contains(&command) && is_clip(Path::new(word)) {
        return Some(format!("it is a clip: -a {} plays it", path_word(Path::new(word))));
    }
    let key = word.strip_prefix("--")?.split('=').next().unwrap_or_default().replace('-', "_");
    if OF_SCENES.contains(&command) && Output::KEYS.contains(&key.as_str()) {
        return Some(format!("the scene says it: {key} = ... under [output]"));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_scenes_are_hinted_at_among_options() {
        let said = hint("--background", "render").unwrap_or_default();
        assert_eq!(said, "the scene says it: background = ... under [output]");
        assert_eq!(hint("--background", "turntable"), None);
        assert_eq!(hint("--sampels", "render"), None);
    }
}
