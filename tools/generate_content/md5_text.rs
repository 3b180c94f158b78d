//! Writes `.md5mesh`, `.md5anim` and `.md5camera` files, version 10.
//!
//! Input: rigs, meshes, poses. Output: text. Joint space, triangle order and the dropped `w` are
//! handled only here; checks of the output panic, because the generator's content is at fault.

use crate::bind::Hold;
use crate::rig::{Pose, Posed, Rig, restored, stored};
use glam::{DQuat, DVec2, DVec3};
use std::fmt::Write;

/// A mesh in its bind pose, in model space.
#[derive(Default)]
pub(crate) struct Mesh {
    /// Shader name.
    pub shader: String,
    /// Corners that move in the same way share one position; a texture seam gives a position
    /// several vertices.
    pub places: Vec<DVec3>,
    /// Per position: the joints that move it.
    pub holds: Vec<Hold>,
    /// Per vertex: its position and its texture coordinates.
    pub vertices: Vec<(u32, DVec2)>,
    /// True if its texture is repeated, with coordinates beyond 0..=1.
    pub tiled: bool,
    /// Counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// Both meshes as one, with the shader of the first.
    pub(crate) fn joined(mut self, other: Self) -> Self {
        let (places, vertices) = (self.places.len() as u32, self.vertices.len() as u32);
        self.places.extend(other.places);
        self.holds.extend(other.holds);
        self.vertices.extend(other.vertices.into_iter().map(|(place, uv)| (place + places, uv)));
        let moved = other.triangles.into_iter().map(|triangle| triangle.map(|at| at + vertices));
        self.triangles.extend(moved);
        self
    }
}

/// A number without a trailing run of zeros and without a negative zero.
pub(crate) fn number(value: f64, digits: usize) -> String {
    let mut text = format!("{value:.digits$}");
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    if text == "-0" { "0".into() } else { text }
}

fn triple(value: DVec3, digits: usize) -> String {
    let [x, y, z] = value.to_array().map(|part| number(part, digits));
    format!("( {x} {y} {z} )")
}

/// The text of an `.md5mesh` file.
pub(crate) fn mesh_file(rig: &Rig, meshes: &[Mesh]) -> String {
    let mut text = String::from("MD5Version 10\ncommandline \"\"\n\n");
    let _ = writeln!(text, "numJoints {}\nnumMeshes {}\n", rig.joints.len(), meshes.len());
    text.push_str("joints {\n");
    for (index, joint) in rig.joints.iter().enumerate() {
        let parent = joint.parent.map_or(-1, |parent| parent as i64);
        assert!(parent < index as i64, "{}: its parent comes later", joint.name);
        let (place, turn) = (triple(joint.place, 6), triple(stored(joint.turn), 8));
        let above = joint.parent.map_or("", |parent| &rig.joints[parent].name);
        let _ = writeln!(text, "\t\"{}\"\t{parent} {place} {turn}\t\t// {above}", joint.name);
    }
    text.push_str("}\n");
    for mesh in meshes {
        check(mesh);
        let _ = writeln!(text, "\nmesh {{\n\tshader \"{}\"\n", mesh.shader);
        let mut starts = Vec::with_capacity(mesh.places.len());
        let mut weights = String::new();
        let mut written = 0;
        for (&place, hold) in mesh.places.iter().zip(&mesh.holds) {
            starts.push(written);
            for &(joint, weight) in hold {
                let own = &rig.joints[joint];
                let local = own.turn.inverse() * (place - own.place);
                let (bias, local) = (number(weight, 6), triple(local, 6));
                let _ = writeln!(weights, "\tweight {written} {joint} {bias} {local}");
                written += 1;
            }
        }
        let _ = writeln!(text, "\tnumverts {}", mesh.vertices.len());
        for (index, &(place, uv)) in mesh.vertices.iter().enumerate() {
            let (u, v) = (number(uv.x, 6), number(uv.y, 6));
            let (start, count) = (starts[place as usize], mesh.holds[place as usize].len());
            let _ = writeln!(text, "\tvert {index} ( {u} {v} ) {start} {count}");
        }
        let _ = writeln!(text, "\n\tnumtris {}", mesh.triangles.len());
        for (index, &[a, b, c]) in mesh.triangles.iter().enumerate() {
            let _ = writeln!(text, "\ttri {index} {a} {c} {b}"); // clockwise in the file
        }
        let _ = writeln!(text, "\n\tnumweights {written}\n{weights}}}");
    }
    text
}

