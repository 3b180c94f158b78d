mod gltf;
mod look;
mod mtr;
mod obj;
mod toon;
mod x;

use super::*;
use std::fs;
use tempfile::TempDir;
use tintype_model::{AlphaMode, LinearRgb, TextureRole};
use tintype_scene::{ClipChoice, parse_scene};

/// A mesh of one triangle for each shader; a shader prefixed with `!` gets no triangle.
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

    /// A text without the path of the stage.
    fn plain(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.folder.path().display()), "")
    }

    /// The message of a failure with its causes.
    fn failure(&self, scene: &str) -> String {
        let error = self.load(scene).unwrap_err();
        self.plain(&tintype_base::diagnostic::chain(&error))
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
    assert_eq!(report.tried.last().unwrap(), "skin_d.ktx2");
    let blue = assets.textures[1].texel(0, 0, 0);
    assert_eq!(blue, [128 * 257, 128 * 257, 65535, 65535], "a normal map is linear");
}

#[test]
fn missing_texture_is_grey_or_a_checker_and_a_warning() {
    let imp = mesh(&["models/imp/skin", "models/imp/skin", "models/imp/hair"]);
    let stage = Stage::new(&[("m/imp.md5mesh", imp.as_bytes())]);
    // A studio shows grey.
    let assets = stage.load(ONE).unwrap();
    let [skin, hair] = assets.materials.as_slice() else { panic!("two materials") };
    assert_eq!((skin.diffuse, hair.diffuse, skin.specular_strength), (None, None, 0.0));
    assert_eq!(assets.material_reports[0].origin, MaterialOrigin::Missing);
    assert!(stage.warnings(&assets)[0].contains("\"models/imp/skin\"; drawn plain grey; tried "));
    let assets = stage.load(&format!("[output]\nlook = \"classic\"\n{ONE}")).unwrap();
    assert_eq!(assets.models[0].mesh_materials, [0, 0, 1]);
    assert_eq!((assets.materials[0].diffuse, assets.materials[1].diffuse), (Some(0), Some(0)));
    let texel = |x: u32| assets.textures[0].texel(0, x, 0);
    assert_eq!((texel(0)[0], texel(0)[2], texel(0)[3]), (65535, 65535, 65535));
    assert!(texel(0)[1] < 5000 && texel(8)[1] < texel(8)[0] / 8, "both are magenta");
    assert!(texel(8)[0] < texel(0)[0] / 2, "and told apart");
    assert_eq!(assets.material_reports[0].origin, MaterialOrigin::Missing);
    let warnings = stage.warnings(&assets);
    assert_eq!(warnings.len(), 2);
    let all = "{png,tga,jpg,jpeg,bmp,dds,webp,ktx2}";
    let start = format!(
        "m/imp.md5mesh: no texture for shader \"models/imp/skin\"; drawn as a magenta checker; \
         tried models/imp/skin.{all}, imp/skin.{all}, skin.{all}, also with _d, _diffuse, _albedo, _basecolor, in m, "
    );
    assert!(warnings[0].starts_with(&start), "{}", warnings[0]);
    assert_eq!(assets.files.len(), 1, "the checker is no file");
}

