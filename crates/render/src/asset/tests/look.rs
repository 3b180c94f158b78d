//! Materials that no file states: guesses, cut-outs, surfaces of tools, clay and filters.

use super::*;
use tintype_model::TextureFilter;

/// A `.x` file with a mesh for each material: its name and its texture.
fn x_file(materials: &[(&str, &str)]) -> String {
    let mesh = |(name, texture): &(&str, &str)| {
        format!(
            "Mesh m_{name} {{ 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;; MeshMaterialList {{ 1; 1; 0;;
             Material {name} {{ 0.5;0.5;0.5;1;; 0; 0;0;0;; 0;0;0;; TextureFilename {{ \"{texture}\"; }} }} }} }}\n"
        )
    };
    format!("xof 0303txt 0032\n{}", materials.iter().map(mesh).collect::<String>())
}

/// A picture of one row, 32 bits per pixel, with these alphas.
fn tga_with_alpha(alphas: &[u8]) -> Vec<u8> {
    let width = u8::try_from(alphas.len()).unwrap();
    let mut bytes = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, width, 0, 1, 0, 32, 0x28];
    bytes.extend(alphas.iter().flat_map(|&alpha| [10, 20, 200, alpha]));
    bytes
}

const X: &str = "[[model]]\nfile = \"m/imp.x\"\n";

#[test]
fn missing_texture_is_told_once_whatever_asks_for_it() {
    let text =
        x_file(&[("a", "skin.bmp"), ("b", "SKIN.bmp"), ("c", "hair.bmp"), ("d", "skin.bmp")]);
    let stage = Stage::new(&[("m/imp.x", text.as_bytes())]);
    let warnings = stage.warnings(&stage.load(X).unwrap());
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(
        warnings[0].starts_with(
            "m/imp.x: no texture \"skin.bmp\" for shaders \"a\", \"b\", \"d\"; drawn plain"
        ),
        "{}",
        warnings[0]
    );
    assert!(warnings[1].starts_with("m/imp.x: no texture \"hair.bmp\" for shader \"c\"; "));
}

#[test]
fn missing_texture_is_a_checker_without_the_tint_of_its_material() {
    let text = x_file(&[("a", "skin.bmp")]);
    let stage = Stage::new(&[("m/imp.x", text.as_bytes())]);
    let assets = stage.load(&format!("[output]\nlook = \"classic\"\n{X}")).unwrap();
    assert_eq!(assets.materials[0].color, LinearRgb::WHITE);
    assert_eq!(assets.materials[0].diffuse, Some(0));
}

#[test]
fn advice_of_a_warning_works_when_it_is_typed() {
    let md5 = mesh(&["models/imp/skin"]).replace("models/imp/skin", r"c:\art\imp's é");
    let x = x_file(&[("hull", "skin.bmp")]);
    for (name, text) in [("m/imp.x", x.as_str()), ("m/imp.md5mesh", md5.as_str())] {
        let stage = Stage::new(&[
            (name, text.as_bytes()),
            ("m/paint.tga", &tga([1, 2, 3])),
            ("m/other.tga", &tga([1, 2, 3])),
        ]);
        let scene = format!("[[model]]\nfile = \"{name}\"\n");
        let assets = stage.load(&scene).unwrap();
        let help = assets.warnings[0].help.clone().expect("advice");
        let key = help
            .strip_prefix("add a [[material]] with ")
            .and_then(|rest| rest.strip_suffix(" to set it"));
        let key = key.unwrap_or_else(|| panic!("{help}"));
        let typed = format!("{scene}[[material]]\n{key}\ndiffuse = \"m/paint.tga\"\n");
        let assets = stage.load(&typed).unwrap();
        assert_eq!(stage.warnings(&assets), Vec::<String>::new(), "{typed}");
        assert_eq!(assets.models[0].mesh_materials, [0]);
    }
}

#[test]
fn guesses_are_noted_and_are_of_one_model() {
    let imp = mesh(&["default"]);
    let stage = Stage::new(&[
        ("m/imp.md5mesh", imp.as_bytes()),
        ("m/fox.md5mesh", imp.as_bytes()),
        ("m/imp_Albedo.tga", &tga([1, 2, 3])),
        ("m/imp_n.tga", &tga([128, 128, 255])),
        ("m/fox.tga", &tga([3, 2, 1])),
    ]);
    let both = format!("{ONE}[[model]]\nfile = \"m/fox.md5mesh\"\n");
    let assets = stage.load(&both).unwrap();
    assert_eq!(stage.warnings(&assets), Vec::<String>::new());
    let file = |index: usize| {
        let path = assets.material_reports[index].diffuse.as_ref().unwrap();
        path.file_name().unwrap().to_string_lossy().into_owned()
    };
    assert_eq!((file(0), file(1)), ("imp_Albedo.tga".to_owned(), "fox.tga".to_owned()));
    let report = &assets.material_reports[0];
    assert_eq!(report.origin, MaterialOrigin::Guessed);
    assert_eq!(
        report.notes,
        ["no texture \"default\"; drawn with imp_Albedo.tga, named like the model"]
    );
    assert!(report.normal.is_some(), "the map beside it");
    // For a model with two missing textures neither is guessed, unless there is one picture for
    // both.
    let two = mesh(&["default", "hair"]);
    let skin = tga([1, 2, 3]);
    let files = [("m/imp.md5mesh", two.as_bytes()), ("m/imp.tga", &skin), ("m/wall.tga", &skin)];
    assert_eq!(Stage::new(&files).load(ONE).unwrap().warnings.len(), 2);
    assert_eq!(Stage::new(&files[..2]).load(ONE).unwrap().warnings.len(), 0);
}

#[test]
fn skin_files_give_textures_by_mesh() {
    let imp = mesh(&["default", "default", "default"]);
    let mut parts = imp.split("mesh {\n").map(str::to_owned).collect::<Vec<_>>();
    for (part, name) in parts[1..].iter_mut().zip(["torso", "legs", "flash"]) {
        *part = format!("// meshes: {name}\n{part}");
    }
    let imp = parts.join("mesh {\n");
    let stage = Stage::new(&[
        ("m/imp.md5mesh", imp.as_bytes()),
        ("m/imp_default.skin", b"tag_head,\ntorso,models/red.tga\nLEGS,models/blue.tga\nflash,textures/common/nodraw\n"),
        ("m/red.tga", &tga([255, 0, 0])),
        ("m/blue.tga", &tga([0, 0, 255])),
    ]);
    let assets = stage.load(ONE).unwrap();
    assert_eq!(stage.warnings(&assets), Vec::<String>::new());
    let of = |index: usize| &assets.material_reports[assets.models[0].mesh_materials[index]];
    assert!(of(0).diffuse.as_ref().unwrap().ends_with("red.tga"));
    assert!(of(1).diffuse.as_ref().unwrap().ends_with("blue.tga"));
    assert_eq!(of(2).origin, MaterialOrigin::Helper);
    assert_eq!(of(0).notes, ["\"models/red.tga\", from mesh \"torso\" in imp_default.skin"]);
    assert!(assets.digest_text().contains("imp_default.skin"), "its bytes decide the picture");
}

#[test]
fn surfaces_of_tools_are_not_drawn_unless_the_scene_says_so() {
    let imp = mesh(&["textures/common/caulk", "models/imp/imp_shadow", "models/shadow"]);
    let stage = Stage::new(&[
        ("m/imp.md5mesh", imp.as_bytes()),
        ("m/caulk.tga", &tga([255, 0, 255])),
        ("m/shadow.tga", &tga([9, 9, 9])),
    ]);
    let assets = stage.load(ONE).unwrap();
    let of = |index: usize| &assets.materials[assets.models[0].mesh_materials[index]];
    assert_eq!(
        [of(0).opacity, of(1).opacity, of(2).opacity],
        [0.0, 0.0, 1.0],
        "the last has a texture"
    );
    let warnings = stage.warnings(&assets);
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert_eq!(
        warnings[1],
        "m/imp.md5mesh: shader \"models/imp/imp_shadow\" is not drawn: its name marks a shadow caster; \
         to draw it, add a [[material]] with name = \"models/imp/imp_shadow\""
    );
    let scene = format!("{ONE}[[material]]\nname = \"textures/common/caulk\"\n");
    let assets = stage.load(&scene).unwrap();
    assert_eq!(assets.materials[assets.models[0].mesh_materials[0]].opacity, 1.0);
}

#[test]
fn alpha_that_is_a_cutout_makes_a_mask_unless_the_scene_says_otherwise() {
    let leaf = tga_with_alpha(&[0, 0, 0, 255, 255, 255, 255, 255]);
    let glass = tga_with_alpha(&[100, 120, 140, 160]);
    let text = x_file(&[("leaf", "leaf.tga"), ("glass", "glass.tga")]);
    let stage =
        Stage::new(&[("m/imp.x", text.as_bytes()), ("m/leaf.tga", &leaf), ("m/glass.tga", &glass)]);
    let assets = stage.load(X).unwrap();
    assert_eq!(assets.materials[0].alpha, AlphaMode::Mask { cutoff: 0.5 });
    assert!(!assets.textures[assets.materials[0].diffuse.unwrap()].is_opaque);
    assert_eq!(
        assets.material_reports[0].notes,
        [
            "its alpha looks like a cut-out and is drawn as a mask: 38 % transparent, 63 % opaque, 0 % between"
        ]
    );
    assert_eq!(assets.materials[1].alpha, AlphaMode::Opaque);
    assert!(assets.textures[assets.materials[1].diffuse.unwrap()].is_opaque);
    let solid = format!("{X}[[material]]\nname = \"leaf\"\ndiffuse = \"m/leaf.tga\"\n");
    assert_eq!(stage.load(&solid).unwrap().materials[0].alpha, AlphaMode::Opaque);
}

#[test]
fn clay_has_no_textures_but_their_holes() {
    let leaf = tga_with_alpha(&[0, 0, 255, 255]);
    let text = x_file(&[("leaf", "leaf.tga"), ("skin", "skin.tga"), ("gone", "gone.tga")]);
    let stage = Stage::new(&[
        ("m/imp.x", text.as_bytes()),
        ("m/leaf.tga", &leaf),
        ("m/skin.tga", &tga([255, 0, 0])),
    ]);
    let assets = stage.load(&format!("[output]\nshade = \"clay\"\n{X}")).unwrap();
    assert_eq!(stage.warnings(&assets), Vec::<String>::new(), "no texture is missed");
    let [leaf, skin, gone] = &assets.materials[..] else { panic!("three materials") };
    assert_eq!(leaf.alpha, AlphaMode::Mask { cutoff: 0.5 });
    let texel = |x: u32| assets.textures[leaf.diffuse.unwrap()].texel(0, x, 0);
    assert_eq!((texel(0), texel(3)), ([0; 4], [65535; 4]), "white with the holes");
    assert_eq!((skin.diffuse, gone.diffuse), (None, None));
    assert!(leaf.color == skin.color && skin.color == gone.color);
}

#[test]
fn nearest_filter_is_of_one_material() {
    let imp = mesh(&["a", "b"]);
    let stage = Stage::new(&[("m/imp.md5mesh", imp.as_bytes()), ("m/skin.tga", &tga([1, 2, 3]))]);
    let entry = |name: &str, filter: &str| {
        format!("[[material]]\nname = \"{name}\"\ndiffuse = \"m/skin.tga\"\n{filter}\n")
    };
    let scene = format!("{ONE}{}{}", entry("a", "filter = \"nearest\""), entry("b", ""));
    let assets = stage.load(&scene).unwrap();
    let filter = |index: usize| assets.textures[assets.materials[index].diffuse.unwrap()].filter;
    assert_eq!((filter(0), filter(1)), (TextureFilter::Nearest, TextureFilter::Linear));
}

#[test]
fn mesh_without_its_texture_does_not_cover_the_one_below() {
    let imp = mesh(&["skin", "glow", "far"]);
    // The third lies beside the others.
    let (near, far) = imp.rsplit_once("shader \"far\"").unwrap();
    let imp = format!("{near}shader \"far\"{}", far.replace("( 1 0 0 )", "( 9 0 0 )"));
    let stage = Stage::new(&[("imp.md5mesh", imp.as_bytes()), ("skin.tga", &tga([9, 9, 9]))]);
    let assets = stage.load("[[model]]\nfile = \"imp.md5mesh\"\n").unwrap();
    assert_eq!(assets.instances[0].is_drawn, [true, false, true]);
    let told =
        "imp.md5mesh: mesh \"glow\" is not drawn: it overlays \"skin\" and its texture is missing";
    assert!(
        stage.warnings(&assets).iter().any(|one| one.contains(told)),
        "{:?}",
        stage.warnings(&assets)
    );
}
