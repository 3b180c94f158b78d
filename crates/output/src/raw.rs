//! Frames as a YUV4MPEG2 stream (`y4m`) for another program.

use super::rate::Rate;
use tintype_model::frame::Frame;

/// The header of a `y4m` stream: one chroma value per pixel, 16..=235 and 16..=240.
#[must_use]
pub fn y4m_header([width, height]: [u32; 2], rate: Rate) -> Vec<u8> {
    let (frames, seconds) = rate.fraction();
    format!("YUV4MPEG2 W{width} H{height} F{frames}:{seconds} Ip A1:1 C444 XCOLORRANGE=LIMITED\n")
        .into_bytes()
}

/// A frame of a `y4m` stream, without its alpha.
///
/// # Source
/// ITU-R BT.601-7, 2.5.1 and 2.5.3, from 8-bit values, rounded once.
#[must_use]
pub fn y4m_frame(frame: &Frame) -> Vec<u8> {
    // In 65536ths of a code: 219 / 255 of the luma, 224 / 255 of the differences.
    const ROWS: [([i32; 3], i32); 3] =
        [([16829, 33039, 6416], 16), ([-9714, -19070, 28784], 128), ([28784, -24103, -4681], 128)];
    let mut bytes = Vec::with_capacity(6 + 3 * frame.rgba.len());
    bytes.extend(b"FRAME\n");
    for ([red, green, blue], base) in ROWS {
        bytes.extend(frame.rgba.iter().map(|&[r, g, b, _]| {
            let sum = red * i32::from(r) + green * i32::from(g) + blue * i32::from(b);
            u8::try_from(((base << 16) + sum + (1 << 15)) >> 16).unwrap_or(u8::MAX)
        }));
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn y4m_has_the_values_of_the_standard() {
        assert_eq!(
            y4m_header([640, 480], Rate::new(24.0)),
            b"YUV4MPEG2 W640 H480 F24:1 Ip A1:1 C444 XCOLORRANGE=LIMITED\n"
        );
        // The ends of the range, and colour bars of 75 %.
        for ([r, g, b], wanted) in [
            ([0, 0, 0], [16, 128, 128]),
            ([255, 255, 255], [235, 128, 128]),
            ([191, 191, 0], [161, 44, 142]),
            ([191, 0, 0], [65, 100, 212]),
            ([0, 0, 191], [35, 212, 114]),
        ] {
            let mut frame = Frame::new(1, 1);
            frame.rgba[0] = [r, g, b, 255];
            let bytes = y4m_frame(&frame);
            assert_eq!(bytes[..6], *b"FRAME\n");
            assert_eq!(bytes[6..], wanted, "{r} {g} {b}");
        }
    }

    #[test]
    fn y4m_is_near_the_real_numbers_everywhere() {
        let codes: Vec<u8> = (0..=255).step_by(15).collect();
        for &r in &codes {
            for &g in &codes {
                for &b in &codes {
                    let mut frame = Frame::new(1, 1);
                    frame.rgba[0] = [r, g, b, 255];
                    let [red, green, blue] = [r, g, b].map(|code| f64::from(code) / 255.0);
                    let luma = 0.299 * red + 0.587 * green + 0.114 * blue;
                    let wanted = [
                        16.0 + 219.0 * luma,
                        128.0 + 224.0 * (blue - luma) / 1.772,
                        128.0 + 224.0 * (red - luma) / 1.402,
                    ];
                    for (found, wanted) in y4m_frame(&frame)[6..].iter().zip(wanted) {
                        assert!((f64::from(*found) - wanted).abs() < 0.51, "{found} {wanted}");
                    }
                }
            }
        }
    }
}
