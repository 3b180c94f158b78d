//! Repair of lists whose counts do not match their contents.
//!
//! Input: the values of an object whose template has counted lists, and the separators after them
//! in the text. Output: the same object with correct counts, and a message that names the list,
//! found and expected. Missing records become holes (a vector of NaN, a face without corners), so
//! that the indices of all later ones keep their meaning. A complete object is left unchanged.
//!
//! A record of a text ends with `;,` or `;;`. A truncated record is recognized by its length, and
//! the hole is filled there.

use super::error::XError;
use super::tree::Value;
use crate::text::SourcePosition;

/// Separator after a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    /// Blanks, or unknown.
    Nothing,
    Comma,
    Semicolon,
    /// `;,` or `;;`: the end of a record.
    Record,
    /// `;;` alone: the end of a list.
    List,
}

impl Separator {
    /// The separators between a value and the next one; `text` begins with the value.
    pub(super) fn of(text: &[u8]) -> Self {
        let is_separator = |byte: &u8| matches!(byte, b';' | b',');
        let is_blank = |byte: &u8| byte.is_ascii_whitespace();
        let behind = text.iter().skip_while(|byte| !is_separator(byte) && !is_blank(byte));
        let run = behind.take_while(|byte| is_separator(byte) || is_blank(byte));
        let run: Vec<u8> = run.copied().filter(is_separator).collect();
        match run.as_slice() {
            [] => Self::Nothing,
            [b','] => Self::Comma,
            [.., b','] => Self::Record,
            [_] => Self::Semicolon,
            _ => Self::List,
        }
    }
}

/// A value, its position, and the separator after it.
pub(super) type Item = (Value, SourcePosition, Separator);

/// An object with repaired lists.
pub(super) struct Mended {
    pub(super) values: Vec<(Value, SourcePosition)>,
    /// Message and position of each list that does not match its count.
    pub(super) told: Vec<(SourcePosition, String)>,
}

/// The counted lists of a template.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Vectors and polygons.
    Mesh(&'static str),
    /// Records of this many numbers.
    Records(usize, &'static str),
    MaterialList,
    SkinWeights,
}

fn shape(template: &str) -> Option<Shape> {
    Some(match template.to_ascii_lowercase().as_str() {
        "mesh" => Shape::Mesh("vertices"),
        "meshnormals" => Shape::Mesh("normals"),
        "meshtexturecoords" => Shape::Records(2, "texture coordinates"),
        "meshvertexcolors" => Shape::Records(5, "colours"),
        "meshmateriallist" => Shape::MaterialList,
        "skinweights" => Shape::SkinWeights,
        _ => return None,
    })
}

/// Numbers of the offset matrix of a `SkinWeights`.
const MATRIX: usize = 16;
/// Maximum number of holes added to the found records: a larger count is taken to be the mistake.
const MAX_HOLES: usize = 64;

fn whole(value: Option<&Value>) -> Option<usize> {
    match value {
        Some(Value::Whole(number)) => usize::try_from(*number).ok(),
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole and within 2^32"
        )]
        Some(Value::Real(number)) if number.fract() == 0.0 && (0.0..4.3e9).contains(number) => {
            Some(*number as usize)
        }
        _ => None,
    }
}

/// True if the numbers of an object's values match its counts, or its template has no such lists.
pub(super) fn fits(template: &str, values: &[Value]) -> bool {
    let Some(shape) = shape(template) else { return true };
    if values.is_empty() {
        return true;
    }
    let count = |at: usize| whole(values.get(at));
    let end = match shape {
        Shape::Mesh(_) => {
            let Some(vectors) = count(0).and_then(|count| count.checked_mul(3)) else {
                return false;
            };
            let mut at = vectors.saturating_add(1);
            if at < values.len() {
                let Some(faces) = count(at) else { return false };
                at += 1;
                for _ in 0..faces {
                    // A face of one corner or none is a sign that numbers are missing before it.
                    let Some(corners) = count(at).filter(|&corners| corners > 1) else {
                        return false;
                    };
                    at = at.saturating_add(1).saturating_add(corners);
                }
            }
            Some(at)
        }
        Shape::Records(each, _) => {
            count(0).and_then(|count| count.checked_mul(each)?.checked_add(1))
        }
        Shape::MaterialList if values.len() == 1 => Some(1),
        Shape::MaterialList => count(1).and_then(|count| count.checked_add(2)),
        Shape::SkinWeights => {
            count(1).and_then(|count| count.checked_mul(2)?.checked_add(2 + MATRIX))
        }
    };
    end == Some(values.len())
}

