use super::*;
use crate::LimitName;
use crate::node_model::edited;
use tintype_model::math::{Quat, Vec2, Vec3, func};
use tintype_model::pose::{bind_clip, bind_pose, sample_clip};
use tintype_model::{AlphaMode, CullMode, Pose, TextureRole, TextureWrap};

const IMP: &[u8] = include_bytes!("../../../../tests/fuzz/seeds/imp.3ds");

fn read(bytes: &[u8]) -> Result<Loaded<ThreeDsModel>, String> {
    parse_model(bytes, None, &LoadOptions::default()).map_err(|error| error.to_string())
}

fn messages(bytes: &[u8]) -> Vec<String> {
    read(bytes).unwrap().warnings.into_iter().map(|warning| warning.message).collect()
}

fn told(bytes: &[u8], message: &str) {
    let found = messages(bytes);
    assert!(found.iter().any(|found| found.ends_with(message)), "{found:?}");
}

/// Positions of the vertices of a mesh in a pose, in the axes of the file, by their numbers in it.
fn place(model: &Model, mesh: usize, point: u32, pose: &Pose) -> Vec3 {
    let mesh = &model.meshes[mesh];
    let points = &mesh.source.as_ref().unwrap().shape.points;
    let vertex = points.iter().position(|own| *own == point).unwrap();
    let own = mesh.influences[mesh.influences_of(vertex)][0];
    let place = pose.matrices[own.joint().index()].transform_point3(own.position());
    Vec3::new(place.x, -place.z, place.y)
}

fn near(found: Vec3, x: f32, y: f32, z: f32) {
    assert!(found.distance(Vec3::new(x, y, z)) < 1e-4, "{found} is not {x} {y} {z}");
}

/// The file with the first equal run of bytes replaced by another.
fn with(from: &[u8], to: &[u8]) -> Vec<u8> {
    edited(IMP, from, to)
}

#[test]
fn objects_hang_on_nodes_with_pivots_and_mirrors() {
    let Loaded { value: ThreeDsModel { model, .. }, warnings } = read(IMP).unwrap();
    let messages: Vec<&str> = warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(messages, ["byte 0: 1 light: lights in 3DS files are ignored"]);
    let names: Vec<&str> =
        model.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["root", "imp body l", "hand"], "parents before children");
    let meshes: Vec<&str> = model.meshes.iter().map(|mesh| mesh.material_name.as_str()).collect();
    assert_eq!(meshes, ["skin of the imp", "glow", "default"]);
    let rest = bind_pose(&model.skeleton);
    near(place(&model, 0, 1, &rest), 2.0, 0.0, 0.0);
    near(place(&model, 0, 3, &rest), 0.0, 0.0, 2.0);
    // Relative to its parent, at its pivot; its matrix mirrors and its node does not.
    near(place(&model, 2, 0, &rest), 5.0, 0.0, 0.0);
    near(place(&model, 2, 2, &rest), 6.0, 0.0, 0.0);
}

#[test]
fn faces_that_share_a_smoothing_group_are_smooth() {
    let model = read(IMP).unwrap().value.model;
    let normal = |mesh: usize, vertex: usize| model.meshes[mesh].influences[vertex].normal();
    assert_eq!(model.meshes[0].file_vertex_count(), 4, "two faces with two corners in common");
    assert!((normal(0, 0).y + normal(0, 0).z).abs() > 1.0 && normal(0, 0).x == 0.0);
    near(normal(1, 0) * 3.0_f32.sqrt(), 1.0, 1.0, 1.0);
}

#[test]
fn materials_have_percentages_of_both_kinds_and_maps() {
    let model = read(IMP).unwrap().value.model;
    let skin = &model.materials[0];
    assert_eq!((skin.opacity, skin.specular_strength, skin.cull), (0.75, 0.5, CullMode::None));
    assert!((skin.shininess - 32.0).abs() < 1e-3);
    assert_eq!((skin.color.g, skin.diffuse.as_deref()), (1.0, Some("SKIN.TGA")));
    assert_eq!(
        (skin.opacity_picture.as_deref(), skin.alpha),
        (Some("HOLES.TGA"), Some(AlphaMode::Blend))
    );
    assert_eq!(skin.heights, Some(("BUMPS.TGA".to_owned(), 2.0)));
    assert_eq!(skin.texture(TextureRole::Specular).unwrap(), "SHINE.TGA");
    assert_eq!(skin.sampling[0].wrap, [TextureWrap::Clamp; 2]);
    let place = skin.coordinates.as_ref().unwrap()[0].unwrap();
    assert_eq!(place.point(Vec2::new(0.25, 0.25)), Vec2::new(0.0, 0.25));
    let glow = &model.materials[1];
    assert_eq!((glow.emissive.g, glow.color.g, glow.emissive.r), (1.0, 0.0, 0.0));
}

#[test]
fn keys_are_splines_and_rotations_add_up() {
    let Loaded { value: ThreeDsModel { model, clips, rate_hz }, .. } = read(IMP).unwrap();
    assert_eq!(rate_hz.value, 30.0);
    let clip = &clips[0].clip;
    assert_eq!((clip.key_count(), clip.key_rate_hz), (21, Some(30.0)));
    let (binding, _) = bind_clip(&model.skeleton, &model.meshes, clip).unwrap();
    let at = |frame: f64| sample_clip(&model.skeleton, clip, &binding, frame / 30.0);
    // A quarter of a turn against the sense of its angle; tension and bias pull the height.
    near(place(&model, 0, 1, &at(5.0)), 1.0, -1.0, 2.4375);
    near(place(&model, 0, 3, &at(10.0)), 0.0, 0.0, 2.0 * 1.75 + 4.0);
    // Three quarters between two keys, with two fifths of the rotation.
    let angle = func::radians(-90.0 - 108.0);
    let tip = place(&model, 0, 1, &at(7.0));
    near(Vec3::new(tip.x, tip.y, 0.0), 1.0 + func::cos(angle), func::sin(angle), 0.0);
    // The track of rotations repeats.
    let tip = place(&model, 0, 1, &at(15.0));
    near(Vec3::new(tip.x, tip.y, 0.0), 1.0, -1.0, 0.0);
    let wish = parse_model(IMP, Some(10.0), &LoadOptions::default()).unwrap().value;
    assert!((wish.clips[0].clip.end_s - 2.0).abs() < 1e-9);
}

