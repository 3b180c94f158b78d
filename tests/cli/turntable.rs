//! `turntable` from the user's point of view: all output forms contain the same pictures, the model
//! stays in the picture, and the loop closes.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "tests make numbers of known size"
)]

use crate::held::Held;
use crate::support::command::{BOX, tintype, wanted};
use crate::support::{trial, with_models};
use image::AnimationDecoder;
use image::codecs::gif::GifDecoder;
use libtest_mimic::Failed;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;
use tintype_model::frame::Frame;
use tintype_output::{decode_png, y4m_frame};

type Outcome = Result<(), Failed>;

fn asset(name: &str) -> String {
    Path::new(env!("WORKSPACE_ROOT")).join("scenes/assets").join(name).display().to_string()
}

/// Runs `turntable` in a folder; it must succeed without a warning.
fn turn(folder: &Path, arguments: &[&str]) -> Result<Output, Failed> {
    let output = tintype(folder, &[&["turntable", "--strict"], arguments].concat());
    match output.status.success() {
        true => Ok(output),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned().into()),
    }
}

/// The frames of a folder, in their order.
fn frames(folder: &Path) -> Result<Vec<Frame>, Failed> {
    let files = crate::support::files(folder, &["png"])?;
    files.iter().map(|file| Ok(decode_png(&fs::read(file)?)?.0)).collect()
}

/// The walking ranger, with further options.
fn walk<'a>(model: &'a str, clip: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&[model, "-a", clip], more].concat()
}

#[trial]
fn moving_model_stays_in_the_picture_and_never_jumps() -> Outcome {
    let folder = TempDir::new()?;
    let (model, clip) = (asset("ranger.md5mesh"), asset("ranger_walk.md5anim"));
    let more = ["--size", "160x160", "--background", "transparent", "-o", "out"];
    turn(folder.path(), &walk(&model, &clip, &more))?;
    let frames = frames(&folder.path().join("out"))?;
    assert_eq!(frames.len(), 72);
    let boxes: Vec<[f64; 4]> = frames.iter().map(bounds).collect();
    let extreme = |k: usize, largest: bool| {
        boxes
            .iter()
            .map(|one| one[k])
            .fold(if largest { 0.0 } else { 1.0 }, |a, b| if (b > a) == largest { b } else { a })
    };
    // Over the whole turn: the margin is kept, and the model is not lost in the middle.
    let (left, top) = (extreme(0, false), extreme(1, false));
    let (right, low) = (1.0 - extreme(2, true), 1.0 - extreme(3, true));
    assert!(
        [left, top, right, low].iter().all(|&margin| margin > 0.04),
        "{left} {top} {right} {low}"
    );
    assert!(top.at_most(low).at_most(left).at_most(right) < 0.12, "{left} {top} {right} {low}");
    // From frame to frame, and from the last to the first.
    for (a, b) in (0..72).map(|k| (k, (k + 1) % 72)) {
        let step = (0..4).map(|k| (boxes[a][k] - boxes[b][k]).abs()).fold(0.0, Held::at_least);
        assert!(step < 0.06, "{a} to {b}: {step}");
    }
    Ok(())
}

/// Left, upper, right and lower end of the opaque part, as fractions of the picture.
fn bounds(frame: &Frame) -> [f64; 4] {
    let (width, height) = (f64::from(frame.width), f64::from(frame.height));
    let mut found = [1.0_f64, 1.0, 0.0, 0.0];
    for (index, _) in frame.rgba.iter().enumerate().filter(|(_, pixel)| pixel[3] > 0) {
        let (x, y) = ((index % frame.width as usize) as f64, (index / frame.width as usize) as f64);
        found[0] = found[0].at_most(x / width);
        found[1] = found[1].at_most(y / height);
        found[2] = found[2].at_least((x + 1.0) / width);
        found[3] = found[3].at_least((y + 1.0) / height);
    }
    found
}

