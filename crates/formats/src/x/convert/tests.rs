use super::XModel;
use crate::{LimitExceeded, Limits, LoadOptions, Loaded};
use tintype_base::precedence::DecidedBy;
use tintype_model::math::Vec3;
use tintype_model::{ClipOptions, FileRepair, LinearRgb, Mesh, Wrap};

fn read(body: &str) -> Loaded<XModel> {
    try_read(body).unwrap()
}

fn try_read(body: &str) -> Result<Loaded<XModel>, crate::x::XError> {
    let text = format!("xof 0303txt 0032\n{body}");
    crate::x::parse_model(text.as_bytes(), None, &LoadOptions::default())
}

/// The vertices of a mesh in the pose of the file, by the formula itself.
fn placed(model: &XModel, mesh: &Mesh) -> Vec<Vec3> {
    let joints = model.model.skeleton.joints();
    (0..mesh.vertex_count())
        .map(|vertex| {
            mesh.influences_of(vertex).fold(Vec3::ZERO, |sum, at| {
                let joint = joints[mesh.influences[at].joint().index()].model_from_joint;
                sum + joint.transform_point3(mesh.influences[at].position())
                    * mesh.influences[at].weight()
            })
        })
        .collect()
}

/// A tetrahedron whose faces are clockwise from outside, in left-handed axes.
const TETRAHEDRON: &str =
    "4; 0;0;0;, 1;0;0;, 0;1;0;, 0;0;1;; 4; 3;0,2,1;, 3;0,1,3;, 3;0,3,2;, 3;1,2,3;;";

#[test]
fn axes_are_turned_and_the_front_stays_in_front() {
    let file = read(&format!("Frame a {{ Mesh m {{ {TETRAHEDRON} }} }}")).value;
    let mesh = &file.model.meshes[0];
    assert_eq!(placed(&file, mesh)[3], Vec3::NEG_Z);
    assert_eq!(mesh.triangles[0], [0, 1, 2]);
    assert!(mesh.is_closed_outward());
    assert_eq!(file.model.front, Vec3::Z);
}

#[test]
fn mirror_in_a_frame_turns_sides_after_all_transforms() {
    let mirrored = "FrameTransformMatrix { -1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1;; }";
    let file = read(&format!("Frame a {{ {mirrored} Mesh m {{ {TETRAHEDRON} }} }}")).value;
    assert!(!file.model.meshes[0].is_closed_outward(), "inside out, as Direct3D draws it");
    // The same corners in reverse order, as from an exporter that swaps axes by a matrix.
    let swapped = TETRAHEDRON
        .replace("0,2,1", "0,1,2")
        .replace("0,1,3", "0,3,1")
        .replace("0,3,2", "0,2,3")
        .replace("1,2,3", "1,3,2");
    let file = read(&format!("Frame a {{ {mirrored} Mesh m {{ {swapped} }} }}")).value;
    let mesh = &file.model.meshes[0];
    assert!(mesh.is_closed_outward());
    // Computed normals look outward after the mirror: away from the middle.
    let positions = placed(&file, mesh);
    let middle = positions.iter().fold(Vec3::ZERO, |sum, &position| sum + position) / 4.0;
    let linear = file.model.skeleton.joints()[0].model_from_joint.matrix3;
    for (&position, influence) in positions.iter().zip(&mesh.influences) {
        let normal = tintype_model::math::normal_matrix(linear) * influence.normal();
        assert!(normal.dot(position - middle) > 0.0, "{position}");
    }
}

#[test]
fn frames_multiply_from_the_child_to_the_root() {
    let file = read(
        "Frame a { FrameTransformMatrix { 0,1,0,0, -1,0,0,0, 0,0,1,0, 5,0,0,1;; }
           Frame { FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, 1,0,2,1;; }
             Mesh { 1; 1;0;0;; 0; } } }
         Mesh { 1; 7;7;7;; 0; }",
    )
    .value;
    // (1, 0, 0) moves to (2, 0, 2), rotates to (0, 2, 2) and moves to (5, 2, 2); our z is reversed.
    assert_eq!(placed(&file, &file.model.meshes[0]), [Vec3::new(5.0, 2.0, -2.0)]);
    assert_eq!(placed(&file, &file.model.meshes[1]), [Vec3::new(7.0, 7.0, -7.0)]);
    let parents: Vec<_> = file.model.skeleton.joints().iter().map(|j| j.parent.is_some()).collect();
    assert_eq!(parents, [false, true, false], "one for the mesh outside of all frames");
}

#[test]
fn normals_of_faces_double_vertices_behind_those_of_the_file() {
    let file = read(
        "Mesh { 4; 0;0;0;, 1;0;0;, 0;1;0;, 0;0;1;; 2; 3;0,1,2;, 3;0,3,1;;
           MeshNormals { 2; 0;0;-2;, 0;-3;0;; 2; 3;0,0,0;, 3;1,1,1;; } }",
    )
    .value;
    let mesh = &file.model.meshes[0];
    assert_eq!((mesh.file_vertex_count(), mesh.source_vertex.as_slice()), (4, &[0, 1][..]));
    assert_eq!(mesh.triangles, [[0, 2, 1], [4, 5, 3]]);
    assert_eq!(mesh.influences[0].normal(), Vec3::Z);
    assert_eq!(mesh.influences[4].normal(), Vec3::NEG_Y);
}

#[test]
fn normals_that_do_not_fit_are_computed_with_a_warning() {
    let loaded = read(
        "Mesh { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;;
           MeshNormals { 1; 0;0;1;; 1; 2;0,0;; } }",
    );
    let mesh = &loaded.value.model.meshes[0];
    assert!(mesh.influences[0].normal().dot(Vec3::NEG_Z).abs() > 0.999);
    assert!(loaded.warnings[0].message.contains("normals of 1 of 1 faces"), "{loaded:?}");
}

