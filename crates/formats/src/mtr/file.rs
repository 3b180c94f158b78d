//! A whole material file: which declarations it holds, and the block of each material.
//!
//! Input: bytes. Output: its materials in file order. Tables, skins, sounds and all other declarations are passed over by their
//! braces. A block whose inside is no material is refused for itself alone, because files of games hold hundreds of materials
//! by many hands; only where braces, quotes or comments do not fit is the whole file refused.

use super::body;
use super::convert;
use super::error::MtrError;
use super::lexer::Lexer;
use super::material::MtrMaterial;
use crate::text::SourcePosition;
use crate::text::{Token, TokenKind};
use crate::text::{decode_text, quoted};
use crate::{LimitName, LoadOptions, Loaded};
use tintype_model::Warning;

/// Declarations of other kinds, which may occur among materials.
const OTHER_KINDS: [&str; 18] = [
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
    "table",
    "video",
];

pub(super) fn read(
    bytes: &[u8],
    options: &LoadOptions,
) -> Result<Loaded<Vec<MtrMaterial>>, MtrError> {
    let mut lexer = Lexer::new(bytes);
    let mut materials: Vec<MtrMaterial> = Vec::new();
    let mut warnings = Vec::new();
    loop {
        let token = lexer.next_token()?;
        if token.kind == TokenKind::End {
            return Ok(Loaded { value: materials, warnings });
        }
        if token.is_symbol("}") {
            warnings.push(token.position.warning("a closing brace without an opening one"));
            continue;
        }
        if !token.is_name() {
            return Err(token.unexpected("a material: its name and a block in braces").into());
        }
        let Some((kind, name)) = read_head(&mut lexer, token, &mut warnings)? else { continue };
        let block = skip_block(&mut lexer)?;
        match kind.as_deref() {
            None | Some("material") => {}
            Some(other) if OTHER_KINDS.contains(&other) => continue,
            Some(other) => {
                let message = format!(
                    "a declaration of the unknown kind {} is passed over",
                    quoted(other.as_bytes())
                );
                warnings.push(token.position.warning(&message));
                continue;
            }
        }
        if materials.len() >= options.limits.max_objects {
            return Err(MtrError::Limit {
                position: name.position,
                what: "materials of a file",
                found: materials.len() + 1,
                limit: options.limits.max_objects,
                option: Some(LimitName::Objects),
            });
        }
        let mut inside = block;
        let look = body::read(&mut inside).map(convert::build_look);
        materials.push(MtrMaterial { name: decode_text(name.text), position: name.position, look });
    }
}

/// Reads the head of a block, up to its opening brace: the kind of the declaration where it is said, and its name. None
/// if there is no block.
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
                check_end(lexer, open.position, "parameters without an end", ")")?;
            }
        }
        let name = quoted(second.text);
        warnings.push(first.position.warning(&format!(
            "material {name} is made by a guide, which is not read: passed over"
        )));
        return Ok(None);
    }
    let brace = lexer.next_token()?;
    if brace.is_symbol("{") {
        Ok(Some((Some(kind), second)))
    } else {
        Err(brace.unexpected(EXPECTED).into())
    }
}

/// Passes over a block up to its closing brace and returns a reader of its inside.
fn skip_block<'a>(lexer: &mut Lexer<'a>) -> Result<Lexer<'a>, MtrError> {
    let inside = lexer.clone();
    let open = lexer.last_position();
    let mut depth = 1_usize;
    while depth > 0 {
        let token = lexer.next_token()?;
        if token.kind == TokenKind::End {
            return Err(without_end(open, "a block without an end", "}"));
        }
        depth += usize::from(token.is_symbol("{"));
        depth -= usize::from(token.is_symbol("}"));
    }
    Ok(inside)
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
