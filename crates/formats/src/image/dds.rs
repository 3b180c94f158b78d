//! DDS: the first mip level of one 2D texture, in any pixel format supported by the `dds` crate.

use ::dds::header::{Header, ParseOptions};
use ::dds::{
    ColorFormat, DataLayout, DataRegion, Decoder, DecodingError, HeaderError, ImageViewMut,
    LayoutError,
};

use super::error::{ImageError, ImageKind};
use super::input;
use crate::LoadOptions;
use tintype_model::Image;

const KIND: ImageKind = ImageKind::Dds;

/// Decodes a DDS file. All levels stated in its header must be present, though only the first is
/// read.
pub(super) fn decode(bytes: &[u8], options: &LoadOptions) -> Result<Image, ImageError> {
    // Wrong header fields of old writers are accepted; but the file's length may not repair a
    // header, because that would hide a truncation.
    let parsing = ParseOptions::new_permissive(None);
    let mut data = bytes;
    let header = Header::read(&mut data, &parsing)
        .map_err(|error| from_dds(DecodingError::Header(error)))?;
    let header_bytes = (bytes.len() - data.len()) as u64;
    let mut decoder = Decoder::from_header(input::DeadlineReader::new(data, options), header)
        .map_err(from_dds)?;

    let layout = decoder.layout();
    let what = match layout {
        DataLayout::Texture(_) => None,
        DataLayout::Volume(_) => Some("a volume texture"),
        DataLayout::TextureArray(_) if layout.is_cube_map() => Some("a cube map"),
        DataLayout::TextureArray(_) => Some("an array of textures"),
    };
    if let Some(what) = what {
        let what = format!("{what}; only single 2D textures are supported");
        return Err(ImageError::Unsupported { kind: KIND, what });
    }
    let size = decoder.main_size();
    input::check_size(KIND, [size.width, size.height], 4, bytes.len(), options)?;
    input::check_length(KIND, bytes.len(), header_bytes.saturating_add(layout.data_len()))?;

    decoder.options.memory_limit =
        usize::try_from(options.limits.max_image_bytes).unwrap_or(usize::MAX);
    let mut samples = vec![0_u8; size.width as usize * size.height as usize * 4];
    let Some(view) = ImageViewMut::new(&mut samples, size, ColorFormat::RGBA_U8) else {
        let what = format!("the picture is empty: {} x {} pixels", size.width, size.height);
        return Err(ImageError::Malformed { kind: KIND, what });
    };
    decoder.read_surface(view).map_err(from_dds)?;
    let rgba = input::rgba_from_rgba(samples);
    Ok(Image { width: size.width, height: size.height, rgba })
}

fn from_dds(error: DecodingError) -> ImageError {
    let text = error.to_string();
    match error {
        DecodingError::Io(_) | DecodingError::Header(HeaderError::Io(_)) => {
            ImageError::Truncated { kind: KIND, what: "its decoder ran out of bytes".to_owned() }
        }
        DecodingError::Format(_) => ImageError::Unsupported { kind: KIND, what: text },
        DecodingError::Layout(LayoutError::TooManyMipMaps(levels)) => ImageError::Limit {
            kind: KIND,
            what: "the number of mip levels",
            found: levels.into(),
            allowed: u8::MAX.into(),
        },
        _ => ImageError::Malformed { kind: KIND, what: text },
    }
}
