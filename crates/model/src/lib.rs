//! Format-neutral types of the pipeline: the result of reading a file, and the data passed between
//! stages.
//!
//! Constructors check everything that the stages rely on, so that no stage checks again. Nothing
//! here reads a file, samples a clip or draws.
//!
//! An internal crate of `tintype`. Its interface may change in any version; depend on `tintype`,
//! which re-exports the stable parts.

#![cfg_attr(
    test,
    allow(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "tests make numbers of known size"
    )
)]

pub mod camera;
pub mod clip;
pub mod clip_range;
pub mod dual_skin;
pub mod expression;
pub mod fault;
pub mod file_parts;
pub mod formula;
pub mod frame;
pub mod light;
pub mod material;
#[cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests of it hold numbers of f64"))]
pub mod math;
pub mod mesh;
pub mod morph;
pub mod panorama;
pub mod pose;
pub mod posed;
pub mod property;
pub mod rig;
pub mod rule;
pub mod shadow;
pub mod simd;
pub mod skeleton;
pub mod skin;
pub mod stage_motion;
pub mod surface;
pub mod texture;
pub mod texture_coordinates;
pub mod tone;

pub use camera::{Camera, CameraConvention, FovAxis, Lens};
pub use clip::{
    CameraClip, CameraKey, Channel, Clip, ClipOptions, FileKeys, Interpolation, MorphTrack,
    NamedClip, SAME_POSITION_SHARE, Track, Tracks, Wrap, align_hemispheres, is_same_rotation,
};
pub use clip_range::{ClipRange, RangeError, RangeUnit};
pub use dual_skin::DualSkin;
pub use expression::{
    ColorBind, ColorRole, Expression, FacePart, Override, TextureBind, expression_preset,
};
pub use fault::{FaultClass, FileRepair, Warning};
pub use file_parts::{
    AxisRule, FileCamera, FileExtension, FileLight, FileLightKind, FileParts, FilmFit,
};
pub use formula::{Formula, Table};
pub use light::{Cone, Light};
pub use material::{
    AlphaMode, Anisotropy, CullMode, FactorPictures, FileMaterial, Iridescence, LayerTextures,
    LinearRgb, Material, MetallicRoughness, Outline, Rim, RoleCoordinates, ShadingModel, Stacking,
    StageColor, StageMotion, TexcoordMotion, TextureRole, Toon, Transmission,
};
pub use mesh::{
    BindInfluence, BindSource, BindSpaceMesh, BindTarget, FileShape, Influence, Mesh, Orientation,
    VertexInfluence, WeightSpaceMesh, mesh_names,
};
pub use morph::{MORPH_BLOCK, MorphRow, MorphTarget, MorphTargets, MorphTransform};
pub use panorama::Panorama;
pub use posed::{Pose, PosedMesh};
pub use property::{
    AnimatedProperty, CameraProperty, LightProperty, MaterialProperty, PropertyOwner,
};
pub use rig::{Collider, ColliderShape, Constraint, ConstraintKind, Rig, Spring};
pub use rule::{Rule, RuleError};
pub use shadow::{CastShadow, Ground};
pub use skeleton::{Joint, JointIndex, LocalTransform, MorphWeight, Skeleton, SkeletonError};
pub use texture::{
    Image, MipLevel, Texture, TextureFilter, TextureKind, TextureSampling, TextureWrap,
};
pub use texture_coordinates::{CoordinateChange, TextureCoordinates};
pub use tone::Tone;

use crate::math::Vec3;
use std::sync::Arc;

/// One character or prop as its file describes it: a skeleton in its bind pose and the meshes bound
/// to it.
#[derive(Clone, Debug)]
pub struct Model {
    /// The joints, parents before children.
    pub skeleton: Skeleton,
    /// The meshes in file order, each with the shader name that the scene or a search maps to a
    /// material.
    pub meshes: Vec<Mesh>,
    /// Materials that the file describes; empty in formats that only name them.
    pub materials: Vec<FileMaterial>,
    /// Embedded pictures, which materials refer to by name.
    pub pictures: Vec<EmbeddedPicture>,
    /// The front of the character in model space; azimuth 0 of an orbit.
    pub front: Vec3,
    /// Parts of its file beside the model.
    pub parts: FileParts,
}

/// A picture in the bytes of a model file.
#[derive(Clone, PartialEq, Eq)]
pub struct EmbeddedPicture {
    /// The name used by materials of the file, unique in the model.
    pub name: String,
    /// The bytes of a picture file.
    pub bytes: Arc<[u8]>,
}

impl std::fmt::Debug for EmbeddedPicture {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "EmbeddedPicture({:?}, {} bytes)", self.name, self.bytes.len())
    }
}