/// Repairs the lists of an object that do not match its template; `name` is the object's name in
/// messages.
///
/// # Errors
/// [`XError::Unsupported`] for numbers with decimal commas.
pub(super) fn mend(template: &str, name: &str, items: &[Item]) -> Result<Option<Mended>, XError> {
    let Some(shape) = shape(template) else { return Ok(None) };
    let mut mender = Mender { name, values: Vec::new(), told: Vec::new() };
    match shape {
        Shape::Mesh(noun) => mender.mesh(items, noun)?,
        Shape::Records(each, noun) => mender.records(items, each, noun)?,
        Shape::MaterialList => mender.material_list(items),
        Shape::SkinWeights => mender.skin_weights(items),
    }
    Ok(Some(Mended { values: mender.values, told: mender.told }))
}

/// The records of one list.
#[derive(Default)]
struct List<'i> {
    /// As declared in the file. None if the count is lost.
    declared: Option<usize>,
    records: Vec<&'i [Item]>,
    /// The number of records before the first truncated one.
    gap: Option<usize>,
    cut: usize,
    /// Position of its count, or of its first number.
    position: Option<SourcePosition>,
}

impl<'i> List<'i> {
    fn push_cut(&mut self) {
        self.gap.get_or_insert(self.records.len());
        self.cut += 1;
    }

    /// The records with holes in place of lost ones, which are none.
    fn with_holes(&self) -> Vec<Option<&'i [Item]>> {
        let found = self.records.len();
        let missing = self.declared.map_or(0, |declared| declared.saturating_sub(found));
        let holes = if missing > found.max(MAX_HOLES) { 0 } else { missing };
        let gap = self.gap.unwrap_or(found);
        let (before, behind) = self.records.split_at_checked(gap).unwrap_or((&self.records, &[]));
        let all = before.iter().copied().map(Some).chain(std::iter::repeat_n(None, holes));
        all.chain(behind.iter().copied().map(Some)).collect()
    }

    fn differs(&self) -> bool {
        self.declared != Some(self.records.len()) || self.cut > 0
    }
}

/// The lists of a mesh, while its records are assigned to them.
#[derive(Default)]
struct MeshLists<'i> {
    vectors: List<'i>,
    faces: List<'i>,
    /// Position of the first number after the lists, and how many there are.
    strays: Option<(SourcePosition, usize)>,
    state: State,
    /// True if a vector has integers.
    has_whole: bool,
}

impl<'i> MeshLists<'i> {
    fn take(&mut self, record: &'i [Item]) {
        let Some((_, position, behind)) = record.last() else { return };
        let is_end = *behind == Separator::List;
        // A truncation may leave two semicolons within a list, which seem to end it.
        let is_vector = record.len() == 3 && !is_face(record.get(1..).unwrap_or_default());
        let has_real = record.iter().any(|(value, ..)| matches!(value, Value::Real(_)));
        let is_short = record.len() < 3 && *behind == Separator::Record;
        self.state = match self.state {
            State::FaceCount if is_vector || has_real || is_short => State::Vectors,
            State::Done if record.len() > 3 && is_face(record) => State::Faces,
            state => state,
        };
        match self.state {
            // A vector of integers may look like a face of two corners.
            State::Vectors if record.len() > 3 && is_face(record) => {
                self.state = State::Faces;
                self.faces.position = Some(*position);
                self.faces.push(record);
            }
            State::Vectors => {
                // Among numbers with points, an integer belongs to a face.
                let is_mixed = record.iter().any(|(value, ..)| matches!(value, Value::Whole(_)));
                if record.len() == 3
                    && (!is_mixed || self.has_whole || self.vectors.records.len() < 4)
                {
                    self.has_whole |= is_mixed;
                    self.vectors.records.push(record);
                } else {
                    self.vectors.push_cut();
                }
                if is_end {
                    self.state = State::FaceCount;
                }
            }
            State::FaceCount => {
                let (count, face) = record.split_at_checked(1).unwrap_or((record, &[]));
                self.faces.position = count.first().map(|(_, position, _)| *position);
                if face.is_empty() || is_face(face) || !is_face(record) {
                    self.faces.declared = count.first().and_then(|(value, ..)| whole(Some(value)));
                    if !face.is_empty() {
                        self.faces.push(face);
                    }
                } else {
                    self.faces.push(record);
                }
                self.state = if is_end { State::Done } else { State::Faces };
            }
            State::Faces => {
                self.faces.push(record);
                if is_end {
                    self.state = State::Done;
                }
            }
            State::Done => {
                self.strays
                    .get_or_insert((record.first().map_or(*position, |first| first.1), 0))
                    .1 += record.len();
            }
        }
    }
}

