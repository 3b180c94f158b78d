use super::*;

/// A scene of one model in the layout of a game, with additional text.
const GAME: &str = "[[model]]\nfile = \"base/models/md5/imp/imp.md5mesh\"\n";

/// Files in the layout of a game: a model with a shader, a material file and a picture for each
/// path.
fn game(shaders: &[&str], mtr: &str, pictures: &[&str]) -> Stage {
    let imp = mesh(shaders);
    let stage = Stage::new(&[
        ("base/models/md5/imp/imp.md5mesh", imp.as_bytes()),
        ("base/materials/Imp.MTR", mtr.as_bytes()),
    ]);
    for (n, path) in (0..).zip(pictures) {
        let path = stage.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, tga([n * 10 + 5, 128, 255])).unwrap();
    }
    stage
}

#[test]
fn mtr_of_a_game_is_found_above_the_model() {
    let mtr = "table t { { 0 } }\nmodels/Imp/SKIN {\n twosided\n diffusemap models/md5/imp/body\n \
               bumpmap addnormals(models/md5/imp/bump.tga, heightmap(textures/h.tga, 2))\n \
               { blend specularmap map models/md5/imp/shine.tga rgb 0.5 }\n}\n";
    let pictures = [
        "base/models/md5/imp/body.tga",
        "base/models/md5/imp/bump.tga",
        "base/textures/h.tga",
        "base/models/md5/imp/shine.tga",
    ];
    let stage = game(&["models\\imp\\skin.tga"], mtr, &pictures);
    let assets = stage.load(GAME).unwrap();
    assert_eq!(stage.warnings(&assets), Vec::<String>::new());
    let material = &assets.materials[0];
    let slots = (material.diffuse, material.normal, material.specular);
    assert_eq!(slots, (Some(0), Some(1), Some(2)));
    assert_eq!((material.cull, material.alpha), (tintype_model::CullMode::None, AlphaMode::Opaque));
    assert_eq!(material.name, "models\\imp\\skin.tga");
    // Half of the codes: 128 becomes 64.
    let shine = assets.textures[2].texel(0, 0, 0);
    assert_eq!(shine[1], (LinearRgb::from_codes([64; 3]).r * 65535.0 + 0.5) as u16);
    let report = &assets.material_reports[0];
    assert_eq!(report.origin, MaterialOrigin::Mtr);
    let used = report.mtr.as_ref().unwrap();
    assert_eq!(stage.plain(&used.path.display().to_string()), "base/materials/Imp.MTR");
    assert_eq!(used.line, 2);
    assert_eq!(used.programs[0].0, "normal");
    let names: Vec<&str> = assets.files.iter().map(|file| file.name.as_str()).collect();
    let shader = "models\\imp\\skin.tga";
    assert_eq!(
        names,
        [
            "base/models/md5/imp/imp.md5mesh",
            "materials/Imp.MTR",
            &format!("{shader} diffuse"),
            &format!("{shader} normal"),
            &format!("{shader} normal 2"),
            &format!("{shader} specular"),
        ]
    );
}

#[test]
fn mtr_comes_behind_the_scene_and_before_pictures_of_the_name() {
    let pictures = ["base/models/md5/imp/skin.tga", "base/other.tga"];
    let stage = game(&["skin"], "skin { diffusemap other }", &pictures);
    let texel = |assets: &Assets| {
        let texture = assets.materials[assets.models[0].mesh_materials[0]].diffuse.unwrap();
        assets.textures[texture].texel(0, 0, 0)[0]
    };
    let red = |code: u8| (LinearRgb::from_codes([code; 3]).r * 65535.0 + 0.5) as u16;
    assert_eq!(texel(&stage.load(GAME).unwrap()), red(15), "the material's");
    let own = "[[material]]\nname = \"skin\"\ndiffuse = \"base/models/md5/imp/skin.tga\"\n";
    assert_eq!(texel(&stage.load(&format!("{GAME}{own}")).unwrap()), red(5), "the scene's");
    // A file that the scene names comes before one that was found, and replaces it without a word.
    fs::write(stage.folder.path().join("mine.mtr"), "SKIN { diffusemap base/models/md5/imp/skin }")
        .unwrap();
    let named = stage.load(&format!("{GAME}[textures]\nmtr = [\"mine.mtr\"]\n")).unwrap();
    assert_eq!((texel(&named), stage.warnings(&named)), (red(5), vec![]));
    assert_eq!(named.files[1].name, "mine.mtr");
}

