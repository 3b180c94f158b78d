//! Random numbers for the tests of this folder.

/// A linear congruential generator: the same numbers in every run.
pub(super) struct Numbers(u64);

impl Numbers {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from -1 to 1.
    pub(super) fn signed(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        #[expect(clippy::cast_precision_loss, reason = "31 bits")]
        let share = (self.0 >> 33) as f64 / f64::from(1_u32 << 31);
        share * 2.0 - 1.0
    }
}
