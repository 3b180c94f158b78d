//! Animated PNG: frames that repeat forever, each a complete picture.

use super::png_chunks::{push, push_end, push_head, push_text};
use super::png_pixels::{PngEffort, compressed};
use super::rate::Rate;
use std::io::{self, Write};
use tintype_model::frame::Frame;

/// Writer of an animated PNG, frame by frame.
pub struct ApngWriter<W: Write> {
    stream: W,
    keep_alpha: bool,
    size: [u32; 2],
    /// Time of a frame in seconds: numerator and denominator.
    delay: [u16; 2],
    effort: PngEffort,
    frames: u32,
    written: u32,
    /// Number of the next chunk of frames or of their pixels.
    sequence: u32,
}

/// The frames of an APNG.
#[derive(Clone, Copy, Debug)]
pub struct ApngFormat {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Their number.
    pub frames: u32,
    /// Frames per second.
    pub rate: Rate,
    /// True if their alpha is kept.
    pub keep_alpha: bool,
}

impl<W: Write> ApngWriter<W> {
    /// Starts a file, with text chunks.
    ///
    /// # Errors
    /// The error of the stream.
    ///
    /// # Panics
    /// If a side is 0, there are no frames, or a keyword is not 1 to 79 characters of Latin-1.
    pub fn new(
        mut stream: W,
        format: ApngFormat,
        effort: PngEffort,
        text: &[(String, String)],
    ) -> io::Result<Self> {
        let ApngFormat { size, frames, rate, keep_alpha } = format;
        const FOREVER: u32 = 0;
        assert!(frames > 0 && !size.contains(&0), "pictures with pixels");
        let (seconds, per) = rate.frame_seconds_16();
        let mut head = Vec::new();
        push_head(&mut head, size, keep_alpha);
        push(&mut head, *b"acTL", &[&frames.to_be_bytes(), &FOREVER.to_be_bytes()]);
        push_text(&mut head, text);
        stream.write_all(&head)?;
        let delay = [seconds, per];
        Ok(Self { stream, keep_alpha, size, delay, effort, frames, written: 0, sequence: 0 })
    }

    /// Adds the next frame.
    ///
    /// # Errors
    /// The error of the stream.
    ///
    /// # Panics
    /// If the frame has another size, or exceeds the announced number.
    pub fn add(&mut self, frame: &Frame) -> io::Result<()> {
        assert_eq!([frame.width, frame.height], self.size, "frames of one size");
        assert!(self.written < self.frames, "no more frames than announced");
        // A whole picture that replaces the previous one: no offset, disposal or blending.
        const WHOLE: [u8; 8] = [0; 8];
        const REPLACES: [u8; 2] = [0; 2];
        let [width, height] = self.size.map(u32::to_be_bytes);
        let [seconds, per] = self.delay.map(u16::to_be_bytes);
        let number = self.next_number();
        let control: [&[u8]; 7] = [&number, &width, &height, &WHOLE, &seconds, &per, &REPLACES];
        let pixels = compressed(&frame.rgba, frame.width as usize, self.keep_alpha, self.effort);
        let mut chunks = Vec::new();
        push(&mut chunks, *b"fcTL", &control);
        match self.written {
            0 => push(&mut chunks, *b"IDAT", &[&pixels]),
            _ => push(&mut chunks, *b"fdAT", &[&self.next_number(), &pixels]),
        }
        self.written += 1;
        self.stream.write_all(&chunks)
    }

    /// Ends the file.
    ///
    /// # Errors
    /// The error of the stream.
    ///
    /// # Panics
    /// If frames are missing.
    pub fn finish(mut self) -> io::Result<()> {
        assert_eq!(self.written, self.frames, "as many frames as announced");
        let mut end = Vec::new();
        push_end(&mut end);
        self.stream.write_all(&end)?;
        self.stream.flush()
    }

    fn next_number(&mut self) -> [u8; 4] {
        let number = self.sequence.to_be_bytes();
        self.sequence += 1;
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use png::Decoder;

    #[test]
    fn apng_holds_every_frame_and_its_time() {
        let frames: Vec<Frame> = (0..5_u8)
            .map(|k| {
                let mut frame = Frame::new(9, 4);
                frame
                    .rgba
                    .iter_mut()
                    .zip(0_u8..)
                    .for_each(|(pixel, n)| *pixel = [n, k, 7, 255 - k]);
                frame
            })
            .collect();
        for keep_alpha in [true, false] {
            let mut bytes = Vec::new();
            let text = [("Software".to_owned(), "tintype".to_owned())];
            let format = ApngFormat { size: [9, 4], frames: 5, rate: Rate::new(12.0), keep_alpha };
            let mut writer = ApngWriter::new(&mut bytes, format, PngEffort::Fast, &text).unwrap();
            frames.iter().for_each(|frame| writer.add(frame).unwrap());
            writer.finish().unwrap();
            let mut reader = Decoder::new(io::Cursor::new(&bytes)).read_info().unwrap();
            let control = reader.info().animation_control.unwrap();
            assert_eq!((control.num_frames, control.num_plays), (5, 0));
            for frame in &frames {
                let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
                reader.next_frame(&mut pixels).unwrap();
                let control = reader.info().frame_control.unwrap();
                assert_eq!((control.delay_num, control.delay_den), (1, 12));
                let wanted: Vec<u8> = if keep_alpha {
                    frame.rgba.as_flattened().to_vec()
                } else {
                    frame.rgba.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect()
                };
                assert_eq!(pixels, wanted);
            }
        }
    }
}