#[test]
fn mtr_entries_are_files_folders_and_patterns() {
    let imp = mesh(&["a", "b", "c"]);
    let stage = Stage::new(&[
        ("m/imp.md5mesh", imp.as_bytes()),
        ("pak/materials/z.mtr", b"a { diffusemap a }\nb { diffusemap b }"),
        ("lib/one_a.mtr", b"a { }\n"),
        ("lib/one_b.MTR", b"c { diffusemap c }"),
        ("lib/two.txt", b"{{{"),
        ("a.tga", &tga([1; 3])),
        ("b.tga", &tga([2; 3])),
        ("c.tga", &tga([3; 3])),
    ]);
    let with = |entries: &str| format!("{ONE}[textures]\nmtr = [{entries}]\n");
    let assets = stage.load(&with("'lib\\one_*.mtr', \"pak\"")).unwrap();
    let origins: Vec<MaterialOrigin> =
        assets.material_reports.iter().map(|report| report.origin).collect();
    use MaterialOrigin::{Mtr, MtrUndrawn};
    assert_eq!(origins, [MtrUndrawn, Mtr, Mtr]);
    assert_eq!((assets.materials[0].opacity, assets.materials[0].alpha), (0.0, AlphaMode::Blend));
    assert_eq!(
        stage.warnings(&assets),
        ["pak/materials/z.mtr:1: material \"a\" is also in lib/one_a.mtr:1, which is used"]
    );
    let names: Vec<&str> = assets.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(
        names[1..4],
        ["lib/one_a.mtr", "pak/materials/z.mtr", "lib/one_b.MTR"],
        "in the order of the shaders"
    );
    for (entries, message) in [
        (
            "\"lib/three*\"",
            "lib: no .mtr file here, but textures.mtr[0] names the pattern \"three*\"",
        ),
        ("\"lib\", \"m\"", "m: no .mtr file here, but textures.mtr[1] names the folder"),
        (
            "\"lib/one_c.mtr\"",
            "lib/one_c.mtr: no such file, but textures.mtr[0] names it; did you mean \"one_a.mtr\"?",
        ),
        (
            "\"lib/two.txt\"",
            "lib/two.txt: refused as textures.mtr[0]: line 1, column 1: found \"{\"; expected a material: its name and \
             a block in braces",
        ),
    ] {
        assert_eq!(stage.failure(&with(entries)), message);
    }
}

#[test]
fn mtr_with_a_broken_material_costs_that_material() {
    let mtr = "skin { { blend } }\nother {";
    let stage = game(&["skin"], mtr, &["base/models/md5/imp/skin.tga"]);
    let assets = stage.load(GAME).unwrap();
    assert_eq!(assets.material_reports[0].origin, MaterialOrigin::Found);
    let left_out = "base/materials/Imp.MTR: material \"skin\" is skipped: line 1, column 16: found \"}\"; expected \
                    diffusemap, bumpmap, specularmap, add, blend, filter, modulate, none, or two factors such as \
                    gl_one, gl_zero";
    assert_eq!(stage.warnings(&assets), [left_out]);
    fs::write(stage.folder.path().join("base/materials/Imp.MTR"), "skin { { blend } }\nother { }")
        .unwrap();
    let assets = stage.load(GAME).unwrap();
    assert_eq!(assets.material_reports[0].origin, MaterialOrigin::Found);
    let warnings = stage.warnings(&assets);
    let start = "base/materials/Imp.MTR: material \"skin\" is skipped: line 1, column 16: found \"}\"; expected";
    assert!(warnings[0].starts_with(start) && warnings.len() == 1, "{warnings:?}");
    let assets = stage.load(&format!("{GAME}[textures]\nmtr = [\"base\"]\n")).unwrap();
    let warnings = stage.warnings(&assets);
    assert!(warnings[0].starts_with(start) && warnings.len() == 1, "{warnings:?}");
}

