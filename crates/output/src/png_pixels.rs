//! Pixels of a PNG: rows with one filter each, compressed to one zlib stream.
//!
//! Rows are divided into strips of a fixed number of bytes, which are filtered and deflated in
//! parallel and joined, so the bytes depend only on the pixels and the effort, not on the number of
//! threads. A strip does not refer to the previous one, which costs less than one percent.
//!
//! Wide areas repeat: their matches make them two to forty times as small, in little more time.
//! Matches within textures and noise are short and few, and the search for them takes five times as
//! long as encoding without matches. A part of each strip, coded both ways, shows which is better.
//!
//! Filtered rows are as large as the picture. They are never kept: each strip is filtered into
//! memory reused by the next one and is encoded from there, while it is in the cache.

use rayon::prelude::*;
use tintype_model::simd::{self, Kernel, Level, Simd};
use zlib_rs::adler32::{adler32, adler32_combine};
use zlib_rs::{Deflate, DeflateFlush, Status};

/// Compression effort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PngEffort {
    /// For sequences: a few milliseconds for a frame of 1280 x 720.
    #[default]
    Fast,
    /// For goldens, which stay in a repository: three to eight times the time for a tenth fewer
    /// bytes.
    Small,
}

impl PngEffort {
    /// Level of deflate.
    fn level(self) -> i32 {
        match self {
            Self::Fast => 3,
            Self::Small => 6,
        }
    }
}

/// A window of 32 KiB, and the level in the header; RFC 1950, 2.2.
const FAST: [u8; 2] = [0x78, 0x5e];
const USUAL: [u8; 2] = [0x78, 0x9c];

/// Filtered rows as one zlib stream.
pub(super) fn zlib(filtered: &[u8]) -> Vec<u8> {
    let mut coder = Deflater::new(PngEffort::Fast.level());
    [&FAST, coder.deflate(filtered, true), &adler32(1, filtered).to_be_bytes()].concat()
}

/// Bytes of the filtered rows of a strip, about.
const STRIP_BYTES: usize = 256 << 10;

/// Compresses pixels, `width` of them per row, with or without alpha, as one zlib stream.
pub(super) fn compressed(
    rgba: &[[u8; 4]],
    width: usize,
    keep_alpha: bool,
    effort: PngEffort,
) -> Vec<u8> {
    Strips::new(rgba, width, keep_alpha, effort).compressed()
}

/// Writes the filtered rows of pixels to a list that it clears first; the second list is the row
/// above the first, empty at the top of the picture.
type FilterRows = fn(&[[u8; 4]], &[[u8; 4]], usize, &mut Vec<u8>);

/// The rows of a picture in strips.
struct Strips<'a> {
    rgba: &'a [[u8; 4]],
    /// Pixels of a row.
    width: usize,
    /// Rows per strip, except the last.
    rows: usize,
    filter: FilterRows,
    effort: PngEffort,
}

impl<'a> Strips<'a> {
    fn new(rgba: &'a [[u8; 4]], width: usize, keep_alpha: bool, effort: PngEffort) -> Self {
        let filter: FilterRows = match (keep_alpha, effort) {
            (true, PngEffort::Fast) => filter_rows::<4, false>,
            (false, PngEffort::Fast) => filter_rows::<3, false>,
            (true, PngEffort::Small) => filter_rows::<4, true>,
            (false, PngEffort::Small) => filter_rows::<3, true>,
        };
        let row_bytes = 1 + width * if keep_alpha { 4 } else { 3 };
        let rows = (STRIP_BYTES / row_bytes).max(1);
        Self { rgba, width, rows, filter, effort }
    }

    /// Rows of the picture.
    fn height(&self) -> usize {
        self.rgba.len() / self.width.max(1)
    }

    /// Number of strips.
    fn count(&self) -> usize {
        self.height().div_ceil(self.rows)
    }

    /// First row of a strip and the row after its last.
    fn range(&self, strip: usize) -> [usize; 2] {
        [strip * self.rows, ((strip + 1) * self.rows).min(self.height())]
    }

