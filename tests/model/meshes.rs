//! 3DS, Blitz3D, STL and PLY files written by other programs: files that must be readable, and
//! poses of Blitz3D models against an independent reader.

use crate::support::{trial, with_models};
use libtest_mimic::Failed;
use std::collections::BTreeMap;
use std::path::Path;
use tintype_formats::{LoadOptions, Loaded, b3d, ply, stl, three_ds};
use tintype_model::math::{DAffine3, DQuat, DVec3};
use tintype_model::pose::{bind_clip, sample_clip, wrap_time};
use tintype_model::skin::{SkinMatrices, skin_mesh};
use tintype_model::{Model, Warning};

fn read(path: &Path) -> Result<(Model, Vec<Warning>), String> {
    let bytes = crate::support::read(path)?;
    let options = LoadOptions::default();
    let text = |error: tintype_formats::ModelFormatError| error.to_string();
    let extension = path.extension().unwrap().to_str().unwrap().to_ascii_lowercase();
    let Loaded { value, warnings } = match extension.as_str() {
        "3ds" => {
            let Loaded { value, warnings } =
                three_ds::parse_model(&bytes, None, &options).map_err(text)?;
            Loaded { value: value.model, warnings }
        }
        "b3d" => {
            let Loaded { value, warnings } =
                b3d::parse_model(&bytes, None, &options).map_err(text)?;
            Loaded { value: value.model, warnings }
        }
        "stl" => stl::parse_model(&bytes, &options).map_err(text)?,
        _ => ply::parse_model(&bytes, &options).map_err(text)?,
    };
    Ok((value, warnings))
}

/// Files that are refused, and a part of the reason.
const REFUSED: [(&str, &str); 6] = [
    ("wrong.3ds", "a 3DS file"),
    ("points.ply", "a point cloud"),
    ("issue623.ply", "24 vertices and no faces"),
    ("ply_empty_header.ply", "0 vertices and no faces"),
    ("stl_empty_ascii.stl", "the facets: found none"),
    ("stl_empty_bin.stl", "the facets: found none"),
];

#[trial(with_models)]
fn files_of_programs_are_read_or_refused_with_a_reason(folder: &Path) -> Result<(), Failed> {
    let folder = folder.join("quake");
    let mut count = 0;
    for path in crate::support::files(&folder, &["3ds", "3DS", "b3d", "stl", "STL", "ply"])? {
        let name = path.file_name().unwrap().to_str().unwrap();
        let read = read(&path);
        match REFUSED.iter().find(|(own, _)| *own == name) {
            Some((_, why)) => {
                let error = read.err().ok_or(format!("{name} is read"))?;
                assert!(error.contains(why), "{name}: {error}");
            }
            // A camera alone.
            None => {
                let (model, _) = read.map_err(|error| format!("{name}: {error}"))?;
                assert!(model.meshes.iter().any(|mesh| !mesh.triangles.is_empty()), "{name}");
            }
        }
        count += 1;
    }
    if count >= 60 { Ok(()) } else { Err(format!("only {count} files").into()) }
}

/// A node of a Blitz3D file in the file's space, with its keys.
#[derive(Default)]
struct Node {
    parent: Option<usize>,
    rest: [Vec<f64>; 3],
    keys: [BTreeMap<i32, Vec<f64>>; 3],
}

/// A mesh: its node, positions, brushes with triangles, and weights by nodes.
#[derive(Default)]
struct Mesh {
    node: usize,
    places: Vec<DVec3>,
    brushes: Vec<i32>,
    pulls: BTreeMap<usize, Vec<(usize, f64)>>,
}

/// A plain reader of sound Blitz3D files.
#[derive(Default)]
struct File {
    nodes: Vec<Node>,
    meshes: Vec<Mesh>,
}

impl File {
    fn chunks(&mut self, bytes: &[u8], node: Option<usize>) {
        let mut rest = bytes;
        while rest.len() >= 8 {
            let size = word(rest, 1) as usize;
            let body = &rest[8..8 + size];
            self.chunk(&rest[..4], body, node);
            rest = &rest[8 + size..];
        }
    }