struct Mender<'m> {
    name: &'m str,
    values: Vec<(Value, SourcePosition)>,
    told: Vec<(SourcePosition, String)>,
}

impl<'m> Mender<'m> {
    fn push_count(&mut self, count: usize, position: SourcePosition) {
        self.values.push((Value::Whole(i64::try_from(count).unwrap_or(i64::MAX)), position));
    }

    /// Writes a list with its count, each hole as `hole`.
    fn push_list(&mut self, list: &List<'_>, hole: &[Value], position: SourcePosition) {
        let records = list.with_holes();
        self.push_count(records.len(), position);
        let mut last = position;
        for record in records {
            match record {
                Some(record) => {
                    self.values
                        .extend(record.iter().map(|(value, position, _)| (*value, *position)));
                    last = record.last().map_or(last, |(_, position, _)| *position);
                }
                None => self.values.extend(hole.iter().map(|value| (*value, last))),
            }
        }
    }

    fn tell(&mut self, list: &List<'_>, noun: &str, position: SourcePosition, cost: &str) {
        if !list.differs() {
            return;
        }
        let found = list.records.len();
        let wanted = match list.declared {
            Some(declared) => format!("expected {declared}, from its count"),
            None => "its count is missing".to_owned(),
        };
        let cut = match list.cut {
            0 => String::new(),
            1 => " and 1 truncated".to_owned(),
            cut => format!(" and {cut} truncated"),
        };
        let message =
            format!("{}: the list of {noun}: found {found}{cut}; {wanted}; {cost}", self.name);
        self.told.push((list.position.unwrap_or(position), message));
    }

    fn mesh(&mut self, items: &[Item], noun: &str) -> Result<(), XError> {
        let Some((head, rest)) = items.split_first() else { return Ok(()) };
        let mut lists = MeshLists::default();
        lists.vectors.position = Some(head.1);
        lists.vectors.declared = whole(Some(&head.0));
        let records = records(rest, 3, lists.vectors.declared);
        find_decimal_commas(&records, 3)?;
        records.into_iter().for_each(|record| lists.take(record));
        let MeshLists { vectors, faces, strays, .. } = lists;
        let cost = match noun {
            "normals" => "normals of faces that use the others are computed",
            _ => "faces that use the others are skipped",
        };
        self.tell(&vectors, noun, head.1, cost);
        let owner = if noun == "normals" { "faces of the normals" } else { "faces" };
        self.tell(&faces, owner, head.1, "the complete ones are used");
        if let Some((position, count)) = strays {
            let message = format!("{}: {count} numbers after its lists are ignored", self.name);
            self.told.push((position, message));
        }
        self.push_list(&vectors, &[Value::Real(f64::NAN); 3], head.1);
        let position = faces.position.unwrap_or(head.1);
        self.push_list(&faces, &[Value::Whole(0)], position);
        Ok(())
    }

    fn records(&mut self, items: &[Item], each: usize, noun: &str) -> Result<(), XError> {
        let Some((head, rest)) = items.split_first() else { return Ok(()) };
        let mut list = List { position: Some(head.1), ..List::default() };
        list.declared = whole(Some(&head.0));
        let records = records(rest, each, list.declared);
        find_decimal_commas(&records, each)?;
        for record in records {
            if record.len() == each {
                list.records.push(record);
            } else {
                list.push_cut();
            }
        }
        self.tell(&list, noun, head.1, "0 is used for the others");
        self.push_list(&list, &vec![Value::Real(f64::NAN); each], head.1);
        Ok(())
    }

    fn material_list(&mut self, items: &[Item]) {
        let Some((head, rest)) = items.split_first() else { return };
        let Some((count, rest)) = rest.split_first() else { return };
        let list = List {
            declared: whole(Some(&count.0)),
            records: rest.chunks(1).collect(),
            position: Some(count.1),
            ..List::default()
        };
        self.tell(&list, "materials of faces", count.1, "faces without one use the last");
        self.values.push((head.0, head.1));
        self.push_count(rest.len(), count.1);
        self.values.extend(rest.iter().map(|(value, position, _)| (*value, *position)));
    }

