use super::*;

/// Two sets for one frame with a mesh; a second file with only clips.
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
    // The scene's ticks, and its material of that name.
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
    assert_eq!((assets.models[0].clips.len(), assets.models[0].clips[0].clip.key_count()), (1, 2));
    assert_eq!(
        stage.failure(&clips("2")),
        "m/imp.x: unknown clip 2 for model[0].clips[0].set; the file has: Idle, Run"
    );
}

#[test]
fn x_file_without_a_mesh_is_a_warning_as_a_model() {
    let stage = Stage::new(&[("m/run.x", b"xof 0303txt 0032\nAnimationSet Run { }")]);
    let assets = stage.load("[[model]]\nfile = \"m/run.x\"\n").unwrap();
    assert_eq!(stage.warnings(&assets), ["m/run.x: the file has no mesh, so nothing is drawn"]);
}

#[test]
fn texture_beside_the_folder_of_models_is_found() {
    let stage = Stage::new(&[
        ("game/models/imp/imp.x", X_MODEL.as_bytes()),
        ("game/textures/red.tga", &tga([255, 0, 0])),
    ]);
    let assets = stage.load("[[model]]\nfile = \"game/models/imp/imp.x\"\n").unwrap();
    assert_eq!(stage.warnings(&assets), Vec::<String>::new());
    assert_eq!(assets.materials[0].diffuse, Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn texture_named_in_shift_jis_is_found_under_its_name_and_its_bytes() {
    use std::os::unix::ffi::OsStrExt;
    let raw = b"\x95\x5c.tga"; // the second byte is that of a backslash
    let mut model = X_MODEL.as_bytes().to_vec();
    let at = model.windows(14).position(|part| part == b"C:\\\\a\\\\red.bmp").unwrap();
    model.splice(at..at + 14, raw.iter().copied());
    for name in [std::ffi::OsStr::new("表.tga"), std::ffi::OsStr::from_bytes(raw)] {
        let stage = Stage::new(&[("m/imp.x", &model)]);
        fs::write(stage.folder.path().join("m").join(name), tga([1, 2, 3])).unwrap();
        fs::write(stage.folder.path().join("m/other.tga"), tga([1, 2, 3])).unwrap();
        let assets = stage.load("[[model]]\nfile = \"m/imp.x\"\n").unwrap();
        assert_eq!(stage.warnings(&assets), Vec::<String>::new());
        assert_eq!(assets.materials[0].diffuse, Some(0));
    }
}
