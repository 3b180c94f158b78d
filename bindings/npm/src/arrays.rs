//! Meshes, matrices and vertices passed as the bytes of typed arrays, one after the other, and
//! channels returned in the same way.

use super::options::{plain, read};
use serde::Deserialize;
use serde_json::{Value, json};
use tintype::{Channel, Channels, Frame, Given, MeshArrays, Plane, Renderer};

/// An array among the bytes of a request.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Part {
    /// Its key in the call, such as `positions`.
    name: String,
    /// Count of its numbers, of 4 bytes each except for codes of colours.
    count: usize,
    /// Numbers of each vertex, joint or instance, if users may choose it.
    #[serde(default)]
    width: usize,
    /// Its instance: a name, or a number from 0.
    #[serde(default)]
    instance: Option<String>,
}

/// Takes the bytes of arrays from the front of a list.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn next(&mut self, count: usize, each: usize) -> Result<&'a [u8], Value> {
        let length = count.checked_mul(each);
        let parts = length.and_then(|length| self.0.split_at_checked(length));
        let (own, rest) =
            parts.ok_or_else(|| plain("option", "arrays are longer than their bytes"))?;
        self.0 = rest;
        Ok(own)
    }

    /// Numbers of 4 bytes.
    fn numbers<T>(&mut self, count: usize, read: fn([u8; 4]) -> T) -> Result<Vec<T>, Value> {
        Ok(self.next(count, 4)?.as_chunks().0.iter().map(|four| read(*four)).collect())
    }

    fn floats(&mut self, count: usize) -> Result<Vec<f32>, Value> {
        self.numbers(count, f32::from_le_bytes)
    }

    fn indices(&mut self, count: usize) -> Result<Vec<u32>, Value> {
        self.numbers(count, u32::from_le_bytes)
    }
}

/// Rows of `N` numbers.
fn rows<T: Copy, const N: usize>(name: &str, numbers: &[T]) -> Result<Vec<[T; N]>, Value> {
    let (rows, rest) = numbers.as_chunks();
    if rest.is_empty() {
        return Ok(rows.to_vec());
    }
    Err(plain("option", &format!("{name}: {} numbers; expected a multiple of {N}", numbers.len())))
}

/// Matrices of 16 numbers, row by row.
fn matrices(name: &str, numbers: &[f32]) -> Result<Vec<[[f32; 4]; 4]>, Value> {
    rows::<_, 4>(name, numbers).and_then(|all| rows(name, &all))
}

