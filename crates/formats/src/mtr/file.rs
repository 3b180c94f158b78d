//! A whole material file: its declarations, and the block of each material.
//!
//! Input: bytes. Output: materials in file order, and tables. Skins, sounds and all other
//! declarations are skipped by their braces. A block with invalid contents is refused alone,
//! because files of games hold hundreds of materials by many hands; after mismatched braces, quotes
//! or comments, reading resumes at the next line that begins like a declaration.

use super::body;
use super::declared::{MtrFile, MtrMaterial};
use super::error::MtrError;
use super::lexer::Lexer;
use super::program::expect;
use crate::LimitExceeded;
use crate::text::SourcePosition;
use crate::text::{Token, TokenKind};
use crate::text::{decode_text, parse_number, quoted};
use crate::{LimitName, LoadOptions, Loaded};
use std::sync::Arc;
use tintype_model::{FileRepair, Table, Warning};

/// Declarations of other kinds, which may occur among materials.
const OTHER_KINDS: [&str; 17] = [
    "articulatedfigure",
    "audio",
    "camera",
    "effect",
    "email",
    "entitydef",
    "export",
    "fx",
    "mapdef",
    "model",
    "modeldef",
    "particle",
    "pda",
    "playback",
    "skin",
    "sound",
    "video",
];

pub(super) fn read(bytes: &[u8], options: &LoadOptions) -> Result<Loaded<MtrFile>, MtrError> {
    let mut lexer = Lexer::new(bytes);
    let mut loaded = Loaded { value: MtrFile::default(), warnings: Vec::new() };
    // The message of a fault is reported once, up to the next complete declaration.
    let mut is_told = false;
    let mut first = None;
    loop {
        match read_declaration(&mut lexer, options, &mut loaded) {
            Ok(true) => is_told = false,
            Ok(false) if loaded.value.materials.is_empty() && first.is_some() => {
                // No declaration is left to continue with.
                return first.map_or(Ok(loaded), Err);
            }
            Ok(false) => return Ok(loaded),
            Err(error @ MtrError::Syntax { .. }) => {
                if let (false, MtrError::Syntax { position, found, expected }) = (is_told, &error) {
                    let message = format!(
                        "found {found}; expected {expected}; continuing at the next material"
                    );
                    loaded.warnings.push(position.fault(FileRepair::Malformed, &message));
                }
                is_told = true;
                first.get_or_insert(error);
                skip_to_head(&mut lexer);
            }
            Err(error) => return Err(error),
        }
    }
}

/// Moves to the next line that looks like a declaration, or to the end: a name in its first column,
/// optionally another one, and a brace.
fn skip_to_head(lexer: &mut Lexer<'_>) {
    while lexer.skip_line() {
        let mut ahead = lexer.clone();
        let Ok(first) = ahead.next_token() else { continue };
        if !first.is_name() || first.position.column != 1 {
            continue;
        }
        let second = ahead.next_token();
        let is_named = second.as_ref().is_ok_and(Token::is_name);
        let third = ahead.next_token();
        let brace = if is_named { third } else { second };
        if brace.is_ok_and(|token| token.is_symbol("{")) {
            return;
        }
    }
}

/// Reads the next declaration; false at the end of the file.
///
/// # Errors
/// [`MtrError::Syntax`] if it is invalid; the lexer is then at most after its opening brace.
fn read_declaration(
    lexer: &mut Lexer<'_>,
    options: &LoadOptions,
    loaded: &mut Loaded<MtrFile>,
) -> Result<bool, MtrError> {
    let Loaded { value: MtrFile { materials, tables }, warnings } = loaded;
    let token = lexer.next_token()?;
    if token.kind == TokenKind::End {
        return Ok(false);
    }
    if token.is_symbol("}") {
        let message = "a closing brace without an opening one";
        warnings.push(token.position.fault(FileRepair::Leftover, message));
        return Ok(true);
    }
    if !token.is_name() {
        return Err(token.unexpected("a material: its name and a block in braces").into());
    }
    let Some((kind, name)) = read_head(lexer, token, warnings)? else { return Ok(true) };
    let block = skip_block(lexer);
    match kind.as_deref() {
        None | Some("material") => {}
        Some("table") => {
            let behind = block?;
            match read_table(lexer) {
                Ok(table) => {
                    let name = decode_text(name.text).to_ascii_lowercase();
                    tables.entry(name).or_insert_with(|| Arc::new(table));
                }
                Err(error) => {
                    let message = format!("table {} is skipped: {error}", quoted(name.text));
                    warnings.push(name.position.fault(FileRepair::Malformed, &message));
                }
            }
            *lexer = behind;
            return Ok(true);
        }
        Some(other) => {
            if !OTHER_KINDS.contains(&other) {
                let kind = quoted(other.as_bytes());
                let message = format!("a declaration of unknown kind {kind} is skipped");
                warnings.push(token.position.fault(FileRepair::UnknownPart, &message));
            }
            *lexer = block?;
            return Ok(true);
        }
    }
    if materials.len() >= options.limits.max_objects {
        let (position, what) = (name.position, "materials of a file");
        let (found, limit) = (materials.len() + 1, options.limits.max_objects);
        let option = Some(LimitName::Objects);
        return Err(LimitExceeded::new(position, what, found, (limit, option)).into());
    }
    let body = block.clone().and_then(|_| body::read(&mut lexer.clone()));
    materials.push(MtrMaterial { name: decode_text(name.text), position: name.position, body });
    // A block without an end contains those after it, so they are searched for inside it.
    *lexer = block?;
    Ok(true)
}