#[test]
fn mtr_tells_what_it_cannot_do_for_materials_that_are_used() {
    let mtr = "unused { blurr 3\n { map gone } }\nskin {\n  blurr 3\n diffusemap skin\n bumpmap addnormals(_flat, gone)\n\
               { blend gl_dst_color, gl_one map glow }\n { if parm7 map burnt } }\nhair { blurr 4\n { blend diffusemap map skin clamp } }";
    let stage = game(&["skin", "hair", "skin"], mtr, &["base/skin.tga"]);
    let assets = stage.load(GAME).unwrap();
    let all = stage.warnings(&assets);
    let warnings: Vec<&str> = all.iter().map(String::as_str).collect();
    let [keyword, glow, gone] = warnings[..] else { panic!("{warnings:?}") };
    assert_eq!(
        keyword,
        "base/materials/Imp.MTR:4: column 3: unknown keyword \"blurr\" of a material: skipped with the rest of its line"
    );
    assert!(
        glow.starts_with("base/materials/Imp.MTR:7: column 1: stage skipped: it blends glow by ")
    );
    let start = "base/materials/Imp.MTR:6: no picture \"gone\" for material \"skin\"; drawn without it; looked in base, ";
    assert!(gone.starts_with(start), "{gone}");
    assert_eq!(assets.textures[assets.materials[0].normal.unwrap()].texel(0, 0, 0)[2], 65535);
    let report = assets.material_reports[0].mtr.as_ref().unwrap();
    assert_eq!(report.notes.last().unwrap().0, 8, "{report:?}");
    // The mesh lies within its picture, so its edges are invisible; those of another are visible.
    let wide = mesh(&["hair"]).replace("vert 1 ( 1 0 )", "vert 1 ( 2 0 )");
    fs::write(stage.folder.path().join("base/models/md5/imp/imp.md5mesh"), wide).unwrap();
    let warnings = stage.warnings(&stage.load(GAME).unwrap());
    assert!(
        warnings.iter().any(|warning| warning.contains("should clamp at its edges")),
        "{warnings:?}"
    );
}

#[test]
fn mtr_without_a_picture_falls_back_to_the_name_then_the_editor_then_a_checker() {
    let mtr = "skin { diffusemap gone qer_editorimage editor }\nhair { { cubemap env } qer_editorimage editor }\n\
               eye { diffusemap gone }\nchrome { specularmap editor }\n";
    let stage = game(
        &["skin", "hair", "eye", "chrome"],
        mtr,
        &["base/editor.tga", "base/models/md5/imp/skin.tga"],
    );
    let assets = stage.load(&format!("[output]\nlook = \"classic\"\n{GAME}")).unwrap();
    let origins: Vec<MaterialOrigin> =
        assets.material_reports.iter().map(|report| report.origin).collect();
    use MaterialOrigin::{Mtr, MtrMissing};
    assert_eq!(origins, [Mtr, Mtr, MtrMissing, Mtr]);
    let diffuse = |index: usize| {
        let path = assets.material_reports[index].diffuse.as_ref();
        path.map(|path| stage.plain(&path.display().to_string()))
    };
    assert_eq!(diffuse(0).as_deref(), Some("base/models/md5/imp/skin.tga"));
    assert_eq!(diffuse(1).as_deref(), Some("base/editor.tga"));
    let checker = assets.materials[2].diffuse.unwrap();
    let [red, green, blue, alpha] = assets.textures[checker].texel(0, 0, 0);
    assert!([red, blue, alpha] == [65535; 3] && green < 5000, "magenta");
    assert_eq!((assets.materials[3].color, assets.materials[3].diffuse), (LinearRgb::BLACK, None));
    let warnings = stage.warnings(&assets);
    for part in [
        "material \"skin\" has no diffuse texture; drawn with ",
        "material \"hair\" has no diffuse texture; drawn with its qer_editorimage editor",
        "shows a cube map",
        "no texture for shader \"eye\"; drawn as a magenta checker",
        "material \"chrome\" has no diffuse map: black",
    ] {
        assert_eq!(
            warnings.iter().filter(|warning| warning.contains(part)).count(),
            1,
            "{part}: {warnings:?}"
        );
    }
}

