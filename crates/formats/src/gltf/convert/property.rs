//! Properties of materials, lights and cameras named by `KHR_animation_pointer`, as weights of the
//! skeleton.
//!
//! Each number of a property that a channel animates is a weight of the first joint, after those of
//! morph targets; its rest value comes from the file. A property made of several values of the file
//! has all of their numbers.
//!
//! # Source
//! KHR_animation_pointer, and the glTF object model.

use super::channel::{Target, target_of};
use super::node::{Nodes, to_f32};
use super::parts::PartSources;
use crate::gltf::document::Document;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use tintype_model::{
    AnimatedProperty, CameraProperty, FileParts, JointIndex, LightProperty, MaterialProperty,
    MorphTrack, MorphWeight, PropertyOwner, TextureRole, Track,
};

/// Values of materials: path, property, and default numbers. Values of the same property are
/// adjacent.
const MATERIAL: [(&str, &str, MaterialProperty, &[f32]); 26] = {
    use MaterialProperty as P;
    [
        ("pbrMetallicRoughness", "baseColorFactor", P::BaseColor, &[1.0; 4]),
        ("pbrMetallicRoughness", "metallicFactor", P::Metallic, &[1.0]),
        ("pbrMetallicRoughness", "roughnessFactor", P::Roughness, &[1.0]),
        ("", "emissiveFactor", P::Emission, &[0.0; 3]),
        ("KHR_materials_emissive_strength", "emissiveStrength", P::Emission, &[1.0]),
        ("", "alphaCutoff", P::AlphaCutoff, &[0.5]),
        ("normalTexture", "scale", P::NormalScale, &[1.0]),
        ("occlusionTexture", "strength", P::OcclusionStrength, &[1.0]),
        ("KHR_materials_ior", "ior", P::Ior, &[1.5]),
        ("KHR_materials_specular", "specularFactor", P::Specular, &[1.0]),
        ("KHR_materials_specular", "specularColorFactor", P::SpecularColor, &[1.0; 3]),
        (COAT, "clearcoatFactor", P::Clearcoat, &[0.0]),
        (COAT, "clearcoatRoughnessFactor", P::ClearcoatRoughness, &[0.0]),
        (COAT, "clearcoatNormalTexture/scale", P::ClearcoatNormalScale, &[1.0]),
        ("KHR_materials_sheen", "sheenColorFactor", P::SheenColor, &[0.0; 3]),
        ("KHR_materials_sheen", "sheenRoughnessFactor", P::SheenRoughness, &[0.0]),
        ("KHR_materials_transmission", "transmissionFactor", P::Transmission, &[0.0]),
        ("KHR_materials_volume", "thicknessFactor", P::Thickness, &[0.0]),
        ("KHR_materials_volume", "attenuationDistance", P::AttenuationDistance, &[0.0]),
        ("KHR_materials_volume", "attenuationColor", P::AttenuationColor, &[1.0; 3]),
        ("KHR_materials_anisotropy", "anisotropyStrength", P::AnisotropyStrength, &[0.0]),
        ("KHR_materials_anisotropy", "anisotropyRotation", P::AnisotropyRotation, &[0.0]),
        (FILM, "iridescenceFactor", P::Iridescence, &[0.0]),
        (FILM, "iridescenceIor", P::Iridescence, &[1.3]),
        (FILM, "iridescenceThicknessMinimum", P::Iridescence, &[100.0]),
        (FILM, "iridescenceThicknessMaximum", P::Iridescence, &[400.0]),
    ]
};

const COAT: &str = "KHR_materials_clearcoat";
const FILM: &str = "KHR_materials_iridescence";

/// Textures of materials, whose transforms are also values.
const TEXTURES: [(&str, &str, TextureRole); 17] = {
    use TextureRole as R;
    [
        ("pbrMetallicRoughness", "baseColorTexture", R::Diffuse),
        ("pbrMetallicRoughness", "metallicRoughnessTexture", R::MetallicRoughness),
        ("", "normalTexture", R::Normal),
        ("", "occlusionTexture", R::Occlusion),
        ("", "emissiveTexture", R::Emissive),
        (COAT, "clearcoatTexture", R::Clearcoat),
        (COAT, "clearcoatRoughnessTexture", R::ClearcoatRoughness),
        (COAT, "clearcoatNormalTexture", R::ClearcoatNormal),
        ("KHR_materials_sheen", "sheenColorTexture", R::SheenColor),
        ("KHR_materials_sheen", "sheenRoughnessTexture", R::SheenRoughness),
        ("KHR_materials_specular", "specularTexture", R::SpecularStrength),
        ("KHR_materials_specular", "specularColorTexture", R::SpecularColor),
        ("KHR_materials_transmission", "transmissionTexture", R::Transmission),
        ("KHR_materials_volume", "thicknessTexture", R::Thickness),
        ("KHR_materials_anisotropy", "anisotropyTexture", R::Anisotropy),
        (FILM, "iridescenceTexture", R::Iridescence),
        (FILM, "iridescenceThicknessTexture", R::IridescenceThickness),
    ]
};

