//! Digests of all inputs of the pictures of a submission.

use super::error::SubmitError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tintype_base::data::plain_message;
use tintype_base::path::ShowPath;
use tintype_base::printable::printable_json;
use tintype_formats::LoadOptions;
use tintype_render::asset::archive::archive_of;
use tintype_render::asset::{self, AssetError, Inputs};
use tintype_scene::Scene;

/// This program and its version, as written into submissions.
pub const PROGRAM: &str = concat!("tintype ", env!("CARGO_PKG_VERSION"));

/// Digests of scene, files and program, as read by one machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sources {
    /// Digest of the scene with its options.
    scene: String,
    /// Its files.
    files: Inputs,
    /// Digest of the list of many models.
    #[serde(default)]
    list: Option<String>,
    /// Digest of the program, if its version does not identify its pixels.
    build: Option<String>,
}

impl Sources {
    /// Digests of a scene with its options, as read by this machine; `build` identifies the program
    /// if its version does not.
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
        Ok(Self {
            scene: blake3::hash(scene.digest_text().as_bytes()).to_hex().to_string(),
            files: asset::inputs(scene, folder, options)?,
            list: None,
            build: build.map(str::to_owned),
        })
    }

    /// Makes the record of a list of many models.
    #[must_use]
    pub fn of_list(text: &str, build: Option<&str>) -> Self {
        let list = Some(blake3::hash(text.as_bytes()).to_string());
        Self { list, build: build.map(str::to_owned), ..Self::default() }
    }

    /// The digest of the scene with its options.
    #[must_use]
    pub fn scene(&self) -> &str {
        &self.scene
    }

    /// Describes the differences from the sources of this machine; `None` if they are equal.
    #[must_use]
    pub fn difference(&self, here: &Self, scene: &Path) -> Option<String> {
        if let Some(other) = other_build(self.build.as_deref(), here.build.as_deref()) {
            return Some(other);
        }
        let again = "if you changed it, submit again; otherwise make all nodes see the same file";
        if self.scene != here.scene {
            return Some(format!("{} is not the scene that was submitted: {again}", scene.shown()));
        }
        if self.list != here.list {
            return Some(format!("the list of models is not the file that was submitted: {again}"));
        }
        self.files.difference(&here.files)
    }
}

fn other_build(submitted: Option<&str>, here: Option<&str>) -> Option<String> {
    let what =
        "this build differs from the one that submitted the job: install the same file everywhere";
    (submitted != here).then(|| what.to_owned())
}

/// Describes another version of the program than this one.
#[must_use]
pub fn other_program(submitted: &str) -> Option<String> {
    (submitted != PROGRAM).then(|| {
        format!(
            "this is {PROGRAM}, but the job was submitted by {submitted}: install the same version everywhere"
        )
    })
}

/// The files that the pictures of a job are made from, as seen by the machine that submitted it.
/// Tasks find this record in a file, or in the job itself, and draw nothing from other files.
#[derive(Clone, Debug, Default)]
pub struct Record {
    head: Head,
    /// Files of the scene, under an empty name, or of each model.
    items: BTreeMap<String, Inputs>,
}

/// The first line of a record.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Head {
    program: String,
    build: Option<String>,
    scene: String,
    /// True if there are models whose files were not read.
    #[serde(default)]
    is_partial: bool,
}

/// A further line of a record.
#[derive(Serialize, Deserialize)]
struct Item {
    item: String,
    files: Inputs,
}

impl Record {
    /// Of a scene.
    #[must_use]
    pub fn of_scene(sources: &Sources) -> Self {
        let Sources { scene, files, build, .. } = sources.clone();
        let head = Head { program: PROGRAM.to_owned(), build, scene, is_partial: false };
        Self { head, items: BTreeMap::from([(String::new(), files)]) }
    }

    /// Digests of models by their names; of a part of them if it is partial.
    #[must_use]
    pub fn of_models(
        items: BTreeMap<String, Inputs>,
        is_partial: bool,
        build: Option<&str>,
    ) -> Self {
        let (program, build) = (PROGRAM.to_owned(), build.map(str::to_owned));
        Self { head: Head { program, build, is_partial, ..Head::default() }, items }
    }

