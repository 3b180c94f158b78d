//! Morph targets: their offsets, weights and mistakes.

use super::*;

/// A triangle on a node, with two targets: one moves the second corner, a sparse one the third.
fn morphed(normals: bool) -> Value {
    let mut bytes = Bytes::default();
    let positions = bytes.reals("VEC3", 3, &CORNERS);
    let up = bytes.reals("VEC3", 3, &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let first = bytes.reals("VEC3", 3, &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    let turn = bytes.reals("VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0]);
    let index = bytes.view(&[2]);
    let value: Vec<u8> = [0.0_f32, 0.0, -2.0].iter().flat_map(|part| part.to_le_bytes()).collect();
    let value = bytes.view(&value);
    bytes.accessors.push(json!({"componentType": 5126, "count": 3, "type": "VEC3", "sparse": {
        "count": 1, "indices": {"bufferView": index, "componentType": 5121}, "values": {"bufferView": value}}}));
    let second = bytes.accessors.len() - 1;
    let mut attributes = json!({"POSITION": positions});
    if normals {
        attributes["NORMAL"] = json!(up);
    }
    let times = bytes.reals("SCALAR", 1, &[0.0, 1.0]);
    let weights = bytes.reals("SCALAR", 1, &[0.0, 1.0, 0.5, -1.0]);
    bytes.finish(json!({
        "nodes": [{"mesh": 0, "name": "face", "scale": [2.0, 2.0, 2.0]}],
        "meshes": [{
            "primitives": [{"attributes": attributes, "targets": [
                {"POSITION": first, "NORMAL": turn}, {"POSITION": second}]}],
            "weights": [0.25, 0.0],
            "extras": {"targetNames": ["smile", "smile"]},
        }],
        "animations": [{
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}],
            "samplers": [{"input": times, "output": weights}],
        }],
    }))
}

/// Posed vertices of the first mesh.
fn posed_by(file: &GltfModel, pose: &tintype_model::Pose) -> tintype_model::PosedMesh {
    tintype_model::skin::skin_mesh(
        &file.model.meshes[0],
        &tintype_model::skin::SkinMatrices::new(pose),
    )
}

#[test]
fn targets_move_vertices_by_the_weights_of_clip_node_and_mesh() {
    let mut document = morphed(true);
    let file = model(&document);
    let slots = file.model.skeleton.morphs();
    let told: Vec<_> = slots.iter().map(|slot| (slot.name.as_str(), slot.rest)).collect();
    assert_eq!(told, [("smile", 0.25), ("smile.2", 0.0)]);
    let bind = tintype_model::pose::bind_pose(&file.model.skeleton);
    let posed = posed_by(&file, &bind);
    assert_eq!(posed.position_at(1), Vec3::new(2.0, 0.0, 0.5));
    assert!((posed.normal_at(1) - Vec3::new(0.25, 0.0, 0.75).normalize()).length() < 1e-6);
    // The weights of the node override those of the mesh, and those of the clip override both.
    document["nodes"][0]["weights"] = json!([0.0, 0.5]);
    let file = model(&document);
    let bind = tintype_model::pose::bind_pose(&file.model.skeleton);
    assert_eq!(bind.morphs, [0.0, 0.5]);
    assert_eq!(posed_by(&file, &bind).position_at(2), Vec3::new(0.0, 2.0, -2.0));
    let clip = &file.clips[0].clip;
    let (binding, warnings) =
        tintype_model::pose::bind_clip(&file.model.skeleton, &file.model.meshes, clip).unwrap();
    assert!(warnings.is_empty());
    let pose = tintype_model::pose::sample_clip(&file.model.skeleton, clip, &binding, 0.5);
    assert_eq!(pose.morphs, [0.25, 0.0]);
    assert_eq!((clip.end_s, clip.closes), (1.0, false));
}

/// A channel of weights on a node without targets moves nothing, and is reported.
#[test]
fn weights_without_targets_are_told() {
    let mut bytes = Bytes::default();
    let positions = bytes.reals("VEC3", 3, &CORNERS);
    let times = bytes.reals("SCALAR", 1, &[0.0, 1.0]);
    let document = bytes.finish(json!({
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": positions}}]}],
        "animations": [{
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}],
            "samplers": [{"input": times, "output": times}],
        }],
    }));
    let told = "animations[0].channels[0]: its node has no morph targets; skipped";
    assert_eq!(read(&document).unwrap().warnings, [FileRepair::NoTarget.told(told)]);
}

#[test]
fn flat_normals_follow_morph_targets() {
    let file = model_of_flat();
    let pose = tintype_model::Pose {
        matrices: tintype_model::pose::bind_pose(&file.model.skeleton).matrices,
        morphs: vec![1.0, 0.0],
        ..tintype_model::Pose::default()
    };
    let posed = posed_by(&file, &pose);
    let expected = Vec3::new(1.0, 0.0, 1.0).cross(Vec3::Y).normalize();
    assert!((0..3).all(|v| (posed.normal_at(v) - expected).length() < 1e-6));
}

fn model_of_flat() -> GltfModel {
    let Loaded { value, warnings } = read(&morphed(false)).unwrap();
    let expected = "meshes[0].primitives[0].targets: NORMAL of morph targets is ignored: only the primitive's POSITION, NORMAL and TANGENT can be morphed";
    assert_eq!(warnings, [FileRepair::UnknownPart.told(expected)]);
    value
}

