//! Answers to command lines that cannot be parsed: one form for all wrong values of options, and
//! hints for clips given as models and for keys of scenes given as options.

use super::load::is_clip;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};
use std::error::Error as _;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use tintype::setting::{Door, meant, settings_of};
use tintype_base::printable::{is_control, one_line};
use tintype_base::shell::path_word;
use tintype_base::suggest::{self, nearest_word};
use tintype_render::asset::nearest_file;
use tintype_scene::keys_of;

/// Commands with `-a`.
const WITH_CLIPS: [&str; 4] = ["turntable", "thumbnail", "pose", "inspect"];
/// Commands of scenes.
const OF_SCENES: [&str; 4] = ["render", "verify", "farm", "dataset"];

/// Words of other programs, the commands that accept them (all, if none is named), and the
/// equivalent here. The first match counts.
const OF_OTHER_PROGRAMS: [(&str, &[&str], &str); 57] = [
    (SIZE, &["thumbnail"], "-s N sets width and height, as in -s 512"),
    (SIZE, &["render"], "use --size WxH, or size = [W, H] under [output] in the scene"),
    (
        SIZE,
        &["turntable", "test", "bless", "verify", "farm"],
        "--size WxH sets width and height, as in --size 640x480",
    ),
    (UPDATE, &["bless"], "name scenes or goldens to accept, or --all"),
    (UPDATE, &["test", "review"], "tintype bless SCENE accepts newly drawn frames as golden"),
    (
        "jobs cores cpus workers procs num_threads fully_parallel parallel",
        &[],
        "-j N sets the number of threads",
    ),
    ("format ext extension type output_format", &DRAWING, FORMAT),
    ("gif apng webp mp4 webm mov video movie", &["render"], FORMAT),
    ("mp4 webm mov video movie animate", &["turntable"], FORMAT),
    ("jpg jpeg webp image picture", &["thumbnail"], FORMAT),
    (OUT, &["render", "turntable", "thumbnail", "pose", "diff", "verify", "farm"], OUTPUT),
    (OUT, &["test"], "--report DIR writes a page of what differs, --pictures DIR its pictures"),
    (
        "output",
        &["test"],
        "--report DIR writes a page of what differs, --pictures DIR its pictures",
    ),
    ("input i in model file mesh scene", &[], "files are named without an option"),
    (MOVES, &["thumbnail"], "a thumbnail is one picture; for several, use tintype turntable"),
    ("clip clips anim animation a", &["render"], SCENE_CLIP),
    ("angle angles rotation rotate yaw heading start_angle", &["turntable"], AZIMUTH),
    ("angle rotation rotate yaw pitch camera", &["thumbnail"], VIEW),
    ("camera eye orbit", &["turntable"], "--azimuth, --elevation, --fov and --view set the camera"),
    ("camera azimuth elevation fov view", &["render"], "set [camera] in the scene"),
    ("animation action animations motion take", &WITH_CLIPS, CLIP),
    ("fps framerate frame_rate rate", &["render"], "set fps = ... under [output] in the scene"),
    ("duration length seconds", &["turntable"], "-n N and --fps N set how long it plays"),
    ("frame f", &["turntable"], "-n N sets the number of frames"),
    (COUNT, &["turntable"], "-n N sets the number of frames"),
    ("frame n start end first last range", &["render"], "-f LIST selects frames, as in -f 0-47"),
    (FORCE, &DRAWING, "--overwrite redraws files that are up to date"),
    ("debug log log_level loglevel trace info", &[], "-v prints details"),
    ("silent no_progress", &[], "-q prints only errors and warnings"),
    ("compression compress optimize", &DRAWING, "--png small compresses more"),
    (
        "loop repeat looping",
        &["turntable"],
        "turntables always loop; --wrap sets what happens beyond the clip's ends",
    ),
    ("light lights lighting hdri hdr environment ibl", &MODELS, "--look studio or classic"),
    ("texture_path texture_dir texdir texture_search", &MODELS, "--textures DIR is searched first"),
    ("wireframe depth normals normal skeleton bones uv", &["render", "turntable"], AOV),
    ("recursive recurse r", &MODELS, "folders are always searched with their subfolders"),
    (
        "html page index catalog catalogue",
        &["thumbnail"],
        "--gallery writes a page of all pictures",
    ),
    (
        "spritesheet sprite_sheet atlas sprites",
        &["turntable"],
        "--sheet FILE.png writes a sprite sheet",
    ),
    ("config settings", &[], "TINTYPE_CONFIG names a settings file; tintype.toml is the project's"),
    (TOLERANCE, &TESTING, "set metric = ... and bound = ... under [golden] in the scene"),
    (FILTER, &["test", "review"], "--filter TEXT selects goldens by their paths"),
    (FILTER, &["bless"], "paths and patterns of scenes or goldens select, as in 'scenes/walk*'"),
    (
        INVERTED,
        &TESTING,
        "--filter TEXT selects goldens by their paths; tintype test --list lists all",
    ),
    (
        "watch watchall watch_all",
        &TESTING,
        "tintype watch re-runs a command whenever a file is saved",
    ),
    (FAIL_FAST, &["test"], "--fail-fast stops after the first failure"),
    (
        "lf onlyfailures only_failures failed ff failed_first",
        &["test"],
        "--last-failed tests what failed last time",
    ),
    (
        CHANGED,
        &["test"],
        "--only-changed tests scenes whose files changed; --only-changed=main... since a branch",
    ),
    ("listtests collect_only co", &["test"], "--list lists the expected goldens"),
    (PAGE, &["test"], "--serve shows a page with accept buttons; --report DIR writes the page"),
    (REPORTER, &["test"], "--report DIR, --junit FILE and --json FILE write the results"),
    (WRITES_NONE, &["test"], "tests write no goldens; use `tintype bless`"),
    ("review interactive_review", &["test"], "tintype review asks for each failure"),
    ("junitxml junit_xml junit_path", &["test"], "--junit FILE writes the results as JUnit XML"),
    (
        "base baseline since changed_base",
        &["test"],
        "--against REVISION compares with the goldens of a revision",
    ),
    (
        "all accept_all reject_all yes y",
        &["review"],
        "answer A to accept all that remain, R to reject them",
    ),
    (
        UNREFERENCED,
        &["test", "review"],
        "goldens without a scene fail; delete them with `tintype bless --prune`",
    ),
    (
        "snapshot snapshot_dir snapshots snapshot_path golden_dir",
        &TESTING,
        "--golden DIR is the golden folder",
    ),
    (
        "retries retry repeat_each timeout global_timeout",
        &["test"],
        "pictures are the same in each run, so there are no retries",
    ),
];
/// Commands that compare or accept goldens.
const TESTING: [&str; 3] = ["test", "review", "bless"];
const TOLERANCE: &str = "tolerance threshold fuzz max_diff_pixels max_diff_pixel_ratio maxdiffpixels maxdiffpixelratio max_diff diff_threshold failure_threshold pixel_threshold ssim flip";
const FILTER: &str = "grep g testnamepattern test_name_pattern t k testpathpattern testpathpatterns match only pattern name project";
const INVERTED: &str = "grep_invert gv exclude skip ignore deselect";
const FAIL_FAST: &str = "max_failures maxfail bail x exitfirst no_keep_going stop_on_failure";
const CHANGED: &str = "onlychanged changed changed_since changedsince changed_files_with_ancestor findrelatedtests affected";
const PAGE: &str = "ui ui_host ui_port show_report open headed browser";
const REPORTER: &str = "reporter reporters html html_report json_report";
const WRITES_NONE: &str = "check no_update force_pass ignore_snapshots dry_run";
const UNREFERENCED: &str = "unreferenced delete_unreferenced delete_unreferenced_snapshots remove_unused prune ci_prune snapshot_unused";
const DRAWING: [&str; 3] = ["render", "turntable", "thumbnail"];
const MODELS: [&str; 2] = ["turntable", "thumbnail"];
const SIZE: &str = "resolution width height res dimensions dim w size_x size_y imgsize image_size";
const UPDATE: &str =
    "update update_snapshots update_goldens update_golden accept approve bless write u";
