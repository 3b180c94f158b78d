use ::image::codecs::{bmp::BmpEncoder, jpeg::JpegEncoder, tga::TgaEncoder};
use ::image::{ExtendedColorType, ImageEncoder};

use super::*;

/// Decodes under a name that tells nothing, so that the bytes must.
fn decoded(bytes: &[u8]) -> Result<Image, ImageError> {
    decode(bytes, "picture", &LoadOptions::default())
}

/// Every proper prefix is an error, also under the right extension.
fn assert_prefixes_fail(bytes: &[u8], extension: &str) {
    assert!(decoded(bytes).is_ok(), "the whole file decodes");
    for length in 0..bytes.len() {
        for name in ["picture".to_owned(), format!("picture.{extension}")] {
            let result = decode(&bytes[..length], &name, &LoadOptions::default());
            assert!(result.is_err(), "{length} of {} bytes as {name}", bytes.len());
        }
    }
}

/// Every single damaged byte gives a picture or an error, and never a panic.
fn assert_damage_is_survived(bytes: &[u8]) {
    let options = LoadOptions::from(Limits {
        max_image_side_px: 4096,
        max_image_bytes: 1 << 22,
        ..Limits::default()
    });
    for at in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut damaged = bytes.to_vec();
            damaged[at] ^= flip;
            let _ = decode(&damaged, "picture.tga", &options);
        }
    }
}

fn rgba_samples(width: u32, height: u32) -> Vec<[u8; 4]> {
    (0..width * height)
        .map(|i| [(i * 7) as u8, (255 - i * 3) as u8, (i * i) as u8, (i * 31 + 5) as u8])
        .collect()
}

fn png_file(
    size: (u32, u32),
    color: ::png::ColorType,
    depth: ::png::BitDepth,
    palette: Option<(&[u8], &[u8])>,
    data: &[u8],
) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut file, size.0, size.1);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if let Some((colors, alphas)) = palette {
        encoder.set_palette(colors);
        encoder.set_trns(alphas);
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(data).unwrap();
    writer.finish().unwrap();
    file
}

#[test]
fn png_of_every_layout_decodes() {
    use ::png::{BitDepth, ColorType};
    let rgba = rgba_samples(5, 4);
    let file = png_file((5, 4), ColorType::Rgba, BitDepth::Eight, None, rgba.as_flattened());
    assert_eq!(decoded(&file).unwrap(), Image { width: 5, height: 4, rgba });
    assert_prefixes_fail(&file, "png");
    assert_damage_is_survived(&file);

    let file = png_file((3, 1), ColorType::Grayscale, BitDepth::One, None, &[0b1010_0000]);
    let grey = |v: u8| [v, v, v, 255];
    assert_eq!(decoded(&file).unwrap().rgba, [grey(255), grey(0), grey(255)]);

    let file = png_file((2, 1), ColorType::GrayscaleAlpha, BitDepth::Eight, None, &[9, 8, 7, 6]);
    assert_eq!(decoded(&file).unwrap().rgba, [[9, 9, 9, 8], [7, 7, 7, 6]]);

    let palette = (&[1, 2, 3, 40, 50, 60, 70, 80, 90][..], &[255, 128][..]);
    let file = png_file((4, 1), ColorType::Indexed, BitDepth::Two, Some(palette), &[0b00_01_10_01]);
    let expected = [[1, 2, 3, 255], [40, 50, 60, 128], [70, 80, 90, 255], [40, 50, 60, 128]];
    assert_eq!(decoded(&file).unwrap().rgba, expected);
    assert_prefixes_fail(&file, "png");
}