#[trial]
fn ground_keeps_the_shadow_in_the_picture_and_still() -> Outcome {
    let folder = TempDir::new()?;
    let (model, clip) = (asset("ranger.md5mesh"), asset("ranger_walk.md5anim"));
    let look = ["--size", "160x160", "--background", "transparent", "--look", "classic"];
    for (name, more) in
        [("bare", vec![]), ("ground", vec!["--ground"]), ("both", vec!["--ground", "--shadow"])]
    {
        let more = [&look[..], &["-o", name], &more].concat();
        turn(folder.path(), &walk(&model, &clip, &more))?;
    }
    let read = |name: &str| frames(&folder.path().join(name));
    let (bare, ground, both) = (read("bare")?, read("ground")?, read("both")?);
    let faint =
        |frame: &Frame| frame.rgba.iter().filter(|pixel| (1..255).contains(&pixel[3])).count();
    for frames in [&ground, &both] {
        assert_eq!(frames.len(), bare.len());
        for (frame, bare) in frames.iter().zip(&bare) {
            assert!(faint(frame) > 2 * faint(bare), "there is a shadow");
            // It has faded before the edge cuts it.
            for k in 0..160 {
                for [x, y] in [[k, 0], [k, 159], [0, k], [159, k]] {
                    assert!(frame.pixel(x, y)[3] <= 2, "{x} {y}: {:?}", frame.pixel(x, y));
                }
            }
        }
        // The visible shadow changes no faster than a lifted foot, and closes with the turn.
        let shadows = |frame: &Frame| -> f64 {
            let faint = frame.rgba.iter().filter(|pixel| pixel[3] < 255 && pixel[..3] == [0; 3]);
            faint.map(|pixel| f64::from(pixel[3])).sum()
        };
        let amounts: Vec<f64> = frames.iter().map(shadows).collect();
        let mean = amounts.iter().sum::<f64>() / amounts.len() as f64;
        for (k, amount) in amounts.iter().enumerate() {
            let next = amounts[(k + 1) % amounts.len()];
            assert!((amount - next).abs() < 0.3 * mean, "{k}: {amount}, {next}, of {mean}");
        }
    }
    assert!(ground != both);
    Ok(())
}

#[trial]
fn loop_closes_as_it_goes() -> Outcome {
    let folder = TempDir::new()?;
    let (model, clip) = (asset("ranger.md5mesh"), asset("ranger_walk.md5anim"));
    // A number of frames that the clip does not fit naturally.
    turn(folder.path(), &walk(&model, &clip, &["--size", "96x96", "-n", "41", "-o", "out"]))?;
    let frames = frames(&folder.path().join("out"))?;
    assert_eq!(frames.len(), 41);
    let step = |a: usize, b: usize| -> f64 {
        let pairs = frames[a].rgba.as_flattened().iter().zip(frames[b].rgba.as_flattened());
        pairs.map(|(a, b)| f64::from(a.abs_diff(*b))).sum()
    };
    let steps: Vec<f64> = (0..40).map(|k| step(k, k + 1)).collect();
    let (most, last) = (steps.iter().copied().fold(0.0, Held::at_least), step(40, 0));
    assert!(last > 0.0 && last <= most * 1.2, "{last}, and within the turn at most {most}");
    Ok(())
}

/// An animated PNG, a sheet with its atlas and a GIF of a name hold these frames of 40x30; of the
/// GIF at most `most` pixels are far off.
fn forms_hold(folder: &Path, name: &str, frames: &[Frame], most: usize) -> Outcome {
    let file = |ending: &str| folder.join(format!("{name}.{ending}"));
    // The animated PNG, frame by frame.
    let bytes = fs::read(file("apng"))?;
    let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info()?;
    for frame in frames {
        let mut pixels = vec![0; reader.output_buffer_size().ok_or("no size")?];
        let info = reader.next_frame(&mut pixels)?;
        let wanted: Vec<u8> = match info.color_type {
            png::ColorType::Rgba => frame.rgba.as_flattened().to_vec(),
            _ => frame.rgba.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect(),
        };
        assert!(pixels == wanted);
    }

    // The sheet, at the positions in its atlas.
    let (sheet, _) = decode_png(&fs::read(file("png"))?)?;
    let atlas: serde_json::Value = serde_json::from_slice(&fs::read(file("json"))?)?;
    assert_eq!(atlas["image"], format!("{name}.png"));
    for (place, frame) in atlas["frames"].as_array().unwrap().iter().zip(frames) {
        let [left, top] = ["x", "y"].map(|key| place[key].as_u64().unwrap() as u32);
        for (x, y) in (0..40).flat_map(|x| (0..30).map(move |y| (x, y))) {
            assert_eq!(sheet.pixel(left + x, top + y), frame.pixel(x, y));
        }
    }

    // The GIF has its colours nearly.
    let gif = GifDecoder::new(std::io::Cursor::new(fs::read(file("gif"))?))?;
    let shown = gif.into_frames().collect_frames()?;
    assert_eq!(shown.len(), frames.len());
    for (found, frame) in shown.iter().zip(frames) {
        let found = found.buffer().as_raw().as_chunks::<4>().0;
        let far = found.iter().zip(&frame.rgba).filter(|(a, b)| {
            let clear = (a[3] < 128) != (b[3] < 128);
            clear || b[3] >= 128 && (0..3).any(|k| a[k].abs_diff(b[k]) > 24)
        });
        let far = far.count();
        assert!(far <= most, "{name}: {far}");
        // Dither moves single pixels, but not their mean.
        for k in 0..3 {
            let pairs = found.iter().zip(&frame.rgba);
            let seen = pairs.filter(|(a, b)| a[3] >= 128 && b[3] >= 128);
            let (sum, count) = seen.fold((0_i64, 0_i64), |(sum, count), (a, b)| {
                (sum + i64::from(a[k]) - i64::from(b[k]), count + 1)
            });
            assert!(
                sum.abs() <= 2 * count,
                "{name}: channel {k} is off by {sum} of {count} pixels"
            );
        }
    }
    Ok(())
}

