//! Jobs other than the frames of one scene: turntables and thumbnails of many models, and several
//! scenes at once.

use super::machine::{Farm, said, with_slurm};
use super::status::Stub;
use super::{SCENE, same};
use crate::support::command::{BOX, command, tintype, wanted};
use crate::support::{only_if, trial, with_program};
use libtest_mimic::Failed;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;
use tintype_output::decode_png;

/// Options that make small pictures.
const THUMBS: &[&str] = &["-s", "24", "--samples", "1"];
const TURNS: &[&str] = &["-n", "3", "--size", "24x18"];

/// A folder with models in a nested folder `m`, including a clip that is not a model.
fn models() -> TempDir {
    let here = TempDir::new().unwrap();
    let names = ["a.md5mesh", "b.md5mesh", "deep/c.md5mesh", "deep/er/d.md5mesh", "e.md5mesh"];
    for (place, name) in names.iter().enumerate() {
        let path = here.path().join("m").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // Each looks otherwise.
        fs::write(path, BOX.replace("crate", &format!("crate{place}"))).unwrap();
    }
    let clips = "xof 0303txt 0032\nAnimationSet Lift { Animation { { arm } AnimationKey { 2; 2; 0;3;0,0,0;;, 60;3;0,1,0;;; } } }";
    fs::write(here.path().join("m/clips.x"), clips).unwrap();
    here
}

/// All files below a folder but hidden ones, by their paths from there.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            let is_hidden = path.file_name().unwrap().to_string_lossy().starts_with('.');
            match path.is_dir() {
                _ if is_hidden => {}
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap().display().to_string();
                    found.insert(name, fs::read(&path).unwrap());
                }
            }
        }
    }
    found
}

fn names(files: &BTreeMap<String, Vec<u8>>) -> Vec<&str> {
    files.keys().map(String::as_str).collect()
}

fn equal(
    found: &BTreeMap<String, Vec<u8>>,
    pictures: &BTreeMap<String, Vec<u8>>,
) -> Result<(), Failed> {
    if names(found) != names(pictures) {
        return Err(format!("{:?}, not {:?}", names(found), names(pictures)).into());
    }
    match pictures.iter().find(|(name, bytes)| found[*name] != **bytes) {
        Some((name, _)) => Err(format!("{name} has other bytes").into()),
        None => Ok(()),
    }
}

/// The commands, each with options for small pictures.
fn commands() -> [Vec<&'static str>; 2] {
    [[&["thumbnail"], THUMBS].concat(), [&["turntable"], TURNS].concat()]
}

#[trial]
fn models_by_shards_are_what_one_process_draws() -> Result<(), Failed> {
    let here = models();
    let here = here.path();
    for command_words in commands() {
        let one = format!("one-{}", command_words[0]);
        wanted(
            &tintype(here, &[&command_words[..], &["m", "-o", &one]].concat()),
            0,
            "1 file without",
        )?;
        let pictures = tree(&here.join(&one));
        let each = if command_words[0] == "thumbnail" { 1 } else { 3 };
        assert_eq!(pictures.len(), 5 * each, "{:?}", names(&pictures));
        assert!(pictures.keys().any(|name| name.starts_with("deep/er/d.md5mesh")));
        for of in [1, 2, 4, 9] {
            let out = format!("{}-{of}", command_words[0]);
            for index in 0..of {
                let shard = match index % 3 {
                    0 => format!("{}/{of}", index + 1),
                    1 => format!("slurm/{of}"),
                    _ => format!("k8s/{of}"),
                };
                let more = ["m", "-o", &out, "--shard", &shard, "--keep-going", "--retries", "1"];
                let mut command = command(here, &[&command_words[..], &more].concat());
                let task = index.to_string();
                command.env("SLURM_ARRAY_TASK_ID", &task).env("JOB_COMPLETION_INDEX", &task);
                // Six files are models by their names.
                let says = if of == 9 && index % 3 == 0 { "has no models" } else { "" };
                wanted(&command.output()?, 0, says)?;
            }
            equal(&tree(&here.join(&out)), &pictures)?;
        }
    }
    // The same from elsewhere: no picture records where it was made, nor where the clip was.
    let clip = "MD5Version 10\ncommandline \"\"\nnumFrames 1\nnumJoints 1\nframeRate 24\nnumAnimatedComponents 0\n\
        hierarchy {\n\"root\" -1 0 0\n}\nbounds {\n( 0 0 0 ) ( 1 1 1 )\n}\nbaseframe {\n( 0 0 0 ) ( 0 0 0 )\n}\nframe 0 {\n}\n";
    fs::write(here.join("still.md5anim"), clip)?;
    let turn = [&["turntable", "m", "-o", "near", "-a", "still.md5anim"], TURNS].concat();
    wanted(&tintype(here, &turn), 0, "5 turntables")?;
    fs::create_dir(here.join("sub"))?;
    let whole = here.canonicalize()?.join("m");
    let far = ["turntable", whole.to_str().unwrap(), "-o", "../far", "-a", "../still.md5anim"];
    wanted(&tintype(&here.join("sub"), &[&far[..], TURNS].concat()), 0, "5 turntables")?;
    equal(&tree(&here.join("far")), &tree(&here.join("near")))?;
    wanted(&tintype(here, &["thumbnail", "m", "--shard", "3/2"]), 2, "1/2 to 2/2")?;
    let paged = ["thumbnail", "m", "--shard", "1/2", "--gallery"];
    wanted(&tintype(here, &paged), 2, "with --verify --gallery, without --shard")
}

