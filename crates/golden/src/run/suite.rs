//! Scenes that are tested together, and their test.

use super::results::{TestRun, TestedScene};
use crate::checked::Checked;
use crate::discover::{BadScene, Discovery};
use crate::error::GoldenError;
use crate::folder::{left_behind, stray};
use crate::library::Library;
use crate::scene::GoldenScene;
use crate::test_report::names_of;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use tintype_base::disk::read_regular_text;
use tintype_base::path::ShowPath;
use tintype_scene::{Day, FrameNumber, Shard};

/// The choice of frames of scenes.
pub type Wanted<'a> = dyn Fn(&GoldenScene, FrameNumber) -> bool + Sync + 'a;

/// A clock in seconds.
pub type Clock<'a> = dyn Fn() -> f64 + Sync + 'a;

/// Scenes tested together, with the goldens that belong to no scene.
#[derive(Debug, Default)]
pub struct Suite {
    /// The scenes, each followed by its views.
    pub scenes: Vec<GoldenScene>,
    /// Scenes that cannot be read.
    pub bad: Vec<BadScene>,
    /// Goldens that belong to no scene.
    pub stray: Vec<Checked>,
    /// Further goldens, which are not failures: those of a scene that moved may be among them.
    pub unnamed: Vec<Checked>,
}

/// One shard of a test.
#[derive(Clone, Debug)]
pub struct Share {
    /// Its number among all.
    pub shard: Shard,
    /// A digest of all scenes and goldens that were divided into shards; it identifies the shards
    /// of one test.
    pub suite: String,
    /// The names of scenes of earlier shards in reports.
    pub taken: Vec<String>,
}

impl Suite {
    /// The scenes found below paths, with goldens in the folder `root` if it is named.
    ///
    /// # Errors
    /// [`GoldenError`] if a golden folder cannot be read.
    pub fn new(
        paths: &[PathBuf],
        root: Option<&Path>,
        found: Discovery,
    ) -> Result<Self, GoldenError> {
        let stray = stray(paths, root, &found)?;
        let unnamed = left_behind(paths, root, &found)?;
        let Discovery { mut scenes, bad, .. } = found;
        let left = stray.iter().chain(&unnamed).map(|one| one.path.as_path());
        GoldenScene::tell_left(&mut scenes, left);
        Ok(Self { scenes, bad, stray, unnamed })
    }

    /// Keeps the scenes whose path, or the path of one of whose goldens, `has` selects. All scenes
    /// still count for finding goldens without a scene. Returns the scenes that cannot be read, and
    /// have no such golden as far as is known.
    pub fn select(&mut self, root: Option<&Path>, has: &dyn Fn(&Path) -> bool) -> Vec<BadScene> {
        let scenes = &self.scenes;
        let is_named =
            |folder: &Path| scenes.iter().any(|scene| scene.folder == folder && has(&scene.path));
        let (named, others) = std::mem::take(&mut self.stray)
            .into_iter()
            .partition(|one| has(&one.path) || one.path.ancestors().skip(1).any(is_named));
        self.stray = named;
        self.unnamed.extend::<Vec<Checked>>(others);
        let has_golden = |scene: &GoldenScene| {
            has(&scene.path) || scene.frames().iter().any(|&frame| has(&scene.file(frame)))
        };
        // No frame is tested of a scene without frames.
        self.scenes.retain(|scene| !scene.frames().is_empty() && has_golden(scene));
        let (bad, unknown) = std::mem::take(&mut self.bad)
            .into_iter()
            .partition(|bad| has(&bad.path) || bad.has_golden(root, has));
        self.bad = bad;
        unknown
    }

