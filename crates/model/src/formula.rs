//! Expressions over time that animate a material.
//!
//! # Source
//! id Software, Doom 3 source code (GPL): registers of materials and tables, for facts only.

use crate::math::func::sin_cos_f64;
use core::f64::consts::TAU;
use core::fmt;
use std::sync::Arc;

/// Number that follows from the time of a scene.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// A number.
    Number(f64),
    /// Seconds since the scene began.
    Time,
    /// A value known only to a game: its name, and the number assumed for it.
    Given(String, f64),
    /// A table look-up by name; the table is set once it is [bound](Self::bind).
    Lookup(String, Option<Arc<Table>>, Box<Formula>),
    /// An operator (`* / % + - >= <= == != > < && ||`) between two.
    Operation(&'static str, Box<[Formula; 2]>),
}

/// Numbers at even distances, interpolated by look-ups of a formula.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The numbers, all finite.
    pub values: Vec<f64>,
    /// True to take the nearest entry before the position, false to interpolate linearly between
    /// both neighbours.
    pub is_snapped: bool,
    /// True if the first and the last entries continue beyond 0 and 1, false if the entries repeat.
    pub is_clamped: bool,
}

impl Table {
    /// The number at a position from 0 to 1. A table of a single number returns 1, as in the
    /// engine.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "below the count of the numbers")]
    #[expect(clippy::cast_sign_loss, reason = "never negative")]
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    pub fn at(&self, place: f64) -> f64 {
        let [first, _, ..] = self.values[..] else { return 1.0 };
        let count = self.values.len();
        let last = count - 1;
        let place = if self.is_clamped {
            let place = place * last as f64;
            if place > 0.0 { if place < last as f64 { place } else { last as f64 } } else { 0.0 }
        } else {
            (place - place.floor()) * count as f64
        };
        let index = place as usize;
        let from = self.values.get(index).copied().unwrap_or(first);
        if self.is_snapped {
            return from;
        }
        let to = self.values.get(index + 1).copied().unwrap_or(first);
        let share = place - index as f64;
        if share > 0.0 { from * (1.0 - share) + to * share } else { from }
    }
}

impl Formula {
    /// Its value at a time in seconds; 0 if undefined, as after a division by 0.
    #[must_use]
    pub fn at(&self, time_s: f64) -> f64 {
        let value = match self {
            Self::Number(number) | Self::Given(_, number) => *number,
            Self::Time => time_s,
            Self::Lookup(name, table, index) => match (table, wave(name)) {
                (Some(table), _) => table.at(index.at(time_s)),
                (None, Some(turn)) => sin_cos_f64(fraction(index.at(time_s) + turn) * TAU).0,
                (None, None) => 1.0,
            },
            Self::Operation(operator, both) => {
                let [a, b] = [both[0].at(time_s), both[1].at(time_s)];
                apply(operator, a, b)
            }
        };
        if value.is_finite() { value } else { 0.0 }
    }

    /// True if it changes over time.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        match self {
            Self::Number(_) | Self::Given(..) => false,
            Self::Time => true,
            Self::Lookup(name, table, index) => {
                (table.is_some() || wave(name).is_some()) && index.is_moving()
            }
            Self::Operation(_, both) => both.iter().any(Self::is_moving),
        }
    }

    /// Binds each look-up to its table by name.
    pub fn bind(&mut self, find: &mut dyn FnMut(&str) -> Option<Arc<Table>>) {
        match self {
            Self::Number(_) | Self::Time | Self::Given(..) => {}
            Self::Lookup(name, table, index) => {
                *table = find(name);
                index.bind(find);
            }
            Self::Operation(_, both) => both.iter_mut().for_each(|one| one.bind(find)),
        }
    }

    /// The first part of the formula that was replaced by an assumption, in words.
    #[must_use]
    pub fn assumed(&self) -> Option<String> {
        match self {
            Self::Number(_) | Self::Time => None,
            Self::Given(name, number) => Some(format!("{name}, taken as {number}")),
            Self::Lookup(name, None, index) => Some(match wave(name) {
                Some(0.0) => format!("the table {name:?}, treated as a sine"),
                Some(_) => format!("the table {name:?}, treated as a cosine"),
                None => {
                    return index.assumed().or(Some(format!("the table {name:?}, treated as 1")));
                }
            }),
            Self::Lookup(_, Some(_), index) => index.assumed(),
            Self::Operation(_, both) => both.iter().find_map(Self::assumed),
        }
    }
}

