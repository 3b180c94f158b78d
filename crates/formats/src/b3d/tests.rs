use super::axes::our_point;
use super::*;
use crate::LimitName;
use crate::node_model::edited;
use tintype_model::math::{Vec2, Vec3, Vec4, max};
use tintype_model::pose::{bind_clip, bind_pose, sample_clip};
use tintype_model::{AlphaMode, CullMode, Pose, TextureWrap};

const IMP: &[u8] = include_bytes!("../../../../tests/fuzz/seeds/imp.b3d");

fn read(bytes: &[u8]) -> Result<Loaded<B3dModel>, String> {
    parse_model(bytes, None, &LoadOptions::default()).map_err(|error| error.to_string())
}

fn messages(bytes: &[u8]) -> Vec<String> {
    read(bytes).unwrap().warnings.into_iter().map(|warning| warning.message).collect()
}

/// Positions of the vertices of a mesh in a pose, in the axes of the file.
fn places(model: &Model, mesh: usize, pose: &Pose) -> Vec<Vec3> {
    let mesh = &model.meshes[mesh];
    let place = |vertex: usize| {
        let own = &mesh.influences[mesh.influences_of(vertex)];
        let sum: Vec3 = own
            .iter()
            .map(|own| {
                pose.matrices[own.joint().index()].transform_point3(own.position()) * own.weight()
            })
            .sum();
        our_point(sum.to_array())
    };
    (0..mesh.vertex_count()).map(place).collect()
}

fn near(found: &[Vec3], expected: &[[f32; 3]]) {
    let far = found.iter().zip(expected).map(|(a, b)| a.distance(Vec3::from_array(*b)));
    assert!(found.len() == expected.len() && far.fold(0.0, max) < 1e-5, "{found:?} {expected:?}");
}

/// The file with the first equal run of bytes replaced by another.
fn with(from: &[u8], to: &[u8]) -> Vec<u8> {
    edited(IMP, from, to)
}

#[test]
fn nodes_are_joints_and_runs_of_a_brush_are_meshes() {
    let Loaded { value: B3dModel { model, .. }, warnings } = read(IMP).unwrap();
    let messages: Vec<&str> = warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(messages, ["byte 0: skin: a brush has several textures; only the first is drawn"]);
    let names: Vec<&str> =
        model.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["imp", "arm", "arm.2"]);
    let rest = bind_pose(&model.skeleton);
    near(&places(&model, 0, &rest), &[[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 2.0, 1.0]]);
    let mesh = &model.meshes[0];
    assert_eq!(mesh.triangles, [[0, 1, 2]], "clockwise in the file");
    assert_eq!((mesh.name.as_str(), mesh.material_name.as_str()), ("imp", "skin"));
    assert_eq!(mesh.unweighted_vertices, [1], "it follows the node of its mesh");
    assert_eq!(model.meshes[1].name, "imp.2");
}

#[test]
fn brushes_are_materials() {
    let model = read(IMP).unwrap().value.model;
    let [skin, paint, _] = &model.materials[..] else { panic!("three materials") };
    assert_eq!((skin.cull, skin.specular_strength, skin.shininess), (CullMode::None, 0.5, 64.0));
    assert!(skin.response.as_ref().unwrap().is_unlit && skin.color.g < 0.25);
    assert_eq!(skin.diffuse.as_deref(), Some("skins\\imp.png"));
    assert_eq!(skin.sampling[0].wrap, [TextureWrap::Clamp, TextureWrap::Repeat]);
    let own = skin.coordinates.as_ref().unwrap()[0].unwrap();
    assert!(own.is_second);
    assert_eq!(own.point(Vec2::ONE), Vec2::new(2.25, 1.0));
    assert_eq!(model.meshes[0].second_texcoords[1], Vec2::new(0.0, 1.0));
    assert!(model.meshes[0].colors.is_empty(), "the brush has its colour");
    assert_eq!((paint.opacity, paint.alpha), (0.5, None));
    assert_eq!(model.meshes[1].colors[0], Vec4::new(1.0, 0.050_876_09, 0.0, 1.0));
    assert!(model.meshes[1].is_faceted);
    let blended = read(&with(b"paint\0\0\0\x80\x3f", b"paint\0\0\0\x80\x3f")).unwrap();
    assert_eq!(blended.value.model.materials[1].alpha, None);
    let masked = with(&[17, 0, 1, 0], &[4, 0, 1, 0]);
    let masked = read(&masked).unwrap().value.model.materials.swap_remove(0);
    assert_eq!(masked.alpha, Some(AlphaMode::Mask { cutoff: 0.5 }));
}

