use super::*;
use crate::model::{AlphaMode, LinearRgb, TextureRole};
use crate::scene::{ClipChoice, parse_scene};
use std::error::Error;
use std::fs;
use tempfile::TempDir;

/// A mesh of one triangle for each shader; a shader with `!` before it gets no triangle.
fn mesh(shaders: &[&str]) -> String {
    let mut text = format!(
        "MD5Version 10\ncommandline \"\"\nnumJoints 1\nnumMeshes {}\n\
         joints {{\n\"origin\" -1 ( 0 0 0 ) ( 0 0 0 )\n}}\n",
        shaders.len()
    );
    for shader in shaders {
        text += &match shader.strip_prefix('!') {
            Some(shader) => {
                format!("mesh {{\nshader \"{shader}\"\nnumverts 0\nnumtris 0\nnumweights 0\n}}\n")
            }
            None => format!(
                "mesh {{\nshader \"{shader}\"\nnumverts 3\n\
                 vert 0 ( 0 0 ) 0 1\nvert 1 ( 1 0 ) 1 1\nvert 2 ( 0 1 ) 2 1\n\
                 numtris 1\ntri 0 0 1 2\nnumweights 3\n\
                 weight 0 0 1 ( 0 0 0 )\nweight 1 0 1 ( 1 0 0 )\nweight 2 0 1 ( 0 1 0 )\n}}\n"
            ),
        };
    }
    text
}

const CLIP: &str = "MD5Version 10\ncommandline \"\"\nnumFrames 1\nnumJoints 1\nframeRate 24\n\
                    numAnimatedComponents 0\nhierarchy {\n\"origin\" -1 0 0\n}\n\
                    bounds {\n( 0 0 0 ) ( 1 1 1 )\n}\nbaseframe {\n( 0 0 0 ) ( 0 0 0 )\n}\nframe 0 {\n}\n";

/// A picture of one pixel.
fn tga(color: [u8; 3]) -> Vec<u8> {
    let [r, g, b] = color;
    [&[0, 0, 2][..], &[0; 9], &[1, 0, 1, 0, 24, 0x20], &[b, g, r]].concat()
}

struct Stage {
    folder: TempDir,
}

impl Stage {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let stage = Self { folder: tempfile::tempdir().unwrap() };
        for (name, bytes) in files {
            let path = stage.folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        stage
    }

    fn load(&self, scene: &str) -> Result<Assets, AssetError> {
        let scene = parse_scene(scene, "scene").unwrap_or_else(|errors| panic!("{errors}"));
        load(&scene, self.folder.path(), &LoadOptions::default())
    }

    /// A text without the place of the stage.
    fn plain(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.folder.path().display()), "")
    }

    /// The message of a failure with its causes.
    fn failure(&self, scene: &str) -> String {
        let error = self.load(scene).unwrap_err();
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            text += &format!(": {error}");
            cause = error.source();
        }
        self.plain(&text)
    }

    fn warnings(&self, assets: &Assets) -> Vec<String> {
        assets.warnings.iter().map(|warning| self.plain(&warning.to_string())).collect()
    }
}

const ONE: &str = "[[model]]\nfile = \"m/imp.md5mesh\"\n";

#[test]
fn assets_read_each_file_once() {
    let imp = mesh(&["skin"]);
    let stage = Stage::new(&[
        ("m/imp.md5mesh", imp.as_bytes()),
        ("m/walk.md5anim", CLIP.as_bytes()),
        ("m/skin.tga", &tga([255, 0, 0])),
    ]);
    let assets = stage
        .load(
            "[[model]]\nname = \"a\"\nfile = \"m/imp.md5mesh\"\nclips = [{ file = \"m/walk.md5anim\" }]\n\
             [[model]]\nname = \"b\"\nfile = 'm\\imp.md5mesh'\n\
             clips = [{ name = \"x\", file = \"m/walk.md5anim\" }, { name = \"y\", file = \"m/walk.md5anim\" }]\n",
        )
        .unwrap();
    let names: Vec<&str> = assets.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["m/imp.md5mesh", "m/walk.md5anim", "skin diffuse"]);
    let [a, b] = &assets.models[..] else { panic!("two models") };
    assert!(Arc::ptr_eq(&a.model, &b.model));
    assert!(Arc::ptr_eq(&a.clips[0].clip, &b.clips[1].clip));
    let clip_names: Vec<&str> = b.clips.iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(clip_names, ["x", "y"]);
    assert_eq!((&a.mesh_materials[..], &b.mesh_materials[..]), (&[0][..], &[0][..]));
    assert_eq!((assets.materials.len(), assets.textures.len()), (1, 1));
    assert_eq!(stage.warnings(&assets), Vec::<String>::new());
    assert_eq!((a.upright, a.front), (Mat3::IDENTITY, Vec3::X));
}