/// Values of the transform of a texture.
const TRANSFORM: [(&str, &[f32]); 3] =
    [("offset", &[0.0; 2]), ("rotation", &[0.0]), ("scale", &[1.0; 2])];

/// Values of lights.
const LIGHT: [(&str, &str, LightProperty, &[f32]); 5] = {
    use LightProperty as P;
    [
        ("", "color", P::Color, &[1.0; 3]),
        ("", "intensity", P::Intensity, &[1.0]),
        ("", "range", P::Range, &[0.0]),
        ("spot", "innerConeAngle", P::InnerAngle, &[0.0]),
        ("spot", "outerConeAngle", P::OuterAngle, &[core::f32::consts::FRAC_PI_4]),
    ]
};

/// Values of cameras, which have no defaults.
const CAMERA: [(&str, &str, CameraProperty, &[f32]); 4] = [
    ("perspective", "yfov", CameraProperty::FovY, &[0.0]),
    ("perspective", "znear", CameraProperty::Near, &[0.0]),
    ("perspective", "zfar", CameraProperty::Far, &[0.0]),
    ("orthographic", "ymag", CameraProperty::HalfHeight, &[0.0]),
];

/// A property of one of the lists of the document.
#[derive(Clone, Copy, PartialEq)]
enum Property {
    Material(MaterialProperty),
    Light(LightProperty),
    Camera(CameraProperty),
}

impl Property {
    /// The path of the list in pointers.
    fn list(self) -> &'static str {
        match self {
            Self::Material(_) => "/materials/",
            Self::Light(_) => "/extensions/KHR_lights_punctual/lights/",
            Self::Camera(_) => "/cameras/",
        }
    }

    /// The things with this property that an element of the file became, and the name of the first.
    fn owners(
        self,
        index: usize,
        materials: &[String],
        parts: &FileParts,
        sources: &PartSources,
    ) -> Option<(String, Vec<PropertyOwner>)> {
        match self {
            Self::Material(property) => {
                let name = materials.get(index)?;
                Some((name.clone(), vec![PropertyOwner::Material(name.clone(), property)]))
            }
            Self::Light(property) => {
                let lights = sources.lights.get(&index)?;
                let name = &parts.lights.get(*lights.first()?)?.name;
                let owner = |own: &usize| PropertyOwner::Light(*own, property);
                Some((name.clone(), lights.iter().map(owner).collect()))
            }
            Self::Camera(property) => {
                let cameras = sources.cameras.get(&index)?;
                let name = &parts.cameras.get(*cameras.first()?)?.name;
                let owner = |own: &usize| PropertyOwner::Camera(*own, property);
                Some((name.clone(), cameras.iter().map(owner).collect()))
            }
        }
    }
}

/// A value of an object of a list.
struct Row {
    /// The path below the object.
    path: String,
    property: Property,
    usual: &'static [f32],
}

impl Row {
    fn new(place: &str, key: &str, property: Property, usual: &'static [f32]) -> Self {
        let path = match place {
            "" => key.to_owned(),
            place if place.starts_with("KHR_") => format!("extensions/{place}/{key}"),
            place => format!("{place}/{key}"),
        };
        Self { path, property, usual }
    }

    /// All values that are drawn.
    fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for (place, key, property, usual) in MATERIAL {
            all.push(Self::new(place, key, Property::Material(property), usual));
        }
        for (place, texture, role) in TEXTURES {
            for (key, usual) in TRANSFORM {
                let key = format!("{texture}/extensions/KHR_texture_transform/{key}");
                let property = Property::Material(MaterialProperty::Texcoords(role));
                all.push(Self::new(place, &key, property, usual));
            }
        }
        for (place, key, property, usual) in LIGHT {
            all.push(Self::new(place, key, Property::Light(property), usual));
        }
        for (place, key, property, usual) in CAMERA {
            all.push(Self::new(place, key, Property::Camera(property), usual));
        }
        all
    }

    /// Its pointer for the object of an index.
    fn pointer(&self, index: usize) -> String {
        format!("{}{index}/{}", self.property.list(), self.path)
    }

    /// The numbers of the value in the document, or the defaults.
    fn rest(&self, document: &Document, index: usize) -> Vec<f32> {
        let stated = document.root.pointer(&self.pointer(index));
        let stated = stated.map(numbers).unwrap_or_default();
        let number = |(place, usual): (usize, &f32)| {
            let own = stated.get(place).map(|number| to_f32(*number));
            own.filter(|number| number.is_finite()).unwrap_or(*usual)
        };
        self.usual.iter().enumerate().map(number).collect()
    }

    /// The last parts of its path, which name it: `baseColorFactor`, `normalTexture.scale`.
    fn name(&self) -> String {
        let is_place = |word: &str| {
            ["extensions", "pbrMetallicRoughness", "spot", "perspective", "orthographic"]
                .contains(&word)
        };
        let is_named = |word: &&str| !is_place(word) && !word.starts_with("KHR_");
        let words: Vec<&str> = self.path.split('/').filter(is_named).collect();
        words.join(".")
    }
}

