//! Tangents of the file, copies of meshes, hidden nodes, pointers of channels, variants, cameras
//! and lights.

use super::*;
use crate::FileScene;
use tintype_model::math::Vec2;
use tintype_model::pose::{bind_clip, bind_pose, sample_clip};
use tintype_model::{
    Anisotropy, FileLightKind, Iridescence, JointIndex, LinearRgb, Material, Mesh, Pose,
    PropertyOwner, Transmission,
};

#[test]
fn tangents_of_the_file_are_kept_and_mirrors_turn_their_sign() {
    let mut bytes = Bytes::default();
    let positions = bytes.reals("VEC3", 3, &CORNERS);
    let up = bytes.reals("VEC3", 3, &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let along: Vec<f32> =
        [[0.6, 0.8, 0.0, 1.0], [1.0, 0.0, 0.0, -1.0], [0.0, 1.0, 0.0, 1.0]].concat();
    let along = bytes.reals("VEC4", 4, &along);
    let with = |normal: bool| {
        let mut attributes = json!({"POSITION": positions, "TANGENT": along});
        if normal {
            attributes["NORMAL"] = json!(up);
        }
        json!({
            "nodes": [{"mesh": 0}, {"mesh": 0, "scale": [-1.0, 1.0, 1.0]}],
            "meshes": [{"primitives": [{"attributes": attributes}]}],
        })
    };
    let file = model(&bytes.finish(with(true)));
    let [plain, mirrored] = &file.model.meshes[..] else { panic!("two meshes") };
    assert_eq!(plain.bitangent_sign, [1.0, -1.0, 1.0]);
    assert_eq!(mirrored.bitangent_sign, [-1.0, 1.0, -1.0]);
    assert_eq!(plain.tangent[0], Vec3::new(0.6, 0.8, 0.0));
    // One that is not finite costs itself.
    let bad = [[0.6, 0.8, 0.0, 1.0], [1.0, f32::NAN, 0.0, -1.0], [0.0, 1.0, 0.0, 1.0]].concat();
    let mut other = with(true);
    other["meshes"][0]["primitives"][0]["attributes"]["TANGENT"] =
        json!(bytes.reals("VEC4", 4, &bad));
    let mended = read(&bytes.finish(other)).unwrap().value.model;
    let tangents = &mended.meshes[0].tangent;
    assert_eq!([tangents[0], tangents[2]], [plain.tangent[0], plain.tangent[2]]);
    assert_eq!((tangents[1].length(), tangents[1].z), (1.0, 0.0));
    // Without normals, the tangents of the file are left out.
    let file = model(&bytes.finish(with(false)));
    assert_ne!(file.model.meshes[0].tangent[0], Vec3::new(0.6, 0.8, 0.0));
}

/// A bent strip with and without indices: tangents equal those of MikkTSpace, which knows no
/// indices.
#[test]
fn tangents_do_not_depend_on_indices() {
    let places =
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.2], [1.0, 1.0, 0.5], [0.3, 2.0, 0.9]];
    let spots = [[0.0, 1.0], [1.0, 1.0], [0.0, 0.5], [1.0, 0.4], [0.6, 0.0]];
    let corners = [0_u8, 1, 2, 2, 1, 3, 2, 3, 4];
    let mesh = |order: &[u8], indices: Option<&[u8]>| {
        let mut bytes = Bytes::default();
        let of = |list: &[[f32; 3]]| -> Vec<f32> {
            order.iter().flat_map(|&at| list[usize::from(at)]).collect()
        };
        let spots: Vec<f32> = order.iter().flat_map(|&at| spots[usize::from(at)]).collect();
        let positions = bytes.reals("VEC3", 3, &of(&places));
        let normals = bytes.reals("VEC3", 3, &of(&[[0.0, 0.0, 1.0]; 5]));
        let spots = bytes.reals("VEC2", 2, &spots);
        let mut primitive = json!({"attributes": {
            "POSITION": positions, "NORMAL": normals, "TEXCOORD_0": spots}});
        if let Some(indices) = indices {
            primitive["indices"] = json!(bytes.accessor("SCALAR", 5121, indices.len(), indices));
        }
        let document =
            bytes.finish(json!({"nodes": [{"mesh": 0}], "meshes": [{"primitives": [primitive]}]}));
        model(&document).model.meshes.remove(0)
    };
    let (joined, parted) = (mesh(&[0, 1, 2, 3, 4], Some(&corners)), mesh(&corners, None));
    for (place, &vertex) in corners.iter().enumerate() {
        assert_eq!(parted.tangent[place], joined.tangent[usize::from(vertex)], "corner {place}");
    }
    assert_ne!(joined.tangent[2], joined.tangent[0], "the strip is bent");
}

