//! VRM files: front, and names of expressions.

use super::*;
use tintype_model::{ColorBind, ColorRole, FacePart, LinearRgb, Override};

/// A triangle with two nameless morph targets.
fn face() -> Value {
    let mut document = triangle();
    let target = json!({"POSITION": 0});
    document["meshes"][0]["primitives"][0]["targets"] = json!([target, target]);
    document
}

fn names(document: &Value) -> Vec<String> {
    let file = read(document).unwrap().value;
    file.model.skeleton.morphs().iter().map(|morph| morph.name.clone()).collect()
}

#[test]
fn vrm_0_looks_backward_and_names_targets_by_expressions() {
    let mut document = face();
    document["extensionsUsed"] = json!(["VRM"]);
    document["extensions"] = json!({"VRM": {"blendShapeMaster": {"blendShapeGroups": [
        {"name": "Joy", "presetName": "joy", "binds": [{"mesh": 0, "index": 1, "weight": 100}]},
        {"name": "Both", "binds": [{"mesh": 0, "index": 0}, {"mesh": 0, "index": 1}]},
    ]}}});
    assert_eq!(model(&document).model.front, Vec3::NEG_Z);
    assert_eq!(names(&document), ["target_0", "Joy"]);
    let expressions = model(&document).model.skeleton.expressions().to_vec();
    let found: Vec<_> =
        expressions.iter().map(|one| (one.name.as_str(), &one.weights[..])).collect();
    let both = [(0, 1.0), (1, 1.0)];
    assert_eq!(found, [("Joy", &[(1, 1.0)][..]), ("Both", &both)]);
    assert_eq!(expressions[0].aliases, ["joy", "happy"]);
}

#[test]
fn vrm_1_expressions_have_colours_steps_and_parts_of_the_face() {
    let mut document = face();
    with_material(&mut document, json!({"name": "skin"}));
    document["extensionsUsed"] = json!(["VRMC_vrm"]);
    document["extensions"] = json!({"VRMC_vrm": {"expressions": {"preset": {
        "happy": {
            "isBinary": true, "overrideBlink": "block", "overrideMouth": "blend",
            "materialColorBinds": [
                {"material": 0, "type": "rimColor", "targetValue": [1, 0.5, 0, 1]},
                {"material": 7, "type": "color", "targetValue": [1, 1, 1, 1]},
                {"material": 0, "type": "gloss", "targetValue": [1, 1, 1, 1]},
                {"material": 0, "type": "color", "targetValue": [1, "red", 1, 1]},
            ],
            "textureTransformBinds": [{"material": 0, "scale": [2, 3]}],
        },
        "blinkLeft": {},
    }}}});
    let expressions = model(&document).model.skeleton.expressions().to_vec();
    let (material, role) = ("skin".to_owned(), ColorRole::Rim);
    // The order is that of the names.
    let [blink, happy] = &expressions[..] else { panic!("{expressions:?}") };
    assert_eq!(happy.colors, [ColorBind { material, role, value: [1.0, 0.5, 0.0, 1.0] }]);
    let [texture] = &happy.textures[..] else { panic!("{happy:?}") };
    assert_eq!((texture.scale, texture.offset), ([2.0, 3.0], [0.0; 2]));
    assert!(happy.is_binary && happy.part.is_none());
    assert_eq!(happy.overrides, [Override::Block, Override::None, Override::Blend]);
    assert_eq!((blink.part, &blink.weights[..]), (Some(FacePart::Blink), &[][..]));
    assert_eq!(blink.aliases, ["blink_l"]);
}

#[test]
fn vrm_0_expressions_have_encoded_colours_and_textures_that_run_upward() {
    let mut document = face();
    with_material(&mut document, json!({"name": "skin"}));
    document["extensionsUsed"] = json!(["VRM"]);
    document["extensions"] = json!({"VRM": {"blendShapeMaster": {"blendShapeGroups": [
        {"name": "Shy", "presetName": "unknown", "materialValues": [
            {"materialName": "skin", "propertyName": "_ShadeColor", "targetValue": [1, 0.5, 0, 0.5]},
            {"materialName": "skin", "propertyName": "_MainTex_ST", "targetValue": [2, 0.5, 0.25, 0.125]},
            {"materialName": "hair", "propertyName": "_Color", "targetValue": [1, 1, 1, 1]},
        ]},
    ]}}});
    let expressions = model(&document).model.skeleton.expressions().to_vec();
    let [shy] = &expressions[..] else { panic!("{expressions:?}") };
    let [color] = &shy.colors[..] else { panic!("{shy:?}") };
    assert_eq!((color.material.as_str(), color.role), ("skin", ColorRole::Shade));
    assert!((color.value[1] - 0.214).abs() < 1e-3 && color.value[3] == 0.5, "{color:?}");
    let [texture] = &shy.textures[..] else { panic!("{shy:?}") };
    assert_eq!((texture.scale, texture.offset), ([2.0, 0.5], [0.25, 0.375]));
    assert!(shy.aliases.is_empty());
}

