//! GIF animation that repeats forever: 256 colours chosen for all frames, with ordered dither. Of
//! each frame the part that differs from the previous frame is stored; or pixels with less than
//! half alpha are transparent, and each frame stands alone.

use super::changed::Part;
use super::gif_dither::indices;
use super::rate::Rate;
use gif::{AnyExtension, DisposalMethod, Encoder, EncodingError, Extension, Repeat};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::io::{self, Write};
use tintype_model::frame::Frame;

/// Bytes of pixels per palette: this many are collected before it is chosen.
const SHARED: usize = 64 << 20;

/// Writer of a GIF, frame by frame.
pub struct GifWriter<W: Write> {
    output: Output<W>,
    size: [u16; 2],
    rate: Rate,
    keep_alpha: bool,
    count: usize,
    /// Pixels of frames that get one palette.
    waiting: Vec<Vec<[u8; 4]>>,
}

/// The stream, and the encoder that owns it once colours are known.
enum Output<W: Write> {
    Unstarted { stream: W, comment: String },
    Started(Encoder<W>),
    Ended,
}

impl<W: Write> GifWriter<W> {
    /// Prepares a file of frames of one size, with a comment; all pixels are opaque unless alpha is
    /// kept.
    ///
    /// # Panics
    /// If a side is larger than [`Frame::MAX_SIDE`].
    #[must_use]
    pub fn new(stream: W, size: [u32; 2], rate: Rate, keep_alpha: bool, comment: &str) -> Self {
        let size = size.map(|side| u16::try_from(side).expect("at most MAX_SIDE"));
        let output = Output::Unstarted { stream, comment: comment.to_owned() };
        Self { output, size, rate, keep_alpha, count: 0, waiting: Vec::new() }
    }

    /// Adds the next frame. Frames are written once there are enough for a palette.
    ///
    /// # Errors
    /// The error of the stream.
    ///
    /// # Panics
    /// If the frame has another size.
    pub fn add(&mut self, frame: &Frame) -> io::Result<()> {
        assert_eq!([frame.width, frame.height], self.size.map(u32::from), "frames of one size");
        let opaque = |&[r, g, b, alpha]: &[u8; 4]| {
            if self.keep_alpha && alpha < 128 { [0; 4] } else { [r, g, b, 255] }
        };
        self.waiting.push(frame.rgba.iter().map(opaque).collect());
        let bytes = self.waiting.len() * size_of_val(frame.rgba.as_slice());
        if bytes < SHARED { Ok(()) } else { self.write() }
    }

