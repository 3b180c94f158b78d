//! Objects as text: a semicolon ends each member, commas part the elements of arrays.

use super::{Object, Part, Value, real};
use std::fmt::Write;

/// Numbers per line, in long arrays.
const NUMBERS: usize = 20;
/// Arrays of numbers up to this length are written in one line.
const SHORT: usize = 16;

/// The text of all objects.
pub(super) fn text(objects: &[Object]) -> String {
    let mut text = String::new();
    for object in objects {
        text.push('\n');
        write_object(&mut text, object, 0);
    }
    text
}

fn write_object(text: &mut String, object: &Object, depth: usize) {
    let indent = " ".repeat(depth);
    let name = if object.name.is_empty() { String::new() } else { format!("{} ", object.name) };
    let _ = writeln!(text, "{indent}{} {name}{{", object.template);
    for value in &object.values {
        text.push_str(&indent);
        text.push(' ');
        write_value(text, value, &indent);
        text.push_str(";\n");
    }
    for part in &object.parts {
        match part {
            Part::Object(part) => write_object(text, part, depth + 1),
            Part::Reference(name) => {
                let _ = writeln!(text, "{indent} {{ {name} }}");
            }
        }
    }
    let _ = writeln!(text, "{indent}}}");
}

/// A value on a single line.
pub(super) fn inline(value: &Value) -> String {
    let mut text = String::new();
    write_value(&mut text, value, "");
    text
}

fn write_value(text: &mut String, value: &Value, indent: &str) {
    match value {
        Value::Whole(number) => {
            let _ = write!(text, "{number}");
        }
        Value::Real(number, digits) => text.push_str(&real(*number, *digits)),
        Value::Text(string) => {
            let _ = write!(text, "\"{string}\"");
        }
        Value::Struct(members) => {
            for member in members {
                write_value(text, member, indent);
                text.push(';');
            }
        }
        Value::Array(elements) => {
            let is_short = elements.len() <= SHORT;
            for (index, element) in elements.iter().enumerate() {
                let is_struct = matches!(element, Value::Struct(_));
                if index > 0 {
                    text.push(',');
                    if is_struct || !is_short && index % NUMBERS == 0 {
                        text.push('\n');
                        text.push_str(indent);
                        text.push(' ');
                    }
                }
                write_value(text, element, indent);
            }
        }
    }
}