    /// Writes the filtered rows of a range to a list that it clears first.
    fn filter(&self, [first, end]: [usize; 2], filtered: &mut Vec<u8>) {
        let pixels = |from: usize, to: usize| {
            self.rgba.get(from * self.width..to * self.width).unwrap_or_default()
        };
        let above = pixels(first.saturating_sub(1), first);
        (self.filter)(pixels(first, end), above, self.width, filtered);
    }

    /// Filters and encodes strips and joins them to a stream with its header and check sum.
    fn compressed(&self) -> Vec<u8> {
        let last = self.count().saturating_sub(1);
        let parts: Vec<(Vec<u8>, u32, usize)> = (0..self.count())
            .into_par_iter()
            .map_init(
                || (Vec::new(), Deflater::new(self.effort.level())),
                |(filtered, deflater), strip| {
                    self.filter(self.range(strip), filtered);
                    let part = deflater.code(filtered, self.effort, strip == last);
                    (part, adler32(1, filtered), filtered.len())
                },
            )
            .collect();
        let mut stream = if self.effort == PngEffort::Fast { FAST } else { USUAL }.to_vec();
        stream.reserve(parts.iter().map(|(part, ..)| part.len()).sum::<usize>() + 4);
        let mut sum = 1;
        for (part, own, length) in &parts {
            stream.extend_from_slice(part);
            sum = adler32_combine(sum, *own, *length as u64);
        }
        stream.extend(sum.to_be_bytes());
        stream
    }
}

/// Encodes a strip without searching for matches, up to a byte boundary or the end of the stream.
fn without_matches(strip: &[u8], is_last: bool) -> Vec<u8> {
    // The encoder writes a stream of one block, between a header of two bytes and a checksum of
    // four; RFC 1950, 2.2.
    let mut block = fdeflate::compress_to_vec(strip);
    block.truncate(block.len() - 4);
    block.drain(..2);
    if is_last {
        return block;
    }
    // The first bit marks the last block of a stream. An empty stored block follows, which begins
    // with three zeros and a byte boundary; RFC 1951, 3.2.3. The end-of-block code ends in a one,
    // so the zeros above it in the last byte are free.
    let free = block.last().map_or(0, |byte| byte.leading_zeros());
    if let Some(first) = block.first_mut() {
        *first &= !1;
    }
    if free < 3 {
        block.push(0);
    }
    block.extend([0, 0, 0xff, 0xff]);
    block
}

/// State of an encoder with matches, reused from strip to strip.
struct Deflater {
    state: Deflate,
    bytes: Vec<u8>,
}

impl Deflater {
    fn new(level: i32) -> Self {
        const WINDOW_BITS: u8 = 15;
        Self { state: Deflate::new(level, false, WINDOW_BITS), bytes: Vec::new() }
    }

    /// Encodes a strip with or without matches, up to a byte boundary or the end of the stream.
    fn code(&mut self, strip: &[u8], effort: PngEffort, is_last: bool) -> Vec<u8> {
        if effort == PngEffort::Fast && !self.is_worth_searching(strip) {
            let coded = without_matches(strip, is_last);
            // This code is made for pictures; pure noise would grow in it, and is stored by the
            // other.
            if coded.len() <= strip.len() {
                return coded;
            }
        }
        self.deflate(strip, is_last).to_vec()
    }

    /// True if matches make a strip clearly smaller, judged by a part of the strip.
    fn is_worth_searching(&mut self, strip: &[u8]) -> bool {
        /// Ratio of bytes without matches to bytes with them from which searching for matches is
        /// not worth the time.
        const WORTH: f64 = 1.2;
        const PART_BYTES: usize = 8 << 10;
        let first = strip.len().saturating_sub(PART_BYTES) / 2;
        let part = &strip[first..strip.len().min(first + PART_BYTES)];
        let with = self.deflate(part, true).len();
        let without = fdeflate::compress_to_vec(part).len();
        #[expect(clippy::cast_precision_loss, reason = "sizes of strips")]
        let is_worth = without as f64 > with as f64 * WORTH;
        is_worth
    }