#[test]
fn material_list_lets_its_last_index_hold_and_finds_materials_behind_it() {
    let file = read(
        "Mesh { 3; 0;0;0;, 1;0;0;, 0;1;0;; 3; 3;0,1,2;, 3;0,2,1;, 3;1,2,0;;
           MeshMaterialList { 2; 2; 1, 0;; { red } Material { 0.5;0.5;0.5;0.25;; 0; 1;1;1;; 0;0;0;; TextureFileName { \"a.bmp\"; } } } }
         Material red { 1;0;0;0;; 5; 1;1;1;; 0;0;0;; }",
    )
    .value;
    let shaders: Vec<_> =
        file.model.meshes.iter().map(|m| (m.material_name.as_str(), m.triangles.len())).collect();
    assert_eq!(shaders, [("red", 2), ("a.bmp", 1)]);
    let [red, grey] = &file.model.materials[..] else { panic!("two materials") };
    assert_eq!((red.color, red.opacity), (LinearRgb::new(1.0, 0.0, 0.0), 1.0), "alpha 0 is solid");
    assert_eq!((red.specular_color, red.shininess), (LinearRgb::WHITE, 5.0));
    assert_eq!(
        (grey.opacity, grey.specular_color),
        (0.25, LinearRgb::BLACK),
        "power 0 has no highlight"
    );
    assert!((grey.color.r - 0.214).abs() < 1e-3);
    assert_eq!(grey.diffuse.as_deref(), Some("a.bmp"));
}

#[test]
fn material_power_below_one_has_no_highlight() {
    for (power, is_shiny) in
        [("0", false), ("0.1", false), ("0.99", false), ("1", true), ("2000", true)]
    {
        let text = format!(
            "Mesh {{ {TRIANGLE} MeshMaterialList {{ 1; 1; 0;; Material m {{ 1;1;1;1;; {power}; 1;0.5;0;; 0;0;0;; }} }} }}"
        );
        let material = read(&text).value.model.materials[0].clone();
        assert_eq!(material.specular_color != LinearRgb::BLACK, is_shiny, "{power}");
        assert_eq!(material.notes.len(), usize::from(!is_shiny), "{material:?}");
        if is_shiny {
            assert_eq!(material.specular_color.r, 1.0);
            assert!((material.specular_color.g - 0.214).abs() < 1e-3, "a highlight has a colour");
        }
    }
}

#[test]
fn material_of_an_exporter_without_one_is_solid() {
    let opacity = |color: &str, power: &str| {
        let text = format!(
            "Mesh {{ {TRIANGLE} MeshMaterialList {{ 1; 1; 0;; Material m {{ {color};; {power}; 0.5;0.5;0.5;; 0;0;0;; }} }} }}"
        );
        let material = read(&text).value.model.materials[0].clone();
        assert_eq!(material.notes.len(), usize::from(material.opacity == 1.0), "{material:?}");
        material.opacity
    };
    assert_eq!(opacity("0.800000;0.800000;0.800000;0.800000", "96.078431"), 1.0);
    assert_eq!(opacity("0.640000;0.640000;0.640000;0.800000", "96.078431"), 1.0);
    assert_eq!(opacity("0.8;0.8;0.8;0.8", "20"), 0.8, "a material that somebody made");
    assert_eq!(opacity("0.8;0.8;0.8;0.5", "96.078431"), 0.5);
    assert_eq!(opacity("0.8;0.4;0.8;0.8", "96.078431"), 0.8);
}

/// The messages of warnings of one kind.
fn told(loaded: &Loaded<XModel>, fault: FileRepair) -> String {
    let of_kind = loaded.warnings.iter().filter(|warning| warning.fault == fault);
    of_kind.map(|one| format!("{}: {}", one.line, one.message)).collect::<Vec<_>>().join("\n")
}

fn triangles(loaded: &Loaded<XModel>) -> usize {
    loaded.value.model.meshes.iter().map(|mesh| mesh.triangles.len()).sum()
}

#[test]
fn index_out_of_range_costs_its_face_or_takes_the_last_material() {
    let loaded = read(
        "Mesh { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;;
           MeshMaterialList { 1; 1;\n 1;; Material { 1;1;1;1;; 0; 0;0;0;; 0;0;0;; } } }",
    );
    assert_eq!(triangles(&loaded), 1);
    let message = told(&loaded, FileRepair::OutOfRange);
    assert!(message.starts_with("4: "), "{message}");
    assert!(message.contains("found 1; expected 0, as there is 1"), "{message}");

    let loaded = read("Mesh { 4; 0;0;0;, 1;0;0;, 0;1;0;, 1;1;0;; 2; 3;0,1,4;, 3;1,3,2;; }");
    assert_eq!(triangles(&loaded), 1);
    let message = told(&loaded, FileRepair::OutOfRange);
    assert!(message.contains("found 4; expected 0 to 3"), "{message}");
    assert!(message.ends_with("1 face is skipped"), "{message}");
}

#[test]
fn lists_that_are_not_as_long_as_their_counts_say_are_told_and_drawn() {
    let told_of = |body: &str| {
        let loaded = read(body);
        (triangles(&loaded), told(&loaded, FileRepair::CountMismatch))
    };
    // A count of more vertices than any file holds.
    let (drawn, message) = told_of("Mesh m { 4294967295; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;; }");
    assert_eq!(drawn, 1);
    let wanted = "Mesh \"m\": the list of vertices: found 3; expected 4294967295, from its count";
    assert!(message.contains(wanted), "{message}");
    // A vertex that is cut leaves a hole, so that the indices after it keep their meaning.
    let quad = "Mesh { 5; 0;0;0;, 7;7;, 1;0;0;, 1;1;0;, 0;1;0;; 3; 3;0,2,3;, 3;0,3,4;, 3;0,1,2;; }";
    let (drawn, message) = told_of(quad);
    assert_eq!(drawn, 2);
    assert!(message.contains("found 4 and 1 truncated; expected 5"), "{message}");
    let corners: Vec<Vec3> = {
        let loaded = read(quad);
        let mesh = &loaded.value.model.meshes[0];
        mesh.triangles[0].map(|vertex| placed(&loaded.value, mesh)[vertex as usize]).to_vec()
    };
    assert_eq!(corners, [Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0), Vec3::X]);
    // More faces than counted, and fewer.
    let vertices = "4; 0;0;0;, 1;0;0;, 1;1;0;, 0;1;0;;";
    for (faces, drawn, message) in [
        ("1; 3;0,1,2;, 3;0,2,3;;", 2, "the list of faces: found 2; expected 1"),
        ("3; 3;0,1,2;, 3;0,2,3;;", 2, "the list of faces: found 2; expected 3"),
        ("2; 3;0,1,2;, 3;0,2;;", 1, "the list of faces: found 1 and 1 truncated; expected 2"),
        ("1; 3;0,1,2;; 7; 8;", 1, "2 numbers after its lists are ignored"),
    ] {
        let found = told_of(&format!("Mesh {{ {vertices} {faces} }}"));
        assert_eq!(found.0, drawn, "{faces}");
        assert!(found.1.contains(message), "{}", found.1);
    }
    // The end of the vertices and the count of the faces are lost.
    let (drawn, message) = told_of("Mesh { 4; 0;0;0;, 1;0;0;, 1;1;0;, 3;0,1,2;, 3;1,0,2;; }");
    assert_eq!(drawn, 2);
    assert!(message.contains("the list of vertices: found 3; expected 4"), "{message}");
    assert!(message.contains("the list of faces: found 2; its count is missing"), "{message}");
    // Two semicolons left by a cut within a list.
    let (drawn, _) =
        told_of("Mesh { 5; 0;0;0;, 1;0;0;, 1;;0;, 1;1;0;, 0;1;0;; 2; 3;0,1,3;, 3;0,3,4;; }");
    assert_eq!(drawn, 2);
    let (drawn, _) =
        told_of(&format!("Mesh {{ {vertices} 3; 3;0,1,2;, 3;0;; 3;1,2,3;, 3;0,2,3;; }}"));
    assert_eq!(drawn, 3);
    // Vectors of integers are not faces of two corners.
    let (drawn, _) = told_of("Mesh { 5; 2;0;0;, 2;1;0;, 2;1;1;, 7;, 2;0;1;; 1; 4;0,1,2,4;; }");
    assert_eq!(drawn, 2);
    // Other lists of a mesh.
    for (part, message) in [
        ("MeshTextureCoords { 4; 0;0;, 1;0;, 1;1;; }", "texture coordinates: found 3; expected 4"),
        ("MeshMaterialList { 1; 2; 0;; }", "materials of faces: found 1; expected 2"),
        ("MeshNormals { 2; 0;0;1;; 1; 4;0,0,0,0;; }", "the list of normals: found 1; expected 2"),
        ("SkinWeights { \"a\"; 3; 0,1; .5,.5; 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1;; }", "found 2"),
        ("SkinWeights { \"a\"; 2; 0,1; .5; 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1;; }", "are skipped"),
    ] {
        let (drawn, found) = told_of(&format!("Mesh {{ {vertices} 1; 4;0,1,2,3;; {part} }}"));
        assert_eq!(drawn, 2, "{part}");
        assert!(found.contains(message), "{found}");
    }
}

#[test]
fn decimal_commas_are_refused_by_their_name() {
    let error = try_read("Mesh { 3; 0,5;1,5;2,0;, 0,5;1,0;0,0;, 1,5;0,0;0,0;; 1; 3;0,1,2;; }");
    let message = error.unwrap_err().to_string();
    assert!(message.starts_with("line 2, column 11: the decimal comma of \"0,5\""), "{message}");
}

#[test]
fn faults_of_parts_cost_the_parts() {
    let mesh = "3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;;";
    for (fault, body) in [
        (
            FileRepair::NotFinite,
            "Mesh { 4; 0;0;0;, 1;0;0;, 0;1;0;, nan;0;0;; 2; 3;0,1,2;, 3;0,1,3;; }",
        ),
        (
            FileRepair::WrongType,
            "Mesh { 4; 0;0;0;, 1;0;0;, 0;1;0;, 1.2.3;0;0;; 2; 3;0,1,2;, 3;0,1,3;; }",
        ),
        (FileRepair::FewCorners, "Mesh { 3; 0;0;0;, 1;0;0;, 0;1;0;; 2; 3;0,1,2;, 2;0,1;; }"),
        (
            FileRepair::WrongShape,
            &format!("Mesh {{ {mesh} MeshNormals {{ 1; 0;0;1;; 1; 2;0,0;; }} }}"),
        ),
        (
            FileRepair::NoMaterial,
            &format!("Mesh {{ {mesh} MeshMaterialList {{ 1; 1; 0;; {{ red }} }} }}"),
        ),
        (
            FileRepair::MissingValue,
            &format!("Mesh {{ {mesh} MeshMaterialList {{ 1; 1; 0;; Material {{ 1;1;1; }} }} }}"),
        ),
        (FileRepair::Truncated, &format!("Frame a {{ Mesh {{ {mesh} ")),
        (FileRepair::Leftover, &format!("Mesh {{ {mesh} }} }} 7;")),
        (FileRepair::Malformed, &format!("template T {{ DWORD [; }} Mesh {{ {mesh} }}")),
        (FileRepair::UnknownPart, &format!("Mesh {{ {mesh} }} Framme a {{ }}")),
        (FileRepair::BadReference, &format!("Frame a {{ {{ nobody }} Mesh {{ {mesh} }} }}")),
        (FileRepair::OutOfRange, &format!("Frame a {{ {{ a }} Mesh {{ {mesh} }} }}")),
        (
            FileRepair::OutOfRange,
            &format!("Frame a {{ FrameTransformMatrix {{ 1; 0; }} Mesh {{ {mesh} }} }}"),
        ),
        (FileRepair::NotDrawn, &format!("Mesh {{ {mesh} }} ProgressiveMesh {{ }}")),
        (
            FileRepair::Skewed,
            &format!(
                "Frame a {{ Mesh {{ {mesh} }} }} AnimationSet {{ Animation {{ {{ a }} AnimationKey {{ 4; 1; \
             0;16;1,1,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1;;; }} }} }}"
            ),
        ),
        (
            FileRepair::KeyTimes,
            &format!(
                "Frame a {{ Mesh {{ {mesh} }} }} AnimationSet {{ Animation {{ {{ a }} AnimationKey {{ 2; 2; \
             4;3;0,0,0;;, 4;3;1,0,0;;; }} }} }}"
            ),
        ),
        (
            FileRepair::MixedOptions,
            &format!(
                "Frame a {{ Mesh {{ {mesh} }} }} Frame b {{ }} AnimationSet {{ Animation {{ {{ a }} AnimationOptions {{ 1; 1; }} }} \
             Animation {{ {{ b }} AnimationOptions {{ 0; 1; }} }} }}"
            ),
        ),
    ] {
        let loaded = read(body);
        assert_eq!(triangles(&loaded), 1, "{body}");
        assert_ne!(told(&loaded, fault), "", "{fault:?}: {:?}", loaded.warnings);
    }
}

#[test]
fn white_space_before_the_mark_is_passed_over() {
    let body = "xof 0303txt 0032\nMesh { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1;\n 3;0,1,5;; }";
    for start in ["\n \t", "\u{feff}\r\n", "\u{feff}"] {
        let text = format!("{start}{body}");
        let loaded = crate::x::parse_model(text.as_bytes(), None, &LoadOptions::default());
        let warnings = loaded.unwrap().warnings;
        assert_eq!(warnings[0].line, 3 + start.matches('\n').count(), "{start:?}");
    }
}

const BONES: &str = "Frame a { FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, 9,0,0,1;; }
    Mesh m { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;; SkinWeights { \"b\"; 2; 0, 1; 1.0, 0.0;
      1,0,0,0, 0,1,0,0, 0,0,1,0, 0,4,0,1;; } SkinWeights { \"lost\"; 1; 2; 1.0; 1,0,0,0, 0,1,0,0, 0,0,1,0, 3,3,3,1;; } } }
  Frame b { FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,-2,1;; } }";

#[test]
fn skin_leaves_the_frame_of_the_mesh_out_and_holds_the_rest_on_it() {
    let loaded = read(BONES);
    let file = &loaded.value;
    let expected = [Vec3::new(0.0, 4.0, 2.0), Vec3::new(10.0, 0.0, 0.0), Vec3::new(9.0, 1.0, 0.0)];
    assert_eq!(placed(file, &file.model.meshes[0]), expected);
    let about: Vec<&str> = loaded.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert!(about.iter().any(|text| text.contains("no frame \"lost\"")), "{about:?}");
    assert!(about.iter().any(|text| text.contains("1 of 3 vertices have no weight")), "{about:?}");
}

#[test]
fn only_vertices_that_lost_a_weight_are_scaled() {
    let one = "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1;;";
    let weights = |first: &str, second: &str, matrix: &str| {
        let file = read(&format!(
            "Frame a {{ Mesh m {{ 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;; SkinWeights {{ \"a\"; 3; 0,1,2; .8,.8,.5; {one} }}
             SkinWeights {{ {first}; 1; 2; {second}; {matrix} }} }} }} Frame b {{ }}"
        ));
        let influences = file.value.model.meshes[0].influences.clone();
        influences.iter().map(|influence| influence.weight()).collect::<Vec<_>>()
    };
    assert_eq!(weights("\"b\"", ".5", one), [0.8, 0.8, 0.5, 0.5]);
    for (name, second, matrix) in [
        ("7", ".5", one),
        ("\"b\"", "1e10", one),
        ("\"b\"", ".5", &one.replacen('1', "1e20", 1)[..]),
    ] {
        assert_eq!(weights(name, second, matrix), [0.8, 0.8, 1.0], "{name} {second} {matrix}");
    }
}

