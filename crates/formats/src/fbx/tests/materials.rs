//! Materials of each program, and their textures.

use super::{FbxModel, changed, read};
use tintype_model::math::Vec2;
use tintype_model::{AlphaMode, FileMaterial, LinearRgb, TextureRole};

/// The material of the strip with these properties, and textures `NAME.png` that are connected to
/// some.
fn material(properties: &[(&str, &str)], textures: &[(&str, &str)]) -> FileMaterial {
    let lines: String = (properties.iter())
        .map(|(name, value)| format!("P: \"{name}\", \"double\", \"Number\", \"A\",{value}\n"))
        .collect();
    let objects: String = (textures.iter().enumerate())
        .map(|(n, (_, name))| {
            format!(
                "\tTexture: {}, \"Texture::t\", \"\" {{\nFileName: \"{name}.png\"\n}}\n",
                60 + n
            )
        })
        .collect();
    let connections: String = (textures.iter().enumerate())
        .map(|(n, (property, _))| format!("\tC: \"OP\",{},30, \"{property}\"\n", 60 + n))
        .collect();
    let text = changed(&[
        ("\t\t\tP: \"DiffuseColor\", \"Color\", \"\", \"A\",0.8,0.4,0.2\n", &lines),
        ("\tDeformer: 40,", &format!("{objects}\tDeformer: 40,")),
        ("\tC: \"OO\",40,10", &format!("{connections}\tC: \"OO\",40,10")),
    ]);
    read(&text).value.model.materials.swap_remove(0)
}

#[test]
fn physical_materials_of_each_program_become_metal_and_roughness() {
    type Case<'c> = (&'c [(&'c str, &'c str)], [f32; 3]);
    let cases: [Case; 9] = [
        // Stingray PBS of Maya.
        (
            &[
                ("Maya|base_color", "0.5,1,1"),
                ("Maya|metallic", "0.25"),
                ("Maya|roughness", "0.75"),
            ],
            [0.5, 0.25, 0.75],
        ),
        // The physical material of 3ds Max, whose roughness may be inverted.
        (
            &[
                ("3dsMax|Parameters|base_weight", "0.5"),
                ("3dsMax|Parameters|base_color", "1,1,1,1"),
                ("3dsMax|Parameters|metalness", "0.25"),
                ("3dsMax|Parameters|roughness", "0.25"),
                ("3dsMax|Parameters|roughness_inv", "1"),
            ],
            [0.5, 0.25, 0.75],
        ),
        // PBR of 3ds Max: roughness, glossiness instead, and the one of reflection.
        (
            &[
                ("3dsMax|main|base_color", "0.5,1,1,1"),
                ("3dsMax|main|metalness", "0.25"),
                ("3dsMax|main|roughness", "0.75"),
                ("3dsMax|main|useGlossiness", "2"),
            ],
            [0.5, 0.25, 0.75],
        ),
        (
            &[
                ("3dsMax|main|base_color", "0.5,1,1,1"),
                ("3dsMax|main|metalness", "0.25"),
                ("3dsMax|main|roughness", "0.25"),
                ("3dsMax|main|useGlossiness", "1"),
            ],
            [0.5, 0.25, 0.75],
        ),
        (
            &[
                ("3dsMax|main|baseColor", "0.5,1,1,1"),
                ("3dsMax|main|Specular", "0.25,0.25,0.25,1"),
                ("3dsMax|main|glossiness", "0.25"),
                ("3dsMax|main|useGlossiness", "1"),
            ],
            [0.5, 0.0, 0.75],
        ),
        // Standard surface of Arnold, and OpenPBR.
        (
            &[
                ("Maya|base", "0.5"),
                ("Maya|baseColor", "1,1,1"),
                ("Maya|metalness", "0.25"),
                ("Maya|specularRoughness", "0.75"),
            ],
            [0.5, 0.25, 0.75],
        ),
        (
            &[
                ("3dsMax|Parameters|base_weight", "0.5"),
                ("3dsMax|Parameters|base_color", "1,1,1,1"),
                ("3dsMax|Parameters|base_metalness", "0.25"),
                ("3dsMax|Parameters|specular_roughness", "0.75"),
                ("3dsMax|Parameters|emission_color", "1,1,1,1"),
                ("3dsMax|Parameters|emission_luminance", "0"),
            ],
            [0.5, 0.25, 0.75],
        ),
        // The glTF material of 3ds Max.
        (
            &[
                ("3dsMax|main|baseColor", "0.5,1,1,1"),
                ("3dsMax|main|metalness", "0.25"),
                ("3dsMax|main|roughness", "0.75"),
            ],
            [0.5, 0.25, 0.75],
        ),
        (&[("basecolor", "0.5,1,1"), ("roughness", "0.75")], [0.5, 0.0, 0.75]),
    ];
    for (properties, [red, metallic, roughness]) in cases {
        let found = material(properties, &[]);
        let response = found.response.as_ref().unwrap_or_else(|| panic!("{properties:?}"));
        let near = |a: f32, b: f32| (a - b).abs() < 1e-6;
        assert!(near(found.color.r, red), "{properties:?}: {:?}", found.color);
        assert!(near(response.metallic, metallic), "{properties:?}: {response:?}");
        assert!(near(response.roughness, roughness), "{properties:?}: {response:?}");
        assert_eq!(found.emissive, LinearRgb::BLACK, "{properties:?}");
    }
    let lambert = material(&[("DiffuseColor", "0.5,0.5,0.5"), ("DiffuseFactor", "0.5")], &[]);
    assert_eq!(lambert.color.r, 0.25);
}