#[test]
fn png_of_16_bits_is_rounded_to_the_nearest_code() {
    use ::png::{BitDepth, ColorType};
    let codes = [0_u16, 128, 129, 257 * 77 + 128, 257 * 77 + 129, 65_535];
    let data: Vec<u8> = codes.iter().flat_map(|code| code.to_be_bytes()).collect();
    let file = png_file((2, 1), ColorType::Rgb, BitDepth::Sixteen, None, &data);
    assert_eq!(decoded(&file).unwrap().rgba, [[0, 0, 1, 255], [77, 78, 255, 255]]);
    assert_prefixes_fail(&file, "png");
    for code in 0..=u16::MAX {
        let nearest = (f64::from(code) / 257.0).round() as u8;
        assert_eq!(png::rounded(code.to_be_bytes()), nearest, "{code}");
    }
}

#[test]
fn png_with_a_wrong_check_sum_is_malformed() {
    let file = png_file((1, 1), ::png::ColorType::Rgb, ::png::BitDepth::Eight, None, &[10, 20, 30]);
    let data_at = file.windows(4).position(|four| four == b"IDAT").unwrap();
    let mut damaged = file;
    damaged[data_at + 8] ^= 1;
    assert!(matches!(decoded(&damaged), Err(ImageError::Malformed { kind: ImageKind::Png, .. })));
}

fn jpeg_file(width: u32, height: u32, color: ExtendedColorType) -> Vec<u8> {
    let channels = if color == ExtendedColorType::L8 { 1 } else { 3 };
    let samples: Vec<u8> = (0..width * height * channels).map(|i| (i / 3 * 5) as u8).collect();
    let mut file = Vec::new();
    JpegEncoder::new_with_quality(&mut file, 95).encode(&samples, width, height, color).unwrap();
    file
}

#[test]
fn jpeg_decodes_close_to_its_source_and_fails_when_cut() {
    for color in [ExtendedColorType::Rgb8, ExtendedColorType::L8] {
        let file = jpeg_file(21, 10, color);
        let image = decoded(&file).unwrap();
        assert_eq!((image.width, image.height, image.rgba.len()), (21, 10, 210));
        let expected = if color == ExtendedColorType::L8 { 0 } else { 5 };
        assert!(image.rgba[1][0].abs_diff(expected) < 24, "{:?}", image.rgba[1]);
        assert!(image.rgba.iter().all(|pixel| pixel[3] == 255));
        assert_prefixes_fail(&file, "jpg");
        assert_damage_is_survived(&file);
    }
}

/// The decoder alone does not notice a cut: this is why the segments are walked.
#[test]
fn jpeg_decoder_alone_passes_a_cut_file() {
    let file = jpeg_file(64, 64, ExtendedColorType::Rgb8);
    let cut = &file[..file.len() * 3 / 4];
    let decoder = ::image::codecs::jpeg::JpegDecoder::new(std::io::Cursor::new(cut)).unwrap();
    assert!(run_decoder(ImageKind::Jpeg, decoder, &LoadOptions::default()).is_ok());
    assert!(matches!(decoded(cut), Err(ImageError::Truncated { .. })));
}

#[test]
fn jpeg_with_too_few_restart_marks_is_truncated() {
    // 32 x 8 pixels of grey are 4 units; at one unit an interval they need 3 restart marks.
    let file = |marks: u8| {
        let mut file = b"\xff\xd8\xff\xc0\0\x0b\x08\0\x08\0\x20\x01\x01\x11\0".to_vec();
        file.extend(b"\xff\xdd\0\x04\0\x01\xff\xda\0\x08\x01\x01\0\0\x3f\0");
        for index in 0..marks {
            file.extend([0x12, 0xff, 0xd0 + index]);
        }
        file.extend(b"\x12\xff\xd9");
        file
    };
    let found = decoded(&file(2)).unwrap_err();
    let what = "scan 1 has 2 restart marks of 3".to_owned();
    assert_eq!(found, ImageError::Truncated { kind: ImageKind::Jpeg, what });
    assert!(!matches!(decoded(&file(3)), Err(ImageError::Truncated { .. })));
}

