//! The act that accepts the pictures of today.

use super::{Checked, GoldenError, GoldenScene};
use crate::output::{PngEffort, Provenance, encode_png, write_atomic};
use crate::raster::Cut;
use crate::render::Prepared;
use std::path::{Path, PathBuf};

/// A picture that was written.
#[derive(Debug)]
pub struct Accepted {
    /// Its file.
    pub path: PathBuf,
    /// What was there before, and how it compared.
    pub before: Checked,
}

impl GoldenScene {
    /// Writes the goldens that are missing or differ, of those frames whose file is `wanted`.
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
        let prepared = Prepared::new(&self.scene, &assets)?;
        let digest = prepared.digest();
        for (k, number) in self.frames() {
            let own = self.file(number);
            if !wanted(&own) {
                continue;
            }
            let live = prepared.draw(k, Cut::default()).0;
            let before = self.check_frame(number, live.clone())?;
            if before.verdict.passes() {
                continue;
            }
            let path = if beside && own.exists() { free_alternative(&own) } else { own };
            let text = Provenance::of_this_build(number, digest.clone()).to_text();
            write_atomic(&path, &encode_png(&live, true, PngEffort::Small, &text))?;
            accepted.push(Accepted { path, before });
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