#[test]
fn textures_of_physical_materials_take_the_place_of_their_values() {
    let max = "3dsMax|Parameters|";
    let names: Vec<String> = [
        "base_color",
        "metalness",
        "roughness",
        "base_color_map",
        "bump_map",
        "emit_color_map",
        "roughness_map",
        "metalness_map",
        "base_color_map_on",
    ]
    .map(|name| format!("{max}{name}"))
    .into();
    let [base, metal, rough, color_map, bump, glow, rough_map, metal_map, is_on] = names.as_slice()
    else {
        unreachable!()
    };
    let values = [(base.as_str(), "0.1,0.2,0.3,1"), (metal, "0.5"), (rough, "0.5")];
    let found = material(
        &values,
        &[
            (color_map, "color"),
            (bump, "bump"),
            (glow, "glow"),
            (rough_map, "orm"),
            (metal_map, "orm"),
        ],
    );
    let name = |role: TextureRole| found.texture(role).cloned();
    assert_eq!(name(TextureRole::Diffuse).as_deref(), Some("color.png"));
    assert_eq!(name(TextureRole::Normal).as_deref(), Some("bump.png"));
    assert_eq!(name(TextureRole::Emissive).as_deref(), Some("glow.png"));
    assert_eq!(name(TextureRole::MetallicRoughness).as_deref(), Some("orm.png"));
    assert_eq!((found.color, found.emissive), (LinearRgb::WHITE, LinearRgb::WHITE));
    let response = found.response.as_ref().unwrap();
    assert_eq!((response.metallic, response.roughness), (1.0, 1.0));
    assert!(found.notes.is_empty(), "{:?}", found.notes);
    // Of two pictures one texture is made; of a dielectric, metal is of no account.
    let factors = |found: FileMaterial| {
        let made = found.factors.unwrap();
        let response = found.response.unwrap();
        assert_eq!((found.metallic_roughness, found.notes), (None, Vec::<String>::new()));
        (made.roughness, made.is_glossiness, made.metal, response.roughness, response.metallic)
    };
    let png = |name: &str| Some(format!("{name}.png"));
    let two = material(&values, &[(rough_map, "rough"), (metal_map, "metal")]);
    assert_eq!(factors(two), (png("rough"), false, png("metal"), 1.0, 1.0));
    let metal_alone = material(&values, &[(metal_map, "metal")]);
    assert_eq!(factors(metal_alone), (None, false, png("metal"), 0.5, 1.0));
    let inverse = format!("{max}roughness_inv");
    let glossy =
        [(base.as_str(), "1,1,1,1"), (metal, "0"), (rough, "0.5"), (inverse.as_str(), "1")];
    let gloss = material(&glossy, &[(rough_map, "gloss")]);
    assert_eq!(factors(gloss), (png("gloss"), true, None, 1.0, 0.0));
    let dull =
        material(&[(base, "1,1,1,1"), (metal, "0"), (rough, "0.5")], &[(rough_map, "rough")]);
    assert_eq!(dull.metallic_roughness.as_deref(), Some("rough.png"));
    let cut = material(
        &[(base, "1,1,1,1"), (metal, "0")],
        &[(color_map, "leaf"), ("3dsMax|Parameters|cutout_map", "mask")],
    );
    assert_eq!((cut.opacity_picture, cut.alpha), (png("mask"), Some(AlphaMode::Blend)));
    let off =
        material(&[(base, "0.1,0.2,0.3,1"), (rough, "0.5"), (is_on, "0")], &[(color_map, "color")]);
    assert_eq!((off.diffuse, off.color.r), (None, 0.1));
    let off = material(
        &[("Maya|base_color", "0.1,0.2,0.3"), ("Maya|metallic", "0"), ("Maya|use_color_map", "0")],
        &[("Maya|TEX_color_map", "color")],
    );
    assert_eq!((off.diffuse, off.color.r), (None, 0.1));
}