/// When each file was written.
fn times(folder: &Path) -> BTreeMap<String, std::time::SystemTime> {
    let at = |name: &String| fs::metadata(folder.join(name)).unwrap().modified().unwrap();
    tree(folder).keys().map(|name| (name.clone(), at(name))).collect()
}

#[trial]
fn models_that_are_there_are_not_drawn_again() -> Result<(), Failed> {
    let here = models();
    let here = here.path();
    // One model, as it has always been.
    let one = [&["turntable", "m/a.md5mesh", "-o", "one"], TURNS].concat();
    wanted(&tintype(here, &one), 0, "3 frames in")?;
    let before = times(&here.join("one"));
    wanted(&tintype(here, &one), 0, "3 frames are up to date, one/0000.png")?;
    assert_eq!(times(&here.join("one")), before);
    let reference = tree(&here.join("one"));
    fs::write(here.join("one/0001.png"), &reference["0001.png"][..100])?;
    fs::copy(here.join("one/0000.png"), here.join("one/0002.png"))?;
    wanted(&tintype(here, &one), 0, "2 frames in")?;
    equal(&tree(&here.join("one")), &reference)?;
    wanted(
        &tintype(here, &[&one[..], &["--azimuth", "5"]].concat()),
        0,
        "3 frames are drawn again",
    )?;
    wanted(&tintype(here, &[&one[..], &["--overwrite"]].concat()), 0, "3 frames in")?;
    equal(&tree(&here.join("one")), &reference)?;

    // Files of all frames: each is as good as its last byte, and as what it was made from.
    let files = ["--apng", "all.apng", "--gif", "all.gif", "--sheet", "all.png"];
    let all = [&["turntable", "m", "-o", "all"], TURNS, &files].concat();
    wanted(&tintype(here, &all), 0, "5 turntables: 15 frames in")?;
    let reference = tree(&here.join("all"));
    assert_eq!(reference.len(), 5 * (3 + 4), "{:?}", names(&reference));
    let before = times(&here.join("all"));
    wanted(&tintype(here, &all), 0, "0 turntables: 0 frames in")?;
    assert_eq!(times(&here.join("all")), before);
    for name in ["a.md5mesh/all.gif", "b.md5mesh/all.apng", "e.md5mesh/all.png"] {
        fs::write(here.join("all").join(name), &reference[name][..reference[name].len() - 1])?;
    }
    fs::remove_file(here.join("all/deep/c.md5mesh/all.json"))?;
    let verify = [&all[..], &["--verify"]].concat();
    wanted(&tintype(here, &verify), 1, "4 of 6 models lack an up-to-date turntable")?;
    wanted(&tintype(here, &all), 0, "4 turntables")?;
    equal(&tree(&here.join("all")), &reference)?;
    wanted(&tintype(here, &verify), 0, "5 turntables up to date")?;
    // Another model under the same name.
    fs::copy(here.join("m/b.md5mesh"), here.join("m/a.md5mesh"))?;
    wanted(&tintype(here, &verify), 1, "all.gif: missing, incomplete or out of date")?;
    wanted(&tintype(here, &all), 0, "1 turntable: 3 frames in")
}

#[trial]
fn models_without_a_picture_are_named_with_the_reason() -> Result<(), Failed> {
    let here = models();
    let here = here.path();
    for command_words in commands() {
        let make = [&command_words[..], &["m", "-o", "f", "--record"]].concat();
        let verify = [&command_words[..], &["m", "-o", "f", "--verify"]].concat();
        let nothing = tintype(here, &verify);
        wanted(&nothing, 1, "5 of 6 models lack an up-to-date")?;
        assert!(!here.join("f").exists(), "looking makes nothing");
        fs::write(here.join("m/torn.md5mesh"), &BOX[..BOX.len() / 2])?;
        // A folder where a picture must be.
        let file = match command_words[0] {
            "thumbnail" => "f/b.md5mesh.png",
            _ => "f/b.md5mesh/0001.png",
        };
        fs::create_dir_all(here.join(file))?;
        let failed = tintype(here, &[&make[..], &["--keep-going"]].concat());
        wanted(&failed, 3, "2 of 7 models have no")?;
        let verified = tintype(here, &verify);
        wanted(&verified, 1, "2 of 7 models lack an up-to-date")?;
        wanted(&verified, 1, "m/torn.md5mesh: ")?;
        wanted(&verified, 1, "; the last attempt reported: ")?;
        fs::remove_dir(here.join(file))?;
        fs::remove_file(here.join("m/torn.md5mesh"))?;
        wanted(&tintype(here, &make), 0, "")?;
        // Messages of the drawing are not repeated.
        let verified = tintype(here, &verify);
        wanted(&verified, 0, "5 t")?;
        assert!(!said(&verified).contains("warning: ") && said(&verified).contains(" warnings"));
        let records = fs::read_dir(here.join("f/.tintype/tasks"))?.count();
        assert_eq!(records, 2, "verify is no attempt");
        fs::remove_dir_all(here.join("f"))?;
    }
    let page = ["thumbnail", "m", "-o", "f", "--verify", "--gallery", "--json"];
    let output = tintype(here, &page);
    wanted(&output, 1, "no picture")?;
    let json: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    assert_eq!(json["models"][0]["reason"], "missing", "{json}");
    assert!(fs::read_to_string(here.join("f/index.html"))?.contains("no picture"));
    Ok(())
}

