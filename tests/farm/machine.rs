//! A real Slurm of three nodes on this machine, brought up by the scripts in `TINTYPE_FARM`, and
//! what can be done to it.
//!
//! Each test has a separate Slurm, so that a power cut in one does not affect another; they mostly
//! wait, and run in parallel. Requires root, and Slurm's packages.

use super::files;
use crate::support::command::{command, wanted};
use crate::support::{cannot_run, outside, program};
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A trial that needs Slurm.
pub(crate) fn with_slurm(name: &str, run: fn(&Path) -> Result<(), Failed>) -> Trial {
    let Some(scripts) = std::env::var_os("TINTYPE_FARM").map(PathBuf::from) else {
        return outside(cannot_run(name, "TINTYPE_FARM is not set"));
    };
    if program("slurmctld").is_none() || program("sbatch").is_none() {
        return outside(cannot_run(name, "no Slurm is installed"));
    }
    outside(Trial::test(name, move || run(&scripts)))
}

/// A Slurm of three nodes; it ends with this value.
pub(crate) struct Farm {
    scripts: PathBuf,
    folder: TempDir,
}

impl Farm {
    /// Each node takes as many tasks as it has processors, and claims them whatever the machine
    /// has.
    pub(crate) fn up(scripts: &Path, processors: u32) -> Result<Self, Failed> {
        let farm = Self { scripts: scripts.to_owned(), folder: TempDir::new()? };
        let mut said_last = String::new();
        for _ in 0..8 {
            let port = free_ports()?;
            let output = farm
                .script("slurm-up.sh")
                .env("BASEPORT", port.to_string())
                .env("CPUS", processors.to_string())
                // A site without an exit code that requeues: nothing may depend on it. Silent nodes
                // soon count as lost.
                .env("REQUEUE_EXIT", "")
                .env("TIMEOUT", "5")
                .output()?;
            if output.status.success() {
                return Ok(farm);
            }
            said_last = said(&output);
            // Another process took the ports first.
            if output.status.code() != Some(4) {
                break;
            }
        }
        Err(format!("slurm-up.sh: {said_last}").into())
    }

    fn script(&self, name: &str) -> Command {
        let mut command = Command::new(self.scripts.join(name));
        command.env("FARM_DIR", self.folder.path().join("slurm")).stdin(Stdio::null());
        command
    }

    pub(crate) fn node(&self, action: &str, node: &str) -> Result<(), Failed> {
        // A started node stays: it must not hold our pipes.
        let mut script = self.script("slurm-node.sh");
        let status =
            script.args([action, node]).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
        if status.success() { Ok(()) } else { Err(format!("{action} {node}").into()) }
    }

    /// Runs a line of shell where a node sees its disks.
    pub(crate) fn on_node(&self, node: &str, line: &str) -> Result<(), Failed> {
        let pids = fs::read_to_string(self.folder.path().join("slurm/pids"))?;
        let role = format!("node:{node}");
        let first = pids.lines().rev().find_map(|line| {
            let (process, found) = line.split_once(' ')?;
            (found == role).then(|| process.to_owned())
        });
        let first = first.ok_or("no such node")?;
        // This is `unshare`; its child is in the node.
        let children = fs::read_to_string(format!("/proc/{first}/task/{first}/children"))?;
        let child = children.split_whitespace().next().ok_or("the node does not run")?.to_owned();
        let output = Command::new("nsenter")
            .args(["--target", &child, "--mount", "sh", "-euc", line])
            .output()?;
        let failed = || format!("{node}: {line}: {}", said(&output)).into();
        if output.status.success() { Ok(()) } else { Err(failed()) }
    }

    /// The controller ends by a signal, and starts again.
    pub(crate) fn controller(&self, signal: &str, while_away: impl FnOnce()) -> Result<(), Failed> {
        let run = self.folder.path().join("slurm/run/slurmctld.pid");
        let process = fs::read_to_string(&run)?.trim().to_owned();
        Command::new("kill").args([signal, &process]).status()?;
        until("the controller is gone", || !is_alive(&process))?;
        while_away();
        let mut start = Command::new("slurmctld");
        start.args([Path::new("-f"), &self.folder.path().join("slurm/etc/slurm.conf")]);
        start.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.with(start).status()?;
        let now = || fs::read_to_string(&run).unwrap_or_default().trim().to_owned();
        until("the controller is back", || now() != process && is_alive(&now()))?;
        // The script that takes the farm down ends what is listed.
        let list = self.folder.path().join("slurm/pids");
        fs::write(&list, fs::read_to_string(&list)? + &format!("{} slurmctld\n", now()))?;
        Ok(())
    }

    /// A command that asks this Slurm.
    pub(crate) fn with(&self, mut command: Command) -> Command {
        command.env("SLURM_CONF", self.folder.path().join("slurm/etc/slurm.conf"));
        command
    }