#[test]
fn copies_of_a_mesh_are_one_mesh() {
    let mut bytes = Bytes::default();
    let positions = bytes.reals("VEC3", 3, &CORNERS);
    let places = bytes.reals("VEC3", 3, &[0.0, 0.0, 5.0, 0.0, 7.0, 0.0]);
    let sizes = bytes.reals("VEC3", 3, &[1.0, 1.0, 1.0, -2.0, 2.0, 2.0]);
    let mut document = bytes.finish(json!({
        "extensionsUsed": ["EXT_mesh_gpu_instancing"],
        "nodes": [{"mesh": 0, "translation": [1.0, 0.0, 0.0], "extensions": {
            "EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": places, "SCALE": sizes}}}}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": positions}}]}],
    }));
    let file = model(&document);
    assert_eq!(file.model.meshes.len(), 1);
    assert_eq!(file.model.meshes[0].triangles, [[0, 1, 2], [3, 5, 4]]);
    let expected = [
        Vec3::new(1.0, 0.0, 5.0),
        Vec3::new(2.0, 0.0, 5.0),
        Vec3::new(1.0, 1.0, 5.0),
        Vec3::new(1.0, 7.0, 0.0),
        Vec3::new(-1.0, 7.0, 0.0),
        Vec3::new(1.0, 9.0, 0.0),
    ];
    assert_eq!(placed(&file, 0), expected);
    assert_eq!(normals(&file, 0)[4], Vec3::Z);
    // A copy that is not finite is left out.
    let mut other = document.clone();
    let nan = bytes.reals("VEC3", 3, &[f32::NAN, 1.0, 1.0, -2.0, 2.0, 2.0]);
    let from = bytes.finish(json!({}));
    for key in ["accessors", "bufferViews", "buffers"] {
        other[key] = from[key].clone();
    }
    other["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]["SCALE"] = json!(nan);
    let loaded = read(&other).unwrap();
    assert!(loaded.warnings[0].message.ends_with("1 of 2 elements: their instances are skipped"));
    assert_eq!(placed(&loaded.value, 0), expected[3..]);
    document["accessors"][2]["count"] = json!(1);
    assert_told(
        &document,
        "nodes[0].extensions.EXT_mesh_gpu_instancing.attributes.SCALE: the instance count: found 1; expected 2, as in the other attributes",
    );
}

#[test]
fn hidden_nodes_hide_what_is_below_them() {
    let mut document = triangle();
    document["extensionsUsed"] = json!(["KHR_node_visibility"]);
    document["scenes"] = json!([{"nodes": [0, 2]}]);
    document["nodes"] = json!([
        {"children": [1], "extensions": {"KHR_node_visibility": {"visible": false}}},
        {"mesh": 0},
        {"mesh": 0, "extensions": {"KHR_node_visibility": {"visible": true}}},
    ]);
    let file = model(&document);
    assert_eq!(file.model.meshes.len(), 1);
    assert_eq!(file.model.meshes[0].influences[0].joint(), JointIndex(2));
}

#[test]
fn levels_of_detail_in_one_place_are_one_level() {
    let mut document = triangle();
    document["scenes"] = json!([{"nodes": [0, 1, 2, 3]}]);
    let level = |name: &str, x: f32| json!({"mesh": 0, "name": name, "translation": [x, 0, 0]});
    document["nodes"] = json!([
        level("rock_LOD1", 0.0),
        level("rock_LOD0", 0.0),
        // Beside the others, as on a sheet of samples.
        level("rock_LOD2", 2.0),
        level("tree_LOD1", 0.0),
    ]);
    let at = document["meshes"][0]["primitives"][0]["attributes"]["POSITION"].as_u64().unwrap();
    let accessor = &mut document["accessors"][usize::try_from(at).unwrap()];
    (accessor["min"], accessor["max"]) = (json!([0, 0, 0]), json!([1, 1, 0]));
    let Loaded { value, warnings } = read(&document).unwrap();
    let told = "nodes[0]: \"rock_LOD1\" overlaps \"rock_LOD0\", a finer level of detail by its name; only the finer one is drawn";
    let found: Vec<&str> = warnings.iter().map(|own| own.message.as_str()).collect();
    assert!(found.contains(&told), "{found:#?}");
    let drawn: Vec<JointIndex> =
        value.model.meshes.iter().map(|mesh| mesh.influences[0].joint()).collect();
    assert_eq!(drawn, [1, 2, 3].map(JointIndex));
}

