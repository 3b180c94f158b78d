//! The fuzz targets on stable Rust: each reads mutated files for a while. `TINTYPE_FUZZ_SECONDS=60`
//! sets the duration; without it each target reads a few hundred files.
//! `TINTYPE_FUZZ_ROUNDS=1000000` sets the number of files per target, which are the same on every
//! machine; with both, whichever is reached first ends a target. `TINTYPE_FUZZ_SEED=7` selects
//! other files, and `TINTYPE_FUZZ_TARGET=gltf` the targets with the word in their name.
//!
//! Beside files of the tests and scenes a target begins with its kept corpus,
//! `tests/fuzz/corpus/TARGET`, small files of rare forms, and inserts the words of its dictionary,
//! `tests/fuzz/words/TARGET.dict`.

use crate::harness::{TARGETS, Target};
use crate::{Dice, mistake, support};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Files of each target where no time is given.
const ROUNDS: usize = 300;
/// Longer files make rounds slow and no mistake likelier.
const LONGEST: usize = 100 << 10;

/// Files of the corpus and of the scenes, in a long run also those of [`support::models_dir`], and
/// an empty one.
fn seeds(target: &Target, is_long: bool) -> Vec<Vec<u8>> {
    let root = Path::new(env!("WORKSPACE_ROOT"));
    let mut folders: Vec<_> =
        ["tests", "scenes", "golden", "crates/formats/src"].map(|name| root.join(name)).into();
    folders.extend(support::models_dir().filter(|_| is_long));
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
    if target.seeds.contains(&"jpg") {
        seeds.push(jpeg());
    }
    if target.seeds.contains(&"meshopt") {
        seeds.extend(meshopt_streams());
    }
    seeds
}

/// Streams of the reference encoder, each after its mode, filter, count and stride.
fn meshopt_streams() -> Vec<Vec<u8>> {
    let stream = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let index = |all: &[&str], word: &str| {
            u8::try_from(all.iter().position(|known| *known == word)?).ok()
        };
        let pairs = words[4].as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok());
        let mut bytes = vec![
            index(&["ATTRIBUTES", "TRIANGLES", "INDICES"], words[0])?,
            index(&["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"], words[1])?,
            words[2].parse().ok()?,
            words[3].parse().ok()?,
        ];
        for pair in pairs {
            bytes.push(u8::from_str_radix(pair?, 16).ok()?);
        }
        Some(bytes)
    };
    let text = include_str!("../../crates/formats/src/gltf/meshopt/vectors.txt");
    let streams: Vec<Vec<u8>> = text.lines().filter_map(stream).collect();
    assert!(streams.len() > 5, "only {} streams", streams.len());
    streams
}

/// A small picture of another encoder.
fn jpeg() -> Vec<u8> {
    let picture = image::RgbImage::from_fn(24, 17, |x, y| {
        let part = |value: u32| u8::try_from(value % 256).unwrap();
        image::Rgb([part(x * 10), part(y * 15), part(x * y)])
    });
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, image::ImageFormat::Jpeg).expect("memory takes every byte");
    bytes.into_inner()
}

/// Number of runs of a target, and the longest one.
struct Tally {
    name: &'static str,
    rounds: usize,
    longest: Duration,
}

fn fuzz_folder(name: &str) -> PathBuf {
    Path::new(env!("WORKSPACE_ROOT")).join("tests/fuzz").join(name)
}

/// The words of a target's dictionary; empty if it has none.
fn words(target: &Target) -> Vec<Vec<u8>> {
    let path = fuzz_folder("words").join(format!("{}.dict", target.name));
    let Ok(text) = fs::read_to_string(&path) else { return Vec::new() };
    let lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| word(line).unwrap_or_else(|| panic!("{}: {line}", path.display()))).collect()
}

/// A line of a dictionary in libFuzzer's form: text in quotes with the escapes `\\`, `\"` and
/// `\xAB`, after an optional name.
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

/// Inserts a word of the dictionary, or overwrites bytes with it.
fn put_word(bytes: &mut Vec<u8>, words: &[Vec<u8>], dice: &mut Dice) {
    let word = &words[dice.below(words.len())];
    let at = dice.below(bytes.len() + 1);
    let end = match dice.below(2) {
        0 => at,
        _ => (at + word.len()).min(bytes.len()),
    };
    bytes.splice(at..end, word.iter().copied());
}

/// Seed that makes the mistakes of a run differ from those of other runs; 0 if none is given.
fn campaign_seed() -> u64 {
    let seed = std::env::var("TINTYPE_FUZZ_SEED").ok();
    seed.map_or(0, |text| text.parse().expect("a whole number"))
}

/// Runs a target on mistaken files. One that panics is left in the folder of temporary files.
#[expect(clippy::print_stderr, reason = "the file of a panic is told")]
fn run(target: &Target, time: Option<Duration>, most: usize) -> Tally {
    let (seeds, words) = (seeds(target, time.is_some() || most > ROUNDS), words(target));
    let mut dice = Dice(0x2545_f491_4f6c_dd1d ^ campaign_seed());
    let started = Instant::now();
    let mut tally = Tally { name: target.name, rounds: 0, longest: Duration::ZERO };
    while tally.rounds < most && time.is_none_or(|time| started.elapsed() < time) {
        let mut bytes = seeds[dice.below(seeds.len())].clone();
        if target.name == "gltf_structure" {
            bytes.splice(0..0, dice.next().to_le_bytes());
        } else {
            for _ in 0..=dice.below(4) {
                match !words.is_empty() && dice.below(2) == 0 {
                    true => put_word(&mut bytes, &words, &mut dice),
                    false => mistake(&mut bytes, &mut dice),
                }
            }
        }
        let began = Instant::now();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (target.run)(&bytes))) {
            let path = std::env::temp_dir().join(format!("{}-{}", target.name, tally.rounds));
            std::fs::write(&path, &bytes).expect("room for the file");
            eprintln!("{} panics on {}", target.name, path.display());
            resume_unwind(panic);
        }
        tally.longest = tally.longest.max(began.elapsed());
        tally.rounds += 1;
    }
    tally
}

#[test]
fn every_target_takes_mistaken_files() {
    let seconds = std::env::var("TINTYPE_FUZZ_SECONDS").ok();
    let time = seconds.map(|text| Duration::from_secs(text.parse().expect("whole seconds")));
    let rounds = std::env::var("TINTYPE_FUZZ_ROUNDS").ok();
    let default = if time.is_some() { usize::MAX } else { ROUNDS };
    let most = rounds.as_ref().map_or(default, |text| text.parse().expect("a number of files"));
    let word = std::env::var("TINTYPE_FUZZ_TARGET").unwrap_or_default();
    let targets: Vec<&Target> =
        TARGETS.iter().filter(|target| target.name.contains(&word)).collect();
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        let mut tallies = Vec::new();
        while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
            tallies.push(run(target, time, most));
        }
        tallies
    };
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no target panics")).collect()
    });
    assert_eq!(tallies.len(), targets.len());
    for Tally { name, rounds: count, longest } in tallies {
        assert!(count >= 50, "{name}: only {count} files");
        if time.is_some() || rounds.is_some() {
            eprintln!("{name}: {count} files, the longest took {} ms", longest.as_millis());
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
