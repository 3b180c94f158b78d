//! `tintype watch` from the user's point of view: each step waits for the program's output, not for
//! a time.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::command::{BOX, command, tintype, wanted};
use crate::support::trial;
use libtest_mimic::Failed;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tempfile::TempDir;

type Outcome = Result<(), Failed>;

/// A program without output for this long hangs.
const HANGS: Duration = Duration::from_secs(120);

/// Reads lines until one contains a text, and returns them together.
fn until(lines: &Receiver<String>, text: &str) -> Result<String, Failed> {
    let mut told = String::new();
    loop {
        let line = lines
            .recv_timeout(HANGS)
            .map_err(|error| format!("{error}; no {text:?} in: {told}"))?;
        let is_it = line.contains(text);
        told += &format!("{line}\n");
        if is_it {
            return Ok(told);
        }
    }
}

#[trial]
fn watch_runs_again_after_changes_and_mistakes() -> Outcome {
    let folder = TempDir::new()?;
    let own = folder.path();
    fs::create_dir_all(own.join("m"))?;
    fs::write(own.join("m/a.md5mesh"), BOX)?;
    let words = ["watch", "thumbnail", "m", "-s", "16", "-o", "m/t"];
    let mut child = command(own, &words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let stderr = child.stderr.take().ok_or("a pipe")?;
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        BufReader::new(stderr).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
    });
    let told = until(&lines, "watching 1 file")?;
    assert!(told.contains("1 thumbnail in"), "{told}");
    // Another model; files drawn by the program are not changes.
    fs::write(own.join("m/b.md5mesh"), BOX)?;
    let told = until(&lines, "watching 2 files")?;
    assert!(told.starts_with("changed: b.md5mesh\n"), "{told}");
    assert!(own.join("m/t/b.md5mesh.png").exists());
    // A mistake is reported, and does not end the watch.
    fs::write(own.join("m/b.md5mesh"), &BOX[..300])?;
    let told = until(&lines, "watching 2 files")?;
    assert!(told.contains("m/b.md5mesh") && told.contains("the command ended with"), "{told}");
    fs::remove_file(own.join("m/b.md5mesh"))?;
    let told = until(&lines, "watching 1 file")?;
    assert!(told.contains("1 up to date"), "{told}");
    let process = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(process, rustix::process::Signal::INT)?;
    assert_eq!(child.wait()?.code(), Some(130));
    Ok(())
}

#[trial]
fn watch_takes_commands_that_read_alone() -> Outcome {
    let folder = TempDir::new()?;
    let own = folder.path();
    wanted(&tintype(own, &["watch", "farm", "status", "x"]), 2, "watch runs render")?;
    wanted(&tintype(own, &["watch", "rendr", "a.toml"]), 2, "rendr")?;
    wanted(&tintype(own, &["watch"]), 2, "COMMAND")
}
