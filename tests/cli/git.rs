//! Goldens in the life of a repository: each story is played with git itself, in a temporary
//! folder.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::goldens::{Outcome, SCENE, blessed, run, write};
use crate::support::command::{BOX, command, tintype, wanted};
use crate::support::trial;
use libtest_mimic::Failed;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A command of git in a folder, without the settings of the user who runs the test.
fn git_output(folder: &Path, arguments: &[&str]) -> Output {
    let words = ["-c", "user.name=n", "-c", "user.email=n@example.org"];
    let mut command = Command::new("git");
    command.args(words).args(["-c", "protocol.file.allow=always"]).args(arguments);
    command.current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("LC_ALL", "C");
    command.output().expect("git is installed")
}

/// The same; it must succeed.
fn git(folder: &Path, arguments: &[&str]) -> Result<String, Failed> {
    let output = git_output(folder, arguments);
    wanted(&output, 0, "")
        .map_err(|error| format!("git {arguments:?}: {}", error.message().unwrap_or_default()))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Makes a repository of a folder with all its files.
fn commit(folder: &Path) -> Outcome {
    if !folder.join(".git").exists() {
        git(folder, &["init", "-q", "-b", "main"])?;
    }
    git(folder, &["add", "."])?;
    git(folder, &["commit", "-qm", "state"])?;
    Ok(())
}

/// All files below a folder except those of git, with their bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true if entry.file_name() == ".git" => {}
            true => found.extend(files(&path)),
            false => drop(found.insert(path.clone(), fs::read(&path).unwrap())),
        }
    }
    found
}

fn copy(from: &Path, to: &Path) {
    for (path, bytes) in files(from) {
        let target = to.join(path.strip_prefix(from).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::write(target, bytes).unwrap();
    }
}

fn painted() -> String {
    SCENE.replace("#ffffff", "#ff8040")
}

#[trial]
fn dry_run_writes_nothing() -> Outcome {
    let folder = blessed()?;
    let path = folder.path();
    let unchanged = |arguments: &[&str], says: &[&str]| -> Outcome {
        let before = files(path);
        let said = run(path, &[&["bless", "--dry-run"], arguments].concat(), 0, says[0])?;
        for words in says {
            assert!(said.contains(words), "{arguments:?}: {words}\n{said}");
        }
        assert!(before == files(path), "{arguments:?}: files changed");
        Ok(())
    };
    unchanged(&["--all"], &["0 goldens would be written in 1 scene"])?;
    write(path, "scenes/box.toml", &painted());
    unchanged(
        &["--all"],
        &["golden/box/0003.png: old -> new: ", "8 goldens would be written in 1 scene"],
    )?;
    unchanged(&["--all", "--beside"], &["golden/box/0003/1.png", "8 goldens would be written"])?;
    // On a server that cannot accept goldens, a dry run is allowed.
    let mut on_server = command(path, &["bless", "--all", "--dry-run"]);
    wanted(&on_server.env("CI", "true").output()?, 0, "8 goldens would be written")?;
    write(path, "scenes/box.toml", &SCENE.replace("\"0-7\"\nsize", "\"0-5\"\nsize"));
    unchanged(
        &["--prune"],
        &["golden/box/0006.png: would be removed", "2 goldens would be removed"],
    )?;
    fs::rename(path.join("scenes/box.toml"), path.join("scenes/crate.toml"))?;
    unchanged(
        &["--move"],
        &[
            "scene box is now crate",
            "golden/box/0001.png -> golden/crate/0001.png",
            "would be moved",
        ],
    )?;
    let models = ["--models", "scenes/box.md5mesh", "--golden", "library", "--allow-warnings"];
    unchanged(&models, &["library/box.md5mesh/bind/0000.png: ", "1 golden would be written"])?;
    // A dry run reports what bless does.
    run(path, &[&["bless"][..], &models].concat(), 0, "1 golden written")?;
    fs::rename(path.join("scenes/box.md5mesh"), path.join("scenes/chest.md5mesh"))?;
    let models = ["--models", "scenes/chest.md5mesh", "--golden", "library", "--prune"];
    unchanged(&models, &["library/box.md5mesh: would be removed"])?;
    Ok(())
}

/// A change of a project, and the commands that accept it.
type Story = (&'static str, fn(&Path), &'static [&'static [&'static str]]);

const ALL: &[&str] = &["bless", "--all"];
const PRUNE: &[&str] = &["bless", "--prune"];
const MOVE: &[&str] = &["bless", "--move"];

const STORIES: [Story; 8] = [
    ("another colour", |path| write(path, "scenes/häuser/a box.toml", &painted_below()), &[ALL]),
    ("more frames", |path| write(path, "scenes/häuser/a box.toml", &below("0-7")), &[ALL]),
    ("fewer frames", |path| write(path, "scenes/häuser/a box.toml", &below("0-1")), &[PRUNE]),
    ("a new scene", |path| write(path, "scenes/häuser/b.toml", &painted_below()), &[ALL]),
    (
        "a scene that is gone",
        |path| fs::remove_file(path.join("scenes/häuser/a box.toml")).unwrap(),
        &[PRUNE],
    ),
    (
        "a scene that moved",
        |path| {
            let scenes = path.join("scenes");
            fs::rename(scenes.join("häuser/a box.toml"), scenes.join("häuser/b.toml")).unwrap();
        },
        &[MOVE],
    ),
    (
        "a scene that moved, with a golden that fails",
        |path| {
            let scenes = path.join("scenes");
            fs::rename(scenes.join("häuser/a box.toml"), scenes.join("häuser/b.toml")).unwrap();
            let golden = path.join("golden/häuser/a box");
            fs::copy(golden.join("0001.png"), golden.join("0002.png")).unwrap();
        },
        &[MOVE, ALL],
    ),
    (
        "a record that is none",
        |path| write(path, "golden/häuser/a box/0002.toml", "version = 2\npixel_revision = 1\n"),
        &[ALL],
    ),
];

/// The scene in a folder of scenes, with some golden frames.
fn below(frames: &str) -> String {
    let text = SCENE.replace("box.md5mesh", "../box.md5mesh");
    let golden = format!("[golden]\nframes = \"{frames}\"");
    text.replace("[golden]\nframes = \"0-7\"", &golden)
}

fn painted_below() -> String {
    below("0-3").replace("#ffffff", "#ff8040")
}

/// A project in a folder of a repository, with four goldens below names with spaces and other
/// letters.
fn project(top: &Path, below_top: &str) -> Result<PathBuf, Failed> {
    let path = top.join(below_top);
    write(&path, "scenes/box.md5mesh", BOX);
    write(&path, "scenes/häuser/a box.toml", &below("0-3"));
    // One scene stays, so that there are always scenes.
    write(
        &path,
        "scenes/stays.toml",
        &SCENE.replace("[golden]\nframes = \"0-7\"", "[golden]\nframes = \"7\""),
    );
    run(&path, &["bless", "--all"], 0, "5 goldens written")?;
    Ok(path)
}

#[trial]
fn patch_accepts_as_bless_does() -> Outcome {
    for (name, change, commands) in STORIES {
        let told = |error: Failed| format!("{name}: {}", error.message().unwrap_or_default());
        for below_top in ["", "art/3d äpfel"] {
            let folder = TempDir::new()?;
            let path = project(folder.path(), below_top)?;
            commit(folder.path())?;
            change(&path);
            // Bless in another folder explains how the files must be.
            let other = TempDir::new()?;
            copy(&path, other.path());
            for command in commands {
                run(other.path(), command, 0, "")?;
            }
            let output = tintype(&path, &["test", "--patch", "accept.patch"]);
            assert!(!output.status.success(), "{name}");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(said.contains("git apply accept.patch"), "{name}: {said}");
            let patch = fs::read_to_string(path.join("accept.patch"))?;
            assert!(patch.starts_with("diff --git "), "{name}: {patch}");
            let index = git(folder.path(), &["status", "--porcelain", "--untracked-files=no"])?;
            git(&path, &["apply", "accept.patch"]).map_err(told)?;
            git(&path, &["apply", "-R", "accept.patch"]).map_err(told)?;
            let same = git(folder.path(), &["status", "--porcelain", "--untracked-files=no"])?;
            assert_eq!(index, same, "{name}: the index, and the files after -R");
            let from_top = Path::new(below_top).join("accept.patch");
            git(folder.path(), &["apply", from_top.to_str().unwrap()]).map_err(told)?;
            fs::remove_file(path.join("accept.patch"))?;
            let relative = |root: &Path| -> BTreeMap<PathBuf, Vec<u8>> {
                let of = |(path, bytes): (PathBuf, Vec<u8>)| {
                    (path.strip_prefix(root).unwrap().to_owned(), bytes)
                };
                files(root).into_iter().map(of).collect()
            };
            let (found, blessed) = (relative(&path), relative(other.path()));
            // Of a golden that moves and changes, the record is another file than where it is moved
            // first.
            let is_one = commands.len() == 1;
            assert!(!is_one || found == blessed, "{name}: {found:?}\n{blessed:?}");
            assert!(found.keys().eq(blessed.keys()), "{name}: {:?}", found.keys());
            run(&path, &["test"], 0, "0 failed").map_err(told)?;
        }
    }
    Ok(())
}

