//! Summary of a file in a few lines that can be checked by hand: counts, bounds, first and last
//! keys, warnings.

use std::fmt::Write as _;
use std::path::Path;
use tintype_formats::{LoadOptions, Loaded, md5, mtr, x};
use tintype_model::math::{Aabb, Quat, Vec3};
use tintype_model::{
    CameraClip, Clip, JointIndex, Mesh, Model, NamedClip, Skeleton, TextureRole, TextureSampling,
    Track, Warning,
};

/// Reads a file by its extension; the error with its causes as text.
pub(crate) fn of_file(path: &Path, bytes: &[u8]) -> Result<String, String> {
    let options = LoadOptions::default();
    let extension = path.extension().and_then(|own| own.to_str()).unwrap_or_default();
    match extension {
        "md5mesh" => told(md5::parse_mesh(bytes, &options), model_facts),
        "md5anim" => told(md5::parse_anim(bytes, &options), clip_facts),
        "md5camera" => told(md5::parse_camera(bytes, &options), camera_facts),
        _ => Err(format!("no reader for {}", path.display())),
    }
}

/// A `.x` file as a model with its clips; the error as text.
pub(crate) fn of_x_model(bytes: &[u8]) -> Result<String, String> {
    told(x::parse_model(bytes, None, &LoadOptions::default()), |file, text| {
        let x::XModel { model, clips, ticks } = file;
        model_facts(model, text);
        for mesh in model.meshes.iter().filter(|mesh| mesh.texcoord_sets != 1) {
            let _ = writeln!(
                text,
                "{:?} has {} sets of texture coordinates",
                mesh.name, mesh.texcoord_sets
            );
        }
        for material in &model.materials {
            // Sampling other than the default, whatever textures there may be.
            let all = TextureRole::ALL.into_iter().zip(material.sampling);
            let own: Vec<_> = all.filter(|(_, one)| *one != TextureSampling::default()).collect();
            let (sampling, own) = (format!("{:?}", material.sampling), format!("{own:?}"));
            let _ = writeln!(text, "{}", format!("{material:?}").replace(&sampling, &own));
        }
        let _ = writeln!(text, "{ticks}");
        for NamedClip { name, clip, options } in clips {
            let _ = writeln!(text, "clip {name:?}, {:?}, {options:?}", clip.wrap);
            clip_facts(clip, text);
        }
    })
}

/// A `.mtr` file as its materials; the error of the first that is broken as text.
pub(crate) fn of_mtr(bytes: &[u8]) -> Result<String, String> {
    let options = LoadOptions::default();
    let loaded = mtr::parse_materials(bytes, &options).map_err(|error| error.to_string())?;
    let mut text = String::new();
    for material in &loaded.value.materials {
        let look = loaded.value.look(material).map_err(|error| error.to_string())?;
        let _ = writeln!(text, "{:?}, {}", material.name, material.position);
        let roles = [
            ("diffuse", &look.diffuse),
            ("normal", &look.normal),
            ("specular", &look.specular),
            ("glow", &look.emissive_map),
        ];
        for (role, layer) in roles {
            if let Some(layer) = layer {
                let clamped = if layer.is_clamped { ", clamped" } else { "" };
                let _ = writeln!(text, "  {role}: {}{clamped}, {}", layer.image, layer.position);
            }
        }
        let [r, g, b] = [look.color.r, look.color.g, look.color.b].map(number);
        let cull = look.cull.map_or_else(String::new, |cull| format!(", faces {cull:?}"));
        let unlit = if look.is_unlit { ", not lit" } else { "" };
        let undrawn = if look.is_undrawn { ", not drawn" } else { unlit };
        let _ = writeln!(
            text,
            "  {:?}, colour {r} {g} {b}, opacity {}{cull}{undrawn}",
            look.cover, look.opacity
        );
        for motion in &look.stages {
            let values = motion.values().into_iter();
            values.for_each(|(key, value)| _ = writeln!(text, "  {key}: {value}"));
        }
        if let Some(editor) = &look.editor_image {
            let _ = writeln!(text, "  editor: {editor}");
        }
        for note in &look.notes {
            let kind = if note.is_warning { "warning" } else { "note" };
            let _ = writeln!(text, "  {kind}, {}: {}", note.position, note.message);
        }
    }
    for Warning { line, message, .. } in &loaded.warnings {
        let _ = writeln!(text, "warning, line {line}: {message}");
    }
    Ok(text)
}

fn told<T, E: std::error::Error>(
    result: Result<Loaded<T>, E>,
    facts: impl FnOnce(&T, &mut String),
) -> Result<String, String> {
    let loaded = result.map_err(|error| tintype_base::diagnostic::chain(&error))?;
    let mut text = String::new();
    facts(&loaded.value, &mut text);
    for Warning { line, message, .. } in &loaded.warnings {
        let _ = writeln!(text, "warning, line {line}: {message}");
    }
    Ok(text)
}