#[test]
fn assets_digest_knows_names_and_bytes_but_no_place() {
    let imp = mesh(&["skin"]);
    let digest = |bytes: &[u8], skin: &[u8]| {
        let stage = Stage::new(&[("m/imp.md5mesh", bytes), ("m/skin.tga", skin)]);
        stage.load(ONE).unwrap().digest_text()
    };
    let first = digest(imp.as_bytes(), &tga([0; 3]));
    assert_eq!(first, digest(imp.as_bytes(), &tga([0; 3])), "another folder");
    assert_ne!(first, digest(imp.as_bytes(), &tga([1; 3])));
    assert_ne!(first, digest((imp.clone() + " ").as_bytes(), &tga([0; 3])));
    assert!(first.starts_with("file \"m/imp.md5mesh\" ") && first.lines().count() == 2, "{first}");
}

#[test]
fn scene_material_is_found_by_name_then_without_case() {
    let imp = mesh(&["models/IMP/skin", r"models\imp\skin", "models/imp/skin"]);
    let stage = Stage::new(&[("m/imp.md5mesh", imp.as_bytes()), ("t/red.tga", &tga([255, 0, 0]))]);
    let assets = stage
        .load(&format!(
            "{ONE}[[material]]\nname = 'models\\imp\\Skin'\ndiffuse = 't\\red.tga'\nalpha = \"mask\"\n\
             [[material]]\nname = \"models/imp/skin\"\nspecular_strength = 0.5\nspecular = \"t/red.tga\"\n"
        ))
        .unwrap();
    assert_eq!(assets.models[0].mesh_materials, [0, 0, 1]);
    assert_eq!(assets.materials[0].diffuse, Some(0));
    assert_eq!(assets.materials[0].alpha, AlphaMode::Mask { cutoff: 0.5 });
    assert_eq!(assets.materials[0].specular_strength, Material::DEFAULT_SPECULAR);
    // One file, but a texture with and one without alpha.
    assert_eq!(assets.materials[1].specular, Some(1));
    assert_eq!(assets.materials[1].specular_strength, 0.5);
    assert_eq!((assets.textures.len(), assets.files.len()), (2, 2));
    assert_eq!(assets.files[1].name, r"t\red.tga");
    assert_eq!(assets.material_reports[1].origin, MaterialOrigin::Scene(1));
    assert_eq!(stage.warnings(&assets), Vec::<String>::new());
}

#[test]
fn looked_up_material_has_all_three_textures() {
    let imp = mesh(&["models/imp/skin"]);
    let stage = Stage::new(&[
        ("m/imp.md5mesh", imp.as_bytes()),
        ("skins/Textures/skin_d.tga", &tga([255, 0, 0])),
        ("skins/Textures/skin_local.tga", &tga([128, 128, 255])),
        ("skins/Textures/skin_s.tga", &tga([9, 9, 9])),
    ]);
    let assets = stage.load(&format!("{ONE}[textures]\nsearch = [\"skins\"]\n")).unwrap();
    let material = &assets.materials[0];
    let slots = (material.diffuse, material.normal, material.specular);
    assert_eq!(slots, (Some(0), Some(1), Some(2)));
    assert_eq!(material.specular_strength, 1.0);
    let report = &assets.material_reports[0];
    assert_eq!((report.origin, report.shader.as_str()), (MaterialOrigin::Found, "models/imp/skin"));
    let normal = report.normal.as_ref().unwrap().display().to_string();
    assert_eq!(stage.plain(&normal), "skins/Textures/skin_local.tga");
    assert_eq!(report.tried.last().unwrap(), "skin_d.dds");
    let blue = assets.textures[1].texel(0, 0, 0);
    assert_eq!(blue, [128 * 257, 128 * 257, 65535, 65535], "a normal map is linear");
}

