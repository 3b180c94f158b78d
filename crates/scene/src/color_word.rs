//! Colours in forms that a scene does not accept, such as CSS names, and the code that was meant.
//!
//! Input: a text that is not a colour. Output: `#rrggbb`, for a hint.

use tintype_base::suggest::nearest_word;

/// The names of CSS Color 4 (section 6.1) with their sRGB codes.
const NAMES: [(&str, u32); 148] = [
    ("aliceblue", 0xf0f8ff),
    ("antiquewhite", 0xfaebd7),
    ("aqua", 0x00ffff),
    ("aquamarine", 0x7fffd4),
    ("azure", 0xf0ffff),
    ("beige", 0xf5f5dc),
    ("bisque", 0xffe4c4),
    ("black", 0x000000),
    ("blanchedalmond", 0xffebcd),
    ("blue", 0x0000ff),
    ("blueviolet", 0x8a2be2),
    ("brown", 0xa52a2a),
    ("burlywood", 0xdeb887),
    ("cadetblue", 0x5f9ea0),
    ("chartreuse", 0x7fff00),
    ("chocolate", 0xd2691e),
    ("coral", 0xff7f50),
    ("cornflowerblue", 0x6495ed),
    ("cornsilk", 0xfff8dc),
    ("crimson", 0xdc143c),
    ("cyan", 0x00ffff),
    ("darkblue", 0x00008b),
    ("darkcyan", 0x008b8b),
    ("darkgoldenrod", 0xb8860b),
    ("darkgray", 0xa9a9a9),
    ("darkgreen", 0x006400),
    ("darkgrey", 0xa9a9a9),
    ("darkkhaki", 0xbdb76b),
    ("darkmagenta", 0x8b008b),
    ("darkolivegreen", 0x556b2f),
    ("darkorange", 0xff8c00),
    ("darkorchid", 0x9932cc),
    ("darkred", 0x8b0000),
    ("darksalmon", 0xe9967a),
    ("darkseagreen", 0x8fbc8f),
    ("darkslateblue", 0x483d8b),
    ("darkslategray", 0x2f4f4f),
    ("darkslategrey", 0x2f4f4f),
    ("darkturquoise", 0x00ced1),
    ("darkviolet", 0x9400d3),
    ("deeppink", 0xff1493),
    ("deepskyblue", 0x00bfff),
    ("dimgray", 0x696969),
    ("dimgrey", 0x696969),
    ("dodgerblue", 0x1e90ff),
    ("firebrick", 0xb22222),
    ("floralwhite", 0xfffaf0),
    ("forestgreen", 0x228b22),
    ("fuchsia", 0xff00ff),
    ("gainsboro", 0xdcdcdc),
    ("ghostwhite", 0xf8f8ff),
    ("gold", 0xffd700),
    ("goldenrod", 0xdaa520),
    ("gray", 0x808080),
    ("green", 0x008000),
    ("greenyellow", 0xadff2f),
    ("grey", 0x808080),
    ("honeydew", 0xf0fff0),
    ("hotpink", 0xff69b4),
    ("indianred", 0xcd5c5c),
    ("indigo", 0x4b0082),
    ("ivory", 0xfffff0),
    ("khaki", 0xf0e68c),
    ("lavender", 0xe6e6fa),
    ("lavenderblush", 0xfff0f5),
    ("lawngreen", 0x7cfc00),
    ("lemonchiffon", 0xfffacd),
    ("lightblue", 0xadd8e6),
    ("lightcoral", 0xf08080),
    ("lightcyan", 0xe0ffff),
    ("lightgoldenrodyellow", 0xfafad2),
    ("lightgray", 0xd3d3d3),
    ("lightgreen", 0x90ee90),
    ("lightgrey", 0xd3d3d3),
    ("lightpink", 0xffb6c1),
    ("lightsalmon", 0xffa07a),
    ("lightseagreen", 0x20b2aa),
    ("lightskyblue", 0x87cefa),
    ("lightslategray", 0x778899),
    ("lightslategrey", 0x778899),
    ("lightsteelblue", 0xb0c4de),
    ("lightyellow", 0xffffe0),
    ("lime", 0x00ff00),
    ("limegreen", 0x32cd32),
    ("linen", 0xfaf0e6),
    ("magenta", 0xff00ff),
    ("maroon", 0x800000),
    ("mediumaquamarine", 0x66cdaa),
    ("mediumblue", 0x0000cd),
    ("mediumorchid", 0xba55d3),
    ("mediumpurple", 0x9370db),
    ("mediumseagreen", 0x3cb371),
    ("mediumslateblue", 0x7b68ee),
    ("mediumspringgreen", 0x00fa9a),
    ("mediumturquoise", 0x48d1cc),
    ("mediumvioletred", 0xc71585),
    ("midnightblue", 0x191970),
    ("mintcream", 0xf5fffa),
    ("mistyrose", 0xffe4e1),
    ("moccasin", 0xffe4b5),
    ("navajowhite", 0xffdead),
    ("navy", 0x000080),
    ("oldlace", 0xfdf5e6),
    ("olive", 0x808000),
    ("olivedrab", 0x6b8e23),
    ("orange", 0xffa500),
    ("orangered", 0xff4500),
    ("orchid", 0xda70d6),
    ("palegoldenrod", 0xeee8aa),
    ("palegreen", 0x98fb98),
    ("paleturquoise", 0xafeeee),
    ("palevioletred", 0xdb7093),
    ("papayawhip", 0xffefd5),
    ("peachpuff", 0xffdab9),
    ("peru", 0xcd853f),
    ("pink", 0xffc0cb),
    ("plum", 0xdda0dd),
    ("powderblue", 0xb0e0e6),
    ("purple", 0x800080),
    ("rebeccapurple", 0x663399),
    ("red", 0xff0000),
    ("rosybrown", 0xbc8f8f),
    ("royalblue", 0x4169e1),
    ("saddlebrown", 0x8b4513),
    ("salmon", 0xfa8072),
    ("sandybrown", 0xf4a460),
    ("seagreen", 0x2e8b57),
    ("seashell", 0xfff5ee),
    ("sienna", 0xa0522d),
    ("silver", 0xc0c0c0),
    ("skyblue", 0x87ceeb),
    ("slateblue", 0x6a5acd),
    ("slategray", 0x708090),
    ("slategrey", 0x708090),
    ("snow", 0xfffafa),
    ("springgreen", 0x00ff7f),
    ("steelblue", 0x4682b4),
    ("tan", 0xd2b48c),
    ("teal", 0x008080),
    ("thistle", 0xd8bfd8),
    ("tomato", 0xff6347),
    ("turquoise", 0x40e0d0),
    ("violet", 0xee82ee),
    ("wheat", 0xf5deb3),
    ("white", 0xffffff),
    ("whitesmoke", 0xf5f5f5),
    ("yellow", 0xffff00),
    ("yellowgreen", 0x9acd32),
];

