//! Cost of light: metal and roughness in an environment beside two lights on a classic material,
//! and the studio beside the classic look: `cargo bench --bench light`.
//!
//! The content is the ball of `growth` with 65,536 triangles at 1920x1080. All cases draw one frame
//! in turn on one thread, from the pose to the pixels, without PNG; medians over all rounds of the
//! processor time of a frame and of its shading are printed, and their ratios.

#![expect(clippy::print_stdout, reason = "what it measured is what it is for")]
#![expect(clippy::unwrap_used, reason = "a benchmark stops at the first surprise")]
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes of a mesh"
)]

#[path = "ball.rs"]
mod ball;

use ball::{clip, mesh, processor_ms};
use std::path::Path;
use std::time::Instant;
use std::{env, fs, hint};
use tintype_base::deadline::Deadline;
use tintype_formats::LoadOptions;
use tintype_model::simd::Level;
use tintype_raster::RasterOptions;
use tintype_render::Renderer;
use tintype_render::asset;
use tintype_scene::{FrameNumber, parse_scene};

/// Frames of each case: odd, so that there is a median.
const ROUNDS: usize = 15;
/// Columns of triangle pairs around the ball; half as many rows.
const AROUND: usize = 256;

const CLASSIC: &str = "[[material]]\nname = \"ball\"\ndiffuse = \"skin.png\"\n";
const PHYSICAL: &str =
    "[[material]]\nname = \"ball\"\ndiffuse = \"skin.png\"\nmetallic = 0.3\nroughness = 0.5\n";
const LIGHTS: &str = "[[light]]\nkind = \"directional\"\ndirection = [0.5, -0.9, -0.8]\n\
    [[light]]\nkind = \"directional\"\ndirection = [-0.9, -0.2, -0.3]\ncolor = [0.25, 0.3, 0.4]\n";
const ENVIRONMENT: &str = "[environment]\n";

/// A case: its name, keys of `[output]`, tables, the case to compare it with, and its maximum
/// relative cost.
type Case = (&'static str, &'static str, [&'static str; 2], usize, f64);

const CASES: [Case; 6] = [
    ("classic material, two lights", "", [CLASSIC, LIGHTS], 0, 1.0),
    ("metal and roughness, environment", "", [PHYSICAL, ENVIRONMENT], 0, 2.0),
    ("metal and roughness, two lights", "", [PHYSICAL, LIGHTS], 0, f64::INFINITY),
    ("classic look", "look = \"classic\"\n", [CLASSIC, ""], 3, 1.0),
    ("studio look, classic material", "look = \"studio\"\n", [CLASSIC, ""], 3, 2.5),
    ("studio look, metal and roughness", "look = \"studio\"\n", [PHYSICAL, ""], 3, f64::INFINITY),
];

fn scene((_, output, tables, ..): &Case, samples: u32) -> String {
    format!(
        "[output]\nsize = [1920, 1080]\nsamples = {samples}\nframes = \"0-{}\"\n{output}\
         [camera]\nkind = \"look-at\"\neye = [0, 0.6, 3.1]\ntarget = [0, 0, 0]\nfov_deg = 45\n{}\
         [[model]]\nname = \"ball\"\nfile = \"ball.md5mesh\"\nclips = [{{ name = \"sway\", file = \"sway.md5anim\" }}]\n",
        ROUNDS - 1,
        tables.concat()
    )
}

fn main() {
    // `cargo test` starts benches too, to see that they start.
    if env::args().any(|argument| argument == "--test") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let skin = Path::new(env!("WORKSPACE_ROOT")).join("scenes/assets/textures/ranger.png");
    fs::copy(skin, folder.path().join("skin.png")).unwrap();
    fs::write(folder.path().join("sway.md5anim"), clip(ROUNDS)).unwrap();
    fs::write(folder.path().join("ball.md5mesh"), mesh(AROUND)).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for samples in [1, 4] {
        let renderers = CASES.each_ref().map(|case| {
            let scene = parse_scene(&scene(case, samples), "light");
            let scene = scene.unwrap_or_else(|errors| panic!("{errors}"));
            let assets = asset::load(&scene, folder.path(), &LoadOptions::default())
                .unwrap_or_else(|error| panic!("{error}"));
            Renderer::new(scene, assets, &Deadline::NEVER).unwrap()
        });
        report(samples, &measure(&pool, &renderers));
    }
}

/// Milliseconds of each case: medians of whole frames and of shading.
fn measure(pool: &rayon::ThreadPool, renderers: &[Renderer; CASES.len()]) -> Vec<[f64; 2]> {
    let mut times = vec![Vec::new(); CASES.len()];
    let start = Instant::now();
    let clock = || start.elapsed().as_secs_f64();
    // The first round only warms up.
    for round in 0..=ROUNDS {
        let frame = FrameNumber(i64::try_from(round % ROUNDS).expect("a few rounds"));
        for (renderer, times) in renderers.iter().zip(&mut times) {
            let before = processor_ms();
            let drawn = pool.install(|| {
                let staged = renderer.stage_picture(frame, Level::best()).unwrap();
                let options = RasterOptions::default();
                renderer.draw_staged_timed(&staged, options, Some(&clock)).unwrap()
            });
            let whole = processor_ms() - before;
            assert!(hint::black_box(&drawn).counts.covered_pixels > 0, "something is seen");
            if round > 0 {
                times.push([whole, drawn.times.shade_s * 1e3]);
            }
        }
    }
    let median = |times: &Vec<[f64; 2]>, which: usize| {
        let mut sorted: Vec<f64> = times.iter().map(|time| time[which]).collect();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    };
    times.iter().map(|times| [0, 1].map(|which| median(times, which))).collect()
}

fn report(samples: u32, medians: &[[f64; 2]]) {
    println!("{samples} samples a pixel: milliseconds of a frame, and of its shading");
    for ((name, _, _, base, most), times) in CASES.iter().zip(medians) {
        let [whole, shading] = *times;
        let [whole_ratio, shading_ratio] = [0, 1].map(|k| times[k] / medians[*base][k]);
        let bound = if most.is_finite() { format!("; aim: {most}") } else { String::new() };
        println!(
            "{name:36} {whole:8.2} {shading:8.2}   {whole_ratio:.2} and {shading_ratio:.2} times {:?}{bound}",
            CASES[*base].0
        );
    }
}
