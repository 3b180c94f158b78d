//! Engines of all kinds: tasks that know their share from any variable, a status by frames and journals alone, containers, job bundles, and a
//! real Grid Engine.

use super::engine::run_openjd;
use super::machine::{frames_in, said, until};
use super::status::Stub;
use super::{SCENE, files, folder, reference, same};
use crate::support::command::{BOX, command, tintype, wanted};
use crate::support::{only_if, program, trial, with_program};
use libtest_mimic::Failed;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

const SHARES: &[&str] = &["render", "scene.toml", "-o", "f/####.png", "--record"];

#[trial(only_if(cfg!(unix)))]
fn farm_status_and_list_need_no_submission() -> Result<(), Failed> {
    let here = folder();
    let here = here.path();
    let status = |code: i32| -> Result<serde_json::Value, Failed> {
        let output = tintype(here, &["farm", "status", "f", "--json"]);
        wanted(&output, code, "")?;
        Ok(serde_json::from_slice(&output.stdout)?)
    };
    let task = |index: &str| {
        let share = [SHARES, &["--shard", "env:SGE_TASK_ID/4"]].concat();
        let mut command = command(here, &share);
        command.env("SGE_TASK_ID", index).env("JOB_ID", "77").output()
    };
    wanted(&tintype(here, &["farm", "status", "f"]), 2, "no submission")?;
    for index in ["1", "2", "4"] {
        wanted(&task(index)?, 0, "3 frames in")?;
    }
    wanted(&task("5")?, 2, "SGE_TASK_ID is \"5\", but \"env:SGE_TASK_ID/4\" needs 1 to 4")?;
    let found = status(3)?;
    assert_eq!((&found["state"], &found["missing"]), (&"incomplete".into(), &"6-8".into()));
    assert_eq!((&found["frames"], &found["attempts"]), (&12.into(), &3.into()));
    wanted(&tintype(here, &["farm", "status", "f"]), 3, "missing: 6-8; ")?;
    wanted(&tintype(here, &["farm", "status", "f"]), 3, "list them with --list")?;
    let list = tintype(here, &["farm", "retry", "f", "--list"]);
    wanted(&list, 0, "")?;
    assert_eq!(String::from_utf8(list.stdout)?, "6-8\n");
    // The page too, and seen from elsewhere under another path.
    let page = here.join("page.html");
    let report =
        ["farm", "status", here.join("f").to_str().unwrap(), "--report", page.to_str().unwrap()]
            .map(str::to_owned);
    let mut elsewhere = command(Path::new("/"), &[]);
    wanted(&elsewhere.args(report).output()?, 3, "9 of 12 frames done")?;
    assert!(fs::read_to_string(&page)?.contains("Missing: 6-8"));
    wanted(&task("3")?, 0, "3 frames in")?;
    assert_eq!(status(0)?["state"], "done");
    same(&here.join("f"), &reference())?;
    // A frame of another scene is no frame of this one.
    let wide = [SHARES, &["-f", "3", "--size", "50x36", "--overwrite"]].concat();
    fs::rename(here.join("f/.tintype"), here.join("kept"))?;
    wanted(&tintype(here, &wide), 0, "1 frame in")?;
    fs::remove_dir_all(here.join("f/.tintype"))?;
    fs::rename(here.join("kept"), here.join("f/.tintype"))?;
    assert_eq!(status(3)?["missing"], "3");
    Ok(())
}

