use super::*;
use crate::LimitName;
use tintype_model::math::{Vec2, Vec3};
use tintype_model::{AlphaMode, FileMaterial, FileRepair, LinearRgb, TextureRole, TextureWrap};

fn read_with(text: &str, library: &str) -> Result<Loaded<Model>, ModelFormatError> {
    let fetch = |name: &str| match name {
        "a.mtl" | "my a.mtl" => Ok(library.as_bytes().to_vec()),
        _ => Err("no such file".to_owned()),
    };
    parse_model(text.as_bytes(), &fetch, &LoadOptions::default())
}

fn model(text: &str) -> Model {
    let loaded = read_with(text, "").unwrap();
    assert_eq!(loaded.warnings, []);
    loaded.value
}

fn refusal(text: &str) -> String {
    read_with(text, "").unwrap_err().to_string()
}

fn positions(model: &Model, mesh: usize) -> Vec<Vec3> {
    model.meshes[mesh].influences.iter().map(|one| one.position()).collect()
}

const QUAD: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

#[test]
fn faces_share_vertices_and_count_from_both_ends() {
    let found = model(&format!("{QUAD}vt 0 0\nvt 1 0\nvt 1 1\nf 1/1 2/2 3/3\nf -4/1 -2/3 -1/-3\n"));
    let mesh = &found.meshes[0];
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(positions(&found, 0)[3], Vec3::new(0.0, 1.0, 0.0));
    assert_eq!(mesh.texcoords[..2], [Vec2::new(0.0, 1.0), Vec2::new(1.0, 1.0)]);
    assert_eq!(mesh.influences[0].normal(), Vec3::Z);
    assert_eq!(found.front, Vec3::Z);
}

#[test]
fn concave_polygons_are_covered_once() {
    let found = model("v 0 0 0\nv 2 0 0\nv .5 .5 0\nv 0 2 0\nf 1 2 3 4\n");
    let places = positions(&found, 0);
    let area = |[a, b, c]: [u32; 3]| {
        let [a, b, c] = [a, b, c].map(|vertex| places[vertex as usize]);
        (b - a).cross(c - a).z / 2.0
    };
    let areas: Vec<f32> = found.meshes[0].triangles.iter().copied().map(area).collect();
    assert!(areas.iter().all(|area| *area > 0.0), "{areas:?}");
    assert!((areas.iter().sum::<f32>() - 1.0).abs() < 1e-6);
}

#[test]
fn normals_follow_smoothing_groups_and_sharp_edges() {
    // Two faces at a right angle, and two nearly level.
    let count = |text: String| model(&text).meshes[0].file_vertex_count();
    let steep = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 1 0 -1\n";
    assert_eq!(count(format!("{steep}f 1 2 3\nf 2 4 3\n")), 6, "a right angle is sharp");
    assert_eq!(count(format!("{steep}s 1\nf 1 2 3\nf 2 4 3\n")), 4, "one group is smooth");
    assert_eq!(count(format!("{steep}s 1\nf 1 2 3\ns 2\nf 2 4 3\n")), 6, "two groups are not");
    let level = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 2 0 -.1\n";
    let beside =
        |flat: usize| count(format!("{steep}f 1 2 3\nf 2 4 3\n{}", "f 2 3 3\n".repeat(flat)));
    assert_eq!(beside(70), beside(1), "lines smooth no edge");
    assert_eq!(count(format!("{level}f 1 2 3\nf 2 4 3\n")), 4, "a blunt edge is smooth");
    assert_eq!(count(format!("{level}s off\nf 1 2 3\nf 2 4 3\n")), 6, "off is flat");
    assert_eq!(count(format!("{steep}vn 0 0 1\nf 1//1 2//1 3//1\n")), 3, "given normals count");
}

#[test]
fn objects_groups_and_materials_are_meshes() {
    let text = format!(
        "{QUAD}o body\nusemtl red\nf 1 2 3\nusemtl blue\nf 1 3 4\ng arm\nf 1 2 4\nusemtl red\no body\nf 2 3 4\n"
    );
    let found = model(&text);
    let names: Vec<_> =
        found.meshes.iter().map(|mesh| (mesh.name.as_str(), mesh.material_name.as_str())).collect();
    assert_eq!(names, [("body", "red"), ("body", "blue"), ("arm", "blue")]);
    assert_eq!(found.meshes[0].triangles.len(), 2);
}

