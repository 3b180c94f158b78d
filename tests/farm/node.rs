//! Nodes that each lack something else, on a real Slurm: they are left out, their tasks go to other
//! nodes, and the messages give the reason.

use super::controller::goes_on_by_what_is_said;
use super::machine::{Farm, frames_in, logs, renderer_on, until, with_slurm};
use super::slurm::scene;
use super::{files, folder, same};
use crate::support::command::{BOX, tintype, wanted};
use crate::support::trial;
use libtest_mimic::Failed;
use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Tasks that a node runs at once.
const SLOTS: u32 = 4;
/// Tasks of each job.
const TASKS: u64 = 12;

/// A node that differs from the others.
struct Lack {
    name: &'static str,
    node: &'static str,
    /// Causes the fault; `$IN` is the folder of the scene, `$OUT` that of the frames, `$BIN` that
    /// of the program.
    line: &'static str,
    /// Text of `farm status`.
    says: &'static str,
}

const LACKS: [Lack; 8] = [
    Lack {
        name: "no-program",
        node: "n2",
        line: "mount -t tmpfs tmpfs $BIN",
        says: "node n2 is left out: $BIN/tintype is not here",
    },
    Lack {
        name: "asset",
        node: "n2",
        line: "mount -t tmpfs tmpfs $IN/assets",
        says: "node n2 is left out: assets/box.md5mesh: no such file",
    },
    Lack {
        name: "scene",
        node: "n2",
        line: "mount -t tmpfs tmpfs $IN",
        says: "node n2 is left out: scene.toml: no such file",
    },
    Lack {
        name: "output",
        node: "n2",
        line: "mount -t tmpfs tmpfs $OUT",
        says: "node n2 is left out: $OUT/.tintype/log is not here: all nodes must see the output folder",
    },
    Lack {
        name: "other-asset",
        node: "n3",
        line: "cp $IN/assets/box.md5mesh $IN/other; echo >>$IN/other; mount --bind $IN/other $IN/assets/box.md5mesh",
        says: "node n3 is left out: \"assets/box.md5mesh\" is not the file that was submitted",
    },
    Lack {
        name: "program",
        node: "n3",
        line: "printf '#!/bin/sh\\necho tintype 0.0.9\\n' >$BIN/old; chmod +x $BIN/old; mount --bind $BIN/old $BIN/tintype",
        says: "node n3 is left out: $BIN/tintype is tintype 0.0.9 here, but the job was submitted by tintype",
    },
    Lack {
        name: "read-only",
        node: "n3",
        line: "mount --bind $OUT $OUT; mount -o remount,ro,bind $OUT",
        says: "node n3 is left out: $OUT/.tintype/log is not here: all nodes must see the output folder",
    },
    // Other files of the folder stay common to all nodes; the disk for frames is local, and too
    // full for a single frame.
    Lack {
        name: "full-disk",
        node: "n3",
        line: "mkdir $IN/kept; mount --bind $OUT/.tintype $IN/kept; mount -t tmpfs -o size=64k tmpfs $OUT; mkdir $OUT/.tintype; mount --bind $IN/kept $OUT/.tintype; cat /dev/zero >$OUT/filler 2>/dev/null || true",
        says: "No space left on device",
    },
];

