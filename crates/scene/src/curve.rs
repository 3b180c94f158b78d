//! Curves through keys at uneven times: of cameras and of instances.
//!
//! Input: the times of the keys and a time. Output: the relevant keys, and the polynomial between
//! them.

/// Position of a time among keys.
#[derive(Clone, Copy, Debug)]
pub(super) enum Span {
    /// Before the first key, after the last, or with only one key: the value of that key.
    Held(usize),
    /// Between two keys.
    Between {
        /// Indices of the key before the left one, the left, the right, and the one after it; the
        /// first and the last repeat.
        keys: [usize; 4],
        /// The polynomial.
        curve: Curve,
    },
}

/// Finds the span of a time among the increasing times of `count` keys; `count` is at least 1.
///
/// The curve is Catmull-Rom for keys at uneven times: the speed at a key is the mean speed from the
/// previous key to the next.
pub(super) fn span_at(
    count: usize,
    at_s: impl Fn(usize) -> f64,
    smooth: bool,
    time_s: f64,
) -> Span {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if at_s(middle) <= time_s {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let Some(left) = low.checked_sub(1) else { return Span::Held(0) };
    if low >= count {
        return Span::Held(count.saturating_sub(1));
    }
    let (before, beyond) = (left.saturating_sub(1), (low + 1).min(count - 1));
    let (a_s, b_s) = (at_s(left), at_s(low));
    let span_s = b_s - a_s;
    // Slopes at both ends, in units of the value over the whole span.
    let slope_shares = (span_s / (b_s - at_s(before)), span_s / (at_s(beyond) - a_s));
    let share = (time_s - a_s) / span_s;
    Span::Between {
        keys: [before, left, low, beyond],
        curve: Curve { share, slope_shares, smooth },
    }
}

/// The polynomial between the middle two of four keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    /// Elapsed fraction of the span, 0 to 1.
    pub(super) share: f64,
    slope_shares: (f64, f64),
    smooth: bool,
}

impl Curve {
    /// The value of a number of the four keys.
    pub(super) fn number(&self, [before, a, b, beyond]: [f64; 4]) -> f64 {
        let t = self.share;
        if !self.smooth {
            return between(a, b, t);
        }
        let slope_a = (b - before) * self.slope_shares.0;
        let slope_b = (beyond - a) * self.slope_shares.1;
        // The cubic with these values and slopes at both ends.
        let bend_a = slope_a - (b - a);
        let bend_b = slope_b - (b - a);
        between(a, b, t) + t * (1.0 - t) * ((1.0 - t) * bend_a - t * bend_b)
    }
}

fn between(a: f64, b: f64, share: f64) -> f64 {
    a + (b - a) * share
}