#[test]
fn attributes_in_words_are_the_bits_of_floats() {
    // Normal of three floats, texture coordinates of two, a colour in one word; then two sets in
    // flags.
    let triangle = "3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;;";
    let words = "0,0,3212836864, 1056964608,1065353216, 2164195328";
    let file = read(&format!(
        "Mesh {{ {triangle} DeclData {{ 3; 2;0;3;0;, 1;0;5;0;, 4;0;10;0;; 18; {words}, {words}, {words}; }} }}
         Mesh {{ {triangle} FVFData {{ 65794; 9; 1056964608,0,0, 0,1056964608,0, 0,0,0; }} }}"
    ))
    .value;
    let [packed, flexible] = &file.model.meshes[..] else { panic!("two meshes") };
    assert_eq!(packed.influences[0].normal(), Vec3::Z);
    assert_eq!(packed.texcoords[2].to_array(), [0.5, 1.0]);
    assert_eq!(packed.colors[0].to_array(), [1.0, 0.0, 0.0, 128.0 / 255.0]);
    assert_eq!(flexible.texcoords[0].to_array(), [0.5, 0.0]);
    assert_eq!(flexible.texcoords[1].to_array(), [0.0, 0.5]);
}

fn clip_of(keys: &str) -> Loaded<XModel> {
    read(&format!(
        "Frame a {{ FrameTransformMatrix {{ 2,0,0,0, 0,2,0,0, 0,0,2,0, 1,2,3,1;; }} }}
         AnimationSet {{ Animation {{ {keys} {{ a }} }} }}"
    ))
}

