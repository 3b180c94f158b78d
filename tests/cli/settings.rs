//! Settings of pictures: one word, one refusal and one effect in every command.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::command::{BOX, tintype, wanted};
use crate::support::markdown::root;
use crate::support::trial;
use libtest_mimic::Failed;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tintype_output::decode_png;
use tintype_scene::setting::{Shape, settings_of};
use tintype_scene::{Door, SETTINGS, parse_scene};

type Outcome = Result<(), Failed>;

const DOORS: [(Door, &str); 3] =
    [(Door::Scene, "render"), (Door::Turntable, "turntable"), (Door::Thumbnail, "thumbnail")];
const SCENE: &str = "[[model]]\nfile = \"box.md5mesh\"\n";

fn fixture() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("box.md5mesh"), BOX).unwrap();
    fs::write(folder.path().join("scene.toml"), SCENE).unwrap();
    folder
}

/// A value that no setting of a form can have.
fn wrong(shape: Shape) -> &'static str {
    match shape {
        Shape::Label => "{fram}",
        Shape::Text | Shape::File => "",
        _ => "stduio",
    }
}

#[trial]
fn commands_refuse_a_value_by_the_same_words() -> Outcome {
    let folder = fixture();
    let mut asked = 0;
    for setting in SETTINGS.iter().filter(|setting| setting.shape != Shape::Truth) {
        let mut said: Vec<String> = Vec::new();
        for (_, command) in DOORS.iter().filter(|(door, _)| setting.is_of(*door)) {
            let file = if *command == "render" { "scene.toml" } else { "box.md5mesh" };
            let option = format!("--{}={}", setting.option(), wrong(setting.shape));
            let output = tintype(folder.path(), &[command, file, &option]);
            wanted(&output, 2, &format!("error: --{}: ", setting.option()))?;
            said.push(String::from_utf8(output.stderr)?);
            asked += 1;
        }
        said.dedup();
        assert!(said.len() < 2, "{}: {said:?}", setting.key);
        // A scene sets it in the same way.
        if let (Some("output"), Some(told), Shape::Word(_)) =
            (setting.group.table(), said.first(), setting.shape)
        {
            let text = format!("[output]\n{} = \"stduio\"\n{SCENE}", setting.key);
            let errors = parse_scene(&text, "s.toml").unwrap_err();
            let line = errors.lines().next().unwrap_or_default();
            let (_, of_scene) =
                line.split_once(": ").and_then(|(_, rest)| rest.split_once(": ")).unwrap();
            assert!(told.contains(of_scene), "{told} and {line}");
        }
    }
    assert!(asked > 40, "{asked}");
    Ok(())
}

#[trial]
fn help_and_completions_have_every_setting() -> Outcome {
    let completions = tintype(root(), &["completions", "bash"]).stdout;
    let completions = String::from_utf8(completions)?;
    for (door, command) in DOORS {
        let help = String::from_utf8(tintype(root(), &["help", command]).stdout)?;
        for setting in settings_of(door) {
            let option = format!("--{}", setting.option());
            assert!(help.contains(&option), "help {command}: {option}");
            assert!(completions.contains(&option), "{option}");
        }
    }
    assert!(completions.contains("clay") && completions.contains("dimetric"));
    Ok(())
}

fn picture(folder: &Path, options: &[&str]) -> Result<Vec<[u8; 4]>, Failed> {
    let more = ["thumbnail", "box.md5mesh", "-o", "out/p.png", "-s", "96", "--overwrite"];
    wanted(&tintype(folder, &[&more[..], options].concat()), 0, "")?;
    Ok(decode_png(&fs::read(folder.join("out/p.png"))?)?.0.rgba)
}

/// A text in the corner does not affect the size of the model. A picture beside the model would be
/// taken for its texture.
#[trial]
fn label_leaves_the_rest_of_a_thumbnail() -> Outcome {
    let folder = fixture();
    for look in ["studio", "classic"] {
        let plain = picture(folder.path(), &["--look", look])?;
        let labelled = picture(folder.path(), &["--look", look, "--label", "A"])?;
        let differing = (0..96 * 96).filter(|&at| plain[at] != labelled[at]);
        let places: Vec<(usize, usize)> = differing.map(|at| (at % 96, at / 96)).collect();
        assert!(!places.is_empty(), "{look}: the label is burnt in");
        assert!(places.iter().all(|&(x, y)| x < 32 && y > 64), "{look}: {places:?}");
    }
    Ok(())
}

#[trial]
fn time_of_a_thumbnail_is_one_of_its_clip() -> Outcome {
    let folder = fixture();
    wanted(
        &tintype(folder.path(), &["thumbnail", "box.md5mesh", "-o", "p.png", "--time", "1"]),
        2,
        "time 1 s: no clip is playing",
    )?;
    let model = root().join("scenes/assets/ranger.glb");
    let model = model.to_str().unwrap();
    let at = |more: &[&str]| {
        let own = ["thumbnail", model, "-o", "r.png", "-s", "64", "--clip", "walk", "--overwrite"];
        tintype(folder.path(), &[&own[..], more].concat())
    };
    wanted(&at(&["--time", "9"]), 2, "time 9 s: the clip \"walk\" has ")?;
    wanted(&at(&["--time", "-0.1"]), 2, "time -0.1 s")?;
    wanted(&at(&["--time", "9", "--wrap", "loop"]), 0, "")?;
    let bytes = |time: &str| {
        wanted(&at(&["--time", time]), 0, "")?;
        Ok::<_, Failed>(decode_png(&fs::read(folder.path().join("r.png"))?)?.0.rgba)
    };
    assert_ne!(bytes("0")?, bytes("0.3")?);
    Ok(())
}
