//! Tokens of any encoding become the object tree.
//!
//! An explicit stack holds the objects that are open, so nesting costs no more than memory. Values of open objects grow on one
//! heap and move to their object when it closes.

use super::binary::BinarySource;
use super::error::{Place, XError};
use super::header;
use super::inflate::inflate;
use super::places::Places;
use super::shape::{Cursor, Expected, Shapes, endless};
use super::standard;
use super::template::{self, NOT_32, Room, Template};
use super::text::TextSource;
use super::token::{
    Source, Token, TokenKind, Values, Warnings, Within, begins_like_a_number, number_value,
};
use super::tree::{Child, Document, Guid, Object, ObjectIndex, Reference};
use crate::formats::Limits;
use crate::formats::foreign::nearest;
use crate::formats::quote::{decode, quoted};
use crate::model::Warning;
use std::collections::BTreeSet;

/// Reads a whole file.
pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, XError> {
    if bytes.len() > limits.max_bytes {
        return Err(XError::Limit {
            place: Place::byte(0),
            what: "bytes of the file".into(),
            found: bytes.len(),
            limit: limits.max_bytes,
        });
    }
    let header = header::read(bytes)?;
    let mut warnings = Vec::new();
    let inflated;
    let (plain, start) = if header.encoding.is_compressed() {
        inflated = inflate(bytes, &header, limits)?;
        warnings = inflated.warnings;
        (inflated.bytes.as_slice(), header::LENGTH)
    } else {
        (bytes, header.end)
    };
    let tree = if header.encoding.is_text() {
        Tree::read(TextSource::new(plain, start), Place::START, limits)?
    } else {
        let source = BinarySource::new(plain, start, header.float_bits);
        Tree::read(source, Place::byte(start), limits)?
    };
    warnings.extend(tree.warnings);
    let mut document = Document {
        objects: tree.objects,
        roots: tree.roots,
        templates: tree.templates,
        warnings,
        encoding: header.encoding,
        float_bits: header.float_bits,
        texts: tree.texts,
        by_name: Vec::new(),
        by_guid: Vec::new(),
    };
    document.index_names();
    let mut notes = Warnings::default();
    tell_unmatched(&document, &mut notes);
    document.warnings.extend(notes.finish());
    Ok(document)
}

/// Tells what only shows when the whole file was read: names of templates that look like a slip of the keys, templates that
/// contain themselves, and GUIDs that nothing has.
fn tell_unmatched(document: &Document, warnings: &mut Warnings) {
    for template in endless(&document.templates) {
        warnings.add(template.place, || {
            format!(
                "the template {} contains itself; its shape is not used",
                quoted(template.name.as_bytes())
            )
        });
    }
    let standard: Vec<&'static str> = standard::TEMPLATES.iter().map(|(name, _)| *name).collect();
    let mut seen: BTreeSet<String> =
        standard.iter().map(|name| name.to_ascii_lowercase()).collect();
    seen.extend(document.templates.iter().map(|template| template.name.to_ascii_lowercase()));
    let mut unknown = 0;
    for object in &document.objects {
        if unknown < MAX_UNKNOWN && seen.insert(object.template.to_ascii_lowercase()) {
            unknown += 1;
            if let Some(meant) = nearest(object.template.as_bytes(), &standard) {
                let template = quoted(object.template.as_bytes());
                warnings.add(object.place, || {
                    format!(
                        "nobody knows objects of the kind {template}; did you mean \"{meant}\"?"
                    )
                });
            }
        }
        for child in &object.children {
            let Child::Reference(reference) = child else { continue };
            let Some(guid) = reference.guid.filter(|guid| document.with_guid(*guid).is_none())
            else {
                continue;
            };
            warnings.add(reference.place, || {
                let name = quoted(reference.name.as_bytes());
                if document.resolve(reference).is_some() {
                    format!("no object has the GUID {guid}; the object named {name} is taken")
                } else {
                    format!("no object has the GUID {guid} of the reference to {name}")
                }
            });
        }
    }
}

/// So many unknown templates are compared with the known ones.
const MAX_UNKNOWN: usize = 1000;

/// What a reader leaves, whatever its source was.
struct Tree {
    objects: Vec<Object>,
    roots: Vec<ObjectIndex>,
    templates: Vec<Template>,
    texts: Vec<String>,
    warnings: Vec<Warning>,
}

