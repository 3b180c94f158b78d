//! Job files, taken by the programs that they are written for.

use super::{SCENE, files, folder, reference, same};
use crate::support::command::{command, tintype, wanted};
use crate::support::{trial, with_program};
use libtest_mimic::Failed;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[trial]
fn openjd_lines_tell_progress_and_failure() -> Result<(), Failed> {
    let here = folder();
    let render = ["render", "scene.toml", "-o", "f/####.png", "--progress", "openjd"];
    let output = tintype(here.path(), &render);
    wanted(&output, 0, "")?;
    let text = String::from_utf8(output.stdout)?;
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.contains(&"openjd_progress: 100.0"), "{text}");
    assert!(lines.iter().any(|line| line.starts_with("openjd_status: 12/12 frames")), "{text}");
    assert!(lines.iter().all(|line| line.starts_with("openjd_")), "{text}");
    fs::write(here.path().join("scene.toml"), SCENE.replace("size", "sice"))?;
    let output = tintype(here.path(), &render);
    wanted(&output, 2, "sice")?;
    let text = String::from_utf8(output.stdout)?;
    assert!(text.starts_with("openjd_fail: ") && text.contains("sice"), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    wanted(
        &tintype(
            here.path(),
            &["render", "scene.toml", "-f", "0", "-o", "-", "--progress", "openjd"],
        ),
        2,
        "",
    )
}

#[trial]
fn export_refuses_what_no_engine_can_do() -> Result<(), Failed> {
    let here = folder();
    let export = |options: &[&str]| tintype(here.path(), &[&["farm", "export"], options].concat());
    wanted(&export(&["scene.toml"]), 2, "--openjd")?;
    wanted(&export(&["nowhere.toml", "--openjd"]), 2, "nowhere.toml")?;
    wanted(&export(&["scene.toml", "--openjd", "-f", "12"]), 2, "0-11")?;
    wanted(&export(&["scene.toml", "--openjd", "-o", "one.png"]), 2, "####")?;
    wanted(&export(&["scene.toml", "--openjd", "--chunk", "0"]), 2, "--chunk")?;
    let whole = here.path().join("scene.toml");
    wanted(&export(&[whole.to_str().unwrap(), "--kubernetes"]), 2, "pods see only the volume")
}

/// The template of a scene, with the program of this test, and `openjd` in the folder.
fn exported(
    here: &Path,
    openjd: &Path,
    options: &[&str],
) -> Result<impl Fn(&[&str]) -> Output, Failed> {
    let export = [
        &["farm", "export", "scene.toml", "--openjd", "-o", "f/####.png"],
        &["--program", env!("CARGO_BIN_EXE_tintype")][..],
        options,
    ];
    let output = tintype(here, &export.concat());
    wanted(&output, 0, "")?;
    fs::write(here.join("job.yaml"), output.stdout)?;
    let (here, openjd): (PathBuf, PathBuf) = (here.to_owned(), openjd.to_owned());
    Ok(move |words: &[&str]| {
        // From another folder: all paths of the template are absolute.
        let mut command = Command::new(&openjd);
        command.arg(words[0]).arg(here.join("job.yaml")).args(&words[1..]);
        command.current_dir("/").env_remove("CI");
        run_openjd(command).unwrap()
    })
}

/// Runs `openjd`. Its sessions (0.13) have a race: the thread that starts a task and the one that
/// ends it use one status, and if the task ends at once the next step may find the session running.
/// Then the same command is run again, as existing frames stay.
pub(crate) fn run_openjd(mut command: Command) -> std::io::Result<Output> {
    const RACE: &str = "Session must be in READY";
    for _ in 0..3 {
        let output = command.output()?;
        if output.status.success() || !said(&output).contains(RACE) {
            return Ok(output);
        }
    }
    command.output()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

#[trial(with_program("openjd"))]
fn openjd_template_is_taken_and_runs_to_the_end(openjd: &Path) -> Result<(), Failed> {
    let here = folder();
    let run = exported(here.path(), openjd, &["--chunk", "5"])?;
    let check = run(&["check"]);
    assert!(check.status.success(), "{}", said(&check));
    let summary = said(&run(&["summary"]));
    assert!(summary.contains("Render") && summary.contains("Verify"), "{summary}");
    let all = run(&["run"]);
    assert!(all.status.success(), "{}", said(&all));
    assert!(said(&all).contains("openjd_progress"), "{}", said(&all));
    same(&here.path().join("f"), &reference())?;
    // Steps, and a chunk that is not a range: render reads the lists that the engine makes.
    let odd = run(&["run", "-p", "Frames=0-8:4,10,11", "-p", "ChunkSize=3"]);
    assert!(odd.status.success(), "{}", said(&odd));
    assert!(said(&odd).contains("up to date"), "{}", said(&odd));
    same(&here.path().join("f"), &reference())
}

#[trial(with_program("openjd"))]
fn openjd_hears_of_a_frame_that_fails(openjd: &Path) -> Result<(), Failed> {
    let here = folder();
    let run = exported(here.path(), openjd, &["--chunk", "4"])?;
    // A folder where frame 5 must be.
    fs::create_dir_all(here.path().join("f/0005.png"))?;
    let failed = run(&["run"]);
    assert!(!failed.status.success(), "{}", said(&failed));
    assert!(said(&failed).contains("openjd_fail: "), "{}", said(&failed));
    assert!(said(&failed).contains("0005.png"), "{}", said(&failed));
    fs::remove_dir(here.path().join("f/0005.png"))?;
    let again = run(&["run"]);
    assert!(again.status.success(), "{}", said(&again));
    same(&here.path().join("f"), &reference())
}

#[trial(with_program("kubernetes-validate"))]
fn kubernetes_job_is_as_the_schema_says(validator: &Path) -> Result<(), Failed> {
    let here = folder();
    let export =
        ["farm", "export", "scene.toml", "--kubernetes", "--chunk", "5", "--size", "64x48"];
    let output = tintype(here.path(), &[&export[..], &["-o", "f/####.png"]].concat());
    wanted(&output, 0, "12 frames in 3 tasks")?;
    let file = here.path().join("job.yaml");
    fs::write(&file, &output.stdout)?;
    let validate = || Command::new(validator).arg("--strict").arg(&file).output();
    let checked = validate()?;
    assert!(checked.status.success(), "{}", said(&checked));
    let text = String::from_utf8(output.stdout)?;
    fs::write(&file, text.replace("completions:", "completion:"))?;
    assert!(!validate()?.status.success(), "the validator sees a misspelt key");
    // The command of a pod, run as the kubelet would.
    let line = text.lines().find(|line| line.trim().starts_with("command:")).unwrap();
    let words: Vec<String> = serde_json::from_str(line.trim().trim_start_matches("command:"))?;
    let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    for index in ["0", "1", "2"] {
        let output = command(here.path(), &words).env("JOB_COMPLETION_INDEX", index).output()?;
        wanted(&output, 0, "")?;
    }
    let frames = files(&here.path().join("f"));
    if frames.len() == 12 { Ok(()) } else { Err(format!("{:?}", frames.keys()).into()) }
}