#[trial]
fn patch_is_not_written_for_nothing() -> Outcome {
    let folder = blessed()?;
    let path = folder.path();
    let patch = path.join("accept.patch");
    // Outside of a repository too.
    write(path, "scenes/box.toml", &painted());
    run(path, &["test", "--patch", "accept.patch"], 1, "patch of 16 files")?;
    let output = tintype(path, &["test", "--patch", "-"]);
    assert!(output.stdout == fs::read(&patch)?, "standard output has the same");
    git(path, &["apply", "accept.patch"])?;
    // Files of an earlier test are removed.
    run(path, &["test", "--patch", "accept.patch"], 0, "nothing to accept; no file written")?;
    assert!(!patch.exists());
    fs::copy(path.join("scenes/box.toml"), &patch)?;
    run(path, &["test", "--patch", "accept.patch"], 2, "is not a patch and would be overwritten")?;
    assert!(patch.exists());
    fs::remove_file(&patch)?;
    // A picture with a checker instead of a texture is only accepted on request.
    write(path, "scenes/box.md5mesh", &BOX.replace("\"crate\"", "\"none_such\""));
    let material = "[[material]]\nname = \"crate\"\ncolor = \"#ff8040\"\n";
    write(path, "scenes/box.toml", &painted().replace(material, ""));
    let said = run(path, &["test", "--patch", "accept.patch"], 1, "nothing to accept")?;
    assert!(said.contains("0000.png: not in the patch: the picture has stand-ins"), "{said}");
    assert!(!patch.exists());
    run(path, &["test", "--patch", "x", "--against", "HEAD"], 2, "--against")?;
    Ok(())
}

#[trial]
fn patch_of_a_library() -> Outcome {
    let folder = TempDir::new()?;
    let path = folder.path();
    write(path, "chars/box.md5mesh", BOX);
    write(path, "chars/gone.md5mesh", BOX);
    let models = ["--models", "chars"];
    run(path, &[&["bless", "--size", "32x24", "--allow-warnings"], &models[..]].concat(), 0, "")?;
    commit(path)?;
    fs::remove_file(path.join("chars/gone.md5mesh"))?;
    write(path, "chars/box.md5mesh", &BOX.replace("( 1 ", "( 1.25 "));
    write(path, "chars/new.md5mesh", BOX);
    // Their texture is missing, so that only the removal is accepted.
    let test = [&["test", "--patch", "accept.patch"], &models[..]].concat();
    let said = run(path, &test, 1, "git apply accept.patch")?;
    assert!(said.contains("not in the patch"), "{said}");
    git(path, &["apply", "accept.patch"])?;
    assert!(!path.join("chars-golden/gone.md5mesh").exists());
    assert!(!path.join("chars-golden/new.md5mesh").exists());
    Ok(())
}

/// Sets a filter as Git LFS does it, by path: pictures are kept in `store` under their digests, and
/// pointers are committed; those in conflict stay as they are.
fn filter_by_path(folder: &Path, store: &Path) -> Outcome {
    let clean = format!(
        "f=$(mktemp); cat > $f; d=$(sha256sum < $f | cut -d' ' -f1); if head -c 8 $f | grep -q '^version '; then cat $f; else cp $f '{0}'/$d; printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize %d\\n' $d $(wc -c < $f); fi",
        store.display()
    );
    let smudge = format!(
        "f=$(mktemp); cat > $f; if head -c 8 $f | grep -q '^version ' && [ $(grep -c '^oid ' $f) = 1 ]; then cat '{0}'/$(sed -n 's/^oid sha256://p' $f); else cat $f; fi",
        store.display()
    );
    git(folder, &["config", "filter.lfs.clean", &clean])?;
    git(folder, &["config", "filter.lfs.smudge", &smudge])?;
    git(folder, &["config", "filter.lfs.required", "true"])?;
    write(folder, ".gitattributes", "golden/**/*.png filter=lfs diff=lfs merge=lfs -text\n");
    Ok(())
}

#[trial]
fn patch_goes_through_filters() -> Outcome {
    let (folder, store) = (blessed()?, TempDir::new()?);
    let path = folder.path();
    git(path, &["init", "-q", "-b", "main"])?;
    filter_by_path(path, store.path())?;
    commit(path)?;
    assert!(
        git(path, &["show", "HEAD:golden/box/0000.png"])?.starts_with("version https://git-lfs")
    );
    write(path, "scenes/box.toml", &painted());
    // Git leaves out files above its working folder, so the command differs there.
    fs::create_dir(path.join("sub"))?;
    let said = run(&path.join("sub"), &["test", "../scenes", "--patch", "p"], 1, ": git -C ")?;
    let told = said.lines().find_map(|line| line.split_once(": git -C ")).unwrap().1;
    let mut shell = Command::new("sh");
    assert!(shell.args(["-c", &format!("git -C {told}")]).current_dir(path).status()?.success());
    run(path, &["test"], 0, "8 goldens the same")?;
    git(path, &["checkout", "-q", "golden"])?;
    fs::remove_dir_all(path.join("sub"))?;
    run(path, &["test", "--patch", "accept.patch"], 1, "git apply accept.patch")?;
    git(path, &["apply", "accept.patch"])?;
    run(path, &["test", "--patch", "accept.patch"], 0, "nothing to accept")?;
    commit(path)?;
    assert!(
        git(path, &["show", "HEAD:golden/box/0000.png"])?.starts_with("version https://git-lfs")
    );
    run(path, &["test", "--against", "HEAD~1"], 1, "8 failed")?;
    run(path, &["test", "--against", "HEAD"], 0, "8 goldens the same")?;
    Ok(())
}

/// Three scenes, one with a view, and six goldens.
fn suite() -> Result<TempDir, Failed> {
    let folder = TempDir::new()?;
    let path = folder.path();
    write(path, "scenes/box.md5mesh", BOX);
    let scene =
        |text: &str| text.replace("[golden]\nframes = \"0-7\"", "[golden]\nframes = \"0,4\"");
    write(path, "scenes/a.toml", &scene(SCENE));
    write(path, "scenes/b.toml", &scene(&SCENE.replace("[output]", "[output]\naov = [\"depth\"]")));
    write(path, "scenes/c.toml", &scene(&SCENE.replace("70", "50")));
    run(path, &["bless", "--all"], 0, "8 goldens written")?;
    Ok(folder)
}

/// Runs all shards of a test into `shards/1` and on; returns their exit codes.
fn run_shards(path: &Path, of: usize) -> Vec<Option<i32>> {
    let _ = fs::remove_dir_all(path.join("shards"));
    let shard = |number: usize| {
        let (share, report) = (format!("{number}/{of}"), format!("shards/{number}"));
        tintype(path, &["test", "--shard", &share, "--report", &report]).status.code()
    };
    (1..=of).map(shard).collect()
}

/// The goldens of a report in JSON, with their statuses.
fn goldens_of(json: &serde_json::Value) -> Vec<(String, String)> {
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let scenes = json["scenes"].as_array().into_iter().flatten();
    let frames = scenes.flat_map(|scene| scene["frames"].as_array().into_iter().flatten());
    frames.map(|frame| (text(&frame["golden"]), text(&frame["status"]))).collect()
}

