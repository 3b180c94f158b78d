//! Sets of texture coordinates and their transforms, for each texture of a material.

use super::*;
use tintype_model::math::Vec2;
use tintype_model::{Mesh, TextureCoordinates};

/// A triangle with two sets of texture coordinates, and a material of these textures.
fn textured(material: &Value) -> Value {
    let mut bytes = Bytes::default();
    let positions = bytes.reals("VEC3", 3, &CORNERS);
    let first = bytes.reals("VEC2", 2, &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let second = bytes.reals("VEC2", 2, &[0.0, 0.0, 0.0, 0.5, 0.5, 0.0]);
    bytes.finish(json!({
        "extensionsUsed": ["KHR_texture_transform"],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"material": 0, "attributes": {
            "POSITION": positions, "TEXCOORD_0": first, "TEXCOORD_1": second}}]}],
        "materials": [material],
        "textures": [{"source": 0}],
        "images": [{"uri": "a.png"}],
    }))
}

fn of_mesh(mesh: &Mesh) -> [&[Vec2]; 2] {
    [&mesh.texcoords, &mesh.second_texcoords]
}

#[test]
fn textures_choose_their_set() {
    let file = model(&textured(&json!({
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}},
        "occlusionTexture": {"index": 0, "texCoord": 1},
    })));
    let [first, second] = of_mesh(&file.model.meshes[0]);
    assert_eq!(first, [Vec2::ZERO, Vec2::X, Vec2::Y]);
    assert_eq!(second, [Vec2::ZERO, Vec2::Y * 0.5, Vec2::X * 0.5]);
    let own = file.model.materials[0].coordinates.as_deref().unwrap();
    assert_eq!(own[TextureRole::Diffuse as usize], None);
    let plain = TextureCoordinates::plain(true);
    assert_eq!(own[TextureRole::Occlusion as usize], Some(plain));
}

#[test]
fn one_set_of_all_textures_is_that_of_the_mesh() {
    let shift = json!({"KHR_texture_transform": {"offset": [0.25, 0.0], "texCoord": 1}});
    let texture = json!({"index": 0, "extensions": shift});
    let file = model(&textured(&json!({
        "pbrMetallicRoughness": {"baseColorTexture": texture}, "emissiveTexture": texture,
    })));
    let [first, second] = of_mesh(&file.model.meshes[0]);
    assert_eq!(first, [Vec2::new(0.25, 0.0), Vec2::new(0.25, 0.5), Vec2::new(0.75, 0.0)]);
    assert_eq!(second, [] as [Vec2; 0]);
    assert_eq!(file.model.materials[0].coordinates, None);
}

#[test]
fn textures_have_transforms_of_their_own() {
    let turn = json!({"KHR_texture_transform": {
        "offset": [0.5, 0.0], "rotation": core::f64::consts::FRAC_PI_2, "scale": [2.0, 3.0]}});
    let file = model(&textured(&json!({
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}},
        "emissiveTexture": {"index": 0, "extensions": turn},
    })));
    let [first, second] = of_mesh(&file.model.meshes[0]);
    assert_eq!((first[1], second.len()), (Vec2::X, 0));
    let own = file.model.materials[0].coordinates.as_deref().unwrap();
    let emissive_map = own[TextureRole::Emissive as usize].unwrap();
    // The extension's matrix: offset + rotation * (scale * uv), counter-clockwise with v downwards.
    for (at, expected) in [(Vec2::X, [0.5, -2.0]), (Vec2::Y, [3.5, 0.0]), (Vec2::ZERO, [0.5, 0.0])]
    {
        assert!((emissive_map.point(at) - Vec2::from_array(expected)).length() < 1e-6, "{at}");
    }
}

#[test]
fn tangents_follow_the_set_of_the_normal_map() {
    let material = |set: u32| {
        json!({
            "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}},
            "normalTexture": {"index": 0, "texCoord": set},
        })
    };
    let along = |set: u32| model(&textured(&material(set))).model.meshes[0].tangent[0];
    assert_eq!((along(0), along(1)), (Vec3::X, Vec3::Y));
    let signs = |set: u32| model(&textured(&material(set))).model.meshes[0].bitangent_sign[0];
    assert_eq!(signs(0), -signs(1), "the second set is mirrored");
}

/// Vertices that two materials share stay as in the file; both transforms are stored in the
/// materials.
#[test]
fn variants_keep_their_transforms() {
    let scaled = |scale: f64| {
        json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions": {
            "KHR_texture_transform": {"scale": [scale, scale]}}}}})
    };
    let mut document = textured(&scaled(2.0));
    document["extensionsUsed"] = json!(["KHR_texture_transform", "KHR_materials_variants"]);
    document["extensions"] = json!({"KHR_materials_variants": {"variants": [{"name": "a"}]}});
    document["materials"] = json!([scaled(2.0), scaled(4.0)]);
    document["meshes"][0]["primitives"][0]["extensions"] = json!({
        "KHR_materials_variants": {"mappings": [{"material": 1, "variants": [0]}]}});
    let file = model(&document);
    assert_eq!(file.model.meshes[0].texcoords[1], Vec2::X);
    let steps: Vec<f32> = (file.model.materials.iter())
        .filter_map(|one| one.coordinates.as_deref()?[0].map(|own| own.steps[0].x))
        .collect();
    assert_eq!(steps, [2.0, 4.0]);
}

#[test]
fn a_third_set_is_told() {
    let texture = |set: u32| json!({"index": 0, "texCoord": set});
    let document = textured(&json!({
        "pbrMetallicRoughness": {"baseColorTexture": texture(0)},
        "occlusionTexture": texture(1),
        "emissiveTexture": texture(2),
    }));
    let warnings = read(&document).unwrap().warnings;
    let told = "materials[0]: its textures use more than two sets of texture coordinates; the glow texture is drawn with the first set";
    assert_eq!(warnings, [FileRepair::Effect.told(told)]);
}
