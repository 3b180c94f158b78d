use super::*;
use base64::Engine as _;
use serde_json::{Value, json};
use tintype_model::math::{Quat, Vec3};
use tintype_model::{
    AlphaMode, CullMode, FileRepair, Interpolation, TextureFilter, TextureRole, TextureWrap,
};

mod compressed;
mod mtoon;
mod texcoord;
mod vrm;

/// Little-endian bytes of numbers, and the accessors over them.
#[derive(Default)]
struct Bytes {
    data: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Bytes {
    fn view(&mut self, bytes: &[u8]) -> usize {
        self.views
            .push(json!({"buffer": 0, "byteOffset": self.data.len(), "byteLength": bytes.len()}));
        self.data.extend(bytes);
        self.data.resize(self.data.len().next_multiple_of(4), 0);
        self.views.len() - 1
    }

    fn accessor(&mut self, kind: &str, component: u32, count: usize, bytes: &[u8]) -> usize {
        let view = self.view(bytes);
        self.accessors.push(
            json!({"bufferView": view, "componentType": component, "count": count, "type": kind}),
        );
        self.accessors.len() - 1
    }

    fn reals(&mut self, kind: &str, width: usize, values: &[f32]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor(kind, 5126, values.len() / width, &bytes)
    }

    /// The document with its buffer in a data URI.
    fn finish(&self, mut document: Value) -> Value {
        let data = base64::engine::general_purpose::STANDARD.encode(&self.data);
        document["asset"] = json!({"version": "2.0"});
        document["accessors"] = json!(self.accessors);
        document["bufferViews"] = json!(self.views);
        document["buffers"] =
            json!([{"byteLength": self.data.len(), "uri": format!("data:;base64,{data}")}]);
        document
    }
}

const CORNERS: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];

/// One triangle on a node.
fn triangle() -> Value {
    let mut bytes = Bytes::default();
    let positions = bytes.reals("VEC3", 3, &CORNERS);
    bytes.finish(json!({
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": positions}}]}],
    }))
}

fn read(document: &Value) -> Result<Loaded<GltfModel>, GltfError> {
    let nothing = |_: &str| Err("no such file".to_owned());
    parse_model(document.to_string().as_bytes(), &nothing, &LoadOptions::default())
}

fn model(document: &Value) -> GltfModel {
    let loaded = read(document).unwrap();
    assert_eq!(loaded.warnings, [], "a sound file");
    loaded.value
}

fn refusal(document: &Value) -> String {
    read(document).unwrap_err().to_string()
}

/// The first message about a document: its error, otherwise its first warning.
fn told(document: &Value) -> String {
    match read(document) {
        Ok(loaded) => loaded.warnings.first().map(|one| one.message.clone()).unwrap_or_default(),
        Err(error) => error.to_string(),
    }
}

fn assert_told(document: &Value, message: &str) {
    let found = told(document);
    assert!(found.starts_with(message), "{found}\n{message}");
}

/// The vertices of a mesh in the bind pose of the skeleton.
fn placed(file: &GltfModel, mesh: usize) -> Vec<Vec3> {
    let mesh = &file.model.meshes[mesh];
    let joints = file.model.skeleton.joints();
    let place = |vertex: usize| {
        mesh.influences[mesh.influences_of(vertex)].iter().fold(Vec3::ZERO, |sum, influence| {
            let joint = joints[influence.joint().index()].model_from_joint;
            sum + joint.transform_point3(influence.position()) * influence.weight()
        })
    };
    (0..mesh.vertex_count()).map(place).collect()
}

fn normals(file: &GltfModel, mesh: usize) -> Vec<Vec3> {
    let mesh = &file.model.meshes[mesh];
    (0..mesh.vertex_count())
        .map(|vertex| {
            let influence = mesh.influences[mesh.influences_of(vertex)][0];
            let joint = file.model.skeleton.joints()[influence.joint().index()].model_from_joint;
            (tintype_model::math::normal_matrix(joint.matrix3) * influence.normal()).normalize()
        })
        .collect()
}

