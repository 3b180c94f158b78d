//! Bits of a lossless WebP, the lowest first, and its prefix codes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Writer of bits.
#[derive(Default)]
pub(super) struct Bits {
    bytes: Vec<u8>,
    pending: u64,
    count: u32,
}

impl Bits {
    /// Adds the lowest `count` bits of a value, at most 32.
    pub(super) fn put(&mut self, value: u32, count: u32) {
        self.pending |= u64::from(value) << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.pending.to_le_bytes()[0]);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    /// All bytes, the last one filled up with zeros.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.put(0, 7);
        self.bytes
    }
}

/// A prefix code: the bits of each symbol, and their number.
pub(super) struct Code(Vec<(u32, u32)>);

/// The storage order of the lengths of the code-length code.
const LENGTH_ORDER: [usize; 19] =
    [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

impl Code {
    /// Writes the code for symbols with these counts, and its description.
    pub(super) fn write(bits: &mut Bits, counts: &[u32]) -> Self {
        let used: Vec<usize> = (0..counts.len()).filter(|&symbol| counts[symbol] > 0).collect();
        let is_simple = used.len() <= 2 && used.iter().all(|&symbol| symbol < 256);
        bits.put(u32::from(is_simple), 1);
        if is_simple {
            let first = used.first().copied().unwrap_or(0);
            bits.put(u32::from(used.len() == 2), 1);
            bits.put(1, 1);
            for symbol in [first].iter().chain(used.iter().skip(1)) {
                bits.put(number(*symbol), 8);
            }
            let mut lengths = vec![0; counts.len()];
            used.iter().for_each(|&symbol| lengths[symbol] = 1);
            return Self::of_lengths(&lengths);
        }
        let lengths = code_lengths(counts, 15);
        write_lengths(bits, &lengths);
        Self::of_lengths(&lengths)
    }

    /// The canonical code: shorter symbols first, then smaller ones. A single symbol takes no bits.
    fn of_lengths(lengths: &[u32]) -> Self {
        let mut codes = vec![(0, 0); lengths.len()];
        if lengths.iter().filter(|&&length| length > 0).count() > 1 {
            let mut next: u32 = 0;
            for length in 1..=15 {
                for (symbol, _) in lengths.iter().enumerate().filter(|(_, own)| **own == length) {
                    codes[symbol] = (next.reverse_bits() >> (32 - length), length);
                    next += 1;
                }
                next <<= 1;
            }
        }
        Self(codes)
    }

    /// Writes a symbol.
    pub(super) fn put(&self, bits: &mut Bits, symbol: usize) {
        let (code, length) = self.0[symbol];
        bits.put(code, length);
    }
}

/// Lengths of an optimal prefix code limited to `most` bits: rare symbols are counted as more
/// frequent until the limit is met.
fn code_lengths(counts: &[u32], most: u32) -> Vec<u32> {
    let mut least = 1;
    loop {
        let mut parents = vec![0; counts.len()];
        let used = (0..counts.len()).filter(|&symbol| counts[symbol] > 0);
        let mut heap: BinaryHeap<Reverse<(u64, usize)>> =
            used.map(|symbol| Reverse((u64::from(counts[symbol]).max(least), symbol))).collect();
        while let (Some(Reverse((low, first))), Some(Reverse((high, second)))) =
            (heap.pop(), heap.pop())
        {
            let node = parents.len();
            parents.push(0);
            (parents[first], parents[second]) = (node, node);
            heap.push(Reverse((low + high, node)));
            if heap.len() == 1 {
                break;
            }
        }
        let mut depths = vec![0; parents.len()];
        for node in (0..parents.len()).rev().filter(|&node| parents[node] > 0) {
            depths[node] = depths[parents[node]] + 1;
        }
        depths.truncate(counts.len());
        if depths.iter().all(|&depth| depth <= most) {
            if counts.iter().filter(|&&count| count > 0).count() == 1 {
                return counts.iter().map(|&count| count.min(1)).collect();
            }
            return depths;
        }
        least *= 2;
    }
}

/// Writes the lengths of a code as runs, with a separate code.
fn write_lengths(bits: &mut Bits, lengths: &[u32]) {
    // Symbol, the bits after it, and their number.
    let mut runs: Vec<(usize, u32, u32)> = Vec::new();
    let mut last = 8;
    for run in lengths.chunk_by(|a, b| a == b) {
        let (length, mut left) = (run[0], run.len());
        if length > 0 && length != last {
            runs.push((length as usize, 0, 0));
            (last, left) = (length, left - 1);
        }
        while left > 0 {
            let (symbol, least, extra) = match (length, left) {
                (_, ..3) => (length as usize, 1, 0),
                (0, 11..) => (18, 11, 7),
                (0, _) => (17, 3, 3),
                _ => (16, 3, 2),
            };
            let taken = left.min(least + (1 << extra) - 1);
            runs.push((symbol, number(taken - least), extra));
            left -= taken;
        }
    }
    let mut counts = [0; 19];
    runs.iter().for_each(|run| counts[run.0] += 1);
    let own = code_lengths(&counts, 7);
    let stored = LENGTH_ORDER.iter().rposition(|&at| own[at] > 0).unwrap_or(0).max(3) + 1;
    bits.put(number(stored - 4), 4);
    LENGTH_ORDER[..stored].iter().for_each(|&at| bits.put(own[at], 3));
    // All symbols have a length.
    bits.put(0, 1);
    let code = Code::of_lengths(&own);
    for (symbol, rest, extra) in runs {
        code.put(bits, symbol);
        bits.put(rest, extra);
    }
}

/// A small count as the number that is written.
pub(super) fn number(count: usize) -> u32 {
    u32::try_from(count).expect("a picture has sides of at most 16,384")
}
