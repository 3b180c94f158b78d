use super::text::parse_parts;
use super::*;
use std::path::Path;
use std::sync::Arc;
use tintype_base::deadline::Deadline;
use tintype_compare::{Difference, compare};
use tintype_formats::LoadOptions;
use tintype_model::frame::Frame;
use tintype_model::math::Vec3;
use tintype_raster::RasterOptions;
use tintype_render::Renderer;
use tintype_render::asset::load;
use tintype_scene::parse_scene;
use tintype_scene::{FrameNumber, PoseRule};

/// Three joints in a row; a square on the first, a square on the last.
const MESH: &str = "MD5Version 10\ncommandline \"\"\nnumJoints 3\nnumMeshes 2\njoints {\n\
    \"root\" -1 ( 0 0 0 ) ( 0 0 0 )\n\"arm\" 0 ( 0 1 0 ) ( 0 0 0 )\n\"hand\" 1 ( 0 2 0 ) ( 0 0 0 )\n}\n\
    mesh {\nshader \"coat\"\nnumverts 4\nvert 0 ( 0 0 ) 0 1\nvert 1 ( 1 0 ) 1 1\nvert 2 ( 1 1 ) 2 1\n\
    vert 3 ( 0 1 ) 3 1\nnumtris 2\ntri 0 0 1 2\ntri 1 0 2 3\nnumweights 4\n\
    weight 0 0 1 ( 0 -1 0 )\nweight 1 0 1 ( 0 1 0 )\nweight 2 0 1 ( 0 1 2 )\nweight 3 0 1 ( 0 -1 2 )\n}\n\
    mesh {\nshader \"glove\"\nnumverts 4\nvert 0 ( 0 0 ) 0 1\nvert 1 ( 1 0 ) 1 1\nvert 2 ( 1 1 ) 2 1\n\
    vert 3 ( 0 1 ) 3 1\nnumtris 2\ntri 0 0 1 2\ntri 1 0 2 3\nnumweights 4\n\
    weight 0 2 1 ( 0 0 0 )\nweight 1 2 1 ( 0 1 0 )\nweight 2 2 1 ( 0 1 1 )\nweight 3 2 1 ( 0 0 1 )\n}\n";

const SCENE: &str = "[output]\nsize = [48, 36]\n\
    [camera]\nkind = \"look-at\"\neye = [7, 1, 0]\ntarget = [0, 1, -1]\n\
    [[light]]\nkind = \"directional\"\ndirection = [-1, -1, 0]\n\
    [[material]]\nname = \"coat\"\n[[material]]\nname = \"glove\"\ncolor = \"#ff8040\"\n\
    [[model]]\nfile = \"m.md5mesh\"\n";

/// The record and the picture of a scene and its one file.
fn shoot(scene: &str, mesh: &str) -> (FrameRecord, Frame) {
    let folder = tempfile::TempDir::new().expect("a folder");
    std::fs::write(folder.path().join("m.md5mesh"), mesh).expect("a file");
    shoot_in(folder.path(), scene)
}

pub(super) fn shoot_in(folder: &Path, scene: &str) -> (FrameRecord, Frame) {
    let scene = parse_scene(scene, "scene.toml").expect("a sound scene");
    let assets = load(&scene, folder, &LoadOptions::default()).expect("sound files");
    let renderer = Renderer::new(scene, assets, &Deadline::NEVER).expect("clips that fit");
    let staged = renderer.stage(FrameNumber(0)).expect("a frame of the scene");
    let frame = renderer.draw_staged(&staged, RasterOptions::default()).unwrap().frame;
    (FrameRecord::new(&SceneRecord::new(&renderer), &renderer, &staged, &frame).unwrap(), frame)
}

