//! JPEG: baseline, extended and progressive, 8 bits, grey, YCbCr, RGB and CMYK.
//!
//! The decoder fills missing parts with grey and reports success. So the segments are walked first:
//! the file must reach its end mark, and if restart marks are used, a scan must have as many as its
//! size requires.

use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::error::{ImageError, ImageKind};
use super::input;
use crate::LoadOptions;
use tintype_model::Image;

const KIND: ImageKind = ImageKind::Jpeg;

/// Decodes a JPEG file. Its EXIF orientation is not applied.
pub(super) fn decode(bytes: &[u8], options: &LoadOptions) -> Result<Image, ImageError> {
    walk(bytes, options)?;
    options.deadline.check(input::DECODING)?;
    // The walk checks sides against the limits.
    let lenient = DecoderOptions::default()
        .set_strict_mode(false)
        .set_max_width(usize::MAX)
        .set_max_height(usize::MAX);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), lenient);
    decoder.decode_headers().map_err(|error| from_zune(&error))?;
    let (Some((width, height)), Some(stored)) = (decoder.dimensions(), decoder.input_colorspace())
    else {
        return Err(malformed("no frame header"));
    };
    // Other spaces (YCbCr, CMYK, YCCK) are converted.
    let space = match stored {
        ColorSpace::Luma | ColorSpace::LumaA | ColorSpace::RGB | ColorSpace::RGBA => stored,
        _ => ColorSpace::RGB,
    };
    let too_wide = || malformed("a side that is not 16 bits long");
    let width = u32::try_from(width).map_err(|_| too_wide())?;
    let height = u32::try_from(height).map_err(|_| too_wide())?;
    let channels = space.num_components();
    input::check_size(KIND, [width, height], channels as u64, bytes.len(), options)?;
    let mut samples = vec![0; width as usize * height as usize * channels];
    decoder.set_options(lenient.jpeg_set_out_colorspace(space));
    decoder.decode_into(&mut samples).map_err(|error| from_zune(&error))?;
    let deadline = &options.deadline;
    let rgba = match space {
        ColorSpace::Luma => input::rgba_from_grey(&samples, deadline)?,
        ColorSpace::LumaA => input::rgba_from_grey_alpha(&samples, deadline)?,
        ColorSpace::RGBA => input::rgba_from_rgba(samples),
        _ => input::rgba_from_rgb(&samples, deadline)?,
    };
    Ok(Image { width, height, rgba })
}

fn from_zune(error: &DecodeErrors) -> ImageError {
    match error {
        DecodeErrors::Unsupported(what) => {
            ImageError::Unsupported { kind: KIND, what: format!("{what:?}") }
        }
        other => ImageError::Malformed { kind: KIND, what: other.to_string() },
    }
}

mod mark {
    pub(super) const TEM: u8 = 0x01;
    pub(super) const SOF0: u8 = 0xc0;
    pub(super) const SOF15: u8 = 0xcf;
    pub(super) const DHT: u8 = 0xc4;
    pub(super) const JPG: u8 = 0xc8;
    pub(super) const DAC: u8 = 0xcc;
    pub(super) const RST0: u8 = 0xd0;
    pub(super) const RST7: u8 = 0xd7;
    pub(super) const EOI: u8 = 0xd9;
    pub(super) const SOS: u8 = 0xda;
    pub(super) const DRI: u8 = 0xdd;
}

/// Dimensions of the coding units of a scan, from a start-of-frame segment.
struct FrameHeader {
    width: u64,
    height: u64,
    /// Per component: its identifier, and its horizontal and vertical sampling factors.
    components: Vec<(u8, u64, u64)>,
}

impl FrameHeader {
    fn read(segment: &[u8], file_bytes: usize, options: &LoadOptions) -> Result<Self, ImageError> {
        let &[precision, h0, h1, w0, w1, count, ref rest @ ..] = segment else {
            return Err(malformed("a frame header of fewer than 6 bytes"));
        };
        if precision != 8 {
            let what = format!("{precision} bits per channel; only 8 are supported");
            return Err(ImageError::Unsupported { kind: KIND, what });
        }
        let (height, width) = (u16::from_be_bytes([h0, h1]), u16::from_be_bytes([w0, w1]));
        input::check_size(KIND, [width.into(), height.into()], 4, file_bytes, options)?;
        let components: Vec<_> = rest
            .as_chunks::<3>()
            .0
            .iter()
            .map(|&[id, factors, _]| (id, u64::from(factors >> 4), u64::from(factors & 15)))
            .collect();
        if components.len() != usize::from(count)
            || components.iter().any(|&(_, h, v)| !(1..=4).contains(&h) || !(1..=4).contains(&v))
        {
            return Err(malformed(
                "a frame header with missing components or sampling beyond 1..=4",
            ));
        }
        Ok(Self { width: width.into(), height: height.into(), components })
    }

