//! The report of a comparison, in the same form as for goldens: a scene for each model, an entry
//! for each part.

use super::diff::ExportDiff;
use crate::picture_diff::{Compared, ComparedFile, FileState, State};
use crate::report::{
    Cause, CauseId, Change, Entry, Pictures, Report, SceneReport, Status, group_failures,
    picture_names,
};
use crate::test_report::{PictureSource, ReportError, write_report};
use rayon::prelude::*;
use std::path::Path;
use tintype_base::path::ShowPath;
use tintype_compare::character::{ModelPair, PairState, Part};
use tintype_compare::{Difference, Finding, Heat, Map, compare, flip};
use tintype_model::frame::PIXEL_REVISION;

/// A report, and the pictures in its folder.
pub struct ExportReport<'a> {
    /// The data.
    pub report: Report,
    sources: Vec<PictureSource<'a>>,
}

impl<'a> ExportReport<'a> {
    /// Builds the report of models, pictures and other files; `folder` is the folder of its page
    /// and pictures.
    #[must_use]
    pub fn new(
        diff: &'a ExportDiff,
        pictures: &[Compared],
        files: &[ComparedFile],
        folder: Option<&Path>,
    ) -> Self {
        let mut sources = Vec::new();
        let pairs = diff.models.iter().map(|pair| of_pair(pair, folder, &mut sources));
        let others = [
            ("pictures", pictures.iter().map(of_picture).collect::<Vec<Entry>>()),
            ("files", files.iter().filter_map(of_file).collect()),
        ];
        let others = others.into_iter().filter(|(_, entries)| !entries.is_empty());
        let others = others.map(|(name, entries)| SceneReport::of(name, entries));
        let scenes: Vec<SceneReport> = pairs.chain(others).collect();
        let groups = group_failures(&scenes, |_, _| None);
        let report = Report {
            program_version: env!("CARGO_PKG_VERSION").to_owned(),
            pixel_revision: PIXEL_REVISION,
            folder: folder.map(ShowPath::shown),
            scenes,
            groups,
        };
        Self { report, sources }
    }

    /// Writes page and pictures.
    ///
    /// # Errors
    /// [`ReportError`] if a file cannot be read or written.
    pub fn write(&self, folder: &Path) -> Result<(), ReportError> {
        write_report(folder, &self.report, &self.sources, &[])
    }
}

fn of_picture(one: &Compared) -> Entry {
    let status = match one.state {
        State::Same => Status::Same,
        State::Within => Status::Within,
        State::Different | State::Size => Status::Different,
        State::OnlyA => Status::Dangling,
        State::OnlyB => Status::Missing,
        State::Unreadable => Status::Unreadable,
    };
    let message = if one.message.is_empty() { "the same" } else { &one.message };
    Entry { golden: Some(one.name.clone()), ..Entry::new(None, status, message) }
}

/// The entry of another file. None if it is not compared.
fn of_file(one: &ComparedFile) -> Option<Entry> {
    let status = match one.state {
        FileState::Same | FileState::SameContent => Status::Same,
        FileState::Different => Status::Different,
        FileState::OnlyA => Status::Dangling,
        FileState::OnlyB => Status::Missing,
        FileState::Unreadable => Status::Unreadable,
        FileState::NotCompared => return None,
    };
    let message = match one.sentences().join("; ") {
        none if none.is_empty() => status.word().to_owned(),
        sentences => sentences,
    };
    Some(Entry { golden: Some(one.name.clone()), ..Entry::new(None, status, message) })
}

fn of_pair<'a>(
    pair: &'a ModelPair,
    folder: Option<&Path>,
    sources: &mut Vec<PictureSource<'a>>,
) -> SceneReport {
    let mut own = SceneReport {
        name: pair.name.clone(),
        path: Some(pair.name.clone()),
        line: None,
        fps: 24.0,
        accept: None,
        seconds: None,
        frames: Vec::new(),
    };
    if pair.parts.is_empty() || pair.renamed_from.is_some() {
        let (status, message) = match (&pair.error, pair.state) {
            (Some(error), _) => (Status::NotDrawn, error.clone()),
            (_, PairState::OnlyA) => (Status::Dangling, "the model is missing".to_owned()),
            (_, PairState::OnlyB) => (Status::Missing, "the model is new".to_owned()),
            _ => {
                let renamed = pair.notes.first().map(Finding::sentence);
                (Status::Different, renamed.unwrap_or_default())
            }
        };
        let golden = Some("model".to_owned());
        own.frames.push(Entry { golden, ..Entry::new(None, status, message) });
    }
    let flips: Vec<Option<Map>> = pair
        .parts
        .par_iter()
        .map(|part| {
            let [old, new] = part.pictures.as_ref().filter(|_| folder.is_some())?;
            compare(old, new).map(|_| flip(old, new))
        })
        .collect();
    let largest = flips.iter().flatten().map(Map::largest).fold(0.0, tintype_model::math::max);
    let heat = Heat::that_holds(largest);
    for ((number, part), flip) in (0..).zip(&pair.parts).zip(flips) {
        let mut entry = of_part(pair, part);
        if let (Some([old, new]), Some(_)) = (&part.pictures, folder) {
            let all = picture_names(&pair.name, number);
            let heat_picture = all.heat.filter(|_| flip.is_some());
            entry.pictures = Pictures { heat: heat_picture, camera: None, ..all };
            entry.heat_top = entry.pictures.heat.as_ref().map(|_| heat.top);
            sources.push(PictureSource {
                pictures: entry.pictures.clone(),
                golden: Some(old),
                golden_file: None,
                new: Some(new),
                camera: None,
                flip: flip.map(|flip| (flip, heat)),
            });
        }
        own.frames.push(entry);
    }
    own
}

fn of_part(pair: &ModelPair, part: &Part) -> Entry {
    let status = match part.state {
        PairState::Same => Status::Same,
        PairState::Within => Status::Within,
        PairState::Different => Status::Different,
        PairState::OnlyA => Status::Dangling,
        PairState::OnlyB => Status::Missing,
        PairState::Unreadable => Status::Unreadable,
    };
    let name = part.clip.as_ref().map_or("model".to_owned(), |clip| format!("clip {clip}"));
    let first = part.findings.first();
    let message = match (first, part.state) {
        (Some(first), _) => first.to_string(),
        (None, _) => "same".to_owned(),
    };
    let mut entry = Entry::new(None, status, message);
    entry.golden = Some(name);
    entry.cause = first.map(|first| Cause {
        stage: first.stage.word().to_owned(),
        text: first.to_string(),
        what: first.sentence(),
        evidence: part.findings.iter().skip(1).map(ToString::to_string).collect(),
        whole: None,
        findings: part.findings.clone(),
    });
    if first.is_some() {
        entry.cause_id = CauseId::of_findings(&part.findings);
    }
    if part.clip.is_none() {
        entry.notes = pair.notes.iter().map(Finding::sentence).collect();
    }
    if let Some([old, new]) = &part.pictures {
        entry.size = Some([new.width, new.height]);
        entry.change = compare(old, new).as_ref().map(|found: &Difference| Change::from(found));
    }
    entry
}
