//! Names of scenes, and lines that messages point at.

use super::options::ReportOptions;
use crate::report::SceneReport;
use std::path::{Path, PathBuf};
use tintype_base::path::{ShowPath, slashed};

/// The path of a scene below a folder named `scenes`, otherwise its file name, without the
/// extension.
#[must_use]
pub fn scene_name(path: &Path) -> String {
    let stem = path.with_extension("");
    let parts: Vec<_> = stem.components().collect();
    let below = parts
        .iter()
        .rposition(|part| part.as_os_str() == "scenes")
        .map_or(parts.len() - 1, |at| at + 1);
    slashed(&parts.iter().skip(below).collect::<PathBuf>())
}

/// The short name, or the whole path if another scene has that name.
pub(super) fn unique(
    name: String,
    path: &Path,
    before: &[SceneReport],
    options: &ReportOptions,
) -> String {
    let is_taken = before.iter().any(|scene| scene.name == name) || options.taken.contains(&name);
    if name.is_empty() || is_taken {
        return slashed(&path.with_extension(""));
    }
    name
}

/// The first line of a file that begins with some text, from 1.
pub(super) fn line_of(path: &Path, start: &str) -> Option<u32> {
    let text = tintype_base::disk::read_regular_text(path).ok()?;
    (1..)
        .zip(text.lines())
        .find(|(_, line)| line.trim_start().starts_with(start))
        .map(|(number, _)| number)
}

/// The line that a message about a file names first, as `path:line:column`.
pub(super) fn line_in(message: &str, path: &Path) -> Option<u32> {
    let start = format!("{}:", path.shown());
    message.split(&start).skip(1).find_map(|rest| {
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok().filter(|line| *line > 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_have_short_names() {
        for (path, name) in [
            ("scenes/raster/edge.toml", "raster/edge"),
            ("/a/scenes/b/scenes/walk.toml", "walk"),
            ("mine.toml", "mine"),
            ("../x/mine.toml", "mine"),
        ] {
            assert_eq!(scene_name(Path::new(path)), name);
        }
    }

    #[test]
    fn messages_tell_their_line() {
        let path = Path::new("scenes/a.toml");
        assert_eq!(line_in("mistakes in scenes/a.toml\n --> scenes/a.toml:6:1\n", path), Some(6));
        assert_eq!(line_in("scenes/a.toml: no [golden] table", path), None);
    }
}
