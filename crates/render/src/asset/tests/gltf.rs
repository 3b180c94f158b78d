//! Parts of glTF files that scenes pick: morph targets, variants and cameras.

use super::*;
use crate::Renderer;
use tintype_model::CastShadow;

/// A triangle with a target that lifts its second corner, in two material variants, with a camera
/// in front of it.
fn face() -> String {
    let mut bytes: Vec<u8> = Vec::new();
    for value in [
        0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0,
        0.0,
    ] {
        bytes.extend(value.to_le_bytes());
    }
    let digits: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
    r#"{
        "asset": {"version": "2.0"},
        "extensionsUsed": ["KHR_materials_variants", "KHR_lights_punctual"],
        "extensions": {
            "KHR_materials_variants": {"variants": [{"name": "day"}, {"name": "night"}]},
            "KHR_lights_punctual": {"lights": [
                {"name": "sun", "type": "directional", "intensity": 3.1415927},
                {"name": "lamp", "type": "spot", "intensity": 6.2831855, "color": [1, 0.5, 0], "range": 4,
                 "spot": {"innerConeAngle": 0.25, "outerConeAngle": 0.5}}
            ]}
        },
        "nodes": [
            {"name": "head", "mesh": 0},
            {"name": "eye", "camera": 0, "translation": [0.25, 0.25, 5],
             "extensions": {"KHR_lights_punctual": {"light": 1}}},
            {"name": "sky", "rotation": [-0.70710678, 0, 0, 0.70710678], "scale": [2, 2, 2],
             "extensions": {"KHR_lights_punctual": {"light": 0}}}
        ],
        "cameras": [{"name": "portrait", "type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.5}}],
        "materials": [{"name": "white"}, {"name": "black"}],
        "meshes": [{
            "primitives": [{
                "attributes": {"POSITION": 0}, "targets": [{"POSITION": 1}], "material": 0,
                "extensions": {"KHR_materials_variants": {"mappings": [{"material": 1, "variants": [1]}]}}
            }],
            "extras": {"targetNames": ["smile"]}
        }],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 0, "byteOffset": 36, "componentType": 5126, "count": 3, "type": "VEC3"}
        ],
        "bufferViews": [{"buffer": 0, "byteLength": 72}],
        "buffers": [{"byteLength": 72, "uri": "data:;DATA"}]
    }"#
    .replace("data:;DATA", &format!("data:,{digits}"))
}

fn scene(rest: &str) -> String {
    format!("[[model]]\nfile = \"face.gltf\"\n[[instance]]\nmodel = \"face\"\n{rest}\n")
}

