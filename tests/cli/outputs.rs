//! Names of outputs in every command, folders of pictures and settings of a project, and videos by
//! a stand-in for `ffmpeg`.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::command::{BOX, command, tintype, wanted};
use crate::support::trial;
use libtest_mimic::Failed;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tintype_output::decode_png;

type Outcome = Result<(), Failed>;

const SCENE: &str = "[output]\nsize = [32, 24]\nframes = \"0-2\"\n[[material]]\nname = \"crate\"\n\
    color = \"#ffffff\"\n[[model]]\nfile = \"box.md5mesh\"\n[golden]\nframes = \"0-1\"\nsize = [16, 12]\n";

/// A folder with a model, a scene of it, and an empty folder with the extension of a picture.
fn folder() -> Result<TempDir, Failed> {
    let folder = TempDir::new()?;
    fs::create_dir_all(folder.path().join("scenes"))?;
    fs::create_dir_all(folder.path().join("there.gif"))?;
    fs::write(folder.path().join("scenes/box.md5mesh"), BOX)?;
    fs::write(folder.path().join("scenes/box.toml"), SCENE)?;
    Ok(folder)
}

fn run(folder: &Path, arguments: &[&str], code: i32, says: &str) -> Result<String, Failed> {
    let output = tintype(folder, arguments);
    wanted(&output, code, says)
        .map_err(|error| format!("{arguments:?}: {}", error.message().unwrap_or_default()))?;
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

fn listed(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| !name.starts_with('.'));
    names.sort();
    names
}

/// Numbered OBJ files are one animated model, each shown for its time; a missing number is reported
/// by name.
#[trial]
fn numbered_obj_files_are_one_model_that_moves() -> Outcome {
    let folder = TempDir::new()?;
    let own = folder.path();
    for (number, height) in [(8, 1), (9, 2), (10, 3)] {
        let text = format!("v 0 0 0\nv 1 0 0\nv 0 {height} 0\nv 1 {height} 0\nf 1 2 4 3\n");
        fs::write(own.join(format!("w.{number:04}.obj")), text)?;
    }
    let turn = ["turntable", "w.####.obj", "-s", "32", "-n", "3", "--fps", "2", "--turn", "0"];
    let said = run(own, &[&turn[..], &["--ticks-per-second", "2"]].concat(), 0, "3 frames")?;
    assert!(said.contains("\"sequence\" once"), "{said}");
    let read = |frame: u32| fs::read(own.join(format!("out/w.####.obj/{frame:04}.png")));
    let frames = [decode_png(&read(0)?)?.0, decode_png(&read(1)?)?.0, decode_png(&read(2)?)?.0];
    assert!(frames[0] != frames[1] && frames[1] != frames[2] && frames[0] != frames[2]);
    let text = String::from_utf8(tintype(own, &["inspect", "w.####.obj"]).stdout)?;
    assert!(text.contains("sequence") && text.contains("0.125"), "24 a second: {text}");
    fs::remove_file(own.join("w.0009.obj"))?;
    run(own, &turn, 2, "w.0009.obj is missing between 0008 and 0010")?;
    run(own, &["turntable", "v.####.obj"], 2, "v.####.obj: no such file")?;
    Ok(())
}

