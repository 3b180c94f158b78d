//! Checked scene: the input of all stages.

use super::camera::CameraRig;
use super::golden::Golden;
use super::instance::{Instance, WantedClip};
use super::light::Lights;
use super::material::MaterialEntry;
use super::model::ModelEntry;
use super::output::Output;
use crate::model::{CastShadow, Ground, LinearRgb};

/// A checked scene: every default is filled in and every reference holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Size, frames and files of the pictures.
    pub output: Output,
    /// Light from everywhere, on top of the lights.
    pub ambient: LinearRgb,
    /// The camera and its way.
    pub camera: CameraRig,
    /// The lights.
    pub lights: Lights,
    /// Which of them cast shadows, in their order.
    pub shadows: Vec<CastShadow>,
    /// What catches shadows below the models.
    pub ground: Option<Ground>,
    /// What shader names mean, in the order of the text; names are unique.
    pub materials: Vec<MaterialEntry>,
    /// The models, in the order of the text, at least one; names are unique.
    pub models: Vec<ModelEntry>,
    /// Who stands in the scene: the instances of the text, then one for each model that has none.
    pub instances: Vec<Instance>,
    /// The clips that instances name and that only the file of their model knows.
    pub wanted_clips: Vec<WantedClip>,
    /// Folders that are searched for textures, relative to the scene.
    pub texture_search: Vec<String>,
    /// Doom 3 material files: files, folders of them, or patterns with `*` in the file name; relative to the scene.
    pub texture_mtr: Vec<String>,
    /// The frames that are kept as golden images.
    pub golden: Option<Golden>,
}