#[test]
fn materials_have_colours_and_textures() {
    let library = "newmtl skin\nKd 1 0.5 0\nKs 0.5\nNs 40\nd 0.5\nillum 2\nmap_Kd -clamp on -o 1 2 tex\\my skin.png\n\
        map_Ke glow.png\nPm 1\nPr 0.25\nnewmtl dull\nillum 1\nKs 1 1 1\nTr 0.25\n";
    let text = format!("mtllib my a.mtl\n{QUAD}usemtl skin\nf 1 2 3\nusemtl dull\nf 1 3 4\n");
    let loaded = read_with(&text, library).unwrap();
    assert_eq!(loaded.warnings, []);
    let [skin, dull] = &loaded.value.materials[..] else { panic!("two materials") };
    assert_eq!((skin.color.r, skin.color.b, skin.opacity), (1.0, 0.0, 0.5));
    assert!((skin.color.g - 0.2140).abs() < 1e-3, "colours are sRGB");
    assert_eq!((skin.specular_strength, skin.shininess), (1.0, 40.0));
    assert_eq!(skin.diffuse.as_deref(), Some("tex\\my skin.png"));
    assert_eq!(skin.sampling[0].wrap, [TextureWrap::Clamp; 2]);
    let moved = skin.coordinates.as_ref().unwrap()[0].unwrap();
    assert_eq!(
        (moved.point(Vec2::new(0.25, 1.0)), moved.steps),
        (Vec2::new(1.25, -1.0), [Vec2::X, Vec2::Y])
    );
    assert_eq!((skin.emissive_map.as_deref(), skin.emissive), (Some("glow.png"), LinearRgb::WHITE));
    let response = skin.response.as_ref().unwrap();
    assert_eq!((response.metallic, response.roughness), (1.0, 0.25));
    assert_eq!((dull.specular_strength, dull.opacity), (0.0, 0.75));
}

#[test]
fn pictures_of_relief_roughness_and_metal_are_read() {
    let library = "newmtl a\nmap_Bump -bm 1.0 tex/wall_normal.png\nPr 0.5\nPm 1\nmap_Pr orm.png\nmap_Pm orm.png\n\
        Pc 0.5\nPcr 0.25\nPs 0.5\nnewmtl b\nNs 200\nPm 0\nmap_Bump height.png\n\
        newmtl c\nmap_Pr grey.png\nPr 0.8\nmap_Kd leaf.png\nmap_d leaf.png\n\
        newmtl d\nmap_Pm metal.png\nmap_Kd leaf.png\nmap_d mask.png\n";
    let text = format!(
        "mtllib my a.mtl\n{QUAD}usemtl a\nf 1 2 3\nusemtl b\nf 1 3 4\nusemtl c\nf 1 3 4\nusemtl d\nf 1 3 4\n"
    );
    let loaded = read_with(&text, library).unwrap();
    let told = "material file \"my a.mtl\": material \"b\" has a map of heights, map_Bump; skipped";
    assert_eq!(loaded.warnings, [FileRepair::Effect.at(1, told)]);
    let [a, b, c, d] = &loaded.value.materials[..] else { panic!("four materials") };
    assert_eq!(a.normal.as_deref(), Some("tex/wall_normal.png"));
    assert_eq!(a.metallic_roughness.as_deref(), Some("orm.png"));
    let response = a.response.as_ref().unwrap();
    assert_eq!((response.clearcoat, response.clearcoat_roughness), (0.5, 0.25));
    assert_eq!(response.sheen_color, LinearRgb::WHITE.scaled(0.5));
    assert_eq!(b.normal, None);
    let roughness = b.response.as_ref().unwrap().roughness;
    assert!((roughness - 0.3154).abs() < 1e-3, "{roughness} for an exponent of 200");
    assert_eq!(
        (c.metallic_roughness.as_deref(), d.metallic_roughness.as_deref()),
        (Some("grey.png"), None)
    );
    assert_eq!((c.opacity_picture.as_deref(), c.alpha), (None, None));
    let blend = Some(AlphaMode::Blend);
    assert_eq!((d.opacity_picture.as_deref(), d.alpha), (Some("mask.png"), blend));
    let metal = d.factors.as_ref().unwrap();
    assert_eq!((metal.metal.as_deref(), metal.roughness.as_deref()), (Some("metal.png"), None));
    assert_eq!(d.response.as_ref().unwrap().metallic, 1.0);
}

