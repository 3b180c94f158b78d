//! The results of a test run, and its overall outcome.

use crate::checked::{Checked, CheckedScene};
use crate::discover::BadScene;
use crate::error::GoldenError;
use crate::library::LibraryRun;
use crate::moves::{Move, moves_of};
use crate::paths::rename;
use crate::report::Status;
use crate::scene::GoldenScene;
use crate::verdict::Verdict;
use std::path::{Path, PathBuf};
use tintype_base::disk::is_temporary;

/// A scene with its checked goldens.
#[derive(Debug)]
pub struct TestedScene {
    /// The scene, or one of its views.
    pub scene: GoldenScene,
    /// Its goldens and warnings, or the reason why none could be checked.
    pub result: Result<CheckedScene, GoldenError>,
    /// Seconds of the check, if measured.
    pub seconds: Option<f64>,
}

impl TestedScene {
    /// Its goldens; empty if none could be checked.
    #[must_use]
    pub fn goldens(&self) -> &[Checked] {
        self.result.as_ref().map_or(&[], |own| &own.goldens)
    }

    /// True if a golden fails, or none could be checked.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.result.is_err() || self.goldens().iter().any(|one| !one.verdict.passes())
    }
}

/// All results of a test run.
#[derive(Debug, Default)]
pub struct TestRun {
    /// The scenes that were read.
    pub tested: Vec<TestedScene>,
    /// The scenes that could not be read.
    pub bad: Vec<BadScene>,
    /// Goldens that belong to no scene.
    pub stray: Vec<Checked>,
    /// Scenes that moved, and the files of their goldens.
    pub moves: Vec<Move>,
}

/// Result of a golden or of a whole run, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// Everything is as it was.
    Passed,
    /// Something differs or is missing, or nothing was compared.
    Different,
    /// A file cannot be used; a retry fails again.
    BadInput,
    /// A picture is empty.
    Empty,
    /// A file could not be read for a temporary reason.
    Temporary,
}

/// Numbers of goldens of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Equal, to the byte.
    pub same: usize,
    /// Different within their bounds.
    pub within: usize,
    /// Different, and all differences are known.
    pub known: usize,
    /// Number of failing goldens, and of goldens without a scene.
    pub failed: usize,
    /// Not compared, as the run ended before.
    pub left: usize,
}

impl Verdict {
    /// Its word in reports.
    #[must_use]
    pub fn status(&self) -> Status {
        match self {
            Self::Same => Status::Same,
            Self::Within(_) | Self::Known(_) => Status::Within,
            Self::Missing | Self::NoRecord | Self::Elsewhere { .. } | Self::New(_) => {
                Status::Missing
            }
            Self::Unread(_) | Self::Unreadable(_) | Self::BadRecord(_) => Status::Unreadable,
            Self::OtherRevision { .. } => Status::OtherRevision,
            Self::Different(_)
            | Self::Beyond(_)
            | Self::Hidden
            | Self::Moved
            | Self::Clip
            | Self::AboveLimit
            | Self::FitMoved(_) => Status::Different,
            Self::Empty(_) => Status::Empty,
            Self::Dangling | Self::Gone(_) => Status::Dangling,
        }
    }

    /// Its meaning for a whole run.
    #[must_use]
    pub fn ending(&self) -> Ending {
        match self {
            Self::Empty(_) => Ending::Empty,
            Self::Unread(error) if is_temporary(error) => Ending::Temporary,
            one if one.passes() => Ending::Passed,
            one if one.is_bad_input() => Ending::BadInput,
            _ => Ending::Different,
        }
    }
}

impl GoldenError {
    /// Its meaning for a whole run.
    #[must_use]
    pub fn ending(&self) -> Ending {
        if self.is_temporary() { Ending::Temporary } else { Ending::BadInput }
    }
}

impl TestRun {
    /// Converts the results of a library to the form of scenes.
    #[must_use]
    pub fn of_library(run: LibraryRun) -> Self {
        let LibraryRun { entries, bad, stray, .. } = run;
        let tested = entries.into_iter().map(|entry| TestedScene {
            scene: entry.scene,
            result: entry.result,
            seconds: None,
        });
        Self { tested: tested.collect(), bad, stray, moves: Vec::new() }
    }

    /// The scenes that could not be read or drawn, each with the reason.
    pub fn errors(&self) -> impl Iterator<Item = (&Path, &GoldenError)> {
        let drawn = self.tested.iter();
        let drawn = drawn.filter_map(|one| Some((&*one.scene.path, one.result.as_ref().err()?)));
        drawn.chain(self.bad.iter().map(|bad| (bad.path.as_path(), &bad.error)))
    }

