//! WebP without losses: one picture, or frames that repeat forever. `image-webp` encodes the pixels; the chunks around them are written here.
//!
//! # Source
//! WebP container specification, "Extended File Format" and "Animation"; numbers are little-endian, chunks have an even length.

use super::note::{self, NOTE_CHUNK, WEBP_HEAD};
use super::rate::Rate;
use image_webp::{ColorType, WebPEncoder};
use std::io::{self, Seek, SeekFrom, Write};
use tintype_model::frame::Frame;

const HAS_ALPHA: u8 = 1 << 4;
const IS_ANIMATED: u8 = 1 << 1;

/// The pixels of a frame as a chunk of a WebP file.
pub struct WebPFrame(Vec<u8>);

impl WebPFrame {
    /// Encodes the pixels. It takes most of the time and needs no access to the file, so workers can do it.
    ///
    /// # Panics
    /// If the frame is empty or its pixels do not fill it, or a side is longer than [`Frame::MAX_SIDE`].
    #[must_use]
    pub fn new(frame: &Frame, keep_alpha: bool) -> Self {
        let (pixels, color) = if keep_alpha {
            (frame.rgba.as_flattened().to_vec(), ColorType::Rgba8)
        } else {
            (frame.rgb(), ColorType::Rgb8)
        };
        let mut file = Vec::new();
        WebPEncoder::new(&mut file)
            .encode(&pixels, frame.width, frame.height, color)
            .expect("a whole frame, and memory takes it");
        Self(file.split_off(WEBP_HEAD))
    }
}

/// Writer of an animated WebP, frame by frame.
pub struct WebPWriter<W: Write + Seek> {
    stream: W,
    size: [u32; 2],
    rate: Rate,
    count: usize,
    /// Bytes behind the size in the head.
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
        // A clear background, and no end of repetitions.
        push_chunk(&mut head, *b"ANIM", &[&[0; 4], &[0; 2]]);
        stream.write_all(&head)?;
        Ok(Self { stream, size, rate, count: 0, length: head.len() - 8 })
    }

    /// Adds the next frame.
    ///
    /// # Errors
    /// The error of the stream.
    pub fn add(&mut self, WebPFrame(pixels): &WebPFrame) -> io::Result<()> {
        // A whole picture that replaces the one before: no offset, nothing is blended or disposed of.
        const WHOLE: [u8; 6] = [0; 6];
        const REPLACES: [u8; 1] = [1 << 1];
        let [width, height] = self.size.map(|side| u24(side - 1));
        let duration = u24(self.rate.thousandths(self.count));
        let mut chunk = Vec::new();
        let parts: [&[u8]; 6] = [&WHOLE, &width, &height, &duration, &REPLACES, pixels];
        push_chunk(&mut chunk, *b"ANMF", &parts);
        self.count += 1;
        self.length += chunk.len();
        self.stream.write_all(&chunk)
    }

    /// Ends the file with its text.
    ///
    /// # Errors
    /// The error of the stream, and one of 4 GiB and more, which the format cannot hold.
    pub fn finish(mut self, text: &[(String, String)]) -> io::Result<()> {
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

/// One picture, with its text and a digest of its bytes.
///
/// # Panics
/// As [`WebPFrame::new`].
pub(super) fn encode_webp(frame: &Frame, keep_alpha: bool, text: &[(String, String)]) -> Vec<u8> {
    let mut chunks = Vec::new();
    let alpha = if keep_alpha { HAS_ALPHA } else { 0 };
    push_canvas(&mut chunks, [frame.width, frame.height], alpha);
    chunks.extend(WebPFrame::new(frame, keep_alpha).0);
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
            frame.rgba.iter_mut().zip(0_u8..).for_each(|(pixel, n)| *pixel = [n, k, 7, 5 * n]);
            frame
        };
        (0..5).map(one).collect()
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
                writer.add(&WebPFrame::new(frame, keep_alpha)).unwrap();
            }
            writer.finish(&text).unwrap();
            let mut decoder = WebPDecoder::new(Cursor::new(bytes.get_ref())).unwrap();
            assert_eq!(decoder.dimensions(), (9, 5));
            assert_eq!((decoder.num_frames(), decoder.has_alpha()), (5, keep_alpha));
            assert_eq!(decoder.loop_count(), image_webp::LoopCount::Forever);
            let mut total_ms = 0;
            for frame in &pictures() {
                let mut pixels = vec![0; decoder.output_buffer_size().unwrap()];
                total_ms += decoder.read_frame(&mut pixels).unwrap();
                assert_eq!(pixels, wanted(frame, keep_alpha));
            }
            assert_eq!(total_ms, 208, "5 / 24 s");
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