const COUNT: &str = "steps num_frames nframes frame_count n_frames views num_views";
const FORCE: &str = "force replace clobber redraw rerender y";
const FORMAT: &str = "the extension of -o sets the format, as in -o walk.gif";
const OUT: &str = "out outdir out_dir output_dir output_path output_file outfile dir dest destination target to o";
const OUTPUT: &str = "-o names files or a folder";
const MOVES: &str = "fps framerate frame_rate rate frames frame count n f duration turn directions gif apng mp4 movie video animate";
const SCENE_CLIP: &str =
    "set clips = ... under [[model]] and clip = ... under [[instance]] in the scene";
const AZIMUTH: &str = "--azimuth DEG sets where the camera starts, --turn DEG how far it travels";
const VIEW: &str =
    "--azimuth DEG and --elevation DEG, or --view WORD, set the direction of the camera";
const CLIP: &str = "--clip NAME plays a clip of the model, -a FILE one from another file";
const AOV: &str = "--aov LIST draws views beside each picture, as in --aov depth,wireframe";

/// Equivalent commands of other programs.
const OTHER_COMMANDS: [(&str, &str); 14] = [
    ("info describe show list stat validate lint", "inspect"),
    ("compare difference cmp", "diff"),
    ("accept approve update", "bless"),
    ("draw run image", "render"),
    ("check regress regression pending-snapshots list-snapshots", "test"),
    ("show-report open-report show-trace ui serve", "test --serve"),
    ("reject approve-all review-snapshots", "review"),
    ("prune clean", "bless --prune"),
    ("preview spin view gif animate orbit play", "turntable"),
    ("thumb thumbs thumbnails gallery picture", "thumbnail"),
    ("export convert obj bake", "pose"),
    ("new setup start create", "init"),
    ("merge join merge-reports", "report merge"),
    ("last-failed", "test --last-failed"),
];