#[test]
fn mtr_stages_without_light_are_light_of_their_own() {
    let mtr = "eyes { diffusemap d { blend add map g } }\nflame { { blend add map g } }\n\
               pane { { blend filter map g } }\nveil { { blend blend map g alpha 0.5 } }\n\
               ghost { { blend add map gone } }\nbroken { { blend add map torn } }\n";
    let shaders = ["eyes", "flame", "pane", "veil", "ghost", "broken"];
    let stage = game(&shaders, mtr, &["base/d.tga", "base/g.tga"]);
    fs::write(stage.folder.path().join("base/torn.tga"), [0; 9]).unwrap();
    let assets = stage.load(&format!("[output]\nlook = \"classic\"\n{GAME}")).unwrap();
    let of = |shader: &str| {
        let index = shaders.iter().position(|known| *known == shader).unwrap();
        let material = &assets.materials[assets.models[0].mesh_materials[index]];
        const CLASSIC: [TextureRole; 4] = [
            TextureRole::Diffuse,
            TextureRole::Normal,
            TextureRole::Specular,
            TextureRole::Emissive,
        ];
        let role = |role| material.texture(role).is_some();
        (CLASSIC.map(role), material.alpha, material)
    };
    let (roles, alpha, eyes) = of("eyes");
    assert_eq!((roles, alpha), ([true, false, false, true], AlphaMode::Opaque));
    assert_eq!((eyes.color, eyes.emissive), (LinearRgb::WHITE, LinearRgb::WHITE));
    assert!(!eyes.is_unlit(), "its own light lies over that of the scene");
    let dark = |shader: &str, expected: AlphaMode, has_alpha: bool| {
        let (roles, alpha, material) = of(shader);
        assert_eq!((roles, alpha), ([has_alpha, false, false, true], expected), "{shader}");
        assert_eq!((material.color, material.specular_strength), (LinearRgb::BLACK, 0.0));
        assert!(material.is_unlit(), "{shader}");
    };
    dark("flame", AlphaMode::Add, false);
    dark("pane", AlphaMode::Multiply, false);
    dark("veil", AlphaMode::Blend, true);
    assert_eq!(of("veil").2.opacity, 0.5);
    // If the light is missing or torn, the checker is visible.
    for shader in ["ghost", "broken"] {
        let (roles, alpha, material) = of(shader);
        assert_eq!((roles, alpha), ([true, false, false, false], AlphaMode::Opaque), "{shader}");
        assert_eq!((material.color, material.opacity), (LinearRgb::WHITE, 1.0), "{shader}");
    }
    let warnings = stage.warnings(&assets);
    for part in ["no texture for shader \"ghost\"", "base/torn.tga: found by its name but skipped"]
    {
        assert!(warnings.iter().any(|warning| warning.contains(part)), "{part}: {warnings:?}");
    }
}

#[test]
fn scene_material_may_have_light_of_its_own() {
    let imp = mesh(&["a", "b", "c"]);
    let stage = Stage::new(&[("m/imp.md5mesh", imp.as_bytes()), ("t/g.tga", &tga([255, 0, 0]))]);
    let glow = "glow = \"t/g.tga\"";
    let assets = stage
        .load(&format!(
            "{ONE}[[material]]\nname = \"a\"\n{glow}\nalpha = \"add\"\n\
             [[material]]\nname = \"b\"\n{glow}\nemissive = \"#000000\"\nalpha = \"multiply\"\n\
             [[material]]\nname = \"c\"\n"
        ))
        .unwrap();
    let all: Vec<_> =
        assets.materials.iter().map(|one| (one.emissive_map, one.emissive, one.alpha)).collect();
    let (white, black) = (LinearRgb::WHITE, LinearRgb::BLACK);
    let expected = [
        (Some(0), white, AlphaMode::Add),
        (Some(0), black, AlphaMode::Multiply),
        (None, black, AlphaMode::Opaque),
    ];
    assert_eq!(all, expected);
    assert_eq!(assets.material_reports[0].emissive_map, Some(stage.folder.path().join("t/g.tga")));
}