#[test]
fn missing_texture_is_a_checker_and_a_warning() {
    let imp = mesh(&["models/imp/skin", "models/imp/skin", "models/imp/hair"]);
    let stage = Stage::new(&[("m/imp.md5mesh", imp.as_bytes())]);
    let assets = stage.load(ONE).unwrap();
    assert_eq!(assets.models[0].mesh_materials, [0, 0, 1]);
    assert_eq!((assets.materials[0].diffuse, assets.materials[1].diffuse), (Some(0), Some(0)));
    let texel = |x: u32| assets.textures[0].texel(0, x, 0);
    assert_eq!((texel(0)[0], texel(0)[2], texel(0)[3]), (65535, 65535, 65535));
    assert!(texel(0)[1] < 5000 && texel(8)[1] < texel(8)[0] / 8, "both are magenta");
    assert!(texel(8)[0] < texel(0)[0] / 2, "and told apart");
    assert_eq!(assets.material_reports[0].origin, MaterialOrigin::Missing);
    let warnings = stage.warnings(&assets);
    assert_eq!(warnings.len(), 2);
    let all = "{png,tga,jpg,jpeg,bmp,dds}";
    let start = format!(
        "m/imp.md5mesh: no texture for shader \"models/imp/skin\", drawn as a magenta checker; \
         tried models/imp/skin.{all}, imp/skin.{all}, skin.{all}, models/imp/skin_d.{all}, imp/skin_d.{all}, \
         skin_d.{all} in m, "
    );
    assert!(warnings[0].starts_with(&start), "{}", warnings[0]);
    assert_eq!(assets.files.len(), 1, "the checker is no file");
}

#[test]
fn broken_texture_is_left_out_if_found_and_refused_if_named() {
    let imp = mesh(&["skin"]);
    let stage = Stage::new(&[
        ("m/imp.md5mesh", imp.as_bytes()),
        ("m/skin.png", b"no picture"),
        ("m/skin_s.png", b""),
    ]);
    let assets = stage.load(ONE).unwrap();
    assert_eq!(assets.material_reports[0].origin, MaterialOrigin::Missing);
    assert_eq!(assets.materials[0].specular, None);
    let warnings = stage.warnings(&assets);
    assert!(
        warnings[0].starts_with("m/skin.png: found by its name, but left out: not a known picture")
    );
    assert!(warnings[1].starts_with("m/skin_s.png: found by its name, but left out: "));
    assert_eq!(assets.files.len(), 1);
    let named = format!("{ONE}[[material]]\nname = \"skin\"\ndiffuse = \"m/skin.png\"\n");
    let failure = stage.failure(&named);
    assert!(
        failure.starts_with("m/skin.png: refused as material[0].diffuse: not a known picture"),
        "{failure}"
    );
}

#[test]
fn named_texture_that_is_missing_names_its_key_and_what_is_there() {
    let imp = mesh(&["skin"]);
    let stage = Stage::new(&[("m/imp.md5mesh", imp.as_bytes()), ("t/skin_red.tga", b"")]);
    let scene =
        |key: &str, path: &str| format!("{ONE}[[material]]\nname = \"skin\"\n{key} = \"{path}\"\n");
    assert_eq!(
        stage.failure(&scene("normal", "t/skin-red.tga")),
        "t/skin-red.tga: no such file, but material[0].normal names it; did you mean \"skin_red.tga\"?"
    );
    assert_eq!(
        stage.failure(&scene("specular", "tt/a/b.tga")),
        "tt: no such folder, but material[0].specular names it; did you mean \"t\"?"
    );
    // Also where no mesh has that shader.
    let unused = scene("diffuse", "zzz.tga").replace("\"skin\"", "\"other\"");
    assert_eq!(stage.failure(&unused), "zzz.tga: no such file, but material[0].diffuse names it");
}

