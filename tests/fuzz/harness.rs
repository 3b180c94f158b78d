//! Bodies of the fuzz targets: they read bytes and must return. cargo-fuzz runs them, and so does a
//! loop on stable Rust in `tests/formats/campaign.rs`.

#[path = "gltf_mutation.rs"]
mod gltf_mutation;

use base64::Engine as _;
pub(crate) use gltf_mutation::{Dice, mistaken};
use serde_json::json;
use std::fs;
use std::path::PathBuf;
use tintype_formats::gltf::GltfModel;
use tintype_formats::{LimitName, LoadOptions};
use tintype_formats::{
    Limits, b3d, fbx, gltf, image, iqm, md5, mtr, obj, ply, quake, stl, three_ds, x,
};
use tintype_model::pose::{bind_clip, bind_pose, play_clip};
use tintype_model::skin::{SkinMatrices, skin_mesh};
use tintype_output::{PngEffort, decode_png, encode_png};
use tintype_raster::RasterOptions;
use tintype_render::Renderer;
use tintype_scene::builder::ModelBuilder;
use tintype_scene::{FrameList, FrameNumber, SceneBuilder, parse_scene};

/// A target: its name, its body, and extensions of its seed files. If its name begins with
/// `gltf_structure`, the body makes the mistakes itself: it gets eight bytes of a random number,
/// and a whole file.
pub(crate) struct Target {
    /// Name of its program for cargo-fuzz.
    pub(crate) name: &'static str,
    /// Its body.
    pub(crate) run: fn(&[u8]),
    /// Extensions of files of the corpus.
    pub(crate) seeds: &'static [&'static str],
}

/// All targets.
pub(crate) const TARGETS: [Target; 25] = [
    Target { name: "x_file", run: x_file, seeds: &["x"] },
    Target { name: "md5_file", run: md5_file, seeds: &["md5mesh", "md5anim", "md5camera"] },
    Target { name: "mtr_file", run: mtr_file, seeds: &["mtr"] },
    Target { name: "image_program", run: image_program, seeds: &["mtr"] },
    Target { name: "gltf_file", run: gltf_file, seeds: &["glb", "gltf"] },
    Target { name: "gltf_structure", run: gltf_structure, seeds: &["glb", "gltf"] },
    Target { name: "draco_mesh", run: draco_mesh, seeds: &["drc"] },
    Target { name: "meshopt_view", run: meshopt_view, seeds: &["meshopt"] },
    Target { name: "obj_file", run: obj_file, seeds: &["obj"] },
    Target { name: "iqm_file", run: iqm_file, seeds: &["iqm", "md5mesh"] },
    Target { name: "quake_file", run: quake_file, seeds: &["mdl", "md2", "md3"] },
    Target { name: "three_ds_file", run: three_ds_file, seeds: &["3ds"] },
    Target { name: "b3d_file", run: b3d_file, seeds: &["b3d"] },
    Target { name: "stl_file", run: stl_file, seeds: &["stl"] },
    Target { name: "ply_file", run: ply_file, seeds: &["ply"] },
    Target { name: "fbx_file", run: fbx_file, seeds: &["fbx"] },
    Target { name: "picture_file", run: picture_file, seeds: PICTURES },
    Target { name: "png_picture", run: one_picture, seeds: &["png"] },
    Target { name: "jpeg_picture", run: one_picture, seeds: &["jpg", "jpeg"] },
    Target { name: "webp_picture", run: one_picture, seeds: &["webp"] },
    Target { name: "ktx2_picture", run: one_picture, seeds: &["ktx2"] },
    Target { name: "light_picture", run: light_picture, seeds: &["hdr", "png"] },
    Target { name: "scene_text", run: scene_text, seeds: &["toml"] },
    Target { name: "round_trips", run: round_trips, seeds: &["png", "toml"] },
    Target { name: "whole_way", run: whole_way, seeds: &["x", "md5mesh", "glb"] },
];

const PICTURES: &[&str] = &[
    "png", "jpg", "jpeg", "tga", "bmp", "dds", "webp", "ktx2", "pcx", "PNG", "JPG", "TGA", "BMP",
    "DDS",
];

/// Limits that a small file can reach, so that they are tested too and memory stays small.
fn tight() -> LoadOptions {
    let mut limits =
        Limits { max_image_side_px: 2048, max_image_bytes: 1 << 24, ..Limits::default() };
    for (name, value) in [
        (LimitName::Inflated, 4 << 20),
        (LimitName::Values, 1 << 20),
        (LimitName::Objects, 1 << 16),
        (LimitName::Influences, 1 << 18),
        (LimitName::Keys, 1 << 18),
        (LimitName::Textures, 64 << 20),
    ] {
        limits.set(name, value);
    }
    LoadOptions::from(limits)
}

