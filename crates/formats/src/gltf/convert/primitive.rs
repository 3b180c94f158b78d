//! Primitives: attributes and indices become triangles of checked vertices.

use super::source::Source;
use super::texcoord::TexcoordSets;
use crate::gltf::accessor::{IntegerPolicy, NonFiniteFallback, Numbers};
use crate::gltf::document::Primitive;
use crate::gltf::error::GltfError;
use crate::gltf::faults::RepairLog;
use crate::gltf::number::JsonInteger;
use crate::gltf::path::JsonPath;
use tintype_model::math::{Vec2, Vec3, Vec4, clamp, max, min};
use tintype_model::{BindTarget, FileRepair};

/// Four joints of the skin and their weights, per vertex.
pub(super) type InfluenceSet = (Numbers<u32>, Numbers<f32>);

/// Attributes and triangles of a primitive, in the space of its mesh.
pub(super) struct Geometry {
    pub(super) positions: Vec<Vec3>,
    /// Empty if the file has none.
    pub(super) normals: Vec<Vec3>,
    /// With the signs of bitangents; empty if the file has none, or no normals.
    pub(super) tangents: Vec<Vec4>,
    pub(super) texcoords: Vec<Vec2>,
    /// Texture coordinates of a second set; empty unless the material uses one.
    pub(super) second_texcoords: Vec<Vec2>,
    /// Texture coordinates of the normal map; empty if they are the same as `texcoords`.
    pub(super) tangent_texcoords: Vec<Vec2>,
    /// Linear, straight alpha; empty if the file has none.
    pub(super) colors: Vec<Vec4>,
    /// Sets of four joints of the skin and their weights per vertex.
    pub(super) influences: Vec<InfluenceSet>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Number of sets of texture coordinates.
    pub(super) texcoord_sets: u8,
}

impl Geometry {
    /// Drops the vertices that no triangle uses, also from its morph targets.
    pub(super) fn keep_used(&mut self, targets: &mut [BindTarget]) {
        const UNUSED: u32 = u32::MAX;
        let mut place = vec![UNUSED; self.positions.len()];
        let mut used = Vec::new();
        for vertex in self.triangles.iter_mut().flatten() {
            let old = *vertex as usize;
            let Some(slot) = place.get_mut(old) else { continue };
            if *slot == UNUSED {
                *slot = u32::try_from(used.len()).unwrap_or(UNUSED);
                used.push(old);
            }
            *vertex = *slot;
        }
        fn keep<T: Copy>(list: &mut Vec<T>, used: &[usize]) {
            *list = used.iter().filter_map(|&old| list.get(old).copied()).collect();
        }
        keep(&mut self.positions, &used);
        keep(&mut self.normals, &used);
        keep(&mut self.tangents, &used);
        keep(&mut self.colors, &used);
        for list in [&mut self.texcoords, &mut self.second_texcoords, &mut self.tangent_texcoords] {
            keep(list, &used);
        }
        for (joints, weights) in &mut self.influences {
            joints.keep(&used);
            weights.keep(&used);
        }
        for target in targets {
            for list in [&mut target.positions, &mut target.normals, &mut target.tangents] {
                keep(list, &used);
            }
        }
    }
}