#[trial]
fn all_forms_hold_the_same_pictures() -> Outcome {
    let folder = TempDir::new()?;
    let model = asset("scarab.md5mesh");
    for background in ["#203040", "transparent"] {
        let more = [&model, "-n", "7", "--size", "40x30", "--background", background];
        let files = ["-o", "out", "--apng", "all.apng", "--gif", "all.gif", "--sheet", "all.png"];
        turn(folder.path(), &[&more.map(AsRef::as_ref)[..], &files].concat())?;
        let frames = frames(&folder.path().join("out"))?;
        assert_eq!(frames.len(), 7);
        assert!(frames.windows(2).all(|two| two[0] != two[1]));

        forms_hold(folder.path(), "all", &frames, 40)?;

        // The streams.
        let rgba = turn(
            folder.path(),
            &[&more.map(AsRef::as_ref)[..], &["-o", "-", "--raw", "rgba"]].concat(),
        )?;
        let wanted: Vec<u8> =
            frames.iter().flat_map(|frame| frame.rgba.as_flattened()).copied().collect();
        assert!(rgba.stdout == wanted);
        if background != "transparent" {
            let y4m = turn(
                folder.path(),
                &[&more.map(AsRef::as_ref)[..], &["-o", "-", "--raw", "y4m"]].concat(),
            )?;
            let header = b"YUV4MPEG2 W40 H30 F24:1 Ip A1:1 C444 XCOLORRANGE=LIMITED\n";
            let rest = y4m.stdout.strip_prefix(header).ok_or("another header")?;
            assert!(rest == frames.iter().flat_map(y4m_frame).collect::<Vec<u8>>());
        }
    }
    Ok(())
}

/// The pictures of a folder, then its views of a name, in their order.
fn with_view(folder: &Path, view: &str) -> Result<[Vec<Frame>; 2], Failed> {
    let (mut pictures, mut views) = (Vec::new(), Vec::new());
    for file in crate::support::files(folder, &["png"])? {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let frame = decode_png(&fs::read(&file)?)?.0;
        match name.matches('.').count() {
            1 => pictures.push(frame),
            _ if name.contains(&format!(".{view}.")) => views.push(frame),
            _ => {}
        }
    }
    Ok([pictures, views])
}