    /// The paths of all files, each once, as seen by the machine that submits. Files in an archive
    /// are represented by the archive.
    #[must_use]
    pub fn paths(&self) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = self
            .items
            .values()
            .flat_map(|inputs| &inputs.0)
            .filter(|input| input.digest.is_some())
            .map(asset::Input::path)
            .map(|path| archive_of(&path).unwrap_or(path))
            .collect();
        paths.sort();
        paths.dedup();
        paths
    }

    /// Names of files of the scene that are absolute paths.
    pub fn absolute_names(&self) -> impl Iterator<Item = &str> {
        let names = self.items.get("").into_iter().flat_map(|inputs| &inputs.0);
        names.map(|input| input.name.as_str()).filter(|name| Path::new(name).is_absolute())
    }

    /// The text of its file: JSON, with the program and the scene in the first line, and a line for
    /// each model. Double braces, which job files treat as parameter names, do not occur.
    #[must_use]
    pub fn text(&self) -> String {
        let line = |json: serde_json::Result<String>| {
            // A brace beside another one is part of a name.
            let json = printable_json(&json.expect("plain data"));
            json.replace("{{", "{\\u007b").replace("}}", "}\\u007d") + "\n"
        };
        let items = self.items.iter().map(|(item, files)| {
            let (item, files) = (item.clone(), files.clone());
            line(serde_json::to_string(&Item { item, files }))
        });
        std::iter::once(line(serde_json::to_string(&self.head))).chain(items).collect()
    }

    /// Reads its file, and checks that this program is the one that wrote it.
    ///
    /// # Errors
    /// [`SubmitError`] that names the file, or both programs.
    pub fn read(path: &Path, build: Option<&str>) -> Result<Self, SubmitError> {
        let text = tintype_base::disk::read_regular_text(path).map_err(|error| {
            let hint = ": all nodes must see the job's record as the submitting machine does";
            SubmitError::unreadable(path, &error).with_suffix(hint)
        })?;
        let wrong = |error: serde_json::Error| {
            SubmitError::invalid(format!(
                "{}: not a job record: {}",
                path.shown(),
                plain_message(&error.to_string())
            ))
        };
        let mut lines = text.lines();
        let head: Head = serde_json::from_str(lines.next().unwrap_or_default()).map_err(wrong)?;
        let other = other_program(&head.program);
        if let Some(other) = other.or_else(|| other_build(head.build.as_deref(), build)) {
            return Err(SubmitError::invalid(other));
        }
        let item =
            |line| serde_json::from_str::<Item>(line).map(|Item { item, files }| (item, files));
        let items = lines.map(item).collect::<Result<_, _>>().map_err(wrong)?;
        Ok(Self { head, items })
    }

    /// Describes the differences of a scene on this machine. None if the same pictures are made
    /// from it.
    #[must_use]
    pub fn scene_difference(&self, here: &Sources, scene: &Path) -> Option<String> {
        let Head { build, scene: digest, .. } = self.head.clone();
        let files = self.items.get("").cloned().unwrap_or_default();
        Sources { scene: digest, files, list: None, build }.difference(here, scene)
    }

    /// Describes the differences of a model on this machine.
    #[must_use]
    pub fn model_difference(&self, name: &str, here: &Inputs) -> Option<String> {
        match self.items.get(name) {
            Some(submitted) => submitted.difference(here),
            None if self.head.is_partial => None,
            None => Some("the submitting machine could not read it".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_name_the_scene_the_list_and_the_build_that_differ() {
        let submitted = Sources { scene: "s".to_owned(), ..Sources::default() };
        let found =
            |here: &Sources| submitted.difference(here, Path::new("walk.toml")).unwrap_or_default();
        assert_eq!(submitted.difference(&submitted.clone(), Path::new("walk.toml")), None);
        let edited = Sources { scene: "t".to_owned(), ..submitted.clone() };
        assert!(found(&edited).starts_with("walk.toml is not the scene"));
        let listed = Sources { list: Some("l".to_owned()), ..submitted.clone() };
        assert!(found(&listed).starts_with("the list of models is not"));
        let built = Sources { build: Some("ff".to_owned()), ..submitted.clone() };
        assert!(found(&built).contains("this build differs"));
    }

    #[test]
    fn records_are_read_as_they_were_written_whatever_names_hold() {
        let folder = tempfile::tempdir().unwrap();
        let text = r#"[{"name":"{{a}}","path":"m/{{{a\n}}}","digest":"01"},{"name":"b","path":"b","digest":null}]"#;
        let inputs: Inputs = serde_json::from_str(text).unwrap();
        let items = BTreeMap::from([("{{m}}.x".to_owned(), inputs.clone())]);
        let record = Record::of_models(items.clone(), false, Some("build"));
        assert!(
            !record.text().contains("{{") && !record.text().contains("}}"),
            "{}",
            record.text()
        );
        assert_eq!(record.paths(), [PathBuf::from("m/{{{a\n}}}")]);
        let path = folder.path().join("record");
        std::fs::write(&path, record.text()).unwrap();
        let read = Record::read(&path, Some("build")).unwrap();
        assert_eq!(read.text(), record.text());
        assert_eq!(read.model_difference("{{m}}.x", &inputs), None);
        assert!(read.model_difference("{{m}}.x", &Inputs::default()).is_some());
        assert!(read.model_difference("other.x", &inputs).is_some());
        let partial = Record::of_models(items, true, None);
        assert_eq!(partial.model_difference("other.x", &inputs), None);
        assert!(Record::read(&path, None).unwrap_err().to_string().contains("this build differs"));
        std::fs::write(&path, record.text().replace(PROGRAM, "tintype 0.0.1")).unwrap();
        let other = Record::read(&path, Some("build")).unwrap_err().to_string();
        assert!(other.contains("submitted by tintype 0.0.1"), "{other}");
        std::fs::write(&path, "").unwrap();
        assert!(Record::read(&path, None).is_err());
        assert!(Record::read(&folder.path().join("none"), None).is_err());
    }
}
