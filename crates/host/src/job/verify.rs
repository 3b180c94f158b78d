//! Check of a sequence on the disk: compares every file of its frames with the output of a run.
//! Nothing is drawn or written.

use super::resume::{ResumeCheck, files_of, provenance};
use crate::{CheckLevel, ExpectedFile, FrameStatus};
use rayon::prelude::*;
use tintype_base::path::path_of_text;
use tintype_render::asset::FileError;
use tintype_scene::{FrameList, FrameNumber};

/// A file of a sequence: a picture, or a view beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedFile {
    /// Its frame.
    pub frame: FrameNumber,
    /// Word of the view. None for the picture.
    pub view: Option<String>,
    /// Path, as in the pattern.
    pub path: String,
    /// Status on the disk.
    pub status: FrameStatus,
}

impl CheckedFile {
    /// True if it is complete and up to date.
    #[must_use]
    pub fn is_current(&self) -> bool {
        matches!(self.status, FrameStatus::Current { .. })
    }
}

/// Files of a sequence with their status, frame by frame: first the picture, then its views.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SequenceCheck {
    /// The files.
    pub files: Vec<CheckedFile>,
    /// Errors of files that exist and cannot be read; their status is broken.
    pub unreadable: Vec<FileError>,
}

impl SequenceCheck {
    /// Checks the files of some frames, each with its pixels decoded, on the threads of the current
    /// rayon pool.
    ///
    /// A file that exists and cannot be read is listed as broken, and the others are checked.
    #[must_use]
    pub fn new(expected: &ResumeCheck<'_>, frames: &[FrameNumber]) -> Self {
        let files: Vec<(FrameNumber, Option<String>, String)> = frames
            .iter()
            .flat_map(|&frame| {
                let files = files_of(frame, expected.pattern, expected.beside);
                files.map(move |(view, path)| (frame, view, path))
            })
            .collect();
        let check = |(frame, view, path): (FrameNumber, Option<String>, String)| {
            let provenance = provenance(frame, expected.digest, expected.build);
            let file = ExpectedFile {
                size: expected.size,
                provenance: &provenance,
                view: view.as_deref(),
            };
            let on_disk = path_of_text(&path);
            let status = file.check(&on_disk, CheckLevel::Pixels);
            let (status, error) = match status {
                Ok(status) => (status, None),
                Err(error) => {
                    let status = FrameStatus::Broken(format!("it cannot be read: {error}"));
                    (status, Some(FileError::new(&on_disk, &error)))
                }
            };
            (CheckedFile { frame, view, path, status }, error)
        };
        let checked: Vec<(CheckedFile, Option<FileError>)> =
            files.into_par_iter().map(check).collect();
        let (files, errors): (Vec<_>, Vec<_>) = checked.into_iter().unzip();
        Self { files, unreadable: errors.into_iter().flatten().collect() }
    }

    /// The frames with a file that is not up to date. None if there are no such frames. A frame is
    /// drawn with its views, so it is listed once.
    #[must_use]
    pub fn outdated(&self) -> Option<FrameList> {
        let mut frames: Vec<i64> =
            self.files.iter().filter(|file| !file.is_current()).map(|file| file.frame.0).collect();
        frames.dedup();
        FrameList::from_rising(frames)
    }

    /// True if every picture that is up to date shows no instance.
    #[must_use]
    pub fn shows_nothing(&self) -> bool {
        let pictures = self.files.iter().filter(|file| file.view.is_none());
        let mut current = pictures.filter_map(|file| match file.status {
            FrameStatus::Current { is_empty } => Some(is_empty),
            _ => None,
        });
        current.all(|is_empty| is_empty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::resume::Beside;
    use tintype_model::frame::Frame;
    use tintype_output::{PngEffort, encode_png};
    use tintype_scene::{Aov, FramePattern};

    /// Files of frames 1 to 3 with a depth view: 1 complete, 2 without its view, 3 cut.
    #[test]
    fn missing_and_truncated_files_make_their_frames_outdated() {
        let folder = tempfile::tempdir().unwrap();
        let pattern = format!("{}/####.png", folder.path().display());
        let pattern = FramePattern::parse(&pattern).unwrap();
        let views = Aov::parse_list("depth").unwrap();
        let expected = ResumeCheck {
            pattern: &pattern,
            beside: Beside { views: &views, ..Beside::default() },
            size: [2, 1],
            digest: "d",
            build: None,
        };
        let frame = Frame { width: 2, height: 1, rgba: vec![[1, 2, 3, 255]; 2] };
        let write = |number: i64, view: Option<&Aov>, cut: usize| {
            let of = provenance(number, "d", None);
            let (path, text) = match view {
                None => (pattern.path(FrameNumber(number)), of.to_text()),
                Some(view) => {
                    let path = pattern.beside(&view.file_word()).path(FrameNumber(number));
                    (path, of.to_text_of_view(&view.word(), "legend"))
                }
            };
            let png = encode_png(&frame, true, PngEffort::Fast, &text);
            std::fs::write(path, &png[..png.len() - cut]).unwrap();
        };
        write(1, None, 0);
        write(1, views.first(), 0);
        write(2, None, 0);
        write(3, None, 20);
        write(3, views.first(), 0);
        let frames = [1, 2, 3].map(FrameNumber);
        let check = SequenceCheck::new(&expected, &frames);
        assert_eq!(check.files.len(), 6);
        assert_eq!(check.outdated().unwrap().to_string(), "2,3");
        assert_eq!(check.files[3].status, FrameStatus::Missing);
        assert!(matches!(check.files[4].status, FrameStatus::Broken(_)), "{:?}", check.files[4]);
        assert!(!check.shows_nothing());
        let first = SequenceCheck::new(&expected, &frames[..1]);
        assert_eq!(first.outdated(), None);
        let other = ResumeCheck { digest: "e", ..expected };
        let other = SequenceCheck::new(&other, &frames[..1]);
        assert!(matches!(other.files[0].status, FrameStatus::Stale(_)), "{:?}", other.files[0]);
    }
}
