//! The options of another command as words, so that tasks are given what was asked for here.

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};

/// What the farm itself decides for tasks; the rest of a command line is theirs.
const OURS: [&str; 12] = [
    "paths",
    "list",
    "base",
    "shard",
    "output",
    "gallery",
    "keep_going",
    "retries",
    "record",
    "verify",
    "progress",
    "json",
];

/// Options that name files or folders.
const PATHS: [&str; 2] = ["--anim", "--textures"];

/// A command's options, with the words that say them again.
#[derive(Clone, Debug)]
pub(crate) struct Worded<T> {
    pub options: T,
    /// What was given of it, each option by its long name.
    pub words: Vec<String>,
}

impl<T: Args> Worded<T> {
    /// Reads words of a [`Worded::words`] again.
    pub fn again(words: &[String]) -> Result<T, clap::Error> {
        let command = T::augment_args(Command::new("again").no_binary_name(true));
        // The models are named elsewhere.
        let words = words.iter().cloned().chain(["--list=-".to_owned()]);
        T::from_arg_matches(&command.try_get_matches_from(words)?)
    }
}

impl<T: Args> FromArgMatches for Worded<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let options = T::from_arg_matches(matches)?;
        let mut words = Vec::new();
        for argument in T::augment_args(Command::new("words")).get_arguments() {
            let id = argument.get_id().as_str();
            let is_given = matches.value_source(id) == Some(ValueSource::CommandLine);
            let Some(name) = argument.get_long().filter(|_| is_given && !OURS.contains(&id)) else {
                continue;
            };
            if !argument.get_action().takes_values() {
                words.push(format!("--{name}"));
                continue;
            }
            for value in matches.get_raw(id).into_iter().flatten() {
                // In one word: a value may begin with a hyphen.
                words.push(format!("--{name}={}", value.to_string_lossy()));
            }
        }
        Ok(Self { options, words })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<T: Args> Args for Worded<T> {
    fn augment_args(command: Command) -> Command {
        T::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        T::augment_args_for_update(command)
    }
}

/// The paths that such words name.
pub(super) fn paths_in(words: &[String]) -> impl Iterator<Item = &str> {
    words.iter().filter_map(|word| {
        let (name, value) = word.split_once('=')?;
        PATHS.contains(&name).then_some(value)
    })
}

/// The words with whole paths.
pub(super) fn with_whole_paths(words: &[String]) -> std::io::Result<Vec<String>> {
    let whole = |word: &String| match word.split_once('=') {
        Some((name, value)) if PATHS.contains(&name) => {
            Ok(format!("{name}={}", std::path::absolute(value)?.display()))
        }
        _ => Ok(word.clone()),
    };
    words.iter().map(whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::Turntable;

    fn worded(line: &str) -> Worded<Turntable> {
        let command = Worded::<Turntable>::augment_args(Command::new("t").no_binary_name(true));
        let matches = command.try_get_matches_from(line.split(' ')).unwrap();
        Worded::from_arg_matches(&matches).unwrap()
    }

    #[test]
    fn words_say_again_what_was_given_and_nothing_else() {
        let given = worded("models -n 12 -o out --shadow --azimuth -90 -a a.x -a b.x --retries 2");
        let words = ["--anim=a.x", "--anim=b.x", "--frames=12", "--shadow", "--azimuth=-90"];
        assert_eq!(given.words, words);
        assert_eq!(paths_in(&given.words).collect::<Vec<_>>(), ["a.x", "b.x"]);
        let again = Worded::<Turntable>::again(&given.words).unwrap();
        assert_eq!((again.frames, again.azimuth, again.shadow), (Some(12), -90.0, true));
        assert_eq!(again.size, given.options.size);
        assert!(worded("models").words.is_empty());
    }
}
