//! The files of a report as left on the disk by `test`.

use super::page::address;
use crate::chromium::{Browser, with_browser};
use crate::json_schema::{errors, with_python};
use crate::support::command::{command, wanted};
use crate::support::trial;
use libtest_mimic::Failed;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;
use tintype_golden::report::json::SCHEMA;
use tintype_output::decode_png;

type Outcome = Result<(), Failed>;

const SCENE: &str = "[output]\nframes = \"0-3\"\n[camera]\ntarget = [0, 0.5, 0]\ndistance = 2.2\nazimuth_deg = { from = 0, to = 90 }\n\
    [[material]]\nname = \"models/globe\"\n[[model]]\nfile = \"globe.md5mesh\"\n\
    [golden]\nframes = \"0,2\"\nsize = [40, 30]\n";

/// A folder with one small scene, its model and its goldens.
fn folder() -> Result<TempDir, Failed> {
    let folder = TempDir::new()?;
    let scenes = folder.path().join("scenes");
    fs::create_dir(&scenes)?;
    let model = Path::new(env!("WORKSPACE_ROOT")).join("scenes/assets/globe.md5mesh");
    fs::copy(model, scenes.join("globe.md5mesh"))?;
    fs::write(scenes.join("ball.toml"), SCENE)?;
    wanted(&tintype(folder.path(), &["bless", "--all"], &[]), 0, "2 goldens written")?;
    Ok(folder)
}

/// The scene with one text for another.
fn edit(folder: &Path, from: &str, to: &str) -> Outcome {
    assert!(SCENE.contains(from), "{from}");
    Ok(fs::write(folder.join("scenes/ball.toml"), SCENE.replace(from, to))?)
}

fn tintype(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    command(folder, arguments).envs(variables.iter().copied()).output().unwrap()
}

/// All files below a folder, with `/` between the parts.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(below) = open.pop() {
        for entry in fs::read_dir(folder.join(&below)).unwrap() {
            let path = below.join(entry.unwrap().file_name());
            if folder.join(&path).is_dir() {
                open.push(path);
            } else {
                found.push(path.display().to_string());
            }
        }
    }
    found.sort();
    found
}

fn json(output: &Output) -> Result<Value, Failed> {
    Ok(serde_json::from_slice(&output.stdout)?)
}

const PICTURES: [&str; 5] = ["golden", "new", "diff", "heat", "pixels"];

#[trial]
fn report_has_every_file_that_it_names_and_no_other() -> Outcome {
    let folder = folder()?;
    let out = folder.path().join("out");
    fs::create_dir(&out)?;
    fs::write(out.join("notes.txt"), "mine")?;
    edit(folder.path(), "to = 90", "to = 91")?;
    let arguments = ["test", "--report", "out", "--junit", "out/junit.xml", "--json", "-"];
    let output = tintype(folder.path(), &arguments, &[]);
    wanted(&output, 1, "report: out/index.html")?;
    let found = json(&output)?;
    assert_eq!(found["totals"]["passed"], 1);
    let frames = found["scenes"][0]["frames"].as_array().ok_or("no frames")?;
    let named: Vec<&str> = frames
        .iter()
        .flat_map(|frame| PICTURES.map(|kind| frame["pictures"][kind].as_str()))
        .flatten()
        .collect();
    assert_eq!(named.len(), 6, "one golden that passed, five files of the other: {named:?}");
    let mut expected: Vec<String> = named.iter().map(ToString::to_string).collect();
    expected.extend([".tintype-report", "index.html", "junit.xml", "notes.txt"].map(str::to_owned));
    expected.sort();
    assert_eq!(files(&out), expected);

    // The failed frame shows the cause, the reason, the amount, and how to accept it.
    let failed = &frames[1];
    assert_eq!(failed["status"], "different");
    assert_eq!(failed["cause"]["stage"], "scene");
    assert_eq!(failed["cause"]["text"], "camera azimuth_deg 0.0..90.0 -> 0.0..91.0");
    assert_eq!(failed["accept"], "tintype bless golden/ball/0002.png");
    let names: Vec<&Value> =
        failed["metrics"].as_array().unwrap().iter().map(|m| &m["name"]).collect();
    assert_eq!(names, ["flip", "ssim"]);
    assert!(failed["metrics"][0]["value"].as_f64() > Some(0.0));
    let (golden, _) = decode_png(&fs::read(out.join(named[1]))?)?;
    let (kept, _) = decode_png(&fs::read(folder.path().join("golden/ball/0002.png"))?)?;
    assert_eq!(golden, kept);
    let (new, _) = decode_png(&fs::read(out.join(named[2]))?)?;
    let count = golden.rgba.iter().zip(&new.rgba).filter(|(a, b)| a != b).count();
    assert_eq!(failed["change"]["count"], count);
    let accepted = tintype(folder.path(), &["bless", "golden/ball/0002.png"], &[]);
    wanted(&accepted, 0, "1 golden written")?;

    // The next report removes the files of the previous one, and leaves others.
    wanted(&tintype(folder.path(), &arguments, &[]), 0, "2 goldens the same")?;
    let goldens = ["pictures/ball/0000.golden.png", "pictures/ball/0002.golden.png"];
    let others = [".tintype-report", "index.html", "junit.xml", "notes.txt"];
    assert_eq!(files(&out), [&others[..], &goldens[..]].concat());
    Ok(())
}