/// Thumbnails and turntables of an array of any engine: what is missing is told by pictures and records alone.
#[trial(only_if(cfg!(unix)))]
fn farm_status_of_models_needs_no_submission() -> Result<(), Failed> {
    let here = folder();
    let here = here.path();
    fs::create_dir(here.join("m"))?;
    for name in ["a", "b", "c", "d"] {
        fs::write(here.join(format!("m/{name}.md5mesh")), BOX)?;
    }
    let kinds: [(&str, &[&str]); 2] =
        [("thumbnail", &["-s", "8"]), ("turntable", &["-n", "2", "--size", "8"])];
    for (maker, options) in kinds {
        let status = |code: i32| -> Result<serde_json::Value, Failed> {
            let output = tintype(here, &["farm", "status", maker, "--json"]);
            wanted(&output, code, "").map_err(|error| format!("{error:?}: {}", said(&output)))?;
            Ok(serde_json::from_slice(&output.stdout)?)
        };
        let task = |models: &[&str], share: &[&str]| {
            let words = [&[maker], models, options, &["-o", maker, "--record"], share].concat();
            tintype(here, &words)
        };
        wanted(&tintype(here, &["farm", "status", maker]), 2, "no submission")?;
        for share in ["1/4", "2/4", "4/4"] {
            wanted(&task(&["m"], &["--shard", share]), 0, "")?;
        }
        let found = status(3)?;
        assert_eq!((&found["models"], &found["done"]), (&4.into(), &3.into()), "{found}");
        assert_eq!(found["missing"][0]["model"], "c.md5mesh", "{found}");
        assert_eq!(found["command"], maker, "{found}");
        let list = tintype(here, &["farm", "retry", maker, "--list"]);
        wanted(&list, 0, "")?;
        assert_eq!(String::from_utf8_lossy(&list.stdout), "c.md5mesh\n");
        // The list as it is; then another model, drawn by hand into the same folder.
        fs::write(here.join("missing.txt"), &list.stdout)?;
        wanted(&task(&["--list", "missing.txt", "--base", "m"], &[]), 0, "")?;
        assert_eq!(status(0)?["state"], "done");
        fs::write(here.join("m/e.md5mesh"), BOX)?;
        wanted(&task(&["m"], &["--shard", "1/5"]), 0, "")?;
        let found = status(3)?;
        assert_eq!((&found["models"], &found["done"]), (&5.into(), &4.into()), "{found}");
        fs::remove_file(here.join("m/e.md5mesh"))?;
        // Seen from elsewhere.
        let folder = here.join(maker).display().to_string();
        wanted(&tintype(Path::new("/"), &["farm", "status", &folder]), 3, "4 of 5 models done")?;
    }
    Ok(())
}

/// Two submissions of other frames, and two of other models, to one folder each.
#[trial(only_if(cfg!(unix)))]
fn farm_sees_several_submissions_together() -> Result<(), Failed> {
    let stub = Stub::new()?;
    let here = stub.path();
    for frames in ["0-3", "8-11"] {
        let submit = ["submit", "scene.toml", "-o", "f/####.png", "-f", frames];
        wanted(&stub.farm(&submit), 0, "(render)")?;
    }
    let status = |folder: &str| -> Result<serde_json::Value, Failed> {
        Ok(serde_json::from_slice(&stub.farm(&["status", folder, "--json"]).stdout)?)
    };
    let found = status("f")?;
    assert_eq!((&found["frames"], &found["missing"]), (&8.into(), &"0-3,8-11".into()), "{found}");
    fs::create_dir_all(here.join("m/one"))?;
    fs::create_dir_all(here.join("m/two"))?;
    for name in ["one/a", "one/b", "two/c"] {
        fs::write(here.join(format!("m/{name}.md5mesh")), BOX)?;
    }
    for part in ["m/one", "m/two"] {
        let submit = ["submit", "thumbnail", part, "--base", "m", "-o", "t", "-s", "8"];
        wanted(&stub.farm(&submit), 0, "(render)")?;
    }
    let found = status("t")?;
    assert_eq!(found["models"], 3, "{found}");
    let missing: Vec<&str> = found["missing"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["model"].as_str())
        .collect();
    assert_eq!(missing, ["one/a.md5mesh", "one/b.md5mesh", "two/c.md5mesh"]);
    let draw = ["thumbnail", "m/one", "--base", "m", "-o", "t", "-s", "8"];
    wanted(&tintype(here, &draw), 0, "2 thumbnails")?;
    let list = stub.farm(&["retry", "t", "--list"]);
    assert_eq!(String::from_utf8_lossy(&list.stdout), "two/c.md5mesh\n");
    Ok(())
}