    /// Writes the waiting frames with a separate palette.
    fn write(&mut self) -> io::Result<()> {
        let [width, height] = self.size;
        let row = usize::from(width);
        let (colors, clear) = palette(&self.waiting);
        let reduced = self.waiting.par_iter().map(|rgba| indices(rgba, row, &colors, Some(clear)));
        let reduced: Vec<Vec<u8>> = reduced.collect();
        let blank = vec![clear; row * usize::from(height)];
        let encode = |k: usize| {
            let before = if self.keep_alpha {
                Some(&blank)
            } else {
                k.checked_sub(1).map(|before| &reduced[before])
            };
            frame_of(before, &reduced[k], row, clear)
        };
        let encoded: Vec<_> = (0..reduced.len()).into_par_iter().map(encode).collect();
        let is_first = matches!(self.output, Output::Unstarted { .. });
        let flat = colors.as_flattened();
        let mut encoder = match std::mem::replace(&mut self.output, Output::Ended) {
            Output::Unstarted { stream, comment } => {
                let mut encoder = Encoder::new(stream, width, height, flat).map_err(from_gif)?;
                encoder.set_repeat(Repeat::Infinite).map_err(from_gif)?;
                let kind = AnyExtension::from(Extension::Comment);
                encoder.write_raw_extension(kind, &[comment.as_bytes()]).map_err(from_gif)?;
                encoder
            }
            Output::Started(encoder) => encoder,
            Output::Ended => return Err(io::Error::other("the stream has failed")),
        };
        for mut frame in encoded {
            frame.delay = self.rate.hundredths(self.count);
            frame.dispose =
                if self.keep_alpha { DisposalMethod::Background } else { DisposalMethod::Keep };
            frame.palette = (!is_first).then(|| flat.to_vec());
            self.count += 1;
            encoder.write_lzw_pre_encoded_frame(&frame).map_err(from_gif)?;
        }
        self.waiting.clear();
        self.output = Output::Started(encoder);
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// The error of the stream.
    pub fn finish(mut self) -> io::Result<()> {
        self.write()?;
        match self.output {
            Output::Started(encoder) => encoder.into_inner().map_err(from_gif)?.flush(),
            Output::Unstarted { .. } | Output::Ended => Ok(()),
        }
    }
}

/// The part of a picture that differs from the previous one, compressed; unchanged pixels are
/// transparent.
fn frame_of(before: Option<&Vec<u8>>, now: &[u8], row: usize, clear: u8) -> gif::Frame<'static> {
    let part = Part::changed(before.map(Vec::as_slice), now, row);
    let mut pixels = part.of(now, row);
    if let Some(before) = before {
        let same = pixels.iter_mut().zip(part.of(before, row));
        same.filter(|(now, before)| **now == *before).for_each(|(now, _)| *now = clear);
    }
    let [left, top, width, height] = [part.left, part.top, part.width, part.height]
        .map(|number| u16::try_from(number).expect("at most MAX_SIDE"));
    let mut frame = gif::Frame::from_indexed_pixels(width, height, pixels, Some(clear));
    (frame.left, frame.top) = (left, top);
    frame.make_lzw_pre_encoded();
    frame
}

/// At most 255 colours for pictures, exact if they have no more, and the index of an extra one that
/// represents transparent pixels.
fn palette(pictures: &[Vec<[u8; 4]>]) -> (Vec<[u8; 3]>, u8) {
    const MOST: usize = 255;
    // More pixels change the choice no further.
    const ENOUGH: usize = 48 << 10;
    let all = pictures.iter().flatten().filter(|pixel| pixel[3] > 0);
    let mut known = BTreeSet::new();
    for &[r, g, b, _] in all.clone() {
        known.insert([r, g, b]);
        if known.len() > MOST {
            break;
        }
    }
    if known.len() <= MOST {
        let clear = u8::try_from(known.len()).expect("at most 255");
        return (known.into_iter().chain([[0; 3]]).collect(), clear);
    }
    let count = pictures.iter().map(Vec::len).sum::<usize>();
    // An odd step does not stay in one column.
    let mut sample: Vec<[u8; 4]> = all.copied().step_by((count / ENOUGH) | 1).collect();
    let rows = u16::try_from(sample.len() / 256).expect("a small sample");
    sample.truncate(usize::from(rows) * 256);
    let reduced = gif::Frame::from_rgba_speed(256, rows, sample.as_flattened_mut(), 1);
    let mut colors = reduced.palette.as_deref().unwrap_or(&[]).as_chunks().0.to_vec();
    if colors.len() <= MOST {
        colors.push([0; 3]);
        let clear = u8::try_from(colors.len() - 1).expect("at most 255");
        return (colors, clear);
    }
    // The colour closest to an earlier one is dropped.
    let nearest = |&at: &u8| {
        let at = usize::from(at);
        colors[..at].iter().map(|&other| off(colors[at], other)).min().unwrap_or(u32::MAX)
    };
    let clear = (0..=255).min_by_key(nearest).unwrap_or(0);
    (colors, clear)
}