#[test]
fn nodes_place_meshes_and_are_joints() {
    let mut document = triangle();
    document["nodes"] = json!([
        {"name": "root", "translation": [1.0, 2.0, 3.0], "children": [1, 2]},
        {"mesh": 0, "scale": [2.0, 2.0, 2.0]},
        {"name": "root", "rotation": [0.0, 0.0, 1.0, 0.0], "mesh": 0},
    ]);
    let file = model(&document);
    let names: Vec<&str> =
        file.model.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["root", "node_1", "root.2"]);
    assert_eq!(
        placed(&file, 0),
        [Vec3::new(1.0, 2.0, 3.0), Vec3::new(3.0, 2.0, 3.0), Vec3::new(1.0, 4.0, 3.0)]
    );
    assert_eq!(placed(&file, 1)[1], Vec3::new(0.0, 2.0, 3.0));
    assert_eq!(file.model.front, Vec3::Z);
}

#[test]
fn faces_without_normals_are_flat() {
    let mut bytes = Bytes::default();
    // Two triangles with a common edge at a right angle.
    let positions =
        bytes.reals("VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    let indices = bytes.accessor("SCALAR", 5121, 6, &[0, 1, 2, 0, 3, 1]);
    let file = model(&bytes.finish(json!({
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": positions}, "indices": indices}]}],
    })));
    let mesh = &file.model.meshes[0];
    assert_eq!((mesh.vertex_count(), mesh.file_vertex_count()), (6, 4));
    assert_eq!(mesh.triangles, [[0, 1, 2], [4, 3, 5]]);
    assert_eq!(mesh.source_vertex, [0, 1]);
    assert_eq!(normals(&file, 0), [Vec3::Z, Vec3::Z, Vec3::Z, Vec3::Y, Vec3::Y, Vec3::Y]);
}

#[test]
fn mirrored_nodes_turn_faces_over_and_keep_normals_outward() {
    let mut document = triangle();
    document["nodes"][0]["scale"] = json!([-1.0, 1.0, 1.0]);
    let file = model(&document);
    assert_eq!(file.model.meshes[0].triangles, [[0, 2, 1]]);
    assert_eq!(placed(&file, 0)[1], -Vec3::X);
    assert_eq!(normals(&file, 0)[0], Vec3::Z);
}

#[test]
fn strips_and_fans_become_triangles_of_one_winding() {
    for (mode, expected) in [
        (4, vec![[0, 1, 2]]),
        (5, vec![[0, 1, 2], [2, 1, 3], [2, 3, 4]]),
        (6, vec![[0, 1, 2], [0, 2, 3], [0, 3, 4]]),
    ] {
        let mut bytes = Bytes::default();
        let positions = bytes.reals(
            "VEC3",
            3,
            &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 2.0, 0.0],
        );
        let normals = bytes.reals("VEC3", 3, &[0.0, 0.0, 1.0].repeat(5));
        let loaded = read(&bytes.finish(json!({
            "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": positions, "NORMAL": normals}, "mode": mode}]}],
        }))).unwrap();
        assert_eq!(loaded.value.model.meshes[0].triangles, expected, "{mode}");
        assert_eq!(loaded.warnings.len(), usize::from(mode == 4), "a rest of two corners");
        assert!(loaded.warnings.iter().all(|one| one.fault == FileRepair::FewCorners));
    }
    let mut document = triangle();
    document["meshes"][0]["primitives"][0]["mode"] = json!(1);
    let loaded = read(&document).unwrap();
    assert_eq!(
        loaded.warnings,
        [FileRepair::NotDrawn.told("meshes[0].primitives[0]: lines are not drawn")]
    );
    assert!(loaded.value.model.meshes.is_empty());
}