impl Tree {
    fn read<'a>(source: impl Source<'a>, start: Place, limits: &Limits) -> Result<Self, XError> {
        let mut reader = Reader {
            source,
            values: Values::new(limits.max_values, start),
            objects: Vec::new(),
            roots: Vec::new(),
            templates: Vec::new(),
            open: Vec::new(),
            words: Vec::new(),
            room: Room::new(limits.max_objects),
            max_depth: limits.max_depth,
            shapes: Shapes::new(),
        };
        reader.read()?;
        Ok(Self {
            objects: reader.objects,
            roots: reader.roots,
            templates: reader.templates,
            texts: reader.values.texts,
            warnings: reader.values.warnings.finish(),
        })
    }
}

/// An object whose closing brace has not come yet.
struct Open {
    index: ObjectIndex,
    /// Its first value on the heap.
    first_value: usize,
    /// The step to that value.
    first_step: usize,
    /// Where the steps of the object around it go on from.
    outer_last: Place,
    /// How far its values were followed along its template, once that was asked for.
    cursor: Option<Box<Cursor>>,
}

/// Whether more tokens are wanted.
#[derive(PartialEq, Eq)]
enum Flow {
    More,
    End,
}

struct Reader<'a, S> {
    source: S,
    values: Values,
    objects: Vec<Object>,
    roots: Vec<ObjectIndex>,
    templates: Vec<Template>,
    open: Vec<Open>,
    /// The words before an opening brace, as far as they were read.
    words: Vec<Token<'a>>,
    room: Room,
    max_depth: usize,
    shapes: Shapes,
}

