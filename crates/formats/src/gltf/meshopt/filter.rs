//! Filters: decoded elements are converted to normals, rotations, floats and colours, in place.

/// Conversion of decoded elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Filter {
    None,
    /// Unit vectors on an octahedron, with 8 or 16 bits per component.
    Octahedral,
    /// Unit quaternions without their largest component, 16 bits each.
    Quaternion,
    /// Floats with a mantissa of 24 bits and an exponent of 8.
    Exponential,
    /// Colours as luma and two differences, with 8 or 16 bits per component.
    Color,
}

impl Filter {
    /// The filter of a word of the extension.
    pub(in super::super) fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "NONE" => Self::None,
            "OCTAHEDRAL" => Self::Octahedral,
            "QUATERNION" => Self::Quaternion,
            "EXPONENTIAL" => Self::Exponential,
            "COLOR" => Self::Color,
            _ => return None,
        })
    }

    /// Converts elements of `stride` bytes.
    ///
    /// # Errors
    /// A stride that the filter does not have.
    pub(super) fn apply(self, bytes: &mut [u8], stride: usize) -> Result<(), String> {
        match (self, stride) {
            (Self::None, _) => {}
            (Self::Octahedral, 4) => each(bytes, |[x, y, z, w]: [u8; 4]| {
                let signed = [x, y, z].map(|byte| f32::from(i8::from_le_bytes([byte])));
                let [x, y, z] = octahedral(signed, 127.0).map(|value| value.to_le_bytes()[0]);
                [x, y, z, w]
            }),
            (Self::Octahedral, 8) => each_word(bytes, |[x, y, z, w]| {
                let [x, y, z] = octahedral([x, y, z].map(f32::from), 32767.0);
                [x, y, z, w]
            }),
            (Self::Quaternion, 8) => each_word(bytes, quaternion),
            (Self::Exponential, _) => each(bytes, |word: [u8; 4]| {
                exponential(i32::from_le_bytes(word)).to_bits().to_le_bytes()
            }),
            (Self::Color, 4) => each(bytes, |[y, co, cg, alpha]: [u8; 4]| {
                let signed = |byte: u8| i32::from(i8::from_le_bytes([byte]));
                color([y.into(), signed(co), signed(cg), alpha.into()], 255.0)
                    .map(|value| value.to_le_bytes()[0])
            }),
            (Self::Color, 8) => each(bytes, |bytes: [u8; 8]| {
                let word = |at: usize| [bytes[at], bytes[at + 1]];
                let (signed, plain) = (i16::from_le_bytes, u16::from_le_bytes);
                let coded = [
                    plain(word(0)).into(),
                    signed(word(2)).into(),
                    signed(word(4)).into(),
                    plain(word(6)).into(),
                ];
                join(color(coded, 65535.0).map(|value| {
                    let [low, high, ..] = value.to_le_bytes();
                    [low, high]
                }))
            }),
            (filter, stride) => {
                let expected = if filter == Self::Quaternion { "8" } else { "4 or 8" };
                return Err(format!("a filter of elements of {stride} bytes; expected {expected}"));
            }
        }
        Ok(())
    }
}

/// Replaces each group of bytes.
fn each<const N: usize>(bytes: &mut [u8], convert: impl Fn([u8; N]) -> [u8; N]) {
    for group in bytes.as_chunks_mut::<N>().0 {
        *group = convert(*group);
    }
}

/// Replaces each group of four words.
fn each_word(bytes: &mut [u8], convert: impl Fn([i16; 4]) -> [i16; 4]) {
    each(bytes, |[a, b, c, d, e, f, g, h]: [u8; 8]| {
        let words = [[a, b], [c, d], [e, f], [g, h]].map(i16::from_le_bytes);
        join(convert(words).map(i16::to_le_bytes))
    });
}

fn join([[a, b], [c, d], [e, f], [g, h]]: [[u8; 2]; 4]) -> [u8; 8] {
    [a, b, c, d, e, f, g, h]
}

/// Rounds half away from zero.
#[expect(clippy::cast_possible_truncation, reason = "held to the range of 16 bits")]
fn rounded(value: f32) -> i16 {
    (value + if value >= 0.0 { 0.5 } else { -0.5 }) as i16
}

fn octahedral([x, y, one]: [f32; 3], most: f32) -> [i16; 3] {
    let z = one - x.abs() - y.abs();
    // Below the equator the corners of the square are folded back.
    let fold = if z >= 0.0 { 0.0 } else { z };
    let x = x + if x >= 0.0 { fold } else { -fold };
    let y = y + if y >= 0.0 { fold } else { -fold };
    let scale = most / (x * x + y * y + z * z).sqrt();
    [x, y, z].map(|value| rounded(value * scale))
}

fn quaternion([x, y, z, last]: [i16; 4]) -> [i16; 4] {
    let most = f32::from(last | 3);
    let scale = core::f32::consts::FRAC_1_SQRT_2 / most;
    let [x, y, z] = [x, y, z].map(|value| f32::from(value) * scale);
    let squared = 1.0 - x * x - y * y - z * z;
    let largest = if squared > 0.0 { squared.sqrt() } else { 0.0 };
    let mut out = [largest, x, y, z].map(|value| rounded(value * 32767.0));
    out.rotate_right((last & 3).unsigned_abs().into());
    out
}

#[expect(clippy::cast_precision_loss, reason = "24 bits")]
fn exponential(word: i32) -> f32 {
    let (exponent, mantissa) = (word >> 24, word << 8 >> 8);
    let power = f32::from_bits((exponent + 127).cast_unsigned() << 23);
    power * mantissa as f32
}

/// Red, green, blue and alpha; the highest bit of the coded alpha determines the bit depth of all.
#[expect(clippy::cast_precision_loss, reason = "16 bits")]
#[expect(clippy::cast_possible_truncation, reason = "saturates")]
fn color([y, co, cg, alpha]: [i32; 4], most: f32) -> [i32; 4] {
    let bits = [1, 2, 4, 8].iter().fold(alpha, |bits, shift| bits | bits >> shift);
    let scale = most / bits as f32;
    let channels = [y + co - cg, y + cg, y - co - cg, (alpha << 1 & bits) | (alpha & 1)];
    channels.map(|channel| (channel as f32 * scale + 0.5) as i32)
}