/// A triangle with a skin of two joints under a node with a transform.
fn skinned(joints: [u8; 12], weights: [f32; 12]) -> Value {
    let mut bytes = Bytes::default();
    let positions = bytes.reals("VEC3", 3, &CORNERS);
    let joints = bytes.accessor("VEC4", 5121, 3, &joints);
    let weights = bytes.reals("VEC4", 4, &weights);
    let inverse =
        |x: f32| [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, 0.0, 0.0, 1.0];
    let matrices = bytes.reals("MAT4", 16, &[inverse(0.0), inverse(-1.0)].concat());
    bytes.finish(json!({
        "nodes": [
            {"mesh": 0, "skin": 0, "translation": [100.0, 0.0, 0.0]},
            {"name": "hip", "children": [2]},
            {"name": "knee", "translation": [1.0, 5.0, 0.0]},
        ],
        "skins": [{"joints": [1, 2], "inverseBindMatrices": matrices}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights}}]}],
    }))
}

#[test]
fn skins_move_vertices_and_their_node_does_not() {
    let one = |first: f32| [first, 1.0 - first, 0.0, 0.0];
    let file = model(&skinned(
        [0, 1, 0, 0].repeat(3).try_into().unwrap(),
        [one(1.0), one(0.0), one(0.5)].concat().try_into().unwrap(),
    ));
    // The knee is five units higher than where it was bound.
    assert_eq!(placed(&file, 0), [Vec3::ZERO, Vec3::new(1.0, 5.0, 0.0), Vec3::new(0.0, 3.5, 0.0)]);
    assert_eq!(file.model.meshes[0].influences.len(), 4, "weights of 0 are skipped");
    // Without matrices that can be read, each joint is bound as it rests.
    let mut document = skinned(
        [0, 1, 0, 0].repeat(3).try_into().unwrap(),
        [one(1.0), one(0.0), one(0.5)].concat().try_into().unwrap(),
    );
    document["skins"][0]["inverseBindMatrices"] = json!(99);
    let loaded = read(&document).unwrap();
    assert_eq!(loaded.warnings.len(), 1, "{:?}", loaded.warnings);
    assert_eq!(placed(&loaded.value, 0), [Vec3::ZERO, Vec3::X, Vec3::Y]);
    assert_eq!(loaded.value.model.meshes[0].influences.len(), 4);
}

#[test]
fn skins_tell_of_weights_that_are_off_and_of_joints_that_are_none() {
    let off = [[0.5, 0.0, 0.0, 0.0], [0.0; 4], [1.0, 0.0, 0.0, 0.0]].concat();
    let loaded =
        read(&skinned([1, 0, 0, 0].repeat(3).try_into().unwrap(), off.try_into().unwrap()))
            .unwrap();
    assert_eq!(
        loaded.warnings,
        [
            FileRepair::NoWeight.told("meshes[0].primitives[0]: 1 of 3 vertices have no weight and follow their first joint"),
            FileRepair::WeightSum.told("meshes[0].primitives[0]: the weights of 1 of 3 vertices do not sum to 1 and are normalized; the worst sum is 0.5"),
        ]
    );
    let below = [-0.25, 0.5, -0.5, 0.0].repeat(3).try_into().unwrap();
    let scaled = read(&skinned([0, 1, 1, 0].repeat(3).try_into().unwrap(), below)).unwrap();
    let influences = &scaled.value.model.meshes[0].influences;
    assert_eq!([0, 1, 2].map(|at| influences[at].weight()), [1.0, -2.0, 2.0], "their sum is 1");
    assert_eq!(loaded.value.model.meshes[0].unweighted_vertices, [1]);
    assert!(
        loaded.value.model.meshes[0].influences.iter().all(|influence| influence.weight() == 1.0)
    );
    let whole = [1.0, 0.0, 0.0, 0.0].repeat(3).try_into().unwrap();
    assert_told(
        &skinned([2, 0, 0, 0].repeat(3).try_into().unwrap(), whole),
        "meshes[0].primitives[0].attributes.JOINTS_0: the joint of vertex 0: found 2; expected below 2, the skin's joint count",
    );
}

