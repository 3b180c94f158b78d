//! Answers to command lines that cannot be taken: one form for all values of options that are wrong, and hints for clips among models and for
//! keys of scenes among options.

use super::load::is_clip;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};
use std::error::Error as _;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use tintype_model::diagnostic::{is_control, one_line};
use tintype_model::shell::path_word;
use tintype_scene::{keys_of, nearest_word};

/// Commands with `-a`.
const WITH_CLIPS: [&str; 4] = ["turntable", "thumbnail", "pose", "inspect"];
/// Commands of scenes.
const OF_SCENES: [&str; 3] = ["render", "verify", "farm"];

/// Words of other programs, commands (all, if none is named), and what says the same here.
const OF_OTHER_PROGRAMS: [(&[&str], &[&str], &str); 6] = [
    (
        &["resolution", "width", "height", "res", "dimensions"],
        &["turntable"],
        "--size WxH sets width and height, as in --size 640x480",
    ),
    (
        &["resolution", "width", "height", "res", "dimensions"],
        &["thumbnail"],
        "-s N sets width and height, as in -s 512",
    ),
    (
        &["resolution", "width", "height", "res", "dimensions"],
        &["render"],
        "--size WxH sets width and height; the scene's own are size = [W, H] under [output]",
    ),
    (
        &["update", "update_snapshots", "accept", "update_goldens"],
        &["test"],
        "tintype bless SCENE accepts newly drawn frames as golden",
    ),
    (&["jobs", "cores", "cpus", "workers"], &[], "-j N sets the number of threads"),
    (&["out", "outdir", "out_dir", "output_dir", "dir"], &[], "-o names files or a folder"),
];

/// The error of a command line: a wrong value with what was found and what is allowed, else with a hint where a common mistake explains it.
pub(super) fn explained(mut error: Error, command: &str, program: &Command) -> Error {
    if let Some(message) = wrong_value(&error) {
        return Error::raw(error.kind(), message + "\n").with_cmd(program);
    }
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

/// Prints a mistake. Words of the command line that it repeats can neither drive the terminal nor begin a line.
pub(super) fn print(error: &Error, words: &[OsString], is_colored: bool) {
    let text = with_plain_words(error.render().ansi().to_string(), words);
    let text = if is_colored { text } else { without_styles(&text) };
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// The text without `ESC [ digits m`.
fn without_styles(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_digit = |letter: char| letter.is_ascii_digit() || letter == ';';
        let rest = part.trim_start_matches(is_digit);
        plain.push_str(rest.strip_prefix('m').unwrap_or(part));
    }
    plain
}

fn with_plain_words(mut text: String, words: &[OsString]) -> String {
    for word in words {
        let word = word.to_string_lossy();
        let value = word.split_once('=').map(|(_, value)| value);
        for part in [Some(&*word), value].into_iter().flatten() {
            if part.chars().any(is_control) {
                text = text.replace(part, &one_line(part));
            }
        }
    }
    text
}

/// The message for a value that an option does not take, as `--retries: "x"; expected a whole number`; none for other mistakes.
fn wrong_value(error: &Error) -> Option<String> {
    if !matches!(error.kind(), ErrorKind::ValueValidation | ErrorKind::InvalidValue) {
        return None;
    }
    let text = |kind: ContextKind| match error.get(kind)? {
        ContextValue::String(text) => Some(text.as_str()),
        _ => None,
    };
    let option = text(ContextKind::InvalidArg)?.split([' ', '[']).next()?;
    let value = text(ContextKind::InvalidValue)?;
    let allowed = match (error.get(ContextKind::ValidValue), error.source()) {
        (Some(ContextValue::Strings(words)), _) => {
            let near = nearest_word(value, words.iter().map(String::as_str));
            let near = near.map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
            format!("expected {}{near}", words.join(", "))
        }
        (_, Some(source)) => allowed(value, &source.to_string()),
        _ => return None,
    };
    Some(match allowed.starts_with(&format!("{value:?}")) {
        true => format!("{option}: {allowed}"),
        false => format!("{option}: {value:?}; {allowed}"),
    })
}

/// The values that are allowed, from the message of a parser. Those of the standard library say what a parser met.
fn allowed(value: &str, message: &str) -> String {
    if let Some((_, range)) = message.split_once(" is not in ") {
        let (least, most) = range.split_once("..").unwrap_or((range, ""));
        let most = most.trim_start_matches('=');
        return match most.len() {
            0 | 10.. => format!("expected a whole number, {least} or more"),
            _ => format!("expected a whole number, {least} to {most}"),
        };
    }
    let words = match message {
        "invalid digit found in string" if value.parse::<i64>().is_ok() => {
            "expected a whole number, 0 or more"
        }
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            "expected a whole number"
        }
        "number too large to fit in target type" | "number too small to fit in target type" => {
            "the number is too large"
        }
        "invalid float literal" | "cannot parse float from empty string" => "expected a number",
        own => own,
    };
    words.to_owned()
}

