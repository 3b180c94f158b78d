//! Views beside pictures: the values of their pixels, their independence from everything except the
//! scene, and their output.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::command::{BOX, tintype, wanted};
use crate::support::{trial, trials};
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tintype_base::deadline::Deadline;
use tintype_formats::LoadOptions;
use tintype_model::frame::Frame;
use tintype_output::{Provenance, decode_png};
use tintype_raster::RasterOptions;
use tintype_render::Renderer;
use tintype_render::aov::{Shown, Viewer, color_of};
use tintype_render::asset;
use tintype_scene::{Aov, parse_scene};

/// The box with a second joint without vertices.
fn box_of_two_joints() -> String {
    let root = "  \"root\" -1 ( 0 0 0 ) ( 0 0 0 )\n";
    let both = format!("{root}  \"top of it\" 0 ( 0 0 2 ) ( 0 0 0 )\n");
    BOX.replace("numJoints 1", "numJoints 2").replace(root, &both)
}

/// The box from the front: its near side is 4 away, its far side 6. A pixel of the near side is
/// 1/20.
fn box_scene(output: &str, material: &str) -> String {
    format!(
        "[output]\nsize = [60, 60]\nframes = \"0-2\"\nbackground = \"#000000\"\n{output}\n\
         [camera]\nkind = \"look-at\"\neye = [0, 1, 5]\ntarget = [0, 1, 0]\nfov_deg = 41.112090439\n\
         [[material]]\nname = \"crate\"\n{material}\n[[model]]\nname = \"box\"\nfile = \"box.md5mesh\"\n\
         [golden]\nframes = \"0\"\n"
    )
}

fn box_folder(output: &str, material: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("scenes")).unwrap();
    fs::write(folder.path().join("scenes/box.md5mesh"), box_of_two_joints()).unwrap();
    fs::write(folder.path().join("scenes/box.toml"), box_scene(output, material)).unwrap();
    folder
}

/// The views of a frame of a scene, drawn on this number of threads in tiles of this size.
fn views(
    path: &Path,
    size: Option<[u32; 2]>,
    k: usize,
    list: &str,
    (threads, tile): (usize, u32),
) -> Result<Vec<Shown>, Failed> {
    let mut scene = parse_scene(&fs::read_to_string(path)?, "scene")?;
    scene.output.size = size.unwrap_or(scene.output.size);
    let assets = asset::load(&scene, path.parent().unwrap(), &LoadOptions::default())?;
    let aovs = Aov::parse_list(list)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    pool.install(|| {
        let frame = scene.output.frames.nth(k).ok_or("a frame of the scene")?;
        let renderer = Renderer::new(scene, assets, &Deadline::NEVER)?;
        let viewer = Viewer::new(&renderer, &aovs)?;
        let staged = renderer.stage(frame)?;
        let cut = RasterOptions { tile, ..RasterOptions::default() };
        let picture = renderer.draw_staged(&staged, cut)?.frame;
        let shown = viewer.draw(&renderer, &staged, &picture, cut)?;
        if shown.iter().map(|one| &one.aov).eq(&aovs) {
            Ok(shown)
        } else {
            Err("other views than were asked for".into())
        }
    })
}

/// One view of the box.
fn of_box(output: &str, material: &str, view: &str) -> Result<Shown, Failed> {
    let folder = box_folder(output, material);
    let path = folder.path().join("scenes/box.toml");
    Ok(views(&path, None, 0, view, (1, 32))?.remove(0))
}

const ALL: &str = "depth,normal,uv,mesh,material,joint:head,skeleton,wireframe,needles,bounds,overdraw,metallic,roughness,occlusion,environment";

fn views_depend_on_neither_threads_nor_tiles(scene: &str, list: &str) -> Result<(), Failed> {
    let path = Path::new(env!("WORKSPACE_ROOT")).join("scenes").join(scene);
    let draw = |cut| views(&path, Some([150, 101]), 1, list, cut);
    let expected = draw((1, 32))?;
    for cut in [(1, 8), (2, 17), (3, 64), (8, 4)] {
        for (one, other) in expected.iter().zip(draw(cut)?) {
            if *one != other {
                return Err(format!("{}: threads and tile {cut:?}", one.aov.word()).into());
            }
        }
    }
    Ok(())
}

fn at(frame: &Frame, x: u32, y: u32) -> [u8; 3] {
    let [r, g, b, alpha] = frame.pixel(x, y);
    assert_eq!(alpha, 255, "views are opaque");
    [r, g, b]
}

