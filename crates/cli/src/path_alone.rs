//! `tintype robot.glb`: paths in place of a command run the command that is probably meant.
//!
//! A scene is rendered, a model gets a turntable, and the models of folders get a gallery. Each of
//! several models gets a separate file beside it. Command names take precedence: `tintype test`
//! compares goldens, `tintype ./test` draws the folder.

use super::args;
use super::load::{is_model_or_clip, unreadable};
use super::standard_input::STREAM;
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use tintype::Files;
use tintype_base::extension::{SCENES, has_extension, is_model};
use tintype_base::path::ShowPath;
use tintype_base::shell::operand;
use tintype_host::job::discover::pattern;
use tintype_render::asset::FileError;
use tintype_render::asset::input::{Kind, kind, read_head};

/// Options of `turntable` that set where pictures are written.
pub(super) const OUTPUTS: [&str; 9] = [
    "-o",
    "--output",
    "--gif",
    "--apng",
    "--webp",
    "--sheet",
    "--contact-sheet",
    "--raw",
    "--save-scene",
];

/// Options that make an animation small and quick, each unless an earlier one is given.
const SMALL: [(&[&str], [&str; 2]); 2] = [
    (&["-s", "--size"], ["--size", "320"]),
    (&["--fps", "-n", "--count", "--frames", "--directions"], ["--fps", "12"]),
];

/// Commands inferred from paths.
const OF_PATHS: [&str; 3] = ["turntable", "thumbnail", "render"];

/// Command lines inferred from paths.
#[derive(Debug, Default)]
pub(super) struct Meant {
    /// The words of each command, the program first.
    pub lines: Vec<Vec<OsString>>,
    /// Paths that are not drawn, each with the reason.
    pub refused: Vec<String>,
}

/// The kind of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    Model,
    Scene,
    Folder,
}

/// The commands inferred from paths among the words. None if the words have another mistake than a
/// path in place of a command.
pub(super) fn meant(error: &Error, words: &[OsString]) -> Option<Meant> {
    if !matches!(error.kind(), ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument) {
        return None;
    }
    let mut program = args::command();
    program.build();
    let (name, words) = words.split_first()?;
    let (paths, options) = split(words, &program);
    let first = paths.first()?;
    if program.find_subcommand(first).is_some() || !is_path(first) {
        return None;
    }
    let mut refused = Vec::new();
    let mut subjects = Vec::new();
    for path in expanded(paths, &mut refused) {
        match subject(&path) {
            Ok(subject) => subjects.push((subject, path)),
            Err(reason) => refused.push(reason),
        }
    }
    let of = |wanted: Subject| -> Vec<&Path> {
        let own = subjects.iter().filter(|(subject, _)| *subject == wanted);
        own.map(|(_, path)| path.as_path()).collect()
    };
    let line = |command: &str, paths: &[&Path], added: &[&OsStr]| -> Vec<OsString> {
        let word = |path: &&Path| match path.as_os_str() {
            stdin if stdin == STREAM => stdin.to_owned(),
            _ => operand(path).into_owned().into_os_string(),
        };
        let paths = paths.iter().map(word);
        let added = added.iter().map(|word| (*word).to_owned());
        let start = [name.clone(), command.into()].into_iter();
        start.chain(paths).chain(added).chain(options.iter().cloned()).collect()
    };
    let mut lines = Vec::new();
    let models = of(Subject::Model);
    if is_given(&options, &OUTPUTS) {
        lines.extend((!models.is_empty()).then(|| line("turntable", &models, &[])));
    } else {
        lines.extend(models.iter().map(|model| {
            let file = animation_beside(model);
            let small = SMALL.iter().filter(|(others, _)| !is_given(&options, others));
            let small = small.flat_map(|(_, words)| words.iter().map(OsStr::new));
            let file = operand(&file);
            let added: Vec<&OsStr> =
                ["--gif".as_ref(), file.as_os_str()].into_iter().chain(small).collect();
            line("turntable", &[model], &added)
        }));
    }
    lines.extend(of(Subject::Scene).iter().map(|scene| line("render", &[scene], &[])));
    let folders = of(Subject::Folder);
    if !folders.is_empty() {
        let has_page = options.iter().any(|word| word == "--gallery");
        let page = (!has_page).then_some("--gallery".as_ref());
        lines.push(line("thumbnail", &folders, page.as_slice()));
    }
    Some(Meant { lines, refused })
}

/// True if one of these options is among the words, with its value or before it.
fn is_given(words: &[OsString], options: &[&str]) -> bool {
    let is_one = |word: &str, option: &&str| match word.strip_prefix(option) {
        Some(rest) => rest.is_empty() || rest.starts_with('=') || !option.starts_with("--"),
        None => false,
    };
    let is_any = |word: &OsString| {
        let word = word.to_string_lossy();
        options.iter().any(|option| is_one(&word, option))
    };
    words.iter().any(is_any)
}

/// Paths among words, and options with their values.
fn split(words: &[OsString], program: &Command) -> (Vec<PathBuf>, Vec<OsString>) {
    let commands = OF_PATHS.iter().filter_map(|name| program.find_subcommand(name));
    let own = commands.flat_map(Command::get_arguments);
    let known: Vec<&Arg> = program.get_arguments().chain(own).collect();
    let (mut paths, mut options) = (Vec::new(), Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--" {
            paths.extend(words.by_ref().map(PathBuf::from));
        } else if word == STREAM || !word.as_encoded_bytes().starts_with(b"-") {
            paths.push(PathBuf::from(word));
        } else {
            options.push(word.clone());
            if has_value_behind(&word.to_string_lossy(), &known) {
                options.extend(words.next().cloned());
            }
        }
    }
    (paths, options)
}

