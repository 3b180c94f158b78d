//! Whole frames of shipped scenes, from poses to pixels: `cargo bench --bench frames`.
//!
//! The PNG, which `stages` times, and the disk are not included.
//! `tintype render scenes/mob.toml --size 1280x720 -v` reports peak memory.

use divan::Bencher;
use divan::counter::ItemsCount;
use std::path::Path;
use std::sync::Arc;
use tintype_base::deadline::Deadline;
use tintype_formats::LoadOptions;
use tintype_raster::RasterOptions;
use tintype_render::Renderer;
use tintype_render::asset;
use tintype_scene::parse_scene;

fn main() {
    divan::main();
}

/// Items are frames; each iteration draws the next frame of the scene.
#[divan::bench(args = [("walk", 1), ("walk", 2), ("mob", 1), ("mob", 2)], sample_count = 12, sample_size = 2)]
fn frame_1280x720(bencher: Bencher, (name, threads): (&str, usize)) {
    let folder = Path::new(env!("WORKSPACE_ROOT")).join("scenes");
    let text = std::fs::read_to_string(folder.join(format!("{name}.toml"))).expect("shipped");
    let mut scene = parse_scene(&text, name).expect("a shipped scene is right");
    scene.output.size = [1280, 720];
    let assets =
        asset::load(&scene, &folder, &LoadOptions::default()).expect("its files are shipped too");
    let numbers: Vec<_> = scene.output.frames.iter().collect();
    let renderer = Renderer::new(scene, assets, &Deadline::NEVER).expect("its clips fit");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads");
    let count = numbers.len();
    let mut k = 0;
    bencher.counter(ItemsCount::new(1_u32)).bench_local(|| {
        k = (k + 1) % count;
        pool.install(|| renderer.draw(numbers[k], RasterOptions::default())).expect("a frame")
    });
}

/// Cost of a scene before its first frame: the camera is fitted over all its frames.
#[divan::bench]
fn prepare_walk(bencher: Bencher) {
    let folder = Path::new(env!("WORKSPACE_ROOT")).join("scenes");
    let text = std::fs::read_to_string(folder.join("walk.toml")).expect("shipped");
    let scene = parse_scene(&text, "walk").expect("a shipped scene is right");
    let assets =
        asset::load(&scene, &folder, &LoadOptions::default()).expect("its files are shipped too");
    let (scene, assets) = (Arc::new(scene), Arc::new(assets));
    bencher.bench(|| {
        Renderer::new(Arc::clone(&scene), Arc::clone(&assets), &Deadline::NEVER)
            .expect("its clips fit")
    });
}
