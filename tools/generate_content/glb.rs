//! Writes glTF 2.0 binary files (`.glb`): nodes, one skin, meshes with morph targets, clips, and
//! materials with embedded pictures.
//!
//! Axes: the generator's +X ahead, +Y left, +Z up become +Z ahead, +X left, +Y up, which is a
//! rotation.

use crate::md5_text::{Mesh, check, local};
use crate::picture::Picture;
use crate::rig::{Pose, Rig, restored};
use crate::scalar::max;
use crate::x_file::normals;
use glam::{DMat4, DQuat, DVec3};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::io;

/// A material: its textures are indices of [`Figure::pictures`].
pub(crate) struct Surface {
    pub name: &'static str,
    pub color: usize,
    pub normal: Option<usize>,
    /// Roughness in green and metal in blue.
    pub rough: Option<usize>,
    pub roughness: f64,
    pub emissive: [f64; 3],
    /// Additional or replacing properties; null for none.
    pub own: Value,
}

/// A morph target: its name, and the offset of a position.
pub(crate) struct Target<'a> {
    pub name: &'static str,
    pub offset: &'a dyn Fn(DVec3) -> DVec3,
}

/// Content of a file.
pub(crate) struct Figure<'a> {
    pub rig: &'a Rig,
    pub meshes: &'a [Mesh],
    /// One for each mesh.
    pub surfaces: &'a [Surface],
    pub pictures: &'a [Picture],
    /// Morph targets of the first mesh.
    pub targets: &'a [Target<'a>],
    /// Keys a second.
    pub rate: u32,
    /// Clips by name; each returns to its first pose one key after its last.
    pub clips: &'a [(&'a str, &'a [Pose])],
    /// True if joints do not move the meshes: the file has no skin.
    pub is_rigid: bool,
}

const FLOAT: u32 = 5126;
const SHORT: u32 = 5123;
const BYTE: u32 = 5121;

/// Shorter offsets count as zero.
const STILL: f64 = 1e-4;

/// The file's axes from the generator's.
fn turned(at: DVec3) -> DVec3 {
    DVec3::new(at.y, at.z, at.x)
}

/// The rotation of [`turned`]: by a third about the diagonal.
fn turn() -> DQuat {
    DQuat::from_xyzw(-0.5, -0.5, -0.5, 0.5)
}

/// Bytes of the buffer, and what describes them.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    fn view(&mut self, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views
            .push(json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()}));
        self.bytes.extend(bytes);
        self.views.len() - 1
    }

    fn accessor(&mut self, kind: &str, component: u32, count: usize, bytes: &[u8]) -> usize {
        let view = self.view(bytes);
        self.accessors.push(
            json!({"bufferView": view, "componentType": component, "count": count, "type": kind}),
        );
        self.accessors.len() - 1
    }

    fn reals(&mut self, kind: &str, width: usize, values: &[f64]) -> usize {
        self.accessor(kind, FLOAT, values.len() / width, &floats(values))
    }

    /// Points with their bounds, which are required for positions.
    fn positions(&mut self, points: &[DVec3]) -> usize {
        let values: Vec<f64> = points.iter().flat_map(|point| point.to_array()).collect();
        let accessor = self.reals("VEC3", 3, &values);
        self.bound(accessor, points);
        accessor
    }

    fn bound(&mut self, accessor: usize, points: &[DVec3]) {
        let (low, high) = points
            .iter()
            .fold((DVec3::MAX, DVec3::MIN), |(low, high), &at| (low.min(at), high.max(at)));
        let as_written = |corner: DVec3| corner.to_array().map(|value| f64::from(value as f32));
        self.accessors[accessor]["min"] = json!(as_written(low));
        self.accessors[accessor]["max"] = json!(as_written(high));
    }

    /// Offsets, mostly zero, as sparse elements.
    fn sparse(&mut self, offsets: &[DVec3]) -> usize {
        let moved: Vec<(usize, DVec3)> = offsets
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, offset)| offset.length() > STILL)
            .collect();
        let indices: Vec<u8> =
            moved.iter().flat_map(|&(index, _)| (index as u16).to_le_bytes()).collect();
        let values: Vec<f64> = moved.iter().flat_map(|(_, offset)| offset.to_array()).collect();
        let (indices, values) = (self.view(&indices), self.view(&floats(&values)));
        self.accessors.push(json!({
            "componentType": FLOAT, "count": offsets.len(), "type": "VEC3",
            "sparse": {
                "count": moved.len(),
                "indices": {"bufferView": indices, "componentType": SHORT},
                "values": {"bufferView": values},
            },
        }));
        let accessor = self.accessors.len() - 1;
        let written: Vec<DVec3> =
            moved.iter().map(|&(_, offset)| offset).chain([DVec3::ZERO]).collect();
        self.bound(accessor, &written);
        accessor
    }
}