/// The code of a colour in another form: a name, possibly misspelt; digits without `#` or with
/// `0x`; digits with alpha, which is dropped; three numbers up to 255, also as `rgb(...)`.
pub(super) fn meant_color(text: &str) -> Option<String> {
    let text = text.trim().to_lowercase();
    let digits = text.strip_prefix('#').or_else(|| text.strip_prefix("0x")).unwrap_or(&text);
    let is_hex = digits.chars().all(|digit| digit.is_ascii_hexdigit());
    let opaque = match digits.len() {
        3 | 6 if is_hex => digits,
        4 if is_hex => &digits[..3],
        8 if is_hex => &digits[..6],
        _ => return from_numbers(&text).or_else(|| from_name(&text)),
    };
    let code = format!("#{opaque}");
    color_codes(&code).map(|_| code)
}

fn from_numbers(text: &str) -> Option<String> {
    let numbers = text.trim_start_matches("rgba").trim_start_matches("rgb");
    let numbers = numbers.trim_matches(|letter| matches!(letter, '(' | ')' | '[' | ']' | ' '));
    let parts: Vec<&str> = numbers.split([',', ' ', '/']).filter(|part| !part.is_empty()).collect();
    let [r, g, b] = *parts.get(..3)? else { return None };
    let [r, g, b] = [r.parse::<u8>().ok()?, g.parse::<u8>().ok()?, b.parse::<u8>().ok()?];
    (parts.len() <= 4).then(|| format!("#{r:02x}{g:02x}{b:02x}"))
}

fn from_name(text: &str) -> Option<String> {
    let name: String = text.chars().filter(|letter| !matches!(letter, ' ' | '-' | '_')).collect();
    let code = |name: &str| NAMES.iter().find(|(own, _)| *own == name).map(|(_, code)| *code);
    let near = || nearest_word(&name, NAMES.iter().map(|(own, _)| *own));
    code(&name).or_else(|| code(&near()?)).map(|code| format!("#{code:06x}"))
}

/// The sRGB codes of `#rgb` or `#rrggbb`.
pub(super) fn color_codes(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#')?;
    let values: Option<Vec<u8>> = digits
        .chars()
        .map(|digit| digit.to_digit(16).and_then(|value| u8::try_from(value).ok()))
        .collect();
    match values?[..] {
        [r, g, b] => Some([r, g, b].map(|value| value * 17)),
        [r1, r0, g1, g0, b1, b0] => Some([r1 * 16 + r0, g1 * 16 + g0, b1 * 16 + b0]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_other_forms_give_their_code() {
        for (text, code) in [
            ("red", "#ff0000"),
            ("Light Blue", "#add8e6"),
            ("lightgrey", "#d3d3d3"),
            ("ornage", "#ffa500"),
            ("ff8000", "#ff8000"),
            ("0xFF8000", "#ff8000"),
            ("#ff8000cc", "#ff8000"),
            ("#f80c", "#f80"),
            ("abc", "#abc"),
            ("rgb(255, 128, 0)", "#ff8000"),
            ("rgba(255 128 0 / 0.5)", "#ff8000"),
            ("12,0,255", "#0c00ff"),
        ] {
            assert_eq!(meant_color(text).as_deref(), Some(code), "{text}");
        }
        for text in ["", "#", "#ff", "zzz", "1", "300,0,0", "1,2,3,4,5", "1e999", "nan"] {
            assert_eq!(meant_color(text), None, "{text}");
        }
    }

    #[test]
    fn names_are_in_order_and_each_is_a_code() {
        assert!(NAMES.is_sorted_by(|a, b| a.0 < b.0));
        assert!(NAMES.iter().all(|(_, code)| *code <= 0xff_ffff));
    }

    #[test]
    fn color_codes_take_three_or_six_digits() {
        assert_eq!(color_codes("#2b3038"), Some([0x2b, 0x30, 0x38]));
        assert_eq!(color_codes("#F0a"), Some([0xff, 0x00, 0xaa]));
        for text in ["", "#", "fff", "#ffff", "#gggggg", "#ff00000", "#ＦＦＦ", "white"] {
            assert_eq!(color_codes(text), None, "{text}");
        }
    }
}
