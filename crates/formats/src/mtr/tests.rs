use super::*;
use crate::Limits;
use tintype_model::FileRepair;
use tintype_model::{CullMode, LinearRgb, StageMotion};

fn file(text: &str) -> MtrFile {
    parse_materials(text.as_bytes(), &LoadOptions::default()).unwrap().value
}

fn look(body: &str) -> MtrLook {
    let found = file(&format!("a {{\n{body}\n}}"));
    assert_eq!(found.materials.len(), 1);
    found.look(&found.materials[0]).unwrap_or_else(|error| panic!("{error}"))
}

fn image(layer: Option<&MtrLayer>) -> Option<String> {
    layer.map(|layer| layer.image.to_string())
}

fn images(look: &MtrLook) -> [Option<String>; 3] {
    [&look.diffuse, &look.normal, &look.specular].map(|layer| image(layer.as_ref()))
}

fn some(path: &str) -> Option<String> {
    Some(path.to_owned())
}

/// Notes as `!` for a warning and the message.
fn notes(look: &MtrLook) -> Vec<String> {
    let told = |note: &Note| {
        format!(
            "{}{}: {}",
            if note.is_warning { "!" } else { "" },
            note.position.line,
            note.message
        )
    };
    look.notes.iter().map(told).collect()
}

#[test]
fn declarations_of_other_kinds_are_passed_over() {
    let text = "table t { { 0, 1 } }\nskin \"s\" { model x }\nmaterial \"a b\" { }\n\
                models\\C-1/d{twosided}// e {\nsound f { g { } }\nskin { }\n";
    let loaded = parse_materials(text.as_bytes(), &LoadOptions::default()).unwrap();
    let names: Vec<(&str, u32, u32)> = (loaded.value.materials.iter())
        .map(|found| (found.name.as_str(), found.position.line, found.position.column))
        .collect();
    // A block without a kind is a material, whatever its name.
    assert_eq!(names, [("a b", 3, 10), ("models\\C-1/d", 4, 1), ("skin", 6, 1)]);
    assert_eq!(loaded.warnings, []);
}

#[test]
fn strange_declarations_are_told() {
    let text = "guide m/wall wall( a b )\nmegaTexture x { y }\n}\nb { }";
    let loaded = parse_materials(text.as_bytes(), &LoadOptions::default()).unwrap();
    assert_eq!(loaded.value.materials.len(), 1);
    let told: Vec<_> = loaded.warnings.iter().map(|w| (w.line, w.message.as_str())).collect();
    let guide = "material \"m/wall\" is skipped: guides are not supported";
    let kind = "a declaration of unknown kind \"megatexture\" is skipped";
    assert_eq!(told, [(1, guide), (2, kind), (3, "a closing brace without an opening one")]);
}

#[test]
fn stages_and_shortcuts_give_the_same_pictures() {
    let long = look(
        "{ blend DiffuseMap\nmap b_d.tga }\n{ Blend bumpmap map addnormals(b_local, heightmap(b_h, 2)) }\n\
         { map b_s blend specularMap }",
    );
    let short =
        look("diffusemap b_d.tga bumpmap addnormals(b_local, heightmap(b_h,2)) SPECULARMAP b_s");
    assert_eq!(images(&long), images(&short));
    let bumps = "addnormals(b_local, heightmap(b_h, 2))";
    assert_eq!(images(&long), [some("b_d.tga"), some(bumps), some("b_s")]);
    assert_eq!((long.cover, long.cull, notes(&long).len()), (MtrCover::Opaque, None, 0));
}

#[test]
fn words_without_effect_pass_in_silence() {
    let look = look(
        "noselfshadow unsmoothedtangents\nrenderbump -size 512 512 \"a.tga\" b.lwo\nsort decal\nspectrum 3\n\
         deform turbulent sinTable (time * 0.1) 2 3\npolygonOffset\npolygonOffset 2\ndescription \"a { b\"\n\
         decalInfo 10 5 ( 1 1 1 1 ) ( 0 0 0 0 )\nlightFalloffImage makeintensity(l)\nsurftype15 DECAL_MACRO flesh\n\
         { vertexColor maskalpha nopicmip vertexParm 0 time , 1\nprivatePolygonOffset 1\nblend diffusemap map a }",
    );
    assert_eq!((images(&look)[0].clone(), notes(&look)), (some("a"), vec![]));
}