/// A clip switches a node, which hides its descendants; a node that it shows is built although it
/// is hidden at rest.
#[test]
fn clips_switch_the_visibility_of_nodes() {
    let mut bytes = Bytes::default();
    let positions = bytes.reals("VEC3", 3, &CORNERS);
    let times = bytes.reals("SCALAR", 1, &[0.0, 1.0, 2.0]);
    let switches = bytes.accessor("SCALAR", 5121, 3, &[1, 0, 1]);
    let document = bytes.finish(json!({
        "extensionsUsed": ["KHR_animation_pointer", "KHR_node_visibility"],
        "scenes": [{"nodes": [0, 2]}],
        "nodes": [
            {"children": [1], "extensions": {"KHR_node_visibility": {"visible": false}}},
            {"mesh": 0},
            {"mesh": 0},
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": positions}}]}],
        "animations": [{
            "channels": [{"sampler": 0, "target": {"path": "pointer", "extensions": {
                "KHR_animation_pointer": {
                    "pointer": "/nodes/0/extensions/KHR_node_visibility/visible"}}}}],
            "samplers": [{"input": times, "output": switches, "interpolation": "STEP"}],
        }],
    }));
    let file = model(&document);
    let [switched, free] = &file.model.meshes[..] else { panic!("two meshes") };
    let [slot] = file.model.skeleton.morphs() else { panic!("one weight") };
    assert_eq!((slot.name.as_str(), slot.joint, slot.rest), ("visible", JointIndex(0), 0.0));
    let shown = |mesh: &Mesh, weight: f32| mesh.is_shown(&[weight]);
    assert_eq!((shown(switched, 0.0), shown(switched, 1.0), shown(free, 0.0)), (false, true, true));
    let track = &file.clips[0].clip.morphs[0];
    assert_eq!((track.joint.as_str(), track.target, track.name.as_str()), ("node_0", 0, "visible"));
    assert_eq!(track.weight.values, [1.0, 0.0, 1.0]);
    assert_eq!(track.weight.interpolation, tintype_model::Interpolation::Step);
}

#[test]
fn scenes_are_chosen_by_name_or_index() {
    let mut document = triangle();
    document["scenes"] = json!([{"nodes": [0], "name": "day"}, {"nodes": [1], "name": "night"}]);
    document["nodes"] = json!([{"mesh": 0, "name": "sun"}, {"mesh": 0, "name": "moon"}]);
    let of = |scene: Option<FileScene>| {
        let nothing = |_: &str| Err("no such file".to_owned());
        let options = LoadOptions::default().with_file_scene(scene);
        let text = document.to_string();
        parse_model(text.as_bytes(), &nothing, &options).map(|loaded| {
            let model = loaded.value.model;
            assert_eq!(model.parts.scenes, ["day", "night"]);
            model.skeleton.joints()[0].name.clone()
        })
    };
    assert_eq!(of(None).unwrap(), "sun");
    assert_eq!(of(Some(FileScene::Index(1))).unwrap(), "moon");
    assert_eq!(of(Some(FileScene::Name("night".into()))).unwrap(), "moon");
    for (wanted, found) in
        [(FileScene::Name("dusk".into()), "\"dusk\""), (FileScene::Index(2), "2")]
    {
        let told = format!(
            "scenes: the requested scene: found {found}; expected an index below 2, or a name: \"day\", \"night\""
        );
        assert_eq!(of(Some(wanted)).unwrap_err().to_string(), told);
    }
}

#[test]
fn pointers_to_nodes_are_channels() {
    let mut bytes = Bytes::default();
    let positions = bytes.reals("VEC3", 3, &CORNERS);
    let times = bytes.reals("SCALAR", 1, &[0.0, 1.0]);
    let moves = bytes.reals("VEC3", 3, &[0.0, 0.0, 0.0, 4.0, 0.0, 0.0]);
    let channel = |pointer: &str| {
        json!({"sampler": 0, "target": {"path": "pointer", "extensions": {
            "KHR_animation_pointer": {"pointer": pointer}}}})
    };
    let document = bytes.finish(json!({
        "extensionsUsed": ["KHR_animation_pointer"],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": positions}}]}],
        "animations": [{
            "channels": [channel("/nodes/0/translation"), channel("/materials/0/emissiveFactor")],
            "samplers": [{"input": times, "output": moves}],
        }],
    }));
    let Loaded { value: file, warnings } = read(&document).unwrap();
    let lost = "animations[0].channels[1]: /materials/0/emissiveFactor does not affect the picture; skipped";
    assert_eq!(warnings, [FileRepair::NoTarget.told(lost)], "there is no such material");
    let tracks = &file.clips[0].clip.joints;
    assert_eq!((tracks.len(), tracks[0].translation.values[1]), (1, Vec3::X * 4.0));
}

/// Pointers to properties other than those of nodes are weights of the first joint, with the file's
/// values at rest.
#[test]
fn pointers_to_materials_lights_and_cameras_are_weights() {
    let mut bytes = Bytes::default();
    let positions = bytes.reals("VEC3", 3, &CORNERS);
    let times = bytes.reals("SCALAR", 1, &[0.0, 1.0]);
    let colors = bytes.accessor("VEC4", 5121, 2, &[255, 0, 0, 255, 0, 51, 0, 255]);
    let strengths = bytes.reals("SCALAR", 1, &[2.0, 4.0]);
    let offsets = bytes.reals("VEC2", 2, &[0.0, 0.0, 0.5, 0.25]);
    // In-tangent, value and out-tangent of each key.
    let spline = bytes.reals("SCALAR", 1, &[0.0, 0.5, 8.0, 0.0, 0.75, 0.0]);
    let channel = |sampler: usize, pointer: &str| {
        json!({"sampler": sampler, "target": {"path": "pointer", "extensions": {
            "KHR_animation_pointer": {"pointer": pointer}}}})
    };
    let transform = "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset";
    let mut document = bytes.finish(json!({
        "extensionsUsed": ["KHR_animation_pointer", "KHR_lights_punctual"],
        "extensions": {"KHR_lights_punctual": {"lights": [{"type": "point", "name": "lamp", "intensity": 3.0}]}},
        "nodes": [
            {"mesh": 0, "extensions": {"KHR_lights_punctual": {"light": 0}}},
            {"camera": 0, "name": "eye"},
        ],
        "cameras": [{"type": "perspective", "perspective": {"yfov": 0.75, "znear": 0.5}}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": positions}, "material": 0}]}],
        "materials": [{"name": "Red", "emissiveFactor": [0.5, 0.25, 0.0], "alphaMode": "MASK",
            "alphaCutoff": 0.0,
            "pbrMetallicRoughness": {"baseColorFactor": [1.0, 0.0, 0.0, 0.5], "roughnessFactor": 0.25}}],
        "animations": [{
            "channels": [
                channel(0, "/materials/0/pbrMetallicRoughness/baseColorFactor"),
                channel(1, "/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength"),
                channel(2, transform),
                channel(3, "/materials/0/pbrMetallicRoughness/roughnessFactor"),
                channel(1, "/materials/0/alphaCutoff"),
                channel(1, "/extensions/KHR_lights_punctual/lights/0/intensity"),
                channel(1, "/cameras/0/perspective/yfov"),
            ],
            "samplers": [
                {"input": times, "output": colors, "interpolation": "STEP"},
                {"input": times, "output": strengths},
                {"input": times, "output": offsets},
                {"input": times, "output": spline, "interpolation": "CUBICSPLINE"},
            ],
        }],
    }));
    document["accessors"][colors]["normalized"] = json!(true);
    let GltfModel { model, clips } = model(&document);
    let slots: Vec<String> =
        model.skeleton.morphs().iter().map(|slot| format!("{} {}", slot.name, slot.rest)).collect();
    let rest = [
        "Red.baseColorFactor.r 1",
        "Red.baseColorFactor.g 0",
        "Red.baseColorFactor.b 0",
        "Red.baseColorFactor.a 0.5",
        "Red.roughnessFactor 0.25",
        "Red.emissiveFactor.r 0.5",
        "Red.emissiveFactor.g 0.25",
        "Red.emissiveFactor.b 0",
        "Red.emissiveStrength 1",
        "Red.alphaCutoff 0",
        "Red.baseColorTexture.offset.u 0",
        "Red.baseColorTexture.offset.v 0",
        "Red.baseColorTexture.rotation 0",
        "Red.baseColorTexture.scale.u 1",
        "Red.baseColorTexture.scale.v 1",
        "lamp.intensity 3",
        "eye.yfov 0.75",
    ];
    assert_eq!(slots, rest);
    let pose = |time_s: f64| {
        let (binding, warnings) =
            bind_clip(&model.skeleton, &model.meshes, &clips[0].clip).unwrap();
        assert_eq!(warnings, []);
        sample_clip(&model.skeleton, &clips[0].clip, &binding, time_s)
    };
    let material = |time_s: f64| {
        let own = &model.materials[0];
        let mut material = Material {
            color: own.color,
            emissive: own.emissive,
            alpha: own.alpha.unwrap(),
            response: own.response.clone(),
            ..Material::new("Red")
        };
        let pose = pose(time_s);
        for (owner, numbers) in model.parts.moved(&model.skeleton, &pose) {
            if let PropertyOwner::Material(_, property) = owner {
                property.set(&mut material, numbers);
            }
        }
        material
    };
    let (start, half, end) = (material(0.0), material(0.5), material(1.0));
    assert_eq!((start.color, start.opacity), (LinearRgb::new(1.0, 0.0, 0.0), 1.0));
    assert_eq!((half.color, end.color), (start.color, LinearRgb::new(0.0, 0.2, 0.0)));
    assert_eq!(half.emissive, LinearRgb::new(1.5, 0.75, 0.0));
    assert_eq!(half.coordinates_of(TextureRole::Diffuse).unwrap().offset, Vec2::new(0.25, 0.125));
    assert_eq!(
        half.alpha,
        AlphaMode::Mask { cutoff: 2.0 },
        "a mask although its cutoff is 0 at rest"
    );
    // Halfway, a tangent of 8 adds 1 to the mean.
    let roughness = [&start, &half, &end].map(|own| own.response.as_ref().unwrap().roughness);
    assert_eq!(roughness, [0.5, 1.0, 0.75], "0 to 1 at most");
    let light = |pose: &Pose| model.parts.light_in(0, &model.skeleton, pose).intensity;
    let camera = |pose: &Pose| model.parts.camera_in(0, &model.skeleton, pose).fov_y_rad;
    assert_eq!((light(&pose(0.5)), camera(&pose(0.5))), (3.0, Some(3.0)));
    let rest = bind_pose(&model.skeleton);
    assert_eq!((light(&rest), camera(&rest)), (3.0, Some(0.75)));
}

/// Each pointer to something that is not drawn is reported once.
#[test]
fn pointers_to_nothing_drawn_are_told_once() {
    let mut document = triangle();
    let channel = |pointer: &str| {
        json!({"sampler": 0, "target": {"path": "pointer", "extensions": {
            "KHR_animation_pointer": {"pointer": pointer}}}})
    };
    let (one, other) = ("/meshes/0/weights", "/cameras/0/perspective/aspectRatio");
    let clip =
        |channels: Value| json!({"channels": channels, "samplers": [{"input": 0, "output": 0}]});
    document["animations"] =
        json!([clip(json!([channel(one), channel(other)])), clip(json!([channel(one)]))]);
    let told = [(0, one), (1, other)].map(|(index, pointer)| {
        let told = "does not affect the picture; skipped";
        FileRepair::NoTarget.told(format!("animations[0].channels[{index}]: {pointer} {told}"))
    });
    assert_eq!(read(&document).unwrap().warnings, told);
}

#[test]
fn light_that_passes_brushed_surfaces_and_films_are_read() {
    let mut document = triangle();
    let names = ["transmission", "volume", "anisotropy", "iridescence"]
        .map(|name| format!("KHR_materials_{name}"));
    (document["extensionsUsed"], document["extensionsRequired"]) = (json!(names), json!(names));
    document["meshes"][0]["primitives"][0]["material"] = json!(0);
    document["images"] = json!([{"uri": "a.png"}, {"uri": "b.png"}]);
    document["textures"] = json!([{"source": 0}, {"source": 1}]);
    document["materials"] = json!([{"extensions": {
        "KHR_materials_transmission": {
            "transmissionFactor": 0.8, "transmissionTexture": {"index": 0}},
        "KHR_materials_volume": {
            "thicknessFactor": 0.5, "thicknessTexture": {"index": 1},
            "attenuationColor": [0.5, 0.25, 1.0], "attenuationDistance": 2.0},
        "KHR_materials_anisotropy": {
            "anisotropyStrength": 0.5, "anisotropyRotation": 1.25, "anisotropyTexture": {"index": 0}},
        "KHR_materials_iridescence": {
            "iridescenceFactor": 0.75, "iridescenceIor": 1.5, "iridescenceThicknessMinimum": 50.0,
            "iridescenceTexture": {"index": 1}, "iridescenceThicknessTexture": {"index": 0}},
    }}]);
    let Loaded { value: file, warnings } = read(&document).unwrap();
    // The triangle has no texture coordinates, and only that is reported.
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(warnings[0].fault, FileRepair::MissingValue);
    let material = &file.model.materials[0];
    assert_eq!((material.alpha, material.opacity), (Some(AlphaMode::Opaque), 1.0));
    let response = material.response.as_ref().unwrap();
    let transmission = Transmission {
        share: 0.8,
        thickness: 0.5,
        attenuation_color: LinearRgb::new(0.5, 0.25, 1.0),
        attenuation_distance: 2.0,
    };
    assert_eq!(response.transmission, transmission);
    assert_eq!(response.anisotropy, Anisotropy { strength: 0.5, rotation_rad: 1.25 });
    let film = Iridescence { strength: 0.75, ior: 1.5, thickness_nm: [50.0, 400.0] };
    assert_eq!(response.iridescence, film);
    let named = |role| material.texture(role).map(String::as_str);
    assert_eq!(named(TextureRole::Transmission), Some("a.png"));
    assert_eq!(named(TextureRole::Thickness), Some("b.png"));
    assert_eq!(named(TextureRole::Anisotropy), Some("a.png"));
    assert_eq!(named(TextureRole::Iridescence), Some("b.png"));
    assert_eq!(named(TextureRole::IridescenceThickness), Some("a.png"));

    // Strengths of 0, and invalid values.
    document["materials"] = json!([{"extensions": {
        "KHR_materials_transmission": {"transmissionTexture": {"index": 0}},
        "KHR_materials_volume": {"thicknessFactor": -1.0, "attenuationDistance": 0.0},
        "KHR_materials_iridescence": {"iridescenceFactor": 1.0, "iridescenceThicknessMaximum": 0.0},
    }}]);
    let own = read(&document).unwrap().value.model.materials.remove(0);
    let response = own.response.as_ref().unwrap();
    assert_eq!(response.transmission, Transmission::default());
    assert_eq!(response.iridescence.strength, 0.0);
    assert_eq!(own.texture(TextureRole::Transmission), None);
}

#[test]
fn parts_beside_the_model_are_listed() {
    let mut document = triangle();
    document["extensionsUsed"] =
        json!(["KHR_materials_variants", "KHR_lights_punctual", "KHR_materials_dispersion"]);
    document["extensions"] = json!({
        "KHR_materials_variants": {"variants": [{"name": "day"}, {"name": "night"}]},
        "KHR_lights_punctual": {"lights": [{"type": "spot", "spot": {"outerConeAngle": 0.5}}]},
    });
    document["materials"] = json!([{"name": "white"}, {"name": "black"}]);
    document["meshes"][0]["primitives"][0]["material"] = json!(0);
    document["meshes"][0]["primitives"][0]["extensions"] = json!({
        "KHR_materials_variants": {"mappings": [{"material": 1, "variants": [1]}]}});
    document["cameras"] =
        json!([{"type": "perspective", "perspective": {"yfov": 0.75, "znear": 0.1}}]);
    document["nodes"][0]["camera"] = json!(0);
    document["nodes"][0]["name"] = json!("eye");
    document["nodes"][0]["extensions"] = json!({"KHR_lights_punctual": {"light": 0}});
    let Loaded { value: file, warnings } = read(&document).unwrap();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let parts = &file.model.parts;
    assert_eq!(parts.variants, ["day", "night"]);
    assert_eq!(file.model.meshes[0].variants, [(1, "black".to_owned())]);
    assert_eq!(file.model.materials.len(), 2);
    assert_eq!((parts.cameras[0].name.as_str(), parts.cameras[0].fov_y_rad), ("eye", Some(0.75)));
    let spot = FileLightKind::Spot { inner_rad: 0.0, outer_rad: 0.5 };
    assert_eq!((parts.lights[0].name.as_str(), parts.lights[0].kind), ("eye", spot));
    let lost: Vec<_> = parts.extensions.iter().map(|one| one.lost.is_some()).collect();
    assert_eq!(lost, [false, false, true]);
    document["nodes"][0]["camera"] = json!(3);
    assert!(
        read(&document)
            .unwrap()
            .warnings
            .iter()
            .any(|one| one.message.starts_with("nodes[0].camera: the camera: found 3"))
    );
}

#[test]
fn textures_of_layers_are_read_with_their_factors() {
    let mut document = triangle();
    document["meshes"][0]["primitives"][0]["material"] = json!(0);
    document["images"] = json!([{"uri": "a.png"}, {"uri": "b.png"}]);
    document["samplers"] = json!([{"wrapS": 33071}]);
    document["textures"] = json!([{"source": 0}, {"source": 1, "sampler": 0}]);
    document["materials"] = json!([{"extensions": {
        "KHR_materials_clearcoat": {
            "clearcoatFactor": 0.5, "clearcoatTexture": {"index": 0},
            "clearcoatRoughnessTexture": {"index": 1},
            "clearcoatNormalTexture": {"index": 0, "scale": 0.25},
        },
        "KHR_materials_sheen": {
            "sheenColorTexture": {"index": 0}, "sheenRoughnessTexture": {"index": 1},
        },
        "KHR_materials_specular": {
            "specularTexture": {"index": 1},
            "specularColorTexture": {"index": 0, "extensions": {
                "KHR_texture_transform": {"scale": [2.0, 2.0]}}},
        },
    }}]);
    let own = read(&document).unwrap().value.model.materials.remove(0);
    let named = |role| own.texture(role).map(String::as_str);
    assert_eq!(named(TextureRole::Clearcoat), Some("a.png"));
    assert_eq!(named(TextureRole::ClearcoatRoughness), Some("b.png"));
    assert_eq!(named(TextureRole::ClearcoatNormal), Some("a.png"));
    assert_eq!(named(TextureRole::SpecularStrength), Some("b.png"));
    assert_eq!(named(TextureRole::SpecularColor), Some("a.png"));
    // A sheen without a colour has no effect.
    assert_eq!(named(TextureRole::SheenColor), None);
    assert_eq!(named(TextureRole::SheenRoughness), None);
    let wrap = own.sampling[TextureRole::ClearcoatRoughness as usize].wrap;
    assert_eq!(wrap, [TextureWrap::Clamp, TextureWrap::Repeat]);
    let coordinates = own.coordinates.unwrap();
    let scaled = coordinates[TextureRole::SpecularColor as usize].unwrap();
    assert_eq!((scaled.steps[0].x, coordinates[TextureRole::Clearcoat as usize]), (2.0, None));
    let response = own.response.unwrap();
    assert_eq!((response.clearcoat, response.clearcoat_normal_scale), (0.5, 0.25));

    document["materials"][0]["extensions"]["KHR_materials_sheen"]["sheenColorFactor"] =
        json!([1.0, 0.5, 0.5]);
    let own = read(&document).unwrap().value.model.materials.remove(0);
    assert_eq!(own.texture(TextureRole::SheenColor).map(String::as_str), Some("a.png"));
    document["materials"][0]["extensions"]["KHR_materials_clearcoat"]["clearcoatTexture"] =
        json!({"index": 2});
    assert_told(
        &document,
        "materials[0].clearcoatTexture.index: the texture: found 2; expected an index below 2",
    );
}

/// In old files one picture contains the specular colour, with glossiness in alpha.
#[test]
fn glossiness_of_old_files_has_its_texture() {
    let mut document = triangle();
    document["meshes"][0]["primitives"][0]["material"] = json!(0);
    document["images"] = json!([{"uri": "a.png"}]);
    document["textures"] = json!([{"source": 0}]);
    document["materials"] = json!([{"extensions": {"KHR_materials_pbrSpecularGlossiness": {
        "glossinessFactor": 0.75, "specularGlossinessTexture": {"index": 0},
    }}}]);
    let own = read(&document).unwrap().value.model.materials.remove(0);
    for role in [TextureRole::SpecularColor, TextureRole::Glossiness] {
        assert_eq!(own.texture(role).map(String::as_str), Some("a.png"));
    }
    assert_eq!(own.response.unwrap().roughness, 0.25);
}
