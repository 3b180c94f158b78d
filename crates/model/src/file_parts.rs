//! Parts of a model file beside its model: parts selectable in a scene, and parts that are not
//! drawn.

use super::math::{max, min};
use super::posed::Pose;
use super::property::{
    AnimatedProperty, CameraProperty, LightProperty, MaterialProperty, PropertyOwner, at,
};
use super::skeleton::{JointIndex, Skeleton};
use tintype_base::precedence::Guesses;

/// Parts of a file beside its model; empty for formats without them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileParts {
    /// Extensions of the format that the file uses.
    pub extensions: Vec<FileExtension>,
    /// True if the file itself contains no mesh, so that none was lost to a fault.
    pub lacks_meshes: bool,
    /// Number of its skins.
    pub skins: usize,
    /// Names of its scenes, if it has several; one of them is the model.
    pub scenes: Vec<String>,
    /// Names of material variants, of which at most one is active.
    pub variants: Vec<String>,
    /// Cameras of the scene of the file.
    pub cameras: Vec<FileCamera>,
    /// Lights of the scene of the file.
    pub lights: Vec<FileLight>,
    /// Properties of materials, lights and cameras moved by clips of the file.
    pub properties: Vec<AnimatedProperty>,
    /// Joints whose names and positions carry no meaning: nodes that hold a skinned mesh and do not
    /// move it unless its skin lists them too; cameras, lights and other nodes without a purpose.
    pub holders: Vec<JointIndex>,
    /// Joints that the reader made for their parents, to hold their scale or direction: the file
    /// has no such nodes.
    pub made: Vec<JointIndex>,
    /// The axis that points up.
    pub up: AxisRule,
    /// The axis along which characters look.
    pub front: AxisRule,
}

impl FileParts {
    /// Properties that differ from rest in a pose, with their numbers; properties with a non-finite
    /// number are left out.
    pub fn moved<'p>(
        &'p self,
        skeleton: &'p Skeleton,
        pose: &'p Pose,
    ) -> impl Iterator<Item = (&'p PropertyOwner, &'p [f32])> {
        self.properties.iter().filter_map(|one| {
            let range = one.weight..one.weight + one.count;
            let numbers = pose.morphs.get(range.clone())?;
            let rest = skeleton.morphs().get(range)?;
            let is_moved = numbers.iter().zip(rest).any(|(own, rest)| *own != rest.rest);
            let is_sound = numbers.iter().all(|own| own.is_finite());
            (is_moved && is_sound).then_some((&one.owner, numbers))
        })
    }

    /// A light as it is in a pose.
    ///
    /// # Panics
    /// If there is no such light.
    #[must_use]
    pub fn light_in(&self, light: usize, skeleton: &Skeleton, pose: &Pose) -> FileLight {
        let mut own = self.lights[light].clone();
        for (owner, numbers) in self.moved(skeleton, pose) {
            if let PropertyOwner::Light(index, property) = *owner
                && index == light
            {
                own.set(property, numbers);
            }
        }
        own
    }

    /// A camera as it is in a pose.
    ///
    /// # Panics
    /// If there is no such camera.
    #[must_use]
    pub fn camera_in(&self, camera: usize, skeleton: &Skeleton, pose: &Pose) -> FileCamera {
        let mut own = self.cameras[camera].clone();
        for (owner, numbers) in self.moved(skeleton, pose) {
            if let PropertyOwner::Camera(index, property) = *owner
                && index == camera
            {
                own.set(property, numbers);
            }
        }
        own
    }

    /// True if a clip may make a material of this name require tangents that it does not require at
    /// rest.
    #[must_use]
    pub fn may_need_tangents(&self, material: &str) -> bool {
        self.properties.iter().any(|one| {
            matches!(&one.owner, PropertyOwner::Material(name, MaterialProperty::AnisotropyStrength) if name == material)
        })
    }
}

/// Precedence among the statements about an axis of a file. Readers turn models to where their
/// files or formats have the axis, +Y for up and [`crate::Model::front`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AxisRule {
    /// True if the file states it, not only its format.
    pub is_stated: bool,
    /// Precedence of a guess by the shape of the model.
    pub guesses: Guesses,
}

