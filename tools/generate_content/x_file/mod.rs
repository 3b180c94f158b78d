//! Writes DirectX `.x` files, version 3.3: as text, as binary, and as binary compressed with MSZIP.
//!
//! Input: objects. Output: the bytes of a file. `figure` makes the objects of rigs, meshes and
//! poses, with `mesh`, `normal` and `axes`; `text` and `binary` write them; `template` holds the
//! templates declared before them; `mszip` compresses. Both forms contain the same numbers: a
//! number is rounded to its decimals first, and binary stores the nearest float.

mod axes;
mod binary;
mod figure;
mod mesh;
mod mszip;
mod normal;
mod template;
mod text;

pub(crate) use axes::frame;
pub(crate) use figure::Figure;
pub(crate) use mesh::{Look, mesh_object};
pub(crate) use normal::normals;

/// A value of an object.
pub(crate) enum Value {
    /// A count, an index, a time.
    Whole(u32),
    /// A float, and its number of decimals.
    Real(f64, usize),
    /// A quoted text.
    Text(String),
    /// Members of a template within a template.
    Struct(Vec<Value>),
    /// As many values of one kind as a previous member states.
    Array(Vec<Value>),
}

/// An object.
#[derive(Default)]
pub(crate) struct Object {
    template: &'static str,
    name: String,
    values: Vec<Value>,
    parts: Vec<Part>,
}

/// Children of an object, after its values.
pub(crate) enum Part {
    Object(Object),
    /// The name of an object elsewhere.
    Reference(String),
}

impl Object {
    /// An object without a name.
    pub(crate) fn new(template: &'static str, values: Vec<Value>) -> Self {
        Self { template, values, ..Self::default() }
    }

    /// The same with a name: letters, digits and underscores.
    pub(crate) fn named(mut self, name: &str) -> Self {
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        assert!(is_plain && !name.is_empty(), "{name:?} is not a name for all readers");
        self.name = name.into();
        self
    }

    /// Puts an object into this one.
    pub(crate) fn push(&mut self, part: Object) {
        self.parts.push(Part::Object(part));
    }

    /// Puts the name of an object into this one.
    pub(crate) fn refer(&mut self, name: &str) {
        self.parts.push(Part::Reference(name.into()));
    }

    /// Visits the object and all below it.
    fn visit(&self, look: &mut dyn FnMut(&Object)) {
        look(self);
        for part in &self.parts {
            if let Part::Object(part) = part {
                part.visit(look);
            }
        }
    }
}

/// A count and as many elements.
fn counted(elements: Vec<Value>) -> Vec<Value> {
    vec![Value::Whole(elements.len() as u32), Value::Array(elements)]
}

/// A float as a text with a point; never a negative zero.
fn real(value: f64, digits: usize) -> String {
    assert!(value.is_finite(), "{value} in a file");
    let mut text = crate::md5_text::number(value, digits);
    if !text.contains('.') {
        text.push_str(".0");
    }
    text
}

/// The bytes of a text file.
pub(crate) fn text(objects: &[Object]) -> Vec<u8> {
    let mut file = String::from("xof 0303txt 0032\n\n");
    file.push_str(&template::text(objects));
    file.push_str(&text::text(objects));
    file.into_bytes()
}

/// The bytes of a binary file.
pub(crate) fn binary(objects: &[Object]) -> Vec<u8> {
    [b"xof 0303bin 0032".to_vec(), binary_body(objects)].concat()
}

/// The bytes of a compressed binary file.
pub(crate) fn compressed(objects: &[Object]) -> Vec<u8> {
    [b"xof 0303bzip0032".to_vec(), mszip::pack(&binary_body(objects))].concat()
}

fn binary_body(objects: &[Object]) -> Vec<u8> {
    [template::binary(objects), binary::binary(objects)].concat()
}
