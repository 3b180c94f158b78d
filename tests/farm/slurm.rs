//! A real Slurm of three nodes on this machine, brought up by the scripts in `TINTYPE_FARM`, and all that goes wrong on a farm.
//!
//! One trial, because the engine is started once: it takes most of the time. It needs root, and Slurm's packages.

use super::support::command::{command, tintype, wanted};
use super::support::{cannot_run, program};
use super::{SCENE, files, folder, same};
use libtest_mimic::{Failed, Trial};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub fn trials() -> Vec<Trial> {
    let name = "slurm_farm_loses_no_frame_whatever_happens";
    let Some(scripts) = std::env::var_os("TINTYPE_FARM").map(PathBuf::from) else {
        return vec![cannot_run(name, "TINTYPE_FARM is not set")];
    };
    if program("slurmctld").is_none() || program("sbatch").is_none() {
        return vec![cannot_run(name, "no Slurm is installed")];
    }
    vec![Trial::test(name, move || all_that_goes_wrong(&scripts))]
}

/// Frames that take a while, so that things can happen between them.
fn scene(frames: &str) -> String {
    SCENE.replace("size = [48, 36]", "size = [1200, 900]\nsamples = 16").replace("0-11", frames)
}

/// A Slurm of three nodes; it ends with this value.
struct Farm {
    scripts: PathBuf,
    folder: TempDir,
}

impl Farm {
    fn up(scripts: &Path) -> Result<Self, Failed> {
        let farm = Self { scripts: scripts.to_owned(), folder: TempDir::new()? };
        let port = 17_000 + std::process::id() % 100 * 150;
        let output = farm.script("slurm-up.sh").env("BASEPORT", port.to_string()).output()?;
        if !output.status.success() {
            return Err(format!("slurm-up.sh: {}", said(&output)).into());
        }
        Ok(farm)
    }

    fn script(&self, name: &str) -> Command {
        let mut command = Command::new(self.scripts.join(name));
        command.env("FARM_DIR", self.folder.path().join("slurm"));
        command
    }

    fn node(&self, action: &str, node: &str) -> Result<(), Failed> {
        // A node that is started stays: it must not hold our pipes.
        let status = self
            .script("slurm-node.sh")
            .args([action, node])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        if status.success() { Ok(()) } else { Err(format!("{action} {node}").into()) }
    }

    /// A command that asks this Slurm.
    fn with(&self, mut command: Command) -> Command {
        command.env("SLURM_CONF", self.folder.path().join("slurm/etc/slurm.conf"));
        command
    }

    fn tintype(&self, here: &Path, arguments: &[&str]) -> Output {
        self.with(command(here, arguments)).output().unwrap()
    }

    fn ask(&self, program: &str, arguments: &[&str]) -> Result<String, Failed> {
        let mut command = Command::new(program);
        command.args(arguments);
        let output = self.with(command).output()?;
        if !output.status.success() {
            return Err(format!("{program} {arguments:?}: {}", said(&output)).into());
        }
        Ok(String::from_utf8(output.stdout)?)
    }

    /// Waits until no job is left in the queue.
    fn until_idle(&self) -> Result<(), Failed> {
        let started = Instant::now();
        loop {
            let left = self.ask("squeue", &["-h", "-o", "%i %T %r"])?;
            if left.trim().is_empty() {
                return Ok(());
            }
            if started.elapsed() > Duration::from_secs(240) {
                return Err(format!("still in the queue:\n{left}").into());
            }
            std::thread::sleep(Duration::from_millis(300));
        }
    }
}

impl Drop for Farm {
    fn drop(&mut self) {
        let down = self.script("slurm-down.sh").arg("-p").output();
        if !down.is_ok_and(|output| output.status.success()) {
            #[expect(clippy::print_stderr, reason = "daemons that stay must be told of")]
            {
                eprintln!("slurm-down.sh did not end well");
            }
        }
    }
}