#[test]
fn unknown_words_are_told_with_their_position() {
    let found = look("  noShadow 3 4\n{ blend diffusemap map a\n blur 2 }\ntwosided");
    assert_eq!(found.cull, Some(CullMode::None));
    let expected = [
        "!2: unknown keyword \"noShadow\" of a material: skipped with the rest of its line",
        "!4: unknown keyword \"blur\" of a stage: skipped with the rest of its line",
    ];
    assert_eq!(notes(&found), expected);
    assert_eq!(found.notes[0].position.to_string(), "line 2, column 3");
}

#[test]
fn condition_decides_which_stage_counts() {
    let found = look(
        "{ if ( parm7 != 0 )\nblend diffusemap map burnt }\n{ if (parm7 == 0) blend diffusemap map whole }\n\
         { if 0 blend bumpmap map never }\n{ blend bumpmap map b }",
    );
    assert_eq!(images(&found), [some("whole"), some("b"), None]);
    let expected = [
        "2: stage is off: its condition depends on parm7, taken as 0",
        "4: stage is on: its condition depends on parm7, taken as 0",
    ];
    assert_eq!(notes(&found), expected);
}

#[test]
fn alpha_is_a_stencil_or_coverage() {
    let cover = |body: &str| look(body).cover;
    assert_eq!(cover("{ blend diffusemap map a alphaTest 0.25 + 0.25 }"), MtrCover::Mask(0.5));
    // The test may be in a separate stage with the same picture.
    let own = "diffusemap a { map a alphatest 0.4 maskcolor maskdepth blend gl_zero, gl_one }";
    assert_eq!(cover(own), MtrCover::Mask(0.4));
    assert_eq!(cover("translucent diffusemap a"), MtrCover::Blend);
    assert_eq!(
        cover("{ blend gl_src_alpha, gl_one_minus_src_alpha map a alpha 0.5 }"),
        MtrCover::Blend
    );
    assert_eq!(look("{ blend blend map a alpha 0.5 }").opacity, 0.5);
    assert_eq!(look("{ blend diffusemap map a alpha 0.5 }").opacity, 1.0, "solid");
    let other = look("diffusemap a { blend filter map b alphatest 0.4 }");
    assert_eq!(other.cover, MtrCover::Opaque);
    assert_eq!(notes(&other), ["!2: alpha test of another picture skipped: b"]);
}

#[test]
fn constants_of_a_stage_become_colours() {
    let found = look(
        "{ blend diffusemap map a red 1 green 0.5 blue 2 - 2 }\n{ blend specularmap map s rgb .5 }",
    );
    assert_eq!(found.color, LinearRgb::from_codes([255, 128, 0]));
    assert_eq!(images(&found)[2], some("scale(s, 0.5, 0.5, 0.5, 1)"));
    let found = look("{ blend diffusemap map a color 1, 0, parm5, 1 }");
    assert_eq!(found.color, LinearRgb::from_codes([255, 0, 0]));
    assert_eq!(notes(&found), ["2: colour of the stage depends on parm5, taken as 0"]);
}

/// The emission picture, and how the surface is blended with what is behind it.
fn light(look: &MtrLook) -> (Option<String>, MtrCover) {
    (image(look.emissive_map.as_ref()), look.cover)
}

#[test]
fn surface_without_lit_maps_is_light_of_its_own() {
    for (stage, cover, has_alpha) in [
        ("map f", MtrCover::Opaque, false),
        ("blend gl_one, gl_zero map f", MtrCover::Opaque, false),
        ("blend add map f", MtrCover::Add, false),
        ("blend gl_src_alpha, gl_one map f", MtrCover::Add, true),
        ("blend filter map f", MtrCover::Multiply, false),
        ("blend modulate map f", MtrCover::Multiply, false),
        ("blend gl_zero, gl_src_color map f", MtrCover::Multiply, false),
        ("blend blend map f", MtrCover::Blend, true),
        ("map f alphatest 0.25", MtrCover::Mask(0.25), true),
    ] {
        let found = look(&format!("{{ {stage} }}"));
        assert_eq!(light(&found), (some("f"), cover), "{stage}");
        let alpha = has_alpha.then(|| "f".to_owned());
        assert_eq!(images(&found), [alpha, None, None], "{stage}: where its alpha is");
        assert!(found.is_unlit && notes(&found).is_empty(), "{stage}");
    }
    let half = look("{ blend blend map f color 0.5, 1, 1, 0.25 }");
    assert_eq!((light(&half).0, half.opacity), (some("scale(f, 0.5, 1, 1, 1)"), 0.25));
    let sky = look("{ cubeMap env/sky texgen skybox }\n{ map plain }");
    assert_eq!(light(&sky), (some("plain"), MtrCover::Opaque));
    assert_eq!(notes(&sky), ["!2: stage skipped: it shows a cube map, not a picture"]);
    assert!(!look("diffusemap a").is_unlit && !look("bumpmap a { blend add map f }").is_unlit);
}