/// Views have the same names and pixels as from `render`, beside unchanged pictures.
#[trial]
fn views_are_beside_every_form() -> Outcome {
    let folder = TempDir::new()?;
    let model = folder.path().join("box.md5mesh");
    fs::write(&model, BOX.replace("root", "upper arm/l"))?;
    let look = ["box.md5mesh", "-n", "5", "--size", "40x30", "--background", "transparent"];
    let forms = ["--apng", "all.apng", "--gif", "all.gif", "--sheet", "all.png"];
    let views = ["--aov", "wireframe,joint:upper arm/l", "--save-scene", "box.toml"];
    let run = |more: &[&[&str]]| {
        tintype(folder.path(), &[&["turntable"], &look[..], &more.concat()].concat())
    };
    wanted(&run(&[&["-o", "bare"]]), 0, "5 frames in")?;
    let output = run(&[&["-o", "out"], &forms, &views]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains(", each with 2 views, ") && text.contains("all.wireframe.gif"), "{text}");
    let rendered = tintype(folder.path(), &["render", "box.toml", "-o", "scene/####.png"]);
    wanted(&rendered, 0, "each with 2 views")?;
    let bare = frames(&folder.path().join("bare"))?;
    for view in ["wireframe", "joint-upper_arm_l"] {
        let [pictures, views] = with_view(&folder.path().join("out"), view)?;
        assert!(pictures == bare && views.len() == 5, "{view}");
        assert!(views.windows(2).all(|two| two[0] != two[1]), "{view}");
        assert!(views.iter().zip(&pictures).all(|(view, picture)| view != picture), "{view}");
        assert!(
            [pictures.clone(), views.clone()] == with_view(&folder.path().join("scene"), view)?
        );
        forms_hold(folder.path(), "all", &pictures, 60)?;
        forms_hold(folder.path(), &format!("all.{view}"), &views, 60)?;
    }
    Ok(())
}

/// Standard output takes a single requested view; more do not fit.
#[trial]
fn view_alone_goes_to_standard_output() -> Outcome {
    let folder = TempDir::new()?;
    let model = asset("scarab.md5mesh");
    let look = [&model, "-n", "3", "--size", "40x30", "--background", "transparent", "--aov"];
    let run = |more: &[&str]| turn(folder.path(), &[&look[..], more].concat());
    run(&["depth,uv", "-o", "out"])?;
    let [_, views] = with_view(&folder.path().join("out"), "depth")?;
    let rgba: Vec<u8> = views.iter().flat_map(|view| view.rgba.as_flattened()).copied().collect();
    assert!(run(&["depth", "-o", "-", "--raw", "rgba"])?.stdout == rgba);
    // A view is opaque, whatever is behind the picture.
    let y4m = run(&["depth", "-o", "-", "--raw", "y4m"])?.stdout;
    assert!(y4m.ends_with(&views.iter().flat_map(y4m_frame).collect::<Vec<u8>>()));
    let mut both = vec!["turntable"];
    both.extend_from_slice(&look);
    both.extend(["depth,uv", "-o", "-", "--raw", "rgba"]);
    let output = tintype(folder.path(), &both);
    assert!(output.stdout.is_empty());
    wanted(&output, 2, "one sequence, but 2 views are selected (depth, uv); pick one with --aov")
}

/// Files that are up to date are not drawn again, views included; missing or different ones are.
#[trial]
fn views_are_looked_for_before_they_are_drawn() -> Outcome {
    let folder = TempDir::new()?;
    let model = asset("scarab.md5mesh");
    let look = ["turntable", &model, "-n", "4", "--size", "24x24"];
    let run = |more: &[&str]| tintype(folder.path(), &[&look[..], more].concat());
    let read = |name: &str| fs::read(folder.path().join(name));
    let list = ["-o", "out", "--aov", "wireframe,uv"];
    wanted(&run(&["-o", "out"]), 0, "4 frames in")?;
    wanted(&run(&list), 0, "4 frames in")?;
    wanted(&run(&list), 0, "4 frames are up to date")?;
    wanted(&run(&["-o", "out"]), 0, "4 frames are up to date")?;
    let verify = [&list[..], &["--verify"]].concat();
    wanted(&run(&verify), 0, "4 frames up to date")?;
    let whole = read("out/0002.uv.png")?;
    fs::remove_file(folder.path().join("out/0002.uv.png"))?;
    wanted(&run(&verify), 1, "1 of 4 frames (2): out/0002.uv.png: missing")?;
    wanted(&run(&list), 0, "each with 2 views, 3 up to date")?;
    assert!(read("out/0002.uv.png")? == whole);
    fs::copy(folder.path().join("out/0001.wireframe.png"), folder.path().join("out/0001.uv.png"))?;
    wanted(&run(&verify), 1, "it is the view wireframe, not the view uv")?;

    // Files of all frames.
    let files = ["--gif", "a.gif", "--apng", "a.png", "--sheet", "s.png", "--aov", "wireframe"];
    wanted(&run(&files), 0, "4 frames in")?;
    wanted(&run(&files), 0, "4 frames are up to date")?;
    let verify = [&files[..], &["--verify"]].concat();
    for name in ["a.wireframe.gif", "a.wireframe.png", "s.wireframe.png", "s.wireframe.json"] {
        let whole = read(name)?;
        fs::remove_file(folder.path().join(name))?;
        wanted(&run(&verify), 1, ": missing, incomplete or out of date")?;
        wanted(&run(&files), 0, "4 frames in")?;
        assert!(read(name)? == whole, "{name}");
    }
    // A view is not a picture, whatever its file is called.
    for (option, name) in [("--gif", "a.wireframe.gif"), ("--apng", "a.wireframe.png")] {
        wanted(&run(&[option, name]), 0, "4 frames in")?;
        wanted(&run(&verify), 1, &format!("{name}: missing, incomplete or out of date"))?;
    }
    Ok(())
}