#[trial]
fn models_of_several_refuse_what_is_for_one() -> Result<(), Failed> {
    let here = models();
    let here = here.path();
    for (options, says) in [
        (&["-o", "-", "--raw", "rgba"][..], "there are several models"),
        (&["--save-scene", "s.toml"], "--save-scene works with one model"),
        (&["--gif", "f/a.gif"], "give a name without a folder"),
        (&["-o", "f", "--list", "nowhere.txt"], "nowhere.txt"),
        (&["--base", "nowhere"], "nowhere"),
        (&["--verify", "--overwrite"], "cannot be used with"),
    ] {
        wanted(&tintype(here, &[&["turntable", "m"], options].concat()), 2, says)?;
    }
    assert_eq!(tree(here).len(), 6, "nothing is written");
    wanted(&tintype(here, &["turntable"]), 2, "MODEL|DIR|GLOB")?;
    wanted(
        &tintype(here, &["thumbnail", "m/a.md5mesh", "-o", "a.png", "--record"]),
        2,
        "--record needs a folder",
    )
}

#[trial]
fn models_in_a_list_mean_the_same_everywhere() -> Result<(), Failed> {
    let here = models();
    let here = here.path();
    fs::write(here.join("list.txt"), "deep/c.md5mesh\ngone.md5mesh\n\na.md5mesh\n")?;
    let listed = [&["turntable", "--list", "list.txt", "--base", "m", "-o", "l"], TURNS].concat();
    let output = tintype(here, &listed);
    // A missing model does not affect the others.
    wanted(&output, 3, "m/gone.md5mesh")?;
    wanted(&output, 3, "1 of 3 models have no turntable, 2 have one")?;
    wanted(&tintype(here, &[&["turntable", "m", "-o", "w"], TURNS].concat()), 0, "")?;
    let (part, whole) = (tree(&here.join("l")), tree(&here.join("w")));
    assert_eq!(part.len(), 6, "{:?}", names(&part));
    assert!(part.iter().all(|(name, bytes)| whole[name] == *bytes));
    // Shards divide the sorted list, whatever its order; a folder that grows moves no model to
    // another shard.
    let second = ["turntable", "--list", "list.txt", "--base", "m", "-o", "s", "--shard", "2/3"];
    let second = [&second[..], TURNS].concat();
    fs::write(here.join("m/aa.md5mesh"), BOX)?;
    wanted(&tintype(here, &second), 0, "1 turntable")?;
    let part = tree(&here.join("s"));
    assert!(part.keys().all(|name| name.starts_with("deep/c.md5mesh/")), "{:?}", names(&part));
    Ok(())
}

#[trial]
fn farm_refuses_what_tasks_of_models_cannot_do() -> Result<(), Failed> {
    let here = models();
    let here = here.path();
    let submit =
        |words: &[&str]| tintype(here, &[&["farm", "submit", "--dry-run"], words].concat());
    for (words, says) in [
        (&["--size", "9x9", "turntable", "m"][..], "--size must come after turntable"),
        (&["turntable", "m", "--shard", "1/2"], "--shard: the farm assigns shards to tasks"),
        (&["turntable", "m", "-o", "-", "--raw", "rgba"], "-o -: there are several models"),
        (
            &["turntable", "m", "--size", "huge"],
            "--size: found the string \"huge\"; expected WIDTHxHEIGHT",
        ),
        (&["turntable", "m", "--gif", "a.gif"], "--output: name a folder"),
        (&["turntable", "m", "--verify"], "--verify: the final job of a submission does this"),
        (&["thumbnail", "m", "-o", "a.png"], "--output: tasks write into a folder"),
        (&["thumbnail", "m", "--json"], "--json: use it with `tintype thumbnail --verify`"),
        (&["thumbnail", "m", "--up", "q"], "--up: unknown axis \"q\""),
        (&["thumbnail", "nowhere"], "nowhere"),
        (&["thumbnail", "m", "--sise", "3"], "--size?"),
        (&["thumbnail"], "MODEL|DIR|GLOB"),
        (&[], "SCENE.toml"),
    ] {
        wanted(&submit(words), 2, says)?;
    }
    // None of the sampled models can be drawn.
    fs::create_dir(here.join("bad"))?;
    fs::write(here.join("bad/x.md5mesh"), "MD5Version 9")?;
    wanted(
        &submit(&["thumbnail", "bad"]),
        2,
        "none of the 1 tried here can be drawn; bad/x.md5mesh: ",
    )?;
    assert_eq!(tree(here).len(), 7, "nothing is written");
    assert!(!here.join("out").exists() && !here.join("thumbnails").exists());
    wanted(&tintype(here, &["farm", "export", "thumbnail", "m"]), 2, "--openjd or --kubernetes")?;
    let whole = here.join("m");
    let export = ["farm", "export", "--kubernetes", "thumbnail", whole.to_str().unwrap()];
    wanted(&tintype(here, &export), 2, "pods see only the volume")?;
    let export = ["farm", "export", "--kubernetes", "thumbnail", "m", "--textures", "/usr"];
    wanted(&tintype(here, &export), 2, "an option: /usr: pods see only the volume")
}

