//! Faults of documents that cost a part: the rest is drawn, and one warning of the declared kind
//! names position, finding and remedy.

use super::refusals::{with, with_bytes};
use super::*;

/// Reads a document of one triangle that has a fault; the triangle must exist, and all warnings
/// must begin as expected.
fn mended(document: &Value, told: &[(FileRepair, &str)]) -> GltfModel {
    let Loaded { value, warnings } = read(document).unwrap();
    let found: Vec<_> = warnings.iter().map(|one| (one.fault, one.message.as_str())).collect();
    assert_eq!(found.len(), told.len(), "{found:#?}\n{told:#?}");
    for ((fault, message), (wanted, begin)) in found.iter().zip(told) {
        assert_eq!(fault, wanted, "{message}");
        assert!(message.starts_with(begin), "{message}\n{begin}");
    }
    let triangles: usize = value.model.meshes.iter().map(|mesh| mesh.triangles.len()).sum();
    assert_eq!(triangles, 1);
    value
}

#[test]
fn faults_of_parts_cost_the_parts() {
    for (pointer, value, fault, begin) in [
        (
            "/scene",
            json!(1),
            FileRepair::BadReference,
            "scene: the scene: found 1; expected 0, the only one; the first one",
        ),
        (
            "/scenes/0/nodes",
            json!([0, 1, 7]),
            FileRepair::BadReference,
            "scenes[0].nodes[2]: the node: found 7",
        ),
        (
            "/scenes/0/nodes",
            json!([0, 0, 1]),
            FileRepair::SceneChild,
            "scenes[0].nodes[1]: the node: found 0; expected a node without a parent, once; drawn once",
        ),
        (
            "/scenes/0/nodes",
            json!([0, 1, 2]),
            FileRepair::SceneChild,
            "scenes[0].nodes[2]: the node: found 2; expected a node without a parent",
        ),
        (
            "/scenes/0/nodes",
            json!([0]),
            FileRepair::JointOutside,
            "skins[0]: joint node 1 is outside the scene",
        ),
        (
            "/nodes/2",
            json!({"children": [9]}),
            FileRepair::BadReference,
            "nodes[2].children[0]: the child: found 9",
        ),
        (
            "/nodes/2",
            json!({"children": [2]}),
            FileRepair::Hierarchy,
            "nodes[2].children[0]: the child: found node 2, already a child of node 1",
        ),
        (
            "/nodes/2",
            json!({"mesh": 4}),
            FileRepair::BadReference,
            "nodes[2].mesh: the mesh: found 4",
        ),
        (
            "/nodes/2",
            json!({"camera": 4}),
            FileRepair::Malformed,
            "nodes[2].camera: the camera: found 4",
        ),
        (
            "/nodes/2",
            json!({"rotation": [0, 0, 0, 0]}),
            FileRepair::ZeroRotation,
            "nodes[2].rotation: the rotation: found [0.0, 0.0, 0.0, 0.0]",
        ),
        (
            "/nodes/2",
            json!({"rotation": [0, 0, 0, 2]}),
            FileRepair::NotUnit,
            "nodes[2].rotation: the rotation has length 2.0000",
        ),
        (
            "/nodes/2",
            json!({"scale": [1, 1e300, 1]}),
            FileRepair::NotFinite,
            "nodes[2].scale: the transform: found ",
        ),
        (
            "/nodes/2",
            json!({"matrix": [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}),
            FileRepair::OutOfRange,
            "nodes[2].matrix: the last row: found another row",
        ),
        (
            "/nodes/2",
            json!({"matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], "scale": [1, 1, 1]}),
            FileRepair::Duplicate,
            "nodes[2].matrix: the transform: found both",
        ),
        (
            "/nodes/2",
            json!({"mesh": null, "children": null}),
            FileRepair::WrongType,
            "nodes[2].children: null; treated as missing, 2 in total",
        ),
        (
            "/skins/0/joints",
            json!([1, 3]),
            FileRepair::BadReference,
            "skins[0].joints[1]: the node of the joint: found 3",
        ),
        (
            "/skins/0/joints",
            json!([1, 2]),
            FileRepair::BadSkin,
            "skins[0].inverseBindMatrices: matrix 1: found nothing",
        ),
        (
            "/skins/0/inverseBindMatrices",
            json!(99),
            FileRepair::BadSkin,
            "skins[0].inverseBindMatrices: the accessor: found 99; expected an index below 7; replaced by the inverse",
        ),
        (
            "/accessors/1/componentType",
            json!(5120),
            FileRepair::WrongType,
            "meshes[0].primitives[0].attributes.JOINTS_0: the type of components: found BYTE of accessor 1",
        ),
        (
            "/accessors/3/componentType",
            json!(5122),
            FileRepair::WrongType,
            "meshes[0].primitives[0].indices: the type of components: found SHORT",
        ),
        (
            "/bufferViews/0/byteStride",
            json!(0),
            FileRepair::OutOfRange,
            "bufferViews[0].byteStride: the element stride: found 0; expected a multiple of 4 from 4 to 252; elements are tightly packed",
        ),
        (
            "/bufferViews/6/byteLength",
            json!(99),
            FileRepair::Truncated,
            "bufferViews[6]: the range of the view: found 99 bytes from byte 176",
        ),
        (
            "/buffers/0/byteLength",
            json!(999),
            FileRepair::Truncated,
            "buffers[0].byteLength: the bytes of the buffer: found 999; expected the 208 available",
        ),
        (
            "/animations/0/channels/0/target/node",
            json!(9),
            FileRepair::BadChannel,
            "animations[0].channels[0].target.node: the node: found 9",
        ),
        (
            "/animations/0/channels/0/sampler",
            json!(1),
            FileRepair::BadChannel,
            "animations[0].channels[0].sampler: the sampler: found 1",
        ),
        (
            "/animations/0/channels/0/target/path",
            json!("colour"),
            FileRepair::BadChannel,
            "animations[0].channels[0].target.path: the property: found \"colour\"",
        ),
        (
            "/animations/0/samplers/0/interpolation",
            json!("BEZIER"),
            FileRepair::WrongType,
            "animations[0].samplers[0].interpolation: the interpolation: found \"BEZIER\"; expected LINEAR, STEP or CUBICSPLINE; read as LINEAR",
        ),
        (
            "/animations/0/samplers/0/interpolation",
            json!("step"),
            FileRepair::WrongType,
            "animations[0].samplers[0].interpolation: the interpolation: found \"step\"; expected LINEAR, STEP or CUBICSPLINE; read as STEP",
        ),
        (
            "/animations/0/samplers/0/interpolation",
            json!("CUBICSPLINE"),
            FileRepair::BadChannel,
            "animations[0].samplers[0].output: the count of values: found 2; expected 6, 3 for each of 2 keys; the channel is skipped",
        ),
        (
            "/asset/version",
            json!(null),
            FileRepair::MissingValue,
            "asset.version: missing; read as 2.0",
        ),
    ] {
        mended(&with(pointer, value), &[(fault, begin)]);
    }
}

#[test]
fn numbers_that_are_not_finite_cost_what_they_mean() {
    let (nan, infinite) = (f32::NAN.to_le_bytes(), f32::INFINITY.to_le_bytes());
    // Views begin at bytes 0, 36, 48, 96, 104, 168 and 176.
    let (weight, key) = ("accessors[2]: component 1 of element 0: found inf", "accessors[6]");
    mended(&with_bytes(52, &infinite), &[(FileRepair::NotFinite, weight)]);
    let turns = mended(&with_bytes(192, &nan), &[(FileRepair::NotFinite, key)]);
    assert_eq!(turns.clips[0].clip.joints[0].rotation.times_s[..], [0.0], "key 1 is skipped");
    let times = mended(&with_bytes(172, &infinite), &[(FileRepair::NotFinite, "accessors[5]")]);
    assert_eq!(times.clips[0].clip.end_s, 0.0);
    let told = "accessors[4]: component 0 of element 0: found NaN; expected a finite number; 1 of 1 elements: replaced by the inverse";
    mended(&with_bytes(104, &nan), &[(FileRepair::NotFinite, told)]);
    // No triangle is left.
    let told = refusal(&with_bytes(16, &nan));
    assert!(
        told.contains("POSITION: the positions: found no triangle with finite vertices"),
        "{told}"
    );
    let zero = with_bytes(188, &0.0_f32.to_le_bytes());
    let told = "animations[0].channels[0].sampler: the rotation of key 0: found zeros";
    let file = mended(&zero, &[(FileRepair::ZeroRotation, told)]);
    let track = &file.clips[0].clip.joints[0].rotation;
    assert_eq!((&track.times_s[..], &track.values[..]), (&[1.0][..], &[Quat::IDENTITY][..]));
}

/// A square with further attributes; its last two corners belong to the second triangle alone.
fn square(attribute: &str, kind: &str, component: u32, count: usize, data: &[u8]) -> Value {
    let mut bytes = Bytes::default();
    let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0];
    let positions = bytes.reals("VEC3", 3, &corners);
    let normals = bytes.reals("VEC3", 3, &[0.0, 0.0, 1.0].repeat(4));
    let indices = bytes.accessor("SCALAR", 5121, 6, &[0, 1, 2, 2, 1, 3]);
    let own = bytes.accessor(kind, component, count, data);
    let mut document = bytes.finish(json!({
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": positions, "NORMAL": normals}, "indices": indices}]}],
    }));
    document["meshes"][0]["primitives"][0]["attributes"][attribute] = json!(own);
    document
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn whole_square(document: &Value, fault: FileRepair, begin: &str) -> tintype_model::Mesh {
    let Loaded { value, warnings } = read(document).unwrap();
    assert_eq!(warnings.len(), 1, "{warnings:#?}");
    assert_eq!(warnings[0].fault, fault);
    assert!(warnings[0].message.starts_with(begin), "{}", warnings[0].message);
    let mesh = value.model.meshes[0].clone();
    assert_eq!((mesh.triangles.len(), mesh.vertex_count()), (2, 4));
    mesh
}

#[test]
fn attributes_of_other_forms_are_taken_or_left_out() {
    let at = "meshes[0].primitives[0].attributes";
    let wide = floats(&[0.25, 0.5, 9.0].repeat(4));
    let found = square("TEXCOORD_0", "VEC3", 5126, 4, &wide);
    let begin =
        format!("{at}.TEXCOORD_0: the type of elements: found VEC3 of accessor 3; expected VEC2");
    let mesh = whole_square(&found, FileRepair::WrongType, &begin);
    assert_eq!(mesh.texcoords[3].to_array(), [0.25, 0.5]);

    let colors = square("COLOR_0", "VEC4", 5121, 4, &[255, 0, 51, 255].repeat(4));
    let begin = format!("{at}.COLOR_0: the type of components: found UNSIGNED_BYTE");
    let mesh = whole_square(&colors, FileRepair::WrongType, &begin);
    assert_eq!(mesh.colors[0].to_array(), [1.0, 0.0, 0.2, 1.0]);

    let bright = square("COLOR_0", "VEC3", 5126, 4, &floats(&[2.0, -1.0, 0.5].repeat(4)));
    let begin = format!("{at}.COLOR_0: the colours: found -1 to 2; expected numbers from 0 to 1");
    let mesh = whole_square(&bright, FileRepair::OutOfRange, &begin);
    assert_eq!(mesh.colors[0].to_array(), [1.0, 0.0, 0.5, 1.0]);

    let narrow = square("NORMAL", "VEC2", 5126, 4, &floats(&[0.0; 8]));
    let begin =
        format!("{at}.NORMAL: the type of elements: found VEC2 of accessor 3; expected VEC3");
    let Loaded { value, warnings } = read(&narrow).unwrap();
    assert_eq!((warnings[0].fault, warnings.len()), (FileRepair::WrongShape, 1));
    assert!(warnings[0].message.starts_with(&begin), "{}", warnings[0].message);
    assert_eq!(normals(&value, 0)[0], Vec3::Z, "computed");

    let more = square("TEXCOORD_0", "VEC2", 5126, 5, &floats(&[0.5; 10]));
    let begin =
        format!("{at}.TEXCOORD_0: element count: found 5; expected 4, as in POSITION; the others");
    whole_square(&more, FileRepair::CountMismatch, &begin);

    let nan = floats(&[0.0, f32::NAN, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let begin = "accessors[3]: component 1 of element 0: found NaN; expected a finite number; 1 of 4 elements: computed";
    let loaded = read(&square("NORMAL", "VEC3", 5126, 4, &nan)).unwrap();
    assert_eq!(loaded.warnings, [FileRepair::NotFinite.told(begin)]);
    assert_eq!(normals(&loaded.value, 0)[0], Vec3::Z);
}

#[test]
fn triangles_of_vertices_that_are_not_there_are_left_out() {
    let mut document = square("COLOR_0", "VEC3", 5126, 4, &floats(&[1.0; 12]));
    document["accessors"][0]["count"] = json!(3);
    document["accessors"][1]["count"] = json!(3);
    document["accessors"][3]["count"] = json!(3);
    let Loaded { value, warnings } = read(&document).unwrap();
    let told = "meshes[0].primitives[0].indices: index 5: found 3; expected a vertex below 3; 1 of 2 triangles are skipped";
    assert_eq!(warnings, [FileRepair::BadReference.told(told)]);
    assert_eq!(value.model.meshes[0].triangles, [[0, 1, 2]]);
}

#[test]
fn influences_of_joints_that_are_not_there_are_left_out() {
    let joints: [u8; 12] = [1, 9, 0, 0].repeat(3).try_into().unwrap();
    let begin = "meshes[0].primitives[0].attributes.JOINTS_0: the joint of vertex 0: found 9; expected below 2, the skin's joint count; ";
    for (weight, lost, others) in [(0.0, 0, 0), (0.5, 3, 1)] {
        let weights = [1.0 - weight, weight, 0.0, 0.0].repeat(3).try_into().unwrap();
        let Loaded { value, warnings } = read(&skinned(joints, weights)).unwrap();
        let told = format!("{begin}{lost} weights of such joints are skipped");
        assert_eq!(warnings[0], FileRepair::BadReference.told(told));
        assert_eq!(warnings.len(), 1 + others, "{warnings:#?}");
        assert!(warnings.iter().skip(1).all(|one| one.fault == FileRepair::WeightSum));
        assert!(value.model.meshes[0].influences.iter().all(|one| one.weight() == 1.0));
    }
}

#[test]
fn a_circle_of_nodes_is_cut_above_its_first_node() {
    let mut document = triangle();
    document["nodes"] = json!([{"mesh": 0}, {"children": [2]}, {"children": [1, 3]}, {}]);
    document["scenes"] = json!([{"nodes": [0, 2]}]);
    let told = "nodes[2].children: the hierarchy: found node 1 below itself; expected no cycle of nodes; skipped";
    let under = "scenes[0].nodes[1]: the node: found 2";
    let file = mended(&document, &[(FileRepair::Hierarchy, told), (FileRepair::SceneChild, under)]);
    assert_eq!(file.model.skeleton.len(), 4);
}

#[test]
fn a_node_that_the_scene_lists_below_another_stands_there_alone() {
    let mut document = triangle();
    document["nodes"] =
        json!([{"translation": [1, 0, 0], "children": [1, 2]}, {"mesh": 0}, {"mesh": 0}]);
    document["scenes"] = json!([{"nodes": [1]}]);
    let file =
        mended(&document, &[(FileRepair::SceneChild, "scenes[0].nodes[0]: the node: found 1")]);
    assert_eq!(placed(&file, 0)[0], Vec3::X);
}

/// A clip that moves a node along x, with a key time and a position for each key.
fn moved(times: &[f32], places: &[f32]) -> Value {
    let mut bytes = Bytes::default();
    let positions = bytes.reals("VEC3", 3, &CORNERS);
    let times = bytes.reals("SCALAR", 1, times);
    let places: Vec<f32> = places.iter().flat_map(|&x| [x, 0.0, 0.0]).collect();
    let places = bytes.reals("VEC3", 3, &places);
    bytes.finish(json!({
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": positions}}]}],
        "animations": [{
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
            "samplers": [{"input": times, "output": places}],
        }],
    }))
}

#[test]
fn keys_out_of_order_are_sorted_and_equal_times_are_jumps() {
    let place = |file: &GltfModel, moment_s: f64| {
        let (skeleton, clip) = (&file.model.skeleton, &file.clips[0].clip);
        let (binding, _) =
            tintype_model::pose::bind_clip(skeleton, &file.model.meshes, clip).unwrap();
        tintype_model::pose::sample_clip(skeleton, clip, &binding, moment_s).matrices[0]
            .translation
            .x
    };
    let input = "animations[0].samplers[0].input";
    let told = format!(
        "{input}: the time of key 2: found 0.5; expected more than 0.5, the time of key 1; a jump"
    );
    let file = mended(
        &moved(&[0.0, 0.5, 0.5, 1.0], &[0.0, 1.0, 5.0, 6.0]),
        &[(FileRepair::KeyTimes, &told)],
    );
    assert_eq!([0.25, 0.5, 0.75].map(|time| place(&file, time)), [0.5, 5.0, 5.5]);
    let told = format!(
        "{input}: the time of key 2: found 0.5; expected more than 1, the time of key 1; keys are sorted"
    );
    let file = mended(&moved(&[0.0, 1.0, 0.5], &[0.0, 2.0, 5.0]), &[(FileRepair::KeyTimes, &told)]);
    assert_eq!([0.25, 0.5, 0.75].map(|time| place(&file, time)), [2.5, 5.0, 3.5]);
    let told = format!("{input}: the time of key 0: found -1; expected at least 0");
    let file = mended(&moved(&[-1.0, 1.0], &[0.0, 4.0]), &[(FileRepair::KeyTimes, &told)]);
    assert_eq!([0.0, 1.0].map(|time| place(&file, time)), [2.0, 4.0]);
    assert_eq!(file.clips[0].clip.key_times_s[..], [1.0]);
    let told = "animations[0].samplers[0].output: the count of values: found 4; expected 2, 1 for each of 2 keys";
    let file =
        mended(&moved(&[0.0, 1.0], &[0.0, 4.0, 5.0, 6.0]), &[(FileRepair::CountMismatch, told)]);
    assert_eq!(place(&file, 1.0), 4.0);
}

#[test]
fn a_clip_is_as_long_as_the_channels_that_are_kept() {
    let mut document = moved(&[0.0, 1.0], &[0.0, 4.0]);
    let mut later = document["accessors"][1].clone();
    let mut bytes = Bytes::default();
    bytes.reals("SCALAR", 1, &[0.0, 3.0]);
    let buffer = bytes.finish(json!({}))["buffers"][0].clone();
    document["buffers"].as_array_mut().unwrap().push(buffer);
    document["bufferViews"].as_array_mut().unwrap().push(json!({"buffer": 1, "byteLength": 8}));
    later["bufferView"] = json!(3);
    document["accessors"].as_array_mut().unwrap().push(later);
    let animation = &mut document["animations"][0];
    animation["samplers"].as_array_mut().unwrap().push(json!({"input": 3, "output": 2}));
    let second = json!({"sampler": 1, "target": {"node": 0, "path": "translation"}});
    animation["channels"].as_array_mut().unwrap().push(second);
    let told =
        "animations[0].channels[1].target: the target: found the target of an earlier channel";
    let clip = &mended(&document, &[(FileRepair::BadChannel, told)]).clips[0].clip;
    assert_eq!((clip.end_s, &clip.key_times_s[..]), (1.0, &[0.0, 1.0][..]));
    // A key that is left out.
    let told = "accessors[2]: component 0 of element 2: found NaN";
    let document = moved(&[0.0, 1.0, 3.0], &[0.0, 4.0, f32::NAN]);
    let clip = &mended(&document, &[(FileRepair::NotFinite, told)]).clips[0].clip;
    assert_eq!(clip.end_s, 1.0);
}

#[test]
fn a_tangent_of_a_spline_that_is_not_finite_is_0() {
    let spline = |places: &[f32]| {
        let mut document = moved(&[0.0, 1.0], places);
        document["animations"][0]["samplers"][0]["interpolation"] = json!("CUBICSPLINE");
        document
    };
    let told = "accessors[2]: component 0 of element 3: found NaN";
    let document = spline(&[0.0, 1.0, 2.0, f32::NAN, 3.0, 0.0]);
    let track =
        &mended(&document, &[(FileRepair::NotFinite, told)]).clips[0].clip.joints[0].translation;
    assert_eq!((track.times_s.len(), track.values[3], track.key(1).x), (2, Vec3::ZERO, 3.0));
    let document = spline(&[0.0, 1.0, 2.0, 0.0, f32::NAN, 0.0]);
    let told = "accessors[2]: component 0 of element 4: found NaN";
    let track =
        &mended(&document, &[(FileRepair::NotFinite, told)]).clips[0].clip.joints[0].translation;
    assert_eq!(track.times_s[..], [0.0]);
}

#[test]
fn the_second_channel_of_a_property_is_left_out() {
    let mut document = moved(&[0.0, 1.0], &[0.0, 4.0]);
    let channel = document["animations"][0]["channels"][0].clone();
    document["animations"][0]["channels"].as_array_mut().unwrap().push(channel);
    let told =
        "animations[0].channels[1].target: the target: found the target of an earlier channel";
    let file = mended(&document, &[(FileRepair::BadChannel, told)]);
    assert_eq!(file.clips[0].clip.key_count(), 2);
}

#[test]
fn morph_targets_may_be_those_of_one_primitive_and_have_their_names_there() {
    let mut document = triangle();
    let first = &mut document["meshes"][0]["primitives"][0];
    first["targets"] = json!([{"POSITION": 0}]);
    first["extras"] = json!({"targetNames": ["Joy"]});
    let second = json!({"attributes": {"POSITION": 0}, "mode": 1});
    document["meshes"][0]["primitives"].as_array_mut().unwrap().push(second);
    document["meshes"][0]["weights"] = json!([1.0, 2.0]);
    let count = "meshes[0].primitives[1].targets: the morph target count: found 0; expected 1";
    let weights = "meshes[0].weights: the weight count: found 2; expected 1";
    let lines = "meshes[0].primitives[1]: lines are not drawn";
    let file = mended(
        &document,
        &[
            (FileRepair::CountMismatch, count),
            (FileRepair::CountMismatch, weights),
            (FileRepair::NotDrawn, lines),
        ],
    );
    let morphs = file.model.skeleton.morphs();
    assert_eq!((morphs.len(), morphs[0].name.as_str(), morphs[0].rest), (1, "Joy", 1.0));
}

#[test]
fn a_primitive_that_cannot_be_read_costs_itself_unless_it_is_the_only_one() {
    let mut document = triangle();
    let empty = json!({"attributes": {}});
    let broken = json!({"attributes": {"POSITION": 9}, "material": 0});
    let primitives = document["meshes"][0]["primitives"].as_array_mut().unwrap();
    primitives.extend([empty, broken]);
    let told = "meshes[0].primitives[2].attributes.POSITION: the accessor: found 9";
    mended(
        &document,
        &[
            (FileRepair::Empty, "meshes[0].primitives[1]: nothing is drawn without POSITION"),
            (FileRepair::NoMaterial, "meshes[0].primitives[2].material: the material: found 0"),
            (FileRepair::Malformed, told),
        ],
    );
    document["meshes"][0]["primitives"].as_array_mut().unwrap().remove(0);
    assert!(refusal(&document).starts_with("meshes[0].primitives[1].attributes.POSITION"));
}

#[test]
fn parts_of_materials_that_cannot_be_read_are_the_usual_ones() {
    let mut document = triangle();
    document["meshes"][0]["primitives"][0]["material"] = json!(0);
    document["images"] = json!([{"uri": "data:nothing"}, {"uri": "a.png"}]);
    document["textures"] = json!([{"source": 0}, {"source": 1, "sampler": 0}]);
    document["samplers"] = json!([{"wrapT": 33072}]);
    document["materials"] = json!([{
        "alphaMode": "blend",
        "normalTexture": {"index": 0},
        "emissiveTexture": {"index": 1},
        "extensions": {"KHR_materials_ior": {"ior": "glass"}},
    }]);
    let file = mended(
        &document,
        &[
            (FileRepair::NoPicture, "images[0].uri: the data URI: found \"nothing\""),
            (
                FileRepair::WrongType,
                "samplers[0].wrapT: the wrap: found 33072; expected 10497 (Repeat), 33071 (Clamp), 33648 (Mirror); Repeat is used",
            ),
            (
                FileRepair::Malformed,
                "materials[0].extensions.KHR_materials_ior.ior: the value: found the string \"glass\"; expected a number; skipped",
            ),
            (
                FileRepair::WrongType,
                "materials[0].alphaMode: the alpha mode: found \"blend\"; expected OPAQUE, MASK or BLEND; read as BLEND",
            ),
            (
                FileRepair::MissingValue,
                "meshes[0].primitives[0]: its material has a texture, but TEXCOORD_0 is missing",
            ),
        ],
    );
    assert_eq!(file.model.materials[0].alpha, Some(AlphaMode::Blend));
    document["materials"] = json!([{"alphaMode": "MASK", "alphaCutoff": 2.0}]);
    let file = model(&document);
    assert_eq!(file.model.materials[0].alpha, Some(AlphaMode::Mask { cutoff: 2.0 }));
}

#[test]
fn factors_of_materials_outside_of_their_range_are_reported_with_the_used_ones() {
    let mut document = triangle();
    document["meshes"][0]["primitives"][0]["material"] = json!(0);
    document["materials"] = json!([{
        "pbrMetallicRoughness": {"metallicFactor": -1, "roughnessFactor": 1.5},
        "extensions": {
            "KHR_materials_ior": {"ior": 0.5},
            "KHR_materials_anisotropy": {"anisotropyStrength": 1.5},
            "KHR_materials_transmission": {"transmissionFactor": 2},
            "KHR_materials_volume": {"thicknessFactor": -1, "attenuationColor": [-0.5, 1.5, 1], "attenuationDistance": 0},
        },
    }]);
    let told = |message| (FileRepair::OutOfRange, message);
    let file = mended(
        &document,
        &[
            told(
                "materials[0].pbrMetallicRoughness.metallicFactor: the factor: found -1; expected a number from 0 to 1; 0 is used",
            ),
            told(
                "materials[0].pbrMetallicRoughness.roughnessFactor: the factor: found 1.5; expected a number from 0 to 1; 1 is used",
            ),
            told(
                "materials[0].extensions.KHR_materials_ior.ior: the factor: found 0.5; expected a number of at least 1; 1 is used",
            ),
            told(
                "materials[0].extensions.KHR_materials_transmission.transmissionFactor: the factor: found 2; ",
            ),
            told(
                "materials[0].extensions.KHR_materials_volume.thicknessFactor: the factor: found -1; ",
            ),
            told(
                "materials[0].extensions.KHR_materials_volume.attenuationColor[0]: the factor: found -0.5; ",
            ),
            told(
                "materials[0].extensions.KHR_materials_volume.attenuationColor[1]: the factor: found 1.5; ",
            ),
            told(
                "materials[0].extensions.KHR_materials_volume.attenuationDistance: the distance: found 0; expected a number above 0; there is no absorption",
            ),
            told(
                "materials[0].extensions.KHR_materials_anisotropy.anisotropyStrength: the factor: found 1.5; ",
            ),
        ],
    );
    let response = file.model.materials[0].response.as_deref().unwrap();
    assert_eq!((response.metallic, response.roughness, response.ior), (0.0, 1.0, 1.0));
    assert_eq!((response.transmission.share, response.transmission.thickness), (1.0, 0.0));
    assert_eq!(
        response.transmission.attenuation_color,
        tintype_model::LinearRgb::new(0.0, 1.0, 1.0)
    );
    assert_eq!(response.transmission.attenuation_distance, f32::INFINITY);
    assert_eq!(response.anisotropy.strength, 1.0);
    // An index of 0 is a mirror, and nothing is reported.
    document["materials"] = json!([{"extensions": {"KHR_materials_ior": {"ior": 0}}}]);
    mended(&document, &[]);
}

#[test]
fn extensions_without_a_look_are_no_warnings_and_others_are_by_their_kind() {
    let mut document = triangle();
    document["extensionsUsed"] = json!([
        "EXT_structural_metadata",
        "EXT_mesh_features",
        "AGI_articulations",
        "KHR_materials_dispersion"
    ]);
    document["extensionsRequired"] =
        json!(["EXT_mesh_features", "AGI_articulations", "KHR_materials_dispersion"]);
    mended(
        &document,
        &[
            (
                FileRepair::Effect,
                "extensionsRequired[1]: AGI_articulations is required and not supported: articulations",
            ),
            (
                FileRepair::Approximated,
                "extensionsRequired[2]: KHR_materials_dispersion is required and not supported: light",
            ),
        ],
    );
}

#[test]
fn values_of_wrong_types_cost_themselves() {
    let mut document = triangle();
    document["nodes"][0]["name"] = json!(3);
    document["nodes"].as_array_mut().unwrap().push(json!("node"));
    let told = |begin| (FileRepair::WrongType, begin);
    mended(
        &document,
        &[
            told("nodes[0].name: the value: found 3; expected a string; skipped"),
            told("nodes[1]: the value: found the string \"node\"; expected an object; skipped"),
        ],
    );
    document["accessors"][0]["byteOffset"] = json!("4");
    assert_eq!(
        refusal(&document),
        "accessors[0].byteOffset: the value: found the string \"4\"; expected a whole number from 0"
    );
}

#[test]
fn elements_that_are_null_keep_the_places_of_the_others() {
    let mut document = triangle();
    document["nodes"] = json!([null, {"mesh": 0, "children": [null, 2], "weights": null}, {}]);
    document["scenes"][0]["nodes"] = json!([1]);
    document["meshes"].as_array_mut().unwrap().insert(0, json!(null));
    document["nodes"][1]["mesh"] = json!(1);
    let file = mended(
        &document,
        &[
            (FileRepair::WrongType, "meshes[0]: null; treated as missing, 4 in total"),
            (FileRepair::BadReference, "nodes[1].children[0]: the child: found nothing"),
        ],
    );
    assert_eq!(file.model.skeleton.len(), 2);
}

#[test]
fn a_file_that_ends_before_its_positions_is_told_as_such() {
    let mut document = triangle();
    document["buffers"][0]["uri"] = json!("data:;base64,AAAA");
    let message =
        "buffers[0].byteLength: the bytes of the buffer: found 36; expected the 3 available";
    assert_eq!(refusal(&document), message);
}

#[test]
fn zeros_at_the_end_of_indices_and_normals_are_told() {
    let mut bytes = Bytes::default();
    let corners: Vec<f32> =
        (0..10_u8).flat_map(|x| [f32::from(x), f32::from(x % 3), 0.0]).collect();
    let positions = bytes.reals("VEC3", 3, &corners);
    let up = [0.0, 0.0, 1.0].repeat(2);
    let normals = bytes.reals("VEC3", 3, &[up, vec![0.0; 24]].concat());
    let indices = bytes.accessor("SCALAR", 5121, 27, &[vec![0, 1, 2], vec![0; 24]].concat());
    let document = bytes.finish(json!({
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": positions, "NORMAL": normals}, "indices": indices}]}],
    }));
    let at = "meshes[0].primitives[0]";
    mended(
        &document,
        &[
            (
                FileRepair::Truncated,
                &format!("{at}.attributes.NORMAL: the last 8 of 10 normals are 0"),
            ),
            (
                FileRepair::Truncated,
                &format!("{at}.indices: the last 8 of 9 triangles only use vertex 0"),
            ),
        ],
    );
}

#[test]
fn numbers_that_json_does_not_have_are_none() {
    let mut document = triangle();
    document["nodes"][0]["name"] = json!("NaN \\ Infinity");
    document["nodes"][0]["translation"] = json!([0, "?", 1]);
    document["accessors"][0]["min"] = json!(["?", 0, 0]);
    document["accessors"][0]["max"] = json!([1, 1, 0]);
    let text = document.to_string().replace("\"?\"", "NaN");
    let nothing = |_: &str| Err("no such file".to_owned());
    let loaded = parse_model(text.as_bytes(), &nothing, &LoadOptions::default()).unwrap();
    assert!(loaded.warnings.iter().all(|one| one.fault == FileRepair::WrongType));
    assert!(loaded.warnings.iter().any(|one| one.message.starts_with("nodes[0].translation")));
    let joint = &loaded.value.model.skeleton.joints()[0];
    assert_eq!(
        (joint.name.as_str(), joint.model_from_joint.translation),
        ("NaN \\ Infinity", Vec3::ZERO)
    );
}

#[test]
fn the_numbers_of_an_accessor_are_held_against_its_bounds() {
    let mut document = triangle();
    let bounds = |document: &mut Value, most: f64| {
        document["accessors"][0]["min"] = json!([0.0, 0.0, 0.0]);
        document["accessors"][0]["max"] = json!([1.0, most, 0.0]);
    };
    bounds(&mut document, 1.0005);
    mended(&document, &[]);
    bounds(&mut document, 3.0);
    let told = "accessors[0]: component 1: found 0 to 1; expected 0 to 3, from min and max; used unchanged";
    mended(&document, &[(FileRepair::OutOfBounds, told)]);
}

#[test]
fn many_warnings_of_one_kind_are_counted() {
    let mut document = triangle();
    let nodes = document["nodes"].as_array_mut().unwrap();
    nodes.extend((0..50).map(|_| json!({"rotation": [0, 0, 0, 0]})));
    document["scenes"][0]["nodes"] = json!((0..51).collect::<Vec<_>>());
    let warnings = read(&document).unwrap().warnings;
    assert_eq!(warnings.len(), 21);
    assert_eq!(
        warnings[20],
        FileRepair::MoreWarnings.told("and 30 more warnings of kind zero-rotation")
    );
}

#[test]
fn meshes_for_the_first_person_are_left_out() {
    for (name, own) in [
        (
            "VRMC_vrm",
            json!({"firstPerson": {"meshAnnotations": [{"node": 1, "type": "firstPersonOnly"}]}}),
        ),
        (
            "VRM",
            json!({"firstPerson": {"meshAnnotations": [{"mesh": 1, "firstPersonFlag": "FirstPersonOnly"}]}}),
        ),
    ] {
        let mut document = triangle();
        let mesh = document["meshes"][0].clone();
        document["meshes"].as_array_mut().unwrap().push(mesh);
        document["nodes"] = json!([{"mesh": 0}, {"mesh": 1}]);
        document["scenes"][0]["nodes"] = json!([0, 1]);
        document["extensionsUsed"] = json!([name]);
        document["extensions"] = json!({name: own});
        let told = "nodes[1]: for first-person view only; not drawn";
        mended(&document, &[(FileRepair::NotDrawn, told)]);
    }
}

#[test]
fn a_list_is_no_object_in_the_order_of_its_fields() {
    let mut document = triangle();
    document["meshes"][0]["primitives"][0]["material"] = json!(0);
    let list = json!([[1.0, 0.0, 0.0, 1.0], null, 0.0, 1.0, null]);
    for (material, told) in [
        (
            json!({"pbrMetallicRoughness": list}),
            "materials[0].pbrMetallicRoughness: the value: found a list of 5; expected an object; skipped",
        ),
        (json!([]), "materials[0]: the value: found an empty list; expected an object; skipped"),
        (
            json!({"emissiveFactor": [1, 1]}),
            "materials[0].emissiveFactor: the value: found a list of 2; expected a list of 3 numbers; skipped",
        ),
        (
            json!({"emissiveFactor": [1, "1", 1]}),
            "materials[0].emissiveFactor[1]: the value: found the string \"1\"; expected a number; skipped",
        ),
    ] {
        document["materials"] = json!([material]);
        let found = mended(&document, &[(FileRepair::WrongType, told)]);
        assert_eq!(found.model.materials[0].color, tintype_model::LinearRgb::WHITE);
    }
    document["materials"] = json!([{"extensions": {"KHR_materials_ior": [2.0]}}]);
    let told = "materials[0].extensions.KHR_materials_ior: the value: found a list of 1; expected an object; skipped";
    mended(&document, &[(FileRepair::Malformed, told)]);
    let base = json!({"baseColorTexture": {"index": 0}});
    document["materials"] = json!([{"pbrMetallicRoughness": base}]);
    (document["textures"], document["images"]) = (json!([{"source": 0}]), json!([["a", 1]]));
    let told = "images[0]: the value: found a list of 2; expected an object; skipped";
    mended(&document, &[(FileRepair::WrongType, told)]);
    document["bufferViews"] = json!({"a": 1});
    let told = "bufferViews: the value: found an object; expected a list";
    assert_eq!(refusal(&document), told);
    document = triangle();
    document["meshes"] = json!([[]]);
    assert_eq!(
        self::told(&document),
        "meshes[0]: the value: found an empty list; expected an object; skipped"
    );
}

#[test]
fn text_that_is_no_json_is_told_without_words_of_its_parser() {
    let nothing = |_: &str| Err("no such file".to_owned());
    let told = |text: &str| {
        parse_model(text.as_bytes(), &nothing, &LoadOptions::default()).unwrap_err().to_string()
    };
    assert_eq!(told("{\"asset\": {"), "line 1, column 11: the text ends inside an object");
    assert_eq!(told("{\"asset\": }"), "line 1, column 11: expected value");
}

#[test]
fn required_extensions_of_unknown_makers_cost_their_look() {
    let mut document = triangle();
    document["extensionsRequired"] = json!(["ACME_glow"]);
    document["nodes"][0]["extensions"] = json!({"ACME_glow": {"strength": 1}});
    let told =
        "extensionsRequired[0]: ACME_glow is required and not supported: its effect is not drawn";
    mended(&document, &[(FileRepair::Approximated, told)]);
    document["nodes"][0].as_object_mut().unwrap().remove("extensions");
    for (pointer, what) in
        [("/accessors/0", "numbers"), ("/bufferViews/0", "bytes"), ("/buffers/0", "files")]
    {
        let mut coded = document.clone();
        coded.pointer_mut(pointer).unwrap()["extensions"] = json!({"ACME_glow": {}});
        assert!(refusal(&coded).contains("requires the extension ACME_glow"), "{what}");
    }
    document["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    assert!(refusal(&document).contains("requires the extension ACME_glow"));
}

#[test]
fn required_extensions_are_sought_in_texts_that_are_no_plain_json() {
    let nothing = |_: &str| Err("no such file".to_owned());
    let mut document = triangle();
    document["extensionsRequired"] = json!(["ACME_glow"]);
    document["accessors"][0]["extensions"] = json!({"ACME_glow": {}});
    document["extras"] = json!("here");
    let plain = document.to_string();
    for other in ["NaN".to_owned(), "[".repeat(200) + &"]".repeat(200)] {
        let text = plain.replace("\"here\"", &other);
        let refused = parse_model(text.as_bytes(), &nothing, &LoadOptions::default()).unwrap_err();
        assert!(refused.to_string().contains("requires the extension ACME_glow"), "{refused}");
    }
    let text = plain + "{}";
    let refused = parse_model(text.as_bytes(), &nothing, &LoadOptions::default()).unwrap_err();
    assert!(refused.to_string().contains("requires the extension ACME_glow"), "{refused}");
}

#[test]
fn mask_with_a_cutoff_of_0_is_solid() {
    let mut document = triangle();
    document["meshes"][0]["primitives"][0]["material"] = json!(0);
    for (cutoff, expected) in [
        (0.0, AlphaMode::Opaque),
        (-1.0, AlphaMode::Opaque),
        (0.25, AlphaMode::Mask { cutoff: 0.25 }),
    ] {
        document["materials"] = json!([{"alphaMode": "MASK", "alphaCutoff": cutoff}]);
        assert_eq!(model(&document).model.materials[0].alpha, Some(expected));
    }
}
