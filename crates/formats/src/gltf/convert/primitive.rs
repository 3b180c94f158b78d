//! Primitives: attributes and indices become triangles of checked vertices.

use super::source::Source;
use super::texcoord::TexcoordSets;
use crate::gltf::accessor::{Integers, Numbers};
use crate::gltf::document::Primitive;
use crate::gltf::draco;
use crate::gltf::error::GltfError;
use crate::gltf::number::Whole;
use crate::gltf::path::JsonPath;
use tintype_model::Warning;
use tintype_model::math::{Vec2, Vec3, Vec4};

/// Four joints of the skin and their weights, a vertex.
pub(super) type InfluenceSet = (Numbers<u32>, Numbers<f32>);

/// Attributes and triangles of a primitive, in the space of its mesh.
pub(super) struct Geometry {
    pub(super) positions: Vec<Vec3>,
    /// Empty where the file gives none.
    pub(super) normals: Vec<Vec3>,
    /// With the signs of bitangents; empty where the file gives none, or no normals.
    pub(super) tangents: Vec<Vec4>,
    pub(super) texcoords: Vec<Vec2>,
    /// Texture coordinates of a second set; empty unless the material uses one.
    pub(super) second_texcoords: Vec<Vec2>,
    /// Those of the normal map; empty where they are `texcoords`.
    pub(super) tangent_texcoords: Vec<Vec2>,
    /// Linear, straight alpha; empty where the file gives none.
    pub(super) colors: Vec<Vec4>,
    /// Sets of four joints of the skin and their weights a vertex.
    pub(super) influences: Vec<InfluenceSet>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Number of sets of texture coordinates.
    pub(super) texcoord_sets: u8,
}