#[test]
fn keys_are_sorted_and_the_last_of_one_time_holds() {
    let loaded =
        clip_of("AnimationKey { 2; 9; 30;3;1,0,0;;, 0;3;2,0,0;;, 30;3;3,0,7;;, -15;3;4,0,0;;; }");
    let clip = &loaded.value.clips[0].clip;
    assert_eq!(loaded.value.clips[0].name, "set 0");
    let track = &clip.joints[0].translation;
    assert_eq!(*track.times_s, [-0.5, 0.0, 1.0]);
    assert_eq!(track.values[2], Vec3::new(3.0, 0.0, -7.0));
    assert_eq!((clip.start_s, clip.end_s, clip.key_count()), (-0.5, 1.0, 3));
    assert!(clip.joints[0].scale.values.is_empty(), "left to the frame");
    assert!(loaded.warnings[0].message.contains("a different number of keys"), "{loaded:?}");
}

#[test]
fn keys_of_rotation_turn_as_the_matrices_of_the_file_do() {
    // A quarter turn that takes x to y by v·M, as a matrix key and as a rotation key with the
    // opposite sense.
    let matrix =
        clip_of("AnimationKey { 4; 1; 0;16;0,3,0,0, -3,0,0,0, 0,0,3,0, 1,2,3,1;;; }").value;
    let half = core::f32::consts::FRAC_1_SQRT_2;
    let turn = clip_of(&format!("AnimationKey {{ 0; 1; 0;4;{half},0,0,-{half};;; }}")).value;
    for file in [&matrix, &turn] {
        let rotation = file.clips[0].clip.joints[0].rotation.values[0];
        assert!((rotation * Vec3::X - Vec3::Y).length() < 1e-6, "{rotation}");
    }
    let joint = &matrix.clips[0].clip.joints[0];
    assert!((joint.scale.values[0] - Vec3::splat(3.0)).length() < 1e-6);
    assert_eq!(joint.translation.values[0], Vec3::new(1.0, 2.0, -3.0));
}

#[test]
fn matrix_keys_keep_a_mirror_and_tell_of_shear() {
    let mirrored =
        clip_of("AnimationKey { 4; 1; 0;16;1,0,0,0, 0,1,0,0, 0,0,-2,0, 0,0,0,1;;; }").value;
    let joint = &mirrored.clips[0].clip.joints[0];
    let linear = tintype_model::math::Mat3::from_quat(joint.rotation.values[0])
        * tintype_model::math::Mat3::from_diagonal(joint.scale.values[0]);
    let expected = tintype_model::math::Mat3::from_diagonal(Vec3::new(1.0, 1.0, -2.0));
    assert!(linear.abs_diff_eq(expected, 1e-6), "{linear}");
    let sheared = clip_of("AnimationKey { 4; 1; 0;16;1,0,0,0, 0.5,1,0,0, 0,0,1,0, 0,0,0,1;;; }");
    assert!(sheared.warnings[0].message.contains("1 matrix key with skewed axes"), "{sheared:?}");
}