#[test]
fn file_that_is_no_picture_hides_none() {
    let imp = mesh(&["skin"]);
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";
    let whole = tga([255, 0, 0]);
    let torn = whole.get(..whole.len() - 1).unwrap();
    for bad in [&pointer[..], b"", torn] {
        // Its neighbour, and a file of the name in another folder.
        for good in ["m/skin.tga", "m/skins/skin.tga"] {
            let stage = Stage::new(&[
                ("m/imp.md5mesh", imp.as_bytes()),
                ("m/skin.png", bad),
                (good, &whole),
            ]);
            let assets = stage.load(ONE).unwrap();
            let found = assets.material_reports[0].diffuse.as_ref().map(|path| path.display());
            let found = found.map(|path| stage.plain(&path.to_string()));
            // Of a file alone in its folder only the start is looked at.
            if bad != torn || !good.contains("skins") {
                assert_eq!(found.as_deref(), Some(good));
                assert_eq!(assets.material_reports[0].origin, MaterialOrigin::Found, "{good}");
                let warnings = stage.warnings(&assets);
                assert!(
                    warnings[0].starts_with("m/skin.png: unusable, so skin.tga is used instead")
                );
            }
        }
        let stage = Stage::new(&[("m/imp.md5mesh", imp.as_bytes()), ("m/skin.tga", bad)]);
        let assets = stage.load(ONE).unwrap();
        assert_eq!(assets.material_reports[0].origin, MaterialOrigin::Missing);
        let warnings = stage.warnings(&assets);
        assert!(warnings[0].contains("skipped: "), "{warnings:?}");
        assert_eq!(warnings[0].contains("Git LFS"), bad == pointer, "{warnings:?}");
    }
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
        warnings[0].starts_with("m/skin.png: found by its name but skipped: not a known picture")
    );
    assert!(warnings[1].starts_with("m/skin_s.png: found by its name but skipped: "));
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
    let about_names = plain.iter().filter(|warning| warning.contains("without a shader name"));
    assert_eq!(about_names.count(), 1, "{plain:?}");
    // The scene may assign a material to the empty name.
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
        failure.starts_with("m/bad.md5mesh: refused as model[0].file: line 3, column 1: "),
        "{failure}"
    );
    assert_eq!(
        stage.failure(&model("m/imp.x")),
        "m/imp.x: an HTML page (perhaps a failed download) is not supported, but model[0].file names it; supported model files: .md5mesh, .x, .gltf, .glb, .vrm, .fbx, .obj, .iqm, .md2, .md3, .mdl, .3ds, .b3d, .stl and .ply"
    );
    let failure = stage.failure(&model("m/bad.x"));
    let start = "m/bad.x: no triangles remain for model[0].file: line 2: ";
    assert!(failure.starts_with(start), "{failure}");
    assert!(stage.failure(&model("m/imp.fbx")).contains("without an FBX header"));
    assert!(stage.failure(&model("m/walk.md5anim")).contains("model[0].file: line "));
    assert_eq!(
        stage.failure(&model("m/Imp.md5mesh")),
        "m/Imp.md5mesh: no such file, but model[0].file names it; did you mean \"imp.md5mesh\"?"
    );
    assert_eq!(
        stage.failure(&model("m")),
        "m: cannot be read for model[0].file: it is a folder, not a file"
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

#[test]
fn mesh_without_a_shader_name_takes_the_picture_of_the_model() {
    let origin = |files: &[(&str, &[u8])]| {
        let stage = Stage::new(files);
        let assets = stage.load("[[model]]\nfile = \"m/cat.md5mesh\"\n").unwrap();
        (assets.material_reports[0].origin, stage.warnings(&assets).len())
    };
    let (bare, named) = (mesh(&[""]), mesh(&["", "dog"]));
    let picture = tga([0, 255, 0]);
    let own: (&str, &[u8]) = ("m/cat.tga", &picture);
    let other: (&str, &[u8]) = ("m/dog.tga", &picture);
    let [bare, named] = [&bare, &named].map(|text| ("m/cat.md5mesh", text.as_bytes()));
    assert_eq!(origin(&[bare, own, other]), (MaterialOrigin::Guessed, 0));
    assert_eq!(origin(&[bare, other]), (MaterialOrigin::Guessed, 0), "the only picture");
    assert_eq!(origin(&[named, own, other]), (MaterialOrigin::Guessed, 0));
    assert_eq!(origin(&[named, other]), (MaterialOrigin::Unnamed, 1), "that of another mesh");
    assert_eq!(origin(&[bare]), (MaterialOrigin::Unnamed, 1));
}

#[test]
fn skin_file_names_a_mesh_by_its_number() {
    let text = mesh(&["a", "b"]);
    let (one, two) = (tga([1, 0, 0]), tga([2, 0, 0]));
    let stage = Stage::new(&[
        ("m/imp.md5mesh", text.as_bytes()),
        ("m/imp.skin", b"1,second\n0,first\n"),
        ("m/first.tga", &one),
        ("m/second.tga", &two),
    ]);
    let assets = stage.load("[[model]]\nfile = \"m/imp.md5mesh\"\n").unwrap();
    assert_eq!(stage.warnings(&assets), Vec::<String>::new());
    let found: Vec<String> = (assets.material_reports.iter())
        .map(|report| stage.plain(&report.texture(TextureRole::Diffuse).unwrap().to_string_lossy()))
        .collect();
    assert_eq!(found, ["m/first.tga", "m/second.tga"]);
}
