//! The type of the next value of an object with a known template: a number, a text, or none.
//!
//! Files need this only for a word among values, which the tokens alone leave ambiguous: it may be
//! a text without quotes, or the beginning of an object. Nothing here refuses a file.

use super::standard;
use super::template::{Dimension, Member, MemberKind, Template};
use super::template_reader::{ObjectBudget, read_members};
use super::text::TextSource;
use super::tree::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The next value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Number,
    Text,
    /// The object has all its values, or its template does not define them.
    Nothing,
}

/// A member of a template, as far as its values are concerned.
struct Slot {
    kind: MemberKind,
    lengths: Vec<Length>,
}

/// The length of an array.
enum Length {
    Fixed(u64),
    /// The count is the value of that member.
    Slot(usize),
    /// The count is the value of a missing member.
    Unknown,
}

/// The known templates: the standard ones and those of the file, which take precedence.
pub(super) struct Shapes {
    slots: Vec<Vec<Slot>>,
    /// Names in lower case.
    by_name: BTreeMap<String, usize>,
    declared: usize,
}

impl Shapes {
    pub(super) fn new() -> Self {
        let mut shapes = Self { slots: Vec::new(), by_name: BTreeMap::new(), declared: 0 };
        for (name, members) in standard::TEMPLATES {
            let mut source = TextSource::new(members.as_bytes(), 0);
            let members = read_members(&mut source, &mut ObjectBudget::new(usize::MAX));
            shapes.insert(name, &members.unwrap_or_default());
        }
        shapes
    }

    fn insert(&mut self, name: &str, members: &[Member]) {
        let mut indices = BTreeMap::new();
        let mut slots = Vec::new();
        for (index, member) in members.iter().enumerate() {
            let lengths = member.dimensions.iter().map(|dimension| match dimension {
                Dimension::Fixed(length) => Length::Fixed(u64::from(*length)),
                Dimension::Member(name) => {
                    indices.get(name.as_str()).map_or(Length::Unknown, |slot| Length::Slot(*slot))
                }
            });
            slots.push(Slot { kind: member.kind.clone(), lengths: lengths.collect() });
            indices.insert(member.name.as_str(), index);
        }
        self.by_name.insert(name.to_ascii_lowercase(), self.slots.len());
        self.slots.push(slots);
    }

    /// Takes over the templates declared in the file since the last call.
    pub(super) fn update(&mut self, templates: &[Template]) {
        for template in templates.get(self.declared..).unwrap_or_default() {
            self.insert(&template.name, &template.members);
        }
        self.declared = templates.len();
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(&name.to_ascii_lowercase()).copied()
    }

    pub(super) fn knows(&self, name: &str) -> bool {
        self.find(name).is_some()
    }
}

/// Walks the values of one object along its template.
pub(super) struct Cursor {
    levels: Vec<Level>,
    /// Number of values passed.
    passed: usize,
}

/// A template nested in another.
struct Level {
    template: usize,
    member: usize,
    /// Remaining elements of the member. None before its first.
    left: Option<u64>,
    /// The numbers of the members so far.
    numbers: Vec<u64>,
}

impl Level {
    fn new(template: usize) -> Self {
        Self { template, member: 0, left: None, numbers: Vec::new() }
    }

    /// Skips one element, whose value is kept if it is a length.
    fn pass(&mut self, number: u64) {
        let left = self.left.unwrap_or(1).saturating_sub(1);
        self.left = Some(left);
        if left == 0 {
            self.pass_member(number);
        }
    }

    fn pass_member(&mut self, number: u64) {
        self.numbers.push(number);
        self.member += 1;
        self.left = None;
    }
}

impl Cursor {
    /// No file nests templates deeper; one that contains itself would.
    const MAX_LEVELS: usize = 32;
    /// Maximum number of steps without a value: an array of empty templates would take as many as
    /// it has elements.
    const MAX_STEPS: usize = 1000;

    /// At the first value of an object; its template may be unknown.
    pub(super) fn new(shapes: &Shapes, template: &str) -> Self {
        Self { levels: shapes.find(template).map(Level::new).into_iter().collect(), passed: 0 }
    }

    /// The value expected after `values`, which extend those of the last call.
    pub(super) fn expected(&mut self, shapes: &Shapes, values: &[Value]) -> Expected {
        for value in values.get(self.passed..).unwrap_or_default() {
            if self.settle(shapes) == Expected::Nothing {
                break;
            }
            let number = match value {
                Value::Whole(number) => u64::try_from(*number).unwrap_or(0),
                _ => 0,
            };
            if let Some(level) = self.levels.last_mut() {
                level.pass(number);
            }
        }
        self.passed = values.len();
        self.settle(shapes)
    }

    /// Enters and leaves templates until a plain value comes.
    fn settle(&mut self, shapes: &Shapes) -> Expected {
        for _ in 0..Self::MAX_STEPS {
            if self.levels.len() > Self::MAX_LEVELS {
                break;
            }
            let Some(level) = self.levels.last_mut() else { return Expected::Nothing };
            let Some(slots) = shapes.slots.get(level.template) else { break };
            let Some(slot) = slots.get(level.member) else {
                self.levels.pop();
                if let Some(outer) = self.levels.last_mut() {
                    outer.pass(0);
                }
                continue;
            };
            if level.left.is_none() {
                let Some(count) = count_of(slot, &level.numbers) else { break };
                if count == 0 {
                    level.pass_member(0);
                    continue;
                }
                level.left = Some(count);
            }
            match &slot.kind {
                MemberKind::Whole | MemberKind::Real => return Expected::Number,
                MemberKind::Text => return Expected::Text,
                MemberKind::Template(name) => {
                    let Some(inner) = shapes.find(name) else { break };
                    self.levels.push(Level::new(inner));
                }
            }
        }
        self.levels.clear();
        Expected::Nothing
    }
}