/// The text of an option is burnt into the pictures of a scene as into those of a turntable, and
/// does not replace the scene's.
#[trial]
fn label_is_burnt_into_frames_of_a_scene() -> Outcome {
    let folder = folder()?;
    let own = folder.path();
    let labelled = SCENE.replace("[output]\n", "[output]\nlabel = \"{frame}\"\n");
    fs::write(own.join("scenes/told.toml"), labelled)?;
    let draw = |scene: &str, label: Option<&str>, name: &str| -> Result<_, Failed> {
        let words = ["render", scene, "-s", "96x48", "-f", "1", "-o", name];
        let label = label.map(|label| ["--label", label]);
        run(own, &[&words[..], label.as_ref().map_or(&[][..], |own| &own[..])].concat(), 0, "")?;
        Ok(decode_png(&fs::read(own.join(name))?)?.0)
    };
    let plain = draw("scenes/box.toml", None, "a.png")?;
    let told = draw("scenes/told.toml", None, "b.png")?;
    assert!(plain != told);
    assert!(draw("scenes/box.toml", Some("{frame}"), "c.png")? == told);
    assert!(draw("scenes/told.toml", Some(""), "d.png")? == plain);
    let wrong = ["render", "scenes/box.toml", "--label", "{fram}"];
    run(
        own,
        &wrong,
        2,
        "--label: unknown name in the label \"fram\"; expected one of: {frame}, {time}",
    )?;
    Ok(())
}

/// A path without an extension, one that ends with a slash and an existing folder take the frames,
/// one or several.
#[trial]
fn output_without_an_extension_is_a_folder_in_every_command() -> Outcome {
    let folder = folder()?;
    let own = folder.path();
    let turn = ["turntable", "scenes/box.md5mesh", "--size", "16x16", "-n"];
    for (place, name) in ["new", "slash.png/", "there.gif", "v1.2"].into_iter().enumerate() {
        let below = |command: &str| format!("{command}{place}/{name}");
        fs::create_dir_all(own.join(format!("render{place}")))?;
        if name == "there.gif" {
            ["render", "turn", "still"]
                .iter()
                .try_for_each(|command| fs::create_dir_all(own.join(below(command))))?;
        }
        run(own, &["render", "scenes/box.toml", "-o", &below("render")], 0, "3 frames")?;
        run(own, &[&turn[..], &["3", "-o", &below("turn")]].concat(), 0, "3 frames")?;
        run(own, &["render", "scenes/box.toml", "-f", "1", "-o", &below("still")], 0, "0001.png")?;
        let frames = ["0000.png", "0001.png", "0002.png"];
        assert_eq!(listed(&own.join(below("render"))), frames, "{name}");
        assert_eq!(listed(&own.join(below("turn"))), frames, "{name}");
        assert_eq!(listed(&own.join(below("still"))), frames[1..2], "{name}");
        run(own, &["verify", "scenes/box.toml", "-o", &below("render")], 0, "3 frames up to date")?;
    }
    run(own, &["thumbnail", "scenes/box.md5mesh", "-s", "16", "-o", "pics.png/"], 0, "pics.png")?;
    assert_eq!(listed(&own.join("pics.png")), ["box.md5mesh.png"]);
    Ok(())
}

#[trial]
fn output_that_cannot_hold_the_frames_is_refused_alike() -> Outcome {
    let folder = folder()?;
    for command in [
        &["render", "scenes/box.toml", "-o"][..],
        &["turntable", "scenes/box.md5mesh", "--size", "16x16", "-n", "3", "-o"],
    ] {
        for (name, says) in [
            (
                "a.png",
                "a.png is one picture, but 3 frames are selected; select one frame, or name a folder",
            ),
            ("a.##.gif", "a file for all frames takes no ####"),
            (
                "a.exr",
                "pictures are written as .png, .jpg, .webp, .gif, .apng, .mp4, .webm, .mov; write a.png",
            ),
            ("", "no file name"),
        ] {
            run(folder.path(), &[command, &[name]].concat(), 2, says)?;
        }
    }
    assert_eq!(listed(folder.path()), ["scenes", "there.gif"], "nothing is written");
    Ok(())
}