#[test]
fn clip_counts_frames_as_the_keys_do() {
    let Loaded { value: B3dModel { model, clips, rate_hz }, .. } = read(IMP).unwrap();
    assert_eq!(
        (rate_hz.value, rate_hz.by),
        (60.0, tintype_base::precedence::DecidedBy::Convention)
    );
    let clip = &clips[0].clip;
    assert_eq!((clips[0].name.as_str(), clip.key_count(), clip.closes), ("animation", 4, false));
    assert!((clip.end_s - 0.05).abs() < 1e-9 && clip.open_gap_s == 0.0);
    let (binding, warnings) = bind_clip(&model.skeleton, &model.meshes, clip).unwrap();
    assert_eq!(warnings.len(), 0);
    let at = |frame: usize| sample_clip(&model.skeleton, clip, &binding, clip.key_times_s[frame]);
    near(&places(&model, 0, &at(0)), &[[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 2.0, 1.0]]);
    // Three quarters of vertex 3 follow the tip, which is rotated by -90 degrees about z, and
    // stretched from frame 2 on.
    near(&places(&model, 1, &at(3))[1..2], &[[0.25, 1.25, 1.0]]);
    let wish = parse_model(IMP, Some(10.0), &LoadOptions::default()).unwrap().value;
    assert!((wish.clips[0].clip.end_s - 0.3).abs() < 1e-9);
    assert!(parse_model(IMP, Some(0.0), &LoadOptions::default()).is_err());
    let wide = with(b"ANIM\x0c\0\0\0\0\0\0\0\x03\0\0\0", b"ANIM\x0c\0\0\0\0\0\0\0\xff\xff\xff\xff");
    assert!(messages(&wide).contains(
        &"byte 0: too many frames are declared; the clip ends at its last key".to_owned()
    ));
}

#[test]
fn faults_cost_their_part() {
    let told = |bytes: &[u8], message: &str| {
        let found = messages(bytes);
        assert!(found.iter().any(|found| found.ends_with(message)), "{found:?}");
    };
    told(&[IMP, b"TRASH and more"].concat(), "data after the end of the model is ignored");
    told(
        &with(b"TRIS\x10", b"TRIS\x7f"),
        "a chunk is longer than its parent; the available part is read",
    );
    told(&with(b"KEYS", b"WAVE"), "an unknown or misplaced chunk is skipped");
    told(
        &with(&[0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0], &[0, 0, 0, 0, 0, 0, 0, 0, 9]),
        "a triangle refers to a missing vertex; skipped",
    );
    told(
        &with(b"TRIS\x10\0\0\0\0", b"TRIS\x10\0\0\0\x07"),
        "triangles refer to a missing brush; drawn plain",
    );
    told(
        &with(b"BONE\x10\0\0\0\x00", b"BONE\x10\0\0\0\x63"),
        "a weight refers to a missing vertex; skipped",
    );
    told(&with(b"VRTS\xec", b"VRTS\xeb"), "the truncated last entry of a list is skipped");
    let nan = f32::NAN.to_le_bytes();
    let vertices = IMP.windows(4).position(|run| run == b"VRTS").unwrap();
    let mut lost = IMP.to_vec();
    lost[vertices + 20..vertices + 24].copy_from_slice(&nan);
    told(&lost, "a vertex is not finite; its triangles are skipped");
    let keys = IMP.windows(4).position(|run| run == b"KEYS").unwrap();
    let mut lost = IMP.to_vec();
    lost[keys + 16..keys + 20].copy_from_slice(&nan);
    told(&lost, "a key has invalid numbers or a zero-length rotation; skipped");
    assert_eq!(read(b"BB3X").unwrap_err(), "byte 0: the mark: found \"BB3X\"; expected BB3D");
}

#[test]
fn damaged_files_are_refused_or_read_and_depth_costs_no_stack() {
    for place in 0..IMP.len() {
        let _ = read(&IMP[..place]);
        for byte in [0, 1, 0x7f, 0x80, 0xff] {
            let mut damaged = IMP.to_vec();
            damaged[place] = byte;
            let _ = read(&damaged);
        }
    }
    let node = [b"NODE\xff\xff\xff\x7f\0".to_vec(), vec![0; 40]].concat();
    let deep = [b"BB3D\xff\xff\xff\x7f\0\0\0\0".to_vec(), node.repeat(70_000)].concat();
    assert!(read(&deep).unwrap_err().contains("the nodes: found 65537; expected at most 65536"));
    let deep = [b"BB3D\xff\xff\xff\x7f\0\0\0\0".to_vec(), node.repeat(20_000)].concat();
    assert_eq!(read(&deep).unwrap().value.model.skeleton.len(), 20_000);
    for (name, most, message) in [
        (LimitName::Influences, 2, "influences of all meshes: found 3; the limit is 2"),
        (LimitName::Keys, 4, "keys of all clips: found 5; the limit is 4"),
        (LimitName::Meshes, 1, "meshes: found 2; the limit is 1"),
    ] {
        let options = LoadOptions::default().with_limit(name, most);
        let error = parse_model(IMP, None, &options).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}
