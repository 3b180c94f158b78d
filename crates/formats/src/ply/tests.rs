use super::*;
use crate::LimitName;
use tintype_model::TextureRole;
use tintype_model::math::Vec4;

const TEXT: &[u8] = include_bytes!("../../../../tests/fuzz/seeds/imp.ply");
const BINARY: &[u8] = include_bytes!("../../../../tests/fuzz/seeds/imp_binary.ply");

fn read(bytes: &[u8]) -> Result<Loaded<Model>, String> {
    parse_model(bytes, &LoadOptions::default()).map_err(|error| error.to_string())
}

fn messages(bytes: &[u8]) -> Vec<String> {
    let warnings = read(bytes).unwrap().warnings;
    warnings.into_iter().map(|warning| format!("{}: {}", warning.line, warning.message)).collect()
}

fn places(model: &Model) -> Vec<Vec3> {
    model.meshes[0].influences.iter().map(|own| own.position()).collect()
}

/// A text file of a square of two triangles that meet at an edge, with face properties and their
/// lines.
fn square(property: &str, faces: &[&str]) -> String {
    let head = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n";
    let points = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";
    format!(
        "{head}element face {}\nproperty list uchar int vertex_index\n{property}end_header\n{points}{}\n",
        faces.len(),
        faces.join("\n")
    )
}

#[test]
fn indices_in_a_text_keep_all_of_their_digits() {
    let found = messages(square("", &["3 0 1 2", "3 0 1 16777217"]).as_bytes());
    assert!(found[0].contains("16777217"), "{found:?}");
}

#[test]
fn text_has_polygons_normals_colours_and_textures_of_corners() {
    let Loaded { value: model, warnings } = read(TEXT).unwrap();
    let messages: Vec<&str> = warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(messages, ["element \"edge\": such parts are not drawn"]);
    let mesh = &model.meshes[0];
    assert_eq!((mesh.name.as_str(), mesh.triangles.len()), ("skin of the imp.png", 3));
    let material = &model.materials[0];
    assert_eq!(material.texture(TextureRole::Diffuse).unwrap(), "skin of the imp.png");
    // One corner has other texture coordinates in the second face.
    assert_eq!((mesh.texcoords.len(), mesh.texcoords[1]), (6, tintype_model::math::Vec2::ONE));
    assert_eq!(mesh.colors[0], Vec4::new(1.0, 0.0, 0.0, 1.0));
    assert_eq!(mesh.influences[0].normal(), Vec3::Z);
}

#[test]
fn binary_of_the_other_byte_order_has_strips_and_colours_of_floats() {
    let Loaded { value: model, warnings } = read(BINARY).unwrap();
    assert_eq!(warnings, []);
    let mesh = &model.meshes[0];
    assert_eq!((mesh.triangles.len(), mesh.name.as_str()), (2, NAMELESS));
    assert_eq!(places(&model)[..3], [Vec3::ZERO, Vec3::X, Vec3::Y]);
    let corners = mesh.triangles[1].map(|vertex| places(&model)[vertex as usize]);
    assert_eq!(corners, [Vec3::Y, Vec3::X, Vec3::ONE], "every second one is turned over");
    assert!(mesh.colors[0].x == 1.0 && (mesh.colors[0].y - 0.214).abs() < 1e-3);
    let little = square("", &["4 0 1 2 3"]).replace("ascii", "binary_little_endian");
    let head = little.find("end_header\n").unwrap() + 11;
    let mut bytes = little.as_bytes()[..head].to_vec();
    for corner in [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]] {
        bytes.extend(corner.iter().flat_map(|number| number.to_le_bytes()));
    }
    bytes.push(4);
    bytes.extend([0, 1, 2, 3].iter().flat_map(|corner: &i32| corner.to_le_bytes()));
    assert_eq!(places(&read(&bytes).unwrap().value).len(), 4);
    // A header whose last line ends differently, and a truncation in the middle of a face.
    let mut carriage = bytes.clone();
    carriage.splice(head - 1..head - 1, [b'\r']);
    assert_eq!(read(&carriage).unwrap().warnings, []);
    bytes.truncate(bytes.len() - 3);
    assert!(read(&bytes).unwrap_err().contains("no face that can be drawn"));
    carriage.extend(b"more");
    assert!(messages(&carriage)[0].ends_with("data after the last record is ignored"));
}

#[test]
fn edges_without_normals_are_sharp_where_faces_meet_steeply() {
    let normals = |z: &str| {
        let text = square("", &["3 0 1 2", "3 0 2 3"]).replace("0 1 0\n", &format!("0 1 {z}\n"));
        let model = read(text.as_bytes()).unwrap().value;
        let mesh = &model.meshes[0];
        (mesh.influences.len(), mesh.influences.iter().all(|own| own.normal().z > 0.9))
    };
    assert_eq!(normals("0"), (4, true));
    assert_eq!(normals("9").0, 6, "the corners of the edge have two normals");
}