/// The error of a command line, in one line: the mistake, and the allowed, equivalent or similar
/// words.
pub(super) fn explained(error: Error, words: &[OsString], program: &Command) -> Error {
    let named = named(words, program);
    let message = match error.kind() {
        ErrorKind::UnknownArgument => unknown_option(&error, &named, program),
        ErrorKind::InvalidSubcommand => unknown_command(&error, &named),
        ErrorKind::MissingRequiredArgument => missing(&error, &named),
        _ => wrong_value(&error),
    };
    match message {
        Some(message) => Error::raw(error.kind(), message + "\n").with_cmd(program),
        None => error,
    }
}

/// The program, and the commands named by words in it, the outermost first.
fn named<'c>(words: &[OsString], program: &'c Command) -> Vec<&'c Command> {
    let mut named = vec![program];
    for word in words.iter().skip(1) {
        named.extend(named[named.len() - 1].find_subcommand(word));
    }
    named
}

/// `tintype farm submit`
fn path(named: &[&Command]) -> String {
    named.iter().map(|command| command.get_name()).collect::<Vec<_>>().join(" ")
}

fn unknown_option(error: &Error, named: &[&Command], program: &Command) -> Option<String> {
    let word = text(error, ContextKind::InvalidArg)?;
    let (path, command) = (path(named), named.last()?);
    // The models of a farm's job have the options of the command that draws them.
    let name = match command.get_name() {
        own if MODELS.contains(&own) => own,
        _ => named.get(1).map_or("", |own| own.get_name()),
    };
    let hint = hint(word, name);
    if !word.starts_with('-') {
        let hint = hint.unwrap_or_else(|| format!("see `{path} --help`"));
        return Some(format!("{word}: unexpected argument of {path}; {hint}"));
    }
    let option = word.split('=').next().unwrap_or_default();
    let key = option.trim_start_matches('-');
    let own = command.get_arguments().chain(program.get_arguments());
    let near = || nearest_word(key, own.filter_map(clap::Arg::get_long));
    let near = || near().map(|near| format!("did you mean --{near}?"));
    let elsewhere = || {
        let has = |own: &&Command| own.get_arguments().any(|argument| is_spelled(argument, option));
        let names = program.get_subcommands().filter(has).map(Command::get_name);
        let names: Vec<&str> = names.collect();
        (!names.is_empty()).then(|| format!("it is an option of {}", names.join(", ")))
    };
    let hint = hint.or_else(near).or_else(elsewhere);
    let hint = hint.unwrap_or_else(|| format!("list them with `{path} --help`"));
    Some(format!("{option}: {path} has no such option; {hint}"))
}

fn is_spelled(argument: &clap::Arg, option: &str) -> bool {
    match option.strip_prefix("--") {
        Some(long) => argument.get_long() == Some(long),
        None => argument.get_short().is_some_and(|letter| option == format!("-{letter}")),
    }
}

fn unknown_command(error: &Error, named: &[&Command]) -> Option<String> {
    let word = text(error, ContextKind::InvalidSubcommand)?;
    let (path, command) = (path(named), named.last()?);
    let near = || {
        let near = nearest_word(word, command.get_subcommands().map(Command::get_name))?;
        Some(format!("did you mean {near}?"))
    };
    // Paths are in the place of a command.
    let is_first = named.len() == 1;
    let nearest = || is_first.then(|| nearest_file(Path::new(word)))?;
    let file = || nearest().map(|file| format!("did you mean {}?", path_word(&file)));
    let other = if is_first { other_command(word) } else { None };
    let hint = other.or_else(near).or_else(file);
    let hint = hint.unwrap_or_else(|| format!("list the commands with `{path} --help`"));
    let what = if is_first {
        "no such command, file or folder".to_owned()
    } else {
        format!("{path} has no such command")
    };
    Some(format!("{word}: {what}; {hint}"))
}

