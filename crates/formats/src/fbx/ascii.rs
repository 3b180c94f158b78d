//! Text files: `Name: value, value { nested records }`.

use super::tree::{Budget, MAX_DEPTH, Node, Value, real_of};
use crate::{FilePlace, LoadOptions, ModelFormatError};
use std::borrow::Cow;

/// Reads the records of a text file.
///
/// # Errors
/// [`ModelFormatError`] with the line of the first part that does not follow the grammar.
pub(super) fn read<'a>(
    bytes: &'a [u8],
    options: &LoadOptions,
) -> Result<Node<'a>, ModelFormatError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = Reader { bytes, at: 0, line: 1, budget: Budget::new(options), options };
    let mut root = Node {
        name: Cow::Borrowed(""),
        at: FilePlace::Line(1),
        values: Vec::new(),
        children: Vec::new(),
    };
    reader.children(&mut root, 0)?;
    Ok(root)
}

/// The version in the comment of the first line: `; FBX 6.1.0 project file`.
pub(super) fn version_of_comment(bytes: &[u8]) -> Option<u32> {
    let line = bytes.split(|&byte| byte == b'\n').next()?;
    let text = std::str::from_utf8(line.get(..64.min(line.len()))?).ok()?;
    let numbers = text.split_once("FBX ")?.1.split_whitespace().next()?;
    let mut parts = numbers.split('.').map(|part| part.parse::<u32>().ok().filter(|&one| one < 10));
    let mut next = || parts.next().flatten();
    Some(next()? * 1000 + next()? * 100 + next()? * 10)
}

struct Reader<'a, 'o> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    budget: Budget,
    options: &'o LoadOptions,
}

/// True if a byte can be part of a word or a number.
fn is_word(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !matches!(byte, b',' | b':' | b'{' | b'}' | b';' | b'"' | b'*')
}

/// Records whose list of numbers has fractions and a stated length.
const REAL_LISTS: [&str; 14] = [
    "Vertices",
    "Normals",
    "NormalsW",
    "Tangents",
    "Binormals",
    "UV",
    "Colors",
    "Weights",
    "FullWeights",
    "Transform",
    "TransformLink",
    "TransformAssociateModel",
    "Matrix",
    "KeyValueFloat",
];

/// Records of a matrix.
const MATRICES: [&str; 4] = ["Transform", "TransformLink", "TransformAssociateModel", "Matrix"];

/// Expected count of numbers in a record, if known: of a list with a length, a matrix, or a
/// property by its type.
fn expected_numbers(node: &Node<'_>, stated: Option<usize>) -> Option<usize> {
    let (of_type, flags) = match &*node.name {
        "P" => (node.text(1)?, node.text(3)?),
        "Property" => (node.text(1)?, node.text(2)?),
        name if REAL_LISTS.contains(&name) && stated.is_some() => return stated,
        name if MATRICES.contains(&name) => return Some(16),
        _ => return None,
    };
    // A user property is followed by its bounds.
    if flags.contains('U') {
        return None;
    }
    match &*of_type {
        "Lcl Translation" | "Lcl Rotation" | "Lcl Scaling" | "Vector3D" | "Vector" | "Color"
        | "ColorRGB" => Some(3),
        "double" | "Number" | "float" | "FieldOfView" => Some(1),
        _ => None,
    }
}

/// Refuses numbers written with a decimal comma, as by a program under such a locale. A reader sees
/// their halves as two integers, so there are up to twice as many numbers as stated, and all are
/// integers.
fn refuse_decimal_commas(node: &Node<'_>, stated: Option<usize>) -> Result<(), ModelFormatError> {
    let found = match node.values.as_slice() {
        [Value::Ints(list)] => list.len(),
        list if list.iter().any(|value| matches!(value, Value::Real(_))) => return Ok(()),
        list => list.iter().filter(|value| matches!(value, Value::Int(_))).count(),
    };
    let Some(expected) = expected_numbers(node, stated).filter(|&expected| found > expected) else {
        return Ok(());
    };
    if found > 2 * expected {
        return Ok(());
    }
    let what = node.text(0).unwrap_or(Cow::Borrowed(&node.name));
    Err(decimal_comma(node.at, &what, &format!("{found} whole numbers for {expected}")))
}

