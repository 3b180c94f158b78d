//! Help with examples, suggestions for mistyped words, colours, and settings that change no output.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::command::{BOX, command, tintype};
use crate::support::trial;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const SCENE: &str = "[output]\nsize = [32, 24]\nframes = \"0-1\"\n[[material]]\nname = \"crate\"\n[[model]]\nfile = \"box.md5mesh\"\n";

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("box.md5mesh"), BOX).unwrap();
    fs::write(folder.path().join("scene.toml"), SCENE).unwrap();
    folder
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stderr[..], &output.stdout[..]].concat()).into_owned()
}

/// The commands that the help lists.
fn commands() -> Vec<String> {
    let help = said(&tintype(Path::new("."), &["--help"]));
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let list = list.lines().take_while(|line| !line.is_empty());
    let names = list.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.map(|line| line.split_whitespace().next().unwrap().to_owned());
    names.filter(|name| name != "help").collect()
}

#[trial]
fn help_of_every_command_has_examples_that_fit() {
    let names = commands();
    assert!(names.len() >= 11, "{names:?}");
    for name in names {
        let help = said(&tintype(Path::new("."), &[&name, "--help"]));
        let examples: Vec<&str> =
            help.lines().filter(|line| line.starts_with("  tintype ")).collect();
        assert!(!examples.is_empty(), "{name}: {help}");
        for line in &examples {
            assert!(line.chars().count() <= 82, "{name}: {line}");
        }
        let own = examples.iter().filter(|line| line.contains(&format!("tintype {name}")));
        assert!(own.count() > 0, "{name}: {examples:?}");
    }
}

#[trial]
fn help_examples_use_options_that_there_are() {
    for name in commands() {
        let help = said(&tintype(Path::new("."), &[&name, "--help"]));
        let (options, examples) = help.split_once("Examples:").unwrap_or((&help, ""));
        for line in examples.lines().filter(|line| line.starts_with(&format!("  tintype {name} ")))
        {
            // Text after a pipe, or far to the right, is not ours.
            let line = line.trim().split(" | ").next().unwrap().split("   ").next().unwrap();
            // If a command has subcommands, even nested, the options belong to these.
            let (mut path, mut inner) = (vec![name.as_str()], options.to_owned());
            if name == "watch" {
                // The words after it belong to another command.
                path.clear();
                inner = said(&tintype(Path::new("."), &["--help"]));
            }
            for word in line.split_whitespace().skip(2) {
                if !inner.contains(&format!("\n  {word} ")) {
                    break;
                }
                path.push(word);
                inner = said(&tintype(Path::new("."), &[&path[..], &["--help"]].concat()));
            }
            for word in line.split_whitespace().filter(|word| word.starts_with("--")) {
                let word = word.trim_end_matches([',', ')', '"']);
                let is_there = options.contains(word) || inner.contains(word);
                assert!(is_there, "{name} has no {word}: {line}");
            }
        }
    }
}

#[trial]
fn words_that_were_mistyped_get_a_suggestion() {
    let folder = folder();
    fs::write(folder.path().join("walk.x"), "xof 0303txt 0032\nFrame arm { Mesh m { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;; } }
        AnimationSet Lift { Animation { { arm } AnimationKey { 2; 2; 0;3;0,0,0;;, 60;3;0,1,0;;; } } }").unwrap();
    for (arguments, suggests) in [
        (&["rendr", "scene.toml"][..], "did you mean render?"),
        (&["render", "scene.toml", "--sampels", "4"], "did you mean --samples?"),
        (&["render", "scene.toml", "--progress", "jsn"], "did you mean \"json\"?"),
        (&["render", "scne.toml"], "did you mean scene.toml?"),
        (&["verify", "scne.toml"], "did you mean scene.toml?"),
        (&["test", "scne.toml"], "did you mean scene.toml?"),
        (&["render", "scene.toml", "--aov", "dept"], "did you mean \"depth\"?"),
        (&["render", "scene.toml", "-f", "0", "--aov", "joint:rot"], "did you mean \"root\"?"),
        (&["turntable", "bx.md5mesh"], "did you mean \"box.md5mesh\"?"),
        (&["inspect", "box.md5mes"], "did you mean \"box.md5mesh\"?"),
        (&["turntable", "walk.x", "--clip", "Lfit"], "did you mean \"Lift\"?"),
        (&["pose", "walk.x", "--clip", "Lfit", "--time", "0", "-o", "-"], "did you mean \"Lift\"?"),
    ] {
        let output = tintype(folder.path(), arguments);
        let text = said(&output);
        assert!(text.contains(suggests), "{arguments:?}: {text}");
        assert!(!output.status.success(), "{arguments:?}");
        // Keys that are not in the scene do not help.
        let has_scene = arguments.iter().any(|word| word.ends_with(".toml"));
        assert!(has_scene || !text.contains("model[0]"), "{arguments:?}: {text}");
    }
    let text = said(&tintype(folder.path(), &["turntable", "box.md5mesh", "--up", "q"]));
    assert!(text.starts_with("error: --up: unknown axis \"q\"; expected one of"), "{text}");
}

/// A command with only these variables among those that affect colours and settings.
fn with(folder: &Path, variables: &[(&str, &str)], arguments: &[&str]) -> Command {
    let mut command = command(folder, arguments);
    for name in
        ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "TINTYPE_CONFIG", "CI", "XDG_CONFIG_HOME"]
    {
        command.env_remove(name);
    }
    // Independent of the user who runs the test.
    command.env("HOME", folder).env("XDG_CONFIG_DIRS", folder.join("etc"));
    command.envs(variables.iter().copied());
    command
}