#[test]
fn vrm_1_names_targets_by_expressions() {
    let mut document = face();
    document["extensionsUsed"] = json!(["VRMC_vrm", "VRMC_springBone"]);
    document["extensions"] = json!({"VRMC_vrm": {"specVersion": "1.0", "expressions": {
        "preset": {"happy": {"morphTargetBinds": [{"node": 0, "index": 0, "weight": 1.0}]}},
        "custom": {"wink": {"morphTargetBinds": [{"node": 0, "index": 1, "weight": 0.5}]}},
    }}});
    let loaded = read(&document).unwrap();
    assert_eq!(loaded.value.model.front, Vec3::Z);
    assert_eq!(
        loaded.warnings,
        [FileRepair::Effect.told(
            "extensionsUsed[1]: VRMC_springBone is not supported: hair and cloth do not swing"
        )]
    );
    assert_eq!(names(&document), ["happy", "wink"]);
    let expressions = loaded.value.model.skeleton.expressions().to_vec();
    let found: Vec<_> =
        expressions.iter().map(|one| (one.name.as_str(), &one.weights[..])).collect();
    assert_eq!(found, [("happy", &[(0, 1.0)][..]), ("wink", &[(1, 0.5)])]);
    // Names of the mesh go before.
    document["meshes"][0]["extras"] = json!({"targetNames": ["smile", "blink"]});
    assert_eq!(names(&document), ["smile", "blink"]);
}

fn with_material(document: &mut Value, material: Value) {
    document["materials"] = json!([material]);
    document["meshes"][0]["primitives"][0]["material"] = json!(0);
}

const TOLD: &str = "materials[0]: toon surfaces are drawn in two tones, without outlines, light at the rim and matcaps";

#[test]
fn vrm_1_toon_materials_have_two_tones() {
    let mut document = triangle();
    document["extensionsUsed"] = json!(["VRMC_materials_mtoon", "KHR_materials_unlit"]);
    let toon = json!({
        "specVersion": "1.0", "shadeColorFactor": [0.25, 0.5, 0.1], "shadingToonyFactor": 0.8,
        "shadingShiftFactor": -0.1, "outlineWidthMode": "worldCoordinates",
    });
    with_material(
        &mut document,
        json!({"extensions": {"VRMC_materials_mtoon": toon, "KHR_materials_unlit": {}},
            "pbrMetallicRoughness": {"baseColorFactor": [0.5, 1.0, 0.0, 1.0]}}),
    );
    let Loaded { value: file, warnings } = read(&document).unwrap();
    assert_eq!(warnings, [FileRepair::Effect.told(TOLD)]);
    let response = file.model.materials[0].response.as_deref().unwrap();
    let toon = response.toon.unwrap();
    assert!(!response.is_unlit && !toon.is_factor);
    assert_eq!((toon.shade, toon.toony, toon.shift), (LinearRgb::new(0.25, 0.5, 0.1), 0.8, -0.1));
    // With a texture, the shade is a factor of the lit colour.
    let own = &mut document["materials"][0]["extensions"]["VRMC_materials_mtoon"];
    own["shadeMultiplyTexture"] = json!({"index": 0});
    own["outlineWidthMode"] = json!("none");
    let toon = model(&document).model.materials[0].response.as_deref().unwrap().toon.unwrap();
    assert_eq!((toon.shade, toon.is_factor), (LinearRgb::new(0.5, 0.5, 0.0), true));
}

#[test]
fn vrm_0_toon_materials_are_those_of_1_0() {
    let mut document = triangle();
    document["extensionsUsed"] = json!(["VRM"]);
    document["extensions"] = json!({"VRM": {"materialProperties": [{
        "shader": "VRM/MToon",
        "floatProperties": {"_ShadeToony": 0.5, "_ShadeShift": 0.2},
        "vectorProperties": {"_ShadeColor": [1.0, 0.0, 0.5, 1.0], "_RimColor": [0, 0, 0, 1]},
        "textureProperties": {"_MainTex": 0},
    }]}});
    with_material(&mut document, json!({"extensions": {"KHR_materials_unlit": {}}}));
    let file = model(&document);
    let toon = file.model.materials[0].response.as_deref().unwrap().toon.unwrap();
    // An edge from 0.2 to 0.6: its middle is 0.4, its half width 0.2.
    assert!((toon.shift + 0.4).abs() < 1e-6 && (toon.toony - 0.8).abs() < 1e-6, "{toon:?}");
    assert!((toon.shade.b - 0.214).abs() < 1e-3 && toon.shade.g == 0.0, "{toon:?}");
    document["extensions"]["VRM"]["materialProperties"][0]["shader"] = json!("VRM_USE_GLTFSHADER");
    assert_eq!(model(&document).model.materials[0].response.as_deref().unwrap().toon, None);
}
