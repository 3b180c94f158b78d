//! Exact sums of a list of vectors, to find the changed element of the list and its change.
//!
//! Values are counted in units of 2^-30 and summed with wrapping, so that differences are exact.
//! The sums are `Σ v` and `Σ i·v`: if only element `i` changes by `d`, they change by `d` and
//! `i·d`, which reveals both. If a known set of elements changes by the same `d`, they change by
//! `n·d` and `d·Σi`.

use crate::record::position_sums::{bits, letters};
use tintype_model::math::larger;

/// Units of 1.
const SCALE_LOG2: i32 = 30;

/// Maximum number of elements of a set that are tried as unchanged in this list: one at a time, and
/// two at a time.
const MAX_LEFT_OUT: [usize; 2] = [64, 12];

/// Sums of a list of vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Number of elements.
    pub count: u32,
    /// Digest of the elements, to the last bit: 48 bits.
    pub mark: u64,
    /// `Σ v` and `Σ i·v` of each component.
    pub sums: Vec<[i64; 2]>,
}

/// Change of a list.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Change {
    /// One element, by that vector.
    One { index: usize, by: Vec<f64> },
    /// All of a known set, each by that vector.
    Each { indices: Vec<usize>, by: Vec<f64> },
    /// The two of a known set, each by its vector.
    Two { indices: [usize; 2], by: [Vec<f64>; 2] },
    /// Several.
    Several,
}

impl Sums {
    /// Sums of vectors of equal length.
    pub(super) fn of<const N: usize>(vectors: impl Iterator<Item = [f32; N]>) -> Self {
        Self::at((0..).zip(vectors))
    }

    /// Sums of vectors with their indices.
    pub(super) fn at<const N: usize>(vectors: impl Iterator<Item = (i64, [f32; N])>) -> Self {
        let mut hasher = blake3::Hasher::new();
        let mut sums = vec![[0_i64; 2]; N];
        let mut count = 0;
        for (index, vector) in vectors {
            hasher.update(&index.to_le_bytes());
            for (sum, value) in sums.iter_mut().zip(vector) {
                let units = units(value);
                sum[0] = sum[0].wrapping_add(units);
                sum[1] = sum[1].wrapping_add(units.wrapping_mul(index));
                // The two zeros are one value.
                hasher.update(&(value + 0.0).to_le_bytes());
            }
            count += 1;
        }
        if count == 0 {
            return Self::default();
        }
        let digest = hasher.finalize();
        let first = digest.as_bytes().first_chunk().map_or(0, |first| u64::from_le_bytes(*first));
        Self { count, mark: first & 0xffff_ffff_ffff, sums }
    }