fn floats(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|&value| (value as f32).to_le_bytes()).collect()
}

impl Figure<'_> {
    /// The bytes of the file.
    pub(crate) fn file(&self) -> io::Result<Vec<u8>> {
        let mut buffer = Buffer::default();
        let count = self.rig.joints.len();
        let mut nodes: Vec<Value> = (0..count).map(|index| self.joint(index)).collect();
        let meshes: Vec<Value> =
            (0..self.meshes.len()).map(|index| self.mesh(index, &mut buffer)).collect();
        let mut roots = vec![0];
        for (index, surface) in self.surfaces.iter().enumerate() {
            roots.push(nodes.len());
            let mut node = json!({"name": surface.name, "mesh": index});
            if !self.is_rigid {
                node["skin"] = json!(0);
            }
            nodes.push(node);
        }
        let inverse: Vec<f64> = (self.rig.joints.iter())
            .flat_map(|joint| {
                let place =
                    DMat4::from_rotation_translation(turn() * joint.turn, turned(joint.place));
                place.inverse().to_cols_array()
            })
            .collect();
        let skin = (!self.is_rigid).then(|| buffer.reals("MAT4", 16, &inverse));
        let animations: Vec<Value> =
            self.clips.iter().map(|(name, poses)| self.clip(name, poses, &mut buffer)).collect();
        let mut images = Vec::new();
        for picture in self.pictures {
            let view = buffer.view(&picture.encode(false)?);
            images.push(json!({"bufferView": view, "mimeType": "image/png"}));
        }
        let textures: Vec<Value> =
            (0..images.len()).map(|source| json!({"source": source, "sampler": 0})).collect();
        let length = buffer.bytes.len().next_multiple_of(4);
        buffer.bytes.resize(length, 0);
        let mut document = json!({
            "asset": {"version": "2.0", "generator": "generate_content of tintype"},
            "scene": 0,
            "scenes": [{"nodes": roots}],
            "nodes": nodes,
            "meshes": meshes,
            "skins": [{"joints": (0..count).collect::<Vec<_>>(), "inverseBindMatrices": skin}],
            "animations": animations,
            "materials": self.surfaces.iter().map(material).collect::<Vec<_>>(),
            "textures": textures,
            "images": images,
            "samplers": [{"magFilter": 9729, "minFilter": 9987, "wrapS": 33071, "wrapT": 33071}],
            "accessors": buffer.accessors,
            "bufferViews": buffer.views,
            "buffers": [{"byteLength": length}],
        });
        if let (true, Some(parts)) = (self.clips.is_empty(), document.as_object_mut()) {
            parts.remove("animations");
        }
        if let (true, Some(parts)) = (self.is_rigid, document.as_object_mut()) {
            parts.remove("skins");
        }
        let used: BTreeSet<&String> = (self.surfaces.iter())
            .filter_map(|surface| surface.own.get("extensions")?.as_object())
            .flat_map(Map::keys)
            .collect();
        if !used.is_empty() {
            document["extensionsUsed"] = json!(used);
        }
        Ok(binary(&document, &buffer.bytes))
    }

    /// A node on its parent in the bind pose.
    fn joint(&self, index: usize) -> Value {
        let joints = &self.rig.joints;
        let joint = &joints[index];
        let (place, rotation) = match joint.parent.map(|parent| &joints[parent]) {
            None => (turned(joint.place), turn() * joint.turn),
            Some(above) => {
                let back = above.turn.inverse();
                (back * (joint.place - above.place), back * joint.turn)
            }
        };
        let short = |value: f64| f64::from(value as f32);
        let children: Vec<usize> =
            (0..joints.len()).filter(|&child| joints[child].parent == Some(index)).collect();
        let mut node = json!({
            "name": joint.name,
            "translation": place.to_array().map(short),
            "rotation": rotation.normalize().to_array().map(short),
        });
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        node
    }

    fn mesh(&self, index: usize, buffer: &mut Buffer) -> Value {
        let mesh = &self.meshes[index];
        check(mesh);
        let places: Vec<DVec3> =
            (mesh.vertices.iter()).map(|&(place, _)| mesh.places[place as usize]).collect();
        let own = normals(mesh);
        let normal = |vertex: usize| turned(own.list[own.of_vertex[vertex] as usize]).to_array();
        let normals: Vec<f64> = (0..places.len()).flat_map(normal).collect();
        let texcoords: Vec<f64> = mesh.vertices.iter().flat_map(|(_, uv)| uv.to_array()).collect();
        let (mut joints, mut weights) = (Vec::new(), Vec::new());
        for &(place, _) in &mesh.vertices {
            let hold = &mesh.holds[place as usize];
            assert!(hold.len() <= 4, "one set of influences");
            let slot = |slot: usize| hold.get(slot).copied().unwrap_or((0, 0.0));
            joints.extend([0, 1, 2, 3].map(|number| slot(number).0 as u8));
            weights.extend([0, 1, 2, 3].map(|number| slot(number).1));
        }
        let corners: Vec<u8> = (mesh.triangles.iter().flatten())
            .flat_map(|&corner| (corner as u16).to_le_bytes())
            .collect();
        let mut attributes = json!({
            "POSITION": buffer.positions(&places.iter().copied().map(turned).collect::<Vec<_>>()),
            "NORMAL": buffer.reals("VEC3", 3, &normals),
            "TEXCOORD_0": buffer.reals("VEC2", 2, &texcoords),
        });
        if !self.is_rigid {
            attributes["JOINTS_0"] = json!(buffer.accessor("VEC4", BYTE, places.len(), &joints));
            attributes["WEIGHTS_0"] = json!(buffer.reals("VEC4", 4, &weights));
        }
        let indices = buffer.accessor("SCALAR", SHORT, mesh.triangles.len() * 3, &corners);
        let mut primitive =
            json!({"attributes": attributes, "indices": indices, "material": index});
        let mut out = json!({"name": self.surfaces[index].name});
        if index == 0 && !self.targets.is_empty() {
            let targets = self.targets.iter().map(|target| {
                let offsets: Vec<DVec3> =
                    places.iter().map(|&place| turned((target.offset)(place))).collect();
                json!({"POSITION": buffer.sparse(&offsets)})
            });
            primitive["targets"] = targets.collect();
            out["extras"] = json!({
                "targetNames": self.targets.iter().map(|target| target.name).collect::<Vec<_>>(),
            });
        }
        out["primitives"] = json!([primitive]);
        out
    }

    fn clip(&self, name: &str, poses: &[Pose], buffer: &mut Buffer) -> Value {
        let rate = f64::from(self.rate);
        let keys: Vec<&Pose> = poses.iter().chain(poses.first()).collect();
        let times: Vec<f64> = (0..keys.len()).map(|key| key as f64 / rate).collect();
        let last = times.last().copied().unwrap_or_default();
        let input = buffer.reals("SCALAR", 1, &times);
        buffer.accessors[input]["min"] = json!([0.0]);
        buffer.accessors[input]["max"] = json!([f64::from(last as f32)]);
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        let mut push = |joint: usize, path: &str, output: usize| {
            channels.push(json!({
                "sampler": samplers.len(), "target": {"node": joint, "path": path},
            }));
            samplers.push(json!({"input": input, "output": output}));
        };
        let posed: Vec<_> = keys.iter().map(|pose| pose.posed(self.rig)).collect();
        for joint in 0..self.rig.joints.len() {
            let is_root = self.rig.joints[joint].parent.is_none();
            let parts: Vec<[f64; 6]> = (keys.iter().zip(&posed))
                .map(|(pose, posed)| local(self.rig, joint, pose, posed))
                .collect();
            let mut before = DQuat::IDENTITY;
            let rotations: Vec<DQuat> = (parts.iter())
                .map(|part| {
                    let own = restored(DVec3::new(part[3], part[4], part[5])).normalize();
                    let own = if is_root { turn() * own } else { own };
                    before = if own.dot(before) < 0.0 { -own } else { own };
                    before
                })
                .collect();
            let values: Vec<f64> = rotations.iter().flat_map(|turn| turn.to_array()).collect();
            push(joint, "rotation", buffer.reals("VEC4", 4, &values));
            if is_root {
                let place =
                    |part: &[f64; 6]| turned(DVec3::new(part[0], part[1], part[2])).to_array();
                let values: Vec<f64> = parts.iter().flat_map(place).collect();
                push(joint, "translation", buffer.reals("VEC3", 3, &values));
            }
        }
        json!({"name": name, "channels": channels, "samplers": samplers})
    }
}

