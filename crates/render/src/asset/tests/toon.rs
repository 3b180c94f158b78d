//! Toon surfaces of glTF files: outlines and texture coordinates that move.

use super::*;
use crate::Renderer;
use tintype_scene::FrameNumber;

/// A two-sided plate, ±0.5 wide and high, with a material; normals point away from the middle line
/// if it bulges, otherwise ahead.
fn plate(material: &str, bulges: bool) -> String {
    let mut bytes: Vec<u8> = Vec::new();
    let corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
    let sides = [0.05, -0.05].map(|z| corners.map(|[x, y]| [x, y, z]));
    let normal = |[x, y, z]: [f32; 3]| match bulges {
        true => [x, y, 0.0].map(|value| value * core::f32::consts::SQRT_2),
        false => [0.0, 0.0, z.signum()],
    };
    let points = sides.as_flattened();
    let floats = (points.iter().flatten().copied())
        .chain(points.iter().flat_map(|&at| normal(at)))
        .chain(points.iter().flat_map(|&[x, y, _]| [x + 0.5, 0.5 - y]));
    floats.for_each(|value| bytes.extend(value.to_le_bytes()));
    for corner in [0_u16, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6] {
        bytes.extend(corner.to_le_bytes());
    }
    let digits: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
    r#"{
        "asset": {"version": "2.0"},
        "extensionsUsed": ["VRMC_materials_mtoon"],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"material": 0, "indices": 3,
            "attributes": {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2}}]}],
        "materials": [MATERIAL],
        "samplers": [{"magFilter": 9728}],
        "textures": [{"source": 0, "sampler": 0}, {"source": 1, "sampler": 0}],
        "images": [{"uri": "two.ppm"}, {"uri": "mask.ppm"}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"},
            {"bufferView": 0, "byteOffset": 96, "componentType": 5126, "count": 8, "type": "VEC3"},
            {"bufferView": 0, "byteOffset": 192, "componentType": 5126, "count": 8, "type": "VEC2"},
            {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}
        ],
        "bufferViews": [{"buffer": 0, "byteLength": 256}, {"buffer": 0, "byteOffset": 256, "byteLength": 24}],
        "buffers": [{"byteLength": 280, "uri": "data:,DIGITS"}]
    }"#
    .replace("MATERIAL", material)
    .replace("DIGITS", &digits)
}

/// Codes of points of a picture of two units a side, at a frame of half a second each.
fn codes<const N: usize>(
    (material, bulges): (&str, bool),
    instance: &str,
    frame: i64,
    points: [[f32; 2]; N],
) -> [[u8; 3]; N] {
    let file = plate(material, bulges);
    let stage = Stage::new(&[
        ("plate.gltf", file.as_bytes()),
        ("two.ppm", b"P6 2 1 255\n\xff\0\0\0\xff\0"),
        ("mask.ppm", b"P6 2 1 255\n\0\0\0\0\0\xff"),
    ]);
    let text = format!(
        "ambient = [0, 0, 0]\n[output]\nsize = [64, 64]\nsamples = 1\nfps = 2\nframes = \"0-3\"\ntone = \"none\"\n\
         background = \"#000000\"\n[camera]\nkind = \"look-at\"\neye = [0, 0, 10]\ntarget = [0, 0, 0]\n\
         fov_deg = 11.421186\n[[light]]\nkind = \"directional\"\ndirection = [0, 0, -1]\n\
         [[model]]\nname = \"plate\"\nfile = \"plate.gltf\"\n[[instance]]\nmodel = \"plate\"\n{instance}\n"
    );
    let parsed = parse_scene(&text, "scene").unwrap_or_else(|error| panic!("{error}"));
    let assets = load(&parsed, stage.folder.path(), &LoadOptions::default()).unwrap();
    assert_eq!(stage.warnings(&assets), Vec::<String>::new());
    let renderer = Renderer::new(parsed, assets, &tintype_base::deadline::Deadline::NEVER).unwrap();
    assert!(renderer.bounds().max.x < 1.01, "outlines do not count");
    let drawn = renderer.draw(FrameNumber(frame), Default::default()).unwrap().frame;
    points.map(|[x, y]| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a pixel")]
        let [column, row] = [32.0 + 32.0 * x, 32.0 - 32.0 * y].map(|at| at as usize);
        let [r, g, b, _] = drawn.rgba[row * 64 + column];
        [r, g, b]
    })
}

const NOTHING: [u8; 3] = [0; 3];
const RED: [u8; 3] = [255, 0, 0];
const GREEN: [u8; 3] = [0, 255, 0];

#[test]
fn outlines_stand_around_a_surface() {
    // An eighth of a unit to each side, or of half the height of the picture.
    let width = 0.125 * core::f32::consts::SQRT_2;
    let points = [[0.0, 0.0], [0.56, 0.0], [0.0, -0.6], [0.68, 0.0]];
    for mode in ["worldCoordinates", "screenCoordinates"] {
        let material = |lit: u32| {
            format!(
                r#"{{"extensions": {{"VRMC_materials_mtoon": {{"outlineWidthMode": "{mode}", "outlineWidthFactor": {width},
                "outlineColorFactor": [1, 0, 0], "outlineLightingMixFactor": {lit}}}}},
                "pbrMetallicRoughness": {{"baseColorFactor": [0, 1, 0, 1]}}}}"#
            )
        };
        let [middle, right, below, outside] = codes((&material(0), true), "", 0, points);
        assert_eq!((right, below, outside), (RED, RED, NOTHING), "{mode}");
        assert!(middle[0] == 0 && middle[1] > 100, "{middle:?}");
        // Lengths grow with the instance, fractions of the picture do not.
        let [edge, far] = codes((&material(0), true), "scale = 0.5", 0, [[0.34, 0.0], [0.42, 0.0]]);
        let expected = if mode == "worldCoordinates" { NOTHING } else { RED };
        assert_eq!((edge, far), (expected, NOTHING), "{mode}");
        // Mixed with the look of the surface, it is black where that has no red.
        let mixed = codes((&material(1), true), "", 0, [[0.56, 0.0]]);
        assert_eq!(mixed, [NOTHING], "{mode}");
    }
}

#[test]
fn texture_coordinates_move_by_the_time_of_the_frame() {
    let points = [[-0.25, 0.25], [0.25, 0.25], [-0.25, -0.25], [0.25, -0.25]];
    let at = |frame: i64, own: &str| {
        let material = format!(
            r#"{{"extensions": {{"VRMC_materials_mtoon": {{{own}}}}},
            "pbrMetallicRoughness": {{"baseColorTexture": {{"index": 0}}}}}}"#
        );
        codes((&material, false), "", frame, points)
    };
    let scroll = r#""uvAnimationScrollXSpeedFactor": 1"#;
    let turn = r#""uvAnimationRotationSpeedFactor": 3.14159265358979"#;
    let mask = r#", "uvAnimationMaskTexture": {"index": 1}"#;
    assert_eq!(at(0, scroll), [RED, GREEN, RED, GREEN]);
    assert_eq!(at(1, scroll), [GREEN, RED, GREEN, RED]);
    // A quarter turn around the middle.
    assert_eq!(at(1, turn), [RED, RED, GREEN, GREEN]);
    assert_eq!(at(2, turn), [GREEN, RED, GREEN, RED]);
    // Blue of the mask is 0 on the left.
    assert_eq!(at(1, &format!("{scroll}{mask}")), [RED; 4]);
    assert_eq!(at(1, &format!("{turn}{mask}")), [RED, RED, RED, GREEN]);
}