#[test]
fn vertex_colours_are_linear_light() {
    let found = model("v 0 0 0 1 0 0\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0 0 0 1\nf 1 2 3\n");
    let colors = &found.meshes[0].colors;
    assert_eq!(colors[0].to_array(), [1.0, 0.0, 0.0, 1.0]);
    assert!((colors[1].x - 0.2140).abs() < 1e-3);
}

#[test]
fn material_files_that_are_missing_beside_another_are_told() {
    let warnings = |names: &str| {
        let text = format!("mtllib {names}\n{QUAD}usemtl red\nf 1 2 3\n");
        read_with(&text, "newmtl red\n").unwrap().warnings
    };
    let told = "material file \"none.mtl\": no such file; its materials are drawn plain";
    assert_eq!(warnings("a.mtl none.mtl"), [FileRepair::NoMaterial.at(1, told)]);
    // A name with spaces; its last part is another file.
    assert_eq!(warnings("our own a.mtl"), []);
}

#[test]
fn faults_cost_their_part_and_have_their_line() {
    let text = format!("mtllib none.mtl\n{QUAD}usemtl red\nf 1 2 3\nl 1 2\np 1\nwhat 3\n");
    let warnings = read_with(&text, "").unwrap().warnings;
    let told: Vec<String> =
        warnings.iter().map(|one| format!("{}: {}", one.line, one.message)).collect();
    assert_eq!(
        told,
        [
            "8: lines are not drawn (1 statement)",
            "9: points are not drawn (1 statement)",
            "10: \"what\" is not an OBJ statement; skipped",
            "1: material file \"none.mtl\": no such file; its materials are drawn plain",
            "0: no material file has \"red\"; it is drawn plain",
        ]
    );
    let triangle = "f 1 2 3\n";
    for (fault, line, expected) in [
        (
            FileRepair::BadReference,
            "f 1 2 9",
            "the vertex of a corner: found \"9\"; expected 1 to 4, or -4 to -1; the face is skipped",
        ),
        (
            FileRepair::BadReference,
            "f -9 1 2",
            "the vertex of a corner: found \"-9\"; expected 1 to 4, or -4 to -1; the face is skipped",
        ),
        (FileRepair::FewCorners, "f 1 2", "a face: found 2 corners; expected at least 3; skipped"),
        (
            FileRepair::NotFinite,
            "v 1 nan 2",
            "a vertex: found \"nan\"; expected a finite number; faces that use it are skipped",
        ),
        (
            FileRepair::NotFinite,
            "vn nan nan nan",
            "a normal: found \"nan\"; expected a finite number; it is computed",
        ),
        (
            FileRepair::WrongType,
            "s x",
            "a smoothing group: found \"x\"; expected off, or the number of a group; skipped",
        ),
    ] {
        let loaded = read_with(&format!("{QUAD}{line}\n{triangle}"), "").unwrap();
        assert_eq!(loaded.warnings, [fault.at(5, expected)]);
        assert_eq!(loaded.value.meshes[0].triangles.len(), 1, "{line}");
    }
    // A missing texture coordinate costs only itself.
    let loaded = read_with(&format!("{QUAD}f 1/1 2 3\nf 1/7 3 4\n"), "").unwrap();
    assert_eq!(loaded.value.meshes[0].triangles.len(), 2);
    assert!(
        loaded.warnings[0].message.ends_with("the corner has none (2 times; this is the first)")
    );
    let colored = format!("{QUAD}v 2 2 0 1 nan 0\nvt 0.25 0.5 nan\nf 1/1 2/1 5/1\n");
    let loaded = read_with(&colored, "").unwrap();
    let mesh = &loaded.value.meshes[0];
    assert_eq!((mesh.triangles.len(), mesh.texcoords[2].to_array()), (1, [0.25, 0.5]));
    let told = "a vertex: found \"nan\"; expected a finite number; the extra numbers are ignored (2 times; this is the first)";
    assert_eq!(loaded.warnings, [FileRepair::NotFinite.at(5, told)]);
    let lost = format!("{QUAD}v nan 0 0\nv 2 2 0\nf 1 2 5\nf 1 2 6\n");
    let loaded = read_with(&lost, "").unwrap();
    assert_eq!(loaded.value.meshes[0].triangles.len(), 1);
    assert!(refusal("<html>").contains("found an HTML page"));
}

