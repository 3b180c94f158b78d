//! A ball of green glass and one of brushed metal with an iridescent film, in a glTF file: light
//! that is transmitted, bent and tinted, and stretched highlights.

use super::Asset;
use crate::ball;
use crate::glb::{Figure, Surface};
use crate::picture::Picture;
use crate::rig::Rig;
use glam::DVec3;
use serde_json::json;
use std::io;

/// Radius of both balls, and the height of their centres.
const RADIUS: f64 = 0.4;

pub(super) fn asset() -> io::Result<Asset> {
    let mut rig = Rig::default();
    rig.add("vitrine", "", DVec3::ZERO, DVec3::X);
    let of = |shader, side: f64| {
        let center = DVec3::new(0.0, side, RADIUS);
        ball::mesh(shader, center, DVec3::splat(RADIUS), 32, 20, &vec![(0, 1.0)])
    };
    let surface = |name, roughness, own| Surface {
        name,
        color: 0,
        normal: None,
        rough: None,
        roughness,
        emissive: [0.0; 3],
        own,
    };
    let glass = json!({"extensions": {
        "KHR_materials_transmission": {"transmissionFactor": 1.0},
        "KHR_materials_ior": {"ior": 1.45},
        "KHR_materials_volume": {
            "thicknessFactor": 0.6, "attenuationColor": [0.4, 0.85, 0.6], "attenuationDistance": 0.5},
    }});
    let metal = json!({
        "pbrMetallicRoughness": {
            "baseColorFactor": [0.8, 0.72, 0.62, 1.0], "metallicFactor": 1.0, "roughnessFactor": 0.3},
        "extensions": {
            "KHR_materials_anisotropy": {"anisotropyStrength": 0.8},
            "KHR_materials_iridescence": {
                "iridescenceFactor": 0.6, "iridescenceIor": 1.6, "iridescenceThicknessMaximum": 420.0},
        },
    });
    let figure = Figure {
        rig: &rig,
        meshes: &[of("glass", 0.45), of("metal", -0.45)],
        surfaces: &[surface("glass", 0.05, glass), surface("metal", 0.3, metal)],
        pictures: &[Picture::painted(2, 2, |_, _| [1.0; 4])],
        targets: &[],
        rate: 24,
        clips: &[],
        is_rigid: false,
    };
    Ok(("vitrine.glb".into(), figure.file()?))
}
