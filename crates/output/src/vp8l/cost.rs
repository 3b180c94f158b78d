//! Estimated cost of symbols in a prefix code that is not known yet, in fractions of a bit.

use tintype_model::math::func::log2;

/// Fixed-point unit of costs: this many per bit.
pub(super) const BIT: u32 = 256;

/// The cost of a symbol that has not occurred yet, and the maximum cost.
const UNSEEN: u32 = 14 * BIT;

/// The cost of each symbol, by its count.
pub(super) fn symbol_costs(counts: &[u32]) -> Vec<u32> {
    let total: u32 = counts.iter().sum();
    let cost = |&count: &u32| match count {
        0 => UNSEEN,
        _ => parts(logarithm(total) - logarithm(count)).clamp(BIT / 16, UNSEEN),
    };
    counts.iter().map(cost).collect()
}

/// The cost of all symbols together, including an estimate for the description of their code.
pub(super) fn total_cost(counts: &[u32]) -> u64 {
    let total: u32 = counts.iter().sum();
    let costs = counts.iter().filter(|&&count| count > 0).map(|&count| {
        u64::from(count) * u64::from(parts(logarithm(total) - logarithm(count)))
            + u64::from(3 * BIT)
    });
    costs.sum()
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn logarithm(count: u32) -> f32 {
    log2(count as f32)
}

#[expect(clippy::cast_possible_truncation, reason = "at most 32 bits")]
#[expect(clippy::cast_sign_loss, reason = "a part of a total is no more than it")]
fn parts(bits: f32) -> u32 {
    (bits * 256.0) as u32
}

/// The costs of the four channels of a pixel.
pub(super) struct Costs([[u32; 256]; 4]);

impl Costs {
    /// Costs that rise with the distance from 0.
    pub(super) fn of_small_differences() -> Self {
        let cost = |value: u8| {
            parts(1.0 + 2.0 * logarithm(u32::from(value.min(value.wrapping_neg())) + 1))
        };
        Self([core::array::from_fn(|value| cost(value.to_le_bytes()[0])); 4])
    }

    /// The cost of a pixel.
    #[inline(always)]
    pub(super) fn of(&self, pixel: u32) -> u32 {
        let parts = pixel.to_le_bytes();
        (0..4).map(|channel| self.0[channel][usize::from(parts[channel])]).sum()
    }
}