/// An extension that a file uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileExtension {
    /// Its name.
    pub name: String,
    /// True if the file cannot be understood without it.
    pub is_required: bool,
    /// The part of the picture that is lost. None if the extension is read.
    pub lost: Option<&'static str>,
}

/// A camera attached to a joint: it looks along the joint's -Z with +Y up.
#[derive(Clone, Debug, PartialEq)]
pub struct FileCamera {
    /// Its name.
    pub name: String,
    /// The joint.
    pub joint: JointIndex,
    /// Vertical field of view of its film in radians. None for an orthographic camera.
    pub fov_y_rad: Option<f32>,
    /// Height of its film in units of the file. None for a perspective camera.
    pub height: Option<f32>,
    /// The part of the film that a picture shows.
    pub fit: FilmFit,
    /// Distance of the near plane.
    pub near: f32,
    /// Distance of the far plane, if there is one.
    pub far: Option<f32>,
}

/// Fit of a picture to the film of a camera, with the film's aspect ratio where it matters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum FilmFit {
    /// As high as the film.
    #[default]
    Height,
    /// As wide as the film.
    Width(f32),
    /// Within the film.
    Inside(f32),
    /// Around the film.
    Around(f32),
}

impl FilmFit {
    /// Height of a picture of this aspect, as a fraction of the height of the film.
    #[must_use]
    pub fn height_share(self, picture_aspect: f32) -> f32 {
        match self {
            Self::Height => 1.0,
            Self::Width(film) => film / picture_aspect,
            Self::Inside(film) => min(1.0, film / picture_aspect),
            Self::Around(film) => max(1.0, film / picture_aspect),
        }
    }
}

/// Kind of a light of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FileLightKind {
    /// From infinity, along the joint's -Z.
    Directional,
    /// In all directions.
    Point,
    /// A cone about the joint's -Z; half its angle in radians, where the light begins to fade and
    /// where it ends.
    Spot {
        /// Half the angle of the full light.
        inner_rad: f32,
        /// Half the angle of all light.
        outer_rad: f32,
    },
}

impl FileLightKind {
    /// Its name in the format.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Directional => "directional",
            Self::Point => "point",
            Self::Spot { .. } => "spot",
        }
    }
}

/// A light attached to a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct FileLight {
    /// Its name.
    pub name: String,
    /// The joint.
    pub joint: JointIndex,
    /// Its kind.
    pub kind: FileLightKind,
    /// Linear colour.
    pub color: [f32; 3],
    /// Candela; of directional lights lux.
    pub intensity: f32,
    /// Distance where the light ends. None if it is unlimited.
    pub range: Option<f32>,
}

impl FileLight {
    fn set(&mut self, property: LightProperty, numbers: &[f32]) {
        let number = max(at(numbers, 0), 0.0);
        match (property, &mut self.kind) {
            (LightProperty::Color, _) => {
                self.color = [0, 1, 2].map(|channel| at(numbers, channel));
            }
            (LightProperty::Intensity, _) => self.intensity = number,
            (LightProperty::Range, _) => self.range = Some(number),
            (LightProperty::InnerAngle, FileLightKind::Spot { inner_rad, .. }) => {
                *inner_rad = number;
            }
            (LightProperty::OuterAngle, FileLightKind::Spot { outer_rad, .. }) => {
                *outer_rad = number;
            }
            (LightProperty::InnerAngle | LightProperty::OuterAngle, _) => {}
        }
    }
}

impl FileCamera {
    /// Takes a number above 0 if the lens has this property; otherwise the rest value stays.
    fn set(&mut self, property: CameraProperty, numbers: &[f32]) {
        let number = at(numbers, 0);
        let is_of_lens = self.fov_y_rad.is_some() != (property == CameraProperty::HalfHeight);
        if number <= 0.0 || !is_of_lens {
            return;
        }
        match property {
            CameraProperty::FovY => self.fov_y_rad = Some(number),
            CameraProperty::HalfHeight => self.height = Some(number * 2.0),
            CameraProperty::Near => self.near = number,
            CameraProperty::Far => self.far = Some(number),
        }
    }
}
