//! Every command finds the files beside a model in the same way: clips and pictures in their usual
//! folders, and pictures assigned by hand.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::command::{BOX, tintype, wanted};
use crate::support::trial;
use crate::wishes::lift;
use libtest_mimic::Failed;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tintype_model::frame::Frame;
use tintype_output::{PngEffort, decode_png, encode_png};

type Outcome = Result<(), Failed>;

/// A folder with these files; models and clips are made by extension, pictures by colour.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, what) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let color = match *what {
            "red" => [200, 0, 0, 255],
            "green" => [0, 200, 0, 255],
            _ => [0, 0, 0, 0],
        };
        let picture = Frame { width: 4, height: 4, rgba: vec![color; 16] };
        let bytes = match *what {
            "model" => BOX.as_bytes().to_vec(),
            "clip" => lift("root").into_bytes(),
            "empty" => Vec::new(),
            "red" | "green" => encode_png(&picture, false, PngEffort::Fast, &[]),
            text => text.as_bytes().to_vec(),
        };
        fs::write(path, bytes).unwrap();
    }
    folder
}

/// The colour of a picture of a command: `red`, `green` or `grey`.
fn color(folder: &Path, arguments: &[&str]) -> Result<&'static str, Failed> {
    let more = ["-o", "o.png", "--background", "transparent", "--overwrite"];
    let arguments: Vec<&str> = arguments.iter().copied().chain(more).collect();
    let output = tintype(folder, &arguments);
    wanted(&output, 0, "")?;
    let (frame, _) = decode_png(&fs::read(folder.join("o.png"))?)?;
    let solid = frame.rgba.iter().filter(|pixel| pixel[3] == 255);
    let sum = solid.fold([0_u32; 3], |sum, pixel| {
        [sum[0] + u32::from(pixel[0]), sum[1] + u32::from(pixel[1]), sum[2] + u32::from(pixel[2])]
    });
    Ok(match sum {
        [red, green, blue] if red > 2 * green && red > 2 * blue => "red",
        [red, green, blue] if green > 2 * red && green > 2 * blue => "green",
        [red, green, blue] if red.abs_diff(green) < red / 8 && red.abs_diff(blue) < red / 8 => {
            "grey"
        }
        _ => "another",
    })
}

#[trial]
fn clips_are_found_in_folders_beside_and_below_by_every_command() -> Outcome {
    for clip in [
        "lib/animations/raise.md5anim",
        "lib/Anims/raise.MD5ANIM",
        "lib/md5anim/box/raise.md5anim",
        "lib/models/anim/raise.md5anim",
        "lib/models/clips/raise.md5anim",
    ] {
        let folder = folder(&[("lib/models/box.md5mesh", "model"), (clip, "clip")]);
        let folder = folder.path();
        let model = "lib/models/box.md5mesh";
        let run = |arguments: &[&str], says: &str| wanted(&tintype(folder, arguments), 0, says);
        run(&["pose", model, "--clip", "raise", "--frame", "2", "-o", "a.obj"], "")?;
        run(
            &["pose", model, "-a", clip, "--clip", "raise:1-2", "--frame", "1", "-o", "b.obj"],
            "",
        )?;
        run(&["pose", model, "--time", "0.3", "-o", "c.obj"], ", found beside the model")?;
        run(&["pose", model, "-o", "bind.obj"], "")?;
        let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(read("a.obj"), read("b.obj"), "{clip}");
        assert!(read("a.obj") != read("bind.obj") && read("c.obj") != read("bind.obj"), "{clip}");
        let small = ["-s", "32", "-o", "o.png", "--overwrite"];
        run(&[&["thumbnail", model, "--clip", "raise"][..], &small].concat(), "")?;
        let turn = ["turntable", model, "-n", "2", "--size", "16x16", "-o", "t"];
        run(&turn, "the clip \"raise\"")?;
        run(&["-v", "inspect", model], "clips beside it (inspect one with -a FILE): ")?;
    }
    Ok(())
}

#[trial]
fn pictures_are_found_in_folders_beside_and_below() -> Outcome {
    let model = ("lib/models/box.md5mesh", "model");
    for (file, more) in [
        ("lib/textures/box.png", ""),
        ("lib/tga/Box.PNG", ""),
        ("lib/models/texture/box_d.png", ""),
        ("lib/skins/crate.png", ""),
        // The only picture, of any name; unless another model may mean it.
        ("lib/models/anything.png", ""),
        ("lib/models/anything.png", "lib/models/other.md5mesh"),
    ] {
        let files = [model, (file, "red"), (more, "model")];
        let folder = folder(&files[..if more.is_empty() { 2 } else { 3 }]);
        let expected = if more.is_empty() { "red" } else { "grey" };
        let found = color(folder.path(), &["thumbnail", model.0, "-s", "32"])?;
        assert_eq!(found, expected, "{file} {more}");
    }
    Ok(())
}