#[trial]
fn shards_join_to_the_test_of_all() -> Outcome {
    type Change = (&'static str, i32, fn(&Path));
    let changes: [Change; 5] = [
        ("nothing", 0, |_| ()),
        ("a colour", 1, |path| {
            let text = fs::read_to_string(path.join("scenes/b.toml")).unwrap();
            write(path, "scenes/b.toml", &text.replace("#ffffff", "#ff8040"));
        }),
        ("a golden of no scene", 1, |path| {
            let golden = path.join("golden/a");
            fs::copy(golden.join("0000.png"), golden.join("0001.png")).unwrap();
        }),
        ("a scene that moved", 1, |path| {
            fs::rename(path.join("scenes/a.toml"), path.join("scenes/z.toml")).unwrap();
        }),
        ("a scene with a mistake", 2, |path| write(path, "scenes/c.toml", "[outptu]\n")),
    ];
    for (name, code, change) in changes {
        let folder = suite()?;
        let path = folder.path();
        change(path);
        let whole = tintype(path, &["test", "--json", "whole.json", "--report", "whole"]);
        assert_eq!(whole.status.code(), Some(code), "{name}");
        let whole: serde_json::Value = serde_json::from_slice(&fs::read(path.join("whole.json"))?)?;
        for of in [1, 2, 3, 5] {
            let codes = run_shards(path, of);
            assert!(codes.iter().all(|own| *own <= Some(code)), "{name}: {codes:?}");
            let files = ["--json", "all.json", "--report", "all", "--junit", "all.xml"];
            let merge = [&["report", "merge", "shards"][..], &files].concat();
            let says = if code == 0 {
                format!("shard{}: 8 goldens passed, 0 failed", if of == 1 { "" } else { "s" })
            } else {
                String::new()
            };
            run(path, &merge, code, &says).map_err(|error| {
                format!("{name}, {of}: {}", error.message().unwrap_or_default())
            })?;
            let all: serde_json::Value = serde_json::from_slice(&fs::read(path.join("all.json"))?)?;
            assert_eq!(goldens_of(&all), goldens_of(&whole), "{name}: in {of} shards");
            for key in ["totals", "groups"] {
                assert_eq!(all[key], whole[key], "{name}: {key} in {of} shards");
            }
            let pictures = |report: &str| {
                let root = path.join(report).join("pictures");
                let of = |(path, bytes): (PathBuf, Vec<u8>)| {
                    (path.strip_prefix(&root).unwrap().to_owned(), bytes)
                };
                files_or_none(&root).into_iter().map(of).collect::<BTreeMap<_, _>>()
            };
            assert!(pictures("all") == pictures("whole"), "{name}: pictures of {of} shards");
            assert!(fs::read_to_string(path.join("all.xml"))?.contains("<testsuites"));
        }
    }
    Ok(())
}

fn files_or_none(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    if folder.exists() { files(folder) } else { BTreeMap::new() }
}

#[trial]
fn shards_are_complete_or_named() -> Outcome {
    let folder = suite()?;
    let path = folder.path();
    // A golden without a scene concerns all of them together.
    fs::copy(path.join("golden/a/0000.png"), path.join("golden/a/0001.png"))?;
    assert_eq!(run_shards(path, 3), [Some(0), Some(0), Some(0)]);
    let said = run(path, &["test", "--shard", "1/3"], 0, "`tintype report merge` decides")?;
    assert!(said.contains("1 golden without a scene"), "{said}");
    let said = run(path, &["report", "merge", "shards"], 1, "no scene uses this golden")?;
    assert!(said.contains("tintype bless --prune"), "{said}");
    run(path, &["test", "--list", "--shard", "2/3"], 0, "")?;
    fs::remove_file(path.join("golden/a/0001.png"))?;
    run_shards(path, 3);
    run(path, &["report", "merge", "shards", "shards/2"], 0, "8 goldens passed")?;
    copy(&path.join("shards/2"), &path.join("shards/again"));
    run(path, &["report", "merge", "shards"], 2, "shard 2/3 appears twice: ")?;
    fs::remove_dir_all(path.join("shards/again"))?;
    fs::remove_dir_all(path.join("shards/2"))?;
    // The others are joined, and the missing one is named in each form.
    let files = ["--report", "joined", "--junit", "joined.xml", "--summary", "joined.md"];
    let said = run(path, &[&["report", "merge", "shards"], &files[..]].concat(), 2, "2 shards: ")?;
    assert!(said.contains("error: shard 2/3: its results are missing"), "{said}");
    for file in ["joined/index.html", "joined.xml", "joined.md"] {
        let text = fs::read_to_string(path.join(file))?;
        assert!(text.contains("shard 2/3") && text.contains("are missing"), "{file}: {text}");
    }
    // So are those beside a truncated file.
    write(path, "shards/2/shard.json", "{\"version\": 1,");
    let said =
        run(path, &["report", "merge", "shards"], 2, "shard.json: not the results of a shard: ")?;
    assert!(said.contains("shard 2/3: its results are missing"), "{said}");
    run(path, &["report", "merge", "golden"], 2, "no shard results found")?;
    run(path, &["report", "merge", "nothing"], 2, "nothing: ")?;
    // Of other scenes, or of another number of shards.
    run(path, &["test", "--shard", "1/2", "--report", "shards/2"], 0, "")?;
    run(
        path,
        &["report", "merge", "shards"],
        2,
        "are shards of different tests: shards 1/3 and 1/2",
    )?;
    fs::remove_file(path.join("scenes/c.toml"))?;
    fs::remove_dir_all(path.join("golden/c"))?;
    run(path, &["test", "--shard", "2/3", "--report", "shards/2"], 0, "")?;
    run(path, &["report", "merge", "shards"], 2, "different tests: different scenes or goldens")?;
    // A stopped test leaves no results of an earlier one.
    write(path, "shards/2/index.html", "mine");
    run(path, &["test", "--shard", "2/3", "--report", "shards/2"], 2, "not a tintype page")?;
    fs::remove_dir_all(path.join("shards/1"))?;
    fs::remove_dir_all(path.join("shards/3"))?;
    write(path, "shards/2/shard.json", "{}");
    run(path, &["report", "merge", "shards"], 2, "shard.json: not the results of a shard: ")?;
    run(path, &["test", "--shard", "4/3"], 2, "--shard")?;
    Ok(())
}

#[trial]
fn shards_of_two_commits_are_refused() -> Outcome {
    let merge = ["report", "merge", "shards", "--report", "all"];
    let shard = |path: &Path, number: &str| {
        let share = format!("{number}/2");
        let report = format!("shards/{number}");
        tintype(path, &["test", "--shard", &share, "--report", &report]);
    };
    // Any commit is another state: a model, a golden that was accepted, a page.
    let changes: [fn(&Path); 3] = [
        |path| write(path, "scenes/box.md5mesh", &BOX.replace("( 1 ", "( 1.25 ")),
        |path| {
            write(path, "scenes/c.toml", &painted());
            run(path, &["bless", "--all"], 0, "").unwrap();
        },
        |path| write(path, "README", "x"),
    ];
    for change in changes {
        let folder = suite()?;
        let path = folder.path();
        write(path, ".gitignore", "shards\n");
        commit(path)?;
        shard(path, "1");
        change(path);
        commit(path)?;
        shard(path, "2");
        run(path, &merge, 2, "are shards of different tests: ")?;
        assert!(!path.join("all").exists());
        shard(path, "1");
        tintype(path, &merge);
        assert!(path.join("all/index.html").exists());
    }
    // Without git, the scene selects the goldens.
    let folder = suite()?;
    shard(folder.path(), "1");
    write(folder.path(), "scenes/c.toml", &painted().replace("0-7\"\nsize", "0,4\"\nsize"));
    shard(folder.path(), "2");
    run(folder.path(), &merge, 2, "different tests: different scenes or goldens")?;
    Ok(())
}

/// A branch that accepted another scene b, while main accepted another scene a and a new one.
fn branched() -> Result<TempDir, Failed> {
    let folder = suite()?;
    let path = folder.path();
    commit(path)?;
    let paint = |name: &str| -> Outcome {
        let scene = fs::read_to_string(path.join(name))?;
        write(path, name, &scene.replace("#ffffff", "#ff8040"));
        Ok(())
    };
    git(path, &["checkout", "-qb", "side"])?;
    paint("scenes/b.toml")?;
    run(path, &["bless", "--all"], 0, "")?;
    commit(path)?;
    git(path, &["checkout", "-q", "main"])?;
    paint("scenes/a.toml")?;
    write(path, "scenes/new.toml", &SCENE.replace("70", "30"));
    run(path, &["bless", "--all"], 0, "")?;
    commit(path)?;
    git(path, &["checkout", "-q", "side"])?;
    Ok(folder)
}

#[trial]
fn merge_base_leaves_out_what_the_other_branch_did() -> Outcome {
    let folder = branched()?;
    let path = folder.path();
    let base = git(path, &["merge-base", "main", "side"])?;
    for word in ["main...", "main...HEAD", "main...side"] {
        let said = run(path, &["test", "--against", word], 1, "golden/b/0000.png: ")?;
        assert!(said.contains(&base[..10]) && said.contains("the merge base with main"), "{said}");
        assert!(!said.contains("golden/a/") && !said.contains("golden/new/"), "{said}");
    }
    let said = run(path, &["test", "--against", "main"], 1, "golden/a/0000.png: ")?;
    assert!(said.contains("main has 1 commit since the merge base"), "{said}");
    assert!(said.contains("golden/new/0000.png: no scene uses this golden"), "{said}");
    // For an older commit there is no such message.
    let said = run(path, &["test", "--against", "HEAD~1"], 1, "golden/b/0000.png: ")?;
    assert!(!said.contains("since the merge base"), "{said}");
    run(path, &["test", "--against", "nowhere..."], 2, "nowhere...: neither a folder nor")?;
    git(path, &["checkout", "-q", "--orphan", "alone"])?;
    commit(path)?;
    run(path, &["test", "--against", "main..."], 2, "have no common commit")?;
    Ok(())
}

#[trial]
fn goldens_of_a_revision_are_named_by_their_paths() -> Outcome {
    let folder = branched()?;
    let path = folder.path();
    let scratch = TempDir::new()?;
    let scene = fs::read_to_string(path.join("scenes/b.toml"))?;
    write(path, "scenes/b.toml", &scene.replace("frames = \"0,4\"", "frames = \"0,3,4\""));
    let files = ["--report", "out", "--junit", "j.xml", "--summary", "s.md", "--json", "j.json"];
    let test = ["test", "--against", "main", "-v", "--pictures", "pictures"];
    let mut command = command(path, &[&test[..], &files].concat());
    let output = command.env("TMPDIR", scratch.path()).env("GITHUB_ACTIONS", "true").output()?;
    wanted(&output, 1, "golden/b/0003.png: the golden is missing")?;
    let held = scratch.path().to_str().unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert!(!String::from_utf8_lossy(&said).contains(held), "{}", String::from_utf8_lossy(&said));
    for (name, bytes) in self::files(&path.join("out")).into_iter().chain(
        ["j.xml", "s.md", "j.json"].map(|name| (name.into(), fs::read(path.join(name)).unwrap())),
    ) {
        assert!(!String::from_utf8_lossy(&bytes).contains(held), "{}", name.display());
    }
    // The page shows the golden of the revision, not that of the working folder.
    let shown = fs::read(path.join("out/pictures/a/0000.golden.png"))?;
    assert!(shown == git_output(path, &["show", "main:golden/a/0000.png"]).stdout);
    let list = tintype(path, &["test", "--against", "main", "--list"]);
    let list = String::from_utf8(list.stdout)?;
    assert!(list.contains("scenes/b.toml frame 3: golden/b/0003.png"), "{list}");
    // They are also chosen by these names.
    let one = ["test", "--against", "main", "golden/b/0004.png"];
    run(path, &one, 1, "0 goldens the same, 1 failed")?;
    let one = ["test", "--against", "main", "--filter", "golden/b/0004.png"];
    run(path, &one, 1, "0 goldens the same, 1 failed")?;
    Ok(())
}

#[trial]
fn what_failed_last_is_tested_again() -> Outcome {
    let folder = suite()?;
    let path = folder.path();
    run(path, &["test", "--last-failed"], 2, "--last-failed: git: ")?;
    commit(path)?;
    run(path, &["test", "--last-failed"], 2, "no earlier test in this folder")?;
    run(path, &["test"], 0, "8 goldens the same")?;
    run(path, &["test", "--last-failed"], 0, "nothing from the last test is left")?;
    fs::copy(path.join("golden/a/0000.png"), path.join("golden/c/0004.png"))?;
    write(path, "scenes/b.toml", "[outptu]\n");
    let whole = run(path, &["test"], 2, "outptu")?;
    let again = run(path, &["test", "--last-failed"], 2, "0 goldens the same, 1 failed")?;
    assert!(again.contains("outptu") && whole.contains("golden/c/0004.png"), "{whole}{again}");
    git(path, &["checkout", "-q", "scenes/b.toml"])?;
    run(path, &["test", "--last-failed"], 1, "4 goldens the same, 1 failed")?;
    run(path, &["test", "--last-failed"], 1, "0 goldens the same, 1 failed")?;
    // Another revision is not a test of this one, and neither is one from another folder.
    run(path, &["test", "--against", "HEAD"], 0, "8 goldens the same")?;
    fs::create_dir(path.join("sub"))?;
    run(&path.join("sub"), &["test", "--last-failed"], 2, "no earlier test in this folder")?;
    run(path, &["test", "--last-failed"], 1, "0 goldens the same, 1 failed")?;
    git(path, &["checkout", "-q", "golden"])?;
    run(path, &["test", "--last-failed"], 0, "1 golden the same, 0 failed")?;
    run(path, &["test", "--last-failed"], 0, "nothing from the last test is left")?;
    assert_eq!(git(path, &["status", "--porcelain"])?, "", "nothing is left in the project");
    // Of a library.
    for name in ["one", "two"] {
        write(path, &format!("chars/{name}.md5mesh"), BOX);
    }
    let library = ["--models", "chars"];
    run(path, &[&["bless", "--allow-warnings", "--size", "32x24"], &library[..]].concat(), 0, "")?;
    write(path, "chars/two.md5mesh", &BOX.replace("( 1 ", "( 1.03 "));
    run(path, &[&["test"], &library[..]].concat(), 1, "1 golden the same, 1 failed")?;
    let again = [&["test", "--last-failed"], &library[..]].concat();
    run(path, &again, 1, "0 goldens the same, 1 failed")?;
    write(path, "chars/two.md5mesh", BOX);
    run(path, &again, 0, "1 golden the same, 0 failed")?;
    run(path, &again, 0, "nothing from the last test is left")?;
    Ok(())
}

#[trial]
fn what_changed_is_tested_alone() -> Outcome {
    let folder = suite()?;
    let path = folder.path();
    run(path, &["test", "--only-changed"], 2, "--only-changed=HEAD: git: ")?;
    for name in ["one", "two"] {
        write(path, &format!("chars/{name}/{name}.md5mesh"), BOX);
    }
    let library = ["--models", "chars"];
    run(path, &[&["bless", "--allow-warnings", "--size", "32x24"], &library[..]].concat(), 0, "")?;
    commit(path)?;
    let changed = ["test", "--only-changed"];
    let of_models = [&changed[..], &library].concat();
    let nothing = "no files changed since HEAD: nothing to test";
    run(path, &changed, 0, nothing)?;
    run(path, &of_models, 0, nothing)?;
    type Change<'a> = (&'a str, &'a [u8], &'a str);
    // A scene, a golden, its record, a model used by all, a texture that no scene found so far, an
    // unused file, settings.
    let changes: [Change; 7] = [
        ("scenes/c.toml", b"\n# x\n", "2 goldens the same"),
        ("golden/b/0004.png", b"", "0 goldens the same, 1 failed"),
        ("golden/a/0000.toml", b"\n", "2 goldens the same"),
        ("scenes/box.md5mesh", b"\n", "8 goldens the same"),
        ("scenes/other.md5mesh", b"x", nothing),
        ("README", b"x", nothing),
        ("tintype.toml", b"", "8 goldens the same"),
    ];
    for (name, more, says) in changes {
        let file = path.join(name);
        let before = if file.exists() { fs::read(&file)? } else { Vec::new() };
        fs::write(
            &file,
            if name.ends_with("png") { b"x".to_vec() } else { [&before, more].concat() },
        )?;
        let output = tintype(path, &changed);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(says) || name.ends_with("png"), "{name}: {said}");
        assert!(
            !name.ends_with("png")
                || said.contains("golden/b/0004.png") && !said.contains("golden/a")
        );
        git(path, &["clean", "-qfd"])?;
        git(path, &["checkout", "-q", "."])?;
    }
    write(path, "chars/two/two.md5mesh", &(BOX.to_owned() + "\n"));
    run(path, &of_models, 0, "1 golden the same")?;
    git(path, &["checkout", "-q", "."])?;
    // A texture beside one of them, which the other does not use.
    write(path, "chars/one/textures/crate.png", "x");
    let said = tintype(path, &of_models);
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    assert!(said.contains("chars/one") && !said.contains("chars/two"), "{said}");
    git(path, &["clean", "-qfd"])?;
    // All that a branch did, in commits too.
    let folder = branched()?;
    let path = folder.path();
    run(path, &["test", "--only-changed"], 0, nothing)?;
    let of_branch = run(path, &["test", "--only-changed=main...", "-v"], 0, "4 goldens the same")?;
    assert!(!of_branch.contains("golden/a/"), "{of_branch}");
    run(path, &["test", "--only-changed=nowhere"], 2, "--only-changed=nowhere: neither")?;
    Ok(())
}

