//! Data sets as drawn by a user: broken recipes are reported at once, and an incomplete set is
//! never reported as complete.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::command::{BOX, tintype, wanted};
use crate::support::trial;
use libtest_mimic::Failed;
use std::fs;
use tempfile::TempDir;

type Outcome = Result<(), Failed>;

const RECIPE: &str = "[dataset]\ncount = 4\nmodels = [\"*.md5mesh\"]\n[output]\nsize = [32, 32]\nsamples = 1\nlook = { any = [\"studio\", \"classic\"] }\n";

fn folder(recipe: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("box.md5mesh"), BOX).unwrap();
    fs::write(folder.path().join("recipe.toml"), recipe).unwrap();
    folder
}

#[trial]
fn dataset_says_when_it_is_not_whole() -> Outcome {
    let here = folder(RECIPE);
    let run = |more: &[&str]| {
        let line = [&["dataset", "recipe.toml", "-o", "set"], more].concat();
        tintype(here.path(), &line)
    };
    let has_whole = || here.path().join("set/annotations.json").exists();
    wanted(&run(&["--shard", "1/2"]), 0, "set lacks 2 samples of 4: 2,3;")?;
    assert!(!has_whole());
    wanted(&run(&["--shard", "2/2"]), 0, "set is whole;")?;
    assert!(has_whole());
    wanted(&run(&[]), 0, "all 4 samples up to date; set is whole;")?;
    // Of another recipe, a part is not joined with the other.
    fs::write(here.path().join("recipe.toml"), RECIPE.replace("32, 32", "24, 24"))?;
    wanted(&run(&["--shard", "1/2"]), 0, "set lacks 2 samples of 4: 2,3;")?;
    assert!(!has_whole());
    wanted(&run(&[]), 0, ", 2 up to date; set is whole;")?;
    // Files of other content under the same name are not joined.
    fs::write(here.path().join("box.md5mesh"), BOX.replace("( -1 -1 0 )", "( -2 -1 0 )"))?;
    let says = "were drawn from different versions of \"box.md5mesh\"";
    wanted(&run(&["--shard", "1/2"]), 2, says)?;
    assert!(!has_whole());
    wanted(&run(&["--shard", "2/2"]), 0, "set is whole;")
}

#[trial]
fn dataset_refuses_what_cannot_be_drawn() -> Outcome {
    let says = [
        ("count = 4", "cuont = 4", 2, "help: did you mean \"count\"?"),
        ("*.md5mesh", "*.glb", 2, "error: dataset.models: *.glb: no file matches this pattern"),
        ("count = 4", "count = 0", 2, "note: expected 1 to 1000000"),
        (
            "count = 4",
            "count = 4\nclips = [\"walk\"]",
            2,
            "box.md5mesh: none of its clips is in dataset.clips: walk; the model has none",
        ),
        ("classic\"", "clasic\"", 2, "did you mean \"classic\"?"),
        (
            "samples = 1",
            "samples = 1\n[camera]\nkind = \"look-at\"\neye = [9, 0, 0]\ntarget = [99, 0, 0]\n[output.x]",
            2,
            "unknown key \"x\"",
        ),
    ];
    for (from, to, code, message) in says {
        let here = folder(&RECIPE.replace(from, to));
        let output = tintype(here.path(), &["dataset", "recipe.toml", "-o", "set"]);
        wanted(&output, code, message)?;
        assert!(!here.path().join("set").exists(), "{message}");
    }
    let away = "[camera]\nkind = \"look-at\"\neye = [9, 0, 0]\ntarget = [99, 0, 0]\n";
    let here = folder(&format!("{RECIPE}{away}"));
    let output = tintype(here.path(), &["dataset", "recipe.toml", "-o", "set"]);
    wanted(&output, 3, "box.md5mesh is not visible in any of 8 random draws")?;
    let here = folder(RECIPE);
    let output = tintype(here.path(), &["dataset", "recipe.toml", "-o", "set", "--no-stand-ins"]);
    wanted(&output, 3, "error: --no-stand-ins: ")?;
    let output = tintype(here.path(), &["render", "recipe.toml"]);
    wanted(&output, 2, "1 mistake in recipe.toml")?;
    wanted(&output, 2, "draw it with `tintype dataset`")?;
    fs::write(here.path().join("scene.toml"), "[[model]]\nfile = \"box.md5mesh\"\n")?;
    let output = tintype(here.path(), &["dataset", "scene.toml", "-o", "set"]);
    wanted(&output, 2, "1 mistake in scene.toml")?;
    wanted(&output, 2, "draw it with `tintype render`")?;
    let output = tintype(here.path(), &["dataset", "recipe.toml", "-o", "set.png"]);
    wanted(&output, 2, "--output: set.png: expected a folder, found the name of a file")?;
    let output = tintype(here.path(), &["dataset", "box.md5mesh", "-o", "set"]);
    wanted(&output, 2, "found a model")?;
    let output = tintype(here.path(), &["schema", "--dataset"]);
    wanted(&output, 0, "")?;
    assert_eq!(String::from_utf8(output.stdout)?, tintype_scene::RECIPE_SCHEMA);
    Ok(())
}
