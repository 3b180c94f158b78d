//! Materials of two tones, of VRM 1.0 and of 0.x.

use super::*;
use tintype_model::math::Vec2;
use tintype_model::{FileMaterial, LinearRgb, Outline, Stacking, Toon};

/// A triangle with colours, texture coordinates and a material.
fn painted(material: Value) -> Value {
    let mut bytes = Bytes::default();
    let positions = bytes.reals("VEC3", 3, &CORNERS);
    let texcoords = bytes.reals("VEC2", 2, &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let colors = bytes.reals("VEC3", 3, &[0.5; 9]);
    bytes.finish(json!({
        "extensionsUsed": ["VRMC_materials_mtoon", "KHR_materials_unlit", "VRM"],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"material": 0, "attributes": {
            "POSITION": positions, "TEXCOORD_0": texcoords, "COLOR_0": colors}}]}],
        "materials": [material],
        "textures": [{"source": 0}, {"source": 1}],
        "images": [{"uri": "a.png"}, {"uri": "b.png"}],
    }))
}

/// The material of a file of version 0.x.
fn old(own: Value) -> FileMaterial {
    let mut document = painted(json!({"alphaMode": "BLEND", "doubleSided": true}));
    document["extensions"] = json!({"VRM": {"materialProperties": [own]}});
    model(&document).model.materials.remove(0)
}

fn toon(own: &FileMaterial) -> Toon {
    own.response.as_deref().unwrap().toon.unwrap()
}

#[test]
fn toon_materials_of_1_0_keep_their_values_and_textures() {
    let document = painted(json!({
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicRoughnessTexture": {"index": 1}},
        "alphaMode": "BLEND",
        "extensions": {"KHR_materials_unlit": {}, "VRMC_materials_mtoon": {
            "specVersion": "1.0", "shadeColorFactor": [0.25, 0.5, 0.1], "shadingToonyFactor": 0.8,
            "shadingShiftFactor": -0.1, "shadeMultiplyTexture": {"index": 1}, "shadingShiftTexture": {"index": 1, "scale": 0.5},
            "outlineWidthMode": "screenCoordinates", "outlineWidthFactor": 0.01, "outlineColorFactor": [1, 0, 0],
            "outlineLightingMixFactor": 0.25, "transparentWithZWrite": true, "renderQueueOffsetNumber": 2,
            "uvAnimationScrollXSpeedFactor": 0.5, "uvAnimationMaskTexture": {"index": 1}, "rimMultiplyTexture": {"index": 1}}},
    }));
    let file = model(&document).model;
    assert!(file.meshes[0].colors.is_empty(), "colours of vertices have no part");
    let own = &file.materials[0];
    let response = own.response.as_deref().unwrap();
    let toon = toon(own);
    assert!(!response.is_unlit && own.metallic_roughness.is_none());
    assert_eq!(response.stacking, Stacking { rank: -18, hides: true });
    assert_eq!((toon.shade, toon.toony, toon.shift), (LinearRgb::new(0.25, 0.5, 0.1), 0.8, -0.1));
    assert_eq!((toon.shift_scale, toon.equalization, toon.speed.way), (0.5, 0.9, Vec2::X * 0.5));
    let red = LinearRgb::new(1.0, 0.0, 0.0);
    let line = Outline { width: 0.01, is_on_screen: true, color: red, lit: 0.25 };
    assert_eq!(toon.outline, Some(line));
    let textures = TextureRole::ALL.map(|role| own.texture(role).map(String::as_str));
    let of = |role: TextureRole| textures[role as usize];
    assert_eq!((of(TextureRole::Diffuse), of(TextureRole::Shade)), (Some("a.png"), Some("b.png")));
    assert_eq!(of(TextureRole::MotionMask), Some("b.png"));
    assert_eq!(
        (of(TextureRole::Rim), of(TextureRole::Matcap)),
        (None, None),
        "no light at the rim"
    );
}

#[test]
fn transform_of_a_matcap_is_not_that_of_the_mesh() {
    let mut document = painted(json!({"extensions": {"VRMC_materials_mtoon": {"matcapTexture":
        {"index": 0, "extensions": {"KHR_texture_transform": {"scale": [2.0, 1.0]}}}}}}));
    document["extensionsUsed"] = json!(["VRMC_materials_mtoon", "KHR_texture_transform"]);
    let own = &model(&document).model.materials[0];
    let coordinates = own.coordinates.as_deref().unwrap()[TextureRole::Matcap as usize].unwrap();
    assert_eq!((coordinates.steps, coordinates.offset), ([Vec2::X * 2.0, Vec2::Y], Vec2::ZERO));
}