    fn chunk(&mut self, tag: &[u8], body: &[u8], node: Option<usize>) {
        match tag {
            b"BB3D" => self.chunks(&body[4..], None),
            b"NODE" => {
                let name = body.iter().position(|byte| *byte == 0).unwrap() + 1;
                let numbers = reals(&body[name..name + 40]);
                let parts = [&numbers[..3], &numbers[3..6], &numbers[6..]].map(<[f64]>::to_vec);
                self.nodes.push(Node { parent: node, rest: parts, ..Node::default() });
                self.chunks(&body[name + 40..], Some(self.nodes.len() - 1));
            }
            b"MESH" => {
                self.meshes.push(Mesh { node: node.unwrap(), ..Mesh::default() });
                self.chunks(&body[4..], node);
            }
            b"VRTS" => {
                let [flags, sets, size] = [0, 1, 2].map(|at| word(body, at) as usize);
                let width = 3 + 3 * (flags & 1) + 2 * (flags & 2) + sets * size;
                let places = reals(&body[12..]);
                let mesh = self.meshes.last_mut().unwrap();
                mesh.places = places.chunks_exact(width).map(DVec3::from_slice).collect();
            }
            b"TRIS" => {
                let (mesh, brush) = (self.meshes.last_mut().unwrap(), word(body, 0));
                if body.len() > 4 && !mesh.brushes.contains(&brush) {
                    mesh.brushes.push(brush);
                }
            }
            b"BONE" => {
                for record in body.chunks_exact(8) {
                    let pulls = &mut self.meshes.last_mut().unwrap().pulls;
                    let pull = (node.unwrap(), reals(record)[1]);
                    pulls.entry(word(record, 0) as usize).or_default().push(pull);
                }
            }
            b"KEYS" => {
                let flags = word(body, 0);
                let parts = [(1, 3), (2, 3), (4, 4)]
                    .map(|(bit, width)| if flags & bit == 0 { 0 } else { width });
                for record in body[4..].chunks_exact(4 + 4 * parts.iter().sum::<usize>()) {
                    let numbers = reals(&record[4..]);
                    let mut first = 0;
                    for (part, width) in
                        parts.into_iter().enumerate().filter(|(_, width)| *width > 0)
                    {
                        let value = numbers[first..first + width].to_vec();
                        self.nodes[node.unwrap()].keys[part].insert(word(record, 0), value);
                        first += width;
                    }
                }
            }
            _ => {}
        }
    }

    /// The transforms of all nodes to the world, at rest or in a frame.
    fn pose(&self, frame: Option<f64>) -> Vec<DAffine3> {
        let mut all: Vec<DAffine3> = Vec::new();
        for node in &self.nodes {
            let [place, scale, turn] = [0, 1, 2].map(|part| match frame {
                Some(frame) if !node.keys[part].is_empty() => {
                    at(&node.keys[part], frame, part == 2)
                }
                _ => node.rest[part].clone(),
            });
            let turn = DQuat::from_xyzw(-turn[1], -turn[2], -turn[3], turn[0]).normalize();
            let own = DAffine3::from_scale_rotation_translation(
                DVec3::from_slice(&scale),
                turn,
                DVec3::from_slice(&place),
            );
            all.push(node.parent.map_or(own, |parent| all[parent] * own));
        }
        all
    }
}

fn word(bytes: &[u8], at: usize) -> i32 {
    i32::from_le_bytes(bytes[4 * at..4 * at + 4].try_into().unwrap())
}

fn reals(bytes: &[u8]) -> Vec<f64> {
    let four = bytes.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().unwrap()));
    four.map(f64::from).collect()
}

