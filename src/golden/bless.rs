//! The act that accepts the pictures of today.

use super::check::Checked;
use super::check::Drawing;
use super::error::GoldenError;
use super::paths::{record_of, through_links};
use super::refusal::{Refusal, Refused};
use super::scene::GoldenScene;
use crate::diagnostic::Diagnostic;
use crate::output::{PngEffort, Provenance, encode_png, read_regular, write_atomic};
use crate::record::FrameRecord;
use crate::scene::FrameNumber;
use std::path::{Path, PathBuf};

/// Options of accepting pictures.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlessOptions {
    /// A golden that is there stays, and the picture of today is accepted beside it.
    pub beside: bool,
    /// Pictures that show something else in place of what is missing are accepted too.
    pub allow_warnings: bool,
}

/// The pictures of a scene that were accepted.
#[derive(Debug)]
pub struct Blessed {
    /// The files that were written.
    pub accepted: Vec<Accepted>,
    /// The pictures that were not accepted.
    pub refused: Vec<Refused>,
    /// Warnings about the files and clips of the scene.
    pub warnings: Vec<Diagnostic>,
}

/// A file that was written.
#[derive(Debug)]
pub struct Accepted {
    /// The file.
    pub path: PathBuf,
    /// The previous golden, as compared; `None` for a record of the stages that was refreshed beside a picture that
    /// stays.
    pub before: Option<Checked>,
}

impl GoldenScene {
    /// Writes the goldens that are missing or differ, of those frames whose file is `wanted`, and their records; and the records
    /// of those that are the same and were made from something else.
    ///
    /// # Errors
    /// As [`GoldenScene::check`], and [`GoldenError::Output`].
    pub fn bless(
        &self,
        wanted: impl Fn(&Path) -> bool,
        options: BlessOptions,
    ) -> Result<Blessed, GoldenError> {
        let (mut accepted, mut refused) = (Vec::new(), Vec::new());
        let assets = self.load()?;
        let drawing = Drawing::new(self, assets)?;
        let warnings = drawing.warnings();
        let stand_in = Refusal::of_warnings(&warnings).filter(|_| !options.allow_warnings);
        let digest = drawing.renderer.digest();
        for frame in self.frames() {
            let own = self.file(frame);
            if !wanted(&own) {
                continue;
            }
            if !self.has_pictures() {
                self.bless_record(&drawing, frame, &mut accepted, &mut refused)?;
                continue;
            }
            let live = drawing.draw(frame)?;
            let record = self.frame_record(&drawing, &live)?;
            let provenance = Provenance::of_this_build(frame.0, digest.clone());
            let text = match (&self.view, &live.legend) {
                (Some(view), Some(legend)) => provenance.to_text_of_view(&view.word(), legend),
                _ => provenance.to_text(),
            };
            let png = encode_png(&live.frame, true, PngEffort::Small, &text);
            let is_empty = live.is_empty;
            let before = self.check_frame(&drawing, frame, live)?;
            let picture_stays = before.verdict.passes() || before.verdict.is_of_record();
            let stand_in = stand_in.clone().filter(|_| !picture_stays);
            let record_path = record_of(&before.path);
            let refusal = Refusal::of(&before, is_empty).or(stand_in);
            if let Some(refusal) = refusal.or_else(|| Refusal::of_file(&record_path)) {
                refused.push(Refused { path: own, refusal });
                continue;
            }
            let path = match picture_stays {
                true => before.path.clone(),
                false if options.beside && own.exists() => free_alternative(&own),
                false => own,
            };
            let beside_it = record_of(&path);
            let record = self.record_text(&beside_it, record);
            if !picture_stays {
                write_atomic(&through_links(&path), &png)?;
                accepted.push(Accepted { path, before: Some(before) });
            }
            if read_regular(&beside_it).ok().as_deref() != Some(record.as_bytes()) {
                write_atomic(&through_links(&beside_it), record.as_bytes())?;
                if picture_stays {
                    accepted.push(Accepted { path: beside_it, before: None });
                }
            }
        }
        Ok(Blessed { accepted, refused, warnings })
    }
}

impl GoldenScene {
    /// Writes the record of a frame of a scene without pictures, if it is missing or differs.
    fn bless_record(
        &self,
        drawing: &Drawing<'_>,
        frame: FrameNumber,
        accepted: &mut Vec<Accepted>,
        refused: &mut Vec<Refused>,
    ) -> Result<(), GoldenError> {
        let path = self.file(frame);
        if let Some(refusal) = Refusal::of_file(&path) {
            refused.push(Refused { path, refusal });
            return Ok(());
        }
        let before = self.check_record(drawing, frame)?;
        let staged = drawing.renderer.stage(frame)?;
        let record = FrameRecord::without_picture(&drawing.renderer, &staged);
        let text = self.record_text(&path, record);
        if read_regular(&path).ok().as_deref() != Some(text.as_bytes()) {
            write_atomic(&through_links(&path), text.as_bytes())?;
            let is_refreshed = before.verdict.passes();
            accepted.push(Accepted { path, before: (!is_refreshed).then_some(before) });
        }
        Ok(())
    }
}

/// The first name that is not taken: `0003/1.png`, `0003/2.png`, ...
fn free_alternative(golden: &Path) -> PathBuf {
    let folder = golden.with_extension("");
    let mut names = (1_u32..).map(|number| folder.join(format!("{number}.png")));
    names.find(|path| !path.exists()).unwrap_or(folder)
}
