//! GIF animation that repeats forever: 256 colours chosen for each frame, with ordered dither; pixels with less than half alpha are transparent.

use super::gif_dither::indices;
use super::rate::Rate;
use gif::{AnyExtension, Encoder, EncodingError, Extension, Repeat};
use std::io::{self, Write};
use tintype_model::frame::Frame;

/// Speed of the choice of colours of a picture, 1 (best) to 30: the choice looks at one pixel of so many. More than some ten thousand
/// pixels change its colours no further.
fn speed(pixels: usize) -> i32 {
    const ENOUGH: usize = 32 << 10;
    i32::try_from(pixels / ENOUGH).unwrap_or(i32::MAX).clamp(8, 30)
}

/// Writer of a GIF, frame by frame.
pub struct GifWriter<W: Write> {
    encoder: Encoder<W>,
    rate: Rate,
    count: usize,
}

/// A frame reduced to 256 colours.
pub struct GifFrame(gif::Frame<'static>);

impl GifFrame {
    /// Reduces a frame. It takes most of the time and needs no access to the file, so workers can do it.
    ///
    /// # Panics
    /// If the frame is larger than [`Frame::MAX_SIDE`].
    #[must_use]
    pub fn new(frame: &Frame) -> Self {
        let [width, height] =
            [frame.width, frame.height].map(|side| u16::try_from(side).expect("at most MAX_SIDE"));
        let mut pixels: Vec<u8> = frame.rgba.as_flattened().to_vec();
        for pixel in pixels.as_chunks_mut::<4>().0 {
            *pixel = if pixel[3] < 128 { [0; 4] } else { [pixel[0], pixel[1], pixel[2], 255] };
        }
        let copy = &mut pixels.clone();
        let mut reduced = gif::Frame::from_rgba_speed(width, height, copy, speed(frame.rgba.len()));
        let palette = reduced.palette.as_deref().unwrap_or_default();
        let palette = palette.as_chunks::<3>().0;
        let (rgba, clear) = (pixels.as_chunks::<4>().0, reduced.transparent);
        reduced.buffer = indices(rgba, usize::from(width), palette, clear).into();
        reduced.dispose = gif::DisposalMethod::Background;
        Self(reduced)
    }
}

impl<W: Write> GifWriter<W> {
    /// Starts a file of frames of one size, with a comment.
    ///
    /// # Errors
    /// The error of the stream.
    ///
    /// # Panics
    /// If a side is larger than [`Frame::MAX_SIDE`].
    pub fn new(stream: W, size: [u32; 2], rate: Rate, comment: &str) -> io::Result<Self> {
        let [width, height] = size.map(|side| u16::try_from(side).expect("at most MAX_SIDE"));
        let mut encoder = Encoder::new(stream, width, height, &[]).map_err(from_gif)?;
        encoder.set_repeat(Repeat::Infinite).map_err(from_gif)?;
        let kind = AnyExtension::from(Extension::Comment);
        encoder.write_raw_extension(kind, &[comment.as_bytes()]).map_err(from_gif)?;
        Ok(Self { encoder, rate, count: 0 })
    }

    /// Adds the next frame.
    ///
    /// # Errors
    /// The error of the stream.
    pub fn add(&mut self, GifFrame(mut frame): GifFrame) -> io::Result<()> {
        frame.delay = self.rate.hundredths(self.count);
        self.count += 1;
        self.encoder.write_frame(&frame).map_err(from_gif)
    }

    /// Ends the file.
    ///
    /// # Errors
    /// The error of the stream.
    pub fn finish(self) -> io::Result<()> {
        self.encoder.into_inner().map_err(from_gif)?.flush()
    }
}

/// Comment before the first frame of a GIF as [`GifWriter`] writes it; `None` for other bytes.
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

    #[test]
    fn gif_holds_every_frame_its_colours_and_its_time() {
        let pictures: Vec<Frame> = (0..7_u8)
            .map(|k| {
                let mut frame = Frame::new(8, 6);
                frame.rgba.fill([k * 30, 200, 40, 255]);
                frame.rgba[usize::from(k)] = [9, 9, 9, 30];
                frame
            })
            .collect();
        let mut bytes = Vec::new();
        let mut writer = GifWriter::new(&mut bytes, [8, 6], Rate::new(24.0), "who").unwrap();
        pictures.iter().for_each(|frame| writer.add(GifFrame::new(frame)).unwrap());
        writer.finish().unwrap();
        assert!(bytes.windows(7).any(|part| part == b"\x21\xfe\x03who\0"));
        assert_eq!(read_comment(&bytes).as_deref(), Some("who"));
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes.as_slice()).unwrap();
        assert_eq!(decoder.repeat(), Repeat::Infinite);
        let mut delays = 0;
        for picture in &pictures {
            let frame = decoder.read_next_frame().unwrap().unwrap();
            delays += frame.delay;
            for (found, wanted) in frame.buffer.as_chunks::<4>().0.iter().zip(&picture.rgba) {
                if wanted[3] < 128 {
                    assert_eq!(found[3], 0);
                } else {
                    assert_eq!(found, wanted);
                }
            }
        }
        assert!(decoder.read_next_frame().unwrap().is_none());
        assert_eq!(delays, 29);
    }

    #[test]
    fn gif_comment_of_any_length_is_read_back() {
        for length in [0, 1, 254, 255, 256, 700] {
            let comment: String = ('a'..='z').cycle().take(length).collect();
            let mut bytes = Vec::new();
            let mut writer = GifWriter::new(&mut bytes, [2, 1], Rate::new(24.0), &comment).unwrap();
            writer.add(GifFrame::new(&Frame::new(2, 1))).unwrap();
            writer.finish().unwrap();
            assert_eq!(read_comment(&bytes), Some(comment));
            for end in 0..13 + 6 + 19 + 3 + length {
                assert_eq!(read_comment(&bytes[..end]), None, "{end}");
            }
        }
    }
}
