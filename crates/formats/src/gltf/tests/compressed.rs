//! Compressed files make the models of their plain twins.

use super::*;

/// A bent grid of 5 x 5 vertices, as in the samples of Draco: positions, and two triangles per
/// cell.
fn grid() -> (Vec<[f32; 3]>, Vec<[usize; 3]>) {
    let vertex = |index: u8| {
        let (x, y) = (f32::from(index % 5), f32::from(index / 5));
        [x, y, tintype_model::math::func::sin(x)]
    };
    let cells = (0..16).map(|cell| cell / 4 * 5 + cell % 4);
    let triangles = cells.flat_map(|a| [[a, a + 1, a + 5], [a + 5, a + 1, a + 6]]).collect();
    ((0..25).map(vertex).collect(), triangles)
}

/// A skinned mesh in a Draco stream.
fn draco(stream: &[u8]) -> Value {
    let mut bytes = Bytes::default();
    let view = bytes.view(stream);
    let mut accessor = |kind: &str, component: u32, count: usize| {
        bytes.accessors.push(json!({"componentType": component, "count": count, "type": kind}));
        bytes.accessors.len() - 1
    };
    let attributes = json!({
        "POSITION": accessor("VEC3", 5126, 25),
        "NORMAL": accessor("VEC3", 5126, 25),
        "TEXCOORD_0": accessor("VEC2", 5126, 25),
        "JOINTS_0": accessor("VEC4", 5121, 25),
        "WEIGHTS_0": accessor("VEC4", 5126, 25),
    });
    let indices = accessor("SCALAR", 5123, 96);
    bytes.finish(json!({
        "extensionsUsed": ["KHR_draco_mesh_compression"],
        "extensionsRequired": ["KHR_draco_mesh_compression"],
        "scenes": [{"nodes": [0, 1, 2]}],
        "nodes": [{"mesh": 0, "skin": 0}, {"name": "a"}, {"name": "b"}],
        "skins": [{"joints": [1, 2]}],
        "meshes": [{"primitives": [{
            "attributes": attributes,
            "indices": indices,
            "extensions": {"KHR_draco_mesh_compression": {
                "bufferView": view,
                "attributes": {
                    "POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2, "JOINTS_0": 3, "WEIGHTS_0": 4,
                },
            }},
        }]}],
    }))
}

const STREAMS: [&[u8]; 3] = [
    include_bytes!("../samples/edge.drc"),
    include_bytes!("../samples/valence.drc"),
    include_bytes!("../samples/sequential.drc"),
];

#[test]
fn draco_meshes_are_their_plain_twins_up_to_quantization() {
    let (vertices, triangles) = grid();
    for stream in STREAMS {
        let file = read(&draco(stream)).unwrap().value;
        let mesh = &file.model.meshes[0];
        assert_eq!((mesh.vertex_count(), mesh.triangles.len()), (25, 32));
        // The vertices come in another order; their integer coordinates identify them.
        let found = placed(&file, 0);
        let index = |place: Vec3| (place.y.round() * 5.0 + place.x.round()) as usize;
        for (vertex, place) in found.iter().enumerate() {
            let expected = Vec3::from_array(vertices[index(*place)]);
            // Weights of 12 bits miss the sum of 1 by a quantum, which moves the farthest corner by
            // as much.
            assert!(place.distance(expected) < 2e-3, "{place} is not {expected}");
            let at = mesh.texcoords[vertex];
            assert!(at.distance(expected.truncate() / 4.0) < 1e-3);
        }
        let turned = |[a, b, c]: [usize; 3]| {
            let least = a.min(b).min(c);
            if a == least {
                [a, b, c]
            } else if b == least {
                [b, c, a]
            } else {
                [c, a, b]
            }
        };
        let corners =
            mesh.triangles.iter().map(|corners| corners.map(|v| index(found[v as usize])));
        let mut corners: Vec<_> = corners.map(turned).collect();
        let mut expected: Vec<_> = triangles.iter().copied().map(turned).collect();
        corners.sort_unstable();
        expected.sort_unstable();
        assert_eq!(corners, expected);
        for vertex in 0..25 {
            let sum: f32 =
                mesh.influences[mesh.influences_of(vertex)].iter().map(|one| one.weight()).sum();
            assert!((sum - 1.0).abs() < 1e-3);
        }
    }
}