#[trial]
fn depth_tells_distances() -> Result<(), Failed> {
    let shown = of_box("", "", "depth")?;
    assert!(shown.legend.contains("code 255 is at distance 4.000"), "{}", shown.legend);
    assert!(shown.legend.contains("code 32 at 6.000"), "{}", shown.legend);
    assert_eq!(at(&shown.frame, 30, 30), [255; 3], "the near side");
    assert_eq!(at(&shown.frame, 2, 2), [0; 3], "nothing");
    // Rotated by 45°, an edge is nearest and both sides recede symmetrically.
    let folder = box_folder("", "");
    let path = folder.path().join("scenes/box.toml");
    let text = fs::read_to_string(&path)?;
    fs::write(
        &path,
        text.replace(
            "[golden]",
            "[[instance]]\nmodel = \"box\"\nrotation_deg = [0, 45, 0]\n[golden]",
        ),
    )?;
    let turned = views(&path, None, 0, "depth", (1, 32))?.remove(0).frame;
    let (near, far) = (5.0 - f64::sqrt(2.0), 5.0 + f64::sqrt(2.0));
    for x in 30..44_u32 {
        // The point where the ray of the column meets the side from (0, 0, √2) to (√2, 0, 0).
        let slope = (f64::from(x) + 0.5 - 30.0) / 80.0;
        // On it x + z = √2, with x = slope · w and z = 5 - w.
        let exact = near / (1.0 - slope);
        let share = (1.0 / exact - 1.0 / far) / (1.0 / near - 1.0 / far);
        let code = f64::from(at(&turned, x, 30)[0]);
        let wanted = 32.0 + 223.0 * share;
        assert!((code - wanted).abs() < 1.6, "column {x}: {code}, not {wanted}");
    }
    Ok(())
}

#[trial]
fn depth_has_one_scale_for_all_frames() -> Result<(), Failed> {
    let path = Path::new(env!("WORKSPACE_ROOT")).join("scenes/walk.toml");
    let legend = |k| -> Result<String, Failed> {
        Ok(views(&path, Some([40, 30]), k, "depth", (2, 32))?.remove(0).legend)
    };
    assert_eq!(legend(0)?, legend(17)?);
    Ok(())
}

#[trial]
fn normals_are_those_of_the_world() -> Result<(), Failed> {
    let frame = of_box("", "", "normal")?.frame;
    let [r, g, b] = at(&frame, 30, 30);
    assert!(r.abs_diff(128) < 8 && g.abs_diff(128) < 8 && b > 250, "{r} {g} {b}");
    Ok(())
}

#[trial]
fn names_have_their_color_and_nothing_else() -> Result<(), Failed> {
    for view in ["mesh", "material"] {
        let shown = of_box("", "", view)?;
        let [r, g, b] = color_of("crate");
        let own = shown.frame.rgba.iter().filter(|pixel| **pixel == [r, g, b, 255]).count();
        let none = shown.frame.rgba.iter().filter(|pixel| **pixel == [0, 0, 0, 255]).count();
        assert_eq!((own, own + none), (1600, 3600), "40 x 40 of 60 x 60 pixels");
        assert!(shown.legend.contains(&format!("#{r:02x}{g:02x}{b:02x} \"crate\"")));
    }
    Ok(())
}

#[trial]
fn overdraw_counts_hidden_sides_that_are_not_culled() -> Result<(), Failed> {
    for (material, most) in [("", "maximum 1, mean 1.00"), ("cull = \"none\"", "maximum 2, mean")] {
        let shown = of_box("samples = 1", material, "overdraw")?;
        assert!(shown.legend.contains(most), "{}", shown.legend);
    }
    // The box is seen exactly where something is counted; the scale is too large for this picture.
    let (seen, counted) =
        (of_box("samples = 1", "", "mesh")?, of_box("samples = 1", "", "overdraw")?);
    let is_black = |frame: Frame| frame.rgba.iter().map(|p| p[..3] == [0; 3]).collect::<Vec<_>>();
    assert_eq!(is_black(seen.frame), is_black(counted.frame));
    Ok(())
}

#[trial]
fn joint_that_pulls_all_is_bright_everywhere() -> Result<(), Failed> {
    let whole = of_box("", "", "joint:root")?;
    let none = of_box("", "", "joint:top of it")?;
    let (bright, dark) = (at(&whole.frame, 30, 30), at(&none.frame, 30, 30));
    assert!(bright[0] > 240 && bright[1] > 240, "{bright:?}");
    assert!(dark.iter().all(|&code| code < 50), "{dark:?}");
    Ok(())
}

