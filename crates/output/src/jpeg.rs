//! JPEG: one lossy picture, on white where it is transparent.

use super::note;
use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;
use tintype_model::frame::Frame;

/// Quality of 1 to 100: losses are hard to see, and colours are stored for each pixel.
const QUALITY: u8 = 92;
/// Bytes of text in a comment; its length has 16 bits.
const COMMENT_TEXT: usize = 60_000;

/// One picture, with its text and a digest of its bytes.
///
/// # Panics
/// If the frame is empty or its pixels do not fill it.
pub(super) fn encode_jpeg(frame: &Frame, text: &[(String, String)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, QUALITY)
        .encode(&frame.on_white().rgb(), frame.width, frame.height, ExtendedColorType::Rgb8)
        .expect("a whole frame, and memory takes it");
    if text.is_empty() {
        return bytes;
    }
    // After the first segment, which must be JFIF.
    let at = 4 + usize::from(u16::from_be_bytes([bytes[4], bytes[5]]));
    let behind = bytes.split_off(at);
    let note = note::sealed(text, &[&bytes, &behind]);
    for part in note.as_bytes().chunks(COMMENT_TEXT) {
        let length = u16::try_from(part.len() + 2).expect("below 64 KiB");
        bytes.extend([0xff, 0xfe]);
        bytes.extend(length.to_be_bytes());
        bytes.extend(part);
    }
    bytes.extend(behind);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jpeg_is_near_the_picture_and_white_where_it_is_clear() {
        let mut frame = Frame::new(48, 32);
        for (n, pixel) in frame.rgba.iter_mut().enumerate() {
            let [x, y] = [n % 48, n / 48].map(|at| u8::try_from(at).unwrap());
            *pixel = if y < 16 { [4 * x, 200 - 2 * x, 8 * y, 255] } else { [0; 4] };
        }
        let text = [("Software".to_owned(), "tintype 1".to_owned())];
        for text in [&text[..], &[]] {
            let bytes = encode_jpeg(&frame, text);
            let image = image::load_from_memory_with_format(&bytes, image::ImageFormat::Jpeg);
            let image = image.unwrap().to_rgb8();
            assert_eq!(image.dimensions(), (48, 32));
            for (found, wanted) in image.pixels().zip(&frame.on_white().rgba) {
                let apart = found.0.iter().zip(wanted).map(|(a, b)| a.abs_diff(*b)).max();
                assert!(apart <= Some(16), "{found:?} {wanted:?}");
            }
        }
    }
}
