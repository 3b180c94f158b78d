//! The pages of `docs/`: their commands run as written and print the shown output, links have
//! targets, and no command, key of a scene or default is missing or wrong.
//!
//! A block `sh` is run; a comment `# exit code 1` at its end gives the expected exit code, by
//! default 0. A following block `text` is its output, on standard error or, if that is empty, on
//! standard output; a line `...` matches any lines, and numbers of seconds, rates and memory sizes
//! may differ. Blocks that cannot run in a test are `console`.

use crate::support::command::tintype;
use crate::support::markdown::{Block, anchors, blocks, clone_into, links, root, shell};
use crate::support::{trial, trials};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Languages of fenced blocks.
const LANGUAGES: [&str; 9] =
    ["sh", "text", "console", "toml", "yaml", "json", "rust", "cmake", "python"];

#[trials]
fn page_runs_as_written() -> Result<Vec<Trial>, String> {
    let of_page = |page: PathBuf| {
        let name = page.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Trial::test(format!("page_runs_as_written_{name}"), move || runs_as_written(&page))
    };
    Ok(pages().into_iter().map(of_page).collect())
}
/// All pages, by name.
fn pages() -> Vec<PathBuf> {
    let folder = fs::read_dir(root().join("docs")).expect("there are pages");
    let mut pages: Vec<PathBuf> = folder.flatten().map(|entry| entry.path()).collect();
    pages.retain(|path| path.extension().is_some_and(|own| own == "md"));
    pages.sort();
    pages
}

fn read(page: &Path) -> Result<String, Failed> {
    fs::read_to_string(page).map_err(|error| format!("{}: {error}", page.display()).into())
}

// Commands
// ------------------------------------------------------------------------------------------------------------------

fn runs_as_written(page: &Path) -> Result<(), Failed> {
    let clone = tempfile::tempdir()?;
    clone_into(clone.path())?;
    let mut said: Option<[String; 2]> = None;
    let mut scene = String::new();
    for block in blocks(&read(page)?) {
        let place = format!("{}:{}", page.display(), block.line);
        if block.text.contains("# the file above") {
            let name = block.text.split(' ').find(|word| word.ends_with(".toml"));
            let file = fs::read_to_string(root().join(name.unwrap_or_default()))?;
            if file != scene {
                return Err(format!("{place}: the file is another than the block above").into());
            }
        }
        match block.language.as_str() {
            "sh" => said = Some(run(clone.path(), &block, &place)?),
            "text" => {
                let [errors, output] =
                    said.take().ok_or(format!("{place}: no block runs before this text"))?;
                let found = if errors.is_empty() { output } else { errors };
                compare(&block.text, &found).map_err(|why| format!("{place}: {why}"))?;
            }
            "toml" => (said, scene) = (None, block.text),
            other if LANGUAGES.contains(&other) => said = None,
            other => return Err(format!("{place}: a block of {other:?}").into()),
        }
    }
    Ok(())
}

/// Each mistake of the table has its answer as the first line, and leaves no files behind.
#[trial]
fn mistakes_are_answered_as_told() -> Result<(), Failed> {
    let clone = tempfile::tempdir()?;
    clone_into(clone.path())?;
    let page = read(&root().join("docs/options.md"))?;
    let rows =
        page.lines().filter_map(|line| line.strip_prefix("| `tintype ")?.strip_suffix("` |"));
    let rows: Vec<(&str, &str)> = rows.filter_map(|row| row.split_once("` | `")).collect();
    assert!(rows.len() >= 10, "{rows:?}");
    for (typed, answered) in rows {
        // A cell with commands in it stands in double marks.
        let inner = answered.strip_prefix("` ").and_then(|text| text.strip_suffix(" `"));
        let answered = inner.unwrap_or(answered);
        let output = tintype(clone.path(), &typed.split(' ').collect::<Vec<_>>());
        let said = String::from_utf8_lossy(&output.stderr);
        let is_so = said.lines().next().and_then(|line| line.strip_prefix("error: "));
        if (is_so, output.status.code()) != (Some(answered), Some(2)) {
            return Err(
                format!("tintype {typed}: {}, not {answered}\n{said}", output.status).into()
            );
        }
        assert!(!clone.path().join("out").exists(), "{typed}");
    }
    Ok(())
}