#[test]
fn opacity_of_a_surface_that_would_vanish_is_meant_by_tr() {
    for (lines, opacity) in [
        ("Tr 1", 1.0),
        ("Tr 0", 1.0),
        ("Tr 0.25", 0.75),
        ("d 1\nTr 1", 1.0),
        ("Tr 1\nd 0.5", 0.5),
        ("d 0.5\nTr 0.5", 0.5),
    ] {
        let text = format!("mtllib a.mtl\n{QUAD}usemtl red\nf 1 2 3\n");
        let loaded = read_with(&text, &format!("newmtl red\n{lines}\n")).unwrap();
        assert_eq!(loaded.value.materials[0].opacity, opacity, "{lines}");
    }
}

#[test]
fn textures_are_relative_to_the_folder_of_their_material_file() {
    let fetch =
        |_: &str| Ok(b"newmtl red\nmap_Kd red.png\nmap_Ke C:\\\\art\\\\glow.png\n".to_vec());
    let text = format!("mtllib ../lib/a.mtl\n{QUAD}usemtl red\nf 1 2 3\n");
    let loaded = parse_model(text.as_bytes(), &fetch, &LoadOptions::default()).unwrap();
    let material = &loaded.value.materials[0];
    assert_eq!(material.diffuse.as_deref(), Some("../lib/red.png"));
    assert!(material.emissive_map.as_deref().is_some_and(|name| name.starts_with("C:")));
}

#[test]
fn text_in_utf_16_and_with_unknown_words_among_the_first_is_read() {
    let text = format!("{QUAD}vc 1 0 0\nf 1 2 3\n");
    assert!(looks_like_obj(text.as_bytes()));
    let mut wide = vec![0xff, 0xfe];
    wide.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    assert!(looks_like_obj(&wide));
    let fetch = |_: &str| Err("none".to_owned());
    let loaded = parse_model(&wide, &fetch, &LoadOptions::default()).unwrap();
    assert_eq!(loaded.value.meshes[0].triangles, [[0, 1, 2]]);
    assert_eq!(loaded.warnings[0].fault, FileRepair::UnknownPart);
}

#[test]
fn continued_lines_comments_and_line_ends_are_read() {
    let found = model("# a box\r\nv 0 0 0 # first\rv 1 0 0\nv 0 \\\n 1 0\n\nf 1 \\\r\n 2 3");
    assert_eq!(found.meshes[0].triangles, [[0, 1, 2]]);
}

#[test]
fn files_are_known_by_their_statements() {
    assert!(looks_like_obj(b"# Blender\nmtllib a.mtl\no Cube\n"));
    assert!(looks_like_obj(QUAD.as_bytes()));
    for text in
        [&b""[..], b"MD5Version 10\n", b"{\"asset\": 1}", b"v a b c\n", b"g\n", b"v 1 2 3\nvalue\n"]
    {
        assert!(!looks_like_obj(text), "{}", text.escape_ascii());
    }
}

#[test]
fn damaged_files_are_refused_or_read() {
    let text = format!(
        "mtllib a.mtl\n{QUAD}vt 0 0\nvn 0 0 1\no a\nusemtl red\ns 1\nf 1/1/1 2//1 3 \\\n -1/1/1\n"
    );
    let library = "newmtl red\nKd 1 0 0\nmap_Kd -s 1 1 1 a.png\nd 0.5\n";
    let fetch = |_: &str| Ok(library.as_bytes().to_vec());
    for end in 0..text.len() {
        let _ = parse_model(&text.as_bytes()[..end], &fetch, &LoadOptions::default());
        let cut = |_: &str| Ok(library.as_bytes()[..end.min(library.len())].to_vec());
        let _ = parse_model(text.as_bytes(), &cut, &LoadOptions::default());
        for byte in [0, b'9', b'-', b'/', b'\n', b'\\', 0xff] {
            let mut damaged = text.clone().into_bytes();
            damaged[end] = byte;
            let _ = parse_model(&damaged, &fetch, &LoadOptions::default());
        }
    }
    let options = LoadOptions::default().with_limit(LimitName::Meshes, 1);
    let several = format!("{QUAD}o a\nf 1 2 3\no b\nf 1 2 3\n");
    let error = parse_model(several.as_bytes(), &fetch, &options).unwrap_err().to_string();
    assert_eq!(error, "line 8: meshes: found 2; the limit is 1");
}