#[test]
fn ticks_follow_the_file_or_the_distance_of_its_keys() {
    let near = "AnimationKey { 2; 3; 0;3;0,0,0;;, 1;3;1,0,0;;, 2;3;2,0,0;;; }";
    let far = "AnimationKey { 2; 3; 0;3;0,0,0;;, 160;3;1,0,0;;, 320;3;2,0,0;;; }";
    let rate = |text: &str| {
        let ticks = clip_of(text).value.ticks;
        (ticks.per_second, ticks.by, ticks.median_gap)
    };
    assert_eq!(rate(near), (30.0, DecidedBy::Guess, Some(1.0)));
    assert_eq!(rate(far), (4800.0, DecidedBy::Guess, Some(160.0)));
    let said = |body: &str| read(&format!("{body} AnimTicksPerSecond {{ 24; }}")).value.ticks;
    assert_eq!((said("").per_second, said("").by), (24.0, DecidedBy::Statement));
    assert_eq!(said("AnimTicksPerSecond { 30; }").per_second, 24.0, "the last one");
    let text = format!("xof 0303txt 0032\nAnimationSet s {{ Animation {{ {{ a }} {far} }} }}");
    let given = crate::x::parse_model(text.as_bytes(), Some(160.0), &LoadOptions::default());
    let given = given.unwrap().value;
    assert_eq!(given.ticks.by, DecidedBy::Wish);
    assert_eq!(given.clips[0].clip.end_s, 2.0);
    assert!(given.model.meshes.is_empty() && given.model.skeleton.is_empty(), "clips alone");
}

#[test]
fn period_ends_at_the_last_key_whether_the_set_closes_or_not() {
    let closed = clip_of("AnimationKey { 2; 3; 0;3;0,0,0;;, 15;3;1,0,0;;, 30;3;0,0,0;;; }").value;
    let open = clip_of("AnimationKey { 2; 3; 0;3;0,0,0;;, 15;3;1,0,0;;, 30;3;2,0,0;;; }").value;
    for (file, closes) in [(closed, true), (open, false)] {
        let clip = &file.clips[0].clip;
        assert_eq!((clip.period_s, clip.open_gap_s, clip.closes), (1.0, 0.0, closes));
        assert_eq!(*clip.key_times_s, [0.0, 0.5, 1.0]);
    }
    let still = clip_of("AnimationKey { 2; 1; 30;3;1,0,0;;; }").value;
    assert_eq!(still.clips[0].clip.period_s, 0.0);
}

#[test]
fn values_that_belong_to_no_key_are_passed_over() {
    let loaded = clip_of("AnimationKey { 2; 2; 0;3;0,0,0;;,\n0\n 15;3;1,0,0;;; 7; 8; }");
    assert_eq!(loaded.value.clips[0].clip.key_count(), 2);
    assert!(loaded.warnings[0].message.contains("outside any key"), "{loaded:?}");
}

const TRIANGLE: &str = "3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;;";

/// A frame that moves by `x`, with its contents.
fn moved(name: &str, x: f32, inside: &str) -> String {
    format!(
        "Frame {name} {{ FrameTransformMatrix {{ 1,0,0,0, 0,1,0,0, 0,0,1,0, {x},0,0,1;; }} {inside} }}"
    )
}

/// Position of the first vertex of each mesh.
fn first_vertices(model: &XModel) -> Vec<f32> {
    model.model.meshes.iter().map(|mesh| placed(model, mesh)[0].x).collect()
}

#[test]
fn frame_that_others_refer_to_stands_in_each_of_them_and_nowhere_else() {
    let body = [
        moved("a", 1.0, "{ shared }"),
        moved("b", 10.0, "{ shared <00000000-0000-0000-0000-000000000007> }"),
        moved("shared", 100.0, &format!("Mesh m {{ {TRIANGLE} }}")),
    ];
    let file = read(&body.join("\n")).value;
    let names: Vec<_> = file.model.skeleton.joints().iter().map(|j| j.name.as_str()).collect();
    assert_eq!(names, ["a", "shared", "b", "shared"]);
    assert_eq!(first_vertices(&file), [101.0, 110.0]);
    // A frame within another is also present.
    let inner = moved("shared", 100.0, &format!("Mesh m {{ {TRIANGLE} }}"));
    let body = [moved("a", 1.0, "{ shared }"), moved("b", 10.0, &inner)];
    assert_eq!(first_vertices(&read(&body.join("\n")).value), [101.0, 110.0]);
}

#[test]
fn reference_means_what_belongs_there_where_several_have_its_name() {
    // As named by exporters: a frame, a mesh and a material with the same name.
    let file = read(&format!(
        "Material a {{ 0;0;0;1;; 0; 0;0;0;; 0;0;0;; }}
         {}
         Mesh a {{ {TRIANGLE} {{ n }} MeshMaterialList {{ 1; 1; 0;; {{ a }} }} }}
         MeshNormals n {{ 1; 0;1;0;; 1; 3;0,0,0;; }}",
        moved("b", 5.0, "{ a }")
    ))
    .value;
    assert_eq!(first_vertices(&file), [5.0]);
    assert_eq!(
        (file.model.meshes[0].influences[0].normal(), file.model.meshes[0].material_name.as_str()),
        (Vec3::Y, "a")
    );
}

#[test]
fn circular_references_are_left_out_and_crowds_of_frames_are_limited() {
    for (body, position) in [
        ("Frame a { Frame b { { a } } }", "line 2, column 21"),
        ("Frame a { { b } } Frame b { { c } } Frame c { { b } }", "line 2, column 47"),
        ("Frame a { { b } } Frame b { { a } }", "line 2, column 29"),
        ("Frame a { { a } } Frame b { { b } }", "line 2, column 11"),
    ] {
        let message = told(&read(body), FileRepair::OutOfRange);
        assert!(message.contains(": a reference to Frame"), "{position}: {message}");
        assert!(message.contains("contains itself"), "{message}");
        assert!(message.ends_with("the reference is skipped"), "{message}");
    }
    // Each of thirty frames is twice in the next one.
    let crowd: Vec<String> =
        (0..30).map(|n| format!("Frame f{n} {{ {{ f{0} }} {{ f{0} }} }}", n + 1)).collect();
    let error = try_read(&format!("{} Frame f30 {{ }}", crowd.join("\n"))).unwrap_err();
    assert!(
        matches!(error, crate::x::XError::Limit(LimitExceeded { found: 65_537, .. })),
        "{error}"
    );
    // A thousand references to one list of a thousand, in each of a thousand frames.
    let list = "{ none } ".repeat(1000);
    let refers = format!("Frame a {{ {list} }} {}", "Frame { { a } } ".repeat(1000));
    let limits = Limits { max_objects: 100_000, ..Limits::default() };
    let text = format!("xof 0303txt 0032\n{refers}");
    let error = crate::x::parse_model(text.as_bytes(), None, &limits.into()).unwrap_err();
    let expected = "objects, counted at each reference to them: found 100001; the limit is 100000";
    assert!(error.to_string().ends_with(expected), "{error}");
}

