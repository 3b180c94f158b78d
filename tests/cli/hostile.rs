//! Inputs that must neither crash the program nor deceive its user: names that control terminals
//! and shells, endless files, requests beyond the machine; and typical mistakes of newcomers.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::command::{BOX, command, tintype, wanted};
use crate::support::trial;
use libtest_mimic::Failed;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

type Outcome = Result<(), Failed>;

const SCENE: &str = "[output]\nsize = [16, 12]\nframes = \"0-1\"\n[[material]]\nname = \"crate\"\n[[model]]\nfile = \"box.md5mesh\"\n";

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("box.md5mesh"), BOX).unwrap();
    fs::write(folder.path().join("scene.toml"), SCENE).unwrap();
    folder
}

/// Names with line feeds, escape codes, quotes, commands, templates and marks that turn the
/// direction of letters.
const NAMES: [&str; 3] = [
    "new\nkind: Pod\nline esc\u{1b}[2J\u{1b}]0;owned\u{7} c1\u{9b}31m\u{85}end\u{2028}x",
    "quote\"it's run $(touch pwned) `touch pwned`; touch pwned {{ Param.File }} {{{{",
    "-f --help bidi\u{202e}lmot\u{2066}",
];

/// True if a text controls a terminal.
fn has_control(text: &[u8]) -> bool {
    String::from_utf8_lossy(text).chars().any(|letter| {
        letter.is_control() && letter != '\n' && letter != '\t'
            || matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    })
}

#[trial]
fn names_reach_neither_terminal_nor_shell() -> Outcome {
    for name in NAMES {
        let own = TempDir::new()?;
        let (model, scene) = (format!("./{name}.md5mesh"), format!("./{name}.toml"));
        fs::write(own.path().join(&model), BOX.replace("\"crate\"", "\"crate\u{1b}[31m\""))?;
        let text = SCENE.replace("\"box.md5mesh\"", &serde_json::to_string(&model)?);
        fs::write(own.path().join(&scene), text.replace("name = \"crate\"", "name = \"cr\""))?;
        let (model, scene) = (model.as_str(), scene.as_str());
        let commands: [&[&str]; 23] = [
            &["inspect", model],
            &["inspect", scene, "--tree"],
            &["pose", model, "-o", "a.obj"],
            &["thumbnail", model, "-o", "thumbs", "--gallery"],
            &["turntable", model, "-n", "1", "--size", "8", "--save-scene", "./saved $(x).toml"],
            &["render", scene],
            &["render", scene, "-v"],
            &["render", model],
            &["verify", scene],
            &["diff", model, scene],
            &["farm", "export", scene, "--kubernetes", "--image", name, "--claim", name],
            &["farm", "export", scene, "--openjd"],
            &["inspect", model, "--json"],
            &["verify", scene, "--json"],
            &["thumbnail", model, "-o", "thumbs", "--json", "--gallery"],
            &["test", "--list", "."],
            &["farm", "export", "--openjd", "thumbnail", model, "-o", "t"],
            &["farm", "submit", scene, "--dry-run", "-o", "./kept/#.png"],
            &["farm", "status", scene],
            &["render", "./nowhere\nkind: Pod.toml"],
            &["test", ".", "--summary", "-", "--report", model, "--junit", "j.xml"],
            &["bless", ".", "--scenes", model],
            &["render", scene, "--size", "\nkind: Pod\u{1b}[2J"],
        ];
        for arguments in commands {
            let output = tintype(own.path(), arguments);
            for (stream, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
                if has_control(bytes) {
                    let text = String::from_utf8_lossy(bytes).escape_debug().to_string();
                    return Err(format!("{arguments:?}: {stream}: {text}").into());
                }
            }
            assert!(output.status.code().is_some_and(|code| code != 101), "{arguments:?}");
            // A line that a name has started: of a manifest, a script, a table or a message.
            for bytes in [&output.stdout, &output.stderr] {
                let said = String::from_utf8_lossy(bytes).into_owned();
                if said.lines().any(|line| line.starts_with("kind: Pod")) {
                    return Err(format!("{arguments:?}: {said}").into());
                }
            }
        }
        assert!(!own.path().join("pwned").exists());
        let page = fs::read(own.path().join("thumbs/index.html"))?;
        assert!(!has_control(&page), "{}", String::from_utf8_lossy(&page).escape_debug());
    }
    Ok(())
}