/// The cause that is reported for an edit of the scene or of the mesh.
fn cause(scene: &dyn Fn(&str) -> String, mesh: &dyn Fn(&str) -> String) -> Cause {
    let (old, before) = shoot(SCENE, MESH);
    let (new, after) = shoot(&scene(SCENE), &mesh(MESH));
    let difference = compare(&before, &after).expect("another picture");
    // The golden's side has been through its text.
    let old = FrameRecord::parse(&old.to_text()).expect("what was just written");
    find_cause(&old, &new, &difference)
}

fn as_it_is(text: &str) -> String {
    text.to_owned()
}

#[test]
fn text_keeps_everything() {
    let (print, _) = shoot(SCENE, MESH);
    let mut back = FrameRecord::parse(&print.to_text()).expect("what was just written");
    // Tables are unordered.
    let sorted = |mut print: FrameRecord| {
        print.scene.iter_mut().for_each(|subject| subject.values.sort());
        print.scene.sort_by(|a, b| a.name.cmp(&b.name));
        // The location of a file is not part of the text.
        print.assets.iter_mut().for_each(|asset| asset.place = None);
        print
    };
    back = sorted(back);
    assert_eq!(back, sorted(print));
}

#[test]
fn text_of_another_version_or_form_says_so() {
    let text = shoot(SCENE, MESH).0.to_text();
    let said = |text: &str| FrameRecord::parse(text).expect_err("no record").to_string();
    let other = said(&text.replace("version = 2\n", "version = 7\n"));
    assert_eq!(other, "record version 7, but this program writes 2");
    assert!(said("version = 2\nimage = [").starts_with("line 2: "));
    assert_eq!(said(&text.replace("covered = ", "covert = ")), "covered: expected a whole number");
    assert_eq!(
        said(&text.replace("\"root\", -1, ", "\"root\", ")),
        "joints: expected a name, a parent and two words"
    );
}

#[test]
fn cause_in_the_scene_comes_first() {
    let light = cause(&|text| text.replace("[-1, -1, 0]", "[-1, -0.5, 0]"), &as_it_is);
    let said = "light 1 turned 18.4° (direction 0.7071 0.7071 0.0 -> 0.8944 0.4472 0.0)";
    assert_eq!((light.stage, light.to_string().as_str()), (Stage::Scene, said));
    let eye = cause(&|text| text.replace("[7, 1, 0]", "[7, 1, 0.5]"), &as_it_is);
    assert_eq!(eye.what(), "camera moved 0.5 (eye 7.0 1.0 0.0 -> 7.0 1.0 0.5)");
    assert!(eye.evidence()[0].starts_with("in the later stage visibility: "), "{eye:?}");
    let color = cause(&|text| text.replace("color = \"#ff8040\"\n", ""), &as_it_is);
    assert!(
        color.what().starts_with("material \"glove\" color is the default, was 1.0 "),
        "{color}"
    );
    let place =
        cause(&|text| format!("{text}[[instance]]\nmodel = \"m\"\nscale = 0.5\n"), &as_it_is);
    assert_eq!(place.what(), "instance 0 scale 0.5, was the default");
}

#[test]
fn cause_of_a_shadow_is_the_light_that_casts_it() {
    let grounded = format!("{SCENE}[ground]\n");
    let said = |old: &str, new: &str| {
        let ((old, before), (new, after)) = (shoot(old, MESH), shoot(new, MESH));
        // In such a small picture some of these are invisible; the words are the same.
        let difference = compare(&before, &after).or_else(|| compare(&before, &Frame::new(48, 36)));
        let difference = difference.expect("another picture");
        find_cause(&old, &new, &difference).to_string()
    };
    let with = |keys: &str| {
        let direction = "direction = [-1, -1, 0]\n";
        grounded.replace(direction, &format!("{direction}{keys}"))
    };
    let (shaded, hard) =
        (with("shadow = true\n"), with("shadow = true\nshadow_softness_deg = 0\n"));
    assert_eq!(said(&grounded, &shaded), "light 1 now casts a shadow (3.0 deg, 1024 texels)");
    assert_eq!(
        said(&hard, &grounded),
        "light 1 no longer casts a shadow, was 0.0 deg, 1024 texels"
    );
    assert_eq!(said(&shaded, &hard), "light 1 shadow 3.0 deg, 1024 texels -> 0.0 deg, 1024 texels");
    assert_eq!(said(SCENE, &grounded), "ground is new (contact 0.75)");
    let faint = grounded.replace("[ground]\n", "[ground]\ncontact = 0.5\n");
    assert_eq!(said(&grounded, &faint), "ground contact 0.75 -> 0.5");
    // The caster is named before its shadow.
    let moved = shaded.replace(
        "file = \"m.md5mesh\"\n",
        "file = \"m.md5mesh\"\n[[instance]]\nmodel = \"m\"\nscale = 0.5\n",
    );
    assert!(said(&shaded, &moved).starts_with("instance 0 scale 0.5"), "{moved}");
}