#[trial]
fn patches_of_shards_are_one_after_the_other() -> Outcome {
    let folder = suite()?;
    let path = folder.path();
    commit(path)?;
    fs::rename(path.join("scenes/a.toml"), path.join("scenes/z.toml"))?;
    for name in ["b", "c"] {
        let text = fs::read_to_string(path.join(format!("scenes/{name}.toml")))?;
        write(path, &format!("scenes/{name}.toml"), &text.replace("#ffffff", "#ff8040"));
    }
    let mut all = Vec::new();
    for number in ["1", "2", "3"] {
        let (shard, patch) = (format!("{number}/3"), format!("{number}.patch"));
        run(path, &["test", "--shard", &shard, "--patch", &patch], 1, "git apply")?;
        all.extend(fs::read(path.join(patch))?);
    }
    fs::write(path.join("accept.patch"), all)?;
    git(path, &["apply", "accept.patch"])?;
    run(path, &["test"], 0, "8 goldens the same")?;
    Ok(())
}

#[trial]
fn shards_of_a_library() -> Outcome {
    let folder = TempDir::new()?;
    let path = folder.path();
    for name in ["a", "b", "c"] {
        write(path, &format!("chars/{name}.md5mesh"), BOX);
    }
    let models = ["--models", "chars"];
    run(path, &[&["bless", "--size", "32x24", "--allow-warnings"], &models[..]].concat(), 0, "")?;
    fs::remove_file(path.join("chars/b.md5mesh"))?;
    for number in ["1", "2"] {
        let (share, report) = (format!("{number}/2"), format!("shards/{number}"));
        let test = ["test", "--shard", &share, "--report", &report];
        run(path, &[&test[..], &models].concat(), 0, "1 golden the same")?;
    }
    run(path, &["report", "merge", "shards"], 1, "model b.md5mesh no longer exists")?;
    Ok(())
}

