use ::image::codecs::{bmp::BmpEncoder, jpeg::JpegEncoder, tga::TgaEncoder};
use ::image::{ExtendedColorType, ImageEncoder};

use super::*;

/// Decodes under a name without a known extension, so that only the bytes identify the format.
fn decoded(bytes: &[u8]) -> Result<Image, ImageError> {
    decode(bytes, "picture", &LoadOptions::default())
}

/// Decodes with the `image` crate, to straight RGBA.
fn oracle(decoder: impl ::image::ImageDecoder) -> Option<Image> {
    let (width, height) = decoder.dimensions();
    let picture = ::image::DynamicImage::from_decoder(decoder).ok()?.into_rgba8();
    Some(Image { width, height, rgba: picture.as_raw().as_chunks().0.to_vec() })
}

/// Decodes a file and its variants with up to `mistakes` different bytes, and expects the pixels of
/// `theirs`; a file refused by `theirs` must be refused. Returns the numbers of read and refused
/// files.
fn assert_as_oracle(
    files: &[Vec<u8>],
    name: &str,
    theirs: impl Fn(&[u8]) -> Option<Image>,
) -> [usize; 2] {
    const VARIANTS: u64 = 400;
    let limits = Limits { max_image_side_px: 256, max_image_bytes: 1 << 20, ..Limits::default() };
    let options = LoadOptions::from(limits);
    let mut counts = [0; 2];
    for (at, file) in files.iter().enumerate() {
        let mut state = 0x9e37_79b9_7f4a_7c15 ^ at as u64;
        let mut next = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 20) as usize % below
        };
        for variant in 0..VARIANTS {
            let mut bytes = file.clone();
            for _ in 0..variant % 4 {
                // Mistakes in the header and at the start of the data change most.
                let place = next(bytes.len().min(96));
                bytes[place] =
                    if next(2) == 0 { next(256) as u8 } else { bytes[place] ^ (1 << next(8)) };
            }
            let ours = decode(&bytes, name, &options);
            if matches!(ours, Err(ImageError::Limit { .. }))
                || sniff(&bytes, name) != sniff(file, name)
            {
                continue;
            }
            let expected = theirs(&bytes);
            counts[usize::from(ours.is_err())] += 1;
            match (ours, expected) {
                (Ok(ours), expected) => {
                    assert_eq!(Some(ours), expected, "{name} {at}.{variant}: {bytes:?}")
                }
                // Files that end early are refused here alone.
                (Err(ImageError::Truncated { .. }), _) | (Err(_), None) => {}
                (Err(error), Some(_)) => panic!("{name} {at}.{variant}: {error}\n{bytes:?}"),
            }
        }
    }
    counts
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

/// Every single damaged byte leads to a picture or an error, never to a panic.
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
    assert!(oracle(decoder).is_some());
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
    let what = "scan 1 has 2 of 3 restart markers".to_owned();
    assert_eq!(found, ImageError::Truncated { kind: ImageKind::Jpeg, what });
    assert!(!matches!(decoded(&file(3)), Err(ImageError::Truncated { .. })));
}

