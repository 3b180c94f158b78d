//! Damaged and hostile documents: each is refused with the path of its mistake, or drawn with a
//! warning.

use super::*;

/// A triangle with indices, a skin, and a clip that moves its node.
pub(super) fn sound() -> Value {
    let mut bytes = Bytes::default();
    let positions = bytes.reals("VEC3", 3, &CORNERS);
    let joints = bytes.accessor("VEC4", 5121, 3, &[0; 12]);
    let weights = bytes.reals("VEC4", 4, &[1.0, 0.0, 0.0, 0.0].repeat(3));
    let indices = bytes.accessor("SCALAR", 5123, 3, &[0, 0, 1, 0, 2, 0]);
    let identity = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let inverse = bytes.reals("MAT4", 16, &identity);
    let times = bytes.reals("SCALAR", 1, &[0.0, 1.0]);
    let turns = bytes.reals("VEC4", 4, &[0.0, 0.0, 0.0, 1.0].repeat(2));
    bytes.finish(json!({
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0, "skin": 0}, {"children": [2]}, {}],
        "skins": [{"joints": [1], "inverseBindMatrices": inverse}],
        "meshes": [{"primitives": [{"indices": indices, "attributes": {
            "POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights}}]}],
        "animations": [{
            "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}],
            "samplers": [{"input": times, "output": turns}],
        }],
    }))
}

/// The document with a value at a JSON pointer.
pub(super) fn with(pointer: &str, value: Value) -> Value {
    let mut document = sound();
    let (owner, key) = pointer.rsplit_once('/').unwrap();
    let owner = document.pointer_mut(owner).unwrap();
    match owner {
        Value::Array(list) => list[key.parse::<usize>().unwrap()] = value,
        _ => owner[key] = value,
    }
    document
}

/// The document with other bytes at one position of its buffer.
pub(super) fn with_bytes(at: usize, new: &[u8]) -> Value {
    let mut document = sound();
    let uri = document["buffers"][0]["uri"].as_str().unwrap().to_owned();
    let engine = base64::engine::general_purpose::STANDARD;
    let mut bytes = engine.decode(&uri["data:;base64,".len()..]).unwrap();
    bytes[at..at + new.len()].copy_from_slice(new);
    document["buffers"][0]["uri"] = json!(format!("data:;base64,{}", engine.encode(bytes)));
    document
}

#[test]
fn the_sound_document_is_sound() {
    model(&sound());
}

#[test]
fn wrong_values_are_told_with_their_path() {
    for (pointer, value, message) in [
        ("/scene", json!(1), "scene: the scene: found 1; expected 0, the only one"),
        (
            "/nodes/0",
            json!({"mesh": 0, "skin": 0, "children": [2]}),
            "nodes[1].children[0]: the child: found node 2, already a child of node 0; expected a node without another parent",
        ),
        (
            "/scenes/0/nodes",
            json!([0, 2]),
            "scenes[0].nodes[1]: the node: found 2; expected a node without a parent, once",
        ),
        (
            "/scenes/0/nodes",
            json!([0, 0]),
            "scenes[0].nodes[1]: the node: found 0; expected a node without a parent, once",
        ),
        ("/nodes/0/skin", json!(4), "nodes[0].skin: the skin: found 4; expected 0, the only one"),
        (
            "/nodes/1/matrix",
            json!([1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
            "nodes[1].matrix: the last row: found another row; expected 0, 0, 0, 1",
        ),
        (
            "/skins/0/joints",
            json!([3]),
            "skins[0].joints[0]: the node of the joint: found 3; expected an index below 3",
        ),
        (
            "/skins/0/joints",
            json!([]),
            "skins[0].joints: the joints: found none; expected at least one node",
        ),
        (
            "/skins/0/joints",
            json!([1, 2]),
            "skins[0].inverseBindMatrices: matrix 1: found nothing; expected an affine matrix for each joint",
        ),
        (
            "/meshes/0/primitives/0/mode",
            json!(7),
            "meshes[0].primitives[0].mode: the mode: found 7; expected 0 to 6",
        ),
        (
            "/meshes/0/primitives/0/attributes",
            json!({"POSITION": 0, "JOINTS_0": 1}),
            "meshes[0].primitives[0].attributes.JOINTS_0: the influences: found no WEIGHTS_0; expected joints and weights together",
        ),
        (
            "/meshes/0/primitives/0/attributes/POSITION",
            json!(70),
            "meshes[0].primitives[0].attributes.POSITION: the accessor: found 70; expected an index below 7",
        ),
        (
            "/accessors/2/count",
            json!(2),
            "meshes[0].primitives[0].attributes.WEIGHTS_0: element count: found 2; expected 3, as in POSITION",
        ),
        (
            "/accessors/3/componentType",
            json!(5126),
            "accessors[3]: the range of the elements: found 3 elements of 4 bytes, 4 apart, from byte 0; expected a range within the 6 bytes of the buffer view",
        ),
        (
            "/bufferViews/0/byteStride",
            json!(4_294_967_296_u64),
            "accessors[0]: the range of the elements: found 3 elements of 12 bytes, 4294967296 apart, from byte 0",
        ),
        (
            "/animations/0/channels/0/target/node",
            json!(9),
            "animations[0].channels[0].target.node: the node: found 9; expected an index below 3",
        ),
        (
            "/animations/0/channels/0/sampler",
            json!(1),
            "animations[0].channels[0].sampler: the sampler: found 1; expected 0, the only one",
        ),
        (
            "/animations/0/channels/0/target/path",
            json!("colour"),
            "animations[0].channels[0].target.path: the property: found \"colour\"; expected translation, rotation, scale or weights",
        ),
        (
            "/animations/0/samplers/0/interpolation",
            json!("BEZIER"),
            "animations[0].samplers[0].interpolation: the interpolation: found \"BEZIER\"; expected LINEAR, STEP or CUBICSPLINE",
        ),
        (
            "/animations/0/samplers/0/interpolation",
            json!("CUBICSPLINE"),
            "animations[0].samplers[0].output: the count of values: found 2; expected 6, 3 for each of 2 keys",
        ),
        (
            "/buffers/0/uri",
            json!("/dev/zero"),
            "buffers[0].uri: the URI: found \"/dev/zero\"; expected a relative path below the folder of the file, or a data URI",
        ),
        (
            "/buffers/0/uri",
            json!("file:///dev/zero"),
            "buffers[0].uri: the URI: found \"file:///dev/zero\"; expected a relative path below the folder of the file, or a data URI",
        ),
    ] {
        assert_told(&with(pointer, value), message);
    }
}

#[test]
fn a_buffer_without_bytes_is_refused() {
    let mut document = sound();
    document["buffers"][0].as_object_mut().unwrap().remove("uri");
    assert_eq!(
        refusal(&document),
        "buffers[0]: the data of the buffer: found none; expected a URI, or the binary chunk of a .glb file"
    );
}

#[test]
fn copies_of_copies_are_limited_before_memory_is_taken() {
    let mut document = sound();
    document["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
    document["accessors"]
        .as_array_mut()
        .unwrap()
        .push(json!({"componentType": 5126, "count": 8_000_000, "type": "VEC3"}));
    document["nodes"][0] = json!({"mesh": 0, "extensions": {
        "EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 7}}}});
    let message = refusal(&document);
    assert!(message.contains("influences, corners and targets of all instances"), "{message}");
}

#[test]
fn copies_beyond_the_memory_are_refused_before_they_are_made() {
    let mut document = sound();
    document["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
    let accessors = document["accessors"].as_array_mut().unwrap();
    let places = accessors.len();
    accessors.push(json!({"componentType": 5126, "count": 1000, "type": "VEC3"}));
    document["nodes"][0] = json!({"mesh": 0, "extensions": {
        "EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": places}}}});
    let mut limits = crate::Limits::default();
    let mut read = |corners: usize| {
        limits.max_instanced_corners = corners;
        let nothing = |_: &str| Err("no such file".to_owned());
        let options = LoadOptions::from(limits.clone());
        parse_model(document.to_string().as_bytes(), &nothing, &options)
    };
    let made = read(usize::MAX).unwrap().value.model;
    let corners: usize = made.meshes.iter().map(|mesh| mesh.triangles.len() * 3).sum();
    assert!(corners >= 1000, "{corners}");
    assert!(read(corners).is_ok());
    let message = read(corners - 1).unwrap_err().to_string();
    assert!(message.contains("corners of all instances"), "{message}");
}

#[test]
fn copies_of_all_nodes_are_counted_before_any_mesh_is_made() {
    let mut document = sound();
    document["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
    let accessors = document["accessors"].as_array_mut().unwrap();
    let places = accessors.len();
    accessors.push(json!({"componentType": 5126, "count": 1000, "type": "VEC3"}));
    let copied = json!({"mesh": 0, "extensions": {
        "EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": places}}}});
    let nodes = document["nodes"].as_array_mut().unwrap();
    let first = nodes.len();
    nodes.extend([copied.clone(), copied]);
    document["scenes"][0]["nodes"] = json!([first, first + 1]);
    let read = |document: &Value, corners: usize| {
        let max_instanced_corners = corners;
        let limits = crate::Limits { max_instanced_corners, ..Default::default() };
        let nothing = |_: &str| Err("no such file".to_owned());
        parse_model(document.to_string().as_bytes(), &nothing, &LoadOptions::from(limits))
    };
    let made = read(&document, usize::MAX).unwrap().value.model;
    let corners: usize = made.meshes.iter().map(|mesh| mesh.triangles.len() * 3).sum();
    // The first node has a fault that shows only as its mesh is made.
    document["meshes"][0]["primitives"][0]["mode"] = json!(7);
    let message = read(&document, corners).unwrap_err().to_string();
    assert!(message.contains("the mode"), "{message}");
    let message = read(&document, corners - 1).unwrap_err().to_string();
    assert!(message.contains("corners of all instances"), "{message}");
}

#[test]
fn long_chains_and_many_roots_of_nodes_take_no_time() {
    let mut document = sound();
    let count = 60_000;
    let mut nodes: Vec<Value> = (1..count).map(|next| json!({"children": [next]})).collect();
    nodes.push(json!({}));
    document["nodes"] = json!(nodes);
    document["scenes"] = json!([{"nodes": [0]}]);
    document["skins"][0]["joints"] = json!((0..count).rev().collect::<Vec<_>>());
    document["skins"][0].as_object_mut().unwrap().remove("inverseBindMatrices");
    let file = read(&document).unwrap().value;
    assert_eq!(file.model.skeleton.len(), count);
    document["nodes"] = json!((0..count).map(|_| json!({})).collect::<Vec<_>>());
    document["scenes"] = json!([{"nodes": (0..count).collect::<Vec<_>>()}]);
    assert_eq!(read(&document).unwrap().value.model.skeleton.len(), count);
}

#[test]
fn nodes_of_one_mesh_and_primitives_of_one_buffer_need_its_vertices_once() {
    let count = 30_000;
    let mut bytes = Bytes::default();
    let positions = bytes.reals("VEC3", 3, &[0.5; 9]);
    let indices = bytes.accessor("SCALAR", 5123, 3, &[0, 0, 1, 0, 2, 0]);
    let last = bytes.accessor("SCALAR", 5123, 3, &[47, 117, 46, 117, 45, 117]);
    bytes.accessors[positions] = json!({"componentType": 5126, "count": count, "type": "VEC3"});
    let primitive =
        |indices: usize| json!({"attributes": {"POSITION": positions}, "indices": indices});
    let mut document = bytes.finish(json!({
        "nodes": (0..9).map(|_| json!({"mesh": 0})).collect::<Vec<_>>(),
        "meshes": [{"primitives": [primitive(indices)]}],
    }));
    let vertices = |document: &Value| -> Vec<usize> {
        read(document)
            .unwrap()
            .value
            .model
            .meshes
            .iter()
            .map(|mesh| mesh.file_vertex_count())
            .collect()
    };
    assert_eq!(vertices(&document), [count; 9]);
    document["meshes"][0]["primitives"] =
        json!((0..9).map(|part| primitive([indices, last][part % 2])).collect::<Vec<_>>());
    document["nodes"] = json!([{"mesh": 0}]);
    assert_eq!(vertices(&document), [3; 9]);
    document["meshes"][0]["primitives"] = json!([primitive(indices)]);
    document["nodes"] = json!((0..60_000).map(|_| json!({"mesh": 0})).collect::<Vec<_>>());
    document["accessors"][positions]["count"] = json!(60_000);
    let message = refusal(&document);
    assert!(message.contains("influences, corners and targets of all instances"), "{message}");
}
