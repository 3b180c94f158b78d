//! Rendering by several processes: shards, existing frames, signals, records, job files, and
//! engines that run them.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod engine;
mod again;
mod anywhere;
mod clock;
mod controller;
mod inputs;
mod jobs;
mod machine;
mod node;
mod signal;
mod slurm;
mod status;
mod task_script;
#[path = "../support/mod.rs"]
mod support;

use libtest_mimic::{Arguments, Failed};
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use support::command::{BOX, command, tintype, wanted};
use support::trial;
use tempfile::TempDir;

/// A box that turns, in 12 small frames.
pub const SCENE: &str = r#"
[output]
size = [48, 36]
frames = "0-11"
[camera]
azimuth_deg = { from = 0, to = 360 }
[[material]]
name = "crate"
[[model]]
file = "box.md5mesh"
"#;

/// All of them, into a folder.
pub const RENDER: &[&str] = &["render", "scene.toml", "-o", "f/####.png"];

/// A folder with the box and its scene.
pub fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("box.md5mesh"), BOX).unwrap();
    fs::write(folder.path().join("scene.toml"), SCENE).unwrap();
    folder
}

/// The files of a folder, hidden ones too, but not those in folders below it. Some may go while
/// this looks: a frame that is written has another name at first.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.path().is_file());
    let named = files.filter_map(|entry| match fs::read(entry.path()) {
        Ok(bytes) => Some((entry.file_name().into_string().unwrap(), bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => panic!("{}: {error}", entry.path().display()),
    });
    named.collect()
}

/// The frames as one process draws them.
pub fn reference() -> BTreeMap<String, Vec<u8>> {
    let here = folder();
    let output = tintype(here.path(), RENDER);
    wanted(&output, 0, "12 frames in").unwrap();
    let files = files(&here.path().join("f"));
    assert_eq!(files.len(), 12);
    files
}

/// Checks that a folder contains these frames and no other file.
pub fn same(folder: &Path, frames: &BTreeMap<String, Vec<u8>>) -> Result<(), Failed> {
    let found = files(folder);
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    if names(&found) != names(frames) {
        return Err(format!("{:?}, not {:?}", names(&found), names(frames)).into());
    }
    for (name, bytes) in frames {
        if found[name] != *bytes {
            return Err(format!("{name} has other bytes").into());
        }
    }
    Ok(())
}

#[trial]
fn shards_join_to_what_one_process_draws() -> Result<(), Failed> {
    let frames = reference();
    for of in [1, 2, 5, 12, 13] {
        let here = folder();
        for index in 0..of {
            let (shard, task) = (format!("{}/{of}", index + 1), index.to_string());
            // By number, and as tasks of both engines; odd threads to have other schedules.
            let shard = match index % 3 {
                0 => shard,
                1 => format!("slurm/{of}"),
                _ => format!("k8s/{of}"),
            };
            let options = [RENDER, &["--shard", &shard, "-j", "3"]].concat();
            let mut command = command(here.path(), &options);
            command.env("SLURM_ARRAY_TASK_ID", &task).env("JOB_COMPLETION_INDEX", &task);
            let output = command.output()?;
            let is_whole = of <= 12 || output.status.success();
            wanted(&output, 0, if is_whole { "" } else { "has no frames" })?;
        }
        same(&here.path().join("f"), &frames)?;
    }
    Ok(())
}

#[trial]
fn shards_are_of_the_frames_that_are_asked_for() -> Result<(), Failed> {
    let here = folder();
    let options = [RENDER, &["-f", "1-11x2", "--shard", "2/2"]].concat();
    wanted(&tintype(here.path(), &options), 0, "3 frames in")?;
    let names: Vec<String> = files(&here.path().join("f")).into_keys().collect();
    assert_eq!(names, ["0007.png", "0009.png", "0011.png"]);
    let verify = ["verify", "scene.toml", "-o", "f/####.png", "-f", "1-11x2", "--shard", "2/2"];
    wanted(&tintype(here.path(), &verify), 0, "3 frames up to date")
}

#[trial]
fn shards_that_make_no_sense_are_refused() -> Result<(), Failed> {
    let here = folder();
    for (shard, task, says) in [
        ("0/4", None, "1/4 to 4/4"),
        ("5/4", None, "1/4 to 4/4"),
        ("half", None, "write 2/5"),
        ("slurm/4", None, "SLURM_ARRAY_TASK_ID is not set"),
        ("slurm/4", Some("4"), "submit the array 0-3"),
        ("slurm/4", Some("x"), "submit the array 0-3"),
    ] {
        let mut command = command(here.path(), &[RENDER, &["--shard", shard]].concat());
        command.env_remove("SLURM_ARRAY_TASK_ID");
        command.envs(task.map(|task| ("SLURM_ARRAY_TASK_ID", task)));
        wanted(&command.output()?, 2, says)?;
        assert!(!here.path().join("f").exists(), "{shard}");
    }
    Ok(())
}

fn main() {
    support::begin();
    let mut arguments = Arguments::from_args();
    // Trials on a Slurm mostly wait.
    arguments.test_threads.get_or_insert(8);
    let mut trials = support::registered();
    // The longest first.
    trials.sort_by_key(|trial| {
        !["controller", "slurm", "node"].iter().any(|long| trial.kind().starts_with(long))
    });
    libtest_mimic::run(&arguments, trials).exit();
}