/// Models whose names contain control characters work like others: their outputs are complete.
#[trial]
fn names_with_control_characters_work() -> Outcome {
    let own = TempDir::new()?;
    let model = format!("{}.md5mesh", NAMES[0]);
    fs::create_dir(own.path().join("models"))?;
    fs::write(own.path().join("models").join(&model), BOX)?;
    fs::write(own.path().join(&model), BOX)?;
    let model = model.as_str();
    wanted(&tintype(own.path(), &["inspect", model]), 0, "\\nkind: Pod")?;
    wanted(&tintype(own.path(), &["thumbnail", model, "-o", "one.png", "-s", "16"]), 0, "1 thumb")?;
    wanted(&tintype(own.path(), &["thumbnail", "models", "-s", "16", "--gallery"]), 0, "1 thumb")?;
    wanted(&tintype(own.path(), &["turntable", model, "-n", "1", "--size", "8"]), 0, "1 frame")?;
    wanted(&tintype(own.path(), &["diff", model, model]), 0, "the same")?;
    wanted(&tintype(own.path(), &["bless", "--models", "models", "--allow-warnings"]), 0, "")?;
    wanted(&tintype(own.path(), &["test", "--models", "models"]), 0, "the same")?;
    // A program that reads the result finds the file.
    let found = tintype(own.path(), &["thumbnail", "models", "-s", "16", "--json"]);
    let found: serde_json::Value = serde_json::from_slice(&found.stdout)?;
    let text = found.to_string();
    assert!(text.contains("new\\nkind: Pod"), "{text}");
    Ok(())
}

/// Two names that differ in a byte that is not UTF-8 are two models, and each is found.
#[trial]
fn names_that_are_not_utf8_are_names() -> Outcome {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let own = TempDir::new()?;
    let names = [&b"caf\xe8.md5mesh"[..], b"caf\xe9.md5mesh"].map(OsStr::from_bytes);
    fs::create_dir(own.path().join("models"))?;
    for name in names {
        fs::write(own.path().join("models").join(name), BOX)?;
        let model = Path::new("models").join(name);
        let run = |first: &[&str], rest: &[&str]| {
            command(own.path(), first).arg(&model).args(rest).output().unwrap()
        };
        wanted(&run(&["inspect"], &[]), 0, "")?;
        wanted(&run(&["pose"], &["-o", "a.obj"]), 0, "8 vertices")?;
        wanted(&run(&["turntable"], &["-n", "1", "--size", "8", "-o", "turn"]), 0, "1 frame")?;
        wanted(&run(&["thumbnail"], &["-o", "one.png"]), 0, "1 thumbnail")?;
    }
    wanted(&tintype(own.path(), &["thumbnail", "models", "-o", "thumbs"]), 0, "2 thumbnails")?;
    assert_eq!(fs::read_dir(own.path().join("thumbs"))?.count(), 2);
    wanted(&tintype(own.path(), &["turntable", "models", "-n", "1", "--size", "8"]), 0, "")?;
    // Lists of tasks contain them.
    wanted(
        &tintype(own.path(), &["farm", "export", "--openjd", "thumbnail", "models"]),
        0,
        "2 models",
    )?;
    Ok(())
}