/// The file with this end in the folder of submissions, the last of several.
fn submitted(out: &Path, end: &str) -> String {
    let folder = out.join(".tintype/farm");
    let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    // The script of an array has no word before its end.
    let names = names.filter(|path| {
        end != ".sbatch"
            || path.file_stem().is_some_and(|stem| !stem.to_string_lossy().contains('.'))
    });
    let mut names: Vec<_> =
        names.filter(|path| path.display().to_string().ends_with(end)).collect();
    names.sort();
    names.pop().unwrap().display().to_string()
}

/// Runs a script like Slurm: a task of an array, or a separate job.
fn run_script(stub: &Stub, script: &str, array: u32, task: Option<u64>) -> Output {
    let mut bash = Command::new("bash");
    bash.arg(script).current_dir(stub.path());
    let mut bash = stub.with(bash);
    for name in ["CI", "SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID", "SLURM_RESTART_COUNT"] {
        bash.env_remove(name);
    }
    bash.env("TINTYPE_CONFIG", "").env("NO_COLOR", "1");
    bash.env("SLURM_JOB_ID", array.to_string()).env("SLURMD_NODENAME", "n1");
    if let Some(task) = task {
        bash.env("SLURM_ARRAY_JOB_ID", array.to_string())
            .env("SLURM_ARRAY_TASK_ID", task.to_string());
    }
    bash.output().unwrap()
}

fn code(output: &Output, code: i32) -> Result<(), Failed> {
    wanted(output, code, "")
}

#[trial(only_if(cfg!(unix)))]
fn farm_job_of_thumbnails_from_submission_to_retry() -> Result<(), Failed> {
    let stub = Stub::within(models())?;
    let here = stub.path();
    wanted(&tintype(here, &[&["thumbnail", "m", "-o", "one"], THUMBS].concat()), 0, "")?;
    let pictures = tree(&here.join("one"));
    let submit = ["submit", "--chunk", "2", "thumbnail", "m", "-o", "f", "--gallery"];
    let submit = [&submit[..], THUMBS].concat();
    let output = stub.farm(&submit);
    wanted(&output, 0, "6 models in 3 tasks of 2")?;
    wanted(&output, 0, "job 101 (preflight), job 102 (render), job 103 (verify)")?;
    let jobs = fs::read_to_string(here.join("submitted"))?;
    assert!(!jobs.contains("afterok") && jobs.contains("afterany:102"), "{jobs}");

    // The list is fixed: a growing folder moves no shard.
    let out = here.join("f");
    assert_eq!(fs::read_to_string(submitted(&out, ".list"))?.lines().count(), 6);
    fs::write(here.join("m/aa.md5mesh"), BOX)?;
    code(&run_script(&stub, &submitted(&out, ".check.sbatch"), 101, None), 0)?;
    let array = submitted(&out, ".sbatch");
    for task in [0, 2] {
        code(&run_script(&stub, &array, 102, Some(task)), 0)?;
    }
    let found = status(&stub, 3)?;
    assert_eq!((&found["models"], &found["done"]), (&6.into(), &4.into()), "{found}");
    assert_eq!(found["missing"][0]["model"], "clips.x", "{found}");
    assert_eq!((&found["state"], &found["command"]), (&"incomplete".into(), &"thumbnail".into()));
    wanted(
        &stub.farm(&["status", "f"]),
        3,
        "missing: clips.x, deep/c.md5mesh; submit them with `tintype farm retry",
    )?;
    code(&run_script(&stub, &submitted(&out, ".verify.sbatch"), 103, None), 1)?;
    let log = fs::read_to_string(out.join(".tintype/log/103-verify.log"))?;
    assert!(log.contains("m/deep/c.md5mesh: no picture"), "{log}");

    // The rest, and all again: existing frames are not drawn twice.
    for task in [1, 0] {
        code(&run_script(&stub, &array, 102, Some(task)), 0)?;
    }
    code(&run_script(&stub, &submitted(&out, ".verify.sbatch"), 103, None), 0)?;
    let mut files = tree(&out);
    assert!(files.remove("index.html").is_some(), "the page");
    equal(&files, &pictures)?;
    let found = status(&stub, 0)?;
    assert_eq!((&found["done"], &found["without_mesh"]), (&5.into(), &1.into()), "{found}");
    assert_eq!((&found["state"], &found["drawn_twice"]), (&"done".into(), &serde_json::json!([])));
    wanted(&stub.farm(&["status", "f"]), 0, "5 of 6 models done, 1 file without a mesh")?;
    let page = fs::read_to_string(out.join(".tintype/farm/report.html"))?;
    assert!(page.contains("../../deep/c.md5mesh.png") && page.contains("Seconds of each model"));

    // Limits given on submission are passed to tasks.
    let limited = ["submit", "--dry-run", "thumbnail", "m", "--limit", "depth=70K"];
    let script = String::from_utf8(stub.farm(&limited).stdout)?;
    assert!(script.contains(" --limit=depth=71680 --progress plain"), "{script}");

    // One is torn: one is submitted, and the last job looks at all.
    wanted(&stub.farm(&["retry", "f"]), 0, "nothing to retry")?;
    fs::write(out.join("b.md5mesh.png"), b"half")?;
    wanted(&stub.farm(&["retry", "f"]), 0, "missing: b.md5mesh")?;
    assert_eq!(fs::read_to_string(submitted(&out, ".list"))?, "b.md5mesh\n");
    code(&run_script(&stub, &submitted(&out, ".sbatch"), 105, Some(0)), 0)?;
    code(&run_script(&stub, &submitted(&out, ".verify.sbatch"), 106, None), 0)?;
    assert_eq!(status(&stub, 0)?["models"], 6);
    files = tree(&out);
    files.remove("index.html");
    equal(&files, &pictures)
}