#[test]
fn lowest_of_layered_textures_is_drawn_and_the_others_are_told() {
    let layers = "\tLayeredTexture: 60, \"LayeredTexture::both\", \"\" {\n}\n\
        \tTexture: 61, \"Texture::a\", \"\" {\nFileName: \"a.png\"\n}\n\
        \tTexture: 62, \"Texture::b\", \"\" {\nFileName: \"b.png\"\n}\n";
    let connections = "\tC: \"OP\",60,30, \"DiffuseColor\"\n\tC: \"OO\",61,60\n\tC: \"OO\",62,60\n";
    let file = read(&changed(&[
        ("\tDeformer: 40,", &format!("{layers}\tDeformer: 40,")),
        ("\tC: \"OO\",40,10", &format!("{connections}\tC: \"OO\",40,10")),
    ]))
    .value;
    let material = &file.model.materials[0];
    assert_eq!(material.diffuse.as_deref(), Some("a.png"));
    assert_eq!(material.notes, ["only the first of the 2 layers of its \"diffusecolor\" is drawn"]);
}

#[test]
fn textures_have_their_transform_and_set_of_coordinates() {
    let texture = "Texture: 60, \"Texture::t\", \"\" {\nFileName: \"a.png\"\nProperties70: {\n\
        P: \"Translation\", \"Vector\", \"\", \"A\",0.5,0,0\nP: \"Scaling\", \"Vector\", \"\", \"A\",2,4,1\n\
        P: \"UVSet\", \"KString\", \"\", \"\", \"light\"\n}\n}\n";
    let second = "LayerElementUV: 1 {\nName: \"light\"\nMappingInformationType: \"ByPolygonVertex\"\n\
        ReferenceInformationType: \"IndexToDirect\"\nUV: *2 {\na: 0.25,0.75\n}\n\
        UVIndex: *8 {\na: 0,0,0,0,0,0,0,0\n}\n}\n\t\tLayerElementUV: 0 {";
    let file = read(&changed(&[
        ("\tDeformer: 40,", &format!("{texture}\tDeformer: 40,")),
        ("\tC: \"OO\",40,10", "\tC: \"OP\",60,30, \"DiffuseColor\"\n\tC: \"OO\",40,10"),
        ("LayerElementUV: 0 {", &second.replace("LayerElementUV: 0 {", "LayerElementUV: 2 {")),
    ]))
    .value;
    // The named set comes first here, so it is not a second one.
    let coordinates = |file: &FbxModel| {
        let all = file.model.materials[0].coordinates.clone().unwrap();
        all[TextureRole::Diffuse as usize].unwrap()
    };
    let own = coordinates(&file);
    assert!(!own.is_second && file.model.meshes[0].second_texcoords.is_empty());
    // (u, v) of the file is ((u - 0.5) · 2, v · 4) in the texture; v runs down here.
    for (at, expected) in [((0.5, 1.0), (0.0, 1.0)), ((1.0, 0.0), (1.0, -3.0))] {
        let found = own.point(Vec2::new(at.0, at.1));
        assert!((found - Vec2::new(expected.0, expected.1)).length() < 1e-6, "{found}");
    }
    let plain = texture.replace("0.5,0,0", "0,0,0").replace("2,4,1", "1,1,1");
    let last = format!("{}\t}}\n\tGeometry: 11,", second.replace("\t\tLayerElementUV: 0 {", ""));
    let file = read(&changed(&[
        ("\tDeformer: 40,", &format!("{plain}\tDeformer: 40,")),
        ("\tC: \"OO\",40,10", "\tC: \"OP\",60,30, \"DiffuseColor\"\n\tC: \"OO\",40,10"),
        ("\t}\n\tGeometry: 11,", &last),
    ]))
    .value;
    assert!(coordinates(&file).is_second);
    let mesh = &file.model.meshes[0];
    assert_eq!(mesh.second_texcoords.len(), mesh.vertex_count());
    assert!(mesh.second_texcoords.iter().all(|at| *at == Vec2::new(0.25, 0.25)));
}