/// Reduces frames to at most 255 common colours. Each pixel gets the nearest of them, without
/// dithering, and keeps its alpha.
pub fn reduce_colors(frames: &mut [Frame]) {
    let pictures: Vec<Vec<[u8; 4]>> = frames.iter().map(|frame| frame.rgba.clone()).collect();
    let (colors, _) = palette(&pictures);
    let reduce = |frame: &mut Frame| {
        let mut known: HashMap<[u8; 3], [u8; 3]> = HashMap::new();
        for [r, g, b, _] in &mut frame.rgba {
            let own = [*r, *g, *b];
            let nearest = || colors.iter().copied().min_by_key(|&color| off(own, color));
            [*r, *g, *b] = *known.entry(own).or_insert_with(|| nearest().unwrap_or(own));
        }
    };
    frames.par_iter_mut().for_each(reduce);
}

/// The squared distance of two colours.
fn off(a: [u8; 3], b: [u8; 3]) -> u32 {
    (0..3).map(|channel| u32::from(a[channel].abs_diff(b[channel])).pow(2)).sum()
}

/// Comment before the first frame of a GIF from [`GifWriter`]; `None` for other bytes.
pub fn read_comment(bytes: &[u8]) -> Option<String> {
    // Signature, size, and the global colour table, which may be absent.
    let (head, behind) = bytes.split_first_chunk::<13>()?;
    let colors = if head[10] & 0x80 == 0 { 0 } else { 2_usize << (head[10] & 7) };
    if !head.starts_with(b"GIF") {
        return None;
    }
    let mut rest = behind.get(3 * colors..)?;
    loop {
        let [b'!', kind, behind @ ..] = rest else { return None };
        rest = behind;
        let mut data = Vec::new();
        loop {
            let (&length, behind) = rest.split_first()?;
            let (block, behind) = behind.split_at_checked(usize::from(length))?;
            (data, rest) = ([&data, block].concat(), behind);
            if length == 0 {
                break;
            }
        }
        if *kind == 0xfe {
            return String::from_utf8(data).ok();
        }
    }
}