    pub(crate) fn tintype(&self, here: &Path, arguments: &[&str]) -> Output {
        self.with(command(here, arguments)).output().unwrap()
    }

    pub(crate) fn ask(&self, program: &str, arguments: &[&str]) -> Result<String, Failed> {
        let mut command = Command::new(program);
        command.args(arguments);
        let output = self.with(command).output()?;
        if !output.status.success() {
            return Err(format!("{program} {arguments:?}: {}", said(&output)).into());
        }
        Ok(String::from_utf8(output.stdout)?)
    }

    /// Waits until no job is left in the queue. A busy machine takes longer: only a queue without
    /// any change for a long time is an error.
    pub(crate) fn until_idle(&self) -> Result<(), Failed> {
        let (mut last, mut changed) = (String::new(), Instant::now());
        loop {
            let left = self.queue()?;
            if left.trim().is_empty() {
                return Ok(());
            }
            if left != last {
                (last, changed) = (left, Instant::now());
            } else if changed.elapsed() > Duration::from_secs(240) {
                return Err(format!("still in the queue, and nothing changes:\n{left}").into());
            }
            std::thread::sleep(Duration::from_millis(300));
        }
    }

    /// A line for each task that waits or runs.
    pub(crate) fn queue(&self) -> Result<String, Failed> {
        self.ask("squeue", &["-h", "-r", "-o", "%i %T %N %r %k"])
    }

    /// Runs `farm status --json`, which must end with this code.
    pub(crate) fn status(
        &self,
        here: &Path,
        out: &Path,
        code: i32,
    ) -> Result<serde_json::Value, Failed> {
        let output = self.tintype(here, &["farm", "status", out.to_str().unwrap(), "--json"]);
        if output.status.code() != Some(code) {
            return Err(format!("{:?}, not {code}: {}", output.status, said(&output)).into());
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    /// The file where the controller saves the state of jobs every few seconds.
    pub(crate) fn job_state(&self) -> PathBuf {
        self.folder.path().join("slurm/state/job_state")
    }

    /// Submits the scene of a folder, and returns the number of the array, which is held; the
    /// preflight check is not.
    pub(crate) fn submit_held(&self, here: &Path, options: &[&str]) -> Result<String, Failed> {
        let array = self.submit(here, &[options, &["--sbatch=--hold"]].concat())?;
        let number: u64 = array.parse()?;
        let others = format!("{},{}", number - 1, number + 1);
        self.ask("scontrol", &["release", &others])?;
        Ok(array)
    }

    /// Submits the scene of a folder, and returns the number of the array.
    pub(crate) fn submit(&self, here: &Path, options: &[&str]) -> Result<String, Failed> {
        let words = [&["farm", "submit", "scene.toml"], options].concat();
        let output = self.tintype(here, &words);
        wanted(&output, 0, "(preflight)")?;
        let text = String::from_utf8(output.stderr)?;
        let array = text.split("(preflight), job ").nth(1).and_then(|rest| rest.split(' ').next());
        Ok(array.ok_or("no number of a job")?.to_owned())
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

fn is_alive(process: &str) -> bool {
    !process.is_empty() && Path::new("/proc").join(process).exists()
}

/// The first of the ports for a Slurm, which must be free; other farms may run on this machine.
fn free_ports() -> Result<u32, Failed> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    for _ in 0..200 {
        let turn = NEXT.fetch_add(1, Ordering::Relaxed);
        let base = 17_000 + (std::process::id() % 50 * 3 + turn) % 100 * 150;
        let mut ports = [base, base + 101, base + 102, base + 103].into_iter();
        let is_free = |port: u32| TcpListener::bind(format!("127.0.0.1:{port}").as_str()).is_ok();
        if ports.all(is_free) {
            return Ok(base);
        }
    }
    Err("no free ports for a Slurm".into())
}

pub(crate) fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

pub(crate) fn until(what: &str, is_true: impl Fn() -> bool) -> Result<(), Failed> {
    let started = Instant::now();
    while !is_true() {
        if started.elapsed() > Duration::from_secs(300) {
            return Err(format!("it never came to that: {what}").into());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

pub(crate) fn frames_in(folder: &Path) -> usize {
    let shown = |name: &&String| name.ends_with(".png") && !name.starts_with('.');
    if folder.is_dir() { files(folder).keys().filter(shown).count() } else { 0 }
}

/// Everything in the logs of a sequence.
pub(crate) fn logs(out: &Path) -> String {
    let logs = files(&out.join(".tintype/log")).into_values();
    logs.map(|text| String::from_utf8_lossy(&text).into_owned()).collect()
}

/// A process that renders on a node.
pub(crate) fn renderer_on(node: &str, output: &Path) -> Option<i32> {
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
