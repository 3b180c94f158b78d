use super::*;

const OBJ: &str =
    "mtllib lib/a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl skin\nf 1/1 2/1 3/1\n";
const MTL: &str = "newmtl skin\nmap_Kd ..\\tex\\Red.tga\nKs 0 0 0\n";

#[test]
fn obj_file_brings_its_materials_from_beside_it() {
    let stage = Stage::new(&[
        ("m/box.obj", OBJ.as_bytes()),
        ("m/lib/a.mtl", MTL.as_bytes()),
        ("m/red.tga", &tga([255, 0, 0])),
    ]);
    let assets = stage.load("[[model]]\nfile = \"m/box.obj\"\n").unwrap();
    assert_eq!((assets.materials[0].name.as_str(), assets.materials[0].diffuse), ("skin", Some(0)));
    assert_eq!(assets.material_reports[0].origin, MaterialOrigin::File);
    assert_eq!(stage.warnings(&assets), Vec::<String>::new());
    let names: Vec<&str> = assets.files.iter().map(|file| file.name.as_str()).collect();
    assert!(names.iter().any(|name| name.ends_with("box.obj lib/a.mtl")), "{names:?}");
}

#[test]
fn obj_file_without_its_materials_is_drawn_plain_with_a_warning() {
    let stage = Stage::new(&[("m/box.obj", OBJ.as_bytes())]);
    let assets = stage.load("[[model]]\nfile = \"m/box.obj\"\n").unwrap();
    let warnings = stage.warnings(&assets);
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[0].contains("material file \"lib/a.mtl\""), "{warnings:?}");
    assert!(warnings[1].contains("no material file has \"skin\"; it is drawn plain"));
}

#[test]
fn damaged_simple_models_are_refused_with_their_place() {
    let stage = Stage::new(&[
        ("m/box.obj", b"v 0 0 0\nf 1 1 1\nv \x01\x02\n"),
        ("m/guard.iqm", b"INTERQUAKEMODEL\0\x02\0\0\0"),
    ]);
    let failure = |file: &str| stage.failure(&format!("[[model]]\nfile = \"m/{file}\"\n"));
    assert_eq!(
        failure("box.obj"),
        "m/box.obj: refused as model[0].file: line 1: the file: found binary data starting with \"v 0 0 0\\n\"; expected an OBJ file"
    );
    assert_eq!(
        failure("guard.iqm"),
        "m/guard.iqm: refused as model[0].file: byte 20: the header: found 20 bytes; expected 124 bytes"
    );
}

#[test]
fn textures_and_material_files_above_the_model_and_in_another_case_are_found() {
    let obj = OBJ.replace("lib/a.mtl", "..\\LIB\\A.MTL");
    let stage = Stage::new(&[
        ("top/m/box.obj", obj.as_bytes()),
        ("top/lib/a.mtl", MTL.as_bytes()),
        ("top/tex/red.tga", &tga([255, 0, 0])),
    ]);
    let assets = stage.load("[[model]]\nfile = \"top/m/box.obj\"\n").unwrap();
    assert_eq!(stage.warnings(&assets), Vec::<String>::new());
    assert_eq!(assets.materials[0].diffuse, Some(0));
}

#[test]
fn missing_material_file_is_no_spelling_of_a_model() {
    let obj = OBJ.replace("lib/a.mtl", "pirate.mtl");
    let files = [("m/pirate.glb", &b""[..]), ("m/box.obj", obj.as_bytes())];
    let warnings = |stage: &Stage| {
        let assets = stage.load("[[model]]\nfile = \"m/box.obj\"\n").unwrap();
        stage.warnings(&assets).join("\n")
    };
    let stage = Stage::new(&files);
    assert!(!warnings(&stage).contains("did you mean"), "{}", warnings(&stage));
    let stage = Stage::new(&[&files[..], &[("m/pirates.mtl", &b""[..])]].concat());
    assert!(warnings(&stage).contains("pirates.mtl"), "{}", warnings(&stage));
}

#[test]
fn texture_of_roughness_and_metal_is_made_of_a_picture_of_each() {
    let mtl = "newmtl skin\nPr 1\nPm 1\nmap_Pr rough.tga\nmap_Pm metal.tga\n";
    let grey = |code: u8| tga([code; 3]);
    let files: [(&str, &[u8]); 4] = [
        ("m/box.obj", OBJ.as_bytes()),
        ("m/lib/a.mtl", mtl.as_bytes()),
        ("m/lib/rough.tga", &grey(51)),
        ("m/lib/metal.tga", &grey(204)),
    ];
    let scene = "[[model]]\nfile = \"m/box.obj\"\n";
    let texel = |stage: &Stage| {
        let assets = stage.load(scene).unwrap();
        let texture = assets.materials[0].metallic_roughness.map(|index| &assets.textures[index]);
        (texture.map(|texture| texture.texel(0, 0, 0)), stage.warnings(&assets), assets)
    };
    let code = |code: u16| code * 257;
    let (found, warnings, assets) = texel(&Stage::new(&files));
    assert_eq!(found.unwrap()[1..3], [code(51), code(204)]);
    assert_eq!(warnings, Vec::<String>::new());
    for name in ["rough.tga", "metal.tga"] {
        assert!(assets.files.iter().any(|file| file.path.ends_with(name)), "{name}");
    }
    // Without one of them the other one counts, and a warning is reported.
    let (found, warnings, _) = texel(&Stage::new(&files[..3]));
    assert_eq!(found.unwrap()[1..3], [code(51), code(255)]);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("no texture \"lib/metal.tga\" for material \"skin\""));
    let (found, warnings, _) = texel(&Stage::new(&files[..2]));
    assert_eq!((found, warnings.len()), (None, 2), "{warnings:?}");
}

#[test]
fn picture_of_opacity_becomes_the_alpha_of_the_surface() {
    let mtl = |color: &str| format!("newmtl skin\n{color}map_d mask.tga\n");
    let texel = |color: &str| {
        let stage = Stage::new(&[
            ("m/box.obj", OBJ.as_bytes()),
            ("m/lib/a.mtl", mtl(color).as_bytes()),
            ("m/lib/red.tga", &tga([255, 0, 0])),
            ("m/lib/mask.tga", &tga([102; 3])),
        ]);
        let assets = stage.load("[[model]]\nfile = \"m/box.obj\"\n").unwrap();
        assert_eq!(stage.warnings(&assets), Vec::<String>::new());
        assert_eq!(assets.materials[0].alpha, AlphaMode::Blend);
        let texel = assets.textures[assets.materials[0].diffuse.unwrap()].texel(0, 0, 0);
        // Colours are linear light times alpha.
        texel.map(|part| (f32::from(part) / 65535.0 * 255.0).round())
    };
    assert_eq!(texel("map_Kd red.tga\n"), [102.0, 0.0, 0.0, 102.0]);
    assert_eq!(texel(""), [102.0; 4]);
}
