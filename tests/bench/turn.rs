//! Processor time of whole frames of a scene, from poses to pixels, without loading and without PNG:
//! `cargo bench --bench turn -- SCENE.toml 1920x1080 4 [THREADS] [LEVEL] [TILE] [CHANNELS]` for a size, samples, threads, instructions,
//! pixels along a side of a tile, and channels such as `depth,normal`; every frame of the scene is drawn once.
//!
//! One line of JSON reports milliseconds a frame: the processor time of all threads and the wall-clock time. With channels, it also
//! reports the processor time of the picture with its channels and of the channels alone, measured in turns with the picture.

#![expect(clippy::print_stdout, reason = "what it measured is what it is for")]

use std::path::Path;
use std::time::Instant;
use tintype_base::deadline::Deadline;
use tintype_formats::LoadOptions;
use tintype_model::simd::Level;
use tintype_raster::RasterOptions;
use tintype_render::aov::{Channel, channels};
use tintype_render::asset;
use tintype_render::{Drawn, Renderer};
use tintype_scene::parse_scene;

/// Frames that are drawn before the first that counts.
const WARM_UP: usize = 3;

/// CPU time of all threads of this process in milliseconds, if the system reports it.
fn processor_ms() -> f64 {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return f64::NAN };
    tasks
        .flatten()
        .filter_map(|task| std::fs::read_to_string(task.path().join("schedstat")).ok())
        .filter_map(|text| text.split(' ').next()?.parse::<f64>().ok())
        .sum::<f64>()
        * 1e-6
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let [path, size, samples, rest @ ..] = words.as_slice() else {
        println!(
            "turn: nothing to do without SCENE.toml WxH SAMPLES [THREADS] [LEVEL] [TILE] [CHANNELS]"
        );
        return;
    };
    let path = Path::new(path);
    let text = std::fs::read_to_string(path).expect("a scene");
    let mut scene = parse_scene(&text, "scene").expect("a scene that is right");
    let (width, height) = size.split_once('x').expect("WxH");
    scene.output.size = [width.parse().expect("a width"), height.parse().expect("a height")];
    scene.output.samples = samples.parse().expect("1, 2, 4, 8 or 16");
    let threads = rest.first().map_or(2, |count| count.parse().expect("a count of threads"));
    let level = rest.get(1).map_or(Level::best(), |name| Level::from_name(name).expect("a level"));
    let tile =
        rest.get(2).map_or(RasterOptions::default().tile, |side| side.parse().expect("pixels"));
    let cut = RasterOptions { level, tile };
    let channel = |name: &str| Channel::parse(name).expect("a channel");
    let wanted: Vec<Channel> =
        rest.get(3).map_or(Vec::new(), |names| names.split(',').map(channel).collect());
    let folder = path.parent().expect("a file has a folder");
    let assets = asset::load(&scene, folder, &LoadOptions::default()).expect("its files");
    let renderer = Renderer::new(scene, assets, &Deadline::NEVER).expect("its clips fit");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads");

    let numbers: Vec<_> = renderer.scene().output.frames.iter().collect();
    let count = numbers.len();
    let draw = |k: usize| -> Drawn {
        let drawn = pool.install(|| renderer.draw(numbers[k % count], cut));
        drawn.expect("a frame of the scene")
    };
    // A checksum that shows whether two builds draw the same.
    let mut check = 0_u64;
    for k in 0..WARM_UP {
        for [r, g, b, a] in draw(k).frame.rgba {
            check =
                (check ^ u64::from(u32::from_le_bytes([r, g, b, a]))).wrapping_mul(0x100_0000_01b3);
        }
    }
    // The frame with its channels, and the channels alone.
    let arrays = |k: usize, with_picture: bool| {
        let number = numbers[k % count];
        let staged = renderer.stage_picture(number, level).expect("a frame of the scene");
        let picture = with_picture.then(|| renderer.draw_staged(&staged, cut).expect("drawn"));
        let planes = channels(&renderer, &staged, None, &wanted, cut).expect("channels");
        renderer.recycle(staged);
        (picture, planes)
    };
    let mut times = [0.0; 3];
    let mut walls = Vec::with_capacity(count);
    for k in 0..count {
        let (started, before) = (Instant::now(), processor_ms());
        std::hint::black_box(draw(k));
        walls.push(started.elapsed().as_secs_f64() * 1e3);
        times[0] += processor_ms() - before;
        for (way, with_picture) in [(1, true), (2, false)] {
            if !wanted.is_empty() {
                let before = processor_ms();
                std::hint::black_box(pool.install(|| arrays(k, with_picture)));
                times[way] += processor_ms() - before;
            }
        }
    }
    let frames = f64::from(u32::try_from(count).expect("a few frames"));
    let [processor, both, alone] = times.map(|time| time / frames);
    let wall = walls.iter().sum::<f64>() / frames;
    walls.sort_by(f64::total_cmp);
    println!(
        "{{\"scene\":{:?},\"size\":{size:?},\"samples\":{samples},\"threads\":{threads},\"level\":{:?},\"frames\":{count},\
         \"cpu_ms\":{processor:.2},\"wall_ms\":{wall:.2},\"wall\":[{:.2},{:.2},{:.2}],\"check\":\"{check:016x}\",\"with_channels\":{both:.2},\"channels_alone\":{alone:.2}}}",
        path.file_stem().unwrap_or_default().to_string_lossy(),
        level.name(),
        walls[0],
        walls[count / 2],
        walls[count - 1]
    );
}