impl<'a, S: Source<'a>> Reader<'a, S> {
    fn read(&mut self) -> Result<(), XError> {
        loop {
            self.source.take_values(&mut self.values)?;
            if self.open.is_empty() && !self.values.values.is_empty() {
                self.drop_values();
            }
            let token = self.source.next_token(Within::Data)?;
            if self.take(&token)? == Flow::End {
                return Ok(());
            }
        }
    }

    /// Passes over values that stand in no object.
    fn drop_values(&mut self) {
        let count = self.values.values.len();
        let place = self.values.last;
        self.values.warnings.add(place, || {
            format!("{count} numbers or texts that end here stand in no object; they are not used")
        });
        self.values.values.clear();
        self.values.steps.clear();
    }

    fn take(&mut self, token: &Token<'a>) -> Result<Flow, XError> {
        match token.kind {
            TokenKind::Word => return self.take_words(token),
            TokenKind::Text => self.values.push_text(token.text, token.place)?,
            TokenKind::Separator | TokenKind::Number(_) => {}
            TokenKind::Open => self.take_reference(token.place)?,
            TokenKind::Close => self.close(token.place),
            TokenKind::Guid(guid) => self.take_guid(token, guid),
            TokenKind::Nul if self.open.is_empty() => {
                let (rest, place) = (token.text.len(), token.place);
                self.values.warnings.add(place, || {
                    format!("{rest} bytes from a byte 0 on to the end are not read")
                });
                return Ok(Flow::End);
            }
            TokenKind::End => {
                self.close_all(token.place);
                return Ok(Flow::End);
            }
            TokenKind::Nul | TokenKind::Sign | TokenKind::OpenBracket | TokenKind::CloseBracket => {
                return Err(XError::Syntax {
                    place: token.place,
                    found: token.shown(),
                    expected: if self.open.is_empty() {
                        "an object or a template".into()
                    } else {
                        "a value, an object, a reference or }".into()
                    },
                    nearest: None,
                });
            }
        }
        Ok(Flow::More)
    }

    /// Takes words up to the next token of another kind: behind an object's template and name that is a brace.
    fn take_words(&mut self, first: &Token<'a>) -> Result<Flow, XError> {
        /// No name is made of so many words.
        const MOST: usize = 16;
        self.words.clear();
        self.words.push(*first);
        let mut guid = None;
        loop {
            let token = self.source.next_token(Within::Data)?;
            match token.kind {
                TokenKind::Word | TokenKind::Text => {
                    if self.words.len() == MOST {
                        let stray = self.words.remove(0);
                        self.take_stray(&stray)?;
                    }
                    self.words.push(token);
                }
                TokenKind::Guid(found) => guid = found.map(|found| (token, found)),
                TokenKind::Open => {
                    self.begin(guid.map(|(_, guid)| guid))?;
                    return Ok(Flow::More);
                }
                _ => {
                    self.take_strays(self.words.len())?;
                    if let Some((token, guid)) = guid {
                        self.take_guid(&token, Some(guid));
                    }
                    return self.take(&token);
                }
            }
        }
    }

    /// Takes the first `count` words, behind which no brace stands, as what they may be.
    fn take_strays(&mut self, count: usize) -> Result<(), XError> {
        let words = core::mem::take(&mut self.words);
        for word in words.iter().take(count) {
            self.take_stray(word)?;
        }
        self.words = words;
        Ok(())
    }

    fn take_stray(&mut self, word: &Token<'a>) -> Result<(), XError> {
        if word.kind == TokenKind::Text {
            return self.values.push_text(word.text, word.place);
        }
        let expected = self.expected();
        if expected != Expected::Text {
            if let Some(value) = number_value(word.text) {
                return self.values.push(value, word.place);
            }
            if begins_like_a_number(word.text) && !self.open.is_empty() {
                return Err(XError::Syntax {
                    place: word.place,
                    found: word.shown(),
                    expected: "a number".into(),
                    nearest: None,
                });
            }
        }
        let shown = word.shown();
        if expected == Expected::Text {
            self.values.warnings.add(word.place, || {
                format!("the word {shown} stands where a text belongs; it is taken for one")
            });
            return self.values.push_text(word.text, word.place);
        }
        self.values.warnings.add(word.place, || {
            format!("the word {shown} is no value and begins no object; it is not used")
        });
        Ok(())
    }

    /// What the innermost object has next, as far as its template is known.
    fn expected(&mut self) -> Expected {
        self.shapes.update(&self.templates);
        let Some(open) = self.open.last_mut() else { return Expected::Nothing };
        let Some(object) = self.objects.get(open.index.index()) else { return Expected::Nothing };
        let shapes = &self.shapes;
        let cursor =
            open.cursor.get_or_insert_with(|| Box::new(Cursor::new(shapes, &object.template)));
        let values = self.values.values.get(open.first_value..).unwrap_or_default();
        cursor.expected(shapes, values)
    }

    /// Begins an object or a template, the brace of which was taken.
    fn begin(&mut self, guid: Option<Guid>) -> Result<(), XError> {
        if let [.., keyword, name] = self.words.as_slice()
            && keyword.is_word("template")
        {
            let name = *name;
            self.take_strays(self.words.len().saturating_sub(2))?;
            let template =
                template::read(&mut self.source, &name, &mut self.room, &mut self.values.warnings)?;
            self.templates.extend(template);
            return Ok(());
        }
        let template_at = self.template_word();
        self.take_strays(template_at)?;
        let (Some(template), names) =
            (self.words.get(template_at), self.words.get(template_at + 1..).unwrap_or_default())
        else {
            return Ok(());
        };
        let (place, template) = (template.place, decode(template.text));
        let name = match names {
            [] => String::new(),
            [name] => decode(name.text),
            _ => names.iter().map(|name| decode(name.text)).collect::<Vec<_>>().join(" "),
        };
        self.begin_object(template, name, guid, place)
    }

    /// Which of the words before a brace is the template: the words behind it are its object's name, those before it strays.
    ///
    /// One word or two are nearly always a template and a name, whether anybody knows the template or not. Where there are
    /// more, or where a text belongs, the first known template is meant.
    fn template_word(&mut self) -> usize {
        let count = self.words.len();
        if count < 2 {
            return 0;
        }
        self.shapes.update(&self.templates);
        let shapes = &self.shapes;
        let is_known =
            |word: &Token| word.kind == TokenKind::Word && shapes.knows(&decode(word.text));
        match self.words.iter().position(is_known) {
            Some(0) => 0,
            Some(at) if count > 2 || self.expected() == Expected::Text => at,
            _ => count - 2,
        }
    }

    fn begin_object(
        &mut self,
        template: String,
        name: String,
        guid: Option<Guid>,
        place: Place,
    ) -> Result<(), XError> {
        self.room.take(place)?;
        if self.open.len() >= self.max_depth {
            return Err(XError::Limit {
                place,
                what: "objects within each other".into(),
                found: self.open.len() + 1,
                limit: self.max_depth,
            });
        }
        let index = ObjectIndex(u32::try_from(self.objects.len()).map_err(|_| XError::Limit {
            place,
            what: "objects of the file".into(),
            found: self.objects.len(),
            limit: u32::MAX as usize,
        })?);
        let parent = self.open.last().map(|open| open.index);
        match parent.and_then(|parent| self.objects.get_mut(parent.index())) {
            Some(parent) => parent.children.push(Child::Object(index)),
            None => self.roots.push(index),
        }
        self.objects.push(Object {
            template,
            name,
            guid,
            place,
            parent,
            values: Vec::new(),
            children: Vec::new(),
            places: Places::default(),
        });
        self.open.push(Open {
            index,
            first_value: self.values.values.len(),
            first_step: self.values.steps.len(),
            outer_last: self.values.last,
            cursor: None,
        });
        self.values.last = place;
        Ok(())
    }

    fn close(&mut self, place: Place) {
        let Some(open) = self.open.pop() else {
            self.values
                .warnings
                .add(place, || "a closing brace without an opening one; it is not used".into());
            return;
        };
        let values = self.values.values.drain(open.first_value..).collect();
        let steps = self.values.steps.drain(open.first_step..).collect();
        self.values.last = open.outer_last;
        if let Some(object) = self.objects.get_mut(open.index.index()) {
            object.values = values;
            object.places = Places::from_steps(steps);
        }
    }

    fn close_all(&mut self, place: Place) {
        let count = self.open.len();
        if let Some(inner) = self.open.last().and_then(|open| self.objects.get(open.index.index()))
        {
            let (template, begin) = (quoted(inner.template.as_bytes()), inner.place);
            self.values.warnings.add(place, || {
                format!(
                    "the file ends within {count} open objects, the innermost of them {template} of {begin}; \
                     they are closed here"
                )
            });
        }
        while !self.open.is_empty() {
            self.close(place);
        }
    }

    /// A GUID right behind the brace of an object is the object's.
    fn take_guid(&mut self, token: &Token<'a>, guid: Option<Guid>) {
        let values = self.values.values.len();
        let object = self.open.last().filter(|open| open.first_value == values);
        let object = object.and_then(|open| self.objects.get_mut(open.index.index()));
        match (object, guid) {
            (Some(object), Some(guid)) if object.children.is_empty() && object.guid.is_none() => {
                object.guid = Some(guid);
            }
            (_, Some(_)) => self.values.warnings.add(token.place, || {
                format!(
                    "{} does not stand at the start of an object; it is not used",
                    token.shown()
                )
            }),
            (_, None) => {
                self.values.warnings.add(token.place, || format!("{}: {NOT_32}", token.shown()));
            }
        }
    }

    /// Takes what stands behind a brace before which there is no word: `name }`, `name <guid> }` or `<guid> }`.
    fn take_reference(&mut self, place: Place) -> Result<(), XError> {
        let mut reference = Reference { name: String::new(), guid: None, place };
        loop {
            let token = self.source.next_token(Within::Data)?;
            match token.kind {
                TokenKind::Word | TokenKind::Text => {
                    if !reference.name.is_empty() {
                        reference.name.push(' ');
                    }
                    reference.name.push_str(&decode(token.text));
                }
                TokenKind::Guid(Some(guid)) => reference.guid = Some(guid),
                TokenKind::Guid(None) => {
                    self.values.warnings.add(token.place, || format!("{}: {NOT_32}", token.shown()))
                }
                TokenKind::Separator => {}
                TokenKind::Close => break,
                TokenKind::End => {
                    self.values.warnings.add(token.place, || {
                        format!("the file ends within the reference of {place}")
                    });
                    break;
                }
                _ => {
                    return Err(XError::Syntax {
                        place: token.place,
                        found: token.shown(),
                        expected: "the name of an object or }".into(),
                        nearest: None,
                    });
                }
            }
        }
        if reference.name.is_empty() && reference.guid.is_none() {
            self.values.warnings.add(place, || "a reference to nothing; it is not used".into());
            return Ok(());
        }
        let object = self.open.last().and_then(|open| self.objects.get_mut(open.index.index()));
        match object {
            Some(object) => {
                self.room.take(place)?;
                object.children.push(Child::Reference(reference));
            }
            None => self.values.warnings.add(place, || {
                format!(
                    "the reference to {} stands in no object; it is not used",
                    quoted(reference.name.as_bytes())
                )
            }),
        }
        Ok(())
    }
}
