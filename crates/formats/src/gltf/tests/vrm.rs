//! VRM files: front, and names of expressions.

use super::*;
use tintype_model::math::Affine3;
use tintype_model::pose::{bind_clip, bind_pose, sample_clip};
use tintype_model::{ColliderShape, ColorBind, ColorRole, ConstraintKind, FacePart, Override};

/// A triangle with two nameless morph targets.
fn face() -> Value {
    let mut document = triangle();
    let target = json!({"POSITION": 0});
    document["meshes"][0]["primitives"][0]["targets"] = json!([target, target]);
    document
}

fn with_material(document: &mut Value, material: Value) {
    document["materials"] = json!([material]);
    document["meshes"][0]["primitives"][0]["material"] = json!(0);
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
    document["extensionsUsed"] = json!(["VRMC_vrm"]);
    document["extensions"] = json!({"VRMC_vrm": {"specVersion": "1.0", "expressions": {
        "preset": {"happy": {"morphTargetBinds": [{"node": 0, "index": 0, "weight": 1.0}]}},
        "custom": {"wink": {"morphTargetBinds": [{"node": 0, "index": 1, "weight": 0.5}]}},
    }}});
    let loaded = read(&document).unwrap();
    assert_eq!(loaded.value.model.front, Vec3::Z);
    assert_eq!(loaded.warnings, []);
    assert_eq!(names(&document), ["happy", "wink"]);
    let expressions = loaded.value.model.skeleton.expressions().to_vec();
    let found: Vec<_> =
        expressions.iter().map(|one| (one.name.as_str(), &one.weights[..])).collect();
    assert_eq!(found, [("happy", &[(0, 1.0)][..]), ("wink", &[(1, 0.5)])]);
    // Names of the mesh go before.
    document["meshes"][0]["extras"] = json!({"targetNames": ["smile", "blink"]});
    assert_eq!(names(&document), ["smile", "blink"]);
}

/// A triangle beside a chain of four nodes, 1 to 4, each 1 above the other.
fn chain() -> Value {
    let mut document = triangle();
    let mesh = document["nodes"][0].clone();
    let node = |child: Option<u32>| {
        let children: Vec<u32> = child.into_iter().collect();
        json!({"name": format!("n{}", child.unwrap_or(5) - 1), "translation": [0, 1, 0], "children": children})
    };
    let last = json!({"name": "n4", "translation": [0, 1, 0]});
    document["nodes"] = json!([mesh, node(Some(2)), node(Some(3)), node(Some(4)), last]);
    document["scenes"] = json!([{"nodes": [0, 1]}]);
    document["scene"] = json!(0);
    document
}

#[test]
fn constraints_stand_behind_those_that_they_depend_on() {
    let mut document = chain();
    document["extensionsUsed"] = json!(["VRMC_node_constraint"]);
    let bind = |document: &mut Value, node: usize, constraint: Value| {
        let own = json!({"specVersion": "1.0", "constraint": constraint});
        document["nodes"][node]["extensions"] = json!({"VRMC_node_constraint": own});
    };
    bind(&mut document, 1, json!({"rotation": {"source": 3}}));
    bind(&mut document, 3, json!({"roll": {"source": 0, "rollAxis": "Y", "weight": 0.25}}));
    bind(&mut document, 4, json!({"aim": {"source": 0, "aimAxis": "NegativeZ", "weight": 7}}));
    let Loaded { value: file, warnings } = read(&document).unwrap();
    assert_eq!(warnings, []);
    let found = file.model.skeleton.rig().constraints.clone();
    let short: Vec<_> = found.iter().map(|one| (one.joint, one.source, one.weight)).collect();
    assert_eq!(short, [(3, 0, 0.25), (1, 3, 1.0), (4, 0, 1.0)]);
    assert_eq!(found[2].kind, ConstraintKind::Aim(Vec3::NEG_Z));
    // Cycles and dangling references are reported.
    bind(&mut document, 3, json!({"rotation": {"source": 1}}));
    bind(&mut document, 4, json!({"aim": {"source": 9, "aimAxis": "PositiveX"}}));
    bind(&mut document, 2, json!({"roll": {"source": 0, "rollAxis": "W"}}));
    let Loaded { value: file, warnings } = read(&document).unwrap();
    assert_eq!(file.model.skeleton.rig().constraints.len(), 1);
    let told: Vec<_> = warnings.iter().map(|warning| warning.message.as_str()).collect();
    let at = "extensions.VRMC_node_constraint";
    assert_eq!(
        told,
        [
            &format!("nodes[2].{at}.constraint: rollAxis \"W\" is not one of X, Y, Z; skipped"),
            &format!("nodes[4].{at}.constraint: source: 9 is not a node of the scene; skipped"),
            &format!("nodes[3].{at}: it follows itself through others; skipped"),
        ]
    );
}