#[test]
fn jpeg_of_arithmetic_coding_or_12_bits_is_unsupported() {
    let arithmetic = b"\xff\xd8\xff\xc9\0\x0b\x08\0\x08\0\x20\x01\x01\x11\0\xff\xd9";
    assert!(matches!(decoded(arithmetic), Err(ImageError::Unsupported { .. })));
    let deep = b"\xff\xd8\xff\xc1\0\x0b\x0c\0\x08\0\x20\x01\x01\x11\0\xff\xd9";
    let message = decoded(deep).unwrap_err().to_string();
    assert_eq!(message, "JPEG: not supported: 12 bits a channel, read are 8");
}

/// A TGA header without identifier.
fn tga_header(
    image_type: u8,
    map: Option<(u16, u16, u8)>,
    size: (u16, u16),
    bits: u8,
    descriptor: u8,
) -> Vec<u8> {
    let (origin, entries, entry_bits) = map.unwrap_or_default();
    let mut header = vec![0, u8::from(map.is_some()), image_type];
    header.extend(origin.to_le_bytes());
    header.extend(entries.to_le_bytes());
    header.push(entry_bits);
    header.extend([0; 4]);
    header.extend(size.0.to_le_bytes());
    header.extend(size.1.to_le_bytes());
    header.extend([bits, descriptor]);
    header
}

const TOP_LEFT: u8 = 0x20;

#[test]
fn tga_written_by_a_library_decodes() {
    let rgba = rgba_samples(5, 4);
    let mut file = Vec::new();
    TgaEncoder::new(&mut file)
        .write_image(rgba.as_flattened(), 5, 4, ExtendedColorType::Rgba8)
        .unwrap();
    assert_eq!(decoded(&file).unwrap(), Image { width: 5, height: 4, rgba });
    assert_prefixes_fail(&file, "tga");
    assert_damage_is_survived(&file);
}

#[test]
fn tga_run_lengths_cross_rows() {
    let mut file = tga_header(10, None, (3, 2), 24, TOP_LEFT);
    file.extend([0x80 | 3, 1, 2, 3]); // four times blue 1, green 2, red 3: into the second row
    file.extend([1, 4, 5, 6, 7, 8, 9]); // two pixels as they are
    let run = [3, 2, 1, 255];
    assert_eq!(decoded(&file).unwrap().rgba, [run, run, run, run, [6, 5, 4, 255], [9, 8, 7, 255]]);
    assert_prefixes_fail(&file, "tga");
    assert_damage_is_survived(&file);
}

#[test]
fn tga_origins_turn_the_rows() {
    for (descriptor, order) in
        [(0x00, [2, 3, 0, 1]), (0x10, [3, 2, 1, 0]), (0x20, [0, 1, 2, 3]), (0x30, [1, 0, 3, 2])]
    {
        for coded in [false, true] {
            let mut file = tga_header(if coded { 11 } else { 3 }, None, (2, 2), 8, descriptor);
            if coded {
                file.push(3);
            }
            file.extend([0, 1, 2, 3]);
            let found: Vec<u8> =
                decoded(&file).unwrap().rgba.iter().map(|pixel| pixel[0]).collect();
            assert_eq!(found, order, "descriptor {descriptor:#x}");
        }
    }
}

