//! Accepts the current pictures.

use super::checked::Checked;
use super::error::GoldenError;
use super::golden_renderer::GoldenRenderer;
use super::paths::{record_of, through_links};
use super::refusal::{Refusal, Refused};
use super::scene::GoldenScene;
use super::verdict::Verdict;
use crate::record::{CONTENT, FrameRecord, says_the_same};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use tintype_base::diagnostic::Diagnostic;
use tintype_base::disk::read_regular;
use tintype_host::{OutputError, temp_files, write_atomic};
use tintype_output::{PngEffort, Provenance, encode_png};
use tintype_scene::FrameNumber;

/// Options of accepting pictures.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlessOptions {
    /// True to keep an existing golden and accept the current picture beside it.
    pub beside: bool,
    /// True to also accept pictures with substitutes for missing files.
    pub allow_warnings: bool,
    /// Goldens of a newer program are overwritten too.
    pub overwrite_newer: bool,
    /// True to write and remove nothing: the result lists the files that would be written.
    pub dry_run: bool,
    /// The camera fit for drawing goldens.
    pub refit: Refit,
}

/// The camera fit for drawing accepted goldens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refit {
    /// The one that each of them keeps.
    #[default]
    Never,
    /// The current one, in scenes whose test fails because it moved; goldens of others are left.
    WhereMoved,
    /// The current fit.
    Always,
}

/// A file that a dry run would write: its path after resolving symbolic links, and its bytes.
pub type PlannedFile = (PathBuf, Vec<u8>);

/// The pictures of a scene that were accepted.
#[derive(Debug)]
pub struct Blessed {
    /// The files that were written.
    pub accepted: Vec<Accepted>,
    /// The pictures that were not accepted.
    pub refused: Vec<Refused>,
    /// Goldens that were compared and not chosen.
    pub left: Vec<PathBuf>,
    /// Goldens of a newer program whose pictures pass: their records stay unchanged.
    pub newer: Vec<PathBuf>,
    /// Warnings about the files and clips of the scene.
    pub warnings: Vec<Diagnostic>,
    /// The files that a dry run would write, pictures and records.
    pub planned: Vec<PlannedFile>,
}

/// Writes a file without replacing a symbolic link; a dry run adds it to `planned`.
pub(super) fn put(
    path: &Path,
    bytes: &[u8],
    options: BlessOptions,
    planned: &mut Vec<PlannedFile>,
) -> Result<(), OutputError> {
    let path = through_links(path);
    if options.dry_run {
        planned.push((path, bytes.to_vec()));
    } else {
        write_atomic(&path, bytes)?;
    }
    Ok(())
}

/// A written file, or in a dry run one to be written.
#[derive(Debug)]
pub struct Accepted {
    /// The file.
    pub path: PathBuf,
    /// The previous golden, as compared; `None` for a record that was refreshed beside an unchanged
    /// picture.
    pub before: Option<Checked>,
}

impl GoldenScene {
    /// Writes the goldens that are missing or differ, with their records, if their file is `wanted`
    /// and their comparison is `chosen`; also updates the records of goldens with equal pixels that
    /// were made from something else. Removes unfinished files that a killed process left in the
    /// folder.
    ///
    /// # Errors
    /// As [`GoldenScene::check`], and [`GoldenError::Output`].
    pub fn bless(
        &self,
        wanted: impl Fn(&Path) -> bool,
        chosen: impl Fn(&Checked) -> bool,
        options: BlessOptions,
    ) -> Result<Blessed, GoldenError> {
        let mut blessed = Blessed {
            accepted: Vec::new(),
            refused: Vec::new(),
            left: Vec::new(),
            newer: Vec::new(),
            warnings: Vec::new(),
            planned: Vec::new(),
        };
        if !options.dry_run {
            for folder in [&self.folder, &self.root.join(CONTENT)] {
                temp_files::remove_stale(folder, temp_files::STALE_AFTER);
            }
        }
        let assets = self.load()?;
        let mut drawing = GoldenRenderer::new(self, assets)?;
        let is_left = options.refit == Refit::WhereMoved && !self.has_moved_fit(&drawing)?;
        drawing.refits = options.refit != Refit::Never;
        blessed.warnings = drawing.warnings();
        let stand_in = Refusal::of_warnings(&blessed.warnings).filter(|_| !options.allow_warnings);
        let mut frames = self.frames();
        frames.retain(|&frame| wanted(&self.file(frame)));
        if is_left {
            blessed.left = frames.into_iter().map(|frame| self.file(frame)).collect();
            return Ok(blessed);
        }
        if !self.has_pictures() {
            for frame in frames {
                self.bless_record(&drawing, frame, &chosen, options, &mut blessed)?;
            }
            return Ok(blessed);
        }
        // Drawn and encoded in parallel in portions; written in order.
        for some in frames.chunks(AT_ONCE) {
            let drawn: Vec<Result<Drawn, GoldenError>> =
                some.par_iter().map(|&frame| self.draw_for_bless(&drawing, frame)).collect();
            for (&frame, one) in some.iter().zip(drawn) {
                let one = one?;
                if chosen(&one.before) {
                    self.write(frame, one, stand_in.clone(), options, &mut blessed)?;
                } else {
                    blessed.left.push(self.file(frame));
                }
            }
        }
        Ok(blessed)
    }

