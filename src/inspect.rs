//! Facts about a model for people and programs, and mistakes of its rig.

use super::{Error, ErrorKind, Model};
use tintype_base::path::ShowPath;
use tintype_framing::Characters;
use tintype_golden::inspect::lint::Severity;
use tintype_golden::inspect::record::InspectReport;

/// Contents and problems of a model with its clips, as `tintype inspect` prints them.
///
/// ```
/// let found = tintype::Model::open("scenes/assets/ranger.glb")?.inspect()?;
/// assert!(found.to_json()?.contains("\"joints\""));
/// println!("{}", found.to_text(false));
/// # Ok::<(), tintype::Error>(())
/// ```
pub struct Inspection(InspectReport);

impl std::fmt::Debug for Inspection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Inspection").field(&self.0.file).finish()
    }
}

impl Inspection {
    /// Problems in words; the first of each is whether it counts as a warning.
    pub fn problems(&self) -> impl Iterator<Item = (bool, &str)> {
        self.0.all_problems().map(|one| (one.severity == Severity::Warning, one.message.as_str()))
    }

    /// Everything as a page of text, with the tree of joints if it is asked for.
    #[must_use]
    pub fn to_text(&self, with_tree: bool) -> String {
        self.0.to_text(with_tree)
    }

    /// Everything as JSON, as `tintype inspect --json` writes it.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if a number cannot be written.
    pub fn to_json(&self) -> Result<String, Error> {
        self.0.to_json().map_err(|message| Error::new(ErrorKind::Write, message))
    }
}

impl Model {
    /// Contents and problems of the model with the clips that it was opened with. Textures are read.
    ///
    /// # Errors
    /// [`ErrorKind::File`] if a file that must be there is refused, or the model holds no triangle.
    pub fn inspect(&self) -> Result<Inspection, Error> {
        let found = Characters::over(self.held(), self.load_options().clone());
        let found = found.load_with(self.path(), Some(self.clip_paths()));
        let found = found.map_err(|error| Error::of_character(&error))?;
        let file = self.path().shown();
        let mut report = InspectReport::of_models(file, &found.scene, &found.assets, false);
        report.warnings = found.assets.warnings.iter().map(ToString::to_string).collect();
        Ok(Inspection(report))
    }
}