#[test]
fn springs_of_vrm_1_have_a_tail_each_and_colliders() {
    let mut document = chain();
    document["extensionsUsed"] = json!(["VRMC_springBone"]);
    document["extensions"] = json!({"VRMC_springBone": {
        "colliders": [
            {"node": 0, "shape": {"sphere": {"offset": [1, 0, 0], "radius": 0.5}}},
            {"node": 0, "shape": {"capsule": {"offset": [1, 0, 0], "radius": 0.5, "tail": [3, 0, 0]}}},
            {"node": 0, "shape": {}},
            {"node": 0, "shape": {"sphere": {}}, "extensions": {"VRMC_springBone_extended_collider":
                {"specVersion": "1.0", "shape": {"plane": {"normal": [0, 2, 0]}}}}},
        ],
        "colliderGroups": [{"colliders": [0, 2, 1]}, {"colliders": [3, 8]}],
        "springs": [
            {"center": 0, "colliderGroups": [0, 1], "joints": [
                {"node": 1, "stiffness": 2, "gravityPower": 0.5, "gravityDir": [1, 0, 0], "dragForce": 3, "hitRadius": 0.25},
                {"node": 3, "stiffness": "soft"}, {"node": 4},
            ]},
            {"joints": [{"node": 2}, {"node": 1}]},
        ],
    }});
    let Loaded { value: file, warnings } = read(&document).unwrap();
    let rig = file.model.skeleton.rig();
    let [first, second] = &rig.springs[..] else { panic!("{:?}", rig.springs) };
    assert_eq!((first.joint, first.child, first.tail), (1, Some(3), Vec3::Y * 2.0));
    assert_eq!((first.stiffness, first.gravity, first.drag), (2.0, Vec3::X * 0.5, 1.0));
    assert_eq!((first.radius, first.center, &first.colliders[..]), (0.25, Some(0), &[0, 1, 2][..]));
    assert_eq!((second.joint, second.stiffness, second.drag), (3, 1.0, 0.5));
    let capsule = ColliderShape::Capsule { way: Vec3::X * 2.0, radius: 0.5, inside: false };
    assert_eq!((rig.colliders[1].offset, rig.colliders[1].shape), (Vec3::X, capsule));
    assert_eq!(rig.colliders[2].shape, ColliderShape::Plane { normal: Vec3::Y });
    let told: Vec<_> = warnings.iter().map(|warning| warning.message.as_str()).collect();
    let at = "extensions.VRMC_springBone";
    assert_eq!(
        told,
        [
            &format!("{at}.colliders[2].shape: neither sphere nor capsule; skipped"),
            &format!("{at}.colliderGroups[1].colliders[1]: 8 is missing; skipped"),
            &format!("{at}.springs[0].joints[1].stiffness: \"soft\" is not a number; 1 is used"),
            &format!("{at}.springs[1].joints[0]: the next joint is not its child; skipped"),
        ]
    );
}

