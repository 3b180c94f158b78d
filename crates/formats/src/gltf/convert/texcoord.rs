//! Texture coordinates of materials: the sets of a primitive used by its textures, and their
//! transforms.
//!
//! Most materials use one set with one transform (`KHR_texture_transform`), which is applied to the
//! vertices here. If textures differ, the mesh keeps at most two sets unchanged, and each texture
//! of the material has a separate transform.

use super::node::to_f32;
use crate::gltf::document::TextureInfo;
use crate::gltf::number::JsonInteger;
use crate::gltf::object::objects;
use serde::Deserialize;
use tintype_model::math::{Vec2, func};
use tintype_model::{RoleCoordinates, TextureCoordinates, TextureRole};

objects!(TransformExtension);

/// `KHR_texture_transform`.
#[derive(Default, Deserialize)]
#[serde(remote = "Self")]
#[serde(default, rename_all = "camelCase")]
pub(super) struct TransformExtension {
    offset: [f64; 2],
    rotation: f64,
    scale: Option<[f64; 2]>,
    tex_coord: Option<JsonInteger>,
}

/// Texture coordinates of one texture of a material: a set of the primitive, and its transform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TexcoordChoice {
    set: usize,
    transform: TexcoordTransform,
}

/// Scale, then rotation, then offset of texture coordinates (`KHR_texture_transform`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TexcoordTransform {
    offset: Vec2,
    scale: Vec2,
    /// Cosine and sine of the counter-clockwise rotation.
    turn: [f32; 2],
}

impl TexcoordTransform {
    const IDENTITY: Self = Self { offset: Vec2::ZERO, scale: Vec2::ONE, turn: [1.0, 0.0] };

    pub(super) fn apply(&self, at: Vec2) -> Vec2 {
        let ([cosine, sine], scaled) = (self.turn, at * self.scale);
        let turned =
            Vec2::new(cosine * scaled.x + sine * scaled.y, cosine * scaled.y - sine * scaled.x);
        turned + self.offset
    }

    /// [`Self::coordinates`] of a choice, unless they are the unchanged first set.
    pub(super) fn of_choice(choice: &TexcoordChoice) -> Option<TextureCoordinates> {
        let own = choice.transform.coordinates(false);
        Some(own).filter(|&own| own != TextureCoordinates::plain(false))
    }

    /// The transform for a material of a mesh with unchanged sets.
    fn coordinates(&self, is_second: bool) -> TextureCoordinates {
        TextureCoordinates::transformed(is_second, self.scale, self.turn, self.offset)
    }
}

impl TexcoordChoice {
    const FIRST: Self = Self { set: 0, transform: TexcoordTransform::IDENTITY };

    /// The choice of a texture with the extension, if it has one.
    pub(super) fn new(info: &TextureInfo, own: Option<TransformExtension>) -> Self {
        let own = own.unwrap_or_default();
        let turn_rad = to_f32(own.rotation);
        let pair = |[x, y]: [f64; 2]| Vec2::new(to_f32(x), to_f32(y));
        Self {
            set: own.tex_coord.unwrap_or(info.tex_coord).0,
            transform: TexcoordTransform {
                offset: pair(own.offset),
                scale: pair(own.scale.unwrap_or([1.0; 2])),
                turn: [func::cos(turn_rad), func::sin(turn_rad)],
            },
        }
    }
}

/// Choices of the textures of a material, each at the index of its role.
pub(super) type RoleChoices = [Option<TexcoordChoice>; TextureRole::ALL.len()];

/// Sets of a primitive that its mesh keeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TexcoordSets {
    /// The first set. None if no texture uses one.
    pub(super) first: Option<usize>,
    /// The transform that is applied to its vertices.
    pub(super) transform: TexcoordTransform,
    pub(super) second: Option<usize>,
    /// Coordinates of the normal map, along which tangents are computed, unless they are the
    /// unchanged first ones.
    pub(super) normal: Option<TextureCoordinates>,
    /// True if colours of vertices count.
    pub(super) has_colors: bool,
}

impl TexcoordSets {
    /// Of a material without textures.
    pub(super) const NONE: Self = Self {
        first: None,
        transform: TexcoordTransform::IDENTITY,
        second: None,
        normal: None,
        has_colors: true,
    };

    /// Joins the sets for a mesh whose material variants use others: one second set serves all.
    /// False if they cannot be joined.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        self.first = self.first.or(other.first);
        self.second = self.second.or(other.second);
        self.has_colors |= other.has_colors;
        other.second.is_none() || self.second == other.second
    }
}

/// Sets of the primitive, transforms of the textures, and the first role that uses a third set,
/// which is drawn with the first.
///
/// With `keeps_vertices` they are unchanged: a primitive may have several materials, or its
/// coordinates move.
pub(super) fn assign(
    choices: &RoleChoices,
    keeps_vertices: bool,
) -> (TexcoordSets, RoleCoordinates, Option<TextureRole>) {
    let mut used = choices.iter().flatten();
    let Some(first) = used.next() else { return (TexcoordSets::NONE, None, None) };
    let is_one = used.all(|other| other == first);
    if is_one && (!keeps_vertices || *first == TexcoordChoice::FIRST) {
        let sets = TexcoordSets {
            first: Some(first.set),
            transform: first.transform,
            ..TexcoordSets::NONE
        };
        return (sets, None, None);
    }
    let mut sets: Vec<usize> = choices.iter().flatten().map(|choice| choice.set).collect();
    if keeps_vertices {
        sets.push(0);
    }
    sets.sort_unstable();
    sets.dedup();
    let (first, second) = (sets.first().copied(), sets.get(1).copied());
    let mut third = None;
    let mut coordinates = [None; TextureRole::ALL.len()];
    for ((role, choice), slot) in TextureRole::ALL.iter().zip(choices).zip(&mut coordinates) {
        let Some(choice) = choice else { continue };
        let is_second = Some(choice.set) == second;
        if !is_second && Some(choice.set) != first {
            third = third.or(Some(*role));
        }
        let own = choice.transform.coordinates(is_second);
        *slot = Some(own).filter(|&own| own != TextureCoordinates::plain(false));
    }
    // The normal map of a clear coat has separate tangents only if the surface has none.
    let relief = match choices.get(TextureRole::Normal as usize) {
        Some(Some(_)) => TextureRole::Normal,
        _ => TextureRole::ClearcoatNormal,
    };
    let normal = coordinates.get(relief as usize).copied().flatten();
    let sets = TexcoordSets { first, second, normal, ..TexcoordSets::NONE };
    (sets, Some(Box::new(coordinates)), third)
}
