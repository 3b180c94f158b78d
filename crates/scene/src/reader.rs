//! Reads a scene document, notes every mistake with its position, and continues.
//!
//! Input: a [`Document`], parsed or built. Output: numbers, texts and tables for the readers of
//! `output`, `camera` and so on, which request their keys. A wrong value is noted in [`Problems`]
//! and reads as absent, so that the reader uses its default and finds the next mistake. Nothing
//! here knows the meaning of a key.

use super::bounds::{Bounds, COORDINATE, narrow};
use super::declared::{self, Node as Declared};
use super::document::{Document, Field, Fields, Node, Value};
use super::error::{LineIndex, Problem, quoted};
use super::syntax::SyntaxErrors;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Range, RangeInclusive};
use tintype_base::suggest::nearest_word;

/// The mistakes noted so far.
pub(super) struct Problems {
    /// `None` for a document built without text.
    lines: Option<LineIndex>,
    found: RefCell<Vec<(Range<usize>, String, Problem)>>,
}

impl Problems {
    /// No mistakes yet in this text.
    pub(super) fn new(text: &str) -> Self {
        Self { lines: Some(LineIndex::new(text)), found: RefCell::default() }
    }

    /// No mistakes yet in a document without text.
    pub(super) fn without_text() -> Self {
        Self { lines: None, found: RefCell::default() }
    }

    /// The line of a byte, from 1; 0 without text.
    fn line(&self, at: usize) -> usize {
        self.lines.as_ref().map_or(0, |lines| lines.line(at))
    }

    pub(super) fn add(&self, span: Range<usize>, path: &str, problem: Problem) {
        self.found.borrow_mut().push((span, path.to_owned(), problem));
    }

    /// Adds mistakes of another reading of the same text, each once.
    pub(super) fn add_new(&self, other: Self) {
        let mut found = self.found.borrow_mut();
        for (span, path, problem) in other.into_found() {
            if !found.iter().any(|(own, at, _)| *own == span && *at == path) {
                found.push((span, path, problem));
            }
        }
    }

    /// Adds syntax errors, and drops mistakes that may be consequences of them.
    pub(super) fn add_syntax_errors(&self, errors: SyntaxErrors) {
        let line = |span: &Range<usize>| self.line(span.start);
        let broken: BTreeSet<usize> = errors.found.iter().map(|(span, _)| line(span)).collect();
        let mut found = self.found.borrow_mut();
        found.retain(|(span, _, problem)| {
            let follows = problem.may_follow_from_syntax() || broken.contains(&line(span));
            !errors.open_bracket && !follows
        });
        let problem = |message: String| Problem::Syntax { message };
        found.extend(errors.found.into_iter().map(|(at, text)| (at, String::new(), problem(text))));
    }

    pub(super) fn into_found(self) -> Vec<(Range<usize>, String, Problem)> {
        self.found.into_inner()
    }
}

/// One value with its path, and the list for its mistakes.
#[derive(Clone)]
pub(super) struct Item<'a> {
    value: &'a Value,
    /// The bytes of the value.
    pub(super) span: Range<usize>,
    /// Its path, such as `instance[2].clip`.
    pub(super) path: String,
    problems: &'a Problems,
    declared: Option<&'static Declared>,
}

