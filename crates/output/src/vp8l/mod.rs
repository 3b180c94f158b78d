//! Encodes pixels as a lossless WebP stream.
//!
//! Pixels are stored as differences from a prediction by their neighbours, or as indices into a
//! palette. As much as possible is then copied from earlier pixels, and similar tiles share their
//! prefix codes. All choices minimize the estimated cost, in the same order everywhere.
//!
//! # Source
//! WebP Lossless Bitstream Specification (RFC 9649, section 3).

mod bits;
mod cost;
mod token;
mod transform;

use bits::{Bits, Code, number};
use token::{Counts, Source, Token, cached, find_matches, near_codes};
use transform::{TILE_BITS, minus, predict, subtract_green};

/// Binary logarithm of the size of the colour cache.
const CACHE_BITS: u32 = 8;
/// Bits for the binary logarithm of the side of a tile, which is at least 2.
const TILE_FIELD: u32 = 3;

/// Encodes pixels in rows of a width.
///
/// # Panics
/// If there are no pixels, or a side is longer than 16,384.
pub(super) fn encode(rgba: &[[u8; 4]], width: usize) -> Vec<u8> {
    let height = rgba.len() / width;
    let is_clear = rgba.iter().any(|pixel| pixel[3] < 255);
    let mut bits = Bits::default();
    bits.put(0x2f, 8);
    bits.put(number(width) - 1, 14);
    bits.put(number(height) - 1, 14);
    bits.put(u32::from(is_clear), 1);
    bits.put(0, 3);
    let of_pixel = |&[r, g, b, a]: &[u8; 4]| u32::from_le_bytes([b, g, r, a]);
    let mut pixels: Vec<u32> = rgba.iter().map(of_pixel).collect();
    let mut width = width;
    if let Some(palette) = palette(&pixels) {
        write_palette(&mut bits, &palette);
        (pixels, width) = indexed(&pixels, width, &palette);
    } else {
        bits.put(0b101, 3);
        subtract_green(&mut pixels);
        let (modes, rest) = predict(&pixels, width);
        bits.put(0b001, 3);
        bits.put(TILE_BITS - 2, TILE_FIELD);
        write_image(&mut bits, &modes, width.div_ceil(1 << TILE_BITS), false);
        pixels = rest;
    }
    bits.put(0, 1);
    write_image(&mut bits, &pixels, width, true);
    bits.finish()
}

/// All colours in their order, if an index can address them.
fn palette(pixels: &[u32]) -> Option<Vec<u32>> {
    const MOST: usize = 256;
    let mut colors: Vec<u32> = Vec::new();
    for &pixel in pixels {
        if let Err(at) = colors.binary_search(&pixel) {
            if colors.len() == MOST {
                return None;
            }
            colors.insert(at, pixel);
        }
    }
    Some(colors)
}

fn write_palette(bits: &mut Bits, palette: &[u32]) {
    bits.put(0b111, 3);
    bits.put(number(palette.len() - 1), 8);
    let before = [0].iter().chain(palette);
    let steps: Vec<u32> =
        palette.iter().zip(before).map(|(&color, &last)| minus(color, last)).collect();
    write_image(bits, &steps, steps.len(), false);
}

/// Indices of a palette in the green channel, several per pixel if they are small, and the width of
/// their rows.
fn indexed(pixels: &[u32], width: usize, palette: &[u32]) -> (Vec<u32>, usize) {
    let shared = match palette.len() {
        ..3 => 8,
        3..=4 => 4,
        5..=16 => 2,
        _ => 1,
    };
    let index = |pixel: &u32| number(palette.binary_search(pixel).unwrap_or(0));
    let bundle = |together: &[u32]| {
        let joined = together.iter().rev().fold(0, |all, pixel| all << (8 / shared) | index(pixel));
        0xff00_0000 | joined << 8
    };
    let packed = pixels.chunks(width).flat_map(|row| row.chunks(shared).map(bundle)).collect();
    (packed, width.div_ceil(shared))
}

/// Writes pixels, either of the picture itself or of a transform.
fn write_image(bits: &mut Bits, pixels: &[u32], width: usize, is_whole: bool) {
    let (tokens, places) = tokens(pixels, width);
    bits.put(u32::from(places > 0), 1);
    if places > 0 {
        bits.put(CACHE_BITS, 4);
    }
    if is_whole {
        // The same codes everywhere: codes by tile would save one percent, and take half of the
        // time.
        bits.put(0, 1);
    }
    let counts = Counts::of(&tokens, places).0;
    let codes = counts.each_ref().map(|counts| Code::write(bits, counts));
    for symbol in tokens.into_iter().flat_map(Token::symbols) {
        codes[symbol.code].put(bits, symbol.symbol);
        bits.put(symbol.rest, symbol.extra);
    }
}