    /// True if the elements are the same to the last bit.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.count == other.count && (self.count == 0 || self.mark == other.mark)
    }

    /// The sums of a list of the negative elements.
    pub(super) fn negated(&self) -> Self {
        let sums = self.sums.iter().map(|sum| sum.map(i64::wrapping_neg)).collect();
        Self { sums, ..self.clone() }
    }

    /// Adds the sums of another list, which may have fewer components.
    pub(super) fn plus(&self, other: &Self) -> Self {
        let mut whole = self.clone();
        for (own, more) in whole.sums.iter_mut().zip(&other.sums) {
            *own = [0, 1].map(|power| own[power].wrapping_add(more[power]));
        }
        whole
    }

    /// True if the sums are nearer to those of `a` than to those of `b`.
    pub(super) fn is_nearer(&self, a: &Self, b: &Self) -> bool {
        let gap = |other: &Self| -> f64 {
            let pairs = self.total(0).into_iter().zip(other.total(0));
            pairs.map(|(own, other)| (own - other).abs()).sum()
        };
        gap(a) < gap(b)
    }

    /// The sums of a list that repeats one element.
    pub(super) fn repeated(&self, count: u32) -> Self {
        let pairs = i64::from(count) * (i64::from(count) - 1) / 2;
        let repeat =
            |sum: &[i64; 2]| [sum[0].wrapping_mul(count.into()), sum[0].wrapping_mul(pairs)];
        Self { count, mark: self.mark, sums: self.sums.iter().map(repeat).collect() }
    }

    /// True if the change since `older` is rounding: of each element by at most a millionth of
    /// `size`, in any direction. `changed` lists the elements that are known to differ, if
    /// available: a few elements of a long list with larger changes in opposite directions would
    /// have the same sums.
    pub(super) fn is_rounded(&self, older: &Self, size: f64, changed: Option<&[usize]>) -> bool {
        const SHARE: f64 = 1e-6;
        if self.count != older.count || self.sums.len() != older.sums.len() {
            return false;
        }
        let count = f64::from(self.count.max(1));
        let means = self.total(0).into_iter().map(|value| value.abs() / count);
        let size = means.fold(size, larger);
        if let Change::One { by, .. } = self.change_since(older, None) {
            return by.iter().all(|by| by.abs() <= SHARE * size);
        }
        #[expect(clippy::cast_precision_loss, reason = "numbers of elements")]
        let (number, first, last) = match changed {
            Some([first, .., last]) if *last < self.count as usize => {
                let number = changed.map_or(0, <[usize]>::len) as f64;
                (number, *first as f64, *last as f64)
            }
            _ => (count, -count, count),
        };
        // Errors of random sign grow with the square root of their number, those of a common factor
        // with the number.
        let most = SHARE * size * (2.0 * number.sqrt() + 0.06 * number);
        let [sums, placed] = [0, 1].map(|power| {
            let pairs = older.total(power).into_iter().zip(self.total(power));
            pairs.map(|(a, b)| b - a).collect::<Vec<f64>>()
        });
        // From the middle of those that changed.
        let (middle, reach) = ((first + last) * 0.5, (last - first) * 0.5 + 1.0);
        let of_places = |(sum, placed): (&f64, &f64)| (placed - sum * middle).abs() <= most * reach;
        sums.iter().all(|sum| sum.abs() <= most) && sums.iter().zip(&placed).all(of_places)
    }

    /// `Σ v`, or `Σ i·v`.
    #[expect(clippy::cast_precision_loss, reason = "an amount for people")]
    pub(super) fn total(&self, power: usize) -> Vec<f64> {
        self.sums.iter().map(|sum| libm::ldexp(sum[power] as f64, -SCALE_LOG2)).collect()
    }

    /// Change since `older`; `changed` are the elements known to differ, if known.
    #[expect(clippy::cast_precision_loss, reason = "amounts for people")]
    pub(super) fn change_since(&self, older: &Self, changed: Option<&[usize]>) -> Change {
        if self.sums.len() != older.sums.len() {
            return Change::Several;
        }
        let pairs = self.sums.iter().zip(&older.sums);
        let by: Vec<[i64; 2]> =
            pairs.map(|(now, before)| [0, 1].map(|k| now[k].wrapping_sub(before[k]))).collect();
        let length = |units: i64, share: f64| libm::ldexp(units as f64 / share, -SCALE_LOG2);
        let Some(largest) = by.iter().max_by_key(|by| by[0].unsigned_abs()) else {
            return Change::Several;
        };
        // Elements round by half a unit each.
        let is_each = |set: &[usize]| {
            let count = set.len() as f64;
            let indices: f64 = set.iter().map(|&index| index as f64).sum();
            let slack = 2.0 * (indices + count);
            let is_even =
                |by: &[i64; 2]| (by[1] as f64 - by[0] as f64 / count * indices).abs() <= slack;
            set.len() > 1
                && by.iter().any(|by| by[0].unsigned_abs() as f64 > 16.0 * count)
                && by.iter().all(is_even)
        };
        let each = |set: &[usize]| Change::Each {
            indices: set.to_vec(),
            by: by.iter().map(|by| length(by[0], set.len() as f64)).collect(),
        };
        let set = changed.unwrap_or_default();
        if is_each(set) {
            return each(set);
        }
        let one = largest[1]
            .checked_div(largest[0])
            .filter(|&index| by.iter().all(|by| by[0].wrapping_mul(index) == by[1]));
        let one = one.and_then(|index| usize::try_from(index).ok());
        let only =
            |index| Change::One { index, by: by.iter().map(|by| length(by[0], 1.0)).collect() };
        // If the mark of the only element is equal by chance, no element is known to differ.
        let is_known = |index: &usize| set.is_empty() || set.contains(index);
        if let Some(index) = one.filter(is_known) {
            return only(index);
        }
        // One or two of the set may have changed in another list.
        let without = |out: &[usize]| -> Vec<usize> {
            set.iter().copied().filter(|index| !out.contains(index)).collect()
        };
        let [some, few] = MAX_LEFT_OUT.map(|most| &set[..set.len().min(most)]);
        let singles = some.iter().map(|&index| [index, index]);
        let pairs =
            few.iter().enumerate().flat_map(|(k, &a)| few[k + 1..].iter().map(move |&b| [a, b]));
        let mut rests = singles.chain(pairs).map(|out| without(&out));
        if let Some(rest) = rests.find(|rest| is_each(rest)) {
            return each(&rest);
        }
        // One of them may be unknown: its mark of a few bits may be equal by chance.
        let count = set.len() as f64 + 1.0;
        let others: f64 = set.iter().map(|&index| index as f64).sum();
        let left = (largest[1] as f64 / largest[0] as f64 * count - others).round();
        if left >= 0.0 && left < f64::from(self.count) {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "whole, and below a count of 32 bits"
            )]
            let left = left as usize;
            let at = set.partition_point(|&index| index < left);
            let whole = [&set[..at], &[left], &set[at..]].concat();
            if set.get(at) != Some(&left) && is_each(&whole) {
                return each(&whole);
            }
        }
        // Two changes can explain any sums, so they come last.
        if let [a, b] = *set
            && let Some(by) = two_of(&by, a, b)
        {
            let by = by.map(|by| by.iter().map(|&units| length(units, 1.0)).collect());
            return Change::Two { indices: [a, b], by };
        }
        Change::Several
    }

    /// One word: count, mark and sums.
    pub(super) fn to_word(&self) -> String {
        let mut text = letters(self.mark, 8);
        push_number(i64::from(self.count), &mut text);
        self.sums.iter().flatten().for_each(|sum| push_number(*sum, &mut text));
        text
    }

    /// Reads [`Self::to_word`]. None for any other text.
    pub(super) fn parse(word: &str) -> Option<Self> {
        let mark = bits(word.get(..8)?.as_bytes())?;
        let (count, sums) =
            numbers(word.get(8..)?.as_bytes())?.split_first().map(|(count, sums)| {
                (*count, sums.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect())
            })?;
        Some(Self { count: u32::try_from(count).ok()?, mark, sums })
    }
}

