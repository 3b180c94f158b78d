//! Markdown as the tests of the documentation read it: fenced blocks, links and headings; and a
//! clone to run commands in.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("WORKSPACE_ROOT"))
}

/// A fenced block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub language: String,
    pub text: String,
    /// The line of its first fence, from 1.
    pub line: usize,
}

/// The fenced blocks of a text, in order.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let body: Vec<&str> = lines
                .by_ref()
                .map(|(_, line)| line)
                .take_while(|line| !line.starts_with("```"))
                .collect();
            let text = body.join("\n") + "\n";
            blocks.push(Block { language: language.to_owned(), text, line: number + 1 });
        }
    }
    blocks
}

/// The text under a heading of the second level.
pub(crate) fn section<'t>(text: &'t str, heading: &str) -> &'t str {
    let (_, rest) = text.split_once(&format!("\n## {heading}\n")).expect("the section is there");
    rest.split("\n## ").next().unwrap_or(rest)
}

/// A text without its fenced blocks.
fn prose(text: &str) -> String {
    let mut is_inside = false;
    let mut kept = String::new();
    for line in text.lines() {
        if line.starts_with("```") {
            is_inside = !is_inside;
        } else if !is_inside {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// Targets of links and pictures of a text, in order, except in code.
pub(crate) fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let mut links = Vec::new();
    for (index, piece) in prose.split("](").enumerate() {
        if let Some((target, _)) = piece.split_once(')').filter(|_| index > 0) {
            links.push(target.to_owned());
        }
    }
    links
}

/// The anchors of a text's headings, as GitHub makes them.
pub(crate) fn anchors(text: &str) -> Vec<String> {
    let prose = prose(text);
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| anchor(line.trim_start_matches('#').trim())).collect()
}

fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>().to_lowercase()
}

/// A folder with everything in a clone of the repository; scenes and goldens are copies, which
/// commands may change.
pub(crate) fn clone_into(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(root())? {
        let name = entry?.file_name();
        let (from, to) = (root().join(&name), folder.join(&name));
        match name.to_str() {
            Some("target" | "out" | ".git") => {}
            Some("scenes" | "golden") => copy_folder(&from, &to)?,
            _ => symlink(from, to)?,
        }
    }
    Ok(())
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let to = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() { copy_folder(&path, &to)? } else { fs::copy(&path, &to).map(|_| ())? }
    }
    Ok(())
}

/// Runs commands as written, with the program of this build, on a machine that is not a CI server
/// and has no settings.
pub(crate) fn shell(folder: &Path, commands: &str) -> io::Result<Output> {
    let program = PathBuf::from(super::command::PROGRAM);
    let mut path = OsString::from(program.parent().unwrap_or(Path::new("")));
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", commands]).current_dir(folder).env("PATH", path);
    shell.env("TINTYPE_CONFIG", "").env("NO_COLOR", "1");
    for variable in ["CI", "GITHUB_ACTIONS", "CLICOLOR_FORCE", "COLUMNS"] {
        shell.env_remove(variable);
    }
    shell.output()
}