#[trial]
fn project_begins_with_init() -> Outcome {
    let folder = TempDir::new()?;
    let path = folder.path();
    run(
        path,
        &["test"],
        2,
        "run `tintype init` to write a scene with goldens for each model here",
    )?;
    run(path, &["init"], 2, "no .md5mesh, .x")?;
    let glb = Path::new(env!("WORKSPACE_ROOT")).join("scenes/assets/ranger.glb");
    for name in ["chars/hero.glb", "node_modules/other.glb", ".hidden/other.glb"] {
        fs::create_dir_all(path.join(name).parent().unwrap())?;
        fs::copy(&glb, path.join(name))?;
    }
    write(path, "chars/broken.glb", "glTF");
    git(path, &["init", "-q", "-b", "main"])?;
    let said = run(path, &["init", "--ci", "github", "--hook"], 0, "3 goldens written in 1 scene")?;
    for words in
        ["wrote scenes/chars/hero.toml", "warning: chars/broken.glb: ", "wrote .gitattributes"]
    {
        assert!(said.contains(words), "{words}\n{said}");
    }
    assert!(!path.join("scenes/node_modules").exists() && !path.join("scenes/.hidden").exists());
    run(path, &["test"], 0, "3 goldens the same, 0 failed")?;
    let workflow = fs::read_to_string(path.join(".github/workflows/tintype.yml"))?;
    assert_eq!(workflow.matches("ADDRESS").count(), 1, "one place to fill in");
    // The hook refuses a commit whose goldens fail.
    let program = Path::new(env!("CARGO_BIN_EXE_tintype")).parent().unwrap();
    let search = format!("{}:{}", program.display(), std::env::var("PATH")?);
    let commits = |message: &str| -> bool {
        git_output(path, &["add", "."]);
        let words = ["-c", "user.name=n", "-c", "user.email=n@example.org"];
        let mut command = Command::new("git");
        command.args(words).args(["commit", "-qm", message]).current_dir(path);
        command.env("PATH", &search).env("TINTYPE_CONFIG", "").env_remove("CI");
        command.output().is_ok_and(|output| output.status.success())
    };
    assert!(commits("first"));
    let is_picture = |path: &&PathBuf| path.extension().is_some_and(|own| own == "png");
    let goldens = files(&path.join("golden"));
    let pictures: Vec<&PathBuf> = goldens.keys().filter(is_picture).collect();
    fs::copy(pictures[0], pictures[1])?;
    assert!(!commits("second"));

    // Nothing is overwritten.
    let mine = fs::read_to_string(path.join("scenes/chars/hero.toml"))? + "# mine\n";
    write(path, "scenes/chars/hero.toml", &mine);
    write(path, ".gitattributes", "*.png binary\n");
    let said = run(path, &["init", "--ci", "github", "--hook"], 0, "kept scenes/chars/hero.toml")?;
    let lacks = "kept .gitattributes; it lacks these lines:\n  golden/**/*.png binary";
    assert!(
        said.contains(lacks) && said.contains("kept .github/workflows/tintype.yml\n"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(path.join(".gitattributes"))?, "*.png binary\n");
    assert_eq!(fs::read_to_string(path.join("scenes/chars/hero.toml"))?, mine);
    Ok(())
}

/// A repository with goldens, a model and the recipes of the page about git, with `.gitattributes`
/// committed.
fn with_recipes() -> Result<TempDir, Failed> {
    let folder = blessed()?;
    let path = folder.path();
    fs::copy(
        Path::new(env!("WORKSPACE_ROOT")).join("scenes/assets/ranger.glb"),
        path.join("scenes/hero.glb"),
    )?;
    write(path, "scenes/table.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let page = fs::read_to_string(Path::new(env!("WORKSPACE_ROOT")).join("docs/git.md"))?;
    let block = |start: &str| {
        let (_, rest) = page.split_once(start).unwrap();
        rest.split_once("```\n").unwrap().0.to_owned()
    };
    write(path, ".gitattributes", &block("<!-- attributes -->\n\n```console\n"));
    commit(path)?;
    let program = env!("CARGO_BIN_EXE_tintype");
    let recipes = block("<!-- settings -->\n\n```console\n");
    for line in recipes.lines() {
        let line = line.replace("'tintype ", &format!("'TINTYPE_CONFIG= {program} "));
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]).current_dir(path);
        assert!(shell.status()?.success(), "{line}");
    }
    Ok(folder)
}

#[trial]
fn git_shows_models_and_records_in_words() -> Outcome {
    let folder = with_recipes()?;
    let path = folder.path();
    write(path, "scenes/box.md5mesh", &BOX.replace("\"root\"", "\"trunk\""));
    write(path, "scenes/box.toml", &painted());
    run(path, &["bless", "--all", "--allow-warnings"], 0, "8 goldens written")?;
    let shown = git(path, &["diff", "--", "golden/box/0000.toml"])?;
    let changed: Vec<&str> = shown.lines().filter(|line| line.starts_with(['+', '-'])).collect();
    assert!(changed.iter().any(|line| line.contains("crate")), "{shown}");
    assert!(changed.iter().all(|line| line.len() < 300), "{shown}");
    let shown = git(path, &["diff", "--", "scenes/box.md5mesh"])?;
    assert!(
        shown.contains("-") && shown.contains("trunk") && !shown.contains("git-blob"),
        "{shown}"
    );
    // A file that is no longer a model is shown as its text, or by the reason, and git continues.
    write(path, "scenes/hero.glb", "glTF\u{0}");
    write(path, "scenes/table.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 1 1\nf 1 2 3\nf 1 2 4\n");
    let shown = git(path, &["diff", "--", "scenes"])?;
    assert!(shown.contains("-  contains   3 meshes"), "{shown}");
    assert!(
        shown.contains("1 mesh, 3 vertices, 1 triangle") || shown.contains("triangles"),
        "{shown}"
    );
    git(path, &["checkout", "-q", "scenes"])?;
    let log = git(path, &["log", "-p", "-1", "--", "scenes/table.obj"])?;
    assert!(log.contains("1 triangle"), "{log}");
    Ok(())
}

#[trial]
fn git_difftool_names_the_cause() -> Outcome {
    let folder = with_recipes()?;
    let path = folder.path();
    let moved = BOX.replace("( 1 ", "( 1.25 ");
    assert_ne!(moved, BOX);
    write(path, "scenes/box.md5mesh", &moved);
    write(path, "scenes/box.toml", &painted());
    run(path, &["bless", "--all"], 0, "8 goldens written")?;
    let tool = |file: &str| {
        let output = git_output(path, &["difftool", "-y", "-t", "tintype", "--", file]);
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    };
    let said = tool("scenes/box.md5mesh");
    assert!(said.contains("mesh") && said.contains("moved"), "{said}");
    let said = tool("golden/box/0000.png");
    assert!(said.contains("pixels differ"), "{said}");
    fs::remove_file(path.join("scenes/hero.glb"))?;
    let said = tool("scenes/hero.glb");
    assert!(said.contains("hero.glb is gone"), "{said}");
    Ok(())
}