/// Scenes, folders, patterns, lists and reports whose names are not UTF-8, through every command:
/// two names that differ in such a byte stay different, and written files have the requested bytes.
#[trial]
fn names_that_are_not_utf8_work_in_every_command() -> Outcome {
    use std::ffi::{OsStr, OsString};
    use std::os::unix::ffi::OsStrExt;
    let own = TempDir::new()?;
    let [grave, acute] = [&b"caf\xe8"[..], b"caf\xe9"].map(OsStr::from_bytes);
    let at =
        |parts: &[&OsStr]| -> PathBuf { parts.iter().fold(own.path().into(), |a, b| a.join(b)) };
    let with = |name: &OsStr, end: &str| -> OsString {
        let mut name = name.to_owned();
        name.push(end);
        name
    };
    let folder = at(&[acute, "scenes".as_ref()]);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("box.md5mesh"), BOX)?;
    fs::write(folder.join("other.md5mesh"), BOX)?;
    for name in [grave, acute] {
        fs::write(
            folder.join(with(name, ".toml")),
            SCENE.to_owned() + "[golden]\nframes = \"0\"\n",
        )?;
        fs::write(folder.join(with(name, ".md5mesh")), BOX)?;
    }
    let run =
        |words: &[&OsStr]| -> Output { command(own.path(), &[]).args(words).output().unwrap() };
    let words = |line: &str| -> Vec<OsString> {
        // `%` is the folder, `E` one name and `G` the other.
        line.split(' ')
            .map(|word| {
                let bytes: Vec<u8> = word
                    .bytes()
                    .flat_map(|byte| match byte {
                        b'%' => [acute.as_bytes(), b"/scenes"].concat(),
                        b'E' => acute.as_bytes().to_vec(),
                        b'G' => grave.as_bytes().to_vec(),
                        byte => vec![byte],
                    })
                    .collect();
                OsStr::from_bytes(&bytes).to_owned()
            })
            .collect()
    };
    let good = |line: &str, says: &str| -> Outcome {
        let words = words(line);
        let words: Vec<&OsStr> = words.iter().map(OsString::as_os_str).collect();
        wanted(&run(&words), 0, says).map_err(|error| format!("{line}: {error:?}").into())
    };
    let is_there = |line: &str| own.path().join(&words(line)[0]).exists();

    // 1. Frames: default folders apart, patterns, checks, leftovers.
    for name in ["E", "G"] {
        good(&format!("render %/{name}.toml"), "2 frames in")?;
        assert!(is_there(&format!("out/{name}/0001.png")), "{name}");
        good(&format!("verify %/{name}.toml"), "2 frames up to date")?;
        good(&format!("render %/{name}.toml --record -o r/{name}/##.png"), "2 frames in")?;
        good(&format!("render %/{name}.toml -o r/{name}/##.png"), "2 frames are up to date")?;
        good(
            &format!("render %/{name}.toml -f 0 -o r/{name}/##.png --clean"),
            "1 frame is up to date",
        )?;
    }
    good("render %/E.toml -f 0 -o r/E.G.####.png", "1 frame")?;
    assert!(is_there("r/E.G.0000.png"));
    good("farm status r/E", "2 of 2 frames done")?;
    good("farm status r/E --report E.html", "2 of 2 frames done")?;
    good("farm retry r/E --list", "")?;
    good("inspect %/E.toml", "")?;
    good("inspect %/E.toml --json", "")?;

    // 2. Models: turntables, thumbnails, lists, poses.
    good("turntable %/E.md5mesh -n 2 --size 8 -o E/turn --textures %", "2 frames")?;
    good("turntable %/G.md5mesh -n 2 --size 8 --gif E/G.gif --apng E/G.png --sheet E/s.png", "")?;
    good(
        "turntable %/E.md5mesh -n 1 --size 8 --save-scene E/saved.toml -o E/v",
        "tintype render $'caf\\xe9/saved.toml'",
    )?;
    good("thumbnail % -o E/thumbs -s 8 --gallery --textures %", "4 thumbnails")?;
    good("thumbnail % -o E/thumbs -s 8 --verify", "4 thumbnails up to date")?;
    good("turntable % -n 1 --size 8 -o E/turns --record", "4 turntables")?;
    good("farm status E/turns", "4 of 4 models done")?;
    fs::write(
        own.path().join("list"),
        [acute.as_bytes(), b"/scenes/", grave.as_bytes(), b".md5mesh\n"].concat(),
    )?;
    good("thumbnail --list list -o E/listed -s 8", "1 thumbnail")?;
    good("pose %/E.md5mesh -o E/pose.obj", "8 vertices")?;
    good("diff %/E.md5mesh %/G.md5mesh", "the same")?;
    good("diff r/E r/G", "2 frames: 2 the same")?;
    good("diff r/E/##.png r/G/##.png", "2 the same")?;
    good("diff % % --report E/page --junit E/j.xml", "the same")?;

    // 3. Goldens of scenes and of models.
    good("bless --all --scenes %", "2 goldens")?;
    good(
        "test % --report E/report --json E/t.json --junit E/t.xml --summary E/t.md",
        "2 goldens the same",
    )?;
    good("test % --filter G", "1 golden the same")?;
    good("bless --scenes % G", "0 goldens written in 1 scene")?;
    good("bless --models % --allow-warnings", "")?;
    good("test --models %", "the same")?;

    // 4. Farms: Slurm takes any name, job files in YAML cannot.
    good("farm submit %/E.toml -o E/f/##.png --dry-run", "nothing submitted")?;
    good("farm submit thumbnail % -o E/g --dry-run", "nothing submitted")?;
    for line in [
        "farm export --openjd %/E.toml",
        "farm export --openjd thumbnail % -o t",
        "farm export --kubernetes turntable % -o t",
    ] {
        let words = words(line);
        let words: Vec<&OsStr> = words.iter().map(OsString::as_os_str).collect();
        let says = "the name is not UTF-8, which job files require";
        wanted(&run(&words), 2, says).map_err(|error| format!("{line}: {error:?}"))?;
    }
    let names = fs::read_dir(own.path().join("out"))?.count();
    assert_eq!(names, 2, "two scenes have folders of their own");
    Ok(())
}