/// A task whose journal has been silent for an hour, though frames take a fraction of a second.
#[trial(only_if(cfg!(unix)))]
fn farm_tells_of_a_task_that_hangs() -> Result<(), Failed> {
    let stub = Stub::new()?;
    let submit = ["submit", "scene.toml", "-o", "f/####.png", "--chunk", "4"];
    wanted(&stub.farm(&submit), 0, "job 102 (render)")?;
    let share = [SHARES, &["--shard", "1/3"]].concat();
    wanted(&tintype(stub.path(), &share), 0, "4 frames in")?;
    let hour_ago = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_secs() - 3600;
    let start = format!(
        "{{\"at\":{hour_ago}.0,\"event\":\"start\",\"version\":1,\"program\":\"x\",\"scene\":\"scene.toml\",\"frames\":\"4-7\",\"shard\":null,\"node\":\"n7\",\"process\":9,\"job\":\"102\",\"task\":\"1\"}}\n"
    );
    fs::write(stub.path().join("f/.tintype/tasks/1-n7-9-abcdef.jsonl"), start)?;
    stub.queue(102, &["1|RUNNING|n7|render|None|(null)", "2|PENDING||render|Resources|(null)"])?;
    let output = stub.farm(&["status", "f"]);
    wanted(&output, 0, "error: task 102_1 on n7 has finished nothing for ")?;
    wanted(&output, 0, "farm logs ")?;
    wanted(&output, 0, "restart it: scontrol requeue 102_1")?;
    let found = stub.farm(&["status", "f", "--json"]);
    let found: serde_json::Value = serde_json::from_slice(&found.stdout)?;
    assert_eq!(found["stalled"][0]["node"], "n7", "{found}");
    // One that says something now and then is not told of.
    fs::remove_file(stub.path().join("f/.tintype/tasks/1-n7-9-abcdef.jsonl"))?;
    assert!(!said(&stub.farm(&["status", "f"])).contains("has finished nothing"));
    Ok(())
}

#[trial(only_if(cfg!(unix)))]
fn farm_refuses_what_no_node_can_take() -> Result<(), Failed> {
    let stub = Stub::new()?;
    fs::write(stub.path().join("nodes"), "n1 1 2000\nn2 2 1000\n")?;
    let submit =
        |more: &[&str]| stub.farm(&[&["submit", "scene.toml", "-o", "f/####.png"], more].concat());
    wanted(&submit(&["--cpus", "4"]), 2, "--cpus 4: the nodes have at most 2")?;
    wanted(
        &submit(&["--cpus", "2", "--memory", "1500"]),
        2,
        "--memory 1500: no node has that much with --cpus 2; the largest has 2000 MiB",
    )?;
    assert!(!stub.path().join("submitted").exists());
    // As many tasks as there are processors would be worth less than their start.
    wanted(&submit(&["--cpus", "2", "--memory", "900"]), 0, "12 frames in 1 task")
}

#[trial(only_if(cfg!(unix)))]
fn farm_groups_failures_that_are_alike() -> Result<(), Failed> {
    let stub = Stub::new()?;
    let submit = ["submit", "scene.toml", "-o", "f/####.png", "--chunk", "1"];
    wanted(&stub.farm(&submit), 0, "job 102 (render)")?;
    for task in 0..1000 {
        let lines = format!(
            "{{\"at\":1.0,\"event\":\"start\",\"version\":1,\"program\":\"x\",\"scene\":\"scene.toml\",\"frames\":\"{task}\",\"shard\":null,\"node\":\"n{}\",\"process\":9,\"job\":\"102\",\"task\":\"{task}\"}}\n{{\"at\":2.0,\"event\":\"end\",\"code\":75,\"message\":\"frame {task}: No space left on device\"}}\n",
            task % 7
        );
        fs::write(stub.path().join(format!("f/.tintype/tasks/1-{task:04}.jsonl")), lines)?;
        let log = format!("error: frame {task}: No space left on device\n== 2026 exit 75\n");
        fs::write(stub.path().join(format!("f/.tintype/log/102_{task:04}.log")), log)?;
    }
    let told = said(&stub.farm(&["status", "f"]));
    assert!(told.contains("(and 999 more like it)") && told.len() < 3000, "{told}");
    let logs = said(&stub.farm(&["logs", "f"]));
    assert!(logs.contains("and 999 more like it <==") && logs.len() < 3000, "{logs}");
    wanted(&stub.farm(&["status", "f", "--report", "page.html"]), 3, "")?;
    assert!(fs::metadata(stub.path().join("page.html"))?.len() < 20_000);
    Ok(())
}