/// The strip with these lines among its definitions, properties and objects.
fn with(template: &str, own: &str, objects: &str, connections: &str) -> String {
    let definitions = format!("Definitions: {{\n{template}\n}}\nObjects: {{");
    changed(&[
        ("Objects:  {", &definitions),
        ("\t\t\tP: \"DiffuseColor\", \"Color\", \"\", \"A\",0.8,0.4,0.2\n", own),
        ("\tDeformer: 40,", &format!("{objects}\tDeformer: 40,")),
        ("\tC: \"OO\",40,10", &format!("{connections}\tC: \"OO\",40,10")),
    ])
}

#[test]
fn template_gives_what_an_object_leaves_out_and_nothing_else() {
    let template = |name: &str, kind: &str, line: &str| {
        format!(
            "ObjectType: \"{kind}\" {{\nPropertyTemplate: \"{name}\" {{\nProperties70: {{\n{line}\n}}\n}}\n}}\n"
        )
    };
    let line = "P: \"DiffuseColor\", \"Color\", \"\", \"A\",0.1,0.2,0.3\n\
        P: \"TransparencyFactor\", \"Number\", \"\", \"A\",0.75";
    let of_material = template("FbxSurfacePhong", "Material", line);
    let color = |own: &str| {
        let file = read(&with(&of_material, own, "", "")).value;
        let found = &file.model.materials[0];
        (found.color.r, found.opacity)
    };
    assert_eq!(color(""), (0.1, 0.25));
    // An older name of the same value belongs to the material itself.
    assert_eq!(color("P: \"Diffuse\", \"Vector3D\", \"Vector\", \"\",0.5,0,0\n"), (0.5, 0.25));
    assert_eq!(color("P: \"TransparencyFactor\", \"Number\", \"\", \"A\",0\n"), (0.1, 1.0));
    let light = "\tNodeAttribute: 60, \"NodeAttribute::\", \"Light\" {\n}\n\tModel: 61, \"Model::lamp\", \"Light\" {\n}\n";
    let hung = "\tC: \"OO\",60,61\n\tC: \"OO\",61,0\n";
    let red = "P: \"Color\", \"Color\", \"\", \"A\",1,0,0";
    for (name, expected) in [("FbxLight", [1.0, 0.0, 0.0]), ("FbxCamera", [1.0; 3])] {
        let file = read(&with(&template(name, "NodeAttribute", red), "", light, hung)).value;
        assert_eq!(file.model.parts.lights[0].color, expected, "{name}");
    }
}

#[test]
fn opacity_is_that_of_factor_then_opacity_then_color() {
    for (properties, expected) in [
        (&[("TransparencyFactor", "0.6")][..], 0.4),
        (&[("TransparencyFactor", "0.6"), ("TransparentColor", "0,0,0")], 0.4),
        (&[("TransparencyFactor", "0.6"), ("Opacity", "0.2")], 0.4),
        (&[("TransparencyFactor", "1"), ("TransparentColor", "1,1,1")], 1.0),
        (&[("TransparencyFactor", "1"), ("TransparentColor", "0.25,0.25,0.25")], 0.75),
        (&[("TransparencyFactor", "0"), ("TransparentColor", "1,1,1"), ("Opacity", "0.5")], 0.5),
        (&[("TransparencyFactor", "1")], 1.0),
        (&[("Opacity", "0")], 1.0),
        (&[("TransparentColor", "0.25,0.25,0.25")], 0.75),
    ] {
        let found = material(properties, &[]).opacity;
        assert!((found - expected).abs() < 1e-6, "{properties:?}: {found}");
    }
}

#[test]
fn highlights_become_reflections_of_a_rough_surface() {
    let response = |properties: &[(&str, &str)]| material(properties, &[]).response;
    let shiny =
        [("SpecularColor", "0.5,1,1"), ("SpecularFactor", "1.5"), ("ShininessExponent", "1")];
    let found = response(&shiny).unwrap();
    assert_eq!((found.roughness, found.metallic, found.specular), (0.9, 0.0, 1.0));
    assert_eq!((found.specular_color.r, found.specular_color.g), (1.0, 2.0));
    let weak = response(&[("SpecularColor", "1,1,1"), ("SpecularFactor", "0.125")]).unwrap();
    assert_eq!((weak.specular, weak.roughness), (0.5, 0.5));
    let black = response(&[("SpecularColor", "0,0,0"), ("ShininessExponent", "9")]).unwrap();
    assert_eq!((black.specular_color, black.roughness), (LinearRgb::BLACK, 0.7));
    assert!(response(&[("ShadingModel", "\"lambert\""), shiny[0], shiny[2]]).is_none());
}

