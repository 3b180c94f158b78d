//! `tintype robot.glb`: a path where a command is expected stands for the command that people mean by it.
//!
//! A scene is rendered, a model gets a turntable, and the models of a folder get a gallery. Commands have the first right to a word:
//! `tintype test` compares goldens, `tintype ./test` draws the folder.

use super::failure::Failure;
use super::load::{is_model_or_clip, unreadable};
use clap::Error;
use clap::error::{ContextKind, ContextValue};
use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tintype_base::extension::{SCENES, has_extension, is_model};
use tintype_base::path::ShowPath;
use tintype_base::shell::path_word;
use tintype_formats::Files;
use tintype_render::asset::FileError;
use tintype_render::asset::input::{Kind, is_folder, kind, read_head};

/// Options of `turntable` that say where pictures go.
pub(super) const OUTPUTS: [&str; 8] =
    ["-o", "--output", "--gif", "--apng", "--webp", "--sheet", "--raw", "--save-scene"];

/// Options that make an animation small and soon there, each unless one of those before it is given.
const SMALL: [(&[&str], [&str; 2]); 2] = [
    (&["-s", "--size"], ["--size", "320"]),
    (&["--fps", "-n", "--count", "--frames", "--directions"], ["--fps", "12"]),
];

/// The words with the command that a path among them stands for, and the command as a person types it; nothing if the words are wrong
/// for another reason than a path in place of a command.
pub(super) fn completed(
    error: &Error,
    words: &[OsString],
) -> Option<Result<(Vec<OsString>, String), Failure>> {
    if error.kind() != clap::error::ErrorKind::InvalidSubcommand {
        return None;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let at = words.iter().skip(1).position(|own| own.to_string_lossy() == *word)? + 1;
    let path = Path::new(&words[at]);
    let kind = kind(&Files::Disk, path);
    if matches!(kind, Ok(Kind::Other)) && !path.exists() {
        let is_path = word.contains(['/', '\\']) || is_model(path) || is_scene(path);
        return is_path.then(|| {
            let message = FileError::new(path, &ErrorKind::NotFound.into()).to_string();
            Err(Failure::bad_input(message))
        });
    }
    Some(command_of(path, &words[at + 1..]).map(|(command, added)| {
        let typed = [vec![command.to_owned(), path_word(path)], added.clone()].concat().join(" ");
        let mut all = words[..at].to_vec();
        all.push(command.into());
        all.push(words[at].clone());
        all.extend(added.into_iter().map(OsString::from));
        all.extend_from_slice(&words[at + 1..]);
        (all, format!("tintype {typed}"))
    }))
}

/// The command for a path, and options that it gets.
fn command_of(path: &Path, rest: &[OsString]) -> Result<(&'static str, Vec<String>), Failure> {
    if is_folder(&Files::Disk, path) {
        let is_page = !rest.iter().any(|word| word == OsStr::new("--gallery"));
        return Ok(("thumbnail", is_page.then(|| "--gallery".to_owned()).into_iter().collect()));
    }
    if is_scene(path) {
        return Ok(("render", Vec::new()));
    }
    if !is_model_or_clip(path) {
        read_head(&Files::Disk, path, 1).map_err(|error| unreadable(path, &error))?;
        return Err(Failure::bad_input(format!("{}: {EXPECTED}", path.shown())));
    }
    if is_given(rest, &OUTPUTS) {
        return Ok(("turntable", Vec::new()));
    }
    let mut added = vec!["--gif".to_owned(), animation_beside(path).shown()];
    for (options, usual) in SMALL {
        if !is_given(rest, options) {
            added.extend(usual.map(str::to_owned));
        }
    }
    Ok(("turntable", added))
}

/// Whether one of these options is among words, with its value or before it.
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

const EXPECTED: &str = "expected a command, a model, a folder of models or a scene (.toml)";

fn is_scene(path: &Path) -> bool {
    has_extension(path, &SCENES)
}

/// The animation of a model: beside it, but in the working folder where that cannot be written or holds goldens.
fn animation_beside(model: &Path) -> PathBuf {
    let mut name = model.file_name().unwrap_or_default().to_owned();
    name.push(".gif");
    let folder = model.parent().unwrap_or(Path::new(""));
    if is_writable(folder) && !holds_goldens(folder) {
        folder.join(name)
    } else {
        PathBuf::from(name)
    }
}

/// Whether files can be made in a folder.
fn is_writable(folder: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    tempfile::tempfile_in(folder).is_ok()
}

/// Whether a picture of a folder has a record beside it.
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

    #[test]
    fn options_are_known_with_and_without_their_value() {
        let given = |word: &str| is_given(&[word.into()], &["-s", "--size"]);
        assert!(["-s", "-s320", "-s=320", "--size", "--size=320"].into_iter().all(given));
        assert!(!["--sizes", "320", "--shadow", "s"].into_iter().any(given));
    }

    #[cfg(unix)]
    #[test]
    fn files_that_cannot_be_read_are_told_as_such() {
        let told = |path: &Path| command_of(path, &[]).err().map(|failure| failure.message);
        let device = told(Path::new("/dev/null")).unwrap();
        assert!(device.contains("it is a device"), "{device}");
        let folder = tempfile::tempdir().unwrap();
        let notes = folder.path().join("notes.txt");
        std::fs::write(&notes, "no model").unwrap();
        assert!(told(&notes).unwrap().contains(EXPECTED));
    }
}
