//! Paths among the arguments passed to tasks.

use std::path::Path;
use tintype_base::path::path_of_text;

/// Options that name files or folders.
const PATHS: [&str; 2] = ["--anim", "--textures"];

/// Paths in the values of options.
pub(super) fn paths_in(words: &[String]) -> impl Iterator<Item = &str> {
    words.iter().filter_map(|word| {
        let (name, value) = word.split_once('=')?;
        PATHS.contains(&name).then_some(value)
    })
}

/// Replaces the paths in the arguments by other words; `replace` gets the option and its path.
pub(super) fn with_paths(
    words: &[String],
    mut replace: impl FnMut(&str, &Path) -> String,
) -> Vec<String> {
    let replaced = |word: &String| match word.split_once('=') {
        Some((name, value)) if PATHS.contains(&name) => {
            format!("{name}={}", replace(name, &path_of_text(value)))
        }
        _ => word.clone(),
    };
    words.iter().map(replaced).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_among_arguments_are_those_of_options_that_name_files() {
        let argv = ["--anim=a.x", "--frames=12", "--shadow", "--textures=b"].map(str::to_owned);
        assert_eq!(paths_in(&argv).collect::<Vec<_>>(), ["a.x", "b"]);
    }
}