#[test]
fn springs_of_vrm_0_are_all_joints_below() {
    let mut document = chain();
    document["extensionsUsed"] = json!(["VRM"]);
    document["extensions"] = json!({"VRM": {
        "humanoid": {"humanBones": [{"bone": "leftThumbIntermediate", "node": 2}]},
        "secondaryAnimation": {
            "colliderGroups": [{"node": 0, "colliders": [{"offset": {"x": 1, "y": 2, "z": 3}, "radius": 0.5}]}],
            "boneGroups": [{"bones": [2], "center": -1, "colliderGroups": [0], "stiffiness": 0.5,
                "gravityPower": 2, "gravityDir": {"x": 0, "y": -1, "z": 0}, "dragForce": 0.25, "hitRadius": 0.125}],
        },
    }});
    let Loaded { value: file, warnings } = read(&document).unwrap();
    assert_eq!(warnings, []);
    let rig = file.model.skeleton.rig();
    let short: Vec<_> = rig.springs.iter().map(|one| (one.joint, one.child, one.tail.y)).collect();
    assert_eq!(short, [(2, Some(3), 1.0), (3, Some(4), 1.0), (4, None, 0.07)]);
    assert_eq!((rig.springs[2].gravity, rig.springs[2].drag), (Vec3::Y * -2.0, 0.25));
    assert_eq!(rig.colliders[0].offset, Vec3::new(1.0, 2.0, -3.0));
    assert_eq!(rig.human, [("leftThumbProximal".to_owned(), 2)]);
    assert!(rig.faces_back && !rig.is_motion);
}

#[test]
fn vrm_animations_move_expressions_by_the_way_of_a_node() {
    let mut bytes = Bytes::default();
    let positions = bytes.reals("VEC3", 3, &CORNERS);
    let times = bytes.reals("SCALAR", 1, &[0.0, 1.0]);
    let ways = bytes.reals("VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let turns = bytes.reals("VEC4", 4, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    let channel = |sampler: u32, node: u32, path: &str| json!({"sampler": sampler, "target": {"node": node, "path": path}});
    let target = json!({"POSITION": positions});
    let document = bytes.finish(json!({
        "nodes": [{"name": "a", "mesh": 0}, {"name": "h"}, {"name": "eyes"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": positions}, "targets": [target]}]}],
        "extensionsUsed": ["VRMC_vrm_animation"],
        "extensions": {"VRMC_vrm_animation": {
            "humanoid": {"humanBones": {"hips": {"node": 0}}},
            "expressions": {"preset": {"happy": {"node": 1}}}, "lookAt": {"node": 2},
        }},
        "animations": [{
            "samplers": [{"input": times, "output": ways}, {"input": times, "output": turns}],
            "channels": [channel(1, 0, "rotation"), channel(0, 1, "translation"), channel(1, 2, "rotation")],
        }],
    }));
    let Loaded { value: file, warnings } = read(&document).unwrap();
    let told = "animations[0]: the eyes' gaze direction is skipped";
    assert_eq!(warnings, [FileRepair::NoTarget.told(told)]);
    let clip = &file.clips[0].clip;
    let moved: Vec<_> = clip.joints.iter().map(|tracks| tracks.name.as_str()).collect();
    assert_eq!(moved, ["a"]);
    let [smile] = &clip.morphs[..] else { panic!("{:?}", clip.morphs) };
    assert!(smile.is_expression() && smile.name == "happy");
    assert_eq!(smile.weight.values, [0.0, 1.0]);
    // A character with different joint names.
    let mut document = face();
    document["nodes"][0]["name"] = json!("Root");
    document["extensionsUsed"] = json!(["VRM"]);
    document["extensions"] = json!({"VRM": {
        "humanoid": {"humanBones": [{"bone": "hips", "node": 0}]},
        "blendShapeMaster": {"blendShapeGroups": [
            {"name": "Smile", "presetName": "joy", "binds": [{"mesh": 0, "index": 1, "weight": 50}]},
        ]},
    }});
    let model = model(&document).model;
    let rest = std::sync::Arc::new(file.model.skeleton.clone());
    let clip = tintype_model::Clip { rest: Some(rest), ..clip.clone() };
    let (binding, warnings) = bind_clip(&model.skeleton, &model.meshes, &clip).unwrap();
    assert_eq!(warnings, []);
    let pose = sample_clip(&model.skeleton, &clip, &binding, 0.5);
    assert_eq!((&pose.morphs[..], &pose.expressions[..]), (&[0.0, 0.25][..], &[0.5][..]));
    // Half of a half turn about z, seen from behind.
    let turned = bind_pose(&model.skeleton).matrices[0]
        * Affine3::from_rotation_z(-core::f32::consts::FRAC_PI_2);
    assert!(pose.matrices[0].matrix3.abs_diff_eq(turned.matrix3, 1e-5), "{pose:?}");
}
