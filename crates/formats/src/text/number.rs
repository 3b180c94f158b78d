//! Decimal numbers: text to `f64`, rounded exactly, and text to integers.

/// Powers of ten that an `f64` represents exactly.
const POWERS_OF_TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];
/// Integers up to this one are exact in an `f64`.
const MAX_EXACT: u64 = 1 << 53;

/// The value of `[+-]digits[.digits][e[+-]digits]`, with digits on at least one side of the point.
/// None for anything else, including `nan`, `inf` and `1.#IND`. Numbers that are too large become
/// infinite.
///
/// # Determinism
/// The result is the `f64` nearest to the decimal, as from `str::parse`. Short numbers take a fast
/// path: the digits make an integer of at most 2^53 and the power of ten is at most 10^22 in size;
/// both are exact in an `f64`, so the only rounding is that of the single division or
/// multiplication, which rounds to nearest. All others use `str::parse`.
pub(crate) fn parse_number(text: &[u8]) -> Option<f64> {
    let (negative, unsigned) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let mut mantissa: u64 = 0;
    let mut overflow = false;
    let mut digits = 0_usize;
    let mut power: i64 = 0;
    let mut seen_point = false;
    let mut bytes = unsigned.iter();
    let mut exponent_follows = false;
    for &byte in bytes.by_ref() {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            digits += 1;
            power -= i64::from(seen_point);
            match mantissa.checked_mul(10).and_then(|shifted| shifted.checked_add(u64::from(digit)))
            {
                Some(grown) => mantissa = grown,
                None => overflow = true,
            }
        } else if byte == b'.' && !seen_point {
            seen_point = true;
        } else if byte | 0x20 == b'e' {
            exponent_follows = true;
            break;
        } else {
            return None;
        }
    }
    if digits == 0 {
        return None;
    }
    if exponent_follows {
        power = power.saturating_add(parse_exponent(bytes.as_slice())?);
    }
    let exact_power =
        usize::try_from(power.unsigned_abs()).ok().and_then(|size| POWERS_OF_TEN.get(size));
    match exact_power {
        Some(scale) if !overflow && mantissa <= MAX_EXACT => {
            #[expect(clippy::cast_precision_loss, reason = "at most 2^53")]
            let whole = mantissa as f64;
            let size = if power < 0 { whole / scale } else { whole * scale };
            Some(if negative { -size } else { size })
        }
        _ => core::str::from_utf8(text).ok()?.parse().ok(),
    }
}

/// A finite number of single precision, and true if it has a comma as its decimal point, as written
/// by programs of some languages.
#[expect(clippy::cast_possible_truncation, reason = "checked to be finite")]
pub(crate) fn real_of_any_language(word: &[u8]) -> Option<(f32, bool)> {
    let (number, has_comma) = number_of_any_language(word)?;
    let number = number as f32;
    number.is_finite().then_some((number, has_comma))
}

/// As [`real_of_any_language`], but with all of its digits; integers are exact up to 2^53.
pub(crate) fn number_of_any_language(word: &[u8]) -> Option<(f64, bool)> {
    let mut commas = word.iter().enumerate().filter(|(_, byte)| **byte == b',');
    let (number, has_comma) = match (commas.next(), commas.next()) {
        (Some((at, _)), None) => {
            let mut word = word.to_vec();
            word[at] = b'.';
            (parse_number(&word), true)
        }
        _ => (parse_number(word), false),
    };
    number.filter(|number| number.is_finite()).map(|number| (number, has_comma))
}

/// A typical number: short, and without an exponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ShortNumber {
    /// Digits alone.
    Whole(i64),
    /// Digits around a point; one side may be empty.
    Real(f64),
}