impl<'a> Item<'a> {
    pub(super) fn root(document: &'a Document, problems: &'a Problems) -> Table<'a> {
        let declared = Some(Declared::root());
        Table { table: &document.root, span: 0..0, path: String::new(), problems, declared }
    }

    /// The root of a recipe; the recipe schema declares its table `[dataset]`.
    pub(super) fn of_recipe(document: &'a Document, problems: &'a Problems) -> Table<'a> {
        Table { declared: Some(Declared::recipe()), ..Self::root(document, problems) }
    }

    /// A value without a document, of a setting.
    pub(super) fn alone(value: &'a Value, key: &str, problems: &'a Problems) -> Self {
        let declared = Declared::root().key("output").and_then(|output| output.key(key));
        Self { value, span: 0..0, path: key.to_owned(), problems, declared }
    }

    /// The value itself, without its positions.
    pub(super) fn to_value(&self) -> Value {
        self.value.plain()
    }

    /// Reports a mistake at this value.
    pub(super) fn report(&self, problem: Problem) {
        self.problems.add(self.span.clone(), &self.path, problem);
    }

    /// Reports that the value has the wrong type.
    pub(super) fn wrong_type<T>(&self, expected: impl Into<String>) -> Option<T> {
        self.report(Problem::WrongType { found: self.describe(), expected: expected.into() });
        None
    }

    /// Reports an invalid value with a specific reason.
    pub(super) fn invalid<T>(
        &self,
        message: impl Into<String>,
        allowed: impl Into<String>,
    ) -> Option<T> {
        self.report(Problem::Invalid { message: message.into(), allowed: allowed.into() });
        None
    }

    /// Reports a number that is too small or too large.
    pub(super) fn out_of_range<T>(
        &self,
        found: impl ToString,
        allowed: impl Into<String>,
    ) -> Option<T> {
        self.report(Problem::OutOfRange { found: found.to_string(), allowed: allowed.into() });
        None
    }

    /// Reports an unknown name, `[what, owner]`, with the names that the owner has.
    pub(super) fn unknown<'n, T>(
        &self,
        [what, owner]: [&'static str; 2],
        found: String,
        has: impl Iterator<Item = &'n str>,
        nearest: Option<String>,
    ) -> Option<T> {
        let has = has.map(str::to_owned).collect();
        self.report(Problem::UnknownReference { what, found, owner, has, nearest });
        None
    }

    /// The value as a message shows it.
    pub(super) fn describe(&self) -> String {
        self.value.describe()
    }

    pub(super) fn as_text(&self) -> Option<&'a str> {
        match self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn is_table(&self) -> bool {
        matches!(self.value, Value::Table(_))
    }

    pub(super) fn is_array(&self) -> bool {
        matches!(self.value, Value::Array(_))
    }

    /// True if it is an array without elements.
    pub(super) fn is_empty_array(&self) -> bool {
        matches!(self.value, Value::Array(elements) if elements.is_empty())
    }

    pub(super) fn is_whole_number(&self) -> bool {
        matches!(self.value, Value::Integer(..))
    }

    /// Reads a text; `expected` describes it in messages.
    pub(super) fn text(&self, expected: &str) -> Option<&'a str> {
        self.as_text().or_else(|| self.wrong_type(expected))
    }

    /// Reads a non-empty text, such as a name or a path.
    pub(super) fn filled_text(&self, expected: &str) -> Option<&'a str> {
        let text = self.text(expected)?;
        let problem = if text.trim().is_empty() {
            "the text is empty"
        } else if text.chars().any(char::is_control) {
            "the text contains a control character"
        } else {
            return Some(text);
        };
        self.invalid(problem, format!("expected {expected}"))
    }

    /// Reads true or false; `expected` describes it in messages.
    pub(super) fn truth(&self, expected: &str) -> Option<bool> {
        match self.value {
            Value::Truth(value) => Some(*value),
            _ => self.wrong_type(expected),
        }
    }

    /// Reads a number within the bounds of the schema, with or without a fraction.
    pub(super) fn number(&self) -> Option<f64> {
        // A number without bounds belongs to a list without a declared key.
        self.number_within(self.declared.and_then(Declared::bounds).unwrap_or(COORDINATE))
    }

    /// Reads a number of a shape common to several keys, with separate bounds.
    pub(super) fn number_within(&self, bounds: Bounds) -> Option<f64> {
        let (number, written) = match self.value {
            #[expect(clippy::cast_precision_loss, reason = "bounds lie far below 2^53")]
            Value::Integer(number, written) => (number.map(|whole| whole as f64), written),
            Value::Float(number, written) => (*number, written),
            _ => return self.wrong_type("a number"),
        };
        let number = number.filter(|&number| bounds.hold(number));
        number.or_else(|| self.out_of_range(written, bounds.allowed()))
    }

    /// Reads an integer; `allowed` describes it if it has the wrong type or does not fit an `i64`.
    pub(super) fn whole_number(&self, allowed: &str) -> Option<i64> {
        let Value::Integer(number, written) = self.value else {
            return self.wrong_type(allowed);
        };
        number.or_else(|| self.out_of_range(written, format!("it is {allowed}")))
    }

    /// Reads an integer within bounds; `what` describes it if it has the wrong type, `allowed` if
    /// it is out of range.
    pub(super) fn whole_within<N: TryFrom<i64> + PartialOrd>(
        &self,
        bounds: RangeInclusive<N>,
        what: &str,
        allowed: impl Into<String>,
    ) -> Option<N> {
        let number = self.whole_number(what)?;
        let found = N::try_from(number).ok().filter(|number| bounds.contains(number));
        found.or_else(|| self.out_of_range(number, allowed))
    }

    /// Reads one word out of a list.
    pub(super) fn word<T: Copy>(&self, what: &'static str, words: &[(&str, T)]) -> Option<T> {
        let names = || words.iter().map(|(name, _)| *name);
        let list = || names().map(|name| format!("{name:?}")).collect::<Vec<_>>();
        let Some(found) = self.as_text() else {
            return self.wrong_type(format!("one of {}", list().join(", ")));
        };
        words.iter().find(|(name, _)| *name == found).map(|(_, value)| *value).or_else(|| {
            self.report(Problem::UnknownWord {
                what,
                found: found.to_owned(),
                allowed: list(),
                nearest: nearest_word(found, names()),
            });
            None
        })
    }

    /// The elements of an array; `expected` describes it in messages.
    pub(super) fn array(&self, expected: &str) -> Option<Vec<Item<'a>>> {
        let Value::Array(array) = self.value else { return self.wrong_type(expected) };
        let elements = array.iter().enumerate().map(|(index, Node { value, span })| Item {
            value,
            span: span.clone(),
            path: format!("{}[{index}]", self.path),
            problems: self.problems,
            declared: self.declared.and_then(Declared::element),
        });
        Some(elements.collect())
    }

    /// The elements of an array of a fixed length.
    pub(super) fn array_of<const N: usize>(&self, expected: &str) -> Option<[Item<'a>; N]> {
        let elements = self.array(expected)?;
        <[Item<'a>; N]>::try_from(elements).ok().or_else(|| self.wrong_type(expected))
    }

    /// The tables in an array; the array and its elements are described for messages.
    pub(super) fn tables(&self, [array, element]: [&str; 2]) -> Option<Vec<Table<'a>>> {
        let elements = self.array(array)?;
        Some(elements.iter().filter_map(|item| item.table(element)).collect())
    }

    /// Reads an array of tables, each with a time `at_s`, which must increase, and with the result
    /// of a function. The array, its elements and the time are described for messages.
    pub(super) fn timed<T>(
        &self,
        [array, element, time]: [&str; 3],
        mut read: impl FnMut(&Table<'a>) -> Option<T>,
    ) -> Option<Vec<(f64, T)>> {
        let mut previous: Option<f64> = None;
        let timed = |table: &Table<'a>| {
            let at_s = table.require("at_s", time, |item| {
                let at_s = item.number()?;
                if let Some(previous_s) = previous.replace(at_s).filter(|&own| own >= at_s) {
                    let message = format!("{at_s} s is not after the {previous_s} s before it");
                    item.invalid::<()>(message, "times must increase");
                }
                Some(at_s)
            });
            let value = read(table);
            Some((at_s?, value?))
        };
        Some(self.tables([array, element])?.iter().filter_map(timed).collect())
    }

    /// The keys of a table with arbitrary values; `expected` describes it in messages.
    pub(super) fn entries(&self, expected: &str) -> Option<Vec<(String, Item<'a>)>> {
        let Some(owner) = self.as_table() else { return self.wrong_type(expected) };
        let declared = self.declared.and_then(Declared::entry);
        let entry = |field: &'a Field| (field.key.clone(), owner.value_of(field, declared));
        Some(owner.table.iter().map(entry).collect())
    }

    /// The value of a key, if this is a table with the key; nothing is reported.
    pub(super) fn field(&self, key: &'static str) -> Option<Item<'a>> {
        self.as_table()?.item(key)
    }

    /// Reads a table with the keys of the schema; others are reported.
    pub(super) fn table(&self, expected: &str) -> Option<Table<'a>> {
        let Some(table) = self.as_table() else { return self.wrong_type(expected) };
        table.check_declared();
        Some(table)
    }

    pub(super) fn as_table(&self) -> Option<Table<'a>> {
        let Value::Table(table) = self.value else { return None };
        let Self { span, path, problems, declared, .. } = self.clone();
        Some(Table { table, span, path, problems, declared })
    }
}

