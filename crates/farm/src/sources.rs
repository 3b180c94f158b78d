//! Digests of everything that the pictures of a submission are made from.

use serde::{Deserialize, Serialize};
use std::path::Path;
use tintype_formats::LoadOptions;
use tintype_model::disk::ShowPath;
use tintype_render::asset::{self, AssetError};
use tintype_scene::Scene;

/// Digests of scene, files and program, as read by one machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sources {
    /// Digest of the scene with its options.
    scene: String,
    /// A line for each file: its name and the digest of its bytes.
    files: Vec<String>,
    /// Digest of the program, if its version does not identify its pixels.
    build: Option<String>,
}

impl Sources {
    /// Of a scene with its options, as this machine reads it; `build` identifies the program where its version does not.
    ///
    /// # Errors
    /// [`AssetError`] if a file cannot be read.
    pub fn of_scene(
        scene: &Scene,
        path: &Path,
        options: &LoadOptions,
        build: Option<&str>,
    ) -> Result<Self, AssetError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let text = asset::open(scene, folder, options, None)?.read_pictures().digest_text;
        Ok(Self {
            scene: blake3::hash(scene.digest_text().as_bytes()).to_hex().to_string(),
            files: text.lines().map(str::to_owned).collect(),
            build: build.map(str::to_owned),
        })
    }

    /// Of the list of many models.
    #[must_use]
    pub fn of_list(text: &str, build: Option<&str>) -> Self {
        Self::of_list_digest(&blake3::hash(text.as_bytes()).to_hex(), build)
    }

    /// Of a list of many models with this BLAKE3 of its bytes.
    #[must_use]
    pub fn of_list_digest(digest: &str, build: Option<&str>) -> Self {
        let files = vec![format!("file \"the list of models\" {digest}")];
        Self { scene: String::new(), files, build: build.map(str::to_owned) }
    }

    /// Describes the first difference from the sources of this machine; `None` if they are equal.
    #[must_use]
    pub fn difference(&self, here: &Self, scene: &Path) -> Option<String> {
        if self.build != here.build {
            return Some(
                "this is another build of the program than the one that submitted the job: install the same file everywhere".to_owned(),
            );
        }
        let again = "if you have changed it, submit again";
        if self.scene != here.scene {
            return Some(format!(
                "{} is not the scene that was submitted: {again}; else make all nodes see the same file",
                scene.shown()
            ));
        }
        let name = |line: &str| {
            let text = line.strip_prefix("file ").unwrap_or(line);
            text.rsplit_once(' ').map_or(text, |(name, _)| name).to_owned()
        };
        let is_in = |lines: &[String], wanted: &str| lines.iter().any(|line| name(line) == wanted);
        if let Some(line) = self.files.iter().find(|line| !here.files.contains(line)) {
            let name = name(line);
            return Some(match is_in(&here.files, &name) {
                // The line of a picture that cannot be read.
                true if here.files.contains(&format!("file {name} unread")) => format!(
                    "{name} cannot be read here: all nodes must see the scene and its assets as the machine does that submits"
                ),
                true => format!(
                    "{name} is not the file that was submitted: {again}; else make all nodes see the same file"
                ),
                false => format!(
                    "{name} is not found here: all nodes must see the scene and its assets as the machine does that submits"
                ),
            });
        }
        let more = here.files.iter().find(|line| !self.files.contains(line))?;
        Some(format!("{} is found here, and was not where the job was submitted", name(more)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(scene: &str, files: &[&str]) -> Sources {
        let files = files.iter().map(|file| (*file).to_owned()).collect();
        Sources { scene: scene.to_owned(), files, build: None }
    }

    #[test]
    fn sources_name_the_first_difference() {
        let submitted = sources("s", &["file \"a b.md5mesh\" 01", "file \"c.png\" 02"]);
        let found =
            |here: &Sources| submitted.difference(here, Path::new("walk.toml")).unwrap_or_default();
        assert_eq!(submitted.difference(&submitted.clone(), Path::new("walk.toml")), None);
        assert!(found(&sources("t", &[])).starts_with("walk.toml is not the scene"));
        let other = sources("s", &["file \"a b.md5mesh\" 09", "file \"c.png\" 02"]);
        assert!(found(&other).starts_with("\"a b.md5mesh\" is not the file that"), "{other:?}");
        let fewer = sources("s", &["file \"a b.md5mesh\" 01"]);
        assert!(found(&fewer).starts_with("\"c.png\" is not found here"));
        let unread = sources("s", &["file \"a b.md5mesh\" 01", "file \"c.png\" unread"]);
        assert!(found(&unread).starts_with("\"c.png\" cannot be read here: all nodes"));
        let mut more = submitted.clone();
        more.files.push("file \"d.png\" 03".to_owned());
        assert!(found(&more).starts_with("\"d.png\" is found here, and was not"));
        let built = Sources { build: Some("ff".to_owned()), ..submitted.clone() };
        assert!(found(&built).contains("another build"));
    }
}
