//! Plain English: comments open with a verb or a noun, documentation names things instead of
//! pointing at them, and pages and messages avoid phrases that make a reader stop.

use crate::source::Source;
use crate::support::trial;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Words that no doc comment opens with: they promise a riddle where a name would do.
const OPENINGS: &[&str] = &["What", "How", "That", "Who", "Whoever", "Where", "Which", "Why"];

/// Words that documentation does without.
const REFUSED: &[&str] =
    &["nobody", "somebody", "whoever", "photographs", "photograph", "photographed"];

/// The words of a line, without punctuation.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty())
}

fn opens_badly(line: &str) -> bool {
    words(line).next().is_some_and(|word| OPENINGS.contains(&word)) && !line.starts_with(['`', '['])
}

fn is_refused(line: &str) -> bool {
    words(line).any(|word| REFUSED.iter().any(|refused| word.eq_ignore_ascii_case(refused)))
}

/// Comments of the source that open badly, and lines with refused words, as `path:line: text`.
fn of_source(source: &Source) -> (Vec<String>, Vec<String>) {
    let (mut openings, mut refused) = (Vec::new(), Vec::new());
    for file in source.files.values() {
        for doc in &file.docs {
            let place = || format!("{}:{}: {}", file.path(), doc.line, doc.text);
            if doc.is_first && opens_badly(&doc.text) {
                openings.push(place());
            }
            if is_refused(&doc.text) {
                refused.push(place());
            }
        }
    }
    (openings, refused)
}

fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("WORKSPACE_ROOT"));
    let mut pages: Vec<PathBuf> = [
        "README.md",
        "tests/README.md",
        "tests/quality.md",
        "bindings/npm/README.md",
        "bindings/python/README.md",
    ]
    .map(|page| root.join(page))
    .into();
    for folder in ["docs", "bindings/python/src/doc"] {
        pages.extend(crate::support::files(&root.join(folder), &["md"]).expect("there are pages"));
    }
    pages.sort();
    pages
}

/// Names of tests in the tables of a page whose last column is `test`.
fn tests_named(text: &str) -> Vec<String> {
    let (mut names, mut is_inside) = (Vec::new(), false);
    for line in text.lines() {
        let Some(row) = line.trim().strip_prefix('|') else {
            is_inside = false;
            continue;
        };
        let last = row.trim_end_matches('|').rsplit('|').next().unwrap_or_default().trim();
        if last == "test" {
            is_inside = true;
        } else if is_inside {
            let quoted = last.split('`').skip(1).step_by(2);
            names.extend(quoted.filter(|name| !name.contains('/')).map(str::to_owned));
        }
    }
    names
}

#[trial]
fn tests_that_pages_name_exist() {
    let root = Path::new(env!("WORKSPACE_ROOT"));
    let mut code = String::new();
    for folder in ["src", "crates", "tests"] {
        for path in crate::support::files(&root.join(folder), &["rs"]).unwrap() {
            code += &fs::read_to_string(path).unwrap();
        }
    }
    let (mut count, mut missing) = (0, Vec::new());
    for page in pages() {
        for name in tests_named(&fs::read_to_string(&page).unwrap()) {
            count += 1;
            // A test of a model or a file has its name after that of the file.
            if !code.contains(&format!("fn {name}(")) && !code.contains(&format!("{name}\"")) {
                missing.push(format!("{}: {name}", page.display()));
            }
        }
    }
    assert!(count > 50, "only {count} tests are named");
    assert_eq!(missing, Vec::<String>::new());
}

#[trial]
fn comments_open_with_a_verb_or_a_noun() {
    let (openings, _) = of_source(crate::source());
    assert!(
        openings.is_empty(),
        "\n{}\n{} comments open with one of {OPENINGS:?}",
        openings.join("\n"),
        openings.len()
    );
}