#[test]
fn cause_in_the_pose_is_the_joint_that_turned() {
    // The arm turns about x by 36.87 degrees, and carries the hand.
    let turned = cause(&as_it_is, &|text| {
        text.replace("\"arm\" 0 ( 0 1 0 ) ( 0 0 0 )", "\"arm\" 0 ( 0 1 0 ) ( 0.316227766 0 0 )")
            .replace(
                "\"hand\" 1 ( 0 2 0 ) ( 0 0 0 )",
                "\"hand\" 1 ( 0 1.8 -0.6 ) ( 0.316227766 0 0 )",
            )
    });
    let wanted = "pose: joint arm turned 36.9° (1 joint below it follows)";
    assert_eq!(turned.to_string(), wanted);
    assert!(turned.evidence().contains(&"changed files: m.md5mesh".to_owned()), "{turned:?}");
    let moved = cause(&as_it_is, &|text| text.replace("( 0 2 0 )", "( 0 2.25 0 )"));
    assert_eq!(moved.what(), "joint hand moved 0.25");
    let renamed = cause(&as_it_is, &|text| {
        text.replace("\"arm\"", "\"sleeve\"").replace("( 0 2 0 )", "( 0 2.25 0 )")
    });
    // A renaming moves nothing and is reported in addition.
    assert_eq!(renamed.what(), "joint hand moved 0.25");
    assert!(
        renamed.evidence().contains(&"joint arm is renamed to sleeve".to_owned()),
        "{renamed:?}"
    );
}

#[test]
fn cause_in_the_skin_is_the_vertex_that_moved() {
    let one = cause(&as_it_is, &|text| {
        text.replace("weight 2 2 1 ( 0 1 1 )", "weight 2 2 1 ( 0 1.5 1 )")
    });
    let wanted = "skin: mesh glove moved, worst vertex 2 by 0.5, joints equal: weights changed";
    assert_eq!(one.to_string(), wanted);
    let two = cause(&as_it_is, &|text| {
        text.replace("weight 2 2 1 ( 0 1 1 )", "weight 2 2 1 ( 0 1.5 1 )")
            .replace("weight 1 2 1 ( 0 1 0 )", "weight 1 2 1 ( 0 1.5 0.25 )")
    });
    let wanted =
        "mesh glove moved, vertex 1 by 0.559 and vertex 2 by 0.5, joints equal: weights changed";
    assert_eq!(two.what(), wanted);
    let all = cause(&as_it_is, &|text| {
        text.replace(" 2 1 ( 0 1 0 )", " 2 1 ( 0.5 1 0 )")
            .replace(" 2 1 ( 0 1 1 )", " 2 1 ( 0.5 1 1 )")
    });
    let wanted = "mesh glove moved, vertices 1 and 2 by 0.5 each, joints equal: weights changed";
    assert_eq!(all.what(), wanted);
    let texcoord =
        cause(&|text| text.replace("\"coat\"\n", "\"coat\"\ncull = \"back\"\n"), &|text| {
            text.replacen("vert 2 ( 1 1 )", "vert 2 ( 1 0.5 )", 1)
        });
    assert_eq!(texcoord.stage, Stage::Scene);
}

