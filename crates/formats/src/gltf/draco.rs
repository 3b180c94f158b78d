//! `KHR_draco_mesh_compression`: triangles and attributes of a primitive in one stream, which
//! replaces its accessors.
//!
//! The crate `draco-core` decodes the stream within its limits. The result is checked here, and
//! becomes the bytes of the primitive's accessors, so that all other code reads numbers as usual.
//!
//! # Source
//! Khronos, "KHR_draco_mesh_compression"; Google, "Draco Bitstream Specification", 2.2.

use super::accessor::{Accessors, Component};
use super::buffer::Buffers;
use super::document::{Document, Primitive};
use super::error::GltfError;
use super::faults::RepairLog;
use super::number::JsonInteger;
use super::object::{mismatch, objects};
use super::path::JsonPath;
use crate::LimitExceeded;
use crate::guarded::guarded;
use crate::{LimitName, LoadOptions};
use draco_core::geometry_attribute::PointAttribute;
use draco_core::geometry_indices::PointIndex;
use draco_core::{DataType, DecodeLimits, DecoderBuffer, Mesh, MeshDecoder};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use tintype_model::FileRepair;

/// Name of the extension.
pub(super) const NAME: &str = "KHR_draco_mesh_compression";

objects!(Stream);

/// The extension of a primitive.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
#[serde(rename_all = "camelCase")]
struct Stream {
    #[serde(default = "JsonInteger::missing")]
    buffer_view: JsonInteger,
    /// Identifiers in the stream, by the names of the attributes.
    #[serde(default)]
    attributes: BTreeMap<String, JsonInteger>,
}

/// Decodes the streams of all primitives into their accessors. If a stream is damaged or lacks a
/// required attribute, its accessors are lost unless they have uncompressed data.
///
/// # Errors
/// [`GltfError::Limit`] with the path of the extension for a stream larger than the limits.
pub(super) fn decode_primitives(
    document: &Document,
    buffers: &Buffers,
    file_bytes: usize,
    accessors: &mut Accessors,
    options: &LoadOptions,
    faults: &RepairLog,
) -> Result<(), GltfError> {
    let most = options.limits.max_inflated(file_bytes);
    let mut left = most;
    let meshes = JsonPath::root("meshes");
    for (number, mesh) in document.meshes.iter().enumerate() {
        let path = meshes.index(number);
        let path = path.key("primitives");
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            let Some(value) = primitive.extensions.get(NAME) else { continue };
            options.deadline.check("decoding meshes")?;
            let path = path.index(number);
            let path = path.key("extensions");
            let path = path.key(NAME);
            let limits = DecodeLimits::default()
                .with_max_faces(options.limits.max_values as u64 / 3)
                .with_max_points(options.limits.max_values as u64)
                .with_max_decoded_bytes(left as u64);
            let taken = match decode_primitive(value, primitive, buffers, accessors, limits, &path)
            {
                Ok(taken) => taken,
                Err(error) => {
                    let error = error.of_part()?;
                    for &index in primitive.attributes.values().chain(&primitive.indices) {
                        accessors.lose(index, &error);
                    }
                    faults.tell(FileRepair::Malformed, format!("{error}; skipped"));
                    continue;
                }
            };
            left = left.checked_sub(taken).ok_or_else(|| {
                LimitExceeded::new(
                    path.to_string(),
                    "bytes of decoded meshes",
                    (most - left).saturating_add(taken),
                    (most, Some(LimitName::Inflated)),
                )
            })?;
        }
    }
    Ok(())
}

/// Decodes the stream of a primitive; returns the number of its bytes.
fn decode_primitive(
    extension: &Value,
    primitive: &Primitive,
    buffers: &Buffers,
    accessors: &mut Accessors,
    limits: DecodeLimits,
    path: &JsonPath,
) -> Result<usize, GltfError> {
    let stream: Stream = serde_path_to_error::deserialize(extension)
        .map_err(|error| mismatch(&path.to_string(), extension, &error))?;
    let (bytes, _) = buffers.view(stream.buffer_view, &path.key("bufferView"))?;
    let decoded = decode(bytes, limits)
        .map_err(|found| GltfError::value(path, "the mesh", found, "a valid Draco mesh"))?;
    put(&decoded, &stream, primitive, accessors, path)
}

