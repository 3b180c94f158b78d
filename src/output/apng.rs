//! Animated PNG: frames that repeat forever, each a complete picture.

use super::PngEffort;
use super::png::add_text;
use super::rate::Rate;
use crate::frame::Frame;
use png::{
    BitDepth, BlendOp, ColorType, Compression, DisposeOp, Encoder, EncodingError,
    SrgbRenderingIntent, Writer,
};
use std::io::{self, Write};

/// Writer of an animated PNG, frame by frame.
pub struct ApngWriter<W: Write> {
    writer: Writer<W>,
    keep_alpha: bool,
    size: [u32; 2],
}

impl<W: Write> ApngWriter<W> {
    /// Starts a file of `frames` frames of one size, with text chunks.
    ///
    /// # Errors
    /// The error of the stream.
    ///
    /// # Panics
    /// If a side is 0, there is no frame, or a keyword is not 1 to 79 characters of Latin-1.
    pub fn new(
        stream: W,
        size: [u32; 2],
        frames: u32,
        rate: Rate,
        keep_alpha: bool,
        effort: PngEffort,
        text: &[(String, String)],
    ) -> io::Result<Self> {
        assert!(frames > 0 && !size.contains(&0), "pictures with pixels");
        let mut encoder = Encoder::new(stream, size[0], size[1]);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_color(if keep_alpha { ColorType::Rgba } else { ColorType::Rgb });
        encoder.set_source_srgb(SrgbRenderingIntent::Perceptual);
        encoder.set_compression(match effort {
            PngEffort::Fast => Compression::Fast,
            PngEffort::Small => Compression::Balanced,
        });
        encoder.set_animated(frames, 0).map_err(from_png)?;
        let (seconds, per) = rate.frame_seconds_16();
        encoder.set_frame_delay(seconds, per).map_err(from_png)?;
        encoder.set_blend_op(BlendOp::Source).map_err(from_png)?;
        encoder.set_dispose_op(DisposeOp::None).map_err(from_png)?;
        add_text(&mut encoder, text).map_err(from_png)?;
        Ok(Self { writer: encoder.write_header().map_err(from_png)?, keep_alpha, size })
    }

    /// Adds the next frame.
    ///
    /// # Errors
    /// The error of the stream.
    ///
    /// # Panics
    /// If the frame has another size, or is one more than announced.
    pub fn add(&mut self, frame: &Frame) -> io::Result<()> {
        assert_eq!([frame.width, frame.height], self.size, "frames of one size");
        let written = if self.keep_alpha {
            self.writer.write_image_data(frame.rgba.as_flattened())
        } else {
            let rgb: Vec<[u8; 3]> = frame.rgba.iter().map(|&[r, g, b, _]| [r, g, b]).collect();
            self.writer.write_image_data(rgb.as_flattened())
        };
        written.map_err(from_png)
    }

    /// Ends the file.
    ///
    /// # Errors
    /// The error of the stream.
    pub fn finish(self) -> io::Result<()> {
        self.writer.finish().map_err(from_png)
    }
}

fn from_png(error: EncodingError) -> io::Error {
    match error {
        EncodingError::IoError(error) => error,
        error => io::Error::other(error),
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
            let rate = Rate::new(12.0);
            let mut writer =
                ApngWriter::new(&mut bytes, [9, 4], 5, rate, keep_alpha, PngEffort::Fast, &text)
                    .unwrap();
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
                let wanted: Vec<u8> = match keep_alpha {
                    true => frame.rgba.as_flattened().to_vec(),
                    false => frame.rgba.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect(),
                };
                assert_eq!(pixels, wanted);
            }
        }
    }
}