/// The files of a JavaScript package that a page copies; nothing is drawn by them.
fn package(folder: &Path) -> Outcome {
    let package = folder.join("package");
    fs::create_dir(&package)?;
    for name in ["index.js", "worker.js", "viewer.js", "tintype.wasm"] {
        fs::write(package.join(name), format!("// </script> of {name}\n"))?;
    }
    Ok(())
}

#[trial]
fn report_carries_models_of_failures_on_request() -> Outcome {
    let (folder, old) = (folder()?, folder()?);
    edit(folder.path(), "to = 90", "to = 91")?;
    let mut arguments = vec!["test", "--report", "out", "--json", "-", "--interactive", "package"];
    wanted(&tintype(folder.path(), &arguments, &[]), 2, "package/viewer.js is missing: name")?;
    package(folder.path())?;
    let turn = |output: &Output| -> Result<Value, Failed> {
        let found = json(output)?;
        assert_eq!(found["scenes"][0]["frames"][0]["turn"], Value::Null, "it passes");
        Ok(found["scenes"][0]["frames"][1]["turn"].clone())
    };
    let output = tintype(folder.path(), &arguments, &[]);
    wanted(&output, 1, "the page shows the models of 1 failed golden in a viewer: ")?;
    let alone = turn(&output)?;
    assert_eq!([&alone["new_index"], &alone["old_index"]], [&Value::from(2), &Value::Null]);
    assert!(alone["notes"][0].as_str().is_some_and(|note| note.contains("--against")), "{alone}");
    let against = old.path().display().to_string();
    arguments.extend(["--against", &against]);
    let output = tintype(folder.path(), &arguments, &[]);
    let both = turn(&output)?;
    assert_eq!(both["old_index"], 2);
    assert_eq!(both["notes"], serde_json::json!([]));
    assert_eq!(both["files"], alone["files"], "the model is the same");
    let out = folder.path().join("out");
    let written = |name: &Value| fs::read_to_string(out.join(name.as_str().unwrap_or_default()));
    let scenes = written(&both["script"])?;
    assert!(scenes.contains("to = 90") && scenes.contains("to = 91"), "{scenes}");
    let bytes = both["files"].as_array().ok_or("no files")?.iter().map(written);
    let bytes = bytes.collect::<Result<String, _>>()?.len() + scenes.len();
    assert_eq!(both["bytes"], bytes);
    let engine = fs::read_to_string(out.join("pictures/engine.js"))?;
    assert!(engine.starts_with("takeEngine({ index: \"// \\u003c/script"), "{engine}");
    assert!(fs::read_to_string(out.join("index.html"))?.contains("worker-src blob:"));

    // Later reports do not have them.
    wanted(&tintype(folder.path(), &["test", "--report", "out"], &[]), 1, "report")?;
    assert!(!fs::read_to_string(out.join("index.html"))?.contains("worker-src"));
    assert!(files(&out).iter().all(|name| !name.ends_with("engine.js")), "{:?}", files(&out));
    Ok(())
}