#[test]
fn stages_on_top_of_a_surface_become_part_of_its_pictures() {
    let on_top = |stages: &str| {
        let found = look(&format!("diffusemap d bumpmap n specularmap s\n{stages}"));
        assert_eq!(notes(&found), Vec::<String>::new(), "{stages}");
        (images(&found), image(found.emissive_map.as_ref()), found.is_unlit)
    };
    let plain = [some("d"), some("n"), some("s")];
    let glow = |glow: &str| (plain.clone(), some(glow), false);
    assert_eq!(on_top("{ blend add map g }"), glow("g"));
    assert_eq!(on_top("{ blend add map g rgb 0.9 }"), glow("scale(g, 0.9, 0.9, 0.9, 1)"));
    assert_eq!(on_top("{ blend gl_src_alpha, gl_one map g }"), glow("weigh(g)"));
    assert_eq!(on_top("{ blend add map g } { blend add map h }"), glow("sum(g, h)"));
    // In their order: what is added later is not multiplied.
    let (images, light, _) =
        on_top("{ blend add map g } { blend filter map f } { blend add map h }");
    let product = |map: &str| Some(format!("product({map}, f)"));
    assert_eq!(images, [product("d"), some("n"), product("s")]);
    assert_eq!(light, some("sum(product(g, f), h)"));
    let (images, light, _) = on_top("{ blend blend map c alpha 0.5 }");
    let through = |map: &str| Some(format!("product({map}, through(scale(c, 1, 1, 1, 0.5)))"));
    assert_eq!(images, [through("d"), some("n"), through("s")]);
    assert_eq!(light, some("weigh(scale(c, 1, 1, 1, 0.5))"));
    assert_eq!(on_top("{ map c }"), ([None, None, None], some("c"), true), "it hides all");
}

#[test]
fn stages_on_top_of_what_is_seen_through_are_told_if_they_do_not_fit() {
    let sum = look("{ blend add map a } { blend add map b } { blend gl_src_alpha, gl_one map c }");
    assert_eq!(light(&sum), (some("sum(sum(a, b), weigh(c))"), MtrCover::Add));
    let product = look("{ blend filter map a } { blend filter map b }");
    assert_eq!(light(&product), (some("product(a, b)"), MtrCover::Multiply));
    for (stages, left) in [
        ("{ blend blend map a }\n{ blend add map b }", "adds b"),
        ("translucent diffusemap a\n{ blend filter map b }", "multiplies with b"),
        ("{ blend add map a }\n{ blend blend map b }", "covers with b"),
        ("{ blend filter map a }\n{ map b }", "draws over all b"),
    ] {
        let told = format!("!3: stage skipped: outside the surface it {left}");
        assert_eq!(notes(&look(stages)), [told], "{stages}");
    }
    let other = look("{ blend gl_dst_color, gl_one map a }\n{ blend add map b }");
    assert_eq!(light(&other), (some("b"), MtrCover::Add));
    assert_eq!(notes(&other), ["!2: stage skipped: it blends a by gl_dst_color, gl_one"]);
}

#[test]
fn material_without_stages_draws_nothing() {
    assert!(look("noselfshadow forceshadows\nqer_editorimage textures/editor/hull.tga").is_undrawn);
    let off = look("{ if 0 map a }");
    assert!(off.is_undrawn && off.diffuse.is_none() && off.emissive_map.is_none());
    assert!(!look("{ cubeMap c }").is_undrawn, "it would draw what is skipped here");
    assert_eq!(look("qer_editorimage e.tga").editor_image.unwrap().to_string(), "e.tga");
}