    /// Weights are useful only with their vertices and their matrix: if a part is truncated, all of
    /// this joint are dropped.
    fn skin_weights(&mut self, items: &[Item]) {
        let Some((bone, rest)) = items.split_first() else { return };
        let Some((count, rest)) = rest.split_first() else { return };
        let split = rest.len().saturating_sub(MATRIX);
        let (lists, matrix) = rest.split_at(split);
        let is_whole = |item: &&Item| matches!(item.0, Value::Whole(_));
        let indices = lists.iter().take_while(is_whole).count();
        let weights = lists.len() - indices;
        let declared = whole(Some(&count.0)).map_or("no number".to_owned(), |n| n.to_string());
        let is_good = rest.len() >= MATRIX && indices == weights;
        let cost = if is_good {
            "the list length is used"
        } else {
            "the weights of this joint are skipped"
        };
        let message = format!(
            "{}: the lists of weights: found {indices} vertices and {weights} weights; expected {declared} of each, from the count, and a matrix of {MATRIX} numbers; {cost}",
            self.name
        );
        self.told.push((count.1, message));
        self.values.push((bone.0, bone.1));
        self.push_count(if is_good { indices } else { 0 }, count.1);
        let kept = if is_good { rest } else { matrix };
        self.values.extend(kept.iter().map(|(value, position, _)| (*value, *position)));
        if !is_good && matrix.len() < MATRIX {
            // The matrix of a joint without weights has no effect.
            self.values.truncate(2);
            let one = |at: usize| Value::Whole(i64::from(at.is_multiple_of(5)));
            self.values.extend((0..MATRIX).map(|at| (one(at), count.1)));
        }
    }
}

impl<'i> List<'i> {
    /// Adds a face, or notes one that is cut.
    fn push(&mut self, record: &'i [Item]) {
        if is_face(record) { self.records.push(record) } else { self.push_cut() }
    }
}

/// The lists of a mesh, in their order.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Vectors,
    FaceCount,
    Faces,
    Done,
}

/// True for a face: a count above 0, and as many integers.
fn is_face(record: &[Item]) -> bool {
    let is_whole = |item: &Item| matches!(item.0, Value::Whole(0..));
    let corners = record.first().and_then(|(value, ..)| whole(Some(value)));
    record.iter().all(is_whole) && corners.is_some_and(|n| n > 0 && n == record.len() - 1)
}

/// Splits values into records of about `each` numbers, followed by faces: by their separators, or
/// by their numbers if there are none.
fn records(items: &[Item], each: usize, declared: Option<usize>) -> Vec<&[Item]> {
    let ends = |item: &Item| matches!(item.2, Separator::Record | Separator::List);
    if items.iter().any(ends) {
        return items.split_inclusive(ends).collect();
    }
    // Without separators, lists end where the kind of number changes, or by their count.
    let is_real = |item: &&Item| matches!(item.0, Value::Real(_));
    let reals = items.iter().take_while(is_real).count();
    let counted = declared.and_then(|count| count.checked_mul(each)).filter(|&n| n <= items.len());
    let split = if reals >= each { reals } else { counted.unwrap_or(items.len()) };
    let (vectors, mut rest) = items.split_at(split);
    let mut all: Vec<&[Item]> = vectors.chunks(each).collect();
    // The count of the faces is in their first record; `is_face` splits it off.
    let mut skip = 1;
    while let Some(corners) = rest.get(skip).and_then(|(value, ..)| whole(Some(value))) {
        let length = corners.saturating_add(1 + skip).min(rest.len());
        let (record, behind) = rest.split_at(length);
        all.push(record);
        (rest, skip) = (behind, 0);
    }
    all
}

/// Refuses numbers with a decimal comma: most records have as many groups between semicolons as
/// expected numbers, of two numbers each.
fn find_decimal_commas(records: &[&[Item]], each: usize) -> Result<(), XError> {
    let is_split = |record: &&&[Item]| {
        let is_pair = |pair: &[Item]| matches!(pair, [whole, part] if whole.2 == Separator::Comma && part.2 != Separator::Comma);
        record.len() == 2 * each && record.chunks(2).all(is_pair)
    };
    let split = records.iter().filter(is_split).count();
    let Some(first) = records.iter().find(|record| is_split(record)) else { return Ok(()) };
    if split * 2 < records.iter().take_while(|record| !is_face(record)).count() {
        return Ok(());
    }
    let (position, shown) = match first {
        [a, b, ..] => (a.1, format!("\"{},{}\"", shown(a.0), shown(b.0))),
        _ => return Ok(()),
    };
    let supported = "a decimal point, as a comma separates numbers";
    Err(XError::Unsupported { position, what: "the decimal comma of", found: shown, supported })
}

fn shown(value: Value) -> String {
    value.number().map_or_else(String::new, |number| number.to_string())
}
