//! The controller of a real Slurm disappears and comes back: requests meanwhile, losses, and the
//! command to type when it is stuck.

use super::machine::{Farm, frames_in, said, until, with_slurm};
use super::slurm::scene;
use super::{files, folder, same};
use crate::support::command::{tintype, wanted};
use crate::support::trial;
use libtest_mimic::Failed;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

#[trial(with_slurm)]
fn slurm_controller_comes_back(scripts: &Path) -> Result<(), Failed> {
    let here = folder();
    let here = here.path();
    fs::write(here.join("scene.toml"), scene("0-179"))?;
    wanted(&tintype(here, &["render", "scene.toml", "-o", "one/####.png"]), 0, "180 frames in")?;
    let reference = files(&here.join("one"));
    let farm = Farm::up(scripts, 1)?;
    restarted(&farm, here, &reference)?;
    let out = here.join("k");
    killed(&farm, here, &out)?;
    goes_on_by_what_is_said(&farm, here, &out)?;
    farm.until_idle()?;
    same(&out, &reference)
}

/// A restart by an administrator: nothing is lost, and nothing is drawn twice.
fn restarted(
    farm: &Farm,
    here: &Path,
    reference: &BTreeMap<String, Vec<u8>>,
) -> Result<(), Failed> {
    let out = here.join("f");
    farm.submit(here, &["-o", "f/####.png", "--chunk", "15"])?;
    until("some frames", || frames_in(&out) >= 20)?;
    let mut asked = Vec::new();
    farm.controller("-TERM", || asked.push(farm.tintype(here, &["farm", "status", "f"])))?;
    wanted(&asked[0], 75, "the queue cannot be read: squeue")?;
    wanted(&farm.tintype(here, &["farm", "status", "f", "--watch"]), 0, "180 of 180 frames done")?;
    farm.until_idle()?;
    same(&out, reference)?;
    let found = farm.status(here, &out, 0)?;
    assert_eq!(found["tasks"], serde_json::json!({ "COMPLETED": 12 }), "{found}");
    assert_eq!(found["drawn_twice"], serde_json::json!([]), "{found}");
    Ok(())
}

/// The controller is killed right after tasks have begun, before it has written them down. The time
/// of its writing varies, so after a restart it finds an older state. It starts the tasks again
/// where they still run, so nodes are drained and tasks held; which of these happens is up to the
/// controller, and the messages for each are tested with an artificial queue.
fn killed(farm: &Farm, here: &Path, out: &Path) -> Result<(), Failed> {
    let pattern = format!("{}/####.png", out.display());
    let array = farm.submit_held(here, &["-o", &pattern, "--chunk", "15"])?;
    let check = (array.parse::<u64>()? - 1).to_string();
    until("the look is done", || {
        let state = farm.ask("squeue", &["-h", "-t", "all", "-j", &check, "-o", "%T"]);
        state.is_ok_and(|state| state.trim() == "COMPLETED")
    })?;
    farm.ask("scontrol", &["update", "nodename=n[1-3]", "state=drain", "reason=moment"])?;
    farm.ask("scontrol", &["release", &array])?;
    let (file, released) = (farm.job_state(), SystemTime::now());
    let written = || fs::metadata(&file).and_then(|file| file.modified());
    until("that is written down", || written().is_ok_and(|written| written > released))?;
    let before = fs::read(&file)?;
    farm.ask("scontrol", &["update", "nodename=n[1-3]", "state=resume"])?;
    until("some frames", || frames_in(out) >= 1)?;
    let mut restored = Ok(());
    farm.controller("-KILL", || restored = fs::write(&file, &before))?;
    Ok(restored?)
}

/// Follows `status --watch`, which names the next command and ends, until the job is done and its
/// tasks are out of the queue.
pub(crate) fn goes_on_by_what_is_said(farm: &Farm, here: &Path, out: &Path) -> Result<(), Failed> {
    let folder = out.to_str().unwrap();
    let mut all = String::new();
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(300) {
        let watched = farm.tintype(here, &["farm", "status", folder, "--watch"]);
        let text = said(&watched);
        all += &text;
        match watched.status.code() {
            Some(0) if farm.queue()?.trim().is_empty() => return Ok(()),
            Some(0) => {
                // A task may be held for ever although all its frames exist.
                if text.contains("remove these tasks from the queue") {
                    wanted(&farm.tintype(here, &["farm", "cancel", folder]), 0, "")?;
                }
                std::thread::sleep(Duration::from_secs(1));
                continue;
            }
            Some(3) => {}
            _ => return Err(text.into()),
        }
        // It may have forgotten the jobs altogether.
        if text.contains("tintype farm retry") {
            wanted(&farm.tintype(here, &["farm", "retry", folder]), 0, "missing: ")?;
            continue;
        }
        let lines = text.lines().filter_map(|line| Some(&line[line.find("scontrol ")?..]));
        let lines: Vec<&str> = lines.filter(|line| !line.contains("error")).collect();
        assert!(!lines.is_empty(), "{text}");
        for line in lines {
            let mut shell = Command::new("sh");
            shell.args(["-c", line]);
            let output = farm.with(shell).output()?;
            // Nodes that have not reported yet take no orders: it is typed again then.
            all += &format!("$ {line}\n{}", said(&output));
        }
        // The typed command takes effect after a short time.
        std::thread::sleep(Duration::from_secs(2));
    }
    Err(format!("it does not come to an end: {all}").into())
}