/// A row off the diagonal of the near side: its left edge is drawn, hidden edges of the far side
/// are not.
#[trial]
fn wireframe_has_no_hidden_lines() -> Result<(), Failed> {
    let frame = of_box("", "color = \"#000000\"\nspecular_strength = 0", "wireframe")?.frame;
    let row = 17;
    assert!(at(&frame, 10, row)[2] > 100, "the edge at the left");
    // The far side's edges are at 4/6 of the distance from the centre; the diagonal crosses this
    // row far from one of them.
    let blues = [16, 17, 43, 44].map(|x| at(&frame, x, row)[2]);
    assert!(blues.iter().filter(|&&blue| blue < 30).count() >= 2, "{blues:?}");
    let lit = (11..49).filter(|&x| at(&frame, x, row)[2] > 60).count();
    assert!(lit <= 5, "one diagonal in the row, {lit} pixels");
    Ok(())
}

#[trial]
fn needles_stand_on_visible_vertices() -> Result<(), Failed> {
    let shown = of_box("", "color = \"#000000\"\nspecular_strength = 0", "needles")?;
    assert!(shown.legend.contains("of the 4 visible vertices"), "{}", shown.legend);
    assert!(shown.legend.contains("red ones (0)"), "{}", shown.legend);
    // The corners of the near side are at 10 and 50; their normals lean outwards.
    for (x, y, out) in
        [(8, 8, true), (51, 8, true), (51, 51, true), (14, 14, false), (30, 30, false)]
    {
        assert_eq!(at(&shown.frame, x, y)[1] > 60, out, "{x}, {y}: {:?}", at(&shown.frame, x, y));
    }
    Ok(())
}

/// A square of a `.x` file, towards the viewer; its normals point away from him in the second file.
#[trial]
fn needles_behind_their_triangles_are_red() -> Result<(), Failed> {
    for (z, red) in [("-1", 0), ("1", 4)] {
        let square = format!(
            "xof 0303txt 0032\nMesh {{ 4; -1;0;0;, 1;0;0;, 1;2;0;, -1;2;0;; 2; 3;0,2,1;, 3;0,3,2;; \
             MeshNormals {{ 1; 0;0;{z};; 2; 3;0,0,0;, 3;0,0,0;; }} }}"
        );
        let folder = box_folder("", "");
        fs::write(folder.path().join("scenes/square.x"), square)?;
        let path = folder.path().join("scenes/box.toml");
        let text = fs::read_to_string(&path)?;
        fs::write(&path, text.replace("box.md5mesh", "square.x"))?;
        let shown = views(&path, None, 0, "needles", (1, 32))?.remove(0);
        let said = format!(
            "of the 4 visible vertices, without normal maps: needles with a white root; red ones ({red})"
        );
        assert!(shown.legend.contains(&said), "{}", shown.legend);
    }
    Ok(())
}

/// The true box is 2 x 2 x 2 on the ground; the box stated by the file extends one half farther to
/// the right.
#[trial]
fn bounds_of_a_clip_are_beside_the_true_ones() -> Result<(), Failed> {
    let folder = box_folder("", "");
    fs::write(
        folder.path().join("scenes/move.md5anim"),
        "MD5Version 10 commandline \"\" numFrames 1 numJoints 2 frameRate 10 numAnimatedComponents 0 \
         hierarchy { \"root\" -1 0 0 \"top of it\" 0 0 0 } bounds { ( -1 -1 0 ) ( 1.5 1 2 ) } \
         baseframe { ( 0 0 0 ) ( 0 0 0 ) ( 0 0 2 ) ( 0 0 0 ) } frame 0 { }",
    )?;
    let path = folder.path().join("scenes/box.toml");
    let text = fs::read_to_string(&path)?;
    let is_pink = |[r, g, b]: [u8; 3]| r > 150 && g < 130 && b > 90;
    for clips in ["", "clips = [{ name = \"move\", file = \"move.md5anim\" }]"] {
        let file = format!("file = \"box.md5mesh\"\n{clips}");
        fs::write(&path, text.replace("file = \"box.md5mesh\"", &file))?;
        let shown = views(&path, None, 0, "bounds", (1, 32))?.remove(0);
        let stated = !clips.is_empty();
        // A pixel of the near side is 1/20: its right edge is at 50, that of the stated box at 60.
        let right = (53..60).any(|x| is_pink(at(&shown.frame, x, 50)));
        assert_eq!(right, stated, "{clips}");
        assert_eq!(shown.legend.contains("for this frame are pink"), stated, "{}", shown.legend);
    }
    Ok(())
}