#[test]
fn clips_hold_the_channels_of_nodes() {
    let mut bytes = Bytes::default();
    let positions = bytes.reals("VEC3", 3, &CORNERS);
    let times = bytes.reals("SCALAR", 1, &[0.5, 1.0, 1.5]);
    let places = bytes.reals("VEC3", 3, &[0.0; 9]);
    let turns = bytes.reals("VEC4", 4, &[0.0, 0.0, 0.0, 2.0].repeat(9));
    let mut document = bytes.finish(json!({
        "nodes": [{"name": "box", "mesh": 0, "scale": [1.0, -1.0, 1.0]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": positions}}]}],
        "animations": [{
            "name": "move",
            "channels": [
                {"sampler": 0, "target": {"node": 0, "path": "translation"}},
                {"sampler": 1, "target": {"node": 0, "path": "rotation"}},
            ],
            "samplers": [
                {"input": times, "output": places, "interpolation": "STEP"},
                {"input": times, "output": turns, "interpolation": "CUBICSPLINE"},
            ],
        }],
    }));
    let file = model(&document);
    let clip = &file.clips[0];
    assert_eq!(
        (clip.name.as_str(), clip.clip.key_count(), clip.clip.key_rate_hz),
        ("move", 3, Some(2.0))
    );
    assert_eq!((clip.clip.start_s, clip.clip.end_s, clip.clip.period_s), (0.0, 1.5, 1.5));
    let tracks = &clip.clip.joints[0];
    assert_eq!(
        (tracks.name.as_str(), tracks.translation.interpolation),
        ("box", Interpolation::Step)
    );
    assert_eq!(tracks.rotation.values[1], Quat::IDENTITY, "made unit");
    assert!(tracks.scale.values.is_empty(), "the node keeps its own");
    assert_eq!(
        file.model.skeleton.rest(0).scale,
        Vec3::new(1.0, -1.0, 1.0),
        "the axis of the mirror is kept"
    );

    document["animations"][0]["channels"][1]["target"]["path"] = json!("translation");
    assert_told(
        &document,
        "animations[0].samplers[1].output: the type of elements: found VEC4 of accessor 3; expected VEC3",
    );
    document["animations"][0]["channels"][1] =
        json!({"sampler": 0, "target": {"node": 0, "path": "translation"}});
    assert_told(
        &document,
        "animations[0].channels[1].target: the target: found the target of an earlier channel",
    );
}

#[test]
fn key_times_that_do_not_rise_are_told() {
    for (times, message) in [
        ([0.0, 1.0, 1.0], "the time of key 2: found 1; expected more than 1, the time of key 1"),
        ([0.0, 1.0, 0.5], "the time of key 2: found 0.5; expected more than 1, the time of key 1"),
        ([-1.0, 1.0, 1.5], "the time of key 0: found -1; expected at least 0"),
    ] {
        let mut bytes = Bytes::default();
        let times = bytes.reals("SCALAR", 1, &times);
        let places = bytes.reals("VEC3", 3, &[0.0; 9]);
        let document = bytes.finish(json!({
            "nodes": [{}],
            "animations": [{
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
                "samplers": [{"input": times, "output": places}],
            }],
        }));
        assert_told(&document, &format!("animations[0].samplers[0].input: {message}"));
    }
}

#[test]
fn accessors_read_strides_sparse_elements_and_normalised_integers() {
    let mut bytes = Bytes::default();
    // Positions 16 bytes apart.
    let spread: Vec<f32> = CORNERS.chunks(3).flat_map(|corner| [corner, &[9.0]].concat()).collect();
    let positions = bytes.reals("VEC3", 4, &spread);
    bytes.views[0]["byteStride"] = json!(16);
    let rows = bytes.view(&[1, 0]);
    let moved: Vec<u8> = [5.0_f32, 6.0, 7.0].iter().flat_map(|value| value.to_le_bytes()).collect();
    let values = bytes.view(&moved);
    bytes.accessors[positions]["sparse"] = json!({
        "count": 1,
        "indices": {"bufferView": rows, "componentType": 5121},
        "values": {"bufferView": values},
    });
    let colors =
        bytes.accessor("VEC4", 5121, 3, &[255, 0, 51, 255, 0, 0, 0, 0, 255, 255, 255, 102]);
    bytes.accessors[colors]["normalized"] = json!(true);
    let file = model(&bytes.finish(json!({
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": positions, "COLOR_0": colors}}]}],
    })));
    assert_eq!(placed(&file, 0), [Vec3::ZERO, Vec3::new(5.0, 6.0, 7.0), Vec3::Y]);
    assert_eq!(file.model.meshes[0].colors[0].to_array(), [1.0, 0.0, 0.2, 1.0]);
    assert_eq!(file.model.meshes[0].colors[2].w, 0.4);
}

#[test]
fn accessors_without_a_view_are_zeros() {
    let mut document = triangle();
    document["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    assert_eq!(placed(&model(&document), 0), [Vec3::ZERO; 3]);
    document["accessors"][0]["count"] = json!(4_000_000_000_u64);
    assert!(refusal(&document).contains("the limit is "), "{}", refusal(&document));
}

/// A change of the triangle, and the message that it causes.
#[test]
fn mistakes_are_told_with_their_json_path() {
    let set = |pointer: &str, value: Value| {
        let mut document = triangle();
        *document.pointer_mut(pointer).unwrap() = value;
        document
    };
    for (pointer, value, message) in [
        (
            "/asset/version",
            json!("1.0"),
            "asset.version: the version of glTF: found \"1.0\"; expected 2.0, or a later 2.x that requires no more",
        ),
        ("/nodes/0/mesh", json!(7), "nodes[0].mesh: the mesh: found 7; expected 0, the only one"),
        (
            "/scenes/0/nodes/0",
            json!(3),
            "scenes[0].nodes[0]: the node: found 3; expected 0, the only one",
        ),
        (
            "/nodes/0",
            json!({"children": [0]}),
            "nodes[0].children: the hierarchy: found node 0 below itself; expected no cycle of nodes",
        ),
        (
            "/nodes/0",
            json!({"children": [9]}),
            "nodes[0].children[0]: the child: found 9; expected 0, the only one",
        ),
        (
            "/nodes/0",
            json!({"rotation": [0, 0, 0, 0]}),
            "nodes[0].rotation: the rotation: found [0.0, 0.0, 0.0, 0.0]; expected a unit quaternion",
        ),
        (
            "/accessors/0/count",
            json!(4),
            "accessors[0]: the range of the elements: found 4 elements of 12 bytes, 12 apart, from byte 0; expected a range within the 36 bytes of the buffer view",
        ),
        (
            "/accessors/0/type",
            json!("VEC2"),
            "meshes[0].primitives[0].attributes.POSITION: the type of elements: found VEC2 of accessor 0; expected VEC3",
        ),
        (
            "/accessors/0/componentType",
            json!(5123),
            "meshes[0].primitives[0].attributes.POSITION: the type of components: found UNSIGNED_SHORT of accessor 0; expected FLOAT",
        ),
        (
            "/accessors/0/componentType",
            json!(5124),
            "accessors[0].componentType: the type of components: found 5124; expected 5120, 5121, 5122, 5123, 5125 or 5126",
        ),
        (
            "/bufferViews/0/byteLength",
            json!(37),
            "bufferViews[0]: the range of the view: found 37 bytes from byte 0; expected a range within the 36 bytes of buffer 0",
        ),
        (
            "/bufferViews/0/byteOffset",
            json!(u64::MAX),
            "bufferViews[0]: the range of the view: found 36 bytes from byte 18446744073709551615; expected a range within the 36 bytes of buffer 0",
        ),
        (
            "/bufferViews/0/buffer",
            json!(1),
            "bufferViews[0].buffer: the buffer: found 1; expected 0, the only one",
        ),
        (
            "/buffers/0/byteLength",
            json!(99),
            "buffers[0].byteLength: the bytes of the buffer: found 99; expected the 36 available",
        ),
        ("/buffers/0/uri", json!("mesh.bin"), "buffers[0].uri: \"mesh.bin\": no such file"),
        (
            "/buffers/0/uri",
            json!("../mesh.bin"),
            "buffers[0].uri: the URI: found \"../mesh.bin\"; expected a relative path below the folder of the file, or a data URI",
        ),
    ] {
        assert_told(&set(pointer, value), message);
    }
    let mut document = triangle();
    document["bufferViews"][0]["byteStride"] = json!(0);
    assert_told(
        &document,
        "bufferViews[0].byteStride: the element stride: found 0; expected a multiple of 4 from 4 to 252",
    );
    document["bufferViews"][0]["byteStride"] = json!(8);
    assert_eq!(
        refusal(&document),
        "accessors[0]: the stride in its buffer view: found 8; expected at least the 12 bytes of an element"
    );
    document["bufferViews"][0]["extensions"] = json!({"ADOBE_x": {}});
    document["extensionsRequired"] = json!(["KHR_texture_transform", "ADOBE_x"]);
    assert!(refusal(&document).starts_with("extensionsRequired[1]: the file requires the extension ADOBE_x, which is not supported; supported: EXT_"));
}

#[test]
fn mistakes_of_json_are_told_with_line_column_or_path() {
    let text = |text: &[u8]| {
        let nothing = |_: &str| Err(String::new());
        match parse_model(text, &nothing, &LoadOptions::default()) {
            Ok(loaded) => loaded.warnings.last().unwrap().to_owned().message,
            Err(error) => error.to_string(),
        }
    };
    for (json, message) in [
        (
            "{\"asset\": {\"version\": \"2.0\"},\n \"nodes\": [{\"mesh\": -1}]}",
            "nodes[0].mesh: the value: found -1; expected a whole number from 0; skipped",
        ),
        (
            "{\"asset\": {\"version\": 1}, \"nodes\": {}}",
            "asset.version: the version of glTF: found 1.0; expected 2.0, or a later 2.x that requires no more",
        ),
        (
            "{\"asset\": {}, \"nodes\": {\"a\": {}}}",
            "asset: the version of glTF: found 1.0, by its form; expected 2.0",
        ),
        (
            "{}",
            "asset: the version of glTF: found nothing; expected 2.0, or a later 2.x that requires no more",
        ),
        ("{\"asset\": ", "line 1, column 9: the text ends inside a value"),
        (
            "{\"asset\": {\"version\": \"2.0\"}, \"nodes\": [], \"nodes\": []}",
            "line 1: the key `nodes` appears twice; the last one is used",
        ),
        (
            "{\"asset\": {\"version\": \"2.0\"}} x",
            "line 1, column 31: data after the end of the document is ignored",
        ),
    ] {
        assert_eq!(text(json.as_bytes()), message, "{json}");
    }
    let deep = format!("{{\"materials\": [{{\"extensions\": {{\"a\": {}", "[".repeat(10_000));
    assert!(
        text(deep.as_bytes()).contains("recursion limit exceeded"),
        "{}",
        text(deep.as_bytes())
    );
    assert!(
        text(b"{\"asset\": {\"version\": \"\xff\"}}").contains("found \"\u{fffd}\""),
        "bytes that are not UTF-8"
    );
    assert!(
        text(b"xof 0303txt 0032").starts_with("not a glTF file: a DirectX .x file; expected JSON")
    );
}

#[test]
fn materials_keep_their_values_and_pictures() {
    let mut document = triangle();
    document["materials"] = json!([{
        "name": "skin",
        "doubleSided": true,
        "alphaMode": "MASK",
        "alphaCutoff": 0.25,
        "emissiveFactor": [0.5, 0.0, 0.0],
        "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 4.0}},
        "pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.25, 1.0, 0.75], "metallicFactor": 0.5, "roughnessFactor": 0.25, "baseColorTexture": {"index": 0}},
    }]);
    document["textures"] = json!([{"source": 0}]);
    document["images"] = json!([{"uri": "data:image/png;base64,iVBORw=="}]);
    document["meshes"][0]["primitives"][0]["material"] = json!(0);
    let loaded = read(&document).unwrap();
    assert_eq!(
        loaded.warnings[0].message,
        "meshes[0].primitives[0]: its material has a texture, but TEXCOORD_0 is missing; the texture is drawn as one colour"
    );
    let model = loaded.value.model;
    let own = &model.materials[0];
    assert_eq!((own.name.as_str(), model.meshes[0].material_name.as_str()), ("skin", "skin"));
    assert_eq!(
        (own.alpha, own.cull, own.opacity),
        (Some(AlphaMode::Mask { cutoff: 0.25 }), CullMode::None, 0.75)
    );
    assert_eq!((own.color.g, own.emissive.r), (0.25, 2.0));
    let response = own.response.as_ref().unwrap();
    assert_eq!((response.metallic, response.roughness), (0.5, 0.25));
    assert_eq!(own.diffuse.as_deref(), Some("image 0"));
    assert_eq!(&*model.pictures[0].bytes, b"\x89PNG");
}

#[test]
fn texture_coordinates_are_transformed() {
    let mut bytes = Bytes::default();
    let positions = bytes.reals("VEC3", 3, &CORNERS);
    let texcoords = bytes.reals("VEC2", 2, &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let file = model(&bytes.finish(json!({
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": positions, "TEXCOORD_1": texcoords, "TEXCOORD_0": texcoords}, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions": {
            "KHR_texture_transform": {"offset": [0.5, 0.25], "scale": [2.0, 4.0], "rotation": std::f64::consts::FRAC_PI_2, "texCoord": 1},
        }}}}],
        "textures": [{"source": 0}],
        "images": [{"uri": "a.png"}],
    })));
    let mesh = &file.model.meshes[0];
    assert_eq!(mesh.texcoord_sets, 2);
    // Counter-clockwise in a picture whose v grows downwards.
    for (found, expected) in mesh.texcoords.iter().zip([[0.5, 0.25], [0.5, -1.75], [4.5, 0.25]]) {
        assert!(
            (found.x - expected[0]).abs() < 1e-6 && (found.y - expected[1]).abs() < 1e-6,
            "{found} {expected:?}"
        );
    }
}

