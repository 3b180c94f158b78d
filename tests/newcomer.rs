//! The first steps of the README, followed word for word: each command works, and the mistake is answered as it is printed there.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// The fenced blocks of a section with their languages, in order.
fn blocks(section: &str) -> Vec<(String, String)> {
    let readme =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let (_, text) = readme.split_once(&format!("\n## {section}\n")).unwrap();
    let text = text.split("\n## ").next().unwrap();
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push((language.to_owned(), body.join("\n") + "\n"));
        }
    }
    blocks
}

fn shell(folder: &Path, commands: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_tintype"));
    let path =
        format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", commands]).current_dir(folder).env("PATH", path);
    shell.env("TINTYPE_CONFIG", "").env("NO_COLOR", "1").env_remove("CI").output().unwrap()
}

#[test]
fn first_steps_work_word_for_word() {
    // What a clone has and the commands need.
    let clone = TempDir::new().unwrap();
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    symlink(scenes, clone.path().join("scenes")).unwrap();

    let blocks = blocks("First steps");
    let (install, steps) = blocks.split_first().unwrap();
    assert_eq!(
        install.1, "cargo install --locked --path .\n",
        "it takes minutes, and is not run here"
    );
    let mut said = None;
    let mut mistakes = 0;
    for (language, text) in steps {
        match language.as_str() {
            "sh" => {
                let output = shell(clone.path(), text);
                let words = String::from_utf8_lossy(&output.stderr).into_owned();
                let is_mistake = text.contains("framse");
                let expected = if is_mistake { Some(2) } else { Some(0) };
                assert_eq!(output.status.code(), expected, "{text}{words}");
                said = Some(words);
            }
            "text" => {
                assert_eq!(said.take().as_ref(), Some(text), "the message as the README prints it");
                mistakes += 1;
            }
            other => panic!("a block of {other:?}"),
        }
    }
    assert_eq!(mistakes, 1);
    for made in [
        "scarab.gif",
        "out/thumbnails/index.html",
        "out/scarab/0000.png",
        "out/scarab/0019.png",
        "out/man/tintype-render.1",
    ] {
        let size = fs::metadata(clone.path().join(made)).map(|file| file.len()).unwrap_or(0);
        assert!(size > 1000, "{made} has {size} bytes");
    }
}

#[test]
fn settings_of_the_readme_are_settings() {
    let text =
        blocks("Stopping, progress, colours").into_iter().find(|(language, _)| language == "toml");
    let settings = tintype::scene::parse_settings(&text.unwrap().1, "README.md").unwrap();
    assert!(
        settings.described().starts_with("threads = 4, color = \"auto\", progress"),
        "{settings:?}"
    );
}