fn status(stub: &Stub, code: i32) -> Result<serde_json::Value, Failed> {
    let output = stub.farm(&["status", "f", "--json"]);
    wanted(&output, code, "").map_err(|error| format!("{error:?}: {}", said(&output)))?;
    Ok(serde_json::from_slice(&output.stdout)?)
}

#[trial(only_if(cfg!(unix)))]
fn farm_job_of_turntables_from_submission_to_retry() -> Result<(), Failed> {
    let stub = Stub::within(models())?;
    let here = stub.path();
    let options = [TURNS, &["--azimuth", "-20", "--sheet", "s.png"]].concat();
    wanted(&tintype(here, &[&["turntable", "m", "-o", "one"], &options[..]].concat()), 0, "")?;
    let pictures = tree(&here.join("one"));
    fs::write(here.join("m/torn.md5mesh"), &BOX[..BOX.len() / 2])?;
    let submit = [&["submit", "turntable", "m", "-o", "f", "--chunk", "3"], &options[..]].concat();
    wanted(&stub.farm(&submit), 0, "7 models in 3 tasks of 3")?;
    let out = here.join("f");
    let array = submitted(&out, ".sbatch");
    for (task, ends) in [(0, 0), (1, 0), (2, 3)] {
        code(&run_script(&stub, &array, 102, Some(task)), ends)?;
    }
    code(&run_script(&stub, &submitted(&out, ".verify.sbatch"), 103, None), 1)?;
    equal(&tree(&out), &pictures)?;
    let found = status(&stub, 3)?;
    assert_eq!((&found["done"], &found["without_mesh"]), (&5.into(), &1.into()), "{found}");
    assert_eq!(found["missing"][0]["model"], "torn.md5mesh", "{found}");
    let why = found["missing"][0]["message"].as_str().unwrap_or_default();
    assert!(why.contains("torn.md5mesh"), "{found}");
    wanted(
        &stub.farm(&["status", "f"]),
        3,
        "attempt 102_2 on n1: exit 3: 1 of 3 models have no turntable",
    )?;
    wanted(&stub.farm(&["logs", "f", "--task", "2"]), 0, "")?;
    // The model is repaired.
    fs::remove_file(out.join("e.md5mesh/0001.png"))?;
    wanted(&stub.farm(&["retry", "f", "--dry-run"]), 0, "missing: e.md5mesh, torn.md5mesh")?;
    fs::write(here.join("m/torn.md5mesh"), BOX)?;
    wanted(&stub.farm(&["retry", "f"]), 0, "2 models in 1 task")?;
    code(&run_script(&stub, &submitted(&out, ".sbatch"), 105, Some(0)), 0)?;
    code(&run_script(&stub, &submitted(&out, ".verify.sbatch"), 106, None), 0)?;
    assert_eq!(status(&stub, 0)?["done"], 6);
    wanted(&stub.farm(&["retry", "f"]), 0, "nothing to retry")
}

/// The frames of one turntable are divided between tasks, on any engine, and equal those drawn by
/// one process.
#[trial(only_if(cfg!(unix)))]
fn farm_job_of_one_turntable_is_divided() -> Result<(), Failed> {
    let stub = Stub::within(models())?;
    let here = stub.path();
    let options = ["-n", "10", "--size", "24x18", "--aov", "depth"];
    let words = [&["turntable", "m/a.md5mesh", "-o"][..], &["one"], &options].concat();
    wanted(&tintype(here, &words), 0, "10 frames in")?;
    let words = [&["turntable", "m/a.md5mesh", "-o", "f", "--chunk", "4"][..], &options].concat();
    wanted(&stub.farm(&[&["submit"], &words[..]].concat()), 0, "10 frames in 3 tasks of 4")?;
    let out = here.join("f");
    for task in 0..3 {
        code(&run_script(&stub, &submitted(&out, ".sbatch"), 102, Some(task)), 0)?;
    }
    code(&run_script(&stub, &submitted(&out, ".verify.sbatch"), 103, None), 0)?;
    let pixels = |folder: &str| -> Result<BTreeMap<String, Vec<[u8; 4]>>, Failed> {
        let decoded = |(name, png): (String, Vec<u8>)| Ok((name, decode_png(&png)?.0.rgba));
        tree(&here.join(folder)).into_iter().map(decoded).collect()
    };
    let (one, divided) = (pixels("one")?, pixels("f")?);
    assert!(one.len() == 20 && one == divided, "{:?}", divided.keys());
    let found = status(&stub, 0)?;
    assert_eq!((&found["frames"], &found["done"]), (&10.into(), &10.into()), "{found}");
    fs::remove_file(out.join("0007.png"))?;
    wanted(&stub.farm(&["retry", "f"]), 0, "missing: 7")?;
    // Other engines, and the work of one task.
    for (engine, tasks) in [("--openjd", "1-3"), ("--kubernetes", "completions: 3")] {
        let output = stub.farm(&[&["export", engine], &words[..]].concat());
        wanted(&output, 0, "10 frames in 3 tasks")?;
        let text = String::from_utf8(output.stdout)?;
        assert!(engine == "--openjd" || text.contains(tasks), "{text}");
    }
    for alone in [&["--gif", "a.gif"][..], &["--directions", "4"], &["--overwrite"]] {
        let words = [&["submit", "--dry-run"], &words[..], alone].concat();
        wanted(&stub.farm(&words), 0, "one task draws all frames of a model")?;
    }
    Ok(())
}

