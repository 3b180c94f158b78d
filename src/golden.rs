//! Scenes x golden folder -> passed, missing, dangling, different; and the act that accepts new pictures.
//!
//! Which goldens there must be is computed from the scenes alone: each lists its golden frames and their size. Goldens mirror the
//! scenes: `scenes/raster/edge.toml`, frame 3, is `golden/raster/edge/0003.png`, with the golden folder beside the folder named
//! `scenes`; a scene outside such a folder keeps its goldens in `golden/<scene>/` beside itself.
//!
//! A golden says "same as before", exactly: every channel of every pixel. Nothing here has a tolerance, and checking never writes.

use crate::asset::{self, AssetError};
use crate::compare::{Difference, compare};
use crate::frame::{Frame, PIXEL_REVISION};
use crate::output::{
    OutputError, PngEffort, PngError, Provenance, decode_png, encode_png, write_atomic,
};
use crate::raster::Cut;
use crate::render::{Prepared, RenderError};
use crate::scene::{FramePattern, Scene, SceneErrors, parse_scene};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why the goldens of a scene cannot be checked at all.
#[derive(Debug, Error)]
pub enum GoldenError {
    /// The scene cannot be read.
    #[error("{}", path.display())]
    Read {
        /// The scene.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The scene's text has mistakes.
    #[error("mistakes in {}\n{source}", path.display())]
    Scene {
        /// The scene.
        path: PathBuf,
        /// All of them.
        source: SceneErrors,
    },
    /// The scene lists no golden frame, so that nothing could fail.
    #[error("{}: the scene has no [golden] table", path.display())]
    NoGolden {
        /// The scene.
        path: PathBuf,
    },
    /// A file that the scene names cannot be loaded.
    #[error(transparent)]
    Asset(#[from] AssetError),
    /// The scene cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A golden cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// How one golden compares with the frame of today.
#[derive(Debug)]
pub enum Verdict {
    /// Equal, to the byte.
    Same,
    /// There is no golden.
    Missing,
    /// The file is no whole frame.
    Unreadable(PngError),
    /// The golden was made by code that draws other pixels.
    OtherRevision {
        /// Its revision; none if it does not say.
        found: Option<u32>,
        /// What differs, if anything does.
        difference: Option<Difference>,
    },
    /// The pixels differ.
    Different(Difference),
    /// A golden that no scene asks for.
    Dangling,
}

impl Verdict {
    /// Whether this is no failure.
    #[must_use]
    pub fn passes(&self) -> bool {
        matches!(self, Self::Same)
    }
}

impl core::fmt::Display for Verdict {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Same => f.write_str("same"),
            Self::Missing => f.write_str("the golden is missing"),
            Self::Unreadable(error) => write!(f, "the golden is unreadable: {error}"),
            Self::OtherRevision { found, difference } => {
                match found {
                    Some(found) => write!(f, "the golden has pixel revision {found}")?,
                    None => f.write_str("the golden says no pixel revision")?,
                }
                write!(f, ", this program has {PIXEL_REVISION}")?;
                match difference {
                    Some(difference) => write!(f, ": {difference}"),
                    None => f.write_str("; the pixels are the same"),
                }
            }
            Self::Different(difference) => difference.fmt(f),
            Self::Dangling => f.write_str("no scene asks for this golden"),
        }
    }
}

/// One golden and what became of it.
#[derive(Debug)]
pub struct Checked {
    /// The golden's file.
    pub path: PathBuf,
    /// The frame of its scene; none for a dangling one.
    pub frame: Option<i64>,
    /// The comparison.
    pub verdict: Verdict,
    /// The picture of today, where it was drawn and is not the same.
    pub live: Option<Frame>,
}

/// A scene with goldens.
#[derive(Debug)]
pub struct GoldenScene {
    /// Its path.
    pub path: PathBuf,
    /// The folder of its goldens.
    pub folder: PathBuf,
    scene: Scene,
}

impl GoldenScene {
    /// Reads a scene; `root` is the golden folder if the caller knows better than the rule of this module.
    ///
    /// # Errors
    /// [`GoldenError`] if it is no scene, or lists no golden frame.
    pub fn read(path: &Path, root: Option<&Path>) -> Result<Self, GoldenError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| GoldenError::Read { path: path.into(), source })?;
        let mut scene = parse_scene(&text, &path.display().to_string())
            .map_err(|source| GoldenError::Scene { path: path.into(), source })?;
        let Some(golden) = &scene.golden else {
            return Err(GoldenError::NoGolden { path: path.into() });
        };
        scene.output.size = golden.size;
        Ok(Self { path: path.into(), folder: folder_of(path, root), scene })
    }

    /// The golden frames: position among the scene's own, and number.
    #[must_use]
    pub fn frames(&self) -> Vec<(usize, i64)> {
        let golden = self.scene.golden.iter().flat_map(|golden| golden.frames.iter());
        golden
            .filter_map(|number| Some((self.scene.output.frames.position(number)?, number)))
            .collect()
    }

    /// The file of a frame's golden.
    #[must_use]
    pub fn file(&self, frame: i64) -> PathBuf {
        let pattern = FramePattern::parse("####.png");
        self.folder.join(pattern.map_or_else(|_| frame.to_string(), |name| name.file_name(frame)))
    }

    /// Draws the golden frames of today, in their order.
    ///
    /// # Errors
    /// [`GoldenError`] if a file is missing or broken, or a clip does not fit.
    pub fn draw(&self) -> Result<Vec<(i64, Frame, String)>, GoldenError> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let assets = asset::load(&self.scene, folder)?;
        let prepared = Prepared::new(&self.scene, &assets)?;
        let digest = prepared.digest();
        let draw = |(k, number)| (number, prepared.draw(k, Cut::default()).0, digest.clone());
        Ok(self.frames().into_iter().map(draw).collect())
    }

    /// Compares every golden with the frame of today.
    ///
    /// # Errors
    /// As [`GoldenScene::draw`].
    pub fn check(&self) -> Result<Vec<Checked>, GoldenError> {
        let check = |(number, live, _)| {
            let path = self.file(number);
            let verdict = verdict(&path, &live);
            let live = (!verdict.passes()).then_some(live);
            Checked { path, frame: Some(number), verdict, live }
        };
        Ok(self.draw()?.into_iter().map(check).collect())
    }

    /// Writes the goldens that are missing or differ; gives what was said of each before.
    ///
    /// # Errors
    /// As [`GoldenScene::draw`], and [`GoldenError::Output`].
    pub fn bless(&self) -> Result<Vec<Checked>, GoldenError> {
        let mut written = Vec::new();
        for (number, live, digest) in self.draw()? {
            let path = self.file(number);
            let verdict = verdict(&path, &live);
            if !verdict.passes() {
                let text = Provenance::of_this_build(number, digest).to_text();
                write_atomic(&path, &encode_png(&live, true, PngEffort::Small, &text))?;
                written.push(Checked { path, frame: Some(number), verdict, live: None });
            }
        }
        Ok(written)
    }
}

