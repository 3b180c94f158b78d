//! Scene document: the tree of tables, arrays and values of a scene before it is checked.
//!
//! [`Document::parse`] makes it from TOML text, with the bytes of each value;
//! [`super::SceneBuilder`] makes it without text. The readers of the sibling modules check both in
//! the same way. [`Document::to_toml`] writes it.

use super::error::quoted;
use super::syntax;
use std::fmt::Write;
use std::ops::Range;
use tintype_base::git::{MERGE_CONFLICT, merge_conflict};
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

/// A value of a scene.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// A text.
    Text(String),
    /// An integer and its digits as written. None if it does not fit.
    Integer(Option<i64>, String),
    /// A number with a fraction and its digits as written.
    Float(Option<f64>, String),
    /// True or false.
    Truth(bool),
    /// A date, which no key accepts.
    Date,
    /// Values in their order.
    Array(Vec<Node>),
    /// Values by their keys.
    Table(Fields),
}

/// A value and its bytes in the text; empty without a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub value: Value,
    pub span: Range<usize>,
}

/// The keys of a table with their values, in the order of the builder; a parsed table is sorted by
/// key.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields(Vec<Field>);

/// The order of keys has no meaning.
impl PartialEq for Fields {
    fn eq(&self, other: &Self) -> bool {
        let has = |field: &Field| other.get(&field.key) == Some(field);
        self.0.len() == other.0.len() && self.0.iter().all(has)
    }
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    pub key: String,
    pub key_span: Range<usize>,
    pub node: Node,
}

/// The whole tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Document {
    pub root: Fields,
}

impl Document {
    /// The tree of a text, as far as it is TOML, and the positions of invalid parts.
    pub(super) fn parse(text: &str) -> (Self, Option<syntax::SyntaxErrors>) {
        if let Some(marker) = merge_conflict(text) {
            let found = vec![(marker, MERGE_CONFLICT.to_owned())];
            let errors = syntax::SyntaxErrors { found, open_bracket: true };
            return (Self::default(), Some(errors));
        }
        let (table, errors) = DeTable::parse_recoverable(text);
        let root = fields_of(table.get_ref());
        let errors = (!errors.is_empty()).then(|| syntax::find(text, &errors));
        (Self { root }, errors)
    }

    /// Gives each value its position in the document as its span, so that mistakes can be sorted
    /// like those of a text.
    pub(super) fn number(&mut self) {
        number_fields(&mut self.root, &mut 0);
    }

    /// The document as TOML text: one key per line, tables of the root under headers, deeper tables
    /// inline.
    pub(super) fn to_toml(&self) -> String {
        let mut text = String::new();
        // Keys of the root come before the first header.
        for field in &self.root.0 {
            if !field.node.value.has_header() {
                line(&mut text, field);
            }
        }
        for Field { key, node, .. } in &self.root.0 {
            match &node.value {
                Value::Table(fields) => section(&mut text, &format!("[{key}]"), fields),
                Value::Array(elements) if node.value.has_header() => {
                    for element in elements {
                        if let Value::Table(fields) = &element.value {
                            section(&mut text, &format!("[[{key}]]"), fields);
                        }
                    }
                }
                _ => {}
            }
        }
        text
    }
}

impl Fields {
    /// The field of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Field> {
        self.0.iter().find(|field| field.key == key)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Field> {
        self.0.iter()
    }

    /// Sets a key; an existing key keeps its position.
    pub(super) fn set(&mut self, key: &str, value: impl Into<Value>) {
        let node = Node { value: value.into(), span: 0..0 };
        match self.0.iter_mut().find(|field| field.key == key) {
            Some(field) => field.node = node,
            None => self.0.push(Field { key: key.to_owned(), key_span: 0..0, node }),
        }
    }

    /// The fields with other values; keys keep their positions.
    pub(super) fn map(&self, mut value: impl FnMut(&Field) -> Node) -> Self {
        let field = |field: &Field| Field { node: value(field), ..field.clone() };
        Self(self.0.iter().map(field).collect())
    }

    /// Removes a key.
    pub(super) fn remove(&mut self, key: &str) {
        self.0.retain(|field| field.key != key);
    }

    /// The table of a key, which is created if it is absent.
    pub(super) fn table(&mut self, key: &str) -> &mut Self {
        let is_table =
            self.get(key).is_some_and(|field| matches!(field.node.value, Value::Table(_)));
        if !is_table {
            self.set(key, Self::default());
        }
        let mut fields = self.0.iter_mut().filter(|field| field.key == key);
        let table = fields.find_map(|field| match &mut field.node.value {
            Value::Table(table) => Some(table),
            _ => None,
        });
        table.expect("the key was set above")
    }

    /// Adds an element to the array of a key.
    pub(super) fn push(&mut self, key: &str, value: impl Into<Value>) {
        let node = Node { value: value.into(), span: 0..0 };
        match self.0.iter_mut().find(|field| field.key == key) {
            Some(Field { node: Node { value: Value::Array(elements), .. }, .. }) => {
                elements.push(node);
            }
            _ => self.set(key, Value::Array(vec![node])),
        }
    }
}

impl Value {
    /// An array of values.
    pub(super) fn array<V: Into<Self>>(elements: impl IntoIterator<Item = V>) -> Self {
        let node = |element: V| Node { value: element.into(), span: 0..0 };
        Self::Array(elements.into_iter().map(node).collect())
    }

