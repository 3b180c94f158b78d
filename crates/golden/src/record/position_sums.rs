//! The positions of a mesh in a few numbers that still reveal which vertex moved.
//!
//! Positions are counted in units of a power of two, so sums are exact. The sums are `Σ p` and
//! `Σ i·p` of the positions `p` by their indices `i`: if only vertex `i` moves, by `d`, they change
//! by `d` and `i·d`, which reveals both. If several move, the second change is not a multiple of
//! the first, except by accident. Sums over blocks of 64 vertices then locate them. Sums wrap
//! around, which does not affect differences.

use tintype_model::math::Vec3;

/// Number of vertices per block of sums.
pub(super) const BLOCK: usize = 64;

/// Sums of the positions of a mesh.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionSums {
    /// The unit is 2 to this power.
    pub unit_log2: i32,
    /// The sum over all vertices, and the sum with each times its number.
    pub sums: [[i64; 3]; 2],
    /// The sums over each 64 vertices: 16 characters per block, three times 32 bits.
    pub blocks: String,
}

/// Vertices that moved between two records.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moved {
    /// Less than a unit, or cancelling out.
    TooLittle,
    /// One vertex, by that distance.
    One {
        /// Its number in the file.
        vertex: usize,
        /// Distance.
        distance: f64,
    },
    /// Several.
    Several {
        /// The number of blocks, at least one.
        blocks: usize,
        /// The first vertex of the block that moved most on average.
        first: usize,
        /// The last vertex of that block.
        last: usize,
        /// Minimum movement of at least one of its vertices.
        least: f64,
    },
}

impl PositionSums {
    /// Sketches positions within a box of this diagonal around their model.
    #[must_use]
    pub fn new(positions: impl ExactSizeIterator<Item = Vec3>, diagonal: f32) -> Self {
        // A ten-millionth of the diagonal; a power of two keeps the digits of the positions.
        let unit_log2 = match diagonal {
            diagonal if diagonal.is_normal() => exponent(diagonal) - 23,
            _ => -23,
        };
        let mut sums = [[0_i64; 3]; 2];
        let mut block = [0_i64; 3];
        let mut blocks = String::new();
        let last = positions.len().saturating_sub(1);
        for ((vertex, number), position) in (0_usize..).zip(0_i64..).zip(positions) {
            let place = position.to_array().map(|value| units(value, unit_log2));
            for (axis, value) in place.into_iter().enumerate() {
                sums[0][axis] = sums[0][axis].wrapping_add(value);
                sums[1][axis] = sums[1][axis].wrapping_add(value.wrapping_mul(number));
                block[axis] = block[axis].wrapping_add(value);
            }
            if vertex % BLOCK == BLOCK - 1 || vertex == last {
                blocks += &block_text(core::mem::take(&mut block));
            }
        }
        Self { unit_log2, sums, blocks }
    }

