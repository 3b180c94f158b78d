//! Mirror of the JSON document, without checks: each struct is one object of glTF 2.0 with the
//! properties that are read.
//!
//! Unknown properties are ignored, as the format requires; a known one of the wrong type is an
//! error with its JSON path.

use super::number::JsonInteger;
use super::object::objects;
use super::word::Word;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Extensions of an object, by name; only known ones are read.
pub(super) type Extensions = BTreeMap<String, Value>;
/// Accessors of a primitive or a morph target, by the name of the attribute.
pub(super) type Attributes = BTreeMap<String, JsonInteger>;

objects!(
    Document,
    Camera,
    Perspective,
    Orthographic,
    Asset,
    Scene,
    Node,
    Mesh,
    Primitive,
    Skin,
    Animation,
    Channel,
    ChannelTarget,
    AnimationSampler,
    Accessor,
    Sparse,
    SparseIndices,
    SparseValues,
    BufferView,
    ViewExtensions,
    MeshoptView,
    Buffer,
    Material,
    PbrMetallicRoughness,
    TextureInfo,
    Texture,
    Image,
    TextureSampler,
);

/// The whole document.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    #[serde(default)]
    pub(super) asset: Asset,
    #[serde(default)]
    pub(super) extensions_used: Vec<String>,
    #[serde(default)]
    pub(super) extensions_required: Vec<String>,
    pub(super) scene: Option<JsonInteger>,
    #[serde(default)]
    pub(super) scenes: Vec<Scene>,
    #[serde(default)]
    pub(super) nodes: Vec<Node>,
    #[serde(default)]
    pub(super) meshes: Vec<Mesh>,
    #[serde(default)]
    pub(super) skins: Vec<Skin>,
    #[serde(default)]
    pub(super) animations: Vec<Animation>,
    #[serde(default)]
    pub(super) accessors: Vec<Accessor>,
    #[serde(default)]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub(super) buffers: Vec<Buffer>,
    #[serde(default)]
    pub(super) materials: Vec<Material>,
    #[serde(default)]
    pub(super) textures: Vec<Texture>,
    #[serde(default)]
    pub(super) images: Vec<Image>,
    #[serde(default)]
    pub(super) samplers: Vec<TextureSampler>,
    #[serde(default)]
    pub(super) cameras: Vec<Camera>,
    /// All of its JSON, if clips point into it.
    #[serde(skip)]
    pub(super) root: Value,
    #[serde(default)]
    pub(super) extensions: Extensions,
}

/// A camera of one of two kinds.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct Camera {
    pub(super) name: Option<String>,
    pub(super) perspective: Option<Perspective>,
    pub(super) orthographic: Option<Orthographic>,
}

/// The lens of a camera with perspective.
#[derive(Debug, Default, Deserialize)]
#[serde(remote = "Self")]
#[serde(default)]
pub(super) struct Perspective {
    pub(super) yfov: f64,
    pub(super) znear: f64,
    pub(super) zfar: Option<f64>,
}

/// The lens of a camera without.
#[derive(Debug, Default, Deserialize)]
#[serde(remote = "Self")]
#[serde(default)]
pub(super) struct Orthographic {
    pub(super) ymag: f64,
    pub(super) znear: f64,
    pub(super) zfar: f64,
}

/// The version of the format.
#[derive(Debug, Default, Deserialize)]
#[serde(remote = "Self")]
#[serde(rename_all = "camelCase")]
pub(super) struct Asset {
    /// Without it, the file does not state its version.
    pub(super) version: Option<Version>,
    pub(super) min_version: Option<Version>,
}

/// A version, which some writers store as a number.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Version {
    Text(String),
    Number(f64),
}

/// A set of root nodes.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct Scene {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) nodes: Vec<JsonInteger>,
}

