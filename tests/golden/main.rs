//! Pictures of the shipped scenes and of small edits, exactly; measures of difference; AOVs; the same scene elsewhere.

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
mod peer;

fn main() {
    support::run([
        ("images", images::trials()),
        ("refusals", refusals::trials()),
        ("shipped", shipped::trials()),
        ("fit", fit::trials()),
        ("format_parity", format_parity::trials()),
        ("compare", compare::trials()),
        ("campaign", campaign::trials()),
        ("causes", causes::trials()),
        ("aov", aov::trials()),
        ("peer", peer::trials()),
    ]);
}
