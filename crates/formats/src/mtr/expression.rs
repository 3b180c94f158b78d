//! Expressions of material stages: numbers, signs, and what a game sets while it runs.
//!
//! A picture has no game behind it: `time`, `sound` and the `global` registers are 0, `parm0` to `parm3` (the colour of a thing)
//! are 1 and all other `parm` registers 0, as an engine sets them for a thing that asks for nothing else. A look-up in a table
//! counts as 1. A value says on which of these it depends.

use super::error::MtrError;
use super::lexer::Lexer;
use crate::text::parse_number;
use crate::text::quoted;
use crate::text::{Token, TokenKind};

/// The deepest nesting of parentheses and table look-ups.
const MAX_DEPTH: usize = 64;

/// Value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Value {
    /// The number; always finite.
    pub(super) number: f64,
    /// The first name in it that a game sets, with the number taken for it.
    pub(super) depends: Option<String>,
}

impl Value {
    pub(super) fn constant(number: f64) -> Self {
        Self { number, depends: None }
    }

    /// Its value, 0 to 1.
    #[expect(clippy::cast_possible_truncation, reason = "0..=1 rounds to the nearest f32")]
    pub(super) fn share(&self) -> f32 {
        match self.number {
            below if below < 0.0 => 0.0,
            above if above > 1.0 => 1.0,
            share => share as f32,
        }
    }
}

/// Operators by how strongly they bind, the strongest first; those of one row bind from the left.
const ROWS: [&[&str]; 4] =
    [&["*", "/", "%"], &["+", "-"], &[">=", "<=", "==", "!=", ">", "<"], &["&&", "||"]];

/// Reads one expression; what follows it stays.
pub(super) fn read(lexer: &mut Lexer<'_>) -> Result<Value, MtrError> {
    read_row(lexer, ROWS.len(), 0)
}

/// An expression whose operators are of the first `rows` rows.
fn read_row(lexer: &mut Lexer<'_>, rows: usize, depth: usize) -> Result<Value, MtrError> {
    let Some((row, rest)) = ROWS.get(..rows).and_then(<[&[&str]]>::split_last) else {
        return read_term(lexer, depth);
    };
    let mut left = read_row(lexer, rest.len(), depth)?;
    loop {
        let mut ahead = lexer.clone();
        // An error ahead is reported when the token is read.
        let Ok(token) = ahead.next_operand() else { return Ok(left) };
        let Some(operator) = row.iter().find(|operator| token.is_symbol(operator)) else {
            return Ok(left);
        };
        *lexer = ahead;
        let right = read_row(lexer, rest.len(), depth)?;
        let number = apply(operator, left.number, right.number);
        left = Value {
            number: if number.is_finite() { number } else { 0.0 },
            depends: left.depends.or(right.depends),
        };
    }
}

fn apply(operator: &str, a: f64, b: f64) -> f64 {
    let truth = |is: bool| f64::from(u8::from(is));
    match operator {
        "*" => a * b,
        "/" => a / b,
        // Whole numbers, as the engine has it; by 0 it leaves nothing.
        "%" => a.trunc() % b.trunc(),
        "+" => a + b,
        "-" => a - b,
        ">=" => truth(a >= b),
        "<=" => truth(a <= b),
        "==" => truth(a == b),
        "!=" => truth(a != b),
        ">" => truth(a > b),
        "<" => truth(a < b),
        "&&" => truth(a != 0.0 && b != 0.0),
        _ => truth(a != 0.0 || b != 0.0),
    }
}

fn read_term(lexer: &mut Lexer<'_>, depth: usize) -> Result<Value, MtrError> {
    let token = lexer.next_operand()?;
    if depth >= MAX_DEPTH {
        return Err(MtrError::Limit {
            position: token.position,
            what: "parentheses within each other",
            found: depth + 1,
            limit: MAX_DEPTH,
            option: None,
        });
    }
    if token.is_symbol("(") {
        let value = read_row(lexer, ROWS.len(), depth + 1)?;
        expect(lexer, ")", "a closing parenthesis")?;
        return Ok(value);
    }
    if token.is_symbol("-") || token.is_symbol("+") {
        let value = read_term(lexer, depth + 1)?;
        let number = if token.is_symbol("-") { -value.number } else { value.number };
        return Ok(Value { number, ..value });
    }
    match token.kind {
        TokenKind::Word => {}
        TokenKind::Text | TokenKind::Symbol(_) | TokenKind::Operator | TokenKind::End => {
            return Err(token.unexpected("a number, time, parm0 to parm11, or a table").into());
        }
    }
    if let Some(number) = parse_number(token.text).filter(|number| number.is_finite()) {
        return Ok(Value::constant(number));
    }
    let mut ahead = lexer.clone();
    if ahead.next_operand().is_ok_and(|next| next.is_symbol("[")) {
        *lexer = ahead;
        read_row(lexer, ROWS.len(), depth + 1)?;
        expect(lexer, "]", "a closing bracket")?;
        return Ok(given(&format!("the table {}", quoted(token.text)), 1.0));
    }
    register(&token).ok_or_else(|| {
        let expected = "a number, time, sound, parm0 to parm11, global0 to global7, or a table with its index in brackets";
        token.unexpected(expected).into()
    })
}

/// Registers that a game would set.
fn register(token: &Token<'_>) -> Option<Value> {
    let name = token.name().to_ascii_lowercase();
    let index = |prefix: &str, count: u32| {
        let digits = name.strip_prefix(prefix)?;
        digits.parse::<u32>().ok().filter(|&index| index < count)
    };
    if let Some(index) = index("parm", 12) {
        return Some(given(&name, if index < 4 { 1.0 } else { 0.0 }));
    }
    if index("global", 8).is_some() || name == "time" || name == "sound" {
        return Some(given(&name, 0.0));
    }
    // What the machine can do does not change a picture here: the better branch is taken.
    let programs = ["fragmentprograms", "glslprograms", "vertexprograms"];
    programs.contains(&name.as_str()).then(|| Value::constant(1.0))
}

fn given(name: &str, number: f64) -> Value {
    Value { number, depends: Some(format!("{name}, taken as {number}")) }
}

fn expect(lexer: &mut Lexer<'_>, sign: &str, expected: &str) -> Result<(), MtrError> {
    let token = lexer.next_operand()?;
    if token.is_symbol(sign) { Ok(()) } else { Err(token.unexpected(expected).into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &'static str) -> Result<Value, String> {
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
            ("8 - 4 - 2", 2.0),
            ("-2*-3", 6.0),
            ("7 % 4", 3.0),
            ("1 + 1 == 2 && 3 > 2", 1.0),
            ("1 <= 0 || 0", 0.0),
            (".5 , 3", 0.5),
            ("1 / 0", 0.0),
            ("5 % 0", 0.0),
        ] {
            assert_eq!(value(text).unwrap(), Value::constant(number), "{text}");
        }
    }

    #[test]
    fn expression_tells_what_a_game_would_set() {
        let parm = value("2 * parm7 == 0").unwrap();
        assert_eq!((parm.number, parm.depends.as_deref()), (1.0, Some("parm7, taken as 0")));
        let table = value("3 * sinTable[ time * 0.5 + parm3 ]").unwrap();
        let because = Some("the table \"sinTable\", taken as 1");
        assert_eq!((table.number, table.depends.as_deref()), (3.0, because));
        assert_eq!(value("Parm0").unwrap().number, 1.0);
        assert_eq!(value("fragmentPrograms").unwrap(), Value::constant(1.0));
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
        assert!(error.contains("parentheses within each other: found 65; the limit is 64"));
    }
}