#[test]
fn position_sums_name_any_one_vertex() {
    for count in [1, 2, 3, 64, 1000] {
        let place = |vertex: usize| Vec3::new(vertex as f32, (vertex * vertex % 97) as f32, -1.0);
        let old = PositionSums::new((0..count).map(place), 100.0);
        assert_eq!(old.moved_since(&old, count), Some(Moved::TooLittle));
        for moved in [0, count / 2, count - 1] {
            let shifted = |vertex: usize| {
                place(vertex) + if vertex == moved { Vec3::new(3.0, 0.0, 4.0) } else { Vec3::ZERO }
            };
            let new = PositionSums::new((0..count).map(shifted), 100.0);
            assert_eq!(
                new.moved_since(&old, count),
                Some(Moved::One { vertex: moved, distance: 5.0 })
            );
        }
        if count > 2 {
            let shifted =
                |vertex: usize| place(vertex) + Vec3::X * if vertex < 2 { 1.0 } else { 0.0 };
            let new = PositionSums::new((0..count).map(shifted), 100.0);
            let last = count.min(64) - 1;
            let least = 2.0 / (last + 1) as f64;
            let wanted = Moved::Several { blocks: 1, first: 0, last, least };
            assert_eq!(new.moved_since(&old, count), Some(wanted));
        }
    }
}

#[test]
fn position_sums_tell_where_several_vertices_moved() {
    let place = |vertex: usize| Vec3::new(vertex as f32 * 0.25, 1.0, (vertex % 7) as f32);
    let shifted = |vertex: usize| match vertex {
        10 => place(vertex) + Vec3::Y * 0.5,
        200 => place(vertex) - Vec3::Z * 32.0,
        _ => place(vertex),
    };
    let old = PositionSums::new((0..300).map(place), 80.0);
    let new = PositionSums::new((0..300).map(shifted), 80.0);
    let wanted = Moved::Several { blocks: 2, first: 192, last: 255, least: 0.5 };
    assert_eq!(new.moved_since(&old, 300), Some(wanted));
    let other = PositionSums { blocks: "?".repeat(old.blocks.len()), ..old.clone() };
    assert_eq!(
        (new.moved_since(&other, 300), old.moved_since(&PositionSums::default(), 300)),
        (None, None)
    );
}

#[test]
fn joints_of_a_crowd_are_named_by_their_marks() {
    let crowd = |text: &str| {
        (0..12).fold(text.to_owned(), |text, place| {
            format!("{text}[[instance]]\nmodel = \"m\"\nposition = [0, 0, {place}]\n")
        })
    };
    let (mut old, before) = shoot(&crowd(SCENE), MESH);
    let edit = MESH.replace("\"arm\" 0 ( 0 1 0 )", "\"arm\" 0 ( 0 1 0.5 )");
    let (new, after) = shoot(&crowd(SCENE), &edit.replace("( 0 2 0 )", "( 0 2 0.5 )"));
    let difference = compare(&before, &after).expect("another picture");
    // As if the ones that are kept had stayed.
    let pose =
        |index: usize| (new.instances[index].pose.clone(), new.instances[index].marks.clone());
    for index in 0..MAX_INSTANCES {
        (old.instances[index].pose, old.instances[index].marks) = pose(index);
    }
    // As a record without content.
    old.contents = Arc::default();
    let old = FrameRecord::parse(&old.to_text()).expect("what was just written");
    let cause = find_cause(&old, &new, &difference);
    let wanted = "pose: instance 8 (m): joint arm moved (distances are not recorded for so many instances) (1 joint below it follows); 3 other instances changed too";
    assert_eq!(cause.to_string(), wanted);
}

