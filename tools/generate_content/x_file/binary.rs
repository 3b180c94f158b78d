//! Objects as tokens: 16-bit marks with records. Adjacent numbers of one kind form a list; integers
//! have 32 bits.

use super::{Object, Part, Value, real};

pub(super) const NAME: u16 = 0x01;
const STRING: u16 = 0x02;
pub(super) const INTEGER: u16 = 0x03;
pub(super) const GUID: u16 = 0x05;
const INTEGER_LIST: u16 = 0x06;
const FLOAT_LIST: u16 = 0x07;
pub(super) const OPEN: u16 = 0x0a;
pub(super) const CLOSE: u16 = 0x0b;
pub(super) const SEMICOLON: u16 = 0x14;

/// The tokens of all objects.
pub(super) fn binary(objects: &[Object]) -> Vec<u8> {
    let mut writer = Writer::default();
    for object in objects {
        writer.object(object);
    }
    writer.bytes
}

/// Writes a record of bytes after their count.
pub(super) fn push_counted(bytes: &mut Vec<u8>, mark: u16, record: &[u8]) {
    push_mark(bytes, mark);
    bytes.extend((record.len() as u32).to_le_bytes());
    bytes.extend(record);
}

pub(super) fn push_mark(bytes: &mut Vec<u8>, mark: u16) {
    bytes.extend(mark.to_le_bytes());
}

#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    /// The mark and the numbers of a list that may grow.
    list: Option<(u16, Vec<[u8; 4]>)>,
}

impl Writer {
    fn object(&mut self, object: &Object) {
        push_counted(&mut self.bytes, NAME, object.template.as_bytes());
        if !object.name.is_empty() {
            push_counted(&mut self.bytes, NAME, object.name.as_bytes());
        }
        push_mark(&mut self.bytes, OPEN);
        object.values.iter().for_each(|value| self.value(value));
        self.end_list();
        for part in &object.parts {
            match part {
                Part::Object(part) => self.object(part),
                Part::Reference(name) => {
                    push_mark(&mut self.bytes, OPEN);
                    push_counted(&mut self.bytes, NAME, name.as_bytes());
                    push_mark(&mut self.bytes, CLOSE);
                }
            }
        }
        push_mark(&mut self.bytes, CLOSE);
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Whole(number) => self.number(INTEGER_LIST, number.to_le_bytes()),
            Value::Real(number, digits) => {
                let rounded: f64 = real(*number, *digits).parse().expect("it was just written");
                self.number(FLOAT_LIST, (rounded as f32).to_le_bytes());
            }
            Value::Text(string) => {
                self.end_list();
                push_counted(&mut self.bytes, STRING, string.as_bytes());
                push_mark(&mut self.bytes, SEMICOLON);
            }
            Value::Struct(values) | Value::Array(values) => {
                values.iter().for_each(|value| self.value(value));
            }
        }
    }

    fn number(&mut self, mark: u16, number: [u8; 4]) {
        if self.list.as_ref().is_some_and(|(of, _)| *of != mark) {
            self.end_list();
        }
        self.list.get_or_insert_with(|| (mark, Vec::new())).1.push(number);
    }

    fn end_list(&mut self) {
        if let Some((mark, numbers)) = self.list.take() {
            push_mark(&mut self.bytes, mark);
            self.bytes.extend((numbers.len() as u32).to_le_bytes());
            self.bytes.extend(numbers.as_flattened());
        }
    }
}
