//! Names from files in all output for people and programs: they begin no line, control no terminal,
//! and are neither a log command nor a link.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::command::{BOX, command, tintype, wanted};
use crate::support::markdown::root;
use crate::support::{link, trial};
use libtest_mimic::Failed;
use serde_json::Value;
use std::cell::RefCell;
use std::fs;
use tempfile::TempDir;

type Outcome = Result<(), Failed>;

/// The end of each name of a model: lines that a log, a terminal or Markdown would interpret.
const END: &str = "\nSTART\r\n::stop-commands::x\n ::error::y\u{85}::add-mask::z\u{2028}##[error]a ##vso[b]c\topenjd_env: D=1 \u{202e}\u{1b}[2J @team #12 GH-12 o/r#12 0123abcd https://example.org `| *b* <i>";

/// The bytes of a binary glTF file with other names of a kind: `nodes`, `meshes`, `materials` or
/// `animations`.
fn renamed(glb: &[u8], kinds: &[&str], rename: impl Fn(&str) -> String) -> Vec<u8> {
    let length = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    let (json, rest) = glb[20..].split_at(length(12));
    let mut document: Value = serde_json::from_slice(json).unwrap();
    for kind in kinds {
        for part in document[kind].as_array_mut().into_iter().flatten() {
            if let Some(name) = part.get_mut("name") {
                *name = rename(name.as_str().unwrap()).into();
            }
        }
    }
    let mut json = serde_json::to_vec(&document).unwrap();
    json.resize(json.len().next_multiple_of(4), b' ');
    let size = |bytes: usize| u32::try_from(bytes).unwrap().to_le_bytes();
    let head = [&glb[..8], &size(20 + json.len() + rest.len()), &size(json.len()), &glb[16..20]];
    [&head.concat()[..], &json, rest].concat()
}

fn odd(name: &str) -> String {
    format!("{name}{END}")
}

/// The first line of a text that is not as it should be.
fn fault(text: &str, is_json: bool) -> Option<String> {
    let is_bad = |line: &&str| {
        let own = line.trim_start();
        // Annotations of failures are meant.
        let is_own = ["::error file=", "::error title="].iter().any(|start| own.starts_with(start));
        let is_command = own.starts_with("::") && !is_own;
        let has_control = line.chars().any(|letter| {
            letter.is_control() && letter != '\t'
                || matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        });
        let has_bracket = line.contains("##[") || line.contains("##vso[");
        let is_start = ["START", "openjd_env"].iter().any(|start| own.starts_with(start));
        is_command || is_start || has_control || has_bracket || !is_json && line.contains('\t')
    };
    text.split('\n').find(is_bad).map(|line| line.escape_debug().to_string())
}

const SCENE: &str = "[output]\nsize = [24, 16]\nfps = 2\nframes = \"0-1\"\n[[model]]\nfile = \"a.glb\"\n[[instance]]\nmodel = \"a\"\nclip = 0\n[golden]\nframes = \"0-1\"\npose = true\n";

/// A project with goldens of a model and of a library, whose file has changed since.
fn project() -> Result<TempDir, Failed> {
    let own = TempDir::new()?;
    let glb = fs::read(root().join("scenes/assets/ranger.glb"))?;
    let kinds = ["nodes", "meshes", "materials", "animations", "textures", "images"];
    let plain = renamed(&glb, &kinds, odd);
    for folder in ["scenes", "models"] {
        fs::create_dir(own.path().join(folder))?;
        fs::write(own.path().join(folder).join("a.glb"), &plain)?;
    }
    let inspected = tintype(own.path(), &["inspect", "models/a.glb", "--json"]);
    let page: Value = serde_json::from_slice(&inspected.stdout)?;
    let clip = page["models"][0]["clips"][0]["name"].clone();
    assert!(clip.as_str().is_some_and(|name| name.ends_with(END)), "data is as it is: {clip}");
    fs::write(own.path().join("scenes/s.toml"), SCENE)?;
    Ok(own)
}

/// Changes in the model, each of which is reported by name.
fn changes(plain: &[u8]) -> Vec<Vec<u8>> {
    let edit = |kind: &'static str| renamed(plain, &[kind], |name| format!("new {name}"));
    let mut all: Vec<Vec<u8>> = ["nodes", "meshes", "materials", "animations"].map(edit).into();
    // Joints at other positions, and materials of another colour, under their old names.
    let length = u32::from_le_bytes(plain[12..16].try_into().unwrap()) as usize;
    let text = String::from_utf8(plain[20..20 + length].to_vec()).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    for (kind, key) in [("nodes", "translation"), ("materials", "")] {
        let mut changed = document.clone();
        for part in changed[kind].as_array_mut().unwrap() {
            match part.get_mut(key) {
                Some(place) => *place = serde_json::json!([0.3, 0.1, 0.2]),
                None if key.is_empty() => {
                    part["pbrMetallicRoughness"] =
                        serde_json::json!({ "baseColorFactor": [1.0, 0.1, 0.1, 1.0] });
                }
                None => {}
            }
        }
        let mut json = serde_json::to_vec(&changed).unwrap();
        json.resize(json.len().next_multiple_of(4), b' ');
        let rest = &plain[20 + length..];
        let size = |bytes: usize| u32::try_from(bytes).unwrap().to_le_bytes();
        let all_bytes = size(20 + json.len() + rest.len());
        let head = [&plain[..8], &all_bytes, &size(json.len()), &plain[16..20]].concat();
        all.push([&head[..], &json, rest].concat());
    }
    all
}

