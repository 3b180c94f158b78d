//! Records of goldens among other files, recognized by their text, wherever they lie.

use super::paths::is_part;
use crate::record::{FIRST_LINE, PART_LINE};
use std::io::Read;
use std::path::Path;
use tintype_base::disk::{open_regular, read_regular_text};

/// Number of bytes checked at the start of a file.
const START: u64 = 2048;

/// True if a file is a record of a golden or a part of some, even if damaged, and not a scene.
#[must_use]
pub(super) fn is_record(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = open_regular(path).and_then(|file| file.take(START).read_to_end(&mut start));
    match read {
        Ok(_) => is_part(path) || says_record(&start) || is_damaged(path, &start),
        Err(_) => false,
    }
}

/// The text of a record for people, with long sums replaced by short digests. None if the file is
/// not a record, or has the conflict markers of a merge, which must stay visible.
#[must_use]
pub fn record_words(path: &Path) -> Option<String> {
    /// Sums have more letters, names have fewer.
    const SHORT: usize = 40;
    if !is_record(path) {
        return None;
    }
    let text = read_regular_text(path).ok()?;
    let is_sum = |part: &str| {
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
        part.len() > SHORT
            && part.chars().all(is_letter)
            && part.contains(|c: char| c.is_ascii_digit())
    };
    let words = |(index, part): (usize, &str)| {
        if index % 2 == 1 && is_sum(part) {
            blake3::hash(part.as_bytes()).to_hex()[..8].to_owned()
        } else {
            part.to_owned()
        }
    };
    let line = |line: &str| line.split('"').enumerate().map(words).collect::<Vec<_>>().join("\"");
    Some(text.lines().map(|own| line(own) + "\n").collect())
}

/// True if the first lines are those of a record: its comment, or keys that scenes do not have.
fn says_record(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    let has_line = |word: &str| text.lines().any(|line| line.starts_with(word));
    let is_scene = has_line("[[model]]") || has_line("[output]") || has_line("[golden]");
    // A truncated file may end within its first line.
    let begins = |line: &str| text.starts_with(line) || text.len() > 40 && line.starts_with(&*text);
    let begins = begins(FIRST_LINE) || begins(PART_LINE);
    !is_scene && (begins || has_line("pixel_revision =") && has_line("image ="))
}

/// True if a file of unknown content has the name and the folder of a record:
/// `golden/.../0012.depth.toml`.
fn is_damaged(path: &Path, start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    let says_scene = text.lines().any(|line| {
        line.trim_start().trim_start_matches('[').starts_with(|c: char| c.is_ascii_lowercase())
    });
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let number = stem.split('.').next().unwrap_or_default().trim_start_matches('-');
    let is_number = number.len() >= 4 && number.chars().all(|c| c.is_ascii_digit());
    let is_below = path.ancestors().skip(1).any(|folder| folder.ends_with("golden"));
    !says_scene && is_number && is_below && path.with_extension("png").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_told_from_scenes() {
        let folder = tempfile::tempdir().unwrap();
        let of = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            is_record(&path)
        };
        let record = format!("{}\nversion = 2\npixel_revision = 3\nimage = \"0\"\n", FIRST_LINE);
        assert!(of("any/0001.toml", &record));
        assert!(of("any/2.toml", &format!("{PART_LINE}\n[[content]]\n")));
        assert!(of("golden/content/0123456789abcdef.toml", ""));
        assert!(of("any/1.toml", "version = 2\npixel_revision = 3\nimage = \"0\"\n"));
        assert!(of("any/2.toml", &record[..record.len() / 2]));
        for scene in [
            "[[model]]\nfile = \"a.x\"\n",
            "pixel_revision = 3\nimage = 1\n[[model]]\n",
            "",
            "[outptu]",
        ] {
            assert!(!of("golden/a/walk.toml", scene), "{scene}");
            assert!(!of("golden/0001.toml", scene), "{scene}");
        }
        // Emptied by a full disk: it has its picture.
        std::fs::write(folder.path().join("golden/0001.png"), "").unwrap();
        assert!(of("golden/0001.toml", ""));
        assert!(!of("golden/0001.toml", "[[model]]"));
        assert!(!of("golden/0001.toml", "[outptu]\n"));
    }
}
