//! Readers against the corpus: good files give their recorded facts, bad ones fail with their
//! recorded message, and no truncated or damaged file panics.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::{cannot_run, outside, trials, with_models};
use libtest_mimic::{Failed, Trial};
use std::path::{Path, PathBuf};

/// A format with its corpus.
struct Format {
    /// Its folder below `tests/corpus`.
    folder: &'static str,
    extensions: &'static [&'static str],
    /// The extension of what is written beside a good file.
    partner: &'static str,
    /// A file in words, or the message that refuses it.
    read: fn(&Path, &[u8]) -> Result<String, String>,
    /// Bytes that do the most harm.
    damage: &'static [u8],
    /// The folder of real ones in the folder of models.
    models: Option<&'static str>,
}

const FORMATS: [Format; 4] = [
    Format {
        folder: "md5",
        extensions: &["md5mesh", "md5anim", "md5camera"],
        partner: "facts",
        read: crate::model_summary::of_file,
        damage: b"9-}{\" \0\xff",
        models: Some("md5"),
    },
    Format {
        folder: "x",
        extensions: &["x"],
        partner: "tree",
        read: |_, bytes| crate::object_tree::of_bytes(bytes),
        damage: b"9-}{\"<;[/# \0\x01\x06\x0a\xff",
        models: Some("x"),
    },
    Format {
        folder: "x_model",
        extensions: &["x"],
        partner: "facts",
        read: |_, bytes| crate::model_summary::of_x_model(bytes),
        damage: b"9-}{\"; ",
        models: None, // `proof_x` builds them
    },
    Format {
        folder: "mtr",
        extensions: &["mtr"],
        partner: "facts",
        read: |_, bytes| crate::model_summary::of_mtr(bytes),
        damage: b"9-}{\"(),/[ \0\xff",
        models: None,
    },
];

fn corpus(format: &Format, folder: &str) -> PathBuf {
    Path::new(env!("WORKSPACE_ROOT")).join("tests/corpus").join(format.folder).join(folder)
}

/// `path` with one more extension.
fn partner(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{extension}"));
    PathBuf::from(name)
}

fn name_of(path: &Path) -> String {
    path.strip_prefix(env!("WORKSPACE_ROOT")).unwrap_or(path).display().to_string()
}

fn good_gives_its_facts(format: &Format, path: &Path) -> Result<(), Failed> {
    let found = (format.read)(path, &crate::support::read(path)?)
        .map_err(|error| format!("a good file was refused: {error}"))?;
    Ok(crate::support::compare_with_partner(&partner(path, format.partner), &found)?)
}

fn bad_fails_with_its_message(format: &Format, path: &Path) -> Result<(), Failed> {
    match (format.read)(path, &crate::support::read(path)?) {
        Ok(facts) => Err(format!("a bad file was read:\n{facts}").into()),
        Err(error) => {
            Ok(crate::support::compare_with_partner(&partner(path, "err"), &format!("{error}\n"))?)
        }
    }
}

/// Every prefix of the file is read or refused.
fn prefixes_return(format: &Format, path: &Path, step: usize) -> Result<(), Failed> {
    let bytes = crate::support::read(path)?;
    let mut refused = 0;
    for length in (0..bytes.len()).step_by(step) {
        refused += usize::from((format.read)(path, &bytes[..length]).is_err());
    }
    // Without its version or its first block no file is whole.
    if refused == 0 {
        return Err("no prefix was refused".into());
    }
    Ok(())
}

/// The file with one byte changed, at every byte, is read or refused.
fn damage_returns(format: &Format, path: &Path) -> Result<(), Failed> {
    let bytes = crate::support::read(path)?;
    let mut damaged = bytes.clone();
    for at in 0..bytes.len() {
        for &byte in format.damage {
            damaged[at] = byte;
            let _ = (format.read)(path, &damaged);
        }
        damaged[at] = bytes[at];
    }
    Ok(())
}

