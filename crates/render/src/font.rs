//! A font of letters of five by eight dots, for text on pictures.

/// Advance from letter to letter, in pixels.
pub const LETTER_WIDTH: i32 = 6;
/// Height of a letter with its descender.
pub const LETTER_HEIGHT: i32 = 8;

/// Six bands of sixteen letters from the blank on, eight rows each; `#` is a dot. Other characters
/// are drawn as the last letter.
const FONT: &str = include_str!("font.txt");

/// The eight rows of a letter, one bit per dot, the leftmost in bit 4.
pub(crate) fn glyph(letter: char) -> [u8; 8] {
    let index = match letter {
        ' '..='~' => letter as usize - ' ' as usize,
        _ => 95,
    };
    let (band, column) = (index / 16, index % 16);
    core::array::from_fn(|row| {
        let line = FONT.lines().nth(band * 9 + row).unwrap_or("");
        let dots = line.bytes().skip(column * 6).take(5);
        dots.fold(0, |bits, dot| bits << 1 | u8::from(dot == b'#'))
    })
}

/// Width of a text in pixels.
#[must_use]
pub fn text_width(text: &str) -> i32 {
    i32::try_from(text.chars().count()).unwrap_or(i32::MAX / 64) * LETTER_WIDTH - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn font_has_every_letter_once() {
        let mut seen = std::collections::BTreeSet::new();
        for letter in '!'..='~' {
            assert!(seen.insert(glyph(letter)), "{letter} looks like another letter");
        }
        assert_eq!(glyph(' '), [0; 8]);
        assert_eq!(glyph('é'), glyph('\u{7f}'));
        assert_eq!(glyph('L')[6], 0b11111);
    }
}