#[test]
fn one_of_each_model_is_told_behind_a_crowd() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text);
    let mut scene = format!("{SCENE}name = \"m\"\n[[model]]\nname = \"n\"\nfile = \"n.md5mesh\"\n");
    for place in 0..40 {
        let model = if place == 33 { "n" } else { "m" };
        scene += &format!("[[instance]]\nmodel = \"{model}\"\nposition = [0, 0, {place}]\n");
    }
    write("m.md5mesh", MESH).expect("a file");
    write("n.md5mesh", MESH).expect("a file");
    let (old, before) = shoot_in(folder.path(), &scene);
    assert_eq!(old.instances.iter().filter(|one| !one.meshes.is_empty()).count(), MAX_INSTANCES);
    let text = old.to_text();
    let old = FrameRecord::parse(&text).expect("what was just written");
    assert_eq!(old.instances.len(), 40);
    write("n.md5mesh", &MESH.replace("1 ( 0 1 2 )", "1 ( 0 1 1.5 )")).expect("a file");
    let (new, after) = shoot_in(folder.path(), &scene);
    // The picture may show none of it: the position is hidden.
    let difference =
        compare(&before, &after).unwrap_or(Difference::Size { expected: [1, 1], found: [2, 2] });
    let cause = find_cause(&old, &new, &difference);
    let wanted = "mesh coat moved, worst vertex 2 by 0.5, joints equal: weights changed";
    assert_eq!(cause.to_string(), format!("skin: model n: {wanted}"));
    // Without content the instance is named.
    let older = FrameRecord { contents: Arc::default(), ..old };
    let cause = find_cause(&older, &new, &difference);
    assert_eq!(cause.to_string(), format!("skin: instance 33 (n): {wanted}"));
    for broken in
        [text.replace("number = 33", "number = 77"), text.replace("number = 33", "number = 2")]
    {
        let said = FrameRecord::parse(&broken).expect_err("no place for it").to_string();
        assert_eq!(said, "number: expected another instance of the scene each");
    }
}

#[test]
fn equal_stages_leave_the_light() {
    let (print, frame) = shoot(SCENE, MESH);
    let mut other = frame.clone();
    other.rgba[700][1] ^= 9;
    let difference = compare(&frame, &other).expect("one pixel");
    assert!(matches!(difference, Difference::Pixels(_)));
    let cause = find_cause(&print, &print, &difference);
    assert!(
        cause.to_string().starts_with("only shading differs: 1 pixel, largest difference "),
        "{cause}"
    );
}

/// The words of edits that a frame does not show.
fn unseen(old: &FrameRecord, new: &FrameRecord) -> Vec<String> {
    unseen_edits(old, new).iter().map(ToString::to_string).collect()
}

/// The older record as if code of another revision had made it.
fn cause_across(scene: &dyn Fn(&str) -> String, mesh: &dyn Fn(&str) -> String) -> Cause {
    let (old, before) = shoot(SCENE, MESH);
    let (new, after) = shoot(&scene(SCENE), &mesh(MESH));
    let old = FrameRecord { pixel_revision: old.pixel_revision - 1, ..old };
    let difference = compare(&before, &after).or_else(|| compare(&before, &Frame::new(48, 36)));
    find_cause(&old, &new, &difference.expect("another picture"))
}

#[test]
fn new_revision_is_only_drawing_if_the_content_is_equal() {
    let revision = tintype_model::frame::PIXEL_REVISION;
    let only =
        format!("only drawing changed, from pixel revision {} to {revision}: ", revision - 1);
    let drawing = cause_across(&as_it_is, &as_it_is);
    assert_eq!(drawing.stage, Stage::Drawing);
    assert!(drawing.what().starts_with(&format!("{only}poses and skins are equal; ")), "{drawing}");
    // Another spelling of the same model does not change its content.
    let spelled = cause_across(&as_it_is, &|text| format!("{text}// exported again\n"));
    assert!(spelled.what().starts_with(&only), "{spelled}");
    assert!(spelled.evidence().contains(&"changed files: m.md5mesh".to_owned()), "{spelled:?}");
    // Another skin of the same files comes from the code.
    let (mut old, before) = shoot(SCENE, MESH);
    let new = old.clone();
    old.pixel_revision -= 1;
    old.instances[0].skin = "0".repeat(16);
    let difference = compare(&before, &Frame::new(48, 36)).expect("another picture");
    let skinned = find_cause(&old, &new, &difference);
    assert!(
        skinned.what().starts_with(&format!("{only}the scene and its files are equal")),
        "{skinned}"
    );
}