/// Output of a block on standard error and standard output.
fn run(clone: &Path, block: &Block, place: &str) -> Result<[String; 2], Failed> {
    let told = block.text.trim_end().rsplit_once("# exit code ").map(|(_, code)| code);
    let expected: i32 = told
        .map_or(Ok(0), str::parse)
        .map_err(|_| format!("{place}: the comment with the exit code is the end of the block"))?;
    let output = shell(clone, &block.text)?;
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.code() != Some(expected) {
        return Err(format!("{place}: {}, not {expected}\n{errors}", output.status).into());
    }
    Ok([errors, String::from_utf8_lossy(&output.stdout).into_owned()])
}

/// Checks that a text matches the output, except for parts that differ from run to run.
fn compare(expected: &str, found: &str) -> Result<(), String> {
    let lines: Vec<String> = found.lines().filter(|line| !is_progress(line)).map(steady).collect();
    let mut at = 0;
    let mut is_open = false;
    for line in expected.lines() {
        if line == "..." {
            is_open = true;
            continue;
        }
        let line = steady(line);
        let rest = lines.get(at..).unwrap_or_default();
        let skipped = rest.iter().position(|own| *own == line);
        match skipped {
            Some(count) if count == 0 || is_open => at += count + 1,
            _ => return Err(format!("not said here: {line}\n--- what was said\n{found}")),
        }
        is_open = false;
    }
    if at < lines.len() && !is_open {
        return Err(format!("more was said\n{found}"));
    }
    Ok(())
}

/// True if a line is a progress message, which slow machines print:
/// `49/80 frames, 9.8/s, 4 s left`.
fn is_progress(line: &str) -> bool {
    let done = line.split(' ').next().and_then(|word| word.split_once('/'));
    done.is_some_and(|(done, all)| done.parse::<u64>().is_ok() && all.parse::<u64>().is_ok())
}

/// A line with `N` for each number of seconds, a rate, or a size in memory.
fn steady(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let is_number = |word: &str| !word.is_empty() && word.parse::<f64>().is_ok();
    let kept = words.iter().enumerate().map(|(index, word)| {
        let next = words.get(index + 1).unwrap_or(&"").trim_end_matches([',', '.', ';', ')']);
        if word.trim_end_matches([')', ';', ',']).ends_with("/s") {
            "N/s"
        } else if is_number(word) && ["s", "ms", "MiB", "KiB"].contains(&next) {
            "N"
        } else {
            word
        }
    });
    kept.collect::<Vec<&str>>().join(" ")
}

#[trial]
fn comparison_notices_other_words() -> Result<(), Failed> {
    let said = "4 frames in 0.0 s (225.0/s), a.png; 0 warnings\nand\nmore\n";
    compare("4 frames in 1.5 s (3.0/s), a.png; 0 warnings\nand\nmore\n", said)?;
    compare("4 frames in 1.5 s (3.0/s), a.png; 0 warnings\n...\n", said)?;
    compare("...\nmore\n", said)?;
    for other in [
        "5 frames in 0.0 s (225.0/s), a.png; 0 warnings\n...\n",
        "4 frames in 0.0 s (225.0/s), a.png; 1 warning\n...\n",
        "4 frames in 0.0 s (225.0/s), a.png; 0 warnings\nmore\n",
        "4 frames in 0.0 s (225.0/s), a.png; 0 warnings\nand\n",
        "...\nless\n",
    ] {
        if compare(other, said).is_ok() {
            return Err(format!("taken for the same: {other}").into());
        }
    }
    Ok(())
}

// Links
// ---------------------------------------------------------------------------------------------------------------------