fn from_gif(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(error) => error,
        error => io::Error::other(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(pictures: &[Frame], keep_alpha: bool) -> Vec<u8> {
        let (mut bytes, size) = (Vec::new(), [pictures[0].width, pictures[0].height]);
        let mut writer = GifWriter::new(&mut bytes, size, Rate::new(24.0), keep_alpha, "who");
        pictures.iter().for_each(|frame| writer.add(frame).unwrap());
        writer.finish().unwrap();
        bytes
    }

    /// The pictures assembled by another decoder.
    fn shown(bytes: &[u8]) -> Vec<Vec<[u8; 4]>> {
        use image::{AnimationDecoder, codecs::gif::GifDecoder};
        let frames = GifDecoder::new(io::Cursor::new(bytes)).unwrap().into_frames();
        let pixels = |frame: image::Frame| frame.into_buffer().as_raw().as_chunks().0.to_vec();
        frames.map(|frame| pixels(frame.unwrap())).collect()
    }

    #[test]
    fn gif_holds_every_frame_its_colours_and_its_time() {
        for keep_alpha in [true, false] {
            let pictures: Vec<Frame> = (0..7_u8)
                .map(|k| {
                    let mut frame = Frame::new(8, 6);
                    frame.rgba.fill([k / 3 * 60, 200, 40, 255]);
                    frame.rgba[usize::from(k)] = [9, 9, 9, 30];
                    frame.rgba[usize::from(k * 5 + 3)] = [k, 9, 9, 255];
                    frame
                })
                .collect();
            let bytes = written(&pictures, keep_alpha);
            assert!(bytes.windows(7).any(|part| part == b"\x21\xfe\x03who\0"));
            assert_eq!(read_comment(&bytes).as_deref(), Some("who"));
            let found = shown(&bytes);
            assert_eq!(found.len(), 7);
            for (found, wanted) in found.iter().zip(&pictures) {
                for (found, &[r, g, b, alpha]) in found.iter().zip(&wanted.rgba) {
                    if keep_alpha && alpha < 128 {
                        assert_eq!(found[3], 0);
                    } else {
                        assert_eq!(*found, [r, g, b, 255]);
                    }
                }
            }
            let mut decoder = gif::DecodeOptions::new().read_info(bytes.as_slice()).unwrap();
            assert_eq!(decoder.repeat(), Repeat::Infinite);
            let mut delays = 0;
            while let Some(frame) = decoder.read_next_frame().unwrap() {
                delays += frame.delay;
            }
            assert_eq!(delays, 29);
        }
    }

    #[test]
    fn pixels_at_rest_are_not_written_again_and_stay_as_they_are() {
        let side: u32 = 64;
        let smooth = |at: u32| [(at % side + 80) as u8, (at / side + 80) as u8, 90, 255];
        let pictures: Vec<Frame> = (0..6)
            .map(|k| {
                let mut rgba: Vec<[u8; 4]> = (0..side * side).map(smooth).collect();
                for y in 10..20 {
                    rgba[y * side as usize + 10 + 4 * k..][..8].fill([200, 10 * k as u8, 0, 255]);
                }
                Frame { width: side, height: side, rgba }
            })
            .collect();
        let bytes = written(&pictures, false);
        let (first, all) = (written(&pictures[..1], false).len(), bytes.len());
        assert!(all < first + first / 2, "{all} of {first}");
        let found = shown(&bytes);
        for (k, picture) in found.iter().enumerate() {
            for at in 0..picture.len() {
                let is_at_rest = !(10..20).contains(&(at / 64)) || !(10..38).contains(&(at % 64));
                assert!(!is_at_rest || picture[at] == found[0][at], "{k}: {at}");
                let off = (0..3).map(|c| picture[at][c].abs_diff(pictures[k].rgba[at][c])).max();
                assert!(off < Some(40), "{k}: {at}: {off:?}");
            }
        }
    }

    #[test]
    fn frames_beyond_the_first_palette_have_one_of_their_own() {
        let side: u32 = 2048;
        let picture = |k: u8| {
            let mut frame = Frame::new(side, side);
            frame.rgba.fill([k, 255 - k, 3, 255]);
            frame
        };
        let pictures: Vec<Frame> = [1, 90, 90, 2, 7].map(picture).into();
        let found = shown(&written(&pictures, false));
        assert!(found.iter().zip(&pictures).all(|(found, wanted)| *found == wanted.rgba));
    }

    #[test]
    fn reduced_frames_have_few_colours_near_their_own() {
        let smooth = |at: u8| [at / 16 * 17, at % 16 * 17, 90, at | 1];
        let picture = || Frame { width: 16, height: 16, rgba: (0..=255).map(smooth).collect() };
        let mut few = [picture()];
        few[0].rgba.truncate(255);
        let exact = few[0].rgba.clone();
        reduce_colors(&mut few);
        assert_eq!(few[0].rgba, exact, "255 colours stay");
        let mut frames = [picture(), picture()];
        frames[1].rgba.iter_mut().for_each(|pixel| pixel[2] += 40);
        let wanted = frames.clone();
        reduce_colors(&mut frames);
        let all = || frames.iter().flat_map(|frame| &frame.rgba);
        let colors: BTreeSet<[u8; 3]> = all().map(|&[r, g, b, _]| [r, g, b]).collect();
        assert!((100..256).contains(&colors.len()), "{}", colors.len());
        for (found, own) in all().zip(wanted.iter().flat_map(|frame| &frame.rgba)) {
            assert_eq!(found[3], own[3]);
            assert!((0..3).all(|channel| found[channel].abs_diff(own[channel]) < 50));
        }
    }

    #[test]
    fn gif_comment_of_any_length_is_read_back() {
        for length in [0, 1, 254, 255, 256, 700] {
            let comment: String = ('a'..='z').cycle().take(length).collect();
            let mut bytes = Vec::new();
            let mut writer = GifWriter::new(&mut bytes, [2, 1], Rate::new(24.0), true, &comment);
            writer.add(&Frame::new(2, 1)).unwrap();
            writer.finish().unwrap();
            assert_eq!(read_comment(&bytes), Some(comment));
            for end in 0..13 + 6 + 19 + 3 + length {
                assert_eq!(read_comment(&bytes[..end]), None, "{end}");
            }
        }
    }
}