/// `.x` files of any encoding, up to models and clips.
pub(crate) fn x_file(bytes: &[u8]) {
    let _ = x::parse_model(bytes, None, &tight());
}

/// MD5 files: tried as a mesh, as a clip and as a camera.
pub(crate) fn md5_file(bytes: &[u8]) {
    let options = tight();
    let _ = md5::parse_mesh(bytes, &options);
    let _ = md5::parse_anim(bytes, &options);
    let _ = md5::parse_camera(bytes, &options);
}

/// Doom 3 material files.
pub(crate) fn mtr_file(bytes: &[u8]) {
    let Ok(file) = mtr::parse_materials(bytes, &tight()) else { return };
    let looks = file.value.materials.iter().filter_map(|one| file.value.look(one).ok());
    for stage in looks.flat_map(|look| look.stages) {
        let _ = (stage.coordinates_at(1e9), stage.values());
    }
}

/// Image programs: the bytes are one, as a material's diffuse map.
pub(crate) fn image_program(bytes: &[u8]) {
    let text = [b"m { diffusemap ".as_slice(), bytes, b" }"].concat();
    let _ = mtr::parse_materials(&text, &tight());
}

/// glTF files, binary and JSON: container, document, accessors, up to models and clips.
pub(crate) fn gltf_file(bytes: &[u8]) {
    let nothing = |_: &str| Err("no such file".to_owned());
    let _ = gltf::parse_model(bytes, &nothing, &tight());
}

/// glTF files with mistakes in their values, chunks and buffers. A file that is read can be posed,
/// and some are drawn.
pub(crate) fn gltf_structure(bytes: &[u8]) {
    let Some((seed, file)) = bytes.split_first_chunk() else { return };
    let mut dice = Dice(u64::from_le_bytes(*seed) | 1);
    let Some(file) = mistaken(file, &mut dice) else { return };
    let nothing = |_: &str| Err("no such file".to_owned());
    if let Ok(loaded) = gltf::parse_model(&file, &nothing, &tight()) {
        play(&loaded.value);
        if dice.below(32) == 0 {
            whole_way(&file);
        }
    }
}

/// Poses a model in its bind pose and at four times of each clip.
fn play(file: &GltfModel) {
    let model = &file.model;
    let skinned = |pose: &tintype_model::Pose| {
        let matrices = SkinMatrices::new(pose);
        for mesh in &model.meshes {
            assert_eq!(skin_mesh(mesh, &matrices).len(), mesh.vertex_count());
            let corners = mesh.triangles.iter().flatten();
            assert!(corners.copied().all(|corner| (corner as usize) < mesh.vertex_count()));
        }
    };
    skinned(&bind_pose(&model.skeleton));
    for named in file.clips.iter().take(4) {
        let clip = &named.clip;
        let Ok((binding, _)) = bind_clip(&model.skeleton, &model.meshes, clip) else { continue };
        for share in [0.0, 0.37, 1.0, 1.5] {
            let time_s = share * clip.period_s;
            skinned(&play_clip(&model.skeleton, clip, &binding, time_s, clip.wrap));
        }
    }
}

fn gltf_document(document: &serde_json::Value) {
    gltf_file(document.to_string().as_bytes());
}

/// Draco streams, as the one mesh of a glTF file.
pub(crate) fn draco_mesh(bytes: &[u8]) {
    let data = base64::engine::general_purpose::STANDARD.encode(bytes);
    gltf_document(&json!({
        "asset": {"version": "2.0"},
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{
            "attributes": {"POSITION": 0},
            "indices": 1,
            "extensions": {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}},
        }]}],
        "accessors": [
            {"componentType": 5126, "count": 25, "type": "VEC3"},
            {"componentType": 5123, "count": 96, "type": "SCALAR"},
        ],
        "bufferViews": [{"buffer": 0, "byteLength": bytes.len()}],
        "buffers": [{"byteLength": bytes.len(), "uri": format!("data:;base64,{data}")}],
    }));
}

/// Streams of meshopt, as the one buffer view of a glTF file; the first bytes choose mode, filter,
/// count and stride.
pub(crate) fn meshopt_view(bytes: &[u8]) {
    let [mode, filter, count, stride, stream @ ..] = bytes else { return };
    let mode = ["ATTRIBUTES", "TRIANGLES", "INDICES"][usize::from(*mode) % 3];
    let filters = ["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"];
    let filter = filters[usize::from(*filter) % filters.len()];
    let data = base64::engine::general_purpose::STANDARD.encode(stream);
    gltf_document(&json!({
        "asset": {"version": "2.0"},
        "bufferViews": [{"buffer": 0, "byteLength": 0, "extensions": {"EXT_meshopt_compression": {
            "buffer": 0, "byteLength": stream.len(), "byteStride": stride, "count": count,
            "mode": mode, "filter": filter,
        }}}],
        "buffers": [{"byteLength": stream.len(), "uri": format!("data:;base64,{data}")}],
    }));
}

