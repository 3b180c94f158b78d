//! Text that fits a terminal of 80 columns: grouped digits, aligned columns, wrapped lines,
//! shortened lists.

use std::fmt::Write;
use tintype_base::printable::one_line;

/// The width of a page.
pub(super) const WIDTH: usize = 80;
/// Number of names that a list shows.
const MAX_NAMES: usize = 6;

/// The first names of a list, and the number of others.
pub(super) fn names_text(names: &[String]) -> String {
    match names {
        [] => "none".to_owned(),
        names if names.len() <= MAX_NAMES + 1 => names.join(", "),
        names => {
            let more = names.len() - MAX_NAMES;
            format!("{} and {more} more (the JSON has all)", names[..MAX_NAMES].join(", "))
        }
    }
}

/// Writes words after a label, in lines no longer than the page, with later lines indented to the
/// first word.
///
/// Words longer than a line stay whole.
pub(super) fn wrap(text: &mut String, label: &str, words: &str) -> std::fmt::Result {
    let indent = label.chars().count();
    let mut column = indent;
    text.push_str(&one_line(label));
    let words = one_line(words);
    for (place, word) in words.split_whitespace().enumerate() {
        let width = word.chars().count();
        if place > 0 {
            if column + 1 + width > WIDTH {
                write!(text, "\n{:indent$}", "")?;
                column = indent;
            } else {
                text.push(' ');
                column += 1;
            }
        }
        text.push_str(word);
        column += width;
    }
    text.push('\n');
    Ok(())
}

/// Alignment of a column.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Left,
    Right,
}

/// Rows under a heading, each column as wide as its widest word; the last column is not limited.
pub(super) struct Columns {
    sides: Vec<Side>,
    rows: Vec<Vec<String>>,
    /// Lines below a row.
    below: Vec<Vec<String>>,
}

impl Columns {
    pub(super) fn new(heading: &[(&str, Side)]) -> Self {
        Self {
            sides: heading.iter().map(|(_, side)| *side).collect(),
            rows: vec![heading.iter().map(|(word, _)| (*word).to_owned()).collect()],
            below: vec![Vec::new()],
        }
    }

    pub(super) fn row(&mut self, words: Vec<String>) {
        self.rows.push(words.iter().map(|word| one_line(word)).collect());
        self.below.push(Vec::new());
    }

    /// Adds a line below the last row.
    pub(super) fn note(&mut self, line: String) {
        if let Some(lines) = self.below.last_mut() {
            lines.push(line);
        }
    }

    pub(super) fn print(&self, text: &mut String, indent: usize) -> std::fmt::Result {
        let width = |column: usize| {
            let words = self.rows.iter().filter_map(|row| row.get(column));
            words.map(|word| word.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.sides.len()).map(width).collect();
        for (row, below) in self.rows.iter().zip(&self.below) {
            let mut line = " ".repeat(indent);
            for (column, word) in row.iter().enumerate() {
                let free = widths[column].saturating_sub(word.chars().count());
                let gap = if column == 0 { 0 } else { 2 };
                match self.sides[column] {
                    Side::Left => write!(line, "{:gap$}{word}{:free$}", "", "")?,
                    Side::Right => write!(line, "{:gap$}{:free$}{word}", "", "")?,
                }
            }
            writeln!(text, "{}", line.trim_end())?;
            for note in below {
                wrap(text, &" ".repeat(indent + 4), note)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_ends_lists() {
        let names: Vec<String> = (0..37).map(|n| format!("j{n}")).collect();
        assert_eq!(names_text(&names), "j0, j1, j2, j3, j4, j5 and 31 more (the JSON has all)");
        assert_eq!(names_text(&names[..7]), "j0, j1, j2, j3, j4, j5, j6", "one more is no more");
    }

    #[test]
    fn layout_wraps_below_the_first_word() {
        let mut text = String::new();
        wrap(&mut text, "  do: ", &"word ".repeat(20)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() == 2 && lines[1].starts_with("      word"), "{text}");
        assert!(lines.iter().all(|line| line.len() <= WIDTH), "{text}");
    }

    #[test]
    fn layout_aligns_columns() {
        let mut columns = Columns::new(&[("vertices", Side::Right), ("name", Side::Left)]);
        columns.row(vec!["12".into(), "a".into()]);
        columns.note("below".into());
        columns.row(vec!["1,234,567".into(), "b".into()]);
        let mut text = String::new();
        columns.print(&mut text, 2).unwrap();
        assert_eq!(text, "   vertices  name\n         12  a\n      below\n  1,234,567  b\n");
    }
}
