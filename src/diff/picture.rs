//! Differences of two pictures.

use super::{Cause, CauseStage, DiffOptions};
use crate::Frame;
use std::path::PathBuf;
use tintype_compare::{Difference, Heat, PixelDifference, flip, heat_picture};
use tintype_golden::cause_between;
use tintype_golden::picture_diff::{Compared, Pair};

pub use tintype_golden::picture_diff::State as PictureState;

/// Difference of two pictures.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PictureDiff {
    /// Name of the frame.
    pub name: String,
    /// The result.
    pub state: PictureState,
    /// True if nothing differs beyond the bound.
    pub is_same: bool,
    /// The comparison in words; empty for equal pictures.
    pub message: String,
    /// Difference of program, frame or scene that the files state, in words.
    pub provenance: Option<String>,
    /// Number of pixels that differ in any channel.
    pub pixels: usize,
    /// The largest difference of a colour channel.
    pub largest: u8,
    /// Bounding box of the change: left, top, right, bottom, all inclusive. None if no pixel
    /// differs.
    pub bounds: Option<[u32; 4]>,
    /// The mean FLIP: 0 to 1, 0 for equal pictures. None where it cannot be measured.
    pub flip: Option<f64>,
    /// The mean SSIM: 1 for equal pictures. None where it cannot be measured.
    pub ssim: Option<f64>,
    difference: Option<Difference>,
    top: Heat,
    sides: Option<Sides>,
}

/// Both pictures.
#[derive(Clone, Debug)]
enum Sides {
    Files([PathBuf; 2]),
    Frames([Frame; 2]),
}

/// Compares two pictures, pixel by pixel.
///
/// ```
/// use tintype::{DiffOptions, Frame, diff_frames};
///
/// let a = Frame::open("golden/walk/0000.png")?;
/// let b = Frame::open("golden/walk/0009.png")?;
/// let found = diff_frames(&a, &b, DiffOptions::default());
/// assert!(!found.is_same && found.pixels > 0);
/// # Ok::<(), tintype::Error>(())
/// ```
#[must_use]
pub fn diff_frames(a: &Frame, b: &Frame, options: DiffOptions) -> PictureDiff {
    let compared = Compared::of_frames("frame", [&a.picture, &b.picture], options.rule);
    PictureDiff::new(&compared, Some(Sides::Frames([a.clone(), b.clone()])))
}

impl PictureDiff {
    pub(super) fn of_pair(pair: &Pair, compared: &Compared) -> Self {
        let sides = pair.a.clone().zip(pair.b.clone());
        Self::new(compared, sides.map(|(a, b)| Sides::Files([a, b])))
    }

    fn new(compared: &Compared, sides: Option<Sides>) -> Self {
        let pixels = match compared.difference {
            Some(Difference::Pixels(pixels)) => Some(pixels),
            _ => None,
        };
        let bounds =
            |PixelDifference { low, high, .. }: PixelDifference| [low[0], low[1], high[0], high[1]];
        Self {
            name: compared.name.clone(),
            state: compared.state,
            is_same: compared.passes(),
            message: compared.message.clone(),
            provenance: compared.provenance.as_ref().map(ToString::to_string),
            pixels: pixels.map_or(0, |pixels| pixels.count),
            largest: pixels.map_or(0, |pixels| pixels.largest),
            bounds: pixels.map(bounds),
            flip: compared.flip.map(|mean| mean.all),
            ssim: compared.ssim.map(|mean| mean.all),
            difference: compared.difference,
            top: Heat::that_holds(compared.largest_flip),
            sides,
        }
    }

    /// FLIP of each pixel as a picture, from black to light yellow. Files are read again. None if no
    /// pixel differs, or a file can no longer be read.
    #[must_use]
    pub fn heat(&self) -> Option<Frame> {
        let Some(Difference::Pixels(_)) = self.difference else { return None };
        let [a, b] = match self.sides.as_ref()? {
            Sides::Files([a, b]) => &[Frame::open(a).ok()?, Frame::open(b).ok()?],
            Sides::Frames(frames) => frames,
        };
        let (a, b) = (&a.picture, &b.picture);
        let is_same_size = [a.width, a.height] == [b.width, b.height];
        is_same_size.then(|| Frame::plain(heat_picture(a, b, &flip(a, b), self.top)))
    }

    /// The reason for the difference, if there is one. Records of golden pictures beside the files
    /// are read.
    #[must_use]
    pub fn cause(&self) -> Option<Cause> {
        if self.is_same {
            return None;
        }
        let (subject, clip) = (self.name.clone(), None);
        if let (Some(Sides::Files([a, b])), Some(difference)) = (&self.sides, &self.difference)
            && let Some(cause) = cause_between(a, b, difference)
        {
            let (stage, text) = (CauseStage::Stage(cause.stage), cause.what());
            let evidence = cause.evidence();
            let finding = cause.findings.into_iter().next();
            return Some(Cause { subject, clip, stage, finding, text, evidence });
        }
        let stage = match self.state {
            PictureState::Size => CauseStage::Size,
            PictureState::OnlyA | PictureState::OnlyB => CauseStage::Missing,
            PictureState::Unreadable => CauseStage::Unreadable,
            _ => CauseStage::Pixels,
        };
        let evidence = self.provenance.iter().cloned().collect();
        let text = self.message.clone();
        Some(Cause { subject, clip, stage, finding: None, text, evidence })
    }
}
