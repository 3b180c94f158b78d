//! A glTF document with its buffer, whose numbers can be read, set and appended.

use super::files::{Files, text};
use crate::random::Random;
use serde_json::{Value, json};

pub(super) const DOCUMENT: &str = "model.gltf";
pub(super) const BUFFER: &str = "model.bin";

/// The number of components of a type of accessors.
fn components(kind: &str) -> usize {
    match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        _ => 16,
    }
}

/// A document with its only buffer.
pub(super) struct Document {
    pub json: Value,
    pub buffer: Vec<u8>,
}

/// A component of accessors: its number of bytes.
fn component_bytes(kind: u64) -> Option<usize> {
    match kind {
        5120 | 5121 => Some(1),
        5122 | 5123 => Some(2),
        5125 | 5126 => Some(4),
        _ => None,
    }
}

impl Document {
    pub(super) fn of(files: &Files) -> Option<Self> {
        let json = serde_json::from_str(&text(files, DOCUMENT)?).ok()?;
        Some(Self { json, buffer: files.get(BUFFER)?.clone() })
    }

    pub(super) fn store(mut self, files: &mut Files) {
        self.json["buffers"][0]["byteLength"] = json!(self.buffer.len());
        files.insert(DOCUMENT.to_owned(), self.json.to_string().into_bytes());
        files.insert(BUFFER.to_owned(), self.buffer);
    }

    pub(super) fn list(&self, name: &str) -> &[Value] {
        self.json[name].as_array().map_or(&[], Vec::as_slice)
    }

    /// Number of elements of an accessor.
    pub(super) fn count(&self, accessor: usize) -> usize {
        self.json["accessors"][accessor]["count"].as_u64().unwrap_or(0) as usize
    }

    /// Position of an element in the buffer, its component type, and the number of its components;
    /// elements are packed.
    pub(super) fn place(&self, accessor: usize, element: usize) -> Option<(usize, u64, usize)> {
        let accessor = &self.json["accessors"][accessor];
        let view = &self.json["bufferViews"][accessor["bufferView"].as_u64()? as usize];
        let kind = accessor["componentType"].as_u64()?;
        let of = |value: &Value| value["byteOffset"].as_u64().unwrap_or(0) as usize;
        let count = components(accessor["type"].as_str()?);
        let bytes = component_bytes(kind)? * count;
        Some((of(accessor) + of(view) + element * bytes, kind, count))
    }

    pub(super) fn numbers(&self, accessor: usize, element: usize) -> Option<Vec<f64>> {
        let (place, kind, count) = self.place(accessor, element)?;
        let own = |component: usize| {
            let bytes = component_bytes(kind)?;
            let bytes = self.buffer.get(place + component * bytes..)?.get(..bytes)?;
            Some(match (kind, bytes) {
                (5126, bytes) => f64::from(f32::from_le_bytes(bytes.try_into().ok()?)),
                (5121, bytes) => f64::from(*bytes.first()?),
                (5123, bytes) => f64::from(u16::from_le_bytes(bytes.try_into().ok()?)),
                (5125, bytes) => f64::from(u32::from_le_bytes(bytes.try_into().ok()?)),
                _ => return None,
            })
        };
        (0..count).map(own).collect()
    }

    pub(super) fn set(&mut self, accessor: usize, element: usize, numbers: &[f64]) -> Option<()> {
        let (place, kind, _) = self.place(accessor, element)?;
        for (component, &number) in numbers.iter().enumerate() {
            let bytes = match kind {
                5126 => (number as f32).to_le_bytes().to_vec(),
                5121 => vec![number as u8],
                5123 => (number as u16).to_le_bytes().to_vec(),
                5125 => (number as u32).to_le_bytes().to_vec(),
                _ => return None,
            };
            let first = place + component * bytes.len();
            self.buffer.get_mut(first..first + bytes.len())?.copy_from_slice(&bytes);
        }
        Some(())
    }

    /// Writes the stated minimum and maximum numbers of an accessor.
    pub(super) fn bound(&mut self, accessor: usize) -> Option<()> {
        self.json["accessors"][accessor].get("max")?;
        let all: Vec<Vec<f64>> =
            (0..self.count(accessor)).filter_map(|one| self.numbers(accessor, one)).collect();
        let first = all.first()?.clone();
        let fold = |of: fn(f64, f64) -> f64| -> Vec<f64> {
            all.iter().fold(first.clone(), |sum, one| {
                sum.iter().zip(one).map(|(&a, &b)| of(a, b)).collect()
            })
        };
        let (least, most) = (fold(f64::min), fold(f64::max));
        self.json["accessors"][accessor]["min"] = json!(least);
        self.json["accessors"][accessor]["max"] = json!(most);
        Some(())
    }

    pub(super) fn name(&self, list: &str, index: usize) -> Option<String> {
        Some(self.json[list][index]["name"].as_str()?.to_owned())
    }

