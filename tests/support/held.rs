//! Numbers clamped from below and from above, by comparison: as `f64::min` and `f64::max`, with the
//! same bits on every CPU.
#![allow(dead_code, reason = "each program uses a part")]

/// Numbers that can be clamped.
pub(crate) trait Held: Copy {
    /// The larger of the two; `self` if they are equal or either is NaN.
    fn at_least(self, low: Self) -> Self;

    /// The smaller of the two; `self` if they are equal or either is NaN.
    fn at_most(self, high: Self) -> Self;

    /// `self` between `low` and `high`.
    fn within(self, low: Self, high: Self) -> Self {
        self.at_least(low).at_most(high)
    }
}

impl Held for f64 {
    fn at_least(self, low: Self) -> Self {
        if low > self { low } else { self }
    }

    fn at_most(self, high: Self) -> Self {
        if high < self { high } else { self }
    }
}