#[trial]
fn merge_of_two_accepted_goldens_is_told() -> Outcome {
    let folder = with_recipes()?;
    let path = folder.path();
    git(path, &["checkout", "-qb", "side"])?;
    write(path, "scenes/box.toml", &painted());
    run(path, &["bless", "--all"], 0, "8 goldens written")?;
    commit(path)?;
    git(path, &["checkout", "-q", "main"])?;
    write(path, "scenes/box.toml", &SCENE.replace("#ffffff", "#4080ff"));
    run(path, &["bless", "--all"], 0, "8 goldens written")?;
    commit(path)?;
    assert!(!git_output(path, &["merge", "side"]).status.success());
    run(path, &["test"], 2, "unresolved git merge conflict: keep one side")?;
    git(path, &["checkout", "--theirs", "scenes"])?;
    // Git keeps one side of pictures and records whole.
    run(path, &["test"], 1, "8 failed")?;
    git(path, &["checkout", "--theirs", "golden"])?;
    run(path, &["test"], 0, "8 goldens the same")?;
    // Without the attributes, markers are in records.
    git(path, &["reset", "-q", "--hard", "main"])?;
    fs::remove_file(path.join(".gitattributes"))?;
    git(path, &["-c", "core.attributesFile=/dev/null", "commit", "-qam", "none"])?;
    assert!(!git_output(path, &["merge", "side"]).status.success());
    git(path, &["checkout", "--theirs", "scenes"])?;
    let said = run(path, &["test"], 1, "its record is unreadable: ")?;
    assert!(said.contains("unresolved git merge conflict: keep one side"), "{said}");
    Ok(())
}

/// Two branches that accepted the box in two colours, and their merge, whose scene is resolved as
/// `merged`.
fn merged(path: &Path, merged: &str) -> Outcome {
    git(path, &["checkout", "-qb", "side"])?;
    write(path, "scenes/box.toml", &painted());
    run(path, &["bless", "--all"], 0, "8 goldens written")?;
    commit(path)?;
    git(path, &["checkout", "-q", "main"])?;
    write(path, "scenes/box.toml", &SCENE.replace("#ffffff", "#4080ff"));
    run(path, &["bless", "--all"], 0, "8 goldens written")?;
    commit(path)?;
    assert!(!git_output(path, &["merge", "side"]).status.success());
    let said = run(path, &["bless", "--conflicts"], 2, "unresolved git merge conflict")?;
    assert!(said.contains("no golden was settled"), "{said}");
    write(path, "scenes/box.toml", merged);
    let said = run(path, &["bless", "--conflicts"], 3, "8 goldens still in conflict")?;
    assert!(said.contains("then run `git add scenes/box.toml"), "{said}");
    git(path, &["add", "scenes"])?;
    Ok(())
}

/// The files that git has in conflict.
fn unmerged(path: &Path) -> Result<usize, Failed> {
    Ok(git(path, &["diff", "--name-only", "--diff-filter=U"])?.lines().count())
}

#[trial]
fn merge_is_settled_by_drawing() -> Outcome {
    for has_attributes in [true, false] {
        for (scene, word) in [(painted(), "theirs"), (SCENE.replace("#ffffff", "#4080ff"), "ours")]
        {
            let folder = if has_attributes { with_recipes()? } else { blessed()? };
            let path = folder.path();
            if !has_attributes {
                commit(path)?;
            }
            merged(path, &scene)?;
            let before = files(path);
            let dry =
                run(path, &["bless", "--conflicts", "--dry-run"], 0, "16 files would be settled")?;
            assert!(
                dry.contains(&format!("golden/box/0003.png: would be settled: {word} matches")),
                "{dry}"
            );
            assert!(before == files(path), "a dry run writes nothing");
            let said = run(path, &["bless", "--conflicts"], 0, "`git add golden/box`\n")?;
            assert!(
                said.contains(&format!("golden/box/0003.png: settled: {word} matches")),
                "{said}"
            );
            run(path, &["test"], 0, "8 goldens the same")?;
            // The index is the user's.
            assert_eq!(unmerged(path)?, 16);
            git(path, &["add", "golden/box"])?;
            run(path, &["bless", "--conflicts"], 0, "no golden is in conflict")?;
            // Pictures and records equal those of a bless of the merged scene.
            run(path, &["bless", "--all"], 0, "0 goldens written in 1 scene")?;
        }
    }
    Ok(())
}

/// Parts of the records of goldens, with their paths.
fn parts(path: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    files(&path.join("golden/content"))
}

#[trial]
fn git_branches_that_accept_one_model_share_its_parts() -> Outcome {
    let folder = blessed()?;
    let path = folder.path();
    commit(path)?;
    let moved = BOX.replace("( 1 ", "( 1.25 ");
    // Both branches add scenes of the same new model.
    git(path, &["checkout", "-qb", "side"])?;
    for (branch, scene) in [("side", "scenes/a.toml"), ("main", "scenes/b.toml")] {
        git(path, &["checkout", "-q", branch])?;
        write(path, "scenes/moved.md5mesh", &moved);
        write(path, scene, &SCENE.replace("box.md5mesh", "moved.md5mesh"));
        run(path, &["bless", "--all"], 0, "8 goldens written")?;
        commit(path)?;
    }
    git(path, &["merge", "-q", "--no-edit", "side"])?;
    run(path, &["test"], 0, "24 goldens the same")?;
    run(path, &["bless", "--all"], 0, "0 goldens written in 3 scenes")?;
    run(path, &["bless", "--prune"], 0, "0 goldens removed")?;
    // A removed scene leaves the parts that the other needs, and removes its own.
    let all = parts(path);
    fs::remove_file(path.join("scenes/a.toml"))?;
    run(path, &["bless", "--prune"], 0, "8 goldens removed")?;
    assert!(all == parts(path), "of the other scene");
    fs::remove_file(path.join("scenes/box.toml"))?;
    let dry = run(path, &["bless", "--prune", "--dry-run"], 0, "of records would be removed")?;
    assert!(all == parts(path) && dry.contains("golden/content/"), "{dry}");
    run(path, &["bless", "--prune"], 0, "of records removed")?;
    assert!(parts(path).len() < all.len());
    run(path, &["test"], 0, "8 goldens the same")?;
    Ok(())
}

#[trial]
fn git_parts_that_both_sides_pruned_are_settled() -> Outcome {
    let folder = with_recipes()?;
    let path = folder.path();
    git(path, &["checkout", "-qb", "side"])?;
    for (branch, place) in [("side", "( 1.25 "), ("main", "( 1.5 ")] {
        git(path, &["checkout", "-q", branch])?;
        write(path, "scenes/box.md5mesh", &BOX.replace("( 1 ", place));
        run(path, &["bless", "--all", "--refit"], 0, "8 goldens written")?;
        run(path, &["bless", "--prune"], 0, "0 goldens and 2 parts of records removed")?;
        commit(path)?;
    }
    // Git takes the new part of each side for the old one under another name.
    assert!(!git_output(path, &["merge", "side"]).status.success());
    git(path, &["checkout", "--theirs", "scenes"])?;
    git(path, &["add", "scenes"])?;
    let said =
        run(path, &["bless", "--conflicts"], 0, "files settled; review them, then run `git add ")?;
    let (_, words) = said.split_once("then run `git add ").unwrap();
    let words: Vec<&str> = words.split('`').next().unwrap().split(' ').collect();
    git(path, &[&["add"], &words[..]].concat())?;
    assert_eq!(unmerged(path)?, 0);
    run(path, &["test"], 0, "8 goldens the same")?;
    run(path, &["bless", "--prune"], 0, "0 goldens and 2 parts of records removed")?;
    run(path, &["test"], 0, "8 goldens the same")?;
    Ok(())
}

#[trial]
fn git_parts_that_are_missing_are_told() -> Outcome {
    let folder = blessed()?;
    let path = folder.path();
    for (file, text) in parts(path) {
        let name = file.strip_prefix(path).unwrap().strip_prefix("golden").unwrap();
        fs::remove_file(&file)?;
        let says = format!("its part {} is missing; restore it from git; write", name.display());
        run(path, &["test"], 2, &says)?;
        run(path, &["bless", "--all"], 0, "0 goldens written, 1 record refreshed")?;
        assert!(fs::read(&file)? == text, "the same file");
        // Converted line ends are not damage; another letter is.
        fs::write(&file, String::from_utf8(text.clone())?.replace('\n', "\r\n"))?;
        run(path, &["test"], 0, "8 goldens the same")?;
        fs::write(
            &file,
            String::from_utf8(text)?
                .replacen("name = ", "name= ", 1)
                .replacen("size = ", "size= ", 1),
        )?;
        run(path, &["test"], 2, &format!("its part {} is damaged", name.display()))?;
        run(path, &["bless", "--all"], 0, "1 record refreshed")?;
    }
    run(path, &["test"], 0, "8 goldens the same")?;
    // A patch has the parts; a folder of goldens that is taken elsewhere does not.
    write(path, "scenes/box.md5mesh", &BOX.replace("( 1 ", "( 1.25 "));
    commit(path)?;
    run(path, &["test", "--patch", "accept.patch"], 1, "patch of 18 files")?;
    git(path, &["apply", "accept.patch"])?;
    run(path, &["test"], 1, "8 goldens the same, 1 failed")?;
    run(path, &["bless", "--refit"], 0, "8 goldens written")?;
    run(path, &["test"], 0, "8 goldens the same")?;
    copy(&path.join("golden/box"), &path.join("other/box"));
    run(path, &["test", "--golden", "other"], 2, "is missing")?;
    run(path, &["bless", "--all", "--golden", "other"], 0, "1 record refreshed")?;
    run(path, &["test", "--golden", "other"], 0, "8 goldens the same")?;
    // A scene that moves to another golden folder takes them along.
    fs::rename(path.join("scenes"), path.join("looks"))?;
    run(path, &["bless", "--move", "--scenes", "looks"], 0, "16 files moved")?;
    run(path, &["test", "looks"], 0, "8 goldens the same")?;
    assert!(path.join("looks/golden/content").is_dir());
    Ok(())
}

