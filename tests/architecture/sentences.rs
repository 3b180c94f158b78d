//! Words are made last: no code cuts, searches or compares a sentence of the program.
//!
//! A text that is searched for, cut off or compared, and that has a letter beside a space, belongs
//! to a sentence. Text written by other programs and formats is read in this way; these places are
//! listed.

use crate::source::Source;
use crate::support::trial;
use std::collections::BTreeSet;

/// Files that read text of another program or a format, and its source.
const OTHERS: &[(&str, &str)] = &[
    ("base/data.rs", "the readers of TOML and JSON"),
    ("cli/git.rs", "git"),
    ("cli/revision.rs", "git"),
    ("cli/usage.rs", "the reader of arguments"),
    ("farm/logs.rs", "logs of jobs, in which all programs of a node write"),
    ("farm/slurm/client.rs", "Slurm"),
    ("formats/fbx/ascii.rs", "FBX"),
    ("formats/fbx/convert/node.rs", "FBX"),
    ("formats/fbx/convert/view.rs", "FBX"),
    ("formats/fbx/motion.rs", "FBX"),
    ("formats/gltf/object.rs", "the reader of JSON"),
    ("formats/gltf/parse.rs", "the reader of JSON"),
    ("formats/obj/sequence.rs", "OBJ"),
    ("golden/record/stages.rs", "names of the things of a scene in records"),
    ("output/note.rs", "a note in a picture"),
    ("scene/setting/describe.rs", "TOML"),
    ("scene/syntax.rs", "the reader of TOML"),
];

/// Files that still parse sentences; none may be added.
const LEFT: &[&str] = &["formats/gltf/faults.rs"];

/// True if a text is a piece of a sentence: a letter beside a space, or a separator of clauses.
fn is_of_sentence(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    let is_pair = |a: char, b: char| a.is_alphabetic() && b == ' ' || a == ' ' && b.is_alphabetic();
    letters.windows(2).any(|pair| is_pair(pair[0], pair[1]))
        || [", ", "; ", ": ", " -> "].contains(&text)
}

#[trial]
fn no_sentence_is_read_back() -> Result<(), String> {
    let found = found(crate::source());
    let allowed = OTHERS.iter().map(|(file, _)| *file).chain(LEFT.iter().copied());
    let allowed: BTreeSet<&str> = allowed.collect();
    let mut wrong: Vec<String> = found
        .iter()
        .filter(|(file, ..)| !allowed.contains(file.as_str()))
        .map(|(file, line, text)| format!("{file}:{line}: {text:?}: compare the data instead"))
        .collect();
    let used: BTreeSet<&str> = found.iter().map(|(file, ..)| file.as_str()).collect();
    let idle = OTHERS.iter().filter(|(file, _)| !used.contains(file));
    wrong.extend(idle.map(|(file, whose)| format!("{file} reads no text of {whose}")));
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}
/// File, line and text of all sentences.
fn found(source: &Source) -> Vec<(String, usize, String)> {
    let mut found = Vec::new();
    for file in source.files.values() {
        let texts = file.texts.iter().filter(|(_, text)| is_of_sentence(text));
        found.extend(texts.map(|(line, text)| (file.name.clone(), *line, text.clone())));
    }
    found
}