/// Five decimals, and no sign on a zero.
fn number(value: f32) -> String {
    let text = format!("{value:.5}");
    if text.trim_start_matches('-').chars().all(|c| matches!(c, '0' | '.')) {
        text.trim_start_matches('-').into()
    } else {
        text
    }
}

fn vector(v: Vec3) -> String {
    v.to_array().map(number).join(" ")
}

/// A quaternion of either sign is one rotation: the one with `w` at or above 0.
fn rotation(q: Quat) -> String {
    let q = if q.w < 0.0 { -q } else { q };
    q.to_array().map(number).join(" ")
}

fn parent(parent: Option<JointIndex>) -> String {
    parent.map_or_else(|| "none".into(), |parent| parent.0.to_string())
}

fn model_facts(model: &Model, text: &mut String) {
    for (index, joint) in model.skeleton.joints().iter().enumerate() {
        let (_, turn, place) = joint.model_from_joint.to_scale_rotation_translation();
        let _ = writeln!(
            text,
            "joint {index} {:?}, parent {}: at {}, turned {}",
            joint.name,
            parent(joint.parent),
            vector(place),
            rotation(turn)
        );
    }
    for (index, mesh) in model.meshes.iter().enumerate() {
        mesh_facts(index, mesh, &model.skeleton, text);
    }
}

fn mesh_facts(index: usize, mesh: &Mesh, skeleton: &Skeleton, text: &mut String) {
    let _ = writeln!(
        text,
        "mesh {index} {:?}, shader {:?}: {} vertices, {} influences, {} triangles, {}",
        mesh.name,
        mesh.material_name,
        mesh.file_vertex_count(),
        mesh.influence_start[mesh.file_vertex_count()],
        mesh.triangles.len(),
        if mesh.is_closed_outward() { "closed" } else { "open" },
    );
    let position = |vertex: usize| {
        mesh.influences_of(vertex).fold(Vec3::ZERO, |sum, influence| {
            let joint = &skeleton.joints()[mesh.influences[influence].joint().index()];
            sum + joint.model_from_joint.transform_point3(mesh.influences[influence].position())
                * mesh.influences[influence].weight()
        })
    };
    let bounds: Aabb = (0..mesh.vertex_count()).map(position).collect();
    if !bounds.is_empty() {
        let _ = writeln!(text, "  bounds {} to {}", vector(bounds.min), vector(bounds.max));
    }
    if let Some(triangle) = mesh.triangles.first() {
        let _ = writeln!(text, "  first triangle {triangle:?}");
        for vertex in *triangle {
            let vertex = vertex as usize;
            let [u, v] = mesh.texcoords[vertex].to_array().map(number);
            let _ = writeln!(text, "    {} uv {u} {v}", vector(position(vertex)));
        }
    }
}

fn clip_facts(clip: &Clip, text: &mut String) {
    let _ = writeln!(
        text,
        "{} keys at {:?} Hz, {:.5} to {:.5} s, period {:.5} s",
        clip.key_count(),
        clip.key_rate_hz.unwrap_or(0.0),
        clip.start_s,
        clip.end_s,
        clip.period_s
    );
    for (index, joint) in clip.joints.iter().enumerate() {
        let _ = writeln!(text, "joint {index} {:?}, parent {}", joint.name, parent(joint.parent));
        track_facts("translation", &joint.translation, vector, text);
        track_facts("rotation", &joint.rotation, rotation, text);
        if clip.is_local {
            track_facts("scale", &joint.scale, vector, text);
        }
    }
}

fn track_facts<T: Copy>(
    name: &str,
    track: &Track<T>,
    shown: impl Fn(T) -> String,
    text: &mut String,
) {
    let (count, times) = (track.values.len(), track.times_s.len());
    let Some(&first) = track.values.first() else {
        let _ = writeln!(text, "  {name}: the joint's own");
        return;
    };
    let _ = write!(text, "  {name}: {count} of {times} keys: ");
    let first = shown(first);
    let _ = match track.values.last() {
        Some(last) if count > 1 => writeln!(text, "{first} to {}", shown(*last)),
        _ => writeln!(text, "{first}"),
    };
}

fn camera_facts(camera: &CameraClip, text: &mut String) {
    let (count, rate_hz) = (camera.keys.len(), camera.key_rate_hz);
    let _ = writeln!(text, "{count} keys at {rate_hz} Hz, shots start at {:?}", camera.cuts);
    for key in &camera.keys {
        let _ = writeln!(
            text,
            "at {}, looks along {}, up {}, {} degrees wide",
            vector(key.position),
            vector(key.rotation * -Vec3::Z),
            vector(key.rotation * Vec3::Y),
            number(key.fov_x_rad * 180.0 / core::f32::consts::PI)
        );
    }
}