#[test]
fn faces_have_colours_of_their_own() {
    let property = "property uchar red\nproperty uchar green\nproperty uchar blue\n";
    let text = square(property, &["3 0 1 2 255 0 0", "3 0 2 3 0 0 255"]);
    let colors = read(text.as_bytes()).unwrap().value.meshes[0].colors.clone();
    assert_eq!((colors.len(), colors[0].x, colors[3].z), (6, 1.0, 1.0));
}

#[test]
fn faults_cost_their_part_and_have_their_line() {
    for (text, message) in [
        (
            square("", &["3 0 1 2", "3 0 1 9"]),
            "15: vertices [0.0, 1.0, 9.0]: a face refers to a missing vertex; skipped",
        ),
        (
            square("", &["3 0 1 2", "3 0 1 -1"]),
            "15: vertices [0.0, 1.0, -1.0]: a face refers to a missing vertex; skipped",
        ),
        (square("", &["3 0 1 2", "2 0 1"]), "15: a face has fewer than 3 corners; skipped"),
        (
            square("", &["3 0 1 2", "3 0 2 3"]).replace("0 1 0\n", "0 nan 0\n"),
            "13: a vertex is not finite; its faces are skipped",
        ),
        (
            square("", &["3 0 1 2"]).replace("1 1 0\n", "1 1,5 0\n"),
            "12: a number contains a comma; it is read as a decimal point",
        ),
        (
            square("", &["3 0 1 2"]).replace("face 1", "face 2"),
            "15: face 1 of 2: the file ends here; the data before it is read",
        ),
        (
            square("", &["3 0 1 2", "more"]).replace("face 2", "face 1"),
            "15: data after the last record is ignored",
        ),
        (
            square("property list uchar float texcoord\n", &["3 0 1 2 4 0 0 0 0"]),
            "15: texture coordinates of a face do not match its corners; the vertices' are used",
        ),
    ] {
        let found = messages(text.replace('\n', "\r\n").as_bytes());
        assert!(found.iter().any(|found| found == message), "{found:?}, {message}");
    }
}

#[test]
fn clouds_and_headers_that_are_not_understood_are_refused() {
    let square = square("", &["3 0 1 2"]);
    for (text, message) in [
        (
            square.replace("element face 1\nproperty list uchar int vertex_index\n", ""),
            "line 7: the surface: found 4 vertices and no faces; expected faces or strips of triangles; a point cloud has no surface to draw",
        ),
        (
            "ply\nformat ascii 1.0\nend_header\n".into(),
            "line 3: the surface: found 0 vertices and no faces; expected faces or strips of triangles",
        ),
        (
            square.replace("ascii", "binary"),
            "line 2: the format: found \"binary\"; expected ascii, binary_little_endian or binary_big_endian",
        ),
        (
            square.replace("float x", "half x"),
            "line 4: a property: found \"property half x\"; expected a type and a name, or list, two types and a name, after an element",
        ),
        (
            square.replace("vertex 4", "vertex -4"),
            "line 3: an element: found \"element vertex -4\"; expected a name and a count",
        ),
        (
            square[..60].to_owned(),
            "line 5: the header: found the end of the file; expected end_header",
        ),
        ("solid".into(), "line 1: the file: found \"solid\"; expected a PLY file"),
    ] {
        assert_eq!(read(text.as_bytes()).unwrap_err(), message);
    }
}

#[test]
fn damaged_files_are_refused_or_read_and_counts_size_nothing() {
    for whole in [TEXT, BINARY] {
        for place in 0..whole.len() {
            let _ = read(&whole[..place]);
            for byte in [0, 1, b'9', b'\n', 0x7f, 0x80, 0xff] {
                let mut damaged = whole.to_vec();
                damaged[place] = byte;
                let _ = read(&damaged);
            }
        }
    }
    let text = square("", &["3 0 1 2"]);
    let bomb = text
        .replace("vertex 4", "vertex 99999999999")
        .replace("face 1", "face 18446744073709551615");
    assert!(read(bomb.as_bytes()).is_err());
    let empty = text.replace("element face", "element nothing 18446744073709551615\nelement face");
    assert_eq!(read(empty.as_bytes()).unwrap().warnings, [], "records without properties");
    let options = LoadOptions::default().with_limit(LimitName::Values, 2);
    let error = parse_model(text.as_bytes(), &options).unwrap_err().to_string();
    assert!(error.contains("corners of all faces: found 3; the limit is 2"), "{error}");
}
