//! Every scene of `tests/corpus/scene`: good ones have their digest text, bad ones exactly their
//! messages.
//!
//! `bad/name.err` contains the one-line form of all messages of `bad/name.toml`, followed by their
//! form for people. `good/name.digest` contains the digest text of `good/name.toml`.

use crate::support::{trial, trials};
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use tintype_model::frame::Frame;
use tintype_scene::{Output, Scene, SceneErrors, parse_scene};

fn corpus() -> PathBuf {
    Path::new(env!("WORKSPACE_ROOT")).join("tests/corpus/scene")
}

#[trial]
fn scene_size_limit_is_that_of_the_rasterizer() -> Result<(), Failed> {
    same(&Output::MAX_SIDE.to_string(), &Frame::MAX_SIDE.to_string())
}

#[trials]
fn of_each_scene() -> Result<Vec<Trial>, String> {
    let mut trials = Vec::new();
    for (folder, expected, check) in [
        ("good", "digest", check_good as fn(&str, &str) -> String),
        ("bad", "err", check_bad as fn(&str, &str) -> String),
    ] {
        let scenes = files(&corpus().join(folder), "toml");
        let answers = files(&corpus().join(folder), expected);
        assert!(!scenes.is_empty() && scenes.len() == answers.len(), "{folder}: pairs of files");
        for scene in scenes {
            let stem = scene.file_stem().expect("a file has a name").to_string_lossy().into_owned();
            let name = format!("{folder}/{stem}");
            trials.push(Trial::test(name.clone(), move || {
                let got = check(&read(&scene)?, &format!("{name}.toml"));
                same(&got, &read(&scene.with_extension(expected))?)
            }));
        }
    }
    Ok(trials)
}
/// The files of a folder that have an extension, sorted.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.retain(|path| path.extension().is_some_and(|found| found == extension));
    files.sort();
    files
}

fn read(path: &Path) -> Result<String, Failed> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()).into())
}

fn same(got: &str, expected: &str) -> Result<(), Failed> {
    if got == expected {
        return Ok(());
    }
    Err(format!("got:\n{got}\n\nexpected:\n{expected}").into())
}

fn check_good(text: &str, name: &str) -> String {
    match parse_scene(text, name) {
        Ok(scene) => scene.digest_text(),
        Err(errors) => format!("refused:\n{errors}"),
    }
}

fn check_bad(text: &str, name: &str) -> String {
    match parse_scene(text, name) {
        Ok(scene) => format!("accepted: {scene:#?}"),
        Err(errors) => told(&errors),
    }
}

fn told(errors: &SceneErrors) -> String {
    let lines: Vec<String> = errors.lines().collect();
    assert_eq!(lines.len(), errors.errors().len());
    format!("{}\n\n{errors}\n", lines.join("\n"))
}

fn scene(text: &str) -> Result<Scene, Failed> {
    parse_scene(text, "test").map_err(|errors| errors.to_string().into())
}

#[trial]
fn digest_ignores_blanks_comments_order_and_defaults() -> Result<(), Failed> {
    let plain = scene("[[model]]\nfile = \"imp.md5mesh\"\n")?;
    let spelt_out = scene(
        "# A comment.\r\n\
         golden = { size = [8, 8] }\r\n\
         model = [ { 'file' = 'imp.md5mesh', name = \"imp\", clips = [] } ]\r\n\
         camera.margin = 6e-2\r\n\
         [output]\r\n  fps = 24.0\r\n  frames = '0'\r\n  file = \"elsewhere.png\"\r\n  size = [0x280, 480]\r\n\
         [[instance]]\r\n  scale = 1\r\n  model = \"imp\"\r\n  position = [0, -0.0, 0]\r\n",
    )?;
    same(&spelt_out.digest_text(), &plain.digest_text())
}

