//! Failures of a run by their causes: accepted together, and written into reports with the commands
//! that accept them.

use super::accept::{AcceptError, Acceptance, Failure};
use super::results::TestRun;
use crate::checked::Checked;
use crate::refusal::Refusal;
use crate::report::Act;
use crate::report::{CauseId, encode_json, encode_junit, encode_summary};
use crate::test_report::{
    Acceptable, GoldenReport, ReportError, ReportOptions, cause_id, headline, refuse_foreign_page,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tintype_host::write_atomic;

/// Failures of one cause, in the order of their scenes; at least one.
#[derive(Debug)]
pub struct CauseGroup<'a> {
    /// The cause in words, as named by the first failure.
    pub text: String,
    /// The goldens that fail for it.
    pub failures: Vec<Failure<'a>>,
}

impl TestRun {
    /// The goldens of scenes that fail, in the order of the scenes.
    pub fn failures(&self) -> impl Iterator<Item = Failure<'_>> {
        self.tested.iter().enumerate().flat_map(|(s, tested)| {
            let goldens = tested.goldens().iter().enumerate();
            let failing = goldens.filter(|(_, golden)| !golden.verdict.passes());
            failing.map(move |(g, golden)| Failure { at: [s, g], scene: &tested.scene, golden })
        })
    }

    /// Accepts all of some failures, or none, and returns the written files.
    ///
    /// # Errors
    /// The file that is not accepted, with the reason.
    pub fn accept(&self, wanted: &[[usize; 2]]) -> Result<Vec<PathBuf>, (PathBuf, AcceptError)> {
        let mut done: Vec<Acceptance> = Vec::new();
        for failure in self.failures().filter(|one| wanted.contains(&one.at)) {
            match failure.accept() {
                Ok(one) => done.push(one),
                Err(error) => {
                    let undone = done.iter().rev().try_for_each(Acceptance::undo);
                    let error = undone.err().map_or(error, AcceptError::File);
                    return Err((failure.file(), error));
                }
            }
        }
        Ok(done.iter().flat_map(Acceptance::files).map(Path::to_path_buf).collect())
    }

    /// Its failures by their causes, in the order of the first of each.
    #[must_use]
    pub fn groups(&self) -> Vec<CauseGroup<'_>> {
        let mut groups: Vec<CauseGroup<'_>> = Vec::new();
        let mut places: BTreeMap<CauseId, usize> = BTreeMap::new();
        for failure in self.failures() {
            let place = *places.entry(cause_id(failure.golden)).or_insert(groups.len());
            match groups.get_mut(place) {
                Some(group) => group.failures.push(failure),
                None => {
                    let text = headline(failure.golden);
                    groups.push(CauseGroup { text, failures: vec![failure] });
                }
            }
        }
        groups
    }

    /// The options for commands about the run: pictures with substitutes for missing files are
    /// accepted only with an explicit option.
    #[must_use]
    pub fn options(&self, options: &ReportOptions) -> ReportOptions {
        let mut own = options.clone();
        let is_written =
            |golden: &Checked| golden.can_be_accepted() && !golden.verdict.is_of_record();
        let mut results = self.tested.iter().filter_map(|tested| tested.result.as_ref().ok());
        own.stand_ins |= results.any(|one| {
            Refusal::of_warnings(&one.warnings).is_some() && one.goldens.iter().any(is_written)
        });
        own
    }

    /// The commands that accept failures, if possible. Moved goldens are compared at their new
    /// path.
    #[must_use]
    pub fn commands(&self, options: &ReportOptions) -> Vec<String> {
        let scenes = self.failures().filter(Failure::can_be_accepted).map(|one| one.scene);
        let acceptable = Acceptable {
            moves: !self.moves.is_empty(),
            scenes: scenes.map(|scene| scene.path.as_path()).collect(),
            refits: self.goldens().any(|one| one.act() == Some(Act::Refit)),
            // For an unreadable scene, it is unknown which goldens have no scene.
            strays: !self.stray.is_empty() && self.bad.is_empty(),
        };
        acceptable.commands(&self.options(options))
    }

    /// Writes all forms of its report into a folder: the page `index.html` with its pictures,
    /// `report.json`, `junit.xml` and `summary.md`.
    ///
    /// # Errors
    /// [`ReportError`] if a page of another program exists, or a file cannot be written.
    pub fn write_report(&self, folder: &Path, options: &ReportOptions) -> Result<(), ReportError> {
        let options = ReportOptions { folder: Some(folder.to_owned()), ..options.clone() };
        GoldenReport::new(self, &options, |_, _| false).write_all(folder)
    }
}

impl GoldenReport<'_> {
    /// Writes all forms: see [`TestRun::write_report`].
    ///
    /// # Errors
    /// As [`TestRun::write_report`].
    pub fn write_all(&self, folder: &Path) -> Result<(), ReportError> {
        refuse_foreign_page(folder)?;
        self.write(folder)?;
        let report = &self.report;
        let summary = encode_summary(report, Some("."));
        let texts = [encode_json(report), encode_junit(report), summary];
        for (name, text) in ["report.json", "junit.xml", "summary.md"].iter().zip(texts) {
            write_atomic(&folder.join(name), text.as_bytes())?;
        }
        Ok(())
    }
}