/// OBJ files; the bytes after the first zero are the material file.
pub(crate) fn obj_file(bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let (text, library) = bytes.split_at(end);
    let fetch = |_: &str| Ok(library.to_vec());
    let _ = obj::parse_model(text, &fetch, &tight());
}

/// IQM files, up to models and clips.
pub(crate) fn iqm_file(bytes: &[u8]) {
    let _ = iqm::parse_model(bytes, &tight());
}

/// Models of Quake of all kinds, up to models and clips, with a palette; also as parts of a player.
pub(crate) fn quake_file(bytes: &[u8]) {
    let fetch = |name: &str| Ok(if name == quake::PALETTE { vec![7; 768] } else { bytes.to_vec() });
    let _ = quake::parse_model(bytes, &fetch, None, &tight());
    let _ = quake::parse_player(bytes, &fetch, None, &tight());
}

/// 3DS files, up to models and clips.
pub(crate) fn three_ds_file(bytes: &[u8]) {
    let _ = three_ds::parse_model(bytes, None, &tight());
}

/// Blitz3D files, up to models and clips.
pub(crate) fn b3d_file(bytes: &[u8]) {
    let _ = b3d::parse_model(bytes, None, &tight());
}

/// STL files of both kinds.
pub(crate) fn stl_file(bytes: &[u8]) {
    let _ = stl::parse_model(bytes, &tight());
}

/// PLY files of all kinds.
pub(crate) fn ply_file(bytes: &[u8]) {
    let _ = ply::parse_model(bytes, &tight());
}

/// FBX files of both kinds, up to models and clips.
pub(crate) fn fbx_file(bytes: &[u8]) {
    let _ = fbx::parse_model(bytes, &tight());
}

/// Pictures of all kinds, including TGA files, which have no signature. The picture must have the
/// size stated in its header.
pub(crate) fn picture_file(bytes: &[u8]) {
    let options = tight();
    for name in ["picture", "picture.tga"] {
        if let Ok(picture) = image::decode(bytes, name, &options) {
            assert_eq!(picture.rgba.len(), picture.width as usize * picture.height as usize);
            assert!(
                image::decoded_bytes(bytes, name, &options.limits).is_ok(),
                "its header is read too"
            );
        }
    }
}

/// Pictures of one kind, which reach only the decoder of that kind.
pub(crate) fn one_picture(bytes: &[u8]) {
    if let Ok(picture) = image::decode(bytes, "picture", &tight()) {
        assert_eq!(picture.rgba.len(), picture.width as usize * picture.height as usize);
    }
}

/// Pictures of light.
pub(crate) fn light_picture(bytes: &[u8]) {
    let _ = image::decode_hdr(bytes, &tight());
}

/// Scenes: read, or refused with a position for each mistake.
pub(crate) fn scene_text(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match parse_scene(&text, "scene.toml") {
        Ok(scene) => assert_eq!(scene.digest_text(), scene.clone().digest_text()),
        Err(errors) => assert!(!errors.to_string().is_empty()),
    }
}

/// Written files read back unchanged: pictures, and lists of frames.
pub(crate) fn round_trips(bytes: &[u8]) {
    if let Ok((frame, text)) = decode_png(bytes) {
        let again = decode_png(&encode_png(&frame, true, PngEffort::Fast, &text));
        let (same, _) = again.expect("what was written is read");
        assert_eq!(same, frame);
    }
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(64)]);
    if let Ok(list) = FrameList::parse(&start)
        && list.len() < 10_000
    {
        assert_eq!(FrameList::parse(&list.to_string()).as_ref(), Ok(&list));
    }
}

/// A folder that is removed with this value.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        let thread = std::thread::current().id();
        let name = format!("tintype-fuzz-{}-{thread:?}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a folder for the model");
        Self(folder)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The whole pipeline: from the bytes of a model to a picture of 32 by 32 pixels.
pub(crate) fn whole_way(bytes: &[u8]) {
    let name = match bytes {
        [b'x', b'o', b'f', ..] => "m.x",
        [b'g', b'l', b'T', b'F', ..] => "m.glb",
        [b'{', ..] => "m.gltf",
        _ => "m.md5mesh",
    };
    let folder = Scratch::new();
    fs::write(folder.0.join(name), bytes).expect("room for the model");
    let scene = SceneBuilder::new().size([32, 32]).model(ModelBuilder::new(name)).build("fuzz");
    if let Ok(scene) = scene
        && let Ok(renderer) = Renderer::load(scene, &folder.0, &tight())
        && let Ok(drawn) = renderer.draw(FrameNumber(0), RasterOptions::default())
    {
        assert_eq!(drawn.frame.rgba.len(), 32 * 32);
    }
}