/// The numbers of a JSON value.
fn numbers(value: &Value) -> Vec<f64> {
    match value.as_array() {
        Some(list) => list.iter().filter_map(Value::as_f64).collect(),
        None => value.as_f64().into_iter().collect(),
    }
}

/// Properties that channels of a document move.
pub(super) struct Properties {
    rows: Vec<Row>,
    /// The index of an object, and the first row of one of its properties.
    moved: BTreeSet<(usize, usize)>,
    /// Per pointer: the tracks of its numbers, without their keys.
    pub(super) tracks: BTreeMap<String, Vec<MorphTrack>>,
}

impl Properties {
    /// Those that the channels of a document name.
    pub(super) fn of(document: &Document) -> Self {
        let channels = document.animations.iter().flat_map(|animation| &animation.channels);
        let mut pointers = channels.filter_map(|channel| match target_of(channel) {
            Target::Pointer(pointer) => Some(pointer),
            _ => None,
        });
        let mut own = Self { rows: Vec::new(), moved: BTreeSet::new(), tracks: BTreeMap::new() };
        let Some(first) = pointers.next() else { return own };
        own.rows = Row::all();
        for pointer in core::iter::once(first).chain(pointers) {
            let found = own.row(document, pointer);
            let first = |property| own.rows.iter().position(|row| row.property == property);
            let moved = found.and_then(|(index, row)| Some((index, first(row.property)?)));
            own.moved.extend(moved);
        }
        own
    }

    /// The value of a pointer, and the index of its object.
    fn row(&self, document: &Document, pointer: &str) -> Option<(usize, &Row)> {
        let found = self.rows.iter().find_map(|row| {
            let (index, path) = pointer.strip_prefix(row.property.list())?.split_once('/')?;
            (path == row.path).then_some((index.parse::<usize>().ok()?, row))
        });
        found.filter(|(index, row)| match row.property {
            // The base of such a material is drawn from other values.
            Property::Material(_) if row.path.starts_with("pbrMetallicRoughness") => {
                let material = document.materials.get(*index);
                material.is_some_and(|own| {
                    !own.extensions.contains_key("KHR_materials_pbrSpecularGlossiness")
                })
            }
            _ => true,
        })
    }

    /// Per material: its properties.
    pub(super) fn of_materials(&self) -> BTreeMap<usize, Vec<MaterialProperty>> {
        let mut all: BTreeMap<usize, Vec<MaterialProperty>> = BTreeMap::new();
        for &(index, row) in &self.moved {
            if let Some(Row { property: Property::Material(property), .. }) = self.rows.get(row) {
                all.entry(index).or_default().push(*property);
            }
        }
        all
    }

    /// Adds their numbers to the weights of the skeleton, and records their owners.
    pub(super) fn place(
        &mut self,
        document: &Document,
        nodes: &Nodes,
        materials: &[String],
        (parts, sources): (&mut FileParts, &PartSources),
        weights: &mut Vec<MorphWeight>,
    ) {
        let joint = JointIndex(0);
        let Some(joint_name) = nodes.nodes.first().and_then(|node| nodes.names.get(*node)) else {
            return;
        };
        let mut target = weights.iter().filter(|slot| slot.joint == joint).count();
        for &(index, row) in &self.moved {
            let Some(&Row { property, .. }) = self.rows.get(row) else { continue };
            let owners = property.owners(index, materials, parts, sources);
            let Some((name, owners)) = owners else { continue };
            let first = weights.len();
            for row in self.rows.iter().filter(|row| row.property == property) {
                let rest = row.rest(document, index);
                let letters: &[&str] = match rest.len() {
                    1 => &[""],
                    2 => &[".u", ".v"],
                    _ => &[".r", ".g", ".b", ".a"],
                };
                let mut tracks = Vec::new();
                for (rest, letter) in rest.into_iter().zip(letters) {
                    let name = format!("{name}.{}{letter}", row.name());
                    let (joint_name, weight) = (joint_name.clone(), Track::unset());
                    tracks.push(MorphTrack {
                        joint: joint_name,
                        target,
                        name: name.clone(),
                        weight,
                    });
                    weights.push(MorphWeight { name, joint, target, rest });
                    target += 1;
                }
                self.tracks.insert(row.pointer(index), tracks);
            }
            let count = weights.len() - first;
            let property = |owner| AnimatedProperty { weight: first, count, owner };
            parts.properties.extend(owners.into_iter().map(property));
        }
    }
}
