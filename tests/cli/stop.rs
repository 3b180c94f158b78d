//! Ctrl-C and other interruptions: the files left on disk, the messages, and equal frames after
//! resuming.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::command::{BOX, command, tintype};
use crate::support::trial;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use tempfile::TempDir;
use tintype_model::frame::Frame;
use tintype_output::{PngEffort, encode_png};

/// A scene of more frames than a test waits for.
fn folder(size: [u32; 2], frames: u32) -> TempDir {
    let folder = TempDir::new().unwrap();
    let scene = format!(
        "[output]\nsize = {size:?}\nsamples = 16\nframes = \"0-{}\"\n[camera]\nazimuth_deg = {{ from = 0, to = 360 }}\n\
         [[material]]\nname = \"crate\"\n[[model]]\nfile = \"box.md5mesh\"\n",
        frames - 1
    );
    fs::write(folder.path().join("box.md5mesh"), BOX).unwrap();
    fs::write(folder.path().join("scene.toml"), scene).unwrap();
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Starts a command and waits until it reports a frame as done.
fn started(folder: &Path, arguments: &[&str]) -> (Child, BufReader<ChildStderr>) {
    let mut child = command(folder, arguments).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    read_until(&mut said, "\"event\":\"progress\"");
    (child, said)
}

fn read_until(said: &mut BufReader<ChildStderr>, words: &str) {
    let mut line = String::new();
    while !line.contains(words) {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "ended before {words:?}");
    }
}

fn send(child: &Child, signal: &str) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
}

#[trial]
fn stop_by_ctrl_c_leaves_whole_frames_and_says_how_to_go_on() {
    const FRAMES: u32 = 400;
    let folder = folder([320, 240], FRAMES);
    let render = ["render", "scene.toml", "-j", "2", "--progress", "json", "-o", "out/####.png"];
    let (mut child, mut said) = started(folder.path(), &render);
    send(&child, "INT");
    let mut text = String::new();
    said.read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{text}");
    assert!(text.contains("stopping after the frames in flight; press Ctrl-C again"), "{text}");
    let written = names(&folder.path().join("out"));
    assert!(!written.is_empty() && written.len() < FRAMES as usize, "{}", written.len());
    assert!(written.iter().all(|name| name.ends_with(".png") && !name.starts_with('.')));
    assert!(text.contains(&format!("\"{} of {FRAMES} frames done", written.len())), "{text}");

    // The command that it suggests does exactly the rest; then the result equals that of an
    // uninterrupted run.
    let last = text.lines().last().unwrap();
    let last: serde_json::Value = serde_json::from_str(last).unwrap();
    let (_, rest) = last["message"].as_str().unwrap().split_once("to continue: ").unwrap();
    let before: Vec<_> = written
        .iter()
        .map(|name| fs::metadata(folder.path().join("out").join(name)).unwrap().modified().unwrap())
        .collect();
    let mut shell = Command::new("sh");
    let went_on = shell.args(["-c", rest]).current_dir(folder.path()).output().unwrap();
    assert_eq!(went_on.status.code(), Some(0), "{rest}: {went_on:?}");
    for (name, before) in written.iter().zip(before) {
        let now = fs::metadata(folder.path().join("out").join(name)).unwrap().modified().unwrap();
        assert_eq!(now, before, "{name} was there already");
    }
    let verified = tintype(folder.path(), &["verify", "scene.toml", "-o", "out/####.png"]);
    assert_eq!(verified.status.code(), Some(0), "all {FRAMES} frames");
}

#[trial]
fn stop_by_a_job_manager_asks_for_another_run() {
    // Below nohup a hangup is switched off, and stays so for all that is started there.
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let hangs_up =
        ignored.is_none_or(|mask| mask.trim().ends_with(['0', '2', '4', '6', '8', 'a', 'c', 'e']));
    for signal in ["TERM", "USR1"].into_iter().chain(hangs_up.then_some("HUP")) {
        let folder = folder([320, 240], 400);
        let render = ["render", "scene.toml", "--progress", "json"];
        let (mut child, mut said) = started(folder.path(), &render);
        send(&child, signal);
        let mut text = String::new();
        said.read_to_string(&mut text).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(75), "{signal}: {text}");
        assert!(text.contains("to continue: "), "{text}");
        let written = names(&folder.path().join("out/scene"));
        assert!(written.iter().all(|name| name.len() == "0000.png".len()), "{written:?}");
    }
}

#[trial]
fn stop_twice_ends_at_once() {
    // A frame that takes seconds: only the second signal ends it.
    let folder = folder([8000, 8000], 40);
    let mut render = command(folder.path(), &["render", "scene.toml", "-j", "1", "-v"]);
    let mut child = render.stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    read_until(&mut said, "read box.md5mesh");
    send(&child, "INT");
    // The signal handler may not be installed yet right after loading: then the first signal has
    // already ended it.
    let mut text = String::new();
    while !text.contains("stopping") && said.read_line(&mut text).unwrap() > 0 {}
    if text.contains("stopping") {
        send(&child, "INT");
        said.read_to_string(&mut text).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{text}");
        assert!(
            !text.contains("stopped: "),
            "a second signal leaves no time for a message: {text}"
        );
    } else {
        use std::os::unix::process::ExitStatusExt;
        assert_eq!(child.wait().unwrap().signal(), Some(2), "{text}");
    }
}