#[test]
fn references_are_found_at_once_among_many_objects_of_their_name() {
    // Comparing each of them for each reference would take hours.
    let crowd = "Foo a { } ".repeat(300_000);
    let body = format!("{crowd} Frame b {{ {} }} Frame a {{ }}", "{ a } ".repeat(60_000));
    assert_eq!(read(&body).value.model.skeleton.len(), 60_001);
}

#[test]
fn values_are_limited_as_often_as_they_are_referred_to() {
    let keys = format!("AnimationKey k {{ 2; 100; {} }}", "0;3;1,2,3;;,".repeat(100));
    let body = format!("{keys} AnimationSet {{ Animation {{ {{ f }} {} }} }}", "{ k } ".repeat(50));
    let text = format!("xof 0303txt 0032\n{body}");
    let read =
        |limits: &Limits| crate::x::parse_model(text.as_bytes(), None, &limits.clone().into());
    assert!(read(&Limits::default()).is_ok());
    let error = read(&Limits { max_values: 5000, ..Limits::default() }).unwrap_err().to_string();
    assert!(error.ends_with("the limit is 5000"), "{error}");
}

#[test]
fn frames_ten_thousand_deep_are_read() {
    let deep = "Frame { FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,1,0,1;; } ";
    let body = format!("{}Mesh {{ {TRIANGLE} }}{}", deep.repeat(10_000), "}".repeat(10_000));
    let file = read(&body).value;
    assert_eq!(placed(&file, &file.model.meshes[0])[0], Vec3::new(0.0, 10_000.0, 0.0));
}

#[test]
fn animation_moves_a_frame_within_it_or_one_it_refers_to_and_may_stand_alone() {
    let key = |x: f32| format!("AnimationKey {{ 2; 2; 0;3;{x},0,0;;, 1;3;0,0,0;;; }}");
    let file = read(&format!(
        "Animation alone {{ {} {{ a }} }}
         AnimationSet walk {{ Animation {{ Frame b {{ }} {} }} {{ kept }} }}
         Animation kept {{ {{ c }} {{ keys }} }}
         AnimationKey keys {{ 2; 2; 0;3;7,0,0;;, 1;3;0,0,0;;; }}
         Frame a {{ }} Frame c {{ }}",
        key(1.0),
        key(2.0)
    ))
    .value;
    let moves: Vec<Vec<(&str, f32)>> = file
        .clips
        .iter()
        .map(|clip| &clip.clip.joints)
        .map(|joints| joints.iter().map(|j| (j.name.as_str(), j.translation.values[0].x)).collect())
        .collect();
    assert_eq!(moves, [vec![("b", 2.0), ("c", 7.0)], vec![("a", 1.0)]]);
    assert_eq!((file.clips[0].name.as_str(), file.clips[1].name.as_str()), ("walk", "set 0"));
}

#[test]
fn options_say_whether_a_set_is_played_once() {
    let clip = |options: &[&str]| {
        let animations: String = options
            .iter()
            .enumerate()
            .map(|(n, options)| {
                format!(
                    "Animation {{ {{ f{n} }} {options} AnimationKey {{ 2; 2; 0;3;0,0,0;;, 9;3;1,0,0;;; }} }}"
                )
            })
            .collect();
        read(&format!("AnimationSet {{ {animations} }}"))
    };
    let (open, closed) = ("AnimationOptions { 1; 0; }", "AnimationOptions { 0; 1; }");
    for (options, wrap) in [
        (&[open, open][..], Wrap::Clamp),
        (&[closed, closed], Wrap::Loop),
        (&[open, closed], Wrap::Loop),
        (&["", open], Wrap::Loop),
        (&["", ""], Wrap::Loop),
    ] {
        let loaded = clip(options);
        assert_eq!(loaded.value.clips[0].clip.wrap, wrap, "{options:?}");
        let is_mixed = options.contains(&open) && options.iter().any(|one| *one != open);
        let tells =
            loaded.warnings.iter().any(|w| w.message.contains("1 of 2 animations are open"));
        assert_eq!(tells, is_mixed, "{:?}", loaded.warnings);
    }
    let found = clip(&[open, closed]).value.clips[0].options;
    let expected = ClipOptions { animations: 2, open: 1, closed: 1, spline: 1, rotations: [0, 0] };
    assert_eq!(found, expected);
}