#[test]
fn continuity_and_uneven_distances_bend_tangents() {
    use super::keyframer::Key;
    use super::spline::{Factors, eased};
    let key = Key::<()> { continuity: -0.5, ..Key::default() };
    let Factors { enter, leave } = Factors::of(&key, 10.0, 10.0);
    assert_eq!((enter, leave), ([0.75, 0.25], [0.25, 0.75]));
    let Factors { enter, leave } = Factors::of(&Key::<()>::default(), 10.0, 30.0);
    assert_eq!((enter, leave), ([0.25, 0.25], [0.75, 0.75]));
    let from = Key::<()> { ease_from: 0.5, ..Key::default() };
    assert!((eased(0.25, &from, &Key::default()) - 0.25 / 3.0).abs() < 1e-6);
    assert_eq!(eased(1.0, &from, &Key { ease_to: 0.9, ..Key::default() }), 1.0);
}

#[test]
fn rotations_bend_between_keys_as_splines_do() {
    // Three even keys of 40 degrees each turn evenly.
    let model = read(IMP).unwrap().value;
    let track = &model.clips[0].clip.joints[0].rotation;
    let own = track.values[track.times_s.iter().position(|time| *time > 0.16).unwrap()];
    assert!(own.dot(Quat::from_rotation_z(-core::f32::consts::FRAC_PI_2)).abs() > 1.0 - 1e-5);
}

#[test]
fn nodes_that_hang_on_nothing_stay_where_their_mesh_is() {
    // The parent of the hand is number 9, as a camera's.
    let lost = with(b"hand\0\0\0\0\0\x03\0", b"hand\0\0\0\0\0\x09\0");
    told(&lost, "its parent is a camera, a light or missing; it stays where its mesh was stored");
    let model = read(&lost).unwrap().value.model;
    near(place(&model, 2, 2, &bind_pose(&model.skeleton)), 5.0, 0.0, 0.0);
    // A node that is its own child, and longer cycles.
    let circle = with(b"imp body l\0\0\0\0\0\xff\xff", b"imp body l\0\0\0\0\0\x07\0");
    assert_eq!(read(&circle).unwrap().value.model.skeleton.len(), 3);
}

#[test]
fn faults_cost_their_part() {
    told(&[IMP, b"more"].concat(), "bytes after the end of the model are ignored");
    told(
        &with(&[0x10, 0x41], &[0x10, 0x41, 0xff, 0xff]),
        "it is longer than its parent; the available part is read",
    );
    told(
        &with(&[0x00, 0x01, 0x0a, 0, 0, 0], &[0x00, 0x01, 0, 0, 0, 0]),
        "its length is invalid; it is treated as empty",
    );
    told(
        &with(&[0x10, 0x41, 56, 0, 0, 0, 4, 0], &[0x10, 0x41, 56, 0, 0, 0, 9, 0]),
        "a list is truncated",
    );
    told(
        &with(&[3, 0, 0, 0, 2, 0, 1, 0, 7, 0], &[3, 0, 0, 0, 9, 0]),
        "a face refers to a missing or non-finite vertex; skipped",
    );
    told(&with(b"glow\0\x01\0", b"glum\0\x01\0"), "no material has this name; drawn plain");
    let track = IMP.windows(2).rposition(|run| run == [0x20, 0xb0]).unwrap();
    let mut lost = IMP.to_vec();
    lost[track + 26..track + 30].copy_from_slice(&f32::NAN.to_le_bytes());
    told(&lost, "a key is not finite; skipped");
    let mut cut = IMP.to_vec();
    cut[track + 16..track + 20].copy_from_slice(&u32::MAX.to_le_bytes());
    told(&cut, "a list of keys is truncated; the available ones are used");
    let mut turned = IMP.to_vec();
    turned[track + 20] = 15;
    told(&turned, "keys are not in order; sorted");
    assert_eq!(
        read(b"invalid 3ds file\n").unwrap_err(),
        "byte 0: the file: found \"invalid \"; expected a 3DS file"
    );
    assert!(!looks_like_3ds(b"MM\0*\0\0\0\x08\0\0"), "a picture");
}

#[test]
fn damaged_files_are_refused_or_read() {
    for place in 0..IMP.len() {
        let _ = read(&IMP[..place]);
        for byte in [0, 1, 0x7f, 0x80, 0xff] {
            let mut damaged = IMP.to_vec();
            damaged[place] = byte;
            let _ = read(&damaged);
        }
    }
    for (name, most, message) in [
        (LimitName::Influences, 2, "corners of all instances: found 9; the limit is 2"),
        (LimitName::Keys, 4, "keys of all clips: found"),
        (LimitName::Meshes, 1, "meshes: found 2; the limit is 1"),
    ] {
        let options = LoadOptions::default().with_limit(name, most);
        let error = parse_model(IMP, None, &options).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}
