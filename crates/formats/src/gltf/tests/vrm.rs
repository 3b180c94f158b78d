//! VRM files: front, and names of expressions.

use super::*;

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
    assert_eq!(found, [("Joy", &[(1, 1.0)][..]), ("joy", &[(1, 1.0)]), ("Both", &both)]);
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