#[trial]
fn render_writes_views_beside_pictures() -> Result<(), Failed> {
    let folder = box_folder("aov = [\"uv\", \"joint:top of it\"]", "");
    let render = |more: &[&str]| {
        let arguments = ["render", "scenes/box.toml", "-o", "out/b.##.png"];
        tintype(folder.path(), &[&arguments[..], more].concat())
    };
    wanted(&render(&[]), 0, ", each with 2 views, out")?;
    let found: Vec<String> = crate::support::files(&folder.path().join("out"), &["png"])?
        .iter()
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(found.len(), 9, "{found:?}");
    for name in ["b.00.png", "b.00.uv.png", "b.02.joint-top_of_it.png"] {
        assert!(found.iter().any(|found| found == name), "{name} in {found:?}");
    }
    // A view has the provenance of its picture, and names itself.
    let text = |name: &str| {
        decode_png(&fs::read(folder.path().join("out").join(name)).unwrap()).unwrap().1
    };
    let (picture, view) = (text("b.01.png"), text("b.01.joint-top_of_it.png"));
    assert_eq!(Provenance::from_text(&picture)?, Provenance::from_text(&view)?);
    let chunk =
        |key: &str| view.iter().find(|(own, _)| own == key).map(|(_, value)| value.as_str());
    assert_eq!(chunk("tintype:view"), Some("joint:top of it"));
    assert!(chunk("tintype:legend").unwrap().contains("from 0 (black) to 1"));
    // The command line's list replaces the scene's; pictures depend on neither.
    let before = fs::read(folder.path().join("out/b.00.png"))?;
    fs::remove_dir_all(folder.path().join("out"))?;
    wanted(&render(&["--aov", "none"]), 0, "3 frames in")?;
    assert_eq!(crate::support::files(&folder.path().join("out"), &["png"])?.len(), 3);
    assert_eq!(fs::read(folder.path().join("out/b.00.png"))?, before);
    Ok(())
}

#[trial]
fn verify_misses_views_and_tells_them_from_pictures() -> Result<(), Failed> {
    let folder = box_folder("aov = [\"uv\", \"depth\"]\nfile = \"out/b.#.png\"", "");
    let run = |arguments: &[&str]| tintype(folder.path(), arguments);
    let out = |name: &str| folder.path().join("out").join(name);
    wanted(&run(&["render", "scenes/box.toml"]), 0, "each with 2 views")?;
    wanted(&run(&["verify", "scenes/box.toml"]), 0, "3 frames up to date")?;
    fs::remove_file(out("b.1.uv.png"))?;
    fs::remove_file(out("b.1.depth.png"))?;
    fs::copy(out("b.2.uv.png"), out("b.2.depth.png"))?;
    let output = run(&["verify", "scenes/box.toml"]);
    wanted(&output, 1, "out/b.1.uv.png: missing")?;
    wanted(&output, 1, "out/b.2.depth.png: it is the view uv, not the view depth")?;
    wanted(&output, 1, "2 frames of 3 need rendering: 1,2")?;
    fs::copy(out("b.0.uv.png"), out("b.0.png"))?;
    wanted(&run(&["verify", "scenes/box.toml"]), 1, "it is the view uv, not the picture")
}

#[trial]
fn standard_output_takes_the_only_view() -> Result<(), Failed> {
    let folder = box_folder("", "");
    let run = |list: &str| {
        let arguments = ["render", "scenes/box.toml", "-f", "0", "-o", "-", "--aov", list];
        tintype(folder.path(), &arguments)
    };
    let output = run("depth");
    wanted(&output, 0, "")?;
    let (frame, _) = decode_png(&output.stdout)?;
    assert_eq!(frame, of_box("", "", "depth")?.frame);
    let picture = decode_png(&run("none").stdout)?.0;
    assert!(picture != frame && picture.rgba.len() == frame.rgba.len());
    let several = run("depth,uv");
    wanted(&several, 2, "standard output takes one picture, but 2 views are selected (depth, uv)")?;
    assert!(several.stdout.is_empty());
    Ok(())
}