#[test]
fn presets_that_a_character_lacks_are_told() {
    let human = r#""VRMC_vrm": {"expressions": {"preset": {"happy": {}}}}, "KHR_materials_variants": {"variants"#;
    let character = face().replace(r#""KHR_materials_variants": {"variants"#, human);
    let stage = Stage::new(&[("face.gltf", character.as_bytes())]);
    let assets = stage.load(&scene("morphs = { joy = 1, blink = 1 }")).unwrap();
    let expected = [MorphChoice::Lacking, MorphChoice::Expression(0)];
    assert_eq!(assets.instances[0].morphs, expected);
    let warnings: Vec<String> = assets.warnings.iter().map(ToString::to_string).collect();
    let told = "instance[0].morphs: the character has no expression \"blink\"; ignored";
    assert!(warnings.len() == 1 && warnings[0].contains(told), "{warnings:?}");
    assert!(stage.failure(&scene("morphs = { frown = 1 }")).contains("the file has: smile, happy"));
}

#[test]
fn morphs_and_variants_are_found_in_the_file() {
    let stage = Stage::new(&[("face.gltf", face().as_bytes())]);
    let assets =
        stage.load(&scene("morphs = { \"head/smile\" = 1 }\nvariant = \"night\"")).unwrap();
    assert_eq!(assets.instances[0].morphs, [MorphChoice::Targets(vec![0])]);
    let worn = assets.instances[0].mesh_materials[0];
    assert_eq!(assets.materials[worn].name, "black");
    let plain = stage.load(&scene("")).unwrap();
    assert_eq!(plain.materials[plain.instances[0].mesh_materials[0]].name, "white");
    assert_eq!(
        stage.failure(&scene("morphs = { smil = 1 }")),
        "face.gltf: unknown morph target \"smil\" for instance[0].morphs; the file has: smile; did you mean \"smile\"?"
    );
    assert_eq!(
        stage.failure(&scene("variant = 2")),
        "face.gltf: unknown variant \"2\" for instance[0].variant; the file has: day, night"
    );
}

#[test]
fn camera_of_the_file_is_placed_with_its_instance() {
    let stage = Stage::new(&[("face.gltf", face().as_bytes())]);
    let text = scene("position = [10, 0, 0]\n[camera]\nkind = \"model\"\ncamera = \"portrait\"");
    let parsed = parse_scene(&text, "scene").unwrap();
    let assets = load(&parsed, stage.folder.path(), &LoadOptions::default()).unwrap();
    let renderer = Renderer::new(parsed, assets, &tintype_base::deadline::Deadline::NEVER).unwrap();
    let staged = renderer.stage(tintype_scene::FrameNumber(0)).unwrap();
    assert_eq!(staged.camera.eye, Vec3::new(10.25, 0.25, 5.0));
    assert_eq!(
        (staged.camera.fov, staged.camera.near),
        (tintype_model::FovAxis::Vertical(0.5), 0.5)
    );
    assert_eq!(
        stage.failure(&scene("[camera]\nkind = \"model\"\ncamera = \"portait\"")),
        "face.gltf: unknown camera \"portait\" for camera.camera; the file has: portrait; did you mean \"portrait\"?"
    );
    assert_eq!(
        stage.failure(&scene("[camera]\nkind = \"model\"\ninstance = \"imp\"")),
        "face.gltf: unknown instance \"imp\" for camera.instance; the file has: face"
    );
}

/// Staged lights of a scene over the face.
fn lights(rest: &str) -> Vec<tintype_model::Light> {
    let stage = Stage::new(&[("face.gltf", face().as_bytes())]);
    let parsed = parse_scene(&scene(rest), "scene").unwrap();
    let assets = load(&parsed, stage.folder.path(), &LoadOptions::default()).unwrap();
    let renderer = Renderer::new(parsed, assets, &tintype_base::deadline::Deadline::NEVER).unwrap();
    renderer.stage(tintype_scene::FrameNumber(0)).unwrap().lights
}

#[test]
fn lights_of_the_file_are_placed_with_their_instance() {
    use tintype_model::Light;
    let all =
        lights("position = [10, 0, 0]\nscale = 2\n[[light]]\nkind = \"model\"\nintensity = 0.5");
    let [
        Light::Point { position, color, reach, range, cone },
        Light::Directional { to_light, color: of_sun },
    ] = all[..]
    else {
        panic!("{all:?}")
    };
    assert_eq!((position, reach, range), (Vec3::new(10.5, 0.5, 10.0), 2.0, Some(8.0)));
    assert_eq!(cone, Some(tintype_model::Cone::new(Vec3::Z, 0.25, 0.5)));
    assert!((color.r - 1.0).abs() < 1e-6 && (color.g - 0.5).abs() < 1e-6, "{color:?}");
    assert!((to_light - Vec3::Y).length() < 1e-6, "{to_light}");
    assert!((of_sun.b - 0.5).abs() < 1e-6, "{of_sun:?}");
    let one = lights("[[light]]\nkind = \"model\"\nlight = \"sun\"\n[[light]]\nintensity = 2");
    assert!(matches!(one[..], [Light::Directional { .. }, Light::Directional { .. }]), "{one:?}");
    let stage = Stage::new(&[("face.gltf", face().as_bytes())]);
    assert_eq!(
        stage.failure(&scene("[[light]]\nkind = \"model\"\nlight = \"sum\"")),
        "face.gltf: unknown light \"sum\" for light.light; the file has: lamp, sun; did you mean \"sun\"?"
    );
}

#[test]
fn directional_lights_of_the_file_cast_shadows_on_request() {
    let stage = Stage::new(&[("face.gltf", face().as_bytes())]);
    let light = "[[light]]\nkind = \"model\"\n";
    let of = |rest: &str| {
        let loaded = stage.load(&scene(rest)).unwrap();
        let shadows: Vec<_> = loaded.model_lights.iter().map(|own| own.shadow).collect();
        let warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
        (shadows, warnings)
    };
    assert_eq!(of(light), (vec![None; 2], vec![]));
    // The lamp is a spot; the sun is the third of all lights, after one of the scene.
    let (shadows, warnings) =
        of(&format!("[[light]]\nintensity = 2\n{light}shadow = true\nshadow_size = 64"));
    let usual = CastShadow::DEFAULT_SOFTNESS_DEG;
    let sun = CastShadow { light: 2, size: Some(64), softness_deg: usual };
    assert_eq!((shadows, warnings), (vec![None, Some(sun)], vec![]));
    let (shadows, warnings) = of(&format!("{light}light = \"lamp\"\nshadow = true"));
    assert_eq!(shadows, [None]);
    assert!(
        warnings[0].contains(
            "light.shadow: only directional lights cast shadows: \"lamp\" is a spot light"
        ),
        "{warnings:?}"
    );
}

#[test]
fn shadow_of_a_light_of_the_file_darkens_the_ground() {
    let stage = Stage::new(&[("face.gltf", face().as_bytes())]);
    let drawn = |shadow: &str| {
        let text = format!(
            "[output]\nsize = [64, 64]\n[camera]\nkind = \"look-at\"\neye = [0.3, 4, 3]\ntarget = [0.3, 0, 0]\n\
             [ground]\ncolor = \"#fff\"\ncontact = 0.0\n\
             [[light]]\nkind = \"model\"\nlight = \"sun\"\n{shadow}"
        );
        // The first instance has the sun, straight above; the second lies level above the ground.
        let level =
            "[[instance]]\nmodel = \"face\"\nposition = [0, 1, 0]\nrotation_deg = [-90, 0, 0]";
        let text = text + "\n" + &scene(level);
        let parsed = parse_scene(&text, "scene").unwrap_or_else(|error| panic!("{error}"));
        let assets = load(&parsed, stage.folder.path(), &LoadOptions::default()).unwrap();
        let renderer =
            Renderer::new(parsed, assets, &tintype_base::deadline::Deadline::NEVER).unwrap();
        let drawn = renderer.draw(tintype_scene::FrameNumber(0), Default::default()).unwrap();
        (renderer.shadow_bytes(), drawn.frame.rgba)
    };
    let (without, plain) = drawn("");
    let (with, shaded) = drawn("shadow = true");
    assert!(with > without, "{with} {without}");
    let darker = plain.iter().zip(&shaded).filter(|(plain, shaded)| {
        let [plain, shaded] = [plain[1], shaded[1]].map(u32::from);
        plain > shaded + 20
    });
    assert!(darker.count() > 20);
}

/// A triangle with one picture in a data URI.
fn textured(uri: &str) -> String {
    let digits = "%00".repeat(60);
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "nodes": [{{"mesh": 0}}],
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0, "TEXCOORD_0": 1}}, "material": 0}}]}}],
        "materials": [{{"pbrMetallicRoughness": {{"baseColorTexture": {{"index": 0}}}}}}],
        "textures": [{{"source": 0}}],
        "images": [{{"mimeType": "image/jpeg", "uri": "{uri}"}}],
        "accessors": [
            {{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}},
            {{"bufferView": 0, "byteOffset": 36, "componentType": 5126, "count": 3, "type": "VEC2"}}
        ],
        "bufferViews": [{{"buffer": 0, "byteLength": 60}}],
        "buffers": [{{"byteLength": 60, "uri": "data:,{digits}"}}]}}"#
    )
}

#[test]
fn pictures_are_known_by_their_bytes_whatever_the_file_says() {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 1, 1);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[255, 0, 0]).unwrap();
    drop(writer);
    let digits: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
    let load = |uri: &str| {
        let stage = Stage::new(&[("face.gltf", textured(uri).as_bytes())]);
        stage.load(&scene(""))
    };
    let png_as_jpeg = load(&format!("data:image/jpeg,{digits}")).unwrap();
    assert_eq!((png_as_jpeg.warnings.len(), png_as_jpeg.textures.len()), (0, 1));
    let is_told = match load("data:image/jpeg,nonsense") {
        Ok(assets) => !assets.warnings.is_empty(),
        Err(_) => true,
    };
    assert!(is_told, "a picture of no known kind");
}