/// A node: a transform, its children, and its attachments.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct Node {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) children: Vec<JsonInteger>,
    pub(super) matrix: Option<[f64; 16]>,
    pub(super) translation: Option<[f64; 3]>,
    pub(super) rotation: Option<[f64; 4]>,
    pub(super) scale: Option<[f64; 3]>,
    pub(super) mesh: Option<JsonInteger>,
    pub(super) skin: Option<JsonInteger>,
    pub(super) weights: Option<Vec<f64>>,
    pub(super) camera: Option<JsonInteger>,
    #[serde(default)]
    pub(super) extensions: Extensions,
}

/// A mesh: primitives of one node.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct Mesh {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) primitives: Vec<Primitive>,
    pub(super) weights: Option<Vec<f64>>,
    /// Properties of applications, such as names of morph targets.
    #[serde(default)]
    pub(super) extras: Value,
}

/// A set of triangles with one material.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct Primitive {
    #[serde(default)]
    pub(super) attributes: Attributes,
    pub(super) indices: Option<JsonInteger>,
    pub(super) material: Option<JsonInteger>,
    pub(super) mode: Option<JsonInteger>,
    #[serde(default)]
    pub(super) targets: Vec<Attributes>,
    #[serde(default)]
    pub(super) extensions: Extensions,
    /// Properties of applications; some name the morph targets here.
    #[serde(default)]
    pub(super) extras: Value,
}

/// Joints for skinning, with the matrices that transform vertices into their spaces.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub(super) inverse_bind_matrices: Option<JsonInteger>,
    #[serde(default)]
    pub(super) joints: Vec<JsonInteger>,
}

/// A clip: channels that move properties of nodes.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct Animation {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) channels: Vec<Channel>,
    #[serde(default)]
    pub(super) samplers: Vec<AnimationSampler>,
}

/// The link from a sampler to the property that it moves.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct Channel {
    #[serde(default = "JsonInteger::missing")]
    pub(super) sampler: JsonInteger,
    #[serde(default)]
    pub(super) target: ChannelTarget,
}

/// A property of a node; without a node, of an object named by an extension.
#[derive(Debug, Default, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct ChannelTarget {
    pub(super) node: Option<JsonInteger>,
    #[serde(default)]
    pub(super) path: Word,
    #[serde(default)]
    pub(super) extensions: Extensions,
}

/// Key times and values.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct AnimationSampler {
    #[serde(default = "JsonInteger::missing")]
    pub(super) input: JsonInteger,
    #[serde(default = "JsonInteger::missing")]
    pub(super) output: JsonInteger,
    pub(super) interpolation: Option<Word>,
}

/// A typed view of numbers in a buffer.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<JsonInteger>,
    #[serde(default)]
    pub(super) byte_offset: JsonInteger,
    #[serde(default = "JsonInteger::missing")]
    pub(super) component_type: JsonInteger,
    #[serde(default)]
    pub(super) normalized: bool,
    #[serde(default = "JsonInteger::missing")]
    pub(super) count: JsonInteger,
    #[serde(rename = "type", default)]
    pub(super) kind: Word,
    pub(super) sparse: Option<Sparse>,
    /// The minimum and the maximum of each component, as stated in the document.
    pub(super) min: Option<Vec<f64>>,
    pub(super) max: Option<Vec<f64>>,
}

/// Elements of an accessor that replace those of its view.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct Sparse {
    #[serde(default)]
    pub(super) count: JsonInteger,
    pub(super) indices: Option<SparseIndices>,
    pub(super) values: Option<SparseValues>,
}

/// Positions of the replaced elements.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    #[serde(default = "JsonInteger::missing")]
    pub(super) buffer_view: JsonInteger,
    #[serde(default)]
    pub(super) byte_offset: JsonInteger,
    #[serde(default = "JsonInteger::missing")]
    pub(super) component_type: JsonInteger,
}

/// The elements that replace.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    #[serde(default = "JsonInteger::missing")]
    pub(super) buffer_view: JsonInteger,
    #[serde(default)]
    pub(super) byte_offset: JsonInteger,
}

