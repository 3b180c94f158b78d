//! The act that accepts the pictures of today.

use super::check::Drawing;
use super::check::{Checked, Verdict};
use super::error::GoldenError;
use super::paths::record_of;
use super::scene::GoldenScene;
use crate::output::{PngEffort, Provenance, encode_png, write_atomic};
use std::path::{Path, PathBuf};

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
    /// With `beside`, a golden that is there stays, and the picture of today is accepted beside it.
    ///
    /// # Errors
    /// As [`GoldenScene::check`], and [`GoldenError::Output`].
    pub fn bless(
        &self,
        wanted: impl Fn(&Path) -> bool,
        beside: bool,
    ) -> Result<Vec<Accepted>, GoldenError> {
        let mut accepted = Vec::new();
        let assets = self.load()?;
        let drawing = Drawing::new(self, assets)?;
        let digest = drawing.renderer.digest();
        for frame in self.frames() {
            let own = self.file(frame);
            if !wanted(&own) {
                continue;
            }
            let live = drawing.draw(frame)?;
            let record = self.frame_record(&drawing, &live)?.to_text();
            let provenance = Provenance::of_this_build(frame.0, digest.clone());
            let text = match (&self.view, &live.legend) {
                (Some(view), Some(legend)) => provenance.to_text_of_view(&view.word(), legend),
                _ => provenance.to_text(),
            };
            let png = encode_png(&live.frame, true, PngEffort::Small, &text);
            let before = self.check_frame(&drawing, frame, live)?;
            let picture_stays =
                before.verdict.passes() || matches!(before.verdict, Verdict::BadRecord(_));
            let path = match picture_stays {
                true => before.path.clone(),
                false if beside && own.exists() => free_alternative(&own),
                false => own,
            };
            let beside_it = record_of(&path);
            if !picture_stays {
                write_atomic(&path, &png)?;
                accepted.push(Accepted { path, before: Some(before) });
            }
            if std::fs::read(&beside_it).ok().as_deref() != Some(record.as_bytes()) {
                write_atomic(&beside_it, record.as_bytes())?;
                if picture_stays {
                    accepted.push(Accepted { path: beside_it, before: None });
                }
            }
        }
        Ok(accepted)
    }
}

/// The first name that is not taken: `0003/1.png`, `0003/2.png`, ...
fn free_alternative(golden: &Path) -> PathBuf {
    let folder = golden.with_extension("");
    let mut names = (1_u32..).map(|number| folder.join(format!("{number}.png")));
    names.find(|path| !path.exists()).unwrap_or(folder)
}