/// Each model has its views in a separate folder; one without the joint does not affect the others.
#[trial]
fn views_of_several_models() -> Outcome {
    let folder = TempDir::new()?;
    fs::create_dir(folder.path().join("models"))?;
    fs::write(folder.path().join("models/a.md5mesh"), BOX)?;
    fs::write(folder.path().join("models/b.md5mesh"), BOX.replace("root", "rood"))?;
    let look = ["turntable", "models", "-o", "turns", "-n", "2", "--size", "24x24", "--aov"];
    let run =
        |views: &str, more: &[&str]| tintype(folder.path(), &[&look[..], &[views], more].concat());
    wanted(&run("wireframe", &["--gif", "x.gif"]), 0, "2 turntables")?;
    for model in ["a", "b"] {
        let own = folder.path().join(format!("turns/{model}.md5mesh"));
        let [pictures, views] = with_view(&own, "wireframe")?;
        assert_eq!((pictures.len(), views.len()), (2, 2));
        assert!(own.join("x.wireframe.gif").exists() && own.join("x.gif").exists());
    }
    let output = run("joint:root", &[]);
    wanted(&output, 3, "models/b.md5mesh: joint:root: no model of the scene has a joint \"root\"")?;
    wanted(&output, 3, "did you mean \"rood\"?")?;
    assert!(folder.path().join("turns/a.md5mesh/0001.joint-root.png").exists());
    wanted(&run("wirefram", &[]), 2, "unknown view \"wirefram\"; expected one of: \"depth\"")
}

#[trial]
fn saved_scene_draws_the_same_pictures() -> Outcome {
    let folder = TempDir::new()?;
    let (model, clip) = (asset("ranger.md5mesh"), asset("ranger_wave.md5anim"));
    let more = [
        "--size",
        "48x64",
        "-n",
        "48",
        "-o",
        "out",
        "--save-scene",
        "deep/er/wave.toml",
        "--ground",
        "--shadow",
    ];
    turn(folder.path(), &walk(&model, &clip, &more))?;
    let said = fs::read_to_string(folder.path().join("deep/er/wave.toml"))?;
    let rendered = tintype(folder.path(), &["render", "deep/er/wave.toml", "-o", "again/####.png"]);
    if !rendered.status.success() {
        return Err(format!("{said}{}", String::from_utf8_lossy(&rendered.stderr)).into());
    }
    let [first, again] = ["out", "again"].map(|name| frames(&folder.path().join(name)));
    if first? == again? { Ok(()) } else { Err(said.into()) }
}

#[trial]
fn bytes_are_the_same_on_any_number_of_threads() -> Outcome {
    let folder = TempDir::new()?;
    let model = asset("ranger.x");
    for threads in ["1", "2", "5"] {
        let (gif, apng) = (format!("{threads}.gif"), format!("{threads}.apng"));
        let arguments = [
            &model, "--clip", "bind", "-n", "6", "--size", "64x64", "-j", threads, "--gif", &gif,
            "--apng", &apng,
        ];
        turn(folder.path(), &arguments)?;
    }
    for kind in ["gif", "apng"] {
        let read = |threads: &str| fs::read(folder.path().join(format!("{threads}.{kind}")));
        let first = read("1")?;
        assert!(first == read("2")? && first == read("5")?, "{kind}");
    }
    Ok(())
}

