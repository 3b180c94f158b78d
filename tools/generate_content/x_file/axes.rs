//! Positions, directions and matrices in the axes of the file.
//!
//! # Conventions
//! The generator uses the axes of MD5 (right-handed, +Z up); the file is left-handed with +Y up.
//! `(x, y, z)` becomes `(x, z, y)`: one reflection, which is its inverse. Matrices are for row
//! vectors, with the translation in the last row.

use super::{Object, Value};
use glam::{DQuat, DVec3};

/// Decimals of positions, matrices, weights and keys.
pub(super) const FINE: usize = 6;
/// Decimals of normals and texture coordinates.
pub(super) const COARSE: usize = 5;

pub(super) fn fine(value: f64) -> Value {
    Value::Real(value, FINE)
}

/// A position or direction in the axes of the file.
pub(super) fn vector(place: DVec3, digits: usize) -> Value {
    Value::Struct([place.x, place.z, place.y].map(|part| Value::Real(part, digits)).into())
}

pub(super) fn wholes(numbers: impl IntoIterator<Item = u32>) -> Value {
    Value::Array(numbers.into_iter().map(Value::Whole).collect())
}

/// A turn and a shift as sixteen numbers for row vectors, in the axes of the file.
pub(super) fn matrix(place: DVec3, turn: DQuat) -> Value {
    let rows = [turn * DVec3::X, turn * DVec3::Z, turn * DVec3::Y, place];
    let numbers = rows.into_iter().zip([0.0, 0.0, 0.0, 1.0]);
    let numbers = numbers.flat_map(|(row, last)| [row.x, row.z, row.y, last]).map(fine);
    Value::Struct(vec![Value::Array(numbers.collect())])
}

/// A frame at a position of its parent.
pub(crate) fn frame(name: &str, place: DVec3, turn: DQuat) -> Object {
    let mut object = Object::new("Frame", Vec::new()).named(name);
    object.push(Object::new("FrameTransformMatrix", vec![matrix(place, turn)]));
    object
}