#[trial]
fn goldens_are_tested_by_their_paths() -> Outcome {
    let folder = folder()?;
    let own = folder.path();
    fs::write(own.join("scenes/other.toml"), SCENE)?;
    run(own, &["bless", "--all"], 0, "4 goldens written")?;
    for (names, count) in [
        (&["golden/box/0001.png"][..], "1 golden the same"),
        (&["./golden/box/0001.png"], "1 golden the same"),
        (&["golden/box/0001.toml"], "1 golden the same"),
        (&["golden/box"], "2 goldens the same"),
        (&["golden/*/0001.png"], "2 goldens the same"),
        (&["golden"], "4 goldens the same"),
        (&["golden/box/0001.png", "scenes/other.toml"], "3 goldens the same"),
        (&["golden/box/0001.png", "golden/other/0000.png"], "2 goldens the same"),
    ] {
        run(own, &[&["test"], names].concat(), 0, count)?;
        let absolute = own.join(names[0]).display().to_string();
        if names.len() == 1 && !names[0].contains('*') {
            run(own, &["test", &absolute], 0, count)?;
        }
    }
    run(own, &["test", "golden/box/0007.png"], 1, "golden/box/0007.png")?;
    // Only what is named fails.
    fs::remove_file(own.join("golden/other/0000.png"))?;
    run(own, &["test", "golden/box"], 0, "2 goldens the same, 0 failed")?;
    run(own, &["test", "golden/other/0000.png"], 1, "0 goldens the same, 1 failed")?;
    // A folder of scenes may have that name, and the goldens of scenes in any folder are beside
    // them.
    fs::create_dir_all(own.join("else/golden/scenes"))?;
    fs::copy(own.join("scenes/box.md5mesh"), own.join("else/golden/scenes/box.md5mesh"))?;
    fs::write(own.join("else/golden/scenes/box.toml"), SCENE)?;
    run(own, &["bless", "--all", "--scenes", "else/golden/scenes"], 0, "2 goldens written")?;
    run(own, &["test", "else/golden/scenes"], 0, "2 goldens the same")?;
    run(own, &["test", "else/golden/golden/box/0000.png"], 0, "1 golden the same")?;
    Ok(())
}

#[trial]
fn test_without_scenes_says_how_to_begin() -> Outcome {
    let folder = TempDir::new()?;
    for command in [&["test"][..], &["bless", "--all"]] {
        let said =
            run(folder.path(), command, 2, "scenes: no such folder: run `tintype init` to write")?;
        assert!(said.contains("bless --all"));
        assert!(!said.contains("os error") && !said.contains("0 goldens"), "{said}");
    }
    fs::create_dir(folder.path().join("scenes"))?;
    run(
        folder.path(),
        &["test"],
        1,
        "no scene with a [golden] table was found; run `tintype init` to write",
    )?;
    Ok(())
}

#[trial]
fn project_sets_size_look_and_folder_of_goldens() -> Outcome {
    let folder = folder()?;
    let own = folder.path();
    fs::create_dir_all(own.join(".git"))?;
    fs::create_dir_all(own.join("deep/er"))?;
    let text = "size = [40, 20]\nlook = \"classic\"\ngolden = \"refs\"\n";
    fs::write(own.join("tintype.toml"), text)?;
    let size_of = |path: &str| -> Result<[u32; 2], Failed> {
        let (frame, _) = decode_png(&fs::read(own.join(path))?)?;
        Ok([frame.width, frame.height])
    };
    let turn = ["turntable", "scenes/box.md5mesh", "-n", "1", "-o"];
    let said = run(own, &[&turn[..], &["a.png", "-v"]].concat(), 0, "1 frame")?;
    assert!(said.contains("settings of tintype.toml: size = [40, 20], look ="), "{said}");
    assert_eq!(size_of("a.png")?, [40, 20]);
    let classic = ["--size", "40x20", "--look", "classic", "--no-config"];
    run(own, &[&turn[..], &["b.png"], &classic].concat(), 0, "1 frame")?;
    assert_eq!(fs::read(own.join("a.png"))?, fs::read(own.join("b.png"))?);
    // An option counts first, and a folder below finds the project.
    run(own, &[&turn[..], &["c.png", "--size", "16x16"]].concat(), 0, "1 frame")?;
    assert_eq!(size_of("c.png")?, [16, 16]);
    let below = ["turntable", "../../scenes/box.md5mesh", "-n", "1", "-o", "d.png"];
    run(&own.join("deep/er"), &below, 0, "1 frame")?;
    assert_eq!(fs::read(own.join("a.png"))?, fs::read(own.join("deep/er/d.png"))?);

    run(own, &["bless", "--all"], 0, "2 goldens written")?;
    assert!(own.join("refs/box/0000.png").is_file() && !own.join("golden").exists());
    run(own, &["test"], 0, "2 goldens the same")?;
    run(own, &["test", "refs/box/0001.png"], 0, "1 golden the same")?;
    run(&own.join("deep"), &["test", "../scenes"], 0, "2 goldens the same")?;
    run(own, &["test", "--no-config"], 1, "2 failed")?;

    fs::write(own.join("tintype.toml"), "sise = [40, 20]\n")?;
    let said = run(own, &[&turn[..], &["a.png"]].concat(), 2, "tintype.toml:1:1")?;
    assert!(said.contains("did you mean \"size\"?") && said.contains("--no-config"), "{said}");
    Ok(())
}