#[trial]
fn links_lead_somewhere() -> Result<(), Failed> {
    let mut texts = BTreeMap::new();
    let outside =
        ["README.md", "bindings/python/README.md", "bindings/npm/README.md", "tests/README.md"];
    for page in pages().into_iter().chain(outside.map(|page| root().join(page))) {
        let text = read(&page)?;
        texts.insert(fs::canonicalize(page)?, text);
    }
    let mut wrong = Vec::new();
    let mut checked = 0;
    for (page, text) in &texts {
        for link in links(text).iter().filter(|link| !link.starts_with("https://")) {
            checked += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let beside = page.parent().unwrap_or(root()).join(file);
            let path = if file.is_empty() { Ok(page.clone()) } else { fs::canonicalize(beside) };
            let has_anchor = |path: &PathBuf| {
                let target = texts.get(path).map_or_else(Vec::new, |text| anchors(text));
                anchor.is_empty() || target.iter().any(|own| own == anchor)
            };
            if !path.is_ok_and(|path| has_anchor(&path)) {
                wrong.push(format!("{}: {link}", page.display()));
            }
        }
    }
    if wrong.is_empty() && checked > 100 {
        return Ok(());
    }
    Err(format!("{} of {checked} links lead nowhere:\n{}", wrong.len(), wrong.join("\n")).into())
}

// Required pages
// --------------------------------------------------------------------------------------------------------

/// The index of the site has every page once.
#[trial]
fn site_has_every_page_once() -> Result<(), Failed> {
    let mut listed = links(&read(&root().join("docs/SUMMARY.md"))?);
    listed.retain(|link| !link.starts_with("../"));
    listed.sort();
    let names = pages().into_iter().filter_map(|page| Some(page.file_name()?.to_str()?.to_owned()));
    let names: Vec<String> = names.filter(|name| name != "SUMMARY.md").collect();
    match listed == names {
        true => Ok(()),
        false => Err(format!("docs/SUMMARY.md: {listed:?}\nthe pages: {names:?}").into()),
    }
}