/// Reads a primitive. None if it has no triangles: points, lines, or no positions. Other attributes
/// that cannot be read are skipped, as are triangles whose vertices have no position.
///
/// # Errors
/// [`GltfError`] for positions and indices that cannot be read.
pub(super) fn read_primitive(
    source: &Source,
    primitive: &Primitive,
    sets: &TexcoordSets,
    path: &JsonPath,
) -> Result<Option<Geometry>, GltfError> {
    let faults = source.faults;
    let mode = primitive.mode.map_or(TRIANGLES, |mode| mode.0);
    let attributes = path.key("attributes");
    if mode > FAN {
        return Err(GltfError::value(&path.key("mode"), "the mode", mode, "0 to 6"));
    }
    if mode < TRIANGLES {
        let kind = if mode == 0 { "points" } else { "lines" };
        faults.tell(FileRepair::NotDrawn, format!("{path}: {kind} are not drawn"));
        return Ok(None);
    }
    let Some(&position) = primitive.attributes.get("POSITION") else {
        faults.tell(FileRepair::Empty, format!("{path}: nothing is drawn without POSITION"));
        return Ok(None);
    };
    let quantized = if source.is_quantized { IntegerPolicy::Any } else { IntegerPolicy::Unusual };
    let at = attributes.key("POSITION");
    let instead = NonFiniteFallback(0.0, "their triangles are skipped");
    let placed = source.accessors.reals(position, &["VEC3"], quantized, &at, instead)?;
    let positions = vec3s(&placed);
    let count = positions.len();
    let own = VertexAttributes { source, primitive, path: &attributes, count };
    let normals = own.normals()?;
    let tangents = if normals.is_empty() { Vec::new() } else { own.tangents()? };
    let [texcoords, second_texcoords, tangent_texcoords] =
        read_texcoords(source, primitive, sets, count, path)?;
    let colors = if sets.has_colors { own.colors()? } else { Vec::new() };
    let influences = read_influences(source, primitive, count, &attributes)?;
    // A Draco stream contains a list of triangles, whatever the original mode.
    let mode = if source.accessors.is_decoded(position) { TRIANGLES } else { mode };
    let mut triangles = read_triangles(source, primitive, mode, count, path)?;
    if !placed.bad.is_empty() {
        let is_placed = |vertex: &u32| placed.bad.binary_search(&(*vertex as usize)).is_err();
        triangles.retain(|triangle| triangle.iter().all(is_placed));
        if triangles.is_empty() {
            let (found, expected) = ("no triangle with finite vertices", "finite numbers");
            return Err(GltfError::value(&at, "the positions", found, expected));
        }
    }
    let has = |set: &u8| primitive.attributes.contains_key(&format!("TEXCOORD_{set}"));
    let texcoord_sets = u8::try_from((0..u8::MAX).take_while(has).count()).unwrap_or(u8::MAX);
    Ok(Some(Geometry {
        positions,
        normals,
        tangents,
        texcoords,
        second_texcoords,
        tangent_texcoords,
        colors,
        influences,
        triangles,
        texcoord_sets,
    }))
}

/// Reader of attributes that a primitive may have for each of its `count` vertices. Those that
/// cannot be read are empty.
struct VertexAttributes<'a> {
    source: &'a Source<'a>,
    primitive: &'a Primitive,
    path: &'a JsonPath<'a>,
    count: usize,
}

impl VertexAttributes<'_> {
    /// Normalized numbers of an attribute; None if it is absent or cannot be read.
    fn read(
        &self,
        name: &str,
        kinds: &[&str],
        instead: NonFiniteFallback,
    ) -> Result<Option<Numbers<f32>>, GltfError> {
        let Some(&index) = self.primitive.attributes.get(name) else { return Ok(None) };
        let at = self.path.key(name);
        let integers = IntegerPolicy::Normalized;
        let numbers = self.source.accessors.reals(index, kinds, integers, &at, instead);
        let mut numbers = self.source.faults.part(FileRepair::WrongShape, numbers, "skipped")?;
        if let Some(numbers) = &mut numbers {
            numbers.fit(self.count, instead.0, &at, self.source.faults);
        }
        Ok(numbers)
    }

    fn normals(&self) -> Result<Vec<Vec3>, GltfError> {
        let numbers = self.read("NORMAL", &["VEC3"], NonFiniteFallback(0.0, "computed"))?;
        let normals = numbers.as_ref().map(vec3s).unwrap_or_default();
        let zeros = zeros_at_end(normals.iter().map(|normal| *normal == Vec3::ZERO));
        if zeros >= MIN_ZEROS {
            let message = format!(
                "{}.NORMAL: the last {zeros} of {} normals are 0, as if the file was not completely written; recomputed",
                self.path, self.count
            );
            self.source.faults.tell(FileRepair::Truncated, message);
        }
        Ok(normals)
    }

    /// Tangents are either read from the file for all vertices, or computed for all.
    fn tangents(&self) -> Result<Vec<Vec4>, GltfError> {
        let square = NonFiniteFallback(0.0, "replaced by one perpendicular to the normal");
        let numbers = self.read("TANGENT", &["VEC4"], square)?;
        let Some(numbers) = numbers.filter(|numbers| numbers.bad.len() < self.count) else {
            return Ok(Vec::new());
        };
        let mut tangents: Vec<Vec4> = numbers.elements().map(Vec4::from_slice).collect();
        // A tangent of zeros is replaced by one perpendicular to the normal.
        for &vertex in &numbers.bad {
            tangents.get_mut(vertex).into_iter().for_each(|tangent| *tangent = Vec4::W);
        }
        Ok(tangents)
    }

    fn colors(&self) -> Result<Vec<Vec4>, GltfError> {
        let white = NonFiniteFallback(1.0, "taken as 1");
        let numbers = self.read("COLOR_0", &["VEC3", "VEC4"], white)?;
        let at = self.path.key("COLOR_0");
        Ok(numbers.map(|own| colors_of(&own, &at, self.source.faults)).unwrap_or_default())
    }
}