#[trial(only_if(cfg!(unix)))]
fn farm_dry_run_can_be_submitted_by_hand() -> Result<(), Failed> {
    let stub = Stub::new()?;
    let here = stub.path();
    let dry = [
        &["submit", "scene.toml", "-o", "f/####.png", "--chunk", "5"],
        &["--dry-run", "--strict"][..],
    ];
    let output = stub.farm(&dry.concat());
    wanted(&output, 0, "dry run: nothing submitted; f/.tintype/farm has this script for sbatch")?;
    assert!(!here.join("submitted").exists());
    let script = String::from_utf8(output.stdout)?;
    let drawing = script.lines().find(|line| line.contains(" render scene.toml ")).unwrap();
    assert!(drawing.contains(" --strict "), "{drawing}");
    // The first task, by hand.
    let mut task = Command::new("bash");
    task.current_dir(here).args(["-c", &script]).env("SLURM_JOB_ID", "5");
    task.env("SLURM_ARRAY_JOB_ID", "5").env("SLURM_ARRAY_TASK_ID", "0").stdin(Stdio::null());
    let ended = stub.with(task).output()?;
    assert!(ended.status.success(), "{}", said(&ended));
    assert_eq!(frames_in(&here.join("f")), 4);
    // A submission counts before a dry run.
    let submit = ["submit", "scene.toml", "-o", "f/####.png", "--chunk", "6"];
    wanted(&stub.farm(&submit), 0, "job 102 (render)")?;
    wanted(&stub.farm(&dry.concat()), 0, "")?;
    let found = stub.farm(&["status", "f", "--json"]);
    let found: serde_json::Value = serde_json::from_slice(&found.stdout)?;
    assert_eq!(found["jobs"]["array"]["id"], "102", "{found}");
    Ok(())
}