#[trial]
fn mistakes_are_answered_with_what_is_allowed() -> Result<(), Failed> {
    let folder = box_folder("aov = [\"depht\", \"joint:\", 3, \"uv\", \"uv\"]", "");
    let render = |list: &[&str]| {
        let arguments = ["render", "scenes/box.toml", "-o", "b.#.png"];
        tintype(folder.path(), &[&arguments[..], list].concat())
    };
    for text in [
        "4 mistakes",
        "unknown view \"depht\"",
        "did you mean \"depth\"?",
        "lacks the joint's name",
        "found the number 3",
        "would both be named \"uv\"",
    ] {
        wanted(&render(&[]), 2, text)?;
    }
    fs::write(folder.path().join("scenes/box.toml"), box_scene("", ""))?;
    wanted(
        &render(&["--aov", "depth,wirefram"]),
        2,
        "--aov: unknown view \"wirefram\"; expected one of: \"depth\"",
    )?;
    let joint = render(&["--aov", "joint:rot"]);
    wanted(&joint, 2, "no model of the scene has a joint \"rot\"; did you mean \"root\"?")?;
    wanted(&joint, 2, "the joints are root, top of it")?;
    assert_eq!(crate::support::files(folder.path(), &["png"])?.len(), 0, "nothing is written");
    Ok(())
}

#[trial]
fn empty_pictures_are_not_passed_in_silence() -> Result<(), Failed> {
    let folder = box_folder("", "");
    let path = folder.path().join("scenes/box.toml");
    let text = fs::read_to_string(&path)?;
    fs::write(&path, text.replace("target = [0, 1, 0]", "target = [0, 1, 10]"))?;
    let arguments = ["render", "scenes/box.toml", "-o", "b.#.png", "--aov", "depth,overdraw"];
    wanted(&tintype(folder.path(), &arguments), 3, "the pictures are empty")
}

#[trial]
fn goldens_of_views_are_kept_and_compared() -> Result<(), Failed> {
    let folder = box_folder("aov = [\"depth\", \"wireframe\"]", "");
    let run = |arguments: &[&str]| tintype(folder.path(), arguments);
    let path = folder.path().join("scenes/box.toml");
    wanted(&run(&["bless", "--all"]), 0, "3 goldens written in 1 scene")?;
    wanted(&run(&["test"]), 0, "3 goldens the same, 0 failed")?;
    let text = fs::read_to_string(&path)?;
    // Nearer: the picture, the depth and the lines change.
    fs::write(&path, text.replace("eye = [0, 1, 5]", "eye = [0, 1, 4.9]"))?;
    let output = run(&["test", "--pictures", "failed", "--report", "page", "--json", "all.json"]);
    wanted(&output, 1, "golden/box/0000.depth.png: camera")?;
    wanted(&output, 1, "0 goldens the same, 3 failed")?;
    for name in ["failed/box/0000.new.png", "failed/box/0000.depth.new.png"] {
        assert!(folder.path().join(name).is_file(), "{name}");
    }
    let json = fs::read_to_string(folder.path().join("all.json"))?;
    assert!(json.contains("box.wireframe"), "{json}");
    // A view alone is blessed by its name.
    wanted(&run(&["bless", "0000.depth"]), 0, "1 golden written")?;
    wanted(&run(&["test"]), 1, "1 golden the same, 2 failed")?;
    wanted(&run(&["bless", "--all", "--beside"]), 0, "2 goldens written")?;
    assert!(folder.path().join("golden/box/0000.wireframe/1.png").is_file());
    wanted(&run(&["test"]), 0, "3 goldens the same")?;
    // Goldens of views that the scene no longer lists are dangling.
    fs::write(
        &path,
        fs::read_to_string(&path)?.replace("aov = [\"depth\", \"wireframe\"]", "aov = [\"depth\"]"),
    )?;
    wanted(&run(&["test"]), 1, "0000.wireframe.png: no scene uses this golden")
}

#[trials]
fn views_of_each_scene() -> Result<Vec<Trial>, String> {
    let scenes = [
        (
            "views.toml",
            "depth,normal,uv,mesh,material,joint:forearm_l,skeleton,wireframe,needles,bounds,overdraw,metallic,roughness,occlusion,environment",
        ),
        ("walk.toml", ALL),
        ("quartet.toml", ALL),
        ("mob.toml", "depth,mesh,wireframe,needles,bounds,overdraw"),
        ("material.toml", "depth,normal,uv,material,wireframe,overdraw"),
    ];
    let of_scene = |(scene, list)| {
        let name = format!("views_of_{scene}_depend_on_neither_threads_nor_tiles");
        Trial::test(name, move || views_depend_on_neither_threads_nor_tiles(scene, list))
    };
    Ok(scenes.map(of_scene).into())
}