#[test]
fn tga_of_every_depth_decodes() {
    let decode_pixels = |mut header: Vec<u8>, data: &[u8]| {
        header.extend(data);
        assert_prefixes_fail(&header, "tga");
        decoded(&header).unwrap().rgba
    };
    let red_555 = (31_u16 << 10 | 1 << 15).to_le_bytes();
    assert_eq!(decode_pixels(tga_header(2, None, (1, 1), 16, 0x21), &red_555), [[255, 0, 0, 255]]);
    assert_eq!(decode_pixels(tga_header(2, None, (1, 1), 32, 0x28), &[1, 2, 3, 4]), [[3, 2, 1, 4]]);
    // The descriptor claims no alpha bits; the fourth byte is alpha all the same.
    assert_eq!(decode_pixels(tga_header(2, None, (1, 1), 32, 0x20), &[1, 2, 3, 4]), [[3, 2, 1, 4]]);
    assert_eq!(decode_pixels(tga_header(3, None, (1, 1), 8, 0x20), &[77]), [[77, 77, 77, 255]]);

    // Two colours that start at index 10, then three indices, plain and run-length coded.
    let map = Some((10, 2, 24));
    let colors = [1, 2, 3, 4, 5, 6];
    let expected = [[6, 5, 4, 255], [3, 2, 1, 255], [3, 2, 1, 255]];
    let plain = [&colors[..], &[11, 10, 10]].concat();
    assert_eq!(decode_pixels(tga_header(1, map, (3, 1), 8, TOP_LEFT), &plain), expected);
    let coded = [&colors[..], &[0, 11, 0x81, 10]].concat();
    assert_eq!(decode_pixels(tga_header(9, map, (3, 1), 8, TOP_LEFT), &coded), expected);

    let mut file = tga_header(1, map, (1, 1), 8, TOP_LEFT);
    file.extend(colors);
    file.push(12);
    assert!(matches!(decoded(&file), Err(ImageError::Malformed { kind: ImageKind::Tga, .. })));
}

#[test]
fn kind_goes_by_bytes_before_the_extension() {
    let tga = [&tga_header(3, None, (1, 1), 8, TOP_LEFT)[..], &[5]].concat();
    let options = LoadOptions::default();
    for name in ["a.tga", "a.TGA", "a.png", "a", ""] {
        assert_eq!(decode(&tga, name, &options).unwrap().rgba, [[5, 5, 5, 255]], "{name}");
    }
    let jpeg = jpeg_file(8, 8, ExtendedColorType::Rgb8);
    assert_eq!(sniff(&jpeg, "a.tga"), Ok(ImageKind::Jpeg));
    assert_eq!(sniff(b"what", "a.tga"), Ok(ImageKind::Tga));
    assert_eq!(
        sniff(b"<html>\n<head>", "a.png").unwrap_err().to_string(),
        "not a known picture: it starts with \"<html>\\n<\"; PNG, JPEG, BMP and DDS are told by their first bytes, \
         TGA by its extension or a sound header"
    );
    assert!(sniff(b"", "a.tga").unwrap_err().to_string().contains("nothing (it is empty)"));
}

#[test]
fn bmp_written_by_a_library_decodes() {
    let rgba = rgba_samples(5, 4);
    let mut file = Vec::new();
    BmpEncoder::new(&mut file).encode(rgba.as_flattened(), 5, 4, ExtendedColorType::Rgba8).unwrap();
    assert_eq!(decoded(&file).unwrap(), Image { width: 5, height: 4, rgba });
    assert_prefixes_fail(&file, "bmp");
    let mut file = Vec::new();
    let rgb: Vec<u8> = (0..45).collect();
    BmpEncoder::new(&mut file).encode(&rgb, 5, 3, ExtendedColorType::Rgb8).unwrap();
    assert_eq!(decoded(&file).unwrap().rgba[6], [18, 19, 20, 255]);
    assert_prefixes_fail(&file, "bmp");
    assert_damage_is_survived(&file);
}

/// A BMP file with two colours in its palette.
fn bmp_file(size: (i32, i32), bits: u16, coding: u32, data: &[u8]) -> Vec<u8> {
    const DATA_AT: u32 = 14 + 40 + 8;
    let mut file = b"BM".to_vec();
    file.extend([0; 8]);
    file.extend(DATA_AT.to_le_bytes());
    file.extend(40_u32.to_le_bytes());
    file.extend(size.0.to_le_bytes());
    file.extend(size.1.to_le_bytes());
    file.extend(1_u16.to_le_bytes());
    file.extend(bits.to_le_bytes());
    file.extend(coding.to_le_bytes());
    file.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
    file.extend([0; 8]);
    file.extend(2_u32.to_le_bytes());
    file.extend([0; 4]);
    file.extend([1, 2, 3, 0, 4, 5, 6, 0]);
    file.extend(data);
    file
}