#[test]
fn mesh_without_shader_or_triangles_asks_for_nothing() {
    let imp = mesh(&["", "!body", " ", "!"]);
    let stage = Stage::new(&[("m/imp.md5mesh", imp.as_bytes())]);
    let assets = stage.load(ONE).unwrap();
    let origins: Vec<MaterialOrigin> =
        assets.material_reports.iter().map(|report| report.origin).collect();
    assert_eq!(origins, [MaterialOrigin::Unnamed, MaterialOrigin::EmptyMesh]);
    assert_eq!(assets.models[0].mesh_materials, [0, 1, 0, 1]);
    assert_eq!(assets.materials[0].color, LinearRgb::from_codes([0x99; 3]));
    assert_eq!(assets.materials[0].diffuse, None);
    let plain = stage.warnings(&assets);
    let about_names = plain.iter().filter(|warning| warning.contains("empty shader name"));
    assert_eq!(about_names.count(), 1, "{plain:?}");
    // The scene may give the empty name a look.
    let named = stage.load(&format!("{ONE}[[material]]\nname = \"\"\n")).unwrap();
    assert_eq!(named.models[0].mesh_materials, [0, 1, 2, 0]);
}

#[test]
fn library_that_leads_nowhere_is_a_warning() {
    let imp = mesh(&["models/imp/skin"]);
    let stage = Stage::new(&[("m/imp.md5mesh", imp.as_bytes()), ("skin.tga", &tga([0; 3]))]);
    let scene = format!(
        "{ONE}[[material]]\nname = \"models/imp/skni\"\n[[material]]\nname = \"x\"\n[textures]\nsearch = [\"skins\"]\n"
    );
    let assets = stage.load(&scene).unwrap();
    assert_eq!(
        stage.warnings(&assets),
        [
            "material[0].name: no mesh has the shader \"models/imp/skni\"; there is a shader \"models/imp/skin\"",
            "material[1].name: no mesh has the shader \"x\"",
            "textures.search[0]: there is no folder skins",
        ]
    );
    assert_eq!(assets.models[0].mesh_materials, [2]);
}

#[test]
fn refused_files_say_where_and_for_which_key() {
    let imp = mesh(&["skin"]);
    let stage = Stage::new(&[
        ("m/imp.md5mesh", imp.as_bytes()),
        ("m/walk.md5anim", CLIP.as_bytes()),
        ("m/bad.md5mesh", b"MD5Version 10\nnumJoints x\n"),
        ("m/imp.x", b"<html>"),
        ("m/bad.x", b"xof 0303txt 0032\nMesh { 1; 0;0;0;; 1; 3;0,0,1;; }"),
        ("m/imp.fbx", b"Kaydara"),
    ]);
    let model = |file: &str| format!("[[model]]\nfile = \"{file}\"\n");
    let failure = stage.failure(&model("m/bad.md5mesh"));
    assert!(
        failure.starts_with("m/bad.md5mesh: refused as model[0].file: line 2, column 11: "),
        "{failure}"
    );
    assert_eq!(
        stage.failure(&model("m/imp.x")),
        "m/imp.x: a file that does not begin as .x files do is not supported, but model[0].file names it; models are \
         .md5mesh and .x files"
    );
    let failure = stage.failure(&model("m/bad.x"));
    let start = "m/bad.x: refused as model[0].file: line 2, column 28: a corner of a face of a Mesh without a name: found 1";
    assert!(failure.starts_with(start), "{failure}");
    assert!(stage.failure(&model("m/imp.fbx")).contains("a .fbx file is not supported"));
    assert!(stage.failure(&model("m/walk.md5anim")).contains("model[0].file: line "));
    assert_eq!(
        stage.failure(&model("m/Imp.md5mesh")),
        "m/Imp.md5mesh: no such file, but model[0].file names it; did you mean \"imp.md5mesh\"?"
    );
    assert_eq!(
        stage.failure(&model("m")),
        "m: cannot be read for model[0].file: Is a directory (os error 21)"
    );
    // The first in the order of the scene wins, whichever thread is first.
    let clips =
        format!("{ONE}clips = [{{ file = \"m/imp.md5mesh\" }}, {{ file = \"m/none.md5anim\" }}]\n");
    assert!(
        stage.failure(&clips).starts_with("m/imp.md5mesh: refused as model[0].clips[0].file: ")
    );
    let camera = format!("{ONE}[camera]\nkind = \"md5camera\"\nfile = \"m/none.md5camera\"\n");
    assert!(
        stage
            .failure(&camera)
            .starts_with("m/none.md5camera: no such file, but camera.file names it")
    );
}