#[test]
fn bump_is_a_picture_of_heights_unless_its_name_is_that_of_normals() {
    let found = material(&[("BumpFactor", "0.5")], &[("Bump", "stone")]);
    assert_eq!((found.normal, found.heights), (None, Some(("stone.png".to_owned(), 2.0))));
    let found = material(&[], &[("Bump", "stone_normal"), ("NormalMap", "other")]);
    assert_eq!((found.normal.as_deref(), found.heights), (Some("stone_normal.png"), None));
}

#[test]
fn picture_that_one_object_holds_serves_all_that_name_it() {
    let texture = |id: u32, path: &str| {
        format!("\tTexture: {id}, \"Texture::t\", \"\" {{\nRelativeFilename: \"{path}\"\n}}\n")
    };
    let held = "\tVideo: 70, \"Video::v\", \"Clip\" {\nFilename: \"C:/Work/Skin.PNG\"\n\
        RelativeFilename: \"tex/skin.png\"\nContent: , \"iVBO\"\n}\n";
    for (path, is_held) in [
        ("tex\\skin.png", true),
        ("c:\\work\\skin.png", true),
        ("other/SKIN.png", true),
        ("a.png", false),
    ] {
        let objects = format!("{}{held}", texture(60, path));
        let file = read(&with("", "", &objects, "\tC: \"OP\",60,30, \"DiffuseColor\"\n")).value;
        let diffuse = file.model.materials[0].diffuse.clone().unwrap();
        assert_eq!(diffuse == "image 0 (skin.png)", is_held, "{path}: {diffuse}");
    }
    // If two pictures have the same file name, only the path decides.
    let second = held.replace("70", "71").replace("tex/", "b/").replace("Work", "b");
    let objects = format!("{}{held}{second}", texture(60, "other/skin.png"));
    let file = read(&with("", "", &objects, "\tC: \"OP\",60,30, \"DiffuseColor\"\n")).value;
    assert_eq!(file.model.materials[0].diffuse.as_deref(), Some("other/skin.png"));
}

#[test]
fn materials_of_a_geometry_are_those_of_its_models() {
    let text = changed(&[("\tC: \"OO\",30,20", "\tC: \"OO\",30,10")]);
    assert_eq!(read(&text).value.model.meshes[0].material_name, "paint");
}

#[test]
fn set_of_coordinates_is_found_by_its_name_in_each_geometry() {
    let texture = "\tTexture: 60, \"Texture::t\", \"\" {\nFileName: \"a.png\"\nProperties70: {\n\
        P: \"UVSet\", \"KString\", \"\", \"\", \"skin\"\n}\n}\n";
    let set = |number: u32, name: &str, u: f32| {
        format!(
            "LayerElementUV: {number} {{\nName: \"{name}\"\nMappingInformationType: \"AllSame\"\n\
             ReferenceInformationType: \"Direct\"\nUV: *2 {{\na: {u},0\n}}\n}}\n"
        )
    };
    let geometry = format!(
        "\tGeometry: 12, \"Geometry::b\", \"Mesh\" {{\nVertices: *9 {{\na: 0,0,0,1,0,0,0,1,0\n}}\n\
         PolygonVertexIndex: *3 {{\na: 0,1,-3\n}}\n{}{}}}\n\tModel: 61, \"Model::b\", \"Mesh\" {{\n}}\n",
        set(0, "light", 0.25),
        set(1, "skin", 0.75)
    );
    let first = format!("{}\t\tLayerElementUV: 1 {{", set(0, "skin", 0.5));
    let connections = "\tC: \"OP\",60,30, \"DiffuseColor\"\n\tC: \"OO\",12,61\n\tC: \"OO\",61,0\n\tC: \"OO\",30,61\n";
    let text = with("", "", &format!("{texture}{geometry}"), connections);
    let file = read(&text.replacen("\t\tLayerElementUV: 0 {", &first, 1)).value;
    let u = |mesh: usize| file.model.meshes[mesh].texcoords[0].x;
    assert_eq!((u(0), u(1)), (0.5, 0.75));
}
