//! The settings file with defaults of the user, found by the rules of the XDG base directories.
//!
//! Only the first of these files that exists is read: the file that `TINTYPE_CONFIG` names;
//! `$XDG_CONFIG_HOME/tintype/config.toml` (`~/.config` without that variable); the same in each folder of `$XDG_CONFIG_DIRS`
//! (`/etc/xdg`). None is read with `--no-config`, where `TINTYPE_CONFIG` is empty, and on a build server (where `CI` is set)
//! unless `TINTYPE_CONFIG` names one.

use super::environment::is_on;
use super::failure::Failure;
use super::load;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use tintype_model::disk::ShowPath;
use tintype_scene::{Settings, parse_settings};

/// The settings, and the file that they come from.
#[derive(Default)]
pub(super) struct Config {
    pub settings: Settings,
    pub file: Option<PathBuf>,
}

impl Config {
    /// Finds and reads the settings file.
    ///
    /// # Errors
    /// A file that is named but not there, cannot be read, or has mistakes.
    pub(super) fn load(is_off: bool) -> Result<Self, Failure> {
        let variable = |name: &str| std::env::var_os(name);
        let is_there = |path: &Path| path.exists();
        match if is_off { None } else { find_file(&variable, &is_there) } {
            None => Ok(Self::default()),
            Some(file) => {
                let settings = read(&file).map_err(|failure| {
                    let hinted = |text: &String| format!("{text}\n\n--no-config ignores this file");
                    let colored = failure.colored.as_ref().map(hinted);
                    Failure { colored, ..Failure::new(failure.code, hinted(&failure.message)) }
                })?;
                Ok(Self { settings, file: Some(file) })
            }
        }
    }

    /// The command line with the settings as defaults of its options.
    pub(super) fn defaults(&self, command: clap::Command) -> clap::Command {
        let Settings { threads, color, progress, .. } = &self.settings;
        let mut command = command;
        if let Some(threads) = threads {
            command = with_default(command, "threads", &threads.to_string());
        }
        if let Some(word) = color {
            command = with_default(command, "color", word);
        }
        if let Some(word) = progress {
            let names = command.get_subcommands().map(|own| own.get_name().to_owned());
            for name in names.collect::<Vec<String>>() {
                command = command.mut_subcommand(name, |own| with_default(own, "progress", word));
            }
        }
        command
    }
}

/// Another default for an option, if the command has it.
fn with_default(command: clap::Command, option: &str, word: &str) -> clap::Command {
    if command.get_arguments().any(|own| own.get_id() == option) {
        let word = word.to_owned();
        command.mut_arg(option, |own| own.default_value(word))
    } else {
        command
    }
}

/// The settings file that is read.
fn find_file(
    variable: &dyn Fn(&str) -> Option<OsString>,
    is_there: &dyn Fn(&Path) -> bool,
) -> Option<PathBuf> {
    let filled = |name: &str| variable(name).filter(|value| !value.is_empty());
    if let Some(named) = variable("TINTYPE_CONFIG") {
        return (!named.is_empty()).then(|| PathBuf::from(named));
    }
    if is_on(variable("CI")) {
        return None;
    }
    // Relative folders are passed over, as the rules ask.
    let absolute = |path: PathBuf| path.is_absolute().then_some(path);
    let home = filled("XDG_CONFIG_HOME").map(PathBuf::from).and_then(absolute).or_else(|| {
        filled("HOME").map(PathBuf::from).and_then(absolute).map(|home| home.join(".config"))
    });
    let others = filled("XDG_CONFIG_DIRS").unwrap_or_else(|| OsString::from("/etc/xdg"));
    let others: Vec<PathBuf> = std::env::split_paths(&others).filter_map(absolute).collect();
    let files = home.into_iter().chain(others).map(|folder| folder.join("tintype/config.toml"));
    files.into_iter().find(|file| is_there(file))
}

fn read(file: &Path) -> Result<Settings, Failure> {
    let text = tintype_render::asset::regular::read_regular_text(file)
        .map_err(|error| load::unreadable(file, &error))?;
    parse_settings(&text, &file.shown().to_string()).map_err(|errors| load::mistakes(&errors))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn config_is_found_by_the_rules_of_the_base_folders() {
        let user = "/u/.config/tintype/config.toml";
        for (variables, there, found) in [
            (&[("HOME", "/u")][..], &[user][..], Some(user)),
            (&[("HOME", "/u")], &[], None),
            (&[("HOME", "/u"), ("XDG_CONFIG_HOME", "/c")], &[user], None),
            (
                &[("XDG_CONFIG_HOME", "/c")],
                &["/c/tintype/config.toml"],
                Some("/c/tintype/config.toml"),
            ),
            (&[("HOME", "/u"), ("XDG_CONFIG_HOME", "c")], &[user], Some(user)),
            (
                &[("HOME", "/u")],
                &["/etc/xdg/tintype/config.toml"],
                Some("/etc/xdg/tintype/config.toml"),
            ),
            (&[("HOME", "/u")], &["/etc/xdg/tintype/config.toml", user], Some(user)),
            (
                &[("XDG_CONFIG_DIRS", "/a:b:/c")],
                &["b/tintype/config.toml", "/c/tintype/config.toml"],
                Some("/c/tintype/config.toml"),
            ),
            (&[("HOME", "/u"), ("CI", "true")], &[user], None),
            (&[("HOME", "/u"), ("CI", "false")], &[user], Some(user)),
            (&[("HOME", "/u"), ("CI", "")], &[user], Some(user)),
            (&[("HOME", "/u"), ("CI", "true"), ("TINTYPE_CONFIG", "x.toml")], &[], Some("x.toml")),
            (&[("HOME", "/u"), ("TINTYPE_CONFIG", "")], &[user], None),
        ] {
            let variable = |name: &str| {
                variables.iter().find(|(own, _)| *own == name).map(|(_, value)| value.into())
            };
            let is_there = |path: &Path| there.iter().any(|own| Path::new(own) == path);
            let found_file = find_file(&variable, &is_there);
            assert_eq!(found_file.as_deref(), found.map(Path::new), "{variables:?} {there:?}");
        }
    }
}