#[trial]
fn mistakes_are_named_and_leave_nothing() -> Outcome {
    let folder = TempDir::new()?;
    let (model, clip) = (asset("ranger.md5mesh"), asset("ranger_walk.md5anim"));
    let cases: [(&[&str], i32, &str); 24] = [
        (&["-o", "-"], 2, "--raw y4m or --raw rgba"),
        (&["--raw", "y4m"], 2, "add -o -"),
        (&["-o", "-", "--raw", "y4m", "--background", "transparent"], 2, "has no alpha"),
        (&["--clip", "ranger_wlak"], 2, "did you mean \"ranger_walk\"?"),
        (
            &["--size", "0x10"],
            2,
            "--size: 0 is out of range; a picture has 1 to 16384 pixels per side",
        ),
        (&["--samples", "3"], 2, "it is 1, 2, 4, 8 or 16"),
        (&["--anisotropy", "0"], 2, "--anisotropy: 0 is out of range; it is 1, 2, 4, 8 or 16"),
        (&["--fps", "0"], 2, "--fps: 0 is out of range; expected above 0, at most 1000"),
        (&["--background", "blu"], 2, "background"),
        (&["--up", "w"], 2, "axis"),
        (&["--elevation", "120"], 2, "--elevation: 120"),
        (&["--azimuth", "inf"], 2, "--azimuth: inf is out of range; expected -360000 to 360000"),
        (&["--turn", "nan"], 2, "--turn: nan is out of range; expected -360000 to 360000"),
        (&["-n", "4000", "--sheet", "s.png"], 2, "use fewer or smaller frames"),
        (&["-n", "0"], 2, "expected a whole number above 0"),
        (&["--gif", "a.png"], 2, "--gif a.png: the name must end in .gif"),
        (&["--apng", "a.gif"], 2, "must end in .png or .apng"),
        (&["--sheet", "a"], 2, "--sheet a: the name must end in .png"),
        (&["--apng", "a.png", "--sheet", "a.png"], 2, "--sheet a.png: --apng writes the same file"),
        (&["-o", "a/##/b.png"], 2, "in a folder name"),
        (&["--aov", "wirefram"], 2, "--aov: unknown view \"wirefram\"; expected one of: \"depth\""),
        (&["--aov", "joint:haed"], 2, "no model of the scene has a joint \"haed\"; did you mean"),
        (&["--aov", "joint:haed", "--save-scene", "s.toml", "--gif", "g.gif"], 2, "did you mean"),
        (&["--aov", "uv,uv"], 2, "would both be named \"uv\""),
    ];
    for (more, code, says) in cases {
        let output =
            tintype(folder.path(), &[&["turntable"], &walk(&model, &clip, more)[..]].concat());
        let text = String::from_utf8_lossy(&output.stderr);
        if output.status.code() != Some(code) || !text.contains(says) {
            return Err(format!(
                "{more:?}: {:?}, not {code}, or not {says:?}\n{text}",
                output.status
            )
            .into());
        }
        assert!(output.stdout.is_empty(), "{more:?}");
    }
    let nothing = tintype(folder.path(), &["turntable", "rangr.md5mesh"]);
    assert_eq!(nothing.status.code(), Some(2));
    assert_eq!(fs::read_dir(folder.path())?.count(), 0, "a file is left");
    // If one output cannot be written, the others are not written either, whole or in part.
    fs::write(folder.path().join("taken"), "")?;
    let output = tintype(
        folder.path(),
        &["turntable", &model, "-n", "2", "--gif", "x.gif", "--apng", "taken/x.apng"],
    );
    assert!(!output.status.success());
    assert_eq!(fs::read_dir(folder.path())?.count(), 1, "a file is left");
    // A requested folder that is missing.
    let output = tintype(
        folder.path(),
        &["turntable", &model, "-n", "1", "--size", "8", "--textures", "nothere", "-o", "u"],
    );
    wanted(&output, 2, "error: --textures: nothere: no such folder")?;
    Ok(())
}

#[trial]
fn reader_that_goes_away_is_told() -> Outcome {
    let model = asset("scarab.md5mesh");
    let mut child = Command::new(env!("CARGO_BIN_EXE_tintype"))
        .args(["turntable", &model, "-n", "20", "-o", "-", "--raw", "rgba", "-q"])
        .stdout(Stdio::piped())
        .spawn()?;
    drop(child.stdout.take());
    let status = child.wait()?;
    if status.code() == Some(3) { Ok(()) } else { Err(format!("{status:?}").into()) }
}