/// A range of a buffer.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    #[serde(default = "JsonInteger::missing")]
    pub(super) buffer: JsonInteger,
    #[serde(default)]
    pub(super) byte_offset: JsonInteger,
    #[serde(default)]
    pub(super) byte_length: JsonInteger,
    pub(super) byte_stride: Option<JsonInteger>,
    #[serde(default)]
    pub(super) extensions: ViewExtensions,
}

/// Compressed forms of a buffer view.
#[derive(Debug, Default, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct ViewExtensions {
    #[serde(rename = "EXT_meshopt_compression", alias = "KHR_meshopt_compression")]
    pub(super) meshopt: Option<MeshoptView>,
}

/// A stream of `EXT_meshopt_compression` or `KHR_meshopt_compression`, which replaces the bytes of
/// a buffer view.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
#[serde(rename_all = "camelCase")]
pub(super) struct MeshoptView {
    #[serde(default = "JsonInteger::missing")]
    pub(super) buffer: JsonInteger,
    #[serde(default)]
    pub(super) byte_offset: JsonInteger,
    #[serde(default)]
    pub(super) byte_length: JsonInteger,
    #[serde(default)]
    pub(super) byte_stride: JsonInteger,
    #[serde(default)]
    pub(super) count: JsonInteger,
    #[serde(default)]
    pub(super) mode: String,
    pub(super) filter: Option<String>,
}

/// Bytes: of the binary chunk, of a data URI, or of a file beside this one.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    #[serde(default)]
    pub(super) byte_length: JsonInteger,
}

/// A material of the metallic-roughness model.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
#[serde(rename_all = "camelCase")]
pub(super) struct Material {
    pub(super) name: Option<String>,
    pub(super) pbr_metallic_roughness: Option<PbrMetallicRoughness>,
    pub(super) normal_texture: Option<TextureInfo>,
    pub(super) occlusion_texture: Option<TextureInfo>,
    pub(super) emissive_texture: Option<TextureInfo>,
    pub(super) emissive_factor: Option<[f64; 3]>,
    pub(super) alpha_mode: Option<String>,
    pub(super) alpha_cutoff: Option<f64>,
    #[serde(default)]
    pub(super) double_sided: bool,
    #[serde(default)]
    pub(super) extensions: Extensions,
}

/// The base of a material.
#[derive(Debug, Default, Deserialize)]
#[serde(remote = "Self")]
#[serde(rename_all = "camelCase")]
pub(super) struct PbrMetallicRoughness {
    pub(super) base_color_factor: Option<[f64; 4]>,
    pub(super) base_color_texture: Option<TextureInfo>,
    pub(super) metallic_factor: Option<f64>,
    pub(super) roughness_factor: Option<f64>,
    pub(super) metallic_roughness_texture: Option<TextureInfo>,
}

/// A texture, its set of coordinates, and a factor if its role has one.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureInfo {
    #[serde(default = "JsonInteger::missing")]
    pub(super) index: JsonInteger,
    #[serde(default)]
    pub(super) tex_coord: JsonInteger,
    pub(super) scale: Option<f64>,
    pub(super) strength: Option<f64>,
    #[serde(default)]
    pub(super) extensions: Extensions,
}

/// An image and a sampler.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct Texture {
    pub(super) sampler: Option<JsonInteger>,
    pub(super) source: Option<JsonInteger>,
    #[serde(default)]
    pub(super) extensions: Extensions,
}

/// A picture in an external file, a data URI, or a buffer view. Its format is recognized by its
/// bytes.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
#[serde(rename_all = "camelCase")]
pub(super) struct Image {
    pub(super) name: Option<String>,
    pub(super) uri: Option<String>,
    pub(super) buffer_view: Option<JsonInteger>,
}

/// Filter of a texture, and its continuation beyond its edges.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self")]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureSampler {
    pub(super) mag_filter: Option<JsonInteger>,
    pub(super) min_filter: Option<JsonInteger>,
    pub(super) wrap_s: Option<JsonInteger>,
    pub(super) wrap_t: Option<JsonInteger>,
}