/// A table with its path, and the list for its mistakes.
#[derive(Clone)]
pub(super) struct Table<'a> {
    table: &'a Fields,
    /// The bytes of its header, or of the whole table if it is inline.
    pub(super) span: Range<usize>,
    path: String,
    problems: &'a Problems,
    declared: Option<&'static Declared>,
}

impl<'a> Table<'a> {
    fn path_of(&self, key: &str) -> String {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
        let quotes = key.is_empty() || !key.chars().all(plain);
        let key = if quotes { quoted(key) } else { key.to_owned() };
        if self.path.is_empty() { key } else { format!("{}.{key}", self.path) }
    }

    /// Reports every key missing from the schema.
    pub(super) fn check_declared(&self) {
        self.check_keys(&self.declared.map_or_else(Vec::new, Declared::keys));
    }

    /// Reports every key that is not in the list.
    pub(super) fn check_keys(&self, keys: &[&'static str]) {
        for field in self.table.iter() {
            let name = field.key.as_str();
            if !keys.contains(&name) {
                // `rotation` for a key `rotation_deg` of this table is misspelt, not misplaced.
                let is_begun = keys.iter().any(|own| own.starts_with(name));
                let home = self.home_of(name).filter(|_| !is_begun);
                let nearest = match home {
                    Some(_) => None,
                    None if name == "type" && keys.contains(&"kind") => Some("kind".to_owned()),
                    None => nearest_word(name, keys.iter().copied()),
                };
                let problem = Problem::UnknownKey {
                    key: name.to_owned(),
                    home,
                    allowed: keys.iter().map(|&key| key.to_owned()).collect(),
                    nearest,
                };
                self.problems.add(field.key_span.clone(), &self.path_of(name), problem);
            }
        }
    }

    /// The headers of other tables with a key, for keys of one or two tables.
    fn home_of(&self, key: &str) -> Option<String> {
        let own = self.path.split(['[', '.']).next().unwrap_or_default();
        let homes = declared::homes_of(key);
        let is_elsewhere = homes.iter().all(|home| home.trim_matches(['[', ']']) != own);
        (is_elsewhere && matches!(homes.len(), 1 | 2)).then(|| homes.join(" or "))
    }

    /// The value of a key. None if the table does not have it.
    pub(super) fn item(&self, key: &'static str) -> Option<Item<'a>> {
        let declared = self.declared.and_then(|table| table.key(key));
        Some(self.value_of(self.table.get(key)?, declared))
    }

    fn value_of(&self, field: &'a Field, declared: Option<&'static Declared>) -> Item<'a> {
        let Field { key, node: Node { value, span }, .. } = field;
        let (span, path) = (span.clone(), self.path_of(key));
        Item { value, span, path, problems: self.problems, declared }
    }

    /// The value of a key, read by a function. None if the table does not have it.
    pub(super) fn get<T>(
        &self,
        key: &'static str,
        read: impl FnOnce(&Item<'a>) -> Option<T>,
    ) -> Option<T> {
        self.item(key).and_then(|item| read(&item))
    }

    /// The value of a required key, read by a function.
    pub(super) fn require<T>(
        &self,
        key: &'static str,
        expected: &str,
        read: impl FnOnce(&Item<'a>) -> Option<T>,
    ) -> Option<T> {
        self.required(key, expected).and_then(|item| read(&item))
    }

    /// Reads a non-empty text, such as a name or a path.
    pub(super) fn text(&self, key: &'static str, expected: &str) -> Option<String> {
        self.get(key, |item| item.filled_text(expected)).map(str::to_owned)
    }

    /// Reads a required, non-empty text; the error describes it if it is missing or of another
    /// type.
    pub(super) fn required_text(
        &self,
        key: &'static str,
        [missing, expected]: [&str; 2],
    ) -> Option<String> {
        self.require(key, missing, |item| item.filled_text(expected)).map(str::to_owned)
    }

    /// Reads an array of texts; `expected` describes it in messages, `each` its elements.
    pub(super) fn texts(&self, key: &'static str, expected: &str, each: &str) -> Vec<String> {
        let items = self.get(key, |item| item.array(expected)).unwrap_or_default();
        items.iter().filter_map(|item| item.filled_text(each)).map(str::to_owned).collect()
    }

    /// Reads true or false, with the default of the schema.
    pub(super) fn truth(&self, key: &'static str) -> bool {
        let default = || self.declared?.key(key)?.truth();
        self.get(key, |item| item.truth("true or false")).or_else(default).unwrap_or_default()
    }

    /// Reads a number of single precision, with the default of the schema.
    pub(super) fn single(&self, key: &'static str) -> f32 {
        narrow(self.number(key))
    }

    pub(super) fn has(&self, key: &'static str) -> bool {
        self.table.get(key).is_some()
    }

    /// The value of a required key.
    pub(super) fn required(&self, key: &'static str, expected: &str) -> Option<Item<'a>> {
        self.item(key).or_else(|| {
            let problem =
                Problem::MissingKey { key: key.to_owned(), expected: expected.to_owned() };
            self.problems.add(self.span.clone(), &self.path_of(key), problem);
            None
        })
    }

    /// Reads `from` and `to`, the ends of a range over the frames.
    pub(super) fn ends<T>(&self, read: impl Fn(&Item<'a>) -> Option<T>) -> [Option<T>; 2] {
        [
            self.require("from", "the value of the first frame", &read),
            self.require("to", "the value for the frame after the last", &read),
        ]
    }

    /// Reads a number, with the default of the schema.
    pub(super) fn number(&self, key: &'static str) -> f64 {
        let default = || self.declared?.key(key)?.number();
        self.get(key, Item::number).or_else(default).unwrap_or_default()
    }

    /// The tables of `[[key]]`. None if the key is missing.
    pub(super) fn tables(&self, key: &'static str) -> Vec<Table<'a>> {
        let expected = format!("an array of tables; write [[{key}]]");
        let elements = self.get(key, |item| item.array(&expected)).unwrap_or_default();
        elements.iter().filter_map(|element| element.table("a table")).collect()
    }

    /// Reports a key, if present, that conflicts with another value of the table.
    pub(super) fn refuse(&self, name: &'static str, with: &str, goes_with: &str) {
        if let Some(field) = self.table.get(name) {
            let problem = Problem::MisplacedKey {
                key: name.to_owned(),
                with: with.to_owned(),
                goes_with: goes_with.to_owned(),
            };
            self.problems.add(field.key_span.clone(), &self.path_of(name), problem);
        }
    }

    /// Reads the kind of a table, and reports keys of other kinds, by the schema.
    pub(super) fn kind(&self, what: &'static str) -> Option<&'static str> {
        let declared = self.declared?;
        let (kinds, usual) = declared.kinds()?;
        let words: Vec<(&str, &'static str)> = kinds.iter().map(|kind| (*kind, *kind)).collect();
        let kind = self.item("kind").map_or(Some(usual), |item| item.word(what, &words))?;
        for key in declared.refused_of(kind).into_iter().filter(|key| self.has(key)) {
            let owners = kinds.iter().filter(|kind| !declared.refused_of(kind).contains(&key));
            let owners: Vec<String> = owners.map(|kind| format!("{kind:?}")).collect();
            let goes_with = format!("kind = {}", owners.join(" or "));
            self.refuse(key, &format!("kind = {kind:?}"), &goes_with);
        }
        Some(kind)
    }

    /// True if a key is present that selects one of two sets of keys, as declared by the schema;
    /// keys of the other set are reported. The two are described for messages.
    pub(super) fn asks(&self, [one, other]: [&str; 2]) -> bool {
        let Some([asking, with, without]) = self.declared.and_then(Declared::choice) else {
            return false;
        };
        let asks = asking.iter().any(|key| self.has(key));
        let (refused, one, other) = if asks { (with, one, other) } else { (without, other, one) };
        refused.into_iter().for_each(|key| self.refuse(key, one, other));
        asks
    }
}

/// Names of one kind, to find duplicates.
pub(super) struct Names {
    what: &'static str,
    lines: BTreeMap<String, usize>,
}

impl Names {
    /// No names yet; `what` is the kind in the singular.
    pub(super) fn new(what: &'static str) -> Self {
        Self { what, lines: BTreeMap::new() }
    }

    /// Adds the name of a table; a duplicate is reported at its key, or at the table if the name is
    /// a default.
    pub(super) fn add(&mut self, name: &str, table: &Table<'_>, key: &'static str) {
        let item = table.item(key);
        let span = item.map_or_else(|| table.span.clone(), |item| item.span);
        if let Some(&first_line) = self.lines.get(name) {
            let (what, name) = (self.what, name.to_owned());
            let problem = Problem::Duplicate { what, name, first_line };
            table.problems.add(span, &table.path_of(key), problem);
        } else {
            self.lines.insert(name.to_owned(), table.problems.line(span.start));
        }
    }
}