    /// Number of coding units in a scan of these components (T.81, A.2).
    fn units(&self, scan: &[u8]) -> Option<u64> {
        let widest = self.components.iter().map(|c| c.1).max()?;
        let tallest = self.components.iter().map(|c| c.2).max()?;
        let &[count, ref rest @ ..] = scan else { return None };
        let (h, v) = if count == 1 {
            // A scan of a single component has one unit per block of 8 x 8 samples of that
            // component.
            let id = rest.first()?;
            let &(_, h, v) = self.components.iter().find(|component| component.0 == *id)?;
            let (width, height) =
                ((self.width * h).div_ceil(widest), (self.height * v).div_ceil(tallest));
            return Some(width.div_ceil(8) * height.div_ceil(8));
        } else {
            (widest, tallest)
        };
        Some(self.width.div_ceil(8 * h) * self.height.div_ceil(8 * v))
    }
}

/// Follows the segments from the start mark to the end mark.
fn walk(bytes: &[u8], options: &LoadOptions) -> Result<(), ImageError> {
    let mut at = 2;
    let mut frame: Option<FrameHeader> = None;
    let mut restart_interval = 0_u64;
    let mut scans = 0_usize;
    loop {
        let code = next_mark(bytes, &mut at)?;
        if code == mark::EOI {
            return if scans > 0 {
                Ok(())
            } else {
                Err(malformed("no scan before the end marker"))
            };
        }
        if code == mark::TEM || (mark::RST0..=mark::RST7).contains(&code) {
            continue;
        }
        let segment = segment(bytes, &mut at)?;
        match code {
            mark::DRI => {
                restart_interval = match segment {
                    &[high, low] => u16::from_be_bytes([high, low]).into(),
                    _ => return Err(malformed("a restart interval that is not 2 bytes long")),
                }
            }
            mark::SOS => {
                scans += 1;
                let found = skip_scan(bytes, &mut at)?;
                let Some(frame) = &frame else {
                    return Err(malformed("a scan before the frame header"));
                };
                let Some(units) = frame.units(segment) else {
                    return Err(malformed("a scan header without a component of the frame"));
                };
                let wanted = units.div_ceil(restart_interval.max(1)).saturating_sub(1);
                if restart_interval > 0 && found < wanted {
                    let what = format!("scan {scans} has {found} of {wanted} restart markers");
                    return Err(ImageError::Truncated { kind: KIND, what });
                }
            }
            mark::DHT | mark::JPG | mark::DAC => {}
            mark::SOF0..=mark::SOF15 => {
                if code > mark::SOF0 + 2 {
                    let what = format!(
                        "coding process {} (lossless, hierarchical or arithmetic); only 0 to 2 are supported",
                        code - mark::SOF0
                    );
                    return Err(ImageError::Unsupported { kind: KIND, what });
                }
                frame = Some(FrameHeader::read(segment, bytes.len(), options)?);
            }
            _ => {}
        }
    }
}

/// The code of the marker at `at`, optionally preceded by fill bytes.
fn next_mark(bytes: &[u8], at: &mut usize) -> Result<u8, ImageError> {
    match bytes.get(*at) {
        None => return Err(truncated("the end marker is missing")),
        Some(0xff) => {}
        Some(other) => {
            let what = format!("byte {at} is {other:#04x}; expected a marker (0xff)");
            return Err(ImageError::Malformed { kind: KIND, what });
        }
    }
    while bytes.get(*at) == Some(&0xff) {
        *at += 1;
    }
    let code = *bytes.get(*at).ok_or_else(|| truncated("the end marker is missing"))?;
    *at += 1;
    Ok(code)
}

/// The segment after a marker; its first two bytes are its length, including themselves.
fn segment<'a>(bytes: &'a [u8], at: &mut usize) -> Result<&'a [u8], ImageError> {
    let cut = || truncated("a segment is truncated");
    let rest = bytes.get(*at..).ok_or_else(cut)?;
    let (&length, _) = rest.split_first_chunk::<2>().ok_or_else(cut)?;
    let length = usize::from(u16::from_be_bytes(length));
    if length < 2 {
        return Err(malformed("a segment shorter than its own length"));
    }
    *at += length;
    rest.get(2..length).ok_or_else(cut)
}

/// Skips coded data up to the next mark and counts the restart marks in it.
fn skip_scan(bytes: &[u8], at: &mut usize) -> Result<u64, ImageError> {
    let mut restarts = 0;
    loop {
        match bytes.get(*at..).and_then(|rest| rest.first_chunk::<2>()) {
            None => return Err(truncated("the end marker is missing")),
            Some([0xff, mark::RST0..=mark::RST7]) => {
                restarts += 1;
                *at += 2;
            }
            Some([0xff, 0x00]) => *at += 2,
            Some([0xff, 0xff]) => *at += 1,
            Some([0xff, _]) => return Ok(restarts),
            Some(_) => *at += 1,
        }
    }
}

fn truncated(what: &str) -> ImageError {
    ImageError::Truncated { kind: KIND, what: what.to_owned() }
}

fn malformed(what: &str) -> ImageError {
    ImageError::Malformed { kind: KIND, what: what.to_owned() }
}
