//! Sequences on many cores: stage times measured by `tintype render --stats=json` on one thread,
//! replayed through the program's scheduling rule: `cargo bench --bench workers`.
//!
//! The rule: as many frames are in flight as there are workers. A frame passes from stage to stage;
//! pose and skin, projection, and setup are divided into runs of triangles, shadow maps and
//! pictures into tiles, the encoder into strips; anything ready runs on the next free core, the
//! earliest frame first. The steps between, and writing a frame, take one worker each. Memory
//! bandwidth, the limit of the disk and the cost of waking a thread are not modelled.
//!
//! One and two workers are measured too, to check the replay. Figures go to `workers.json` and
//! `workers.svg` beside this file.

#![expect(clippy::print_stdout, reason = "what it measured is what it is for")]
#![expect(clippy::unwrap_used, reason = "a benchmark stops at the first surprise")]
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "times and counts in a plot"
)]

#[path = "plot.rs"]
mod plot;

use plot::{Panel, Series, page, short};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::path::Path;
use std::process::Command;
use std::time::Instant;
use std::{env, fs};

/// Runs of every case, in turns: the fastest of them counts, for others on the machine only take
/// away from it.
const ROUNDS: usize = 7;
const WORKERS: [usize; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
/// Triangles that are set up by one job, and about as many as go with the vertices that are skinned
/// by one.
const TRIANGLES_PER_JOB: u64 = 4096;

/// Minimum tiles of a shadow map.
const SHADOW_TILES: u64 = 64;
/// Bytes of filtered pixels in a strip of the encoder.
const STRIP_BYTES: u64 = 256 << 10;

/// A sequence that is measured, and replayed several times over.
struct Sequence {
    name: &'static str,
    scene: &'static str,
    size: &'static str,
    samples: u32,
    /// The frames that are measured.
    frames: &'static str,
    /// Repetitions of the frames.
    times: usize,
}

const SEQUENCES: [Sequence; 3] = [
    Sequence {
        name: "One big frame",
        scene: "mob",
        size: "3840x2160",
        samples: 4,
        frames: "0",
        times: 1,
    },
    Sequence {
        name: "Eight big frames",
        scene: "mob",
        size: "3840x2160",
        samples: 4,
        frames: "0-3",
        times: 2,
    },
    Sequence {
        name: "480 small frames",
        scene: "walk",
        size: "512x512",
        samples: 4,
        frames: "0-47",
        times: 10,
    },
];

/// A part of the work on a frame; times in nanoseconds.
#[derive(Clone, Copy)]
enum Step {
    /// For one worker.
    Alone(u64),
    /// Splits into this number of jobs, each of this length.
    Shared { jobs: u64, each: u64 },
}

/// Measurements of one run.
struct Run {
    document: Value,
    /// From the start of the process to its end.
    process_s: f64,
    /// Fraction of all cores used by other processes meanwhile, 0 to 1.
    others: f64,
}

/// Above this fraction, two workers are not compared with the clock.
const QUIET: f64 = 0.1;

/// Ticks of all cores since boot, their busy ticks, and those of this process's children.
fn ticks() -> [f64; 3] {
    let numbers = |path: &str| -> Vec<f64> {
        let text = fs::read_to_string(path).unwrap_or_default();
        let line = text.lines().next().unwrap_or_default().to_owned();
        // A name may contain blanks, and is in parentheses.
        let words = line.rsplit_once(')').map_or(line.as_str(), |(_, rest)| rest);
        words.split_whitespace().filter_map(|word| word.parse().ok()).collect()
    };
    // user nice system idle iowait irq softirq steal
    let machine = numbers("/proc/stat");
    let all: f64 = machine.iter().take(8).sum();
    let idle: f64 = machine.iter().skip(3).take(2).sum();
    // The letter of the state is not a number: fields 16 and 17, counted from 1; field 4 is the
    // first number.
    let children: f64 = numbers("/proc/self/stat").iter().skip(12).take(2).sum();
    [all, all - idle, children]
}

fn run(sequence: &Sequence, threads: usize, folder: &Path) -> Run {
    let scene = Path::new(env!("WORKSPACE_ROOT")).join(format!("scenes/{}.toml", sequence.scene));
    let mut command = Command::new(env!("CARGO_BIN_EXE_tintype"));
    command.args(["--no-config", "-q", "render", "--overwrite", "--stats=json"]).arg(scene);
    command.args(["--size", sequence.size, "--samples", &sequence.samples.to_string()]);
    command.args(["-f", sequence.frames, "-j", &threads.to_string()]);
    let (before, started) = (ticks(), Instant::now());
    let output = command.arg("-o").arg(folder.join("####.png")).output().unwrap();
    let (process_s, after) = (started.elapsed().as_secs_f64(), ticks());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let [all, busy, own] = [0, 1, 2].map(|k| after[k] - before[k]);
    let others = if all > 0.0 { (busy - own) / all } else { 0.0 };
    Run { document: serde_json::from_slice(&output.stdout).unwrap(), process_s, others }
}

fn number(value: &Value, path: &str) -> f64 {
    value.pointer(path).and_then(Value::as_f64).unwrap_or_else(|| panic!("{path} in {value}"))
}

fn wall(run: &Run) -> f64 {
    number(&run.document, "/wall_seconds")
}

fn fastest(runs: &[Run]) -> &Run {
    runs.iter().min_by(|a, b| wall(a).total_cmp(&wall(b))).expect("a run")
}

/// Seconds of the parts of one frame on one thread.
#[derive(Clone, Copy, Debug, Default)]
struct Parts {
    vertices: f64,
    jobs: f64,
    shadows: f64,
    /// Within tiles, summed.
    tiles: f64,
    tile_jobs: f64,
    encode: f64,
    /// Strips of the encoder.
    strips: f64,
    write: f64,
    /// All that is not named: between stages, and what the tiles begin and end with.
    rest: f64,
}

impl Parts {
    fn of(run: &Run, index: usize) -> Self {
        let of = |path: &str| number(&run.document, &format!("/frames/{index}/{path}"));
        let stage = |name: &str| of(&format!("stages/{name}"));
        let vertices = stage("pose_and_skin") + stage("project") + stage("set_up_and_bin");
        let (shadows, encode, write) = (stage("shadows"), stage("encode"), stage("write"));
        let tiles = stage("coverage_in_threads") + stage("light_in_threads");
        let side = |axis: usize| number(&run.document, &format!("/size/{axis}"));
        let bytes = 3.0 * side(0) * side(1);
        Self {
            vertices,
            jobs: (of("triangles/given") / TRIANGLES_PER_JOB as f64).ceil(),
            tiles,
            tile_jobs: of("tiles/with_triangles"),
            shadows,
            encode,
            strips: (bytes / STRIP_BYTES as f64).ceil(),
            write,
            rest: of("seconds") - vertices - shadows - tiles - encode - write,
        }
    }

    fn alone(&self) -> f64 {
        self.write + self.rest
    }

    fn all(&self) -> f64 {
        self.vertices + self.shadows + self.tiles + self.encode + self.alone()
    }
}

fn steps(parts: &Parts) -> Vec<Step> {
    let nanoseconds = |seconds: f64| (seconds * 1e9) as u64;
    let shared = |seconds: f64, jobs: f64| {
        let jobs = (jobs as u64).max(1);
        Step::Shared { jobs, each: nanoseconds(seconds) / jobs }
    };
    vec![
        shared(parts.vertices, parts.jobs),
        Step::Alone(nanoseconds(parts.rest)),
        shared(parts.shadows, SHADOW_TILES as f64),
        shared(parts.tiles, parts.tile_jobs),
        shared(parts.encode, parts.strips),
        Step::Alone(nanoseconds(parts.write)),
    ]
}

/// Seconds until the last frame is written, with this number of cores and as many frames in flight.
fn replay(frames: &[Vec<Step>], workers: usize) -> f64 {
    struct Flight {
        frame: usize,
        step: usize,
        /// Jobs of the step that are not done.
        left: u64,
    }
    let mut flights: Vec<Flight> =
        (0..workers.min(frames.len())).map(|frame| Flight { frame, step: 0, left: 0 }).collect();
    let mut next = flights.len();
    let mut ready: VecDeque<(usize, u64)> = VecDeque::new();
    // The end of a job, and its owner.
    let mut events: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
    let (mut now, mut free) = (0_u64, workers);
    let mut begin: Vec<usize> = (0..flights.len()).collect();
    loop {
        for index in begin.drain(..) {
            let flight = &mut flights[index];
            match frames[flight.frame][flight.step] {
                Step::Alone(time) => {
                    flight.left = 1;
                    ready.push_back((index, time));
                }
                Step::Shared { jobs, each } => {
                    flight.left = jobs;
                    (0..jobs).for_each(|_| ready.push_back((index, each)));
                }
            }
        }
        while free > 0
            && let Some((index, time)) = ready.pop_front()
        {
            free -= 1;
            events.push(Reverse((now + time, index)));
        }
        let Some(Reverse((time, index))) = events.pop() else { break };
        now = time;
        free += 1;
        let flight = &mut flights[index];
        flight.left -= 1;
        if flight.left > 0 {
            continue;
        }
        flight.step += 1;
        if flight.step == frames[flight.frame].len() {
            if next == frames.len() {
                continue;
            }
            (flight.frame, flight.step) = (next, 0);
            next += 1;
        }
        begin.push(index);
    }
    now as f64 * 1e-9
}

/// Results of one sequence.
struct Result {
    name: &'static str,
    what: String,
    /// Means of the parts of a frame, in milliseconds.
    parts: Parts,
    /// Measured and replayed seconds of the measured frames, with one and two workers.
    held: [[f64; 2]; 2],
    /// Fraction of the machine used by other processes meanwhile.
    others: [f64; 2],
    /// For each of [`WORKERS`] times as fast as one: as it is, and with the disk free.
    faster: Vec<[f64; 2]>,
    start_s: f64,
    memory_mib: [f64; 2],
    megabytes: f64,
    count: usize,
    seconds: Vec<f64>,
}

fn look_at(sequence: &Sequence, alone: &Run, pair: &Run) -> Result {
    let count = alone.document["frames"].as_array().unwrap().len();
    let parts: Vec<Parts> = (0..count).map(|index| Parts::of(alone, index)).collect();
    let frames = |change: &dyn Fn(Parts) -> Parts| -> Vec<Vec<Step>> {
        parts.iter().map(|&parts| steps(&change(parts))).collect()
    };
    let as_it_is = frames(&|parts| parts);
    let held = [[wall(alone), replay(&as_it_is, 1)], [wall(pair), replay(&as_it_is, 2)]];
    let all = |frames: Vec<Vec<Step>>| -> Vec<Vec<Step>> {
        (0..sequence.times).flat_map(|_| frames.clone()).collect()
    };
    let variants = [all(as_it_is), all(frames(&|parts| Parts { write: 0.0, ..parts }))];
    let seconds: Vec<f64> = WORKERS.iter().map(|&n| replay(&variants[0], n)).collect();
    let faster = |n: &usize| [0, 1].map(|k| replay(&variants[k], 1) / replay(&variants[k], *n));
    let mean = |of: fn(&Parts) -> f64| 1e3 * parts.iter().map(of).sum::<f64>() / count as f64;
    let mib = |run: &Run| number(&run.document, "/peak_memory_bytes") / f64::from(1 << 20);
    Result {
        name: sequence.name,
        what: format!("{}.toml, {}, {} samples", sequence.scene, sequence.size, sequence.samples),
        parts: Parts {
            vertices: mean(|parts| parts.vertices),
            jobs: parts[0].jobs,
            shadows: mean(|parts| parts.shadows),
            tiles: mean(|parts| parts.tiles),
            tile_jobs: parts[0].tile_jobs,
            encode: mean(|parts| parts.encode),
            strips: parts[0].strips,
            write: mean(|parts| parts.write),
            rest: mean(|parts| parts.rest),
        },
        held,
        others: [alone.others, pair.others],
        faster: WORKERS.iter().map(faster).collect(),
        start_s: alone.process_s - wall(alone),
        memory_mib: [mib(alone), mib(pair)],
        megabytes: number(&alone.document, "/sum/png_bytes") * 1e-6 * sequence.times as f64,
        count: count * sequence.times,
        seconds,
    }
}

impl Result {
    /// Speed-up by two threads, and relative error of the replay, on an otherwise idle machine.
    fn measured(&self) -> Option<[f64; 2]> {
        let [[one, _], [two, replayed]] = self.held;
        let is_quiet = self.others.iter().all(|&others| others < QUIET);
        is_quiet.then_some([one / two, replayed / two - 1.0])
    }

    /// The limiting factor, in a sentence.
    fn bound(&self) -> String {
        let parts = &self.parts;
        let bound = self.count as f64 * parts.all() / parts.alone();
        format!(
            "{}: {:.1} of {:.1} ms of a frame are one worker's alone (disk {:.1}, rest {:.1}): never more than {} times as fast.",
            self.name,
            parts.alone(),
            parts.all(),
            parts.write,
            parts.rest,
            short(bound)
        )
    }
}

fn tell(result: &Result) {
    let Parts { vertices, jobs, shadows, tiles, tile_jobs, encode, strips, write, rest } =
        result.parts;
    println!("\n{}: {}", result.name, result.what);
    println!(
        "  a frame on one thread, ms: vertices and set-up {vertices:.2} ({jobs} jobs), shadows {shadows:.2}, \
         tiles {tiles:.2} ({tile_jobs} jobs), encoder {encode:.2} ({strips} strips), disk {write:.2}, rest {rest:.2}"
    );
    for (([measured, replayed], workers), others) in
        result.held.iter().zip([1, 2]).zip(result.others)
    {
        let off = 100.0 * (replayed / measured - 1.0);
        println!(
            "  {workers} workers: measured {measured:.3} s, replayed {replayed:.3} s ({off:+.1} %); others took {:.0} % of the machine",
            others * 100.0
        );
    }
    println!("  workers   times as fast   disk free   seconds   MB/s to the disk");
    for ((workers, faster), seconds) in WORKERS.iter().zip(&result.faster).zip(&result.seconds) {
        let ([as_it_is, disk], rate) = (faster, result.megabytes / seconds);
        println!("  {workers:7} {as_it_is:15.2} {disk:11.2} {seconds:9.3} {rate:18.0}");
    }
    let [one, two] = result.memory_mib;
    println!("  {}", result.bound());
    println!(
        "  start, not in it: {:.0} ms; memory {one:.0} MiB with one frame in flight, {two:.0} with two",
        result.start_s * 1e3
    );
}

fn json(results: &[Result]) -> String {
    let rows: Vec<Value> = results
        .iter()
        .map(|result| {
            let Parts { vertices, jobs, shadows, tiles, tile_jobs, encode, strips, write, rest } =
                result.parts;
            let two = |value: f64| (value * 100.0).round() / 100.0;
            let faster: Vec<[f64; 2]> = result.faster.iter().map(|row| row.map(two)).collect();
            json!({
                "name": result.name,
                "what": result.what,
                "frame_ms": {
                    "vertices_and_set_up": two(vertices), "jobs": jobs, "shadows": two(shadows),
                    "tiles": two(tiles), "tile_jobs": tile_jobs, "encode": two(encode), "strips": strips, "write": two(write), "rest": two(rest),
                },
                "measured_and_replayed_s": result.held.map(|row| row.map(|s| (s * 1e4).round() / 1e4)),
                "workers": WORKERS,
                "faster_as_is_and_disk_free": faster,
                "others_share": result.others.map(two),
                "start_ms": (result.start_s * 1e3).round(),
                "memory_mib": result.memory_mib.map(f64::round),
            })
        })
        .collect();
    serde_json::to_string_pretty(&rows).unwrap() + "\n"
}

fn svg(results: &[Result]) -> String {
    let mut panels = Vec::new();
    for result in results {
        let line = |k: usize| -> Vec<[f64; 2]> {
            WORKERS.iter().zip(&result.faster).map(|(&n, row)| [n as f64, row[k]]).collect()
        };
        let last = result.faster[WORKERS.len() - 1];
        let most = WORKERS[WORKERS.len() - 1] as f64;
        let named = |k: usize| Series {
            name: format!("{}x", short(last[k])),
            points: line(k),
            is_guide: false,
            tells_first: false,
        };
        let mut series = vec![named(0), named(1)];
        if let Some([measured, _]) = result.measured() {
            series.push(Series {
                name: format!("{measured:.2}x"),
                points: vec![[2.0, measured]],
                is_guide: false,
                tells_first: false,
            });
        }
        series.push(Series {
            name: String::new(),
            points: vec![[1.0, 1.0], [most, most]],
            is_guide: true,
            tells_first: false,
        });
        panels.push(Panel {
            title: result.name.to_owned(),
            x_label: format!("workers; {}", result.what),
            ticks: WORKERS.iter().map(|&n| (n as f64, n.to_string())).collect(),
            series,
        });
    }
    let mut notes: Vec<String> = results.iter().map(Result::bound).collect();
    let off: Vec<String> = results
        .iter()
        .map(|result| match result.measured() {
            Some([_, off]) => format!("{:+.0} %", 100.0 * off),
            None => "the machine was busy".to_owned(),
        })
        .collect();
    notes.extend([
        format!("Time of two workers, replayed against measured: {}.", off.join(", ")),
        "Blue: as it is. Orange: were the disk free. Green: measured with two threads. Dashed: as many times as fast as there are workers.".to_owned(),
        "Stage times are those of one thread, shared out as the program does; memory bandwidth and the limit of the disk are not in it.".to_owned(),
    ]);
    let title = "How a sequence fares with many workers";
    page(title, "Times as fast as one worker; both axes logarithmic", &notes, 3, &panels)
}

fn main() {
    // `cargo test` starts benches too, to see that they start.
    if env::args().any(|argument| argument == "--test") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut runs: Vec<[Vec<Run>; 2]> = SEQUENCES.iter().map(|_| [Vec::new(), Vec::new()]).collect();
    for _ in 0..ROUNDS {
        for (sequence, runs) in SEQUENCES.iter().zip(&mut runs) {
            for (threads, runs) in (1..).zip(runs) {
                runs.push(run(sequence, threads, folder.path()));
            }
        }
    }
    let results: Vec<Result> = SEQUENCES
        .iter()
        .zip(&runs)
        .map(|(sequence, [alone, pair])| look_at(sequence, fastest(alone), fastest(pair)))
        .collect();
    results.iter().for_each(tell);
    let folder = Path::new(env!("WORKSPACE_ROOT")).join("tests/bench");
    fs::write(folder.join("workers.json"), json(&results)).unwrap();
    fs::write(folder.join("workers.svg"), svg(&results)).unwrap();
    println!("\nwritten: tests/bench/workers.json, tests/bench/workers.svg");
}