fn missing(error: &Error, named: &[&Command]) -> Option<String> {
    let Some(ContextValue::Strings(what)) = error.get(ContextKind::InvalidArg) else { return None };
    let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) else { return None };
    let is_or_are = if what.len() == 1 { "is" } else { "are" };
    let usage = usage.to_string();
    let (_, usage) = usage.split_once(": ")?;
    Some(format!("{}: {} {is_or_are} missing; usage: {usage}", path(named), what.join(" ")))
}

fn text(error: &Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

fn other_command(word: &str) -> Option<String> {
    let word = word.to_lowercase();
    let is_among = |(words, _): &&(&str, &str)| words.split(' ').any(|own| own == word);
    OTHER_COMMANDS.iter().find(is_among).map(|(_, own)| format!("use `tintype {own}`"))
}

/// Prints a mistake. Words repeated from the command line can neither control the terminal nor
/// begin a line.
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

/// The message for an invalid option value, such as `--retries: "x"; expected a whole number`. None
/// for other mistakes.
fn wrong_value(error: &Error) -> Option<String> {
    if !matches!(error.kind(), ErrorKind::ValueValidation | ErrorKind::InvalidValue) {
        return None;
    }
    let argument = text(error, ContextKind::InvalidArg)?;
    let option = argument.split([' ', '[']).next()?;
    let value = text(error, ContextKind::InvalidValue)?;
    let allowed = match (error.get(ContextKind::ValidValue), error.source()) {
        (Some(ContextValue::Strings(words)), _) if words.is_empty() => {
            return Some(format!("{option}: value missing, as in {argument}"));
        }
        (Some(ContextValue::Strings(words)), _) => {
            let near = suggest::hint(nearest_word(value, words.iter().map(String::as_str)));
            format!("expected {}{near}", words.join(", "))
        }
        (_, Some(source)) => allowed(value, &source.to_string()),
        _ => return None,
    };
    Some(if allowed.starts_with(&format!("{value:?}")) {
        format!("{option}: {allowed}")
    } else {
        format!("{option}: {value:?}; {allowed}")
    })
}

/// The allowed values, from the message of a parser. Messages of the standard library describe the
/// faulty input instead.
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
        return Some(format!("it is a clip: play it with -a {}", path_word(Path::new(word))));
    }
    let key = word.strip_prefix('-')?.trim_start_matches('-').split('=').next().unwrap_or_default();
    let key = key.to_lowercase().replace('-', "_");
    let other = OF_OTHER_PROGRAMS.iter().find(|(words, commands, _)| {
        words.split(' ').any(|own| own == key)
            && (commands.is_empty() || commands.contains(&command))
    });
    if let Some((_, _, hint)) = other {
        return Some((*hint).to_owned());
    }
    let door = match command {
        "turntable" => Door::Turntable,
        "thumbnail" => Door::Thumbnail,
        command if OF_SCENES.contains(&command) => Door::Scene,
        _ => return None,
    };
    if let Some(setting) = meant(&key, settings_of(door)) {
        let (option, value) = (setting.option(), setting.metavar());
        return Some(format!("--{option} {value} says it: {}", setting.doc.trim_end_matches('.')));
    }
    if OF_SCENES.contains(&command) && keys_of("output").contains(&key.as_str()) {
        return Some(format!("set {key} = ... under [output] in the scene"));
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
            ("farm submit a.toml --cpus 0", r#"--cpus: "0"; expected a whole number, 1 or more"#),
            (
                "render a.toml --png smal",
                r#"--png: "smal"; expected fast, small; did you mean "small"?"#,
            ),
            (
                "thumbnail a.x --max-memory 1T",
                r#"--max-memory: "1T"; expected a number of bytes above 0, such as 500K, 64M or 2G"#,
            ),
            ("turntable a.x --gif", "--gif: value missing, as in --gif <FILE>"),
            ("turntable a.x -n 0", r#"--count: "0"; expected a whole number above 0"#),
        ] {
            let words = std::iter::once("tintype").chain(line.split(' '));
            let error = crate::args::command().try_get_matches_from(words).unwrap_err();
            assert_eq!(wrong_value(&error).as_deref(), Some(answer), "{line}");
        }
    }

    #[test]
    fn mistakes_are_answered_in_one_line_with_a_way_on() {
        let program = crate::args::command();
        for (line, answer) in [
            (
                "turntable a.x --resolution 64x64",
                "--resolution: tintype turntable has no such option; --size WxH sets width and \
                 height, as in --size 640x480",
            ),
            (
                "-j 2 render a.toml --sampels=4",
                "--sampels: tintype render has no such option; did you mean --samples?",
            ),
            (
                "test a.toml --spin",
                "--spin: tintype test has no such option; it is an option of thumbnail",
            ),
            (
                "inspect a.x -n 3",
                "-n: tintype inspect has no such option; it is an option of turntable",
            ),
            (
                "render a.toml --zoom",
                "--zoom: tintype render has no such option; list them with `tintype render --help`",
            ),
            (
                "thumbnail a.x --frames 3",
                "--frames: tintype thumbnail has no such option; a thumbnail is one picture; for several, use tintype turntable",
            ),
            (
                "farm submit turntable a.x --seconds 3",
                "--seconds: tintype farm submit turntable has no such option; -n N and --fps N \
                 set how long it plays",
            ),
            (
                "pose a.x b.x -o c.obj",
                "b.x: unexpected argument of tintype pose; see `tintype pose --help`",
            ),
            ("redner a.toml", "redner: no such command, file or folder; did you mean render?"),
            ("info a.x", "info: no such command, file or folder; use `tintype inspect`"),
            (
                "zzz",
                "zzz: no such command, file or folder; list the commands with `tintype --help`",
            ),
            (
                "show-report",
                "show-report: no such command, file or folder; use `tintype test --serve`",
            ),
            (
                "merge-reports a",
                "merge-reports: no such command, file or folder; use `tintype report merge`",
            ),
            (
                "test --watch",
                "--watch: tintype test has no such option; tintype watch re-runs a command whenever a file is saved",
            ),
            (
                "test -g walk",
                "-g: tintype test has no such option; --filter TEXT selects goldens by their paths",
            ),
            (
                "test --max-diff-pixels=20",
                "--max-diff-pixels: tintype test has no such option; set metric = ... and bound = ... under [golden] in the scene",
            ),
            ("farm stat", "stat: tintype farm has no such command; did you mean status?"),
            ("diff a.png", "tintype diff: <B> is missing; usage: tintype diff <A> <B>"),
        ] {
            let words: Vec<_> = format!("tintype {line}").split(' ').map(OsString::from).collect();
            let error = program.clone().try_get_matches_from(&words).unwrap_err();
            let said = explained(error, &words, &program).to_string();
            assert_eq!(said, format!("error: {answer}\n"), "{line}");
        }
    }

    #[test]
    fn keys_of_scenes_are_hinted_at_among_options() {
        let said = hint("--background", "render").unwrap_or_default();
        assert_eq!(said, "set background = ... under [output] in the scene");
        assert_eq!(hint("--background", "turntable"), None);
        assert!(hint("--width=640", "thumbnail").unwrap_or_default().starts_with("-s N"));
        assert!(hint("--update", "test").unwrap_or_default().starts_with("tintype bless"));
        assert_eq!(hint("--update", "render"), None);
        assert_eq!(hint("--sampels", "render"), None);
        assert!(hint("--Resolution=64", "turntable").unwrap_or_default().starts_with("--size WxH"));
        assert!(hint("--format", "render").unwrap_or_default().contains("-o walk.gif"));
        assert!(hint("--bg", "thumbnail").unwrap_or_default().starts_with("--background COLOR"));
    }

    #[test]
    fn words_of_other_programs_are_none_of_ours_and_get_one_tip() {
        let program = crate::args::command();
        let commands: Vec<&Command> = program.get_subcommands().collect();
        for (words, of, tip) in OF_OTHER_PROGRAMS {
            let meant = |own: &&&Command| of.is_empty() || of.contains(&own.get_name());
            let named = of.iter().filter(|of| !commands.iter().any(|own| own.get_name() == **of));
            assert_eq!(named.count(), 0, "{of:?}");
            let mut options: Vec<&str> = Vec::new();
            for own in commands.iter().filter(meant) {
                options.extend(own.get_arguments().filter_map(clap::Arg::get_long));
            }
            // If the tip applies to some commands, none of them has the option itself.
            let has = |word: &&str| options.contains(&word.replace('_', "-").as_str());
            assert_eq!(words.split(' ').find(has), None, "{tip}");
        }
        for (word, commands) in OTHER_COMMANDS {
            let is_own =
                |words: &str| program.find_subcommand(words.split(' ').next().unwrap()).is_some();
            assert!(is_own(commands) && !word.split(' ').any(is_own), "{word}");
        }
    }
}