    /// Deflates a strip, up to a byte boundary or the end of the stream.
    fn deflate(&mut self, strip: &[u8], is_last: bool) -> &[u8] {
        let flush = if is_last { DeflateFlush::Finish } else { DeflateFlush::SyncFlush };
        let Self { state, bytes } = self;
        state.reset();
        bytes.resize(bytes.len().max(strip.len() / 2 + 64), 0);
        let (mut read, mut written) = (0, 0);
        loop {
            let rest = strip.get(read..).unwrap_or_default();
            let space = bytes.get_mut(written..).unwrap_or_default();
            let had = space.len();
            let status = state.compress(rest, space, flush).expect("the state is sound");
            let [now_read, now_written] = [state.total_in(), state.total_out()]
                .map(|count| usize::try_from(count).unwrap_or(usize::MAX));
            let is_full = now_written - written == had;
            (read, written) = (now_read, now_written);
            if status == Status::StreamEnd || !is_last && read == strip.len() && !is_full {
                break;
            }
            bytes.resize(bytes.len() * 2, 0);
        }
        &bytes[..written]
    }
}

/// Filters of PNG, by their numbers; PNG specification, 9.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Filter {
    None = 0,
    Sub = 1,
    Up = 2,
    Average = 3,
    Paeth = 4,
}

impl Filter {
    /// The filter's residuals of a row with `N` bytes per pixel, and the sum of their sizes, modulo
    /// 256 and signed.
    #[inline(always)]
    fn apply<const N: usize>(self, row: &[u8], above: &[u8], residuals: &mut [u8]) -> u64 {
        let left = |at: usize| at.checked_sub(N).and_then(|at| row.get(at)).copied().unwrap_or(0);
        let edge = N.min(row.len());
        // The first pixel has no neighbour to the left; all others are one plain loop.
        for at in 0..edge {
            residuals[at] = self.residual(row[at], left(at), above[at], 0);
        }
        let inner = residuals[edge..].iter_mut().zip(&row[edge..]).zip(row);
        let inner = inner.zip(&above[edge..]).zip(above);
        for ((((to, &own), &left), &up), &corner) in inner {
            *to = self.residual(own, left, up, corner);
        }
        // 256 sizes of at most 128 fit 16 bits, which vectors add faster than wider numbers.
        let size = |&one: &u8| u16::from(one.cast_signed().unsigned_abs());
        residuals.chunks(256).map(|part| u64::from(part.iter().map(size).sum::<u16>())).sum()
    }

    #[inline(always)]
    fn residual(self, own: u8, left: u8, up: u8, corner: u8) -> u8 {
        own.wrapping_sub(match self {
            Self::None => 0,
            Self::Sub => left,
            Self::Up => up,
            Self::Average => left.midpoint(up),
            Self::Paeth => paeth(left, up, corner),
        })
    }
}

/// The neighbour nearest to `left + up - corner`; PNG specification, 9.4.
#[inline(always)]
fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let [a, b, c] = [left, up, corner].map(i16::from);
    let [to_left, to_up, to_corner] = [b - c, a - c, a + b - 2 * c].map(i16::abs);
    if to_left <= to_up && to_left <= to_corner {
        left
    } else if to_up <= to_corner {
        up
    } else {
        corner
    }
}

/// Filters rows, each preceded by the number of its filter: the one with the smallest residuals of
/// all filters, or of the two cheap ones.
fn filter_rows<const N: usize, const ALL: bool>(
    rgba: &[[u8; 4]],
    above: &[[u8; 4]],
    width: usize,
    filtered: &mut Vec<u8>,
) {
    simd::run(Level::best(), Filtering::<N, ALL> { rgba, above, width, filtered });
}

/// Filters the rows of a strip.
struct Filtering<'a, const N: usize, const ALL: bool> {
    rgba: &'a [[u8; 4]],
    /// The row above the first; empty at the top of the picture.
    above: &'a [[u8; 4]],
    width: usize,
    filtered: &'a mut Vec<u8>,
}

