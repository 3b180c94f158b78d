//! Lossless WebP: one picture, or frames that repeat forever.
//!
//! # Source
//! WebP container specification, "Extended File Format" and "Animation"; numbers are little-endian,
//! chunks have an even length.

use super::changed::Part;
use super::note::{self, NOTE_CHUNK};
use super::rate::Rate;
use super::vp8l;
use rayon::prelude::*;
use std::io::{self, Seek, SeekFrom, Write};
use tintype_model::frame::Frame;

/// The chunk of pixels without losses.
const PIXELS: [u8; 4] = *b"VP8L";
const HAS_ALPHA: u8 = 1 << 4;
const IS_ANIMATED: u8 = 1 << 1;

/// Writer of an animated WebP, frame by frame. Of each frame the part that differs from the
/// previous frame is stored.
pub struct WebPWriter<W: Write + Seek> {
    stream: W,
    size: [u32; 2],
    rate: Rate,
    keep_alpha: bool,
    count: usize,
    /// Pixels of frames that are encoded together, and of the previous one.
    waiting: Vec<Vec<[u8; 4]>>,
    last: Option<Vec<[u8; 4]>>,
    /// Bytes after the size in the head.
    length: usize,
}

impl<W: Write + Seek> WebPWriter<W> {
    /// Starts a file of frames of one size.
    ///
    /// # Errors
    /// The error of the stream.
    pub fn new(mut stream: W, size: [u32; 2], rate: Rate, keep_alpha: bool) -> io::Result<Self> {
        let mut head = b"RIFF\0\0\0\0WEBP".to_vec();
        let alpha = if keep_alpha { HAS_ALPHA } else { 0 };
        push_canvas(&mut head, size, IS_ANIMATED | alpha);
        // A transparent backdrop, and endless repetition.
        push_chunk(&mut head, *b"ANIM", &[&[0; 4], &[0; 2]]);
        stream.write_all(&head)?;
        let length = head.len() - 8;
        let (waiting, last) = (Vec::new(), None);
        Ok(Self { stream, size, rate, keep_alpha, count: 0, waiting, last, length })
    }

    /// Adds the next frame. One per thread are encoded together.
    ///
    /// # Errors
    /// The error of the stream.
    ///
    /// # Panics
    /// If the frame has another size.
    pub fn add(&mut self, frame: &Frame) -> io::Result<()> {
        assert_eq!([frame.width, frame.height], self.size, "frames of one size");
        self.waiting.push(pixels(frame, self.keep_alpha));
        if self.waiting.len() < rayon::current_num_threads() { Ok(()) } else { self.write() }
    }

    /// Writes the frames that wait.
    fn write(&mut self) -> io::Result<()> {
        let width = self.size[0] as usize;
        let encode = |k: usize| {
            let before = if k == 0 { self.last.as_ref() } else { self.waiting.get(k - 1) };
            let part = Part::changed(before.map(Vec::as_slice), &self.waiting[k], width);
            (part, vp8l::encode(&part.of(&self.waiting[k], width), part.width))
        };
        let encoded: Vec<_> = (0..self.waiting.len()).into_par_iter().map(encode).collect();
        for (part, pixels) in encoded {
            // It replaces the pixels below, and stays.
            const REPLACES: [u8; 1] = [1 << 1];
            let corner = [part.left / 2, part.top / 2];
            let numbers = corner.into_iter().chain([part.width - 1, part.height - 1]);
            let place: Vec<u8> = numbers
                .flat_map(|number| u24(u32::try_from(number).expect("at most MAX_SIDE")))
                .collect();
            let duration = u24(self.rate.thousandths(self.count));
            let (mut chunk, mut picture) = (Vec::new(), Vec::new());
            push_chunk(&mut picture, PIXELS, &[&pixels]);
            push_chunk(&mut chunk, *b"ANMF", &[&place, &duration, &REPLACES, &picture]);
            self.count += 1;
            self.length += chunk.len();
            self.stream.write_all(&chunk)?;
        }
        self.last = self.waiting.pop().or(self.last.take());
        self.waiting.clear();
        Ok(())
    }

    /// Ends the file with its text.
    ///
    /// # Errors
    /// The error of the stream, or of a size of 4 GiB or more, which the format does not support.
    pub fn finish(mut self, text: &[(String, String)]) -> io::Result<()> {
        self.write()?;
        let mut end = Vec::new();
        push_chunk(&mut end, NOTE_CHUNK, &[note::lines(text).as_bytes()]);
        self.stream.write_all(&end)?;
        let length = u32::try_from(self.length + end.len())
            .map_err(|_| io::Error::other("a WebP file holds at most 4 GiB"))?;
        self.stream.seek(SeekFrom::Start(4))?;
        self.stream.write_all(&length.to_le_bytes())?;
        self.stream.flush()
    }
}

