//! Converts the document to a [`Model`] and its clips.
//!
//! `node` makes the skeleton, `bind` the pose in which vertices are bound to it, `morph` its morph
//! weights, `skin`, `layer` and `mesh` the meshes, `material` materials, `view` cameras and lights,
//! `clip` clips.
//!
//! # Conventions
//! - **Axes** of the file become ours: its right is +X, its up +Y, its front +Z. A left-handed file
//!   is mirrored by the scale of its roots.
//! - **Length**: metres; the file states its unit in centimetres.
//! - **Time**: second 0 of a clip is the start that its file states.
//! - **Skin**: the node of a skinned mesh does not move it; its joints do.

mod bind;
mod clip;
mod layer;
mod material;
mod mesh;
mod morph;
mod node;
mod skin;
mod view;

use super::document::Document;
use super::motion::read_stacks;
use crate::{LoadOptions, Loaded, ModelFormatError};
use tintype_base::precedence::Guesses;
use tintype_model::math::Vec3;
use tintype_model::{AxisRule, FileParts, Model, NamedClip, Warning};

/// Contents of an FBX file.
#[derive(Clone, Debug)]
pub struct FbxModel {
    /// The scene of the file as one model: every node is a joint.
    pub model: Model,
    /// Its stacks or takes, in file order.
    pub clips: Vec<NamedClip>,
}

/// Builds the model and the clips of a document.
///
/// # Errors
/// [`ModelFormatError`] if nothing of the file can be drawn: for a circle of models, and for
/// limits.
pub(super) fn build(
    document: &Document,
    file_bytes: usize,
    options: &LoadOptions,
    mut warnings: Vec<Warning>,
) -> Result<Loaded<FbxModel>, ModelFormatError> {
    let stacks = read_stacks(document, &mut warnings);
    let nodes = node::Nodes::new(document, &stacks, &mut warnings)?;
    let geometries = mesh::placed_geometries(document, &nodes, &mut warnings);
    let morphs = morph::Morphs::new(document, &nodes, &geometries, &stacks, &mut warnings);
    let bytes = file_bytes.saturating_add(mesh::inflated_bytes(document.root));
    let scene = mesh::Scene { document, nodes: &nodes, morphs: &morphs, bytes, options };
    let mut materials = material::Materials::default();
    let meshes = mesh::build_meshes(&scene, &geometries, &mut materials, &mut warnings)?;
    let rate_hz = frame_rate(document);
    let mut sampler = clip::Sampler::new(bytes, options);
    let clips = clip::build_clips(&nodes, &morphs, &stacks, rate_hz, &mut sampler, &mut warnings)?;
    let class = |object: &super::document::Object| object.class == "Skin";
    let skins = document.objects.iter().filter(|object| class(object)).count();
    let (cameras, lights) = view::cameras_and_lights(document, &nodes, &mut warnings);
    let is_mesh = |object: &super::document::Object| {
        object.class == "Mesh"
            || object.kind == "Geometry"
            || object.node.child("Vertices").is_some()
    };
    let lacks_meshes = !document.objects.iter().any(is_mesh);
    let bind = bind::bind_pose(document, &nodes);
    let skeleton = nodes.skeleton.clone().with_morphs(morphs.weights);
    let skeleton = match bind {
        Some(bind) => skeleton.with_bind(bind),
        None if lacks_meshes => skeleton.of_a_moment(),
        None => skeleton,
    };
    let model = Model {
        skeleton,
        meshes,
        materials: materials.list,
        pictures: materials.pictures,
        front: Vec3::Z,
        parts: FileParts {
            lacks_meshes,
            skins,
            cameras,
            lights,
            up: axis_rule(document, "UpAxis", Guesses::OverConvention),
            // Exporters state a front that figures do not have.
            front: axis_rule(document, "FrontAxis", Guesses::OverStatement),
            holders: nodes.helpers(document),
            made: nodes.made(),
            ..FileParts::default()
        },
    };
    Ok(Loaded { value: FbxModel { model, clips }, warnings })
}

/// The rule for an axis of that setting.
fn axis_rule(document: &Document, setting: &str, guesses: Guesses) -> AxisRule {
    AxisRule { is_stated: document.setting(setting).is_some(), guesses }
}

/// Frames per second in the settings.
fn frame_rate(document: &Document) -> Option<f64> {
    /// By the number of the mode; at 14 the file states the rate.
    const MODES: [f64; 19] = [
        30.0, 120.0, 100.0, 60.0, 50.0, 48.0, 30.0, 30.0, 29.97, 29.97, 25.0, 24.0, 1000.0, 23.976,
        24.0, 96.0, 72.0, 59.94, 119.88,
    ];
    let mode = document.setting("TimeMode")?;
    let custom = document.setting("CustomFrameRate").filter(|&rate| mode == 14.0 && rate > 0.0);
    let index = (0_u8..).zip(MODES).find(|(own, _)| f64::from(*own) == mode);
    custom.or_else(|| index.map(|(_, rate)| rate))
}