/// Adds a number: five bits per letter, lowest first, with one bit for continuation; the lowest bit
/// of all is the sign.
fn push_number(value: i64, text: &mut String) {
    let mut left = (value << 1 ^ value >> 63).cast_unsigned();
    while left > 31 {
        *text += &letters(left & 31 | 32, 1);
        left >>= 5;
    }
    *text += &letters(left, 1);
}

/// The numbers of [`push_number`], one after the other. None for an invalid letter, or if the last
/// number is incomplete.
fn numbers(letters: &[u8]) -> Option<Vec<i64>> {
    let (mut found, mut value, mut at) = (Vec::new(), 0_u64, 0);
    for letter in letters {
        let own = bits(core::slice::from_ref(letter))?;
        value |= (own & 31).checked_shl(at)?;
        at += 5;
        if own < 32 {
            found.push((value >> 1).cast_signed() ^ -(value & 1).cast_signed());
            (value, at) = (0, 0);
        }
    }
    (at == 0).then_some(found)
}

/// The changes of elements `a` and `b` that give these changes of the sums. None if no integer
/// numbers of units do.
fn two_of(by: &[[i64; 2]], a: usize, b: usize) -> Option<[Vec<i64>; 2]> {
    let (a, b) = (i128::try_from(a).ok()?, i128::try_from(b).ok()?);
    let of_second = |by: &[i64; 2]| {
        let (rest, between) = (i128::from(by[1]) - a * i128::from(by[0]), b - a);
        (between != 0 && rest % between == 0).then(|| i64::try_from(rest / between).ok()).flatten()
    };
    let second: Vec<i64> = by.iter().map(of_second).collect::<Option<_>>()?;
    let first = by.iter().zip(&second).map(|(by, second)| by[0].wrapping_sub(*second)).collect();
    Some([first, second])
}