#[test]
fn jpeg_of_arithmetic_coding_or_12_bits_is_unsupported() {
    let arithmetic = b"\xff\xd8\xff\xc9\0\x0b\x08\0\x08\0\x20\x01\x01\x11\0\xff\xd9";
    assert!(matches!(decoded(arithmetic), Err(ImageError::Unsupported { .. })));
    let deep = b"\xff\xd8\xff\xc1\0\x0b\x0c\0\x08\0\x20\x01\x01\x11\0\xff\xd9";
    let message = decoded(deep).unwrap_err().to_string();
    assert_eq!(message, "JPEG: not supported: 12 bits per channel; only 8 are supported");
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
        "not a known picture: it starts with \"<html>\\n<\"; supported: PNG, JPEG, WebP, BMP, GIF, PCX, PNM, DDS, KTX2 and TGA (by its extension or a valid header)"
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

#[test]
fn tga_is_read_as_by_the_image_crate() {
    let mut files = Vec::new();
    let data: Vec<u8> = (0..900_u32).map(|i| (i * i % 251) as u8).collect();
    for (kind, bits) in [(2, 16), (2, 15), (2, 24), (2, 32), (3, 8), (3, 16), (1, 8), (1, 16)] {
        for (coded, descriptor) in [(0, 0), (8, 0x10), (0, 0x20), (8, 0x30)] {
            let alpha = match (kind, bits) {
                (2, 16) => 1,
                (2, 32) | (3, 16) => 8,
                _ => 0,
            };
            for entry_bits in [16, 24, 32] {
                let map = (kind == 1).then_some((3, 40, entry_bits));
                let mut file = tga_header(kind | coded, map, (7, 5), bits, descriptor | alpha);
                let colors = map.map_or(0, |_| 40 * usize::from(entry_bits.div_ceil(8)));
                file.extend(&data[..colors]);
                // Small indices, and counts of packets in turns.
                file.extend(data.iter().map(|byte| if kind == 1 { 3 + byte % 40 } else { *byte }));
                files.push(file);
            }
        }
    }
    let [read, refused] = assert_as_oracle(&files, "picture.tga", |bytes| {
        // Other image types are refused here alone.
        matches!(bytes.get(2)?, 1..=3 | 9..=11).then_some(())?;
        oracle(::image::codecs::tga::TgaDecoder::new(std::io::Cursor::new(bytes)).ok()?)
    });
    assert!(read > 10_000 && refused > 2_000, "{read} read, {refused} refused");
}

#[test]
fn gif_and_portable_anymaps_are_read() {
    let mut gif = Vec::new();
    let frame =
        ::image::Frame::new(::image::RgbaImage::from_pixel(3, 2, ::image::Rgba([9, 8, 7, 255])));
    let mut encoder = ::image::codecs::gif::GifEncoder::new(&mut gif);
    encoder.encode_frames([frame.clone(), frame]).unwrap();
    drop(encoder);
    for file in [gif, [b"P6\n3 2\n255\n".to_vec(), [9, 8, 7].repeat(6)].concat()] {
        let image = decoded(&file).unwrap();
        assert_eq!((image.width, image.height), (3, 2));
        assert!(image.rgba.iter().all(|pixel| *pixel == [9, 8, 7, 255]), "{image:?}");
        let whole = LoadOptions::from(Limits { max_image_bytes: 8, ..Limits::default() });
        assert!(matches!(decode(&file, "", &whole), Err(ImageError::Limit { .. })));
        assert!(decoded(&file[..file.len() / 2]).is_err(), "it is cut");
    }
}

#[test]
fn bmp_is_read_as_by_the_image_crate() {
    let data: Vec<u8> = (0..900_u32).map(|i| (i * i % 251) as u8).collect();
    let word = |value: u32| value.to_le_bytes();
    let mut files = Vec::new();
    for (bits, coding) in
        [(1_u16, 0_u32), (2, 0), (4, 0), (8, 0), (16, 0), (24, 0), (32, 0), (16, 3), (32, 3)]
    {
        for (header_bytes, height) in [(40_u32, 5_i32), (40, -5), (56, 5), (108, -5), (124, 5)] {
            for masks in [
                [0x7c00, 0x03e0, 0x001f, 0x8000],
                [0x0f00, 0x00f0, 0x000f, 0xf000],
                [0xff_0000, 0xff00, 0xff, 0xff00_0000],
                [0x3ff0_0000, 0xf_fc00, 0x3ff, 0],
            ] {
                let mut file = b"BM".to_vec();
                file.extend([0; 8]);
                let palette = if bits <= 8 { 4 << bits } else { 0 };
                let masks_behind = if coding == 3 && header_bytes == 40 { 12 } else { 0 };
                file.extend(word(14 + header_bytes + palette + masks_behind));
                file.extend(word(header_bytes));
                file.extend(word(7));
                file.extend(height.to_le_bytes());
                file.extend([1, 0]);
                file.extend(bits.to_le_bytes());
                file.extend(word(coding));
                file.extend([0; 20]);
                let mut rest: Vec<u8> = masks.iter().flat_map(|mask| word(*mask)).collect();
                rest.resize(header_bytes as usize + masks_behind as usize, 0);
                file.extend(&rest[..header_bytes as usize - 40 + masks_behind as usize]);
                file.extend(data.iter().chain(&data).take(palette as usize));
                file.extend(&data);
                files.push(file);
            }
        }
    }
    // Run-length data: runs, absolute pixels, skips, ends of rows.
    for (bits, coding) in [(8, 1), (4, 2)] {
        let streams: [&[u8]; 5] = [
            &[7, 1, 0, 0, 3, 0, 4, 1, 0, 0, 0, 4, 1, 0, 1, 0, 0, 0, 0, 1],
            &[2, 0x10, 0, 2, 1, 1, 2, 1, 0, 1],
            &[0, 2, 2, 3, 5, 1, 0, 0, 0, 5, 0x10, 0x10, 0x11, 0, 0, 0, 0, 1],
            &[9, 1, 0, 0, 7, 1, 0, 0, 0, 1],
            &[1, 1, 0, 2, 6, 0, 0, 0, 0, 2, 0, 4, 1, 1, 0, 0, 0, 0],
        ];
        files.extend(streams.map(|stream| {
            let mut file = bmp_file((7, 5), bits, coding, stream);
            file.extend([0, 0, 1, 1, 0, 1, 3, 0, 0, 0, 0, 1]);
            file
        }));
    }
    let [read, refused] = assert_as_oracle(&files, "picture.bmp", |bytes| {
        oracle(::image::codecs::bmp::BmpDecoder::new(std::io::Cursor::new(bytes)).ok()?)
    });
    assert!(read > 10_000 && refused > 2_000, "{read} read, {refused} refused");
}

#[test]
fn jpeg_is_read_as_by_the_image_crate() {
    let files =
        [ExtendedColorType::Rgb8, ExtendedColorType::L8].map(|color| jpeg_file(37, 21, color));
    let [read, refused] = assert_as_oracle(&files, "picture.jpg", |bytes| {
        oracle(::image::codecs::jpeg::JpegDecoder::new(std::io::Cursor::new(bytes)).ok()?)
    });
    assert!(read > 200 && refused > 50, "{read} read, {refused} refused");
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

/// Every row uses the four entries of the block's palette in order.
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
    // Four bits per pixel: rows 0,1,2,3 / 4,5,6,7 / ...
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
    assert_eq!(
        cube.to_string(),
        "DDS: not supported: a cube map; only single 2D textures are supported"
    );
    let other = decoded(&dds_file((4, 4), 1, b"ABCD", 0, &block)).unwrap_err();
    assert!(matches!(other, ImageError::Unsupported { .. }), "{other}");
}

/// The pixel data are missing in each: the size must be refused before they are read.
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

/// Small files of every kind whose headers declare 8192 x 8192 pixels, as run-length codes and
/// deflated zeros can.
fn files_of_one_colour() -> [(&'static str, Vec<u8>); 9] {
    const SIDE: u16 = 8192;
    let [low, high] = SIDE.to_le_bytes();
    let mut bmp = bmp_file((SIDE.into(), SIDE.into()), 8, 1, &[0, 1]);
    bmp[34..38].copy_from_slice(&2_u32.to_le_bytes());
    let tga = [&tga_header(11, None, (SIDE, SIDE), 8, TOP_LEFT)[..], &[0xff, 7]].concat();
    let mut png = png_file((1, 1), ::png::ColorType::Rgb, ::png::BitDepth::Eight, None, &[1, 2, 3]);
    png[16..24].copy_from_slice(&[0, 0, high, low, 0, 0, high, low]);
    let sum = crc32(&png[12..29]);
    png[29..33].copy_from_slice(&sum.to_be_bytes());
    let mut jpeg = jpeg_file(8, 8, ExtendedColorType::Rgb8);
    let frame_at = jpeg.windows(2).position(|two| two == b"\xff\xc0").unwrap();
    jpeg[frame_at + 5..frame_at + 9].copy_from_slice(&[high, low, high, low]);
    let dds = dds_file((SIDE.into(), SIDE.into()), 1, b"DXT1", 0, &[]);
    let mut lossless = include_bytes!("samples/lossless.webp").to_vec();
    let word = u32::from_le_bytes(lossless[21..25].try_into().unwrap()) & 0xf000_0000;
    let sides = u32::from(SIDE - 1) | u32::from(SIDE - 1) << 14;
    lossless[21..25].copy_from_slice(&(word | sides).to_le_bytes());
    let mut lossy = include_bytes!("samples/lossy.webp").to_vec();
    lossy[26..30].copy_from_slice(&[low, high, low, high]);
    let mut ktx2 = include_bytes!("samples/etc1s.ktx2").to_vec();
    ktx2[20..28].copy_from_slice(&[low, high, 0, 0, low, high, 0, 0]);
    let hdr = b"#?RADIANCE\n\n-Y 8192 +X 8192\n\x02\x02\x20\x00".to_vec();
    [
        ("BMP", bmp),
        ("TGA", tga),
        ("PNG", png),
        ("JPEG", jpeg),
        ("DDS", dds),
        ("WebP", lossless),
        ("WebP", lossy),
        ("KTX2", ktx2),
        ("HDR", hdr),
    ]
}

#[test]
fn small_files_do_not_become_large_pictures() {
    let with_pixels = |pixels| {
        LoadOptions::from(Limits {
            pixels: Some(pixels),
            max_image_bytes: 1 << 20,
            ..Limits::default()
        })
    };
    let read = |kind, bytes: &[u8], options: &LoadOptions| match kind {
        "HDR" => decode_hdr(bytes, options).map(|_| ()),
        _ => decode(bytes, "picture", options).map(|_| ()),
    };
    for (kind, file) in files_of_one_colour() {
        let expected = format!(
            "{kind}: 8192 x 8192 pixels in a file of {} bytes; the limit for this size is 16777216",
            file.len()
        );
        let usual = LoadOptions::default();
        assert_eq!(read(kind, &file, &usual).unwrap_err().to_string(), expected);
        if kind != "HDR" {
            let measured = decoded_bytes(&file, "picture", &usual.limits);
            assert_eq!(measured.unwrap_err().to_string(), expected, "nothing is taken for it");
        }
        // One pixel more is allowed than there are; the limit of bytes is next.
        let found = read(kind, &file, &with_pixels(1 << 26)).unwrap_err();
        assert!(matches!(found, ImageError::Limit { .. }), "{found}");
        let found = read(kind, &file, &with_pixels((1 << 26) - 1)).unwrap_err();
        assert!(matches!(found, ImageError::Pixels { allowed: 0x3ff_ffff, .. }), "{found}");
    }
}

/// The check sum of PNG chunks, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 * (sum & 1)))
    })
}