#[trial(with_slurm)]
fn slurm_node_that_lacks_something_is_left_out(scripts: &Path) -> Result<(), Failed> {
    let here = folder();
    let here = here.path();
    let farm = Farm::up(scripts, SLOTS)?;
    // 1. All jobs are submitted, and looked at on the node that has everything, before the others
    //    join it.
    farm.ask("scontrol", &["update", "nodename=n2,n3", "state=drain", "reason=later"])?;
    let text = scene("0-23").replace("box.md5mesh", "assets/box.md5mesh");
    let set_up = |folder: &Path| -> Result<(), Failed> {
        fs::create_dir_all(folder.join("assets"))?;
        fs::write(folder.join("assets/box.md5mesh"), BOX)?;
        Ok(fs::write(folder.join("scene.toml"), &text)?)
    };
    set_up(here)?;
    wanted(&tintype(here, &["render", "scene.toml", "-o", "one/####.png"]), 0, "24 frames in")?;
    let reference = files(&here.join("one"));
    let program = Path::new(env!("CARGO_BIN_EXE_tintype"));
    let mut arrays = Vec::new();
    for Lack { name, .. } in &LACKS {
        let folder = here.join(name);
        set_up(&folder)?;
        let programs = here.join(format!("bin-{name}"));
        fs::create_dir(&programs)?;
        fs::copy(program, programs.join("tintype"))?;
        let pattern = format!("{}/out-{name}/####.png", here.display());
        let own = programs.join("tintype").display().to_string();
        let options = ["-o", &pattern, "--chunk", "2", "--program", &own];
        let array = farm.submit_held(&folder, &options)?;
        // The last job verifies the frames, which its bad node cannot see.
        let verify = (array.parse::<u64>()? + 1).to_string();
        farm.ask("scontrol", &["update", &format!("JobId={verify}"), "ExcNodeList=n3"])?;
        arrays.push(array);
    }
    until("all looks are done", || {
        let states = farm.ask("squeue", &["-h", "-t", "all", "-o", "%j %T"]).unwrap_or_default();
        states.matches("tintype-scene-check COMPLETED").count() == LACKS.len()
    })?;

    // 2. Something is wrong with the others.
    for Lack { name, node, line, .. } in &LACKS {
        let (from, to) = (here.join(name), here.join(format!("out-{name}")));
        let programs = here.join(format!("bin-{name}"));
        let paths =
            format!("IN={} OUT={} BIN={}; ", from.display(), to.display(), programs.display());
        farm.on_node(node, &(paths + line))?;
    }
    farm.ask("scontrol", &["update", "nodename=n2,n3", "state=resume"])?;
    // One array after the other, so that it has as many tasks as there are slots, and each node
    // gets some.
    for (Lack { name, .. }, array) in LACKS.iter().zip(&arrays) {
        until("all nodes are idle", || {
            let states = farm.ask("sinfo", &["-h", "-N", "-o", "%T"]).unwrap_or_default();
            !states.trim().is_empty() && states.lines().all(|state| state.trim() == "idle")
        })?;
        farm.ask("scontrol", &["release", array])?;
        let out = here.join(format!("out-{name}"));
        until("the tasks have begun", || {
            let running = farm.ask("squeue", &["-h", "-r", "-t", "RUNNING,COMPLETING", "-o", "%i"]);
            frames_in(&out) >= 1 && running.is_ok_and(|running| running.trim().is_empty())
        })?;
    }
    farm.until_idle()?;

    // 3. No frame is lost, no task has failed, few went to the bad node, and the fault is
    //    reported.
    for Lack { name, node, says, .. } in &LACKS {
        let (from, out) = (here.join(name), here.join(format!("out-{name}")));
        let found = farm.status(here, &out, 0);
        let found = found.map_err(|error| format!("{name}: {error:?}\n{}", logs(&out)))?;
        let context = format!("{name}: {found:#}\n{}", logs(&out));
        same(&out, &reference).map_err(|error| format!("{error:?}\n{context}"))?;
        assert_eq!(found["state"], "done", "{context}");
        assert_eq!(found["tasks"], serde_json::json!({ "COMPLETED": TASKS }), "{context}");
        assert_eq!(found["jobs"]["verify"]["state"], "COMPLETED", "{context}");
        let says = says
            .replace("$IN", &from.display().to_string())
            .replace("$OUT", &out.display().to_string())
            .replace("$BIN", &here.join(format!("bin-{name}")).display().to_string());
        // A node that lacks something is always reported; trouble that another attempt repaired is
        // reported with that attempt.
        let comments = found["comments"].as_object().ok_or("no comments")?;
        let told = comments.iter().map(|(comment, count)| (comment.as_str(), count.as_u64()));
        let attempts = found["failed_attempts"].as_array().ok_or("no attempts")?;
        let failed = attempts.iter().filter(|attempt| attempt["is_made_good"] == true);
        let texts: Vec<String> = failed
            .map(|attempt| [&attempt["node"], &attempt["message"]].map(|text| text.as_str()))
            .map(|[node, text]| format!("node {}: {}", node.unwrap_or("?"), text.unwrap_or("?")))
            .collect();
        let of_attempts = texts.iter().map(|text| (text.as_str(), Some(1)));
        let all: Vec<_> = told.chain(of_attempts).collect();
        assert!(all.iter().any(|(text, _)| text.contains(&says)), "{says}\n{context}");
        let of_node = all.iter().filter(|(text, _)| text.starts_with(&format!("node {node}")));
        let there: u64 = of_node.filter_map(|(_, count)| *count).sum();
        // Those that had begun before the first has ended; a full disk cannot be assigned to a
        // node.
        let most = if *name == "full-disk" { TASKS - 1 } else { u64::from(SLOTS) + 1 };
        assert!((1..=most).contains(&there), "{there} tasks went to {node}: {context}");
    }
    Ok(())
}