/// Number of elements of a member. None if it is unknown.
fn count_of(slot: &Slot, numbers: &[u64]) -> Option<u64> {
    slot.lengths.iter().try_fold(1_u64, |count, length| {
        let length = match length {
            Length::Fixed(length) => *length,
            Length::Slot(slot) => *numbers.get(*slot)?,
            Length::Unknown => return None,
        };
        Some(count.saturating_mul(length))
    })
}

/// The templates that contain themselves, directly or through others.
pub(super) fn endless(templates: &[Template]) -> Vec<&Template> {
    let mut by_name = BTreeMap::new();
    for (index, template) in templates.iter().enumerate() {
        by_name.entry(template.name.to_ascii_lowercase()).or_insert(index);
    }
    // Depth first: 0 unvisited, 1 in progress, 2 done. A template found in progress contains
    // itself.
    let mut state = vec![0_u8; templates.len()];
    let mut found = BTreeSet::new();
    for start in 0..templates.len() {
        let mut way = vec![(start, 0)];
        while let Some((index, member)) = way.last_mut() {
            let Some(template) = templates.get(*index) else { break };
            if let Some(state @ 0) = state.get_mut(*index) {
                *state = 1;
            } else if *member == 0 {
                way.pop();
                continue;
            }
            let Some(next) = template.members.get(*member) else {
                if let Some(state) = state.get_mut(*index) {
                    *state = 2;
                }
                way.pop();
                continue;
            };
            *member += 1;
            if let MemberKind::Template(name) = &next.kind
                && let Some(&inner) = by_name.get(&name.to_ascii_lowercase())
            {
                match state.get(inner) {
                    Some(0) => way.push((inner, 0)),
                    Some(1) => {
                        found.insert(inner);
                    }
                    _ => {}
                }
            }
        }
    }
    found.into_iter().filter_map(|index| templates.get(index)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Expected::{Nothing, Number, Text};

    fn templates(text: &str) -> Vec<Template> {
        let text = format!("xof 0303txt 0032\n{text}");
        super::super::read_document(text.as_bytes(), &crate::LoadOptions::default())
            .unwrap()
            .templates
    }

    #[test]
    fn shape_of_every_standard_template_is_read() {
        let shapes = Shapes::new();
        for (name, members) in standard::TEMPLATES {
            let count = members.matches(';').count();
            assert_eq!(shapes.slots[shapes.find(name).unwrap()].len(), count, "{name}");
        }
    }

    #[test]
    fn shape_follows_the_values_of_skin_weights() {
        let shapes = Shapes::new();
        let mut cursor = Cursor::new(&shapes, "skinweights");
        let mut values = Vec::new();
        assert_eq!(cursor.expected(&shapes, &values), Text);
        values.push(Value::Text(crate::x::TextIndex(0)));
        values.push(Value::Whole(2));
        values.extend([Value::Whole(7); 2]);
        assert_eq!(cursor.expected(&shapes, &values), Number);
        values.extend([Value::Real(0.5); 17]);
        assert_eq!(cursor.expected(&shapes, &values), Number);
        values.push(Value::Real(1.0));
        assert_eq!(cursor.expected(&shapes, &values), Nothing);
    }

    #[test]
    fn shape_follows_templates_of_the_file_within_each_other() {
        let mut shapes = Shapes::new();
        shapes.update(&templates(
            "template Pair { STRING key; DWORD n; array FLOAT x[n][2]; }
             template Bag { DWORD n; array Pair pairs[n]; STRING last; }",
        ));
        let mut cursor = Cursor::new(&shapes, "Bag");
        let text = Value::Text(crate::x::TextIndex(0));
        let mut values = vec![Value::Whole(2), text, Value::Whole(0)];
        assert_eq!(cursor.expected(&shapes, &values), Text);
        values.extend([text, Value::Whole(1), Value::Real(0.0)]);
        assert_eq!(cursor.expected(&shapes, &values), Number);
        values.push(Value::Real(0.0));
        assert_eq!(cursor.expected(&shapes, &values), Text);
        values.push(text);
        assert_eq!(cursor.expected(&shapes, &values), Nothing);
    }

    #[test]
    fn shape_without_end_or_sense_is_unknown() {
        let mut shapes = Shapes::new();
        shapes.update(&templates(
            "template Self { Self inner; }
             template Empty { }
             template Crowd { array Empty none[4000000000]; STRING name; }
             template Later { array DWORD x[n]; DWORD n; }
             template Stranger { Unheard of; }",
        ));
        for name in ["Self", "Crowd", "Later", "Stranger", "Unheard"] {
            assert_eq!(Cursor::new(&shapes, name).expected(&shapes, &[]), Nothing, "{name}");
        }
    }

    #[test]
    fn endless_templates_are_found_also_by_way_of_others() {
        let templates = templates(
            "template A { B b; } template B { array C c[2]; } template C { DWORD n; a back; }
             template D { D d; D e; } template E { A a; DWORD x; } template F { Vector v; }",
        );
        let names: Vec<_> = endless(&templates).iter().map(|t| t.name.as_str()).collect();
        assert_eq!(names, ["A", "D"]);
    }
}
