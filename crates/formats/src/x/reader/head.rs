//! The words before an opening brace, and words without one.

use super::{Flow, Reader};
use crate::text::{SourcePosition, begins_like_a_number, decode_text, quoted};
use crate::x::error::XError;
use crate::x::guid::Guid;
use crate::x::shape::{Cursor, Expected};
use crate::x::template_reader;
use crate::x::token::{Source, Token, TokenKind, Within, number_value};
use crate::x::tree::Value;
use tintype_model::FileRepair;

impl<'a, S: Source<'a>> Reader<'a, S> {
    /// Takes words up to the next token of another kind: after an object's template and name that
    /// is a brace.
    pub(super) fn take_words(&mut self, first: &Token<'a>) -> Result<Flow, XError> {
        /// Maximum number of words in a name.
        const MOST: usize = 16;
        self.words.clear();
        self.words.push(*first);
        let mut guid = None;
        loop {
            let token = self.next_token(Within::Data)?;
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

    /// Takes the first `count` words, which no brace follows, as values or as strays.
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
            return self.values.push_text(word.text, word.position);
        }
        let expected = self.expected();
        if expected != Expected::Text {
            if let Some(value) = number_value(word.text) {
                return self.values.push(value, word.position);
            }
            if begins_like_a_number(word.text) && !self.open.is_empty() {
                let shown = word.describe();
                self.values.warnings.add(FileRepair::WrongType, word.position, || {
                    format!("found {shown}; expected a number; ignored")
                });
                return self.values.push(Value::Real(f64::NAN), word.position);
            }
        }
        let shown = word.describe();
        if expected == Expected::Text {
            self.values.warnings.add(FileRepair::WrongType, word.position, || {
                format!("the word {shown} is not quoted; it is read as a string")
            });
            return self.values.push_text(word.text, word.position);
        }
        self.values.warnings.add(FileRepair::UnknownPart, word.position, || {
            format!("the word {shown} is neither a value nor the start of an object; ignored")
        });
        Ok(())
    }

    /// The next member of the innermost object, if its template is known.
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

    /// Begins an object or a template after its brace.
    fn begin(&mut self, guid: Option<Guid>) -> Result<(), XError> {
        if let [.., keyword, name] = self.words.as_slice()
            && keyword.is_word("template")
        {
            let name = *name;
            self.take_strays(self.words.len().saturating_sub(2))?;
            let template = template_reader::read_template(
                &mut self.source,
                &name,
                &mut self.budget,
                &mut self.values.warnings,
            );
            let template = match template {
                Err(XError::Syntax { position, found, expected }) => {
                    self.skip_template(position, &found, &expected)?
                }
                template => template?,
            };
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
        let (position, template) = (template.position, decode_text(template.text));
        let name = match names {
            [] => String::new(),
            [name] => decode_text(name.text),
            _ => names.iter().map(|name| decode_text(name.text)).collect::<Vec<_>>().join(" "),
        };
        self.begin_object(template, name, guid, position)
    }

    /// Skips the rest of an invalid template.
    fn skip_template<T>(
        &mut self,
        position: SourcePosition,
        found: &str,
        expected: &str,
    ) -> Result<Option<T>, XError> {
        self.values.warnings.add(FileRepair::Malformed, position, || {
            format!("found {found}; expected {expected}; the template is ignored")
        });
        let mut is_over = found == quoted(b"}");
        while !is_over {
            let token = self.next_token(Within::Template)?;
            is_over = matches!(token.kind, TokenKind::Close | TokenKind::End);
        }
        Ok(None)
    }

    /// Index of the template among the words before a brace: the words after it are the name of the
    /// object, those before it are ignored.
    ///
    /// One or two words are nearly always a template and a name, even if the template is unknown.
    /// If there are more, or if a text is expected, the first known template is used.
    fn template_word(&mut self) -> usize {
        let count = self.words.len();
        if count < 2 {
            return 0;
        }
        self.shapes.update(&self.templates);
        let shapes = &self.shapes;
        let is_known =
            |word: &Token| word.kind == TokenKind::Word && shapes.knows(&decode_text(word.text));
        match self.words.iter().position(is_known) {
            Some(0) => 0,
            Some(at) if count > 2 || self.expected() == Expected::Text => at,
            _ => count - 2,
        }
    }
}