#[trial]
fn colours_are_for_terminals_and_for_who_asks() {
    let folder = folder();
    fs::write(folder.path().join("bad.toml"), SCENE.replace("size", "sise")).unwrap();
    for (variables, more, colored) in [
        (&[][..], &[][..], false),
        (&[], &["--color", "always"], true),
        (&[], &["--color=always"], true),
        (&[("CLICOLOR_FORCE", "1")], &[], true),
        (&[("CLICOLOR_FORCE", "0")], &[], false),
        (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[], false),
        (&[("NO_COLOR", "1")], &["--color", "always"], true),
        (&[("CLICOLOR_FORCE", "1")], &["--color", "never"], false),
    ] {
        for command in [&["render", "bad.toml"][..], &["rendr"], &["render", "none.toml"]] {
            let output =
                with(folder.path(), variables, &[command, more].concat()).output().unwrap();
            let text = said(&output);
            assert_eq!(text.contains('\x1b'), colored, "{variables:?} {more:?}: {text:?}");
        }
    }
    // Without the colours the words are the same.
    let plain = said(&with(folder.path(), &[], &["render", "bad.toml"]).output().unwrap());
    assert!(
        plain.contains("unknown key \"sise\"") && plain.contains("did you mean \"size\"?"),
        "{plain}"
    );
}

#[trial]
fn settings_are_said_and_mistakes_in_them_shown() {
    let folder = folder();
    let file = folder.path().join(".config/tintype/config.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "threads = 1\ncolor = \"never\"\n").unwrap();
    let render = ["render", "scene.toml", "-v"];
    let run = |variables: &[(&str, &str)], arguments: &[&str]| {
        said(&with(folder.path(), variables, arguments).output().unwrap())
    };
    let text = run(&[], &render);
    assert!(text.contains("config.toml: threads = 1, color = \"never\""), "{text}");
    assert!(text.contains("with at most 1 frame in flight"), "the default counts: {text}");
    let text = run(&[], &["render", "scene.toml", "-v", "-j", "2", "--overwrite"]);
    assert!(text.contains("with at most 2 frames in flight"), "the option wins: {text}");
    for (variables, more) in [
        (&[("CI", "true")][..], &[][..]),
        (&[("TINTYPE_CONFIG", "")], &[]),
        (&[("XDG_CONFIG_HOME", "/nowhere")], &[]),
        (&[], &["--no-config"]),
    ] {
        let text = run(variables, &[&render[..], more].concat());
        assert!(!text.contains("settings of"), "{variables:?} {more:?}: {text}");
    }

    fs::write(&file, "thread = 1\nprogress = \"loud\"\n").unwrap();
    let output = with(folder.path(), &[], &render).output().unwrap();
    let text = said(&output);
    assert_eq!(output.status.code(), Some(2));
    for words in [
        "error: 2 mistakes in ",
        "config.toml:1:1\n",
        "1 | thread = 1",
        "did you mean \"threads\"?",
        "config.toml:2:12\n",
        "unknown progress \"loud\"",
        "use --no-config to ignore this file",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    assert!(
        with(folder.path(), &[], &["render", "scene.toml", "--no-config"])
            .status()
            .unwrap()
            .success()
    );
    let output = with(folder.path(), &[("TINTYPE_CONFIG", "gone.toml")], &render).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "a file that is named must be there");
}

#[trial]
fn settings_change_no_byte() {
    let folder = folder();
    let config = folder.path().join("c.toml");
    fs::write(
        &config,
        "threads = 1\ncolor = \"always\"\nprogress = \"none\"\nmessages = \"quiet\"\n",
    )
    .unwrap();
    let mut pictures = Vec::new();
    for file in ["", config.to_str().unwrap()] {
        let render = ["render", "scene.toml"];
        let output = with(folder.path(), &[("TINTYPE_CONFIG", file)], &render).output().unwrap();
        assert!(output.status.success());
        assert_eq!(said(&output).is_empty(), !file.is_empty(), "quiet is a setting: {output:?}");
        pictures.push(
            ["0000", "0001"].map(|frame| {
                fs::read(folder.path().join(format!("out/scene/{frame}.png"))).unwrap()
            }),
        );
        fs::remove_dir_all(folder.path().join("out")).unwrap();
    }
    assert_eq!(pictures[0], pictures[1]);
}
