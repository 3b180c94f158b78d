//! The script of a task, run beside programs that answer as Slurm's do.

use super::folder;
use super::status::Stub;
use crate::support::command::wanted;
use crate::support::trial;
use libtest_mimic::Failed;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Replaces a program by a line of shell.
fn replace(stub: &Stub, name: &str, line: &str) -> Result<(), Failed> {
    Ok(fs::write(stub.path().join("bin").join(name), format!("#!/bin/sh\n{line}\n"))?)
}

/// Runs task 0 of an array as node n2 does.
fn task(stub: &Stub, script: &Path) -> Result<Output, Failed> {
    let mut task = Command::new("bash");
    task.arg(script).current_dir(stub.path());
    for (name, value) in [
        ("SLURM_JOB_ID", "7"),
        ("SLURM_ARRAY_JOB_ID", "7"),
        ("SLURM_ARRAY_TASK_ID", "0"),
        ("SLURMD_NODENAME", "n2"),
    ] {
        task.env(name, value);
    }
    Ok(stub.with(task).output()?)
}

/// One of three nodes lacks a model, and the others temporarily had no space, so that one task each
/// was sent away from them: they are still available to the task.
#[trial]
fn task_on_a_node_that_lacks_a_file_goes_to_one_that_had_trouble() -> Result<(), Failed> {
    let stub = Stub::within(folder())?;
    wanted(&stub.farm(&["submit", "scene.toml", "-o", "f/####.png"]), 0, "job 102 (render)")?;
    let scripts = fs::read_dir(stub.path().join("f/.tintype/farm"))?;
    let scripts: Vec<PathBuf> = scripts.map(|entry| entry.unwrap().path()).collect();
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let script = scripts
        .iter()
        .find(|path| name(path).ends_with(".sbatch") && name(path).matches('.').count() == 1);
    let script = script.ok_or("no script of the array")?;
    fs::remove_file(stub.path().join("box.md5mesh"))?;
    replace(
        &stub,
        "squeue",
        r#"case "$*" in
*%T*) echo RUNNING ;;
*%x*) case "$*" in *"-j 7_0 "*) ;; *) printf 'n1\nn3\n' ;; esac ;;
*%k*) cat "$STUB/comments" ;;
esac"#,
    )?;
    replace(&stub, "sinfo", r"printf 'n1\nn2\nn3\n'")?;
    replace(
        &stub,
        "scontrol",
        r#"[ "$1" = show ] && echo "$3" | tr , '\n' || echo "$*" >>"$STUB/said""#,
    )?;
    let trouble =
        "node n1: temporary trouble: No space left\nnode n3: temporary trouble: No space left\n";
    fs::write(stub.path().join("comments"), trouble)?;
    task(&stub, script)?;
    let said = fs::read_to_string(stub.path().join("said"))?;
    assert!(said.contains("requeue 7_0"), "{said}");
    assert!(said.contains("JobId=7 ExcNodeList=n2\n"), "{said}");
    assert!(said.contains("Comment=node n2 is left out: box.md5mesh: no such file"), "{said}");

    // If the others lack it too, no node is left.
    fs::remove_file(stub.path().join("said"))?;
    let lacking = "node n1 is left out: no program\nnode n3 is left out: no program\n";
    fs::write(stub.path().join("comments"), lacking)?;
    let last = task(&stub, script)?;
    let said = fs::read_to_string(stub.path().join("said"))?;
    assert!(!said.contains("requeue") && last.status.code() == Some(2), "{said}");
    let log = fs::read_to_string(stub.path().join("f/.tintype/log/7_0.log"))?;
    assert!(log.contains("no other node is left for this task"), "{log}");
    Ok(())
}