#[trial]
fn stop_leaves_no_part_of_a_moving_picture() {
    let folder = folder([64, 64], 1);
    let turn = [
        "turntable",
        "box.md5mesh",
        "-n",
        "4000",
        "--size",
        "320x320",
        "--gif",
        "box.gif",
        "--apng",
        "box.png",
        "--progress",
        "json",
    ];
    let (mut child, mut said) = started(folder.path(), &turn);
    send(&child, "INT");
    let mut text = String::new();
    said.read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{text}");
    assert!(
        text.contains("box.png and box.gif are not written; run the same command again"),
        "{text}"
    );
    assert_eq!(names(folder.path()), ["box.md5mesh", "scene.toml"]);
}

#[trial]
fn stop_by_a_signal_that_the_caller_switched_off_is_not_heard() {
    let folder = folder([160, 120], 60);
    let program = env!("CARGO_BIN_EXE_tintype");
    let line = format!("trap '' INT; exec '{program}' render scene.toml --progress json");
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).current_dir(folder.path()).stderr(Stdio::piped());
    let mut child = shell.spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    read_until(&mut said, "\"event\":\"progress\"");
    send(&child, "INT");
    let mut text = String::new();
    said.read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{text}");
    assert_eq!(names(&folder.path().join("out/scene")).len(), 60);
}

/// Goldens that take longer than a test waits for are being written when the signal comes.
#[trial]
fn stop_of_bless_leaves_whole_goldens() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("scenes")).unwrap();
    let scene = "[output]\nsize = [640, 480]\nsamples = 16\nframes = \"0-399\"\n[camera]\nazimuth_deg = { from = 0, to = 360 }\n\
         [[material]]\nname = \"crate\"\n[[model]]\nfile = \"box.md5mesh\"\n[golden]\nframes = \"0-399\"\n";
    fs::write(folder.path().join("scenes/box.md5mesh"), BOX).unwrap();
    fs::write(folder.path().join("scenes/box.toml"), scene).unwrap();
    let golden = folder.path().join("golden/box");
    for (signal, code) in [("TERM", 75), ("INT", 130)] {
        let mut bless = command(folder.path(), &["bless", "--all"]);
        let mut child = bless.stderr(Stdio::piped()).spawn().unwrap();
        // The second run continues after the goldens of the first.
        let before = names(&golden).len();
        while names(&golden).len() <= before && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        send(&child, signal);
        let mut text = String::new();
        child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code), "{signal}: {text}");
        assert!(text.contains("stopped: written files are complete"), "{text}");
        let written = names(&golden);
        assert!(written.iter().all(|name| !name.starts_with('.')), "{written:?}");
    }
    // A killed process can leave one; the next bless of its scene removes it.
    let left = golden.join(".0000.png.elsewhere-1.1.0123456789abcdef.partial");
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(7200);
    fs::File::create(&left).unwrap().set_modified(old).unwrap();
    let blessed = tintype(folder.path(), &["bless", "box", "--frames", "0"]);
    assert_eq!(blessed.status.code(), Some(0), "{blessed:?}");
    assert!(!left.exists());
}

/// A comparison that takes longer than a test waits for.
#[trial]
fn stop_of_diff_ends_with_the_code_of_the_signal() {
    let folder = TempDir::new().unwrap();
    for (name, value) in [("a.png", 40), ("b.png", 90)] {
        let mut frame = Frame::new(5000, 5000);
        frame.rgba.iter_mut().for_each(|pixel| *pixel = [value, 2, 3, 255]);
        let png = encode_png(&frame, true, PngEffort::Fast, &[]);
        fs::write(folder.path().join(name), png).unwrap();
    }
    for (signal, code) in [("TERM", 75), ("INT", 130)] {
        let mut diff = command(folder.path(), &["diff", "a.png", "b.png", "-o", "d.png"]);
        diff.args(["--metric", "ssim", "--bound", "0.9"]).stderr(Stdio::piped());
        let mut child = diff.spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(300));
        send(&child, signal);
        let mut text = String::new();
        child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code), "{signal}: {text}");
        assert!(text.contains("stopped: written files are complete"), "{text}");
        assert_eq!(names(folder.path()), ["a.png", "b.png"]);
    }
}

/// All pictures on standard output are read, or the command reports the number that was.
#[trial]
fn reader_that_goes_is_told_of_pictures_and_not_of_text() {
    let folder = folder([640, 480], 8);
    let first_bytes_of = |arguments: &[&str]| {
        let mut run = command(folder.path(), arguments);
        let mut child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut out = child.stdout.take().unwrap();
        out.read_exact(&mut [0; 10]).unwrap();
        drop(out);
        let mut text = String::new();
        child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        (child.wait().unwrap().code(), text)
    };
    let turn =
        ["turntable", "box.md5mesh", "-n", "24", "--size", "640x480", "--raw", "rgba", "-o", "-"];
    let (code, text) = first_bytes_of(&turn);
    assert_eq!(code, Some(3), "{text}");
    let first = text.lines().find(|line| line.starts_with("error")).unwrap_or_default();
    assert!(first.contains("standard output was closed by its reader (0 frames of 24"), "{text}");
    let (code, text) = first_bytes_of(&["inspect", "box.md5mesh"]);
    assert_eq!(code, Some(0), "{text}");
}