#[test]
fn what_moves_or_lies_on_top_is_told() {
    let found = look(
        "{ blend diffusemap map a scroll time * 0.1, 0 scale 1, 1 rotate 2 }\n{ blend bumpmap map b scale 4, 4 }\n\
         { blend gl_one, gl_one_minus_src_color map glow }\n{ map _currentRender }\n{ map _white texgen reflect }",
    );
    let expected = [
        "!4: stage skipped: it blends glow by gl_one, gl_one_minus_src_color",
        "!5: stage skipped: _currentRender is generated by the engine",
        "!6: stage skipped: its texture coordinates are generated by reflect",
    ];
    assert_eq!(notes(&found), expected);
    let told: Vec<_> = found.stages.iter().flat_map(|stage| stage.values()).collect();
    let told: Vec<_> = told.iter().map(|(key, value)| format!("{key} {value}")).collect();
    let expected = [
        "stage 1 translate time * 0.1, 0",
        "stage 1 scale 1, 1",
        "stage 1 rotate 2",
        "stage 2 scale 4, 4",
    ];
    assert_eq!(told, expected);
    assert!(look("clamp diffusemap a").diffuse.unwrap().is_clamped);
    assert!(look("{ blend diffusemap map a zeroclamp }").diffuse.unwrap().is_clamped);
}

#[test]
fn broken_material_leaves_the_others_whole() {
    let found = file("a { { blend diffusemap map } }\nb { diffusemap b }\nc { { color 1, 2 } }");
    let failure = |index: usize| found.look(&found.materials[index]).unwrap_err().to_string();
    let expected =
        "line 1, column 28: found \"}\"; expected the path of a picture or an image function";
    assert_eq!(failure(0), expected);
    assert_eq!(images(&found.look(&found.materials[1]).unwrap())[0], some("b"));
    assert_eq!(
        failure(2),
        "line 3, column 18: found \"}\"; expected a comma and the next channel of the colour"
    );
}

#[test]
fn block_without_an_end_leaves_the_others_whole() {
    let read = |text: &str| parse_materials(text.as_bytes(), &Limits::default().into()).unwrap();
    for (text, whole, message) in [
        ("a\n{ diffusemap a }\nb\n{ { map b }\n", "a", "found an unterminated block; expected }"),
        ("b\n{ { map b }\n\na\n{\n diffusemap a\n}\n", "a", "found an unterminated block"),
        ("b { diffusemap \"b }\na { diffusemap a }", "a", "an unterminated string"),
        ("b ( c\na { diffusemap a }", "a", "found \"(\"; expected an opening brace"),
        ("b { } { }\na { diffusemap a }", "a", "found \"{\"; expected a material"),
        ("c {}\nguide a b ( c\na { diffusemap a }\n", "c", "found unterminated parameters"),
        ("a { diffusemap a }\n/* b", "a", "found an unterminated comment"),
        ("table t { { 0\nmaterial a { diffusemap a }", "a", "found an unterminated block"),
    ] {
        let loaded = read(text);
        let is_whole =
            |one: &&MtrMaterial| loaded.value.look(one).is_ok() && !one.name.starts_with('b');
        let names: Vec<&str> =
            loaded.value.materials.iter().filter(is_whole).map(|one| one.name.as_str()).collect();
        assert_eq!(names.join(" "), whole, "{text}");
        let told = loaded.warnings.iter().find(|warning| warning.fault == FileRepair::Malformed);
        assert!(told.is_some_and(|one| one.message.contains(message)), "{:?}", loaded.warnings);
    }
    let nothing = parse_materials(b"a ( b", &Limits::default().into()).unwrap_err().to_string();
    assert_eq!(nothing, "line 1, column 3: found \"(\"; expected an opening brace");
    let few = Limits { max_objects: 1, ..Limits::default() };
    let error = parse_materials(b"a {} b {}", &few.into()).unwrap_err().to_string();
    let message = "line 1, column 6: materials of a file: found 2; the limit is 1";
    assert_eq!(error, message);
}

/// Formulas of time, and the textures and colours that they are of.
fn motions(look: &MtrLook) -> Vec<String> {
    let told = |motion: &StageMotion| {
        let values = motion.values().into_iter().map(|(key, value)| format!("{key} {value}"));
        format!("{:?} {:?}: {}", motion.roles, motion.colors, values.collect::<Vec<_>>().join("; "))
    };
    look.stages.iter().map(told).collect()
}

