//! The data objects of a `.x` text with the positions of their numbers and strings.

use core::ops::Range;

/// A data object.
#[derive(Debug, Default)]
pub(super) struct Object {
    pub template: String,
    pub name: String,
    pub parent: Option<usize>,
    /// From its template to after its closing brace.
    pub span: Range<usize>,
    /// Its direct numbers, not those of nested objects.
    pub numbers: Vec<Range<usize>>,
    /// Its direct strings without their quotes.
    pub strings: Vec<Range<usize>>,
    /// The names in braces.
    pub references: Vec<Range<usize>>,
}

/// A text with its objects.
pub(super) struct Tree {
    pub text: String,
    pub objects: Vec<Object>,
}

impl Tree {
    /// Reads a text; templates are objects like others.
    pub(super) fn new(text: String) -> Self {
        let bytes = text.as_bytes();
        let mut objects: Vec<Object> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut words: Vec<Range<usize>> = Vec::new();
        let is_word = |c: u8| c.is_ascii_alphanumeric() || b"_.-+:\\/".contains(&c) || c > 127;
        let is_reference = |at: usize| {
            let end = text[at..].find('}').map_or(at, |length| at + length);
            !text[at..end].contains([';', '{', '"'])
        };
        let mut at = 16.min(bytes.len());
        while at < bytes.len() {
            let c = bytes[at];
            if c == b'#' || bytes[at..].starts_with(b"//") {
                at += text[at..].find('\n').unwrap_or(bytes.len() - at);
            } else if c == b'"' {
                let end = at + 1 + text[at + 1..].find('"').unwrap_or(0);
                if let Some(&object) = open.last() {
                    objects[object].strings.push(at + 1..end);
                }
                at = end + 1;
            } else if c == b'<' {
                at += text[at..].find('>').unwrap_or(0) + 1;
            } else if is_word(c) {
                let end =
                    at + bytes[at..].iter().position(|&c| !is_word(c)).unwrap_or(bytes.len() - at);
                let is_number = text[at..end].parse::<f64>().is_ok();
                match open.last() {
                    Some(&object) if is_number => objects[object].numbers.push(at..end),
                    _ => words.push(at..end),
                }
                at = end;
            } else if c == b'{' {
                let named = words.split_off(words.len().saturating_sub(2));
                if named.is_empty() && is_reference(at + 1) {
                    let end = at + text[at..].find('}').unwrap_or(0);
                    let inner = &text[at + 1..end];
                    let first = at + 1 + (inner.len() - inner.trim_start().len());
                    if let Some(&object) = open.last() {
                        objects[object].references.push(first..first + inner.trim().len());
                    }
                    at = end + 1;
                    continue;
                }
                // The first of two words is the template, unless it belongs to the text of a
                // template.
                let word =
                    |index: usize| named.get(index).map(|range| text[range.clone()].to_owned());
                objects.push(Object {
                    template: word(0).unwrap_or_default(),
                    name: word(1).unwrap_or_default(),
                    parent: open.last().copied(),
                    span: named.first().map_or(at, |range| range.start)..at,
                    ..Object::default()
                });
                open.push(objects.len() - 1);
                words.clear();
                at += 1;
            } else if c == b'}' {
                if let Some(object) = open.pop() {
                    objects[object].span.end = at + 1;
                }
                words.clear();
                at += 1;
            } else {
                at += 1;
            }
        }
        Self { text, objects }
    }

    /// The indices of the objects of a template.
    pub(super) fn of(&self, template: &str) -> Vec<usize> {
        let all = self.objects.iter().enumerate();
        all.filter(|(_, one)| one.template == template).map(|(index, _)| index).collect()
    }

    pub(super) fn child(&self, parent: usize, template: &str) -> Option<usize> {
        self.of(template).into_iter().find(|&one| self.objects[one].parent == Some(parent))
    }

    pub(super) fn number(&self, object: usize, index: usize) -> Option<f64> {
        self.text[self.objects[object].numbers.get(index)?.clone()].parse().ok()
    }

    pub(super) fn count(&self, object: usize, index: usize) -> Option<usize> {
        self.number(object, index).map(|number| number as usize)
    }

    pub(super) fn string(&self, object: usize, index: usize) -> Option<&str> {
        self.text.get(self.objects[object].strings.get(index)?.clone())
    }

    /// The text with numbers of an object replaced.
    pub(super) fn with_numbers(&self, object: usize, values: &[(usize, f64)]) -> String {
        let numbers = &self.objects[object].numbers;
        let mut places: Vec<(Range<usize>, String)> = values
            .iter()
            .map(|&(index, value)| {
                let place = numbers[index].clone();
                let is_whole = !self.text[place.clone()].contains('.') && value.fract() == 0.0;
                let new = if is_whole { format!("{value}") } else { format!("{value:.7}") };
                (place, new)
            })
            .collect();
        places.sort_by_key(|(place, _)| place.start);
        self.with(places)
    }

    /// The text with parts replaced, which are in order.
    pub(super) fn with(&self, places: Vec<(Range<usize>, String)>) -> String {
        let mut text = String::with_capacity(self.text.len());
        let mut done = 0;
        for (place, new) in places {
            text += &self.text[done..place.start];
            text += &new;
            done = place.end;
        }
        text + &self.text[done..]
    }
}