/// A signal while jobs enter the queue: none is left there.
#[trial(only_if(cfg!(unix)))]
fn farm_submission_is_taken_back_at_a_signal() -> Result<(), Failed> {
    for (signal, ends) in [("TERM", 75), ("INT", 130)] {
        let stub = Stub::new()?;
        let here = stub.path();
        let sbatch = here.join("bin/sbatch");
        let slow = fs::read_to_string(&sbatch)?;
        fs::write(&sbatch, format!("{slow}touch $STUB/entered; sleep 1\n"))?;
        let submit = ["farm", "submit", "scene.toml", "-o", "f/####.png"];
        let child = stub.with(command(here, &submit)).stderr(Stdio::piped()).spawn()?;
        while !here.join("entered").exists() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).status()?.success());
        let output = child.wait_with_output()?;
        code(&output, ends)?;
        assert!(said(&output).contains("submission stopped by a signal"), "{}", said(&output));
        assert_eq!(fs::read_to_string(here.join("cancelled"))?, "--quiet 101\n");
        wanted(&stub.farm(&["status", "f"]), 2, "")?;
    }
    Ok(())
}

/// Two scenes, one of them with other colours, in a folder with stand-ins for Slurm's programs.
fn two_scenes() -> Result<Stub, Failed> {
    let stub = Stub::new()?;
    fs::write(stub.path().join("other.toml"), SCENE.replace("0-11", "0-5"))?;
    Ok(stub)
}

#[trial(only_if(cfg!(unix)))]
fn farm_submits_all_scenes_or_none() -> Result<(), Failed> {
    let stub = two_scenes()?;
    let here = stub.path();
    let both = ["submit", "scene.toml", "other.toml", "--chunk", "4"];
    // One is wrong.
    fs::write(here.join("wrong.toml"), SCENE.replace("size", "sice"))?;
    wanted(&stub.farm(&["submit", "scene.toml", "wrong.toml"]), 2, "sice")?;
    // Both would write the same.
    let same = SCENE.replace("[output]", "[output]\nfile = \"out/scene/b.####.png\"");
    fs::write(here.join("same.toml"), same)?;
    let output = stub.farm(&["submit", "scene.toml", "same.toml"]);
    wanted(&output, 2, "scene.toml and same.toml would both write to out/scene")?;
    wanted(&stub.farm(&["submit", "scene.toml", "scene.toml"]), 2, "would both write to")?;
    assert!(!here.join("out").exists() && !here.join("submitted").exists(), "nothing is begun");

    // The fourth job is refused: those before it are cancelled, and no submission is left.
    fs::write(here.join("refuse.104"), "")?;
    wanted(&stub.farm(&both), 2, "sbatch")?;
    assert_eq!(fs::read_to_string(here.join("cancelled"))?.trim(), "--quiet 101 102 103");
    wanted(&stub.farm(&["status", "out/scene"]), 2, "no submission")?;
    wanted(&stub.farm(&["status", "out/other"]), 2, "no submission")?;
    fs::remove_file(here.join("refuse.104"))?;
    fs::remove_file(here.join("submitted"))?;

    // One look at a node for both, then two jobs of each.
    let output = stub.farm(&both);
    wanted(&output, 0, "job 104 (preflight), job 105 (render), job 106 (verify)")?;
    wanted(&output, 0, "job 104 (preflight), job 107 (render), job 108 (verify)")?;
    let jobs = fs::read_to_string(here.join("submitted"))?;
    let options: Vec<&str> = jobs
        .lines()
        .map(|line| {
            line.split_whitespace()
                .find_map(|word| word.strip_prefix("--dependency="))
                .unwrap_or("")
        })
        .collect();
    assert_eq!(options, ["", "", "afterany:105", "", "afterany:107"]);
    for (scene, array, tasks) in [("scene", 105, 3), ("other", 107, 2)] {
        let out = here.join("out").join(scene);
        for task in 0..tasks {
            code(&run_script(&stub, &submitted(&out, ".sbatch"), array, Some(task)), 0)?;
        }
    }
    let look = submitted(&here.join("out/scene"), ".check.sbatch");
    code(&run_script(&stub, &look, 104, None), 0)?;
    // The one look sees what either lacks.
    fs::rename(here.join("other.toml"), here.join("gone.toml"))?;
    code(&run_script(&stub, &look, 104, None), 2)?;
    Ok(())
}

