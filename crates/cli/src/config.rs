//! The user's settings file, found by the rules of the XDG base directories, and the project's.
//!
//! Only the first existing file of the user's is read: the file named by `TINTYPE_CONFIG`;
//! `$XDG_CONFIG_HOME/tintype/config.toml` (`~/.config` without that variable); the same in each
//! folder of `$XDG_CONFIG_DIRS` (`/etc/xdg`). None is read if `TINTYPE_CONFIG` is empty, or on a CI
//! server (where `CI` is set) unless `TINTYPE_CONFIG` names one. The project's file,
//! `tintype.toml`, is the nearest from the working directory up to the folder with `.git`; outside
//! a repository it is in the working directory. With `--no-config` none is read.

use super::args::Command;
use super::environment::is_on;
use super::failure::Failure;
use super::load;
use super::pin;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use tintype_base::path::{ShowPath, path_of_text};
use tintype_scene::{
    PROJECT_FILE, Preferences, SceneErrors, parse_preferences, parse_project_preferences,
};

/// The settings, and the files that they come from. The user's settings override the project's.
#[derive(Default)]
pub(super) struct Config {
    pub settings: Preferences,
    /// Each file with a text of its settings.
    pub files: Vec<(PathBuf, String)>,
    /// The project's folder of goldens, from the working directory.
    golden: Option<PathBuf>,
    /// The project's file.
    project: Option<PathBuf>,
}

impl Config {
    /// Finds and reads the settings files.
    ///
    /// # Errors
    /// A file that is named but missing, cannot be read, or has mistakes.
    pub(super) fn load(is_off: bool) -> Result<Self, Failure> {
        let mut config = Self::default();
        if is_off {
            return Ok(config);
        }
        let variable = |name: &str| std::env::var_os(name);
        let is_there = |path: &Path| path.exists();
        if let Some(file) = find_file(&variable, &is_there) {
            config.add(file, parse_preferences)?;
        }
        // Without a working directory there is no project.
        let project = std::env::current_dir().ok();
        if let Some(file) = project.and_then(|folder| find_project(&folder, &is_there)) {
            config.add(file.clone(), parse_project_preferences)?;
            let golden = config.settings.golden.as_deref();
            config.golden = golden.map(|own| file.with_file_name("").join(path_of_text(own)));
            config.project = Some(file);
        }
        Ok(config)
    }

    /// Adds the settings of a file that are not set yet.
    fn add(
        &mut self,
        file: PathBuf,
        parse: fn(&str, &str) -> Result<Preferences, SceneErrors>,
    ) -> Result<(), Failure> {
        let settings = read(&file, parse).map_err(|failure| {
            let hinted = |text: &String| format!("{text}\n\nuse --no-config to ignore this file");
            let colored = failure.colored.as_ref().map(hinted);
            Failure { colored, ..Failure::new(failure.code, hinted(&failure.message)) }
        })?;
        self.files.push((file, settings.described()));
        self.settings = std::mem::take(&mut self.settings).or(settings);
        Ok(())
    }

    /// The command line with the settings as defaults of its options.
    pub(super) fn defaults(&self, command: clap::Command) -> clap::Command {
        let Preferences { threads, color, progress, .. } = &self.settings;
        let mut command = command;
        if let Some(threads) = threads {
            command = with_default(command, "threads", &threads.to_string());
        }
        if let Some(word) = color {
            command = with_default(command, "color", word);
        }
        command.mut_subcommands(|own| self.defaults_below(own, progress.is_some()))
    }

    /// The same for a subcommand; `has_progress` is true if the form of progress is set, which farm
    /// commands do not accept.
    fn defaults_below(&self, command: clap::Command, has_progress: bool) -> clap::Command {
        let Preferences { progress, size, look, .. } = &self.settings;
        let mut command = command;
        if has_progress && let Some(word) = *progress {
            command = with_default(command, "progress", word);
        }
        let name = command.get_name().to_owned();
        if let (Some([width, height]), "turntable") = (size, name.as_str()) {
            command = with_default(command, "size", &format!("{width}x{height}"));
        }
        if let (Some(word), "turntable" | "thumbnail") = (look, name.as_str()) {
            command = with_default(command, "look", word);
        }
        command.mut_subcommands(|own| self.defaults_below(own, false))
    }

    /// Completes golden commands with the project's golden folder, unless they name one or use a
    /// library, which has a separate folder, and with the program version that the project pins.
    pub(super) fn complete(&self, command: &mut Command) {
        let other = pin::other_program(&self.settings);
        match command {
            Command::Test(options) => options.other_program = other,
            Command::Bless(options) => {
                (options.other_program, options.project) = (other, self.project.clone());
            }
            Command::Review(options) => options.other_program = other,
            _ => {}
        }
        let (golden, is_of_scenes) = match command {
            Command::Test(options) => (&mut options.golden, options.library.models.is_empty()),
            Command::Bless(options) => (&mut options.golden, options.library.models.is_empty()),
            Command::Init(options) => (&mut options.golden, true),
            Command::Review(options) => (&mut options.golden, true),
            _ => return,
        };
        if golden.is_none() && is_of_scenes {
            golden.clone_from(&self.golden);
        }
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
    // Relative folders are skipped, as the specification requires.
    let absolute = |path: PathBuf| path.is_absolute().then_some(path);
    let home = filled("XDG_CONFIG_HOME").map(PathBuf::from).and_then(absolute).or_else(|| {
        filled("HOME").map(PathBuf::from).and_then(absolute).map(|home| home.join(".config"))
    });
    let others = filled("XDG_CONFIG_DIRS").unwrap_or_else(|| OsString::from("/etc/xdg"));
    let others: Vec<PathBuf> = std::env::split_paths(&others).filter_map(absolute).collect();
    let files = home.into_iter().chain(others).map(|folder| folder.join("tintype/config.toml"));
    files.into_iter().find(|file| is_there(file))
}

/// The project's settings file, from the working directory.
fn find_project(working: &Path, is_there: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
    let folders: Vec<&Path> = working.ancestors().collect();
    let top = folders.iter().position(|folder| is_there(&folder.join(".git"))).unwrap_or(0);
    let is_project = |folder: &&Path| is_there(&folder.join(PROJECT_FILE));
    let up = folders.iter().take(top + 1).position(is_project)?;
    Some(std::iter::repeat_n("..", up).collect::<PathBuf>().join(PROJECT_FILE))
}

fn read(
    file: &Path,
    parse: fn(&str, &str) -> Result<Preferences, SceneErrors>,
) -> Result<Preferences, Failure> {
    let text = tintype_base::disk::read_regular_text(file)
        .map_err(|error| load::unreadable(file, &error))?;
    parse(&text, &file.shown()).map_err(|errors| load::mistakes(&errors))
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

    #[test]
    fn project_is_found_up_to_the_top_of_the_repository() {
        for (working, there, found) in [
            ("/r/a/b", &["/r/.git", "/r/tintype.toml"][..], Some("../../tintype.toml")),
            ("/r/a", &["/r/.git", "/r/tintype.toml", "/r/a/tintype.toml"], Some("tintype.toml")),
            ("/r/a", &["/r/a/.git", "/r/tintype.toml"], None),
            ("/r/a", &["/r/tintype.toml"], None),
            ("/r", &["/r/tintype.toml"], Some("tintype.toml")),
        ] {
            let is_there = |path: &Path| there.iter().any(|own| Path::new(own) == path);
            let file = find_project(Path::new(working), &is_there);
            assert_eq!(file.as_deref(), found.map(Path::new), "{working} {there:?}");
        }
    }
}