/// The bytes of a glTF file with a mesh made from arrays.
pub(crate) fn glb_of(parts: &[Part], bytes: &[u8]) -> Result<Vec<u8>, Value> {
    let mut bytes = Bytes(bytes);
    // `index.js` sends these two first.
    let [of_positions, of_triangles, others @ ..] = parts else {
        return Err(plain("option", "positions and triangles are needed"));
    };
    let positions = rows("positions", &bytes.floats(of_positions.count)?)?;
    let (vertices, triangles) = (positions.len(), bytes.indices(of_triangles.count)?);
    let mut made = MeshArrays::new(positions, rows("triangles", &triangles)?);
    let (mut joints, mut weights, mut bind) = (None, None, None);
    for Part { name, count, width, .. } in others {
        let (key, count) = (name.as_str(), *count);
        match key {
            "normals" => made = made.normals(rows(key, &bytes.floats(count)?)?),
            "uv" => made = made.texcoords(rows(key, &bytes.floats(count)?)?),
            "colors" => made = made.colors(rows(key, &bytes.floats(count)?)?),
            "codes" => {
                let codes: Vec<[u8; 4]> = rows("colors", bytes.next(count, 1)?)?;
                made = made.colors(MeshArrays::linear(codes.into_iter()));
            }
            "color" => match *rows(key, &bytes.floats(count)?)? {
                [color] => made = made.color(color),
                _ => return Err(plain("option", &format!("color: {count} numbers; expected 4"))),
            },
            "texture" => {
                let pixels = rows(key, bytes.next(count, 1)?)?;
                let side = |side: usize| u32::try_from(side).unwrap_or(0);
                let height = (count / 4).checked_div(*width).unwrap_or(0);
                let frame = Frame::from_pixels(side(*width), side(height), pixels);
                let refused = || plain("option", "texture: the pixels do not fit the size");
                made = made.texture(frame.ok_or_else(refused)?);
            }
            "joints" => joints = Some(bytes.indices(count)?),
            "weights" => weights = Some(bytes.floats(count)?),
            "bind" => bind = Some(matrices(key, &bytes.floats(count)?)?),
            _ => return Err(plain("option", &format!("unknown array {key:?}"))),
        }
    }
    if let Some(weights) = weights {
        let width = weights.len().checked_div(vertices).unwrap_or(0);
        let joints = match joints {
            Some(joints) => joints,
            // A column for each joint.
            None => (0..vertices).flat_map(|_| 0..u32::try_from(width).unwrap_or(0)).collect(),
        };
        if width == 0 || weights.len() != width * vertices || joints.len() != weights.len() {
            let message = format!(
                "joints has {} numbers and weights {}; expected the same count, a multiple of {vertices} vertices",
                joints.len(),
                weights.len()
            );
            return Err(plain("option", &message));
        }
        let narrow = |joint: &u32| {
            let told = || {
                plain(
                    "option",
                    &format!("joint {joint} is out of range; the largest is {}", u16::MAX),
                )
            };
            u16::try_from(*joint).map_err(|_| told())
        };
        let joints: Vec<u16> = joints.iter().map(narrow).collect::<Result<_, _>>()?;
        let most = joints.iter().max().map_or(0, |&joint| usize::from(joint) + 1);
        let still = [
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ];
        let bind = bind.unwrap_or_else(|| vec![still; most]);
        let joints = joints.chunks(width).map(<[u16]>::to_vec).collect();
        made = made.skin(joints, weights.chunks(width).map(<[f32]>::to_vec).collect(), bind);
    } else if joints.is_some() || bind.is_some() {
        return Err(plain("option", "joints and bind need weights"));
    }
    made.to_glb().map_err(|error| plain("draw", &error.to_string()))
}

/// Parts given by a program for one time.
pub(crate) fn given(parts: &[Part], bytes: &[u8], renderer: &Renderer) -> Result<Given, Value> {
    let (mut bytes, mut given) = (Bytes(bytes), Given::new());
    let names = renderer.instance_names();
    for Part { name, count, instance, .. } in parts {
        let word = instance.as_deref().unwrap_or_default();
        let number = names.iter().position(|own| own == word).or_else(|| word.parse().ok());
        let known = number.filter(|&number| number < names.len()).ok_or_else(|| {
            plain("name", &format!("{name}: no instance {word:?}; instances: {}", names.join(", ")))
        })?;
        let numbers = bytes.floats(*count)?;
        given = match name.as_str() {
            "vertices" => given.vertices(known, &rows(name, &numbers)?),
            "joints" => given.joints(known, &matrices(name, &numbers)?),
            "transforms" => match *matrices(name, &numbers)? {
                [matrix] => given.transform(known, &matrix),
                _ => {
                    let told = format!("transforms: {count} numbers; expected 16");
                    return Err(plain("option", &told));
                }
            },
            _ => return Err(plain("option", &format!("unknown array {name:?}"))),
        };
    }
    Ok(given)
}

/// Channels by their names.
pub(crate) fn wanted(names: Value) -> Result<Vec<Channel>, Value> {
    let names: Vec<String> = read("channels", names, "a list of names of channels")?;
    let channel = |name: &String| {
        Channel::parse(name).map_err(|error| plain("name", &format!("channels: {error}")))
    };
    names.iter().map(channel).collect()
}

/// Describes channels, and appends their bytes to those of the picture.
pub(crate) fn told(channels: Channels, bytes: &mut Vec<u8>) -> Vec<Value> {
    let one = |(channel, plane, legend): (Channel, Plane, Vec<String>)| {
        let count = match &plane {
            Plane::Numbers(all) => {
                bytes.extend(all.iter().flat_map(|number| number.to_le_bytes()));
                all.len()
            }
            Plane::Indices(all) => {
                bytes.extend(all.iter().flat_map(|number| number.to_le_bytes()));
                all.len()
            }
        };
        let is_index = matches!(plane, Plane::Indices(_));
        json!({ "name": channel.word(), "count": count, "isIndex": is_index, "legend": legend })
    };
    channels.into_planes().map(one).collect()
}