/// The picture of all WebP and KTX2 samples, of 8 x 8 pixels.
fn sample_pixels() -> Vec<[u8; 4]> {
    let pixel = |index: u8| {
        let (x, y) = (index % 8, index / 8);
        [x * 36, y * 36, (x ^ y) * 30, if x < 4 { 255 } else { y * 36 }]
    };
    (0..64).map(pixel).collect()
}

/// The mean difference of the codes of two pictures; transparent pixels have no colour.
fn mean_difference(found: &[[u8; 4]], expected: &[[u8; 4]], channels: usize) -> f64 {
    assert_eq!(found.len(), expected.len());
    let pairs = found.iter().zip(expected).filter(|(_, expected)| expected[3] > 0);
    let codes = pairs.flat_map(|(a, b)| a.iter().zip(b).take(channels));
    let (sum, count) = codes
        .fold((0_u32, 0_u32), |(sum, count), (a, b)| (sum + u32::from(a.abs_diff(*b)), count + 1));
    f64::from(sum) / f64::from(count)
}

#[test]
fn webp_decodes_lossless_and_lossy_with_and_without_alpha() {
    let lossless: &[u8] = include_bytes!("samples/lossless.webp");
    let found = decoded(lossless).unwrap();
    assert_eq!(found, Image { width: 8, height: 8, rgba: sample_pixels() });
    let lossy: &[u8] = include_bytes!("samples/lossy.webp");
    let found = decoded(lossy).unwrap().rgba;
    assert!(mean_difference(&found, &sample_pixels(), 3) < 24.0, "colours are halved in size");
    assert!(found.iter().all(|pixel| pixel[3] == 255));
    let alpha: &[u8] = include_bytes!("samples/lossy_alpha.webp");
    let found = decoded(alpha).unwrap().rgba;
    assert!(found.iter().zip(sample_pixels()).all(|(found, expected)| found[3] == expected[3]));
    for file in [lossless, lossy, alpha] {
        assert_eq!(sniff(file, "a.png"), Ok(ImageKind::Webp), "bytes go before the name");
        assert_prefixes_fail(file, "webp");
        assert_damage_is_survived(file);
    }
}