fn material(surface: &Surface) -> Value {
    let mut base = json!({
        "baseColorTexture": {"index": surface.color},
        "metallicFactor": if surface.rough.is_some() { 1.0 } else { 0.0 },
        "roughnessFactor": surface.roughness,
    });
    if let Some(rough) = surface.rough {
        base["metallicRoughnessTexture"] = json!({"index": rough});
    }
    let mut material = json!({"name": surface.name, "pbrMetallicRoughness": base});
    if let Some(normal) = surface.normal {
        material["normalTexture"] = json!({"index": normal});
    }
    if surface.emissive != [0.0; 3] {
        material["emissiveFactor"] = json!(surface.emissive);
    }
    for (key, value) in surface.own.as_object().into_iter().flatten() {
        material[key] = value.clone();
    }
    material
}

/// The frame of a binary file around its two chunks.
fn binary(document: &Value, data: &[u8]) -> Vec<u8> {
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut file = Vec::from(*b"glTF\x02\0\0\0\0\0\0\0");
    for (kind, chunk) in [(b"JSON", &text[..]), (b"BIN\0", data)] {
        file.extend((chunk.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(chunk);
    }
    let length = (file.len() as u32).to_le_bytes();
    file[8..12].copy_from_slice(&length);
    file
}

/// A picture of half the width and height, by means of four codes.
pub(crate) fn halved(picture: &Picture) -> Picture {
    let mut small = Picture::new(picture.width / 2, picture.height / 2);
    for (index, texel) in small.texels.iter_mut().enumerate() {
        let (x, y) = (index % small.width * 2, index / small.width * 2);
        let at = |dx: usize, dy: usize| picture.texels[(y + dy) * picture.width + x + dx];
        let four = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)];
        for (channel, value) in texel.iter_mut().enumerate() {
            *value = four.iter().map(|texel| texel[channel]).sum::<f64>() / 4.0;
        }
    }
    small
}

/// Roughness in green and no metalness in blue, from a picture of highlights: bright ones are
/// smooth.
pub(crate) fn rough(shine: &Picture) -> Picture {
    let mut picture = Picture::new(shine.width, shine.height);
    for (texel, shine) in picture.texels.iter_mut().zip(&shine.texels) {
        let bright = max(shine[0], max(shine[1], shine[2]));
        *texel = [1.0, 0.95 - 0.6 * bright, 0.0, 1.0];
    }
    picture
}
