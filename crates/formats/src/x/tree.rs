//! The object tree of a `.x` file in any encoding: data objects with their numbers, texts, children
//! and references.
//!
//! The tree mirrors the file in file order: nothing is converted or resolved, and only lists that
//! do not match their counts are repaired. It is flat: all objects are in one list, parents before
//! children, and children are indices into it. A tree of any depth can therefore be walked without
//! recursion by keeping a stack, and is dropped without recursion in any case.

use super::encoding::Encoding;
use super::guid::Guid;
use super::position_list::PositionList;
use super::template::Template;
use crate::text::SourcePosition;
use core::cmp::Ordering;
use tintype_base::deadline::{Deadline, TimedOut};

/// An object of a [`Document`], as its index in [`Document::objects`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectIndex(pub(super) u32);

impl ObjectIndex {
    /// The index into [`Document::objects`].
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A text of a [`Document`], as its index in [`Document::texts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextIndex(pub(super) u32);

/// A number or a text of an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Written without point and exponent, or an integer of a binary file. Binary integers are
    /// unsigned: -1 in text is 4294967295 in binary.
    Whole(i64),
    /// Any other number; NaN if the file contains `1.#IND`, `nan`, or such bits.
    Real(f64),
    /// The text is [`Document::text`].
    Text(TextIndex),
}

impl Value {
    /// The number, exact up to 2^53. None for a text.
    #[must_use]
    pub fn number(self) -> Option<f64> {
        match self {
            #[expect(clippy::cast_precision_loss, reason = "the nearest number is meant")]
            Self::Whole(value) => Some(value as f64),
            Self::Real(value) => Some(value),
            Self::Text(_) => None,
        }
    }
}

/// A data object: `Template name { <guid> values, children, references }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// The template as spelled in the file; compare without case.
    pub template: String,
    /// Empty if the file has none. Not unique.
    pub name: String,
    /// The object's GUID, not its template's.
    pub guid: Option<Guid>,
    /// The first byte of the template's name.
    pub position: SourcePosition,
    /// The object that contains this one.
    pub parent: Option<ObjectIndex>,
    /// All its direct numbers and texts in file order, without separators, including those after a
    /// child.
    pub values: Vec<Value>,
    /// In file order.
    pub children: Vec<Child>,
    /// True if the counts of its lists did not match their records; the values are those of the
    /// repaired lists.
    pub is_mended: bool,
    pub(super) positions: PositionList,
}

impl Object {
    /// True if the template has that name, in any case.
    #[must_use]
    pub fn is(&self, template: &str) -> bool {
        self.template.eq_ignore_ascii_case(template)
    }

    /// Position of a value; beyond the last value its position, and without values the position of
    /// the object.
    ///
    /// Walks over the values before it: intended for messages, not for every value.
    #[must_use]
    pub fn position_of(&self, value: usize) -> SourcePosition {
        self.positions.of(value, self.position)
    }
}

/// A child of an object.
#[derive(Clone, Debug, PartialEq)]
pub enum Child {
    /// An object.
    Object(ObjectIndex),
    /// A reference to an object anywhere in the file, or in another file.
    Reference(Reference),
}

/// `{ name }`, `{ name <guid> }` or `{ <guid> }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Empty if there is only a GUID.
    pub name: String,
    /// The GUID of the referenced object.
    pub guid: Option<Guid>,
    /// The opening brace.
    pub position: SourcePosition,
}

/// A whole file.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Every object in the order of their beginnings, parents before children.
    pub objects: Vec<Object>,
    /// The objects at the top level, in file order.
    pub roots: Vec<ObjectIndex>,
    /// The templates that the file itself declares.
    pub templates: Vec<Template>,
    /// Warnings: parts that were skipped or filled in.
    pub warnings: Vec<tintype_model::Warning>,
    /// As stated in the header.
    pub encoding: Encoding,
    /// 32 or 64: the width of floats in a binary file; without meaning in text.
    pub float_bits: u8,
    /// The texts of all values, decoded as UTF-8 or otherwise as Latin-1. Backslashes are kept as
    /// written.
    pub texts: Vec<String>,
    /// Objects with a name, sorted by it, then by file order.
    pub(super) by_name: Vec<ObjectIndex>,
    /// Objects with a name, sorted by it, then by template without case, then by file order.
    pub(super) by_kind: Vec<ObjectIndex>,
    /// Objects with a GUID, sorted by it, then by file order.
    pub(super) by_guid: Vec<ObjectIndex>,
    /// Deadline of the conversion of this document.
    pub(super) deadline: Deadline,
}