/// Reads a primitive; none if it holds no triangles: points, lines, or no positions.
///
/// # Errors
/// [`GltfError`] for attributes of other types or counts, and indices beyond the vertices.
pub(super) fn read_primitive(
    source: &Source,
    primitive: &Primitive,
    sets: &TexcoordSets,
    path: &JsonPath,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Geometry>, GltfError> {
    let mode = primitive.mode.map_or(TRIANGLES, |mode| mode.0);
    let attributes = path.key("attributes");
    let get = |name: &str| primitive.attributes.get(name).copied();
    if mode > FAN {
        return Err(GltfError::value(&path.key("mode"), "the mode", mode, "0 to 6"));
    }
    if mode < TRIANGLES {
        let kind = if mode == 0 { "points" } else { "lines" };
        warnings.push(Warning::new(0, format!("{path}: {kind} are not drawn")));
        return Ok(None);
    }
    let Some(position) = get("POSITION") else {
        warnings.push(Warning::new(0, format!("{path}: nothing is drawn without POSITION")));
        return Ok(None);
    };
    let quantized = if source.is_quantized { Integers::Any } else { Integers::Refused };
    let normalized = if source.is_quantized { Integers::Normalized } else { Integers::Refused };
    let accessors = &source.accessors;
    let positions =
        vec3s(&accessors.reals(position, &["VEC3"], quantized, &attributes.key("POSITION"))?);
    let counted = |name: &str, found: usize| {
        if found == positions.len() {
            return Ok(());
        }
        let expected = format!("{}, as POSITION has", positions.len());
        Err(GltfError::value(&attributes.key(name), "the count of elements", found, expected))
    };
    let mut normals = Vec::new();
    if let Some(index) = get("NORMAL") {
        let numbers = accessors.reals(index, &["VEC3"], normalized, &attributes.key("NORMAL"))?;
        counted("NORMAL", numbers.len())?;
        normals = vec3s(&numbers);
    }
    let mut tangents = Vec::new();
    if let Some(index) = get("TANGENT").filter(|_| !normals.is_empty()) {
        let at = attributes.key("TANGENT");
        let numbers = accessors.reals(index, &["VEC4"], normalized, &at)?;
        counted("TANGENT", numbers.len())?;
        tangents = numbers.elements().map(Vec4::from_slice).collect();
    }
    let [texcoords, second_texcoords, tangent_texcoords] =
        read_texcoords(source, primitive, sets, positions.len(), path, warnings)?;
    let mut colors = Vec::new();
    if let Some(index) = get("COLOR_0") {
        let at = attributes.key("COLOR_0");
        let numbers = accessors.reals(index, &["VEC3", "VEC4"], Integers::Normalized, &at)?;
        counted("COLOR_0", numbers.len())?;
        let color = |element: &[f32]| match *element {
            [r, g, b, a] => Vec4::new(r, g, b, a),
            [r, g, b] => Vec4::new(r, g, b, 1.0),
            _ => Vec4::ONE,
        };
        colors = numbers.elements().map(color).collect();
    }
    let influences = read_influences(source, primitive, positions.len(), &attributes)?;
    // A Draco stream holds a list of triangles, whatever they were before.
    let is_decoded = primitive.extensions.contains_key(draco::NAME);
    let mode = if is_decoded { TRIANGLES } else { mode };
    let triangles = read_triangles(source, primitive, mode, positions.len(), path, warnings)?;
    let numbers = (0_u8..).take_while(|set| get(&format!("TEXCOORD_{set}")).is_some()).take(255);
    let texcoord_sets = u8::try_from(numbers.count()).unwrap_or(u8::MAX);
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

pub(super) const TRIANGLES: usize = 4;
const STRIP: usize = 5;
const FAN: usize = 6;

pub(super) fn vec3s(numbers: &Numbers<f32>) -> Vec<Vec3> {
    numbers.elements().map(Vec3::from_slice).collect()
}

/// The sets of texture coordinates that the material asks for, and those of its normal map where they are others.
fn read_texcoords(
    source: &Source,
    primitive: &Primitive,
    sets: &TexcoordSets,
    count: usize,
    path: &JsonPath,
    warnings: &mut Vec<Warning>,
) -> Result<[Vec<Vec2>; 3], GltfError> {
    let mut read = |set: Option<usize>| -> Result<Vec<Vec2>, GltfError> {
        let name = format!("TEXCOORD_{}", set.unwrap_or(0));
        if let Some(found) = read_texcoord_set(source, primitive, &name, count, path)? {
            return Ok(found);
        }
        if set.is_some() {
            let message = format!(
                "{path}: its material has a texture, but there is no {name}; the texture is drawn with one colour"
            );
            warnings.push(Warning::new(0, message));
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

/// One set of texture coordinates; none if the primitive has no such attribute.
fn read_texcoord_set(
    source: &Source,
    primitive: &Primitive,
    name: &str,
    count: usize,
    path: &JsonPath,
) -> Result<Option<Vec<Vec2>>, GltfError> {
    let Some(&index) = primitive.attributes.get(name) else { return Ok(None) };
    let integers = if source.is_quantized { Integers::Any } else { Integers::Normalized };
    let attributes = path.key("attributes");
    let at = attributes.key(name);
    let numbers = source.accessors.reals(index, &["VEC2"], integers, &at)?;
    if numbers.len() != count {
        let expected = format!("{count}, as POSITION has");
        return Err(GltfError::value(&at, "the count of elements", numbers.len(), expected));
    }
    Ok(Some(numbers.elements().map(Vec2::from_slice).collect()))
}

/// All sets of joints and weights, in the order of their numbers.
fn read_influences(
    source: &Source,
    primitive: &Primitive,
    count: usize,
    attributes: &JsonPath,
) -> Result<Vec<InfluenceSet>, GltfError> {
    let mut sets = Vec::new();
    for set in 0_usize.. {
        let (joints, weights) = (format!("JOINTS_{set}"), format!("WEIGHTS_{set}"));
        let (joints_at, weights_at) = (attributes.key(&joints), attributes.key(&weights));
        let (j, w) = match (primitive.attributes.get(&joints), primitive.attributes.get(&weights)) {
            (None, None) => break,
            (Some(&j), Some(&w)) => (j, w),
            (j, _) => {
                let (at, lacks) =
                    if j.is_some() { (&joints_at, &weights) } else { (&weights_at, &joints) };
                return Err(GltfError::value(
                    at,
                    "the influences",
                    format!("no {lacks}"),
                    "joints and weights together",
                ));
            }
        };
        let joints = source.accessors.wholes(j, "VEC4", 2, &joints_at)?;
        let weights = source.accessors.reals(w, &["VEC4"], Integers::Normalized, &weights_at)?;
        for (at, found) in [(&joints_at, joints.len()), (&weights_at, weights.len())] {
            if found != count {
                let expected = format!("{count}, as POSITION has");
                return Err(GltfError::value(at, "the count of elements", found, expected));
            }
        }
        sets.push((joints, weights));
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
    warnings: &mut Vec<Warning>,
) -> Result<Vec<[u32; 3]>, GltfError> {
    let corners: Vec<u32> = match primitive.indices {
        Some(index) => {
            let at = path.key("indices");
            let numbers = source.accessors.wholes(index, "SCALAR", 4, &at)?;
            let is_wrong =
                |&vertex: &u32| usize::try_from(vertex).is_ok_and(|vertex| vertex >= count);
            if let Some(place) = numbers.values.iter().position(is_wrong) {
                let found = numbers.values.get(place).copied().unwrap_or_default();
                let expected = format!("a vertex below {count}");
                return Err(GltfError::value(&at, format!("index {place}"), found, expected));
            }
            numbers.values
        }
        None => (0..u32::try_from(count).unwrap_or(u32::MAX)).collect(),
    };
    let is_list = mode == TRIANGLES;
    if corners.len() < 3 || is_list && !corners.len().is_multiple_of(3) {
        let message = format!(
            "{path}: {} corners make no whole number of triangles; the rest is left out",
            corners.len()
        );
        warnings.push(Warning::new(0, message));
    }
    let list = || corners.chunks_exact(3).filter_map(|three| <[u32; 3]>::try_from(three).ok());
    let triangles = match mode {
        STRIP => {
            let runs = corners.windows(3).filter_map(|three| <[u32; 3]>::try_from(three).ok());
            // Every second triangle turns its first corners about, so that all have one winding.
            let turned = |(index, [a, b, c]): (usize, [u32; 3])| {
                if index % 2 == 0 { [a, b, c] } else { [b, a, c] }
            };
            runs.enumerate().map(turned).collect()
        }
        FAN => {
            let first = corners.first().copied().unwrap_or_default();
            let rim = corners.get(1..).unwrap_or_default();
            rim.windows(2)
                .filter_map(|two| <[u32; 2]>::try_from(two).ok())
                .map(|[b, c]| [first, b, c])
                .collect()
        }
        _ => list().collect(),
    };
    Ok(triangles)
}

/// Number of vertices of a primitive, without reading them.
pub(super) fn vertex_count(
    source: &Source,
    primitive: &Primitive,
    path: &JsonPath,
) -> Result<usize, GltfError> {
    let position: Option<Whole> = primitive.attributes.get("POSITION").copied();
    position.map_or(Ok(0), |index| source.accessors.count(index, &path.key("attributes")))
}