/// A value in units, rounded.
#[expect(clippy::cast_possible_truncation, reason = "saturates, as it should")]
fn units(value: f32) -> i64 {
    libm::ldexp(f64::from(value), SCALE_LOG2).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_or_equal_changes_are_found() {
        let list = |edit: &dyn Fn(usize) -> [f32; 2]| Sums::of((0..300).map(edit));
        let plain = |k: usize| [k as f32 * 0.37, -(k as f32)];
        let old = list(&plain);
        assert_eq!(Sums::parse(&old.to_word()), Some(old.clone()));
        let sums = vec![[i64::MIN, i64::MAX], [0, -1], [31, -17]];
        let odd = Sums { count: u32::MAX, mark: 7, sums };
        assert_eq!(Sums::parse(&odd.to_word()), Some(odd.clone()));
        assert_eq!(Sums::parse(&odd.to_word()[..20]), None);
        let new = list(&|k| if k == 217 { [plain(k)[0] + 0.5, plain(k)[1]] } else { plain(k) });
        let Change::One { index: 217, by } = new.change_since(&old, None) else { panic!("one") };
        assert!((by[0] - 0.5).abs() < 1e-4 && by[1] == 0.0, "{by:?}");
        let set = [3, 40, 299];
        let new = list(&|k| {
            if set.contains(&k) { [plain(k)[0], plain(k)[1] + 0.25] } else { plain(k) }
        });
        let wanted = Change::Each { indices: set.to_vec(), by: vec![0.0, 0.25] };
        assert_eq!(new.change_since(&old, Some(&set)), wanted);
        let uneven = list(&|k| {
            if set.contains(&k) {
                [plain(k)[0], plain(k)[1] + 0.1 * (k % 7) as f32]
            } else {
                plain(k)
            }
        });
        assert_eq!(uneven.change_since(&old, Some(&set)), Change::Several);
        // Two elements known to differ are assumed to be all: a third would only be missed by
        // chance.
        assert!(matches!(uneven.change_since(&old, Some(&[3, 40])), Change::Two { .. }));
        let two = list(&|k| match k {
            3 => [plain(k)[0] + 0.5, plain(k)[1]],
            5 => [plain(k)[0] + 0.5, plain(k)[1] + 0.25],
            _ => plain(k),
        });
        let Change::Two { indices: [3, 5], by: [a, b] } = two.change_since(&old, Some(&[3, 5]))
        else {
            panic!("two")
        };
        assert!((a[0] - 0.5).abs() < 1e-4 && a[1] == 0.0, "{a:?}");
        assert!((b[0] - 0.5).abs() < 1e-4 && b[1] == 0.25, "{b:?}");
        let even =
            list(&|k| if k == 3 || k == 5 { [plain(k)[0] + 0.5, plain(k)[1]] } else { plain(k) });
        assert!(matches!(even.change_since(&old, Some(&[3, 9])), Change::Two { .. }));
        // An element of the set may have changed in another list.
        assert_eq!(new.change_since(&old, Some(&[3, 40, 77, 299])), wanted);
        // One of them may be unknown.
        assert_eq!(new.change_since(&old, Some(&[3, 299])), wanted);
        // Two of many that change in opposite directions are not rounding, although their sum is 0.
        let apart = list(&|k| match k {
            150 => [plain(k)[0] + 0.01, plain(k)[1]],
            151 => [plain(k)[0] - 0.01, plain(k)[1]],
            _ => plain(k),
        });
        assert!(!apart.is_rounded(&old, 1.0, Some(&[150, 151])));
        let rounded = list(&|k| plain(k).map(|value| value * (1.0 + 1e-7)));
        assert!(rounded.is_rounded(&old, 1.0, None));
        // Neighbours resemble the one between them.
        let row = [10, 11, 12];
        let new = list(&|k| {
            if row.contains(&k) { [plain(k)[0], plain(k)[1] + 0.25] } else { plain(k) }
        });
        let wanted = Change::Each { indices: row.to_vec(), by: vec![0.0, 0.25] };
        assert_eq!(new.change_since(&old, Some(&row)), wanted);
    }
}