    /// All goldens of scenes.
    pub fn goldens(&self) -> impl Iterator<Item = &Checked> {
        self.tested.iter().flat_map(TestedScene::goldens)
    }

    /// Finds scenes that moved: their goldens are missing, and are among those without a scene or
    /// among `unnamed`. Goldens that move are no longer without a scene.
    pub(super) fn find_moves(&mut self, unnamed: &[Checked]) {
        let checked = self.tested.iter().map(|one| (&one.scene, one.goldens()));
        self.moves = moves_of(checked, self.stray.iter().chain(unnamed));
        let moves = &self.moves;
        let is_taken =
            |path: &Path| moves.iter().flat_map(|one| &one.files).any(|[from, _]| from == path);
        self.stray.retain(|golden| !is_taken(&golden.path));
        let results = self.tested.iter_mut().filter_map(|one| one.result.as_mut().ok());
        for golden in results.flat_map(|own| &mut own.goldens) {
            if let Some((path, is_equal)) = moves.iter().find_map(|one| one.present(&golden.path)) {
                golden.verdict = Verdict::Elsewhere { path: path.to_path_buf(), is_equal };
            }
        }
    }

    /// The paths of failures: goldens, clips of a library by their names, scenes and models that
    /// cannot be read or drawn.
    #[must_use]
    pub fn failed_paths(&self) -> Vec<PathBuf> {
        let mut failed: Vec<PathBuf> = Vec::new();
        for one in self.tested.iter().filter(|one| one.fails()) {
            let goldens = one.goldens().iter().filter(|golden| !golden.verdict.passes());
            let file = |golden: &Checked| match golden.frame {
                Some(frame) => one.scene.file(frame.into()),
                None => golden.path.clone(),
            };
            match (&one.scene.name, &one.result) {
                (Some(name), _) => failed.push(name.into()),
                (None, Err(_)) => failed.push(one.scene.path.clone()),
                (None, Ok(_)) => failed.extend(goldens.map(file)),
            }
        }
        failed.extend(self.bad.iter().map(|bad| bad.path.clone()));
        failed.extend(self.stray.iter().map(|one| one.path.clone()));
        failed
    }

    /// Renames goldens from the first of two folders to the second, for goldens of a revision that
    /// exist only during the test.
    pub fn name_goldens(&mut self, folders: &[PathBuf; 2]) {
        for TestedScene { scene, result, .. } in &mut self.tested {
            scene.name_goldens(folders);
            match result {
                Ok(own) => own.goldens.iter_mut().for_each(|one| one.rename(folders)),
                Err(GoldenError::Read { path, .. }) => rename(path, folders),
                Err(_) => {}
            }
        }
        self.stray.iter_mut().for_each(|one| one.rename(folders));
        self.moves.iter_mut().for_each(|one| one.rename(folders));
    }

    /// Numbers of its goldens.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts { failed: self.stray.len(), ..Counts::default() };
        for one in self.goldens() {
            let count = match &one.verdict {
                Verdict::Within(_) => &mut counts.within,
                Verdict::Known(_) => &mut counts.known,
                verdict if verdict.passes() => &mut counts.same,
                _ => &mut counts.failed,
            };
            *count += 1;
        }
        let all: usize = self.tested.iter().map(|one| one.scene.frames().len()).sum();
        counts.left = all.saturating_sub(counts.compared() - self.stray.len());
        counts
    }

    /// The worst of its results; [`Ending::Different`] if nothing was compared.
    #[must_use]
    pub fn ending(&self) -> Ending {
        self.worst().unwrap_or(Ending::Different)
    }

    /// True if nothing was compared, without any error.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.worst().is_none()
    }

    fn worst(&self) -> Option<Ending> {
        let errors = self.errors().map(|(_, error)| error.ending());
        let goldens = self.goldens().map(|one| one.verdict.ending());
        let others = self.stray.iter().map(|_| Ending::Different);
        errors.chain(goldens).chain(others).max()
    }

    /// True if every golden is unchanged, every scene could be drawn, and no golden lacks a scene.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.ending() == Ending::Passed
    }

    /// True if a golden was compared and differs.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.goldens().any(|one| {
            let verdict = &one.verdict;
            !verdict.passes() && verdict.difference().is_some()
                || matches!(verdict, Verdict::Hidden | Verdict::FitMoved(_))
        })
    }
}

impl Counts {
    /// Number of goldens that were compared, or have no scene.
    #[must_use]
    pub fn compared(&self) -> usize {
        self.same + self.within + self.known + self.failed
    }
}
