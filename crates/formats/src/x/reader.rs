//! Builds the object tree from tokens of any encoding.
//!
//! An explicit stack holds the open objects, so nesting only costs memory. Values of open objects
//! grow on one heap and move to their object when it closes.

mod head;

use super::binary::BinarySource;
use super::error::XError;
use super::guid::Guid;
use super::header;
use super::inflate::inflate;
use super::mend::{fits, mend};
use super::position_list::{PositionList, push_step};
use super::shape::{Cursor, Shapes};
use super::template::Template;
use super::template_reader::{NOT_32, ObjectBudget};
use super::text::TextSource;
use super::token::{Source, Token, TokenKind, Values, Warnings, Within};
use super::tree::{Child, Document, Object, ObjectIndex, Reference, Value, label};
use super::unmatched::tell_unmatched;
use crate::LimitExceeded;
use crate::text::SourcePosition;
use crate::text::{decode_text, quoted};
use crate::{LimitName, LoadOptions};
use tintype_base::deadline::Watch;
use tintype_model::{FileRepair, Warning};

/// Reads a whole file.
pub(super) fn read(bytes: &[u8], options: &LoadOptions) -> Result<Document, XError> {
    let limit = (options.limits.max_bytes, Some(LimitName::Bytes));
    LimitExceeded::check(SourcePosition::byte(0), "bytes of the file", bytes.len(), limit)?;
    let header = header::read(bytes)?;
    let mut warnings = Vec::new();
    let inflated;
    let (plain, start) = if header.encoding.is_compressed() {
        inflated = inflate(bytes, &header, options)?;
        warnings = inflated.warnings;
        (inflated.bytes.as_slice(), header::LENGTH)
    } else {
        (bytes, header.end)
    };
    let tree = if header.encoding.is_text() {
        Tree::read(TextSource::new(plain, start), SourcePosition::START, options)?
    } else {
        let source = BinarySource::new(plain, start, header.float_bits);
        Tree::read(source, SourcePosition::byte(start), options)?
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
        by_kind: Vec::new(),
        by_guid: Vec::new(),
        deadline: options.deadline.clone(),
    };
    document.index_names()?;
    let mut notes = Warnings::default();
    tell_unmatched(&document, &mut notes)?;
    document.warnings.extend(notes.finish());
    Ok(document)
}

/// The result of a reader of either encoding.
struct Tree {
    objects: Vec<Object>,
    roots: Vec<ObjectIndex>,
    templates: Vec<Template>,
    texts: Vec<String>,
    warnings: Vec<Warning>,
}

impl Tree {
    fn read<'a>(
        source: impl Source<'a>,
        start: SourcePosition,
        options: &LoadOptions,
    ) -> Result<Self, XError> {
        let mut reader = Reader {
            source,
            values: Values::new(options, start),
            objects: Vec::new(),
            roots: Vec::new(),
            templates: Vec::new(),
            open: Vec::new(),
            words: Vec::new(),
            budget: ObjectBudget::new(options.limits.max_objects),
            max_depth: options.limits.max_depth,
            shapes: Shapes::new(),
            watch: options.deadline.watch("reading objects", TOKENS),
        };
        match reader.read() {
            Err(error @ (XError::Syntax { .. } | XError::Range { .. }))
                if !reader.objects.is_empty() =>
            {
                reader.give_up(&error)?;
            }
            result => result?,
        }
        Ok(Self {
            objects: reader.objects,
            roots: reader.roots,
            templates: reader.templates,
            texts: reader.values.texts,
            warnings: reader.values.warnings.finish(),
        })
    }
}

/// An object that is not closed yet.
struct Open {
    index: ObjectIndex,
    /// Its first value on the heap.
    first_value: usize,
    /// The step to that value.
    first_step: usize,
    /// Position where the steps of the enclosing object continue.
    outer_last: SourcePosition,
    /// Progress of its values along its template. None until it is needed.
    cursor: Option<Box<Cursor>>,
}

/// The next step of reading tokens.
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
    /// The words read before an opening brace.
    words: Vec<Token<'a>>,
    budget: ObjectBudget,
    max_depth: usize,
    shapes: Shapes,
    watch: Watch,
}

/// Number of tokens other than values between two checks of the deadline.
const TOKENS: u32 = 1 << 12;

