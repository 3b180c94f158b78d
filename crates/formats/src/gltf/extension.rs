//! Extensions of glTF: the supported ones, and the part of the picture that is lost with others.

/// Extensions that are read, or do not affect the picture.
pub(super) const SUPPORTED: [&str; 32] = [
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "EXT_texture_webp",
    "KHR_animation_pointer",
    "KHR_draco_mesh_compression",
    "KHR_lights_punctual",
    "KHR_materials_anisotropy",
    "KHR_materials_clearcoat",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_iridescence",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_materials_variants",
    "KHR_materials_volume",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_node_visibility",
    "KHR_texture_basisu",
    "KHR_texture_transform",
    "KHR_xmp_json_ld",
    "VRM",
    "VRMC_materials_mtoon",
    "VRMC_node_constraint",
    "VRMC_springBone",
    "VRMC_springBone_extended_collider",
    "VRMC_vrm",
    "VRMC_vrm_animation",
    "FB_ngon_encoding",
];

/// Support of an extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Support {
    /// It is read, or does not affect the picture.
    Read,
    /// It is not visible: data beside the picture.
    Unseen,
    /// The picture lacks this part of the appearance.
    Lost(&'static str),
    /// A still is as it would be; motion lacks this.
    Moves(&'static str),
    /// It may contain geometry: a file that requires it can be drawn if its geometry is complete
    /// without it.
    Unknown(&'static str),
}

/// Words in the names of extensions without effect on the picture.
const UNSEEN: [&str; 18] = [
    "metadata",
    "features",
    "xmp",
    "physics",
    "audio",
    "collider",
    "collision",
    "selectability",
    "hoverability",
    "interactivity",
    "behavior",
    "navigation",
    "navmesh",
    "spawn",
    "provenance",
    "license",
    "avatar_",
    "asset_info",
];

/// The support of an extension.
pub(super) fn support_of(name: &str) -> Support {
    if SUPPORTED.contains(&name) {
        return Support::Read;
    }
    let lower = name.to_ascii_lowercase();
    match name {
        "KHR_techniques_webgl" => Support::Lost("materials made of shaders are drawn plain"),
        "KHR_materials_diffuse_transmission" => {
            Support::Lost("light from behind a surface does not shine through")
        }
        "KHR_materials_dispersion" => Support::Lost("light is not split into colours"),
        "AGI_articulations" => Support::Moves("articulations are not moved"),
        "VRMC_materials_hdr_emissiveMultiplier" => Support::Lost("emission is not multiplied"),
        "MSFT_lod" => Support::Lost("the finest level of detail is drawn"),
        "CESIUM_primitive_outline" => Support::Lost("outlines are not drawn"),
        _ if UNSEEN.iter().any(|word| lower.contains(word)) => Support::Unseen,
        _ if ["materials_", "texture_", "lights_", "environment", "background", "sky"]
            .iter()
            .any(|word| lower.contains(word)) =>
        {
            Support::Lost("its effect is not drawn")
        }
        _ if ["animation", "springbone", "dynamics", "constraint"]
            .iter()
            .any(|word| lower.contains(word)) =>
        {
            Support::Moves("its motion is not shown")
        }
        _ => Support::Unknown("its effect is not drawn"),
    }
}

/// Names of the extensions that are read.
pub(super) fn supported() -> Vec<&'static str> {
    SUPPORTED.to_vec()
}

/// The part of the picture that is lost without an extension. None if nothing is lost.
pub(super) fn lost(name: &str) -> Option<&'static str> {
    match support_of(name) {
        Support::Read | Support::Unseen => None,
        Support::Lost(lost) | Support::Moves(lost) | Support::Unknown(lost) => Some(lost),
    }
}