#[test]
fn samplers_clamp_mirror_and_show_texels() {
    let mut document = triangle();
    document["meshes"][0]["primitives"][0]["material"] = json!(0);
    document["images"] = json!([{"uri": "a.png"}]);
    document["textures"] = json!([{"source": 0, "sampler": 0}, {"source": 0}]);
    document["samplers"] = json!([{"magFilter": 9728, "wrapS": 33071, "wrapT": 33648}]);
    document["materials"] = json!([{
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}},
        "normalTexture": {"index": 1},
    }]);
    let sampling = read(&document).unwrap().value.model.materials[0].sampling;
    let [diffuse, normal] = [TextureRole::Diffuse, TextureRole::Normal];
    assert_eq!(sampling[diffuse as usize].filter, TextureFilter::Nearest);
    assert_eq!(sampling[diffuse as usize].wrap, [TextureWrap::Clamp, TextureWrap::Mirror]);
    assert_eq!(sampling[normal as usize], Default::default());
    for (mag, min, filter) in [
        (9728, 9728, TextureFilter::Texels),
        (9728, 9984, TextureFilter::Nearest),
        (9729, 9728, TextureFilter::Linear),
    ] {
        document["samplers"] = json!([{"magFilter": mag, "minFilter": min}]);
        let sampling = read(&document).unwrap().value.model.materials[0].sampling;
        assert_eq!(sampling[diffuse as usize].filter, filter, "{mag}, {min}");
    }
    document["samplers"] = json!([{"wrapT": 33072}]);
    assert_told(
        &document,
        "samplers[0].wrapT: the wrap: found 33072; expected 10497 (Repeat), 33071",
    );
    document["textures"] = json!([{"source": 0, "sampler": 3}, {"source": 0}]);
    assert_told(&document, "textures[0].sampler: the sampler: found 3; expected 0, the only one");
}

mod extensions;
mod faults;
mod morph;
mod refusals;
