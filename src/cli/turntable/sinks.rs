//! Where the frames of a turntable go: files of one frame, files of all, standard output.
//!
//! A file of all frames is made anew unless it is whole and says that it was made from the same. Views have files of their own beside
//! those of the pictures, with the name of the view before the ending.

use super::args::{Raw, Turntable};
use super::{Failure, view_for_stdout};
use crate::frame::Frame;
use crate::output::{Provenance, Rate, matches_provenance, y4m_frame, y4m_header};
use crate::scene::{Aov, FramePattern, Scene};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The names of frames, if nobody says.
const FRAMES: &str = "####.png";

/// Where the frames go one by one.
#[derive(PartialEq)]
pub(super) enum Target {
    Files(FramePattern),
    Stdout,
    Nowhere,
}

impl Target {
    /// Of the one model that is asked for.
    pub fn of_one(options: &Turntable, model: &Path) -> Result<Self, Failure> {
        match options.output.as_deref() {
            Some("-") if options.raw.is_none() => {
                let message =
                    "-o - needs --raw y4m or --raw rgba, which say in what form frames go out";
                Err(Failure::bad_input(message))
            }
            Some("-") => view_for_stdout(options.views(), "sequence").map(|_| Self::Stdout),
            _ if options.raw.is_some() => {
                Err(Failure::bad_input("--raw goes to standard output: say -o - too"))
            }
            None if Files::of_one(options).any() => Ok(Self::Nowhere),
            None => {
                let stem = model.file_stem().unwrap_or_default().to_string_lossy();
                Self::parse(&format!("out/{stem}/####.png"))
            }
            Some(text) if text.contains(['#', '%']) => Self::parse(text),
            Some(folder) => Self::parse(&format!("{}/####.png", folder.trim_end_matches('/'))),
        }
    }

    /// Of one of several models: a folder of its name below that of all.
    pub fn of_several(options: &Turntable, root: &Path, name: &str) -> Result<Self, Failure> {
        match options.output.as_deref() {
            None if Files::of_one(options).any() => Ok(Self::Nowhere),
            output => {
                let file = output.map_or(FRAMES, |output| FramePattern::split_folder(output).1);
                Self::parse(&format!("{}/{file}", root.join(name).display()))
            }
        }
    }

    fn parse(pattern: &str) -> Result<Self, Failure> {
        FramePattern::parse(pattern)
            .map(Self::Files)
            .map_err(|error| Failure::bad_input(format!("--output: {error}")))
    }

    pub fn described(&self, frames: &[i64]) -> String {
        match (self, frames) {
            (Self::Files(pattern), [first, .., last]) => {
                format!(", {} to {}", pattern.path(*first), pattern.file_name(*last))
            }
            (Self::Files(pattern), [only]) => format!(", {}", pattern.path(*only)),
            _ => String::new(),
        }
    }
}

/// What a frame adds to standard output.
pub(super) fn raw_bytes(options: &Turntable, scene: &Scene, k: usize, frame: &Frame) -> Vec<u8> {
    match options.raw {
        Some(Raw::Y4m) => {
            let header = y4m_header(scene.output.size, Rate::new(scene.output.fps));
            let start = if k == 0 { header } else { Vec::new() };
            [start, y4m_frame(frame)].concat()
        }
        _ => frame.rgba.as_flattened().to_vec(),
    }
}

/// The names of the files that hold all frames.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    pub apng: Option<PathBuf>,
    pub gif: Option<PathBuf>,
    pub sheet: Option<PathBuf>,
}

impl Files {
    /// Of the one model that is asked for.
    pub fn of_one(options: &Turntable) -> Self {
        let Turntable { apng, gif, sheet, .. } = options;
        Self { apng: apng.clone(), gif: gif.clone(), sheet: sheet.clone() }
    }

    /// Of one of several models, in its own folder.
    pub fn below(&self, folder: &Path) -> Self {
        let below = |name: &Option<PathBuf>| name.as_ref().map(|name| folder.join(name));
        Self { apng: below(&self.apng), gif: below(&self.gif), sheet: below(&self.sheet) }
    }

    /// Refuses names that say another form than the file has, and one name for two files.
    pub fn check(&self) -> Result<(), Failure> {
        let forms: [(&str, &Option<PathBuf>, &[&str]); 3] = [
            ("--apng", &self.apng, &["png", "apng"]),
            ("--gif", &self.gif, &["gif"]),
            ("--sheet", &self.sheet, &["png"]),
        ];
        let mut known: Vec<(&str, &Path)> = Vec::new();
        for (option, path, endings) in forms {
            let Some(path) = path else { continue };
            let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
            let name = path.display();
            if !endings.contains(&ending.as_str()) {
                let endings: Vec<String> =
                    endings.iter().map(|ending| format!(".{ending}")).collect();
                return Err(Failure::bad_input(format!(
                    "{option} {name}: the name has to end in {}, as that is what is written",
                    endings.join(" or ")
                )));
            }
            if let Some((other, _)) = known.iter().find(|(_, other)| other == path) {
                let message = format!("{option} {name}: {other} writes that file too");
                return Err(Failure::bad_input(message));
            }
            known.push((option, path));
        }
        Ok(())
    }

    /// Those that are wanted.
    pub fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.apng, &self.gif, &self.sheet].into_iter().flatten()
    }

    /// Whether any is wanted.
    pub fn any(&self) -> bool {
        self.paths().next().is_some()
    }

    /// The same files of one view: `robot.depth.gif` for `robot.gif`.
    pub fn of_view(&self, view: &Aov) -> Self {
        let word = view.file_word();
        let beside = |path: &PathBuf| {
            let mut name = OsString::from(path.file_stem().unwrap_or_default());
            name.push(format!(".{word}"));
            if let Some(ending) = path.extension() {
                name.push(".");
                name.push(ending);
            }
            path.with_file_name(name)
        };
        let Self { apng, gif, sheet } = self;
        let [apng, gif, sheet] = [apng, gif, sheet].map(|path| path.as_ref().map(beside));
        Self { apng, gif, sheet }
    }

    /// These with those of each view.
    pub fn with_views(&self, views: &[Aov]) -> Vec<PathBuf> {
        let of_views = views.iter().map(|view| self.of_view(view));
        let all = core::iter::once(self.clone()).chain(of_views);
        all.flat_map(|files| files.paths().cloned().collect::<Vec<_>>()).collect()
    }

    /// Those of pictures and views that are not whole, or not made from this.
    pub fn missing(&self, provenance: &Provenance, views: &[Aov]) -> Vec<PathBuf> {
        let mut missing = self.missing_of(provenance, None);
        for view in views {
            missing.extend(self.of_view(view).missing_of(provenance, Some(&view.word())));
        }
        missing
    }

    fn missing_of(&self, provenance: &Provenance, view: Option<&str>) -> Vec<PathBuf> {
        let is_current = |path: &PathBuf| {
            let bytes = std::fs::read(path).unwrap_or_default();
            matches_provenance(&bytes, provenance, view)
        };
        let atlas = |path: &Path| self.sheet.as_deref() != Some(path) || atlas_of(path).exists();
        let missing = self.paths().filter(|path| !is_current(path) || !atlas(path));
        missing.cloned().collect()
    }
}

/// The file that says what is where on a sheet.
pub(super) fn atlas_of(sheet: &Path) -> PathBuf {
    sheet.with_extension("json")
}
