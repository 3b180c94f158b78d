//! Models and clips -> facts and faults: counts and bounds for people, and a lint of rigs.
//!
//! [`summary`] counts and measures; [`lint`] finds what a rigger would mend; [`parts`] proposes parts of
//! clips that hold several actions; `record` holds all facts of a file, as JSON has them, and
//! `text` prints them as a page. None draws, and none changes a model.

mod contents;
mod layout;
pub mod lint;
pub mod parts;
pub mod record;
pub mod summary;
mod text;

pub use text::print_page;