#[trial(only_if(cfg!(unix)))]
fn farm_cancels_no_look_that_others_wait_for() -> Result<(), Failed> {
    let stub = two_scenes()?;
    wanted(&stub.farm(&["submit", "scene.toml", "other.toml"]), 0, "")?;
    for job in [101, 102, 103, 104, 105] {
        stub.queue(job, &["N/A|PENDING||render|Dependency|(null)"])?;
    }
    wanted(&stub.farm(&["cancel", "out/other"]), 0, "2 tasks cancelled")?;
    let cancelled = || fs::read_to_string(stub.path().join("cancelled"));
    assert_eq!(cancelled()?.trim(), "--quiet 104 105");
    Ok(())
}

#[trial(only_if(cfg!(unix)))]
fn farm_job_of_10000_models() -> Result<(), Failed> {
    const COUNT: usize = 10_000;
    let stub = Stub::within(TempDir::new()?)?;
    let here = stub.path();
    fs::write(here.join("box"), BOX)?;
    for place in 0..COUNT {
        let folder = here.join(format!("m/{}", place / 100));
        fs::create_dir_all(&folder)?;
        fs::hard_link(here.join("box"), folder.join(format!("{place:05}.md5mesh")))?;
    }
    let submit = [&["submit", "thumbnail", "m", "-o", "f", "--chunk", "10"], THUMBS].concat();
    wanted(&stub.farm(&submit), 0, "10000 models in 1000 tasks")?;
    let out = here.join("f");
    assert_eq!(fs::read_to_string(submitted(&out, ".list"))?.lines().count(), COUNT);
    let array = submitted(&out, ".sbatch");
    assert!(fs::metadata(&array)?.len() < 20_000, "no list of models in a script");
    code(&run_script(&stub, &array, 102, Some(999)), 0)?;
    let drawn = tree(&out);
    assert_eq!(drawn.len(), 10, "{:?}", names(&drawn));
    let found = status(&stub, 3)?;
    assert_eq!((&found["done"], &found["models"]), (&10.into(), &COUNT.into()));
    assert_eq!(found["missing"].as_array().map(Vec::len), Some(COUNT - 10));
    let told = said(&stub.farm(&["status", "f"]));
    assert!(told.contains("and 9980 more") && told.len() < 2000, "{told}");
    let verify = [
        "thumbnail",
        "--list",
        &submitted(&out, ".list"),
        "--base",
        "m",
        "-o",
        "f",
        "--verify",
        "-q",
    ];
    let output = tintype(here, &[&verify[..], THUMBS].concat());
    wanted(&output, 1, "9990 of 10000 models lack an up-to-date thumbnail; 10 up to date")
}

/// The template, with the program of this test, and `openjd` in the folder.
fn openjd(here: &Path, openjd: &Path, options: &[&str], words: &[&str]) -> Result<Output, Failed> {
    let export = ["farm", "export", "--openjd", "--program", env!("CARGO_BIN_EXE_tintype")];
    let output = tintype(here, &[&export[..], options].concat());
    wanted(&output, 0, "tasks read the model list")?;
    fs::write(here.join("job.yaml"), output.stdout)?;
    let mut command = Command::new(openjd);
    command.arg(words[0]).arg(here.join("job.yaml")).args(&words[1..]);
    Ok(command.current_dir("/").env_remove("CI").output()?)
}

#[trial(with_program("openjd"))]
fn openjd_runs_templates_of_models(program: &Path) -> Result<(), Failed> {
    let here = models();
    let here = here.path();
    for command_words in commands() {
        let one = format!("one-{}", command_words[0]);
        wanted(&tintype(here, &[&command_words[..], &["m", "-o", &one]].concat()), 0, "")?;
        let out = format!("f-{}", command_words[0]);
        let gallery: &[&str] = if command_words[0] == "thumbnail" { &["--gallery"] } else { &[] };
        let options = [&["--chunk", "2"], &command_words[..], &["m", "-o", &out], gallery].concat();
        let check = openjd(here, program, &options, &["check"])?;
        assert!(check.status.success(), "{}", said(&check));
        let run = openjd(here, program, &options, &["run"])?;
        assert!(run.status.success(), "{}", said(&run));
        assert!(said(&run).contains("openjd_progress"), "{}", said(&run));
        let mut files = tree(&here.join(&out));
        assert_eq!(files.remove("index.html").is_some(), !gallery.is_empty());
        equal(&files, &tree(&here.join(&one)))?;
    }
    // A model that cannot be drawn stops no other, and fails the job at its end, after the page of
    // all others.
    fs::write(here.join("m/torn.md5mesh"), &BOX[..BOX.len() / 2])?;
    let options = ["--chunk", "1", "thumbnail", "m", "-o", "f-bad", "--gallery"];
    let options = [&options[..], THUMBS].concat();
    let run = openjd(here, program, &options, &["run"])?;
    assert!(
        !run.status.success() && said(&run).contains("m/torn.md5mesh: no triangles remain: line"),
        "{}",
        said(&run)
    );
    assert!(
        said(&run).contains("1 of 7 models lack an up-to-date thumbnail; 5 up to date"),
        "{}",
        said(&run)
    );
    let drawn = tree(&here.join("f-bad"));
    assert!(drawn.contains_key("index.html") && drawn.len() == 6, "{:?}", names(&drawn));
    Ok(())
}