#[test]
fn mtr_paths_mean_one_picture_each_and_the_tree_of_ready_ones() {
    // `skin_d` is not what `bumpmap skin` asks for.
    let mtr = "imp { diffusemap models/md5/imp/body.tga bumpmap skin }";
    let stage = game(&["imp"], mtr, &["base/dds/models/md5/imp/body.tga", "base/skin_d.tga"]);
    let assets = stage.load(GAME).unwrap();
    let diffuse = assets.material_reports[0].diffuse.as_ref().unwrap().display().to_string();
    assert_eq!(stage.plain(&diffuse), "base/dds/models/md5/imp/body.tga");
    assert_eq!(assets.materials[0].normal, None);
    assert!(stage.warnings(&assets)[0].contains("no picture \"skin\" for material \"imp\""));
}

#[test]
fn mtr_that_leads_nowhere_is_a_warning() {
    let stage = game(&["models/imp/skin"], "other { }", &["base/pelt.tga"]);
    let mine = stage.folder.path().join("mine.mtr");
    fs::write(mine, "models/imp/skni { }\nx { }").unwrap();
    let named = stage.load(&format!("{GAME}[textures]\nmtr = [\"mine.mtr\"]\n")).unwrap();
    let warnings = stage.warnings(&named);
    let hint = "; did you mean the material \"models/imp/skni\" of a .mtr file?";
    assert!(warnings.iter().any(|warning| warning.ends_with(hint)), "{warnings:?}");
    let unused = "textures.mtr[0]: no mesh uses any of its materials";
    assert!(warnings.iter().any(|warning| warning == unused), "{warnings:?}");
}

#[test]
fn mtr_that_draws_nothing_at_all_is_told() {
    let mtr = "hull { forceshadows }\nskin { diffusemap skin }";
    let told = |shaders: &[&str]| {
        let stage = game(shaders, mtr, &["base/skin.tga"]);
        let assets = stage.load(GAME).unwrap();
        stage.warnings(&assets)
    };
    assert_eq!(told(&["skin", "hull"]), Vec::<String>::new());
    let nothing = "base/models/md5/imp/imp.md5mesh: nothing is drawn: all stages of its meshes' materials are off";
    assert_eq!(told(&["hull", "!skin"]), [nothing]);
}

#[test]
fn mtr_that_nobody_asks_for_changes_nothing() {
    let files = |mtr: &[u8]| {
        let stage =
            game(&["skin"], "other { diffusemap gone blurr }", &["base/models/md5/imp/skin.tga"]);
        fs::write(stage.folder.path().join("base/materials/Imp.MTR"), mtr).unwrap();
        let assets = stage.load(GAME).unwrap();
        assert_eq!(stage.warnings(&assets), Vec::<String>::new());
        assets.digest_text()
    };
    assert_eq!(files(b"other { diffusemap gone blurr }"), files(b""));
}

#[test]
fn mtr_of_files_in_memory_is_that_of_the_disk() {
    let imp = mesh(&["skin"]);
    let files = [
        ("imp.md5mesh", imp.as_bytes()),
        ("materials/imp.mtr", b"skin { twosided\n diffusemap other }".as_slice()),
        ("other.tga", &tga([5, 128, 255])),
    ];
    let stage = Stage::new(&files);
    let in_memory =
        files.into_iter().fold(tintype_formats::MemoryFiles::new(), |memory, (name, bytes)| {
            memory.with(name, bytes)
        });
    let scene = tintype_scene::parse_scene("[[model]]\nfile = \"imp.md5mesh\"\n", "scene").unwrap();
    let options = LoadOptions::default().with_files(in_memory);
    let memory = load(&scene, Path::new(""), &options).unwrap();
    let disk = stage.load("[[model]]\nfile = \"imp.md5mesh\"\n").unwrap();
    for assets in [&memory, &disk] {
        assert_eq!(assets.material_reports[0].origin, MaterialOrigin::Mtr);
        assert_eq!(assets.materials[0].cull, tintype_model::CullMode::None);
    }
}
