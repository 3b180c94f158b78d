//! Exact pictures of the shipped scenes and of small edits; measures of difference; AOVs; the same
//! scene elsewhere.

#[path = "../support/held.rs"]
mod held;
#[path = "../reference/mod.rs"]
mod reference;
#[path = "../support/mod.rs"]
mod support;

mod images;
mod refusals;
mod shipped;
mod fit;
mod format_parity;
mod compare;
mod random;
mod campaign;
#[expect(
    clippy::disallowed_methods,
    clippy::cast_possible_wrap,
    clippy::needless_range_loop,
    reason = "edits by small numbers of known size, in double precision"
)]
mod causes;
mod aov;
#[expect(clippy::disallowed_methods, reason = "a reference in double precision")]
mod channels;
mod arrays;
mod peer;

fn main() {
    support::run();
}
