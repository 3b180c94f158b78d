//! Extensions of glTF: those that are read, and the part of the picture that is lost with others.

/// Extensions that are read, or that change nothing that is drawn.
pub(super) const SUPPORTED: [&str; 24] = [
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "EXT_texture_webp",
    "KHR_animation_pointer",
    "KHR_draco_mesh_compression",
    "KHR_lights_punctual",
    "KHR_materials_clearcoat",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_unlit",
    "KHR_materials_variants",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_node_visibility",
    "KHR_texture_basisu",
    "KHR_texture_transform",
    "KHR_xmp_json_ld",
    "VRM",
    "VRMC_materials_mtoon",
    "VRMC_vrm",
    "FB_ngon_encoding",
];

/// Extensions that are drawn by something near: a file that requires them is drawn, and told of what is lost.
const APPROXIMATED: [&str; 1] = ["KHR_materials_transmission"];

/// True for an extension that a file may require.
pub(super) fn is_drawn(name: &str) -> bool {
    SUPPORTED.contains(&name) || APPROXIMATED.contains(&name)
}

/// The part of the picture that is lost without an extension; none where nothing is.
pub(super) fn lost(name: &str) -> Option<&'static str> {
    Some(match name {
        "KHR_materials_transmission" => {
            "clear materials are blended with what is behind them, which is neither bent nor tinted"
        }
        "KHR_materials_volume" => "light is not coloured by the depth of a material",
        "KHR_materials_diffuse_transmission" => {
            "light from behind a surface does not shine through"
        }
        "KHR_materials_iridescence" => "iridescent films are not drawn",
        "KHR_materials_anisotropy" => "highlights are round",
        "KHR_materials_dispersion" => "light is not split into colours",
        "VRMC_springBone" => "hair and cloth do not swing",
        "VRMC_node_constraint" => "constrained joints keep their place",
        _ => "its effect is not drawn",
    })
}
