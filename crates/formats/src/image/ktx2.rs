//! KTX2 with a picture of Basis Universal (ETC1S and UASTC), as `KHR_texture_basisu` of glTF has it; the `basisu` crate decodes it.
//!
//! The header and the index of its levels are checked here first, so that sizes which the file only declares never size memory.
//!
//! # Source
//! Khronos, "KTX File Format Specification", 2.0.

use basisu::{DecodeFlags, SourceFormat, TargetFormat, Transcoder};

use super::error::{ImageError, ImageKind};
use super::input;
use crate::LoadOptions;
use crate::guarded::guarded;
use tintype_model::Image;

const KIND: ImageKind = ImageKind::Ktx2;

/// The first bytes of a file.
pub(super) const MARK: &[u8] = b"\xabKTX 20\xbb\r\n\x1a\n";

/// Start of the index of levels, three numbers of 64 bits each.
const LEVELS: usize = 80;
const LEVEL_BYTES: usize = 24;
const MAX_LEVELS: u32 = 32;

/// Decodes the first level of a KTX2 file.
pub(super) fn decode(bytes: &[u8], options: &LoadOptions) -> Result<Image, ImageError> {
    let (width, height) = check_header(bytes, options)?;
    options.deadline.check(input::DECODING)?;
    // The crate is young: what it does not catch itself is caught here.
    let decoded = guarded(|| -> Result<Vec<u8>, ImageError> {
        let malformed = |error: basisu::Error| {
            let what = format!("the Basis Universal data: {error:?}");
            ImageError::Malformed { kind: KIND, what }
        };
        let transcoder = Transcoder::new(bytes).map_err(malformed)?;
        let format = transcoder.source_format();
        if !matches!(format, SourceFormat::Etc1s | SourceFormat::UastcLdr) {
            let what = format!("texels of {format:?}; read are ETC1S and UASTC");
            return Err(ImageError::Unsupported { kind: KIND, what });
        }
        transcoder.transcode(0, TargetFormat::Rgba32, DecodeFlags::NONE).map_err(malformed)
    });
    let samples = decoded.unwrap_or_else(|| {
        let what = "the Basis Universal data: its decoder failed".to_owned();
        Err(ImageError::Malformed { kind: KIND, what })
    })?;
    let needed = u64::from(width) * u64::from(height) * 4;
    if samples.len() as u64 != needed {
        let what = format!("{} bytes of texels in place of {needed}", samples.len());
        return Err(ImageError::Malformed { kind: KIND, what });
    }
    let rgba = input::rgba_from_rgba(samples);
    Ok(Image { width, height, rgba })
}

/// Checks the header and the ranges of all levels; the size of the picture.
fn check_header(bytes: &[u8], options: &LoadOptions) -> Result<(u32, u32), ImageError> {
    input::check_length(KIND, bytes.len(), LEVELS as u64)?;
    let word = |at: usize| input::le_u32(bytes, at).unwrap_or_default();
    let [format, width, height, depth] = [12, 20, 24, 28].map(word);
    let [layers, faces, levels, compression] = [32, 36, 40, 44].map(word);
    input::check_size(KIND, [width, height], 4, bytes.len(), options)?;
    let unsupported = |what: String| Err(ImageError::Unsupported { kind: KIND, what });
    if depth > 1 || layers > 1 || faces != 1 {
        return unsupported(format!(
            "depth {depth}, {layers} layers and {faces} faces; read are single 2D textures"
        ));
    }
    if format != 0 {
        return unsupported(format!("VkFormat {format}; read is Basis Universal, which has 0"));
    }
    if compression > 2 {
        return unsupported(format!(
            "super-compression {compression}; read are 0, 1 (BasisLZ) and 2 (Zstandard)"
        ));
    }
    let levels = levels.max(1);
    if levels > MAX_LEVELS {
        let what = "the number of mip levels";
        let (found, allowed) = (levels.into(), MAX_LEVELS.into());
        return Err(ImageError::Limit { kind: KIND, what, found, allowed });
    }
    // Blocks of 4 x 4 texels take 16 bytes at most.
    let most = u64::from(width.div_ceil(4)) * u64::from(height.div_ceil(4)) * 16;
    for level in 0..levels as usize {
        let at = LEVELS + level * LEVEL_BYTES;
        let number =
            |at: usize| bytes.get(at..)?.first_chunk().map(|&eight| u64::from_le_bytes(eight));
        let (Some(offset), Some(length), Some(inflated)) =
            (number(at), number(at + 8), number(at + 16))
        else {
            return input::check_length(KIND, bytes.len(), u64::MAX).map(|()| (0, 0));
        };
        input::check_length(KIND, bytes.len(), offset.saturating_add(length))?;
        if inflated > most {
            let what =
                format!("level {level} inflates to {inflated} bytes; expected at most {most}");
            return Err(ImageError::Malformed { kind: KIND, what });
        }
    }
    Ok((width, height))
}