fn decimal_comma(at: FilePlace, what: &str, found: &str) -> ModelFormatError {
    let found = format!("{found}, as if written with a decimal comma (1,5 for 1.5)");
    ModelFormatError::value(at, format!("{what:?}"), found, "numbers with a decimal point")
}

/// The values of a record. Integers and others are collected separately, so that long lists take
/// eight bytes per number.
#[derive(Default)]
struct ValueList<'a> {
    whole: Vec<i64>,
    real: Vec<f64>,
    /// All values, if they are not numbers alone.
    mixed: Vec<Value<'a>>,
}

impl<'a> ValueList<'a> {
    fn ends_with_integer(&self) -> bool {
        !self.whole.is_empty() || matches!(self.mixed.last(), Some(Value::Int(_)))
    }

    fn push(&mut self, value: Value<'a>) {
        let Self { whole, real, mixed } = self;
        match value {
            Value::Int(one) if mixed.is_empty() && real.is_empty() => whole.push(one),
            Value::Int(one) if mixed.is_empty() => real.push(real_of(one)),
            Value::Real(one) if mixed.is_empty() => {
                real.extend(whole.drain(..).map(real_of));
                real.push(one);
            }
            other => {
                mixed.extend(whole.drain(..).map(Value::Int));
                mixed.extend(real.drain(..).map(Value::Real));
                mixed.push(other);
            }
        }
    }

    fn finish(self) -> Vec<Value<'a>> {
        match (self.whole.as_slice(), self.real.as_slice()) {
            ([], []) => self.mixed,
            ([one], []) => vec![Value::Int(*one)],
            ([], [one]) => vec![Value::Real(*one)],
            (_, []) => vec![Value::Ints(self.whole)],
            _ => vec![Value::Reals(self.real)],
        }
    }
}