#[trial]
fn merge_of_two_changes_is_no_side() -> Outcome {
    let folder = with_recipes()?;
    let path = folder.path();
    merged(path, &SCENE.replace("#ffffff", "#40ff40"))?;
    let before = files(path);
    let said = run(path, &["bless", "--conflicts"], 3, "8 goldens still in conflict")?;
    for words in ["neither side matches the merged scene", "\n  ours: ", "\n  theirs: "] {
        assert!(said.contains(words), "{words}\n{said}");
    }
    assert!(before == files(path), "nothing is written");
    // One golden is accepted by its name: it is settled, the others are not.
    run(path, &["bless", "golden/box/0003.png"], 0, "1 golden written")?;
    let said = run(path, &["bless", "--conflicts"], 3, "7 goldens still in conflict")?;
    let add = "`git add golden/box/0003.png golden/box/0003.toml`\n";
    assert!(
        said.contains("0003.png: settled: the file here was accepted later") && said.contains(add),
        "{said}"
    );
    let one = run(path, &["bless", "--conflicts", "0003"], 0, "2 files settled")?;
    assert!(!one.contains("0004"), "{one}");
    // What cannot be read may be in conflict itself.
    write(path, "scenes/box.md5mesh", "<<<<<<< HEAD\n");
    let said = run(path, &["bless", "--conflicts"], 3, "8 goldens still in conflict")?;
    let told = "not settled because its files cannot be read: ";
    assert!(said.contains(told) && said.contains("box.md5mesh"), "{said}");
    Ok(())
}

#[trial]
fn merge_with_a_golden_that_one_side_deleted() -> Outcome {
    let folder = with_recipes()?;
    let path = folder.path();
    git(path, &["checkout", "-qb", "side"])?;
    write(path, "scenes/box.toml", &SCENE.replace("\"0-7\"\nsize", "\"0-5\"\nsize"));
    run(path, &["bless", "--prune"], 0, "2 goldens removed")?;
    commit(path)?;
    git(path, &["checkout", "-q", "main"])?;
    write(path, "scenes/box.md5mesh", &BOX.replace("( 1 ", "( 1.25 "));
    run(path, &["bless", "--all"], 0, "8 goldens written")?;
    commit(path)?;
    assert!(!git_output(path, &["merge", "side"]).status.success());
    let said = run(path, &["bless", "--conflicts"], 3, "goldens still in conflict")?;
    assert!(
        said.contains("0007.png: no scene uses it; if nothing else does, run `git rm"),
        "{said}"
    );
    Ok(())
}

#[trial]
fn conflicts_outside_of_a_merge() -> Outcome {
    let folder = blessed()?;
    let path = folder.path();
    run(path, &["bless", "--conflicts"], 2, "--conflicts: git: ")?;
    commit(path)?;
    run(path, &["bless", "--conflicts"], 0, "no golden is in conflict")?;
    // A cherry-pick has the same sides, through filters like those of Git LFS.
    let store = TempDir::new()?;
    filter_by_path(path, store.path())?;
    git(path, &["add", "--renormalize", "."])?;
    commit(path)?;
    git(path, &["checkout", "-qb", "side"])?;
    write(path, "scenes/box.toml", &painted());
    run(path, &["bless", "--all"], 0, "8 goldens written")?;
    commit(path)?;
    git(path, &["checkout", "-q", "main"])?;
    write(path, "scenes/box.toml", &SCENE.replace("#ffffff", "#4080ff"));
    run(path, &["bless", "--all"], 0, "8 goldens written")?;
    commit(path)?;
    assert!(!git_output(path, &["cherry-pick", "side"]).status.success());
    git(path, &["checkout", "--theirs", "scenes"])?;
    git(path, &["add", "scenes"])?;
    run(path, &["bless", "--conflicts"], 0, "16 files settled")?;
    run(path, &["test"], 0, "8 goldens the same")?;
    git(path, &["add", "golden"])?;
    let picture = git(path, &["show", ":golden/box/0000.png"])?;
    assert!(picture.starts_with("version https://git-lfs"), "{picture}");
    // The missing history of a shallow clone is reported.
    git(path, &["commit", "-qm", "picked"])?;
    let clone = TempDir::new()?;
    let (from, to) = (format!("file://{}", path.display()), clone.path().join("clone"));
    git(
        path,
        &[
            "-c",
            "filter.lfs.required=false",
            "clone",
            "-q",
            "--depth",
            "1",
            &from,
            to.to_str().unwrap(),
        ],
    )?;
    run(&to, &["test", "--against", "HEAD~1"], 2, "git fetch --unshallow")?;
    Ok(())
}

#[trial]
fn records_are_compared_as_a_test_does() -> Outcome {
    let folder = blessed()?;
    let path = folder.path();
    let diff = |a: &str, b: &str, code, says| run(path, &["diff", a, b], code, says);
    diff("golden/box/0000.toml", "golden/box/0000.toml", 0, "the same")?;
    copy(&path.join("golden"), &path.join("old"));
    write(path, "scenes/box.toml", &painted());
    let said = run(path, &["test"], 1, "error: golden/box/0000.png: ")?;
    let line = said.lines().find_map(|line| line.strip_prefix("error: golden/box/0000.png: "));
    run(path, &["bless", "--all"], 0, "8 goldens written")?;
    let said = diff("old/box/0000.toml", "golden/box/0000.toml", 1, "different")?;
    assert!(said.contains(line.unwrap()), "{line:?}\n{said}");
    // Without the pictures, as git hands files over.
    for name in ["old/box/0000.png", "golden/box/0000.png"] {
        fs::remove_file(path.join(name))?;
    }
    let said = diff("old/box/0000.toml", "golden/box/0000.toml", 1, "have different pixels")?;
    assert!(said.contains("crate"), "{said}");
    diff("golden/box/0000.toml", "scenes/box.toml", 2, "this is a golden's record")?;
    Ok(())
}

#[trial]
fn init_takes_the_golden_folder_of_the_project() -> Outcome {
    let folder = TempDir::new()?;
    let path = folder.path();
    write(path, "tintype.toml", "golden = \"my refs\"\n");
    write(path, "box.md5mesh", BOX);
    git(path, &["init", "-q", "-b", "main"])?;
    tintype(path, &["init"]);
    let attributes = fs::read_to_string(path.join(".gitattributes"))?;
    assert!(attributes.contains("\"my refs/**/*.png\" binary\n"), "{attributes}");
    assert!(!path.join("golden").exists());
    let of = |file: &str| git(path, &["check-attr", "merge", "--", file]);
    assert!(of("my refs/box/0000.png")?.ends_with("merge: unset\n"));
    assert!(of("my refs/box/0000.toml")?.ends_with("merge: unset\n"));
    Ok(())
}

/// A box with its texture beside it.
fn crate_of(folder: &Path, name: &str) {
    write(folder, name, BOX);
    let red = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0, 32, 64, 224];
    fs::write(folder.join(name).with_file_name("crate.tga"), red).unwrap();
}

#[trial]
fn init_keeps_line_ends_and_leaves_reports_out() -> Outcome {
    let (folder, clones) = (TempDir::new()?, TempDir::new()?);
    let path = folder.path();
    git(path, &["init", "-q", "-b", "main"])?;
    fs::create_dir(path.join("models"))?;
    crate_of(path, "models/box.md5mesh");
    write(path, "models/table.mtl", "newmtl wood\nKd 1 0 0\n");
    let faces =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl wood\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    write(path, "models/table.obj", &format!("mtllib table.mtl\n{faces}"));
    run(path, &["init", "models"], 0, "in 2 scenes")?;
    run(path, &["test", "--report", "out/report"], 0, "0 failed")?;
    assert!(!git(path, &["status", "--porcelain", "-uall"])?.contains(" out/"));
    commit(path)?;
    let clone = clones.path().join("windows");
    let address = format!("file://{}", path.display());
    let to = clone.to_str().unwrap();
    git(path, &["clone", "-q", "--config", "core.autocrlf=true", &address, to])?;
    run(&clone, &["test", "--strict"], 0, "0 failed")?;

    // Lines of a file with equivalent content are not requested.
    write(path, ".gitattributes", "*.obj binary\n*.md5mesh diff=x -text\n");
    write(path, ".gitignore", "out\n");
    let said = run(path, &["init", "models"], 0, "kept .gitignore\n")?;
    assert!(said.contains("  *.mtl -text\n") && !said.contains("  *.obj"), "{said}");
    assert!(!said.contains("  *.md5mesh"), "{said}");
    Ok(())
}