/// The bundle, as the package of AWS Deadline Cloud reads it.
#[trial(with_program("deadline"))]
fn openjd_bundle_takes_all_assets_along(deadline: &Path) -> Result<(), Failed> {
    let here = folder();
    let here = here.path();
    let picture = tintype_output::encode_png(
        &tintype_model::frame::Frame::new(4, 4),
        true,
        tintype_output::PngEffort::Fast,
        &[],
    );
    fs::create_dir(here.join("skins"))?;
    fs::write(here.join("skins/crate.png"), picture)?;
    fs::write(
        here.join("scene.toml"),
        SCENE.replace("name = \"crate\"", "name = \"crate\"\ndiffuse = \"skins/crate.png\""),
    )?;
    let export = ["farm", "export", "scene.toml", "--openjd", "--bundle", "b", "-o", "f/####.png"];
    wanted(&tintype(here, &export), 0, "deadline bundle submit b")?;
    fs::create_dir(here.join("m"))?;
    fs::write(here.join("m/box.md5mesh"), BOX)?;
    let models = ["farm", "export", "--openjd", "--bundle", "c", "thumbnail", "m", "-o", "t"];
    wanted(&tintype(here, &models), 0, "deadline bundle submit c")?;
    let script = r#"
import sys, json
from deadline.client.job_bundle.loader import read_yaml_or_json_object
from deadline.client.job_bundle.parameters import read_job_bundle_parameters
from deadline.client.job_bundle.submission import AssetReferences
folder = sys.argv[1]
references = AssetReferences.from_dict(read_yaml_or_json_object(folder, "asset_references", required=True))
parameters = {p["name"]: p.get("value", p.get("default")) for p in read_job_bundle_parameters(folder)}
print(json.dumps([sorted(references.input_filenames), sorted(references.input_directories), sorted(references.output_directories), parameters]))
"#;
    let python = deadline.with_file_name("python");
    let read = |bundle: &str| -> Result<serde_json::Value, Failed> {
        let mut command = Command::new(&python);
        let output =
            command.args(["-c", script]).arg(here.join(bundle)).env("HOME", here).output()?;
        if !output.status.success() {
            return Err(said(&output).into());
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    };
    let whole = |name: &str| here.canonicalize().unwrap().join(name).display().to_string();
    let found = read("b")?;
    let inputs = ["box.md5mesh", "scene.toml", "skins/crate.png"].map(whole);
    assert_eq!(found[0], serde_json::json!(inputs), "{found}");
    assert_eq!(found[2], serde_json::json!([whole("f")]), "{found}");
    assert_eq!(found[3]["SceneFile"], whole("scene.toml"), "{found}");
    assert_eq!(found[3]["OutputDir"], whole("f"), "{found}");
    let found = read("c")?;
    let model = serde_json::json!(whole("m/box.md5mesh"));
    assert!(found[0].as_array().is_some_and(|files| files.contains(&model)), "{found}");
    assert_eq!(found[1], serde_json::json!([]), "{found}");
    assert_eq!(found[3]["ModelsDir"], whole("m"), "{found}");
    // The same bundle, run here.
    let Some(openjd) = program("openjd") else { return Ok(()) };
    let parameters = format!("file://{}", here.join("values.json").display());
    let values = serde_json::json!({
        "SceneFile": whole("scene.toml"), "OutputDir": whole("f"),
        "Tintype": env!("CARGO_BIN_EXE_tintype"),
    });
    fs::write(here.join("values.json"), values.to_string())?;
    let mut run = Command::new(openjd);
    run.arg("run").arg(here.join("b/template.yaml")).args(["-p", &parameters]);
    run.current_dir("/").env_remove("CI");
    let output = run_openjd(run)?;
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(frames_in(&here.join("f")), 12);
    Ok(())
}

/// A container of the program and its libraries alone, that runs the command of a manifest as its user, with its mounts.
#[trial(with_program("buildah"))]
fn kubernetes_command_runs_in_a_container(buildah: &Path) -> Result<(), Failed> {
    let here = folder();
    let here = here.path();
    let export =
        ["farm", "export", "scene.toml", "--kubernetes", "--chunk", "4", "-o", "f/####.png"];
    let manifest = tintype(here, &export);
    wanted(&manifest, 0, "12 frames in 3 tasks")?;
    let manifest = String::from_utf8(manifest.stdout)?;
    let value = |key: &str| -> Result<String, Failed> {
        let line = manifest.lines().find_map(|line| line.trim().strip_prefix(key));
        Ok(line.ok_or(format!("no {key}"))?.trim().to_owned())
    };
    let commands: Vec<Vec<String>> = manifest
        .lines()
        .filter_map(|line| line.trim().strip_prefix("command:"))
        .map(|words| serde_json::from_str(words.trim()).unwrap())
        .collect();
    let user = format!("{}:{}", value("runAsUser:")?, value("runAsGroup:")?);
    assert_eq!(value("readOnlyRootFilesystem:")?, "true");

    let store = TempDir::new()?;
    let run = |words: &[&str]| -> Result<Output, Failed> {
        let mut command = Command::new(buildah);
        command.args(["--storage-driver", "vfs", "--root"]).arg(store.path().join("store"));
        command.arg("--runroot").arg(store.path().join("run")).args(words);
        Ok(command.stdin(Stdio::null()).output()?)
    };
    let made = |words: &[&str]| -> Result<String, Failed> {
        let output = run(words)?;
        match output.status.success() {
            true => Ok(String::from_utf8(output.stdout)?.trim().to_owned()),
            false => Err(format!("buildah {words:?}: {}", said(&output)).into()),
        }
    };
    let container = made(&["from", "scratch"])?;
    let root = PathBuf::from(made(&["mount", &container])?);
    let copy = |file: &Path, to: &Path| -> Result<(), Failed> {
        fs::create_dir_all(to.parent().unwrap())?;
        fs::copy(file, to)?;
        Ok(())
    };
    let binary = Path::new(env!("CARGO_BIN_EXE_tintype"));
    // The manifest starts the program of our image.
    copy(binary, &root.join(commands[0][0].trim_start_matches('/')))?;
    let libraries = Command::new("ldd").arg(binary).output()?;
    for word in String::from_utf8(libraries.stdout)?.split_whitespace() {
        if word.starts_with('/') && !word.ends_with(':') {
            copy(Path::new(word), &root.join(word.trim_start_matches('/')))?;
        }
    }
    // The volume, writable for the group of the pods as fsGroup makes it.
    let group = value("fsGroup:")?;
    let owned = Command::new("chown").args(["-R", &format!(":{group}")]).arg(here).status()?;
    let opened = Command::new("chmod").args(["-R", "g+rwX"]).arg(here).status()?;
    assert!(owned.success() && opened.success());
    let mount = format!("{}:{}", here.display(), value("mountPath:")?);
    let folder = value("workingDir:")?;
    let pod = |words: &[String], index: &str| {
        let number = format!("JOB_COMPLETION_INDEX={index}");
        let mut line =
            vec!["run", "--isolation", "chroot", "--user", &user, "--workingdir", &folder];
        line.extend(["--env", &number, "-v", &mount, &container, "--"]);
        line.extend(words.iter().map(String::as_str));
        run(&line)
    };
    for index in ["0", "1", "2"] {
        let output = pod(&commands[0], index)?;
        assert!(output.status.success(), "{}", said(&output));
    }
    let verified = pod(&commands[1], "")?;
    assert!(verified.status.success(), "{}", said(&verified));
    same(&here.join("f"), &reference())?;
    fs::remove_file(here.join("f/0007.png"))?;
    assert_eq!(pod(&commands[1], "")?.status.code(), Some(1), "its verdict");
    made(&["rm", &container])?;
    Ok(())
}

/// A Grid Engine on this machine; it ends with this value.
struct GridEngine(TempDir);

impl GridEngine {
    fn up(slots: u32) -> Result<Self, Failed> {
        let engine = Self(TempDir::new()?);
        let script = Path::new(env!("WORKSPACE_ROOT")).join("tests/farm/gridengine-up.sh");
        let mut said_last = String::new();
        for turn in 0..4 {
            let base = 27_000 + (std::process::id() + turn * 31) % 400 * 2;
            let is_free =
                |port: u32| TcpListener::bind(format!("127.0.0.1:{port}").as_str()).is_ok();
            if !(is_free(base) && is_free(base + 1)) {
                continue;
            }
            let folder = engine.0.path().join(format!("sge{turn}"));
            let mut up = Command::new("bash");
            up.arg(&script).arg(&folder).args([base.to_string(), slots.to_string()]);
            let log = fs::File::create(engine.0.path().join("up.log"))?;
            // Daemons stay: they must not hold our pipes.
            let status = up.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).status()?;
            if status.success() {
                fs::rename(folder.join("env"), engine.0.path().join("env"))?;
                return Ok(engine);
            }
            said_last = fs::read_to_string(engine.0.path().join("up.log"))?;
        }
        Err(format!("gridengine-up.sh: {said_last}").into())
    }

    /// Runs a line of shell with the variables of its clients.
    fn ask(&self, here: &Path, line: &str) -> Result<String, Failed> {
        let mut shell = Command::new("bash");
        let line = format!(". {}; {line}", self.0.path().join("env").display());
        let output = shell.current_dir(here).args(["-euc", &line]).stdin(Stdio::null()).output()?;
        match output.status.success() {
            true => Ok(String::from_utf8(output.stdout)?),
            false => Err(format!("{line}: {}", said(&output)).into()),
        }
    }

    fn until_idle(&self, here: &Path) -> Result<(), Failed> {
        until("the queue is empty", || {
            self.ask(here, "qstat").is_ok_and(|text| text.trim().is_empty())
        })
    }

    /// Numbers of the processes that draw for this scene.
    fn renderers(here: &Path) -> Vec<String> {
        let pattern = here.join("f").display().to_string();
        let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
        let names = processes.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let draws = |process: &String| {
            let line = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).into_owned();
            line.split('\0').any(|word| word == "render") && line.contains(&pattern)
        };
        names.filter(draws).collect()
    }
}

