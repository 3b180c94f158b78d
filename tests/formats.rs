//! Readers against the corpus: good files give their written facts, bad ones fail with their written message, and nothing that
//! is cut short or damaged panics.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod facts;
mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};

const MD5: [&str; 3] = ["md5mesh", "md5anim", "md5camera"];

fn corpus(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(folder)
}

/// `path` with one more extension.
fn partner(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{extension}"));
    PathBuf::from(name)
}

fn name_of(path: &Path) -> String {
    path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(path).display().to_string()
}

fn good_gives_its_facts(path: &Path) -> Result<(), Failed> {
    let found = facts::of_file(path, &support::read(path)?)
        .map_err(|error| format!("a good file was refused: {error}"))?;
    Ok(support::compare_with_partner(&partner(path, "facts"), &found)?)
}

fn bad_fails_with_its_message(path: &Path) -> Result<(), Failed> {
    match facts::of_file(path, &support::read(path)?) {
        Ok(facts) => Err(format!("a bad file was read:\n{facts}").into()),
        Err(error) => {
            Ok(support::compare_with_partner(&partner(path, "err"), &format!("{error}\n"))?)
        }
    }
}

/// Every prefix of the file is read or refused.
fn prefixes_return(path: &Path, step: usize) -> Result<(), Failed> {
    let bytes = support::read(path)?;
    let mut refused = 0;
    for length in (0..bytes.len()).step_by(step) {
        refused += usize::from(facts::of_file(path, &bytes[..length]).is_err());
    }
    // Without its version or its first block no file is whole.
    if refused == 0 {
        return Err("no prefix was refused".into());
    }
    Ok(())
}

/// The file with one byte changed, at every byte, is read or refused.
fn damage_returns(path: &Path) -> Result<(), Failed> {
    let bytes = support::read(path)?;
    let mut damaged = bytes.clone();
    for at in 0..bytes.len() {
        for byte in *b"9-}{\" \0\xff" {
            damaged[at] = byte;
            let _ = facts::of_file(path, &damaged);
        }
        damaged[at] = bytes[at];
    }
    Ok(())
}

/// No file of the corpus without its partner, and no partner without its file.
fn partners_are_complete(folder: &Path, extension: &str) -> Result<(), Failed> {
    let partners = support::files(folder, &[extension])?;
    let files = support::files(folder, &MD5)?;
    for file in &files {
        if !partners.contains(&partner(file, extension)) {
            return Err(format!("{} has no .{extension} beside it", file.display()).into());
        }
    }
    for partner in &partners {
        if !files.contains(&partner.with_extension("")) {
            return Err(format!("{} belongs to no file", partner.display()).into());
        }
    }
    if files.is_empty() { Err(format!("{} is empty", folder.display()).into()) } else { Ok(()) }
}

fn corpus_trials(trials: &mut Vec<Trial>) -> Result<(), String> {
    for (folder, extension) in [("md5/good", "facts"), ("md5/bad", "err")] {
        trials.push(Trial::test(format!("corpus_{folder}_has_all_partners"), move || {
            partners_are_complete(&corpus(folder), extension)
        }));
    }
    for path in support::files(&corpus("md5/good"), &MD5)? {
        let (facts, prefix, damage) = (path.clone(), path.clone(), path.clone());
        let name = name_of(&path);
        trials.push(Trial::test(format!("{name} gives_its_facts"), move || {
            good_gives_its_facts(&facts)
        }));
        trials.push(Trial::test(format!("{name} prefixes_return"), move || {
            prefixes_return(&prefix, 1)
        }));
        trials.push(Trial::test(format!("{name} damage_returns"), move || damage_returns(&damage)));
    }
    for path in support::files(&corpus("md5/bad"), &MD5)? {
        let (message, damage) = (path.clone(), path.clone());
        let name = name_of(&path);
        trials.push(Trial::test(format!("{name} fails_with_its_message"), move || {
            bad_fails_with_its_message(&message)
        }));
        trials.push(Trial::test(format!("{name} damage_returns"), move || damage_returns(&damage)));
    }
    Ok(())
}

/// Files of the folder of models: all but those in `invalid` are read.
fn model_trials(trials: &mut Vec<Trial>) -> Result<(), String> {
    let Some(folder) = support::models_dir() else {
        trials.push(support::cannot_run("models_md5_are_read", "TINTYPE_MODELS is not set"));
        return Ok(());
    };
    let files = support::files(&folder.join("md5"), &MD5)?;
    if files.is_empty() {
        return Err(format!("{} holds no MD5 file", folder.display()));
    }
    for path in files {
        let name = path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
        let invalid = name.contains("invalid");
        let whole = path.clone();
        trials.push(Trial::test(
            format!("models {name} {}", if invalid { "is_refused" } else { "is_read" }),
            move || match (facts::of_file(&whole, &support::read(&whole)?), invalid) {
                (Ok(_), false) | (Err(_), true) => Ok(()),
                (Ok(facts), true) => Err(format!("it was read:\n{facts}").into()),
                (Err(error), false) => Err(error.into()),
            },
        ));
        if !invalid {
            trials.push(Trial::test(format!("models {name} prefixes_return"), move || {
                let length = support::read(&path)?.len();
                prefixes_return(&path, length / 61 + 1)
            }));
        }
    }
    Ok(())
}

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    corpus_trials(&mut trials).and_then(|()| model_trials(&mut trials)).unwrap();
    libtest_mimic::run(&arguments, trials).exit();
}
