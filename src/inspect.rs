//! Facts about a model, and faults of its rig.

use super::{Error, ErrorKind, Model};
use tintype_base::path::ShowPath;
use tintype_framing::Characters;
use tintype_golden::inspect::lint::Severity;
use tintype_golden::inspect::record::InspectReport;

/// Contents and problems of a model with its clips, as printed by `tintype inspect`.
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
    /// Problems as sentences; the first value is true for a warning.
    pub fn problems(&self) -> impl Iterator<Item = (bool, &str)> {
        self.0.all_problems().map(|one| (one.severity == Severity::Warning, one.message.as_str()))
    }

    /// All facts as a page of text, with the tree of joints if `with_tree` is true.
    #[must_use]
    pub fn to_text(&self, with_tree: bool) -> String {
        self.0.to_text(with_tree)
    }

    /// All facts as JSON, as written by `tintype inspect --json`.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if a number cannot be written.
    pub fn to_json(&self) -> Result<String, Error> {
        self.0.to_json().map_err(|message| Error::new(ErrorKind::Write, message))
    }
}

impl Model {
    /// Inspects the model with the clips that it was opened with. Textures are read.
    ///
    /// # Errors
    /// [`ErrorKind::File`] if a required file is invalid, or the model has no triangles.
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