#[test]
fn ktx2_decodes_both_kinds_of_basis_universal() {
    let files: [(&[u8], f64); 3] = [
        (include_bytes!("samples/etc1s.ktx2"), 30.0),
        (include_bytes!("samples/uastc.ktx2"), 12.0),
        (include_bytes!("samples/uastc_zstd.ktx2"), 12.0),
    ];
    for (file, most) in files {
        let found = decoded(file).unwrap();
        assert_eq!((found.width, found.height), (8, 8));
        let mean = mean_difference(&found.rgba, &sample_pixels(), 4);
        assert!(mean < most, "{mean}");
        assert_eq!(sniff(file, "a.png"), Ok(ImageKind::Ktx2));
        assert_prefixes_fail(file, "ktx2");
        assert_damage_is_survived(file);
    }
    let (mut cube, mut inflated) = (files[1].0.to_vec(), files[2].0.to_vec());
    cube[36] = 6;
    assert!(
        decoded(&cube)
            .unwrap_err()
            .to_string()
            .contains("6 faces; only single 2D textures are supported")
    );
    inflated[80 + 16 + 4] = 1;
    assert!(decoded(&inflated).unwrap_err().to_string().contains("expected at most 64"));
}

/// A KTX2 file of plain texels, 2 x 1 pixels.
fn plain_ktx2(format: u32, super_compression: u32, level: &[u8], inflated: usize) -> Vec<u8> {
    let mut file = b"\xabKTX 20\xbb\r\n\x1a\n".to_vec();
    for word in [format, 1, 2, 1, 0, 0, 1, 1, super_compression, 0, 0, 0, 0] {
        file.extend(word.to_le_bytes());
    }
    file.resize(80, 0);
    for word in [104, level.len() as u64, inflated as u64] {
        file.extend(word.to_le_bytes());
    }
    [&file, level].concat()
}

