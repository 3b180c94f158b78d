//! The fuzz targets on stable Rust: each takes mistaken files for a while. `TINTYPE_FUZZ_SECONDS=60` is the length of a check;
//! without it each target takes some hundred files. `TINTYPE_FUZZ_TARGET=gltf` runs those with the word in their name.

use crate::harness::{TARGETS, Target};
use crate::{Dice, mistake, support};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Files of each target where no time is given.
const ROUNDS: usize = 300;
/// Longer files make rounds slow and no mistake likelier.
const LONGEST: usize = 100 << 10;

/// Files of the corpus and of the scenes, in a long run those of [`support::models_dir`] too, and one of nothing.
fn seeds(target: &Target, is_long: bool) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<_> =
        ["tests", "scenes", "golden", "src/formats"].map(|name| root.join(name)).into();
    folders.extend(support::models_dir().filter(|_| is_long));
    let files = folders.iter().flat_map(|folder| support::files(folder, target.seeds).unwrap());
    let mut seeds: Vec<Vec<u8>> = files
        .map(|path| support::read(&path).unwrap())
        .filter(|bytes| bytes.len() <= LONGEST)
        .collect();
    seeds.push(b"0-9".to_vec());
    if target.seeds.contains(&"jpg") {
        seeds.push(jpeg());
    }
    if target.seeds.contains(&"meshopt") {
        seeds.extend(meshopt_streams());
    }
    seeds
}

/// Streams of the reference encoder, each behind its mode, filter, count and stride.
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
    let text = include_str!("../../src/formats/gltf/meshopt/vectors.txt");
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

/// Runs of a target, and the longest of them.
struct Tally {
    name: &'static str,
    rounds: usize,
    longest: Duration,
}

/// Runs a target on mistaken files. One that panics is left in the folder of temporary files.
fn run(target: &Target, time: Option<Duration>) -> Tally {
    let seeds = seeds(target, time.is_some());
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let started = Instant::now();
    let mut tally = Tally { name: target.name, rounds: 0, longest: Duration::ZERO };
    while time.map_or(tally.rounds < ROUNDS, |time| started.elapsed() < time) {
        let mut bytes = seeds[dice.below(seeds.len())].clone();
        if target.name.starts_with("gltf_structure") {
            bytes.splice(0..0, dice.next().to_le_bytes());
        } else {
            for _ in 0..=dice.below(4) {
                mistake(&mut bytes, &mut dice);
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
    let word = std::env::var("TINTYPE_FUZZ_TARGET").unwrap_or_default();
    let targets: Vec<&Target> =
        TARGETS.iter().filter(|target| target.name.contains(&word)).collect();
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        let mut tallies = Vec::new();
        while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
            tallies.push(run(target, time));
        }
        tallies
    };
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no target panics")).collect()
    });
    assert_eq!(tallies.len(), targets.len());
    for Tally { name, rounds, longest } in tallies {
        assert!(rounds >= 50, "{name}: only {rounds} files");
        if time.is_some() {
            eprintln!("{name}: {rounds} files, the longest took {} ms", longest.as_millis());
        }
    }
}