/// The cheapest tokens of pixels, and the size of the colour cache that they use: 0 for none.
fn tokens(pixels: &[u32], width: usize) -> (Vec<Token>, usize) {
    const PLACES: usize = 1 << CACHE_BITS;
    // The first one assumes symbols to be as frequent as without copies, the next one as in the
    // first.
    const PARSES: usize = 2;
    let (matches, near, cached) =
        (find_matches(pixels, width), near_codes(width), cached(pixels, CACHE_BITS));
    let with = Source { pixels, cached: Some(&cached), matches: &matches, near: &near };
    let without = Source { cached: None, ..with };
    let cost = |source: &Source<'_>, places| Counts::of(&source.singles(), places).cost();
    let (source, places) =
        if cost(&with, PLACES) < cost(&without, 0) { (with, PLACES) } else { (without, 0) };
    let mut tokens = source.singles();
    for _ in 0..PARSES {
        tokens = source.parse(&Counts::of(&tokens, places));
    }
    (tokens, places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use image_webp::WebPDecoder;
    use std::io::Cursor;
    use tintype_model::frame::Frame;

    /// The pixels that another decoder reads.
    fn decoded(rgba: &[[u8; 4]], width: usize) -> Vec<[u8; 4]> {
        let (width, height) = (number(width), number(rgba.len() / width));
        let frame = Frame { width, height, rgba: rgba.to_vec() };
        let file = crate::webp::encode_webp(&frame, true, &[]);
        let mut decoder = WebPDecoder::new(Cursor::new(&file)).unwrap();
        assert_eq!(decoder.dimensions(), (width, height));
        let mut bytes = vec![0; decoder.output_buffer_size().unwrap()];
        decoder.read_image(&mut bytes).unwrap();
        bytes.as_chunks().0.to_vec()
    }

    fn random(seed: &mut u64) -> usize {
        *seed =
            seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 40) as usize
    }

    #[test]
    fn pictures_of_every_kind_are_read_back() {
        let mut seed = 1;
        for case in 0..300 {
            let seed = &mut seed;
            let [width, height] = [(); 2].map(|()| 1 + random(seed) % [1, 3, 40, 90][case % 4]);
            let colors = [1, 2, 3, 5, 16, 17, 200, 257, 1 << 24][random(seed) % 9];
            let (spread, is_opaque) = (1 + random(seed) % 255, random(seed).is_multiple_of(2));
            let palette: Vec<[u8; 4]> = (0..colors.min(4000))
                .map(|_| [(); 4].map(|()| (random(seed) % spread) as u8))
                .collect();
            let run = 1 + random(seed) % 30;
            let mut rgba: Vec<[u8; 4]> = Vec::new();
            while rgba.len() < width * height {
                let color = palette[random(seed) % palette.len()];
                let at = random(seed) % (rgba.len() + 1);
                let copied = rgba[at..rgba.len().min(at + run)].to_vec();
                rgba.extend(if random(seed).is_multiple_of(3) {
                    vec![color; run]
                } else {
                    vec![color]
                });
                rgba.extend(if random(seed).is_multiple_of(2) { copied } else { Vec::new() });
            }
            rgba.truncate(width * height);
            rgba.iter_mut().filter(|_| is_opaque).for_each(|pixel| pixel[3] = 255);
            assert!(decoded(&rgba, width) == rgba, "case {case}");
        }
    }

    #[test]
    fn large_flat_and_smooth_pictures_are_small() {
        let side: usize = 1000;
        let flat = vec![[40, 80, 120, 255]; side * side];
        let smooth: Vec<[u8; 4]> = (0..side * side)
            .map(|at| [(at % side / 4) as u8, (at / side / 4) as u8, (at % 7) as u8, 255])
            .collect();
        for (rgba, most) in [(flat, 300), (smooth, 40_000)] {
            assert!(decoded(&rgba, side) == rgba);
            let size = encode(&rgba, side).len();
            assert!(size < most, "{size}");
        }
    }

    /// A rare symbol of a skewed picture has a code truncated to 15 bits.
    #[test]
    fn codes_of_skewed_counts_are_short_enough() {
        let mut rgba = Vec::new();
        let (mut count, mut other) = (1_usize, 1);
        for level in 0..27_u8 {
            rgba.extend(
                (0..count).map(|k| [level * 9, 0, level, if k % 2 == 0 { 255 } else { 254 }]),
            );
            (count, other) = (other, count + other);
        }
        rgba.extend((0..300).map(|k| [(k % 256) as u8, (k / 256) as u8, 7, 255]));
        rgba.truncate(rgba.len() / 500 * 500);
        let mut seed = 3;
        for at in 0..rgba.len() {
            let other = random(&mut seed) % rgba.len();
            rgba.swap(at, other);
        }
        assert!(decoded(&rgba, 500) == rgba);
    }
}