/// The phase of a well-known table relative to the sine, as a fraction of a turn.
fn wave(name: &str) -> Option<f64> {
    let is = |known: &str| name.eq_ignore_ascii_case(known);
    if is("sinTable") { Some(0.0) } else { is("cosTable").then_some(0.25) }
}

fn fraction(value: f64) -> f64 {
    value - value.floor()
}

fn apply(operator: &str, a: f64, b: f64) -> f64 {
    let truth = |is: bool| f64::from(u8::from(is));
    match operator {
        "*" => a * b,
        "/" => a / b,
        // Integers, as in the engine; by 0 the result is undefined.
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

/// As a file could write it, with parentheses around each nested operation.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Time => f.write_str("time"),
            Self::Given(name, _) => f.write_str(name),
            Self::Lookup(name, table, index) => {
                write!(f, "{name}[{index}]")?;
                let Some(table) = table else { return Ok(()) };
                let kinds = [(table.is_snapped, "snap "), (table.is_clamped, "clamp ")];
                f.write_str(" of ")?;
                kinds.iter().filter(|(is, _)| *is).try_for_each(|(_, kind)| f.write_str(kind))?;
                write!(f, "{:?}", table.values)
            }
            Self::Operation(operator, both) => {
                for (one, between) in both.iter().zip([format!(" {operator} "), String::new()]) {
                    match one {
                        Self::Operation(..) => write!(f, "({one}){between}")?,
                        _ => write!(f, "{one}{between}")?,
                    }
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(values: &[f64], is_snapped: bool, is_clamped: bool) -> Table {
        Table { values: values.to_vec(), is_snapped, is_clamped }
    }

    #[test]
    fn table_repeats_and_mixes_its_numbers() {
        let plain = table(&[0.0, 1.0, 4.0, 2.0], false, false);
        for (place, expected) in
            [(0.0, 0.0), (0.125, 0.5), (0.5, 4.0), (0.875, 1.0), (1.25, 1.0), (-0.25, 2.0)]
        {
            assert_eq!(plain.at(place), expected, "{place}");
        }
        let snapped = table(&[0.0, 1.0, 4.0, 2.0], true, false);
        assert_eq!([0.49, 0.5, 0.99, -0.01].map(|place| snapped.at(place)), [1.0, 4.0, 2.0, 2.0]);
        let clamped = table(&[1.0, 3.0, 4.0], false, true);
        let expected = [1.0, 2.0, 3.5, 4.0, 4.0];
        assert_eq!([-1.0, 0.25, 0.75, 1.0, 7.0].map(|place| clamped.at(place)), expected);
        assert_eq!(table(&[5.0], false, false).at(0.3), 1.0);
        assert_eq!(table(&[], true, true).at(0.3), 1.0);
        assert!(plain.at(f64::MAX).is_finite() && clamped.at(f64::NAN).is_finite());
    }

    #[test]
    fn formula_without_its_table_is_a_wave_or_one() {
        let look = |name: &str| Formula::Lookup(name.to_owned(), None, Box::new(Formula::Time));
        let (mut sine, other) = (look("sinTable"), look("own"));
        assert!(
            (sine.at(0.25) - 1.0).abs() < 1e-12 && (look("CosTable").at(0.5) + 1.0).abs() < 1e-12
        );
        assert_eq!((other.at(0.25), other.is_moving(), sine.is_moving()), (1.0, false, true));
        assert_eq!(sine.assumed().as_deref(), Some("the table \"sinTable\", treated as a sine"));
        assert_eq!(other.assumed().as_deref(), Some("the table \"own\", treated as 1"));
        let own = Arc::new(table(&[3.0, 5.0], true, false));
        sine.bind(&mut |name| (name == "sinTable").then(|| Arc::clone(&own)));
        assert_eq!((sine.at(0.75), sine.assumed()), (5.0, None));
        assert_eq!(sine.to_string(), "sinTable[time] of snap [3.0, 5.0]");
        let sum = Formula::Operation("+", Box::new([Formula::Time, Formula::Number(2.0)]));
        let product = Formula::Operation("/", Box::new([sum, Formula::Number(0.0)]));
        assert_eq!((product.at(1.0), product.to_string()), (0.0, "(time + 2) / 0".to_owned()));
    }
}
