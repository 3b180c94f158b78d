//! Input files of a picture: all files read for it, in the order of the scene, with the digests of
//! their bytes.
//!
//! This list alone identifies the pictures of scenes, thumbnails and turntables, is sent with the
//! jobs of a farm, and names the files that a job must include.

use super::file::FileRecord;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use tintype_base::path::{ShowPath, path_of_text};

/// A file that a picture is made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The name as written in the scene or the model, so that it does not depend on the folder of
    /// the scene.
    pub name: String,
    /// The path where it was found, as written by [`ShowPath::shown`].
    path: String,
    /// The BLAKE3 digest of its bytes in hexadecimal. None for an existing picture that cannot be
    /// read.
    pub digest: Option<String>,
    /// True if no pixel depends on it, although the scene names it and cannot be drawn without it.
    #[serde(skip)]
    is_unused: bool,
}

impl Input {
    pub(super) fn of(record: &FileRecord) -> Self {
        let digest = Some(record.digest.to_hex().to_string());
        Self { name: record.name.clone(), path: record.path.shown(), digest, is_unused: false }
    }

    /// A file that also has another name.
    pub(super) fn named(name: &str, record: &FileRecord) -> Self {
        Self { name: name.to_owned(), ..Self::of(record) }
    }

    pub(super) fn unused(record: &FileRecord) -> Self {
        Self { is_unused: true, ..Self::of(record) }
    }

    /// A picture that cannot be read.
    pub(super) fn unread(name: &str, path: &Path) -> Self {
        Self { name: name.to_owned(), path: path.shown(), digest: None, is_unused: false }
    }

    /// The path where it was found.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        path_of_text(&self.path)
    }

    /// The file name and the digest: folders differ between machines.
    fn key(&self) -> (&str, Option<&str>) {
        (self.file_name(), self.digest.as_deref())
    }

    fn file_name(&self) -> &str {
        self.path.rsplit(['/', '\\']).next().unwrap_or_default()
    }

    /// The name in a message, with the path if the name does not identify the file.
    fn shown(&self) -> String {
        if self.name.ends_with(self.file_name()) {
            format!("{:?}", self.name)
        } else {
            format!("{:?} ({})", self.name, self.path)
        }
    }
}

/// The input files of a picture, in the order of the scene.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Inputs(pub Vec<Input>);

impl Inputs {
    /// The names and digests, one per line: with the digest text of the scene, all inputs of the
    /// pixels except the program.
    #[must_use]
    pub fn digest_text(&self) -> String {
        let line = |input: &Input| {
            let digest = input.digest.as_deref().unwrap_or("unread");
            format!("file {:?} {digest}\n", input.name)
        };
        self.0.iter().filter(|input| !input.is_unused).map(line).collect()
    }

    /// Describes every difference from the files of this machine. None if the same pictures are
    /// made from them.
    ///
    /// Files are compared in order, by name and bytes but not by folder, because their folders may
    /// differ here.
    #[must_use]
    pub fn difference(&self, here: &Self) -> Option<String> {
        if self.0.iter().map(Input::key).eq(here.0.iter().map(Input::key)) {
            return None;
        }
        let again = "if you changed it, submit again; otherwise make all nodes see the same file";
        let unseen = "all nodes must see the scene and its assets as the submitting machine does";
        let has = |list: &Self, wanted: &Input| list.0.iter().any(|one| one.key() == wanted.key());
        let mut told: Vec<(String, &str)> = Vec::new();
        for input in self.0.iter().filter(|input| !has(here, input)) {
            let name = input.shown();
            told.push(match here.0.iter().find(|one| one.name == input.name) {
                Some(Input { digest: None, .. }) => (format!("{name} cannot be read here"), unseen),
                Some(_) => (format!("{name} is not the file that was submitted"), again),
                None => (format!("{name} is not found here"), unseen),
            });
        }
        let is_told = |one: &Input| self.0.iter().any(|input| input.name == one.name);
        for more in here.0.iter().filter(|one| !has(self, one) && !is_told(one)) {
            let what = "exists here, but not on the submitting machine";
            told.push((format!("{} {what}", more.shown()), again));
        }
        let Some((_, hint)) = told.first() else {
            return Some("the files are the same but are used for other parts here".to_owned());
        };
        let hint = *hint;
        let mut told: Vec<String> = told.into_iter().map(|(text, _)| text).collect();
        told.dedup();
        Some(format!("{}: {hint}", told.join("; ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(files: &[[&str; 3]]) -> Inputs {
        let input = |&[name, path, digest]: &[&str; 3]| Input {
            name: name.to_owned(),
            path: path.to_owned(),
            digest: (digest != "unread").then(|| digest.to_owned()),
            is_unused: false,
        };
        Inputs(files.iter().map(input).collect())
    }

    #[test]
    fn differences_are_all_named() {
        let (mesh, picture) = (["a b.md5mesh", "m/a b.md5mesh", "01"], ["c", "t/c.png", "02"]);
        let submitted = inputs(&[mesh, picture]);
        let found = |here: &[[&str; 3]]| submitted.difference(&inputs(here)).unwrap_or_default();
        assert_eq!(submitted.difference(&submitted.clone()), None);
        // Another root, as a farm maps paths.
        let moved = inputs(&[["a b.md5mesh", "/x/a b.md5mesh", "01"], ["/y/c", "/y/c.png", "02"]]);
        assert_eq!(submitted.difference(&moved), None);
        let text = found(&[["a b.md5mesh", "m/a b.md5mesh", "09"]]);
        let words = "\"a b.md5mesh\" is not the file that was submitted; \"c\" (t/c.png) is not found here: if";
        assert!(text.starts_with(words), "{text}");
        let text = found(&[mesh, ["c", "t/c.png", "unread"]]);
        assert!(text.starts_with("\"c\" (t/c.png) cannot be read here: all nodes"), "{text}");
        // A picture of another name that the search finds first.
        let text = found(&[mesh, ["c", "t/c.tga", "02"]]);
        assert!(text.starts_with("\"c\" (t/c.png) is not the file that was submitted"), "{text}");
        let text = found(&[mesh, picture, ["d.png", "d.png", "03"]]);
        assert!(text.starts_with("\"d.png\" exists here, but not"), "{text}");
        assert!(!found(&[picture, mesh]).is_empty());
    }
}