#[trial]
fn clip_that_is_too_long_is_told() -> Outcome {
    let folder = TempDir::new()?;
    let (model, clip) = (asset("ranger.md5mesh"), asset("ranger_idle.md5anim"));
    let arguments =
        [&["turntable"], &walk(&model, &clip, &["-n", "8", "--size", "16x16"])[..]].concat();
    let output = tintype(folder.path(), &arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() && text.contains("once at 7.50 times its speed") {
        Ok(())
    } else {
        Err(text.into())
    }
}

/// A figure lying in its file is turned upright; the user's choice is left unchanged.
#[trial(with_models)]
fn lying_figure_is_stood_up(models: &Path) -> Outcome {
    let folder = TempDir::new()?;
    let model: PathBuf = models.join("x/ms/multianim/tiny_4anim.x");
    let model = model.display().to_string();
    let draw = |more: &[&str], name: &str| -> Result<(String, [f64; 4]), Failed> {
        let common = [
            "turntable",
            &model,
            "-n",
            "1",
            "--clip",
            "bind",
            "--size",
            "100x100",
            "--background",
            "transparent",
            "-o",
            name,
        ];
        let output = tintype(folder.path(), &[&common[..], more].concat());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let frame = frames(&folder.path().join(name))?;
        Ok((text, bounds(&frame[0])))
    };
    let (said, [left, top, right, low]) = draw(&[], "guessed")?;
    assert!(said.contains("using --up z --front -y"), "{said}");
    assert!(low - top > 1.5 * (right - left), "it stands: {left} {top} {right} {low}");
    let (said, [left, top, right, low]) = draw(&["--up", "y"], "said")?;
    assert!(!said.contains("using --up"), "{said}");
    assert!(low - top < right - left, "it lies: {left} {top} {right} {low}");
    Ok(())
}

/// Each folder has the frames of one direction from 0 on, which are the cells of its row of the
/// sheet.
#[trial]
fn directions_have_a_folder_each() -> Outcome {
    let folder = TempDir::new()?;
    let (model, clip) = (asset("ranger.md5mesh"), asset("ranger_walk.md5anim"));
    let look = ["--directions", "16", "--azimuth", "-45", "-n", "2", "--size", "24x24"];
    let files = ["-o", "out/r.##.png", "--aov", "depth", "--sheet", "s.png"];
    let output = turn(folder.path(), &walk(&model, &clip, &[&look[..], &files].concat()))?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("out/315/r.00.png to 292.5/r.01.png"), "{text}");
    let mut folders: Vec<String> = fs::read_dir(folder.path().join("out"))?
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    folders.sort();
    assert_eq!(folders.len(), 16);
    assert_eq!(folders[..4], ["000", "022.5", "045", "067.5"]);
    let (sheet, _) = decode_png(&fs::read(folder.path().join("s.png"))?)?;
    for (row, name) in [(0, "315"), (2, "000"), (15, "292.5")] {
        let own = folder.path().join("out").join(name);
        assert_eq!(crate::support::files(&own, &["png"])?.len(), 4, "two frames and their views");
        for column in 0..2_u32 {
            let (frame, _) = decode_png(&fs::read(own.join(format!("r.{column:02}.png")))?)?;
            let is_same = (0..24).all(|y| {
                (0..24).all(|x| frame.pixel(x, y) == sheet.pixel(column * 24 + x, row * 24 + y))
            });
            assert!(is_same, "{name}, {column}");
        }
    }
    // All are found again, and a lost one alone is drawn.
    let again = walk(&model, &clip, &[&look[..], &files].concat());
    fs::remove_file(folder.path().join("out/022.5/r.01.png"))?;
    let text = String::from_utf8_lossy(&turn(folder.path(), &again)?.stderr).into_owned();
    assert!(text.contains("1 frame in"), "{text}");
    turn(folder.path(), &[&again[..], &["--verify"]].concat())?;
    Ok(())
}

/// Without a clip: 36 frames by default, in a folder named after the model.
#[trial]
fn frames_of_a_still_model() -> Outcome {
    let folder = TempDir::new()?;
    let output = turn(folder.path(), &[&asset("globe.md5mesh"), "--size", "24x24"])?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("out/globe.md5mesh/0000.png to 0035.png"), "{text}");
    assert_eq!(frames(&folder.path().join("out/globe.md5mesh"))?.len(), 36);
    Ok(())
}