#[test]
fn ktx2_decodes_plain_texels() {
    let words =
        |words: &[u16]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let reals =
        |reals: &[f32]| reals.iter().flat_map(|real| real.to_le_bytes()).collect::<Vec<u8>>();
    let colors = [200, 100, 50, 255, 1, 2, 3, 4];
    for (format, level, expected) in [
        (43, colors.to_vec(), [[200, 100, 50, 255], [1, 2, 3, 4]]),
        (37, colors.to_vec(), [[200, 100, 50, 255], [1, 2, 3, 4]]),
        (44, colors.to_vec(), [[50, 100, 200, 255], [3, 2, 1, 4]]),
        (29, colors[..6].to_vec(), [[200, 100, 50, 255], [255, 1, 2, 255]]),
        (16, colors[..4].to_vec(), [[200, 100, 0, 255], [50, 255, 0, 255]]),
        (9, colors[..2].to_vec(), [[200, 0, 0, 255], [100, 0, 0, 255]]),
        (77, words(&[0, 65535, 257, 32768]), [[0, 255, 0, 255], [1, 128, 0, 255]]),
        // Half floats of 1, 0.5, -1 and a denormal.
        (83, words(&[0x3c00, 0x3800, 0xbc00, 1]), [[255, 188, 0, 255], [0, 0, 0, 255]]),
        (100, reals(&[0.5, 2.0]), [[188, 0, 0, 255], [255, 0, 0, 255]]),
    ] {
        let file = plain_ktx2(format, 0, &level, level.len());
        assert_eq!(decoded(&file).unwrap().rgba, expected, "{format}");
        assert_prefixes_fail(&file, "ktx2");
        assert_damage_is_survived(&file);
        let zlib = miniz_oxide::deflate::compress_to_vec_zlib(&level, 6);
        assert_eq!(decoded(&plain_ktx2(format, 3, &zlib, level.len())).unwrap().rgba, expected);
    }
    let data = plain_ktx2(100, 0, &reals(&[0.5, 2.0]), 8);
    let found = decode_as(&data, "a.ktx2", false, &LoadOptions::default()).unwrap();
    assert_eq!(found.rgba[0], [128, 0, 0, 255], "data stays linear");
    // A frame of Zstandard: one block as it is.
    let stored = [&[0x28, 0xb5, 0x2f, 0xfd, 0x20, 8, 0x41, 0, 0][..], &colors].concat();
    let file = plain_ktx2(43, 2, &stored, 8);
    assert_eq!(decoded(&file).unwrap().rgba, [[200, 100, 50, 255], [1, 2, 3, 4]]);
    assert_damage_is_survived(&file);
    let short = decoded(&plain_ktx2(37, 0, &colors[..4], 4)).unwrap_err().to_string();
    assert!(short.contains("bytes of texels; expected 8"), "{short}");
    assert!(
        decoded(&plain_ktx2(145, 0, &colors, 8)).unwrap_err().to_string().contains("VkFormat 145")
    );
}
