use super::*;
use crate::LimitName;
use tintype_model::FaultClass;
use tintype_model::math::Vec4;

const TEXT: &[u8] = include_bytes!("../../../../tests/fuzz/seeds/imp.stl");
const BINARY: &[u8] = include_bytes!("../../../../tests/fuzz/seeds/imp_binary.stl");

fn read(bytes: &[u8]) -> Result<Loaded<Model>, String> {
    parse_model(bytes, &LoadOptions::default()).map_err(|error| error.to_string())
}

fn messages(bytes: &[u8]) -> Vec<String> {
    let warnings = read(bytes).unwrap().warnings;
    assert!(warnings.iter().all(|warning| warning.fault.class() != FaultClass::StandIn));
    warnings.into_iter().map(|warning| format!("{}: {}", warning.line, warning.message)).collect()
}

/// Positions of a mesh in the pose of the file.
fn places(model: &Model, mesh: usize) -> Vec<Vec3> {
    let mesh = &model.meshes[mesh];
    let joint = model.skeleton.joints()[0].model_from_joint;
    mesh.influences.iter().map(|own| joint.transform_point3(own.position())).collect()
}

#[test]
fn solids_are_flat_meshes_that_stand_upright() {
    let Loaded { value: model, warnings } = read(TEXT).unwrap();
    assert_eq!(warnings, []);
    let names: Vec<&str> = model.meshes.iter().map(|mesh| mesh.name.as_str()).collect();
    assert_eq!(names, ["left foot", "right"]);
    assert_eq!(places(&model, 0), [Vec3::ZERO, Vec3::X, Vec3::NEG_Z]);
    assert_eq!(places(&model, 1), [Vec3::ZERO, Vec3::NEG_Z, Vec3::Y]);
    assert_eq!(model.meshes[0].influences[0].normal(), Vec3::Z, "in the axes of the file");
    assert_eq!(model.parts.up.guesses, Guesses::Never);
}

#[test]
fn binary_files_may_begin_with_solid_and_have_colours() {
    assert!(BINARY.starts_with(b"solid") && looks_like_stl(BINARY) && looks_like_stl(TEXT));
    let model = read(BINARY).unwrap().value;
    let colors: Vec<Vec4> = model.meshes[0].colors.iter().step_by(3).copied().collect();
    assert_eq!(colors, [Vec4::new(1.0, 0.0, 0.0, 1.0), Vec4::new(0.0, 1.0, 0.0, 1.0)]);
    let mut other = BINARY.to_vec();
    let at = other.windows(6).position(|word| word == b"COLOR=").unwrap();
    other[at] = b'c';
    other[84 + 48..84 + 50].copy_from_slice(&0x801f_u16.to_le_bytes());
    let model = read(&other).unwrap().value;
    assert_eq!(model.meshes[0].colors[0], Vec4::new(0.0, 0.0, 1.0, 1.0), "blue is lowest there");
}

#[test]
fn counts_of_binary_files_are_held_to_their_facets() {
    let with_count = |count: u32, tail: &[u8]| {
        let mut bytes = BINARY.to_vec();
        bytes[80..84].copy_from_slice(&count.to_le_bytes());
        [&bytes, tail].concat()
    };
    for (bytes, facets, message) in [
        (
            with_count(0, b""),
            2,
            "0: byte 80: 0 facets are declared, 2 are present: the available ones are read",
        ),
        (
            with_count(u32::MAX, b""),
            2,
            "0: byte 80: 4294967295 facets are declared, 2 are present: the available ones are read",
        ),
        (
            with_count(9, b""),
            2,
            "0: byte 80: 9 facets are declared, 2 are present: the file ends before its last facet",
        ),
        (with_count(1, b""), 1, "0: byte 134: bytes after the last facet are ignored"),
        (with_count(2, b"more"), 2, "0: byte 184: bytes after the last facet are ignored"),
    ] {
        assert_eq!(read(&bytes).unwrap().value.meshes[0].triangles.len(), facets);
        assert_eq!(messages(&bytes), [message]);
    }
    assert!(!looks_like_stl(&with_count(9, b"")), "its name tells of it");
    let empty = [&BINARY[..80], &[0; 4]].concat();
    assert_eq!(read(&empty).unwrap_err(), "byte 0: the facets: found none; expected at least one");
    let mut lost = BINARY.to_vec();
    lost[84 + 12..84 + 16].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(
        messages(&lost),
        ["0: byte 84: a corner of a facet is not finite or too large; the facet is skipped"]
    );
}

