//! Expressions of material stages: numbers, signs, tables, and values set by a running game.
//!
//! A picture has no game behind it: `sound` and the `global` registers are 0, `parm0` to `parm3`
//! (the colour of an entity) are 1 and all other `parm` registers 0, as in an engine for an entity
//! without special settings.
//!
//! # Source
//! id Software, Doom 3 source code (GPL): operators of equal precedence bind from the right, so
//! `8 - 4 - 2` is 6.

use super::error::MtrError;
use super::lexer::Lexer;
use crate::LimitExceeded;
use crate::text::parse_number;
use crate::text::{Token, TokenKind};
use tintype_model::Formula;

/// Maximum nesting depth of parentheses and table look-ups.
const MAX_DEPTH: usize = 64;
/// Maximum number of numbers and names in an expression.
const MAX_TERMS: usize = 256;

/// Operators by precedence, the highest first.
const ROWS: [&[&str]; 4] =
    [&["*", "/", "%"], &["+", "-"], &[">=", "<=", "==", "!=", ">", "<"], &["&&", "||"]];

/// Reads one expression; the rest of the text stays.
pub(super) fn read(lexer: &mut Lexer<'_>) -> Result<Formula, MtrError> {
    read_row(lexer, ROWS.len(), (0, &mut 0))
}

