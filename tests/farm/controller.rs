//! The controller of a real Slurm goes away and comes back: what is asked meanwhile, what is lost, and what to type when it is stuck.

use super::machine::{Farm, frames_in, said, until, with_slurm};
use super::slurm::scene;
use super::support::command::{tintype, wanted};
use super::{files, folder, same};
use libtest_mimic::{Failed, Trial};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

pub fn trials() -> Vec<Trial> {
    vec![with_slurm("slurm_controller_comes_back", controller_comes_back)]
}

/// How often the controller is killed until it has forgotten what it had started.
const MOST_TRIES: u32 = 6;

fn controller_comes_back(scripts: &Path) -> Result<(), Failed> {
    let here = folder();
    let here = here.path();
    fs::write(here.join("scene.toml"), scene("0-179"))?;
    wanted(&tintype(here, &["render", "scene.toml", "-o", "one/####.png"]), 0, "180 frames in")?;
    let reference = files(&here.join("one"));
    let farm = Farm::up(scripts, 1)?;
    restarted(&farm, here, &reference)?;
    for turn in 0..MOST_TRIES {
        let out = here.join(format!("k{turn}"));
        if killed(&farm, here, &out)? {
            return goes_on_by_what_is_said(&farm, here, &out, &reference);
        }
        farm.tintype(here, &["farm", "cancel", out.to_str().unwrap()]);
        farm.until_idle()?;
    }
    Err("the controller always knew what it had started".into())
}

/// As an administrator restarts it: nothing is lost, and nothing is drawn twice.
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
    wanted(&asked[0], 75, "the queue is not known: squeue")?;
    wanted(&farm.tintype(here, &["farm", "status", "f", "--watch"]), 0, "180 of 180 frames done")?;
    farm.until_idle()?;
    same(&out, reference)?;
    let found = farm.status(here, &out, 0)?;
    assert_eq!(found["tasks"], serde_json::json!({ "COMPLETED": 12 }), "{found}");
    assert_eq!(found["drawn_twice"], serde_json::json!([]), "{found}");
    Ok(())
}

/// Killed in the moment after tasks have begun, of which it has written nothing down; says whether that has stuck.
fn killed(farm: &Farm, here: &Path, out: &Path) -> Result<bool, Failed> {
    let pattern = format!("{}/####.png", out.display());
    let array = farm.submit(here, &["-o", &pattern, "--chunk", "15"])?;
    // The controller writes down what it knows every few seconds: that the tasks may begin, and not yet that they have.
    farm.ask("scontrol", &["hold", &array])?;
    std::thread::sleep(Duration::from_secs(7));
    farm.ask("scontrol", &["release", &array])?;
    until("some frames", || frames_in(out) >= 3)?;
    farm.controller("-KILL", || std::thread::sleep(Duration::from_millis(500)))?;
    let started = Instant::now();
    loop {
        let output = farm.tintype(here, &["farm", "status", out.to_str().unwrap(), "--json"]);
        let found: serde_json::Value = serde_json::from_slice(&output.stdout)?;
        match found["state"].as_str() {
            Some("stuck") if output.status.code() == Some(3) => return Ok(true),
            Some("done") => return Ok(false),
            // It has forgotten the jobs altogether.
            Some("incomplete") => {
                let retry = farm.tintype(here, &["farm", "retry", out.to_str().unwrap()]);
                wanted(&retry, 0, "missing: ")?;
            }
            Some("running" | "waiting" | "unknown") => {}
            _ => return Err(said(&output).into()),
        }
        if started.elapsed() > Duration::from_secs(60) {
            return Err(format!("neither done nor stuck: {found:#}").into());
        }
        std::thread::sleep(Duration::from_millis(500));
    }
}

/// What is said is typed, word for word.
fn goes_on_by_what_is_said(
    farm: &Farm,
    here: &Path,
    out: &Path,
    reference: &BTreeMap<String, Vec<u8>>,
) -> Result<(), Failed> {
    let folder = out.to_str().unwrap();
    // Whoever watches is told, and does not wait for ever.
    let watched = farm.tintype(here, &["farm", "status", folder, "--watch"]);
    wanted(&watched, 3, "takes tasks: n")?;
    wanted(&watched, 3, "drained (Duplicate jobid)")?;
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(60) {
        let output = farm.tintype(here, &["farm", "status", folder, "--json"]);
        let found: serde_json::Value = serde_json::from_slice(&output.stdout)?;
        if found["state"] != "stuck" {
            break;
        }
        for advice in found["advice"].as_array().ok_or("no advice")? {
            let remedy = advice["remedy"].as_str().ok_or("no remedy")?;
            let line = remedy.rsplit("types: ").next().unwrap_or_default();
            assert!(line.starts_with("scontrol "), "{advice}");
            let mut shell = Command::new("sh");
            shell.args(["-c", line]);
            let output = farm.with(shell).output()?;
            assert!(output.status.success(), "{line}: {}", said(&output));
        }
        std::thread::sleep(Duration::from_secs(2));
    }
    wanted(&farm.tintype(here, &["farm", "status", folder, "--watch"]), 0, "180 of 180")?;
    farm.until_idle()?;
    same(out, reference)
}