#[test]
fn effect_gives_textures_by_name_and_colours_by_the_usual_names() {
    let file = read(&format!(
        "Mesh {{ {TRIANGLE} MeshMaterialList {{ 1; 1; 0;; Material fx {{ 1;1;1;1;; 0; 0;0;0;; 0;0;0;;
           EffectInstance {{ \"skin.fx\"; {{ bump }}
             EffectParamFloats {{ \"MaterialDiffuseColor\"; 4; 1.0,0.0,0.0,0.5; }}
             EffectParamFloats {{ \"Power\"; 1; 20.0; }}
             EffectParamFloats {{ \"Wind\"; 3; 9.0,9.0,9.0; }}
             EffectParamDWord {{ \"Specular\"; 4294967295; }}
             EffectParamDWord {{ \"Technique\"; 3; }}
             EffectParamString {{ \"ReflectionMap\"; \"sky.dds\"; }}
             EffectParamString {{ \"EmissiveMap\"; \"skin_g.dds\"; }}
             EffectParamString {{ \"Texture0@Name\"; \"glowing_skin.dds\"; }} }} }} }} }}
         EffectParamString bump {{ \"NormalMap\"; \"skin_n.dds\"; }}"
    ))
    .value;
    let [material] = &file.model.materials[..] else { panic!("one material") };
    assert_eq!((material.color, material.opacity), (LinearRgb::new(1.0, 0.0, 0.0), 0.5));
    assert_eq!((material.specular_color, material.shininess), (LinearRgb::WHITE, 20.0));
    assert_eq!(material.diffuse.as_deref(), Some("glowing_skin.dds"));
    assert_eq!(material.normal.as_deref(), Some("skin_n.dds"));
    assert_eq!(material.emissive_map.as_deref(), Some("skin_g.dds"));
    assert_eq!(material.emissive, LinearRgb::WHITE, "no colour says how much");
}

#[test]
fn further_texture_coordinates_are_checked_and_counted() {
    let sets = |parts: &str| {
        let loaded = read(&format!("Mesh {{ {TRIANGLE} {parts} }}"));
        (loaded.value.model.meshes[0].texcoord_sets, loaded.warnings.len())
    };
    let list = "MeshTextureCoords { 3; 0;0;, 0;0;, 0;0;; }";
    assert_eq!(sets(""), (0, 0));
    assert_eq!(sets(list), (1, 0));
    assert_eq!(sets(&format!("{list} {list}")), (2, 0));
    assert_eq!(sets(&format!("{list} DeclData {{ 1; 1;0;5;1;; 6; 0,0,0,0,0,0; }}")), (2, 0));
    assert_eq!(sets("FVFData { 512; 12; 0,0,0,0,0,0,0,0,0,0,0,0; }"), (2, 0));
    assert_eq!(sets("FVFData { 512; 11; 0,0,0,0,0,0,0,0,0,0,0; }"), (0, 1), "cut short");
}

#[test]
fn objects_that_cannot_be_read_are_told_of() {
    let loaded = read(&format!(
        "CompressedAnimationSet a {{ 0; 4800.0; 0; 0; }} CompressedAnimationSet {{ 0; 4800.0; 0; 0; }}
         AnimationSet b {{ }} Mesh {{ {TRIANGLE} PMInfo {{ }} }}"
    ));
    let told: Vec<&str> = loaded.warnings.iter().map(|w| w.message.as_str()).collect();
    for start in [
        "2 objects of kind CompressedAnimationSet not supported: the layout of its key buffer",
        "1 object of kind PMInfo not supported: its levels of detail are ignored",
    ] {
        assert!(told.iter().any(|told| told.starts_with(start)), "{told:?}");
    }
    let clips: Vec<(&str, usize)> =
        loaded.value.clips.iter().map(|own| (own.name.as_str(), own.clip.key_count())).collect();
    assert_eq!(clips, [("b", 0), ("a", 0), ("set 0", 0)]);
    assert_eq!(loaded.value.model.meshes[0].triangles.len(), 1, "whole");
}

/// A patch mesh with this number of control points in the order of a spiral, at these positions.
fn patch(head: &str, points: &[[f32; 3]], more: &str) -> Loaded<XModel> {
    let places: Vec<String> = points.iter().map(|[x, y, z]| format!("{x};{y};{z};")).collect();
    let indices: Vec<String> = (0..points.len()).map(|index| index.to_string()).collect();
    let count = points.len();
    read(&format!(
        "{head} {count}; {}; 1; {count}; {};; {more} }}",
        places.join(","),
        indices.join(",")
    ))
}

#[test]
fn patches_are_cut_into_triangles() {
    // Rows along z, columns along x, in a spiral.
    let flat = |degree: u16| -> Vec<[f32; 3]> {
        let side = f32::from(degree);
        let (mut low, mut high, mut all) = (0.0, side, Vec::new());
        while low <= high {
            let mut at = [low, low];
            let turns = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
            for [x, z] in turns {
                let steps = (high - low) as usize;
                for _ in 0..steps {
                    all.push([at[0], 0.0, at[1]]);
                    at = [at[0] + x, at[1] + z];
                }
            }
            if low == high {
                all.push([low, 0.0, low]);
            }
            (low, high) = (low + 1.0, high - 1.0);
        }
        all
    };
    let extent = |loaded: &Loaded<XModel>| {
        let mesh = &loaded.value.model.meshes[0];
        let rest = tintype_model::pose::bind_pose(&loaded.value.model.skeleton);
        let matrices = tintype_model::skin::SkinMatrices::new(&rest);
        let posed = tintype_model::skin::skin_mesh(mesh, &matrices);
        let places: Vec<Vec3> = (0..posed.len()).map(|vertex| posed.position_at(vertex)).collect();
        let bounds: tintype_model::math::Aabb = places.iter().copied().collect();
        (mesh.triangles.len(), places.len(), bounds)
    };
    for (head, degree, low, high) in [
        ("PatchMesh {", 3, 0.0, 3.0),
        ("PatchMesh9 { 1; 3; 0;", 3, 0.0, 3.0),
        ("PatchMesh9 { 1; 1; 0;", 1, 0.0, 1.0),
        ("PatchMesh9 { 1; 2; 1;", 2, 0.5, 1.5),
        ("PatchMesh9 { 1; 3; 1;", 3, 1.0, 2.0),
        ("PatchMesh9 { 1; 3; 2;", 3, 1.0, 2.0),
    ] {
        let loaded = patch(head, &flat(degree), "");
        assert_eq!(loaded.warnings, [], "{head}");
        let (triangles, vertices, bounds) = extent(&loaded);
        assert_eq!((triangles, vertices), (128, 81), "{head}");
        let near = |a: Vec3, b: Vec3| a.distance(b) < 1e-5;
        assert!(near(bounds.min, Vec3::new(low, 0.0, -high)), "{head} {bounds:?}");
        assert!(near(bounds.max, Vec3::new(high, 0.0, -low)), "{head} {bounds:?}");
    }
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
    let (triangles, vertices, bounds) = extent(&patch("PatchMesh9 { 2; 1; 0;", &corners, ""));
    assert_eq!((triangles, vertices), (64, 45));
    assert!(bounds.max.distance(Vec3::new(1.0, 2.0, 0.0)) < 1e-6, "{bounds:?}");
}

#[test]
fn patches_that_are_none_are_left_out_and_told() {
    let told = |head: &str, count: usize| {
        let loaded = patch(head, &vec![[0.0; 3]; count], "");
        let found = loaded.value.model.meshes.first().map_or(0, |mesh| mesh.triangles.len());
        assert_eq!(found, 0, "{head}");
        loaded.warnings.into_iter().map(|told| told.message).collect::<Vec<_>>().join("; ")
    };
    let message = told("PatchMesh {", 12);
    assert!(message.contains("1 patch with an invalid number of control points"), "{message}");
    for head in ["PatchMesh9 { 3; 3; 0;", "PatchMesh9 { 1; 4; 0;", "PatchMesh9 { 2; 3; 1;"] {
        let message = told(head, 16);
        assert!(message.contains("expected 1 (rectangles) or 2 (triangles)"), "{message}");
    }
}

#[test]
fn animation_of_a_frame_without_a_name_is_left_out_with_a_warning() {
    let loaded = read(
        "Frame { } Frame { <00000000-0000-0000-0000-000000000007> }
         AnimationSet { Animation { { <00000000-0000-0000-0000-000000000007> } AnimationKey { 2; 1; 0;3;1,2,3;;; } } }",
    );
    assert!(loaded.value.clips[0].clip.joints.is_empty());
    assert!(loaded.warnings[0].message.contains("1 animation without a named frame"), "{loaded:?}");
}

#[test]
fn stray_numbers_between_keys_make_no_key() {
    let keys = |text: &str| {
        let text = format!(
            "Frame hip {{ }} AnimationSet s {{ Animation {{ {{ hip }} AnimationKey {{ 2; {text} }} }} }}"
        );
        let clips = read(&text).value.clips;
        let track = &clips[0].clip.joints[0].translation;
        let times = track.times_s.iter().map(|time| (time * 30.0).round());
        (times.collect::<Vec<_>>(), track.values.iter().map(|value| value.x).collect::<Vec<_>>())
    };
    // A stray 0 before the key at tick 3, whose time looks like the count of a key at tick 0.
    let expected = (vec![2.0, 3.0, 4.0], vec![1.0, 2.0, 3.0]);
    assert_eq!(keys("3; 2;3;1,0,0;;,0 3;3;2,0,0;;, 4;3;3,0,0;;;"), expected);
    assert_eq!(keys("3; 2;3;1,0,0;;, 3;3;2,0,0;;,0 4;3;3,0,0;;;"), expected);
    assert_eq!(keys("3; 2;3;1,0,0;;, 3;3;2,0,0;;, 4;3;3,0,0;;,0;"), expected);
    assert_eq!(keys("3; 0 2;3;1,0,0;;, 3;3;2,0,0;;, 4;3;3,0,0;;;"), expected);
    // The key at tick 3 is recognized even if nothing is stray, and if its values look like heads
    // of keys.
    assert_eq!(keys("2; 0;3;3,3,3;;, 3;3;4,3,3;;;"), (vec![0.0, 3.0], vec![3.0, 4.0]));
}

#[test]
fn unnamed_parts_have_names_that_others_do_not_change() {
    let names = |text: &str| {
        let file = read(text).value;
        let joints = file.model.skeleton.joints().iter().map(|joint| joint.name.clone());
        let meshes = file.model.meshes.iter().map(|mesh| mesh.name.clone());
        let clips = file.clips.iter().map(|clip| clip.name.clone());
        [joints.collect::<Vec<_>>(), meshes.collect(), clips.collect()].map(|all| all.join(" "))
    };
    let part = format!(
        "Frame hip {{ Frame {{ Mesh {{ {TRIANGLE} }} Mesh {{ {TRIANGLE} }} }} Mesh {{ {TRIANGLE} }} }}"
    );
    let found = names(&format!("{part} AnimationSet {{ }}"));
    assert_eq!(
        found,
        ["hip hip_frame_0", "hip_frame_0_mesh_0 hip_frame_0_mesh_1 hip_mesh_0", "set 0"]
    );
    // Other parts before it do not change the names.
    let other = format!("AnimationSet walk {{ }} Frame {{ Mesh {{ {TRIANGLE} }} }}");
    let found = names(&format!("{other} {part} AnimationSet {{ }}"));
    assert_eq!(found[0], "frame_0 hip hip_frame_0");
    assert_eq!(found[1], "frame_0_mesh_0 hip_frame_0_mesh_0 hip_frame_0_mesh_1 hip_mesh_0");
    assert_eq!(found[2], "walk set 0");
}

/// A cube from -size to size, in a separate mesh; inside out if `is_hull`.
fn cube(name: &str, size: f64, is_hull: bool) -> String {
    let corner = |index: u32| {
        let at = |bit: u32| if index >> bit & 1 == 1 { size } else { -size };
        format!("{};{};{};", at(0), at(1), at(2))
    };
    let corners: Vec<String> = (0..8).map(corner).collect();
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let face = |face: &[u32; 4]| {
        let [a, b, c, d] = *face;
        let [a, b, c, d] = if is_hull { [d, c, b, a] } else { [a, b, c, d] };
        format!("4;{a},{b},{c},{d};")
    };
    let faces: Vec<String> = faces.iter().map(face).collect();
    format!("Mesh {name} {{ 8; {}; 6; {}; }}", corners.join(", "), faces.join(", "))
}

#[test]
fn outline_hulls_are_culled_and_rooms_are_not() {
    let hulls = |text: &str| {
        let meshes = read(text).value.model.meshes;
        meshes
            .iter()
            .map(|mesh| (mesh.is_closed_outward(), mesh.is_outline_hull))
            .collect::<Vec<_>>()
    };
    let (body, hull, room) =
        (cube("body", 1.0, false), cube("hull", 1.05, true), cube("room", 9.0, true));
    assert_eq!(hulls(&format!("{body} {hull}")), [(true, false), (false, true)]);
    assert_eq!(hulls(&format!("{hull} {body}")), [(false, true), (true, false)]);
    assert_eq!(hulls(&format!("{body} {room}")), [(true, false), (false, false)], "a room");
    assert_eq!(hulls(&hull), [(false, false)], "a hull of nothing");
    let slots = |slots: &str| {
        format!(
            "MeshMaterialList {{ 2; 6; {slots};; Material {{ 1;1;1;1;; 1; 0;0;0;; 0;0;0;; }} Material {{ 1;0;0;1;; 1; 0;0;0;; 0;0;0;; }} }} }}"
        )
    };
    let parts = body.replace("; }", &format!("; {}", slots("0,1,1,1,1,1")));
    assert_eq!(hulls(&format!("{hull} {parts}"))[0], (false, true), "a figure of two materials");
    let line = "Mesh { 3; -1;-1;-1;, 0;0;0;, 1;1;1;; 1; 3;0,1,2;; }";
    assert_eq!(hulls(&format!("{line} {hull}"))[1], (false, false), "a hull of a line");
    for (one, other) in [(&body, &hull), (&hull, &body)] {
        let far = one.replacen("{ 8;", "{ 9;", 1).replacen("; 6;", ", 70;0;0;; 6;", 1);
        let both = hulls(&format!("{far} {other}"));
        assert!(both.contains(&(false, true)) && both.contains(&(true, false)), "{both:?}");
    }
}