/// Reads an expression with operators of the first `rows` precedence levels.
fn read_row(
    lexer: &mut Lexer<'_>,
    rows: usize,
    (depth, terms): (usize, &mut usize),
) -> Result<Formula, MtrError> {
    let Some((row, rest)) = ROWS.get(..rows).and_then(<[&[&str]]>::split_last) else {
        return read_term(lexer, (depth, terms));
    };
    let mut left: Vec<(Formula, &'static str)> = Vec::new();
    loop {
        let operand = read_row(lexer, rest.len(), (depth, &mut *terms))?;
        let mut ahead = lexer.clone();
        // An error ahead is reported when the token is read.
        let token = ahead.next_operand().ok();
        let is_next = |operator: &&&str| token.as_ref().is_some_and(|one| one.is_symbol(operator));
        let Some(operator) = row.iter().find(is_next) else {
            return Ok(left
                .into_iter()
                .rfold(operand, |right, (a, operator)| combined(operator, a, right)));
        };
        *lexer = ahead;
        left.push((operand, operator));
    }
}

/// Two values with an operator between them; a number if both are.
fn combined(operator: &'static str, a: Formula, b: Formula) -> Formula {
    let is_constant = matches!((&a, &b), (Formula::Number(_), Formula::Number(_)));
    let both = Formula::Operation(operator, Box::new([a, b]));
    if is_constant { Formula::Number(both.at(0.0)) } else { both }
}

fn read_term(
    lexer: &mut Lexer<'_>,
    (depth, terms): (usize, &mut usize),
) -> Result<Formula, MtrError> {
    let token = lexer.next_operand()?;
    *terms += 1;
    for (what, found, limit) in [
        ("nested parentheses", depth + 1, MAX_DEPTH),
        ("terms of one expression", *terms, MAX_TERMS),
    ] {
        if found > limit {
            let position = token.position;
            return Err(LimitExceeded::new(position, what, found, (limit, None)).into());
        }
    }
    let inner = (depth + 1, terms);
    if token.is_symbol("(") {
        let value = read_row(lexer, ROWS.len(), inner)?;
        expect(lexer, ")", "a closing parenthesis")?;
        return Ok(value);
    }
    if token.is_symbol("-") || token.is_symbol("+") {
        let value = read_term(lexer, inner)?;
        return Ok(match value {
            Formula::Number(number) if token.is_symbol("-") => Formula::Number(-number),
            value if token.is_symbol("-") => combined("-", Formula::Number(0.0), value),
            value => value,
        });
    }
    match token.kind {
        TokenKind::Word => {}
        TokenKind::Text | TokenKind::Symbol(_) | TokenKind::Operator | TokenKind::End => {
            return Err(token.unexpected("a number, time, parm0 to parm11, or a table").into());
        }
    }
    if let Some(number) = parse_number(token.text).filter(|number| number.is_finite()) {
        return Ok(Formula::Number(number));
    }
    let mut ahead = lexer.clone();
    if ahead.next_operand().is_ok_and(|next| next.is_symbol("[")) {
        *lexer = ahead;
        let index = read_row(lexer, ROWS.len(), inner)?;
        expect(lexer, "]", "a closing bracket")?;
        return Ok(Formula::Lookup(token.name(), None, Box::new(index)));
    }
    register(&token).ok_or_else(|| {
        let expected = "a number, time, sound, parm0 to parm11, global0 to global7, or a table with its index in brackets";
        token.unexpected(expected).into()
    })
}

/// The time, and registers set by a game.
fn register(token: &Token<'_>) -> Option<Formula> {
    let name = token.name().to_ascii_lowercase();
    let index = |prefix: &str, count: u32| {
        let digits = name.strip_prefix(prefix)?;
        digits.parse::<u32>().ok().filter(|&index| index < count)
    };
    if name == "time" {
        return Some(Formula::Time);
    }
    if let Some(index) = index("parm", 12) {
        return Some(Formula::Given(name, if index < 4 { 1.0 } else { 0.0 }));
    }
    if index("global", 8).is_some() || name == "sound" {
        return Some(Formula::Given(name, 0.0));
    }
    // Capabilities of the machine have no effect here: the better branch is taken.
    let programs = ["fragmentprograms", "glslprograms", "vertexprograms"];
    programs.contains(&name.as_str()).then_some(Formula::Number(1.0))
}

fn expect(lexer: &mut Lexer<'_>, sign: &str, expected: &str) -> Result<(), MtrError> {
    let token = lexer.next_operand()?;
    if token.is_symbol(sign) { Ok(()) } else { Err(token.unexpected(expected).into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &'static str) -> Result<Formula, String> {
        let mut lexer = Lexer::new(text.as_bytes());
        let value = read(&mut lexer).map_err(|error| error.to_string())?;
        let rest = lexer.next_token().unwrap();
        assert!(matches!(rest.kind, TokenKind::End) || rest.is_symbol(","), "{text}: {rest:?}");
        Ok(value)
    }

    #[test]
    fn expression_binds_products_before_sums_before_comparisons() {
        for (text, number) in [
            ("1 + 2 * 3", 7.0),
            ("(1 + 2) * 3", 9.0),
            ("8 - 4 - 2", 6.0),
            ("8 / 4 * 2 - 1", 0.0),
            ("-2*-3", 6.0),
            ("7 % 4", 3.0),
            ("1 + 1 == 2 && 3 > 2", 1.0),
            ("1 <= 0 || 0", 0.0),
            (".5 , 3", 0.5),
            ("1 / 0", 0.0),
            ("5 % 0", 0.0),
        ] {
            assert_eq!(value(text).unwrap(), Formula::Number(number), "{text}");
        }
    }

    #[test]
    fn expression_tells_what_a_game_would_set() {
        let parm = value("2 * parm7 == 0").unwrap();
        assert_eq!((parm.at(0.0), parm.assumed().as_deref()), (1.0, Some("parm7, taken as 0")));
        let table = value("3 * ownTable[ time * 0.5 + parm3 ]").unwrap();
        assert_eq!((table.at(0.0), table.assumed().as_deref()), (3.0, Some("parm3, taken as 1")));
        assert_eq!(value("Parm0").unwrap().at(0.0), 1.0);
        assert_eq!(value("fragmentPrograms").unwrap(), Formula::Number(1.0));
    }

    #[test]
    fn expression_of_time_has_a_value_at_each_moment() {
        let wave = value("0.5 + -time * 2 - 1").unwrap();
        assert_eq!((wave.at(0.0), wave.at(3.0)), (-0.5 + 1.0 - 1.0, -6.5));
    }

    #[test]
    fn expression_that_is_none_says_what_may_stand_there() {
        let error = value("2 * ( 3 + ,").unwrap_err();
        assert!(error.starts_with("line 1, column 11: found \",\"; expected a number"), "{error}");
        let error = value("(1 2").unwrap_err();
        assert_eq!(error, "line 1, column 4: found \"2\"; expected a closing parenthesis");
        let error = value("parm12").unwrap_err();
        assert!(error.starts_with("line 1, column 1: found \"parm12\"; expected"), "{error}");
        let deep: &'static str = "(".repeat(100_000).leak();
        let error = value(deep).unwrap_err();
        assert!(error.contains("nested parentheses: found 65; the limit is 64"));
        let long: &'static str = format!("0{}", "+time".repeat(100_000)).leak();
        let error = value(long).unwrap_err();
        assert!(error.contains("terms of one expression: found 257; the limit is 256"), "{error}");
    }
}