#[test]
fn toon_materials_of_0_x_are_those_of_1_0() {
    let own = old(json!({
        "shader": "VRM/MToon",
        "floatProperties": {"_ShadeToony": 0.5, "_ShadeShift": 0.2, "_CullMode": 2, "_Cutoff": 0.25, "_BlendMode": 1,
            "_OutlineWidthMode": 1, "_OutlineWidth": 0.5, "_OutlineColorMode": 1, "_OutlineLightingMix": 0.75,
            "_RimFresnelPower": 3, "_RimLift": 0.5, "_IndirectLightIntensity": 0.25, "_UvAnimScrollY": 0.5},
        "vectorProperties": {"_Color": [1, 0.5, 0, 0.5], "_ShadeColor": [1.0, 0.0, 0.5, 1.0], "_RimColor": [0.5, 0, 0, 1],
            "_OutlineColor": [0, 0, 1, 1], "_EmissionColor": [0.5, 2, 0, 1], "_MainTex": [0.5, 0.25, 2.0, 0.5]},
        "textureProperties": {"_MainTex": 0, "_ShadeTexture": 1, "_SphereAdd": 1},
    }));
    let toon = toon(&own);
    // An edge from 0.2 to 0.6: its middle is 0.4, its half width 0.2.
    assert!((toon.shift + 0.4).abs() < 1e-6 && (toon.toony - 0.8).abs() < 1e-6, "{toon:?}");
    let half = 0.214;
    assert!((toon.shade.b - half).abs() < 1e-3 && toon.shade.g == 0.0, "{toon:?}");
    assert!((own.color.g - half).abs() < 1e-3 && own.opacity == 0.5, "{own:?}");
    assert_eq!(own.emissive, LinearRgb::new(0.5, 2.0, 0.0), "light may be brighter than white");
    assert_eq!((own.alpha, own.cull), (Some(AlphaMode::Mask { cutoff: 0.25 }), CullMode::Back));
    let blue = LinearRgb::new(0.0, 0.0, 1.0);
    let line = Outline { width: 0.005, is_on_screen: false, color: blue, lit: 0.75 };
    assert_eq!(toon.outline, Some(line));
    assert!(
        (toon.rim.color.r - half).abs() < 1e-3 && (toon.rim.power, toon.rim.lift) == (3.0, 0.5)
    );
    assert_eq!((toon.equalization, toon.speed.way), (0.75, Vec2::Y * -0.5));
    let coordinates = own.coordinates.as_deref().unwrap();
    let moved = coordinates[TextureRole::Diffuse as usize].unwrap();
    // The origin of 0.x is at the lower left corner.
    assert_eq!((moved.steps[1], moved.offset), (Vec2::Y * 0.5, Vec2::new(0.5, 0.25)));
    assert_eq!(coordinates[TextureRole::Matcap as usize], None);
    assert_eq!(own.texture(TextureRole::Matcap).map(String::as_str), Some("b.png"));
}

#[test]
fn other_shaders_of_0_x_are_unlit_or_those_of_the_file() {
    let cutout = old(json!({"shader": "VRM/UnlitCutout", "textureProperties": {"_MainTex": 1},
        "floatProperties": {"_Cutoff": 0.75}}));
    assert!(cutout.response.as_ref().unwrap().is_unlit);
    assert_eq!(cutout.alpha, Some(AlphaMode::Mask { cutoff: 0.75 }));
    assert_eq!(cutout.diffuse.as_deref(), Some("b.png"));
    let clear = old(json!({"shader": "VRM/UnlitTransparentZWrite", "renderQueue": 3000}));
    assert_eq!(clear.alpha, Some(AlphaMode::Blend));
    assert_eq!(clear.response.unwrap().stacking, Stacking { rank: -20, hides: true });
    let own = old(json!({"shader": "VRM_USE_GLTFSHADER"}));
    assert_eq!((own.response.unwrap().toon, own.alpha), (None, Some(AlphaMode::Blend)));
}

#[test]
fn queues_of_0_x_are_ranks_of_blended_surfaces() {
    let own = |queue: u32, writes: u32| {
        json!({"shader": "VRM/MToon", "renderQueue": queue,
        "keywordMap": {"_ALPHABLEND_ON": true}, "floatProperties": {"_ZWrite": writes}})
    };
    let mut document = painted(json!({}));
    document["materials"] = json!([{}, {}, {}, {}]);
    let primitive = document["meshes"][0]["primitives"][0].clone();
    let primitives: Vec<Value> = (0..4)
        .map(|index| {
            let mut primitive = primitive.clone();
            primitive["material"] = json!(index);
            primitive
        })
        .collect();
    document["meshes"][0]["primitives"] = json!(primitives);
    let list = json!([own(3001, 0), own(2999, 0), own(2502, 1), own(2501, 1)]);
    document["extensions"] = json!({"VRM": {"materialProperties": list}});
    let materials = model(&document).model.materials;
    let ranks = materials.iter().map(|own| own.response.as_ref().unwrap().stacking.rank);
    assert_eq!(ranks.collect::<Vec<_>>(), [0, -1, -19, -20]);
}