#[trial]
fn thumbnails_of_models_that_are_gone_are_told() -> Outcome {
    let folder = TempDir::new()?;
    let own = folder.path();
    fs::create_dir_all(own.join("m/a"))?;
    for name in ["m/one.md5mesh", "m/a/two.md5mesh"] {
        fs::write(own.join(name), BOX)?;
    }
    let draw = ["thumbnail", "m", "-s", "16", "-o", "t"];
    run(own, &draw, 0, "2 thumbnails")?;
    fs::remove_file(own.join("m/a/two.md5mesh"))?;
    let gone = "1 thumbnail of deleted models: a/two.md5mesh";
    run(own, &draw, 0, &format!("{gone}; remove them with --clean"))?;
    let verify = [&draw[..], &["--verify"]].concat();
    let said =
        run(own, &verify, 1, "t/a/two.md5mesh.png: its model a/two.md5mesh no longer exists")?;
    assert!(!said.contains("thumbnails up to date"), "{said}");
    // A run for one model knows nothing about the others.
    run(own, &["thumbnail", "m/one.md5mesh", "-s", "16", "-o", "t", "--clean"], 2, "--clean")?;
    fs::write(own.join("t/logo.obj.png"), "of another program")?;
    run(own, &[&draw[..], &["--clean"]].concat(), 0, "removed 1 thumbnail of deleted models")?;
    assert_eq!(listed(&own.join("t")), ["a", "logo.obj.png", "one.md5mesh.png"]);
    run(own, &verify, 0, "1 thumbnail up to date")?;
    Ok(())
}

