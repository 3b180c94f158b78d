//! Signals of a farm: SIGUSR1 ends at a frame boundary, SIGTERM soon, SIGKILL at once; the same
//! command then continues.

use super::{files, folder};
use crate::support::command::{command, tintype, wanted};
use crate::support::{only_if, trial};
use libtest_mimic::Failed;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tintype_output::decode_png;

#[trial(only_if(cfg!(unix)))]
fn signal_usr1_ends_at_the_edge_of_a_frame() -> Result<(), Failed> {
    ends_and_goes_on("USR1", Some(75))
}

#[trial(only_if(cfg!(unix)))]
fn signal_term_ends_soon() -> Result<(), Failed> {
    ends_and_goes_on("TERM", Some(75))
}

#[trial(only_if(cfg!(unix)))]
fn signal_kill_leaves_whole_frames() -> Result<(), Failed> {
    ends_and_goes_on("KILL", None)
}
fn send(signal: &str, child: &Child) -> Result<(), Failed> {
    let sent =
        Command::new("kill").arg(format!("-{signal}")).arg(child.id().to_string()).status()?;
    if sent.success() { Ok(()) } else { Err("no signal sent".into()) }
}

fn until(is_true: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_true() {
        assert!(started.elapsed() < Duration::from_secs(60), "it never came to that");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn frames_in(folder: &Path) -> usize {
    if folder.is_dir() {
        files(folder).keys().filter(|name| !name.starts_with('.')).count()
    } else {
        0
    }
}

fn ends_and_goes_on(signal: &str, code: Option<i32>) -> Result<(), Failed> {
    let here = folder();
    let frames = here.path().join("f");
    let options = [
        "render",
        "scene.toml",
        "-o",
        "f/####.png",
        "-j",
        "1",
        "--size",
        "1000x800",
        "--samples",
        "8",
        "--record",
    ];
    let child = command(here.path(), &options).stderr(Stdio::piped()).spawn()?;
    until(|| frames_in(&frames) > 1);
    send(signal, &child)?;
    let output = child.wait_with_output()?;
    assert_eq!(output.status.code(), code, "{}", String::from_utf8_lossy(&output.stderr));
    let left = files(&frames);
    assert!(left.len() < 12, "it was stopped before the end");
    for (name, bytes) in &left {
        let is_whole = decode_png(bytes).is_ok();
        // A process that is killed at once has no time to clean up.
        assert!(is_whole || (code.is_none() && name.ends_with(".partial")), "{name}");
    }
    wanted(&tintype(here.path(), &options), 0, " up to date")?;
    let names: Vec<String> = files(&frames).into_keys().collect();
    assert!(names.len() == 12 && names.iter().all(|name| !name.starts_with('.')), "{names:?}");
    Ok(())
}

/// One frame that takes minutes: SIGTERM is followed by SIGKILL after seconds.
#[trial(only_if(cfg!(unix)))]
fn signal_term_does_not_wait_for_a_long_frame() -> Result<(), Failed> {
    let here = folder();
    let size = ["--size", "16000x16000", "--samples", "16", "-j", "1", "--record"];
    let options = [&["render", "scene.toml", "-o", "f/####.png"], &size[..]].concat();
    let child = command(here.path(), &options).stderr(Stdio::piped()).spawn()?;
    let tasks = here.path().join("f/.tintype/tasks");
    until(|| tasks.is_dir() && !files(&tasks).is_empty());
    // Past the reading of the scene.
    std::thread::sleep(Duration::from_millis(700));
    send("TERM", &child)?;
    wanted(&child.wait_with_output()?, 75, "")?;
    assert_eq!(frames_in(&here.path().join("f")), 0);
    assert!(files(&here.path().join("f")).is_empty(), "no file is left half written");
    let record = files(&tasks).into_values().next().unwrap_or_default();
    let text = String::from_utf8(record)?;
    if text.contains("\"event\":\"end\",\"code\":75") { Ok(()) } else { Err(text.into()) }
}