/// Decodes a stream.
///
/// # Errors
/// The message of the decoder. A panic is an error too: the crate is young.
fn decode(bytes: &[u8], limits: DecodeLimits) -> Result<Mesh, String> {
    let decoded = guarded(|| {
        let mut mesh = Mesh::new();
        let mut buffer = DecoderBuffer::new(bytes).with_limits(limits);
        MeshDecoder::new().decode(&mut buffer, &mut mesh).map(|()| mesh)
    });
    match decoded {
        Some(result) => result.map_err(|error| error.to_string()),
        None => Err("data that the decoder rejected".to_owned()),
    }
}

/// Sets the bytes of a primitive's accessors from its mesh, and returns their number.
fn put(
    mesh: &Mesh,
    stream: &Stream,
    primitive: &Primitive,
    accessors: &mut Accessors,
    path: &JsonPath,
) -> Result<usize, GltfError> {
    let points = mesh.num_points();
    let mut taken = 0_usize;
    let attributes = path.key("attributes");
    for (name, id) in &stream.attributes {
        let at = attributes.key(name);
        let Some(&index) = primitive.attributes.get(name) else { continue };
        let found = u32::try_from(id.0).ok().and_then(|id| mesh.attribute_by_unique_id(id));
        let Some(attribute) = found else {
            let expected = "the identifier of an attribute of the stream";
            return Err(GltfError::value(&at, "the attribute", id.0, expected));
        };
        let (component, width) = accessors.shape(index, &at)?;
        if usize::from(attribute.num_components()) < width {
            let found = format!("{} components in the stream", attribute.num_components());
            let expected = format!("{width}, as in accessor {}", index.0);
            return Err(GltfError::value(&at, "the attribute", found, expected));
        }
        let bytes = elements(attribute, points, component, width)
            .map_err(|found| GltfError::value(&at, "the attribute", found, "sound values"))?;
        taken = taken.saturating_add(bytes.len());
        accessors.stand_in(index, points, bytes);
    }
    if let Some(index) = primitive.indices {
        let at = path.key("indices");
        let (component, _) = accessors.shape(index, &at)?;
        let mut bytes = Vec::new();
        for corner in mesh.faces().iter().flatten() {
            let corner = f64::from(corner.0);
            component.write(corner, &mut bytes).map_err(|range| {
                GltfError::value(&at, "an index of the decoded mesh", corner, range)
            })?;
        }
        taken = taken.saturating_add(bytes.len());
        accessors.stand_in(index, mesh.faces().len().saturating_mul(3), bytes);
    }
    Ok(taken)
}

/// The elements of an attribute, one per point, as the bytes of an accessor.
fn elements(
    attribute: &PointAttribute,
    points: usize,
    component: Component,
    width: usize,
) -> Result<Vec<u8>, String> {
    let kind = attribute.data_type();
    let size = kind.byte_length();
    let stride = usize::try_from(attribute.byte_stride()).unwrap_or_default();
    let data = attribute.buffer().data();
    let mut bytes = Vec::new();
    for point in 0..u32::try_from(points).map_err(|_| "too many points")? {
        let entry = attribute.mapped_index(PointIndex(point)).0 as usize;
        let start = entry.checked_mul(stride).filter(|_| entry < attribute.size());
        let element = start.and_then(|start| data.get(start..)?.get(..width * size));
        let Some(element) = element else {
            return Err(format!("point {point} without a value"));
        };
        for number in element.chunks_exact(size.max(1)) {
            let value = scalar(kind, number).ok_or_else(|| format!("numbers of type {kind:?}"))?;
            component.write(value, &mut bytes)?;
        }
    }
    Ok(bytes)
}

/// A number of the stream. None for types that accessors do not have.
fn scalar(kind: DataType, bytes: &[u8]) -> Option<f64> {
    fn array<const N: usize>(bytes: &[u8]) -> Option<[u8; N]> {
        bytes.try_into().ok()
    }
    Some(match kind {
        DataType::Int8 => f64::from(i8::from_le_bytes(array(bytes)?)),
        DataType::Uint8 => f64::from(u8::from_le_bytes(array(bytes)?)),
        DataType::Int16 => f64::from(i16::from_le_bytes(array(bytes)?)),
        DataType::Uint16 => f64::from(u16::from_le_bytes(array(bytes)?)),
        DataType::Int32 => f64::from(i32::from_le_bytes(array(bytes)?)),
        DataType::Uint32 => f64::from(u32::from_le_bytes(array(bytes)?)),
        DataType::Float32 => f64::from(f32::from_le_bytes(array(bytes)?)),
        DataType::Float64 => f64::from_le_bytes(array(bytes)?),
        _ => return None,
    })
}