#[test]
fn new_revision_hides_no_change_of_content() {
    let light = cause_across(&|text| text.replace("[-1, -1, 0]", "[-1, -0.5, 0]"), &as_it_is);
    assert!(light.to_string().starts_with("light 1 turned 18.4° ("), "{light}");
    assert!(
        light.evidence()[0].starts_with("drawing changed too, from pixel revision "),
        "{light:?}"
    );
    let moved = cause_across(&as_it_is, &|text| text.replace("( 0 2 0 )", "( 0 2.25 0 )"));
    assert_eq!(moved.to_string(), "pose: joint hand moved 0.25");
    let weight = cause_across(&as_it_is, &|text| {
        text.replace("weight 2 2 1 ( 0 1 1 )", "weight 2 2 1 ( 0 1.5 1 )")
    });
    assert!(weight.to_string().starts_with("skin: mesh glove moved, worst vertex 2 by 0.5"));
    let (mut old, before) = shoot(SCENE, MESH);
    let mut new = old.clone();
    old.pixel_revision -= 1;
    let texture = |digest: &str| AssetRecord {
        name: "coat.png".to_owned(),
        digest: digest.to_owned(),
        is_texture: true,
        texels: Some(digest.to_owned()),
        place: None,
    };
    old.assets.push(texture("0"));
    new.assets.push(texture("1"));
    let difference = compare(&before, &Frame::new(48, 36)).expect("another picture");
    assert_eq!(find_cause(&old, &new, &difference).to_string(), "texture: coat.png changed");
}

#[test]
fn key_has_all_edits_and_nothing_of_the_frame() {
    // Edits of several stages, whichever the first line mentions.
    let turn = |text: &str| text.replace("[-1, -1, 0]", "[-1, -0.5, 0]");
    let mesh = |text: &str| text.replace("weight 2 2 1 ( 0 1 1 )", "weight 2 2 1 ( 0 1.5 1 )");
    let light = cause(&turn, &as_it_is);
    assert_eq!((light.whole(), light.is_whole()), (light.to_string(), true));
    let both = cause(&turn, &mesh);
    assert_eq!(both.to_string(), light.to_string());
    assert!(
        !both.is_whole() && both.whole().starts_with(&format!("{light}; also skin: ")),
        "{both:?}"
    );
    // As far in another direction is another change.
    let other = cause(&|text| text.replace("[-1, -1, 0]", "[-0.5, -1, 0]"), &as_it_is);
    assert!(other.what().starts_with("light 1 turned 18.4°") && other.id != light.id, "{other}");
    let lamp = |watt: &str| {
        let lamp =
            format!("[[light]]\nkind = \"point\"\nposition = [2, 2, 0]\nintensity = {watt}\n");
        cause(&move |text| text.to_owned() + &lamp, &as_it_is)
    };
    assert_ne!(lamp("20").id, lamp("200").id);
    // Values of edits are part of it, including those that the first line only counts.
    let many = |last: &str| {
        cause(
            &|text| {
                let text = turn(text).replace("[7, 1, 0]", "[7, 1, 0.5]");
                format!(
                    "{}[[instance]]\nmodel = \"m\"\nscale = {last}\n[ground]\n",
                    text.replace("#ff8040", "#ff8041")
                )
            },
            &as_it_is,
        )
    };
    let [first, second] = ["0.5", "0.25"].map(many);
    assert!(first.what().ends_with(" more changes") && !first.is_whole(), "{first:?}");
    assert!(
        first.whole().contains("scale 0.5") && second.whole().contains("scale 0.25"),
        "{first:?}"
    );
    // An edit that is visible in one of two frames but not in any record has no amounts.
    let (mut old, before) = shoot(SCENE, MESH);
    let mut new = old.clone();
    (old.contents, new.contents) = Default::default();
    new.instances[0].pose = "0".repeat(16);
    new.instances[0].marks = "~~".repeat(3);
    new.instances[0].joints[1].translation.y += 0.5;
    let difference = compare(&before, &Frame::new(48, 36)).expect("another picture");
    let once = find_cause(&old, &new, &difference);
    new.instances[0].joints[1].translation.y += 0.5;
    let twice = find_cause(&old, &new, &difference);
    assert_ne!(once.to_string(), twice.to_string());
    assert_eq!(once.id, twice.id);
}