#[trial]
fn pictures_are_given_by_folders_and_by_hand() -> Outcome {
    let files = [("m/box.md5mesh", "model"), ("s/box.png", "red"), ("s/b.png", "green")];
    let folder = folder(&files);
    let folder = folder.path();
    let thumbnail = ["thumbnail", "m/box.md5mesh", "-s", "32"];
    assert_eq!(color(folder, &thumbnail)?, "grey");
    assert_eq!(color(folder, &[&thumbnail[..], &["--textures", "s"]].concat())?, "red");
    for word in ["crate=s/b.png", "CRATE=s/b.png"] {
        assert_eq!(color(folder, &[&thumbnail[..], &["--texture", word]].concat())?, "green");
    }
    let turn = ["turntable", "m/box.md5mesh", "-n", "1", "--size", "24x24", "-o", "t"];
    let by_hand = [&turn[..], &["--texture", "crate=s/b.png", "--save-scene", "t.toml"]].concat();
    wanted(&tintype(folder, &by_hand), 0, "")?;
    assert!(fs::read_to_string(folder.join("t.toml"))?.contains("s/b.png"));
    let absent = [&turn[..], &["--texture", "wheel=s/b.png"]].concat();
    wanted(&tintype(folder, &absent), 0, "no mesh has the shader \"wheel\"")?;
    let wrong = [&turn[..], &["--texture", "s/b.png"]].concat();
    wanted(&tintype(folder, &wrong), 2, "expected NAME=FILE")
}

#[trial]
fn file_that_is_no_picture_costs_the_texture_alone() -> Outcome {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";
    for bad in [pointer, "empty", "no picture"] {
        let files = [("box.md5mesh", "model"), ("crate.tga", bad), ("crate.png", "green")];
        let both = folder(&files);
        assert_eq!(color(both.path(), &["thumbnail", "box.md5mesh", "-s", "32"])?, "green");
        let alone = folder(&files[..2]);
        let thumbnail = ["thumbnail", "box.md5mesh", "-s", "32"];
        assert_eq!(color(alone.path(), &thumbnail)?, "grey");
        let says = if bad == pointer { "Git LFS" } else { "skipped" };
        let output = tintype(alone.path(), &[&thumbnail[..], &["-o", "p.png"]].concat());
        wanted(&output, 0, says)?;
    }
    Ok(())
}

#[trial]
fn scenes_name_clips_as_commands_do() -> Outcome {
    let folder = folder(&[("box.md5mesh", "model"), ("cowRaise.md5anim", "clip")]);
    let folder = folder.path();
    let draw = |clip: &str| -> Result<Vec<u8>, Failed> {
        let scene = format!(
            "[output]\nsize = [24, 24]\nframes = \"0\"\n[[model]]\nfile = \"box.md5mesh\"\nclips = [{{ file = \"cowRaise.md5anim\" }}]\n\
             [[instance]]\nmodel = \"box\"\nclip = \"{clip}\"\nstart_s = 0.1\n"
        );
        fs::write(folder.join("a.toml"), scene)?;
        wanted(&tintype(folder, &["render", "a.toml", "-o", "o", "--overwrite"]), 0, "")?;
        Ok(decode_png(&fs::read(folder.join("o/0000.png"))?)?.0.rgba.concat())
    };
    let by_name = draw("cowRaise")?;
    for word in ["0", "raise", "COWRAISE", "cowRaise:0-2"] {
        assert_eq!(draw(word)?, by_name, "{word}");
    }
    assert_ne!(draw("bind")?, by_name);
    // Of a model without clips, one beside it.
    let scene = fs::read_to_string(folder.join("a.toml"))?.replace("\"bind\"", "\"raise\"");
    let bare = scene.replace("clips = [{ file = \"cowRaise.md5anim\" }]\n", "");
    fs::write(folder.join("a.toml"), bare)?;
    wanted(&tintype(folder, &["render", "a.toml", "-o", "o", "--overwrite"]), 0, "")?;
    assert_eq!(decode_png(&fs::read(folder.join("o/0000.png"))?)?.0.rgba.concat(), by_name);
    Ok(())
}