/// The pixels of a frame, opaque ones unless alpha is kept.
fn pixels(frame: &Frame, keep_alpha: bool) -> Vec<[u8; 4]> {
    let mut pixels = frame.rgba.clone();
    if !keep_alpha {
        pixels.iter_mut().for_each(|pixel| pixel[3] = 255);
    }
    pixels
}

/// One picture, with its text and a digest of its bytes.
///
/// # Panics
/// If the frame is empty or its pixels do not fill it, or a side is longer than
/// [`Frame::MAX_SIDE`].
pub(super) fn encode_webp(frame: &Frame, keep_alpha: bool, text: &[(String, String)]) -> Vec<u8> {
    let mut chunks = Vec::new();
    let alpha = if keep_alpha { HAS_ALPHA } else { 0 };
    push_canvas(&mut chunks, [frame.width, frame.height], alpha);
    let pixels = vp8l::encode(&pixels(frame, keep_alpha), frame.width as usize);
    push_chunk(&mut chunks, PIXELS, &[&pixels]);
    if !text.is_empty() {
        let sealed = note::sealed(text, &[&chunks]);
        push_chunk(&mut chunks, NOTE_CHUNK, &[sealed.as_bytes()]);
    }
    let mut file = b"RIFF".to_vec();
    file.extend(length(chunks.len() + 4));
    file.extend(b"WEBP");
    file.extend(chunks);
    file
}

fn push_canvas(bytes: &mut Vec<u8>, size: [u32; 2], flags: u8) {
    let [width, height] = size.map(|side| u24(side - 1));
    push_chunk(bytes, *b"VP8X", &[&[flags, 0, 0, 0], &width, &height]);
}

fn push_chunk(bytes: &mut Vec<u8>, name: [u8; 4], parts: &[&[u8]]) {
    let size: usize = parts.iter().map(|part| part.len()).sum();
    bytes.extend(name);
    bytes.extend(length(size));
    parts.iter().for_each(|part| bytes.extend(*part));
    bytes.extend(&[0][..size % 2]);
}

fn length(size: usize) -> [u8; 4] {
    u32::try_from(size).expect("a picture is below 4 GiB").to_le_bytes()
}

fn u24(number: u32) -> [u8; 3] {
    let [low, middle, high, _] = number.min(0xff_ffff).to_le_bytes();
    [low, middle, high]
}

#[cfg(test)]
mod tests {
    use super::*;
    use image_webp::WebPDecoder;
    use std::io::Cursor;

    fn pictures() -> Vec<Frame> {
        let one = |k: u8| {
            let mut frame = Frame::new(9, 5);
            let whole = k / 3;
            frame.rgba.iter_mut().zip(0_u8..).for_each(|(pixel, n)| *pixel = [n, whole, 7, 5 * n]);
            frame.rgba[usize::from(k * 7)] = [k, k, k, k];
            frame
        };
        (0..6).map(one).collect()
    }

    fn wanted(frame: &Frame, keep_alpha: bool) -> Vec<u8> {
        if keep_alpha { frame.rgba.as_flattened().to_vec() } else { frame.rgb() }
    }

    #[test]
    fn animated_webp_holds_every_frame_and_its_time() {
        let text = [("Software".to_owned(), "tintype".to_owned())];
        for keep_alpha in [true, false] {
            let mut bytes = Cursor::new(Vec::new());
            let mut writer =
                WebPWriter::new(&mut bytes, [9, 5], Rate::new(24.0), keep_alpha).unwrap();
            for frame in &pictures() {
                writer.add(frame).unwrap();
            }
            writer.finish(&text).unwrap();
            let mut decoder = WebPDecoder::new(Cursor::new(bytes.get_ref())).unwrap();
            assert_eq!(decoder.dimensions(), (9, 5));
            assert_eq!((decoder.num_frames(), decoder.has_alpha()), (6, keep_alpha));
            assert_eq!(decoder.loop_count(), image_webp::LoopCount::Forever);
            let mut total_ms = 0;
            for frame in &pictures() {
                let mut pixels = vec![0; decoder.output_buffer_size().unwrap()];
                total_ms += decoder.read_frame(&mut pixels).unwrap();
                assert_eq!(pixels, wanted(frame, keep_alpha));
            }
            assert_eq!(total_ms, 250, "6 / 24 s");
            let note = note::read_note(bytes.get_ref()).unwrap();
            assert_eq!((note.text, note.is_sealed), (text.to_vec(), false));
        }
    }

    #[test]
    fn webp_of_one_picture_is_read_back() {
        for keep_alpha in [true, false] {
            let frame = &pictures()[3];
            let bytes = encode_webp(frame, keep_alpha, &[]);
            let mut decoder = WebPDecoder::new(Cursor::new(&bytes)).unwrap();
            assert!(!decoder.is_animated());
            let mut pixels = vec![0; decoder.output_buffer_size().unwrap()];
            decoder.read_image(&mut pixels).unwrap();
            assert_eq!(pixels, wanted(frame, keep_alpha));
        }
    }
}
