//! Time of a frame by pixels, triangles, instances, samples and threads:
//! `cargo bench --bench growth`.
//!
//! The content is made here: a ball with waves, skinned to a chain of eight joints, two influences
//! a vertex, with a texture, before the lights of the studio. Every case draws one frame in turn,
//! from the pose to the pixels, without PNG; medians over all rounds are printed, and written to
//! `growth.json` and `growth.svg` beside this file.

#![expect(clippy::print_stdout, reason = "what it measured is what it is for")]
#![expect(clippy::unwrap_used, reason = "a benchmark stops at the first surprise")]
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts and places in a plot"
)]

#[path = "ball.rs"]
mod ball;
#[path = "plot.rs"]
mod plot;

use ball::{clip, mesh, processor_ms};
use plot::{Panel, Series, page, short};
use rayon::ThreadPool;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;
use std::{env, fs, hint};
use tintype_base::deadline::Deadline;
use tintype_formats::LoadOptions;
use tintype_model::simd::Level;
use tintype_raster::RasterOptions;
use tintype_render::Renderer;
use tintype_render::asset::{self, Assets};
use tintype_scene::FrameNumber;
use tintype_scene::{Scene, parse_scene};

/// Frames of each case: odd, so that there is a median.
const ROUNDS: usize = 15;
/// Defaults of a case.
const BASE: Case =
    Case { panel: 0, x: 0.0, around: 256, grid: 1, size: [1920, 1080], samples: 4, threads: 1 };
/// Columns of triangle pairs around the ball where instances are counted.
const SMALL: usize = 64;

/// One point of a plot.
#[derive(Clone, Copy)]
struct Case {
    panel: usize,
    x: f64,
    /// Columns of triangle pairs; half as many rows.
    around: usize,
    /// Instances to a side.
    grid: usize,
    size: [u32; 2],
    samples: u32,
    threads: usize,
}

const PANELS: [(&str, &str); 5] = [
    ("Pixels", "pixels of the picture"),
    ("Triangles", "triangles of the model"),
    ("Instances", "instances, as large together"),
    ("Samples", "samples a pixel"),
    ("Threads", "threads"),
];

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for size in [[240, 135], [480, 270], [960, 540], [1920, 1080], [3840, 2160]] {
        cases.push(Case { panel: 0, x: f64::from(size[0] * size[1]), size, ..BASE });
    }
    for around in [32, 64, 128, 256, 512, 1024] {
        cases.push(Case { panel: 1, x: (around * around) as f64, around, ..BASE });
    }
    for grid in [1, 2, 4, 8, 16] {
        cases.push(Case { panel: 2, x: (grid * grid) as f64, grid, around: SMALL, ..BASE });
    }
    for samples in [1, 2, 4, 8, 16] {
        cases.push(Case { panel: 3, x: f64::from(samples), samples, ..BASE });
    }
    for threads in [1, 2, 4, 8] {
        cases.push(Case { panel: 4, x: threads as f64, threads, ..BASE });
    }
    cases
}

/// The scene of a case.
fn scene(case: &Case) -> String {
    let ([width, height], samples, around) = (case.size, case.samples, case.around);
    let mut text = format!(
        "[output]\nsize = [{width}, {height}]\nsamples = {samples}\nframes = \"0-{}\"\n\
         [camera]\nkind = \"look-at\"\neye = [0, 0.6, 3.1]\ntarget = [0, 0, 0]\nfov_deg = 45\n\
         [[material]]\nname = \"ball\"\ndiffuse = \"skin.png\"\n\
         [[model]]\nname = \"ball\"\nfile = \"{around}.md5mesh\"\nclips = [{{ name = \"sway\", file = \"sway.md5anim\" }}]\n",
        ROUNDS - 1
    );
    let step = 2.0 / case.grid as f64;
    for index in 0..case.grid * case.grid {
        let place = |index: usize| (index as f64 + 0.5) * step - 1.0;
        let (x, y) = (place(index % case.grid), place(index / case.grid));
        let scale = 1.0 / case.grid as f64;
        let _ = writeln!(
            text,
            "[[instance]]\nmodel = \"ball\"\nposition = [{x}, {y}, 0]\nscale = {scale}\nstart_s = {}",
            index as f64 * 0.01
        );
    }
    text
}

