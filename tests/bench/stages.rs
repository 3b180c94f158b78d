//! One bench a stage: `cargo bench --bench stages`. The inputs are the same on every run; see
//! `inputs`.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "benches make numbers of known size"
)]

mod inputs;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use tintype_formats::{LoadOptions, md5};
use tintype_model::PosedMesh;
use tintype_model::simd::Level;
use tintype_model::skin::SkinOptions;
use tintype_model::{pose, skin};
use tintype_output::{PngEffort, encode_png};
use tintype_raster::{RasterOptions, draw};

fn main() {
    divan::main();
}

#[divan::bench]
fn md5_parse_mesh(bencher: Bencher) {
    let bytes = inputs::files().mesh;
    bencher
        .counter(BytesCount::new(bytes.len()))
        .bench(|| md5::parse_mesh(&bytes, &LoadOptions::default()).expect("parsed before"));
}

#[divan::bench]
fn md5_parse_anim(bencher: Bencher) {
    let bytes = inputs::files().anim;
    bencher
        .counter(BytesCount::new(bytes.len()))
        .bench(|| md5::parse_anim(&bytes, &LoadOptions::default()).expect("parsed before"));
}

#[divan::bench]
fn pose_sample_clip(bencher: Bencher) {
    let (model, clip, binding) = inputs::parse(&inputs::files()).expect("the shared files");
    bencher
        .counter(ItemsCount::new(model.skeleton.len()))
        .bench(|| pose::sample_clip(&model.skeleton, &clip, &binding, divan::black_box(0.517)));
}

#[divan::bench(args = [1, 2])]
fn skin_model(bencher: Bencher, threads: usize) {
    let (model, clip, binding) = inputs::parse(&inputs::files()).expect("the shared files");
    let pose = pose::sample_clip(&model.skeleton, &clip, &binding, 0.517);
    let vertices: usize = model.meshes.iter().map(tintype_model::Mesh::vertex_count).sum();
    let pool = pool(threads);
    bencher.counter(ItemsCount::new(vertices)).bench(|| {
        pool.install(|| {
            let matrices = skin::SkinMatrices::new(divan::black_box(&pose));
            model.meshes.iter().map(|mesh| skin::skin_mesh(mesh, &matrices)).collect::<Vec<_>>()
        })
    });
}

/// Vertices with four influences on one thread: the time of the kernel, and of a frame without
/// reused memory.
#[divan::bench(args = ["normals", "normals_and_tangents", "normals_in_fresh_memory"])]
fn skin_four_influences(bencher: Bencher, what: &str) {
    let (mesh, pose) = inputs::four_influences(35_751);
    let matrices = skin::SkinMatrices::new(&pose);
    let options = SkinOptions { tangents: what == "normals_and_tangents", level: Level::best() };
    let is_fresh = what == "normals_in_fresh_memory";
    let (pool, mut posed) = (pool(1), PosedMesh::default());
    bencher.counter(ItemsCount::new(mesh.vertex_count())).bench_local(|| {
        if is_fresh {
            posed = PosedMesh::default();
        }
        pool.install(|| {
            skin::skin_mesh_into(&mesh, divan::black_box(&matrices), options, &mut posed)
        });
    });
}

#[divan::bench(args = [(1, 1), (4, 1), (16, 1), (4, 2)])]
fn raster_draw_640x480(bencher: Bencher, (samples, threads): (u32, usize)) {
    let stage = inputs::Stage::new();
    let pool = pool(threads);
    bencher.bench(|| {
        stage.with_view(samples, |view| pool.install(|| draw(view, RasterOptions::default())))
    });
}

#[divan::bench(args = [PngEffort::Fast, PngEffort::Small])]
fn png_encode_640x480(bencher: Bencher, effort: PngEffort) {
    let stage = inputs::Stage::new();
    let drawn = stage.with_view(4, |view| draw(view, RasterOptions::default()));
    let (frame, _) = drawn.expect("a view in range");
    bencher
        .counter(BytesCount::new(frame.rgba.len() * 4))
        .bench(|| encode_png(divan::black_box(&frame), true, effort, &[]));
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads")
}