/// Colours from 0 to 1; others are reported and clamped.
fn colors_of(numbers: &Numbers<f32>, at: &JsonPath, faults: &RepairLog) -> Vec<Vec4> {
    let most = numbers.values.iter().fold(1.0, |most, &value| max(most, value));
    let least = numbers.values.iter().fold(0.0, |least, &value| min(least, value));
    if most > 1.0 || least < 0.0 {
        let found = format!("{least} to {most}");
        let error = GltfError::value(at, "the colours", found, "numbers from 0 to 1");
        faults.tell(FileRepair::OutOfRange, format!("{error}; clamped"));
    }
    let share = |value: f32| clamp(value, 0.0, 1.0);
    let color = |element: &[f32]| match *element {
        [r, g, b, a] => Vec4::new(share(r), share(g), share(b), share(a)),
        [r, g, b] => Vec4::new(share(r), share(g), share(b), 1.0),
        _ => Vec4::ONE,
    };
    numbers.elements().map(color).collect()
}

pub(super) const TRIANGLES: usize = 4;
const STRIP: usize = 5;
const FAN: usize = 6;

pub(super) fn vec3s(numbers: &Numbers<f32>) -> Vec<Vec3> {
    numbers.elements().map(Vec3::from_slice).collect()
}

/// The sets of texture coordinates that the material uses, and those of its normal map if they
/// differ.
fn read_texcoords(
    source: &Source,
    primitive: &Primitive,
    sets: &TexcoordSets,
    count: usize,
    path: &JsonPath,
) -> Result<[Vec<Vec2>; 3], GltfError> {
    let read = |set: Option<usize>| -> Result<Vec<Vec2>, GltfError> {
        let name = format!("TEXCOORD_{}", set.unwrap_or(0));
        if let Some(found) = read_texcoord_set(source, primitive, &name, count, path)? {
            return Ok(found);
        }
        if set.is_some() {
            let message = format!(
                "{path}: its material has a texture, but {name} is missing; the texture is drawn as one colour"
            );
            source.faults.tell(FileRepair::MissingValue, message);
        }
        Ok(vec![Vec2::ZERO; count])
    };
    let mut first = read(sets.first)?;
    let second = sets.second.map_or(Ok(Vec::new()), |set| read(Some(set)))?;
    let tangent = match sets.normal {
        Some(own) if own.is_second => second.iter().map(|&at| own.point(at)).collect(),
        Some(own) => first.iter().map(|&at| own.point(at)).collect(),
        None => Vec::new(),
    };
    first.iter_mut().for_each(|at| *at = sets.transform.apply(*at));
    Ok([first, second, tangent])
}

/// Reads one set of texture coordinates. None if the primitive has no such attribute.
fn read_texcoord_set(
    source: &Source,
    primitive: &Primitive,
    name: &str,
    count: usize,
    path: &JsonPath,
) -> Result<Option<Vec<Vec2>>, GltfError> {
    let Some(&index) = primitive.attributes.get(name) else { return Ok(None) };
    let integers = if source.is_quantized { IntegerPolicy::Any } else { IntegerPolicy::Normalized };
    let attributes = path.key("attributes");
    let at = attributes.key(name);
    let numbers = source.accessors.reals(index, &["VEC2"], integers, &at, NonFiniteFallback::ZERO);
    let Some(mut numbers) = source.faults.part(FileRepair::WrongShape, numbers, "skipped")? else {
        return Ok(None);
    };
    numbers.fit(count, 0.0, &at, source.faults);
    Ok(Some(numbers.elements().map(Vec2::from_slice).collect()))
}

/// All sets of joints and weights, in the order of their numbers; unreadable ones are skipped.
fn read_influences(
    source: &Source,
    primitive: &Primitive,
    count: usize,
    attributes: &JsonPath,
) -> Result<Vec<InfluenceSet>, GltfError> {
    const KINDS: [&str; 4] = ["VEC4", "VEC3", "VEC2", "SCALAR"];
    let (accessors, faults) = (&source.accessors, source.faults);
    let mut sets = Vec::new();
    for set in 0_usize.. {
        let (joints, weights) = (format!("JOINTS_{set}"), format!("WEIGHTS_{set}"));
        let (joints_at, weights_at) = (attributes.key(&joints), attributes.key(&weights));
        let read = match (primitive.attributes.get(&joints), primitive.attributes.get(&weights)) {
            (None, None) => break,
            (Some(&j), Some(&w)) => accessors.wholes(j, &KINDS, 2, &joints_at).and_then(|joints| {
                let normalized = IntegerPolicy::Normalized;
                let weights =
                    accessors.reals(w, &KINDS, normalized, &weights_at, NonFiniteFallback::ZERO)?;
                Ok((joints, weights))
            }),
            (j, _) => {
                let (at, lacks) =
                    if j.is_some() { (&joints_at, &weights) } else { (&weights_at, &joints) };
                let found = format!("no {lacks}");
                Err(GltfError::value(at, "the influences", found, "joints and weights together"))
            }
        };
        if let Some((mut joints, mut weights)) =
            faults.part(FileRepair::WrongShape, read, "skipped")?
        {
            joints.fit(count, 0, &joints_at, faults);
            weights.fit(count, 0.0, &weights_at, faults);
            sets.push((joints, weights));
        }
    }
    Ok(sets)
}