#[test]
fn order_and_names_are_told_and_hide_nothing() {
    // Hand before arm, and both on the root.
    let flat = |text: &str| text.replace("\"hand\" 1", "\"hand\" 0");
    let swapped = |text: &str| {
        let text = flat(text).replace(
            "\"arm\" 0 ( 0 1 0 ) ( 0 0 0 )\n\"hand\" 0 ( 0 2 0 ) ( 0 0 0 )\n",
            "\"hand\" 0 ( 0 2 0 ) ( 0 0 0 )\n\"arm\" 0 ( 0 1 0 ) ( 0 0 0 )\n",
        );
        ["0", "1", "2", "3"].iter().fold(text, |text, number| {
            text.replace(&format!("weight {number} 2 1"), &format!("weight {number} 1 1"))
        })
    };
    let (old, _) = shoot(SCENE, &flat(MESH));
    let (new, _) = shoot(SCENE, &swapped(MESH));
    let old = FrameRecord::parse(&old.to_text()).expect("what was just written");
    assert_eq!(unseen(&old, &new), ["joints are in another order"]);
    assert_eq!(find_hidden(&old, &new, PoseRule::default()), None);
    let (moved, _) = shoot(SCENE, &swapped(MESH).replace("( 0 2 0 )", "( 0 2.5 0 )"));
    let hidden = find_hidden(&old, &moved, PoseRule::default()).expect("a joint that moved");
    assert_eq!(hidden.to_string(), "pose: joint hand moved 0.5");
    assert!(hidden.evidence().contains(&"joints are in another order".to_owned()), "{hidden:?}");
    let (renamed, _) = shoot(SCENE, &flat(MESH).replace("\"arm\"", "\"sleeve\""));
    assert_eq!(unseen(&old, &renamed), ["joint arm is renamed to sleeve"]);
}

#[test]
fn lights_and_instances_are_matched_before_they_are_compared() {
    let light = "[[light]]\nkind = \"point\"\nposition = [1, 1, 1]\n";
    let front = |text: &str| text.replacen("[[light]]", &format!("{light}[[light]]"), 1);
    let added = cause(&front, &as_it_is);
    assert!(added.to_string().starts_with("light 1 is new"), "{added}");
    assert!(!added.to_string().contains("light 2"), "{added}");
    let (one, _) = shoot(&front(SCENE), MESH);
    let (none, _) = shoot(SCENE, MESH);
    assert!(unseen(&one, &none)[0].starts_with("light 1 of the golden is gone"));
    let instances = |first: &str, second: &str| {
        let table = |place: &str| format!("[[instance]]\nmodel = \"m\"\nposition = {place}\n");
        shoot(&format!("{SCENE}{}{}", table(first), table(second)), MESH).0
    };
    let (old, new) = (instances("[0, 0, 1]", "[0, 0, -2]"), instances("[0, 0, -2]", "[0, 0, 1]"));
    assert_eq!(unseen(&old, &new), ["instances are in another order"]);
    assert_eq!(find_hidden(&old, &new, PoseRule::default()), None);
}

