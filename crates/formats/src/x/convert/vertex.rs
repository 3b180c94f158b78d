//! Attributes packed into words: `DeclData` and `FVFData`.
//!
//! Both contain, for each vertex of their mesh, a run of 32-bit words; a number among them is the
//! bits of a float, also in text.

use super::values::{Values, as_word};
use crate::x::error::XError;
use crate::x::tree::{Document, ObjectIndex, label};
use tintype_model::math::{Vec2, Vec3, Vec4};
use tintype_model::{FileRepair, Warning};

/// Attributes decoded from packed words, one per vertex; empty if the file has none.
#[derive(Default)]
pub(super) struct Packed {
    /// In our axes.
    pub(super) normals: Vec<Vec3>,
    pub(super) texcoords: Vec<Vec2>,
    /// sRGB red, green, blue and alpha.
    pub(super) colors: Vec<Vec4>,
    /// Number of sets of texture coordinates; only the first is used.
    pub(super) texcoord_sets: u8,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Normal,
    Texcoord,
    /// Checked and counted.
    FurtherTexcoord(u8),
    Color,
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Floats(usize),
    /// One word: alpha, red, green, blue from the top.
    Argb,
    Words(usize),
}

impl Kind {
    /// The usage of a vertex element, by its number.
    fn of_element(number: usize) -> Option<Self> {
        Some(match number {
            0..=3 => Self::Floats(number + 1),
            4 => Self::Argb,
            5 | 6 | 8 | 9 | 11 | 13 | 14 | 15 => Self::Words(1),
            7 | 10 | 12 | 16 => Self::Words(2),
            17 => Self::Words(0),
            _ => return None,
        })
    }

    fn words(self) -> usize {
        match self {
            Self::Floats(count) | Self::Words(count) => count,
            Self::Argb => 1,
        }
    }
}

/// Reads a `DeclData`: elements of type, method, usage and usage index, then words.
///
/// Only the first set of texture coordinates and of colours is taken, the others are counted;
/// tangents are computed, as for all meshes.
pub(super) fn read_declaration(
    document: &Document,
    index: ObjectIndex,
    vertices: usize,
    warnings: &mut Vec<Warning>,
) -> Result<Packed, XError> {
    let object = document.object(index);
    let mut values = Values::new(document, object);
    let count = values.count("the count of elements", 4)?;
    let mut elements = Vec::new();
    for _ in 0..count {
        let kind = Kind::of_element(values.whole("an element's type")?);
        let Some(kind) = kind else {
            warnings.push(object.position.fault(
                FileRepair::UnknownPart,
                "a DeclData has an element of unknown type and is skipped",
            ));
            return Ok(Packed::default());
        };
        values.skip(1);
        let usage = values.whole("an element's usage")?;
        let set = values.whole("an element's usage index")?;
        let role = match (usage, set) {
            (3, 0) => Role::Normal,
            (5, 0) => Role::Texcoord,
            (5, set) => Role::FurtherTexcoord(u8::try_from(set).unwrap_or(u8::MAX - 1)),
            (10, 0) => Role::Color,
            _ => Role::Other,
        };
        elements.push((kind, role));
    }
    read_words(values, &elements, vertices, &label(object), warnings)
}

/// Reads an `FVFData`: flags, then words.
///
/// Positions are always in the mesh, whatever the flags state.
pub(super) fn read_flexible(
    document: &Document,
    index: ObjectIndex,
    vertices: usize,
    warnings: &mut Vec<Warning>,
) -> Result<Packed, XError> {
    const NORMAL: usize = 0x010;
    const POINT_SIZE: usize = 0x020;
    const DIFFUSE: usize = 0x040;
    const SPECULAR: usize = 0x080;
    let object = document.object(index);
    let mut values = Values::new(document, object);
    if values.left() == 0 {
        return Ok(Packed::default());
    }
    let flags = values.whole("the flags")?;
    let mut elements = Vec::new();
    for (flag, kind, role) in [
        (NORMAL, Kind::Floats(3), Role::Normal),
        (POINT_SIZE, Kind::Floats(1), Role::Other),
        (DIFFUSE, Kind::Argb, Role::Color),
        (SPECULAR, Kind::Argb, Role::Other),
    ] {
        if flags & flag != 0 {
            elements.push((kind, role));
        }
    }
    for set in (0_u8..8).take(flags >> 8 & 0xf) {
        let floats = [2, 3, 4, 1].get(flags >> (16 + 2 * set) & 3).copied().unwrap_or(2);
        let role = if set == 0 { Role::Texcoord } else { Role::FurtherTexcoord(set) };
        elements.push((Kind::Floats(floats), role));
    }
    read_words(values, &elements, vertices, &label(object), warnings)
}

fn read_words(
    mut values: Values<'_>,
    elements: &[(Kind, Role)],
    vertices: usize,
    name: &str,
    warnings: &mut Vec<Warning>,
) -> Result<Packed, XError> {
    let position = values.position();
    let declared = values.count("the count of words", 1)?;
    let stride: usize = elements.iter().map(|(kind, _)| kind.words()).sum();
    if stride.checked_mul(vertices) != Some(declared) {
        warnings.push(position.fault(FileRepair::WrongShape, &format!(
            "{name} has {declared} words, not {stride} for each of the {vertices} vertices; skipped"
        )));
        return Ok(Packed::default());
    }
    let set_of = |(_, role): &(Kind, Role)| match role {
        Role::Texcoord => Some(0),
        Role::FurtherTexcoord(set) => Some(*set),
        _ => None,
    };
    let texcoord_sets = elements.iter().filter_map(set_of).max().map_or(0, |set| set + 1);
    let mut packed = Packed { texcoord_sets, ..Packed::default() };
    for _ in 0..vertices {
        values.before(elements.len())?;
        for &(kind, role) in elements {
            let words = kind.words();
            let word = |at: usize| values.peek(at).map_or(0, as_word);
            let float = |at: usize| {
                let value = f32::from_bits(word(at));
                let is_plain = value.is_finite() && value.abs() < 1e9;
                if at < words && is_plain { value } else { 0.0 }
            };
            match (role, kind) {
                (Role::Normal, Kind::Floats(3..)) => {
                    packed.normals.push(Vec3::new(float(0), float(1), -float(2)));
                }
                (Role::Texcoord, Kind::Floats(_)) => {
                    packed.texcoords.push(Vec2::new(float(0), float(1)));
                }
                (Role::Color, Kind::Floats(_)) => {
                    let alpha = if words > 3 { float(3) } else { 1.0 };
                    packed.colors.push(Vec4::new(float(0), float(1), float(2), alpha));
                }
                (Role::Color, Kind::Argb) => {
                    let [alpha, red, green, blue] =
                        word(0).to_be_bytes().map(|byte| f32::from(byte) / 255.0);
                    packed.colors.push(Vec4::new(red, green, blue, alpha));
                }
                _ => {}
            }
            values.skip(words);
        }
    }
    // Two elements of one role would lead to two values per vertex.
    packed.normals.truncate(vertices);
    packed.texcoords.truncate(vertices);
    packed.colors.truncate(vertices);
    Ok(packed)
}