    /// A table of keys and values.
    pub(super) fn table<const N: usize>(fields: [(&str, Value); N]) -> Self {
        let mut table = Fields::default();
        fields.into_iter().for_each(|(key, value)| table.set(key, value));
        Self::Table(table)
    }

    /// The value without its positions in a text.
    pub(super) fn plain(&self) -> Self {
        let node = |node: &Node| Node { value: node.value.plain(), span: 0..0 };
        match self {
            Self::Array(elements) => Self::Array(elements.iter().map(node).collect()),
            Self::Table(Fields(fields)) => {
                let field = |field: &Field| Field {
                    key: field.key.clone(),
                    key_span: 0..0,
                    node: node(&field.node),
                };
                Self::Table(Fields(fields.iter().map(field).collect()))
            }
            value => value.clone(),
        }
    }

    /// True if it is written under a header in the root of a document.
    fn has_header(&self) -> bool {
        let is_table = |node: &Node| matches!(node.value, Self::Table(_));
        match self {
            Self::Table(_) => true,
            Self::Array(elements) => !elements.is_empty() && elements.iter().all(is_table),
            _ => false,
        }
    }

    /// The value on one line, as TOML writes it.
    pub(super) fn to_inline(&self) -> String {
        match self {
            Self::Text(text) => toml::Value::from(text.as_str()).to_string(),
            Self::Integer(_, written) | Self::Float(_, written) => written.clone(),
            Self::Truth(value) => value.to_string(),
            Self::Date => String::new(),
            Self::Array(elements) => {
                let elements: Vec<String> =
                    elements.iter().map(|element| element.value.to_inline()).collect();
                format!("[{}]", elements.join(", "))
            }
            Self::Table(fields) => {
                let field =
                    |field: &Field| format!("{} = {}", field.key, field.node.value.to_inline());
                let fields: Vec<String> = fields.iter().map(field).collect();
                format!("{{ {} }}", fields.join(", "))
            }
        }
    }

    /// The value as a message shows it.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Text(text) => format!("the string {}", quoted(text)),
            Self::Integer(_, written) | Self::Float(_, written) => format!("the number {written}"),
            Self::Truth(value) => value.to_string(),
            Self::Date => "a date".to_owned(),
            Self::Array(elements) => format!("an array of {}", elements.len()),
            Self::Table(_) => "a table".to_owned(),
        }
    }
}

/// Conversions between types of values.
macro_rules! conversions {
    ($into:ty: $($(#[$doc:meta])* $from:ty: |$value:pat_param| $to:expr;)*) => {$(
        $(#[$doc])*
        impl From<$from> for $into {
            fn from($value: $from) -> Self {
                $to
            }
        }
    )*};
}
pub(super) use conversions;

conversions! { Value:
    &str: |text| Self::Text(text.to_owned());
    String: |text| Self::Text(text);
    bool: |value| Self::Truth(value);
    i64: |number| Self::Integer(Some(number), number.to_string());
    u32: |number| Self::from(i64::from(number));
    /// The shortest digits that read back as the same number.
    f64: |number| Self::Float(Some(number), match number {
        number if number.is_nan() => "nan".to_owned(),
        f64::INFINITY => "inf".to_owned(),
        f64::NEG_INFINITY => "-inf".to_owned(),
        number => format!("{number:?}"),
    });
    Fields: |fields| Self::Table(fields);
}

impl<V: Into<Self>, const N: usize> From<[V; N]> for Value {
    fn from(elements: [V; N]) -> Self {
        Self::array(elements)
    }
}

fn fields_of(table: &DeTable<'_>) -> Fields {
    let field = |(key, node): (&Spanned<_>, &Spanned<DeValue<'_>>)| Field {
        key: AsRef::<str>::as_ref(key.get_ref()).to_owned(),
        key_span: key.span(),
        node: node_of(node),
    };
    Fields(
        table
            .iter()
            .map(|(key, node): (&Spanned<std::borrow::Cow<'_, str>>, _)| field((key, node)))
            .collect(),
    )
}

fn node_of(node: &Spanned<DeValue<'_>>) -> Node {
    let array = |array: &DeArray<'_>| Value::Array(array.iter().map(node_of).collect());
    let value = match node.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => {
            let value = i64::from_str_radix(number.as_str(), number.radix()).ok();
            Value::Integer(value, number.to_string())
        }
        DeValue::Float(number) => Value::Float(number.as_str().parse().ok(), number.to_string()),
        DeValue::Boolean(value) => Value::Truth(*value),
        DeValue::Datetime(_) => Value::Date,
        DeValue::Array(elements) => array(elements),
        DeValue::Table(table) => Value::Table(fields_of(table)),
    };
    Node { value, span: node.span() }
}

fn number_fields(fields: &mut Fields, next: &mut usize) {
    for Field { key_span, node, .. } in &mut fields.0 {
        *key_span = *next..*next;
        number_node(node, next);
    }
}

fn number_node(node: &mut Node, next: &mut usize) {
    node.span = *next..*next;
    *next += 1;
    match &mut node.value {
        Value::Array(elements) => elements.iter_mut().for_each(|node| number_node(node, next)),
        Value::Table(fields) => number_fields(fields, next),
        _ => {}
    }
}

fn section(text: &mut String, header: &str, fields: &Fields) {
    let blank = if text.is_empty() { "" } else { "\n" };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{blank}{header}");
    fields.iter().for_each(|field| line(text, field));
}

fn line(text: &mut String, field: &Field) {
    let _ = writeln!(text, "{} = {}", field.key, field.node.value.to_inline());
}