#[test]
fn stages_of_a_surface_move_by_themselves() {
    let found = look(
        "{ blend diffusemap map d rgb time scroll time, 0 }\n{ blend bumpmap map n rotate time }\n\
         { blend specularmap map s red time }\n{ blend add map g alpha time if ( time < 2 ) }",
    );
    assert_eq!((images(&found)[2].clone(), light(&found).0), (some("s"), some("g")), "not scaled");
    let expected = [
        "[Diffuse] Some(Surface): stage 1 color time, time, time, 1; stage 1 translate time, 0",
        "[Normal] None: stage 2 rotate time",
        "[Specular] Some(Highlight): stage 3 color time, 1, 1, 1",
        "[Emissive] Some(LightOnTop): stage 4 condition time < 2; stage 4 color 1, 1, 1, 1",
    ];
    assert_eq!(motions(&found), expected);
    assert_eq!(notes(&found), Vec::<String>::new());
    let base = look("{ blend gl_src_alpha, gl_one map f alpha 1 - time scale 2, 2 }");
    let expected =
        "[Emissive, Diffuse] Some(Light): stage 1 color 1, 1, 1, 1 - time; stage 1 scale 2, 2";
    assert_eq!(motions(&base), [expected]);
    assert!(!look("{ if ( time > 9 ) map f }").is_undrawn, "it may be on");
}

#[test]
fn stages_in_the_picture_of_another_one_are_at_rest_and_told() {
    let told = "stage drawn as at time 0, with the texture coordinates of the stage below: g";
    for stages in [
        "{ blend filter map g scroll time, 0 }",
        "{ blend blend map g alpha time }",
        "{ blend add map a } { blend add map g rgb time }",
        "{ map g if ( time < 1 ) }",
    ] {
        let found = look(&format!("diffusemap d\n{stages}"));
        assert_eq!(notes(&found), [format!("!3: {told}")], "{stages}");
    }
    let off = look("diffusemap d\n{ map g if ( time > 1 ) }");
    assert_eq!((images(&off)[0].clone(), light(&off).0), (some("d"), None));
    let same = "scroll time, 0";
    let both =
        look(&format!("{{ blend diffusemap map d {same} }} {{ blend filter map g {same} }}"));
    assert_eq!((notes(&both).len(), both.stages.len()), (0, 1), "they move as one");
    let bump = look("{ blend bumpmap map n if ( time < 1 ) }");
    assert_eq!(notes(&bump), ["!2: bump map is always drawn: its condition is ignored"]);
    let heard = look("{ map f rgb sound }\n{ remoteRenderMap 100 100 }\n{ mirrorRenderMap 1 1 }");
    let expected = [
        "!2: colour of the stage depends on sound, taken as 0",
        "!3: stage skipped: it shows the view of a camera, not a picture",
        "!4: stage skipped: it shows a mirror, not a picture",
    ];
    assert_eq!(notes(&heard), expected);
}

#[test]
fn tables_are_read_and_looked_up() {
    let found = file(
        "table steps { snap clamp { 0, -1.5, 2 } }\ntable STEPS { { 9, 9 } }\n\
         a { { map f scroll Steps[ time ], 0 } }\n",
    );
    let table = found.table("sTePs").unwrap();
    assert_eq!(table.values, [0.0, -1.5, 2.0], "the first of a name");
    assert!(table.is_snapped && table.is_clamped);
    let look = found.look(&found.materials[0]).unwrap();
    let at = |time_s| look.stages[0].coordinates_at(time_s).unwrap().offset.x;
    assert_eq!([0.0, 0.5, 9.0].map(at), [0.0, -0.5, 0.0], "whole textures are skipped");
    for (text, message) in [
        (
            "table t { { 1 2 } }\na { }",
            "found \"2\"; expected a comma and the next number of the table",
        ),
        (
            "table t { curve { 1 } }\na { }",
            "found \"curve\"; expected snap, clamp, numbers in braces",
        ),
        ("table t { { 1, x } }\na { }", "found \"x\"; expected a number of the table"),
    ] {
        let loaded = parse_materials(text.as_bytes(), &LoadOptions::default()).unwrap();
        assert_eq!((loaded.value.materials.len(), loaded.value.tables.len()), (1, 0), "{text}");
        let told = &loaded.warnings[0].message;
        assert!(told.contains("table \"t\" is skipped") && told.contains(message), "{told}");
    }
    let long = format!("table t {{ {{ {} }} }}", vec!["0"; 5000].join(", "));
    let loaded = parse_materials(long.as_bytes(), &LoadOptions::default()).unwrap();
    let told = &loaded.warnings[0].message;
    assert!(told.contains("numbers of a table: found 4097; the limit is 4096"), "{told}");
}