/// No file of the corpus without its partner, and no partner without its file.
fn partners_are_complete(format: &Format, folder: &Path, extension: &str) -> Result<(), Failed> {
    let partners = crate::support::files(folder, &[extension])?;
    let files = crate::support::files(folder, format.extensions)?;
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

fn corpus_trials(format: &'static Format, trials: &mut Vec<Trial>) -> Result<(), String> {
    for (folder, extension) in [("good", format.partner), ("bad", "err")] {
        trials.push(Trial::test(
            format!("corpus_{}/{folder}_has_all_partners", format.folder),
            move || partners_are_complete(format, &corpus(format, folder), extension),
        ));
    }
    for path in crate::support::files(&corpus(format, "good"), format.extensions)? {
        let (facts, prefix, damage) = (path.clone(), path.clone(), path.clone());
        let name = name_of(&path);
        trials.push(Trial::test(format!("{name} gives_its_facts"), move || {
            good_gives_its_facts(format, &facts)
        }));
        trials.push(Trial::test(format!("{name} prefixes_return"), move || {
            prefixes_return(format, &prefix, 1)
        }));
        trials.push(Trial::test(format!("{name} damage_returns"), move || {
            damage_returns(format, &damage)
        }));
    }
    for path in crate::support::files(&corpus(format, "bad"), format.extensions)? {
        let (message, damage) = (path.clone(), path.clone());
        let name = name_of(&path);
        trials.push(Trial::test(format!("{name} fails_with_its_message"), move || {
            bad_fails_with_its_message(format, &message)
        }));
        trials.push(Trial::test(format!("{name} damage_returns"), move || {
            damage_returns(format, &damage)
        }));
    }
    Ok(())
}

/// True if a file of the folder of models must be refused: those in `invalid`, and `.x` files
/// without the signature.
fn is_invalid(name: &str, bytes: &[u8]) -> bool {
    name.contains("invalid") || (name.starts_with("x/") && !bytes.starts_with(b"xof "))
}

/// Files of the folder of models: all but invalid ones are read.
fn model_trials(format: &'static Format, trials: &mut Vec<Trial>) -> Result<(), String> {
    let Some(models) = format.models else { return Ok(()) };
    let Some(folder) = crate::support::models_dir() else {
        let name = format!("models_{}_are_read", format.folder);
        trials.push(outside(cannot_run(name, "TINTYPE_MODELS is not set")));
        return Ok(());
    };
    let files = crate::support::files(&folder.join(models), format.extensions)?;
    if files.is_empty() {
        return Err(format!("{} holds no {} file", folder.display(), format.folder));
    }
    for path in files {
        let name = path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
        let invalid = is_invalid(&name, &crate::support::read(&path)?);
        let whole = path.clone();
        trials.push(outside(Trial::test(
            format!("models {name} {}", if invalid { "is_refused_or_told" } else { "is_read" }),
            move || match ((format.read)(&whole, &crate::support::read(&whole)?), invalid) {
                (Ok(_), false) | (Err(_), true) => Ok(()),
                (Ok(facts), true) if facts.contains("warning") => Ok(()),
                (Ok(facts), true) => Err(format!("it was read:\n{facts}").into()),
                (Err(error), false) => Err(error.into()),
            },
        )));
        if !invalid {
            trials.push(outside(Trial::test(
                format!("models {name} prefixes_return"),
                move || {
                    let length = crate::support::read(&path)?.len();
                    prefixes_return(format, &path, length / 61 + 1)
                },
            )));
        }
    }
    Ok(())
}

/// The same file in several encodings, the text first; and the tolerance of their numbers beyond
/// the rounding to 32 bits.
const SAME_X: [(f64, &[&str]); 5] = [
    // Its text has six decimals.
    (
        5.0e-7,
        &["assimp/test_cube_text.x", "assimp/test_cube_binary.x", "assimp/test_cube_compressed.x"],
    ),
    (
        0.0,
        &[
            "assimp/test_cube_text.x",
            "synthetic/testcube_bin32.x",
            "synthetic/testcube_bin64.x",
            "synthetic/testcube_bzip32.x",
            "synthetic/testcube_bzip64.x",
            "synthetic/testcube_tzip.x",
        ],
    ),
    (
        0.0,
        &[
            "ms/tiny/tiny.x",
            "synthetic/tiny_bin32.x",
            "synthetic/tiny_bin64.x",
            "synthetic/tiny_bzip32.x",
            "synthetic/tiny_bzip64.x",
            "synthetic/tiny_tzip.x",
        ],
    ),
    (
        0.0,
        &[
            "assimp/Testwuson.X",
            "synthetic/wuson_bin32.x",
            "synthetic/wuson_bin64.x",
            "synthetic/wuson_bzip32.x",
            "synthetic/wuson_bzip64.x",
            "synthetic/wuson_tzip.x",
        ],
    ),
    (0.0, &["assimp/test_cube_text.x", "assimp/malformed_skinweights_oob.x"]),
];

fn encodings_agree(folder: &Path, text: &str, other: &str, apart: f64) -> Result<(), Failed> {
    let read = |name: &str| -> Result<_, Failed> {
        let bytes = crate::support::read(&folder.join("x").join(name))?;
        Ok(crate::object_tree::read(&bytes).map_err(|error| format!("{name}: {error}"))?)
    };
    match (
        crate::object_tree::first_difference(&read(text)?, &read(other)?, apart),
        other.contains("malformed"),
    ) {
        (None, false) => Ok(()),
        // One vertex index differs; a comparison that misses it is useless.
        (Some(difference), true) if difference.contains("SkinWeights") => Ok(()),
        (Some(difference), _) => Err(difference.into()),
        (None, true) => Err("no difference was found".into()),
    }
}

#[trials]
fn of_each_file() -> Result<Vec<Trial>, String> {
    let mut trials = Vec::new();
    for format in &FORMATS {
        corpus_trials(format, &mut trials)?;
        model_trials(format, &mut trials)?;
    }
    for (apart, same) in SAME_X {
        let [text, others @ ..] = same else { continue };
        for other in others {
            trials.push(with_models(
                format!("models x/{text} and x/{other} are one tree"),
                move |folder| encodings_agree(folder, text, other, apart),
            ));
        }
    }
    Ok(trials)
}
