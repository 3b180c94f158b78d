//! Reads templates from the tokens of either encoding.

use super::error::XError;
use super::template::{Dimension, Member, MemberKind, Openness, Template};
use super::token::{Source, Token, TokenKind, Warnings, Within};
use crate::LimitExceeded;
use crate::LimitName;
use crate::text::{SourcePosition, decode_text};
use tintype_model::FileRepair;

/// The type named by a word, in any case of letters.
fn member_kind(word: &[u8]) -> MemberKind {
    let is = |names: &[&str]| names.iter().any(|name| word.eq_ignore_ascii_case(name.as_bytes()));
    if is(&["WORD", "DWORD", "CHAR", "UCHAR", "SWORD", "SDWORD", "BYTE"]) {
        MemberKind::Whole
    } else if is(&["FLOAT", "DOUBLE"]) {
        MemberKind::Real
    } else if is(&["STRING", "LPSTR", "CSTRING", "UNICODE"]) {
        MemberKind::Text
    } else {
        MemberKind::Template(decode_text(word))
    }
}

/// Reads a template after its opening brace; `name` is the token before it. None for a truncated
/// template.
///
/// `budget` is the number of further members allowed; it is counted down.
pub(super) fn read_template<'a>(
    source: &mut impl Source<'a>,
    name: &Token<'a>,
    budget: &mut ObjectBudget,
    warnings: &mut Warnings,
) -> Result<Option<Template>, XError> {
    let mut template = Template {
        name: decode_text(name.text),
        guid: None,
        members: Vec::new(),
        openness: Openness::Closed,
        position: name.position,
    };
    budget.take(name.position)?;
    loop {
        let token = source.next_token(Within::Template)?;
        match token.kind {
            TokenKind::Separator => {}
            TokenKind::Guid(guid) => {
                if guid.is_none() {
                    warnings.add(FileRepair::Malformed, token.position, || {
                        format!("{}: {}", token.describe(), NOT_32)
                    });
                }
                template.guid = guid;
            }
            TokenKind::Word => match read_member(source, &token, budget)? {
                Some(member) => template.members.push(member),
                None => break,
            },
            TokenKind::OpenBracket => match read_openness(source, budget)? {
                Some(openness) => template.openness = openness,
                None => break,
            },
            TokenKind::Close => return Ok(Some(template)),
            TokenKind::End => break,
            _ => return Err(unexpected(&token, "a member of the template, [ or }")),
        }
    }
    warnings.add(FileRepair::Truncated, name.position, || {
        format!("the file ends inside the template {}; ignored", name.describe())
    });
    Ok(None)
}

/// Reads members up to the end of `source`.
pub(super) fn read_members<'a>(
    source: &mut impl Source<'a>,
    budget: &mut ObjectBudget,
) -> Result<Vec<Member>, XError> {
    let mut members = Vec::new();
    loop {
        let token = source.next_token(Within::Template)?;
        if token.kind == TokenKind::End {
            return Ok(members);
        }
        members.extend(read_member(source, &token, budget)?);
    }
}

/// Warning about a GUID.
pub(super) const NOT_32: &str = "a GUID needs 32 hexadecimal digits; ignored";

/// `DWORD n;` or `array FLOAT x[n][3];` from its first word on. None at the end of the file.
fn read_member<'a>(
    source: &mut impl Source<'a>,
    first: &Token<'a>,
    budget: &mut ObjectBudget,
) -> Result<Option<Member>, XError> {
    budget.take(first.position)?;
    let mut kind = first.text;
    if first.is_word("array") {
        let token = source.next_token(Within::Template)?;
        match token.kind {
            TokenKind::Word => kind = token.text,
            TokenKind::End => return Ok(None),
            _ => return Err(unexpected(&token, "the kind of the array's elements")),
        }
    }
    let mut member =
        Member { kind: member_kind(kind), name: String::new(), dimensions: Vec::new() };
    loop {
        let token = source.next_token(Within::Template)?;
        match token.kind {
            TokenKind::Word if member.name.is_empty() && member.dimensions.is_empty() => {
                member.name = decode_text(token.text);
            }
            TokenKind::Separator => return Ok(Some(member)),
            TokenKind::OpenBracket => match read_dimension(source, budget)? {
                Some(dimension) => member.dimensions.push(dimension),
                None => return Ok(None),
            },
            TokenKind::End => return Ok(None),
            _ => return Err(unexpected(&token, "[ or ; after the member")),
        }
    }
}

/// Reads the part of a member after `[`, and the `]`.
fn read_dimension<'a>(
    source: &mut impl Source<'a>,
    budget: &mut ObjectBudget,
) -> Result<Option<Dimension>, XError> {
    let token = source.next_token(Within::Template)?;
    budget.take(token.position)?;
    let dimension = match token.kind {
        TokenKind::Number(number) => Dimension::Fixed(number),
        TokenKind::Word => {
            let text = decode_text(token.text);
            text.parse().map_or(Dimension::Member(text), Dimension::Fixed)
        }
        TokenKind::End => return Ok(None),
        _ => return Err(unexpected(&token, "the length of the array")),
    };
    let token = source.next_token(Within::Template)?;
    match token.kind {
        TokenKind::CloseBracket => Ok(Some(dimension)),
        TokenKind::End => Ok(None),
        _ => Err(unexpected(&token, "]")),
    }
}

/// Reads the part of a template after `[`: `...]` or `Name <guid>, Name <guid>]`.
fn read_openness<'a>(
    source: &mut impl Source<'a>,
    budget: &mut ObjectBudget,
) -> Result<Option<Openness>, XError> {
    let mut names = Vec::new();
    let mut open = false;
    loop {
        let token = source.next_token(Within::Template)?;
        match token.kind {
            TokenKind::Word if token.text.iter().all(|byte| *byte == b'.') => open = true,
            TokenKind::Word => {
                budget.take(token.position)?;
                names.push(decode_text(token.text));
            }
            // In binary each dot is a token.
            TokenKind::Sign if token.text == b"." => open = true,
            TokenKind::Guid(_) | TokenKind::Separator => {}
            TokenKind::CloseBracket if open => return Ok(Some(Openness::Open)),
            TokenKind::CloseBracket => return Ok(Some(Openness::Restricted(names))),
            TokenKind::End => return Ok(None),
            _ => return Err(unexpected(&token, "..., the name of a template or ]")),
        }
    }
}

fn unexpected(token: &Token, expected: &str) -> XError {
    XError::Syntax { position: token.position, found: token.describe(), expected: expected.into() }
}

/// Budget of objects, references and members of a file.
pub(super) struct ObjectBudget {
    limit: usize,
    left: usize,
}

impl ObjectBudget {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, left: limit }
    }

    /// Takes one from the budget.
    pub(super) fn take(&mut self, position: SourcePosition) -> Result<(), XError> {
        let what = "objects, references and members of templates";
        let (found, limit) = (self.limit.saturating_add(1), (self.limit, Some(LimitName::Objects)));
        let too_many = || LimitExceeded::new(position, what, found, limit);
        self.left = self.left.checked_sub(1).ok_or_else(too_many)?;
        Ok(())
    }
}