fn main() {
    // `cargo test` starts benches too, to see that they start.
    if env::args().any(|argument| argument == "--test") {
        return;
    }
    let cases = cases();
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("WORKSPACE_ROOT"));
    let skin = root.join("scenes/assets/textures/ranger.png");
    fs::copy(skin, folder.path().join("skin.png")).unwrap();
    fs::write(folder.path().join("sway.md5anim"), clip(ROUNDS)).unwrap();
    // 1. Everything is loaded before the first frame is timed.
    let mut loaded: Vec<(Scene, Assets)> = Vec::new();
    for case in &cases {
        let file = folder.path().join(format!("{}.md5mesh", case.around));
        if !file.exists() {
            fs::write(file, mesh(case.around)).unwrap();
        }
        let scene = parse_scene(&scene(case), "growth").unwrap_or_else(|errors| panic!("{errors}"));
        let assets = asset::load(&scene, folder.path(), &LoadOptions::default())
            .unwrap_or_else(|error| panic!("{error}"));
        loaded.push((scene, assets));
    }
    let renderers: Vec<Renderer> = loaded
        .into_iter()
        .map(|(scene, assets)| Renderer::new(scene, assets, &Deadline::NEVER).unwrap())
        .collect();
    let mut pools: BTreeMap<usize, ThreadPool> = BTreeMap::new();
    for case in &cases {
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pools.entry(case.threads).or_insert_with(|| pool(case.threads));
    }

    // 2. Rounds: the first one only warms up.
    let mut times: Vec<Vec<[f64; 2]>> = vec![Vec::new(); cases.len()];
    for round in 0..=ROUNDS {
        let frame = FrameNumber(i64::try_from(round % ROUNDS).expect("a few rounds"));
        for ((case, renderer), times) in cases.iter().zip(&renderers).zip(&mut times) {
            let (before, started) = (processor_ms(), Instant::now());
            let drawn = pools[&case.threads]
                .install(|| renderer.draw(frame, RasterOptions::default()))
                .unwrap();
            let wall = started.elapsed().as_secs_f64() * 1e3;
            let processor = processor_ms() - before;
            assert!(hint::black_box(drawn).counts.covered_pixels > 0, "something is seen");
            if round > 0 {
                times.push([processor, wall]);
            }
        }
    }
    let medians: Vec<[f64; 2]> =
        times.iter().map(|times| [0, 1].map(|k| median(times, k))).collect();

    // 3. The results.
    for (case, [processor, wall]) in cases.iter().zip(&medians) {
        let name = PANELS[case.panel].1;
        println!(
            "{:>9} {name:44} {processor:9.2} ms of processor {wall:9.2} ms by the clock",
            case.x
        );
    }
    let folder = root.join("tests/bench");
    fs::write(folder.join("growth.json"), json(&cases, &medians)).unwrap();
    fs::write(folder.join("growth.svg"), svg(&cases, &medians)).unwrap();
    println!("written: tests/bench/growth.json, tests/bench/growth.svg");
}

fn median(times: &[[f64; 2]], which: usize) -> f64 {
    let mut sorted: Vec<f64> = times.iter().map(|time| time[which]).collect();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// The processor as it calls itself.
fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split(':').nth(1));
    name.map_or_else(|| "unknown processor".to_owned(), |name| name.trim().to_owned())
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn json(cases: &[Case], medians: &[[f64; 2]]) -> String {
    let rows: Vec<_> = cases
        .iter()
        .zip(medians)
        .map(|(case, [processor, wall])| {
            serde_json::json!({
                "grows": PANELS[case.panel].0.to_lowercase(),
                "size": case.size,
                "triangles": case.around * case.around,
                "instances": case.grid * case.grid,
                "samples": case.samples,
                "threads": case.threads,
                "processor_ms": (processor * 100.0).round() / 100.0,
                "wall_ms": (wall * 100.0).round() / 100.0,
            })
        })
        .collect();
    let document = serde_json::json!({
        "processor": processor(),
        "cores": cores(),
        "instructions": Level::best().name(),
        "rounds": ROUNDS,
        "frames": rows,
    });
    serde_json::to_string_pretty(&document).unwrap() + "\n"
}

fn svg(cases: &[Case], medians: &[[f64; 2]]) -> String {
    let panels: Vec<Panel> = PANELS
        .iter()
        .enumerate()
        .map(|(index, (title, x_label))| {
            let of_panel =
                || cases.iter().zip(medians).filter(move |(case, _)| case.panel == index);
            let line =
                |which: usize| of_panel().map(|(case, time)| [case.x, time[which]]).collect();
            let processor: Vec<[f64; 2]> = line(0);
            let (first, last) = (processor[0], processor[processor.len() - 1]);
            let mut series = vec![Series {
                name: format!("{} ms", short(last[1])),
                points: processor,
                is_guide: false,
                tells_first: true,
            }];
            if *title == "Threads" {
                let clock: Vec<[f64; 2]> = line(1);
                series[0].name = "processor".to_owned();
                series.push(Series {
                    name: "clock".to_owned(),
                    points: clock,
                    is_guide: false,
                    tells_first: true,
                });
            } else {
                // The slope if everything grew proportionally.
                let from = last[1] * first[0] / last[0];
                let start = if from < first[1] * 0.5 { first[1] * 0.5 } else { from };
                let points = vec![[last[0] * start / last[1], start], last];
                let name = String::new();
                series.push(Series { name, points, is_guide: true, tells_first: false });
            }
            let ticks = of_panel().map(|(case, _)| (case.x, short(case.x))).collect();
            Panel { title: (*title).to_owned(), x_label: (*x_label).to_owned(), ticks, series }
        })
        .collect();
    let notes = [
        format!(
            "{}, {} cores, {}. Medians of {ROUNDS} rounds in which every case draws one frame in turn: pose, skin, draw; no PNG.",
            processor(),
            cores(),
            Level::best().name()
        ),
        format!(
            "Where nothing else is said: one ball of {} triangles, skinned and textured, 1920x1080, 4 samples, 1 thread; instances have {}.",
            BASE.around * BASE.around,
            SMALL * SMALL
        ),
        "Dashed: in proportion to what grows. Threads beyond the cores share them: the clock cannot fall further, the processor's time should not rise."
            .to_owned(),
    ];
    let title = "How the time of a frame grows";
    page(title, "Milliseconds of processor time a frame; both axes logarithmic", &notes, 3, &panels)
}