/// The number `[+-]digits[.digits]` at the start of a text, and its length. None if there is none,
/// or it has too many digits to fit. The bytes after it are ignored.
///
/// The same as [`parse_number`] and [`parse_whole`] of that part, in a single pass.
#[inline]
pub(crate) fn short_number(text: &[u8]) -> Option<(ShortNumber, usize)> {
    /// Maximum number of digits that fit.
    const MAX_DIGITS: usize = 18;
    let sign = match text.first()? {
        b'-' | b'+' => 1,
        _ => 0,
    };
    let mut mantissa: u64 = 0;
    let mut digits_from = |start: usize| {
        let rest = text.get(start..).unwrap_or_default();
        let mut length = 0;
        for &byte in rest.iter().take(MAX_DIGITS + 1) {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
            length += 1;
        }
        length
    };
    let whole = digits_from(sign);
    let point = sign + whole;
    let has_point = text.get(point) == Some(&b'.');
    let fraction = if has_point { digits_from(point + 1) } else { 0 };
    if whole + fraction == 0 || whole + fraction > MAX_DIGITS {
        return None;
    }
    let negative = text.first() == Some(&b'-');
    if !has_point {
        let size = mantissa.cast_signed();
        return Some((ShortNumber::Whole(if negative { -size } else { size }), point));
    }
    if mantissa > MAX_EXACT {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "at most 2^53")]
    let size = mantissa as f64 / POWERS_OF_TEN.get(fraction)?;
    Some((ShortNumber::Real(if negative { -size } else { size }), point + 1 + fraction))
}

/// The number at the start of a text, as parsed by [`short_number`], and its length.
#[inline]
#[expect(clippy::cast_precision_loss, reason = "rounds to nearest, as `parse_number` does")]
pub(crate) fn short_real(text: &[u8]) -> Option<(f64, usize)> {
    let (number, length) = short_number(text)?;
    let value = match number {
        // An integer has no negative zero.
        ShortNumber::Whole(0) if text.first() == Some(&b'-') => -0.0,
        ShortNumber::Whole(whole) => whole as f64,
        ShortNumber::Real(real) => real,
    };
    Some((value, length))
}

fn parse_exponent(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let size = parse_digits(digits)?;
    Some(if negative { -size } else { size })
}

/// An integer with an optional sign; it saturates. None for anything else.
pub(crate) fn parse_whole(text: &[u8]) -> Option<i64> {
    match text {
        [b'-', rest @ ..] => parse_digits(rest).map(|size| -size),
        [b'+', rest @ ..] => parse_digits(rest),
        _ => parse_digits(text),
    }
}

fn parse_digits(text: &[u8]) -> Option<i64> {
    if text.is_empty() {
        return None;
    }
    let mut value: i64 = 0;
    for byte in text {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value.saturating_mul(10).saturating_add(i64::from(digit));
    }
    Some(value)
}

/// True if a word spells a number that is not finite: `nan`, `-inf`, `1.#IND00`, `1e999`.
pub(crate) fn names_no_finite_number(word: &[u8]) -> bool {
    let unsigned = word.strip_prefix(b"-").or_else(|| word.strip_prefix(b"+")).unwrap_or(word);
    let starts = |name: &[u8]| {
        unsigned.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name))
    };
    starts(b"nan") || starts(b"inf") || starts(b"1.#") || parse_number(word).is_some()
}

/// Infinity and not-a-number as printed by C libraries.
pub(crate) fn special_number(unsigned: &[u8], negative: bool) -> Option<f64> {
    let starts = |start: &[u8]| {
        unsigned.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
    };
    let is = |word: &[u8]| unsigned.eq_ignore_ascii_case(word);
    if starts(b"1.#inf") || is(b"inf") || is(b"infinity") {
        return Some(if negative { f64::NEG_INFINITY } else { f64::INFINITY });
    }
    let none = starts(b"1.#ind") || starts(b"1.#qnan") || starts(b"1.#snan");
    (none || is(b"nan") || starts(b"nan(")).then_some(f64::NAN)
}

