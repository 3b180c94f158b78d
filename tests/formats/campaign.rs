//! The fuzz targets on stable Rust: each takes mistaken files for a while. `TINTYPE_FUZZ_SECONDS=60` is the length of a check;
//! without it each target takes some hundred files. `TINTYPE_FUZZ_ROUNDS=1000000` is a number of files for each, which
//! are the same on every machine; with both, what is reached first ends a target.
//!
//! Beside files of the tests and scenes a target begins with its kept corpus, `tests/fuzz/corpus/TARGET`, small files that coverage-guided
//! runs have found, and puts the words of its dictionary, `tests/fuzz/words/TARGET.dict`, into them.

use crate::harness::{TARGETS, Target};
use crate::{Dice, mistake, support};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Files of each target where no time is given.
const ROUNDS: usize = 300;
/// Longer files make rounds slow and no mistake likelier.
const LONGEST: usize = 100 << 10;

/// Files of the corpus and of the scenes, and one of nothing.
fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["tests", "scenes", "golden", "src/formats"].map(|name| root.join(name));
    let files = folders.iter().flat_map(|folder| support::files(folder, target.seeds).unwrap());
    let mut seeds: Vec<Vec<u8>> = files
        .map(|path| support::read(&path).unwrap())
        .filter(|bytes| bytes.len() <= LONGEST)
        .collect();
    let kept = fs::read_dir(fuzz_folder("corpus").join(target.name)).into_iter().flatten();
    let mut kept: Vec<PathBuf> = kept.map(|entry| entry.unwrap().path()).collect();
    kept.sort();
    seeds.extend(kept.iter().map(|path| support::read(path).unwrap()));
    seeds.push(b"0-9".to_vec());
    seeds
}

fn fuzz_folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz").join(name)
}

/// The words of a target's dictionary; none if it has no dictionary.
fn words(target: &Target) -> Vec<Vec<u8>> {
    let path = fuzz_folder("words").join(format!("{}.dict", target.name));
    let Ok(text) = fs::read_to_string(&path) else { return Vec::new() };
    let lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| word(line).unwrap_or_else(|| panic!("{}: {line}", path.display()))).collect()
}

/// A line of a dictionary in libFuzzer's form: text in quotes with the escapes `\\`, `\"` and `\xAB`, behind an optional name.
fn word(line: &str) -> Option<Vec<u8>> {
    let quoted = line.get(line.find('"')? + 1..)?.strip_suffix('"')?;
    let mut word = Vec::new();
    let mut rest = quoted.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'"' => return None,
            b'\\' => match rest.next()? {
                escaped @ (b'\\' | b'"') => word.push(escaped),
                b'x' => {
                    let digits = [rest.next()?, rest.next()?];
                    let digits = std::str::from_utf8(&digits).ok()?;
                    word.push(u8::from_str_radix(digits, 16).ok()?);
                }
                _ => return None,
            },
            byte => word.push(byte),
        }
    }
    (!word.is_empty()).then_some(word)
}

/// Puts a word of the dictionary in, or over what is there.
fn put_word(bytes: &mut Vec<u8>, words: &[Vec<u8>], dice: &mut Dice) {
    let word = &words[dice.below(words.len())];
    let at = dice.below(bytes.len() + 1);
    let end = match dice.below(2) {
        0 => at,
        _ => (at + word.len()).min(bytes.len()),
    };
    bytes.splice(at..end, word.iter().copied());
}

/// Runs a target on mistaken files; how many.
fn run(target: &Target, time: Option<Duration>, most: usize) -> usize {
    let (seeds, words) = (seeds(target), words(target));
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let started = Instant::now();
    let mut rounds = 0;
    while rounds < most && time.is_none_or(|time| started.elapsed() < time) {
        let mut bytes = seeds[dice.below(seeds.len())].clone();
        for _ in 0..=dice.below(4) {
            match !words.is_empty() && dice.below(2) == 0 {
                true => put_word(&mut bytes, &words, &mut dice),
                false => mistake(&mut bytes, &mut dice),
            }
        }
        (target.run)(&bytes);
        rounds += 1;
    }
    rounds
}

#[test]
fn every_target_takes_mistaken_files() {
    let seconds = std::env::var("TINTYPE_FUZZ_SECONDS").ok();
    let time = seconds.map(|text| Duration::from_secs(text.parse().expect("whole seconds")));
    let rounds = std::env::var("TINTYPE_FUZZ_ROUNDS").ok();
    let default = if time.is_some() { usize::MAX } else { ROUNDS };
    let most = rounds.as_ref().map_or(default, |text| text.parse().expect("a number of files"));
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        let mut counts = Vec::new();
        while let Some(target) = TARGETS.get(next.fetch_add(1, Ordering::Relaxed)) {
            counts.push((target.name, run(target, time, most)));
        }
        counts
    };
    let counts: Vec<(&str, usize)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no target panics")).collect()
    });
    assert_eq!(counts.len(), TARGETS.len());
    for (name, count) in counts {
        assert!(count >= 50, "{name}: only {count} files");
        if time.is_some() || rounds.is_some() {
            eprintln!("{name}: {count} files");
        }
    }
}

#[test]
fn dictionaries_name_targets_and_hold_words() {
    let files = fs::read_dir(fuzz_folder("words")).unwrap().map(|entry| entry.unwrap().path());
    for file in files {
        let name = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let target = TARGETS.iter().find(|target| target.name == name);
        let words = words(target.unwrap_or_else(|| panic!("{name} is no target")));
        assert!(words.len() > 10, "{name}");
    }
    assert_eq!(word(r#"a="x\x0a\"\\""#), Some(b"x\n\"\\".to_vec()));
    assert_eq!([word("\"\""), word("abc"), word(r#""\n""#)], [None, None, None]);
}
