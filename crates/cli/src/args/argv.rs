//! The options of another command with the arguments that give them again, for the tasks of a farm.

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use tintype_base::path::{ShowPath, path_of_text};

/// Options that a submission decides; all others are passed to the tasks.
const OURS: [&str; 13] = [
    "paths",
    "list",
    "base",
    "shard",
    "output",
    "gallery",
    "keep_going",
    "retries",
    "record",
    "inputs",
    "verify",
    "progress",
    "json",
];

/// A command's options, with the arguments that give them again.
#[derive(Clone, Debug)]
pub(crate) struct WithArgv<T> {
    pub options: T,
    /// The options that were given, each by its long name.
    pub argv: Vec<String>,
}

impl<T: Args> WithArgv<T> {
    /// Parses a [`WithArgv::argv`].
    pub(crate) fn again(argv: &[String]) -> Result<T, clap::Error> {
        let command = T::augment_args(Command::new("again").no_binary_name(true));
        // The models are named elsewhere.
        let argv = argv.iter().map(|word| path_of_text(word)).chain(["--list=-".into()]);
        T::from_arg_matches(&command.try_get_matches_from(argv)?)
    }
}

impl<T: Args> FromArgMatches for WithArgv<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let options = T::from_arg_matches(matches)?;
        let mut argv = Vec::new();
        for argument in T::augment_args(Command::new("words")).get_arguments() {
            let id = argument.get_id().as_str();
            // A default that is not the option's own is that of a project, which tasks elsewhere may not have.
            let is_other_default = || {
                let values = matches.get_raw(id).into_iter().flatten();
                !values.eq(argument.get_default_values().iter().map(|own| own.as_os_str()))
            };
            let is_given = match matches.value_source(id) {
                Some(ValueSource::CommandLine) => true,
                Some(_) => argument.get_action().takes_values() && is_other_default(),
                None => false,
            };
            let Some(name) = argument.get_long().filter(|_| is_given && !OURS.contains(&id)) else {
                continue;
            };
            if !argument.get_action().takes_values() {
                argv.push(format!("--{name}"));
                continue;
            }
            for value in matches.get_raw(id).into_iter().flatten() {
                // In one word: a value may begin with a hyphen.
                argv.push(format!("--{name}={}", value.shown()));
            }
        }
        Ok(Self { options, argv })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<T: Args> Args for WithArgv<T> {
    fn augment_args(command: Command) -> Command {
        T::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        T::augment_args_for_update(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Turntable;

    fn worded(line: &str) -> WithArgv<Turntable> {
        let command = WithArgv::<Turntable>::augment_args(Command::new("t").no_binary_name(true));
        let matches = command.try_get_matches_from(line.split(' ')).unwrap();
        WithArgv::from_arg_matches(&matches).unwrap()
    }

    #[test]
    fn argv_gives_again_what_was_given_and_nothing_else() {
        let given = worded("models -n 12 -o out --shadow --azimuth -90 -a a.x -a b.x --retries 2");
        let argv = ["--anim=a.x", "--anim=b.x", "--shadow", "--azimuth=-90", "--count=12"];
        assert_eq!(given.argv, argv);
        let again = WithArgv::<Turntable>::again(&given.argv).unwrap();
        let said = &again.settings.said;
        let found = (again.frames, said.azimuth_deg(), said.shadow());
        assert_eq!(found, (Some(12), Some(-90.0), Some(true)));
        assert_eq!(*said, given.options.settings.said);
        assert!(worded("models").argv.is_empty());
        let command = WithArgv::<Turntable>::augment_args(Command::new("t").no_binary_name(true))
            .mut_arg("size", |size| size.default_value("64x48"));
        let matches = command.try_get_matches_from(["models"]).unwrap();
        let given = WithArgv::<Turntable>::from_arg_matches(&matches).unwrap();
        assert_eq!(given.argv, ["--size=64x48"], "the default of a project");
    }
}