#[test]
fn recorded_camera_is_loaded_with_the_models() {
    let imp = mesh(&["!"]);
    let camera = "MD5Version 10\ncommandline \"\"\nnumFrames 1\nframeRate 24\nnumCuts 0\ncuts {\n}\n\
                  camera {\n( 1 2 3 ) ( 0 0 0 ) 90\n}\n";
    let stage =
        Stage::new(&[("m/imp.md5mesh", imp.as_bytes()), ("intro.md5camera", camera.as_bytes())]);
    let scene = format!("{ONE}[camera]\nkind = \"md5camera\"\nfile = \"intro.md5camera\"\n");
    let assets = stage.load(&scene).unwrap();
    assert_eq!(assets.camera.unwrap().keys[0].position, Vec3::new(1.0, 3.0, -2.0));
    assert_eq!(assets.files[1].name, "intro.md5camera");
}

#[test]
fn model_axes_of_the_scene_are_applied() {
    let imp = mesh(&["!"]);
    let stage = Stage::new(&[("m/imp.md5mesh", imp.as_bytes())]);
    let assets = stage.load(&format!("{ONE}up = \"y\"\nfront = \"-z\"\n")).unwrap();
    let model = &assets.models[0];
    // The file's y is our -z, its -z our -y.
    assert_eq!(model.upright * Vec3::NEG_Z, Vec3::Y);
    assert_eq!(model.front, model.upright * Vec3::NEG_Y);
    assert!(stage.failure(&format!("{ONE}up = \"x\"\n")).contains("model[0].up is \"x\""));
}