    /// Vertices that moved since `older`, out of `vertices`. None if the two cannot be compared.
    #[must_use]
    pub fn moved_since(&self, older: &Self, vertices: usize) -> Option<Moved> {
        let is_alike = self.unit_log2 == older.unit_log2
            && self.blocks.len() == older.blocks.len()
            && self.blocks.is_ascii()
            && older.blocks.is_ascii();
        if !is_alike {
            return None;
        }
        let change = |k: usize| -> [i64; 3] {
            core::array::from_fn(|axis| self.sums[k][axis].wrapping_sub(older.sums[k][axis]))
        };
        #[expect(clippy::cast_precision_loss, reason = "a distance for people")]
        let distance = |[x, y, z]: [i64; 3]| {
            let [x, y, z] = [x as f64, y as f64, z as f64];
            libm::ldexp((x * x + y * y + z * z).sqrt(), self.unit_log2)
        };

        // 1. One vertex.
        let (all, by_number) = (change(0), change(1));
        let axis = (0..3).max_by_key(|&axis| all[axis].unsigned_abs()).unwrap_or(0);
        let number = by_number[axis]
            .checked_div(all[axis])
            .filter(|number| (0..3).all(|axis| all[axis].wrapping_mul(*number) == by_number[axis]));
        let vertex = number.and_then(|number| usize::try_from(number).ok());
        let changed = self.changed_blocks(older)?;
        if let (Some(vertex), 0..=1) = (vertex.filter(|&vertex| vertex < vertices), changed.len()) {
            return Some(Moved::One { vertex, distance: distance(all) });
        }

        // 2. Of n vertices that moved by a sum, at least one moved by an n-th of it.
        let mut worst: Option<(usize, usize, f64)> = None;
        for &(block, moved) in &changed {
            let first = block * BLOCK;
            let last = (first + BLOCK).min(vertices).saturating_sub(1);
            #[expect(clippy::cast_precision_loss, reason = "a count of vertices")]
            let least = distance(moved) / (last + 1).saturating_sub(first).max(1) as f64;
            if worst.is_none_or(|(_, _, most)| least > most) {
                worst = Some((first, last, least));
            }
        }
        Some(match worst {
            Some((first, last, least)) => {
                Moved::Several { blocks: changed.len(), first, last, least }
            }
            None => Moved::TooLittle,
        })
    }

    /// The blocks that differ, and the amounts. None if a text is not a list of blocks.
    fn changed_blocks(&self, older: &Self) -> Option<Vec<(usize, [i64; 3])>> {
        let mut found = Vec::new();
        let pairs = older.blocks.as_bytes().chunks(16).zip(self.blocks.as_bytes().chunks(16));
        for (index, (before, now)) in pairs.enumerate() {
            if before != now {
                let (before, now) = (block_sums(before)?, block_sums(now)?);
                let change = |axis: usize| i64::from(now[axis].wrapping_sub(before[axis]));
                found.push((index, core::array::from_fn(change)));
            }
        }
        Some(found)
    }
}

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The lowest `6 * count` bits as `count` characters, lowest first.
pub(crate) fn letters(mut bits: u64, count: usize) -> String {
    let mut text = String::with_capacity(count);
    for _ in 0..count {
        text.push(char::from(LETTERS[(bits & 63) as usize]));
        bits >>= 6;
    }
    text
}

/// Decodes characters written by [`letters`] to bits. None for other characters.
pub(crate) fn bits(text: &[u8]) -> Option<u64> {
    text.iter().rev().try_fold(0, |bits, letter| {
        let value = LETTERS.iter().position(|known| known == letter)?;
        Some(bits << 6 | value as u64)
    })
}

/// The lowest 32 bits of three sums.
fn block_text(sums: [i64; 3]) -> String {
    let [x, y, z] = sums.map(|sum| sum.cast_unsigned() & 0xffff_ffff);
    letters(x | (y & 0xffff) << 32, 8) + &letters(y >> 16 | z << 16, 8)
}

#[expect(clippy::cast_possible_truncation, reason = "cut to 32 bits on purpose")]
fn block_sums(text: &[u8]) -> Option<[i32; 3]> {
    let (left, right) = text.split_at_checked(8)?;
    let (left, right) = (bits(left)?, bits(right)?);
    let y = left >> 32 | (right & 0xffff) << 16;
    Some([left as u32, y as u32, (right >> 16) as u32].map(u32::cast_signed))
}

/// The power of two at or below a positive number.
fn exponent(value: f32) -> i32 {
    let bits = value.to_bits() >> 23 & 0xff;
    i32::try_from(bits).unwrap_or(127) - 127
}

/// A value in units, rounded. NaN counts as 0, because its digest reveals it.
#[expect(clippy::cast_possible_truncation, reason = "saturates, as it should")]
fn units(value: f32, unit_log2: i32) -> i64 {
    libm::ldexp(f64::from(value), -unit_log2).round() as i64
}
