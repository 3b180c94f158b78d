//! Checked scene: the input of all stages.

use super::camera::CameraRig;
use super::environment::EnvironmentEntry;
use super::golden::Golden;
use super::instance::{Instance, WantedClip};
use super::light::{Lights, ModelLight};
use super::material::MaterialEntry;
use super::model::ModelEntry;
use super::named_light::NamedLight;
use super::output::Output;
use super::settings::Settings;
use tintype_model::{CastShadow, Ground, LinearRgb};

/// Look of a surface whose texture is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingLook {
    /// Plain grey, which shows the shape.
    Grey,
    /// A checkerboard of two magentas, which no real texture looks like.
    Checker,
}

/// A checked scene: every default is filled in and every reference is valid.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Size, frames and files of the pictures.
    pub output: Output,
    /// Light from all directions, added to the lights.
    pub ambient: LinearRgb,
    /// Light from all directions.
    pub environment: Option<EnvironmentEntry>,
    /// The camera and its motion.
    pub camera: CameraRig,
    /// The lights.
    pub lights: Lights,
    /// Lights in files of models, after the others.
    pub model_lights: Vec<ModelLight>,
    /// Shadows of the lights that cast one, in their order.
    pub shadows: Vec<CastShadow>,
    /// The plane below the models that catches shadows.
    pub ground: Option<Ground>,
    /// Materials by shader name, in the order of the text; names are unique.
    pub materials: Vec<MaterialEntry>,
    /// The models, in the order of the text, at least one; names are unique.
    pub models: Vec<ModelEntry>,
    /// The instances of the text, then one for each model without any.
    pub instances: Vec<Instance>,
    /// Clips named by instances that only the file of their model has.
    pub wanted_clips: Vec<WantedClip>,
    /// Folders searched for textures, relative to the scene.
    pub texture_search: Vec<String>,
    /// Doom 3 material files: files, folders of them, or patterns with `*` in the file name;
    /// relative to the scene.
    pub texture_mtr: Vec<String>,
    /// Frames that are kept as references.
    pub golden: Option<Golden>,
    /// Look of surfaces with missing textures, overriding that of the look: tests make missing
    /// textures obvious.
    pub missing: Option<MissingLook>,
    /// Settings in the scene, before its look and the defaults fill in the rest.
    pub(super) said: Settings,
    /// Light and ground set in the scene, before its look fills in the rest.
    pub(super) named: NamedLight,
}