#[test]
fn parts_are_read_back_and_shared_by_what_is_the_same() {
    let (record, _) = shoot(SCENE, MESH);
    let whole = FrameRecord::parse(&record.to_text()).expect("what was just written");
    for has_views in [false, true] {
        let (text, parts) = record.to_files(has_views);
        assert_eq!(text.contains("[[instance]]"), !has_views);
        let read = |names: Vec<String>| {
            let is_name = |name: &String| parts.iter().find(|(own, _)| own == name);
            parse_parts(
                &names
                    .iter()
                    .filter_map(is_name)
                    .map(|(_, text)| text.as_str())
                    .collect::<String>(),
            )
        };
        assert_eq!(FrameRecord::parse_file(&text, read).expect("what was just written"), whole);
        assert!(FrameRecord::parse_file(&text, |_| parse_parts("")).is_ok());
        assert!(FrameRecord::parse_file(&text, |_| parse_parts("[[content]]")).is_err());
    }
    // An edit of a joint leaves the parts of meshes unchanged.
    let (edited, _) = shoot(SCENE, &MESH.replace("\"hand\"", "\"mitt\""));
    let names = |record: &FrameRecord| -> Vec<String> {
        record.to_files(false).1.into_iter().map(|(name, _)| name).collect()
    };
    let (old, new) = (names(&record), names(&edited));
    assert!(old[0] != new[0] && old.len() == new.len() && old.len() > 2, "{old:?}, {new:?}");
    assert!(old.iter().any(|name| new.contains(name)), "{old:?}, {new:?}");
}

/// The first square with its vertices in another order.
fn turned_square(text: &str) -> String {
    let vertices =
        "vert 0 ( 0 0 ) 0 1\nvert 1 ( 1 0 ) 1 1\nvert 2 ( 1 1 ) 2 1\nvert 3 ( 0 1 ) 3 1\n";
    let turned = "vert 0 ( 0 1 ) 3 1\nvert 1 ( 0 0 ) 0 1\nvert 2 ( 1 0 ) 1 1\nvert 3 ( 1 1 ) 2 1\n";
    let triangles = ("tri 0 0 1 2\ntri 1 0 2 3\n", "tri 0 1 2 3\ntri 1 1 3 0\n");
    text.replacen(vertices, turned, 1).replacen(triangles.0, triangles.1, 1)
}

#[test]
fn order_of_vertices_and_last_digits_are_no_change() {
    let (old, _) = shoot(SCENE, MESH);
    let old = FrameRecord::parse(&old.to_text()).expect("what was just written");
    let (new, _) = shoot(SCENE, &turned_square(MESH));
    assert_eq!(find_hidden(&old, &new, PoseRule::default()), None);
    let told = unseen(&old, &new);
    assert!(told[0].starts_with("mesh coat: the same surface, 4 vertices"), "{told:?}");
    let moved = turned_square(MESH).replace("( 0 2 0 )", "( 0 2.5 0 )");
    let hidden = find_hidden(&old, &shoot(SCENE, &moved).0, PoseRule::default());
    assert_eq!(hidden.expect("a joint that moved").to_string(), "pose: joint hand moved 0.5");
    let (new, _) = shoot(SCENE, &MESH.replace("( 0 2 0 )", "( 0 2.0000005 0 )"));
    assert_eq!(find_hidden(&old, &new, PoseRule::default()), None);
    assert_eq!(unseen(&old, &new), Vec::<String>::new());
}

#[test]
fn clips_of_models_are_known_by_their_subject() {
    let model = tintype_scene::builder::ModelBuilder::new("imp clip 1.md5mesh").clip("a.md5anim");
    let scene = tintype_scene::SceneBuilder::new().model(model).build("scene");
    let of = |name: String| Subject { name, values: Vec::new() };
    let subjects = scene.unwrap().parameters().into_iter().map(|one| of(one.subject));
    let clips = subjects.filter(Subject::is_clip_of_model).count();
    assert_eq!(clips, 1);
}