#[trial]
fn digest_sees_every_change() -> Result<(), Failed> {
    let base = "[[model]]\nfile = \"imp.md5mesh\"\nclips = [{ file = \"a.md5anim\" }, { file = \"b.md5anim\" }]\n";
    let changes = [
        "[output]\nsize = [640, 481]",
        "[output]\nsamples = 8",
        "[output]\nanisotropy = 2",
        "[output]\nframes = \"0-1\"",
        "[output]\nfps = 25",
        "[output]\nbackground = \"transparent\"",
        "[camera]\nazimuth_deg = 1",
        "[camera]\nelevation_deg = { from = 12, to = 13 }",
        "[camera]\nfov_deg = 36",
        "[camera]\nmargin = 0.07",
        "[camera]\nnear = 1",
        "[camera]\nfar = 1",
        "[camera]\nkind = \"look-at\"\neye = [0, 0, 9]",
        "[[light]]",
        "[[light]]\nshadow = true",
        "[[light]]\n[[light]]\nshadow = true",
        "[[light]]\nshadow = true\n[[light]]",
        "[[light]]\nshadow = true\nshadow_size = 512",
        "[[light]]\nshadow = true\nshadow_softness_deg = 1",
        "[[light]]\nkind = \"studio\"\nshadow = true",
        "[output]\nlook = \"classic\"\n[ground]",
        "[ground]\nheight = 0",
        "[ground]\nradius = 3",
        "[ground]\ncolor = \"#fff\"",
        "[ground]\ncontact = 0.5",
        "[[instance]]\nmodel = \"imp\"\nshadow = false",
        "[[material]]\nname = \"skin\"",
        "[[material]]\nname = \"skin\"\nspecular_strength = 0.15",
        "[[material]]\nname = \"skin\"\nopacity = 0.999",
        "[[material]]\nname = \"skin\"\ndiffuse = \"none\"",
        "[[model]]\nfile = \"b.md5mesh\"",
        "[[instance]]\nmodel = \"imp\"\nclip = 1",
        "[[instance]]\nmodel = \"imp\"\nclip = \"bind\"",
        "[[instance]]\nmodel = \"imp\"\nstart_s = 1e-9",
        "[[instance]]\nmodel = \"imp\"\nspeed = 2",
        "[[instance]]\nmodel = \"imp\"\nwrap = \"clamp\"",
        "[[instance]]\nmodel = \"imp\"\nposition = [0, 0, 1]",
        "[[instance]]\nmodel = \"imp\"\nrotation_deg = [0, 0, 1]",
        "[[instance]]\nmodel = \"imp\"\nrotation_deg = [0, 0, { from = 0, to = 1 }]",
        "[[instance]]\nmodel = \"imp\"\nscale = 2",
        "[[instance]]\nmodel = \"imp\"\nfade = [{ clip = 1, at_s = 1 }]",
        "[[instance]]\nmodel = \"imp\"\n[[instance]]\nmodel = \"imp\"",
        "[textures]\nsearch = [\"skins\"]",
    ];
    let mut texts = vec![scene(base)?.digest_text()];
    texts.push(scene(&format!("ambient = \"#111\"\n{base}"))?.digest_text());
    texts.push(scene(&format!("{base}up = \"y\"\n"))?.digest_text());
    texts.push(scene(&format!("{base}front = \"y\"\n"))?.digest_text());
    texts.push(scene(&base.replace("b.md5anim", "c.md5anim"))?.digest_text());
    for change in changes {
        texts.push(scene(&format!("{base}{change}\n"))?.digest_text());
    }
    let count = texts.len();
    texts.sort();
    texts.dedup();
    same(&texts.len().to_string(), &count.to_string())
}

/// Every scene cut off at every character, and with every line removed or one character
/// overwritten.
#[trial]
fn cut_or_broken_scenes_never_panic() -> Result<(), Failed> {
    let mut refused = 0_usize;
    let mut check = |text: &str| {
        if let Err(errors) = parse_scene(text, "broken") {
            refused += 1;
            assert!(!errors.errors().is_empty() && !errors.to_string().is_empty());
        }
    };
    for path in
        [files(&corpus().join("good"), "toml"), files(&corpus().join("bad"), "toml")].concat()
    {
        let text = read(&path)?;
        if text.len() > 5_000 {
            continue; // only the scene of long values, for which this takes too long
        }
        for (at, letter) in text.char_indices() {
            check(&text[..at]);
            let after = &text[at + letter.len_utf8()..];
            for wrong in ["", "\"", "[", "=", "\u{0}", "é", "\n"] {
                check(&format!("{}{wrong}{after}", &text[..at]));
            }
        }
    }
    if refused > 10_000 { Ok(()) } else { Err(format!("only {refused} were refused").into()) }
}
