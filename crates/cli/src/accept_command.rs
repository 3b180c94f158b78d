//! The commands that accept goldens, for a shell in the working folder of this command.

use std::path::Path;
use tintype_base::path::slashed;
use tintype_base::shell::{path_word, quoted};
use tintype_golden::test_report::{AcceptCommand, Accepts};

/// The words of a command.
pub(super) fn spell(command: &AcceptCommand<'_>) -> String {
    let AcceptCommand { accepts, models, scenes, golden, words, stand_ins } = *command;
    let what = match accepts {
        Accepts::All if models.is_empty() => "--all".to_owned(),
        Accepts::All => String::new(),
        Accepts::Paths(paths) => paths.iter().map(|path| word(path)).collect::<Vec<_>>().join(" "),
        Accepts::Filter(text) => quoted(text),
        Accepts::Cause(id) => format!("--cause {id}"),
        Accepts::Moves => "--move".to_owned(),
        Accepts::Fits => "--refit".to_owned(),
        Accepts::Strays => "--prune".to_owned(),
    };
    let mut text = format!("tintype bless {what}").trim_end().to_owned();
    let folders = models.iter().map(|path| ("--models", path.as_path()));
    let scenes = scenes.map(|path| ("--scenes", path));
    for (option, path) in folders.chain(scenes).chain(golden.map(|path| ("--golden", path))) {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        text += &format!(" {option} {}", word(path));
    }
    // Moved and deleted files are not drawn.
    let is_drawn = !matches!(accepts, Accepts::Moves | Accepts::Strays);
    let stand_ins = (stand_ins && is_drawn).then_some("--allow-warnings");
    for option in words.iter().map(String::as_str).chain(stand_ins) {
        text += &format!(" {}", quoted(option));
    }
    text
}

fn word(path: &Path) -> String {
    path_word(Path::new(&slashed(path)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn commands_name_goldens_folders_and_options() {
        let words = ["--limit".to_owned(), "bytes=9".to_owned()];
        let paths = [Path::new("s/a b.toml"), Path::new("-c.toml")];
        let command = AcceptCommand {
            accepts: Accepts::Paths(&paths),
            models: &[],
            scenes: Some(Path::new("")),
            golden: Some(Path::new("g")),
            words: &words,
            stand_ins: true,
        };
        assert_eq!(
            spell(&command),
            "tintype bless 's/a b.toml' ./-c.toml --scenes . --golden g --limit bytes=9 --allow-warnings"
        );
        let moves = AcceptCommand { accepts: Accepts::Moves, golden: None, words: &[], ..command };
        assert_eq!(spell(&moves), "tintype bless --move --scenes .");
        let (models, scenes) = ([PathBuf::from("m")], None);
        let all = AcceptCommand { accepts: Accepts::All, models: &models, scenes, ..moves };
        assert_eq!(spell(&all), "tintype bless --models m --allow-warnings");
    }
}