/// A catalogue: its layout, its camera, its turntables, and models without a picture.
#[trial]
fn gallery_is_a_catalogue() -> Outcome {
    let folder = TempDir::new()?;
    let own = folder.path();
    fs::create_dir_all(own.join("m"))?;
    for name in ["one.md5mesh", "two.md5mesh", "gone.md5mesh"] {
        fs::write(own.join("m").join(name), BOX)?;
    }
    let draw =
        ["thumbnail", "m", "-s", "40", "--aspect", "4:5", "--azimuth", "35", "-o", "t", "--spin"];
    run(own, &draw, 0, "3 thumbnails")?;
    let (frame, _) = decode_png(&fs::read(own.join("t/one.md5mesh.png"))?)?;
    assert_eq!([frame.width, frame.height], [32, 40]);
    let spin = fs::read(own.join("t/one.md5mesh.webp"))?;
    assert!(spin.starts_with(b"RIFF") && spin.windows(4).any(|four| four == b"ANMF"));
    fs::remove_file(own.join("m/gone.md5mesh"))?;
    fs::write(own.join("m/torn.md5mesh"), &BOX[..200])?;
    let page = [&draw[..], &["--gallery", "--title", "Boxes & <more>", "--json"]].concat();
    let output = tintype(own, &page);
    wanted(&output, 3, "1 of 3 models have no thumbnail; 0 drawn, 2 up to date")?;
    let json: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    assert_eq!(
        (&json["width"], &json["height"], &json["size"]),
        (&32.into(), &40.into(), &40.into())
    );
    assert_eq!(json["gone"], serde_json::json!(["gone.md5mesh"]));
    assert_eq!(json["models"][0]["spin"], "one.md5mesh.webp");
    let seen: Vec<&serde_json::Value> =
        [0, 2].iter().map(|&k| &json["models"][k]["view"]).collect();
    assert!(seen[0]["elevation_deg"] == 12.0 && seen[0]["azimuth_deg"] == seen[1]["azimuth_deg"]);
    let page = fs::read_to_string(own.join("t/index.html"))?;
    assert!(
        page.contains("<h1>Boxes &amp; &lt;more&gt;</h1>") && !page.contains("<more>"),
        "escaped"
    );
    // A missing turntable is drawn again.
    let verify = [&draw[..], &["--verify"]].concat();
    fs::remove_file(own.join("t/two.md5mesh.webp"))?;
    run(own, &verify, 1, "two.md5mesh: its picture is incomplete or out of date")?;
    run(own, &["thumbnail", "m/one.md5mesh", "-o", "x.png", "--spin"], 2, "--spin needs a folder")?;
    run(own, &["thumbnail", "m", "--aspect", "4"], 2, "expected W:H")?;
    Ok(())
}

/// Puts a program called `ffmpeg` first in the path, which records its arguments and its input
/// beside itself.
#[cfg(unix)]
fn with_ffmpeg(folder: &Path, rest: &str) -> Outcome {
    use std::os::unix::fs::PermissionsExt;
    let program = folder.join("bin/ffmpeg");
    fs::create_dir_all(folder.join("bin"))?;
    fs::write(
        &program,
        format!("#!/bin/sh\n[ \"$1\" = -version ] && exit 0\ncd \"$(dirname \"$0\")\"\n{rest}\n"),
    )?;
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755))?;
    Ok(())
}

