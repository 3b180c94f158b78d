//! Lexical rules of the MD5 formats, without keywords and numbers.

use crate::text::{ByteClass, ByteClasses, Dialect};

/// Braces and parentheses are symbols; everything else between blanks is a word.
pub(super) static DIALECT: Dialect = Dialect {
    classes: ByteClasses::TEXT.with(b"{}()", ByteClass::Symbol),
    words_hold_slashes: true,
    operators: &[],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::md5::Md5Error;
    use crate::text::{Lexer, SourcePosition, TokenKind};

    fn words(text: &str) -> Vec<(String, u32, u32)> {
        let mut lexer = Lexer::new(text.as_bytes());
        let mut found = Vec::new();
        loop {
            let token = lexer.next(&DIALECT).unwrap();
            if token.kind == TokenKind::End {
                return found;
            }
            let text = String::from_utf8(token.text.to_vec()).unwrap();
            found.push((text, token.position.line, token.position.column));
        }
    }

    #[test]
    fn lexer_counts_every_kind_of_line_end_once() {
        let found = words("a\nb\r\nc\rd\n\r e/*\r\n\r*/f");
        let lines: Vec<_> = found.iter().map(|(text, line, _)| (text.as_str(), *line)).collect();
        assert_eq!(lines, [("a", 1), ("b", 2), ("c", 3), ("d", 4), ("e", 6), ("f", 8)]);
    }

    #[test]
    fn lexer_starts_no_comment_within_quotes() {
        let found = words("shader \"C:\\a // b /* c\" // rest\n/* x */ next a/b//c\nlast");
        let texts: Vec<_> = found.iter().map(|(text, ..)| text.as_str()).collect();
        assert_eq!(texts, ["shader", "C:\\a // b /* c", "next", "a/b", "last"]);
    }

    #[test]
    fn lexer_parts_braces_and_parentheses_without_blanks() {
        let found = words("joints{(1 2)}");
        let texts: Vec<_> = found.iter().map(|(text, ..)| text.as_str()).collect();
        assert_eq!(texts, ["joints", "{", "(", "1", "2", ")", "}"]);
        assert_eq!((found[3].1, found[3].2), (1, 9));
    }

    #[test]
    fn lexer_ends_at_trailing_nul_and_refuses_one_inside() {
        assert_eq!(words("a b\n\0\0 \n").len(), 2);
        assert_eq!(words("a\u{1a}").len(), 1);
        let mut lexer = Lexer::new(b"a \0 b");
        lexer.next(&DIALECT).unwrap();
        let error = lexer.next(&DIALECT).map_err(Md5Error::from).unwrap_err().to_string();
        assert_eq!(error, "line 1, column 3: found the byte 0 inside the text; expected text");
    }

    #[test]
    fn lexer_names_the_start_of_what_has_no_end() {
        let error = Lexer::new(b" \"abc\n\"")
            .next(&DIALECT)
            .map_err(Md5Error::from)
            .unwrap_err()
            .to_string();
        let expected = "line 1, column 2: found an unterminated string: \"abc\"; expected a closing \
                        quote before the end of the line";
        assert_eq!(error, expected);
        let error = Lexer::new(b"\n /* x\n")
            .next(&DIALECT)
            .map_err(Md5Error::from)
            .unwrap_err()
            .to_string();
        assert_eq!(error, "line 2, column 2: found an unterminated comment; expected */");
    }

    #[test]
    fn lexer_skips_a_byte_order_mark() {
        let mut lexer = Lexer::new(b"\xef\xbb\xbfMD5Version");
        let token = lexer.next(&DIALECT).unwrap();
        assert_eq!(
            (token.text, token.position),
            (&b"MD5Version"[..], SourcePosition { offset: 3, ..SourcePosition::START })
        );
    }
}
