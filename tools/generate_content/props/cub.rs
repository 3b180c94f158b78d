//! A bear cub in the style of a cartoon: each colour in two tones, light at its rim and a line
//! around it, in a glTF file (`VRMC_materials_mtoon`).

use super::Asset;
use crate::ball;
use crate::glb::{Figure, Surface};
use crate::md5_text::Mesh;
use crate::picture::Picture;
use crate::rig::Rig;
use glam::DVec3;
use serde_json::json;
use std::io;

/// An ellipsoid: its centre (x ahead, y left, z up), its radii, its segments and rings; true if it
/// exists on both sides.
type Egg = ([f64; 3], [f64; 3], u32, u32, bool);

const FUR: [Egg; 6] = [
    ([0.03, 0.0, 0.72], [0.25, 0.29, 0.25], 18, 11, false),
    ([0.0, 0.0, 0.3], [0.22, 0.25, 0.28], 16, 9, false),
    ([0.0, 0.22, 0.93], [0.05, 0.09, 0.09], 8, 6, true),
    ([0.06, 0.25, 0.36], [0.08, 0.07, 0.15], 8, 5, true),
    ([0.1, 0.13, 0.06], [0.14, 0.09, 0.07], 8, 5, true),
    ([-0.23, 0.0, 0.2], [0.06, 0.06, 0.06], 6, 4, false),
];
const CREAM: [Egg; 3] = [
    ([0.09, 0.0, 0.27], [0.165, 0.17, 0.19], 12, 7, false),
    ([0.24, 0.0, 0.65], [0.09, 0.12, 0.085], 10, 7, false),
    ([0.035, 0.22, 0.93], [0.03, 0.055, 0.055], 7, 4, true),
];
const SCARF: [Egg; 2] = [
    ([0.01, 0.0, 0.5], [0.205, 0.23, 0.07], 16, 5, false),
    ([0.2, 0.1, 0.4], [0.035, 0.05, 0.12], 8, 5, false),
];
const DARK: [Egg; 2] = [
    ([0.235, 0.115, 0.77], [0.03, 0.032, 0.045], 8, 5, true),
    ([0.325, 0.0, 0.69], [0.025, 0.04, 0.028], 7, 4, false),
];

/// All ellipsoids of a colour as one mesh.
fn mesh(shader: &str, eggs: &[Egg]) -> Mesh {
    let mut all = Mesh { shader: shader.into(), ..Mesh::default() };
    for &([x, y, z], radii, segments, rings, is_pair) in eggs {
        for side in [y, -y].into_iter().take(if is_pair { 2 } else { 1 }) {
            let (center, radii) = (DVec3::new(x, side, z), DVec3::from_array(radii));
            let own = ball::mesh(shader, center, radii, segments, rings, &vec![(0, 1.0)]);
            let (place, vertex) = (all.places.len() as u32, all.vertices.len() as u32);
            all.places.extend(own.places);
            all.holds.extend(own.holds);
            all.vertices.extend(own.vertices.into_iter().map(|(at, uv)| (at + place, uv)));
            all.triangles.extend(own.triangles.into_iter().map(|own| own.map(|at| at + vertex)));
        }
    }
    all
}

fn surface(name: &'static str, lit: [f64; 3], shade: [f64; 3], rim: f64) -> Surface {
    let [r, g, b] = lit;
    let own = json!({
        "pbrMetallicRoughness": {"baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0},
        "extensions": {"VRMC_materials_mtoon": {
            "specVersion": "1.0",
            "shadeColorFactor": shade,
            "shadingToonyFactor": 0.95,
            "shadingShiftFactor": -0.1,
            "parametricRimColorFactor": [rim, rim, rim],
            "parametricRimFresnelPowerFactor": 4.0,
            "outlineWidthMode": "worldCoordinates",
            "outlineWidthFactor": 0.009,
            "outlineColorFactor": [0.05, 0.02, 0.03],
            "outlineLightingMixFactor": 0.0,
        }},
    });
    let emissive = [0.0; 3];
    Surface { name, color: 0, normal: None, rough: None, roughness: 1.0, emissive, own }
}

pub(super) fn asset() -> io::Result<Asset> {
    let mut rig = Rig::default();
    rig.add("cub", "", DVec3::ZERO, DVec3::X);
    let figure = Figure {
        rig: &rig,
        meshes: &[
            mesh("fur", &FUR),
            mesh("cream", &CREAM),
            mesh("scarf", &SCARF),
            mesh("dark", &DARK),
        ],
        surfaces: &[
            surface("fur", [0.86, 0.42, 0.14], [0.42, 0.13, 0.07], 0.3),
            surface("cream", [1.0, 0.82, 0.6], [0.62, 0.34, 0.24], 0.2),
            surface("scarf", [0.16, 0.42, 0.72], [0.05, 0.13, 0.36], 0.2),
            surface("dark", [0.04, 0.02, 0.03], [0.02, 0.01, 0.02], 0.05),
        ],
        pictures: &[Picture::painted(2, 2, |_, _| [1.0; 4])],
        targets: &[],
        rate: 24,
        clips: &[],
        is_rigid: true,
    };
    Ok(("cub.glb".into(), figure.file()?))
}