impl<'a> Reader<'a, '_> {
    fn place(&self) -> FilePlace {
        FilePlace::Line(self.line)
    }

    /// Skips blanks and comments, and peeks at the next byte.
    fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            if byte == b';' {
                let rest = self.bytes.get(self.at..)?;
                let end = rest.iter().position(|&byte| byte == b'\n');
                self.at += end.unwrap_or(rest.len());
            } else if byte.is_ascii_whitespace() || byte == 0 {
                self.line += usize::from(byte == b'\n');
                self.at += 1;
            } else {
                return Some(byte);
            }
        }
    }

    fn word(&mut self) -> &'a [u8] {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    /// True if a word is the name of the next record: a colon follows it.
    fn is_name(&self) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let mut behind = rest.iter().skip_while(|&&byte| is_word(byte));
        behind.find(|&&byte| byte != b' ' && byte != b'\t') == Some(&b':')
    }

    fn children(&mut self, parent: &mut Node<'a>, depth: usize) -> Result<(), ModelFormatError> {
        loop {
            match self.peek() {
                None if depth == 0 => return Ok(()),
                Some(b'}') if depth > 0 => {
                    self.at += 1;
                    return Ok(());
                }
                Some(byte) if is_word(byte) && self.is_name() => {
                    let node = self.node(depth)?;
                    parent.children.push(node);
                }
                found => {
                    let found = match found {
                        None => format!("the end of the file inside {:?}", parent.name),
                        Some(byte) => format!("{:?}", char::from(byte)),
                    };
                    let expected = "NAME: or }";
                    let at = self.place();
                    return Err(ModelFormatError::value(at, "a record", found, expected));
                }
            }
        }
    }

    fn node(&mut self, depth: usize) -> Result<Node<'a>, ModelFormatError> {
        let at = self.place();
        self.budget.node(at)?;
        self.options.deadline.check("reading records")?;
        if depth >= MAX_DEPTH {
            let found = format!("more than {MAX_DEPTH}");
            return Err(ModelFormatError::value(at, "nested records", found, "fewer"));
        }
        let name = String::from_utf8_lossy(self.word());
        self.peek();
        self.at += 1; // the colon
        let mut node = Node { name, at, values: Vec::new(), children: Vec::new() };
        let stated = self.values(&mut node)?;
        if self.peek() == Some(b'{') {
            self.at += 1;
            self.children(&mut node, depth + 1)?;
        }
        // The numbers of `Vertices: *24 { a: ... }` belong to it.
        if let [only] = node.children.as_mut_slice()
            && only.name == "a"
        {
            node.values = std::mem::take(&mut only.values);
            node.children.clear();
        }
        refuse_decimal_commas(&node, stated)?;
        Ok(node)
    }

    /// Reads the values of a record, and the stated length of its list.
    fn values(&mut self, node: &mut Node<'a>) -> Result<Option<usize>, ModelFormatError> {
        let mut first = true;
        let mut stated = None;
        let mut list = ValueList::default();
        loop {
            match self.peek() {
                Some(b',') => {
                    self.at += 1;
                    self.peek();
                }
                Some(b'{' | b'}') | None => break,
                Some(_) if !first => break,
                Some(_) => {}
            }
            first = false;
            let Some(byte) = self.bytes.get(self.at).copied() else { break };
            if byte == b',' {
                continue;
            }
            if matches!(byte, b'{' | b'}') {
                break;
            }
            if byte == b'*' {
                self.at += 1;
                stated = std::str::from_utf8(self.word()).ok().and_then(|text| text.parse().ok());
                continue;
            }
            if is_word(byte) && self.is_name() {
                break;
            }
            self.budget.values(1, self.place())?;
            let (at, start) = (self.place(), self.at);
            let value = self.value()?;
            // 1,05 reads as 1 and 05, but no program writes an integer like that.
            let is_zero_led = |digits: &[u8]| {
                digits.len() > 1
                    && digits.starts_with(b"0")
                    && digits.iter().all(u8::is_ascii_digit)
            };
            if list.ends_with_integer() && self.bytes.get(start..self.at).is_some_and(is_zero_led) {
                return Err(decimal_comma(at, &node.name, "a whole number starting with 0"));
            }
            list.push(value);
        }
        node.values = list.finish();
        Ok(stated)
    }

    fn value(&mut self) -> Result<Value<'a>, ModelFormatError> {
        let at = self.place();
        if self.bytes.get(self.at) == Some(&b'"') {
            return self.text();
        }
        let word = self.word();
        if word.is_empty() {
            let found = self.bytes.get(self.at).map_or('\0', |&byte| char::from(byte));
            let expected = "a number, a string or a letter";
            return Err(ModelFormatError::value(at, "a value", format!("{found:?}"), expected));
        }
        let text = std::str::from_utf8(word).unwrap_or_default();
        if let Ok(whole) = text.parse::<i64>() {
            return Ok(Value::Int(whole));
        }
        if let Ok(real) = text.parse::<f64>() {
            return Ok(Value::Real(real));
        }
        let lower = text.to_ascii_lowercase();
        if lower.contains("#inf") || lower.starts_with("inf") {
            let sign = if lower.starts_with('-') { -1.0 } else { 1.0 };
            return Ok(Value::Real(sign * f64::INFINITY));
        }
        if lower.contains("#ind") || lower.contains("nan") {
            return Ok(Value::Real(f64::NAN));
        }
        if let [letter] = word {
            return Ok(Value::Letter(*letter));
        }
        Ok(Value::Text(Cow::Borrowed(word)))
    }

    fn text(&mut self) -> Result<Value<'a>, ModelFormatError> {
        let at = self.place();
        self.at += 1;
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let Some(length) = rest.iter().position(|&byte| byte == b'"') else {
            let expected = "a quotation mark at its end";
            return Err(ModelFormatError::value(at, "a text", "the end of the file", expected));
        };
        let text = rest.get(..length).unwrap_or_default();
        self.at += length + 1;
        self.line += text.iter().filter(|&&byte| byte == b'\n').count();
        if !text.contains(&b'&') {
            return Ok(Value::Text(Cow::Borrowed(text)));
        }
        let mut plain = Vec::new();
        let mut left = text;
        while let Some((&byte, rest)) = left.split_first() {
            let escapes: [(&[u8], u8); 3] = [(b"&quot;", b'"'), (b"&cr;", b'\r'), (b"&lf;", b'\n')];
            let found = escapes.iter().find(|(escape, _)| left.starts_with(escape));
            match found {
                Some((escape, byte)) => {
                    plain.push(*byte);
                    left = left.get(escape.len()..).unwrap_or_default();
                }
                None => {
                    plain.push(byte);
                    left = rest;
                }
            }
        }
        Ok(Value::Text(Cow::Owned(plain)))
    }
}