#[test]
fn bmp_palettes_and_run_lengths_decode() {
    let (dark, light) = ([3, 2, 1, 255], [6, 5, 4, 255]);
    // Rows from the bottom; a negative height turns them.
    let data = [0b0100_0000, 0, 0, 0, 0b1100_0000, 0, 0, 0];
    assert_eq!(decoded(&bmp_file((2, 2), 1, 0, &data)).unwrap().rgba, [light, light, dark, light]);
    assert_eq!(decoded(&bmp_file((2, -2), 1, 0, &data)).unwrap().rgba, [dark, light, light, light]);
    assert_prefixes_fail(&bmp_file((2, 2), 1, 0, &data), "bmp");

    let coded = [2, 1, 0, 0, 1, 0, 1, 1, 0, 1];
    let file = bmp_file((2, 2), 8, 1, &coded);
    assert_eq!(decoded(&file).unwrap().rgba, [dark, light, light, light]);
    assert_prefixes_fail(&file, "bmp");
    assert_damage_is_survived(&file);
}

/// A DDS file with a four-letter format.
fn dds_file(size: (u32, u32), levels: u32, four_cc: &[u8; 4], caps2: u32, data: &[u8]) -> Vec<u8> {
    let mut words = [0_u32; 32];
    words[0] = u32::from_le_bytes(*b"DDS ");
    words[1] = 124;
    words[2] = 0x0002_1007; // caps, height, width, pixel format, mip levels
    (words[3], words[4]) = (size.1, size.0);
    words[7] = levels;
    words[19] = 32;
    words[20] = 4;
    words[21] = u32::from_le_bytes(*four_cc);
    words[27] = 0x1000;
    words[28] = caps2;
    let mut file: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    file.extend(data);
    file
}

const RED_565: [u8; 2] = [0x00, 0xf8];
const BLUE_565: [u8; 2] = [0x1f, 0x00];

/// Every row holds the four entries of the block's palette in order.
const COLOR_INDICES: [u8; 4] = [0b11_10_01_00; 4];

#[test]
fn dds_dxt1_has_four_colours_or_three_and_a_hole() {
    let block = [&RED_565[..], &BLUE_565, &COLOR_INDICES].concat();
    let file = dds_file((4, 4), 1, b"DXT1", 0, &block);
    let row = [[255, 0, 0, 255], [0, 0, 255, 255], [170, 0, 85, 255], [85, 0, 170, 255]];
    assert_eq!(decoded(&file).unwrap().rgba, [row; 4].concat());
    assert_prefixes_fail(&file, "dds");
    assert_damage_is_survived(&file);

    let block = [&BLUE_565[..], &RED_565, &COLOR_INDICES].concat();
    let image = decoded(&dds_file((4, 4), 1, b"DXT1", 0, &block)).unwrap();
    assert_eq!(image.rgba[..2], [[0, 0, 255, 255], [255, 0, 0, 255]]);
    assert!(image.rgba[2][0].abs_diff(128) < 2 && image.rgba[2][3] == 255);
    assert_eq!(image.rgba[3], [0, 0, 0, 0]);
}