/// Files below `folder` that no golden frame of `scenes` asks for, sorted; hidden ones are left out.
#[must_use]
pub fn dangling(folder: &Path, scenes: &[GoldenScene]) -> Vec<Checked> {
    let wanted: BTreeSet<PathBuf> = scenes
        .iter()
        .flat_map(|scene| scene.frames().into_iter().map(|(_, number)| scene.file(number)))
        .collect();
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_name().to_string_lossy().starts_with('.') || wanted.contains(&path) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    let checked = |path| Checked { path, frame: None, verdict: Verdict::Dangling, live: None };
    found.into_iter().map(checked).collect()
}

/// The folder of a scene's goldens.
fn folder_of(scene: &Path, root: Option<&Path>) -> PathBuf {
    let stem = scene.with_extension("");
    let name = stem.file_name().map(PathBuf::from).unwrap_or_default();
    let parts: Vec<_> = stem.components().collect();
    let scenes = parts.iter().rposition(|part| part.as_os_str() == "scenes");
    match (scenes, root) {
        (Some(at), Some(root)) => root.join(parts[at + 1..].iter().collect::<PathBuf>()),
        (Some(at), None) => {
            let beside: PathBuf = parts[..at].iter().collect();
            beside.join("golden").join(parts[at + 1..].iter().collect::<PathBuf>())
        }
        (None, Some(root)) => root.join(name),
        (None, None) => scene.with_file_name("golden").join(name),
    }
}

fn verdict(golden: &Path, live: &Frame) -> Verdict {
    let Ok(bytes) = std::fs::read(golden) else { return Verdict::Missing };
    let (expected, text) = match decode_png(&bytes) {
        Ok(decoded) => decoded,
        Err(error) => return Verdict::Unreadable(error),
    };
    let difference = compare(&expected, live);
    let found = Provenance::from_text(&text).ok().map(|provenance| provenance.pixel_revision);
    match difference {
        difference if found != Some(PIXEL_REVISION) => Verdict::OtherRevision { found, difference },
        Some(difference) => Verdict::Different(difference),
        None => Verdict::Same,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_folder_mirrors_the_scenes() {
        for (scene, root, folder) in [
            ("scenes/walk.toml", None, "golden/walk"),
            ("/a/scenes/raster/edge.toml", None, "/a/golden/raster/edge"),
            ("scenes/raster/edge.toml", Some("/g"), "/g/raster/edge"),
            ("b/mine.toml", None, "b/golden/mine"),
            ("mine.toml", Some("g"), "g/mine"),
        ] {
            assert_eq!(
                folder_of(Path::new(scene), root.map(Path::new)),
                Path::new(folder),
                "{scene}"
            );
        }
    }
}
