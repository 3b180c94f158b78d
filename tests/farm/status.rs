//! `farm status` and `farm retry` by the disk and by a queue that stub programs print.

use super::machine::said;
use super::{SCENE, folder};
use crate::support::command::{command, tintype, wanted};
use crate::support::disk::Disk;
use crate::support::{only_if, trial};
use libtest_mimic::Failed;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;
use tintype_output::{PngEffort, decode_png, encode_png};
use tintype_scene::FrameList;

/// A folder with a scene, and programs that answer as Slurm's do: jobs get numbers from 101 on, which are written to the file
/// `submitted` with what sbatch was told, and the queue is what [`Stub::queue`] says. Where there is a file `refuse.N`, job N is refused.
pub(crate) struct Stub(TempDir);

impl Stub {
    pub(crate) fn new() -> Result<Self, Failed> {
        Self::within(folder())
    }

    pub(crate) fn within(folder: TempDir) -> Result<Self, Failed> {
        let stub = Self(folder);
        let bin = stub.path().join("bin");
        fs::create_dir(&bin)?;
        let next = "n=$(cat $STUB/jobs 2>/dev/null || echo 100); n=$((n + 1)); [ ! -f $STUB/refuse.$n ] || { echo refused >&2; exit 1; }; echo $n >$STUB/jobs; echo $n $* >>$STUB/submitted; echo $n";
        let queue = "for job; do :; done; [ ! -f $STUB/away ] || { cat $STUB/away >&2; exit 1; }; cat $STUB/queue.$job 2>/dev/null || true";
        for (name, line) in [
            ("sbatch", next),
            ("squeue", queue),
            ("scancel", "echo $* >>$STUB/cancelled"),
            ("sinfo", "cat $STUB/nodes 2>/dev/null || true"),
            ("scontrol", "echo 'MaxArraySize            = 1001'"),
        ] {
            let file = bin.join(name);
            fs::write(&file, format!("#!/bin/sh\n{line}\n"))?;
            Command::new("chmod").arg("+x").arg(&file).status()?;
        }
        Ok(stub)
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn farm(&self, words: &[&str]) -> Output {
        self.with(command(self.path(), &[&["farm"], words].concat())).output().unwrap()
    }

    /// A command that meets these programs.
    pub(crate) fn with(&self, mut command: Command) -> Command {
        let path = format!("{}:/usr/bin:/bin", self.path().join("bin").display());
        command.env("PATH", path).env("STUB", self.path());
        command
    }

    /// Lines of `task|state|node|partition|reason|comment`.
    pub(crate) fn queue(&self, job: u32, lines: &[&str]) -> Result<(), Failed> {
        let text: String = lines.iter().map(|line| format!("{job}|{line}\n")).collect();
        Ok(fs::write(self.path().join(format!("queue.{job}")), text)?)
    }

    fn status(&self, code: i32) -> Result<serde_json::Value, Failed> {
        let output = self.farm(&["status", "f", "--json"]);
        wanted(&output, code, "").map_err(|error| format!("{error:?}: {}", said(&output)))?;
        Ok(serde_json::from_slice(&output.stdout)?)
    }
}

#[trial(only_if(cfg!(unix)))]
fn status_counts_no_frame_without_its_views() -> Result<(), Failed> {
    let stub = Stub::new()?;
    let here = stub.path();
    let views = ["--aov", "depth,joint:root"];
    wanted(
        &stub.farm(&[&["submit", "scene.toml", "-o", "f/####.png"], &views[..]].concat()),
        0,
        "job 102 (render)",
    )?;
    let found = stub.status(3)?;
    assert_eq!((&found["state"], &found["missing"]), (&"incomplete".into(), &"0-11".into()));
    let render = ["render", "scene.toml", "-o", "f/####.png"];
    wanted(&tintype(here, &[&render[..], &views].concat()), 0, "12 frames in")?;
    let found = stub.status(0)?;
    assert_eq!((&found["state"], &found["done"]), (&"done".into(), &12.into()));
    fs::remove_file(here.join("f/0004.depth.png"))?;
    fs::copy(here.join("f/0005.joint-root.png"), here.join("f/0007.joint-root.png"))?;
    let found = stub.status(3)?;
    assert_eq!((&found["missing"], &found["done"]), (&"4,7".into(), &10.into()), "{found}");
    wanted(&stub.farm(&["status", "f"]), 3, "missing: 4,7; submit them with `tintype farm retry")?;
    let retry = stub.farm(&["retry", "f", "--dry-run"]);
    wanted(&retry, 0, "missing: 4,7")?;
    let script = String::from_utf8(retry.stdout)?;
    assert!(script.contains("-f 4,7 ") && script.contains("--aov depth,joint:root"), "{script}");
    Ok(())
}

#[trial(only_if(cfg!(unix)))]
fn status_says_by_its_exit_code_how_a_job_stands() -> Result<(), Failed> {
    let stub = Stub::new()?;
    let here = stub.path();
    let submit = ["submit", "scene.toml", "-o", "f/####.png", "--chunk", "4"];
    wanted(&stub.farm(&submit), 0, "job 102 (render)")?;
    const DOWN: &str = "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions";
    let down = format!("0|PENDING||render|{DOWN}|(null)");
    let all_drained = "n1|drained|Duplicate jobid\nn2|drained*|Duplicate jobid\n";
    let one_drained = "n1|mixed|none\nn2|drained|disk\n";
    let verify = "N/A|PENDING||render|Dependency|(null)";
    let runs = "0|RUNNING|n1|render|None|(null)";
    let held = "1|PENDING||render|launch failed requeued held|(null)";
    let waits = "2|PENDING||render|Priority|(null)";
    let over = "0|FAILED|n1|render|NonZeroExitCode|node n1: no space";
    for (tasks, nodes, state, code, says) in [
        (vec![runs, held], "", "running", 0, "scontrol release 102_1"),
        (vec![waits, held], "", "waiting", 0, "1 task is held (launch failed requeued held)"),
        (vec![held], "", "stuck", 3, "scontrol release 102_1"),
        (vec![&down], all_drained, "stuck", 3, "scontrol update nodename=n1,n2 state=resume"),
        (vec![&down], one_drained, "waiting", 0, "0 of 12 frames done"),
        (vec!["0|PENDING||render|PartitionTimeLimit|(null)"], "", "stuck", 3, "farm cancel"),
        (vec![over], "", "incomplete", 3, "1 task: node n1: no space"),
        (vec![], "", "incomplete", 3, "tintype farm retry"),
    ] {
        stub.queue(102, &tasks)?;
        fs::write(here.join("nodes"), nodes)?;
        let is_live = state != "incomplete";
        let last = [verify];
        stub.queue(103, if is_live { &last[..] } else { &[] })?;
        let found = stub.status(code)?;
        assert_eq!(found["state"], state, "{found:#}");
        wanted(&stub.farm(&["status", "f"]), code, says)?;
        // Who watches waits while there is something to wait for.
        if ["stuck", "incomplete"].contains(&state) {
            wanted(&stub.farm(&["status", "f", "--watch"]), 3, says)?;
        }
    }
    stub.queue(101, &["N/A|FAILED|n2|render|NonZeroExitCode|node n2: imp.png is not found here"])?;
    wanted(
        &stub.farm(&["status", "f"]),
        3,
        "the preflight check, failed: node n2: imp.png is not found",
    )?;

    // Slurm does not answer: that does not mean that the job is over.
    let away = "squeue: error: Unable to contact slurm controller (connect failure)\n";
    fs::write(here.join("away"), away)?;
    let found = stub.status(75)?;
    assert_eq!(found["state"], "unknown", "{found:#}");
    wanted(&stub.farm(&["status", "f"]), 75, "Unable to contact slurm controller")?;
    wanted(&stub.farm(&["retry", "f"]), 75, "Unable to contact slurm controller")?;
    wanted(&stub.farm(&["retry", "f", "--dry-run"]), 0, "the queue cannot be read: squeue")?;
    wanted(&tintype(here, &["render", "scene.toml", "-o", "f/####.png"]), 0, "12 frames in")?;
    assert_eq!(stub.status(0)?["state"], "done");
    // All frames are there, and a task is held for ever.
    fs::remove_file(here.join("away"))?;
    stub.queue(101, &[])?;
    stub.queue(102, &[held])?;
    assert_eq!(stub.status(0)?["state"], "done");
    wanted(
        &stub.farm(&["status", "f", "--watch"]),
        0,
        "all frames are done: remove these tasks from the queue with `tintype farm cancel",
    )
}

/// Nodes that lack something are told until somebody lets tasks go there again.
#[trial(only_if(cfg!(unix)))]
fn status_believes_what_was_mended() -> Result<(), Failed> {
    let stub = Stub::new()?;
    wanted(&stub.farm(&["submit", "scene.toml", "-o", "f/####.png"]), 0, "job 102 (render)")?;
    let task = |excluded: &str| {
        format!("0|PENDING||render|Priority|node n1 is left out: no box.md5mesh|{excluded}")
    };
    let told = "no more tasks go to 1 node (n1): no box.md5mesh";
    for (excluded, is_left_out) in
        [("n1", true), ("n[0-2,7]", true), ("n2", false), ("", false), ("n12,m[1-3]", false)]
    {
        stub.queue(102, &[&task(excluded)])?;
        let found = stub.status(0)?;
        assert_eq!(found["left_out"].get("n1").is_some(), is_left_out, "{excluded}: {found}");
        let text = said(&stub.farm(&["status", "f"]));
        assert_eq!(text.contains(told), is_left_out, "{text}");
        assert_eq!(text.contains("is left out"), is_left_out, "{text}");
    }
    Ok(())
}

#[trial(only_if(cfg!(unix)))]
fn status_and_retry_of_100000_frames() -> Result<(), Failed> {
    const COUNT: i64 = 100_000;
    let stub = Stub::new()?;
    let here = stub.path();
    // In memory, where that is allowed: it is about the program, not about a disk.
    let disk = Disk::mounted("size=1g");
    if let Ok(disk) = &disk {
        crate::support::link(disk.path(), here.join("f"))?;
    }
    let text = SCENE.replace("[48, 36]", "[8, 6]").replace("0-11", "0-99999");
    fs::write(here.join("scene.toml"), text)?;
    let submit = ["submit", "scene.toml", "-o", "f/######.png"];
    wanted(
        &stub.farm(&[&submit[..], &["--chunk", "99"]].concat()),
        2,
        "100000 frames make 1011 tasks of 99, but this cluster allows 1001 in an array (MaxArraySize); use --chunk 100 or more",
    )?;
    wanted(&stub.farm(&submit), 0, "job 102 (render)")?;

    // 1. All but some here and there, made from one that was drawn.
    wanted(&tintype(here, &["render", "scene.toml", "-o", "f/######.png", "-f", "0"]), 0, "")?;
    let is_there = |number: i64| ((number * 2_654_435_761) >> 20) % 4 != 1;
    let first = fs::read(here.join("f/000000.png"))?;
    let (picture, mut text) = decode_png(&first)?;
    // It is written anew.
    text.retain(|(key, _)| key != "tintype:pixels");
    for number in (0..COUNT).filter(|&number| is_there(number)) {
        let mut text = text.clone();
        for (key, value) in &mut text {
            if key == "tintype:frame" {
                *value = number.to_string();
            }
        }
        let png = encode_png(&picture, false, PngEffort::Fast, &text);
        assert!(number != 0 || png == first);
        fs::write(here.join(format!("f/{number:06}.png")), png)?;
    }
    let missing: Vec<i64> = (0..COUNT).filter(|&number| !is_there(number)).collect();
    assert!(missing.len() > 20_000);

    // 2. Each of them is found.
    let found = stub.status(3)?;
    let wanted_list = FrameList::from_rising(missing.iter().copied()).unwrap().to_string();
    assert_eq!(found["done"].as_u64(), Some(COUNT as u64 - missing.len() as u64));
    assert!(wanted_list.len() > 131_072, "{} bytes are no test", wanted_list.len());
    assert_eq!(found["missing"], wanted_list);
    let told = stub.farm(&["status", "f"]);
    wanted(&told, 3, "and more (--json has all)")?;
    assert!(told.stderr.len() < 2000, "{}", told.stderr.len());

    // 3. And submitted again, in words that the system takes.
    let retry = stub.farm(&["retry", "f", "--dry-run"]);
    wanted(&retry, 0, "and more")?;
    let script = String::from_utf8(retry.stdout)?;
    let longest = script.split_whitespace().map(str::len).max().unwrap_or(0);
    assert!(longest < 131_072, "a word of {longest} bytes");
    let list = script.split("scene.toml -f ").nth(1).and_then(|rest| rest.split(' ').next());
    let list = FrameList::parse(list.ok_or("no frames")?)?;
    assert!(missing.iter().all(|number| list.position(*number).is_some()));
    Ok(())
}

#[trial(only_if(cfg!(unix)))]
fn retry_draws_what_a_changed_scene_asks_for() -> Result<(), Failed> {
    let stub = Stub::new()?;
    let here = stub.path();
    wanted(&stub.farm(&["submit", "scene.toml", "-o", "f/####.png"]), 0, "job 102 (render)")?;
    wanted(&tintype(here, &["render", "scene.toml", "-o", "f/####.png"]), 0, "12 frames in")?;
    wanted(&stub.farm(&["retry", "f"]), 0, "nothing to retry")?;
    fs::write(here.join("scene.toml"), SCENE.replace("to = 360", "to = 90"))?;
    let retry = stub.farm(&["retry", "f", "--dry-run"]);
    wanted(&retry, 0, "have changed since the submission")?;
    wanted(&retry, 0, "missing: 0-11")
}