#[trial]
fn names_begin_no_line_of_any_output() -> Outcome {
    let own = project()?;
    let path = own.path();
    let plain = fs::read(path.join("models/a.glb"))?;
    wanted(&tintype(path, &["bless", "--all"]), 0, "2 goldens written")?;
    wanted(&tintype(path, &["bless", "--models", "models", "--allow-warnings"]), 0, "")?;
    let record = fs::read_dir(path.join("scenes/golden/s"))
        .or_else(|_| fs::read_dir(path.join("golden/s")))?;
    let record = record
        .flatten()
        .map(|entry| entry.path())
        .find(|own| own.extension().is_some_and(|end| end == "toml"));
    let record = record.unwrap().to_str().unwrap().to_owned();
    let look: &[&[&str]] = &[
        &["inspect", "models/a.glb", "--tree"],
        &["inspect", "models/a.glb", "--json"],
        &["inspect", "scenes/s.toml"],
        &["inspect", &record],
        &["thumbnail", "models", "-s", "16", "-v", "--overwrite"],
        &["thumbnail", "models", "-s", "16", "--json", "--overwrite"],
        &["thumbnail", "models/a.glb", "-s", "16", "--clip", "nowhere"],
        &["turntable", "models/a.glb", "-n", "1", "-s", "16", "-v"],
        &["turntable", "models/a.glb", "-n", "1", "-s", "16", "--clip", "nowhere"],
        &["pose", "models/a.glb", "-v"],
        &["pose", "models/a.glb", "--clip", "nowhere"],
        &["pose", "models/a.glb", "--morph", "nowhere=1"],
        &["render", "scenes/s.toml", "-v", "--progress", "openjd"],
        &["render", "scenes/s.toml", "-v", "--progress", "json", "--aov", "joint:nowhere"],
        &["render", "scenes/s.toml", "--progress", "openjd", "--aov", "joint:nowhere"],
        &["verify", "scenes/s.toml"],
        &["farm", "submit", "scenes/s.toml", "--dry-run", "-o", "f/#.png"],
        &["init", "models"],
    ];
    let faults = RefCell::new(Vec::<String>::new());
    let try_all = |of: &str, commands: &[&[&str]]| {
        for arguments in commands {
            let output = command(path, arguments).env("GITHUB_ACTIONS", "true").output().unwrap();
            for bytes in [&output.stdout, &output.stderr] {
                let text = String::from_utf8_lossy(bytes);
                let is_json = arguments.contains(&"--json");
                faults.borrow_mut().extend(
                    fault(&text, is_json).map(|line| format!("{of}: {arguments:?}: {line}")),
                );
                assert!(
                    output.status.code().is_some_and(|code| code < 101),
                    "{arguments:?}: {text}"
                );
            }
        }
    };
    try_all("the model", look);
    fs::write(path.join("old.glb"), &plain)?;
    for (number, bytes) in changes(&plain).iter().enumerate() {
        for file in ["scenes/a.glb", "models/a.glb"] {
            fs::write(path.join(file), bytes)?;
        }
        let of = format!("change {number}");
        try_all(
            &of,
            &[
                &[
                    "test",
                    "-v",
                    "--report",
                    "r",
                    "--junit",
                    "j.xml",
                    "--summary",
                    "s.md",
                    "--json",
                    "t.json",
                    "--patch",
                    "p",
                ],
                &["test", "--models", "models", "-v"],
                &["diff", "old.glb", "models/a.glb", "-v"],
                &["diff", "old.glb", "models/a.glb", "--json"],
                &["bless", "--cause", "0123456789"],
            ],
        );
        for file in ["j.xml", "s.md"] {
            let text = fs::read_to_string(path.join(file))?;
            let line = text.split('\n').find(|line| {
                ["START", "::", "##["].iter().any(|start| line.trim_start().starts_with(start))
                    && !line.starts_with("## tintype")
                    || line.chars().any(char::is_control)
            });
            faults
                .borrow_mut()
                .extend(line.map(|line| format!("{of}: {file}: {}", line.escape_debug())));
        }
        faults.borrow_mut().extend(
            outside_code(&fs::read_to_string(path.join("s.md"))?)
                .map(|line| format!("{of}: {line}")),
        );
    }
    let faults = faults.into_inner();
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n").into()) }
}