/// A small disk, unmounted with this value.
struct Disk(TempDir);

impl Disk {
    fn mounted(size: &str) -> Result<Self, Failed> {
        let disk = Self(TempDir::new()?);
        let options = format!("size={size}");
        let status = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "tmpfs"])
            .arg(disk.0.path())
            .status()?;
        if status.success() { Ok(disk) } else { Err("no right to mount a disk".into()) }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

fn until(what: &str, is_true: impl Fn() -> bool) -> Result<(), Failed> {
    let started = Instant::now();
    while !is_true() {
        if started.elapsed() > Duration::from_secs(90) {
            return Err(format!("it never came to that: {what}").into());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

fn frames_in(folder: &Path) -> usize {
    let shown = |name: &&String| name.ends_with(".png") && !name.starts_with('.');
    if folder.is_dir() { files(folder).keys().filter(shown).count() } else { 0 }
}

/// A process that renders on a node.
fn renderer_on(node: &str, output: &Path) -> Option<i32> {
    let processes = fs::read_dir("/proc").ok()?;
    processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok()).find(
        |process| {
            let text = |file: &str| fs::read(format!("/proc/{process}/{file}")).unwrap_or_default();
            let (line, environment) = (text("cmdline"), text("environ"));
            let line = String::from_utf8_lossy(&line).into_owned();
            line.split('\0').nth(1) == Some("render")
                && line.contains(&*output.to_string_lossy())
                && String::from_utf8_lossy(&environment)
                    .contains(&format!("SLURMD_NODENAME={node}\0"))
        },
    )
}

fn status_of(farm: &Farm, here: &Path, out: &Path) -> Result<serde_json::Value, Failed> {
    let output = farm.tintype(here, &["farm", "status", out.to_str().unwrap(), "--json"]);
    wanted(&output, 0, "")?;
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn all_that_goes_wrong(scripts: &Path) -> Result<(), Failed> {
    let here = folder();
    let here = here.path();
    fs::write(here.join("scene.toml"), scene("0-239"))?;
    fs::write(here.join("old.toml"), scene("0-239").replace("to = 360", "to = 90"))?;
    // Mounted before the nodes start, which see the disks of that moment.
    let disk = Disk::mounted("96m")?;
    let out = disk.0.path().join("f");
    let pattern = format!("{}/####.png", out.display());
    let farm = Farm::up(scripts)?;

    bad_input(&farm, here)?;
    let reference = by_one_process(here)?;
    failure_run(&farm, here, &out, &pattern, &reference)?;
    cancelled_and_resumed(&farm, here)
}

/// The frames that one process draws.
fn by_one_process(here: &Path) -> Result<BTreeMap<String, Vec<u8>>, Failed> {
    wanted(&tintype(here, &["render", "scene.toml", "-o", "one/####.png"]), 0, "240 frames in")?;
    Ok(files(&here.join("one")))
}

fn bad_input(farm: &Farm, here: &Path) -> Result<(), Failed> {
    let submit = |more: &[&str]| {
        farm.tintype(
            here,
            &[&["farm", "submit", "scene.toml", "-o", "bad/####.png"], more].concat(),
        )
    };
    wanted(&submit(&["--partition", "rendr"]), 2, "did you mean \"render\"?")?;
    wanted(&submit(&["--sbatch=--nonsense"]), 2, "sbatch")?;
    wanted(&farm.tintype(here, &["farm", "submit", "nowhere.toml"]), 2, "nowhere.toml")?;
    wanted(&farm.tintype(here, &["farm", "status", "bad"]), 2, "nothing was submitted from here")?;
    let dry = submit(&["--dry-run", "--chunk", "7"]);
    wanted(&dry, 0, "nothing is submitted")?;
    let script = String::from_utf8(dry.stdout)?;
    assert!(
        script.contains("#SBATCH --array=0-34\n") && script.contains("--shard slurm/35"),
        "{script}"
    );
    assert!(!here.join("bad").exists() || frames_in(&here.join("bad")) == 0);
    // Elsewhere there is no Slurm.
    let mut alone = command(here, &["farm", "submit", "scene.toml"]);
    wanted(&alone.env("PATH", "/nowhere").output()?, 2, "not of a Slurm cluster")?;

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
    wanted(&farm.with(private).output()?, 0, "looks at a node")?;
    farm.until_idle()?;
    let states = farm.ask("squeue", &["-h", "-t", "all", "-o", "%j %T"])?;
    assert!(states.contains("tintype-scene-check FAILED"), "{states}");
    assert!(states.contains("tintype-scene CANCELLED"), "{states}");
    assert_eq!(frames_in(&hidden), 0);
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
    until("a running task", || {
        let running = farm.ask("squeue", &["-h", "-r", "-t", "R", "-j", &array, "-o", "%i"]);
        let one = running.ok().and_then(|text| text.lines().next().map(str::to_owned));
        // It answers with an error where another task of the array is not there any more, and sends all the same.
        one.inspect(|task| drop(farm.ask("scancel", &["--signal=USR1", "--batch", task]))).is_some()
    })?;
    std::thread::sleep(Duration::from_secs(2));
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
    let old_frame =
        ["render", "old.toml", "-o", pattern, "--overwrite", "-f", &replaced.to_string()];
    wanted(&tintype(here, &old_frame), 0, "1 frame in")?;
    // 6. A task is submitted twice.
    let twice = script.to_str().unwrap();
    farm.ask("sbatch", &["--parsable", "--array=20", twice])?;
    farm.node("start", "n2")?;
    farm.until_idle()?;

    // What happened is told; what is missing is submitted again, and nothing else.
    let found = status_of(farm, here, out)?;
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
    wanted(&tintype(here, &["verify", "scene.toml", "-o", pattern]), 0, "240 frames in order")?;
    wanted(&farm.tintype(here, &["farm", "retry", folder]), 0, "nothing to retry")?;
    let found = status_of(farm, here, out)?;
    assert_eq!((&found["done"], found["missing"].is_null()), (&240.into(), true), "{found}");
    assert!(found["failed_attempts"].as_array().is_some_and(|all| !all.is_empty()), "{found}");
    assert_eq!(found["nodes"].as_object().map(serde_json::Map::len), Some(3), "{found}");
    let page = fs::read_to_string(out.join(".tintype/farm/report.html"))?;
    assert!(page.contains("240 of 240 frames") && page.contains("<svg") && page.contains("n3"));
    assert!(page.contains("../../0000.png") && page.contains("What went wrong"));
    Ok(())
}

fn cancelled_and_resumed(farm: &Farm, here: &Path) -> Result<(), Failed> {
    fs::write(here.join("scene.toml"), scene("0-239"))?;
    let out = here.join("c");
    let submit = ["farm", "submit", "scene.toml", "-o", "c/####.png", "--chunk", "80"];
    wanted(&farm.tintype(here, &submit), 0, "240 frames in 3 tasks")?;
    until("some frames", || frames_in(&out) >= 3)?;
    wanted(&farm.tintype(here, &["farm", "cancel", "c"]), 0, "cancelled")?;
    farm.until_idle()?;
    let left = files(&out);
    assert!(
        left.len() < 240 && left.keys().all(|name| !name.starts_with('.')),
        "{:?}",
        left.keys()
    );
    wanted(&farm.tintype(here, &["farm", "status", "c"]), 0, "cancelled")?;
    wanted(&farm.tintype(here, &["farm", "retry", "c"]), 0, "missing: ")?;
    farm.until_idle()?;
    wanted(&tintype(here, &["render", "scene.toml", "-o", "d/####.png"]), 0, "240 frames in")?;
    same(&out, &files(&here.join("d")))
}
