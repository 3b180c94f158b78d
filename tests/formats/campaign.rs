//! The fuzz targets on stable Rust: each takes mistaken files for a while. `TINTYPE_FUZZ_SECONDS=60` is the length of a check;
//! without it each target takes some hundred files. `TINTYPE_FUZZ_FILES=5000` ends it earlier, after files that are the same on every machine.

use crate::harness::{TARGETS, Target};
use crate::{Dice, mistake, support};
use std::path::Path;
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
    seeds.push(b"0-9".to_vec());
    seeds
}

/// A whole number of the environment.
fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{variable}: found {text:?}; expected a whole number")),
    )
}

/// Runs a target on mistaken files; how many.
fn run(target: &Target, time: Option<Duration>, most: usize) -> usize {
    let seeds = seeds(target);
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let started = Instant::now();
    let mut rounds = 0;
    while rounds < most && time.is_none_or(|time| started.elapsed() < time) {
        let mut bytes = seeds[dice.below(seeds.len())].clone();
        for _ in 0..=dice.below(4) {
            mistake(&mut bytes, &mut dice);
        }
        (target.run)(&bytes);
        rounds += 1;
    }
    rounds
}

#[test]
fn every_target_takes_mistaken_files() {
    let time = number("TINTYPE_FUZZ_SECONDS").map(Duration::from_secs);
    let most = match (number("TINTYPE_FUZZ_FILES"), time) {
        (Some(files), _) => usize::try_from(files).unwrap_or(usize::MAX),
        (None, Some(_)) => usize::MAX,
        (None, None) => ROUNDS,
    };
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
        if time.is_some() {
            eprintln!("{name}: {count} files");
        }
    }
}