/// The first line of Markdown with a name, or text that GitHub turns into a link, outside of code.
fn outside_code(markdown: &str) -> Option<String> {
    let mut fence: Option<String> = None;
    for line in markdown.lines() {
        let ticks: String = line.chars().take_while(|letter| *letter == '`').collect();
        match &fence {
            Some(own) => {
                if ticks == *own && ticks.len() == line.len() {
                    fence = None;
                }
                continue;
            }
            None if ticks.len() > 2 => {
                fence = Some(ticks);
                continue;
            }
            None => {}
        }
        let outside = without_spans(line);
        let is_link = ["@", "GH-", "http", "START", "0123abcd", "<"]
            .iter()
            .any(|word| outside.contains(word));
        if is_link
            || outside.split('#').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        {
            return Some(outside);
        }
    }
    None
}

/// A line without its spans of code: each ends at a run of as many backticks as begin it.
fn without_spans(line: &str) -> String {
    let (mut outside, mut rest) = (String::new(), line);
    while let Some(at) = rest.find('`') {
        outside.push_str(&rest[..at]);
        rest = &rest[at..];
        let count = rest.len() - rest.trim_start_matches('`').len();
        let (ticks, behind) = rest.split_at(count);
        let mut end = None;
        let mut from = 0;
        while let Some(next) = behind[from..].find('`').map(|next| from + next) {
            let run = behind[next..].len() - behind[next..].trim_start_matches('`').len();
            if run == count {
                end = Some(next + run);
                break;
            }
            from = next + run;
        }
        match end {
            Some(end) => rest = &behind[end..],
            None => {
                outside.push_str(ticks);
                rest = behind;
            }
        }
    }
    outside + rest
}

#[trial]
fn long_name_costs_its_own_model_alone() -> Outcome {
    let own = TempDir::new()?;
    let path = own.path();
    fs::create_dir_all(path.join("models/z"))?;
    let long = "m".repeat(247);
    for name in ["a", long.as_str(), "z/b"] {
        fs::write(path.join(format!("models/{name}.md5mesh")), BOX)?;
    }
    for (name, end) in [("models", "png"), ("models", "webp")] {
        let spin: &[&str] =
            if end == "webp" { &["--spin", "-o", "spins"] } else { &["-o", "pictures"] };
        let words = [&["thumbnail", name, "-s", "16", "-j", "1"], spin].concat();
        wanted(&tintype(path, &words), 3, "2 drawn")?;
        let folder = if end == "webp" { "spins" } else { "pictures" };
        for model in ["a", "z/b"] {
            assert!(path.join(format!("{folder}/{model}.md5mesh.png")).is_file(), "{model}");
        }
    }
    let turns = tintype(path, &["turntable", "models", "-n", "1", "-s", "16", "-o", "turns"]);
    assert!(turns.status.code().is_some_and(|code| code == 0 || code == 3));
    for model in ["a", "z/b"] {
        assert!(path.join(format!("turns/{model}.md5mesh")).is_dir(), "{model}");
    }
    Ok(())
}

/// A file that cannot be in a patch is reported, and the others are in it.
#[trial]
fn odd_paths_leave_the_patch_of_others() -> Outcome {
    let own = TempDir::new()?;
    let path = own.path();
    let git = |words: &[&str]| {
        std::process::Command::new("git").args(words).current_dir(path).output().unwrap()
    };
    git(&["init", "-q"]);
    fs::create_dir(path.join("scenes"))?;
    fs::write(path.join("scenes/box.md5mesh"), BOX)?;
    let scene = "[output]\nsize = [16, 12]\nframes = \"0\"\n[[material]]\nname = \"crate\"\n[[model]]\nfile = \"box.md5mesh\"\n[golden]\nframes = \"0\"\n";
    for name in ["a", "li\nne", "qu\"ote", "z"] {
        fs::write(path.join(format!("scenes/{name}.toml")), scene)?;
    }
    // Git accepts no file in a folder of this name.
    fs::write(path.join("scenes/.git.toml"), scene)?;
    // Nor one that lies elsewhere.
    let elsewhere = TempDir::new()?;
    fs::create_dir(path.join("golden"))?;
    link(elsewhere.path(), path.join("golden/far"))?;
    fs::write(path.join("scenes/far.toml"), scene)?;
    let words = ["test", "scenes", "scenes/.git.toml", "--patch", "p"];
    let output = tintype(path, &words);
    wanted(
        &output,
        1,
        "golden/.git/0000.png: not in the patch: git does not accept this file name",
    )?;
    wanted(&output, 1, "golden/far/0000.png: not in the patch: ")?;
    let patch = fs::read_to_string(path.join("p"))?;
    for name in [
        "golden/a/0000.png",
        "golden/li\\nne/0000.png",
        "golden/qu\\\"ote/0000.png",
        "golden/z/0000.png",
    ] {
        assert!(patch.contains(name), "{name}: {patch}");
    }
    assert!(git(&["apply", "p"]).status.success());
    assert!(path.join("golden/li\nne/0000.png").is_file());
    Ok(())
}
