//! Paths among the arguments that tasks are given.

use tintype_model::disk::ShowPath;
/// Options that name files or folders.
const PATHS: [&str; 2] = ["--anim", "--textures"];

/// Paths in the values of options.
pub(super) fn paths_in(words: &[String]) -> impl Iterator<Item = &str> {
    words.iter().filter_map(|word| {
        let (name, value) = word.split_once('=')?;
        PATHS.contains(&name).then_some(value)
    })
}

/// The arguments with absolute paths.
///
/// # Errors
/// An I/O error if there is no working folder.
pub(super) fn with_whole_paths(words: &[String]) -> std::io::Result<Vec<String>> {
    let whole = |word: &String| match word.split_once('=') {
        Some((name, value)) if PATHS.contains(&name) => {
            Ok(format!("{name}={}", std::path::absolute(value)?.shown()))
        }
        _ => Ok(word.clone()),
    };
    words.iter().map(whole).collect()
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