/// The commands that `tintype --help` lists.
fn commands() -> Vec<String> {
    let output = tintype(root(), &["--help"]);
    let help = String::from_utf8_lossy(&output.stdout).into_owned();
    let (_, list) = help.split_once("\nCommands:\n").expect("help lists commands");
    let (list, _) = list.split_once("\n\n").unwrap_or((list, ""));
    let starts = list.lines().filter_map(|line| line.strip_prefix("  "));
    let names = starts.filter(|line| !line.starts_with(' '));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[trial]
fn commands_have_pages_that_run() -> Result<(), Failed> {
    let commands = commands();
    if commands.len() < 13 {
        return Err(format!("help lists {commands:?}").into());
    }
    for command in commands {
        let text = read(&root().join("docs").join(format!("{command}.md")))?;
        if !text.starts_with(&format!("# tintype {command}\n")) {
            return Err(format!("docs/{command}.md: another heading").into());
        }
        let own = format!("tintype {command}");
        let runs = |block: &Block| block.language == "sh" && block.text.contains(&own);
        if !blocks(&text).iter().any(runs) {
            return Err(format!("docs/{command}.md: no block runs {own:?}").into());
        }
    }
    Ok(())
}

#[trial]
fn index_names_every_page() -> Result<(), Failed> {
    let index = links(&read(&root().join("docs/README.md"))?);
    for page in pages() {
        let name = page.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !["README.md", "SUMMARY.md"].contains(&name.as_str()) && !index.contains(&name) {
            return Err(format!("docs/README.md does not lead to {name}").into());
        }
    }
    Ok(())
}

// Scenes
// --------------------------------------------------------------------------------------------------------------------

#[trial]
fn scenes_of_pages_are_scenes() -> Result<(), Failed> {
    let mut checked = 0;
    for page in pages() {
        // Their TOML is settings, which readme.rs tests.
        if ["options.md", "upgrade.md"].iter().any(|name| page.ends_with(name)) {
            continue;
        }
        for block in blocks(&read(&page)?).iter().filter(|block| block.language == "toml") {
            let mut text = block.text.clone();
            if text.contains("[dataset]") {
                let name = page.display().to_string();
                tintype_scene::parse_recipe(&text, &name).map_err(|errors| errors.to_string())?;
                continue;
            }
            if !text.contains("[[model]]") {
                text.push_str("\n[[model]]\nfile = \"a.md5mesh\"\n");
            }
            if text.contains("frames = \"0,12,24\"") {
                text.push_str("\n[output]\nframes = \"0-47\"\n");
            }
            let name = format!("{}:{}", page.display(), block.line);
            tintype_scene::parse_scene(&text, &name).map_err(|errors| errors.to_string())?;
            checked += 1;
        }
    }
    if checked < 5 { Err("scenes are shown".into()) } else { Ok(()) }
}

/// Each key of the schema is in the table of its section, with its default in the schema, if any.
#[trial]
fn scene_keys_are_told_with_their_defaults() -> Result<(), Failed> {
    let output = tintype(root(), &["schema"]);
    let schema: Value = serde_json::from_slice(&output.stdout)?;
    let page = read(&root().join("docs/scene.md"))?;
    let mut wrong = Vec::new();
    let mut checked = 0;
    let tables = schema["properties"].as_object().ok_or("the schema has tables")?;
    for (name, table) in tables {
        let rows = rows(&page, name).ok_or(format!("docs/scene.md has no section {name}"))?;
        let mut keys = BTreeMap::new();
        gather(&schema, table, &mut keys);
        if keys.is_empty() {
            keys.insert(name.clone(), None);
        }
        for (key, default) in keys {
            checked += 1;
            let Some((_, told)) = rows.iter().find(|(own, _)| own.contains(&key)) else {
                wrong.push(format!("{name}.{key} is not told"));
                continue;
            };
            if let Some(default) = default.filter(|default| *told != format!("`{default}`")) {
                wrong.push(format!("{name}.{key}: {told}, the schema says {default}"));
            }
        }
    }
    if wrong.is_empty() && checked > 70 {
        return Ok(());
    }
    Err(format!("of {checked} keys:\n{}", wrong.join("\n")).into())
}

/// The keys of the rows below a section's heading, with the second column.
fn rows(page: &str, table: &str) -> Option<Vec<(Vec<String>, String)>> {
    let headings = ["`[[T]]`", "`[T]`", "`T`"].map(|form| form.replace('T', table));
    let text = headings
        .iter()
        .find_map(|heading| page.split_once(&format!("\n## {heading}\n")))
        .map(|(_, rest)| rest.split("\n## ").next().unwrap_or(rest))?;
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `"));
    let rows = rows.filter_map(|row| {
        let mut cells = row.split(" | ");
        let keys = cells.next()?.split(['`', ',', ' ']).map(str::to_owned).collect();
        Some((keys, cells.next()?.trim().to_owned()))
    });
    Some(rows.collect())
}

/// The keys of a table and of the tables in it, each with its default.
fn gather(schema: &Value, table: &Value, keys: &mut BTreeMap<String, Option<String>>) {
    let items = &table["items"];
    let object = if items.is_object() { items } else { table };
    for (key, property) in object["properties"].as_object().into_iter().flatten() {
        let referred = property["$ref"].as_str().and_then(|name| name.strip_prefix("#/$defs/"));
        let behind = referred.map_or(&Value::Null, |name| &schema["$defs"][name]);
        let default = property.get("default").or_else(|| behind.get("default"));
        keys.insert(key.clone(), default.map(Value::to_string));
        if property["items"]["properties"].is_object() {
            let mut inner = BTreeMap::new();
            gather(schema, property, &mut inner);
            // If both have one of that name, the key of the table itself is meant.
            for (key, default) in inner {
                keys.entry(key).or_insert(default);
            }
        }
    }
}
