//! Requests are obeyed: named clips play, and missing ones are refused; repairs of files draw
//! nothing.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::command::{BOX, tintype, wanted};
use crate::support::trial;
use libtest_mimic::Failed;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

type Outcome = Result<(), Failed>;

/// A clip of three keys that lifts the box.
pub(crate) fn lift(joint: &str) -> String {
    format!(
        "MD5Version 10\ncommandline \"\"\nnumFrames 3\nnumJoints 1\nframeRate 6\nnumAnimatedComponents 1\n\
         hierarchy {{\n\"{joint}\" -1 4 0\n}}\n\
         bounds {{\n( 0 0 0 ) ( 1 1 3 )\n( 0 0 0 ) ( 1 1 3 )\n( 0 0 0 ) ( 1 1 3 )\n}}\n\
         baseframe {{\n( 0 0 0 ) ( 0 0 0 )\n}}\nframe 0 {{\n0\n}}\nframe 1 {{\n1\n}}\nframe 2 {{\n2\n}}\n"
    )
}

/// True if a turntable that does not turn has different frames.
fn moves(folder: &Path, output: &str) -> bool {
    let read = |name: &str| fs::read(folder.join(output).join(name)).unwrap();
    read("0000.png") != read("0001.png")
}

const STILL: [&str; 9] =
    ["--turn", "0", "-n", "3", "--size", "32x32", "--background", "transparent", "--overwrite"];

#[trial]
fn clip_that_is_named_plays_whatever_its_name_says() -> Outcome {
    let folder = TempDir::new()?;
    let folder = folder.path();
    fs::create_dir(folder.join("clips"))?;
    fs::write(folder.join("box.md5mesh"), BOX)?;
    for name in ["attack2", "jump", "pain", "death", "reload", "explode", "bind", "walk"] {
        let clip = format!("clips/{name}.md5anim");
        fs::write(folder.join(&clip), lift("root"))?;
        let more = ["turntable", "box.md5mesh", "-a", &clip, "-o", name];
        wanted(&tintype(folder, &[&more[..], &STILL].concat()), 0, "")?;
        if !moves(folder, name) {
            return Err(format!("{name} does not play").into());
        }
    }
    // A path alone is a turntable, too.
    let alone = ["box.md5mesh", "-a", "clips/death.md5anim", "-o", "alone"];
    wanted(&tintype(folder, &[&alone[..], &STILL].concat()), 0, "")?;
    assert!(moves(folder, "alone"), "a path alone");
    // One that does not fit is refused, not left out.
    let two_joints = lift("wheel")
        .replace("numJoints 1", "numJoints 2")
        .replace("4 0\n}", "4 0\n\"axle\" 0 0 0\n}")
        .replace("( 0 0 0 ) ( 0 0 0 )\n}", "( 0 0 0 ) ( 0 0 0 )\n( 0 0 0 ) ( 0 0 0 )\n}");
    fs::write(folder.join("clips/other.md5anim"), two_joints)?;
    let other = ["turntable", "box.md5mesh", "-a", "clips/other.md5anim", "-o", "other"];
    wanted(&tintype(folder, &[&other[..], &STILL].concat()), 2, "does not fit")?;
    // Only one of two files plays, and the output names it.
    let two = ["-a", "clips/jump.md5anim", "-a", "clips/walk.md5anim", "-o", "two"];
    let two = [&["turntable", "box.md5mesh"][..], &two, &STILL].concat();
    wanted(&tintype(folder, &two), 2, "--anim: 2 files, but only one clip plays")?;
    wanted(&tintype(folder, &[&two[..], &["--clip", "walk"]].concat()), 0, "\"walk\"")
}