#[test]
fn faults_of_text_cost_their_part_and_have_their_line() {
    let facet = |corner: &str| {
        format!(
            "facet normal 0 0 1\r\nouter loop\r\nvertex 0 0 0\r\nvertex 1 0 0\r\nvertex {corner}\r\nendloop\r\nendfacet\r\n"
        )
    };
    let good = facet("0 1 0");
    for (text, message) in [
        (
            facet("0 nan 0"),
            "7: a corner of a facet is not finite or too large; the facet is skipped",
        ),
        (facet("0 1"), "7: a corner of a facet is not finite or too large; the facet is skipped"),
        (
            facet("0 1e300 0"),
            "7: a corner of a facet is not finite or too large; the facet is skipped",
        ),
        (facet("0 1,5 0"), "6: \"1,5\": a number contains a comma; it is read as a decimal point"),
        ("# made by hand\nsolid a b\n".into(), "0: 2 solids have no facet; skipped"),
        (
            "color 1 2 3\n".into(),
            "2: \"color\": it is not an STL keyword; skipped (4 times; this is the first)",
        ),
        (
            "facet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\nendfacet\n".into(),
            "6: a facet has fewer than 3 corners; skipped",
        ),
    ] {
        assert_eq!(messages(format!("solid\r\n{text}solid c\n{good}").as_bytes())[0], message);
    }
    let cut = format!("solid\n{good}facet normal 0 0 1\nouter loop\nvertex 0 0 0\n");
    assert_eq!(messages(cut.as_bytes()), ["12: the file ends inside a facet, which is skipped"]);
    let line = "solid a facet normal 0 0 1 outer loop vertex 0 0 0 vertex 2 0 0 vertex 2 2 0 vertex 0 2 0 endloop endfacet endsolid a";
    assert_eq!(read(line.as_bytes()).unwrap().value.meshes[0].triangles.len(), 2);
    let turned = good.replace("0 0 1\r\nouter", "0 0 -1\r\nouter");
    assert!(messages(format!("solid\n{turned}").as_bytes())[0].contains("of 1 facet"));
}

#[test]
fn other_files_are_refused_by_name() {
    for (bytes, found) in [
        (&b"version https://git-lfs.github.com/spec/v1"[..], "a Git LFS pointer"),
        (b"<html>", "an HTML page"),
        (b"", "an empty file"),
        (b"solid a\nendsolid a\n", "none: 1 solid"),
        (b"some words", "10 bytes of another kind"),
    ] {
        let error = read(bytes).unwrap_err();
        assert!(
            error.contains(found) || found.starts_with("none") && error.contains("found none"),
            "{error}"
        );
    }
}

#[test]
fn damaged_files_are_refused_or_read() {
    for whole in [TEXT, BINARY] {
        for place in 0..whole.len() {
            let _ = read(&whole[..place]);
            for byte in [0, 1, b'9', 0x7f, 0x80, 0xff] {
                let mut damaged = whole.to_vec();
                damaged[place] = byte;
                let _ = read(&damaged);
            }
        }
    }
    let options = LoadOptions::default().with_limit(LimitName::Values, 5);
    let error = parse_model(BINARY, &options).unwrap_err().to_string();
    assert!(error.contains("corners of all faces: found 6; the limit is 5"), "{error}");
    let options = LoadOptions::default().with_limit(LimitName::Meshes, 1);
    assert!(parse_model(TEXT, &options).unwrap_err().to_string().contains("meshes: found 2"));
}
