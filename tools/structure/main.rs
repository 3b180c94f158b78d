//! Prints figures of the source: lines, imports, cycles, public items, long functions and files,
//! openings of comments.
//!
//! `cargo run --example structure`; with `--cycles` each import inside of a cycle too, with
//! `--functions` each long function.
#![allow(clippy::print_stdout, reason = "it is a program")]

#[path = "../../tests/architecture/source.rs"]
mod source;

use source::Source;
use std::collections::BTreeMap;
use std::path::Path;

/// Functions above this many lines are listed.
const LONG_LINES: usize = 60;

fn main() {
    let wants = |option: &str| std::env::args().any(|argument| argument == option);
    let source = Source::read(Path::new(env!("WORKSPACE_ROOT")));
    let (cycles, files) = (source.cycles(), source.files.values());
    let mut folders: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    let (mut functions, mut long) = (0, Vec::new());
    for file in files.clone() {
        let [count, lines, imports, public] = folders.entry(file.krate.as_str()).or_default();
        *count += 1;
        *lines += file.text.lines().count();
        *imports += file.imports.len();
        *public += file.public_items;
        functions += file.functions.len();
        for function in file.functions.iter().filter(|function| function.lines > LONG_LINES) {
            long.push((
                function.lines,
                format!("{}:{} {}", file.path(), function.line, function.name),
            ));
        }
    }
    println!(
        "{:<14} {:>6} {:>7} {:>8} {:>7} {:>10}",
        "crate", "files", "lines", "imports", "public", "in cycles"
    );
    let mut total = [0; 5];
    for (folder, [count, lines, imports, public]) in folders {
        let circular: usize = cycles
            .iter()
            .filter(|cycle| source.files[&cycle[0]].krate == folder)
            .map(Vec::len)
            .sum();
        println!("{folder:<14} {count:>6} {lines:>7} {imports:>8} {public:>7} {circular:>10}");
        for (sum, value) in total.iter_mut().zip([count, lines, imports, public, circular]) {
            *sum += value;
        }
    }
    let [count, lines, imports, public, circular] = total;
    println!("{:<14} {count:>6} {lines:>7} {imports:>8} {public:>7} {circular:>10}", "all");
    long.sort();
    println!("functions: {functions}, {} above {LONG_LINES} lines", long.len());
    if wants("--functions") {
        long.iter().rev().for_each(|(lines, name)| println!("  {lines:>4} {name}"));
    }
    let longest = files.clone().max_by_key(|file| file.text.lines().count());
    if let Some(file) = longest {
        println!("longest file: {} ({} lines)", file.path(), file.text.lines().count());
    }
    let docs = files.flat_map(|file| &file.docs).filter(|doc| doc.is_first);
    let mut openings: BTreeMap<&str, usize> = BTreeMap::new();
    for word in docs.filter_map(|doc| doc.text.split_whitespace().next()) {
        *openings.entry(word).or_default() += 1;
    }
    let mut openings: Vec<(usize, &str)> =
        openings.into_iter().map(|(word, count)| (count, word)).collect();
    openings.sort_by(|a, b| b.cmp(a));
    let most: Vec<String> =
        openings.iter().take(24).map(|(count, word)| format!("{word} {count}")).collect();
    println!("comments open with: {}", most.join(", "));
    for cycle in cycles {
        println!("cycle of {}: {}", cycle.len(), cycle.join(", "));
        if wants("--cycles") {
            for name in &cycle {
                let inside =
                    source.files[name].imports.iter().filter(|(other, _)| cycle.contains(other));
                inside.for_each(|(other, line)| println!("  {name}:{line} imports {other}"));
            }
        }
    }
}