#[trial]
fn documentation_names_things() {
    let (_, mut refused) = of_source(crate::source());
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page is text");
        let lines = text.lines().enumerate().filter(|(_, line)| is_refused(line));
        refused.extend(lines.map(|(at, line)| format!("{}:{}: {line}", page.display(), at + 1)));
    }
    assert!(
        refused.is_empty(),
        "\n{}\n{} lines have one of {REFUSED:?}",
        refused.join("\n"),
        refused.len()
    );
}

#[trial]
fn prose_is_seen_where_it_stands() {
    let found = |text: &str| {
        let files = BTreeMap::from([("raster/tile.rs".to_owned(), text.to_owned())]);
        let (openings, refused) = of_source(&Source::parse(files));
        [openings.len(), refused.len()]
    };
    assert_eq!(found("//! Tiles.\n\n/// A tile.\nstruct Tile;"), [0, 0]);
    assert_eq!(found("//! What a tile is.\nstruct Tile;"), [1, 0]);
    assert_eq!(found("//! Tiles.\nstruct Tile {\n/// How wide.\nwidth: u32 }"), [1, 0]);
    assert_eq!(found("//! Tiles.\nimpl Tile {\n/// Why not.\nfn a() {} }"), [1, 0]);
    assert_eq!(found("//! Tiles.\n/// One.\n/// What follows is free.\nstruct Tile;"), [0, 0]);
    assert_eq!(found("//! Tiles.\n/// As nobody asks.\nstruct Tile;"), [0, 1]);
    assert_eq!(found("//! Tiles.\n/// Whoever asks.\nenum Tile {\n/// Somebody.\nA }"), [1, 2]);
    assert_eq!(
        found("//! Tiles.\n#[cfg(test)]\nmod tests {\n/// What is tested.\nfn a() {} }"),
        [0, 0]
    );
}

// Phrases ------------------------------------------------------------------------------------

/// Phrases that pages and messages avoid, each with the better form. A mark such as `,` counts as
/// a word.
const PHRASES: &[(&str, &str)] = &[
    (", else", "otherwise"),
    ("; else", "otherwise"),
    ("a person", "you, people, a user"),
    ("alike", "the same, both"),
    ("are no", "are not"),
    ("are none", "are not, do not count"),
    ("are said", "are set, are stated"),
    ("are told", "are reported"),
    ("aside", "except"),
    ("as is", "as, like"),
    ("at a slant", "at grazing angles"),
    ("be told", "be reported"),
    ("by itself", "alone, automatically"),
    ("by themselves", "separately, automatically"),
    ("by which", "a new sentence, or an active verb"),
    ("for good", "permanently"),
    ("for which", "a new sentence, or an active verb"),
    ("from which", "a new sentence, or an active verb"),
    ("in the mean", "mean 8.4, on average"),
    ("in which", "where, a new sentence, or an active verb"),
    ("is no", "is not a"),
    ("is none", "is not, does not count"),
    ("is said", "is set, is stated"),
    ("is told", "is reported, says"),
    ("no say", "is ignored for"),
    ("of its own", "separate, its"),
    ("of their own", "separate, their"),
    ("of which", "a new sentence, or an active verb"),
    ("of your own", "custom, your"),
    ("share of", "fraction of, percentage of"),
    ("take along", "move, copy"),
    ("takes along", "moves, copies"),
    ("tells of", "reports"),
    ("that which", "the one that"),
    ("the right way", "the right command"),
    ("those which", "the ones that"),
    ("to which", "a new sentence, or an active verb"),
    ("told by", "recognized by, read from"),
    ("which .", "a sentence that ends with its verb or object"),
    ("with which", "a new sentence, or an active verb"),
];

/// Phrases that are right where they stand: a page or a file of the source, and the phrase.
const ALLOWED: &[(&str, &str)] = &[];

/// Most uses of `that of` and `those of` on one page.
const MOST_POINTERS: usize = 4;