/// The triangles of a list, a strip or a fan, with or without indices.
fn read_triangles(
    source: &Source,
    primitive: &Primitive,
    mode: usize,
    count: usize,
    path: &JsonPath,
) -> Result<Vec<[u32; 3]>, GltfError> {
    let mut stray = None;
    let is_vertex = |vertex: &u32| usize::try_from(*vertex).is_ok_and(|vertex| vertex < count);
    let corners: Vec<u32> = match primitive.indices {
        Some(index) => {
            let at = path.key("indices");
            let numbers = source.accessors.wholes(index, &["SCALAR"], 4, &at)?;
            if let Some(place) = numbers.values.iter().position(|vertex| !is_vertex(vertex)) {
                let found = numbers.values.get(place).copied().unwrap_or_default();
                let expected = format!("a vertex below {count}");
                stray = Some(GltfError::value(&at, format!("index {place}"), found, expected));
            }
            numbers.values
        }
        None => (0..u32::try_from(count).unwrap_or(u32::MAX)).collect(),
    };
    let is_list = mode == TRIANGLES;
    if corners.len() < 3 || is_list && !corners.len().is_multiple_of(3) {
        let message = format!(
            "{path}: {} corners are not a multiple of 3; the rest is skipped",
            corners.len()
        );
        source.faults.tell(FileRepair::FewCorners, message);
    }
    let mut triangles = assemble(mode, &corners);
    let zeros = zeros_at_end(triangles.iter().map(|triangle| *triangle == [0; 3]));
    if zeros >= MIN_ZEROS && zeros < triangles.len() {
        let message = format!(
            "{path}.indices: the last {zeros} of {} triangles only use vertex 0, as if the file was not completely written; skipped",
            triangles.len()
        );
        source.faults.tell(FileRepair::Truncated, message);
        triangles.truncate(triangles.len() - zeros);
    }
    if let Some(error) = stray {
        let all = triangles.len();
        triangles.retain(|triangle| triangle.iter().all(is_vertex));
        if triangles.is_empty() && all > 0 {
            return Err(error);
        }
        let lost = format!("{} of {all} triangles are skipped", all - triangles.len());
        source.faults.tell(FileRepair::BadReference, format!("{error}; {lost}"));
    }
    Ok(triangles)
}

/// The triangles of corners in the order of a mode.
fn assemble(mode: usize, corners: &[u32]) -> Vec<[u32; 3]> {
    let three = |three: &[u32]| <[u32; 3]>::try_from(three).ok();
    match mode {
        STRIP => {
            // In every second triangle two corners are swapped, so that all have the same winding.
            let turned = |(index, [a, b, c]): (usize, [u32; 3])| {
                if index % 2 == 0 { [a, b, c] } else { [b, a, c] }
            };
            corners.windows(3).filter_map(three).enumerate().map(turned).collect()
        }
        FAN => {
            let first = corners.first().copied().unwrap_or_default();
            let rim = corners.get(1..).unwrap_or_default();
            rim.windows(2)
                .filter_map(|two| <[u32; 2]>::try_from(two).ok())
                .map(|[b, c]| [first, b, c])
                .collect()
        }
        _ => corners.chunks_exact(3).filter_map(three).collect(),
    }
}

/// This many zero elements at the end of a list are not a coincidence.
const MIN_ZEROS: usize = 8;

/// The number of elements at the end of a list that are zero.
fn zeros_at_end(is_zero: impl DoubleEndedIterator<Item = bool>) -> usize {
    is_zero.rev().take_while(|is_zero| *is_zero).count()
}

/// Number of vertices of a primitive, without reading them; 0 if it cannot be read.
pub(super) fn vertex_count(source: &Source, primitive: &Primitive, path: &JsonPath) -> usize {
    let position: Option<JsonInteger> = primitive.attributes.get("POSITION").copied();
    position
        .and_then(|index| source.accessors.count(index, &path.key("attributes")).ok())
        .unwrap_or(0)
}
