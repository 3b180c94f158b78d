//! The shape of the source: imports, layers, arithmetic that is equal on every CPU, and the lints that hold it.

#[path = "../support/mod.rs"]
mod support;

mod imports;
mod clippy;

fn main() {
    support::run([("imports", imports::trials()), ("clippy", clippy::trials())]);
}