/// The words and punctuation marks of a line in lower case. Inline code, values in braces and link
/// targets are one mark each.
fn marks(line: &str) -> Vec<String> {
    let mut marks = vec![String::new()];
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let end = match c {
            '`' => Some('`'),
            '{' => Some('}'),
            ']' if chars.peek() == Some(&'(') => Some(')'),
            _ => None,
        };
        if c.is_alphanumeric() || "'-_".contains(c) {
            marks.last_mut().expect("one is there").extend(c.to_lowercase());
            continue;
        }
        if end.is_some() || ".,;:|".contains(c) {
            marks.push(c.to_string());
        }
        marks.push(String::new());
        if let Some(end) = end {
            // A brace or a quote that stays open hides nothing.
            let rest: String = chars.clone().take_while(|c| *c != end).collect();
            if chars.clone().any(|c| c == end) {
                chars.nth(rest.chars().count());
            }
        }
    }
    marks.retain(|mark| !mark.is_empty());
    marks
}

/// True for `there is no`, and for `is no longer` and other comparisons.
fn is_plain_negation(before: Option<&str>, phrase: &str, behind: Option<&str>) -> bool {
    let is_comparison = |word: &str| word.ends_with("er") || ["more", "less"].contains(&word);
    ["is no", "are no", "is none", "are none"].contains(&phrase)
        && (before == Some("there") || behind.is_some_and(is_comparison))
}

/// Lines and phrases that a text of numbered lines has, with the better form.
fn phrases(lines: &[(usize, String)]) -> Vec<(usize, &'static str, &'static str)> {
    let marks: Vec<(usize, String)> = lines
        .iter()
        .flat_map(|(line, text)| marks(text).into_iter().map(|mark| (*line, mark)))
        .collect();
    let at = |index: usize| marks.get(index).map(|(_, mark)| mark.as_str());
    let mut found = Vec::new();
    for &(phrase, better) in PHRASES {
        let words: Vec<&str> = phrase.split(' ').collect();
        for (start, run) in marks.windows(words.len()).enumerate() {
            let is_it = run.iter().map(|(_, mark)| mark.as_str()).eq(words.iter().copied());
            let before = start.checked_sub(1).and_then(at);
            if is_it && !is_plain_negation(before, phrase, at(start + words.len())) {
                found.push((run[0].0, phrase, better));
            }
        }
    }
    found.sort_unstable();
    found
}

/// The numbered lines of a page outside its blocks of code.
fn lines_of_page(text: &str) -> Vec<(usize, String)> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        if !is_code && !is_fence && !line.starts_with("    ") {
            // A blank line ends a phrase.
            let text = if line.is_empty() { "|" } else { line };
            lines.push((index + 1, text.to_owned()));
        }
    }
    lines
}

/// Texts in code outside of tests and attributes, with the line of each.
fn texts(stream: TokenStream, found: &mut Vec<(usize, String)>) {
    let mut tokens = stream.into_iter().peekable();
    let mut is_test = false;
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                tokens.next_if(
                    |next| matches!(next, TokenTree::Punct(mark) if mark.as_char() == '!'),
                );
                if let Some(TokenTree::Group(group)) =
                    tokens.next_if(|next| matches!(next, TokenTree::Group(_)))
                {
                    let words = group.stream().to_string().replace(' ', "");
                    is_test |= words == "cfg(test)";
                    if !words.starts_with("doc=") {
                        texts(group.stream(), found);
                    }
                }
            }
            TokenTree::Punct(mark) => is_test &= mark.as_char() != ';',
            TokenTree::Group(group) if is_test && group.delimiter() == Delimiter::Brace => {
                is_test = false;
            }
            TokenTree::Group(group) => texts(group.stream(), found),
            TokenTree::Literal(literal) => {
                if let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string()) {
                    found.push((literal.span().start().line, text.value()));
                }
            }
            TokenTree::Ident(_) => {}
        }
    }
}