#[trial]
fn report_replaces_no_page_of_others() -> Outcome {
    let folder = folder()?;
    let site = folder.path().join("site");
    fs::create_dir(&site)?;
    fs::write(site.join("index.html"), "<html>mine</html>")?;
    let output = tintype(folder.path(), &["test", "--report", "site"], &[]);
    wanted(&output, 2, "site/index.html is not a tintype page")?;
    assert_eq!(files(&site), ["index.html"]);
    assert_eq!(fs::read_to_string(site.join("index.html"))?, "<html>mine</html>");
    Ok(())
}

#[trial]
fn report_shows_what_could_not_be_compared() -> Outcome {
    let folder = folder()?;
    let below = |path: &str| folder.path().join(path);
    fs::write(
        below("scenes/torn.toml"),
        "[[model]]\nfile = \"globe.md5mesh\"\n[output]\nframes = \"0-\"\n[golden]\n",
    )?;
    fs::write(below("golden/ball/0000.png"), "torn")?;
    fs::create_dir(below("golden/gone"))?;
    fs::copy(below("golden/ball/0002.png"), below("golden/gone/0000.png"))?;
    fs::remove_file(below("golden/ball/0002.png"))?;
    let output = tintype(folder.path(), &["test", "--report", "out", "--json", "-"], &[]);
    wanted(&output, 2, "missing")?;
    let found = json(&output)?;
    let totals = found["totals"]["by_status"].to_string();
    let expected = r#"{"dangling":1,"missing":1,"not-drawn":1,"unreadable":1}"#;
    assert_eq!(totals, expected);
    let scenes = found["scenes"].as_array().unwrap();
    let torn = scenes.iter().find(|scene| scene["path"] == "scenes/torn.toml").unwrap();
    assert_eq!(torn["line"], 4);
    // The new picture where there is no golden to compare it with.
    assert!(below("out/pictures/ball/0002.new.png").is_file());
    Ok(())
}

#[trial]
fn report_says_by_which_rule() -> Outcome {
    let folder = folder()?;
    edit(folder.path(), "to = 90", "to = 90.2")?;
    let scene = folder.path().join("scenes/ball.toml");
    let text = fs::read_to_string(&scene)?;
    fs::write(&scene, format!("{text}metric = \"flip\"\nbound = 0.5\n"))?;
    let output = tintype(folder.path(), &["test", "--report", "out", "--json", "-"], &[]);
    wanted(&output, 0, "1 within their bounds")?;
    let found = json(&output)?;
    let frame = &found["scenes"][0]["frames"][1];
    assert_eq!([&frame["status"], &frame["rule"]], ["within", "flip at most 0.5"]);
    let metrics = frame["metrics"].as_array().unwrap();
    assert_eq!(metrics[0]["name"], "flip over the model");
    assert_eq!(metrics[0]["bound"], 0.5);
    assert!(metrics[0]["value"].as_f64() > metrics[1]["value"].as_f64(), "{metrics:?}");
    // Frames that passed within a bound can be viewed too.
    for kind in PICTURES {
        let name = frame["pictures"][kind].as_str().ok_or(kind)?;
        assert!(folder.path().join("out").join(name).is_file(), "{name}");
    }
    Ok(())
}