    /// True if there is nothing to test.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scenes.is_empty() && self.bad.is_empty() && self.stray.is_empty()
    }

    /// Sets the date against which the end of known changes is checked.
    pub fn set_today(&mut self, today: Day) {
        self.scenes.iter_mut().for_each(|scene| scene.today = Some(today));
    }

    /// Keeps the scenes of a shard, each with all of its views.
    ///
    /// # Errors
    /// [`GoldenError::Read`] if a scene that was just read cannot be read any more.
    pub fn take_share(&mut self, shard: Shard, wanted: &Wanted) -> Result<Share, GoldenError> {
        let Self { scenes, bad, .. } = self;
        let mut lines = String::new();
        for scene in &*scenes {
            let frames = scene.frames().into_iter().filter(|&frame| wanted(scene, frame));
            let path = scene.path.shown();
            let name = |frame| scene.file(frame).file_name().unwrap_or_default().shown();
            frames.for_each(|frame| lines += &format!("{path} {}\n", name(frame)));
        }
        bad.iter().for_each(|one| lines += &(one.path.shown() + "\n"));
        let mut files: Vec<PathBuf> = scenes.iter().map(|scene| scene.path.clone()).collect();
        files.dedup();
        for file in &files {
            lines += &digest_of(file)?;
        }
        files.extend(bad.iter().map(|one| one.path.clone()));
        let range = shard.range(files.len());
        let own: BTreeSet<&PathBuf> = files[range.clone()].iter().collect();
        let before: BTreeSet<&PathBuf> = files[..range.start].iter().collect();
        let names = names_of(scenes).into_iter().zip(&*scenes);
        let taken = names.filter(|(_, scene)| before.contains(&scene.path)).map(|(name, _)| name);
        let share = Share { shard, suite: digest(&lines), taken: taken.collect() };
        scenes.retain(|scene| own.contains(&scene.path));
        bad.retain(|one| own.contains(&one.path));
        Ok(share)
    }

    /// Draws and compares the wanted goldens, with scenes in parallel. With `fail_fast` none is
    /// started after a failure. With a clock, the seconds of each scene are measured.
    #[must_use]
    pub fn test(self, wanted: &Wanted, fail_fast: bool, clock: Option<&Clock>) -> TestRun {
        let Self { scenes, bad, stray, unnamed } = self;
        let stop = AtomicBool::new(fail_fast && !bad.is_empty());
        let check = |scene: GoldenScene| {
            let started = clock.map(|clock| clock());
            let is_wanted = |frame| wanted(&scene, frame) && !stop.load(Ordering::Relaxed);
            let result = scene.check(is_wanted);
            let seconds = clock.zip(started).map(|(clock, started)| clock() - started);
            let tested = TestedScene { scene, result, seconds };
            if fail_fast && tested.fails() {
                stop.store(true, Ordering::Relaxed);
            }
            tested
        };
        let tested = scenes.into_par_iter().map(check).collect();
        let mut run = TestRun { tested, bad, stray, moves: Vec::new() };
        run.find_moves(&unnamed);
        run
    }
}

impl Library {
    /// Keeps the models of a shard.
    pub fn take_share(&mut self, shard: Shard) -> Share {
        let names: String = self.models.iter().map(|model| model.name.clone() + "\n").collect();
        self.models = shard.of(&self.models).to_vec();
        self.is_share = true;
        let suite = digest(&format!("{names}{:?}", self.settings));
        // Names of models are unique.
        Share { shard, suite, taken: Vec::new() }
    }
}

/// The digest of a text file, independent of its line ends.
fn digest_of(path: &Path) -> Result<String, GoldenError> {
    match read_regular_text(path) {
        Ok(text) => Ok(digest(&text.replace("\r\n", "\n"))),
        Err(source) => Err(GoldenError::Read { path: path.to_owned(), source }),
    }
}

fn digest(lines: &str) -> String {
    blake3::hash(lines.as_bytes()).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scene_that_is_gone_has_no_digest() {
        let error = digest_of(Path::new("no/such.toml")).unwrap_err();
        assert!(matches!(error, GoldenError::Read { .. }), "{error}");
    }
}