    pub(super) fn is_joint(&self, node: usize) -> bool {
        let joints = self.json["skins"][0]["joints"].as_array();
        joints.is_some_and(|joints| joints.contains(&json!(node)))
    }

    /// A channel of the first clip that moves a joint on a path, by chance: node, sampler.
    pub(super) fn channel(&self, path: &str, random: &mut Random) -> Option<(usize, usize)> {
        let fits = |channel: &&Value| channel["target"]["path"] == path;
        let all: Vec<&Value> =
            self.json["animations"][0]["channels"].as_array()?.iter().filter(fits).collect();
        let channel = random.pick(&all)?;
        Some((channel["target"]["node"].as_u64()? as usize, channel["sampler"].as_u64()? as usize))
    }

    /// The accessor of the times or of the values of a sampler of the first clip.
    pub(super) fn samples(&self, sampler: usize, which: &str) -> Option<usize> {
        Some(self.json["animations"][0]["samplers"][sampler][which].as_u64()? as usize)
    }

    /// The accessor of the times of all samplers of the first clip, if they have the same.
    pub(super) fn common_times(&self) -> Option<usize> {
        let samplers = self.json["animations"][0]["samplers"].as_array()?.len();
        let first = self.samples(0, "input")?;
        (0..samplers).all(|own| self.samples(own, "input") == Some(first)).then_some(first)
    }

    /// A random mesh of one primitive: its index, its name.
    pub(super) fn mesh(&self, random: &mut Random) -> Option<(usize, String)> {
        let index = random.below(self.list("meshes").len());
        Some((index, self.name("meshes", index)?))
    }

    /// True if the numbers of an accessor differ anywhere from its first element.
    pub(super) fn varies(&self, accessor: usize) -> bool {
        let first = self.numbers(accessor, 0).unwrap_or_default();
        let gap =
            |own: Vec<f64>| own.iter().zip(&first).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let elements = (0..self.count(accessor)).filter_map(|one| self.numbers(accessor, one));
        elements.map(gap).any(|gap| gap > 0.02)
    }

    /// True if the material of the first primitive of a mesh has a texture.
    pub(super) fn is_textured(&self, mesh: usize) -> bool {
        let material = self.json["meshes"][mesh]["primitives"][0]["material"].as_u64();
        let own = material.map(|index| self.json["materials"][index as usize].to_string());
        own.is_some_and(|text| text.contains("Texture"))
    }

    pub(super) fn attribute(&self, mesh: usize, name: &str) -> Option<usize> {
        let primitive = &self.json["meshes"][mesh]["primitives"][0];
        let accessor = match name {
            "indices" => &primitive["indices"],
            name => &primitive["attributes"][name],
        };
        Some(accessor.as_u64()? as usize)
    }

    /// Appends numbers of 32 bits as an accessor of that type, and returns its index.
    pub(super) fn append(&mut self, kind: &str, numbers: &[f64]) -> usize {
        let bytes = numbers.iter().flat_map(|&number| (number as f32).to_le_bytes()).collect();
        self.append_bytes(kind, 5126, bytes)
    }

    /// Appends an accessor of a component type.
    pub(super) fn append_bytes(&mut self, kind: &str, component: u64, bytes: Vec<u8>) -> usize {
        let size = component_bytes(component).unwrap_or(1) * components(kind);
        let count = bytes.len() / size;
        let view = self.append_view(bytes);
        let accessor =
            json!({"bufferView": view, "componentType": component, "type": kind, "count": count});
        self.push("accessors", accessor)
    }

    /// Appends bytes as a buffer view, which begins at a multiple of four.
    pub(super) fn append_view(&mut self, bytes: Vec<u8>) -> usize {
        self.buffer.resize(self.buffer.len().next_multiple_of(4), 0);
        let view = json!({"buffer": 0, "byteOffset": self.buffer.len(), "byteLength": bytes.len()});
        self.buffer.extend(bytes);
        self.push("bufferViews", view)
    }

    /// Appends an element to a list of the document, and returns its index.
    pub(super) fn push(&mut self, list: &str, value: Value) -> usize {
        if self.json[list].is_null() {
            self.json[list] = json!([]);
        }
        let all = self.json[list].as_array_mut().unwrap();
        all.push(value);
        all.len() - 1
    }

    /// All numbers of an accessor, one element after the other.
    pub(super) fn all(&self, accessor: usize) -> Option<Vec<f64>> {
        let elements = (0..self.count(accessor)).map(|element| self.numbers(accessor, element));
        Some(elements.collect::<Option<Vec<_>>>()?.concat())
    }

    /// Adds an extension to the list of those that the document uses.
    pub(super) fn uses(&mut self, extension: &str) {
        if !self.list("extensionsUsed").contains(&json!(extension)) {
            self.push("extensionsUsed", json!(extension));
        }
    }
}