#[trial]
fn report_counts_what_fail_fast_left_out() -> Outcome {
    let folder = folder()?;
    edit(folder.path(), "from = 0, to = 90", "from = 5, to = 90")?;
    let text = fs::read_to_string(folder.path().join("scenes/ball.toml"))?;
    fs::write(folder.path().join("scenes/other.toml"), text)?;
    let arguments = ["test", "--fail-fast", "--json", "-", "-j", "1"];
    let output = tintype(folder.path(), &arguments, &[]);
    wanted(&output, 1, "not compared")?;
    let found = json(&output)?;
    let totals = &found["totals"];
    let count = |key: &str| totals[key].as_u64().unwrap();
    assert_eq!(count("goldens"), 4);
    assert_eq!(count("failed") + count("skipped"), 4);
    assert!(count("skipped") > 0 && count("failed") > 0, "{totals}");
    Ok(())
}

#[trial]
fn annotations_are_written_where_github_reads_them() -> Outcome {
    let folder = folder()?;
    edit(folder.path(), "to = 90", "to = 91")?;
    let plain = tintype(folder.path(), &["test"], &[]);
    assert!(!String::from_utf8_lossy(&plain.stderr).contains("::error"));
    let output = tintype(folder.path(), &["test", "--json", "-"], &[("GITHUB_ACTIONS", "true")]);
    wanted(
        &output,
        1,
        "::error file=scenes/ball.toml,line=11,title=ball%3A 1 of 2 goldens failed::frame 2: camera azimuth_deg 0.0..90.0 -> 0.0..91.0%0Ato accept: tintype bless scenes/ball.toml\n",
    )?;
    json(&output).map(drop)
}

#[trial]
fn report_that_cannot_be_written_is_an_error() -> Outcome {
    let folder = folder()?;
    fs::write(folder.path().join("taken"), "a file")?;
    for option in ["--report", "--junit", "--json"] {
        let path = if option == "--report" { "taken" } else { "taken/x" };
        let output = tintype(folder.path(), &["test", option, path], &[]);
        let code = output.status.code();
        assert!(matches!(code, Some(2 | 75)), "{option}: {code:?}");
        wanted(&output, code.unwrap_or(0), "taken")?;
    }
    Ok(())
}

#[trial(with_python)]
fn json_of_the_command_is_as_its_schema_says(python: &PathBuf) -> Outcome {
    let folder = folder()?;
    let below = |path: &str| folder.path().join(path);
    fs::write(below("scenes/torn.toml"), "[golden\n")?;
    edit(folder.path(), "to = 90", "to = 91")?;
    let mut texts = Vec::new();
    package(folder.path())?;
    let page = ["test", "--json", "-", "--report", "out"];
    let turning = [&page[..], &["--interactive", "package"]].concat();
    for arguments in [&page[..3], &page, &turning] {
        texts.push(String::from_utf8(tintype(folder.path(), arguments, &[]).stdout)?);
    }
    let said = errors(python, SCHEMA, &texts)?.concat();
    if said.is_empty() { Ok(()) } else { Err(said.into()) }
}

#[trial(with_browser)]
fn report_of_the_command_opens(browser: &Browser) -> Outcome {
    let folder = folder()?;
    edit(folder.path(), "to = 90", "to = 91")?;
    wanted(&tintype(folder.path(), &["test", "--report", "out"], &[]), 1, "report")?;
    let mut page = browser.open(1200, 900)?;
    page.open(&address(&folder.path().join("out")))?;
    page.settle()?;
    let heading = page.text("byId('verdict').textContent + '; ' + byId('title').textContent")?;
    assert_eq!(heading, "1 of 2 goldens failed; ball · frame 2");
    page.holds("KINDS.every((kind) => !current.pictures[kind] || pictures.get(current.pictures[kind]).ready)")?;
    page.wait("view.decoded !== null")?;
    let (frame, _) = decode_png(&fs::read(folder.path().join("golden/ball/0002.png"))?)?;
    let [x, y] = [20, 15];
    let found = page.value(&format!("pixelAt(view.decoded.golden, {x}, {y})"))?;
    assert_eq!(found, serde_json::json!(frame.rgba[y * 40 + x]));
    assert_eq!(page.complaints()?, Vec::<String>::new());
    Ok(())
}
