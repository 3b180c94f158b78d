//! The bytes of a PNG, JPEG, WebP, TGA, BMP, GIF, PCX, PNM, DDS or KTX2 file -> one [`Image`] of
//! 8-bit straight RGBA.
//!
//! The first bytes identify the format. TGA has no signature: it is recognized by the extension of
//! the file name, then by a plausible header. Codes are returned as stored: colour profiles, gamma
//! chunks and EXIF orientation are not applied, because only `asset` knows the purpose of a
//! texture. 16-bit channels are rounded to 8 bits.
//!
//! A picture is decoded whole or not at all: a truncated file is an error, even if its decoder
//! would accept it. Animations, mip levels below the first, cube maps and volumes are not read.

mod via_image_crate;
mod dds;
mod error;
mod hdr;
mod input;
mod jpeg;
mod ktx2;
mod pcx;
mod png;
#[cfg(test)]
mod tests;
mod webp;

pub use error::{ImageError, ImageKind};
pub use hdr::decode_hdr;

use crate::{Limits, LoadOptions};
use input::{DECODED_SIZE, DECODING};
use tintype_model::Image;

/// Decodes a picture file of colours into 8-bit straight RGBA, rows from the top.
///
/// Only the extension of `file_name` is used, and only if the first bytes identify no format.
///
/// # Layout
/// Grey becomes equal red, green and blue; missing alpha becomes 255; premultiplied DXT2 and DXT4
/// become straight.
///
/// # Errors
/// [`ImageError`]: an unknown kind, a file that ends early, damaged data, an unsupported feature, or a picture beyond the limits of `options`.
pub fn decode(bytes: &[u8], file_name: &str, options: &LoadOptions) -> Result<Image, ImageError> {
    decode_as(bytes, file_name, true, options)
}

/// As [`decode`], for colours or for data such as roughness: fractions in KTX2 are linear, and
/// become sRGB codes in colours.
///
/// # Errors
/// Same as for [`decode`].
pub fn decode_as(
    bytes: &[u8],
    file_name: &str,
    is_color: bool,
    options: &LoadOptions,
) -> Result<Image, ImageError> {
    let decoded = match sniff(bytes, file_name)? {
        ImageKind::Png => png::decode(bytes, options),
        ImageKind::Jpeg => jpeg::decode(bytes, options),
        kind @ (ImageKind::Bmp | ImageKind::Gif | ImageKind::Pnm | ImageKind::Tga) => {
            via_image_crate::decode(kind, bytes, options)
        }
        ImageKind::Dds => dds::decode(bytes, options),
        ImageKind::Hdr => Err(ImageError::Unsupported {
            kind: ImageKind::Hdr,
            what: "an HDR picture is an environment, not a texture".to_owned(),
        }),
        ImageKind::Pcx => pcx::decode(bytes, options),
        ImageKind::Webp => webp::decode(bytes, options),
        ImageKind::Ktx2 => ktx2::decode(bytes, is_color, options),
    };
    // A decoder stopped by the deadline reports missing bytes.
    decoded.or_else(|error| options.deadline.check(DECODING).map_err(Into::into).and(Err(error)))
}

/// The bytes of a decoded picture in memory, in its native layout or as RGBA, whichever is more;
/// read from its header without decoding.
///
/// # Errors
/// [`ImageError`] if the header shows that the file cannot be decoded within `limits`.
pub fn decoded_bytes(bytes: &[u8], file_name: &str, limits: &Limits) -> Result<u64, ImageError> {
    // The size is checked against the limits before anything is allocated.
    let nothing = LoadOptions::from(Limits { max_image_bytes: 0, ..limits.clone() });
    match decode(bytes, file_name, &nothing) {
        Err(ImageError::Limit { what: DECODED_SIZE, found, .. }) => Ok(found),
        Err(error) => Err(error),
        Ok(image) => Ok(u64::try_from(image.rgba.len()).unwrap_or(u64::MAX).saturating_mul(4)),
    }
}

/// The format of a file, by its first bytes, otherwise by its extension `tga`, otherwise TGA if the
/// header is plausible.
///
/// No TGA file is mistaken for another format: its second byte is 0 or 1, which no signature has
/// there.
///
/// # Errors
/// [`ImageError::UnknownKind`] with the first bytes.
pub fn sniff(bytes: &[u8], file_name: &str) -> Result<ImageKind, ImageError> {
    const MARKS: [(&[u8], ImageKind); 8] = [
        (b"\x89PNG\r\n\x1a\n", ImageKind::Png),
        (b"\xff\xd8\xff", ImageKind::Jpeg),
        (b"BM", ImageKind::Bmp),
        (b"GIF87a", ImageKind::Gif),
        (b"GIF89a", ImageKind::Gif),
        (b"DDS ", ImageKind::Dds),
        (b"#?RADIANCE", ImageKind::Hdr),
        (ktx2::MARK, ImageKind::Ktx2),
    ];
    if let Some(&(_, kind)) = MARKS.iter().find(|(mark, _)| bytes.starts_with(mark)) {
        return Ok(kind);
    }
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        return Ok(ImageKind::Webp);
    }
    if let [b'P', b'1'..=b'7', space, ..] = bytes
        && space.is_ascii_whitespace()
    {
        return Ok(ImageKind::Pnm);
    }
    if pcx::looks_like_pcx(bytes) {
        return Ok(ImageKind::Pcx);
    }
    let extension = file_name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if !bytes.is_empty()
        && (extension.eq_ignore_ascii_case("tga") || via_image_crate::is_plausible_tga(bytes))
    {
        return Ok(ImageKind::Tga);
    }
    let start = match bytes.get(..bytes.len().min(8)) {
        None | Some([]) => "nothing (it is empty)".to_owned(),
        Some(start) => format!("\"{}\"", start.escape_ascii()),
    };
    Err(ImageError::UnknownKind { start })
}