#[trial(with_program("kubernetes-validate"))]
fn kubernetes_job_of_models_is_as_the_schema_says(validator: &Path) -> Result<(), Failed> {
    let here = models();
    let here = here.path();
    let export = ["farm", "export", "--kubernetes", "--chunk", "2", "turntable", "m", "-o", "f"];
    let output = tintype(here, &[&export[..], TURNS].concat());
    wanted(&output, 0, "6 models in 3 tasks")?;
    let file = here.join("job.yaml");
    fs::write(&file, &output.stdout)?;
    let checked = Command::new(validator).arg("--strict").arg(&file).output()?;
    assert!(checked.status.success(), "{}", said(&checked));
    let text = String::from_utf8(output.stdout)?;
    let line = text.lines().find(|line| line.trim().starts_with("command:")).unwrap();
    let words: Vec<String> = serde_json::from_str(line.trim().trim_start_matches("command:"))?;
    let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    for index in ["0", "1", "2"] {
        code(&command(here, &words).env("JOB_COMPLETION_INDEX", index).output()?, 0)?;
    }
    // The job that verifies at the end.
    let verify = text.lines().find(|line| line.contains("command:") && line.contains("--verify"));
    let words: Vec<String> =
        serde_json::from_str(verify.unwrap().trim().trim_start_matches("command:"))?;
    let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    wanted(&tintype(here, &words), 0, "5 turntables up to date")
}

#[trial(with_slurm)]
fn slurm_draws_models_and_several_scenes(scripts: &Path) -> Result<(), Failed> {
    let here = models();
    let here = here.path();
    fs::write(here.join("box.md5mesh"), BOX)?;
    for place in 0..20 {
        fs::write(
            here.join(format!("m/more{place:02}.md5mesh")),
            BOX.replace("crate", &format!("c{place}")),
        )?;
    }
    fs::write(here.join("scene.toml"), SCENE)?;
    fs::write(here.join("other.toml"), SCENE.replace("0-11", "0-5"))?;
    for command_words in commands() {
        let one = format!("one-{}", command_words[0]);
        wanted(&tintype(here, &[&command_words[..], &["m", "-o", &one]].concat()), 0, "")?;
    }
    for scene in ["scene", "other"] {
        let pattern = format!("one-{scene}/####.png");
        wanted(&tintype(here, &["render", &format!("{scene}.toml"), "-o", &pattern]), 0, "")?;
    }

    let farm = Farm::up(scripts, 2)?;
    let submit = |words: &[&str]| farm.tintype(here, &[&["farm", "submit"], words].concat());
    for command_words in commands() {
        let out = format!("f-{}", command_words[0]);
        let gallery: &[&str] = if command_words[0] == "thumbnail" { &["--gallery"] } else { &[] };
        let words = [&["--chunk", "6"], &command_words[..], &["m", "-o", &out], gallery].concat();
        wanted(&submit(&words), 0, "26 models in 5 tasks")?;
    }
    let scenes = ["scene.toml", "other.toml", "--chunk", "3"];
    wanted(&submit(&scenes), 0, "(verify)")?;
    // All or none: an option that sbatch refuses.
    wanted(&submit(&["scene.toml", "other.toml", "--sbatch=--nonsense"]), 2, "sbatch")?;
    farm.until_idle()?;
    for command_words in commands() {
        let (one, out) = (format!("one-{}", command_words[0]), format!("f-{}", command_words[0]));
        let mut files = tree(&here.join(&out));
        files.remove("index.html");
        equal(&files, &tree(&here.join(&one)))?;
        let found = farm.status(here, &here.join(&out), 0)?;
        assert_eq!((&found["done"], &found["without_mesh"]), (&25.into(), &1.into()), "{found}");
        assert_eq!(found["jobs"]["verify"]["state"], "COMPLETED", "{found}");
        assert_eq!(found["tasks"], serde_json::json!({ "COMPLETED": 5 }), "{found}");
    }
    for (scene, frames) in [("scene", 12), ("other", 6)] {
        let out = here.join("out").join(scene);
        same(&out, &super::files(&here.join(format!("one-{scene}"))))?;
        let found = farm.status(here, &out, 0)?;
        assert_eq!(
            (&found["done"], &found["jobs"]["verify"]["state"]),
            (&frames.into(), &"COMPLETED".into()),
            "{found}"
        );
    }
    // Exactly what is missing.
    fs::remove_file(here.join("f-thumbnail/a.md5mesh.png"))?;
    wanted(&farm.tintype(here, &["farm", "retry", "f-thumbnail"]), 0, "1 model in 1 task")?;
    wanted(
        &farm.tintype(here, &["farm", "status", "f-thumbnail", "--watch"]),
        0,
        "25 of 26 models done",
    )
}