#[test]
fn damaged_draco_meshes_are_refused_or_read() {
    for stream in STREAMS {
        for end in (0..stream.len()).step_by(3) {
            let message = refusal(&draco(&stream[..end]));
            assert!(message.contains("KHR_draco_mesh_compression"), "{message}");
        }
        for place in (0..stream.len()).step_by(2) {
            let mut damaged = stream.to_vec();
            damaged[place] ^= 0xff;
            let _ = read(&draco(&damaged));
        }
    }
    let mut document = draco(STREAMS[0]);
    document["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]["attributes"]
        ["NORMAL"] = json!(9);
    let found = refusal(&document);
    assert!(found.ends_with("attributes.NORMAL: the attribute: found 9; expected the identifier of an attribute of the stream"), "{found}");
}

/// A triangle whose positions are in a meshopt stream.
fn meshopt(stream: &[u8]) -> Value {
    let mut document = triangle();
    let mut bytes = Bytes::default();
    let view = bytes.view(stream);
    assert_eq!(view, 0);
    let positions = bytes.accessor("VEC3", 5126, 20, &[]);
    bytes.views[1] = json!({
        "buffer": 1, "byteLength": 240,
        "extensions": {"EXT_meshopt_compression": {
            "buffer": 0, "byteLength": stream.len(), "byteStride": 12, "count": 20, "mode": "ATTRIBUTES",
        }},
    });
    document["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(positions);
    document["extensionsRequired"] = json!(["EXT_meshopt_compression"]);
    let mut document = bytes.finish(document);
    let buffers = document["buffers"].as_array_mut().unwrap();
    // The other form is only for readers without the extension.
    buffers.push(json!({
        "byteLength": 240, "extensions": {"EXT_meshopt_compression": {"fallback": true}},
    }));
    document
}

/// The positions of a sample: rising by a quarter, with 0, 1 and 2 on the axes.
fn stream() -> Vec<u8> {
    let line = include_str!("../meshopt/vectors.txt").lines().nth(2).unwrap();
    let digits = line.split(' ').nth(4).unwrap().as_bytes();
    let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

#[test]
fn meshopt_views_are_decoded_in_place_of_their_fallback() {
    let file = read(&meshopt(&stream())).unwrap().value;
    let found = placed(&file, 0);
    for (vertex, place) in (0_u8..).zip(&found).take(18) {
        let step = f32::from(vertex) * 0.25;
        assert_eq!(*place, Vec3::new(step, step + 1.0, step + 2.0));
    }
    let mut khr = meshopt(&stream()).to_string();
    khr = khr.replace("EXT_meshopt_compression", "KHR_meshopt_compression");
    assert!(read(&serde_json::from_str(&khr).unwrap()).is_ok());
}

#[test]
fn damaged_meshopt_views_are_refused_with_their_path() {
    let at = "bufferViews[1].extensions.EXT_meshopt_compression";
    let cut = stream().len() - 1;
    let message = refusal(&meshopt(&stream()[..cut]));
    assert!(message.starts_with(&format!("{at}: the compressed data: found ")), "{message}");
    let changed = |key: &str, value: Value| {
        let mut document = meshopt(&stream());
        document["bufferViews"][1]["extensions"]["EXT_meshopt_compression"][key] = value;
        refusal(&document)
    };
    assert_eq!(
        changed("mode", json!("POINTS")),
        format!("{at}.mode: the mode: found \"POINTS\"; expected ATTRIBUTES, TRIANGLES or INDICES")
    );
    assert!(changed("filter", json!("SOFT")).starts_with(&format!("{at}.filter: the filter")));
    assert!(changed("byteOffset", json!(1_u64 << 40)).contains("a range within"));
    assert!(changed("count", json!(4_000_000_000_u32)).contains("the limit is"));
    assert!(changed("buffer", json!(7)).contains("expected an index below 2"));
}
