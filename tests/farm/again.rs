//! The same command again: complete and current files are not redrawn, and nothing is skipped
//! silently.

use super::{RENDER, SCENE, files, folder, reference, same};
use crate::support::disk::on_a_disk;
use crate::support::trial;
use crate::support::{
    self,
    command::{command, tintype, wanted},
};
use libtest_mimic::Failed;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Makes files look old, so that rewritten ones can be recognized.
fn age(folder: &Path) {
    for name in files(folder).keys() {
        let file = fs::File::options().write(true).open(folder.join(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(600)).unwrap();
    }
}

/// The files that are not old.
fn fresh(folder: &Path) -> Vec<String> {
    let is_fresh = |name: &String| {
        let touched = fs::metadata(folder.join(name)).unwrap().modified().unwrap();
        touched.elapsed().is_ok_and(|since| since < Duration::from_secs(300))
    };
    files(folder).into_keys().filter(is_fresh).collect()
}

#[trial]
fn again_draws_nothing_that_is_current() -> Result<(), Failed> {
    let here = folder();
    let frames = here.path().join("f");
    wanted(&tintype(here.path(), RENDER), 0, "12 frames in")?;
    age(&frames);
    wanted(&tintype(here.path(), RENDER), 0, "12 frames are up to date")?;
    assert_eq!(fresh(&frames), Vec::<String>::new());
    let one = [RENDER, &["-f", "3", "--png", "small", "-j", "1"]].concat();
    wanted(&tintype(here.path(), &one), 0, "1 frame is up to date")?;
    wanted(&tintype(here.path(), &[&one[..], &["--overwrite"]].concat()), 0, "1 frame in")?;
    assert_eq!(fresh(&frames), ["0003.png"]);
    Ok(())
}

#[trial]
fn again_draws_what_is_torn_stale_or_foreign() -> Result<(), Failed> {
    let reference = reference();
    let here = folder();
    let frames = here.path().join("f");
    wanted(&tintype(here.path(), RENDER), 0, "12 frames in")?;
    // An older scene's frame, another size, another frame, half a file, an empty file, a flipped
    // bit, extra bytes, text, a foreign picture.
    fs::write(here.path().join("old.toml"), SCENE.replace("0-11", "0-12"))?;
    wanted(
        &tintype(here.path(), &["render", "old.toml", "-f", "0", "-o", "f/####.png"]),
        0,
        "1 frame is drawn again",
    )?;
    wanted(&tintype(here.path(), &[RENDER, &["-f", "1", "--size", "24x18"]].concat()), 0, "48x36")?;
    fs::copy(frames.join("0003.png"), frames.join("0002.png"))?;
    let whole = &reference["0003.png"];
    fs::write(frames.join("0003.png"), &whole[..whole.len() / 2])?;
    fs::write(frames.join("0004.png"), b"")?;
    let mut flipped = reference["0005.png"].clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 4;
    fs::write(frames.join("0005.png"), flipped)?;
    fs::write(frames.join("0006.png"), [&reference["0006.png"][..], b"\n"].concat())?;
    fs::write(frames.join("0007.png"), b"to be painted")?;
    let still = Path::new(env!("WORKSPACE_ROOT")).join("scenes/assets/textures");
    let foreign = support::files(&still, &["png"])?;
    fs::copy(&foreign[0], frames.join("0008.png"))?;
    age(&frames);
    let verify = ["verify", "scene.toml", "-o", "f/####.png"];
    wanted(&tintype(here.path(), &verify), 1, "9 frames of 12 need rendering: 0-8")?;
    wanted(&tintype(here.path(), RENDER), 0, "9 frames in")?;
    same(&frames, &reference)?;
    let drawn: Vec<String> = (0..9).map(|number| format!("{number:04}.png")).collect();
    assert_eq!(fresh(&frames), drawn);
    wanted(&tintype(here.path(), &verify), 0, "12 frames up to date")
}

#[trial]
fn again_sees_a_changed_scene_and_asset() -> Result<(), Failed> {
    let here = folder();
    wanted(&tintype(here.path(), RENDER), 0, "12 frames in")?;
    // A change that does not affect pixels.
    let file = here.path().join("scene.toml");
    fs::write(&file, SCENE.replace("size = ", "# smaller\nfile = \"other.####.png\"\nsize = "))?;
    wanted(&tintype(here.path(), RENDER), 0, "12 frames are up to date")?;
    fs::write(&file, SCENE.replace("to = 360", "to = 180"))?;
    wanted(&tintype(here.path(), RENDER), 0, "12 frames are drawn again: out of date")?;
    let model = here.path().join("box.md5mesh");
    fs::write(&model, fs::read_to_string(&model)? + "\n")?;
    wanted(&tintype(here.path(), RENDER), 0, "12 frames are drawn again: out of date")
}

#[trial]
fn again_draws_with_another_anisotropy() -> Result<(), Failed> {
    let here = folder();
    wanted(&tintype(here.path(), RENDER), 0, "12 frames in")?;
    let usual = [RENDER, &["--anisotropy", "1"]].concat();
    wanted(&tintype(here.path(), &usual), 0, "12 frames are up to date")?;
    let more = [RENDER, &["--anisotropy", "8"]].concat();
    wanted(&tintype(here.path(), &more), 0, "12 frames are drawn again: out of date")?;
    wanted(&tintype(here.path(), &more), 0, "12 frames are up to date")?;
    let verify = ["verify", "scene.toml", "-o", "f/####.png"];
    wanted(&tintype(here.path(), &verify), 1, "12 frames of 12 need rendering")?;
    let asked = [&verify[..], &["--anisotropy", "8"]].concat();
    wanted(&tintype(here.path(), &asked), 0, "12 frames up to date")?;
    let export = ["farm", "export", "scene.toml", "--kubernetes", "--anisotropy", "8"];
    let job = tintype(here.path(), &export);
    wanted(&job, 0, "12 frames")?;
    let told = String::from_utf8_lossy(&job.stdout);
    assert!(told.contains("\"--anisotropy\", \"8\""), "{told}");
    // A scene with the same setting equals an option.
    let file = here.path().join("scene.toml");
    fs::write(&file, SCENE.replace("size = ", "anisotropy = 8\nsize = "))?;
    wanted(&tintype(here.path(), RENDER), 0, "12 frames are up to date")
}

#[trial]
fn again_draws_a_missing_view() -> Result<(), Failed> {
    let here = folder();
    wanted(&tintype(here.path(), RENDER), 0, "12 frames in")?;
    let with_views = [RENDER, &["--aov", "depth,normal"]].concat();
    wanted(&tintype(here.path(), &with_views), 0, "12 frames in")?;
    fs::remove_file(here.path().join("f/0004.normal.png"))?;
    fs::copy(here.path().join("f/0005.normal.png"), here.path().join("f/0005.depth.png"))?;
    wanted(&tintype(here.path(), &with_views), 0, "2 frames in")?;
    wanted(&tintype(here.path(), &with_views), 0, "12 frames are up to date")
}

/// A run that draws nothing fails for the same reason as the first run.
#[trial]
fn again_fails_where_it_failed_before() -> Result<(), Failed> {
    let here = folder();
    let empty = format!("{SCENE}[[instance]]\nmodel = \"box\"\nposition = [0, 0, 900]\n")
        .replace("[camera]", "[camera]\nkind = \"look-at\"\neye = [0, 0, 5]\ntarget = [0, 0, 0]")
        .replace("azimuth_deg = { from = 0, to = 360 }", "");
    fs::write(here.path().join("empty.toml"), empty)?;
    let render = ["render", "empty.toml", "-o", "e/####.png"];
    for _ in 0..2 {
        wanted(&tintype(here.path(), &render), 3, "the pictures are empty")?;
    }
    let shard = [&render[..], &["--shard", "1/3"]].concat();
    wanted(&tintype(here.path(), &shard), 0, "nothing is visible in 4 frames (0-3)")?;
    wanted(
        &tintype(here.path(), &["verify", "empty.toml", "-o", "e/####.png"]),
        3,
        "nothing is visible in any of them",
    )?;

    let missing = SCENE.replace("name = \"crate\"", "name = \"barrel\"");
    fs::write(here.path().join("scene.toml"), missing)?;
    for _ in 0..2 {
        let strict = [RENDER, &["--strict"]].concat();
        wanted(&tintype(here.path(), &strict), 3, "warning")?;
    }
    Ok(())
}

#[trial]
fn again_keeps_going_past_a_frame_that_fails() -> Result<(), Failed> {
    let mut frames = reference();
    let here = folder();
    fs::create_dir_all(here.path().join("f/0002.png"))?;
    wanted(&tintype(here.path(), RENDER), 2, "0002.png")?;
    let output = tintype(here.path(), &[RENDER, &["--keep-going", "-j", "1"]].concat());
    wanted(&output, 3, "1 frame of 12 could not be written: 2")?;
    frames.remove("0002.png");
    same(&here.path().join("f"), &frames)?;
    fs::remove_dir(here.path().join("f/0002.png"))?;
    wanted(&tintype(here.path(), RENDER), 0, "1 frame in")
}

#[trial]
fn again_two_at_once_do_no_harm() -> Result<(), Failed> {
    let frames = reference();
    let here = folder();
    let start = || command(here.path(), RENDER).stderr(std::process::Stdio::null()).spawn();
    let mut running = [start()?, start()?, start()?];
    for one in &mut running {
        assert!(one.wait()?.success());
    }
    same(&here.path().join("f"), &frames)
}

#[trial]
fn again_records_each_attempt() -> Result<(), Failed> {
    let here = folder();
    let options = [RENDER, &["--record", "-f", "0-5"]].concat();
    wanted(&tintype(here.path(), &options), 0, "6 frames in")?;
    let mut task = command(here.path(), &[RENDER, &["--record", "--shard", "slurm/2"]].concat());
    task.env("SLURM_ARRAY_JOB_ID", "77")
        .env("SLURM_ARRAY_TASK_ID", "0")
        .env("SLURMD_NODENAME", "n9");
    wanted(&task.output()?, 0, "6 frames are up to date")?;
    let all = [RENDER, &["--record"]].concat();
    wanted(&tintype(here.path(), &all), 0, "6 frames in")?;
    same(&here.path().join("f"), &reference())?;

    let records = files(&here.path().join("f/.tintype/tasks"));
    let parsed: Vec<Vec<serde_json::Value>> = records
        .values()
        .map(|text| {
            let lines = std::str::from_utf8(text).unwrap().lines();
            lines.map(|line| serde_json::from_str(line).unwrap()).collect()
        })
        .collect();
    assert_eq!(parsed.len(), 3, "{records:?}");
    for lines in &parsed {
        assert_eq!((&lines[0]["event"], &lines[0]["version"]), (&"start".into(), &1.into()));
        let last = lines.last().unwrap();
        assert_eq!((&last["event"], &last["code"]), (&"end".into(), &0.into()));
    }
    let drawn = |lines: &[serde_json::Value]| {
        let frames = lines.iter().filter(|line| line["event"] == "frame");
        let mut frames: Vec<i64> = frames
            .map(|line| {
                assert_eq!(line["digest"].as_str().map(str::len), Some(64));
                assert!(line["seconds"].as_f64() > Some(0.0));
                assert!(
                    line["peak_bytes"].is_null() || line["peak_bytes"].as_u64() > Some(1 << 20)
                );
                line["frame"].as_i64().unwrap()
            })
            .collect();
        frames.sort_unstable();
        frames
    };
    assert_eq!(drawn(&parsed[0]), (0..6).collect::<Vec<_>>());
    assert_eq!((drawn(&parsed[1]), &parsed[1][0]["node"]), (vec![], &"n9".into()));
    assert_eq!((&parsed[1][0]["job"], &parsed[1][0]["task"]), (&"77".into(), &"0".into()));
    let present = parsed[1].iter().find(|line| line["event"] == "present").unwrap();
    assert_eq!(present["frames"], "0-5");
    assert_eq!(drawn(&parsed[2]), (6..12).collect::<Vec<_>>());
    // Without --record there is no record.
    let plain = folder();
    wanted(&tintype(plain.path(), RENDER), 0, "")?;
    assert!(!plain.path().join("f/.tintype").exists());
    Ok(())
}

/// A temporarily full disk: a command with retries waits, and succeeds.
#[trial(on_a_disk("size=256k"))]
fn again_outlives_a_full_disk(disk: &Path) -> Result<(), Failed> {
    let here = folder();
    let pattern = format!("{}/f/####.png", disk.display());
    let filler = disk.join("filler");
    // To the last page.
    let filled = fs::write(&filler, vec![0; 1 << 20]);
    assert!(filled.is_err(), "the disk is full");
    let render = ["render", "scene.toml", "-o", &pattern];
    wanted(&tintype(here.path(), &render), 75, "")?;
    let patient = [&render[..], &["--retries", "20"]].concat();
    let child = command(here.path(), &patient).stderr(std::process::Stdio::piped()).spawn()?;
    std::thread::sleep(Duration::from_millis(300));
    fs::remove_file(&filler)?;
    wanted(&child.wait_with_output()?, 0, "12 frames in")?;
    same(&disk.join("f"), &reference())
}