#[test]
fn polygon_that_is_too_much_work_is_a_fan() {
    // A comb: every second corner is reflex.
    let count = 20_000;
    let mut text = String::new();
    for corner in 0..count {
        text += &format!("v {corner} {} 0\n", if corner % 2 == 0 { 2.0 } else { 1.0 });
    }
    text += &format!("v {count} 0 0\nv 0 0 0\nf");
    (1..=count + 2).for_each(|corner| text += &format!(" {corner}"));
    let loaded = read_with(&(text + "\n"), "").unwrap();
    assert_eq!(loaded.warnings[0].fault, FileRepair::LargePolygon);
    assert_eq!(loaded.value.meshes[0].triangles.len(), count);
}

#[test]
fn options_of_maps_scale_and_move_every_kind_of_map() {
    let library = "newmtl a\nmap_Kd -s 2 4 1 a.png\nmap_Ks -o 0.5 s.png\nmap_Ke -clamp ON e.png\nnorm -s -1 n.png\n\
        map_Pr -s 3 r.png\nmap_Pm -s 3 1 1 r.png\nnewmtl b\nmap_d -o 0 0.25 0 d.png\n\
        newmtl c\nmap_Kd -mm 0 1 c.png\nmap_d -s 2 d.png\nmap_Ke -mm 0.5 1 -imfchan r -t 1 1 1 e.png\n";
    let text =
        format!("mtllib a.mtl\n{QUAD}usemtl a\nf 1 2 3\nusemtl b\nf 1 3 4\nusemtl c\nf 1 3 4\n");
    let loaded = read_with(&text, library).unwrap();
    let [a, b, _] = &loaded.value.materials[..] else { panic!("three materials") };
    let at = |own: &FileMaterial, role: TextureRole| {
        own.coordinates.as_ref().unwrap()[role as usize].map(|own| own.point(Vec2::new(0.5, 1.0)))
    };
    // The lower edge of the file is the lower edge of the picture.
    assert_eq!(at(a, TextureRole::Diffuse), Some(Vec2::new(1.0, 1.0)));
    assert_eq!(at(a, TextureRole::Specular), Some(Vec2::new(1.0, 1.0)));
    assert_eq!(at(a, TextureRole::Emissive), None);
    assert_eq!(a.sampling[TextureRole::Emissive as usize].wrap, [TextureWrap::Clamp; 2]);
    assert_eq!(at(a, TextureRole::Normal), Some(Vec2::new(-0.5, 1.0)));
    assert_eq!(at(a, TextureRole::MetallicRoughness), Some(Vec2::new(1.5, 1.0)));
    assert_eq!(at(b, TextureRole::Diffuse), Some(Vec2::new(0.5, 0.75)));
    let told = "material file \"a.mtl\": material \"c\" has maps that share a texture but have different options, \
        the option -imfchan, the option -mm, the option -t; skipped";
    assert_eq!(loaded.warnings, [FileRepair::Effect.at(1, told)]);
}

#[test]
fn the_material_file_with_the_name_of_the_model_stands_for_one_that_is_not_there() {
    let fetch = |name: &str| match name {
        OWN_LIBRARY => Ok(b"newmtl red\nKd 1 0 0\n".to_vec()),
        _ => Err("no such file".to_owned()),
    };
    let read = |head: &str| {
        let text = format!("{head}{QUAD}usemtl red\nf 1 2 3\n");
        parse_model(text.as_bytes(), &fetch, &LoadOptions::default()).unwrap()
    };
    for (head, count) in [("", 1), ("mtllib gone.mtl\n", 2)] {
        let Loaded { value, warnings } = read(head);
        assert_eq!((value.materials[0].color.g, warnings.len()), (0.0, count), "{warnings:?}");
        assert!(warnings[count - 1].message.ends_with("named like the model is read"));
    }
}
