//! `.x` files as objects within objects.
//!
//! It knows no template: everything after a word up to a brace is an object, numbers are numbers.
//! For sound files only.

enum Token {
    Word(String),
    Text(String),
    Number(f64, String),
    Open,
    Close,
}

fn tokens_of_text(bytes: &[u8]) -> Vec<Token> {
    let text: Vec<char> = bytes.iter().map(|&byte| char::from(byte)).collect();
    let (mut tokens, mut at) = (Vec::new(), 0);
    let find = |from: usize, end: &dyn Fn(char) -> bool| {
        (from..text.len()).find(|&at| end(text[at])).unwrap_or(text.len())
    };
    while at < text.len() {
        let c = text[at];
        match c {
            '{' => tokens.push(Token::Open),
            '}' => tokens.push(Token::Close),
            '"' => {
                let end = find(at + 1, &|c| c == '"');
                tokens.push(Token::Text(text[at + 1..end].iter().collect()));
                at = end;
            }
            '<' => at = find(at, &|c| c == '>'),
            '#' => at = find(at, &|c| c == '\n'),
            '/' if text.get(at + 1) == Some(&'/') => at = find(at, &|c| c == '\n'),
            ';' | ',' => {}
            _ if c.is_whitespace() || c == '\0' => {}
            _ => {
                let end = find(at, &|c| c.is_whitespace() || ";,{}\"<".contains(c));
                let word: String = text[at..end].iter().collect();
                let is_numeric =
                    word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
                tokens.push(match word.parse() {
                    Ok(number) if is_numeric => Token::Number(number, word),
                    _ => Token::Word(word),
                });
                at = end - 1;
            }
        }
        at += 1;
    }
    tokens
}

fn tokens_of_binary(bytes: &[u8], float_bytes: usize) -> Vec<Token> {
    let (mut tokens, mut at) = (Vec::new(), 0);
    let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"));
    let text = |at: usize| {
        let end = at + 4 + u32_at(at) as usize;
        let text: String = bytes[at + 4..end].iter().map(|&byte| char::from(byte)).collect();
        (text.trim_end_matches('\0').to_owned(), end)
    };
    while at + 1 < bytes.len() {
        let token = u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        at += 2;
        match token {
            0 => break,
            1 | 2 => {
                let (text, end) = text(at);
                tokens.push(if token == 1 { Token::Word(text) } else { Token::Text(text) });
                at = end;
            }
            3 => {
                tokens.push(Token::Number(f64::from(u32_at(at)), String::new()));
                at += 4;
            }
            5 => at += 16,
            6 => {
                let count = u32_at(at) as usize;
                tokens.extend(
                    (0..count)
                        .map(|n| Token::Number(f64::from(u32_at(at + 4 + 4 * n)), String::new())),
                );
                at += 4 + 4 * count;
            }
            7 => {
                let count = u32_at(at) as usize;
                for n in 0..count {
                    let from = at + 4 + float_bytes * n;
                    let number = match float_bytes {
                        8 => f64::from_le_bytes(bytes[from..from + 8].try_into().expect("8")),
                        _ => f64::from(f32::from_le_bytes(
                            bytes[from..from + 4].try_into().expect("4"),
                        )),
                    };
                    tokens.push(Token::Number(number, String::new()));
                }
                at += 4 + float_bytes * count;
            }
            0x0a => tokens.push(Token::Open),
            0x0b => tokens.push(Token::Close),
            0x1f => tokens.push(Token::Word("template".into())),
            0x0c..=0x14 => {}
            0x28..=0x34 => tokens.push(Token::Word("kind".into())),
            _ => panic!("token {token} before byte {at}"),
        }
    }
    tokens
}

/// The plain bytes after the header of a compressed file.
fn inflated(bytes: &[u8]) -> Vec<u8> {
    let mut at = 20;
    // All blocks are one deflate stream to a reader that sees the bytes before.
    let mut plain: Vec<u8> = Vec::new();
    while at + 6 < bytes.len() {
        let size = usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
        let packed = usize::from(u16::from_le_bytes([bytes[at + 2], bytes[at + 3]]));
        assert_eq!(&bytes[at + 4..at + 6], b"CK");
        let from = plain.len();
        plain.resize(from + size, 0);
        let mut state = miniz_oxide::inflate::core::DecompressorOxide::new();
        let flags =
            miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let block = &bytes[at + 6..at + 4 + packed];
        let (status, _, written) =
            miniz_oxide::inflate::core::decompress(&mut state, block, &mut plain, from, flags);
        assert!(status == miniz_oxide::inflate::TINFLStatus::Done && written == size);
        at += 4 + packed;
    }
    plain
}

/// An object of a file.
#[derive(Default)]
pub(crate) struct Object {
    /// As the file spells it.
    pub template: String,
    /// Empty if the file gives none.
    pub name: String,
    /// In file order.
    pub numbers: Vec<f64>,
    /// In file order.
    pub texts: Vec<String>,
    /// In file order.
    pub objects: Vec<Object>,
    /// The names of other objects.
    pub references: Vec<String>,
}

impl Object {
    /// An object around everything in a valid file of any encoding.
    pub(crate) fn root(bytes: &[u8]) -> Self {
        let float_bytes = if &bytes[12..16] == b"0064" { 8 } else { 4 };
        let tokens = match &bytes[8..12] {
            b"txt " => tokens_of_text(&bytes[16..]),
            b"bin " => tokens_of_binary(&bytes[16..], float_bytes),
            b"tzip" => tokens_of_text(&inflated(bytes)),
            b"bzip" => tokens_of_binary(&inflated(bytes), float_bytes),
            other => panic!("{other:?}"),
        };
        let mut root = Self::default();
        let mut at = 0;
        while at < tokens.len() {
            read_into(&mut root, &tokens, &mut at);
        }
        root
    }

    /// The objects of a template within this one.
    pub(crate) fn of<'a>(&'a self, template: &'a str) -> impl Iterator<Item = &'a Object> {
        self.objects.iter().filter(move |object| object.template.eq_ignore_ascii_case(template))
    }
}

/// Reads up to the brace that closes the object, or to the end.
fn read_into(object: &mut Object, tokens: &[Token], at: &mut usize) {
    while let Some(word) = tokens.get(*at) {
        *at += 1;
        match word {
            Token::Close => return,
            Token::Number(number, _) => object.numbers.push(*number),
            Token::Text(text) => object.texts.push(text.clone()),
            Token::Open => {
                let mut name = String::new();
                while let Some(Token::Word(part) | Token::Number(_, part)) = tokens.get(*at) {
                    name.push_str(part);
                    *at += 1;
                }
                *at += 1; // the closing brace
                object.references.push(name);
            }
            Token::Word(template) if template.eq_ignore_ascii_case("template") => {
                while !matches!(tokens[*at], Token::Close) {
                    *at += 1;
                }
                *at += 1;
            }
            Token::Word(template) => {
                let mut inner = Object { template: template.clone(), ..Object::default() };
                while let Some(Token::Word(part) | Token::Number(_, part)) = tokens.get(*at) {
                    inner.name.push_str(part);
                    *at += 1;
                }
                assert!(matches!(tokens[*at], Token::Open), "{template:?} begins no object");
                *at += 1;
                read_into(&mut inner, tokens, at);
                object.objects.push(inner);
            }
        }
    }
}