#[test]
fn dds_dxt3_and_dxt5_have_their_alpha() {
    // Four bits a pixel: rows 0,1,2,3 / 4,5,6,7 / ...
    let alphas: Vec<u8> = (0..8).map(|i| (2 * i) | ((2 * i + 1) << 4)).collect();
    let block = [&alphas[..], &RED_565, &BLUE_565, &COLOR_INDICES].concat();
    let file = dds_file((4, 4), 1, b"DXT3", 0, &block);
    let found: Vec<u8> = decoded(&file).unwrap().rgba.iter().map(|pixel| pixel[3]).collect();
    assert_eq!(found, (0..16).map(|i| i * 17).collect::<Vec<u8>>());
    assert_prefixes_fail(&file, "dds");

    // Ends 210 and 0 with six steps between; 3-bit indices 0..=7, twice.
    let indices: u64 = (0..16).map(|i: u64| (i % 8) << (3 * i)).sum();
    let block =
        [&[210, 0][..], &indices.to_le_bytes()[..6], &RED_565, &BLUE_565, &COLOR_INDICES].concat();
    let file = dds_file((4, 4), 1, b"DXT5", 0, &block);
    let image = decoded(&file).unwrap();
    let found: Vec<u8> = image.rgba.iter().map(|pixel| pixel[3]).collect();
    assert_eq!(found, [[210, 0, 180, 150, 120, 90, 60, 30]; 2].concat());
    assert_eq!(image.rgba[2][..3], [170, 0, 85]);
    assert_prefixes_fail(&file, "dds");
}

#[test]
fn dds_sizes_that_fill_no_block_and_mip_levels_decode() {
    let block = [&RED_565[..], &BLUE_565, &COLOR_INDICES].concat();
    let blocks = [&block[..]; 4].concat(); // 5 x 3 takes two blocks, 2 x 1 and 1 x 1 one each
    let file = dds_file((5, 3), 3, b"DXT1", 0, &blocks);
    let image = decoded(&file).unwrap();
    assert_eq!((image.width, image.height, image.rgba.len()), (5, 3, 15));
    assert_eq!(image.rgba[4], [255, 0, 0, 255]);
    assert_prefixes_fail(&file, "dds");
}

#[test]
fn dds_of_other_kinds_is_unsupported() {
    let block = [0; 48];
    let cube = decoded(&dds_file((4, 4), 1, b"DXT1", 0xfe00, &block)).unwrap_err();
    assert_eq!(cube.to_string(), "DDS: not supported: a cube map; read are single 2D textures");
    let other = decoded(&dds_file((4, 4), 1, b"ABCD", 0, &block)).unwrap_err();
    assert!(matches!(other, ImageError::Unsupported { .. }), "{other}");
}

/// The pixel data are missing in each: the size must be refused before they are asked for.
#[test]
fn image_bombs_are_refused_by_their_headers() {
    let tga = tga_header(10, None, (16_385, 1), 24, TOP_LEFT);
    let expected = ImageError::Limit {
        kind: ImageKind::Tga,
        what: "the width in pixels",
        found: 16_385,
        allowed: 16_384,
    };
    assert_eq!(decoded(&tga), Err(expected));

    let bmp = bmp_file((1, 60_000), 1, 0, &[]);
    let dds = dds_file((70_000, 70_000), 1, b"DXT1", 0, &[]);
    let mut jpeg = jpeg_file(8, 8, ExtendedColorType::Rgb8);
    let frame_at = jpeg.windows(2).position(|two| two == b"\xff\xc0").unwrap();
    jpeg[frame_at + 5..frame_at + 9].copy_from_slice(&[0xff; 4]);
    let mut png =
        png_file((1, 1), ::png::ColorType::Rgb, ::png::BitDepth::Eight, None, &[10, 20, 30]);
    png[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
    let sum = crc32(&png[12..29]);
    png[29..33].copy_from_slice(&sum.to_be_bytes());
    for file in [bmp, dds, jpeg, png] {
        let found = decoded(&file);
        assert!(matches!(found, Err(ImageError::Limit { .. })), "{found:?}");
    }

    let options = LoadOptions::from(Limits { max_image_bytes: 4 * 4 * 4, ..Limits::default() });
    let small = |width| [&tga_header(3, None, (width, 4), 8, 0)[..], &[0; 20]].concat();
    assert!(decode(&small(4), "", &options).is_ok());
    let found = decode(&small(5), "", &options).unwrap_err();
    assert_eq!(found.to_string(), "TGA: the decoded size in bytes is 80, the limit is 64");
}

/// The check sum of PNG chunks, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 * (sum & 1)))
    })
}
