//! The first steps of the README, followed word for word: each command works, and the mistake is
//! answered as it is printed there.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::markdown::{blocks, clone_into, root, section, shell};
use crate::support::trial;
use std::fs;
use tempfile::TempDir;

#[trial]
fn first_steps_work_word_for_word() {
    let clone = TempDir::new().unwrap();
    clone_into(clone.path()).unwrap();

    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let blocks = blocks(section(&readme, "First steps"));
    let (install, steps) = blocks.split_first().unwrap();
    assert_eq!(
        install.text, "cargo install --locked --path crates/cli\n",
        "it takes minutes, and is not run here"
    );
    let mut said = None;
    let mut mistakes = 0;
    for block in steps {
        let text = &block.text;
        match block.language.as_str() {
            "sh" => {
                let output = shell(clone.path(), text).unwrap();
                let words = String::from_utf8_lossy(&output.stderr).into_owned();
                let is_mistake = text.contains("mistakes.toml");
                let expected = if is_mistake { Some(2) } else { Some(0) };
                assert_eq!(output.status.code(), expected, "{text}{words}");
                said = Some(words);
            }
            "text" => {
                let said = said.take().unwrap();
                let (head, tail) = text.split_once("...\n").unwrap();
                let is_printed = said.starts_with(head) && said.ends_with(tail);
                assert!(is_printed, "the README prints another message:\n{said}");
                mistakes += 1;
            }
            "toml" => {
                assert_eq!(&fs::read_to_string(root().join("examples/scarab.toml")).unwrap(), text);
            }
            other => panic!("a block of {other:?}"),
        }
    }
    assert_eq!(mistakes, 1);
    for made in [
        "scarab.gif",
        "out/thumbnails/index.html",
        "out/scarab/0000.png",
        "out/scarab/0019.png",
        "out/man/tintype-render.1",
    ] {
        let size = fs::metadata(clone.path().join(made)).map(|file| file.len()).unwrap_or(0);
        assert!(size > 1000, "{made} has {size} bytes");
    }
}

#[trial]
fn settings_of_the_documentation_are_settings() {
    let page = fs::read_to_string(root().join("docs/options.md")).unwrap();
    let blocks = blocks(section(&page, "User settings"));
    let text = blocks.iter().find(|block| block.language == "toml").unwrap();
    let settings = tintype_scene::parse_preferences(&text.text, "docs/options.md").unwrap();
    assert!(
        settings.described().starts_with("threads = 4, color = \"auto\", progress"),
        "{settings:?}"
    );
    let blocks = crate::support::markdown::blocks(section(&page, "Settings of a project"));
    let text = blocks.iter().find(|block| block.language == "toml").unwrap();
    let settings = tintype_scene::parse_project_preferences(&text.text, "docs/options.md").unwrap();
    let told = "size = [640, 360], look = \"classic\", golden = \"refs\"";
    assert_eq!(settings.described(), told);
    let page = fs::read_to_string(root().join("docs/upgrade.md")).unwrap();
    let blocks = crate::support::markdown::blocks(&page);
    let text = blocks.iter().find(|block| block.language == "toml").unwrap();
    let settings = tintype_scene::parse_project_preferences(&text.text, "docs/upgrade.md").unwrap();
    assert_eq!(settings.version.as_deref(), Some(env!("CARGO_PKG_VERSION")));
    assert_eq!(settings.pixel_revision, Some(tintype::PIXEL_REVISION));
}
