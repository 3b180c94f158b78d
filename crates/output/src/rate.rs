//! Frame rates as fractions of integers, as animations and streams store them.

/// Frame rate in frames per second, above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    fps: f64,
}

impl Rate {
    /// A rate of `fps` frames per second.
    ///
    /// # Panics
    /// If it is not above 0.
    #[must_use]
    pub fn new(fps: f64) -> Self {
        assert!(fps > 0.0 && fps.is_finite(), "frames per second");
        Self { fps }
    }

    /// The rate as a fraction, to a thousandth.
    #[must_use]
    pub fn fraction(self) -> (u32, u32) {
        let exact = |per: f64| (self.fps * per).fract() == 0.0;
        let per = if exact(1.0) { 1.0 } else { 1000.0 };
        (whole(self.fps * per).max(1), whole(per))
    }

    /// Seconds per frame as a fraction of 16-bit numbers: the largest terms that fit.
    #[must_use]
    pub fn frame_seconds_16(self) -> (u16, u16) {
        // Seconds a frame are `per / (fps * per)`.
        for per in [1.0, 1000.0, 100.0, 10.0] {
            let frames = self.fps * per;
            let is_exact = frames.fract() == 0.0 || per > 1.0;
            if is_exact && frames >= 1.0 && frames <= f64::from(u16::MAX) {
                return (short(per), short(frames));
            }
        }
        if self.fps < 1.0 { (short(1.0 / self.fps), 1) } else { (1, short(self.fps)) }
    }

    /// Duration of the frame at position `k` in hundredths of a second; rounding errors do not
    /// accumulate over frames.
    #[must_use]
    pub fn hundredths(self, k: usize) -> u16 {
        u16::try_from(self.parts_of_second(100.0, k)).unwrap_or(u16::MAX)
    }

    /// As [`Rate::hundredths`], in thousandths.
    #[must_use]
    pub fn thousandths(self, k: usize) -> u32 {
        self.parts_of_second(1000.0, k)
    }

    fn parts_of_second(self, parts: f64, k: usize) -> u32 {
        #[expect(clippy::cast_precision_loss, reason = "a count of frames")]
        let until = |k: usize| (k as f64 * parts / self.fps).round();
        whole(until(k + 1) - until(k))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "it saturates")]
#[expect(clippy::cast_sign_loss, reason = "not below 0")]
fn whole(value: f64) -> u32 {
    value.round() as u32
}

fn short(value: f64) -> u16 {
    u16::try_from(whole(value)).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_is_a_fraction() {
        for (fps, fraction, seconds) in [
            (24.0, (24, 1), (1, 24)),
            (12.5, (12_500, 1000), (1000, 12_500)),
            (29.97, (29_970, 1000), (1000, 29_970)),
            (119.88, (119_880, 1000), (100, 11_988)),
            (0.25, (250, 1000), (1000, 250)),
        ] {
            let rate = Rate::new(fps);
            assert_eq!((rate.fraction(), rate.frame_seconds_16()), (fraction, seconds), "{fps}");
        }
    }

    #[test]
    fn hundredths_add_up() {
        let rate = Rate::new(24.0);
        let all: u32 = (0..240).map(|k| u32::from(rate.hundredths(k))).sum();
        assert_eq!(all, 1000);
        assert!((0..240).all(|k| (4..=5).contains(&rate.hundredths(k))));
    }
}