impl Drop for GridEngine {
    fn drop(&mut self) {
        let _ = self.ask(Path::new("/"), "qconf -ke all; qconf -km");
        for turn in 0..4 {
            for name in ["execd", "qmaster"] {
                let file = self.0.path().join(format!("sge{turn}/run/{name}.pid"));
                let Ok(process) = fs::read_to_string(file) else { continue };
                std::thread::sleep(Duration::from_millis(300));
                let _ = Command::new("kill")
                    .args(["-KILL", process.trim()])
                    .stderr(Stdio::null())
                    .status();
            }
        }
    }
}

#[trial(with_program("sge_qmaster"))]
fn gridengine_draws_what_one_process_draws(_: &Path) -> Result<(), Failed> {
    let here = folder();
    let here = here.path().canonicalize()?;
    let here = here.as_path();
    let frames = reference();
    let engine = GridEngine::up(3)?;
    let out = here.join("f/####.png");
    let script = format!(
        "#!/bin/bash\n#$ -cwd -r y -j y -o {0} -t 1-4\n{1} --no-config render scene.toml -o '{2}' --shard env:SGE_TASK_ID/4 --record --keep-going --retries 2\ncode=$?\n[ $code = 75 ] && exit 99   # Grid Engine starts such a task again\nexit $code\n",
        here.join("logs").display(),
        env!("CARGO_BIN_EXE_tintype"),
        out.display()
    );
    fs::create_dir(here.join("logs"))?;
    fs::write(here.join("job.sh"), script)?;
    engine.ask(here, "qsub -terse job.sh")?;
    engine.until_idle(here)?;
    same(&here.join("f"), &frames)?;
    let status = || tintype(here, &["farm", "status", "f", "--json"]);
    let found: serde_json::Value = serde_json::from_slice(&status().stdout)?;
    assert_eq!((&found["state"], &found["attempts"]), (&"done".into(), &4.into()), "{found}");

    // Frames that are lost or torn, drawn again by a list; a bad number of tasks is an error of each.
    fs::remove_file(here.join("f/0002.png"))?;
    let whole = fs::read(here.join("f/0009.png"))?;
    fs::write(here.join("f/0009.png"), &whole[..whole.len() / 2])?;
    let list = tintype(here, &["farm", "retry", "f", "--list"]);
    assert_eq!(String::from_utf8(list.stdout)?, "2,9\n");
    engine.ask(here, "qsub -terse -t 1-2 job.sh")?;
    engine.until_idle(here)?;
    let list = tintype(here, &["farm", "retry", "f", "--list"]);
    assert_eq!(String::from_utf8(list.stdout)?, "9\n", "the first half has been drawn again");
    engine.ask(here, "qsub -terse -t 9 job.sh")?;
    engine.until_idle(here)?;
    let logs: String = files(&here.join("logs"))
        .into_values()
        .map(|text| String::from_utf8_lossy(&text).into_owned())
        .collect();
    assert!(logs.contains("SGE_TASK_ID is \"9\""), "{logs}");

    // Faults: renderers that are killed, and a disk that takes no file for a while, which is temporary.
    fs::remove_dir_all(here.join("f"))?;
    let slow = SCENE.replace("[48, 36]", "[480, 360]");
    fs::write(here.join("scene.toml"), slow)?;
    engine.ask(here, "qsub -terse job.sh")?;
    until("a task draws", || !GridEngine::renderers(here).is_empty())?;
    if let Some(process) = GridEngine::renderers(here).first() {
        Command::new("kill").args(["-KILL", process]).status()?;
    }
    engine.until_idle(here)?;
    let first: serde_json::Value = serde_json::from_slice(&status().stdout)?;
    engine.ask(here, "qsub -terse job.sh")?;
    engine.until_idle(here)?;
    let found: serde_json::Value = serde_json::from_slice(&status().stdout)?;
    assert_eq!(found["state"], "done", "{first}: {found}");
    let verify = ["verify", "scene.toml", "-o", out.to_str().unwrap()];
    wanted(&tintype(here, &verify), 0, "12 frames up to date")
}
