//! All farm failures at once, on a real Slurm: no frame is lost, and the events are reported.

use super::machine::{Farm, frames_in, renderer_on, until, with_slurm};
use super::{SCENE, files, folder, same};
use crate::support::command::{BOX, command, tintype, wanted};
use crate::support::disk::Disk;
use crate::support::trial;
use libtest_mimic::Failed;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Frames that take a while, so that events can happen between them, and use little of a small
/// disk: a uniform background.
pub(crate) fn scene(frames: &str) -> String {
    SCENE
        .replace("size = [48, 36]", "size = [1200, 900]\nsamples = 16\nlook = \"classic\"")
        .replace("0-11", frames)
}

#[trial(with_slurm)]
fn slurm_farm_loses_no_frame_whatever_happens(scripts: &Path) -> Result<(), Failed> {
    let here = folder();
    let here = here.path();
    fs::write(here.join("scene.toml"), scene("0-239"))?;
    fs::write(here.join("old.toml"), scene("0-239").replace("to = 360", "to = 90"))?;
    // Mounted before the nodes start, which see only the disks that exist then.
    let disk = Disk::mounted("size=96m")?;
    let out = disk.path().join("f");
    let pattern = format!("{}/####.png", out.display());
    let farm = Farm::up(scripts, 1)?;
    let reference = by_one_process(here)?;
    failure_run(&farm, here, &out, &pattern, &reference)
}

/// The frames that one process draws.
fn by_one_process(here: &Path) -> Result<BTreeMap<String, Vec<u8>>, Failed> {
    wanted(&tintype(here, &["render", "scene.toml", "-o", "one/####.png"]), 0, "240 frames in")?;
    Ok(files(&here.join("one")))
}

#[trial(with_slurm)]
fn slurm_is_told_of_bad_input_before_anything_begins(scripts: &Path) -> Result<(), Failed> {
    let here = folder();
    let here = here.path();
    fs::write(here.join("scene.toml"), scene("0-239"))?;
    let farm = Farm::up(scripts, 2)?;
    let submit = |more: &[&str]| {
        farm.tintype(
            here,
            &[&["farm", "submit", "scene.toml", "-o", "bad/####.png"], more].concat(),
        )
    };
    wanted(&submit(&["--partition", "rendr"]), 2, "did you mean \"render\"?")?;
    wanted(&submit(&["--sbatch=--nonsense"]), 2, "sbatch")?;
    wanted(&farm.tintype(here, &["farm", "submit", "nowhere.toml"]), 2, "nowhere.toml")?;
    wanted(&farm.tintype(here, &["farm", "status", "bad"]), 2, "no submission")?;
    let dry = submit(&["--dry-run", "--chunk", "7"]);
    wanted(&dry, 0, "nothing submitted")?;
    let script = String::from_utf8(dry.stdout)?;
    assert!(
        script.contains("#SBATCH --array=0-34\n") && script.contains("--shard slurm/35"),
        "{script}"
    );
    assert!(!here.join("bad").exists() || frames_in(&here.join("bad")) == 0);
    // More tasks than this cluster accepts in an array, and a disk that accepts no files.
    fs::write(here.join("long.toml"), scene("0-99999"))?;
    let long = ["farm", "submit", "long.toml", "-o", "bad/######.png", "--chunk", "1"];
    wanted(&farm.tintype(here, &long), 2, "(MaxArraySize); use --chunk 10 or more")?;
    let disk = Disk::mounted("size=1m,ro")?;
    let pattern = format!("{}/f/####.png", disk.path().display());
    let read_only = ["farm", "submit", "scene.toml", "-o", &pattern];
    wanted(&farm.tintype(here, &read_only), 2, "Read-only file system")?;
    let queue = farm.ask("squeue", &["-h", "-t", "all", "-o", "%j %T"])?;
    assert_eq!(queue, "", "nothing was submitted");
    // Slurm is not available elsewhere.
    let mut alone = command(here, &["farm", "submit", "scene.toml"]);
    wanted(&alone.env("PATH", "/nowhere").output()?, 2, "not part of a Slurm cluster")?;

    // An output folder that nodes do not see: found before any frame is begun.
    let hidden = here.join("hidden");
    fs::create_dir(&hidden)?;
    let line = format!(
        "mount -t tmpfs tmpfs {0} && exec {1} farm submit scene.toml -o {0}/####.png --chunk 20 -v",
        hidden.display(),
        env!("CARGO_BIN_EXE_tintype")
    );
    let mut private = Command::new("unshare");
    private.args(["--mount", "sh", "-c", &line]).current_dir(here);
    wanted(&farm.with(private).output()?, 0, "(preflight)")?;
    // And an asset that is changed before a node looks.
    farm.ask("scontrol", &["update", "nodename=n[1-3]", "state=drain", "reason=later"])?;
    farm.submit(here, &["-o", "changed/####.png", "--chunk", "20"])?;
    fs::write(here.join("box.md5mesh"), BOX.to_owned() + "\n")?;
    farm.ask("scontrol", &["update", "nodename=n[1-3]", "state=resume"])?;
    farm.until_idle()?;
    let states = farm.ask("squeue", &["-h", "-t", "all", "-o", "%j %T %k"])?;
    let seen = "/hidden/.tintype/log is not here: all nodes must see the output folder";
    let after_checks: Vec<&str> =
        states.lines().filter(|line| line.starts_with("tintype-scene-check FAILED")).collect();
    assert!(after_checks.len() == 2 && states.contains(seen), "{states}");
    assert!(!states.contains("COMPLETED"), "{states}");
    assert_eq!(frames_in(&hidden) + frames_in(&here.join("changed")), 0);
    // Any of the nodes may look first.
    let status = farm.tintype(here, &["farm", "status", "changed"]);
    wanted(&status, 3, "the preflight check, failed: node n")?;
    let told =
        "\"box.md5mesh\" is not the file that was submitted: if you changed it, submit again";
    wanted(&status, 3, told)?;
    Ok(())
}