/// Reads a table after its opening brace: words, and numbers in braces with commas between them.
fn read_table(lexer: &mut Lexer<'_>) -> Result<Table, MtrError> {
    /// Each is written out in full if a golden names the formulas of a stage.
    const MOST: usize = 4096;
    let mut table = Table::default();
    loop {
        let token = lexer.next_token()?;
        if token.is_symbol("}") {
            return Ok(table);
        } else if token.is_keyword("snap") {
            table.is_snapped = true;
        } else if token.is_keyword("clamp") {
            table.is_clamped = true;
        } else if !token.is_symbol("{") {
            return Err(token
                .unexpected("snap, clamp, numbers in braces or a closing brace")
                .into());
        } else {
            while !lexer.peek()?.is_symbol("}") {
                if !table.values.is_empty() {
                    expect(lexer, ",", "a comma and the next number of the table")?;
                }
                if lexer.peek()?.is_symbol("}") {
                    break;
                }
                let number = lexer.next_token()?;
                let value = parse_number(number.text).filter(|value| value.is_finite());
                let Some(value) = value.filter(|_| number.is_name()) else {
                    return Err(number.unexpected("a number of the table").into());
                };
                table.values.push(value);
                let found = table.values.len();
                if found > MOST {
                    let (position, what) = (number.position, "numbers of a table");
                    return Err(LimitExceeded::new(position, what, found, (MOST, None)).into());
                }
            }
            lexer.next_token()?;
        }
    }
}

/// Reads the head of a block, up to its opening brace: the kind of the declaration, if stated, and
/// its name. None if there is no block.
fn read_head<'a>(
    lexer: &mut Lexer<'a>,
    first: Token<'a>,
    warnings: &mut Vec<Warning>,
) -> Result<Option<(Option<String>, Token<'a>)>, MtrError> {
    const EXPECTED: &str = "an opening brace";
    let second = lexer.next_token()?;
    if second.is_symbol("{") {
        return Ok(Some((None, first)));
    }
    if !second.is_name() {
        return Err(second.unexpected(EXPECTED).into());
    }
    let kind = first.name().to_ascii_lowercase();
    if kind == "guide" {
        // A name, a template and its parameters, without braces.
        lexer.next_token()?;
        if lexer.peek()?.is_symbol("(") {
            let open = lexer.next_token()?;
            while !lexer.next_token()?.is_symbol(")") {
                check_end(lexer, open.position, "unterminated parameters", ")")?;
            }
        }
        let name = quoted(second.text);
        warnings.push(first.position.fault(
            FileRepair::NotDrawn,
            &format!("material {name} is skipped: guides are not supported"),
        ));
        return Ok(None);
    }
    let brace = lexer.next_token()?;
    if brace.is_symbol("{") {
        Ok(Some((Some(kind), second)))
    } else {
        Err(brace.unexpected(EXPECTED).into())
    }
}

/// Skips a block up to its closing brace and returns the lexer after it.
fn skip_block<'a>(lexer: &Lexer<'a>) -> Result<Lexer<'a>, MtrError> {
    let mut lexer = lexer.clone();
    let open = lexer.last_position();
    let mut depth = 1_usize;
    while depth > 0 {
        let token = lexer.next_token()?;
        if token.kind == TokenKind::End {
            return Err(without_end(open, "an unterminated block", "}"));
        }
        depth += usize::from(token.is_symbol("{"));
        depth -= usize::from(token.is_symbol("}"));
    }
    Ok(lexer)
}

fn check_end(
    lexer: &Lexer<'_>,
    position: SourcePosition,
    found: &str,
    expected: &str,
) -> Result<(), MtrError> {
    match lexer.peek()?.kind {
        TokenKind::End => Err(without_end(position, found, expected)),
        _ => Ok(()),
    }
}

fn without_end(position: SourcePosition, found: &str, expected: &str) -> MtrError {
    let (found, expected) = (found.to_owned(), expected.to_owned());
    MtrError::Syntax { position, found, expected }
}
