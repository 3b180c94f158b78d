//! A small figure of two tones: a body and a head of balls, with a shade texture, an outline and light at its rim, as a glTF file with
//! the materials of VRM 1.0.

use crate::ball;
use crate::glb::{Figure, Surface};
use crate::picture::Picture;
use crate::rig::Rig;
use crate::scalar::{Rgb, mix_rgb, ramp, wave};
use glam::DVec3;
use serde_json::{Value, json};
use std::io;

/// Texels of a side of its pictures.
const SIDE: usize = 64;
const SKIN: Rgb = [0.98, 0.85, 0.72];
const SKIN_SHADE: Rgb = [0.85, 0.55, 0.55];
const COAT: Rgb = [0.30, 0.62, 0.86];
const COAT_SHADE: Rgb = [0.22, 0.28, 0.62];
const INK: Rgb = [0.16, 0.10, 0.14];

/// Eyes and mouth on a plain colour.
fn face(ground: Rgb, ink: Rgb) -> Picture {
    Picture::painted(SIDE, SIDE, |u, v| {
        let inside = |x: f64, y: f64, wide: f64, high: f64| {
            let (x, y) = ((u - x) / wide, (v - y) / high);
            ramp(x * x + y * y, 1.3, 0.8)
        };
        let eyes = inside(0.44, 0.46, 0.022, 0.06) + inside(0.56, 0.46, 0.022, 0.06);
        let mouth = inside(0.5, 0.62, 0.04, 0.025);
        let [r, g, b] = mix_rgb(ground, ink, if eyes > mouth { eyes } else { mouth });
        [r, g, b, 1.0]
    })
}

/// Stripes of a coat.
fn coat(light: Rgb, dark: Rgb) -> Picture {
    Picture::painted(SIDE, SIDE, |_, v| {
        let [r, g, b] = mix_rgb(light, dark, ramp(wave(v * 5.0), 0.1, 0.4));
        [r, g, b, 1.0]
    })
}

/// Values of `VRMC_materials_mtoon` with a shade texture.
fn toon(shade: usize, more: &Value) -> Value {
    let mut own = json!({
        "specVersion": "1.0",
        "shadeColorFactor": [1.0, 1.0, 1.0],
        "shadeMultiplyTexture": {"index": shade},
        "shadingToonyFactor": 0.9,
        "outlineWidthMode": "worldCoordinates",
        "outlineWidthFactor": 0.012,
        "outlineColorFactor": [0.05, 0.02, 0.04],
        "outlineLightingMixFactor": 0.0,
    });
    if let (Some(own), Some(more)) = (own.as_object_mut(), more.as_object()) {
        own.extend(more.clone());
    }
    own
}

/// The bytes of its file.
pub(crate) fn file() -> io::Result<Vec<u8>> {
    let mut rig = Rig::default();
    let hips = rig.add("hips", "", DVec3::new(0.0, 0.0, 0.3), DVec3::Z);
    let head = rig.add("head", "hips", DVec3::new(0.0, 0.0, 0.62), DVec3::Z);
    let middle = |height: f64| DVec3::new(0.0, 0.0, height);
    let meshes = [
        ball::mesh("coat", middle(0.3), DVec3::new(0.22, 0.25, 0.3), 20, 10, &vec![(hips, 1.0)]),
        ball::mesh("skin", middle(0.78), DVec3::splat(0.26), 20, 10, &vec![(head, 1.0)]),
    ];
    let pictures = [
        coat(COAT, [0.95, 0.95, 0.92]),
        coat(COAT_SHADE, [0.62, 0.60, 0.78]),
        face(SKIN, INK),
        face(SKIN_SHADE, INK),
    ];
    let rim = json!({"parametricRimColorFactor": [0.5, 0.45, 0.3],
        "parametricRimFresnelPowerFactor": 4.0, "rimLightingMixFactor": 1.0});
    let on_screen = json!({"outlineWidthMode": "screenCoordinates", "outlineWidthFactor": 0.012,
        "outlineColorFactor": [0.6, 0.3, 0.3], "outlineLightingMixFactor": 1.0});
    let surface = |name, color, toon| Surface {
        name,
        color,
        normal: None,
        rough: None,
        roughness: 1.0,
        emissive: [0.0; 3],
        toon: Some(toon),
    };
    Figure {
        rig: &rig,
        meshes: &meshes,
        surfaces: &[surface("coat", 0, toon(1, &rim)), surface("skin", 2, toon(3, &on_screen))],
        pictures: &pictures,
        targets: &[],
        rate: 24,
        clips: &[],
    }
    .file()
}