#[trial]
fn suggested_commands_can_be_pasted() -> Outcome {
    let folder = folder();
    let name = "my scene; touch pwned.toml";
    let output = tintype(
        folder.path(),
        &["turntable", "box.md5mesh", "-n", "1", "--size", "8x8", "--save-scene", name],
    );
    wanted(&output, 0, "tintype render 'my scene; touch pwned.toml'")
}

/// Runs a command that must end soon.
fn soon(folder: &Path, arguments: &[&str]) -> Result<Output, Failed> {
    let mut child = command(folder, arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let started = Instant::now();
    while child.try_wait()?.is_none() {
        if started.elapsed() > Duration::from_secs(60) {
            child.kill()?;
            return Err(format!("{arguments:?} hangs").into());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(child.wait_with_output()?)
}

#[trial]
fn special_files_are_refused_and_never_waited_for() -> Outcome {
    let folder = folder();
    let pipe = |name: &str| {
        Command::new("mkfifo")
            .arg(folder.path().join(name))
            .status()
            .is_ok_and(|made| made.success())
    };
    // A pipe beside a model, in the search path of its clips; another instead of each kind of
    // input.
    for name in ["box_walk.md5anim", "pipe.md5mesh", "pipe.x", "pipe.toml", "pipe.png", "list"] {
        assert!(pipe(name), "{name}");
    }
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("zero.toml"))?;
    fs::File::create(folder.path().join("vast.toml"))?.set_len(100 << 30)?;
    fs::File::create(folder.path().join("vast.x"))?.set_len(100 << 30)?;
    wanted(&soon(folder.path(), &["thumbnail", "box.md5mesh", "-o", "b.png"])?, 0, "1 thumbnail")?;
    let cases: [(&[&str], &str); 10] = [
        (&["inspect", "pipe.md5mesh"], "it is a named pipe, not a file"),
        (&["inspect", "pipe.x"], "it is a named pipe, not a file"),
        (&["pose", "pipe.x", "-o", "a.obj"], "it is a named pipe, not a file"),
        (&["pose", "box.md5mesh", "-a", "box_walk.md5anim", "-o", "a.obj"], "it is a named pipe"),
        (&["render", "pipe.toml"], "it is a named pipe, not a file"),
        (&["render", "zero.toml"], "it is a device, not a file"),
        (&["render", "vast.toml"], "it has 107374182400 bytes; the limit is 67108864"),
        (&["pose", "vast.x", "-o", "a.obj"], "with --limit bytes=NUMBER"),
        (&["turntable", "vast.x"], "with --limit bytes=NUMBER"),
        (&["turntable", "--list", "list"], "it is a named pipe, not a file"),
    ];
    for (arguments, says) in cases {
        wanted(&soon(folder.path(), arguments)?, 2, says)
            .map_err(|error| format!("{arguments:?}: {error:?}"))?;
    }
    let full = ["turntable", "box.md5mesh", "--gif", "/dev/full", "-n", "2"];
    wanted(&soon(folder.path(), &full)?, 75, "cannot write /dev/full: No space left")
}

/// The device itself is written to through a link: a failure of this test must not cost it.
#[trial]
fn devices_are_written_through() -> Outcome {
    let folder = folder();
    std::os::unix::fs::symlink("/dev/null", folder.path().join("null"))?;
    let pose = tintype(folder.path(), &["pose", "box.md5mesh", "-o", "null"]);
    wanted(&pose, 0, "8 vertices")?;
    assert!(fs::symlink_metadata(folder.path().join("null"))?.is_symlink());
    Ok(())
}

/// A picture of 1 KB that asks for a gigabyte is refused by its header.
#[trial]
fn textures_that_are_too_large_are_refused_before_they_are_decoded() -> Outcome {
    let folder = folder();
    let mut bmp = vec![0_u8; 54 + 1024];
    bmp[..2].copy_from_slice(b"BM");
    // Offset of the pixels, size of the header, width, height, planes, bits, RLE8.
    for (at, value) in
        [(10, 1078_u32), (14, 40), (18, 16_000), (22, 16_000), (26, 1 | 8 << 16), (30, 1)]
    {
        bmp[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    bmp.extend([0, 1]);
    fs::write(folder.path().join("crate.bmp"), bmp)?;
    let scene = SCENE.replace("name = \"crate\"", "name = \"crate\"\ndiffuse = \"crate.bmp\"");
    fs::write(folder.path().join("scene.toml"), scene)?;
    let started = Instant::now();
    let output = soon(folder.path(), &["render", "scene.toml"])?;
    wanted(&output, 2, "crate.bmp: refused as material[0].diffuse: BMP: 16000 x 16000 pixels")?;
    wanted(
        &output,
        2,
        "in a file of 1080 bytes; the limit for this size is 16777216; raise it with --limit pixels=NUMBER",
    )?;
    let limits = ["--limit", "pixels=256M", "--limit", "textures=1G"];
    let output = soon(folder.path(), &[&["render", "scene.toml"], &limits[..]].concat())?;
    wanted(&output, 2, "crate.bmp: decoded textures take 1.6 GiB")?;
    wanted(&output, 2, "but the limit is 1.0 GiB; raise it with --limit textures=NUMBER")?;
    assert!(started.elapsed() < Duration::from_secs(20), "it is not decoded");
    Ok(())
}

#[trial]
fn threads_are_held_to_the_machine() -> Outcome {
    let folder = folder();
    let output = tintype(folder.path(), &["render", "scene.toml", "-j", "100000"]);
    wanted(&output, 0, "--threads 100000: ")?;
    wanted(&output, 0, "as this process may use")?;
    assert_eq!(
        String::from_utf8_lossy(&output.stderr).matches("as this process may use").count(),
        1
    );
    Ok(())
}

#[trial]
fn digest_of_a_turntable_does_not_depend_on_the_path() -> Outcome {
    let folder = folder();
    let turn = |model: &str| {
        let size = ["-n", "1", "--size", "8x8", "-o", "out"];
        tintype(folder.path(), &[&["turntable", model], &size[..]].concat())
    };
    wanted(&turn("box.md5mesh"), 0, "1 frame in")?;
    let whole = folder.path().join("box.md5mesh").display().to_string();
    for model in ["./box.md5mesh", "out/../box.md5mesh", &whole] {
        wanted(&turn(model), 0, "up to date").map_err(|error| format!("{model}: {error:?}"))?;
    }
    Ok(())
}

#[trial]
fn newcomers_are_shown_the_way() -> Outcome {
    let folder = folder();
    fs::create_dir(folder.path().join("models"))?;
    fs::write(folder.path().join("wide.toml"), b"\xff\xfe[\0o\0]\0")?;
    fs::write(folder.path().join("walk.md5anim"), "MD5Version 10\ncommandline \"\"\n")?;
    fs::write(folder.path().join("picture.png"), b"\x89PNG\r\n\x1a\n0000")?;
    fs::write(folder.path().join("junk.x"), "nothing that a model begins with")?;
    let cases: [(&[&str], &str); 31] = [
        (&["render", "junk.x"], "found a file that is named like a model but is not one"),
        (
            &["render", "box.md5mesh"],
            "expected a scene (.toml), found a model; draw it with `tintype turntable box.md5mesh",
        ),
        (&["verify", "box.md5mesh"], "expected a scene (.toml), found a model"),
        (
            &["render", "walk.md5anim"],
            "expected a scene (.toml), found a clip; play it with `tintype turntable MODEL -a walk.md5anim",
        ),
        (&["render", "picture.png"], "found a PNG picture"),
        (&["render", "models"], "tintype thumbnail models --gallery"),
        (&["inspect", "models"], "expected a model, a clip or a scene, found a folder"),
        (&["render", "wide.toml"], "the text is UTF-16; save it as UTF-8"),
        (
            &["render", "scene.toml", "-o", "a.####.exr"],
            ".gif, .apng, .mp4, .webm, .mov; write a.####.png",
        ),
        (&["verify", "scene.toml", "-o", "a.gif"], "expected one file per frame"),
        (&["turntable", "box.md5mesh", "-o", "a.####.gif"], "a file for all frames takes no ####"),
        (&["turntable", "box.md5mesh", "-o", "a.avi"], "write a.mp4"),
        (&["turntable", "box.md5mesh", "-o", "a.png"], "a.png is one picture; select one frame"),
        (&["thumbnail", "box.md5mesh", "-o", "a.gif"], "a thumbnail is one picture"),
        (&["pose", "box.md5mesh", "-o", "a.fbx"], "only OBJ files are written; write a.obj"),
        (
            &["thumbnail", "box.md5mesh", "--size", "256x128"],
            "expected only the longer side: use 256 with --aspect 256:128",
        ),
        (
            &["turntable", "walk.md5anim"],
            "expected a model, found a clip; play it on a model with -a walk.md5anim",
        ),
        (&["pose", "walk.md5anim", "-o", "a.obj"], "expected a model, found a clip"),
        (&["turntable", "scene.toml"], "draw it with `tintype render scene.toml`"),
        (&["pose", "scene.toml", "-o", "a.obj"], "expected a model, found a scene"),
        (&["pose", "picture.png", "-o", "a.obj"], "expected a model, found a PNG picture"),
        (
            &["pose", "box.md5mesh", "walk.md5anim", "-o", "a.obj"],
            "it is a clip: play it with -a walk.md5anim",
        ),
        (&["inspect", "box.md5mesh", "walk.md5anim"], "-a walk.md5anim"),
        (
            &["diff", "walk.md5anim", "walk.md5anim"],
            "two folders that each contain the model and its clip",
        ),
        (&["diff", "scene.toml", "scene.toml"], "this is a scene; compare two folders with scenes"),
        (&["test", "box.md5mesh"], "test models with --models box.md5mesh"),
        (&["bless", "box.md5mesh"], "use `tintype bless --models box.md5mesh` for models"),
        (
            &["render", "scene.toml", "--background", "red"],
            "--background: unknown background \"red\"",
        ),
        (
            &["render", "scene.toml", "./scene.toml"],
            "would write the same files, out/scene/####.png",
        ),
        (
            &["render", "scene.toml", "hint.toml", "-o", "a.####.png"],
            "--output works with one scene",
        ),
        (
            &["render", "scene.toml", "--size", "big"],
            "expected WIDTHxHEIGHT, such as 640x480, or one number",
        ),
    ];
    for (arguments, says) in cases {
        wanted(&tintype(folder.path(), arguments), 2, says)
            .map_err(|error| format!("{arguments:?}: {error:?}"))?;
    }
    for (text, says) in [
        (
            "[[model]]\nfile = \"box.md5mesh\"\nposition = [0, 1, 0]\n",
            "unknown key \"position\"; it belongs in [[light]] or [[instance]]",
        ),
        (
            "size = [8, 8]\n[[model]]\nfile = \"box.md5mesh\"\n",
            "unknown key \"size\"; it belongs in [output] or [golden]",
        ),
        (
            "[camera]\ntype = \"orbit\"\n[[model]]\nfile = \"box.md5mesh\"\n",
            "did you mean \"kind\"?",
        ),
        (
            "[output]\nframes = 0-19\n[[model]]\nfile = \"box.md5mesh\"\n",
            "put frame ranges in quotes: \"0-19\"",
        ),
    ] {
        fs::write(folder.path().join("hint.toml"), text)?;
        wanted(&tintype(folder.path(), &["render", "hint.toml"]), 2, says)?;
    }
    assert!(!folder.path().join("out").exists(), "mistakes leave nothing");
    Ok(())
}

#[trial]
fn sizes_and_names_of_one_picture_work_in_every_command() -> Outcome {
    let folder = folder();
    for (arguments, file) in [
        (&["thumbnail", "box.md5mesh", "--size", "20x20", "-o", "t.png"][..], "t.png"),
        (&["turntable", "box.md5mesh", "-n", "1", "--size", "20", "-o", "u.png"], "u.png"),
        (&["render", "scene.toml", "-f", "1", "--size", "20", "-o", "r.png"], "r.png"),
    ] {
        wanted(&tintype(folder.path(), arguments), 0, file)?;
        let (frame, _) = tintype_output::decode_png(&fs::read(folder.path().join(file))?)?;
        assert_eq!([frame.width, frame.height], [20, 20], "{arguments:?}");
    }
    Ok(())
}

#[trial]
fn several_scenes_are_drawn_in_turn() -> Outcome {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text);
    write("a.toml", SCENE)?;
    write("b.toml", SCENE)?;
    // A mistake in the last one is reported before anything is drawn.
    write("bad.toml", "[outptu]\n")?;
    wanted(&tintype(folder.path(), &["render", "a.toml", "bad.toml"]), 2, "outptu")?;
    assert!(!folder.path().join("out").exists());
    let output = tintype(folder.path(), &["render", "a.toml", "b.toml"]);
    wanted(&output, 0, "out/a/0000.png to 0001.png")?;
    wanted(&output, 0, "out/b/0000.png to 0001.png")?;
    // On request, one that cannot be drawn does not stop the others.
    fs::remove_dir_all(folder.path().join("out/a"))?;
    write("out/a", "")?;
    let again = tintype(folder.path(), &["render", "a.toml", "b.toml", "--keep-going"]);
    wanted(&again, 2, "2 frames are up to date")
        .or_else(|_| wanted(&again, 3, "2 frames are up to date"))
}

/// A folder that can never be created is not a temporary error.
#[trial]
fn folders_that_cannot_be_made_are_not_tried_again() -> Outcome {
    let folder = folder();
    if !Path::new("/proc/self").exists() {
        return Ok(());
    }
    let render = ["render", "scene.toml", "-o", "/proc/foo/####.png"];
    wanted(&tintype(folder.path(), &render), 2, "/proc/foo")?;
    wanted(
        &tintype(folder.path(), &["thumbnail", "box.md5mesh", "-o", "/proc/foo"]),
        2,
        "/proc/foo",
    )
}

#[trial]
fn frames_of_a_longer_run_are_told_and_cleaned() -> Outcome {
    let folder = folder();
    let render = |more: &[&str]| {
        tintype(folder.path(), &[&["render", "scene.toml", "-o", "f/##.png"], more].concat())
    };
    fs::write(folder.path().join("scene.toml"), SCENE.replace("0-1", "0-4"))?;
    wanted(&render(&[]), 0, "5 frames")?;
    fs::write(folder.path().join("scene.toml"), SCENE)?;
    wanted(&render(&[]), 0, "3 frames in f are not of this scene: 2-4; remove them with --clean")?;
    wanted(&render(&["--clean"]), 0, "removed 3 files of 3 frames")?;
    assert_eq!(fs::read_dir(folder.path().join("f"))?.count(), 2);
    let output = render(&[]);
    assert!(!String::from_utf8_lossy(&output.stderr).contains("not of this scene"));
    Ok(())
}

#[trial]
fn scene_comes_from_standard_input() -> Outcome {
    let folder = folder();
    let render = |text: &str| -> Result<Output, Failed> {
        let mut child = command(folder.path(), &["render", "-"])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        child.stdin.take().unwrap().write_all(text.as_bytes())?;
        Ok(child.wait_with_output()?)
    };
    wanted(&render(SCENE)?, 0, "out/scene/0000.png to 0001.png")?;
    wanted(&render("[outptu]\n")?, 2, "standard input")
}
