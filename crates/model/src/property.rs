//! Properties moved by clips beside joints and morph targets: numbers of materials, lights and
//! cameras of a file.
//!
//! Each number is a weight of the skeleton, like those of morph targets, so that clips, layers,
//! fades and scenes animate it by the same rules. A property with its rest numbers changes nothing.

use super::material::{
    AlphaMode, Iridescence, LinearRgb, Material, MetallicRoughness, TextureRole,
};
use super::math::{Vec2, clamp, func, max};
use super::texture_coordinates::TextureCoordinates;

/// A property of a part of a file, whose numbers are weights of the skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct AnimatedProperty {
    /// Index of its first number among [`crate::Skeleton::morphs`].
    pub weight: usize,
    /// Number of its consecutive weights.
    pub count: usize,
    /// The part of the file, and its property.
    pub owner: PropertyOwner,
}

/// A part of a file, and a property of it.
#[derive(Clone, Debug, PartialEq)]
pub enum PropertyOwner {
    /// The material of a name in the model.
    Material(String, MaterialProperty),
    /// The light of an index among [`crate::FileParts::lights`].
    Light(usize, LightProperty),
    /// The camera of an index among [`crate::FileParts::cameras`].
    Camera(usize, CameraProperty),
}

/// A property of a material: one or several numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaterialProperty {
    /// Red, green, blue and alpha.
    BaseColor,
    /// Red, green, blue, and a factor of them.
    Emission,
    /// Cutoff of a mask.
    AlphaCutoff,
    /// Metalness.
    Metallic,
    /// Roughness.
    Roughness,
    /// Factor of the slopes of the normal map.
    NormalScale,
    /// Strength of the occlusion texture.
    OcclusionStrength,
    /// Index of refraction.
    Ior,
    /// Strength of the reflection as a dielectric.
    Specular,
    /// Red, green and blue of that reflection.
    SpecularColor,
    /// Strength of the clear coat.
    Clearcoat,
    /// Roughness of the clear coat.
    ClearcoatRoughness,
    /// Factor of the slopes of the normal map of the clear coat.
    ClearcoatNormalScale,
    /// Red, green and blue of the sheen.
    SheenColor,
    /// Roughness of the sheen.
    SheenRoughness,
    /// Fraction of light that passes.
    Transmission,
    /// Thickness of the volume.
    Thickness,
    /// Attenuation distance of the volume; 0 if nothing is absorbed.
    AttenuationDistance,
    /// Red, green and blue of the volume.
    AttenuationColor,
    /// Strength of brushed metal.
    AnisotropyStrength,
    /// Angle of brushed metal, in radians.
    AnisotropyRotation,
    /// Strength of the film, its index of refraction, and its minimum and maximum thickness in
    /// nanometres.
    Iridescence,
    /// Transform of the coordinates of a texture: its offset along both, its rotation in radians,
    /// its scale along both.
    Texcoords(TextureRole),
}

/// A property of a light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LightProperty {
    /// Red, green and blue.
    Color,
    /// [`crate::FileLight::intensity`].
    Intensity,
    /// [`crate::FileLight::range`]; 0 if unlimited.
    Range,
    /// Inner angle of a spot, in radians.
    InnerAngle,
    /// Outer angle of a spot, in radians.
    OuterAngle,
}

/// A property of a camera.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CameraProperty {
    /// [`crate::FileCamera::fov_y_rad`].
    FovY,
    /// Half of [`crate::FileCamera::height`].
    HalfHeight,
    /// [`crate::FileCamera::near`].
    Near,
    /// [`crate::FileCamera::far`]; 0 if unlimited.
    Far,
}

/// The number at an index; 0 if it is missing.
pub(crate) fn at(numbers: &[f32], index: usize) -> f32 {
    numbers.get(index).copied().unwrap_or(0.0)
}

fn rgb(numbers: &[f32]) -> LinearRgb {
    let [r, g, b] = [0, 1, 2].map(|channel| max(at(numbers, channel), 0.0));
    LinearRgb::new(r, g, b)
}

/// Maximum cutoff of a mask: no alpha reaches it.
const NEVER: f32 = 2.0;

impl MaterialProperty {
    /// Sets these numbers in a material, as a file that states them does.
    pub fn set(self, material: &mut Material, numbers: &[f32]) {
        match self {
            Self::BaseColor => {
                material.color = rgb(numbers);
                if material.alpha != AlphaMode::Opaque {
                    material.opacity = clamp(at(numbers, 3), 0.0, 1.0);
                }
            }
            Self::Emission => material.emissive = rgb(numbers).scaled(max(at(numbers, 3), 0.0)),
            Self::AlphaCutoff => {
                if let AlphaMode::Mask { cutoff } = &mut material.alpha {
                    *cutoff = clamp(at(numbers, 0), 0.0, NEVER);
                }
            }
            Self::Texcoords(role) => {
                let is_second = material.coordinates_of(role).is_some_and(|own| own.is_second);
                let [offset, scale] =
                    [0, 3].map(|first| Vec2::new(at(numbers, first), at(numbers, first + 1)));
                let turn = [func::cos(at(numbers, 2)), func::sin(at(numbers, 2))];
                let own = TextureCoordinates::transformed(is_second, scale, turn, offset);
                material.coordinates.get_or_insert_default()[role as usize] = Some(own);
            }
            _ => {
                let has_film_texture =
                    material.texture(TextureRole::IridescenceThickness).is_some();
                if let Some(response) = &mut material.response {
                    self.set_response(response, numbers, has_film_texture);
                }
            }
        }
    }

    fn set_response(self, own: &mut MetallicRoughness, numbers: &[f32], has_film_texture: bool) {
        let (number, share) = (at(numbers, 0), clamp(at(numbers, 0), 0.0, 1.0));
        match self {
            Self::Metallic => own.metallic = share,
            Self::Roughness => own.roughness = share,
            Self::NormalScale => own.normal_scale = number,
            Self::OcclusionStrength => own.occlusion_strength = number,
            // An index of 0 reflects as metal does.
            Self::Ior => own.ior = if number > 0.0 { max(number, 1.0) } else { 0.0 },
            Self::Specular => own.specular = share,
            Self::SpecularColor => own.specular_color = rgb(numbers),
            Self::Clearcoat => own.clearcoat = share,
            Self::ClearcoatRoughness => own.clearcoat_roughness = share,
            Self::ClearcoatNormalScale => own.clearcoat_normal_scale = number,
            Self::SheenColor => own.sheen_color = rgb(numbers),
            Self::SheenRoughness => own.sheen_roughness = share,
            Self::Transmission => own.transmission.share = number,
            Self::Thickness => own.transmission.thickness = number,
            Self::AttenuationDistance => own.transmission.attenuation_distance = number,
            Self::AttenuationColor => own.transmission.attenuation_color = rgb(numbers),
            Self::AnisotropyStrength => own.anisotropy.strength = number,
            Self::AnisotropyRotation => own.anisotropy.rotation_rad = number,
            Self::Iridescence => {
                let thickness_nm = [at(numbers, 2), at(numbers, 3)];
                let film = Iridescence { strength: number, ior: at(numbers, 1), thickness_nm };
                own.iridescence = film.bounded(has_film_texture);
            }
            Self::BaseColor | Self::Emission | Self::AlphaCutoff | Self::Texcoords(_) => {}
        }
        own.transmission = own.transmission.bounded();
        own.anisotropy = own.anisotropy.bounded();
    }
}
