//! All frames as the bytes of one file, without writing a file.

use super::file_format::FileFormat;
use super::png_pixels::PngEffort;
use super::rate::Rate;
use super::{ApngFormat, ApngWriter, GifWriter, WebPWriter};
use std::io::{self, Cursor};
use tintype_model::frame::Frame;

/// Encodes frames of equal size as a GIF, a WebP or an animated PNG.
///
/// # Errors
/// [`io::Error`] for another format, without frames, and beyond the limits of the format.
///
/// # Panics
/// If a frame is empty, or differs in size from the first.
pub fn encode_animation(
    frames: &[Frame],
    format: FileFormat,
    rate: Rate,
    keep_alpha: bool,
) -> io::Result<Vec<u8>> {
    let Some(Frame { width, height, .. }) = frames.first() else {
        return Err(io::Error::other("there is no frame"));
    };
    let (size, mut bytes) = ([*width, *height], Cursor::new(Vec::new()));
    match format {
        FileFormat::Gif => {
            let mut writer = GifWriter::new(&mut bytes, size, rate, keep_alpha, "");
            frames.iter().try_for_each(|frame| writer.add(frame))?;
            writer.finish()?;
        }
        FileFormat::WebP => {
            let mut writer = WebPWriter::new(&mut bytes, size, rate, keep_alpha)?;
            frames.iter().try_for_each(|frame| writer.add(frame))?;
            writer.finish(&[])?;
        }
        FileFormat::Apng => {
            let count = u32::try_from(frames.len()).map_err(io::Error::other)?;
            let format = ApngFormat { size, frames: count, rate, keep_alpha };
            let mut writer = ApngWriter::new(&mut bytes, format, PngEffort::Fast, &[])?;
            frames.iter().try_for_each(|frame| writer.add(frame))?;
            writer.finish()?;
        }
        _ => return Err(io::Error::other("the format holds no frames as bytes")),
    }
    Ok(bytes.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::AnimationDecoder;
    use image::codecs::{gif::GifDecoder, png::PngDecoder};
    use image_webp::WebPDecoder;

    #[test]
    fn each_format_holds_all_frames() {
        let frames: Vec<Frame> = (0..3_u8)
            .map(|k| Frame { width: 4, height: 2, rgba: vec![[k * 90, 7, 200, 255]; 8] })
            .collect();
        let encode = |format| encode_animation(&frames, format, Rate::new(20.0), false);
        let [gif, webp, apng] = [FileFormat::Gif, FileFormat::WebP, FileFormat::Apng]
            .map(|format| encode(format).unwrap());
        let gif = GifDecoder::new(Cursor::new(gif)).unwrap().into_frames();
        let apng = PngDecoder::new(Cursor::new(apng)).unwrap().apng().unwrap().into_frames();
        for found in [gif.collect_frames().unwrap(), apng.collect_frames().unwrap()] {
            assert_eq!(found.len(), 3);
            for (found, wanted) in found.iter().zip(&frames) {
                assert_eq!(found.delay().numer_denom_ms(), (50, 1));
                assert_eq!(found.buffer().as_raw(), wanted.rgba.as_flattened());
            }
        }
        assert_eq!(WebPDecoder::new(Cursor::new(webp)).unwrap().num_frames(), 3);
        for format in [FileFormat::Mp4, FileFormat::Jpeg] {
            assert!(encode(format).is_err());
        }
        assert!(encode_animation(&[], FileFormat::Gif, Rate::new(1.0), true).is_err());
    }
}