/// A task that exceeds its time limit ends at a frame boundary, and continues later.
#[trial(with_slurm)]
fn slurm_time_limit_ends_a_task_at_the_edge_of_a_frame(scripts: &Path) -> Result<(), Failed> {
    let here = folder();
    let here = here.path();
    fs::write(here.join("scene.toml"), scene("0-9999"))?;
    let farm = Farm::up(scripts, 1)?;
    // More frames than a minute can draw. Slurm has no shorter limit, and checks every half minute:
    // it sends the signal after 10 to 40 seconds.
    let options = ["-o", "f/####.png", "--chunk", "10000", "--time", "1"];
    let array = farm.submit(here, &options)?;
    let out = here.join("f");
    let drawn = || {
        // One list for each attempt, the frames that it has drawn.
        let records = files(&out.join(".tintype/tasks")).into_values();
        let frames = |text: Vec<u8>| -> Vec<String> {
            let text = String::from_utf8_lossy(&text).into_owned();
            let lines = text.lines().filter_map(|line| line.split("\"frame\":").nth(1));
            lines.filter_map(|rest| Some(rest.split(',').next()?.to_owned())).collect()
        };
        records.map(frames).collect::<Vec<_>>()
    };
    until("another turn draws", || {
        out.is_dir() && drawn().get(1).is_some_and(|frames| frames.len() > 3)
    })?;
    wanted(&farm.tintype(here, &["farm", "cancel", "f"]), 0, "cancelled")?;
    farm.until_idle()?;
    let log = logs(&out);
    assert!(log.contains("the time limit is near: the task is requeued"), "{log}");
    assert!(!log.contains("error"), "{log}");
    let restarts = farm.ask("scontrol", &["show", "job", &format!("{array}_0")])?;
    assert!(restarts.contains("Restarts=1 "), "{restarts}");
    // The second run began where the first ended: no frame is lost, none drawn twice.
    let found = farm.status(here, &out, 3)?;
    assert_eq!(found["drawn_twice"], serde_json::json!([]), "{found}");
    let count = drawn().iter().map(Vec::len).sum::<usize>();
    assert!(found["missing"] == format!("{count}-9999"), "{count} drawn: {}", found["missing"]);
    let frames = format!("0-{}", count - 1);
    let verify = ["verify", "scene.toml", "-o", "f/####.png", "-f", &frames];
    wanted(&tintype(here, &verify), 0, "frames up to date")
}

/// A node that is frozen and thawed, and one whose daemon dies while its task lives: each frame has
/// two writers.
#[trial(with_slurm)]
fn slurm_two_writers_of_a_frame_do_no_harm(scripts: &Path) -> Result<(), Failed> {
    let here = folder();
    let here = here.path();
    fs::write(here.join("scene.toml"), scene("0-119"))?;
    wanted(&tintype(here, &["render", "scene.toml", "-o", "one/####.png"]), 0, "120 frames in")?;
    let farm = Farm::up(scripts, 1)?;
    let out = here.join("f");
    let pattern = format!("{}/####.png", out.display());
    let array = farm.submit(here, &["-o", &pattern, "--chunk", "20"])?;
    // 1. One node is frozen; the daemon of the other dies, and its task hangs for a while, as on
    //    a disk that does not answer. Both tasks are held as soon as they are seen, because shortly
    //    afterwards they might be over.
    let send = |signal: &str, process: i32| {
        let sent = Command::new("kill").args([signal, &process.to_string()]).status();
        sent.is_ok_and(|status| status.success())
    };
    let held = Cell::new(None);
    until("tasks on n2 and n3", || {
        let held_on = |node| renderer_on(node, &out).filter(|&process| send("-STOP", process));
        match (frames_in(&out) >= 6).then(|| (held_on("n2"), held_on("n3"))) {
            Some((Some(lonely), Some(frozen))) => held.set(Some((lonely, frozen))),
            Some((one, other)) => {
                for process in one.into_iter().chain(other) {
                    send("-CONT", process);
                }
            }
            None => {}
        }
        held.get().is_some()
    })?;
    let (lonely, frozen) = held.get().ok_or("no task is held")?;
    farm.node("freeze", "n3")?;
    send("-CONT", frozen);
    farm.node("killd", "n2")?;
    // 2. Slurm takes both for lost, and starts their tasks again.
    until("both tasks were started again", || {
        let records = files(&out.join(".tintype/tasks")).into_values();
        let again =
            records.filter(|text| String::from_utf8_lossy(text).contains("\"restart\":\"1\""));
        again.count() == 2
    })?;
    // 3. They wake.
    send("-CONT", lonely);
    farm.node("thaw", "n3")?;
    // Slurm may hold a task when a waking node reports an attempt that ended long ago; status
    // prints the command to type.
    goes_on_by_what_is_said(&farm, here, &out)?;
    farm.until_idle()?;
    until("the lonely task has ended", || renderer_on("n2", &out).is_none())?;
    std::thread::sleep(Duration::from_millis(200));
    same(&out, &files(&here.join("one")))?;
    let found = farm.status(here, &out, 0)?;
    assert_eq!(found["state"], "done", "{found}");
    let states = farm.ask("squeue", &["-h", "-r", "-t", "all", "-j", &array, "-o", "%T"])?;
    assert!(states.lines().all(|state| state == "COMPLETED"), "{states}");
    wanted(&tintype(here, &["verify", "scene.toml", "-o", &pattern]), 0, "120 frames up to date")
}
