use super::*;
use std::fs;

/// Paths relative to `root`, `/` between folders.
fn relative(root: &Path, path: Option<&Path>) -> String {
    path.map_or("none".to_owned(), |path| {
        path.strip_prefix(root).unwrap().to_str().unwrap().to_owned()
    })
}

/// The textures found in a tree of these files, in its folders `a` and `b`.
fn found(files: &[&str], shader: &str) -> [String; 3] {
    let tree = tempfile::tempdir().unwrap();
    for file in files {
        let path = tree.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, b"").unwrap();
    }
    let mut folders = Folders::default();
    let given = [tree.path().join("a"), tree.path().join("b")];
    let search = search_folders(&mut folders, given.iter().map(PathBuf::as_path)).unwrap();
    let found = find(&mut folders, &search, shader).unwrap();
    [&found.diffuse, &found.normal, &found.specular]
        .map(|path| relative(tree.path(), path.as_deref()))
}

fn diffuse(files: &[&str], shader: &str) -> String {
    let [diffuse, _, _] = found(files, shader);
    diffuse
}

#[test]
fn lookup_takes_the_name_as_written_before_other_extensions() {
    assert_eq!(diffuse(&["a/imp.tga", "a/imp.png"], "imp.tga"), "a/imp.tga");
    assert_eq!(diffuse(&["a/imp.dds", "a/imp.jpg"], "imp.tga"), "a/imp.jpg");
    assert_eq!(diffuse(&["a/imp.dds", "a/imp.png"], "imp"), "a/imp.png");
    assert_eq!(diffuse(&["a/imp.png", "a/imp.v2.bmp"], "imp.v2"), "a/imp.v2.bmp");
    assert_eq!(diffuse(&["a/imp.png"], "imp.psd"), "a/imp.png");
    assert_eq!(diffuse(&["a/imp.txt"], "imp.txt"), "none");
}

#[test]
fn lookup_goes_through_the_folders_in_order() {
    assert_eq!(diffuse(&["b/imp.png", "a/imp.tga"], "imp"), "a/imp.tga");
    assert_eq!(diffuse(&["b/imp.png", "a/Textures/imp.tga"], "imp"), "a/Textures/imp.tga");
    assert_eq!(diffuse(&["a/textures/imp.png", "a/imp.dds"], "imp"), "a/imp.dds");
    assert_eq!(diffuse(&["c/imp.png"], "imp"), "none");
}

#[test]
fn lookup_tries_the_longest_tail_first() {
    let files = ["a/skin.png", "b/imp/skin.png", "a/models/imp/skin.png"];
    assert_eq!(diffuse(&files, "models/imp/skin"), "a/models/imp/skin.png");
    assert_eq!(diffuse(&files[..2], "models/imp/skin"), "b/imp/skin.png");
    assert_eq!(diffuse(&files[..1], "models/imp/skin"), "a/skin.png");
}

#[test]
fn lookup_reduces_foreign_paths_to_their_tail() {
    for shader in [
        r"D:\Program Files\game\media\hudgun\diffuse.png",
        r"\\server\share\HUDGUN\Diffuse.PNG",
        "/home/artist/hudgun/diffuse.tga",
        "../../hudgun/diffuse",
        " ./hudgun//diffuse ",
    ] {
        assert_eq!(diffuse(&["a/hudgun/diffuse.png"], shader), "a/hudgun/diffuse.png", "{shader}");
    }
    // A path never leaves the folders.
    assert_eq!(diffuse(&["imp.png", "a/x"], "../imp.png"), "none");
    assert_eq!(diffuse(&["imp.png", "a/x"], "x/../../imp"), "none");
}

#[test]
fn lookup_knows_the_suffixes_of_doom_3() {
    let files = ["a/imp_d.tga", "a/imp_local.tga", "a/imp_s.png", "a/imp_h.tga"];
    let all = ["a/imp_d.tga", "a/imp_local.tga", "a/imp_s.png"];
    assert_eq!(found(&files, "models/imp"), all);
    assert_eq!(found(&files, "imp_d.tga"), all);
    assert_eq!(found(&["a/imp.png", "a/IMP_LOCAL.TGA"], "imp")[1], "a/IMP_LOCAL.TGA");
    // The name itself takes precedence over the suffix, also with fewer folders.
    assert_eq!(diffuse(&["a/m/imp_d.png", "b/imp.png"], "m/imp"), "b/imp.png");
    // Normal maps are searched beside the diffuse texture only.
    assert_eq!(found(&["a/imp.png", "b/imp_local.png"], "imp"), ["a/imp.png", "none", "none"]);
}

#[test]
fn lookup_knows_the_suffixes_of_painting_programs() {
    let files = ["a/imp_BaseColor.png", "a/imp_Normal.png", "a/imp_specular.jpg", "a/imp_n.png"];
    let all = ["a/imp_BaseColor.png", "a/imp_Normal.png", "a/imp_specular.jpg"];
    assert_eq!(found(&files, "imp"), all);
    assert_eq!(found(&files, "imp_basecolor.tga"), all);
    assert_eq!(found(&["a/imp_albedo.png", "a/imp_diffuse.png"], "imp")[0], "a/imp_diffuse.png");
    assert_eq!(
        found(&["a/imp.png", "a/imp_n.png", "a/imp_local.tga"], "imp")[1],
        "a/imp_local.tga"
    );
}

#[test]
fn lookup_survives_odd_names() {
    for shader in ["", " ", "/", "..", ".tga", "textures/.tga", "é_d", "_d", "a\u{0}b", "C:"] {
        assert_eq!(diffuse(&["a/other.png"], shader), "none", "{shader:?}");
    }
    assert_eq!(diffuse(&["a/é_d.png"], "é"), "a/é_d.png");
    let deep = "x/".repeat(100_000) + "imp";
    assert_eq!(diffuse(&["a/imp.png"], &deep), "a/imp.png");
}

#[test]
fn lookup_lists_what_it_tried() {
    let found = find(&mut Folders::default(), &[], "m/imp.tga").unwrap();
    assert_eq!(found.tried[..3], ["m/imp.tga", "m/imp.png", "m/imp.jpg"]);
    assert_eq!(found.tried[8..10], ["imp.tga", "imp.png"]);
    assert_eq!(found.tried[16], "m/imp_d.tga");
    assert_eq!(found.tried[32], "m/imp_diffuse.tga");
    assert_eq!(found.tried.len(), 80);
}