/// Weights sum to 1, texture coordinates stay in the picture, and no triangle is a line.
pub(crate) fn check(mesh: &Mesh) {
    for hold in &mesh.holds {
        let sum: f64 = hold.iter().map(|&(_, weight)| weight).sum();
        assert!((sum - 1.0).abs() < 1e-5, "{}: weights sum to {sum}", mesh.shader);
    }
    for &(_, uv) in &mesh.vertices {
        let within = uv.cmpge(DVec2::ZERO).all() && uv.cmple(DVec2::ONE).all();
        assert!(within || mesh.tiled, "{}: texture coordinates {uv}", mesh.shader);
    }
    for triangle in &mesh.triangles {
        let [a, b, c] =
            triangle.map(|vertex| mesh.places[mesh.vertices[vertex as usize].0 as usize]);
        let area = (b - a).cross(c - a).length() * 0.5;
        assert!(area > 1e-8, "{}: a triangle at {a} has no area", mesh.shader);
    }
}

/// The positions of a mesh in a pose.
pub(crate) fn skinned(rig: &Rig, mesh: &Mesh, posed: &[Posed]) -> Vec<DVec3> {
    let move_by = |joint: usize, place: DVec3| {
        posed[joint].place + posed[joint].turn * (place - rig.joints[joint].place)
    };
    mesh.places
        .iter()
        .zip(&mesh.holds)
        .map(|(&place, hold)| {
            hold.iter().map(|&(joint, weight)| move_by(joint, place) * weight).sum()
        })
        .collect()
}

/// The smallest box around all meshes in a pose.
pub(crate) fn bounds(rig: &Rig, meshes: &[Mesh], posed: &[Posed]) -> (DVec3, DVec3) {
    let places = meshes.iter().flat_map(|mesh| skinned(rig, mesh, posed));
    places.fold((DVec3::MAX, DVec3::MIN), |(low, high), at| (low.min(at), high.max(at)))
}

/// A joint against its parent: its position and its turn as stored, the numbers in the order of the
/// flag bits.
pub(crate) fn local(rig: &Rig, index: usize, pose: &Pose, posed: &[Posed]) -> [f64; 6] {
    let joint = &rig.joints[index];
    let model = |index: usize| posed[index].turn * rig.joints[index].turn;
    let (place, turn) = match joint.parent {
        None => (joint.place + pose.shift, model(index)),
        Some(parent) => {
            let above = &rig.joints[parent];
            let place = above.turn.inverse() * (joint.place - above.place);
            (place, model(parent).inverse() * model(index))
        }
    };
    let turn = turn.normalize();
    assert!(turn.w.abs() > 0.08, "{}: w = {} is lost by rounding", joint.name, turn.w);
    let turn = stored(turn);
    [place.x, place.y, place.z, turn.x, turn.y, turn.z]
}