#[trial]
fn clip_that_is_not_there_is_refused() -> Outcome {
    let folder = TempDir::new()?;
    let folder = folder.path();
    for name in ["a", "b"] {
        fs::create_dir_all(folder.join("models").join(name))?;
        fs::write(folder.join("models").join(name).join("box.md5mesh"), BOX)?;
    }
    fs::write(folder.join("models/a/raise.md5anim"), lift("root"))?;
    let run = |arguments: &[&str]| tintype(folder, arguments);
    // One model: exit code 2, the available names, and no picture.
    let one = "models/a/box.md5mesh";
    let said = "--clip: no clip \"rise\"; available: raise";
    wanted(&run(&["thumbnail", one, "--clip", "rise", "-o", "one.png", "-s", "32"]), 2, said)?;
    assert!(!folder.join("one.png").exists());
    let with_file = ["thumbnail", one, "-a", "models/a/raise.md5anim", "-o", "one.png", "-s", "32"];
    wanted(&run(&[&with_file[..], &["--clip", "walk"]].concat()), 2, "--clip: no clip \"walk\"")?;
    wanted(&run(&[&with_file[..], &["--clip", "raise:0-1"]].concat()), 0, "")?;
    // A part of a clip that is named by its position is cut, too, also of the second file beside a
    // model.
    fs::write(folder.join("models/a/second.md5anim"), lift("root"))?;
    for clip in ["0:0-9", "1:0-9"] {
        let arguments = ["thumbnail", one, "--clip", clip, "-o", "part.png", "-s", "32"];
        wanted(&run(&arguments), 2, "--clip: keys 0-9 are outside the clip")?;
    }
    fs::remove_file(folder.join("models/a/second.md5anim"))?;
    // Several: those without it are drawn as usual, and counted once.
    let counted = "warning: --clip: 1 of 2 models has no clip \"raise\" and is drawn as if --clip were not given";
    let many = ["thumbnail", "models", "-o", "many", "-s", "32", "--clip"];
    for _ in 0..2 {
        let output = run(&[&many[..], &["raise"]].concat());
        wanted(&output, 0, counted)?;
        let told = String::from_utf8_lossy(&output.stderr).matches("raise").count();
        assert_eq!(told, 1, "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(folder.join("many/b/box.md5mesh.png").exists());
    let none = "--clip: none of the 2 models has a clip \"rise\"; available: raise";
    wanted(&run(&[&many[..], &["rise"]].concat()), 2, none)?;
    // A shard does not know the clips of the others.
    let share = [&many[..], &["rise", "--shard", "2/2"]].concat();
    wanted(&run(&share), 0, "warning: --clip: 1 of 1 model has no clip \"rise\"")?;
    let turns = ["turntable", "models", "-o", "turns", "-n", "2", "--size", "32x32", "--clip"];
    wanted(&run(&[&turns[..], &["raise"]].concat()), 0, counted)?;
    wanted(&run(&[&turns[..], &["rise"]].concat()), 2, none)
}

/// Pairs of a file with triangles without an area, and the same without them. A corner of such a
/// triangle belongs to no other, lies on the edge of its others or equals one of them, so that the
/// triangle could have an area in another pose.
fn pairs() -> Vec<(&'static str, String, String)> {
    let obj = |more: &str| {
        format!(
            "v -1 0 0\nv 1 0 0\nv 1 2 0\nv -1 2 0\nv 0 1 0.8\nv 0 0 0\nv 1 1 0\nv 3 3 3\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n{more}"
        )
    };
    let of_box = |more: &[&str]| {
        let count = 12 + more.len();
        let lines: String =
            (12..).zip(more).map(|(k, line)| format!("  tri {k} {line}\n")).collect();
        let text = BOX.replace("numtris 12\n", &format!("numtris {count}\n"));
        let text = text.replace("numverts 8\n", "numverts 9\n");
        let text = text.replace("  numtris", "  vert 8 ( 0 0 ) 8 1\n  numtris");
        let weights = BOX.matches("  weight ").count();
        let text = text
            .replace(&format!("numweights {weights}\n"), &format!("numweights {}\n", weights + 1));
        // On the edge between the corners 0 and 1, and a little higher for the second.
        let (before, behind) = text.rsplit_once("}").unwrap();
        let text = format!("{before}  weight {weights} 0 1 ( 9 9 9 )\n}}{behind}");
        let (head, tail) = text.split_once("  numweights").unwrap();
        format!("{head}{lines}  numweights{tail}")
    };
    let x = |more: &[&str]| {
        let faces: String = more.iter().map(|face| format!(", 3;{face};")).collect();
        format!(
            "xof 0303txt 0032\nMesh roof {{ 7;\n-1.0;0.0;0.0;, 1.0;0.0;0.0;, 1.0;2.0;0.0;, -1.0;2.0;0.0;, 0.0;1.0;-0.8;, 0.0;0.0;0.0;, 3.0;3.0;3.0;;\n\
             {}; 3;0,4,1;, 3;1,4,2;, 3;2,4,3;, 3;3,4,0;{faces};\n}}\n",
            4 + more.len()
        )
    };
    vec![
        ("edge.obj", obj("f 1 2 6\nf 2 3 7\n"), obj("")),
        ("corner.obj", obj("f 1 8 8\nf 2 2 8\nf 8 3 3\n"), obj("")),
        ("corner.md5mesh", of_box(&["0 8 8", "6 6 8"]), of_box(&[])),
        ("edge.x", x(&["0,1,5"]), x(&[])),
        ("corner.x", x(&["0,6,6", "2,2,6"]), x(&[])),
    ]
}

#[trial]
fn triangles_without_an_area_change_no_picture() -> Outcome {
    let views = ["picture", "depth", "normal", "overdraw"];
    for (name, with, without) in pairs() {
        let folder = TempDir::new()?;
        let folder = folder.path();
        let draw = |side: &str, text: &str| -> Result<Vec<Vec<u8>>, Failed> {
            fs::create_dir_all(folder.join(side))?;
            fs::write(folder.join(side).join(name), text)?;
            let scene = format!(
                "[output]\nsize = [64, 64]\naov = [\"depth\", \"normal\", \"overdraw\"]\nfile = \"{side}/out.####.png\"\n\
                 [camera]\nazimuth_deg = 20\nelevation_deg = 15\n[[model]]\nfile = \"{side}/{name}\"\n"
            );
            fs::write(folder.join("scene.toml"), scene)?;
            wanted(&tintype(folder, &["render", "scene.toml"]), 0, "")?;
            let files = views.map(|view| match view {
                "picture" => format!("{side}/out.0000.png"),
                view => format!("{side}/out.0000.{view}.png"),
            });
            let read =
                |file: &String| Ok(tintype_output::decode_png(&fs::read(folder.join(file))?)?.0);
            let frames: Result<Vec<_>, Failed> = files.iter().map(read).collect();
            Ok(frames?.into_iter().map(|frame| frame.rgba.concat()).collect())
        };
        for ((view, with), without) in
            views.iter().zip(draw("with", &with)?).zip(draw("without", &without)?)
        {
            if with != without {
                return Err(format!("{name}: {view} differs").into());
            }
        }
    }
    Ok(())
}
