//! Poses of a file by Assimp, skinned from its JSON export.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![allow(clippy::cast_possible_truncation, reason = "indices are small")]

use crate::held::Held;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

type Point = [f64; 3];
type Matrix = [[f64; 4]; 4];

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// The list of that name; empty if there is none.
pub(crate) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn matrix(value: &Value) -> Matrix {
    let numbers: Vec<f64> = value.as_array().unwrap().iter().map(number).collect();
    [0, 1, 2, 3].map(|row| [0, 1, 2, 3].map(|column| numbers[row * 4 + column]))
}

fn times(a: &Matrix, b: &Matrix) -> Matrix {
    [0, 1, 2, 3]
        .map(|row| [0, 1, 2, 3].map(|column| (0..4).map(|k| a[row][k] * b[k][column]).sum()))
}

fn applied(m: &Matrix, [x, y, z]: Point) -> Point {
    [0, 1, 2].map(|row| m[row][0] * x + m[row][1] * y + m[row][2] * z + m[row][3])
}

/// The value of a channel at a tick; rotations along the shorter arc.
fn value_at(keys: &[Value], tick: f64, is_rotation: bool) -> Vec<f64> {
    let part = |key: &Value| -> Vec<f64> {
        let values: Vec<f64> = key[1].as_array().unwrap().iter().map(number).collect();
        let length = values.iter().map(|v| v * v).sum::<f64>().sqrt();
        if is_rotation { values.iter().map(|v| v / length).collect() } else { values }
    };
    let after = keys.partition_point(|key| number(&key[0]) <= tick);
    if after == 0 || after == keys.len() {
        return part(&keys[after.saturating_sub(1)]);
    }
    let (from, to) = (&keys[after - 1], &keys[after]);
    let share = (tick - number(&from[0])) / (number(&to[0]) - number(&from[0]));
    let (a, b) = (part(from), part(to));
    let (mut first, mut second) = (1.0 - share, share);
    if is_rotation {
        let cosine: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
        let angle = libm::acos(cosine.abs().at_most(1.0));
        if angle > 1e-6 {
            first = libm::sin((1.0 - share) * angle) / libm::sin(angle);
            second = libm::sin(share * angle) / libm::sin(angle);
        }
        second *= if cosine < 0.0 { -1.0 } else { 1.0 };
    }
    a.iter().zip(&b).map(|(a, b)| a * first + b * second).collect()
}

fn channel_matrix(channel: &Value, tick: f64) -> Matrix {
    let at = |key: &str, is_rotation| value_at(list(channel, key), tick, is_rotation);
    let (place, turn, scale) =
        (at("positionkeys", false), at("rotationkeys", true), at("scalingkeys", false));
    let [w, x, y, z] = turn[..] else { panic!("four numbers") };
    let rotation = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ];
    let row = |r: usize| {
        [rotation[r][0] * scale[0], rotation[r][1] * scale[1], rotation[r][2] * scale[2], place[r]]
    };
    [row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]]
}

/// Assimp's vertices at a tick of one of its animations, or in the pose of its nodes.
pub(crate) fn points(scene: &Value, motion: Option<(&Value, f64)>) -> Vec<Point> {
    let channels: HashMap<&str, &Value> = motion
        .map(|(animation, _)| list(animation, "channels"))
        .unwrap_or_default()
        .iter()
        .map(|channel| (channel["name"].as_str().unwrap(), channel))
        .collect();
    let identity = [0, 1, 2, 3].map(|r| [0, 1, 2, 3].map(|c| f64::from(u8::from(r == c))));
    let mut open = vec![(&scene["rootnode"], identity)];
    let mut nodes: Vec<(&Value, Matrix)> = Vec::new();
    while let Some((node, parent)) = open.pop() {
        let local = match (channels.get(node["name"].as_str().unwrap()), motion) {
            (Some(channel), Some((_, tick))) => channel_matrix(channel, tick),
            _ => matrix(&node["transformation"]),
        };
        let world = times(&parent, &local);
        nodes.push((node, world));
        open.extend(list(node, "children").iter().map(|child| (child, world)));
    }
    let by_name: HashMap<&str, Matrix> =
        nodes.iter().rev().map(|(node, world)| (node["name"].as_str().unwrap(), *world)).collect();
    let mut points = Vec::new();
    for (node, world) in &nodes {
        for index in list(node, "meshes") {
            let mesh = &scene["meshes"][index.as_u64().unwrap() as usize];
            let numbers: Vec<f64> = list(mesh, "vertices").iter().map(number).collect();
            let vertices: Vec<Point> = numbers.chunks(3).map(|v| [v[0], v[1], v[2]]).collect();
            let mut sums = vec![[0.0; 3]; vertices.len()];
            let mut is_held = vec![false; vertices.len()];
            for bone in list(mesh, "bones") {
                let Some(joint) = by_name.get(bone["name"].as_str().unwrap()) else { continue };
                let whole = times(joint, &matrix(&bone["offsetmatrix"]));
                for weight in list(bone, "weights") {
                    let vertex = weight[0].as_u64().unwrap() as usize;
                    let place = applied(&whole, vertices[vertex]);
                    for axis in 0..3 {
                        sums[vertex][axis] += place[axis] * number(&weight[1]);
                    }
                    is_held[vertex] = true;
                }
            }
            let used: HashSet<usize> = list(mesh, "faces")
                .iter()
                .flat_map(|face| face.as_array().unwrap())
                .map(|corner| corner.as_u64().unwrap() as usize)
                .collect();
            points.extend(
                (0..vertices.len())
                    .filter(|vertex| used.contains(vertex))
                    .map(|v| if is_held[v] { sums[v] } else { applied(world, vertices[v]) }),
            );
        }
    }
    points
}
