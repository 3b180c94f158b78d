//! The object tree of a `.x` file as readable text, and comparisons of trees.

use crate::held::Held;
use std::fmt::Write as _;
use tintype_formats::x::{
    Child, Dimension, Document, MemberKind, Object, ObjectIndex, Openness, Value, XError,
};
use tintype_formats::{LoadOptions, x};

/// This number of values of an object is written in full.
const SHOWN_VALUES: usize = 24;

/// The tree of a file, or the message that refuses it.
pub(crate) fn of_bytes(bytes: &[u8]) -> Result<String, String> {
    let document = read(bytes).map_err(|error| error.to_string())?;
    let mut text = format!("{}, {} bits\n", document.encoding, document.float_bits);
    templates(&document, &mut text);
    for (depth, index) in walk(&document) {
        let object = document.object(index);
        let indent = "  ".repeat(depth.min(8));
        let _ = write!(text, "{indent}{} {:?}", object.template, object.name);
        if let Some(guid) = object.guid {
            let _ = write!(text, " {guid}");
        }
        let _ = writeln!(text, ", {}: {}", object.position, values(&document, object));
        for child in &object.children {
            if let Child::Reference(reference) = child {
                let _ = write!(text, "{indent}  -> {:?}", reference.name);
                if let Some(guid) = reference.guid {
                    let _ = write!(text, " {guid}");
                }
                let found = match document.resolve(reference) {
                    Some(index) => format!(
                        "{} of {}",
                        document.object(index).template,
                        document.object(index).position
                    ),
                    None => "nothing here".into(),
                };
                let _ = writeln!(text, ", {}: {found}", reference.position);
            }
        }
    }
    for warning in &document.warnings {
        let _ = writeln!(text, "warning, line {}: {}", warning.line, warning.message);
    }
    Ok(text)
}

pub(crate) fn read(bytes: &[u8]) -> Result<Document, XError> {
    x::read_document(bytes, &LoadOptions::default())
}

/// Every object with its depth, in file order.
fn walk(document: &Document) -> Vec<(usize, ObjectIndex)> {
    let mut found = Vec::new();
    let mut open: Vec<_> = document.roots.iter().rev().map(|root| (0, *root)).collect();
    while let Some((depth, index)) = open.pop() {
        found.push((depth, index));
        open.extend(document.object(index).children.iter().rev().filter_map(|child| match child {
            Child::Object(child) => Some((depth + 1, *child)),
            Child::Reference(_) => None,
        }));
    }
    found
}

fn values(document: &Document, object: &Object) -> String {
    let mut text = format!("{} values", object.values.len());
    for (index, value) in object.values.iter().take(SHOWN_VALUES).enumerate() {
        let _ = match value {
            Value::Whole(value) => write!(text, " {value}"),
            Value::Real(value) => write!(text, " {value:?}"),
            Value::Text(index) => write!(text, " {:?}", document.text(*index)),
        };
        let position = object.position_of(index);
        let _ = if position.line > 0 {
            write!(text, "@{}:{}", position.line, position.column)
        } else {
            write!(text, "@{}", position.offset)
        };
    }
    text
}

fn templates(document: &Document, text: &mut String) {
    for template in &document.templates {
        let _ = write!(text, "template {}", template.name);
        if let Some(guid) = template.guid {
            let _ = write!(text, " {guid}");
        }
        for member in &template.members {
            let kind = match &member.kind {
                MemberKind::Whole => "whole",
                MemberKind::Real => "real",
                MemberKind::Text => "text",
                MemberKind::Template(name) => name,
            };
            let _ = write!(text, "; {kind} {:?}", member.name);
            for dimension in &member.dimensions {
                let _ = match dimension {
                    Dimension::Fixed(length) => write!(text, "[{length}]"),
                    Dimension::Member(name) => write!(text, "[{name:?}]"),
                };
            }
        }
        let _ = match &template.openness {
            Openness::Closed => writeln!(text, "; closed"),
            Openness::Open => writeln!(text, "; open"),
            Openness::Restricted(names) => writeln!(text, "; open to {names:?}"),
        };
    }
}

/// The first difference of two trees of the same file in two encodings: same templates, objects,
/// references and texts, and the same numbers to within `apart` and half of a 32-bit float's last
/// digit.
pub(crate) fn first_difference(a: &Document, b: &Document, apart: f64) -> Option<String> {
    if a.objects.len() != b.objects.len() {
        return Some(format!("{} and {} objects", a.objects.len(), b.objects.len()));
    }
    if a.roots != b.roots {
        return Some(format!("roots {:?} and {:?}", a.roots, b.roots));
    }
    let names = |document: &Document| -> Vec<_> {
        document
            .templates
            .iter()
            .map(|template| (template.name.clone(), template.guid, template.members.clone()))
            .collect()
    };
    if names(a) != names(b) {
        return Some("templates".into());
    }
    for (own, other) in a.objects.iter().zip(&b.objects) {
        let at =
            format!("{} {:?} of {} and {}", own.template, own.name, own.position, other.position);
        let head = |object: &Object| {
            (object.template.clone(), object.name.clone(), object.guid, object.parent)
        };
        if head(own) != head(other) {
            return Some(format!("{at}: heads differ"));
        }
        if own.values.len() != other.values.len() {
            return Some(format!("{at}: {} and {} values", own.values.len(), other.values.len()));
        }
        for (index, (value, twin)) in own.values.iter().zip(&other.values).enumerate() {
            let same = match (value, twin) {
                (Value::Text(value), Value::Text(twin)) => a.text(*value) == b.text(*twin),
                _ => match (value.number(), twin.number()) {
                    (Some(value), Some(twin)) => {
                        (value - twin).abs()
                            <= 6.0e-8 * value.abs().at_least(twin.abs()) + 1e-45 + apart
                    }
                    _ => false,
                },
            };
            if !same {
                return Some(format!("{at}: value {index}: {value:?} and {twin:?}"));
            }
        }
        let children = |object: &Object| -> Vec<_> {
            object
                .children
                .iter()
                .map(|child| match child {
                    Child::Object(index) => (Some(*index), String::new(), None),
                    Child::Reference(reference) => (None, reference.name.clone(), reference.guid),
                })
                .collect()
        };
        if children(own) != children(other) {
            return Some(format!("{at}: children differ"));
        }
    }
    None
}