impl<'a, S: Source<'a>> Reader<'a, S> {
    fn read(&mut self) -> Result<(), XError> {
        loop {
            self.source.take_values(&mut self.values)?;
            if self.open.is_empty() && !self.values.values.is_empty() {
                self.drop_values();
            }
            let token = self.next_token(Within::Data)?;
            if self.take(&token)? == Flow::End {
                return Ok(());
            }
        }
    }

    /// Continues with the parts read before an unrecoverable error.
    fn give_up(&mut self, error: &XError) -> Result<(), XError> {
        let (XError::Syntax { position, found, expected }
        | XError::Range { position, found, expected, .. }) = error
        else {
            return Ok(());
        };
        let what = match error {
            XError::Range { what, .. } => format!("{what}: "),
            _ => String::new(),
        };
        self.values.warnings.add(FileRepair::Truncated, *position, || {
            format!("{what}found {found}; expected {expected}; the rest of the file is ignored")
        });
        self.close_all(*position)
    }

    fn next_token(&mut self, within: Within) -> Result<Token<'a>, XError> {
        self.watch.step()?;
        self.source.next_token(within)
    }

    /// Skips values outside of objects.
    fn drop_values(&mut self) {
        let count = self.values.values.len();
        let position = self.values.last;
        self.values.warnings.add(FileRepair::Leftover, position, || {
            format!("{count} numbers or strings before this are outside any object; ignored")
        });
        self.values.values.clear();
        self.values.steps.clear();
    }

    fn take(&mut self, token: &Token<'a>) -> Result<Flow, XError> {
        match token.kind {
            TokenKind::Word => return self.take_words(token),
            TokenKind::Text => self.values.push_text(token.text, token.position)?,
            TokenKind::Separator | TokenKind::Number(_) => {}
            TokenKind::Open => self.take_reference(token.position)?,
            TokenKind::Close => self.close(token.position)?,
            TokenKind::Guid(guid) => self.take_guid(token, guid),
            TokenKind::Nul if self.open.is_empty() => {
                let (rest, position) = (token.text.len(), token.position);
                self.values.warnings.add(FileRepair::Leftover, position, || {
                    format!("{rest} bytes from a null byte to the end are ignored")
                });
                return Ok(Flow::End);
            }
            TokenKind::End => {
                self.close_all(token.position)?;
                return Ok(Flow::End);
            }
            TokenKind::Nul | TokenKind::Sign | TokenKind::OpenBracket | TokenKind::CloseBracket => {
                self.values.warnings.add(FileRepair::UnknownPart, token.position, || {
                    format!("{} is not part of an object; skipped", token.describe())
                });
            }
        }
        Ok(Flow::More)
    }

    fn begin_object(
        &mut self,
        template: String,
        name: String,
        guid: Option<Guid>,
        position: SourcePosition,
    ) -> Result<(), XError> {
        self.budget.take(position)?;
        let limit = (self.max_depth, Some(LimitName::Depth));
        LimitExceeded::check(position, "nested objects", self.open.len() + 1, limit)?;
        let (count, limit) = (self.objects.len(), (u32::MAX as usize, None));
        let too_many = |_| LimitExceeded::new(position, "objects of the file", count, limit);
        let index = ObjectIndex(u32::try_from(count).map_err(too_many)?);
        let parent = self.open.last().map(|open| open.index);
        match parent.and_then(|parent| self.objects.get_mut(parent.index())) {
            Some(parent) => parent.children.push(Child::Object(index)),
            None => self.roots.push(index),
        }
        self.objects.push(Object {
            template,
            name,
            guid,
            position,
            parent,
            is_mended: false,
            values: Vec::new(),
            children: Vec::new(),
            positions: PositionList::default(),
        });
        self.open.push(Open {
            index,
            first_value: self.values.values.len(),
            first_step: self.values.steps.len(),
            outer_last: self.values.last,
            cursor: None,
        });
        self.values.last = position;
        Ok(())
    }

    fn close(&mut self, position: SourcePosition) -> Result<(), XError> {
        let Some(open) = self.open.pop() else {
            self.values.warnings.add(FileRepair::Leftover, position, || {
                "a closing brace without an opening one; ignored".into()
            });
            return Ok(());
        };
        let values: Vec<Value> = self.values.values.drain(open.first_value..).collect();
        let steps = self.values.steps.drain(open.first_step..).collect();
        self.values.last = open.outer_last;
        let Some(object) = self.objects.get_mut(open.index.index()) else { return Ok(()) };
        object.values = values;
        object.positions = PositionList::from_steps(steps);
        if fits(&object.template, &object.values) {
            Ok(())
        } else {
            self.mend(open.index, position)
        }
    }

    /// Corrects the counts of an object that ends at `end`.
    fn mend(&mut self, index: ObjectIndex, end: SourcePosition) -> Result<(), XError> {
        let Some(object) = self.objects.get_mut(index.index()) else { return Ok(()) };
        let positions: Vec<SourcePosition> =
            object.positions.all(object.position).take(object.values.len()).collect();
        let next = positions.iter().skip(1).copied().chain([end]);
        let items: Vec<_> = (object.values.iter().zip(&positions).zip(next))
            .map(|((value, position), next)| {
                (*value, *position, self.source.behind(position.offset, next.offset))
            })
            .collect();
        let name = label(object);
        let Some(mended) = mend(&object.template, &name, &items)? else { return Ok(()) };
        let mut steps = Vec::new();
        let mut last = object.position;
        object.values.clear();
        for (value, position) in mended.values {
            object.values.push(value);
            push_step(&mut steps, last, position);
            last = position;
        }
        object.positions = PositionList::from_steps(steps);
        object.is_mended = true;
        for (position, message) in mended.told {
            self.values.warnings.add(FileRepair::CountMismatch, position, || message);
        }
        Ok(())
    }

    fn close_all(&mut self, position: SourcePosition) -> Result<(), XError> {
        let count = self.open.len();
        if let Some(inner) = self.open.last().and_then(|open| self.objects.get(open.index.index()))
        {
            let (template, begin) = (quoted(inner.template.as_bytes()), inner.position);
            self.values.warnings.add(FileRepair::Truncated, position, || {
                format!(
                    "the file ends inside {count} open objects, the innermost {template} from {begin}; they are closed here"
                )
            });
        }
        while !self.open.is_empty() {
            self.close(position)?;
        }
        Ok(())
    }

    /// A GUID right after the brace of an object belongs to the object.
    fn take_guid(&mut self, token: &Token<'a>, guid: Option<Guid>) {
        let values = self.values.values.len();
        let object = self.open.last().filter(|open| open.first_value == values);
        let object = object.and_then(|open| self.objects.get_mut(open.index.index()));
        match (object, guid) {
            (Some(object), Some(guid)) if object.children.is_empty() && object.guid.is_none() => {
                object.guid = Some(guid);
            }
            (_, Some(_)) => self.values.warnings.add(FileRepair::Leftover, token.position, || {
                format!("{} is not at the start of an object; ignored", token.describe())
            }),
            (_, None) => {
                self.values.warnings.add(FileRepair::Malformed, token.position, || {
                    format!("{}: {NOT_32}", token.describe())
                });
            }
        }
    }

    /// Takes a reference, after its brace: `name }`, `name <guid> }` or `<guid> }`.
    fn take_reference(&mut self, position: SourcePosition) -> Result<(), XError> {
        let mut reference = Reference { name: String::new(), guid: None, position };
        loop {
            let token = self.next_token(Within::Data)?;
            match token.kind {
                TokenKind::Word | TokenKind::Text => {
                    if !reference.name.is_empty() {
                        reference.name.push(' ');
                    }
                    reference.name.push_str(&decode_text(token.text));
                }
                TokenKind::Guid(Some(guid)) => reference.guid = Some(guid),
                TokenKind::Guid(None) => {
                    self.values.warnings.add(FileRepair::Malformed, token.position, || {
                        format!("{}: {NOT_32}", token.describe())
                    })
                }
                TokenKind::Separator => {}
                TokenKind::Close => break,
                TokenKind::End => {
                    self.values.warnings.add(FileRepair::Truncated, token.position, || {
                        format!("the file ends inside the reference from {position}")
                    });
                    break;
                }
                _ => {
                    // An object without its template: its content is read and not used.
                    self.values.warnings.add(FileRepair::Malformed, position, || {
                        format!(
                            "found {} in the reference; expected the name of an object or }}; the reference is skipped",
                            token.describe()
                        )
                    });
                    self.begin_object(String::new(), reference.name, None, position)?;
                    return self.take(&token).map(|_| ());
                }
            }
        }
        if reference.name.is_empty() && reference.guid.is_none() {
            self.values
                .warnings
                .add(FileRepair::BadReference, position, || "an empty reference; ignored".into());
            return Ok(());
        }
        let object = self.open.last().and_then(|open| self.objects.get_mut(open.index.index()));
        match object {
            Some(object) => {
                self.budget.take(position)?;
                object.children.push(Child::Reference(reference));
            }
            None => self.values.warnings.add(FileRepair::BadReference, position, || {
                format!(
                    "the reference to {} is outside any object; ignored",
                    quoted(reference.name.as_bytes())
                )
            }),
        }
        Ok(())
    }
}