#[trial]
fn init_fetches_files_of_lfs() -> Outcome {
    for (service, file, line) in [
        ("github", ".github/workflows/tintype.yml", "        with:\n          lfs: true\n"),
        ("gitlab", ".gitlab-ci.yml", "GIT_LFS_SKIP_SMUDGE: \"0\""),
    ] {
        let folder = TempDir::new()?;
        let path = folder.path();
        git(path, &["init", "-q", "-b", "main"])?;
        crate_of(path, "box.md5mesh");
        run(path, &["init", "--ci", service], 0, file)?;
        assert!(!fs::read_to_string(path.join(file))?.contains(line));
        fs::remove_file(path.join(file))?;
        write(path, ".gitattributes", "*.tga filter=lfs diff=lfs merge=lfs -text\n");
        run(path, &["init", "--ci", service], 0, file)?;
        assert!(fs::read_to_string(path.join(file))?.contains(line));
    }
    Ok(())
}

#[trial]
fn init_shows_the_motion_and_each_side() -> Outcome {
    let folder = TempDir::new()?;
    let path = folder.path();
    let glb = Path::new(env!("WORKSPACE_ROOT")).join("scenes/assets/ranger.glb");
    fs::copy(glb, path.join("ranger.glb"))?;
    crate_of(path, "box.md5mesh");
    run(path, &["init"], 0, "in 2 scenes")?;
    for (name, least) in [("ranger", 3), ("box", 2)] {
        let all = files(&path.join("golden").join(name));
        let is_picture = |path: &&PathBuf| path.extension().is_some_and(|own| own == "png");
        let pictures: Vec<_> = all.keys().filter(is_picture).map(|path| &all[path]).collect();
        let different: std::collections::BTreeSet<_> = pictures.iter().collect();
        assert!(pictures.len() >= least && pictures.len() == different.len(), "{name}");
    }
    Ok(())
}

#[trial]
fn init_knows_the_scenes_of_models() -> Outcome {
    let folder = TempDir::new()?;
    let path = folder.path();
    fs::create_dir_all(path.join("models/old"))?;
    crate_of(path, "models/old/box.md5mesh");
    run(path, &["init", "models"], 0, "wrote scenes/old/box.toml")?;
    // The folder of the model moved, and the scene was updated: nothing else changed.
    fs::rename(path.join("models/old"), path.join("models/new"))?;
    let scene = fs::read_to_string(path.join("scenes/old/box.toml"))?;
    write(path, "scenes/old/box.toml", &scene.replace("models/old", "models/new"));
    let said = run(path, &["test", "--strict"], 0, "0 failed")?;
    assert!(!said.contains("warning"), "{said}");
    run(path, &["init", "models"], 0, "kept scenes/old/box.toml")?;
    assert_eq!(files(&path.join("scenes")).len(), 1);
    // A model that moved and changed is reported.
    let larger = BOX.replace("( 1 ", "( 1.25 ");
    write(path, "models/new/box.md5mesh", &larger);
    run(path, &["test"], 1, "moved")?;

    // Names that differ by case alone are one file on some disks.
    for name in ["Cube.md5mesh", "cube.md5mesh", "CUBE.md5mesh"] {
        crate_of(path, &format!("models/{name}"));
    }
    run(path, &["init", "models"], 0, "wrote scenes/")?;
    let folded = |path: &PathBuf| path.to_str().unwrap().to_lowercase();
    let names: std::collections::BTreeSet<_> =
        files(&path.join("scenes")).keys().map(folded).collect();
    assert_eq!(names.len(), 4, "{names:?}");
    Ok(())
}

#[trial]
fn goldens_of_a_revision_are_found_wherever_they_are() -> Outcome {
    let (folder, store) = (blessed()?, TempDir::new()?);
    let path = folder.path();
    git(path, &["init", "-q", "-b", "main"])?;
    filter_by_path(path, store.path())?;
    commit(path)?;
    let address = path.to_str().unwrap();
    let elsewhere = TempDir::new()?;
    let place = |name: &str| elsewhere.path().join(name);

    // Another worktree of the repository.
    git(path, &["worktree", "add", "-q", place("tree").to_str().unwrap(), "-b", "other"])?;
    write(&place("tree"), "scenes/box.toml", &painted());
    run(&place("tree"), &["test", "--against", "main"], 1, "8 failed")?;
    run(&place("tree"), &["test", "--patch", "p"], 1, "git apply p")?;
    git(&place("tree"), &["apply", "p"])?;
    run(&place("tree"), &["test"], 0, "8 goldens the same")?;

    // Attributes that are in the revision alone, or nowhere on the disk.
    fs::remove_file(path.join(".gitattributes"))?;
    run(path, &["test", "--against", "HEAD"], 0, "8 goldens the same")?;
    git(path, &["checkout", "-q", ".gitattributes"])?;
    git(path, &["clone", "-q", "--no-checkout", address, place("sparse").to_str().unwrap()])?;
    for (key, _) in [("clean", 0), ("smudge", 0), ("required", 0)] {
        let name = format!("filter.lfs.{key}");
        let value = git(path, &["config", &name])?;
        git(&place("sparse"), &["config", &name, value.trim_end()])?;
    }
    git(&place("sparse"), &["sparse-checkout", "set", "--no-cone", "/scenes/"])?;
    git(&place("sparse"), &["checkout", "-q", "main"])?;
    assert!(!place("sparse/golden").exists() && !place("sparse/.gitattributes").exists());
    run(&place("sparse"), &["test", "--against", "HEAD"], 0, "8 goldens the same")?;

    // A golden folder named from a folder of the project, by another spelling, or as a full path.
    fs::create_dir(path.join("sub"))?;
    write(path, "tintype.toml", "golden = \"golden\"\n");
    let below = command(&path.join("sub"), &["test", "../scenes", "--against", "HEAD"]).output()?;
    wanted(&below, 0, "8 goldens the same")?;

    // A folder that is a submodule.
    let super_project = place("super");
    fs::create_dir(&super_project)?;
    write(&super_project, "scenes/box.md5mesh", BOX);
    write(&super_project, "scenes/box.toml", SCENE);
    let goldens = place("goldens");
    for (name, bytes) in files(&path.join("golden")) {
        let to = goldens.join(name.strip_prefix(path.join("golden")).unwrap());
        fs::create_dir_all(to.parent().unwrap())?;
        fs::write(to, bytes)?;
    }
    commit(&goldens)?;
    git(&super_project, &["init", "-q", "-b", "main"])?;
    git(&super_project, &["submodule", "--quiet", "add", goldens.to_str().unwrap(), "golden"])?;
    commit(&super_project)?;
    run(&super_project, &["test", "--against", "HEAD"], 0, "8 goldens the same")?;
    write(&super_project, "scenes/box.toml", &painted());
    run(&super_project, &["test", "--patch", "p"], 1, "git -C golden apply ")?;
    git(&super_project, &["-C", "golden", "apply", "../p"])?;
    fs::remove_file(super_project.join("p"))?;
    run(&super_project, &["test"], 0, "8 goldens the same")?;
    commit(&super_project.join("golden"))?;
    commit(&super_project)?;
    run(&super_project, &["test", "--against", "HEAD"], 0, "8 goldens the same")?;
    run(&super_project, &["test", "--against", "HEAD~1"], 1, "8 failed")?;
    git(path, &["clone", "-q", super_project.to_str().unwrap(), place("bare").to_str().unwrap()])?;
    let says = "submodule golden is not checked out; run `git submodule update --init`";
    run(&place("bare"), &["test", "--against", "HEAD"], 2, says)?;
    Ok(())
}

/// The repository of another user, where the test may make one.
#[cfg(unix)]
#[trial]
fn repository_of_another_user_is_told_as_git_does() -> Outcome {
    let folder = blessed()?;
    let path = folder.path();
    commit(path)?;
    if std::os::unix::fs::chown(path, Some(12_345), None).is_err() {
        return Ok(());
    }
    write(path, "scenes/box.toml", &painted());
    for words in [&["test", "--against", "HEAD"][..], &["test", "--patch", "p"]] {
        let mut own = command(path, words);
        own.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        own.env_remove("SUDO_UID");
        let said = String::from_utf8_lossy(&own.output()?.stderr).into_owned();
        assert!(said.contains("git config --global --add safe.directory"), "{words:?}: {said}");
        assert!(!path.join("p").exists());
    }
    Ok(())
}