fn hint(word: &str, command: &str) -> Option<String> {
    if WITH_CLIPS.contains(&command) && is_clip(Path::new(word)) {
        return Some(format!("it is a clip: -a {} plays it", path_word(Path::new(word))));
    }
    let key = word.strip_prefix("--")?.split('=').next().unwrap_or_default().replace('-', "_");
    let other = OF_OTHER_PROGRAMS.iter().find(|(words, commands, _)| {
        words.contains(&key.as_str()) && (commands.is_empty() || commands.contains(&command))
    });
    if let Some((_, _, hint)) = other {
        return Some((*hint).to_owned());
    }
    if OF_SCENES.contains(&command) && keys_of("output").contains(&key.as_str()) {
        return Some(format!("the scene says it: {key} = ... under [output]"));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_messages_are_plain() {
        let words = ["--size=\n\u{1b}[2J", "a\nb"].map(OsString::from);
        let text = "\u{1b}[1merror\u{1b}[0m: \n\u{1b}[2J and a\nb\n".to_owned();
        let shown = with_plain_words(text, &words);
        assert_eq!(shown, "\u{1b}[1merror\u{1b}[0m: \\n\\u{1b}[2J and a\\nb\n");
        assert_eq!(without_styles(&shown), "error: \\n\\u{1b}[2J and a\\nb\n");
    }

    #[test]
    fn wrong_values_are_answered_in_one_form() {
        for (line, answer) in [
            ("render a.toml -j x", r#"--threads: "x"; expected a whole number"#),
            ("render a.toml -j -1", r#"--threads: "-1"; expected a whole number, 0 or more"#),
            (
                "render a.toml -j 99999999999999999999",
                r#"--threads: "99999999999999999999"; the number is too large"#,
            ),
            ("turntable a.x --fov=wide", r#"--fov: "wide"; expected a number"#),
            (
                "turntable a.x --directions 65",
                r#"--directions: "65"; expected a whole number, 1 to 64"#,
            ),
            ("farm submit a.toml --cpus 0", r#"--cpus: "0"; expected a whole number, 1 or more"#),
            (
                "render a.toml --png smal",
                r#"--png: "smal"; expected fast, small; did you mean "small"?"#,
            ),
            (
                "thumbnail a.x --max-memory 1T",
                r#"--max-memory: "1T"; expected a number of bytes above 0, such as 500K, 64M or 2G"#,
            ),
            ("turntable a.x -n 0", r#"--frames: "0"; expected a whole number above 0"#),
        ] {
            let words = std::iter::once("tintype").chain(line.split(' '));
            let error = crate::cli::args::command().try_get_matches_from(words).unwrap_err();
            assert_eq!(wrong_value(&error).as_deref(), Some(answer), "{line}");
        }
    }

    #[test]
    fn keys_of_scenes_are_hinted_at_among_options() {
        let said = hint("--background", "render").unwrap_or_default();
        assert_eq!(said, "the scene says it: background = ... under [output]");
        assert_eq!(hint("--background", "turntable"), None);
        assert!(hint("--width=640", "thumbnail").unwrap_or_default().starts_with("-s N"));
        assert!(hint("--update", "test").unwrap_or_default().starts_with("tintype bless"));
        assert_eq!(hint("--update", "render"), None);
        assert_eq!(hint("--sampels", "render"), None);
    }
}