fn failure_run(
    farm: &Farm,
    here: &Path,
    out: &Path,
    pattern: &str,
    reference: &BTreeMap<String, Vec<u8>>,
) -> Result<(), Failed> {
    let folder = out.to_str().unwrap();
    let submit = ["farm", "submit", "scene.toml", "-o", pattern, "--chunk", "10"];
    wanted(&farm.tintype(here, &submit), 0, "240 frames in 24 tasks")?;
    let ticket = files(&out.join(".tintype/farm"));
    let (_, ticket) = ticket.iter().find(|(name, _)| name.ends_with(".json")).unwrap();
    let ticket: serde_json::Value = serde_json::from_slice(ticket)?;
    let array = ticket["jobs"][1].as_str().unwrap().to_owned();
    let script = out.join(format!(".tintype/farm/{}.sbatch", ticket["id"].as_str().unwrap()));
    until("some frames", || frames_in(out) >= 12 && renderer_on("n2", out).is_some())?;

    // 1. A power cut of a node in the middle of a frame, and a task that is killed.
    farm.node("kill", "n2")?;
    until("a task on n1", || renderer_on("n1", out).is_some())?;
    if let Some(process) = renderer_on("n1", out) {
        Command::new("kill").args(["-KILL", &process.to_string()]).status()?;
    }
    // 2. The disk is full for a while; what comes next comes on top.
    let filler = out.parent().unwrap().join("filler");
    assert!(fs::write(&filler, vec![0_u8; 128 << 20]).is_err(), "the disk is full");
    assert!(frames_in(out) < 200, "there is something left to fail");
    // 3. Work that is more urgent takes a node.
    farm.ask("sbatch", &["--parsable", "-p", "urgent", "-o", "/dev/null", "--wrap", "sleep 1"])?;
    // 4. The time limit of a task is near.
    until("a task on n3", || renderer_on("n3", out).is_some())?;
    if let Some(process) = renderer_on("n3", out) {
        // To the shell around it, as Slurm does; asking Slurm takes a minute and a half while a
        // node is dead.
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let shell = status.lines().find_map(|line| line.strip_prefix("PPid:"));
        Command::new("kill").args(["-USR1", shell.unwrap_or_default().trim()]).status()?;
    }
    // Longer than a frame is tried again.
    std::thread::sleep(Duration::from_secs(5));
    fs::remove_file(&filler)?;
    // 5. Of a task that is done, a frame is cut short, and another is replaced by an older one.
    let done = || {
        let done = farm.ask("squeue", &["-h", "-r", "-t", "CD", "-j", &array, "-o", "%K"]);
        done.ok().and_then(|text| text.lines().last()?.trim().parse::<i64>().ok())
    };
    until("a task that is done", || done().is_some())?;
    let first = done().unwrap() * 10;
    let (cut, replaced) = (first + 1, first + 3);
    let file = |number: i64| out.join(format!("{number:04}.png"));
    fs::File::options().write(true).open(file(cut))?.set_len(100)?;
    let old_frame = ["render", "old.toml", "-o", "old/####.png", "-f", &replaced.to_string()];
    wanted(&tintype(here, &old_frame), 0, "1 frame in")?;
    fs::copy(here.join(format!("old/{replaced:04}.png")), file(replaced))?;
    // 6. A task is submitted twice.
    let twice = script.to_str().unwrap();
    farm.ask("sbatch", &["--parsable", "--array=20", twice])?;
    farm.node("start", "n2")?;
    farm.until_idle()?;

    // The events are reported; exactly the missing frames are submitted again.
    let found = farm.status(here, out, 3)?;
    assert_eq!(found["frames"], 240, "{found}");
    assert_eq!(found["missing"], format!("{cut},{replaced}"), "{found}");
    wanted(&farm.tintype(here, &["farm", "logs", folder]), 0, "")?;
    wanted(&farm.tintype(here, &["farm", "retry", folder]), 0, "missing: ")?;
    wanted(
        &farm.tintype(here, &["farm", "status", folder, "--watch"]),
        0,
        "240 of 240 frames done",
    )?;
    farm.until_idle()?;
    same(out, reference)?;
    wanted(&tintype(here, &["verify", "scene.toml", "-o", pattern]), 0, "240 frames up to date")?;
    wanted(&farm.tintype(here, &["farm", "retry", folder]), 0, "nothing to retry")?;
    let found = farm.status(here, out, 0)?;
    assert_eq!((&found["done"], found["missing"].is_null()), (&240.into(), true), "{found}");
    assert!(found["failed_attempts"].as_array().is_some_and(|all| !all.is_empty()), "{found}");
    assert_eq!(found["nodes"].as_object().map(serde_json::Map::len), Some(3), "{found}");
    let page = fs::read_to_string(out.join(".tintype/farm/report.html"))?;
    assert!(page.contains("240 of 240 frames") && page.contains("<svg") && page.contains("n3"));
    assert!(page.contains("../../0000.png"));
    Ok(())
}

#[trial(with_slurm)]
fn slurm_job_that_is_cancelled_goes_on(scripts: &Path) -> Result<(), Failed> {
    let here = folder();
    let here = here.path();
    fs::write(here.join("scene.toml"), scene("0-119"))?;
    let out = here.join("c");
    let farm = Farm::up(scripts, 1)?;
    farm.submit(here, &["-o", "c/####.png", "--chunk", "40"])?;
    until("some frames", || frames_in(&out) >= 3)?;
    wanted(&farm.tintype(here, &["farm", "cancel", "c"]), 0, "cancelled")?;
    farm.until_idle()?;
    let left = files(&out);
    assert!(
        left.len() < 120 && left.keys().all(|name| !name.starts_with('.')),
        "{:?}",
        left.keys()
    );
    wanted(&farm.tintype(here, &["farm", "status", "c"]), 3, "cancelled")?;
    wanted(&farm.tintype(here, &["farm", "retry", "c"]), 0, "missing: ")?;
    farm.until_idle()?;
    wanted(&tintype(here, &["render", "scene.toml", "-o", "d/####.png"]), 0, "120 frames in")?;
    same(&out, &files(&here.join("d")))
}
