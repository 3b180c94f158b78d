//! Number of a frame, as written in the scene, file names and options.

use std::fmt;

/// Number of a frame. Frame `n` is at `n / fps` seconds; negative frames are before the start of
/// the scene.
///
/// It is not a position: the first frame of a scene with frames `10-20` has number 10.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrameNumber(pub i64);

impl From<i64> for FrameNumber {
    fn from(number: i64) -> Self {
        Self(number)
    }
}

impl From<FrameNumber> for i64 {
    fn from(frame: FrameNumber) -> Self {
        frame.0
    }
}

impl fmt::Display for FrameNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One frame of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FramePosition {
    /// The frame's position in the scene's list of frames, from 0.
    pub k: usize,
    /// Number of frames of the scene.
    pub n: usize,
    /// The frame's time.
    pub time_s: f64,
}
