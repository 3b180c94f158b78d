//! Converts the document to a [`Model`] and its clips.
//!
//! `node` makes the skeleton, `rig` reads the joint roles of VRM, `skin`, `morph` and `primitive`
//! read attributes, `instancing` copies and hides, `detail` finds levels of detail, `mesh` combines
//! them, `material` and `image` make materials, `animation` makes clips, `property` reads their
//! animation of other properties. `names` makes names unique.
//!
//! # Conventions
//! - **Axes** are ours: right-handed, +Y up, metres and seconds. The front is +Z.
//! - **Winding**: front faces are counter-clockwise, or clockwise below a node that mirrors; there
//!   the index order is reversed here.
//! - **Skin**: the node of a skinned mesh does not move it; its joints do, by
//!   `world(joint) * inverse_bind`.

mod animation;
mod channel;
mod detail;
mod image;
mod instancing;
mod material;
mod mesh;
mod morph;
mod node;
mod parts;
mod primitive;
mod property;
mod rig;
mod skin;
mod source;
mod texcoord;

pub(super) use animation::clip_names;

use super::accessor::Accessors;
use super::buffer::Buffers;
use super::document::Document;
use super::draco::decode_primitives;
use super::error::GltfError;
use super::faults::RepairLog;
use super::vrm;
use crate::LoadOptions;
use source::Source;
use tintype_model::{Model, NamedClip};

/// Contents of a glTF file.
#[derive(Clone, Debug)]
pub struct GltfModel {
    /// The scene of the file as one model: every node is a joint.
    pub model: Model,
    /// Its animations, in file order.
    pub clips: Vec<NamedClip>,
}

/// Builds the model and the clips of a document.
///
/// # Errors
/// [`GltfError`] with the JSON path of the first value without which nothing can be drawn.
pub(super) fn build(
    document: &Document,
    buffers: &Buffers,
    file_bytes: usize,
    options: &LoadOptions,
    faults: &RepairLog,
) -> Result<GltfModel, GltfError> {
    let mut accessors = Accessors::new(document, buffers, options, faults);
    decode_primitives(document, buffers, file_bytes, &mut accessors, options, faults)?;
    let file_bytes = file_bytes.saturating_add(accessors.decoded_bytes());
    let is_quantized = document.extensions_used.iter().any(|name| name == "KHR_mesh_quantization");
    let source = Source { document, buffers, accessors, file_bytes, is_quantized, faults };
    let nodes = node::build_nodes(document, options.file_scene.as_ref(), faults)?;
    let mut morphs = morph::build_weights(&source, &nodes)?;
    let skins = skin::read_skins(&source, &nodes)?;
    let mut properties = property::Properties::of(document);
    let mut materials = material::Materials::new(&source, properties.of_materials());
    let meshes = mesh::build_meshes(&source, (&nodes, &skins, &morphs), &mut materials, options)?;
    let (mut parts, sources) = parts::read_parts(document, &nodes, faults)?;
    let (names, owners) = (&materials.names, (&mut parts, &sources));
    properties.place(document, &nodes, names, owners, &mut morphs.weights);
    let clips = animation::build_clips(&source, &nodes, &properties, options)?;
    let expressions = morphs.expressions(document, &nodes, &materials.names);
    let rig = rig::read_rig(document, &nodes, faults);
    let skeleton = nodes.skeleton.with_morphs(morphs.weights).with_expressions(expressions);
    let skeleton = skeleton.with_rig(rig);
    let model = Model {
        skeleton,
        meshes,
        materials: materials.list,
        pictures: materials.images.pictures,
        front: vrm::front(document),
        parts,
    };
    Ok(GltfModel { model, clips })
}