/// The text of an `.md5anim` file. A component that never changes is in the base frame only.
pub(crate) fn anim_file(rig: &Rig, meshes: &[Mesh], rate: u32, poses: &[Pose]) -> String {
    const STILL: f64 = 1.5e-6;
    let count = rig.joints.len();
    let bind = Pose::bind(rig);
    let bind_posed = bind.posed(rig);
    let posed: Vec<Vec<Posed>> = poses.iter().map(|pose| pose.posed(rig)).collect();
    let frames: Vec<Vec<[f64; 6]>> = poses
        .iter()
        .zip(&posed)
        .map(|(pose, posed)| (0..count).map(|joint| local(rig, joint, pose, posed)).collect())
        .collect();
    let mut base: Vec<[f64; 6]> =
        (0..count).map(|joint| local(rig, joint, &bind, &bind_posed)).collect();
    let (mut flags, mut starts, mut animated) = (Vec::new(), Vec::new(), 0);
    for joint in 0..count {
        let mut bits = 0_u32;
        for part in 0..6 {
            let first = frames[0][joint][part];
            if frames.iter().any(|frame| (frame[joint][part] - first).abs() > STILL) {
                bits |= 1 << part;
            } else {
                base[joint][part] = first;
            }
        }
        starts.push(animated);
        animated += bits.count_ones();
        flags.push(bits);
    }
    let mut text = String::from("MD5Version 10\ncommandline \"\"\n\n");
    let _ = writeln!(text, "numFrames {}\nnumJoints {count}\nframeRate {rate}", poses.len());
    let _ = writeln!(text, "numAnimatedComponents {animated}\n\nhierarchy {{");
    for (index, joint) in rig.joints.iter().enumerate() {
        let parent = joint.parent.map_or(-1, |parent| parent as i64);
        let start = if flags[index] == 0 { 0 } else { starts[index] };
        let _ = writeln!(text, "\t\"{}\"\t{parent} {} {start}", joint.name, flags[index]);
    }
    text.push_str("}\n\nbounds {\n");
    for posed in &posed {
        let (low, high) = bounds(rig, meshes, posed);
        let _ = writeln!(text, "\t{} {}", triple(low, 6), triple(high, 6));
    }
    text.push_str("}\n\nbaseframe {\n");
    for value in &base {
        let (place, turn) = (DVec3::from_slice(&value[..3]), DVec3::from_slice(&value[3..]));
        let _ = writeln!(text, "\t{} {}", triple(place, 6), triple(turn, 8));
    }
    text.push_str("}\n");
    for (index, frame) in frames.iter().enumerate() {
        let _ = writeln!(text, "\nframe {index} {{");
        for (value, bits) in frame.iter().zip(&flags) {
            let parts: Vec<String> = (0..6)
                .filter(|part| bits & (1 << part) != 0)
                .map(|part| number(value[part], if part < 3 { 6 } else { 8 }))
                .collect();
            if !parts.is_empty() {
                let _ = writeln!(text, "\t{}", parts.join(" "));
            }
        }
        text.push_str("}\n");
    }
    text
}

/// One frame of a camera that looks along its +X, with +Z up.
pub(crate) struct CameraKey {
    /// The eye.
    pub eye: DVec3,
    /// Model space from camera space.
    pub turn: DQuat,
    /// From the left edge to the right edge.
    pub fov_deg: f64,
}

/// The text of an `.md5camera` file; `cuts` are the frames where a new shot begins. The file names
/// the frames before.
pub(crate) fn camera_file(rate: u32, cuts: &[usize], keys: &[CameraKey]) -> String {
    let mut text = String::from("MD5Version 10\ncommandline \"\"\n\n");
    let _ = writeln!(text, "numFrames {}\nframeRate {rate}\nnumCuts {}\n", keys.len(), cuts.len());
    text.push_str("cuts {\n");
    for cut in cuts {
        let _ = writeln!(text, "\t{}", cut - 1);
    }
    text.push_str("}\n\ncamera {\n");
    for key in keys {
        let (eye, turn) = (triple(key.eye, 6), triple(stored(key.turn), 8));
        assert!(restored(stored(key.turn)).dot(key.turn).abs() > 1.0 - 1e-6, "{turn}");
        let _ = writeln!(text, "\t{eye} {turn} {}", number(key.fov_deg, 6));
    }
    text.push_str("}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_negative_zero_and_no_idle_digits() {
        assert_eq!(number(-0.000_000_1, 6), "0");
        assert_eq!(number(-1.250_000, 6), "-1.25");
        assert_eq!(number(20.0, 6), "20");
    }
}