impl<const N: usize, const ALL: bool> Kernel for Filtering<'_, N, ALL> {
    type Output = ();

    #[inline(always)]
    fn scalar(self) {
        let Self { rgba, above, width, filtered } = self;
        let filters: &[Filter] = if ALL {
            &[Filter::Sub, Filter::Up, Filter::None, Filter::Average, Filter::Paeth]
        } else {
            &[Filter::Sub, Filter::Up]
        };
        let bytes = width * N;
        let pack = |pixels: &[[u8; 4]], to: &mut [u8]| {
            for (to, pixel) in to.as_chunks_mut::<N>().0.iter_mut().zip(pixels) {
                to.copy_from_slice(&pixel[..N]);
            }
        };
        let [mut row, mut before, mut tried, mut best] =
            [const { Vec::new() }; 4].map(|mut list| {
                list.resize(bytes, 0_u8);
                list
            });
        pack(above, &mut before);
        filtered.clear();
        filtered.reserve(rgba.len() / width.max(1) * (bytes + 1));
        for pixels in rgba.chunks_exact(width.max(1)) {
            pack(pixels, &mut row);
            let mut least = (u64::MAX, Filter::None);
            for &filter in filters {
                // Each call is compiled for its filter.
                let size = match filter {
                    Filter::None => Filter::None.apply::<N>(&row, &before, &mut tried),
                    Filter::Sub => Filter::Sub.apply::<N>(&row, &before, &mut tried),
                    Filter::Up => Filter::Up.apply::<N>(&row, &before, &mut tried),
                    Filter::Average => Filter::Average.apply::<N>(&row, &before, &mut tried),
                    Filter::Paeth => Filter::Paeth.apply::<N>(&row, &before, &mut tried),
                };
                if size < least.0 {
                    least = (size, filter);
                    core::mem::swap(&mut tried, &mut best);
                }
            }
            filtered.push(least.1 as u8);
            filtered.extend_from_slice(&best);
            core::mem::swap(&mut row, &mut before);
        }
    }

    /// Integers, vectorized by the compiler.
    #[inline(always)]
    fn lanes<S: Simd>(self, _: S) {
        self.scalar();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{decode_png, encode_png};
    use tintype_model::frame::Frame;

    /// A gradient with a pattern of 8 pixels, of several strips.
    fn calm() -> Frame {
        let mut frame = Frame::new(300, 1000);
        for (index, pixel) in frame.rgba.iter_mut().enumerate() {
            let (x, y) = (index % 300, index / 300);
            let value = (y / 4 + (x * 5 + y * 3) % 8 / 4) as u8;
            *pixel = [value, value / 2, 255 - value, (x / 2) as u8];
        }
        frame
    }

    fn noisy() -> Frame {
        let mut frame = Frame::new(257, 600);
        let mut state = 1_u32;
        for pixel in &mut frame.rgba {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *pixel = state.to_le_bytes();
        }
        frame
    }

    /// Noise of few values: matches do not pay.
    fn grainy() -> Frame {
        let mut frame = noisy();
        for pixel in &mut frame.rgba {
            // The upper bits, as the lower ones repeat soon.
            *pixel = pixel.map(|value| 100 + (value >> 5));
        }
        frame
    }

    /// A calm half above a grainy one: strips of both coders.
    fn half_grainy() -> Frame {
        let (mut frame, grainy) = (calm(), grainy());
        let half = frame.rgba.len() / 2;
        for (to, &pixel) in frame.rgba[half..].iter_mut().zip(&grainy.rgba) {
            *to = pixel;
        }
        frame
    }

    #[test]
    fn pixels_come_back_from_several_strips() {
        for frame in [
            calm(),
            noisy(),
            grainy(),
            half_grainy(),
            Frame::new(1, 1),
            Frame::new(1, 16_000),
            Frame::new(9000, 1),
        ] {
            for effort in [PngEffort::Fast, PngEffort::Small] {
                let (same, _) = decode_png(&encode_png(&frame, true, effort, &[])).unwrap();
                assert!(same == frame, "{} x {}, {effort:?}", frame.width, frame.height);
                let (same, _) = decode_png(&encode_png(&frame, false, effort, &[])).unwrap();
                let opaque = frame.rgba.iter().map(|&[r, g, b, _]| [r, g, b, 255]);
                assert!(same.rgba.iter().copied().eq(opaque), "{effort:?}");
            }
        }
    }

    #[test]
    fn bytes_do_not_depend_on_the_number_of_threads_or_on_the_processor() {
        // The sums were taken on x86-64 with AVX-512; another library or processor must produce the
        // same.
        const KNOWN: [(PngEffort, u32, u32, u32); 2] = [
            (PngEffort::Fast, 2_986_162_344, 961_136_221, 1_300_580_467),
            (PngEffort::Small, 1_473_611_709, 3_496_900_364, 1_598_805_524),
        ];
        for (effort, of_calm, of_noisy, of_grainy) in KNOWN {
            for threads in [1, 2, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let sum = |frame: &Frame| {
                    let width = frame.width as usize;
                    let bytes = pool.install(|| compressed(&frame.rgba, width, false, effort));
                    crc32fast::hash(&bytes)
                };
                let found = (sum(&calm()), sum(&noisy()), sum(&grainy()));
                assert_eq!(found, (of_calm, of_noisy, of_grainy), "{effort:?}");
            }
        }
    }

    #[test]
    fn blocks_without_matches_are_joined_at_any_bit() {
        // A byte of 3 has a code of 5 bits: the ends of the blocks fall on all bits of a byte.
        let (mut stream, mut all) = (vec![0x78, 0x5e], Vec::new());
        let mut places = std::collections::BTreeSet::new();
        for length in 1..=40 {
            let strip = vec![3; length];
            let block = fdeflate::compress_to_vec(&strip);
            places.insert(block[block.len() - 5].leading_zeros());
            stream.extend(without_matches(&strip, length == 40));
            all.extend(strip);
        }
        assert_eq!(places.len(), 8);
        stream.extend(adler32(1, &all).to_be_bytes());
        assert_eq!(fdeflate::decompress_to_vec(&stream).unwrap(), all);
    }

    #[test]
    fn repetition_is_found_and_noise_is_not_searched() {
        let bytes = |frame: &Frame, effort| {
            compressed(&frame.rgba, frame.width as usize, false, effort).len()
        };
        let raw = |frame: &Frame| frame.rgba.len() * 3;
        assert!(bytes(&calm(), PngEffort::Fast) * 40 < raw(&calm()));
        assert!(bytes(&calm(), PngEffort::Small) <= bytes(&calm(), PngEffort::Fast));
        assert!(bytes(&noisy(), PngEffort::Fast) < raw(&noisy()) * 11 / 10);
        let is_worth = |frame: &Frame| {
            let strips = Strips::new(&frame.rgba, frame.width as usize, false, PngEffort::Fast);
            let mut filtered = Vec::new();
            strips.filter([0, strips.height()], &mut filtered);
            Deflater::new(PngEffort::Fast.level()).is_worth_searching(&filtered)
        };
        assert!(!is_worth(&grainy()) && is_worth(&calm()));
        // Repeated rows of noise.
        let mut rows = noisy();
        let first = rows.rgba[..rows.width as usize].to_vec();
        rows.rgba.chunks_exact_mut(first.len()).for_each(|row| row.copy_from_slice(&first));
        assert!(is_worth(&rows));
    }

    #[test]
    fn filters_are_those_of_the_specification() {
        let (row, above) = ([10, 20, 30, 13, 25, 20], [9, 21, 33, 15, 20, 27]);
        let of = |filter: Filter| {
            let mut residuals = [0; 6];
            filter.apply::<3>(&row, &above, &mut residuals);
            residuals.map(u8::cast_signed)
        };
        assert_eq!(of(Filter::None), [10, 20, 30, 13, 25, 20]);
        assert_eq!(of(Filter::Sub), [10, 20, 30, 3, 5, -10]);
        assert_eq!(of(Filter::Up), [1, -1, -3, -2, 5, -7]);
        assert_eq!(of(Filter::Average), [6, 10, 14, 1, 5, -8]);
        // left + above - corner: 16, 19 and 24; the nearest neighbours are 15, 20 and 27.
        assert_eq!(of(Filter::Paeth), [1, -1, -3, -2, 5, -7]);
    }
}