#[test]
fn weights_may_be_steps_or_splines() {
    let mut document = morphed(true);
    let sampler = &mut document["animations"][0]["samplers"][0];
    sampler["interpolation"] = json!("STEP");
    let sample = |document: &Value, time_s: f64| {
        let file = model(document);
        let (skeleton, clip) = (&file.model.skeleton, &file.clips[0].clip);
        let (binding, _) =
            tintype_model::pose::bind_clip(skeleton, &file.model.meshes, clip).unwrap();
        tintype_model::pose::sample_clip(skeleton, clip, &binding, time_s).morphs
    };
    assert_eq!(sample(&document, 0.9), [0.0, 1.0]);
    let mut bytes = Bytes::default();
    let times = bytes.reals("SCALAR", 1, &[0.0, 2.0]);
    // Per key: incoming tangents, values, outgoing tangents, each of both targets.
    let spline = [0.0, 0.0, 1.0, 0.0, 0.5, 1.0, 0.0, -1.0, 3.0, 0.0, 0.0, 0.0];
    let weights = bytes.reals("SCALAR", 1, &spline);
    let still = bytes.reals("VEC3", 3, &[0.0; 9]);
    let document = bytes.finish(json!({
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": still},
            "targets": [{"POSITION": still}, {"POSITION": still}]}]}],
        "animations": [{
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}],
            "samplers": [{"input": times, "output": weights, "interpolation": "CUBICSPLINE"}],
        }],
    }));
    // Halfway: (a + b) / 2 + span (out - in) / 8.
    assert_eq!(sample(&document, 1.0), [2.0 + 2.0 * 0.5 / 8.0, 2.0 * (1.0 + 1.0) / 8.0]);
}

#[test]
fn a_key_of_one_target_that_is_not_finite_leaves_those_of_others() {
    let mut document = morphed(true);
    let mut bytes = Bytes::default();
    bytes.reals("SCALAR", 1, &[0.0, 1.0, f32::NAN, -1.0]);
    document["buffers"].as_array_mut().unwrap().push(bytes.finish(json!({}))["buffers"][0].clone());
    let view = document["accessors"].as_array().unwrap().last().unwrap()["bufferView"].clone();
    document["bufferViews"][view.as_u64().unwrap() as usize] =
        json!({"buffer": 1, "byteLength": 16});
    let clip = &read(&document).unwrap().value.clips[0].clip;
    let [first, second] = &clip.morphs[..] else { panic!("two targets") };
    assert_eq!((&first.weight.times_s[..], &first.weight.values[..]), (&[0.0][..], &[0.0][..]));
    assert_eq!(
        (&second.weight.times_s[..], &second.weight.values[..]),
        (&[0.0, 1.0][..], &[1.0, -1.0][..])
    );
}

fn assert_begins(found: String, message: &str) {
    assert!(found.starts_with(message), "{found}\n{message}");
}

#[test]
fn mistakes_of_morph_targets_are_told_with_their_path() {
    let refused = |change: &dyn Fn(&mut Value)| {
        let mut document = morphed(true);
        change(&mut document);
        told(&document)
    };
    assert_begins(
        refused(&|document| document["meshes"][0]["weights"] = json!([1.0])),
        "meshes[0].weights: the weight count: found 1; expected 2, one for each morph target",
    );
    assert_begins(
        refused(&|document| document["nodes"][0]["weights"] = json!([1.0, 1e39])),
        "nodes[0].weights[1]: the weight: found inf; expected a finite number",
    );
    assert_begins(
        refused(&|document| document["accessors"][2]["count"] = json!(2)),
        "meshes[0].primitives[0].targets[0].POSITION: element count: found 2; expected 3, as in POSITION",
    );
    assert_begins(
        refused(&|document| {
            let more = document["meshes"][0]["primitives"][0].clone();
            document["meshes"][0]["primitives"].as_array_mut().unwrap().push(more);
            document["meshes"][0]["primitives"][1]["targets"].as_array_mut().unwrap().pop();
        }),
        "meshes[0].primitives[1].targets: the morph target count: found 1; expected 2, as in another primitive",
    );
    assert_begins(
        refused(&|document| document["animations"][0]["samplers"][0]["output"] = json!(5)),
        "animations[0].samplers[0].output: the count of values: found 2; expected 4, 1 for each of 2 keys and 2 morph targets",
    );
    assert!(
        refused(&|document| document["accessors"][2]["type"] = json!("VEC2"))
            .starts_with("meshes[0].primitives[0].targets[0].POSITION: the type of elements")
    );
}

#[test]
fn clips_of_one_file_move_the_model_of_another() {
    // Without its mesh, the file of the clip knows the targets by their numbers alone.
    let mut clips = morphed(true);
    clips["nodes"] = json!([{"name": "face"}, {"name": "tail"}]);
    clips["meshes"] = json!([]);
    let clips = model(&clips);
    let file = model(&morphed(true));
    let (skeleton, clip) = (&file.model.skeleton, &clips.clips[0].clip);
    let (binding, warnings) =
        tintype_model::pose::bind_clip(skeleton, &file.model.meshes, clip).unwrap();
    assert_eq!(warnings, []);
    assert_eq!(tintype_model::pose::sample_clip(skeleton, clip, &binding, 0.0).morphs, [0.0, 1.0]);
    // Targets of other names are others.
    let mut other = morphed(true);
    other["meshes"][0]["extras"]["targetNames"] = json!(["frown", "smile"]);
    let other = model(&other);
    let (binding, warnings) =
        tintype_model::pose::bind_clip(skeleton, &file.model.meshes, &other.clips[0].clip).unwrap();
    assert_eq!(
        warnings[0].message,
        "1 of the clip's 2 morph targets are not in the model and are ignored"
    );
    let pose = tintype_model::pose::sample_clip(skeleton, &other.clips[0].clip, &binding, 1.0);
    assert_eq!(pose.morphs, [-1.0, 0.0]);
}