/// True if the word after an option is its value.
fn has_value_behind(option: &str, known: &[&Arg]) -> bool {
    let takes = |argument: &&&Arg| argument.get_num_args().is_some_and(|of| of.min_values() > 0);
    match option.strip_prefix("--") {
        Some(long) => {
            let is_it = |argument: &&&Arg| {
                argument.get_long() == Some(long)
                    || argument.get_all_aliases().is_some_and(|names| names.contains(&long))
            };
            known.iter().find(is_it).filter(takes).is_some()
        }
        None => {
            let by_letter = |letter| known.iter().find(|own| own.get_short() == Some(letter));
            // Short options may be combined, as in `-vj 4`; the letters after one with a value are
            // its value.
            let first =
                option.chars().skip(1).position(|own| by_letter(own).filter(takes).is_some());
            first.is_some_and(|at| at + 2 == option.chars().count())
        }
    }
}

/// True if a word is intended as a path.
fn is_path(path: &Path) -> bool {
    let text = path.to_string_lossy();
    path.as_os_str() == STREAM
        || text.contains(['/', '\\', '*'])
        || is_model(path)
        || has_extension(path, &SCENES)
        || path.exists()
        || !matches!(kind(&Files::Disk, path), Ok(Kind::Other))
}

/// The paths, with patterns that the shell did not expand replaced by their matches.
fn expanded(paths: Vec<PathBuf>, refused: &mut Vec<String>) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for path in paths {
        let Some(pattern) = pattern(&path) else {
            all.push(path);
            continue;
        };
        // Files matched by a pattern that are not drawn, such as textures, are not reported.
        let is_drawn =
            |path: &PathBuf| path.is_dir() || is_model(path) || has_extension(path, &SCENES);
        let found = glob::glob(pattern).into_iter().flatten().flatten().filter(is_drawn);
        let before = all.len();
        all.extend(found);
        if all.len() == before {
            refused.push(format!("{pattern}: no model, scene or folder matches this pattern"));
        }
    }
    all
}

/// The kind of a path, or the reason why it cannot be drawn.
fn subject(path: &Path) -> Result<Subject, String> {
    if path.as_os_str() == STREAM {
        return Ok(Subject::Model);
    }
    match kind(&Files::Disk, path) {
        Ok(Kind::Folder) => return Ok(Subject::Folder),
        Ok(Kind::Other) if !path.exists() => {
            let error = std::io::ErrorKind::NotFound.into();
            return Err(FileError::of_file_or_folder(path, &error).to_string());
        }
        _ => {}
    }
    if has_extension(path, &SCENES) {
        Ok(Subject::Scene)
    } else if is_model_or_clip(path) {
        Ok(Subject::Model)
    } else {
        read_head(&Files::Disk, path, 1).map_err(|error| unreadable(path, &error).message)?;
        Err(format!("{}: {EXPECTED}", path.shown()))
    }
}

const EXPECTED: &str = "expected a command, a model, a folder of models or a scene (.toml)";

/// The animation of a model: beside it, or in the working folder if that folder is read-only or
/// contains goldens.
fn animation_beside(model: &Path) -> PathBuf {
    if model.as_os_str() == STREAM {
        return PathBuf::from("stdin.gif");
    }
    let mut name = model.file_name().unwrap_or_default().to_owned();
    name.push(".gif");
    let folder = model.parent().unwrap_or(Path::new(""));
    if is_writable(folder) && !holds_goldens(folder) {
        folder.join(name)
    } else {
        PathBuf::from(name)
    }
}

/// True if files can be made in a folder.
fn is_writable(folder: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    tempfile::tempfile_in(folder).is_ok()
}

/// True if a picture of a folder has a record beside it.
fn holds_goldens(folder: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path());
    files
        .filter(|file| file.extension() == Some(OsStr::new("png")))
        .any(|picture| picture.with_extension("toml").exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn files_that_cannot_be_read_are_told_as_such() {
        let told = |path: &Path| subject(path).unwrap_err();
        let device = told(Path::new("/dev/null"));
        assert!(device.contains("it is a device"), "{device}");
        let folder = tempfile::tempdir().unwrap();
        let notes = folder.path().join("notes.txt");
        std::fs::write(&notes, "no model").unwrap();
        assert!(told(&notes).contains(EXPECTED));
    }

    #[test]
    fn options_are_known_with_and_without_their_value() {
        let given = |word: &str| is_given(&[word.into()], &["-s", "--size"]);
        assert!(["-s", "-s320", "-s=320", "--size", "--size=320"].into_iter().all(given));
        assert!(!["--sizes", "320", "--shadow", "s"].into_iter().any(given));
    }

    #[test]
    fn paths_are_told_from_values_of_options() {
        let mut program = args::command();
        program.build();
        let parts = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let (paths, options) = split(&words, &program);
            let paths: Vec<String> = paths.iter().map(|path| path.shown()).collect();
            let options: Vec<String> = options.iter().map(|word| word.shown()).collect();
            (paths.join(" "), options.join(" "))
        };
        for (line, paths, options) in [
            ("a.glb --size 64x64 b.glb", "a.glb b.glb", "--size 64x64"),
            ("--size=64x64 a.glb", "a.glb", "--size=64x64"),
            ("-j 1 a.glb -vj 2 b.glb -j4 c", "a.glb b.glb c", "-j 1 -vj 2 -j4"),
            ("-v a.glb --strict b.glb --frames 4", "a.glb b.glb", "-v --strict --frames 4"),
            ("- -q -- -a.glb --b", "- -a.glb --b", "-q"),
        ] {
            assert_eq!(parts(line), (paths.to_owned(), options.to_owned()), "{line}");
        }
    }
}