    fn draw_for_bless(
        &self,
        drawing: &GoldenRenderer,
        frame: FrameNumber,
    ) -> Result<Drawn, GoldenError> {
        let kept = self.kept(drawing, frame);
        let live = drawing.draw(frame, kept.extents)?;
        let record = self.frame_record(drawing, &live)?;
        let provenance = Provenance::of_this_build(frame.0, drawing.renderer.digest());
        let text = match (&self.view, &live.legend) {
            (Some(view), Some(legend)) => provenance.to_text_of_view(&view.word(), legend),
            _ => provenance.to_text(),
        };
        let nothing_seen = live.nothing_seen.clone();
        let picture = live.frame.clone();
        let before = self.check_frame(drawing, frame, kept, live)?;
        // A known change is accepted like any other.
        let stays = before.verdict.passes() && !matches!(before.verdict, Verdict::Known(_))
            || before.verdict.is_of_record();
        // The small form takes many times as long as drawing: only written pictures are encoded.
        let png =
            if stays { Vec::new() } else { encode_png(&picture, true, PngEffort::Small, &text) };
        Ok(Drawn { before, record, png, nothing_seen, stays })
    }

    fn write(
        &self,
        frame: FrameNumber,
        one: Drawn,
        stand_in: Option<Refusal>,
        options: BlessOptions,
        blessed: &mut Blessed,
    ) -> Result<(), GoldenError> {
        let own = self.file(frame);
        let Drawn { before, record, png, nothing_seen, stays } = one;
        let stand_in = stand_in.filter(|_| !stays);
        let newer = Refusal::of_newer(&before).filter(|_| !options.overwrite_newer);
        if newer.is_some() && before.verdict.passes() && stays {
            blessed.newer.push(own);
            return Ok(());
        }
        let refusal = newer.or(Refusal::of(&before, nothing_seen)).or(stand_in);
        if let Some(refusal) = refusal.or_else(|| Refusal::of_file(&record_of(&before.path))) {
            blessed.refused.push(Refused { path: own, refusal });
            return Ok(());
        }
        let path = if stays {
            before.path.clone()
        } else if options.beside && own.exists() {
            free_alternative(&own)
        } else {
            own
        };
        let beside_it = record_of(&path);
        if !stays {
            put(&path, &png, options, &mut blessed.planned)?;
            blessed.accepted.push(Accepted { path, before: Some(before) });
        }
        if self.put_record(&beside_it, &record, options, &mut blessed.planned)? && stays {
            blessed.accepted.push(Accepted { path: beside_it, before: None });
        }
        Ok(())
    }

    /// Writes a record, after those of its parts that no earlier record has written. Returns true
    /// if any file had to be changed.
    fn put_record(
        &self,
        path: &Path,
        record: &FrameRecord,
        options: BlessOptions,
        planned: &mut Vec<PlannedFile>,
    ) -> Result<bool, OutputError> {
        let (text, parts) = record.to_files(!self.scene.output.aov.is_empty());
        let folder = self.root.join(CONTENT);
        let parts = parts.into_iter().map(|(name, text)| (folder.join(name + ".toml"), text));
        let mut is_new = false;
        for (path, text) in parts.chain([(path.to_path_buf(), text)]) {
            let is_planned = planned.iter().any(|(own, _)| *own == through_links(&path));
            let is_there = |before: Vec<u8>| says_the_same(&before, text.as_bytes());
            if !is_planned && !read_regular(&path).is_ok_and(is_there) {
                put(&path, text.as_bytes(), options, planned)?;
                is_new = true;
            }
        }
        Ok(is_new)
    }
}

/// Number of frames drawn before the first of them is written.
const AT_ONCE: usize = 16;

/// A frame that may be accepted.
struct Drawn {
    before: Checked,
    record: FrameRecord,
    /// Empty if the picture stays.
    png: Vec<u8>,
    nothing_seen: Option<String>,
    /// True if the golden picture is kept.
    stays: bool,
}

impl GoldenScene {
    /// Writes the record of a frame of a scene without pictures, if it is missing or differs.
    fn bless_record(
        &self,
        drawing: &GoldenRenderer<'_>,
        frame: FrameNumber,
        chosen: &impl Fn(&Checked) -> bool,
        options: BlessOptions,
        blessed: &mut Blessed,
    ) -> Result<(), GoldenError> {
        let path = self.file(frame);
        if let Some(refusal) = Refusal::of_file(&path) {
            blessed.refused.push(Refused { path, refusal });
            return Ok(());
        }
        let kept = self.kept(drawing, frame);
        let fit = kept.extents.fit;
        let before = self.check_record(drawing, frame, kept)?;
        if !chosen(&before) {
            blessed.left.push(path);
            return Ok(());
        }
        match Refusal::of_newer(&before).filter(|_| !options.overwrite_newer) {
            Some(_) if before.verdict.passes() => {
                blessed.newer.push(path);
                return Ok(());
            }
            Some(refusal) => {
                blessed.refused.push(Refused { path, refusal });
                return Ok(());
            }
            None => {}
        }
        let staged = drawing.stage(frame, fit)?;
        let record = FrameRecord::without_picture(drawing.shared(), &drawing.renderer, &staged);
        if self.put_record(&path, &record, options, &mut blessed.planned)? {
            let is_refreshed = before.verdict.passes();
            blessed.accepted.push(Accepted { path, before: (!is_refreshed).then_some(before) });
        }
        Ok(())
    }
}

/// The first free name: `0003/1.png`, `0003/2.png`, ...
fn free_alternative(golden: &Path) -> PathBuf {
    let folder = golden.with_extension("");
    let mut names = (1_u32..).map(|number| folder.join(format!("{number}.png")));
    names.find(|path| !path.exists()).unwrap_or(folder)
}