/// The value of keys in a frame: the first and the last one are held, rotations take the shorter
/// way.
fn at(keys: &BTreeMap<i32, Vec<f64>>, frame: f64, is_turn: bool) -> Vec<f64> {
    let before = keys.iter().rfind(|(key, _)| f64::from(**key) <= frame);
    let behind = keys.iter().find(|(key, _)| f64::from(**key) > frame);
    let (Some((from, a)), Some((to, b))) = (before, behind) else {
        return before.or(behind).unwrap().1.clone();
    };
    let share = (frame - f64::from(*from)) / f64::from(to - from);
    if !is_turn {
        return a.iter().zip(b).map(|(a, b)| a + (b - a) * share).collect();
    }
    let turn = |own: &[f64]| DQuat::from_xyzw(own[1], own[2], own[3], own[0]).normalize();
    let own = turn(a).slerp(turn(b), share);
    vec![own.w, own.x, own.y, own.z]
}

#[trial(with_models)]
fn blitz3d_models_are_where_the_file_has_them_in_every_frame(folder: &Path) -> Result<(), Failed> {
    let mut poses = 0;
    for path in crate::support::files(&folder.join("quake"), &["b3d"])? {
        let name = path.display();
        let bytes = crate::support::read(&path)?;
        let mut file = File::default();
        file.chunks(&bytes, None);
        let read = b3d::parse_model(&bytes, None, &LoadOptions::default());
        let b3d::B3dModel { model, clips, .. } = read.map_err(|error| error.to_string())?.value;
        let rest = file.pose(None);
        let all = || {
            file.meshes
                .iter()
                .flat_map(|mesh| mesh.places.iter().map(|own| own.abs().max_element()))
        };
        let size = all().fold(1.0e-9, f64::max);
        let of_mesh =
            file.meshes.iter().flat_map(|mesh| std::iter::repeat_n(mesh, mesh.brushes.len()));
        let of_mesh: Vec<&Mesh> = of_mesh.collect();
        assert_eq!(of_mesh.len(), model.meshes.len(), "{name}");
        for named in &clips {
            let clip = &named.clip;
            let (binding, _) = bind_clip(&model.skeleton, &model.meshes, clip).unwrap();
            let rate = clip.key_rate_hz.unwrap_or(1.0);
            for step in 0..2 * clip.key_count() {
                // Whole frames, and between two of the first ones.
                let frame = if step < clip.key_count() {
                    step as f64
                } else {
                    (step - clip.key_count()) as f64 + 0.37
                };
                if frame + 1.0 > clip.key_count() as f64 || frame.fract() > 0.0 && frame > 40.0 {
                    continue;
                }
                let moved = file.pose(Some(frame));
                let time_s = wrap_time(clip, frame / rate, tintype_model::Wrap::Clamp);
                let pose = sample_clip(&model.skeleton, clip, &binding, time_s);
                let matrices = SkinMatrices::new(&pose);
                for (mesh, own) in model.meshes.iter().zip(&of_mesh) {
                    let posed = skin_mesh(mesh, &matrices);
                    let points = &mesh.source.as_ref().unwrap().shape.points;
                    for (vertex, point) in points.iter().enumerate() {
                        let point = *point as usize;
                        let start = rest[own.node].transform_point3(own.places[point]);
                        let pulls = own.pulls.get(&point).cloned().unwrap_or(vec![(own.node, 1.0)]);
                        let sum: f64 = pulls.iter().map(|(_, weight)| weight).sum();
                        let pulled = |(node, weight): &(usize, f64)| {
                            moved[*node]
                                .transform_point3(rest[*node].inverse().transform_point3(start))
                                * (weight / sum)
                        };
                        let expected: DVec3 = pulls.iter().map(pulled).sum();
                        let found =
                            posed.position_at(vertex).as_dvec3() * DVec3::new(1.0, 1.0, -1.0);
                        let far = found.distance(expected) / size;
                        assert!(far < 1.0e-5, "{name}: frame {frame}, vertex {point}: {far}");
                    }
                }
                poses += 1;
            }
        }
    }
    if poses > 1500 { Ok(()) } else { Err(format!("only {poses} poses").into()) }
}
