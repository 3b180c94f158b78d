//! Operations of vectors in the program as it was compiled.

use crate::support::{needs, trial};
use libtest_mimic::Trial;
use std::collections::BTreeSet;
use std::fs;

/// Part of the name of a function with the instructions of one vector operation.
const OPERATION: &str = "__fearless_simd_kernel";

/// Part of the name of the functions that compile a kernel with all instructions of a level.
const LEVEL: &str = "vectorize_";

/// Names of symbols that contain `part`: they end in zeros, as in ELF and Mach-O files.
fn symbols_with<'p>(program: &'p [u8], part: &str) -> impl Iterator<Item = &'p str> {
    let names = program.split(|&byte| byte == 0).filter(|name| name.len() >= part.len());
    let texts = names.filter_map(|name| std::str::from_utf8(name).ok());
    texts.filter(move |name| name.contains(part))
}

/// An operation that is called and not inlined takes several times as long: its vectors go through
/// memory. That happens where a closure or a function over lanes is compiled apart from the kernel,
/// without the instructions of its level.
#[trial(with_symbols)]
fn operations_of_vectors_are_inline() {
    let program = fs::read(env!("CARGO_BIN_EXE_tintype")).expect("the program is built");
    assert!(symbols_with(&program, LEVEL).next().is_some(), "the program has no symbols");
    let called: BTreeSet<&str> = symbols_with(&program, OPERATION).collect();
    assert!(
        called.is_empty(),
        "operations are called by code without the instructions of a level; give it #[inline(always)], and write closures \
         out: {called:#?}"
    );
}

/// A test that reads the symbols of an optimised program.
fn with_symbols(name: &str, run: fn()) -> Trial {
    let is_optimised = !cfg!(debug_assertions);
    let missing = match is_optimised {
        false => "the program is built without optimisation",
        true => "symbols of the program lie in another file",
    };
    needs(name, run, is_optimised && !cfg!(windows), missing)
}