/// Two sets of one frame with a mesh on it; a second file of clips alone.
const X_MODEL: &str = "xof 0303txt 0032\nFrame hip { Mesh { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;;
    MeshMaterialList { 1; 1; 0;; Material skin { 1;1;1;1;; 0; 0;0;0;; 0;0;0;; TextureFilename { \"C:\\\\a\\\\red.bmp\"; } } } } }
    AnimationSet Idle { } AnimationSet Run { Animation { { hip } AnimationKey { 2; 2; 0;3;0,0,0;;, 30;3;0,1,0;;; } } }";

#[test]
fn x_file_brings_its_clips_and_materials() {
    let stage = Stage::new(&[("m/imp.x", X_MODEL.as_bytes()), ("m/Red.tga", &tga([255, 0, 0]))]);
    let model = "[[model]]\nfile = \"m/imp.x\"\n";
    let assets = stage.load(model).unwrap();
    let names: Vec<&str> = assets.models[0].clips.iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(names, ["Idle", "Run"]);
    assert_eq!(assets.models[0].ticks.unwrap().per_second, 30.0);
    assert_eq!((assets.materials[0].name.as_str(), assets.materials[0].diffuse), ("skin", Some(0)));
    assert_eq!(assets.material_reports[0].origin, MaterialOrigin::File);
    assert_eq!(stage.warnings(&assets), Vec::<String>::new());
    // The scene's own time, and its own material of that name.
    let more = "ticks_per_second = 15\n[[material]]\nname = \"skin\"\n";
    let assets = stage.load(&format!("{model}{more}")).unwrap();
    assert_eq!(assets.models[0].clips[1].clip.end_s, 2.0);
    assert_eq!(assets.material_reports.len(), 1);
}

#[test]
fn x_clip_is_found_by_name_or_index_when_the_file_is_read() {
    let stage = Stage::new(&[("m/imp.x", X_MODEL.as_bytes()), ("m/Red.tga", &tga([0; 3]))]);
    let instance = |clip: &str| {
        format!("[[model]]\nfile = \"m/imp.x\"\n[[instance]]\nmodel = \"imp\"\nclip = {clip}\n")
    };
    let found = |clip: &str| stage.load(&instance(clip)).unwrap().wanted_clips;
    assert_eq!(found("\"Run\""), [ClipChoice::Clip(1)]);
    assert_eq!(found("0"), [ClipChoice::Clip(0)]);
    assert_eq!(found("\"bind\""), [ClipChoice::Bind]);
    assert_eq!(
        stage.failure(&instance("\"Rum\"")),
        "m/imp.x: unknown clip \"Rum\" for instance[0].clip; the file has: Idle, Run; did you mean \"Run\"?"
    );
    let clips = |set: &str| {
        format!("[[model]]\nfile = \"m/imp.x\"\nclips = [{{ file = \"m/imp.x\", set = {set} }}]\n")
    };
    let assets = stage.load(&clips("1")).unwrap();
    assert_eq!((assets.models[0].clips.len(), assets.models[0].clips[0].clip.key_count), (1, 2));
    assert_eq!(
        stage.failure(&clips("2")),
        "m/imp.x: unknown clip 2 for model[0].clips[0].set; the file has: Idle, Run"
    );
}

#[test]
fn x_file_without_a_mesh_is_a_warning_as_a_model() {
    let stage = Stage::new(&[("m/run.x", b"xof 0303txt 0032\nAnimationSet Run { }")]);
    let assets = stage.load("[[model]]\nfile = \"m/run.x\"\n").unwrap();
    assert_eq!(stage.warnings(&assets), ["m/run.x: the file holds no mesh, so nothing is drawn"]);
}

/// A scene of one model in the layout of a game, with what it says beside that.
const GAME: &str = "[[model]]\nfile = \"base/models/md5/imp/imp.md5mesh\"\n";

/// Files in the layout of a game: a model with a shader, a material file and a picture for each path.
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
    assert_eq!((material.cull, material.alpha), (crate::model::CullMode::None, AlphaMode::Opaque));
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
        ["pak/materials/z.mtr:1: material \"a\" stands in lib/one_a.mtr:1 too, which counts"]
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
            "lib: no .mtr file there, but textures.mtr[0] names the pattern \"three*\"",
        ),
        ("\"lib\", \"m\"", "m: no .mtr file there, but textures.mtr[1] names the folder"),
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
fn mtr_that_is_broken_is_refused_if_named_and_left_out_if_found() {
    let mtr = "skin { { blend } }\nother {";
    let stage = game(&["skin"], mtr, &["base/models/md5/imp/skin.tga"]);
    let assets = stage.load(GAME).unwrap();
    assert_eq!(assets.material_reports[0].origin, MaterialOrigin::Found);
    let left_out = "base/materials/Imp.MTR: found by its folder, but left out: line 2, column 7: found a block without \
                    an end; expected }";
    assert_eq!(stage.warnings(&assets), [left_out]);
    fs::write(stage.folder.path().join("base/materials/Imp.MTR"), "skin { { blend } }\nother { }")
        .unwrap();
    let assets = stage.load(GAME).unwrap();
    assert_eq!(assets.material_reports[0].origin, MaterialOrigin::Found);
    let warnings = stage.warnings(&assets);
    let start = "base/materials/Imp.MTR: material \"skin\" is left out: line 1, column 16: found \"}\"; expected";
    assert!(warnings[0].starts_with(start) && warnings.len() == 1, "{warnings:?}");
    let failure = stage.failure(&format!("{GAME}[textures]\nmtr = [\"base\"]\n"));
    let start = "base/materials/Imp.MTR: refused as textures.mtr[0] for material \"skin\": line 1, column 16: ";
    assert!(failure.starts_with(start), "{failure}");
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
        "base/materials/Imp.MTR:4: column 3: unknown keyword \"blurr\" of a material: passed over with the rest of its line"
    );
    assert!(
        glow.starts_with("base/materials/Imp.MTR:7: column 1: stage left out: it blends glow by ")
    );
    let start = "base/materials/Imp.MTR:6: no picture \"gone\" for material \"skin\", drawn without it; looked in base, ";
    assert!(gone.starts_with(start), "{gone}");
    assert_eq!(assets.textures[assets.materials[0].normal.unwrap()].texel(0, 0, 0)[2], 65535);
    let report = assets.material_reports[0].mtr.as_ref().unwrap();
    assert_eq!(report.notes.last().unwrap().0, 8, "{report:?}");
    // The mesh lies within its picture, so nobody sees where it ends; another does not.
    let wide = mesh(&["hair"]).replace("vert 1 ( 1 0 )", "vert 1 ( 2 0 )");
    fs::write(stage.folder.path().join("base/models/md5/imp/imp.md5mesh"), wide).unwrap();
    let warnings = stage.warnings(&stage.load(GAME).unwrap());
    assert!(
        warnings.iter().any(|warning| warning.contains("should end at its edges")),
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
    let assets = stage.load(GAME).unwrap();
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
        "material \"skin\" has no picture for its surface, drawn with ",
        "material \"hair\" has no picture for its surface, drawn with its qer_editorimage editor",
        "shows a cube map",
        "no texture for shader \"eye\", drawn as a magenta checker",
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
    let assets = stage.load(GAME).unwrap();
    let of = |shader: &str| {
        let index = shaders.iter().position(|known| *known == shader).unwrap();
        let material = &assets.materials[assets.models[0].mesh_materials[index]];
        let role = |role| material.texture(role).is_some();
        (TextureRole::ALL.map(role), material.alpha, material)
    };
    let (roles, alpha, eyes) = of("eyes");
    assert_eq!((roles, alpha), ([true, false, false, true], AlphaMode::Opaque));
    assert_eq!((eyes.color, eyes.emissive), (LinearRgb::WHITE, LinearRgb::WHITE));
    let dark = |shader: &str, expected: AlphaMode, has_alpha: bool| {
        let (roles, alpha, material) = of(shader);
        assert_eq!((roles, alpha), ([has_alpha, false, false, true], expected), "{shader}");
        assert_eq!((material.color, material.specular_strength), (LinearRgb::BLACK, 0.0));
    };
    dark("flame", AlphaMode::Add, false);
    dark("pane", AlphaMode::Multiply, false);
    dark("veil", AlphaMode::Blend, true);
    assert_eq!(of("veil").2.opacity, 0.5);
    // Where the light is not there, or torn, the checker is, for all to see.
    for shader in ["ghost", "broken"] {
        let (roles, alpha, material) = of(shader);
        assert_eq!((roles, alpha), ([true, false, false, false], AlphaMode::Opaque), "{shader}");
        assert_eq!((material.color, material.opacity), (LinearRgb::WHITE, 1.0), "{shader}");
    }
    let warnings = stage.warnings(&assets);
    for part in
        ["no texture for shader \"ghost\"", "base/torn.tga: found by its name, but left out"]
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
        assets.materials.iter().map(|one| (one.glow, one.emissive, one.alpha)).collect();
    let (white, black) = (LinearRgb::WHITE, LinearRgb::BLACK);
    let expected = [
        (Some(0), white, AlphaMode::Add),
        (Some(0), black, AlphaMode::Multiply),
        (None, black, AlphaMode::Opaque),
    ];
    assert_eq!(all, expected);
    assert_eq!(assets.material_reports[0].glow, Some(stage.folder.path().join("t/g.tga")));
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
    let stage = game(&["models/imp/skin"], "other { }", &["base/skin.tga"]);
    let mine = stage.folder.path().join("mine.mtr");
    fs::write(mine, "models/imp/skni { }\nx { }").unwrap();
    let named = stage.load(&format!("{GAME}[textures]\nmtr = [\"mine.mtr\"]\n")).unwrap();
    let warnings = stage.warnings(&named);
    let hint = "; a .mtr file has a material \"models/imp/skni\"";
    assert!(warnings.iter().any(|warning| warning.ends_with(hint)), "{warnings:?}");
    let unused = "textures.mtr[0]: no mesh has the shader of a material in it";
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
    let nothing = "base/models/md5/imp/imp.md5mesh: nothing is drawn: no material of its meshes has a stage that is on";
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