/// True if a word begins as a number does.
pub(crate) fn begins_like_a_number(text: &[u8]) -> bool {
    let unsigned = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    let digits = unsigned.strip_prefix(b".").unwrap_or(unsigned);
    digits.first().is_some_and(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fixed sequence of bits (xorshift64).
    fn next_bits(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }

    #[test]
    fn number_equals_the_standard_parse_on_a_million_decimals() {
        let mut state = 0x9e37_79b9_7f4a_7c15;
        for _ in 0..1_000_000 {
            let bits = next_bits(&mut state);
            let digits = bits >> 16 >> (bits % 40);
            let sign = ["", "-", "+"][(bits >> 6) as usize % 3];
            let fraction = next_bits(&mut state) >> (bits % 64);
            let text = match (bits >> 9) % 5 {
                0 => format!("{sign}{digits}"),
                1 => format!("{sign}{}.{fraction}", digits % 1000),
                2 => format!("{sign}0.{:0width$}", fraction, width = (bits % 25) as usize),
                3 => format!("{sign}{}.{fraction}e{}", digits % 10, (bits % 60) as i64 - 30),
                _ => format!("{sign}.{fraction}E-{}", bits % 400),
            };
            let expected: f64 = text.parse().unwrap();
            let found = parse_number(text.as_bytes()).unwrap();
            assert_eq!(found.to_bits(), expected.to_bits(), "{text}");
        }
    }

    #[test]
    fn short_number_is_the_long_one_of_the_same_letters() {
        let mut state = 0x1234_5678_9abc_def1;
        let mut short = 0;
        for _ in 0..400_000 {
            let bits = next_bits(&mut state);
            let length = 1 + (bits >> 8) as usize % 24;
            let letters: String = (0..length)
                .map(|_| match next_bits(&mut state) >> 40 & 31 {
                    0..=1 => '.',
                    2 => '-',
                    3 => '+',
                    4 => 'e',
                    5 => ' ',
                    digit => char::from(b'0' + (digit % 10) as u8),
                })
                .collect();
            let Some((value, length)) = short_number(letters.as_bytes()) else { continue };
            short += 1;
            let own = &letters.as_bytes()[..length];
            match value {
                ShortNumber::Whole(whole) => assert_eq!(Some(whole), parse_whole(own), "{letters}"),
                ShortNumber::Real(real) => {
                    assert!(own.contains(&b'.'), "{letters}");
                    let long = parse_number(own).unwrap();
                    assert_eq!(real.to_bits(), long.to_bits(), "{letters}");
                }
            }
        }
        assert!(short > 100_000, "{short}");
        for none in ["", "-", ".", "-.", "e5", "1234567890123456789", "0.1234567890123456789"] {
            assert_eq!(short_number(none.as_bytes()), None, "{none}");
        }
    }

    #[test]
    fn number_equals_the_standard_parse_at_the_borders() {
        for text in [
            "0",
            "-0.000000",
            "5.",
            ".5",
            "9007199254740992",
            "9007199254740993",
            "1e22",
            "1e23",
            "9007199254740991e22",
            "123456789012345678901234567890",
            "0.1e-21",
            "4.9e-324",
            "1e400",
            "0.000000000000000000000000000000000000000000000000001",
            "1e-99999999999999999999",
            "2.2250738585072011e-308",
            "16.896273",
            "0e999",
        ] {
            let expected: f64 = text.parse().unwrap();
            assert_eq!(
                parse_number(text.as_bytes()).unwrap().to_bits(),
                expected.to_bits(),
                "{text}"
            );
        }
    }

    #[test]
    fn number_refuses_what_is_none() {
        for text in [
            "",
            "-",
            "+",
            ".",
            "e5",
            "1e",
            "1e+",
            "1.#IND",
            "-1.#QNAN0",
            "nan",
            "inf",
            "infinity",
            "1.2.3",
            "0x10",
            "1,5",
            "--1",
            "1e5.0",
            "1f",
        ] {
            assert_eq!(parse_number(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn whole_number_saturates_and_refuses_fractions() {
        assert_eq!(parse_whole(b"-12"), Some(-12));
        assert_eq!(parse_whole(b"99999999999999999999"), Some(i64::MAX));
        for text in ["", "-", "1.0", "1e3", "a"] {
            assert_eq!(parse_whole(text.as_bytes()), None, "{text}");
        }
    }
}