/// Faults in pages and in messages and help of the command line: the path, the phrase, and
/// `path:line: phrase: better form`.
fn phrases_of_all() -> Vec<(String, String, String)> {
    let root = Path::new(env!("WORKSPACE_ROOT"));
    let mut found = Vec::new();
    let mut judge = |path: &str, lines: &[(usize, String)]| {
        for (line, phrase, better) in phrases(lines) {
            let text = format!("{path}:{line}: \"{phrase}\": {better}");
            found.push((path.to_owned(), phrase.to_owned(), text));
        }
    };
    let mut pointers = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page is text");
        let path = page.strip_prefix(root).expect("below the root").display().to_string();
        let lines = lines_of_page(&text);
        judge(&path, &lines);
        let words: Vec<String> = lines.iter().flat_map(|(_, line)| marks(line)).collect();
        let is_pointer =
            |pair: &&[String]| ["that", "those"].contains(&pair[0].as_str()) && pair[1] == "of";
        let count = words.windows(2).filter(is_pointer).count();
        if count > MOST_POINTERS {
            let text = format!(
                "{path}:1: \"that of\" and \"those of\" {count} times, allowed: {MOST_POINTERS}"
            );
            pointers.push((path, "that of".to_owned(), text));
        }
    }
    for file in crate::source().files.values().filter(|file| file.krate == "cli") {
        let path = file.path();
        let mut lines = Vec::new();
        texts(file.text.parse().expect("source is code"), &mut lines);
        for line in lines {
            judge(&path, &[line]);
        }
        // The help of options is their documentation.
        if file.name.starts_with("cli/args/") {
            let docs: Vec<_> = file.docs.iter().map(|doc| (doc.line, doc.text.clone())).collect();
            judge(&path, &docs);
        }
    }
    found.extend(pointers);
    found
}

#[trial]
fn pages_and_messages_use_plain_phrases() {
    let found = phrases_of_all();
    let is_of = |(path, phrase): &(&str, &str), own: &(String, String, String)| {
        *path == own.0 && *phrase == own.1
    };
    let mut wrong: Vec<String> = found
        .iter()
        .filter(|own| !ALLOWED.iter().any(|allowed| is_of(allowed, own)))
        .map(|(.., text)| text.clone())
        .collect();
    let idle = ALLOWED.iter().filter(|allowed| !found.iter().any(|own| is_of(allowed, own)));
    wrong.extend(idle.map(|(path, phrase)| format!("{path} has no \"{phrase}\" to allow")));
    assert!(wrong.is_empty(), "\n{}\n{} phrases to rewrite", wrong.join("\n"), wrong.len());
}

#[trial]
fn phrases_are_seen_in_prose_alone() {
    let found = |page: &str| {
        let found = phrases(&lines_of_page(page)).into_iter();
        found.map(|(line, phrase, _)| (line, phrase)).collect::<Vec<_>>()
    };
    assert_eq!(found("A list of\nwhich one is no part."), [(1, "of which"), (2, "is no")]);
    assert!(found("There is no list, and it is no longer read.").is_empty());
    assert!(found("`is told`, {is told}, [a](is told)\n```\nis told\n```").is_empty());
    assert_eq!(found("[Is told](page), else `a`"), [(1, ", else"), (1, "is told")]);
    assert!(found("It is\n\nno part").is_empty());
    let mut lines = Vec::new();
    let code = "//! is said\nfn a() { b(\"is_no told\") }\n#[cfg(test)]\nmod tests { fn c() { d(\"is no e\") } }\n\
                #[cfg(test)]\nuse f;\n/// is said\nfn g() { h!(\"for\\\n   good\") }";
    texts(code.parse().unwrap(), &mut lines);
    assert!(phrases(&lines).is_empty());
    assert_eq!(lines, [(2, "is_no told".to_owned()), (8, "forgood".to_owned())]);
}