/// Runs the program with that `ffmpeg`.
#[cfg(unix)]
fn run_with(folder: &Path, arguments: &[&str], code: i32, says: &str) -> Result<String, Failed> {
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", folder.join("bin").display());
    let output = command(folder, arguments).env("PATH", path).output()?;
    wanted(&output, code, says)?;
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Writes its last argument with the comment that the file is known by.
#[cfg(unix)]
const RECORDS: &str = "printf '%s\\n' \"$@\" > arguments; cat > input\nfor last; do :; done\n\
    { printf 'video '; grep '^comment=' arguments; } > \"$last\"";

#[cfg(unix)]
#[trial]
fn video_is_piped_to_ffmpeg() -> Outcome {
    let folder = folder()?;
    let own = folder.path();
    with_ffmpeg(own, RECORDS)?;
    let turn = ["turntable", "scenes/box.md5mesh", "--size", "33x24", "-n", "3", "-o"];
    for (name, codec, container) in
        [("a.mp4", "libx264", "mp4"), ("a.webm", "libvpx-vp9", "webm"), ("a.mov", "libx264", "mov")]
    {
        run_with(own, &[&turn[..], &[name]].concat(), 0, "3 frames in")?;
        let text = fs::read_to_string(own.join("bin/arguments"))?;
        let arguments: Vec<&str> = text.lines().collect();
        let follows = |words: &[&str]| arguments.windows(words.len()).any(|own| own == words);
        assert!(follows(&["-f", "yuv4mpegpipe", "-i", "-"]), "{arguments:?}");
        assert!(follows(&["-c:v", codec]) && follows(&["-f", container]), "{arguments:?}");
        assert!(follows(&["-pix_fmt", "yuv420p"]) && follows(&["-colorspace", "bt709"]));
        assert_eq!(follows(&["-movflags", "+faststart"]), name != "a.webm");
        // It writes to a temporary absolute path, which is renamed when complete.
        let last = Path::new(arguments.last().unwrap());
        assert!(last.is_absolute() && !last.exists() && !last.ends_with(name), "{last:?}");
        assert!(fs::read_to_string(own.join(name))?.starts_with("video comment=tintype "));

        // Three frames with sides that are even: three planes of bytes each.
        let input = fs::read(own.join("bin/input"))?;
        let header = input.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        assert!(input.starts_with(b"YUV4MPEG2 W34 H24 F12:1 "), "{:?}", &input[..header]);
        assert_eq!(input.windows(6).filter(|own| *own == b"FRAME\n").count(), 3);
        let plane = (input.len() - header - 3 * 6) / 3;
        assert!([34 * 24 * 3, 34 * 24 * 3 / 2].contains(&plane), "{plane}");

        // The mark in the file shows that it is up to date.
        fs::remove_file(own.join("bin/arguments"))?;
        run_with(own, &[&turn[..], &[name]].concat(), 0, "3 frames are up to date")?;
        assert!(!own.join("bin/arguments").exists());
    }
    // The frames are those that another program is piped to itself.
    let even = ["turntable", "scenes/box.md5mesh", "--size", "32x24", "-n", "3", "-o"];
    run_with(own, &[&even[..], &["b.mp4"]].concat(), 0, "b.mp4")?;
    let stream = tintype(own, &[&even[..], &["-", "--raw", "y4m"]].concat());
    assert_eq!(fs::read(own.join("bin/input"))?, stream.stdout);
    // A scene and its views have separate files.
    run_with(own, &["render", "scenes/box.toml", "--aov", "depth", "-o", "s.mp4"], 0, "s.mp4")?;
    assert!(own.join("s.mp4").is_file() && own.join("s.depth.mp4").is_file());
    Ok(())
}

#[cfg(unix)]
#[trial]
fn video_that_ffmpeg_cannot_write_is_none() -> Outcome {
    let folder = folder()?;
    let own = folder.path();
    let turn = ["turntable", "scenes/box.md5mesh", "--size", "16x16", "-n", "2", "-o", "v/a.mp4"];
    for (rest, says) in [
        ("cat > input; echo 'Unknown encoder libx264' >&2; exit 1", "Unknown encoder libx264"),
        ("echo 'it reads nothing' >&2; exit 8", "it reads nothing"),
        ("exit 1", "it printed no message"),
    ] {
        with_ffmpeg(own, rest)?;
        let output = run_with(own, &turn, 3, "")?;
        assert!(output.contains("a.mp4") && output.contains(says), "{output}");
        assert_eq!(fs::read_dir(own.join("v")).map_or(0, Iterator::count), 0, "{rest}");
    }
    Ok(())
}

/// Values of the first array of an NPZ file, with the head of its NPY.
fn first_array(file: &[u8]) -> (String, Vec<f32>) {
    let short = |at: usize| usize::from(u16::from_le_bytes([file[at], file[at + 1]]));
    let long = |at: usize| short(at) | short(at + 2) << 16;
    let npy = &file[30 + short(26)..][..long(18)];
    let values = npy[128..].chunks(4).map(|four| f32::from_le_bytes(four.try_into().unwrap()));
    (String::from_utf8_lossy(&npy[10..128]).trim().to_owned(), values.collect())
}

/// Channels have a file beside each picture: with the numbers of the library, the same for each
/// number of threads, checked and drawn again as pictures are.
#[trial]
fn channels_are_a_file_beside_each_picture() -> Outcome {
    let folder = folder()?;
    let own = folder.path();
    let words = ["render", "scenes/box.toml", "--channels", "depth,instance,motion"];
    let draw =
        |more: &[&str], code: i32, says: &str| run(own, &[&words, more].concat(), code, says);
    draw(&["-o", "a/w.##.png", "-j", "1"], 0, "3 frames in")?;
    draw(&["-o", "b/w.##.png", "-j", "4"], 0, "each with 3 channels")?;
    let names = ["w.00.npz", "w.00.png", "w.01.npz", "w.01.png", "w.02.npz", "w.02.png"];
    assert_eq!(listed(&own.join("a")), names);
    for name in names {
        assert_eq!(
            fs::read(own.join("a").join(name))?,
            fs::read(own.join("b").join(name))?,
            "{name}"
        );
    }
    let path = own.join("a/w.01.npz");
    let file = fs::read(&path)?;
    let (head, depth) = first_array(&file);
    assert!(head.contains("'descr': '<f4'") && head.contains("'shape': (24, 32)"), "{head}");
    let renderer = tintype::Renderer::open(own.join("scenes/box.toml"))?;
    let known = renderer.channels(1, &tintype::Given::new(), &[tintype::Channel::Depth])?;
    assert_eq!(known.numbers(tintype::Channel::Depth).unwrap(), depth);
    assert!(depth.iter().any(|&depth| depth > 0.0));
    let has = |name: &[u8]| file.windows(name.len()).any(|part| part == name);
    assert!(has(b"instance.npy") && has(b"instance_names.npy") && has(b"motion.npy"));

    // Kept, checked, and drawn again.
    draw(&["-o", "a/w.##.png"], 0, "3 frames are up to date")?;
    let verify = |code: i32, says: &str| {
        let words = ["verify", "scenes/box.toml", "-o", "a/w.##.png", "--channels"];
        run(own, &[&words[..], &["depth,instance,motion"]].concat(), code, says)
    };
    verify(0, "3 frames up to date")?;
    for spoil in [
        |path: &Path| fs::remove_file(path),
        |path: &Path| {
            let mut bytes = fs::read(path)?;
            bytes[400] ^= 1;
            fs::write(path, bytes)
        },
        |path: &Path| fs::write(path, &fs::read(path)?[..900]),
    ] {
        spoil(&path)?;
        verify(1, "1 frame of 3 need rendering: 1")?;
        draw(&["-o", "a/w.##.png"], 0, "1 frame in")?;
        assert_eq!(fs::read(&path)?, file);
    }
    let other = ["render", "scenes/box.toml", "--channels", "depth", "-o", "a/w.##.png"];
    run(own, &other, 0, "3 frames are drawn again: it is the view channels:depth,instance,motion")?;

    // Frames that the scene does not have go with their channels.
    let fewer = SCENE.replace("0-2", "0-1").replace("[output]", "[output]\nchannels = [\"depth\"]");
    fs::write(own.join("scenes/box.toml"), fewer)?;
    run(
        own,
        &["render", "scenes/box.toml", "-o", "a/w.##.png", "--clean"],
        0,
        "removed 2 files of 1 frame",
    )?;
    assert_eq!(listed(&own.join("a")), names[..4]);

    // Impossible requests are reported.
    let told = "channels need one picture file per frame";
    run(own, &["render", "scenes/box.toml", "-o", "a.gif"], 2, told)?;
    run(own, &["render", "scenes/box.toml", "-o", "-", "-f", "0"], 2, told)?;
    run(own, &["render", "scenes/box.toml", "-o", "a.gif", "--channels", "none"], 0, "a.gif")?;
    let wrong = ["render", "scenes/box.toml", "--channels", "dpeth"];
    run(own, &wrong, 2, "unknown channel \"dpeth\"")?;
    let twice = ["render", "scenes/box.toml", "--channels", "depth,depth"];
    run(own, &twice, 2, "appears twice")?;
    let turn = ["turntable", "scenes/box.md5mesh", "-n", "2", "-s", "32", "--channels", "normal"];
    run(own, &[&turn[..], &["-o", "turn/####.png"]].concat(), 0, "each with 1 channel")?;
    let (head, _) = first_array(&fs::read(own.join("turn/0001.npz"))?);
    assert!(head.contains("(32, 32, 3)"), "{head}");
    Ok(())
}

/// Other files of channels: OpenEXR, and distances as pictures of 16 bits, kept, checked and drawn
/// again as pictures are.
#[trial]
fn channels_are_openexr_or_pictures_of_16_bits() -> Outcome {
    let folder = folder()?;
    let own = folder.path();
    let words = ["render", "scenes/box.toml", "--channels", "distance,depth", "--channels-as"];
    for (format, files) in [
        ("exr", &["w.00.exr", "w.00.png"][..]),
        ("png", &["w.00.depth_mm.png", "w.00.distance_mm.png", "w.00.png"]),
    ] {
        let out = format!("{format}/w.##.png");
        let draw = |threads: &str, out: &str, says: &str| {
            let more = [format, "-o", out, "-j", threads];
            run(own, &[&words[..], &more].concat(), 0, says)
        };
        draw("1", &out, "3 frames in")?;
        draw("3", &format!("again-{out}"), "each with 2 channels")?;
        assert_eq!(listed(&own.join(format))[..files.len()], *files);
        for name in listed(&own.join(format)) {
            let [first, second] = [format.to_owned(), format!("again-{format}")]
                .map(|part| fs::read(own.join(part).join(&name)));
            assert_eq!(first?, second?, "{name}");
        }
        draw("1", &out, "3 frames are up to date")?;
        let path = own.join(format).join(files[0]);
        let file = fs::read(&path)?;
        for at in [file.len() / 2, file.len() - 20] {
            let mut spoiled = file.clone();
            spoiled[at] ^= 1;
            fs::write(&path, spoiled)?;
            let verify = ["verify", "scenes/box.toml", "-o", &out, "--channels"];
            let more = ["distance,depth", "--channels-as", format];
            run(own, &[&verify[..], &more].concat(), 1, "1 frame of 3 need rendering: 0")?;
            draw("1", &out, "1 frame in")?;
            assert_eq!(fs::read(&path)?, file);
        }
    }
    let renderer = tintype::Renderer::open(own.join("scenes/box.toml"))?;
    let known = renderer.channels(0, &tintype::Given::new(), &[tintype::Channel::Depth])?;
    let wanted = known.numbers(tintype::Channel::Depth).unwrap();
    let picture = image::open(own.join("png/w.00.depth_mm.png"))?.into_luma16();
    assert!(wanted.iter().any(|&depth| depth > 0.0));
    for (own, &wanted) in picture.as_raw().iter().zip(wanted) {
        assert!((f32::from(*own) / 1000.0 - wanted).abs() <= 0.000_501, "{own} {wanted}");
    }

    // Frames that the scene does not have go with their channels.
    let fewer = SCENE.replace("0-2", "0-1").replace("[output]", "[output]\nchannels_as = \"png\"");
    fs::write(own.join("scenes/box.toml"), fewer)?;
    let clean = ["render", "scenes/box.toml", "-o", "png/w.##.png", "--clean"];
    run(own, &clean, 0, "removed 3 files of 1 frame")?;
    assert_eq!(listed(&own.join("png")).len(), 6);

    // Pictures can only hold distances up to 65.535.
    let other = ["render", "scenes/box.toml", "-o", "n/##.png", "--channels", "depth,normal"];
    let told = "channels_as \"png\" supports only depth and distance, but normal is selected; choose npz or exr";
    run(own, &other, 2, told)?;
    let far = fs::read_to_string(own.join("scenes/box.toml"))?;
    let far = far + "[[instance]]\nmodel = \"box\"\nscale = 1000\n";
    fs::write(own.join("scenes/box.toml"), far)?;
    let far = ["render", "scenes/box.toml", "-o", "n/##.png", "--channels", "depth"];
    run(own, &far, 2, "16-bit PNG is limited to 65.535; choose npz or exr for channels_as")?;
    Ok(())
}