impl Document {
    /// The object with this index, which must come from this document.
    #[must_use]
    pub fn object(&self, index: ObjectIndex) -> &Object {
        &self.objects[index.index()]
    }

    /// The text of a value, which must come from this document.
    #[must_use]
    pub fn text(&self, index: TextIndex) -> &str {
        &self.texts[index.0 as usize]
    }

    /// The target of a reference, before or after it in the file: the first object with its GUID,
    /// otherwise the first with its name. It may be an object that contains the reference.
    #[must_use]
    pub fn resolve(&self, reference: &Reference) -> Option<ObjectIndex> {
        reference
            .guid
            .and_then(|guid| self.with_guid(guid))
            .or_else(|| self.named(&reference.name).next())
    }

    /// All objects of that name, in file order; empty for the empty name.
    pub fn named(&self, name: &str) -> impl Iterator<Item = ObjectIndex> {
        let start = self.by_name.partition_point(|&index| self.object(index).name.as_str() < name);
        let found = self.by_name.get(start..).unwrap_or_default();
        found.iter().copied().take_while(move |&index| self.object(index).name == name)
    }

    /// The first object of that name with this template, in any case. None for the empty name.
    #[must_use]
    pub fn named_of_kind(&self, name: &str, template: &str) -> Option<ObjectIndex> {
        let order = |index: ObjectIndex| {
            let object = self.object(index);
            object.name.as_str().cmp(name).then_with(|| compare_kinds(&object.template, template))
        };
        let start = self.by_kind.partition_point(|&index| order(index).is_lt());
        self.by_kind.get(start).copied().filter(|&index| order(index).is_eq())
    }

    /// The first object with that GUID.
    #[must_use]
    pub fn with_guid(&self, guid: Guid) -> Option<ObjectIndex> {
        let start = self.by_guid.partition_point(|&index| self.object(index).guid < Some(guid));
        let found = self.by_guid.get(start).copied();
        found.filter(|&index| self.object(index).guid == Some(guid))
    }

    /// Sorts the objects for look-up.
    pub(super) fn index_names(&mut self) -> Result<(), TimedOut> {
        const STAGE: &str = "sorting names";
        let all = || (0..u32::try_from(self.objects.len()).unwrap_or(u32::MAX)).map(ObjectIndex);
        let mut by_name: Vec<_> = all().filter(|&i| !self.object(i).name.is_empty()).collect();
        let mut by_guid: Vec<_> = all().filter(|&i| self.object(i).guid.is_some()).collect();
        // Stable, all three: file order stays.
        let deadline = &self.deadline;
        let order =
            |&a: &ObjectIndex, &b: &ObjectIndex| self.object(a).name.cmp(&self.object(b).name);
        deadline.sort(&mut by_name, STAGE, |part| part.sort_by(order), order)?;
        let order =
            |&a: &ObjectIndex, &b: &ObjectIndex| self.object(a).guid.cmp(&self.object(b).guid);
        deadline.sort(&mut by_guid, STAGE, |part| part.sort_by(order), order)?;
        let mut by_kind = by_name.clone();
        let order = |&a: &ObjectIndex, &b: &ObjectIndex| {
            let (a, b) = (self.object(a), self.object(b));
            a.name.cmp(&b.name).then_with(|| compare_kinds(&a.template, &b.template))
        };
        deadline.sort(&mut by_kind, STAGE, |part| part.sort_by(order), order)?;
        self.by_name = by_name;
        self.by_kind = by_kind;
        self.by_guid = by_guid;
        Ok(())
    }
}

/// The case-insensitive order of template names.
fn compare_kinds(a: &str, b: &str) -> Ordering {
    let lower = |byte: u8| byte.to_ascii_lowercase();
    a.bytes().map(lower).cmp(b.bytes().map(lower))
}

/// An object as named in messages.
pub(super) fn label(object: &Object) -> String {
    /// Names in the file.
    const NAMED: [&str; 5] = ["Frame", "Mesh", "Material", "AnimationSet", "Animation"];
    if object.name.is_empty() {
        let is_vowel = |letter| matches!(letter, 'A' | 'E' | 'I' | 'O' | 'U');
        let article = if object.template.starts_with(is_vowel) { "an" } else { "a" };
        let lacks = if NAMED.iter().any(|named| object.is(named)) { " without a name" } else { "" };
        format!("{article} {}{lacks}", object.template)
    } else {
        format!("{} {:?}", object.template, object.name)
    }
}
